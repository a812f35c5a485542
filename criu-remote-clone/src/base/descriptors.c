// Closing what isn't to be inherited: gaps between descriptors, since CLOSE_RANGE_CLOEXEC is Linux
// 5.11's.
#include "descriptors.h"

#include <limits.h>
#include <unistd.h>

static void sort(int *numbers, size_t count) {
    for (size_t i = 1; i < count; i++)
        for (size_t at = i; at > 0 && numbers[at - 1] > numbers[at]; at--) {
            int number = numbers[at];
            numbers[at] = numbers[at - 1];
            numbers[at - 1] = number;
        }
}

void descriptors_close_all_but(int *kept, size_t count) {
    int next = STDERR_FILENO + 1;
    sort(kept, count);
    for (size_t i = 0; i < count; i++) {
        if (kept[i] > next)
            close_range((unsigned)next, (unsigned)kept[i] - 1, 0);
        if (kept[i] >= next)
            next = kept[i] + 1;
    }
    close_range((unsigned)next, UINT_MAX, 0);
}
