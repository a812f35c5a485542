// SPDX-License-Identifier: Apache-2.0
// Which two servers: a random ordered pair, as NetClone's group table has them (section 3.3): the
// first is uniform, for it also gets what isn't cloned. Servers are bits of a mask.
#pragma once

#include "rule.h"

enum { PAIR_NONE = -1 };

struct pair {
    int first, second; // numbers of bits; PAIR_NONE
};

RULE uint32_t count_bits(uint32_t mask) {
    mask = mask - (mask >> 1 & 0x55555555);
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333);
    return (((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101) >> 24;
}

// The number of the nth bit, counted from 0, that is set. There must be so many.
RULE int nth_bit(uint32_t mask, uint32_t n) {
    if ((mask & (mask + 1)) == 0) // all of the lowest: no server is drained or suspect
        return (int)n;
    int number = 0;
    for (int width = 16; width > 0; width /= 2) {
        uint32_t below = count_bits(mask & ((1u << width) - 1));
        uint32_t above = (below - n - 1) >> 31; // 1: it isn't among them
        n -= below & (0u - above);
        mask >>= (uint32_t)width * above;
        number += width * (int)above;
    }
    return number;
}

// `random` is uniform; its halves are used, so that the bias is below 2^-11 of 32 servers.
RULE struct pair pick_pair(uint32_t mask, uint32_t random) {
    struct pair pair = {PAIR_NONE, PAIR_NONE};
    uint32_t count = count_bits(mask);
    if (count == 0)
        return pair;
    uint32_t first = (random & 0xffff) * count >> 16;
    uint32_t second = (random >> 16) * (count - 1) >> 16; // of those that are left
    pair.first = nth_bit(mask, first);
    if (count > 1)
        pair.second = nth_bit(mask, second + (second >= first));
    return pair;
}

// The server of a flow, the same as long as it is in the mask, whatever becomes of the others
// (rendezvous hashing; Thaler and Ravishankar, 1998). PAIR_NONE: an empty mask.
RULE int pick_for_flow(uint32_t mask, uint64_t flow) {
    int best = PAIR_NONE;
    uint64_t best_score = 0;
    for (int i = 0; i < 32; i++) {
        // The finalizer of MurmurHash3.
        uint64_t score = flow + (uint64_t)(i + 1) * 0x9e3779b97f4a7c15;
        score = (score ^ score >> 33) * 0xff51afd7ed558ccd;
        score = (score ^ score >> 33) * 0xc4ceb9fe1a85ec53;
        score ^= score >> 33;
        if ((mask >> i & 1) != 0 && (best == PAIR_NONE || score > best_score)) {
            best = i;
            best_score = score;
        }
    }
    return best;
}
