// SPDX-License-Identifier: Apache-2.0
// Sending the file clone set: before the freeze what is there, after it the difference.
#include <time.h>
#include <unistd.h>

#include "deadline.h"
#include "fileset_internal.h"
#include "memory.h"
#include "paths.h"
#include "scope.h"

// A file's times move on with the kernel's clock tick (or the file system's second), so a stamp
// that is younger than that may still be the same after the next write.
#define STAMP_SETTLES_NS INT64_C(100000000)
#define COARSE_STAMP_SETTLES_NS INT64_C(2100000000)
#define NS_PER_S INT64_C(1000000000)

struct sending {
    struct fileset *set;
    struct wire *wire;
    int64_t deadline_ns;
    uint64_t *bytes; // which statistic they count for
};

// --- messages ---

static int in_time(const struct sending *sending, struct failure *failure) {
    return now_ns() < sending->deadline_ns
               ? 0
               : fail(failure, EXIT_DEADLINE,
                      "the time limit passed while the file clone set was sent");
}

static int send_begin(const struct sending *sending, const struct member *member,
                      const char *link_target, bool replaces, struct failure *failure) {
    CloneWire__FileFacts facts = CLONE_WIRE__FILE_FACTS__INIT;
    // protobuf-c's strings aren't const, but packing only reads them.
    facts.path = (char *)member->path;
    facts.size = member->size;
    facts.mode = member->mode;
    facts.uid = member->uid;
    facts.gid = member->gid;
    facts.mtime_ns = member->mtime_ns;
    facts.link_target = (char *)link_target;
    CloneWire__FileBegin begin = CLONE_WIRE__FILE_BEGIN__INIT;
    begin.facts = &facts;
    begin.has_replaces_earlier = replaces;
    begin.replaces_earlier = replaces;
    return wire_send(sending->wire, WIRE_FILE_BEGIN, &begin.base, failure);
}

static int send_end(const struct sending *sending, uint64_t bytes, uint64_t hash,
                    struct failure *failure) {
    CloneWire__FileEnd end = CLONE_WIRE__FILE_END__INIT;
    end.bytes = bytes;
    end.xxh3 = hash;
    return wire_send(sending->wire, WIRE_FILE_END, &end.base, failure);
}

static int send_gone(const struct sending *sending, struct sent *sent, struct failure *failure) {
    CloneWire__FileGone gone = CLONE_WIRE__FILE_GONE__INIT;
    gone.path = (char *)sent->path;
    sent_lose_content(sent);
    sent->gone = true;
    return wire_send(sending->wire, WIRE_FILE_GONE, &gone.base, failure);
}

// Takes the path, and what is below it, off the target: what came last goes first.
static int send_gone_tree(const struct sending *sending, const char *path,
                          struct failure *failure) {
    struct fileset *set = sending->set;
    for (size_t i = set->sent_count; i-- > 0;)
        if (!set->sent[i]->gone && path_rest(path, set->sent[i]->path) != NULL &&
            send_gone(sending, set->sent[i], failure) < 0)
            return -1;
    return 0;
}

// As read(2), but short only at the end of the file.
static ssize_t read_fully(int fd, void *bytes, size_t length, uint64_t at) {
    size_t used = 0;
    while (used < length) {
        ssize_t got = pread(fd, (char *)bytes + used, length - used, (off_t)(at + used));
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        used += (size_t)got;
    }
    return (ssize_t)used;
}

// Sends `length` bytes, or up to the end of the file. Returns in *sent how many there were.
static int send_bytes(const struct sending *sending, const struct member *member, int fd,
                      uint64_t at, uint64_t length, uint64_t *sent, struct failure *failure) {
    XXH3_state_t *hash = member->content->hash;
    *sent = 0;
    while (*sent < length) {
        if (in_time(sending, failure) < 0)
            return -1;
        size_t wanted = length - *sent < WIRE_CHUNK ? (size_t)(length - *sent) : WIRE_CHUNK;
        AUTO_FREE void *chunk = must_allocate(wanted);
        ssize_t got = read_fully(fd, chunk, wanted, at + *sent);
        if (got <= 0)
            return got == 0 ? 0
                            : fail_errno(failure, EXIT_TRANSFER,
                                         "can't read %s of the file clone set", member->path);
        XXH3_64bits_update(hash, chunk, (size_t)got);
        *sent += (uint64_t)got;
        *sending->bytes += (uint64_t)got;
        if (wire_send_owned(sending->wire, TAKE(chunk, NULL), (size_t)got, failure) < 0)
            return -1;
        if ((size_t)got < wanted)
            return 0;
    }
    return 0;
}

