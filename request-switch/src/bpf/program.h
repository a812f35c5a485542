// SPDX-License-Identifier: Apache-2.0
// What every program here is written with.
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define FAMILY_INET 2 // AF_INET; <sys/socket.h> isn't for BPF

// Verified by itself, once.
#define GLOBAL __attribute__((noinline))

#define MAP(name, kind, entries, key_type, value_type, map_flags_)                                 \
    struct {                                                                                       \
        __uint(type, kind);                                                                        \
        __uint(max_entries, entries);                                                              \
        __type(key, key_type);                                                                     \
        __type(value, value_type);                                                                 \
        __uint(map_flags, map_flags_);                                                             \
    } name SEC(".maps")

#define LOOK_UP(map, number)                                                                       \
    ({                                                                                             \
        uint32_t number_ = (number);                                                               \
        bpf_map_lookup_elem(&map, &number_);                                                       \
    })
