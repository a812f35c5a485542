// SPDX-License-Identifier: Apache-2.0
// What NetRS' program on a switch and the tool tell each other in maps: a NetRS operator. Addresses
// and ports are in network order.
#pragma once

#include "netrs.h"
#include "selector.h"

enum {
    OPERATOR_PORTS = 64,
    OPERATOR_NAME = 32,
    OPERATOR_NODES = 4096,   // operators that there are
    OPERATOR_SERVERS = 1024, // of the data store
    OPERATOR_GROUPS = 4096,  // of replicas
    OPERATOR_CLIENTS = 256,  // traffic groups, of a top-of-rack switch
};

// Written by the tool.
struct operator_settings {
    char name[OPERATOR_NAME];
    uint16_t rid;
    uint16_t port;     // of the data store
    uint32_t marker;   // of a top-of-rack switch
    uint32_t replicas; // of each group; bits of RGID
    uint32_t nodes;    // that select: C3's w
    uint64_t since;    // boot time, ns: the plan's, from which on the monitor counts
    uint32_t port_count;
    struct {
        uint32_t interface;
        uint16_t made_qdisc;
        uint16_t is_to_host;
    } ports[OPERATOR_PORTS];
};

struct operator_replicas {
    uint32_t count;
    uint32_t servers[SELECTOR_REPLICAS]; // numbers
};

// A traffic group, by its clients' addresses.
struct operator_prefix {
    uint32_t bits;
    uint32_t address;
};
struct operator_client {
    uint32_t rid;
    uint32_t number; // of its counters
};

// Per processor.
struct operator_counters {
    uint64_t came[NETRS_KINDS]; // packets of the data store, by what they were when they came
    uint64_t steps[NETRS_STEPS];
    uint64_t no_way; // of those degraded and released: the node couldn't be reached
    uint64_t
        no_replicas; // of those degraded: the group of replicas isn't known, or none is available
};

struct operator_monitor {
    uint64_t responses[NETRS_TIERS];
};
