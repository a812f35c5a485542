// SPDX-License-Identifier: Apache-2.0
// process_tree.c: a process ends with all its descendants, and with nobody else.
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process_tree.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct failure failure;
static struct keeper *keeper;

static int start_keeper(void **state) {
    (void)state;
    keeper = keeper_start(&failure);
    return keeper == NULL ? -1 : 0;
}

static int end_keeper(void **state) {
    (void)state;
    keeper_finish(keeper);
    return 0;
}

// What every process of the tree holds open; nobody does any more: all have ended.
struct life {
    int held[2];
};

static bool has_ended(const struct life *life) {
    struct pollfd end = {.fd = life->held[0]};
    return poll(&end, 1, 20000) == 1 && (end.revents & POLLHUP) != 0;
}

// A process with a child and a grandchild, which ignore what can be ignored, and are there.
static pid_t start_family(struct life *life) {
    char there[3];
    assert_int_equal(pipe(life->held), 0);
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGTERM, SIG_IGN);
        if (fork() == 0)
            fork();
        if (write(life->held[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(life->held[1]);
    for (size_t got = 0; got < sizeof there;) {
        ssize_t now = read(life->held[0], there + got, sizeof there - got);
        assert_true(now > 0);
        got += (size_t)now;
    }
    return pid;
}

static void all_of_them_end(void **state) {
    (void)state;
    struct life life;
    pid_t pid = start_family(&life);
    int pidfd = pidfd_open(pid, 0);
    assert_int_equal(process_tree_end(pid, pidfd, keeper, &failure), 0);
    assert_true(has_ended(&life));
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    close(pidfd);
    close(life.held[0]);
}

static void a_neighbour_goes_on(void **state) {
    (void)state;
    struct life family, neighbour;
    pid_t pid = start_family(&family), other = start_family(&neighbour);
    int pidfd = pidfd_open(pid, 0), other_fd = pidfd_open(other, 0);
    assert_int_equal(process_tree_end(pid, pidfd, keeper, &failure), 0);
    struct pollfd end = {.fd = other_fd, .events = POLLIN};
    assert_int_equal(poll(&end, 1, 0), 0);
    assert_int_equal(process_tree_end(other, other_fd, keeper, &failure), 0);
    assert_true(has_ended(&family) && has_ended(&neighbour));
    waitpid(pid, NULL, 0);
    waitpid(other, NULL, 0);
    close(pidfd);
    close(other_fd);
    close(family.held[0]);
    close(neighbour.held[0]);
}

static void who_has_ended_already_is_no_failure(void **state) {
    (void)state;
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    int pidfd = pidfd_open(pid, 0);
    waitpid(pid, NULL, 0);
    assert_int_equal(process_tree_end(pid, pidfd, keeper, &failure), 0);
    close(pidfd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_them_end),
        cmocka_unit_test(a_neighbour_goes_on),
        cmocka_unit_test(who_has_ended_already_is_no_failure),
    };
    return cmocka_run_group_tests(tests, start_keeper, end_keeper);
}
