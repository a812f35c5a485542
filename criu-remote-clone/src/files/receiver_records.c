// SPDX-License-Identifier: Apache-2.0
// What was received, by its path on the source.
#include <search.h>
#include <sys/stat.h>

#include "memory.h"
#include "receiver_internal.h"

static int compare_records(const void *left, const void *right) {
    return strcmp(((const struct record *)left)->path, ((const struct record *)right)->path);
}

static struct record *record_at(const struct receiver *receiver, const char *path) {
    struct record wanted = {.path = path};
    struct record **found = tfind(&wanted, &receiver->by_path, compare_records);
    return found == NULL ? NULL : *found;
}

struct record *receiver_find(const struct receiver *receiver, const char *path) {
    struct record *record = record_at(receiver, path);
    return record == NULL || record->gone ? NULL : record;
}

static int make_room(struct receiver *receiver, size_t path_bytes, struct failure *failure) {
    if (receiver->count >= RECEIVER_RECORDS_MAX ||
        receiver->path_bytes + path_bytes > RECEIVER_PATHS_MAX)
        return fail(failure, EXIT_TRANSFER, "the peer sent more than %u files",
                    RECEIVER_RECORDS_MAX);
    return grow(&receiver->records, receiver->count, sizeof *receiver->records, failure);
}

struct record *receiver_add(struct receiver *receiver, const char *path, struct failure *failure) {
    struct record *record = record_at(receiver, path);
    if (record != NULL) {
        *record = (struct record){.path = record->path};
        return record;
    }
    size_t length = strlen(path) + 1;
    if (make_room(receiver, length, failure) < 0)
        return NULL;
    record = calloc(1, sizeof *record + length);
    if (record != NULL)
        record->path = memcpy(record + 1, path, length);
    if (record == NULL || tsearch(record, &receiver->by_path, compare_records) == NULL) {
        free(record);
        out_of_memory(failure);
        return NULL;
    }
    receiver->records[receiver->count++] = record;
    receiver->path_bytes += length;
    return record;
}

const struct record *receiver_parent(const struct receiver *receiver, const char *path) {
    char above[PATH_MAX];
    snprintf(above, sizeof above, "%.*s", (int)(strrchr(path, '/') - path), path);
    const struct record *parent = receiver_find(receiver, above);
    return parent != NULL && S_ISDIR(parent->facts.mode) ? parent : NULL;
}
