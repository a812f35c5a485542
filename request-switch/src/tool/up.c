// SPDX-License-Identifier: Apache-2.0
// up and down. The order of things makes either of them safe to kill at any point: the next one
// completes or undoes it. Rules are written before anything refers to them, where we attach before
// we do, and packets see a new program only by its filter's change, which is one step.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <net/if.h>
#include <sys/random.h>
#include <unistd.h>

#include "commands.h"
#include "config.h"
#include "hooks.h"
#include "netlink.h"
#include "pins.h"
#include "programs.h"
#include "switch.skel.h"

// --- the program ---

// What is known of the hooks, whatever becomes of the rest of the state. Without that nobody could
// take over.
static int read_settings(const struct pins *pins, struct settings *settings,
                         struct failure *failure) {
    uint32_t zero = 0;
    int fd = pins_map(pins, "switch_settings", sizeof *settings);
    memset(settings, 0, sizeof *settings);
    if (fd < 0 && errno == EMEDIUMTYPE)
        return fail(
            failure, EXIT_OTHER,
            "the switch that is up here is of another build of clone-switch, which this one "
            "can't take over from: run that one's `down` first");
    if (fd >= 0) {
        bpf_map_lookup_elem(fd, &zero, settings);
        close(fd);
    }
    return 0;
}

// Whether what is pinned is of another layout, which is no state. The programs that run keep it
// until they are replaced.
static bool is_other_layout(const struct pins *pins, const struct settings *before,
                            const struct switch_bpf *program) {
    struct bpf_map *map;
    bool other = pins_is_other(before);
    bpf_object__for_each_map(map, program->obj) {
        struct bpf_map_info info = {0};
        uint32_t length = sizeof info;
        int fd = bpf_map__is_internal(map)
                     ? -1
                     : pins_map(pins, bpf_map__name(map), bpf_map__value_size(map));
        other |= fd < 0 && errno == EMEDIUMTYPE;
        if (fd < 0)
            continue;
        other |= bpf_obj_get_info_by_fd(fd, &info, &length) < 0 ||
                 info.type != bpf_map__type(map) || info.key_size != bpf_map__key_size(map) ||
                 info.max_entries != bpf_map__max_entries(map);
        close(fd);
    }
    return other;
}

// Where any server is a client as well.
static bool servers_ask(const struct config *config) {
    for (uint32_t i = 0; i < config->service_count; i++)
        for (uint32_t j = 0; j < config->services[i].server_count; j++)
            for (uint32_t k = 0; k < config->client_count; k++)
                if ((config->services[i].servers[j].at.address &
                     config_prefix_mask(&config->clients[k])) == config->clients[k].address)
                    return true;
    return false;
}

static struct switch_bpf *load(const struct pins *pins, const struct config *config,
                               const struct settings *before, struct failure *failure) {
    programs_listen();
    struct switch_bpf *program = switch_bpf__open();
    if (program == NULL) {
        fail_number(failure, EXIT_KERNEL, errno, "can't open the BPF object");
        return NULL;
    }
    program->rodata->where = config->where;
    program->rodata->slot_mask = config->slots - 1;
    program->rodata->filter = config->filter;
    program->rodata->first_clients = config->clients[0].address;
    program->rodata->first_clients_mask = config_prefix_mask(&config->clients[0]);
    program->rodata->servers_ask = servers_ask(config);
    bpf_map__set_max_entries(program->maps.slots, config->slots);
    bool host = config->where == WHERE_HOST;
    bpf_program__set_autoload(program->progs.switch_ingress, !host);
    bpf_program__set_autoload(program->progs.host_ingress, host);
    bpf_program__set_autoload(program->progs.host_egress, host);
    static const char capabilities[] = "BPF and NET_ADMIN";
    // Where the hooks are must be known at any moment, or nobody could take them away.
    int result =
        is_other_layout(pins, before, program)
            ? programs_replace(pins, program->skeleton, "switch_settings", capabilities, failure)
            : programs_load(pins, program->skeleton, capabilities, failure);
    if (result == 0)
        return program;
    switch_bpf__destroy(program);
    return NULL;
}

