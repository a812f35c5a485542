// SPDX-License-Identifier: Apache-2.0
// A man in the middle, and a peer that has the key but not good manners: whatever they do, the
// receiver delivers what was sent or nothing, and says what is wrong.
#include "clone_wire.pb-c.h"
#include "failure.h"
#include "wire.h"
#include "wire_encoding.h"
#include "wire_pair.h"
#include "wire_receiver.h"
#include <pthread.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct failure failure;

static void expect_failure(int status, enum exit_code code, const char *text) {
    assert_int_equal(status, -1);
    assert_int_equal(failure.code, code);
    if (!strstr(failure.text, text))
        print_error("'%s' is not in '%s'\n", text, failure.text);
    assert_non_null(strstr(failure.text, text));
}

// --- A recorded session: the bytes that serve put on the wire after the handshake ---

#define FRAMES_MAX 64

struct recording {
    struct wire_session receiver; // pull's state before the first of them
    uint8_t *bytes;
    size_t length;
    size_t starts[FRAMES_MAX + 1]; // of the frames
    size_t frames;
    // What a receiver may deliver of it:
    struct {
        bool is_data;
        uint8_t bytes[64];
        size_t length;
    } items[FRAMES_MAX];
    size_t item_count;
};

static void record_frame(struct recording *recording, struct wire_session *sender,
                         const struct wire_item_head *head, const uint8_t *body, size_t length) {
    recording->bytes = realloc(recording->bytes, recording->length + WIRE_FRAME_MAX);
    recording->starts[recording->frames++] = recording->length;
    size_t written = 0;
    assert_int_equal(wire_frame_seal(&sender->sending, head, body, length,
                                     recording->bytes + recording->length, &written, &failure),
                     0);
    recording->length += written;
    recording->starts[recording->frames] = recording->length;
}

static void record_item(struct recording *recording, struct wire_session *sender, bool is_data,
                        const uint8_t *bytes, size_t length) {
    struct wire_item_head head = {.sequence = recording->frames + 1,
                                  .kind = is_data ? WIRE_KIND_DATA : WIRE_KIND_MESSAGE,
                                  .type = is_data ? 0 : WIRE_FILE_GONE,
                                  .length = (uint32_t)length};
    if (is_data)
        wire_pages_scan(bytes, length, head.map);
    record_frame(recording, sender, &head, bytes, length);
    recording->items[recording->item_count].is_data = is_data;
    recording->items[recording->item_count].length = length;
    memcpy(recording->items[recording->item_count++].bytes, bytes, length);
}

static void record(struct recording *recording, size_t items) {
    struct wire_session sessions[2];
    struct content content = {1};
    pair_sessions(sessions);
    *recording = (struct recording){.receiver = sessions[1]};
    for (size_t i = 0; i < items; i++) {
        uint8_t bytes[64];
        content_random(&content, bytes, sizeof bytes);
        record_item(recording, &sessions[0], i % 2 == 0, bytes, 8 + 4 * i);
    }
    struct wire_item_head end = {.sequence = items + 1, .kind = WIRE_KIND_END};
    record_frame(recording, &sessions[0], &end, NULL, 0);
}

static void ignore(void *context, const struct failure *why) {
    (void)context;
    (void)why;
}

