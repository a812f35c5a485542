// SPDX-License-Identifier: Apache-2.0
// Process 1 of the clone's PID namespace: makes the mounts, lets CRIU restore below itself, reaps,
// passes signals on, and ends with the clone's own exit code. It dies with its parent, and
// everything in the namespace dies with it. When the clone's root process ends, its namespace ends.
#pragma once

#include "criu.h"
#include "failure.h"
#include "fileset.h"
#include "hook.h"
#include "identity.h"
#include "keeper.h"

struct namespace_init;

// The clocks of the original at its freeze, in nanoseconds.
struct clone_clocks {
    int64_t monotonic_ns, boottime_ns; // 0: not known, or not ours to set
};

// Starts init in new PID and mount namespaces, and a user namespace if `identity` needs one. To be
// called before any thread is: init is a fork. It inherits `images_dir_fd`, where replay will
// listen.
struct namespace_init *namespace_init_start(const struct criu *criu,
                                            const struct identity *identity, int images_dir_fd,
                                            struct failure *failure);

// Should we be killed, the keeper ends the namespace before it undoes what is on its list so far.
int namespace_init_keep(const struct namespace_init *init, struct keeper *keeper,
                        struct failure *failure);

// Binds the local copies over the source's paths, in order, and mounts a fresh /proc. Mount points
// that don't exist are made, and put on the keeper's list first.
int namespace_init_mount(struct namespace_init *init, const struct bind *binds, size_t bind_count,
                         struct keeper *keeper, struct failure *failure);

// Starts CRIU inside: it gets ready, and waits for the first image from replay. It and its helpers
// take ids above `highest_id`, out of the clone's way. CRIU sets the clone's clocks itself, but not
// when it is unprivileged (criu/timens.c): then they must be known.
int namespace_init_stand_by(struct namespace_init *init, uint32_t highest_id,
                            const struct clone_clocks *clocks, struct failure *failure);
// That CRIU may restore; doesn't wait: feed replay, then namespace_init_restored(). `root` is the
// clone's pid in its namespace.
int namespace_init_restore(struct namespace_init *init, pid_t root, struct failure *failure);
// Readable once CRIU has ended; not to be read.
int namespace_init_ended_fd(const struct namespace_init *init);
// After a failure that may only be a consequence of CRIU's: puts CRIU's own reason in its place.
void namespace_init_explain(struct namespace_init *init, struct failure *failure);
// Waits for the restore: the clone is there, stopped.
int namespace_init_restored(struct namespace_init *init, int64_t deadline_ns,
                            struct failure *failure);

// SIGCONT to the clone's processes: from here it runs.
int namespace_init_continue(struct namespace_init *init, struct failure *failure);
// Runs the hook inside the clone's namespaces, with the clone's rights.
int namespace_init_hook(struct namespace_init *init, const char *command, int timeout_ms,
                        struct failure *failure);

// Passes HUP, INT, QUIT, TERM, USR1 and USR2 from `signal_fd` (a signalfd(2)) on to the clone until
// it ends; returns its exit code, 128 + N if a signal N ended it.
int namespace_init_wait(struct namespace_init *init, int signal_fd);

// Kills everything in the namespace, from any thread; NULL is allowed. namespace_init_kill() still
// follows.
void namespace_init_stop(struct namespace_init *init);
// Kills everything in the namespace and waits until it is gone; NULL is allowed.
void namespace_init_kill(struct namespace_init *init);
