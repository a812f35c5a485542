// SPDX-License-Identifier: Apache-2.0
// One 64-bit word for a request that is under way, and all that can happen to it. It is written
// when the request comes, for 16-bit ids are soon used again, and changed by compare-and-swap only.
//
//   I1  an answer is dropped only if another server's answer to the same request was forwarded
//   since
//       that request.
//   I2  of two servers' answers at most one is forwarded while the word lives.
//   I3  a server's outstanding requests are the live words in which it owes an answer that is
//   counted
//       on.
// NetClone's filter (section 3.4, "Response filtering") has an entry only from the first answer on,
// and knows no servers: a long answer's datagrams may come from both. Here the winner takes all.
#pragma once

#include "rule.h"

typedef uint64_t slot_word; // 0: free

enum {
    SLOT_NOBODY = 0, // no server has this number
    SLOT_SERVERS = 1024,
    SLOT_TICKS = 256,     // a tick's number wraps
    SLOT_LIFE = 125,      // ticks until a word has expired: with SLOT_TICK_SHIFT about 8 s
    SLOT_AHEAD = 16,      // so many ticks before its number comes again a word is no old one
    SLOT_TICK_SHIFT = 26, // of nanoseconds: 67 ms a tick
};

// fingerprint 31 | b optional 1 | tick 8 | a 10 | b 10 | a answered 1 | b answered 1 | winner 2 (1:
// a, 2: b)
enum {
    SLOT_WINNER_A = 1,
    SLOT_WINNER_B = 2,
    SLOT_WINNER = 3,
    SLOT_B_ANSWERED = 4,
    SLOT_A_ANSWERED = 8
};

// The clone may be dropped on its way, at a server that is busy: nobody counts on its answer.
#define SLOT_B_OPTIONAL (UINT64_C(1) << 32)

enum slot_verdict {
    SLOT_STRANGER, // the word is of another request, or of other servers: forward
    SLOT_WON,      // the first answer: forward
    SLOT_MORE,     // the winner's next datagram: forward
    SLOT_LOST,     // the other one has won: drop
};

struct slot_answer {
    slot_word word; // afterwards
    enum slot_verdict verdict;
    bool first;   // this server no longer owes an answer
    bool counted; // and it was counted on
};

RULE uint32_t slot_tick(uint64_t nanoseconds) {
    return (uint32_t)(nanoseconds >> SLOT_TICK_SHIFT) % SLOT_TICKS;
}

RULE uint32_t slot_a(slot_word word) {
    return (uint32_t)(word >> 14) % SLOT_SERVERS;
}

RULE uint32_t slot_b(slot_word word) {
    return (uint32_t)(word >> 4) % SLOT_SERVERS;
}

// A request has gone to server a, and if b isn't SLOT_NOBODY its clone to b.
RULE slot_word slot_asked(uint32_t fingerprint, uint32_t tick, uint32_t a, uint32_t b) {
    return (uint64_t)fingerprint << 33 | (uint64_t)(tick % SLOT_TICKS) << 24 | (uint64_t)a << 14 |
           (uint64_t)b << 4;
}

RULE bool slot_is_of(slot_word word, uint32_t fingerprint) {
    return word != 0 && word >> 33 == (fingerprint & INT32_MAX);
}

// The servers that haven't answered yet; SLOT_NOBODY: none.
RULE uint32_t slot_a_owes(slot_word word) {
    return word & SLOT_A_ANSWERED ? SLOT_NOBODY : slot_a(word);
}

RULE uint32_t slot_b_owes(slot_word word) {
    return word & SLOT_B_ANSWERED ? SLOT_NOBODY : slot_b(word);
}

// The same, if it is counted on.
RULE uint32_t slot_b_counted(slot_word word) {
    return word & SLOT_B_OPTIONAL ? SLOT_NOBODY : slot_b_owes(word);
}

// The server that has won; SLOT_NOBODY: none yet.
RULE uint32_t slot_winner(slot_word word) {
    switch (word & SLOT_WINNER) {
    case SLOT_WINNER_A:
        return slot_a(word);
    case SLOT_WINNER_B:
        return slot_b(word);
    default:
        return SLOT_NOBODY;
    }
}

// A word may have been written after the clock was read for this: then it seems to be as old as a
// word can be. One that is really old is looked at long before.
RULE bool slot_expired(slot_word word, uint32_t tick) {
    uint32_t age = (tick - (uint32_t)(word >> 24)) % SLOT_TICKS;
    return word != 0 && age >= SLOT_LIFE && age < SLOT_TICKS - SLOT_AHEAD;
}

// A datagram of an answer has come from a server.
RULE struct slot_answer slot_answered(slot_word word, uint32_t fingerprint, uint32_t server) {
    struct slot_answer result = {word, SLOT_STRANGER, false, false};
    bool is_a = server == slot_a(word);
    if (!slot_is_of(word, fingerprint) || server == SLOT_NOBODY ||
        (!is_a && server != slot_b(word)))
        return result;
    slot_word answered = is_a ? SLOT_A_ANSWERED : SLOT_B_ANSWERED;
    slot_word mine = is_a ? SLOT_WINNER_A : SLOT_WINNER_B;
    result.first = (word & answered) == 0;
    result.counted = result.first && (is_a || (word & SLOT_B_OPTIONAL) == 0);
    result.word |= answered;
    if ((word & SLOT_WINNER) == 0) {
        result.word |= mine;
        result.verdict = SLOT_WON;
    } else {
        result.verdict = (word & SLOT_WINNER) == mine ? SLOT_MORE : SLOT_LOST;
    }
    return result;
}