static int start_sweeping(const struct switch_bpf *program, struct failure *failure) {
    uint8_t frame[64] = {0};
    DECLARE_LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = frame, .data_size_in = sizeof frame);
    int error = bpf_prog_test_run_opts(bpf_program__fd(program->progs.start_sweeping), &options);
    if (error < 0 || options.retval != 0)
        return fail_number(failure, EXIT_KERNEL, error, "can't start the timer (%d)",
                           (int)options.retval);
    return 0;
}

// --- rules ---

static int set(int map, const void *key, const void *value, const char *what,
               struct failure *failure) {
    if (bpf_map_update_elem(map, key, value, BPF_ANY) < 0)
        return fail_number(failure, EXIT_KERNEL, errno, "can't write %s", what);
    return 0;
}

static bool same_endpoint(const struct endpoint *left, const struct endpoint *right) {
    return left->address == right->address && left->port == right->port;
}

// What is up already, or zeroes.
struct before {
    struct service_rules services[ADDRESSES];
    int service_count;
    struct server_rules servers[SERVERS];
    bool was_up; // perhaps with state of another layout
};

static int read_servers(const struct pins *pins, struct server_rules servers[SERVERS],
                        struct failure *failure) {
    for (uint32_t i = 0; i < SERVERS; i++)
        if (bpf_map_lookup_elem(pins->server_rules, &i, &servers[i]) < 0)
            return fail_number(failure, EXIT_KERNEL, errno, "can't read the servers");
    return 0;
}

static int read_before(const struct pins *pins, struct before *before, struct failure *failure) {
    before->service_count = pins_services(pins, before->services, failure);
    if (before->service_count < 0)
        return -1;
    return read_servers(pins, before->servers, failure);
}

static const struct service_rules *known_service(const struct before *before, const char *name) {
    for (int i = 0; i < before->service_count; i++)
        if (strcmp(before->services[i].name, name) == 0)
            return &before->services[i];
    return NULL;
}

// A service keeps its number, so that words and state of its servers stay true.
static uint8_t number_of(const struct before *before, const struct config_service *service,
                         const bool *taken) {
    const struct service_rules *known = known_service(before, service->name);
    if (known != NULL)
        return known->number;
    for (int round = 0; round < 2; round++)
        for (uint8_t number = 1; number < SERVICES; number++) {
            bool used = false; // by a service that is up still
            for (int i = 0; i < before->service_count; i++)
                used |= before->services[i].number == number;
            // First those that nobody had.
            if (!taken[number] && (round == 1 || !used))
                return number;
        }
    return 0;
}

static bool is_configured(const struct config_service *service, const struct endpoint *at) {
    for (uint32_t i = 0; i < service->server_count; i++)
        if (same_endpoint(&service->servers[i].at, at))
            return true;
    return false;
}

// A server's place: the one that it has, else one that is free, else a retired one's.
static int place_of(const struct server_rules *places, const struct endpoint *at) {
    for (int i = 0; i < SERVERS_EACH; i++)
        if (places[i].service_number != 0 && same_endpoint(&places[i].at, at))
            return i;
    for (int i = 0; i < SERVERS_EACH; i++)
        if (places[i].service_number == 0)
            return i;
    for (int i = 0; i < SERVERS_EACH; i++)
        if (places[i].retired)
            return i;
    return -1;
}

// A number is another's now: it begins at zero.
static int clear_counters(int map, uint32_t number, size_t size, struct failure *failure) {
    size = (size + 7) / 8 * 8; // as the kernel has them, one after the other
    void *zeroes = calloc((size_t)libbpf_num_possible_cpus(), size);
    if (zeroes == NULL)
        return fail(failure, EXIT_UNABLE, "out of memory");
    int result = set(map, &number, zeroes, "counters", failure);
    free(zeroes);
    return result;
}

