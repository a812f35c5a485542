// A library to preload into serve: a peer that changes the images it sends. The tool hashes every
// image just before sending it, so that is where bytes are replaced, in place, in images that are
// small enough not to be memory. TAMPER=OLD:NEW, hexadecimal and of the same length.
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL (1u << 16)
#define LONGEST 64

int XXH3_64bits_update(void *state, const void *bytes, size_t length);

static size_t read_hexadecimal(const char *text, unsigned char bytes[LONGEST]) {
    size_t length = 0;
    for (unsigned byte; length < LONGEST && sscanf(text + 2 * length, "%2x", &byte) == 1; length++)
        bytes[length] = (unsigned char)byte;
    return length;
}

static void tamper(unsigned char *bytes, size_t length) {
    unsigned char old_bytes[LONGEST], new_bytes[LONGEST];
    const char *rule = getenv("TAMPER");
    const char *colon = rule == NULL ? NULL : strchr(rule, ':');
    if (colon == NULL)
        return;
    size_t size = read_hexadecimal(rule, old_bytes);
    if (size == 0 || read_hexadecimal(colon + 1, new_bytes) != size)
        abort();
    unsigned char *found = memmem(bytes, length, old_bytes, size);
    if (found != NULL)
        memcpy(found, new_bytes, size);
}

int XXH3_64bits_update(void *state, const void *bytes, size_t length) {
    static int (*real)(void *, const void *, size_t);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "XXH3_64bits_update");
    if (length < SMALL)
        tamper((unsigned char *)bytes, length);
    return real(state, bytes, length);
}
