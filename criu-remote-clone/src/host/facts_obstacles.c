// What stands in the way of a clone: what CRIU 4.2 refuses to dump or to restore the way we run it
// (criu.c), and what it would carry over in a form that harms the clone. Each was tried with CRIU;
// docs/requirements.md has what was seen.
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "facts_internal.h"
#include "procfs.h"

#define GHOST_LARGEST (64ull << 20) // --ghost-limit in criu.c
#define OBSTACLES_MAX 64            // nobody reads more

int obstacle_add(struct process_facts *facts, struct failure *failure, bool hook_may_fix,
                 const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < facts->obstacle_count; i++)
        if (strcmp(facts->obstacles[i].text, text) == 0)
            return 0;
    if (facts->obstacle_count == OBSTACLES_MAX)
        return 0;
    if (grow(&facts->obstacles, facts->obstacle_count, sizeof *facts->obstacles, failure) < 0)
        return -1;
    struct obstacle obstacle = {.hook_may_fix = hook_may_fix, .text = strdup(text)};
    if (obstacle.text == NULL)
        return fail(failure, EXIT_SPACE, "out of memory");
    facts->obstacles[facts->obstacle_count++] = obstacle;
    return 0;
}

// --- processes and threads ---

// A namespace file's number, 0 when it can't be told (a zombie has none).
static uint64_t namespace_of(pid_t pid, const char *name) {
    struct stat status;
    char path[64];
    if (pid == 0)
        snprintf(path, sizeof path, "/proc/self/ns/%s", name);
    else
        snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, name);
    return stat(path, &status) == 0 ? status.st_ino : 0;
}

static bool namespaces_differ(pid_t left, pid_t right, const char *name) {
    uint64_t first = namespace_of(left, name), second = namespace_of(right, name);
    return first != 0 && second != 0 && first != second;
}

// CRIU enters the root's other namespaces, but can't be in another PID or user namespace than we
// are. In another mount namespace its loader, its libraries and its script would be what lies
// there, run with our rights.
static int obstacles_of_root_namespaces(struct process_facts *facts, const char *status,
                                        struct failure *failure) {
    pid_t root = facts->root;
    if (facts->inner_pids[0] == 1)
        return obstacle_add(facts, failure, false,
                            "process %d is process 1 of its PID namespace, and a clone has an init "
                            "of its own: start the program below an init (docker run --init, tini)",
                            (int)root);
    if (namespaces_differ(root, 0, "pid"))
        return obstacle_add(facts, failure, false,
                            "process %d lives in another PID namespace: run serve inside it "
                            "(nsenter -t %d -p -m ...)",
                            (int)root, (int)root);
    if (status_innermost(status, "NSsid") == 0)
        return obstacle_add(facts, failure, false,
                            "the session of process %d began outside of this PID namespace, and "
                            "CRIU can't name it in an image: start the program by setsid(1)",
                            (int)root);
    if (namespaces_differ(root, 0, "mnt"))
        return obstacle_add(facts, failure, false,
                            "process %d lives in a mount namespace of its own, and CRIU would run "
                            "what lies there: run serve inside it (nsenter -t %d -m ...), if you "
                            "trust it",
                            (int)root, (int)root);
    if (namespaces_differ(root, 0, "user"))
        return obstacle_add(
            facts, failure, false,
            "process %d lives in a user namespace of its own, which we can't image: start "
            "it without one",
            (int)root);
    return 0;
}

int obstacles_of_namespaces(struct process_facts *facts, size_t index, const char *status,
                            struct failure *failure) {
    static const char *const names[] = {"mnt", "net",    "uts",  "ipc",
                                        "pid", "cgroup", "user", "time_for_children"};
    if (index == 0)
        return obstacles_of_root_namespaces(facts, status, failure);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (namespaces_differ(facts->pids[index], facts->root, names[i]))
            return obstacle_add(facts, failure, true,
                                "process %d (%s) lives in another %s namespace than process %d: "
                                "end it before the clone, or don't unshare",
                                (int)facts->pids[index], facts->commands[index], names[i],
                                (int)facts->root);
    return 0;
}

