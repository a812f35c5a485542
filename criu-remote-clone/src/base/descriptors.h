// What a child may inherit.
#ifndef CLONE_DESCRIPTORS_H
#define CLONE_DESCRIPTORS_H

#include <stddef.h>

// Closes every descriptor above standard error but these, in any order; -1 stands for none. The
// array is sorted. Async-signal-safe: for a child that was forked from threads.
void descriptors_close_all_but(int *kept, size_t count);

#endif
