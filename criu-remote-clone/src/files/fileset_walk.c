// SPDX-License-Identifier: Apache-2.0
// Walking trees by descriptors: each directory is opened below its parent, so that a walk costs one
// short look-up per entry and is never led out of the tree by a symbolic link.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "fileset_internal.h"
#include "memory.h"
#include "paths.h"
#include "scope.h"

struct walk {
    const struct root *root;
    walk_visit *visit;
    void *context;
    char path[PATH_MAX];
    size_t length;
};

// Between the listing of a directory and the look at an entry, anything may have happened to it.
static bool vanished(int number) {
    return number == ENOENT || number == ENOTDIR || number == ELOOP;
}

static int visit_entry(struct walk *walk, int dir_fd, const char *name, struct failure *failure);

static int visit_entries(struct walk *walk, DIR *directory, struct failure *failure) {
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(directory);
        if (entry == NULL)
            return errno == 0 ? 0 : fail_errno(failure, EXIT_REFUSED, "can't list %s", walk->path);
        if (path_is_dots(entry->d_name, strlen(entry->d_name)))
            continue;
        size_t length = walk->length, more = strlen(entry->d_name) + 1;
        if (length + more >= sizeof walk->path)
            return fail(failure, EXIT_REFUSED, "a path below %s is too long", walk->path);
        walk->path[length] = '/';
        memcpy(walk->path + length + 1, entry->d_name, more);
        walk->length += more;
        int result = visit_entry(walk, dirfd(directory), entry->d_name, failure);
        walk->length = length;
        walk->path[length] = '\0';
        if (result < 0)
            return -1;
    }
}

static int descend(struct walk *walk, int dir_fd, const char *name, struct failure *failure) {
    int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && vanished(errno))
        return 0;
    AUTO_CLOSEDIR DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    if (directory != NULL)
        return visit_entries(walk, directory, failure);
    fail_errno(failure, EXIT_REFUSED,
               "can't list %s, which is in the file clone set: its process's user must be able to, "
               "or choose roots without it",
               walk->path);
    close_fd(fd);
    return -1;
}

// Returns 0 if it is not there (any more), 1 if it was.
static int visit_entry(struct walk *walk, int dir_fd, const char *name, struct failure *failure) {
    struct encounter here = {
        .root = walk->root, .dir_fd = dir_fd, .name = name, .path = walk->path};
    if (fstatat(dir_fd, name, &here.status, AT_SYMLINK_NOFOLLOW) < 0)
        return vanished(errno) ? 0
                               : fail_errno(failure, EXIT_REFUSED, "can't look at %s", walk->path);
    if (walk->visit(walk->context, &here, failure) < 0 ||
        (S_ISDIR(here.status.st_mode) && descend(walk, dir_fd, name, failure) < 0))
        return -1;
    return 1;
}

static int open_exactly(const char *path, int flags) {
    return open_resolving(AT_FDCWD, path, flags, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

int walk_root(const struct root *root, walk_visit *visit, void *context, struct failure *failure) {
    AUTO_CLOSE int parent_fd = open_exactly(root->parent, O_PATH | O_DIRECTORY);
    if (parent_fd < 0)
        return vanished(errno) ? 0
                               : fail_errno(failure, EXIT_REFUSED, "can't open %s", root->parent);
    struct walk walk = {
        .root = root, .visit = visit, .context = context, .length = strlen(root->path)};
    strcpy(walk.path, root->path);
    return visit_entry(&walk, parent_fd, root->name, failure);
}

int link_read(const struct encounter *here, char **text, struct failure *failure) {
    char target[PATH_MAX];
    *text = NULL;
    ssize_t length = readlinkat(here->dir_fd, here->name, target, sizeof target);
    if (length < 0)
        return 0;
    if ((size_t)length == sizeof target)
        return fail(failure, EXIT_REFUSED, "the link %s is too long", here->path);
    target[length] = '\0';
    *text = must_copy(target);
    return 0;
}

int member_open(const struct member *member, struct stat *status) {
    const struct root *root = member->root;
    const char *below = member->path + strlen(root->path);
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s%s", root->parent, root->name, below);
    // O_NONBLOCK: should it have become a FIFO, don't wait for its writer.
    int fd = open_exactly(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        if (vanished(errno))
            errno = ENOENT;
        return -1;
    }
    if (fstat(fd, status) == 0 && S_ISREG(status->st_mode) &&
        status->st_dev == member->content->device && status->st_ino == member->content->inode)
        return fd;
    close(fd);
    errno = ENOENT;
    return -1;
}

int member_unreadable(const char *path, struct failure *failure) {
    return fail_errno(failure, EXIT_REFUSED,
                      "can't read %s, which is in the file clone set (its process's user must be "
                      "able to, or choose roots without it)",
                      path);
}
