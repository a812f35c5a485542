// SPDX-License-Identifier: Apache-2.0
// worker PORT WORKERS SHORT_US LONG_US EXPONENTIAL JITTER: plays a server of so many workers. Each
// takes a memcached request from the socket when it is free, so what waits waits there; works for a
// time that it sleeps, for two processors are to play all servers; and answers with the request's
// frame. The client says whether a request is short or long. Its time is exponential or, with 0,
// exactly that; and with probability JITTER fifteen times as long (NetClone, section 5.1). What a
// worker overslept it sleeps less the next time.
#include <arpa/inet.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { JITTER_TIMES = 15, FRAME = 8, KEY = FRAME + 4 };

static int fd;
static double short_us, long_us, jitter;
static bool exponential;

static double work_us(bool is_long, unsigned short random[3]) {
    double us = is_long ? long_us : short_us;
    if (exponential)
        us *= -log(1 - erand48(random));
    return erand48(random) < jitter ? us * JITTER_TIMES : us;
}

static double now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void sleep_until(double us) {
    struct timespec until = {(time_t)(us / 1e6), (long)(fmod(us, 1e6) * 1e3)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void *work(void *argument) {
    unsigned short random[3];
    uint8_t datagram[2048];
    double overslept = 0;
    (void)argument;
    prctl(PR_SET_TIMERSLACK, 1); // ns
    if (getrandom(random, sizeof random, 0) != sizeof random)
        exit(70);
    for (;;) {
        struct sockaddr_in client;
        socklen_t size = sizeof client;
        ssize_t got = recvfrom(fd, datagram, sizeof datagram, 0, (struct sockaddr *)&client, &size);
        if (got <= KEY)
            continue;
        double until = now_us() + work_us(datagram[KEY] == 'l', random) - overslept;
        sleep_until(until);
        overslept = now_us() - until;
        sendto(fd, datagram, (size_t)got, 0, (struct sockaddr *)&client, size);
    }
}

int main(int argc, char **argv) {
    if (argc != 7)
        return 64;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
    int workers = atoi(argv[2]), buffer = 16 << 20;
    short_us = atof(argv[3]);
    long_us = atof(argv[4]);
    exponential = atoi(argv[5]) != 0;
    jitter = atof(argv[6]);
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
