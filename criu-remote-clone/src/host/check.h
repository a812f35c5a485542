// `check`: is this host, and this process, fit for cloning? A list of requirements, each with how
// it stands and, where it isn't met, the fix. docs/requirements.md explains each one.
#ifndef CLONE_CHECK_H
#define CLONE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "failure.h"

enum check_status {
    CHECK_PASS,
    CHECK_WARN, // works without, but slower or in fewer cases
    CHECK_FAIL,
};

struct requirement {
    enum check_status status;
    char *name;   // short, e.g. "kernel"
    char *detail; // how it is here
    char *fix;    // NULL: nothing to do
};

// A list that grows; start with {0}.
struct requirements {
    size_t count;
    struct requirement *list;
    bool incomplete; // for want of memory
};

// Appends copies; `fix` may be NULL.
void requirements_add(struct requirements *requirements, enum check_status status, const char *name,
                      const char *fix, const char *detail_format, ...)
    __attribute__((format(printf, 5, 6)));
size_t requirements_failed(const struct requirements *requirements);
// A table for people, or one JSON object {"able":…,"requirements":[{…}]}.
int requirements_print(const struct requirements *requirements, bool json, FILE *out,
                       struct failure *failure);
void requirements_clear(struct requirements *requirements);

// Appends what this host must have for `serve` and `pull`; `wanted_criu` as criu_find() takes it.
int check_requirements(const char *wanted_criu, struct requirements *requirements,
                       struct failure *failure);

// Appends what stands against cloning this process: a line for the process, and one per obstacle.
int check_process(pid_t pid, struct requirements *requirements, struct failure *failure);

// The `check` command: both of these (the process if `pid` isn't 0), printed. -1 with EXIT_UNABLE
// (the host) or EXIT_REFUSED (the process) when something isn't met.
int check_host(const char *wanted_criu, pid_t pid, bool json, FILE *out, struct failure *failure);

// One question each, kept apart so that each can be tested: is "6.1.0-13-amd64" at least 5.9?
bool kernel_is_at_least(const char *release, unsigned major, unsigned minor);
// Names of capabilities (capabilities(7)) that are in `wanted` and not in `held`, listed in
// `names`; their number.
size_t capabilities_lacking(uint64_t wanted, uint64_t held, char *names, size_t size);

#endif
