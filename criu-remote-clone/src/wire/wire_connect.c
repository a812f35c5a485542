// SPDX-License-Identifier: Apache-2.0
// Connecting to the peer that waits. See wire.h.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "deadline.h"
#include "wire_resolve.h"
#include "wire_socket.h"
#include "wire_start.h"

#define RETRY_MS 100
// An address that doesn't answer at all must not keep us from trying the next.
#define ATTEMPT_MS 3000

struct target {
    const char *host;
    uint16_t port;
    const uint8_t *key;
    const struct wire_options *options;
    int cancel_fd;
    int64_t deadline_ns;
};

enum attempt { ATTEMPT_DONE, ATTEMPT_AGAIN, ATTEMPT_FAILED };

// --- The handshake ---

static enum attempt closed_at_once(const struct target *target, struct failure *failure) {
    fail(failure, EXIT_PEER, "%s:%u closed the connection at once", target->host, target->port);
    return ATTEMPT_AGAIN;
}

// Reads exactly `size` bytes. ATTEMPT_AGAIN: the peer has closed the connection.
static enum attempt read_exactly(const struct target *target, int fd, uint8_t *bytes, size_t size,
                                 struct failure *failure) {
    for (size_t have = 0; have < size;) {
        int ready = wire_socket_wait(fd, POLLIN, target->cancel_fd, target->deadline_ns, failure);
        if (ready < 0)
            return ATTEMPT_FAILED;
        if (ready == 0) {
            fail(failure, EXIT_DEADLINE,
                 "%s:%u accepted the connection but didn't answer within the time limit",
                 target->host, target->port);
            return ATTEMPT_FAILED;
        }
        ssize_t got = wire_socket_read_some(fd, bytes + have, size - have);
        if (got < 0)
            return closed_at_once(target, failure);
        have += (size_t)got;
    }
    return ATTEMPT_DONE;
}

// A peer that goes away before its hello may not be there yet, behind something that is. One that
// goes away after it doesn't like our proof.
static enum attempt shake_hands(const struct target *target, int fd,
                                struct wire_handshake *handshake, struct failure *failure) {
    uint8_t bytes[WIRE_PROOF];
    if (wire_handshake_begin(handshake, WIRE_PULL, target->key, failure) < 0)
        return ATTEMPT_FAILED;
    if (wire_socket_write_little(fd, handshake->hello, WIRE_HELLO) < 0)
        return closed_at_once(target, failure);
    enum attempt attempt = read_exactly(target, fd, bytes, WIRE_HELLO, failure);
    if (attempt != ATTEMPT_DONE)
        return attempt;
    if (wire_handshake_hello(handshake, bytes, failure) < 0)
        return ATTEMPT_FAILED;
    if (wire_socket_write_little(fd, handshake->proof, WIRE_PROOF) < 0)
        attempt = ATTEMPT_AGAIN;
    else
        attempt = read_exactly(target, fd, bytes, WIRE_PROOF, failure);
    if (attempt == ATTEMPT_AGAIN)
        fail(failure, EXIT_PEER,
             "%s:%u turned us away: it doesn't have our session key, or it is busy with another "
             "peer; give both ends the same key",
             target->host, target->port);
    if (attempt != ATTEMPT_DONE)
        return ATTEMPT_FAILED;
    return wire_handshake_prove(handshake, bytes, failure) < 0 ? ATTEMPT_FAILED : ATTEMPT_DONE;
}

// --- The connection ---

static enum attempt unreachable(const struct target *target, struct failure *failure) {
    fail_errno(failure, EXIT_PEER,
               "can't reach %s:%u: check that `serve` runs there and that no firewall closes the "
               "port",
               target->host, target->port);
    return ATTEMPT_AGAIN;
}

static enum attempt await_connection(const struct target *target, int fd, struct failure *failure) {
    int64_t until = sooner(deadline_in_ms(ATTEMPT_MS), target->deadline_ns);
    int ready = wire_socket_wait(fd, POLLOUT, target->cancel_fd, until, failure);
    if (ready < 0)
        return ATTEMPT_FAILED;
    int error = ETIMEDOUT;
    socklen_t length = sizeof error;
    if (ready > 0)
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error == 0)
        return ATTEMPT_DONE;
    errno = error;
    return unreachable(target, failure);
}

// Tries one address; *fd is the connected socket on success.
static enum attempt try_address(const struct target *target, const struct addrinfo *address,
                                int *fd, struct failure *failure) {
    *fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0)
        return unreachable(target, failure);
    enum attempt attempt = ATTEMPT_DONE;
    if (connect(*fd, address->ai_addr, address->ai_addrlen) < 0)
        attempt = errno == EINPROGRESS ? await_connection(target, *fd, failure)
                                       : unreachable(target, failure);
    if (attempt != ATTEMPT_DONE)
        close(*fd);
    return attempt;
}

static enum attempt try_addresses(const struct target *target, const struct addrinfo *addresses,
                                  struct wire **wire, struct failure *failure) {
    enum attempt attempt = ATTEMPT_AGAIN;
    for (; addresses && attempt == ATTEMPT_AGAIN; addresses = addresses->ai_next) {
        int fd = -1;
        attempt = try_address(target, addresses, &fd, failure);
        if (attempt != ATTEMPT_DONE)
            continue;
        struct wire_handshake handshake;
        attempt = shake_hands(target, fd, &handshake, failure);
        if (attempt == ATTEMPT_DONE)
            *wire =
                wire_start(fd, &handshake.session, target->options, &wire_default_timing, failure);
        else
            close(fd);
        wire_handshake_wipe(&handshake);
    }
    return attempt;
}

static struct wire *keep_trying(const struct target *target, const struct addrinfo *addresses,
                                struct failure *failure) {
    for (;;) {
        struct wire *wire = NULL;
        if (try_addresses(target, addresses, &wire, failure) != ATTEMPT_AGAIN)
            return wire;
        if (now_ns() >= target->deadline_ns)
            return NULL;
        int64_t until = sooner(deadline_in_ms(RETRY_MS), target->deadline_ns);
        if (wire_socket_wait(-1, 0, target->cancel_fd, until, failure) < 0)
            return NULL;
    }
}

struct wire *wire_connect(const char *host, uint16_t port, const uint8_t key[WIRE_KEY_BYTES],
                          const struct wire_options *options, int cancel_fd, int64_t deadline_ns,
                          struct failure *failure) {
    struct target target = {.host = host,
                            .port = port,
                            .key = key,
                            .options = options,
                            .cancel_fd = cancel_fd,
                            .deadline_ns = deadline_ns};
    if (wire_check_options(options, failure) < 0)
        return NULL;
    struct addrinfo *addresses = wire_resolve(host, port, cancel_fd, deadline_ns, failure);
    if (addresses == NULL)
        return NULL;
    struct wire *wire = keep_trying(&target, addresses, failure);
    freeaddrinfo(addresses);
    return wire;
}
