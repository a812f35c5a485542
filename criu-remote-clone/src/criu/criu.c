// SPDX-License-Identifier: Apache-2.0
// CRIU is a child. For a dump it is started early and waits in its pre-dump action: its script,
// which is this tool again, connects to our socket, says which action it is and waits for one byte.
#include "criu.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "deadline.h"
#include "image.h"
#include "memory.h"
#include "scope.h"
#include "streamer.h"

#define ACTION_SOCKET "action.sock"
#define ACTION_VARIABLE "CLONE_ACTION_DIR"
#define PATIENCE_VARIABLE "CLONE_ACTION_MS" // the script's own, while the process is frozen
#define PROBE_MS 2000                       // CRIU's look at the kernel: usually 50
#define LAST_RESORT_MS 30000
#define STUCK_MS 5000 // after --max-freeze: by then we have given up, or can't any more
#define SHORT_ARGUMENT 64
#define ARGUMENTS_TEXT 1024
#define ARGUMENTS_MAX 48

// CRIU's actions in which something is to be decided.
#define BEFORE_FREEZE "pre-dump"
#define WHILE_FROZEN "post-dump"

// --- running it ---

// What CRIU says and carries on: raising its own limit without CAP_SYS_RESOURCE.
static bool is_harmless(const char *line, size_t length) {
    return memmem(line, length, "RLIMIT_NOFILE", 13) != NULL;
}

// The first error of CRIU's messages from `start` on is the cause, what follows are consequences.
static void first_error(int log, off_t start, char *text, size_t size) {
    snprintf(text, size, "CRIU gave no reason");
    off_t length = lseek(log, 0, SEEK_END);
    char *all =
        length > 0 ? mmap(NULL, (size_t)length, PROT_READ, MAP_PRIVATE, log, 0) : MAP_FAILED;
    if (all == MAP_FAILED)
        return;
    const char *end = all + length;
    for (const char *line = all + start; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        size_t left = (size_t)((next != NULL ? next : end) - line);
        const char *error = memmem(line, left, "Error (", 7);
        const char *message = error == NULL ? NULL : memmem(line, left, "): ", 3);
        if (message != NULL && !is_harmless(line, left)) {
            message += 3;
            size_t rest = left - (size_t)(message - line);
            snprintf(text, size, "%.*s", (int)(rest < 300 ? rest : 300), message);
            break;
        }
        line += left + 1;
    }
    munmap(all, (size_t)length);
}

struct run {
    pid_t pid;
    int pidfd;
    int log;
    off_t log_start; // what an earlier run wrote comes before
};

// What the child does between fork and exec.
struct run_setup {
    const struct identity *identity; // become this
    int directory;                   // kept open across exec; -1: none
    pid_t join;                      // enter this process's namespaces; 0: stay
    char *script;                    // where its arguments name our action script; NULL: nowhere
    bool shield;                     // a session of its own and out of the OOM killer's sight
    int64_t patience_ms;             // of the script while the process is frozen; 0: no end
};

static bool set_oom_score(const char *score) {
    AUTO_CLOSE int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    return file >= 0 && write(file, score, strlen(score)) > 0;
}

void criu_die_before_process(void) {
    set_oom_score("1000");
}

// ^C on our terminal, or the OOM killer, must not catch CRIU inside the process. Where the rights
// don't allow to hide from the latter, it is as near to it as the process.
static void take_shield(pid_t process) {
    char path[64], score[16] = "";
    setsid();
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", (int)process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? 0 : read(file, score, sizeof score - 1);
    close_fd(file);
    if (!set_oom_score("-1000") && got > 0)
        set_oom_score(score);
}

