// SPDX-License-Identifier: Apache-2.0
// Receiving the file clone set from a peer that may be hostile.
#include <dirent.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <xxhash.h>

#include "fileset.h"
#include "scratch.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define LIMIT (1u << 20)

static struct failure failure;

struct fixture {
    size_t descriptors; // open before
    char *directory;
    struct keeper *keeper;
    struct path_map map_list[4];
    struct path_maps maps;
    char *roots[2];
    char *extra[2];
    struct receiver_plan plan;
    struct receiver *receiver;
};

static size_t open_descriptors(void) {
    DIR *directory = opendir("/proc/self/fd");
    assert_non_null(directory);
    size_t count = 0;
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

// Roots /job and /etc/app.conf, extra /lib/x.jar, stored below "<directory>/base".
static int set_up(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->descriptors = open_descriptors();
    fixture->directory = test_directory();
    fixture->keeper = keeper_start(&failure);
    assert_non_null(fixture->keeper);
    fixture->maps = (struct path_maps){.maps = fixture->map_list,
                                       .base = strdup(in(fixture->directory, "base"))};
    fixture->roots[0] = "/job";
    fixture->roots[1] = "/etc/app.conf";
    fixture->extra[0] = "/lib/x.jar";
    fixture->plan = (struct receiver_plan){.maps = &fixture->maps,
                                           .roots = fixture->roots,
                                           .root_count = 2,
                                           .extra = fixture->extra,
                                           .extra_count = 1,
                                           .uid = geteuid(),
                                           .gid = getegid(),
                                           .limit_bytes = LIMIT};
    *state = fixture;
    return 0;
}

static void open_receiver(struct fixture *fixture) {
    fixture->receiver = receiver_open(&fixture->plan, fixture->keeper, &failure);
    assert_non_null(fixture->receiver);
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;
    receiver_close(fixture->receiver);
    keeper_finish(fixture->keeper);
    assert_int_equal(open_descriptors(), fixture->descriptors);
    for (size_t i = 0; i < fixture->maps.count; i++)
        free(fixture->map_list[i].target);
    char command[256];
    snprintf(command, sizeof command, "rm -r %s", fixture->directory);
    assert_int_equal(system(command), 0);
    free(fixture->maps.base);
    free(fixture->directory);
    free(fixture);
    return 0;
}

static void add_map(struct fixture *fixture, const char *source, const char *target) {
    fixture->map_list[fixture->maps.count++] = (struct path_map){
        .source = (char *)source, .target = strdup(in(fixture->directory, target))};
}

static const char *stored(struct fixture *fixture, const char *path) {
    char name[1024];
    snprintf(name, sizeof name, "base%s", path);
    return in(fixture->directory, name);
}

// --- messages ---

static int take(struct fixture *fixture, enum wire_type type, const ProtobufCMessage *message) {
    uint8_t bytes[16384];
    assert_true(protobuf_c_message_get_packed_size(message) <= sizeof bytes);
    struct wire_item item = {.type = type, .bytes = bytes};
    item.length = protobuf_c_message_pack(message, bytes);
    failure = (struct failure){0};
    return receiver_take(fixture->receiver, &item, &failure);
}

static CloneWire__FileFacts facts_of(const char *path, uint32_t mode, uint64_t size) {
    CloneWire__FileFacts facts = CLONE_WIRE__FILE_FACTS__INIT;
    facts.path = (char *)path;
    facts.mode = mode;
    facts.size = size;
    facts.uid = geteuid();
    facts.gid = getegid();
    facts.mtime_ns = INT64_C(1234567890123456789);
    return facts;
}

static int begin_facts(struct fixture *fixture, CloneWire__FileFacts facts, bool replaces) {
    CloneWire__FileBegin begin = CLONE_WIRE__FILE_BEGIN__INIT;
    begin.facts = &facts;
    begin.has_replaces_earlier = begin.replaces_earlier = replaces;
    return take(fixture, WIRE_FILE_BEGIN, &begin.base);
}

static int begin(struct fixture *fixture, const char *path, uint32_t mode, uint64_t size) {
    return begin_facts(fixture, facts_of(path, mode, size), false);
}

static int begin_link(struct fixture *fixture, const char *path, uint32_t mode,
                      const char *target) {
    CloneWire__FileFacts facts = facts_of(path, mode, 0);
    facts.link_target = (char *)target;
    return begin_facts(fixture, facts, false);
}

static int data(struct fixture *fixture, const void *bytes, size_t length) {
    struct wire_item item = {.is_data = true, .bytes = bytes, .length = length};
    failure = (struct failure){0};
    return receiver_take(fixture->receiver, &item, &failure);
}

static int end(struct fixture *fixture, uint64_t bytes, uint64_t hash) {
    CloneWire__FileEnd message = CLONE_WIRE__FILE_END__INIT;
    message.bytes = bytes;
    message.xxh3 = hash;
    return take(fixture, WIRE_FILE_END, &message.base);
}

static int gone(struct fixture *fixture, const char *path) {
    CloneWire__FileGone message = CLONE_WIRE__FILE_GONE__INIT;
    message.path = (char *)path;
    return take(fixture, WIRE_FILE_GONE, &message.base);
}

static void assert_taken(int result) {
    if (result != 0)
        print_error("%s\n", failure.text);
    assert_int_equal(result, 0);
}

static void assert_refused(int result, enum exit_code code) {
    assert_int_equal(result, -1);
    assert_int_equal(failure.code, code);
    assert_true(strlen(failure.text) > 10);
}

static void take_file(struct fixture *fixture, const char *path, uint32_t mode, const char *text) {
    assert_taken(begin(fixture, path, S_IFREG | mode, strlen(text)));
    if (text[0] != '\0')
        assert_taken(data(fixture, text, strlen(text)));
    assert_taken(end(fixture, strlen(text), XXH3_64bits(text, strlen(text))));
}

static void take_directory(struct fixture *fixture, const char *path, uint32_t mode) {
    assert_taken(begin(fixture, path, S_IFDIR | mode, 0));
}

static struct stat status_of(const char *path) {
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status;
}

// --- what is stored ---

static void every_kind_is_stored_with_mode_and_time(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0710);
    take_directory(fixture, "/job/closed", 0500);
    take_file(fixture, "/job/closed/file", 0440, "hello");
    take_file(fixture, "/job/empty", 0644, "");
    assert_taken(begin_link(fixture, "/job/link", S_IFLNK | 0777, "closed/file"));
    assert_taken(begin_link(fixture, "/job/hard", S_IFREG | 0440, "/job/closed/file"));
    assert_taken(begin(fixture, "/job/fifo", S_IFIFO | 0620, 0));
    take_file(fixture, "/etc/app.conf", 0600, "a = b");
    take_file(fixture, "/lib/x.jar", 0644, "PK");
    assert_taken(receiver_finish(fixture->receiver, &failure));

    static const struct {
        const char *path;
        mode_t mode;
    } expected[] = {{"/job", S_IFDIR | 0710},
                    {"/job/closed", S_IFDIR | 0500},
                    {"/job/closed/file", S_IFREG | 0440},
                    {"/job/empty", S_IFREG | 0644},
                    {"/job/link", S_IFLNK | 0777},
                    {"/job/hard", S_IFREG | 0440},
                    {"/job/fifo", S_IFIFO | 0620},
                    {"/etc/app.conf", S_IFREG | 0600},
                    {"/lib/x.jar", S_IFREG | 0644}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct stat status = status_of(stored(fixture, expected[i].path));
        assert_int_equal(status.st_mode, expected[i].mode);
        assert_int_equal(status.st_mtim.tv_sec, 1234567890);
        assert_int_equal(status.st_mtim.tv_nsec, 123456789);
    }
    assert_string_equal(read_file(stored(fixture, "/job/closed/file")), "hello");
    assert_string_equal(read_file(stored(fixture, "/job/link")), "hello");
    assert_int_equal(status_of(stored(fixture, "/job/hard")).st_ino,
                     status_of(stored(fixture, "/job/closed/file")).st_ino);
    assert_int_equal(receiver_bytes(fixture->receiver), 12);
}

