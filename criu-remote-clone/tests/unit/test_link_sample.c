// SPDX-License-Identifier: Apache-2.0
// The link's samples: what is measured, and what each end takes of the other.
#include <pthread.h>
#include <sys/eventfd.h>

#include "clone_wire.pb-c.h"
#include "failure.h"
#include "link_sample.h"
#include "wire_pair.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MS 1000000ll

static struct failure failure;

// --- The arithmetic ---

static void a_rate_is_bytes_in_a_millisecond(void **state) {
    (void)state;
    assert_int_equal(link_rate(4 << 20, 35 * MS, 0), 119837);
    assert_int_equal(link_rate(750000, 300 * MS, 0), 2500);
}

static void a_rate_that_is_known_is_never_0(void **state) {
    (void)state;
    assert_int_equal(link_rate(1, 1000 * MS, 0), 1);
    assert_int_equal(link_rate(1000, MS, 999), 1);
}

static void a_burst_is_not_the_share(void **state) {
    (void)state;
    assert_int_equal(link_rate(4 << 20, 35 * MS, 50000000), 50000);
    assert_int_equal(link_rate(4 << 20, 35 * MS, 500000000), 119837);
}

static void a_clock_that_stands_still_is_no_reason_to_fail(void **state) {
    (void)state;
    assert_int_equal(link_rate(10, 0, 0), 10000000);
    assert_int_equal(link_rate(10, -5, 0), 10000000);
}

// --- Both ends ---

struct pull {
    struct wire *wire;
    unsigned taken;
};

static void *answer_all(void *context) {
    struct pull *pull = context;
    struct wire_item item;
    struct failure ignored;
    while (wire_next(pull->wire, &item, SOON, &ignored) == 1) {
        int result = link_answer(pull->wire, &item, &pull->taken, &ignored);
        wire_item_release(&item);
        assert(result == 0);
    }
    return NULL;
}

static struct session session_of(struct wire *wire) {
    return (struct session){.wire = wire,
                            .signal_fd = -1,
                            .deadline_ns = SOON,
                            .watch = {.cut_fd = eventfd(0, EFD_CLOEXEC)}};
}

static uint64_t measure(const struct wire_options *options, unsigned *taken) {
    struct wire *ends[2];
    pair_open(ends, options);
    struct pull pull = {.wire = ends[1]};
    pthread_t thread;
    pthread_create(&thread, NULL, answer_all, &pull);
    struct session session = session_of(ends[0]);
    uint64_t rate = 0;
    assert_int_equal(link_echo(&session, &failure), 0);
    assert_int_equal(link_sample(&session, &rate, &failure), 0);
    assert_int_equal(wire_finish(session.wire, SOON, &failure), 0);
    pthread_join(thread, NULL);
    close(session.watch.cut_fd);
    pair_close(ends);
    *taken = pull.taken;
    return rate;
}

static void an_open_link_is_measured(void **state) {
    (void)state;
    unsigned taken;
    assert_true(measure(&plain_options, &taken) > 0);
    assert_in_range(taken, 3, LINK_SAMPLES + 2);
}

static uint64_t narrow(void *context) {
    (void)context;
    return 1000000;
}

// What isn't compressed and has no zeros left out takes its time, and few samples are enough.
static void a_paced_link_is_no_faster_than_its_pace(void **state) {
    (void)state;
    struct wire_options options = {.compress = 1, .bandwidth = narrow};
    unsigned taken;
    uint64_t rate = measure(&options, &taken);
    assert_in_range(rate, 1, 1300);
    assert_in_range(taken, 3, LINK_SAMPLES);
}

static void a_version_that_has_no_samples_gets_none(void **state) {
    (void)state;
    for (uint32_t version = 4; version <= 6; version++) {
        struct wire_session sessions[2];
        int fds[2];
        pair_sessions(sessions);
        pair_sockets(fds);
        sessions[0].version = version;
        struct wire *wire =
            wire_start(fds[0], &sessions[0], &plain_options, &wire_default_timing, &failure);
        assert_int_equal(link_may_be_sampled(wire), version >= 5);
        wire_close(wire);
        close(fds[1]);
    }
}

// --- What pull refuses ---

static void send_sample(struct wire *wire, size_t length, bool echo) {
    CloneWire__Sample sample = CLONE_WIRE__SAMPLE__INIT;
    sample.has_filler = true;
    sample.filler = (ProtobufCBinaryData){.len = length, .data = calloc(1, length + 1)};
    sample.has_echo = sample.echo = echo;
    assert_int_equal(wire_send(wire, WIRE_SAMPLE, &sample.base, &failure), 0);
    free(sample.filler.data);
}

