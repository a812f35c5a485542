// SPDX-License-Identifier: Apache-2.0
// client ADDRESS PORT RATE SECONDS: asks RATE times a second on average, as a Poisson process that
// waits for nobody, and prints what came of it as JSON. A time is from when a request was to be
// sent, late or not, until the kernel had its answer; the first tenth isn't counted. An answer that
// comes once more is "twice".
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

enum { IDS = 65536, WAIT_MS = 3000, MOST = 4000000 };

static int fd;
static double rate, seconds;

// Of the latest request with an id; the table of times has one entry for each request.
static struct {
    int64_t due; // ns, CLOCK_REALTIME as the kernel's stamps
    int32_t number;
    bool answered;
} asked[IDS];
static int32_t sent;
static float *times; // us; < 0: none yet
static int twice;
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
    int64_t due = now_ns(), end = due + (int64_t)(seconds * 1e9);
    while (sent < MOST) {
        due += (int64_t)(-log(1 - erand48(random)) / rate * 1e9);
        if (due > end)
            break;
        struct timespec until = {due / 1000000000, due % 1000000000};
        clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
        uint8_t request[] = "\0\0\0\0\0\1\0\0get k\r\n";
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
    if (asked[id].answered)
        twice++;
    else
        times[asked[id].number] = (float)((double)(at - asked[id].due) / 1e3);
    asked[id].answered = true;
    pthread_mutex_unlock(&lock);
}

// False: nothing more has come for WAIT_MS.
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
    if (poll(&(struct pollfd){fd, POLLIN, 0}, 1, WAIT_MS) <= 0)
        return false;
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
    if (argc != 5)
        return 64;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2]))};
    rate = atof(argv[3]);
    seconds = atof(argv[4]);
    times = calloc(MOST, sizeof *times);
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    int buffer = 32 << 20, yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
    if (times == NULL || setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes) < 0 ||
        inet_pton(AF_INET, argv[1], &to.sin_addr) != 1 ||
        connect(fd, (struct sockaddr *)&to, sizeof to) < 0)
        return 64;
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
    printf("{\"asked\": %d, \"lost\": %d, \"twice\": %d, \"mean_us\": %.0f, \"p50_us\": %.0f, "
           "\"p99_us\": %.0f}\n",
           sent, lost, twice, count > 0 ? sum / count : 0, count > 0 ? (double)times[count / 2] : 0,
           count > 0 ? (double)times[(int)(count * 0.99)] : 0);
    return 0;
}
