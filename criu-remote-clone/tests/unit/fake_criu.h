// SPDX-License-Identifier: Apache-2.0
// CRIU's side of its image-streamer protocol, for tests without CRIU: names an image on the socket
// and passes a pipe's end after it.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "criu_stream.pb-c.h"

static inline int fake_connect(const char *directory, const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", directory, name);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) == 0)
        return connection;
    close(connection);
    return -1;
}

static inline bool fake_request(int connection, const char *name) {
    CriuStream__Request request = CRIU_STREAM__REQUEST__INIT;
    request.filename = (char *)(uintptr_t)name;
    uint8_t message[512];
    uint32_t length = (uint32_t)criu_stream__request__pack(&request, message + 4);
    memcpy(message, &length, 4);
    return send(connection, message, 4 + length, MSG_NOSIGNAL) == (ssize_t)(4 + length);
}

// The streamer's answer when restoring.
static inline bool fake_reply_exists(int connection) {
    uint32_t length = 0;
    uint8_t message[64];
    if (recv(connection, &length, 4, MSG_WAITALL) != 4 || length > sizeof message ||
        recv(connection, message, length, MSG_WAITALL) != (ssize_t)length)
        return false;
    CriuStream__Reply *reply = criu_stream__reply__unpack(NULL, length, message);
    bool exists = reply != NULL && reply->exists;
    criu_stream__reply__free_unpacked(reply, NULL);
    return exists;
}

// Makes a pipe, passes one end (0 read, 1 write) and returns the other.
static inline int fake_pass_pipe(int connection, int end) {
    int ends[2];
    if (pipe(ends) < 0)
        return -1;
    char byte = 0;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &ends[end], sizeof(int));
    bool sent = sendmsg(connection, &message, MSG_NOSIGNAL) == 1;
    close(ends[end]);
    if (sent)
        return ends[1 - end];
    close(ends[1 - end]);
    return -1;
}
