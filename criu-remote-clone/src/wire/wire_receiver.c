// SPDX-License-Identifier: Apache-2.0
// The receiving half of a connection: see wire_receiver.h.
//
//   socket  ->  reader  ->  ring  ->  decoder: decrypt, unzstd, zero pages  ->  wire_next
//
// Frames live in a ring, at their item's sequence number modulo its size, from head (the next to
// be delivered) to tail (the next to be read). All of this is guarded by one mutex, which nobody
// holds while working.
#include "wire_receiver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "clone_wire.pb-c.h"
#include "descriptors.h"
#include "threads.h"
#include "wire_encoding.h"
#include "wire_socket.h"

#define READ_AHEAD 16
#define FIRST 1 // item: 0 was the handshake's

// A frame on its way to becoming an item. Its two buffers change roles: what is decrypted from the
// first into the second is decompressed back into the first.
struct job {
    struct wire_receiver *receiver;
    struct job *next_spare;
    struct job *next_of_all;
    uint8_t start[WIRE_FRAME_START];
    uint8_t *sealed; // WIRE_SEALED_MAX
    size_t sealed_length;
    uint8_t *plain; // WIRE_CHUNK
    size_t used;    // of either buffer, so far
    bool decoded;
    struct wire_item_head head;
    uint8_t *bytes;
    size_t length;
    uint8_t *message; // put together from pieces, owned; NULL: `bytes` is in a buffer
};

struct wire_receiver {
    int fd;
    int poll_fd;
    void (*broken)(void *context, const struct failure *why);
    void *context;
    struct wire_cipher cipher; // the decoder's own
    ZSTD_DCtx *zstd;           // so is this
    pthread_t decoder;
    bool decoder_started;
    pthread_t reader;
    bool reader_started;

    pthread_mutex_t mutex; // everything below
    pthread_cond_t work;   // the decoder may have something to do
    pthread_cond_t ready;  // an item can be delivered, or none will come
    pthread_cond_t moved;  // the head has moved, an item was decoded, or the stream has ended
    struct job *ring[READ_AHEAD];
    uint64_t head, tail;
    unsigned undecoded;
    struct job *spares; // the one used last first: it is still in the caches
    struct job *all;
    struct { // a message that comes in pieces
        enum wire_type type;
        uint8_t *bytes;
        size_t length;
    } assembly;
    bool ended;         // the end was decoded
    bool reader_done;   // nothing more will be read
    uint64_t broken_at; // the first item that will never be delivered, and why
    struct failure breakage;
    bool aborted; // the peer has given up, and why
    struct failure abort_reason;
    bool signalled; // the state of poll_fd
    bool stop;
    struct wire_statistics statistics;
};

static struct job *job_at(const struct wire_receiver *receiver, uint64_t sequence) {
    return receiver->ring[sequence % READ_AHEAD];
}

// --- State; the mutex is held ---

static struct job *new_job(struct wire_receiver *receiver, struct failure *failure) {
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return NULL_WITH(fail_errno(failure, EXIT_SPACE, "no memory for a transfer buffer"));
    job->receiver = receiver;
    job->next_of_all = receiver->all;
    receiver->all = job;
    job->sealed = wire_secret_buffer(WIRE_SEALED_MAX, failure);
    if (!job->sealed)
        return NULL;
    job->plain = wire_secret_buffer(WIRE_CHUNK, failure);
    return job->plain ? job : NULL;
}

static struct job *take_job(struct wire_receiver *receiver, struct failure *failure) {
    struct job *job = receiver->spares;
    if (!job)
        return new_job(receiver, failure);
    receiver->spares = job->next_spare;
    job->decoded = false;
    return job;
}

static void recycle(struct job *job) {
    free(job->message);
    job->message = NULL;
    job->next_spare = job->receiver->spares;
    job->receiver->spares = job;
}

static void note_use(struct job *job, size_t length) {
    job->used = length > job->used ? length : job->used;
}

static bool is_ready(const struct wire_receiver *receiver) {
    return receiver->aborted || receiver->head == receiver->broken_at ||
           (receiver->head < receiver->tail && job_at(receiver, receiver->head)->decoded);
}

static void update_readiness(struct wire_receiver *receiver) {
    bool ready = is_ready(receiver);
    if (ready)
        pthread_cond_broadcast(&receiver->ready);
    if (ready == receiver->signalled)
        return;
    if (ready)
        receiver->signalled = eventfd_write(receiver->poll_fd, 1) == 0;
    else
        receiver->signalled = eventfd_read(receiver->poll_fd, &(eventfd_t){0}) != 0;
}

