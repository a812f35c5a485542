// SPDX-License-Identifier: Apache-2.0
// Running shell commands: fork, a gate, and a wait on a pidfd, so that neither signal handlers nor
// the reuse of pids can get in the way.
#include "command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "deadline.h"
#include "memory.h"
#include "scope.h"

// What a hook may need to put something away whose process has ended.
#define ABANDONED_MS 5000

static bool same_name(const char *left, const char *right) {
    size_t length = strcspn(left, "=");
    return strncmp(left, right, length + 1) == 0;
}

static bool names_one_of(const char *variable, char *const additions[]) {
    for (size_t i = 0; additions[i] != NULL; i++)
        if (same_name(additions[i], variable))
            return true;
    return false;
}

// Our environment with the additions: an array to free(), of strings that belong to others.
static char **merged_environment(char *const additions[]) {
    size_t count = 0;
    for (size_t i = 0; additions[i] != NULL; i++)
        count++;
    for (size_t i = 0; environ[i] != NULL; i++)
        count++;
    char **merged = calloc(count + 1, sizeof *merged);
    if (merged == NULL)
        return NULL;
    size_t used = 0;
    for (size_t i = 0; additions[i] != NULL; i++)
        merged[used++] = additions[i];
    for (size_t i = 0; environ[i] != NULL; i++)
        if (!names_one_of(environ[i], additions))
            merged[used++] = environ[i];
    return merged;
}

// We may ignore signals (SIGPIPE) or handle them; a shell command expects the defaults.
static void default_signals(void) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number <= SIGRTMAX; number++)
        sigaction(number, &action, NULL); // fails for KILL, STOP and libc's own: as they should be
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// In the forked child of a possibly multi-threaded process: async-signal-safe calls only.
static _Noreturn void run_child(const char *text, char *const environment[], int gate_fd) {
    setpgid(0, 0);
    default_signals();
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null_fd < 0 || dup2(null_fd, STDIN_FILENO) < 0)
        close(STDIN_FILENO);
    if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        close(STDOUT_FILENO);
    char go;
    if (TEMP_FAILURE_RETRY(read(gate_fd, &go, 1)) != 1)
        _exit(0); // cancelled, or our parent is gone
    close_range(STDERR_FILENO + 1, UINT_MAX, 0);
    char *arguments[] = {"/bin/sh", "-c", (char *)text, NULL};
    execve(arguments[0], arguments, environment);
    _exit(127); // as the shell does for what can't be executed
}

pid_t fork_blocked(sigset_t *before) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, before);
    pid_t pid = fork();
    int number = errno;
    if (pid != 0)
        pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = number;
    return pid;
}

static pid_t fork_child(const char *text, char *const environment[], const int gate[2]) {
    sigset_t before;
    pid_t pid = fork_blocked(&before);
    if (pid == 0) {
        close(gate[1]); // or it would keep its own gate from closing when we die
        run_child(text, environment, gate[0]);
    }
    return pid;
}

int reap_child(pid_t pid) {
    int status = 0;
    TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
    return status;
}

int command_prepare(struct command *command, const char *text, char *const environment[],
                    struct failure *failure) {
    AUTO_FREE char **merged = merged_environment(environment);
    if (merged == NULL)
        return out_of_memory(failure);
    int gate[2]; // sockets rather than a pipe for MSG_NOSIGNAL
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gate) < 0)
        return fail_errno(failure, EXIT_UNABLE, "cannot make a socket pair to run '%s'", text);
    pid_t pid = fork_child(text, merged, gate);
    close_fd(gate[0]);
    if (pid < 0) {
        fail_errno(failure, EXIT_UNABLE, "cannot fork to run '%s'", text);
        close(gate[1]);
        return -1;
    }
    setpgid(pid, pid); // whoever of us two comes first: the group exists when we return
    *command = (struct command){.pid = pid, .gate_fd = gate[1], .pid_fd = pidfd_open(pid, 0)};
    if (command->pid_fd < 0) {
        fail_errno(failure, EXIT_UNABLE, "cannot watch '%s' (pidfd_open needs Linux 5.3)", text);
        command_cancel(command);
        return -1;
    }
    return 0;
}

// Whether the command ends in time.
static bool await_end(const struct command *command, int64_t deadline_ns, int for_pidfd,
                      bool *abandoned) {
    struct pollfd watched[2] = {{.fd = command->pid_fd, .events = POLLIN},
                                {.fd = for_pidfd, .events = POLLIN}};
    TEMP_FAILURE_RETRY(poll(watched, 2, deadline_poll_ms(deadline_ns)));
    if (watched[0].revents != 0)
        return true;
    if (watched[1].revents == 0)
        return false;
    int64_t last_ns = deadline_in_ms(ABANDONED_MS);
    *abandoned = last_ns < deadline_ns;
    return await_readable(command->pid_fd, *abandoned ? last_ns : deadline_ns);
}

void command_finish(struct command *command, int timeout_ms, int for_pidfd,
                    struct command_end *end) {
    int64_t deadline_ns = deadline_in_ms(timeout_ms);
    *end = (struct command_end){.code = -1};
    ssize_t sent = send(command->gate_fd, "", 1, MSG_NOSIGNAL);
    (void)sent; // if somebody has killed the child already, the way it ended says so
    close(command->gate_fd);
    bool abandoned = false;
    if (!await_end(command, deadline_ns, for_pidfd, &abandoned)) {
        end->timed_out = true;
        end->abandoned = abandoned;
        kill(-command->pid, SIGKILL);
        pidfd_send_signal(command->pid_fd, SIGKILL, NULL, 0); // if it has left its group
    }
    close(command->pid_fd);
    int status = reap_child(command->pid);
    if (WIFEXITED(status))
        end->code = WEXITSTATUS(status);
    else
        end->signal = WTERMSIG(status);
}

void command_cancel(struct command *command) {
    close(command->gate_fd);
    close_fd(command->pid_fd);
    reap_child(command->pid);
}
