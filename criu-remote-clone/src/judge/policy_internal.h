// SPDX-License-Identifier: Apache-2.0
// What the parts of the policy share. Nobody else includes this.
#pragma once

#include "criu_image.pb-c.h"
#include "failure.h"
#include "policy.h"

// Notes: what one image says and another has to bear out.
enum note_kind {
    NOTE_IMAGE,     // text: its name
    NOTE_TASK,      // id: pid
    NOTE_THREAD,    // id: tid
    NOTE_DEAD,      // id: pid of a zombie
    NOTE_TABLE,     // id: pid, value: its file table (fdinfo)
    NOTE_NAMESPACE, // id: field of Ids, value: CRIU's id of the namespace
    NOTE_OWNER,     // id: pid that gets a file's signals
    NOTE_FILE,      // id, value: enum file_type; flags, mode, text: path of TYPE_REG
    NOTE_OPEN,      // id: file with a descriptor, value: enum file_type
    NOTE_PASSED,    // id: file on its way through a socket
    NOTE_MAPPED,    // id: file, value: enum file_type, flags: to open it with
    NOTE_EXE,       // id: file
    NOTE_CWD,       // id: file
    NOTE_ROOT,      // id: file
    NOTE_TERMINAL,  // id: file that is a terminal's path
    NOTE_FIFO,      // id: file that is a FIFO's path
    NOTE_REMAP,     // id: file, value: ghost
    NOTE_GHOST,     // id
    NOTE_SOCKET,    // text: path
    NOTE_FILTER,    // id: index of a system-call filter that a thread uses
};

struct note {
    enum note_kind kind;
    uint32_t id;
    uint32_t value;
    int flags;
    mode_t mode;
    char *text;
};

// The fields of Ids that are namespaces.
enum { FIRST_NAMESPACE = 5, NET_NAMESPACE = 6, TIME_NAMESPACE = 12 };

struct policy_memory {
    struct note *notes;
    size_t count;
    struct policy_caller caller;
    bool has_inventory;
    uint32_t root_namespaces[TIME_NAMESPACE + 1]; // by field of Ids
    uint32_t filter_count;
};

struct check {
    struct policy *policy;
    struct policy_memory *memory;
    const struct policy_caller *caller;
    const char *image;
    uint32_t number; // in its name
    bool first;      // the image's first entry
    struct failure *failure;
};

// ---- policy_rules.c

bool policy_is_group(const struct policy *policy, uint64_t gid);

// ---- policy_common.c

// Fills in the failure with EXIT_IMAGE, "image: why", and returns -1.
int policy_refuse(const struct check *check, enum why_late why_late, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// As that, unless policy_allows() it.
int policy_claim(const struct check *check, struct claim claim);

// `text` may be NULL; it is copied.
int policy_add_note(struct check *check, struct note note, const char *text);
int policy_note(struct check *check, enum note_kind kind, uint64_t id, uint64_t value);
// For qsort(3): by kind, id and text.
int policy_compare_notes(const void *left, const void *right);
// Once the notes are sorted: the first of that kind and id, or NULL.
const struct note *policy_find_note(const struct check *check, enum note_kind kind, uint32_t id);
bool policy_has_image(const struct check *check, const char *name);

bool policy_may(const struct check *check, unsigned capability);
// `owner`, `label` and `ids` may be NULL: nothing of that kind is in the image.
int policy_check_owner(struct check *check, const CriuImage__Owner *owner);
int policy_check_open_flags(struct check *check, uint64_t flags);
int policy_check_label(struct check *check, const char *label);
int policy_note_namespaces(struct check *check, const CriuImage__Ids *ids);
// The uint32 in a message's field of that number; true if the image has it.
bool policy_number_of(const ProtobufCMessage *message, uint32_t field, uint32_t *number);

// ---- Checks of an entry, unpacked, of one kind of image.

typedef int policy_entry_check(struct check *check, const ProtobufCMessage *entry);

// policy_process.c
policy_entry_check policy_inventory, policy_pstree, policy_ids, policy_core, policy_fs, policy_mm,
    policy_pagemap, policy_memfd, policy_seccomp;
// policy_files.c
policy_entry_check policy_file, policy_fdinfo, policy_remap, policy_ghost, policy_pipe_data,
    policy_packet, policy_tty_info, policy_lock;

// ---- policy_together.c

// Sorts the notes and looks at them.
int policy_check_together(struct check *check);
