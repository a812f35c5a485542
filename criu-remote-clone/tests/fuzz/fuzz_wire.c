// SPDX-License-Identifier: Apache-2.0
// Fuzzes what a peer can make the wire read: before it has proved anything (hello and proof), and
// after (item heads and encoded data); and checks that what is encoded decodes to the same.
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "wire_encoding.h"
#include "wire_handshake.h"

// A stranger's hello and proof: neither may be believed, whatever they are.
static void fuzz_handshake(const uint8_t *data, size_t size) {
    static struct wire_handshake handshake;
    static const uint8_t key[WIRE_KEY_BYTES] = {1};
    uint8_t letter[WIRE_PROOF] = {0};
    struct failure failure;
    if (size < WIRE_HELLO + 1)
        return;
    enum wire_role role = data[0] % 2 ? WIRE_SERVE : WIRE_PULL;
    int status = wire_handshake_begin(&handshake, role, key, &failure);
    assert(status == 0);
    if (wire_handshake_hello(&handshake, data + 1, &failure) < 0) {
        assert(failure.code == EXIT_PEER && strlen(failure.text) > 0);
        return;
    }
    size_t rest = size - WIRE_HELLO - 1;
    memcpy(letter, data + 1 + WIRE_HELLO, rest < sizeof letter ? rest : sizeof letter);
    status = wire_handshake_prove(&handshake, letter, &failure);
    assert(status == -1 && failure.code == EXIT_PEER);
}

// The buffers are exactly as large as the receiver's, so that a byte too far is noticed.
static void fuzz_item(ZSTD_DCtx *zstd, const uint8_t *data, size_t size) {
    struct wire_item_head head;
    struct failure failure;
    if (size < WIRE_ITEM_HEAD || size > WIRE_ITEM_HEAD + WIRE_CHUNK)
        return;
    size_t body_length = size - WIRE_ITEM_HEAD;
    if (wire_item_head_read(data, body_length, &head, &failure) < 0) {
        assert(failure.code == EXIT_TRANSFER);
        return;
    }
    uint8_t again[WIRE_ITEM_HEAD];
    wire_item_head_write(&head, again);
    assert(memcmp(again, data, sizeof again) == 0);
    assert(head.length <= WIRE_CHUNK);
    if (head.kind != WIRE_KIND_DATA)
        return;
    uint8_t *body = malloc(WIRE_CHUNK);
    uint8_t *spare = malloc(WIRE_CHUNK);
    uint8_t *bytes = NULL;
    memcpy(body, data + WIRE_ITEM_HEAD, body_length);
    if (wire_decode(zstd, &head, body, body_length, spare, &bytes, &failure) == 0) {
        uint8_t map[WIRE_MAP_BYTES];
        wire_pages_scan(bytes, head.length, map);
        for (size_t i = 0; i < sizeof map; i++)
            assert((map[i] & ~head.map[i]) == 0);
    } else {
        assert(failure.code == EXIT_TRANSFER);
    }
    free(body);
    free(spare);
}

static void fuzz_round_trip(ZSTD_DCtx *zstd, struct wire_encoder *encoder, const uint8_t *data,
                            size_t size) {
    if (size < 2)
        return;
    struct failure failure;
    struct wire_encoded encoded;
    // The input, spread over pages: after each of its bytes as many zeros as the first byte says.
    size_t stride = 1 + 64u * data[0];
    size_t length = (size - 2) * stride < WIRE_CHUNK ? (size - 2) * stride : WIRE_CHUNK;
    uint8_t *original = calloc(1, length + 1);
    for (size_t i = 0; i * stride < length; i++)
        original[i * stride] = data[2 + i];
    struct wire_item_head head = {.kind = WIRE_KIND_DATA, .length = (uint32_t)length};
    wire_encode(encoder, original, length, data[1] % 4, &head, &encoded);
    assert(encoded.length <= length);
    uint8_t *body = malloc(WIRE_CHUNK);
    uint8_t *spare = malloc(WIRE_CHUNK);
    uint8_t *bytes = NULL;
    memcpy(body, encoded.body, encoded.length);
    int status = wire_decode(zstd, &head, body, encoded.length, spare, &bytes, &failure);
    assert(status == 0 && memcmp(bytes, original, length) == 0);
    free(original);
    free(body);
    free(spare);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct wire_encoder encoder;
    static ZSTD_DCtx *zstd;
    struct failure failure;
    if (!zstd) {
        zstd = ZSTD_createDCtx();
        int status = wire_encoder_open(&encoder, &failure);
        assert(zstd && status == 0);
    }
    if (size < 1)
        return 0;
    switch (data[0] % 3) {
    case 0:
        fuzz_handshake(data + 1, size - 1);
        break;
    case 1:
        fuzz_item(zstd, data + 1, size - 1);
        break;
    default:
        fuzz_round_trip(zstd, &encoder, data + 1, size - 1);
    }
    return 0;
}
