// SPDX-License-Identifier: Apache-2.0
// Threads and pipes of a dump:
//
//   CRIU --small images' pipes--> receiver --> heap
//        --socket: names, pipes-> receiver
//        --memory's pipe--------> pump --splice--> pipe of a copier --read--> RAM disk, mapped
//
// The pump splices to whichever copier is idle; each copies to the place in the RAM disk that it
// was told. The copiers also allocate and touch that memory before the freeze. One lock guards what
// they tell each other, and nobody holds it while working.
#include "capture.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "deadline.h"
#include "descriptors.h"
#include "memory.h"
#include "scope.h"
#include "secret.h"
#include "streamer.h"
#include "threads.h"

#define COPIERS_MAX 8
#define HUGE_PAGE (2ul << 20)

// One image as it comes in. Small ones grow on the heap, memory goes to the RAM disk.
struct intake {
    struct captured_image image;
    char name[STREAMER_NAME_MAX + 1];
    struct secret heap;
    int pipe;   // -1: at its end
    bool pages; // goes to the RAM disk, through the copiers
};

// A thread that copies what was spliced into its pipe.
struct copier {
    struct capture *capture;
    unsigned number;
    struct worker worker;
    int pipe[2];
    uint8_t *to;
    size_t length; // > 0: busy
    bool touches;  // or is about to
};

struct capture {
    int listener, connection, wake;
    uint8_t *store; // the RAM disk's file, mapped whole
    uint64_t touched, reserved, limit, used, punched;

    struct intake **intakes;
    size_t count;

    struct worker receiver, pump;
    struct copier copiers[COPIERS_MAX];
    unsigned copier_count;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct intake *pumping; // the memory image being taken in
    bool drain_wanted, drained, finished, stop, failed;
    struct failure failure;
};

// Records the first failure; whoever waits returns with it. The caller holds the lock.
static void capture_failed(struct capture *capture, const struct failure *failure) {
    if (!capture->failed) {
        capture->failed = true;
        capture->failure = *failure;
    }
    pthread_cond_broadcast(&capture->changed);
}

static void fail_capture(struct capture *capture, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void fail_capture(struct capture *capture, enum exit_code code, const char *format, ...) {
    struct failure failure = {.code = code};
    FORMAT_INTO(failure.text, format);
    capture_failed(capture, &failure);
}

// Allocates and touches this copier's share of the reserved memory. In steps: whoever gives up
// doesn't wait for all of it. Several threads, because a first touch can be slow: in a virtual
// machine whose host takes free pages back, 1.2 ms for a MiB where 0.25 is usual. Called and
// returns with the lock held.
static void touch_share(struct capture *capture, unsigned share) {
    for (uint64_t at = capture->touched + share * HUGE_PAGE;
         at < capture->reserved && !capture->stop && !capture->failed;
         at += capture->copier_count * HUGE_PAGE) {
        pthread_mutex_unlock(&capture->lock);
        uint64_t left = capture->reserved - at;
        bool full = madvise(capture->store + at, left < HUGE_PAGE ? left : HUGE_PAGE,
                            MADV_POPULATE_WRITE) < 0 &&
                    errno != EINVAL; // before Linux 5.14: the freeze pays for the page faults
        pthread_mutex_lock(&capture->lock);
        if (full)
            fail_capture(capture, EXIT_SPACE,
                         "the RAM disk can't hold the %llu MiB this process needs: free memory or "
                         "raise the memory limit",
                         (unsigned long long)capture->reserved >> 20);
    }
}

static void *copier_main(void *argument) {
    struct copier *copier = argument;
    struct capture *capture = copier->capture;
    pthread_mutex_lock(&capture->lock);
    for (;;) {
        while (copier->length == 0 && !copier->touches && !capture->stop)
            pthread_cond_wait(&capture->changed, &capture->lock);
        if (copier->touches) {
            touch_share(capture, copier->number);
            copier->touches = false;
            pthread_cond_broadcast(&capture->changed);
            continue;
        }
        if (copier->length == 0)
            break;
        uint8_t *to = copier->to;
        size_t left = copier->length;
        pthread_mutex_unlock(&capture->lock);
        while (left > 0) {
            ssize_t got = read(copier->pipe[0], to, left);
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0)
                break;
            to += got;
            left -= (size_t)got;
        }
        pthread_mutex_lock(&capture->lock);
        if (left > 0 && errno == EFAULT) // a page of the store that isn't to be had
            fail_capture(capture, EXIT_SPACE,
                         "the RAM disk is full: free memory or raise the memory limit");
        else if (left > 0)
            fail_capture(capture, EXIT_INTERNAL, "copying the process's memory out of a pipe: %s",
                         strerror(errno));
        copier->length = 0;
        pthread_cond_broadcast(&capture->changed);
    }
    pthread_mutex_unlock(&capture->lock);
    return NULL;
}

