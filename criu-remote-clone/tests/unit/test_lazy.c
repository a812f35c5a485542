// What a lazy restore stores, and that nothing of it stays. With CRIU: tests/e2e.
#include "deadline.h"
#include "failure.h"
#include "keeper.h"
#include "lazy.h"
#include "ramdisk.h"
#include "replay.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MEBIBYTE (1ull << 20)
#define DISK_BYTES (16 * MEBIBYTE)

struct fixture {
    struct keeper *keeper;
    struct ramdisk disk;
    struct lazy *lazy;
    struct replay *replay;
};

static struct failure failure;

static int set_up(void **state) {
    signal(SIGPIPE, SIG_IGN);
    struct fixture *fixture = calloc(1, sizeof *fixture);
    *state = fixture;
    fixture->keeper = keeper_start(&failure);
    fixture->replay = replay_open(&failure);
    if (ramdisk_open(&fixture->disk, DISK_BYTES, RAMDISK_HUGE_WITHIN_SIZE, fixture->keeper,
                     &failure) < 0)
        return -1;
    struct criu willing = {.program = "/bin/true"};
    struct identity self = {.uid = geteuid(), .gid = getegid()};
    fixture->lazy = lazy_open(&fixture->disk, &willing, &self, &failure);
    return fixture->lazy == NULL ? -1 : 0;
}

static size_t files_on(const struct ramdisk *disk) {
    DIR *directory = opendir(disk->path);
    assert_non_null(directory);
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

// Nothing may be left on the disk, whatever the test did.
static int tear_down(void **state) {
    struct fixture *fixture = *state;
    lazy_close(fixture->lazy);
    size_t left = files_on(&fixture->disk);
    replay_close(fixture->replay);
    ramdisk_close(&fixture->disk);
    keeper_finish(fixture->keeper);
    free(fixture);
    return left == 0 ? 0 : -1;
}

static uint64_t bytes_used(const struct ramdisk *disk) {
    struct statvfs facts;
    assert_int_equal(fstatvfs(disk->dir_fd, &facts), 0);
    return (uint64_t)(facts.f_blocks - facts.f_bfree) * facts.f_frsize;
}

static void assert_holds(const struct fixture *fixture, const char *name, const char *text) {
    char path[128], bytes[64];
    snprintf(path, sizeof path, "%s/%s", fixture->disk.path, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0);
    ssize_t got = read(file, bytes, sizeof bytes);
    close(file);
    assert_int_equal(got, strlen(text));
    assert_memory_equal(bytes, text, strlen(text));
}

static int put(struct fixture *fixture, const char *name, const char *text) {
    size_t length = strlen(text);
    if (lazy_begin(fixture->lazy, name, length, &failure) < 0 ||
        lazy_write(fixture->lazy, text, length / 2, &failure) < 0 ||
        lazy_write(fixture->lazy, text + length / 2, length - length / 2, &failure) < 0)
        return -1;
    return lazy_end(fixture->lazy, &failure);
}

static void images_are_stored_as_they_came(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(replay_add(fixture->replay, "core-7.img", "core", 4, &failure), 0);
    assert_int_equal(replay_add(fixture->replay, "empty.img", "", 0, &failure), 0);
    assert_int_equal(lazy_store(fixture->lazy, fixture->replay, &failure), 0);
    assert_int_equal(put(fixture, "pages-1.img", "the first one"), 0);
    assert_int_equal(put(fixture, "pages-2.img", "the second"), 0);
    assert_int_equal(put(fixture, "pages-3.img", ""), 0);
    assert_holds(fixture, "core-7.img", "core");
    assert_holds(fixture, "empty.img", "");
    assert_holds(fixture, "pages-1.img", "the first one");
    assert_holds(fixture, "pages-2.img", "the second");
    assert_holds(fixture, "pages-3.img", "");
}

static void memory_is_taken_ahead_and_goes_to_the_first_image(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(lazy_reserve(fixture->lazy, 6 * MEBIBYTE, &failure), 0);
    assert_true(bytes_used(&fixture->disk) >= 6 * MEBIBYTE);
    assert_int_equal(put(fixture, "pages-1.img", "small after all"), 0);
    assert_true(bytes_used(&fixture->disk) < 4 * MEBIBYTE);
    assert_holds(fixture, "pages-1.img", "small after all");
    assert_int_equal(put(fixture, "pages-2.img", "another"), 0);
    assert_holds(fixture, "pages-2.img", "another");
}

static void a_reserve_may_be_too_small(void **state) {
    struct fixture *fixture = *state;
    static const uint8_t block[4096];
    assert_int_equal(lazy_reserve(fixture->lazy, MEBIBYTE, &failure), 0);
    assert_int_equal(lazy_begin(fixture->lazy, "pages-1.img", 3 * MEBIBYTE, &failure), 0);
    assert_true(bytes_used(&fixture->disk) >= 3 * MEBIBYTE);
    for (size_t done = 0; done < 3 * MEBIBYTE; done += sizeof block)
        assert_int_equal(lazy_write(fixture->lazy, block, sizeof block, &failure), 0);
    assert_int_equal(lazy_end(fixture->lazy, &failure), 0);
}

static void memory_that_is_not_there_is_refused_at_once(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(lazy_reserve(fixture->lazy, 2 * DISK_BYTES, &failure), -1);
    assert_int_equal(failure.code, EXIT_SPACE);
    assert_int_equal(lazy_begin(fixture->lazy, "pages-1.img", 2 * DISK_BYTES, &failure), -1);
    assert_int_equal(failure.code, EXIT_SPACE);
}

static void an_image_has_the_length_that_was_announced(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(lazy_begin(fixture->lazy, "pages-1.img", 3, &failure), 0);
    assert_int_equal(lazy_write(fixture->lazy, "four", 4, &failure), -1);
    assert_int_equal(failure.code, EXIT_TRANSFER);
    assert_int_equal(lazy_write(fixture->lazy, "to", 2, &failure), 0);
    assert_int_equal(lazy_end(fixture->lazy, &failure), -1);
    assert_int_equal(failure.code, EXIT_TRANSFER);
}

// A peer chooses the names.
static void nothing_is_stored_in_the_place_of_another_thing(void **state) {
    struct fixture *fixture = *state;
    static const char *const taken[] = {"pages-1.img", "lazy-pages.socket", "daemon", "."};
    assert_int_equal(put(fixture, "pages-1.img", "the first one"), 0);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        assert_int_equal(put(fixture, taken[i], "another"), -1);
        assert_int_equal(failure.code, EXIT_IMAGE);
    }
    assert_holds(fixture, "pages-1.img", "the first one");
}

