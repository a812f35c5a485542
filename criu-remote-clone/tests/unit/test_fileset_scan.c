// SPDX-License-Identifier: Apache-2.0
// Listing the file clone set: which roots there are, what they hold, and what they lead to.
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sysmacros.h>

#include "fileset_fixture.h"
#include "fileset_writers.h"

static struct failure failure;

static struct fileset *scan(const struct journey *journey, char *const *roots, size_t count) {
    return fileset_scan(&journey->process, roots, count, count, &failure);
}

static void assert_texts(char *const *found, size_t count, const char *const *expected,
                         size_t expected_count) {
    for (size_t i = 0; i < count && i < expected_count; i++)
        assert_string_equal(found[i], expected[i]);
    assert_int_equal(count, expected_count);
}

static void roots_inside_others_or_named_twice_count_once(void **state) {
    struct journey *journey = *state;
    mkdir(job(journey, "sub"), 0700);
    mkdir(in(journey->directory, "job2"), 0700);
    write_file(in(journey->directory, "file"), "x");
    assert_int_equal(symlink("job/sub", in(journey->directory, "link")), 0);
    char slashes[300];
    snprintf(slashes, sizeof slashes, "%s//sub/../", journey->root);
    char *roots[] = {(char *)job(journey, "sub"),
                     journey->root,
                     (char *)in(journey->directory, "file"),
                     (char *)in(journey->directory, "link"),
                     (char *)in(journey->directory, "job2"),
                     slashes};
    struct fileset *set = scan(journey, roots, 6);
    assert_non_null(set);
    size_t count;
    char *const *found = fileset_roots(set, &count);
    const char *expected[] = {in(journey->directory, "file"), journey->root,
                              in(journey->directory, "job2")};
    assert_texts(found, count, expected, 3);
    struct fileset_statistics statistics;
    fileset_statistics(set, &statistics);
    assert_int_equal(statistics.files, 4); // file, job, job/sub, job2
    fileset_close(set);
}

static void impossible_roots_are_refused(void **state) {
    struct journey *journey = *state;
    char *const roots[] = {"/", "", (char *)job(journey, "missing")};
    for (size_t i = 0; i < 3; i++) {
        assert_null(scan(journey, &roots[i], 1));
        assert_int_equal(failure.code, EXIT_REFUSED);
    }
}

// What the process had open for writing a moment ago, it may have removed since.
static void roots_that_were_found_may_be_gone(void **state) {
    struct journey *journey = *state;
    write_file(in(journey->directory, "file"), "x");
    char *roots[] = {journey->root, (char *)in(journey->directory, "gone"),
                     (char *)in(journey->directory, "no directory/file"),
                     (char *)in(journey->directory, "file")};
    struct fileset *set = fileset_scan(&journey->process, roots, 4, 1, &failure);
    assert_non_null(set);
    size_t count;
    char *const *found = fileset_roots(set, &count);
    const char *expected[] = {in(journey->directory, "file"), journey->root};
    assert_texts(found, count, expected, 2);
    fileset_close(set);

    assert_null(fileset_scan(&journey->process, roots, 4, 2, &failure));
    assert_int_equal(failure.code, EXIT_REFUSED);
}

static void a_set_may_be_empty(void **state) {
    struct journey *journey = *state;
    struct fileset *set = scan(journey, NULL, 0);
    assert_non_null(set);
    size_t count;
    fileset_roots(set, &count);
    assert_int_equal(count, 0);
    assert_int_equal(fileset_bytes(set), 0);
    assert_int_equal(fileset_prepare(set, &failure), 0);
    assert_int_equal(fileset_snapshot(set, deadline_in_ms(60000), -1, &failure), 0);
    fileset_close(set);
}

