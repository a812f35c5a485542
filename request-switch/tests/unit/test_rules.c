// SPDX-License-Identifier: Apache-2.0
// The decisions, with numbers: pairs, clone or not, suspects, budgets, C3 and hashes.
#include <arpa/inet.h>

#include "c3.h"
#include "checksum.h"
#include "checksum_anew.h"
#include "layout.h"
#include "test.h"

#include <math.h>

// --- pairs ---

static void bits_are_found_in_order(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        uint32_t mask = (uint32_t)(test_random(&seed) & test_random(&seed));
        uint32_t n = 0;
        for (int bit = 0; bit < 32; bit++)
            if (mask >> bit & 1)
                assert_int_equal(nth_bit(mask, n++), bit);
        assert_int_equal(count_bits(mask), n);
    }
    for (uint32_t count = 1; count <= 32; count++)
        for (uint32_t n = 0; n < count; n++)
            assert_int_equal(nth_bit(UINT32_MAX >> (32 - count), n), n);
}

static void pairs_are_uniform(uint32_t mask) {
    enum { SERVERS_HERE = 5, DRAWS = 200000 };
    uint64_t seed = 2;
    int seen[32][32] = {{0}};
    for (int i = 0; i < DRAWS; i++) {
        struct pair pair = pick_pair(mask, (uint32_t)test_random(&seed));
        assert_int_not_equal(pair.first, pair.second);
        assert_true((mask >> pair.first & 1) && (mask >> pair.second & 1));
        seen[pair.first][pair.second]++;
    }
    int expected = DRAWS / (SERVERS_HERE * (SERVERS_HERE - 1)), pairs = 0;
    for (int a = 0; a < 32; a++)
        for (int b = 0; b < 32; b++)
            if (seen[a][b] > 0) {
                pairs++;
                assert_in_range(seen[a][b], expected * 93 / 100, expected * 107 / 100);
            }
    assert_int_equal(pairs, SERVERS_HERE * (SERVERS_HERE - 1));
}

static void ordered_pairs_are_uniform(void **state) {
    (void)state;
    pairs_are_uniform(0x80018005); // bits 0, 2, 15, 16 and 31
    pairs_are_uniform(0x1f);
}

static void few_servers_make_no_pair(void **state) {
    (void)state;
    struct pair pair = pick_pair(0, 4711);
    assert_true(pair.first == PAIR_NONE && pair.second == PAIR_NONE);
    pair = pick_pair(1u << 31, UINT32_MAX);
    assert_true(pair.first == 31 && pair.second == PAIR_NONE);
}

static void a_flow_stays_when_others_go(void **state) {
    (void)state;
    uint64_t seed = 3;
    int moved = 0, of[4] = {0};
    for (int i = 0; i < 4000; i++) {
        uint64_t flow = test_random(&seed);
        int before = pick_for_flow(0xf, flow), after = pick_for_flow(0x7, flow);
        of[before]++;
        moved += before != after;
        assert_true(before == after || before == 3);
    }
    assert_int_equal(moved, of[3]);
    for (int i = 0; i < 4; i++)
        assert_in_range(of[i], 850, 1150);
    assert_int_equal(pick_for_flow(0, 1), PAIR_NONE);
}

// --- clone or not ---

static const struct candidate idle = {.server = 41, .workers = 1, .told = TOLD_NEVER},
                              other = {.server = 43, .workers = 1, .told = TOLD_NEVER},
                              busy = {.server = 42,
                                      .outstanding = 3,
                                      .workers = 1,
                                      .told = TOLD_NEVER},
                              none = {.server = NO_SERVER};
static const struct occasion read_only = {REASON_CLONED, false, true};

// Counted, a read, with a budget.
static struct verdict decide_read(enum policy policy, enum clone_rule rule, struct candidate first,
                                  struct candidate second) {
    return decide((struct decide_rules){policy, rule}, read_only, first, second);
}

static void is_verdict(struct verdict verdict, uint32_t original, uint32_t clone,
                       enum reason reason) {
    assert_int_equal(verdict.original, original);
    assert_int_equal(verdict.clone, clone);
    assert_int_equal(verdict.reason, reason);
}

