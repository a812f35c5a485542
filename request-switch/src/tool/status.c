// SPDX-License-Identifier: Apache-2.0
// status: what was counted, for people, as JSON, and for Prometheus.
#include <jansson.h>
#include <time.h>

#include "commands.h"
#include "config.h"
#include "hooks.h"
#include "programs.h"
#include "snapshot.h"

static uint64_t cloned(const struct service_counters *counters) {
    return counters->by_reason[REASON_CLONED] + counters->by_reason[REASON_PROBE];
}

// --- for people ---

static const char *time_text(uint64_t us, char text[32]) {
    if (us == 0)
        return "-";
    if (us < 1000)
        snprintf(text, 32, "%" PRIu64 " us", us);
    else if (us < 1000000)
        snprintf(text, 32, "%.1f ms", (double)us / 1e3);
    else
        snprintf(text, 32, "%.1f s", (double)us / 1e6);
    return text;
}

static void print_server(const struct server_snapshot *server) {
    const struct server_counters *counters = &server->counters;
    char at[ENDPOINT_TEXT], middle[32], late[32];
    printf("  %-21s %-8s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64
           " %6d  %8s %8s\n",
           endpoint_text(&server->rules.at, at),
           server->drained   ? "drained"
           : server->suspect ? "suspect"
                             : "trusted",
           counters->originals, counters->clones, counters->answers, counters->won,
           counters->unanswered, server->state.outstanding > 0 ? server->state.outstanding : 0,
           time_text(histogram_quantile(counters->answer_time, 0.5), middle),
           time_text(histogram_quantile(counters->answer_time, 0.99), late));
    if (counters->suspected > 0)
        printf("  %-21s was suspect %" PRIu64 " times, %.1f s in all\n", "", counters->suspected,
               (double)server->suspected_ns / 1e9);
    // What it told may be old as it is asked seldom: its last answer's time is the measure.
    if (server->rules.state == STATE_AGENT && counters->answers > 0 && !server->suspect &&
        !is_agent_heard(server->state.told_at, server->state.waiting_since))
        printf("  %-21s tells no queue, so its requests are counted: %s\n", "",
               server->rules.dialect == DIALECT_NETCLONE ? "its header has none"
                                                         : "is an agent up on its host?");
}

static void print_service(const struct service_snapshot *service) {
    const struct service_counters *counters = &service->counters;
    char at[ENDPOINT_TEXT], half[32], most[32];
    printf("%s: %" PRIu64 " requests, %" PRIu64 " cloned, %" PRIu64
           " answered by the clone first, %" PRIu64 " slower answers dropped\n",
           service->rules.name, counters->requests, cloned(counters), counters->won_by_clone,
           counters->filtered);
    printf("  %s, %s, policy %s, clones %s, state %s%s\n", endpoint_text(&service->rules.at, at),
           dialect_name(service->rules.dialect), policy_name(service->rules.policy),
           clone_rule_name(service->rules.clone), state_rule_name(service->rules.state),
           service->rules.budget != BUDGET_OFF ? ", with a budget" : "");
    for (uint32_t reason = REASON_PROBE; reason < REASONS; reason++)
        if (counters->by_reason[reason] > 0)
            printf("  %9" PRIu64 " %s%s\n", counters->by_reason[reason],
                   reason == REASON_PROBE ? "" : "not cloned: ", reason_words(reason));
    if (histogram_count(counters->saved) > 0)
        printf("  the slower answer came later by %s at the median, %s at the 99th percentile\n",
               time_text(histogram_quantile(counters->saved, 0.5), half),
               time_text(histogram_quantile(counters->saved, 0.99), most));
    if (counters->strangers > 0)
        printf("  %9" PRIu64 " answers passed for which no request was known any more\n",
               counters->strangers);
    if (counters->flows > 0)
        printf("  %9" PRIu64 " TCP connections, each to one server\n", counters->flows);
    printf("  %-21s %-8s %9s %9s %9s %9s %9s %6s  %8s %8s\n", "server", "", "originals", "clones",
           "answers", "first", "none", "owed", "p50 <", "p99 <");
    for (uint32_t i = 0; i < service->server_count; i++)
        print_server(&service->servers[i]);
}

static void print_people(const struct snapshot *snapshot) {
    for (uint32_t i = 0; i < snapshot->settings.port_count; i++)
        if (!snapshot->attached[i])
            hooks_complain(snapshot->settings.ports[i].interface, "clone-switch up");
    if (snapshot->service_count == 0)
        puts("no services");
    for (int i = 0; i < snapshot->service_count; i++)
        print_service(&snapshot->services[i]);
}

