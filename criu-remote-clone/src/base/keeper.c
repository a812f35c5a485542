// SPDX-License-Identifier: Apache-2.0
// The keeper's two sides: the tool's calls, each one message and its acknowledgement over a
// SOCK_SEQPACKET pair, and the process that keeps the list.
#include "keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "deadline.h"
#include "memory.h"
#include "removal.h"
#include "scope.h"

#define MESSAGE_MAX 65536
#define KILLED_MS 5000   // what isn't stuck in the kernel has ended by then
#define VARIABLES_MAX 31 // added to a command's environment

enum request_kind {
    REQUEST_REMOVE_TREE,
    REQUEST_REMOVE_FILE,
    REQUEST_REMOVE_EMPTY_DIRECTORY,
    REQUEST_REMOVE_SHARED, // with a descriptor of it
    REQUEST_WAIT_FOR,      // with a pidfd
    REQUEST_RUN,
    REQUEST_FORGET,
    REQUEST_RUN_NOW,
    REQUEST_TIME_LIMIT,
    REQUEST_FINISH,
    REQUEST_DISMISS,
};

// A message is this head and then `text`: strings, each with its NUL. The path to remove; or the
// command to run and the environment's variables.
struct request {
    enum request_kind kind;
    int id;           // REQUEST_FORGET, REQUEST_RUN_NOW
    pid_t pid;        // REQUEST_WAIT_FOR
    int milliseconds; // REQUEST_WAIT_FOR, REQUEST_RUN, REQUEST_RUN_NOW, REQUEST_TIME_LIMIT
    enum keeper_kill then_kill;
};
#define TEXT_MAX (MESSAGE_MAX - sizeof(struct request))

struct reply {
    int id;     // > 0: done
    int number; // else: errno
    bool ran;   // REQUEST_RUN_NOW: and how it ended
    struct command_end end;
};

// ---- the list: the keeper's, and the tool's copy of it ----

struct entry {
    struct entry *next;
    int id;
    int fd; // -1: none
    struct request request;
    size_t length;
    char text[];
};

struct list {
    struct entry *newest;
    int last_id;
};

static void entry_free(struct entry *entry) {
    close_fd(entry->fd);
    free(entry);
}

static void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void complain(const char *format, ...) {
    char line[1200] = "";
    FORMAT_INTO(line, format);
    size_t length = strlen(line);
    line[length] = '\n';                                      // in place of the NUL
    ssize_t written = write(STDERR_FILENO, line, length + 1); // one write: lines don't mix
    (void)written;
}

static void undo_wait(const struct entry *entry) {
    if (await_readable(entry->fd, deadline_in_ms(entry->request.milliseconds)) ||
        entry->request.then_kill == KEEPER_LET_BE)
        return;
    // The process is there, so the id of its group can't have passed to others.
    if (entry->request.then_kill == KEEPER_KILL_GROUP)
        kill(-entry->request.pid, SIGKILL);
    pidfd_send_signal(entry->fd, SIGKILL, NULL, 0);
    // What follows on the list may need it to be gone.
    await_readable(entry->fd, deadline_in_ms(1000));
}

// `text`: the command, and the variables to add to its environment. `for_pidfd`: as in command.h.
static int run_command(const char *text, size_t length, int milliseconds, int for_pidfd,
                       struct command_end *end, struct failure *failure) {
    char *environment[VARIABLES_MAX + 1] = {NULL};
    size_t count = 0;
    const char *variable = text + strlen(text) + 1;
    for (; variable < text + length && count < VARIABLES_MAX; variable += strlen(variable) + 1)
        environment[count++] = (char *)variable;
    struct command command;
    if (command_prepare(&command, text, environment, failure) < 0)
        return -1;
    command_finish(&command, milliseconds, for_pidfd, end);
    return 0;
}

static int undo_run(const struct entry *entry, struct failure *failure) {
    struct command_end result;
    if (run_command(entry->text, entry->length, entry->request.milliseconds, entry->fd, &result,
                    failure) < 0)
        return -1;
    if (result.abandoned)
        return fail(failure, EXIT_VETO, "its process has ended, it had not, and was killed: %s",
                    entry->text);
    if (result.timed_out)
        return fail(failure, EXIT_VETO, "it did not end within %d ms and was killed: %s",
                    entry->request.milliseconds, entry->text);
    if (result.code != 0)
        return fail(failure, EXIT_VETO, "it ended with %s %d: %s",
                    result.signal != 0 ? "signal" : "exit code",
                    result.signal != 0 ? result.signal : result.code, entry->text);
    return 0;
}

