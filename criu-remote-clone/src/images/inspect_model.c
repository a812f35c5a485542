// Reads the images kind by kind into JSON; the ids by which they refer to each other (file ids,
// file tables, pipe ids, ghosts) are resolved on the way.
#include "inspect_model.h"

#include <stdlib.h>
#include <string.h>

#include "inspect_internal.h"

// ---- Going through images

int model_malformed(struct reading *reading, const char *name, const char *why) {
    return fail(reading->failure, EXIT_IMAGE, "%s: %s", name, why);
}

static bool is_message(struct pb_view entry) {
    struct pb_field field;
    size_t position = 0;
    int more;
    while ((more = pb_next(entry.bytes, entry.length, &position, &field)) > 0)
        ;
    return more == 0;
}

static int read_image(struct reading *reading, const struct opened *opened, read_entry *read_one) {
    struct image image = opened->image;
    struct pb_view entry;
    bool first = true;
    int more;
    while ((more = image_next(&image, &entry.bytes, &entry.length, reading->failure)) > 0) {
        if (!is_message(entry))
            return model_malformed(reading, opened->name, "an entry is not valid protobuf");
        if (read_one(reading, opened, entry, first) != 0)
            return -1;
        first = false;
    }
    return more;
}

static int read_kind(struct reading *reading, const char *kind, read_entry *read_one) {
    for (size_t i = 0; i < reading->count; i++)
        if (reading->images[i].image.kind != NULL &&
            strcmp(reading->images[i].image.kind, kind) == 0 &&
            read_image(reading, &reading->images[i], read_one) != 0)
            return -1;
    return 0;
}

// ---- The dump as a whole

static json_t *make_lock_method(uint64_t method) {
    static const char *const methods[] = {"iptables", "nftables", "none"};
    return json_string(method < 3 ? methods[method] : "unknown");
}

static json_t *make_security(uint64_t module) {
    static const char *const modules[] = {"none", "SELinux", "AppArmor"};
    return json_string(module < 3 ? modules[module] : "unknown");
}

static int read_inventory(struct reading *reading, const struct opened *opened,
                          struct pb_view entry, bool first) {
    json_t *dump = model_get_or_make(reading->model, "dump", JSON_OBJECT);
    uint64_t version = pb_number(entry, INVENTORY_VERSION, 0);
    (void)opened;
    (void)first;
    model_set(dump, "image_format",
              json_string(version == 2   ? "1.1"
                          : version == 1 ? "1"
                                         : "unknown"));
    reading->tcp_closed = pb_number(entry, INVENTORY_TCP_CLOSE, 0) != 0;
    model_set_bool(dump, "tcp_closed", reading->tcp_closed);
    model_set(dump, "network_lock", make_lock_method(pb_number(entry, INVENTORY_LOCK_METHOD, 0)));
    model_set(dump, "security_module", make_security(pb_number(entry, INVENTORY_LSM, 0)));
    model_set_text(dump, "run_id", pb_part(entry, INVENTORY_RUN_ID));
    return 0;
}

static int read_stats(struct reading *reading, const struct opened *opened, struct pb_view entry,
                      bool first) {
    json_t *dump = model_get_or_make(reading->model, "dump", JSON_OBJECT);
    struct pb_view stats = pb_part(entry, STATS_DUMP);
    (void)opened;
    (void)first;
    if (stats.bytes == NULL)
        return 0;
    model_set_number(dump, "freezing_micros", pb_number(stats, STATS_FREEZING_MICROS, 0));
    model_set_number(dump, "frozen_micros", pb_number(stats, STATS_FROZEN_MICROS, 0));
    model_set_number(dump, "memory_micros", pb_number(stats, STATS_MEMORY_MICROS, 0));
    return 0;
}

static void count_images(struct reading *reading) {
    uint64_t bytes = 0, memory = 0;
    for (size_t i = 0; i < reading->count; i++) {
        const struct opened *opened = &reading->images[i];
        bool pages = opened->image.kind != NULL && strncmp(opened->image.kind, "pages", 5) == 0;
        *(pages ? &memory : &bytes) += opened->file_bytes;
    }
    json_t *images = model_get_or_make(reading->model, "images", JSON_OBJECT);
    model_set_number(images, "count", reading->count);
    model_set_number(images, "bytes", bytes + memory);
    model_set_number(images, "memory_bytes", memory);
    model_set_number(images, "shared_memory_bytes", 0);
}

// ---- Everything

// In this order: later readers look up what earlier ones found.
static const struct {
    const char *kind;
    read_entry *read_one;
} readers[] = {
    {"inventory", read_inventory},
    {"inventory", model_read_root_ids},
    {"stats", read_stats},
    {"pstree", model_read_pstree},
    {"core", model_read_core},
    {"core", model_read_thread_name},
    {"ids", model_read_ids},
    {"ids", model_read_namespaces},
    {"pipes-data", model_read_pipe_data},
    {"fifo-data", model_read_pipe_data},
    {"memfd", model_read_memfd},
    {"files", model_read_file},
    {"reg-files", model_read_old_regular},
    {"fdinfo", model_read_fdinfo},
    {"ghost-file", model_read_ghost},
    {"remap-fpath", model_read_remap},
    {"mm", model_read_mm},
    {"pagemap-shmem", model_read_shared_pagemap},
    {"fs", model_read_fs},
    {"filelocks", model_read_locks},
};

static int read_everything(struct reading *reading) {
    count_images(reading);
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
        if (read_kind(reading, readers[i].kind, readers[i].read_one) != 0)
            return -1;
    model_place_thread_names(reading);
    json_object_del(reading->model, "root_namespaces");
    model_find(reading);
    return 0;
}

static int open_images(struct reading *reading, const struct inspect_image *images, size_t count) {
    reading->images = calloc(count > 0 ? count : 1, sizeof *reading->images);
    if (reading->images == NULL)
        return fail(reading->failure, EXIT_SPACE, "out of memory");
    for (size_t i = 0; i < count; i++) {
        struct opened *opened = &reading->images[i];
        const char *kind;
        if (image_open(&opened->image, images[i].bytes, images[i].length, images[i].name,
                       reading->failure) != 0)
            return -1;
        opened->name = images[i].name;
        opened->file_bytes = images[i].file_bytes;
        image_name(images[i].name, &kind, &opened->number);
        reading->count = i + 1;
    }
    return 0;
}

json_t *inspect_model(const struct inspect_image *images, size_t count, struct failure *failure) {
    struct reading reading = {.model = json_object(),
                              .processes = json_object(),
                              .files = json_object(),
                              .tables = json_object(),
                              .buffered = json_object(),
                              .ghosts = json_object(),
                              .memfds = json_object(),
                              .failure = failure};
    int result = open_images(&reading, images, count);
    if (result == 0)
        result = read_everything(&reading);
    free(reading.images);
    json_decref(reading.processes);
    json_decref(reading.files);
    json_decref(reading.tables);
    json_decref(reading.buffered);
    json_decref(reading.ghosts);
    json_decref(reading.memfds);
    if (result != 0) {
        json_decref(reading.model);
        return NULL;
    }
    return reading.model;
}
