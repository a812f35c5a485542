// SPDX-License-Identifier: Apache-2.0
// NetRS' formats, rules and selector, with numbers.
#include "netrs.h"
#include "selector.h"
#include "test.h"

enum { MINE = 17, OTHERS = 18, MARKER = 3 << 16 | 1 };

// --- packets ---

static void fields_lie_where_the_paper_has_them(void **state) {
    (void)state;
    uint8_t head[NETRS_RESPONSE_BYTES] = {0x01, 0x02, 'N',  'e',  't',  'R',  'S',  1,
                                          0x0a, 0x0b, 0x12, 0x34, 0x56, 0x78, 0x00, 0x06};
    assert_int_equal(netrs_word(head, NETRS_RID), 0x0102);
    assert_int_equal(netrs_magic(head), NETRS_M_REQ);
    assert_int_equal(netrs_word(head, NETRS_RV), 0x0a0b);
    assert_int_equal(netrs_marker(head), 0x12345678);
    assert_int_equal(netrs_word(head, NETRS_SSL), 6);
    struct netrs_group group = netrs_group(head, 3);
    assert_int_equal(group.number, 0x123456 >> 3);
    assert_int_equal(group.available, 6); // all but the first
    uint8_t again[sizeof head] = {0};
    netrs_set_word(again, NETRS_RID, 0x0102);
    netrs_set_magic(again, NETRS_M_REQ);
    netrs_set_word(again, NETRS_RV, 0x0a0b);
    netrs_set_marker(again, 0x12345678);
    netrs_set_word(again, NETRS_SSL, 6);
    assert_memory_equal(head, again, sizeof head);
    struct netrs_status status = netrs_status((const uint8_t *)"\x00\x05\x00\x00\x0f\xa0");
    assert_int_equal(status.queue, 5);
    assert_int_equal(status.service_us, 4000);
}

static void a_server_answers_in_kind(void **state) {
    (void)state;
    static const uint64_t magics[] = {NETRS_M_REQ,  NETRS_F(NETRS_M_RESP), NETRS_F(NETRS_M_DRS),
                                      NETRS_M_RESP, NETRS_M_DRS,           NETRS_M_MON};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(netrs_kind(magics[i]), NETRS_REQUEST + i); // all differ
        assert_int_equal(NETRS_F(NETRS_F(magics[i])), magics[i]);
        assert_int_equal(magics[i] >> 48, 0);
    }
    assert_int_equal(netrs_kind(NETRS_F(NETRS_F(NETRS_M_RESP))), NETRS_RESPONSE);
    assert_int_equal(netrs_kind(NETRS_F(NETRS_F(NETRS_M_DRS))), NETRS_DEGRADED_RESPONSE);
    // Of a request that nobody has selected for there is no NetRS response.
    assert_int_equal(netrs_kind(NETRS_F(NETRS_M_REQ)), NETRS_OTHER);
    assert_int_equal(netrs_kind(0), NETRS_OTHER);
}

// --- rules ---

static void only_the_node_selects_and_learns(void **state) {
    (void)state;
    assert_int_equal(netrs_rule(NETRS_REQUEST, MINE, MINE), NETRS_SELECT);
    assert_int_equal(netrs_rule(NETRS_RESPONSE, MINE, MINE), NETRS_LEARN);
    assert_int_equal(netrs_rule(NETRS_REQUEST, OTHERS, MINE), NETRS_TOWARDS);
    assert_int_equal(netrs_rule(NETRS_RESPONSE, OTHERS, MINE), NETRS_TOWARDS);
    static const enum netrs_kind done[] = {NETRS_OTHER, NETRS_SELECTED, NETRS_DEGRADED,
                                           NETRS_DEGRADED_RESPONSE, NETRS_COUNTED};
    for (size_t i = 0; i < sizeof done / sizeof done[0]; i++)
        assert_int_equal(netrs_rule(done[i], MINE, MINE), NETRS_PASS);
}

static void illegal_ids_degrade(void **state) {
    (void)state;
    static const uint16_t illegal[] = {0, NETRS_ILLEGAL};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(netrs_rule(NETRS_REQUEST, illegal[i], MINE), NETRS_DEGRADE);
        assert_int_equal(netrs_rule(NETRS_RESPONSE, illegal[i], MINE), NETRS_RELEASE);
        // Not even where nobody has an id of its own.
        assert_int_equal(netrs_rule(NETRS_REQUEST, illegal[i], illegal[i]), NETRS_DEGRADE);
    }
}

