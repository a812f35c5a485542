// SPDX-License-Identifier: Apache-2.0
// Removing trees: everything below, and nothing beside.
#include <sched.h>
#include <setjmp.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "failure.h"
#include "removal.h"
#include "scratch.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct failure failure;

static void a_tree_goes_with_all_its_kinds_of_files(void **state) {
    (void)state;
    char *directory = test_directory();
    write_file(in(directory, "outside"), "kept");
    mkdir(in(directory, "tree"), 0700);
    mkdir(in(directory, "tree/sub"), 0700);
    mkdir(in(directory, "tree/sub/closed"), 0700);
    write_file(in(directory, "tree/sub/closed/file"), "x");
    assert_int_equal(chmod(in(directory, "tree/sub/closed"), 0), 0);
    assert_int_equal(mkfifo(in(directory, "tree/fifo"), 0600), 0);
    assert_int_equal(symlink(in(directory, "outside"), in(directory, "tree/link")), 0);
    assert_int_equal(symlink(directory, in(directory, "tree/sub/up")), 0);

    assert_int_equal(removal_of_tree(in(directory, "tree"), &failure), 0);

    assert_false(exists(in(directory, "tree")));
    assert_string_equal(read_file(in(directory, "outside")), "kept");
    assert_int_equal(removal_of_tree(directory, &failure), 0);
    free(directory);
}

static void a_tree_deeper_than_any_path_goes(void **state) {
    (void)state;
    char *directory = test_directory();
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int level = 0; level < 3000; level++) {
        assert_int_equal(mkdirat(fd, "deeper", 0500), 0);
        assert_int_equal(fchmodat(fd, "deeper", 0700, 0), 0);
        int next = openat(fd, "deeper", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(next >= 0);
        close(fd);
        fd = next;
    }
    close(fd);
    assert_int_equal(removal_of_tree(directory, &failure), 0);
    assert_false(exists(directory));
    free(directory);
}

static void what_is_not_there_is_no_failure(void **state) {
    (void)state;
    char *directory = test_directory();
    assert_int_equal(removal_of_tree(in(directory, "none/at/all"), &failure), 0);
    assert_int_equal(removal_of_file(in(directory, "none"), &failure), 0);
    assert_int_equal(removal_of_empty_directory(in(directory, "none"), &failure), 0);
    assert_int_equal(removal_of_tree(directory, &failure), 0);
    free(directory);
}

static void only_empty_directories_go_as_such(void **state) {
    (void)state;
    char *directory = test_directory();
    write_file(in(directory, "file"), "x");
    assert_int_equal(removal_of_empty_directory(directory, &failure), 0);
    assert_true(exists(directory));
    assert_int_equal(removal_of_file(in(directory, "file"), &failure), 0);
    assert_int_equal(removal_of_empty_directory(directory, &failure), 0);
    assert_false(exists(directory));
    free(directory);
}

static void a_directory_is_not_removed_as_a_file(void **state) {
    (void)state;
    char *directory = test_directory();
    assert_int_equal(removal_of_file(directory, &failure), -1);
    assert_int_equal(failure.code, EXIT_UNABLE);
    assert_non_null(strstr(failure.text, directory));
    assert_int_equal(removal_of_tree(directory, &failure), 0);
    free(directory);
}

static void a_link_to_a_tree_goes_and_the_tree_stays(void **state) {
    (void)state;
    char *directory = test_directory();
    mkdir(in(directory, "kept"), 0700);
    write_file(in(directory, "kept/file"), "kept");
    assert_int_equal(symlink(in(directory, "kept"), in(directory, "link")), 0);
    assert_int_equal(removal_of_tree(in(directory, "link"), &failure), 0);
    assert_false(exists(in(directory, "link")));
    assert_string_equal(read_file(in(directory, "kept/file")), "kept");
    assert_int_equal(removal_of_tree(directory, &failure), 0);
    free(directory);
}

