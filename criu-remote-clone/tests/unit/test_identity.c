// SPDX-License-Identifier: Apache-2.0
// Whom CRIU becomes, and with which rights.
#include "identity.h"
#include "subject.h"

#include <grp.h>
#include <linux/capability.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define USER 4711
#define GROUP 4712

static struct failure failure;

// --- on whose behalf a clone is restored ---

static void root_restores_its_own_with_its_rights(void **state) {
    (void)state;
    struct identity identity;
    if (geteuid() != 0)
        skip();
    assert_int_equal(identity_find(&identity, NULL, &failure), 0);
    assert_int_equal(identity.uid, 0);
    assert_false(identity.unprivileged || identity.user_namespace);
    assert_int_equal(identity_find(&identity, "root", &failure), 0);
    assert_false(identity.unprivileged || identity.user_namespace);
}

static void root_restores_another_users_with_that_users_rights(void **state) {
    (void)state;
    struct identity identity, by_number;
    if (geteuid() != 0)
        skip();
    const struct passwd *nobody = getpwnam("nobody");
    assert_non_null(nobody);
    assert_int_equal(identity_find(&identity, "nobody", &failure), 0);
    assert_int_equal(identity.uid, nobody->pw_uid);
    assert_int_equal(identity.gid, nobody->pw_gid);
    assert_true(identity.unprivileged);
    assert_false(identity.user_namespace);
    char number[16];
    snprintf(number, sizeof number, "%u", nobody->pw_uid);
    assert_int_equal(identity_find(&by_number, number, &failure), 0);
    assert_int_equal(by_number.uid, identity.uid);
}

static void a_user_that_is_not_there_is_refused(void **state) {
    (void)state;
    struct identity identity;
    if (geteuid() != 0)
        skip();
    static const char *const users[] = {"no-such-user", "", "4294967294", "12x"};
    for (size_t i = 0; i < sizeof users / sizeof users[0]; i++) {
        assert_int_equal(identity_find(&identity, users[i], &failure), -1);
        assert_int_equal(failure.code, EXIT_USAGE);
    }
}

static void become_user(void) {
    const gid_t groups[] = {GROUP + 1, GROUP + 2};
    if (setgroups(2, groups) < 0 || setgid(GROUP) < 0 || setuid(USER) < 0)
        _exit(99);
}

// Runs `body` in a child, whose exit code must be 0.
static void in_child(int (*body)(void)) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(body());
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static int find_as_user(void) {
    struct identity identity;
    become_user();
    if (identity_find(&identity, NULL, &failure) < 0 || identity.uid != USER ||
        identity.gid != GROUP || !identity.unprivileged || !identity.user_namespace)
        return 1;
    return identity_find(&identity, "root", &failure) == -1 && failure.code == EXIT_USAGE ? 0 : 2;
}

static void a_user_restores_his_own_in_a_user_namespace(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    in_child(find_as_user);
}

// --- whom CRIU becomes to image a process ---

static int stay_root(void *context) {
    (void)context;
    return 0;
}

// As a program started for that user: its memory may be looked at by him.
static int run_for_user(void *context) {
    (void)context;
    become_user();
    return prctl(PR_SET_DUMPABLE, 1);
}

static int change_user_while_running(void *context) {
    (void)context;
    become_user();
    return prctl(PR_SET_DUMPABLE, 0);
}

static int keep_root_as_saved_user(void *context) {
    (void)context;
    if (setresuid(USER, USER, 0) < 0)
        return -1;
    return prctl(PR_SET_DUMPABLE, 1);
}

static int keep_capabilities(void *context) {
    (void)context;
    if (prctl(PR_SET_KEEPCAPS, 1) < 0)
        return -1;
    become_user();
    return prctl(PR_SET_DUMPABLE, 1);
}

static struct identity for_image_of(int (*prepare)(void *context)) {
    struct identity identity;
    struct subject subject = subject_start(prepare, NULL, -1);
    assert_int_equal(subject.error, 0);
    identity_for_image(&identity, subject.pid);
    subject_end(&subject);
    return identity;
}

static void root_images_a_users_process_as_that_user(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    struct identity identity = for_image_of(run_for_user);
    assert_true(identity.unprivileged);
    assert_false(identity.by_file || identity.user_namespace);
    assert_int_equal(identity.uid, USER);
    assert_int_equal(identity.gid, GROUP);
    assert_int_equal(identity.group_count, 2);
    assert_int_equal(identity.groups[0], GROUP + 1);
    assert_int_equal(identity.groups[1], GROUP + 2);
}

static void root_stays_root_for_what_no_user_may_look_into(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    int (*const prepare[])(void *context) = {stay_root, change_user_while_running,
                                             keep_root_as_saved_user, keep_capabilities};
    for (size_t i = 0; i < sizeof prepare / sizeof prepare[0]; i++)
        assert_false(for_image_of(prepare[i]).unprivileged);
}

static int find_for_image_as_user(void) {
    struct identity identity;
    become_user();
    identity_for_image(&identity, getppid());
    return identity.unprivileged && identity.by_file && identity.uid == USER ? 0 : 1;
}

static void a_user_stays_himself(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    in_child(find_for_image_as_user);
}

// --- becoming it ---

static const struct identity user = {.uid = USER,
                                     .gid = GROUP,
                                     .groups = {GROUP, GROUP + 1},
                                     .group_count = 2,
                                     .unprivileged = true};