// --- JSON ---

static json_t *histogram_json(const uint64_t histogram[HISTOGRAM]) {
    json_t *list = json_array();
    for (int i = 0; i < HISTOGRAM; i++)
        json_array_append_new(list, json_integer((json_int_t)histogram[i]));
    return list;
}

static json_t *server_json(const struct server_snapshot *server) {
    const struct server_counters *counters = &server->counters;
    char at[ENDPOINT_TEXT];
    json_t *told = server->state.told_at != 0 ? json_integer(server->state.told) : json_null();
    return json_pack(
        "{s:s, s:s, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:o, s:I, s:I, s:f, s:o}", "address",
        endpoint_text(&server->rules.at, at), "state",
        server->drained   ? "drained"
        : server->suspect ? "suspect"
                          : "trusted",
        "workers", (int)server->rules.workers, "originals", (json_int_t)counters->originals,
        "clones", (json_int_t)counters->clones, "answers", (json_int_t)counters->answers, "won",
        (json_int_t)counters->won, "filtered", (json_int_t)counters->filtered, "unanswered",
        (json_int_t)counters->unanswered, "outstanding",
        server->state.outstanding > 0 ? server->state.outstanding : 0, "told_queue", told,
        "average_us", (json_int_t)(server->state.average_ns / 1000), "suspected",
        (json_int_t)counters->suspected, "suspected_seconds", (double)server->suspected_ns / 1e9,
        "answer_time_log2_us", histogram_json(counters->answer_time));
}

static json_t *service_json(const struct service_snapshot *service) {
    const struct service_counters *counters = &service->counters;
    json_t *reasons = json_object(), *servers = json_array();
    char at[ENDPOINT_TEXT];
    for (uint32_t reason = REASON_NEVER; reason < REASONS; reason++)
        json_object_set_new(reasons, reason_name(reason),
                            json_integer((json_int_t)counters->by_reason[reason]));
    for (uint32_t i = 0; i < service->server_count; i++)
        json_array_append_new(servers, server_json(&service->servers[i]));
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "name",
        service->rules.name, "address", endpoint_text(&service->rules.at, at), "protocol",
        dialect_name(service->rules.dialect), "policy", policy_name(service->rules.policy), "clone",
        clone_rule_name(service->rules.clone), "requests", (json_int_t)counters->requests, "cloned",
        (json_int_t)cloned(counters), "probes", (json_int_t)counters->by_reason[REASON_PROBE],
        "not_cloned", reasons, "answers", (json_int_t)counters->answers, "won_by_clone",
        (json_int_t)counters->won_by_clone, "filtered", (json_int_t)counters->filtered, "strangers",
        (json_int_t)counters->strangers, "flows", (json_int_t)counters->flows, "saved_log2_us",
        histogram_json(counters->saved), "servers", servers);
}

static json_t *port_json(const struct snapshot *snapshot, uint32_t i) {
    char name[HOOKS_INTERFACE];
    return json_pack("{s:s, s:b}", "interface",
                     hooks_interface(snapshot->settings.ports[i].interface, name), "attached",
                     snapshot->attached[i]);
}

