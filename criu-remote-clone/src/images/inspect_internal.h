// What the readers of inspect_model() share. Nobody else includes this.
#ifndef CLONE_INSPECT_INTERNAL_H
#define CLONE_INSPECT_INTERNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "image.h"
#include "image_fields.h"

struct opened {
    struct image image; // at its beginning
    const char *name;
    uint32_t number;
    uint64_t file_bytes;
};

struct reading {
    struct opened *images;
    size_t count;
    json_t *model;
    json_t *processes; // "pid": borrowed by the model's array as well
    json_t *files;     // "id": the same for files, sockets, pipes and others
    json_t *tables;    // "id of a file table": pids that use it
    json_t *buffered;  // "pipe id": bytes in it
    json_t *ghosts;    // "ghost id": its facts
    json_t *memfds;    // "inode id": its facts
    bool tcp_closed;
    struct failure *failure;
};

// Reads an entry of the image; `first`: the image's first.
typedef int read_entry(struct reading *reading, const struct opened *opened, struct pb_view entry,
                       bool first);

// ---- inspect_json.c

// These take `value` over.
void model_set(json_t *object, const char *key, json_t *value);
void model_set_number(json_t *object, const char *key, uint64_t value);
void model_set_bool(json_t *object, const char *key, bool value);
void model_set_text(json_t *object, const char *key, struct pb_view text); // bytes NULL: not set
// The object or array of that key, made when it isn't there.
json_t *model_get_or_make(json_t *object, const char *key, json_type type);
const char *model_key(uint64_t id, char key[24]);
json_t *model_by_id(const json_t *index, uint64_t id);
json_t *model_text(struct pb_view text);
const char *model_text_of(const json_t *object, const char *key); // "" if it isn't there
uint64_t model_number_of(const json_t *object, const char *key);  // or 0
json_t *model_numbers(struct pb_view message, uint32_t number);
// The path of a file that was read before.
void model_set_path(struct reading *reading, json_t *object, const char *key, uint64_t file_id);

// ---- inspect_model.c

int model_malformed(struct reading *reading, const char *name, const char *why);

// ---- Readers

// inspect_processes.c
read_entry model_read_pstree, model_read_core, model_read_thread_name, model_read_ids,
    model_read_root_ids, model_read_namespaces, model_read_mm, model_read_shared_pagemap,
    model_read_fs;
void model_place_thread_names(struct reading *reading);
// inspect_files.c
read_entry model_read_file, model_read_old_regular, model_read_fdinfo, model_read_pipe_data,
    model_read_memfd, model_read_ghost, model_read_remap;
// inspect_findings.c
read_entry model_read_locks;
void model_find(struct reading *reading);

#endif
