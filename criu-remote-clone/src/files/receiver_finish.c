// SPDX-License-Identifier: Apache-2.0
// The end of receiving: what directories can be given only when everything is in them.
#include <sys/stat.h>
#include <unistd.h>

#include "receiver_internal.h"
#include "scope.h"

// CRIU compares it with the original's. A directory that was there is the operator's to lend, but
// not another user's.
static int give_mode(const struct receiver *receiver, struct record *record, int fd,
                     struct failure *failure) {
    mode_t mode = record->facts.mode;
    struct stat status;
    if (fstat(fd, &status) < 0)
        return receiver_store_failed(record->path, failure);
    if (status.st_mode == mode)
        return 0;
    if (!record->made && receiver->plan.uid != 0 && status.st_uid != receiver->plan.uid)
        return fail(failure, EXIT_REFUSED,
                    "the directory for %s was there, with the mode 0%o, and isn't the clone's "
                    "user's to get the mode 0%o: give it that, or that owner",
                    record->path, status.st_mode & 07777, mode & 07777);
    record->old_mode = record->made ? 0 : status.st_mode;
    return fchmod(fd, mode & 07777) == 0
               ? 0
               : fail_errno(failure, EXIT_REFUSED, "can't give the directory for %s the mode 0%o",
                            record->path, mode & 07777);
}

static int give_directory(const struct receiver *receiver, struct record *record, int fd,
                          struct failure *failure) {
    const struct stored_facts *facts = &record->facts;
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, timespec_of_ns(facts->mtime_ns)};
    // One that was there keeps its owner and time.
    if (record->made && receiver->root && fchown(fd, facts->uid, facts->gid) < 0)
        return receiver_store_failed(record->path, failure);
    if (give_mode(receiver, record, fd, failure) < 0)
        return -1;
    return record->made && futimens(fd, times) < 0 ? receiver_store_failed(record->path, failure)
                                                   : 0;
}

static int finish_directories(struct receiver *receiver, struct failure *failure) {
    // What came last is deepest: a mode may shut us out of what is below.
    for (size_t i = receiver->count; i-- > 0;) {
        struct record *record = receiver->records[i];
        if (record->gone || !S_ISDIR(record->facts.mode))
            continue;
        AUTO_CLOSE int fd = record_open(receiver, record, failure);
        if (fd < 0 || give_directory(receiver, record, fd, failure) < 0)
            return -1;
    }
    return 0;
}

int receiver_finish(struct receiver *receiver, struct failure *failure) {
    if (receiver->incoming.record != NULL)
        return fail(failure, EXIT_TRANSFER, "the peer's files end in the middle of %s",
                    receiver->incoming.record->path);
    receiver->finished = true;
    return receiver_list_binds(receiver, failure) < 0 ? -1 : finish_directories(receiver, failure);
}

void receiver_put_back(struct receiver *receiver) {
    for (size_t i = 0; receiver != NULL && i < receiver->count; i++) {
        const struct record *record = receiver->records[i];
        struct failure ignored; // it is no longer there, or no longer what it was
        AUTO_CLOSE int fd = record->old_mode == 0 ? -1 : record_open(receiver, record, &ignored);
        if (fd >= 0)
            fchmod(fd, record->old_mode & 07777);
    }
}
