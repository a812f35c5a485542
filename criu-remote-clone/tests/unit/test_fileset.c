// SPDX-License-Identifier: Apache-2.0
// The file clone set from scan to restored copy: whatever happens to the files meanwhile, what
// arrives is what they were in the freeze.
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "fileset_fixture.h"

static int open_log(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    return fd;
}

static void make_sparse(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, "end", 3, 3 << 20), 3);
    close(fd);
}

static void make_socket(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    close(fd);
}

static void set_time(const char *path, time_t seconds, long nanoseconds) {
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
                                {.tv_sec = seconds, .tv_nsec = nanoseconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

static void every_kind_of_file_arrives_as_it_was(void **state) {
    struct journey *journey = *state;
    write_file(job(journey, "plain"), "text");
    write_file(job(journey, "empty"), "");
    write_bytes(job(journey, "three chunks"), (3 << 20) + 17, 1);
    make_sparse(job(journey, "sparse"));
    mkdir(job(journey, "empty directory"), 0700);
    mkdir(job(journey, "closed"), 0700);
    write_file(job(journey, "closed/read only"), "x");
    assert_int_equal(link(job(journey, "plain"), job(journey, "closed/hard")), 0);
    assert_int_equal(symlink("../plain", job(journey, "closed/relative")), 0);
    assert_int_equal(symlink("nowhere", job(journey, "dangling")), 0);
    assert_int_equal(symlink("/dev/null", job(journey, "null")), 0);
    assert_int_equal(mkfifo(job(journey, "fifo"), 0622), 0);
    chmod(job(journey, "closed/read only"), 0444);
    set_time(job(journey, "closed/read only"), -3, 999);
    set_time(job(journey, "dangling"), 77, 7);
    set_time(job(journey, "plain"), 1000000000, 123456789);
    chmod(job(journey, "closed"), 01510);
    set_time(job(journey, "closed"), 55, 5);
    if (geteuid() == 0)
        assert_int_equal(lchown(job(journey, "empty"), 12, 34), 0);
    const char *then = remember(journey);
    make_socket(job(journey, "socket"));
    set_time(journey->root, 99, 9);
    set_time(then, 99, 9);

    journey_start(journey);
    send_early(journey);
    freeze(journey);
    send_rest(journey);

    assert_same_tree(then, copy_of(journey, journey->root));
    struct stat sparse;
    assert_int_equal(stat(job(journey, "sparse"), &sparse), 0);
    assert_int_equal(stat(copy_in(journey, journey->root, "sparse"), &sparse), 0);
    assert_true(sparse.st_blocks * 512 < 1 << 20);
    assert_int_equal(journey->statistics.files, 13);
}

static void what_was_sent_early_costs_nothing_later(void **state) {
    struct journey *journey = *state;
    write_bytes(job(journey, "spill"), 5 << 20, 1);
    await_old_stamps();
    const char *then = remember(journey);
    journey_start(journey);
    assert_int_equal(fileset_bytes(journey->set), 5 << 20);
    send_early(journey);
    freeze(journey);
    send_rest(journey);
    assert_same_tree(then, copy_of(journey, journey->root));
    assert_int_equal(journey->statistics.early_bytes, 5 << 20);
    assert_int_equal(journey->statistics.rest_bytes, 0);
    assert_int_equal(journey->statistics.linked_files, 0);
    assert_int_equal(journey->statistics.copied_files, 0);
}

static void of_a_log_only_the_new_end_is_copied_and_sent(void **state) {
    struct journey *journey = *state;
    write_bytes(job(journey, "log"), 300000, 1);
    int log = open_log(job(journey, "log"));
    journey_start(journey);
    send_early(journey);
    append(log, "while it was sent");
    const char *then = remember(journey);
    freeze(journey);
    append(log, "after the freeze");
    send_rest(journey);
    close(log);
    assert_same_tree(then, copy_of(journey, journey->root));
    assert_int_equal(journey->statistics.rest_bytes, strlen("while it was sent"));
    assert_int_equal(journey->statistics.copied_bytes, strlen("while it was sent"));
    assert_int_equal(journey->statistics.copied_files, 1);
}

static void an_open_file_that_was_changed_anywhere_is_copied_whole(void **state) {
    struct journey *journey = *state;
    write_bytes(job(journey, "index"), 300000, 1);
    int fd = open(job(journey, "index"), O_RDWR | O_CLOEXEC);
    journey_start(journey);
    send_early(journey);
    assert_int_equal(pwrite(fd, "changed", 7, 1000), 7);
    const char *then = remember(journey);
    freeze(journey);
    assert_int_equal(pwrite(fd, "again", 5, 1000), 5);
    send_rest(journey);
    close(fd);
    assert_same_tree(then, copy_of(journey, journey->root));
    assert_int_equal(journey->statistics.copied_bytes, 300000);
}

// A file like a spill that is being written: no O_APPEND, but nothing but growth.
static int start_spill(struct journey *journey) {
    write_bytes(job(journey, "spill"), 6 << 20, 1);
    int fd = open(job(journey, "spill"), O_WRONLY | O_CLOEXEC);
    assert_int_equal(lseek(fd, 0, SEEK_END), 6 << 20);
    journey_start(journey);
    return fd;
}

static void of_a_large_file_that_grows_only_the_new_end_is_copied(void **state) {
    struct journey *journey = *state;
    int fd = start_spill(journey);
    send_early(journey);
    append(fd, "more");
    const char *then = remember(journey);
    freeze(journey);
    append(fd, "and more");
    send_rest(journey);
    close(fd);
    assert_same_tree(then, copy_of(journey, journey->root));
    assert_int_equal(journey->statistics.copied_bytes, 4);
    assert_int_equal(journey->statistics.rest_bytes, 4);
}

static void a_large_file_that_was_changed_anywhere_is_copied_whole(void **state) {
    struct journey *journey = *state;
    int fd = start_spill(journey);
    assert_done(journey, fileset_send_early(journey->set, journey->near, deadline_in_ms(TEST_MS),
                                            &journey->failure));
    assert_int_equal(pwrite(fd, "changed", 7, 1000), 7);
    assert_done(journey, fileset_prepare(journey->set, &journey->failure));
    const char *then = remember(journey);
    freeze(journey);
    send_rest(journey);
    close(fd);
    assert_same_tree(then, copy_of(journey, journey->root));
    assert_int_equal(journey->statistics.copied_bytes, 6 << 20);
}

// Only later can it be seen that it was not what it seemed to be.
static void a_large_file_whose_beginning_changes_around_the_freeze_is_refused(void **state) {
    struct journey *journey = *state;
    int fd = start_spill(journey);
    send_early(journey);
    freeze(journey);
    assert_int_equal(pwrite(fd, "changed", 7, 1000), 7);
    assert_int_equal(
        fileset_send_rest(journey->set, journey->near, deadline_in_ms(TEST_MS), &journey->failure),
        -1);
    assert_int_equal(journey->failure.code, EXIT_TRANSFER);
    assert_non_null(strstr(journey->failure.text, "spill"));
    close(fd);
}

static void more_than_fits_into_memory_is_copied_to_the_disk(void **state) {
    struct journey *journey = *state;
    journey_start(journey);
    send_early(journey);
    write_bytes(job(journey, "first"), 20 << 20, 1);
    write_bytes(job(journey, "second"), 20 << 20, 2);
    write_bytes(job(journey, "third"), 10 << 20, 3);
    int fds[] = {open(job(journey, "first"), O_WRONLY | O_CLOEXEC),
                 open(job(journey, "second"), O_WRONLY | O_CLOEXEC),
                 open(job(journey, "third"), O_WRONLY | O_CLOEXEC)};
    const char *then = remember(journey);
    freeze(journey);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(ftruncate(fds[i], 100), 0);
    send_rest(journey);
    for (size_t i = 0; i < 3; i++)
        close(fds[i]);
    assert_same_tree(then, copy_of(journey, journey->root));
    assert_int_equal(journey->statistics.copied_bytes, 50 << 20);
}

// By a reflink, where the file system under /tmp has them; else by comparing and copying.
static void large_open_files_are_right_with_and_without_reflinks(void **state) {
    struct journey *journey = *state;
    static const char *const names[] = {"grown", "changed", "idle"};
    int fds[3];
    for (unsigned i = 0; i < 3; i++) {
        write_bytes(job(journey, names[i]), 10 << 20, i);
        fds[i] = open(job(journey, names[i]), O_WRONLY | O_CLOEXEC);
    }
    journey_start(journey);
    send_early(journey);
    assert_int_equal(pwrite(fds[0], "more", 4, 10 << 20), 4);
    assert_int_equal(ftruncate(fds[1], 9 << 20), 0);
    const char *then = remember(journey);
    freeze(journey);
    assert_int_equal(pwrite(fds[0], "and more", 8, 10 << 20), 8);
    assert_int_equal(pwrite(fds[1], "again", 5, 2000), 5);
    send_rest(journey);
    for (unsigned i = 0; i < 3; i++)
        close(fds[i]);
    assert_same_tree(then, copy_of(journey, journey->root));
    assert_int_equal(journey->statistics.rest_bytes, 4 + (9 << 20));
}

static void a_log_that_was_cut_and_has_grown_again_is_copied_whole(void **state) {
    struct journey *journey = *state;
    int log = open_log(job(journey, "log"));
    append(log, "the first lines");
    journey_start(journey);
    send_early(journey);
    assert_int_equal(ftruncate(log, 0), 0);
    append(log, "other lines, and more of them");
    const char *then = remember(journey);
    freeze(journey);
    assert_int_equal(ftruncate(log, 0), 0);
    send_rest(journey);
    close(log);
    assert_same_tree(then, copy_of(journey, journey->root));
}

static void a_file_written_through_a_mapping_is_as_it_was_in_the_freeze(void **state) {
    struct journey *journey = *state;
    write_bytes(job(journey, "mapped"), 1 << 20, 1);
    int fd = open(job(journey, "mapped"), O_RDWR | O_CLOEXEC);
    char *bytes = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_ptr_not_equal(bytes, MAP_FAILED);
    close(fd);
    bytes[5] = 'a'; // dirty from now on: further stores change no time
    await_old_stamps();
    journey_start(journey);
    send_early(journey);
    bytes[5] = 'b';
    freeze(journey);
    bytes[5] = 'c';
    send_rest(journey);
    char found[6];
    FILE *file = fopen(copy_in(journey, journey->root, "mapped"), "re");
    assert_int_equal(fread(found, 1, 6, file), 6);
    fclose(file);
    assert_int_equal(found[5], 'b');
    munmap(bytes, 1 << 20);
}

struct writer {
    const struct journey *journey;
    pthread_t thread;
    atomic_bool stop;
    atomic_uint rounds;
};

// Logs that grow and are cut, files that come, go, change their names and are rewritten in place.
static void *write_and_write(void *context) {
    struct writer *writer = context;
    const struct journey *journey = writer->journey;
    unsigned number = 1;
    int log = open(job(journey, "log"), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int table = open(job(journey, "table"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    while (!writer->stop) {
        number = number * 1664525u + 1013904223u;
        char name[64], text[64];
        snprintf(text, sizeof text, "line %u\n", number);
        append(log, text);
        if (number % 61 == 0)
            assert_int_equal(ftruncate(log, number % 1000), 0);
        assert_int_equal(pwrite(table, text, strlen(text), number % 200000), strlen(text));
        snprintf(name, sizeof name, "file %u", number % 20);
        if (number % 7 == 0)
            unlink(job(journey, name));
        else if (number % 7 == 1)
            rename(job(journey, "file 3"), job(journey, name));
        else
            write_bytes(job(journey, name), number % 150000, number);
        writer->rounds++;
    }
    close(log);
    close(table);
    return NULL;
}

static void await_rounds(struct writer *writer, unsigned more) {
    unsigned goal = writer->rounds + more;
    while (writer->rounds < goal)
        sched_yield();
}

static void writers_do_not_disturb_the_state_of_the_freeze(void **state) {
    struct journey *journey = *state;
    write_bytes(job(journey, "big"), 20 << 20, 1);
    struct writer writer = {.journey = journey};
    assert_int_equal(pthread_create(&writer.thread, NULL, write_and_write, &writer), 0);
    await_rounds(&writer, 30);
    journey_start(journey);
    send_early(journey);
    await_rounds(&writer, 30);
    writer.stop = true;
    pthread_join(writer.thread, NULL);
    // Closed only after the freeze.
    int log = open_log(job(journey, "log"));
    int table = open(job(journey, "table"), O_WRONLY | O_CLOEXEC);

    const char *then = remember(journey);
    freeze(journey);
    append(log, "the original goes on");
    assert_int_equal(pwrite(table, "here, too", 9, 0), 9);
    assert_int_equal(unlink(job(journey, "big")), 0);
    write_file(job(journey, "later"), "not the clone's");
    send_rest(journey);
    close(log);
    close(table);
    assert_same_tree(then, copy_of(journey, journey->root));
}

static void what_came_went_and_changed_before_the_freeze_is_right(void **state) {
    struct journey *journey = *state;
    mkdir(job(journey, "a"), 0700);
    mkdir(job(journey, "a/b"), 0700);
    write_file(job(journey, "a/b/file"), "goes with its directory");
    write_file(job(journey, "file then directory"), "x");
    mkdir(job(journey, "directory then file"), 0700);
    write_file(job(journey, "directory then file/inside"), "x");
    assert_int_equal(symlink("one", job(journey, "link")), 0);
    write_file(job(journey, "swapped 1"), "one");
    write_file(job(journey, "swapped 2"), "two");
    write_file(job(journey, "mode"), "same");
    mkdir(job(journey, "mode of directory"), 0700);
    journey_start(journey);
    send_early(journey);

    unlink(job(journey, "a/b/file"));
    rmdir(job(journey, "a/b"));
    rmdir(job(journey, "a"));
    unlink(job(journey, "file then directory"));
    mkdir(job(journey, "file then directory"), 0710);
    write_file(job(journey, "file then directory/new"), "new");
    unlink(job(journey, "directory then file/inside"));
    rmdir(job(journey, "directory then file"));
    write_file(job(journey, "directory then file"), "new");
    unlink(job(journey, "link"));
    assert_int_equal(symlink("two", job(journey, "link")), 0);
    rename(job(journey, "swapped 1"), job(journey, "swapped 3"));
    rename(job(journey, "swapped 2"), job(journey, "swapped 1"));
    rename(job(journey, "swapped 3"), job(journey, "swapped 2"));
    chmod(job(journey, "mode"), 0444);
    chmod(job(journey, "mode of directory"), 0511);
    mkdir(job(journey, "new"), 0700);
    write_file(job(journey, "new/file"), "new");
    assert_int_equal(mkfifo(job(journey, "new/fifo"), 0600), 0);

    const char *then = remember(journey);
    freeze(journey);
    send_rest(journey);
    assert_same_tree(then, copy_of(journey, journey->root));
}

static void a_renamed_file_is_not_sent_again(void **state) {
    struct journey *journey = *state;
    write_bytes(job(journey, "spill0.out"), 3 << 20, 1);
    await_old_stamps();
    journey_start(journey);
    send_early(journey);
    mkdir(job(journey, "final"), 0700);
    rename(job(journey, "spill0.out"), job(journey, "final/file.out"));
    const char *then = remember(journey);
    freeze(journey);
    send_rest(journey);
    assert_same_tree(then, copy_of(journey, journey->root));
    assert_int_equal(journey->statistics.rest_bytes, 0);
}

static void rotated_logs_are_told_apart(void **state) {
    struct journey *journey = *state;
    int old = open_log(job(journey, "log"));
    append(old, "old lines");
    journey_start(journey);
    send_early(journey);
    rename(job(journey, "log"), job(journey, "log.1"));
    append(old, " and the last one");
    int new = open_log(job(journey, "log"));
    append(new, "new lines, more than there were old ones before");
    const char *then = remember(journey);
    freeze(journey);
    append(old, "late");
    append(new, "late");
    send_rest(journey);
    close(old);
    close(new);
    assert_same_tree(then, copy_of(journey, journey->root));
}

static void hard_links_made_and_cut_before_the_freeze_are_right(void **state) {
    struct journey *journey = *state;
    write_bytes(job(journey, "b"), 200000, 1);
    assert_int_equal(link(job(journey, "b"), job(journey, "c")), 0);
    int log = open_log(job(journey, "log b"));
    append(log, "line");
    assert_int_equal(link(job(journey, "log b"), job(journey, "log c")), 0);
    journey_start(journey);
    send_early(journey);
    assert_int_equal(link(job(journey, "b"), job(journey, "a")), 0);
    unlink(job(journey, "c"));
    write_bytes(job(journey, "c"), 200000, 2); // no longer the same file
    append(log, "another");
    assert_int_equal(link(job(journey, "log b"), job(journey, "log a")), 0);
    unlink(job(journey, "log b"));
    const char *then = remember(journey);
    freeze(journey);
    append(log, "late");
    send_rest(journey);
    close(log);
    assert_same_tree(then, copy_of(journey, journey->root));
}

static void a_file_opened_for_writing_after_the_scan_is_copied(void **state) {
    struct journey *journey = *state;
    write_bytes(job(journey, "reopened"), 200000, 1);
    await_old_stamps();
    journey_start(journey);
    send_early(journey);
    int old = open(job(journey, "reopened"), O_RDWR | O_CLOEXEC);
    assert_int_equal(pwrite(old, "x", 1, 0), 1);
    int new = open(job(journey, "spill in progress"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(ftruncate(new, 500000), 0);
    const char *then = remember(journey);
    freeze(journey);
    assert_int_equal(pwrite(old, "y", 1, 0), 1);
    assert_int_equal(pwrite(new, "y", 1, 0), 1);
    send_rest(journey);
    close(old);
    close(new);
    assert_same_tree(then, copy_of(journey, journey->root));
    assert_int_equal(journey->statistics.copied_files, 2);
}

static void a_childs_open_file_counts_as_well(void **state) {
    struct journey *journey = *state;
    write_bytes(job(journey, "childs"), 200000, 1);
    await_old_stamps();
    journey_start(journey);
    send_early(journey);
    int orders[2], answers[2];
    assert_int_equal(pipe2(orders, O_CLOEXEC) | pipe2(answers, O_CLOEXEC), 0);
    pid_t child = fork();
    if (child == 0) {
        close(orders[1]);
        close(answers[0]);
        char order;
        int fd = open(job(journey, "childs"), O_WRONLY | O_CLOEXEC);
        while (write(answers[1], "x", 1) == 1 && read(orders[0], &order, 1) == 1)
            if (pwrite(fd, &order, 1, 100) != 1)
                _exit(1);
        _exit(0);
    }
    char answer;
    assert_int_equal(read(answers[0], &answer, 1), 1); // it is open
    close(orders[0]);
    const char *then = remember(journey);
    freeze(journey);
    assert_int_equal(write(orders[1], "!", 1), 1);
    assert_int_equal(read(answers[0], &answer, 1), 1); // it has written
    send_rest(journey);
    close(orders[1]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(answers[0]);
    close(answers[1]);
    assert_same_tree(then, copy_of(journey, journey->root));
}

static void what_the_original_deletes_after_the_freeze_still_arrives(void **state) {
    struct journey *journey = *state;
    mkdir(job(journey, "sub"), 0700);
    journey_start(journey);
    send_early(journey);
    write_bytes(job(journey, "sub/spill"), 2 << 20, 1);
    const char *then = remember(journey);
    freeze(journey);
    unlink(job(journey, "sub/spill"));
    rmdir(job(journey, "sub"));
    send_rest(journey);
    assert_same_tree(then, copy_of(journey, journey->root));
    assert_int_equal(journey->statistics.linked_files, 1);
}

static void a_held_file_written_to_after_the_freeze_is_refused(void **state) {
    struct journey *journey = *state;
    journey_start(journey);
    send_early(journey);
    write_bytes(job(journey, "spill"), 2 << 20, 1);
    freeze(journey);
    await_old_stamps(); // a freeze is longer than a tick
    int fd = open(job(journey, "spill"), O_WRONLY | O_CLOEXEC);
    assert_int_equal(pwrite(fd, "x", 1, 0), 1);
    close(fd);
    assert_int_equal(
        fileset_send_rest(journey->set, journey->near, deadline_in_ms(TEST_MS), &journey->failure),
        -1);
    assert_int_equal(journey->failure.code, EXIT_TRANSFER);
    assert_non_null(strstr(journey->failure.text, "spill"));
}

static void a_small_file_may_be_written_again_right_after_the_freeze(void **state) {
    struct journey *journey = *state;
    journey_start(journey);
    send_early(journey);
    write_bytes(job(journey, "status"), 60000, 1);
    const char *then = remember(journey);
    freeze(journey);
    write_bytes(job(journey, "status"), 50000, 2);
    send_rest(journey);
    assert_same_tree(then, copy_of(journey, journey->root));
}

struct cutter {
    struct journey *journey;
    const char *path;
};

static void *cut_in_the_middle(void *context) {
    const struct cutter *cutter = context;
    while (cutter->journey->taken_bytes < 1 << 20)
        sched_yield();
    assert_int_equal(truncate(cutter->path, 2000), 0);
    return NULL;
}

static void a_file_cut_while_it_is_sent_is_right_in_the_end(void **state) {
    struct journey *journey = *state;
    char *path = strdup(job(journey, "cut"));
    write_bytes(path, 60 << 20, 1);
    journey_start(journey);
    struct cutter cutter = {.journey = journey, .path = path};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cut_in_the_middle, &cutter), 0);
    send_early(journey);
    pthread_join(thread, NULL);
    const char *then = remember(journey);
    freeze(journey);
    send_rest(journey);
    assert_same_tree(then, copy_of(journey, journey->root));
    free(path);
}

static void thousands_of_small_files_arrive(void **state) {
    struct journey *journey = *state;
    for (unsigned i = 0; i < 2000; i++) {
        char name[64], text[64];
        snprintf(name, sizeof name, "directory %u", i / 100);
        if (i % 100 == 0)
            assert_int_equal(mkdir(job(journey, name), 0700), 0);
        snprintf(name, sizeof name, "directory %u/file %u", i / 100, i);
        snprintf(text, sizeof text, "file number %u", i);
        write_file(job(journey, name), text);
    }
    await_old_stamps();
    const char *then = remember(journey);
    journey_start(journey);
    send_early(journey);
    freeze(journey);
    send_rest(journey);
    assert_same_tree(then, copy_of(journey, journey->root));
    assert_int_equal(journey->statistics.files, 2021);
    assert_int_equal(journey->statistics.linked_files + journey->statistics.copied_files, 0);
}

static void a_large_file_arrives(void **state) {
    struct journey *journey = *state;
    write_bytes(job(journey, "large"), 200 << 20, 1);
    journey_start(journey);
    send_early(journey);
    freeze(journey);
    send_rest(journey);
    assert_same_bytes(job(journey, "large"), copy_in(journey, journey->root, "large"));
    assert_int_equal(journey->statistics.early_bytes + journey->statistics.rest_bytes, 200 << 20);
}

// More files than we may open: the others are copied.
static void few_descriptors_are_enough(void **state) {
    struct journey *journey = *state;
    journey_start(journey);
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = 40;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    send_early(journey);
    for (unsigned i = 0; i < 60; i++) {
        char name[32];
        snprintf(name, sizeof name, "spill %u", i);
        write_bytes(job(journey, name), 100000, i);
    }
    const char *then = remember(journey);
    freeze(journey);
    send_rest(journey);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_same_tree(then, copy_of(journey, journey->root));
    assert_int_equal(journey->statistics.linked_files, 20);
    assert_int_equal(journey->statistics.copied_files, 40);
}

static void a_deadline_is_kept(void **state) {
    struct journey *journey = *state;
    write_bytes(job(journey, "file"), 100, 1);
    journey_start(journey);
    assert_int_equal(
        fileset_send_early(journey->set, journey->near, now_ns() - 1, &journey->failure), -1);
    assert_int_equal(journey->failure.code, EXIT_DEADLINE);
}

static void a_lost_connection_is_a_failure_and_no_leak(void **state) {
    struct journey *journey = *state;
    write_bytes(job(journey, "file"), 64 << 20, 1);
    journey->extra[0] = strdup(in(journey->directory, "surplus"));
    journey->extra_count = 1;
    write_file(journey->extra[0], "x");
    journey_start(journey);
    // The taker refuses what comes after the commit, and closes its end.
    assert_int_equal(wire_send(journey->near, WIRE_COMMIT, NULL, &journey->failure), 0);
    await_taker(journey);
    wire_close(journey->far);
    journey->far = NULL;
    assert_int_equal(
        fileset_send_early(journey->set, journey->near, deadline_in_ms(TEST_MS), &journey->failure),
        -1);
    assert_int_equal(journey->failure.code, EXIT_PEER);
    free(journey->extra[0]);
}

static void what_is_added_arrives_and_is_watched_like_the_rest(void **state) {
    struct journey *journey = *state;
    mkdir(in(journey->directory, "cache"), 0755);
    mkdir(in(journey->directory, "cache/lib"), 0750);
    write_file(in(journey->directory, "cache/lib/a.jar"), "a");
    write_file(in(journey->directory, "cache/b.jar"), "b");
    assert_int_equal(symlink("b.jar", in(journey->directory, "cache/current")), 0);
    journey->extra[0] = strdup(in(journey->directory, "cache/lib"));
    journey->extra[1] = strdup(in(journey->directory, "cache/b.jar"));
    journey->extra[2] = strdup(in(journey->directory, "cache/current"));
    journey->extra_count = 3;
    journey_start(journey);
    assert_done(journey, fileset_add(journey->set, in(journey->directory, "cache/lib/a.jar"),
                                     &journey->failure)); // part of what was added already
    send_early(journey);
    write_file(in(journey->directory, "cache/lib/a.jar"), "another a");
    freeze(journey);
    send_rest(journey);
    assert_string_equal(read_file(copy_in(journey, journey->extra[0], "a.jar")), "another a");
    assert_string_equal(read_file(copy_of(journey, journey->extra[1])), "b");
    assert_string_equal(read_file(copy_of(journey, journey->extra[2])), "b");
    struct stat status;
    assert_int_equal(lstat(copy_of(journey, journey->extra[2]), &status), 0);
    assert_true(S_ISREG(status.st_mode)); // a link could not be bound over
    assert_int_equal(lstat(copy_of(journey, journey->extra[0]), &status), 0);
    assert_int_equal(status.st_mode, S_IFDIR | 0750);
    for (size_t i = 0; i < 3; i++)
        free(journey->extra[i]);
}

// The target asks for what the process had open for a moment; by then it is gone.
static void what_is_added_and_gone_is_left_out(void **state) {
    struct journey *journey = *state;
    write_file(in(journey->directory, "a moment"), "a");
    journey->extra[0] = strdup(in(journey->directory, "a moment"));
    journey->extra[1] = strdup(in(journey->directory, "never was"));
    journey->extra_count = 2;
    journey_start(journey);
    unlink(journey->extra[0]);
    send_early(journey);
    freeze(journey);
    send_rest(journey);
    struct stat status;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(lstat(copy_of(journey, journey->extra[i]), &status), -1);
        free(journey->extra[i]);
    }
}

// Open for writing, and too large to be copied in no time. In the freeze nobody else can end it.
static int snapshot_of_a_huge_file(struct journey *journey, int milliseconds, int cut_fd) {
    int fd = open(job(journey, "index"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(ftruncate(fd, INT64_C(3) << 30), 0);
    char *roots[] = {journey->root};
    journey->set = fileset_scan(&journey->process, roots, 1, 1, &journey->failure);
    assert_done(journey, journey->set == NULL);
    assert_done(journey, fileset_prepare(journey->set, &journey->failure));
    int result =
        fileset_snapshot(journey->set, deadline_in_ms(milliseconds), cut_fd, &journey->failure);
    close(fd);
    return result;
}

static void the_time_limit_ends_a_copy_in_the_freeze(void **state) {
    struct journey *journey = *state;
    assert_int_equal(snapshot_of_a_huge_file(journey, 50, -1), -1);
    assert_int_equal(journey->failure.code, EXIT_DEADLINE);
}

static void a_signal_ends_a_copy_in_the_freeze(void **state) {
    struct journey *journey = *state;
    int cut_fd = eventfd(1, EFD_CLOEXEC);
    assert_int_equal(snapshot_of_a_huge_file(journey, TEST_MS, cut_fd), -1);
    assert_int_equal(journey->failure.code, EXIT_INTERRUPTED);
    close(cut_fd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        JOURNEY(every_kind_of_file_arrives_as_it_was),
        JOURNEY(what_was_sent_early_costs_nothing_later),
        JOURNEY(of_a_log_only_the_new_end_is_copied_and_sent),
        JOURNEY(an_open_file_that_was_changed_anywhere_is_copied_whole),
        JOURNEY(of_a_large_file_that_grows_only_the_new_end_is_copied),
        JOURNEY(a_large_file_that_was_changed_anywhere_is_copied_whole),
        JOURNEY(a_large_file_whose_beginning_changes_around_the_freeze_is_refused),
        JOURNEY(more_than_fits_into_memory_is_copied_to_the_disk),
        JOURNEY(large_open_files_are_right_with_and_without_reflinks),
        JOURNEY(a_log_that_was_cut_and_has_grown_again_is_copied_whole),
        JOURNEY(a_file_written_through_a_mapping_is_as_it_was_in_the_freeze),
        JOURNEY(writers_do_not_disturb_the_state_of_the_freeze),
        JOURNEY(what_came_went_and_changed_before_the_freeze_is_right),
        JOURNEY(a_renamed_file_is_not_sent_again),
        JOURNEY(rotated_logs_are_told_apart),
        JOURNEY(hard_links_made_and_cut_before_the_freeze_are_right),
        JOURNEY(a_file_opened_for_writing_after_the_scan_is_copied),
        JOURNEY(a_childs_open_file_counts_as_well),
        JOURNEY(what_the_original_deletes_after_the_freeze_still_arrives),
        JOURNEY(a_held_file_written_to_after_the_freeze_is_refused),
        JOURNEY(a_small_file_may_be_written_again_right_after_the_freeze),
        JOURNEY(a_file_cut_while_it_is_sent_is_right_in_the_end),
        JOURNEY(thousands_of_small_files_arrive),
        JOURNEY(a_large_file_arrives),
        JOURNEY(few_descriptors_are_enough),
        JOURNEY(a_deadline_is_kept),
        JOURNEY(the_time_limit_ends_a_copy_in_the_freeze),
        JOURNEY(a_signal_ends_a_copy_in_the_freeze),
        JOURNEY(a_lost_connection_is_a_failure_and_no_leak),
        JOURNEY(what_is_added_arrives_and_is_watched_like_the_rest),
        JOURNEY(what_is_added_and_gone_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
