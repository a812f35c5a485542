// SPDX-License-Identifier: Apache-2.0
// From JSON to a struct, with one clear line about the first thing that is wrong.
#include "config.h"

#include <arpa/inet.h>

#include "values.h"

static const char *const wheres[] = {[WHERE_SWITCH] = "switch", [WHERE_HOST] = "host", NULL};
static const char *const dialects[] = {
    [DIALECT_FLOW] = "flow",         [DIALECT_DNS] = "dns",
    [DIALECT_KERBEROS] = "kerberos", [DIALECT_MEMCACHED] = "memcached",
    [DIALECT_NETCLONE] = "netclone", NULL};
static const char *const policies[] = {
    [POLICY_SHORTER_QUEUE] = "shorter-queue", [POLICY_RANDOM] = "random", [POLICY_C3] = "c3", NULL};
static const char *const clone_rules[] = {
    [CLONE_IDLE] = "idle", [CLONE_NEVER] = "never", [CLONE_ALWAYS] = "always", NULL};
static const char *const state_rules[] = {
    [STATE_COUNTED] = "counted", [STATE_AGENT] = "agent", NULL};

#define NAME_OF(names, value) ((value) < sizeof names / sizeof names[0] ? names[value] : NULL)

const char *dialect_name(uint32_t dialect) {
    return NAME_OF(dialects, dialect);
}

const char *policy_name(uint32_t policy) {
    return NAME_OF(policies, policy);
}

const char *clone_rule_name(uint32_t rule) {
    return NAME_OF(clone_rules, rule);
}

const char *state_rule_name(uint32_t rule) {
    return NAME_OF(state_rules, rule);
}

char *endpoint_text(const struct endpoint *endpoint, char *text) {
    char address[INET_ADDRSTRLEN];
    struct in_addr in = {endpoint->address};
    inet_ntop(AF_INET, &in, address, sizeof address);
    snprintf(text, ENDPOINT_TEXT, "%s:%u", address, ntohs(endpoint->port));
    return text;
}

// --- values ---

// Digits only: strtoul(3) takes signs and blanks as well.
static bool parse_number(const char *text, uint32_t most, uint32_t *number) {
    *number = 0;
    if (*text == '\0' || strlen(text) > 5)
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        *number = *number * 10 + (uint32_t)(*text - '0');
    }
    return *number <= most;
}

// Splits "A<separator>N".
static bool parse_address(const char *text, char separator, uint32_t most, uint32_t *address,
                          uint32_t *number) {
    char copy[INET_ADDRSTRLEN];
    const char *end = strchr(text, separator);
    struct in_addr in;
    if (end == NULL || (size_t)(end - text) >= sizeof copy)
        return false;
    memcpy(copy, text, (size_t)(end - text));
    copy[end - text] = '\0';
    if (inet_pton(AF_INET, copy, &in) != 1)
        return false;
    *address = in.s_addr;
    return parse_number(end + 1, most, number);
}

static int endpoint_at(const json_t *object, const char *where, struct endpoint *endpoint,
                       struct failure *failure) {
    const char *text = text_at(object, where, "address", failure);
    uint32_t port = 0;
    if (text == NULL)
        return -1;
    *endpoint = (struct endpoint){0};
    if (!parse_address(text, ':', UINT16_MAX, &endpoint->address, &port) || port == 0 ||
        endpoint->address == 0)
        return fail(failure, EXIT_CONFIG, "%s: \"address\" is IPV4:PORT, not \"%s\"", where, text);
    endpoint->port = htons((uint16_t)port);
    return 0;
}

// --- the parts ---

static bool same_endpoint(const struct endpoint *left, const struct endpoint *right) {
    return left->address == right->address && left->port == right->port;
}

static int parse_server(const json_t *object, const char *service, struct config_server *server,
                        struct failure *failure) {
    char where[NAME_BYTES + 32];
    uint32_t workers;
    snprintf(where, sizeof where, "a server of service \"%s\"", service);
    static const char *const known[] = {"address", "workers", NULL};
    if (check_keys(object, where, known, failure) < 0 ||
        endpoint_at(object, where, &server->at, failure) < 0 ||
        number_at(object, where, "workers", 1, 10000, 1, &workers, failure) < 0)
        return -1;
    server->workers = (uint16_t)workers;
    return 0;
}

