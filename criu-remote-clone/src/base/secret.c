// SPDX-License-Identifier: Apache-2.0
// Buffers that are wiped when they move and when they go.
#include "secret.h"

#include <sodium.h>

#include "memory.h"

int secret_make_room(struct secret *secret, size_t more, struct failure *failure) {
    size_t needed = secret->length + more;
    if (needed <= secret->capacity)
        return 0;
    struct secret larger = {.length = secret->length, .capacity = needed + needed / 2};
    larger.bytes = malloc(larger.capacity);
    if (larger.bytes == NULL)
        return out_of_memory(failure);
    if (secret->length > 0)
        memcpy(larger.bytes, secret->bytes, secret->length);
    secret_free(secret);
    *secret = larger;
    return 0;
}

void secret_free(struct secret *secret) {
    if (secret->bytes != NULL)
        sodium_memzero(secret->bytes, secret->capacity);
    free(secret->bytes);
    *secret = (struct secret){0};
}
