// SPDX-License-Identifier: Apache-2.0
// `serve`: the source's end. Waits for one peer and clones a running process to it.
#pragma once

#include "options.h"

// Returns the tool's exit code.
int serve_main(const struct options *options);
