// SPDX-License-Identifier: Apache-2.0
// Judging offers: each rule, both ways.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "facts.h"
#include "verdict.h"
#include "verdict_cpu.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MIB (1ull << 20)

// --- an offer that nothing speaks against, to be changed ---

static char build_1[] = "build 1", build_2[] = "build 2", hash_1[] = "hash 1", hash_2[] = "hash 2";

static ProtobufCBinaryData bytes_of(char *text) {
    return (ProtobufCBinaryData){.data = (uint8_t *)text, .len = strlen(text)};
}

static char *flags[] = {"avx", "fpu", "sse2", "smep"};

static CloneWire__HostFacts host(void) {
    CloneWire__HostFacts facts = CLONE_WIRE__HOST_FACTS__INIT;
    facts.criu_version = "4.2.1";
    facts.kernel_release = "6.1.0-13-amd64";
    facts.architecture = "x86_64";
    facts.page_size = 4096;
    facts.cpu_flag = flags;
    facts.n_cpu_flag = 4;
    facts.host_name = "";
    facts.has_memory_available = true;
    facts.memory_available = 1000 * MIB;
    return facts;
}

struct scene {
    CloneWire__HostFacts there, here;
    CloneWire__Offer offer;
    CloneWire__FileFacts library, jar;
    CloneWire__FileFacts *needed[2];
    char *file_set[1];
    struct policy policy;
    struct policy_caller caller;
    struct verdict_target target;
    // What the target has.
    CloneWire__FileFacts found[3]; // library, jar, directory; path NULL: nothing
    bool broken;
    struct verdict verdict;
};

static CloneWire__FileFacts file(char *path, uint64_t size, uint32_t mode) {
    CloneWire__FileFacts facts = CLONE_WIRE__FILE_FACTS__INIT;
    facts.path = path;
    facts.size = size;
    facts.mode = mode;
    return facts;
}

static void set_scene(struct scene *scene) {
    *scene = (struct scene){.there = host(), .here = host()};
    scene->library = file("/usr/lib/libx.so", 100, S_IFREG | 0755);
    scene->library.has_build_id = scene->library.has_executable_mapping = true;
    scene->library.build_id = bytes_of(build_1);
    scene->library.executable_mapping = true;
    scene->jar = file("/usr/opt/app.jar", 50, S_IFREG | 0644);
    scene->jar.has_content_hash = true;
    scene->jar.content_hash = bytes_of(hash_1);
    scene->needed[0] = &scene->library;
    scene->needed[1] = &scene->jar;
    scene->found[0] = scene->library;
    scene->found[1] = scene->jar;
    scene->found[2] = file("/home/me", 1, S_IFDIR | 0700);
    scene->file_set[0] = "/work/set";
    clone_wire__offer__init(&scene->offer);
    scene->offer.host = &scene->there;
    scene->offer.uid = 1000;
    scene->offer.highest_id = 4000;
    scene->offer.image_bytes = 500 * MIB;
    scene->offer.working_directory = "/home/me";
    scene->offer.file_set = scene->file_set;
    scene->offer.n_file_set = 1;
    scene->offer.needed = scene->needed;
    scene->offer.n_needed = 2;
    scene->policy = (struct policy){
        .uid = 1000, .gid = 1000, .may_open = verdict_may_open, .context = &scene->offer};
    scene->target = (struct verdict_target){
        .host = &scene->here, .pid_max = 32768, .policy = &scene->policy, .caller = &scene->caller};
}

static ProtobufCBinaryData copied(ProtobufCBinaryData data) {
    ProtobufCBinaryData copy = {.data = malloc(data.len + 1), .len = data.len};
    if (data.len > 0)
        memcpy(copy.data, data.data, data.len);
    return copy;
}