static void a_read_is_cloned_when_both_are_idle(void **state) {
    (void)state;
    is_verdict(decide_read(POLICY_RANDOM, CLONE_IDLE, idle, other), 41, 43, REASON_CLONED);
    is_verdict(decide_read(POLICY_RANDOM, CLONE_IDLE, idle, busy), 41, NO_SERVER, REASON_BUSY);
    is_verdict(decide_read(POLICY_RANDOM, CLONE_ALWAYS, idle, busy), 41, 42, REASON_CLONED);
}

static void the_shorter_queue_gets_the_original(void **state) {
    (void)state;
    is_verdict(decide_read(POLICY_SHORTER_QUEUE, CLONE_IDLE, busy, idle), 41, NO_SERVER,
               REASON_BUSY);
    is_verdict(decide_read(POLICY_SHORTER_QUEUE, CLONE_ALWAYS, busy, idle), 41, 42, REASON_CLONED);
    is_verdict(decide_read(POLICY_RANDOM, CLONE_IDLE, busy, idle), 42, NO_SERVER, REASON_BUSY);
    // Equal queues: the first of the random pair.
    is_verdict(decide_read(POLICY_SHORTER_QUEUE, CLONE_IDLE, busy, busy), 42, NO_SERVER,
               REASON_BUSY);
    // Four workers are sooner through with five than one with three.
    struct candidate larger = {.server = 44, .outstanding = 5, .workers = 4, .told = TOLD_NEVER};
    is_verdict(decide_read(POLICY_SHORTER_QUEUE, CLONE_IDLE, busy, larger), 44, NO_SERVER,
               REASON_BUSY);
}

static void obstacles_forbid_every_clone_but_no_request(void **state) {
    (void)state;
    for (int policy = POLICY_SHORTER_QUEUE; policy <= POLICY_C3; policy++)
        for (int rule = CLONE_IDLE; rule <= CLONE_ALWAYS; rule++)
            for (int obstacle = REASON_NEVER; obstacle < REASONS; obstacle++) {
                struct occasion occasion = {(enum reason)obstacle, false, true};
                is_verdict(decide((struct decide_rules){(enum policy)policy, (enum clone_rule)rule},
                                  occasion, idle, other),
                           41, NO_SERVER, (enum reason)obstacle);
            }
    is_verdict(decide_read(POLICY_SHORTER_QUEUE, CLONE_ALWAYS, idle, none), 41, NO_SERVER,
               REASON_ALONE);
    is_verdict(decide_read(POLICY_SHORTER_QUEUE, CLONE_NEVER, idle, other), 41, NO_SERVER,
               REASON_NEVER);
    // Its only server is a suspect.
    struct candidate suspect = idle;
    suspect.is_suspect = true;
    is_verdict(decide_read(POLICY_SHORTER_QUEUE, CLONE_ALWAYS, suspect, none), 41, NO_SERVER,
               REASON_ALONE);
}

// A line of the table: its columns are named in its head.
struct table_line {
    int64_t policy, clone, state, read, probe, budget;
    struct table_server {
        int64_t outstanding, workers, told, age, answer_time, suspect;
    } servers[2];
    int64_t first, second, why;
};

static struct candidate table_candidate(const struct table_server *server, int64_t state,
                                        uint32_t number) {
    return (struct candidate){.server = number,
                              .outstanding = (uint32_t)server->outstanding,
                              .workers = (uint32_t)server->workers,
                              .told = told_queue(state == 1 ? STATE_AGENT : STATE_COUNTED,
                                                 (int32_t)server->told, (uint64_t)server->age,
                                                 (uint64_t)server->answer_time),
                              .is_suspect = server->suspect == 1};
}

