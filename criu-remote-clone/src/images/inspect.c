// Loads images for inspect_model(): all of each, but of memory nothing and of deleted files only
// what stands before their contents.
#include "inspect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image.h"
#include "inspect_model.h"

#define MOST_BYTES (64u << 20) // of one image that isn't memory
#define GHOST_HEAD (64u << 10)

struct loaded {
    struct inspect_image *images;
    size_t count;
};

static void unload(struct loaded *loaded) {
    for (size_t i = 0; i < loaded->count; i++) {
        free((void *)(uintptr_t)loaded->images[i].name);
        free((void *)(uintptr_t)loaded->images[i].bytes);
    }
    free(loaded->images);
}

// Reads up to `size` bytes; returns how many there were, or -1.
static ssize_t read_all(int fd, uint8_t *bytes, size_t size) {
    size_t got = 0;
    while (got < size) {
        ssize_t count = read(fd, bytes + got, size - got);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        got += (size_t)count;
    }
    return (ssize_t)got;
}

// A ghost file's image without the contents: two magics, the length, the message.
static size_t ghost_head(const uint8_t *bytes, size_t length) {
    enum { BEFORE_MESSAGE = 12 };
    if (length < BEFORE_MESSAGE)
        return length;
    size_t message = (size_t)bytes[8] | (size_t)bytes[9] << 8 | (size_t)bytes[10] << 16;
    return length - BEFORE_MESSAGE < message ? length : BEFORE_MESSAGE + message;
}

// How much of an image of that name is read.
static size_t wanted_bytes(const char *name, uint64_t file_bytes) {
    const char *kind;
    uint32_t number;
    struct image image;
    struct failure ignored;
    if (image_open(&image, "", 0, name, &ignored) == 0)
        return 0; // no magic: memory, or another program's format
    if (image_name(name, &kind, &number) == 0 && strcmp(kind, "ghost-file") == 0 &&
        file_bytes > GHOST_HEAD)
        return GHOST_HEAD;
    return (size_t)file_bytes;
}

// Takes `bytes` over if it returns 0.
static int add(struct loaded *loaded, const char *name, uint8_t *bytes, size_t length,
               uint64_t file_bytes, struct failure *failure) {
    struct inspect_image *grown =
        realloc(loaded->images, (loaded->count + 1) * sizeof *loaded->images);
    if (grown == NULL)
        return fail(failure, EXIT_SPACE, "out of memory");
    loaded->images = grown;
    grown += loaded->count;
    grown->name = strdup(name);
    if (grown->name == NULL)
        return fail(failure, EXIT_SPACE, "out of memory");
    grown->bytes = bytes;
    grown->length = length;
    grown->file_bytes = file_bytes;
    loaded->count++;
    return 0;
}

static int load_open(struct loaded *loaded, int fd, const char *name, struct failure *failure) {
    struct stat facts;
    const char *kind = NULL;
    uint32_t number;
    if (fstat(fd, &facts) != 0)
        return fail_errno(failure, EXIT_USAGE, "can't read %s", name);
    if (!S_ISREG(facts.st_mode))
        return fail(failure, EXIT_USAGE, "%s is not a file", name);
    size_t size = wanted_bytes(name, (uint64_t)facts.st_size);
    if (size > MOST_BYTES)
        return fail(failure, EXIT_IMAGE, "%s: %zu bytes are too many for an image of this kind",
                    name, size);
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL)
        return fail(failure, EXIT_SPACE, "out of memory");
    ssize_t length = read_all(fd, bytes, size);
    if (length < 0) {
        free(bytes);
        return fail_errno(failure, EXIT_USAGE, "can't read %s", name);
    }
    if (image_name(name, &kind, &number) == 0 && strcmp(kind, "ghost-file") == 0)
        length = (ssize_t)ghost_head(bytes, (size_t)length);
    int result = add(loaded, name, bytes, (size_t)length, (uint64_t)facts.st_size, failure);
    if (result != 0)
        free(bytes);
    return result;
}

// O_NONBLOCK: a FIFO of that name doesn't hold us up.
static int load(struct loaded *loaded, int directory, const char *path, const char *name,
                struct failure *failure) {
    int fd = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fail_errno(failure, EXIT_USAGE, "can't open %s", path);
    int result = load_open(loaded, fd, name, failure);
    close(fd);
    return result;
}

static int load_directory(struct loaded *loaded, DIR *directory, struct failure *failure) {
    const char *kind;
    uint32_t number;
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL)
        if (image_name(entry->d_name, &kind, &number) == 0 &&
            load(loaded, dirfd(directory), entry->d_name, entry->d_name, failure) != 0)
            return -1;
    return 0;
}

static int load_path(struct loaded *loaded, const char *path, struct failure *failure) {
    const char *slash = strrchr(path, '/');
    DIR *directory = opendir(path);
    if (directory == NULL && errno == ENOTDIR)
        return load(loaded, AT_FDCWD, path, slash != NULL ? slash + 1 : path, failure);
    if (directory == NULL)
        return fail_errno(failure, EXIT_USAGE, "can't open %s", path);
    int result = load_directory(loaded, directory, failure);
    closedir(directory);
    if (result == 0 && loaded->count == 0)
        return fail(failure, EXIT_USAGE, "%s holds no images of CRIU", path);
    return result;
}

// Numbers by value: core-9 stands before core-10.
static int compare_names(const void *left, const void *right) {
    const struct inspect_image *a = left, *b = right;
    return strverscmp(a->name, b->name);
}

static int show(const struct loaded *loaded, bool json, FILE *out, struct failure *failure) {
    json_t *model = inspect_model(loaded->images, loaded->count, failure);
    if (model == NULL)
        return -1;
    if (json) {
        json_dumpf(model, out, JSON_INDENT(2));
        putc('\n', out);
    } else {
        inspect_text(model, out);
    }
    json_decref(model);
    if (fflush(out) != 0 || ferror(out))
        return fail(failure, EXIT_SPACE, "the output can't be written");
    return 0;
}

int inspect_directory(const char *directory, bool json, FILE *out, struct failure *failure) {
    struct loaded loaded = {0};
    int result = load_path(&loaded, directory, failure);
    if (result == 0) {
        qsort(loaded.images, loaded.count, sizeof *loaded.images, compare_names);
        result = show(&loaded, json, out, failure);
    }
    unload(&loaded);
    return result;
}
