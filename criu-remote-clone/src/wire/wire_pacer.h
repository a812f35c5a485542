// SPDX-License-Identifier: Apache-2.0
// Keeps a sender within its share of the host's bandwidth: a token bucket of a twentieth of a
// second. No clock of its own: the time is passed in.
#pragma once

#include "standard.h"

struct wire_pacer {
    uint64_t (*bandwidth)(void *context); // bytes per second, 0: unlimited; may be NULL
    void *context;
    uint64_t rate;
    int64_t asked_ns;
    int64_t filled_ns;
    double tokens; // bytes that may be sent now
};

void wire_pacer_init(struct wire_pacer *pacer, uint64_t (*bandwidth)(void *context), void *context);

// How many of `wanted` bytes may be sent now: at least 1, or 0 with the time to wait first. The
// bandwidth is asked for at most every 100 ms, and no wait is longer.
size_t wire_pacer_allow(struct wire_pacer *pacer, int64_t now, size_t wanted, int64_t *wait_ns);
