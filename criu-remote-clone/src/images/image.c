// SPDX-License-Identifier: Apache-2.0
// Reads CRIU's image files. The layout facts are those of CRIU 4.2's magic.h,
// image-desc.c and images/*.proto; the numbers of fields are in image_fields.h.
#include "image.h"

#include "image_fields.h"

// Format 1.1: this stands before an image's own magic, except in the inventory.
#define COMMON_MAGIC 0x54564319u
#define SERVICE_MAGIC 0x55105940u

enum numbered { PLAIN, DECIMAL, HEXADECIMAL };
// What stands after an entry's message.
enum payload {
    NO_PAYLOAD,
    PAYLOAD_FIELD_2, // as many bytes as field 2 says
    PAYLOAD_GHOST,   // one message, then the file: whole, or chunks with messages of their own
    NO_ENTRIES,      // the process's memory
};

// Those of a plain dump.
static const struct kind {
    const char *name;
    uint32_t common, magic; // 0: none
    enum numbered numbered;
    const char *tail; // the rest of the file name
    enum payload payload;
} kinds[] = {
    {"inventory", 0, 0x58313116, PLAIN, ".img", NO_PAYLOAD},
    {"pstree", COMMON_MAGIC, 0x50273030, PLAIN, ".img", NO_PAYLOAD},
    {"fdinfo", COMMON_MAGIC, 0x56213732, DECIMAL, ".img", NO_PAYLOAD},
    {"pagemap", COMMON_MAGIC, 0x56084025, DECIMAL, ".img", NO_PAYLOAD},
    {"pagemap-shmem", COMMON_MAGIC, 0x56084025, DECIMAL, ".img", NO_PAYLOAD},
    {"core", COMMON_MAGIC, 0x55053847, DECIMAL, ".img", NO_PAYLOAD},
    {"ids", COMMON_MAGIC, 0x54432030, DECIMAL, ".img", NO_PAYLOAD},
    {"mm", COMMON_MAGIC, 0x57492820, DECIMAL, ".img", NO_PAYLOAD},
    {"files", COMMON_MAGIC, 0x56303138, PLAIN, ".img", NO_PAYLOAD},
    {"pipes-data", COMMON_MAGIC, 0x56453709, PLAIN, ".img", PAYLOAD_FIELD_2},
    {"fifo-data", COMMON_MAGIC, 0x59333054, PLAIN, ".img", PAYLOAD_FIELD_2},
    {"sk-queues", COMMON_MAGIC, 0x56264026, PLAIN, ".img", PAYLOAD_FIELD_2},
    {"fs", COMMON_MAGIC, 0x51403912, DECIMAL, ".img", NO_PAYLOAD},
    {"remap-fpath", COMMON_MAGIC, 0x59133954, PLAIN, ".img", NO_PAYLOAD},
    {"ghost-file", COMMON_MAGIC, 0x52583605, HEXADECIMAL, ".img", PAYLOAD_GHOST},
    {"memfd", COMMON_MAGIC, 0x48453499, PLAIN, ".img", NO_PAYLOAD},
    {"tty-info", COMMON_MAGIC, 0x59453036, PLAIN, ".img", NO_PAYLOAD},
    {"tty-data", COMMON_MAGIC, 0x59413026, PLAIN, ".img", NO_PAYLOAD},
    {"filelocks", COMMON_MAGIC, 0x54323616, PLAIN, ".img", NO_PAYLOAD},
    {"seccomp", COMMON_MAGIC, 0x64413049, PLAIN, ".img", NO_PAYLOAD},
    {"timens", COMMON_MAGIC, 0x43114433, DECIMAL, ".img", NO_PAYLOAD},
    {"stats", SERVICE_MAGIC, 0x57093306, PLAIN, "-dump", NO_PAYLOAD},
    {"pages", 0, 0, DECIMAL, ".img", NO_ENTRIES},
};

// ---- The protobuf wire format

// Reads a varint in its shortest form: 10 bytes at most, nothing above 64 bits.
static bool read_varint(const uint8_t *bytes, size_t length, size_t *position, uint64_t *value) {
    uint64_t result = 0;
    for (unsigned count = 0; count < 10 && *position < length; count++) {
        uint8_t byte = bytes[(*position)++];
        if (count == 9 && byte > 1)
            return false;
        result |= (uint64_t)(byte & 0x7f) << (7 * count);
        if (byte & 0x80)
            continue;
        *value = result;
        return byte != 0 || count == 0;
    }
    return false;
}

static bool read_fixed(const uint8_t *bytes, size_t length, size_t *position, size_t width,
                       uint64_t *value) {
    if (length - *position < width)
        return false;
    *value = 0;
    for (size_t i = 0; i < width; i++)
        *value |= (uint64_t)bytes[*position + i] << (8 * i);
    *position += width;
    return true;
}

static bool read_bytes(const uint8_t *bytes, size_t length, size_t *position,
                       struct pb_field *field) {
    uint64_t size;
    if (!read_varint(bytes, length, position, &size) || size > length - *position)
        return false;
    field->bytes = bytes + *position;
    field->length = (size_t)size;
    *position += field->length;
    return true;
}

static bool read_content(const uint8_t *bytes, size_t length, size_t *position,
                         struct pb_field *field) {
    switch (field->wire_type) {
    case PB_VARINT:
        return read_varint(bytes, length, position, &field->value);
    case PB_FIXED64:
        return read_fixed(bytes, length, position, 8, &field->value);
    case PB_BYTES:
        return read_bytes(bytes, length, position, field);
    case PB_FIXED32:
        return read_fixed(bytes, length, position, 4, &field->value);
    default:
        return false;
    }
}

