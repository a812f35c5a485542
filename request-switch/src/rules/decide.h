// SPDX-License-Identifier: Apache-2.0
// To clone or not, and which server gets the original (NetClone, section 3.3; with the shorter
// queue RackSched's, section 3.7).
#pragma once

#include "rule.h"

enum policy { POLICY_SHORTER_QUEUE, POLICY_RANDOM, POLICY_C3 };
enum clone_rule { CLONE_IDLE, CLONE_NEVER, CLONE_ALWAYS };
enum state_rule { STATE_COUNTED, STATE_AGENT }; // how a server's state is known

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

enum { NO_SERVER = 0, TOLD_NEVER = -1 };

#define MILLISECOND UINT64_C(1000000)
#define SECOND UINT64_C(1000000000)

struct candidate {
    uint32_t server; // NO_SERVER: there is none
    uint32_t outstanding;
    uint32_t workers; // requests that it works on at once, 1 or more
    int32_t told;     // the queue's length as told_queue() has it
    bool is_suspect;
};

// What a service's operator has asked for.
struct decide_rules {
    enum policy policy;
    enum clone_rule clone;
};

// The request itself.
struct occasion {
    enum reason obstacle; // why it can't be cloned whatever the servers' state; REASON_CLONED: none
    bool is_probe;        // its clone may go to a suspect
    bool has_budget;
};

struct verdict {
    uint32_t original, clone; // servers; NO_SERVER
    enum reason reason;
    bool is_optional; // its agent may drop the clone, so that it isn't counted
};

// The queue that a server's agent told so long ago; TOLD_NEVER: it doesn't count, or nobody asks
// for it. It ages: a server that is avoided for being busy would never be heard of again, and stay
// busy for ever.
RULE int32_t told_queue(enum state_rule state, int32_t told, uint64_t age, uint64_t answer_time) {
    enum { FRESH = 10 }; // answers' times
    return state == STATE_AGENT && told >= 0 && age <= FRESH * answer_time ? told : TOLD_NEVER;
}

// Whether the server's agent is there still, as far as is known at `now`: it told something, and
// not too long before. Times are boot time, ns; 0: it never did.
RULE bool is_agent_heard(uint64_t told_at, uint64_t now) {
    return told_at != 0 && now < told_at + 10 * SECOND;
}

// Where nothing told counts, its requests are counted. Then idle is what has a free worker: with 0
// instead a server of four workers at a fifth of its load would seldom be.
RULE bool is_idle(const struct candidate *candidate) {
    return candidate->told >= 0 ? candidate->told == 0
                                : candidate->outstanding < candidate->workers;
}

// Whether fewer wait here than there; counted, for each worker. What is told is compared with what
// is told only.
RULE bool is_shorter(const struct candidate *here, const struct candidate *there) {
    if (here->told >= 0 && there->told >= 0)
        return here->told < there->told;
    return (uint64_t)here->outstanding * there->workers <
           (uint64_t)there->outstanding * here->workers;
}

// The pair is in the order in which it was drawn. Of both suspect the first is asked, as if we
// weren't here. A clone is a free probe, so it needs no budget; "always" is for tests, and needs
// none either. tests/unit holds this and replica-selection's Rules to one table of cases.
RULE struct verdict decide(struct decide_rules rules, struct occasion occasion,
                           struct candidate first, struct candidate second) {
    struct verdict verdict = {first.server, NO_SERVER, occasion.obstacle, false};
    bool pair = second.server != NO_SERVER;
    bool suspect = first.is_suspect || (pair && second.is_suspect);
    bool swap =
        pair && (suspect ? first.is_suspect && !second.is_suspect
                         : rules.policy == POLICY_SHORTER_QUEUE && is_shorter(&second, &first));
    if (swap)
        verdict.original = second.server;
    if (first.is_suspect && (!pair || second.is_suspect))
        verdict.reason = REASON_ALONE;
    else if (occasion.obstacle != REASON_CLONED)
        verdict.reason = occasion.obstacle;
    else if (rules.clone == CLONE_NEVER)
        verdict.reason = REASON_NEVER;
    else if (!pair)
        verdict.reason = REASON_ALONE;
    else if (suspect)
        verdict.reason = occasion.is_probe ? REASON_PROBE : REASON_ALONE;
    else if (rules.clone == CLONE_ALWAYS)
        verdict.reason = REASON_CLONED;
    else if (!is_idle(&first) || !is_idle(&second))
        verdict.reason = REASON_BUSY;
    else if (!occasion.has_budget)
        verdict.reason = REASON_BUDGET;
    if (verdict.reason == REASON_CLONED || verdict.reason == REASON_PROBE)
        verdict.clone = swap ? first.server : second.server;
    return verdict;
}

