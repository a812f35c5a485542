// SPDX-License-Identifier: Apache-2.0
// What the parts of the file clone set share: fileset_scan.c lists, fileset_snapshot.c fixes the
// state of the freeze, fileset_send.c sends.
#pragma once

#include <sys/stat.h>
#include <xxhash.h>

#include "fileset.h"
#include "fileset_writers.h"

// More members than this are refused on either side: both keep a record of each.
#define FILESET_MEMBERS_MAX (1u << 20)

// Tells one state of a file from another, as far as stat(2) can.
struct stamp {
    uint64_t size;
    int64_t mtime_ns, ctime_ns;
};

enum frozen_as {
    FROZEN_NOT,
    FROZEN_AS_SENT, // nothing has changed since it was sent
    FROZEN_HELD,    // by an open descriptor of the file itself
    FROZEN_REFLINK, // by an open descriptor of a reflink
    FROZEN_COPIED,  // in the set's scratch file
};

// Copies made in the freeze, one after the other.
struct scratch {
    int fd;
    uint64_t used;
};

// A regular file's inode. Members that are hard links of each other share one.
struct content {
    dev_t device;
    ino_t inode;
    bool open_for_writing; // by the process, when we last looked
    bool reflinks;         // its file system can: a first reflink was made of it
    bool only_grew;        // between sending early and preparing, though it is large

    // What the target has of it; sent_as: one of its paths there, NULL: nothing.
    const char *sent_as;
    uint64_t sent_bytes;
    uint64_t sent_hash;
    struct stamp sent_stamp;
    bool sent_stamp_tells; // with the same stamp, it still has the bytes that were sent
    unsigned version;      // of its inode on the target: a whole new copy is a new inode
    bool right;            // in this pass, the target was given what it must have

    enum frozen_as frozen;
    struct stamp frozen_stamp;
    // Held, or of the reflink. Of a copy: the file itself, if its beginning is still to be
    // compared.
    int fd;
    struct scratch *scratch;
    uint64_t scratch_at; // where in it byte `from` is
    // What was sent is still the beginning of what was frozen: only what follows is sent.
    bool continues;
    uint64_t from;
    XXH3_state_t *hash; // of the bytes before `from`, if there are any and they were read again
};

// One tree or file, and where it is.
struct root {
    char *path;   // as the process names it and the target gets it
    char *parent; // directory it is really in, free of symbolic links
    char *name;
    bool may_vanish; // nobody named it: it was found
};

// A directory, file, link or FIFO below a root (or the root itself).
struct member {
    const struct root *root;
    mode_t mode;
    uid_t uid;
    gid_t gid;
    uint64_t size;
    int64_t mtime_ns;
    char *link_target;       // symbolic links
    struct content *content; // regular files
    char path[];
};

struct listing {
    struct member **members; // directories before what is in them
    size_t count;
};

struct text_list {
    char **texts;
    size_t count;
};

// What the target has at a path.
struct sent {
    const char *path;
    mode_t mode;
    uid_t uid;
    gid_t gid;
    int64_t mtime_ns;
    char *link_target;
    struct content *content;
    unsigned version; // the content's, when this path got it
    bool gone;
    bool listed; // still there in the freeze
};

struct fileset {
    pid_t process;
    struct identity reader; // whose rights members are read with
    struct root **roots;
    size_t root_count, given_roots; // the given ones first, then what was added
    char **root_paths;
    struct text_list outside;
    struct listing listing; // as of the scan, from the freeze on as of the freeze
    uint64_t bytes;
    void *contents; // tsearch(3) tree of struct content by device and inode
    struct writers writers;

    void *sent_by_path; // tsearch(3) tree of struct sent
    struct sent **sent; // in the order they came
    size_t sent_count;

    struct scratch memory, disk;
    size_t held, held_max;
    uint8_t *buffer; // FILESET_BUFFER bytes
    // Of the snapshot, and of what is compared after it.
    int64_t deadline_ns; // 0: none
    int cut_fd;
    struct fileset_statistics statistics;
};

// Small enough to stay in a processor's cache between reading and hashing.
#define FILESET_BUFFER (256u << 10)

struct stamp stamp_of(const struct stat *status);
bool same_stamp(const struct stamp *left, const struct stamp *right);

// Something below a root, as a walk comes by. `dir_fd` and `name` lead to it without a path search.
struct encounter {
    const struct root *root;
    int dir_fd;
    const char *name;
    const char *path;
    struct stat status;
};
typedef int walk_visit(void *context, const struct encounter *here, struct failure *failure);

// Visits the root and everything below, directories before what is in them. What vanishes
// meanwhile is passed over. Returns 0 if there is no such root, 1 if there was.
int walk_root(const struct root *root, walk_visit *visit, void *context, struct failure *failure);

// A root for what is at `path`, symbolic links followed; `as` is its path for the target. NULL with
// a failure if there is nothing.
struct root *root_new(const char *path, const char *as, struct failure *failure);
void root_free(struct root *root);
// Is the path one of the roots, or below one?
bool fileset_covers(const struct fileset *set, const char *path);

// What a link says; NULL with 0 if it has vanished, and -1 on failure.
int link_read(const struct encounter *here, char **text, struct failure *failure);

// Adds what a walk came by; *added is NULL if it is nothing that is copied (a socket).
int listing_add(struct fileset *set, const struct encounter *here, struct member **added,
                struct failure *failure);
void listing_drop_last(struct listing *listing);
void listing_free(struct listing *listing);

// The content of this inode, made on first sight.
struct content *content_of(struct fileset *set, const struct stat *status);
void content_reset_hash(struct content *content);

// Opens a regular member for reading: the descriptor, or -1 with errno (ENOENT: it is no longer
// there, or no longer the same file).
int member_open(const struct member *member, struct stat *status);
// Fails with errno's reason why the file can't be opened.
int member_unreadable(const char *path, struct failure *failure);
void member_take_status(struct member *member, const struct stat *status);

// Fills in set->outside from the symbolic links of the listing.
int outside_find(struct fileset *set, struct failure *failure);

// Compares the beginning of the file (now `size` bytes long) with what was sent of it, and sets
// continues, from and hash.
int content_compare(struct fileset *set, struct content *content, int fd, uint64_t size,
                    const char *path, struct failure *failure);
// What the target has at the path, or NULL.
struct sent *sent_find(const struct fileset *set, const char *path);
// The target now has the member.
struct sent *sent_record(struct fileset *set, const struct member *member);
// It no longer has the content at this path.
void sent_lose_content(struct sent *sent);
bool sent_same_facts(const struct sent *sent, const struct member *member);
// Is the content, in its present version, at this path? (NULL: no.)
bool sent_has_content(const struct sent *sent, const struct content *content);
void sent_free_all(struct fileset *set);
