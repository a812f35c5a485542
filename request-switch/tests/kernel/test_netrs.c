// SPDX-License-Identifier: Apache-2.0
// A NetRS operator's programs in this kernel, packet by packet (BPF_PROG_TEST_RUN).
#include "datagram.h"
#include "netrs.skel.h"
#include "operator.h"

#include <net/if.h>
#include <sched.h>
#include <unistd.h>

enum { NEXT = -1, STORE = 7000, CLIENT = 5353, MINE = 17, BITS = 3, LONG = 60 };

static struct netrs_bpf *netrs;
static uint32_t interface;

static int run(const struct bpf_program *which, struct packet *packet) {
    struct __sk_buff context = {.ifindex = interface};
    return (int)run_with(which, packet, &context);
}

static uint8_t *head_of(struct packet *packet) {
    return packet->bytes + HEAD;
}

static struct packet request(uint64_t magic, uint16_t rid, uint32_t group, size_t length) {
    uint8_t payload[LONG] = {0};
    for (size_t i = 0; i < sizeof payload; i++)
        payload[i] = (uint8_t)(i * 7);
    netrs_set_word(payload, NETRS_RID, rid);
    netrs_set_magic(payload, magic);
    netrs_set_word(payload, NETRS_RGID, (uint16_t)(group >> 8));
    payload[NETRS_RGID + 2] = (uint8_t)group;
    return udp(endpoint("10.0.0.2", CLIENT), endpoint("10.0.9.9", STORE), payload, length);
}

static struct packet response(uint64_t magic, uint16_t rid, size_t length) {
    struct packet packet = request(magic, rid, 0, length);
    uint8_t payload[LONG];
    memcpy(payload, head_of(&packet), sizeof payload);
    netrs_set_word(payload, NETRS_SSL, NETRS_STATUS_BYTES);
    return udp(endpoint("10.1.0.2", STORE), endpoint("10.0.0.2", CLIENT), payload, length);
}

static int set_up(void **state) {
    (void)state;
    assert_int_equal(unshare(CLONE_NEWNET), 0);
    command("ip link set lo up");
    interface = if_nametoindex("lo");
    netrs = netrs_bpf__open_and_load();
    assert_non_null(netrs);
    uint32_t zero = 0, server = 0, address = endpoint("10.1.0.2", 1).address, group = 5;
    struct operator_settings settings = {
        .rid = MINE, .port = htons(STORE), .marker = 2 << 16 | 1, .replicas = BITS, .nodes = 1};
    struct operator_replicas members = {.count = 1};
    struct operator_prefix prefix = {24, endpoint("10.0.0.0", 1).address};
    struct operator_client client = {MINE, 3};
    put(netrs->maps.operator_settings, &zero, &settings);
    put(netrs->maps.server_addresses, &server, &address);
    put(netrs->maps.server_numbers, &address, &server);
    put(netrs->maps.replicas, &group, &members);
    put(netrs->maps.client_groups, &prefix, &client);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    netrs_bpf__destroy(netrs);
    return 0;
}

static void selected_requests_are_whole(void **state) {
    (void)state;
    for (size_t length = NETRS_REQUEST_BYTES; length < LONG; length++)
        for (int has_sum = 0; has_sum < 2; has_sum++) {
            struct packet packet = request(NETRS_M_REQ, 99, 5 << BITS | 1, length), before = packet;
            if (!has_sum)
                udp_of(&packet)->check = 0;
            assert_int_equal(run(netrs->progs.netrs_host_ingress, &packet), NEXT);
            uint8_t *head = head_of(&packet);
            assert_int_equal(netrs_word(head, NETRS_RID), MINE);
            assert_int_equal(netrs_magic(head), NETRS_F(NETRS_M_RESP));
            assert_int_equal(ip_of(&packet)->daddr, endpoint("10.1.0.2", 1).address);
            assert_int_equal(packet.length, before.length);
            assert_memory_equal(head + NETRS_RGID, head_of(&before) + NETRS_RGID,
                                length - NETRS_RGID);
            assert_int_equal(udp_of(&packet)->check != 0, has_sum);
            checksums_are_right(&packet);
        }
}

static void requests_without_a_node_or_a_replica_go_where_they_were_sent(void **state) {
    (void)state;
    struct packet cases[] = {
        request(NETRS_M_REQ, NETRS_ILLEGAL, 5 << BITS | 1, 40),
        request(NETRS_M_REQ, 0, 5 << BITS | 1, 40),
        request(NETRS_M_REQ, MINE + 1, 5 << BITS | 1, 40), // it is nowhere
        request(NETRS_M_REQ, MINE, 5 << BITS, 40),
        request(NETRS_M_REQ, MINE, 5 << BITS | 6, 40), // two that the group hasn't
        request(NETRS_M_REQ, MINE, 6 << BITS | 1, 40),
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct packet packet = cases[i];
        assert_int_equal(run(netrs->progs.netrs_ingress, &packet), NEXT);
        assert_int_equal(netrs_magic(head_of(&packet)), NETRS_F(NETRS_M_DRS));
        assert_int_equal(ip_of(&packet)->daddr, ip_of(&cases[i])->daddr);
        checksums_are_right(&packet);
    }
}

