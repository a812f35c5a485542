// SPDX-License-Identifier: Apache-2.0
// The file clone set: what the process owns on disk and its clone needs a copy of.
//
// Source: fileset_scan() lists the roots. fileset_send_early() sends while the process runs. In the
// freeze, fileset_snapshot() fixes the state that the clone gets: what is as it was sent costs one
// stat(2); what nobody has open for writing is kept by reference (an open descriptor, which holds
// the inode as a hard link would and can't be left behind); what is open for writing is compared
// with what was sent, and only what is new is copied. After the resume fileset_send_rest() sends
// what is new or has changed, and looks again at what it kept by reference.
//
// Target: receiver_take() stores under the maps, with modes, owners, times and links, never
// outside: every path is opened below its base with openat2(RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS).
// See docs/internals/file-clone-set.md.
#pragma once

#include "clone_wire.pb-c.h"
#include "facts.h"
#include "failure.h"
#include "keeper.h"
#include "wire.h"

struct fileset;

struct fileset_statistics {
    uint64_t early_bytes, rest_bytes;    // sent before the freeze, and after
    uint64_t linked_files;               // in the freeze: kept by reference
    uint64_t copied_files, copied_bytes; // in the freeze: (partly) copied
    uint64_t files;
};

// Lists the roots: directories, with everything below, and files. The first `named` of them are the
// caller's, and must be there; the others were found, and may have been removed since.
struct fileset *fileset_scan(const struct process_facts *process, char *const *roots,
                             size_t root_count, size_t named, struct failure *failure);
// The roots as they are listed and sent: symbolic links resolved, nothing inside another.
char *const *fileset_roots(const struct fileset *set, size_t *count);
// Existing files and directories outside the roots that symbolic links inside lead to; of
// directories, everything below as well. The target must have them, or they must be added.
char *const *fileset_outside(const struct fileset *set, size_t *count);
uint64_t fileset_bytes(const struct fileset *set);
// Also send this file or tree (an absolute path outside the roots; a symbolic link is followed):
// what the target's Answer lacks. Before fileset_send_early(). What is gone again by now, as the
// process runs on, is left out: a clone doesn't need what its original has closed and deleted, and
// CRIU images what it has open without a name.
int fileset_add(struct fileset *set, const char *path, struct failure *failure);
int fileset_send_early(struct fileset *set, struct wire *wire, int64_t deadline_ns,
                       struct failure *failure);
// Before the freeze: opens what the snapshot needs, and gets big files ready for a reflink.
int fileset_prepare(struct fileset *set, struct failure *failure);
// In the freeze, which lasts until its end: fails soon after the deadline, or when `cut_fd` (-1:
// none) becomes readable.
int fileset_snapshot(struct fileset *set, int64_t deadline_ns, int cut_fd, struct failure *failure);
int fileset_send_rest(struct fileset *set, struct wire *wire, int64_t deadline_ns,
                      struct failure *failure);
void fileset_statistics(const struct fileset *set, struct fileset_statistics *statistics);
void fileset_close(struct fileset *set); // NULL is allowed

// --map SRC=DST of pull: paths of the source below SRC are stored at (or found at) DST.
struct path_map {
    char *source;
    char *target;
};
struct path_maps {
    struct path_map *maps;
    size_t count;
    char *base; // everything unmapped is stored under base/<absolute source path>
};
// Where a path of the source lives on this host. `stored`: the place for a received copy; else the
// place where the target's own file is looked for (unmapped: the same path). Returns malloc'd.
char *path_maps_resolve(const struct path_maps *maps, const char *source_path, int stored);

struct receiver;

struct receiver_plan {
    const struct path_maps *maps;
    // Received paths must be one of `roots` (the Offer's) or of `extra` (what we asked for), or
    // below one.
    char *const *roots;
    size_t root_count;
    char *const *extra;
    size_t extra_count;
    // The clone's. Running as root, we give all files to them; if they are root's, every file keeps
    // the owner it has on the source.
    uid_t uid;
    gid_t gid;
    uint64_t limit_bytes; // of all files together, as the peer offered them
    uint64_t keep_free;   // bytes of every file system that stay free; 0: fill it
};

// Strings and maps of the plan must stay as they are until receiver_close().
struct receiver *receiver_open(const struct receiver_plan *plan, struct keeper *keeper,
                               struct failure *failure);
// Handles one WIRE_FILE_BEGIN/END/GONE message or data item.
int receiver_take(struct receiver *receiver, const struct wire_item *item, struct failure *failure);
// All files are whole; sets the directories' owners, modes and times.
int receiver_finish(struct receiver *receiver, struct failure *failure);
// What has to be bound over what in the clone's mount namespace, outer ones first. Valid from
// receiver_finish() until receiver_close().
struct bind {
    char *source; // path on the source
    char *target; // of the local copy
    dev_t device; // which is this file
    ino_t inode;
};
size_t receiver_binds(const struct receiver *receiver, const struct bind **binds);
// Opens the copy (O_PATH), if it is still that: whoever owns a directory above may have put a
// symbolic link in its place. -1 with errno.
int bind_open(const struct bind *bind);
void bind_free(const struct bind *bind); // what is in it
// Moves a received file within what was stored, for the clone to find under another name: after
// receiver_finish(). EXIT_REFUSED if there is something already.
int receiver_rename(struct receiver *receiver, const char *old_path, const char *new_path,
                    struct failure *failure);
// No clone came of it: directories that were there get their modes back. NULL is allowed.
void receiver_put_back(struct receiver *receiver);
uint64_t receiver_bytes(const struct receiver *receiver);
void receiver_close(struct receiver *receiver); // what was stored stays; NULL is allowed
