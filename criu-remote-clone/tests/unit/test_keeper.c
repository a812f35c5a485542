// SPDX-License-Identifier: Apache-2.0
// The keeper: what it undoes when the tool ends well, badly, or is killed.
#include <dirent.h>
#include <sys/file.h>
#include <sys/pidfd.h>
#include <sys/ptrace.h>

#include "doomed.h"
#include "failure.h"
#include "keeper.h"
#include "removal.h"
#include "scratch.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct failure failure;
static char *const no_environment[] = {NULL};

static struct keeper *start(void) {
    struct keeper *keeper = keeper_start(&failure);
    assert_non_null(keeper);
    return keeper;
}

// After every test: the keepers of killed tools are our children now.
static int reap_orphans(void **state) {
    (void)state;
    while (waitpid(-1, NULL, 0) > 0)
        continue;
    return errno == ECHILD ? 0 : -1;
}

static void drop(char *directory) {
    assert_int_equal(removal_of_tree(directory, &failure), 0);
    free(directory);
}

static void finish_works_through_the_list_last_entry_first(void **state) {
    (void)state;
    char *directory = test_directory();
    setenv("LOG", in(directory, "log"), 1);
    char *environment[] = {"WORD=first", NULL};
    struct keeper *keeper = start();
    assert_true(keeper_run(keeper, "echo $WORD >> $LOG", environment, 5000, -1, &failure) > 0);
    environment[0] = "WORD=second";
    assert_true(keeper_run(keeper, "echo $WORD >> $LOG", environment, 5000, -1, &failure) > 0);
    keeper_finish(keeper);
    assert_string_equal(read_file(in(directory, "log")), "second\nfirst\n");
    drop(directory);
}

static void finish_removes_what_was_listed(void **state) {
    (void)state;
    char *directory = test_directory();
    struct keeper *keeper = start();
    assert_true(keeper_remove_directory_if_empty(keeper, in(directory, "d"), &failure) > 0);
    assert_true(keeper_remove_tree(keeper, in(directory, "d/tree"), &failure) > 0);
    assert_true(keeper_remove_file(keeper, in(directory, "d/file"), &failure) > 0);
    assert_true(keeper_remove_file(keeper, in(directory, "d/never-made"), &failure) > 0);
    mkdir(in(directory, "d"), 0700);
    mkdir(in(directory, "d/tree"), 0700);
    write_file(in(directory, "d/tree/file"), "x");
    write_file(in(directory, "d/file"), "x");
    keeper_finish(keeper);
    assert_false(exists(in(directory, "d")));
    drop(directory);
}

// A descriptor that is open for it, with a shared lock.
static int shared(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_SH | LOCK_NB), 0);
    return fd;
}

static void what_is_shared_goes_with_the_last_one(void **state) {
    (void)state;
    char *directory = test_directory();
    const char *path = in(directory, "d");
    mkdir(path, 0700);
    struct keeper *first = start();
    struct keeper *second = start();
    assert_true(keeper_remove_shared(first, path, shared(path), &failure) > 0);
    assert_true(keeper_remove_shared(second, path, shared(path), &failure) > 0);
    keeper_finish(first);
    assert_true(exists(path));
    keeper_finish(second);
    assert_false(exists(path));
    drop(directory);
}

static void what_was_shared_and_is_something_else_now_stays(void **state) {
    (void)state;
    char *directory = test_directory();
    const char *path = in(directory, "file");
    write_file(path, "");
    struct keeper *keeper = start();
    assert_true(keeper_remove_shared(keeper, path, shared(path), &failure) > 0);
    assert_int_equal(rename(path, in(directory, "old")), 0);
    write_file(path, "another's");
    keeper_finish(keeper);
    assert_string_equal(read_file(path), "another's");
    drop(directory);
}

static void dismiss_keeps_everything(void **state) {
    (void)state;
    char *directory = test_directory();
    struct keeper *keeper = start();
    assert_true(keeper_remove_tree(keeper, directory, &failure) > 0);
    keeper_dismiss(keeper);
    assert_true(exists(directory));
    drop(directory);
}

