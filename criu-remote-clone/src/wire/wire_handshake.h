// The handshake: two ends with the same one-time key agree on session keys and prove to each other
// that they have the key. Bytes in, bytes out; the caller moves them.
//
//   both:   hello        magic[8] version u32le lanes u8 ciphers u8 0 u16 X25519 public key[32]
//   pull:   proof        a secretstream header per lane, then the frame of item 0 on lane 0, whose
//   serve:  proof        data are those headers again
//
// Serve sends its proof only after it has seen pull's.
#ifndef CLONE_WIRE_HANDSHAKE_H
#define CLONE_WIRE_HANDSHAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "wire.h"
#include "wire_frame.h"

#define WIRE_HELLO 48
// The byte of a hello that says what ciphers its sender has besides secretstream, and its one bit:
// this end can do AES-256-GCM for bodies (wire_body.h).
#define WIRE_HELLO_CIPHERS 13
#define WIRE_AES_BODIES 1
#define WIRE_LANE_HEADER crypto_secretstream_xchacha20poly1305_HEADERBYTES
#define WIRE_PROOF_MAX                                                                             \
    (2 * WIRE_LANES_MAX * WIRE_LANE_HEADER + WIRE_FRAME_START + WIRE_SEALED_MIN + WIRE_SEAL)

// What the handshake is for: the lanes of both directions. Item 0 has been sent and received.
struct wire_session {
    unsigned lanes;
    bool aes_bodies;
    struct wire_lane sending[WIRE_LANES_MAX];
    struct wire_lane receiving[WIRE_LANES_MAX];
    uint64_t sent_bytes, received_bytes;
};

struct wire_handshake {
    enum wire_role role;
    uint8_t key[WIRE_KEY_BYTES];
    uint8_t secret[crypto_scalarmult_SCALARBYTES];
    uint8_t hello[WIRE_HELLO]; // to send first
    uint8_t master[crypto_kdf_KEYBYTES];
    uint8_t proof[WIRE_PROOF_MAX]; // to send second
    size_t proof_length;           // of both ends' proofs
    struct wire_session session;
};

int wire_handshake_begin(struct wire_handshake *handshake, enum wire_role role,
                         const uint8_t key[WIRE_KEY_BYTES], unsigned lanes,
                         struct failure *failure);

// The peer's hello: EXIT_PEER if it is none, or of another version. Makes our proof.
int wire_handshake_hello(struct wire_handshake *handshake, const uint8_t hello[WIRE_HELLO],
                         struct failure *failure);

// The peer's proof, `proof_length` bytes: EXIT_PEER if the peer doesn't have the key. On success
// the session is ready.
int wire_handshake_prove(struct wire_handshake *handshake, const uint8_t *proof,
                         struct failure *failure);

void wire_handshake_wipe(struct wire_handshake *handshake);

#endif
