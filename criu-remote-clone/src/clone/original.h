// SPDX-License-Identifier: Apache-2.0
// The process that is cloned, held by a pidfd from the start: once it has ended its number may be
// another's, who must neither be frozen nor sent anywhere.
#pragma once

#include "failure.h"

struct original {
    pid_t pid;
    int pidfd; // -1: not held
};

// EXIT_REFUSED when there is no such process, or it isn't ours to clone.
int original_hold(struct original *original, pid_t pid, struct failure *failure);
// EXIT_REFUSED once it has ended. Until then its number means it.
int original_is_there(const struct original *original, struct failure *failure);
// Should something have stopped it: it runs on.
void original_continue(const struct original *original);
void original_release(struct original *original);