static void print_json(const struct snapshot *snapshot) {
    json_t *services = json_array(), *ports = json_array();
    for (uint32_t i = 0; i < snapshot->settings.port_count; i++)
        json_array_append_new(ports, port_json(snapshot, i));
    for (int i = 0; i < snapshot->service_count; i++)
        json_array_append_new(services, service_json(&snapshot->services[i]));
    json_t *root = json_pack("{s:s, s:o, s:i, s:o}", "where",
                             snapshot->settings.where == WHERE_HOST ? "host" : "switch", "ports",
                             ports, "slots", (int)snapshot->settings.slots, "services", services);
    json_dumpf(root, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(root);
}

// --- Prometheus' text format ---

static void print_metric(const char *name, const char *kind, const char *help) {
    printf("# HELP clone_switch_%s %s\n# TYPE clone_switch_%s %s\n", name, help, name, kind);
}

static void print_services_metric(const struct snapshot *snapshot, const char *name,
                                  const char *help, size_t offset) {
    print_metric(name, "counter", help);
    for (int i = 0; i < snapshot->service_count; i++)
        printf("clone_switch_%s{service=\"%s\"} %" PRIu64 "\n", name,
               snapshot->services[i].rules.name,
               *(const uint64_t *)((const char *)&snapshot->services[i].counters + offset));
}

static void print_servers_metric(const struct snapshot *snapshot, const char *name,
                                 const char *kind, const char *help,
                                 double (*value)(const struct server_snapshot *server)) {
    char at[ENDPOINT_TEXT];
    print_metric(name, kind, help);
    for (int i = 0; i < snapshot->service_count; i++)
        for (uint32_t j = 0; j < snapshot->services[i].server_count; j++)
            printf("clone_switch_%s{service=\"%s\",server=\"%s\"} %.17g\n", name,
                   snapshot->services[i].rules.name,
                   endpoint_text(&snapshot->services[i].servers[j].rules.at, at),
                   value(&snapshot->services[i].servers[j]));
}

static double originals_of(const struct server_snapshot *server) {
    return (double)server->counters.originals;
}
static double clones_of(const struct server_snapshot *server) {
    return (double)server->counters.clones;
}
static double answers_of(const struct server_snapshot *server) {
    return (double)server->counters.answers;
}
static double won_by(const struct server_snapshot *server) {
    return (double)server->counters.won;
}
static double unanswered_by(const struct server_snapshot *server) {
    return (double)server->counters.unanswered;
}
static double outstanding_of(const struct server_snapshot *server) {
    return server->state.outstanding > 0 ? server->state.outstanding : 0;
}
static double is_suspect(const struct server_snapshot *server) {
    return server->suspect;
}
static double suspected_seconds(const struct server_snapshot *server) {
    return (double)server->suspected_ns / 1e9;
}

static void print_prometheus(const struct snapshot *snapshot) {
    char name[HOOKS_INTERFACE];
    print_metric("attached", "gauge", "1: the port has its program.");
    for (uint32_t i = 0; i < snapshot->settings.port_count; i++)
        printf("clone_switch_attached{port=\"%s\"} %d\n",
               hooks_interface(snapshot->settings.ports[i].interface, name), snapshot->attached[i]);
    print_services_metric(snapshot, "requests_total", "Requests by UDP.",
                          offsetof(struct service_counters, requests));
    print_metric("decisions_total", "counter", "Requests by what became of them.");
    for (int i = 0; i < snapshot->service_count; i++)
        for (uint32_t reason = 0; reason < REASONS; reason++)
            printf("clone_switch_decisions_total{service=\"%s\",reason=\"%s\"} %" PRIu64 "\n",
                   snapshot->services[i].rules.name, reason_name(reason),
                   snapshot->services[i].counters.by_reason[reason]);
    print_services_metric(snapshot, "won_by_clone_total", "Requests that the clone answered first.",
                          offsetof(struct service_counters, won_by_clone));
    print_services_metric(snapshot, "filtered_total", "Slower answers dropped.",
                          offsetof(struct service_counters, filtered));
    print_services_metric(snapshot, "strangers_total", "Answers without a known request.",
                          offsetof(struct service_counters, strangers));
    print_services_metric(snapshot, "flows_total", "TCP connections.",
                          offsetof(struct service_counters, flows));
    print_servers_metric(snapshot, "originals_total", "counter", "Originals sent.", originals_of);
    print_servers_metric(snapshot, "clones_total", "counter", "Clones sent.", clones_of);
    print_servers_metric(snapshot, "answers_total", "counter", "Requests answered.", answers_of);
    print_servers_metric(snapshot, "won_total", "counter", "Requests answered first.", won_by);
    print_servers_metric(snapshot, "unanswered_total", "counter", "Requests given up.",
                         unanswered_by);
    print_servers_metric(snapshot, "outstanding", "gauge", "Requests not answered yet.",
                         outstanding_of);
    print_servers_metric(snapshot, "suspect", "gauge", "1: it isn't trusted now.", is_suspect);
    print_servers_metric(snapshot, "suspect_seconds_total", "counter", "Time it wasn't trusted.",
                         suspected_seconds);
}

// --- the command ---

int command_status(const struct options *options, struct failure *failure) {
    struct pins pins;
    programs_listen();
    if (pins_check(options->pins, failure) < 0 ||
        pins_begin(&pins, options->pins, PINS_LOOK, failure) < 0)
        return -1;
    int result = pins_open(&pins, failure);
    while (result == 0) {
        struct snapshot *snapshot = snapshot_take(&pins, failure);
        if (snapshot == NULL) {
            result = -1;
            break;
        }
        if (options->json)
            print_json(snapshot);
        else if (options->prometheus)
            print_prometheus(snapshot);
        else
            print_people(snapshot);
        free(snapshot);
        fflush(stdout);
        if (!options->watch)
            break;
        nanosleep(&(struct timespec){1, 0}, NULL);
    }
    pins_close(&pins);
    return result;
}
