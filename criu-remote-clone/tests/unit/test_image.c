// SPDX-License-Identifier: Apache-2.0
// image.c and image_edit.c: reading images entry by entry, renaming in them, everything else
// untouched.
#include "image.h"
#include "image_fields.h"
#include "images.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct failure failure;

// ---- Protobuf

static int next_of(const char *data, size_t length, struct pb_field *field) {
    size_t position = 0;
    return pb_next((const uint8_t *)data, length, &position, field);
}

static void a_field_of_each_wire_type_is_read(void **state) {
    (void)state;
    const char message[] = "\x08\x96\x01"
                           "\x11\x01\x02\x03\x04\x05\x06\x07\x08"
                           "\x1a\x03one"
                           "\x25\x04\x03\x02\x01";
    struct pb_field field;
    size_t position = 0, length = sizeof message - 1;
    const uint8_t *bytes = (const uint8_t *)message;
    assert_int_equal(pb_next(bytes, length, &position, &field), 1);
    assert_int_equal(field.number, 1);
    assert_int_equal(field.value, 150);
    assert_int_equal(field.total, 3);
    assert_int_equal(pb_next(bytes, length, &position, &field), 1);
    assert_int_equal(field.value, 0x0807060504030201);
    assert_int_equal(pb_next(bytes, length, &position, &field), 1);
    assert_int_equal(field.length, 3);
    assert_memory_equal(field.bytes, "one", 3);
    assert_int_equal(pb_next(bytes, length, &position, &field), 1);
    assert_int_equal(field.wire_type, PB_FIXED32);
    assert_int_equal(field.value, 0x01020304);
    assert_int_equal(pb_next(bytes, length, &position, &field), 0);
}