// The target has the content under another name: makes this one a link to it.
static int send_link(struct sending *sending, const struct member *member, bool replaces,
                     struct failure *failure) {
    if (send_begin(sending, member, member->content->sent_as, replaces, failure) < 0)
        return -1;
    sent_record(sending->set, member);
    return 0;
}

// The target has the member's content, at this path, and it needs no more in this pass.
static void has_content_now(struct sending *sending, const struct member *member) {
    struct content *content = member->content;
    content->sent_as = sent_record(sending->set, member)->path;
    content->right = true;
    XXH3_freeState(content->hash);
    content->hash = NULL;
}

// --- before the freeze ---

static bool stamp_settled(const struct stamp *stamp) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    int64_t now = (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
    int64_t changed = stamp->mtime_ns > stamp->ctime_ns ? stamp->mtime_ns : stamp->ctime_ns;
    bool coarse = stamp->mtime_ns % NS_PER_S == 0 && stamp->ctime_ns % NS_PER_S == 0;
    return now - changed > (coarse ? COARSE_STAMP_SETTLES_NS : STAMP_SETTLES_NS);
}

static int send_content_early(struct sending *sending, struct member *member,
                              struct failure *failure) {
    struct content *content = member->content;
    struct stat before, after;
    int fd = member_open(member, &before);
    if (fd < 0) // what is gone already, the freeze will not find either
        return errno == ENOENT ? 0 : member_unreadable(member->path, failure);
    member_take_status(member, &before);
    uint64_t sent;
    int result = -1;
    content_reset_hash(content);
    if (send_begin(sending, member, NULL, false, failure) == 0 &&
        send_bytes(sending, member, fd, 0, member->size, &sent, failure) == 0) {
        content->sent_bytes = sent;
        content->sent_hash = XXH3_64bits_digest(content->hash);
        content->sent_stamp = stamp_of(&before);
        if (fstat(fd, &after) < 0)
            result = fail_errno(failure, EXIT_TRANSFER, "can't look at %s", member->path);
        else
            result = send_end(sending, sent, content->sent_hash, failure);
    }
    close(fd);
    if (result < 0)
        return -1;
    struct stamp then = stamp_of(&after);
    content->sent_stamp_tells = !content->open_for_writing && sent == member->size &&
                                same_stamp(&content->sent_stamp, &then) && stamp_settled(&then);
    has_content_now(sending, member);
    return 0;
}

static int send_file_early(struct sending *sending, struct member *member,
                           struct failure *failure) {
    return member->content->sent_as != NULL ? send_link(sending, member, false, failure)
                                            : send_content_early(sending, member, failure);
}

// --- after the freeze ---

static int changed_after_freeze(const struct member *member, struct failure *failure) {
    return fail(failure, EXIT_TRANSFER,
                "%s was written to after the freeze, though the process did not have it open for "
                "writing then: its frozen contents are lost; try again, and let the quiesce hook "
                "stop the writer until the resume hook has run",
                member->path);
}

// What is held by reference must still be what was frozen. Its ctime is not looked at: links and
// renames change it, too.
static int check_held(const struct member *member, struct failure *failure) {
    const struct content *content = member->content;
    struct stat status;
    if (content->frozen != FROZEN_HELD)
        return 0;
    if (fstat(content->fd, &status) < 0)
        return fail_errno(failure, EXIT_TRANSFER, "can't look at %s", member->path);
    struct stamp now = stamp_of(&status);
    return now.size == content->frozen_stamp.size && now.mtime_ns == content->frozen_stamp.mtime_ns
               ? 0
               : changed_after_freeze(member, failure);
}

// Sends what follows byte content->from, and the end.
static int send_frozen_bytes(struct sending *sending, const struct member *member,
                             struct failure *failure) {
    struct content *content = member->content;
    bool copied = content->frozen == FROZEN_COPIED;
    uint64_t length = content->frozen_stamp.size - content->from, sent;
    if (content->frozen == FROZEN_AS_SENT)
        return send_end(sending, content->sent_bytes, content->sent_hash, failure);
    if (!content->continues)
        content_reset_hash(content);
    if (send_bytes(sending, member, copied ? content->scratch->fd : content->fd,
                   copied ? content->scratch_at : content->from, length, &sent, failure) < 0)
        return -1;
    if (sent != length)
        return changed_after_freeze(member, failure);
    content->sent_bytes = content->frozen_stamp.size;
    content->sent_hash = XXH3_64bits_digest(content->hash);
    return send_end(sending, content->sent_bytes, content->sent_hash, failure);
}

static int send_frozen_whole(struct sending *sending, struct member *member, bool replaces,
                             struct failure *failure) {
    member->content->version++;
    if (send_begin(sending, member, NULL, replaces, failure) < 0)
        return -1;
    return send_frozen_bytes(sending, member, failure);
}