// CRIU takes namespaces that differ from its own for ones it has to dump. Never the mount
// namespace: what CRIU runs and loads would come from there.
static int join_namespaces(pid_t pid) {
    const char *const names[] = {"net", "uts", "ipc", "cgroup"};
    const int types[] = {CLONE_NEWNET, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWCGROUP};
    int differing = 0;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char theirs[64], ours[64];
        struct stat there, here;
        snprintf(theirs, sizeof theirs, "/proc/%d/ns/%s", (int)pid, names[i]);
        snprintf(ours, sizeof ours, "/proc/self/ns/%s", names[i]);
        if (stat(theirs, &there) == 0 && stat(ours, &here) == 0 && there.st_ino != here.st_ino)
            differing |= types[i];
    }
    if (differing == 0)
        return 0;
    AUTO_CLOSE int process = pidfd_open(pid, 0);
    return setns(process, differing);
}

static _Noreturn void give_up_child(const char *what) {
    dprintf(STDERR_FILENO, "Error (child): %s: %s\n", what, strerror(errno));
    _exit(126);
}

// Nothing of the caller's environment: CRIU_LIBS_DIR or CRIU_CONFIG_FILE would let CRIU load code
// and settings of anybody's choice. The script finds our socket by way of descriptors: by CRIU's
// own, unless its file gives it a capability, which the script loses, and with it the sight of
// CRIU's descriptors (ptrace(2), access mode checking); then by ours. CRIU without privileges keeps
// what it found out about the kernel in $XDG_RUNTIME_DIR.
static void run_in_child(const struct run_setup *setup, int program, char *const arguments[]) {
    const struct identity *identity = setup->identity;
    char socket_variable[96], cache_variable[64], patience_variable[64];
    snprintf(socket_variable, sizeof socket_variable, ACTION_VARIABLE "=/proc/%d/fd/%d",
             identity->by_file ? (int)getppid() : (int)getpid(), setup->directory);
    snprintf(cache_variable, sizeof cache_variable, "XDG_RUNTIME_DIR=/proc/self/fd/%d",
             setup->directory);
    snprintf(patience_variable, sizeof patience_variable, PATIENCE_VARIABLE "=%" PRId64,
             setup->patience_ms);
    char *const environment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", socket_variable,
                                 cache_variable, patience_variable, NULL};
    execveat(program, "", arguments, environment, AT_EMPTY_PATH);
}

static void in_child(const struct run_setup *setup, int program, int log, char *const arguments[]) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int kept[] = {program, setup->directory, -1};
    fcntl(setup->directory, F_SETFD, 0);
    // CRIU's script has CRIU's root directory, and perhaps another user: our own path may lead
    // nowhere there, a descriptor of CRIU's does.
    if (setup->script != NULL) {
        kept[2] = open("/proc/self/exe", O_PATH);
        snprintf(setup->script, SHORT_ARGUMENT, "/proc/%d/fd/%d", (int)getpid(), kept[2]);
    }
    if (setup->shield)
        take_shield(setup->join);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    // The one of --key-fd, and whatever else our caller left open.
    descriptors_close_all_but(kept, sizeof kept / sizeof kept[0]);
    if (setup->join > 0 && join_namespaces(setup->join) < 0)
        give_up_child("can't enter the process's namespaces");
    if (identity_assume(setup->identity) < 0)
        give_up_child("can't give up rights");
    run_in_child(setup, program, arguments);
    give_up_child("can't run CRIU");
}

static int run_start(struct run *run, const struct criu *criu, const struct run_setup *setup,
                     char *const arguments[], struct failure *failure) {
    *run = (struct run){.pid = -1,
                        .log = criu->log >= 0 ? fcntl(criu->log, F_DUPFD_CLOEXEC, 0)
                                              : memfd_create("criu-log", MFD_CLOEXEC)};
    run->log_start = lseek(run->log, 0, SEEK_END);
    int program = open(criu->program, O_PATH | O_CLOEXEC);
    if (run->log < 0 || program < 0)
        fail_errno(failure, EXIT_UNABLE, "can't run %s", criu->program);
    else if ((run->pid = fork()) < 0)
        fail_errno(failure, EXIT_INTERNAL, "can't start CRIU");
    if (run->pid == 0)
        in_child(setup, program, run->log, arguments);
    close_fd(program);
    if (run->pid > 0) {
        run->pidfd = pidfd_open(run->pid, 0);
        return 0;
    }
    close_fd(run->log);
    return -1;
}