static void malformed_fields_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *data;
        size_t length;
    } cases[] = {
        {"\x80", 1},                                          // tag goes on beyond the end
        {"\x08", 1},                                          // no value
        {"\x08\x80", 2},                                      // value goes on beyond the end
        {"\x00\x01", 2},                                      // field 0
        {"\x0b\x0c", 2},                                      // group
        {"\x0c", 1},                                          // end of group
        {"\x0e\x01", 2},                                      // wire type 6
        {"\x0a\x02x", 3},                                     // bytes beyond the end
        {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11}, // length of 2^64 - 1
        {"\x0d\x01\x02\x03", 4},                              // 3 of 4 bytes
        {"\x09\x01\x02\x03\x04\x05\x06\x07", 8},              // 7 of 8 bytes
        {"\x08\x80\x00", 3},                                  // longer than it need be
        {"\x88\x00\x01", 3},                                  // the same, tag
        {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11}, // more than 64 bits
        {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12},
        {"\x80\x80\x80\x80\x10\x01", 6}, // tag of more than 32 bits
    };
    struct pb_field field;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (next_of(cases[i].data, cases[i].length, &field) != -1)
            fail_msg("case %zu is taken", i);
    assert_int_equal(next_of("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, &field), 1);
    assert_true(field.value == UINT64_MAX);
}

static void the_last_of_a_singular_field_counts(void **state) {
    (void)state;
    struct bytes message = {0};
    put_number(&message, 1, 5);
    put_text(&message, 2, "x");
    put_number(&message, 1, 7);
    struct pb_view view = {message.data, message.length};
    assert_int_equal(pb_number(view, 1, 0), 7);
    assert_int_equal(pb_number(view, 3, 42), 42);
    assert_int_equal(pb_number(view, 2, 42), 42);
    assert_int_equal(pb_part(view, 2).length, 1);
    assert_null(pb_part(view, 1).bytes);
    free(message.data);
}

// ---- Names and magics

static void names_are_taken_apart(void **state) {
    (void)state;
    const char *kind;
    uint32_t number;
    assert_int_equal(image_name("core-17.img", &kind, &number), 0);
    assert_string_equal(kind, "core");
    assert_int_equal(number, 17);
    assert_int_equal(image_name("pagemap-shmem-4294967295.img", &kind, &number), 0);
    assert_string_equal(kind, "pagemap-shmem");
    assert_true(number == UINT32_MAX);
    assert_int_equal(image_name("ghost-file-1f.img", &kind, &number), 0);
    assert_int_equal(number, 0x1f);
    assert_int_equal(image_name("stats-dump", &kind, &number), 0);
    assert_string_equal(kind, "stats");
    assert_int_equal(image_name("files.img", &kind, &number), 0);
    static const char *const bad[] = {"",
                                      "core",
                                      "core.img",
                                      "core-.img",
                                      "core-017.img",
                                      "core-1.imgx",
                                      "core-1f.img",
                                      "core--1.img",
                                      "core- 1.img",
                                      "core-4294967296.img",
                                      "../core-1.img",
                                      "x/core-1.img",
                                      "ghost-file-1F.img",
                                      "files.img/",
                                      "files-1.img",
                                      "tmpfs-3.tar.gz.img",
                                      "reg-files.img",
                                      "descriptors.json",
                                      "dump.log",
                                      "core-99999999999999999999.img",
                                      "+files.img"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (image_name(bad[i], &kind, &number) != -1)
            fail_msg("'%s' is taken", bad[i]);
}

static int open_of(const char *data, size_t length, const char *name, struct image *image) {
    failure = (struct failure){0};
    return image_open(image, data, length, name, &failure);
}

static void images_are_known_by_their_magics(void **state) {
    (void)state;
    struct image image;
    assert_int_equal(open_of("\x19\x43VT\x47\x38\x05\x55", 8, "core-1.img", &image), 0);
    assert_string_equal(image.kind, "core");
    assert_int_equal(open_of("\x16\x31\x31\x58", 4, "inventory.img", &image), 0);
    assert_string_equal(image.kind, "inventory");
    assert_int_equal(open_of("\x40\x59\x10\x55\x06\x33\x09\x57", 8, "stats-dump", &image), 0);
    assert_string_equal(image.kind, "stats");
    assert_int_equal(open_of("anything", 8, "pages-1.img", &image), 0);
    assert_string_equal(image.kind, "pages");
    const uint8_t *message;
    size_t length;
    assert_int_equal(image_next(&image, &message, &length, &failure), 0);
}

static void wrong_magics_are_refused(void **state) {
    (void)state;
    struct image image;
    static const struct {
        const char *data;
        size_t length;
        const char *name;
    } cases[] = {
        {"", 0, "core-1.img"},
        {"\x19\x43V", 3, "core-1.img"},
        {"\x19\x43VT\x47\x38\x05", 7, "core-1.img"},
        {"\x47\x38\x05\x55", 4, "core-1.img"},                 // format 1, without the first
        {"\x19\x43VT\x37\x37\x12\x54", 8, "core-1.img"},       // vmas
        {"\x40\x59\x10\x55\x47\x38\x05\x55", 8, "core-1.img"}, // as a service image
        {"\x19\x43VT\x16\x31\x31\x58", 8, "inventory.img"},    // the inventory has one only
        {"\x16\x31\x31\x58\x00\x00\x00\x00", 8, "pstree.img"},
        {"\x19\x43VT\x47\x38\x05\x55", 8, "a copy"},
        {"\x19\x43VT\x06\x55\x51\x46\x51", 8, "tcp-stream-1f.img"}, // no plain dump's
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (open_of(cases[i].data, cases[i].length, cases[i].name, &image) != -1)
            fail_msg("case %zu is taken", i);
        assert_int_equal(failure.code, EXIT_IMAGE);
        assert_non_null(strstr(failure.text, cases[i].name));
    }
}

// ---- Entries

static size_t count_entries(const struct set_image *image) {
    struct image reader = opened(image);
    const uint8_t *message;
    size_t length, count = 0;
    int more;
    while ((more = image_next(&reader, &message, &length, &failure)) == 1)
        count++;
    if (more != 0)
        fail_msg("%s: %s", image->name, failure.text);
    assert_int_equal(reader.position, image->bytes.length);
    return count;
}

static void every_image_of_a_dump_is_read_to_its_end(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    for (size_t i = 0; i < set->count; i++)
        count_entries(&set->images[i]);
    assert_int_equal(count_entries(set_find(set, "pipes-data")), 1);
    assert_int_equal(count_entries(set_find(set, "sk-queues")), 1);
    assert_int_equal(count_entries(set_find(set, "ghost-file-1")), 1);
    assert_int_equal(count_entries(set_find(set, "ghost-file-2")), 1); // in chunks
    assert_int_equal(count_entries(set_find(set, "pstree")), 3);
    set_free(set);
}

static void an_empty_entry_is_an_entry(void **state) {
    (void)state;
    struct set_image image = {.name = "seccomp.img", .bytes = image_with_magic(0x64413049)};
    put_entry(&image.bytes, (struct bytes){0});
    assert_int_equal(count_entries(&image), 1);
    free(image.bytes.data);
}

// Returns what image_next() says first about the image cut to `length`.
static int read_cut(const struct set_image *image, size_t length) {
    // A copy of just that size, so that the sanitizer sees every byte too many.
    uint8_t *copy = malloc(length > 0 ? length : 1);
    memcpy(copy, image->bytes.data, length);
    struct image reader;
    const uint8_t *message;
    size_t size;
    int result = image_open(&reader, copy, length, image->name, &failure);
    while (result == 0) {
        result = image_next(&reader, &message, &size, &failure);
        if (result == 0)
            break;
        if (result == 1)
            result = 0;
    }
    free(copy);
    return result;
}

static void a_cut_image_is_never_read_beyond_its_end(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    static const char *const names[] = {"pipes-data", "sk-queues", "ghost-file-2", "pstree",
                                        "files"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct set_image *image = set_find(set, names[i]);
        for (size_t length = 0; length < image->bytes.length; length++)
            read_cut(image, length);
        assert_int_equal(read_cut(image, 9), -1);
        assert_int_equal(failure.code, EXIT_IMAGE);
        assert_int_equal(read_cut(image, image->bytes.length - 1), -1);
    }
    set_free(set);
}

static void an_entry_longer_than_the_image_is_refused(void **state) {
    (void)state;
    struct bytes bytes = image_with_magic(0x50273030);
    put_u32(&bytes, 0xffffffff);
    put(&bytes, "x", 1);
    struct image image;
    const uint8_t *message;
    size_t length;
    assert_int_equal(image_open(&image, bytes.data, bytes.length, "pstree.img", &failure), 0);
    assert_int_equal(image_next(&image, &message, &length, &failure), -1);
    assert_int_equal(failure.code, EXIT_IMAGE);
    free(bytes.data);
}

static void data_longer_than_the_image_is_refused(void **state) {
    (void)state;
    struct bytes bytes = image_with_magic(0x56453709), entry = {0};
    put_number(&entry, 1, 1);
    put_number(&entry, 2, UINT64_MAX);
    put_entry(&bytes, entry);
    struct image image;
    const uint8_t *message;
    size_t length;
    assert_int_equal(image_open(&image, bytes.data, bytes.length, "pipes-data.img", &failure), 0);
    assert_int_equal(image_next(&image, &message, &length, &failure), -1);
    assert_int_equal(failure.code, EXIT_IMAGE);
    free(bytes.data);
}

// ---- Renaming

struct renamed {
    int count;
    uint8_t *bytes;
    size_t length;
};

static struct renamed rename_in(const struct set_image *image, const char *old_name,
                                const char *new_name) {
    struct rename_rule rule = {old_name, new_name};
    struct renamed result;
    failure = (struct failure){0};
    result.count = image_rename(image->bytes.data, image->bytes.length, image->name,
                                &(struct renaming){.rules = &rule, .rule_count = 1}, &result.bytes,
                                &result.length, &failure);
    if (result.count < 1)
        assert_null(result.bytes);
    return result;
}

static size_t files_named(const struct renamed *renamed, const char *path) {
    struct set_image image = {.name = "files.img", .bytes = {renamed->bytes, renamed->length}};
    struct image reader = opened(&image);
    struct pb_view entry;
    size_t count = 0;
    while (image_next(&reader, &entry.bytes, &entry.length, &failure) == 1) {
        struct pb_view name = pb_part(pb_part(entry, FILE_REG), REG_NAME);
        count += name.bytes != NULL && name.length == strlen(path) &&
                 memcmp(name.bytes, path, name.length) == 0;
    }
    return count;
}

// Renames in the files of the C program and expects `path` to be there as often as it says.
static void expect_rename(const char *old_name, const char *new_name, const char *path, int count) {
    struct image_set *set = set_load(C_PROGRAM);
    struct renamed renamed = rename_in(set_find(set, "files.img"), old_name, new_name);
    if (renamed.count != count)
        fail_msg("%s=%s: %d, not %d (%s)", old_name, new_name, renamed.count, count, failure.text);
    if (count > 0)
        assert_int_equal(files_named(&renamed, path), (size_t)count);
    free(renamed.bytes);
    set_free(set);
}

static void a_name_is_the_last_component_of_any_path(void **state) {
    (void)state;
    expect_rename("id.out", "new_id.out", "/srv/example/work/new_id.out", 1);
    expect_rename("shared.dat", "s", "/srv/example/work/s", 2); // open and mapped
    expect_rename("fifo", "other-fifo", "/srv/example/work/other-fifo", 1);
    expect_rename("gone.tmp", "still-gone", "/srv/example/work/still-gone", 1);
    expect_rename("out", "x", NULL, 0);
    expect_rename("d.out", "x", NULL, 0);
}

static void a_path_is_the_whole_path(void **state) {
    (void)state;
    expect_rename("/srv/example/work/id.out", "/srv/other/id", "/srv/other/id", 1);
    expect_rename("/srv/example/work/id.out", "id2", "/srv/example/work/id2", 1);
    expect_rename("/srv/example/work", "/srv/other", NULL, 0);
    expect_rename("/other/id.out", "id2", NULL, 0);
}

static void directories_and_devices_keep_their_names(void **state) {
    (void)state;
    expect_rename("work", "play", NULL, 0);
    expect_rename("null", "zero", NULL, 0);
    expect_rename("/dev/null", "/etc/shadow", NULL, 0);
}

static void bad_rules_are_refused(void **state) {
    (void)state;
    static const struct rename_rule rules[] = {
        {"", "x"},        {"x", ""},       {"x", ".."},      {"..", "x"},     {".", "x"},
        {"x", "."},       {"a/b", "x"},    {"x", "a/b"},     {"x", "/a/b"},   {"/a", "b/c"},
        {"/a/../b", "x"}, {"/a", "/b/.."}, {"/a", "/b/./c"}, {"/a", "/b//c"}, {"/a", "/b/"},
        {"/", "x"},       {"/a", "/"},     {"x/", "y"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        failure = (struct failure){0};
        if (image_check_rules(&rules[i], 1, &failure) != -1)
            fail_msg("%s=%s is taken", rules[i].old_name, rules[i].new_name);
        assert_int_equal(failure.code, EXIT_USAGE);
        assert_non_null(strstr(failure.text, "--rename"));
    }
    struct image_set *set = set_load(C_PROGRAM);
    assert_int_equal(rename_in(set_find(set, "files.img"), "id.out", "../id.out").count, -1);
    assert_int_equal(failure.code, EXIT_USAGE);
    set_free(set);
}

struct told {
    size_t count;
    char old_path[256], new_path[256]; // of the last one
};

static int note_renamed(void *context, const char *old_path, const char *new_path) {
    struct told *told = context;
    told->count++;
    snprintf(told->old_path, sizeof told->old_path, "%s", old_path);
    snprintf(told->new_path, sizeof told->new_path, "%s", new_path);
    return 0;
}

static void the_first_rule_that_fits_counts(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    const struct set_image *files = set_find(set, "files.img");
    static const struct rename_rule rules[] = {
        {"/srv/example/work/id.out", "first"}, {"id.out", "second"}, {"app.log", "id.out"}};
    struct renamed renamed;
    struct told told = {0};
    const struct renaming renaming = {
        .rules = rules, .rule_count = 3, .renamed = note_renamed, .context = &told};
    renamed.count = image_rename(files->bytes.data, files->bytes.length, "files.img", &renaming,
                                 &renamed.bytes, &renamed.length, &failure);
    assert_int_equal(told.count, 2);
    assert_string_equal(told.old_path, "/srv/example/work/app.log");
    assert_string_equal(told.new_path, "/srv/example/work/id.out");
    assert_int_equal(renamed.count, 2);
    assert_int_equal(files_named(&renamed, "/srv/example/work/first"), 1);
    assert_int_equal(files_named(&renamed, "/srv/example/work/id.out"), 1);
    assert_int_equal(files_named(&renamed, "/srv/example/work/second"), 0);
    free(renamed.bytes);
    set_free(set);
}

static void other_images_are_left_alone(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->images[i].name, "files.img") != 0)
            assert_int_equal(rename_in(&set->images[i], "program", "x").count, 0);
    set_free(set);
}

// Fields of every wire type with numbers that no CRIU knows, at the beginning or the end.
static struct bytes with_unknown_fields(struct pb_view message, bool before) {
    struct bytes unknown = {0}, result = {0};
    put_number(&unknown, 900, UINT64_MAX);
    put_varint(&unknown, 901 << 3 | PB_FIXED64);
    put(&unknown, "\0\1\2\3\4\5\6\7", 8);
    put_data(&unknown, 902, "\xff\x00\x7f", 3);
    put_varint(&unknown, 903 << 3 | PB_FIXED32);
    put(&unknown, "\xde\xad\xbe\xef", 4);
    if (before)
        put(&result, unknown.data, unknown.length);
    put(&result, message.bytes, message.length);
    if (!before)
        put(&result, unknown.data, unknown.length);
    free(unknown.data);
    return result;
}

// The files of the C program with unknown fields around every message on the way to a path.
static struct set_image files_with_unknown_fields(bool before) {
    struct image_set *set = set_load(C_PROGRAM);
    struct image reader = opened(set_find(set, "files.img"));
    struct set_image image = {.name = "files.img", .bytes = image_with_magic(0x56303138)};
    struct pb_view entry;
    while (image_next(&reader, &entry.bytes, &entry.length, &failure) == 1) {
        struct bytes copy = {0}, regular = {0};
        struct pb_view part = pb_part(entry, FILE_REG);
        if (part.bytes != NULL) {
            struct bytes inner = with_unknown_fields(part, before);
            put_data(&regular, FILE_REG, inner.data, inner.length);
            copy = edited(entry, "3", regular);
            entry = (struct pb_view){copy.data, copy.length};
            free(inner.data);
        }
        put_entry(&image.bytes, with_unknown_fields(entry, before));
        free(copy.data);
        free(regular.data);
    }
    set_free(set);
    return image;
}

static void renaming_there_and_back_restores_every_byte(void **state) {
    (void)state;
    static const char *const names[] = {"x", "new_id.out",
                                        "a-name-that-is-rather-long-so-that-the-"
                                        "lengths-around-it-need-another-byte-"
                                        "012345678901234567890123456789"};
    for (int before = 0; before < 2; before++) {
        struct set_image image = files_with_unknown_fields(before != 0);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            struct renamed there = rename_in(&image, "id.out", names[i]);
            assert_int_equal(there.count, 1);
            struct set_image copy = {.name = "files.img", .bytes = {there.bytes, there.length}};
            struct renamed back = rename_in(&copy, names[i], "id.out");
            assert_int_equal(back.count, 1);
            assert_int_equal(back.length, image.bytes.length);
            assert_memory_equal(back.bytes, image.bytes.data, back.length);
            free(there.bytes);
            free(back.bytes);
        }
        free(image.bytes.data);
    }
}