// A new server's state is empty, but for what words of the place's last server will be taken back.
// If that one was suspect, the next request is the new one's trial. Where a switch was up, it may
// have asked the server in another place: answers are on their way.
static int set_state(const struct pins *pins, uint32_t number, const struct endpoint *at,
                     bool was_up, struct failure *failure) {
    struct server_state old, fresh = {0};
    struct route route = {ROUTE_NONE, 0};
    if (was_up && netlink_route(at->address, &route, failure) < 0)
        return -1;
    if (bpf_map_lookup_elem(pins->server_states, &number, &old) == 0)
        fresh.outstanding = old.outstanding;
    if (route.kind == ROUTE_UNICAST)
        fresh.interface = route.interface;
    if (clear_counters(pins->server_counters, number, sizeof(struct server_counters), failure) < 0)
        return -1;
    return set(pins->server_states, &number, &fresh, "a server's state", failure);
}

// Unless another place has it by now.
static void forget_address(const struct pins *pins, const struct endpoint *at, uint32_t number) {
    uint32_t now;
    if (bpf_map_lookup_elem(pins->answering, at, &now) == 0 && now == number)
        bpf_map_delete_elem(pins->answering, at);
}

static int set_server(const struct pins *pins, uint32_t number, const struct server_rules *was,
                      const struct server_rules *rules, bool was_up, struct failure *failure) {
    bool other = !same_endpoint(&was->at, &rules->at);
    if (was->service_number != 0 && other)
        forget_address(pins, &was->at, number);
    if ((other && set_state(pins, number, &rules->at, was_up, failure) < 0) ||
        set(pins->server_rules, &number, rules, "a server's rules", failure) < 0)
        return -1;
    return set(pins->answering, &rules->at, &number, "a server's address", failure);
}

// Servers first, then the service that refers to them. Who was taken out of the service is retired:
// answers that clients wait for still pass. The next `up` forgets it.
static int set_service(const struct pins *pins, const struct before *before, uint8_t number,
                       const struct config_service *service, struct failure *failure) {
    struct server_rules places[SERVERS_EACH];
    memcpy(places, &before->servers[number * SERVERS_EACH], sizeof places);
    struct service_rules rules = {
        .at = service->at,
        .budget = service->budget,
        .number = number,
        .dialect = (uint8_t)service->dialect,
        .policy = (uint8_t)service->policy,
        .clone = (uint8_t)service->clone,
        .idempotent = service->idempotent,
        .state = (uint8_t)service->state,
    };
    strcpy(rules.name, service->name);
    for (uint32_t place = 0; place < SERVERS_EACH; place++) {
        struct server_rules *old = &places[place];
        uint32_t server = number * SERVERS_EACH + place;
        if (old->service_number == 0 || is_configured(service, &old->at))
            continue;
        if (old->retired) {
            forget_address(pins, &old->at, server);
            *old = (struct server_rules){0};
        } else {
            old->retired = true;
        }
        if (set(pins->server_rules, &server, old, "a server's rules", failure) < 0)
            return -1;
    }
    for (uint32_t i = 0; i < service->server_count; i++) {
        int place = place_of(places, &service->servers[i].at);
        if (place < 0)
            return fail(failure, EXIT_CONFIG,
                        "service \"%s\" changes too many servers at once: run `up` twice",
                        service->name);
        struct server_rules server = {.at = service->servers[i].at,
                                      .service = service->at,
                                      .workers = service->servers[i].workers,
                                      .service_number = number,
                                      .dialect = (uint8_t)service->dialect,
                                      .state = (uint8_t)service->state};
        if (set_server(pins, number * SERVERS_EACH + (uint32_t)place, &places[place], &server,
                       before->was_up, failure) < 0)
            return -1;
        places[place] = server;
        rules.members |= 1u << place;
    }
    rules.enabled = rules.members;
    return set(pins->services, &rules.at, &rules, "a service", failure);
}

