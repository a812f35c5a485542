// SPDX-License-Identifier: Apache-2.0
#include "netrs_config.h"

#include <arpa/inet.h>

#include "values.h"

enum { RID_MOST = NETRS_ILLEGAL - 1, NUMBER_NONE = UINT32_MAX };

// A number that must be there.
static int needed_at(const json_t *object, const char *where, const char *key, uint32_t least,
                     uint32_t most, uint32_t *number, struct failure *failure) {
    if (number_at(object, where, key, least, most, NUMBER_NONE, number, failure) < 0)
        return -1;
    if (*number == NUMBER_NONE)
        return fail(failure, EXIT_CONFIG, "%s needs a number \"%s\"", where, key);
    return 0;
}

static int parse_address(const char *text, const char *where, uint32_t *address,
                         struct failure *failure) {
    struct in_addr in;
    if (text == NULL || inet_pton(AF_INET, text, &in) != 1 || in.s_addr == 0)
        return fail(failure, EXIT_CONFIG, "%s is an IPv4 address, not \"%s\"", where,
                    text != NULL ? text : "a value of another kind");
    *address = in.s_addr;
    return 0;
}

// --- the operator ---

static int parse_name(const json_t *root, struct netrs_config *config, struct failure *failure) {
    const char *name = text_at(root, "the configuration", "switch", failure);
    if (name == NULL)
        return -1;
    if (name[0] == '\0' || strlen(name) >= OPERATOR_NAME)
        return fail(failure, EXIT_CONFIG, "\"switch\" is a name of up to %d bytes",
                    OPERATOR_NAME - 1);
    strcpy(config->settings.name, name);
    return 0;
}

static int parse_ports(const json_t *root, const char *key, bool to_hosts,
                       struct netrs_config *config, struct failure *failure) {
    struct operator_settings *settings = &config->settings;
    const json_t *ports = list_at(root, "the configuration", key, 1, OPERATOR_PORTS, failure);
    if (ports == NULL)
        return -1;
    for (size_t i = 0; i < json_array_size(ports); i++) {
        const char *name = json_string_value(json_array_get(ports, i));
        if (name == NULL || name[0] == '\0' || strlen(name) >= IF_NAMESIZE)
            return fail(failure, EXIT_CONFIG, "\"%s\" are names of network interfaces", key);
        for (uint32_t other = 0; other < settings->port_count; other++)
            if (strcmp(config->ports[other], name) == 0)
                return fail(failure, EXIT_CONFIG, "the interface \"%s\" is there twice", name);
        if (settings->port_count == OPERATOR_PORTS)
            return fail(failure, EXIT_CONFIG, "there are at most %d interfaces", OPERATOR_PORTS);
        settings->ports[settings->port_count].is_to_host = to_hosts;
        strcpy(config->ports[settings->port_count++], name);
    }
    return 0;
}

// A top-of-rack switch has hosts, and a place.
static int parse_rack(const json_t *root, struct netrs_config *config, struct failure *failure) {
    uint32_t pod, rack;
    if (json_object_get(root, "hosts") == NULL) {
        if (json_object_get(root, "pod") != NULL || json_object_get(root, "rack") != NULL)
            return fail(failure, EXIT_CONFIG,
                        "\"pod\" and \"rack\" are of top-of-rack switches, which have \"hosts\"");
        return 0;
    }
    if (parse_ports(root, "hosts", true, config, failure) < 0 ||
        needed_at(root, "a top-of-rack switch", "pod", 0, UINT16_MAX, &pod, failure) < 0 ||
        needed_at(root, "a top-of-rack switch", "rack", 0, UINT16_MAX, &rack, failure) < 0)
        return -1;
    config->settings.marker = pod << 16 | rack;
    return 0;
}