static int have(void *context, const CloneWire__FileFacts *wanted, CloneWire__FileFacts *facts,
                struct failure *failure) {
    const struct scene *scene = context;
    if (scene->broken)
        return (fail)(failure, EXIT_UNABLE, "can't look");
    for (size_t i = 0; i < 3; i++) {
        if (scene->found[i].path == NULL || strcmp(scene->found[i].path, wanted->path) != 0)
            continue;
        *facts = scene->found[i];
        facts->path = strdup(wanted->path);
        facts->build_id = copied(scene->found[i].build_id);
        facts->content_hash = copied(scene->found[i].content_hash);
        return 0;
    }
    return 1;
}

static int judge(struct scene *scene, struct failure *failure) {
    return verdict_of(&scene->offer, &scene->target, have, scene, &scene->verdict, failure);
}

static void assert_accepted(struct scene *scene) {
    struct failure failure;
    assert_int_equal(judge(scene, &failure), 0);
    if (scene->verdict.refusal_count > 0)
        fail_msg("%s", scene->verdict.refusals[0]);
    verdict_clear(&scene->verdict);
}

static void assert_refused(struct scene *scene, const char *part) {
    struct failure failure;
    assert_int_equal(judge(scene, &failure), 0);
    assert_int_equal(scene->verdict.refusal_count, 1);
    if (strstr(scene->verdict.refusals[0], part) == NULL)
        fail_msg("'%s' doesn't say '%s'", scene->verdict.refusals[0], part);
    assert_int_equal(scene->verdict.missing_count, 0);
    verdict_clear(&scene->verdict);
}

// --- versions and machines ---

static void equal_hosts_are_accepted(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    assert_accepted(&scene);
}

static void criu_must_have_the_same_minor_version(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.here.criu_version = "4.2";
    assert_accepted(&scene);
    scene.here.criu_version = "4.3.1";
    assert_refused(&scene, "CRIU is 4.2.1 on the source and 4.3.1");
    scene.here.criu_version = "5.2.1";
    assert_refused(&scene, "CRIU");
}

static void the_targets_kernel_must_not_be_older(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.here.kernel_release = "6.12.3";
    assert_accepted(&scene);
    scene.here.kernel_release = "6.1.200";
    assert_accepted(&scene);
    scene.here.kernel_release = "5.15.0";
    assert_refused(&scene, "kernel 5.15.0 is older than the source's 6.1.0-13-amd64");
    scene.here.kernel_release = "6.0.99";
    assert_refused(&scene, "older");
}

static void architecture_and_page_size_must_be_the_same(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.here.architecture = "aarch64";
    scene.here.n_cpu_flag = 0; // is not worth a second reason
    assert_refused(&scene, "x86_64 machine and the target a aarch64");
    set_scene(&scene);
    scene.here.page_size = 65536;
    assert_refused(&scene, "4096 bytes on the source and 65536");
}

// --- CPU flags ---

static void a_cpu_must_have_what_programs_may_use(void **state) {
    (void)state;
    struct scene scene;
    static char *less[] = {"avx", "fpu"};
    set_scene(&scene);
    scene.here.cpu_flag = less;
    scene.here.n_cpu_flag = 2;
    assert_refused(&scene, "the target's CPU lacks sse2, which");
}

static void a_cpu_may_have_more_instructions(void **state) {
    (void)state;
    struct scene scene;
    static char *more[] = {"avx", "fpu", "popcnt", "sse2"};
    set_scene(&scene);
    scene.here.cpu_flag = more;
    assert_accepted(&scene);
}

static void a_cpu_must_not_have_more_registers(void **state) {
    (void)state;
    struct scene scene;
    static char *more[] = {"avx", "avx512f", "fpu", "sse2"};
    set_scene(&scene);
    scene.here.cpu_flag = more;
    assert_refused(&scene, "has avx512f, whose registers");
}

static void an_unknown_flag_counts(void **state) {
    (void)state;
    struct scene scene;
    static char *newer[] = {"avx", "fpu", "sse2", "thought_transfer"};
    set_scene(&scene);
    scene.there.cpu_flag = newer;
    assert_refused(&scene, "thought_transfer");
}

