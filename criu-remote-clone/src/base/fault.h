// SPDX-License-Identifier: Apache-2.0
// Fault injection for the tests: CLONE_FAULT=N[:fail|kill|hang|pause] makes point N fail, kill the
// tool, or stop it until a SIGCONT, after which it fails (hang) or goes on (pause), in a build with
// CLONE_FAULTS. Elsewhere the points are nothing at all.
#pragma once

#include "failure.h"

// Numbered in the order of a clone's life; the tests run through all of them.
enum fault {
    FAULT_SERVE_STARTED = 1,
    FAULT_SERVE_ACCEPTED,
    FAULT_SERVE_OFFERED,
    FAULT_SERVE_ANSWERED,
    FAULT_SERVE_PRECOPIED,
    FAULT_SERVE_PREPARED,
    FAULT_SERVE_SETTLED, // and memory taken
    FAULT_SERVE_QUIESCED,
    FAULT_SERVE_FROZEN,   // in CRIU's post-dump action
    FAULT_SERVE_SNAPSHOT, // there, after the file snapshot
    FAULT_SERVE_DUMPED,
    FAULT_SERVE_RESUMED,
    FAULT_SERVE_SENT_FILES,
    FAULT_SERVE_SENT_IMAGES,
    FAULT_SERVE_SENDING_MEMORY,
    FAULT_SERVE_COMMITTED,
    FAULT_SERVE_LAST = FAULT_SERVE_COMMITTED,
    FAULT_PULL_STARTED = 21,
    FAULT_PULL_CONNECTED,
    FAULT_PULL_OFFERED,
    FAULT_PULL_ANSWERED,
    FAULT_PULL_PRECOPIED,
    FAULT_PULL_FILES,
    FAULT_PULL_IMAGES,
    FAULT_PULL_MOUNTED,
    FAULT_PULL_FEEDING,
    FAULT_PULL_COMMITTED,
    FAULT_PULL_RESTORED,
    FAULT_PULL_CONTINUED,
    FAULT_PULL_LAST = FAULT_PULL_CONTINUED,
    FAULT_MOVE_PROVED = 41, // serve --move: the clone runs, and the original still does
};

#ifdef CLONE_FAULTS
// 0, or -1 with a failure, or doesn't return.
int fault_here(enum fault fault, struct failure *failure);
#else
static inline int fault_here(enum fault fault, struct failure *failure) {
    (void)fault;
    (void)failure;
    return 0;
}
#endif
