// SPDX-License-Identifier: Apache-2.0
// A file clone set on its way from one directory to another through a real connection: the sending
// side is the test, the receiving one a thread.
#pragma once

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "deadline.h"
#include "fileset.h"
#include "scratch.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TEST_MS 60000

struct journey {
    size_t descriptors; // open before
    char *directory;    // of the test: "job" in it is the root, "base" the target
    char *root;
    char *extra[4];
    size_t extra_count;
    struct process_facts process;
    struct fileset *set;
    struct fileset_statistics statistics;
    struct failure failure;

    struct keeper *keeper;
    struct path_maps maps;
    int listen_fd;
    uint16_t port;
    struct wire *near, *far;
    pthread_t taker;
    bool taking;
    struct receiver *receiver;
    int taken; // the taker's result
    struct failure takers_failure;
    _Atomic uint64_t taken_bytes;
};

static inline void assert_done(const struct journey *journey, int result) {
    if (result != 0)
        print_error("%s\n", journey->failure.text);
    assert_int_equal(result, 0);
}

static const uint8_t test_key[WIRE_KEY_BYTES] = {1, 2, 3};

static inline size_t count_entries(const char *path) {
    DIR *directory = opendir(path);
    assert_non_null(directory);
    size_t count = 0;
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

static inline int journey_set_up(void **state) {
    struct journey *journey = calloc(1, sizeof *journey);
    journey->descriptors = count_entries("/proc/self/fd");
    journey->directory = test_directory();
    journey->root = strdup(in(journey->directory, "job"));
    assert_int_equal(mkdir(journey->root, 0750), 0);
    journey->process.root = getpid();
    // The keeper before any thread: it forks.
    journey->keeper = keeper_start(&journey->failure);
    assert_non_null(journey->keeper);
    journey->maps.base = strdup(in(journey->directory, "base"));
    journey->listen_fd = wire_listen("127.0.0.1", 0, 0, &journey->port, &journey->failure);
    assert_true(journey->listen_fd >= 0);
    *state = journey;
    return 0;
}

static inline const char *job(const struct journey *journey, const char *name) {
    return in(journey->root, name);
}

// Where the received copy of a path is.
static inline const char *copy_of(const struct journey *journey, const char *path) {
    return in(journey->maps.base, path + 1);
}

static inline const char *copy_in(const struct journey *journey, const char *directory,
                                  const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", directory + 1, name);
    return in(journey->maps.base, path);
}

static inline int take_all(struct journey *journey) {
    struct failure *failure = &journey->takers_failure;
    struct wire_item item;
    int result;
    while ((result = wire_next(journey->far, &item, deadline_in_ms(TEST_MS), failure)) == 1) {
        bool last = !item.is_data && item.type == WIRE_COMMIT;
        if (!last)
            result = receiver_take(journey->receiver, &item, failure);
        wire_item_release(&item);
        journey->taken_bytes = receiver_bytes(journey->receiver);
        if (last)
            return receiver_finish(journey->receiver, failure);
        if (result < 0)
            return -1;
    }
    return -1;
}

static inline void *run_taker(void *context) {
    struct journey *journey = context;
    struct wire_options options = {.compress = WIRE_COMPRESS_NEVER};
    journey->far = wire_connect("127.0.0.1", journey->port, test_key, &options, -1,
                                deadline_in_ms(TEST_MS), &journey->takers_failure);
    journey->taken = journey->far == NULL ? -1 : take_all(journey);
    return NULL;
}

// Lists the root and what was named extra, and opens both ends.
static inline void journey_start(struct journey *journey) {
    char *roots[] = {journey->root};
    journey->set = fileset_scan(&journey->process, roots, 1, 1, &journey->failure);
    assert_done(journey, journey->set == NULL);
    for (size_t i = 0; i < journey->extra_count; i++)
        assert_done(journey, fileset_add(journey->set, journey->extra[i], &journey->failure));
    struct receiver_plan plan = {.maps = &journey->maps,
                                 .roots = &journey->root,
                                 .root_count = 1,
                                 .extra = journey->extra,
                                 .extra_count = journey->extra_count,
                                 .uid = geteuid(),
                                 .gid = getegid(),
                                 .limit_bytes = UINT64_C(4) << 30};
    journey->receiver = receiver_open(&plan, journey->keeper, &journey->failure);
    assert_done(journey, journey->receiver == NULL);
    assert_int_equal(pthread_create(&journey->taker, NULL, run_taker, journey), 0);
    journey->taking = true;
    struct wire_options options = {.compress = WIRE_COMPRESS_NEVER};
    journey->near = wire_accept(journey->listen_fd, test_key, &options, -1, deadline_in_ms(TEST_MS),
                                NULL, &journey->failure);
    assert_done(journey, journey->near == NULL);
}

static inline void send_early(struct journey *journey) {
    assert_done(journey, fileset_send_early(journey->set, journey->near, deadline_in_ms(TEST_MS),
                                            &journey->failure));
    assert_done(journey, fileset_prepare(journey->set, &journey->failure));
}

static inline void freeze(struct journey *journey) {
    assert_done(journey,
                fileset_snapshot(journey->set, deadline_in_ms(TEST_MS), -1, &journey->failure));
}

static inline void await_taker(struct journey *journey) {
    assert_int_equal(pthread_join(journey->taker, NULL), 0);
    journey->taking = false;
}

static inline void send_rest(struct journey *journey) {
    assert_done(journey, fileset_send_rest(journey->set, journey->near, deadline_in_ms(TEST_MS),
                                           &journey->failure));
    assert_done(journey, wire_send(journey->near, WIRE_COMMIT, NULL, &journey->failure));
    await_taker(journey);
    if (journey->taken != 0)
        print_error("%s\n", journey->takers_failure.text);
    assert_int_equal(journey->taken, 0);
    fileset_statistics(journey->set, &journey->statistics);
}

static inline int journey_tear_down(void **state) {
    struct journey *journey = *state;
    wire_close(journey->near);
    if (journey->taking)
        await_taker(journey);
    wire_close(journey->far);
    receiver_close(journey->receiver);
    fileset_close(journey->set);
    close(journey->listen_fd);
    keeper_finish(journey->keeper);
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", journey->directory);
    assert_int_equal(system(command), 0);
    assert_int_equal(count_entries("/proc/self/fd"), journey->descriptors);
    free(journey->maps.base);
    free(journey->root);
    free(journey->directory);
    free(journey);
    return 0;
}

// --- what the root looked like at some moment ---

// A copy of the root as it is now, to be compared with what arrives.
static inline const char *remember(const struct journey *journey) {
    char command[512];
    snprintf(command, sizeof command, "cp -a %s %s/remembered", journey->root, journey->directory);
    assert_int_equal(system(command), 0);
    return in(journey->directory, "remembered");
}

static inline void assert_same_bytes(const char *left, const char *right) {
    FILE *a = fopen(left, "re"), *b = fopen(right, "re");
    assert_true(a != NULL && b != NULL);
    static char x[1 << 16], y[1 << 16];
    size_t got;
    do {
        got = fread(x, 1, sizeof x, a);
        assert_int_equal(fread(y, 1, sizeof y, b), got);
        assert_memory_equal(x, y, got);
    } while (got > 0);
    fclose(a);
    fclose(b);
}

static inline void assert_same_facts(const char *path, const struct stat *left,
                                     const struct stat *right) {
    if (left->st_mode != right->st_mode || left->st_nlink != right->st_nlink ||
        left->st_mtim.tv_sec != right->st_mtim.tv_sec ||
        left->st_mtim.tv_nsec != right->st_mtim.tv_nsec || left->st_uid != right->st_uid ||
        left->st_gid != right->st_gid)
        print_error("%s differs: mode %o %o, links %lu %lu, time %ld %ld\n", path, left->st_mode,
                    right->st_mode, left->st_nlink, right->st_nlink, left->st_mtim.tv_nsec,
                    right->st_mtim.tv_nsec);
    assert_int_equal(left->st_mode, right->st_mode);
    assert_int_equal(left->st_nlink, right->st_nlink);
    assert_int_equal(left->st_uid, right->st_uid);
    assert_int_equal(left->st_gid, right->st_gid);
    assert_int_equal(left->st_mtim.tv_sec, right->st_mtim.tv_sec);
    assert_int_equal(left->st_mtim.tv_nsec, right->st_mtim.tv_nsec);
}

static inline void assert_same_tree(const char *left, const char *right);

static inline void assert_same_entries(const char *left, const char *right) {
    assert_int_equal(count_entries(left), count_entries(right));
    DIR *directory = opendir(left);
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char a[4096], b[4096];
        assert_true(snprintf(a, sizeof a, "%s/%s", left, entry->d_name) < (int)sizeof a);
        assert_true(snprintf(b, sizeof b, "%s/%s", right, entry->d_name) < (int)sizeof b);
        assert_same_tree(a, b);
    }
    closedir(directory);
}

