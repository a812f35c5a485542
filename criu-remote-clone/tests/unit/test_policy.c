// SPDX-License-Identifier: Apache-2.0
// policy.c: images of real dumps are taken; each way to get more than the user could have is
// refused with a line that says what. The hostile images are real ones with one thing changed.
#include "images.h"
#include "policy.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <linux/capability.h>
#include <sys/mman.h>

static struct failure failure;
static const gid_t user_groups[] = {1000, 1001};

struct asked {
    char denied[256];  // this path is nobody's
    bool only_writing; // but everybody may read it
    int flags;         // of the last question about it that was denied
    size_t questions;
};

static bool may_open(void *context, const char *path, int flags) {
    struct asked *asked = context;
    asked->questions++;
    if (strcmp(path, asked->denied) != 0 ||
        (asked->only_writing && (flags & O_ACCMODE) == O_RDONLY))
        return true;
    asked->flags = flags;
    return false;
}

static struct policy_caller plain_caller(void) {
    struct policy_caller caller = {.login_uid = UINT32_MAX, .only_users_groups = true};
    for (size_t i = 0; i < RLIM_NLIMITS; i++)
        caller.limits[i] = UINT64_MAX;
    caller.limits[RLIMIT_MEMLOCK] = 8 << 20;
    return caller;
}

static struct policy_caller root_caller(void) {
    struct policy_caller caller = plain_caller();
    caller.capabilities = UINT64_MAX;
    return caller;
}

static int judge_with(const struct image_set *set, struct policy *policy) {
    failure = (struct failure){0};
    for (size_t i = 0; i < set->count; i++) {
        const struct set_image *image = &set->images[i];
        // Of just its size, so that the sanitizer sees every byte too many.
        uint8_t *copy = malloc(image->bytes.length > 0 ? image->bytes.length : 1);
        memcpy(copy, image->bytes.data, image->bytes.length);
        int result = policy_check(policy, image->name, copy, image->bytes.length, &failure);
        free(copy);
        if (result != 0) {
            assert_null(policy->memory);
            return result;
        }
    }
    int result = policy_complete(policy, &failure);
    assert_null(policy->memory);
    return result;
}

// As user 1000 with group 1001, who may open everything but `denied`.
static int judge(const struct image_set *set, const struct policy_caller *caller,
                 struct asked *asked) {
    struct policy policy = {.uid = 1000,
                            .gid = 1000,
                            .groups = user_groups,
                            .group_count = 2,
                            .may_open = may_open,
                            .context = asked,
                            .caller = caller};
    return judge_with(set, &policy);
}

static void expect_accepted(const struct image_set *set) {
    struct policy_caller caller = plain_caller();
    struct asked asked = {0};
    if (judge(set, &caller, &asked) != 0)
        fail_msg("refused: %s", failure.text);
    assert_true(asked.questions > 0);
}

// The refusal names the image and says `why`.
static void expect_refused(const struct image_set *set, const char *why) {
    struct policy_caller caller = plain_caller();
    struct asked asked = {0};
    if (judge(set, &caller, &asked) != -1)
        fail_msg("accepted, but: %s", why);
    assert_int_equal(failure.code, EXIT_IMAGE);
    if (strstr(failure.text, why) == NULL)
        fail_msg("'%s' doesn't say '%s'", failure.text, why);
}

static bool accepted_by(const struct image_set *set, const struct policy_caller *caller) {
    struct asked asked = {0};
    return judge(set, caller, &asked) == 0;
}

// ---- What is taken

static void the_images_of_a_c_program_are_accepted(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    expect_accepted(set);
    set_free(set);
}

static void the_images_of_a_jvm_are_accepted_on_roots_own_behalf(void **state) {
    (void)state;
    struct image_set *set = set_load(JVM);
    struct policy_caller caller = root_caller();
    struct asked asked = {0};
    struct policy policy = {.may_open = may_open, .context = &asked, .caller = &caller};
    if (judge_with(set, &policy) != 0)
        fail_msg("refused: %s", failure.text);
    expect_refused(set, "runs as user 0");
    set_free(set);
}

static void the_order_of_the_images_does_not_matter(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    for (size_t i = 0; i < set->count / 2; i++) {
        struct set_image swapped = set->images[i];
        set->images[i] = set->images[set->count - 1 - i];
        set->images[set->count - 1 - i] = swapped;
    }
    expect_accepted(set);
    set_free(set);
}

static void the_caller_is_read_from_this_process_when_not_given(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct asked asked = {0};
    // No process may open that many files, and user 1000's clone gets no capability of ours.
    edit_number(set_find(set, "core-"), 0, "3.8.1.2", UINT64_MAX);
    assert_int_equal(judge(set, NULL, &asked), -1);
    assert_non_null(strstr(failure.text, "hard limit"));
    set_free(set);
}

// ---- Fields: one changed in an otherwise good set

struct change {
    const char *image;
    const char *select_path; // NULL: the first entry
    const char *select_value;
    const char *path;
    uint64_t value;
    const char *text; // instead of the value
    const char *why;
};

#define PATH_OF "3.6" // file_entry.reg.name
#define ID_OUT "/srv/example/work/id.out"

static void apply(struct image_set *set, const struct change *change) {
    struct set_image *image = set_find(set, change->image);
    assert_non_null(image);
    size_t entry = change->select_path != NULL
                       ? entry_with(image, change->select_path, change->select_value)
                       : 0;
    if (change->text != NULL)
        edit_text(image, entry, change->path, change->text);
    else
        edit_number(image, entry, change->path, change->value);
}

static void refuse_each(const struct change *changes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct image_set *set = set_load(C_PROGRAM);
        apply(set, &changes[i]);
        expect_refused(set, changes[i].why);
        set_free(set);
    }
}
#define REFUSE_EACH(changes) refuse_each(changes, sizeof changes / sizeof changes[0])

