// SPDX-License-Identifier: Apache-2.0
// A whole UDP datagram, for programs that leave everything else alone.
#pragma once

#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <stdbool.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

enum { IP_FRAGMENT = 0x3fff };

struct datagram {
    struct iphdr ip;
    struct udphdr udp;
};

// A whole UDP datagram without IP options, or false.
static __always_inline bool datagram_read(struct __sk_buff *skb, struct datagram *datagram) {
    return skb->protocol == bpf_htons(ETH_P_IP) && !skb->vlan_present && // as in packet_read()
           bpf_skb_load_bytes(skb, ETH_HLEN, datagram, sizeof *datagram) == 0 &&
           datagram->ip.version == 4 && datagram->ip.ihl == 5 &&
           datagram->ip.protocol == IPPROTO_UDP &&
           (datagram->ip.frag_off & bpf_htons(IP_FRAGMENT)) == 0 && skb->gso_segs <= 1 &&
           bpf_ntohs(datagram->udp.len) >= sizeof datagram->udp &&
           skb->len >= ETH_HLEN + bpf_ntohs(datagram->ip.tot_len);
}
