// SPDX-License-Identifier: Apache-2.0
// The switch's state between two runs of the tool: maps, pinned in a directory of a BPF file
// system.
#pragma once

#include "failure.h"
#include "layout.h"

// One for each map that the tool reads or writes, and what its values are.
#define PINNED_MAPS(each)                                                                          \
    each(switch_settings, sizeof(struct settings)) each(tracing, sizeof(struct tracing))           \
        each(services, sizeof(struct service_rules))                                               \
            each(server_rules, sizeof(struct server_rules)) each(answering, sizeof(uint32_t))      \
                each(clients, sizeof(uint32_t)) each(slots, sizeof(struct slot))                   \
                    each(server_states, sizeof(struct server_state))                               \
                        each(service_states, sizeof(struct service_state))                         \
                            each(service_counters, sizeof(struct service_counters))                \
                                each(server_counters, sizeof(struct server_counters))              \
                                    each(flows, sizeof(uint32_t)) each(events, 0)                  \
                                        each(ports_in_use, sizeof(struct known_ports))             \
                                            each(own_servers, sizeof(uint32_t))

struct pins {
    char directory[256];
    int lock; // the directory, locked
#define PIN_FD(name, size) int name;
    PINNED_MAPS(PIN_FD)
#undef PIN_FD
};

// Room for a pin's path.
enum { PIN_PATH = 512 };

// Where the pin of a map is: `path`, PIN_PATH bytes.
const char *pins_path(const struct pins *pins, const char *name, char *path);

// Opens one map, also one that no switch has; -1 with errno, which is EMEDIUMTYPE if its values
// aren't of this size: it is of another build, and reading it would write beyond what is there.
int pins_map(const struct pins *pins, const char *name, size_t size);

// Whether state is of another layout than this build's, though all sizes are the same.
bool pins_is_other(const struct settings *settings);

// EXIT_OTHER: what is up is of another build, whose state can't be read.
//
// `what`: "switch", "agent"
int pins_fail_other(const char *what, struct failure *failure);

// Whether the directory, or the one that it is to be made in, is on a BPF file system.
int pins_check(const char *directory, struct failure *failure);

enum pins_use {
    PINS_MAKE,   // make the directory (mode 0700), and lock it against other runs of the tool
    PINS_CHANGE, // lock it; EXIT_DOWN where there is none
    PINS_LOOK,   // no lock
};
int pins_begin(struct pins *pins, const char *directory, enum pins_use use,
               struct failure *failure);

// Opens all maps; EXIT_DOWN where there are none, EXIT_OTHER where they are of another build.
int pins_open(struct pins *pins, struct failure *failure);

// Other runs of the tool may change the state from now on.
void pins_unlock(struct pins *pins);
void pins_close(struct pins *pins);

// Removes every pin, and the directory.
int pins_remove(const struct pins *pins, struct failure *failure);

int pins_settings(const struct pins *pins, struct settings *settings, struct failure *failure);
int pins_set_settings(const struct pins *pins, const struct settings *settings,
                      struct failure *failure);

// All services, in the order of their numbers; their count, or -1.
int pins_services(const struct pins *pins, struct service_rules services[ADDRESSES],
                  struct failure *failure);