static void other_credentials_are_refused(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"core-", NULL, NULL, "5.10.1", 0, NULL, "runs as user 0"},
        {"core-", NULL, NULL, "5.10.2", 0, NULL, "runs as group 0"},
        {"core-", NULL, NULL, "5.10.3", 0, NULL, "runs as user 0"},
        {"core-", NULL, NULL, "5.10.4", 0, NULL, "runs as group 0"},
        {"core-", NULL, NULL, "5.10.5", 0, NULL, "runs as user 0"},
        {"core-", NULL, NULL, "5.10.6", 0, NULL, "runs as group 0"},
        {"core-", NULL, NULL, "5.10.7", 0, NULL, "runs as user 0"},
        {"core-", NULL, NULL, "5.10.8", 0, NULL, "runs as group 0"},
        {"core-", NULL, NULL, "5.10.1", 1001, NULL, "pull as the user it belongs to"},
        {"core-", NULL, NULL, "5.10.14", 0, NULL, "in group 0"},
        {"core-", NULL, NULL, "5.10.14", 42, NULL, "in group 42"},
        {"core-", NULL, NULL, "5.10.9", 1, NULL, "capabilities"},
        {"core-", NULL, NULL, "5.10.10", 1 << CAP_SYS_ADMIN, NULL, "capabilities"},
        {"core-", NULL, NULL, "5.10.11", 1, NULL, "capabilities"},
        {"core-", NULL, NULL, "5.10.19", 1, NULL, "capabilities"},
        {"core-", NULL, NULL, "5.10.13", 1, NULL, "secure bits"},
        {"core-", NULL, NULL, "5.10.15", 0, "unconfined_t", "security label 'unconfined_t'"},
        {"core-", NULL, NULL, "5.10.16", 0, "any_t", "labels its sockets"},
        {"core-", NULL, NULL, "5.10.17", 0, "profile", "field 17 of Creds"},
    };
    REFUSE_EACH(changes);
}

static void capabilities_above_32_are_seen(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct bytes words = {0};
    put_number(&words, 10, 0);
    put_number(&words, 10, 1 << (CAP_CHECKPOINT_RESTORE - 32));
    edit_entry(set_find(set, "core-"), 0, "5.10.10", words);
    expect_refused(set, "capabilities");
    struct policy_caller caller = plain_caller();
    caller.capabilities = 1ULL << CAP_CHECKPOINT_RESTORE;
    assert_true(accepted_by(set, &caller));
    set_free(set);
}

static void every_threads_credentials_are_looked_at(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    for (size_t i = 0; i < set->count; i++) {
        struct set_image *image = &set->images[i];
        bool zombie = image->bytes.length < 100;
        if (strncmp(image->name, "core-", 5) != 0 || zombie)
            continue;
        struct image_set *one = set_load(C_PROGRAM);
        edit_number(set_find(one, image->name), 0, "5.10.1", 0);
        expect_refused(one, "runs as user 0");
        set_free(one);
    }
    set_free(set);
}

static void a_process_without_credentials_is_refused(void **state) {
    (void)state;
    static const char *const paths[] = {"5.10", "5"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct image_set *set = set_load(C_PROGRAM);
        edit_away(set_find(set, "core-"), 0, paths[i]);
        expect_refused(set, "no credentials");
        set_free(set);
    }
    struct image_set *set = set_load(C_PROGRAM);
    edit_away(set_find(set, "core-"), 0, "5.10.7");
    expect_refused(set, "incomplete");
    set_free(set);
}

static void no_groups_would_be_criu_s_own(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    edit_away(set_find(set, "core-"), 0, "5.10.14");
    expect_accepted(set);
    struct policy_caller caller = plain_caller();
    caller.only_users_groups = false;
    assert_false(accepted_by(set, &caller));
    assert_non_null(strstr(failure.text, "no supplementary groups"));
    set_free(set);
}

static void groups_that_are_replaced_do_not_count(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct policy_caller caller = plain_caller();
    struct asked asked = {0};
    struct policy policy = {.uid = 1000,
                            .gid = 1000,
                            .groups_replaced = true,
                            .may_open = may_open,
                            .context = &asked,
                            .caller = &caller};
    edit_number(set_find(set, "core-"), 0, "5.10.14", 42);
    edit_number(set_find(set, "ghost-file-1"), 0, "2", 42);
    assert_int_equal(judge_with(set, &policy), 0);
    policy.groups_replaced = false;
    assert_int_equal(judge_with(set, &policy), -1);
    set_free(set);
}

static void a_label_is_taken_if_it_is_the_callers(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct policy_caller caller = plain_caller();
    snprintf(caller.label, sizeof caller.label, "user_t");
    edit_text(set_find(set, "core-"), 0, "5.10.15", "user_t");
    edit_number(set_find(set, "inventory"), 0, "6", 1);
    assert_true(accepted_by(set, &caller));
    edit_text(set_find(set, "core-"), 0, "5.10.15", "unconfined_t");
    assert_false(accepted_by(set, &caller));
    edit_text(set_find(set, "core-"), 0, "5.10.15", "user_t");
    edit_text(set_find(set, "fdinfo-"), 0, "5", "secret_t");
    assert_false(accepted_by(set, &caller));
    set_free(set);
}

static void privileges_of_scheduling_and_limits_are_refused(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"core-", NULL, NULL, "5.4", 1, NULL, "scheduling policy 1"},
        {"core-", NULL, NULL, "5.4", 2, NULL, "scheduling policy 2"},
        {"core-", NULL, NULL, "5.4", 6, NULL, "scheduling policy 6"},
        {"core-", NULL, NULL, "5.4", 0x40000001, NULL, "scheduling policy 1"},
        {"core-", NULL, NULL, "5.3", 9, NULL, "nice -5"},
        {"core-", NULL, NULL, "3.13", 0, NULL, "user 0 would be audited"},
        {"core-", NULL, NULL, "3.14", (uint64_t)-1000, NULL, "oom_score_adj"},
        {"core-", NULL, NULL, "3.1", 4, NULL, "unknown state 4"},
        {"core-", NULL, NULL, "3.11", 2, NULL, "before 3.0"},
        {"core-", NULL, NULL, "5.11", 2, NULL, "no_new_privs"},
        {"core-", NULL, NULL, "5.11", 3, NULL, "unknown seccomp mode"},
        {"core-", NULL, NULL, "3.7.4.2", 8, NULL, "wake the host up"},
        {"files.img", "1", "17", "12.4", 9, NULL, "wake the host up"},
    };
    REFUSE_EACH(changes);
}

