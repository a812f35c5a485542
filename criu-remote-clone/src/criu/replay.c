// SPDX-License-Identifier: Apache-2.0
// The restore's end of CRIU's image streamer. A thread answers CRIU's requests and delivers small
// images from memory; the caller's thread feeds memory images to CRIU's pipes by lending their
// pages.
#include "replay.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sodium.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "deadline.h"
#include "descriptors.h"
#include "memory.h"
#include "streamer.h"
#include "threads.h"

#define READ_CHECK_NS 200000

// A complete image, kept for CRIU, which may ask for it more than once.
struct small_image {
    char name[STREAMER_NAME_MAX + 1];
    uint8_t *bytes;
    size_t length;
};

// A task's memory: passed on, never kept.
struct memory_image {
    char name[STREAMER_NAME_MAX + 1];
    int pipe; // -1: CRIU hasn't asked yet, or it is over
    bool opened;
};

// A small image on its way into a pipe.
struct delivery {
    int pipe;
    const uint8_t *bytes;
    size_t left;
};

struct replay {
    struct small_image *images;
    size_t count;
    struct memory_image *memory;
    size_t memory_count;

    int listener, connection, wake, ended;
    struct delivery *deliveries;
    size_t delivery_count;

    struct worker server;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stop, over; // over: CRIU asks for nothing any more
    bool met;        // CRIU has connected
    bool complete;
};

struct replay *replay_open(struct failure *failure) {
    struct replay *replay = allocate(sizeof *replay, failure);
    if (replay == NULL)
        return NULL;
    replay->listener = replay->connection = replay->ended = -1;
    replay->wake = eventfd(0, EFD_CLOEXEC);
    pthread_mutex_init(&replay->lock, NULL);
    condition_init(&replay->changed);
    return replay;
}

static int check_name(const char *name, struct failure *failure) {
    if (name[0] == '\0' || strlen(name) > STREAMER_NAME_MAX || strchr(name, '/') != NULL)
        return fail(failure, EXIT_IMAGE, "'%.80s' is not the name of an image", name);
    return 0;
}

int replay_add(struct replay *replay, const char *name, const void *bytes, size_t length,
               struct failure *failure) {
    if (check_name(name, failure) < 0)
        return -1;
    if (grow(&replay->images, replay->count, sizeof *replay->images, failure) < 0)
        return -1;
    struct small_image *image = &replay->images[replay->count];
    image->bytes = malloc(length > 0 ? length : 1);
    if (image->bytes == NULL)
        return out_of_memory(failure);
    if (length > 0)
        memcpy(image->bytes, bytes, length);
    image->length = length;
    strcpy(image->name, name);
    replay->count++;
    return 0;
}

size_t replay_count(const struct replay *replay) {
    return replay->count;
}

const char *replay_name(const struct replay *replay, size_t index) {
    return replay->images[index].name;
}

const uint8_t *replay_bytes(const struct replay *replay, size_t index, size_t *length) {
    *length = replay->images[index].length;
    return replay->images[index].bytes;
}

void replay_replace(struct replay *replay, size_t index, void *bytes, size_t length) {
    struct small_image *image = &replay->images[index];
    sodium_memzero(image->bytes, image->length);
    free(image->bytes);
    image->bytes = bytes;
    image->length = length;
}

static const struct small_image *find_small(const struct replay *replay, const char *name) {
    for (size_t i = 0; i < replay->count; i++)
        if (strcmp(replay->images[i].name, name) == 0)
            return &replay->images[i];
    return NULL;
}

// The memory image of that name; CRIU's request and the first bytes may come in either order.
// The caller holds the lock. NULL: out of memory.
static struct memory_image *memory_image(struct replay *replay, const char *name) {
    for (size_t i = 0; i < replay->memory_count; i++)
        if (strcmp(replay->memory[i].name, name) == 0)
            return &replay->memory[i];
    struct failure ignored;
    if (grow(&replay->memory, replay->memory_count, sizeof *replay->memory, &ignored) < 0)
        return NULL;
    struct memory_image *image = &replay->memory[replay->memory_count++];
    *image = (struct memory_image){.pipe = -1};
    strcpy(image->name, name);
    return image;
}

static int start_delivery(struct replay *replay, int pipe, const struct small_image *image) {
    struct failure ignored;
    if (grow(&replay->deliveries, replay->delivery_count, sizeof *replay->deliveries, &ignored) < 0)
        return -1;
    fcntl(pipe, F_SETFL, O_NONBLOCK);
    replay->deliveries[replay->delivery_count++] =
        (struct delivery){.pipe = pipe, .bytes = image->bytes, .left = image->length};
    return 0;
}

