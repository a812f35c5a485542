// SPDX-License-Identifier: Apache-2.0
// The head that every item carries inside its encrypted frame.
//
//   sequence u64le, kind u8, type u8, encoding u8, zero u8, length u32le, page map [32]
#pragma once

#include "failure.h"
#include "wire_pages.h"

#define WIRE_ITEM_HEAD (16 + WIRE_MAP_BYTES)

enum wire_kind {
    WIRE_KIND_MESSAGE = 1, // a message, or the last piece of one
    WIRE_KIND_PIECE = 2,   // a piece of a message; more of it follows
    WIRE_KIND_DATA = 3,
    WIRE_KIND_END = 4, // the end of the stream
};

enum wire_encoding { WIRE_RAW = 0, WIRE_ZSTD = 1 };

struct wire_item_head {
    uint64_t sequence;
    enum wire_kind kind;
    enum wire_type type; // messages
    enum wire_encoding encoding;
    uint32_t length;             // of the message's piece, or of the data as the caller gave it
    uint8_t map[WIRE_MAP_BYTES]; // data: the pages that aren't zero
};

void wire_item_head_write(const struct wire_item_head *head, uint8_t bytes[WIRE_ITEM_HEAD]);

// Reads a head and checks it against itself and against the length of the body that came with it,
// so that what follows can trust it: EXIT_TRANSFER otherwise.
int wire_item_head_read(const uint8_t bytes[WIRE_ITEM_HEAD], size_t body_length,
                        struct wire_item_head *head, struct failure *failure);

void wire_put_u32(uint8_t *bytes, uint32_t value);
uint32_t wire_get_u32(const uint8_t *bytes);
