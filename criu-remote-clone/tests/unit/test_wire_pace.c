// SPDX-License-Identifier: Apache-2.0
// The two judges of time on the sending side, with a time of the test's own: the pacer, which keeps
// to the bandwidth, and the tuner, which decides about compression.
#include "failure.h"
#include "wire.h"
#include "wire_pacer.h"
#include "wire_tuner.h"
#include <stdbool.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND 1000000000LL
#define MEGABYTE 1e6

// --- Pacer ---

struct share {
    uint64_t rate;
    unsigned asked;
};

static uint64_t present_share(void *context) {
    struct share *share = context;
    share->asked++;
    return share->rate;
}

// Sends as much as is allowed, in pieces, until the time comes; returns the bytes.
static uint64_t send_until(struct wire_pacer *pacer, int64_t *now, int64_t end, size_t piece) {
    uint64_t sent = 0;
    while (*now < end) {
        int64_t wait = 0;
        size_t allowed = wire_pacer_allow(pacer, *now, piece, &wait);
        assert_true(allowed <= piece);
        assert_true(allowed > 0 ? wait == 0 : wait > 0 && wait <= SECOND / 10);
        sent += allowed;
        *now += wait;
    }
    return sent;
}

static void without_a_limit_everything_may_go(void **state) {
    (void)state;
    struct wire_pacer pacer;
    int64_t wait = 1;
    wire_pacer_init(&pacer, NULL, NULL);
    assert_int_equal(wire_pacer_allow(&pacer, SECOND, 12345, &wait), 12345);
    assert_int_equal(wait, 0);
    struct share share = {0};
    wire_pacer_init(&pacer, present_share, &share);
    assert_int_equal(wire_pacer_allow(&pacer, SECOND, 12345, &wait), 12345);
}

static void the_rate_is_kept(void **state) {
    (void)state;
    static const struct {
        uint64_t rate;
        size_t piece;
    } cases[] = {{1, 70},         {1000, 70},          {1000, 262144},    {1000000, 70},
                 {1000000, 1500}, {125000000, 262144}, {125000000, 1500}, {5000000000, 262144}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct share share = {.rate = cases[i].rate};
        struct wire_pacer pacer;
        int64_t now = 5 * SECOND;
        wire_pacer_init(&pacer, present_share, &share);
        double sent = (double)send_until(&pacer, &now, 15 * SECOND, cases[i].piece);
        double due = 10 * (double)share.rate;
        assert_true(sent <= 1.02 * due + 2);
        assert_true(sent >= 0.95 * due - 2);
        assert_in_range(share.asked, 1, 101);
    }
}

static void a_new_share_is_followed(void **state) {
    (void)state;
    struct share share = {.rate = 1000000};
    struct wire_pacer pacer;
    int64_t now = SECOND;
    wire_pacer_init(&pacer, present_share, &share);
    send_until(&pacer, &now, 2 * SECOND, 1000);
    share.rate = 10000000;
    assert_in_range(send_until(&pacer, &now, 3 * SECOND, 1000), 8900000, 10600000);
    share.rate = 100000;
    assert_in_range(send_until(&pacer, &now, 4 * SECOND, 1000), 90000, 1700000);
    assert_in_range(send_until(&pacer, &now, 5 * SECOND, 1000), 90000, 110000);
}

static void idle_time_is_not_saved_up(void **state) {
    (void)state;
    struct share share = {.rate = 1000000};
    struct wire_pacer pacer;
    int64_t now = SECOND;
    wire_pacer_init(&pacer, present_share, &share);
    send_until(&pacer, &now, 2 * SECOND, 1000);
    now += 3600 * SECOND;
    int64_t end = now + SECOND;
    assert_in_range(send_until(&pacer, &now, end, 1000), 950000, 1060000);
}

// --- Tuner ---

// A sender on a link of `link` bytes per second, whose worker packs `pack` bytes per second: the
// share of compressed items among `items`. Everything has the ratio `ratio`.
static double compressed_share(int compress, double link, double pack, double ratio, int items) {
    struct wire_tuner tuner;
    int compressed = 0;
    double waiting = 0;
    wire_tuner_init(&tuner, compress);
    for (int i = 0; i < items; i++) {
        double out = WIRE_CHUNK;
        double seconds = WIRE_CHUNK / 1e9;
        if (wire_tuner_level(&tuner, (size_t)waiting, WIRE_CHUNK)) {
            out = WIRE_CHUNK * ratio;
            seconds = WIRE_CHUNK / pack;
            wire_tuner_packed(&tuner, WIRE_CHUNK, (size_t)out, WIRE_CHUNK / pack);
            compressed++;
        }
        double taken = link * seconds < waiting ? link * seconds : waiting;
        waiting += out - taken;
        // The sender waits when it is too far ahead.
        if (waiting > 3 * WIRE_CHUNK) {
            taken += waiting - 3 * WIRE_CHUNK;
            waiting = 3 * WIRE_CHUNK;
        }
        wire_tuner_wrote(&tuner, (size_t)taken, taken / link);
    }
    return (double)compressed / items;
}