static void a_rule_that_never_fits_changes_nothing(void **state) {
    (void)state;
    struct set_image image = files_with_unknown_fields(true);
    assert_int_equal(rename_in(&image, "no-such-file", "x").count, 0);
    free(image.bytes.data);
}

static void a_malformed_file_entry_is_refused(void **state) {
    (void)state;
    struct set_image image = {.name = "files.img", .bytes = image_with_magic(0x56303138)};
    struct bytes entry = {0};
    put_data(&entry, FILE_REG, "\x32\x7f/", 3);
    put_entry(&image.bytes, entry);
    assert_int_equal(rename_in(&image, "x", "y").count, -1);
    assert_int_equal(failure.code, EXIT_IMAGE);
    free(image.bytes.data);
}

// ---- Credentials of an unprivileged restore

static struct pb_view creds_of(const struct set_image *image) {
    struct image reader = opened(image);
    struct pb_view entry;
    assert_int_equal(image_next(&reader, &entry.bytes, &entry.length, &failure), 1);
    return pb_part(pb_part(entry, CORE_THREAD), THREAD_CREDS);
}

static size_t numbers_of(struct pb_view message, uint32_t number, uint64_t *values, size_t most) {
    struct pb_field field;
    size_t position = 0, count = 0;
    while (pb_next(message.bytes, message.length, &position, &field) > 0)
        if (field.number == number && count < most)
            values[count++] = field.value;
    return count;
}

