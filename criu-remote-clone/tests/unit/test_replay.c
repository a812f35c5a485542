// SPDX-License-Identifier: Apache-2.0
// The serving end of the image streamer: CRIU gets every image, small ones as often as it asks, and
// memory as it arrives.
#include "deadline.h"
#include "failure.h"
#include "fake_criu.h"
#include "keeper.h"
#include "ramdisk.h"
#include "replay.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define LONG_MS 30000
#define MEBIBYTE (1u << 20)

struct fixture {
    struct keeper *keeper;
    struct ramdisk disk;
    struct replay *replay;
    int criu;
    int ended[2]; // readable: CRIU has ended
};

static struct failure failure;

static int set_up(void **state) {
    signal(SIGPIPE, SIG_IGN);
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->keeper = keeper_start(&failure);
    fixture->replay = replay_open(&failure);
    fixture->criu = -1;
    assert_int_equal(pipe(fixture->ended), 0);
    *state = fixture;
    return ramdisk_open(&fixture->disk, 4 * MEBIBYTE, false, fixture->keeper, &failure);
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;
    if (fixture->criu >= 0)
        close(fixture->criu);
    replay_close(fixture->replay);
    close(fixture->ended[0]);
    close(fixture->ended[1]);
    ramdisk_close(&fixture->disk);
    keeper_finish(fixture->keeper);
    free(fixture);
    return 0;
}

static void serve(struct fixture *fixture) {
    assert_int_equal(replay_listen(fixture->replay, fixture->disk.path, &failure), 0);
    assert_int_equal(replay_begin(fixture->replay, fixture->ended[0], &failure), 0);
    fixture->criu = fake_connect(fixture->disk.path, "streamer-serve.sock");
    assert_true(fixture->criu >= 0);
}

// Asks for an image; its pipe, or -1 if there is none.
static int ask(struct fixture *fixture, const char *name) {
    assert_true(fake_request(fixture->criu, name));
    return fake_reply_exists(fixture->criu) ? fake_pass_pipe(fixture->criu, 1) : -1;
}

static uint8_t *read_to_end(int pipe, size_t *length) {
    size_t capacity = 16 * MEBIBYTE;
    uint8_t *bytes = malloc(capacity);
    ssize_t got;
    *length = 0;
    while ((got = read(pipe, bytes + *length, capacity - *length)) > 0)
        *length += (size_t)got;
    close(pipe);
    return bytes;
}

static void assert_content(int pipe, const void *bytes, size_t length) {
    size_t got;
    uint8_t *content = read_to_end(pipe, &got);
    assert_int_equal(got, length);
    assert_memory_equal(content, bytes, length);
    free(content);
}

static void small_images_are_served_as_often_as_asked(void **state) {
    struct fixture *fixture = *state;
    uint8_t *large = malloc(3 * MEBIBYTE); // larger than any pipe
    memset(large, 0x5a, 3 * MEBIBYTE);
    assert_int_equal(replay_add(fixture->replay, "core-1.img", "abc", 3, &failure), 0);
    assert_int_equal(replay_add(fixture->replay, "files.img", large, 3 * MEBIBYTE, &failure), 0);
    serve(fixture);
    // The large one isn't read yet when the next is asked for: neither may block the other.
    int first = ask(fixture, "files.img");
    assert_content(ask(fixture, "core-1.img"), "abc", 3);
    assert_content(ask(fixture, "core-1.img"), "abc", 3);
    assert_content(first, large, 3 * MEBIBYTE);
    assert_int_equal(ask(fixture, "cgroup.img"), -1);
    free(large);
}

struct feed {
    struct fixture *fixture;
    const char *name;
    const uint8_t *bytes;
    size_t length;
    int result;
    struct failure failure;
};

static void *feed_main(void *argument) {
    struct feed *feed = argument;
    struct replay *replay = feed->fixture->replay;
    feed->result = 0;
    for (size_t done = 0; feed->result == 0 && done < feed->length; done += MEBIBYTE / 2)
        feed->result = replay_feed(replay, feed->name, feed->bytes + done, MEBIBYTE / 2,
                                   deadline_in_ms(LONG_MS), &feed->failure);
    if (feed->result == 0)
        feed->result = replay_feed_end(replay, feed->name, deadline_in_ms(LONG_MS), &feed->failure);
    return NULL;
}

static void memory_is_passed_on_whoever_comes_first(void **state) {
    struct fixture *fixture = *state;
    uint8_t *bytes = malloc(6 * MEBIBYTE);
    for (size_t i = 0; i < 6 * MEBIBYTE; i++)
        bytes[i] = (uint8_t)(i * 2654435761u >> 24);
    serve(fixture);
    struct feed feed = {
        .fixture = fixture, .name = "pages-1.img", .bytes = bytes, .length = 6 * MEBIBYTE};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, feed_main, &feed), 0);
    assert_content(ask(fixture, "pages-1.img"), bytes, 6 * MEBIBYTE);
    pthread_join(thread, NULL);
    assert_int_equal(feed.result, 0);

    feed.name = "pages-2.img";
    int pipe = ask(fixture, "pages-2.img");
    assert_int_equal(pthread_create(&thread, NULL, feed_main, &feed), 0);
    assert_content(pipe, bytes, 6 * MEBIBYTE);
    pthread_join(thread, NULL);
    assert_int_equal(feed.result, 0);
    free(bytes);
}