// The simulator's decisions are replica-selection's: both modules' tests read the same file.
static void the_table_of_cases_holds_for_both_languages(void **state) {
    (void)state;
    enum { A = 1, B = 2, COLUMNS = sizeof(struct table_line) / sizeof(int64_t), CASES = 10000 };
    static const enum policy policies[] = {POLICY_RANDOM, POLICY_SHORTER_QUEUE};
    static const enum clone_rule rules[] = {CLONE_NEVER, CLONE_IDLE, CLONE_ALWAYS};
    // "Suspect" is to have no second server that is trusted.
    static const enum reason reasons[] = {REASON_CLONED, REASON_WRITE, REASON_NEVER,
                                          REASON_ALONE,  REASON_BUSY,  REASON_BUDGET};
    FILE *table = fopen(DECIDE_TABLE, "re");
    char text[512];
    int cases = 0;
    if (table == NULL) {
        fail_msg("can't read the table that replica-selection shares, " DECIDE_TABLE);
        return;
    }
    while (fgets(text, sizeof text, table) != NULL) {
        struct table_line line;
        int64_t *numbers = (int64_t *)&line;
        char *at = text;
        if (text[0] == '#')
            continue;
        for (size_t i = 0; i < COLUMNS; i++)
            numbers[i] = strtoll(at, &at, 10);
        assert_string_equal(at, "\n");
        struct occasion occasion = {line.read ? REASON_CLONED : REASON_WRITE, line.probe == 1,
                                    line.budget == 1};
        struct verdict verdict =
            decide((struct decide_rules){policies[line.policy], rules[line.clone]}, occasion,
                   table_candidate(&line.servers[0], line.state, A),
                   table_candidate(&line.servers[1], line.state, B));
        uint32_t clone = line.second < 0 ? NO_SERVER : line.second == 0 ? A : B;
        enum reason reason = reasons[line.why];
        if (reason == REASON_CLONED && (line.servers[0].suspect || line.servers[1].suspect))
            reason = REASON_PROBE;
        if (verdict.original != (line.first == 0 ? A : B) || verdict.clone != clone ||
            verdict.reason != reason)
            fail_msg("%sdecide() says original %u, clone %u, reason %d", text, verdict.original,
                     verdict.clone, verdict.reason);
        cases++;
    }
    fclose(table);
    assert_int_equal(cases, CASES);
}

static void a_server_that_owes_for_too_long_is_suspect(void **state) {
    (void)state;
    uint64_t since = 100 * SECOND;
    assert_false(is_overdue(0, since, 0, since + 100 * SECOND));
    assert_false(is_overdue(1, since, 0, since + 50 * MILLISECOND));
    assert_true(is_overdue(1, since, 0, since + 50 * MILLISECOND + 1));
    assert_false(is_overdue(1, since, 10 * MILLISECOND, since + 200 * MILLISECOND));
    assert_true(is_overdue(1, since, 10 * MILLISECOND, since + 200 * MILLISECOND + 1));
    assert_true(is_overdue(1, since, 10 * SECOND, since + SECOND + 1));
    assert_false(is_overdue(1, since, 0, since - 1)); // another processor's clock reads later
    // One quick answer of a server that takes 40 ms makes it no more suspect after 100 ms.
    uint64_t usual = usual_time(usual_time(0, 40 * MILLISECOND), MILLISECOND / 2);
    assert_in_range(usual, 36 * MILLISECOND, 37 * MILLISECOND);
    assert_false(is_overdue(1, since, usual, since + 100 * MILLISECOND));
}

static void a_server_is_silent_after_a_quarter_of_that_time(void **state) {
    (void)state;
    uint64_t since = 100 * SECOND, floor = 50 * MILLISECOND / 4;
    assert_false(is_silent(0, since, 0, since + 100 * SECOND));
    assert_false(is_silent(1, since, 0, since + floor));
    assert_true(is_silent(1, since, 0, since + floor + 1));
    assert_false(is_silent(1, since, 10 * MILLISECOND, since + 50 * MILLISECOND));
    assert_true(is_silent(1, since, 10 * MILLISECOND, since + 50 * MILLISECOND + 1));
    assert_true(is_silent(1, since, 10 * SECOND, since + SECOND / 4 + 1));
    assert_false(is_silent(1, since, 0, since - 1)); // another processor's clock reads later
    // Property: whoever is suspect was silent before.
    uint64_t seed = 5;
    for (int i = 0; i < 100000; i++) {
        uint64_t average = test_random(&seed) % (100 * MILLISECOND);
        uint64_t now = since + test_random(&seed) % (2 * SECOND);
        int32_t outstanding = (int32_t)(test_random(&seed) % 3);
        assert_true(!is_overdue(outstanding, since, average, now) ||
                    is_silent(outstanding, since, average, now));
    }
}