static void break_stream(struct wire_receiver *receiver, uint64_t at, const struct failure *why) {
    if (at >= receiver->broken_at)
        return;
    receiver->broken_at = at;
    receiver->breakage = *why;
    receiver->broken(receiver->context, why);
}

static void pop(struct wire_receiver *receiver) {
    receiver->head++;
    pthread_cond_broadcast(&receiver->moved);
}

// Adds a job's bytes to the message that is being put together.
static int assemble(struct wire_receiver *receiver, const struct job *job,
                    struct failure *failure) {
    bool fits = receiver->assembly.type == 0 || receiver->assembly.type == job->head.type;
    if (!fits || receiver->assembly.length + job->length > WIRE_MESSAGE_MAX)
        return fail(failure, EXIT_TRANSFER,
                    "the peer sent a message that is too long or in pieces that don't fit: use the "
                    "same criu-remote-clone on both hosts");
    size_t length = receiver->assembly.length + job->length;
    uint8_t *bytes = realloc(receiver->assembly.bytes, length + 1);
    if (!bytes)
        return fail_errno(failure, EXIT_SPACE, "no memory for a message of %zu bytes", length);
    memcpy(bytes + receiver->assembly.length, job->bytes, job->length);
    receiver->assembly.bytes = bytes;
    receiver->assembly.length = length;
    receiver->assembly.type = job->head.type;
    return 0;
}

// The last piece: its job now carries the whole message.
static int complete(struct wire_receiver *receiver, struct job *job, struct failure *failure) {
    if (job->head.kind != WIRE_KIND_MESSAGE)
        return fail(failure, EXIT_TRANSFER,
                    "the peer interrupted a message: use the same criu-remote-clone on both hosts");
    if (assemble(receiver, job, failure) < 0)
        return -1;
    job->message = receiver->assembly.bytes;
    job->bytes = receiver->assembly.bytes;
    job->length = receiver->assembly.length;
    memset(&receiver->assembly, 0, sizeof receiver->assembly);
    return 0;
}

// Takes what isn't for the caller off the head: keepalives, and pieces of messages. Returns true
// if there may be more.
static bool settle_one(struct wire_receiver *receiver) {
    if (receiver->head == receiver->tail || receiver->head == receiver->broken_at ||
        !job_at(receiver, receiver->head)->decoded)
        return false;
    struct job *job = job_at(receiver, receiver->head);
    struct failure failure;
    int status = 0;
    bool internal = job->head.kind == WIRE_KIND_PIECE ||
                    (job->head.kind == WIRE_KIND_MESSAGE && job->head.type == WIRE_KEEPALIVE);
    if (job->head.kind == WIRE_KIND_PIECE)
        status = assemble(receiver, job, &failure);
    else if (!internal && receiver->assembly.type != 0)
        status = complete(receiver, job, &failure);
    if (status < 0) {
        break_stream(receiver, receiver->head, &failure);
        return false;
    }
    if (internal) {
        recycle(job);
        pop(receiver);
    }
    return internal;
}

static void settle(struct wire_receiver *receiver) {
    while (settle_one(receiver)) {
    }
    update_readiness(receiver);
}

// --- Decoder ---

static struct job *await_job(struct wire_receiver *receiver, uint64_t sequence) {
    LOCKED(&receiver->mutex);
    while (!receiver->stop && sequence >= receiver->tail)
        pthread_cond_wait(&receiver->work, &receiver->mutex);
    return receiver->stop ? NULL : job_at(receiver, sequence);
}

static int decode(struct wire_receiver *receiver, struct job *job, uint64_t sequence,
                  struct failure *failure) {
    size_t body_length = 0;
    if (wire_frame_open(&receiver->cipher, job->start, job->sealed, job->sealed_length, &job->head,
                        job->plain, &body_length, failure) < 0)
        return -1;
    if (job->head.sequence != sequence)
        return fail(failure, EXIT_TRANSFER,
                    "the peer's items came out of order: the connection "
                    "was tampered with");
    job->bytes = job->plain;
    job->length = job->head.length;
    note_use(job, job->length);
    if (job->head.kind != WIRE_KIND_DATA)
        return 0;
    return wire_decode(receiver->zstd, &job->head, job->plain, body_length, job->sealed,
                       &job->bytes, failure);
}

// Only exit codes we know; fail() leaves no control characters in the words.
static void read_abort(const struct job *job, struct failure *reason) {
    CloneWire__Abort *abort = clone_wire__abort__unpack(NULL, job->length, job->bytes);
    if (!abort) {
        fail(reason, EXIT_TRANSFER, "the peer gave up without saying why");
        return;
    }
    bool known = abort->exit_code >= EXIT_USAGE && abort->exit_code <= EXIT_INTERNAL;
    fail(reason, known ? (enum exit_code)abort->exit_code : EXIT_PEER, "peer: %s", abort->reason);
    clone_wire__abort__free_unpacked(abort, NULL);
}

