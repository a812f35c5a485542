// SPDX-License-Identifier: Apache-2.0
// echo_server ADDRESS PORT: sends back what it gets, on any number of connections, until SIGTERM.
// Writes "listening" to standard output when it is, and "open N" whenever the number of open
// connections changes.
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS 64

static int listen_on(const char *address, const char *port) {
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (inet_pton(AF_INET, address, &name.sin_addr) != 1 ||
        bind(fd, (struct sockaddr *)&name, sizeof name) < 0 || listen(fd, 8) < 0) {
        perror(address);
        exit(2);
    }
    return fd;
}

// False when the connection is over.
static int echo(int fd) {
    char bytes[4096];
    ssize_t got = read(fd, bytes, sizeof bytes);
    return got > 0 && write(fd, bytes, (size_t)got) == got;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: echo_server ADDRESS PORT\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct pollfd fds[CONNECTIONS + 1] = {{.fd = listen_on(argv[1], argv[2]), .events = POLLIN}};
    nfds_t count = 1;
    puts("listening");
    while (poll(fds, count, -1) > 0) {
        for (nfds_t i = count - 1; i > 0; i--) {
            if (fds[i].revents == 0 || echo(fds[i].fd))
                continue;
            close(fds[i].fd);
            fds[i] = fds[--count];
            printf("open %d\n", (int)count - 1);
        }
        if (fds[0].revents != 0 && count <= CONNECTIONS) {
            int fd = accept4(fds[0].fd, NULL, NULL, SOCK_CLOEXEC);
            if (fd < 0)
                continue;
            fds[count++] = (struct pollfd){.fd = fd, .events = POLLIN};
            printf("open %d\n", (int)count - 1);
        }
    }
    return 2;
}