static void a_time_before_1970_is_kept(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    CloneWire__FileFacts facts = facts_of("/etc/app.conf", S_IFREG | 0600, 0);
    facts.mtime_ns = -1;
    assert_taken(begin_facts(fixture, facts, false));
    assert_taken(end(fixture, 0, XXH3_64bits("", 0)));
    struct stat status = status_of(stored(fixture, "/etc/app.conf"));
    assert_int_equal(status.st_mtim.tv_sec, -1);
    assert_int_equal(status.st_mtim.tv_nsec, 999999999);
}

static void a_file_goes_on_where_its_earlier_copy_ended(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    take_file(fixture, "/job/log", 0400, "first ");
    assert_taken(begin(fixture, "/job/log", S_IFREG | 0440, 12));
    assert_taken(data(fixture, "second", 6));
    assert_taken(end(fixture, 12, XXH3_64bits("first second", 12)));
    assert_string_equal(read_file(stored(fixture, "/job/log")), "first second");
    assert_int_equal(status_of(stored(fixture, "/job/log")).st_mode, S_IFREG | 0440);
}

static void a_continuation_with_the_hash_of_another_beginning_is_refused(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    take_file(fixture, "/job/log", 0600, "first ");
    assert_taken(begin(fixture, "/job/log", S_IFREG | 0600, 12));
    assert_taken(data(fixture, "second", 6));
    assert_refused(end(fixture, 12, XXH3_64bits("FIRST second", 12)), EXIT_TRANSFER);
}

static void a_continuation_can_not_make_a_file_shorter(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_file(fixture, "/etc/app.conf", 0600, "12345");
    assert_refused(begin(fixture, "/etc/app.conf", S_IFREG | 0600, 4), EXIT_TRANSFER);
}

static void a_replacement_is_a_new_file(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    take_file(fixture, "/job/one", 0600, "old");
    assert_taken(begin_link(fixture, "/job/two", S_IFREG | 0600, "/job/one"));
    assert_taken(begin_facts(fixture, facts_of("/job/one", S_IFREG | 0600, 3), true));
    assert_taken(data(fixture, "new", 3));
    assert_taken(end(fixture, 3, XXH3_64bits("new", 3)));
    assert_string_equal(read_file(stored(fixture, "/job/one")), "new");
    assert_string_equal(read_file(stored(fixture, "/job/two")), "old");
}

static void what_is_gone_is_removed_and_may_come_again(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    take_directory(fixture, "/job/thing", 0700);
    take_file(fixture, "/job/thing/file", 0600, "x");
    assert_taken(gone(fixture, "/job/thing/file"));
    assert_taken(gone(fixture, "/job/thing"));
    assert_false(exists(stored(fixture, "/job/thing")));
    take_file(fixture, "/job/thing", 0600, "a file now");
    assert_string_equal(read_file(stored(fixture, "/job/thing")), "a file now");
}

