// The handshake: see wire_handshake.h.
#include "wire_handshake.h"

#include <string.h>

static const uint8_t magic[8] = {'c', 'r', 'i', 'u', '-', 'r', 'c', '\n'};
// Of the keys that a lane's secretstream and the seal of its bodies get.
static const char stream_context[crypto_kdf_CONTEXTBYTES + 1] = "criuwire";
static const char body_context[crypto_kdf_CONTEXTBYTES + 1] = "criubody";

// Where a hello has what.
enum { VERSION_AT = 8, LANES_AT = 12, CIPHERS_AT = WIRE_HELLO_CIPHERS, PUBLIC_KEY_AT = 16 };

int wire_handshake_begin(struct wire_handshake *handshake, enum wire_role role,
                         const uint8_t key[WIRE_KEY_BYTES], unsigned lanes,
                         struct failure *failure) {
    if (sodium_init() < 0)
        return fail(failure, EXIT_UNABLE, "libsodium can't start: no source of randomness");
    *handshake = (struct wire_handshake){.role = role};
    memcpy(handshake->key, key, WIRE_KEY_BYTES);
    memcpy(handshake->hello, magic, sizeof magic);
    wire_put_u32(handshake->hello + VERSION_AT, WIRE_VERSION);
    handshake->hello[LANES_AT] = (uint8_t)lanes;
    handshake->hello[CIPHERS_AT] = wire_body_available() ? WIRE_AES_BODIES : 0;
    randombytes_buf(handshake->secret, sizeof handshake->secret);
    crypto_scalarmult_base(handshake->hello + PUBLIC_KEY_AT, handshake->secret);
    return 0;
}

static int check_hello(const struct wire_handshake *handshake, const uint8_t *hello,
                       struct failure *failure) {
    if (memcmp(hello, magic, sizeof magic) != 0)
        return fail(failure, EXIT_PEER, "the peer is not criu-remote-clone: check host and port");
    uint32_t version = wire_get_u32(hello + VERSION_AT);
    if (version != WIRE_VERSION)
        return fail(failure, EXIT_PEER,
                    "the peer speaks version %u of the protocol, this tool (" TOOL_VERSION
                    ") version %u: install the same criu-remote-clone on both hosts",
                    version, WIRE_VERSION);
    unsigned lanes = hello[LANES_AT];
    if (lanes < 1 || lanes > WIRE_LANES_MAX ||
        memcmp(hello + PUBLIC_KEY_AT, handshake->hello + PUBLIC_KEY_AT,
               WIRE_HELLO - PUBLIC_KEY_AT) == 0)
        return fail(failure, EXIT_PEER, "the peer's hello makes no sense: check host and port");
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

// A lane in the direction that begins at `from`. The caller starts its stream with stream_key.
static void set_lane(const struct wire_handshake *handshake, enum wire_role from, unsigned number,
                     struct wire_lane *lane,
                     uint8_t stream_key[crypto_secretstream_xchacha20poly1305_KEYBYTES]) {
    uint64_t id = (uint64_t)from << 8 | number;
    lane->number = (uint8_t)number;
    lane->aes_bodies = handshake->session.aes_bodies;
    crypto_kdf_derive_from_key(stream_key, crypto_secretstream_xchacha20poly1305_KEYBYTES, id,
                               stream_context, handshake->master);
    crypto_kdf_derive_from_key(lane->body_key, sizeof lane->body_key, id, body_context,
                               handshake->master);
}

// Starts the sending lanes and writes their headers and item 0.
static int make_proof(struct wire_handshake *handshake, struct failure *failure) {
    struct wire_session *session = &handshake->session;
    uint8_t key[crypto_secretstream_xchacha20poly1305_KEYBYTES];
    uint8_t *headers = handshake->proof;
    size_t header_bytes = session->lanes * WIRE_LANE_HEADER;
    for (unsigned lane = 0; lane < session->lanes; lane++) {
        set_lane(handshake, handshake->role, lane, &session->sending[lane], key);
        crypto_secretstream_xchacha20poly1305_init_push(&session->sending[lane].stream,
                                                        headers + lane * WIRE_LANE_HEADER, key);
    }
    sodium_memzero(key, sizeof key);
    struct wire_item_head head = {.kind = WIRE_KIND_DATA, .length = (uint32_t)header_bytes};
    wire_pages_scan(headers, header_bytes, head.map);
    size_t frame = 0;
    if (wire_frame_seal(&session->sending[0], &head, headers, header_bytes,
                        handshake->proof + header_bytes, &frame, failure) < 0)
        return -1;
    handshake->proof_length = header_bytes + frame;
    return 0;
}

int wire_handshake_hello(struct wire_handshake *handshake, const uint8_t hello[WIRE_HELLO],
                         struct failure *failure) {
    if (check_hello(handshake, hello, failure) < 0 || agree(handshake, hello, failure) < 0)
        return -1;
    unsigned ours = handshake->hello[LANES_AT], theirs = hello[LANES_AT];
    handshake->session.lanes = ours < theirs ? ours : theirs;
    handshake->session.aes_bodies =
        handshake->hello[CIPHERS_AT] & hello[CIPHERS_AT] & WIRE_AES_BODIES;
    if (make_proof(handshake, failure) < 0)
        return -1;
    handshake->session.sent_bytes = WIRE_HELLO + handshake->proof_length;
    handshake->session.received_bytes = WIRE_HELLO + handshake->proof_length;
    return 0;
}

static void start_receiving(struct wire_handshake *handshake, const uint8_t *headers) {
    struct wire_session *session = &handshake->session;
    enum wire_role from = handshake->role == WIRE_PULL ? WIRE_SERVE : WIRE_PULL;
    uint8_t key[crypto_secretstream_xchacha20poly1305_KEYBYTES];
    for (unsigned lane = 0; lane < session->lanes; lane++) {
        set_lane(handshake, from, lane, &session->receiving[lane], key);
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
