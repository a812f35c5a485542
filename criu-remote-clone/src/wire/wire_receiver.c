// SPDX-License-Identifier: Apache-2.0
// The receiving half of a connection: see wire_receiver.h.
//
//   socket  ->  reader: decrypt, unzstd, zero pages  ->  ring  ->  wire_next
//
// Items live in a ring, at their sequence number modulo its size, from head (the next to be
// delivered) to tail (the next to be read). All of this is guarded by one mutex, which nobody holds
// while working.
//
// One thread reads and decrypts, and not two: a frame that it has just read is in its processor's
// caches, as is the buffer, which is always the same one.
#include "wire_receiver.h"

#include <sys/eventfd.h>

#include "clone_wire.pb-c.h"
#include "descriptors.h"
#include "threads.h"
#include "wire_encoding.h"
#include "wire_socket.h"

#define READ_AHEAD 16
#define FIRST 1 // item: 0 was the handshake's

struct buffer {
    uint8_t *bytes; // WIRE_SEALED_MAX
    size_t used;    // so far
};

struct job {
    struct wire_receiver *receiver;
    struct job *next_spare;
    struct job *next_of_all;
    struct buffer buffer;
    struct wire_item_head head;
    uint8_t *bytes;
    size_t length;
    uint8_t *message; // put together from pieces, owned; NULL: `bytes` is in the buffer
};

struct wire_receiver {
    int fd;
    int poll_fd;
    void (*broken)(void *context, const struct failure *why);
    void *context;
    struct worker reader;
    struct wire_cipher cipher; // the reader's own, as are the next two
    ZSTD_DCtx *zstd;
    struct buffer sealed; // the frame that it has read

    pthread_mutex_t mutex; // everything below
    pthread_cond_t ready;  // an item can be delivered, or none will come
    pthread_cond_t moved;  // the head has moved, or the stream has ended
    struct job *ring[READ_AHEAD];
    uint64_t head, tail;
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
    job->buffer.bytes = wire_secret_buffer(WIRE_SEALED_MAX, failure);
    return job->buffer.bytes ? job : NULL;
}

static struct job *take_job(struct wire_receiver *receiver, struct failure *failure) {
    struct job *job = receiver->spares;
    if (!job)
        return new_job(receiver, failure);
    receiver->spares = job->next_spare;
    return job;
}

static void recycle(struct job *job) {
    free(job->message);
    job->message = NULL;
    job->next_spare = job->receiver->spares;
    job->receiver->spares = job;
}

static void note_use(struct buffer *buffer, size_t length) {
    buffer->used = length > buffer->used ? length : buffer->used;
}

