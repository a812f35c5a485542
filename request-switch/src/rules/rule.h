// SPDX-License-Identifier: Apache-2.0
// What every rule needs. A rule is pure: the BPF programs, the tool and the tests compile the same
// lines, and none of them calls anything.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RULE static inline __attribute__((always_inline, unused))
