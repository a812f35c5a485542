// SPDX-License-Identifier: Apache-2.0
// The way to a mount point is followed link by link, so that each can be judged; it is made and
// opened again without following any.
#include "mount_point.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "paths.h"
#include "scope.h"

#define LINKS_MAX 40 // the kernel's own limit (path_resolution(7))

// --- where it is ---

// Looks for the first symbolic link in the path. Returns the length of what leads to it, 0 if there
// is none.
static size_t find_link(char *path, struct stat *status) {
    for (char *slash = path; slash != NULL;) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL)
            *slash = '\0';
        size_t length = strlen(path);
        int looked = lstat(path, status);
        if (slash != NULL)
            *slash = '/';
        if (looked < 0)
            return 0;
        if (S_ISLNK(status->st_mode))
            return length;
    }
    return 0;
}

// The path with the link in its first `length` bytes replaced by what it says.
static char *follow(const char *path, size_t length, struct failure *failure) {
    AUTO_FREE char *link = strndup(path, length);
    char text[PATH_MAX];
    ssize_t got = link == NULL ? 0 : readlink(link, text, sizeof text - 1);
    text[got > 0 ? got : 0] = '\0';
    AUTO_FREE char *above = link == NULL ? NULL : path_normalized(link, "..");
    AUTO_FREE char *target = above == NULL ? NULL : path_normalized(above, text);
    const char *rest = path + length;
    bool root = target != NULL && strcmp(target, "/") == 0 && rest[0] != '\0';
    char *whole = target == NULL ? NULL : path_joined(root ? "" : target, rest);
    if (whole == NULL)
        out_of_memory(failure);
    return whole;
}

char *mount_point_real(const char *path, struct failure *failure) {
    char *real = strdup(path);
    if (real == NULL)
        out_of_memory(failure);
    struct stat status;
    size_t length;
    for (int links = 0;
         real != NULL && path_is_clean(real) && (length = find_link(real, &status)) > 0; links++) {
        bool foreign = geteuid() == 0 && status.st_uid != 0;
        if (foreign || links == LINKS_MAX) {
            fail(failure, EXIT_REFUSED,
                 foreign ? "%.*s, on the way to %s, is a symbolic link that isn't root's: make it "
                           "a directory, or root's"
                         : "%.*s, on the way to %s, is one symbolic link too many",
                 (int)length, real, path);
            free(real);
            return NULL;
        }
        char *next = follow(real, length, failure);
        free(real);
        real = next;
    }
    return real;
}

int mount_point_open(const char *real) {
    return open_resolving(AT_FDCWD, real, O_PATH, RESOLVE_NO_SYMLINKS);
}

// --- making it ---

// What somebody has just made there is his.
static int make_listed(int dir_fd, const char *name, const char *path, bool directory,
                       struct keeper *keeper, struct failure *failure) {
    int entry = directory ? keeper_remove_directory_if_empty(keeper, path, failure)
                          : keeper_remove_file(keeper, path, failure);
    if (entry < 0)
        return -1;
    if (make_empty(dir_fd, name, directory, 0755) == 0)
        return 0;
    if (errno == EEXIST)
        return keeper_forget(keeper, entry, failure);
    return fail_errno(failure, EXIT_REFUSED, "pull may not make %s: make it there", path);
}

// One step of the way, `path` so far: opens `name`, or makes it. Takes the descriptor over.
static int step(int dir_fd, const char *name, const char *path, bool directory,
                struct keeper *keeper, struct failure *failure) {
    const int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(dir_fd, name, flags);
    bool failed = false;
    if (fd < 0 && errno == ENOENT) {
        failed = make_listed(dir_fd, name, path, directory, keeper, failure) < 0;
        fd = failed ? -1 : openat(dir_fd, name, flags);
    }
    if (fd < 0 && !failed)
        fail_errno(failure, EXIT_REFUSED, "nothing can be bound over %s", path);
    close(dir_fd);
    return fd;
}

int mount_point_make(const char *real, bool directory, struct keeper *keeper,
                     struct failure *failure) {
    AUTO_FREE char *path = strdup(real);
    if (path == NULL)
        return out_of_memory(failure);
    int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        fail_errno(failure, EXIT_SPACE, "can't open the root directory");
    for (char *name = path + 1; fd >= 0 && name != NULL;) {
        char *slash = strchr(name, '/');
        if (slash != NULL)
            *slash = '\0';
        fd = step(fd, name, path, slash != NULL || directory, keeper, failure);
        if (slash != NULL)
            *slash = '/';
        name = slash == NULL ? NULL : slash + 1;
    }
    close_fd(fd);
    return fd < 0 ? -1 : 0;
}
