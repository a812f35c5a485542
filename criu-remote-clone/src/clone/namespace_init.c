// SPDX-License-Identifier: Apache-2.0
// Two halves of one file: what runs inside as process 1, which carries out orders from a socket one
// by one and reaps; and the parent's calls, each an order and its outcome. Order of a clone:
// mounts, stand by (CRIU starts and waits), restore, continue, hook; signals in between.
#include "namespace_init.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "deadline.h"
#include "facts.h"
#include "memory.h"
#include "mount_point.h"
#include "paths.h"
#include "procfs.h"
#include "scope.h"

#define SIGNAL_EXIT_BASE 128
#define FREE_IDS_WANTED 1000
#define NANOSECONDS 1000000000
#define CRIU_END_MS 1000
#define MOUNT_TIMEOUT_MS 10000

struct namespace_init {
    pid_t pid;
    int pidfd;
    int socket;
};

// --- what parent and init say to each other: one order, one outcome ---

enum order_kind {
    ORDER_COPY,
    ORDER_BIND,
    ORDER_PROC,
    ORDER_STAND_BY,
    ORDER_RESTORE,
    ORDER_CONTINUE,
    ORDER_HOOK,
    ORDER_SIGNAL
};

#define TEXT_MAX 32768

struct order {
    enum order_kind kind;
    uint32_t number; // index of a copy, highest id, time-out in ms, signal
    pid_t root;
    struct clone_clocks clocks;
    dev_t device; // of a copy
    ino_t inode;
    char text[TEXT_MAX];
};

struct outcome {
    int result;
    struct failure failure;
};

// --- inside: process 1 ---

struct inside {
    const struct criu *criu;
    const struct identity *identity;
    int socket;
    int images_dir_fd;
    struct criu_restore *restore; // NULL: no CRIU runs
    pid_t root;                   // 0: nothing restored yet
    int *copies;                  // received files and directories, opened
    size_t copy_count;
};

// All copies are opened before the first is bound: a bind may cover where the next copy lies.
static int open_copy(struct inside *inside, const struct bind *bind, struct failure *failure) {
    if (grow(&inside->copies, inside->copy_count, sizeof *inside->copies, failure) < 0)
        return -1;
    int copy = bind_open(bind);
    if (copy < 0)
        return fail_errno(failure, EXIT_RESTORE, "the received copy %s", bind->target);
    inside->copies[inside->copy_count++] = copy;
    return 0;
}

static int bind_over(const struct inside *inside, size_t copy, const char *place,
                     struct failure *failure) {
    char from[64], over[64];
    AUTO_CLOSE int place_fd = mount_point_open(place);
    snprintf(from, sizeof from, "/proc/self/fd/%d", inside->copies[copy]);
    snprintf(over, sizeof over, "/proc/self/fd/%d", place_fd);
    return place_fd < 0 || mount(from, over, NULL, MS_BIND | MS_REC, NULL) < 0
               ? fail_errno(failure, EXIT_RESTORE, "can't bind the received copy over %s", place)
               : 0;
}

// The parent's /proc shows the parent's pids.
static int mount_proc(struct failure *failure) {
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
        return fail_errno(failure, EXIT_RESTORE, "can't mount a fresh /proc for the clone");
    return 0;
}

// CRIU itself runs in the namespace, and its ids must not be the clone's.
static void step_aside(uint32_t highest_id) {
    if (highest_id + FREE_IDS_WANTED >= facts_pid_max())
        return; // ids are taken from 2 on, far below
    AUTO_CLOSE int file = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        dprintf(file, "%u", highest_id + 1);
    }
}

// Offsets count from the host's clocks, also for those who are in a time namespace themselves
// (time_namespaces(7)).
static int64_t host_clock(const char *offsets, const char *clock, clockid_t id) {
    struct timespec now;
    long long seconds = 0, rest = 0;
    clock_gettime(id, &now);
    const char *line = strstr(offsets, clock);
    if (line != NULL)
        sscanf(line + strlen(clock), "%lld %lld", &seconds, &rest);
    return ((int64_t)now.tv_sec - seconds) * NANOSECONDS + now.tv_nsec - rest;
}