static void many_lacking_flags_are_one_refusal(void **state) {
    (void)state;
    struct scene scene;
    static char names[2000][400];
    static char *many[2000];
    for (size_t i = 0; i < 2000; i++) {
        memset(names[i], 'a' + (int)(i % 26), sizeof names[i] - 1);
        many[i] = names[i];
    }
    many[0] = "avx";
    set_scene(&scene);
    scene.there.cpu_flag = many;
    scene.there.n_cpu_flag = 2000;
    assert_refused(&scene, ", ...");
}

static void more_flags_than_there_are_is_no_offer(void **state) {
    (void)state;
    struct scene scene;
    struct failure failure;
    set_scene(&scene);
    scene.there.n_cpu_flag = 1000000;
    assert_int_equal(judge(&scene, &failure), -1);
    assert_int_equal(failure.code, EXIT_TRANSFER);
}

static void flags_of_the_kernel_do_not_count(void **state) {
    (void)state;
    static const char *const kernels[] = {"smep",    "constant_tsc", "hypervisor", "ibrs_enhanced",
                                          "pdpe1gb", "arat",         "vmx",        "md_clear",
                                          "nx",      "x2apic",       "erms",       "pti"};
    static const char *const programs[] = {"fpu",      "sse4_2",   "avx",    "avx512_vnni",
                                           "rdrand",   "fsgsbase", "xsavec", "pku",
                                           "amx_tile", "rdtscp",   "vaes",   "tsc"};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        assert_false(cpu_flag_is_for_programs(kernels[i]));
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        assert_true(cpu_flag_is_for_programs(programs[i]));
    assert_false(cpu_flag_is_for_programs(""));
    assert_true(cpu_flag_is_for_programs("pt")); // though "pti" and "pts" are the kernel's
    assert_true(cpu_flag_adds_registers("avx"));
    assert_false(cpu_flag_adds_registers("avx2"));
    assert_false(cpu_flag_adds_registers(""));
}

// --- user, ids, memory ---

static void a_clone_is_made_on_its_own_users_behalf(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.policy.uid = 1001;
    assert_refused(&scene, "user 1000's, and the target acts for user 1001");
    scene.policy.uid = 0;
    assert_refused(&scene, "as root with --user");
}

static void the_target_must_give_out_ids_that_high(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.offer.highest_id = 32767;
    assert_accepted(&scene);
    scene.offer.highest_id = 32768;
    assert_refused(&scene, "kernel.pid_max");
    scene.target.pid_max = 0;
    assert_accepted(&scene);
}

static void the_target_must_have_the_memory_and_some_to_spare(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.here.memory_available = 564 * MIB;
    assert_accepted(&scene);
    scene.here.memory_available = 563 * MIB;
    assert_refused(&scene, "needs 500 MiB of memory");
    scene.here.memory_available = 0;
    assert_refused(&scene, "has 0 MiB");
    scene.here.memory_available = UINT64_MAX;
    scene.offer.image_bytes = UINT64_MAX;
    assert_refused(&scene, "memory");
    scene.here.has_memory_available = false;
    assert_accepted(&scene);
}

// --- files ---

static void a_library_must_be_there(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.found[0].path = NULL;
    assert_refused(&scene, "the target lacks /usr/lib/libx.so");
    scene.library.has_build_id = false;
    assert_refused(&scene, "the target lacks /usr/lib/libx.so");
}

static void a_library_must_be_of_the_same_build(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.found[0].build_id = bytes_of(build_2);
    assert_refused(&scene, "/usr/lib/libx.so is another build");
    scene.found[0].has_build_id = false;
    assert_refused(&scene, "another build");
    set_scene(&scene);
    scene.found[0].size++;
    assert_refused(&scene, "another size");
}

static void assert_jar_travels(struct scene *scene) {
    struct failure failure;
    assert_int_equal(judge(scene, &failure), 0);
    assert_int_equal(scene->verdict.refusal_count, 0);
    assert_int_equal(scene->verdict.missing_count, 1);
    assert_int_equal(scene->verdict.missing[0], 1);
    verdict_clear(&scene->verdict);
}

static void another_file_travels_if_it_is_missing(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.found[1].path = NULL;
    assert_jar_travels(&scene);
}

