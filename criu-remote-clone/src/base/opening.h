// Opening with a say in how the path is resolved.
#ifndef CLONE_OPENING_H
#define CLONE_OPENING_H

#include <linux/openat2.h>
#include <stdint.h>

// openat2(2), for which the C library has no function; always O_CLOEXEC. `resolve`: RESOLVE_...
int open_resolving(int dir_fd, const char *path, int flags, uint64_t resolve);

#endif
