#include "criu.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "deadline.h"
#include "image.h"
#include "streamer.h"

#define PRIVATE_PREFIX "/opt/clonehadoop/criu/bin/criu"
#define ACTION_SOCKET "action.sock"
#define ACTION_VARIABLE "CLONE_ACTION_SOCKET"
#define LAST_RESORT_MS 30000
#define ARGUMENTS_MAX 40

// --- finding it ---

static int read_version(const char *program, char version[CRIU_VERSION_MAX]) {
    int out[2];
    if (pipe2(out, O_CLOEXEC) < 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(out[1], STDOUT_FILENO);
        execl(program, program, "--version", (char *)NULL);
        _exit(127);
    }
    close(out[1]);
    char text[256] = "";
    size_t length = 0;
    ssize_t got;
    while (pid > 0 && length < sizeof text - 1 &&
           (got = read(out[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    close(out[0]);
    int status = -1;
    if (pid > 0)
        waitpid(pid, &status, 0);
    if (status != 0 || sscanf(text, "Version: %31[0-9.]", version) != 1)
        return -1;
    return 0;
}

static bool is_program(const char *path, struct criu *criu) {
    snprintf(criu->program, sizeof criu->program, "%s", path);
    return access(path, X_OK) == 0;
}

static bool on_path(struct criu *criu) {
    const char *directories = getenv("PATH");
    char *copy = strdup(directories != NULL ? directories : "");
    bool found = false;
    char *rest = copy;
    for (char *directory; !found && (directory = strsep(&rest, ":")) != NULL;) {
        char path[sizeof criu->program];
        snprintf(path, sizeof path, "%s/criu", directory);
        found = is_program(path, criu);
    }
    free(copy);
    return found;
}

int criu_find(struct criu *criu, const char *wanted, struct failure *failure) {
    if (wanted != NULL)
        snprintf(criu->program, sizeof criu->program, "%s", wanted);
    else if (!is_program(PRIVATE_PREFIX, criu) && !on_path(criu) &&
             !is_program("/usr/sbin/criu", criu))
        return fail(failure, EXIT_UNABLE,
                    "CRIU is not installed: run scripts/setup, or name one with --criu");
    if (read_version(criu->program, criu->version) < 0)
        return fail(failure, EXIT_UNABLE,
                    "%s does not run as CRIU: run scripts/setup, or name "
                    "another with --criu",
                    criu->program);
    int major = 0, minor = 0;
    sscanf(criu->version, "%d.%d", &major, &minor);
    if (major < 4 || (major == 4 && minor < 2))
        return fail(failure, EXIT_UNABLE,
                    "CRIU %s at %s is too old, 4.2 or later is needed: run scripts/setup, or name "
                    "another with --criu",
                    criu->version, criu->program);
    return 0;
}

// --- running it ---

// What CRIU says and carries on: raising its own limit without CAP_SYS_RESOURCE.
static bool is_harmless(const char *line, size_t length) {
    return memmem(line, length, "RLIMIT_NOFILE", 13) != NULL;
}

// CRIU's messages, kept in memory; the first error is the cause, what follows are consequences.
static void first_error(int log, char *text, size_t size) {
    snprintf(text, size, "CRIU gave no reason");
    off_t length = lseek(log, 0, SEEK_END);
    char *all =
        length > 0 ? mmap(NULL, (size_t)length, PROT_READ, MAP_PRIVATE, log, 0) : MAP_FAILED;
    if (all == MAP_FAILED)
        return;
    const char *end = all + length;
    for (const char *line = all; line < end;) {
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
    int gate; // it waits for a byte here before it becomes CRIU; -1: not
};

// What the child does between fork and exec.
struct run_setup {
    int inherited;                   // kept open across exec
    const char *variable;            // for CRIU's environment; NULL: none
    pid_t join;                      // enter this process's namespaces; 0: stay
    const struct identity *identity; // become this first; NULL: stay
    bool shield;                     // a session of its own and out of the OOM killer's sight
    bool gated;                      // waits for run_release()
};

static void in_child(const struct criu *criu, const struct run_setup *setup, int program, int log,
                     char *const arguments[]) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    fcntl(setup->inherited, F_SETFD, 0);
    if (setup->shield) {
        // ^C on our terminal, or the OOM killer, must not catch CRIU inside the process.
        setsid();
        int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
        if (score >= 0) {
            ssize_t ignored = write(score, "-1000", 5);
            (void)ignored;
            close(score);
        }
    }
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    if (setup->join > 0) {
        // CRIU takes namespaces that differ from its own for ones it has to dump.
        int process = pidfd_open(setup->join, 0);
        const char *const names[] = {"mnt", "net", "uts", "ipc", "cgroup"};
        const int types[] = {CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWUTS, CLONE_NEWIPC,
                             CLONE_NEWCGROUP};
        int differing = 0;
        for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
            char theirs[64], ours[64];
            struct stat there, here;
            snprintf(theirs, sizeof theirs, "/proc/%d/ns/%s", (int)setup->join, names[i]);
            snprintf(ours, sizeof ours, "/proc/self/ns/%s", names[i]);
            if (stat(theirs, &there) == 0 && stat(ours, &here) == 0 && there.st_ino != here.st_ino)
                differing |= types[i];
        }
        if (differing != 0 && setns(process, differing) < 0) {
            dprintf(STDERR_FILENO, "Error (setns): can't enter the process's namespaces: %s\n",
                    strerror(errno));
            _exit(126);
        }
        close(process);
    }
    if (setup->identity != NULL && identity_assume(setup->identity) < 0) {
        dprintf(STDERR_FILENO, "Error (identity): can't give up rights: %s\n", strerror(errno));
        _exit(126);
    }
    // Nothing of the caller's environment: CRIU_LIBS_DIR or CRIU_CONFIG_FILE would let it load code
    // and settings of anybody's choice.
    char *const environment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                                 (char *)(uintptr_t)setup->variable, NULL};
    execveat(program, "", arguments, environment, AT_EMPTY_PATH);
    dprintf(STDERR_FILENO, "Error (exec): can't run %s: %s\n", criu->program, strerror(errno));
    _exit(127);
}

static void wait_at_gate(const int gate[2]) {
    close(gate[1]); // or the gate would not break with our parent
    char go;
    ssize_t got;
    do
        got = read(gate[0], &go, 1);
    while (got < 0 && errno == EINTR);
    if (got != 1)
        _exit(126);
}

static int run_start(struct run *run, const struct criu *criu, const struct run_setup *setup,
                     char *const arguments[], struct failure *failure) {
    int gate[2] = {-1, -1};
    *run = (struct run){.pid = -1, .log = memfd_create("criu-log", MFD_CLOEXEC)};
    int program = open(criu->program, O_PATH | O_CLOEXEC);
    if (run->log < 0 || program < 0 || (setup->gated && pipe2(gate, O_CLOEXEC) < 0))
        fail_errno(failure, EXIT_UNABLE, "can't run %s", criu->program);
    else if ((run->pid = fork()) < 0)
        fail_errno(failure, EXIT_INTERNAL, "can't start CRIU");
    if (run->pid == 0) {
        if (setup->gated)
            wait_at_gate(gate);
        in_child(criu, setup, program, run->log, arguments);
    }
    if (program >= 0)
        close(program);
    if (gate[0] >= 0)
        close(gate[0]);
    run->gate = gate[1];
    if (run->pid > 0) {
        run->pidfd = pidfd_open(run->pid, 0);
        return 0;
    }
    if (run->gate >= 0)
        close(run->gate);
    if (run->log >= 0)
        close(run->log);
    return -1;
}

// Lets it become CRIU, or end.
static void run_release(struct run *run, bool go) {
    if (go) {
        ssize_t ignored = write(run->gate, "", 1);
        (void)ignored; // if somebody has killed it already, the way it ended says so
    }
    close(run->gate);
}

// Waits for CRIU's end and judges it.
static int run_end(struct run *run, enum exit_code code, const char *what,
                   struct failure *failure) {
    int status = 0;
    while (waitpid(run->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    int result = 0;
    if (status != 0) {
        char reason[320];
        first_error(run->log, reason, sizeof reason);
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

// --- the dump ---

// Our end of the action script: reads the action's name, decides, answers with one byte.
static int serve_action(int listener, const struct criu_dump *dump, struct failure *failure) {
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0)
        return 0;
    char action[64] = "";
    ssize_t got = recv(connection, action, sizeof action - 1, 0);
    int result = 0;
    if (got > 0 && strcmp(action, "post-dump") == 0)
        result = dump->frozen(dump->context, failure);
    send(connection, result == 0 ? "0" : "1", 1, MSG_NOSIGNAL);
    close(connection);
    return result;
}

int criu_action_main(void) {
    const char *action = getenv("CRTOOLS_SCRIPT_ACTION");
    const char *path = getenv(ACTION_VARIABLE);
    // Only this one has anything to decide; the others cost the original nothing.
    if (action == NULL || strcmp(action, "post-dump") != 0)
        return 0;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path != NULL ? path : "");
    int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    char verdict = '1';
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) < 0 ||
        send(connection, action, strlen(action), MSG_NOSIGNAL) < 0 ||
        recv(connection, &verdict, 1, 0) != 1)
        return 1; // CRIU then takes the dump for failed and lets the process run
    return verdict == '0' ? 0 : 1;
}

static int listen_for_actions(int directory, struct failure *failure) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" ACTION_SOCKET,
             directory);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) < 0 ||
        listen(listener, 4) < 0) {
        fail_errno(failure, EXIT_INTERNAL, "can't listen for CRIU's actions");
        if (listener >= 0)
            close(listener);
        return -1;
    }
    return listener;
}

