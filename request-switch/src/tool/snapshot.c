// SPDX-License-Identifier: Apache-2.0
// Reading the maps, and asking for the hooks.
#include "snapshot.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <time.h>

#include "hooks.h"

// Adds up each processor's 64-bit counters.
static int sum(int map, uint32_t key, uint64_t *total, size_t size, struct failure *failure) {
    int processors = libbpf_num_possible_cpus();
    uint64_t *each = processors > 0 ? calloc((size_t)processors, size) : NULL;
    if (each == NULL)
        return fail(failure, EXIT_UNABLE, "out of memory");
    int result = bpf_map_lookup_elem(map, &key, each);
    memset(total, 0, size);
    for (int processor = 0; result == 0 && processor < processors; processor++)
        for (size_t i = 0; i < size / sizeof *total; i++)
            total[i] += each[(size_t)processor * size / sizeof *total + i];
    free(each);
    return result < 0 ? fail_number(failure, EXIT_KERNEL, result, "can't read counters") : 0;
}

static uint64_t boot_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int take_server(const struct pins *pins, const struct service_rules *rules,
                       const struct service_state *service, uint32_t place,
                       struct server_snapshot *server, struct failure *failure) {
    *server = (struct server_snapshot){.number = rules->number * SERVERS_EACH + place};
    if (bpf_map_lookup_elem(pins->server_rules, &server->number, &server->rules) < 0 ||
        bpf_map_lookup_elem(pins->server_states, &server->number, &server->state) < 0)
        return fail_number(failure, EXIT_KERNEL, errno, "can't read a server");
    if (sum(pins->server_counters, server->number, (uint64_t *)&server->counters,
            sizeof server->counters, failure) < 0)
        return -1;
    server->drained = (rules->enabled >> place & 1) == 0;
    server->suspect = (service->suspects >> place & 1) != 0;
    server->suspected_ns = server->counters.suspected_ns;
    uint64_t now = boot_time();
    if (server->suspect && server->state.suspect_since != 0 && now > server->state.suspect_since)
        server->suspected_ns += now - server->state.suspect_since;
    return 0;
}

static int take(const struct pins *pins, struct snapshot *snapshot, struct failure *failure) {
    struct service_rules rules[ADDRESSES];
    if (pins_settings(pins, &snapshot->settings, failure) < 0)
        return -1;
    for (uint32_t i = 0; i < snapshot->settings.port_count && i < PORTS; i++)
        snapshot->attached[i] = hooks_are_there(snapshot->settings.ports[i].interface, HOOKS_SWITCH,
                                                snapshot->settings.where == WHERE_HOST);
    snapshot->service_count = pins_services(pins, rules, failure);
    for (int i = 0; i < snapshot->service_count; i++) {
        struct service_snapshot *service = &snapshot->services[i];
        struct service_state state;
        uint32_t number = rules[i].number;
        service->rules = rules[i];
        if (bpf_map_lookup_elem(pins->service_states, &number, &state) < 0)
            return fail_number(failure, EXIT_KERNEL, errno, "can't read a service");
        if (sum(pins->service_counters, number, (uint64_t *)&service->counters,
                sizeof service->counters, failure) < 0)
            return -1;
        for (uint32_t place = 0; place < SERVERS_EACH; place++)
            if ((rules[i].members >> place & 1) != 0 &&
                take_server(pins, &rules[i], &state, place,
                            &service->servers[service->server_count++], failure) < 0)
                return -1;
    }
    return snapshot->service_count < 0 ? -1 : 0;
}

struct snapshot *snapshot_take(const struct pins *pins, struct failure *failure) {
    struct snapshot *snapshot = calloc(1, sizeof *snapshot);
    if (snapshot == NULL) {
        fail(failure, EXIT_UNABLE, "out of memory");
        return NULL;
    }
    if (take(pins, snapshot, failure) < 0) {
        free(snapshot);
        return NULL;
    }
    return snapshot;
}

uint64_t histogram_count(const uint64_t histogram[HISTOGRAM]) {
    uint64_t count = 0;
    for (int i = 0; i < HISTOGRAM; i++)
        count += histogram[i];
    return count;
}

uint64_t histogram_quantile(const uint64_t histogram[HISTOGRAM], double share) {
    double wanted = share * (double)histogram_count(histogram);
    uint64_t seen = 0;
    for (int i = 0; i < HISTOGRAM; i++) {
        seen += histogram[i];
        if (seen > 0 && (double)seen >= wanted)
            return UINT64_C(1) << i;
    }
    return 0;
}

static const struct {
    const char *name, *words;
} reasons[REASONS] = {
    [REASON_CLONED] = {"cloned", "cloned"},
    [REASON_PROBE] = {"probe", "cloned to a suspect, as a probe"},
    [REASON_NEVER] = {"never", "the service is never cloned"},
    [REASON_WRITE] = {"write", "not proved to be a read"},
    [REASON_SHAPE] = {"shape", "fragmented, or with IP options"},
    [REASON_OWED] = {"owed", "asked again while an answer was owed"},
    [REASON_ALONE] = {"alone", "no second server that is trusted"},
    [REASON_BUSY] = {"busy", "not both servers were idle"},
    [REASON_BUDGET] = {"budget", "over the budget of clones"},
    [REASON_ROUTE] = {"route", "no route to the second server"},
    [REASON_SLOT] = {"slot", "too many requests for one slot"},
};

const char *reason_name(uint32_t reason) {
    return reason < REASONS ? reasons[reason].name : "unknown";
}

const char *reason_words(uint32_t reason) {
    return reason < REASONS ? reasons[reason].words : "unknown";
}
