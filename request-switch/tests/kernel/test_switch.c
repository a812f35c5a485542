// SPDX-License-Identifier: Apache-2.0
// The programs in this kernel, packet by packet (BPF_PROG_TEST_RUN), in a network namespace with a
// client and two servers that aren't there: their hardware addresses are given, and clones are
// really sent.
#include "datagram.h"
#include "switch.skel.h"

#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

enum { OK = 0, SHOT = 2, REDIRECT = 7, SERVICE = 1, FIRST = SERVICE * SERVERS_EACH };
enum { SLOTS = 1 << 17 };

static struct switch_bpf *program;
static uint32_t client_port, server_ports[2];
static int wires[2]; // packet sockets behind the servers' ports

static struct packet query(uint16_t id) {
    uint8_t text[] = "\0\0\1\0\0\1\0\0\0\0\0\0\4node\7example\0\0\1\0\1";
    text[0] = (uint8_t)(id >> 8);
    text[1] = (uint8_t)id;
    return udp(endpoint("10.1.0.2", 5353), endpoint("10.99.0.1", 53), text, sizeof text - 1);
}

static struct packet answer(int server, uint16_t id) {
    uint8_t text[] = "\0\0\x81\x80\0\1\0\0\0\0\0\0\4node\7example\0\0\1\0\1";
    text[0] = (uint8_t)(id >> 8);
    text[1] = (uint8_t)id;
    return udp(endpoint(server == 0 ? "10.2.1.2" : "10.2.2.2", 53), endpoint("10.1.0.2", 5353),
               text, sizeof text - 1);
}

static uint32_t run(struct packet *packet, uint32_t port) {
    struct __sk_buff context = {.ifindex = port};
    return run_with(program->progs.switch_ingress, packet, &context);
}

// The next IPv4 packet that was sent to a server; false: none.
static bool sent_to(int server, struct packet *packet) {
    while (poll(&(struct pollfd){wires[server], POLLIN, 0}, 1, 0) > 0) {
        ssize_t got = recv(wires[server], packet->bytes, sizeof packet->bytes, 0);
        assert_true(got > 0);
        packet->length = (size_t)got;
        if (got > HEAD &&
            ((struct ether_header *)packet->bytes)->ether_type == htons(ETHERTYPE_IP) &&
            ip_of(packet)->protocol == IPPROTO_UDP)
            return true;
    }
    return false;
}

// --- state ---

static struct service_counters counted(void) {
    enum { PROCESSORS = 1024 };
    static struct service_counters each[PROCESSORS];
    struct service_counters sum = {0};
    assert_true(libbpf_num_possible_cpus() <= PROCESSORS);
    uint32_t number = SERVICE;
    assert_int_equal(
        bpf_map_lookup_elem(bpf_map__fd(program->maps.service_counters), &number, each), 0);
    for (int i = 0; i < libbpf_num_possible_cpus(); i++)
        for (size_t j = 0; j < sizeof sum / sizeof(uint64_t); j++)
            ((uint64_t *)&sum)[j] += ((uint64_t *)&each[i])[j];
    return sum;
}

static struct server_state server_state(int server) {
    struct server_state state;
    uint32_t number = FIRST + (uint32_t)server;
    assert_int_equal(bpf_map_lookup_elem(bpf_map__fd(program->maps.server_states), &number, &state),
                     0);
    return state;
}

static uint64_t clones_of(int server) {
    enum { PROCESSORS = 1024 };
    static struct server_counters each[PROCESSORS];
    uint32_t number = FIRST + (uint32_t)server;
    uint64_t sum = 0;
    assert_true(libbpf_num_possible_cpus() <= PROCESSORS);
    assert_int_equal(bpf_map_lookup_elem(bpf_map__fd(program->maps.server_counters), &number, each),
                     0);
    for (int i = 0; i < libbpf_num_possible_cpus(); i++)
        sum += each[i].clones;
    return sum;
}

static void set_policy(enum policy policy, enum clone_rule rule) {
    struct service_rules rules = {.name = "names",
                                  .at = endpoint("10.99.0.1", 53),
                                  .members = 3,
                                  .enabled = 3,
                                  .number = SERVICE,
                                  .dialect = DIALECT_DNS,
                                  .policy = (uint8_t)policy,
                                  .clone = (uint8_t)rule};
    put(program->maps.services, &rules.at, &rules);
}

static void set_service(enum clone_rule rule) {
    set_policy(POLICY_SHORTER_QUEUE, rule);
}

// No request is under way. A word that an earlier test left would be taken back once another
// request needs its slot, from the servers of a test that never asked them.
static void forget_requests(void) {
    static uint32_t numbers[SLOTS];
    static const struct slot free_slots[SLOTS];
    for (uint32_t i = 0; i < SLOTS; i++)
        numbers[i] = i;
    uint32_t count = SLOTS;
    assert_int_equal(
        bpf_map_update_batch(bpf_map__fd(program->maps.slots), numbers, free_slots, &count, NULL),
        0);
    assert_int_equal(count, SLOTS);
}

// As it was before the first packet.
static int fresh(void **state) {
    (void)state;
    struct packet ignored;
    forget_requests();
    static const struct server_state none;
    static const struct service_state trusted;
    uint32_t number = SERVICE;
    put(program->maps.service_states, &number, &trusted);
    for (number = FIRST; number < FIRST + 2; number++)
        put(program->maps.server_states, &number, &none);
    set_service(CLONE_ALWAYS);
    for (int server = 0; server < 2; server++)
        while (sent_to(server, &ignored))
            ;
    return 0;
}

static int wire_of(const char *name) {
    struct sockaddr_ll at = {.sll_family = AF_PACKET,
                             .sll_protocol = htons(ETH_P_ALL),
                             .sll_ifindex = (int)if_nametoindex(name)};
    int wire = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
    assert_int_equal(bind(wire, (struct sockaddr *)&at, sizeof at), 0);
    return wire;
}

