// SPDX-License-Identifier: Apache-2.0
// cmocka, whose header has a macro named fail, after ours.
#pragma once

#include "failure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// A small generator with a seed of its own, so that what failed fails again (splitmix64, Steele et
// al.).
static inline uint64_t test_random(uint64_t *state) {
    uint64_t value = *state += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}
