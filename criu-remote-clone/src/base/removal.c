// SPDX-License-Identifier: Apache-2.0
// Removal by descriptors: every directory is opened below its parent with openat2(2), which refuses
// symbolic links and mount points (bind mounts of the same file system, too, which st_dev would not
// tell).
#include "removal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "scope.h"

// Directories deeper than this are first moved up to the tree's root, so that no tree is too deep
// for our descriptors and stack.
#define DEPTH_MAX 64
// Somebody may go on writing into the tree: then we give up in the end.
#define PASSES_MAX 1000

static int open_directory(int parent_fd, const char *name, int flags, uint64_t resolve) {
    return open_resolving(parent_fd, name, flags | O_DIRECTORY | O_NOFOLLOW,
                          resolve | RESOLVE_NO_SYMLINKS);
}

static bool all_names(const char *path) {
    for (size_t length; *path != '\0'; path += length + (path[length] == '/'))
        if ((length = strcspn(path, "/")) == 0 || path_is_dots(path, length))
            return false;
    return true;
}

// A copy without doubled and trailing slashes.
static char *tidy_copy(const char *path) {
    char *copy = strdup(path);
    if (copy == NULL)
        return NULL;
    size_t used = 0;
    for (size_t i = 0; path[i] != '\0'; i++)
        if (path[i] != '/' || (path[i + 1] != '/' && path[i + 1] != '\0') || i == 0)
            copy[used++] = path[i];
    copy[used] = '\0';
    return copy;
}

static char *component_start(char *path, char *end) {
    while (end > path && end[-1] != '/')
        end--;
    return end;
}

// realpath() of the deepest directory that exists above the last component; *tail becomes what
// follows it.
static char *existing_parent(char *path, char **tail) {
    *tail = component_start(path, path + strlen(path));
    while (*tail > path) {
        char *slash = *tail - 1;
        *slash = '\0';
        char *parent = realpath(slash == path ? "/" : path, NULL);
        int number = errno;
        *slash = '/';
        errno = number;
        if (parent != NULL || errno != ENOENT || slash == path)
            return parent;
        *tail = component_start(path, slash);
    }
    return realpath(".", NULL);
}

char *removal_path(const char *path, struct failure *failure) {
    AUTO_FREE char *copy = tidy_copy(path);
    char *tail = NULL;
    AUTO_FREE char *parent = copy != NULL ? existing_parent(copy, &tail) : NULL;
    char *result = NULL;
    if (parent == NULL)
        fail_errno(failure, EXIT_UNABLE, "cannot look at the directories above %s", path);
    else if (*tail == '\0' || !all_names(tail))
        fail(failure, EXIT_INTERNAL, "'%s' does not name a thing that could be removed", path);
    else if (asprintf(&result, "%s/%s", strcmp(parent, "/") == 0 ? "" : parent, tail) < 0) {
        result = NULL; // asprintf leaves it undefined
        fail(failure, EXIT_SPACE, "out of memory for the path %s", path);
    }
    return result;
}

// Opens the directory that holds `path`; *name becomes the last component. -1 and errno.
static int open_parent(const char *path, const char **name) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash - path >= PATH_MAX) {
        errno = slash == NULL ? EINVAL : ENAMETOOLONG;
        return -1;
    }
    *name = slash + 1;
    char parent[PATH_MAX];
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    memcpy(parent, path, length);
    parent[length] = '\0';
    return open_directory(AT_FDCWD, parent, O_PATH, 0);
}

static int unlink_path(const char *path, int flags) {
    const char *name;
    AUTO_CLOSE int parent_fd = open_parent(path, &name);
    if (parent_fd < 0)
        return -1;
    return unlinkat(parent_fd, name, flags);
}

int removal_of_file(const char *path, struct failure *failure) {
    if (unlink_path(path, 0) < 0 && errno != ENOENT)
        return fail_errno(failure, EXIT_UNABLE, "cannot remove the file %s", path);
    return 0;
}

int removal_of_empty_directory(const char *path, struct failure *failure) {
    if (unlink_path(path, AT_REMOVEDIR) < 0 && errno != ENOENT && errno != ENOTEMPTY &&
        errno != EEXIST)
        return fail_errno(failure, EXIT_UNABLE, "cannot remove the directory %s", path);
    return 0;
}