static int undo(const struct entry *entry, struct failure *failure) {
    switch (entry->request.kind) {
    case REQUEST_REMOVE_TREE:
        return removal_of_tree(entry->text, failure);
    case REQUEST_REMOVE_FILE:
        return removal_of_file(entry->text, failure);
    case REQUEST_REMOVE_EMPTY_DIRECTORY:
        return removal_of_empty_directory(entry->text, failure);
    case REQUEST_REMOVE_SHARED:
        return removal_of_shared(entry->text, entry->fd, failure);
    case REQUEST_WAIT_FOR:
        undo_wait(entry);
        return 0;
    case REQUEST_RUN:
        return undo_run(entry, failure);
    default:
        return fail(failure, EXIT_INTERNAL, "unknown entry %d", (int)entry->request.kind);
    }
}

static struct entry *take_newest(struct list *list) {
    struct entry *entry = list->newest;
    if (entry != NULL)
        list->newest = entry->next;
    return entry;
}

static void work_through(struct list *list) {
    struct entry *entry;
    while ((entry = take_newest(list)) != NULL) {
        struct failure failure;
        if (undo(entry, &failure) < 0)
            complain("criu-remote-clone: clean-up: %s", failure.text);
        entry_free(entry);
    }
}

static void drop(struct list *list) {
    struct entry *entry;
    while ((entry = take_newest(list)) != NULL)
        entry_free(entry);
}

// NULL if it isn't there.
static struct entry *take(struct list *list, int id) {
    for (struct entry **link = &list->newest; *link != NULL; link = &(*link)->next) {
        struct entry *entry = *link;
        if (entry->id != id)
            continue;
        *link = entry->next;
        return entry;
    }
    return NULL;
}

static struct reply forget(struct list *list, int id) {
    struct entry *entry = take(list, id);
    if (entry == NULL)
        return (struct reply){.number = ENOENT};
    entry_free(entry);
    return (struct reply){.id = id};
}

// Takes the descriptor over.
static struct reply add(struct list *list, const struct request *request, const char *text,
                        size_t length, int fd) {
    struct entry *entry = malloc(sizeof *entry + length + 1);
    if (entry == NULL) {
        close_fd(fd);
        return (struct reply){.number = ENOMEM};
    }
    *entry = (struct entry){.next = list->newest,
                            .id = ++list->last_id,
                            .fd = fd,
                            .request = *request,
                            .length = length};
    memcpy(entry->text, text, length);
    entry->text[length] = '\0';
    list->newest = entry;
    return (struct reply){.id = entry->id};
}

// ---- the keeper's process ----

struct keeping {
    struct list list;
    int socket;
    int tool_fd;
    int64_t limit_ns; // the tool must have ended by then; 0: no limit
    bool killed;      // it hadn't: until then it may take to end
};

static _Noreturn void work_and_exit(struct list *list) {
    work_through(list);
    _exit(0);
}

// The entry goes first: if the tool is killed now, the command runs this once.
static struct reply run_now(struct list *list, const struct request *request, const char *text,
                            size_t length) {
    struct entry *entry = take(list, request->id);
    if (entry == NULL)
        return (struct reply){.number = ENOENT};
    struct reply reply = {.id = request->id};
    struct failure failure;
    reply.ran =
        run_command(text, length, request->milliseconds, entry->fd, &reply.end, &failure) == 0;
    entry_free(entry);
    return reply;
}

