// SPDX-License-Identifier: Apache-2.0
// Threads that take no signals, and condition variables that wait by the monotonic clock.
#pragma once

#include <pthread.h>

#include "failure.h"

struct worker {
    pthread_t thread;
    bool runs;
};

// Starts `run(context)` with all signals blocked: the process's signals are its main thread's.
int worker_start(struct worker *worker, void *(*run)(void *), void *context,
                 struct failure *failure);
// Waits for its end, if it was started.
void worker_join(struct worker *worker);

// Holds the mutex until the end of the block.
#define LOCKED(mutex)                                                                              \
    __attribute__((cleanup(mutex_release), unused)) pthread_mutex_t *locked_ = mutex_take(mutex)
pthread_mutex_t *mutex_take(pthread_mutex_t *mutex);
void mutex_release(pthread_mutex_t *const *mutex);

void condition_init(pthread_cond_t *condition);

// Waits to be woken, at most until the deadline. Returns false when the deadline has passed.
bool condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline_ns);
