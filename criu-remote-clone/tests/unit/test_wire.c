// SPDX-License-Identifier: Apache-2.0
// The wire: what goes in at one end comes out at the other, in order and unchanged; and every way
// in which a connection ends.
#include "clone_wire.pb-c.h"
#include "failure.h"
#include "wire.h"
#include "wire_pair.h"
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ITEMS 150

static struct failure failure;

static void expect_failure(int status, enum exit_code code, const char *text) {
    assert_int_equal(status, -1);
    assert_int_equal(failure.code, code);
    if (!strstr(failure.text, text))
        print_error("'%s' is not in '%s'\n", text, failure.text);
    assert_non_null(strstr(failure.text, text));
}

static bool is_readable(int fd, int milliseconds) {
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    return poll(&wait, 1, milliseconds) == 1;
}

// --- Random items, the same for sender and receiver ---

struct random_item {
    bool is_data;
    uint8_t *bytes; // data, or the path of a FileGone
    size_t length;
};

static struct random_item random_item(struct content *content) {
    struct random_item item = {.is_data = content_next(content) % 3 != 0};
    uint64_t size = content_next(content);
    switch (size % 4) {
    case 0:
        item.length = size / 4 % 100;
        break;
    case 1:
        item.length = WIRE_CHUNK;
        break;
    default:
        item.length = size / 4 % (item.is_data ? WIRE_CHUNK : 3 * WIRE_CHUNK);
    }
    item.bytes = malloc(item.length + 1);
    if (item.is_data) {
        content_pages(content, item.bytes, item.length);
    } else {
        memset(item.bytes, 'a' + (int)(size % 26), item.length);
        item.bytes[item.length] = '\0';
    }
    return item;
}

static void free_bytes(void *context, const void *bytes, size_t length) {
    (void)context;
    (void)length;
    free((void *)bytes);
}

static int send_item(struct wire *wire, struct random_item item, struct failure *why) {
    if (item.is_data)
        return wire_send_data(wire, item.bytes, item.length, free_bytes, NULL, why);
    CloneWire__FileGone gone = CLONE_WIRE__FILE_GONE__INIT;
    gone.path = (char *)item.bytes;
    int status = wire_send(wire, WIRE_FILE_GONE, &gone.base, why);
    free(item.bytes);
    return status;
}

static bool same_item(const struct wire_item *got, const struct random_item *sent) {
    if (got->is_data != sent->is_data)
        return false;
    if (got->is_data)
        return got->length == sent->length && memcmp(got->bytes, sent->bytes, got->length) == 0;
    CloneWire__FileGone *gone = clone_wire__file_gone__unpack(NULL, got->length, got->bytes);
    bool same = got->type == WIRE_FILE_GONE && gone && strcmp(gone->path, (char *)sent->bytes) == 0;
    if (gone)
        clone_wire__file_gone__free_unpacked(gone, NULL);
    return same;
}

// A thread that sends, and one that receives; errors are texts, NULL: none.
struct side {
    struct wire *wire;
    uint64_t seed;
    const char *error;
    struct failure failure;
};

static void *send_items(void *context) {
    struct side *side = context;
    struct content content = {side->seed};
    for (int i = 0; i < ITEMS && !side->error; i++)
        if (send_item(side->wire, random_item(&content), &side->failure) < 0)
            side->error = side->failure.text;
    if (!side->error && wire_finish(side->wire, SOON, &side->failure) < 0)
        side->error = side->failure.text;
    return NULL;
}

static void *receive_items(void *context) {
    struct side *side = context;
    struct content content = {side->seed};
    struct wire_item item;
    for (int i = 0; i < ITEMS && !side->error; i++) {
        struct random_item sent = random_item(&content);
        if (wire_next(side->wire, &item, SOON, &side->failure) != 1) {
            side->error = side->failure.text;
        } else {
            if (!same_item(&item, &sent))
                side->error = "not what was sent";
            wire_item_release(&item);
        }
        free(sent.bytes);
    }
    if (!side->error && wire_next(side->wire, &item, SOON, &side->failure) != 0)
        side->error = "no end";
    return NULL;
}

