// What of a pages image belongs together in memory. The image has the pages one after the other;
// its pagemap says where each belongs, in entries of at most a MiB. A run is as much as lies side
// by side in the image and in memory.
#ifndef CLONE_RUNS_H
#define CLONE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The lengths of an image's runs in bytes, in order.
struct runs {
    uint64_t *bytes;
    size_t count;
};

// Is this the pagemap of the pages image with that number? Then its runs are read, too: none when
// it is malformed, or memory is out.
bool runs_read(struct runs *runs, uint32_t pages_id, const char *name, const uint8_t *pagemap,
               size_t length);
// How many bytes, from `position` in the image on, lie side by side. 0 behind the end.
uint64_t runs_rest(const struct runs *runs, uint64_t position);
void runs_clear(struct runs *runs);

#endif
