// SPDX-License-Identifier: Apache-2.0
// netrs: a NetRS operator on a switch. As with the agent what is attached is noted before it is, so
// that after a kill at any point `netrs down` leaves nothing behind.
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <jansson.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "hooks.h"
#include "netrs.skel.h"
#include "netrs_config.h"
#include "pins.h"
#include "programs.h"

static const uint32_t zero = 0;

static uint64_t boot_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int write_to(int map, const void *key, const void *value, const char *what,
                    struct failure *failure) {
    if (bpf_map_update_elem(map, key, value, BPF_ANY) < 0)
        return fail_number(failure, EXIT_KERNEL, errno, "can't write %s", what);
    return 0;
}

static int open_map(const struct pins *pins, const char *name, size_t size,
                    struct failure *failure) {
    int map = pins_map(pins, name, size);
    if (map < 0 && errno == EMEDIUMTYPE)
        fail(failure, EXIT_OTHER,
             "the NetRS operator that is up here is of another build of clone-switch, which this "
             "one "
             "can't read: use that one, and its `netrs down`");
    else if (map < 0)
        fail(failure, EXIT_DOWN,
             "no NetRS operator is up here, or only half of one (%s is missing)", name);
    return map;
}

// What is up; without a port nothing is.
static int read_settings(const struct pins *pins, struct operator_settings *settings,
                         struct failure *failure) {
    int map = open_map(pins, "operator_settings", sizeof *settings, failure), result = 0;
    if (map < 0)
        return -1;
    if (bpf_map_lookup_elem(map, &zero, settings) < 0)
        result = fail_number(failure, EXIT_KERNEL, errno, "can't read the settings");
    close(map);
    return result;
}

static int begin(struct pins *pins, const struct options *options, enum pins_use use,
                 struct failure *failure) {
    if (pins_check(options->pins, failure) < 0)
        return -1;
    if (pins_begin(pins, options->pins, use, failure) == 0)
        return 0;
    if (failure->code == EXIT_DOWN)
        fail(failure, EXIT_DOWN, "no NetRS operator is up here (%s isn't there)", options->pins);
    return -1;
}

// --- up ---

static struct netrs_bpf *load(const struct pins *pins, struct failure *failure) {
    struct netrs_bpf *program = netrs_bpf__open();
    if (program == NULL) {
        fail_number(failure, EXIT_KERNEL, errno, "can't open the BPF object");
        return NULL;
    }
    if (programs_load(pins, program->skeleton, "BPF and NET_ADMIN", failure) == 0)
        return program;
    netrs_bpf__destroy(program);
    return NULL;
}

static int find_ports(struct netrs_config *config, struct failure *failure) {
    for (uint32_t i = 0; i < config->settings.port_count; i++) {
        config->settings.ports[i].interface = if_nametoindex(config->ports[i]);
        if (config->settings.ports[i].interface == 0)
            return fail(failure, EXIT_UNABLE, "there is no network interface %s", config->ports[i]);
    }
    return 0;
}

static int write_tables(const struct netrs_bpf *program, const struct netrs_config *config,
                        struct failure *failure) {
    for (uint32_t i = 0; i < config->node_count; i++)
        if (write_to(bpf_map__fd(program->maps.nodes), &config->nodes[i].rid,
                     &config->nodes[i].address, "the nodes", failure) < 0)
            return -1;
    for (uint32_t i = 0; i < config->server_count; i++)
        if (write_to(bpf_map__fd(program->maps.server_addresses), &i, &config->servers[i],
                     "the servers", failure) < 0 ||
            write_to(bpf_map__fd(program->maps.server_numbers), &config->servers[i], &i,
                     "the servers", failure) < 0)
            return -1;
    for (uint32_t i = 0; i < config->replicas_count; i++)
        if (write_to(bpf_map__fd(program->maps.replicas), &config->replicas[i].number,
                     &config->replicas[i].members, "the groups of replicas", failure) < 0)
            return -1;
    return 0;
}

