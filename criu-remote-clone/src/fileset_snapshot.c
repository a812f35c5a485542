// Fixing the state of the file clone set while the process is frozen, in as little time as can be.
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fileset_internal.h"

// A reflink costs a file of its own and the writing out of what is dirty (the kernel's
// generic_remap_file_range_prep()): below this, copying in memory is quicker.
#define REFLINK_MIN (8u << 20)
// Up to this size a copy costs about as much as an open descriptor, and unlike that it stays right
// if the process writes to the file again right after the freeze.
#define COPY_MAX (64u << 10)

static bool has_id(const struct stat *status, const struct content *content) {
    return status->st_dev == content->device && status->st_ino == content->inode;
}

// --- before the freeze ---

// A file without a name, gone with its descriptor whatever happens to us.
static int open_unnamed(int dir_fd, const char *directory) {
    return openat(dir_fd, directory, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
}

static int make_reflink(const struct encounter *here, int fd) {
    int copy = open_unnamed(here->dir_fd, ".");
    if (copy >= 0 && ioctl(copy, FICLONE, fd) < 0) {
        close(copy);
        copy = -1;
    }
    return copy;
}

// A first reflink, thrown away: it tells whether the file system can, and writes out the dirty
// pages, so that the one in the freeze finds few.
static int try_reflink(void *context, const struct encounter *here, struct failure *failure) {
    struct fileset *set = context;
    const struct stat *status = &here->status;
    if (!S_ISREG(status->st_mode) || status->st_size < REFLINK_MIN ||
        !writers_have(&set->writers, status->st_dev, status->st_ino))
        return 0;
    struct content *content = content_of(set, status, failure);
    if (content == NULL)
        return -1;
    int fd = openat(here->dir_fd, here->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return 0;
    int copy = make_reflink(here, fd);
    content->reflinks = copy >= 0;
    if (copy >= 0)
        close(copy);
    close(fd);
    return 0;
}

// The scratch file lies with the files, where its pages can be written out if memory is short; if
// that file system has no unnamed files (NFS), in memory.
static int open_scratch(struct fileset *set, struct failure *failure) {
    for (size_t i = 0; i < set->given_roots && set->scratch_fd < 0; i++) {
        const struct root *root = set->roots[i];
        set->scratch_fd = open_unnamed(AT_FDCWD, root->path);
        if (set->scratch_fd < 0)
            set->scratch_fd = open_unnamed(AT_FDCWD, root->parent);
    }
    if (set->scratch_fd < 0)
        set->scratch_fd = memfd_create("file clone set", MFD_CLOEXEC);
    if (set->scratch_fd < 0)
        return fail_errno(failure, EXIT_SPACE, "can't make a file for the copies of open files");
    return 0;
}

int fileset_prepare(struct fileset *set, struct failure *failure) {
    struct rlimit files;
    // Half of what we may open; the rest is for CRIU's pipes and everything else.
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        set->held_max = files.rlim_cur / 2;
    if (open_scratch(set, failure) < 0 || writers_find(&set->writers, set->process, failure) < 0)
        return -1;
    for (size_t i = 0; i < set->root_count; i++)
        if (walk_root(set->roots[i], try_reflink, set, failure) < 0)
            return -1;
    return 0;
}

// --- in the freeze ---

static int read_failed(struct failure *failure) {
    return fail_errno(failure, EXIT_TRANSFER, "can't read a file of the file clone set");
}

// Returns 1 if the file is shorter than `length`.
static int hash_beginning(struct fileset *set, int fd, uint64_t length, XXH3_state_t *hash,
                          struct failure *failure) {
    for (uint64_t at = 0; at < length;) {
        size_t wanted = length - at < FILESET_BUFFER ? (size_t)(length - at) : FILESET_BUFFER;
        ssize_t got = pread(fd, set->buffer, wanted, (off_t)at);
        if (got < 0)
            return read_failed(failure);
        if (got == 0)
            return 1;
        XXH3_64bits_update(hash, set->buffer, (size_t)got);
        at += (uint64_t)got;
    }
    return 0;
}

int content_compare(struct fileset *set, struct content *content, int fd, uint64_t size,
                    struct failure *failure) {
    content->continues = false;
    content->from = 0;
    if (content->sent_as == NULL || content->sent_bytes > size)
        return 0;
    if (content->hash == NULL && (content->hash = XXH3_createState()) == NULL)
        return out_of_memory(failure);
    XXH3_64bits_reset(content->hash);
    int shorter = hash_beginning(set, fd, content->sent_bytes, content->hash, failure);
    if (shorter < 0)
        return -1;
    content->continues = shorter == 0 && XXH3_64bits_digest(content->hash) == content->sent_hash;
    content->from = content->continues ? content->sent_bytes : 0;
    return 0;
}

static int write_scratch(struct fileset *set, size_t length, struct failure *failure) {
    for (size_t done = 0; done < length;) {
        ssize_t wrote = pwrite(set->scratch_fd, (char *)set->buffer + done, length - done,
                               (off_t)set->scratch_used);
        if (wrote < 0)
            return fail_errno(failure, EXIT_SPACE,
                              "no room for the copies of files open for writing");
        done += (size_t)wrote;
        set->scratch_used += (uint64_t)wrote;
    }
    return 0;
}

// `in_place`: the target has what was sent of it at this path. Elsewhere it may be replaced before
// it can be linked here, so then the copy is of the whole.
static int copy(struct fileset *set, struct content *content, int fd, bool in_place,
                struct failure *failure) {
    uint64_t size = content->frozen_stamp.size;
    if (in_place && content_compare(set, content, fd, size, failure) < 0)
        return -1;
    content->frozen = FROZEN_COPIED;
    content->scratch_at = set->scratch_used;
    for (uint64_t at = content->from; at < size;) {
        size_t wanted = size - at < FILESET_BUFFER ? (size_t)(size - at) : FILESET_BUFFER;
        ssize_t got = pread(fd, set->buffer, wanted, (off_t)at);
        if (got < 0)
            return read_failed(failure);
        if (got == 0) { // some other process has just cut it
            content->frozen_stamp.size = at;
            break;
        }
        if (write_scratch(set, (size_t)got, failure) < 0)
            return -1;
        at += (uint64_t)got;
    }
    set->statistics.copied_files += set->scratch_used > content->scratch_at;
    set->statistics.copied_bytes += set->scratch_used - content->scratch_at;
    return 0;
}

static void hold(struct content *content, enum frozen_as how, int fd) {
    content->frozen = how;
    content->fd = fd;
}

// Fixes the state of the open file; takes `fd` over.
static int freeze_open(struct fileset *set, struct content *content, const struct encounter *here,
                       int fd, bool in_place, struct failure *failure) {
    uint64_t size = content->frozen_stamp.size;
    int reflink = content->open_for_writing && content->reflinks ? make_reflink(here, fd) : -1;
    if (reflink >= 0) {
        hold(content, FROZEN_REFLINK, reflink);
        set->statistics.copied_files++;
    } else if (!content->open_for_writing && size > COPY_MAX && set->held < set->held_max) {
        hold(content, FROZEN_HELD, fd);
        set->held++;
        set->statistics.linked_files++;
        return 0;
    } else if (copy(set, content, fd, in_place, failure) < 0) {
        close(fd);
        return -1;
    }
    close(fd);
    return 0;
}

static bool is_as_sent(const struct content *content, const struct stat *status) {
    struct stamp now = stamp_of(status);
    const struct stamp *then = &content->sent_stamp;
    return !content->open_for_writing && content->sent_stamp_tells && now.size == then->size &&
           now.mtime_ns == then->mtime_ns && now.ctime_ns == then->ctime_ns;
}

// Returns 0 if the file is no longer there.
static int freeze_content(struct fileset *set, struct content *content,
                          const struct encounter *here, struct failure *failure) {
    if (content->frozen != FROZEN_NOT)
        return 1; // another link of it came first
    content->right = false;
    content->open_for_writing = writers_have(&set->writers, content->device, content->inode);
    const struct sent *sent = sent_find(set, here->path);
    bool in_place = sent_has_content(sent, content);
    if (in_place)
        content->sent_as = sent->path;
    if (in_place && is_as_sent(content, &here->status)) {
        content->frozen = FROZEN_AS_SENT;
        content->continues = true;
        content->from = content->frozen_stamp.size = content->sent_bytes;
        return 1;
    }
    int fd = openat(here->dir_fd, here->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : member_unreadable(here->path, failure);
    struct stat status;
    if (fstat(fd, &status) < 0 || !has_id(&status, content)) {
        close(fd);
        return fail(failure, EXIT_REFUSED, "another process replaced %s during the freeze",
                    here->path);
    }
    content->frozen_stamp = stamp_of(&status);
    return freeze_open(set, content, here, fd, in_place, failure) < 0 ? -1 : 1;
}

static int freeze(void *context, const struct encounter *here, struct failure *failure) {
    struct fileset *set = context;
    struct member *member;
    if (listing_add(set, here, &member, failure) < 0)
        return -1;
    if (member == NULL || member->content == NULL)
        return 0;
    int there = freeze_content(set, member->content, here, failure);
    if (there == 0)
        listing_drop_last(&set->listing);
    return there < 0 ? -1 : 0;
}

int fileset_snapshot(struct fileset *set, struct failure *failure) {
    if (writers_find(&set->writers, set->process, failure) < 0)
        return -1;
    listing_free(&set->listing);
    for (size_t i = 0; i < set->root_count; i++)
        if (walk_root(set->roots[i], freeze, set, failure) < 0)
            return -1;
    return 0;
}
