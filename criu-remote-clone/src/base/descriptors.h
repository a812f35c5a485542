// SPDX-License-Identifier: Apache-2.0
// Descriptors: closing them, and what a child may inherit.
#pragma once

#include <linux/openat2.h>
#include <sys/socket.h>

#include "standard.h"

// openat2(2), for which the C library has no function; always O_CLOEXEC. `resolve`: RESOLVE_...
int open_resolving(int dir_fd, const char *path, int flags, uint64_t resolve);

// A new empty directory or file of that mode, as far as the umask leaves it: 0, or -1 with errno.
int make_empty(int dir_fd, const char *name, bool directory, mode_t mode);

// Closes it if it is one (>= 0); errno stays as it was.
void close_fd(int fd);

// Waits until it is readable: a pidfd's process has ended, say. False at the deadline.
bool await_readable(int fd, int64_t deadline_ns);

// sendmsg(2) and recvmsg(2) of a message with a descriptor (SCM_RIGHTS; -1: none). `message` has
// the data only. They return its length, or -1 with errno; *fd is -1 if none came.
ssize_t send_with_fd(int socket, struct msghdr message, int fd);
ssize_t receive_with_fd(int socket, struct msghdr message, int *fd);

// Closes every descriptor above standard error but these, in any order; -1 stands for none. The
// array is sorted. Async-signal-safe: for a child that was forked from threads.
void descriptors_close_all_but(int *kept, size_t count);
