// SPDX-License-Identifier: Apache-2.0
// The sending half of a connection: see wire_sender.h.
//
//   wire_send*  ->  ring  ->  encoder: zero pages, zstd, encrypt  ->  writer  ->  socket
//
// Items live in a ring, at their sequence number modulo its size, from head (the next to be
// written) to tail (the next to be queued); the encoder is somewhere between. All of this is
// guarded by one mutex, which nobody holds while working.
#include "wire_sender.h"

#include <sys/uio.h>

#include "deadline.h"
#include "threads.h"
#include "wire_encoding.h"
#include "wire_pacer.h"
#include "wire_socket.h"
#include "wire_tuner.h"

#define QUEUE 16
#define FIRST 1 // item: 0 was the handshake's
// Bytes encoded ahead of the writer: enough to keep it busy, and few, so that the decision to
// compress takes effect soon.
#define AHEAD (3u * WIRE_CHUNK)
// Bytes per write: small, so that the link's rate is known soon.
#define PIECE (256u << 10)

enum slot_state { SLOT_QUEUED, SLOT_ENCODING, SLOT_READY };

struct slot {
    enum slot_state state;
    struct wire_outgoing item;
    uint8_t *frame;
    size_t frame_length;
};

struct wire_sender {
    int fd;
    struct wire_timing timing;
    struct wire_cipher cipher;   // the encoder's own
    struct wire_encoder encoder; // so is this
    struct worker encoding, writer;

    pthread_mutex_t producing; // held while queueing items that belong together
    pthread_mutex_t mutex;     // everything below
    pthread_cond_t work;       // the encoder may have something to do
    pthread_cond_t ready;      // the writer may
    pthread_cond_t room;       // the head has moved, or nothing can be queued any more
    struct slot slots[QUEUE];
    uint64_t head, tail;
    uint8_t *spare_frames[QUEUE]; // the one used last on top: it is still in the caches
    size_t spare_count;
    bool ended;   // the end is queued
    bool refused; // nothing more can be queued, and why
    struct failure refusal;
    bool lost; // the writer has given up
    bool unpaced;
    bool stop;
    size_t waiting;          // encoded bytes that are still to be written
    size_t written;          // of the frame at the head
    struct wire_pacer pacer; // the writer's own
    struct wire_tuner tuner;
    struct wire_statistics statistics;
};

static struct slot *slot_of(struct wire_sender *sender, uint64_t sequence) {
    return &sender->slots[sequence % QUEUE];
}

// Mutex held.
static void refuse(struct wire_sender *sender, const struct failure *why) {
    if (!sender->refused) {
        sender->refused = true;
        sender->refusal = *why;
    }
    pthread_cond_broadcast(&sender->room);
}

static void lose(struct wire_sender *sender, const struct failure *why) {
    LOCKED(&sender->mutex);
    sender->lost = true;
    refuse(sender, why);
}

// Mutex held, room in the ring.
static void append(struct wire_sender *sender, const struct wire_outgoing *item) {
    *slot_of(sender, sender->tail) = (struct slot){.state = SLOT_QUEUED, .item = *item};
    pthread_cond_signal(&sender->work);
    sender->tail++;
    sender->ended = sender->ended || item->kind == WIRE_KIND_END;
}

static void drop(struct slot *slot) {
    free(slot->item.owned);
    slot->item.owned = NULL;
}

// --- Encoder ---

static uint8_t *take_frame(struct wire_sender *sender, struct failure *failure) {
    if (sender->spare_count > 0)
        return sender->spare_frames[--sender->spare_count];
    return wire_secret_buffer(WIRE_FRAME_MAX, failure);
}

// What the writer waits for is always encoded.
static bool may_encode(const struct wire_sender *sender, uint64_t sequence) {
    return sequence == sender->head || sender->waiting < AHEAD;
}

// Waits for the item and claims it. Returns NULL when it is time to end.
static struct slot *claim(struct wire_sender *sender, uint64_t sequence, int *level) {
    struct slot *slot = NULL;
    LOCKED(&sender->mutex);
    while (!sender->stop && !sender->lost &&
           (sequence >= sender->tail || !may_encode(sender, sequence)))
        pthread_cond_wait(&sender->work, &sender->mutex);
    if (!sender->stop && !sender->lost) {
        slot = slot_of(sender, sequence);
        struct failure failure;
        slot->frame = take_frame(sender, &failure);
        if (slot->frame) {
            slot->state = SLOT_ENCODING;
            *level = slot->item.kind == WIRE_KIND_DATA
                         ? wire_tuner_level(&sender->tuner, sender->waiting, slot->item.length)
                         : 0;
        } else {
            sender->lost = true;
            refuse(sender, &failure);
            pthread_cond_signal(&sender->ready);
            slot = NULL;
        }
    }
    return slot;
}

