// SPDX-License-Identifier: Apache-2.0
// Storing what was received. Files, and root's directories, are ours alone until they are complete:
// the modes they are to have come last.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "path_maps.h"
#include "receiver_internal.h"
#include "scope.h"

#define KEEP_FREE_FILES 1000

int receiver_store_failed(const char *path, struct failure *failure) {
    bool space = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    return fail_errno(failure, space ? EXIT_SPACE : EXIT_TRANSFER, "can't store the received %s",
                      path);
}

// --- room ---

int receiver_check_room(const struct receiver *receiver, const char *path, int fd, uint64_t bytes,
                        struct failure *failure) {
    struct statvfs disk;
    uint64_t wanted = receiver->plan.keep_free;
    if (wanted == 0)
        return 0;
    if (fstatvfs(fd, &disk) < 0)
        return receiver_store_failed(path, failure);
    uint64_t left = (uint64_t)disk.f_bavail * disk.f_frsize;
    // Some file systems don't count files.
    bool has_names = disk.f_files == 0 || disk.f_favail >= KEEP_FREE_FILES;
    if (has_names && left >= wanted && left - wanted >= bytes)
        return 0;
    return fail(failure, EXIT_SPACE,
                "%s needs %" PRIu64 " bytes, and of the %" PRIu64 " MiB that are left on its disk "
                "%" PRIu64 " are to stay free: free some, or change --keep-free",
                path, bytes, left >> 20, wanted >> 20);
}

// --- where ---

// Is the directory that the path is in one that we store, at the corresponding place?
static bool has_stored_parent(const struct receiver *receiver, const char *path) {
    const char *rest;
    bool maps_source = path_maps_find(receiver->plan.maps, path, &rest) != NULL && rest[0] == '\0';
    return !maps_source && receiver_parent(receiver, path) != NULL;
}

// Finds the spot for something new. *made: the directory there is ours, and on the keeper's list
// with all that will be in it.
static int find_spot(struct receiver *receiver, const char *path, struct spot *spot, bool *made,
                     struct failure *failure) {
    bool stored = has_stored_parent(receiver, path);
    *made = stored && receiver_parent(receiver, path)->made;
    if (!stored)
        return store_make(receiver->store, path, spot, failure);
    return store_find(receiver->store, path, spot, failure);
}

static int put_on_keepers_list(struct receiver *receiver, const char *path, bool directory,
                               struct failure *failure) {
    AUTO_FREE char *local = store_path(receiver->store, path, failure);
    if (local == NULL)
        return -1;
    return directory ? keeper_remove_tree(receiver->keeper, local, failure)
                     : keeper_remove_file(receiver->keeper, local, failure);
}

