// SPDX-License-Identifier: Apache-2.0
// Who of all processes has which files open or mapped for writing.
#include "fileset_writers.h"
#include "memory.h"
#include "process_tree.h"
#include "procfs.h"
#include "scope.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_file(struct writers *writers, const struct stat *status, bool mapped) {
    must_grow(&writers->files, writers->count, sizeof *writers->files);
    writers->files[writers->count++] =
        (struct written_file){.device = status->st_dev, .inode = status->st_ino, .mapped = mapped};
}

// The owner's write bit of the link /proc/PID/fd/N says whether the descriptor can write
// (tid_fd_update_inode() in the kernel's fs/proc/fd.c): no need to read and parse fdinfo.
static void add_descriptor(struct writers *writers, int fds_fd, const char *name) {
    struct stat link, status;
    if (fstatat(fds_fd, name, &link, AT_SYMLINK_NOFOLLOW) == 0 && (link.st_mode & S_IWUSR) != 0 &&
        fstatat(fds_fd, name, &status, 0) == 0 && S_ISREG(status.st_mode))
        add_file(writers, &status, false);
}

static int add_descriptors(struct writers *writers, pid_t pid, struct failure *failure) {
    char name[32];
    snprintf(name, sizeof name, "/proc/%d/fd", pid);
    AUTO_CLOSEDIR DIR *directory = opendir(name);
    if (directory == NULL)
        return errno == ENOENT || errno == ESRCH
                   ? 0
                   : fail_errno(failure, EXIT_UNABLE,
                                "can't see which files process %d has open (run as its user and, "
                                "if it isn't dumpable, with CAP_SYS_PTRACE)",
                                pid);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] != '.')
            add_descriptor(writers, dirfd(directory), entry->d_name);
    return 0;
}

// A line of /proc/PID/maps. The device in it is not always stat(2)'s (btrfs, overlayfs), so the
// path is asked; a deleted file's path leads nowhere, and it is no member anyway.
static void add_mapping(struct writers *writers, const char *line) {
    char permissions[5];
    uint64_t inode;
    int path_at = 0;
    struct stat status;
    if (sscanf(line, "%*s %4s %*s %*s %" SCNu64 " %n", permissions, &inode, &path_at) == 2 &&
        permissions[1] == 'w' && permissions[3] == 's' && inode != 0 && path_at != 0 &&
        stat(line + path_at, &status) == 0 && status.st_ino == inode && S_ISREG(status.st_mode))
        add_file(writers, &status, true);
}

static void add_mappings(struct writers *writers, pid_t pid) {
    AUTO_FREE char *text = procfs_read(NULL, "/proc/%d/maps", pid);
    for (char *save = NULL, *line = text != NULL ? strtok_r(text, "\n", &save) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &save))
        add_mapping(writers, line);
}

static int compare_files(const void *left, const void *right) {
    const struct written_file *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return a->inode == b->inode ? 0 : a->inode < b->inode ? -1 : 1;
}

static void unite_files(void *kept, void *other) {
    ((struct written_file *)kept)->mapped |= ((struct written_file *)other)->mapped;
}

int writers_find(struct writers *writers, pid_t root, struct failure *failure) {
    AUTO_FREE pid_t *pids = NULL;
    size_t count = 0;
    writers_clear(writers);
    pid_append(&pids, &count, root);
    for (size_t i = 0; i < count; i++) {
        children_of(pids[i], false, &pids, &count);
        if (add_descriptors(writers, pids[i], failure) < 0)
            return -1;
        add_mappings(writers, pids[i]);
    }
    writers->count = sort_and_unite(writers->files, writers->count, sizeof *writers->files,
                                    compare_files, unite_files);
    return 0;
}

const struct written_file *writers_have(const struct writers *writers, dev_t device, ino_t inode) {
    struct written_file wanted = {.device = device, .inode = inode};
    return writers->count == 0 ? NULL
                               : bsearch(&wanted, writers->files, writers->count,
                                         sizeof *writers->files, compare_files);
}

void writers_clear(struct writers *writers) {
    free(writers->files);
    *writers = (struct writers){0};
}
