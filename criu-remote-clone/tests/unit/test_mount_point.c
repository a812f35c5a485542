// SPDX-License-Identifier: Apache-2.0
// Where received copies are bound, and who decides that.
#include "mount_point.h"
#include "scratch.h"

#include <sched.h>
#include <sys/wait.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define USER 4711

static struct failure failure;

struct fixture {
    char *directory;
    struct keeper *keeper;
};

static int set_up(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->directory = test_directory();
    fixture->keeper = keeper_start(&failure);
    assert_non_null(fixture->keeper);
    assert_int_equal(mkdir(in(fixture->directory, "real"), 0755), 0);
    *state = fixture;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;
    keeper_finish(fixture->keeper);
    char command[256];
    snprintf(command, sizeof command, "rm -r %s", fixture->directory);
    assert_int_equal(system(command), 0);
    free(fixture->directory);
    free(fixture);
    return 0;
}

static void assert_real(const char *path, const char *expected) {
    char *real = mount_point_real(path, &failure);
    assert_non_null(real);
    assert_string_equal(real, expected);
    free(real);
}

static void what_exists_is_resolved_and_the_rest_is_kept(void **state) {
    struct fixture *fixture = *state;
    const char *directory = fixture->directory;
    assert_int_equal(symlink("real", in(directory, "relative")), 0);
    assert_int_equal(symlink(in(directory, "relative/"), in(directory, "absolute")), 0);
    assert_int_equal(symlink("../missing", in(directory, "real/dangling")), 0);
    assert_real(in(directory, "real"), in(directory, "real"));
    assert_real(in(directory, "relative/a/b"), in(directory, "real/a/b"));
    assert_real(in(directory, "absolute"), in(directory, "real"));
    assert_real(in(directory, "absolute/dangling/x"), in(directory, "missing/x"));
    assert_real("/no-such-directory/x", "/no-such-directory/x");
    assert_int_equal(symlink("/", in(directory, "root")), 0);
    assert_real(in(directory, "root"), "/");
    assert_real(in(directory, "root/no-such-directory"), "/no-such-directory");
    assert_real("/", "/");
}

static void links_without_end_are_refused(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(symlink("loop", in(fixture->directory, "loop")), 0);
    assert_null(mount_point_real(in(fixture->directory, "loop/x"), &failure));
    assert_int_equal(failure.code, EXIT_REFUSED);
}

static void root_is_not_led_by_others_links(void **state) {
    struct fixture *fixture = *state;
    if (geteuid() != 0)
        skip();
    const char *link = in(fixture->directory, "link");
    assert_int_equal(symlink("/etc", link), 0);
    assert_real(in(fixture->directory, "link/x"), "/etc/x");
    assert_int_equal(lchown(link, USER, USER), 0);
    assert_null(mount_point_real(in(fixture->directory, "link/x"), &failure));
    assert_int_equal(failure.code, EXIT_REFUSED);
}

static void what_is_missing_is_made_and_taken_away(void **state) {
    struct fixture *fixture = *state;
    const char *directory = fixture->directory;
    write_file(in(directory, "real/file"), "mine");
    const struct {
        const char *path;
        bool directory;
    } points[] = {{"real/a/b", true}, {"real/c/d", false}, {"real/file", false}, {"real", true}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const char *path = in(directory, points[i].path);
        struct stat status;
        assert_int_equal(mount_point_make(path, points[i].directory, fixture->keeper, &failure), 0);
        assert_int_equal(lstat(path, &status), 0);
        assert_int_equal(S_ISDIR(status.st_mode), points[i].directory);
        int fd = mount_point_open(path);
        assert_true(fd >= 0);
        close(fd);
    }
    keeper_finish(fixture->keeper);
    fixture->keeper = keeper_start(&failure);
    assert_false(exists(in(directory, "real/a")));
    assert_false(exists(in(directory, "real/c")));
    assert_string_equal(read_file(in(directory, "real/file")), "mine");
}

static bool is_made(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 &&
           mount_point_is_made(status.st_mode, (uint64_t)status.st_size);
}

