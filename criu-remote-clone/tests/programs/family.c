// SPDX-License-Identifier: Apache-2.0
// family LOG: four processes on two levels (a root with two children, one of which has a child of
// its own) that pass a token around a ring of pipes. Each knows from its own memory what the token
// must be and adds one, and the last counts rounds in memory that all share; the root logs each
// round as counter does ("bad token" or "bad rounds" if one is wrong).
// SIGTERM to the root: everybody ends, exit code 42; any other end of a member shows as 3.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MEMBERS 4

static volatile sig_atomic_t terminated;
static volatile unsigned long *rounds; // CRIU images it by itself

static void on_signal(int number) {
    (void)number;
    terminated = 1;
}

static unsigned long where(void) {
    struct stat status;
    return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

static int receive(int fd, unsigned long *token) {
    ssize_t got;
    do
        got = read(fd, token, sizeof *token);
    while (got < 0 && errno == EINTR);
    return got == sizeof *token;
}

static int pass(int fd, unsigned long token) {
    return write(fd, &token, sizeof token) == sizeof token;
}

// Member i reads from pipe i and writes to pipe i + 1.
static void keep_own_ends(int pipes[MEMBERS][2], int member) {
    for (int i = 0; i < MEMBERS; i++) {
        if (i != member)
            close(pipes[i][0]);
        if (i != (member + 1) % MEMBERS)
            close(pipes[i][1]);
    }
}

// Ends when the pipe before it is closed: the end of the root goes all the way round.
static int relay(int pipes[MEMBERS][2], int member) {
    signal(SIGTERM, SIG_IGN);
    keep_own_ends(pipes, member);
    unsigned long expected = (unsigned long)member, token;
    for (; receive(pipes[member][0], &token); expected += MEMBERS) {
        if (member == MEMBERS - 1)
            ++*rounds;
        if (token != expected || !pass(pipes[(member + 1) % MEMBERS][1], token + 1))
            return 3;
    }
    return 0;
}

static int wait_for_child(void) {
    int status;
    pid_t pid;
    do
        pid = wait(&status);
    while (pid < 0 && errno == EINTR);
    return pid > 0 && status == 0;
}

// Member 1: relays, and is the parent of member 2.
static int relay_with_child(int pipes[MEMBERS][2]) {
    if (fork() == 0)
        _exit(relay(pipes, 2));
    int result = relay(pipes, 1);
    close(pipes[2][1]); // the end for member 2
    return wait_for_child() ? result : 3;
}

static int root(int pipes[MEMBERS][2], int log) {
    keep_own_ends(pipes, 0);
    unsigned long number = 0, checksum = 0, token = 0;
    while (!terminated) {
        if (!pass(pipes[1][1], token + 1) || !receive(pipes[0][0], &token))
            return 3;
        number++;
        checksum = (checksum * 31 + number) % 1000003;
        if (token != number * MEMBERS)
            dprintf(log, "bad token\n");
        if (*rounds != number)
            dprintf(log, "bad rounds\n");
        dprintf(log, "%lu %lu %lu 0\n", number, checksum, where());
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
    close(pipes[1][1]);
    dprintf(log, "end %lu\n", number);
    return wait_for_child() && wait_for_child() ? 42 : 3;
}

int main(int argc, char **argv) {
    int log = argc == 2 ? open(argv[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
    if (log < 0) {
        fprintf(stderr, "usage: family LOG\n");
        return 2;
    }
    rounds = mmap(NULL, sizeof *rounds, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (rounds == MAP_FAILED)
        return 2;
    int pipes[MEMBERS][2];
    for (int i = 0; i < MEMBERS; i++)
        if (pipe2(pipes[i], O_CLOEXEC) < 0)
            return 2;
    if (fork() == 0)
        _exit(relay_with_child(pipes));
    if (fork() == 0)
        _exit(relay(pipes, 3));
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, NULL);
    return root(pipes, log);
}
