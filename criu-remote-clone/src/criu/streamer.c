// SPDX-License-Identifier: Apache-2.0
// The protocol of CRIU's image streamer: a request and a pipe for each image, over a unix socket.
#include "streamer.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "criu_stream.pb-c.h"
#include "descriptors.h"

#define MESSAGE_MAX 1024

int streamer_listen(const char *directory, const char *name, struct failure *failure) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", directory, name);
    if (length < 0 || (size_t)length >= sizeof address.sun_path)
        return fail(failure, EXIT_INTERNAL, "the streamer socket's path is too long: %s/%s",
                    directory, name);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0)
        return fail_errno(failure, EXIT_INTERNAL, "no unix socket for CRIU");
    // CRIU may be another user than we are; others are kept out by the directory.
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 ||
        chmod(address.sun_path, 0777) < 0 || listen(listener, 4) < 0) {
        fail_errno(failure, EXIT_INTERNAL, "can't listen for CRIU on %s", address.sun_path);
        close(listener);
        return -1;
    }
    return listener;
}

// Reads exactly `length` bytes: 1, 0 at the end before the first byte, -1.
static int receive_all(int connection, void *bytes, size_t length) {
    size_t done = 0;
    while (done < length) {
        ssize_t got = recv(connection, (char *)bytes + done, length - done, MSG_WAITALL);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == ECONNRESET && done == 0)
            return 0;
        if (got < 0)
            return -1;
        if (got == 0)
            return done == 0 ? 0 : -1;
        done += (size_t)got;
    }
    return 1;
}

int streamer_request(int connection, char name[STREAMER_NAME_MAX + 1], struct failure *failure) {
    uint32_t length;
    uint8_t body[MESSAGE_MAX];
    int got = receive_all(connection, &length, sizeof length);
    if (got == 0)
        return 0;
    if (got < 0 || length > sizeof body || receive_all(connection, body, length) != 1)
        return fail(failure, EXIT_INTERNAL, "CRIU's request to the image streamer is cut short");
    CriuStream__Request *request = criu_stream__request__unpack(NULL, length, body);
    if (request == NULL || strlen(request->filename) > STREAMER_NAME_MAX) {
        criu_stream__request__free_unpacked(request, NULL);
        return fail(failure, EXIT_INTERNAL, "CRIU's request to the image streamer makes no sense");
    }
    strcpy(name, request->filename);
    criu_stream__request__free_unpacked(request, NULL);
    return 1;
}

int streamer_reply(int connection, bool exists, struct failure *failure) {
    CriuStream__Reply reply = CRIU_STREAM__REPLY__INIT;
    reply.exists = exists;
    uint8_t message[sizeof(uint32_t) + 16];
    uint32_t length = (uint32_t)criu_stream__reply__pack(&reply, message + sizeof length);
    memcpy(message, &length, sizeof length);
    size_t total = sizeof length + length;
    if (send(connection, message, total, MSG_NOSIGNAL) != (ssize_t)total)
        return fail_errno(failure, EXIT_RESTORE, "CRIU went away while it was asking for images");
    return 0;
}

int streamer_receive_pipe(int connection, struct failure *failure) {
    char byte;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    int pipe;
    if (receive_with_fd(connection, (struct msghdr){.msg_iov = &part, .msg_iovlen = 1}, &pipe) !=
            1 ||
        pipe < 0) {
        close_fd(pipe);
        return fail(failure, EXIT_INTERNAL, "CRIU sent no pipe for an image");
    }
    // Fewer, larger pieces. The larger size is root's (fs.pipe-max-size); 64 KiB work as well.
    if (fcntl(pipe, F_SETPIPE_SZ, STREAMER_ROOT_PIPE_BYTES) < 0)
        (void)fcntl(pipe, F_SETPIPE_SZ, STREAMER_PIPE_BYTES);
    return pipe;
}

bool streamer_is_memory(const char *name) {
    return strncmp(name, "pages-", 6) == 0;
}
