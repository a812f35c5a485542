// SPDX-License-Identifier: Apache-2.0
// Frames: see wire_frame.h.
#include "wire_frame.h"

#define TAG_MESSAGE crypto_secretstream_xchacha20poly1305_TAG_MESSAGE
#define TAG_FINAL crypto_secretstream_xchacha20poly1305_TAG_FINAL

static size_t sealed_length(size_t body_length) {
    return WIRE_SEALED_MIN + (body_length ? body_length + WIRE_SEAL : 0);
}

static uint8_t tag_of(enum wire_kind kind) {
    return kind == WIRE_KIND_END ? TAG_FINAL : TAG_MESSAGE;
}

// A head begins with the sequence number and what the item is: a nonce that no other body has.
_Static_assert(WIRE_ITEM_HEAD >= WIRE_BODY_NONCE, "the nonce is the beginning of a head");

static struct wire_body_seal body_seal(const struct wire_cipher *cipher, const uint8_t *head,
                                       const uint8_t *start) {
    return (struct wire_body_seal){.key = cipher->body_key,
                                   .nonce = head,
                                   .additional = start,
                                   .additional_length = WIRE_FRAME_START};
}

static int seal_body(struct wire_cipher *cipher, const uint8_t *head, const uint8_t *body,
                     size_t length, uint8_t *frame, struct failure *failure) {
    uint8_t *sealed = frame + WIRE_FRAME_START + WIRE_SEALED_MIN;
    if (cipher->aes_bodies) {
        struct wire_body_seal seal = body_seal(cipher, head, frame);
        return wire_body_seal(&seal, TAG_MESSAGE, body, length, sealed, failure);
    }
    crypto_secretstream_xchacha20poly1305_push(&cipher->stream, sealed, NULL, body, length, frame,
                                               WIRE_FRAME_START, TAG_MESSAGE);
    return 0;
}

int wire_frame_seal(struct wire_cipher *cipher, const struct wire_item_head *head,
                    const uint8_t *body, size_t body_length, uint8_t *frame, size_t *frame_length,
                    struct failure *failure) {
    size_t length = sealed_length(body_length);
    wire_put_u32(frame, (uint32_t)length);
    uint8_t plain[WIRE_ITEM_HEAD];
    wire_item_head_write(head, plain);
    crypto_secretstream_xchacha20poly1305_push(&cipher->stream, frame + WIRE_FRAME_START, NULL,
                                               plain, sizeof plain, frame, WIRE_FRAME_START,
                                               tag_of(head->kind));
    *frame_length = WIRE_FRAME_START + length;
    return body_length ? seal_body(cipher, plain, body, body_length, frame, failure) : 0;
}

size_t wire_frame_start(const uint8_t start[WIRE_FRAME_START], struct failure *failure) {
    uint32_t length = wire_get_u32(start);
    bool possible = length == WIRE_SEALED_MIN ||
                    (length > WIRE_SEALED_MIN + WIRE_SEAL && length <= WIRE_SEALED_MAX);
    if (possible)
        return length;
    fail(failure, EXIT_TRANSFER,
         "the peer sent an impossible frame (%u bytes): the connection was tampered with or "
         "corrupted",
         length);
    return 0;
}

// A failed authentication, and a tag that doesn't fit, are the same to the user.
static int not_authentic(struct failure *failure) {
    return fail(failure, EXIT_TRANSFER,
                "data from the peer is not what it sent: the connection was tampered with or "
                "corrupted");
}

static bool open_message(struct wire_cipher *cipher, const uint8_t *start, const uint8_t *sealed,
                         size_t length, uint8_t *plain, uint8_t *tag) {
    return crypto_secretstream_xchacha20poly1305_pull(&cipher->stream, plain, NULL, tag, sealed,
                                                      length, start, WIRE_FRAME_START) == 0;
}

static bool open_body(struct wire_cipher *cipher, const uint8_t *head, const uint8_t *start,
                      const uint8_t *sealed, size_t length, uint8_t *body, uint8_t *tag) {
    if (!cipher->aes_bodies)
        return open_message(cipher, start, sealed, length, body, tag);
    struct wire_body_seal seal = body_seal(cipher, head, start);
    return wire_body_open(&seal, tag, sealed, length - WIRE_SEAL, body);
}

int wire_frame_open(struct wire_cipher *cipher, const uint8_t start[WIRE_FRAME_START],
                    const uint8_t *sealed, size_t sealed_length, struct wire_item_head *head,
                    uint8_t *body, size_t *body_length, struct failure *failure) {
    uint8_t plain[WIRE_ITEM_HEAD];
    uint8_t tag = 0, body_tag = TAG_MESSAGE;
    size_t rest = sealed_length - WIRE_SEALED_MIN;
    if (!open_message(cipher, start, sealed, WIRE_SEALED_MIN, plain, &tag) ||
        (rest > 0 &&
         !open_body(cipher, plain, start, sealed + WIRE_SEALED_MIN, rest, body, &body_tag)))
        return not_authentic(failure);
    *body_length = rest > 0 ? rest - WIRE_SEAL : 0;
    if (wire_item_head_read(plain, *body_length, head, failure) < 0)
        return -1;
    if (tag != tag_of(head->kind) || body_tag != TAG_MESSAGE)
        return fail(failure, EXIT_TRANSFER,
                    "the peer ended its stream in a wrong way: use the "
                    "same criu-remote-clone on both hosts");
    return 0;
}