static void both_ways(int compress) {
    struct wire_options options = {.compress = compress};
    struct wire *ends[2];
    pair_open(ends, &options);
    struct side senders[2] = {{.wire = ends[0], .seed = 1}, {.wire = ends[1], .seed = 2}};
    struct side receivers[2] = {{.wire = ends[1], .seed = 1}, {.wire = ends[0], .seed = 2}};
    pthread_t threads[4];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, send_items, &senders[i]);
        pthread_create(&threads[2 + i], NULL, receive_items, &receivers[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        assert_null(senders[i].error);
        assert_null(receivers[i].error);
        struct wire_statistics here, there;
        wire_statistics(ends[i], &here);
        wire_statistics(ends[1 - i], &there);
        assert_int_equal(here.sent_bytes, there.received_bytes);
        assert_int_equal(here.sent_data_bytes, there.received_data_bytes);
        assert_true(here.zero_bytes > 0);
    }
    pair_close(ends);
}

static void items_arrive_in_order_in_both_directions_at_once(void **state) {
    (void)state;
    both_ways(WIRE_COMPRESS_NEVER);
    both_ways(WIRE_COMPRESS_AUTO);
    both_ways(1);
}

// --- Messages ---

static ProtobufCMessage *next_message(struct wire *wire, enum wire_type type,
                                      const ProtobufCMessageDescriptor *descriptor) {
    struct wire_item item;
    assert_int_equal(wire_next(wire, &item, SOON, &failure), 1);
    ProtobufCMessage *message = wire_unpack(&item, type, descriptor, &failure);
    wire_item_release(&item);
    return message;
}

static void a_message_may_be_as_long_as_the_limit(void **state) {
    (void)state;
    struct wire *ends[2];
    pair_open(ends, &plain_options);
    CloneWire__FileGone gone = CLONE_WIRE__FILE_GONE__INIT;
    size_t length = WIRE_MESSAGE_MAX - 5; // the field's tag and length are the rest
    gone.path = malloc(length + 1);
    memset(gone.path, 'x', length);
    gone.path[length] = '\0';
    assert_int_equal(protobuf_c_message_get_packed_size(&gone.base), WIRE_MESSAGE_MAX);
    struct side receiver = {.wire = ends[1]};
    assert_int_equal(wire_send(ends[0], WIRE_FILE_GONE, &gone.base, &failure), 0);
    CloneWire__FileGone *got = (CloneWire__FileGone *)next_message(
        receiver.wire, WIRE_FILE_GONE, &clone_wire__file_gone__descriptor);
    assert_non_null(got);
    assert_string_equal(got->path, gone.path);
    clone_wire__file_gone__free_unpacked(got, NULL);
    gone.path = realloc(gone.path, length + 2);
    strcat(gone.path, "x");
    expect_failure(wire_send(ends[0], WIRE_FILE_GONE, &gone.base, &failure), EXIT_REFUSED,
                   "too long");
    free(gone.path);
    pair_close(ends);
}

static void unpacking_says_what_came_instead(void **state) {
    (void)state;
    struct wire *ends[2];
    pair_open(ends, &plain_options);
    assert_int_equal(wire_send(ends[0], WIRE_COMMIT, NULL, &failure), 0);
    assert_null(next_message(ends[1], WIRE_FROZEN, &clone_wire__frozen__descriptor));
    expect_failure(-1, EXIT_TRANSFER, "type 10 when 7 was expected");
    assert_int_equal(wire_send_data(ends[0], "data", 4, NULL, NULL, &failure), 0);
    assert_null(next_message(ends[1], WIRE_FROZEN, &clone_wire__frozen__descriptor));
    expect_failure(-1, EXIT_TRANSFER, "type 0 when 7 was expected");
    CloneWire__FileGone other = CLONE_WIRE__FILE_GONE__INIT;
    other.path = "/";
    assert_int_equal(wire_send(ends[0], WIRE_FROZEN, &other.base, &failure), 0);
    assert_null(next_message(ends[1], WIRE_FROZEN, &clone_wire__frozen__descriptor));
    expect_failure(-1, EXIT_TRANSFER, "malformed message");
    pair_close(ends);
}

static void nothing_goes_after_the_end(void **state) {
    (void)state;
    struct wire *ends[2];
    struct wire_item item;
    pair_open(ends, &plain_options);
    assert_int_equal(wire_finish(ends[0], SOON, &failure), 0);
    expect_failure(wire_send(ends[0], WIRE_COMMIT, NULL, &failure), EXIT_INTERNAL, "end");
    expect_failure(wire_finish(ends[0], SOON, &failure), EXIT_INTERNAL, "end");
    assert_int_equal(wire_next(ends[1], &item, SOON, &failure), 0);
    assert_int_equal(wire_next(ends[1], &item, SOON, &failure), 0);
    // The other direction is still open.
    assert_int_equal(wire_send(ends[1], WIRE_COMMIT, NULL, &failure), 0);
    assert_int_equal(wire_next(ends[0], &item, SOON, &failure), 1);
    wire_item_release(&item);
    pair_close(ends);
}