static void a_file_may_end_before_its_announced_size(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    assert_taken(begin(fixture, "/etc/app.conf", S_IFREG | 0600, 100));
    assert_taken(data(fixture, "abc", 3));
    assert_taken(end(fixture, 3, XXH3_64bits("abc", 3)));
    assert_string_equal(read_file(stored(fixture, "/etc/app.conf")), "abc");
}

static void zeros_take_no_room(void **state) {
    struct fixture *fixture = *state;
    fixture->plan.limit_bytes = 4u << 20;
    open_receiver(fixture);
    uint8_t *bytes = calloc(4, LIMIT);
    bytes[LIMIT + 17] = 1;
    bytes[3 * LIMIT - 1] = 2; // in the middle, and zeros at the end
    assert_taken(begin(fixture, "/etc/app.conf", S_IFREG | 0600, 4 * LIMIT));
    for (size_t i = 0; i < 4; i++)
        assert_taken(data(fixture, bytes + i * LIMIT, LIMIT));
    assert_taken(end(fixture, 4 * LIMIT, XXH3_64bits(bytes, 4 * LIMIT)));

    const char *path = stored(fixture, "/etc/app.conf");
    struct stat status = status_of(path);
    assert_int_equal(status.st_size, 4 * LIMIT);
    assert_true(status.st_blocks * 512 <= 64 * 1024);
    uint8_t *found = malloc(4 * LIMIT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_int_equal(read(fd, found, 4 * LIMIT), 4 * LIMIT);
    assert_memory_equal(found, bytes, 4 * LIMIT);
    close(fd);
    free(found);
    free(bytes);
}

static void disks_are_not_filled(void **state) {
    struct fixture *fixture = *state;
    struct statvfs disk;
    assert_int_equal(statvfs(fixture->directory, &disk), 0);
    uint64_t free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
    fixture->plan.limit_bytes = UINT64_MAX / 2;
    fixture->plan.keep_free = free_bytes / 2;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    take_file(fixture, "/job/small", 0600, "x");
    assert_refused(begin(fixture, "/job/small", S_IFREG | 0600, free_bytes), EXIT_SPACE);
    assert_refused(begin(fixture, "/job/large", S_IFREG | 0600, free_bytes), EXIT_SPACE);
    assert_false(exists(stored(fixture, "/job/large")));
    receiver_close(fixture->receiver);
    fixture->plan.keep_free = UINT64_MAX / 2; // more than there is: nor are names used up
    open_receiver(fixture);
    assert_refused(begin(fixture, "/etc/app.conf", S_IFREG | 0600, 0), EXIT_SPACE);
}

// --- hostile paths ---

static void paths_that_were_not_agreed_on_are_refused(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    char long_path[5000] = "/job/";
    memset(long_path + 5, 'x', sizeof long_path - 6);
    char *const paths[] = {
        "",        "job",       "/",          "/etc",        "/etc/passwd",    "/etc/app.conf/x",
        "/jobs",   "/job2/x",   "/job/",      "/job//x",     "/job/../etc",    "/job/./x",
        "/job/..", "/../job/x", "/lib/y.jar", "/job/a/../b", "/job/not/there", long_path};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_refused(begin(fixture, paths[i], S_IFREG | 0600, 1), EXIT_TRANSFER);
        assert_refused(begin(fixture, paths[i], S_IFDIR | 0700, 0), EXIT_TRANSFER);
        assert_refused(gone(fixture, paths[i]), EXIT_TRANSFER);
    }
}

static void unclean_roots_are_refused(void **state) {
    struct fixture *fixture = *state;
    static char *const roots[] = {"/", "", "relative", "/a/../b", "/a/"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        fixture->roots[0] = roots[i];
        assert_null(receiver_open(&fixture->plan, fixture->keeper, &failure));
        assert_int_equal(failure.code, EXIT_REFUSED);
    }
}

static void a_received_link_is_never_followed(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    mkdir(in(fixture->directory, "outside"), 0700);
    write_file(in(fixture->directory, "outside/file"), "mine");
    take_directory(fixture, "/job", 0700);
    assert_taken(
        begin_link(fixture, "/job/out", S_IFLNK | 0777, in(fixture->directory, "outside")));
    assert_taken(
        begin_link(fixture, "/job/file", S_IFLNK | 0777, in(fixture->directory, "outside/file")));

    assert_refused(begin(fixture, "/job/out/new", S_IFREG | 0600, 1), EXIT_TRANSFER);
    assert_refused(begin(fixture, "/job/out", S_IFDIR | 0700, 0), EXIT_TRANSFER);
    assert_refused(begin(fixture, "/job/file", S_IFREG | 0600, 10), EXIT_TRANSFER);
    assert_refused(begin_link(fixture, "/job/hard", S_IFREG | 0600, "/job/file"), EXIT_TRANSFER);
    assert_refused(gone(fixture, "/job/out/file"), EXIT_TRANSFER);
    assert_taken(gone(fixture, "/job/out")); // the link, not what it leads to

    assert_string_equal(read_file(in(fixture->directory, "outside/file")), "mine");
    assert_false(exists(in(fixture->directory, "outside/new")));
}

static void a_directory_swapped_for_a_link_is_not_followed(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    mkdir(in(fixture->directory, "outside"), 0700);
    take_directory(fixture, "/job", 0700);
    take_directory(fixture, "/job/sub", 0700);
    // Somebody with access to the directory does this meanwhile.
    assert_int_equal(rmdir(stored(fixture, "/job/sub")), 0);
    assert_int_equal(symlink(in(fixture->directory, "outside"), stored(fixture, "/job/sub")), 0);

    assert_refused(begin(fixture, "/job/sub/file", S_IFREG | 0600, 1), EXIT_TRANSFER);
    assert_refused(receiver_finish(fixture->receiver, &failure), EXIT_TRANSFER);
    assert_false(exists(in(fixture->directory, "outside/file")));
}

