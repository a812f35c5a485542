// SPDX-License-Identifier: Apache-2.0
// Whether there is memory enough to image a process. Asked at the last moment at which a no does no
// harm: the OOM killer would come while CRIU is at work in the process.
#pragma once

#include "failure.h"

#define FREEZE_NEEDS (48ull << 20) // CRIU itself, and what the kernel counts for it

// All in bytes.
struct freeze_memory {
    uint64_t image;    // what the image will take
    uint64_t reserved; // how much of that the RAM disk holds already
    uint64_t
        available; // to us, beside what we hold, our memory cgroup included; UINT64_MAX: not known
};

// EXIT_SPACE when what isn't reserved yet, and FREEZE_NEEDS, is more than is available.
int freeze_memory_check(const struct freeze_memory *memory, struct failure *failure);