static void more_than_a_chunk_is_our_mistake(void **state) {
    (void)state;
    struct wire *ends[2];
    pair_open(ends, &plain_options);
    expect_failure(wire_send_data(ends[0], "", WIRE_CHUNK + 1, NULL, NULL, &failure), EXIT_INTERNAL,
                   "too many");
    pair_close(ends);
}

static void items_can_be_held_while_others_come(void **state) {
    (void)state;
    enum { HELD = 40 };
    struct wire *ends[2];
    struct wire_item items[HELD];
    pair_open(ends, &plain_options);
    for (int i = 0; i < HELD; i++) {
        char text[20];
        snprintf(text, sizeof text, "item %02d", i);
        assert_int_equal(wire_send_data(ends[0], text, 7, NULL, NULL, &failure), 0);
        assert_int_equal(wire_flush(ends[0], SOON, &failure), 0);
        assert_int_equal(wire_next(ends[1], &items[i], SOON, &failure), 1);
    }
    for (int i = 0; i < HELD; i++) {
        char text[20];
        snprintf(text, sizeof text, "item %02d", i);
        assert_memory_equal(items[i].bytes, text, 7);
        wire_item_release(&items[i]);
    }
    pair_close(ends);
}

// --- Encoding, as the statistics show it ---

static void send_chunk(struct wire *ends[2], const uint8_t *chunk, size_t length) {
    struct wire_item item;
    assert_int_equal(wire_send_data(ends[0], chunk, length, NULL, NULL, &failure), 0);
    assert_int_equal(wire_next(ends[1], &item, SOON, &failure), 1);
    assert_true(item.is_data);
    assert_int_equal(item.length, length);
    assert_memory_equal(item.bytes, chunk, length);
    wire_item_release(&item);
}

static struct wire_statistics statistics_of(int compress, const uint8_t *chunk, size_t length) {
    struct wire_options options = {.compress = compress};
    struct wire_statistics before, after;
    struct wire *ends[2];
    pair_open(ends, &options);
    wire_statistics(ends[0], &before);
    send_chunk(ends, chunk, length);
    assert_int_equal(wire_flush(ends[0], SOON, &failure), 0);
    wire_statistics(ends[0], &after);
    after.sent_bytes -= before.sent_bytes;
    pair_close(ends);
    return after;
}

static void zero_pages_do_not_travel(void **state) {
    (void)state;
    enum { LENGTH = 10 * 4096 + 100 };
    static uint8_t chunk[LENGTH];
    chunk[3 * 4096] = 1;
    chunk[7 * 4096 + 4095] = 1;
    struct wire_statistics statistics = statistics_of(WIRE_COMPRESS_NEVER, chunk, LENGTH);
    assert_int_equal(statistics.sent_data_bytes, LENGTH);
    assert_int_equal(statistics.zero_bytes, LENGTH - 2 * 4096);
    assert_int_equal(statistics.compressed_in, 0);
    assert_int_equal(statistics.sent_bytes, WIRE_FRAME_START + WIRE_SEALED_MIN + 2 * 4096 + 17);
    memset(chunk, 0, sizeof chunk);
    statistics = statistics_of(WIRE_COMPRESS_NEVER, chunk, LENGTH);
    assert_int_equal(statistics.zero_bytes, LENGTH);
    assert_int_equal(statistics.sent_bytes, WIRE_FRAME_START + WIRE_SEALED_MIN);
}

static void a_level_compresses_what_is_not_zero(void **state) {
    (void)state;
    static uint8_t chunk[WIRE_CHUNK];
    memset(chunk + WIRE_CHUNK / 2, 'x', WIRE_CHUNK / 2);
    static const int levels[] = {1, 3, 19};
    for (size_t i = 0; i < 3; i++) {
        struct wire_statistics statistics = statistics_of(levels[i], chunk, sizeof chunk);
        assert_int_equal(statistics.zero_bytes, WIRE_CHUNK / 2);
        assert_int_equal(statistics.compressed_in, WIRE_CHUNK / 2);
        assert_in_range(statistics.compressed_out, 1, 1000);
        assert_int_equal(statistics.sent_bytes,
                         WIRE_FRAME_START + WIRE_SEALED_MIN + statistics.compressed_out + 17);
    }
}

