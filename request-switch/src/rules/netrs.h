// SPDX-License-Identifier: Apache-2.0
// NetRS: its packets (section 5.1), what their magic field says (5.2, 5.3), a switch's rules for
// them (figure 3), and where a response comes from (5.4). In a datagram's payload, in network
// order:
//
//   request    RID 2, MF 6, RV 2, RGID 3, what the client asks
//   response   RID 2, MF 6, RV 2, SM 4, SSL 2, SS of SSL bytes, what the server answers
//
//   RID   the node that selects the replica, as the client's top-of-rack switch says
//   MF    what the packet is
//   RV    the selecting node's own, and back to it: here when it selected
//   RGID  the group of replicas; its last bits, one for each, say which are available
//   SM    of the server's top-of-rack switch: pod 2, rack 2
//   SS    the server's status; the paper leaves its format open. Here 6 bytes or more: requests
//   that
//         wait 2, the work's time 4 (us)
#pragma once

#include "rule.h"

enum {
    NETRS_RID = 0,
    NETRS_MF = 2,
    NETRS_RV = 8,
    NETRS_RGID = 10, // requests
    NETRS_REQUEST_BYTES = 13,
    NETRS_SM = 10, // responses
    NETRS_SSL = 14,
    NETRS_RESPONSE_BYTES = 16,
    NETRS_STATUS_BYTES = 6, // of SS, that are read
};

// Nobody's id. The paper's -1, and 0, for ids are positive.
enum { NETRS_ILLEGAL = 0xffff };

RULE bool netrs_is_legal(uint16_t rid) {
    return rid != 0 && rid != NETRS_ILLEGAL;
}

// --- the magic field ---

#define NETRS_M_REQ UINT64_C(0x4e6574525301)
#define NETRS_M_RESP UINT64_C(0x4e6574525302)
#define NETRS_M_MON UINT64_C(0x4e6574525303)
#define NETRS_M_DRS UINT64_C(0x4e6574525304)

// The paper's f, which is its own inverse here. A server answers f of what the request has.
#define NETRS_F(magic) ((magic) ^ UINT64_C(0x80))
_Static_assert(NETRS_F(NETRS_M_RESP) != NETRS_M_REQ && NETRS_F(NETRS_M_RESP) != NETRS_M_RESP,
               "what the selector has sent must be no NetRS packet any more");

enum netrs_kind {
    NETRS_OTHER,
    NETRS_REQUEST,           // M_req: on its way to the node that selects
    NETRS_SELECTED,          // f(M_resp): on its way to the replica
    NETRS_DEGRADED,          // f(M_drs): on its way to the replica that the client named
    NETRS_RESPONSE,          // M_resp: on its way to the node that selected
    NETRS_DEGRADED_RESPONSE, // M_drs: of a request that nobody selected for
    NETRS_COUNTED,           // M_mon: a response on its way to the client, and to its monitor
    NETRS_KINDS
};

RULE enum netrs_kind netrs_kind(uint64_t magic) {
    if (magic == NETRS_M_REQ)
        return NETRS_REQUEST;
    if (magic == NETRS_F(NETRS_M_RESP))
        return NETRS_SELECTED;
    if (magic == NETRS_F(NETRS_M_DRS))
        return NETRS_DEGRADED;
    if (magic == NETRS_M_RESP)
        return NETRS_RESPONSE;
    if (magic == NETRS_M_DRS)
        return NETRS_DEGRADED_RESPONSE;
    return magic == NETRS_M_MON ? NETRS_COUNTED : NETRS_OTHER;
}

RULE bool netrs_is_response(enum netrs_kind kind) {
    return kind >= NETRS_RESPONSE && kind < NETRS_KINDS;
}

// --- fields ---

RULE uint16_t netrs_word(const uint8_t *head, uint32_t at) {
    return (uint16_t)(head[at] << 8 | head[at + 1]);
}

RULE void netrs_set_word(uint8_t *head, uint32_t at, uint16_t value) {
    head[at] = (uint8_t)(value >> 8);
    head[at + 1] = (uint8_t)value;
}

