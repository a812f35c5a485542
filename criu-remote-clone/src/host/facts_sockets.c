// SPDX-License-Identifier: Apache-2.0
// The sockets of a process. All by what anybody may read of his
// own processes: the socket's protocol is an extended attribute of its inode (net/socket.c), TCP
// and UDP addresses stand in /proc/PID/net, and the other end of a unix socket is what sock_diag(7)
// tells.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "facts_internal.h"
#include "image_fields.h"
#include "memory.h"
#include "procfs.h"
#include "scope.h"

static int compare_sockets(const void *left, const void *right) {
    ino_t first = ((const struct socket_facts *)left)->inode;
    ino_t second = ((const struct socket_facts *)right)->inode;
    return (first > second) - (first < second);
}

static struct socket_facts *socket_of_inode(const struct process_facts *facts, ino_t inode) {
    struct socket_facts wanted = {.inode = inode};
    return facts->socket_count == 0 ? NULL
                                    : bsearch(&wanted, facts->sockets, facts->socket_count,
                                              sizeof wanted, compare_sockets);
}

static void collect(struct process_facts *facts) {
    for (size_t i = 0; i < facts->fd_count; i++) {
        const struct fd_facts *fd = &facts->fds[i];
        if (fd->kind != FD_SOCKET)
            continue;
        must_grow(&facts->sockets, facts->socket_count, sizeof *facts->sockets);
        struct socket_facts *socket = &facts->sockets[facts->socket_count++];
        *socket = (struct socket_facts){.inode = fd->inode, .fd = i};
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)fd->pid, fd->fd);
        if (getxattr(path, "system.sockprotoname", socket->protocol, sizeof socket->protocol - 1) <
            0)
            socket->protocol[0] = 0; // closed meanwhile
    }
    facts->socket_count = sort_and_unite(facts->sockets, facts->socket_count,
                                         sizeof *facts->sockets, compare_sockets, NULL);
}

static bool has_protocol(const struct process_facts *facts, const char *protocol) {
    for (size_t i = 0; i < facts->socket_count; i++)
        if (strcmp(facts->sockets[i].protocol, protocol) == 0)
            return true;
    return false;
}

// --- kinds of sockets ---

