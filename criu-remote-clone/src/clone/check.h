// SPDX-License-Identifier: Apache-2.0
// `check`: is this host, and this process, fit for cloning? docs/internals/requirements.md explains
// each requirement.
#pragma once

#include "failure.h"
#include "options.h"
#include "requirements.h"

// Appends what this host must have for `serve` and `pull`, with the CRIU and the lease directory
// of these options.
int check_requirements(const struct options *options, struct requirements *requirements,
                       struct failure *failure);

// Appends what stands against cloning this process: a line for the process, and one per obstacle.
int check_process(pid_t pid, struct requirements *requirements, struct failure *failure);

// The `check` command: both of these (the process if a pid is given), printed. -1 with EXIT_UNABLE
// (the host) or EXIT_REFUSED (the process) when something isn't met.
int check_host(const struct options *options, FILE *out, struct failure *failure);

// One question each, kept apart so that each can be tested: is "6.1.0-13-amd64" at least 5.9?
bool kernel_is_at_least(const char *release, unsigned major, unsigned minor);
// Names of capabilities (capabilities(7)) that are in `wanted` and not in `held`, listed in
// `names`; their number.
size_t capabilities_lacking(uint64_t wanted, uint64_t held, char *names, size_t size);