// The words of a command line, to which it adds what dump and restore have in common. Returns how
// many there are.
static size_t make_arguments(char *arguments[ARGUMENTS_MAX], char text[ARGUMENTS_TEXT],
                             const struct criu *criu, const struct identity *identity,
                             int directory) {
    size_t used = strlen(text), count = 0;
    // No plug-ins (--libdir): in our directory are none.
    snprintf(text + used, ARGUMENTS_TEXT - used,
             " --stream --images-dir /proc/self/fd/%d --work-dir /proc/self/fd/%d --libdir "
             "/proc/self/fd/%d --shell-job --tcp-close --manage-cgroups=ignore --file-locks "
             "--no-default-config -v%d %s",
             directory, directory, directory, criu->verbosity,
             identity->unprivileged ? "--unprivileged" : "");
    for (char *save, *word = strtok_r(text, " ", &save); word != NULL && count < ARGUMENTS_MAX - 3;
         word = strtok_r(NULL, " ", &save))
        arguments[count++] = word;
    arguments[count] = NULL;
    return count;
}

// Waits for CRIU's end and judges it.
static int run_end(struct run *run, enum exit_code code, const char *what,
                   struct failure *failure) {
    int status = reap_child(run->pid), result = 0;
    if (status != 0) {
        char reason[320];
        first_error(run->log, run->log_start, reason, sizeof reason);
        if (WIFSIGNALED(status))
            result =
                fail(failure, code, "%s: CRIU was killed by signal %d", what, WTERMSIG(status));
        else
            result = fail(failure, code, "%s: %s", what, reason);
    }
    close(run->log);
    close(run->pidfd);
    return result;
}

int criu_log_to(struct criu *criu, const char *path, int verbosity, struct failure *failure) {
    criu->verbosity = verbosity;
    if (path == NULL)
        return 0;
    // O_NONBLOCK: a FIFO must not hold us up.
    int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    struct stat facts;
    if (file < 0 || fstat(file, &facts) < 0)
        fail_errno(failure, EXIT_USAGE, "can't write CRIU's log to %s", path);
    else if (!S_ISREG(facts.st_mode) || facts.st_nlink != 1 || facts.st_uid != geteuid())
        fail(failure, EXIT_USAGE, "%s is no file of yours alone: name another for CRIU's log",
             path);
    else if (fchmod(file, 0600) < 0 || ftruncate(file, 0) < 0)
        fail_errno(failure, EXIT_USAGE, "can't write CRIU's log to %s", path);
    else {
        criu->log = file;
        return 0;
    }
    close_fd(file);
    return -1;
}

// --- the dump ---

struct criu_standby {
    struct run run;
    int listener; // for the action script
    struct keeper *keeper;
    int entry; // the keeper's
    int socket_dir_fd;
    int64_t deadline_ns; // what it does now must be done by then
    bool let_go;         // it may be inside the process from now on
};

static int64_t freeze_deadline(const struct criu_dump *dump) {
    int64_t limit = dump->max_freeze_ms > 0 ? deadline_in_ms(dump->max_freeze_ms) : INT64_MAX;
    return sooner(limit, dump->deadline_ns);
}

static int too_late(const struct criu_standby *standby, const struct criu_dump *dump,
                    struct failure *failure) {
    if (standby->deadline_ns < dump->deadline_ns)
        return fail(failure, EXIT_DEADLINE,
                    "the process would be frozen for more than the %d ms of --max-freeze; it runs "
                    "on",
                    dump->max_freeze_ms);
    return fail(failure, EXIT_DEADLINE, "imaging the process took longer than the time limit");
}