static void what_does_not_compress_goes_raw(void **state) {
    (void)state;
    static uint8_t chunk[WIRE_CHUNK];
    struct content content = {7};
    content_random(&content, chunk, sizeof chunk);
    struct wire_statistics statistics = statistics_of(1, chunk, sizeof chunk);
    assert_int_equal(statistics.compressed_in, WIRE_CHUNK);
    assert_int_equal(statistics.compressed_out, WIRE_CHUNK);
    assert_int_equal(statistics.sent_bytes, WIRE_FRAME_START + WIRE_SEALED_MIN + WIRE_CHUNK + 17);
}

static void an_empty_item_is_an_item(void **state) {
    (void)state;
    struct wire *ends[2];
    pair_open(ends, &plain_options);
    send_chunk(ends, (const uint8_t *)"", 0);
    pair_close(ends);
}

// --- done() ---

struct order {
    pthread_mutex_t mutex;
    const uint8_t *bytes[64];
    size_t count;
};

static void note(void *context, const void *bytes, size_t length) {
    (void)length;
    struct order *order = context;
    pthread_mutex_lock(&order->mutex);
    order->bytes[order->count++] = bytes;
    pthread_mutex_unlock(&order->mutex);
}

static void done_is_called_once_each_and_in_order(void **state) {
    (void)state;
    static uint8_t chunk[64];
    struct order order = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    struct wire_options options = {.compress = 1};
    struct wire *ends[2];
    pair_open(ends, &options);
    for (int i = 0; i < 64; i++)
        assert_int_equal(wire_send_data(ends[0], chunk + i, 1, note, &order, &failure), 0);
    struct wire_item item;
    for (int i = 0; i < 64; i++) {
        assert_int_equal(wire_next(ends[1], &item, SOON, &failure), 1);
        wire_item_release(&item);
    }
    assert_int_equal(wire_flush(ends[0], SOON, &failure), 0);
    assert_int_equal(order.count, 64);
    for (int i = 0; i < 64; i++)
        assert_ptr_equal(order.bytes[i], chunk + i);
    pair_close(ends);
}

// --- Waiting ---

static void waiting_ends_at_the_deadline(void **state) {
    (void)state;
    struct wire *ends[2];
    struct wire_item item;
    pair_open(ends, &plain_options);
    expect_failure(wire_next(ends[0], &item, deadline_in_ms(10), &failure), EXIT_DEADLINE,
                   "time limit");
    expect_failure(wire_next(ends[0], &item, deadline_in_ms(-10), &failure), EXIT_DEADLINE,
                   "time limit");
    assert_int_equal(wire_send(ends[1], WIRE_COMMIT, NULL, &failure), 0);
    assert_int_equal(wire_next(ends[0], &item, SOON, &failure), 1);
    assert_int_equal(item.type, WIRE_COMMIT);
    wire_item_release(&item);
    pair_close(ends);
}

static void the_descriptor_tells_of_items_and_of_the_end(void **state) {
    (void)state;
    struct wire *ends[2];
    struct wire_item item;
    pair_open(ends, &plain_options);
    int fd = wire_poll_fd(ends[1]);
    assert_false(is_readable(fd, 0));
    for (int i = 0; i < 2; i++)
        assert_int_equal(wire_send(ends[0], WIRE_COMMIT, NULL, &failure), 0);
    for (int i = 0; i < 2; i++) {
        assert_true(is_readable(fd, 30000));
        assert_int_equal(wire_next(ends[1], &item, deadline_in_ms(0), &failure), 1);
        wire_item_release(&item);
    }
    assert_false(is_readable(fd, 0));
    assert_int_equal(wire_finish(ends[0], SOON, &failure), 0);
    assert_true(is_readable(fd, 30000));
    assert_int_equal(wire_next(ends[1], &item, deadline_in_ms(0), &failure), 0);
    assert_true(is_readable(fd, 0));
    pair_close(ends);
}

static void the_descriptor_tells_of_a_lost_connection(void **state) {
    (void)state;
    struct wire *ends[2];
    struct wire_item item;
    pair_open(ends, &plain_options);
    wire_close(ends[0]);
    assert_true(is_readable(wire_poll_fd(ends[1]), 30000));
    expect_failure(wire_next(ends[1], &item, SOON, &failure), EXIT_PEER, "closed the connection");
    wire_close(ends[1]);
}

// --- The end of a connection ---

