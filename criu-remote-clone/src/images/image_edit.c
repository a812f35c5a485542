// SPDX-License-Identifier: Apache-2.0
// Edits images: paths of open files, and what belongs to whom for a restore without privileges. A
// message is copied field by field; what is edited gets new content, and the lengths around it
// follow.
#include "image.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "image_fields.h"
#include "memory.h"
#include "paths.h"

// ---- Rename rules

static bool is_bare_name(const char *name) {
    size_t length = strlen(name);
    return length > 0 && length <= NAME_MAX && strchr(name, '/') == NULL &&
           strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static int check_rule(const struct rename_rule *rule, struct failure *failure) {
    const char *names[] = {rule->old_name, rule->new_name};
    for (size_t i = 0; i < 2; i++)
        if (!path_is_clean(names[i]) && !is_bare_name(names[i]))
            return fail(failure, EXIT_USAGE,
                        "--rename %s=%s: '%s' must be a file name or an absolute path without "
                        "'..', '.' and '//'",
                        rule->old_name, rule->new_name, names[i]);
    bool old_path = rule->old_name[0] == '/', new_path = rule->new_name[0] == '/';
    if (new_path && !old_path)
        return fail(failure, EXIT_USAGE,
                    "--rename %s=%s: only an absolute path can become another path: give the "
                    "whole path of '%s', or only a new name",
                    rule->old_name, rule->new_name, rule->old_name);
    return 0;
}

int image_check_rules(const struct rename_rule *rules, size_t rule_count, struct failure *failure) {
    for (size_t i = 0; i < rule_count; i++)
        if (check_rule(&rules[i], failure) != 0)
            return -1;
    return 0;
}

static bool equals(const char *text, const uint8_t *bytes, size_t length) {
    return strlen(text) == length && memcmp(text, bytes, length) == 0;
}

// *stays: how much of the path stays before the new name, 0 if all of it goes.
static bool rule_fits(const struct rename_rule *rule, struct pb_view path, size_t *stays) {
    const uint8_t *slash = memrchr(path.bytes, '/', path.length);
    size_t directory = slash != NULL ? (size_t)(slash - path.bytes) + 1 : 0;
    *stays = rule->new_name[0] == '/' ? 0 : directory;
    if (rule->old_name[0] == '/')
        return equals(rule->old_name, path.bytes, path.length);
    return equals(rule->old_name, path.bytes + directory, path.length - directory);
}

static const struct rename_rule *first_fit(const struct renaming *renaming, struct pb_view path,
                                           size_t *stays) {
    for (size_t i = 0; i < renaming->rule_count; i++)
        if (rule_fits(&renaming->rules[i], path, stays))
            return &renaming->rules[i];
    return NULL;
}

// ---- Copying with edits

struct edit {
    const struct renaming *renaming;
    gid_t group;
    const gid_t *groups;
    size_t group_count;
    int changed;
};

// Writes the new content of a field (a message, a text): 0, or -1 if it is malformed.
typedef int edit_content(struct edit *edit, struct pb_view content, FILE *out);

static void put_varint(FILE *out, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        putc((int)(value & 0x7f) | 0x80, out);
    putc((int)value, out);
}

static void put_number(FILE *out, uint32_t number, uint64_t value) {
    put_varint(out, (uint64_t)number << 3 | PB_VARINT);
    put_varint(out, value);
}

static void put_view(FILE *out, struct pb_view view) {
    fwrite(view.bytes, 1, view.length, out);
}

// Edits into memory of its own, because the new length stands before the content.
static int edit_aside(struct edit *edit, struct pb_view content, edit_content *inner,
                      struct pb_view *edited) {
    char *bytes = NULL;
    size_t length = 0;
    FILE *aside = open_memstream(&bytes, &length);
    if (aside == NULL)
        return -1;
    int result = inner(edit, content, aside);
    bool incomplete = ferror(aside);
    incomplete |= fclose(aside) != 0;
    if (result != 0 || incomplete) {
        free(bytes);
        return -1;
    }
    *edited = (struct pb_view){(uint8_t *)bytes, length};
    return 0;
}

static int edit_field(struct edit *edit, const struct pb_field *field, edit_content *inner,
                      FILE *out) {
    struct pb_view edited;
    if (edit_aside(edit, (struct pb_view){field->bytes, field->length}, inner, &edited) != 0)
        return -1;
    put_varint(out, (uint64_t)field->number << 3 | PB_BYTES);
    put_varint(out, edited.length);
    put_view(out, edited);
    free((void *)(uintptr_t)edited.bytes);
    return 0;
}

// Copies the message; the fields of that number go through `inner`.
static int edit_inside(struct edit *edit, struct pb_view message, uint32_t number,
                       edit_content *inner, FILE *out) {
    struct pb_field field;
    size_t position = 0;
    int more;
    while ((more = pb_next(message.bytes, message.length, &position, &field)) > 0) {
        if (field.number != number || field.wire_type != PB_BYTES)
            fwrite(field.start, 1, field.total, out);
        else if (edit_field(edit, &field, inner, out) != 0)
            return -1;
    }
    return more;
}

static int edit_entries(struct edit *edit, struct image *image, edit_content *inner,
                        const char *name, FILE *out, struct failure *failure) {
    struct pb_view entry, edited;
    int more;
    put_view(out, (struct pb_view){image->bytes, image->position});
    while ((more = image_next(image, &entry.bytes, &entry.length, failure)) > 0) {
        if (edit_aside(edit, entry, inner, &edited) != 0)
            return fail(failure, EXIT_IMAGE, "%s: an entry is malformed", name);
        for (unsigned shift = 0; shift < 32; shift += 8)
            putc((int)(edited.length >> shift & 0xff), out);
        put_view(out, edited);
        free((void *)(uintptr_t)edited.bytes);
        const uint8_t *data = entry.bytes + entry.length;
        put_view(out, (struct pb_view){data, (size_t)(image->bytes + image->position - data)});
    }
    return more;
}

// Returns edit->changed; *out is NULL when that is 0. Data after an entry stays as it is.
static int edit_image(struct edit *edit, struct image *image, edit_content *inner, const char *name,
                      uint8_t **out, size_t *out_length, struct failure *failure) {
    char *copy = NULL;
    FILE *stream = open_memstream(&copy, out_length);
    if (stream == NULL)
        return out_of_memory(failure);
    int result = edit_entries(edit, image, inner, name, stream, failure);
    bool incomplete = ferror(stream);
    incomplete |= fclose(stream) != 0;
    if (result == 0 && incomplete)
        result = out_of_memory(failure);
    if (result != 0 || edit->changed == 0) {
        free(copy);
        *out_length = 0;
        return result;
    }
    *out = (uint8_t *)copy;
    return edit->changed;
}

static bool is_kind(const struct image *image, const char *kind) {
    return strcmp(image->kind, kind) == 0;
}

// Each open file by `inner`; other images are left alone.
static int edit_files(struct edit *edit, const void *bytes, size_t length, edit_content *inner,
                      const char *name, uint8_t **out, size_t *out_length,
                      struct failure *failure) {
    struct image image;
    *out = NULL;
    *out_length = 0;
    if (image_open(&image, bytes, length, name, failure) != 0)
        return -1;
    return is_kind(&image, "files")
               ? edit_image(edit, &image, inner, name, out, out_length, failure)
               : 0;
}

// ---- Renaming

static int tell_renamed(const struct renaming *renaming, struct pb_view path, size_t stays,
                        const char *new_name) {
    char old_path[PATH_MAX], new_path[PATH_MAX];
    if (renaming->renamed == NULL)
        return 0;
    const char *old = (const char *)path.bytes;
    if ((size_t)snprintf(old_path, PATH_MAX, "%.*s", (int)path.length, old) != path.length ||
        snprintf(new_path, PATH_MAX, "%.*s%s", (int)stays, old, new_name) >= PATH_MAX)
        return -1; // no path that a file can be open by
    return renaming->renamed(renaming->context, old_path, new_path);
}

static int edit_path(struct edit *edit, struct pb_view path, FILE *out) {
    size_t stays;
    const struct rename_rule *rule = first_fit(edit->renaming, path, &stays);
    if (rule == NULL) {
        put_view(out, path);
        return 0;
    }
    put_view(out, (struct pb_view){path.bytes, stays});
    fputs(rule->new_name, out);
    edit->changed++;
    return tell_renamed(edit->renaming, path, stays, rule->new_name);
}

// Directories and devices keep their names: a rule is about files.
static bool is_renamable(struct pb_view file) {
    mode_t mode = (mode_t)pb_number(file, REG_MODE, S_IFREG);
    return S_ISREG(mode) || S_ISFIFO(mode);
}

static int edit_regular_file(struct edit *edit, struct pb_view file, FILE *out) {
    uint32_t number = is_renamable(file) ? REG_NAME : 0;
    return edit_inside(edit, file, number, edit_path, out);
}

static int edit_file(struct edit *edit, struct pb_view entry, FILE *out) {
    return edit_inside(edit, entry, FILE_REG, edit_regular_file, out);
}

int image_rename(const void *bytes, size_t length, const char *name,
                 const struct renaming *renaming, uint8_t **out, size_t *out_length,
                 struct failure *failure) {
    struct edit edit = {.renaming = renaming};
    *out = NULL;
    *out_length = 0;
    if (image_check_rules(renaming->rules, renaming->rule_count, failure) != 0)
        return -1;
    return edit_files(&edit, bytes, length, edit_file, name, out, out_length, failure);
}

// ---- Files of cgroups

static bool is_of_cgroup(struct pb_view file) {
    struct pb_field name;
    char path[PATH_MAX];
    mode_t mode = (mode_t)pb_number(file, REG_MODE, 0);
    if (!pb_find(file.bytes, file.length, REG_NAME, &name) || name.wire_type != PB_BYTES ||
        name.length == 0 || name.length >= sizeof path)
        return false;
    memcpy(path, name.bytes, name.length);
    path[name.length] = '\0';
    bool is_read = (pb_number(file, REG_FLAGS, O_RDWR) & O_ACCMODE) == O_RDONLY;
    return S_ISREG(mode) && is_read && path_is_of_cgroup(path);
}

static int edit_cgroup_file(struct edit *edit, struct pb_view file, FILE *out) {
    static const char nothing[] = "/dev/null";
    struct pb_field field;
    size_t position = 0;
    int more;
    if (!is_of_cgroup(file)) {
        put_view(out, file);
        return 0;
    }
    while ((more = pb_next(file.bytes, file.length, &position, &field)) > 0) {
        if (field.number == REG_NAME) {
            put_varint(out, (uint64_t)REG_NAME << 3 | PB_BYTES);
            put_varint(out, strlen(nothing));
            fputs(nothing, out);
        } else if (field.number == REG_MODE) {
            put_number(out, REG_MODE, S_IFCHR | 0666);
        } else if (field.number != REG_SIZE) {
            fwrite(field.start, 1, field.total, out);
        }
    }
    edit->changed++;
    return more;
}

static int edit_file_of_cgroup(struct edit *edit, struct pb_view entry, FILE *out) {
    return edit_inside(edit, entry, FILE_REG, edit_cgroup_file, out);
}

int image_leave_cgroups(const void *bytes, size_t length, const char *name, uint8_t **out,
                        size_t *out_length, struct failure *failure) {
    struct edit edit = {0};
    return edit_files(&edit, bytes, length, edit_file_of_cgroup, name, out, out_length, failure);
}

// ---- A restore without privileges

static void put_groups(struct edit *edit, FILE *out) {
    for (size_t i = 0; i < edit->group_count; i++)
        put_number(out, CREDS_GROUPS, edit->groups[i]);
}

static int edit_creds(struct edit *edit, struct pb_view creds, FILE *out) {
    struct pb_field field;
    size_t position = 0;
    bool grouped = false;
    int more;
    while ((more = pb_next(creds.bytes, creds.length, &position, &field)) > 0) {
        if (field.number >= CREDS_GROUPS && !grouped) {
            put_groups(edit, out);
            grouped = true;
        }
        if (field.number == CREDS_CAP_BOUNDING)
            put_number(out, field.number, UINT32_MAX);
        else if (field.number != CREDS_GROUPS)
            fwrite(field.start, 1, field.total, out);
    }
    if (!grouped)
        put_groups(edit, out);
    edit->changed++;
    return more;
}

static int edit_thread(struct edit *edit, struct pb_view thread, FILE *out) {
    return edit_inside(edit, thread, THREAD_CREDS, edit_creds, out);
}

static int edit_core(struct edit *edit, struct pb_view core, FILE *out) {
    return edit_inside(edit, core, CORE_THREAD, edit_thread, out);
}

static int edit_deleted_file(struct edit *edit, struct pb_view ghost, FILE *out) {
    struct pb_field field;
    size_t position = 0;
    int more;
    while ((more = pb_next(ghost.bytes, ghost.length, &position, &field)) > 0) {
        if (field.number != GHOST_GID)
            fwrite(field.start, 1, field.total, out);
        else
            put_number(out, field.number, edit->group);
    }
    edit->changed++;
    return more;
}

int image_unprivileged(const void *bytes, size_t length, const char *name, gid_t group,
                       const gid_t *groups, size_t group_count, uint8_t **out, size_t *out_length,
                       struct failure *failure) {
    struct edit edit = {.group = group, .groups = groups, .group_count = group_count};
    struct image image;
    *out = NULL;
    *out_length = 0;
    if (image_open(&image, bytes, length, name, failure) != 0)
        return -1;
    if (is_kind(&image, "core"))
        return edit_image(&edit, &image, edit_core, name, out, out_length, failure);
    if (is_kind(&image, "ghost-file"))
        return edit_image(&edit, &image, edit_deleted_file, name, out, out_length, failure);
    return 0;
}