static int answer_next(struct wire *wire, unsigned *taken) {
    struct wire_item item;
    assert_int_equal(wire_next(wire, &item, SOON, &failure), 1);
    int result = link_answer(wire, &item, taken, &failure);
    wire_item_release(&item);
    return result;
}

static void assert_next_is_refused(struct wire *wire, unsigned *taken) {
    assert_int_equal(answer_next(wire, taken), -1);
    assert_int_equal(failure.code, EXIT_TRANSFER);
}

static void an_echo_is_empty_and_sent_when_asked_for(void **state) {
    (void)state;
    struct wire *ends[2];
    unsigned taken = 0;
    pair_open(ends, &plain_options);
    send_sample(ends[0], LINK_SAMPLE_BYTES, false);
    send_sample(ends[0], 1, true);
    assert_int_equal(answer_next(ends[1], &taken), 0);
    assert_int_equal(answer_next(ends[1], &taken), 0);
    assert_int_equal(taken, 2);
    assert_int_equal(wire_finish(ends[1], SOON, &failure), 0);
    struct wire_item item;
    assert_int_equal(wire_next(ends[0], &item, SOON, &failure), 1);
    assert_false(item.is_data);
    assert_int_equal(item.type, WIRE_SAMPLE);
    assert_int_equal(item.length, 0);
    wire_item_release(&item);
    assert_int_equal(wire_next(ends[0], &item, SOON, &failure), 0);
    pair_close(ends);
}

static void a_sample_that_is_too_long_is_refused(void **state) {
    (void)state;
    struct wire *ends[2];
    unsigned taken = 0;
    pair_open(ends, &plain_options);
    send_sample(ends[0], LINK_SAMPLE_BYTES + 1, true);
    assert_next_is_refused(ends[1], &taken);
    pair_close(ends);
}

static void samples_without_end_are_refused(void **state) {
    (void)state;
    struct wire *ends[2];
    unsigned taken = 0;
    pair_open(ends, &plain_options);
    for (unsigned i = 0; i < LINK_SAMPLES_MAX; i++) {
        send_sample(ends[0], 1, false);
        assert_int_equal(answer_next(ends[1], &taken), 0);
    }
    send_sample(ends[0], 1, false);
    assert_next_is_refused(ends[1], &taken);
    pair_close(ends);
}

static void what_is_no_sample_is_refused(void **state) {
    (void)state;
    struct wire *ends[2];
    unsigned taken = 0;
    pair_open(ends, &plain_options);
    CloneWire__Running running = CLONE_WIRE__RUNNING__INIT; // its number is no filler
    assert_int_equal(wire_send(ends[0], WIRE_SAMPLE, &running.base, &failure), 0);
    assert_int_equal(wire_send(ends[0], WIRE_FILES_READY, NULL, &failure), 0);
    assert_next_is_refused(ends[1], &taken);
    assert_next_is_refused(ends[1], &taken);
    pair_close(ends);
}

// --- What serve refuses ---

static void something_else_is_no_echo(void **state) {
    (void)state;
    struct wire *ends[2];
    pair_open(ends, &plain_options);
    struct session session = session_of(ends[0]);
    assert_int_equal(wire_send(ends[1], WIRE_FILES_READY, NULL, &failure), 0);
    assert_int_equal(link_echo(&session, &failure), -1);
    assert_int_equal(failure.code, EXIT_TRANSFER);
    close(session.watch.cut_fd);
    pair_close(ends);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_is_bytes_in_a_millisecond),
        cmocka_unit_test(a_rate_that_is_known_is_never_0),
        cmocka_unit_test(a_burst_is_not_the_share),
        cmocka_unit_test(a_clock_that_stands_still_is_no_reason_to_fail),
        cmocka_unit_test(an_open_link_is_measured),
        cmocka_unit_test(a_paced_link_is_no_faster_than_its_pace),
        cmocka_unit_test(a_version_that_has_no_samples_gets_none),
        cmocka_unit_test(an_echo_is_empty_and_sent_when_asked_for),
        cmocka_unit_test(a_sample_that_is_too_long_is_refused),
        cmocka_unit_test(samples_without_end_are_refused),
        cmocka_unit_test(what_is_no_sample_is_refused),
        cmocka_unit_test(something_else_is_no_echo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
