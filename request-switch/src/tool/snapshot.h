// SPDX-License-Identifier: Apache-2.0
// All that the switch has counted, read at one time and summed over processors.
#pragma once

#include "pins.h"

struct server_snapshot {
    uint32_t number;
    struct server_rules rules;
    struct server_state state;
    struct server_counters counters;
    bool drained, suspect;
    uint64_t suspected_ns; // up to now
};

struct service_snapshot {
    struct service_rules rules;
    struct service_counters counters;
    struct server_snapshot servers[SERVERS_EACH];
    uint32_t server_count;
};

struct snapshot {
    struct settings settings;
    bool attached[PORTS]; // whether the settings' ports have their programs still
    struct service_snapshot services[ADDRESSES];
    int service_count;
};

// NULL with a failure; the caller frees it.
struct snapshot *snapshot_take(const struct pins *pins, struct failure *failure);

// The time in us that so many hundredths of the histogram's entries are below; 0: it is empty.
uint64_t histogram_quantile(const uint64_t histogram[HISTOGRAM], double share);
uint64_t histogram_count(const uint64_t histogram[HISTOGRAM]);

// A reason's name in JSON and metrics ("busy"), and in words.
const char *reason_name(uint32_t reason);
const char *reason_words(uint32_t reason);
