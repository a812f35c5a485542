// SPDX-License-Identifier: Apache-2.0
// How the bytes of a data item travel: without their zero pages, and compressed if that saves
// enough.
#pragma once

#include <zstd.h>

#include "failure.h"
#include "wire_item.h"

// One thread's tools; wiped when freed, because the bytes are secret.
struct wire_encoder {
    ZSTD_CCtx *zstd;
    uint8_t *gathered; // WIRE_CHUNK
    uint8_t *packed;   // WIRE_CHUNK
    size_t used;       // of either buffer, so far
};

struct wire_encoded {
    const uint8_t *body; // in the encoder, or the caller's own bytes
    size_t length;
    size_t zstd_in, zstd_out; // bytes given to zstd, and what came of them; 0: not tried
};

int wire_encoder_open(struct wire_encoder *encoder, struct failure *failure);
void wire_encoder_close(struct wire_encoder *encoder);

// Encodes, with zstd at `level` unless that is 0, and fills in the head's map and encoding.
// Compressed bytes that don't save a tenth are not worth the peer's time: the item goes raw.
void wire_encode(struct wire_encoder *encoder, const uint8_t *bytes, size_t length, int level,
                 struct wire_item_head *head, struct wire_encoded *encoded);

// Decodes a body whose head wire_item_head_read() accepted. Both buffers have room for WIRE_CHUNK
// bytes; the data ends up in one of them.
int wire_decode(ZSTD_DCtx *zstd, const struct wire_item_head *head, uint8_t *body,
                size_t body_length, uint8_t *spare, uint8_t **data, struct failure *failure);

// A buffer that holds secrets; freed with the part that was ever used wiped.
void *wire_secret_buffer(size_t size, struct failure *failure);
void wire_secret_buffer_free(void *buffer, size_t used);