// ---- Files of cgroups

#define ID_OUT "3.6", "/srv/example/work/id.out"

// What becomes of the file id.out of the C program if it is open by another path, and so.
static int leave_cgroups(const char *path, uint64_t flags, uint64_t mode, struct renamed *left) {
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *files = set_find(set, "files.img");
    size_t entry = entry_with(files, ID_OUT);
    edit_text(files, entry, "3.6", path);
    edit_number(files, entry, "3.2", flags);
    edit_number(files, entry, "3.10", mode);
    left->count = image_leave_cgroups(files->bytes.data, files->bytes.length, files->name,
                                      &left->bytes, &left->length, &failure);
    set_free(set);
    return left->count;
}

static void a_file_of_a_cgroup_becomes_an_empty_one(void **state) {
    (void)state;
    struct renamed left;
    assert_int_equal(leave_cgroups("/sys/fs/cgroup/memory/yarn/container_1/memory.stat",
                                   O_RDONLY | O_CLOEXEC, S_IFREG | 0444, &left),
                     1);
    struct set_image image = {.name = "files.img", .bytes = {left.bytes, left.length}};
    struct image reader = opened(&image);
    struct pb_view entry;
    size_t found = 0;
    while (image_next(&reader, &entry.bytes, &entry.length, &failure) == 1) {
        struct pb_view regular = pb_part(entry, FILE_REG);
        struct pb_field size;
        if (regular.bytes == NULL || pb_number(regular, REG_FLAGS, 0) != (O_RDONLY | O_CLOEXEC))
            continue;
        found++;
        struct pb_view name = pb_part(regular, REG_NAME);
        assert_int_equal(name.length, strlen("/dev/null"));
        assert_memory_equal(name.bytes, "/dev/null", name.length);
        assert_int_equal(pb_number(regular, REG_MODE, 0), S_IFCHR | 0666);
        assert_false(pb_find(regular.bytes, regular.length, REG_SIZE, &size));
    }
    assert_int_equal(found, 1);
    free(left.bytes);
}

