// SPDX-License-Identifier: Apache-2.0
// Item heads: see wire_item.h.
#include "wire_item.h"

void wire_put_u32(uint8_t *bytes, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

uint32_t wire_get_u32(const uint8_t *bytes) {
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++)
        value |= (uint32_t)bytes[i] << 8 * i;
    return value;
}

void wire_item_head_write(const struct wire_item_head *head, uint8_t bytes[WIRE_ITEM_HEAD]) {
    wire_put_u32(bytes, (uint32_t)head->sequence);
    wire_put_u32(bytes + 4, (uint32_t)(head->sequence >> 32));
    bytes[8] = (uint8_t)head->kind;
    bytes[9] = (uint8_t)head->type;
    bytes[10] = (uint8_t)head->encoding;
    bytes[11] = 0;
    wire_put_u32(bytes + 12, head->length);
    memcpy(bytes + 16, head->map, WIRE_MAP_BYTES);
}

static bool empty_map(const struct wire_item_head *head) {
    static const uint8_t empty[WIRE_MAP_BYTES];
    return memcmp(head->map, empty, sizeof empty) == 0;
}

static bool has_body(enum wire_type type) {
    return type != WIRE_FILES_READY && type != WIRE_COMMIT && type != WIRE_KEEPALIVE;
}

static bool good_message(const struct wire_item_head *head, size_t body_length) {
    return head->type >= WIRE_OFFER && head->type <= WIRE_SAMPLE && head->encoding == WIRE_RAW &&
           empty_map(head) && head->length == body_length &&
           (body_length == 0 || has_body(head->type));
}

static bool good_data(const struct wire_item_head *head, size_t body_length) {
    size_t used = wire_pages_named(head->map, head->length);
    if (head->type != 0 || used == SIZE_MAX)
        return false;
    if (head->encoding == WIRE_ZSTD)
        return body_length > 0 && body_length < used;
    return head->encoding == WIRE_RAW && body_length == used;
}

static bool good_end(const struct wire_item_head *head, size_t body_length) {
    return head->type == 0 && head->encoding == WIRE_RAW && empty_map(head) && head->length == 0 &&
           body_length == 0;
}

static bool good(const struct wire_item_head *head, size_t body_length) {
    if (head->length > WIRE_CHUNK)
        return false;
    switch (head->kind) {
    case WIRE_KIND_MESSAGE:
    case WIRE_KIND_PIECE:
        return good_message(head, body_length);
    case WIRE_KIND_DATA:
        return good_data(head, body_length);
    case WIRE_KIND_END:
        return good_end(head, body_length);
    }
    return false;
}

int wire_item_head_read(const uint8_t bytes[WIRE_ITEM_HEAD], size_t body_length,
                        struct wire_item_head *head, struct failure *failure) {
    head->sequence = wire_get_u32(bytes) | (uint64_t)wire_get_u32(bytes + 4) << 32;
    head->kind = bytes[8];
    head->type = bytes[9];
    head->encoding = bytes[10];
    head->length = wire_get_u32(bytes + 12);
    memcpy(head->map, bytes + 16, WIRE_MAP_BYTES);
    if (bytes[11] != 0 || !good(head, body_length))
        return fail(failure, EXIT_TRANSFER,
                    "the peer sent a malformed item (kind %u, type %u, %zu bytes): use the same "
                    "criu-remote-clone on both hosts",
                    bytes[8], bytes[9], body_length);
    return 0;
}
