// SPDX-License-Identifier: Apache-2.0
// The handshake: see wire_handshake.h.
#include "wire_handshake.h"

static const uint8_t magic[8] = {'c', 'r', 'i', 'u', '-', 'r', 'c', '\n'};
// Of the keys that a direction's secretstream and the seal of its bodies get.
static const char stream_context[crypto_kdf_CONTEXTBYTES + 1] = "criuwire";
static const char body_context[crypto_kdf_CONTEXTBYTES + 1] = "criubody";

#define PUBLIC_KEY_AT 16 // in a hello

int wire_handshake_begin(struct wire_handshake *handshake, enum wire_role role,
                         const uint8_t key[WIRE_KEY_BYTES], struct failure *failure) {
    if (sodium_init() < 0)
        return fail(failure, EXIT_UNABLE, "libsodium can't start: no source of randomness");
    *handshake = (struct wire_handshake){.role = role};
    memcpy(handshake->key, key, WIRE_KEY_BYTES);
    memcpy(handshake->hello, magic, sizeof magic);
    wire_put_u32(handshake->hello + WIRE_HELLO_NEWEST, WIRE_NEWEST);
    handshake->hello[WIRE_HELLO_OLDEST] = WIRE_OLDEST;
    handshake->hello[WIRE_HELLO_CIPHERS] = wire_body_available() ? WIRE_AES_BODIES : 0;
    randombytes_buf(handshake->secret, sizeof handshake->secret);
    crypto_scalarmult_base(handshake->hello + PUBLIC_KEY_AT, handshake->secret);
    return 0;
}

static int check_hello(const struct wire_handshake *handshake, const uint8_t *hello,
                       struct failure *failure) {
    if (memcmp(hello, magic, sizeof magic) != 0)
        return fail(failure, EXIT_PEER, "the peer is not criu-remote-clone: check host and port");
    if (memcmp(hello + PUBLIC_KEY_AT, handshake->hello + PUBLIC_KEY_AT,
               WIRE_HELLO - PUBLIC_KEY_AT) == 0)
        return fail(failure, EXIT_PEER, "the peer's hello makes no sense: check host and port");
    return 0;
}

// The highest version that both speak, or 0 with EXIT_PEER.
static uint32_t choose_version(const uint8_t *ours, const uint8_t *theirs,
                               struct failure *failure) {
    uint32_t our_newest = wire_get_u32(ours + WIRE_HELLO_NEWEST);
    uint32_t their_newest = wire_get_u32(theirs + WIRE_HELLO_NEWEST);
    uint32_t version = our_newest < their_newest ? our_newest : their_newest;
    if (version >= ours[WIRE_HELLO_OLDEST] && version >= theirs[WIRE_HELLO_OLDEST])
        return version;
    fail(failure, EXIT_PEER,
         "the peer speaks up to version %u of the protocol, this tool (" TOOL_VERSION
         ") versions %u to %u: install the newer criu-remote-clone on both hosts",
         their_newest, ours[WIRE_HELLO_OLDEST], our_newest);
    return 0;
}

// The order of the hellos, pull's first, ties each end to its role: what serve sends is nothing
// that pull could have sent, so nothing can be reflected.
static int agree(struct wire_handshake *handshake, const uint8_t *hello, struct failure *failure) {
    uint8_t shared[crypto_scalarmult_BYTES];
    if (crypto_scalarmult(shared, handshake->secret, hello + PUBLIC_KEY_AT) != 0)
        return fail(failure, EXIT_PEER, "the peer's hello makes no sense: its public key is weak");
    bool pull = handshake->role == WIRE_PULL;
    crypto_generichash_state hash;
    crypto_generichash_init(&hash, handshake->key, WIRE_KEY_BYTES, sizeof handshake->master);
    crypto_generichash_update(&hash, shared, sizeof shared);
    crypto_generichash_update(&hash, pull ? handshake->hello : hello, WIRE_HELLO);
    crypto_generichash_update(&hash, pull ? hello : handshake->hello, WIRE_HELLO);
    crypto_generichash_final(&hash, handshake->master, sizeof handshake->master);
    sodium_memzero(shared, sizeof shared);
    sodium_memzero(&hash, sizeof hash);
    return 0;
}

