// SPDX-License-Identifier: Apache-2.0
// worker PORT WORKERS MEAN_US: plays a server of so many workers. Each takes a memcached request
// from the socket when it is free, so what waits waits there; works for a time that it sleeps, for
// two processors are to play all servers; and answers with the request's frame. The time is
// exponential, and one in a hundred is fifteen times as long (NetClone, section 5.1).
#include <arpa/inet.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SLOW_ONE_IN = 100, SLOW_TIMES = 15, FRAME = 8 };

static int fd;
static double mean_us;

static double work_us(unsigned short random[3]) {
    double us = -mean_us * log(1 - erand48(random));
    return erand48(random) * SLOW_ONE_IN < 1 ? us * SLOW_TIMES : us;
}

static void *work(void *argument) {
    unsigned short random[3];
    uint8_t datagram[2048];
    (void)argument;
    prctl(PR_SET_TIMERSLACK, 1); // ns
    if (getrandom(random, sizeof random, 0) != sizeof random)
        exit(70);
    for (;;) {
        struct sockaddr_in client;
        socklen_t size = sizeof client;
        ssize_t got = recvfrom(fd, datagram, sizeof datagram, 0, (struct sockaddr *)&client, &size);
        if (got < FRAME)
            continue;
        double us = work_us(random);
        struct timespec time = {(time_t)(us / 1e6), (long)(fmod(us, 1e6) * 1e3)};
        clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
        sendto(fd, datagram, (size_t)got, 0, (struct sockaddr *)&client, size);
    }
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 64;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
    int workers = atoi(argv[2]), buffer = 16 << 20;
    mean_us = atof(argv[3]);
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0) {
        perror("bind");
        return 70;
    }
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 17);
    for (int i = 0; i < workers; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, work, NULL) != 0)
            return 70;
    }
    pause();
    return 0;
}
