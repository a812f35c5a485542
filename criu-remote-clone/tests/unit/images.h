// SPDX-License-Identifier: Apache-2.0
// Sets of images for tests: two kept ones, dumped from real processes, and a small protobuf writer
// and editor to make others from them.
//
// A set's file is a sequence of images: length of the name (1 byte), name, length (4 bytes, little
// endian), bytes. The kept ones are also seeds of tests/fuzz/fuzz_image.c:
//   c-program  user 1000 with group 1001: a process with all kinds of files, sockets, pipes,
//   deleted
//              files, locks, a thread, a zombie and a stopped child, in /srv/example/work
//   jvm        root without supplementary groups: a Java 17 process with a TCP connection
// (CRIU 4.2.1, `--leave-running --tcp-close --shell-job --manage-cgroups=ignore --file-locks`)
#pragma once

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"

#define C_PROGRAM "tests/fuzz/corpus/fuzz_image/c-program"
#define JVM "tests/fuzz/corpus/fuzz_image/jvm"

// ---- Writing protobuf

struct bytes {
    uint8_t *data;
    size_t length;
};

static inline void put(struct bytes *bytes, const void *data, size_t length) {
    bytes->data = realloc(bytes->data, bytes->length + length + 1);
    assert(bytes->data != NULL);
    if (length > 0)
        memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
}

static inline void put_varint(struct bytes *bytes, uint64_t value) {
    do {
        uint8_t byte = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);
        put(bytes, &byte, 1);
        value >>= 7;
    } while (value > 0);
}

static inline void put_number(struct bytes *bytes, uint32_t field, uint64_t value) {
    put_varint(bytes, field << 3 | PB_VARINT);
    put_varint(bytes, value);
}

static inline void put_data(struct bytes *bytes, uint32_t field, const void *data, size_t length) {
    put_varint(bytes, field << 3 | PB_BYTES);
    put_varint(bytes, length);
    put(bytes, data, length);
}

static inline void put_text(struct bytes *bytes, uint32_t field, const char *text) {
    put_data(bytes, field, text, strlen(text));
}

static inline void put_u32(struct bytes *bytes, uint32_t value) {
    uint8_t little[4] = {value, value >> 8, value >> 16, value >> 24};
    put(bytes, little, sizeof little);
}

// An entry of an image; frees `message`.
static inline void put_entry(struct bytes *bytes, struct bytes message) {
    put_u32(bytes, (uint32_t)message.length);
    put(bytes, message.data, message.length);
    free(message.data);
}

static inline struct bytes image_with_magic(uint32_t magic) {
    struct bytes bytes = {0};
    put_u32(&bytes, 0x54564319);
    put_u32(&bytes, magic);
    return bytes;
}

// ---- Sets of images

struct set_image {
    char name[256];
    struct bytes bytes;
};
struct image_set {
    struct set_image images[128];
    size_t count;
};

static inline void set_add(struct image_set *set, const char *name, const void *data,
                           size_t length) {
    assert(set->count < sizeof set->images / sizeof set->images[0]);
    struct set_image *image = &set->images[set->count++];
    snprintf(image->name, sizeof image->name, "%s", name);
    image->bytes = (struct bytes){0};
    put(&image->bytes, data, length);
}

static inline struct bytes read_whole(const char *path) {
    struct bytes bytes = {0};
    uint8_t buffer[4096];
    ssize_t count;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert(fd >= 0);
    while ((count = read(fd, buffer, sizeof buffer)) > 0)
        put(&bytes, buffer, (size_t)count);
    close(fd);
    return bytes;
}

static inline struct image_set *set_load(const char *path) {
    struct image_set *set = calloc(1, sizeof *set);
    struct bytes file = read_whole(path);
    size_t at = 0;
    while (at < file.length) {
        char name[256] = {0};
        size_t name_length = file.data[at++];
        memcpy(name, file.data + at, name_length);
        at += name_length;
        size_t length = file.data[at] | file.data[at + 1] << 8 | file.data[at + 2] << 16;
        set_add(set, name, file.data + at + 4, length);
        at += 4 + length;
    }
    assert(at == file.length);
    free(file.data);
    return set;
}

static inline void set_free(struct image_set *set) {
    for (size_t i = 0; i < set->count; i++)
        free(set->images[i].bytes.data);
    free(set);
}

// The first image whose name begins so: "core-" is that of the root process.
static inline struct set_image *set_find(struct image_set *set, const char *prefix) {
    for (size_t i = 0; i < set->count; i++)
        if (strncmp(set->images[i].name, prefix, strlen(prefix)) == 0)
            return &set->images[i];
    return NULL;
}

static inline void set_remove(struct image_set *set, const char *prefix) {
    struct set_image *image = set_find(set, prefix);
    assert(image != NULL);
    free(image->bytes.data);
    memmove(image, image + 1, (size_t)(&set->images[set->count] - image - 1) * sizeof *image);
    set->count--;
}

