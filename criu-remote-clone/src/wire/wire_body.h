// SPDX-License-Identifier: Apache-2.0
// AES-256-GCM for the bodies of items, where both ends' processors have the instructions for it:
// OpenSSL's is 5 to 10 times as fast there as libsodium's stream cipher, which would otherwise be
// what holds a clone up on a fast link (docs/internals/wire-protocol.md).
//
// A sealed body is as long as secretstream would make it: a tag byte is encrypted after the body.
#pragma once

#include "failure.h"

#define WIRE_BODY_KEY 32
#define WIRE_BODY_NONCE 12
#define WIRE_BODY_SEAL 17 // the tag byte and GCM's 16 bytes

// Whether this processor has the instructions. Without them it would be slow, and its time would
// tell of the key.
bool wire_body_available(void);

// What one body is sealed with. A key may see each nonce once.
struct wire_body_seal {
    const uint8_t *key;   // WIRE_BODY_KEY bytes
    const uint8_t *nonce; // WIRE_BODY_NONCE bytes
    const uint8_t *additional;
    size_t additional_length;
};

// Writes length + WIRE_BODY_SEAL bytes. EXIT_SPACE when OpenSSL gets no memory.
int wire_body_seal(const struct wire_body_seal *seal, uint8_t tag, const uint8_t *body,
                   size_t length, uint8_t *sealed, struct failure *failure);

// Reads length + WIRE_BODY_SEAL bytes; false if they aren't what was sealed, or no memory is left.
bool wire_body_open(const struct wire_body_seal *seal, uint8_t *tag, const uint8_t *sealed,
                    size_t length, uint8_t *body);
