// SPDX-License-Identifier: Apache-2.0
// What the parts of the receiver share: receiver.c takes and checks the messages, receiver_write.c
// stores, receiver_file.c the regular files,
// receiver_finish.c sets what can only be set at the end, receiver_binds.c lists the binds.
#pragma once

#include <xxhash.h>

#include "deadline.h"
#include "fileset.h"
#include "store.h"

// As many as a sender may have (fileset_internal.h); their paths together are limited as well.
#define RECEIVER_RECORDS_MAX (1u << 20)
#define RECEIVER_PATHS_MAX (256u << 20)

// What a file is given when it is complete.
struct stored_facts {
    mode_t mode;
    uid_t uid;
    gid_t gid;
    int64_t mtime_ns;
};

// What is stored at a path.
struct record {
    const char *path; // of the source
    struct stored_facts facts;
    dev_t device;
    ino_t inode;
    bool made;     // we made it; a directory may also have been there
    int keeper_id; // 0: the directory it is in, which we made, is on the keeper's list
    bool gone;
    mode_t old_mode; // of a directory that was there and got another one
};

// The regular file that is being received.
struct incoming {
    struct record *record; // NULL: none
    int fd;
    uint64_t size, offset;
    struct stored_facts facts;
};

struct receiver {
    struct receiver_plan plan;
    struct keeper *keeper;
    bool root; // we run as root: owners are set
    bool finished;
    struct store *store;
    const char **tops; // roots and extra files, sorted
    size_t top_count;
    void *by_path;           // tsearch(3) tree of struct record
    struct record **records; // in the order they came: directories before what is in them
    size_t count, path_bytes;
    struct incoming incoming;
    XXH3_state_t *hash; // of the incoming file's bytes
    uint64_t bytes;
    struct bind *binds;
    size_t bind_count;
};

// What is there at the path, or NULL.
struct record *receiver_find(const struct receiver *receiver, const char *path);
// The directory that the path is in (path_is_clean()), or NULL if it isn't stored.
const struct record *receiver_parent(const struct receiver *receiver, const char *path);
// A record for a path that has none, or whose file is gone.
struct record *receiver_add(struct receiver *receiver, const char *path, struct failure *failure);

// Each stores what the facts say at a path where nothing is stored (any more).
int receiver_store_directory(struct receiver *receiver, const CloneWire__FileFacts *facts,
                             struct failure *failure);
int receiver_store_node(struct receiver *receiver, const CloneWire__FileFacts *facts,
                        struct failure *failure); // a symbolic link or a FIFO
int receiver_store_hard_link(struct receiver *receiver, const CloneWire__FileFacts *facts,
                             struct failure *failure);
// Removes what is stored there.
int receiver_clear(struct receiver *receiver, struct record *record, struct failure *failure);

// Gets everything ready for making something new at the path, and returns its record, not valid
// yet. *there: the spot is taken by a directory, which is allowed for directories only.
struct record *receiver_prepare(struct receiver *receiver, const CloneWire__FileFacts *facts,
                                struct spot *spot, bool *there, struct failure *failure);
// Would the file system of `fd` have enough left, with so many bytes more? EXIT_SPACE.
int receiver_check_room(const struct receiver *receiver, const char *path, int fd, uint64_t bytes,
                        struct failure *failure);
// It could not be made, errno says why: what somebody else has just put there isn't the keeper's.
int receiver_not_made(const struct receiver *receiver, const struct record *record,
                      struct failure *failure);
// It is there now: the record is valid.
int receiver_complete(struct record *record, const CloneWire__FileFacts *facts, bool made,
                      const struct spot *spot, struct failure *failure);
struct stored_facts receiver_facts_of(const CloneWire__FileFacts *facts);

// A regular file: a new one, or more of one that is there; then its bytes, then its end.
int incoming_create(struct receiver *receiver, const CloneWire__FileFacts *facts,
                    struct failure *failure);
int incoming_continue(struct receiver *receiver, struct record *record,
                      const CloneWire__FileFacts *facts, struct failure *failure);
int incoming_write(struct receiver *receiver, const uint8_t *bytes, size_t length,
                   struct failure *failure);
int incoming_end(struct receiver *receiver, uint64_t bytes, uint64_t hash, struct failure *failure);

// Opens what a record stands for: O_PATH, or a directory for reading. EXIT_TRANSFER if it is no
// longer what we stored.
int record_open(struct receiver *receiver, const struct record *record, struct failure *failure);

// Fills in the binds and makes mount points for those inside others.
int receiver_list_binds(struct receiver *receiver, struct failure *failure);

int receiver_store_failed(const char *path, struct failure *failure);
