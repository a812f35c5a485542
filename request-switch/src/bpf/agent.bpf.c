// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// On a server's host: tells with each answer how many requests wait in the server's socket, and
// drops clones that would have to wait (NetClone, sections 3.3 and 3.4, which has the server do
// both). The server knows nothing of it.
#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_core_read.h>

#include "agent.h"
#include "datagram.h"
#include "trailer.h"

// What the kernel takes for GPL: its memory is for such programs only. This file may be used under
// either licence.
char license_text[] SEC("license") = "GPL";

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, uint32_t);
    __type(value, struct agent_rules);
} agent_rules SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, uint32_t);
    __type(value, struct agent_counters);
} agent_counters SEC(".maps");

// Of the kernel's structures what is read; where it is in this one libbpf finds out.
struct sk_buff_head {
    uint32_t qlen;
} __attribute__((preserve_access_index));
struct sock {
    struct sk_buff_head sk_receive_queue;
} __attribute__((preserve_access_index));
struct udp_sock {
    struct sk_buff_head reader_queue;
} __attribute__((preserve_access_index));

enum { QUEUE_UNKNOWN = -1 };

// Bytes behind the payload.
static __always_inline uint32_t datagram_surplus(const struct datagram *datagram) {
    return bpf_ntohs(datagram->ip.tot_len) - sizeof datagram->ip - bpf_ntohs(datagram->udp.len);
}

// Both are verified by themselves, once.
__attribute__((noinline)) int is_server(uint32_t port) {
    uint32_t zero = 0;
    struct agent_rules *rules = bpf_map_lookup_elem(&agent_rules, &zero);
    if (rules == NULL)
        return false;
    for (uint32_t i = 0; i < AGENT_PORTS; i++)
        if (i < rules->port_count && rules->ports[i] == port)
            return true;
    return false;
}

__attribute__((noinline)) int is_client(uint32_t address) {
    uint32_t zero = 0;
    struct agent_rules *rules = bpf_map_lookup_elem(&agent_rules, &zero);
    if (rules == NULL)
        return false;
    for (uint32_t i = 0; i < AGENT_CLIENTS; i++)
        if (i < rules->client_count &&
            (address & rules->clients[i].mask) == rules->clients[i].address)
            return true;
    return false;
}

// How many datagrams wait in the socket that gets what this client sends to the server. Also those
// that a reader has taken off the queue's lock, but not read: without them a busy reader's queue
// seems to be empty.
static __always_inline int queue_of(struct __sk_buff *skb, uint32_t client, uint16_t client_port,
                                    uint32_t server, uint16_t server_port) {
    struct bpf_sock_tuple tuple = {.ipv4 = {client, server, client_port, server_port}};
    struct bpf_sock *socket =
        bpf_sk_lookup_udp(skb, &tuple, sizeof tuple.ipv4, BPF_F_CURRENT_NETNS, 0);
    if (socket == NULL)
        return QUEUE_UNKNOWN;
    // The verifier lets nobody compute with a socket's address, so it is read as a number.
    struct bpf_sock *volatile there = socket;
    uint64_t address = 0;
    bpf_probe_read_kernel(&address, sizeof address, (const void *)&there);
    uint32_t queue = BPF_CORE_READ((const struct sock *)address, sk_receive_queue.qlen) +
                     BPF_CORE_READ((const struct udp_sock *)address, reader_queue.qlen);
    bpf_sk_release(socket);
    return queue < UINT16_MAX ? (int)queue : UINT16_MAX;
}

// TC_ACT_UNSPEC: what others have attached is asked as well.
SEC("tc")
int agent_ingress(struct __sk_buff *skb) {
    uint32_t zero = 0;
    struct agent_counters *counters = bpf_map_lookup_elem(&agent_counters, &zero);
    struct datagram datagram;
    if (counters == NULL || !datagram_read(skb, &datagram) || !is_server(datagram.udp.dest) ||
        !is_client(datagram.ip.saddr))
        return TC_ACT_UNSPEC;
    uint32_t payload_end = ETH_HLEN + sizeof datagram.ip + bpf_ntohs(datagram.udp.len);
    uint32_t pad = payload_end & 1, surplus = datagram_surplus(&datagram);
    struct trailer_wire wire;
    if (surplus != TRAILER_BYTES + pad ||
        bpf_skb_load_bytes(skb, payload_end + pad, &wire, sizeof wire) < 0 ||
        trailer_read(&wire).what != TRAILER_CLONE)
        return TC_ACT_UNSPEC;
    counters->clones++;
    if (queue_of(skb, datagram.ip.saddr, datagram.udp.source, datagram.ip.daddr,
                 datagram.udp.dest) <= 0)
        return TC_ACT_UNSPEC;
    counters->dropped++;
    return TC_ACT_SHOT;
}

SEC("tc")
int agent_egress(struct __sk_buff *skb) {
    uint32_t zero = 0, mtu = 0;
    struct agent_counters *counters = bpf_map_lookup_elem(&agent_counters, &zero);
    struct datagram datagram;
    if (counters == NULL || !datagram_read(skb, &datagram) || !is_server(datagram.udp.source) ||
        !is_client(datagram.ip.daddr))
        return TC_ACT_UNSPEC;
    counters->answers++;
    uint32_t payload_end = ETH_HLEN + sizeof datagram.ip + bpf_ntohs(datagram.udp.len);
    uint32_t pad = payload_end & 1;
    if (datagram_surplus(&datagram) != 0 || skb->len != payload_end ||
        bpf_check_mtu(skb, 0, &mtu, (int)(TRAILER_BYTES + pad), 0) != 0)
        return TC_ACT_UNSPEC;
    int queue =
        queue_of(skb, datagram.ip.daddr, datagram.udp.dest, datagram.ip.saddr, datagram.udp.source);
    if (queue == QUEUE_UNKNOWN || bpf_skb_change_tail(skb, payload_end + pad + TRAILER_BYTES, 0))
        return TC_ACT_UNSPEC;
    struct {
        uint8_t pad[2];
        struct trailer_wire wire;
    } tail = {{0, 0}, trailer_write((struct trailer){TRAILER_QUEUE, (uint16_t)queue})};
    uint16_t length = bpf_htons((uint16_t)(bpf_ntohs(datagram.ip.tot_len) + pad + TRAILER_BYTES));
    datagram.ip.check = checksum_changed(datagram.ip.check, datagram.ip.tot_len, length);
    datagram.ip.tot_len = length;
    if (pad != 0)
        bpf_skb_store_bytes(skb, payload_end, tail.pad, 1, 0);
    bpf_skb_store_bytes(skb, payload_end + pad, &tail.wire, sizeof tail.wire, 0);
    bpf_skb_store_bytes(skb, ETH_HLEN, &datagram.ip, sizeof datagram.ip, 0);
    counters->told++;
    counters->empty += queue == 0;
    return TC_ACT_UNSPEC;
}
