// SPDX-License-Identifier: Apache-2.0
// clone-switch: requests that survive slow servers.
#include <getopt.h>
#include <signal.h>

#include "commands.h"

static const char usage[] =
    "usage: clone-switch check CONFIG [--json]\n"
    "       clone-switch up CONFIG\n"
    "       clone-switch down\n"
    "       clone-switch drain SERVICE SERVER [--time-limit SECONDS]\n"
    "       clone-switch status [--json | --prometheus] [--watch]\n"
    "       clone-switch trace [SERVICE] [-n EVENTS]\n"
    "       clone-switch agent up INTERFACE --port PORT... --to IPV4/BITS...\n"
    "       clone-switch agent down\n"
    "       clone-switch agent status [--json]\n"
    "       clone-switch netrs up CONFIG\n"
    "       clone-switch netrs apply PLAN\n"
    "       clone-switch netrs status [--json]\n"
    "       clone-switch netrs monitors [--json]\n"
    "       clone-switch netrs down\n"
    "All take --pins DIR (/sys/fs/bpf/clone-switch; agent: .../clone-agent; netrs: "
    ".../clone-netrs). "
    "The man page has the rest.\n";

struct command {
    const char *name;
    int (*run)(const struct options *options, struct failure *failure);
    int least, most; // operands
    const char *options;
};

static const struct command commands[] = {
    {"check", command_check, 1, 1, "pj"},     {"up", command_up, 1, 1, "p"},
    {"down", command_down, 0, 0, "p"},        {"drain", command_drain, 2, 2, "pt"},
    {"status", command_status, 0, 0, "pjmw"}, {"trace", command_trace, 0, 1, "pn"},
    {"agent", command_agent, 1, 2, "pjoa"},   {"netrs", command_netrs, 1, 2, "pj"},
};

static int parse_count(const char *text, const char *what, uint32_t *count,
                       struct failure *failure) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value == 0 ||
        value > UINT32_MAX / 2)
        return fail(failure, EXIT_USAGE, "%s takes a whole number from 1, not '%s'", what, text);
    *count = (uint32_t)value;
    return 0;
}

static int add_port(const char *text, struct options *options, struct failure *failure) {
    uint32_t port;
    if (options->port_count == AGENT_PORTS)
        return fail(failure, EXIT_USAGE, "--port is given at most %d times", AGENT_PORTS);
    if (parse_count(text, "--port", &port, failure) < 0)
        return -1;
    if (port > UINT16_MAX)
        return fail(failure, EXIT_USAGE, "there is no port %u", port);
    options->ports[options->port_count++] = port;
    return 0;
}

static const char *pins_of(const struct command *command) {
    if (command->run == command_netrs)
        return "/sys/fs/bpf/clone-netrs";
    return command->run == command_agent ? "/sys/fs/bpf/clone-agent" : "/sys/fs/bpf/clone-switch";
}

static int parse(const struct command *command, int argc, char **argv, struct options *options,
                 struct failure *failure) {
    static const struct option names[] = {
        {"pins", required_argument, NULL, 'p'},       {"json", no_argument, NULL, 'j'},
        {"prometheus", no_argument, NULL, 'm'},       {"watch", no_argument, NULL, 'w'},
        {"time-limit", required_argument, NULL, 't'}, {"port", required_argument, NULL, 'o'},
        {"to", required_argument, NULL, 'a'},         {NULL, 0, NULL, 0},
    };
    *options = (struct options){.pins = pins_of(command), .events = UINT32_MAX, .time_limit = 30};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, "n:", names, NULL)) != -1;) {
        if (strchr(command->options, option) == NULL || option == '?')
            return fail(failure, EXIT_USAGE, "%s doesn't take '%s', or it lacks its value",
                        command->name, argv[optind - 1]);
        if ((option == 't' &&
             parse_count(optarg, "--time-limit", &options->time_limit, failure) < 0) ||
            (option == 'n' && parse_count(optarg, "-n", &options->events, failure) < 0))
            return -1;
        if (option == 'o' && add_port(optarg, options, failure) < 0)
            return -1;
        if (option == 'a' && options->client_count == AGENT_CLIENTS)
            return fail(failure, EXIT_USAGE, "--to is given at most %d times", AGENT_CLIENTS);
        if (option == 'a')
            options->clients[options->client_count++] = optarg;
        if (option == 'p')
            options->pins = optarg;
        options->json |= option == 'j';
        options->prometheus |= option == 'm';
        options->watch |= option == 'w';
    }
    int operands = argc - optind;
    if (operands < command->least || operands > command->most)
        return fail(failure, EXIT_USAGE, "%s takes %d to %d operands; see clone-switch --help",
                    command->name, command->least, command->most);
    if (options->json && options->prometheus)
        return fail(failure, EXIT_USAGE, "--json and --prometheus exclude each other");
    const char *first = operands > 0 ? argv[optind] : NULL;
    options->config = options->service = options->action = first;
    options->server = options->interface = options->file = operands > 1 ? argv[optind + 1] : NULL;
    return 0;
}

int main(int argc, char **argv) {
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            struct options options;
            struct failure failure;
            if (parse(&commands[i], argc - 1, argv + 1, &options, &failure) == 0 &&
                commands[i].run(&options, &failure) == 0)
                return EXIT_DONE;
            fprintf(stderr, "clone-switch %s: %s\n", commands[i].name, failure.text);
            return failure.code;
        }
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("clone-switch " TOOL_VERSION);
        return EXIT_DONE;
    }
    bool help = argc == 2 && strcmp(argv[1], "--help") == 0;
    fputs(usage, help ? stdout : stderr);
    return help ? EXIT_DONE : EXIT_USAGE;
}
