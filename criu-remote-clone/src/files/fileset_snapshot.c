// SPDX-License-Identifier: Apache-2.0
// Fixing the state of the file clone set while the process is frozen, in as little time as can be.
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "deadline.h"
#include "fileset_internal.h"
#include "memory.h"
#include "scope.h"

// A reflink costs a file of its own and the writing out of what is dirty (the kernel's
// generic_remap_file_range_prep()): below this, copying in memory is quicker.
#define REFLINK_MIN (8u << 20)
// Copies go to memory up to this sum: writing to a disk's file system can stall behind its journal
// or its dirty pages, for tens of milliseconds when the early copies have just kept it busy.
#define MEMORY_MAX (32u << 20)
// Of a file open for writing, the beginning that was sent early is compared with what is there now:
// up to this size in the freeze, which takes 2 ms at most; of a larger file that has only grown so
// far, after it.
#define COMPARE_MAX (4u << 20)
// Up to this size a copy costs about as much as an open descriptor, and unlike that it stays right
// if the process writes to the file again right after the freeze.
#define COPY_MAX (64u << 10)

static int walk_roots(struct fileset *set, walk_visit *visit, struct failure *failure) {
    for (size_t i = 0; i < set->root_count; i++)
        if (walk_root(set->roots[i], visit, set, failure) < 0)
            return -1;
    return 0;
}

