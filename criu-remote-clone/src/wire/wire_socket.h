// SPDX-License-Identifier: Apache-2.0
// The socket below the wire: options, exact reads and writes, peer names.
//
// While a connection is being made everything waits in poll(2), with a deadline and a descriptor
// that cancels. Afterwards a thread of its own blocks in each direction, and shutdown(2) wakes it.
#pragma once

#include <sys/uio.h>

#include "failure.h"

// A name for the peer: "address:port".
void wire_socket_peer(int fd, char name[64]);

// Waits until `fd` has `events` (0: only waits). Returns 1, or 0 when the deadline has passed, or
// -1 with EXIT_INTERRUPTED when `cancel_fd` (-1: none) is readable.
int wire_socket_wait(int fd, short events, int cancel_fd, int64_t deadline_ns,
                     struct failure *failure);

// Reads what is there, up to `size` bytes, without waiting. Returns the number of bytes (0: none
// yet), or -1 when the peer is gone.
ssize_t wire_socket_read_some(int fd, void *bytes, size_t size);

// Writes a few bytes that fit any fresh socket's buffer; -1 when the peer is gone.
int wire_socket_write_little(int fd, const void *bytes, size_t size);

// Makes the connected socket ready for the threads: blocking, without delay for small writes, a
// read without a byte failing after `silence_ms`, a write without progress after `stall_ms`.
int wire_socket_prepare(int fd, int silence_ms, int stall_ms, struct failure *failure);

// Blocks until all bytes are read. EXIT_PEER when the peer closes, is lost, or is silent.
int wire_socket_read(int fd, void *bytes, size_t size, struct failure *failure);

// Blocks until some bytes of the parts are written, and returns their number. EXIT_PEER when the
// peer is lost or takes nothing.
ssize_t wire_socket_write(int fd, const struct iovec *parts, size_t count, struct failure *failure);

// Returns 1 if the peer's kernel has acknowledged every byte: from then on they reach the peer even
// if this end closes at once. 0: not yet. -1: it never will.
int wire_socket_acknowledged(int fd, struct failure *failure);
