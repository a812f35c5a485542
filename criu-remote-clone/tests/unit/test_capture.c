// SPDX-License-Identifier: Apache-2.0
// The capturing end of the image streamer: what CRIU writes is what is there, in order, and only
// once it is there may the process resume.
#include "capture.h"
#include "deadline.h"
#include "failure.h"
#include "fake_criu.h"
#include "keeper.h"
#include "ramdisk.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>

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
    struct capture *capture;
    int criu; // its connection
};

static struct failure failure;

static int set_up(void **state) {
    signal(SIGPIPE, SIG_IGN);
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->keeper = keeper_start(&failure);
    fixture->criu = -1;
    *state = fixture;
    return ramdisk_open(&fixture->disk, 64 * MEBIBYTE, false, fixture->keeper, &failure);
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;
    if (fixture->criu >= 0)
        close(fixture->criu);
    capture_close(fixture->capture);
    ramdisk_close(&fixture->disk);
    keeper_finish(fixture->keeper);
    free(fixture);
    return 0;
}

// The store has no name: what the file system holds is it.
static uint64_t blocks_of_store(const struct fixture *fixture) {
    struct statvfs facts;
    assert_int_equal(fstatvfs(fixture->disk.dir_fd, &facts), 0);
    return (uint64_t)(facts.f_blocks - facts.f_bfree) * facts.f_frsize;
}

static int reserve(struct fixture *fixture, uint64_t bytes) {
    return capture_reserve(fixture->capture, bytes, deadline_in_ms(LONG_MS), &failure);
}

static void start(struct fixture *fixture, uint64_t limit, unsigned copiers) {
    fixture->capture = capture_start(&fixture->disk, fixture->disk.path, limit, copiers, &failure);
    assert_non_null(fixture->capture);
    assert_int_equal(reserve(fixture, MEBIBYTE), 0);
    fixture->criu = fake_connect(fixture->disk.path, "streamer-capture.sock");
    assert_true(fixture->criu >= 0);
}

static int open_image(struct fixture *fixture, const char *name) {
    assert_true(fake_request(fixture->criu, name));
    int pipe = fake_pass_pipe(fixture->criu, 0);
    assert_true(pipe >= 0);
    return pipe;
}

static bool write_all(int pipe, const uint8_t *bytes, size_t length) {
    while (length > 0) {
        ssize_t put = write(pipe, bytes, length);
        if (put <= 0)
            return false;
        bytes += put;
        length -= (size_t)put;
    }
    return true;
}

static uint8_t *noise(size_t length, unsigned seed) {
    uint8_t *bytes = malloc(length);
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)((seed = seed * 1103515245 + 12345) >> 16);
    return bytes;
}

static void write_image(struct fixture *fixture, const char *name, const uint8_t *bytes,
                        size_t length) {
    int pipe = open_image(fixture, name);
    assert_true(write_all(pipe, bytes, length));
    close(pipe);
}

static void assert_image(struct fixture *fixture, size_t index, const char *name,
                         const uint8_t *bytes, size_t length, bool memory) {
    const struct captured_image *image = capture_image(fixture->capture, index);
    assert_string_equal(image->name, name);
    assert_int_equal(image->length, length);
    assert_memory_equal(image->bytes, bytes, length);
    assert_int_equal(image->memory, memory);
}

