// SPDX-License-Identifier: Apache-2.0
// Leases between processes: limits hold, waiting ends, and dead holders hold nothing.
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>

#include "deadline.h"
#include "lease.h"
#include "removal.h"
#include "scratch.h"
#include "subject.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MIB (1ull << 20)

static char *directory;
static struct failure failure;

static int make_directory(void **state) {
    (void)state;
    directory = test_directory();
    return 0;
}

static int remove_directory(void **state) {
    (void)state;
    int result = removal_of_tree(directory, &failure);
    free(directory);
    return result;
}

static struct lease_limits limits(unsigned clones, uint64_t ram_bytes) {
    return (struct lease_limits){.directory = directory, .clones = clones, .ram_bytes = ram_bytes};
}

static struct lease *acquire_now(const struct lease_limits *wanted, uint64_t ram_bytes) {
    return lease_acquire(wanted, ram_bytes, -1, now_ns(), &failure);
}

static struct lease *acquire(const struct lease_limits *wanted, uint64_t ram_bytes) {
    struct lease *lease = lease_acquire(wanted, ram_bytes, -1, deadline_in_ms(30000), &failure);
    if (lease == NULL)
        fail_msg("%s", failure.text);
    return lease;
}

static void assert_busy(const struct lease_limits *wanted, uint64_t ram_bytes, const char *part) {
    assert_null(acquire_now(wanted, ram_bytes));
    assert_int_equal(failure.code, EXIT_BUSY);
    if (strstr(failure.text, part) == NULL)
        fail_msg("'%s' doesn't say '%s'", failure.text, part);
}

// --- one process ---

static void there_are_as_many_leases_as_clones_allowed(void **state) {
    (void)state;
    struct lease_limits two = limits(2, 100 * MIB);
    struct lease *first = acquire(&two, MIB), *second = acquire(&two, MIB);
    assert_busy(&two, MIB, "under way on this host: 2, and 2 are allowed");
    lease_release(first);
    first = acquire(&two, MIB);
    lease_release(first);
    lease_release(second);
}

static void memory_is_shared_out(void **state) {
    (void)state;
    struct lease_limits many = limits(10, 100 * MIB);
    struct lease *first = acquire(&many, 60 * MIB);
    assert_busy(&many, 41 * MIB, "others hold 60 of the 100 MiB");
    struct lease *second = acquire(&many, 40 * MIB);
    lease_release(first);
    lease_release(second);
}

static void what_never_fits_is_not_waited_for(void **state) {
    (void)state;
    struct lease_limits small = limits(10, 100 * MIB);
    assert_null(lease_acquire(&small, 101 * MIB, -1, deadline_in_ms(600000), &failure));
    assert_int_equal(failure.code, EXIT_SPACE);
    assert_non_null(strstr(failure.text, "needs 101 MiB, and others hold 0 of the 100 MiB"));
}

static void sizes_do_not_overflow(void **state) {
    (void)state;
    struct lease_limits all = limits(10, UINT64_MAX);
    char *slot = strdup(in(directory, "slot-05"));
    write_file(slot, "pid 1\nbytes 18446744073709551605\n");
    int held = open(slot, O_RDWR | O_CLOEXEC);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    assert_int_equal(fcntl(held, F_OFD_SETLK, &lock), 0);
    assert_busy(&all, 100, "others hold 17592186044415 of the 17592186044415 MiB");
    struct lease *lease = acquire(&all, 10);
    lease_release(lease);
    close(held);
    free(slot);
}

static void more_memory_than_there_is_is_not_given_out(void **state) {
    (void)state;
    struct lease_limits all = limits(10, UINT64_MAX);
    assert_null(acquire_now(&all, 1ull << 60));
    assert_int_equal(failure.code, EXIT_SPACE);
    assert_non_null(strstr(failure.text, "memory cgroup"));
}

static void without_a_limit_it_is_half_of_the_memory_available(void **state) {
    (void)state;
    struct lease_limits half = limits(10, 0);
    struct lease *lease = acquire(&half, MIB);
    lease_release(lease);
    assert_null(acquire_now(&half, 1ull << 60));
    assert_int_equal(failure.code, EXIT_SPACE);
}

