// SPDX-License-Identifier: Apache-2.0
// asker ADDRESS PORT COUNT INTERVAL_US: asks a memcached by UDP for "k", COUNT times, INTERVAL_US
// apart, without waiting for answers in between. Values are of one letter, another one at each
// server, and may be of many datagrams. Ends with one line:
//   asked N answered N lost N twice N torn N
// twice: answers that came whole from a second server as well; torn: values of more than one
// letter.
#include <arpa/inet.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { IDS = 65536, WAIT_MS = 1500 };

// What has come for a request: a letter's datagrams, and how many letters there were.
static struct answer {
    uint16_t of, got;
    char letter;
    bool whole, twice, torn;
} answers[IDS];

static void take(const uint8_t *datagram, size_t length) {
    if (length < 8)
        return;
    struct answer *answer = &answers[datagram[0] << 8 | datagram[1]];
    uint16_t number = (uint16_t)(datagram[2] << 8 | datagram[3]);
    const uint8_t *text = datagram + 8;
    size_t left = length - 8;
    if (number == 0) { // VALUE k 0 N\r\n
        const uint8_t *end = memchr(text, '\n', left);
        if (end == NULL)
            return;
        left -= (size_t)(end + 1 - text);
        text = end + 1;
    }
    char letter = left > 0 && text[0] >= 'a' && text[0] <= 'z' ? (char)text[0] : answer->letter;
    for (size_t i = 0; i < left && text[i] >= 'a' && text[i] <= 'z'; i++)
        answer->torn |= (char)text[i] != letter;
    if (answer->whole) {
        answer->twice = true;
        return;
    }
    answer->torn |= answer->got > 0 && letter != answer->letter;
    answer->letter = letter;
    answer->of = (uint16_t)(datagram[4] << 8 | datagram[5]);
    answer->got++;
    answer->whole = answer->got == answer->of;
}

static int64_t now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void receive_until(int fd, int64_t until) {
    uint8_t datagram[65536];
    do {
        int64_t left = until - now_us();
        struct timespec wait = {0, left > 0 ? (left % 1000000) * 1000 : 0};
        wait.tv_sec = left > 0 ? left / 1000000 : 0;
        if (ppoll(&(struct pollfd){fd, POLLIN, 0}, 1, &wait, NULL) <= 0)
            continue;
        ssize_t got = recv(fd, datagram, sizeof datagram, 0);
        if (got > 0)
            take(datagram, (size_t)got);
    } while (now_us() < until);
}

int main(int argc, char **argv) {
    if (argc != 5)
        return 64;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2]))};
    int count = atoi(argv[3]), interval = atoi(argv[4]);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    int buffer = 8 << 20;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
    if (inet_pton(AF_INET, argv[1], &to.sin_addr) != 1 || count < 1 || count > IDS ||
        connect(fd, (struct sockaddr *)&to, sizeof to) < 0)
        return 64;
    int64_t next = now_us();
    for (int id = 0; id < count; id++) {
        uint8_t request[] = "\0\0\0\0\0\1\0\0get k\r\n";
        request[0] = (uint8_t)(id >> 8);
        request[1] = (uint8_t)id;
        send(fd, request, sizeof request - 1, 0); // what is refused is lost
        receive_until(fd, next += interval);
    }
    receive_until(fd, now_us() + WAIT_MS * 1000);
    int answered = 0, twice = 0, torn = 0;
    for (int id = 0; id < count; id++) {
        answered += answers[id].whole;
        twice += answers[id].twice;
        torn += answers[id].torn;
    }
    printf("asked %d answered %d lost %d twice %d torn %d\n", count, answered, count - answered,
           twice, torn);
    return 0;
}
