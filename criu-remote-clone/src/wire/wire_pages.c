// SPDX-License-Identifier: Apache-2.0
// Zero pages: see wire_pages.h.
#include "wire_pages.h"

static size_t page_length(size_t length, size_t page) {
    size_t left = length - page * WIRE_PAGE;
    return left < WIRE_PAGE ? left : WIRE_PAGE;
}

static size_t page_count(size_t length) {
    return (length + WIRE_PAGE - 1) / WIRE_PAGE;
}

static bool named(const uint8_t *map, size_t page) {
    return map[page / 8] >> (page % 8) & 1;
}

// Comparing a page with itself, one byte on, lets memcmp() use the widest vectors this processor
// has, and ends at the first byte that differs: for used pages that is nearly at once.
static bool is_zero(const uint8_t *bytes, size_t length) {
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, length - 1) == 0;
}

size_t wire_pages_scan(const uint8_t *bytes, size_t length, uint8_t map[WIRE_MAP_BYTES]) {
    size_t used = 0;
    memset(map, 0, WIRE_MAP_BYTES);
    for (size_t page = 0; page < page_count(length); page++) {
        size_t size = page_length(length, page);
        if (is_zero(bytes + page * WIRE_PAGE, size))
            continue;
        map[page / 8] |= (uint8_t)(1u << page % 8);
        used += size;
    }
    return used;
}

size_t wire_pages_named(const uint8_t map[WIRE_MAP_BYTES], size_t length) {
    size_t used = 0;
    size_t pages = page_count(length);
    for (size_t page = 0; page < WIRE_PAGES; page++) {
        if (!named(map, page))
            continue;
        if (page >= pages)
            return SIZE_MAX;
        used += page_length(length, page);
    }
    return used;
}

void wire_pages_gather(uint8_t *to, const uint8_t *bytes, size_t length,
                       const uint8_t map[WIRE_MAP_BYTES]) {
    for (size_t page = 0; page < page_count(length); page++) {
        if (!named(map, page))
            continue;
        size_t size = page_length(length, page);
        memcpy(to, bytes + page * WIRE_PAGE, size);
        to += size;
    }
}

// From the last page to the first, so that no page is overwritten before it has moved: a page's
// place is never before the place it is gathered at.
void wire_pages_scatter(uint8_t *bytes, size_t length, const uint8_t map[WIRE_MAP_BYTES]) {
    size_t used = wire_pages_named(map, length);
    if (used == length)
        return;
    for (size_t page = page_count(length); page-- > 0;) {
        size_t size = page_length(length, page);
        uint8_t *place = bytes + page * WIRE_PAGE;
        if (named(map, page)) {
            used -= size;
            memmove(place, bytes + used, size);
        } else {
            memset(place, 0, size);
        }
    }
}
