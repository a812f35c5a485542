// SPDX-License-Identifier: Apache-2.0
// Packets: read, given another address, and sent on. Headers are read where they lie, as they do as
// a rule, and else by helpers, which know of pages. They are written by helpers only: a program
// that writes where they lie has each packet copied first that somebody else holds, ours or not.
// And seldom, for on processors with a return predictor that must be guarded a helper is what
// costs.
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

#include "checksum.h"
#include "layout.h"
#include "maps.h"
#include "trailer.h"

enum { IP_MORE = 0x2000, IP_OFFSET = 0x1fff };

struct packet {
    struct iphdr ip;                     // without its options; written by packet_write()
    struct endpoint source, destination; // ports: 0 in later fragments
    uint32_t transport;                  // offset of its header
    uint32_t payload;                    // UDP: offset, and length
    uint32_t length;
    uint32_t surplus;           // UDP: bytes behind the payload
    uint32_t id;                // that the switch has given it
    uint32_t group;             // the pair that the client asks for; 0: any
    uint8_t from_port, to_port; // known_ports' words for them
    bool is_first_fragment, is_later_fragment;
    bool is_plain;    // a whole UDP datagram without options, which may be cloned
    bool begins_flow; // TCP's SYN
    bool has_trailer; // of an agent
    bool hop_counted; // its time to live is one less already
};

enum packet_kind {
    PACKET_OTHER, // nothing of ours, for certain
    PACKET_ICMP,
    PACKET_LATER_FRAGMENT, // of UDP or TCP
    PACKET_WHOLE           // UDP or TCP, one of its ports is one of ours; or the first fragment
};

struct packet_heads {
    struct iphdr ip;
    struct udphdr udp; // or TCP's first eight bytes
};

static __always_inline bool packet_read_heads(struct __sk_buff *skb, struct packet_heads *heads) {
    const struct packet_heads *there = (const void *)(uintptr_t)skb->data + ETH_HLEN;
    if ((const void *)(there + 1) <= (const void *)(uintptr_t)skb->data_end) {
        *heads = *there;
        if (heads->ip.ihl == 5)
            return true;
    } else {
        __builtin_memset(heads, 0, sizeof *heads);
        if (bpf_skb_load_bytes(skb, ETH_HLEN, &heads->ip, sizeof heads->ip) < 0)
            return false;
    }
    if (heads->ip.ihl < 5)
        return false;
    return (heads->ip.frag_off & bpf_htons(IP_OFFSET)) != 0 || heads->ip.protocol == IPPROTO_ICMP ||
           bpf_skb_load_bytes(skb, ETH_HLEN + heads->ip.ihl * 4, &heads->udp, sizeof heads->udp) ==
               0;
}

