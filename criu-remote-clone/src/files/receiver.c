// SPDX-License-Identifier: Apache-2.0
// Taking the messages of the file clone set from a peer that may be hostile: each is checked here
// before anything is done.
#include <search.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptors.h"
#include "memory.h"
#include "path_maps.h"
#include "paths.h"
#include "receiver_internal.h"

// --- checks ---

static bool is_top(const struct receiver *receiver, const char *path) {
    return bsearch(&path, receiver->tops, receiver->top_count, sizeof(char *),
                   compare_text_pointers) != NULL;
}

// A path must be one of the tops, or in a directory that was accepted before.
static int check_path(const struct receiver *receiver, const char *path, struct failure *failure) {
    if (path_is_clean(path) && (receiver_parent(receiver, path) != NULL || is_top(receiver, path)))
        return 0;
    return fail(failure, EXIT_TRANSFER,
                "the peer sent a file that was not agreed on, or without the directory it is in: "
                "\"%s\"",
                path);
}

static int check_kind(const CloneWire__FileFacts *facts, struct failure *failure) {
    mode_t kind = facts->mode & S_IFMT;
    bool links = facts->link_target != NULL;
    bool fits = kind == S_IFLNK ? links : kind == S_IFREG || !links;
    if ((kind != S_IFREG && kind != S_IFDIR && kind != S_IFLNK && kind != S_IFIFO) ||
        (facts->mode & ~(uint32_t)(S_IFMT | 07777)) != 0 || !fits)
        return fail(failure, EXIT_TRANSFER,
                    "the peer sent %s with mode 0%o: only files, directories, links and FIFOs are "
                    "taken",
                    facts->path, facts->mode);
    // On a directory setgid only hands its group down.
    if (kind != S_IFDIR && kind != S_IFLNK && (facts->mode & (S_ISUID | S_ISGID)) != 0)
        return fail(failure, EXIT_REFUSED,
                    "%s is setuid or setgid, which is not taken from another host: take it out of "
                    "the file clone set, or its mode away",
                    facts->path);
    if (kind == S_IFLNK &&
        (facts->link_target[0] == '\0' || strlen(facts->link_target) >= PATH_MAX))
        return fail(failure, EXIT_TRANSFER, "the peer sent %s with an impossible link target",
                    facts->path);
    return 0;
}

// What is bound over the source's path must not lead anywhere else.
static int check_bound(const struct receiver *receiver, const CloneWire__FileFacts *facts,
                       struct failure *failure) {
    const char *rest;
    bool mapped =
        path_maps_find(receiver->plan.maps, facts->path, &rest) != NULL && rest[0] == '\0';
    if (!S_ISLNK(facts->mode) || (!mapped && !is_top(receiver, facts->path)))
        return 0;
    return fail(failure, EXIT_REFUSED,
                "%s is a symbolic link: it can't be a root of the file clone set or have a --map",
                facts->path);
}

// Root could give files to anybody; a peer may not. What is cloned for a user is all his, as it
// would be if he pulled himself: a log that root opened for his process, for example, which CRIU
// opens again with his rights.
static void set_owner(const struct receiver *receiver, CloneWire__FileFacts *facts) {
    if (receiver->plan.uid == 0)
        return;
    facts->uid = receiver->plan.uid;
    facts->gid = receiver->plan.gid;
}

static int check_size(const struct receiver *receiver, const CloneWire__FileFacts *facts,
                      struct failure *failure) {
    if (S_ISREG(facts->mode) && facts->link_target == NULL &&
        facts->size > receiver->plan.limit_bytes)
        return fail(failure, EXIT_SPACE,
                    "%s has %" PRIu64 " bytes, more than the limit of %" PRIu64
                    " for the whole file clone set",
                    facts->path, facts->size, receiver->plan.limit_bytes);
    return 0;
}

// --- messages ---

static int begin_new(struct receiver *receiver, const CloneWire__FileFacts *facts,
                     struct failure *failure) {
    switch (facts->mode & S_IFMT) {
    case S_IFDIR:
        return receiver_store_directory(receiver, facts, failure);
    case S_IFLNK:
    case S_IFIFO:
        return receiver_store_node(receiver, facts, failure);
    default:
        return facts->link_target != NULL ? receiver_store_hard_link(receiver, facts, failure)
                                          : incoming_create(receiver, facts, failure);
    }
}

static int begin_again(struct receiver *receiver, struct record *record,
                       const CloneWire__FileFacts *facts, bool replaces, struct failure *failure) {
    if ((record->facts.mode & S_IFMT) != (facts->mode & S_IFMT))
        return fail(failure, EXIT_TRANSFER, "the peer sent %s as two kinds of file", facts->path);
    if (replaces && S_ISDIR(record->facts.mode)) {
        record->facts = receiver_facts_of(facts);
        return 0;
    }
    if (replaces)
        return receiver_clear(receiver, record, failure) < 0 ? -1
                                                             : begin_new(receiver, facts, failure);
    if (S_ISREG(record->facts.mode) && facts->link_target == NULL)
        return incoming_continue(receiver, record, facts, failure);
    return fail(failure, EXIT_TRANSFER, "the peer sent %s twice", facts->path);
}