static void what_the_caller_has_the_clone_may_have(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *core = set_find(set, "core-");
    struct policy_caller caller = plain_caller();
    caller.login_uid = 4711;
    caller.nice = -5;
    caller.oom_score_adj = -500;
    edit_number(core, 0, "3.13", 4711);
    edit_number(core, 0, "3.14", (uint64_t)-500);
    edit_number(core, 0, "5.3", 9);
    assert_true(accepted_by(set, &caller));
    edit_number(core, 0, "3.14", (uint64_t)-501);
    assert_false(accepted_by(set, &caller));
    caller.capabilities = 1ULL << CAP_SYS_RESOURCE;
    assert_true(accepted_by(set, &caller));
    edit_number(core, 0, "5.4", 1);
    assert_false(accepted_by(set, &caller));
    caller.capabilities |= 1ULL << CAP_SYS_NICE;
    assert_true(accepted_by(set, &caller));
    set_free(set);
}

static void hard_limits_above_the_callers_are_refused(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct policy_caller caller = plain_caller();
    caller.limits[RLIMIT_NOFILE] = 1024;
    assert_false(accepted_by(set, &caller));
    assert_non_null(strstr(failure.text, "'nofile'"));
    caller.capabilities = 1ULL << CAP_SYS_RESOURCE;
    assert_true(accepted_by(set, &caller));
    set_free(set);
}

static void system_call_filters_need_no_new_privs(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *core = set_find(set, "core-"), *seccomp = set_find(set, "seccomp");
    struct bytes filter = {0}, entry = {0};
    edit_number(core, 0, "5.11", 2);
    edit_number(core, 0, "5.12", 0);
    edit_number(core, 0, "5.10.18", 1);
    expect_refused(set, "system-call filter 0 is missing");
    put_data(&filter, 1, "\6\0\0\0\0\0\xff\x7f", 8);
    put_data(&entry, 1, filter.data, filter.length);
    edit_entry(seccomp, 0, "1", entry);
    expect_accepted(set);
    edit_number(seccomp, 0, "1.3", 1 << 3); // SECCOMP_FILTER_FLAG_NEW_LISTENER
    expect_refused(set, "filter 0 is malformed");
    edit_number(seccomp, 0, "1.3", 1 << 1);
    edit_number(seccomp, 0, "1.2", 0); // its own predecessor
    expect_refused(set, "filter 0 is malformed");
    edit_away(seccomp, 0, "1.2");
    edit_text(seccomp, 0, "1.1", "not eight");
    expect_refused(set, "filter 0 is malformed");
    free(filter.data);
    set_free(set);
}

static void the_inventory_asks_for_nothing_special(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"inventory", NULL, NULL, "1", 1, NULL, "CRIU 2 or later"},
        {"inventory", NULL, NULL, "11", 3, NULL, "network lock"},
        {"inventory", NULL, NULL, "14", 1, NULL, "probes"},
        {"inventory", NULL, NULL, "12.12", 0, "cuda_plugin", "plug-in"},
        // This text becomes part of a command for nft.
        {"inventory", NULL, NULL, "13", 0, ";flush ruleset", "run id"},
        {"inventory", NULL, NULL, "13", 0, "0123456789012345678901234567890123456", "field 13"},
    };
    REFUSE_EACH(changes);
}

static void other_namespaces_are_refused(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"ids-", NULL, NULL, "5", 77, NULL, "namespace"},
        {"ids-", NULL, NULL, "6", 77, NULL, "namespace"},
        {"ids-", NULL, NULL, "7", 77, NULL, "namespace"},
        {"ids-", NULL, NULL, "8", 77, NULL, "namespace"},
        {"ids-", NULL, NULL, "9", 77, NULL, "namespace"},
        {"ids-", NULL, NULL, "10", 77, NULL, "namespace"},
        {"ids-", NULL, NULL, "11", 77, NULL, "namespace"},
        {"inventory", NULL, NULL, "3.10", 77, NULL, "namespace"},
        {"core-", NULL, NULL, "4.8", 77, NULL, "namespace"},
        {"files.img", "1", "4", "4.18", 77, NULL, "namespace"},
        {"files.img", "1", "5", "16.16", 77, NULL, "namespace"},
    };
    REFUSE_EACH(changes);
    struct image_set *set = set_load(C_PROGRAM);
    edit_number(set_find(set, "ids-"), 0, "12", 77); // a clock of its own is harmless
    expect_accepted(set);
    set_free(set);
}

static void impossible_processes_are_refused(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"pstree", NULL, NULL, "1", 1, NULL, "ids from 2"},
        {"pstree", NULL, NULL, "1", 1 << 22, NULL, "ids from 2"},
        {"pstree", NULL, NULL, "2", 5, NULL, "one tree"},
        {"pstree", NULL, NULL, "3", 1 << 22, NULL, "group or session"},
        {"pstree", NULL, NULL, "4", 0xffffffff, NULL, "group or session"},
        {"pstree", NULL, NULL, "1", 4242, NULL, "missing"},
    };
    REFUSE_EACH(changes);
    struct image_set *set = set_load(C_PROGRAM);
    edit_number(set_find(set, "pstree"), 1, "2", 0); // two roots
    expect_refused(set, "one tree");
    edit_number(set_find(set, "pstree"), 1, "2", 4242);
    expect_refused(set, "parent 4242");
    set_free(set);
}

static void the_first_process_is_the_one_that_was_offered(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct policy_caller caller = plain_caller();
    struct asked asked = {0};
    struct policy policy = {.uid = 1000,
                            .gid = 1000,
                            .groups = user_groups,
                            .group_count = 2,
                            .may_open = may_open,
                            .context = &asked,
                            .caller = &caller};
    sscanf(set_find(set, "core-")->name, "core-%d.img", &policy.root);
    assert_int_equal(judge_with(set, &policy), 0);
    policy.root++;
    assert_int_equal(judge_with(set, &policy), -1);
    assert_non_null(strstr(failure.text, "was offered"));
    set_free(set);
}