static void a_file_swapped_for_another_is_not_continued(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    write_file(in(fixture->directory, "victim"), "mine");
    take_directory(fixture, "/job", 0700);
    take_file(fixture, "/job/log", 0600, "");
    assert_int_equal(unlink(stored(fixture, "/job/log")), 0);
    assert_int_equal(link(in(fixture->directory, "victim"), stored(fixture, "/job/log")), 0);

    assert_refused(begin(fixture, "/job/log", S_IFREG | 0666, 10), EXIT_TRANSFER);
    assert_string_equal(read_file(in(fixture->directory, "victim")), "mine");
    assert_int_equal(status_of(in(fixture->directory, "victim")).st_mode, S_IFREG | 0600);
}

static void roots_and_mapped_paths_can_not_be_links(void **state) {
    struct fixture *fixture = *state;
    add_map(fixture, "/job/mapped", "mapped");
    open_receiver(fixture);
    assert_refused(begin_link(fixture, "/etc/app.conf", S_IFLNK | 0777, "/etc/shadow"),
                   EXIT_REFUSED);
    take_directory(fixture, "/job", 0700);
    assert_refused(begin_link(fixture, "/job/mapped", S_IFLNK | 0777, "/etc"), EXIT_REFUSED);
}

// --- hostile kinds, sizes and order ---

static void devices_sockets_and_strange_modes_are_refused(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    static const uint32_t modes[] = {S_IFBLK | 0600, S_IFCHR | 0600, S_IFSOCK | 0600,
                                     0600,           S_IFLNK | 0777, S_IFREG | 0200000};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        assert_refused(begin(fixture, "/job/x", modes[i], 0), EXIT_TRANSFER);
    assert_refused(begin_link(fixture, "/job/x", S_IFDIR | 0700, "/job"), EXIT_TRANSFER);
    assert_refused(begin_link(fixture, "/job/x", S_IFLNK | 0777, ""), EXIT_TRANSFER);
    assert_false(exists(stored(fixture, "/job/x")));
}

static void setuid_and_setgid_files_are_refused(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 02750);
    assert_refused(begin(fixture, "/job/x", S_IFREG | 04755, 0), EXIT_REFUSED);
    assert_refused(begin(fixture, "/job/x", S_IFREG | 02755, 0), EXIT_REFUSED);
    assert_taken(receiver_finish(fixture->receiver, &failure));
    assert_int_equal(status_of(stored(fixture, "/job")).st_mode, S_IFDIR | 02750);
}

static void root_gives_everything_to_the_clones_user(void **state) {
    if (geteuid() != 0)
        skip();
    struct fixture *fixture = *state;
    fixture->plan.uid = 1234;
    fixture->plan.gid = 5678;
    open_receiver(fixture);
    static const uid_t owners[][2] = {{1234, 5678}, {0, 0}, {1234, 5679}, {1235, 42}};
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
        char path[16] = "/job";
        if (i > 0)
            snprintf(path, sizeof path, "/job/%zu", i);
        CloneWire__FileFacts facts = facts_of(path, i == 0 ? S_IFDIR | 0700 : S_IFREG | 0600, 0);
        facts.uid = owners[i][0];
        facts.gid = owners[i][1];
        assert_taken(begin_facts(fixture, facts, false));
        if (i > 0)
            assert_taken(end(fixture, 0, XXH3_64bits("", 0)));
    }
    assert_taken(receiver_finish(fixture->receiver, &failure));
    static const char *const paths[] = {"/job", "/job/1", "/job/2", "/job/3"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct stat status = status_of(stored(fixture, paths[i]));
        assert_int_equal(status.st_uid, 1234);
        assert_int_equal(status.st_gid, 5678);
    }
}

static void more_bytes_than_announced_are_refused(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    assert_taken(begin(fixture, "/etc/app.conf", S_IFREG | 0600, 4));
    assert_taken(data(fixture, "123", 3));
    assert_refused(data(fixture, "45", 2), EXIT_TRANSFER);
}

static void more_than_the_limit_is_refused(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    assert_refused(begin(fixture, "/job/huge", S_IFREG | 0600, UINT64_MAX), EXIT_SPACE);
    assert_refused(begin(fixture, "/job/big", S_IFREG | 0600, LIMIT + 1), EXIT_SPACE);

    char *bytes = calloc(1, LIMIT);
    assert_taken(begin(fixture, "/job/first", S_IFREG | 0600, LIMIT - 1));
    assert_taken(data(fixture, bytes, LIMIT - 1));
    assert_taken(end(fixture, LIMIT - 1, XXH3_64bits(bytes, LIMIT - 1)));
    assert_refused(begin(fixture, "/job/second", S_IFREG | 0600, 2), EXIT_SPACE);
    free(bytes);
}

static void damaged_files_are_refused(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    assert_taken(begin(fixture, "/etc/app.conf", S_IFREG | 0600, 4));
    assert_taken(data(fixture, "1234", 4));
    assert_refused(end(fixture, 4, XXH3_64bits("1235", 4)), EXIT_TRANSFER);
    assert_refused(end(fixture, 3, XXH3_64bits("1234", 4)), EXIT_TRANSFER);
}

