// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// What no switch before a service can do without, for benchmarks/requests/cost --parts: DOES says
// how much of it is done. WAYS are the two ways: interface, server, and both ends' hardware
// addresses.
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/pkt_cls.h>
#include <linux/udp.h>
#include <stdbool.h>
#include <stddef.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "checksum.h"
#include "siphash.h"

char license_text[] SEC("license") = "GPL";

enum {
    NOTHING = 0,
    SEND = 1,  // sends the packet on, by a way that is known
    FIND = 2,  // finds its service by address and port, and gives it a server's address
    CLOCK = 4, // reads the time
    NOTE = 8,  // reads the request's id, and notes in a slot who is asked, and when
    TWICE = 16 // sends two copies, each with the address of a server of its own
};
enum { SERVICE_PORT = 11211, SERVICES = 32, SLOTS = 1 << 17, SERVERS = 2 };

struct way {
    uint32_t interface, server;
    uint8_t destination[ETH_ALEN], source[ETH_ALEN];
};
static const struct way ways[SERVERS] = {WAYS};

struct service_key {
    uint32_t address;
    uint16_t port, zero;
};
struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, SERVICES);
    __type(key, struct service_key);
    __type(value, uint32_t);
} services SEC(".maps");

struct slot {
    uint64_t word, asked;
};
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, SLOTS);
    __type(key, uint32_t);
    __type(value, struct slot);
} slots SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, SERVERS);
    __type(key, uint32_t);
    __type(value, uint64_t);
} outstanding SEC(".maps");

struct frame {
    struct ethhdr ethernet;
    struct iphdr ip;
} __attribute__((packed));

struct heads {
    struct frame frame;
    struct udphdr udp;
} __attribute__((packed));

static __always_inline bool find(const struct heads *heads) {
    struct service_key key = {heads->frame.ip.daddr, heads->udp.dest, 0};
    return bpf_map_lookup_elem(&services, &key) != NULL;
}

static __always_inline void count(uint32_t server) {
    uint64_t *asked = bpf_map_lookup_elem(&outstanding, &server);
    if (asked != NULL)
        __sync_fetch_and_add(asked, 1);
}

static __always_inline bool note(struct __sk_buff *skb, const struct heads *heads, uint64_t now) {
    uint8_t payload[16];
    struct siphash_key secret = {1, 2};
    uint64_t client = heads->frame.ip.saddr | (uint64_t)heads->udp.source << 32;
    if (bpf_skb_load_bytes(skb, sizeof *heads, payload, sizeof payload) < 0)
        return false;
    uint64_t hash = siphash(secret, client, (uint64_t)payload[0] << 8 | payload[1]);
    uint32_t number = (uint32_t)hash % SLOTS;
    struct slot *slot = bpf_map_lookup_elem(&slots, &number);
    if (slot == NULL)
        return false;
    *(volatile uint64_t *)&slot->asked = now;
    uint64_t before = *(volatile uint64_t *)&slot->word;
    if (__sync_val_compare_and_swap(&slot->word, before, hash) != before)
        return false;
    for (uint32_t server = 0; server < (DOES & TWICE ? 2 : 1); server++)
        count(server);
    return true;
}

static __always_inline void readdress(struct __sk_buff *skb, struct iphdr *ip, uint32_t server) {
    bpf_l4_csum_replace(skb, sizeof(struct frame) + offsetof(struct udphdr, check), ip->daddr,
                        server, BPF_F_MARK_MANGLED_0 | BPF_F_PSEUDO_HDR | sizeof server);
    ip->check = checksum_changed(ip->check, ip->daddr, server);
    ip->daddr = server;
}

static __always_inline bool write_frame(struct __sk_buff *skb, const struct iphdr *ip,
                                        const struct way *way) {
    struct frame frame = {.ethernet = {.h_proto = bpf_htons(ETH_P_IP)}, .ip = *ip};
    __builtin_memcpy(frame.ethernet.h_dest, way->destination, ETH_ALEN);
    __builtin_memcpy(frame.ethernet.h_source, way->source, ETH_ALEN);
    struct frame *there = (void *)(uintptr_t)skb->data;
    if ((void *)(there + 1) > (void *)(uintptr_t)skb->data_end)
        return false;
    *there = frame;
    return true;
}

static __always_inline void count_hop(struct iphdr *ip) {
    uint16_t from = bpf_htons((uint16_t)(ip->ttl << 8 | ip->protocol));
    ip->ttl--;
    uint16_t to = bpf_htons((uint16_t)(ip->ttl << 8 | ip->protocol));
    ip->check = checksum_changed(ip->check, from, to);
}

SEC("tc")
int least(struct __sk_buff *skb) {
    const struct heads *heads = (const void *)(uintptr_t)skb->data;
    if (!(DOES & SEND) || skb->protocol != bpf_htons(ETH_P_IP) ||
        (const void *)(heads + 1) > (const void *)(uintptr_t)skb->data_end ||
        heads->frame.ip.protocol != IPPROTO_UDP || heads->udp.dest != bpf_htons(SERVICE_PORT))
        return TC_ACT_OK;
    struct iphdr ip = heads->frame.ip;
    if (DOES & FIND && !find(heads))
        return TC_ACT_OK;
    uint64_t now = DOES & CLOCK ? bpf_ktime_get_boot_ns() : 0;
    if (DOES & NOTE && !note(skb, heads, now))
        return TC_ACT_OK;
    count_hop(&ip);
    if (DOES & TWICE) {
        readdress(skb, &ip, ways[1].server);
        if (!write_frame(skb, &ip, &ways[1]))
            return TC_ACT_OK;
        bpf_clone_redirect(skb, ways[1].interface, 0);
    }
    if (DOES & (FIND | TWICE))
        readdress(skb, &ip, ways[0].server);
    return write_frame(skb, &ip, &ways[0]) ? (int)bpf_redirect(ways[0].interface, 0) : TC_ACT_OK;
}