// Plays bytes to a receiver. What it delivers must be the beginning of what was sent. Returns how
// that ended: as wire_next() does; *delivered is the number of items before.
static int play(const struct recording *recording, const uint8_t *bytes, size_t length,
                size_t *delivered) {
    int fds[2];
    pair_sockets(fds);
    int size = 4 << 20; // all of it fits, so that no thread is needed
    setsockopt(fds[1], SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
    assert_int_equal(send(fds[1], bytes, length, MSG_DONTWAIT), length);
    close(fds[1]);
    struct wire_receiver *receiver =
        wire_receiver_open(fds[0], &recording->receiver, ignore, NULL, &failure);
    assert_non_null(receiver);
    struct wire_item item;
    int status;
    for (*delivered = 0; (status = wire_receiver_next(receiver, &item, SOON, &failure)) == 1;
         (*delivered)++) {
        assert_true(*delivered < recording->item_count);
        assert_int_equal(item.is_data, recording->items[*delivered].is_data);
        assert_int_equal(item.length, recording->items[*delivered].length);
        assert_memory_equal(item.bytes, recording->items[*delivered].bytes, item.length);
        wire_receiver_release(&item);
    }
    shutdown(fds[0], SHUT_RDWR);
    wire_receiver_close(receiver);
    close(fds[0]);
    return status;
}

static void expect_broken(const struct recording *recording, const uint8_t *bytes, size_t length,
                          size_t most) {
    size_t delivered = 0;
    int status = play(recording, bytes, length, &delivered);
    assert_int_equal(status, -1);
    assert_true(failure.code == EXIT_TRANSFER || failure.code == EXIT_PEER);
    assert_true(delivered <= most);
}

static size_t frame_of(const struct recording *recording, size_t byte) {
    size_t frame = 0;
    while (recording->starts[frame + 1] <= byte)
        frame++;
    return frame;
}

static void an_untouched_recording_plays(void **state) {
    (void)state;
    struct recording recording;
    size_t delivered = 0;
    record(&recording, 9);
    assert_int_equal(play(&recording, recording.bytes, recording.length, &delivered), 0);
    assert_int_equal(delivered, 9);
    free(recording.bytes);
}

static void no_bit_can_be_flipped(void **state) {
    (void)state;
    struct recording recording;
    record(&recording, 2);
    for (size_t bit = 0; bit < 8 * recording.length; bit++) {
        recording.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        expect_broken(&recording, recording.bytes, recording.length, frame_of(&recording, bit / 8));
        recording.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    free(recording.bytes);
}

static void a_truncated_stream_is_told_from_a_finished_one(void **state) {
    (void)state;
    struct recording recording;
    record(&recording, 3);
    for (size_t length = 0; length < recording.length; length++) {
        expect_broken(&recording, recording.bytes, length, frame_of(&recording, length));
        assert_int_equal(failure.code, EXIT_PEER);
    }
    free(recording.bytes);
}

// Copies the frames in another order.
static void reorder(const struct recording *recording, const size_t *order, size_t count,
                    uint8_t **bytes, size_t *length) {
    *bytes = malloc(2 * recording->length);
    *length = 0;
    for (size_t i = 0; i < count; i++) {
        size_t start = recording->starts[order[i]];
        size_t size = recording->starts[order[i] + 1] - start;
        memcpy(*bytes + *length, recording->bytes + start, size);
        *length += size;
    }
}

static void frames_cannot_be_moved_left_out_or_repeated(void **state) {
    (void)state;
    static const struct {
        size_t order[8];
        size_t count;
        size_t most;
    } tricks[] = {
        {{1, 0, 2, 3, 4, 5}, 6, 0},    // the first two change places
        {{0, 1, 4, 3, 2, 5}, 6, 2},    // two that aren't neighbours do
        {{0, 2, 3, 4, 5}, 5, 1},       // one left out
        {{0, 1, 2, 5}, 4, 3},          // two left out
        {{0, 1, 2, 2, 3, 4, 5}, 7, 3}, // one twice
        {{0, 0, 1, 2, 3, 4, 5}, 7, 1}, // the first twice
        {{5}, 1, 0},                   // the end at once
        {{0, 1, 5}, 3, 2},             // the end too early
    };
    for (size_t i = 0; i < sizeof tricks / sizeof tricks[0]; i++) {
        struct recording recording;
        uint8_t *bytes;
        size_t length;
        record(&recording, 5);
        reorder(&recording, tricks[i].order, tricks[i].count, &bytes, &length);
        expect_broken(&recording, bytes, length, tricks[i].most);
        free(bytes);
        free(recording.bytes);
    }
}

static void what_follows_the_end_is_not_looked_at(void **state) {
    (void)state;
    struct recording recording;
    size_t delivered = 0;
    record(&recording, 3);
    recording.bytes = realloc(recording.bytes, recording.length + 100);
    memset(recording.bytes + recording.length, 0xff, 100);
    assert_int_equal(play(&recording, recording.bytes, recording.length + 100, &delivered), 0);
    assert_int_equal(delivered, 3);
    free(recording.bytes);
}

static void impossible_lengths_are_refused_before_anything_is_read(void **state) {
    (void)state;
    static const uint32_t lengths[] = {0,
                                       1,
                                       WIRE_SEALED_MIN - 1,
                                       WIRE_SEALED_MIN + 1,
                                       WIRE_SEALED_MIN + WIRE_SEAL,
                                       WIRE_SEALED_MAX + 1,
                                       0x7fffffff,
                                       0xffffffff};
    struct recording recording;
    record(&recording, 1);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        wire_put_u32(recording.bytes, lengths[i]);
        expect_broken(&recording, recording.bytes, recording.length, 0);
        expect_failure(-1, EXIT_TRANSFER, "impossible frame");
    }
    free(recording.bytes);
}

// --- A peer with the key ---

// Frames that it sealed well, but that no honest peer would send.
static void expect_refused(struct recording *recording, const char *text) {
    size_t delivered = 0;
    expect_failure(play(recording, recording->bytes, recording->length, &delivered), EXIT_TRANSFER,
                   text);
    assert_int_equal(delivered, 0);
    free(recording->bytes);
}

static void expect_item_refused(struct wire_item_head head, const uint8_t *body, size_t length,
                                const char *text) {
    struct wire_session sessions[2];
    pair_sessions(sessions);
    struct recording recording = {.receiver = sessions[1]};
    record_frame(&recording, &sessions[0], &head, body, length);
    expect_refused(&recording, text);
}

static void malformed_items_are_refused(void **state) {
    (void)state;
    static const uint8_t body[8192];
    static const char *malformed = "malformed item";
    struct wire_item_head message = {
        .sequence = 1, .kind = WIRE_KIND_MESSAGE, .type = WIRE_OFFER, .length = 10};
    struct wire_item_head data = {.sequence = 1, .kind = WIRE_KIND_DATA, .length = 4097};
    struct wire_item_head end = {.sequence = 1, .kind = WIRE_KIND_END};
    data.map[0] = 3;

    struct wire_item_head head = message;
    head.kind = 0;
    expect_item_refused(head, body, 10, malformed);
    head.kind = 5;
    expect_item_refused(head, body, 10, malformed);
    head = message;
    head.type = 0;
    expect_item_refused(head, body, 10, malformed);
    head.type = 15;
    expect_item_refused(head, body, 10, malformed);
    head.type = WIRE_COMMIT; // has no body
    expect_item_refused(head, body, 10, malformed);
    head = message;
    head.length = 11;
    expect_item_refused(head, body, 10, malformed);
    head = message;
    head.encoding = WIRE_ZSTD;
    expect_item_refused(head, body, 10, malformed);
    head = message;
    head.map[31] = 1;
    expect_item_refused(head, body, 10, malformed);

    head = data;
    head.encoding = 2;
    expect_item_refused(head, body, 4097, malformed);
    head = data;
    expect_item_refused(head, body, 4096, malformed); // one byte is missing
    head.map[0] = 7;                                  // a page beyond the end
    expect_item_refused(head, body, 8192, malformed);
    head = data;
    head.length = WIRE_CHUNK + 1;
    expect_item_refused(head, body, 4097, malformed);
    head = data;
    head.type = WIRE_OFFER;
    expect_item_refused(head, body, 4097, malformed);
    head = data;
    head.encoding = WIRE_ZSTD; // not smaller than what it claims to hold
    expect_item_refused(head, body, 4097, malformed);

    head = end;
    head.length = 1;
    expect_item_refused(head, body, 0, malformed);
    expect_item_refused(end, body, 1, malformed);
    head = message;
    head.sequence = 2;
    expect_item_refused(head, body, 10, "out of order");
}

static void an_end_without_its_tag_and_a_tag_without_its_end_are_refused(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct wire_session sessions[2];
        pair_sessions(sessions);
        struct recording recording = {.receiver = sessions[1]};
        struct wire_item_head head = {.sequence = 1, .kind = WIRE_KIND_END};
        uint8_t frame[WIRE_FRAME_START + WIRE_SEALED_MIN] = {WIRE_SEALED_MIN};
        uint8_t plain[WIRE_ITEM_HEAD];
        if (i == 1)
            head = (struct wire_item_head){
                .sequence = 1, .kind = WIRE_KIND_MESSAGE, .type = WIRE_COMMIT};
        wire_item_head_write(&head, plain);
        crypto_secretstream_xchacha20poly1305_push(
            &sessions[0].sending.stream, frame + WIRE_FRAME_START, NULL, plain, sizeof plain, frame,
            WIRE_FRAME_START,
            i == 0 ? crypto_secretstream_xchacha20poly1305_TAG_MESSAGE
                   : crypto_secretstream_xchacha20poly1305_TAG_FINAL);
        recording.bytes = malloc(sizeof frame);
        recording.length = sizeof frame;
        memcpy(recording.bytes, frame, sizeof frame);
        expect_refused(&recording, "wrong way");
    }
}

