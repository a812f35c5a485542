// SPDX-License-Identifier: Apache-2.0
// client ADDRESS PORT RATE SECONDS LONG_SHARE ANSWER_US: asks RATE times a second on average, as a
// Poisson process that waits for nobody, and prints what came of it as JSON. A time is from when a
// request was to be sent, late or not, until the kernel had its answer; the first tenth isn't
// counted. An answer that comes once more is "twice". LONG_SHARE of the requests say that they are
// long. As if each answer took one of two clients' processors so long, times are longer by that and
// by what waits for it; with 0 by nothing.
#include <arpa/inet.h>
#include <math.h>
#include <poll.h>
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

enum { IDS = 65536, WAIT_MS = 1000, MOST = 4000000, CLIENTS = 2, MOST_SECONDS = 600 };

static int fd;
static double rate, seconds, long_share, answer_us;
static int64_t begin, end, busy_until[CLIENTS]; // ns

// Of the latest request with an id; the table of times has one entry for each request.
static struct {
    int64_t due; // ns, CLOCK_REALTIME as the kernel's stamps
    int32_t number;
    bool answered;
} asked[IDS];
static int32_t sent;
static float *times; // us; < 0: none yet
static int twice, answered, in_time;
static int by_second[MOST_SECONDS]; // answers
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void *ask(void *argument) {
    unsigned short random[3];
    (void)argument;
    prctl(PR_SET_TIMERSLACK, 1); // ns
    if (getrandom(random, sizeof random, 0) != sizeof random)
        exit(70);
    int64_t due = begin;
    while (sent < MOST) {
        due += (int64_t)(-log(1 - erand48(random)) / rate * 1e9);
        if (due > end)
            break;
        struct timespec until = {due / 1000000000, due % 1000000000};
        clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
        uint8_t request[] = "\0\0\0\0\0\1\0\0get s\r\n";
        if (erand48(random) < long_share)
            request[12] = 'l';
        uint16_t id = (uint16_t)sent;
        request[0] = (uint8_t)(id >> 8);
        request[1] = (uint8_t)id;
        pthread_mutex_lock(&lock);
        asked[id].due = due;
        asked[id].number = sent;
        asked[id].answered = false;
        times[sent++] = -1;
        pthread_mutex_unlock(&lock);
        send(fd, request, sizeof request - 1, 0); // what is refused is lost
    }
    return NULL;
}

static void take(const uint8_t *datagram, int64_t at) {
    uint16_t id = (uint16_t)(datagram[0] << 8 | datagram[1]);
    pthread_mutex_lock(&lock);
    int64_t *busy = &busy_until[asked[id].number % CLIENTS];
    if (answer_us > 0) {
        *busy = (*busy > at ? *busy : at) + (int64_t)(answer_us * 1e3);
        at = *busy;
    }
    if (asked[id].answered) {
        twice++;
    } else {
        times[asked[id].number] = (float)((double)(at - asked[id].due) / 1e3);
        answered++;
        in_time += at <= end;
        if (at >= begin && (at - begin) / 1000000000 < MOST_SECONDS)
            by_second[(at - begin) / 1000000000]++;
    }
    asked[id].answered = true;
    pthread_mutex_unlock(&lock);
}

// False: all is answered, or nothing more has come for WAIT_MS, or time is over.
static bool receive(void) {
    uint8_t datagram[2048];
    union {
        struct cmsghdr header;
        char bytes[128];
    } control;
    struct iovec vector = {datagram, sizeof datagram};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    int64_t now = now_ns();
    pthread_mutex_lock(&lock);
    bool all = now > end && answered == sent;
    pthread_mutex_unlock(&lock);
    if (now > end + (int64_t)WAIT_MS * 2000000)
        return false;
    // A clone's answer, should it be let through.
    int wait = all ? WAIT_MS / 10 : WAIT_MS;
    if (poll(&(struct pollfd){fd, POLLIN, 0}, 1, wait) <= 0)
        return now <= end;
    if (recvmsg(fd, &message, 0) < 8)
        return true;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part != NULL;
         part = CMSG_NXTHDR(&message, part))
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec stamp;
            memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
            take(datagram, (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec);
        }
    return true;
}

static int compare(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    if (argc != 7)
        return 64;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2]))};
    rate = atof(argv[3]);
    seconds = atof(argv[4]);
    long_share = atof(argv[5]);
    answer_us = atof(argv[6]);
    times = calloc(MOST, sizeof *times);
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    int buffer = 32 << 20, yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
    if (times == NULL || setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes) < 0 ||
        inet_pton(AF_INET, argv[1], &to.sin_addr) != 1 ||
        connect(fd, (struct sockaddr *)&to, sizeof to) < 0)
        return 64;
    begin = now_ns();
    end = begin + (int64_t)(seconds * 1e9);
    pthread_t asker;
    if (pthread_create(&asker, NULL, ask, NULL) != 0)
        return 70;
    while (receive())
        ;
    pthread_join(asker, NULL);
    int first = sent / 10, count = 0, lost = 0;
    double sum = 0;
    for (int i = 0; i < sent; i++)
        lost += times[i] < 0;
    for (int i = first; i < sent; i++)
        if (times[i] >= 0) {
            sum += times[i];
            times[count++] = times[i];
        }
    qsort(times, (size_t)count, sizeof *times, compare);
    printf(
        "{\"asked\": %d, \"lost\": %d, \"twice\": %d, \"answers_per_s\": %.1f, \"mean_us\": %.0f",
        sent, lost, twice, in_time / seconds, count > 0 ? sum / count : 0);
    static const struct {
        const char *name;
        double share;
    } percentiles[] = {{"p50_us", 0.5}, {"p99_us", 0.99}, {"p999_us", 0.999}};
    for (size_t i = 0; i < sizeof percentiles / sizeof *percentiles; i++)
        printf(", \"%s\": %.0f", percentiles[i].name,
               count > 0 ? (double)times[(int)(count * percentiles[i].share)] : 0);
    printf(", \"by_second\": [");
    for (int i = 0; i < (int)seconds && i < MOST_SECONDS; i++)
        printf("%s%d", i > 0 ? ", " : "", by_second[i]);
    puts("]}");
    return 0;
}
