// criu_killer: stands in for CRIU (give it to --criu) and kills the real one at a moment of the
// caller's choice. Beside itself, as PATH.plan, it finds four words:
//
//   CRIU          the real program
//   dump|restore  which of its commands is to be killed; the other ones run as they are
//   MICROSECONDS  when, counted from the real one's start
//   SIGNAL        with which signal
//
// and it leaves, as PATH.took, "killed N" or "ended N": after how many microseconds.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
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

int main(int argc, char **argv) {
    char self[4096], path[4200], real[4096], command[16];
    long delay_us;
    int number;
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
    long start_us = now_us();
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execv(real, argv);
        _exit(127);
    }
    struct pollfd criu = {.fd = pidfd_open(pid, 0), .events = POLLIN};
    struct timespec delay = {delay_us / 1000000, delay_us % 1000000 * 1000};
    int status, ended = ppoll(&criu, 1, &delay, NULL) > 0;
    if (!ended)
        kill(pid, number);
    tell(self, ended ? "ended" : "killed", now_us() - start_us);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return end_as(status);
}
