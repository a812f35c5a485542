// SPDX-License-Identifier: Apache-2.0
// CRIU's image files: magic numbers, entries, and the protobuf wire format inside, read and edited
// without knowing the schema: what we don't touch stays as it was, byte for byte.
#pragma once

#include "failure.h"

enum pb_wire_type { PB_VARINT = 0, PB_FIXED64 = 1, PB_BYTES = 2, PB_FIXED32 = 5 };

// A field of a protobuf message.
struct pb_field {
    uint32_t number;
    uint8_t wire_type;    // enum pb_wire_type
    uint64_t value;       // varint and fixed types
    const uint8_t *bytes; // wire type 2
    size_t length;
    const uint8_t *start; // the whole field, tag included
    size_t total;
};
// Reads the field at *position (starting at 0) and moves on: 1, or 0 at the end, or -1 if
// malformed. Groups and varints longer than they need be are malformed: CRIU writes neither.
int pb_next(const uint8_t *message, size_t length, size_t *position, struct pb_field *field);
// The last field of that number (protobuf's rule for singular fields): true if there.
bool pb_find(const uint8_t *message, size_t length, uint32_t number, struct pb_field *field);

// A message, string or bytes inside a message; `bytes` is NULL when it isn't there.
struct pb_view {
    const uint8_t *bytes;
    size_t length;
};
// A number, by the rule of pb_find().
uint64_t pb_number(struct pb_view message, uint32_t number, uint64_t otherwise);

struct image {
    const uint8_t *bytes;
    size_t length;
    const char *kind; // "core", "files", ...: CRIU's file name without number
    unsigned payload; // what follows each entry: for image_next()
    size_t position;  // of the next entry
};
// Checks name and magics. EXIT_IMAGE for anything malformed, and what no plain dump makes.
int image_open(struct image *image, const void *bytes, size_t length, const char *name,
               struct failure *failure);
// The next entry's protobuf message: 1, 0 at the end, -1 malformed. Images with raw data after an
// entry (ghost files, pipe data, socket queues) hand out their messages and step over the data. The
// process's memory hands out nothing.
int image_next(struct image *image, const uint8_t **message, size_t *length,
               struct failure *failure);
// What CRIU's name of an image says: 0 and the kind ("core") with the number in it ("core-17.img":
// 17; none: 0), or -1 if it isn't exactly a name that CRIU gives to an image of a plain dump.
int image_name(const char *name, const char **kind, uint32_t *number);

// A rewrite rule of the caller (--rename OLD=NEW). OLD is a bare name, for the last component of a
// path, or an absolute path, for the whole; NEW is a bare name, for the last component, or, if OLD
// is a path, an absolute path.
struct rename_rule {
    const char *old_name;
    const char *new_name;
};
// EXIT_USAGE unless image_rename() would take these rules.
int image_check_rules(const struct rename_rule *rules, size_t rule_count, struct failure *failure);
// Applies the rules to the image of open files: the paths of regular files and FIFOs change, the
// first rule that fits counts, and `renamed` (may be NULL) is told of each. Other kinds are left
// alone. Returns the number of paths changed; *out is malloc'd when that is > 0, else NULL.
struct renaming {
    const struct rename_rule *rules;
    size_t rule_count;
    int (*renamed)(void *context, const char *old_path, const char *new_path); // 0 or -1
    void *context;
};
int image_rename(const void *bytes, size_t length, const char *name,
                 const struct renaming *renaming, uint8_t **out, size_t *out_length,
                 struct failure *failure);

// In the image of open files, a cgroup's file that is open for reading becomes /dev/null: the clone
// is in other cgroups, which have other paths. Mostly it is a JVM that is just looking at its
// limits (JDK-8146115); it finds none this once, and looks again. Result as image_rename()'s; other
// kinds are left alone.
int image_leave_cgroups(const void *bytes, size_t length, const char *name, uint8_t **out,
                        size_t *out_length, struct failure *failure);

// Makes a core image restorable by CRIU without privileges: the bounding set keeps everything
// (dropping a capability from it takes CAP_SETPCAP, and CRIU drops each one that is missing), and
// the supplementary groups become `groups`, which must be what getgroups(2) returns where CRIU runs
// (else CRIU calls setgroups(2)). A deleted file that is open gets `group`, the user's: its own may
// be one that the user can give to nothing, passed on by the directory that the file was made in.
// Result as image_rename()'s; other kinds are left alone.
int image_unprivileged(const void *bytes, size_t length, const char *name, gid_t group,
                       const gid_t *groups, size_t group_count, uint8_t **out, size_t *out_length,
                       struct failure *failure);
