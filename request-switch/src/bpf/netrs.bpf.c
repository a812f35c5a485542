// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// A NetRS operator (section 5 of its paper) on a switch: rules for packets that come in, the
// selector, and the monitor of a top-of-rack switch for those that leave to its hosts. The selector
// is here, and not on an accelerator beside the switch: so nothing is sent there and back, and a
// response needs no copy.
//
// A packet goes towards its node as the switch's own routes lead to that switch's address. Where
// none does, or it leads back to where the packet came from - the node would have taken it, so it
// doesn't work - the packet goes on without its node: it isn't lost, and it doesn't circle.
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <stddef.h>

#include "checksum.h"
#include "datagram.h"
#include "operator.h"
#include "program.h"

char license_text[] SEC("license") = "GPL"; // bpf_ktime_get_boot_ns() is for such programs

// The tool's.
MAP(operator_settings, BPF_MAP_TYPE_ARRAY, 1, uint32_t, struct operator_settings, 0);
MAP(nodes, BPF_MAP_TYPE_HASH, OPERATOR_NODES, uint32_t, uint32_t, 0); // id to address
MAP(replicas, BPF_MAP_TYPE_HASH, OPERATOR_GROUPS, uint32_t, struct operator_replicas, 0);
MAP(server_addresses, BPF_MAP_TYPE_ARRAY, OPERATOR_SERVERS, uint32_t, uint32_t, 0);
MAP(server_numbers, BPF_MAP_TYPE_HASH, OPERATOR_SERVERS, uint32_t, uint32_t, 0); // by address
MAP(client_groups, BPF_MAP_TYPE_LPM_TRIE, OPERATOR_CLIENTS, struct operator_prefix,
    struct operator_client, BPF_F_NO_PREALLOC);

// The programs'; the tool clears `monitors` with each plan.
struct server_entry {
    struct bpf_spin_lock lock;
    struct selector_server server;
};
MAP(selector_servers, BPF_MAP_TYPE_ARRAY, OPERATOR_SERVERS, uint32_t, struct server_entry, 0);
MAP(operator_counters, BPF_MAP_TYPE_PERCPU_ARRAY, 1, uint32_t, struct operator_counters, 0);
MAP(monitors, BPF_MAP_TYPE_PERCPU_ARRAY, OPERATOR_CLIENTS, uint32_t, struct operator_monitor, 0);

static __always_inline void count(uint64_t *counters, uint32_t size, uint32_t number) {
    asm volatile("" : "+r"(number)); // or clang, which knows the bound, leaves no check of it
    if (number < size)
        counters[number]++;
}

enum { PAYLOAD = ETH_HLEN + sizeof(struct datagram), UDP_CHECK = ETH_HLEN + 20 + 6 };

struct packet {
    struct datagram datagram;
    uint8_t head[NETRS_RESPONSE_BYTES] __attribute__((aligned(4)));
    uint8_t before[NETRS_RESPONSE_BYTES] __attribute__((aligned(4))); // as it came
    uint32_t length;                                                  // of the payload
    enum netrs_kind kind;
};

// Whether it is one of the data store's, and in the direction that its kind goes.
static __always_inline bool packet_read(struct __sk_buff *skb,
                                        const struct operator_settings *settings,
                                        struct packet *packet) {
    __builtin_memset(packet, 0, sizeof *packet);
    if (!datagram_read(skb, &packet->datagram) || (packet->datagram.udp.dest != settings->port &&
                                                   packet->datagram.udp.source != settings->port))
        return false;
    packet->length = bpf_ntohs(packet->datagram.udp.len) - sizeof packet->datagram.udp;
    if (packet->length >= NETRS_RESPONSE_BYTES) {
        if (bpf_skb_load_bytes(skb, PAYLOAD, packet->head, NETRS_RESPONSE_BYTES) < 0)
            return false;
    } else if (packet->length < NETRS_REQUEST_BYTES ||
               bpf_skb_load_bytes(skb, PAYLOAD, packet->head, NETRS_REQUEST_BYTES) < 0) {
        return false;
    }
    __builtin_memcpy(packet->before, packet->head, sizeof packet->head);
    packet->kind = netrs_kind(netrs_magic(packet->head));
    if (netrs_is_response(packet->kind))
        return packet->length >= NETRS_RESPONSE_BYTES &&
               packet->datagram.udp.source == settings->port;
    return packet->kind != NETRS_OTHER && packet->datagram.udp.dest == settings->port;
}

