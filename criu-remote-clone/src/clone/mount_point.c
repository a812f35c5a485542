// SPDX-License-Identifier: Apache-2.0
// The way to a mount point is followed link by link, so that each can be judged; it is made and
// opened again without following any. What is made is told from what the host has by modes that
// nothing else has.
#include "mount_point.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "paths.h"
#include "scope.h"

#define LINKS_MAX 40 // the kernel's own limit (path_resolution(7))
// A user may give such modes, too: what they lose is an empty file or directory.
#define MADE_DIRECTORY (S_ISVTX | 0711)
#define MADE_FILE (S_ISVTX | 0400) // to be locked, it must be readable
#define LOOKS_MAX 1000
#define LOOK_AGAIN_US 1000

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

bool mount_point_is_made(mode_t mode, uint64_t size) {
    return mode == (S_IFDIR | MADE_DIRECTORY) || (mode == (S_IFREG | MADE_FILE) && size == 0);
}

// All at once, whatever the umask: a mode that is given later might be given to something else.
// (The umask is all threads', and none of them makes a file meanwhile.)
static int make_marked(int dir_fd, const char *name, bool directory) {
    mode_t mask = umask(0);
    int result = make_empty(dir_fd, name, directory, directory ? MADE_DIRECTORY : MADE_FILE);
    umask(mask);
    return result;
}

// One step of the way, and what is there.
struct step {
    int dir_fd;
    const char *name, *path; // so far
    bool directory;
    struct keeper *keeper;
    int fd;     // O_PATH
    int listed; // what we made is on the keeper's list; 0: nothing made
};

// What to do about a step: look at it again, or be through with it.
enum look { LOOK_FAILED = -1, LOOK_DONE, LOOK_AGAIN };

// What somebody has just made there is theirs.
static enum look make_listed(struct step *step, struct failure *failure) {
    if (step->listed == 0)
        step->listed = step->directory
                           ? keeper_remove_directory_if_empty(step->keeper, step->path, failure)
                           : keeper_remove_file(step->keeper, step->path, failure);
    if (step->listed < 0)
        return LOOK_FAILED;
    if (make_marked(step->dir_fd, step->name, step->directory) == 0)
        return LOOK_AGAIN;
    if (errno != EEXIST)
        return fail_errno(failure, EXIT_REFUSED, "pull may not make %s: make it there", step->path);
    int listed = TAKE(step->listed, 0);
    return keeper_forget(step->keeper, listed, failure) < 0 ? LOOK_FAILED : LOOK_AGAIN;
}

// Is it still what we have opened and locked?
static bool is_there(const struct step *step, const struct stat *opened) {
    struct stat status;
    return fstatat(step->dir_fd, step->name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           status.st_dev == opened->st_dev && status.st_ino == opened->st_ino;
}

// From here on it is there until we have ended, and as long as others count on it. Where it can't
// be locked (by its file system, say) it goes with the pull that made it.
static enum look share(struct step *step, struct failure *failure) {
    struct stat status;
    if (fstat(step->fd, &status) < 0)
        return fail_errno(failure, EXIT_REFUSED, "can't look at %s", step->path);
    if (!mount_point_is_made(status.st_mode, (uint64_t)status.st_size) ||
        status.st_uid != geteuid())
        return LOOK_DONE;
    char self[32];
    snprintf(self, sizeof self, "/proc/self/fd/%d", step->fd);
    AUTO_CLOSE int lock_fd = open(self, O_RDONLY | O_CLOEXEC);
    if (lock_fd < 0)
        return LOOK_DONE;
    if (flock(lock_fd, LOCK_SH | LOCK_NB) < 0) {
        if (errno != EWOULDBLOCK)
            return LOOK_DONE;
        usleep(LOOK_AGAIN_US); // it is being removed
        return LOOK_AGAIN;
    }
    if (!is_there(step, &status))
        return LOOK_AGAIN;
    if (keeper_remove_shared(step->keeper, step->path, TAKE(lock_fd, -1), failure) < 0)
        return LOOK_FAILED;
    return step->listed > 0 ? keeper_forget(step->keeper, step->listed, failure) : LOOK_DONE;
}

static enum look look(struct step *step, struct failure *failure) {
    close_fd(step->fd);
    step->fd = openat(step->dir_fd, step->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (step->fd >= 0)
        return share(step, failure);
    if (errno == ENOENT)
        return make_listed(step, failure);
    return fail_errno(failure, EXIT_REFUSED, "nothing can be bound over %s", step->path);
}

// Opens what the step leads to, or makes it. Takes the directory's descriptor over.
static int take_step(struct step *step, struct failure *failure) {
    enum look result = LOOK_AGAIN;
    for (int looks = 0; result == LOOK_AGAIN && looks < LOOKS_MAX; looks++)
        result = look(step, failure);
    close(step->dir_fd);
    if (result == LOOK_DONE)
        return step->fd;
    close_fd(step->fd);
    return result == LOOK_FAILED
               ? -1
               : fail(failure, EXIT_REFUSED, "%s comes and goes: nothing can be bound over it",
                      step->path);
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
        struct step step = {.dir_fd = fd,
                            .name = name,
                            .path = path,
                            .directory = slash != NULL || directory,
                            .keeper = keeper,
                            .fd = -1};
        fd = take_step(&step, failure);
        if (slash != NULL)
            *slash = '/';
        name = slash == NULL ? NULL : slash + 1;
    }
    close_fd(fd);
    return fd < 0 ? -1 : 0;
}
