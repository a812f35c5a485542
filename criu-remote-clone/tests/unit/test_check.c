// SPDX-License-Identifier: Apache-2.0
// Requirements: how a list is printed, and what is found of this host and of a process.
#include <errno.h>
#include <jansson.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "check.h"
#include "subject.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define BIT(number) (1ull << (number))

static struct failure failure;

// --- printing ---

static struct requirements some_requirements(void) {
    struct requirements list = {0};
    requirements_add(&list, CHECK_PASS, "kernel", NULL, "Linux %d", 6);
    requirements_add(&list, CHECK_WARN, "memory", "add \"more\"", "little");
    requirements_add(&list, CHECK_FAIL, "criu", NULL, "none \xff");
    return list;
}

static char *printed(const struct requirements *list, bool json) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(requirements_print(list, json, out, &failure), 0);
    fclose(out);
    return text;
}

static void the_table_has_a_line_for_each_and_one_for_each_fix(void **state) {
    (void)state;
    struct requirements list = some_requirements();
    char *text = printed(&list, false);
    assert_string_equal(text, "pass  kernel           Linux 6\n"
                              "warn  memory           little\n"
                              "                       fix: add \"more\"\n"
                              "fail  criu             none \xff\n");
    free(text);
    requirements_clear(&list);
}

static void json_says_the_same_on_one_line(void **state) {
    (void)state;
    struct requirements list = some_requirements();
    char *text = printed(&list, true);
    assert_string_equal(text, "{\"able\":false,\"requirements\":["
                              "{\"name\":\"kernel\",\"status\":\"pass\",\"detail\":\"Linux 6\"},"
                              "{\"name\":\"memory\",\"status\":\"warn\",\"detail\":\"little\","
                              "\"fix\":\"add \\\"more\\\"\"},"
                              "{\"name\":\"criu\",\"status\":\"fail\",\"detail\":\"none ?\"}]}\n");
    free(text);
    requirements_clear(&list);
}

static void only_failures_make_a_host_unable(void **state) {
    (void)state;
    struct requirements list = some_requirements();
    assert_int_equal(requirements_failed(&list), 1);
    list.list[2].status = CHECK_WARN;
    assert_int_equal(requirements_failed(&list), 0);
    char *text = printed(&list, true);
    assert_non_null(strstr(text, "\"able\":true"));
    free(text);
    requirements_clear(&list);
    assert_int_equal(list.count, 0);
}

static void what_cannot_be_printed_is_a_failure(void **state) {
    (void)state;
    struct requirements list = some_requirements();
    FILE *full = fopen("/dev/full", "we");
    assert_int_equal(requirements_print(&list, false, full, &failure), -1);
    assert_int_equal(failure.code, EXIT_UNABLE);
    fclose(full);
    requirements_clear(&list);
}

// --- questions ---

static void kernel_releases_are_compared_by_number(void **state) {
    (void)state;
    assert_true(kernel_is_at_least("5.9.0", 5, 9));
    assert_true(kernel_is_at_least("5.10-rc1", 5, 9));
    assert_true(kernel_is_at_least("6.1.0-13-amd64", 5, 9));
    assert_false(kernel_is_at_least("5.8.18", 5, 9));
    assert_false(kernel_is_at_least("4.18.0-553.el8", 5, 9));
    assert_false(kernel_is_at_least("unreadable", 5, 9));
}

static void lacking_capabilities_are_named(void **state) {
    (void)state;
    char names[64];
    uint64_t wanted = BIT(CAP_SYS_ADMIN) | BIT(CAP_CHECKPOINT_RESTORE) | BIT(CAP_CHOWN);
    assert_int_equal(capabilities_lacking(wanted, BIT(CAP_CHOWN), names, sizeof names), 2);
    assert_string_equal(names, "cap_sys_admin, cap_checkpoint_restore");
    assert_int_equal(capabilities_lacking(wanted, UINT64_MAX, names, sizeof names), 0);
    assert_string_equal(names, "");
    assert_int_equal(capabilities_lacking(wanted, 0, names, 12), 3); // and stays inside
}

// --- this host ---

static const struct requirement *requirement_of(const struct requirements *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->list[i].name, name) == 0)
            return &list->list[i];
    fail_msg("there is no requirement '%s'", name);
    return NULL;
}

static const struct options options = {.criu = "/no/such/criu", .json = true};

static void the_lease_directory_that_is_named_is_looked_at(void **state) {
    (void)state;
    struct options other = options;
    other.limits.directory = "/proc/no-such-directory";
    struct requirements list = {0};
    assert_int_equal(check_requirements(&other, &list, &failure), 0);
    const struct requirement *leases = requirement_of(&list, "lease directory");
    assert_int_equal(leases->status, CHECK_FAIL);
    assert_non_null(strstr(leases->detail, "/proc/no-such-directory"));
    requirements_clear(&list);
}

