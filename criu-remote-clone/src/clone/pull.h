// SPDX-License-Identifier: Apache-2.0
// `pull`: the target's end. Becomes the parent of the clone, or executes the fallback command.
#pragma once

#include "options.h"

// Returns the clone's exit code or, when there is no clone and no fallback, the tool's.
int pull_main(const struct options *options);

// `check HOST:PORT`: asks a waiting serve, clones nothing, and prints the verdict.
int pull_probe(const struct options *options);
