// SPDX-License-Identifier: Apache-2.0
// Datagrams for the tests of programs in the kernel: made, checked, and given to a program.
#pragma once

#include "layout.h"
#include "test.h"
#include "trailer.h"

#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <net/ethernet.h>
#include <netinet/ip.h>
#include <netinet/udp.h>

#include "checksum_anew.h"

enum {
    PACKET = 2048,
    HEAD = sizeof(struct ether_header) + sizeof(struct iphdr) + sizeof(struct udphdr)
};

static inline struct endpoint endpoint(const char *address, uint16_t port) {
    struct endpoint result = {.port = htons(port)};
    assert_int_equal(inet_pton(AF_INET, address, &result.address), 1);
    return result;
}

struct packet {
    uint8_t bytes[PACKET];
    size_t length;
};

static inline struct iphdr *ip_of(struct packet *packet) {
    return (struct iphdr *)(packet->bytes + sizeof(struct ether_header));
}

static inline struct udphdr *udp_of(struct packet *packet) {
    return (struct udphdr *)((uint8_t *)ip_of(packet) + ip_of(packet)->ihl * 4);
}

static inline uint16_t ip_sum(struct packet *packet) {
    return checksum_sum((uint8_t *)ip_of(packet), ip_of(packet)->ihl * 4u, 0);
}

static inline uint16_t udp_sum(struct packet *packet) {
    struct iphdr *ip = ip_of(packet);
    struct udphdr *udp = udp_of(packet);
    uint16_t length = ntohs(udp->len);
    uint8_t pseudo[12] = {[9] = IPPROTO_UDP, [10] = (uint8_t)(length >> 8), [11] = (uint8_t)length};
    memcpy(pseudo, &ip->saddr, 8);
    return checksum_sum((uint8_t *)udp, length, checksum_sum(pseudo, sizeof pseudo, 0));
}

static inline struct packet udp(struct endpoint from, struct endpoint to, const void *payload,
                                size_t length) {
    struct packet packet = {.length = HEAD + length};
    struct ether_header *ethernet = (struct ether_header *)packet.bytes;
    ethernet->ether_type = htons(ETHERTYPE_IP);
    *ip_of(&packet) = (struct iphdr){.version = 4,
                                     .ihl = 5,
                                     .ttl = 64,
                                     .protocol = IPPROTO_UDP,
                                     .tot_len = htons((uint16_t)(packet.length - sizeof *ethernet)),
                                     .saddr = from.address,
                                     .daddr = to.address};
    *udp_of(&packet) = (struct udphdr){.source = from.port,
                                       .dest = to.port,
                                       .len = htons((uint16_t)(sizeof(struct udphdr) + length))};
    memcpy(packet.bytes + HEAD, payload, length);
    ip_of(&packet)->check = htons((uint16_t)~ip_sum(&packet));
    udp_of(&packet)->check = htons((uint16_t)~udp_sum(&packet));
    return packet;
}

static inline void checksums_are_right(struct packet *packet) {
    assert_int_equal(ip_sum(packet), 0xffff);
    if (udp_of(packet)->check != 0)
        assert_int_equal(udp_sum(packet), 0xffff);
}

// Puts a trailer behind the payload.
static inline void add_trailer(struct packet *packet, struct trailer trailer) {
    struct trailer_wire wire = trailer_write(trailer);
    if (packet->length % 2 != 0)
        packet->bytes[packet->length++] = 0;
    memcpy(packet->bytes + packet->length, &wire, sizeof wire);
    packet->length += sizeof wire;
    ip_of(packet)->tot_len = htons((uint16_t)(packet->length - sizeof(struct ether_header)));
    ip_of(packet)->check = 0;
    ip_of(packet)->check = htons((uint16_t)~ip_sum(packet));
}

// The trailer of a packet whose headers agree with its length.
static inline struct trailer trailer_of(struct packet *packet) {
    size_t end = HEAD - sizeof(struct udphdr) + ntohs(udp_of(packet)->len);
    struct trailer_wire wire;
    assert_int_equal(ntohs(ip_of(packet)->tot_len), packet->length - sizeof(struct ether_header));
    if (packet->length == end)
        return (struct trailer){TRAILER_NONE, 0};
    if (end % 2 != 0)
        assert_int_equal(packet->bytes[end++], 0);
    assert_int_equal(packet->length, end + sizeof wire);
    memcpy(&wire, packet->bytes + end, sizeof wire);
    // An interface that completes the checksum counts all that is there.
    assert_true(trailer_sum(&wire) == 0xffff);
    return trailer_read(&wire);
}

// Gives it to the program as if it had come by the port; the packet is what came out.
static inline uint32_t run_with(const struct bpf_program *which, struct packet *packet,
                                struct __sk_buff *context) {
    struct packet out = {.length = PACKET};
    DECLARE_LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = packet->bytes,
                        .data_size_in = (uint32_t)packet->length, .data_out = out.bytes,
                        .data_size_out = PACKET, .ctx_in = context, .ctx_size_in = sizeof *context);
    assert_int_equal(bpf_prog_test_run_opts(bpf_program__fd(which), &options), 0);
    out.length = options.data_size_out;
    *packet = out;
    return options.retval;
}

static inline void put(struct bpf_map *map, const void *key, const void *value) {
    assert_int_equal(bpf_map_update_elem(bpf_map__fd(map), key, value, BPF_ANY), 0);
}

static inline void command(const char *text) {
    if (system(text) != 0) {
        fprintf(stderr, "failed: %s\n", text);
        exit(1);
    }
}