static void every_requirement_is_looked_at_and_what_fails_has_a_fix(void **state) {
    (void)state;
    static const char *const names[] = {"kernel", "criu",           "rights",
                                        "ptrace", "namespaces",     "RAM disk",
                                        "memory", "time namespace", "lease directory"};
    struct requirements list = {0};
    assert_int_equal(check_requirements(&options, &list, &failure), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        requirement_of(&list, names[i]);
    for (size_t i = 0; i < list.count; i++)
        assert_true(list.list[i].status == CHECK_PASS || list.list[i].fix != NULL);
    assert_int_equal(requirement_of(&list, "kernel")->status, CHECK_PASS);
    requirements_clear(&list);
}

static void a_missing_criu_fails_with_its_name(void **state) {
    (void)state;
    struct requirements list = {0};
    assert_int_equal(check_requirements(&options, &list, &failure), 0);
    const struct requirement *criu = requirement_of(&list, "criu");
    assert_int_equal(criu->status, CHECK_FAIL);
    assert_non_null(strstr(criu->detail, "/no/such/criu"));
    requirements_clear(&list);
}

static void the_command_prints_and_fails(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(check_host(&options, out, &failure), -1);
    assert_int_equal(failure.code, EXIT_UNABLE);
    fclose(out);
    json_error_t error;
    json_t *object = json_loads(text, 0, &error);
    assert_non_null(object);
    assert_true(json_is_false(json_object_get(object, "able")));
    const json_t *host = json_object_get(object, "host");
    assert_string_equal(json_string_value(json_object_get(host, "criu")), "");
    assert_true(json_integer_value(json_object_get(host, "page_size")) >= 4096);
    assert_true(json_array_size(json_object_get(host, "cpu_flags")) >
                json_array_size(json_object_get(host, "cpu_register_flags")));
    json_decref(object);
    free(text);
}

// --- a process ---

static int listen_abstractly(void *context) {
    (void)context;
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr automatic = {.sa_family = AF_UNIX};
    return bind(listener, &automatic, sizeof automatic.sa_family) < 0 ? -1 : listen(listener, 1);
}

static int do_nothing(void *context) {
    (void)context;
    return 0;
}

static void a_process_is_described(void **state) {
    (void)state;
    struct subject subject = subject_start(do_nothing, NULL, -1);
    struct requirements list = {0};
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%d (test_check): processes 1, threads 1,", (int)subject.pid);
    assert_int_equal(check_process(subject.pid, &list, &failure), 0);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.list[0].status, CHECK_PASS);
    assert_memory_equal(list.list[0].detail, wanted, strlen(wanted));
    requirements_clear(&list);
    subject_end(&subject);
}

static void an_obstacle_comes_with_its_fix(void **state) {
    (void)state;
    struct subject subject = subject_start(listen_abstractly, NULL, -1);
    assert_int_equal(subject.error, 0);
    struct requirements list = {0};
    assert_int_equal(check_process(subject.pid, &list, &failure), 0);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.list[1].status, CHECK_FAIL);
    assert_non_null(strstr(list.list[1].detail, "listens on the unix socket @"));
    assert_null(strstr(list.list[1].detail, "close it"));
    assert_string_equal(list.list[1].fix, "close it before the clone (the quiesce hook may do it)");
    requirements_clear(&list);
    subject_end(&subject);
}

static void a_process_that_is_not_there_is_a_failure(void **state) {
    (void)state;
    struct requirements list = {0};
    assert_int_equal(check_process(-1, &list, &failure), -1);
    assert_int_equal(failure.code, EXIT_REFUSED);
    requirements_clear(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_a_line_for_each_and_one_for_each_fix),
        cmocka_unit_test(json_says_the_same_on_one_line),
        cmocka_unit_test(only_failures_make_a_host_unable),
        cmocka_unit_test(what_cannot_be_printed_is_a_failure),
        cmocka_unit_test(kernel_releases_are_compared_by_number),
        cmocka_unit_test(lacking_capabilities_are_named),
        cmocka_unit_test(every_requirement_is_looked_at_and_what_fails_has_a_fix),
        cmocka_unit_test(the_lease_directory_that_is_named_is_looked_at),
        cmocka_unit_test(a_missing_criu_fails_with_its_name),
        cmocka_unit_test(the_command_prints_and_fails),
        cmocka_unit_test(a_process_is_described),
        cmocka_unit_test(an_obstacle_comes_with_its_fix),
        cmocka_unit_test(a_process_that_is_not_there_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