static bool shares_memory(pid_t left, pid_t right) {
    return syscall(SYS_kcmp, left, right, KCMP_VM, 0ul, 0ul) == 0;
}

int obstacles_of_task(struct process_facts *facts, size_t index, const char *status,
                      struct failure *failure) {
    pid_t pid = facts->pids[index];
    const char *state = procfs_value(status, "State");
    if (state == NULL)
        return 0;
    if (*state == 'Z' && facts->thread_counts[index] > 1)
        return obstacle_add(facts, failure, false,
                            "the first thread of process %d has ended while others run, which "
                            "CRIU can't image: let it wait for them instead",
                            (int)pid);
    if (*state == 'T')
        return obstacle_add(facts, failure, true, "process %d is stopped: continue it (kill -CONT)",
                            (int)pid);
    uint64_t parent = 0;
    procfs_number(status, "PPid", &parent);
    if (index > 0 && shares_memory(pid, (pid_t)parent))
        return obstacle_add(facts, failure, true,
                            "process %d shares its memory with its parent (vfork or CLONE_VM): "
                            "wait until it has executed its program",
                            (int)pid);
    return 0;
}

int obstacles_of_thread(struct process_facts *facts, pid_t pid, pid_t tid, const char *status,
                        struct failure *failure) {
    uint64_t tracer = 0;
    if (!procfs_number(status, "TracerPid", &tracer) || tracer == 0)
        return 0;
    return obstacle_add(facts, failure, true,
                        "process %d (thread %d) is traced by process %llu: detach the debugger",
                        (int)pid, (int)tid, (unsigned long long)tracer);
}

// --- descriptors ---

static bool begins(const char *text, const char *beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool in(const char *const *list, size_t count, const char *text) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], text) == 0)
            return true;
    return false;
}

static int obstacles_of_character_device(struct process_facts *facts, const struct fd_facts *fd,
                                         dev_t number, struct failure *failure) {
    enum { MEMORY_DEVICES = 1 };                          // Documentation/admin-guide/devices.txt
    static const unsigned everywhere[] = {3, 5, 7, 8, 9}; // null, zero, full, random, urandom
    for (size_t i = 0; i < sizeof everywhere / sizeof everywhere[0]; i++)
        if (major(number) == MEMORY_DEVICES && minor(number) == everywhere[i])
            return 0;
    // pts, tty, console: only CRIU's own terminal could stand in for them, and pull has none.
    if (major(number) == 5 || (major(number) >= 136 && major(number) <= 143) || major(number) == 4)
        return obstacle_add(facts, failure, true,
                            "process %d has the terminal %s open (descriptor %d), which the target "
                            "doesn't have: run it with </dev/null >FILE 2>&1",
                            (int)fd->pid, fd->target, fd->fd);
    return obstacle_add(facts, failure, true,
                        "process %d has the device %s open (descriptor %d): close it before the "
                        "clone",
                        (int)fd->pid, fd->target, fd->fd);
}

static int obstacles_of_anonymous_inode(struct process_facts *facts, const struct fd_facts *fd,
                                        struct failure *failure) {
    static const char *const known[] = {
        "anon_inode:[eventfd]",  "anon_inode:[eventpoll]", "anon_inode:inotify",
        "anon_inode:[fanotify]", "anon_inode:[signalfd]",  "anon_inode:[timerfd]",
        "anon_inode:[pidfd]",
    };
    if (in(known, sizeof known / sizeof known[0], fd->target))
        return 0;
    return obstacle_add(facts, failure, true,
                        "process %d holds descriptor %d (%s), which CRIU can't carry over: close "
                        "it before the clone",
                        (int)fd->pid, fd->fd, fd->target);
}

