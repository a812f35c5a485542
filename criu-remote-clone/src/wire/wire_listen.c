// SPDX-License-Identifier: Apache-2.0
// Waiting for the peer that has the key. Several may be in their handshake at a time, so that one
// who dawdles, or a port scanner, doesn't hold up the one who was meant. See wire.h.
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "deadline.h"
#include "descriptors.h"
#include "wire_socket.h"
#include "wire_start.h"

#define BACKLOG 16
#define CANDIDATES 16
#define DAWDLE_MS 3000

// --- The listening socket ---

// Returns the socket, or -1 with errno.
static int listen_at(const struct addrinfo *address) {
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    int on = 1;
    int off = 0;
    // A port of a connection that ended a moment ago is as good as any.
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    close_fd(fd);
    return -1;
}

// *in_use: the port is taken, another may do.
static int listen_at_port(const char *bind_address, uint16_t port, bool *in_use,
                          struct failure *failure) {
    const char *name = bind_address ? bind_address : "*";
    char service[8];
    snprintf(service, sizeof service, "%u", port);
    // All addresses: an IPv6 socket takes IPv4 as well; a host without IPv6 gets an IPv4 one.
    int families[] = {bind_address ? AF_UNSPEC : AF_INET6, AF_INET};
    *in_use = false;
    for (size_t i = 0; i < 2 && !*in_use; i++) {
        struct addrinfo hints = {.ai_family = families[i],
                                 .ai_socktype = SOCK_STREAM,
                                 .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
        struct addrinfo *addresses = NULL;
        int error = getaddrinfo(bind_address, service, &hints, &addresses);
        if (error != 0)
            return fail(failure, EXIT_USAGE, "can't listen on '%s': %s", name, gai_strerror(error));
        int fd = listen_at(addresses);
        *in_use = fd < 0 && errno == EADDRINUSE;
        if (fd < 0)
            fail_errno(failure, EXIT_UNABLE, "can't listen on %s port %u", name, port);
        freeaddrinfo(addresses);
        if (fd >= 0 || bind_address)
            return fd;
    }
    return -1;
}

static uint16_t port_of(int fd) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) < 0)
        return 0;
    if (address.ss_family == AF_INET6)
        return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    return ntohs(((struct sockaddr_in *)&address)->sin_port);
}

int wire_listen(const char *bind_address, uint16_t first_port, uint16_t last_port, uint16_t *port,
                struct failure *failure) {
    if (first_port > last_port)
        return fail(failure, EXIT_USAGE, "the port range %u-%u is empty", first_port, last_port);
    for (unsigned at = first_port; at <= last_port; at++) {
        bool in_use = false;
        int fd = listen_at_port(bind_address, (uint16_t)at, &in_use, failure);
        if (fd >= 0)
            *port = port_of(fd);
        if (!in_use)
            return fd;
    }
    return fail(failure, EXIT_UNABLE, "all ports from %u to %u are in use: give another range",
                first_port, last_port);
}

// --- Candidates: connections that haven't proved anything yet ---

struct candidate {
    int fd; // -1: free
    int64_t deadline_ns;
    struct wire_handshake handshake;
    bool greeted; // its hello is here, its proof is awaited
    size_t have;
    uint8_t bytes[WIRE_PROOF];
};

struct waiting {
    int listen_fd;
    int cancel_fd;
    const uint8_t *key;
    const struct wire_options *options;
    struct candidate candidates[CANDIDATES];
    unsigned rejected;
    struct failure last_rejection;
};

static void release(struct candidate *candidate) {
    wire_handshake_wipe(&candidate->handshake);
    candidate->fd = -1;
}

static void reject(struct waiting *waiting, struct candidate *candidate) {
    close(candidate->fd);
    release(candidate);
    waiting->rejected++;
}

static struct candidate *free_candidate(struct waiting *waiting) {
    for (size_t i = 0; i < CANDIDATES; i++)
        if (waiting->candidates[i].fd < 0)
            return &waiting->candidates[i];
    return NULL;
}

static int admit(struct waiting *waiting, struct failure *failure) {
    struct candidate *candidate = free_candidate(waiting);
    int fd = accept4(waiting->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM))
        return fail_errno(failure, EXIT_UNABLE, "can't accept a connection");
    if (fd < 0)
        return 0; // it has gone again
    *candidate = (struct candidate){.fd = fd, .deadline_ns = deadline_in_ms(DAWDLE_MS)};
    if (wire_handshake_begin(&candidate->handshake, WIRE_SERVE, waiting->key, failure) < 0)
        return -1;
    if (wire_socket_write_little(fd, candidate->handshake.hello, WIRE_HELLO) < 0) {
        fail(&waiting->last_rejection, EXIT_PEER, "it closed the connection");
        reject(waiting, candidate);
    }
    return 0;
}

