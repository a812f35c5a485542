// SPDX-License-Identifier: Apache-2.0
// The places where received files are stored, and how to get there: each map's target and the base
// directory, opened once, and everything in them only by openat2(2) below that descriptor, without
// following a symbolic link. So neither what a peer sends nor what somebody with access to those
// directories does meanwhile leads anywhere else.
#pragma once

#include "failure.h"
#include "fileset.h"
#include "keeper.h"

struct store;

struct store *store_open(const struct path_maps *maps, struct keeper *keeper,
                         struct failure *failure);
void store_close(struct store *store); // NULL is allowed

// Where a path of the source is to be: a directory and a name in it.
struct spot {
    int dir_fd; // O_PATH; the store's, valid until the next call
    char name[NAME_MAX + 1];
};

// The spot of a path (path_is_clean()) whose parent directory is there. EXIT_TRANSFER if it isn't,
// or isn't what was stored.
int store_find(struct store *store, const char *source_path, struct spot *spot,
               struct failure *failure);
// The same, but makes the directories above, mode 0700 and on the keeper's list: as long as nothing
// is in them.
int store_make(struct store *store, const char *source_path, struct spot *spot,
               struct failure *failure);
// The absolute local path of it. Returns malloc'd.
char *store_path(struct store *store, const char *source_path, struct failure *failure);
// The absolute path of a map's target, whether it is there or not. malloc'd; NULL: out of memory.
char *store_map_target(const struct store *store, size_t map);
// A directory was removed or replaced: what is remembered may be wrong.
void store_forget(struct store *store);