static void compressed_data_that_lies_is_refused(void **state) {
    (void)state;
    static uint8_t zeros[WIRE_CHUNK];
    static uint8_t packed[WIRE_CHUNK];
    size_t length = ZSTD_compress(packed, sizeof packed, zeros, sizeof zeros, 1);
    assert_false(ZSTD_isError(length));
    struct wire_item_head head = {
        .sequence = 1, .kind = WIRE_KIND_DATA, .encoding = WIRE_ZSTD, .length = 8192};
    head.map[0] = 3;
    // A bomb: a megabyte where two pages are claimed.
    expect_item_refused(head, packed, length, "isn't what it claims");
    // Less than is claimed.
    length = ZSTD_compress(packed, sizeof packed, zeros, 8191, 1);
    expect_item_refused(head, packed, length, "isn't what it claims");
    // Nothing that zstd knows.
    memset(packed, 0xa5, 100);
    expect_item_refused(head, packed, 100, "isn't what it claims");
}

static void pieces_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const uint8_t body[10];
    static const struct {
        struct wire_item_head next;
        const char *text;
    } tricks[] = {
        {{.kind = WIRE_KIND_MESSAGE, .type = WIRE_ANSWER, .length = 10}, "pieces that don't fit"},
        {{.kind = WIRE_KIND_PIECE, .type = WIRE_ANSWER, .length = 10}, "pieces that don't fit"},
        {{.kind = WIRE_KIND_DATA, .length = 10, .map = {1}}, "interrupted a message"},
        {{.kind = WIRE_KIND_END}, "interrupted a message"},
    };
    for (size_t i = 0; i < sizeof tricks / sizeof tricks[0]; i++) {
        struct wire_session sessions[2];
        pair_sessions(sessions);
        struct recording recording = {.receiver = sessions[1]};
        struct wire_item_head head = {
            .sequence = 1, .kind = WIRE_KIND_PIECE, .type = WIRE_OFFER, .length = 10};
        record_frame(&recording, &sessions[0], &head, body, 10);
        head = tricks[i].next;
        head.sequence = 2;
        record_frame(&recording, &sessions[0], &head, body, head.length);
        expect_refused(&recording, tricks[i].text);
    }
}

