// What check.c asks of the host, one question each, kept apart so that each can be tested.
#ifndef CLONE_CHECK_INTERNAL_H
#define CLONE_CHECK_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// "6.1.0-13-amd64" is at least 5.9?
bool kernel_is_at_least(const char *release, unsigned major, unsigned minor);

// Names of capabilities (see capabilities(7)) that are in `wanted` and not in `held`, listed in
// `names`; their number.
size_t capabilities_lacking(uint64_t wanted, uint64_t held, char *names, size_t size);

#endif
