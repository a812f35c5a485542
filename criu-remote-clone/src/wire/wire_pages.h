// SPDX-License-Identifier: Apache-2.0
// Zero pages: finding them, leaving them out, putting them back.
#pragma once

#include "wire.h"

#define WIRE_PAGE 4096u
#define WIRE_PAGES (WIRE_CHUNK / WIRE_PAGE)
#define WIRE_MAP_BYTES (WIRE_PAGES / 8)

// Sets the bit of each page of `bytes` (at most WIRE_CHUNK; the last page may be short) that holds
// anything but zeros, and returns the number of bytes in those pages.
size_t wire_pages_scan(const uint8_t *bytes, size_t length, uint8_t map[WIRE_MAP_BYTES]);

// The number of bytes in the pages that a received map names, or SIZE_MAX if it names pages beyond
// `length`.
size_t wire_pages_named(const uint8_t map[WIRE_MAP_BYTES], size_t length);

// Copies the named pages, one after the other, to `to`.
void wire_pages_gather(uint8_t *to, const uint8_t *bytes, size_t length,
                       const uint8_t map[WIRE_MAP_BYTES]);

// The inverse, in place: `bytes` starts with the named pages and has room for `length` bytes.
void wire_pages_scatter(uint8_t *bytes, size_t length, const uint8_t map[WIRE_MAP_BYTES]);
