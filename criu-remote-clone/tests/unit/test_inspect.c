// inspect.c: the facts of real dumps, as JSON and for people; nothing in an image can crash it or
// reach the terminal.
#include "images.h"
#include "inspect.h"
#include "inspect_model.h"
#include "scratch.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct failure failure;

static json_t *model_of(const struct image_set *set) {
    struct inspect_image images[sizeof set->images / sizeof set->images[0]];
    for (size_t i = 0; i < set->count; i++)
        images[i] =
            (struct inspect_image){set->images[i].name, set->images[i].bytes.data,
                                   set->images[i].bytes.length, set->images[i].bytes.length};
    return inspect_model(images, set->count, &failure);
}

static json_t *model_of_kept(const char *path) {
    struct image_set *set = set_load(path);
    json_t *model = model_of(set);
    if (model == NULL)
        fail_msg("%s", failure.text);
    set_free(set);
    return model;
}

// The element of the list whose field is that text.
static json_t *element(const json_t *model, const char *list, const char *key, const char *wanted) {
    json_t *value;
    size_t index;
    json_array_foreach(json_object_get(model, list), index, value) {
        const char *text = json_string_value(json_object_get(value, key));
        if (text != NULL && strcmp(text, wanted) == 0)
            return value;
    }
    fail_msg("no %s with %s %s", list, key, wanted);
    return NULL;
}

static size_t count_of(const json_t *model, const char *list, const char *key, const char *wanted) {
    json_t *value;
    size_t index, count = 0;
    json_array_foreach(json_object_get(model, list), index, value) {
        const char *text = json_string_value(json_object_get(value, key));
        count += text != NULL && strcmp(text, wanted) == 0;
    }
    return count;
}

