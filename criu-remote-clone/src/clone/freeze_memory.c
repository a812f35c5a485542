// SPDX-License-Identifier: Apache-2.0
// The last look at memory before the freeze.
#include "freeze_memory.h"

int freeze_memory_check(const struct freeze_memory *memory, struct failure *failure) {
    uint64_t missing = memory->image > memory->reserved ? memory->image - memory->reserved : 0;
    uint64_t needed = missing > UINT64_MAX - FREEZE_NEEDS ? UINT64_MAX : missing + FREEZE_NEEDS;
    if (memory->available >= needed)
        return 0;
    return fail(failure, EXIT_SPACE,
                "imaging needs %llu MiB more memory; only %llu MiB are available to serve (its "
                "memory cgroup included): raise the cgroup's limit, or free memory",
                (unsigned long long)needed >> 20, (unsigned long long)memory->available >> 20);
}
