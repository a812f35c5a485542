// SPDX-License-Identifier: Apache-2.0
// To clone or not, and which server gets the original (NetClone, section 3.3; with the shorter
// queue RackSched's, section 3.7).
#pragma once

#include "rule.h"

enum policy { POLICY_SHORTER_QUEUE, POLICY_RANDOM, POLICY_C3 };
enum clone_rule { CLONE_IDLE, CLONE_NEVER, CLONE_ALWAYS };

// What became of a request. All but the first two say why it wasn't cloned.
enum reason {
    REASON_CLONED,
    REASON_PROBE,  // cloned to a suspect, to see whether it answers
    REASON_NEVER,  // the service says so
    REASON_WRITE,  // not proved to be a read
    REASON_SHAPE,  // fragmented, or with IP options
    REASON_OWED,   // a server still owes an answer to the same client, port and id
    REASON_ALONE,  // no second server that is trusted
    REASON_BUSY,   // not both are idle
    REASON_BUDGET, // enough clones for now
    REASON_ROUTE,  // no way to the second server
    REASON_SLOT,   // its word changed too often under us
    REASONS,
};

enum { NO_SERVER = 0 };

struct candidate {
    uint32_t server; // NO_SERVER: there is none
    uint32_t queue;
    bool idle;
};

struct verdict {
    uint32_t original, clone; // servers; NO_SERVER
    enum reason reason;
};

// `obstacle`: why the request can't be cloned whatever the servers' state; REASON_CLONED: nothing.
RULE struct verdict decide(enum policy policy, enum clone_rule rule, enum reason obstacle,
                           struct candidate first, struct candidate second) {
    struct verdict verdict = {first.server, NO_SERVER, obstacle};
    bool pair = second.server != NO_SERVER;
    bool swap = policy == POLICY_SHORTER_QUEUE && pair && second.queue < first.queue;
    if (swap)
        verdict.original = second.server;
    if (obstacle != REASON_CLONED)
        return verdict;
    if (rule == CLONE_NEVER)
        verdict.reason = REASON_NEVER;
    else if (!pair)
        verdict.reason = REASON_ALONE;
    else if (rule == CLONE_IDLE && !(first.idle && second.idle))
        verdict.reason = REASON_BUSY;
    else
        verdict.clone = swap ? first.server : second.server;
    return verdict;
}

// --- a server's state ---

#define MILLISECOND UINT64_C(1000000)
#define SECOND UINT64_C(1000000000)

// Counted state: asked minus answered. Idle is what has a free worker: with 0 instead a server of
// four workers at a fifth of its load would seldom be.
RULE bool idle_by_count(int32_t outstanding, uint32_t workers) {
    return outstanding < (int32_t)workers;
}

// Whether a server is suspect: it owes answers and has given none for twenty times what it takes on
// average, but 50 ms at least and 1 s at most, after which clients themselves begin to ask again.
RULE bool is_overdue(int32_t outstanding, uint64_t waiting_since, uint64_t average_ns,
                     uint64_t now) {
    uint64_t patience = 20 * average_ns;
    if (patience < 50 * MILLISECOND)
        patience = 50 * MILLISECOND;
    if (patience > SECOND)
        patience = SECOND;
    return outstanding > 0 && now > waiting_since && now - waiting_since > patience;
}

// A suspect gets a clone of every hundredth read, and where there are few, of one a second.
RULE bool is_probe_due(uint32_t reads, uint64_t last_probe, uint64_t now) {
    return reads % 100 == 0 || now - last_probe > SECOND;
}

// --- the budget: at most so many clones per hundred reads, and one a second; ten in a row ---

struct budget {
    uint32_t hundredths; // of clones that may be made
    uint32_t second;     // when it was filled last
};

enum { BUDGET_OFF = 0, BUDGET_CLONE = 100, BUDGET_FULL = 10 * BUDGET_CLONE };

// A read has come: what there is for its clone.
RULE struct budget budget_fill(struct budget budget, uint32_t percent, uint64_t now) {
    uint32_t second = (uint32_t)(now / SECOND);
    uint32_t seconds = second - budget.second;
    uint64_t sum = (uint64_t)budget.hundredths + percent + (uint64_t)seconds * BUDGET_CLONE;
    return (struct budget){sum < BUDGET_FULL ? (uint32_t)sum : BUDGET_FULL, second};
}