// Kinds, contents, modes, owners, times and link counts.
static inline void assert_same_tree(const char *left, const char *right) {
    struct stat a, b;
    assert_int_equal(lstat(left, &a), 0);
    if (lstat(right, &b) != 0)
        print_error("%s is missing\n", right);
    assert_int_equal(lstat(right, &b), 0);
    assert_same_facts(right, &a, &b);
    if (S_ISDIR(a.st_mode))
        assert_same_entries(left, right);
    else if (S_ISREG(a.st_mode))
        assert_same_bytes(left, right);
    else if (S_ISLNK(a.st_mode)) {
        char x[4096] = "", y[4096] = "";
        assert_true(readlink(left, x, sizeof x - 1) > 0 && readlink(right, y, sizeof y - 1) > 0);
        assert_string_equal(x, y);
    }
}

// --- files ---

// `size` bytes that differ from file to file and don't compress.
static inline void write_bytes(const char *path, size_t size, unsigned seed) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
    assert_true(fd >= 0);
    static uint32_t block[1 << 14];
    uint32_t number = seed * 2654435761u + 1;
    for (size_t done = 0; done < size;) {
        for (size_t i = 0; i < sizeof block / sizeof *block; i++)
            block[i] = number = number * 1664525u + 1013904223u;
        size_t part = size - done < sizeof block ? size - done : sizeof block;
        assert_int_equal(write(fd, block, part), part);
        done += part;
    }
    close(fd);
}

static inline int64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Waits until nobody can take the present state of the files for a later one: their times are
// older than any clock's tick.
static inline void await_old_stamps(void) {
    int64_t start = clock_ns();
    while (clock_ns() - start < 120000000)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static inline void append(int fd, const char *text) {
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

#define JOURNEY(name) cmocka_unit_test_setup_teardown(name, journey_set_up, journey_tear_down)