static void a_lease_can_shrink_and_grow_within_the_limit(void **state) {
    (void)state;
    struct lease_limits many = limits(10, 100 * MIB);
    struct lease *first = acquire(&many, 90 * MIB);
    assert_int_equal(lease_resize(first, 50 * MIB, &failure), 0);
    struct lease *second = acquire(&many, 40 * MIB);
    assert_int_equal(lease_resize(first, 61 * MIB, &failure), -1);
    assert_int_equal(failure.code, EXIT_SPACE);
    assert_busy(&many, 11 * MIB, "hold 90 of the 100 MiB"); // so nothing has changed
    assert_int_equal(lease_resize(first, 60 * MIB, &failure), 0);
    lease_release(second);
    assert_int_equal(lease_resize(first, 100 * MIB, &failure), 0);
    lease_release(first);
}

static void each_caller_applies_its_own_limits_to_all(void **state) {
    (void)state;
    struct lease_limits strict = limits(1, 50 * MIB), generous = limits(3, 500 * MIB);
    struct lease *first = acquire(&generous, 60 * MIB);
    assert_busy(&strict, MIB, "");
    struct lease *second = acquire(&generous, 60 * MIB);
    lease_release(first);
    assert_busy(&strict, MIB, ""); // though its first slot is free
    lease_release(second);
    first = acquire(&strict, MIB);
    lease_release(first);
}

static void bandwidth_is_shared_among_those_who_send(void **state) {
    (void)state;
    struct lease_limits sending = limits(10, 100 * MIB), receiving = limits(10, 100 * MIB);
    sending.sending = true;
    sending.bytes_per_second = receiving.bytes_per_second = 1000;
    struct lease *receiver = acquire(&receiving, MIB), *first = acquire(&sending, MIB);
    assert_int_equal(lease_bandwidth(first), 1000);
    struct lease *second = acquire(&sending, MIB), *third = acquire(&sending, MIB);
    assert_int_equal(lease_bandwidth(first), 333);
    lease_release(third);
    assert_int_equal(lease_bandwidth(second), 500);
    lease_release(first);
    lease_release(second);
    lease_release(receiver);
}

static void a_share_of_bandwidth_is_never_nothing(void **state) {
    (void)state;
    struct lease_limits slow = limits(10, 100 * MIB);
    slow.sending = true;
    slow.bytes_per_second = 1;
    struct lease *first = acquire(&slow, MIB), *second = acquire(&slow, MIB);
    assert_int_equal(lease_bandwidth(first), 1);
    lease_release(first);
    lease_release(second);
    slow.bytes_per_second = 0;
    first = acquire(&slow, MIB);
    assert_int_equal(lease_bandwidth(first), 0); // unlimited
    lease_release(first);
}

static void a_slot_says_who_holds_it(void **state) {
    (void)state;
    struct lease_limits one = limits(1, 100 * MIB);
    struct lease *lease = acquire(&one, 12345);
    char wanted[64];
    snprintf(wanted, sizeof wanted, "pid %d\nbytes 12345\nsending no\nsince 2", (int)getpid());
    const char *text = read_file(in(directory, "slot-00"));
    assert_memory_equal(text, wanted, strlen(wanted));
    assert_int_equal(lease_resize(lease, 1, &failure), 0);
    assert_non_null(strstr(read_file(in(directory, "slot-00")), "\nbytes 1\n"));
    lease_release(lease);
}

static void what_the_dead_have_written_does_not_count(void **state) {
    (void)state;
    struct lease_limits one = limits(1, 100 * MIB);
    write_file(in(directory, "slot-00"), "pid 1\nbytes 99999999999\nsending yes\n");
    write_file(in(directory, "slot-07"), "no such words");
    struct lease *lease = acquire(&one, 100 * MIB);
    lease_release(lease);
}

static void a_readable_cancel_descriptor_ends_the_wait(void **state) {
    (void)state;
    struct lease_limits one = limits(1, 100 * MIB);
    struct lease *lease = acquire(&one, MIB);
    int cancel = eventfd(1, EFD_CLOEXEC);
    assert_null(lease_acquire(&one, MIB, cancel, deadline_in_ms(600000), &failure));
    assert_int_equal(failure.code, EXIT_INTERRUPTED);
    close(cancel);
    lease_release(lease);
    lease_release(NULL);
}