static void images_arrive_whole_and_in_order(void **state) {
    struct fixture *fixture = *state;
    for (unsigned copiers = 1; copiers <= 3; copiers++) {
        start(fixture, 32 * MEBIBYTE, copiers);
        const size_t large = 5 * MEBIBYTE + 4096, small = 300000;
        uint8_t *first = noise(large, 1), *second = noise(large / 2, 2), *third = noise(small, 3);
        write_image(fixture, "pagemap-7.img", third, 100);
        write_image(fixture, "pages-1.img", first, large);
        write_image(fixture, "core-7.img", third, small);
        write_image(fixture, "pagemap-9.img", third, 50);
        write_image(fixture, "pages-2.img", second, large / 2);
        write_image(fixture, "pagemap-shmem-12.img", third, 10);
        write_image(fixture, "pages-3.img", third, 8192);
        write_image(fixture, "empty.img", third, 0);
        assert_int_equal(capture_drain(fixture->capture, deadline_in_ms(LONG_MS), &failure), 0);
        close(fixture->criu);
        fixture->criu = -1;
        assert_int_equal(capture_finish(fixture->capture, deadline_in_ms(LONG_MS), &failure), 0);
        assert_int_equal(capture_count(fixture->capture), 8);
        assert_image(fixture, 0, "pagemap-7.img", third, 100, false);
        assert_image(fixture, 1, "pages-1.img", first, large, true);
        assert_image(fixture, 2, "core-7.img", third, small, false);
        assert_image(fixture, 4, "pages-2.img", second, large / 2, true);
        // Shared memory isn't streamed: CRIU may want it before a task's own.
        assert_image(fixture, 6, "pages-3.img", third, 8192, false);
        assert_image(fixture, 7, "empty.img", third, 0, false);
        free(first);
        free(second);
        free(third);
        capture_close(fixture->capture);
        fixture->capture = NULL;
        ramdisk_close(&fixture->disk);
        assert_int_equal(
            ramdisk_open(&fixture->disk, 64 * MEBIBYTE, false, fixture->keeper, &failure), 0);
    }
}

static void a_process_may_not_resume_before_its_pages_are_copied(void **state) {
    struct fixture *fixture = *state;
    start(fixture, 32 * MEBIBYTE, 2);
    // As CRIU does it: the pipe holds the process's own pages, not copies.
    const size_t length = 16 * 4096;
    uint8_t *pages = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(pages, 0x11, length);
    int pipe = open_image(fixture, "pages-1.img");
    struct iovec part = {.iov_base = pages, .iov_len = length};
    assert_int_equal(vmsplice(pipe, &part, 1, 0), length);
    // Not drained while CRIU still holds the pipe.
    assert_int_equal(capture_drain(fixture->capture, deadline_in_ms(50), &failure), -1);
    assert_int_equal(failure.code, EXIT_DEADLINE);
    close(pipe);
    assert_int_equal(capture_drain(fixture->capture, deadline_in_ms(LONG_MS), &failure), 0);
    memset(pages, 0x22, length); // the process runs again
    const struct captured_image *image = capture_image(fixture->capture, 0);
    assert_int_equal(image->length, length);
    for (size_t i = 0; i < length; i++)
        assert_int_equal(image->bytes[i], 0x11);
    munmap(pages, length);
}

static void an_image_beyond_the_limit_breaks_its_pipe(void **state) {
    struct fixture *fixture = *state;
    start(fixture, 2 * MEBIBYTE, 2);
    uint8_t *bytes = noise(8 * MEBIBYTE, 4);
    int pipe = open_image(fixture, "pages-1.img");
    assert_false(write_all(pipe, bytes, 8 * MEBIBYTE)); // EPIPE: CRIU fails and lets go
    close(pipe);
    assert_int_equal(capture_drain(fixture->capture, deadline_in_ms(LONG_MS), &failure), -1);
    assert_int_equal(failure.code, EXIT_SPACE);
    assert_non_null(strstr(failure.text, "--ram-limit"));
    free(bytes);
}

static void giving_up_breaks_the_connection(void **state) {
    struct fixture *fixture = *state;
    start(fixture, 2 * MEBIBYTE, 1);
    int pipe = open_image(fixture, "core-1.img");
    capture_abort(fixture->capture);
    char byte;
    assert_true(recv(fixture->criu, &byte, 1, 0) <= 0);
    close(pipe);
    assert_int_equal(capture_finish(fixture->capture, deadline_in_ms(LONG_MS), &failure), -1);
    assert_int_equal(failure.code, EXIT_DEADLINE);
}

// Whoever writes to such a pipe would wait for ever: its other end is on its way to nobody.
static void giving_up_breaks_pipes_that_are_on_their_way(void **state) {
    struct fixture *fixture = *state;
    start(fixture, 32 * MEBIBYTE, 1);
    int taken = open_image(fixture, "pages-1.img"), waiting = open_image(fixture, "pages-2.img"),
        on_its_way = open_image(fixture, "pages-3.img");
    capture_abort(fixture->capture);
    close(taken);
    struct pollfd broken = {.fd = on_its_way};
    assert_int_equal(poll(&broken, 1, LONG_MS), 1);
    assert_true(broken.revents & POLLERR);
    close(waiting);
    close(on_its_way);
}

