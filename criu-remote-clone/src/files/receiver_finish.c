// The end of receiving: what directories can be given only when everything is in them.
#include <sys/stat.h>
#include <unistd.h>

#include "receiver_internal.h"

static int give_directory(const struct receiver *receiver, const struct record *record, int fd,
                          struct failure *failure) {
    const struct stored_facts *facts = &record->facts;
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, timespec_of_ns(facts->mtime_ns)};
    struct stat status;
    // One that was there keeps its owner and time; its mode CRIU compares with the original's.
    if (record->made && receiver->root && fchown(fd, facts->uid, facts->gid) < 0)
        return receiver_store_failed(record->path, failure);
    if (fstat(fd, &status) < 0 ||
        (status.st_mode != facts->mode && fchmod(fd, facts->mode & 07777) < 0))
        return fail_errno(failure, EXIT_REFUSED, "can't give the directory for %s the mode 0%o",
                          record->path, facts->mode & 07777);
    return record->made && futimens(fd, times) < 0 ? receiver_store_failed(record->path, failure)
                                                   : 0;
}

static int finish_directories(struct receiver *receiver, struct failure *failure) {
    // What came last is deepest: a mode may shut us out of what is below.
    for (size_t i = receiver->count; i-- > 0;) {
        const struct record *record = receiver->records[i];
        if (record->gone || !S_ISDIR(record->facts.mode))
            continue;
        int fd = record_open(receiver, record, failure);
        if (fd < 0)
            return -1;
        int result = give_directory(receiver, record, fd, failure);
        close(fd);
        if (result < 0)
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