static int set_up(void **state) {
    (void)state;
    assert_int_equal(unshare(CLONE_NEWNET), 0);
    command("ip link set lo up");
    command("sysctl -q net.ipv4.ip_forward=1");
    static const char *const names[] = {"client", "s1", "s2"}, *const prefixes[] = {
                                                                   "10.1.0", "10.2.1", "10.2.2"};
    for (int i = 0; i < 3; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "ip link add %s type veth peer name %s-wire && ip address add %s.1/24 dev %s && "
                 "ip link set %s up && ip link set %s-wire up && "
                 "ip neighbour add %s.2 lladdr 02:00:00:00:00:0%d dev %s nud permanent",
                 names[i], names[i], prefixes[i], names[i], names[i], names[i], prefixes[i], i + 1,
                 names[i]);
        command(text);
    }
    client_port = if_nametoindex("client");
    for (int i = 0; i < 2; i++) {
        server_ports[i] = if_nametoindex(names[i + 1]);
        char wire[IF_NAMESIZE];
        snprintf(wire, sizeof wire, "%s-wire", names[i + 1]);
        wires[i] = wire_of(wire);
    }
    struct switch_bpf *host = switch_bpf__open();
    assert_non_null(host);
    host->rodata->where = WHERE_HOST;
    assert_int_equal(switch_bpf__load(host), 0); // all of them: the verifier takes each
    switch_bpf__destroy(host);
    program = switch_bpf__open();
    assert_non_null(program);
    program->rodata->servers_ask = true;
    assert_int_equal(switch_bpf__load(program), 0);
    uint32_t zero = 0, here = 1;
    struct settings settings = {.key = {1, 2}, .slots = SLOTS};
    put(program->maps.switch_settings, &zero, &settings);
    struct {
        uint32_t bits, address;
    } prefix = {16, endpoint("10.1.0.0", 1).address};
    put(program->maps.clients, &prefix, &here);
    static struct known_ports ports;
    ports.ports[htons(53)] = PORT_OF_SERVICE | PORT_OF_SERVER;
    put(program->maps.ports_in_use, &zero, &ports);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t number = FIRST + i;
        struct server_rules server = {.at = endpoint(i == 0 ? "10.2.1.2" : "10.2.2.2", 53),
                                      .service = endpoint("10.99.0.1", 53),
                                      .workers = 1,
                                      .service_number = SERVICE,
                                      .dialect = DIALECT_DNS};
        put(program->maps.server_rules, &number, &server);
        put(program->maps.answering, &server.at, &number);
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    switch_bpf__destroy(program);
    return 0;
}

// --- requests ---

static void a_read_is_cloned_and_both_copies_are_right(void **state) {
    (void)state;
    for (uint16_t id = 0; id < 40; id++) {
        struct packet packet = query(id), clone;
        assert_int_equal(run(&packet, client_port), REDIRECT);
        int first = ip_of(&packet)->daddr == endpoint("10.2.1.2", 53).address ? 0 : 1;
        assert_true(sent_to(1 - first, &clone));
        struct packet *both[] = {&packet, &clone};
        for (int i = 0; i < 2; i++) {
            int server = i == 0 ? first : 1 - first;
            assert_int_equal(ip_of(both[i])->daddr,
                             endpoint(server == 0 ? "10.2.1.2" : "10.2.2.2", 53).address);
            assert_int_equal(ip_of(both[i])->saddr, endpoint("10.1.0.2", 5353).address);
            assert_int_equal(ip_of(both[i])->ttl, 63);
            assert_int_equal(udp_of(both[i])->source, htons(5353));
            checksums_are_right(both[i]);
        }
        const uint8_t hardware[] = {2, 0, 0, 0, 0, (uint8_t)(2 + 1 - first)};
        assert_memory_equal(clone.bytes, hardware, sizeof hardware);
        assert_int_equal(server_state(0).outstanding, id + 1);
        assert_int_equal(server_state(1).outstanding, id + 1);
    }
}

static void a_checksum_of_zero_stays_none(void **state) {
    (void)state;
    struct packet packet = query(1);
    udp_of(&packet)->check = 0;
    assert_int_equal(run(&packet, client_port), REDIRECT);
    assert_int_equal(udp_of(&packet)->check, 0);
    checksums_are_right(&packet);
}

// Whatever is cut off or odd goes to one server at most.
static void is_not_cloned(struct packet packet, struct __sk_buff *context, bool forwarded) {
    struct packet clone, before = packet;
    fresh(NULL);
    uint32_t action = run_with(program->progs.switch_ingress, &packet, context);
    assert_false(sent_to(0, &clone) || sent_to(1, &clone));
    if (forwarded) {
        assert_int_equal(action, REDIRECT);
        assert_int_not_equal(ip_of(&packet)->daddr, endpoint("10.99.0.1", 53).address);
        assert_int_equal(ip_sum(&packet), 0xffff);
    } else if (action == OK) {
        assert_int_equal(packet.length, before.length);
        assert_memory_equal(packet.bytes, before.bytes, before.length);
    }
}

static void what_is_no_whole_datagram_is_not_cloned(void **state) {
    (void)state;
    struct __sk_buff context = {.ifindex = client_port};
    struct packet packet = query(7);
    // Cut off at each byte; shorter ones BPF_PROG_TEST_RUN doesn't take.
    for (size_t length = HEAD - sizeof(struct udphdr); length < packet.length; length++) {
        struct packet cut = packet;
        cut.length = length;
        is_not_cloned(cut, &context, false);
    }
    struct packet first = packet, later = packet;
    ip_of(&first)->frag_off = htons(IP_MF);
    ip_of(&first)->check = 0;
    ip_of(&first)->check = htons((uint16_t)~ip_sum(&first));
    is_not_cloned(first, &context, true);
    // The rest of that datagram goes where its first fragment went.
    ip_of(&later)->frag_off = htons(100);
    ip_of(&later)->check = 0;
    ip_of(&later)->check = htons((uint16_t)~ip_sum(&later));
    is_not_cloned(later, &context, true);
    // But not for long, for another datagram may have that number then.
    struct fragment fragment = {ip_of(&later)->saddr, ip_of(&later)->daddr, ip_of(&later)->id,
                                IPPROTO_UDP};
    struct fragment_way way;
    assert_int_equal(bpf_map_lookup_elem(bpf_map__fd(program->maps.fragments), &fragment, &way), 0);
    way.second -= FRAGMENT_LIFE + 1;
    put(program->maps.fragments, &fragment, &way);
    struct packet late = later;
    assert_int_equal(run(&late, client_port), OK);
    assert_memory_equal(late.bytes, later.bytes, later.length);
    // With IP options.
    struct packet options = packet;
    memmove(options.bytes + 38, packet.bytes + 34, packet.length - 34);
    memset(options.bytes + 34, 1, 4); // no operation
    options.length += 4;
    ip_of(&options)->ihl = 6;
    ip_of(&options)->tot_len = htons((uint16_t)(options.length - 14));
    ip_of(&options)->check = 0;
    ip_of(&options)->check = htons((uint16_t)~ip_sum(&options));
    is_not_cloned(options, &context, true);
    // Segments that are still to be cut.
    struct __sk_buff segments = {.ifindex = client_port, .gso_segs = 2, .gso_size = 20};
    is_not_cloned(packet, &segments, true);
    // Lengths that contradict each other.
    struct packet lying = packet;
    udp_of(&lying)->len = htons(ntohs(udp_of(&lying)->len) - 1);
    is_not_cloned(lying, &context, true);
    udp_of(&lying)->len = htons(3);
    is_not_cloned(lying, &context, true);
    udp_of(&lying)->len = htons(60000);
    is_not_cloned(lying, &context, true);
}

static void a_write_is_not_cloned(void **state) {
    (void)state;
    struct __sk_buff context = {.ifindex = client_port};
    struct packet packet = query(8);
    packet.bytes[HEAD + 2] = 0x28; // UPDATE
    udp_of(&packet)->check = 0;
    uint64_t before = counted().by_reason[REASON_WRITE];
    is_not_cloned(packet, &context, true);
    assert_int_equal(counted().by_reason[REASON_WRITE], before + 1);
}