// The keys of the direction that begins at `from`. The caller starts its stream with stream_key.
static void set_cipher(const struct wire_handshake *handshake, enum wire_role from, bool aes_bodies,
                       struct wire_cipher *cipher,
                       uint8_t stream_key[crypto_secretstream_xchacha20poly1305_KEYBYTES]) {
    cipher->aes_bodies = aes_bodies;
    crypto_kdf_derive_from_key(stream_key, crypto_secretstream_xchacha20poly1305_KEYBYTES, from,
                               stream_context, handshake->master);
    crypto_kdf_derive_from_key(cipher->body_key, sizeof cipher->body_key, from, body_context,
                               handshake->master);
}

// Starts the sending stream and writes its header and item 0.
static int make_proof(struct wire_handshake *handshake, bool aes_bodies, struct failure *failure) {
    struct wire_cipher *cipher = &handshake->session.sending;
    uint8_t key[crypto_secretstream_xchacha20poly1305_KEYBYTES];
    uint8_t *header = handshake->proof;
    set_cipher(handshake, handshake->role, aes_bodies, cipher, key);
    crypto_secretstream_xchacha20poly1305_init_push(&cipher->stream, header, key);
    sodium_memzero(key, sizeof key);
    struct wire_item_head head = {.kind = WIRE_KIND_DATA, .length = WIRE_STREAM_HEADER};
    wire_pages_scan(header, WIRE_STREAM_HEADER, head.map);
    size_t length = 0;
    return wire_frame_seal(cipher, &head, header, WIRE_STREAM_HEADER, header + WIRE_STREAM_HEADER,
                           &length, failure);
}

int wire_handshake_hello(struct wire_handshake *handshake, const uint8_t hello[WIRE_HELLO],
                         struct failure *failure) {
    const uint8_t *ours = handshake->hello;
    bool aes_bodies = ours[WIRE_HELLO_CIPHERS] & hello[WIRE_HELLO_CIPHERS] & WIRE_AES_BODIES;
    if (check_hello(handshake, hello, failure) < 0)
        return -1;
    handshake->session.version = choose_version(ours, hello, failure);
    if (handshake->session.version == 0 || agree(handshake, hello, failure) < 0)
        return -1;
    enum wire_role peer = handshake->role == WIRE_PULL ? WIRE_SERVE : WIRE_PULL;
    set_cipher(handshake, peer, aes_bodies, &handshake->session.receiving, handshake->peer_key);
    return make_proof(handshake, aes_bodies, failure);
}

int wire_handshake_prove(struct wire_handshake *handshake, const uint8_t proof[WIRE_PROOF],
                         struct failure *failure) {
    struct wire_cipher *cipher = &handshake->session.receiving;
    const uint8_t *frame = proof + WIRE_STREAM_HEADER;
    size_t sealed = WIRE_PROOF - WIRE_STREAM_HEADER - WIRE_FRAME_START;
    crypto_secretstream_xchacha20poly1305_init_pull(&cipher->stream, proof, handshake->peer_key);
    struct failure reason;
    struct wire_item_head head;
    uint8_t body[WIRE_PROOF];
    size_t body_length = 0;
    if (wire_frame_start(frame, &reason) == sealed &&
        wire_frame_open(cipher, frame, frame + WIRE_FRAME_START, sealed, &head, body, &body_length,
                        &reason) == 0 &&
        head.sequence == 0 && head.kind == WIRE_KIND_DATA && body_length == WIRE_STREAM_HEADER &&
        memcmp(body, proof, WIRE_STREAM_HEADER) == 0)
        return 0;
    return fail(failure, EXIT_PEER,
                "the peer doesn't have our session key: give both ends the same key");
}

void wire_handshake_wipe(struct wire_handshake *handshake) {
    sodium_memzero(handshake, sizeof *handshake);
}
