// CRIU's image files: magic numbers, entries, and the protobuf wire format inside, read and edited
// without knowing the schema: what we don't touch stays as it was, byte for byte.
#ifndef CLONE_IMAGE_H
#define CLONE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

// A field of a protobuf message.
struct pb_field {
    uint32_t number;
    uint8_t wire_type;    // 0 varint, 1 64-bit, 2 bytes, 5 32-bit
    uint64_t value;       // varint and fixed types
    const uint8_t *bytes; // wire type 2
    size_t length;
    const uint8_t *start; // the whole field, tag included
    size_t total;
};
// Reads the field at *position (starting at 0) and moves on: 1, or 0 at the end, or -1 if
// malformed.
int pb_next(const uint8_t *message, size_t length, size_t *position, struct pb_field *field);
// The last field of that number (protobuf's rule for singular fields): true if there.
bool pb_find(const uint8_t *message, size_t length, uint32_t number, struct pb_field *field);

struct image {
    const uint8_t *bytes;
    size_t length;
    uint32_t magic;   // the specific one
    const char *kind; // "core", "reg-files", ... as CRIU's crit names it; NULL if unknown
    size_t position;  // of the next entry
};
// Checks the magics. EXIT_IMAGE for anything malformed.
int image_open(struct image *image, const void *bytes, size_t length, const char *name,
               struct failure *failure);
// The next entry's protobuf message: 1, 0 at the end, -1 malformed. Images with raw data after an
// entry (pages, ghost files, pipe data, sk-queues) hand out their messages and step over the data.
int image_next(struct image *image, const uint8_t **message, size_t *length,
               struct failure *failure);

// A rewrite rule of the caller (--rename OLD=NEW): in every open file's path, the last component or
// the whole path equal to OLD becomes NEW.
struct rename_rule {
    const char *old_name;
    const char *new_name;
};
// Applies the rules to an image of regular files ("files.img", "reg-files.img"); other kinds are
// left alone. Returns the number of paths changed; *out is malloc'd when that is > 0, else NULL.
int image_rename(const void *bytes, size_t length, const char *name,
                 const struct rename_rule *rules, size_t rule_count, uint8_t **out,
                 size_t *out_length, struct failure *failure);

#endif
