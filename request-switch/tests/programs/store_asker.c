// SPDX-License-Identifier: Apache-2.0
// store_asker BACKUP PORT GROUP AVAILABLE COUNT [BYTES [times]]: a client of a data store that
// speaks NetRS. Asks COUNT times, one after the other, for something of a group of three replicas;
// AVAILABLE are their bits, and BACKUP is whom it would ask. A line for each:
//   ADDRESS rid N marker POD.RACK counted|plain
// or "lost", which is also said of an answer to something else. With "times" only how long it was
// until the answer came, in microseconds.
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "netrs.h"

enum { REPLICAS = 3, WAIT_MS = 2000, MOST = 1400 };

static void say(const uint8_t *response, ssize_t got, const uint8_t *asked, size_t bytes,
                struct in_addr from) {
    size_t told = NETRS_RESPONSE_BYTES;
    if (got >= NETRS_RESPONSE_BYTES)
        told += netrs_word(response, NETRS_SSL);
    if (got < 0 || (size_t)got != told + bytes || memcmp(response + told, asked, bytes) != 0) {
        puts("lost");
        return;
    }
    uint32_t marker = netrs_marker(response);
    char address[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, &from, address, sizeof address);
    printf("%s rid %u marker %u.%u %s\n", address, netrs_word(response, NETRS_RID), marker >> 16,
           marker & 0xffff,
           netrs_kind(netrs_magic(response)) == NETRS_COUNTED ? "counted" : "plain");
}

static double now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
    if (argc < 6)
        return 64;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2]))};
    uint32_t group = (uint32_t)atoi(argv[3]) << REPLICAS | (uint32_t)atoi(argv[4]);
    int count = atoi(argv[5]);
    size_t bytes = argc > 6 ? (size_t)atoi(argv[6]) : 32;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (inet_pton(AF_INET, argv[1], &to.sin_addr) != 1 || bytes < 4 || bytes > MOST)
        return 64;
    for (int i = 0; i < count; i++) {
        uint8_t request[NETRS_REQUEST_BYTES + MOST] = {0}, response[2 * MOST];
        uint8_t *asked = request + NETRS_REQUEST_BYTES;
        netrs_set_word(request, NETRS_RID, 4711); // the switch knows better
        netrs_set_magic(request, NETRS_M_REQ);
        netrs_set_word(request, NETRS_RGID, (uint16_t)(group >> 8));
        request[NETRS_RGID + 2] = (uint8_t)group;
        memcpy(asked, &i, sizeof i);
        memset(asked + sizeof i, 'a' + i % 26, bytes - sizeof i);
        double sent = now_us();
        sendto(fd, request, NETRS_REQUEST_BYTES + bytes, 0, (struct sockaddr *)&to, sizeof to);
        struct sockaddr_in from = {0};
        socklen_t length = sizeof from;
        ssize_t got = -1;
        if (poll(&(struct pollfd){fd, POLLIN, 0}, 1, WAIT_MS) == 1)
            got = recvfrom(fd, response, sizeof response, 0, (struct sockaddr *)&from, &length);
        double took = now_us() - sent;
        if (argc > 7 && got >= 0)
            printf("%.1f\n", took);
        else
            say(response, got, asked, bytes, from.sin_addr);
    }
    return 0;
}
