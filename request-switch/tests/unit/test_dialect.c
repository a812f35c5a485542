// SPDX-License-Identifier: Apache-2.0
// What is a read, and what isn't proved to be one.
#include "dialect.h"
#include "test.h"

static uint8_t bytes[DIALECT_BYTES] __attribute__((aligned(PAYLOAD_ALIGNMENT)));

static struct payload payload_of(const void *text, size_t length) {
    memset(bytes, 0xa5, sizeof bytes); // what lies behind must not matter
    memcpy(bytes, text, length < sizeof bytes ? length : sizeof bytes);
    return (struct payload){bytes, (uint32_t)(length < sizeof bytes ? length : sizeof bytes),
                            (uint32_t)length};
}

static struct reading request_of(enum dialect dialect, const void *text, size_t length) {
    struct payload payload = payload_of(text, length);
    return dialect_request(dialect, false, &payload);
}

#define REQUEST(dialect, text) request_of(dialect, text, sizeof(text) - 1)

// --- DNS ---

#define QUERY "\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00"
#define QUESTION                                                                                   \
    "\x04node\x07"                                                                                 \
    "example\x00\x00\x01\x00\x01"

static void a_dns_query_is_a_read(void **state) {
    (void)state;
    struct reading reading = REQUEST(DIALECT_DNS, QUERY QUESTION);
    assert_true(reading.has_id && reading.is_read);
    assert_int_equal(reading.id, 0x1234);
    // With EDNS, and of the root.
    assert_true(REQUEST(DIALECT_DNS, "\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x01" QUESTION
                                     "\x00\x00\x29\x04\xd0\x00\x00\x00\x00\x00\x00")
                    .is_read);
    assert_true(REQUEST(DIALECT_DNS, QUERY "\x00\x00\x02\x00\x01").is_read);
}

static void other_dns_messages_are_no_reads(void **state) {
    (void)state;
    // UPDATE and NOTIFY have ids, and aren't reads.
    struct reading update =
        REQUEST(DIALECT_DNS, "\x12\x34\x28\x00\x00\x01\x00\x00\x00\x01\x00\x00" QUESTION);
    assert_true(update.has_id && !update.is_read);
    assert_false(
        REQUEST(DIALECT_DNS, "\x12\x34\x20\x00\x00\x01\x00\x00\x00\x00\x00\x00" QUESTION).is_read);
    // Zone transfers.
    assert_false(REQUEST(DIALECT_DNS, QUERY "\x04zone\x00\x00\xfc\x00\x01").is_read);
    // A key that its server is to make.
    assert_false(REQUEST(DIALECT_DNS, QUERY "\x03key\x00\x00\xf9\x00\xff").is_read);
    assert_false(REQUEST(DIALECT_DNS, QUERY "\x04zone\x00\x00\xfb\x00\x01").is_read);
    // An answer, two questions, a compressed name.
    assert_false(
        REQUEST(DIALECT_DNS, "\x12\x34\x81\x00\x00\x01\x00\x00\x00\x00\x00\x00" QUESTION).has_id);
    assert_false(
        REQUEST(DIALECT_DNS, "\x12\x34\x01\x00\x00\x02\x00\x00\x00\x00\x00\x00" QUESTION).is_read);
    assert_false(REQUEST(DIALECT_DNS, QUERY "\xc0\x0c\x00\x01\x00\x01").is_read);
}

static void a_dns_answer_is_known_by_its_id(void **state) {
    (void)state;
    struct payload payload = payload_of("\x12\x34\x81\x80\0\1\0\0\0\0\0\0", 12);
    struct reading reading = dialect_answer(DIALECT_DNS, &payload);
    assert_true(reading.has_id);
    assert_int_equal(reading.id, 0x1234);
    payload = payload_of(QUERY, 12);
    assert_false(dialect_answer(DIALECT_DNS, &payload).has_id);
    payload = payload_of("\x12\x34\x81", 3);
    assert_false(dialect_answer(DIALECT_DNS, &payload).has_id);
}

// --- Kerberos ---

// AS-REQ of 300 bytes: 6a 82 01 28 30 82 01 24 a1 03 02 01 05 a2 03 02 01 0a ...
static size_t kerberos(uint8_t *request, int tag) {
    memset(request, 0xa5, 300);
    const uint8_t head[] = {0x60, 0x82, 0x01, 0x28, 0x30, 0x82, 0x01, 0x24, 0xa1,
                            0x03, 0x02, 0x01, 0x05, 0xa2, 0x03, 0x02, 0x01, 0x00};
    memcpy(request, head, sizeof head);
    request[0] |= (uint8_t)tag;
    request[17] = (uint8_t)tag;
    return 300;
}