// Handles one message. False when the tool has closed its end.
static bool serve_one(struct keeping *keeping) {
    struct list *list = &keeping->list;
    struct request request;
    char text[TEXT_MAX];
    struct iovec parts[2] = {{&request, sizeof request}, {text, sizeof text}};
    int fd;
    ssize_t got =
        receive_with_fd(keeping->socket, (struct msghdr){.msg_iov = parts, .msg_iovlen = 2}, &fd);
    if (got < (ssize_t)sizeof request)
        return false;
    size_t length = (size_t)got - sizeof request;
    struct reply reply = {.id = 1};
    switch (request.kind) {
    case REQUEST_FINISH:
        work_and_exit(list);
    case REQUEST_DISMISS:
        _exit(0);
    case REQUEST_FORGET:
        reply = forget(list, request.id);
        break;
    case REQUEST_RUN_NOW:
        reply = run_now(list, &request, text, length);
        break;
    case REQUEST_TIME_LIMIT:
        if (keeping->killed)
            break; // it isn't the tool's affair any more
        keeping->limit_ns = request.milliseconds > 0 ? deadline_in_ms(request.milliseconds) : 0;
        break;
    default:
        reply = add(list, &request, text, length, fd);
    }
    send(keeping->socket, &reply, sizeof reply, MSG_NOSIGNAL);
    return true;
}

// It doesn't answer for its own end any more: it is stopped, or stuck. Stuck in the kernel (a disk
// that doesn't answer, say) it doesn't even end by SIGKILL, but never gets any further than the
// call it is in. So the list needn't wait for it.
static void end_tool(struct keeping *keeping) {
    if (keeping->killed) {
        complain("criu-remote-clone: it was killed and has not ended: it is stuck in the kernel");
        work_and_exit(&keeping->list);
    }
    complain(
        "criu-remote-clone: it did not end by its time limit (was it stopped?) and was killed");
    pidfd_send_signal(keeping->tool_fd, SIGKILL, NULL, 0);
    keeping->killed = true;
    keeping->limit_ns = deadline_in_ms(KILLED_MS);
}

// Until the tool says how it ends, closes its socket (it has executed something else), or is gone:
// its pidfd tells even when a process that it forked still holds a copy of the socket. What was
// sent comes first.
static _Noreturn void keep(int socket, int tool_fd) {
    struct keeping keeping = {.socket = socket, .tool_fd = tool_fd};
    struct pollfd watched[2] = {{.fd = socket, .events = POLLIN},
                                {.fd = tool_fd, .events = POLLIN}};
    for (;;) {
        int wait = keeping.limit_ns != 0 ? deadline_poll_ms(keeping.limit_ns) : -1;
        int ready = poll(watched, 2, wait);
        if (ready < 0)
            continue; // signals are blocked: ENOMEM at worst
        if (ready == 0)
            end_tool(&keeping);
        else if (watched[0].revents != 0 ? !serve_one(&keeping) : watched[1].revents != 0)
            work_and_exit(&keeping.list);
    }
}

static _Noreturn void keeper_main(int socket, int tool_fd) {
    prctl(PR_SET_NAME, "crc-keeper");
    setsid();
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &action, NULL); // were it ignored, we could not wait for commands
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null_fd < 0 || dup2(null_fd, STDIN_FILENO) < 0 || dup2(null_fd, STDOUT_FILENO) < 0)
        _exit(1); // the tool's first call fails
    int kept[] = {socket, tool_fd};
    descriptors_close_all_but(kept, sizeof kept / sizeof kept[0]);
    keep(socket, tool_fd);
}

// ---- the tool's side ----

struct keeper {
    pid_t pid;
    int socket;
    struct list list; // as the keeper has it: if somebody kills it, the work is ours
};

// All signals stay blocked in the keeper: only SIGKILL ends it.
static pid_t fork_keeper(int socket, int tool_fd) {
    sigset_t before;
    pid_t pid = fork_blocked(&before);
    if (pid == 0)
        keeper_main(socket, tool_fd);
    return pid;
}

