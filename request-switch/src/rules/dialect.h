// SPDX-License-Identifier: Apache-2.0
// What the protocols' own headers tell: a request's id, and whether it is a read for certain. Only
// what is proved to be one may be cloned; a payload is a stranger's.
#pragma once

#include "netclone.h"
#include "rule.h"

enum dialect { DIALECT_FLOW, DIALECT_DNS, DIALECT_KERBEROS, DIALECT_MEMCACHED, DIALECT_NETCLONE };

// How much of a payload is looked at, a power of two. What is longer is no read where more of it
// would have to be seen.
enum { DIALECT_BYTES = 512, PAYLOAD_ALIGNMENT = 8 };

struct payload {
    const uint8_t *bytes; // DIALECT_BYTES of them can be read, aligned to PAYLOAD_ALIGNMENT
    uint32_t seen;        // how many of them are the payload's, at most DIALECT_BYTES
    uint32_t length;      // of the whole payload
};

struct reading {
    uint32_t id;  // 0, where the client's port has to do
    bool has_id;  // there is an id where there has to be one: the answer will be recognized
    bool is_read; // asks only, and asking twice changes nothing
};

// The mask is for the kernel's verifier.
RULE uint8_t payload_byte(const struct payload *payload, uint32_t at) {
    return payload->bytes[at & (DIALECT_BYTES - 1)];
}

RULE uint32_t payload_u16(const struct payload *payload, uint32_t at) {
    return (uint32_t)payload_byte(payload, at) << 8 | payload_byte(payload, at + 1);
}

RULE uint32_t payload_u32(const struct payload *payload, uint32_t at) {
    return payload_u16(payload, at) << 16 | payload_u16(payload, at + 2);
}

// --- DNS (RFC 1035, section 4.1) ---

enum { DNS_HEADER = 12, DNS_LABELS = 128, DNS_TKEY = 249, DNS_IXFR = 251, DNS_AXFR = 252 };

// A standard query with one question, which isn't for a zone's transfer, nor for a key that its
// server is to make (RFC 2930). OPT and TSIG may follow.
RULE bool dns_is_query(const struct payload *payload) {
    uint32_t flags = payload_u16(payload, 2);
    bool query = (flags & 0xf800) == 0; // QR, and the operation QUERY
    if (!query || payload_u16(payload, 4) != 1 || payload_u16(payload, 6) != 0 ||
        payload_u16(payload, 8) != 0 || payload_u16(payload, 10) > 2)
        return false;
    uint32_t at = DNS_HEADER;
    for (int label = 0; label < DNS_LABELS; label++) {
        if (at >= payload->seen || at >= DIALECT_BYTES)
            return false;
        uint32_t length = payload_byte(payload, at);
        at++;
        if (length == 0) {
            if (at + 4 > payload->seen)
                return false;
            uint32_t type = payload_u16(payload, at);
            return type != DNS_TKEY && type != DNS_IXFR && type != DNS_AXFR;
        }
        if (length > 63) // compressed: no question is
            return false;
        at += length;
    }
    return false;
}

RULE struct reading dns_request(const struct payload *payload) {
    if (payload->seen < DNS_HEADER || (payload_byte(payload, 2) & 0x80) != 0)
        return (struct reading){0, false, false};
    return (struct reading){payload_u16(payload, 0), true, dns_is_query(payload)};
}

RULE struct reading dns_answer(const struct payload *payload) {
    bool is_answer = payload->seen >= DNS_HEADER && (payload_byte(payload, 2) & 0x80) != 0;
    return (struct reading){is_answer ? payload_u16(payload, 0) : 0, is_answer, false};
}

// --- Kerberos (RFC 4120, section 5.4; DER) ---

enum { KERBEROS_AS = 10, KERBEROS_TGS = 12 };

// Reads a DER length at *at and moves on; false: it isn't one of up to 65535 in definite form.
RULE bool der_length(const struct payload *payload, uint32_t *at, uint32_t *length) {
    uint32_t first = payload_byte(payload, *at);
    uint32_t more = first & 0x80 ? first & 0x7f : 0;
    *length = first;
    if (more == 1)
        *length = payload_byte(payload, *at + 1);
    else if (more == 2)
        *length = payload_u16(payload, *at + 1);
    else if (first & 0x80)
        return false;
    *at += 1 + more;
    return true;
}

