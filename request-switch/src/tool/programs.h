// SPDX-License-Identifier: Apache-2.0
// Loading BPF programs whose maps are pinned.
#pragma once

#include <bpf/libbpf.h>

#include "failure.h"
#include "pins.h"

// Keeps the kernel's words for a failure, instead of writing them to standard error. From here on.
void programs_listen(void);

// Loads an opened skeleton, each of its maps pinned by its name.
//
// `capabilities`: those that this takes, for the failure's text.
int programs_load(const struct pins *pins, struct bpf_object_skeleton *skeleton,
                  const char *capabilities, struct failure *failure);

// The same in the place of programs whose maps are others, but for the map `kept`. What is pinned
// stays until ours are loaded, and if they can't be.
int programs_replace(const struct pins *pins, struct bpf_object_skeleton *skeleton,
                     const char *kept, const char *capabilities, struct failure *failure);