static void another_file_must_not_differ(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.found[1].content_hash = bytes_of(hash_2);
    assert_refused(&scene, "/usr/opt/app.jar has other contents");
    set_scene(&scene);
    scene.found[1].size = 51;
    assert_refused(&scene, "another size");
    set_scene(&scene);
    scene.found[1].mode = S_IFREG | 0600;
    assert_refused(&scene, "other permissions");
    set_scene(&scene);
    scene.found[1].mode = S_IFDIR | 0644;
    assert_refused(&scene, "another type");
}

static void what_a_link_leads_to_travels_if_it_is_another(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.jar.linked = true;
    scene.found[1].size = 51;
    assert_jar_travels(&scene);
}

// Too large to be compared, say: nobody hashes that.
static void what_a_link_leads_to_travels_if_it_was_not_compared(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.jar.linked = true;
    assert_accepted(&scene);
    scene.found[1].has_content_hash = false;
    assert_jar_travels(&scene);
    scene.jar.has_content_hash = false;
    assert_jar_travels(&scene);
    scene.jar.executable_mapping = true; // must be installed
    assert_accepted(&scene);
}

static bool is_no_jar(void *context, const char *path) {
    (void)context;
    return strcmp(path, "/usr/opt/app.jar") != 0;
}

static void what_is_the_systems_is_not_covered_because_it_was_not_compared(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.target.may_cover = is_no_jar;
    scene.jar.linked = true;
    scene.jar.has_content_hash = false;
    assert_accepted(&scene);
}

static void a_link_leads_to_no_directory_in_a_files_place(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.jar.linked = true;
    scene.found[1].mode = S_IFDIR | 0755;
    assert_refused(&scene, "another type");
}

static void a_library_that_a_link_leads_to_must_be_of_the_same_build(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.library.linked = true;
    scene.found[0].build_id = bytes_of(build_2);
    assert_refused(&scene, "another build");
}

static void without_hashes_the_size_decides(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.found[1].has_content_hash = false;
    assert_accepted(&scene);
}

static void owner_and_time_do_not_count(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.found[1].uid = scene.found[1].gid = 7;
    scene.found[1].mtime_ns = 7;
    assert_accepted(&scene);
}

static void directories_may_differ_in_mode_and_size(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.jar = file("/usr/opt/app.jar", 4096, S_IFDIR | 0700);
    scene.found[1] = file("/usr/opt/app.jar", 77, S_IFDIR | 0755);
    assert_accepted(&scene);
}

static void the_working_directory_must_be_there_or_in_the_set(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.found[2].path = NULL;
    assert_refused(&scene, "works in the directory /home/me, which the target lacks");
    scene.offer.working_directory = "/work/set/deep";
    assert_accepted(&scene);
    scene.offer.working_directory = "/work/settings";
    assert_refused(&scene, "/work/settings");
    scene.offer.working_directory = "/";
    assert_accepted(&scene);
    set_scene(&scene);
    scene.found[2].mode = S_IFREG | 0700;
    assert_refused(&scene, "/home/me");
}

// --- hostile offers ---

static void a_path_that_none_can_have_is_no_offer(void **state) {
    (void)state;
    static char *const paths[] = {"", "relative", "/a/../b", "/a/./b", "/a//b", "/a/", "/"};
    struct scene scene;
    struct failure failure;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        set_scene(&scene);
        scene.jar.path = paths[i];
        assert_int_equal(judge(&scene, &failure), -1);
        assert_int_equal(failure.code, EXIT_TRANSFER);
    }
    set_scene(&scene);
    scene.offer.working_directory = "/a/../../etc";
    assert_int_equal(judge(&scene, &failure), -1);
    assert_int_equal(failure.code, EXIT_TRANSFER);
}

static void a_peers_words_are_safe_on_a_terminal(void **state) {
    (void)state;
    struct scene scene;
    set_scene(&scene);
    scene.there.criu_version = "9\033[2J\n";
    assert_refused(&scene, "CRIU is 9?[2J? on the source");
}