// What CRIU would carry over, and the target may not take.
static void claims_of_protocols(struct process_facts *facts) {
    static const struct {
        const char *protocol;
        struct claim claim;
    } kinds[] = {
        {"RAW", {CLAIM_INET_SOCKET, {AF_INET, SOCK_RAW}, NULL}},
        {"RAWv6", {CLAIM_INET_SOCKET, {AF_INET6, SOCK_RAW}, NULL}},
        {"PING", {CLAIM_INET_SOCKET, {AF_INET, SOCK_DGRAM, IPPROTO_ICMP}, NULL}},
        {"PINGv6", {CLAIM_INET_SOCKET, {AF_INET6, SOCK_DGRAM, IPPROTO_ICMPV6}, NULL}},
        {"PACKET", {CLAIM_OPEN_FILE, {TYPE_PACKET}, NULL}},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (has_protocol(facts, kinds[i].protocol))
            claim_add(facts, kinds[i].claim);
}

// /proc/PID/net/netlink: "sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode", where Eth is the
// protocol.
static void claims_of_netlink(struct process_facts *facts) {
    AUTO_FREE char *table = has_protocol(facts, "NETLINK")
                                ? procfs_read(NULL, "/proc/%d/net/netlink", (int)facts->root)
                                : NULL;
    for (char *save = NULL, *line = table != NULL ? strtok_r(table, "\n", &save) : NULL;
         line != NULL; line = strtok_r(NULL, "\n", &save)) {
        int64_t protocol;
        uint64_t inode;
        if (sscanf(line, "%*s %" SCNd64 " %*s %*s %*s %*s %*s %*s %*s %" SCNu64, &protocol,
                   &inode) == 2 &&
            socket_of_inode(facts, inode) != NULL)
            claim_add(facts, (struct claim){CLAIM_NETLINK_SOCKET, {protocol}, NULL});
    }
}

// --- TCP and UDP ---

enum { TCP_STATE_LISTEN = 10, INET_TEXT_MAX = INET6_ADDRSTRLEN + 8 };

struct inet_line {
    union {
        uint32_t words[4];
        struct in_addr four;
        struct in6_addr six;
    } address;
    bool six;
    unsigned port, state;
    uint64_t inode;
};

// A line of /proc/net/tcp, tcp6, udp, udp6: addresses are 32-bit words in the machine's byte order.
static bool parse_inet_line(const char *line, bool six, struct inet_line *parsed) {
    char address[33];
    *parsed = (struct inet_line){.six = six};
    if (sscanf(line, "%*d: %32[0-9A-F]:%X %*32[0-9A-F]:%*X %X %*s %*s %*s %*u %*u %" SCNu64,
               address, &parsed->port, &parsed->state, &parsed->inode) != 4 ||
        strlen(address) != (six ? 32u : 8u))
        return false;
    for (size_t i = 0; i < (six ? 4u : 1u); i++) {
        char word[9] = "";
        memcpy(word, address + 8 * i, 8);
        parsed->address.words[i] = (uint32_t)strtoul(word, NULL, 16);
    }
    return true;
}

static const char *inet_text(const struct inet_line *line, char text[INET_TEXT_MAX]) {
    char address[INET6_ADDRSTRLEN] = "";
    inet_ntop(line->six ? AF_INET6 : AF_INET, &line->address, address, sizeof address);
    snprintf(text, INET_TEXT_MAX, line->six ? "[%s]:%u" : "%s:%u", address, line->port);
    return text;
}

// An address that every host has.
static bool is_everywhere(const struct inet_line *line) {
    uint32_t four = line->six ? line->address.words[3] : line->address.words[0];
    if (!line->six || IN6_IS_ADDR_V4MAPPED(&line->address.six))
        return four == INADDR_ANY || ntohl(four) >> 24 == IN_LOOPBACKNET;
    return IN6_IS_ADDR_UNSPECIFIED(&line->address.six) || IN6_IS_ADDR_LOOPBACK(&line->address.six);
}

static void note_inet_line(struct process_facts *facts, bool tcp, const struct inet_line *line) {
    char text[INET_TEXT_MAX];
    struct socket_facts *socket = socket_of_inode(facts, line->inode);
    if (socket == NULL)
        return;
    socket->listens = tcp;
    socket->elsewhere = !tcp && !is_everywhere(line);
    snprintf(socket->address, sizeof socket->address, "%s", inet_text(line, text));
    if (!tcp)
        claim_add(facts, (struct claim){CLAIM_PORT, {line->port}, NULL});
}

// Line by line, not as a whole: the kernel lists listening TCP sockets first, and a busy host's
// connections need not be listed for us.
static void read_inet_table(struct process_facts *facts, const char *table) {
    bool tcp = table[0] == 't', six = table[3] == '6';
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/net/%s", (int)facts->root, table);
    AUTO_FCLOSE FILE *file = fopen(path, "re");
    if (file == NULL)
        return; // no IPv6, for one
    while (fgets(line, sizeof line, file) != NULL) {
        struct inet_line parsed;
        if (!parse_inet_line(line, six, &parsed))
            continue; // the heading
        if (tcp && parsed.state != TCP_STATE_LISTEN)
            break;
        note_inet_line(facts, tcp, &parsed);
    }
}

static void read_inet(struct process_facts *facts) {
    static const struct {
        const char *protocol, *table;
    } tables[] = {{"TCP", "tcp"}, {"TCPv6", "tcp6"}, {"UDP", "udp"}, {"UDPv6", "udp6"}};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (has_protocol(facts, tables[i].protocol))
            read_inet_table(facts, tables[i].table);
}

// --- unix sockets ---

// The process's network namespace, entered by a thread of our own, which ends at once.
struct diag_start {
    pid_t pid;
    int fd;
};

static void *open_diag_there(void *context) {
    struct diag_start *start = context;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)start->pid);
    AUTO_CLOSE int space = open(path, O_RDONLY | O_CLOEXEC);
    if (space >= 0 && setns(space, CLONE_NEWNET) == 0)
        start->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    return NULL;
}

