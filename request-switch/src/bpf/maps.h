// SPDX-License-Identifier: Apache-2.0
// Every map, and which side writes it. All are pinned, so that a program that takes another one's
// place goes on with what that knew.
#pragma once

#include "layout.h"
#include "program.h"

// The tool's.
MAP(switch_settings, BPF_MAP_TYPE_ARRAY, 1, uint32_t, struct settings, 0);
MAP(tracing, BPF_MAP_TYPE_ARRAY, 1, uint32_t, struct tracing, 0);
MAP(services, BPF_MAP_TYPE_HASH, ADDRESSES, struct endpoint, struct service_rules, 0);
MAP(server_rules, BPF_MAP_TYPE_ARRAY, SERVERS, uint32_t, struct server_rules, 0);
MAP(ports_in_use, BPF_MAP_TYPE_ARRAY, 1, uint32_t, struct known_ports, 0);
MAP(answering, BPF_MAP_TYPE_HASH, SERVERS, struct endpoint, uint32_t, 0);  // to a server's number
MAP(own_servers, BPF_MAP_TYPE_HASH, SERVERS, struct own_key, uint32_t, 0); // to bits of places
struct client_prefix {
    uint32_t bits;
    uint32_t address;
};
MAP(clients, BPF_MAP_TYPE_LPM_TRIE, 2048, struct client_prefix, uint32_t, BPF_F_NO_PREALLOC);

// The programs'.
MAP(slots, BPF_MAP_TYPE_ARRAY, 1 << 17, uint32_t, struct slot, 0); // the tool sets their number
MAP(server_states, BPF_MAP_TYPE_ARRAY, SERVERS, uint32_t, struct server_state, 0);
MAP(service_states, BPF_MAP_TYPE_ARRAY, SERVICES, uint32_t, struct service_state, 0);
MAP(service_counters, BPF_MAP_TYPE_PERCPU_ARRAY, SERVICES, uint32_t, struct service_counters, 0);
MAP(server_counters, BPF_MAP_TYPE_PERCPU_ARRAY, SERVERS, uint32_t, struct server_counters, 0);
MAP(flows, BPF_MAP_TYPE_LRU_HASH, 65536, struct flow, uint32_t, 0); // to a server's number
MAP(fragments, BPF_MAP_TYPE_LRU_HASH, 4096, struct fragment, struct fragment_way, 0);
MAP(directs, BPF_MAP_TYPE_LRU_HASH, 16384, struct direct, uint32_t, 0);
// The way to a server as the kernel's routes had it a moment ago: asking them is the dearest thing
// that is done for a request.
struct way {
    uint64_t until;   // boot time, ns
    uint32_t address; // the server's; another one's way is none
    uint32_t interface;
    uint32_t next_hop;
    uint16_t mtu;
    bool is_resolved; // the hardware addresses are known
    uint8_t destination[6], source[6];
};
MAP(ways, BPF_MAP_TYPE_PERCPU_ARRAY, SERVERS, uint32_t, struct way, 0);
MAP(others_rules, BPF_MAP_TYPE_PERCPU_ARRAY, 1, uint32_t, struct service_rules, 0);
struct scratch {
    uint8_t bytes[DIALECT_BYTES] __attribute__((aligned(PAYLOAD_ALIGNMENT)));
};
MAP(scratches, BPF_MAP_TYPE_PERCPU_ARRAY, 1, uint32_t, struct scratch, 0);
struct sweep {
    struct bpf_timer timer;
    uint64_t next; // slot
};
MAP(sweeps, BPF_MAP_TYPE_ARRAY, 1, uint32_t, struct sweep, 0);

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 256 * 1024);
} events SEC(".maps");
