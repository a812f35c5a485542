// SPDX-License-Identifier: Apache-2.0
// One TCP connection between `serve` and `pull`: authenticated, encrypted, ordered, compressed when
// the link is the bottleneck.
//
// Items are messages (a type and a protobuf body) and data (at most WIRE_CHUNK bytes), delivered in
// the order they were sent. docs/internals/wire-protocol.md has keys, frames, encodings and ends.
//
// One thread may send while another receives; several may send. wire_close() needs the wire for
// itself.
#pragma once

#include <protobuf-c/protobuf-c.h>

#include "failure.h"

// The versions of the protocol that this tool speaks.
#define WIRE_OLDEST 4u
#define WIRE_NEWEST 5u
#define WIRE_KEY_BYTES 32
#define WIRE_CHUNK (1u << 20)
#define WIRE_MESSAGE_MAX (16u << 20)

enum wire_role { WIRE_SERVE = 1, WIRE_PULL = 2 };

enum wire_type { // message types; the bodies are in proto/clone_wire.proto
    WIRE_OFFER = 1,
    WIRE_ANSWER = 2,
    WIRE_FILE_BEGIN = 3,
    WIRE_FILE_END = 4,
    WIRE_FILE_GONE = 5,
    WIRE_FILES_READY = 6, // no body; pull: pre-copied files stored, namespaces and RAM prepared
    WIRE_FROZEN = 7,
    WIRE_IMAGE_BEGIN = 8,
    WIRE_IMAGE_END = 9,
    WIRE_COMMIT = 10, // no body; serve: everything was sent, the clone may run
    WIRE_RUNNING = 11,
    WIRE_ABORT = 12,
    WIRE_KEEPALIVE = 13, // no body; handled inside wire.c, never delivered
    WIRE_SAMPLE = 14,    // since version 5
};

enum wire_compress { WIRE_COMPRESS_AUTO = -1, WIRE_COMPRESS_NEVER = 0 }; // 1..19: zstd level

struct wire_options {
    int compress; // enum wire_compress or a zstd level
    // Asked for the present share of the host's bandwidth, bytes per second, 0: unlimited. May be
    // NULL. Called at most every 100 ms.
    uint64_t (*bandwidth)(void *context);
    void *bandwidth_context;
};

struct wire_statistics {
    uint64_t sent_bytes, received_bytes;           // on the wire, frames and all
    uint64_t sent_data_bytes, received_data_bytes; // before encoding
    uint64_t zero_bytes;                           // left out as zero pages
    uint64_t compressed_in, compressed_out;        // bytes given to zstd, and what came of them
};

struct wire;

struct wire_item {
    bool is_data;
    enum wire_type type;  // messages
    const uint8_t *bytes; // message body or data; valid until wire_item_release()
    size_t length;
    void *internal;
};

// Opens a listening socket on `bind_address` (NULL: all) at the first free port of the range
// (0, 0: any). Returns the descriptor, and the port in *port.
int wire_listen(const char *bind_address, uint16_t first_port, uint16_t last_port, uint16_t *port,
                struct failure *failure);

// Waits for a peer that proves it has `key`. Peers that don't are dropped, counted in *rejected
// (may be NULL), and waiting goes on until the deadline (EXIT_DEADLINE) or until `cancel_fd`
// becomes readable (EXIT_INTERRUPTED; -1: none). A peer that dawdles in its hello is dropped after
// 3 seconds.
struct wire *wire_accept(int listen_fd, const uint8_t key[WIRE_KEY_BYTES],
                         const struct wire_options *options, int cancel_fd, int64_t deadline_ns,
                         unsigned *rejected, struct failure *failure);

// Connects, retrying while the peer isn't there yet, until the deadline.
struct wire *wire_connect(const char *host, uint16_t port, const uint8_t key[WIRE_KEY_BYTES],
                          const struct wire_options *options, int cancel_fd, int64_t deadline_ns,
                          struct failure *failure);

// Queues a message. `message` may be NULL for types without a body. Blocks while the queue is full.
int wire_send(struct wire *wire, enum wire_type type, const ProtobufCMessage *message,
              struct failure *failure);

// Queues up to WIRE_CHUNK bytes of data. The bytes are not copied: they must stay as they are until
// `done(context, bytes, length)` is called from another thread, in the order sent, when the item
// has been handed to the kernel (NULL: the caller calls wire_flush() before it reuses them). done()
// may not send or close. It isn't called for what is never sent: after wire_close() nothing is
// looked at any more.
int wire_send_data(struct wire *wire, const void *bytes, size_t length,
                   void (*done)(void *context, const void *bytes, size_t length), void *context,
                   struct failure *failure);

// The same with bytes of malloc(3)'s, which are freed whatever becomes of them.
int wire_send_owned(struct wire *wire, void *bytes, size_t length, struct failure *failure);

// Waits until everything queued has been handed to the kernel.
int wire_flush(struct wire *wire, int64_t deadline_ns, struct failure *failure);

// Sends the final item, and waits until the peer's kernel has everything; afterwards nothing can be
// sent.
int wire_finish(struct wire *wire, int64_t deadline_ns, struct failure *failure);

// The next item. Returns 1, or 0 at the peer's proper end of stream, or -1 (EXIT_TRANSFER for
// anything the peer did wrong, EXIT_PEER when the connection is lost, EXIT_DEADLINE). A received
// WIRE_ABORT is returned as -1 with the peer's code and reason ("peer: ..."), at once and to
// senders as well.
int wire_next(struct wire *wire, struct wire_item *item, int64_t deadline_ns,
              struct failure *failure);
void wire_item_release(struct wire_item *item); // before wire_close()

// The message in the item: NULL with EXIT_TRANSFER if it is another one, or malformed. To be freed
// with protobuf_c_message_free_unpacked(m, NULL).
ProtobufCMessage *wire_unpack(const struct wire_item *item, enum wire_type type,
                              const ProtobufCMessageDescriptor *descriptor,
                              struct failure *failure);

// Tells the peer why it ends (best effort, at most a second); what is still queued is dropped, and
// whoever is sending gets `why`. wire_close() still follows.
void wire_abort(struct wire *wire, const struct failure *why);

// Readable when an item may be waiting or the connection is gone: for poll(2).
int wire_poll_fd(const struct wire *wire);

void wire_statistics(const struct wire *wire, struct wire_statistics *statistics);
void wire_peer_name(const struct wire *wire, char name[64]); // "address:port"
uint32_t wire_version(const struct wire *wire);              // the one that both ends speak
void wire_close(struct wire *wire); // wipes keys and buffers; NULL is allowed