static int obstacles_of_deleted_file(struct process_facts *facts, const struct fd_facts *fd,
                                     const struct fd_details *details, struct failure *failure) {
    if (fd->kind == FD_REGULAR && details->links > 0)
        return obstacle_add(facts, failure, true,
                            "process %d has %s open (descriptor %d), whose name was deleted but "
                            "which has another (a hard link): close it before the clone",
                            (int)fd->pid, fd->target, fd->fd);
    if (details->allocated_bytes > GHOST_LARGEST)
        return obstacle_add(facts, failure, true,
                            "process %d has the deleted file %s of %llu MiB open (descriptor %d); "
                            "up to %llu MiB are carried over: close it before the clone",
                            (int)fd->pid, fd->target,
                            (unsigned long long)details->allocated_bytes >> 20, fd->fd,
                            GHOST_LARGEST >> 20);
    return 0;
}

// CRIU looks for a file's mount among those of the process's namespace: one that was unmounted
// lazily, or is of another namespace, isn't there (criu/files-reg.c).
static int obstacles_of_mount(struct process_facts *facts, const struct fd_facts *fd,
                              const struct fd_details *details, const int *mounts,
                              size_t mount_count, struct failure *failure) {
    uint64_t mount = 0;
    if (mount_count == 0 || !is_file_name(fd->target) ||
        !procfs_number(details->info, "mnt_id", &mount))
        return 0;
    for (size_t low = 0, high = mount_count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (mounts[middle] == (int)mount)
            return 0;
        if (mounts[middle] < (int)mount)
            low = middle + 1;
        else
            high = middle;
    }
    return obstacle_add(facts, failure, true,
                        "process %d has %s open (descriptor %d), on a file system that was "
                        "unmounted or is of another mount namespace: close it before the clone",
                        (int)fd->pid, fd->target, fd->fd);
}

static bool is_repeated(const struct process_facts *facts, const struct fd_facts *fd) {
    for (const struct fd_facts *other = facts->fds; other < fd; other++)
        if (other->inode == fd->inode && other->device == fd->device && other->flags == fd->flags &&
            strcmp(other->target, fd->target) == 0)
            return true;
    return false;
}

int obstacles_of_fd(struct process_facts *facts, const struct fd_facts *fd,
                    const struct fd_details *details, const int *mounts, size_t mount_count,
                    struct failure *failure) {
    size_t before = facts->obstacle_count;
    int result = 0;
    if (begins(fd->target, "anon_inode:"))
        return obstacles_of_anonymous_inode(facts, fd, failure);
    if (fd->kind == FD_CHARACTER)
        result = obstacles_of_character_device(facts, fd, details->device_number, failure);
    else if (S_ISBLK(details->mode))
        result = obstacle_add(facts, failure, true,
                              "process %d has the device %s open (descriptor %d): close it before "
                              "the clone",
                              (int)fd->pid, fd->target, fd->fd);
    else if (fd->kind == FD_PIPE && (fd->flags & O_DIRECT) != 0)
        result = obstacle_add(facts, failure, true,
                              "process %d holds a pipe in packet mode (descriptor %d, O_DIRECT), "
                              "which CRIU can't carry over: close it before the clone",
                              (int)fd->pid, fd->fd);
    else if ((fd->kind == FD_REGULAR || fd->kind == FD_DIRECTORY) && fd->deleted &&
             is_file_name(fd->target))
        result = obstacles_of_deleted_file(facts, fd, details, failure);
    if (result == 0 && facts->obstacle_count == before && fd->kind != FD_SOCKET &&
        fd->kind != FD_PIPE)
        result = obstacles_of_mount(facts, fd, details, mounts, mount_count, failure);
    // A terminal is mostly open three times; once is enough to say so.
    if (result == 0 && facts->obstacle_count > before && is_repeated(facts, fd))
        free(facts->obstacles[--facts->obstacle_count].text);
    return result;
}

// The clone's end of such a pipe leads nowhere: reading is an end of file, which programs expect;
// writing is SIGPIPE, which ends most.
static int obstacles_of_pipe(struct process_facts *facts, const struct fd_facts *fd,
                             struct failure *failure) {
    if ((fd->flags & O_ACCMODE) != O_WRONLY)
        return 0;
    for (size_t i = 0; i < facts->fd_count; i++)
        if (facts->fds[i].kind == FD_PIPE && facts->fds[i].inode == fd->inode &&
            facts->fds[i].device == fd->device && (facts->fds[i].flags & O_ACCMODE) != O_WRONLY)
            return 0;
    if (is_repeated(facts, fd))
        return 0;
    return obstacle_add(facts, failure, true,
                        "process %d writes to a pipe (descriptor %d) that a process outside its "
                        "tree reads; the clone would get SIGPIPE: write to a file instead",
                        (int)fd->pid, fd->fd);
}

