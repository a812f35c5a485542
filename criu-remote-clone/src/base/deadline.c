// SPDX-License-Identifier: Apache-2.0
// Points in time: see deadline.h.
#include "deadline.h"

int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t deadline_in_ms(int64_t milliseconds) {
    return now_ns() + milliseconds * 1000000;
}

int64_t sooner(int64_t one_ns, int64_t other_ns) {
    return one_ns < other_ns ? one_ns : other_ns;
}

struct timespec timespec_of_ns(int64_t ns) {
    const int64_t second = 1000000000;
    int64_t rest = ns % second;
    return (struct timespec){.tv_sec = ns / second - (rest < 0),
                             .tv_nsec = rest < 0 ? rest + second : rest};
}

int deadline_poll_ms(int64_t deadline_ns) {
    int64_t left = deadline_ns - now_ns();
    if (left <= 0)
        return 0;
    int64_t rounded = (left + 999999) / 1000000;
    return rounded > INT_MAX ? INT_MAX : (int)rounded;
}