static int parse_servers(const json_t *object, const char *where, struct config_service *service,
                         struct failure *failure) {
    const json_t *servers = list_at(object, where, "servers", 1, SERVERS_EACH, failure);
    if (servers == NULL)
        return -1;
    for (size_t i = 0; i < json_array_size(servers); i++)
        if (parse_server(json_array_get(servers, i), service->name,
                         &service->servers[service->server_count++], failure) < 0)
            return -1;
    return 0;
}

static int parse_service(const json_t *object, enum where place, struct config_service *service,
                         struct failure *failure) {
    static const char *const known[] = {"name",    "address", "protocol",   "policy", "clone",
                                        "servers", "budget",  "idempotent", "state",  NULL};
    if (check_keys(object, "a service", known, failure) < 0)
        return -1;
    const char *name = text_at(object, "a service", "name", failure);
    if (name == NULL)
        return -1;
    if (name[0] == '\0' || strlen(name) >= NAME_BYTES ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") !=
            strlen(name))
        return fail(
            failure, EXIT_CONFIG,
            "a service's \"name\" is up to %d letters, digits, '.', '_' and '-', not \"%s\"",
            NAME_BYTES - 1, name);
    strcpy(service->name, name);
    char where[NAME_BYTES + 32];
    snprintf(where, sizeof where, "service \"%s\"", name);
    if (json_object_get(object, "protocol") == NULL)
        return fail(failure, EXIT_CONFIG, "%s needs a text \"protocol\"", where);
    int dialect = word_at(object, where, "protocol", dialects, failure);
    int policy = dialect < 0 ? -1 : word_at(object, where, "policy", policies, failure);
    int clone = policy < 0 ? -1 : word_at(object, where, "clone", clone_rules, failure);
    int state = clone < 0 ? -1 : word_at(object, where, "state", state_rules, failure);
    // A host sees its own requests only, so what it takes for idle is often busy.
    uint32_t budget = place == WHERE_HOST && state == STATE_COUNTED ? 10 : BUDGET_OFF;
    if (state < 0 || endpoint_at(object, where, &service->at, failure) < 0 ||
        number_at(object, where, "budget", 1, 100, budget, &service->budget, failure) < 0)
        return -1;
    const json_t *idempotent = json_object_get(object, "idempotent");
    if (idempotent != NULL && !json_is_boolean(idempotent))
        return fail(failure, EXIT_CONFIG, "%s: \"idempotent\" is true or false", where);
    service->dialect = (enum dialect)dialect;
    service->policy = (enum policy)policy;
    service->clone = (enum clone_rule)clone;
    service->state = (enum state_rule)state;
    service->idempotent = json_is_true(idempotent);
    if (service->idempotent && service->dialect != DIALECT_FLOW)
        return fail(failure, EXIT_CONFIG,
                    "%s: \"idempotent\" is for protocol \"flow\"; \"%s\" proves its reads", where,
                    dialect_name(service->dialect));
    return parse_servers(object, where, service, failure);
}

uint32_t config_prefix_mask(const struct config_prefix *prefix) {
    return prefix->bits == 0 ? 0 : htonl(UINT32_MAX << (32 - prefix->bits));
}

bool config_prefix_parse(const char *text, struct config_prefix *prefix) {
    return parse_address(text, '/', 32, &prefix->address, &prefix->bits) &&
           (prefix->address & ~config_prefix_mask(prefix)) == 0;
}

static int parse_clients(const json_t *root, struct config *config, struct failure *failure) {
    const json_t *clients =
        list_at(root, "the configuration", "clients", 1, CLIENT_PREFIXES, failure);
    if (clients == NULL)
        return -1;
    for (size_t i = 0; i < json_array_size(clients); i++) {
        const char *text = json_string_value(json_array_get(clients, i));
        struct config_prefix *prefix = &config->clients[config->client_count++];
        if (text == NULL || !config_prefix_parse(text, prefix))
            return fail(failure, EXIT_CONFIG,
                        "\"clients\" are IPV4/BITS without bits behind the prefix, not \"%s\"",
                        text != NULL ? text : "a value of another kind");
    }
    return 0;
}