static void open_files_have_plain_paths_and_flags(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"files.img", PATH_OF, ID_OUT, "3.6", 0, "", "not absolute and plain"},
        {"files.img", PATH_OF, ID_OUT, "3.6", 0, "id.out", "not absolute and plain"},
        {"files.img", PATH_OF, ID_OUT, "3.6", 0, "/srv/../etc/shadow", "not absolute and plain"},
        {"files.img", PATH_OF, ID_OUT, "3.6", 0, "/srv/./x", "not absolute and plain"},
        {"files.img", PATH_OF, ID_OUT, "3.6", 0, "/srv//x", "not absolute and plain"},
        {"files.img", PATH_OF, ID_OUT, "3.6", 0, "/srv/x/", "not absolute and plain"},
        {"files.img", PATH_OF, ID_OUT, "3.2", O_RDWR | O_CREAT, NULL, "flags"},
        {"files.img", PATH_OF, ID_OUT, "3.2", O_WRONLY | O_TRUNC, NULL, "flags"},
        {"files.img", PATH_OF, ID_OUT, "3.2", O_RDWR | O_EXCL, NULL, "flags"},
        {"files.img", PATH_OF, ID_OUT, "3.2", O_ACCMODE, NULL, "flags"},
        {"files.img", PATH_OF, ID_OUT, "3.2", 1u << 31, NULL, "flags"},
        {"files.img", PATH_OF, ID_OUT, "3.2", O_RDWR | O_TMPFILE, NULL, "no name"},
        {"files.img", PATH_OF, ID_OUT, "3.9", 1, NULL, "mount namespace"},
        {"files.img", PATH_OF, ID_OUT, "3.7", 2, NULL, "mount namespace"},
        {"files.img", PATH_OF, ID_OUT, "3.10", 0, NULL, "no mode or size"},
        {"files.img", PATH_OF, ID_OUT, "3.1", 4711, NULL, "contradicts itself"},
        {"files.img", PATH_OF, ID_OUT, "2", 4711, NULL, "contradicts itself"},
        {"files.img", PATH_OF, ID_OUT, "1", 2, NULL, "contradicts itself"},
        {"files.img", PATH_OF, ID_OUT, "1", 15, NULL, "type 15"},
    };
    REFUSE_EACH(changes);
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *files = set_find(set, "files.img");
    edit_away(files, entry_with(files, PATH_OF, ID_OUT), "3.8");
    expect_refused(set, "no mode or size");
    set_free(set);
}

static void a_nul_in_a_path_is_refused(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *files = set_find(set, "files.img");
    struct bytes path = {0};
    put_data(&path, 6, "/etc/shadow\0.out", 16);
    edit_entry(files, entry_with(files, PATH_OF, ID_OUT), "3.6", path);
    expect_refused(set, "field 6 of Reg");
    set_free(set);
}

static void a_refusal_is_one_printable_line(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *files = set_find(set, "files.img");
    edit_text(files, entry_with(files, PATH_OF, ID_OUT), "3.6", "\x1b]0;x\a\n\xc2\x9b/id");
    expect_refused(set, "?]0;x\?\?\?\?/id");
    struct policy_caller caller = plain_caller();
    struct policy policy = {.may_open = may_open, .caller = &caller};
    assert_int_equal(policy_check(&policy, "\x1b[31m", "", 0, &failure), -1);
    assert_non_null(strstr(failure.text, "?[31m: "));
    set_free(set);
}

// The callback's word counts, and it is asked with the right flags.
static void expect_asked(const char *change_to, const char *path, int flags) {
    struct image_set *set = set_load(C_PROGRAM);
    struct policy_caller caller = plain_caller();
    struct asked asked = {.flags = -1};
    snprintf(asked.denied, sizeof asked.denied, "%s", path);
    if (change_to != NULL)
        edit_text(set_find(set, "files.img"),
                  entry_with(set_find(set, "files.img"), PATH_OF, ID_OUT), "3.6", change_to);
    if (judge(set, &caller, &asked) != -1)
        fail_msg("%s is taken", path);
    assert_int_equal(failure.code, EXIT_IMAGE);
    assert_non_null(strstr(failure.text, path));
    assert_int_equal(asked.flags, flags);
    set_free(set);
}

static void every_path_is_asked_for(void **state) {
    (void)state;
    expect_asked("/etc/shadow", "/etc/shadow", O_RDWR);
    expect_asked(NULL, ID_OUT, O_RDWR);
    expect_asked(NULL, "/srv/example/work/app.log", O_WRONLY);
    expect_asked(NULL, "/srv/example/bin/program", O_RDONLY);
    expect_asked(NULL, "/srv/example/work", O_RDONLY); // working directory
    expect_asked(NULL, "/srv/example/work/gone.tmp", O_RDWR | O_CREAT);
    expect_asked(NULL, "/srv/example/work/fifo", O_RDWR);
    expect_asked(NULL, "/srv/example/work/sock.name", O_RDWR | O_CREAT);
    expect_asked("/", "/", O_RDWR);
    expect_asked("/dev/sda", "/dev/sda", O_RDWR);
    expect_asked("/dev/pts/3", "/dev/pts/3", O_RDWR);
    expect_asked("/dev/tty", "/dev/tty", O_RDWR);
}

// Refused or taken without a question: `why` NULL is taken.
static void open_path_of_its_own_right(const char *path, int flags, const char *why) {
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *files = set_find(set, "files.img");
    struct policy_caller caller = plain_caller();
    struct asked asked = {.flags = -1};
    snprintf(asked.denied, sizeof asked.denied, "%s", path);
    size_t entry = entry_with(files, PATH_OF, ID_OUT);
    edit_text(files, entry, "3.6", path);
    edit_number(files, entry, "3.2", (uint64_t)flags);
    int result = judge(set, &caller, &asked);
    if (why == NULL && result != 0)
        fail_msg("%s: %s", path, failure.text);
    if (why != NULL && (result != -1 || strstr(failure.text, why) == NULL))
        fail_msg("%s is taken, or '%s'", path, failure.text);
    assert_int_equal(asked.flags, -1);
    set_free(set);
}

static void harmless_devices_and_facts_are_open_to_all(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    char own[128];
    snprintf(own, sizeof own, "/proc/%d/task/1/comm", atoi(set_find(set, "core-")->name + 5));
    open_path_of_its_own_right("/dev/null", O_RDWR, NULL);
    open_path_of_its_own_right("/dev/zero", O_RDWR, NULL);
    open_path_of_its_own_right("/dev/urandom", O_RDONLY, NULL);
    open_path_of_its_own_right("/", O_RDONLY, NULL);
    open_path_of_its_own_right("/proc/meminfo", O_RDONLY, NULL);
    open_path_of_its_own_right(own, O_RDONLY, NULL);
    open_path_of_its_own_right(own, O_RDWR, "may not have");
    set_free(set);
}