static void requests_for_tickets_are_reads(void **state) {
    (void)state;
    uint8_t request[300];
    const int tags[] = {KERBEROS_AS, KERBEROS_TGS};
    for (int i = 0; i < 2; i++) {
        size_t length = kerberos(request, tags[i]);
        struct reading reading = request_of(DIALECT_KERBEROS, request, length);
        assert_true(reading.has_id && reading.is_read);
        assert_int_equal(reading.id, 0);
    }
    // As long as 127 bytes, and 255: other forms of the length.
    uint8_t shorter[40] = {0x6a, 38, 0x30, 36, 0xa1, 3, 2, 1, 5, 0xa2, 3, 2, 1, 10};
    assert_true(request_of(DIALECT_KERBEROS, shorter, sizeof shorter).is_read);
    uint8_t longer[200] = {0x6c, 0x81, 197, 0x30, 0x81, 194, 0xa1, 3, 2, 1, 5, 0xa2, 3, 2, 1, 12};
    assert_true(request_of(DIALECT_KERBEROS, longer, sizeof longer).is_read);
}

static void other_kerberos_messages_are_no_reads(void **state) {
    (void)state;
    uint8_t request[301];
    const int others[] = {11, 13, 14, 20, 30}; // AS-REP, TGS-REP, AP-REQ, SAFE, ERROR
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(request_of(DIALECT_KERBEROS, request, kerberos(request, others[i])).is_read);
    size_t length = kerberos(request, KERBEROS_AS);
    assert_false(request_of(DIALECT_KERBEROS, request, length + 1).is_read);
    assert_false(request_of(DIALECT_KERBEROS, request, length - 1).is_read);
    // Each byte of the head matters.
    for (size_t i = 0; i < 18; i++) {
        kerberos(request, KERBEROS_AS);
        request[i] ^= 0x40;
        assert_false(request_of(DIALECT_KERBEROS, request, length).is_read);
    }
    kerberos(request, KERBEROS_AS);
    request[17] = KERBEROS_TGS;
    assert_false(request_of(DIALECT_KERBEROS, request, length).is_read);
}

// --- memcached ---

#define FRAME "\x00\x2a\x00\x00\x00\x01\x00\x00"

static void one_get_is_a_read(void **state) {
    (void)state;
    struct reading reading = REQUEST(DIALECT_MEMCACHED, FRAME "get key\r\n");
    assert_true(reading.has_id && reading.is_read);
    assert_int_equal(reading.id, 42);
    assert_true(REQUEST(DIALECT_MEMCACHED, FRAME "gets a b c d\r\n").is_read);
    assert_true(REQUEST(DIALECT_MEMCACHED, FRAME "get k\r\n").is_read);
}

static void other_commands_are_no_reads(void **state) {
    (void)state;
    static const char *const others[] = {
        "set k 0 0 1\r\nx\r\n",
        "gat 0 k\r\n",
        "gats 0 k\r\n",
        "incr k 1\r\n",
        "touch k 0\r\n",
        "delete k\r\n",
        "get k\r\nset k 0 0 1\r\nx\r\n",
        "get k\nset k 0 0 1\n",
        "get k\rset k\r\n",
        "get k\n",
        "get\r\n",
        "getx k\r\n",
        "GET k\r\n",
        "get k",
        "flush_all\r\n",
        "mg k v\r\n",
        "",
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char text[64];
        memcpy(text, FRAME, 8);
        strcpy(text + 8, others[i]);
        assert_false(request_of(DIALECT_MEMCACHED, text, 8 + strlen(others[i])).is_read);
    }
    // A datagram of several, not the first one, and with the reserved field in use.
    assert_false(REQUEST(DIALECT_MEMCACHED, "\x00\x2a\x00\x00\x00\x02\x00\x00get k\r\n").is_read);
    assert_false(REQUEST(DIALECT_MEMCACHED, "\x00\x2a\x00\x01\x00\x01\x00\x00get k\r\n").is_read);
    assert_false(REQUEST(DIALECT_MEMCACHED, "\x00\x2a\x00\x00\x00\x01\x00\x01get k\r\n").is_read);
    // Longer than can be looked at.
    char longer[DIALECT_BYTES + 1];
    memset(longer, 'k', sizeof longer);
    memcpy(longer, FRAME "get ", 12);
    memcpy(longer + sizeof longer - 2, "\r\n", 2);
    assert_false(request_of(DIALECT_MEMCACHED, longer, sizeof longer).is_read);
    memcpy(longer + sizeof longer - 3, "\r\n", 2);
    assert_true(request_of(DIALECT_MEMCACHED, longer, sizeof longer - 1).is_read);
}

// --- all ---