static int parse_nodes(const json_t *root, struct netrs_config *config, struct failure *failure) {
    static const char *const known[] = {"rid", "address", NULL};
    const json_t *nodes = list_at(root, "the configuration", "nodes", 0, OPERATOR_NODES, failure);
    if (nodes == NULL)
        return -1;
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *object = json_array_get(nodes, i);
        struct netrs_node *node = &config->nodes[config->node_count];
        if (check_keys(object, "a node", known, failure) < 0 ||
            needed_at(object, "a node", "rid", 1, RID_MOST, &node->rid, failure) < 0 ||
            parse_address(json_string_value(json_object_get(object, "address")),
                          "\"address\" of a node", &node->address, failure) < 0)
            return -1;
        for (uint32_t other = 0; other < config->node_count; other++)
            if (config->nodes[other].rid == node->rid)
                return fail(failure, EXIT_CONFIG, "two nodes have the \"rid\" %u", node->rid);
        config->node_count++;
    }
    return 0;
}

static int server_number(struct netrs_config *config, uint32_t address, uint32_t *number,
                         struct failure *failure) {
    for (*number = 0; *number < config->server_count; ++*number)
        if (config->servers[*number] == address)
            return 0;
    if (config->server_count == OPERATOR_SERVERS)
        return fail(failure, EXIT_CONFIG, "there are at most %d servers", OPERATOR_SERVERS);
    config->servers[config->server_count++] = address;
    return 0;
}

static int parse_group(const json_t *object, struct netrs_config *config, struct failure *failure) {
    static const char *const known[] = {"group", "servers", NULL};
    struct netrs_replicas *group = &config->replicas[config->replicas_count];
    uint32_t bits = config->settings.replicas;
    if (check_keys(object, "a group of replicas", known, failure) < 0 ||
        needed_at(object, "a group of replicas", "group", 0, (1u << (24 - bits)) - 1,
                  &group->number, failure) < 0)
        return -1;
    for (uint32_t other = 0; other < config->replicas_count; other++)
        if (config->replicas[other].number == group->number)
            return fail(failure, EXIT_CONFIG, "two groups of replicas have the number %u",
                        group->number);
    const json_t *servers = list_at(object, "a group of replicas", "servers", 1, bits, failure);
    if (servers == NULL)
        return -1;
    for (size_t i = 0; i < json_array_size(servers); i++) {
        uint32_t address = 0;
        if (parse_address(json_string_value(json_array_get(servers, i)), "a server", &address,
                          failure) < 0 ||
            server_number(config, address, &group->members.servers[i], failure) < 0)
            return -1;
        group->members.count++;
    }
    config->replicas_count++;
    return 0;
}

static int parse_replicas(const json_t *root, struct netrs_config *config,
                          struct failure *failure) {
    const json_t *groups =
        list_at(root, "the configuration", "replicas", 0, OPERATOR_GROUPS, failure);
    if (groups == NULL || needed_at(root, "the configuration", "replication", 1, SELECTOR_REPLICAS,
                                    &config->settings.replicas, failure) < 0)
        return -1;
    for (size_t i = 0; i < json_array_size(groups); i++)
        if (parse_group(json_array_get(groups, i), config, failure) < 0)
            return -1;
    return 0;
}

static int parse_root(const json_t *root, struct netrs_config *config, struct failure *failure) {
    static const char *const known[] = {"switch",      "rid",      "port", "ports",
                                        "hosts",       "pod",      "rack", "nodes",
                                        "replication", "replicas", NULL};
    uint32_t rid, port;
    if (check_keys(root, "the configuration", known, failure) < 0 ||
        parse_name(root, config, failure) < 0 ||
        needed_at(root, "the configuration", "rid", 1, RID_MOST, &rid, failure) < 0 ||
        needed_at(root, "the configuration", "port", 1, UINT16_MAX, &port, failure) < 0 ||
        parse_ports(root, "ports", false, config, failure) < 0 ||
        parse_rack(root, config, failure) < 0 || parse_nodes(root, config, failure) < 0 ||
        parse_replicas(root, config, failure) < 0)
        return -1;
    config->settings.rid = (uint16_t)rid;
    config->settings.port = htons((uint16_t)port);
    config->settings.nodes = 1;
    return 0;
}

// --- a plan ---