static void an_agent_is_heard_for_ten_seconds(void **state) {
    (void)state;
    uint64_t told = 100 * SECOND;
    assert_false(is_agent_heard(0, 1));
    assert_true(is_agent_heard(told, told - 1)); // another processor's clock reads later
    assert_true(is_agent_heard(told, told + 10 * SECOND - 1));
    assert_false(is_agent_heard(told, told + 10 * SECOND));
}

static struct candidate random_candidate(uint32_t server, uint64_t *seed) {
    return (struct candidate){.server = server,
                              .outstanding = (uint32_t)(test_random(seed) % 20),
                              .workers = 1 + (uint32_t)(test_random(seed) % 16),
                              .told = (int32_t)(test_random(seed) % 5) - 1,
                              .is_suspect = test_random(seed) % 4 == 0};
}

// Property: a read that would go to one trusted server alone goes to the other one of the pair as
// well, if the service clones and there is a budget, or that other one is suspect. Nothing else
// changes, and the original stays where it was.
static void a_read_is_accompanied_that_would_go_to_a_silent_server_alone(void **state) {
    (void)state;
    uint64_t seed = 6;
    int helped = 0;
    for (int i = 0; i < 200000; i++) {
        struct candidate first = random_candidate(41, &seed), second = random_candidate(43, &seed);
        if (test_random(&seed) % 8 == 0)
            second = none;
        struct decide_rules rules = {(enum policy)(test_random(&seed) % 3),
                                     (enum clone_rule)(test_random(&seed) % 3)};
        struct occasion occasion = {test_random(&seed) % 4 ? REASON_CLONED : REASON_WRITE, false,
                                    test_random(&seed) % 2 == 0};
        struct verdict without = decide(rules, occasion, first, second), with = without;
        const struct candidate *asked = with.original == first.server ? &first : &second,
                               *beside = asked == &first ? &second : &first;
        if (may_accompany(&with, asked->is_suspect, occasion.has_budget))
            accompany(&with, beside);
        bool helps = without.clone == NO_SERVER && !asked->is_suspect &&
                     beside->server != NO_SERVER && occasion.obstacle == REASON_CLONED &&
                     rules.clone != CLONE_NEVER && (occasion.has_budget || beside->is_suspect);
        assert_int_equal(with.original, without.original);
        assert_int_equal(with.clone, helps ? beside->server : without.clone);
        assert_int_equal(with.reason, !helps               ? without.reason
                                      : beside->is_suspect ? REASON_PROBE
                                                           : REASON_CLONED);
        helped += helps;
    }
    assert_true(helped > 1000);
}

static void of_suspects_the_one_heard_of_a_moment_ago_is_asked(void **state) {
    (void)state;
    uint64_t now = 100 * SECOND, hangs = now - 3 * SECOND, pauses = now - 60 * MILLISECOND;
    assert_true(is_heard_later(pauses, hangs, now));
    assert_false(is_heard_later(hangs, pauses, now));
    assert_false(is_heard_later(pauses, pauses, now));
    assert_true(is_heard_later(now + 1, pauses, now)); // another processor's clock reads later
    // Neither, once that was long ago.
    assert_true(is_heard_later(now - SECOND + 1, hangs, now));
    assert_false(is_heard_later(now - SECOND, hangs, now));
}

static void probes_come_every_hundred_reads_or_each_second(void **state) {
    (void)state;
    assert_true(is_probe_due(100, 5 * SECOND, 5 * SECOND));
    assert_false(is_probe_due(101, 5 * SECOND, 6 * SECOND));
    assert_true(is_probe_due(101, 5 * SECOND, 6 * SECOND + 1));
}

