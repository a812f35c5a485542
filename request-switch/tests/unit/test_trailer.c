// SPDX-License-Identifier: Apache-2.0
// The trailer: whole, it sums up to nothing; changed, it is none.
#include "test.h"
#include "trailer.h"

static void what_is_written_is_read(void **state) {
    (void)state;
    for (uint32_t queue = 0; queue <= UINT16_MAX; queue++) {
        struct trailer_wire wire = trailer_write((struct trailer){TRAILER_QUEUE, (uint16_t)queue});
        struct trailer trailer = trailer_read(&wire);
        assert_int_equal(trailer.what, TRAILER_QUEUE);
        assert_int_equal(trailer.queue, queue);
        assert_int_equal(trailer_sum(&wire), 0xffff);
    }
    struct trailer_wire wire = trailer_write((struct trailer){TRAILER_CLONE, 0});
    assert_int_equal(trailer_read(&wire).what, TRAILER_CLONE);
}

static void it_is_an_option_as_the_rfc_has_them(void **state) {
    (void)state;
    struct trailer_wire wire = trailer_write((struct trailer){TRAILER_QUEUE, 0x0102});
    // Kind, length with those two, the experiment's id; then ours.
    static const uint8_t option[] = {127, 8, 0xc1, 0x0e, TRAILER_VERSION, TRAILER_QUEUE, 1, 2};
    assert_memory_equal((const uint8_t *)&wire + 2, option, sizeof option);
}

static void a_byte_that_is_changed_makes_it_none(void **state) {
    (void)state;
    for (size_t at = 0; at < TRAILER_BYTES; at++)
        for (int change = 1; change < 256; change++) {
            struct trailer_wire wire = trailer_write((struct trailer){TRAILER_QUEUE, 300});
            ((uint8_t *)&wire)[at] ^= (uint8_t)change;
            assert_int_equal(trailer_read(&wire).what, TRAILER_NONE);
        }
}

// Another version, another experiment: whole, but not for us.
static void others_options_are_none(void **state) {
    (void)state;
    for (size_t at = 2; at < 8; at++) {
        struct trailer_wire wire = trailer_write((struct trailer){TRAILER_QUEUE, 300});
        ((uint8_t *)&wire)[at] ^= 0x40;
        wire.balance = 0;
        wire.balance = (uint16_t)~trailer_sum(&wire);
        assert_int_equal(trailer_sum(&wire), 0xffff);
        assert_int_equal(trailer_read(&wire).what, TRAILER_NONE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(it_is_an_option_as_the_rfc_has_them),
        cmocka_unit_test(a_byte_that_is_changed_makes_it_none),
        cmocka_unit_test(others_options_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
