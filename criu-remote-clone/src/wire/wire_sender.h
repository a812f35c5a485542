// SPDX-License-Identifier: Apache-2.0
// The sending half of a connection: a bounded queue of items, a thread that encodes and encrypts
// them, and a writer that puts the frames on the socket in the items' order.
#pragma once

#include "failure.h"
#include "wire.h"
#include "wire_handshake.h"

struct wire_timing {
    int keepalive_ms; // an idle sender says that it lives
    int silence_ms;   // a receiver that hears nothing takes the peer for dead
    int stall_ms;     // a sender whose bytes nobody takes gives up
};

struct wire_sender;

struct wire_outgoing {
    enum wire_kind kind;
    enum wire_type type;
    const uint8_t *bytes;
    size_t length;
    void (*done)(void *context, const void *bytes, size_t length); // may be NULL
    void *context;
    void *owned; // freed when the item has been sent or dropped; may be NULL
};

// Takes over the sending cipher of the session. The socket stays the caller's.
struct wire_sender *wire_sender_open(int fd, const struct wire_session *session,
                                     const struct wire_options *options,
                                     const struct wire_timing *timing, struct failure *failure);

// Queues items that belong together. Blocks while the queue is full. `owned` is freed in any case.
int wire_sender_put(struct wire_sender *sender, const struct wire_outgoing *items, size_t count,
                    struct failure *failure);

int wire_sender_flush(struct wire_sender *sender, int64_t deadline_ns, struct failure *failure);

// Waits. Returns -1 with the reason as soon as nothing can be queued any more.
int wire_sender_idle(struct wire_sender *sender, int64_t deadline_ns, struct failure *failure);

// From now on nothing can be queued: the reason is returned to whoever tries. The first call's
// reason stays. May be called from any thread.
void wire_sender_refuse(struct wire_sender *sender, const struct failure *why);

// Drops what nobody has begun to encode, sends this item in its place, unpaced, and waits until it
// has been handed to the kernel. Returns -1 if that can't be done in time.
int wire_sender_put_last(struct wire_sender *sender, const struct wire_outgoing *item,
                         int64_t deadline_ns);

void wire_sender_statistics(struct wire_sender *sender, struct wire_statistics *statistics);

// The caller has shut the socket down. NULL is allowed.
void wire_sender_close(struct wire_sender *sender);
