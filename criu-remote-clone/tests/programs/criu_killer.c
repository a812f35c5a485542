// SPDX-License-Identifier: Apache-2.0
// criu_killer: stands in for CRIU (give it to --criu) and kills the real one at a moment of the
// caller's choice. Beside itself, as PATH.plan, it finds four words:
//
//   CRIU          the real program
//   COMMAND       which of its commands is to be killed; the other ones run as they are
//   MICROSECONDS  when, counted from the real one's start (restore), or from the end of its
//   pre-dump
//                 action, after which it goes for the process (dump)
//   SIGNAL        with which signal
//
// To learn of that end, it puts itself in the place of CRIU's action script. With 0 microseconds
// that script sends the signal: then CRIU is free to go for the process, but surely hasn't yet,
// however busy the machine is.
//
// and it leaves, as PATH.took, "killed N" or "ended N": after how many microseconds.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void tell(const char *self, const char *what, long microseconds) {
    char path[4200];
    snprintf(path, sizeof path, "%s.took", self);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0) {
        dprintf(file, "%s %ld\n", what, microseconds);
        close(file);
    }
}

static int end_as(int status) {
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    signal(WTERMSIG(status), SIG_DFL);
    kill(getpid(), WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

#define KILLER "CRIU_KILLER" // to the script: who it is that wants to know
#define SCRIPT "CRIU_SCRIPT" // and the real one
#define SIGNAL "CRIU_SIGNAL" // what it is to send itself, if anything

// As CRIU's action script: runs the real one.
static int run_script(const char *action, char **argv) {
    if (strcmp(action, "pre-dump") != 0) {
        execv(getenv(SCRIPT), argv);
        return 127;
    }
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        execv(getenv(SCRIPT), argv);
        _exit(127);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (status == 0) {
        if (getenv(SIGNAL) != NULL)
            kill(getppid(), atoi(getenv(SIGNAL)));
        kill(atoi(getenv(KILLER)), SIGUSR1);
    }
    return end_as(status);
}

// Has CRIU take us for its script, which sends it `signal_at_once`, unless that is 0.
static void replace_script(char **argv, int signal_at_once) {
    static char number[16], us[64];
    if (signal_at_once != 0) {
        snprintf(number, sizeof number, "%d", signal_at_once);
        setenv(SIGNAL, number, 1);
    }
    for (char **argument = argv; *argument != NULL; argument++) {
        if (strcmp(*argument, "--action-script") != 0)
            continue;
        snprintf(number, sizeof number, "%d", (int)getpid());
        snprintf(us, sizeof us, "/proc/%d/exe", (int)getpid());
        setenv(KILLER, number, 1);
        setenv(SCRIPT, argument[1], 1);
        argument[1] = us;
    }
}

int main(int argc, char **argv) {
    char self[4096], path[4200], real[4096], command[16];
    long delay_us;
    int number;
    const char *action = getenv("CRTOOLS_SCRIPT_ACTION");
    if (action != NULL)
        return run_script(action, argv);
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return 2;
    self[length] = '\0';
    snprintf(path, sizeof path, "%s.plan", self);
    FILE *plan = fopen(path, "re");
    if (plan == NULL || fscanf(plan, "%4095s %15s %ld %d", real, command, &delay_us, &number) != 4)
        return 2;
    fclose(plan);
    if (argc < 2 || strcmp(argv[1], command) != 0) {
        execv(real, argv);
        return 127;
    }
    sigset_t gone_for_process;
    sigemptyset(&gone_for_process);
    sigaddset(&gone_for_process, SIGUSR1);
    bool await = strcmp(command, "dump") == 0;
    if (await) {
        sigprocmask(SIG_BLOCK, &gone_for_process, NULL);
        replace_script(argv, delay_us == 0 ? number : 0);
    }
    long start_us = now_us();
    pid_t pid = fork();
    if (pid == 0) {
        sigprocmask(SIG_UNBLOCK, &gone_for_process, NULL);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execv(real, argv);
        _exit(127);
    }
    struct pollfd fds[2] = {
        {.fd = pidfd_open(pid, 0), .events = POLLIN},
        {.fd = await ? signalfd(-1, &gone_for_process, SFD_CLOEXEC) : -1, .events = POLLIN}};
    if (await && poll(fds, 2, -1) > 0)
        start_us = now_us();
    bool sent = await && delay_us == 0;
    struct timespec delay = {delay_us / 1000000, delay_us % 1000000 * 1000};
    int status, ended = !sent && ppoll(fds, 1, &delay, NULL) > 0;
    if (!ended && !sent)
        kill(pid, number);
    tell(self, ended ? "ended" : "killed", now_us() - start_us);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return end_as(status);
}