static void what_was_sent_before_a_loss_still_arrives(void **state) {
    (void)state;
    struct wire *ends[2];
    struct wire_item item;
    pair_open(ends, &plain_options);
    for (int i = 0; i < 5; i++)
        assert_int_equal(wire_send(ends[0], WIRE_COMMIT, NULL, &failure), 0);
    assert_int_equal(wire_flush(ends[0], SOON, &failure), 0);
    wire_close(ends[0]);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(wire_next(ends[1], &item, SOON, &failure), 1);
        wire_item_release(&item);
    }
    expect_failure(wire_next(ends[1], &item, SOON, &failure), EXIT_PEER, "closed the connection");
    wire_close(ends[1]);
}

// Sends until that fails.
static int send_forever(struct wire *wire) {
    static const uint8_t chunk[WIRE_CHUNK];
    int status;
    do
        status = wire_send_data(wire, chunk, sizeof chunk, NULL, NULL, &failure);
    while (status == 0);
    return status;
}

static void sending_to_a_lost_peer_fails_without_a_signal(void **state) {
    (void)state;
    struct wire *ends[2];
    pair_open(ends, &plain_options);
    assert_ptr_equal(signal(SIGPIPE, SIG_DFL), SIG_DFL);
    wire_close(ends[1]);
    expect_failure(send_forever(ends[0]), EXIT_PEER, "peer");
    wire_close(ends[0]);
}

static void a_peers_reason_reaches_the_receiver(void **state) {
    (void)state;
    struct wire *ends[2];
    struct wire_item item;
    pair_open(ends, &plain_options);
    struct failure why = {.code = EXIT_VETO, .text = "the quiesce hook said\nno\x1b[31m"};
    wire_abort(ends[0], &why);
    expect_failure(wire_next(ends[1], &item, SOON, &failure), EXIT_VETO,
                   "peer: the quiesce hook said?no?[31m");
    expect_failure(wire_send(ends[0], WIRE_COMMIT, NULL, &failure), EXIT_VETO, "hook");
    pair_close(ends);
}

// The sender learns it too, although its own bytes are what stopped.
static void a_peers_reason_reaches_the_sender(void **state) {
    (void)state;
    static const uint8_t chunk[100];
    struct wire *ends[2];
    pair_open(ends, &plain_options);
    struct failure why = {.code = EXIT_SPACE, .text = "the disk is full"};
    wire_abort(ends[1], &why);
    wire_close(ends[1]);
    int status;
    do
        status = wire_send_data(ends[0], chunk, sizeof chunk, NULL, NULL, &failure);
    while (status == 0);
    expect_failure(status, EXIT_SPACE, "peer: the disk is full");
    expect_failure(wire_finish(ends[0], SOON, &failure), EXIT_SPACE, "peer: the disk is full");
    wire_close(ends[0]);
}

static void *block_in_sending(void *context) {
    struct side *side = context;
    static const uint8_t chunk[WIRE_CHUNK] = {1};
    while (wire_send_data(side->wire, chunk, sizeof chunk, NULL, NULL, &side->failure) == 0) {
    }
    return NULL;
}

// Both ends' queues are full of what nobody takes; giving up gets past all of it but what is in the
// socket already.
static void giving_up_wakes_a_blocked_sender(void **state) {
    (void)state;
    struct wire *ends[2];
    pair_open(ends, &plain_options);
    struct side side = {.wire = ends[0]};
    pthread_t thread;
    pthread_create(&thread, NULL, block_in_sending, &side);
    struct failure why = {.code = EXIT_INTERRUPTED, .text = "interrupted"};
    wire_abort(ends[0], &why);
    pthread_join(thread, NULL);
    assert_int_equal(side.failure.code, EXIT_INTERRUPTED);
    pair_close(ends);
}

static void *block_in_sending_little(void *context) {
    struct side *side = context;
    while (wire_send(side->wire, WIRE_FILES_READY, NULL, &side->failure) == 0)
        continue;
    return NULL;
}

// All of the queue is encoded, nothing of it can be dropped, and nobody takes it.
static void giving_up_finds_no_room_in_a_queue_of_little_items(void **state) {
    (void)state;
    int peer;
    struct wire *wire = pair_half_open(&peer, &plain_options, &wire_default_timing);
    struct side side = {.wire = wire};
    pthread_t thread;
    pthread_create(&thread, NULL, block_in_sending_little, &side);
    while (wire_flush(wire, deadline_in_ms(100), &failure) == 0)
        continue;
    struct failure why = {.code = EXIT_INTERRUPTED, .text = "interrupted"};
    wire_abort(wire, &why);
    pthread_join(thread, NULL);
    assert_int_equal(side.failure.code, EXIT_INTERRUPTED);
    wire_close(wire);
    close(peer);
}

static void *block_in_finishing(void *context) {
    struct side *side = context;
    if (wire_finish(side->wire, SOON, &side->failure) < 0)
        side->error = side->failure.text;
    return NULL;
}