static void close_pipe(struct intake *intake) {
    close_fd(intake->pipe);
    intake->pipe = -1;
}

static struct copier *idle_copier(struct capture *capture) {
    for (unsigned i = 0; i < capture->copier_count; i++)
        if (capture->copiers[i].length == 0)
            return &capture->copiers[i];
    return NULL;
}

static bool all_idle(const struct capture *capture) {
    for (unsigned i = 0; i < capture->copier_count; i++)
        if (capture->copiers[i].length > 0)
            return false;
    return true;
}

// Moves one memory image from CRIU's pipe to the copiers. Called and returns with the lock held.
static void pump_image(struct capture *capture, struct intake *intake) {
    intake->image.bytes = capture->store + capture->used;
    for (;;) {
        struct copier *copier;
        while ((copier = idle_copier(capture)) == NULL)
            pthread_cond_wait(&capture->changed, &capture->lock);
        if (capture->failed || capture->stop)
            break;
        pthread_mutex_unlock(&capture->lock);
        ssize_t moved =
            splice(intake->pipe, NULL, copier->pipe[1], NULL, STREAMER_PIPE_BYTES, SPLICE_F_MOVE);
        int number = errno;
        pthread_mutex_lock(&capture->lock);
        if (moved < 0 && number == EINTR)
            continue;
        if (moved == 0)
            break;
        if (moved < 0) {
            fail_capture(capture, EXIT_INTERNAL, "taking the process's memory from CRIU: %s",
                         strerror(number));
            break;
        }
        if (capture->used + (uint64_t)moved > capture->limit) {
            fail_capture(capture, EXIT_SPACE,
                         "the image is larger than the RAM disk's %llu MiB: raise --ram-limit",
                         (unsigned long long)capture->limit >> 20);
            break;
        }
        copier->to = capture->store + capture->used;
        copier->length = (size_t)moved;
        capture->used += (uint64_t)moved;
        intake->image.length += (size_t)moved;
        pthread_cond_broadcast(&capture->changed);
    }
    while (!all_idle(capture))
        pthread_cond_wait(&capture->changed, &capture->lock);
    // On a failure this end is closed early: CRIU then fails and lets the process run.
    close_pipe(intake);
}

static void *pump_main(void *argument) {
    struct capture *capture = argument;
    LOCKED(&capture->lock);
    for (;;) {
        while (capture->pumping == NULL && !capture->stop)
            pthread_cond_wait(&capture->changed, &capture->lock);
        if (capture->pumping == NULL)
            break;
        pump_image(capture, capture->pumping);
        capture->pumping = NULL;
        eventfd_write(capture->wake, 1);
        pthread_cond_broadcast(&capture->changed);
    }
    return NULL;
}

// A new image: small ones are read by the receiver, memory by the pump, one after the other (CRIU
// writes them so).
static int take_request(struct capture *capture, struct failure *failure) {
    char name[STREAMER_NAME_MAX + 1];
    int got = streamer_request(capture->connection, name, failure);
    if (got <= 0)
        return got;
    int pipe = streamer_receive_pipe(capture->connection, failure);
    if (pipe < 0)
        return -1;
    struct intake *intake = must_allocate(sizeof *intake);
    strcpy(intake->name, name);
    intake->pipe = pipe;
    intake->image.name = intake->name;
    intake->pages = streamer_is_memory(name);
    // CRIU opens a pages image right after the pagemap that describes it.
    const char *previous = capture->count > 0 ? capture->intakes[capture->count - 1]->name : "";
    intake->image.memory = intake->pages && strncmp(previous, "pagemap-shmem", 13) != 0;

    LOCKED(&capture->lock);
    must_grow(&capture->intakes, capture->count, sizeof *capture->intakes);
    capture->intakes[capture->count++] = intake;
    if (intake->pages) {
        while (capture->pumping != NULL && !capture->stop)
            pthread_cond_wait(&capture->changed, &capture->lock);
        capture->pumping = intake;
        pthread_cond_broadcast(&capture->changed);
    }
    return 1;
}

