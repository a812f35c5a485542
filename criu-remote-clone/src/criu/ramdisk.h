// SPDX-License-Identifier: Apache-2.0
// Memory-backed storage for images: a tmpfs that is mounted nowhere (fsmount(2) without
// move_mount(2)), so that it can't be found by path, never reaches a disk (`noswap` where the
// kernel has it) and is gone when the last descriptor is closed, however the tool ends. Without the
// right to mount it comes from a user namespace (and may be swapped: `noswap` is root's); without
// those, it is a 0700 directory on /dev/shm, removed by the keeper.
#pragma once

#include "failure.h"
#include "identity.h"
#include "keeper.h"

struct ramdisk {
    int dir_fd;      // the root directory
    bool huge_pages; // huge pages were accepted
    bool detached;   // a mount of our own, visible to nobody
    char path[64];   // "/proc/<pid>/fd/<n>", or the directory: reachable by our children
};

// `limit_bytes`: the file system's size. `huge_pages`: for memory images only, a small file would
// take 2 MiB.
int ramdisk_open(struct ramdisk *disk, uint64_t limit_bytes, bool huge_pages, struct keeper *keeper,
                 struct failure *failure);
// Gives the root directory to CRIU's user, if that isn't us.
int ramdisk_give(struct ramdisk *disk, const struct identity *identity, struct failure *failure);
void ramdisk_close(struct ramdisk *disk);
