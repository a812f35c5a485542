// SPDX-License-Identifier: Apache-2.0
// Encoding of data: see wire_encoding.h.
#include "wire_encoding.h"

#include <sodium.h>

void *wire_secret_buffer(size_t size, struct failure *failure) {
    void *buffer = malloc(size);
    if (!buffer)
        fail_errno(failure, EXIT_SPACE, "no memory for a %zu byte transfer buffer", size);
    return buffer;
}

void wire_secret_buffer_free(void *buffer, size_t used) {
    if (buffer)
        sodium_memzero(buffer, used);
    free(buffer);
}

int wire_encoder_open(struct wire_encoder *encoder, struct failure *failure) {
    *encoder = (struct wire_encoder){.zstd = ZSTD_createCCtx()};
    if (!encoder->zstd)
        return fail(failure, EXIT_SPACE, "no memory for a compressor");
    encoder->gathered = wire_secret_buffer(WIRE_CHUNK, failure);
    if (!encoder->gathered)
        return -1;
    encoder->packed = wire_secret_buffer(WIRE_CHUNK, failure);
    return encoder->packed ? 0 : -1;
}

void wire_encoder_close(struct wire_encoder *encoder) {
    ZSTD_freeCCtx(encoder->zstd);
    wire_secret_buffer_free(encoder->gathered, encoder->used);
    wire_secret_buffer_free(encoder->packed, encoder->used);
}

// zstd gets room for nine tenths only: what doesn't fit isn't worth sending compressed, and it can
// stop as soon as it knows.
static void compress(struct wire_encoder *encoder, int level, struct wire_item_head *head,
                     struct wire_encoded *encoded) {
    size_t room = encoded->length / 10 * 9;
    size_t packed = ZSTD_compressCCtx(encoder->zstd, encoder->packed, room, encoded->body,
                                      encoded->length, level);
    encoded->zstd_in = encoded->length;
    encoded->zstd_out = encoded->length;
    if (ZSTD_isError(packed))
        return;
    encoded->zstd_out = packed;
    encoded->body = encoder->packed;
    encoded->length = packed;
    head->encoding = WIRE_ZSTD;
}

void wire_encode(struct wire_encoder *encoder, const uint8_t *bytes, size_t length, int level,
                 struct wire_item_head *head, struct wire_encoded *encoded) {
    size_t used = wire_pages_scan(bytes, length, head->map);
    encoder->used = used > encoder->used ? used : encoder->used;
    *encoded = (struct wire_encoded){.body = bytes, .length = used};
    head->encoding = WIRE_RAW;
    if (used > 0 && used < length) {
        wire_pages_gather(encoder->gathered, bytes, length, head->map);
        encoded->body = encoder->gathered;
    }
    if (level != 0 && used > 0)
        compress(encoder, level, head, encoded);
}

int wire_decode(ZSTD_DCtx *zstd, const struct wire_item_head *head, uint8_t *body,
                size_t body_length, uint8_t *spare, uint8_t **data, struct failure *failure) {
    *data = body;
    if (head->encoding == WIRE_ZSTD) {
        size_t used = wire_pages_named(head->map, head->length);
        if (ZSTD_decompressDCtx(zstd, spare, used, body, body_length) != used)
            return fail(failure, EXIT_TRANSFER,
                        "the peer sent compressed data that isn't what it claims to be: use the "
                        "same criu-remote-clone on both hosts");
        *data = spare;
    }
    wire_pages_scatter(*data, head->length, head->map);
    return 0;
}