static void forgotten_entries_are_kept(void **state) {
    (void)state;
    char *directory = test_directory();
    write_file(in(directory, "kept"), "kept");
    write_file(in(directory, "gone"), "gone");
    struct keeper *keeper = start();
    int kept = keeper_remove_file(keeper, in(directory, "kept"), &failure);
    int gone = keeper_remove_file(keeper, in(directory, "gone"), &failure);
    assert_true(kept > 0 && gone > 0 && kept != gone);
    assert_int_equal(keeper_forget(keeper, kept, &failure), 0);
    assert_int_equal(keeper_forget(keeper, kept, &failure), -1);
    assert_int_equal(failure.code, EXIT_INTERNAL);
    keeper_finish(keeper);
    assert_true(exists(in(directory, "kept")));
    assert_false(exists(in(directory, "gone")));
    drop(directory);
}

static void ending_no_keeper_does_nothing(void **state) {
    (void)state;
    keeper_finish(NULL);
    keeper_dismiss(NULL);
}

// Lists each file before it makes it, for ever.
static void make_files(int progress_fd, void *context) {
    struct keeper *keeper = keeper_start(&failure);
    for (int i = 0;; i++) {
        char name[32];
        snprintf(name, sizeof name, "file-%d", i);
        if (keeper == NULL || keeper_remove_file(keeper, in(context, name), &failure) < 0)
            _exit(1);
        write_file(in(context, name), "x");
        doomed_tell(progress_fd, '.');
    }
}

static void nothing_stays_of_a_tool_killed_at_any_moment(void **state) {
    (void)state;
    char *directory = test_directory();
    for (int moment = 1; moment <= 40; moment++) {
        struct doomed tool = doomed_start(make_files, directory);
        for (int i = 0; i < moment; i++)
            assert_int_equal(doomed_hear(&tool), '.');
        doomed_kill(&tool);
        assert_string_equal(doomed_errors(&tool), "");
        assert_int_equal(removal_of_empty_directory(directory, &failure), 0);
        assert_false(exists(directory)); // it was empty
        assert_int_equal(mkdir(directory, 0700), 0);
    }
    drop(directory);
}

static void list_tree_and_share_socket(int progress_fd, void *context) {
    struct keeper *keeper = keeper_start(&failure);
    if (keeper == NULL || keeper_remove_tree(keeper, in(context, "tree"), &failure) < 0)
        _exit(1);
    pid_t heir = fork();
    if (heir == 0) { // as the clone's init: a fork that executes nothing, and outlives the tool
        close(STDERR_FILENO);
        for (;;)
            pause();
    }
    if (write(progress_fd, &heir, sizeof heir) != sizeof heir)
        _exit(1);
}

static void a_process_that_inherited_the_socket_does_not_hold_the_keeper_up(void **state) {
    (void)state;
    char *directory = test_directory();
    mkdir(in(directory, "tree"), 0700);
    struct doomed tool = doomed_start(list_tree_and_share_socket, directory);
    pid_t heir;
    assert_int_equal(read(tool.progress_fd, &heir, sizeof heir), sizeof heir);
    doomed_kill(&tool);
    assert_string_equal(doomed_errors(&tool), "");
    assert_false(exists(in(directory, "tree")));
    kill(heir, SIGKILL);
    assert_int_equal(waitpid(heir, NULL, 0), heir);
    drop(directory);
}

static void list_tree_and_execute(int progress_fd, void *context) {
    struct keeper *keeper = keeper_start(&failure);
    if (keeper == NULL || keeper_remove_tree(keeper, in(context, "tree"), &failure) < 0)
        _exit(1);
    doomed_tell(progress_fd, '.');
    execl("/bin/sh", "sh", "-c", "exec 2>&-; exec sleep 1000", NULL);
    _exit(1);
}

