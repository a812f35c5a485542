// SPDX-License-Identifier: Apache-2.0
// How CRIU is started: this program plays its part and tells what it was given.
#include "criu.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "deadline.h"
#include "descriptors.h"
#include "removal.h"
#include "scratch.h"
#include "streamer.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct failure failure;

// As CRIU complains: what it inherits.
static int play_criu(void) {
    DIR *listing = opendir("/proc/self/fd");
    printf("Error (fake): inherits");
    for (struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;)
        if (atoi(entry->d_name) > STDERR_FILENO && atoi(entry->d_name) != dirfd(listing))
            printf(" descriptor %s", entry->d_name);
    if (listing != NULL)
        closedir(listing);
    for (char **variable = environ; *variable != NULL; variable++)
        printf(" %.*s", (int)strcspn(*variable, "="), *variable);
    printf("\n");
    return 1;
}

static const char *what_criu_inherits(void) {
    struct criu criu = {.log = -1};
    assert_true(readlink("/proc/self/exe", criu.program, sizeof criu.program - 1) > 0);
    assert_int_equal(criu_check(&criu, 10000, &failure), -1);
    assert_int_equal(failure.code, EXIT_UNABLE);
    const char *inherited = strstr(failure.text, "inherits");
    assert_non_null(inherited);
    return inherited;
}

static void criu_has_none_of_our_callers_descriptors(void **state) {
    (void)state;
    int left_open = dup(STDERR_FILENO); // such as --key-fd's
    assert_true(left_open > STDERR_FILENO);
    assert_null(strstr(what_criu_inherits(), "descriptor"));
    close(left_open);
}

static void criu_has_none_of_our_callers_environment(void **state) {
    (void)state;
    setenv("CRIU_CONFIG_FILE", "/etc/shadow", 1);
    setenv("CRIU_LIBS_DIR", "/tmp", 1);
    const char *inherited = what_criu_inherits();
    assert_null(strstr(inherited, "CRIU_"));
    assert_non_null(strstr(inherited, "PATH"));
    unsetenv("CRIU_CONFIG_FILE");
    unsetenv("CRIU_LIBS_DIR");
}

// What the action script says if nobody answers it, and `milliseconds` is its patience; -1: it
// still waits after a second.
static int script_without_answer(const char *action, const char *milliseconds) {
    char *directory = test_directory();
    int listener = streamer_listen(directory, "action.sock", &failure);
    assert_true(listener >= 0);
    pid_t script = fork();
    if (script == 0) {
        setenv("CRTOOLS_SCRIPT_ACTION", action, 1);
        setenv("CLONE_ACTION_DIR", directory, 1);
        setenv("CLONE_ACTION_MS", milliseconds, 1);
        _exit(criu_action_main());
    }
    int connection = accept(listener, NULL, NULL), status = 0;
    int pidfd = pidfd_open(script, 0);
    bool ended = await_readable(pidfd, deadline_in_ms(1000));
    kill(script, SIGKILL);
    assert_int_equal(waitpid(script, &status, 0), script);
    close(pidfd);
    close(connection);
    close(listener);
    removal_of_tree(directory, &failure);
    free(directory);
    return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_frozen_process_is_not_held_for_whom_nobody_hears_of(void **state) {
    (void)state;
    assert_int_equal(script_without_answer("post-dump", "200"), 1);
}

static void what_has_no_limit_is_waited_for(void **state) {
    (void)state;
    assert_int_equal(script_without_answer("post-dump", "0"), -1);
    assert_int_equal(script_without_answer("pre-dump", "200"), -1); // hooks may run
}

int main(int argument_count, char **arguments) {
    if (argument_count > 1 && strcmp(arguments[1], "check") == 0)
        return play_criu();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(criu_has_none_of_our_callers_descriptors),
        cmocka_unit_test(criu_has_none_of_our_callers_environment),
        cmocka_unit_test(a_frozen_process_is_not_held_for_whom_nobody_hears_of),
        cmocka_unit_test(what_has_no_limit_is_waited_for),
    };
    return cmocka_run_group_tests_name("criu", tests, NULL, NULL);
}