static void files_sent_twice_are_refused(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    take_file(fixture, "/job/x", 0600, "x");
    assert_taken(begin_link(fixture, "/job/link", S_IFLNK | 0777, "x"));
    assert_refused(begin(fixture, "/job", S_IFDIR | 0700, 0), EXIT_TRANSFER);
    assert_refused(begin(fixture, "/job/x", S_IFDIR | 0700, 0), EXIT_TRANSFER);
    assert_refused(begin_link(fixture, "/job/link", S_IFLNK | 0777, "y"), EXIT_TRANSFER);
    assert_refused(begin_link(fixture, "/job/x", S_IFREG | 0600, "/job/x"), EXIT_TRANSFER);
    assert_refused(begin_facts(fixture, facts_of("/job/new", S_IFREG | 0600, 1), true),
                   EXIT_TRANSFER);
}

static void messages_in_the_wrong_order_are_refused(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    assert_refused(data(fixture, "x", 1), EXIT_TRANSFER);
    assert_refused(end(fixture, 0, XXH3_64bits("", 0)), EXIT_TRANSFER);
    assert_refused(gone(fixture, "/etc/app.conf"), EXIT_TRANSFER);
    take_directory(fixture, "/job", 0700);
    assert_refused(data(fixture, "x", 1), EXIT_TRANSFER);
    assert_taken(begin(fixture, "/job/x", S_IFREG | 0600, 1));
    assert_refused(begin(fixture, "/job/y", S_IFREG | 0600, 1), EXIT_TRANSFER);
    assert_refused(gone(fixture, "/job/x"), EXIT_TRANSFER);
    assert_refused(receiver_finish(fixture->receiver, &failure), EXIT_TRANSFER);
}

static void nothing_is_taken_after_the_end(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    assert_taken(receiver_finish(fixture->receiver, &failure));
    assert_refused(begin(fixture, "/job/x", S_IFREG | 0600, 1), EXIT_TRANSFER);
    assert_refused(gone(fixture, "/job"), EXIT_TRANSFER);
}

static void malformed_and_foreign_messages_are_refused(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    struct wire_item item = {
        .type = WIRE_FILE_BEGIN, .bytes = (const uint8_t *)"\x0a\xff\xff", .length = 3};
    assert_refused(receiver_take(fixture->receiver, &item, &failure), EXIT_TRANSFER);
    item = (struct wire_item){.type = WIRE_COMMIT};
    assert_refused(receiver_take(fixture->receiver, &item, &failure), EXIT_TRANSFER);
}

static void hard_links_only_to_received_files(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    static const char *const targets[] = {"/etc/passwd", "/job/none",     "/job",
                                          "x",           "../etc/passwd", ""};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        assert_refused(begin_link(fixture, "/job/hard", S_IFREG | 0600, targets[i]), EXIT_TRANSFER);
    assert_false(exists(stored(fixture, "/job/hard")));
}

static void a_directory_that_is_not_empty_is_not_taken_back(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    take_file(fixture, "/job/x", 0600, "x");
    assert_refused(gone(fixture, "/job"), EXIT_TRANSFER);
}

// --- what was there before, and what stays ---

static void nothing_that_was_there_is_overwritten(void **state) {
    struct fixture *fixture = *state;
    add_map(fixture, "/job", "existing");
    mkdir(in(fixture->directory, "existing"), 0700);
    write_file(in(fixture->directory, "existing/file"), "mine");
    open_receiver(fixture);
    take_directory(fixture, "/job", 0750);
    assert_refused(begin(fixture, "/job/file", S_IFREG | 0600, 1), EXIT_REFUSED);
    assert_refused(begin(fixture, "/job/file", S_IFDIR | 0700, 1), EXIT_REFUSED);
    assert_string_equal(read_file(in(fixture->directory, "existing/file")), "mine");
}

static void the_keeper_takes_away_what_was_made_and_nothing_else(void **state) {
    struct fixture *fixture = *state;
    add_map(fixture, "/job", "existing");
    mkdir(in(fixture->directory, "existing"), 0700);
    mkdir(in(fixture->directory, "existing/old"), 0700);
    write_file(in(fixture->directory, "existing/old/file"), "mine");
    open_receiver(fixture);
    take_directory(fixture, "/job", 0710);
    take_directory(fixture, "/job/old", 0700);
    take_directory(fixture, "/job/new", 0700);
    take_file(fixture, "/job/new/x", 0600, "x");
    take_file(fixture, "/job/old/x", 0600, "x");
    take_file(fixture, "/job/x", 0600, "x");
    take_file(fixture, "/etc/app.conf", 0600, "x");
    assert_taken(receiver_finish(fixture->receiver, &failure));
    assert_int_equal(status_of(in(fixture->directory, "existing")).st_mode, S_IFDIR | 0710);

    keeper_finish(fixture->keeper);
    fixture->keeper = keeper_start(&failure);
    assert_non_null(fixture->keeper);
    assert_string_equal(read_file(in(fixture->directory, "existing/old/file")), "mine");
    assert_false(exists(in(fixture->directory, "existing/new")));
    assert_false(exists(in(fixture->directory, "existing/old/x")));
    assert_false(exists(in(fixture->directory, "existing/x")));
    assert_false(exists(in(fixture->directory, "base")));
}

static struct stat status_of_existing(const struct fixture *fixture) {
    return status_of(in(fixture->directory, "existing"));
}

