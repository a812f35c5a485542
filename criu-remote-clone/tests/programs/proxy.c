// SPDX-License-Identifier: Apache-2.0
// proxy PORT_FILE ADDRESS PORT COUNTS ACTION DIRECTION OFFSET: stands between pull, which connects
// to the port that PORT_FILE then names, and a serve at ADDRESS:PORT, for one connection. At byte
// OFFSET of the DIRECTION ("down": from serve, "up": to it) the ACTION happens:
//
//   pass    nothing
//   flip    one bit of that byte is another
//   cut     both connections end before it
//   stall   nothing is passed on any more, in either direction, until both ends have gone
//
// COUNTS then holds how many bytes came, and if it did: "DOWN UP happened" or "DOWN UP". What was
// passed on is kept: COUNTS.down, COUNTS.up.
//
// proxy replay FILE ADDRESS PORT: connects and sends what the file holds, and waits for the end.
// proxy play PORT_FILE FILE: sends it to whoever connects, and waits for the end.
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct direction {
    int from, to, copy;
    long count;
    long at; // where it happens; -1: not in this direction
    int happened;
};

static void end(const char *why) {
    perror(why);
    exit(2);
}

static int listen_at(const char *port_file) {
    struct sockaddr_in name = {.sin_family = AF_INET};
    socklen_t length = sizeof name;
    char temporary[4200];
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(fd, (struct sockaddr *)&name, sizeof name) < 0 || listen(fd, 4) < 0 ||
        getsockname(fd, (struct sockaddr *)&name, &length) < 0)
        end("listen");
    snprintf(temporary, sizeof temporary, "%s.tmp", port_file);
    FILE *file = fopen(temporary, "we");
    if (file == NULL || fprintf(file, "%d\n", ntohs(name.sin_port)) < 0 || fclose(file) != 0 ||
        rename(temporary, port_file) < 0)
        end(port_file);
    return fd;
}

static int connect_to(const char *address, const char *port) {
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (inet_pton(AF_INET, address, &name.sin_addr) != 1 ||
        connect(fd, (struct sockaddr *)&name, sizeof name) < 0)
        end(address);
    return fd;
}

static int put(int fd, const char *bytes, size_t length) {
    for (size_t done = 0; done < length;) {
        ssize_t sent = write(fd, bytes + done, length - done);
        if (sent <= 0)
            return 0;
        done += (size_t)sent;
    }
    return 1;
}

static void wait_for_end(int fd) {
    char bytes[65536];
    while (read(fd, bytes, sizeof bytes) > 0)
        continue;
}

static void send_file(int fd, const char *path) {
    char bytes[65536];
    ssize_t got;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        end(path);
    while ((got = read(file, bytes, sizeof bytes)) > 0 && put(fd, bytes, (size_t)got))
        continue;
    wait_for_end(fd);
}

// Passes some bytes on. False when the connections are to end.
static int pass(struct direction *direction, const char *action, int *stalled) {
    char bytes[16384];
    ssize_t got = read(direction->from, bytes, sizeof bytes);
    if (got < 0)
        return 0;
    if (got == 0) {
        shutdown(direction->to, SHUT_WR);
        direction->from = -1;
        return 1;
    }
    size_t length = (size_t)got;
    long at = direction->at - direction->count;
    int here = direction->at >= direction->count && at < got;
    if (here && strcmp(action, "flip") == 0)
        bytes[at] ^= 1 << at % 8;
    else if (here && strcmp(action, "pass") != 0)
        length = (size_t)at;
    direction->happened |= here;
    direction->count += got;
    if (!put(direction->copy, bytes, length) || !put(direction->to, bytes, length))
        return 0;
    *stalled = here && strcmp(action, "stall") == 0;
    return !here || strcmp(action, "cut") != 0;
}

static int open_copy(const char *counts, const char *which) {
    char path[4200];
    snprintf(path, sizeof path, "%s.%s", counts, which);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        end(path);
    return fd;
}

static void write_counts(const char *path, const struct direction *down,
                         const struct direction *up) {
    FILE *file = fopen(path, "we");
    const char *happened = down->happened || up->happened ? " happened" : "";
    if (file == NULL || fprintf(file, "%ld %ld%s\n", down->count, up->count, happened) < 0 ||
        fclose(file) != 0)
        end(path);
}

static void between(int pull, int serve, char **argv) {
    const char *counts = argv[4], *action = argv[5];
    int is_down = strcmp(argv[6], "down") == 0, stalled = 0;
    long offset = atol(argv[7]);
    struct direction down = {serve, pull, open_copy(counts, "down"), 0, is_down ? offset : -1, 0};
    struct direction up = {pull, serve, open_copy(counts, "up"), 0, is_down ? -1 : offset, 0};
    while (!stalled && (down.from >= 0 || up.from >= 0)) {
        struct pollfd fds[2] = {{.fd = down.from, .events = POLLIN},
                                {.fd = up.from, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0)
            end("poll");
        if ((fds[0].revents != 0 && !pass(&down, action, &stalled)) ||
            (!stalled && fds[1].revents != 0 && !pass(&up, action, &stalled)))
            break;
    }
    write_counts(counts, &down, &up);
    if (stalled) {
        wait_for_end(pull);
        wait_for_end(serve);
    }
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN);
    if (argc == 5 && strcmp(argv[1], "replay") == 0)
        send_file(connect_to(argv[3], argv[4]), argv[2]);
    else if (argc == 4 && strcmp(argv[1], "play") == 0)
        send_file(accept4(listen_at(argv[2]), NULL, NULL, SOCK_CLOEXEC), argv[3]);
    else if (argc == 8) {
        int listener = listen_at(argv[1]);
        between(accept4(listener, NULL, NULL, SOCK_CLOEXEC), connect_to(argv[2], argv[3]), argv);
    } else
        return 2;
    return 0;
}
