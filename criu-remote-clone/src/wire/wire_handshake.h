// SPDX-License-Identifier: Apache-2.0
// The handshake: two ends with the same session key agree on session keys and prove to each other
// that they have the key. Bytes in, bytes out; the caller moves them.
#pragma once

#include "failure.h"
#include "wire.h"
#include "wire_frame.h"

#define WIRE_HELLO 48
// Where a hello has the versions that its sender speaks, and what ciphers it has besides
// secretstream. The one bit of these: it can do AES-256-GCM for bodies (wire_body.h).
#define WIRE_HELLO_NEWEST 8
#define WIRE_HELLO_OLDEST 12
#define WIRE_HELLO_CIPHERS 13
#define WIRE_AES_BODIES 1
#define WIRE_STREAM_HEADER crypto_secretstream_xchacha20poly1305_HEADERBYTES
#define WIRE_PROOF (2 * WIRE_STREAM_HEADER + WIRE_FRAME_START + WIRE_SEALED_MIN + WIRE_SEAL)

// What the handshake is for. Item 0 has been sent and received.
struct wire_session {
    uint32_t version;
    struct wire_cipher sending, receiving;
};

struct wire_handshake {
    enum wire_role role;
    uint8_t key[WIRE_KEY_BYTES];
    uint8_t secret[crypto_scalarmult_SCALARBYTES];
    uint8_t hello[WIRE_HELLO]; // to send first
    uint8_t master[crypto_kdf_KEYBYTES];
    uint8_t peer_key[crypto_secretstream_xchacha20poly1305_KEYBYTES]; // of the peer's stream
    uint8_t proof[WIRE_PROOF];                                        // to send second
    struct wire_session session;
};

int wire_handshake_begin(struct wire_handshake *handshake, enum wire_role role,
                         const uint8_t key[WIRE_KEY_BYTES], struct failure *failure);

// The peer's hello: EXIT_PEER if it is none, or no version is both ends'. Makes our proof.
int wire_handshake_hello(struct wire_handshake *handshake, const uint8_t hello[WIRE_HELLO],
                         struct failure *failure);

// The peer's proof: EXIT_PEER if the peer doesn't have the key. On success the session is ready.
int wire_handshake_prove(struct wire_handshake *handshake, const uint8_t proof[WIRE_PROOF],
                         struct failure *failure);

void wire_handshake_wipe(struct wire_handshake *handshake);