static void a_keepalive_between_pieces_is_fine(void **state) {
    (void)state;
    struct wire_session sessions[2];
    pair_sessions(sessions);
    struct recording recording = {.receiver = sessions[1]};
    struct wire_item_head head = {
        .sequence = 1, .kind = WIRE_KIND_PIECE, .type = WIRE_FILE_GONE, .length = 2};
    record_frame(&recording, &sessions[0], &head, (const uint8_t *)"on", 2);
    head =
        (struct wire_item_head){.sequence = 2, .kind = WIRE_KIND_MESSAGE, .type = WIRE_KEEPALIVE};
    record_frame(&recording, &sessions[0], &head, NULL, 0);
    head = (struct wire_item_head){
        .sequence = 3, .kind = WIRE_KIND_MESSAGE, .type = WIRE_FILE_GONE, .length = 1};
    record_frame(&recording, &sessions[0], &head, (const uint8_t *)"e", 1);
    head = (struct wire_item_head){.sequence = 4, .kind = WIRE_KIND_END};
    record_frame(&recording, &sessions[0], &head, NULL, 0);
    memcpy(recording.items[0].bytes, "one", 3);
    recording.items[0].length = 3;
    recording.item_count = 1;
    size_t delivered = 0;
    assert_int_equal(play(&recording, recording.bytes, recording.length, &delivered), 0);
    assert_int_equal(delivered, 1);
    free(recording.bytes);
}

struct writing {
    int fd;
    const struct recording *recording;
};

static void *write_recording(void *context) {
    struct writing *writing = context;
    size_t sent = 0;
    while (sent < writing->recording->length) {
        ssize_t now = send(writing->fd, writing->recording->bytes + sent,
                           writing->recording->length - sent, MSG_NOSIGNAL);
        if (now <= 0)
            break;
        sent += (size_t)now;
    }
    return NULL;
}

static void a_message_without_end_is_refused_at_the_limit(void **state) {
    (void)state;
    static uint8_t body[WIRE_CHUNK];
    enum { PIECES = WIRE_MESSAGE_MAX / WIRE_CHUNK + 1 };
    struct wire_session sessions[2];
    pair_sessions(sessions);
    struct recording recording = {.receiver = sessions[1]};
    for (unsigned i = 1; i <= PIECES; i++) {
        struct wire_item_head head = {
            .sequence = i, .kind = WIRE_KIND_PIECE, .type = WIRE_OFFER, .length = sizeof body};
        record_frame(&recording, &sessions[0], &head, body, sizeof body);
    }
    int fds[2];
    pair_sockets(fds);
    struct writing writing = {fds[1], &recording};
    pthread_t thread;
    pthread_create(&thread, NULL, write_recording, &writing);
    struct wire_receiver *receiver =
        wire_receiver_open(fds[0], &recording.receiver, ignore, NULL, &failure);
    struct wire_item item;
    expect_failure(wire_receiver_next(receiver, &item, SOON, &failure), EXIT_TRANSFER, "too long");
    shutdown(fds[0], SHUT_RDWR);
    pthread_join(thread, NULL);
    wire_receiver_close(receiver);
    close(fds[0]);
    close(fds[1]);
    free(recording.bytes);
}