static int encode(struct wire_sender *sender, struct slot *slot, uint64_t sequence, int level,
                  struct wire_encoded *encoded, struct failure *failure) {
    const struct wire_outgoing *item = &slot->item;
    struct wire_item_head head = {.sequence = sequence,
                                  .kind = item->kind,
                                  .type = item->type,
                                  .length = (uint32_t)item->length};
    if (item->kind == WIRE_KIND_DATA)
        wire_encode(&sender->encoder, item->bytes, item->length, level, &head, encoded);
    else
        *encoded = (struct wire_encoded){.body = item->bytes, .length = item->length};
    return wire_frame_seal(&sender->cipher, &head, encoded->body, encoded->length, slot->frame,
                           &slot->frame_length, failure);
}

static void publish(struct wire_sender *sender, struct slot *slot, uint64_t sequence,
                    const struct wire_encoded *encoded, double seconds) {
    LOCKED(&sender->mutex);
    struct wire_statistics *statistics = &sender->statistics;
    if (slot->item.kind == WIRE_KIND_DATA) {
        size_t used = encoded->zstd_in ? encoded->zstd_in : encoded->length;
        statistics->sent_data_bytes += slot->item.length;
        statistics->zero_bytes += slot->item.length - used;
        statistics->compressed_in += encoded->zstd_in;
        statistics->compressed_out += encoded->zstd_out;
    }
    if (encoded->zstd_in)
        wire_tuner_packed(&sender->tuner, encoded->zstd_in, encoded->zstd_out, seconds);
    slot->state = SLOT_READY;
    sender->waiting += slot->frame_length;
    if (sequence == sender->head)
        pthread_cond_signal(&sender->ready);
}

static void *run_encoder(void *context) {
    struct wire_sender *sender = context;
    int level = 0;
    struct slot *slot;
    for (uint64_t sequence = FIRST; (slot = claim(sender, sequence, &level)) != NULL; sequence++) {
        int64_t started = now_ns();
        struct wire_encoded encoded;
        struct failure failure;
        if (encode(sender, slot, sequence, level, &encoded, &failure) < 0) {
            lose(sender, &failure);
            break;
        }
        publish(sender, slot, sequence, &encoded, (double)(now_ns() - started) / 1e9);
    }
    return NULL;
}

// --- Writer ---

// Waits until the pacer lets bytes go. Returns their number, 0 when it is time to end.
static size_t pace(struct wire_sender *sender, size_t wanted) {
    size_t allowed = 0;
    for (bool stop = false; allowed == 0 && !stop;) {
        int64_t wait_ns = 0;
        allowed = wire_pacer_allow(&sender->pacer, now_ns(), wanted, &wait_ns);
        int64_t until = now_ns() + wait_ns;
        pthread_mutex_lock(&sender->mutex);
        if (sender->unpaced)
            allowed = wanted;
        while (allowed == 0 && !sender->stop && !sender->unpaced &&
               condition_wait(&sender->ready, &sender->mutex, until)) {
        }
        stop = sender->stop;
        pthread_mutex_unlock(&sender->mutex);
    }
    return allowed;
}

// Cuts the parts to what one write may take. Returns how many are left, and *bytes in them.
static size_t cut_to_piece(struct iovec *parts, size_t count, size_t most, size_t *bytes) {
    size_t used = 0;
    for (*bytes = 0; used < count && *bytes < most; used++) {
        if (parts[used].iov_len > most - *bytes)
            parts[used].iov_len = most - *bytes;
        *bytes += parts[used].iov_len;
    }
    return used;
}

// Waits for frames in the items' order; an idle connection gets a keepalive. Returns how many are
// ready, 0 when it is time to end.
static size_t await_frames(struct wire_sender *sender, struct iovec *parts) {
    LOCKED(&sender->mutex);
    int64_t idle_at = deadline_in_ms(sender->timing.keepalive_ms);
    while (!sender->stop && !sender->lost &&
           (sender->head == sender->tail || slot_of(sender, sender->head)->state != SLOT_READY)) {
        if (condition_wait(&sender->ready, &sender->mutex, idle_at))
            continue;
        if (sender->head == sender->tail && !sender->ended && !sender->refused)
            append(sender,
                   &(struct wire_outgoing){.kind = WIRE_KIND_MESSAGE, .type = WIRE_KEEPALIVE});
        idle_at = deadline_in_ms(sender->timing.keepalive_ms);
    }
    size_t count = 0;
    for (uint64_t at = sender->head; !sender->stop && !sender->lost && at < sender->tail &&
                                     slot_of(sender, at)->state == SLOT_READY;
         at++, count++) {
        const struct slot *slot = slot_of(sender, at);
        size_t skip = at == sender->head ? sender->written : 0;
        parts[count] = (struct iovec){slot->frame + skip, slot->frame_length - skip};
    }
    return count;
}