// -1 when we may not: then CRIU will have to say it.
static int open_diag(pid_t pid) {
    struct stat theirs, ours;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)pid);
    if (stat(path, &theirs) < 0 || stat("/proc/self/ns/net", &ours) < 0)
        return -1;
    if (theirs.st_ino == ours.st_ino)
        return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    struct diag_start start = {.pid = pid, .fd = -1};
    pthread_t thread;
    if (pthread_create(&thread, NULL, open_diag_there, &start) == 0)
        pthread_join(thread, NULL);
    return start.fd;
}

struct unix_socket {
    bool listens;
    ino_t peer; // 0: none
    char name[128];
};

static void note_name(struct unix_socket *found, const char *name, size_t length) {
    if (length >= sizeof found->name)
        length = sizeof found->name - 1;
    memcpy(found->name, name, length);
    found->name[length] = 0;
    if (length > 0 && name[0] == 0)
        found->name[0] = '@'; // as everybody writes abstract names
}

static bool read_unix_reply(const struct nlmsghdr *head, size_t length, struct unix_socket *found) {
    if (!NLMSG_OK(head, length) || head->nlmsg_type != SOCK_DIAG_BY_FAMILY)
        return false;
    const struct unix_diag_msg *message = NLMSG_DATA(head);
    found->listens = message->udiag_state == TCP_STATE_LISTEN;
    unsigned left = head->nlmsg_len - (unsigned)NLMSG_LENGTH(sizeof *message);
    for (const struct rtattr *part = (const struct rtattr *)(message + 1); RTA_OK(part, left);
         part = RTA_NEXT(part, left)) {
        if (part->rta_type == UNIX_DIAG_PEER && RTA_PAYLOAD(part) >= sizeof(uint32_t))
            found->peer = *(const uint32_t *)RTA_DATA(part);
        if (part->rta_type == UNIX_DIAG_NAME)
            note_name(found, RTA_DATA(part), RTA_PAYLOAD(part));
    }
    return true;
}

static bool ask_for_unix(int diag, ino_t inode, struct unix_socket *found) {
    struct {
        struct nlmsghdr head;
        struct unix_diag_req request;
    } question = {.head = {.nlmsg_len = sizeof question,
                           .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                           .nlmsg_flags = NLM_F_REQUEST},
                  .request = {.sdiag_family = AF_UNIX,
                              .udiag_states = UINT32_MAX,
                              .udiag_ino = (uint32_t)inode,
                              .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER,
                              .udiag_cookie = {UINT32_MAX, UINT32_MAX}}};
    union {
        struct nlmsghdr head;
        char bytes[2048];
    } answer;
    *found = (struct unix_socket){0};
    if (send(diag, &question, sizeof question, 0) != sizeof question)
        return false;
    ssize_t got;
    while ((got = recv(diag, &answer, sizeof answer, 0)) < 0 && errno == EINTR)
        continue;
    return got > 0 && read_unix_reply(&answer.head, (size_t)got, found);
}

static void note_unix(struct process_facts *facts, struct socket_facts *socket,
                      const struct unix_socket *found) {
    socket->listens = found->listens;
    socket->outside = found->peer != 0 && socket_of_inode(facts, found->peer) == NULL;
    snprintf(socket->address, sizeof socket->address, "%s", found->name);
    // A name in the file system: CRIU makes it again.
    if (found->name[0] == '/')
        claim_path(facts, found->name, O_RDWR, true);
}

static void read_unix(struct process_facts *facts) {
    if (!has_protocol(facts, "UNIX") && !has_protocol(facts, "UNIX-STREAM"))
        return;
    AUTO_CLOSE int diag = open_diag(facts->root);
    for (size_t i = 0; diag >= 0 && i < facts->socket_count; i++) {
        struct socket_facts *socket = &facts->sockets[i];
        struct unix_socket found;
        if (strncmp(socket->protocol, "UNIX", 4) == 0 && ask_for_unix(diag, socket->inode, &found))
            note_unix(facts, socket, &found);
    }
}

void read_sockets(struct process_facts *facts) {
    collect(facts);
    claims_of_protocols(facts);
    claims_of_netlink(facts);
    read_inet(facts);
    read_unix(facts);
}