static int attach(const struct netrs_bpf *program, struct operator_settings *settings,
                  struct failure *failure) {
    int map = bpf_map__fd(program->maps.operator_settings);
    for (uint32_t i = 0; i < settings->port_count; i++)
        settings->ports[i].made_qdisc = true; // until it is known
    if (write_to(map, &zero, settings, "the settings", failure) < 0)
        return -1;
    for (uint32_t i = 0; i < settings->port_count; i++) {
        bool made, to_host = settings->ports[i].is_to_host;
        int in = bpf_program__fd(to_host ? program->progs.netrs_host_ingress
                                         : program->progs.netrs_ingress);
        int out = to_host ? bpf_program__fd(program->progs.netrs_host_egress) : -1;
        int result =
            hooks_attach(settings->ports[i].interface, HOOKS_NETRS, in, out, &made, failure);
        settings->ports[i].made_qdisc = made;
        if (result == 0)
            continue;
        // The qdiscs of those that weren't reached are others'.
        struct failure ignored;
        while (++i < settings->port_count)
            settings->ports[i].made_qdisc = false;
        write_to(map, &zero, settings, "the settings", &ignored);
        return -1;
    }
    return write_to(map, &zero, settings, "the settings", failure);
}

static int detach(const struct operator_settings *settings, struct failure *failure) {
    for (uint32_t i = 0; i < settings->port_count && i < OPERATOR_PORTS; i++)
        if (hooks_detach(settings->ports[i].interface, HOOKS_NETRS, settings->ports[i].made_qdisc,
                         failure) < 0)
            return -1;
    return 0;
}

static int bring_up(const struct pins *pins, struct netrs_config *config, struct failure *failure) {
    struct netrs_bpf *program = load(pins, failure);
    if (program == NULL)
        return -1;
    config->settings.since = boot_ns();
    int result = write_tables(program, config, failure);
    if (result == 0)
        result = attach(program, &config->settings, failure);
    netrs_bpf__destroy(program); // the filters and the pins hold what is to stay
    return result;
}

static int netrs_up(const struct options *options, struct failure *failure) {
    struct pins pins;
    struct operator_settings before;
    struct failure ignored;
    struct netrs_config *config = netrs_config_read(options->file, failure);
    int result = config == NULL || find_ports(config, failure) < 0 ||
                         begin(&pins, options, PINS_MAKE, failure) < 0
                     ? -1
                     : 0;
    if (result == 0) {
        int known = read_settings(&pins, &before, &ignored);
        if (known < 0 && ignored.code == EXIT_OTHER) {
            *failure = ignored;
            result = -1;
        } else if (known == 0 && before.port_count > 0)
            result =
                fail(failure, EXIT_BUSY,
                     "a NetRS operator is up here, as %s: take it down first, with 'netrs down'",
                     before.name);
        else if ((result = bring_up(&pins, config, failure)) < 0 &&
                 (read_settings(&pins, &before, &ignored) < 0 || detach(&before, &ignored) == 0))
            pins_remove(&pins, &ignored); // what never was up leaves nothing behind
        pins_close(&pins);
    }
    if (result == 0)
        printf("%s is up as RSNode %u; requests are degraded until a plan is applied\n",
               config->settings.name, config->settings.rid);
    free(config);
    return result;
}

static int netrs_down(const struct options *options, struct failure *failure) {
    struct pins pins;
    struct operator_settings settings;
    if (begin(&pins, options, PINS_CHANGE, failure) < 0) {
        if (failure->code != EXIT_DOWN)
            return -1;
        puts("no NetRS operator was up");
        return 0;
    }
    // Without settings nothing was ever attached.
    int result = read_settings(&pins, &settings, failure);
    if (result == 0)
        result = detach(&settings, failure);
    else if (failure->code == EXIT_DOWN)
        result = 0;
    if (result == 0)
        result = pins_remove(&pins, failure);
    pins_close(&pins);
    if (result == 0)
        puts("the NetRS operator is down");
    return result;
}

