// SPDX-License-Identifier: Apache-2.0
// The commands. Each returns an exit code's failure, or 0.
#pragma once

#include "agent.h"
#include "failure.h"

struct options {
    const char *pins;             // directory
    const char *config;           // check, up
    const char *service, *server; // drain; trace: the service, or NULL
    bool json, prometheus, watch, help;
    uint32_t events;                // trace: how many
    uint32_t time_limit;            // drain: seconds
    const char *action, *interface; // agent; netrs: the action
    const char *file;               // netrs: the configuration, or the plan
    uint32_t ports[AGENT_PORTS];
    const char *clients[AGENT_CLIENTS];
    uint32_t port_count, client_count;
};

int command_agent(const struct options *options, struct failure *failure);
int command_netrs(const struct options *options, struct failure *failure);
int command_check(const struct options *options, struct failure *failure);
int command_up(const struct options *options, struct failure *failure);
int command_down(const struct options *options, struct failure *failure);
int command_drain(const struct options *options, struct failure *failure);
int command_status(const struct options *options, struct failure *failure);
int command_trace(const struct options *options, struct failure *failure);