// CRIU's statistics: an image with one entry, message 1 of which holds the dump's times.
static void read_times(int directory, struct criu_times *times) {
    uint8_t bytes[1024];
    int file = openat(directory, "stats-dump", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, bytes, sizeof bytes);
    if (file >= 0)
        close(file);
    struct pb_field dump, field;
    const size_t head = 3 * sizeof(uint32_t);
    if (length <= (ssize_t)head || !pb_find(bytes + head, (size_t)length - head, 1, &dump))
        return;
    if (pb_find(dump.bytes, dump.length, 1, &field))
        times->freezing_ms = (double)field.value / 1000;
    if (pb_find(dump.bytes, dump.length, 2, &field))
        times->frozen_ms = (double)field.value / 1000;
}

static void dump_arguments(const struct criu_dump *dump, char buffer[4][64],
                           char *arguments[ARGUMENTS_MAX]) {
    snprintf(buffer[0], 64, "%d", (int)dump->pid);
    snprintf(buffer[1], 64, "/proc/self/fd/%d", dump->socket_dir_fd);
    // Not by an inherited descriptor: CRIU closes those before it runs a script.
    snprintf(buffer[2], 64, "/proc/%d/exe", (int)getpid());
    snprintf(buffer[3], 64, "%d", (dump->freeze_timeout_ms + 999) / 1000);
    size_t n = 0;
    arguments[n++] = "criu";
    arguments[n++] = "dump";
    arguments[n++] = "--tree";
    arguments[n++] = buffer[0];
    arguments[n++] = "--stream";
    arguments[n++] = "--images-dir";
    arguments[n++] = buffer[1];
    arguments[n++] = "--work-dir";
    arguments[n++] = buffer[1];
    arguments[n++] = "--action-script";
    arguments[n++] = buffer[2];
    arguments[n++] = "--timeout";
    arguments[n++] = buffer[3];
    arguments[n++] = "--leave-running";
    arguments[n++] = "--shell-job";
    arguments[n++] = "--tcp-close";
    arguments[n++] = "--network-lock";
    arguments[n++] = "skip"; // no connection is saved, so none needs to be frozen
    arguments[n++] = "--manage-cgroups=ignore";
    arguments[n++] = "--file-locks";
    arguments[n++] = "--ghost-limit";
    arguments[n++] = "64M";
    arguments[n++] = "--no-default-config";
    arguments[n++] = "-v1";
    if (geteuid() != 0)
        arguments[n++] = "--unprivileged";
    arguments[n] = NULL;
}

