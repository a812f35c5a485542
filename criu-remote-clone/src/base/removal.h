// SPDX-License-Identifier: Apache-2.0
// Removing what we made from places where others can write, maybe as root: never through a symbolic
// link, never on another mount than the one the thing is on. What isn't there is no failure.
#pragma once

#include "failure.h"

// `path` as these functions take it: absolute, with the symbolic links above its last component
// resolved now. Directories above it need not exist yet. Returns malloc'd.
char *removal_path(const char *path, struct failure *failure);

int removal_of_file(const char *path, struct failure *failure);
int removal_of_empty_directory(const char *path, struct failure *failure); // not empty: it stays
// The file or empty directory that `fd` is open for and holds a shared flock(2) of: it stays if
// others hold one, too, or if the path has come to mean something else. Gives the lock up.
int removal_of_shared(const char *path, int fd, struct failure *failure);
// A file, link or directory with everything below it. Goes on after what can't be removed.
int removal_of_tree(const char *path, struct failure *failure);