// Services that aren't configured any more, or have another address now. Under a number that is
// taken there are others' servers by now, or its own if it is the service's still.
static int remove_services(const struct pins *pins, const struct before *before,
                           const struct config *config, const bool taken[SERVICES],
                           struct failure *failure) {
    for (int i = 0; i < before->service_count; i++) {
        const struct service_rules *old = &before->services[i];
        bool stays = false;
        for (uint32_t j = 0; j < config->service_count; j++)
            stays |= same_endpoint(&config->services[j].at, &old->at);
        if (!stays && bpf_map_delete_elem(pins->services, &old->at) < 0 && errno != ENOENT)
            return fail_number(failure, EXIT_KERNEL, errno, "can't remove service \"%s\"",
                               old->name);
        for (uint32_t place = 0; !taken[old->number] && place < SERVERS_EACH; place++) {
            uint32_t number = old->number * SERVERS_EACH + place;
            static const struct server_rules none;
            if (before->servers[number].service_number == 0)
                continue;
            forget_address(pins, &before->servers[number].at, number);
            if (set(pins->server_rules, &number, &none, "a server's rules", failure) < 0)
                return -1;
        }
    }
    return 0;
}

struct client_prefix {
    uint32_t bits, address;
};

static int set_clients(const struct pins *pins, const struct config *config,
                       struct failure *failure) {
    const uint32_t here = 1;
    for (uint32_t i = 0; i < config->client_count; i++) {
        struct client_prefix prefix = {config->clients[i].bits, config->clients[i].address};
        if (set(pins->clients, &prefix, &here, "the clients", failure) < 0)
            return -1;
    }
    struct client_prefix key, gone[CLIENT_PREFIXES], *last = NULL;
    int count = 0;
    while (count < CLIENT_PREFIXES && bpf_map_get_next_key(pins->clients, last, &key) == 0) {
        bool stays = false;
        for (uint32_t i = 0; i < config->client_count; i++)
            stays |=
                config->clients[i].bits == key.bits && config->clients[i].address == key.address;
        if (!stays)
            gone[count++] = key;
        last = &key;
    }
    for (int i = 0; i < count; i++)
        bpf_map_delete_elem(pins->clients, &gone[i]);
    return 0;
}

// Of all that is in the maps by now: what is retired is answered still.
static int set_ports(const struct pins *pins, struct failure *failure) {
    static struct known_ports known;
    const uint32_t zero = 0;
    struct endpoint key, *last = NULL;
    memset(&known, 0, sizeof known);
    for (; bpf_map_get_next_key(pins->services, last, &key) == 0; last = &key)
        known.ports[key.port] |= PORT_OF_SERVICE;
    last = NULL;
    for (; bpf_map_get_next_key(pins->answering, last, &key) == 0; last = &key)
        known.ports[key.port] |= PORT_OF_SERVER;
    return set(pins->ports_in_use, &zero, &known, "the ports", failure);
}

// The places of the service's servers at the address.
static uint32_t places_at(const struct server_rules *servers, uint32_t service, uint32_t address) {
    uint32_t places = 0;
    for (uint32_t place = 0; place < SERVERS_EACH; place++) {
        const struct server_rules *server = &servers[service * SERVERS_EACH + place];
        if (server->service_number != 0 && server->at.address == address)
            places |= 1u << place;
    }
    return places;
}

static int set_own_servers(const struct pins *pins, struct failure *failure) {
    static struct server_rules servers[SERVERS];
    struct own_key key, gone[SERVERS], *last = NULL;
    int count = 0;
    if (read_servers(pins, servers, failure) < 0)
        return -1;
    for (uint32_t i = 0; i < SERVERS; i++) {
        const struct server_rules *server = &servers[i];
        key = (struct own_key){server->at.address, server->service_number};
        uint32_t places = places_at(servers, i / SERVERS_EACH, server->at.address);
        if (server->service_number != 0 &&
            set(pins->own_servers, &key, &places, "a server's host", failure) < 0)
            return -1;
    }
    for (; count < SERVERS && bpf_map_get_next_key(pins->own_servers, last, &key) == 0; last = &key)
        if (places_at(servers, key.service_number, key.address) == 0)
            gone[count++] = key;
    for (int i = 0; i < count; i++)
        bpf_map_delete_elem(pins->own_servers, &gone[i]);
    return 0;
}