static void what_is_made_is_told_from_what_was_there(void **state) {
    struct fixture *fixture = *state;
    const char *directory = fixture->directory;
    mode_t mask = umask(077);
    write_file(in(directory, "real/empty"), "");
    assert_int_equal(mount_point_make(in(directory, "real/a/b"), true, fixture->keeper, &failure),
                     0);
    assert_int_equal(mount_point_make(in(directory, "real/f"), false, fixture->keeper, &failure),
                     0);
    assert_int_equal(umask(mask), 077);
    assert_true(is_made(in(directory, "real/a")));
    assert_true(is_made(in(directory, "real/a/b")));
    assert_true(is_made(in(directory, "real/f")));
    assert_false(is_made(in(directory, "real")));
    assert_false(is_made(in(directory, "real/empty")));
    assert_false(mount_point_is_made(S_IFREG | S_ISVTX | 0400, 1));
    assert_false(mount_point_is_made(S_IFDIR | 01777, 0));
}

// The first has a directory bound over b/c; the second, which was told of it as it is now, a file
// over b/c/d; the third the directory again.
static void what_others_count_on_stays_until_the_last_one_ends(void **state) {
    struct fixture *fixture = *state;
    const char *directory = fixture->directory;
    struct keeper *others[] = {keeper_start(&failure), keeper_start(&failure)};
    assert_int_equal(mount_point_make(in(directory, "b/c"), true, fixture->keeper, &failure), 0);
    assert_int_equal(mount_point_make(in(directory, "b/c/d"), false, others[0], &failure), 0);
    assert_int_equal(mount_point_make(in(directory, "b/c"), true, others[1], &failure), 0);
    int held = open(in(directory, "b/c"), O_PATH | O_CLOEXEC);
    keeper_finish(fixture->keeper);
    fixture->keeper = keeper_start(&failure);
    assert_true(exists(in(directory, "b/c/d")));
    keeper_finish(others[0]);
    assert_false(exists(in(directory, "b/c/d")));
    struct stat before, now;
    assert_int_equal(fstat(held, &before), 0);
    assert_int_equal(stat(in(directory, "b/c"), &now), 0);
    assert_int_equal(before.st_ino, now.st_ino); // what is mounted over it is still there
    keeper_finish(others[1]);
    assert_false(exists(in(directory, "b")));
    close(held);
}

// What many make and take away at the same time: each has it while it counts on it.
static void those_that_come_while_others_go_have_it(void **state) {
    struct fixture *fixture = *state;
    const char *path = in(fixture->directory, "x/y/z");
    fflush(NULL);
    for (int process = 0; process < 4; process++) {
        if (fork() != 0)
            continue;
        int missed = 0;
        for (int round = 0; round < 100; round++) {
            struct keeper *keeper = keeper_start(&failure);
            missed += keeper == NULL || mount_point_make(path, false, keeper, &failure) < 0 ||
                      !exists(path);
            sched_yield();
            missed += !exists(path);
            keeper_finish(keeper);
        }
        _exit(missed > 0);
    }
    for (int process = 0; process < 4; process++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_false(exists(in(fixture->directory, "x")));
}

static void a_link_put_there_later_is_not_followed(void **state) {
    struct fixture *fixture = *state;
    const char *directory = fixture->directory;
    assert_int_equal(symlink("real", in(directory, "link")), 0);
    assert_int_equal(mount_point_make(in(directory, "link/x"), true, fixture->keeper, &failure),
                     -1);
    assert_int_equal(failure.code, EXIT_REFUSED);
    assert_false(exists(in(directory, "real/x")));
    assert_int_equal(mount_point_open(in(directory, "link")), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(what_exists_is_resolved_and_the_rest_is_kept),
        TEST(links_without_end_are_refused),
        TEST(root_is_not_led_by_others_links),
        TEST(what_is_missing_is_made_and_taken_away),
        TEST(what_is_made_is_told_from_what_was_there),
        TEST(what_others_count_on_stays_until_the_last_one_ends),
        TEST(those_that_come_while_others_go_have_it),
        TEST(a_link_put_there_later_is_not_followed),
    };
    return cmocka_run_group_tests_name("mount_point", tests, NULL, NULL);
}