static void the_rest_of_proc_and_writing_to_sys_is_refused(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    int pid = atoi(set_find(set, "core-")->name + 5);
    static const char *const files[] = {"mem",         "fd/3",         "root",
                                        "cwd",         "exe",          "ns/mnt",
                                        "map_files/x", "attr/current", "root/etc/shadow",
                                        "task/1/fd/2", "clear_refs"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "/proc/%d/%s", pid, files[i]);
        open_path_of_its_own_right(path, O_RDONLY, "may not have");
    }
    open_path_of_its_own_right("/proc/1/environ", O_RDONLY, "may not have");
    open_path_of_its_own_right("/proc/kcore", O_RDONLY, "may not have");
    open_path_of_its_own_right("/proc/sys/kernel/core_pattern", O_WRONLY, "may not have");
    open_path_of_its_own_right("/proc/meminfo", O_WRONLY, "may not have");
    open_path_of_its_own_right("/proc", O_RDONLY, "may not have");
    open_path_of_its_own_right("/sys/kernel/x", O_WRONLY, "may not have");
    set_free(set);
}

static void files_are_used_as_what_they_are(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *files = set_find(set, "files.img");
    char id[16], exe[16], null[16];
    struct image reader = opened(files);
    struct pb_view entry;
    while (image_next(&reader, &entry.bytes, &entry.length, &failure) == 1) {
        struct pb_view name = pb_part(pb_part(entry, 3), 6);
        char *to = NULL;
        if (name.bytes != NULL && name.length == strlen(ID_OUT) &&
            memcmp(name.bytes, ID_OUT, name.length) == 0)
            to = id;
        else if (name.length == 9 && memcmp(name.bytes, "/dev/null", 9) == 0)
            to = null;
        else if (name.length > 8 && memcmp(name.bytes + name.length - 8, "/program", 8) == 0)
            to = exe;
        if (to != NULL)
            snprintf(to, sizeof id, "%d", (int)pb_number(entry, 2, 0));
    }
    set_free(set);
    const struct change changes[] = {
        {"mm-", NULL, NULL, "12", (uint64_t)atoi(id), NULL, "not executable"},
        {"mm-", NULL, NULL, "12", 4711, NULL, "file 4711 is used"},
        {"fs-", NULL, NULL, "1", (uint64_t)atoi(exe), NULL, "not a directory"},
        {"fs-", NULL, NULL, "2", (uint64_t)atoi(null), NULL, "not a directory"},
        {"fs-", NULL, NULL, "2", 4711, NULL, "file 4711 is used"},
        {"fdinfo-", NULL, NULL, "1", 4711, NULL, "file 4711 is used"},
        {"fdinfo-", NULL, NULL, "3", 5, NULL, "is used and isn't in it"},
        {"files.img", "1", "3", "17.3", (uint64_t)atoi(id), NULL, "not a FIFO"},
    };
    REFUSE_EACH(changes);
}

static void another_root_directory_is_refused(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *fs = set_find(set, "fs-");
    struct image reader = opened(fs);
    struct pb_view entry;
    assert_int_equal(image_next(&reader, &entry.bytes, &entry.length, &failure), 1);
    edit_number(fs, 0, "2", pb_number(entry, 1, 0)); // the working directory
    expect_refused(set, "root directory /srv/example/work");
    set_free(set);
}

static void memory_of_special_kinds_is_refused(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"mm-", NULL, NULL, "14.7", 1 << 10, NULL, "System V"},
        {"mm-", NULL, NULL, "14.7", 1 << 11, NULL, "packet ring"},
        {"mm-", NULL, NULL, "14.7", 1 << 27, NULL, "a device"},
        {"mm-", NULL, NULL, "14.2", 1, NULL, "ends before it begins"},
        {"mm-", NULL, NULL, "14.6", MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, NULL,
         "locked in memory"},
        {"mm-", NULL, NULL, "14.10", O_RDWR | O_TRUNC, NULL, "flags"},
        {"mm-", NULL, NULL, "14.4", 4711, NULL, "file 4711 is used"},
        {"pagemap-", NULL, NULL, "2", 1, NULL, "field 2 of PagemapHead"},
        {"memfd", NULL, NULL, "2", 0, NULL, "a memfd would be made for user 0"},
        {"memfd", NULL, NULL, "3", 42, NULL, "group 42"},
        {"memfd", NULL, NULL, "9", 0104755, NULL, "set-user-ID"},
        {"memfd", NULL, NULL, "8", 1, NULL, "unknown flags"},
    };
    REFUSE_EACH(changes);
    struct image_set *set = set_load(C_PROGRAM);
    edit_number(set_find(set, "pagemap-"), 1, "4", 1);
    expect_refused(set, "increment");
    edit_number(set_find(set, "pagemap-"), 1, "4", 4);
    edit_number(set_find(set, "pagemap-"), 1, "3", 1);
    expect_refused(set, "increment");
    set_free(set);
}

static void a_mapping_of_a_file_may_not_write_more_than_allowed(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct policy_caller caller = plain_caller();
    struct asked asked = {.denied = "/srv/example/bin/program", .only_writing = true};
    assert_int_equal(judge(set, &caller, &asked), 0);
    edit_number(set_find(set, "mm-"), 0, "14.10", O_RDWR);
    assert_int_equal(judge(set, &caller, &asked), -1);
    assert_int_equal(asked.flags, O_RDWR);
    set_free(set);
}

static void sockets_with_privileges_are_refused(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"files.img", "1", "4", "4.3", 17, NULL, "neither TCP nor UDP"}, // packet
        {"files.img", "1", "4", "4.4", 3, NULL, "neither TCP nor UDP"},  // raw
        {"files.img", "1", "4", "4.5", 1, NULL, "neither TCP nor UDP"},  // icmp
        {"files.img", "1", "4", "4.7", 80, NULL, "port 80"},
        {"files.img", "1", "4", "4.14.10", 1, NULL, "CAP_NET_ADMIN"},
        {"files.img", "1", "4", "4.14.8", 7, NULL, "CAP_NET_ADMIN"},
        {"files.img", "1", "4", "4.14.15", 0, "eth0", "CAP_NET_RAW"},
        {"files.img", "1", "4", "4.14.1", 1u << 30, NULL, "buffer"},
        {"files.img", "1", "4", "4.16.4.1", 1, NULL, "neither TCP nor UDP"},
        {"files.img", "1", "5", "16.6", 1, NULL, "outside the image"},
        {"files.img", "1", "5", "16.17", 4, NULL, "outside the image"},
        {"files.img", "16.11", "sock.name", "16.13.2", 0, NULL, "for user 0"},
        {"files.img", "16.11", "sock.name", "16.13.1", 0144755, NULL, "set-user-ID"},
        {"files.img", "16.11", "sock.name", "16.11", 0, "../sock", "not plain"},
        {"files.img", "16.11", "sock.name", "16.14", 0, "/srv/../etc", "not plain"},
        {"files.img", "16.11", "sock.name", "16.14", 0, "", "not plain"},
        {"files.img", "1", "5", "16.10.10", 1, NULL, "CAP_NET_ADMIN"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct image_set *set = set_load(C_PROGRAM);
        struct set_image *files = set_find(set, "files.img");
        // Its name ends with a NUL in the image.
        struct bytes name = {0};
        put_text(&name, 11, "sock.name");
        for (size_t entry = 0;; entry++) {
            struct image reader = opened(files);
            struct pb_view message = {0};
            for (size_t k = 0; k <= entry; k++)
                assert_int_equal(image_next(&reader, &message.bytes, &message.length, &failure), 1);
            struct pb_view socket = pb_part(pb_part(message, 16), 11);
            if (socket.length == 10 && memcmp(socket.bytes, "sock.name", 9) == 0) {
                edit_entry(files, entry, "16.11", name);
                break;
            }
        }
        apply(set, &changes[i]);
        expect_refused(set, changes[i].why);
        set_free(set);
    }
}