// Abort doesn't wait for its turn: nobody needs what was sent before it.
static void take_abort(struct wire_receiver *receiver, const struct job *job) {
    if (job->head.kind != WIRE_KIND_MESSAGE || job->head.type != WIRE_ABORT || receiver->aborted)
        return;
    read_abort(job, &receiver->abort_reason);
    receiver->aborted = true;
    receiver->broken(receiver->context, &receiver->abort_reason);
}

static void publish(struct wire_receiver *receiver, struct job *job, uint64_t sequence,
                    const struct failure *failure) {
    LOCKED(&receiver->mutex);
    if (failure) {
        break_stream(receiver, sequence, failure);
    } else {
        job->decoded = true;
        take_abort(receiver, job);
        receiver->ended = receiver->ended || job->head.kind == WIRE_KIND_END;
        if (job->head.kind == WIRE_KIND_DATA)
            receiver->statistics.received_data_bytes += job->length;
    }
    receiver->undecoded--;
    pthread_cond_broadcast(&receiver->moved);
    settle(receiver);
}

static void *run_decoder(void *context) {
    struct wire_receiver *receiver = context;
    struct job *job;
    for (uint64_t sequence = FIRST; (job = await_job(receiver, sequence)) != NULL; sequence++) {
        struct failure failure;
        int status = decode(receiver, job, sequence, &failure);
        publish(receiver, job, sequence, status < 0 ? &failure : NULL);
    }
    return NULL;
}

// --- Reader ---

// Waits for room in the ring. Returns NULL when nothing more is wanted, or with a failure.
static struct job *await_room(struct wire_receiver *receiver, struct failure *failure) {
    LOCKED(&receiver->mutex);
    while (!receiver->stop && receiver->tail - receiver->head == READ_AHEAD)
        pthread_cond_wait(&receiver->moved, &receiver->mutex);
    if (!receiver->stop && !receiver->ended && receiver->broken_at == UINT64_MAX)
        return take_job(receiver, failure);
    fail(failure, EXIT_INTERNAL, "the stream has ended already");
    return NULL;
}

static int read_frame(struct wire_receiver *receiver, struct job *job, struct failure *failure) {
    if (wire_socket_read(receiver->fd, job->start, WIRE_FRAME_START, failure) < 0)
        return -1;
    job->sealed_length = wire_frame_start(job->start, failure);
    if (job->sealed_length == 0)
        return -1;
    note_use(job, job->sealed_length);
    return wire_socket_read(receiver->fd, job->sealed, job->sealed_length, failure);
}

static void hand_over(struct wire_receiver *receiver, struct job *job) {
    LOCKED(&receiver->mutex);
    receiver->statistics.received_bytes += WIRE_FRAME_START + job->sealed_length;
    receiver->ring[receiver->tail % READ_AHEAD] = job;
    pthread_cond_signal(&receiver->work);
    receiver->tail++;
    receiver->undecoded++;
}

// Whether the connection has ended properly is known when all that came is decoded.
static void finish_reading(struct wire_receiver *receiver, const struct failure *failure) {
    LOCKED(&receiver->mutex);
    while (!receiver->stop && receiver->undecoded > 0)
        pthread_cond_wait(&receiver->moved, &receiver->mutex);
    if (!receiver->stop && !receiver->ended && receiver->broken_at == UINT64_MAX)
        break_stream(receiver, receiver->tail, failure);
    receiver->reader_done = true;
    pthread_cond_broadcast(&receiver->moved);
    settle(receiver);
}

static void *run_reader(void *context) {
    struct wire_receiver *receiver = context;
    struct failure failure;
    struct job *job;
    while ((job = await_room(receiver, &failure)) != NULL &&
           read_frame(receiver, job, &failure) == 0)
        hand_over(receiver, job);
    finish_reading(receiver, &failure);
    return NULL;
}

// --- For the caller ---

static int start_threads(struct wire_receiver *receiver, struct failure *failure) {
    receiver->zstd = ZSTD_createDCtx();
    if (!receiver->zstd)
        return fail(failure, EXIT_SPACE, "no memory for a decompressor");
    if (thread_start(&receiver->decoder, run_decoder, receiver, failure) < 0)
        return -1;
    receiver->decoder_started = true;
    if (thread_start(&receiver->reader, run_reader, receiver, failure) < 0)
        return -1;
    receiver->reader_started = true;
    return 0;
}

static void start_state(struct wire_receiver *receiver) {
    pthread_mutex_init(&receiver->mutex, NULL);
    condition_init(&receiver->ready);
    condition_init(&receiver->moved);
    condition_init(&receiver->work);
    receiver->head = FIRST;
    receiver->tail = FIRST;
    receiver->broken_at = UINT64_MAX;
}

