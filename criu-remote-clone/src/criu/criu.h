// SPDX-License-Identifier: Apache-2.0
// Running CRIU: the dump that leaves the process running, and the restore in a new PID namespace.
#pragma once

#include "failure.h"
#include "identity.h"
#include "keeper.h"

#define CRIU_VERSION_MAX 32
#define CRIU_ERRORS 1 // the verbosity

// What installs CRIU, in messages: operators have a release, developers a source tree.
#define INSTALLER "install-node (of a source tree: scripts/setup)"
#define GROUP_INSTALLER                                                                            \
    "install-node --group GROUP` (of a source tree: `scripts/setup --group GROUP`)"

struct criu {
    char program[4096];             // absolute path
    char version[CRIU_VERSION_MAX]; // "4.2.1"
    int log;                        // where it writes its log; -1: to memory, for its first error
    int verbosity;                  // of its log: 0 (not even errors) to 4 (debugging)
};

// Finds CRIU: `wanted` (may be NULL), else in the private prefix (for an ordinary user the copy
// with the file capability, if it is there and his), else on $PATH. EXIT_UNABLE with the fix when
// there is none or it is older than 4.2 (4.1 fails to dump on Linux >= 6.16, whose TCP sockets
// refuse SO_PASSCRED).
int criu_find(struct criu *criu, const char *wanted, struct failure *failure);

// Has CRIU write its log to that file (NULL: to memory) from now on. The file is emptied, or made
// for its owner alone. EXIT_USAGE if it is a link or no regular file, or another user's.
int criu_log_to(struct criu *criu, const char *path, int verbosity, struct failure *failure);

// Whether the caller's CRIU may image the caller's processes: root's may, an ordinary user's needs
// CAP_CHECKPOINT_RESTORE from its file (or from us, as an ambient capability). EXIT_UNABLE with
// what to do.
int criu_may_image(const struct criu *criu, struct failure *failure);

// CRIU's own look at the kernel (`criu check`), killed after that time. EXIT_UNABLE with CRIU's
// first error line.
int criu_check(const struct criu *criu, int time_limit_ms, struct failure *failure);

// What a security.capability attribute permits (capabilities(7), linux/capability.h).
uint64_t criu_file_capabilities(const void *attribute, size_t length);

// If there is too little memory for the image, in the process's own memory cgroup say, let the OOM
// killer take us and not the process.
void criu_die_before_process(void);

// Whom to dump, and how.
struct criu_target {
    pid_t pid;
    const struct identity *identity; // whom CRIU becomes: identity_for_image()
    int socket_dir_fd;               // directory where capture listens; CRIU inherits it
    int freeze_timeout_ms;           // CRIU gives up stopping the threads after this
    int max_freeze_ms;               // as struct criu_dump's
};

// What happens in a dump.
struct criu_dump {
    int64_t deadline_ns; // then give_up() is called, which must make CRIU's image pipes break
    int max_freeze_ms;   // the same when the process has been frozen for so long; 0: no such limit
    int cancel_fd;       // the same when this becomes readable; -1: none
    // Called when CRIU is about to stop the process and has done everything that can be done
    // before; -1 is a veto: CRIU ends, and never touches the process.
    int (*freezing)(void *context, struct failure *failure);
    // Called while the process is frozen and everything was dumped; 0 lets it resume with success.
    int (*frozen)(void *context, int64_t deadline_ns, struct failure *failure);
    void (*give_up)(void *context);
    void *context;
};

struct criu_times {
    double freezing_ms; // stopping the threads, as CRIU measured it
    double frozen_ms;   // stopped, as CRIU measured it
    bool let_go;        // CRIU may have been at the process, and have left it stopped
};

// A CRIU that has started, has found out what the kernel can do, and waits in its pre-dump action
// before it looks at the process: its tens of milliseconds pass while other things are done. Should
// we be killed, it ends without having touched the process. NULL on failure. It belongs to
// criu_dump() or criu_dismiss().
struct criu_standby;
struct criu_standby *criu_stand_by(const struct criu *criu, const struct criu_target *target,
                                   struct keeper *keeper, struct failure *failure);
void criu_dismiss(struct criu_standby *standby); // NULL is allowed

// Dumps and resumes. On failure the process runs on as well, and `failure` carries CRIU's own first
// error line (EXIT_DUMP). The keeper waits for CRIU, should we be killed.
int criu_dump(struct criu_standby *standby, const struct criu_dump *dump, struct criu_times *times,
              struct failure *failure);

// The other side of CRIU's action script: main() calls it when CRIU has started us as its script.
// Returns an exit status.
int criu_action_main(void);

// Starts a CRIU that restores in the caller's namespaces, as `identity`: it gets ready, which takes
// tens of milliseconds, and waits for its first image, which replay serves in that directory. It is
// a child of the caller's, not to be reaped by anybody but criu_restore_finish(). NULL on failure.
struct criu_restore;
struct criu_restore *criu_restore_start(const struct criu *criu, const struct identity *identity,
                                        int images_dir_fd, struct failure *failure);
// Waits until it is done. The root task came back under its own pid, is left stopped, and becomes a
// child of the caller's PID namespace's init. EXIT_RESTORE with CRIU's first error line.
int criu_restore_finish(struct criu_restore *restore, struct failure *failure);
