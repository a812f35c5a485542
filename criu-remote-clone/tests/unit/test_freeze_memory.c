// SPDX-License-Identifier: Apache-2.0
// Room for the image: what is reserved already isn't asked for again.
#include <string.h>

#include "freeze_memory.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MIB (1ull << 20)

static struct failure failure;

static int check(uint64_t image, uint64_t reserved, uint64_t available) {
    struct freeze_memory memory = {.image = image, .reserved = reserved, .available = available};
    failure = (struct failure){0};
    return freeze_memory_check(&memory, &failure);
}

static void nothing_reserved_takes_the_whole_image(void **state) {
    (void)state;
    assert_int_equal(check(500 * MIB, 0, 500 * MIB + FREEZE_NEEDS), 0);
    assert_int_equal(check(500 * MIB, 0, 500 * MIB + FREEZE_NEEDS - 1), -1);
    assert_int_equal(failure.code, EXIT_SPACE);
    assert_non_null(strstr(failure.text, "548 MiB more memory; only 547 MiB are available"));
}

static void a_part_that_is_reserved_is_there(void **state) {
    (void)state;
    assert_int_equal(check(500 * MIB, 400 * MIB, 100 * MIB + FREEZE_NEEDS), 0);
    assert_int_equal(check(500 * MIB, 400 * MIB, 100 * MIB + FREEZE_NEEDS - 1), -1);
    assert_non_null(strstr(failure.text, "148 MiB more memory; only 147 MiB are available"));
}

// As without a quiesce hook, and where a process gave back more than was expected.
static void an_image_that_is_reserved_takes_what_criu_takes(void **state) {
    (void)state;
    assert_int_equal(check(500 * MIB, 500 * MIB, FREEZE_NEEDS), 0);
    assert_int_equal(check(500 * MIB, 600 * MIB, FREEZE_NEEDS), 0);
    assert_int_equal(check(500 * MIB, 600 * MIB, FREEZE_NEEDS - 1), -1);
    assert_int_equal(check(0, 0, FREEZE_NEEDS), 0);
    assert_int_equal(check(0, 0, FREEZE_NEEDS - 1), -1);
}

static void what_is_not_known_is_no_reason(void **state) {
    (void)state;
    assert_int_equal(check(500 * MIB, 0, UINT64_MAX), 0);
    assert_int_equal(check(UINT64_MAX, 0, UINT64_MAX), 0);
}

// A memory cgroup that presses against its limit has just that.
static void nothing_available_is_a_reason(void **state) {
    (void)state;
    assert_int_equal(check(MIB, 0, 0), -1);
    assert_int_equal(failure.code, EXIT_SPACE);
    assert_int_equal(check(MIB, MIB, 0), -1);
}

static void no_number_is_too_big(void **state) {
    (void)state;
    assert_int_equal(check(UINT64_MAX, 0, UINT64_MAX - 1), -1);
    assert_int_equal(check(UINT64_MAX, UINT64_MAX, FREEZE_NEEDS), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_reserved_takes_the_whole_image),
        cmocka_unit_test(a_part_that_is_reserved_is_there),
        cmocka_unit_test(an_image_that_is_reserved_takes_what_criu_takes),
        cmocka_unit_test(what_is_not_known_is_no_reason),
        cmocka_unit_test(nothing_available_is_a_reason),
        cmocka_unit_test(no_number_is_too_big),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