static void a_broken_request_is_an_error(void **state) {
    struct fixture *fixture = *state;
    start(fixture, 2 * MEBIBYTE, 1);
    uint32_t absurd = 0x7fffffff;
    assert_int_equal(send(fixture->criu, &absurd, sizeof absurd, MSG_NOSIGNAL), sizeof absurd);
    assert_int_equal(capture_finish(fixture->capture, deadline_in_ms(LONG_MS), &failure), -1);
    assert_int_equal(failure.code, EXIT_INTERNAL);
}

static void memory_is_taken_when_it_is_reserved(void **state) {
    struct fixture *fixture = *state;
    const uint64_t bytes = 10 * MEBIBYTE;
    fixture->capture =
        capture_start(&fixture->disk, fixture->disk.path, 32 * MEBIBYTE, 3, &failure);
    assert_non_null(fixture->capture);
    assert_int_equal(blocks_of_store(fixture), 0);
    assert_int_equal(capture_reserved(fixture->capture), 0);
    assert_int_equal(reserve(fixture, bytes), 0);
    assert_int_equal(blocks_of_store(fixture), bytes);
    assert_int_equal(reserve(fixture, bytes - MEBIBYTE), 0); // it is there already
    assert_int_equal(blocks_of_store(fixture), bytes);
    assert_int_equal(reserve(fixture, 3 * bytes), 0);
    assert_int_equal(blocks_of_store(fixture), 3 * bytes);
    assert_int_equal(capture_reserved(fixture->capture), 3 * bytes);
}

static void a_reservation_beyond_the_limit_is_refused(void **state) {
    struct fixture *fixture = *state;
    start(fixture, 32 * MEBIBYTE, 2);
    assert_int_equal(reserve(fixture, 32 * MEBIBYTE + 1), -1);
    assert_int_equal(failure.code, EXIT_SPACE);
    assert_non_null(strstr(failure.text, "--ram-limit"));
    assert_int_equal(blocks_of_store(fixture), 2 * MEBIBYTE); // a huge page
}

static void a_reservation_that_finds_no_room_is_refused(void **state) {
    struct fixture *fixture = *state;
    start(fixture, 128 * MEBIBYTE, 2); // twice the RAM disk
    assert_int_equal(reserve(fixture, 96 * MEBIBYTE), -1);
    assert_int_equal(failure.code, EXIT_SPACE);
}

static void sent_memory_is_given_back(void **state) {
    struct fixture *fixture = *state;
    start(fixture, 32 * MEBIBYTE, 2);
    const size_t length = 16 * MEBIBYTE;
    uint8_t *bytes = noise(length, 5);
    write_image(fixture, "pages-1.img", bytes, length);
    assert_int_equal(capture_drain(fixture->capture, deadline_in_ms(LONG_MS), &failure), 0);
    const struct captured_image *image = capture_image(fixture->capture, 0);
    assert_true(blocks_of_store(fixture) >= length);
    for (size_t done = 0; done < length; done += MEBIBYTE) {
        assert_memory_equal(image->bytes + done, bytes + done, MEBIBYTE);
        capture_release(fixture->capture, image->bytes + done, MEBIBYTE);
        assert_true(blocks_of_store(fixture) <= length - done + 2 * MEBIBYTE);
    }
    assert_int_equal(blocks_of_store(fixture), 0);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(images_arrive_whole_and_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_process_may_not_resume_before_its_pages_are_copied,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_image_beyond_the_limit_breaks_its_pipe, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(giving_up_breaks_the_connection, set_up, tear_down),
        cmocka_unit_test_setup_teardown(giving_up_breaks_pipes_that_are_on_their_way, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_broken_request_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_is_taken_when_it_is_reserved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reservation_beyond_the_limit_is_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_reservation_that_finds_no_room_is_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(sent_memory_is_given_back, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("capture", tests, NULL, NULL);
}
