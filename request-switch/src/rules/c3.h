// SPDX-License-Identifier: Apache-2.0
// C3's ranking of replicas (Suresh et al., NSDI 2015; NetRS, section 2), in integers, for BPF has
// no floating point: R - 1/mu + q^3 / mu, with q = 1 + outstanding * weight + queue. Least is best.
#pragma once

#include "rule.h"

enum {
    C3_QUEUE_ONE = 256,         // queues are in 256ths of a request
    C3_QUEUE_FINE = 256 * 256,  // beyond, they are in whole ones
    C3_QUEUE_MOST = 1024 * 1024 // requests; its cube has 60 bits
};
#define C3_TIME_MOST ((UINT64_C(1) << 38) - 1) // ns: 275 s
#define C3_WAITING_MOST (UINT64_C(1) << 62)    // ns: beyond, all are as bad

struct c3_server {
    uint64_t response_ns; // R: smoothed time until an answer is here
    uint64_t service_ns;  // 1/mu: smoothed time of the work itself
    uint32_t outstanding; // asked by us, and not answered
    uint32_t queue;       // smoothed length of its queue, in 256ths
};

// q^3 / mu. `queue`: q in 256ths
RULE uint64_t c3_waiting(uint64_t queue, uint64_t service_ns) {
    if (queue <= C3_QUEUE_FINE) {
        uint64_t cube = queue * queue * queue; // in 2^24ths, 48 bits
        return (cube >> 24) * service_ns + ((cube & 0xffffff) * service_ns >> 24);
    }
    uint64_t whole = queue / C3_QUEUE_ONE;
    if (whole > C3_QUEUE_MOST)
        whole = C3_QUEUE_MOST;
    uint64_t cube = whole * whole * whole;
    return service_ns <= C3_WAITING_MOST / cube ? cube * service_ns : C3_WAITING_MOST;
}

// `weight`: how many others choose as we do, this one included.
RULE int64_t c3_score(const struct c3_server *server, uint32_t weight) {
    uint64_t response = server->response_ns < C3_TIME_MOST ? server->response_ns : C3_TIME_MOST;
    uint64_t service = server->service_ns < C3_TIME_MOST ? server->service_ns : C3_TIME_MOST;
    uint64_t queue =
        C3_QUEUE_ONE + (uint64_t)server->outstanding * weight * C3_QUEUE_ONE + server->queue;
    return (int64_t)response - (int64_t)service + (int64_t)c3_waiting(queue, service);
}

// The exponentially weighted moving average after one more sample, which weighs nine tenths: the
// alpha of C3's authors, in their Cassandra and in their simulator. It follows a server whose speed
// changes within a few answers. tests/unit holds it and replica-selection's Replicas to one table.
RULE uint64_t c3_average(uint64_t average, uint64_t seen, bool is_known) {
    return is_known ? (average + 9 * seen) / 10 : seen;
}
