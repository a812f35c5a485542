// SPDX-License-Identifier: Apache-2.0
// store_server PORT QUEUE SERVICE_US: a server of a data store that speaks NetRS. Answers each
// request at once with what it asked, and tells this queue and this time of the work.
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "netrs.h"

int main(int argc, char **argv) {
    if (argc != 4)
        return 64;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
    uint32_t queue = (uint32_t)atoi(argv[2]), service_us = (uint32_t)atoi(argv[3]);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0) {
        perror("bind");
        return 1;
    }
    for (;;) {
        uint8_t request[1500], response[1500 + 16] = {0};
        struct sockaddr_in client;
        socklen_t length = sizeof client;
        ssize_t got = recvfrom(fd, request, sizeof request, 0, (struct sockaddr *)&client, &length);
        if (got < NETRS_REQUEST_BYTES)
            continue;
        size_t asked = (size_t)got - NETRS_REQUEST_BYTES;
        size_t told = NETRS_RESPONSE_BYTES + NETRS_STATUS_BYTES;
        memcpy(response, request, NETRS_SM); // node and retaining value
        netrs_set_magic(response, NETRS_F(netrs_magic(request)));
        netrs_set_word(response, NETRS_SSL, NETRS_STATUS_BYTES);
        netrs_set_word(response, NETRS_RESPONSE_BYTES, (uint16_t)queue);
        netrs_set_word(response, NETRS_RESPONSE_BYTES + 2, (uint16_t)(service_us >> 16));
        netrs_set_word(response, NETRS_RESPONSE_BYTES + 4, (uint16_t)service_us);
        memcpy(response + told, request + NETRS_REQUEST_BYTES, asked);
        sendto(fd, response, told + asked, 0, (struct sockaddr *)&client, length);
    }
}
