// SPDX-License-Identifier: Apache-2.0
// The decision to compress: see wire_tuner.h.
#include "wire_tuner.h"

#include "wire.h"

#define AUTO_LEVEL 1
// Averages reach back over about this many bytes, and the link's also over this time: on a fast
// link a writer that has to wait for a processor looks like a slow link, for a moment.
#define MEMORY_BYTES (4.0 * WIRE_CHUNK)
#define MEMORY_SECONDS 0.05
// Until it is measured: zstd level 1 with encryption on a busy core, weighed as one item.
#define EXPECTED_RATE 200e6
// The share of the link's rate that the encoder must be able to compress. Less wouldn't help much;
// and when it isn't the link that is slow but the processors, which the peer may share with us,
// they could compress less than half of what gets through (encryption takes a fifth of the time of
// compression, on either end): then compressing would only make it worse.
#define WORTH 0.75
#define INCOMPRESSIBLE 0.9
#define BACK_OFF_FIRST 1
#define BACK_OFF_MOST 8

void wire_tuner_init(struct wire_tuner *tuner, int compress) {
    *tuner = (struct wire_tuner){
        .compress = compress,
        .pack_bytes = WIRE_CHUNK,
        .pack_seconds = WIRE_CHUNK / EXPECTED_RATE,
    };
}

void wire_tuner_wrote(struct wire_tuner *tuner, size_t bytes, double seconds) {
    tuner->link_bytes += (double)bytes;
    tuner->link_seconds += seconds;
    if (tuner->link_bytes > MEMORY_BYTES && tuner->link_seconds > MEMORY_SECONDS) {
        tuner->link_bytes /= 2;
        tuner->link_seconds /= 2;
    }
}

void wire_tuner_packed(struct wire_tuner *tuner, size_t in, size_t out, double seconds) {
    tuner->pack_bytes += (double)in;
    tuner->pack_seconds += seconds;
    if (tuner->pack_bytes > MEMORY_BYTES) {
        tuner->pack_bytes /= 2;
        tuner->pack_seconds /= 2;
    }
    if ((double)out <= INCOMPRESSIBLE * (double)in) {
        tuner->back_off = 0;
        return;
    }
    tuner->back_off = tuner->back_off ? tuner->back_off * 2 : BACK_OFF_FIRST;
    if (tuner->back_off > BACK_OFF_MOST)
        tuner->back_off = BACK_OFF_MOST;
    tuner->skip = tuner->back_off;
}

// What is sent raw makes the measurements old: they fade towards the expectation, so that one bad
// moment doesn't rule compression out for good.
static void fade(struct wire_tuner *tuner) {
    const double keep = 63.0 / 64;
    tuner->pack_bytes = tuner->pack_bytes * keep + WIRE_CHUNK * (1 - keep);
    tuner->pack_seconds = tuner->pack_seconds * keep + WIRE_CHUNK / EXPECTED_RATE * (1 - keep);
}

static bool worth_it(const struct wire_tuner *tuner, size_t waiting, size_t length) {
    if (tuner->link_seconds <= 0)
        return false;
    double link = tuner->link_bytes / tuner->link_seconds;
    double packing = tuner->pack_bytes / tuner->pack_seconds;
    bool meanwhile = (double)waiting / link >= (double)length / packing;
    return meanwhile && packing > WORTH * link;
}

int wire_tuner_level(struct wire_tuner *tuner, size_t waiting, size_t length) {
    if (tuner->compress != WIRE_COMPRESS_AUTO)
        return tuner->compress;
    if (tuner->skip > 0) {
        tuner->skip--;
        return 0;
    }
    if (worth_it(tuner, waiting, length))
        return AUTO_LEVEL;
    fade(tuner);
    return 0;
}
