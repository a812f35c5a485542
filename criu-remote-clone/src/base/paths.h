// SPDX-License-Identifier: Apache-2.0
// Absolute paths as texts: nothing here looks at a file system.
#pragma once

#include "standard.h"

// Absolute, below "/", without empty, "." or ".." components and without a slash at the end, and
// not longer than the kernel takes: what may be opened below a base directory as it is.
bool path_is_clean(const char *path);

// Is a component "." or ".."?
bool path_is_dots(const char *component, size_t length);

// What follows `top` in a path that is `top` or below it: "" or "/more". NULL for any other path.
// `top` may be "/".
const char *path_rest(const char *top, const char *path);

// Where cgroups are mounted, on every distribution that we know.
bool path_is_of_cgroup(const char *path);

// As strcmp(3), but everything below a path comes right after it.
int path_compare(const char *left, const char *right);

// `text` seen from `directory` (both absolute, or `text` relative), "." and ".." worked out by the
// text alone. Returns malloc'd; NULL if out of memory.
char *path_normalized(const char *directory, const char *text);

// first + second, malloc'd; NULL if out of memory.
char *path_joined(const char *first, const char *second);
