// SPDX-License-Identifier: Apache-2.0
// What the agent's program and the tool tell each other in maps.
#pragma once

#include "rule.h"

enum { AGENT_PORTS = 8, AGENT_CLIENTS = 16 };

struct agent_place {
    uint32_t interface; // 0: nowhere
    uint32_t made_qdisc;
};

// Written by the tool, replaced as a whole. Addresses and ports are in network order.
struct agent_rules {
    struct agent_place at;
    struct agent_place before; // where it is until it is known to work there
    uint32_t port_count;
    uint32_t client_count;
    uint16_t ports[AGENT_PORTS];
    struct {
        uint32_t address, mask;
    } clients[AGENT_CLIENTS];
};

// Per processor.
struct agent_counters {
    uint64_t answers;
    uint64_t told;    // of them, with the queue's length
    uint64_t empty;   // of these, with none waiting
    uint64_t clones;  // that came
    uint64_t dropped; // of them, for others waited
};