static void what_criu_has_read_may_be_taken_back(void **state) {
    struct fixture *fixture = *state;
    uint8_t bytes[4 * 4096], got[sizeof bytes];
    memset(bytes, 'a', sizeof bytes);
    serve(fixture);
    int pipe = ask(fixture, "pages-1.img");
    int64_t in_time = deadline_in_ms(LONG_MS);
    assert_int_equal(
        replay_feed(fixture->replay, "pages-1.img", bytes, sizeof bytes, in_time, &failure), 0);
    assert_int_equal(
        replay_await_read(fixture->replay, "pages-1.img", sizeof bytes, in_time, &failure), 0);
    assert_int_equal(read(pipe, got, 4096), 4096);
    assert_int_equal(replay_await_read(fixture->replay, "pages-1.img", 3 * 4096,
                                       deadline_in_ms(LONG_MS), &failure),
                     0);
    assert_int_equal(replay_await_read(fixture->replay, "pages-1.img", 3 * 4096 - 1,
                                       deadline_in_ms(50), &failure),
                     -1);
    assert_int_equal(failure.code, EXIT_DEADLINE);
    memset(bytes, 'b', 4096);
    assert_int_equal(read(pipe, got, sizeof got), 3 * 4096);
    assert_memory_equal(got, bytes + 4096, 3 * 4096);
    // What it leaves unread is its right.
    assert_int_equal(replay_feed(fixture->replay, "pages-1.img", bytes, 4096, in_time, &failure),
                     0);
    close(pipe);
    assert_int_equal(
        replay_feed_end(fixture->replay, "pages-1.img", deadline_in_ms(LONG_MS), &failure), 0);
}

static void feeding_ends_when_criu_does(void **state) {
    struct fixture *fixture = *state;
    serve(fixture);
    close(fixture->criu);
    fixture->criu = -1;
    assert_int_equal(
        replay_feed(fixture->replay, "pages-1.img", "x", 1, deadline_in_ms(LONG_MS), &failure), -1);
    assert_int_equal(failure.code, EXIT_RESTORE);
}

static void feeding_ends_when_criu_does_before_it_asks(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(replay_listen(fixture->replay, fixture->disk.path, &failure), 0);
    assert_int_equal(replay_begin(fixture->replay, fixture->ended[0], &failure), 0);
    assert_int_equal(write(fixture->ended[1], "", 1), 1);
    assert_int_equal(
        replay_feed(fixture->replay, "pages-1.img", "x", 1, deadline_in_ms(LONG_MS), &failure), -1);
    assert_int_equal(failure.code, EXIT_RESTORE);
}

static void feeding_ends_when_criu_stops_reading(void **state) {
    struct fixture *fixture = *state;
    serve(fixture);
    int pipe = ask(fixture, "pages-1.img");
    uint8_t *bytes = calloc(1, 4 * MEBIBYTE);
    // Nobody reads: the deadline.
    assert_int_equal(replay_feed(fixture->replay, "pages-1.img", bytes, 4 * MEBIBYTE,
                                 deadline_in_ms(50), &failure),
                     -1);
    assert_int_equal(failure.code, EXIT_DEADLINE);
    close(pipe);
    assert_int_equal(replay_feed(fixture->replay, "pages-1.img", bytes, 4 * MEBIBYTE,
                                 deadline_in_ms(LONG_MS), &failure),
                     -1);
    assert_int_equal(failure.code, EXIT_RESTORE);
    free(bytes);
}

// It was killed, but what it had forked for the restore still holds the pipe.
static void feeding_ends_when_criu_has_ended_and_others_hold_its_pipe(void **state) {
    struct fixture *fixture = *state;
    serve(fixture);
    int pipe = ask(fixture, "pages-1.img");
    assert_int_equal(write(fixture->ended[1], "", 1), 1);
    uint8_t *bytes = calloc(1, 4 * MEBIBYTE);
    assert_int_equal(replay_feed(fixture->replay, "pages-1.img", bytes, 4 * MEBIBYTE,
                                 deadline_in_ms(LONG_MS), &failure),
                     -1);
    assert_int_equal(failure.code, EXIT_RESTORE);
    close(pipe);
    free(bytes);
}

static void memory_that_never_comes_is_at_its_end(void **state) {
    struct fixture *fixture = *state;
    serve(fixture);
    int before = ask(fixture, "pages-1.img");
    replay_complete(fixture->replay);
    assert_content(before, "", 0);
    assert_content(ask(fixture, "pages-2.img"), "", 0);
}

static void names_of_images_have_no_directory(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(replay_add(fixture->replay, "../core-1.img", "", 0, &failure), -1);
    assert_int_equal(failure.code, EXIT_IMAGE);
    assert_int_equal(replay_add(fixture->replay, "", "", 0, &failure), -1);
    assert_int_equal(failure.code, EXIT_IMAGE);
}

static void an_image_can_be_replaced(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(replay_add(fixture->replay, "files.img", "old", 3, &failure), 0);
    replay_replace(fixture->replay, 0, strdup("newer"), 5);
    size_t length;
    assert_memory_equal(replay_bytes(fixture->replay, 0, &length), "newer", 5);
    assert_int_equal(length, 5);
    serve(fixture);
    assert_content(ask(fixture, "files.img"), "newer", 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(small_images_are_served_as_often_as_asked, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(memory_is_passed_on_whoever_comes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_criu_has_read_may_be_taken_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(feeding_ends_when_criu_does, set_up, tear_down),
        cmocka_unit_test_setup_teardown(feeding_ends_when_criu_does_before_it_asks, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(feeding_ends_when_criu_stops_reading, set_up, tear_down),
        cmocka_unit_test_setup_teardown(feeding_ends_when_criu_has_ended_and_others_hold_its_pipe,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_that_never_comes_is_at_its_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_of_images_have_no_directory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_image_can_be_replaced, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
