// SPDX-License-Identifier: Apache-2.0
// Fuzzes the dialects: nothing is read behind the payload or depends on what is there, and what is
// taken for a read is one in words as plain as possible.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dialect.h"

static struct reading read_with(enum dialect dialect, const uint8_t *data, size_t size, int fill) {
    uint8_t *bytes = malloc(DIALECT_BYTES); // the sanitizer watches its end
    uint32_t seen = size < DIALECT_BYTES ? (uint32_t)size : DIALECT_BYTES;
    memset(bytes, fill, DIALECT_BYTES);
    memcpy(bytes, data, seen);
    struct payload payload = {bytes, seen, (uint32_t)size};
    struct reading reading = dialect_request(dialect, false, &payload);
    struct reading answer = dialect_answer(dialect, &payload);
    assert(!answer.is_read && (reading.has_id || !reading.is_read));
    free(bytes);
    return reading;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 || size > 2000)
        return 0;
    enum dialect dialect = (enum dialect)(data[0] % (DIALECT_NETCLONE + 1));
    data++;
    size--;
    struct reading reading = read_with(dialect, data, size, 0);
    struct reading again = read_with(dialect, data, size, 0xff);
    assert(reading.id == again.id && reading.has_id == again.has_id &&
           reading.is_read == again.is_read);
    if (!reading.is_read)
        return 0;
    if (dialect == DIALECT_DNS)
        assert(size >= 17 && (data[2] & 0xf8) == 0 && data[5] == 1);
    if (dialect == DIALECT_KERBEROS)
        assert(size >= 18 && (data[0] == 0x6a || data[0] == 0x6c));
    if (dialect == DIALECT_MEMCACHED)
        assert(memcmp(data + 8, "get", 3) == 0 && memchr(data + 8, '\n', size - 9) == NULL);
    if (dialect == DIALECT_NETCLONE)
        assert(size >= NETCLONE_BYTES && (data[0] | data[1] | data[2] | data[3]) == 0);
    assert(dialect != DIALECT_FLOW);
    return 0;
}
