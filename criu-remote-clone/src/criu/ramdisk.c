// SPDX-License-Identifier: Apache-2.0
// A tmpfs that is mounted nowhere; without the rights to make one, /dev/shm.
#include "ramdisk.h"
#include "command.h"
#include "descriptors.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

// A file system context with the options set, or -1 with errno.
static int tmpfs_context(uint64_t limit_bytes, bool huge_pages, bool no_swap) {
    char size[32];
    snprintf(size, sizeof size, "%llu", (unsigned long long)limit_bytes);
    int context = fsopen("tmpfs", FSOPEN_CLOEXEC);
    if (context < 0)
        return -1;
    if (fsconfig(context, FSCONFIG_SET_STRING, "size", size, 0) == 0 &&
        fsconfig(context, FSCONFIG_SET_STRING, "mode", "0700", 0) == 0 &&
        (!huge_pages || fsconfig(context, FSCONFIG_SET_STRING, "huge", "always", 0) == 0) &&
        (!no_swap || fsconfig(context, FSCONFIG_SET_FLAG, "noswap", NULL, 0) == 0) &&
        fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
        return context;
    close_fd(context);
    return -1;
}

// A tmpfs mounted nowhere. `noswap` exists since Linux 6.4, huge= may be compiled out.
static int detached_tmpfs(uint64_t limit_bytes, bool *huge_pages) {
    int context = -1;
    bool wanted = *huge_pages;
    for (int attempt = 0; attempt < 4 && context < 0; attempt++) {
        *huge_pages = wanted && attempt < 2;
        context = tmpfs_context(limit_bytes, *huge_pages, attempt % 2 == 0);
        if (context < 0 && errno == EPERM)
            return -1;
    }
    if (context < 0)
        return -1;
    int mount =
        fsmount(context, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    close_fd(context);
    return mount;
}

// --- without the right to mount ---

// The mount's descriptor comes with whether its huge pages were accepted.
static int send_mount(int socket, int mount, bool huge_pages) {
    struct iovec part = {.iov_base = &huge_pages, .iov_len = sizeof huge_pages};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    return send_with_fd(socket, message, mount) < 0 ? -1 : 0;
}

static int receive_mount(int socket, bool *huge_pages) {
    struct iovec part = {.iov_base = huge_pages, .iov_len = sizeof *huge_pages};
    int mount;
    receive_with_fd(socket, (struct msghdr){.msg_iov = &part, .msg_iovlen = 1}, &mount);
    return mount;
}

// In a user namespace of his own everybody may mount a tmpfs (user_namespaces(7)), and its
// descriptor is good outside, too. A process of its own makes it, for ours stays where it is. It
// does nothing but system calls: we may have threads.
static _Noreturn void mount_in_user_namespace(int socket, uint64_t limit_bytes, bool huge_pages) {
    struct identity self = {.uid = geteuid(), .gid = getegid()};
    struct failure ignored;
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 || identity_map(&self, getpid(), &ignored) < 0)
        _exit(1);
    int mount = detached_tmpfs(limit_bytes, &huge_pages);
    _exit(mount < 0 || send_mount(socket, mount, huge_pages) < 0 ? 1 : 0);
}

static int tmpfs_of_a_user(uint64_t limit_bytes, bool *huge_pages) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        return -1;
    pid_t helper = fork();
    if (helper == 0)
        mount_in_user_namespace(ends[1], limit_bytes, *huge_pages);
    close(ends[1]);
    int mount = helper < 0 ? -1 : receive_mount(ends[0], huge_pages);
    close(ends[0]);
    if (helper > 0)
        reap_child(helper);
    return mount;
}

// Where user namespaces are forbidden, the host's shared-memory file system is the RAM disk.
static int shared_memory_directory(struct ramdisk *disk, uint64_t limit_bytes,
                                   struct keeper *keeper, struct failure *failure) {
    struct statfs facts;
    if (statfs("/dev/shm", &facts) < 0 || facts.f_type != 0x01021994)
        return fail(failure, EXIT_UNABLE,
                    "no RAM disk: /dev/shm is not a tmpfs, and mounting one takes a user "
                    "namespace or CAP_SYS_ADMIN: mount a tmpfs there, or run as root");
    uint64_t available = (uint64_t)facts.f_bavail * (uint64_t)facts.f_bsize;
    if (facts.f_blocks > 0 && available < limit_bytes)
        return fail(failure, EXIT_SPACE,
                    "the RAM disk /dev/shm has %llu MiB free, the image may need %llu MiB: free "
                    "some or remount it larger",
                    (unsigned long long)available >> 20, (unsigned long long)limit_bytes >> 20);
    // The name is ours before the keeper hears of it: a random one that can't be another's.
    unsigned long long random;
    if (getentropy(&random, sizeof random) < 0)
        return fail_errno(failure, EXIT_INTERNAL, "no random numbers");
    snprintf(disk->path, sizeof disk->path, "/dev/shm/criu-remote-clone-%016llx", random);
    if (keeper_remove_tree(keeper, disk->path, failure) < 0)
        return -1;
    if (mkdir(disk->path, 0700) < 0)
        return fail_errno(failure, EXIT_UNABLE, "can't make the RAM disk directory %s", disk->path);
    disk->dir_fd = open(disk->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (disk->dir_fd < 0)
        return fail_errno(failure, EXIT_UNABLE, "can't open the RAM disk directory %s", disk->path);
    return 0;
}

int ramdisk_open(struct ramdisk *disk, uint64_t limit_bytes, bool huge_pages, struct keeper *keeper,
                 struct failure *failure) {
    *disk = (struct ramdisk){.dir_fd = -1, .detached = true};
    bool made = huge_pages;
    int mount = detached_tmpfs(limit_bytes, &made);
    if (mount < 0) {
        made = huge_pages;
        mount = tmpfs_of_a_user(limit_bytes, &made);
    }
    disk->huge_pages = mount >= 0 && made;
    if (mount < 0) {
        disk->detached = false;
        return shared_memory_directory(disk, limit_bytes, keeper, failure);
    }
    // fsmount() gives an O_PATH descriptor: good for the *at() calls and for /proc/PID/fd/N.
    disk->dir_fd = mount;
    snprintf(disk->path, sizeof disk->path, "/proc/%d/fd/%d", (int)getpid(), mount);
    return 0;
}

int ramdisk_give(struct ramdisk *disk, const struct identity *identity, struct failure *failure) {
    if (identity->uid != geteuid() &&
        fchownat(disk->dir_fd, "", identity->uid, identity->gid, AT_EMPTY_PATH) < 0)
        return fail_errno(failure, EXIT_UNABLE, "can't give the RAM disk to user %u",
                          identity->uid);
    return 0;
}

void ramdisk_close(struct ramdisk *disk) {
    close_fd(disk->dir_fd);
    disk->dir_fd = -1;
}