static int parse_client(const json_t *object, const char *name, struct netrs_plan *plan,
                        struct failure *failure) {
    const char *group = text_at(object, "a group of the plan", "group", failure);
    const char *tor = group == NULL ? NULL : text_at(object, "a group of the plan", "tor", failure);
    if (tor == NULL)
        return -1;
    if (strcmp(tor, name) != 0)
        return 0;
    const json_t *rid = json_object_get(object, "rid");
    json_int_t id = json_integer_value(rid);
    if (!json_is_integer(rid) || (id != -1 && (id < 1 || id > RID_MOST)))
        return fail(failure, EXIT_CONFIG, "group \"%s\": \"rid\" is from 1 to %d, or -1", group,
                    RID_MOST);
    if (plan->client_count == OPERATOR_CLIENTS)
        return fail(failure, EXIT_CONFIG, "a switch has at most %d groups", OPERATOR_CLIENTS);
    struct config_prefix prefix;
    if (!config_prefix_parse(group, &prefix))
        return fail(failure, EXIT_CONFIG,
                    "\"group\" is IPV4/BITS without bits behind the prefix, not \"%s\"", group);
    for (uint32_t other = 0; other < plan->client_count; other++)
        if (plan->clients[other].prefix.address == prefix.address &&
            plan->clients[other].prefix.bits == prefix.bits)
            return fail(failure, EXIT_CONFIG, "group \"%s\" is there twice", group);
    plan->clients[plan->client_count].prefix = prefix;
    plan->clients[plan->client_count++].rid = id == -1 ? NETRS_ILLEGAL : (uint16_t)id;
    return 0;
}

// Other keys are for people.
static int parse_plan(const json_t *root, const char *name, struct netrs_plan *plan,
                      struct failure *failure) {
    if (!json_is_object(root))
        return fail(failure, EXIT_CONFIG, "the plan isn't an object");
    const json_t *nodes = list_at(root, "the plan", "nodes", 0, OPERATOR_NODES, failure);
    const json_t *groups =
        nodes == NULL ? NULL : list_at(root, "the plan", "groups", 0, 1 << 20, failure);
    if (groups == NULL)
        return -1;
    *plan = (struct netrs_plan){.nodes = (uint32_t)json_array_size(nodes)};
    if (plan->nodes == 0)
        plan->nodes = 1;
    for (size_t i = 0; i < json_array_size(groups); i++)
        if (parse_client(json_array_get(groups, i), name, plan, failure) < 0)
            return -1;
    return 0;
}

// --- files ---

// No root: what is wrong with it is said already.
static struct netrs_config *config_of(json_t *root, struct failure *failure) {
    if (root == NULL)
        return NULL;
    struct netrs_config *config = calloc(1, sizeof *config);
    if (config == NULL)
        fail(failure, EXIT_UNABLE, "out of memory");
    else if (parse_root(root, config, failure) < 0) {
        free(config);
        config = NULL;
    }
    json_decref(root);
    return config;
}

struct netrs_config *netrs_config_read(const char *path, struct failure *failure) {
    struct netrs_config *config = config_of(json_of_file(path, failure), failure);
    if (config == NULL)
        name_file(path, failure);
    return config;
}

struct netrs_config *netrs_config_parse(const char *text, size_t length, struct failure *failure) {
    return config_of(json_of_text(text, length, failure), failure);
}

static int plan_of(json_t *root, const char *name, struct netrs_plan *plan,
                   struct failure *failure) {
    int result = root == NULL ? -1 : parse_plan(root, name, plan, failure);
    json_decref(root);
    return result;
}

int netrs_plan_read(const char *path, const char *name, struct netrs_plan *plan,
                    struct failure *failure) {
    int result = plan_of(json_of_file(path, failure), name, plan, failure);
    if (result < 0)
        name_file(path, failure);
    return result;
}

int netrs_plan_parse(const char *text, size_t length, const char *name, struct netrs_plan *plan,
                     struct failure *failure) {
    return plan_of(json_of_text(text, length, failure), name, plan, failure);
}