int criu_dump(const struct criu *criu, const struct criu_dump *dump, struct keeper *keeper,
              struct criu_times *times, struct failure *failure) {
    *times = (struct criu_times){0};
    int listener = listen_for_actions(dump->socket_dir_fd, failure);
    if (listener < 0)
        return -1;
    char buffer[4][64];
    char *arguments[ARGUMENTS_MAX];
    dump_arguments(dump, buffer, arguments);
    // By way of our own descriptors: those of a CRIU with a file capability are closed to the
    // script, which has no capability (ptrace(2), access mode checking). So not CRTOOLS_IMAGE_DIR.
    char variable[128];
    snprintf(variable, sizeof variable, ACTION_VARIABLE "=/proc/%d/fd/%d/" ACTION_SOCKET,
             (int)getpid(), dump->socket_dir_fd);
    struct run_setup setup = {.inherited = dump->socket_dir_fd,
                              .variable = variable,
                              .join = dump->pid,
                              .shield = true,
                              .gated = true};
    struct run run;
    int started = run_start(&run, criu, &setup, arguments, failure);
    if (started < 0) {
        close(listener);
        return -1;
    }
    struct failure own = {.code = EXIT_DONE};
    // Before CRIU is inside the process, the keeper must know that it is to be waited for.
    int entry = keeper_wait_for(keeper, run.pid, LAST_RESORT_MS, KEEPER_KILL, &own);
    run_release(&run, entry > 0);

    int64_t deadline = dump->deadline_ns;
    bool gave_up = false, running = true;
    while (running) {
        struct pollfd fds[3] = {{.fd = run.pidfd, .events = POLLIN},
                                {.fd = listener, .events = POLLIN},
                                {.fd = gave_up ? -1 : dump->cancel_fd, .events = POLLIN}};
        int ready = poll(fds, 3, deadline_poll_ms(deadline));
        if (ready < 0 && errno != EINTR)
            break;
        if (!gave_up && (ready == 0 || fds[2].revents != 0)) {
            // Never by a signal first: CRIU may be inside the process. Broken pipes make it clean
            // up and resume the process by itself.
            fail(&own, EXIT_DEADLINE, "imaging the process took longer than the time limit");
            dump->give_up(dump->context);
            gave_up = true;
            deadline = deadline_in_ms(LAST_RESORT_MS);
        } else if (ready == 0) {
            pidfd_send_signal(run.pidfd, SIGKILL, NULL, 0);
            deadline = deadline_in_ms(LAST_RESORT_MS);
        }
        if (ready > 0 && fds[1].revents != 0)
            serve_action(listener, dump, &own);
        running = ready <= 0 || fds[0].revents == 0;
    }
    close(listener);
    int result = run_end(&run, EXIT_DUMP, "the process could not be imaged and runs on", failure);
    if (entry > 0) {
        struct failure ignored;
        keeper_forget(keeper, entry, &ignored);
    }
    if (own.code != EXIT_DONE && result < 0)
        *failure = own; // ours is the cause, CRIU's complaint the consequence
    else if (own.code != EXIT_DONE) {
        *failure = own;
        result = -1;
    }
    read_times(dump->socket_dir_fd, times);
    return result;
}

// --- the restore ---

int criu_restore(const struct criu *criu, const struct identity *identity, int socket_dir_fd,
                 struct failure *failure) {
    char directory[64];
    snprintf(directory, sizeof directory, "/proc/self/fd/%d", socket_dir_fd);
    char *arguments[ARGUMENTS_MAX] = {"criu",
                                      "restore",
                                      "--stream",
                                      "--images-dir",
                                      directory,
                                      "--work-dir",
                                      directory,
                                      "--restore-detached",
                                      "--leave-stopped",
                                      "--shell-job",
                                      "--tcp-close",
                                      "--manage-cgroups=ignore",
                                      "--file-locks",
                                      "--no-default-config",
                                      "-v1",
                                      identity->unprivileged ? "--unprivileged" : NULL,
                                      NULL};
    struct run_setup setup = {.inherited = socket_dir_fd, .identity = identity};
    struct run run;
    if (run_start(&run, criu, &setup, arguments, failure) < 0)
        return -1;
    return run_end(&run, EXIT_RESTORE, "the clone could not be restored", failure);
}
