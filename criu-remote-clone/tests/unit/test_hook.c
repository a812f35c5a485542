// SPDX-License-Identifier: Apache-2.0
// Hooks: how they end, what they see, and that nothing of them stays.
#include "doomed.h"
#include "failure.h"
#include "hook.h"
#include "removal.h"
#include "scratch.h"
#include <setjmp.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct failure failure;

static struct hook_call quiesce(const char *command) {
    return (struct hook_call){.command = command,
                              .role = "original",
                              .phase = "quiesce",
                              .pid = 4711,
                              .timeout_ms = 30000};
}

static int run(const char *command) {
    struct hook_call call = quiesce(command);
    return hook_run(&call, &failure);
}

static void drop(char *directory) {
    assert_int_equal(removal_of_tree(directory, &failure), 0);
    free(directory);
}

static void no_command_is_a_success(void **state) {
    (void)state;
    assert_int_equal(run(NULL), 0);
}

static void the_exit_code_decides(void **state) {
    (void)state;
    assert_int_equal(run("exit 0"), 0);
    assert_int_equal(run("exit 7"), -1);
    assert_int_equal(failure.code, EXIT_VETO);
    assert_non_null(strstr(failure.text, "exit code 7"));
    assert_non_null(strstr(failure.text, "quiesce"));
    assert_int_equal(run("/no/such/command"), -1);
    assert_non_null(strstr(failure.text, "exit code 127"));
}

static void a_signal_is_a_no(void **state) {
    (void)state;
    assert_int_equal(run("kill -SEGV $$"), -1);
    assert_int_equal(failure.code, EXIT_VETO);
    assert_non_null(strstr(failure.text, "SIGSEGV"));
}

static void the_hook_knows_where_it_is(void **state) {
    (void)state;
    char *directory = test_directory();
    setenv("LOG", in(directory, "log"), 1);
    setenv("CLONE_ROLE", "inherited", 1);
    setenv("CLONE_OUTCOME", "inherited", 1);
    struct hook_call call =
        quiesce("echo $CLONE_ROLE $CLONE_PHASE $CLONE_PID $CLONE_OUTCOME > $LOG");
    call.phase = "resume";
    call.outcome = "cloned";
    assert_int_equal(hook_run(&call, &failure), 0);
    assert_string_equal(read_file(in(directory, "log")), "original resume 4711 cloned\n");
    drop(directory);
}

static char *variable_of(const struct hook_call *call, const char *name) {
    static struct hook_environment environment;
    hook_environment(call, &environment);
    for (char **variable = environment.variables; *variable != NULL; variable++)
        if (strncmp(*variable, name, strlen(name)) == 0)
            return *variable;
    return NULL;
}

static void a_hook_is_told_of_the_link_where_there_is_something_to_tell(void **state) {
    (void)state;
    const char *name = "CLONE_LINK_BYTES_PER_MS=";
    uint64_t rate = UINT64_MAX;
    struct hook_call call = quiesce("true");
    assert_null(variable_of(&call, name));
    call.outcome = "cloned";
    call.link_bytes_per_ms = &rate;
    assert_string_equal(variable_of(&call, name), "CLONE_LINK_BYTES_PER_MS=18446744073709551615");
    rate = 0;
    assert_string_equal(variable_of(&call, name), "CLONE_LINK_BYTES_PER_MS=0");
}