// --- apply ---

static int clear_monitors(int monitors, struct failure *failure) {
    int processors = libbpf_num_possible_cpus(), result = 0;
    void *none = calloc(processors > 0 ? (size_t)processors : 1, sizeof(struct operator_monitor));
    if (none == NULL)
        return fail(failure, EXIT_UNABLE, "out of memory");
    for (uint32_t i = 0; result == 0 && i < OPERATOR_CLIENTS; i++)
        result = write_to(monitors, &i, none, "the monitor's counters", failure);
    free(none);
    return result;
}

static bool is_planned(const struct netrs_plan *plan, const struct operator_prefix *key) {
    for (uint32_t i = 0; i < plan->client_count; i++)
        if (plan->clients[i].prefix.address == key->address &&
            plan->clients[i].prefix.bits == key->bits)
            return true;
    return false;
}

// Groups that the plan doesn't know are degraded, and counted still: the next plan is made of what
// was counted, so one that wasn't told of once would never be in a plan again. How many there are,
// or -1.
static int degrade_others(int map, const struct netrs_plan *plan, struct failure *failure) {
    struct operator_prefix keys[OPERATOR_CLIENTS], *last = NULL;
    uint32_t count = 0, others = 0;
    while (count < OPERATOR_CLIENTS && bpf_map_get_next_key(map, last, &keys[count]) == 0)
        last = &keys[count++];
    for (uint32_t i = 0; i < count; i++) {
        struct operator_client group = {NETRS_ILLEGAL, plan->client_count + others};
        if (is_planned(plan, &keys[i]))
            continue;
        if (group.number >= OPERATOR_CLIENTS)
            bpf_map_delete_elem(map, &keys[i]); // the plan needs its room
        else if (write_to(map, &keys[i], &group, "the groups", failure) < 0)
            return -1;
        else
            others++;
    }
    return (int)others;
}

// How many groups there are that the plan doesn't know, or -1.
static int write_plan(int groups, int monitors, const struct netrs_plan *plan,
                      struct failure *failure) {
    int others = degrade_others(groups, plan, failure);
    if (others < 0 || clear_monitors(monitors, failure) < 0)
        return -1;
    for (uint32_t i = 0; i < plan->client_count; i++) {
        struct operator_prefix key = {plan->clients[i].prefix.bits,
                                      plan->clients[i].prefix.address};
        struct operator_client group = {plan->clients[i].rid, i};
        if (write_to(groups, &key, &group, "the groups", failure) < 0)
            return -1;
    }
    return others;
}

static int netrs_apply(const struct options *options, struct failure *failure) {
    struct pins pins;
    struct operator_settings settings;
    struct netrs_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return fail(failure, EXIT_UNABLE, "out of memory");
    int result = begin(&pins, options, PINS_CHANGE, failure);
    if (result < 0) {
        free(plan);
        return -1;
    }
    int map = open_map(&pins, "operator_settings", sizeof(struct operator_settings), failure);
    int groups =
        map < 0 ? -1 : open_map(&pins, "client_groups", sizeof(struct operator_client), failure);
    int monitors =
        groups < 0 ? -1 : open_map(&pins, "monitors", sizeof(struct operator_monitor), failure);
    result = monitors < 0 ? -1 : read_settings(&pins, &settings, failure);
    if (result == 0)
        result = netrs_plan_read(options->file, settings.name, plan, failure);
    int others = result == 0 ? write_plan(groups, monitors, plan, failure) : -1;
    if (others < 0)
        result = -1;
    if (result == 0) {
        settings.nodes = plan->nodes;
        settings.since = boot_ns();
        result = write_to(map, &zero, &settings, "the settings", failure);
    }
    if (result == 0)
        printf("%s: %u groups of clients%s\n", settings.name, plan->client_count,
               others > 0 ? ", and others that the plan doesn't know: they are degraded" : "");
    if (monitors >= 0)
        close(monitors);
    if (groups >= 0)
        close(groups);
    if (map >= 0)
        close(map);
    pins_close(&pins);
    free(plan);
    return result;
}