static bool in_tree(const struct process_facts *facts, long pid) {
    for (size_t i = 0; i < facts->pid_count; i++)
        if (facts->pids[i] == pid)
            return true;
    return false;
}

static int obstacles_of_pidfd(struct process_facts *facts, const struct fd_facts *fd,
                              struct failure *failure) {
    char *info = procfs_read(NULL, "/proc/%d/fdinfo/%d", (int)fd->pid, fd->fd);
    const char *pid = info != NULL ? procfs_value(info, "Pid") : NULL;
    // -1: a process that has ended, which CRIU can make again.
    long number = pid != NULL ? strtol(pid, NULL, 10) : -1;
    free(info);
    if (number == -1 || in_tree(facts, number))
        return 0;
    return obstacle_add(facts, failure, true,
                        "process %d holds a pidfd (descriptor %d) of process %ld outside its tree: "
                        "close it before the clone",
                        (int)fd->pid, fd->fd, number);
}

int obstacles_between_fds(struct process_facts *facts, struct failure *failure) {
    for (size_t i = 0; i < facts->fd_count; i++) {
        const struct fd_facts *fd = &facts->fds[i];
        int result = 0;
        if (fd->kind == FD_PIPE && begins(fd->target, "pipe:"))
            result = obstacles_of_pipe(facts, fd, failure);
        else if (strcmp(fd->target, "anon_inode:[pidfd]") == 0)
            result = obstacles_of_pidfd(facts, fd, failure);
        if (result < 0)
            return -1;
    }
    return 0;
}

// --- mappings ---

static bool is_device(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
}

int obstacles_of_mapping(struct process_facts *facts, pid_t pid, const struct mapping *mapping,
                         struct failure *failure) {
    const char *path = mapping->path;
    size_t length = strlen(path);
    bool deleted = length > 10 && strcmp(path + length - 10, " (deleted)") == 0;
    if (begins(path, "/anon_hugepage"))
        return obstacle_add(facts, failure, false,
                            "process %d has hugetlb pages mapped, which CRIU doesn't image: use "
                            "transparent huge pages (for Java -XX:+UseTransparentHugePages)",
                            (int)pid);
    if (begins(path, "/SYSV"))
        return obstacle_add(facts, failure, false,
                            "process %d uses System V shared memory, which CRIU images only with a "
                            "whole IPC namespace: use mmap or POSIX shared memory",
                            (int)pid);
    if (begins(path, "/secretmem"))
        return obstacle_add(facts, failure, false,
                            "process %d uses memfd_secret memory, which nothing can image",
                            (int)pid);
    if (strcmp(path, "[uprobes]") == 0)
        return obstacle_add(facts, failure, false,
                            "process %d has user-space probes (uprobes): remove them", (int)pid);
    if (strstr(path, "/hsperfdata_") != NULL)
        return obstacle_add(facts, failure, false,
                            "the JVM in process %d publishes its counters in the shared file %s, "
                            "which the clone would not have: start it with -XX:-UsePerfData",
                            (int)pid, path);
    if (begins(path, "anon_inode:") || (begins(path, "/dev/") && !begins(path, "/dev/zero") &&
                                        !begins(path, "/dev/shm/") && is_device(path)))
        return obstacle_add(facts, failure, false,
                            "process %d has %s mapped, which CRIU can't image: unmap it", (int)pid,
                            path);
    if (deleted && is_file_name(path) && mapping->length > GHOST_LARGEST)
        return obstacle_add(facts, failure, false,
                            "process %d has the file %s mapped, of which up to %llu MiB are "
                            "carried over: restart it after an upgrade",
                            (int)pid, path, GHOST_LARGEST >> 20);
    return 0;
}
