// SPDX-License-Identifier: Apache-2.0
// Which files a process tree can write at this moment: open for writing, or mapped shared and
// writable. Cheap enough to be asked in the freeze.
#pragma once

#include "failure.h"

struct written_file {
    dev_t device;
    ino_t inode;
    bool mapped;
};

struct writers {
    struct written_file *files; // sorted, each once
    size_t count;
};

// Fills in `writers` (cleared first) for `root` and its descendants.
int writers_find(struct writers *writers, pid_t root, struct failure *failure);
// The file, if it can be written; else NULL.
const struct written_file *writers_have(const struct writers *writers, dev_t device, ino_t inode);
void writers_clear(struct writers *writers);