static void netclones_op_tells_what_is_a_read(void **state) {
    (void)state;
    uint8_t head[NETCLONE_BYTES + 2] = {[7] = 9};
    for (uint32_t op = 0; op < 300; op++) {
        head[2] = (uint8_t)(op >> 8);
        head[3] = (uint8_t)op;
        struct payload payload = payload_of(head, sizeof head);
        struct reading reading = dialect_request(DIALECT_NETCLONE, true, &payload);
        assert_int_equal(reading.is_read, op == NETCLONE_READ);
        assert_int_equal(reading.has_id, op == NETCLONE_READ || op == NETCLONE_WRITE);
        reading = dialect_answer(DIALECT_NETCLONE, &payload);
        assert_int_equal(reading.has_id, op == NETCLONE_READ_ANSWER || op == NETCLONE_WRITE_ANSWER);
        assert_int_equal(reading.id, reading.has_id ? 9 : 0);
        assert_false(reading.is_read);
    }
    head[2] = head[3] = 0;
    for (size_t length = 0; length < NETCLONE_BYTES; length++) {
        struct payload payload = payload_of(head, length);
        assert_false(dialect_request(DIALECT_NETCLONE, true, &payload).has_id);
        assert_false(dialect_answer(DIALECT_NETCLONE, &payload).has_id);
    }
}

// As the authors' controller has them for six servers.
static void netclones_groups_are_ordered_pairs(void **state) {
    (void)state;
    static const struct {
        uint32_t group;
        int first, second;
    } known[] = {{1, 0, 1},  {5, 0, 5},  {6, 1, 2},  {10, 2, 3}, {15, 4, 5},
                 {16, 1, 0}, {20, 5, 0}, {21, 2, 1}, {30, 5, 4}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct pair pair = netclone_group(known[i].group, 6);
        assert_int_equal(pair.first, known[i].first);
        assert_int_equal(pair.second, known[i].second);
    }
    for (uint32_t count = 0; count <= 33; count++) {
        bool seen[32][32] = {{false}};
        uint32_t pairs = 0;
        for (uint32_t group = 0; group < 1100; group++) {
            struct pair pair = netclone_group(group, count);
            if (pair.first == PAIR_NONE)
                continue;
            assert_in_range(pair.first, 0, count - 1);
            assert_in_range(pair.second, 0, count - 1);
            assert_true(pair.first != pair.second && !seen[pair.first][pair.second]);
            seen[pair.first][pair.second] = true;
            pairs++;
        }
        assert_int_equal(pairs, count >= 2 && count <= 32 ? count * (count - 1) : 0);
    }
    assert_int_equal(netclone_id(0), 1);
    assert_int_equal(netclone_id(NETCLONE_IDS - 1), NETCLONE_IDS);
    assert_int_equal(netclone_id(NETCLONE_IDS), 1);
}

static void only_the_operators_word_makes_flows_reads(void **state) {
    (void)state;
    struct payload payload = payload_of("anything", 8);
    assert_false(dialect_request(DIALECT_FLOW, false, &payload).is_read);
    struct reading reading = dialect_request(DIALECT_FLOW, true, &payload);
    assert_true(reading.has_id && reading.is_read && reading.id == 0);
    assert_false(dialect_request((enum dialect)99, true, &payload).has_id);
}

// Cut off at each byte nothing is a read, and nothing depends on what lies behind.
static void what_is_cut_off_is_no_read(void **state) {
    (void)state;
    uint8_t request[300];
    size_t length = kerberos(request, KERBEROS_AS);
    for (size_t i = 0; i < length; i++)
        assert_false(request_of(DIALECT_KERBEROS, request, i).is_read);
    for (size_t i = 0; i < sizeof(QUERY QUESTION) - 1; i++)
        assert_false(request_of(DIALECT_DNS, QUERY QUESTION, i).is_read);
    for (size_t i = 0; i < sizeof(FRAME "get key\r\n") - 1; i++)
        assert_false(request_of(DIALECT_MEMCACHED, FRAME "get key\r\n", i).is_read);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dns_query_is_a_read),
        cmocka_unit_test(other_dns_messages_are_no_reads),
        cmocka_unit_test(a_dns_answer_is_known_by_its_id),
        cmocka_unit_test(requests_for_tickets_are_reads),
        cmocka_unit_test(other_kerberos_messages_are_no_reads),
        cmocka_unit_test(one_get_is_a_read),
        cmocka_unit_test(other_commands_are_no_reads),
        cmocka_unit_test(netclones_op_tells_what_is_a_read),
        cmocka_unit_test(netclones_groups_are_ordered_pairs),
        cmocka_unit_test(only_the_operators_word_makes_flows_reads),
        cmocka_unit_test(what_is_cut_off_is_no_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