static void an_abort_that_says_nothing_is_still_an_abort(void **state) {
    (void)state;
    struct wire_item_head head = {
        .sequence = 1, .kind = WIRE_KIND_MESSAGE, .type = WIRE_ABORT, .length = 3};
    expect_item_refused(head, (const uint8_t *)"\xff\xff\xff", 3, "without saying why");
}

// --- Encoding by itself ---

static void any_pages_survive_encoding(void **state) {
    (void)state;
    static uint8_t chunk[WIRE_CHUNK];
    static uint8_t body[WIRE_CHUNK];
    static uint8_t spare[WIRE_CHUNK];
    struct content content = {11};
    struct wire_encoder encoder;
    ZSTD_DCtx *zstd = ZSTD_createDCtx();
    assert_int_equal(wire_encoder_open(&encoder, &failure), 0);
    for (int i = 0; i < 300; i++) {
        size_t length = content_next(&content) % (i % 2 ? WIRE_CHUNK + 1 : 20000);
        int level = (int)(content_next(&content) % 4);
        struct wire_item_head head = {.kind = WIRE_KIND_DATA, .length = (uint32_t)length};
        struct wire_encoded encoded;
        content_pages(&content, chunk, length);
        wire_encode(&encoder, chunk, length, level, &head, &encoded);
        uint8_t plain[WIRE_ITEM_HEAD];
        wire_item_head_write(&head, plain);
        assert_int_equal(wire_item_head_read(plain, encoded.length, &head, &failure), 0);
        assert_int_equal(head.encoding == WIRE_ZSTD, encoded.zstd_out < encoded.zstd_in);
        memcpy(body, encoded.body, encoded.length);
        memset(body + encoded.length, 0xee, sizeof body - encoded.length);
        uint8_t *data = NULL;
        assert_int_equal(wire_decode(zstd, &head, body, encoded.length, spare, &data, &failure), 0);
        assert_memory_equal(data, chunk, length);
    }
    wire_encoder_close(&encoder);
    ZSTD_freeDCtx(zstd);
}

static void one_byte_makes_a_page_count(void **state) {
    (void)state;
    static uint8_t page[WIRE_PAGE];
    uint8_t map[WIRE_MAP_BYTES];
    for (size_t length = 1; length <= sizeof page; length = length * 2 + (length < 9)) {
        assert_int_equal(wire_pages_scan(page, length, map), 0);
        for (size_t at = 0; at < length; at++) {
            page[at] = 0x80;
            assert_int_equal(wire_pages_scan(page, length, map), length);
            assert_int_equal(map[0], 1);
            page[at] = 0;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_untouched_recording_plays),
        cmocka_unit_test(no_bit_can_be_flipped),
        cmocka_unit_test(a_truncated_stream_is_told_from_a_finished_one),
        cmocka_unit_test(frames_cannot_be_moved_left_out_or_repeated),
        cmocka_unit_test(what_follows_the_end_is_not_looked_at),
        cmocka_unit_test(impossible_lengths_are_refused_before_anything_is_read),
        cmocka_unit_test(malformed_items_are_refused),
        cmocka_unit_test(an_end_without_its_tag_and_a_tag_without_its_end_are_refused),
        cmocka_unit_test(compressed_data_that_lies_is_refused),
        cmocka_unit_test(pieces_that_do_not_fit_are_refused),
        cmocka_unit_test(a_keepalive_between_pieces_is_fine),
        cmocka_unit_test(a_message_without_end_is_refused_at_the_limit),
        cmocka_unit_test(an_abort_that_says_nothing_is_still_an_abort),
        cmocka_unit_test(any_pages_survive_encoding),
        cmocka_unit_test(one_byte_makes_a_page_count),
    };
    int failed = cmocka_run_group_tests_name("as the processor can", tests, NULL, NULL);
    return failed +
           cmocka_run_group_tests_name("secretstream alone", tests, pair_without_aes, NULL);
}
