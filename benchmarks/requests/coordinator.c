// SPDX-License-Identifier: Apache-2.0
// coordinator PORT PACKET_US WORKERS...: LÆDGE's (NetClone, section 2.3), between clients and the
// servers 10.2.N.2, one for each number of workers. It sends a request to two servers that have a
// free worker, else to one, else it waits here; and lets the first answer through. Each packet that
// comes or goes takes its one processor so long, which it sleeps.
#include <arpa/inet.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

enum { IDS = 65536, SERVERS = 16, WAITING = 1 << 20, FRAME = 8, REQUEST = 64, NOBODY = -1 };

static int fd, server_count, free_workers[SERVERS], packet_ns;
static uint16_t server_port;
static int64_t busy_until; // CLOCK_REALTIME, as the kernel's stamps

static struct {
    struct sockaddr_in client;
    uint8_t bytes[REQUEST];
    size_t size;
    bool answered;
} requests[IDS];
static uint16_t waiting[WAITING];
static uint32_t first_waiting, last_waiting;

// So many packets that came at this time are through.
static void handle(int packets, int64_t at) {
    busy_until = (busy_until > at ? busy_until : at) + (int64_t)packets * packet_ns;
    struct timespec until = {busy_until / 1000000000, busy_until % 1000000000};
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
}

// A random server that has a free worker.
static int claim(int but) {
    int from = (int)(random() % server_count);
    for (int i = 0; i < server_count; i++) {
        int server = (from + i) % server_count;
        if (server != but && free_workers[server] > 0) {
            free_workers[server]--;
            return server;
        }
    }
    return NOBODY;
}

static void ask(uint16_t id, int server) {
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = server_port,
                             .sin_addr.s_addr = htonl(0x0a020002u | (uint32_t)(server + 1) << 8)};
    sendto(fd, requests[id].bytes, requests[id].size, 0, (struct sockaddr *)&to, sizeof to);
}

static void asked(uint16_t id, int64_t at) {
    int first = claim(NOBODY), second = first == NOBODY ? NOBODY : claim(first);
    handle(first == NOBODY ? 1 : second == NOBODY ? 2 : 3, at);
    if (first == NOBODY) {
        if (last_waiting - first_waiting < WAITING)
            waiting[last_waiting++ % WAITING] = id;
        return;
    }
    ask(id, first);
    if (second != NOBODY)
        ask(id, second);
}

static void answered(uint16_t id, int server, const uint8_t *bytes, size_t size, int64_t at) {
    free_workers[server]++;
    handle(requests[id].answered ? 1 : 2, at);
    if (!requests[id].answered)
        sendto(fd, bytes, size, 0, (struct sockaddr *)&requests[id].client,
               sizeof requests[id].client);
    requests[id].answered = true;
    if (first_waiting == last_waiting)
        return;
    handle(1, at);
    ask(waiting[first_waiting++ % WAITING], claim(NOBODY));
}

// The kernel's stamp of a datagram.
static int64_t stamp_of(struct msghdr *message) {
    struct timespec stamp = {0};
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL;
         part = CMSG_NXTHDR(message, part))
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS)
            memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
    return (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
}

static void take(void) {
    uint8_t bytes[REQUEST];
    struct sockaddr_in from;
    union {
        struct cmsghdr header;
        char bytes[128];
    } control;
    struct iovec vector = {bytes, sizeof bytes};
    struct msghdr message = {.msg_name = &from,
                             .msg_namelen = sizeof from,
                             .msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t size = recvmsg(fd, &message, 0);
    if (size <= FRAME)
        return;
    uint16_t id = (uint16_t)(bytes[0] << 8 | bytes[1]);
    uint32_t address = ntohl(from.sin_addr.s_addr);
    if (address >> 16 == 0x0a02) {
        answered(id, (int)(address >> 8 & 0xff) - 1, bytes, (size_t)size, stamp_of(&message));
        return;
    }
    requests[id].client = from;
    requests[id].answered = false;
    requests[id].size = (size_t)size;
    memcpy(requests[id].bytes, bytes, (size_t)size);
    asked(id, stamp_of(&message));
}

int main(int argc, char **argv) {
    if (argc < 4 || argc - 3 > SERVERS)
        return 64;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
    int buffer = 32 << 20, yes = 1;
    server_port = at.sin_port;
    packet_ns = (int)(atof(argv[2]) * 1e3);
    server_count = argc - 3;
    for (int i = 0; i < server_count; i++)
        free_workers[i] = atoi(argv[3 + i]);
    prctl(PR_SET_TIMERSLACK, 1); // ns
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
    if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes) < 0 ||
        bind(fd, (struct sockaddr *)&at, sizeof at) < 0) {
        perror("bind");
        return 70;
    }
    for (;;)
        take();
}