int pb_next(const uint8_t *message, size_t length, size_t *position, struct pb_field *field) {
    if (*position >= length)
        return 0;
    size_t at = *position;
    uint64_t tag;
    if (!read_varint(message, length, &at, &tag) || tag > UINT32_MAX || tag >> 3 == 0)
        return -1;
    *field = (struct pb_field){.number = (uint32_t)(tag >> 3),
                               .wire_type = (uint8_t)(tag & 7),
                               .start = message + *position};
    if (!read_content(message, length, &at, field))
        return -1;
    field->total = at - *position;
    *position = at;
    return 1;
}

bool pb_find(const uint8_t *message, size_t length, uint32_t number, struct pb_field *field) {
    size_t position = 0;
    struct pb_field next;
    bool found = false;
    while (pb_next(message, length, &position, &next) > 0) {
        if (next.number != number)
            continue;
        *field = next;
        found = true;
    }
    return found;
}

uint64_t pb_number(struct pb_view message, uint32_t number, uint64_t otherwise) {
    struct pb_field field;
    if (!pb_find(message.bytes, message.length, number, &field) || field.wire_type == PB_BYTES)
        return otherwise;
    return field.value;
}

// ---- Names and magics

// "17" of "core-17.img": no leading zeros, nothing above 32 bits. Returns what follows, or NULL.
static const char *read_number(const char *text, enum numbered numbered, uint32_t *number) {
    const char *digits = numbered == DECIMAL ? "0123456789" : "0123456789abcdef";
    size_t count = strspn(text, digits);
    if (count == 0 || count > 10 || (text[0] == '0' && count > 1))
        return NULL;
    unsigned long long value = strtoull(text, NULL, numbered == DECIMAL ? 10 : 16);
    if (value > UINT32_MAX)
        return NULL;
    *number = (uint32_t)value;
    return text + count;
}

static bool is_name_of(const struct kind *kind, const char *name, uint32_t *number) {
    size_t stem = strlen(kind->name);
    if (strncmp(name, kind->name, stem) != 0)
        return false;
    const char *rest = name + stem;
    *number = 0;
    if (kind->numbered != PLAIN) {
        if (*rest != '-')
            return false;
        rest = read_number(rest + 1, kind->numbered, number);
    }
    return rest != NULL && strcmp(rest, kind->tail) == 0;
}

static const struct kind *kind_of_name(const char *name, uint32_t *number) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (is_name_of(&kinds[i], name, number))
            return &kinds[i];
    return NULL;
}

int image_name(const char *name, const char **kind, uint32_t *number) {
    const struct kind *found = kind_of_name(name, number);
    if (found == NULL)
        return -1;
    *kind = found->name;
    return 0;
}

int image_open(struct image *image, const void *bytes, size_t length, const char *name,
               struct failure *failure) {
    uint32_t number;
    const struct kind *kind = kind_of_name(name, &number);
    if (kind == NULL)
        return fail(failure, EXIT_IMAGE, "a plain dump makes no image '%s'", name);
    *image = (struct image){
        .bytes = bytes, .length = length, .kind = kind->name, .payload = kind->payload};
    const uint32_t magics[] = {kind->common, kind->magic};
    for (size_t i = 0; i < 2; i++) {
        uint64_t found = 0;
        if (magics[i] == 0)
            continue;
        if (!read_fixed(bytes, length, &image->position, 4, &found))
            return fail(failure, EXIT_IMAGE, "%s: too short for a CRIU image (%zu bytes)", name,
                        length);
        if (found != magics[i])
            return fail(failure, EXIT_IMAGE,
                        "%s: not a %s image of CRIU 2 or later (its magic number is %08" PRIx64 ")",
                        name, kind->name, found);
    }
    return 0;
}

// ---- Entries

static bool read_message(struct image *image, const uint8_t **message, size_t *length) {
    uint64_t size;
    size_t at = image->position;
    if (!read_fixed(image->bytes, image->length, &at, 4, &size) || size > image->length - at)
        return false;
    *message = image->bytes + at;
    *length = (size_t)size;
    image->position = at + *length;
    return true;
}

static bool skip(struct image *image, uint64_t count) {
    if (count > image->length - image->position)
        return false;
    image->position += (size_t)count;
    return true;
}

// What follows a ghost file's only message. Chunks have messages of their own: length, offset.
static bool skip_ghost(struct image *image, struct pb_view ghost) {
    if (!pb_number(ghost, GHOST_CHUNKS, 0))
        return skip(image, image->length - image->position);
    while (image->position < image->length) {
        struct pb_view chunk;
        if (!read_message(image, &chunk.bytes, &chunk.length) ||
            !skip(image, pb_number(chunk, 1, 0)))
            return false;
    }
    return true;
}

static bool skip_payload(struct image *image, struct pb_view entry) {
    if (image->payload == PAYLOAD_FIELD_2)
        return skip(image, pb_number(entry, 2, 0));
    return image->payload != PAYLOAD_GHOST || skip_ghost(image, entry);
}

int image_next(struct image *image, const uint8_t **message, size_t *length,
               struct failure *failure) {
    if (image->position == image->length || image->payload == NO_ENTRIES)
        return 0;
    size_t at = image->position;
    if (!read_message(image, message, length))
        return fail(failure, EXIT_IMAGE, "%s image: the entry at byte %zu reaches beyond the end",
                    image->kind, at);
    if (!skip_payload(image, (struct pb_view){*message, *length}))
        return fail(failure, EXIT_IMAGE,
                    "%s image: the data after the entry at byte %zu reaches beyond the end",
                    image->kind, at);
    return 1;
}
