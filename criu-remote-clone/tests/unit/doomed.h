// SPDX-License-Identifier: Apache-2.0
// A stand-in for the tool that tests kill at a moment of their choice: a forked child with our side
// of a pipe for its progress, and one for its (and its keeper's) standard error. As the keeper
// holds standard error, its end of file says that tool and keeper are both gone, without polling.
#pragma once

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct doomed {
    pid_t pid;
    int progress_fd; // what it told with doomed_tell()
    int error_fd;
};

static inline void doomed_tell(int fd, char what) {
    if (write(fd, &what, 1) != 1)
        _exit(99);
}

// Runs `body`, which gets the writing end for doomed_tell(); when it returns, it waits to be
// killed.
static inline struct doomed doomed_start(void (*body)(int progress_fd, void *context),
                                         void *context) {
    prctl(PR_SET_CHILD_SUBREAPER, 1); // orphans come to us, so that nothing is left behind
    int progress[2], errors[2];
    assert(pipe2(progress, O_CLOEXEC) == 0 && pipe2(errors, O_CLOEXEC) == 0);
    pid_t pid = fork();
    assert(pid >= 0);
    if (pid == 0) {
        dup2(errors[1], STDERR_FILENO);
        close(errors[0]);
        close(errors[1]);
        close(progress[0]);
        body(progress[1], context);
        for (;;)
            pause();
    }
    close(progress[1]);
    close(errors[1]);
    return (struct doomed){.pid = pid, .progress_fd = progress[0], .error_fd = errors[0]};
}

// The next byte it told, or '\0' if it ended.
static inline char doomed_hear(struct doomed *doomed) {
    char what = '\0';
    ssize_t got;
    do
        got = read(doomed->progress_fd, &what, 1);
    while (got < 0 && errno == EINTR);
    return got == 1 ? what : '\0';
}

static inline void doomed_kill(struct doomed *doomed) {
    kill(doomed->pid, SIGKILL);
    int status;
    assert(waitpid(doomed->pid, &status, 0) == doomed->pid && WIFSIGNALED(status));
}

// Waits until the keeper is gone, too, and returns what was written to standard error.
static inline const char *doomed_errors(struct doomed *doomed) {
    static char text[8192];
    size_t used = 0;
    ssize_t got;
    while ((got = read(doomed->error_fd, text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)got;
    text[used] = '\0';
    close(doomed->error_fd);
    close(doomed->progress_fd);
    return text;
}
