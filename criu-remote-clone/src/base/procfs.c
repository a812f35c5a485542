// SPDX-License-Identifier: Apache-2.0
// Reading /proc: files whole, and the fields in them.
#include "procfs.h"
#include "scope.h"

#include <ctype.h>
#include <fcntl.h>
#include <unistd.h>

// /proc/PID/maps of a process with the most mappings a kernel allows by default (65530) is 8 MiB.
#define LARGEST (64u << 20)

static char *read_whole(int fd, size_t *length) {
    size_t used = 0, capacity = 4096;
    char *text = malloc(capacity);
    while (text) {
        ssize_t got = read(fd, text + used, capacity - used - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            if (got < 0)
                break;
            text[used] = 0;
            if (length)
                *length = used;
            return text;
        }
        used += (size_t)got;
        if (used + 1 < capacity)
            continue;
        capacity *= 2;
        char *larger = NULL;
        if (capacity > LARGEST)
            errno = EFBIG;
        else
            larger = realloc(text, capacity);
        if (!larger)
            break;
        text = larger;
    }
    int number = errno;
    free(text);
    errno = number;
    return NULL;
}

char *procfs_read(size_t *length, const char *path_format, ...) {
    char path[PATH_MAX];
    FORMAT_INTO(path, path_format);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    return read_whole(fd, length);
}

const char *procfs_value(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        if (*line == '\n')
            line++;
        if (strncmp(line, name, length) != 0)
            continue;
        // /proc/cpuinfo pads the name with tabs before its colon.
        const char *rest = line + length + strspn(line + length, " \t");
        if (*rest == ':')
            return rest + 1 + strspn(rest + 1, " \t");
    }
    return NULL;
}

bool procfs_number(const char *text, const char *name, uint64_t *value) {
    const char *start = procfs_value(text, name);
    if (!start || !isdigit((unsigned char)*start))
        return false;
    char *end;
    uint64_t number = strtoull(start, &end, 10);
    *value = strncmp(end, " kB", 3) == 0 ? number * 1024 : number;
    return true;
}

bool procfs_ids(const char *status, const char *name, unsigned ids[4]) {
    const char *line = procfs_value(status, name);
    return line != NULL && sscanf(line, "%u %u %u %u", &ids[0], &ids[1], &ids[2], &ids[3]) == 4;
}

char *procfs_link(const char *path_format, ...) {
    char path[PATH_MAX], target[PATH_MAX];
    FORMAT_INTO(path, path_format);
    ssize_t length = readlink(path, target, sizeof target - 1);
    return length < 0 ? NULL : strndup(target, (size_t)length);
}

void procfs_label(const char *path, char *label, size_t size) {
    AUTO_FREE char *text = procfs_read(NULL, "%s", path);
    // AppArmor: "profile (enforce)"
    snprintf(label, size, "%.*s", text == NULL ? 0 : (int)strcspn(text, " \n"), text);
    if (strcmp(label, "unconfined") == 0)
        label[0] = '\0';
}

// The kernel's own objects have names that look like those of deleted files.
bool is_file_name(const char *path) {
    static const char *const not_files[] = {"/memfd:", "/SYSV",          "/dev/zero (deleted)",
                                            "/[aio]",  "/anon_hugepage", "/secretmem"};
    for (size_t i = 0; i < sizeof not_files / sizeof not_files[0]; i++)
        if (strncmp(path, not_files[i], strlen(not_files[i])) == 0)
            return false;
    return path[0] == '/';
}
