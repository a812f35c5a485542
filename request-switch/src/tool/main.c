// SPDX-License-Identifier: Apache-2.0
// clone-switch: requests that survive slow servers.
#include <getopt.h>
#include <signal.h>

#include "commands.h"

static const char about[] =
    "Clones requests in the kernel on their way to two servers, and drops the slower answer.\n\n";

static const char rest[] =
    "\nAll take --pins DIR (/sys/fs/bpf/clone-switch; agent: .../clone-agent; netrs: "
    ".../clone-netrs),\n"
    "and --help. `man clone-switch` has the configuration's keys and the exit codes.\n";

struct command {
    const char *name;
    int (*run)(const struct options *options, struct failure *failure);
    int least, most; // operands
    const char *options;
    const char *usage;
};

static const struct command commands[] = {
    {"check", command_check, 1, 1, "pj",
     "clone-switch check CONFIG [--json]\n"
     "        what this host lacks for the configuration, and what to do; changes nothing\n"},
    {"up", command_up, 1, 1, "p",
     "clone-switch up CONFIG\n"
     "        put the configuration into force; again after each change of it, and at boot\n"},
    {"down", command_down, 0, 0, "p",
     "clone-switch down\n"
     "        remove everything; nobody has the services' addresses then\n"},
    {"drain", command_drain, 2, 2, "pt",
     "clone-switch drain SERVICE SERVER [--time-limit SECONDS]\n"
     "        ask a server, ADDRESS:PORT, nothing new, and wait until it owes no answer\n"},
    {"status", command_status, 0, 0, "pjmw",
     "clone-switch status [--json | --prometheus] [--watch]\n"
     "        what was counted\n"},
    {"trace", command_trace, 0, 1, "pn",
     "clone-switch trace [SERVICE] [-n EVENTS]\n"
     "        each request's decision, and its answers\n"},
    {"agent", command_agent, 1, 2, "pjoa",
     "clone-switch agent up INTERFACE --port PORT... --to IPV4/BITS...\n"
     "clone-switch agent down\n"
     "clone-switch agent status [--json]\n"
     "        on a server's host: tell its queue, and drop clones that would have to wait\n"},
    {"netrs", command_netrs, 1, 2, "pj",
     "clone-switch netrs up CONFIG\n"
     "clone-switch netrs apply PLAN\n"
     "clone-switch netrs status [--json]\n"
     "clone-switch netrs monitors [--json]\n"
     "clone-switch netrs down\n"
     "        on switches of a fabric: select replicas in the network\n"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *to) {
    fprintf(to, "usage: clone-switch COMMAND...\n%s", about);
    for (int i = 0; i < COMMANDS; i++)
        fputs(commands[i].usage, to);
    fputs(rest, to);
}

static const struct command *find_command(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

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
        {"pins", required_argument, NULL, 'p'},
        {"json", no_argument, NULL, 'j'},
        {"prometheus", no_argument, NULL, 'm'},
        {"watch", no_argument, NULL, 'w'},
        {"time-limit", required_argument, NULL, 't'},
        {"port", required_argument, NULL, 'o'},
        {"to", required_argument, NULL, 'a'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    *options = (struct options){.pins = pins_of(command), .events = UINT32_MAX, .time_limit = 30};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, "n:", names, NULL)) != -1;) {
        options->help |= option == 'h';
        if (options->help)
            return 0;
        if (strchr(command->options, option) == NULL || option == '?')
            return fail(failure, EXIT_USAGE,
                        "doesn't take '%s', or it lacks its value; see clone-switch %s --help",
                        argv[optind - 1], command->name);
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
        return fail(failure, EXIT_USAGE, "%s operands; see clone-switch %s --help",
                    operands < command->least ? "lacks" : "has too many", command->name);
    if (options->json && options->prometheus)
        return fail(failure, EXIT_USAGE, "--json and --prometheus exclude each other");
    const char *first = operands > 0 ? argv[optind] : NULL;
    options->config = options->service = options->action = first;
    options->server = options->interface = options->file = operands > 1 ? argv[optind + 1] : NULL;
    return 0;
}

static int run(const struct command *command, int argc, char **argv) {
    struct options options;
    struct failure failure;
    int result = parse(command, argc, argv, &options, &failure);
    if (result == 0 && options.help)
        printf("usage:\n%s", command->usage);
    else if (result == 0)
        result = command->run(&options, &failure);
    if (result == 0)
        return EXIT_DONE;
    fprintf(stderr, "clone-switch %s: %s\n", command->name, failure.text);
    return failure.code;
}

int main(int argc, char **argv) {
    const char *first = argc > 1 ? argv[1] : "";
    const struct command *command = find_command(first);
    if (command != NULL)
        return run(command, argc - 1, argv + 1);
    if (argc == 2 && strcmp(first, "--version") == 0) {
        puts("clone-switch " TOOL_VERSION);
        return EXIT_DONE;
    }
    if (argc == 2 && strcmp(first, "--help") == 0) {
        print_usage(stdout);
        return EXIT_DONE;
    }
    if (argc > 1)
        fprintf(stderr, "clone-switch: there is no '%s'; see clone-switch --help\n", first);
    else
        print_usage(stderr);
    return EXIT_USAGE;
}
