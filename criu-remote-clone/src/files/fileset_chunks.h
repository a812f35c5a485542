// Buffers for bytes on their way into the wire, which gives them back from a thread of its own.
#ifndef CLONE_FILESET_CHUNKS_H
#define CLONE_FILESET_CHUNKS_H

#include <pthread.h>
#include <stddef.h>

struct chunk;

struct chunks {
    pthread_mutex_t mutex;
    struct chunk *all, *idle;
};

void chunks_open(struct chunks *chunks);
// A buffer of WIRE_CHUNK bytes; NULL if out of memory. How many there are at a time is limited by
// the wire's queue.
void *chunks_take(struct chunks *chunks);
// wire_send_data()'s callback; `context` is the struct chunks.
void chunks_give_back(void *context, const void *bytes, size_t length);
// A broken wire keeps what was queued, so it must be closed before.
void chunks_close(struct chunks *chunks);

#endif