static int begin(struct receiver *receiver, const CloneWire__FileBegin *message,
                 struct failure *failure) {
    CloneWire__FileFacts *facts = message->facts;
    if (receiver->incoming.record != NULL)
        return fail(failure, EXIT_TRANSFER, "the peer began a file in the middle of another");
    if (check_path(receiver, facts->path, failure) < 0 || check_kind(facts, failure) < 0 ||
        check_bound(receiver, facts, failure) < 0 || check_size(receiver, facts, failure) < 0)
        return -1;
    set_owner(receiver, facts);
    struct record *record = receiver_find(receiver, facts->path);
    bool replaces = message->has_replaces_earlier && message->replaces_earlier;
    if (record != NULL)
        return begin_again(receiver, record, facts, replaces, failure);
    if (replaces)
        return fail(failure, EXIT_TRANSFER, "the peer replaces %s, which it never sent",
                    facts->path);
    return begin_new(receiver, facts, failure);
}

static int gone(struct receiver *receiver, const CloneWire__FileGone *message,
                struct failure *failure) {
    struct record *record = receiver_find(receiver, message->path);
    if (receiver->incoming.record != NULL || record == NULL)
        return fail(failure, EXIT_TRANSFER, "the peer takes \"%s\" back, which it didn't send",
                    message->path);
    return receiver_clear(receiver, record, failure);
}

static int take_message(struct receiver *receiver, enum wire_type type,
                        const ProtobufCMessage *message, struct failure *failure) {
    switch (type) {
    case WIRE_FILE_BEGIN:
        return begin(receiver, (const CloneWire__FileBegin *)message, failure);
    case WIRE_FILE_END: {
        const CloneWire__FileEnd *end = (const CloneWire__FileEnd *)message;
        return incoming_end(receiver, end->bytes, end->xxh3, failure);
    }
    default:
        return gone(receiver, (const CloneWire__FileGone *)message, failure);
    }
}

int receiver_take(struct receiver *receiver, const struct wire_item *item,
                  struct failure *failure) {
    if (receiver->finished)
        return fail(failure, EXIT_TRANSFER,
                    "the peer sent more of the file clone set after its end");
    if (item->is_data)
        return incoming_write(receiver, item->bytes, item->length, failure);
    const ProtobufCMessageDescriptor *descriptor;
    switch (item->type) {
    case WIRE_FILE_BEGIN:
        descriptor = &clone_wire__file_begin__descriptor;
        break;
    case WIRE_FILE_END:
        descriptor = &clone_wire__file_end__descriptor;
        break;
    case WIRE_FILE_GONE:
        descriptor = &clone_wire__file_gone__descriptor;
        break;
    default:
        return fail(failure, EXIT_TRANSFER, "the peer sent message %d among the files", item->type);
    }
    ProtobufCMessage *message =
        protobuf_c_message_unpack(descriptor, NULL, item->length, item->bytes);
    if (message == NULL)
        return fail(failure, EXIT_TRANSFER, "the peer sent a malformed message among the files");
    int result = take_message(receiver, item->type, message, failure);
    protobuf_c_message_free_unpacked(message, NULL);
    return result;
}

// --- opening and closing ---

static int add_tops(struct receiver *receiver, char *const *paths, size_t count,
                    struct failure *failure) {
    for (size_t i = 0; i < count; i++) {
        if (!path_is_clean(paths[i]))
            return fail(failure, EXIT_REFUSED, "\"%s\" can't be part of a file clone set",
                        paths[i]);
        receiver->tops[receiver->top_count++] = paths[i];
    }
    return 0;
}

static int set_up(struct receiver *receiver, struct failure *failure) {
    const struct receiver_plan *plan = &receiver->plan;
    receiver->tops = calloc(plan->root_count + plan->extra_count + 1, sizeof(char *));
    receiver->hash = XXH3_createState();
    if (receiver->tops == NULL || receiver->hash == NULL)
        return out_of_memory(failure);
    if (add_tops(receiver, plan->roots, plan->root_count, failure) < 0 ||
        add_tops(receiver, plan->extra, plan->extra_count, failure) < 0)
        return -1;
    qsort(receiver->tops, receiver->top_count, sizeof(char *), compare_text_pointers);
    receiver->store = store_open(plan->maps, receiver->keeper, failure);
    return receiver->store == NULL ? -1 : 0;
}

struct receiver *receiver_open(const struct receiver_plan *plan, struct keeper *keeper,
                               struct failure *failure) {
    struct receiver *receiver = calloc(1, sizeof *receiver);
    if (receiver == NULL)
        return NULL_WITH(out_of_memory(failure));
    receiver->plan = *plan;
    receiver->keeper = keeper;
    receiver->root = geteuid() == 0;
    receiver->incoming.fd = -1;
    if (set_up(receiver, failure) < 0) {
        receiver_close(receiver);
        return NULL;
    }
    return receiver;
}

uint64_t receiver_bytes(const struct receiver *receiver) {
    return receiver->bytes;
}

void receiver_close(struct receiver *receiver) {
    if (receiver == NULL)
        return;
    close_fd(receiver->incoming.fd);
    XXH3_freeState(receiver->hash);
    tdestroy(receiver->by_path, free_nothing);
    for (size_t i = 0; i < receiver->count; i++)
        free(receiver->records[i]);
    free(receiver->records);
    free(receiver->tops);
    for (size_t i = 0; i < receiver->bind_count; i++)
        bind_free(&receiver->binds[i]);
    free(receiver->binds);
    store_close(receiver->store);
    free(receiver);
}