static void executing_something_else_is_an_end_too(void **state) {
    (void)state;
    char *directory = test_directory();
    mkdir(in(directory, "tree"), 0700);
    struct doomed tool = doomed_start(list_tree_and_execute, directory);
    assert_string_equal(doomed_errors(&tool), "");
    assert_false(exists(in(directory, "tree")));
    kill(tool.pid, SIGKILL);
    assert_int_equal(waitpid(tool.pid, NULL, 0), tool.pid);
    drop(directory);
}

struct waiting {
    char *directory;
    int fifo[2]; // its closing ends the process that is waited for
    int milliseconds;
    enum keeper_kill then_kill;
};

// A process of its own group that writes "ended" when its pipe is closed, and a resume hook.
static void wait_and_run(int progress_fd, void *context) {
    struct waiting *waiting = context;
    char *environment[] = {"OUTCOME=aborted", NULL};
    struct keeper *keeper = keeper_start(&failure);
    if (keeper == NULL ||
        keeper_run(keeper, "echo resumed $OUTCOME >> $LOG", environment, 5000, -1, &failure) < 0)
        _exit(1);
    close(waiting->fifo[1]);
    pid_t criu = fork();
    if (criu == 0) {
        setpgid(0, 0);
        close(STDERR_FILENO);
        char byte;
        while (read(waiting->fifo[0], &byte, 1) < 0)
            continue;
        write_file(in(waiting->directory, "log"), "ended\n");
        _exit(0);
    }
    setpgid(criu, criu);
    if (keeper_wait_for(keeper, criu, waiting->milliseconds, waiting->then_kill, &failure) < 0)
        _exit(1);
    if (write(progress_fd, &criu, sizeof criu) != sizeof criu)
        _exit(1);
}

static struct waiting start_waiting(struct doomed *tool, pid_t *criu, int milliseconds,
                                    enum keeper_kill then_kill) {
    struct waiting waiting = {
        .directory = test_directory(), .milliseconds = milliseconds, .then_kill = then_kill};
    assert_int_equal(pipe2(waiting.fifo, O_CLOEXEC), 0);
    setenv("LOG", in(waiting.directory, "log"), 1);
    *tool = doomed_start(wait_and_run, &waiting);
    close(waiting.fifo[0]);
    assert_int_equal(read(tool->progress_fd, criu, sizeof *criu), sizeof *criu);
    doomed_kill(tool);
    return waiting;
}

static void a_running_process_is_waited_for_before_the_resume_command(void **state) {
    (void)state;
    struct doomed tool;
    pid_t criu;
    struct waiting waiting = start_waiting(&tool, &criu, 60000, KEEPER_LET_BE);
    assert_false(exists(in(waiting.directory, "log")));
    close(waiting.fifo[1]); // lets "CRIU" end
    assert_string_equal(doomed_errors(&tool), "");
    assert_string_equal(read_file(in(waiting.directory, "log")), "ended\nresumed aborted\n");
    assert_int_equal(waitpid(criu, NULL, 0), criu);
    drop(waiting.directory);
}

static void the_wait_ends_with_a_kill_where_asked(void **state) {
    (void)state;
    static const enum keeper_kill kills[] = {KEEPER_KILL, KEEPER_KILL_GROUP};
    for (int i = 0; i < 2; i++) {
        struct doomed tool;
        pid_t criu;
        struct waiting waiting = start_waiting(&tool, &criu, 1, kills[i]);
        assert_string_equal(doomed_errors(&tool), "");
        assert_string_equal(read_file(in(waiting.directory, "log")), "resumed aborted\n");
        int status;
        assert_int_equal(waitpid(criu, &status, 0), criu);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        close(waiting.fifo[1]);
        drop(waiting.directory);
    }
}

static void the_wait_ends_without_a_kill_where_asked(void **state) {
    (void)state;
    struct doomed tool;
    pid_t criu;
    struct waiting waiting = start_waiting(&tool, &criu, 1, KEEPER_LET_BE);
    assert_string_equal(doomed_errors(&tool), "");
    assert_string_equal(read_file(in(waiting.directory, "log")), "resumed aborted\n");
    assert_int_equal(kill(criu, 0), 0);
    close(waiting.fifo[1]);
    assert_int_equal(waitpid(criu, NULL, 0), criu);
    drop(waiting.directory);
}