static int set_rules(const struct pins *pins, const struct config *config, bool was_up,
                     struct failure *failure) {
    struct before *before = calloc(1, sizeof *before);
    if (before == NULL)
        return fail(failure, EXIT_UNABLE, "out of memory");
    before->was_up = was_up;
    int result = read_before(pins, before, failure);
    bool taken[SERVICES] = {false};
    uint8_t numbers[SERVICES] = {0};
    for (int round = 0; round < 2; round++) // those that have a number keep it
        for (uint32_t i = 0; result == 0 && i < config->service_count; i++) {
            bool known = known_service(before, config->services[i].name) != NULL;
            if (known == (round == 0)) {
                numbers[i] = number_of(before, &config->services[i], taken);
                taken[numbers[i]] = true;
            }
            if (!known && round == 1)
                result = clear_counters(pins->service_counters, numbers[i],
                                        sizeof(struct service_counters), failure);
        }
    for (uint32_t i = 0; result == 0 && i < config->service_count; i++)
        result = set_service(pins, before, numbers[i], &config->services[i], failure);
    if (result == 0)
        result = set_clients(pins, config, failure);
    if (result == 0)
        result = remove_services(pins, before, config, taken, failure);
    if (result == 0)
        result = set_ports(pins, failure);
    if (result == 0)
        result = set_own_servers(pins, failure);
    free(before);
    return result;
}

// --- hooks ---

static int port_index(const struct settings *settings, uint32_t interface) {
    for (uint32_t i = 0; i < settings->port_count && i < PORTS; i++)
        if (settings->ports[i].interface == interface)
            return (int)i;
    return -1;
}

// Before anything is changed, so that a mistyped port leaves the switch that is up as it is.
static int look_at_ports(const struct config *config, uint32_t interfaces[PORTS],
                         struct failure *failure) {
    for (uint32_t i = 0; i < config->port_count; i++) {
        bool ingress_only;
        interfaces[i] = if_nametoindex(config->ports[i]);
        if (interfaces[i] == 0)
            return fail(failure, EXIT_UNABLE, "there is no network interface %s", config->ports[i]);
        if (netlink_is_ingress_only(interfaces[i], &ingress_only, failure) < 0)
            return -1;
        if (ingress_only)
            return fail(failure, EXIT_UNABLE, HOOKS_INGRESS_ONLY, config->ports[i]);
    }
    return 0;
}

// The interfaces are noted before anything is attached, with a qdisc of ours: or a kill in between
// would leave what nobody knows of.
static int attach(const struct pins *pins, const struct config *config,
                  const uint32_t interfaces[PORTS], const struct switch_bpf *program,
                  struct failure *failure) {
    bool host = config->where == WHERE_HOST;
    int ingress =
        bpf_program__fd(host ? program->progs.host_ingress : program->progs.switch_ingress);
    int egress = host ? bpf_program__fd(program->progs.host_egress) : -1;
    struct settings settings;
    bool is_new[PORTS] = {false};
    if (pins_settings(pins, &settings, failure) < 0)
        return -1;
    for (uint32_t i = 0; i < config->port_count; i++)
        if (port_index(&settings, interfaces[i]) < 0) {
            if (settings.port_count == PORTS)
                return fail(failure, EXIT_CONFIG, "more than %d ports: run `down` first", PORTS);
            is_new[i] = true;
            settings.ports[settings.port_count].interface = interfaces[i];
            settings.ports[settings.port_count++].made_qdisc = true;
        }
    settings.where = (uint16_t)config->where;
    if (pins_set_settings(pins, &settings, failure) < 0)
        return -1;
    for (uint32_t i = 0; i < config->port_count; i++) {
        bool made;
        int result = hooks_attach(interfaces[i], HOOKS_SWITCH, ingress, egress, &made, failure);
        if (is_new[i])
            settings.ports[port_index(&settings, interfaces[i])].made_qdisc = made;
        if (result == 0)
            continue;
        // The qdiscs of those that weren't reached are others'.
        struct failure ignored;
        while (++i < config->port_count)
            if (is_new[i])
                settings.ports[port_index(&settings, interfaces[i])].made_qdisc = false;
        pins_set_settings(pins, &settings, &ignored);
        return -1;
    }
    // Those that aren't configured any more.
    uint32_t kept = 0;
    for (uint32_t i = 0; i < settings.port_count; i++) {
        bool stays = false;
        for (uint32_t j = 0; j < config->port_count; j++)
            stays |= interfaces[j] == settings.ports[i].interface;
        if (stays)
            settings.ports[kept++] = settings.ports[i];
        else if (hooks_detach(settings.ports[i].interface, HOOKS_SWITCH,
                              settings.ports[i].made_qdisc, failure) < 0)
            return -1;
    }
    settings.port_count = kept;
    return pins_set_settings(pins, &settings, failure);
}