RULE uint64_t netrs_magic(const uint8_t *head) {
    return (uint64_t)netrs_word(head, NETRS_MF) << 32 |
           (uint64_t)netrs_word(head, NETRS_MF + 2) << 16 | netrs_word(head, NETRS_MF + 4);
}

RULE void netrs_set_magic(uint8_t *head, uint64_t magic) {
    netrs_set_word(head, NETRS_MF, (uint16_t)(magic >> 32));
    netrs_set_word(head, NETRS_MF + 2, (uint16_t)(magic >> 16));
    netrs_set_word(head, NETRS_MF + 4, (uint16_t)magic);
}

// The group's number, and a bit for each of its replicas that is available.
struct netrs_group {
    uint32_t number, available;
};

RULE struct netrs_group netrs_group(const uint8_t *head, uint32_t replicas) {
    uint32_t id = (uint32_t)netrs_word(head, NETRS_RGID) << 8 | head[NETRS_RGID + 2];
    return (struct netrs_group){id >> replicas, id & ((1u << replicas) - 1)};
}

RULE uint32_t netrs_marker(const uint8_t *head) {
    return (uint32_t)netrs_word(head, NETRS_SM) << 16 | netrs_word(head, NETRS_SM + 2);
}

RULE void netrs_set_marker(uint8_t *head, uint32_t marker) {
    netrs_set_word(head, NETRS_SM, (uint16_t)(marker >> 16));
    netrs_set_word(head, NETRS_SM + 2, (uint16_t)marker);
}

struct netrs_status {
    uint32_t queue;
    uint32_t service_us; // 0: it doesn't tell
};

RULE struct netrs_status netrs_status(const uint8_t *bytes) {
    return (struct netrs_status){netrs_word(bytes, 0),
                                 (uint32_t)netrs_word(bytes, 2) << 16 | netrs_word(bytes, 4)};
}

// --- a switch's rules ---

enum netrs_step {
    NETRS_PASS,    // as any packet
    NETRS_SELECT,  // this is the request's node
    NETRS_LEARN,   // this is the response's node
    NETRS_TOWARDS, // to the next hop towards the node
    NETRS_DEGRADE, // to the replica that the client named
    NETRS_RELEASE, // to the client without its node
    NETRS_STEPS
};

// What is done with a packet without a way to its node: never is it lost.
RULE enum netrs_step netrs_without_node(enum netrs_kind kind) {
    return kind == NETRS_REQUEST ? NETRS_DEGRADE : NETRS_RELEASE;
}

// `mine`: this switch's id.
RULE enum netrs_step netrs_rule(enum netrs_kind kind, uint16_t rid, uint16_t mine) {
    if (kind != NETRS_REQUEST && kind != NETRS_RESPONSE)
        return NETRS_PASS;
    if (!netrs_is_legal(rid))
        return netrs_without_node(kind);
    if (rid != mine)
        return NETRS_TOWARDS;
    return kind == NETRS_REQUEST ? NETRS_SELECT : NETRS_LEARN;
}

// What a top-of-rack switch writes into a packet that one of its hosts sends. `rid` is the id of
// the host's group, or NETRS_ILLEGAL. Returns the packet's kind from here on.
RULE enum netrs_kind netrs_enter(uint8_t *head, enum netrs_kind kind, uint16_t rid,
                                 uint32_t marker) {
    if (kind == NETRS_REQUEST)
        netrs_set_word(head, NETRS_RID, rid);
    if (kind == NETRS_RESPONSE || kind == NETRS_DEGRADED_RESPONSE)
        netrs_set_marker(head, marker);
    if (kind != NETRS_DEGRADED_RESPONSE)
        return kind;
    netrs_set_magic(head, NETRS_M_MON);
    return NETRS_COUNTED;
}

// --- the monitor ---

// The highest tier that a packet between two top-of-rack switches passes.
enum netrs_tier { NETRS_CORE, NETRS_AGGREGATION, NETRS_TOR, NETRS_TIERS };

RULE enum netrs_tier netrs_tier(uint32_t marker, uint32_t mine) {
    if (marker == mine)
        return NETRS_TOR;
    return marker >> 16 == mine >> 16 ? NETRS_AGGREGATION : NETRS_CORE;
}