static void a_reserve_is_not_put_in_the_place_of_another_thing(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(replay_add(fixture->replay, "pages-1.img", "small", 5, &failure), 0);
    assert_int_equal(lazy_store(fixture->lazy, fixture->replay, &failure), 0);
    assert_int_equal(lazy_reserve(fixture->lazy, MEBIBYTE, &failure), 0);
    assert_int_equal(lazy_begin(fixture->lazy, "pages-1.img", 4, &failure), -1);
    assert_int_equal(failure.code, EXIT_IMAGE);
    assert_holds(fixture, "pages-1.img", "small");
}

static void a_daemon_that_does_not_start_is_a_failure(void **state) {
    struct fixture *fixture = *state;
    struct criu criu = {.program = "/bin/false"};
    struct identity self = {.uid = geteuid(), .gid = getegid()};
    assert_int_equal(lazy_start(fixture->lazy, &criu, &self, fixture->keeper, &failure), 0);
    assert_int_equal(lazy_serve(fixture->lazy, STDERR_FILENO, deadline_in_ms(30000), &failure), -1);
    assert_int_equal(failure.code, EXIT_RESTORE);
    assert_non_null(strstr(failure.text, "page daemon"));
}

static void without_privileges_it_is_refused(void **state) {
    (void)state;
    struct criu criu = {.program = "/bin/true"};
    struct identity user = {.unprivileged = true};
    assert_int_equal(lazy_usable(&criu, &user, &failure), -1);
    assert_int_equal(failure.code, EXIT_UNABLE);
    assert_non_null(strstr(failure.text, "--lazy is root's"));
}

static void a_criu_that_cannot_is_refused_before_the_freeze(void **state) {
    struct fixture *fixture = *state;
    struct criu unable = {.program = "/bin/false"};
    struct identity self = {.uid = geteuid(), .gid = getegid()};
    assert_int_equal(lazy_usable(&unable, &self, &failure), -1);
    assert_int_equal(failure.code, EXIT_UNABLE);
    lazy_close(fixture->lazy);
    fixture->lazy = lazy_open(&fixture->disk, &unable, &self, &failure);
    assert_non_null(fixture->lazy);
    assert_int_equal(lazy_reserve(fixture->lazy, MEBIBYTE, &failure), -1);
    assert_int_equal(failure.code, EXIT_UNABLE);
}

int main(void) {
    struct criu willing = {.program = "/bin/true"};
    struct identity self = {.uid = geteuid(), .gid = getegid()};
    if (lazy_usable(&willing, &self, &failure) < 0) {
        fprintf(stderr, "skipped: %s\n", failure.text);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(images_are_stored_as_they_came, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_is_taken_ahead_and_goes_to_the_first_image, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_reserve_may_be_too_small, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_that_is_not_there_is_refused_at_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_image_has_the_length_that_was_announced, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_stored_in_the_place_of_another_thing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_reserve_is_not_put_in_the_place_of_another_thing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_daemon_that_does_not_start_is_a_failure, set_up,
                                        tear_down),
        cmocka_unit_test(without_privileges_it_is_refused),
        cmocka_unit_test_setup_teardown(a_criu_that_cannot_is_refused_before_the_freeze, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