struct record *receiver_prepare(struct receiver *receiver, const CloneWire__FileFacts *facts,
                                struct spot *spot, bool *there, struct failure *failure) {
    bool made;
    struct stat status;
    if (find_spot(receiver, facts->path, spot, &made, failure) < 0)
        return NULL;
    uint64_t bytes = S_ISREG(facts->mode) && facts->link_target == NULL ? facts->size : 0;
    if (receiver_check_room(receiver, facts->path, spot->dir_fd, bytes, failure) < 0)
        return NULL;
    bool taken = fstatat(spot->dir_fd, spot->name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    *there = taken && S_ISDIR(facts->mode) && S_ISDIR(status.st_mode);
    if (taken && !*there)
        return NULL_WITH(fail(
            failure, EXIT_REFUSED,
            "there is something already where the received %s is to be: give an empty place with "
            "--map, or another --dir",
            facts->path));
    struct record *record = receiver_add(receiver, facts->path, failure);
    if (record == NULL)
        return NULL;
    record->gone = true; // until it is there
    if (!taken && !made) {
        record->keeper_id =
            put_on_keepers_list(receiver, facts->path, S_ISDIR(facts->mode), failure);
        if (record->keeper_id < 0)
            return NULL;
    }
    return record;
}

int receiver_not_made(const struct receiver *receiver, const struct record *record,
                      struct failure *failure) {
    int number = errno;
    if (number == EEXIST && record->keeper_id > 0 &&
        keeper_forget(receiver->keeper, record->keeper_id, failure) < 0)
        return -1;
    errno = number;
    return receiver_store_failed(record->path, failure);
}

struct stored_facts receiver_facts_of(const CloneWire__FileFacts *facts) {
    return (struct stored_facts){
        .mode = facts->mode, .uid = facts->uid, .gid = facts->gid, .mtime_ns = facts->mtime_ns};
}

int receiver_complete(struct record *record, const CloneWire__FileFacts *facts, bool made,
                      const struct spot *spot, struct failure *failure) {
    struct stat status;
    if (fstatat(spot->dir_fd, spot->name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return receiver_store_failed(facts->path, failure);
    record->facts = receiver_facts_of(facts);
    record->device = status.st_dev;
    record->inode = status.st_ino;
    record->made = made;
    record->gone = false;
    return 0;
}

// Owner (as root), mode (not of links) and time of something that isn't opened for it.
static int give_facts(const struct receiver *receiver, const CloneWire__FileFacts *facts,
                      const struct spot *spot, struct failure *failure) {
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, timespec_of_ns(facts->mtime_ns)};
    if ((receiver->root &&
         fchownat(spot->dir_fd, spot->name, facts->uid, facts->gid, AT_SYMLINK_NOFOLLOW) < 0) ||
        (!S_ISLNK(facts->mode) &&
         fchmodat(spot->dir_fd, spot->name, facts->mode & 07777, AT_SYMLINK_NOFOLLOW) < 0) ||
        utimensat(spot->dir_fd, spot->name, times, AT_SYMLINK_NOFOLLOW) < 0)
        return receiver_store_failed(facts->path, failure);
    return 0;
}

int record_open(struct receiver *receiver, const struct record *record, struct failure *failure) {
    struct spot spot;
    if (store_find(receiver->store, record->path, &spot, failure) < 0)
        return -1;
    int flags = S_ISDIR(record->facts.mode) ? O_RDONLY | O_DIRECTORY : O_PATH;
    int fd = openat(spot.dir_fd, spot.name, flags | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == record->device &&
        status.st_ino == record->inode)
        return fd;
    close_fd(fd);
    return fail(failure, EXIT_TRANSFER, "somebody replaced the received %s", record->path);
}

// --- all kinds but regular files ---

// One who isn't root may be in no position to give a directory its mode later: its group may come
// from the one above, whose set-group-ID bit it has inherited, and chmod(2) takes that bit from who
// isn't of the group. YARN's LinuxContainerExecutor makes containers' directories so, for the
// NodeManager to read what is another user's. (The umask is all threads', and none of them makes a
// file for more than its user meanwhile.)
static int make_directory(const struct receiver *receiver, const struct spot *spot, mode_t mode) {
    if (receiver->root)
        return mkdirat(spot->dir_fd, spot->name, 0700);
    mode_t mask = umask(0);
    int result = mkdirat(spot->dir_fd, spot->name, 0700 | (mode & 0777));
    umask(mask);
    return result;
}

int receiver_store_directory(struct receiver *receiver, const CloneWire__FileFacts *facts,
                             struct failure *failure) {
    struct spot spot;
    bool there;
    struct record *record = receiver_prepare(receiver, facts, &spot, &there, failure);
    if (record == NULL)
        return -1;
    if (!there && make_directory(receiver, &spot, facts->mode) < 0)
        return receiver_not_made(receiver, record, failure);
    return receiver_complete(record, facts, !there, &spot, failure);
}

int receiver_store_node(struct receiver *receiver, const CloneWire__FileFacts *facts,
                        struct failure *failure) {
    struct spot spot;
    bool there;
    struct record *record = receiver_prepare(receiver, facts, &spot, &there, failure);
    if (record == NULL)
        return -1;
    if ((S_ISLNK(facts->mode) ? symlinkat(facts->link_target, spot.dir_fd, spot.name)
                              : mkfifoat(spot.dir_fd, spot.name, 0600)) < 0)
        return receiver_not_made(receiver, record, failure);
    return give_facts(receiver, facts, &spot, failure) < 0
               ? -1
               : receiver_complete(record, facts, true, &spot, failure);
}

// linkat(2) by a descriptor's link in /proc: what is linked is the file that we stored, whatever
// has become of its name.
static int link_descriptor(int fd, const struct spot *spot) {
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, name, spot->dir_fd, spot->name, AT_SYMLINK_FOLLOW);
}

int receiver_store_hard_link(struct receiver *receiver, const CloneWire__FileFacts *facts,
                             struct failure *failure) {
    const struct record *first = receiver_find(receiver, facts->link_target);
    if (first == NULL || !S_ISREG(first->facts.mode))
        return fail(failure, EXIT_TRANSFER, "the peer links %s to a file that it didn't send",
                    facts->path);
    AUTO_CLOSE int fd = record_open(receiver, first, failure);
    if (fd < 0)
        return -1;
    struct spot spot;
    bool there;
    struct record *record = receiver_prepare(receiver, facts, &spot, &there, failure);
    return record == NULL ? -1
           : link_descriptor(fd, &spot) < 0
               ? receiver_not_made(receiver, record, failure)
               : receiver_complete(record, facts, true, &spot, failure);
}

static int rename_to(struct receiver *receiver, const struct spot *from, const char *new_path,
                     struct failure *failure) {
    struct spot to;
    if (store_find(receiver->store, new_path, &to, failure) < 0)
        return -1;
    int entry = put_on_keepers_list(receiver, new_path, false, failure);
    if (entry < 0)
        return -1;
    if (renameat2(from->dir_fd, from->name, to.dir_fd, to.name, RENAME_NOREPLACE) == 0)
        return 0;
    int number = errno;
    if (number == EEXIST && keeper_forget(receiver->keeper, entry, failure) < 0)
        return -1;
    errno = number;
    return fail_errno(failure, EXIT_REFUSED, "--rename: can't make the received file %s", new_path);
}

int receiver_rename(struct receiver *receiver, const char *old_path, const char *new_path,
                    struct failure *failure) {
    const struct record *record = receiver_find(receiver, old_path);
    if (record == NULL || S_ISDIR(record->facts.mode))
        return fail(failure, EXIT_REFUSED, "--rename: %s is none of the received files", old_path);
    AUTO_CLOSE int fd = record_open(receiver, record, failure); // is it still ours?
    struct spot from;
    if (fd < 0 || store_find(receiver->store, old_path, &from, failure) < 0)
        return -1;
    AUTO_CLOSE int dir_fd = fcntl(from.dir_fd, F_DUPFD_CLOEXEC, 0);
    from.dir_fd = dir_fd;
    return dir_fd < 0 ? receiver_store_failed(old_path, failure)
                      : rename_to(receiver, &from, new_path, failure);
}

int receiver_clear(struct receiver *receiver, struct record *record, struct failure *failure) {
    struct spot spot;
    bool directory = S_ISDIR(record->facts.mode);
    if (record->made) {
        if (store_find(receiver->store, record->path, &spot, failure) < 0)
            return -1;
        if (unlinkat(spot.dir_fd, spot.name, directory ? AT_REMOVEDIR : 0) < 0)
            return receiver_store_failed(record->path, failure);
        if (directory)
            store_forget(receiver->store);
    }
    record->gone = true;
    return record->keeper_id > 0 ? keeper_forget(receiver->keeper, record->keeper_id, failure) : 0;
}
