// SPDX-License-Identifier: Apache-2.0
// criu-remote-clone: clone a running process to another host, and leave the original running.
#include <sodium.h>

#include "check.h"
#include "criu.h"
#include "options.h"
#include "pull.h"
#include "serve.h"

static const char usage[] =
    "usage: criu-remote-clone serve --pid PID --key-file FILE [OPTION...]\n"
    "       criu-remote-clone pull HOST:PORT --key-file FILE [OPTION...] [-- COMMAND...]\n"
    "       criu-remote-clone check [HOST:PORT --key-file FILE] [OPTION...]\n"
    "Each command knows --help; the man page has the rest.\n";

static int check_main(const struct options *options) {
    if (options->host != NULL)
        return pull_probe(options);
    struct failure failure;
    if (check_host(options, stdout, &failure) == 0)
        return EXIT_DONE;
    fprintf(stderr, "criu-remote-clone check: %s\n", failure.text);
    return failure.code;
}

int main(int argc, char **argv) {
    // CRIU starts us as its action script, without arguments and with this in the environment.
    if (argc == 1 && getenv("CRTOOLS_SCRIPT_ACTION") != NULL)
        return criu_action_main();
    if (sodium_init() < 0) {
        fputs("criu-remote-clone: no random numbers on this system\n", stderr);
        return EXIT_UNABLE;
    }
    static const struct {
        const char *name;
        enum command_name command;
        int (*run)(const struct options *options);
    } commands[] = {{"serve", COMMAND_SERVE, serve_main},
                    {"pull", COMMAND_PULL, pull_main},
                    {"check", COMMAND_CHECK, check_main}};
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            char name[64];
            snprintf(name, sizeof name, "criu-remote-clone %s", commands[i].name);
            argv[1] = name;
            struct options options;
            options_parse(&options, commands[i].command, argc - 1, argv + 1);
            int code = commands[i].run(&options);
            options_free(&options);
            return code;
        }
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("criu-remote-clone " TOOL_VERSION);
        return EXIT_DONE;
    }
    bool help = argc == 2 && strcmp(argv[1], "--help") == 0;
    fputs(usage, help ? stdout : stderr);
    return help ? EXIT_DONE : EXIT_USAGE;
}