static void other_files_than_those_read_of_cgroups_stay(void **state) {
    (void)state;
    static const struct {
        const char *path;
        uint64_t flags, mode;
    } files[] = {
        {"/sys/fs/cgroup/memory/tasks", O_WRONLY, S_IFREG | 0644},
        {"/sys/fs/cgroup/memory/tasks", O_RDWR, S_IFREG | 0644},
        {"/sys/fs/cgroup/memory", O_RDONLY, S_IFDIR | 0755},
        {"/sys/fs/cgroups", O_RDONLY, S_IFREG | 0644},
        {"/sys/kernel/profiling", O_RDONLY, S_IFREG | 0444},
        {"/srv/sys/fs/cgroup/memory.stat", O_RDONLY, S_IFREG | 0444},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct renamed left;
        if (leave_cgroups(files[i].path, files[i].flags, files[i].mode, &left) != 0)
            fail_msg("%s, %d", files[i].path, (int)files[i].flags);
        assert_null(left.bytes);
    }
}

static void groups_and_bounding_set_fit_an_unprivileged_restore(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *core = set_find(set, "core-");
    static const gid_t groups[] = {7, 8, 65534};
    struct set_image edited_core = {.name = "core-1.img"};
    uint64_t values[8];
    edit_number(core, 0, "5.10.12", 5);
    int count = image_unprivileged(core->bytes.data, core->bytes.length, core->name, 1000, groups,
                                   3, &edited_core.bytes.data, &edited_core.bytes.length, &failure);
    assert_int_equal(count, 1);
    struct pb_view creds = creds_of(&edited_core);
    assert_int_equal(numbers_of(creds, CREDS_GROUPS, values, 8), 3);
    assert_int_equal(values[0], 7);
    assert_int_equal(values[2], 65534);
    assert_int_equal(numbers_of(creds, CREDS_CAP_BOUNDING, values, 8), 1);
    assert_int_equal(values[0], UINT32_MAX);
    assert_int_equal(numbers_of(creds, CREDS_UID, values, 8), 1);
    assert_int_equal(values[0], 1000);
    free(edited_core.bytes.data);
    set_free(set);
}

