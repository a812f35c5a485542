#include "fileset_chunks.h"

#include <stdint.h>
#include <stdlib.h>

#include "wire.h"

struct chunk {
    struct chunk *next, *next_idle;
    uint8_t bytes[WIRE_CHUNK];
};

void chunks_open(struct chunks *chunks) {
    *chunks = (struct chunks){0};
    pthread_mutex_init(&chunks->mutex, NULL);
}

void *chunks_take(struct chunks *chunks) {
    pthread_mutex_lock(&chunks->mutex);
    struct chunk *chunk = chunks->idle;
    if (chunk != NULL)
        chunks->idle = chunk->next_idle;
    else if ((chunk = malloc(sizeof *chunk)) != NULL) {
        chunk->next = chunks->all;
        chunks->all = chunk;
    }
    pthread_mutex_unlock(&chunks->mutex);
    return chunk == NULL ? NULL : chunk->bytes;
}

void chunks_give_back(void *context, const void *bytes, size_t length) {
    (void)length;
    struct chunks *chunks = context;
    struct chunk *chunk = (struct chunk *)((uintptr_t)bytes - offsetof(struct chunk, bytes));
    pthread_mutex_lock(&chunks->mutex);
    chunk->next_idle = chunks->idle;
    chunks->idle = chunk;
    pthread_mutex_unlock(&chunks->mutex);
}

void chunks_close(struct chunks *chunks) {
    while (chunks->all != NULL) {
        struct chunk *next = chunks->all->next;
        free(chunks->all);
        chunks->all = next;
    }
    pthread_mutex_destroy(&chunks->mutex);
}