static void giving_up_wakes_who_waits_for_the_last_byte(void **state) {
    (void)state;
    int peer;
    struct wire *wire = pair_half_open(&peer, &plain_options, &wire_default_timing);
    struct side side = {.wire = wire};
    pthread_t thread;
    pthread_create(&thread, NULL, block_in_finishing, &side);
    struct failure why = {.code = EXIT_INTERRUPTED, .text = "interrupted"};
    // The end is in the socket, and nobody takes it.
    assert_true(is_readable(peer, 30000));
    wire_abort(wire, &why);
    pthread_join(thread, NULL);
    assert_non_null(side.error);
    assert_int_equal(side.failure.code, EXIT_INTERRUPTED);
    wire_close(wire);
    close(peer);
}

static void finishing_ends_at_the_deadline(void **state) {
    (void)state;
    int peer;
    struct wire *wire = pair_half_open(&peer, &plain_options, &wire_default_timing);
    expect_failure(wire_finish(wire, deadline_in_ms(20), &failure), EXIT_DEADLINE, "in time");
    wire_close(wire);
    close(peer);
}

static void abort_overtakes_what_was_sent_before(void **state) {
    (void)state;
    static uint8_t chunk[WIRE_CHUNK];
    memset(chunk, 1, sizeof chunk);
    struct wire *ends[2];
    struct wire_item item;
    pair_open(ends, &plain_options);
    for (int i = 0; i < 12; i++)
        assert_int_equal(wire_send_data(ends[0], chunk, sizeof chunk, NULL, NULL, &failure), 0);
    struct failure why = {.code = EXIT_DUMP, .text = "CRIU failed"};
    wire_abort(ends[0], &why);
    int status;
    while ((status = wire_next(ends[1], &item, SOON, &failure)) == 1)
        wire_item_release(&item);
    expect_failure(status, EXIT_DUMP, "peer: CRIU failed");
    pair_close(ends);
}

static void an_unknown_exit_code_becomes_a_peers_failure(void **state) {
    (void)state;
    struct wire *ends[2];
    struct wire_item item;
    pair_open(ends, &plain_options);
    struct failure why = {.code = (enum exit_code)0, .text = "odd"};
    wire_abort(ends[0], &why);
    expect_failure(wire_next(ends[1], &item, SOON, &failure), EXIT_PEER, "peer: odd");
    pair_close(ends);
}

// --- Closing at any moment ---

static void closing_ends_all_threads_and_descriptors(void **state) {
    (void)state;
    assert_true(threads_become(1));
    size_t descriptors = count_entries("/proc/self/fd");
    struct wire *ends[2];
    pair_open(ends, &plain_options);
    assert_true(threads_become(1 + 2 * (2 + 1)));
    pair_close(ends);
    assert_true(threads_become(1));
    assert_int_equal(count_entries("/proc/self/fd"), descriptors);
    wire_close(NULL);
}

static void closing_with_a_full_queue_and_a_hanging_peer_works(void **state) {
    (void)state;
    static uint8_t chunk[WIRE_CHUNK];
    memset(chunk, 1, sizeof chunk);
    assert_true(threads_become(1));
    int peer;
    struct wire *wire = pair_half_open(&peer, &plain_options, &wire_default_timing);
    for (int i = 0; i < 16; i++) {
        CloneWire__FileGone gone = CLONE_WIRE__FILE_GONE__INIT;
        gone.path = "owned by the queue";
        if (i % 4 == 0)
            assert_int_equal(wire_send(wire, WIRE_FILE_GONE, &gone.base, &failure), 0);
        else
            assert_int_equal(wire_send_data(wire, chunk, sizeof chunk, NULL, NULL, &failure), 0);
    }
    expect_failure(wire_flush(wire, deadline_in_ms(10), &failure), EXIT_DEADLINE, "in time");
    wire_close(wire);
    assert_true(threads_become(1));
    close(peer);
}

static void closing_with_items_unread_works(void **state) {
    (void)state;
    static uint8_t chunk[WIRE_CHUNK];
    memset(chunk, 1, sizeof chunk);
    assert_true(threads_become(1));
    struct wire *ends[2];
    struct wire_item item;
    pair_open(ends, &plain_options);
    for (int i = 0; i < 25; i++)
        assert_int_equal(wire_send_data(ends[0], chunk, sizeof chunk, NULL, NULL, &failure), 0);
    assert_int_equal(wire_next(ends[1], &item, SOON, &failure), 1); // and not released
    wire_close(ends[1]);
    wire_close(ends[0]);
    assert_true(threads_become(1));
}

