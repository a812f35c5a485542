// SPDX-License-Identifier: Apache-2.0
// Points in time on the monotonic clock, for deadlines and durations.
#pragma once

#include <time.h>

#include "standard.h"

// Nanoseconds of CLOCK_MONOTONIC.
int64_t now_ns(void);

// A moment `milliseconds` from now; pass it to functions that take a `deadline_ns`.
int64_t deadline_in_ms(int64_t milliseconds);

// The earlier of two.
int64_t sooner(int64_t one_ns, int64_t other_ns);

// Nanoseconds, negative ones too, as the kernel takes them: the rest is from 0 to 999999999.
struct timespec timespec_of_ns(int64_t ns);

// Milliseconds until the deadline, at least 0, at most INT_MAX: the timeout argument of poll(2).
int deadline_poll_ms(int64_t deadline_ns);