static void a_directory_that_was_there_gets_its_mode_back(void **state) {
    struct fixture *fixture = *state;
    add_map(fixture, "/job", "existing");
    mkdir(in(fixture->directory, "existing"), 0750);
    open_receiver(fixture);
    take_directory(fixture, "/job", 0701);
    assert_taken(receiver_finish(fixture->receiver, &failure));
    assert_int_equal(status_of_existing(fixture).st_mode, S_IFDIR | 0701);
    receiver_put_back(fixture->receiver);
    assert_int_equal(status_of_existing(fixture).st_mode, S_IFDIR | 0750);
}

// Root stores for a user, in what belongs to another.
static void another_users_directory_keeps_its_mode(void **state) {
    struct fixture *fixture = *state;
    if (geteuid() != 0)
        skip();
    add_map(fixture, "/job", "existing");
    mkdir(in(fixture->directory, "existing"), 0700);
    assert_int_equal(chown(in(fixture->directory, "existing"), 77, 77), 0);
    fixture->plan.uid = fixture->plan.gid = 66;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0777);
    assert_refused(receiver_finish(fixture->receiver, &failure), EXIT_REFUSED);
    assert_int_equal(status_of_existing(fixture).st_mode, S_IFDIR | 0700);
}

static void another_users_directory_with_the_right_mode_will_do(void **state) {
    struct fixture *fixture = *state;
    if (geteuid() != 0)
        skip();
    add_map(fixture, "/job", "existing");
    mkdir(in(fixture->directory, "existing"), 0755);
    assert_int_equal(chown(in(fixture->directory, "existing"), 77, 77), 0);
    fixture->plan.uid = fixture->plan.gid = 66;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0755);
    assert_taken(receiver_finish(fixture->receiver, &failure));
}

static void a_base_that_was_there_stays(void **state) {
    struct fixture *fixture = *state;
    mkdir(in(fixture->directory, "base"), 0700);
    mkdir(in(fixture->directory, "base/etc"), 0700);
    open_receiver(fixture);
    take_file(fixture, "/etc/app.conf", 0600, "x");
    take_file(fixture, "/lib/x.jar", 0600, "x");
    keeper_finish(fixture->keeper);
    fixture->keeper = keeper_start(&failure);
    assert_non_null(fixture->keeper);
    assert_true(exists(in(fixture->directory, "base/etc")));
    assert_false(exists(in(fixture->directory, "base/etc/app.conf")));
    assert_false(exists(in(fixture->directory, "base/lib")));
}

// Two clones are stored below one base: the first, which made it, fails.
static void what_others_have_stored_meanwhile_stays(void **state) {
    struct fixture *fixture = *state;
    add_map(fixture, "/job", "shared/mine");
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    take_file(fixture, "/etc/app.conf", 0600, "x");
    mkdir(in(fixture->directory, "shared/others"), 0700);
    write_file(in(fixture->directory, "shared/others/file"), "others'");
    write_file(in(fixture->directory, "base/file"), "others'");
    write_file(in(fixture->directory, "base/etc/file"), "others'");
    keeper_finish(fixture->keeper);
    fixture->keeper = keeper_start(&failure);
    assert_non_null(fixture->keeper);
    assert_false(exists(in(fixture->directory, "shared/mine")));
    assert_false(exists(in(fixture->directory, "base/etc/app.conf")));
    assert_string_equal(read_file(in(fixture->directory, "shared/others/file")), "others'");
    assert_string_equal(read_file(in(fixture->directory, "base/file")), "others'");
    assert_string_equal(read_file(in(fixture->directory, "base/etc/file")), "others'");
}

// --- new names ---

static void a_received_file_can_be_renamed_in_its_place(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0755);
    take_file(fixture, "/job/log", 0600, "text");
    take_file(fixture, "/job/other", 0600, "other");
    take_file(fixture, "/etc/app.conf", 0600, "loose");
    assert_taken(receiver_finish(fixture->receiver, &failure));
    assert_taken(receiver_rename(fixture->receiver, "/job/log", "/job/new", &failure));
    assert_taken(receiver_rename(fixture->receiver, "/etc/app.conf", "/etc/new", &failure));
    assert_string_equal(read_file(stored(fixture, "/job/new")), "text");
    assert_false(exists(stored(fixture, "/job/log")));
    assert_refused(receiver_rename(fixture->receiver, "/job/other", "/job/new", &failure),
                   EXIT_REFUSED);
    assert_refused(receiver_rename(fixture->receiver, "/job", "/job2", &failure), EXIT_REFUSED);
    assert_refused(receiver_rename(fixture->receiver, "/tmp/x", "/job/y", &failure), EXIT_REFUSED);
    keeper_finish(fixture->keeper);
    fixture->keeper = keeper_start(&failure);
    assert_non_null(fixture->keeper);
    assert_false(exists(in(fixture->directory, "base")));
}

static void a_renamed_file_stays_where_it_was_received(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0755);
    take_file(fixture, "/job/log", 0600, "text");
    assert_int_equal(begin_link(fixture, "/job/link", S_IFLNK | 0777, fixture->directory), 0);
    assert_taken(receiver_finish(fixture->receiver, &failure));
    assert_refused(receiver_rename(fixture->receiver, "/job/log", "/job/link/x", &failure),
                   EXIT_TRANSFER);
    assert_false(exists(in(fixture->directory, "x")));
    write_file(stored(fixture, "/job/another"), "another");
    assert_int_equal(rename(stored(fixture, "/job/another"), stored(fixture, "/job/log")), 0);
    assert_refused(receiver_rename(fixture->receiver, "/job/log", "/job/x", &failure),
                   EXIT_TRANSFER);
}

// --- maps and binds ---

