// SPDX-License-Identifier: Apache-2.0
// Reading /proc and other small text files whole, and finding fields in them.
#pragma once

#include "failure.h"

// The whole file, with a 0 byte after its *length bytes (length may be NULL). NULL with errno set
// when it can't be read or is larger than any such file should be (EFBIG).
char *procfs_read(size_t *length, const char *path_format, ...)
    __attribute__((format(printf, 2, 3)));

// What stands after "name:" and blanks, on the line that begins so; NULL if there is none.
const char *procfs_value(const char *text, const char *name);

// The number there (decimal), times 1024 when "kB" follows. False if there is none.
bool procfs_number(const char *text, const char *name, uint64_t *value);

// The four ids on that line of /proc/PID/status: real, effective, saved, the file system's.
bool procfs_ids(const char *status, const char *name, unsigned ids[4]);

// The target of a symbolic link as a string of its own; NULL with errno set.
char *procfs_link(const char *path_format, ...) __attribute__((format(printf, 1, 2)));

// The security label (SELinux, AppArmor) in a file like /proc/PID/attr/current; empty: none, or
// unconfined.
void procfs_label(const char *path, char *label, size_t size);

// Whether a name in /proc/PID/maps or fd is a file's, and not memfd memory or the like.
bool is_file_name(const char *path);
