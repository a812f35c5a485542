// SPDX-License-Identifier: Apache-2.0
// Token bucket: see wire_pacer.h.
#include "wire_pacer.h"

#define SECOND 1000000000
#define ASK_NS (SECOND / 10)
#define BURST_PARTS 20 // of a second's bytes

void wire_pacer_init(struct wire_pacer *pacer, uint64_t (*bandwidth)(void *context),
                     void *context) {
    *pacer = (struct wire_pacer){.bandwidth = bandwidth, .context = context};
}

static void ask(struct wire_pacer *pacer, int64_t now) {
    if (pacer->asked_ns != 0 && now - pacer->asked_ns < ASK_NS)
        return;
    pacer->asked_ns = now;
    pacer->rate = pacer->bandwidth(pacer->context);
}

static double burst(const struct wire_pacer *pacer) {
    double bytes = (double)pacer->rate / BURST_PARTS;
    return bytes < 1 ? 1 : bytes;
}

static void fill(struct wire_pacer *pacer, int64_t now) {
    double most = burst(pacer);
    pacer->tokens += (double)(now - pacer->filled_ns) / SECOND * (double)pacer->rate;
    if (pacer->filled_ns == 0 || pacer->tokens > most)
        pacer->tokens = most;
    pacer->filled_ns = now;
}

size_t wire_pacer_allow(struct wire_pacer *pacer, int64_t now, size_t wanted, int64_t *wait_ns) {
    *wait_ns = 0;
    if (!pacer->bandwidth)
        return wanted;
    ask(pacer, now);
    if (pacer->rate == 0) {
        pacer->filled_ns = 0;
        return wanted;
    }
    fill(pacer, now);
    // A wait for half a burst keeps the wake-ups few.
    double least = burst(pacer) / 2;
    if (least > (double)wanted)
        least = (double)wanted;
    if (pacer->tokens < least) {
        double wait = (least - pacer->tokens) / (double)pacer->rate * SECOND;
        *wait_ns = wait < ASK_NS ? (int64_t)wait + 1 : ASK_NS;
        return 0;
    }
    size_t allowed = pacer->tokens < (double)wanted ? (size_t)pacer->tokens : wanted;
    allowed = allowed ? allowed : 1;
    pacer->tokens -= (double)allowed;
    return allowed;
}