// ---- Editing

// "5.10.1": field 1 of field 10 of field 5. Returns the first number and moves on.
static inline uint32_t next_number(const char **path) {
    char *end;
    unsigned long number = strtoul(*path, &end, 10);
    *path = *end == '.' ? end + 1 : end;
    return (uint32_t)number;
}

// The message with every field at the path gone and `with` (an encoded field, may be empty) in the
// place of the first, or at the end; messages on the way are made where they are missing.
static inline struct bytes edited(struct pb_view message, const char *path, struct bytes with) {
    struct bytes result = {0};
    struct pb_field field;
    size_t position = 0;
    bool done = false;
    uint32_t number = next_number(&path);
    while (pb_next(message.bytes, message.length, &position, &field) > 0) {
        if (field.number != number) {
            put(&result, field.start, field.total);
        } else if (*path != '\0') {
            struct bytes inner = edited((struct pb_view){field.bytes, field.length}, path, with);
            put_data(&result, number, inner.data, inner.length);
            free(inner.data);
            done = true;
        } else if (!done) {
            put(&result, with.data, with.length);
            done = true;
        }
    }
    if (!done && *path != '\0') {
        struct bytes inner = edited((struct pb_view){0}, path, with);
        put_data(&result, number, inner.data, inner.length);
        free(inner.data);
    } else if (!done) {
        put(&result, with.data, with.length);
    }
    put(&result, "", 0);
    return result;
}

static inline struct image opened(const struct set_image *image) {
    struct image reader;
    struct failure failure;
    int result = image_open(&reader, image->bytes.data, image->bytes.length, image->name, &failure);
    assert(result == 0);
    (void)result;
    return reader;
}

// Replaces the entry (from 0) of the image; frees `with`.
static inline void edit_entry(struct set_image *image, size_t entry, const char *path,
                              struct bytes with) {
    struct image reader = opened(image);
    struct failure failure;
    struct pb_view message = {0};
    for (size_t i = 0; i <= entry; i++) {
        int more = image_next(&reader, &message.bytes, &message.length, &failure);
        assert(more == 1);
        (void)more;
    }
    size_t before = (size_t)(message.bytes - image->bytes.data) - 4;
    size_t after = before + 4 + message.length;
    struct bytes result = {0};
    put(&result, image->bytes.data, before);
    put_entry(&result, edited(message, path, with));
    put(&result, image->bytes.data + after, image->bytes.length - after);
    free(image->bytes.data);
    free(with.data);
    image->bytes = result;
}

// A message, text or bytes inside a message; `bytes` is NULL when it isn't there.
static inline struct pb_view pb_part(struct pb_view message, uint32_t number) {
    struct pb_field field;
    if (!pb_find(message.bytes, message.length, number, &field) || field.wire_type != PB_BYTES)
        return (struct pb_view){0};
    return (struct pb_view){field.bytes, field.length};
}

// The entry whose field at the path is that text, or that number as text.
static inline size_t entry_with(const struct set_image *image, const char *path,
                                const char *wanted) {
    struct image reader = opened(image);
    struct failure failure;
    struct pb_view message;
    for (size_t entry = 0; image_next(&reader, &message.bytes, &message.length, &failure) == 1;
         entry++) {
        struct pb_view part = message;
        const char *rest = path;
        uint32_t number = next_number(&rest);
        for (; *rest != '\0'; number = next_number(&rest))
            part = pb_part(part, number);
        struct pb_view text = pb_part(part, number);
        if ((text.bytes != NULL && text.length == strlen(wanted) &&
             memcmp(text.bytes, wanted, text.length) == 0) ||
            (text.bytes == NULL && part.bytes != NULL &&
             pb_number(part, number, UINT64_MAX) == strtoull(wanted, NULL, 10)))
            return entry;
    }
    assert(!"no such entry");
    return 0;
}

static inline uint32_t last_number(const char *path) {
    uint32_t number = 0;
    while (*path != '\0')
        number = next_number(&path);
    return number;
}

static inline void edit_number(struct set_image *image, size_t entry, const char *path,
                               uint64_t value) {
    struct bytes with = {0};
    put_number(&with, last_number(path), value);
    edit_entry(image, entry, path, with);
}

static inline void edit_text(struct set_image *image, size_t entry, const char *path,
                             const char *text) {
    struct bytes with = {0};
    put_text(&with, last_number(path), text);
    edit_entry(image, entry, path, with);
}

static inline void edit_away(struct set_image *image, size_t entry, const char *path) {
    edit_entry(image, entry, path, (struct bytes){0});
}

// Adds an entry to the end of the image; frees `message`.
static inline void append_entry(struct set_image *image, struct bytes message) {
    put_entry(&image->bytes, message);
}
