// SPDX-License-Identifier: Apache-2.0
// What a pair check says of a peer that may be hostile.
#include "answer.h"
#include "deadline.h"
#include "facts.h"
#include "mount_point.h"
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
    CloneWire__Offer offer = CLONE_WIRE__OFFER__INIT;
    host.host_name = "a\xff\nb";
    offer.host = &host;
    offer.command = "c\x1b[2Jd";
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

// --- an offer of one file, that only root may see ---

struct scene {
    char *directory;
    CloneWire__HostFacts *host;
    CloneWire__FileFacts file, *files;
    CloneWire__Offer offer;
    struct criu criu;
    struct path_maps maps;
    struct identity user;
    struct answer_request request;
};

static void set_scene(struct scene *scene) {
    *scene = (struct scene){.criu = {.program = "/opt/criu/bin/criu", .version = "4.2.1"},
                            .directory = test_directory(),
                            .user = {.uid = 65534, .gid = 65534, .unprivileged = true}};
    write_file(in(scene->directory, "secret"), "root's");
    chmod(scene->directory, 0700);
    clone_wire__file_facts__init(&scene->file);
    clone_wire__offer__init(&scene->offer);
    scene->file.path = strdup(in(scene->directory, "secret"));
    scene->file.mode = S_IFREG | 0644;
    scene->host = facts_of_host("4.2.1", &failure);
    scene->files = &scene->file;
    scene->offer.host = scene->host;
    scene->offer.uid = scene->user.uid;
    scene->offer.working_directory = "/";
    scene->offer.pid = 2;
    scene->offer.needed = &scene->files;
    scene->offer.n_needed = 1;
    scene->request = (struct answer_request){.offer = &scene->offer,
                                             .criu = &scene->criu,
                                             .maps = &scene->maps,
                                             .identity = &scene->user,
                                             .deadline_ns = deadline_in_ms(60000),
                                             .cancel_fd = -1};
}

static void clear_scene(struct scene *scene) {
    unlink(scene->file.path);
    rmdir(scene->directory);
    free(scene->directory);
    free(scene->file.path);
    clone_wire__host_facts__free_unpacked(scene->host, NULL);
}

static int answered(struct scene *scene) {
    struct answer answer;
    int result = answer_make(&answer, &scene->request, &failure);
    size_t refusals = answer.message.n_refusal;
    answer_clear(&answer);
    return result < 0 ? -1 : (int)refusals;
}

static void a_peer_learns_of_no_file_that_the_user_may_not_see(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    struct scene scene;
    set_scene(&scene);
    assert_int_equal(answered(&scene), -1);
    assert_non_null(strstr(failure.text, "Permission denied"));
    unlink(scene.file.path); // and whether it is there is none of its business
    assert_int_equal(answered(&scene), -1);
    assert_non_null(strstr(failure.text, "Permission denied"));
    assert_int_equal(access(scene.directory, R_OK), 0); // our rights are ours again
    clear_scene(&scene);
}

// The one refusal of an offer, which a peer reads.
static void assert_refused(struct scene *scene, const char *why) {
    struct answer answer;
    assert_int_equal(answer_make(&answer, &scene->request, &failure), 0);
    assert_int_equal(answer.message.n_refusal, 1);
    if (strstr(answer.message.refusal[0], why) == NULL)
        fail_msg("%s", answer.message.refusal[0]);
    answer_clear(&answer);
}

static void a_peer_learns_of_no_file_by_binding_over_it(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    struct scene scene;
    set_scene(&scene);
    char *root = strdup(in(scene.directory, "secret/below")); // which is no directory
    scene.offer.n_needed = 0;
    scene.offer.file_set = &root;
    scene.offer.n_file_set = 1;
    assert_refused(&scene, "may see, and pull may not make it");
    unlink(scene.file.path);
    assert_refused(&scene, "may see, and pull may not make it");
    chmod(scene.directory, 0755);
    assert_int_equal(answered(&scene), 0); // root makes it
    free(root);
    clear_scene(&scene);
}

// The empty file that another clone's copy is bound over, in a namespace that we don't see.
static void what_was_made_for_another_clone_is_missing(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.user = (struct identity){.uid = geteuid(), .gid = getegid()};
    scene.offer.uid = geteuid();
    assert_int_equal(answered(&scene), 1); // what is there is another file
    unlink(scene.file.path);
    struct keeper *keeper = keeper_start(&failure);
    assert_int_equal(mount_point_make(scene.file.path, false, keeper, &failure), 0);
    struct answer answer;
    assert_int_equal(answer_make(&answer, &scene.request, &failure), 0);
    assert_int_equal(answer.message.n_refusal, 0);
    assert_int_equal(answer.message.n_missing, 1);
    assert_string_equal(answer.missing_paths[0], scene.file.path);
    answer_clear(&answer);
    keeper_finish(keeper);
    clear_scene(&scene);
}

static void a_process_has_a_number_from_2_on(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    for (scene.offer.pid = 0; scene.offer.pid < 2; scene.offer.pid++) {
        assert_int_equal(answered(&scene), -1);
        assert_int_equal(failure.code, EXIT_TRANSFER);
        assert_non_null(strstr(failure.text, "offers no process"));
    }
    clear_scene(&scene);
}

static void comparing_files_has_an_end(void **state) {
    (void)state;
    int cancel[2];
    struct scene scene;
    set_scene(&scene);
    scene.user = (struct identity){.uid = geteuid(), .gid = getegid()};
    scene.offer.uid = geteuid();
    assert_int_equal(answered(&scene), 1); // it is larger
    scene.request.deadline_ns = now_ns();
    assert_int_equal(answered(&scene), -1);
    assert_int_equal(failure.code, EXIT_DEADLINE);
    assert_int_equal(pipe(cancel), 0);
    assert_int_equal(write(cancel[1], "x", 1), 1);
    scene.request.cancel_fd = cancel[0];
    assert_int_equal(answered(&scene), -1);
    assert_int_equal(failure.code, EXIT_INTERRUPTED);
    close(cancel[0]);
    close(cancel[1]);
    clear_scene(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refusal_that_is_no_text_is_a_refusal),
        cmocka_unit_test(a_peers_words_are_printed_without_control_characters),
        cmocka_unit_test(only_characters_that_can_be_shown_are),
        cmocka_unit_test(a_peer_learns_of_no_file_that_the_user_may_not_see),
        cmocka_unit_test(a_peer_learns_of_no_file_by_binding_over_it),
        cmocka_unit_test(what_was_made_for_another_clone_is_missing),
        cmocka_unit_test(a_process_has_a_number_from_2_on),
        cmocka_unit_test(comparing_files_has_an_end),
    };
    return cmocka_run_group_tests_name("answer", tests, NULL, NULL);
}
