// SPDX-License-Identifier: Apache-2.0
// The configuration: a JSON file, of which every word is checked. docs/request-cloning.md is its
// reference.
#pragma once

#include <net/if.h>

#include "failure.h"
#include "layout.h"

enum { CLIENT_PREFIXES = 1024 };

struct config_server {
    struct endpoint at;
    uint16_t workers; // requests that it works on at once
};

struct config_service {
    char name[NAME_BYTES];
    struct endpoint at;
    enum dialect dialect;
    enum policy policy;
    enum clone_rule clone;
    enum state_rule state;
    bool idempotent;
    uint32_t budget; // BUDGET_OFF, or clones per hundred reads
    struct config_server servers[SERVERS_EACH];
    uint32_t server_count;
};

struct config_prefix {
    uint32_t address; // in network order
    uint32_t bits;
};

struct config {
    enum where where;
    uint32_t slots; // a power of two
    bool filter;    // slower answers are dropped
    char ports[PORTS][IF_NAMESIZE];
    uint32_t port_count;
    struct config_prefix clients[CLIENT_PREFIXES];
    uint32_t client_count;
    struct config_service services[SERVICES - 1];
    uint32_t service_count;
};

// Reads a file, or text of a length (tests, the fuzzer). Both fail with EXIT_CONFIG.
struct config *config_read(const char *path, struct failure *failure);
struct config *config_parse(const char *text, size_t length, struct failure *failure);

// The words of the configuration for its enumerations; NULL: no such value.
const char *dialect_name(uint32_t dialect);
const char *policy_name(uint32_t policy);
const char *clone_rule_name(uint32_t rule);
const char *state_rule_name(uint32_t rule);

// IPV4/BITS; false: it isn't, or has bits behind its prefix.
bool config_prefix_parse(const char *text, struct config_prefix *prefix);
// Its mask, in network order.
uint32_t config_prefix_mask(const struct config_prefix *prefix);

enum { ENDPOINT_TEXT = 24 };
// ADDRESS:PORT into ENDPOINT_TEXT bytes, which it returns.
char *endpoint_text(const struct endpoint *endpoint, char *text);
