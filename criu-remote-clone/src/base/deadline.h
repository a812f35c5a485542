// SPDX-License-Identifier: Apache-2.0
// Points in time on the monotonic clock, for deadlines and durations.
#pragma once

#include <stdint.h>

// Nanoseconds of CLOCK_MONOTONIC.
int64_t now_ns(void);

// A moment `milliseconds` from now; pass it to functions that take a `deadline_ns`.
int64_t deadline_in_ms(int64_t milliseconds);

// Milliseconds until the deadline, at least 0, at most INT_MAX: the timeout argument of poll(2).
int deadline_poll_ms(int64_t deadline_ns);