// --- the commands ---

// The key stays: words that are under way are found by it, and flows' servers.
static int set_settings(const struct switch_bpf *program, const struct config *config,
                        const struct settings *before, struct failure *failure) {
    const uint32_t zero = 0;
    struct settings settings = *before;
    if (settings.key.k0 == 0 && settings.key.k1 == 0 &&
        getrandom(&settings.key, sizeof settings.key, 0) != sizeof settings.key)
        return fail_number(failure, EXIT_UNABLE, errno, "no random numbers");
    settings.slots = config->slots;
    settings.layout = LAYOUT;
    return set(bpf_map__fd(program->maps.switch_settings), &zero, &settings, "the settings",
               failure);
}

static int bring_up(struct pins *pins, const struct config *config, const struct settings *before,
                    struct failure *failure) {
    uint32_t interfaces[PORTS];
    if (look_at_ports(config, interfaces, failure) < 0)
        return -1;
    struct switch_bpf *program = load(pins, config, before, failure);
    if (program == NULL)
        return -1;
    int result = set_settings(program, config, before, failure);
    if (result == 0)
        result = pins_open(pins, failure);
    if (result == 0)
        result = set_rules(pins, config, before->port_count > 0, failure);
    if (result == 0)
        result = start_sweeping(program, failure);
    if (result == 0)
        result = attach(pins, config, interfaces, program, failure);
    switch_bpf__destroy(program); // the filters and the pins hold what is to stay
    return result;
}

// Takes the hooks away from every port that is noted.
static int detach(const struct pins *pins, struct failure *failure) {
    struct settings settings;
    int result = pins_settings(pins, &settings, failure);
    for (uint32_t i = 0; result == 0 && i < settings.port_count && i < PORTS; i++)
        result = hooks_detach(settings.ports[i].interface, HOOKS_SWITCH,
                              settings.ports[i].made_qdisc, failure);
    return result;
}

int command_up(const struct options *options, struct failure *failure) {
    struct pins pins;
    struct config *config = config_read(options->config, failure);
    if (config == NULL)
        return -1;
    int result = pins_check(options->pins, failure);
    if (result == 0)
        result = pins_begin(&pins, options->pins, PINS_MAKE, failure);
    if (result == 0) {
        struct settings before;
        struct failure ignored;
        result = read_settings(&pins, &before, failure);
        // What never was up leaves nothing behind.
        if (result == 0 && (result = bring_up(&pins, config, &before, failure)) < 0 &&
            before.port_count == 0 && (pins.switch_settings < 0 || detach(&pins, &ignored) == 0))
            pins_remove(&pins, &ignored);
        pins_close(&pins);
    }
    if (result == 0)
        printf("%u services are up on %u ports\n", config->service_count, config->port_count);
    free(config);
    return result;
}

int command_down(const struct options *options, struct failure *failure) {
    struct pins pins;
    programs_listen();
    if (pins_check(options->pins, failure) < 0)
        return -1;
    if (pins_begin(&pins, options->pins, PINS_CHANGE, failure) < 0) {
        if (failure->code != EXIT_DOWN)
            return -1;
        puts("no switch was up");
        return 0;
    }
    struct failure ignored;
    int result = 0;
    // Without settings nothing was ever attached, but for another build's.
    bool opened = pins_open(&pins, &ignored) == 0;
    if (!opened && pins.switch_settings < 0 && ignored.code == EXIT_OTHER) {
        *failure = ignored;
        result = -1;
    } else if (opened || pins.switch_settings >= 0) {
        result = detach(&pins, failure);
    }
    if (result == 0)
        result = pins_remove(&pins, failure);
    pins_close(&pins);
    if (result == 0)
        puts("the switch is down; its services' addresses are nobody's now");
    return result;
}
