#include "fileset_writers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct pid_list {
    pid_t *pids;
    size_t count, capacity;
};

// Room for one more of the array's elements.
static int grow(void **array, size_t *capacity, size_t count, size_t element,
                struct failure *failure) {
    if (count < *capacity)
        return 0;
    size_t wanted = *capacity == 0 ? 64 : 2 * *capacity;
    void *bigger = reallocarray(*array, wanted, element);
    if (bigger == NULL)
        return fail(failure, EXIT_SPACE, "out of memory");
    *array = bigger;
    *capacity = wanted;
    return 0;
}

static int add_pid(struct pid_list *list, pid_t pid, struct failure *failure) {
    if (grow((void **)&list->pids, &list->capacity, list->count, sizeof *list->pids, failure) < 0)
        return -1;
    list->pids[list->count++] = pid;
    return 0;
}

static int add_file(struct writers *writers, const struct stat *status, bool mapped,
                    struct failure *failure) {
    if (grow((void **)&writers->files, &writers->capacity, writers->count, sizeof *writers->files,
             failure) < 0)
        return -1;
    writers->files[writers->count++] =
        (struct written_file){.device = status->st_dev, .inode = status->st_ino, .mapped = mapped};
    return 0;
}

static int open_proc(int base_fd, const char *name, int flags) {
    return openat(base_fd, name, O_RDONLY | O_CLOEXEC | flags);
}

static int add_children_of_thread(struct pid_list *list, int task_fd, const char *tid,
                                  struct failure *failure) {
    char name[NAME_MAX + sizeof "/children"];
    snprintf(name, sizeof name, "%s/children", tid);
    int fd = open_proc(task_fd, name, 0);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "re");
    if (file == NULL) {
        if (fd >= 0)
            close(fd);
        return 0; // the thread has ended
    }
    int result = 0;
    pid_t pid;
    while (result == 0 && fscanf(file, "%d", &pid) == 1)
        result = add_pid(list, pid, failure);
    fclose(file);
    return result;
}

static int add_children(struct pid_list *list, int proc_fd, struct failure *failure) {
    int fd = open_proc(proc_fd, "task", O_DIRECTORY);
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    if (directory == NULL) {
        if (fd >= 0)
            close(fd);
        return 0;
    }
    int result = 0;
    struct dirent *entry;
    while (result == 0 && (entry = readdir(directory)) != NULL)
        if (entry->d_name[0] != '.')
            result = add_children_of_thread(list, fd, entry->d_name, failure);
    closedir(directory);
    return result;
}

// The owner's write bit of the link /proc/PID/fd/N says whether the descriptor can write
// (tid_fd_update_inode() in the kernel's fs/proc/fd.c): no need to read and parse fdinfo.
static int add_descriptor(struct writers *writers, int fds_fd, const char *name,
                          struct failure *failure) {
    struct stat link, status;
    if (fstatat(fds_fd, name, &link, AT_SYMLINK_NOFOLLOW) < 0 || (link.st_mode & S_IWUSR) == 0 ||
        fstatat(fds_fd, name, &status, 0) < 0 || !S_ISREG(status.st_mode))
        return 0;
    return add_file(writers, &status, false, failure);
}

static int add_descriptors(struct writers *writers, int proc_fd, pid_t pid,
                           struct failure *failure) {
    int fd = open_proc(proc_fd, "fd", O_DIRECTORY);
    if (fd < 0 && (errno == ENOENT || errno == ESRCH))
        return 0;
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    if (directory == NULL) {
        int result = fail_errno(failure, EXIT_UNABLE,
                                "can't see which files process %d has open (run as its user and, "
                                "if it isn't dumpable, with CAP_SYS_PTRACE)",
                                pid);
        if (fd >= 0)
            close(fd);
        return result;
    }
    int result = 0;
    struct dirent *entry;
    while (result == 0 && (entry = readdir(directory)) != NULL)
        if (entry->d_name[0] != '.')
            result = add_descriptor(writers, fd, entry->d_name, failure);
    closedir(directory);
    return result;
}

// A line of /proc/PID/maps. The device in it is not always stat(2)'s (btrfs, overlayfs), so the
// path is asked; a deleted file's path leads nowhere, and it is no member anyway.
static int add_mapping(struct writers *writers, const char *line, struct failure *failure) {
    char permissions[5];
    uint64_t inode;
    int path_at = 0;
    if (sscanf(line, "%*s %4s %*s %*s %" SCNu64 " %n", permissions, &inode, &path_at) < 2 ||
        permissions[1] != 'w' || permissions[3] != 's' || inode == 0 || path_at == 0)
        return 0;
    struct stat status;
    if (stat(line + path_at, &status) < 0 || status.st_ino != inode || !S_ISREG(status.st_mode))
        return 0;
    return add_file(writers, &status, true, failure);
}

static int add_mappings(struct writers *writers, int proc_fd, struct failure *failure) {
    int fd = open_proc(proc_fd, "maps", 0);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "re");
    if (file == NULL) {
        if (fd >= 0)
            close(fd);
        return 0;
    }
    int result = 0;
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while (result == 0 && (length = getline(&line, &size, file)) > 0) {
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        result = add_mapping(writers, line, failure);
    }
    free(line);
    fclose(file);
    return result;
}

static int look_at(struct writers *writers, struct pid_list *list, pid_t pid,
                   struct failure *failure) {
    char name[32];
    snprintf(name, sizeof name, "/proc/%d", pid);
    int proc_fd = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (proc_fd < 0)
        return 0; // it has ended
    int result = 0;
    if (add_children(list, proc_fd, failure) < 0 ||
        add_descriptors(writers, proc_fd, pid, failure) < 0 ||
        add_mappings(writers, proc_fd, failure) < 0)
        result = -1;
    close(proc_fd);
    return result;
}

static int compare_files(const void *left, const void *right) {
    const struct written_file *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return a->inode == b->inode ? 0 : a->inode < b->inode ? -1 : 1;
}

static void sort(struct writers *writers) {
    struct written_file *files = writers->files;
    if (writers->count == 0)
        return;
    qsort(files, writers->count, sizeof *files, compare_files);
    size_t last = 0;
    for (size_t i = 1; i < writers->count; i++)
        if (compare_files(&files[last], &files[i]) == 0)
            files[last].mapped = files[last].mapped || files[i].mapped;
        else
            files[++last] = files[i];
    writers->count = last + 1;
}

int writers_find(struct writers *writers, pid_t root, struct failure *failure) {
    writers_clear(writers);
    struct pid_list list = {0};
    int result = add_pid(&list, root, failure);
    for (size_t i = 0; result == 0 && i < list.count; i++)
        result = look_at(writers, &list, list.pids[i], failure);
    free(list.pids);
    if (result == 0)
        sort(writers);
    return result;
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