// Adds a file of a type that the C program doesn't have.
static void append_file(struct image_set *set, uint32_t type, uint32_t field, struct bytes part) {
    struct bytes entry = {0}, whole = {0};
    put_number(&whole, 1, 900);
    put(&whole, part.data, part.length);
    put_number(&entry, 1, type);
    put_number(&entry, 2, 900);
    put_data(&entry, field, whole.data, whole.length);
    append_entry(set_find(set, "files.img"), entry);
    free(whole.data);
    free(part.data);
}

static void files_of_privileged_types_are_refused(void **state) {
    (void)state;
    // Packet socket, fanotify, namespace, tun, external, BPF map.
    static const struct {
        uint32_t type, field;
    } types[] = {{10, 6}, {12, 14}, {14, 5}, {15, 11}, {16, 15}, {19, 21}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct image_set *set = set_load(C_PROGRAM);
        append_file(set, types[i].type, types[i].field, (struct bytes){0});
        expect_refused(set, "of File is not one");
        set_free(set);
    }
}

static void netlink_sockets_are_for_routing_only(void **state) {
    (void)state;
    for (uint32_t protocol = 0; protocol < 20; protocol++) {
        struct image_set *set = set_load(C_PROGRAM);
        struct bytes socket = {0};
        put_number(&socket, 3, protocol);
        append_file(set, 13, 7, socket);
        if (protocol == 0)
            expect_accepted(set);
        else
            expect_refused(set, "not for routing");
        set_free(set);
    }
}

static void inotify_watches_are_refused(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *files = set_find(set, "files.img");
    edit_text(files, entry_with(files, "1", "8"), "13.5", "");
    expect_refused(set, "inotify");
    set_free(set);
}

static void signals_of_files_are_sent_as_the_user_to_the_clone(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *files = set_find(set, "files.img");
    int pid = atoi(set_find(set, "core-")->name + 5);
    size_t entry = entry_with(files, PATH_OF, ID_OUT);
    edit_number(files, entry, "3.5.5", 1);
    edit_number(files, entry, "3.5.1", 1000);
    edit_number(files, entry, "3.5.2", 1000);
    expect_refused(set, "process 1");
    edit_number(files, entry, "3.5.5", (uint64_t)pid);
    expect_accepted(set);
    edit_number(files, entry, "3.5.1", 0);
    expect_refused(set, "sent as user 0");
    set_free(set);
}

static void a_terminal_is_the_users_and_used_as_such_only(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct set_image *files = set_find(set, "files.img");
    struct bytes tty = {0}, info = {0}, regular = {0}, entry = {0}, owner = {0};
    put_number(&tty, 2, 1);
    put_number(&tty, 6, 901);
    append_file(set, 11, 19, tty);
    expect_refused(set, "file 901 is used");
    put_number(&regular, 1, 901);
    put_number(&regular, 2, O_RDWR);
    put_number(&regular, 3, 0);
    put_data(&regular, 5, owner.data, 0);
    put_text(&regular, 6, "/dev/pts/3");
    put_number(&regular, 10, 020620);
    put_number(&entry, 1, 1);
    put_number(&entry, 2, 901);
    put_data(&entry, 3, regular.data, regular.length);
    append_entry(files, entry);
    set_add(set, "tty-info.img", "\x19\x43VT\x36\x30\x45\x59", 8);
    put_number(&info, 1, 1);
    put_number(&info, 2, 1);
    put_number(&info, 14, 1000);
    append_entry(set_find(set, "tty-info"), info);
    expect_accepted(set);
    // Were it opened by path, it would be another user's terminal.
    struct bytes descriptor = {0};
    put_number(&descriptor, 1, 901);
    put_number(&descriptor, 2, 0);
    put_number(&descriptor, 3, 1);
    put_number(&descriptor, 4, 99);
    struct bytes fdinfo = set_find(set, "fdinfo-")->bytes, copy = {0};
    put(&copy, fdinfo.data, fdinfo.length);
    append_entry(set_find(set, "fdinfo-"), descriptor);
    expect_refused(set, "isn't one");
    free(set_find(set, "fdinfo-")->bytes.data);
    set_find(set, "fdinfo-")->bytes = copy;
    expect_accepted(set);
    size_t index = entry_with(files, PATH_OF, "/dev/pts/3");
    edit_text(files, index, "3.6", "/etc/shadow");
    expect_refused(set, "/etc/shadow is opened as a terminal");
    edit_text(files, index, "3.6", "/dev/pts/../sda");
    expect_refused(set, "not absolute and plain");
    edit_text(files, index, "3.6", "/dev/ptmx");
    edit_number(set_find(set, "tty-info"), 0, "14", 0);
    expect_refused(set, "given to user 0");
    edit_number(set_find(set, "tty-info"), 0, "14", 1000);
    edit_number(set_find(set, "tty-info"), 0, "2", 2);
    expect_refused(set, "neither a pseudo terminal");
    free(regular.data);
    set_free(set);
}