// --- the directory ---

static void a_directory_is_made_for_its_user_alone(void **state) {
    (void)state;
    struct stat status;
    assert_int_equal(lease_directory_usable(in(directory, "new"), &failure), 0);
    assert_int_equal(stat(in(directory, "new"), &status), 0);
    assert_int_equal(status.st_mode, S_IFDIR | 0700);
    assert_int_equal(stat(in(directory, "new/lock"), &status), 0);
    assert_int_equal(status.st_mode, S_IFREG | 0600);
}

static void in_a_shared_directory_slots_are_shared(void **state) {
    (void)state;
    struct stat status;
    char *shared = strdup(in(directory, "shared"));
    mkdir(shared, 0700);
    chmod(shared, 01777);
    struct lease_limits one = {.directory = shared, .clones = 1, .ram_bytes = MIB};
    mode_t mask = umask(077);
    struct lease *lease = acquire(&one, 1);
    umask(mask);
    assert_int_equal(stat(in(directory, "shared/slot-00"), &status), 0);
    assert_int_equal(status.st_mode, S_IFREG | 0666);
    lease_release(lease);
    free(shared);
}

static void assert_unusable(const char *path) {
    assert_int_equal(lease_directory_usable(path, &failure), -1);
    assert_int_equal(failure.code, EXIT_UNABLE);
    assert_non_null(strstr(failure.text, path));
}

static void what_is_no_directory_of_ours_is_refused(void **state) {
    (void)state;
    write_file(in(directory, "plain"), "");
    assert_unusable(in(directory, "plain"));
    assert_unusable(in(directory, "no/such"));
    assert_int_equal(symlink(directory, in(directory, "link")), 0);
    assert_unusable(in(directory, "link"));
    mkdir(in(directory, "another's"), 0777);
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(in(directory, "another's"), 12345, 12345), 0);
    assert_unusable(in(directory, "another's"));
}

static void a_link_in_a_slots_place_is_not_followed(void **state) {
    (void)state;
    char *trap = strdup(in(directory, "trap"));
    mkdir(trap, 0700);
    write_file(in(directory, "victim"), "precious");
    assert_int_equal(symlink("../victim", in(directory, "trap/slot-00")), 0);
    struct lease_limits one = {.directory = trap, .clones = 4, .ram_bytes = MIB};
    struct lease *lease = acquire(&one, 1);
    assert_string_equal(read_file(in(directory, "victim")), "precious");
    lease_release(lease);
    free(trap);
}

// --- several processes ---

static int take_lease(void *context) {
    const struct lease_limits *wanted = context;
    return lease_acquire(wanted, 60 * MIB, -1, deadline_in_ms(30000), &failure) == NULL ? -1 : 0;
}

static void a_killed_holder_holds_nothing(void **state) {
    (void)state;
    struct lease_limits one = limits(1, 100 * MIB);
    struct subject holder = subject_start(take_lease, &one, -1);
    assert_int_equal(holder.error, 0);
    assert_busy(&one, MIB, "under way on this host: 1, and 1 are allowed");
    char wanted[32];
    snprintf(wanted, sizeof wanted, "pid %d\n", (int)holder.pid);
    assert_memory_equal(read_file(in(directory, "slot-00")), wanted, strlen(wanted));
    subject_end(&holder); // by SIGKILL
    struct lease *lease = acquire(&one, 100 * MIB);
    lease_release(lease);
}

static void waiting_ends_when_a_holder_is_killed(void **state) {
    (void)state;
    struct lease_limits one = limits(1, 100 * MIB);
    struct subject holder = subject_start(take_lease, &one, -1);
    assert_int_equal(holder.error, 0);
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t waiter = fork();
    if (waiter == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        struct lease *lease = lease_acquire(&one, MIB, -1, deadline_in_ms(30000), &failure);
        char got = lease != NULL ? 'y' : 'n';
        _exit(write(ends[1], &got, 1) == 1 ? 0 : 1);
    }
    close(ends[1]);
    struct pollfd answer = {.fd = ends[0], .events = POLLIN};
    assert_int_equal(poll(&answer, 1, 200), 0); // it waits
    subject_end(&holder);
    char got = 0;
    assert_int_equal(read(ends[0], &got, 1), 1);
    assert_int_equal(got, 'y');
    waitpid(waiter, NULL, 0);
    close(ends[0]);
}

