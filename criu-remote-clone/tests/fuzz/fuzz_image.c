// SPDX-License-Identifier: Apache-2.0
// Fuzzes everything that reads a stranger's images: entries, renaming, credentials and the
// policy. The input is a set of images, each [length of name, 1 byte][name][length, 4 bytes little
// endian][bytes]; tests/unit/images.h says where the seeds come from.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "policy.h"

#define MOST_IMAGES 256

struct one {
    char name[256];
    const uint8_t *bytes;
    size_t length;
};

// Breaks off at the first image that isn't whole; its rest counts.
static size_t split(const uint8_t *data, size_t size, struct one *images) {
    size_t count = 0, at = 0;
    while (count < MOST_IMAGES && size - at > 5 && size - at - 5 >= data[at]) {
        struct one *one = &images[count++];
        size_t name = data[at];
        memcpy(one->name, data + at + 1, name);
        one->name[name] = '\0';
        const uint8_t *length = data + at + 1 + name;
        at += 1 + name + 4;
        size_t wanted = length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16;
        one->bytes = data + at;
        one->length = wanted < size - at ? wanted : size - at;
        at += one->length;
    }
    return count;
}

static int rename_by(const void *bytes, size_t length, const char *name,
                     const struct rename_rule *rule, uint8_t **out, size_t *out_length) {
    struct renaming renaming = {.rules = rule, .rule_count = 1};
    struct failure failure;
    return image_rename(bytes, length, name, &renaming, out, out_length, &failure);
}

// How many entries; SIZE_MAX if malformed.
static size_t count_entries(const void *bytes, size_t length, const char *name) {
    struct failure failure;
    struct image image;
    const uint8_t *message;
    size_t size, count = 0;
    int more;
    if (image_open(&image, bytes, length, name, &failure) != 0)
        return SIZE_MAX;
    while ((more = image_next(&image, &message, &size, &failure)) == 1) {
        struct pb_field field;
        size_t position = 0;
        while (pb_next(message, size, &position, &field) == 1)
            if (field.total == 0 || position > size)
                abort();
        count++;
    }
    return more == 0 ? count : SIZE_MAX;
}

static void check_rename(const struct one *one) {
    static const struct rename_rule never = {"/no/such/path", "x"};
    static const struct rename_rule there = {"id.out", "a-longer-name"};
    static const struct rename_rule back = {"a-longer-name", "id.out"};
    uint8_t *out, *restored;
    size_t length, restored_length;
    size_t entries = count_entries(one->bytes, one->length, one->name);
    if (rename_by(one->bytes, one->length, one->name, &never, &out, &length) > 0 &&
        memmem(one->bytes, one->length, never.old_name, strlen(never.old_name)) == NULL)
        abort();
    free(out);
    int changed = rename_by(one->bytes, one->length, one->name, &there, &out, &length);
    if (changed <= 0)
        return;
    if (count_entries(out, length, one->name) != entries)
        abort();
    if (memmem(one->bytes, one->length, back.old_name, strlen(back.old_name)) == NULL) {
        int again = rename_by(out, length, one->name, &back, &restored, &restored_length);
        if (again != changed || restored_length != one->length ||
            memcmp(restored, one->bytes, one->length) != 0)
            abort();
        free(restored);
    }
    free(out);
}

static void check_credentials(const struct one *one) {
    static const gid_t groups[] = {1000, 1001};
    struct failure failure;
    uint8_t *out;
    size_t length;
    if (image_unprivileged(one->bytes, one->length, one->name, 1000, groups, 2, &out, &length,
                           &failure) <= 0)
        return;
    if (count_entries(out, length, one->name) != count_entries(one->bytes, one->length, one->name))
        abort();
    free(out);
}

static void check_cgroups(const struct one *one) {
    struct failure failure;
    uint8_t *out, *again;
    size_t length;
    if (image_leave_cgroups(one->bytes, one->length, one->name, &out, &length, &failure) <= 0)
        return;
    if (count_entries(out, length, one->name) != count_entries(one->bytes, one->length, one->name))
        abort();
    if (image_leave_cgroups(out, length, one->name, &again, &length, &failure) != 0)
        abort();
    free(out);
}

static bool may_open(void *context, const char *path, int flags) {
    (void)context;
    (void)flags;
    if (path[0] != '/' || strstr(path, "/../") != NULL)
        abort();
    return true;
}

static void check_policy(const struct one *images, size_t count) {
    static const gid_t groups[] = {1000, 1001};
    static const struct policy_caller caller = {
        .login_uid = UINT32_MAX,
        .only_users_groups = true,
        .limits = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
                   UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
                   UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    struct policy policy = {.uid = 1000,
                            .gid = 1000,
                            .groups = groups,
                            .group_count = 2,
                            .may_open = may_open,
                            .caller = &caller};
    struct failure failure;
    for (size_t i = 0; i < count; i++) {
        failure.text[0] = '\0';
        if (policy_check(&policy, images[i].name, images[i].bytes, images[i].length, &failure) == 0)
            continue;
        if (failure.text[0] == '\0' || policy.memory != NULL)
            abort();
        return;
    }
    policy_complete(&policy, &failure);
    if (policy.memory != NULL)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct one images[MOST_IMAGES];
    size_t count = split(data, size, images);
    for (size_t i = 0; i < count; i++) {
        count_entries(images[i].bytes, images[i].length, images[i].name);
        check_rename(&images[i]);
        check_cgroups(&images[i]);
        check_credentials(&images[i]);
    }
    check_policy(images, count);
    return 0;
}
