// SPDX-License-Identifier: Apache-2.0
// A directory for a test's files, and short ways to write and look at them.
#pragma once

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline char *test_directory(void) {
    char *path = strdup("/tmp/crc-unit-XXXXXX");
    assert(mkdtemp(path) != NULL);
    return path;
}

static inline const char *in(const char *directory, const char *name) {
    static char paths[8][4096];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static inline void write_file(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

static inline const char *read_file(const char *path) {
    static char text[8192];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return "(no such file)";
    ssize_t got = read(fd, text, sizeof text - 1);
    text[got > 0 ? got : 0] = '\0';
    close(fd);
    return text;
}

static inline int exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}