static void an_ended_process_is_not_waited_for(void **state) {
    (void)state;
    struct keeper *keeper = start();
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_true(keeper_wait_for(keeper, child, 600000, KEEPER_KILL, &failure) > 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(keeper_wait_for(keeper, child, 1, KEEPER_KILL, &failure), -1);
    assert_int_equal(failure.code, EXIT_INTERNAL); // reaped: the pid may be anyone's
    keeper_finish(keeper);                         // without ten minutes' wait
}

static void list_file_with_a_limit(int progress_fd, void *context) {
    struct keeper *keeper = keeper_start(&failure);
    if (keeper == NULL || keeper_remove_file(keeper, in(context, "file"), &failure) < 0)
        _exit(1);
    doomed_tell(progress_fd, '.');
    char go;
    if (read(STDIN_FILENO, &go, 1) != 1 || keeper_time_limit(keeper, 1, &failure) < 0)
        _exit(1);
}

// As one that waits for a disk: a tracer holds it on its way out, with all that it has open.
static void a_tool_that_does_not_end_when_killed_does_not_hold_the_keeper_up(void **state) {
    (void)state;
    char *directory = test_directory();
    write_file(in(directory, "file"), "x");
    int go[2], input = dup(STDIN_FILENO);
    assert_int_equal(pipe(go), 0);
    dup2(go[0], STDIN_FILENO);
    struct doomed tool = doomed_start(list_file_with_a_limit, directory);
    dup2(input, STDIN_FILENO);
    assert_int_equal(doomed_hear(&tool), '.');
    assert_int_equal(ptrace(PTRACE_SEIZE, tool.pid, NULL, PTRACE_O_TRACEEXIT), 0);
    assert_int_equal(write(go[1], ".", 1), 1);
    bool removed = false;
    for (int i = 0; i < 150 && !removed; i++) {
        usleep(100000);
        removed = !exists(in(directory, "file"));
    }
    assert_int_equal(waitpid(tool.pid, NULL, WNOHANG), tool.pid); // its stop, no end
    assert_int_equal(kill(tool.pid, 0), 0);
    assert_int_equal(ptrace(PTRACE_DETACH, tool.pid, NULL, NULL), 0);
    assert_int_equal(waitpid(tool.pid, NULL, 0), tool.pid);
    assert_non_null(strstr(doomed_errors(&tool), "stuck in the kernel"));
    assert_true(removed);
    close(input);
    close(go[0]);
    close(go[1]);
    drop(directory);
}

static void stop_to_end(int progress_fd, void *context) {
    const int *pidfd = context;
    struct keeper *keeper = keeper_start(&failure);
    if (keeper == NULL || keeper_end(keeper, *pidfd, &failure) < 0 ||
        pidfd_send_signal(*pidfd, SIGSTOP, NULL, 0) < 0)
        _exit(1);
    doomed_tell(progress_fd, '.');
}

static void a_process_that_was_stopped_to_be_ended_does_not_stay_so(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    int pidfd = pidfd_open(child, 0);
    struct doomed tool = doomed_start(stop_to_end, &pidfd);
    assert_int_equal(doomed_hear(&tool), '.');
    doomed_kill(&tool);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_string_equal(doomed_errors(&tool), "");
    close(pidfd);
}

static void hang_at_the_end(int progress_fd, void *context) {
    (void)context;
    struct keeper *keeper = keeper_start(&failure);
    if (keeper == NULL || keeper_run(keeper, "exit 3", no_environment, 5000, -1, &failure) < 0 ||
        keeper_run(keeper, "sleep 1000 & exec sleep 1000", no_environment, 1, -1, &failure) < 0)
        _exit(1);
    doomed_tell(progress_fd, '.');
}

static void failing_commands_are_reported_and_hanging_ones_killed(void **state) {
    (void)state;
    struct doomed tool = doomed_start(hang_at_the_end, NULL);
    assert_int_equal(doomed_hear(&tool), '.');
    doomed_kill(&tool);
    const char *errors = doomed_errors(&tool); // returns: even the background sleep is gone
    const char *late = strstr(errors, "did not end within 1 ms");
    assert_non_null(late);
    assert_non_null(strstr(late, "exit code 3"));
}

// The pid of our only child called "crc-keeper", as ps(1) sees it.
static pid_t find_keeper(void) {
    pid_t found = 0;
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    while ((entry = readdir(proc)) != NULL) {
        char path[300], name[64];
        int parent;
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *stat = fopen(path, "re");
        if (stat == NULL)
            continue;
        if (fscanf(stat, "%*d (%63[^)]) %*c %d", name, &parent) == 2 && parent == getpid() &&
            strcmp(name, "crc-keeper") == 0) {
            assert_int_equal(found, 0);
            found = atoi(entry->d_name);
        }
        fclose(stat);
    }
    closedir(proc);
    return found;
}

// An answered call: the keeper is past its start.
static pid_t settled_keeper(struct keeper *keeper) {
    int id = keeper_remove_file(keeper, "/tmp/crc-never-made", &failure);
    assert_int_equal(keeper_forget(keeper, id, &failure), 0);
    return find_keeper();
}

static void it_has_a_session_of_its_own_and_few_descriptors(void **state) {
    (void)state;
    int extra = dup2(STDERR_FILENO, 77); // one that execve() would not close
    struct keeper *keeper = start();
    close(extra);
    pid_t pid = settled_keeper(keeper);
    assert_true(pid > 0);
    assert_int_equal(getsid(pid), pid);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *descriptors = opendir(path);
    int count = 0;
    while (readdir(descriptors) != NULL)
        count++;
    closedir(descriptors);
    assert_int_equal(count - 2, 5); // 0, 1, 2, its socket, our pidfd
    keeper_dismiss(keeper);
}

static void it_ignores_what_ends_others(void **state) {
    (void)state;
    char *directory = test_directory();
    struct keeper *keeper = start();
    pid_t pid = settled_keeper(keeper);
    kill(pid, SIGTERM);
    kill(pid, SIGINT);
    kill(pid, SIGHUP);
    kill(pid, SIGUSR1);
    assert_true(keeper_remove_tree(keeper, in(directory, "tree"), &failure) > 0);
    mkdir(in(directory, "tree"), 0700);
    keeper_finish(keeper);
    assert_false(exists(in(directory, "tree")));
    drop(directory);
}

static void no_zombie_stays_of_it(void **state) {
    (void)state;
    keeper_finish(start());
    keeper_dismiss(start());
    assert_int_equal(find_keeper(), 0);
}

static void a_killed_keeper_is_a_clear_failure(void **state) {
    (void)state;
    struct keeper *keeper = start();
    kill(settled_keeper(keeper), SIGKILL);
    int result = 1;
    while (result > 0) // it may answer until the signal has reached it
        result = keeper_remove_file(keeper, "/tmp/crc-never-made", &failure);
    assert_int_equal(failure.code, EXIT_INTERRUPTED);
    assert_non_null(strstr(failure.text, "keeper"));
    keeper_finish(keeper);
}

static void the_work_of_a_killed_keeper_is_done_at_the_end(void **state) {
    (void)state;
    char *directory = test_directory();
    setenv("LOG", in(directory, "log"), 1);
    write_file(in(directory, "file"), "x");
    write_file(in(directory, "wanted"), "x");
    struct keeper *keeper = start();
    assert_true(keeper_remove_file(keeper, in(directory, "file"), &failure) > 0);
    int wanted = keeper_remove_file(keeper, in(directory, "wanted"), &failure);
    assert_true(keeper_run(keeper, "echo resumed >> $LOG", no_environment, 5000, -1, &failure) > 0);
    kill(settled_keeper(keeper), SIGKILL);
    keeper_forget(keeper, wanted, &failure);
    keeper_finish(keeper);
    assert_false(exists(in(directory, "file")));
    assert_true(exists(in(directory, "wanted")));
    assert_string_equal(read_file(in(directory, "log")), "resumed\n");
    drop(directory);
}

static void what_is_run_now_does_not_run_at_the_end(void **state) {
    (void)state;
    char *directory = test_directory();
    setenv("LOG", in(directory, "log"), 1);
    char *environment[] = {"OUTCOME=aborted", NULL};
    struct keeper *keeper = start();
    const char *command = "echo $OUTCOME >> $LOG; exit 5";
    int entry = keeper_run(keeper, command, environment, 5000, -1, &failure);
    assert_true(entry > 0);
    environment[0] = "OUTCOME=cloned";
    struct command_end end;
    assert_int_equal(keeper_run_now(keeper, entry, command, environment, 5000, &end, &failure), 0);
    assert_int_equal(end.code, 5);
    assert_string_equal(read_file(in(directory, "log")), "cloned\n");
    keeper_finish(keeper);
    assert_string_equal(read_file(in(directory, "log")), "cloned\n");
    drop(directory);
}

static void what_is_run_now_runs_without_a_keeper_too(void **state) {
    (void)state;
    char *directory = test_directory();
    setenv("LOG", in(directory, "log"), 1);
    struct keeper *keeper = start();
    const char *command = "echo resumed >> $LOG";
    int entry = keeper_run(keeper, command, no_environment, 5000, -1, &failure);
    kill(settled_keeper(keeper), SIGKILL);
    struct command_end end;
    assert_int_equal(keeper_run_now(keeper, entry, command, no_environment, 5000, &end, &failure),
                     0);
    assert_int_equal(end.code, 0);
    keeper_finish(keeper);
    assert_string_equal(read_file(in(directory, "log")), "resumed\n");
    drop(directory);
}

static void run_now(int progress_fd, void *context) {
    struct keeper *keeper = keeper_start(&failure);
    const char *command = "echo started > $FIFO; read go < $FIFO; echo resumed >> $LOG";
    int entry =
        keeper == NULL ? -1 : keeper_run(keeper, command, no_environment, 5000, -1, &failure);
    struct command_end end;
    if (entry > 0)
        keeper_run_now(keeper, entry, command, no_environment, 5000, &end, &failure);
    (void)progress_fd;
    (void)context;
}

static void what_is_run_now_runs_once_though_the_tool_is_killed(void **state) {
    (void)state;
    char *directory = test_directory();
    setenv("LOG", in(directory, "log"), 1);
    setenv("FIFO", in(directory, "fifo"), 1);
    assert_int_equal(mkfifo(in(directory, "fifo"), 0600), 0);
    struct doomed tool = doomed_start(run_now, NULL);
    assert_string_equal(read_file(in(directory, "fifo")), "started\n");
    doomed_kill(&tool);
    write_file(in(directory, "fifo"), "go\n");
    assert_string_equal(doomed_errors(&tool), "");
    assert_string_equal(read_file(in(directory, "log")), "resumed\n");
    drop(directory);
}

static void be_stopped(int progress_fd, void *context) {
    struct keeper *keeper = keeper_start(&failure);
    if (keeper == NULL || keeper_remove_file(keeper, context, &failure) < 0 ||
        keeper_time_limit(keeper, 3600000, &failure) < 0 ||
        keeper_time_limit(keeper, 1, &failure) < 0)
        _exit(1);
    doomed_tell(progress_fd, '.');
    raise(SIGSTOP);
}

static void a_stopped_tool_is_killed_at_its_time_limit(void **state) {
    (void)state;
    char *directory = test_directory();
    write_file(in(directory, "file"), "x");
    struct doomed tool = doomed_start(be_stopped, (void *)in(directory, "file"));
    int status;
    assert_int_equal(waitpid(tool.pid, &status, 0), tool.pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_non_null(strstr(doomed_errors(&tool), "time limit"));
    assert_false(exists(in(directory, "file")));
    drop(directory);
}

static void a_time_limit_can_be_taken_back(void **state) {
    (void)state;
    struct keeper *keeper = start();
    assert_int_equal(keeper_time_limit(keeper, 3600000, &failure), 0);
    assert_int_equal(keeper_time_limit(keeper, 0, &failure), 0);
    keeper_finish(keeper);
}

static void long_commands_fit_or_are_refused(void **state) {
    (void)state;
    char *directory = test_directory();
    setenv("LOG", in(directory, "log"), 1);
    struct keeper *keeper = start();
    static char command[80001];
    memset(command, ' ', sizeof command - 1);
    static const char echo[] = "echo run > $LOG";
    memcpy(command, echo, sizeof echo - 1);
    assert_int_equal(keeper_run(keeper, command, no_environment, 5000, -1, &failure), -1);
    assert_int_equal(failure.code, EXIT_USAGE);
    command[60000] = '\0';
    assert_true(keeper_run(keeper, command, no_environment, 5000, -1, &failure) > 0);
    char *many[40];
    for (int i = 0; i < 39; i++)
        many[i] = "A=B";
    many[39] = NULL;
    assert_int_equal(keeper_run(keeper, "true", many, 5000, -1, &failure), -1);
    assert_int_equal(failure.code, EXIT_USAGE);
    keeper_finish(keeper);
    assert_string_equal(read_file(in(directory, "log")), "run\n");
    drop(directory);
}

static void long_paths_fit_or_are_refused(void **state) {
    (void)state;
    struct keeper *keeper = start();
    static char path[6000];
    memset(path, 'a', sizeof path - 1);
    path[0] = '/';
    for (size_t i = 200; i < sizeof path; i += 200)
        path[i] = '/';
    assert_int_equal(keeper_remove_tree(keeper, path, &failure), -1);
    assert_true(failure.code == EXIT_USAGE || failure.code == EXIT_UNABLE);
    path[4000] = '\0';
    assert_true(keeper_remove_tree(keeper, path, &failure) > 0);
    assert_int_equal(keeper_remove_tree(keeper, "/", &failure), -1);
    assert_int_equal(keeper_remove_tree(keeper, "/tmp/..", &failure), -1);
    keeper_finish(keeper);
}

#define TEST(name) cmocka_unit_test_teardown(name, reap_orphans)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(finish_works_through_the_list_last_entry_first),
        TEST(finish_removes_what_was_listed),
        TEST(what_is_shared_goes_with_the_last_one),
        TEST(what_was_shared_and_is_something_else_now_stays),
        TEST(dismiss_keeps_everything),
        TEST(forgotten_entries_are_kept),
        TEST(ending_no_keeper_does_nothing),
        TEST(nothing_stays_of_a_tool_killed_at_any_moment),
        TEST(a_process_that_inherited_the_socket_does_not_hold_the_keeper_up),
        TEST(executing_something_else_is_an_end_too),
        TEST(a_running_process_is_waited_for_before_the_resume_command),
        TEST(the_wait_ends_with_a_kill_where_asked),
        TEST(the_wait_ends_without_a_kill_where_asked),
        TEST(an_ended_process_is_not_waited_for),
        TEST(a_tool_that_does_not_end_when_killed_does_not_hold_the_keeper_up),
        TEST(a_process_that_was_stopped_to_be_ended_does_not_stay_so),
        TEST(failing_commands_are_reported_and_hanging_ones_killed),
        TEST(it_has_a_session_of_its_own_and_few_descriptors),
        TEST(it_ignores_what_ends_others),
        TEST(no_zombie_stays_of_it),
        TEST(a_killed_keeper_is_a_clear_failure),
        TEST(the_work_of_a_killed_keeper_is_done_at_the_end),
        TEST(what_is_run_now_does_not_run_at_the_end),
        TEST(what_is_run_now_runs_without_a_keeper_too),
        TEST(what_is_run_now_runs_once_though_the_tool_is_killed),
        TEST(a_stopped_tool_is_killed_at_its_time_limit),
        TEST(a_time_limit_can_be_taken_back),
        TEST(long_commands_fit_or_are_refused),
        TEST(long_paths_fit_or_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
