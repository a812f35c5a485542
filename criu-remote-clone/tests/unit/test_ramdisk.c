// SPDX-License-Identifier: Apache-2.0
// The RAM disk: where it comes from with less and less rights, and that nothing of it stays.
#include "failure.h"
#include "identity.h"
#include "keeper.h"
#include "ramdisk.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NOBODY 65534
#define MEBIBYTE (1ull << 20)

static struct failure failure;

// Runs `body` in a child, which returns 0 if all is as it should be.
static void in_child(int (*body)(void)) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(body());
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static bool is_private_and_works(const struct ramdisk *disk) {
    char path[128];
    struct stat status;
    snprintf(path, sizeof path, "%s/file", disk->path);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool works = file >= 0 && write(file, "image", 5) == 5 && fstat(file, &status) == 0 &&
                 status.st_uid == geteuid() && unlinkat(disk->dir_fd, "file", 0) == 0;
    if (file >= 0)
        close(file);
    snprintf(path, sizeof path, "%s/.", disk->path);
    return works && stat(path, &status) == 0 && status.st_mode == (S_IFDIR | 0700);
}

static bool is_limited_to(const struct ramdisk *disk, uint64_t bytes) {
    struct statvfs facts;
    return fstatvfs(disk->dir_fd, &facts) == 0 && facts.f_blocks * facts.f_frsize == bytes;
}

static void root_has_a_file_system_of_its_own(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    struct ramdisk disk;
    assert_int_equal(ramdisk_open(&disk, 8 * MEBIBYTE, false, NULL, &failure), 0);
    assert_true(disk.detached);
    assert_true(is_private_and_works(&disk));
    assert_true(is_limited_to(&disk, 8 * MEBIBYTE));
    ramdisk_close(&disk);
    assert_int_equal(disk.dir_fd, -1);
}

static bool become_nobody(void) {
    return setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0 &&
           prctl(PR_SET_DUMPABLE, 1) == 0; // or /proc/self isn't ours
}

static int open_as_user(void) {
    struct ramdisk disk;
    if (!become_nobody())
        return 90;
    if (ramdisk_open(&disk, 8 * MEBIBYTE, true, NULL, &failure) < 0)
        return 1;
    if (!disk.detached || !is_limited_to(&disk, 8 * MEBIBYTE))
        return 2;
    if (waitpid(-1, NULL, WNOHANG) != -1)
        return 3; // the helper is reaped
    return is_private_and_works(&disk) ? 0 : 4;
}

static bool has_user_namespaces(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(become_nobody() && unshare(CLONE_NEWUSER) == 0 ? 0 : 1);
    int status;
    return waitpid(pid, &status, 0) == pid && status == 0;
}

static void an_ordinary_user_has_one_of_his_own_too(void **state) {
    (void)state;
    if (geteuid() != 0 || !has_user_namespaces())
        skip();
    in_child(open_as_user);
}

// user_namespaces(7): the limit set in a user namespace is that of all below.
static bool forbid_user_namespaces(void) {
    struct identity self = {.uid = geteuid(), .gid = getegid()};
    if (unshare(CLONE_NEWUSER) < 0 || identity_map(&self, getpid(), &failure) < 0)
        return false;
    int limit = open("/proc/sys/user/max_user_namespaces", O_WRONLY | O_CLOEXEC);
    bool forbidden = limit >= 0 && write(limit, "0", 1) == 1;
    if (limit >= 0)
        close(limit);
    return forbidden;
}

static int open_without_user_namespaces(void) {
    struct keeper *keeper;
    struct ramdisk disk;
    if (!become_nobody() || !forbid_user_namespaces() || (keeper = keeper_start(&failure)) == NULL)
        return 90;
    if (ramdisk_open(&disk, 8 * MEBIBYTE, true, keeper, &failure) < 0)
        return 1;
    if (disk.detached || disk.huge_pages || strncmp(disk.path, "/dev/shm/", 9) != 0)
        return 2;
    if (!is_private_and_works(&disk))
        return 3;
    ramdisk_close(&disk);
    keeper_finish(keeper);
    return access(disk.path, F_OK) < 0 ? 0 : 4;
}

static void without_user_namespaces_it_is_a_directory_that_the_keeper_removes(void **state) {
    (void)state;
    if (geteuid() != 0 || !has_user_namespaces())
        skip();
    in_child(open_without_user_namespaces);
}

static int open_too_large_without_user_namespaces(void) {
    struct ramdisk disk;
    if (!become_nobody() || !forbid_user_namespaces())
        return 90;
    if (ramdisk_open(&disk, 1ull << 60, true, NULL, &failure) == 0)
        return 1;
    return failure.code == EXIT_SPACE ? 0 : 2;
}

static void a_directory_that_is_too_small_is_refused(void **state) {
    (void)state;
    if (geteuid() != 0 || !has_user_namespaces())
        skip();
    in_child(open_too_large_without_user_namespaces);
}

static void root_can_give_it_to_crius_user(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    struct ramdisk disk;
    struct stat status;
    const struct identity user = {.uid = NOBODY, .gid = NOBODY, .unprivileged = true};
    assert_int_equal(ramdisk_open(&disk, 8 * MEBIBYTE, false, NULL, &failure), 0);
    assert_int_equal(ramdisk_give(&disk, &user, &failure), 0);
    assert_int_equal(fstat(disk.dir_fd, &status), 0);
    assert_int_equal(status.st_uid, NOBODY);
    assert_int_equal(status.st_gid, NOBODY);
    assert_int_equal(status.st_mode, S_IFDIR | 0700);
    ramdisk_close(&disk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(root_has_a_file_system_of_its_own),
        cmocka_unit_test(an_ordinary_user_has_one_of_his_own_too),
        cmocka_unit_test(without_user_namespaces_it_is_a_directory_that_the_keeper_removes),
        cmocka_unit_test(a_directory_that_is_too_small_is_refused),
        cmocka_unit_test(root_can_give_it_to_crius_user),
    };
    return cmocka_run_group_tests_name("ramdisk", tests, NULL, NULL);
}