static void responses_are_marked_learned_from_and_let_go(void **state) {
    (void)state;
    uint32_t server = 0;
    struct {
        uint32_t lock;
        struct selector_server server;
    } entry;
    for (size_t length = NETRS_RESPONSE_BYTES; length < LONG; length++) {
        struct packet packet = response(NETRS_M_RESP, MINE, length), before = packet;
        assert_int_equal(run(netrs->progs.netrs_host_ingress, &packet), NEXT);
        uint8_t *head = head_of(&packet);
        assert_int_equal(netrs_magic(head), NETRS_M_MON);
        assert_int_equal(netrs_marker(head), 2 << 16 | 1);
        assert_memory_equal(head + NETRS_SSL, head_of(&before) + NETRS_SSL, length - NETRS_SSL);
        assert_memory_equal(ip_of(&packet), ip_of(&before), sizeof *ip_of(&before));
        checksums_are_right(&packet);
        assert_int_equal(
            bpf_map_lookup_elem(bpf_map__fd(netrs->maps.selector_servers), &server, &entry), 0);
        assert_int_equal(entry.server.answered, length - NETRS_RESPONSE_BYTES + 1);
    }
    // Of a degraded request, and of a node that is nowhere.
    struct packet packet = response(NETRS_M_DRS, NETRS_ILLEGAL, 40);
    assert_int_equal(run(netrs->progs.netrs_host_ingress, &packet), NEXT);
    assert_int_equal(netrs_magic(head_of(&packet)), NETRS_M_MON);
    checksums_are_right(&packet);
    packet = response(NETRS_M_RESP, MINE + 1, 40);
    assert_int_equal(run(netrs->progs.netrs_ingress, &packet), NEXT);
    assert_int_equal(netrs_magic(head_of(&packet)), NETRS_M_MON);
    checksums_are_right(&packet);
}

static void is_left_alone(struct packet packet) {
    const struct bpf_program *programs[] = {netrs->progs.netrs_ingress,
                                            netrs->progs.netrs_host_ingress,
                                            netrs->progs.netrs_host_egress};
    for (int i = 0; i < 3; i++) {
        struct packet after = packet;
        assert_int_equal(run(programs[i], &after), NEXT);
        assert_int_equal(after.length, packet.length);
        assert_memory_equal(after.bytes, packet.bytes, packet.length);
    }
}

static void all_else_is_left_alone(void **state) {
    (void)state;
    struct packet packet;
    for (size_t length = 0; length < NETRS_REQUEST_BYTES; length++)
        is_left_alone(request(NETRS_M_REQ, MINE, 5 << BITS | 1, length));
    for (size_t length = 0; length < NETRS_RESPONSE_BYTES; length++)
        is_left_alone(response(NETRS_M_RESP, MINE, length));
    is_left_alone(request(0, MINE, 5 << BITS | 1, 40));
    is_left_alone(request(NETRS_M_RESP, MINE, 0, 40)); // a response that goes to the store
    packet = request(NETRS_M_REQ, MINE, 5 << BITS | 1, 40);
    udp_of(&packet)->dest = htons(STORE + 1);
    is_left_alone(packet);
    packet = request(NETRS_M_REQ, MINE, 5 << BITS | 1, 40);
    ip_of(&packet)->frag_off = htons(0x2000);
    is_left_alone(packet);
    packet = request(NETRS_M_REQ, MINE, 5 << BITS | 1, 40);
    ip_of(&packet)->protocol = IPPROTO_TCP;
    is_left_alone(packet);
    packet = request(NETRS_M_REQ, MINE, 5 << BITS | 1, 40);
    udp_of(&packet)->len = htons(4);
    is_left_alone(packet);
    // Cut at each byte: the lengths in it don't agree with what is there. The kernel gives nobody
    // less than an IP header.
    for (size_t left = sizeof(struct ether_header) + sizeof(struct iphdr); left < HEAD + 40;
         left++) {
        packet = request(NETRS_M_REQ, MINE, 5 << BITS | 1, 40);
        packet.length = left;
        is_left_alone(packet);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selected_requests_are_whole),
        cmocka_unit_test(requests_without_a_node_or_a_replica_go_where_they_were_sent),
        cmocka_unit_test(responses_are_marked_learned_from_and_let_go),
        cmocka_unit_test(all_else_is_left_alone),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
