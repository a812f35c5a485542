// SPDX-License-Identifier: Apache-2.0
// A list of requirements, each with how it stands and, where it isn't met, the fix.
#pragma once

#include "clone_wire.pb-c.h"
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
    CloneWire__HostFacts *host; // by which pairs of hosts are judged; NULL: not looked for
};

// Appends copies; `fix` may be NULL.
void requirements_add(struct requirements *requirements, enum check_status status, const char *name,
                      const char *fix, const char *detail_format, ...)
    __attribute__((format(printf, 5, 6)));
size_t requirements_failed(const struct requirements *requirements);
// A table for people, or one JSON object {"able":…,"requirements":[{…}],"host":{…}}: of the host
// what verdict_of() judges a pair by, CPU flags as far as they count.
int requirements_print(const struct requirements *requirements, bool json, FILE *out,
                       struct failure *failure);
void requirements_clear(struct requirements *requirements);
