// SPDX-License-Identifier: Apache-2.0
// Which CRIU is taken, and whether it may image processes.
#include "criu.h"
#include "scratch.h"

#include <linux/capability.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <sys/xattr.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NOBODY 65534
#define BIT(number) (1ull << (number))

static struct failure failure;

struct fixture {
    char *directory;
    struct criu criu;
};

static int set_up(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->directory = test_directory();
    assert_int_equal(chmod(fixture->directory, 0755), 0);
    *state = fixture;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;
    unlink(in(fixture->directory, "criu"));
    rmdir(fixture->directory);
    free(fixture->directory);
    free(fixture);
    return 0;
}

// A program that says it is CRIU of that version.
static const char *fake_criu(struct fixture *fixture, const char *version) {
    static char path[4096];
    char text[256];
    snprintf(path, sizeof path, "%s", in(fixture->directory, "criu"));
    snprintf(text, sizeof text, "#!/bin/sh\necho 'Version: %s'\n", version);
    write_file(path, text);
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

// --- finding it ---

static void the_one_that_is_asked_for_is_taken(void **state) {
    struct fixture *fixture = *state;
    const char *path = fake_criu(fixture, "4.2.1");
    assert_int_equal(criu_find(&fixture->criu, path, &failure), 0);
    assert_string_equal(fixture->criu.program, path);
    assert_string_equal(fixture->criu.version, "4.2.1");
}

static void the_callers_environment_is_kept_from_it(void **state) {
    struct fixture *fixture = *state;
    const char *path = fake_criu(fixture, "4.2.1");
    write_file(path, "#!/bin/sh\ntest -z \"$CRIU_CONFIG_FILE\" && echo 'Version: 4.2.1'\n");
    setenv("CRIU_CONFIG_FILE", "/no/such/file", 1);
    assert_int_equal(criu_find(&fixture->criu, path, &failure), 0);
    unsetenv("CRIU_CONFIG_FILE");
}

static void an_old_one_is_refused(void **state) {
    struct fixture *fixture = *state;
    static const char *const versions[] = {"3.17.1", "4.1.1", "4.1"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        assert_int_equal(criu_find(&fixture->criu, fake_criu(fixture, versions[i]), &failure), -1);
        assert_int_equal(failure.code, EXIT_UNABLE);
        assert_non_null(strstr(failure.text, versions[i]));
    }
    static const char *const new_versions[] = {"4.2", "4.10", "5.0"};
    for (size_t i = 0; i < sizeof new_versions / sizeof new_versions[0]; i++)
        assert_int_equal(criu_find(&fixture->criu, fake_criu(fixture, new_versions[i]), &failure),
                         0);
}

static void what_is_not_criu_is_refused(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(criu_find(&fixture->criu, "/bin/true", &failure), -1);
    assert_int_equal(failure.code, EXIT_UNABLE);
    assert_int_equal(criu_find(&fixture->criu, "/no/such/criu", &failure), -1);
    assert_non_null(strstr(failure.text, "/no/such/criu"));
}

// --- the right to image ---

static void file_capabilities_are_read_from_the_attribute(void **state) {
    (void)state;
    struct vfs_cap_data data = {.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE};
    data.data[1].permitted = 1u << (CAP_CHECKPOINT_RESTORE - 32);
    data.data[0].permitted = 1u << CAP_SYS_PTRACE;
    assert_int_equal(criu_file_capabilities(&data, XATTR_CAPS_SZ_2),
                     BIT(CAP_CHECKPOINT_RESTORE) | BIT(CAP_SYS_PTRACE));
    assert_int_equal(criu_file_capabilities(&data, XATTR_CAPS_SZ_1), 0);
    assert_int_equal(criu_file_capabilities(&data, 0), 0);
}

static void root_may_image_with_any_criu(void **state) {
    struct fixture *fixture = *state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(criu_find(&fixture->criu, fake_criu(fixture, "4.2"), &failure), 0);
    assert_int_equal(criu_may_image(&fixture->criu, &failure), 0);
}

// What an ordinary user is told; empty if he may. `prepare` is called as root before.
static const char *told_to_a_user(const struct criu *criu, void (*prepare)(void)) {
    static char text[sizeof failure.text];
    int told[2];
    assert_int_equal(pipe(told), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (prepare != NULL)
            prepare();
        struct failure reason = {.text = ""};
        if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
            _exit(99);
        int result = criu_may_image(criu, &reason);
        dprintf(told[1], "%s%s", result < 0 && reason.code != EXIT_UNABLE ? "wrong code: " : "",
                result < 0 ? reason.text : "");
        _exit(0);
    }
    close(told[1]);
    ssize_t got = read(told[0], text, sizeof text - 1);
    text[got > 0 ? got : 0] = '\0';
    close(told[0]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    return text;
}

static void give_capability(const char *path) {
    struct vfs_cap_data data = {.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE};
    data.data[1].permitted = 1u << (CAP_CHECKPOINT_RESTORE - 32);
    assert_int_equal(setxattr(path, "security.capability", &data, XATTR_CAPS_SZ_2, 0), 0);
}

static void a_user_is_told_how_to_get_the_file_capability(void **state) {
    struct fixture *fixture = *state;
    if (geteuid() != 0)
        skip();
    const char *path = fake_criu(fixture, "4.2");
    assert_int_equal(criu_find(&fixture->criu, path, &failure), 0);
    assert_non_null(strstr(told_to_a_user(&fixture->criu, NULL), "scripts/setup --group"));
    give_capability(path);
    assert_string_equal(told_to_a_user(&fixture->criu, NULL), "");
}

static void set_no_new_privileges(void) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static void drop_from_bounding_set(void) {
    prctl(PR_CAPBSET_DROP, CAP_CHECKPOINT_RESTORE);
}

static void a_file_capability_that_the_kernel_passes_over_is_refused(void **state) {
    struct fixture *fixture = *state;
    if (geteuid() != 0)
        skip();
    const char *path = fake_criu(fixture, "4.2");
    give_capability(path);
    assert_int_equal(criu_find(&fixture->criu, path, &failure), 0);
    assert_non_null(strstr(told_to_a_user(&fixture->criu, set_no_new_privileges), "no_new_privs"));
    assert_non_null(strstr(told_to_a_user(&fixture->criu, drop_from_bounding_set), "bounding set"));
}

// --- its log ---

static void its_log_is_a_file_of_the_callers_alone(void **state) {
    struct fixture *fixture = *state;
    const char *path = in(fixture->directory, "log");
    struct stat facts;
    fixture->criu.log = -1;
    assert_int_equal(criu_log_to(&fixture->criu, NULL, 2, &failure), 0);
    assert_int_equal(fixture->criu.log, -1);
    assert_int_equal(fixture->criu.verbosity, 2);
    write_file(path, "older");
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(criu_log_to(&fixture->criu, path, 4, &failure), 0);
    assert_int_equal(fstat(fixture->criu.log, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    assert_int_equal(facts.st_size, 0);
    close(fixture->criu.log);
    unlink(path);
}

static void its_log_is_no_link_fifo_or_second_name(void **state) {
    struct fixture *fixture = *state;
    const char *path = in(fixture->directory, "log"), *other = in(fixture->directory, "other");
    write_file(other, "kept");
    assert_int_equal(symlink(other, path), 0);
    assert_int_equal(criu_log_to(&fixture->criu, path, 1, &failure), -1);
    assert_int_equal(failure.code, EXIT_USAGE);
    unlink(path);
    assert_int_equal(link(other, path), 0);
    assert_int_equal(criu_log_to(&fixture->criu, path, 1, &failure), -1);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(criu_log_to(&fixture->criu, path, 1, &failure), -1);
    unlink(path);
    assert_string_equal(read_file(other), "kept");
    unlink(other);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_one_that_is_asked_for_is_taken),
        TEST(the_callers_environment_is_kept_from_it),
        TEST(an_old_one_is_refused),
        TEST(what_is_not_criu_is_refused),
        TEST(file_capabilities_are_read_from_the_attribute),
        TEST(its_log_is_a_file_of_the_callers_alone),
        TEST(its_log_is_no_link_fifo_or_second_name),
        TEST(root_may_image_with_any_criu),
        TEST(a_user_is_told_how_to_get_the_file_capability),
        TEST(a_file_capability_that_the_kernel_passes_over_is_refused),
    };
    return cmocka_run_group_tests_name("criu_find", tests, NULL, NULL);
}