// Whether a read that decide() would send to one trusted server alone may go to another one as
// well, should the first be silent.
RULE bool may_accompany(const struct verdict *alone, bool is_suspect, bool has_budget) {
    return !is_suspect &&
           (alone->reason == REASON_ALONE || (alone->reason == REASON_BUSY && has_budget));
}

// It does: busy or suspect, the other one is likelier to answer than a server that hangs. A clone
// to a suspect is a free probe here as well.
RULE void accompany(struct verdict *alone, const struct candidate *other) {
    if (other->server == NO_SERVER)
        return;
    alone->clone = other->server;
    alone->reason = other->is_suspect ? REASON_PROBE : REASON_CLONED;
}

// --- a server's state ---

// What a server's answers usually take; 0: it hasn't answered yet. Nine tenths are of what was: one
// quick answer makes no other one overdue.
RULE uint64_t usual_time(uint64_t average, uint64_t seen) {
    return average == 0 ? seen : (average * 9 + seen) / 10;
}

// For how long an answer is waited for: twenty times what it takes on average, but 50 ms at least
// and 1 s at most, after which clients themselves begin to ask again.
RULE uint64_t patience(uint64_t average_ns) {
    uint64_t patience = 20 * average_ns;
    if (patience < 50 * MILLISECOND)
        patience = 50 * MILLISECOND;
    return patience < SECOND ? patience : SECOND;
}

RULE bool is_waited_for(int32_t outstanding, uint64_t waiting_since, uint64_t limit, uint64_t now) {
    return outstanding > 0 && now > waiting_since && now - waiting_since > limit;
}

// Whether a server is suspect: it owes answers, and has given none for as long as they are waited
// for.
RULE bool is_overdue(int32_t outstanding, uint64_t waiting_since, uint64_t average_ns,
                     uint64_t now) {
    return is_waited_for(outstanding, waiting_since, patience(average_ns), now);
}

// The same after a quarter of that time. Far more often than not it is slow only, so it is still
// trusted; but what it is asked alone would be lost if it hangs.
RULE bool is_silent(int32_t outstanding, uint64_t waiting_since, uint64_t average_ns,
                    uint64_t now) {
    return is_waited_for(outstanding, waiting_since, patience(average_ns) / 4, now);
}

// Whether of two suspects this one is asked rather than the other: it was heard of later, and less
// than a second ago. It may only pause, for as long as an overdue server is waited for, while the
// other one hangs. After that second neither is preferred, or the wrong one could be for ever.
RULE bool is_heard_later(uint64_t here, uint64_t there, uint64_t now) {
    return here > there && (now < here || now - here < SECOND);
}

// A suspect gets a clone of every hundredth read, and where there are few, of one a second.
RULE bool is_probe_due(uint32_t reads, uint64_t last_probe, uint64_t now) {
    return reads % 100 == 0 || now - last_probe > SECOND;
}

// Where no read may be cloned, or none comes, a suspect gets a request of its own now and then, or
// it would never be heard of again. It costs that request if the suspect is dead still, so it comes
// seldom.
RULE bool is_trial_due(uint64_t suspect_since, uint64_t last_probe, uint64_t now) {
    uint64_t last = suspect_since > last_probe ? suspect_since : last_probe;
    return now > last && now - last > 5 * SECOND;
}

// --- the budget: at most so many clones per hundred reads, and one a second; ten in a row ---

struct budget {
    uint32_t hundredths; // of clones that may be made
    uint32_t second;     // when it was filled last
};

enum { BUDGET_OFF = 0, BUDGET_CLONE = 100, BUDGET_FULL = 10 * BUDGET_CLONE };

// A read has come: what there is for its clone. Another processor may have filled it a moment ago,
// in the next second by its clock.
RULE struct budget budget_fill(struct budget budget, uint32_t percent, uint64_t now) {
    uint32_t second = (uint32_t)(now / SECOND);
    if ((int32_t)(second - budget.second) < 0)
        second = budget.second;
    uint32_t seconds = second - budget.second;
    uint64_t sum = (uint64_t)budget.hundredths + percent + (uint64_t)seconds * BUDGET_CLONE;
    return (struct budget){sum < BUDGET_FULL ? (uint32_t)sum : BUDGET_FULL, second};
}
