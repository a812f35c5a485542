// SPDX-License-Identifier: Apache-2.0
// agent: up, down and status of the programs on a server's host. As with the switch what is
// attached is noted before it is, so that a kill at any point leaves nothing that nobody knows of.
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <jansson.h>
#include <net/if.h>
#include <unistd.h>

#include "agent.h"
#include "agent.skel.h"
#include "commands.h"
#include "config.h"
#include "hooks.h"
#include "pins.h"
#include "programs.h"

static const uint32_t zero = 0;

// What is up; zeroes: nothing.
static struct agent_rules read_rules(const struct pins *pins) {
    struct agent_rules rules = {0};
    int map = pins_map(pins, "agent_rules", sizeof rules);
    if (map >= 0) {
        if (bpf_map_lookup_elem(map, &zero, &rules) < 0)
            rules = (struct agent_rules){0};
        close(map);
    }
    return rules;
}

// Another build's rules say where it is, but not to this one. EXIT_OTHER.
static int check_rules(const struct pins *pins, struct failure *failure) {
    int map = pins_map(pins, "agent_rules", sizeof(struct agent_rules));
    bool other = map < 0 && errno == EMEDIUMTYPE;
    if (map >= 0)
        close(map);
    return other ? fail(failure, EXIT_OTHER,
                        "the agent that is up here is of another build of clone-switch, which this "
                        "one can't take over from: run that one's `agent down` first")
                 : 0;
}

// Counts of another layout are none.
static void forget_other_counters(const struct pins *pins) {
    char path[PIN_PATH];
    int map = pins_map(pins, "agent_counters", sizeof(struct agent_counters));
    if (map >= 0)
        close(map);
    else if (errno == EMEDIUMTYPE)
        unlink(pins_path(pins, "agent_counters", path));
}

static int make_rules(const struct options *options, struct agent_rules *rules,
                      struct failure *failure) {
    *rules = (struct agent_rules){.at.interface = if_nametoindex(options->interface),
                                  .port_count = options->port_count,
                                  .client_count = options->client_count};
    if (rules->at.interface == 0)
        return fail(failure, EXIT_UNABLE, "there is no network interface %s", options->interface);
    if (options->port_count == 0 || options->client_count == 0)
        return fail(failure, EXIT_USAGE,
                    "agent up needs the server's --port and the clients' --to IPV4/BITS");
    for (uint32_t i = 0; i < options->port_count; i++)
        rules->ports[i] = htons((uint16_t)options->ports[i]);
    for (uint32_t i = 0; i < options->client_count; i++) {
        struct config_prefix prefix;
        if (!config_prefix_parse(options->clients[i], &prefix))
            return fail(failure, EXIT_USAGE,
                        "--to takes IPV4/BITS without bits behind the prefix, not '%s'",
                        options->clients[i]);
        rules->clients[i].address = prefix.address;
        rules->clients[i].mask = config_prefix_mask(&prefix);
    }
    return 0;
}

static struct agent_bpf *load(const struct pins *pins, struct failure *failure) {
    struct agent_bpf *program = agent_bpf__open();
    if (program == NULL) {
        fail_number(failure, EXIT_KERNEL, errno, "can't open the BPF object");
        return NULL;
    }
    forget_other_counters(pins);
    if (programs_load(pins, program->skeleton, "BPF, NET_ADMIN and PERFMON", failure) == 0)
        return program;
    agent_bpf__destroy(program);
    return NULL;
}

static int set_rules(const struct agent_bpf *program, const struct agent_rules *rules,
                     struct failure *failure) {
    if (bpf_map_update_elem(bpf_map__fd(program->maps.agent_rules), &zero, rules, BPF_ANY) < 0)
        return fail_number(failure, EXIT_KERNEL, errno, "can't write the rules");
    return 0;
}

static int leave(const struct agent_place *place, struct failure *failure) {
    return place->interface != 0
               ? hooks_detach(place->interface, HOOKS_AGENT, place->made_qdisc, failure)
               : 0;
}

// It can't be attached: as if nobody had tried to.
static void stay(const struct agent_bpf *program, const struct agent_rules *was,
                 const struct agent_rules *rules) {
    struct agent_rules still = *was;
    struct failure ignored;
    still.before = (struct agent_place){0, 0};
    if (hooks_detach(rules->at.interface, HOOKS_AGENT, false, &ignored) == 0)
        set_rules(program, &still, &ignored);
}

// On another interface it works before it is taken away from the one where it was.
static int attach(const struct agent_bpf *program, const struct agent_rules *was,
                  struct agent_rules *rules, struct failure *failure) {
    bool same = was->at.interface == rules->at.interface, made;
    rules->at.made_qdisc = same ? was->at.made_qdisc : true;
    if (!same)
        rules->before = was->at;
    if (set_rules(program, rules, failure) < 0)
        return -1;
    if (hooks_attach(rules->at.interface, HOOKS_AGENT,
                     bpf_program__fd(program->progs.agent_ingress),
                     bpf_program__fd(program->progs.agent_egress), &made, failure) < 0) {
        if (!same && was->at.interface != 0)
            stay(program, was, rules);
        return -1;
    }
    if (same)
        return 0;
    rules->at.made_qdisc = made;
    if (set_rules(program, rules, failure) < 0 || leave(&rules->before, failure) < 0)
        return -1;
    rules->before = (struct agent_place){0, 0};
    return set_rules(program, rules, failure);
}