static void the_last_hop_is_the_kernels_to_refuse(void **state) {
    (void)state;
    struct packet packet = query(9), clone;
    ip_of(&packet)->ttl = 1;
    ip_of(&packet)->check = 0;
    ip_of(&packet)->check = htons((uint16_t)~ip_sum(&packet));
    struct packet before = packet;
    assert_int_equal(run(&packet, client_port), OK);
    assert_memory_equal(packet.bytes, before.bytes, before.length);
    assert_false(sent_to(0, &clone) || sent_to(1, &clone));
    // Nobody got it, so nobody owes an answer.
    assert_int_equal(server_state(0).outstanding, 0);
    assert_int_equal(server_state(1).outstanding, 0);
}

static void a_clone_that_has_no_way_is_not_counted_for_its_server(void **state) {
    (void)state;
    enum { WAIT_MS = 5000 };
    uint64_t without = counted().by_reason[REASON_ROUTE], before = 0;
    command("ip route add prohibit 10.2.2.2/32");
    for (int waited = 0; counted().by_reason[REASON_ROUTE] == without && waited < WAIT_MS;
         waited++) {
        struct packet packet = query((uint16_t)(11000 + waited));
        fresh(NULL);
        before = clones_of(0) + clones_of(1);
        run(&packet, client_port);
        poll(NULL, 0, 1);
    }
    command("ip route delete prohibit 10.2.2.2/32");
    assert_int_equal(counted().by_reason[REASON_ROUTE], without + 1);
    assert_int_equal(clones_of(0) + clones_of(1), before);
}

static void what_is_not_ours_is_not_touched(void **state) {
    (void)state;
    struct packet packets[] = {
        udp(endpoint("10.1.0.2", 5353), endpoint("10.99.0.1", 54), "other port", 10),
        udp(endpoint("10.1.0.2", 5353), endpoint("10.99.0.2", 53), "other address", 13),
        udp(endpoint("10.3.0.2", 5353), endpoint("10.99.0.1", 53), "no client", 9),
        udp(endpoint("10.2.1.2", 54), endpoint("10.1.0.2", 5353), "no server's port", 16),
        udp(endpoint("10.2.1.2", 53), endpoint("10.3.0.2", 5353), "to no client", 12),
    };
    for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++) {
        struct packet before = packets[i];
        assert_int_equal(run(&packets[i], client_port), OK);
        assert_memory_equal(packets[i].bytes, before.bytes, before.length);
    }
}

static void a_change_of_routes_is_followed_soon(void **state) {
    (void)state;
    enum { WAIT_MS = 5000 };
    set_service(CLONE_NEVER);
    struct packet packet = query(10);
    assert_int_equal(run(&packet, client_port), REDIRECT);
    command("ip route add prohibit 10.2.1.2/32 && ip route add prohibit 10.2.2.2/32");
    uint32_t action = REDIRECT;
    for (int waited = 0; action != OK && waited < WAIT_MS; waited++) {
        packet = query(11);
        action = run(&packet, client_port);
        poll(NULL, 0, 1);
    }
    command("ip route delete prohibit 10.2.1.2/32 && ip route delete prohibit 10.2.2.2/32");
    assert_int_equal(action, OK); // the kernel says so to the client
    packet = query(12);
    assert_int_equal(run(&packet, client_port), REDIRECT);
}

// Those of the neighbour, once the kernel has been asked for them; before, the kernel writes them.
static void a_known_way_has_its_hardware_addresses(void **state) {
    (void)state;
    set_service(CLONE_NEVER);
    int known = 0;
    for (uint16_t id = 0; id < 40; id++) {
        static const uint8_t none[6];
        struct packet packet = query(20 + id);
        assert_int_equal(run(&packet, client_port), REDIRECT);
        int server = ip_of(&packet)->daddr == endpoint("10.2.1.2", 53).address ? 0 : 1;
        const uint8_t hardware[] = {2, 0, 0, 0, 0, (uint8_t)(2 + server)};
        if (memcmp(packet.bytes, none, sizeof none) == 0)
            continue;
        known++;
        assert_memory_equal(packet.bytes, hardware, sizeof hardware);
        assert_int_equal(ip_of(&packet)->ttl, 63);
        checksums_are_right(&packet);
    }
    assert_true(known > 0);
}

// A way that is known already has an MTU nevertheless.
static void what_is_too_long_is_the_kernels_to_refuse(void **state) {
    (void)state;
    set_service(CLONE_NEVER);
    struct packet packet = query(13);
    assert_int_equal(run(&packet, client_port), REDIRECT);
    uint8_t text[1473] = "\0\0\1"; // 1501 bytes with its headers
    packet = udp(endpoint("10.1.0.2", 5353), endpoint("10.99.0.1", 53), text, sizeof text);
    assert_int_equal(run(&packet, client_port), OK);
    packet = udp(endpoint("10.1.0.2", 5353), endpoint("10.99.0.1", 53), text, sizeof text - 1);
    assert_int_equal(run(&packet, client_port), REDIRECT);
}

// --- answers ---

static void the_first_answer_passes_and_the_second_is_dropped(void **state) {
    (void)state;
    for (uint16_t id = 100; id < 140; id++) {
        struct packet packet = query(id);
        int first = id % 2;
        assert_int_equal(run(&packet, client_port), REDIRECT);
        for (int datagram = 0; datagram < 3; datagram++) { // a long answer has many
            packet = answer(first, id);
            assert_int_equal(run(&packet, server_ports[first]), REDIRECT);
            assert_int_equal(ip_of(&packet)->saddr, endpoint("10.99.0.1", 53).address);
            assert_int_equal(ip_of(&packet)->ttl, 63);
            checksums_are_right(&packet);
            packet = answer(1 - first, id);
            assert_int_equal(run(&packet, server_ports[1 - first]), SHOT);
        }
        assert_int_equal(server_state(0).outstanding, 0);
        assert_int_equal(server_state(1).outstanding, 0);
    }
}

static void an_answer_counts_from_its_servers_port_only(void **state) {
    (void)state;
    struct packet packet = query(200);
    assert_int_equal(run(&packet, client_port), REDIRECT);
    struct packet forged = answer(0, 200), before = forged;
    assert_int_equal(run(&forged, server_ports[1]), OK);
    assert_memory_equal(forged.bytes, before.bytes, before.length);
    assert_int_equal(server_state(0).outstanding, 1);
    // So the true one still wins.
    packet = answer(1, 200);
    assert_int_equal(run(&packet, server_ports[1]), REDIRECT);
}

static void an_answer_without_a_request_passes(void **state) {
    (void)state;
    struct packet packet = query(300);
    assert_int_equal(run(&packet, client_port), REDIRECT);
    uint64_t before = counted().strangers;
    packet = answer(0, 301);
    assert_int_equal(run(&packet, server_ports[0]), REDIRECT);
    assert_int_equal(ip_of(&packet)->saddr, endpoint("10.99.0.1", 53).address);
    assert_int_equal(counted().strangers, before + 1);
}

static void passes_untouched(struct packet packet, uint32_t port, struct __sk_buff *context) {
    struct packet before = packet;
    context->ifindex = port;
    assert_int_equal(run_with(program->progs.switch_ingress, &packet, context), OK);
    assert_int_equal(packet.length, before.length);
    assert_memory_equal(packet.bytes, before.bytes, before.length);
}

