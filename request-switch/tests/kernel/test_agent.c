// SPDX-License-Identifier: Apache-2.0
// The agent's programs in this kernel, before a real socket (BPF_PROG_TEST_RUN).
#include "agent.h"
#include "agent.skel.h"
#include "datagram.h"

#include <net/if.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NEXT = -1, SHOT = 2, PORT = 53, CLIENT_PORT = 5353 };

static struct agent_bpf *agent;
static uint32_t interface;
static int server, client; // sockets

static int run(const struct bpf_program *which, struct packet *packet) {
    struct __sk_buff context = {.ifindex = interface};
    return (int)run_with(which, packet, &context);
}

static struct packet answer(size_t length) {
    static const uint8_t text[PACKET];
    return udp(endpoint("10.2.1.2", PORT), endpoint("10.1.0.2", CLIENT_PORT), text, length);
}

static struct packet request(size_t length) {
    static const uint8_t text[PACKET];
    return udp(endpoint("10.1.0.2", CLIENT_PORT), endpoint("10.2.1.2", PORT), text, length);
}

static void send_requests(int count) {
    for (int i = 0; i < count; i++)
        assert_int_equal(send(client, "question", 8, 0), 8);
}

static void read_requests(int count) {
    char text[16];
    for (int i = 0; i < count; i++)
        assert_int_equal(recv(server, text, sizeof text, MSG_DONTWAIT), 8);
}

static void read_all(void) {
    char text[16];
    while (recv(server, text, sizeof text, MSG_DONTWAIT) > 0)
        ;
}

static int fresh(void **state) {
    (void)state;
    read_all();
    return 0;
}

static int set_up(void **state) {
    (void)state;
    assert_int_equal(unshare(CLONE_NEWNET), 0);
    command("ip link set lo mtu 1500 up && ip address add 10.2.1.2/24 dev lo && ip address add "
            "10.1.0.2/24 dev lo");
    interface = if_nametoindex("lo");
    struct endpoint here = endpoint("10.2.1.2", PORT);
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = here.port, .sin_addr.s_addr = here.address};
    server = socket(AF_INET, SOCK_DGRAM, 0);
    client = socket(AF_INET, SOCK_DGRAM, 0);
    assert_int_equal(bind(server, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(connect(client, (struct sockaddr *)&at, sizeof at), 0);
    agent = agent_bpf__open_and_load();
    assert_non_null(agent);
    uint32_t zero = 0;
    struct agent_rules rules = {
        .port_count = 2,
        .client_count = 2,
        .ports = {htons(11211), htons(PORT)},
        .clients = {{endpoint("10.7.0.0", 1).address, htonl(0xffff0000)},
                    {endpoint("10.1.0.0", 1).address, htonl(0xffff0000)}},
    };
    put(agent->maps.agent_rules, &zero, &rules);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    agent_bpf__destroy(agent);
    close(server);
    close(client);
    return 0;
}

static void the_sockets_queue_is_told(void **state) {
    (void)state;
    for (int queue = 5; queue >= 0; queue--) {
        read_all();
        send_requests(5);
        read_requests(5 - queue);
        for (size_t length = 20; length < 24; length++) {
            struct packet packet = answer(length), before = packet;
            assert_int_equal(run(agent->progs.agent_egress, &packet), NEXT);
            struct trailer trailer = trailer_of(&packet);
            assert_int_equal(trailer.what, TRAILER_QUEUE);
            assert_int_equal(trailer.queue, queue);
            checksums_are_right(&packet);
            assert_memory_equal(packet.bytes + HEAD, before.bytes + HEAD, length);
        }
    }
}

static void is_left_alone(const struct bpf_program *which, struct packet packet) {
    struct packet before = packet;
    assert_int_equal(run(which, &packet), NEXT);
    assert_int_equal(packet.length, before.length);
    assert_memory_equal(packet.bytes, before.bytes, before.length);
}

static void what_is_no_answer_to_a_switch_is_left_alone(void **state) {
    (void)state;
    static const uint8_t text[40];
    const struct bpf_program *egress = agent->progs.agent_egress;
    is_left_alone(egress, udp(endpoint("10.2.1.2", PORT), endpoint("10.3.0.2", 5353), text, 20));
    is_left_alone(egress, udp(endpoint("10.2.1.2", 54), endpoint("10.1.0.2", 5353), text, 20));
    // A port that is ours, but no socket.
    is_left_alone(egress, udp(endpoint("10.2.1.2", 11211), endpoint("10.1.0.2", 5353), text, 20));
    struct packet packet = answer(40);
    ip_of(&packet)->frag_off = htons(IP_MF);
    is_left_alone(egress, packet);
    packet = answer(40);
    udp_of(&packet)->len = htons(30); // something is behind it already
    is_left_alone(egress, packet);
    // What would be too long then.
    is_left_alone(egress, answer(1472));
    is_left_alone(egress, answer(1463));
    packet = answer(1462);
    assert_int_equal(run(egress, &packet), NEXT);
    assert_int_equal(trailer_of(&packet).what, TRAILER_QUEUE);
}

static void a_clone_is_dropped_where_others_wait(void **state) {
    (void)state;
    for (size_t length = 20; length < 24; length++) {
        struct packet clone = request(length), original = request(length);
        add_trailer(&clone, (struct trailer){TRAILER_CLONE, 0});
        is_left_alone(agent->progs.agent_ingress, clone);
        send_requests(1);
        is_left_alone(agent->progs.agent_ingress, original);
        assert_int_equal(run(agent->progs.agent_ingress, &clone), SHOT);
        read_requests(1);
        is_left_alone(agent->progs.agent_ingress, clone);
    }
}

static void only_a_true_trailer_makes_a_clone(void **state) {
    (void)state;
    send_requests(1);
    struct packet packet = request(20);
    add_trailer(&packet, (struct trailer){TRAILER_QUEUE, 0});
    is_left_alone(agent->progs.agent_ingress, packet);
    for (size_t at = 1; at <= TRAILER_BYTES; at++) {
        packet = request(20);
        add_trailer(&packet, (struct trailer){TRAILER_CLONE, 0});
        packet.bytes[packet.length - at] ^= 0x10;
        is_left_alone(agent->progs.agent_ingress, packet);
    }
    // Cut off at each byte; shorter ones BPF_PROG_TEST_RUN doesn't take.
    packet = request(20);
    add_trailer(&packet, (struct trailer){TRAILER_CLONE, 0});
    for (size_t length = HEAD - sizeof(struct udphdr); length < packet.length; length++) {
        struct packet cut = packet;
        cut.length = length;
        is_left_alone(agent->progs.agent_ingress, cut);
    }
    assert_int_equal(run(agent->progs.agent_ingress, &packet), SHOT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_sockets_queue_is_told, fresh),
        cmocka_unit_test_setup(what_is_no_answer_to_a_switch_is_left_alone, fresh),
        cmocka_unit_test_setup(a_clone_is_dropped_where_others_wait, fresh),
        cmocka_unit_test_setup(only_a_true_trailer_makes_a_clone, fresh),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