struct keeper *keeper_start(struct failure *failure) {
    AUTO_FREE struct keeper *keeper = allocate(sizeof *keeper, failure);
    AUTO_CLOSE int tool_fd = pidfd_open(getpid(), 0);
    int ends[2];
    if (keeper == NULL)
        return NULL;
    if (tool_fd < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        return NULL_WITH(fail_errno(failure, EXIT_UNABLE,
                                    "cannot start the keeper (pidfd_open needs Linux 5.3)"));
    keeper->pid = fork_keeper(ends[1], tool_fd);
    keeper->socket = ends[0];
    close_fd(ends[1]);
    if (keeper->pid > 0)
        return TAKE(keeper, NULL);
    fail_errno(failure, EXIT_UNABLE, "cannot fork the keeper");
    close(ends[0]);
    return NULL;
}

static int send_request(struct keeper *keeper, const struct request *request, const char *text,
                        size_t length, int fd) {
    struct iovec parts[2] = {{(void *)request, sizeof *request}, {(void *)text, length}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    return send_with_fd(keeper->socket, message, fd) < 0 ? -1 : 0;
}

static int receive_reply(struct keeper *keeper, struct reply *reply) {
    ssize_t got = TEMP_FAILURE_RETRY(recv(keeper->socket, reply, sizeof *reply, 0));
    if (got == (ssize_t)sizeof *reply)
        return 0;
    errno = got < 0 ? errno : EPIPE;
    return -1;
}

static int ask(struct keeper *keeper, const struct request *request, const char *text,
               size_t length, int fd, struct reply *reply, struct failure *failure) {
    if (send_request(keeper, request, text, length, fd) < 0 || receive_reply(keeper, reply) < 0)
        return fail_errno(failure, EXIT_INTERRUPTED,
                          "the keeper process (%d) is gone, so nothing could be cleaned up after "
                          "us: see who killed it (dmesg, if it was the OOM killer)",
                          (int)keeper->pid);
    if (reply->id > 0)
        return reply->id;
    errno = reply->number;
    return fail_errno(failure, reply->number == ENOMEM ? EXIT_SPACE : EXIT_INTERNAL,
                      "the keeper could not do what it was asked to");
}

// Takes the descriptor over.
static int add_entry(struct keeper *keeper, const struct request *request, const char *text,
                     size_t length, int fd, struct failure *failure) {
    struct reply reply;
    int id = ask(keeper, request, text, length, fd, &reply, failure);
    if (id < 0) {
        close_fd(fd);
        return -1;
    }
    keeper->list.last_id = id - 1;
    if (add(&keeper->list, request, text, length, fd).id > 0)
        return id;
    struct request undone = {.kind = REQUEST_FORGET, .id = id};
    ask(keeper, &undone, "", 0, -1, &reply, failure);
    return fail(failure, EXIT_SPACE, "out of memory for the keeper's list");
}

// Takes the descriptor over.
static int add_path(struct keeper *keeper, enum request_kind kind, const char *path, int fd,
                    struct failure *failure) {
    AUTO_FREE char *absolute = removal_path(path, failure);
    struct request request = {.kind = kind};
    size_t length = absolute == NULL ? 0 : strlen(absolute) + 1;
    if (length > 0 && length <= PATH_MAX)
        return add_entry(keeper, &request, absolute, length, fd, failure);
    close_fd(fd);
    return absolute == NULL
               ? -1
               : fail(failure, EXIT_USAGE, "the path is longer than %d bytes: %.100s...",
                      PATH_MAX - 1, absolute);
}

int keeper_remove_tree(struct keeper *keeper, const char *path, struct failure *failure) {
    return add_path(keeper, REQUEST_REMOVE_TREE, path, -1, failure);
}

int keeper_remove_file(struct keeper *keeper, const char *path, struct failure *failure) {
    return add_path(keeper, REQUEST_REMOVE_FILE, path, -1, failure);
}

int keeper_remove_directory_if_empty(struct keeper *keeper, const char *path,
                                     struct failure *failure) {
    return add_path(keeper, REQUEST_REMOVE_EMPTY_DIRECTORY, path, -1, failure);
}

int keeper_remove_shared(struct keeper *keeper, const char *path, int fd, struct failure *failure) {
    return add_path(keeper, REQUEST_REMOVE_SHARED, path, fd, failure);
}

int keeper_wait_for(struct keeper *keeper, pid_t pid, int milliseconds, enum keeper_kill then_kill,
                    struct failure *failure) {
    int pid_fd = pidfd_open(pid, 0);
    if (pid_fd < 0)
        return fail_errno(failure, EXIT_INTERNAL, "cannot watch process %d", (int)pid);
    struct request request = {
        .kind = REQUEST_WAIT_FOR, .pid = pid, .milliseconds = milliseconds, .then_kill = then_kill};
    return add_entry(keeper, &request, "", 0, pid_fd, failure);
}

int keeper_end(struct keeper *keeper, int pidfd, struct failure *failure) {
    int own = fcntl(pidfd, F_DUPFD_CLOEXEC, 0);
    if (own < 0)
        return fail_errno(failure, EXIT_INTERNAL, "no descriptor for a process that is to end");
    struct request request = {.kind = REQUEST_WAIT_FOR, .then_kill = KEEPER_KILL};
    return add_entry(keeper, &request, "", 0, own, failure);
}

static bool append(char *text, size_t *used, const char *string) {
    size_t length = strlen(string) + 1;
    if (length > TEXT_MAX - *used)
        return false;
    memcpy(text + *used, string, length);
    *used += length;
    return true;
}

static int command_text(char text[TEXT_MAX], size_t *used, const char *command,
                        char *const environment[], struct failure *failure) {
    *used = 0;
    bool fits = append(text, used, command);
    for (size_t i = 0; fits && environment[i] != NULL; i++)
        fits = i < VARIABLES_MAX && append(text, used, environment[i]);
    return fits ? 0
                : fail(failure, EXIT_USAGE,
                       "the command and its environment are longer than %zu bytes or %d variables: "
                       "put it into a script (%.60s...)",
                       TEXT_MAX, VARIABLES_MAX, command);
}

int keeper_run(struct keeper *keeper, const char *command, char *const environment[],
               int timeout_ms, int for_pidfd, struct failure *failure) {
    char text[TEXT_MAX];
    size_t used;
    if (command_text(text, &used, command, environment, failure) < 0)
        return -1;
    int own = for_pidfd < 0 ? -1 : fcntl(for_pidfd, F_DUPFD_CLOEXEC, 0);
    if (for_pidfd >= 0 && own < 0)
        return fail_errno(failure, EXIT_INTERNAL, "no descriptor for the process of a hook");
    struct request request = {.kind = REQUEST_RUN, .milliseconds = timeout_ms};
    return add_entry(keeper, &request, text, used, own, failure);
}

int keeper_run_now(struct keeper *keeper, int id, const char *command, char *const environment[],
                   int timeout_ms, struct command_end *end, struct failure *failure) {
    char text[TEXT_MAX];
    size_t used;
    if (command_text(text, &used, command, environment, failure) < 0)
        return -1;
    struct request request = {.kind = REQUEST_RUN_NOW, .id = id, .milliseconds = timeout_ms};
    struct reply reply;
    struct failure keeper_failure;
    int asked = ask(keeper, &request, text, used, -1, &reply, &keeper_failure);
    struct entry *entry = take(&keeper->list, id);
    int result = 0;
    if (asked < 0 || !reply.ran) // somebody has killed it, say: better we than nobody
        result = run_command(text, used, timeout_ms, entry != NULL ? entry->fd : -1, end, failure);
    else
        *end = reply.end;
    if (entry != NULL)
        entry_free(entry);
    return result;
}

int keeper_forget(struct keeper *keeper, int id, struct failure *failure) {
    struct request request = {.kind = REQUEST_FORGET, .id = id};
    struct reply reply;
    forget(&keeper->list, id);
    return ask(keeper, &request, "", 0, -1, &reply, failure) < 0 ? -1 : 0;
}

int keeper_time_limit(struct keeper *keeper, int64_t milliseconds, struct failure *failure) {
    struct request request = {.kind = REQUEST_TIME_LIMIT,
                              .milliseconds = milliseconds > INT_MAX ? INT_MAX : (int)milliseconds};
    struct reply reply;
    return ask(keeper, &request, "", 0, -1, &reply, failure) < 0 ? -1 : 0;
}

static void end(struct keeper *keeper, enum request_kind kind) {
    if (keeper == NULL)
        return;
    struct request request = {.kind = kind};
    send_request(keeper, &request, "", 0, -1); // if it is gone already, there is nobody to tell
    siginfo_t info = {.si_code = 0};
    TEMP_FAILURE_RETRY(waitid(P_PID, (id_t)keeper->pid, &info, WEXITED));
    close(keeper->socket);
    // What it did already will not be there any more: no failure.
    if (kind == REQUEST_FINISH && info.si_code != CLD_EXITED)
        work_through(&keeper->list);
    drop(&keeper->list);
    free(keeper);
}

void keeper_finish(struct keeper *keeper) {
    end(keeper, REQUEST_FINISH);
}

void keeper_dismiss(struct keeper *keeper) {
    end(keeper, REQUEST_DISMISS);
}
