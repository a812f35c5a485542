#include "prefault.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define THREADS 2
#define STEP (2ul << 20)    // what one system call takes on; at most 1024 pages
#define RUN_MIN (1ul << 20) // less isn't worth a look
#define LOOK_MS 1
#define DEPTH_MAX 16
#define CHILDREN_MAX 4096

struct prefault {
    pid_t criu, reader;
    struct runs runs;
    _Atomic uint64_t fed;
    int pipe;
    ino_t pipe_number;
    void *nothing; // STEP bytes that nobody may read
    int stop;      // an eventfd
    pthread_t scout, threads[THREADS];
    unsigned thread_count;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t next, end; // what the process is about to fill, and nobody touches yet
    bool ending;
};

// --- where it reads to ---

static bool reads_from(const struct prefault *prefault, pid_t process, unsigned fd) {
    char path[64];
    struct stat facts;
    snprintf(path, sizeof path, "/proc/%d/fd/%u", (int)process, fd);
    return stat(path, &facts) == 0 && facts.st_ino == prefault->pipe_number &&
           S_ISFIFO(facts.st_mode);
}

// Is this process waiting in read(2) of our pipe? Then it says where to.
static bool waits_in_read(const struct prefault *prefault, pid_t process, uint64_t *to) {
    char path[64], text[160];
    snprintf(path, sizeof path, "/proc/%d/syscall", (int)process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    if (got <= 0)
        return false;
    text[got] = '\0';
    long number;
    unsigned long fd, address;
    if (sscanf(text, "%ld 0x%lx 0x%lx", &number, &fd, &address) != 3 || number != SYS_read ||
        !reads_from(prefault, process, (unsigned)fd))
        return false;
    *to = address;
    return true;
}

// Goes through CRIU's descendants until it finds the reader.
static bool find_reader(struct prefault *prefault, pid_t process, int depth, uint64_t *to) {
    if (waits_in_read(prefault, process, to)) {
        prefault->reader = process;
        return true;
    }
    char path[64], text[CHILDREN_MAX];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    int file = depth == DEPTH_MAX ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    char *rest = text, *after;
    for (long child; (child = strtol(rest, &after, 10)) > 0; rest = after)
        if (find_reader(prefault, (pid_t)child, depth + 1, to))
            return true;
    return false;
}

// What it will fill next: how much from `*to` on, or 0 if that can't be told now. Who waits has
// emptied the pipe, so what was fed tells how far in the image it is.
static uint64_t look(struct prefault *prefault, uint64_t *to) {
    uint64_t position = prefault->fed;
    int unread = 0;
    bool waits = prefault->reader > 0 ? waits_in_read(prefault, prefault->reader, to)
                                      : find_reader(prefault, prefault->criu, 0, to);
    if (!waits || ioctl(prefault->pipe, FIONREAD, &unread) < 0 || unread > 0 ||
        prefault->fed != position)
        return 0;
    return runs_rest(&prefault->runs, position);
}

static void *scout_main(void *argument) {
    struct prefault *prefault = argument;
    struct pollfd stop = {.fd = prefault->stop, .events = POLLIN};
    while (poll(&stop, 1, LOOK_MS) == 0) {
        uint64_t to;
        uint64_t bytes = look(prefault, &to);
        if (bytes < RUN_MIN)
            continue;
        pthread_mutex_lock(&prefault->lock);
        if (to + bytes != prefault->end) { // not the run that is known already
            prefault->next = to;
            prefault->end = to + bytes;
            pthread_cond_broadcast(&prefault->changed);
        }
        pthread_mutex_unlock(&prefault->lock);
    }
    return NULL;
}

// --- touching ---

// A write of bytes that can't be read: the kernel makes the pages that it would be to, all of them,
// before it finds that out. A page that has been written meanwhile stays as it is.
static void touch(const struct prefault *prefault, uint64_t at, uint64_t bytes) {
    struct iovec nothing = {.iov_base = prefault->nothing, .iov_len = bytes};
    struct iovec pages = {.iov_base = (void *)(uintptr_t)at, .iov_len = bytes};
    process_vm_writev(prefault->reader, &nothing, 1, &pages, 1, 0);
}

static void *toucher_main(void *argument) {
    struct prefault *prefault = argument;
    pthread_mutex_lock(&prefault->lock);
    for (;;) {
        while (prefault->next >= prefault->end && !prefault->ending)
            pthread_cond_wait(&prefault->changed, &prefault->lock);
        if (prefault->ending)
            break;
        uint64_t at = prefault->next;
        uint64_t left = prefault->end - at;
        uint64_t bytes = left < STEP ? left : STEP;
        prefault->next = at + bytes;
        pthread_mutex_unlock(&prefault->lock);
        touch(prefault, at, bytes);
        pthread_mutex_lock(&prefault->lock);
    }
    pthread_mutex_unlock(&prefault->lock);
    return NULL;
}

static void destroy(struct prefault *prefault) {
    while (prefault->thread_count > 0)
        pthread_join(prefault->threads[--prefault->thread_count], NULL);
    if (prefault->stop >= 0)
        close(prefault->stop);
    if (prefault->nothing != MAP_FAILED)
        munmap(prefault->nothing, STEP);
    pthread_cond_destroy(&prefault->changed);
    pthread_mutex_destroy(&prefault->lock);
    runs_clear(&prefault->runs);
    free(prefault);
}

static void stop_touching(struct prefault *prefault) {
    pthread_mutex_lock(&prefault->lock);
    prefault->ending = true;
    pthread_cond_broadcast(&prefault->changed);
    pthread_mutex_unlock(&prefault->lock);
}

static bool start_threads(struct prefault *prefault) {
    while (prefault->thread_count < THREADS &&
           pthread_create(&prefault->threads[prefault->thread_count], NULL, toucher_main,
                          prefault) == 0)
        prefault->thread_count++;
    return prefault->thread_count > 0 &&
           pthread_create(&prefault->scout, NULL, scout_main, prefault) == 0;
}

struct prefault *prefault_start(pid_t criu, int pipe, struct runs *runs) {
    struct stat facts;
    struct prefault *prefault = calloc(1, sizeof *prefault);
    if (prefault == NULL || fstat(pipe, &facts) < 0) {
        free(prefault);
        runs_clear(runs);
        return NULL;
    }
    prefault->criu = criu;
    prefault->pipe = pipe;
    prefault->pipe_number = facts.st_ino;
    prefault->runs = *runs;
    *runs = (struct runs){0};
    pthread_mutex_init(&prefault->lock, NULL);
    pthread_cond_init(&prefault->changed, NULL);
    prefault->nothing = mmap(NULL, STEP, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    prefault->stop = eventfd(0, EFD_CLOEXEC);
    if (prefault->nothing != MAP_FAILED && prefault->stop >= 0 && start_threads(prefault))
        return prefault;
    stop_touching(prefault);
    destroy(prefault);
    return NULL;
}

void prefault_fed(struct prefault *prefault, size_t bytes) {
    if (prefault != NULL)
        prefault->fed += bytes;
}

void prefault_end(struct prefault *prefault) {
    if (prefault == NULL)
        return;
    stop_touching(prefault);
    eventfd_write(prefault->stop, 1);
    pthread_join(prefault->scout, NULL);
    destroy(prefault);
}
