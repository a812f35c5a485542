// The handshake: see wire_handshake.h.
#include "wire_handshake.h"

#include <string.h>

static const uint8_t magic[8] = {'c', 'r', 'i', 'u', '-', 'r', 'c', '\n'};
static const char context[crypto_kdf_CONTEXTBYTES + 1] = "criuwire";

int wire_handshake_begin(struct wire_handshake *handshake, enum wire_role role,
                         const uint8_t key[WIRE_KEY_BYTES], unsigned lanes,
                         struct failure *failure) {
    if (sodium_init() < 0)
        return fail(failure, EXIT_UNABLE, "libsodium can't start: no source of randomness");
    *handshake = (struct wire_handshake){.role = role};
    memcpy(handshake->key, key, WIRE_KEY_BYTES);
    memcpy(handshake->hello, magic, sizeof magic);
    wire_put_u32(handshake->hello + 8, WIRE_VERSION);
    wire_put_u32(handshake->hello + 12, lanes);
    randombytes_buf(handshake->secret, sizeof handshake->secret);
    crypto_scalarmult_base(handshake->hello + 16, handshake->secret);
    return 0;
}

static int check_hello(const struct wire_handshake *handshake, const uint8_t *hello,
                       struct failure *failure) {
    if (memcmp(hello, magic, sizeof magic) != 0)
        return fail(failure, EXIT_PEER, "the peer is not criu-remote-clone: check host and port");
    uint32_t version = wire_get_u32(hello + 8);
    if (version != WIRE_VERSION)
        return fail(failure, EXIT_PEER,
                    "the peer speaks version %u of the protocol, this tool (" TOOL_VERSION
                    ") version %u: install the same criu-remote-clone on both hosts",
                    version, WIRE_VERSION);
    uint32_t lanes = wire_get_u32(hello + 12);
    if (lanes < 1 || lanes > WIRE_LANES_MAX ||
        memcmp(hello + 16, handshake->hello + 16, WIRE_HELLO - 16) == 0)
        return fail(failure, EXIT_PEER, "the peer's hello makes no sense: check host and port");
    return 0;
}

// The order of the hellos, pull's first, ties each end to its role: what serve sends is nothing
// that pull could have sent, so nothing can be reflected.
static int agree(struct wire_handshake *handshake, const uint8_t *hello, struct failure *failure) {
    uint8_t shared[crypto_scalarmult_BYTES];
    if (crypto_scalarmult(shared, handshake->secret, hello + 16) != 0)
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

static void lane_key(const struct wire_handshake *handshake, enum wire_role from, unsigned lane,
                     uint8_t key[crypto_secretstream_xchacha20poly1305_KEYBYTES]) {
    crypto_kdf_derive_from_key(key, crypto_secretstream_xchacha20poly1305_KEYBYTES,
                               (uint64_t)from << 8 | lane, context, handshake->master);
}

// Starts the sending lanes and writes their headers and item 0.
static void make_proof(struct wire_handshake *handshake) {
    struct wire_session *session = &handshake->session;
    uint8_t key[crypto_secretstream_xchacha20poly1305_KEYBYTES];
    uint8_t *headers = handshake->proof;
    size_t header_bytes = session->lanes * WIRE_LANE_HEADER;
    for (unsigned lane = 0; lane < session->lanes; lane++) {
        lane_key(handshake, handshake->role, lane, key);
        session->sending[lane].number = (uint8_t)lane;
        crypto_secretstream_xchacha20poly1305_init_push(&session->sending[lane].stream,
                                                        headers + lane * WIRE_LANE_HEADER, key);
    }
    sodium_memzero(key, sizeof key);
    struct wire_item_head head = {.kind = WIRE_KIND_DATA, .length = (uint32_t)header_bytes};
    wire_pages_scan(headers, header_bytes, head.map);
    size_t frame = wire_frame_seal(&session->sending[0], &head, headers, header_bytes,
                                   handshake->proof + header_bytes);
    handshake->proof_length = header_bytes + frame;
}

int wire_handshake_hello(struct wire_handshake *handshake, const uint8_t hello[WIRE_HELLO],
                         struct failure *failure) {
    if (check_hello(handshake, hello, failure) < 0 || agree(handshake, hello, failure) < 0)
        return -1;
    uint32_t ours = wire_get_u32(handshake->hello + 12);
    uint32_t theirs = wire_get_u32(hello + 12);
    handshake->session.lanes = ours < theirs ? ours : theirs;
    make_proof(handshake);
    handshake->session.sent_bytes = WIRE_HELLO + handshake->proof_length;
    handshake->session.received_bytes = WIRE_HELLO + handshake->proof_length;
    return 0;
}

static void start_receiving(struct wire_handshake *handshake, const uint8_t *headers) {
    struct wire_session *session = &handshake->session;
    enum wire_role from = handshake->role == WIRE_PULL ? WIRE_SERVE : WIRE_PULL;
    uint8_t key[crypto_secretstream_xchacha20poly1305_KEYBYTES];
    for (unsigned lane = 0; lane < session->lanes; lane++) {
        lane_key(handshake, from, lane, key);
        session->receiving[lane].number = (uint8_t)lane;
        crypto_secretstream_xchacha20poly1305_init_pull(&session->receiving[lane].stream,
                                                        headers + lane * WIRE_LANE_HEADER, key);
    }
    sodium_memzero(key, sizeof key);
}

int wire_handshake_prove(struct wire_handshake *handshake, const uint8_t *proof,
                         struct failure *failure) {
    struct wire_session *session = &handshake->session;
    size_t header_bytes = session->lanes * WIRE_LANE_HEADER;
    const uint8_t *frame = proof + header_bytes;
    size_t sealed = handshake->proof_length - header_bytes - WIRE_FRAME_START;
    start_receiving(handshake, proof);
    struct failure reason;
    struct wire_item_head head;
    uint8_t body[WIRE_PROOF_MAX];
    size_t body_length = 0;
    if (wire_frame_start(frame, 0, &reason) == sealed &&
        wire_frame_open(&session->receiving[0], frame, frame + WIRE_FRAME_START, sealed, &head,
                        body, &body_length, &reason) == 0 &&
        head.sequence == 0 && head.kind == WIRE_KIND_DATA && body_length == header_bytes &&
        memcmp(body, proof, header_bytes) == 0)
        return 0;
    return fail(failure, EXIT_PEER,
                "the peer doesn't have our one-time key: give both ends the same key");
}

void wire_handshake_wipe(struct wire_handshake *handshake) {
    sodium_memzero(handshake, sizeof *handshake);
}
