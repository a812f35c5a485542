// SPDX-License-Identifier: Apache-2.0
// What agents and switches tell each other: a few bytes behind a UDP datagram's payload, in the
// area that the IP header counts and the UDP header doesn't (RFC 9868). Neither end of the
// conversation sees them: stock kernels cut them off.
//
// It is one option of that RFC, of the kind for experiments, behind the place of the options'
// checksum. What stands there makes all of the trailer sum up to zero, and not what the RFC would
// have: an interface that completes a UDP checksum counts the trailer in. For the RFC's readers the
// checksum is wrong, and they ignore the options, as they must.
#pragma once

#include "checksum.h"

enum {
    TRAILER_KIND = 127, // EXP
    TRAILER_ID = 0xc10e,
    TRAILER_VERSION = 1,
    TRAILER_BYTES = 10,
    TRAILER_MOST = TRAILER_BYTES + 1, // behind an odd payload a zero comes first
};

enum trailer_what {
    TRAILER_NONE,
    TRAILER_QUEUE, // of an agent: as many requests wait in the server's socket
    TRAILER_CLONE, // of a switch: this is a clone
};

struct trailer {
    enum trailer_what what;
    uint16_t queue;
};

struct trailer_wire {
    uint16_t balance;
    uint8_t kind, length;
    uint8_t id[2];
    uint8_t version, what;
    uint8_t queue[2];
} __attribute__((aligned(2)));
_Static_assert(sizeof(struct trailer_wire) == TRAILER_BYTES, "no padding");

// The sum of it, as it lies there: zero or all ones when it is whole.
RULE uint16_t trailer_sum(const struct trailer_wire *wire) {
    const uint16_t __attribute__((may_alias)) *halves = (const void *)wire;
    uint32_t sum = 0;
    for (size_t i = 0; i < TRAILER_BYTES / 2; i++)
        sum += halves[i];
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)((sum & 0xffff) + (sum >> 16));
}

RULE struct trailer_wire trailer_write(struct trailer trailer) {
    struct trailer_wire wire = {.kind = TRAILER_KIND,
                                .length = TRAILER_BYTES - sizeof wire.balance,
                                .id = {TRAILER_ID >> 8, TRAILER_ID & 0xff},
                                .version = TRAILER_VERSION,
                                .what = (uint8_t)trailer.what,
                                .queue = {(uint8_t)(trailer.queue >> 8), (uint8_t)trailer.queue}};
    wire.balance = (uint16_t)~trailer_sum(&wire);
    return wire;
}

// TRAILER_NONE: it is something else, or broken.
RULE struct trailer trailer_read(const struct trailer_wire *wire) {
    struct trailer trailer = {TRAILER_NONE, 0};
    uint16_t sum = trailer_sum(wire);
    if ((sum != 0xffff && sum != 0) || wire->kind != TRAILER_KIND ||
        wire->length != TRAILER_BYTES - sizeof wire->balance || wire->id[0] != TRAILER_ID >> 8 ||
        wire->id[1] != (TRAILER_ID & 0xff) || wire->version != TRAILER_VERSION ||
        (wire->what != TRAILER_QUEUE && wire->what != TRAILER_CLONE))
        return trailer;
    trailer.what = (enum trailer_what)wire->what;
    trailer.queue = (uint16_t)(wire->queue[0] << 8 | wire->queue[1]);
    return trailer;
}
