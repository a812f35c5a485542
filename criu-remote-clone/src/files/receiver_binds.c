// SPDX-License-Identifier: Apache-2.0
// What has to be bound over what in the clone's mount namespace, so that it finds the received
// files at the source's paths.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "receiver_internal.h"

#include "memory.h"
#include "path_maps.h"
#include "scope.h"

static int compare_binds(const void *left, const void *right) {
    return path_compare(((const struct bind *)left)->source, ((const struct bind *)right)->source);
}

static int add_bind(struct receiver *receiver, const char *source, const char *local,
                    const struct stat *status, struct failure *failure) {
    struct bind *bind = &receiver->binds[receiver->bind_count++];
    *bind = (struct bind){.source = strdup(source),
                          .target = strdup(local),
                          .device = status->st_dev,
                          .inode = status->st_ino};
    return bind->source != NULL && bind->target != NULL ? 0 : out_of_memory(failure);
}

// What isn't there is not bound.
static int add_place(struct receiver *receiver, const char *source, const char *local,
                     struct failure *failure) {
    struct spot spot;
    struct stat status;
    if (lstat(local, &status) < 0)
        return 0;
    if (store_find(receiver->store, source, &spot, failure) < 0)
        return -1;
    if (fstatat(spot.dir_fd, spot.name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return receiver_store_failed(source, failure);
    if (S_ISLNK(status.st_mode))
        return fail(failure, EXIT_REFUSED, "%s, to be bound over %s, has become a symbolic link",
                    local, source);
    return add_bind(receiver, source, local, &status, failure);
}

// Every map is a candidate, with what was stored or found there.
static int collect_maps(struct receiver *receiver, struct failure *failure) {
    const struct path_maps *maps = receiver->plan.maps;
    for (size_t i = 0; i < maps->count; i++) {
        AUTO_FREE char *local = store_map_target(receiver->store, i);
        if (local == NULL)
            return out_of_memory(failure);
        if (add_place(receiver, maps->maps[i].source, local, failure) < 0)
            return -1;
    }
    return 0;
}

// And every root and extra file that was received and isn't mapped.
static int collect_tops(struct receiver *receiver, struct failure *failure) {
    for (size_t i = 0; i < receiver->top_count; i++) {
        const char *top = receiver->tops[i];
        const struct record *record = receiver_find(receiver, top);
        if (record == NULL || path_maps_find(receiver->plan.maps, top, NULL) != NULL)
            continue;
        const struct stat stored = {.st_dev = record->device, .st_ino = record->inode};
        AUTO_FREE char *local = store_path(receiver->store, top, failure);
        if (local == NULL || add_bind(receiver, top, local, &stored, failure) < 0)
            return -1;
    }
    return 0;
}

static int collect_binds(struct receiver *receiver, struct failure *failure) {
    receiver->binds =
        calloc(receiver->plan.maps->count + receiver->top_count + 1, sizeof(struct bind));
    if (receiver->binds == NULL)
        return out_of_memory(failure);
    if (collect_maps(receiver, failure) < 0 || collect_tops(receiver, failure) < 0)
        return -1;
    qsort(receiver->binds, receiver->bind_count, sizeof(struct bind), compare_binds);
    return 0;
}

// Does the bind lead a path of the source to where `local` is?
static bool leads_to(const struct bind *bind, const char *source, const char *local) {
    const char *rest = path_rest(bind->source, source);
    const char *local_rest = path_rest(bind->target, local);
    return rest != NULL && local_rest != NULL && strcmp(rest, local_rest) == 0;
}

static int open_below(int dir_fd, const char *path, int flags) {
    return open_resolving(dir_fd, path, flags | O_PATH,
                          RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

// Makes the mount point `path` below the directory; `local` is its absolute path, `target` what
// will be bound over it.
static int make_mount_point(struct receiver *receiver, int dir_fd, char *path, const char *local,
                            const char *target, struct failure *failure) {
    struct stat status;
    if (stat(target, &status) < 0)
        return receiver_store_failed(target, failure);
    bool directory = S_ISDIR(status.st_mode);
    int entry = directory ? keeper_remove_directory_if_empty(receiver->keeper, local, failure)
                          : keeper_remove_file(receiver->keeper, local, failure);
    if (entry < 0)
        return -1;
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        *slash = '\0';
    AUTO_CLOSE int parent_fd = open_below(dir_fd, slash == NULL ? "." : path, O_DIRECTORY);
    const char *name = slash == NULL ? path : slash + 1;
    if (make_empty(parent_fd, name, directory, directory ? 0700 : 0600) == 0)
        return 0;
    bool anothers = errno == EEXIST;
    fail_errno(failure, EXIT_REFUSED, "can't make %s, over which --map's %s is to be bound", local,
               target);
    struct failure ignored;
    if (anothers)
        keeper_forget(receiver->keeper, entry, &ignored);
    return -1;
}

static int check_mount_point(int fd, const char *local, const char *target,
                             struct failure *failure) {
    struct stat status;
    return fstat(fd, &status) == 0 && !S_ISLNK(status.st_mode)
               ? 0
               : fail(failure, EXIT_REFUSED,
                      "%s, over which --map's %s is to be bound, is a symbolic link", local,
                      target);
}

// A bind inside another needs its mount point in the other's copy, and no symbolic link that a
// peer sent may lead to it.
static int provide_mount_point(struct receiver *receiver, const struct bind *outer,
                               const struct bind *inner, struct failure *failure) {
    const char *rest = path_rest(outer->source, inner->source);
    AUTO_FREE char *local = path_joined(outer->target, rest);
    AUTO_FREE char *path = strdup(rest + 1);
    AUTO_CLOSE int dir_fd = bind_open(outer);
    AUTO_CLOSE int fd = dir_fd < 0 || path == NULL ? -1 : open_below(dir_fd, path, O_NOFOLLOW);
    if (local == NULL || path == NULL)
        return out_of_memory(failure);
    if (fd >= 0)
        return check_mount_point(fd, local, inner->target, failure);
    if (errno == ENOENT)
        return make_mount_point(receiver, dir_fd, path, local, inner->target, failure);
    return fail_errno(failure, EXIT_REFUSED, "nothing can be bound over %s", local);
}

// Leaves out the binds that another one makes needless, and provides the others' mount points. A
// path that stays what it is is bound onto itself: what the clone may open is judged by the binds.
// They are sorted, so the innermost one around a bind is the one before it, or one around that.
static int settle_binds(struct receiver *receiver, struct failure *failure) {
    struct bind *binds = receiver->binds;
    AUTO_FREE size_t *around = allocate((receiver->bind_count + 1) * sizeof *around, failure);
    if (around == NULL) // of indexes + 1; 0: none
        return -1;
    size_t kept = 0;
    int result = 0;
    for (size_t i = 0; i < receiver->bind_count; i++) {
        size_t outer = kept;
        while (outer > 0 && path_rest(binds[outer - 1].source, binds[i].source) == NULL)
            outer = around[outer - 1];
        bool superfluous =
            outer > 0 && leads_to(&binds[outer - 1], binds[i].source, binds[i].target);
        if (!superfluous && outer > 0 && result == 0)
            result = provide_mount_point(receiver, &binds[outer - 1], &binds[i], failure);
        if (superfluous) {
            bind_free(&binds[i]);
        } else {
            around[kept] = outer;
            binds[kept++] = binds[i];
        }
    }
    receiver->bind_count = kept;
    return result;
}

int receiver_list_binds(struct receiver *receiver, struct failure *failure) {
    return collect_binds(receiver, failure) < 0 ? -1 : settle_binds(receiver, failure);
}

size_t receiver_binds(const struct receiver *receiver, const struct bind **binds) {
    *binds = receiver->binds;
    return receiver->bind_count;
}

void bind_free(const struct bind *bind) {
    free(bind->source);
    free(bind->target);
}

int bind_open(const struct bind *bind) {
    struct stat status;
    int copy = open(bind->target, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (copy < 0 || (fstat(copy, &status) == 0 && status.st_dev == bind->device &&
                     status.st_ino == bind->inode))
        return copy;
    close(copy);
    errno = ESTALE;
    return -1;
}