static int send_frozen_rest(struct sending *sending, struct member *member,
                            const struct sent *there, struct failure *failure) {
    struct content *content = member->content;
    if (!sent_has_content(there, content)) { // renamed, or newly linked
        if (send_link(sending, member, there != NULL, failure) < 0)
            return -1;
        there = sent_find(sending->set, member->path);
    }
    if (content->from == content->frozen_stamp.size && sent_same_facts(there, member))
        return 0;
    if (send_begin(sending, member, NULL, false, failure) < 0)
        return -1;
    return send_frozen_bytes(sending, member, failure);
}

// Is what was sent early still the beginning of what was frozen?
static int compare_beginning(struct sending *sending, const struct member *member,
                             struct failure *failure) {
    struct content *content = member->content;
    if (content->fd < 0)
        return 0; // that was done in the freeze
    if (content_compare(sending->set, content, content->fd, content->frozen_stamp.size,
                        member->path, failure) < 0)
        return -1;
    if (content->frozen != FROZEN_COPIED || content->continues)
        return 0;
    return fail(failure, EXIT_TRANSFER,
                "the beginning of %s was written to around the freeze, after it had only grown "
                "before: its frozen contents are lost; try again",
                member->path);
}

static int send_frozen_content(struct sending *sending, struct member *member,
                               const struct sent *there, struct failure *failure) {
    struct content *content = member->content;
    if (compare_beginning(sending, member, failure) < 0)
        return -1;
    member->size = content->frozen_stamp.size;
    int result = content->continues ? send_frozen_rest(sending, member, there, failure)
                                    : send_frozen_whole(sending, member, there != NULL, failure);
    if (result < 0 || check_held(member, failure) < 0)
        return -1;
    close_fd(content->fd);
    content->fd = -1;
    has_content_now(sending, member);
    return 0;
}

static int send_file_rest(struct sending *sending, struct member *member, const struct sent *there,
                          struct failure *failure) {
    if (!member->content->right)
        return send_frozen_content(sending, member, there, failure);
    return sent_has_content(there, member->content)
               ? 0
               : send_link(sending, member, there != NULL, failure);
}

// --- both passes ---

// Directories, links, FIFOs.
static int send_other(struct sending *sending, struct member *member, const struct sent *there,
                      struct failure *failure) {
    if (there != NULL && sent_same_facts(there, member))
        return 0;
    if (send_begin(sending, member, member->link_target, there != NULL, failure) < 0)
        return -1;
    sent_record(sending->set, member);
    return 0;
}

static int send_member(struct sending *sending, struct member *member, bool early,
                       struct failure *failure) {
    if (in_time(sending, failure) < 0)
        return -1;
    struct sent *there = sent_find(sending->set, member->path);
    if (there != NULL && (there->mode & S_IFMT) != (member->mode & S_IFMT)) {
        if (send_gone_tree(sending, member->path, failure) < 0)
            return -1;
        there = NULL;
    }
    if (there != NULL)
        there->listed = true;
    if (member->content == NULL)
        return send_other(sending, member, there, failure);
    return early ? send_file_early(sending, member, failure)
                 : send_file_rest(sending, member, there, failure);
}

static int send_listing(struct sending *sending, bool early, struct failure *failure) {
    const struct listing *listing = &sending->set->listing;
    for (size_t i = 0; i < listing->count; i++)
        if (send_member(sending, listing->members[i], early, failure) < 0)
            return -1;
    return 0;
}

static int send_difference(struct sending *sending, struct failure *failure) {
    struct fileset *set = sending->set;
    for (size_t i = 0; i < set->sent_count; i++)
        set->sent[i]->listed = false;
    if (send_listing(sending, false, failure) < 0)
        return -1;
    // Directories came before what is in them, so they go after it.
    for (size_t i = set->sent_count; i-- > 0;)
        if (!set->sent[i]->gone && !set->sent[i]->listed &&
            send_gone(sending, set->sent[i], failure) < 0)
            return -1;
    return 0;
}

static int send_as_reader(struct sending sending, bool early, struct failure *failure) {
    AUTO_RIGHTS own = {0};
    if (rights_borrow(&sending.set->reader, &own, failure) < 0)
        return -1;
    return early ? send_listing(&sending, true, failure) : send_difference(&sending, failure);
}

int fileset_send_early(struct fileset *set, struct wire *wire, int64_t deadline_ns,
                       struct failure *failure) {
    uint64_t *bytes = &set->statistics.early_bytes;
    return send_as_reader((struct sending){set, wire, deadline_ns, bytes}, true, failure);
}

int fileset_send_rest(struct fileset *set, struct wire *wire, int64_t deadline_ns,
                      struct failure *failure) {
    uint64_t *bytes = &set->statistics.rest_bytes;
    return send_as_reader((struct sending){set, wire, deadline_ns, bytes}, false, failure);
}