// [APPLICATION tag] SEQUENCE { [1] 5, [2] tag, ... }, and it is as long as it says: an AS-REQ or a
// TGS-REQ. Clients themselves send those again to the next KDC. The client's port is the id.
RULE bool kerberos_is_request(const struct payload *payload) {
    enum { LONGEST_HEAD = 18 };
    uint32_t at = 1, length;
    if (payload->seen < LONGEST_HEAD)
        return false;
    uint32_t tag = payload_byte(payload, 0) - 0x60u;
    if ((tag != KERBEROS_AS && tag != KERBEROS_TGS) || !der_length(payload, &at, &length) ||
        at + length != payload->length || payload_byte(payload, at++) != 0x30 ||
        !der_length(payload, &at, &length) || at + length != payload->length)
        return false;
    return payload_u32(payload, at) == 0xa1030201 && payload_byte(payload, at + 4) == 5 &&
           payload_u32(payload, at + 5) == 0xa2030201 && payload_byte(payload, at + 9) == tag;
}

// --- memcached's UDP frames and its text protocol (doc/protocol.txt) ---

enum { MEMCACHED_FRAME = 8 };

// Whether there is a control character from `at`, a multiple of eight, up to `end`. Eight bytes at
// a time: a byte less than a blank borrows into its highest bit, which it hasn't set itself.
RULE bool payload_has_control(const struct payload *payload, uint32_t at, uint32_t end) {
    typedef uint64_t __attribute__((may_alias)) word_of_bytes;
    const uint64_t blanks = 0x2020202020202020, highest = 0x8080808080808080;
    uint64_t found = 0;
    for (; at < DIALECT_BYTES && at < end; at += 8) {
        uint64_t word = *(const word_of_bytes *)(payload->bytes + at);
        if (end - at < 8) // blanks behind the end
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            word |= blanks << (8 * (end - at));
#else
            word |= blanks >> (8 * (end - at));
#endif
        found |= (word - blanks) & ~word & highest;
    }
    return found != 0;
}

// One datagram, and in it nothing but one "get" or "gets" line. A line more could be a "set".
RULE bool memcached_is_get(const struct payload *payload) {
    uint32_t seen = payload->seen;
    if (payload->length != seen || seen < MEMCACHED_FRAME + sizeof "get k\r\n" - 1 ||
        payload_u16(payload, 2) != 0 || payload_u16(payload, 4) != 1 ||
        payload_u16(payload, 6) != 0 || payload_u32(payload, 8) >> 8 != 0x676574) // "get"
        return false;
    uint32_t at = payload_byte(payload, 11) == 's' ? 12 : 11;
    return payload_byte(payload, at) == ' ' && payload_u16(payload, seen - 2) == 0x0d0a &&
           !payload_has_control(payload, MEMCACHED_FRAME, seen - 2);
}

RULE struct reading memcached_request(const struct payload *payload) {
    bool framed = payload->seen >= MEMCACHED_FRAME;
    return (struct reading){framed ? payload_u16(payload, 0) : 0, framed,
                            memcached_is_get(payload)};
}

RULE struct reading memcached_answer(const struct payload *payload) {
    bool framed = payload->seen >= MEMCACHED_FRAME;
    return (struct reading){framed ? payload_u16(payload, 0) : 0, framed, false};
}

// --- NetClone's own header ---

// The id is the switch's to give.
RULE struct reading netclone_request(const struct payload *payload) {
    uint32_t op = payload_u32(payload, NETCLONE_OP);
    bool ours = payload->seen >= NETCLONE_BYTES && (op == NETCLONE_READ || op == NETCLONE_WRITE);
    return (struct reading){0, ours, ours && op == NETCLONE_READ};
}

RULE struct reading netclone_answer(const struct payload *payload) {
    uint32_t op = payload_u32(payload, NETCLONE_OP);
    bool ours = payload->seen >= NETCLONE_BYTES &&
                (op == NETCLONE_READ_ANSWER || op == NETCLONE_WRITE_ANSWER);
    return (struct reading){ours ? payload_u32(payload, NETCLONE_SEQ) : 0, ours, false};
}

// --- all of them ---

// `idempotent`: the operator's word that every request of a service without a dialect is a read.
RULE struct reading dialect_request(enum dialect dialect, bool idempotent,
                                    const struct payload *payload) {
    switch (dialect) {
    case DIALECT_DNS:
        return dns_request(payload);
    case DIALECT_KERBEROS:
        return (struct reading){0, true, kerberos_is_request(payload)};
    case DIALECT_MEMCACHED:
        return memcached_request(payload);
    case DIALECT_NETCLONE:
        return netclone_request(payload);
    case DIALECT_FLOW:
        return (struct reading){0, true, idempotent};
    default:
        return (struct reading){0, false, false};
    }
}

// An answer's id.
RULE struct reading dialect_answer(enum dialect dialect, const struct payload *payload) {
    switch (dialect) {
    case DIALECT_DNS:
        return dns_answer(payload);
    case DIALECT_MEMCACHED:
        return memcached_answer(payload);
    case DIALECT_NETCLONE:
        return netclone_answer(payload);
    case DIALECT_KERBEROS:
    case DIALECT_FLOW:
        return (struct reading){0, true, false};
    default:
        return (struct reading){0, false, false};
    }
}