static void a_suspect_has_its_trial_five_seconds_after_it_was_heard_of(void **state) {
    (void)state;
    assert_true(is_trial_due(0, 0, 6 * SECOND));
    assert_false(is_trial_due(3 * SECOND, 0, 8 * SECOND));
    assert_true(is_trial_due(3 * SECOND, 0, 8 * SECOND + 1));
    assert_false(is_trial_due(3 * SECOND, 4 * SECOND, 9 * SECOND));
    // By another processor's clock, which is ahead.
    assert_false(is_trial_due(9 * SECOND, 0, 9 * SECOND - 1));
}

static void the_budget_is_a_share_and_one_a_second(void **state) {
    (void)state;
    struct budget budget = {0, 1000};
    int clones = 0;
    for (int i = 0; i < 1000; i++) { // all within a second
        budget = budget_fill(budget, 10, 1000 * SECOND + (uint64_t)i);
        if (budget.hundredths >= BUDGET_CLONE) {
            budget.hundredths -= BUDGET_CLONE;
            clones++;
        }
    }
    assert_int_equal(clones, 100);
    budget = budget_fill((struct budget){0, 1000}, 10, 1003 * SECOND);
    assert_int_equal(budget.hundredths, 310);
    budget = budget_fill((struct budget){0, 1000}, 10, 999 * SECOND); // another processor's clock
    assert_int_equal(budget.hundredths, 10);
    assert_int_equal(budget.second, 1000);
    budget = budget_fill((struct budget){0, 0}, 10, UINT64_C(4000000) * SECOND);
    assert_int_equal(budget.hundredths, BUDGET_FULL);
}

// --- C3 ---

static double c3_reference(const struct c3_server *server, uint32_t weight) {
    double queue =
        1.0 + (double)server->outstanding * weight + (double)server->queue / C3_QUEUE_ONE;
    double response = (double)server->response_ns, service = (double)server->service_ns;
    return response - service + fmin(pow(queue, 3) * service, (double)C3_WAITING_MOST);
}

static void c3_agrees_with_real_numbers(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < 100000; i++) {
        uint64_t random = test_random(&seed);
        struct c3_server server = {test_random(&seed) >> (26 + random % 30),
                                   test_random(&seed) >> (26 + (random >> 8) % 30),
                                   (uint32_t)(random >> 16) % 300,
                                   (uint32_t)(random >> 32) % (32 * C3_QUEUE_ONE)};
        // Up to a node in each rack of a large fabric.
        uint32_t weight = 1 + (uint32_t)(random >> 48) % (i % 2 == 0 ? 4 : 4096);
        double expected = c3_reference(&server, weight);
        double got = (double)c3_score(&server, weight);
        double scale = (double)server.response_ns + (double)server.service_ns + fabs(expected);
        // Long queues are whole requests: 257 for nearly 258.
        bool fine = (uint64_t)server.outstanding * weight + server.queue / C3_QUEUE_ONE < 255;
        assert_true(fabs(got - expected) <= (fine ? 0.001 : 0.012) * scale + 1);
    }
}

static void c3_prefers_what_is_faster_and_emptier(void **state) {
    (void)state;
    struct c3_server server = {4000000, 1000000, 2, 0};
    struct c3_server faster = server, emptier = server, never_seen = {0, 0, 0, 0};
    faster.service_ns = faster.response_ns = 500000;
    emptier.outstanding = 1;
    assert_true(c3_score(&faster, 1) < c3_score(&server, 1));
    assert_true(c3_score(&emptier, 1) < c3_score(&server, 1));
    assert_true(c3_score(&never_seen, 1) < c3_score(&server, 1));
    // With a node in each rack two requests are a queue of hundreds; two hundred are worse still,
    // of whichever server.
    struct c3_server slower = server, swamped = faster;
    slower.service_ns = 2000000;
    swamped.outstanding = 200;
    assert_true(c3_score(&slower, 128) < c3_score(&swamped, 128));
    assert_true(c3_score(&faster, 128) < c3_score(&slower, 128));
    struct c3_server absurd = {UINT64_MAX, UINT64_MAX, UINT32_MAX, UINT32_MAX};
    assert_true(c3_score(&absurd, UINT32_MAX) > c3_score(&server, 1));
    assert_int_equal(c3_average(0, 700, false), 700);
    assert_int_equal(c3_average(1000, 2000, true), 1900);
}