static void a_late_hook_is_killed_with_its_whole_group(void **state) {
    (void)state;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    char *directory = test_directory();
    setenv("FIFO", in(directory, "fifo"), 1);
    assert_int_equal(mkfifo(in(directory, "fifo"), 0600), 0);
    int reader = open(in(directory, "fifo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_int_equal(fcntl(reader, F_SETFL, 0), 0);
    // Both shells hold the writing end until they are gone.
    struct hook_call call = quiesce("exec 9> $FIFO; (echo $(sh -c 'echo $PPID') >&9; sleep 1000) & "
                                    "wait");
    call.timeout_ms = 300;
    assert_int_equal(hook_run(&call, &failure), -1);
    assert_int_equal(failure.code, EXIT_VETO);
    assert_non_null(strstr(failure.text, "300 ms"));
    char text[64];
    while (read(reader, text, sizeof text) > 0)
        continue;
    while (waitpid(-1, NULL, 0) > 0)
        continue;
    assert_int_equal(errno, ECHILD);
    close(reader);
    drop(directory);
}

// One that waits for its process' answer, say, which never comes.
static struct hook_call of_an_ended_process(struct original *original) {
    pid_t pid = fork();
    if (pid == 0)
        pause();
    assert_int_equal(original_hold(original, pid, &failure), 0);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    struct hook_call call = quiesce("sleep 1000");
    call.original = original;
    call.timeout_ms = 600000;
    return call;
}

static void a_hook_doesnt_outlast_its_process(void **state) {
    (void)state;
    struct original original;
    struct hook_call call = of_an_ended_process(&original);
    assert_int_equal(hook_run(&call, &failure), -1);
    assert_int_equal(failure.code, EXIT_REFUSED);
    assert_non_null(strstr(failure.text, "process 4711 has ended"));
    call.command = "exit 0";
    assert_int_equal(hook_run(&call, &failure), 0); // there is time to put something away
    original_release(&original);
}

static void nor_does_one_that_the_keeper_runs(void **state) {
    (void)state;
    struct original original;
    struct hook_call call = of_an_ended_process(&original);
    call.keeper = keeper_start(&failure);
    assert_non_null(call.keeper);
    int entry = hook_list(&call, &failure);
    assert_true(entry > 0);
    assert_int_equal(hook_run_listed(&call, entry, &failure), -1);
    assert_int_equal(failure.code, EXIT_REFUSED);
    assert_true(hook_list(&call, &failure) > 0);
    original_release(&original);
    keeper_finish(call.keeper); // which runs it as well
}

static void the_commands_output_goes_to_standard_error(void **state) {
    (void)state;
    int errors[2], output[2];
    assert_int_equal(pipe2(errors, O_CLOEXEC) | pipe2(output, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(errors[1], STDERR_FILENO);
        dup2(output[1], STDOUT_FILENO);
        _exit(run("echo loud; cat") == 0 ? 0 : 1); // and its input is empty
    }
    close(errors[1]);
    close(output[1]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    char text[64] = "";
    assert_int_equal(read(errors[0], text, sizeof text), 5);
    assert_string_equal(text, "loud\n");
    assert_int_equal(read(output[0], text, sizeof text), 0);
    close(errors[0]);
    close(output[0]);
}

static void no_descriptor_of_ours_reaches_the_hook(void **state) {
    (void)state;
    assert_int_equal(dup2(STDERR_FILENO, 77), 77); // without FD_CLOEXEC
    assert_int_equal(run("test ! -e /proc/$$/fd/77 && test ! -e /proc/$$/fd/3"), 0);
    close(77);
}

static void signals_are_as_a_shell_expects_them(void **state) {
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    sigset_t blocked, before;
    sigfillset(&blocked);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    // dash blocks signals itself while it forks: ask a program. 32 and 33 are libc's own, and a JVM
    // (Maven's) has its children ignore them.
    assert_int_equal(
        run("exec awk '/^Sig(Blk|Ign):/ && $2 !~ /^0*(180000000)?$/ { exit 1 }' /proc/self/status"),
        0);
    sigset_t after;
    sigprocmask(SIG_SETMASK, &before, &after);
    signal(SIGPIPE, SIG_DFL);
    assert_int_equal(sigismember(&after, SIGUSR1), 1); // our own mask is as it was
}

static void the_hook_has_a_process_group_of_its_own(void **state) {
    (void)state;
    assert_int_equal(run("test $(awk '{ print $5 }' /proc/$$/stat) = $$"), 0);
}

static void be_killed_while_quiescing(int progress_fd, void *context) {
    (void)progress_fd;
    struct hook_call resume = quiesce("echo open $CLONE_PHASE $CLONE_OUTCOME >> $LOG");
    resume.phase = "resume";
    resume.outcome = "aborted";
    struct hook_environment environment;
    hook_environment(&resume, &environment);
    struct keeper *keeper = keeper_start(&failure);
    if (keeper == NULL ||
        keeper_run(keeper, resume.command, environment.variables, 5000, -1, &failure) < 0)
        _exit(1);
    struct hook_call call = quiesce("echo closing > $FIFO; read go < $FIFO; echo closed >> $LOG");
    call.keeper = keeper;
    hook_run(&call, &failure);
    (void)context;
}

// Otherwise the gate would be closed after it was opened, for good.
static void the_resume_hook_never_overtakes_a_quiesce_hook(void **state) {
    (void)state;
    char *directory = test_directory();
    setenv("LOG", in(directory, "log"), 1);
    setenv("FIFO", in(directory, "fifo"), 1);
    assert_int_equal(mkfifo(in(directory, "fifo"), 0600), 0);
    struct doomed tool = doomed_start(be_killed_while_quiescing, NULL);
    assert_string_equal(read_file(in(directory, "fifo")), "closing\n"); // it is in the hook
    doomed_kill(&tool);
    write_file(in(directory, "fifo"), "go\n");
    assert_string_equal(doomed_errors(&tool), "");
    assert_string_equal(read_file(in(directory, "log")), "closed\nopen resume aborted\n");
    while (waitpid(-1, NULL, 0) > 0) // the keeper and the hook are our children now
        continue;
    drop(directory);
}

static void nothing_is_left_with_the_keeper(void **state) {
    (void)state;
    struct keeper *keeper = keeper_start(&failure);
    assert_non_null(keeper);
    struct hook_call call = quiesce("exit 0");
    call.keeper = keeper;
    assert_int_equal(hook_run(&call, &failure), 0);
    keeper_finish(keeper);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_command_is_a_success),
        cmocka_unit_test(the_exit_code_decides),
        cmocka_unit_test(a_signal_is_a_no),
        cmocka_unit_test(the_hook_knows_where_it_is),
        cmocka_unit_test(a_hook_is_told_of_the_link_where_there_is_something_to_tell),
        cmocka_unit_test(a_late_hook_is_killed_with_its_whole_group),
        cmocka_unit_test(a_hook_doesnt_outlast_its_process),
        cmocka_unit_test(nor_does_one_that_the_keeper_runs),
        cmocka_unit_test(the_commands_output_goes_to_standard_error),
        cmocka_unit_test(no_descriptor_of_ours_reaches_the_hook),
        cmocka_unit_test(signals_are_as_a_shell_expects_them),
        cmocka_unit_test(the_hook_has_a_process_group_of_its_own),
        cmocka_unit_test(the_resume_hook_never_overtakes_a_quiesce_hook),
        cmocka_unit_test(nothing_is_left_with_the_keeper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