static void assert_bind(struct fixture *fixture, size_t index, const char *source,
                        const char *target) {
    const struct bind *binds;
    assert_true(index < receiver_binds(fixture->receiver, &binds));
    assert_string_equal(binds[index].source, source);
    assert_string_equal(binds[index].target, in(fixture->directory, target));
}

static size_t bind_count(struct fixture *fixture) {
    const struct bind *binds;
    return receiver_binds(fixture->receiver, &binds);
}

static void a_copy_that_somebody_leads_elsewhere_is_not_bound(void **state) {
    struct fixture *fixture = *state;
    const struct bind *binds;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    take_file(fixture, "/lib/x.jar", 0600, "x");
    assert_taken(receiver_finish(fixture->receiver, &failure));
    assert_int_equal(receiver_binds(fixture->receiver, &binds), 2);
    for (size_t i = 0; i < 2; i++) {
        int copy = bind_open(&binds[i]);
        assert_true(copy >= 0);
        close(copy);
    }
    // A directory above becomes a link to one of somebody else's.
    mkdir(in(fixture->directory, "outside"), 0700);
    mkdir(in(fixture->directory, "outside/job"), 0700);
    assert_int_equal(rename(in(fixture->directory, "base"), in(fixture->directory, "base.before")),
                     0);
    assert_int_equal(symlink(in(fixture->directory, "outside"), in(fixture->directory, "base")), 0);
    assert_int_equal(bind_open(&binds[0]), -1);
    assert_int_equal(bind_open(&binds[1]), -1);
    // One that leads to the very copies does no harm.
    unlink(in(fixture->directory, "base"));
    assert_int_equal(symlink("base.before", in(fixture->directory, "base")), 0);
    int copy = bind_open(&binds[0]);
    assert_true(copy >= 0);
    close(copy);
    unlink(in(fixture->directory, "base"));
    assert_int_equal(rename(in(fixture->directory, "base.before"), in(fixture->directory, "base")),
                     0);
}

static void there_is_one_bind_per_root_and_loose_file(void **state) {
    struct fixture *fixture = *state;
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    take_file(fixture, "/job/x", 0600, "x");
    take_file(fixture, "/lib/x.jar", 0600, "x");
    assert_taken(receiver_finish(fixture->receiver, &failure));
    assert_int_equal(bind_count(fixture), 2); // /etc/app.conf never came
    assert_bind(fixture, 0, "/job", "base/job");
    assert_bind(fixture, 1, "/lib/x.jar", "base/lib/x.jar");
}

static void mapped_paths_are_stored_at_their_targets_and_bound_from_there(void **state) {
    struct fixture *fixture = *state;
    add_map(fixture, "/job", "a/b/job");
    add_map(fixture, "/etc/app.conf", "conf");
    add_map(fixture, "/found", "found"); // the target's own
    add_map(fixture, "/nowhere", "nowhere");
    mkdir(in(fixture->directory, "found"), 0700);
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    take_file(fixture, "/job/x", 0600, "x");
    take_file(fixture, "/etc/app.conf", 0600, "y");
    assert_taken(receiver_finish(fixture->receiver, &failure));
    assert_string_equal(read_file(in(fixture->directory, "a/b/job/x")), "x");
    assert_string_equal(read_file(in(fixture->directory, "conf")), "y");
    assert_false(exists(in(fixture->directory, "base")));
    assert_int_equal(bind_count(fixture), 3);
    assert_bind(fixture, 0, "/etc/app.conf", "conf");
    assert_bind(fixture, 1, "/found", "found");
    assert_bind(fixture, 2, "/job", "a/b/job");
}

static void a_map_inside_a_root_gets_its_mount_point(void **state) {
    struct fixture *fixture = *state;
    add_map(fixture, "/job/sub/tmp", "elsewhere");
    add_map(fixture, "/job/sub/file", "file");
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    take_directory(fixture, "/job/sub", 0500);
    take_directory(fixture, "/job/sub/tmp", 0700);
    take_file(fixture, "/job/sub/tmp/x", 0600, "x");
    take_file(fixture, "/job/sub/file", 0600, "y");
    assert_taken(receiver_finish(fixture->receiver, &failure));
    assert_int_equal(bind_count(fixture), 3);
    assert_bind(fixture, 0, "/job", "base/job");
    assert_bind(fixture, 1, "/job/sub/file", "file");
    assert_bind(fixture, 2, "/job/sub/tmp", "elsewhere");
    assert_string_equal(read_file(in(fixture->directory, "elsewhere/x")), "x");
    assert_true(S_ISDIR(status_of(stored(fixture, "/job/sub/tmp")).st_mode));
    assert_true(S_ISREG(status_of(stored(fixture, "/job/sub/file")).st_mode));
    assert_int_equal(status_of(stored(fixture, "/job/sub")).st_mode, S_IFDIR | 0500);
}

static void no_received_link_leads_to_a_mount_point(void **state) {
    struct fixture *fixture = *state;
    add_map(fixture, "/job/sub/tmp", "found");
    mkdir(in(fixture->directory, "found"), 0700);
    mkdir(in(fixture->directory, "outside"), 0700);
    open_receiver(fixture);
    take_directory(fixture, "/job", 0700);
    assert_taken(
        begin_link(fixture, "/job/sub", S_IFLNK | 0777, in(fixture->directory, "outside")));
    assert_refused(receiver_finish(fixture->receiver, &failure), EXIT_REFUSED);
    assert_false(exists(in(fixture->directory, "outside/tmp")));
}

