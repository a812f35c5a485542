// SPDX-License-Identifier: Apache-2.0
// Packets: read, given another address, and sent on. Everything goes by helpers, for they know of
// checksum offload, of pages and of GSO.
//
// GLOBAL functions are verified by themselves, once, and not anew on every path that leads to them:
// they keep the kernel's work at loading a tenth of what it would be. What is pointed to must be
// initialized, and may be NULL for all that the verifier knows.
#pragma once

#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/pkt_cls.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <stddef.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "layout.h"

#define GLOBAL __attribute__((noinline))

#define FAMILY_INET 2 // AF_INET; <sys/socket.h> isn't for BPF

enum { IP_MORE = 0x2000, IP_OFFSET = 0x1fff };

struct packet {
    struct endpoint source, destination; // ports: 0 in later fragments
    uint32_t transport;                  // offset of its header
    uint16_t id;                         // of the datagram, for its fragments
    uint8_t protocol;
    uint8_t ttl;
    uint8_t tos;
    bool is_first_fragment, is_later_fragment;
    bool is_plain;    // a whole UDP datagram without options, which may be cloned
    bool begins_flow; // TCP's SYN
    bool hop_counted; // its time to live is one less already
    uint32_t payload; // UDP: offset, and length
    uint32_t length;
};

// False: nothing of ours.
static __always_inline bool packet_read(struct __sk_buff *skb, struct packet *packet) {
    struct iphdr ip;
    if (skb->protocol != bpf_htons(ETH_P_IP) ||
        bpf_skb_load_bytes(skb, ETH_HLEN, &ip, sizeof ip) < 0 || ip.version != 4 || ip.ihl < 5)
        return false;
    uint16_t fragment = bpf_ntohs(ip.frag_off);
    __builtin_memset(packet, 0, sizeof *packet); // padding, too
    packet->source.address = ip.saddr;
    packet->destination.address = ip.daddr;
    packet->transport = ETH_HLEN + ip.ihl * 4;
    packet->id = ip.id;
    packet->protocol = ip.protocol;
    packet->ttl = ip.ttl;
    packet->tos = ip.tos;
    packet->is_first_fragment = (fragment & (IP_MORE | IP_OFFSET)) == IP_MORE;
    packet->is_later_fragment = (fragment & IP_OFFSET) != 0;
    if (ip.protocol != IPPROTO_UDP && ip.protocol != IPPROTO_TCP)
        return false;
    if (packet->is_later_fragment)
        return true;
    if (ip.protocol == IPPROTO_TCP) {
        struct {
            __be16 source, destination;
            __be32 sequence, acknowledged;
            uint8_t offset, flags;
        } tcp;
        if (bpf_skb_load_bytes(skb, packet->transport, &tcp, 14) < 0)
            return false;
        packet->source.port = tcp.source;
        packet->destination.port = tcp.destination;
        packet->begins_flow = (tcp.flags & 0x12) == 0x02; // SYN without ACK
        return true;
    }
    struct udphdr udp;
    if (bpf_skb_load_bytes(skb, packet->transport, &udp, sizeof udp) < 0)
        return false;
    packet->source.port = udp.source;
    packet->destination.port = udp.dest;
    uint32_t length = bpf_ntohs(udp.len), whole = bpf_ntohs(ip.tot_len);
    packet->payload = packet->transport + sizeof udp;
    packet->length = length - sizeof udp;
    // The two lengths agree and are there; no options, no fragments, no segments to be cut.
    packet->is_plain = length >= sizeof udp && whole == ip.ihl * 4u + length && ip.ihl == 5 &&
                       (fragment & (IP_MORE | IP_OFFSET)) == 0 &&
                       skb->len >= packet->transport + length && skb->gso_segs <= 1;
    return true;
}

// What the dialects see of it.
static __always_inline struct payload
packet_payload(struct __sk_buff *skb, const struct packet *packet, struct scratch *scratch) {
    struct payload payload = {scratch->bytes, 0, packet->length};
    uint32_t seen = packet->length < DIALECT_BYTES ? packet->length : DIALECT_BYTES;
    asm volatile("" : "+r"(seen)); // or clang checks another copy of it than is used
    if (seen > 0 && seen <= DIALECT_BYTES &&
        bpf_skb_load_bytes(skb, packet->payload, scratch->bytes, seen) == 0)
        payload.seen = seen;
    return payload;
}

