// SPDX-License-Identifier: Apache-2.0
// What serve itself holds against a clone: at the offer, and when the hooks have run.
#include "facts.h"
#include "offer.h"

#include <fcntl.h>
#include <string.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct failure failure;

// A process that has one thing, and was offered with one file clone set and one needed file.
struct scene {
    struct task_facts task;
    struct claim claim, *claims;
    struct process_facts process;
    char *file_set;
    CloneWire__FileFacts library, *needed;
    struct offer offer;
    uint64_t limits[RLIM_NLIMITS];
    CloneWire__Caller caller;
    CloneWire__Answer answer;
};

static void set_scene(struct scene *scene, struct claim claim) {
    *scene = (struct scene){.claim = claim,
                            .task = {.pid = 7, .inner_pid = 7, .session = 7, .state = 'S'},
                            .file_set = "/home/me/work"};
    scene->claims = &scene->claim;
    scene->process = (struct process_facts){.root = 7,
                                            .uid = 1000,
                                            .gid = 1000,
                                            .tasks = &scene->task,
                                            .task_count = 1,
                                            .claims = &scene->claims,
                                            .claim_count = 1};
    clone_wire__file_facts__init(&scene->library);
    scene->library.path = "/usr/lib/libc.so.6";
    scene->needed = &scene->library;
    CloneWire__Offer *offer = &scene->offer.message;
    clone_wire__offer__init(offer);
    offer->uid = 1000;
    offer->file_set = &scene->file_set;
    offer->n_file_set = 1;
    offer->needed = &scene->needed;
    offer->n_needed = 1;
    clone_wire__caller__init(&scene->caller);
    scene->caller.gid = 1000;
    scene->caller.label = "";
    scene->caller.limit = scene->limits;
    scene->caller.n_limit = RLIM_NLIMITS;
    clone_wire__answer__init(&scene->answer);
    scene->answer.caller = &scene->caller;
}

static void assert_stands(const struct scene *scene) {
    if (offer_still_stands(&scene->offer, &scene->answer, &scene->process, &failure) < 0)
        fail_msg("%s", failure.text);
}

static void assert_falls(const struct scene *scene, const char *why) {
    assert_int_equal(offer_still_stands(&scene->offer, &scene->answer, &scene->process, &failure),
                     -1);
    assert_int_equal(failure.code, EXIT_REFUSED);
    if (strstr(failure.text, why) == NULL)
        fail_msg("'%s' doesn't say '%s'", failure.text, why);
}

static void what_the_target_cannot_give_is_refused_after_the_hooks(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene, (struct claim){CLAIM_PORT, {500}, NULL});
    assert_falls(&scene, "bound to port 500");
    scene.caller.capabilities = UINT64_MAX;
    assert_stands(&scene);
    set_scene(&scene, (struct claim){CLAIM_LIMIT, {RLIMIT_NOFILE, 64}, NULL});
    assert_falls(&scene, "hard limit of 'nofile'");
    scene.limits[RLIMIT_NOFILE] = 64;
    assert_stands(&scene);
    scene.caller.n_limit = RLIMIT_NOFILE; // of which it says nothing
    assert_falls(&scene, "hard limit of 'nofile'");
}

static void a_file_that_was_opened_since_the_offer_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *path;
        int flags;
        bool stands;
    } cases[] = {
        {"/home/me/work/log", O_RDWR, true},
        {"/usr/lib/libc.so.6", O_RDONLY, true},
        {"/usr/lib/libc.so.6", O_RDWR, false}, // it would write to the target's
        {"/usr/lib/libm.so.6", O_RDONLY, false},
        {"/home/me/workshop", O_RDONLY, false},
        {"/dev/null", O_RDWR, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene scene;
        set_scene(&scene, (struct claim){CLAIM_PATH, {cases[i].flags}, cases[i].path});
        if (cases[i].stands)
            assert_stands(&scene);
        else
            assert_falls(&scene, cases[i].path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_target_cannot_give_is_refused_after_the_hooks),
        cmocka_unit_test(a_file_that_was_opened_since_the_offer_is_refused),
    };
    return cmocka_run_group_tests_name("offer", tests, NULL, NULL);
}
