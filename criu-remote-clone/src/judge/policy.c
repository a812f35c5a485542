// The rule of docs/images.md. Every image is first held against the tables of image_schema.c, so
// that the other checks may read fields as CRIU will; then each kind has its own check, which notes
// what only all images together can tell; policy_complete() looks at the notes.
#include "policy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image_schema.h"
#include "policy_internal.h"

// ---- Who the user is

static bool only_users_groups(const struct policy *policy) {
    int count = getgroups(0, NULL);
    gid_t *groups = count > 0 ? calloc((size_t)count, sizeof *groups) : NULL;
    bool only = count == 0;
    if (groups != NULL && getgroups(count, groups) == count) {
        only = true;
        for (int i = 0; i < count; i++)
            only = only && policy_is_group(policy, groups[i]);
    }
    free(groups);
    return only;
}

// The first line of a file below /proc/self, without its end; empty if it can't be read.
static void read_own(const char *path, char *line, size_t size) {
    line[0] = '\0';
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    if (fgets(line, (int)size, file) == NULL)
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    fclose(file);
}

static uint64_t own_capabilities(void) {
    uint64_t permitted = 0;
    char line[256];
    FILE *file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "CapPrm: %" SCNx64, &permitted) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return permitted;
}

void policy_read_caller(const struct policy *policy, struct policy_caller *caller) {
    char line[32];
    *caller = (struct policy_caller){.login_uid = UINT32_MAX};
    if (policy->uid == geteuid())
        caller->capabilities = own_capabilities();
    read_own("/proc/self/loginuid", line, sizeof line);
    if (line[0] != '\0')
        caller->login_uid = (uint32_t)strtoul(line, NULL, 10);
    read_own("/proc/self/oom_score_adj", line, sizeof line);
    caller->oom_score_adj = (int)strtol(line, NULL, 10);
    caller->nice = getpriority(PRIO_PROCESS, 0);
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit limit;
        caller->limits[i] = getrlimit((__rlimit_resource_t)i, &limit) == 0 ? limit.rlim_max : 0;
    }
    caller->only_users_groups = only_users_groups(policy);
    read_own("/proc/self/attr/current", caller->label, sizeof caller->label);
    caller->label[strcspn(caller->label, " ")] = '\0'; // AppArmor: "profile (enforce)"
    if (strcmp(caller->label, "unconfined") == 0)
        caller->label[0] = '\0';
}

// ---- Images

static int check_no_more(struct check *check, struct pb_view entry, bool first) {
    (void)check;
    (void)entry;
    (void)first;
    return 0;
}

static const struct {
    const char *kind;
    int (*check)(struct check *check, struct pb_view entry, bool first);
} kind_checks[] = {
    {"inventory", policy_inventory},
    {"pstree", policy_pstree},
    {"ids", policy_ids},
    {"core", policy_core},
    {"mm", policy_mm},
    {"pagemap", policy_pagemap},
    {"pagemap-shmem", policy_pagemap},
    {"memfd", policy_memfd},
    {"files", policy_file},
    {"fdinfo", policy_fdinfo},
    {"fs", policy_fs},
    {"remap-fpath", policy_remap},
    {"ghost-file", policy_ghost},
    {"pipes-data", policy_pipe_data},
    {"fifo-data", policy_pipe_data},
    {"sk-queues", policy_packet},
    {"tty-info", policy_tty_info},
    {"tty-data", check_no_more},
    {"filelocks", policy_lock},
    {"seccomp", policy_seccomp},
    {"timens", check_no_more}, // shifts clocks
    {"stats", check_no_more},  // not read by a restore
};

static int check_entry(struct check *check, const char *kind, struct pb_view entry, bool first) {
    for (size_t i = 0; i < sizeof kind_checks / sizeof kind_checks[0]; i++)
        if (strcmp(kind_checks[i].kind, kind) == 0)
            return kind_checks[i].check(check, entry, first);
    return policy_refuse(check, MALFORMED, "a plain dump makes no %s image", kind);
}

static int check_entries(struct check *check, struct image *image) {
    struct pb_view entry;
    bool first = true;
    int more;
    while ((more = image_next(image, &entry.bytes, &entry.length, check->failure)) > 0) {
        if (image_schema_check(image->kind, first, entry, check->image, check->failure) != 0 ||
            check_entry(check, image->kind, entry, first) != 0)
            return -1;
        first = false;
    }
    return more;
}

static int check_image(struct check *check, const void *bytes, size_t length) {
    const char *kind;
    struct image image;
    if (image_name(check->image, &kind, &check->number) != 0)
        return policy_refuse(check, MALFORMED, "no image of CRIU's has this name");
    struct pb_view name = {(const uint8_t *)check->image, strlen(check->image)};
    if (policy_add_note(check, (struct note){.kind = NOTE_IMAGE}, name) != 0)
        return -1;
    if (strcmp(kind, "pages") == 0)
        return 0; // the process's own memory
    if (!image_schema_knows(kind))
        return policy_refuse(check, MALFORMED, "a plain dump makes no %s image", kind);
    if (image_open(&image, bytes, length, check->image, check->failure) != 0)
        return -1;
    return check_entries(check, &image);
}

static int begin(struct policy *policy, struct failure *failure) {
    if (policy->memory != NULL)
        return 0;
    policy->memory = calloc(1, sizeof *policy->memory);
    if (policy->memory == NULL)
        return fail(failure, EXIT_SPACE, "out of memory");
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
