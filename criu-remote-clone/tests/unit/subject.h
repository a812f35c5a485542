// SPDX-License-Identifier: Apache-2.0
// A process to look at: a child without any of the test's descriptors that does as it is told, and
// then waits for its end.
#pragma once

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct subject {
    pid_t pid;
    int error; // errno of a `prepare` that returned -1; 0: it is as wanted
};

static inline void subject_wait_forever(void) {
    for (;;)
        pause();
}

// For `prepare`: a child that does nothing.
static inline pid_t subject_idle_child(void) {
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        subject_wait_forever();
    }
    return pid;
}

// Its descriptors are 0 to 2 on /dev/null, `kept` (or -1), and what `prepare` opens. Returns when
// `prepare` has, which is told through memory: a pipe would be seen as one of the subject's.
static inline struct subject subject_start(int (*prepare)(void *context), void *context, int kept) {
    struct {
        sem_t ready;
        int error;
    } *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(shared != MAP_FAILED);
    sem_init(&shared->ready, 1, 0);
    struct subject subject = {.pid = fork()};
    assert(subject.pid >= 0);
    if (subject.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setsid(); // ours may have begun outside of our PID namespace, which CRIU refuses
        int null = open("/dev/null", O_RDWR);
        for (int fd = 0; fd < 3; fd++)
            dup2(null, fd);
        for (int fd = 3; fd < 256; fd++)
            if (fd != kept)
                close(fd);
        shared->error = prepare(context) < 0 ? errno : 0;
        sem_post(&shared->ready);
        subject_wait_forever();
    }
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 30;
    int waited;
    while ((waited = sem_timedwait(&shared->ready, &limit)) < 0 && errno == EINTR)
        continue;
    assert(waited == 0);
    subject.error = shared->error;
    munmap(shared, sizeof *shared);
    return subject;
}

static inline void subject_end(struct subject *subject) {
    kill(subject->pid, SIGKILL);
    pid_t waited = waitpid(subject->pid, NULL, 0);
    assert(waited == subject->pid);
    (void)waited;
}
