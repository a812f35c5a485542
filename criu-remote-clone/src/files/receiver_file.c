// SPDX-License-Identifier: Apache-2.0
// Receiving a regular file's bytes.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "receiver_internal.h"
#include "scope.h"

// Blocks of zeros are left out of the file: sparse files stay sparse.
#define BLOCK 4096u
#define READ_BYTES (64u << 10)

// Takes the descriptor over if it succeeds.
static int start(struct receiver *receiver, const CloneWire__FileFacts *facts, int *fd,
                 uint64_t offset, struct failure *failure) {
    uint64_t left = receiver->plan.limit_bytes - receiver->bytes;
    if (facts->size < offset)
        return fail(failure, EXIT_TRANSFER, "the peer goes on with %s, but makes it shorter",
                    facts->path);
    if (facts->size - offset > left)
        return fail(failure, EXIT_SPACE,
                    "%s has %" PRIu64 " bytes, but of the file clone set's limit of %" PRIu64
                    " only %" PRIu64 " are left",
                    facts->path, facts->size, receiver->plan.limit_bytes, left);
    receiver->incoming = (struct incoming){.record = receiver_find(receiver, facts->path),
                                           .fd = TAKE(*fd, -1),
                                           .size = facts->size,
                                           .offset = offset,
                                           .facts = receiver_facts_of(facts)};
    return 0;
}

int incoming_create(struct receiver *receiver, const CloneWire__FileFacts *facts,
                    struct failure *failure) {
    struct spot spot;
    bool there;
    struct record *record = receiver_prepare(receiver, facts, &spot, &there, failure);
    if (record == NULL)
        return -1;
    AUTO_CLOSE int fd =
        openat(spot.dir_fd, spot.name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return receiver_not_made(receiver, record, failure);
    if (receiver_complete(record, facts, true, &spot, failure) < 0)
        return -1;
    XXH3_64bits_reset(receiver->hash);
    return start(receiver, facts, &fd, 0, failure);
}

// Opens the stored file again, now for writing, whatever mode it was given.
static int reopen(struct receiver *receiver, const struct record *record, struct failure *failure) {
    AUTO_CLOSE int fd = record_open(receiver, record, failure);
    if (fd < 0)
        return -1;
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    int again = chmod(name, 0600) < 0 ? -1 : open(name, O_RDWR | O_CLOEXEC);
    if (again < 0)
        receiver_store_failed(record->path, failure);
    return again;
}

// Hashes what is there. Returns its length, or -1 with errno.
static int64_t hash_stored(struct receiver *receiver, int fd) {
    uint8_t bytes[READ_BYTES];
    int64_t length = 0;
    XXH3_64bits_reset(receiver->hash);
    for (;;) {
        ssize_t got = pread(fd, bytes, sizeof bytes, length);
        if (got <= 0)
            return got < 0 ? -1 : length;
        XXH3_64bits_update(receiver->hash, bytes, (size_t)got);
        length += got;
    }
}

int incoming_continue(struct receiver *receiver, struct record *record,
                      const CloneWire__FileFacts *facts, struct failure *failure) {
    AUTO_CLOSE int fd = reopen(receiver, record, failure);
    if (fd < 0)
        return -1;
    int64_t length = hash_stored(receiver, fd);
    uint64_t more = (int64_t)facts->size > length ? facts->size - (uint64_t)length : 0;
    if (length < 0 ? receiver_store_failed(facts->path, failure) < 0
                   : receiver_check_room(receiver, facts->path, fd, more, failure) < 0)
        return -1;
    return start(receiver, facts, &fd, (uint64_t)length, failure);
}

static bool is_zero(const uint8_t *bytes, size_t length) {
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, length - 1) == 0;
}

static size_t block_at(const uint8_t *bytes, size_t at, size_t length, bool *zero) {
    size_t block = length - at < BLOCK ? length - at : BLOCK;
    *zero = is_zero(bytes + at, block);
    return block;
}

// Writes the run of blocks from `at` on that are not zero, and returns where it ends.
static ssize_t write_run(const struct incoming *incoming, const uint8_t *bytes, size_t at,
                         size_t length) {
    bool zero;
    size_t end = at;
    for (size_t block; end < length && (block = block_at(bytes, end, length, &zero), !zero);)
        end += block;
    while (at < end) {
        ssize_t wrote = pwrite(incoming->fd, bytes + at, end - at, (off_t)(incoming->offset + at));
        if (wrote < 0)
            return -1;
        at += (size_t)wrote;
    }
    return (ssize_t)end;
}

int incoming_write(struct receiver *receiver, const uint8_t *bytes, size_t length,
                   struct failure *failure) {
    struct incoming *incoming = &receiver->incoming;
    if (incoming->record == NULL || length > incoming->size - incoming->offset)
        return fail(failure, EXIT_TRANSFER,
                    incoming->record == NULL ? "the peer sent bytes that belong to no file"
                                             : "the peer sent more of a file than it announced");
    XXH3_64bits_update(receiver->hash, bytes, length);
    for (size_t at = 0; at < length;) {
        bool zero;
        size_t block = block_at(bytes, at, length, &zero);
        ssize_t end = zero ? (ssize_t)(at + block) : write_run(incoming, bytes, at, length);
        if (end < 0)
            return receiver_store_failed(incoming->record->path, failure);
        at = (size_t)end;
    }
    incoming->offset += length;
    receiver->bytes += length;
    return 0;
}

static int finish_file(const struct receiver *receiver, const struct incoming *incoming) {
    const struct stored_facts *facts = &incoming->facts;
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, timespec_of_ns(facts->mtime_ns)};
    // The size: blocks of zeros at the end weren't written.
    return ftruncate(incoming->fd, (off_t)incoming->offset) < 0 ||
                   (receiver->root && fchown(incoming->fd, facts->uid, facts->gid) < 0) ||
                   fchmod(incoming->fd, facts->mode & 07777) < 0 ||
                   futimens(incoming->fd, times) < 0
               ? -1
               : 0;
}

int incoming_end(struct receiver *receiver, uint64_t bytes, uint64_t hash,
                 struct failure *failure) {
    struct incoming *incoming = &receiver->incoming;
    struct record *record = incoming->record;
    if (record == NULL)
        return fail(failure, EXIT_TRANSFER, "the peer ended a file that it didn't begin");
    if (bytes != incoming->offset || hash != XXH3_64bits_digest(receiver->hash))
        return fail(failure, EXIT_TRANSFER,
                    "%s arrived damaged: %" PRIu64 " of %" PRIu64
                    " bytes, or another checksum than the peer's",
                    record->path, incoming->offset, bytes);
    if (finish_file(receiver, incoming) < 0)
        return receiver_store_failed(record->path, failure);
    record->facts = incoming->facts;
    close(incoming->fd);
    *incoming = (struct incoming){.fd = -1};
    return 0;
}
