// SPDX-License-Identifier: Apache-2.0
// heap LOG MEGABYTES THREADS: counts and logs as counter does, and has that much memory, whose
// contents THREADS threads verify all the time ("bad slice" if they are wrong). Those with an even
// number sleep in between and wake the next, which waits in a pipe. A fifth field of its lines
// tells how far each of them is: N,N,... SIGTERM: exit code 42.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 64
#define SLICE_WORDS (1u << 15) // 256 KiB

static volatile sig_atomic_t terminated;
static volatile sig_atomic_t continued;
static volatile sig_atomic_t grow;

struct verifier {
    pthread_t thread;
    unsigned number, threads;
    uint64_t *heap;
    size_t slices;
    int pipe[2];
    atomic_ulong rounds;
    int log;
};

static void on_signal(int number) {
    if (number == SIGTERM)
        terminated = 1;
    else if (number == SIGUSR1)
        grow = 1;
    else
        continued++;
}

static unsigned long where(void) {
    struct stat status;
    return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

static uint64_t word(size_t index) {
    return (index + 1) * 0x9e3779b97f4a7c15u;
}

static void *verify(void *argument) {
    struct verifier *verifier = argument;
    for (size_t slice = verifier->number;; slice = (slice + verifier->threads) % verifier->slices) {
        size_t first = slice * SLICE_WORDS;
        for (size_t i = first; i < first + SLICE_WORDS; i++)
            if (verifier->heap[i] != word(i)) {
                dprintf(verifier->log, "bad slice %zu\n", slice);
                return NULL;
            }
        char byte = 0;
        if (verifier->number % 2 == 1 && read(verifier->pipe[0], &byte, 1) != 1)
            dprintf(verifier->log, "bad pipe\n");
        if (verifier->number % 2 == 0) {
            nanosleep(&(struct timespec){0, 500000}, NULL);
            if (write(verifier[1].pipe[1], &byte, 1) != 1)
                dprintf(verifier->log, "bad pipe\n");
        }
        verifier->rounds++;
    }
    return NULL;
}

static void log_line(int log, unsigned long number, unsigned long checksum,
                     const struct verifier *verifiers, unsigned threads) {
    char text[THREADS_MAX * 21 + 1];
    size_t used = 0;
    for (unsigned i = 0; i < threads; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lu", i > 0 ? "," : "",
                                 verifiers[i].rounds);
    dprintf(log, "%lu %lu %lu %d %s\n", number, checksum, where(), (int)continued, text);
}

int main(int argc, char **argv) {
    static struct verifier verifiers[THREADS_MAX];
    int log = argc == 4 ? open(argv[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
    unsigned threads = argc == 4 ? (unsigned)atoi(argv[3]) : 0;
    size_t slices = argc == 4 ? (size_t)atoi(argv[2]) * 4 : 0;
    uint64_t *heap = malloc(slices * SLICE_WORDS * sizeof *heap);
    if (log < 0 || slices == 0 || threads % 2 != 0 || threads > THREADS_MAX || heap == NULL)
        return 2;
    for (size_t i = 0; i < slices * SLICE_WORDS; i++)
        heap[i] = word(i);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGCONT, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (unsigned i = 0; i < threads; i++) {
        struct verifier *verifier = &verifiers[i];
        *verifier = (struct verifier){
            .number = i, .threads = threads, .heap = heap, .slices = slices, .log = log};
        if (pipe(verifier->pipe) < 0)
            return 2;
    }
    for (unsigned i = 0; i < threads; i++)
        if (pthread_create(&verifiers[i].thread, NULL, verify, &verifiers[i]) != 0)
            return 2;
    unsigned long number = 0, checksum = 0;
    while (!terminated) {
        number++;
        checksum = (checksum * 31 + number) % 1000003;
        if (grow) {
            grow = 0;
            memset(malloc(slices * SLICE_WORDS * sizeof *heap), 1,
                   slices * SLICE_WORDS * sizeof *heap);
            dprintf(log, "event grown\n");
        }
        log_line(log, number, checksum, verifiers, threads);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return 42;
}
