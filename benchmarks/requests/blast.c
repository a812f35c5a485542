// SPDX-License-Identifier: Apache-2.0
// blast ADDRESS PORT COUNT: sends COUNT (65536 at most) memcached requests of 30 bytes, each with
// another id, as fast as it can, and prints nanoseconds of its processor time a packet. On pairs of
// veth interfaces the sender's processor carries a packet all the way into the receiver's socket,
// so this is the cost of all of it.
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

int main(int argc, char **argv) {
    if (argc != 4)
        return 64;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2]))};
    int count = atoi(argv[3]), fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (inet_pton(AF_INET, argv[1], &to.sin_addr) != 1 ||
        connect(fd, (struct sockaddr *)&to, sizeof to) < 0)
        return 64;
    uint8_t request[] = "\0\0\0\0\0\1\0\0get 1234567890123456\r\n";
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (int id = 0; id < count; id++) {
        request[0] = (uint8_t)(id >> 8);
        request[1] = (uint8_t)id;
        if (send(fd, request, sizeof request - 1, 0) < 0)
            id--; // "connection refused" is about one before
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double ns = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
    printf("%.0f\n", ns / count);
    return 0;
}
