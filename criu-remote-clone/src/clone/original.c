// SPDX-License-Identifier: Apache-2.0
// The process that is cloned, by its pidfd.
#include "original.h"
#include "descriptors.h"

#include <signal.h>
#include <sys/pidfd.h>

int original_hold(struct original *original, pid_t pid, struct failure *failure) {
    *original = (struct original){.pid = pid, .pidfd = pidfd_open(pid, 0)};
    if (original->pidfd >= 0 && pidfd_send_signal(original->pidfd, 0, NULL, 0) == 0)
        return 0;
    fail_errno(failure, EXIT_REFUSED, "process %d can't be cloned", (int)pid);
    original_release(original);
    return -1;
}

int original_is_there(const struct original *original, struct failure *failure) {
    if (!await_readable(original->pidfd, 0))
        return 0;
    return fail(failure, EXIT_REFUSED, "process %d has ended", (int)original->pid);
}

void original_continue(const struct original *original) {
    pidfd_send_signal(original->pidfd, SIGCONT, NULL, 0);
}

void original_release(struct original *original) {
    close_fd(original->pidfd);
    original->pidfd = -1;
}