static void hosts_say_neither_node_nor_place(void **state) {
    (void)state;
    uint8_t head[NETRS_RESPONSE_BYTES] = {0};
    netrs_set_word(head, NETRS_RID, 99);
    netrs_set_magic(head, NETRS_M_REQ);
    assert_int_equal(netrs_enter(head, NETRS_REQUEST, MINE, MARKER), NETRS_REQUEST);
    assert_int_equal(netrs_word(head, NETRS_RID), MINE);
    assert_int_equal(netrs_marker(head), 0); // its RGID is left alone

    netrs_set_magic(head, NETRS_M_RESP);
    assert_int_equal(netrs_enter(head, NETRS_RESPONSE, OTHERS, MARKER), NETRS_RESPONSE);
    assert_int_equal(netrs_word(head, NETRS_RID), MINE); // the request's
    assert_int_equal(netrs_marker(head), MARKER);
    assert_int_equal(netrs_magic(head), NETRS_M_RESP);

    netrs_set_magic(head, NETRS_M_DRS);
    netrs_set_marker(head, 0);
    assert_int_equal(netrs_enter(head, NETRS_DEGRADED_RESPONSE, OTHERS, MARKER), NETRS_COUNTED);
    assert_int_equal(netrs_magic(head), NETRS_M_MON);
    assert_int_equal(netrs_marker(head), MARKER);
}

static void markers_tell_the_tier(void **state) {
    (void)state;
    assert_int_equal(netrs_tier(MARKER, MARKER), NETRS_TOR);
    assert_int_equal(netrs_tier(3 << 16 | 0, MARKER), NETRS_AGGREGATION);
    assert_int_equal(netrs_tier(2 << 16 | 1, MARKER), NETRS_CORE);
}

// --- the selector ---

#define MS UINT64_C(1000000)
#define SECOND (1000 * MS)

static void what_was_asked_is_counted_until_it_is_answered(void **state) {
    (void)state;
    struct selector_server server = {0};
    uint64_t now = 5 * SECOND;
    for (int i = 0; i < 10; i++)
        selector_sent(&server, now + (uint64_t)(i * 50) * MS); // over two quarters
    now += 500 * MS;
    assert_int_equal(selector_outstanding(&server, now), 10);
    for (int i = 0; i < 10; i++) {
        selector_answered(&server, now, selector_retain(5 * SECOND + (uint64_t)(i * 50) * MS), 0,
                          0);
        assert_int_equal(selector_outstanding(&server, now), 9 - i);
    }
    assert_int_equal(server.selected, 10);
    assert_int_equal(server.answered, 10);
    selector_answered(&server, now, selector_retain(now), 0, 0); // nobody asked
    assert_int_equal(selector_outstanding(&server, now), 0);
}

static void what_was_lost_is_forgotten_within_a_second(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int run = 0; run < 1000; run++) {
        struct selector_server server = {0};
        uint64_t at = test_random(&seed) % (100 * SECOND);
        selector_sent(&server, at);
        assert_int_equal(selector_outstanding(&server, at + 800 * MS), 1);
        assert_int_equal(selector_outstanding(&server, at + 1074 * MS), 0);
        // Also where others follow, which are counted as long.
        for (int i = 1; i <= 40; i++)
            selector_sent(&server, at + (uint64_t)(i * 100) * MS);
        assert_in_range(selector_outstanding(&server, at + 4000 * MS), 8, 11);
    }
}

static void processors_clocks_may_differ_a_little(void **state) {
    (void)state;
    struct selector_server server = {0};
    uint64_t at = 40 * (UINT64_C(1) << SELECTOR_QUARTER_SHIFT); // a quarter begins
    selector_sent(&server, at + 1);
    assert_int_equal(selector_outstanding(&server, at - 1), 1);
    selector_sent(&server, at - 1);
    assert_int_equal(server.quarter, 40);
    assert_int_equal(selector_outstanding(&server, at + 1), 2);
}

static void times_are_seen_across_the_wrap(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int run = 0; run < 1000; run++) {
        struct selector_server server = {0};
        uint64_t at = test_random(&seed) % (100 * SECOND), took = 4 * MS;
        selector_sent(&server, at);
        selector_answered(&server, at + took, selector_retain(at), 7, 3000);
        assert_in_range(server.response_ns, took - 16384, took + 16384);
        assert_int_equal(server.service_ns, 3 * MS);
        assert_int_equal(server.queue, 7 * C3_QUEUE_ONE);
        // Nine tenths of the new one.
        selector_answered(&server, at + took, selector_retain(at), 17, 13000);
        assert_int_equal(server.service_ns, 12 * MS);
        assert_int_equal(server.queue, 16 * C3_QUEUE_ONE);
    }
}

// The number of the best.
static int best_of(const struct selector_server *servers, int count, uint64_t now, uint32_t nodes) {
    struct selector_choice best = SELECTOR_NONE;
    for (int i = 0; i < count; i++)
        selector_consider(&best, selector_score(&servers[i], now, nodes),
                          selector_outstanding(&servers[i], now), i);
    return best.server;
}

