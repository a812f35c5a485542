// SPDX-License-Identifier: Apache-2.0
// Frames: an item, encrypted and authenticated.
//
//   length u32le, secretstream message of the item's head[, sealed body]
//
// The body is sealed by the secretstream as well, or faster (wire_body.h). `length` counts what
// follows it, and is the additional data of both seals.
#pragma once

#include <sodium.h>

#include "failure.h"
#include "wire_body.h"
#include "wire_item.h"

#define WIRE_FRAME_START 4
#define WIRE_SEAL crypto_secretstream_xchacha20poly1305_ABYTES
_Static_assert(WIRE_SEAL == WIRE_BODY_SEAL, "a frame is as long whatever seals its body");
#define WIRE_SEALED_MIN (WIRE_ITEM_HEAD + WIRE_SEAL)
#define WIRE_SEALED_MAX (WIRE_SEALED_MIN + WIRE_CHUNK + WIRE_SEAL)
#define WIRE_FRAME_MAX (WIRE_FRAME_START + WIRE_SEALED_MAX)

// The keys of one direction, and how far its stream has come.
struct wire_cipher {
    crypto_secretstream_xchacha20poly1305_state stream;
    uint8_t body_key[WIRE_BODY_KEY];
    bool aes_bodies;
};

// Writes the frame of an item (at most WIRE_FRAME_MAX bytes) and its length. The end of the stream
// is tagged FINAL. EXIT_SPACE without memory.
int wire_frame_seal(struct wire_cipher *cipher, const struct wire_item_head *head,
                    const uint8_t *body, size_t body_length, uint8_t *frame, size_t *frame_length,
                    struct failure *failure);

// Reads the first bytes of a frame: returns the length of the rest, or 0 with EXIT_TRANSFER if it
// is impossible.
size_t wire_frame_start(const uint8_t start[WIRE_FRAME_START], struct failure *failure);

// Decrypts the rest of a frame; `body` has room for WIRE_CHUNK bytes. EXIT_TRANSFER if anything
// isn't as it was sealed.
int wire_frame_open(struct wire_cipher *cipher, const uint8_t start[WIRE_FRAME_START],
                    const uint8_t *sealed, size_t sealed_length, struct wire_item_head *head,
                    uint8_t *body, size_t *body_length, struct failure *failure);