static void hard_links_count_once(void **state) {
    struct journey *journey = *state;
    write_file(job(journey, "a"), "12345");
    assert_int_equal(link(job(journey, "a"), job(journey, "b")), 0);
    struct fileset *set = scan(journey, &journey->root, 1);
    assert_non_null(set);
    assert_int_equal(fileset_bytes(set), 5);
    fileset_close(set);
}

static void device_nodes_are_refused(void **state) {
    if (geteuid() != 0)
        skip();
    struct journey *journey = *state;
    assert_int_equal(mknod(job(journey, "null"), S_IFCHR | 0600, makedev(1, 3)), 0);
    assert_null(scan(journey, &journey->root, 1));
    assert_int_equal(failure.code, EXIT_REFUSED);
    assert_non_null(strstr(failure.text, "job/null"));
}

// Runs the scan, and the snapshot if it succeeds, as nobody; returns the failure's code.
static int scan_as_nobody(struct journey *journey) {
    pid_t pid = fork();
    if (pid == 0) {
        if (setgid(65534) != 0 || setuid(65534) != 0)
            _exit(99);
        journey->process.root = getpid();
        // A process that has changed its user isn't dumpable; a tool that was started is.
        prctl(PR_SET_DUMPABLE, 1);
        struct fileset *set = scan(journey, &journey->root, 1);
        _exit(set == NULL ? (int)failure.code
              : fileset_prepare(set, &failure) < 0 ||
                      fileset_snapshot(set, deadline_in_ms(60000), -1, &failure) < 0
                  ? 100 + (int)failure.code - 64
                  : 0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

static void what_can_not_be_read_is_refused(void **state) {
    if (geteuid() != 0)
        skip();
    struct journey *journey = *state;
    chmod(journey->directory, 0711);
    chmod(journey->root, 0755);
    write_file(job(journey, "file"), "x");
    chmod(job(journey, "file"), 0644);
    assert_int_equal(scan_as_nobody(journey), 0);
    chmod(job(journey, "file"), 0600);
    assert_int_equal(scan_as_nobody(journey), 100 + EXIT_REFUSED - 64);
    mkdir(job(journey, "closed"), 0700);
    assert_int_equal(scan_as_nobody(journey), EXIT_REFUSED);
}

static void links_that_lead_out_expose_what_they_lead_to(void **state) {
    struct journey *journey = *state;
    const char *outside[] = {"cache",
                             "cache/1",
                             "cache/1/job.jar",
                             "cache/2",
                             "cache/2/conf",
                             "cache/2/conf/a.xml",
                             "cache/2/hop back",
                             "cache/3",
                             "cache/3/deep",
                             "cache/3/deep/er",
                             "cache/other"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        if (strchr(outside[i] + strlen(outside[i]) - 4, '.') != NULL)
            write_file(in(journey->directory, outside[i]), "x");
        else
            assert_int_equal(mkdir(in(journey->directory, outside[i]), 0700), 0);
    static const char *const links[][2] = {
        {"../cache/1/job.jar", "job/job.jar"},    // a file
        {"../cache/2", "job/lib"},                // a tree
        {"../current", "job/by hops"},            // a link to
        {"cache/3/../3/deep", "current"},         // a tree
        {"../../../job", "cache/2/hop back/job"}, // back into the root
        {"../3", "cache/2/three"},                // further out, from outside
        {"plain", "job/inside"},
        {"/dev/null", "job/null"},
        {"/proc/self/status", "job/proc"},
        {"../nowhere", "job/dangling"},
        {"round", "job/round"},
        {"/", "job/everything"},
    };
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        assert_int_equal(symlink(links[i][0], in(journey->directory, links[i][1])), 0);
    write_file(job(journey, "plain"), "x");

    struct fileset *set = scan(journey, &journey->root, 1);
    assert_non_null(set);
    size_t count;
    char *const *found = fileset_outside(set, &count);
    static const char *const names[] = {"cache/1/job.jar",    "cache/2",          "cache/2/conf",
                                        "cache/2/conf/a.xml", "cache/2/hop back", "cache/3",
                                        "cache/3/deep",       "cache/3/deep/er",  "current"};
    char expected[9][4096];
    const char *pointers[9];
    for (size_t i = 0; i < 9; i++) {
        snprintf(expected[i], sizeof expected[i], "%s/%s", journey->directory, names[i]);
        pointers[i] = expected[i];
    }
    assert_texts(found, count, pointers, 9);
    fileset_close(set);
}

static void only_clean_paths_can_be_added(void **state) {
    struct journey *journey = *state;
    struct fileset *set = scan(journey, &journey->root, 1);
    assert_int_equal(fileset_add(set, "relative", &failure), -1);
    assert_int_equal(failure.code, EXIT_TRANSFER);
    assert_int_equal(fileset_add(set, "/etc/../etc/passwd", &failure), -1);
    assert_int_equal(failure.code, EXIT_TRANSFER);
    assert_int_equal(fileset_add(set, journey->root, &failure), 0);
    fileset_close(set);
}

static bool is_writer(const struct writers *writers, const char *path) {
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return writers_have(writers, status.st_dev, status.st_ino) != NULL;
}

static void writers_are_told_from_readers(void **state) {
    struct journey *journey = *state;
    static const char *const names[] = {"read",    "written", "both",       "mapped",
                                        "private", "path",    "with space", "none"};
    for (size_t i = 0; i < 8; i++)
        write_file(job(journey, names[i]), "x");
    int fds[] = {open(job(journey, "read"), O_RDONLY | O_CLOEXEC),
                 open(job(journey, "written"), O_WRONLY | O_CLOEXEC),
                 open(job(journey, "both"), O_RDWR | O_CLOEXEC),
                 open(job(journey, "path"), O_PATH | O_CLOEXEC)};
    void *maps[3];
    static const char *const mapped[] = {"mapped", "with space", "private"};
    for (size_t i = 0; i < 3; i++) {
        int fd = open(job(journey, mapped[i]), O_RDWR | O_CLOEXEC);
        maps[i] = mmap(NULL, 1, PROT_READ | PROT_WRITE, i < 2 ? MAP_SHARED : MAP_PRIVATE, fd, 0);
        close(fd);
    }
    struct writers writers = {0};
    assert_int_equal(writers_find(&writers, getpid(), &failure), 0);
    assert_false(is_writer(&writers, job(journey, "read")));
    assert_true(is_writer(&writers, job(journey, "written")));
    assert_true(is_writer(&writers, job(journey, "both")));
    assert_true(is_writer(&writers, job(journey, "mapped")));
    assert_true(is_writer(&writers, job(journey, "with space")));
    assert_false(is_writer(&writers, job(journey, "private")));
    assert_false(is_writer(&writers, job(journey, "path")));
    assert_false(is_writer(&writers, job(journey, "none")));
    writers_clear(&writers);
    for (size_t i = 0; i < 4; i++)
        close(fds[i]);
    for (size_t i = 0; i < 3; i++)
        munmap(maps[i], 1);
}

static void a_process_that_has_ended_writes_nothing(void **state) {
    (void)state;
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    struct writers writers = {0};
    assert_int_equal(writers_find(&writers, pid, &failure), 0);
    assert_int_equal(writers.count, 0);
    writers_clear(&writers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        JOURNEY(roots_inside_others_or_named_twice_count_once),
        JOURNEY(impossible_roots_are_refused),
        JOURNEY(roots_that_were_found_may_be_gone),
        JOURNEY(a_set_may_be_empty),
        JOURNEY(hard_links_count_once),
        JOURNEY(device_nodes_are_refused),
        JOURNEY(what_can_not_be_read_is_refused),
        JOURNEY(links_that_lead_out_expose_what_they_lead_to),
        JOURNEY(only_clean_paths_can_be_added),
        JOURNEY(writers_are_told_from_readers),
        cmocka_unit_test(a_process_that_has_ended_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