static void each_is_tried_once_before_it_is_known(void **state) {
    (void)state;
    struct selector_server servers[3] = {{0}};
    uint64_t now = SECOND;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(best_of(servers, 3, now, 1), i);
        selector_sent(&servers[i], now);
    }
    selector_answered(&servers[1], now + MS, selector_retain(now), 0, 500);
    for (int i = 0; i < 5; i++) { // rather than those that have said nothing yet
        assert_int_equal(best_of(servers, 3, now, 1), 1);
        selector_sent(&servers[1], now);
    }
    assert_int_equal(best_of(servers, 0, now, 1), -1);
}

static void c3_prefers_the_shorter_queue_and_then_the_faster(void **state) {
    (void)state;
    struct selector_server servers[2] = {{0}};
    uint64_t now = SECOND;
    selector_answered(&servers[0], now + 4 * MS, selector_retain(now), 0, 4000);
    selector_answered(&servers[1], now + 1 * MS, selector_retain(now), 0, 1000);
    now += 10 * MS;
    assert_int_equal(best_of(servers, 2, now, 1), 1);
    selector_sent(&servers[1], now); // 1 - 1 + 2^3 * 1 = 8 ms, against 4
    assert_int_equal(best_of(servers, 2, now, 1), 0);
    selector_answered(&servers[1], now, selector_retain(now), 0, 1000);
    selector_answered(&servers[0], now, selector_retain(now - 4 * MS), 9, 4000);
    assert_int_equal(best_of(servers, 2, now, 1), 1);
    // Where more nodes select each request of ours stands for one of each.
    servers[1].response_ns = servers[0].response_ns = 4 * MS;
    servers[0].queue = 3 * C3_QUEUE_ONE;
    servers[0].service_ns = servers[1].service_ns;
    selector_sent(&servers[1], now);
    assert_int_equal(best_of(servers, 2, now, 2), 1);
    assert_int_equal(best_of(servers, 2, now, 4), 0);
}

static long next_number(char **at) {
    return strtol(*at, at, 10);
}

// A server that has answered and owes what the table says, one request after the other.
static struct selector_server table_server(char **at, uint64_t from, uint64_t now) {
    struct selector_server server = {0};
    long answers = next_number(at), outstanding = next_number(at);
    for (long i = 0; i < answers; i++) {
        uint64_t response = (uint64_t)next_number(at) << SELECTOR_TICK_SHIFT;
        uint32_t service_us = (uint32_t)next_number(at), queue = (uint32_t)next_number(at);
        selector_sent(&server, from);
        selector_answered(&server, from + response, selector_retain(from), queue, service_us);
        from += response;
    }
    for (long i = 0; i < outstanding; i++)
        selector_sent(&server, now);
    return server;
}

// The simulator's ranking is replica-selection's: both modules' tests read the same file.
static void the_table_of_choices_holds_for_both_languages(void **state) {
    (void)state;
    enum { SERVERS = 3, CASES = 10000 };
    const uint64_t from = 5 * SECOND, now = from + 200 * MS;
    FILE *table = fopen(C3_TABLE, "re");
    char text[512];
    int cases = 0;
    if (table == NULL) {
        fail_msg("can't read the table that replica-selection shares, " C3_TABLE);
        return;
    }
    while (fgets(text, sizeof text, table) != NULL) {
        struct selector_server servers[SERVERS];
        char *at = text;
        if (text[0] == '#')
            continue;
        uint32_t nodes = (uint32_t)next_number(&at);
        for (int i = 0; i < SERVERS; i++)
            servers[i] = table_server(&at, from, now);
        long expected = next_number(&at);
        assert_string_equal(at, "\n");
        int best = best_of(servers, SERVERS, now, nodes);
        if (best != expected)
            fail_msg("%sthe selector says %d", text, best);
        cases++;
    }
    fclose(table);
    assert_int_equal(cases, CASES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_lie_where_the_paper_has_them),
        cmocka_unit_test(a_server_answers_in_kind),
        cmocka_unit_test(only_the_node_selects_and_learns),
        cmocka_unit_test(illegal_ids_degrade),
        cmocka_unit_test(hosts_say_neither_node_nor_place),
        cmocka_unit_test(markers_tell_the_tier),
        cmocka_unit_test(what_was_asked_is_counted_until_it_is_answered),
        cmocka_unit_test(what_was_lost_is_forgotten_within_a_second),
        cmocka_unit_test(processors_clocks_may_differ_a_little),
        cmocka_unit_test(times_are_seen_across_the_wrap),
        cmocka_unit_test(each_is_tried_once_before_it_is_known),
        cmocka_unit_test(c3_prefers_the_shorter_queue_and_then_the_faster),
        cmocka_unit_test(the_table_of_choices_holds_for_both_languages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