// --- what was counted ---

// The sum of a per-processor map's entry, which is all counters: `count` of them.
static int read_sum(int map, uint32_t key, uint64_t *sum, size_t count, struct failure *failure) {
    int processors = libbpf_num_possible_cpus();
    uint64_t *each = calloc((processors > 0 ? (size_t)processors : 1) * count, sizeof *each);
    if (each == NULL)
        return fail(failure, EXIT_UNABLE, "out of memory");
    int result = bpf_map_lookup_elem(map, &key, each) < 0
                     ? fail_number(failure, EXIT_KERNEL, errno, "can't read the counters")
                     : 0;
    memset(sum, 0, count * sizeof *sum);
    for (size_t i = 0; result == 0 && i < (size_t)processors * count; i++)
        sum[i % count] += each[i];
    free(each);
    return result;
}

static json_t *monitor_json(const struct operator_settings *settings,
                            const struct operator_prefix *key,
                            const struct operator_monitor *monitor) {
    char text[INET_ADDRSTRLEN + 4], address[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, &key->address, address, sizeof address);
    snprintf(text, sizeof text, "%s/%u", address, key->bits & 63);
    return json_pack("{s:s, s:s, s:{s:I, s:I, s:I}}", "group", text, "tor", settings->name,
                     "requests", "core", (json_int_t)monitor->responses[NETRS_CORE], "aggregation",
                     (json_int_t)monitor->responses[NETRS_AGGREGATION], "tor",
                     (json_int_t)monitor->responses[NETRS_TOR]);
}

static int read_monitors(const struct pins *pins, const struct operator_settings *settings,
                         json_t *list, struct failure *failure) {
    struct operator_prefix key, *last = NULL;
    struct operator_client group;
    struct operator_monitor monitor;
    int groups = open_map(pins, "client_groups", sizeof(struct operator_client), failure);
    int monitors =
        groups < 0 ? -1 : open_map(pins, "monitors", sizeof(struct operator_monitor), failure);
    int result = monitors < 0 ? -1 : 0;
    while (result == 0 && bpf_map_get_next_key(groups, last, &key) == 0) {
        last = &key;
        if (bpf_map_lookup_elem(groups, &key, &group) < 0)
            continue;
        result = read_sum(monitors, group.number, monitor.responses, NETRS_TIERS, failure);
        if (result == 0)
            json_array_append_new(list, monitor_json(settings, &key, &monitor));
    }
    if (monitors >= 0)
        close(monitors);
    if (groups >= 0)
        close(groups);
    return result;
}

static void print_json(const json_t *root) {
    json_dumpf(root, stdout, JSON_COMPACT);
    putchar('\n');
}

static void print_monitors(const json_t *root) {
    const json_t *group;
    size_t i;
    printf("%-20s %12s %12s %12s   in %.1f s\n", "group", "core", "aggregation", "tor",
           json_real_value(json_object_get(root, "seconds")));
    json_array_foreach(json_object_get(root, "groups"), i, group) {
        const json_t *requests = json_object_get(group, "requests");
        printf("%-20s %12" JSON_INTEGER_FORMAT " %12" JSON_INTEGER_FORMAT " %12" JSON_INTEGER_FORMAT
               "\n",
               json_string_value(json_object_get(group, "group")),
               json_integer_value(json_object_get(requests, "core")),
               json_integer_value(json_object_get(requests, "aggregation")),
               json_integer_value(json_object_get(requests, "tor")));
    }
}

