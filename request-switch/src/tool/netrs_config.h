// SPDX-License-Identifier: Apache-2.0
// A NetRS operator's configuration, and a plan of replica-plan's: JSON files, of which every word
// is checked. docs/replica-selection.md is their reference. All fail with EXIT_CONFIG.
#pragma once

#include <net/if.h>

#include "config.h"
#include "failure.h"
#include "operator.h"

struct netrs_node {
    uint32_t rid, address;
};

struct netrs_replicas {
    uint32_t number;
    struct operator_replicas members;
};

struct netrs_config {
    struct operator_settings settings; // without the interfaces' numbers
    char ports[OPERATOR_PORTS][IF_NAMESIZE];
    struct netrs_node nodes[OPERATOR_NODES];
    uint32_t node_count;
    uint32_t servers[OPERATOR_SERVERS]; // addresses
    uint32_t server_count;
    struct netrs_replicas replicas[OPERATOR_GROUPS];
    uint32_t replicas_count;
};

struct netrs_config *netrs_config_read(const char *path, struct failure *failure);
struct netrs_config *netrs_config_parse(const char *text, size_t length, struct failure *failure);

// What a plan says for one switch.
struct netrs_plan {
    uint32_t nodes; // that select
    struct {
        struct config_prefix prefix;
        uint16_t rid; // NETRS_ILLEGAL: degraded
    } clients[OPERATOR_CLIENTS];
    uint32_t client_count;
};

int netrs_plan_read(const char *path, const char *name, struct netrs_plan *plan,
                    struct failure *failure);
int netrs_plan_parse(const char *text, size_t length, const char *name, struct netrs_plan *plan,
                     struct failure *failure);