// CRIU waits in its pre-dump action. From the moment it may go on, the keeper must wait for it
// before it runs what was listed meanwhile.
static int let_go(struct criu_standby *standby, const struct criu_dump *dump,
                  struct failure *failure) {
    if (dump->freezing(dump->context, failure) < 0)
        return -1;
    int entry =
        keeper_wait_for(standby->keeper, standby->run.pid, LAST_RESORT_MS, KEEPER_KILL, failure);
    if (entry < 0 || keeper_forget(standby->keeper, standby->entry, failure) < 0)
        return -1;
    standby->entry = entry;
    // Stopped, or stuck in a file system, we could not let go of it ourselves.
    int64_t deadline_ns = freeze_deadline(dump);
    int64_t limit_ms = (int64_t)deadline_poll_ms(deadline_ns) + STUCK_MS;
    if (dump->max_freeze_ms > 0 && keeper_time_limit(standby->keeper, limit_ms, failure) < 0)
        return -1;
    standby->let_go = true;
    standby->deadline_ns = deadline_ns;
    return 0;
}

static int while_frozen(const struct criu_standby *standby, const struct criu_dump *dump,
                        struct failure *failure) {
    int result = dump->frozen(dump->context, standby->deadline_ns, failure);
    if ((result < 0 && failure->code == EXIT_DEADLINE) || now_ns() >= standby->deadline_ns)
        return too_late(standby, dump, failure);
    return result;
}

// Our end of the action script: reads the action's name, decides, answers with one byte.
static int serve_action(struct criu_standby *standby, const struct criu_dump *dump,
                        struct failure *failure) {
    AUTO_CLOSE int connection = accept4(standby->listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0)
        return 0;
    char action[64] = "";
    ssize_t got = recv(connection, action, sizeof action - 1, 0);
    int result = 0;
    if (got > 0 && strcmp(action, BEFORE_FREEZE) == 0)
        result = let_go(standby, dump, failure);
    else if (got > 0 && strcmp(action, WHILE_FROZEN) == 0)
        result = while_frozen(standby, dump, failure);
    send(connection, result == 0 ? "0" : "1", 1, MSG_NOSIGNAL);
    return result;
}

// Of the tool that is stuck in a file system not even SIGKILL rids its socket. Who waits for it
// while the process is frozen waits for so long, and no longer.
static void limit_patience(int connection) {
    const char *variable = getenv(PATIENCE_VARIABLE);
    long long milliseconds = variable != NULL ? strtoll(variable, NULL, 10) : 0;
    struct timeval limit = {.tv_sec = (time_t)(milliseconds / 1000),
                            .tv_usec = (suseconds_t)(milliseconds % 1000 * 1000)};
    if (milliseconds > 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

int criu_action_main(void) {
    const char *action = getenv("CRTOOLS_SCRIPT_ACTION");
    const char *directory = getenv(ACTION_VARIABLE);
    // Only these have anything to decide; the others cost the original nothing.
    if (action == NULL || (strcmp(action, BEFORE_FREEZE) != 0 && strcmp(action, WHILE_FROZEN) != 0))
        return 0;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/" ACTION_SOCKET,
             directory != NULL ? directory : ".");
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char verdict = '1';
    // Before the freeze hooks run, which have limits of their own.
    if (strcmp(action, WHILE_FROZEN) == 0)
        limit_patience(connection);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) < 0 ||
        send(connection, action, strlen(action), MSG_NOSIGNAL) < 0 ||
        recv(connection, &verdict, 1, 0) != 1)
        return 1; // CRIU then takes the dump for failed and lets the process run
    return verdict == '0' ? 0 : 1;
}

// CRIU's statistics: an image with one entry, message 1 of which holds the dump's times.
static void read_times(int directory, struct criu_times *times) {
    uint8_t bytes[1024];
    int file = openat(directory, "stats-dump", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, bytes, sizeof bytes);
    close_fd(file);
    struct pb_field dump, field;
    const size_t head = 3 * sizeof(uint32_t);
    if (length <= (ssize_t)head || !pb_find(bytes + head, (size_t)length - head, 1, &dump))
        return;
    if (pb_find(dump.bytes, dump.length, 1, &field))
        times->freezing_ms = (double)field.value / 1000;
    if (pb_find(dump.bytes, dump.length, 2, &field))
        times->frozen_ms = (double)field.value / 1000;
}