static int write_offset(const char *offsets, const char *clock, clockid_t id, int64_t wanted_ns,
                        struct failure *failure) {
    struct timespec offset = timespec_of_ns(wanted_ns - host_clock(offsets, clock, id));
    AUTO_CLOSE int file = open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC);
    bool done = file >= 0 &&
                dprintf(file, "%s %lld %ld\n", clock, (long long)offset.tv_sec, offset.tv_nsec) > 0;
    return done ? 0 : fail_errno(failure, EXIT_RESTORE, "can't set the clone's clocks");
}

// A time namespace for our children in which the clone's clocks go on where they stopped.
static int set_clocks(const struct clone_clocks *clocks, struct failure *failure) {
    if (clocks->monotonic_ns == 0)
        return 0;
    AUTO_FREE char *offsets = procfs_read(NULL, "/proc/self/timens_offsets");
    if (offsets == NULL || unshare(CLONE_NEWTIME) < 0)
        return fail_errno(failure, EXIT_RESTORE, "no time namespace for the clone");
    int result = write_offset(offsets, "monotonic", CLOCK_MONOTONIC, clocks->monotonic_ns, failure);
    if (result == 0)
        result = write_offset(offsets, "boottime", CLOCK_BOOTTIME, clocks->boottime_ns, failure);
    return result;
}

// What the hook finds in the clone's mounts the peer has chosen: it has no more rights than the
// clone.
static int run_as_clone(const struct inside *inside, const struct hook_call *call,
                        struct failure *failure) {
    int told[2];
    if (pipe2(told, O_CLOEXEC) < 0)
        return fail_errno(failure, EXIT_INTERNAL, "no pipe for the resume hook");
    pid_t pid = fork();
    if (pid == 0) {
        struct outcome outcome = {0};
        if (identity_assume_without_rights(inside->identity) < 0)
            outcome.result = fail_errno(&outcome.failure, EXIT_INTERNAL,
                                        "the resume hook can't be run with the clone's rights");
        else
            outcome.result = hook_run(call, &outcome.failure);
        ssize_t put = write(told[1], &outcome, sizeof outcome);
        _exit(put == sizeof outcome ? 0 : 1);
    }
    close(told[1]);
    struct outcome outcome;
    ssize_t got = pid < 0 ? 0 : read(told[0], &outcome, sizeof outcome);
    close(told[0]);
    if (pid > 0)
        reap_child(pid);
    if (got != sizeof outcome)
        return fail(failure, EXIT_VETO, "the resume hook could not be run, or was killed");
    if (outcome.result < 0)
        *failure = outcome.failure;
    return outcome.result;
}

static int run_hook(const struct inside *inside, const char *command, int timeout_ms,
                    struct failure *failure) {
    struct hook_call call = {.command = command,
                             .role = "clone",
                             .phase = "resume",
                             .outcome = "cloned",
                             .pid = inside->root,
                             .timeout_ms = timeout_ms};
    return inside->identity->unprivileged ? run_as_clone(inside, &call, failure)
                                          : hook_run(&call, failure);
}

// CRIU sees its own pids in /proc, whatever is bound later.
static int start_criu(struct inside *inside, const struct order *order, struct failure *failure) {
    if (mount_proc(failure) < 0)
        return -1;
    step_aside(order->number);
    if (set_clocks(&order->clocks, failure) < 0)
        return -1;
    inside->restore =
        criu_restore_start(inside->criu, inside->identity, inside->images_dir_fd, failure);
    return inside->restore == NULL ? -1 : 0;
}

static int restore(struct inside *inside, pid_t root, struct failure *failure) {
    if (inside->restore == NULL)
        return fail(failure, EXIT_INTERNAL, "a restore is ordered, but no CRIU was started");
    int result = criu_restore_finish(inside->restore, failure);
    inside->restore = NULL;
    if (result == 0)
        inside->root = root;
    return result;
}

static int carry_out(struct inside *inside, const struct order *order, struct failure *failure) {
    switch (order->kind) {
    case ORDER_COPY:
        return open_copy(inside,
                         &(struct bind){.target = (char *)(uintptr_t)order->text,
                                        .device = order->device,
                                        .inode = order->inode},
                         failure);
    case ORDER_BIND:
        return order->number < inside->copy_count
                   ? bind_over(inside, order->number, order->text, failure)
                   : fail(failure, EXIT_INTERNAL, "a copy is bound that wasn't opened");
    case ORDER_PROC:
        return mount_proc(failure);
    case ORDER_STAND_BY:
        return start_criu(inside, order, failure);
    case ORDER_RESTORE:
        return restore(inside, order->root, failure);
    case ORDER_CONTINUE:
        // From process 1, -1 is everybody else in the namespace: the clone's processes.
        return kill(-1, SIGCONT) < 0 ? fail_errno(failure, EXIT_RESTORE, "the clone is gone") : 0;
    case ORDER_HOOK:
        return run_hook(inside, order->text, (int)order->number, failure);
    case ORDER_SIGNAL:
        if (inside->root > 0)
            kill(inside->root, (int)order->number);
        return 0;
    }
    return fail(failure, EXIT_INTERNAL, "init was given an order it doesn't know");
}