// Reads what a small image's pipe holds now.
static int read_small(struct capture *capture, struct intake *intake, struct failure *failure) {
    struct secret *heap = &intake->heap;
    if (capture->used + heap->length > capture->limit + (1u << 20))
        return fail(failure, EXIT_SPACE,
                    "the image is larger than the RAM disk's %llu MiB: raise --ram-limit",
                    (unsigned long long)capture->limit >> 20);
    if (secret_make_room(heap, 65536, failure) < 0)
        return -1;
    intake->image.bytes = heap->bytes;
    ssize_t got = read(intake->pipe, heap->bytes + heap->length, heap->capacity - heap->length);
    if (got < 0 && errno == EINTR)
        return 0;
    if (got < 0)
        return fail_errno(failure, EXIT_INTERNAL, "reading image %s from CRIU", intake->name);
    intake->image.length = heap->length += (size_t)got;
    if (got == 0)
        close_pipe(intake);
    return 0;
}

// What the receiver waits for: the socket, the wake-up, and every open small image.
static size_t poll_set(struct capture *capture, struct pollfd *fds, struct intake **who,
                       size_t room) {
    size_t used = 0;
    int socket = capture->connection >= 0 ? capture->connection : capture->listener;
    fds[used++] = (struct pollfd){.fd = capture->finished ? -1 : socket, .events = POLLIN};
    fds[used++] = (struct pollfd){.fd = capture->wake, .events = POLLIN};
    for (size_t i = 0; i < capture->count && used < room; i++) {
        struct intake *intake = capture->intakes[i];
        if (intake->pages || intake->pipe < 0)
            continue;
        who[used] = intake;
        fds[used++] = (struct pollfd){.fd = intake->pipe, .events = POLLIN};
    }
    return used;
}

// Once no small image is open.
static bool may_be_drained(struct capture *capture) {
    LOCKED(&capture->lock);
    return capture->pumping == NULL && (capture->drain_wanted || capture->finished);
}

static void announce_drained(struct capture *capture) {
    LOCKED(&capture->lock);
    capture->drained = true;
    capture->drain_wanted = false;
    pthread_cond_broadcast(&capture->changed);
}

// One turn of the receiver. The request socket is served first, so that "drained" can't overtake
// an image that CRIU has asked for. Returns 0, or -1 on failure.
static int receiver_turn(struct capture *capture, struct failure *failure) {
    struct pollfd fds[66];
    struct intake *who[66];
    size_t used = poll_set(capture, fds, who, sizeof fds / sizeof fds[0]);

    bool announce = used == 2 && may_be_drained(capture);
    int ready = poll(fds, used, announce ? 0 : -1);
    if (ready < 0 && errno != EINTR)
        return fail_errno(failure, EXIT_INTERNAL, "waiting for CRIU's images");
    if (ready == 0 && announce) {
        announce_drained(capture);
        // Nothing more to say until somebody wakes us.
        ready = poll(fds, used, -1);
    }
    if (ready <= 0)
        return 0;
    if (fds[1].revents != 0)
        eventfd_read(capture->wake, &(eventfd_t){0});
    for (size_t i = 2; i < used; i++)
        if (fds[i].revents != 0 && read_small(capture, who[i], failure) < 0)
            return -1;
    if (fds[0].revents == 0)
        return 0;
    if (capture->connection < 0) {
        capture->connection = accept4(capture->listener, NULL, NULL, SOCK_CLOEXEC);
        return capture->connection < 0 ? fail_errno(failure, EXIT_INTERNAL, "accepting CRIU") : 0;
    }
    int got = take_request(capture, failure);
    if (got == 0) {
        LOCKED(&capture->lock);
        capture->finished = true;
    }
    return got < 0 ? -1 : 0;
}

// CRIU must notice: it fails when its connection, taken up or not, and its pipes break. A pipe that
// is on its way to us breaks only with the connection's end: to shut it down keeps what has come.
static void break_with_criu(struct capture *capture, const struct failure *why) {
    LOCKED(&capture->lock);
    capture_failed(capture, why);
    close_fd(capture->connection);
    capture->connection = -1;
    close(capture->listener);
    capture->listener = -1;
    for (size_t i = 0; i < capture->count; i++)
        if (!capture->intakes[i]->pages)
            close_pipe(capture->intakes[i]);
}