static void what_is_no_answer_or_not_for_a_client_of_the_service_passes_untouched(void **state) {
    (void)state;
    struct __sk_buff context = {0};
    struct packet packet = query(320);
    assert_int_equal(run(&packet, client_port), REDIRECT);
    // To the switch itself, which has asked the server at its own address.
    packet = answer(0, 321);
    struct endpoint server = {.address = ip_of(&packet)->saddr, .port = htons(53)};
    passes_untouched(
        udp(server, endpoint("10.1.0.1", 5353), packet.bytes + HEAD, packet.length - HEAD),
        server_ports[0], &context);
    // A server's own query.
    packet = query(322);
    passes_untouched(
        udp(server, endpoint("10.1.0.2", 5353), packet.bytes + HEAD, packet.length - HEAD),
        server_ports[0], &context);
}

static void of_answers_that_were_merged_none_is_dropped(void **state) {
    (void)state;
    struct packet packet = query(340);
    assert_int_equal(run(&packet, client_port), REDIRECT);
    packet = answer(0, 340);
    assert_int_equal(run(&packet, server_ports[0]), REDIRECT);
    struct __sk_buff merged = {.ifindex = server_ports[1], .gso_segs = 2};
    packet = answer(1, 340);
    assert_int_equal(run_with(program->progs.switch_ingress, &packet, &merged), REDIRECT);
}

// The kernel takes the tag off before a program sees the frame: only here, not by
// BPF_PROG_TEST_RUN.
static void a_frame_with_a_vlans_tag_is_none_of_the_parents(void **state) {
    (void)state;
    const uint8_t tag[] = {0x81, 0, 0, 10};
    const size_t addresses = 2 * ETH_ALEN;
    struct bpf_tc_hook hook = {
        .sz = sizeof hook, .ifindex = (int)client_port, .attach_point = BPF_TC_INGRESS};
    DECLARE_LIBBPF_OPTS(bpf_tc_opts, options,
                        .prog_fd = bpf_program__fd(program->progs.switch_ingress));
    assert_int_equal(bpf_tc_hook_create(&hook), 0);
    assert_int_equal(bpf_tc_attach(&hook, &options), 0);
    int wire = wire_of("client-wire");
    uint64_t before = counted().requests;
    struct packet plain = query(390), tagged = {.length = plain.length + sizeof tag};
    memcpy(tagged.bytes, plain.bytes, addresses);
    memcpy(tagged.bytes + addresses, tag, sizeof tag);
    memcpy(tagged.bytes + addresses + sizeof tag, plain.bytes + addresses,
           plain.length - addresses);
    // One after the other: when the second has come, the first has.
    assert_int_equal(send(wire, tagged.bytes, tagged.length, 0), tagged.length);
    assert_int_equal(send(wire, plain.bytes, plain.length, 0), plain.length);
    for (int i = 0; i < 5000 && counted().requests == before; i++)
        poll(NULL, 0, 1);
    assert_int_equal(counted().requests, before + 1);
    close(wire);
    hook.attach_point |= BPF_TC_EGRESS;
    assert_int_equal(bpf_tc_hook_destroy(&hook), 0);
}

static void a_servers_host_is_not_sent_to_itself(void **state) {
    (void)state;
    const struct own_key own = {endpoint("10.2.1.2", 1).address, SERVICE};
    const struct { uint32_t bits, address; } prefix = {24, endpoint("10.2.1.0", 1).address};
    uint32_t first = 1, here = 1;
    put(program->maps.own_servers, &own, &first);
    put(program->maps.clients, &prefix, &here);
    for (uint16_t id = 360; id < 380; id++) {
        struct packet packet = query(id), clone;
        packet = udp(endpoint("10.2.1.2", 5353), endpoint("10.99.0.1", 53), packet.bytes + HEAD,
                     packet.length - HEAD);
        assert_int_equal(run(&packet, server_ports[0]), REDIRECT);
        assert_int_equal(ip_of(&packet)->daddr, endpoint("10.2.2.2", 53).address);
        assert_false(sent_to(0, &clone) || sent_to(1, &clone));
    }
    assert_int_equal(server_state(0).outstanding, 0);
    assert_int_equal(bpf_map_delete_elem(bpf_map__fd(program->maps.clients), &prefix), 0);
}

static void who_asks_again_while_an_answer_is_owed_is_not_cloned(void **state) {
    (void)state;
    uint64_t before = counted().by_reason[REASON_OWED];
    struct packet packet = query(400), clone;
    assert_int_equal(run(&packet, client_port), REDIRECT);
    int first = ip_of(&packet)->daddr == endpoint("10.2.1.2", 53).address ? 0 : 1;
    assert_true(sent_to(1 - first, &clone));
    packet = answer(first, 400);
    assert_int_equal(run(&packet, server_ports[first]), REDIRECT);
    // The other one owes; what it will say may be of either request.
    packet = query(400);
    assert_int_equal(run(&packet, client_port), REDIRECT);
    assert_int_equal(ip_of(&packet)->daddr,
                     endpoint(first == 0 ? "10.2.1.2" : "10.2.2.2", 53).address);
    assert_false(sent_to(0, &clone) || sent_to(1, &clone));
    assert_int_equal(counted().by_reason[REASON_OWED], before + 1);
    // The late answer drops nobody else's.
    packet = answer(1 - first, 400);
    assert_int_equal(run(&packet, server_ports[1 - first]), REDIRECT);
    packet = answer(first, 400);
    assert_int_equal(run(&packet, server_ports[first]), REDIRECT);
}

