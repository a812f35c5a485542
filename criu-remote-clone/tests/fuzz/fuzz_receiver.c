// SPDX-License-Identifier: Apache-2.0
// Fuzzes the receiver of the file clone set with a stranger's messages. The input is a list of
// items, each [type, 1 byte; 0: data][length, 2 bytes little endian][bytes]; the receiver stores
// below "base" in a directory of its own, and whatever it is sent, what lies beside that stays as
// it is.
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fileset.h"
#include "removal.h"

// The keeper's list only grows.
#define INPUTS_PER_KEEPER 256

struct place {
    char directory[64], base[80], beside[80], victim[96];
    struct keeper *keeper;
    unsigned inputs;
};

static void write_victim(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, "mine", 4) != 4)
        abort();
    close(fd);
}

static void remove_place(void);

// libFuzzer calls one function without a context, hence the one static.
static struct place *the_place(void) {
    static struct place place;
    if (place.directory[0] != '\0')
        return &place;
    strcpy(place.directory, "/dev/shm/crc-fuzz-XXXXXX");
    if (mkdtemp(place.directory) == NULL)
        abort();
    snprintf(place.base, sizeof place.base, "%s/base", place.directory);
    snprintf(place.beside, sizeof place.beside, "%s/beside", place.directory);
    snprintf(place.victim, sizeof place.victim, "%s/victim", place.beside);
    if (mkdir(place.beside, 0700) < 0)
        abort();
    write_victim(place.victim);
    atexit(remove_place);
    return &place;
}

static void remove_place(void) {
    struct failure ignored;
    removal_of_tree(the_place()->directory, &ignored);
}

static void check_beside(const struct place *place) {
    struct stat directory, victim;
    if (stat(place->beside, &directory) < 0 || stat(place->victim, &victim) < 0 ||
        directory.st_nlink != 2 || directory.st_mode != (S_IFDIR | 0700) || victim.st_size != 4 ||
        victim.st_nlink != 1 || victim.st_mode != (S_IFREG | 0600))
        abort();
    char bytes[4];
    int fd = open(place->victim, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, bytes, 4) != 4 || memcmp(bytes, "mine", 4) != 0)
        abort();
    close(fd);
}

static void take_all(struct receiver *receiver, const uint8_t *data, size_t size) {
    struct failure failure;
    while (size >= 3) {
        size_t length = data[1] | (size_t)data[2] << 8;
        if (length > size - 3)
            length = size - 3;
        struct wire_item item = {.is_data = data[0] == 0,
                                 .type = (enum wire_type)data[0],
                                 .bytes = data + 3,
                                 .length = length};
        // As wire_next() does, data items are not empty and not longer than a chunk.
        if ((length > 0 || !item.is_data) && receiver_take(receiver, &item, &failure) < 0 &&
            failure.text[0] == '\0')
            abort();
        data += 3 + length;
        size -= 3 + length;
    }
    receiver_finish(receiver, &failure);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct place *place = the_place();
    struct failure failure;
    if (place->inputs++ % INPUTS_PER_KEEPER == 0) {
        if (place->keeper != NULL)
            keeper_finish(place->keeper);
        place->keeper = keeper_start(&failure);
    }
    if (place->keeper == NULL)
        abort();
    static char *const roots[] = {"/job", "/etc/app.conf"};
    static char *const extra[] = {"/lib/x.jar"};
    char mapped[96];
    snprintf(mapped, sizeof mapped, "%s/base/mapped", place->directory);
    struct path_map list[] = {{"/job/map", mapped}};
    struct path_maps maps = {.maps = list, .count = 1, .base = place->base};
    struct receiver_plan plan = {.maps = &maps,
                                 .roots = roots,
                                 .root_count = 2,
                                 .extra = extra,
                                 .extra_count = 1,
                                 .uid = geteuid() == 0 ? 1000 : geteuid(),
                                 .gid = 1000,
                                 .limit_bytes = 1 << 20};
    struct receiver *receiver = receiver_open(&plan, place->keeper, &failure);
    if (receiver == NULL)
        abort();
    take_all(receiver, data, size);
    receiver_close(receiver);
    check_beside(place);
    if (removal_of_tree(place->base, &failure) < 0)
        abort();
    return 0;
}
