// SPDX-License-Identifier: Apache-2.0
// Paths as texts: nothing here looks at a file system.
#include "paths.h"

bool path_is_dots(const char *component, size_t length) {
    return (length == 1 && component[0] == '.') ||
           (length == 2 && component[0] == '.' && component[1] == '.');
}

bool path_is_clean(const char *path) {
    if (path[0] != '/' || strnlen(path, PATH_MAX) == PATH_MAX)
        return false;
    while (*path == '/') {
        path++;
        size_t length = strcspn(path, "/");
        if (length == 0 || length > NAME_MAX || path_is_dots(path, length))
            return false;
        path += length;
    }
    return true;
}

const char *path_rest(const char *top, const char *path) {
    size_t length = strlen(top);
    if (length > 0 && top[length - 1] == '/')
        length--; // "/"
    if (strncmp(top, path, length) != 0 || (path[length] != '/' && path[length] != '\0'))
        return NULL;
    return path + length;
}

bool path_is_of_cgroup(const char *path) {
    return path_rest("/sys/fs/cgroup", path) != NULL;
}

int path_compare(const char *left, const char *right) {
    while (*left == *right && *left != '\0') {
        left++;
        right++;
    }
    // A slash comes before every other character, and the end before that.
    int a = *left == '/' ? 1 : *left == '\0' ? 0 : 1 + (unsigned char)*left;
    int b = *right == '/' ? 1 : *right == '\0' ? 0 : 1 + (unsigned char)*right;
    return a - b;
}

static size_t without_last(const char *path, size_t length) {
    while (length > 0 && path[length - 1] != '/')
        length--;
    return length > 0 ? length - 1 : 0;
}

// Appends the components of `text` to `path` and returns the new length.
static size_t append_components(char *path, size_t used, const char *text) {
    while (*text != '\0') {
        size_t length = strcspn(text, "/");
        if (length == 2 && path_is_dots(text, length))
            used = without_last(path, used);
        else if (length > 0 && !path_is_dots(text, length)) {
            path[used++] = '/';
            memcpy(path + used, text, length);
            used += length;
        }
        text += length;
        text += *text == '/';
    }
    return used;
}

char *path_normalized(const char *directory, const char *text) {
    char *path = malloc(strlen(directory) + strlen(text) + 3);
    if (path == NULL)
        return NULL;
    size_t used = text[0] == '/' ? 0 : append_components(path, 0, directory);
    used = append_components(path, used, text);
    if (used == 0)
        path[used++] = '/';
    path[used] = '\0';
    return path;
}

char *path_joined(const char *first, const char *second) {
    size_t length = strlen(first);
    char *path = malloc(length + strlen(second) + 1);
    if (path != NULL) {
        memcpy(path, first, length);
        strcpy(path + length, second);
    }
    return path;
}