static void *receiver_main(void *argument) {
    struct capture *capture = argument;
    for (;;) {
        struct failure failure;
        pthread_mutex_lock(&capture->lock);
        bool stop = capture->stop, failed = capture->failed;
        pthread_mutex_unlock(&capture->lock);
        if (stop)
            break;
        if (!failed && receiver_turn(capture, &failure) == 0)
            continue;
        break_with_criu(capture, &failure);
        break;
    }
    return NULL;
}

static int map_store(struct capture *capture, const struct ramdisk *disk, struct failure *failure) {
    AUTO_CLOSE int file =
        openat(disk->dir_fd, "memory", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return fail_errno(failure, EXIT_SPACE, "can't make the image's file on the RAM disk");
    if (ftruncate(file, (off_t)capture->limit) < 0)
        return fail_errno(failure, EXIT_SPACE, "can't size the image's file on the RAM disk");
    void *store =
        mmap(NULL, capture->limit, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    // Without a name it goes with us, at once: CRIU still holds the RAM disk if we are killed.
    unlinkat(disk->dir_fd, "memory", 0);
    if (store == MAP_FAILED)
        return fail_errno(failure, EXIT_SPACE, "can't map %llu MiB of RAM disk",
                          (unsigned long long)capture->limit >> 20);
    capture->store = store;
    return 0;
}

static int start_threads(struct capture *capture, struct failure *failure) {
    for (unsigned i = 0; i < capture->copier_count; i++) {
        struct copier *copier = &capture->copiers[i];
        *copier = (struct copier){.capture = capture, .number = i, .pipe = {-1, -1}};
        if (pipe2(copier->pipe, O_CLOEXEC) < 0)
            return fail_errno(failure, EXIT_INTERNAL, "no pipe for copying memory");
        (void)fcntl(copier->pipe[0], F_SETPIPE_SZ, STREAMER_PIPE_BYTES);
        if (worker_start(&copier->worker, copier_main, copier, failure) < 0)
            return -1;
    }
    return worker_start(&capture->pump, pump_main, capture, failure) < 0
               ? -1
               : worker_start(&capture->receiver, receiver_main, capture, failure);
}

struct capture *capture_start(const struct ramdisk *disk, const char *socket_dir,
                              uint64_t limit_bytes, unsigned copiers, struct failure *failure) {
    struct capture *capture = allocate(sizeof *capture, failure);
    if (capture == NULL)
        return NULL;
    capture->connection = -1;
    capture->limit = limit_bytes;
    capture->copier_count = copiers > COPIERS_MAX ? COPIERS_MAX : copiers;
    pthread_mutex_init(&capture->lock, NULL);
    condition_init(&capture->changed);
    capture->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    capture->listener = streamer_listen(socket_dir, "streamer-capture.sock", failure);
    if (capture->listener < 0 || map_store(capture, disk, failure) < 0 ||
        start_threads(capture, failure) < 0) {
        capture_close(capture);
        return NULL;
    }
    return capture;
}

// Waits until something has changed. -1 on a failure, and when the time is up.
static int wait_for_change(struct capture *capture, int64_t deadline_ns, const char *what,
                           struct failure *failure) {
    bool late = !capture->failed && !condition_wait(&capture->changed, &capture->lock, deadline_ns);
    if (capture->failed)
        *failure = capture->failure;
    else if (late)
        fail(failure, EXIT_DEADLINE, "%s took longer than the time limit", what);
    return capture->failed || late ? -1 : 0;
}

static int wait_for(struct capture *capture, const bool *condition, int64_t deadline_ns,
                    const char *what, struct failure *failure) {
    while (capture->failed || !*condition)
        if (wait_for_change(capture, deadline_ns, what, failure) < 0)
            return -1;
    return 0;
}

// The caller holds the lock.
static int await_touched(struct capture *capture, int64_t deadline_ns, struct failure *failure) {
    for (unsigned i = 0; i < capture->copier_count; i++)
        while (capture->copiers[i].touches)
            if (wait_for_change(capture, deadline_ns, "allocating memory", failure) < 0)
                return -1;
    if (capture->failed) {
        *failure = capture->failure;
        return -1;
    }
    capture->touched = capture->reserved;
    return 0;
}

int capture_reserve(struct capture *capture, uint64_t bytes, int64_t deadline_ns,
                    struct failure *failure) {
    if (bytes > capture->limit)
        return fail(failure, EXIT_SPACE,
                    "the process has grown to %llu MiB, and the RAM disk has %llu: try again, or "
                    "raise --ram-limit",
                    (unsigned long long)bytes >> 20, (unsigned long long)capture->limit >> 20);
    // Whole pages, so that what is reserved later begins with one.
    bytes = (bytes + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    LOCKED(&capture->lock);
    if (bytes > capture->reserved)
        capture->reserved = bytes < capture->limit ? bytes : capture->limit;
    for (unsigned i = 0; i < capture->copier_count; i++)
        capture->copiers[i].touches = true;
    pthread_cond_broadcast(&capture->changed);
    return await_touched(capture, deadline_ns, failure);
}

uint64_t capture_reserved(struct capture *capture) {
    LOCKED(&capture->lock);
    return capture->touched;
}

int capture_drain(struct capture *capture, int64_t deadline_ns, struct failure *failure) {
    LOCKED(&capture->lock);
    capture->drained = false;
    capture->drain_wanted = true;
    eventfd_write(capture->wake, 1);
    return wait_for(capture, &capture->drained, deadline_ns, "taking in the image", failure);
}

int capture_finish(struct capture *capture, int64_t deadline_ns, struct failure *failure) {
    {
        LOCKED(&capture->lock);
        if (wait_for(capture, &capture->finished, deadline_ns, "the end of CRIU's images",
                     failure) < 0)
            return -1;
    }
    return capture_drain(capture, deadline_ns, failure);
}

void capture_explain(struct capture *capture, struct failure *failure) {
    LOCKED(&capture->lock);
    if (capture->failed && capture->failure.code == EXIT_SPACE)
        *failure = capture->failure;
}

void capture_abort(struct capture *capture) {
    LOCKED(&capture->lock);
    fail_capture(capture, EXIT_DEADLINE, "the image was given up");
    eventfd_write(capture->wake, 1);
}

size_t capture_count(const struct capture *capture) {
    return capture->count;
}

const struct captured_image *capture_image(const struct capture *capture, size_t index) {
    return &capture->intakes[index]->image;
}

void capture_release(struct capture *capture, const void *bytes, size_t length) {
    const uint8_t *start = bytes;
    if (start < capture->store || start >= capture->store + capture->limit)
        return;
    // Parts come in order. Whole huge pages only: splitting one costs more than it frees.
    uint64_t end = (uint64_t)(start - capture->store) + length;
    if (end == capture->used)
        end = (end + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    end &= ~(HUGE_PAGE - 1);
    if (end > capture->limit)
        end = capture->limit & ~4095ul;
    if (end <= capture->punched)
        return;
    if (madvise(capture->store + capture->punched, end - capture->punched, MADV_REMOVE) == 0)
        capture->punched = end;
}

void capture_close(struct capture *capture) {
    if (capture == NULL)
        return;
    pthread_mutex_lock(&capture->lock);
    capture->stop = true;
    pthread_cond_broadcast(&capture->changed);
    eventfd_write(capture->wake, 1);
    // The pump may sit in splice(): closing CRIU's side is up to CRIU, which has ended by now.
    pthread_mutex_unlock(&capture->lock);
    worker_join(&capture->receiver);
    worker_join(&capture->pump);
    for (unsigned i = 0; i < capture->copier_count && capture->copiers[i].capture != NULL; i++) {
        worker_join(&capture->copiers[i].worker);
        close_fd(capture->copiers[i].pipe[0]);
        close_fd(capture->copiers[i].pipe[1]);
    }
    for (size_t i = 0; i < capture->count; i++) {
        struct intake *intake = capture->intakes[i];
        close_fd(intake->pipe);
        secret_free(&intake->heap);
        free(intake);
    }
    free(capture->intakes);
    if (capture->store != NULL)
        munmap(capture->store, capture->limit);
    close_fd(capture->connection);
    close_fd(capture->listener);
    close(capture->wake);
    pthread_cond_destroy(&capture->changed);
    pthread_mutex_destroy(&capture->lock);
    free(capture);
}
