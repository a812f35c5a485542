// SPDX-License-Identifier: Apache-2.0
// The caller's hooks around the freeze: `/bin/sh -c COMMAND` in a process group of its own, with a
// time limit. Environment: CLONE_ROLE (original, clone), CLONE_PHASE (settle, quiesce,
// resume), CLONE_PID, CLONE_OUTCOME (resume only: cloned, aborted),
// CLONE_LINK_BYTES_PER_MS (settle only). Its output goes to our standard error.
#pragma once

#include "failure.h"
#include "keeper.h"
#include "original.h"

struct hook_call {
    const char *command; // NULL: nothing to do, success
    const char *role;
    const char *phase;
    const char *outcome;               // NULL when there is none yet
    const uint64_t *link_bytes_per_ms; // NULL: not told; 0: not known
    pid_t pid;
    const struct original *original; // NULL: not for one
    int timeout_ms;
    // Listed with this keeper while it runs (NULL: not): when we are killed in a settle or quiesce
    // hook, the keeper waits for it, or ends it, before it runs the resume hook, never the other
    // way round.
    struct keeper *keeper;
};

// The environment of a hook, as keeper_run() takes it.
struct hook_environment {
    char text[5][64];
    char *variables[6]; // NULL-terminated
};
void hook_environment(const struct hook_call *call, struct hook_environment *environment);

// Returns 0 when the command exits 0; otherwise EXIT_VETO with its exit code, signal or time-out,
// or EXIT_REFUSED if the original has ended. On a time-out the whole process group is killed, and
// soon after the original's end: it may wait for its answer.
int hook_run(const struct hook_call *call, struct failure *failure);

// Lists the call's hook with its keeper, to be run once we are gone. Returns the entry, or -1.
int hook_list(const struct hook_call *call, struct failure *failure);
// As hook_run(), by the keeper, in place of that entry: it runs once, whenever we are killed.
int hook_run_listed(const struct hook_call *call, int entry, struct failure *failure);