// The fields in front of RGID's last byte lie in whole words, so one difference corrects the
// checksum.
static __always_inline void packet_write_head(struct __sk_buff *skb, struct packet *packet) {
    int64_t difference;
    if (netrs_is_response(packet->kind)) {
        difference = bpf_csum_diff((__be32 *)packet->before, NETRS_RESPONSE_BYTES,
                                   (__be32 *)packet->head, NETRS_RESPONSE_BYTES, 0);
        bpf_l4_csum_replace(skb, UDP_CHECK, 0, (uint64_t)difference, BPF_F_MARK_MANGLED_0);
        bpf_skb_store_bytes(skb, PAYLOAD, packet->head, NETRS_RESPONSE_BYTES, 0);
    } else {
        difference = bpf_csum_diff((__be32 *)packet->before, 12, (__be32 *)packet->head, 12, 0);
        bpf_l4_csum_replace(skb, UDP_CHECK, 0, (uint64_t)difference, BPF_F_MARK_MANGLED_0);
        bpf_skb_store_bytes(skb, PAYLOAD, packet->head, 12, 0);
    }
}

static __always_inline void packet_write_ip(struct __sk_buff *skb, const struct packet *packet) {
    bpf_skb_store_bytes(skb, ETH_HLEN, &packet->datagram.ip, sizeof packet->datagram.ip, 0);
}

static __always_inline void packet_send_to(struct __sk_buff *skb, struct packet *packet,
                                           uint32_t address) {
    struct iphdr *ip = &packet->datagram.ip;
    bpf_l4_csum_replace(skb, UDP_CHECK, ip->daddr, address,
                        BPF_F_PSEUDO_HDR | BPF_F_MARK_MANGLED_0 | sizeof address);
    ip->check = checksum_changed(ip->check, ip->daddr, address);
    ip->daddr = address;
    packet_write_ip(skb, packet);
}

// --- towards the node ---

// TC_ACT_UNSPEC: there is no way. What is too long for the way has none, either.
static __always_inline int packet_send_towards(struct __sk_buff *skb, struct packet *packet) {
    struct iphdr *ip = &packet->datagram.ip;
    uint32_t *address = LOOK_UP(nodes, netrs_word(packet->head, NETRS_RID));
    if (address == NULL || ip->ttl <= 1)
        return TC_ACT_UNSPEC;
    struct bpf_fib_lookup route = {
        .family = FAMILY_INET,
        .l4_protocol = IPPROTO_UDP,
        .tot_len = bpf_ntohs(ip->tot_len),
        .ifindex = skb->ifindex,
        .tos = ip->tos,
        .ipv4_src = ip->saddr,
        .ipv4_dst = *address,
    };
    long result = bpf_fib_lookup(skb, &route, sizeof route, 0);
    if ((result != BPF_FIB_LKUP_RET_SUCCESS && result != BPF_FIB_LKUP_RET_NO_NEIGH) ||
        route.ifindex == skb->ifindex)
        return TC_ACT_UNSPEC;
    packet_write_head(skb, packet);
    uint16_t from = bpf_htons((uint16_t)(ip->ttl << 8 | ip->protocol));
    ip->ttl--;
    uint16_t to = bpf_htons((uint16_t)(ip->ttl << 8 | ip->protocol));
    ip->check = checksum_changed(ip->check, from, to);
    packet_write_ip(skb, packet);
    struct bpf_redir_neigh next = {.nh_family = FAMILY_INET, .ipv4_nh = route.ipv4_dst};
    return (int)bpf_redirect_neigh(route.ifindex, &next, sizeof next, 0);
}

// --- the selector ---

// What is read while another processor writes is a little off, at worst.
GLOBAL long score_of(uint32_t number, uint32_t nodes, uint64_t now) {
    struct server_entry *entry = LOOK_UP(selector_servers, number);
    return entry != NULL ? selector_score(&entry->server, now, nodes) : INT64_MAX;
}

GLOBAL int outstanding_of(uint32_t number, uint64_t now) {
    struct server_entry *entry = LOOK_UP(selector_servers, number);
    return entry != NULL ? (int)selector_outstanding(&entry->server, now) : 0;
}

// The best of a group's replicas; -1: there is none.
GLOBAL int select_server(uint32_t group, uint32_t available, uint32_t nodes, uint64_t now) {
    struct operator_replicas *members = LOOK_UP(replicas, group);
    struct selector_choice best = SELECTOR_NONE;
    if (members == NULL)
        return -1;
    for (uint32_t i = 0; i < SELECTOR_REPLICAS; i++) {
        if (i >= members->count || (available >> i & 1) == 0)
            continue;
        uint32_t number = members->servers[i];
        selector_consider(&best, score_of(number, nodes, now),
                          (uint32_t)outstanding_of(number, now), (int)number);
    }
    return best.server;
}

GLOBAL int note_sent(uint32_t number, uint64_t now) {
    struct server_entry *entry = LOOK_UP(selector_servers, number);
    if (entry == NULL)
        return -1;
    bpf_spin_lock(&entry->lock);
    selector_sent(&entry->server, now);
    bpf_spin_unlock(&entry->lock);
    return 0;
}

GLOBAL int note_answered(uint32_t number, uint32_t retained, uint32_t queue, uint32_t service_us) {
    struct server_entry *entry = LOOK_UP(selector_servers, number);
    uint64_t now = bpf_ktime_get_boot_ns();
    if (entry == NULL)
        return -1;
    bpf_spin_lock(&entry->lock);
    selector_answered(&entry->server, now, (uint16_t)retained, queue, service_us);
    bpf_spin_unlock(&entry->lock);
    return 0;
}

