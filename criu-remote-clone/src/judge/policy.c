// SPDX-License-Identifier: Apache-2.0
// The rule of docs/internals/images.md. Every entry is first held against its schema, so that it
// may be unpacked as CRIU will; then each kind has its own check, which notes what only all images
// together can tell; policy_complete() looks at the notes.
#include "policy.h"

#include <unistd.h>

#include "image.h"
#include "image_schema.h"
#include "memory.h"
#include "policy_internal.h"
#include "procfs.h"
#include "scope.h"

// ---- Who the user is

static bool only_users_groups(const struct policy *policy) {
    int count = getgroups(0, NULL);
    AUTO_FREE gid_t *groups = count > 0 ? calloc((size_t)count, sizeof *groups) : NULL;
    bool only = count == 0;
    if (groups != NULL && getgroups(count, groups) == count) {
        only = true;
        for (int i = 0; i < count; i++)
            only = only && policy_is_group(policy, groups[i]);
    }
    return only;
}

// The first line of a file; empty if it can't be read.
static void read_line(const char *path, char *line, size_t size) {
    AUTO_FREE char *text = procfs_read(NULL, "%s", path);
    snprintf(line, size, "%.*s", text == NULL ? 0 : (int)strcspn(text, "\n"), text);
}

static uint64_t own_capabilities(void) {
    AUTO_FREE char *status = procfs_read(NULL, "/proc/self/status");
    const char *permitted = status == NULL ? NULL : procfs_value(status, "CapPrm");
    return permitted == NULL ? 0 : strtoull(permitted, NULL, 16);
}

void policy_read_caller(const struct policy *policy, struct policy_caller *caller) {
    char line[32];
    *caller = (struct policy_caller){.login_uid = UINT32_MAX};
    if (policy->uid == geteuid())
        caller->capabilities = own_capabilities();
    read_line("/proc/self/loginuid", line, sizeof line);
    if (line[0] != '\0')
        caller->login_uid = (uint32_t)strtoul(line, NULL, 10);
    read_line("/proc/self/oom_score_adj", line, sizeof line);
    caller->oom_score_adj = (int)strtol(line, NULL, 10);
    caller->nice = getpriority(PRIO_PROCESS, 0);
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit limit;
        caller->limits[i] = getrlimit((__rlimit_resource_t)i, &limit) == 0 ? limit.rlim_max : 0;
    }
    caller->only_users_groups = only_users_groups(policy);
    procfs_label("/proc/self/attr/current", caller->label, sizeof caller->label);
}

// ---- Images

#define MESSAGE(name) &criu_image__##name##__descriptor

// Those that a plain dump makes.
static const struct kind {
    const char *name;
    const ProtobufCMessageDescriptor *message; // NULL: the process's own memory
    const ProtobufCMessageDescriptor *head;    // of the first entry; NULL: as the others
    policy_entry_check *check;                 // NULL: its shape is all there is to check
    bool single;                               // it has one entry only
} kinds[] = {
    {"inventory", MESSAGE(inventory), NULL, policy_inventory, true},
    {"pstree", MESSAGE(pstree), NULL, policy_pstree, false},
    {"ids", MESSAGE(ids), NULL, policy_ids, true},
    {"core", MESSAGE(core), NULL, policy_core, true},
    {"mm", MESSAGE(mm), NULL, policy_mm, true},
    {"pagemap", MESSAGE(pagemap), MESSAGE(pagemap_head), policy_pagemap, false},
    {"pagemap-shmem", MESSAGE(pagemap), MESSAGE(pagemap_head), policy_pagemap, false},
    {"pages", NULL, NULL, NULL, false},
    {"memfd", MESSAGE(memfd_inode), NULL, policy_memfd, false},
    {"files", MESSAGE(file), NULL, policy_file, false},
    {"fdinfo", MESSAGE(fdinfo), NULL, policy_fdinfo, false},
    {"fs", MESSAGE(fs), NULL, policy_fs, true},
    {"remap-fpath", MESSAGE(remap), NULL, policy_remap, false},
    {"ghost-file", MESSAGE(ghost), NULL, policy_ghost, true},
    {"pipes-data", MESSAGE(pipe_data), NULL, policy_pipe_data, false},
    {"fifo-data", MESSAGE(pipe_data), NULL, policy_pipe_data, false},
    {"sk-queues", MESSAGE(packet), NULL, policy_packet, false},
    {"tty-info", MESSAGE(tty_info), NULL, policy_tty_info, false},
    {"tty-data", MESSAGE(tty_data), NULL, NULL, false},
    {"filelocks", MESSAGE(lock), NULL, policy_lock, false},
    {"seccomp", MESSAGE(seccomp), NULL, policy_seccomp, true},
    {"timens", MESSAGE(timens), NULL, NULL, false}, // shifts clocks
    {"stats", MESSAGE(stats), NULL, NULL, false},   // not read by a restore
};