// The attack: the path was registered as DIR/work/passwd, then DIR/work became a link to /etc.
static void a_link_above_the_tree_is_refused(void **state) {
    (void)state;
    char *directory = test_directory();
    mkdir(in(directory, "precious"), 0700);
    mkdir(in(directory, "precious/data"), 0700);
    write_file(in(directory, "precious/data/file"), "kept");
    assert_int_equal(symlink(in(directory, "precious"), in(directory, "work")), 0);
    assert_int_equal(removal_of_tree(in(directory, "work/data"), &failure), -1);
    assert_int_equal(failure.code, EXIT_UNABLE);
    assert_string_equal(read_file(in(directory, "precious/data/file")), "kept");
    assert_int_equal(removal_of_tree(directory, &failure), 0);
    free(directory);
}

static int try_mounts(const char *directory) {
    if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount(in(directory, "other"), in(directory, "tree/mounted"), NULL, MS_BIND, NULL) < 0)
        return 77;
    if (removal_of_tree(in(directory, "tree"), &failure) != -1)
        return 1;
    if (strstr(failure.text, "mounted") == NULL)
        return 2;
    // The mount point as the tree itself.
    return removal_of_tree(in(directory, "tree/mounted"), &failure) == -1 ? 0 : 3;
}

static void mounts_below_the_tree_are_left_alone(void **state) {
    (void)state;
    char *directory = test_directory();
    mkdir(in(directory, "other"), 0700);
    write_file(in(directory, "other/file"), "kept");
    mkdir(in(directory, "tree"), 0700);
    mkdir(in(directory, "tree/mounted"), 0700);
    write_file(in(directory, "tree/file"), "x");
    pid_t pid = fork();
    if (pid == 0)
        _exit(try_mounts(directory));
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_string_equal(read_file(in(directory, "other/file")), "kept");
    int skipped = WIFEXITED(status) && WEXITSTATUS(status) == 77;
    if (!skipped) {
        assert_int_equal(status, 0);
        assert_false(exists(in(directory, "tree/file"))); // the rest went
    }
    assert_int_equal(removal_of_tree(directory, &failure), 0);
    free(directory);
    if (skipped)
        skip(); // no right to mount
}

static void paths_are_made_absolute_below_what_exists(void **state) {
    (void)state;
    char *directory = test_directory();
    mkdir(in(directory, "real"), 0700);
    assert_int_equal(symlink("real", in(directory, "link")), 0);
    char *path = removal_path(in(directory, "link//new/tree/"), &failure);
    assert_string_equal(path, in(directory, "real/new/tree"));
    free(path);

    char *before = getcwd(NULL, 0);
    assert_int_equal(chdir(directory), 0);
    path = removal_path("a/b", &failure);
    assert_string_equal(path, in(directory, "a/b"));
    free(path);
    path = removal_path("/a", &failure);
    assert_string_equal(path, "/a");
    free(path);
    assert_int_equal(chdir(before), 0);
    free(before);
    assert_int_equal(removal_of_tree(directory, &failure), 0);
    free(directory);
}

static void assert_names_nothing(const char *path) {
    failure.text[0] = '\0';
    assert_null(removal_path(path, &failure));
    assert_true(failure.text[0] != '\0');
}

static void paths_that_name_nothing_are_refused(void **state) {
    (void)state;
    static const char *const paths[] = {"/", "", "..", "/tmp/..", "/tmp/."};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        assert_names_nothing(paths[i]);

    char *directory = test_directory();
    assert_names_nothing(in(directory, "none/../none"));
    assert_int_equal(removal_of_tree(directory, &failure), 0);
    free(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_goes_with_all_its_kinds_of_files),
        cmocka_unit_test(a_tree_deeper_than_any_path_goes),
        cmocka_unit_test(what_is_not_there_is_no_failure),
        cmocka_unit_test(only_empty_directories_go_as_such),
        cmocka_unit_test(a_directory_is_not_removed_as_a_file),
        cmocka_unit_test(a_link_to_a_tree_goes_and_the_tree_stays),
        cmocka_unit_test(a_link_above_the_tree_is_refused),
        cmocka_unit_test(mounts_below_the_tree_are_left_alone),
        cmocka_unit_test(paths_are_made_absolute_below_what_exists),
        cmocka_unit_test(paths_that_name_nothing_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