static void deleted_files_are_plain_and_the_users(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"ghost-file-1", NULL, NULL, "1", 0, NULL, "for user 0"},
        {"ghost-file-1", NULL, NULL, "2", 42, NULL, "group 42"},
        {"ghost-file-1", NULL, NULL, "3", 0104755, NULL, "set-user-ID"},
        {"ghost-file-1", NULL, NULL, "3", 0102755, NULL, "set-group-ID"},
        {"ghost-file-1", NULL, NULL, "3", 020666, NULL, "a deleted device"},
        {"ghost-file-1", NULL, NULL, "3", 060660, NULL, "a deleted device"},
        {"ghost-file-1", NULL, NULL, "3", 0120777, NULL, "a deleted device, link"},
        {"ghost-file-1", NULL, NULL, "6", 0x801, NULL, "field 6 of Ghost"},
        {"ghost-file-1", NULL, NULL, "11", 0, "/etc", "field 11 of Ghost"},
        {"remap-fpath", NULL, NULL, "3", 0, NULL, "under another name"},
        {"remap-fpath", NULL, NULL, "3", 2, NULL, "under another name"},
        {"remap-fpath", NULL, NULL, "1", 4711, NULL, "file 4711 is used"},
        {"remap-fpath", NULL, NULL, "2", 0x4711, NULL, "ghost-file-4711.img"},
    };
    REFUSE_EACH(changes);
    struct image_set *set = set_load(C_PROGRAM);
    edit_away(set_find(set, "remap-fpath"), 0, "3"); // the default is a link
    expect_refused(set, "under another name");
    set_free(set);
}

static void other_small_images_keep_to_their_rules(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"pipes-data", NULL, NULL, "3", 16 << 20, NULL, "a pipe is larger"},
        {"filelocks", NULL, NULL, "1", 8, NULL, "leased"},
    };
    REFUSE_EACH(changes);
    struct image_set *set = set_load(C_PROGRAM);
    struct bytes rights = {0}, scm = {0};
    put_number(&scm, 1, 2); // SCM_CREDENTIALS
    put_data(&rights, 4, scm.data, scm.length);
    edit_entry(set_find(set, "sk-queues"), 0, "4", rights);
    expect_refused(set, "other than descriptors");
    free(scm.data);
    rights = scm = (struct bytes){0};
    put_number(&scm, 1, 1);
    put_number(&scm, 2, 4711);
    put_data(&rights, 4, scm.data, scm.length);
    edit_entry(set_find(set, "sk-queues"), 0, "4", rights);
    expect_refused(set, "file 4711 is on its way");
    free(scm.data);
    set_free(set);
}

// ---- Shape

static void unknown_kinds_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint32_t magic;
    } images[] = {
        {"cgroup.img", 0x59383330},
        {"apparmor.img", 0x59423047},
        {"userns-10.img", 0x55474906},
        {"mountpoints-9.img", 0x55563928},
        {"netns-2.img", 0x55933752},
        {"netdev-2.img", 0x57373951},
        {"utsns-4.img", 0x54473203},
        {"ipcns-var-3.img", 0x53115007},
        {"pidns-5.img", 0x61157326},
        {"creds-17.img", 0x54023547},
        {"tcp-stream-1f.img", 0x51465506},
        {"binfmt-misc.img", 0x67343323},
        {"tunfile.img", 0x57143751},
        {"reg-files.img", 0x50363636},
        {"rlimit-17.img", 0x57113925},
        {"autofs-1.img", 0x49353943},
        {"iptables-2.img", 0},
        {"nftables-2.img", 0},
        {"tmpfs-3.tar.gz.img", 0},
        {"route-2.img", 0},
        {"pages-shmem-1.img", 0},
        {"bpfmap-file.img", 0x57506142},
        {"descriptors.json", 0},
        {"../core-17.img", 0x55053847},
        {"/etc/passwd", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        struct image_set *set = set_load(C_PROGRAM);
        struct bytes bytes = image_with_magic(images[i].magic);
        set_add(set, images[i].name, bytes.data, bytes.length);
        expect_refused(set, images[i].name);
        free(bytes.data);
        set_free(set);
    }
}

static void missing_images_are_refused(void **state) {
    (void)state;
    static const char *const names[] = {"inventory", "pstree", "files",   "core-",   "mm-",
                                        "fs-",       "ids-",   "fdinfo-", "pagemap-"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct image_set *set = set_load(C_PROGRAM);
        set_remove(set, names[i]);
        expect_refused(set, "missing");
        set_free(set);
    }
    struct policy policy = {.may_open = may_open};
    assert_int_equal(policy_complete(&policy, &failure), -1);
}

static void images_that_come_twice_are_refused(void **state) {
    (void)state;
    static const char *const names[] = {"core-", "files", "pages-1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct image_set *set = set_load(C_PROGRAM);
        set_add(set, "pages-1.img", "", 0);
        struct set_image *image = set_find(set, names[i]);
        set_add(set, image->name, image->bytes.data, image->bytes.length);
        expect_refused(set, "twice");
        set_free(set);
    }
}

static void entries_that_come_twice_are_refused(void **state) {
    (void)state;
    static const char *const names[] = {"inventory", "ids-",   "core-", "mm-",        "fs-",
                                        "seccomp",   "pstree", "files", "remap-fpath"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct image_set *set = set_load(C_PROGRAM);
        struct set_image *image = set_find(set, names[i]);
        struct image reader = opened(image);
        struct pb_view entry;
        struct bytes copy = {0};
        assert_int_equal(image_next(&reader, &entry.bytes, &entry.length, &failure), 1);
        put(&copy, entry.bytes, entry.length);
        append_entry(image, copy);
        struct policy_caller caller = plain_caller();
        if (accepted_by(set, &caller))
            fail_msg("%s is taken with an entry twice", names[i]);
        set_free(set);
    }
}

// protobuf-c merges messages that are there twice: the first one's fields would survive.
static void fields_that_come_twice_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *image;
        const char *path;
        uint32_t field;
    } cases[] = {{"core-", "5", 5}, {"core-", "5.10", 10}, {"mm-", "12", 12}, {"fs-", "2", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image_set *set = set_load(C_PROGRAM);
        struct set_image *image = set_find(set, cases[i].image);
        struct image reader = opened(image);
        struct pb_view entry;
        struct pb_field field;
        struct bytes twice = {0};
        assert_int_equal(image_next(&reader, &entry.bytes, &entry.length, &failure), 1);
        const char *path = cases[i].path;
        for (uint32_t number = next_number(&path); *path != '\0'; number = next_number(&path))
            entry = pb_part(entry, number);
        assert_true(pb_find(entry.bytes, entry.length, cases[i].field, &field));
        put(&twice, field.start, field.total);
        put(&twice, field.start, field.total);
        edit_entry(image, 0, cases[i].path, twice);
        expect_refused(set, "more often");
        set_free(set);
    }
}

