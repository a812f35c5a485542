// SPDX-License-Identifier: Apache-2.0
// Paths as texts, and where --map puts them.
#include "fileset.h"
#include "paths.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_resolves(const struct path_maps *maps, const char *path, int stored,
                            const char *expected) {
    char *found = path_maps_resolve(maps, path, stored);
    assert_string_equal(found, expected);
    free(found);
}

static void the_longest_map_wins_on_whole_components(void **state) {
    (void)state;
    struct path_map list[] = {{"/data", "/x"}, {"/data/job", "/y"}, {"/data/job/1", "/z/one"}};
    struct path_maps maps = {.maps = list, .count = 3, .base = "/base"};
    assert_resolves(&maps, "/data", 1, "/x");
    assert_resolves(&maps, "/data/file", 1, "/x/file");
    assert_resolves(&maps, "/data/job/file", 1, "/y/file");
    assert_resolves(&maps, "/data/job/1", 1, "/z/one");
    assert_resolves(&maps, "/data/job/1/a/b", 1, "/z/one/a/b");
    assert_resolves(&maps, "/data/job/10", 1, "/y/10");
    assert_resolves(&maps, "/database", 1, "/base/database");
}

static void the_order_of_maps_does_not_matter(void **state) {
    (void)state;
    struct path_map list[] = {{"/data/job", "/y"}, {"/data", "/x"}};
    struct path_maps maps = {.maps = list, .count = 2, .base = "/base"};
    assert_resolves(&maps, "/data/job/file", 0, "/y/file");
    assert_resolves(&maps, "/data/file", 0, "/x/file");
}

static void what_is_not_mapped_is_stored_below_the_base_and_found_where_it_is(void **state) {
    (void)state;
    struct path_maps maps = {.base = "/base"};
    assert_resolves(&maps, "/usr/lib/x.jar", 1, "/base/usr/lib/x.jar");
    assert_resolves(&maps, "/usr/lib/x.jar", 0, "/usr/lib/x.jar");
}

static void a_map_of_the_root_directory_covers_everything(void **state) {
    (void)state;
    struct path_map list[] = {{"/", "/x"}};
    struct path_maps maps = {.maps = list, .count = 1, .base = "/base"};
    assert_resolves(&maps, "/a/b", 1, "/x/a/b");
}

static void only_clean_paths_are_clean(void **state) {
    (void)state;
    static const char *const clean[] = {"/a", "/a/b.c", "/...", "/a/..b", "/.a"};
    static const char *const unclean[] = {"",      "a",      "/",     "//a",   "/a/",
                                          "/a//b", "/a/./b", "/../a", "/a/..", "/."};
    for (size_t i = 0; i < sizeof clean / sizeof *clean; i++)
        assert_true(path_is_clean(clean[i]));
    for (size_t i = 0; i < sizeof unclean / sizeof *unclean; i++)
        assert_false(path_is_clean(unclean[i]));

    char component[300] = "/";
    memset(component + 1, 'x', 255);
    assert_true(path_is_clean(component));
    component[256] = 'x';
    assert_false(path_is_clean(component));

    char longest[5000];
    for (size_t i = 0; i < sizeof longest; i++)
        longest[i] = i % 2 == 0 ? '/' : 'x';
    longest[4094] = '\0';
    assert_true(path_is_clean(longest));
    longest[4094] = '/';
    longest[4096] = '\0';
    assert_false(path_is_clean(longest));
}

static void assert_normalized(const char *directory, const char *text, const char *expected) {
    char *path = path_normalized(directory, text);
    assert_string_equal(path, expected);
    free(path);
}

static void dots_are_worked_out(void **state) {
    (void)state;
    assert_normalized("/a/b", "c", "/a/b/c");
    assert_normalized("/a/b", "../c/./d//e/", "/a/c/d/e");
    assert_normalized("/a/b", "/c/../d", "/d");
    assert_normalized("/a", "../../../..", "/");
    assert_normalized("/", "a", "/a");
    assert_normalized("/a/b", "..", "/a");
}

static int sign(int number) {
    return (number > 0) - (number < 0);
}

static void what_is_below_a_path_sorts_right_after_it(void **state) {
    (void)state;
    static const char *const sorted[] = {"/a", "/a/b", "/a/b/c", "/a/c", "/a-b", "/a.b", "/b"};
    for (size_t i = 0; i < 7; i++)
        for (size_t j = 0; j < 7; j++)
            assert_int_equal(sign(path_compare(sorted[i], sorted[j])), (i > j) - (i < j));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_map_wins_on_whole_components),
        cmocka_unit_test(the_order_of_maps_does_not_matter),
        cmocka_unit_test(what_is_not_mapped_is_stored_below_the_base_and_found_where_it_is),
        cmocka_unit_test(a_map_of_the_root_directory_covers_everything),
        cmocka_unit_test(only_clean_paths_are_clean),
        cmocka_unit_test(dots_are_worked_out),
        cmocka_unit_test(what_is_below_a_path_sorts_right_after_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