static const struct kind *kind_of(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

static int check_entry(struct check *check, const struct kind *kind, struct pb_view entry) {
    const ProtobufCMessageDescriptor *message =
        check->first && kind->head != NULL ? kind->head : kind->message;
    if (!check->first && kind->single)
        return policy_refuse(check, MALFORMED, "it has more than one entry");
    if (image_schema_check(message, entry, check->image, check->failure) != 0)
        return -1;
    if (kind->check == NULL || message == kind->head)
        return 0;
    ProtobufCMessage *unpacked =
        protobuf_c_message_unpack(message, NULL, entry.length, entry.bytes);
    if (unpacked == NULL)
        return policy_refuse(check, MALFORMED, "an entry can't be unpacked");
    int result = kind->check(check, unpacked);
    protobuf_c_message_free_unpacked(unpacked, NULL);
    return result;
}

static int check_entries(struct check *check, const struct kind *kind, struct image *image) {
    struct pb_view entry;
    int more;
    check->first = true;
    while ((more = image_next(image, &entry.bytes, &entry.length, check->failure)) > 0) {
        if (check_entry(check, kind, entry) != 0)
            return -1;
        check->first = false;
    }
    return more;
}

static int check_image(struct check *check, const void *bytes, size_t length) {
    const char *name;
    struct image image;
    const struct kind *kind =
        image_name(check->image, &name, &check->number) == 0 ? kind_of(name) : NULL;
    if (kind == NULL)
        return policy_refuse(check, MALFORMED, "a plain dump makes no image of this name");
    if (policy_add_note(check, (struct note){.kind = NOTE_IMAGE}, check->image) != 0)
        return -1;
    if (kind->message == NULL)
        return 0;
    if (image_open(&image, bytes, length, check->image, check->failure) != 0)
        return -1;
    return check_entries(check, kind, &image);
}

static int begin(struct policy *policy, struct failure *failure) {
    if (policy->memory != NULL)
        return 0;
    policy->memory = calloc(1, sizeof *policy->memory);
    if (policy->memory == NULL)
        return out_of_memory(failure);
    if (policy->caller == NULL)
        policy_read_caller(policy, &policy->memory->caller);
    return 0;
}

static struct check check_of(struct policy *policy, const char *image, struct failure *failure) {
    struct policy_memory *memory = policy->memory;
    return (struct check){.policy = policy,
                          .memory = memory,
                          .caller = policy->caller != NULL ? policy->caller : &memory->caller,
                          .image = image,
                          .failure = failure};
}

int policy_check(struct policy *policy, const char *name, const void *bytes, size_t length,
                 struct failure *failure) {
    if (begin(policy, failure) != 0)
        return -1;
    struct check check = check_of(policy, name, failure);
    int result = check_image(&check, bytes, length);
    if (result != 0)
        policy_clear(policy);
    return result;
}

int policy_complete(struct policy *policy, struct failure *failure) {
    if (begin(policy, failure) != 0)
        return -1;
    struct check check = check_of(policy, "images", failure);
    int result = policy_check_together(&check);
    policy_clear(policy);
    return result;
}

void policy_clear(struct policy *policy) {
    struct policy_memory *memory = policy->memory;
    if (memory == NULL)
        return;
    for (size_t i = 0; i < memory->count; i++)
        free(memory->notes[i].text);
    free(memory->notes);
    free(memory);
    policy->memory = NULL;
}
