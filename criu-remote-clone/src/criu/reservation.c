#include "reservation.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define THREADS_MAX 3
#define STEP (2ull << 20) // keeps the address space locked, and others wait for that

struct reservation {
    uint8_t *memory;
    uint64_t bytes;
    _Atomic uint64_t next; // the first byte nobody has taken on yet
    atomic_bool stop, full;
    pthread_t threads[THREADS_MAX];
    unsigned thread_count;
};

static void *touch(void *argument) {
    struct reservation *reservation = argument;
    uint64_t at;
    while (!reservation->stop && !reservation->full &&
           (at = atomic_fetch_add(&reservation->next, STEP)) < reservation->bytes) {
        uint64_t left = reservation->bytes - at;
        if (madvise(reservation->memory + at, left < STEP ? left : STEP, MADV_POPULATE_WRITE) < 0 &&
            errno != EINVAL) // before Linux 5.14: the restore pays for the first touches
            reservation->full = true;
    }
    return NULL;
}

struct reservation *reservation_start(uint64_t bytes, struct failure *failure) {
    struct reservation *reservation = calloc(1, sizeof *reservation);
    if (reservation == NULL) {
        fail(failure, EXIT_SPACE, "out of memory");
        return NULL;
    }
    reservation->bytes = bytes;
    void *memory = bytes == 0 ? NULL
                              : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        fail_errno(failure, EXIT_SPACE, "can't reserve %llu MiB for the clone",
                   (unsigned long long)bytes >> 20);
        free(reservation);
        return NULL;
    }
    reservation->memory = memory;
    if (memory != NULL)
        madvise(memory, bytes, MADV_HUGEPAGE); // fewer, larger steps; fine without
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned wanted = processors > THREADS_MAX ? THREADS_MAX
                      : processors > 1         ? (unsigned)processors
                                               : 1;
    while (reservation->thread_count < wanted &&
           pthread_create(&reservation->threads[reservation->thread_count], NULL, touch,
                          reservation) == 0)
        reservation->thread_count++;
    return reservation;
}

static void join(struct reservation *reservation) {
    while (reservation->thread_count > 0)
        pthread_join(reservation->threads[--reservation->thread_count], NULL);
}

int reservation_ready(struct reservation *reservation, struct failure *failure) {
    join(reservation);
    if (reservation->full)
        return fail(failure, EXIT_SPACE,
                    "this host does not have the %llu MiB that the clone needs",
                    (unsigned long long)reservation->bytes >> 20);
    return 0;
}

void reservation_release(struct reservation *reservation) {
    if (reservation == NULL)
        return;
    reservation->stop = true;
    join(reservation);
    if (reservation->memory != NULL)
        munmap(reservation->memory, reservation->bytes);
    free(reservation);
}