static int netrs_monitors(const struct options *options, struct failure *failure) {
    struct pins pins;
    struct operator_settings settings;
    if (begin(&pins, options, PINS_LOOK, failure) < 0)
        return -1;
    json_t *list = json_array();
    int result = read_settings(&pins, &settings, failure);
    if (result == 0)
        result = read_monitors(&pins, &settings, list, failure);
    pins_close(&pins);
    if (result < 0) {
        json_decref(list);
        return -1;
    }
    json_t *root = json_pack("{s:f, s:o}", "seconds", (double)(boot_ns() - settings.since) / 1e9,
                             "groups", list);
    if (options->json)
        print_json(root);
    else
        print_monitors(root);
    json_decref(root);
    return 0;
}

// --- status ---

static const char *const kinds[NETRS_KINDS] = {
    [NETRS_REQUEST] = "request",
    [NETRS_SELECTED] = "selected",
    [NETRS_DEGRADED] = "degraded",
    [NETRS_RESPONSE] = "response",
    [NETRS_DEGRADED_RESPONSE] = "degraded_response",
    [NETRS_COUNTED] = "counted_response",
};
static const char *const steps[NETRS_STEPS] = {
    [NETRS_PASS] = "passed",       [NETRS_SELECT] = "selected",  [NETRS_LEARN] = "learned",
    [NETRS_TOWARDS] = "forwarded", [NETRS_DEGRADE] = "degraded", [NETRS_RELEASE] = "released",
};

static json_t *counts_json(const uint64_t *counts, const char *const *names, size_t size) {
    json_t *object = json_object();
    for (size_t i = 0; i < size; i++)
        if (names[i] != NULL)
            json_object_set_new(object, names[i], json_integer((json_int_t)counts[i]));
    return object;
}

// As netrs.bpf.c's server_entry.
struct server_entry {
    uint32_t lock;
    struct selector_server server;
};

static json_t *server_json(uint32_t address, const struct selector_server *server) {
    char text[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, &address, text, sizeof text);
    return json_pack("{s:s, s:I, s:I, s:I, s:f, s:f, s:f}", "address", text, "selected",
                     (json_int_t)server->selected, "answered", (json_int_t)server->answered,
                     "outstanding", (json_int_t)selector_outstanding(server, boot_ns()),
                     "response_ms", (double)server->response_ns / 1e6, "service_ms",
                     (double)server->service_ns / 1e6, "queue",
                     (double)server->queue / C3_QUEUE_ONE);
}

static int read_servers(const struct pins *pins, json_t *list, struct failure *failure) {
    int addresses = open_map(pins, "server_addresses", sizeof(uint32_t), failure);
    int states = addresses < 0
                     ? -1
                     : open_map(pins, "selector_servers", sizeof(struct server_entry), failure);
    int result = states < 0 ? -1 : 0;
    for (uint32_t i = 0; result == 0 && i < OPERATOR_SERVERS; i++) {
        uint32_t address;
        struct server_entry entry;
        if (bpf_map_lookup_elem(addresses, &i, &address) < 0 ||
            bpf_map_lookup_elem(states, &i, &entry) < 0)
            result = fail_number(failure, EXIT_KERNEL, errno, "can't read the servers");
        else if (address == 0)
            break;
        else
            json_array_append_new(list, server_json(address, &entry.server));
    }
    if (states >= 0)
        close(states);
    if (addresses >= 0)
        close(addresses);
    return result;
}

static int read_counters(const struct pins *pins, struct operator_counters *counters,
                         struct failure *failure) {
    int map = open_map(pins, "operator_counters", sizeof(struct operator_counters), failure);
    int result = map < 0 ? -1
                         : read_sum(map, 0, (uint64_t *)counters,
                                    sizeof *counters / sizeof(uint64_t), failure);
    if (map >= 0)
        close(map);
    return result;
}

static bool is_attached(const struct operator_settings *settings, uint32_t port) {
    return hooks_are_there(settings->ports[port].interface, HOOKS_NETRS,
                           settings->ports[port].is_to_host);
}

