// SPDX-License-Identifier: Apache-2.0
// Buffers with what nobody else may see: wiped before they are freed.
#pragma once

#include "failure.h"

struct secret {
    uint8_t *bytes;
    size_t length, capacity;
};

// Room for so many more bytes. Not realloc(3), which could leave a copy behind.
int secret_make_room(struct secret *secret, size_t more, struct failure *failure);
void secret_free(struct secret *secret);
