// SPDX-License-Identifier: Apache-2.0
// The receiving half of a connection: a thread that takes frames off the socket, decrypts and
// decodes them, and delivery in the items' order, with a bounded read-ahead.
#pragma once

#include "failure.h"
#include "wire.h"
#include "wire_handshake.h"

struct wire_receiver;

// Takes over the receiving cipher of the session; the socket stays the caller's. `broken` is called
// once, from a thread of the receiver, when the stream breaks or the peer gives up.
struct wire_receiver *wire_receiver_open(int fd, const struct wire_session *session,
                                         void (*broken)(void *context, const struct failure *why),
                                         void *context, struct failure *failure);

// As wire_next().
int wire_receiver_next(struct wire_receiver *receiver, struct wire_item *item, int64_t deadline_ns,
                       struct failure *failure);
void wire_receiver_release(struct wire_item *item);

// Waits until the stream has ended in whatever way. Returns true, with the peer's own reason, if
// the peer has given up.
bool wire_receiver_await_abort(struct wire_receiver *receiver, int64_t deadline_ns,
                               struct failure *failure);

int wire_receiver_poll_fd(const struct wire_receiver *receiver);
void wire_receiver_statistics(struct wire_receiver *receiver, struct wire_statistics *statistics);

// The caller has shut the socket down. Items not yet released go as well. NULL is allowed.
void wire_receiver_close(struct wire_receiver *receiver);