static json_int_t integer(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static const char *text(const json_t *object, const char *key) {
    const char *value = json_string_value(json_object_get(object, key));
    assert_non_null(value);
    return value;
}

static void the_process_tree_is_shown(void **state) {
    (void)state;
    json_t *model = model_of_kept(C_PROGRAM);
    json_t *processes = json_object_get(model, "processes");
    assert_int_equal(json_array_size(processes), 3);
    json_t *root = json_array_get(processes, 0);
    assert_int_equal(integer(root, "parent"), 0);
    assert_int_equal(integer(root, "session"), integer(root, "pid"));
    assert_string_equal(text(root, "command"), "program");
    assert_string_equal(text(root, "state"), "running");
    assert_string_equal(text(root, "executable"), "/srv/example/bin/program");
    assert_string_equal(text(root, "working_directory"), "/srv/example/work");
    assert_string_equal(text(root, "root_directory"), "/");
    assert_int_equal(json_array_size(json_object_get(root, "own_namespaces")), 0);
    json_t *threads = json_object_get(root, "threads");
    assert_int_equal(json_array_size(threads), 2);
    assert_string_equal(text(json_array_get(threads, 1), "name"), "worker");
    for (size_t i = 1; i < 3; i++)
        assert_int_equal(integer(json_array_get(processes, i), "parent"), integer(root, "pid"));
    element(model, "processes", "state", "zombie");
    element(model, "processes", "state", "stopped");
    json_decref(model);
}

static void credentials_are_shown(void **state) {
    (void)state;
    json_t *model = model_of_kept(C_PROGRAM);
    const json_t *credentials =
        json_object_get(json_array_get(json_object_get(model, "processes"), 0), "credentials");
    const json_t *groups = json_object_get(credentials, "supplementary_groups");
    assert_int_equal(json_integer_value(json_array_get(json_object_get(credentials, "users"), 1)),
                     1000);
    assert_int_equal(json_array_size(groups), 2);
    assert_int_equal(json_integer_value(json_array_get(groups, 1)), 1001);
    assert_string_equal(text(credentials, "capabilities"), "0000000000000000");
    assert_string_equal(text(credentials, "system_call_filter"), "off");
    json_decref(model);
}

// Every page in the image is in one of the kinds.
static void memory_is_shown_by_kind(void **state) {
    (void)state;
    json_t *model = model_of_kept(C_PROGRAM);
    json_t *memory =
        json_object_get(json_array_get(json_object_get(model, "processes"), 0), "memory");
    json_t *kinds = json_object_get(memory, "kinds"), *kind;
    json_int_t sum = 0;
    const char *name;
    json_object_foreach(kinds, name, kind) {
        assert_true(integer(kind, "image_bytes") <= integer(kind, "mapped_bytes"));
        sum += integer(kind, "image_bytes");
    }
    assert_int_equal(sum, integer(memory, "image_bytes"));
    assert_true(integer(json_object_get(kinds, "stack"), "image_bytes") > 0);
    assert_true(integer(json_object_get(kinds, "heap"), "mapped_bytes") > 0);
    assert_true(integer(json_object_get(kinds, "anonymous"), "image_bytes") >= 300000);
    assert_int_equal(integer(json_object_get(kinds, "shared_file"), "mapped_bytes"), 4096);
    json_decref(model);
}

static void open_files_are_shown_with_who_has_them(void **state) {
    (void)state;
    json_t *model = model_of_kept(C_PROGRAM);
    json_t *log = element(model, "files", "path", "/srv/example/work/app.log");
    assert_string_equal(text(log, "kind"), "file");
    assert_string_equal(json_string_value(json_array_get(json_object_get(log, "flags"), 0)),
                        "O_WRONLY");
    assert_string_equal(json_string_value(json_array_get(json_object_get(log, "flags"), 1)),
                        "O_APPEND");
    assert_true(integer(log, "position") > 0);
    assert_int_equal(json_array_size(json_object_get(log, "descriptors")), 2); // and the child's
    json_t *gone = element(model, "files", "path", "/srv/example/work/gone.tmp");
    assert_true(json_is_true(json_object_get(gone, "deleted")));
    assert_int_equal(integer(gone, "size"), 10);
    json_t *library = element(model, "files", "path", "/usr/lib/x86_64-linux-gnu/libc.so.6");
    assert_true(json_is_true(json_object_get(library, "mapped")));
    assert_null(json_object_get(library, "descriptors"));
    json_decref(model);
}

static void sockets_and_pipes_are_shown(void **state) {
    (void)state;
    json_t *model = model_of_kept(C_PROGRAM);
    assert_int_equal(count_of(model, "sockets", "kind", "tcp"), 3);
    assert_int_equal(count_of(model, "sockets", "kind", "udp"), 2);
    assert_int_equal(count_of(model, "sockets", "kind", "unix"), 5);
    json_t *listening = element(model, "sockets", "state", "listening");
    assert_non_null(json_object_get(listening, "descriptors"));
    element(model, "sockets", "name", "sock.name");
    element(model, "sockets", "name", "\\x00abstract");
    json_t *pipe = element(model, "pipes", "end", "reads");
    assert_int_equal(integer(pipe, "buffered_bytes"), 5);
    json_t *fifo = element(model, "pipes", "kind", "fifo");
    assert_string_equal(text(fifo, "path"), "/srv/example/work/fifo");
    assert_int_equal(integer(fifo, "buffered_bytes"), 4);
    element(model, "others", "kind", "epoll");
    json_decref(model);
}

static void what_the_clone_will_find_is_said(void **state) {
    (void)state;
    json_t *model = model_of_kept(C_PROGRAM);
    assert_int_equal(count_of(model, "findings", "kind", "connection_closed"), 2);
    assert_int_equal(count_of(model, "findings", "kind", "listens"), 2);
    assert_int_equal(count_of(model, "findings", "kind", "deleted_file"), 2);
    assert_int_equal(count_of(model, "findings", "kind", "peer_gone"), 1);
    assert_int_equal(count_of(model, "findings", "kind", "lock"), 1);
    json_decref(model);
}

static void a_jvm_is_shown_with_its_threads(void **state) {
    (void)state;
    json_t *model = model_of_kept(JVM);
    json_t *java = json_array_get(json_object_get(model, "processes"), 0);
    json_t *threads = json_object_get(java, "threads"), *thread;
    bool vm_thread = false;
    size_t index;
    json_array_foreach(threads, index, thread) {
        vm_thread = vm_thread || strcmp(text(thread, "name"), "VM Thread") == 0;
    }
    assert_true(vm_thread);
    const json_t *dump = json_object_get(model, "dump");
    assert_string_equal(text(dump, "image_format"), "1.1");
    assert_true(json_is_true(json_object_get(dump, "tcp_closed")));
    assert_true(integer(dump, "frozen_micros") > 0);
    json_decref(model);
}

static void own_namespaces_and_watches_are_found(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *files = set_find(set, "files.img");
    edit_number(set_find(set, "ids-"), 0, "6", 77);
    edit_number(set_find(set, "ids-"), 0, "12", 78);
    edit_text(files, entry_with(files, "1", "8"), "13.5", "");
    json_t *model = model_of(set);
    assert_int_equal(count_of(model, "findings", "kind", "namespace"), 1);
    assert_int_equal(count_of(model, "findings", "kind", "watches"), 1);
    json_decref(model);
    set_free(set);
}

static void texts_of_the_image_are_escaped(void **state) {
    (void)state;
    static const struct {
        const char *raw, *shown;
    } names[] = {{"/a\x1b[2J", "/a\\x1b[2J"},
                 {"/a\nb", "/a\\x0ab"},
                 {"/\xc3\xa4", "/\xc3\xa4"},
                 {"/\xc2\x9b", "/\\xc2\\x9b"},
                 {"/\xff", "/\\xff"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct image_set *set = set_load(C_PROGRAM);
        struct set_image *files = set_find(set, "files.img");
        edit_text(files, entry_with(files, "3.6", "/srv/example/work/id.out"), "3.6", names[i].raw);
        json_t *model = model_of(set);
        element(model, "files", "path", names[i].shown);
        json_decref(model);
        set_free(set);
    }
}

static void malformed_images_are_refused(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *core = set_find(set, "core-");
    core->bytes.length -= 1;
    assert_null(model_of(set));
    assert_int_equal(failure.code, EXIT_IMAGE);
    set_free(set);
    set = set_load(C_PROGRAM);
    edit_number(set_find(set, "mm-"), 0, "14.2", 1);
    assert_null(model_of(set));
    assert_non_null(strstr(failure.text, "not in order"));
    set_free(set);
    set = set_load(C_PROGRAM);
    edit_number(set_find(set, "pagemap-"), 1, "5", UINT64_MAX);
    assert_null(model_of(set));
    assert_non_null(strstr(failure.text, "not in order"));
    set_free(set);
}

static void any_bent_byte_is_survived(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    for (size_t i = 0; i < set->count; i++)
        for (size_t at = 0; at < set->images[i].bytes.length; at += 7) {
            set->images[i].bytes.data[at] ^= 0x81;
            json_decref(model_of(set));
            set->images[i].bytes.data[at] ^= 0x81;
        }
    set_free(set);
}

// ---- Files

static char *unpack(const struct image_set *set) {
    char *directory = test_directory();
    for (size_t i = 0; i < set->count; i++) {
        int fd = open(in(directory, set->images[i].name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        assert_true(fd >= 0);
        assert_int_equal(write(fd, set->images[i].bytes.data, set->images[i].bytes.length),
                         set->images[i].bytes.length);
        close(fd);
    }
    write_file(in(directory, "pages-1.img"), "memory");
    write_file(in(directory, "dump.log"), "not an image");
    return directory;
}

static void remove_unpacked(char *directory, const struct image_set *set) {
    for (size_t i = 0; i < set->count; i++)
        unlink(in(directory, set->images[i].name));
    unlink(in(directory, "pages-1.img"));
    unlink(in(directory, "dump.log"));
    assert_int_equal(rmdir(directory), 0);
    free(directory);
}

// What inspect_directory() writes; NULL if it fails.
static char *inspected(const char *path, bool json) {
    char *output = NULL;
    size_t size;
    FILE *out = open_memstream(&output, &size);
    int result = inspect_directory(path, json, out, &failure);
    fclose(out);
    if (result == 0)
        return output;
    free(output);
    return NULL;
}

static void a_directory_is_inspected(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    char *directory = unpack(set);
    char *shown = inspected(directory, false), *json = inspected(directory, true);
    assert_non_null(shown);
    assert_non_null(strstr(shown, "/srv/example/work/app.log O_WRONLY|O_APPEND at "));
    assert_non_null(strstr(shown, "THE CLONE WILL FIND"));
    assert_non_null(strstr(shown, "user 1000, group 1000, supplementary 1000 1001"));
    assert_non_null(strstr(shown, "/srv/example/work/gone.big with 100000 bytes"));
    json_t *model = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(model);
    assert_int_equal(integer(json_object_get(model, "images"), "memory_bytes"), 6);
    assert_int_equal(integer(json_object_get(model, "images"), "count"), set->count + 1);
    json_decref(model);
    free(shown);
    free(json);
    remove_unpacked(directory, set);
    set_free(set);
}

static void a_single_image_is_inspected(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    char *directory = unpack(set);
    char *shown = inspected(in(directory, "files.img"), false);
    assert_non_null(shown);
    assert_non_null(strstr(shown, "/srv/example/work/id.out"));
    free(shown);
    shown = inspected(in(directory, "pages-1.img"), false);
    assert_non_null(shown);
    free(shown);
    remove_unpacked(directory, set);
    set_free(set);
}

static void what_is_no_image_is_refused(void **state) {
    (void)state;
    char *directory = test_directory();
    assert_null(inspected(directory, false));
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_null(inspected(in(directory, "nothing"), false));
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_int_equal(mkfifo(in(directory, "core-1.img"), 0600), 0);
    assert_null(inspected(directory, false));
    assert_int_equal(failure.code, EXIT_USAGE);
    unlink(in(directory, "core-1.img"));
    write_file(in(directory, "core-1.img"), "short");
    assert_null(inspected(directory, false));
    assert_int_equal(failure.code, EXIT_IMAGE);
    unlink(in(directory, "core-1.img"));
    assert_int_equal(rmdir(directory), 0);
    free(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_process_tree_is_shown),
        cmocka_unit_test(credentials_are_shown),
        cmocka_unit_test(memory_is_shown_by_kind),
        cmocka_unit_test(open_files_are_shown_with_who_has_them),
        cmocka_unit_test(sockets_and_pipes_are_shown),
        cmocka_unit_test(what_the_clone_will_find_is_said),
        cmocka_unit_test(a_jvm_is_shown_with_its_threads),
        cmocka_unit_test(own_namespaces_and_watches_are_found),
        cmocka_unit_test(texts_of_the_image_are_escaped),
        cmocka_unit_test(malformed_images_are_refused),
        cmocka_unit_test(any_bent_byte_is_survived),
        cmocka_unit_test(a_directory_is_inspected),
        cmocka_unit_test(a_single_image_is_inspected),
        cmocka_unit_test(what_is_no_image_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