static json_t *ports_json(const struct operator_settings *settings) {
    json_t *ports = json_array();
    char name[HOOKS_INTERFACE];
    for (uint32_t i = 0; i < settings->port_count; i++)
        json_array_append_new(ports, json_pack("{s:s, s:b}", "interface",
                                               hooks_interface(settings->ports[i].interface, name),
                                               "attached", is_attached(settings, i)));
    return ports;
}

static void print_status(const struct operator_settings *settings,
                         const struct operator_counters *counters, const json_t *servers) {
    const json_t *server;
    size_t i;
    for (uint32_t port = 0; port < settings->port_count; port++)
        if (!is_attached(settings, port))
            hooks_complain(settings->ports[port].interface, "clone-switch netrs up");
    printf("%s, RSNode %u of %u: %" PRIu64 " selected, %" PRIu64 " learned from, %" PRIu64
           " sent towards others' nodes; %" PRIu64 " degraded (%" PRIu64
           " without a replica), %" PRIu64 " released; %" PRIu64 " without a way to the node\n",
           settings->name, settings->rid, settings->nodes, counters->steps[NETRS_SELECT],
           counters->steps[NETRS_LEARN], counters->steps[NETRS_TOWARDS],
           counters->steps[NETRS_DEGRADE], counters->no_replicas, counters->steps[NETRS_RELEASE],
           counters->no_way);
    json_array_foreach(servers, i, server) {
        if (json_integer_value(json_object_get(server, "selected")) > 0)
            printf("%-16s %10" JSON_INTEGER_FORMAT " selected %6" JSON_INTEGER_FORMAT
                   " outstanding %8.2f ms to answer\n",
                   json_string_value(json_object_get(server, "address")),
                   json_integer_value(json_object_get(server, "selected")),
                   json_integer_value(json_object_get(server, "outstanding")),
                   json_real_value(json_object_get(server, "response_ms")));
    }
}

static int netrs_status_of(const struct options *options, struct failure *failure) {
    struct pins pins;
    struct operator_settings settings;
    struct operator_counters counters;
    if (begin(&pins, options, PINS_LOOK, failure) < 0)
        return -1;
    json_t *servers = json_array();
    int result = read_settings(&pins, &settings, failure);
    if (result == 0)
        result = read_counters(&pins, &counters, failure);
    if (result == 0)
        result = read_servers(&pins, servers, failure);
    pins_close(&pins);
    if (result < 0) {
        json_decref(servers);
        return -1;
    }
    if (!options->json) {
        print_status(&settings, &counters, servers);
        json_decref(servers);
        return 0;
    }
    json_t *root = json_pack(
        "{s:s, s:o, s:i, s:I, s:o, s:o, s:I, s:I, s:o}", "switch", settings.name, "ports",
        ports_json(&settings), "rid", (int)settings.rid, "nodes", (json_int_t)settings.nodes,
        "came", counts_json(counters.came, kinds, NETRS_KINDS), "done",
        counts_json(counters.steps, steps, NETRS_STEPS), "without_way", (json_int_t)counters.no_way,
        "without_replica", (json_int_t)counters.no_replicas, "servers", servers);
    print_json(root);
    json_decref(root);
    return 0;
}

int command_netrs(const struct options *options, struct failure *failure) {
    static const struct {
        const char *name;
        bool takes_file;
        int (*run)(const struct options *options, struct failure *failure);
    } actions[] = {{"up", true, netrs_up},
                   {"apply", true, netrs_apply},
                   {"status", false, netrs_status_of},
                   {"monitors", false, netrs_monitors},
                   {"down", false, netrs_down}};
    programs_listen();
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(options->action, actions[i].name) == 0 &&
            actions[i].takes_file == (options->file != NULL))
            return actions[i].run(options, failure);
    return fail(failure, EXIT_USAGE, "netrs takes up CONFIG, apply PLAN, status, monitors or down");
}
