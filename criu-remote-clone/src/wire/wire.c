// SPDX-License-Identifier: Apache-2.0
// A running connection: messages in and out, its end, and what was counted. See wire.h.
#include "wire.h"

#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "clone_wire.pb-c.h"
#include "deadline.h"
#include "wire_receiver.h"
#include "wire_sender.h"
#include "wire_socket.h"
#include "wire_start.h"

#define PIECES_MAX (WIRE_MESSAGE_MAX / WIRE_CHUNK)
#define LAST_WORDS_MS 1000
#define LEVEL_MAX 19
#define PAUSE_FIRST_NS 100000
#define PAUSE_MOST_NS 10000000

// A receiver that doesn't read for long is a receiver that is still busy with what it has: that may
// take a while. Silence is worse: a living peer speaks every few seconds, whatever it does.
const struct wire_timing wire_default_timing = {
    .keepalive_ms = 3000, .silence_ms = 15000, .stall_ms = 60000};

struct wire {
    int fd;
    struct wire_sender *sender;
    struct wire_receiver *receiver;
    char peer[64];
    uint32_t version;
};

int wire_check_options(const struct wire_options *options, struct failure *failure) {
    if (options->compress < WIRE_COMPRESS_AUTO || options->compress > LEVEL_MAX)
        return fail(failure, EXIT_USAGE, "compression level %d: give 1 to %u", options->compress,
                    LEVEL_MAX);
    return 0;
}

static void on_broken(void *context, const struct failure *why) {
    wire_sender_refuse(context, why);
}

struct wire *wire_start(int fd, const struct wire_session *session,
                        const struct wire_options *options, const struct wire_timing *timing,
                        struct failure *failure) {
    struct wire *wire = calloc(1, sizeof *wire);
    if (!wire) {
        fail_errno(failure, EXIT_SPACE, "no memory for a connection");
        close(fd);
        return NULL;
    }
    wire->fd = fd;
    wire->version = session->version;
    wire_socket_peer(fd, wire->peer);
    if (wire_socket_prepare(fd, timing->silence_ms, timing->stall_ms, failure) == 0)
        wire->sender = wire_sender_open(fd, session, options, timing, failure);
    if (wire->sender)
        wire->receiver = wire_receiver_open(fd, session, on_broken, wire->sender, failure);
    if (wire->receiver)
        return wire;
    wire_close(wire);
    return NULL;
}

// A connection lost while sending may be a peer that gave up and said why: that is worth knowing.
static int prefer_peers_reason(struct wire *wire, struct failure *failure) {
    if (failure->code == EXIT_PEER)
        wire_receiver_await_abort(wire->receiver, deadline_in_ms(LAST_WORDS_MS), failure);
    return -1;
}

static int put(struct wire *wire, const struct wire_outgoing *items, size_t count,
               struct failure *failure) {
    if (wire_sender_put(wire->sender, items, count, failure) < 0)
        return prefer_peers_reason(wire, failure);
    return 0;
}

// Cuts a message into pieces of a chunk; the last piece owns the bytes.
static size_t cut(enum wire_type type, uint8_t *bytes, size_t length,
                  struct wire_outgoing pieces[PIECES_MAX]) {
    size_t count = 0;
    for (size_t at = 0; at == 0 || at < length; at += WIRE_CHUNK) {
        size_t left = length - at;
        pieces[count++] = (struct wire_outgoing){.kind = WIRE_KIND_PIECE,
                                                 .type = type,
                                                 .bytes = bytes + at,
                                                 .length = left < WIRE_CHUNK ? left : WIRE_CHUNK};
    }
    pieces[count - 1].kind = WIRE_KIND_MESSAGE;
    pieces[count - 1].owned = bytes;
    return count;
}

static uint8_t *pack(const ProtobufCMessage *message, size_t *length, struct failure *failure) {
    *length = message ? protobuf_c_message_get_packed_size(message) : 0;
    if (*length > WIRE_MESSAGE_MAX)
        return NULL_WITH(fail(
            failure, EXIT_REFUSED,
            "a message of %zu bytes is too long to send (at most %u): the process uses too many "
            "files",
            *length, WIRE_MESSAGE_MAX));
    uint8_t *bytes = malloc(*length + 1);
    if (!bytes)
        fail_errno(failure, EXIT_SPACE, "no memory for a message of %zu bytes", *length);
    else if (message)
        protobuf_c_message_pack(message, bytes);
    return bytes;
}

int wire_send(struct wire *wire, enum wire_type type, const ProtobufCMessage *message,
              struct failure *failure) {
    size_t length = 0;
    uint8_t *bytes = pack(message, &length, failure);
    if (!bytes)
        return -1;
    struct wire_outgoing pieces[PIECES_MAX];
    size_t count = cut(type, bytes, length, pieces);
    return put(wire, pieces, count, failure);
}

int wire_send_data(struct wire *wire, const void *bytes, size_t length,
                   void (*done)(void *context, const void *bytes, size_t length), void *context,
                   struct failure *failure) {
    if (length > WIRE_CHUNK)
        return fail(failure, EXIT_INTERNAL, "%zu bytes are too many for one item", length);
    struct wire_outgoing item = {
        .kind = WIRE_KIND_DATA, .bytes = bytes, .length = length, .done = done, .context = context};
    return put(wire, &item, 1, failure);
}

