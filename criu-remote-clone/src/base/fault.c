// SPDX-License-Identifier: Apache-2.0
// The points at which the tests make the tool fail, end or stop.
#include "fault.h"

#ifdef CLONE_FAULTS

#include <signal.h>
#include <unistd.h>

int fault_here(enum fault fault, struct failure *failure) {
    const char *wanted = getenv("CLONE_FAULT");
    char *action = NULL;
    if (wanted == NULL || strtol(wanted, &action, 10) != (long)fault)
        return 0;
    if (strcmp(action, ":kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(action, ":hang") == 0 || strcmp(action, ":pause") == 0)
        raise(SIGSTOP); // this thread's: it doesn't get any further before all are stopped
    if (strcmp(action, ":pause") == 0)
        return 0;
    return fail(failure, EXIT_INTERNAL, "injected fault %d", (int)fault);
}

#else

// An empty translation unit isn't C.
typedef int fault_points_are_compiled_out;

#endif
