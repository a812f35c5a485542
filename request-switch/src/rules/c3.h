// SPDX-License-Identifier: Apache-2.0
// C3's ranking of replicas (Suresh et al., NSDI 2015; NetRS, section 2), in integers, for BPF has
// no floating point: R - 1/mu + q^3 / mu, with q = 1 + outstanding * weight + queue. Least is best.
#pragma once

#include "rule.h"

enum {
    C3_QUEUE_ONE = 16,        // queues are in sixteenths of a request
    C3_QUEUE_MOST = 256 * 16, // beyond, all are as bad
};
#define C3_TIME_MOST ((UINT64_C(1) << 38) - 1) // ns: 275 s

struct c3_server {
    uint64_t response_ns; // R: smoothed time until an answer is here
    uint64_t service_ns;  // 1/mu: smoothed time of the work itself
    uint32_t outstanding; // asked by us, and not answered
    uint32_t queue;       // smoothed length of its queue, in sixteenths
};

// `weight`: how many others choose as we do, this one included.
RULE int64_t c3_score(const struct c3_server *server, uint32_t weight) {
    uint64_t response = server->response_ns < C3_TIME_MOST ? server->response_ns : C3_TIME_MOST;
    uint64_t service = server->service_ns < C3_TIME_MOST ? server->service_ns : C3_TIME_MOST;
    uint64_t queue =
        C3_QUEUE_ONE + (uint64_t)server->outstanding * weight * C3_QUEUE_ONE + server->queue;
    if (queue > C3_QUEUE_MOST)
        queue = C3_QUEUE_MOST;
    uint64_t cube = queue * queue * queue; // in 4096ths, 36 bits
    uint64_t waiting = (cube >> 12) * service + ((cube & 0xfff) * service >> 12);
    return (int64_t)response - (int64_t)service + (int64_t)waiting;
}

// The exponentially weighted moving average: nine tenths of what was (C3's alpha = 0.9). 0: nothing
// was seen yet.
RULE uint64_t c3_average(uint64_t average, uint64_t seen) {
    return average == 0 ? seen : (average * 9 + seen) / 10;
}