static void only_groups_and_bounding_set_change(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *core = set_find(set, "core-");
    static const gid_t groups[] = {1000, 1001};
    struct bytes unknown = {0}, edited_core;
    put_number(&unknown, 900, 1);
    edit_entry(core, 0, "5.10.900", unknown);
    int count = image_unprivileged(core->bytes.data, core->bytes.length, core->name, 1000, groups,
                                   2, &edited_core.data, &edited_core.length, &failure);
    assert_int_equal(count, 1);
    struct set_image *changed = &(struct set_image){.name = "core-1.img", .bytes = edited_core};
    for (int i = 0; i < 2; i++) { // what may differ is made the same in both
        edit_away(i == 0 ? core : changed, 0, "5.10.12");
        edit_away(i == 0 ? core : changed, 0, "5.10.14");
    }
    assert_int_equal(changed->bytes.length, core->bytes.length);
    assert_memory_equal(changed->bytes.data, core->bytes.data, core->bytes.length);
    free(changed->bytes.data);
    set_free(set);
}

static void check_group_of_deleted_file(const struct set_image *ghost) {
    struct bytes edited;
    struct bytes before;
    struct pb_view entry;
    int count = image_unprivileged(ghost->bytes.data, ghost->bytes.length, ghost->name, 1001, NULL,
                                   0, &edited.data, &edited.length, &failure);
    assert_int_equal(count, 1);
    struct set_image after = {.bytes = edited};
    snprintf(after.name, sizeof after.name, "%s", ghost->name);
    struct image reader = opened(&after);
    assert_int_equal(image_next(&reader, &entry.bytes, &entry.length, &failure), 1);
    assert_int_equal(pb_number(entry, GHOST_GID, 0), 1001);
    assert_int_equal(image_next(&reader, &entry.bytes, &entry.length, &failure), 0);
    // And back: contents and all else are what they were.
    count = image_unprivileged(edited.data, edited.length, ghost->name, 1000, NULL, 0, &before.data,
                               &before.length, &failure);
    assert_int_equal(count, 1);
    assert_int_equal(before.length, ghost->bytes.length);
    assert_memory_equal(before.data, ghost->bytes.data, ghost->bytes.length);
    free(edited.data);
    free(before.data);
}

