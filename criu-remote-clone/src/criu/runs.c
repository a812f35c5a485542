#include "runs.h"

#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "image_fields.h"

#define PAGE 4096u

// At the end of the last run, or as a new one.
static bool add(struct runs *runs, uint64_t bytes, bool adjacent) {
    if (adjacent && runs->count > 0) {
        runs->bytes[runs->count - 1] += bytes;
        return true;
    }
    uint64_t *grown = realloc(runs->bytes, (runs->count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    runs->bytes = grown;
    grown[runs->count++] = bytes;
    return true;
}

static bool read_entries(struct runs *runs, struct image *image) {
    struct failure ignored;
    struct pb_view entry;
    uint64_t end = 0;
    int got;
    while ((got = image_next(image, &entry.bytes, &entry.length, &ignored)) == 1) {
        uint64_t start = pb_number(entry, PAGEMAP_ADDRESS, 0);
        uint64_t count = pb_number(entry, PAGEMAP_COUNT, pb_number(entry, PAGEMAP_OLD_COUNT, 0));
        if ((pb_number(entry, PAGEMAP_FLAGS, PAGES_PRESENT) & PAGES_PRESENT) == 0)
            continue;
        if (count > UINT64_MAX / PAGE || !add(runs, count * PAGE, start == end))
            return false;
        end = start + count * PAGE;
    }
    return got == 0;
}

bool runs_read(struct runs *runs, uint32_t pages_id, const char *name, const uint8_t *pagemap,
               size_t length) {
    *runs = (struct runs){0};
    struct failure ignored;
    struct image image;
    struct pb_view head;
    const char *kind;
    uint32_t number;
    if (image_name(name, &kind, &number) < 0 || strcmp(kind, "pagemap") != 0 ||
        image_open(&image, pagemap, length, name, &ignored) < 0 ||
        image_next(&image, &head.bytes, &head.length, &ignored) != 1 ||
        pb_number(head, PAGEMAP_PAGES_ID, 0) != pages_id)
        return false;
    if (!read_entries(runs, &image))
        runs_clear(runs);
    return true;
}

uint64_t runs_rest(const struct runs *runs, uint64_t position) {
    for (size_t i = 0; i < runs->count; i++) {
        if (position < runs->bytes[i])
            return runs->bytes[i] - position;
        position -= runs->bytes[i];
    }
    return 0;
}

void runs_clear(struct runs *runs) {
    free(runs->bytes);
    *runs = (struct runs){0};
}