// How many of a hundred queries go to the first server while both are suspect, which were heard of
// so long ago.
static int asked_first_of_suspects(uint16_t id, uint64_t first_ms, uint64_t second_ms) {
    const struct service_state nobody = {.suspects = 3};
    const uint64_t heard_ms[] = {first_ms, second_ms};
    struct timespec now;
    uint32_t number = SERVICE;
    int first = 0;
    put(program->maps.service_states, &number, &nobody);
    clock_gettime(CLOCK_BOOTTIME, &now);
    for (uint32_t i = 0; i < 2; i++) {
        struct server_state state = server_state((int)i);
        state.waiting_since =
            (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec - heard_ms[i] * MILLISECOND;
        state.suspect_since = state.waiting_since + 50 * MILLISECOND;
        number = FIRST + i;
        put(program->maps.server_states, &number, &state);
    }
    for (uint16_t i = 0; i < 100; i++) {
        struct packet packet = query(id + i), clone;
        assert_int_equal(run(&packet, client_port), REDIRECT);
        assert_false(sent_to(0, &clone) || sent_to(1, &clone));
        first += ip_of(&packet)->daddr == endpoint("10.2.1.2", 53).address;
    }
    return first;
}

static void while_nobody_is_trusted_what_only_pauses_is_asked(void **state) {
    (void)state;
    // Far less than a second, for the hundred queries take time.
    assert_int_equal(asked_first_of_suspects(10000, 60, 200), 100);
    assert_int_equal(asked_first_of_suspects(10100, 200, 60), 0);
    // Long ago: chance.
    assert_in_range(asked_first_of_suspects(10200, 20 * 1000, 10 * 1000), 20, 80);
}

static uint64_t boot_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

// A server that has owed so many answers since so long ago. It is waited for for a second.
static void owes(int server, int32_t outstanding, uint64_t since_ms, bool is_suspect) {
    uint32_t number = FIRST + (uint32_t)server;
    uint64_t now = boot_time();
    struct server_state state = {.outstanding = outstanding,
                                 .interface = server_ports[server],
                                 .waiting_since = now - since_ms * MILLISECOND,
                                 .average_ns = SECOND,
                                 .last_probe = now,
                                 .suspect_since = is_suspect ? now : 0};
    struct service_state service = {.suspects = is_suspect ? 1u << server : 0};
    put(program->maps.server_states, &number, &state);
    if (is_suspect) {
        number = SERVICE;
        put(program->maps.service_states, &number, &service);
    }
}

// Whether the next query, which goes to the first server, goes to the second one as well.
static bool second_is_asked(uint16_t id) {
    struct packet packet = query(id), clone;
    assert_int_equal(run(&packet, client_port), REDIRECT);
    assert_int_equal(ip_of(&packet)->daddr, endpoint("10.2.1.2", 53).address);
    bool sent = sent_to(1, &clone);
    assert_false(sent_to(0, &clone));
    // Nobody owes an answer afterwards, which the tests to come would have taken back.
    for (int server = 0; server < 1 + sent; server++) {
        packet = answer(server, id);
        assert_int_equal(run(&packet, server_ports[server]), server == 0 ? REDIRECT : SHOT);
    }
    return sent;
}

enum { QUIET_MS = 100, SILENT_MS = 500, LONG_AGO_MS = 20 * 1000 };

static void a_silent_server_is_asked_with_another_one_though_both_are_busy(void **state) {
    (void)state;
    set_service(CLONE_IDLE);
    for (uint16_t id = 10400; id < 10420; id++) {
        owes(1, 5, 0, false); // so the first one has the shorter queue
        owes(0, 1, QUIET_MS, false);
        assert_false(second_is_asked(id));
        owes(0, 1, SILENT_MS, false);
        assert_true(second_is_asked(id + 100));
    }
}

static void
a_silent_server_that_alone_is_trusted_is_asked_with_a_suspect_that_may_pause(void **state) {
    (void)state;
    set_service(CLONE_IDLE);
    for (uint16_t id = 10600; id < 10620; id++) {
        owes(0, 1, SILENT_MS, false);
        owes(1, 1, SILENT_MS, true);
        assert_true(second_is_asked(id));
        owes(1, 1, LONG_AGO_MS, true);
        assert_false(second_is_asked(id + 100));
        owes(0, 1, QUIET_MS, false);
        owes(1, 1, SILENT_MS, true);
        assert_false(second_is_asked(id + 200));
    }
}

// --- C3 ---

static void knows(int server, uint32_t response_us, uint32_t service_us, int32_t outstanding) {
    uint32_t number = FIRST + (uint32_t)server;
    struct server_state state = {.outstanding = outstanding,
                                 .interface = server_ports[server],
                                 .waiting_since = boot_time(),
                                 .average_ns = SECOND,
                                 .response_us = response_us,
                                 .service_us = service_us};
    put(program->maps.server_states, &number, &state);
}

static int asked_by_c3(uint16_t id) {
    struct packet packet = query(id);
    set_policy(POLICY_C3, CLONE_NEVER);
    assert_int_equal(run(&packet, client_port), REDIRECT);
    int server = ip_of(&packet)->daddr == endpoint("10.2.1.2", 53).address ? 0 : 1;
    packet = answer(server, id); // or the tests to come would take it back
    assert_int_equal(run(&packet, server_ports[server]), REDIRECT);
    return server;
}

static void a_server_never_heard_of_gets_one_request_and_no_second(void **state) {
    (void)state;
    knows(0, 100, 100, 5);
    knows(1, 0, 0, 0);
    assert_int_equal(asked_by_c3(16100), 1);
    knows(0, 100, 100, 5);
    knows(1, 0, 0, 1);
    assert_int_equal(asked_by_c3(16101), 0);
    knows(0, 0, 0, 2);
    knows(1, 0, 0, 1);
    assert_int_equal(asked_by_c3(16102), 1);
}

static void of_a_server_never_seen_alone_answers_tell_how_long_it_works(void **state) {
    (void)state;
    knows(0, 100, 0, 5);
    knows(1, 1000, 1000, 0);
    assert_int_equal(asked_by_c3(16110), 1);
    knows(0, 100, 0, 0);
    knows(1, 1000, 1000, 0);
    assert_int_equal(asked_by_c3(16111), 0);
}

// --- trace ---

static void set_tracing(uint64_t until) {
    const struct tracing tracing = {.until = until};
    const uint32_t zero = 0;
    put(program->maps.tracing, &zero, &tracing);
}

static int keep_asked(void *context, void *data, size_t size) {
    assert_int_equal(size, sizeof(struct event));
    if (((struct event *)data)->kind == EVENT_ASKED)
        memcpy(context, data, size);
    return 0;
}

static void trace_names_the_suspect_that_got_the_clone(void **state) {
    (void)state;
    struct event event;
    struct ring_buffer *events =
        ring_buffer__new(bpf_map__fd(program->maps.events), keep_asked, &event, NULL);
    assert_non_null(events);
    set_service(CLONE_IDLE);
    set_tracing(UINT64_MAX);
    for (uint16_t id = 16200; id < 16202; id++) {
        uint32_t suspect = FIRST + 1;
        event = (struct event){0};
        owes(1, 3, SILENT_MS, true);
        if (id == 16200) {
            owes(0, 1, SILENT_MS, false); // it goes with a silent one's request
        } else {
            struct server_state due = server_state(1); // it is a probe of its own
            due.last_probe = 0;
            owes(0, 0, 0, false);
            put(program->maps.server_states, &suspect, &due);
        }
        assert_true(second_is_asked(id));
        assert_true(ring_buffer__consume(events) > 0);
        assert_int_equal(event.reason, REASON_PROBE);
        assert_int_equal(event.first, FIRST);
        assert_int_equal(event.second, suspect);
        assert_int_equal(event.second_queue, 3);
    }
    set_tracing(0);
    ring_buffer__free(events);
}

// How many of so many queries went to the second server, which answers them at the end only.
static int asked_of_second(uint16_t first_id, int queries) {
    uint16_t asked[64];
    int count = 0;
    assert_in_range(queries, 0, 64);
    for (uint16_t id = first_id; id < first_id + queries; id++) {
        struct packet packet = query(id);
        assert_int_equal(run(&packet, client_port), REDIRECT);
        if (ip_of(&packet)->daddr == endpoint("10.2.2.2", 53).address) {
            asked[count++] = id;
            continue;
        }
        packet = answer(0, id);
        assert_int_equal(run(&packet, server_ports[0]), REDIRECT);
    }
    for (int i = 0; i < count; i++) {
        struct packet packet = answer(1, asked[i]);
        assert_int_equal(run(&packet, server_ports[1]), REDIRECT);
    }
    return count;
}

static void suspect_since(uint64_t ago_ms) {
    owes(1, 0, 0, true);
    struct server_state second = server_state(1);
    uint32_t number = FIRST + 1;
    second.suspect_since -= ago_ms * MILLISECOND;
    second.last_probe = 0;
    put(program->maps.server_states, &number, &second);
}

static void where_nothing_is_cloned_a_suspect_gets_a_request_now_and_then(void **state) {
    (void)state;
    struct service_state service;
    uint32_t number = SERVICE;
    set_service(CLONE_NEVER);
    suspect_since(4 * 1000);
    assert_int_equal(asked_of_second(10950, 20), 0);
    suspect_since(6 * 1000);
    assert_int_equal(asked_of_second(10970, 20), 1);
    assert_int_equal(
        bpf_map_lookup_elem(bpf_map__fd(program->maps.service_states), &number, &service), 0);
    assert_int_equal(service.suspects, 0);
}

static void a_write_goes_to_a_silent_server_alone(void **state) {
    (void)state;
    set_service(CLONE_IDLE);
    owes(1, 5, 0, false);
    owes(0, 1, SILENT_MS, false);
    struct packet update = query(10900), clone;
    update.bytes[HEAD + 2] = 0x28; // UPDATE
    udp_of(&update)->check = 0;
    assert_int_equal(run(&update, client_port), REDIRECT);
    assert_int_equal(ip_of(&update)->daddr, endpoint("10.2.1.2", 53).address);
    assert_false(sent_to(0, &clone) || sent_to(1, &clone));
    update = answer(0, 10900);
    assert_int_equal(run(&update, server_ports[0]), REDIRECT);
}

// --- agents ---

static void set_state(enum state_rule state) {
    struct service_rules rules;
    struct endpoint at = endpoint("10.99.0.1", 53);
    assert_int_equal(bpf_map_lookup_elem(bpf_map__fd(program->maps.services), &at, &rules), 0);
    rules.state = (uint8_t)state;
    put(program->maps.services, &at, &rules);
    for (uint32_t number = FIRST; number < FIRST + 2; number++) {
        struct server_rules server;
        assert_int_equal(
            bpf_map_lookup_elem(bpf_map__fd(program->maps.server_rules), &number, &server), 0);
        server.state = (uint8_t)state;
        put(program->maps.server_rules, &number, &server);
    }
}

// With another byte, so that its length is odd.
static struct packet longer(const struct packet *packet) {
    struct packet copy = *packet;
    uint8_t *payload = copy.bytes + HEAD;
    payload[copy.length - HEAD] = 0;
    return udp((struct endpoint){ip_of(&copy)->saddr, udp_of(&copy)->source, 0},
               (struct endpoint){ip_of(&copy)->daddr, udp_of(&copy)->dest, 0}, payload,
               copy.length - HEAD + 1);
}

static void set_told_before(uint64_t ago) {
    for (int server = 0; server < 2; server++) {
        uint32_t number = FIRST + (uint32_t)server;
        struct server_state was = server_state(server);
        was.told_at = boot_time() - ago;
        put(program->maps.server_states, &number, &was);
    }
}

static void a_clone_says_so_to_the_agent_and_the_original_does_not(void **state) {
    (void)state;
    set_state(STATE_AGENT);
    set_told_before(SECOND);
    for (uint16_t id = 500; id < 520; id++) {
        struct packet packet = query(id), clone;
        if (id % 2 == 0)
            packet = longer(&packet);
        size_t length = packet.length;
        assert_int_equal(run(&packet, client_port), REDIRECT);
        int first = ip_of(&packet)->daddr == endpoint("10.2.1.2", 53).address ? 0 : 1;
        assert_int_equal(packet.length, length);
        assert_int_equal(trailer_of(&packet).what, TRAILER_NONE);
        checksums_are_right(&packet);
        assert_true(sent_to(1 - first, &clone));
        assert_int_equal(trailer_of(&clone).what, TRAILER_CLONE);
        checksums_are_right(&clone);
    }
    set_state(STATE_COUNTED);
}

static void what_an_agent_tells_is_noted_and_taken_off(void **state) {
    (void)state;
    set_state(STATE_AGENT);
    for (uint16_t id = 600; id < 620; id++) {
        struct packet packet = query(id);
        assert_int_equal(run(&packet, client_port), REDIRECT);
        packet = answer(id % 2, id);
        if (id % 4 < 2)
            packet = longer(&packet);
        size_t length = packet.length;
        add_trailer(&packet, (struct trailer){TRAILER_QUEUE, id});
        assert_int_equal(run(&packet, server_ports[id % 2]), REDIRECT);
        assert_int_equal(packet.length, length);
        assert_int_equal(trailer_of(&packet).what, TRAILER_NONE);
        checksums_are_right(&packet);
        assert_int_equal(server_state(id % 2).told, id);
    }
    // The slower answer's is noted as well.
    struct packet packet = answer(0, 619);
    add_trailer(&packet, (struct trailer){TRAILER_QUEUE, 7});
    assert_int_equal(run(&packet, server_ports[0]), SHOT);
    assert_int_equal(server_state(0).told, 7);
    set_state(STATE_COUNTED);
}

static void a_trailer_that_is_none_passes_and_tells_nothing(void **state) {
    (void)state;
    set_state(STATE_AGENT);
    for (uint16_t id = 700; id < 700 + TRAILER_BYTES; id++) {
        struct packet packet = query(id);
        assert_int_equal(run(&packet, client_port), REDIRECT);
        packet = answer(0, id);
        add_trailer(&packet, (struct trailer){TRAILER_QUEUE, 9});
        packet.bytes[packet.length - 1 - (id - 700u)] ^= 0x10; // in each byte of it once
        struct packet before = packet;
        assert_int_equal(run(&packet, server_ports[0]), REDIRECT);
        assert_int_equal(packet.length, before.length);
        assert_memory_equal(packet.bytes + HEAD, before.bytes + HEAD, before.length - HEAD);
        assert_true(server_state(0).told_at == 0);
    }
    // From behind another port nobody tells of the server.
    struct packet packet = answer(0, 700);
    add_trailer(&packet, (struct trailer){TRAILER_QUEUE, 9});
    assert_int_equal(run(&packet, server_ports[1]), OK);
    assert_true(server_state(0).told_at == 0);
    set_state(STATE_COUNTED);
}

static void an_agent_that_lies_loses_nothing_and_lets_nothing_through_twice(void **state) {
    (void)state;
    static const uint16_t lies[] = {0, UINT16_MAX, 1};
    enum { ROUNDS = 600, ID = 2000 };
    int passed = 0, cloned = 0, original[2] = {0, 0};
    set_service(CLONE_IDLE);
    set_state(STATE_AGENT);
    for (int i = 0; i < ROUNDS; i++) {
        struct packet packet = query((uint16_t)(ID + i)), clone;
        assert_int_equal(run(&packet, client_port), REDIRECT);
        int first = ip_of(&packet)->daddr == endpoint("10.2.1.2", 53).address ? 0 : 1;
        bool both = sent_to(1 - first, &clone);
        original[first]++;
        cloned += both;
        int through = 0;
        for (int server = 0; server < 2; server++) {
            if (server != first && !both)
                continue;
            packet = answer(server, (uint16_t)(ID + i));
            // The first lies, and the second has no agent.
            if (server == 0)
                add_trailer(&packet, (struct trailer){TRAILER_QUEUE, lies[i * 3 / ROUNDS]});
            through += run(&packet, server_ports[server]) == REDIRECT;
        }
        passed += through;
    }
    assert_int_equal(passed, ROUNDS);
    assert_true(cloned > 0 && cloned < ROUNDS);
    assert_true(original[0] > 0 && original[1] > ROUNDS / 4);
    assert_int_equal(server_state(0).outstanding, 0);
    assert_int_equal(server_state(1).outstanding, 0);
    set_state(STATE_COUNTED);
}

static void a_clone_that_an_agent_may_drop_is_not_owed(void **state) {
    (void)state;
    set_state(STATE_AGENT);
    struct packet packet;
    for (int server = 0; server < 2; server++) {
        packet = query(800);
        assert_int_equal(run(&packet, client_port), REDIRECT);
        packet = answer(server, 800);
        add_trailer(&packet, (struct trailer){TRAILER_QUEUE, 0});
        run(&packet, server_ports[server]);
    }
    int owed = server_state(0).outstanding + server_state(1).outstanding;
    for (uint16_t id = 801; id < 821; id++) {
        packet = query(id);
        assert_int_equal(run(&packet, client_port), REDIRECT);
        int first = ip_of(&packet)->daddr == endpoint("10.2.1.2", 53).address ? 0 : 1;
        packet = answer(first, id); // the other's clone was dropped
        assert_int_equal(run(&packet, server_ports[first]), REDIRECT);
        assert_int_equal(server_state(0).outstanding + server_state(1).outstanding, owed);
        // But if it wasn't, its answer is the slower one.
        packet = answer(1 - first, id);
        assert_int_equal(run(&packet, server_ports[1 - first]), SHOT);
        assert_int_equal(server_state(0).outstanding + server_state(1).outstanding, owed);
    }
    set_state(STATE_COUNTED);
}

static void a_clone_is_owed_where_the_agent_is_gone(void **state) {
    (void)state;
    set_state(STATE_AGENT);
    set_told_before(11 * SECOND);
    struct packet packet = query(830), clone;
    assert_int_equal(run(&packet, client_port), REDIRECT);
    assert_true(sent_to(0, &clone) != sent_to(1, &clone));
    // So that none drops it that wasn't heard merely because nobody has asked.
    assert_int_equal(trailer_of(&clone).what, TRAILER_NONE);
    assert_int_equal(server_state(0).outstanding, 1);
    assert_int_equal(server_state(1).outstanding, 1);
    for (int server = 0; server < 2; server++) {
        packet = answer(server, 830);
        run(&packet, server_ports[server]);
        assert_int_equal(server_state(server).outstanding, 0);
    }
    set_state(STATE_COUNTED);
}

// --- NetClone's own header ---

static void set_dialect(enum dialect dialect) {
    struct service_rules rules;
    struct service_state ids = {.ids = 100000}; // none of those that queries have had
    uint32_t service = SERVICE;
    put(program->maps.service_states, &service, &ids);
    struct endpoint at = endpoint("10.99.0.1", 53);
    assert_int_equal(bpf_map_lookup_elem(bpf_map__fd(program->maps.services), &at, &rules), 0);
    rules.dialect = (uint8_t)dialect;
    rules.policy = POLICY_RANDOM; // the group's first server is the original's
    put(program->maps.services, &at, &rules);
    for (uint32_t number = FIRST; number < FIRST + 2; number++) {
        struct server_rules server;
        assert_int_equal(
            bpf_map_lookup_elem(bpf_map__fd(program->maps.server_rules), &number, &server), 0);
        server.dialect = (uint8_t)dialect;
        put(program->maps.server_rules, &number, &server);
    }
}

static uint32_t word_of(const struct packet *packet, size_t at) {
    uint32_t word;
    memcpy(&word, packet->bytes + HEAD + at, sizeof word);
    return ntohl(word);
}

static struct packet with_header(bool is_answer, int server, uint32_t op, uint32_t seq,
                                 uint32_t group, uint32_t load) {
    const uint32_t head[] = {htonl(op), htonl(seq), htonl(group), 0, htonl(load),
                             0,         0,          htonl(4711)};
    struct endpoint client = endpoint("10.1.0.2", 5353),
                    at = endpoint(server == 0 ? "10.2.1.2" : "10.2.2.2", 53);
    return is_answer ? udp(at, client, head, sizeof head)
                     : udp(client, endpoint("10.99.0.1", 53), head, sizeof head);
}

static void netclones_header_is_filled_in_and_its_answers_are_filtered(void **state) {
    (void)state;
    set_dialect(DIALECT_NETCLONE);
    set_state(STATE_AGENT);
    uint32_t before = 0;
    for (int i = 0; i < 40; i++) {
        uint32_t group = 1 + (uint32_t)i % 2; // 0 and 1, or 1 and 0
        int first = i % 2;
        struct packet packet = with_header(false, 0, NETCLONE_READ, 0, group, 0), clone;
        assert_int_equal(run(&packet, client_port), REDIRECT);
        assert_int_equal(ip_of(&packet)->daddr,
                         endpoint(first == 0 ? "10.2.1.2" : "10.2.2.2", 53).address);
        assert_true(sent_to(1 - first, &clone));
        uint32_t id = word_of(&packet, NETCLONE_SEQ);
        assert_true(id == before + 1 || before == 0);
        before = id;
        assert_int_equal(word_of(&packet, NETCLONE_CLO), 1);
        assert_int_equal(word_of(&clone, NETCLONE_CLO), 2);
        struct packet *both[] = {&packet, &clone};
        for (int j = 0; j < 2; j++) {
            checksums_are_right(both[j]);
            assert_int_equal(word_of(both[j], NETCLONE_SEQ), id);
            assert_int_equal(word_of(both[j], NETCLONE_SID), 1 - first);
            assert_int_equal(word_of(both[j], NETCLONE_GRP), group);
            assert_int_equal(word_of(both[j], NETCLONE_BYTES), 4711);
            assert_int_equal(trailer_of(both[j]).what, TRAILER_NONE);
        }
        packet = with_header(true, 1 - first, NETCLONE_READ_ANSWER, id, group, 3);
        assert_int_equal(run(&packet, server_ports[1 - first]), REDIRECT);
        assert_int_equal(server_state(1 - first).told, 3);
        checksums_are_right(&packet);
        packet = with_header(true, first, NETCLONE_READ_ANSWER, id, group, 0);
        assert_int_equal(run(&packet, server_ports[first]), SHOT);
        assert_int_equal(server_state(first).told, 0);
    }
    set_state(STATE_COUNTED);
    set_dialect(DIALECT_DNS);
}

static void netclones_writes_and_what_is_too_short_are_not_cloned(void **state) {
    (void)state;
    struct __sk_buff context = {.ifindex = client_port};
    set_dialect(DIALECT_NETCLONE);
    struct packet packet = with_header(false, 0, NETCLONE_WRITE, 0, 1, 0), clone;
    assert_int_equal(run(&packet, client_port), REDIRECT);
    assert_false(sent_to(0, &clone) || sent_to(1, &clone));
    assert_int_not_equal(word_of(&packet, NETCLONE_SEQ), 0);
    assert_int_equal(word_of(&packet, NETCLONE_CLO), 0);
    checksums_are_right(&packet);
    // A group that there isn't is the switch's to choose.
    packet = with_header(false, 0, NETCLONE_READ, 0, 77, 0);
    assert_int_equal(run(&packet, client_port), REDIRECT);
    int first = ip_of(&packet)->daddr == endpoint("10.2.1.2", 53).address ? 0 : 1;
    assert_true(sent_to(1 - first, &clone));
    uint8_t text[NETCLONE_BYTES - 1] = {0};
    packet = udp(endpoint("10.1.0.2", 5353), endpoint("10.99.0.1", 53), text, sizeof text);
    fresh(NULL);
    set_dialect(DIALECT_NETCLONE);
    assert_int_equal(run_with(program->progs.switch_ingress, &packet, &context), REDIRECT);
    assert_false(sent_to(0, &clone) || sent_to(1, &clone));
    assert_memory_equal(packet.bytes + HEAD, text, sizeof text);
    set_dialect(DIALECT_DNS);
}

// --- races ---

enum { RACES = 3000, BATCH = 100, RACE_FIRST = 1000 };
static pthread_barrier_t start, end;
static uint8_t passed[2][RACES];

static void *answer_all(void *argument) {
    int server = (int)(intptr_t)argument;
    for (int i = 0; i < RACES; i++) {
        struct packet packet = answer(server, (uint16_t)(RACE_FIRST + i));
        if (i % BATCH == 0)
            pthread_barrier_wait(&start);
        passed[server][i] = run(&packet, server_ports[server]) == REDIRECT;
        if (i % BATCH == BATCH - 1)
            pthread_barrier_wait(&end);
    }
    return NULL;
}

static void of_answers_that_race_one_passes(void **state) {
    (void)state;
    pthread_t threads[2];
    uint64_t cloned = counted().by_reason[REASON_CLONED];
    pthread_barrier_init(&start, NULL, 3);
    pthread_barrier_init(&end, NULL, 3);
    for (intptr_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, answer_all, (void *)i), 0);
    for (int i = 0; i < RACES; i++) {
        struct packet packet = query((uint16_t)(RACE_FIRST + i));
        assert_int_equal(run(&packet, client_port), REDIRECT);
        if (i % BATCH == BATCH - 1) {
            pthread_barrier_wait(&start);
            pthread_barrier_wait(&end);
        }
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    pthread_barrier_destroy(&end);
    cloned = counted().by_reason[REASON_CLONED] - cloned;
    uint64_t lost = 0, twice = 0;
    for (int i = 0; i < RACES; i++) {
        lost += !passed[0][i] && !passed[1][i];
        twice += passed[0][i] && passed[1][i];
    }
    assert_int_equal(lost, 0);
    assert_true(cloned > RACES / 2);
    // What wasn't cloned (on a machine so slow that servers are suspect), and requests that shared
    // a slot.
    assert_in_range(twice, 0, RACES - cloned + 10);
    // Each overwritten word was taken back, so nobody owes anything (I3).
    assert_true(server_state(0).outstanding + server_state(1).outstanding <=
                (int)(RACES - cloned) + 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_read_is_cloned_and_both_copies_are_right, fresh),
        cmocka_unit_test_setup(a_checksum_of_zero_stays_none, fresh),
        cmocka_unit_test_setup(what_is_no_whole_datagram_is_not_cloned, fresh),
        cmocka_unit_test_setup(a_write_is_not_cloned, fresh),
        cmocka_unit_test_setup(the_last_hop_is_the_kernels_to_refuse, fresh),
        cmocka_unit_test_setup(a_clone_that_has_no_way_is_not_counted_for_its_server, fresh),
        cmocka_unit_test_setup(a_change_of_routes_is_followed_soon, fresh),
        cmocka_unit_test_setup(a_known_way_has_its_hardware_addresses, fresh),
        cmocka_unit_test_setup(what_is_too_long_is_the_kernels_to_refuse, fresh),
        cmocka_unit_test_setup(what_is_not_ours_is_not_touched, fresh),
        cmocka_unit_test_setup(the_first_answer_passes_and_the_second_is_dropped, fresh),
        cmocka_unit_test_setup(an_answer_counts_from_its_servers_port_only, fresh),
        cmocka_unit_test_setup(an_answer_without_a_request_passes, fresh),
        cmocka_unit_test_setup(
            what_is_no_answer_or_not_for_a_client_of_the_service_passes_untouched, fresh),
        cmocka_unit_test_setup(of_answers_that_were_merged_none_is_dropped, fresh),
        cmocka_unit_test_setup(a_servers_host_is_not_sent_to_itself, fresh),
        cmocka_unit_test_setup(a_frame_with_a_vlans_tag_is_none_of_the_parents, fresh),
        cmocka_unit_test_setup(who_asks_again_while_an_answer_is_owed_is_not_cloned, fresh),
        cmocka_unit_test_setup(while_nobody_is_trusted_what_only_pauses_is_asked, fresh),
        cmocka_unit_test_setup(a_silent_server_is_asked_with_another_one_though_both_are_busy,
                               fresh),
        cmocka_unit_test_setup(
            a_silent_server_that_alone_is_trusted_is_asked_with_a_suspect_that_may_pause, fresh),
        cmocka_unit_test_setup(where_nothing_is_cloned_a_suspect_gets_a_request_now_and_then,
                               fresh),
        cmocka_unit_test_setup(a_write_goes_to_a_silent_server_alone, fresh),
        cmocka_unit_test_setup(a_server_never_heard_of_gets_one_request_and_no_second, fresh),
        cmocka_unit_test_setup(of_a_server_never_seen_alone_answers_tell_how_long_it_works, fresh),
        cmocka_unit_test_setup(trace_names_the_suspect_that_got_the_clone, fresh),
        cmocka_unit_test_setup(a_clone_says_so_to_the_agent_and_the_original_does_not, fresh),
        cmocka_unit_test_setup(what_an_agent_tells_is_noted_and_taken_off, fresh),
        cmocka_unit_test_setup(a_trailer_that_is_none_passes_and_tells_nothing, fresh),
        cmocka_unit_test_setup(an_agent_that_lies_loses_nothing_and_lets_nothing_through_twice,
                               fresh),
        cmocka_unit_test_setup(a_clone_that_an_agent_may_drop_is_not_owed, fresh),
        cmocka_unit_test_setup(a_clone_is_owed_where_the_agent_is_gone, fresh),
        cmocka_unit_test_setup(netclones_header_is_filled_in_and_its_answers_are_filtered, fresh),
        cmocka_unit_test_setup(netclones_writes_and_what_is_too_short_are_not_cloned, fresh),
        cmocka_unit_test_setup(of_answers_that_race_one_passes, fresh),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