static void retire(struct wire_sender *sender, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct wire_outgoing *item = &slot_of(sender, sender->head + i)->item;
        if (item->done)
            item->done(item->context, item->bytes, item->length);
    }
    LOCKED(&sender->mutex);
    for (size_t i = 0; i < count; i++) {
        struct slot *slot = slot_of(sender, sender->head++);
        drop(slot);
        sender->spare_frames[sender->spare_count++] = slot->frame;
        slot->frame = NULL;
    }
    pthread_cond_signal(&sender->work);
    pthread_cond_broadcast(&sender->room);
}

// Notes what the socket took, and returns how many frames that completes.
static size_t account(struct wire_sender *sender, size_t sent, double seconds) {
    size_t completed = 0;
    LOCKED(&sender->mutex);
    sender->statistics.sent_bytes += sent;
    sender->waiting -= sent;
    wire_tuner_wrote(&sender->tuner, sent, seconds);
    sender->written += sent;
    for (uint64_t at = sender->head;
         at < sender->tail && slot_of(sender, at)->state == SLOT_READY &&
         sender->written >= slot_of(sender, at)->frame_length;
         at++, completed++)
        sender->written -= slot_of(sender, at)->frame_length;
    return completed;
}

static int write_some(struct wire_sender *sender, struct iovec *parts, size_t count,
                      struct failure *failure) {
    int64_t started = now_ns();
    size_t wanted = 0;
    count = cut_to_piece(parts, count, PIECE, &wanted);
    size_t allowed = pace(sender, wanted);
    if (allowed == 0)
        return fail(failure, EXIT_INTERRUPTED, "the connection is being closed");
    count = cut_to_piece(parts, count, allowed, &wanted);
    ssize_t sent = wire_socket_write(sender->fd, parts, count, failure);
    if (sent < 0)
        return -1;
    double seconds = (double)(now_ns() - started) / 1e9;
    retire(sender, account(sender, (size_t)sent, seconds));
    return 0;
}

static void *run_writer(void *context) {
    struct wire_sender *sender = context;
    struct iovec parts[QUEUE];
    struct failure failure;
    size_t count;
    while ((count = await_frames(sender, parts)) > 0) {
        if (write_some(sender, parts, count, &failure) < 0) {
            lose(sender, &failure);
            break;
        }
    }
    return NULL;
}

// --- For the caller ---

static void start_state(struct wire_sender *sender, const struct wire_options *options) {
    pthread_mutex_init(&sender->producing, NULL);
    pthread_mutex_init(&sender->mutex, NULL);
    condition_init(&sender->ready);
    condition_init(&sender->room);
    condition_init(&sender->work);
    wire_pacer_init(&sender->pacer, options->bandwidth, options->bandwidth_context);
    wire_tuner_init(&sender->tuner, options->compress);
    sender->head = FIRST;
    sender->tail = FIRST;
}

static int start_threads(struct wire_sender *sender, struct failure *failure) {
    if (wire_encoder_open(&sender->encoder, failure) < 0 ||
        worker_start(&sender->encoding, run_encoder, sender, failure) < 0)
        return -1;
    return worker_start(&sender->writer, run_writer, sender, failure);
}

struct wire_sender *wire_sender_open(int fd, const struct wire_session *session,
                                     const struct wire_options *options,
                                     const struct wire_timing *timing, struct failure *failure) {
    struct wire_sender *sender = calloc(1, sizeof *sender);
    if (!sender)
        return NULL_WITH(fail_errno(failure, EXIT_SPACE, "no memory for a connection"));
    sender->fd = fd;
    sender->cipher = session->sending;
    sender->timing = *timing;
    sender->statistics.sent_bytes = WIRE_HELLO + WIRE_PROOF;
    start_state(sender, options);
    if (start_threads(sender, failure) == 0)
        return sender;
    wire_sender_close(sender);
    return NULL;
}

