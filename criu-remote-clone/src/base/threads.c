// SPDX-License-Identifier: Apache-2.0
// Threads without signals, and waiting by the monotonic clock.
#include "threads.h"

#include <signal.h>
#include <time.h>

int worker_start(struct worker *worker, void *(*run)(void *), void *context,
                 struct failure *failure) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    errno = pthread_create(&worker->thread, NULL, run, context);
    worker->runs = errno == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return worker->runs ? 0 : fail_errno(failure, EXIT_UNABLE, "can't start a thread");
}

void worker_join(struct worker *worker) {
    if (worker->runs)
        pthread_join(worker->thread, NULL);
    worker->runs = false;
}

pthread_mutex_t *mutex_take(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    return mutex;
}

void mutex_release(pthread_mutex_t *const *mutex) {
    pthread_mutex_unlock(*mutex);
}

void condition_init(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline_ns) {
    int64_t until = deadline_ns < 0 ? 0 : deadline_ns;
    struct timespec at = {.tv_sec = until / 1000000000, .tv_nsec = until % 1000000000};
    return pthread_cond_timedwait(condition, mutex, &at) != ETIMEDOUT;
}