static void a_fixed_choice_is_kept(void **state) {
    (void)state;
    assert_true(compressed_share(WIRE_COMPRESS_NEVER, MEGABYTE, 300 * MEGABYTE, 0.4, 100) == 0);
    assert_true(compressed_share(3, 5000 * MEGABYTE, 30 * MEGABYTE, 0.4, 100) == 1);
    struct wire_tuner tuner;
    wire_tuner_init(&tuner, 7);
    assert_int_equal(wire_tuner_level(&tuner, 0, WIRE_CHUNK), 7);
}

static void a_slow_link_gets_nearly_everything_compressed(void **state) {
    (void)state;
    assert_true(compressed_share(WIRE_COMPRESS_AUTO, 12 * MEGABYTE, 300 * MEGABYTE, 0.4, 400) >
                0.95);
    assert_true(compressed_share(WIRE_COMPRESS_AUTO, 119 * MEGABYTE, 300 * MEGABYTE, 0.4, 400) >
                0.95);
}

// All compressed, the worker would be too slow for the link; the rest goes raw.
static void a_slow_worker_gets_what_it_can_do(void **state) {
    (void)state;
    double share = compressed_share(WIRE_COMPRESS_AUTO, 119 * MEGABYTE, 180 * MEGABYTE, 0.35, 2000);
    assert_true(share > 0.5 && share < 0.85);
}

static void a_fast_link_gets_nothing_compressed(void **state) {
    (void)state;
    assert_true(compressed_share(WIRE_COMPRESS_AUTO, 1250 * MEGABYTE, 300 * MEGABYTE, 0.4, 2000) ==
                0);
    assert_true(compressed_share(WIRE_COMPRESS_AUTO, 800 * MEGABYTE, 180 * MEGABYTE, 0.4, 2000) ==
                0);
}

static void a_moment_without_a_processor_does_not_look_like_a_slow_link(void **state) {
    (void)state;
    struct wire_tuner tuner;
    wire_tuner_init(&tuner, WIRE_COMPRESS_AUTO);
    for (int i = 0; i < 200; i++)
        wire_tuner_wrote(&tuner, WIRE_CHUNK, 0.001);
    wire_tuner_wrote(&tuner, WIRE_CHUNK, 0.020);
    assert_int_equal(wire_tuner_level(&tuner, 3 * WIRE_CHUNK, WIRE_CHUNK), 0);
    // But a link that has become slow is noticed within a few items.
    for (int i = 0; i < 12; i++)
        wire_tuner_wrote(&tuner, WIRE_CHUNK, 0.009);
    assert_int_equal(wire_tuner_level(&tuner, 3 * WIRE_CHUNK, WIRE_CHUNK), 1);
}

// It looked good, but the processors are busy with other things: only looked at again now and then.
static void a_worker_that_turns_out_slow_is_left_alone(void **state) {
    (void)state;
    assert_true(compressed_share(WIRE_COMPRESS_AUTO, 400 * MEGABYTE, 60 * MEGABYTE, 0.4, 2000) <
                0.1);
}

static void what_does_not_compress_is_tried_seldom(void **state) {
    (void)state;
    double share = compressed_share(WIRE_COMPRESS_AUTO, 12 * MEGABYTE, 900 * MEGABYTE, 1, 2000);
    assert_true(share > 0.05 && share < 0.15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_limit_everything_may_go),
        cmocka_unit_test(the_rate_is_kept),
        cmocka_unit_test(a_new_share_is_followed),
        cmocka_unit_test(idle_time_is_not_saved_up),
        cmocka_unit_test(a_fixed_choice_is_kept),
        cmocka_unit_test(a_slow_link_gets_nearly_everything_compressed),
        cmocka_unit_test(a_slow_worker_gets_what_it_can_do),
        cmocka_unit_test(a_fast_link_gets_nothing_compressed),
        cmocka_unit_test(a_moment_without_a_processor_does_not_look_like_a_slow_link),
        cmocka_unit_test(a_worker_that_turns_out_slow_is_left_alone),
        cmocka_unit_test(what_does_not_compress_is_tried_seldom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