static void a_map_that_changes_nothing_is_bound_unless_another_leads_there(void **state) {
    struct fixture *fixture = *state;
    char *same = strdup(in(fixture->directory, "same"));
    add_map(fixture, same, "same");
    add_map(fixture, "/job", "job");
    add_map(fixture, "/job/inner", "job/inner");
    fixture->roots[1] = same;
    open_receiver(fixture);
    take_directory(fixture, same, 0700);
    take_directory(fixture, "/job", 0700);
    take_directory(fixture, "/job/inner", 0700);
    assert_taken(receiver_finish(fixture->receiver, &failure));
    assert_int_equal(bind_count(fixture), 2);
    assert_bind(fixture, 0, "/job", "job");
    assert_bind(fixture, 1, same, "same");
    free(same);
}

// As another user, in a process of its own: what it exits with is what `body` returned.
static int as_nobody(struct fixture *fixture, int (*body)(struct fixture *)) {
    assert_int_equal(chown(fixture->directory, 65534, 65534), 0);
    pid_t pid = fork();
    if (pid == 0)
        _exit(setgid(65534) == 0 && setuid(65534) == 0 ? body(fixture) : 99);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

static int receive_as_nobody(struct fixture *fixture) {
    fixture->keeper = keeper_start(&failure);
    fixture->receiver = receiver_open(&fixture->plan, fixture->keeper, &failure);
    if (fixture->receiver == NULL)
        return 1;
    CloneWire__FileFacts facts = facts_of("/job", S_IFDIR | 0510, 0);
    facts.uid = 0; // the source's owners mean nothing here
    facts.gid = 4;
    if (begin_facts(fixture, facts, false) < 0 ||
        begin(fixture, "/job/file", S_IFREG | 0400, 1) < 0 || data(fixture, "x", 1) < 0 ||
        end(fixture, 1, XXH3_64bits("x", 1)) < 0 ||
        begin(fixture, "/job/file", S_IFREG | 0400, 2) < 0 || data(fixture, "y", 1) < 0 ||
        end(fixture, 2, XXH3_64bits("xy", 2)) < 0 ||
        begin_link(fixture, "/job/hard", S_IFREG | 0400, "/job/file") < 0 ||
        receiver_finish(fixture->receiver, &failure) < 0)
        return 2;
    keeper_dismiss(fixture->keeper);
    return 0;
}

static void without_root_everything_belongs_to_the_user(void **state) {
    if (geteuid() != 0)
        skip();
    struct fixture *fixture = *state;
    assert_int_equal(as_nobody(fixture, receive_as_nobody), 0);
    assert_int_equal(status_of(stored(fixture, "/job")).st_uid, 65534);
    assert_int_equal(status_of(stored(fixture, "/job")).st_mode, S_IFDIR | 0510);
    assert_int_equal(status_of(stored(fixture, "/job/file")).st_uid, 65534);
    assert_int_equal(status_of(stored(fixture, "/job/hard")).st_nlink, 2);
    assert_string_equal(read_file(stored(fixture, "/job/file")), "xy");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_kind_is_stored_with_mode_and_time),
        TEST(a_time_before_1970_is_kept),
        TEST(a_file_goes_on_where_its_earlier_copy_ended),
        TEST(a_continuation_with_the_hash_of_another_beginning_is_refused),
        TEST(a_continuation_can_not_make_a_file_shorter),
        TEST(a_replacement_is_a_new_file),
        TEST(what_is_gone_is_removed_and_may_come_again),
        TEST(a_file_may_end_before_its_announced_size),
        TEST(zeros_take_no_room),
        TEST(disks_are_not_filled),
        TEST(paths_that_were_not_agreed_on_are_refused),
        TEST(unclean_roots_are_refused),
        TEST(a_received_link_is_never_followed),
        TEST(a_directory_swapped_for_a_link_is_not_followed),
        TEST(a_file_swapped_for_another_is_not_continued),
        TEST(roots_and_mapped_paths_can_not_be_links),
        TEST(devices_sockets_and_strange_modes_are_refused),
        TEST(setuid_and_setgid_files_are_refused),
        TEST(root_gives_everything_to_the_clones_user),
        TEST(more_bytes_than_announced_are_refused),
        TEST(more_than_the_limit_is_refused),
        TEST(damaged_files_are_refused),
        TEST(files_sent_twice_are_refused),
        TEST(messages_in_the_wrong_order_are_refused),
        TEST(nothing_is_taken_after_the_end),
        TEST(malformed_and_foreign_messages_are_refused),
        TEST(hard_links_only_to_received_files),
        TEST(a_directory_that_is_not_empty_is_not_taken_back),
        TEST(nothing_that_was_there_is_overwritten),
        TEST(the_keeper_takes_away_what_was_made_and_nothing_else),
        TEST(a_directory_that_was_there_gets_its_mode_back),
        TEST(another_users_directory_keeps_its_mode),
        TEST(another_users_directory_with_the_right_mode_will_do),
        TEST(a_base_that_was_there_stays),
        TEST(what_others_have_stored_meanwhile_stays),
        TEST(a_received_file_can_be_renamed_in_its_place),
        TEST(a_renamed_file_stays_where_it_was_received),
        TEST(a_copy_that_somebody_leads_elsewhere_is_not_bound),
        TEST(there_is_one_bind_per_root_and_loose_file),
        TEST(mapped_paths_are_stored_at_their_targets_and_bound_from_there),
        TEST(a_map_inside_a_root_gets_its_mount_point),
        TEST(no_received_link_leads_to_a_mount_point),
        TEST(a_map_that_changes_nothing_is_bound_unless_another_leads_there),
        TEST(without_root_everything_belongs_to_the_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