static uint64_t blocked_signals(const char *thread) {
    char path[64];
    char line[256];
    unsigned long long blocked = 0;
    snprintf(path, sizeof path, "/proc/self/task/%s/status", thread);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "SigBlk: %llx", &blocked) == 1)
            break;
    fclose(file);
    return blocked;
}

static void the_threads_take_no_signals(void **state) {
    (void)state;
    struct wire *ends[2];
    pair_open(ends, &plain_options);
    DIR *tasks = opendir("/proc/self/task");
    size_t checked = 0;
    for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
        if (task->d_name[0] == '.' || atoi(task->d_name) == getpid())
            continue;
        uint64_t blocked = blocked_signals(task->d_name);
        assert_true(blocked & 1u << (SIGTERM - 1) && blocked & 1u << (SIGCHLD - 1));
        checked++;
    }
    closedir(tasks);
    assert_true(checked >= 6);
    pair_close(ends);
}

// --- Life signs ---

static const struct wire_timing quick = {.keepalive_ms = 20, .silence_ms = 2000, .stall_ms = 200};

static void an_idle_connection_is_kept_alive(void **state) {
    (void)state;
    struct wire_options options = {.compress = WIRE_COMPRESS_NEVER};
    struct wire *ends[2];
    struct wire_statistics before, after;
    pair_open_timed(ends, &options, &quick);
    wire_statistics(ends[0], &before);
    // Long enough for the silence to be noticed, if there were any.
    uint64_t enough = quick.silence_ms / quick.keepalive_ms * 5 / 4;
    do {
        struct wire_item item;
        expect_failure(wire_next(ends[0], &item, deadline_in_ms(20), &failure), EXIT_DEADLINE, "");
        wire_statistics(ends[0], &after);
    } while ((after.received_bytes - before.received_bytes) / (WIRE_FRAME_START + WIRE_SEALED_MIN) <
             enough);
    assert_false(is_readable(wire_poll_fd(ends[0]), 0));
    send_chunk(ends, (const uint8_t *)"alive", 5);
    pair_close(ends);
}

static void a_silent_peer_is_given_up(void **state) {
    (void)state;
    struct wire_timing impatient = {.keepalive_ms = 10, .silence_ms = 100, .stall_ms = 30000};
    struct wire_item item;
    int peer;
    struct wire *wire = pair_half_open(&peer, &plain_options, &impatient);
    expect_failure(wire_next(wire, &item, SOON, &failure), EXIT_PEER, "nothing was heard");
    // Whoever sends is told, too.
    expect_failure(send_forever(wire), EXIT_PEER, "nothing was heard");
    wire_close(wire);
    close(peer);
}

static void a_peer_that_takes_nothing_is_given_up(void **state) {
    (void)state;
    struct wire_timing impatient = {.keepalive_ms = 10, .silence_ms = 30000, .stall_ms = 100};
    static uint8_t chunk[WIRE_CHUNK];
    memset(chunk, 1, sizeof chunk);
    int peer;
    struct wire *wire = pair_half_open(&peer, &plain_options, &impatient);
    int status;
    do
        status = wire_send_data(wire, chunk, sizeof chunk, NULL, NULL, &failure);
    while (status == 0);
    expect_failure(status, EXIT_PEER, "takes no data");
    wire_close(wire);
    close(peer);
}

// --- Bandwidth ---

static uint64_t bandwidth(void *context) {
    return *(uint64_t *)context;
}

static void the_bandwidth_is_not_exceeded(void **state) {
    (void)state;
    static uint8_t chunk[256 * 1024];
    struct content content = {3};
    content_random(&content, chunk, sizeof chunk);
    uint64_t limit = 4u << 20;
    struct wire_options options = {
        .compress = WIRE_COMPRESS_NEVER, .bandwidth = bandwidth, .bandwidth_context = &limit};
    struct wire *ends[2];
    pair_open(ends, &options);
    int64_t started = now_ns();
    for (int i = 0; i < 8; i++)
        send_chunk(ends, chunk, sizeof chunk);
    double seconds = (double)(now_ns() - started) / 1e9;
    struct wire_statistics statistics;
    wire_statistics(ends[0], &statistics);
    assert_true((double)statistics.sent_bytes / seconds < 1.3 * (double)limit);
    pair_close(ends);
}

struct stream {
    struct wire *wire;
    const uint8_t *chunk;
    int count;
    int status;
};