static int start_dump(struct criu_standby *standby, const struct criu *criu,
                      const struct criu_target *target, struct failure *failure) {
    char text[ARGUMENTS_TEXT], directory[SHORT_ARGUMENT], script[SHORT_ARGUMENT];
    char *arguments[ARGUMENTS_MAX];
    // No connection is saved, so none needs to be frozen.
    snprintf(text, sizeof text,
             "criu dump --tree %d --timeout %d --leave-running --network-lock skip "
             "--ghost-limit 64M",
             (int)target->pid, (target->freeze_timeout_ms + 999) / 1000);
    size_t count = make_arguments(arguments, text, criu, target->identity, target->socket_dir_fd);
    arguments[count++] = "--action-script";
    arguments[count++] = script;
    arguments[count] = NULL;
    struct run_setup setup = {
        .identity = target->identity,
        .directory = target->socket_dir_fd,
        .join = target->pid,
        .script = script,
        .shield = true,
        .patience_ms = target->max_freeze_ms > 0 ? (int64_t)target->max_freeze_ms + STUCK_MS : 0};
    snprintf(directory, sizeof directory, "/proc/self/fd/%d", target->socket_dir_fd);
    standby->listener = streamer_listen(directory, ACTION_SOCKET, failure);
    return standby->listener < 0 ? -1 : run_start(&standby->run, criu, &setup, arguments, failure);
}

struct criu_standby *criu_stand_by(const struct criu *criu, const struct criu_target *target,
                                   struct keeper *keeper, struct failure *failure) {
    struct criu_standby *standby = allocate(sizeof *standby, failure);
    if (standby == NULL)
        return NULL;
    standby->keeper = keeper;
    standby->socket_dir_fd = target->socket_dir_fd;
    if (start_dump(standby, criu, target, failure) < 0) {
        close_fd(standby->listener);
        free(standby);
        return NULL;
    }
    // Should we be killed, CRIU finds nobody to ask before the freeze, and ends.
    standby->entry =
        keeper_wait_for(keeper, standby->run.pid, PROBE_MS, KEEPER_KILL_GROUP, failure);
    if (standby->entry < 0) {
        criu_dismiss(standby);
        return NULL;
    }
    return standby;
}

static void standby_free(struct criu_standby *standby) {
    close_fd(standby->listener);
    struct failure ignored;
    if (standby->entry > 0)
        keeper_forget(standby->keeper, standby->entry, &ignored);
    free(standby);
}

// With its helpers: it may be trying out on one that it has stopped what ptrace can do here. They
// are in its process group, since it has a session of its own. Also to be called when it has ended:
// should somebody have killed it, a stopped helper is still there. Until we have waited for it, the
// group's id can't have passed to others.
static void kill_waiting(const struct criu_standby *standby) {
    kill(-standby->run.pid, SIGKILL);
    pidfd_send_signal(standby->run.pidfd, SIGKILL, NULL, 0); // it may not have got that far
}

void criu_dismiss(struct criu_standby *standby) {
    if (standby == NULL)
        return;
    // It finds nobody to ask and ends; killed in its look at the kernel it would leave a directory
    // in /tmp.
    close(standby->listener);
    standby->listener = -1;
    await_readable(standby->run.pidfd, deadline_in_ms(PROBE_MS));
    kill_waiting(standby);
    struct failure ignored;
    run_end(&standby->run, EXIT_DUMP, "CRIU was not needed", &ignored);
    standby_free(standby);
}