static __always_inline bool select_replica(struct __sk_buff *skb,
                                           const struct operator_settings *settings,
                                           struct packet *packet) {
    uint64_t now = bpf_ktime_get_boot_ns();
    struct netrs_group group = netrs_group(packet->head, settings->replicas & 15);
    int number = select_server(group.number, group.available, settings->nodes, now);
    uint32_t *address = number >= 0 ? LOOK_UP(server_addresses, (uint32_t)number) : NULL;
    if (address == NULL || note_sent((uint32_t)number, now) < 0)
        return false;
    netrs_set_word(packet->head, NETRS_RV, selector_retain(now));
    netrs_set_magic(packet->head, NETRS_F(NETRS_M_RESP));
    packet_write_head(skb, packet);
    packet_send_to(skb, packet, *address);
    return true;
}

static __always_inline void learn(struct __sk_buff *skb, struct packet *packet) {
    uint32_t *number = LOOK_UP(server_numbers, packet->datagram.ip.saddr);
    uint8_t bytes[NETRS_STATUS_BYTES] = {0};
    if (number == NULL)
        return;
    if (netrs_word(packet->head, NETRS_SSL) >= NETRS_STATUS_BYTES &&
        packet->length >= NETRS_RESPONSE_BYTES + NETRS_STATUS_BYTES)
        bpf_skb_load_bytes(skb, PAYLOAD + NETRS_RESPONSE_BYTES, bytes, sizeof bytes);
    struct netrs_status status = netrs_status(bytes);
    note_answered(*number, netrs_word(packet->head, NETRS_RV), status.queue, status.service_us);
}

// --- the hooks ---

static __always_inline uint16_t group_rid(uint32_t address) {
    struct operator_prefix prefix = {32, address};
    struct operator_client *group = bpf_map_lookup_elem(&client_groups, &prefix);
    return group != NULL ? (uint16_t)group->rid : NETRS_ILLEGAL;
}

static __always_inline int ingress(struct __sk_buff *skb, bool from_host) {
    struct operator_settings *settings = LOOK_UP(operator_settings, 0);
    struct operator_counters *counters = LOOK_UP(operator_counters, 0);
    struct packet packet;
    if (settings == NULL || counters == NULL || !packet_read(skb, settings, &packet))
        return TC_ACT_UNSPEC;
    count(counters->came, NETRS_KINDS, packet.kind);
    if (from_host)
        packet.kind = netrs_enter(packet.head, packet.kind, group_rid(packet.datagram.ip.saddr),
                                  settings->marker);
    enum netrs_step step =
        netrs_rule(packet.kind, netrs_word(packet.head, NETRS_RID), settings->rid);
    if (step == NETRS_SELECT && select_replica(skb, settings, &packet)) {
        counters->steps[NETRS_SELECT]++;
        return TC_ACT_UNSPEC;
    }
    if (step == NETRS_SELECT) {
        counters->no_replicas++;
        step = NETRS_DEGRADE;
    }
    if (step == NETRS_TOWARDS) {
        int action = packet_send_towards(skb, &packet);
        if (action != TC_ACT_UNSPEC) {
            counters->steps[NETRS_TOWARDS]++;
            return action;
        }
        counters->no_way++;
        step = netrs_without_node(packet.kind);
    }
    if (step == NETRS_LEARN)
        learn(skb, &packet);
    if (step == NETRS_LEARN || step == NETRS_RELEASE)
        netrs_set_magic(packet.head, NETRS_M_MON);
    if (step == NETRS_DEGRADE)
        netrs_set_magic(packet.head, NETRS_F(NETRS_M_DRS));
    if (step != NETRS_PASS || from_host)
        packet_write_head(skb, &packet);
    count(counters->steps, NETRS_STEPS, step);
    return TC_ACT_UNSPEC;
}

SEC("tc")
int netrs_ingress(struct __sk_buff *skb) {
    return ingress(skb, false);
}

SEC("tc")
int netrs_host_ingress(struct __sk_buff *skb) {
    return ingress(skb, true);
}

SEC("tc")
int netrs_host_egress(struct __sk_buff *skb) {
    struct operator_settings *settings = LOOK_UP(operator_settings, 0);
    struct packet packet;
    if (settings == NULL || !packet_read(skb, settings, &packet) || packet.kind != NETRS_COUNTED)
        return TC_ACT_UNSPEC;
    struct operator_prefix prefix = {32, packet.datagram.ip.daddr};
    struct operator_client *group = bpf_map_lookup_elem(&client_groups, &prefix);
    struct operator_monitor *monitor = group != NULL ? LOOK_UP(monitors, group->number) : NULL;
    if (monitor != NULL)
        count(monitor->responses, NETRS_TIERS,
              netrs_tier(netrs_marker(packet.head), settings->marker));
    return TC_ACT_UNSPEC;
}