// Answers one request. Returns 0, or -1 when the connection is over.
static int answer(struct replay *replay) {
    struct failure ignored;
    char name[STREAMER_NAME_MAX + 1];
    if (streamer_request(replay->connection, name, &ignored) != 1)
        return -1;
    const struct small_image *small = find_small(replay, name);
    bool exists = small != NULL || streamer_is_memory(name);
    if (streamer_reply(replay->connection, exists, &ignored) < 0)
        return -1;
    if (!exists)
        return 0;
    int pipe = streamer_receive_pipe(replay->connection, &ignored);
    if (pipe < 0)
        return -1;
    if (small != NULL) {
        if (start_delivery(replay, pipe, small) == 0)
            return 0;
        close(pipe);
        return -1;
    }
    pthread_mutex_lock(&replay->lock);
    struct memory_image *memory = memory_image(replay, name);
    bool first = memory != NULL && !memory->opened && !replay->complete;
    if (first) {
        memory->pipe = pipe;
        memory->opened = true;
        pthread_cond_broadcast(&replay->changed);
    }
    pthread_mutex_unlock(&replay->lock);
    if (!first)
        close(pipe); // memory is passed on once: CRIU then says that its image is cut short
    return 0;
}

// Writes what the pipe takes now; true when the delivery is over.
static bool deliver(struct delivery *delivery) {
    while (delivery->left > 0) {
        ssize_t put = write(delivery->pipe, delivery->bytes, delivery->left);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0 && errno == EAGAIN)
            return false;
        if (put < 0)
            break; // CRIU closed an image before its end: its right
        delivery->bytes += put;
        delivery->left -= (size_t)put;
    }
    close(delivery->pipe);
    return true;
}

static void deliver_ready(struct replay *replay) {
    size_t kept = 0;
    for (size_t i = 0; i < replay->delivery_count; i++)
        if (!deliver(&replay->deliveries[i]))
            replay->deliveries[kept++] = replay->deliveries[i];
    replay->delivery_count = kept;
}

static bool stopped(struct replay *replay) {
    LOCKED(&replay->lock);
    return replay->stop;
}

static void criu_is_over(struct replay *replay) {
    LOCKED(&replay->lock);
    replay->over = true;
    pthread_cond_broadcast(&replay->changed);
}

static void meet_criu(struct replay *replay) {
    replay->connection = accept4(replay->listener, NULL, NULL, SOCK_CLOEXEC);
    LOCKED(&replay->lock);
    replay->met = true;
    pthread_cond_broadcast(&replay->changed);
}

static void *server_main(void *argument) {
    struct replay *replay = argument;
    while (!stopped(replay)) {
        struct pollfd fds[64];
        nfds_t used = 0;
        fds[used++] = (struct pollfd){.fd = replay->wake, .events = POLLIN};
        int socket = replay->connection >= 0 ? replay->connection : replay->listener;
        fds[used++] = (struct pollfd){.fd = replay->over ? -1 : socket, .events = POLLIN};
        fds[used++] = (struct pollfd){.fd = replay->over ? -1 : replay->ended, .events = POLLIN};
        for (size_t i = 0; i < replay->delivery_count && used < 64; i++)
            fds[used++] = (struct pollfd){.fd = replay->deliveries[i].pipe, .events = POLLOUT};
        if (poll(fds, used, -1) < 0 && errno != EINTR)
            break;
        deliver_ready(replay);
        bool asked = fds[1].revents != 0;
        if (asked && replay->connection < 0)
            meet_criu(replay);
        else if (asked ? answer(replay) < 0 : fds[2].revents != 0)
            criu_is_over(replay);
    }
    return NULL;
}

int replay_listen(struct replay *replay, const char *socket_dir, struct failure *failure) {
    replay->listener = streamer_listen(socket_dir, "streamer-serve.sock", failure);
    return replay->listener < 0 ? -1 : 0;
}

int replay_begin(struct replay *replay, int ended_fd, struct failure *failure) {
    replay->ended = ended_fd;
    return worker_start(&replay->server, server_main, replay, failure);
}

void replay_await_criu(struct replay *replay, int ended_fd, int milliseconds) {
    if (!replay->server.runs) {
        struct pollfd fds[2] = {{.fd = replay->listener, .events = POLLIN},
                                {.fd = ended_fd, .events = POLLIN}};
        poll(fds, 2, milliseconds);
        return;
    }
    int64_t until = deadline_in_ms(milliseconds);
    LOCKED(&replay->lock);
    while (!replay->met && !replay->over &&
           condition_wait(&replay->changed, &replay->lock, until)) {
    }
}

// Waits until CRIU has opened the image; its pipe, or -1.
static int await_pipe(struct replay *replay, const char *name, int64_t deadline_ns,
                      struct failure *failure) {
    pthread_mutex_lock(&replay->lock);
    const struct memory_image *image;
    bool late = false;
    // Looked up anew each time: the array may have moved.
    while ((image = memory_image(replay, name)) != NULL && !image->opened && !replay->over && !late)
        late = !condition_wait(&replay->changed, &replay->lock, deadline_ns);
    int pipe = image == NULL ? -1 : image->pipe;
    pthread_mutex_unlock(&replay->lock);
    if (image == NULL)
        return out_of_memory(failure);
    if (pipe < 0 && late)
        return fail(failure, EXIT_DEADLINE, "CRIU did not ask for %s within the time limit", name);
    if (pipe < 0)
        return fail(failure, EXIT_RESTORE, "CRIU ended without reading %s", name);
    return pipe;
}

