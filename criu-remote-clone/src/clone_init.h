// Process 1 of the clone's PID namespace: makes the mounts, lets CRIU restore below itself, reaps,
// passes signals on, and ends with the clone's own exit code. It dies with its parent, and
// everything in the namespace dies with it.
#ifndef CLONE_CLONE_INIT_H
#define CLONE_CLONE_INIT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "criu.h"
#include "failure.h"
#include "fileset.h"

struct clone_init;

struct clone_init_plan {
    const struct criu *criu;
    const struct path_map *binds; // local copies over the source's paths
    size_t bind_count;
    uint32_t highest_id; // the namespace's own processes take ids above this
    uid_t uid;
    gid_t gid;
};

// Starts init in new PID and mount namespaces with the binds and a fresh /proc in place.
struct clone_init *clone_init_start(const struct clone_init_plan *plan, struct keeper *keeper,
                                    struct failure *failure);
// Restores inside; the clone is stopped. Returns its pid as init sees it.
pid_t clone_init_restore(struct clone_init *init, const struct criu_restore *restore,
                         int64_t deadline_ns, struct failure *failure);
// SIGCONT to the clone's processes: from here it runs.
int clone_init_continue(struct clone_init *init, struct failure *failure);
// Runs `command` inside the clone's namespaces (the resume hook).
int clone_init_hook(struct clone_init *init, const char *command, int timeout_ms,
                    struct failure *failure);
// Waits for the clone to end, forwarding TERM, QUIT, INT, HUP, USR1, USR2 that we receive, and
// returns its wait status.
int clone_init_wait(struct clone_init *init);
// Kills everything in the namespace and waits until it is gone; NULL is allowed.
void clone_init_kill(struct clone_init *init);

#endif
