// What a pair check says of a peer that may be hostile.
#include "answer.h"
#include "scratch.h"

#include <jansson.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct failure failure;

// Prints into a file, and returns what was printed.
static const char *printed(char *refusal, bool json, int expected) {
    CloneWire__HostFacts host = CLONE_WIRE__HOST_FACTS__INIT;
    CloneWire__TaskFacts task = CLONE_WIRE__TASK_FACTS__INIT, *tasks = &task;
    CloneWire__Offer offer = CLONE_WIRE__OFFER__INIT;
    host.host_name = "a\xff\nb";
    task.command = "c\x1b[2Jd";
    offer.host = &host;
    offer.n_task = 1;
    offer.task = &tasks;
    offer.n_refusal = refusal != NULL;
    offer.refusal = &refusal;
    struct answer answer = {.host = &host};
    clone_wire__answer__init(&answer.message);

    char *directory = test_directory();
    const char *path = in(directory, "out");
    fflush(stdout);
    int before = dup(STDOUT_FILENO);
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(before >= 0 && dup2(file, STDOUT_FILENO) == STDOUT_FILENO);
    int result = answer_print(&answer, &offer, json, &failure);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    close(file);
    assert_int_equal(result, expected);
    const char *text = read_file(path);
    unlink(path);
    rmdir(directory);
    free(directory);
    return text;
}

static void a_refusal_that_is_no_text_is_a_refusal(void **state) {
    (void)state;
    const char *text = printed("no \xff", false, -1);
    assert_int_equal(failure.code, EXIT_REFUSED);
    assert_non_null(strstr(text, "  fail  no ?\n"));
    assert_null(strstr(text, "pass"));
    assert_non_null(strstr(printed("no \xff", true, -1), "\"refusals\":[\"no ?\"]"));
}

static void a_peers_words_are_printed_without_control_characters(void **state) {
    (void)state;
    const char *text = printed(NULL, false, 0);
    assert_non_null(strstr(text, "c?[2Jd on a??b:"));
    assert_non_null(strstr(text, "  pass  it can be cloned"));
    json_t *json = json_loads(printed(NULL, true, 0), 0, NULL);
    assert_string_equal(json_string_value(json_object_get(json, "source")), "a??b");
    json_decref(json);
}

static void only_characters_that_can_be_shown_are(void **state) {
    (void)state;
    static const struct {
        const char *text, *printable;
    } cases[] = {
        {"plain", "plain"},
        {"\t\x7f", "??"},
        {"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
         "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xc2\x9b", "??"},                  // a control character of two bytes
        {"\xc0\xaf \xe0\x80\xaf", "?? ???"}, // longer than need be
        {"\xed\xa0\x80", "???"},             // half of a pair
        {"\xf4\x90\x80\x80", "????"},        // beyond the last
        {"\xf8\x88\x80\x80\x80", "?????"},
        {"\x80 \xe2\x82", "? ??"}, // not begun, not ended
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[32];
        strcpy(text, cases[i].text);
        make_printable(text);
        assert_string_equal(text, cases[i].printable);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refusal_that_is_no_text_is_a_refusal),
        cmocka_unit_test(a_peers_words_are_printed_without_control_characters),
        cmocka_unit_test(only_characters_that_can_be_shown_are),
    };
    return cmocka_run_group_tests_name("answer", tests, NULL, NULL);
}