// --- hashes, histograms ---

static void siphash_is_the_published_one(void **state) {
    (void)state;
    // The authors' vectors: key 00 01 .. 0f; of the sixteen bytes 00 01 .. 0f.
    struct siphash_key key = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
    assert_true(siphash(key, 0x0706050403020100, 0x0f0e0d0c0b0a0908) == 0x3f2acc7f57c29bdb);
    assert_true(siphash(key, 1, 2) != siphash(key, 2, 1));
}

static void a_changed_checksum_is_the_one_computed_anew(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 100000; i++) {
        union {
            uint8_t bytes[20];
            uint32_t words[5];
            uint16_t halves[10];
        } header;
        for (int j = 0; j < 5; j++) // zeroes and ones are the borders
            header.words[j] = i % 7 == j   ? 0
                              : i % 5 == j ? UINT32_MAX
                                           : (uint32_t)test_random(&seed);
        header.halves[5] = 0;
        header.halves[5] = htons((uint16_t)~checksum_sum(header.bytes, sizeof header, 0));
        uint32_t to = i % 3 == 0 ? 0 : i % 3 == 1 ? UINT32_MAX : (uint32_t)test_random(&seed);
        header.halves[5] = checksum_changed(header.halves[5], header.words[4], to);
        header.words[4] = to;
        uint16_t sum = checksum_sum(header.bytes, sizeof header, 0);
        // A header of zeroes only isn't one of IP's.
        assert_true(sum == 0xffff || sum == 0);
    }
}

static void times_fall_into_powers_of_two(void **state) {
    (void)state;
    assert_int_equal(histogram_bucket(0), 0);
    for (uint32_t i = 0; i < 31; i++) {
        assert_int_equal(histogram_bucket(1u << i), i + 1 < HISTOGRAM ? i + 1 : HISTOGRAM - 1);
        assert_int_equal(histogram_bucket((1u << i) * 2 - 1), i + 1);
    }
    assert_int_equal(histogram_bucket(UINT32_MAX), HISTOGRAM - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_found_in_order),
        cmocka_unit_test(ordered_pairs_are_uniform),
        cmocka_unit_test(few_servers_make_no_pair),
        cmocka_unit_test(a_flow_stays_when_others_go),
        cmocka_unit_test(a_read_is_cloned_when_both_are_idle),
        cmocka_unit_test(the_shorter_queue_gets_the_original),
        cmocka_unit_test(obstacles_forbid_every_clone_but_no_request),
        cmocka_unit_test(the_table_of_cases_holds_for_both_languages),
        cmocka_unit_test(a_server_that_owes_for_too_long_is_suspect),
        cmocka_unit_test(a_server_is_silent_after_a_quarter_of_that_time),
        cmocka_unit_test(an_agent_is_heard_for_ten_seconds),
        cmocka_unit_test(a_read_is_accompanied_that_would_go_to_a_silent_server_alone),
        cmocka_unit_test(of_suspects_the_one_heard_of_a_moment_ago_is_asked),
        cmocka_unit_test(probes_come_every_hundred_reads_or_each_second),
        cmocka_unit_test(a_suspect_has_its_trial_five_seconds_after_it_was_heard_of),
        cmocka_unit_test(the_budget_is_a_share_and_one_a_second),
        cmocka_unit_test(c3_agrees_with_real_numbers),
        cmocka_unit_test(c3_prefers_what_is_faster_and_emptier),
        cmocka_unit_test(siphash_is_the_published_one),
        cmocka_unit_test(a_changed_checksum_is_the_one_computed_anew),
        cmocka_unit_test(times_fall_into_powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
