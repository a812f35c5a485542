// The file clone set: what the process owns on disk and its clone needs a copy of.
//
// Source: fileset_scan() lists the roots (directories or files; symbolic links that lead out of a
// root bring their targets along). fileset_send_early() sends, while the process runs, what nobody
// has open for writing. In the freeze, fileset_snapshot() makes a consistent copy: hard links of
// files that are not open for writing, real copies (reflinks where the file system can) of those
// that are. After the resume fileset_send_rest() sends what is new or has changed, and looks at
// size and mtime again after sending.
//
// Target: fileset_receive() stores under the maps, with modes, owners, times and links, never
// outside: every path is opened below its base with openat2(RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS).
#ifndef CLONE_FILESET_H
#define CLONE_FILESET_H

#include <stddef.h>
#include <stdint.h>

#include "clone_wire.pb-c.h"
#include "facts.h"
#include "failure.h"
#include "keeper.h"
#include "wire.h"

struct fileset;

struct fileset_statistics {
    uint64_t early_bytes, rest_bytes;                  // sent before the freeze, and after
    uint64_t linked_files, copied_files, copied_bytes; // in the freeze
    uint64_t files;
};

struct fileset *fileset_scan(const struct process_facts *process, char *const *roots,
                             size_t root_count, struct failure *failure);
uint64_t fileset_bytes(const struct fileset *set);
// Also send these files (absolute paths outside the roots): what the target's Answer lacks.
int fileset_add(struct fileset *set, const char *path, struct failure *failure);
int fileset_send_early(struct fileset *set, struct wire *wire, int64_t deadline_ns,
                       struct failure *failure);
// Prepares the snapshot's directory before the freeze, on the file system of the roots, listed with
// the keeper.
int fileset_prepare(struct fileset *set, struct keeper *keeper, struct failure *failure);
int fileset_snapshot(struct fileset *set, struct failure *failure);
int fileset_send_rest(struct fileset *set, struct wire *wire, int64_t deadline_ns,
                      struct failure *failure);
void fileset_statistics(const struct fileset *set, struct fileset_statistics *statistics);
void fileset_close(struct fileset *set); // removes the snapshot; NULL is allowed

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
// Received paths must be below one of `roots` or among `extra` (what we asked for): EXIT_TRANSFER.
struct receiver *receiver_open(const struct path_maps *maps, char *const *roots, size_t root_count,
                               char *const *extra, size_t extra_count, struct keeper *keeper,
                               struct failure *failure);
// Handles one WIRE_FILE_BEGIN/END/GONE message or data item.
int receiver_take(struct receiver *receiver, const struct wire_item *item, struct failure *failure);
// All files are whole, directory modes and times set.
int receiver_finish(struct receiver *receiver, struct failure *failure);
// What has to be bound over what in the clone's mount namespace: pairs (source path, local copy).
size_t receiver_binds(const struct receiver *receiver, const struct path_map **binds);
uint64_t receiver_bytes(const struct receiver *receiver);
void receiver_close(struct receiver *receiver);

#endif