// The time is up. Never by a signal first once CRIU may be inside the process: broken pipes make it
// clean up and resume the process by itself. Returns until when it is waited for.
static int64_t stop_dump(struct criu_standby *standby, const struct criu_dump *dump) {
    dump->give_up(dump->context);
    if (!standby->let_go)
        kill_waiting(standby);
    struct failure ignored;
    keeper_time_limit(standby->keeper, 2 * LAST_RESORT_MS, &ignored); // we know what we wait for
    return deadline_in_ms(LAST_RESORT_MS);
}

int criu_dump(struct criu_standby *standby, const struct criu_dump *dump, struct criu_times *times,
              struct failure *failure) {
    *times = (struct criu_times){0};
    struct failure own = {.code = EXIT_DONE};
    bool gave_up = false, running = true;
    standby->deadline_ns = dump->deadline_ns;
    while (running) {
        struct pollfd fds[3] = {{.fd = standby->run.pidfd, .events = POLLIN},
                                {.fd = standby->listener, .events = POLLIN},
                                {.fd = gave_up ? -1 : dump->cancel_fd, .events = POLLIN}};
        int ready = poll(fds, 3, deadline_poll_ms(standby->deadline_ns));
        if (ready < 0 && errno != EINTR)
            break;
        if (!gave_up && (ready == 0 || fds[2].revents != 0)) {
            too_late(standby, dump, &own);
            standby->deadline_ns = stop_dump(standby, dump);
            gave_up = true;
        } else if (ready == 0) {
            pidfd_send_signal(standby->run.pidfd, SIGKILL, NULL, 0);
            standby->deadline_ns = deadline_in_ms(LAST_RESORT_MS);
        }
        running = ready <= 0 || fds[0].revents == 0;
        if (running && ready > 0 && fds[1].revents != 0) // what a dead CRIU asked for isn't due
            serve_action(standby, dump, &own);
    }
    if (!standby->let_go)
        kill_waiting(standby);
    int result =
        run_end(&standby->run, EXIT_DUMP, "the process could not be imaged and runs on", failure);
    if (own.code != EXIT_DONE) {
        *failure = own; // ours is the cause, CRIU's complaint the consequence
        result = -1;
    }
    read_times(standby->socket_dir_fd, times);
    times->let_go = standby->let_go;
    standby_free(standby);
    return result;
}

// --- the restore ---

struct criu_restore {
    struct run run;
};

struct criu_restore *criu_restore_start(const struct criu *criu, const struct identity *identity,
                                        int images_dir_fd, struct failure *failure) {
    char text[ARGUMENTS_TEXT] = "criu restore --restore-detached --leave-stopped";
    char *arguments[ARGUMENTS_MAX];
    make_arguments(arguments, text, criu, identity, images_dir_fd);
    struct run_setup setup = {.identity = identity, .directory = images_dir_fd};
    AUTO_FREE struct criu_restore *restore = allocate(sizeof *restore, failure);
    if (restore == NULL || run_start(&restore->run, criu, &setup, arguments, failure) < 0)
        return NULL;
    return TAKE(restore, NULL);
}

int criu_restore_finish(struct criu_restore *restore, struct failure *failure) {
    AUTO_FREE struct criu_restore *ended = restore;
    return run_end(&ended->run, EXIT_RESTORE, "the clone could not be restored", failure);
}

// --- the check ---

int criu_check(const struct criu *criu, int time_limit_ms, struct failure *failure) {
    const struct identity self = {.uid = geteuid(), .gid = getegid()};
    const struct run_setup setup = {.identity = &self, .directory = -1};
    char *arguments[] = {"criu", "check", "--no-default-config",
                         geteuid() != 0 ? "--unprivileged" : NULL, NULL};
    struct run run;
    if (run_start(&run, criu, &setup, arguments, failure) < 0)
        return -1;
    if (!await_readable(run.pidfd, deadline_in_ms(time_limit_ms)))
        pidfd_send_signal(run.pidfd, SIGKILL, NULL, 0);
    return run_end(&run, EXIT_UNABLE, "the kernel lacks something that CRIU needs", failure);
}
