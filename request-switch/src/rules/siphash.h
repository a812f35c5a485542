// SPDX-License-Identifier: Apache-2.0
// SipHash-2-4 (Aumasson and Bernstein, 2012) of sixteen bytes: without the key nobody can aim a
// request at somebody else's slot.
#pragma once

#include "rule.h"

struct siphash_key {
    uint64_t k0, k1;
};

RULE uint64_t siphash_rotate(uint64_t value, int bits) {
    return value << bits | value >> (64 - bits);
}

RULE void siphash_round(uint64_t v[4]) {
    v[0] += v[1];
    v[1] = siphash_rotate(v[1], 13) ^ v[0];
    v[0] = siphash_rotate(v[0], 32);
    v[2] += v[3];
    v[3] = siphash_rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = siphash_rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = siphash_rotate(v[1], 17) ^ v[2];
    v[2] = siphash_rotate(v[2], 32);
}

RULE void siphash_word(uint64_t v[4], uint64_t word) {
    v[3] ^= word;
    siphash_round(v);
    siphash_round(v);
    v[0] ^= word;
}

// Of the two words' sixteen bytes, each word little-endian.
RULE uint64_t siphash(struct siphash_key key, uint64_t first, uint64_t second) {
    uint64_t v[4] = {key.k0 ^ 0x736f6d6570736575, key.k1 ^ 0x646f72616e646f6d,
                     key.k0 ^ 0x6c7967656e657261, key.k1 ^ 0x7465646279746573};
    siphash_word(v, first);
    siphash_word(v, second);
    siphash_word(v, (uint64_t)16 << 56);
    v[2] ^= 0xff;
    siphash_round(v);
    siphash_round(v);
    siphash_round(v);
    siphash_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