enum end { SOURCE, DESTINATION };

// Gives one end of the packet another address and port.
GLOBAL int packet_readdress(struct __sk_buff *skb, struct packet *packet, uint32_t end,
                            const struct endpoint *to) {
    if (packet == NULL || to == NULL)
        return -1;
    struct endpoint *from = end == SOURCE ? &packet->source : &packet->destination;
    uint32_t ip_address =
        ETH_HLEN + (end == SOURCE ? offsetof(struct iphdr, saddr) : offsetof(struct iphdr, daddr));
    uint32_t checksum =
        packet->transport + (packet->protocol == IPPROTO_UDP ? offsetof(struct udphdr, check)
                                                             : offsetof(struct tcphdr, check));
    // A UDP checksum of 0 is none, and stays none.
    uint64_t none = packet->protocol == IPPROTO_UDP ? BPF_F_MARK_MANGLED_0 : 0;
    if (!packet->is_later_fragment) {
        bpf_l4_csum_replace(skb, checksum, from->address, to->address,
                            none | BPF_F_PSEUDO_HDR | sizeof to->address);
        if (from->port != to->port) {
            bpf_l4_csum_replace(skb, checksum, from->port, to->port, none | sizeof to->port);
            bpf_skb_store_bytes(skb, packet->transport + (end == SOURCE ? 0 : sizeof to->port),
                                &to->port, sizeof to->port, 0);
        }
    }
    bpf_l3_csum_replace(skb, ETH_HLEN + offsetof(struct iphdr, check), from->address, to->address,
                        sizeof to->address);
    bpf_skb_store_bytes(skb, ip_address, &to->address, sizeof to->address, 0);
    *from = *to;
    return 0;
}

static __always_inline void packet_count_hop(struct __sk_buff *skb, struct packet *packet) {
    if (packet->hop_counted)
        return;
    packet->hop_counted = true;
    uint16_t from = bpf_htons((uint16_t)(packet->ttl << 8 | packet->protocol));
    packet->ttl--;
    uint16_t to = bpf_htons((uint16_t)(packet->ttl << 8 | packet->protocol));
    bpf_l3_csum_replace(skb, ETH_HLEN + offsetof(struct iphdr, check), from, to, sizeof to);
    bpf_skb_store_bytes(skb, ETH_HLEN + offsetof(struct iphdr, ttl), &packet->ttl, 1, 0);
}

// Where the kernel's routes lead it: false if the kernel has something to say about it (no route,
// too long, at its last hop), or how that hop is reached: BPF_FIB_LKUP_RET_SUCCESS or _NO_NEIGH.
static __always_inline bool packet_route(struct __sk_buff *skb, const struct packet *packet,
                                         uint32_t destination, struct bpf_fib_lookup *way,
                                         long *result) {
    *way = (struct bpf_fib_lookup){
        .family = FAMILY_INET,
        .l4_protocol = packet->protocol,
        .ifindex = skb->ifindex,
        .tos = packet->tos,
        .ipv4_src = packet->source.address,
        .ipv4_dst = destination,
    };
    // Without a length the kernel holds the packet itself against the MTU, segments and all.
    *result = packet->ttl > 1 || packet->hop_counted ? bpf_fib_lookup(skb, way, sizeof *way, 0)
                                                     : BPF_FIB_LKUP_RET_UNREACHABLE;
    return *result == BPF_FIB_LKUP_RET_SUCCESS || *result == BPF_FIB_LKUP_RET_NO_NEIGH;
}

// Sends it on as a router would, and tells by which interface. What the kernel has something to say
// about goes the kernel's way. Not everything does, for an answer's new source has its route by
// another interface, and would be taken for forged (rp_filter).
GLOBAL int packet_forward(struct __sk_buff *skb, struct packet *packet, uint32_t *interface) {
    if (packet == NULL || interface == NULL)
        return TC_ACT_OK;
    struct bpf_fib_lookup way;
    long result;
    if (!packet_route(skb, packet, packet->destination.address, &way, &result))
        return TC_ACT_OK;
    if (*interface != way.ifindex)
        *interface = way.ifindex;
    packet_count_hop(skb, packet);
    struct bpf_redir_neigh next = {.nh_family = FAMILY_INET, .ipv4_nh = way.ipv4_dst};
    return (int)bpf_redirect_neigh(way.ifindex, &next, sizeof next, 0);
}
