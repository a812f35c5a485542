// Running CRIU: the dump that leaves the process running, and the restore in a new PID namespace.
#ifndef CLONE_CRIU_H
#define CLONE_CRIU_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "failure.h"

struct criu {
    const char *program; // absolute path of the CRIU to use
    bool unprivileged;   // not root: --unprivileged, file capabilities on `program`
};

// Finds CRIU: `wanted` (may be NULL), else $CRIU_REMOTE_CLONE_CRIU, the private prefix, $PATH.
// EXIT_UNABLE with the fix when there is none or it is older than 4.2.
int criu_find(struct criu *criu, const char *wanted, char version[32], struct failure *failure);

struct criu_dump {
    pid_t pid;
    const char *socket_dir; // where capture listens, reachable from the process's mount ns
    int timeout_ms;         // CRIU gives up freezing, and we stop waiting, after this
    // Called while the process is frozen and everything was dumped; 0 lets it resume.
    int (*frozen)(void *context, struct failure *failure);
    void *context;
};

struct criu_times {
    uint64_t frozen_micros; // as CRIU measured it
    uint64_t dump_micros;   // from start to end of the CRIU process
};

// Dumps and resumes. On failure the process runs on as well, and `failure` carries CRIU's own last
// error line (EXIT_DUMP).
int criu_dump(const struct criu *criu, const struct criu_dump *dump, struct criu_times *times,
              struct failure *failure);

// The other side of the action script: main() calls it when CRIU has started us as its script.
int criu_action_main(void);

struct criu_restore {
    const char *socket_dir;     // where replay listens
    const char *lazy_image_dir; // instead: a complete image, restored lazily (may be NULL)
};

// Restores; the restored root becomes a child of the caller's PID-namespace init and is left
// stopped. Returns its pid, or -1 with CRIU's last error line (EXIT_RESTORE). `log_fd` gets CRIU's
// log.
pid_t criu_restore(const struct criu *criu, const struct criu_restore *restore,
                   struct failure *failure);

#endif