int wire_send_owned(struct wire *wire, void *bytes, size_t length, struct failure *failure) {
    struct wire_outgoing item = {
        .kind = WIRE_KIND_DATA, .bytes = bytes, .length = length, .owned = bytes};
    return put(wire, &item, 1, failure);
}

int wire_flush(struct wire *wire, int64_t deadline_ns, struct failure *failure) {
    if (wire_sender_flush(wire->sender, deadline_ns, failure) < 0)
        return prefer_peers_reason(wire, failure);
    return 0;
}

// No event tells that the last byte was acknowledged, so this looks now and then, ever less often.
// Returns 1 when it was, 0 at the deadline, -1 if it never will be.
static int await_acknowledgement(struct wire *wire, bool last_words, int64_t deadline_ns,
                                 struct failure *failure) {
    for (int64_t pause_ns = PAUSE_FIRST_NS;; pause_ns = 2 * pause_ns) {
        int status = wire_socket_acknowledged(wire->fd, failure);
        if (status != 0 || now_ns() >= deadline_ns)
            return status;
        pause_ns = pause_ns < PAUSE_MOST_NS ? pause_ns : PAUSE_MOST_NS;
        if (last_words)
            nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
        else if (wire_sender_idle(wire->sender, now_ns() + pause_ns, failure) < 0)
            return -1;
    }
}

int wire_finish(struct wire *wire, int64_t deadline_ns, struct failure *failure) {
    struct wire_outgoing end = {.kind = WIRE_KIND_END};
    if (put(wire, &end, 1, failure) < 0 || wire_flush(wire, deadline_ns, failure) < 0)
        return -1;
    shutdown(wire->fd, SHUT_WR);
    int status = await_acknowledgement(wire, false, deadline_ns, failure);
    if (status == 0)
        return fail(failure, EXIT_DEADLINE, "the peer didn't take everything in time");
    return status < 0 ? prefer_peers_reason(wire, failure) : 0;
}

int wire_next(struct wire *wire, struct wire_item *item, int64_t deadline_ns,
              struct failure *failure) {
    return wire_receiver_next(wire->receiver, item, deadline_ns, failure);
}

void wire_item_release(struct wire_item *item) {
    wire_receiver_release(item);
}

ProtobufCMessage *wire_unpack(const struct wire_item *item, enum wire_type type,
                              const ProtobufCMessageDescriptor *descriptor,
                              struct failure *failure) {
    if (item->is_data || item->type != type)
        return NULL_WITH(fail(
            failure, EXIT_TRANSFER,
            "the peer sent item type %u when %u was expected: use the same criu-remote-clone on "
            "both hosts",
            item->is_data ? 0 : item->type, type));
    ProtobufCMessage *message =
        protobuf_c_message_unpack(descriptor, NULL, item->length, item->bytes);
    if (!message)
        fail(failure, EXIT_TRANSFER,
             "the peer sent a malformed message (type %u): use the same criu-remote-clone on both "
             "hosts",
             type);
    return message;
}

void wire_abort(struct wire *wire, const struct failure *why) {
    int64_t deadline_ns = deadline_in_ms(LAST_WORDS_MS);
    wire_sender_refuse(wire->sender, why);
    CloneWire__Abort abort = CLONE_WIRE__ABORT__INIT;
    abort.exit_code = why->code;
    abort.reason = (char *)why->text;
    struct failure ignored;
    size_t length = 0;
    uint8_t *bytes = pack(&abort.base, &length, &ignored);
    if (!bytes)
        return;
    struct wire_outgoing last = {.kind = WIRE_KIND_MESSAGE,
                                 .type = WIRE_ABORT,
                                 .bytes = bytes,
                                 .length = length,
                                 .owned = bytes};
    if (wire_sender_put_last(wire->sender, &last, deadline_ns) < 0)
        return;
    shutdown(wire->fd, SHUT_WR);
    await_acknowledgement(wire, true, deadline_ns, &ignored);
}

int wire_poll_fd(const struct wire *wire) {
    return wire_receiver_poll_fd(wire->receiver);
}

void wire_statistics(const struct wire *wire, struct wire_statistics *statistics) {
    struct wire_statistics received;
    wire_sender_statistics(wire->sender, statistics);
    wire_receiver_statistics(wire->receiver, &received);
    statistics->received_bytes = received.received_bytes;
    statistics->received_data_bytes = received.received_data_bytes;
}

void wire_peer_name(const struct wire *wire, char name[64]) {
    memcpy(name, wire->peer, sizeof wire->peer);
}

uint32_t wire_version(const struct wire *wire) {
    return wire->version;
}

void wire_close(struct wire *wire) {
    if (!wire)
        return;
    shutdown(wire->fd, SHUT_RDWR);
    wire_receiver_close(wire->receiver);
    wire_sender_close(wire->sender);
    close(wire->fd);
    free(wire);
}
