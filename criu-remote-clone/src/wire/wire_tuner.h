// SPDX-License-Identifier: Apache-2.0
// Decides, item by item, whether compressing is worth it. No clock and no locks of its own.
//
// Measured are the rate at which the socket takes bytes whenever there are some to send, and the
// rate at which the encoder compresses. An item is compressed while the link has enough to do
// meanwhile with what is encoded already: so the link never waits for the compressor, and the
// compressor uses the time that the link leaves it. On a link that is fast enough, nothing is
// compressed, not even to try.
#pragma once

#include "standard.h"

struct wire_tuner {
    int compress;                    // enum wire_compress or a level
    double link_bytes, link_seconds; // recent writes: their quotient is the link's rate
    double pack_bytes, pack_seconds; // recent compressions: bytes in and time
    unsigned skip;                   // items to send raw because the last one didn't compress
    unsigned back_off;               // the length of the last such pause
};

void wire_tuner_init(struct wire_tuner *tuner, int compress);

// `bytes` went to the socket, which took them in `seconds`.
void wire_tuner_wrote(struct wire_tuner *tuner, size_t bytes, double seconds);

// zstd made `out` of `in` bytes; compressing and encrypting together took `seconds`.
void wire_tuner_packed(struct wire_tuner *tuner, size_t in, size_t out, double seconds);

// The zstd level for the next item, of `length` bytes, when `waiting` encoded bytes are still to be
// written. 0: raw.
int wire_tuner_level(struct wire_tuner *tuner, size_t waiting, size_t length);