static bool has_reader(int pipe) {
    struct pollfd fd = {.fd = pipe};
    return poll(&fd, 1, 0) <= 0 || (fd.revents & POLLERR) == 0;
}

// Waits a moment for `events` of the pipe. -1 when CRIU has ended, or time is up.
static int await_reader(const struct replay *replay, int pipe, short events, const char *name,
                        int64_t deadline_ns, struct failure *failure) {
    // A process half restored may hold the pipe open though CRIU is gone.
    struct pollfd fds[2] = {{.fd = pipe, .events = events},
                            {.fd = replay->ended, .events = POLLIN}};
    // That a pipe was emptied is no event; neither may an ended CRIU's last bytes wait for long.
    struct timespec moment = {.tv_nsec = READ_CHECK_NS};
    int ready = ppoll(fds, 2, &moment, NULL);
    if (ready == 0 && deadline_poll_ms(deadline_ns) == 0)
        return fail(failure, EXIT_DEADLINE, "CRIU did not read %s within the time limit", name);
    if (ready > 0 && fds[0].revents == 0 && fds[1].revents != 0)
        return fail(failure, EXIT_RESTORE, "CRIU ended without reading %s", name);
    return 0;
}

// The pipe refers to our pages: a copy less, and the kernel's lock on the pipe, which CRIU reads
// under, isn't held for the time of one.
int replay_feed(struct replay *replay, const char *name, const void *bytes, size_t length,
                int64_t deadline_ns, struct failure *failure) {
    if (check_name(name, failure) < 0)
        return -1;
    int pipe = await_pipe(replay, name, deadline_ns, failure);
    if (pipe < 0)
        return -1;
    struct iovec left = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = length};
    while (left.iov_len > 0) {
        ssize_t put = vmsplice(pipe, &left, 1, SPLICE_F_NONBLOCK);
        if (put >= 0) {
            left.iov_base = (uint8_t *)left.iov_base + put;
            left.iov_len -= (size_t)put;
        } else if (errno == EAGAIN) {
            if (await_reader(replay, pipe, POLLOUT, name, deadline_ns, failure) < 0)
                return -1;
        } else if (errno != EINTR)
            return fail(failure, EXIT_RESTORE, "CRIU stopped reading %s", name);
    }
    return 0;
}

int replay_await_read(struct replay *replay, const char *name, uint64_t bytes, int64_t deadline_ns,
                      struct failure *failure) {
    int pipe = await_pipe(replay, name, deadline_ns, failure);
    if (pipe < 0)
        return -1;
    int unread = 0;
    while (ioctl(pipe, FIONREAD, &unread) == 0 && (uint64_t)unread > bytes && has_reader(pipe))
        if (await_reader(replay, pipe, 0, name, deadline_ns, failure) < 0)
            return -1;
    return 0;
}

int replay_feed_end(struct replay *replay, const char *name, int64_t deadline_ns,
                    struct failure *failure) {
    int pipe = await_pipe(replay, name, deadline_ns, failure);
    if (pipe < 0 || replay_await_read(replay, name, 0, deadline_ns, failure) < 0)
        return -1;
    pthread_mutex_lock(&replay->lock);
    memory_image(replay, name)->pipe = -1;
    pthread_mutex_unlock(&replay->lock);
    close(pipe);
    return 0;
}

void replay_complete(struct replay *replay) {
    LOCKED(&replay->lock);
    replay->complete = true;
    for (size_t i = 0; i < replay->memory_count; i++) {
        struct memory_image *image = &replay->memory[i];
        close_fd(image->pipe);
        image->pipe = -1;
    }
}

void replay_close(struct replay *replay) {
    if (replay == NULL)
        return;
    pthread_mutex_lock(&replay->lock);
    replay->stop = true;
    pthread_mutex_unlock(&replay->lock);
    eventfd_write(replay->wake, 1);
    worker_join(&replay->server);
    for (size_t i = 0; i < replay->delivery_count; i++)
        close(replay->deliveries[i].pipe);
    for (size_t i = 0; i < replay->memory_count; i++)
        close_fd(replay->memory[i].pipe);
    for (size_t i = 0; i < replay->count; i++) {
        sodium_memzero(replay->images[i].bytes, replay->images[i].length);
        free(replay->images[i].bytes);
    }
    free(replay->images);
    free(replay->memory);
    free(replay->deliveries);
    close_fd(replay->connection);
    close_fd(replay->listener);
    close(replay->wake);
    pthread_cond_destroy(&replay->changed);
    pthread_mutex_destroy(&replay->lock);
    free(replay);
}