static int bring_up(const struct pins *pins, struct agent_rules *rules, struct failure *failure) {
    struct agent_rules was = read_rules(pins);
    struct agent_bpf *program = load(pins, failure);
    if (program == NULL)
        return -1;
    int result = leave(&was.before, failure); // of an `up` that was killed
    if (result == 0)
        result = attach(program, &was, rules, failure);
    agent_bpf__destroy(program); // the filters and the pins hold what is to stay
    return result;
}

static int agent_up(const struct options *options, struct failure *failure) {
    struct agent_rules rules;
    struct pins pins;
    if (make_rules(options, &rules, failure) < 0 || pins_check(options->pins, failure) < 0 ||
        pins_begin(&pins, options->pins, PINS_MAKE, failure) < 0)
        return -1;
    int result = check_rules(&pins, failure);
    struct failure ignored;
    if (result == 0) {
        bool was_up = read_rules(&pins).at.interface != 0;
        result = bring_up(&pins, &rules, failure);
        // What never was up leaves nothing behind.
        if (result < 0 && !was_up &&
            hooks_detach(rules.at.interface, HOOKS_AGENT, false, &ignored) == 0)
            pins_remove(&pins, &ignored);
    }
    pins_close(&pins);
    if (result == 0)
        printf("the agent is up on %s\n", options->interface);
    return result;
}

static int agent_down(const struct options *options, struct failure *failure) {
    struct pins pins;
    if (pins_check(options->pins, failure) < 0)
        return -1;
    if (pins_begin(&pins, options->pins, PINS_CHANGE, failure) < 0) {
        if (failure->code != EXIT_DOWN)
            return -1;
        puts("no agent was up");
        return 0;
    }
    struct agent_rules rules = read_rules(&pins);
    int result = check_rules(&pins, failure);
    if (result == 0)
        result = leave(&rules.before, failure);
    if (result == 0)
        result = leave(&rules.at, failure);
    if (result == 0)
        result = pins_remove(&pins, failure);
    pins_close(&pins);
    if (result == 0)
        puts("the agent is down; switches count its server's requests again");
    return result;
}

static int read_counters(const struct pins *pins, struct agent_counters *sum,
                         struct failure *failure) {
    int processors = libbpf_num_possible_cpus();
    int map = pins_map(pins, "agent_counters", sizeof *sum);
    if (map < 0 && errno == EMEDIUMTYPE)
        return pins_fail_other("agent", failure);
    struct agent_counters *each = calloc(processors > 0 ? (size_t)processors : 1, sizeof *each);
    int result = map < 0 || each == NULL ? -1 : bpf_map_lookup_elem(map, &zero, each);
    int error = errno;
    *sum = (struct agent_counters){0};
    for (int i = 0; result == 0 && i < processors; i++) {
        sum->answers += each[i].answers;
        sum->told += each[i].told;
        sum->empty += each[i].empty;
        sum->clones += each[i].clones;
        sum->dropped += each[i].dropped;
    }
    free(each);
    if (map >= 0)
        close(map);
    return result == 0 ? 0 : fail_number(failure, EXIT_KERNEL, error, "can't read the counters");
}

static int agent_status(const struct options *options, struct failure *failure) {
    struct pins pins;
    struct agent_counters counters;
    char name[HOOKS_INTERFACE];
    if (pins_check(options->pins, failure) < 0 ||
        pins_begin(&pins, options->pins, PINS_LOOK, failure) < 0)
        return -1;
    struct agent_rules rules = read_rules(&pins);
    int result = read_counters(&pins, &counters, failure);
    pins_close(&pins);
    if (result < 0)
        return -1;
    bool attached = hooks_are_there(rules.at.interface, HOOKS_AGENT, true);
    hooks_interface(rules.at.interface, name);
    if (options->json) {
        json_t *ports = json_array();
        for (uint32_t i = 0; i < rules.port_count && i < AGENT_PORTS; i++)
            json_array_append_new(ports, json_integer(ntohs(rules.ports[i])));
        json_t *root =
            json_pack("{s:s, s:b, s:o, s:I, s:I, s:I, s:I, s:I}", "interface", name, "attached",
                      attached, "ports", ports, "answers", (json_int_t)counters.answers, "told",
                      (json_int_t)counters.told, "empty", (json_int_t)counters.empty, "clones",
                      (json_int_t)counters.clones, "dropped", (json_int_t)counters.dropped);
        json_dumpf(root, stdout, JSON_COMPACT);
        putchar('\n');
        json_decref(root);
        return 0;
    }
    if (!attached)
        hooks_complain(rules.at.interface, "clone-switch agent up");
    printf("%s: %" PRIu64 " answers, %" PRIu64 " of them with the queue's length, %" PRIu64
           " times none; %" PRIu64 " clones, %" PRIu64 " of them dropped at a queue\n",
           name, counters.answers, counters.told, counters.empty, counters.clones,
           counters.dropped);
    return 0;
}

int command_agent(const struct options *options, struct failure *failure) {
    programs_listen();
    const char *action = options->action;
    if (strcmp(action, "up") == 0 && options->interface != NULL)
        return agent_up(options, failure);
    if (strcmp(action, "down") == 0 && options->interface == NULL)
        return agent_down(options, failure);
    if (strcmp(action, "status") == 0 && options->interface == NULL)
        return agent_status(options, failure);
    return fail(failure, EXIT_USAGE, "agent takes up INTERFACE, down, or status");
}