static int put_one(struct wire_sender *sender, const struct wire_outgoing *item,
                   struct failure *failure) {
    int status = 0;
    pthread_mutex_lock(&sender->mutex);
    while (!sender->refused && !sender->ended && sender->tail - sender->head == QUEUE)
        pthread_cond_wait(&sender->room, &sender->mutex);
    if (sender->refused) {
        *failure = sender->refusal;
        status = -1;
    } else if (sender->ended) {
        status = fail(failure, EXIT_INTERNAL, "the end of the stream was sent already");
    } else {
        append(sender, item);
    }
    pthread_mutex_unlock(&sender->mutex);
    if (status < 0)
        free(item->owned);
    return status;
}

int wire_sender_put(struct wire_sender *sender, const struct wire_outgoing *items, size_t count,
                    struct failure *failure) {
    int status = 0;
    LOCKED(&sender->producing);
    for (size_t i = 0; i < count; i++) {
        if (status == 0)
            status = put_one(sender, &items[i], failure);
        else
            free(items[i].owned);
    }
    return status;
}

int wire_sender_flush(struct wire_sender *sender, int64_t deadline_ns, struct failure *failure) {
    int status = 0;
    LOCKED(&sender->mutex);
    uint64_t target = sender->tail;
    while (sender->head < target && status == 0) {
        if (sender->refused) {
            *failure = sender->refusal;
            status = -1;
        } else if (!condition_wait(&sender->room, &sender->mutex, deadline_ns) &&
                   sender->head < target && !sender->refused) {
            status = fail(failure, EXIT_DEADLINE, "the peer didn't take everything in time");
        }
    }
    return status;
}

int wire_sender_idle(struct wire_sender *sender, int64_t deadline_ns, struct failure *failure) {
    LOCKED(&sender->mutex);
    while (!sender->refused && condition_wait(&sender->room, &sender->mutex, deadline_ns)) {
    }
    if (sender->refused)
        *failure = sender->refusal;
    return sender->refused ? -1 : 0;
}

void wire_sender_refuse(struct wire_sender *sender, const struct failure *why) {
    LOCKED(&sender->mutex);
    refuse(sender, why);
}

int wire_sender_put_last(struct wire_sender *sender, const struct wire_outgoing *item,
                         int64_t deadline_ns) {
    LOCKED(&sender->mutex);
    while (!sender->ended && sender->tail > sender->head &&
           slot_of(sender, sender->tail - 1)->state == SLOT_QUEUED)
        drop(slot_of(sender, --sender->tail));
    sender->unpaced = true;
    pthread_cond_signal(&sender->ready);
    // Small items may all be encoded already: then there is room when the writer has made some.
    while (!sender->lost && !sender->ended && sender->tail - sender->head == QUEUE &&
           condition_wait(&sender->room, &sender->mutex, deadline_ns)) {
    }
    bool possible = !sender->lost && !sender->ended && sender->tail - sender->head < QUEUE;
    if (possible) {
        append(sender, item);
        while (!sender->lost && sender->head < sender->tail &&
               condition_wait(&sender->room, &sender->mutex, deadline_ns)) {
        }
        possible = sender->head == sender->tail;
    } else {
        free(item->owned);
    }
    return possible ? 0 : -1;
}

void wire_sender_statistics(struct wire_sender *sender, struct wire_statistics *statistics) {
    LOCKED(&sender->mutex);
    *statistics = sender->statistics;
}

static void stop_threads(struct wire_sender *sender) {
    pthread_mutex_lock(&sender->mutex);
    sender->stop = true;
    pthread_cond_broadcast(&sender->work);
    pthread_cond_broadcast(&sender->ready);
    pthread_cond_broadcast(&sender->room);
    pthread_mutex_unlock(&sender->mutex);
    worker_join(&sender->encoding);
    worker_join(&sender->writer);
}

void wire_sender_close(struct wire_sender *sender) {
    if (!sender)
        return;
    stop_threads(sender);
    for (; sender->head < sender->tail; sender->head++) {
        struct slot *slot = slot_of(sender, sender->head);
        drop(slot);
        free(slot->frame);
    }
    while (sender->spare_count > 0)
        free(sender->spare_frames[--sender->spare_count]);
    wire_encoder_close(&sender->encoder);
    pthread_cond_destroy(&sender->work);
    pthread_cond_destroy(&sender->ready);
    pthread_cond_destroy(&sender->room);
    pthread_mutex_destroy(&sender->mutex);
    pthread_mutex_destroy(&sender->producing);
    sodium_memzero(sender, sizeof *sender);
    free(sender);
}