static void a_deleted_file_gets_the_users_group(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    check_group_of_deleted_file(set_find(set, "ghost-file-1"));
    check_group_of_deleted_file(set_find(set, "ghost-file-2")); // in chunks
    set_free(set);
}

static void images_without_owners_are_left_alone(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    uint8_t *out;
    size_t length;
    for (size_t i = 0; i < set->count; i++) {
        const struct set_image *image = &set->images[i];
        int count = image_unprivileged(image->bytes.data, image->bytes.length, image->name, 1000,
                                       NULL, 0, &out, &length, &failure);
        bool owned =
            strncmp(image->name, "core-", 5) == 0 || strncmp(image->name, "ghost-file-", 11) == 0;
        assert_in_range(count, 0, owned ? 1 : 0);
        assert_true((out != NULL) == (count > 0));
        free(out);
    }
    set_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_of_each_wire_type_is_read),
        cmocka_unit_test(malformed_fields_are_refused),
        cmocka_unit_test(the_last_of_a_singular_field_counts),
        cmocka_unit_test(names_are_taken_apart),
        cmocka_unit_test(images_are_known_by_their_magics),
        cmocka_unit_test(wrong_magics_are_refused),
        cmocka_unit_test(every_image_of_a_dump_is_read_to_its_end),
        cmocka_unit_test(an_empty_entry_is_an_entry),
        cmocka_unit_test(a_cut_image_is_never_read_beyond_its_end),
        cmocka_unit_test(an_entry_longer_than_the_image_is_refused),
        cmocka_unit_test(data_longer_than_the_image_is_refused),
        cmocka_unit_test(a_name_is_the_last_component_of_any_path),
        cmocka_unit_test(a_path_is_the_whole_path),
        cmocka_unit_test(directories_and_devices_keep_their_names),
        cmocka_unit_test(bad_rules_are_refused),
        cmocka_unit_test(the_first_rule_that_fits_counts),
        cmocka_unit_test(other_images_are_left_alone),
        cmocka_unit_test(renaming_there_and_back_restores_every_byte),
        cmocka_unit_test(a_rule_that_never_fits_changes_nothing),
        cmocka_unit_test(a_malformed_file_entry_is_refused),
        cmocka_unit_test(a_file_of_a_cgroup_becomes_an_empty_one),
        cmocka_unit_test(other_files_than_those_read_of_cgroups_stay),
        cmocka_unit_test(groups_and_bounding_set_fit_an_unprivileged_restore),
        cmocka_unit_test(only_groups_and_bounding_set_change),
        cmocka_unit_test(a_deleted_file_gets_the_users_group),
        cmocka_unit_test(images_without_owners_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