struct wire_receiver *wire_receiver_open(int fd, const struct wire_session *session,
                                         void (*broken)(void *context, const struct failure *why),
                                         void *context, struct failure *failure) {
    struct wire_receiver *receiver = calloc(1, sizeof *receiver);
    if (!receiver)
        return NULL_WITH(fail_errno(failure, EXIT_SPACE, "no memory for a connection"));
    receiver->fd = fd;
    receiver->cipher = session->receiving;
    receiver->broken = broken;
    receiver->context = context;
    receiver->statistics.received_bytes = WIRE_HELLO + WIRE_PROOF;
    start_state(receiver);
    receiver->poll_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (receiver->poll_fd < 0)
        fail_errno(failure, EXIT_UNABLE, "can't make an eventfd");
    else if (start_threads(receiver, failure) == 0)
        return receiver;
    wire_receiver_close(receiver);
    return NULL;
}

static int deliver(struct wire_receiver *receiver, struct wire_item *item,
                   struct failure *failure) {
    if (receiver->aborted) {
        *failure = receiver->abort_reason;
        return -1;
    }
    if (receiver->head == receiver->broken_at) {
        *failure = receiver->breakage;
        return -1;
    }
    struct job *job = job_at(receiver, receiver->head);
    if (job->head.kind == WIRE_KIND_END)
        return 0;
    *item = (struct wire_item){.is_data = job->head.kind == WIRE_KIND_DATA,
                               .type = job->head.type,
                               .bytes = job->bytes,
                               .length = job->length,
                               .internal = job};
    pop(receiver);
    settle(receiver);
    return 1;
}

int wire_receiver_next(struct wire_receiver *receiver, struct wire_item *item, int64_t deadline_ns,
                       struct failure *failure) {
    LOCKED(&receiver->mutex);
    while (!is_ready(receiver) && condition_wait(&receiver->ready, &receiver->mutex, deadline_ns)) {
    }
    return is_ready(receiver)
               ? deliver(receiver, item, failure)
               : fail(failure, EXIT_DEADLINE, "the peer sent nothing within the time limit");
}

void wire_receiver_release(struct wire_item *item) {
    struct job *job = item->internal;
    if (!job)
        return;
    struct wire_receiver *receiver = job->receiver;
    pthread_mutex_lock(&receiver->mutex);
    recycle(job);
    pthread_mutex_unlock(&receiver->mutex);
    item->internal = NULL;
}

bool wire_receiver_await_abort(struct wire_receiver *receiver, int64_t deadline_ns,
                               struct failure *failure) {
    LOCKED(&receiver->mutex);
    while (!receiver->aborted && !receiver->reader_done &&
           condition_wait(&receiver->moved, &receiver->mutex, deadline_ns)) {
    }
    if (receiver->aborted)
        *failure = receiver->abort_reason;
    return receiver->aborted;
}

int wire_receiver_poll_fd(const struct wire_receiver *receiver) {
    return receiver->poll_fd;
}

void wire_receiver_statistics(struct wire_receiver *receiver, struct wire_statistics *statistics) {
    LOCKED(&receiver->mutex);
    *statistics = receiver->statistics;
}

static void stop_threads(struct wire_receiver *receiver) {
    pthread_mutex_lock(&receiver->mutex);
    receiver->stop = true;
    pthread_cond_signal(&receiver->work);
    pthread_cond_broadcast(&receiver->moved);
    pthread_mutex_unlock(&receiver->mutex);
    if (receiver->decoder_started)
        pthread_join(receiver->decoder, NULL);
    if (receiver->reader_started)
        pthread_join(receiver->reader, NULL);
}

static void free_jobs(struct wire_receiver *receiver) {
    while (receiver->all) {
        struct job *job = receiver->all;
        receiver->all = job->next_of_all;
        wire_secret_buffer_free(job->sealed, job->used);
        wire_secret_buffer_free(job->plain, job->used < WIRE_CHUNK ? job->used : WIRE_CHUNK);
        free(job->message);
        free(job);
    }
}

void wire_receiver_close(struct wire_receiver *receiver) {
    if (!receiver)
        return;
    stop_threads(receiver);
    free_jobs(receiver);
    free(receiver->assembly.bytes);
    ZSTD_freeDCtx(receiver->zstd);
    pthread_cond_destroy(&receiver->work);
    pthread_cond_destroy(&receiver->ready);
    pthread_cond_destroy(&receiver->moved);
    pthread_mutex_destroy(&receiver->mutex);
    close_fd(receiver->poll_fd);
    sodium_memzero(receiver, sizeof *receiver);
    free(receiver);
}