static bool has_only_one_capability(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2];
    const __u32 bit = CAP_TO_MASK(CAP_CHECKPOINT_RESTORE);
    if (syscall(SYS_capget, &head, sets) < 0)
        return false;
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
        if (prctl(PR_CAPBSET_READ, capability) != (capability == CAP_CHECKPOINT_RESTORE) ||
            prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, capability, 0, 0) !=
                (capability == CAP_CHECKPOINT_RESTORE))
            return false;
    return sets[0].effective == 0 && sets[0].permitted == 0 && sets[0].inheritable == 0 &&
           sets[1].effective == bit && sets[1].permitted == bit && sets[1].inheritable == bit;
}

static int assume_user(void) {
    uid_t uids[3];
    gid_t gids[3], groups[3];
    if (identity_assume(&user) < 0)
        return 1;
    getresuid(&uids[0], &uids[1], &uids[2]);
    getresgid(&gids[0], &gids[1], &gids[2]);
    for (size_t i = 0; i < 3; i++)
        if (uids[i] != USER || gids[i] != GROUP)
            return 2;
    if (getgroups(3, groups) != 2 || groups[0] != GROUP || groups[1] != GROUP + 1)
        return 3;
    if (!has_only_one_capability())
        return 4;
    return setuid(0) < 0 ? 0 : 5; // and there is no way back
}

static void the_user_has_one_capability_and_no_way_back(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    in_child(assume_user);
}

static int assume_user_without_rights(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2];
    if (identity_assume_without_rights(&user) < 0 || geteuid() != USER || getegid() != GROUP)
        return 1;
    if (syscall(SYS_capget, &head, sets) < 0)
        return 2;
    for (size_t i = 0; i < 2; i++)
        if ((sets[i].effective | sets[i].permitted | sets[i].inheritable) != 0)
            return 3;
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_CHECKPOINT_RESTORE, 0, 0) == 0 ? 0 : 4;
}

static void a_hook_has_no_capability_at_all(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    in_child(assume_user_without_rights);
}

static int assume_himself_by_file(void) {
    struct identity identity;
    become_user();
    identity_for_image(&identity, getpid());
    return identity_assume(&identity);
}

static void with_a_file_capability_nothing_is_changed(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    in_child(assume_himself_by_file);
}

// --- reading with its rights ---

static struct own_rights own;

static bool may_read(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int read_as_user(void) {
    char roots[] = "/tmp/crc-unit-root-XXXXXX", groups[] = "/tmp/crc-unit-group-XXXXXX";
    int roots_fd = mkstemp(roots), groups_fd = mkstemp(groups);
    if (fchown(groups_fd, 0, GROUP + 1) < 0 || fchmod(groups_fd, 0640) < 0)
        return 1;
    int result = 0;
    if (rights_borrow(&user, &own, &failure) < 0)
        result = 2;
    else if (may_read(roots) || !may_read(groups))
        result = 3;
    rights_return(&own);
    if (result == 0 && !may_read(roots))
        result = 4;
    close(roots_fd);
    close(groups_fd);
    unlink(roots);
    unlink(groups);
    return result;
}

static void root_reads_files_with_a_users_rights_and_then_again_with_its_own(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    in_child(read_as_user);
}

static sem_t borrowed, looked;

static void *borrow_and_wait(void *result) {
    *(int *)result = rights_borrow(&user, &own, &failure);
    sem_post(&borrowed);
    sem_wait(&looked);
    return NULL;
}

static int read_beside_a_borrower(void) {
    sem_init(&borrowed, 0, 0);
    sem_init(&looked, 0, 0);
    pthread_t borrower;
    int result;
    gid_t groups[8];
    int before = getgroups(8, groups);
    if (pthread_create(&borrower, NULL, borrow_and_wait, &result) != 0)
        return 1;
    sem_wait(&borrowed);
    bool may = may_read("/etc/shadow") && getgroups(8, groups) == before;
    sem_post(&looked);
    pthread_join(borrower, NULL);
    return result == 0 && may ? 0 : 2;
}

static void other_threads_keep_their_rights(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    in_child(read_beside_a_borrower);
}

static void the_rights_to_read_with_are_the_processs(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    struct identity identity;
    identity_for_files(&identity, "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nGroups:\t0 4 \n");
    assert_false(identity.unprivileged);
    identity_for_files(&identity, "Uid:\t0\t1\t0\t7\nGid:\t0\t0\t0\t8\nGroups:\t4 9 \n");
    assert_true(identity.unprivileged);
    assert_int_equal(identity.uid, 7);
    assert_int_equal(identity.gid, 8);
    assert_int_equal(identity.group_count, 2);
    assert_int_equal(identity.groups[1], 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(root_restores_its_own_with_its_rights),
        cmocka_unit_test(root_restores_another_users_with_that_users_rights),
        cmocka_unit_test(a_user_that_is_not_there_is_refused),
        cmocka_unit_test(a_user_restores_his_own_in_a_user_namespace),
        cmocka_unit_test(root_images_a_users_process_as_that_user),
        cmocka_unit_test(root_stays_root_for_what_no_user_may_look_into),
        cmocka_unit_test(a_user_stays_himself),
        cmocka_unit_test(the_user_has_one_capability_and_no_way_back),
        cmocka_unit_test(a_hook_has_no_capability_at_all),
        cmocka_unit_test(with_a_file_capability_nothing_is_changed),
        cmocka_unit_test(root_reads_files_with_a_users_rights_and_then_again_with_its_own),
        cmocka_unit_test(other_threads_keep_their_rights),
        cmocka_unit_test(the_rights_to_read_with_are_the_processs),
    };
    return cmocka_run_group_tests_name("identity", tests, NULL, NULL);
}