static void refusals_have_an_end(void **state) {
    (void)state;
    static CloneWire__FileFacts *many[1000], libraries[1000];
    static char paths[1000][32];
    struct scene scene;
    struct failure failure;
    set_scene(&scene);
    scene.found[0].path = NULL;
    for (size_t i = 0; i < 1000; i++) {
        snprintf(paths[i], sizeof paths[i], "/usr/lib/%03zu.so", i);
        libraries[i] = scene.library;
        libraries[i].path = paths[i];
        many[i] = &libraries[i];
    }
    scene.offer.needed = many;
    scene.offer.n_needed = 1000;
    assert_int_equal(judge(&scene, &failure), 0);
    assert_in_range(scene.verdict.refusal_count, 10, 100);
    verdict_clear(&scene.verdict);
}

static void a_file_that_is_offered_twice_is_looked_at_once(void **state) {
    (void)state;
    struct scene scene;
    struct failure failure;
    set_scene(&scene);
    scene.needed[1] = &scene.library;
    assert_int_equal(judge(&scene, &failure), -1);
    assert_int_equal(failure.code, EXIT_TRANSFER);
    scene.needed[0] = &scene.jar; // again and again, with others between
    assert_int_equal(judge(&scene, &failure), -1);
    assert_int_equal(failure.code, EXIT_TRANSFER);
}

static void what_cannot_be_looked_at_is_a_failure(void **state) {
    (void)state;
    struct scene scene;
    struct failure failure;
    set_scene(&scene);
    scene.broken = true;
    assert_int_equal(judge(&scene, &failure), -1);
    assert_int_equal(failure.code, EXIT_UNABLE);
    assert_string_equal(failure.text, "can't look");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_hosts_are_accepted),
        cmocka_unit_test(criu_must_have_the_same_minor_version),
        cmocka_unit_test(the_targets_kernel_must_not_be_older),
        cmocka_unit_test(architecture_and_page_size_must_be_the_same),
        cmocka_unit_test(a_cpu_must_have_what_programs_may_use),
        cmocka_unit_test(a_cpu_may_have_more_instructions),
        cmocka_unit_test(a_cpu_must_not_have_more_registers),
        cmocka_unit_test(an_unknown_flag_counts),
        cmocka_unit_test(many_lacking_flags_are_one_refusal),
        cmocka_unit_test(more_flags_than_there_are_is_no_offer),
        cmocka_unit_test(flags_of_the_kernel_do_not_count),
        cmocka_unit_test(a_clone_is_made_on_its_own_users_behalf),
        cmocka_unit_test(the_target_must_give_out_ids_that_high),
        cmocka_unit_test(the_target_must_have_the_memory_and_some_to_spare),
        cmocka_unit_test(a_library_must_be_there),
        cmocka_unit_test(a_library_must_be_of_the_same_build),
        cmocka_unit_test(another_file_travels_if_it_is_missing),
        cmocka_unit_test(another_file_must_not_differ),
        cmocka_unit_test(what_a_link_leads_to_travels_if_it_is_another),
        cmocka_unit_test(what_a_link_leads_to_travels_if_it_was_not_compared),
        cmocka_unit_test(what_is_the_systems_is_not_covered_because_it_was_not_compared),
        cmocka_unit_test(a_link_leads_to_no_directory_in_a_files_place),
        cmocka_unit_test(a_library_that_a_link_leads_to_must_be_of_the_same_build),
        cmocka_unit_test(without_hashes_the_size_decides),
        cmocka_unit_test(owner_and_time_do_not_count),
        cmocka_unit_test(directories_may_differ_in_mode_and_size),
        cmocka_unit_test(the_working_directory_must_be_there_or_in_the_set),
        cmocka_unit_test(a_path_that_none_can_have_is_no_offer),
        cmocka_unit_test(a_peers_words_are_safe_on_a_terminal),
        cmocka_unit_test(refusals_have_an_end),
        cmocka_unit_test(a_file_that_is_offered_twice_is_looked_at_once),
        cmocka_unit_test(what_cannot_be_looked_at_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
