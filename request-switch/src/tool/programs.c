// SPDX-License-Identifier: Apache-2.0
#include "programs.h"

#include <unistd.h>

static char said[512];

static int keep_said(enum libbpf_print_level level, const char *format, va_list arguments) {
    if (level == LIBBPF_WARN)
        vsnprintf(said, sizeof said, format, arguments);
    return 0;
}

void programs_listen(void) {
    libbpf_set_print(keep_said);
}

// Loads it with the maps that are pinned, or with that one only; what isn't pinned yet is by then.
static int load(const struct pins *pins, struct bpf_object_skeleton *skeleton, const char *only,
                const char *capabilities, struct failure *failure) {
    struct bpf_map *map;
    int error = 0;
    bpf_object__for_each_map(map, *skeleton->obj) {
        char path[PIN_PATH];
        if (error == 0 && !bpf_map__is_internal(map) &&
            (only == NULL || strcmp(bpf_map__name(map), only) == 0))
            error = bpf_map__set_pin_path(map, pins_path(pins, bpf_map__name(map), path));
    }
    if (error == 0)
        error = bpf_object__load_skeleton(skeleton);
    if (error == 0)
        return 0;
    if (error == -EPERM)
        return fail(failure, EXIT_UNABLE,
                    "may not load BPF programs: run as root, or with the capabilities %s",
                    capabilities);
    return fail_number(failure, EXIT_KERNEL, error, "the kernel refused the programs (%.400s)",
                       said);
}

int programs_load(const struct pins *pins, struct bpf_object_skeleton *skeleton,
                  const char *capabilities, struct failure *failure) {
    return load(pins, skeleton, NULL, capabilities, failure);
}

int programs_replace(const struct pins *pins, struct bpf_object_skeleton *skeleton,
                     const char *kept, const char *capabilities, struct failure *failure) {
    struct bpf_map *map;
    if (load(pins, skeleton, kept, capabilities, failure) < 0)
        return -1;
    bpf_object__for_each_map(map, *skeleton->obj) {
        char path[PIN_PATH];
        if (bpf_map__is_internal(map) || bpf_map__is_pinned(map))
            continue;
        pins_path(pins, bpf_map__name(map), path);
        int error = unlink(path) < 0 && errno != ENOENT ? -errno : bpf_map__pin(map, path);
        if (error < 0)
            return fail_number(failure, EXIT_KERNEL, error, "can't pin %s", path);
    }
    return 0;
}
