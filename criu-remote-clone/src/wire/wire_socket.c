// SPDX-License-Identifier: Apache-2.0
// The socket below the wire: see wire_socket.h.
#include "wire_socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "deadline.h"

// What the kernel may hold that isn't sent yet (TCP_NOTSENT_LOWAT, tcp(7)): the rest waits with us,
// where the decision to compress can see it, and a write takes as long as the link does.
#define UNSENT_BYTES (256 << 10)

void wire_socket_peer(int fd, char name[64]) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    char host[INET6_ADDRSTRLEN];
    char port[8];
    if (getpeername(fd, (struct sockaddr *)&address, &length) < 0 ||
        getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        snprintf(name, 64, "unknown");
        return;
    }
    bool colons = strchr(host, ':') != NULL;
    snprintf(name, 64, "%s%s%s:%s", colons ? "[" : "", host, colons ? "]" : "", port);
}

int wire_socket_wait(int fd, short events, int cancel_fd, int64_t deadline_ns,
                     struct failure *failure) {
    struct pollfd wait[2] = {{.fd = cancel_fd, .events = POLLIN},
                             {.fd = events ? fd : -1, .events = events}};
    for (;;) {
        int ready = poll(wait, 2, deadline_poll_ms(deadline_ns));
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready < 0)
            return fail_errno(failure, EXIT_INTERNAL, "can't wait for the connection");
        if (wait[0].revents)
            return fail(failure, EXIT_INTERRUPTED, "interrupted while waiting for the peer");
        if (wait[1].revents)
            return 1;
        if (now_ns() >= deadline_ns)
            return 0;
    }
}

static bool would_block(void) {
    return errno == EAGAIN || errno == EWOULDBLOCK;
}

ssize_t wire_socket_read_some(int fd, void *bytes, size_t size) {
    ssize_t got = TEMP_FAILURE_RETRY(recv(fd, bytes, size, MSG_DONTWAIT));
    if (got > 0)
        return got;
    return got < 0 && would_block() ? 0 : -1;
}

int wire_socket_write_little(int fd, const void *bytes, size_t size) {
    ssize_t sent = TEMP_FAILURE_RETRY(send(fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL));
    return sent == (ssize_t)size ? 0 : -1;
}

static int set_timeout(int fd, int option, int milliseconds) {
    struct timeval time = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    return setsockopt(fd, SOL_SOCKET, option, &time, sizeof time);
}

// The buffers' sizes are left to the kernel: a fixed size turns off its own tuning, and is cut to
// net.core.wmem_max, which is far below what the tuning reaches (tcp(7)).
int wire_socket_prepare(int fd, int silence_ms, int stall_ms, struct failure *failure) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0 ||
        set_timeout(fd, SO_RCVTIMEO, silence_ms) < 0 || set_timeout(fd, SO_SNDTIMEO, stall_ms) < 0)
        return fail_errno(failure, EXIT_INTERNAL, "can't set the connection's options");
    int on = 1;
    int unsent = UNSENT_BYTES;
    if ((setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0 ||
         setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent) < 0) &&
        errno != EOPNOTSUPP)
        return fail_errno(failure, EXIT_INTERNAL, "can't set the connection's options");
    return 0;
}

int wire_socket_read(int fd, void *bytes, size_t size, struct failure *failure) {
    size_t have = 0;
    while (have < size) {
        ssize_t got = recv(fd, (char *)bytes + have, size - have, MSG_WAITALL);
        if (got > 0)
            have += (size_t)got;
        else if (got == 0)
            return fail(failure, EXIT_PEER,
                        "the peer closed the connection before the end of its stream");
        else if (would_block())
            return fail(failure, EXIT_PEER,
                        "nothing was heard from the peer for too long: its host is down, cut off, "
                        "or the process is stopped");
        else if (errno != EINTR)
            return fail_errno(failure, EXIT_PEER, "the connection to the peer is lost");
    }
    return 0;
}

ssize_t wire_socket_write(int fd, const struct iovec *parts, size_t count,
                          struct failure *failure) {
    struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = count};
    ssize_t sent = TEMP_FAILURE_RETRY(sendmsg(fd, &message, MSG_NOSIGNAL));
    if (sent >= 0)
        return sent;
    return would_block()
               ? fail(failure, EXIT_PEER, "the peer takes no data: it is stuck or stopped")
               : fail_errno(failure, EXIT_PEER, "the connection to the peer is lost");
}

static bool is_closed(int fd) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 &&
           info.tcpi_state == TCP_CLOSE;
}

int wire_socket_acknowledged(int fd, struct failure *failure) {
    int waiting = 0;
    bool closed = is_closed(fd);
    if (ioctl(fd, SIOCOUTQ, &waiting) < 0)
        return fail_errno(failure, EXIT_INTERNAL, "can't look at the connection");
    if (waiting == 0)
        return 1;
    if (closed)
        return fail(failure, EXIT_PEER,
                    "the peer closed the connection before it had taken everything");
    return 0;
}
