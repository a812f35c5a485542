// SPDX-License-Identifier: Apache-2.0
#include "programs.h"

static char said[512];

static int keep_said(enum libbpf_print_level level, const char *format, va_list arguments) {
    if (level == LIBBPF_WARN)
        vsnprintf(said, sizeof said, format, arguments);
    return 0;
}

void programs_listen(void) {
    libbpf_set_print(keep_said);
}

int programs_load(const struct pins *pins, struct bpf_object_skeleton *skeleton,
                  const char *capabilities, struct failure *failure) {
    struct bpf_map *map;
    int error = 0;
    bpf_object__for_each_map(map, *skeleton->obj) {
        char path[PIN_PATH];
        if (error == 0 && !bpf_map__is_internal(map))
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
