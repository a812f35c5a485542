// SPDX-License-Identifier: Apache-2.0
// counter LOG [MICROSECONDS [PORT]]: counts, and appends a line for each number to LOG, which it
// holds open, as it does a UDP socket at PORT:
//
//   NUMBER CHECKSUM WHERE CONTINUED
//
// CHECKSUM covers all numbers so far and lives in memory only, so a line that fits the one before
// proves that the memory was carried over. WHERE is the inode of the PID namespace: it tells the
// original's lines from the clone's. CONTINUED counts SIGCONT. SIGTERM: a last line "end NUMBER",
// exit code 42.
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t terminated;
static volatile sig_atomic_t continued;

static void on_signal(int number) {
    if (number == SIGTERM)
        terminated = 1;
    else
        continued++;
}

static unsigned long where(void) {
    struct stat status;
    return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

static int hold_port(uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    return bind(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), (struct sockaddr *)&address,
                sizeof address);
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    int log = open(argv[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (log < 0) {
        perror(argv[1]);
        return 2;
    }
    if (argc > 3 && hold_port((uint16_t)atoi(argv[3])) < 0) {
        perror(argv[3]);
        return 2;
    }
    long micros = argc > 2 ? atol(argv[2]) : 1000;
    struct timespec pause = {micros / 1000000, micros % 1000000 * 1000};
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGCONT, &action, NULL);

    unsigned long number = 0, checksum = 0;
    while (!terminated) {
        number++;
        checksum = (checksum * 31 + number) % 1000003;
        if (dprintf(log, "%lu %lu %lu %d\n", number, checksum, where(), (int)continued) < 0)
            return 3;
        nanosleep(&pause, NULL);
    }
    dprintf(log, "end %lu\n", number);
    return 42;
}
