// SPDX-License-Identifier: Apache-2.0
// NetRS' selector (section 5.3): what a node knows of each server, and which replica gets a
// request. The ranking is C3's, as replica-selection's class Replicas has it.
//
// The retaining value is the time of the selection, in ticks of 16.4 us; it wraps after 1.07 s. Its
// two highest bits are the quarter of that second. What was asked is counted by quarters, and a
// quarter that comes again begins at zero: so requests or answers that were lost are forgotten
// within a second, and nothing has to go through them.
#pragma once

#include "c3.h"

enum {
    SELECTOR_TICK_SHIFT = 14,
    SELECTOR_QUARTERS = 4,
    SELECTOR_QUARTER_SHIFT = 28,
    SELECTOR_REPLICAS = 8, // at most, of a group
};

struct selector_server {
    uint64_t quarter; // since boot: the last one in which something happened
    uint32_t asked[SELECTOR_QUARTERS];
    uint64_t response_ns, service_ns; // averages
    uint32_t queue;                   // average, in 256ths
    uint32_t is_known;                // it has answered once
    uint64_t selected;                // how often
    uint64_t answered;
};

RULE uint16_t selector_retain(uint64_t now) {
    return (uint16_t)(now >> SELECTOR_TICK_SHIFT);
}

// These two are without branches, or the kernel's verifier would follow each. A clock that is a
// little behind another processor's counts as that one.
RULE uint32_t selector_outstanding(const struct selector_server *server, uint64_t now) {
    uint64_t quarters = (now >> SELECTOR_QUARTER_SHIFT) - server->quarter; // since then
    uint32_t sum = 0;
    for (uint32_t ago = 0; ago < SELECTOR_QUARTERS; ago++) {
        uint32_t is_counted = (uint32_t)((quarters + ago - SELECTOR_QUARTERS) >> 63);
        sum += is_counted * server->asked[(server->quarter - ago) & (SELECTOR_QUARTERS - 1)];
    }
    return sum;
}

RULE void selector_forget(struct selector_server *server, uint64_t now) {
    uint64_t quarters = (now >> SELECTOR_QUARTER_SHIFT) - server->quarter;
    for (uint32_t i = 1; i <= SELECTOR_QUARTERS; i++)
        server->asked[(server->quarter + i) & (SELECTOR_QUARTERS - 1)] *=
            (uint32_t)((quarters - i) >> 63);
    server->quarter += quarters & ((quarters >> 63) - 1);
}

RULE void selector_sent(struct selector_server *server, uint64_t now) {
    selector_forget(server, now);
    server->asked[now >> SELECTOR_QUARTER_SHIFT & (SELECTOR_QUARTERS - 1)]++;
    server->selected++;
}

// `retained` is the response's; `service_us` 0: the server doesn't tell, and the response's time
// stands for it.
RULE void selector_answered(struct selector_server *server, uint64_t now, uint16_t retained,
                            uint32_t queue, uint32_t service_us) {
    uint64_t response = (uint64_t)(uint16_t)(selector_retain(now) - retained)
                        << SELECTOR_TICK_SHIFT;
    uint64_t service = service_us != 0 ? (uint64_t)service_us * 1000 : response;
    uint32_t quarter = retained >> (SELECTOR_QUARTER_SHIFT - SELECTOR_TICK_SHIFT);
    bool known = server->is_known;
    selector_forget(server, now);
    if (server->asked[quarter & (SELECTOR_QUARTERS - 1)] > 0)
        server->asked[quarter & (SELECTOR_QUARTERS - 1)]--;
    server->response_ns = c3_average(server->response_ns, response, known);
    server->service_ns = c3_average(server->service_ns, service, known);
    server->queue = (uint32_t)c3_average(server->queue, queue * C3_QUEUE_ONE, known);
    server->is_known = 1;
    server->answered++;
}

// Less is better. A server that was never heard of gets one request, and no other before its
// answer.
RULE int64_t selector_score(const struct selector_server *server, uint64_t now, uint32_t nodes) {
    uint32_t outstanding = selector_outstanding(server, now);
    if (!server->is_known)
        return outstanding == 0 ? INT64_MIN : INT64_MAX;
    struct c3_server seen = {server->response_ns, server->service_ns, outstanding, server->queue};
    return c3_score(&seen, nodes);
}

// The best so far; begins with SELECTOR_NONE.
struct selector_choice {
    int64_t score;
    uint32_t outstanding;
    int server;
};
#define SELECTOR_NONE ((struct selector_choice){INT64_MAX, UINT32_MAX, -1})

// Of equals that which owes less, else the first. `number` is what the choice will have.
RULE void selector_consider(struct selector_choice *best, int64_t score, uint32_t outstanding,
                            int number) {
    if (best->server >= 0 &&
        (score > best->score || (score == best->score && outstanding >= best->outstanding)))
        return;
    *best = (struct selector_choice){score, outstanding, number};
}