// Reaps whoever ended; the namespace ends with the clone's root. CRIU's end isn't ours to take.
static void reap(const struct inside *inside) {
    if (inside->restore != NULL)
        return;
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == inside->root)
            _exit(WIFSIGNALED(status) ? SIGNAL_EXIT_BASE + WTERMSIG(status) : WEXITSTATUS(status));
}

// Nothing we mount reaches the host; what the host unmounts doesn't stay with us. And no set-UID
// program of the host's reads what a peer put in the place of its files.
static int prepare_mounts(const struct inside *inside, struct failure *failure) {
    struct mount_attr no_set_uid = {.attr_set = MOUNT_ATTR_NOSUID};
    if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0 &&
        (!inside->identity->unprivileged ||
         mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &no_set_uid, sizeof no_set_uid) == 0))
        return 0;
    return fail_errno(failure, EXIT_UNABLE,
                      inside->identity->user_namespace
                          ? "user namespaces may not mount here (`criu-remote-clone check` has the "
                            "fix)"
                          : "can't make the clone's mounts private (CAP_SYS_ADMIN)");
}

static void init_main(struct inside *inside) {
    prctl(PR_SET_NAME, "crc-init");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t mask;
    sigfillset(&mask);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    // In a new user namespace we are nobody until the parent has mapped us.
    char go;
    if (recv(inside->socket, &go, 1, 0) != 1)
        _exit(EXIT_INTERRUPTED);
    int children = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    struct outcome ready = {0};
    ready.result = prepare_mounts(inside, &ready.failure);
    if (children < 0 || send(inside->socket, &ready, sizeof ready, MSG_NOSIGNAL) < 0 ||
        ready.result < 0)
        _exit(EXIT_UNABLE);

    struct order order;
    for (;;) {
        struct pollfd fds[2] = {{.fd = inside->socket, .events = POLLIN},
                                {.fd = children, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            _exit(EXIT_INTERNAL);
        if (fds[1].revents != 0) {
            struct signalfd_siginfo ignored;
            while (read(children, &ignored, sizeof ignored) > 0)
                continue;
            reap(inside);
        }
        if (fds[0].revents == 0)
            continue;
        ssize_t got = recv(inside->socket, &order, sizeof order, 0);
        if (got <= 0)
            _exit(EXIT_INTERRUPTED); // the parent is gone, and so is the clone
        struct outcome outcome = {0};
        outcome.result = carry_out(inside, &order, &outcome.failure);
        if (send(inside->socket, &outcome, sizeof outcome, MSG_NOSIGNAL) < 0)
            _exit(EXIT_INTERRUPTED);
    }
}

// --- outside: the parent ---

static int receive_outcome(const struct namespace_init *init, int64_t deadline_ns,
                           struct failure *failure) {
    struct outcome outcome;
    if (!await_readable(init->socket, deadline_ns))
        return fail(failure, EXIT_DEADLINE, "the restore took longer than the time limit");
    ssize_t got = recv(init->socket, &outcome, sizeof outcome, 0);
    if (got != (ssize_t)sizeof outcome)
        return fail(failure, EXIT_RESTORE, "the clone ended, or was killed, in its restore");
    if (outcome.result < 0)
        *failure = outcome.failure;
    return outcome.result;
}

// Lets the child go on, once it is who it must be, and waits until it is ready.
static int release_child(const struct namespace_init *init, const struct identity *identity,
                         struct failure *failure) {
    if (identity->user_namespace && identity_map(identity, init->pid, failure) < 0)
        return -1;
    if (send(init->socket, "", 1, MSG_NOSIGNAL) != 1)
        return fail_errno(failure, EXIT_UNABLE, "the clone's init did not start");
    return receive_outcome(init, deadline_in_ms(MOUNT_TIMEOUT_MS), failure);
}

struct namespace_init *namespace_init_start(const struct criu *criu,
                                            const struct identity *identity, int images_dir_fd,
                                            struct failure *failure) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return NULL_WITH(fail_errno(failure, EXIT_INTERNAL, "no socket for the clone's init"));
    struct namespace_init *init = calloc(1, sizeof *init);
    int pidfd = -1;
    uint64_t user = identity->user_namespace ? CLONE_NEWUSER : 0;
    struct clone_args arguments = {.flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_PIDFD | user,
                                   .pidfd = (uint64_t)(uintptr_t)&pidfd,
                                   .exit_signal = SIGCHLD};
    pid_t pid = init == NULL ? -1 : (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
    if (pid == 0) {
        close(pair[0]);
        struct inside inside = {
            .criu = criu, .identity = identity, .socket = pair[1], .images_dir_fd = images_dir_fd};
        init_main(&inside);
    }
    close(pair[1]);
    if (pid < 0) {
        fail_errno(failure, EXIT_UNABLE,
                   identity->user_namespace
                       ? "can't make the clone's user, PID and mount namespaces: allow user "
                         "namespaces (user.max_user_namespaces) or run pull as root with --user"
                       : "can't make the clone's PID and mount namespaces (CAP_SYS_ADMIN)");
        close(pair[0]);
        free(init);
        return NULL;
    }
    *init = (struct namespace_init){.pid = pid, .pidfd = pidfd, .socket = pair[0]};
    if (release_child(init, identity, failure) < 0) {
        namespace_init_kill(init);
        return NULL;
    }
    return init;
}

int namespace_init_keep(const struct namespace_init *init, struct keeper *keeper,
                        struct failure *failure) {
    return keeper_wait_for(keeper, init->pid, 0, KEEPER_KILL, failure) < 0 ? -1 : 0;
}

// A time-out of 0: doesn't wait for the outcome.
static int give_order(struct namespace_init *init, const struct order *order, int timeout_ms,
                      struct failure *failure) {
    if (send(init->socket, order, sizeof *order, MSG_NOSIGNAL) < 0)
        return fail_errno(failure, EXIT_RESTORE, "the clone's init is gone");
    return timeout_ms == 0 ? 0 : receive_outcome(init, deadline_in_ms(timeout_ms), failure);
}

static int simple_order(struct namespace_init *init, enum order_kind kind,
                        struct failure *failure) {
    const struct order order = {.kind = kind};
    return give_order(init, &order, MOUNT_TIMEOUT_MS, failure);
}

// `copy`: the file that is to be found at the path; NULL: any.
static int path_order(struct namespace_init *init, enum order_kind kind, size_t number,
                      const char *path, const struct bind *copy, struct failure *failure) {
    struct order order = {.kind = kind, .number = (uint32_t)number};
    if (snprintf(order.text, TEXT_MAX, "%s", path) >= TEXT_MAX)
        return fail(failure, EXIT_REFUSED, "a path of the process is too long to be mapped");
    if (copy != NULL) {
        order.device = copy->device;
        order.inode = copy->inode;
    }
    return give_order(init, &order, MOUNT_TIMEOUT_MS, failure);
}

// Where each is to be bound. What lies inside another one is bound over the place in that copy,
// which the receiver has looked after.
static char *bind_place(const struct bind *binds, char *const *places, size_t index, bool *inside,
                        struct failure *failure) {
    *inside = false;
    for (size_t outer = index; outer-- > 0;) { // the innermost comes last
        const char *rest = path_rest(binds[outer].source, binds[index].source);
        if (rest == NULL)
            continue;
        *inside = true;
        char *place = path_joined(places[outer], rest);
        if (place == NULL)
            out_of_memory(failure);
        return place;
    }
    return mount_point_real(binds[index].source, failure);
}

static int bind_all(struct namespace_init *init, const struct bind *binds, char **places,
                    size_t bind_count, struct keeper *keeper, struct failure *failure) {
    for (size_t i = 0; i < bind_count; i++) {
        struct stat facts;
        bool inside;
        if (lstat(binds[i].target, &facts) < 0)
            return fail_errno(failure, EXIT_RESTORE, "the received copy %s", binds[i].target);
        places[i] = bind_place(binds, places, i, &inside, failure);
        if (places[i] == NULL ||
            (!inside && mount_point_make(places[i], S_ISDIR(facts.st_mode), keeper, failure) < 0) ||
            path_order(init, ORDER_COPY, i, binds[i].target, &binds[i], failure) < 0)
            return -1;
    }
    for (size_t i = 0; i < bind_count; i++)
        if (path_order(init, ORDER_BIND, i, places[i], NULL, failure) < 0)
            return -1;
    return 0;
}

int namespace_init_mount(struct namespace_init *init, const struct bind *binds, size_t bind_count,
                         struct keeper *keeper, struct failure *failure) {
    AUTO_FREE char **places = allocate((bind_count + 1) * sizeof *places, failure);
    int result = places == NULL ? -1 : bind_all(init, binds, places, bind_count, keeper, failure);
    for (size_t i = 0; places != NULL && i < bind_count; i++)
        free(places[i]);
    return result < 0 ? -1 : simple_order(init, ORDER_PROC, failure);
}

int namespace_init_stand_by(struct namespace_init *init, uint32_t highest_id,
                            const struct clone_clocks *clocks, struct failure *failure) {
    const struct order order = {.kind = ORDER_STAND_BY, .number = highest_id, .clocks = *clocks};
    return give_order(init, &order, MOUNT_TIMEOUT_MS, failure);
}

int namespace_init_restore(struct namespace_init *init, pid_t root, struct failure *failure) {
    const struct order order = {.kind = ORDER_RESTORE, .root = root};
    return give_order(init, &order, 0, failure);
}

int namespace_init_ended_fd(const struct namespace_init *init) {
    return init->socket;
}

void namespace_init_explain(struct namespace_init *init, struct failure *failure) {
    struct failure reason;
    // It closes its images a moment before it ends.
    if (receive_outcome(init, deadline_in_ms(CRIU_END_MS), &reason) < 0 &&
        reason.code != EXIT_DEADLINE)
        *failure = reason;
}

int namespace_init_restored(struct namespace_init *init, int64_t deadline_ns,
                            struct failure *failure) {
    return receive_outcome(init, deadline_ns, failure);
}

int namespace_init_continue(struct namespace_init *init, struct failure *failure) {
    return simple_order(init, ORDER_CONTINUE, failure);
}

int namespace_init_hook(struct namespace_init *init, const char *command, int timeout_ms,
                        struct failure *failure) {
    struct order order = {.kind = ORDER_HOOK, .number = (uint32_t)timeout_ms};
    if (command == NULL)
        return 0;
    if (snprintf(order.text, TEXT_MAX, "%s", command) >= TEXT_MAX)
        return fail(failure, EXIT_USAGE, "the resume hook is longer than %d bytes", TEXT_MAX);
    // The hook keeps its own time limit; this one is for init.
    return give_order(init, &order, timeout_ms + MOUNT_TIMEOUT_MS, failure);
}

// Passes signals on until init ends.
static void pass_signals_on(struct namespace_init *init, int signal_fd) {
    for (;;) {
        struct pollfd fds[2] = {{.fd = init->pidfd, .events = POLLIN},
                                {.fd = signal_fd, .events = POLLIN}};
        int ready = poll(fds, 2, -1);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready < 0 || fds[0].revents != 0)
            return;
        struct signalfd_siginfo signal;
        if (read(signal_fd, &signal, sizeof signal) == sizeof signal) {
            const struct order order = {.kind = ORDER_SIGNAL, .number = signal.ssi_signo};
            struct failure ignored;
            give_order(init, &order, MOUNT_TIMEOUT_MS, &ignored);
        }
    }
}

static int end(struct namespace_init *init) {
    int status = reap_child(init->pid);
    close(init->pidfd);
    close(init->socket);
    free(init);
    return WIFSIGNALED(status) ? SIGNAL_EXIT_BASE + WTERMSIG(status) : WEXITSTATUS(status);
}

int namespace_init_wait(struct namespace_init *init, int signal_fd) {
    pass_signals_on(init, signal_fd);
    return end(init);
}

void namespace_init_stop(struct namespace_init *init) {
    if (init != NULL)
        pidfd_send_signal(init->pidfd, SIGKILL, NULL, 0);
}

void namespace_init_kill(struct namespace_init *init) {
    namespace_init_stop(init);
    if (init != NULL)
        end(init);
}