static int parse_ports(const json_t *root, struct config *config, struct failure *failure) {
    const json_t *ports = list_at(root, "the configuration", "ports", 1, PORTS, failure);
    if (ports == NULL)
        return -1;
    for (size_t i = 0; i < json_array_size(ports); i++) {
        const char *name = json_string_value(json_array_get(ports, i));
        if (name == NULL || name[0] == '\0' || strlen(name) >= IF_NAMESIZE)
            return fail(failure, EXIT_CONFIG, "\"ports\" are names of network interfaces");
        for (uint32_t other = 0; other < config->port_count; other++)
            if (strcmp(config->ports[other], name) == 0)
                return fail(failure, EXIT_CONFIG, "\"ports\" has \"%s\" twice", name);
        strcpy(config->ports[config->port_count++], name);
    }
    return 0;
}

// A server's answers must be one service's; and an address can't be a service's and a server's.
static int check_endpoints(const struct config *config, struct failure *failure) {
    char text[ENDPOINT_TEXT];
    for (uint32_t i = 0; i < config->service_count; i++) {
        const struct config_service *service = &config->services[i];
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(service->name, config->services[j].name) == 0)
                return fail(failure, EXIT_CONFIG, "two services are named \"%s\"", service->name);
            else if (same_endpoint(&service->at, &config->services[j].at))
                return fail(failure, EXIT_CONFIG, "two services have the address %s",
                            endpoint_text(&service->at, text));
    }
    for (uint32_t i = 0; i < config->service_count; i++) {
        const struct config_service *service = &config->services[i];
        for (uint32_t s = 0; s < service->server_count; s++) {
            const struct endpoint *at = &service->servers[s].at;
            for (uint32_t j = 0; j < config->service_count; j++) {
                const struct config_service *other = &config->services[j];
                if (same_endpoint(at, &other->at))
                    return fail(failure, EXIT_CONFIG, "%s is a server's address and a service's",
                                endpoint_text(at, text));
                for (uint32_t t = 0; t < other->server_count; t++)
                    if ((j != i || t != s) && same_endpoint(at, &other->servers[t].at))
                        return fail(failure, EXIT_CONFIG, "the server %s is there twice",
                                    endpoint_text(at, text));
            }
        }
    }
    return 0;
}

static int parse_root(const json_t *root, struct config *config, struct failure *failure) {
    static const char *const known[] = {"where", "ports",  "clients", "services",
                                        "slots", "filter", NULL};
    if (check_keys(root, "the configuration", known, failure) < 0)
        return -1;
    int where = word_at(root, "the configuration", "where", wheres, failure);
    if (where < 0 || number_at(root, "the configuration", "slots", 1024, 1 << 24, 1 << 17,
                               &config->slots, failure) < 0)
        return -1;
    if ((config->slots & (config->slots - 1)) != 0)
        return fail(failure, EXIT_CONFIG, "\"slots\" is a power of two");
    const json_t *filter = json_object_get(root, "filter");
    if (filter != NULL && !json_is_boolean(filter))
        return fail(failure, EXIT_CONFIG, "\"filter\" is true or false");
    config->filter = filter == NULL || json_is_true(filter);
    config->where = (enum where)where;
    const json_t *services =
        list_at(root, "the configuration", "services", 1, SERVICES - 1, failure);
    if (services == NULL || parse_ports(root, config, failure) < 0 ||
        parse_clients(root, config, failure) < 0)
        return -1;
    for (size_t i = 0; i < json_array_size(services); i++)
        if (parse_service(json_array_get(services, i), config->where,
                          &config->services[config->service_count++], failure) < 0)
            return -1;
    return check_endpoints(config, failure);
}

// NULL: what is wrong with it is said already.
static struct config *parse(json_t *root, struct failure *failure) {
    if (root == NULL)
        return NULL;
    struct config *config = calloc(1, sizeof *config);
    if (config == NULL)
        fail(failure, EXIT_UNABLE, "out of memory");
    else if (parse_root(root, config, failure) < 0) {
        free(config);
        config = NULL;
    }
    json_decref(root);
    return config;
}

struct config *config_read(const char *path, struct failure *failure) {
    struct config *config = parse(json_of_file(path, failure), failure);
    if (config == NULL)
        name_file(path, failure);
    return config;
}

struct config *config_parse(const char *text, size_t length, struct failure *failure) {
    return parse(json_of_text(text, length, failure), failure);
}
