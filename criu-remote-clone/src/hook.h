// The caller's hooks around the freeze: `/bin/sh -c COMMAND` in a process group of its own, with a
// time limit. Environment: CLONE_ROLE (original, clone), CLONE_PHASE (quiesce, resume), CLONE_PID,
// CLONE_OUTCOME (resume only: cloned, aborted).
#ifndef CLONE_HOOK_H
#define CLONE_HOOK_H

#include <sys/types.h>

#include "failure.h"

struct hook_call {
    const char *command; // NULL: nothing to do, success
    const char *role;
    const char *phase;
    const char *outcome; // NULL when there is none yet
    pid_t pid;
    int timeout_ms;
};

// Returns 0 when the command exits 0; otherwise EXIT_VETO with its exit code, signal or time-out.
// On a time-out the whole process group is killed.
int hook_run(const struct hook_call *call, struct failure *failure);

#endif