// Reads what has come. Returns 1 when the peer has proved that it has the key, 0 if there is more
// to wait for, -1 with the reason when it is no peer of ours.
static int listen_to(struct candidate *candidate, struct failure *failure) {
    struct wire_handshake *handshake = &candidate->handshake;
    size_t wanted = candidate->greeted ? WIRE_PROOF : WIRE_HELLO;
    ssize_t got = wire_socket_read_some(candidate->fd, candidate->bytes + candidate->have,
                                        wanted - candidate->have);
    if (got < 0)
        return fail(failure, EXIT_PEER, "it closed the connection");
    candidate->have += (size_t)got;
    if (candidate->have < wanted)
        return 0;
    candidate->have = 0;
    if (!candidate->greeted) {
        candidate->greeted = true;
        return wire_handshake_hello(handshake, candidate->bytes, failure);
    }
    if (wire_handshake_prove(handshake, candidate->bytes, failure) < 0)
        return -1;
    if (wire_socket_write_little(candidate->fd, handshake->proof, WIRE_PROOF) < 0)
        return fail(failure, EXIT_PEER, "it closed the connection");
    return 1;
}

static struct candidate *listen_to_all(struct waiting *waiting, const struct pollfd *polls) {
    for (size_t i = 0; i < CANDIDATES; i++) {
        struct candidate *candidate = &waiting->candidates[i];
        if (candidate->fd < 0 || candidate->fd != polls[i].fd)
            continue;
        int status = polls[i].revents ? listen_to(candidate, &waiting->last_rejection) : 0;
        if (status > 0)
            return candidate;
        if (status == 0 && now_ns() >= candidate->deadline_ns)
            status = fail(&waiting->last_rejection, EXIT_PEER, "it took too long");
        if (status < 0)
            reject(waiting, candidate);
    }
    return NULL;
}

static int64_t next_deadline(const struct waiting *waiting, int64_t deadline_ns) {
    for (size_t i = 0; i < CANDIDATES; i++) {
        const struct candidate *candidate = &waiting->candidates[i];
        if (candidate->fd >= 0)
            deadline_ns = sooner(candidate->deadline_ns, deadline_ns);
    }
    return deadline_ns;
}

static int out_of_time(const struct waiting *waiting, struct failure *failure) {
    if (waiting->rejected == 0)
        return fail(failure, EXIT_DEADLINE, "no peer came within the time limit");
    return fail(failure, EXIT_DEADLINE,
                "no peer with the right key came within the time limit; %u others were turned "
                "away, the last because: %.800s",
                waiting->rejected, waiting->last_rejection.text);
}

// One round of waiting. Returns -1 with a failure, else 0; *proven is set when there is a peer.
static int wait_round(struct waiting *waiting, int64_t deadline_ns, struct candidate **proven,
                      struct failure *failure) {
    struct pollfd polls[CANDIDATES + 2];
    for (size_t i = 0; i < CANDIDATES; i++)
        polls[i] = (struct pollfd){.fd = waiting->candidates[i].fd, .events = POLLIN};
    struct pollfd *cancel = &polls[CANDIDATES];
    struct pollfd *door = &polls[CANDIDATES + 1];
    *cancel = (struct pollfd){.fd = waiting->cancel_fd, .events = POLLIN};
    bool full = free_candidate(waiting) == NULL;
    *door = (struct pollfd){.fd = full ? -1 : waiting->listen_fd, .events = POLLIN};
    int ready = poll(polls, CANDIDATES + 2, deadline_poll_ms(next_deadline(waiting, deadline_ns)));
    if (ready < 0)
        return errno == EINTR ? 0
                              : fail_errno(failure, EXIT_INTERNAL, "can't wait for a connection");
    if (cancel->revents)
        return fail(failure, EXIT_INTERRUPTED, "interrupted while waiting for the peer");
    *proven = listen_to_all(waiting, polls);
    if (*proven)
        return 0;
    if (now_ns() >= deadline_ns)
        return out_of_time(waiting, failure);
    return door->revents ? admit(waiting, failure) : 0;
}

struct wire *wire_accept(int listen_fd, const uint8_t key[WIRE_KEY_BYTES],
                         const struct wire_options *options, int cancel_fd, int64_t deadline_ns,
                         unsigned *rejected, struct failure *failure) {
    struct waiting waiting = {
        .listen_fd = listen_fd, .cancel_fd = cancel_fd, .key = key, .options = options};
    for (size_t i = 0; i < CANDIDATES; i++)
        waiting.candidates[i].fd = -1;
    struct candidate *proven = NULL;
    int status = wire_check_options(options, failure);
    while (status == 0 && !proven)
        status = wait_round(&waiting, deadline_ns, &proven, failure);
    struct wire *wire = NULL;
    if (proven) {
        wire = wire_start(proven->fd, &proven->handshake.session, options, &wire_default_timing,
                          failure);
        release(proven);
    }
    for (size_t i = 0; i < CANDIDATES; i++) {
        if (waiting.candidates[i].fd < 0)
            continue;
        close(waiting.candidates[i].fd);
        release(&waiting.candidates[i]);
    }
    if (rejected)
        *rejected = waiting.rejected;
    return wire;
}