static void fields_of_a_newer_criu_are_refused(void **state) {
    (void)state;
    static const char *const paths[] = {"99", "3.99", "5.99", "5.10.99", "3.8.1.99"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct image_set *set = set_load(C_PROGRAM);
        edit_number(set_find(set, "core-"), 0, paths[i], 1);
        expect_refused(set, "field 99");
        set_free(set);
    }
}

static void fields_of_another_type_or_size_are_refused(void **state) {
    (void)state;
    static const struct change changes[] = {
        {"core-", NULL, NULL, "5.10.1", 0x1000003e8, NULL, "out of bounds"}, // 1000, cut to 32 bits
        {"core-", NULL, NULL, "5.10.1", 0, "x", "not of the type"},
        {"core-", NULL, NULL, "5.10", 1, NULL, "not of the type"},
        {"core-", NULL, NULL, "3.6", 0, "sixteen-letters-", "out of bounds"},
        {"core-", NULL, NULL, "3.14", 0x80000000, NULL, "out of bounds"},
        {"core-", NULL, NULL, "3.10.1.1", 0, "too short for a siginfo", "out of bounds"},
        {"core-", NULL, NULL, "5.10.14", 0, "\x01\x02", "not of the type"}, // packed
        {"inventory", NULL, NULL, "4", 2, NULL, "out of bounds"},
    };
    REFUSE_EACH(changes);
    struct image_set *set = set_load(C_PROGRAM);
    struct bytes words = {0};
    for (int i = 0; i < 3; i++)
        put_number(&words, 12, 0);
    edit_entry(set_find(set, "core-"), 0, "5.10.12", words);
    expect_refused(set, "more often");
    set_free(set);
}

static void anything_cut_or_bent_never_crashes(void **state) {
    (void)state;
    struct image_set *set = set_load(C_PROGRAM);
    struct policy_caller caller = plain_caller();
    for (size_t i = 0; i < set->count; i++) {
        const struct bytes whole = set->images[i].bytes;
        for (size_t at = 0; at < whole.length && at < 4096; at++) {
            struct asked asked = {0};
            struct policy policy = {.uid = 1000,
                                    .gid = 1000,
                                    .groups = user_groups,
                                    .group_count = 2,
                                    .may_open = may_open,
                                    .context = &asked,
                                    .caller = &caller};
            uint8_t *cut = malloc(at > 0 ? at : 1);
            memcpy(cut, whole.data, at);
            if (policy_check(&policy, set->images[i].name, cut, at, &failure) != 0)
                assert_int_equal(failure.code, EXIT_IMAGE);
            policy_clear(&policy);
            free(cut);
            uint8_t before = whole.data[at];
            whole.data[at] ^= 0x81;
            policy_check(&policy, set->images[i].name, whole.data, whole.length, &failure);
            policy_clear(&policy);
            whole.data[at] = before;
        }
    }
    set_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_images_of_a_c_program_are_accepted),
        cmocka_unit_test(the_images_of_a_jvm_are_accepted_on_roots_own_behalf),
        cmocka_unit_test(the_order_of_the_images_does_not_matter),
        cmocka_unit_test(the_caller_is_read_from_this_process_when_not_given),
        cmocka_unit_test(other_credentials_are_refused),
        cmocka_unit_test(capabilities_above_32_are_seen),
        cmocka_unit_test(every_threads_credentials_are_looked_at),
        cmocka_unit_test(a_process_without_credentials_is_refused),
        cmocka_unit_test(no_groups_would_be_criu_s_own),
        cmocka_unit_test(groups_that_are_replaced_do_not_count),
        cmocka_unit_test(a_label_is_taken_if_it_is_the_callers),
        cmocka_unit_test(privileges_of_scheduling_and_limits_are_refused),
        cmocka_unit_test(what_the_caller_has_the_clone_may_have),
        cmocka_unit_test(hard_limits_above_the_callers_are_refused),
        cmocka_unit_test(system_call_filters_need_no_new_privs),
        cmocka_unit_test(the_inventory_asks_for_nothing_special),
        cmocka_unit_test(other_namespaces_are_refused),
        cmocka_unit_test(impossible_processes_are_refused),
        cmocka_unit_test(the_first_process_is_the_one_that_was_offered),
        cmocka_unit_test(open_files_have_plain_paths_and_flags),
        cmocka_unit_test(a_nul_in_a_path_is_refused),
        cmocka_unit_test(a_refusal_is_one_printable_line),
        cmocka_unit_test(every_path_is_asked_for),
        cmocka_unit_test(harmless_devices_and_facts_are_open_to_all),
        cmocka_unit_test(the_rest_of_proc_and_writing_to_sys_is_refused),
        cmocka_unit_test(files_are_used_as_what_they_are),
        cmocka_unit_test(another_root_directory_is_refused),
        cmocka_unit_test(memory_of_special_kinds_is_refused),
        cmocka_unit_test(a_mapping_of_a_file_may_not_write_more_than_allowed),
        cmocka_unit_test(sockets_with_privileges_are_refused),
        cmocka_unit_test(files_of_privileged_types_are_refused),
        cmocka_unit_test(netlink_sockets_are_for_routing_only),
        cmocka_unit_test(inotify_watches_are_refused),
        cmocka_unit_test(signals_of_files_are_sent_as_the_user_to_the_clone),
        cmocka_unit_test(a_terminal_is_the_users_and_used_as_such_only),
        cmocka_unit_test(deleted_files_are_plain_and_the_users),
        cmocka_unit_test(other_small_images_keep_to_their_rules),
        cmocka_unit_test(unknown_kinds_are_refused),
        cmocka_unit_test(missing_images_are_refused),
        cmocka_unit_test(images_that_come_twice_are_refused),
        cmocka_unit_test(entries_that_come_twice_are_refused),
        cmocka_unit_test(fields_that_come_twice_are_refused),
        cmocka_unit_test(fields_of_a_newer_criu_are_refused),
        cmocka_unit_test(fields_of_another_type_or_size_are_refused),
        cmocka_unit_test(anything_cut_or_bent_never_crashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