static bool is_same(int fd, int parent_fd, const char *name) {
    struct stat ours, there;
    return fstat(fd, &ours) == 0 && fstatat(parent_fd, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

int removal_of_shared(const char *path, int fd, struct failure *failure) {
    const char *name;
    struct stat status;
    // Of several that end at once, one gets it: each gives its shared lock up first.
    if (flock(fd, LOCK_EX | LOCK_NB) < 0)
        return errno == EWOULDBLOCK ? 0 : fail_errno(failure, EXIT_UNABLE, "cannot lock %s", path);
    AUTO_CLOSE int parent_fd = open_parent(path, &name);
    if (parent_fd < 0 || !is_same(fd, parent_fd, name))
        return 0;
    bool directory = fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
    return directory ? removal_of_empty_directory(path, failure) : removal_of_file(path, failure);
}

struct tree {
    int root_fd;
    unsigned moved; // directories moved up to the root so far
    // The first thing that could not be removed, and why: one line is enough for the user.
    int number;
    char name[NAME_MAX + 1];
};

static void note_failure(struct tree *tree, const char *name) {
    if (tree->number != 0 || errno == ENOENT)
        return;
    tree->number = errno;
    snprintf(tree->name, sizeof tree->name, "%s", name);
}

// Opens a directory to empty it. Its owner may have taken even the right to look into it away: the
// mode is changed through a descriptor that can't be swapped for something else.
static DIR *open_to_empty(int parent_fd, const char *name) {
    int path_fd = open_directory(parent_fd, name, O_PATH, RESOLVE_NO_XDEV | RESOLVE_BENEATH);
    if (path_fd < 0)
        return NULL;
    struct stat status;
    if (fstat(path_fd, &status) == 0 && (status.st_mode & S_IRWXU) != S_IRWXU) {
        char link[32];
        snprintf(link, sizeof link, "/proc/self/fd/%d", path_fd);
        chmod(link, S_IRWXU); // if it fails, so does what follows, which is reported
    }
    int fd = openat(path_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int number = errno;
    close(path_fd);
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    if (directory == NULL && fd >= 0) {
        number = errno;
        close(fd);
    }
    errno = number;
    return directory;
}

static bool move_to_root(struct tree *tree, int parent_fd, const char *name) {
    char moved[32];
    int result;
    do {
        snprintf(moved, sizeof moved, ".removing-%u", tree->moved++);
        result = renameat2(parent_fd, name, tree->root_fd, moved, RENAME_NOREPLACE);
    } while (result < 0 && errno == EEXIST);
    if (result < 0)
        note_failure(tree, name);
    return result == 0;
}

static bool empty_directory(struct tree *tree, DIR *directory, unsigned depth);

// True if something was removed or moved.
static bool remove_directory(struct tree *tree, int parent_fd, const char *name, unsigned depth) {
    DIR *directory = open_to_empty(parent_fd, name);
    if (directory == NULL) {
        note_failure(tree, name);
        return false;
    }
    bool progress = depth == DEPTH_MAX ? move_to_root(tree, parent_fd, name)
                                       : empty_directory(tree, directory, depth + 1);
    closedir(directory);
    if (unlinkat(parent_fd, name, AT_REMOVEDIR) == 0)
        return true;
    note_failure(tree, name);
    return progress;
}

static bool remove_entry(struct tree *tree, int parent_fd, const char *name, unsigned depth) {
    if (unlinkat(parent_fd, name, 0) == 0)
        return true;
    if (errno == EISDIR)
        return remove_directory(tree, parent_fd, name, depth);
    note_failure(tree, name);
    return false;
}

// One pass over a directory. True if something was removed or moved.
static bool empty_directory(struct tree *tree, DIR *directory, unsigned depth) {
    bool progress = false;
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL)
        if (!path_is_dots(entry->d_name, strlen(entry->d_name)) &&
            remove_entry(tree, dirfd(directory), entry->d_name, depth))
            progress = true;
    return progress;
}

// Empties the directory `name`: passes until nothing moves any more, since deep directories are
// moved into it, and entries that come while we remove may be missed.
static int empty_tree(int parent_fd, const char *name, struct tree *tree) {
    AUTO_CLOSEDIR DIR *directory = open_to_empty(parent_fd, name);
    if (directory == NULL)
        return -1;
    tree->root_fd = dirfd(directory);
    bool progress = true;
    for (int pass = 0; progress && pass < PASSES_MAX; pass++) {
        tree->number = 0;
        rewinddir(directory);
        progress = empty_directory(tree, directory, 0);
    }
    return 0;
}

int removal_of_tree(const char *path, struct failure *failure) {
    if (unlink_path(path, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR)
        return fail_errno(failure, EXIT_UNABLE, "cannot remove %s", path);
    const char *name;
    int parent_fd = open_parent(path, &name);
    struct tree tree = {.number = 0};
    bool removed = parent_fd >= 0 && empty_tree(parent_fd, name, &tree) == 0 &&
                   unlinkat(parent_fd, name, AT_REMOVEDIR) == 0;
    int number = tree.number != 0 ? tree.number : errno;
    close_fd(parent_fd);
    errno = number;
    if (removed || errno == ENOENT)
        return 0;
    return fail_errno(failure, EXIT_UNABLE, "cannot remove %s%s%s", path,
                      tree.number != 0 ? ", because of " : "", tree.name);
}