static __always_inline enum packet_kind packet_read(struct __sk_buff *skb, struct packet *packet) {
    struct packet_heads heads;
    // What is tagged is read at the VLAN's own interface, and would be sent on with its tag here.
    if (skb->protocol != bpf_htons(ETH_P_IP) || skb->vlan_present ||
        !packet_read_heads(skb, &heads) || heads.ip.version != 4)
        return PACKET_OTHER;
    if (heads.ip.protocol == IPPROTO_ICMP)
        return PACKET_ICMP;
    if (heads.ip.protocol != IPPROTO_UDP && heads.ip.protocol != IPPROTO_TCP)
        return PACKET_OTHER;
    uint16_t fragment = bpf_ntohs(heads.ip.frag_off);
    bool later = (fragment & IP_OFFSET) != 0;
    const struct known_ports *known = LOOK_UP(ports_in_use, 0);
    if (known == NULL)
        return PACKET_OTHER;
    uint8_t from_port = later ? 0 : known->ports[heads.udp.source];
    uint8_t to_port = later ? 0 : known->ports[heads.udp.dest];
    if (!later && (from_port | to_port) == 0)
        return PACKET_OTHER;
    __builtin_memset(packet, 0, sizeof *packet); // padding, too
    packet->ip = heads.ip;
    packet->source.address = heads.ip.saddr;
    packet->destination.address = heads.ip.daddr;
    packet->transport = ETH_HLEN + heads.ip.ihl * 4;
    packet->from_port = from_port;
    packet->to_port = to_port;
    packet->is_first_fragment = (fragment & (IP_MORE | IP_OFFSET)) == IP_MORE;
    packet->is_later_fragment = later;
    if (later)
        return PACKET_LATER_FRAGMENT;
    packet->source.port = heads.udp.source;
    packet->destination.port = heads.udp.dest;
    if (heads.ip.protocol == IPPROTO_TCP) {
        uint8_t flags;
        if (bpf_skb_load_bytes(skb, packet->transport + 13, &flags, 1) < 0)
            return PACKET_OTHER;
        packet->begins_flow = (flags & 0x12) == 0x02; // SYN without ACK
        return PACKET_WHOLE;
    }
    uint32_t length = bpf_ntohs(heads.udp.len), whole = bpf_ntohs(heads.ip.tot_len);
    packet->payload = packet->transport + sizeof heads.udp;
    packet->length = length - sizeof heads.udp;
    packet->surplus = whole - heads.ip.ihl * 4u - length;
    // The two lengths agree and are there; no options, no fragments, no segments to be cut.
    packet->is_plain = length >= sizeof heads.udp && whole == heads.ip.ihl * 4u + length &&
                       heads.ip.ihl == 5 && (fragment & (IP_MORE | IP_OFFSET)) == 0 &&
                       skb->len >= packet->transport + length && skb->gso_segs <= 1;
    return PACKET_WHOLE;
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

// Gives one end of the packet another address and port. The IP header isn't written yet.
GLOBAL int packet_readdress(struct __sk_buff *skb, struct packet *packet, uint32_t end,
                            const struct endpoint *to) {
    if (packet == NULL || to == NULL)
        return -1;
    struct endpoint *from = end == SOURCE ? &packet->source : &packet->destination;
    bool udp = packet->ip.protocol == IPPROTO_UDP;
    uint32_t checksum =
        packet->transport + (udp ? offsetof(struct udphdr, check) : offsetof(struct tcphdr, check));
    // A UDP checksum of 0 is none, and stays none.
    uint64_t none = udp ? BPF_F_MARK_MANGLED_0 : 0;
    if (!packet->is_later_fragment) {
        // By the helper, for the interface may have to complete it.
        bpf_l4_csum_replace(skb, checksum, from->address, to->address,
                            none | BPF_F_PSEUDO_HDR | sizeof to->address);
        if (from->port != to->port) {
            bpf_l4_csum_replace(skb, checksum, from->port, to->port, none | sizeof to->port);
            bpf_skb_store_bytes(skb, packet->transport + (end == SOURCE ? 0 : sizeof to->port),
                                &to->port, sizeof to->port, 0);
        }
    }
    packet->ip.check = checksum_changed(packet->ip.check, from->address, to->address);
    if (end == SOURCE)
        packet->ip.saddr = to->address;
    else
        packet->ip.daddr = to->address;
    *from = *to;
    return 0;
}

static __always_inline void packet_count_hop(struct packet *packet) {
    if (packet->hop_counted)
        return;
    packet->hop_counted = true;
    uint16_t from = bpf_htons((uint16_t)(packet->ip.ttl << 8 | packet->ip.protocol));
    packet->ip.ttl--;
    uint16_t to = bpf_htons((uint16_t)(packet->ip.ttl << 8 | packet->ip.protocol));
    packet->ip.check = checksum_changed(packet->ip.check, from, to);
}

static __always_inline void packet_write(struct __sk_buff *skb, const struct packet *packet) {
    bpf_skb_store_bytes(skb, ETH_HLEN, &packet->ip, sizeof packet->ip, 0);
}

// With the hardware addresses of its next hop.
static __always_inline void packet_write_frame(struct __sk_buff *skb, const struct packet *packet,
                                               const struct way *way) {
    struct frame {
        struct ethhdr ethernet;
        struct iphdr ip;
    } __attribute__((packed)) frame;
    __builtin_memcpy(frame.ethernet.h_dest, way->destination, ETH_ALEN);
    __builtin_memcpy(frame.ethernet.h_source, way->source, ETH_ALEN);
    frame.ethernet.h_proto = bpf_htons(ETH_P_IP);
    __builtin_memcpy(&frame.ip, &packet->ip, sizeof frame.ip);
    // What is there in one piece is written there, which is quicker than the helper.
    struct frame *there = (void *)(uintptr_t)skb->data;
    if ((void *)(there + 1) <= (void *)(uintptr_t)skb->data_end)
        *there = frame;
    else
        bpf_skb_store_bytes(skb, 0, &frame, sizeof frame, 0);
}

// Writes a word of the payload, and corrects the checksum.
GLOBAL int packet_write_word(struct __sk_buff *skb, const struct packet *packet, uint32_t at,
                             uint32_t value) {
    if (packet == NULL)
        return -1;
    uint32_t to = bpf_htonl(value), from = 0;
    uint32_t offset = packet->payload + at;
    if (bpf_skb_load_bytes(skb, offset, &from, sizeof from) < 0)
        return -1;
    bpf_l4_csum_replace(skb, packet->transport + offsetof(struct udphdr, check), from, to,
                        BPF_F_MARK_MANGLED_0 | sizeof to);
    bpf_skb_store_bytes(skb, offset, &to, sizeof to, 0);
    return 0;
}

// --- the trailer of an agent's or for one ---

static __always_inline void packet_set_length(struct packet *packet, uint32_t length) {
    uint16_t now = bpf_htons((uint16_t)length);
    packet->ip.check = checksum_changed(packet->ip.check, packet->ip.tot_len, now);
    packet->ip.tot_len = now;
}

static __always_inline struct trailer packet_trailer(struct __sk_buff *skb,
                                                     const struct packet *packet) {
    uint32_t end = packet->payload + packet->length;
    struct trailer_wire wire;
    if (packet->ip.protocol != IPPROTO_UDP || packet->surplus != TRAILER_BYTES + (end & 1) ||
        bpf_skb_load_bytes(skb, end + (end & 1), &wire, sizeof wire) < 0)
        return (struct trailer){TRAILER_NONE, 0};
    return trailer_read(&wire);
}

// Takes off what is behind the payload. The IP header isn't written yet.
GLOBAL int packet_strip(struct __sk_buff *skb, struct packet *packet) {
    if (packet == NULL || bpf_skb_change_tail(skb, packet->payload + packet->length, 0) < 0)
        return -1;
    packet_set_length(packet, bpf_ntohs(packet->ip.tot_len) - packet->surplus);
    packet->surplus = 0;
    return 0;
}

// Says behind the payload that it is a clone, if that interface's MTU allows.
GLOBAL int packet_mark_clone(struct __sk_buff *skb, struct packet *packet, uint32_t interface) {
    if (packet == NULL)
        return -1;
    uint32_t end = packet->payload + packet->length, pad = end & 1, mtu = 0;
    struct trailer_wire wire = trailer_write((struct trailer){TRAILER_CLONE, 0});
    uint8_t zero = 0;
    if (skb->len != end || bpf_check_mtu(skb, interface, &mtu, TRAILER_MOST, 0) != 0 ||
        bpf_skb_change_tail(skb, end + pad + sizeof wire, 0) < 0)
        return -1;
    if (pad != 0)
        bpf_skb_store_bytes(skb, end, &zero, 1, 0);
    bpf_skb_store_bytes(skb, end + pad, &wire, sizeof wire, 0);
    packet->surplus = pad + sizeof wire;
    packet_set_length(packet, bpf_ntohs(packet->ip.tot_len) + packet->surplus);
    return 0;
}

// --- on its way ---

// What the kernel is asked for the packet's route.
static __always_inline struct bpf_fib_lookup packet_question(const struct __sk_buff *skb,
                                                             const struct packet *packet,
                                                             uint32_t destination,
                                                             uint16_t length) {
    return (struct bpf_fib_lookup){
        .family = FAMILY_INET,
        .l4_protocol = packet->ip.protocol,
        .tot_len = length,
        .ifindex = skb->ifindex,
        .tos = packet->ip.tos,
        .ipv4_src = packet->source.address,
        .ipv4_dst = destination,
    };
}

// Where the kernel's routes lead it: false if the kernel has something to say about it (no route,
// too long, at its last hop), or how that hop is reached: BPF_FIB_LKUP_RET_SUCCESS or _NO_NEIGH.
static __always_inline bool packet_route(struct __sk_buff *skb, const struct packet *packet,
                                         uint32_t destination, uint16_t length,
                                         struct bpf_fib_lookup *route, long *result) {
    *route = packet_question(skb, packet, destination, length);
    *result = packet->ip.ttl > 1 || packet->hop_counted
                  ? bpf_fib_lookup(skb, route, sizeof *route, 0)
                  : BPF_FIB_LKUP_RET_UNREACHABLE;
    return *result == BPF_FIB_LKUP_RET_SUCCESS || *result == BPF_FIB_LKUP_RET_NO_NEIGH;
}

// Whether it is for this host itself, or for what this host masquerades.
GLOBAL int packet_is_ours(struct __sk_buff *skb, const struct packet *packet) {
    if (packet == NULL)
        return false;
    struct bpf_fib_lookup route =
        packet_question(skb, packet, packet->destination.address, bpf_ntohs(packet->ip.tot_len));
    return bpf_fib_lookup(skb, &route, sizeof route, 0) == BPF_FIB_LKUP_RET_NOT_FWDED;
}

enum { WAY_LIFE = 50 * 1000 * 1000 }; // ns: so soon a change of routes is followed

// The way of a whole datagram to a server; false: as packet_route(). The processor has the map's
// entry for itself.
GLOBAL int packet_find_way(struct __sk_buff *skb, const struct packet *packet, uint32_t server,
                           uint32_t address, uint64_t now) {
    struct way *way = LOOK_UP(ways, server);
    struct bpf_fib_lookup route;
    long result;
    if (packet == NULL || way == NULL)
        return false;
    uint16_t length = bpf_ntohs(packet->ip.tot_len);
    if (!packet_route(skb, packet, address, length, &route, &result)) {
        way->until = 0;
        return false;
    }
    way->address = address;
    way->interface = route.ifindex;
    way->next_hop = route.ipv4_dst;
    way->mtu = route.mtu_result;
    way->is_resolved = result == BPF_FIB_LKUP_RET_SUCCESS;
    __builtin_memcpy(way->destination, route.dmac, ETH_ALEN);
    __builtin_memcpy(way->source, route.smac, ETH_ALEN);
    way->until = way->is_resolved ? now + WAY_LIFE : 0;
    return true;
}

static __always_inline const struct way *packet_way(struct __sk_buff *skb,
                                                    const struct packet *packet, uint32_t server,
                                                    uint32_t address, uint64_t now) {
    const struct way *way = LOOK_UP(ways, server);
    if (way == NULL)
        return NULL;
    bool known = now < way->until && way->address == address &&
                 (packet->ip.ttl > 1 || packet->hop_counted) &&
                 bpf_ntohs(packet->ip.tot_len) <= way->mtu;
    return known || packet_find_way(skb, packet, server, address, now) ? way : NULL;
}

static __always_inline int packet_leave(struct __sk_buff *skb, struct packet *packet,
                                        uint32_t interface, uint32_t next_hop) {
    packet_count_hop(packet);
    packet_write(skb, packet);
    struct bpf_redir_neigh next = {.nh_family = FAMILY_INET, .ipv4_nh = next_hop};
    return (int)bpf_redirect_neigh(interface, &next, sizeof next, 0);
}

// By a way with its hardware addresses, if they are known. The packet for which it was found just
// now is left to the kernel's neighbour table, for that to know who is in use: it asks those from
// time to time whether they still have the address, and the next way that is found follows.
static __always_inline int packet_leave_by(struct __sk_buff *skb, struct packet *packet,
                                           const struct way *way, uint64_t now) {
    if (!way->is_resolved || way->until == now + WAY_LIFE)
        return packet_leave(skb, packet, way->interface, way->next_hop);
    packet_count_hop(packet);
    packet_write_frame(skb, packet, way);
    return (int)bpf_redirect(way->interface, 0);
}

// Sends it on as a router would, and tells by which interface. What the kernel has something to say
// about goes the kernel's way. Not everything does, for an answer's new source has its route by
// another interface, and would be taken for forged (rp_filter).
GLOBAL int packet_forward(struct __sk_buff *skb, struct packet *packet, uint32_t *interface) {
    if (packet == NULL || interface == NULL)
        return TC_ACT_OK;
    struct bpf_fib_lookup route;
    long result;
    // Without a length the kernel holds the packet itself against the MTU, segments and all, and
    // lets four bytes more pass.
    uint16_t length = skb->gso_segs > 1 ? 0 : bpf_ntohs(packet->ip.tot_len);
    if (!packet_route(skb, packet, packet->destination.address, length, &route, &result)) {
        packet_write(skb, packet);
        return TC_ACT_OK;
    }
    if (*interface != route.ifindex)
        *interface = route.ifindex;
    return packet_leave(skb, packet, route.ifindex, route.ipv4_dst);
}