static void *send_stream(void *context) {
    struct stream *stream = context;
    struct failure ignored;
    for (int i = 0; i < stream->count && stream->status == 0; i++)
        stream->status =
            wire_send_data(stream->wire, stream->chunk, WIRE_CHUNK, NULL, NULL, &ignored);
    return NULL;
}

static void auto_compresses_for_a_slow_link(void **state) {
    (void)state;
    static uint8_t chunk[WIRE_CHUNK];
    for (size_t i = 0; i < sizeof chunk; i++)
        chunk[i] = (uint8_t)(i >> 8 ^ i >> 3) | 1;
    uint64_t limit = 8u << 20;
    struct wire_options options = {
        .compress = WIRE_COMPRESS_AUTO, .bandwidth = bandwidth, .bandwidth_context = &limit};
    struct wire *ends[2];
    pair_open(ends, &options);
    struct stream stream = {.wire = ends[0], .chunk = chunk, .count = 30};
    pthread_t thread;
    pthread_create(&thread, NULL, send_stream, &stream);
    struct wire_item item;
    for (int i = 0; i < stream.count; i++) {
        assert_int_equal(wire_next(ends[1], &item, SOON, &failure), 1);
        assert_memory_equal(item.bytes, chunk, sizeof chunk);
        wire_item_release(&item);
    }
    pthread_join(thread, NULL);
    assert_int_equal(stream.status, 0);
    struct wire_statistics statistics;
    wire_statistics(ends[0], &statistics);
    assert_true(statistics.compressed_in > 10 * WIRE_CHUNK);
    assert_true(statistics.compressed_out < statistics.compressed_in / 2);
    pair_close(ends);
}

static void options_out_of_range_are_refused(void **state) {
    (void)state;
    struct wire_options options = {.compress = 20};
    expect_failure(wire_check_options(&options, &failure), EXIT_USAGE, "level");
    options = (struct wire_options){.compress = -2};
    expect_failure(wire_check_options(&options, &failure), EXIT_USAGE, "level");
    options = (struct wire_options){.compress = 19};
    assert_int_equal(wire_check_options(&options, &failure), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_arrive_in_order_in_both_directions_at_once),
        cmocka_unit_test(a_message_may_be_as_long_as_the_limit),
        cmocka_unit_test(unpacking_says_what_came_instead),
        cmocka_unit_test(nothing_goes_after_the_end),
        cmocka_unit_test(more_than_a_chunk_is_our_mistake),
        cmocka_unit_test(items_can_be_held_while_others_come),
        cmocka_unit_test(zero_pages_do_not_travel),
        cmocka_unit_test(a_level_compresses_what_is_not_zero),
        cmocka_unit_test(what_does_not_compress_goes_raw),
        cmocka_unit_test(an_empty_item_is_an_item),
        cmocka_unit_test(done_is_called_once_each_and_in_order),
        cmocka_unit_test(waiting_ends_at_the_deadline),
        cmocka_unit_test(the_descriptor_tells_of_items_and_of_the_end),
        cmocka_unit_test(the_descriptor_tells_of_a_lost_connection),
        cmocka_unit_test(what_was_sent_before_a_loss_still_arrives),
        cmocka_unit_test(sending_to_a_lost_peer_fails_without_a_signal),
        cmocka_unit_test(a_peers_reason_reaches_the_receiver),
        cmocka_unit_test(a_peers_reason_reaches_the_sender),
        cmocka_unit_test(giving_up_wakes_a_blocked_sender),
        cmocka_unit_test(giving_up_finds_no_room_in_a_queue_of_little_items),
        cmocka_unit_test(giving_up_wakes_who_waits_for_the_last_byte),
        cmocka_unit_test(finishing_ends_at_the_deadline),
        cmocka_unit_test(abort_overtakes_what_was_sent_before),
        cmocka_unit_test(an_unknown_exit_code_becomes_a_peers_failure),
        cmocka_unit_test(closing_ends_all_threads_and_descriptors),
        cmocka_unit_test(closing_with_a_full_queue_and_a_hanging_peer_works),
        cmocka_unit_test(closing_with_items_unread_works),
        cmocka_unit_test(the_threads_take_no_signals),
        cmocka_unit_test(an_idle_connection_is_kept_alive),
        cmocka_unit_test(a_silent_peer_is_given_up),
        cmocka_unit_test(a_peer_that_takes_nothing_is_given_up),
        cmocka_unit_test(the_bandwidth_is_not_exceeded),
        cmocka_unit_test(auto_compresses_for_a_slow_link),
        cmocka_unit_test(options_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
