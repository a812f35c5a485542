// SPDX-License-Identifier: Apache-2.0
// Closing, passing and inheriting descriptors: see descriptors.h.
#include "descriptors.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "deadline.h"

int open_resolving(int dir_fd, const char *path, int flags, uint64_t resolve) {
    struct open_how how = {.flags = (uint64_t)(flags | O_CLOEXEC), .resolve = resolve};
    return (int)syscall(SYS_openat2, dir_fd, path, &how, sizeof how);
}

int make_empty(int dir_fd, const char *name, bool directory, mode_t mode) {
    if (directory)
        return mkdirat(dir_fd, name, mode);
    int file = openat(dir_fd, name, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    close_fd(file);
    return file < 0 ? -1 : 0;
}

void close_fd(int fd) {
    int number = errno;
    if (fd >= 0)
        close(fd);
    errno = number;
}

bool await_readable(int fd, int64_t deadline_ns) {
    struct pollfd watched = {.fd = fd, .events = POLLIN};
    return TEMP_FAILURE_RETRY(poll(&watched, 1, deadline_poll_ms(deadline_ns))) > 0;
}

union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
};

ssize_t send_with_fd(int socket, struct msghdr message, int fd) {
    union control control = {.bytes = {0}};
    if (fd >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        *head = (struct cmsghdr){
            .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
        memcpy(CMSG_DATA(head), &fd, sizeof fd);
    }
    return TEMP_FAILURE_RETRY(sendmsg(socket, &message, MSG_NOSIGNAL));
}

ssize_t receive_with_fd(int socket, struct msghdr message, int *fd) {
    union control control;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control;
    ssize_t got = TEMP_FAILURE_RETRY(recvmsg(socket, &message, MSG_CMSG_CLOEXEC));
    struct cmsghdr *head = got < 0 ? NULL : CMSG_FIRSTHDR(&message);
    *fd = -1;
    if (head != NULL && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
        head->cmsg_len == CMSG_LEN(sizeof *fd))
        memcpy(fd, CMSG_DATA(head), sizeof *fd);
    return got;
}

static void sort(int *numbers, size_t count) {
    for (size_t i = 1; i < count; i++)
        for (size_t at = i; at > 0 && numbers[at - 1] > numbers[at]; at--) {
            int number = numbers[at];
            numbers[at] = numbers[at - 1];
            numbers[at - 1] = number;
        }
}

// Gaps between descriptors, since CLOSE_RANGE_CLOEXEC is Linux 5.11's.
void descriptors_close_all_but(int *kept, size_t count) {
    int next = STDERR_FILENO + 1;
    sort(kept, count);
    for (size_t i = 0; i < count; i++) {
        if (kept[i] > next)
            close_range((unsigned)next, (unsigned)kept[i] - 1, 0);
        if (kept[i] >= next)
            next = kept[i] + 1;
    }
    close_range((unsigned)next, UINT_MAX, 0);
}