static int open_here(const struct encounter *here) {
    return openat(here->dir_fd, here->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

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
static bool try_reflink(const struct encounter *here, int fd) {
    AUTO_CLOSE int copy = make_reflink(here, fd);
    return copy >= 0;
}

static int get_open_file_ready(struct fileset *set, struct content *content, bool mapped,
                               const struct encounter *here, int fd, struct failure *failure) {
    uint64_t size = (uint64_t)here->status.st_size;
    content->reflinks = size >= REFLINK_MIN && try_reflink(here, fd);
    if (content->reflinks || mapped || content->sent_as == NULL ||
        content->sent_bytes <= COMPARE_MAX)
        return 0;
    if (content_compare(set, content, fd, size, here->path, failure) < 0)
        return -1;
    content->only_grew = content->continues;
    return 0;
}

static int get_ready(void *context, const struct encounter *here, struct failure *failure) {
    struct fileset *set = context;
    const struct stat *status = &here->status;
    const struct written_file *writable =
        writers_have(&set->writers, status->st_dev, status->st_ino);
    if (!S_ISREG(status->st_mode) || writable == NULL)
        return 0;
    struct content *content = content_of(set, status);
    AUTO_CLOSE int fd = open_here(here);
    if (fd < 0)
        return 0;
    return get_open_file_ready(set, content, writable->mapped, here, fd, failure);
}

static int open_scratches(struct fileset *set, struct failure *failure) {
    set->memory.fd = memfd_create("file clone set", MFD_CLOEXEC);
    if (set->memory.fd < 0)
        return fail_errno(failure, EXIT_SPACE, "can't make a file for the copies of open files");
    // Some file systems have no unnamed files (NFS): then all copies go to memory.
    for (size_t i = 0; i < set->given_roots && set->disk.fd < 0; i++) {
        set->disk.fd = open_unnamed(AT_FDCWD, set->roots[i]->path);
        if (set->disk.fd < 0)
            set->disk.fd = open_unnamed(AT_FDCWD, set->roots[i]->parent);
    }
    return 0;
}

int fileset_prepare(struct fileset *set, struct failure *failure) {
    struct rlimit files;
    // Half of what we may open; the rest is for CRIU's pipes and everything else.
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        set->held_max = files.rlim_cur / 2;
    AUTO_RIGHTS own = {0};
    if (writers_find(&set->writers, set->process, failure) < 0 ||
        rights_borrow(&set->reader, &own, failure) < 0)
        return -1;
    listing_free(&set->listing); // the snapshot makes its own
    return open_scratches(set, failure) < 0 ? -1 : walk_roots(set, get_ready, failure);
}

// --- in the freeze ---

// Nothing else could end a long copy while the process is frozen.
static int check_time(const struct fileset *set, struct failure *failure) {
    if (set->deadline_ns == 0)
        return 0;
    if (await_readable(set->cut_fd, 0))
        return fail(failure, EXIT_INTERRUPTED, "ended while the files were copied in the freeze");
    if (now_ns() < set->deadline_ns)
        return 0;
    return fail(failure, EXIT_DEADLINE,
                "copying the files that are open for writing took longer than the time limit: "
                "raise --time-limit, or use a file system with reflinks");
}

// Reads what follows byte `at` into the set's buffer, up to byte `end`. Returns how much there was.
static ssize_t read_on(const struct fileset *set, int fd, uint64_t at, uint64_t end,
                       const char *path, struct failure *failure) {
    if (check_time(set, failure) < 0)
        return -1;
    size_t wanted = end - at < FILESET_BUFFER ? (size_t)(end - at) : FILESET_BUFFER;
    ssize_t got = pread(fd, set->buffer, wanted, (off_t)at);
    return got >= 0
               ? got
               : fail_errno(failure, EXIT_TRANSFER, "can't read %s of the file clone set", path);
}

// Returns 1 if the file is shorter than `length`.
static int hash_beginning(struct fileset *set, int fd, uint64_t length, XXH3_state_t *hash,
                          const char *path, struct failure *failure) {
    for (uint64_t at = 0; at < length;) {
        ssize_t got = read_on(set, fd, at, length, path, failure);
        if (got <= 0)
            return got < 0 ? -1 : 1;
        XXH3_64bits_update(hash, set->buffer, (size_t)got);
        at += (uint64_t)got;
    }
    return 0;
}

int content_compare(struct fileset *set, struct content *content, int fd, uint64_t size,
                    const char *path, struct failure *failure) {
    content->continues = false;
    content->from = 0;
    if (content->sent_as == NULL || content->sent_bytes > size)
        return 0;
    content_reset_hash(content);
    int shorter = hash_beginning(set, fd, content->sent_bytes, content->hash, path, failure);
    if (shorter < 0)
        return -1;
    content->continues = shorter == 0 && XXH3_64bits_digest(content->hash) == content->sent_hash;
    content->from = content->continues ? content->sent_bytes : 0;
    return 0;
}

static int write_scratch(struct scratch *scratch, const uint8_t *bytes, size_t length,
                         struct failure *failure) {
    for (size_t done = 0; done < length;) {
        ssize_t wrote = pwrite(scratch->fd, bytes + done, length - done, (off_t)scratch->used);
        if (wrote < 0)
            return fail_errno(failure, EXIT_SPACE,
                              "no room for the copies of files open for writing");
        done += (size_t)wrote;
        scratch->used += (uint64_t)wrote;
    }
    return 0;
}

// Copies from byte content->from on.
static int copy_bytes(struct fileset *set, struct content *content, int fd, const char *path,
                      struct failure *failure) {
    uint64_t size = content->frozen_stamp.size;
    bool small = set->memory.used + (size - content->from) <= MEMORY_MAX;
    struct scratch *scratch = small || set->disk.fd < 0 ? &set->memory : &set->disk;
    content->scratch = scratch;
    content->scratch_at = scratch->used;
    for (uint64_t at = content->from; at < size;) {
        ssize_t got = read_on(set, fd, at, size, path, failure);
        if (got < 0)
            return -1;
        if (got == 0) { // some other process has just cut it
            content->frozen_stamp.size = at;
            break;
        }
        if (write_scratch(scratch, set->buffer, (size_t)got, failure) < 0)
            return -1;
        at += (uint64_t)got;
    }
    set->statistics.copied_files += scratch->used > content->scratch_at;
    set->statistics.copied_bytes += scratch->used - content->scratch_at;
    return 0;
}

// Copies what is new. `in_place`: the target has what was sent of it at this path; elsewhere it may
// be replaced before it can be linked here, so then the copy is of the whole. Returns 1 if the
// descriptor is kept for comparing the beginning later.
static int copy(struct fileset *set, struct content *content, const char *path, int fd,
                bool in_place, struct failure *failure) {
    uint64_t size = content->frozen_stamp.size;
    bool compare_later =
        in_place && content->only_grew && size >= content->sent_bytes && set->held < set->held_max;
    content->continues = compare_later;
    content->from = compare_later ? content->sent_bytes : 0;
    if ((in_place && !compare_later &&
         content_compare(set, content, fd, size, path, failure) < 0) ||
        copy_bytes(set, content, fd, path, failure) < 0)
        return -1;
    content->frozen = FROZEN_COPIED;
    if (!compare_later)
        return 0;
    content->fd = fd;
    set->held++;
    return 1;
}

static void hold(struct content *content, enum frozen_as how, int fd) {
    content->frozen = how;
    content->fd = fd;
}

// Fixes the state of the file. Returns 1 if `fd` is kept.
static int freeze_open(struct fileset *set, struct content *content, const struct encounter *here,
                       int fd, bool in_place, struct failure *failure) {
    bool reflinks = content->open_for_writing && content->reflinks;
    int reflink = reflinks ? make_reflink(here, fd) : -1;
    if (reflink >= 0) {
        hold(content, FROZEN_REFLINK, reflink);
        set->statistics.copied_files++;
        return 0;
    }
    if (!content->open_for_writing && content->frozen_stamp.size > COPY_MAX &&
        set->held < set->held_max) {
        hold(content, FROZEN_HELD, fd);
        set->held++;
        set->statistics.linked_files++;
        return 1;
    }
    return copy(set, content, here->path, fd, in_place, failure);
}

static bool is_as_sent(const struct content *content, const struct stat *status) {
    struct stamp now = stamp_of(status);
    return !content->open_for_writing && content->sent_stamp_tells &&
           same_stamp(&now, &content->sent_stamp);
}

// Does the target have what was sent of the content at this path? Mostly it is the path under which
// it was sent last.
static bool is_in_place(const struct fileset *set, struct content *content, const char *path) {
    if (content->sent_as == NULL || strcmp(content->sent_as, path) == 0)
        return content->sent_as != NULL;
    const struct sent *sent = sent_find(set, path);
    if (!sent_has_content(sent, content))
        return false;
    content->sent_as = sent->path;
    return true;
}

// Returns 0 if the file is no longer there.
static int freeze_content(struct fileset *set, struct content *content,
                          const struct encounter *here, struct failure *failure) {
    if (content->frozen != FROZEN_NOT)
        return 1; // another link of it came first
    content->right = false;
    content->open_for_writing =
        writers_have(&set->writers, content->device, content->inode) != NULL;
    bool in_place = is_in_place(set, content, here->path);
    if (in_place && is_as_sent(content, &here->status)) {
        content->frozen = FROZEN_AS_SENT;
        content->continues = true;
        content->from = content->frozen_stamp.size = content->sent_bytes;
        return 1;
    }
    AUTO_CLOSE int fd = open_here(here);
    if (fd < 0)
        return errno == ENOENT ? 0 : member_unreadable(here->path, failure);
    struct stat status;
    if (fstat(fd, &status) < 0 || !has_id(&status, content))
        return fail(failure, EXIT_REFUSED, "another process replaced %s during the freeze",
                    here->path);
    content->frozen_stamp = stamp_of(&status);
    int kept = freeze_open(set, content, here, fd, in_place, failure);
    if (kept == 1)
        fd = -1;
    return kept < 0 ? -1 : 1;
}

static int freeze(void *context, const struct encounter *here, struct failure *failure) {
    struct fileset *set = context;
    struct member *member;
    if (check_time(set, failure) < 0 || listing_add(set, here, &member, failure) < 0)
        return -1;
    if (member == NULL || member->content == NULL)
        return 0;
    int there = freeze_content(set, member->content, here, failure);
    if (there == 0)
        listing_drop_last(&set->listing);
    return there < 0 ? -1 : 0;
}

int fileset_snapshot(struct fileset *set, int64_t deadline_ns, int cut_fd,
                     struct failure *failure) {
    set->deadline_ns = deadline_ns;
    set->cut_fd = cut_fd;
    AUTO_RIGHTS own = {0};
    if (writers_find(&set->writers, set->process, failure) < 0 ||
        rights_borrow(&set->reader, &own, failure) < 0)
        return -1;
    return walk_roots(set, freeze, failure);
}
