// SPDX-License-Identifier: Apache-2.0
// Where received copies are bound. Root's pull must not be led elsewhere by a symbolic link of
// somebody's: neither to make something there, nor to cover what the system has.
#pragma once

#include "failure.h"
#include "keeper.h"

// The path, as far as it exists without symbolic links. Returns malloc'd; NULL with EXIT_REFUSED if
// we are root and one of the links isn't root's.
char *mount_point_real(const char *path, struct failure *failure);

// Makes what is missing of it. What pulls of this user have made is shared with those that come to
// count on it, and the last one's keeper takes it away after its clone's end: the kernel takes a
// mount away with its mount point, whatever namespace the mount is in. Of a real path only.
int mount_point_make(const char *real, bool directory, struct keeper *keeper,
                     struct failure *failure);

// Is it one that a pull has made, and nothing that belongs to this host? By what lstat(2) says.
bool mount_point_is_made(mode_t mode, uint64_t size);

// Opens it (O_PATH), if there is still no symbolic link on the way. -1 with errno.
int mount_point_open(const char *real);
