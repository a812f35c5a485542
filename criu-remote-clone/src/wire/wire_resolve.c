// SPDX-License-Identifier: Apache-2.0
// A thread asks; when it takes too long it is left to itself, with what it works on.
#include "wire_resolve.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>

#include "descriptors.h"
#include "memory.h"
#include "wire_socket.h"

struct lookup {
    char *host, service[8];
    int error; // of getaddrinfo(3)
    struct addrinfo *addresses;
    int done_fd;
    pthread_t thread;
    atomic_int users; // we and the thread: the last one frees it
};

static void leave(struct lookup *lookup) {
    if (atomic_fetch_sub(&lookup->users, 1) > 1)
        return;
    if (lookup->addresses != NULL)
        freeaddrinfo(lookup->addresses);
    close_fd(lookup->done_fd);
    free(lookup->host);
    free(lookup);
}

static void *look_up(void *context) {
    struct lookup *lookup = context;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    lookup->error = getaddrinfo(lookup->host, lookup->service, &hints, &lookup->addresses);
    eventfd_write(lookup->done_fd, 1);
    leave(lookup);
    return NULL;
}

static struct lookup *start(const char *host, uint16_t port, struct failure *failure) {
    struct lookup *lookup = allocate(sizeof *lookup, failure);
    if (lookup == NULL)
        return NULL;
    *lookup = (struct lookup){.host = strdup(host), .done_fd = eventfd(0, EFD_CLOEXEC), .users = 1};
    snprintf(lookup->service, sizeof lookup->service, "%u", port);
    if (lookup->host != NULL && lookup->done_fd >= 0) {
        lookup->users = 2;
        if (pthread_create(&lookup->thread, NULL, look_up, lookup) == 0)
            return lookup;
        lookup->users = 1;
    }
    fail(failure, EXIT_INTERNAL, "no thread to find host '%s'", host);
    leave(lookup);
    return NULL;
}

struct addrinfo *wire_resolve(const char *host, uint16_t port, int cancel_fd, int64_t deadline_ns,
                              struct failure *failure) {
    struct lookup *lookup = start(host, port, failure);
    if (lookup == NULL)
        return NULL;
    struct addrinfo *addresses = NULL;
    int ready = wire_socket_wait(lookup->done_fd, POLLIN, cancel_fd, deadline_ns, failure);
    if (ready > 0)
        pthread_join(lookup->thread, NULL);
    else
        pthread_detach(lookup->thread);
    if (ready == 0)
        fail(failure, EXIT_PEER, "can't find host '%s': no answer in time", host);
    else if (ready > 0 && lookup->error != 0)
        fail(failure, EXIT_PEER, "can't find host '%s': %s", host, gai_strerror(lookup->error));
    else if (ready > 0) {
        addresses = lookup->addresses;
        lookup->addresses = NULL;
    }
    leave(lookup);
    return addresses;
}
