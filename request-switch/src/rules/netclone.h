// SPDX-License-Identifier: Apache-2.0
// NetClone's own header (section 3.2), as its authors' published programs have it: seven words of
// 32 bits in front of the payload, in network order. For services whose clients and servers speak
// it.
//
//   op    0 read, 1 its answer, 2 write, 3 its answer
//   seq   the request's id, which the switch gives
//   grp   the ordered pair of servers that the client asks for, from 1; here 0 leaves it to the
//   switch sid   in a cloned request the second server, in an answer the one that answers; from 0
//   load  in an answer: how many requests wait at the server
//   clo   0 not cloned, 1 the original of a cloned request, 2 the clone, which a busy server drops
//   tidx  which of the hardware's filter tables: there is one here
#pragma once

#include "pairs.h"

enum {
    NETCLONE_OP = 0,
    NETCLONE_SEQ = 4,
    NETCLONE_GRP = 8,
    NETCLONE_SID = 12,
    NETCLONE_LOAD = 16,
    NETCLONE_CLO = 20,
    NETCLONE_BYTES = 28,
};

enum { NETCLONE_READ, NETCLONE_READ_ANSWER, NETCLONE_WRITE, NETCLONE_WRITE_ANSWER };

// The ids wrap, and 0 is none.
enum { NETCLONE_IDS = 100000000 };

RULE uint32_t netclone_id(uint32_t count) {
    return count % NETCLONE_IDS + 1;
}

// The pair of a group, of servers 0 to count - 1: first those with the smaller number first, in
// their order, then the same ones the other way round. PAIR_NONE: there is no such group.
RULE struct pair netclone_group(uint32_t group, uint32_t count) {
    struct pair pair = {PAIR_NONE, PAIR_NONE};
    uint32_t half = count * (count - 1) / 2;
    if (count < 2 || count > 32 || group == 0 || group > 2 * half)
        return pair;
    bool turned = group > half;
    uint32_t left = group - 1 - (turned ? half : 0);
    for (uint32_t first = 0; first < 31; first++) {
        uint32_t pairs = count - 1 - first; // that begin with it
        if (left < pairs) {
            int low = (int)first, high = (int)(first + 1 + left);
            return turned ? (struct pair){high, low} : (struct pair){low, high};
        }
        left -= pairs;
    }
    return pair;
}