static bool is_ready(const struct wire_receiver *receiver) {
    return receiver->aborted || receiver->head == receiver->broken_at ||
           receiver->head < receiver->tail;
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
    if (receiver->head == receiver->tail || receiver->head == receiver->broken_at)
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

// Reads the next frame, of *length bytes after its start.
static int read_frame(struct wire_receiver *receiver, uint8_t start[WIRE_FRAME_START],
                      size_t *length, struct failure *failure) {
    if (wire_socket_read(receiver->fd, start, WIRE_FRAME_START, failure) < 0)
        return -1;
    *length = wire_frame_start(start, failure);
    if (*length == 0)
        return -1;
    note_use(&receiver->sealed, *length);
    return wire_socket_read(receiver->fd, receiver->sealed.bytes, *length, failure);
}

// What is decompressed goes back into the frame's buffer, which then changes its role with the
// job's.
static int decode_data(struct wire_receiver *receiver, struct job *job, size_t body_length,
                       struct failure *failure) {
    struct buffer *sealed = &receiver->sealed, decrypted = job->buffer;
    note_use(sealed, job->length);
    if (wire_decode(receiver->zstd, &job->head, decrypted.bytes, body_length, sealed->bytes,
                    &job->bytes, failure) < 0)
        return -1;
    if (job->bytes == sealed->bytes) {
        job->buffer = *sealed;
        *sealed = decrypted;
    }
    return 0;
}

static int receive(struct wire_receiver *receiver, struct job *job, size_t *frame_length,
                   struct failure *failure) {
    uint8_t start[WIRE_FRAME_START];
    size_t length, body_length = 0;
    if (read_frame(receiver, start, &length, failure) < 0)
        return -1;
    *frame_length = WIRE_FRAME_START + length;
    note_use(&job->buffer, length);
    if (wire_frame_open(&receiver->cipher, start, receiver->sealed.bytes, length, &job->head,
                        job->buffer.bytes, &body_length, failure) < 0)
        return -1;
    if (job->head.sequence != receiver->tail)
        return fail(failure, EXIT_TRANSFER,
                    "the peer's items came out of order: the connection "
                    "was tampered with");
    job->bytes = job->buffer.bytes;
    job->length = job->head.length;
    note_use(&job->buffer, job->length);
    return job->head.kind == WIRE_KIND_DATA ? decode_data(receiver, job, body_length, failure) : 0;
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

static void publish(struct wire_receiver *receiver, struct job *job, size_t frame_length) {
    LOCKED(&receiver->mutex);
    take_abort(receiver, job);
    receiver->ended = job->head.kind == WIRE_KIND_END;
    receiver->statistics.received_bytes += frame_length;
    if (job->head.kind == WIRE_KIND_DATA)
        receiver->statistics.received_data_bytes += job->length;
    receiver->ring[receiver->tail++ % READ_AHEAD] = job;
    settle(receiver);
}

static void finish_reading(struct wire_receiver *receiver, const struct failure *failure) {
    LOCKED(&receiver->mutex);
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
    size_t length;
    while ((job = await_room(receiver, &failure)) != NULL &&
           receive(receiver, job, &length, &failure) == 0)
        publish(receiver, job, length);
    finish_reading(receiver, &failure);
    return NULL;
}

// --- For the caller ---

static int start_reader(struct wire_receiver *receiver, struct failure *failure) {
    receiver->zstd = ZSTD_createDCtx();
    if (!receiver->zstd)
        return fail(failure, EXIT_SPACE, "no memory for a decompressor");
    receiver->sealed.bytes = wire_secret_buffer(WIRE_SEALED_MAX, failure);
    return receiver->sealed.bytes == NULL
               ? -1
               : worker_start(&receiver->reader, run_reader, receiver, failure);
}

static void start_state(struct wire_receiver *receiver) {
    pthread_mutex_init(&receiver->mutex, NULL);
    condition_init(&receiver->ready);
    condition_init(&receiver->moved);
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
    else if (start_reader(receiver, failure) == 0)
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

static void stop_reader(struct wire_receiver *receiver) {
    pthread_mutex_lock(&receiver->mutex);
    receiver->stop = true;
    pthread_cond_broadcast(&receiver->moved);
    pthread_mutex_unlock(&receiver->mutex);
    worker_join(&receiver->reader);
}

static void free_jobs(struct wire_receiver *receiver) {
    while (receiver->all) {
        struct job *job = receiver->all;
        receiver->all = job->next_of_all;
        wire_secret_buffer_free(job->buffer.bytes, job->buffer.used);
        free(job->message);
        free(job);
    }
}

void wire_receiver_close(struct wire_receiver *receiver) {
    if (!receiver)
        return;
    stop_reader(receiver);
    free_jobs(receiver);
    wire_secret_buffer_free(receiver->sealed.bytes, receiver->sealed.used);
    free(receiver->assembly.bytes);
    ZSTD_freeDCtx(receiver->zstd);
    pthread_cond_destroy(&receiver->ready);
    pthread_cond_destroy(&receiver->moved);
    pthread_mutex_destroy(&receiver->mutex);
    close_fd(receiver->poll_fd);
    sodium_memzero(receiver, sizeof *receiver);
    free(receiver);
}