static int hold_lock_and_stop(void *context) {
    const char *path = context;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(open(path, O_RDWR | O_CREAT, 0600), F_OFD_SETLK, &lock);
}

static void a_stopped_process_with_the_lock_does_not_hang_us(void **state) {
    (void)state;
    char *lock = strdup(in(directory, "lock"));
    struct subject stopped = subject_start(hold_lock_and_stop, lock, -1);
    assert_int_equal(stopped.error, 0);
    struct lease_limits one = limits(1, 100 * MIB);
    assert_null(lease_acquire(&one, MIB, -1, deadline_in_ms(50), &failure));
    assert_int_equal(failure.code, EXIT_BUSY);
    assert_non_null(strstr(failure.text, "is it stopped?"));
    subject_end(&stopped);
    free(lock);
}

// Many processes take and give back leases, and count in memory how many have one at a time.
struct crowd {
    struct lease_limits limits;
    int inside, most, taken;
};

static void take_part(struct crowd *crowd, int rounds) {
    for (int i = 0; i < rounds; i++) {
        struct lease *lease =
            lease_acquire(&crowd->limits, 30 * MIB, -1, deadline_in_ms(60000), &failure);
        if (lease == NULL)
            _exit(1);
        int inside = __atomic_add_fetch(&crowd->inside, 1, __ATOMIC_SEQ_CST);
        int most = __atomic_load_n(&crowd->most, __ATOMIC_SEQ_CST);
        while (inside > most && !__atomic_compare_exchange_n(&crowd->most, &most, inside, 0,
                                                             __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            continue;
        __atomic_add_fetch(&crowd->taken, 1, __ATOMIC_SEQ_CST);
        __atomic_sub_fetch(&crowd->inside, 1, __ATOMIC_SEQ_CST);
        lease_release(lease);
    }
    _exit(0);
}

static void a_crowd_never_holds_more_than_allowed(void **state) {
    (void)state;
    enum { PROCESSES = 8, ROUNDS = 20 };
    struct crowd *crowd =
        mmap(NULL, sizeof *crowd, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    crowd->limits = limits(5, 100 * MIB); // so memory allows 3
    pid_t members[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        members[i] = fork();
        if (members[i] == 0)
            take_part(crowd, ROUNDS);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        waitpid(members[i], &status, 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(crowd->taken, PROCESSES * ROUNDS);
    assert_in_range(crowd->most, 1, 3);
    munmap(crowd, sizeof *crowd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_as_many_leases_as_clones_allowed),
        cmocka_unit_test(memory_is_shared_out),
        cmocka_unit_test(what_never_fits_is_not_waited_for),
        cmocka_unit_test(sizes_do_not_overflow),
        cmocka_unit_test(more_memory_than_there_is_is_not_given_out),
        cmocka_unit_test(without_a_limit_it_is_half_of_the_memory_available),
        cmocka_unit_test(a_lease_can_shrink_and_grow_within_the_limit),
        cmocka_unit_test(each_caller_applies_its_own_limits_to_all),
        cmocka_unit_test(bandwidth_is_shared_among_those_who_send),
        cmocka_unit_test(a_share_of_bandwidth_is_never_nothing),
        cmocka_unit_test(a_slot_says_who_holds_it),
        cmocka_unit_test(what_the_dead_have_written_does_not_count),
        cmocka_unit_test(a_readable_cancel_descriptor_ends_the_wait),
        cmocka_unit_test(a_directory_is_made_for_its_user_alone),
        cmocka_unit_test(in_a_shared_directory_slots_are_shared),
        cmocka_unit_test(what_is_no_directory_of_ours_is_refused),
        cmocka_unit_test(a_link_in_a_slots_place_is_not_followed),
        cmocka_unit_test(a_killed_holder_holds_nothing),
        cmocka_unit_test(waiting_ends_when_a_holder_is_killed),
        cmocka_unit_test(a_stopped_process_with_the_lock_does_not_hang_us),
        cmocka_unit_test(a_crowd_never_holds_more_than_allowed),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
