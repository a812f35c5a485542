// Checks of open files of every type, and of the images beside them: descriptors, deleted files,
// what is in pipes and sockets.
#include "policy_internal.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include "image_fields.h"

enum {
    MOST_PIPE_BYTES = 1 << 20, // fs.pipe-max-size
    MOST_SOCKET_BUFFER = 64 << 20,
    FIRST_USER_PORT = 1024,
};

// ---- files: one function for each type

// CRIU checks size and mode of a file that it opens only if the image has them.
static bool can_be_verified(struct pb_view file, uint64_t flags, mode_t mode) {
    struct pb_field size;
    bool log = (flags & O_ACCMODE) == O_WRONLY && (flags & O_APPEND) != 0;
    return (mode & S_IFMT) != 0 &&
           (!S_ISREG(mode) || log || pb_find(file.bytes, file.length, REG_SIZE, &size));
}

static int check_regular(struct check *check, struct pb_view file) {
    struct pb_view name = pb_part(file, REG_NAME);
    const char *path = (const char *)name.bytes;
    uint64_t flags = pb_number(file, REG_FLAGS, 0);
    mode_t mode = (mode_t)pb_number(file, REG_MODE, 0);
    if (name.bytes == NULL || (!policy_equals(name, "/") && !image_plain_path(path, name.length)))
        return policy_refuse(
            check, MALFORMED, "an open file's path is not absolute and plain: '%.*s'",
            (int)(name.length < 200 ? name.length : 200), path != NULL ? path : "");
    if (policy_check_open_flags(check, flags) != 0)
        return -1;
    if (pb_number(file, REG_EXTERNAL, 0) || pb_number(file, REG_MOUNT, 1) != 1)
        return policy_refuse(check, OBSTACLE, "%.*s is of another mount namespace",
                             (int)name.length, path);
    if (!can_be_verified(file, flags, mode))
        return policy_refuse(check, MALFORMED, "%.*s has no mode or size to compare the file with",
                             (int)name.length, path);
    struct note regular = {.kind = NOTE_FILE,
                           .id = (uint32_t)pb_number(file, REG_ID, 0),
                           .value = TYPE_REG,
                           .flags = (int)flags,
                           .mode = mode};
    return policy_add_note(check, regular, name);
}

static int check_socket_options(struct check *check, struct pb_view options) {
    if (pb_number(options, SOCKET_MARK, 0) != 0 && !policy_may(check, CAP_NET_ADMIN))
        return policy_refuse(check, UNSEEN,
                             "a socket marks its packets, which needs CAP_NET_ADMIN");
    if (pb_number(options, SOCKET_PRIORITY, 0) > 6 && !policy_may(check, CAP_NET_ADMIN))
        return policy_refuse(check, UNSEEN,
                             "a socket has a priority above 6, which needs CAP_NET_ADMIN");
    if (pb_part(options, SOCKET_DEVICE).length > 0 && !policy_may(check, CAP_NET_RAW))
        return policy_refuse(check, UNSEEN,
                             "a socket is bound to a device, which needs CAP_NET_RAW");
    if (pb_number(options, SOCKET_SEND_BUFFER, 0) > MOST_SOCKET_BUFFER ||
        pb_number(options, SOCKET_RECEIVE_BUFFER, 0) > MOST_SOCKET_BUFFER)
        return policy_refuse(check, UNSEEN, "a socket's buffer is larger than %d MiB",
                             MOST_SOCKET_BUFFER >> 20);
    return 0;
}

static int note_socket(struct check *check, struct pb_view socket, uint32_t options_field,
                       uint32_t namespace_field) {
    uint64_t namespace = pb_number(socket, namespace_field, 0);
    if (check_socket_options(check, pb_part(socket, options_field)) != 0)
        return -1;
    return namespace == 0 ? 0 : policy_note(check, NOTE_NAMESPACE, IDS_NET_NS, namespace);
}

static int check_inet(struct check *check, struct pb_view socket) {
    enum { TCP_CLOSE = 7, TCP_LISTEN = 10 };
    uint64_t type = pb_number(socket, INET_TYPE, 0);
    uint64_t state = pb_number(socket, INET_STATE, 0);
    struct claim kind = {CLAIM_INET_SOCKET,
                         {(int64_t)pb_number(socket, INET_FAMILY, 0), (int64_t)type,
                          (int64_t)pb_number(socket, INET_PROTOCOL, 0)},
                         NULL};
    if (policy_claim(check, kind) != 0)
        return -1;
    if (pb_part(pb_part(socket, INET_IP_OPTIONS), IP_OPTIONS_RAW).bytes != NULL)
        return policy_refuse(check, UNSEEN, "an internet socket is neither TCP nor UDP");
    // Connected ones are restored closed, without their address.
    bool bound = type == SOCK_DGRAM || state == TCP_LISTEN || state == TCP_CLOSE;
    int64_t port = bound ? (int64_t)pb_number(socket, INET_LOCAL_PORT, 0) : 0;
    if (policy_claim(check, (struct claim){CLAIM_PORT, {port}, NULL}) != 0)
        return -1;
    return note_socket(check, socket, INET_OPTIONS, INET_NET_NS);
}

// CRIU goes to the directory and then uses the name.
static int note_socket_path(struct check *check, struct pb_view socket, struct pb_view name) {
    char path[8192];
    struct pb_view directory = pb_part(socket, UNIX_DIRECTORY);
    size_t length = strnlen((const char *)name.bytes, name.length);
    bool relative = name.bytes[0] != '/';
    bool from_root = relative && policy_equals(directory, "/");
    bool from_nowhere = relative && !from_root &&
                        (directory.bytes == NULL ||
                         !image_plain_path((const char *)directory.bytes, directory.length));
    if (!relative || from_root)
        directory.length = 0;
    int size = snprintf(path, sizeof path, "%.*s%s%.*s", (int)directory.length,
                        (const char *)directory.bytes, relative ? "/" : "", (int)length,
                        (const char *)name.bytes);
    if (from_nowhere || length + 1 < name.length || !image_plain_path(path, (size_t)size))
        return policy_refuse(check, UNSEEN, "a unix socket's path is not plain: '%.200s'", path);
    struct note named = {.kind = NOTE_SOCKET};
    return policy_add_note(check, named, (struct pb_view){(const uint8_t *)path, (size_t)size});
}

static int check_unix(struct check *check, struct pb_view socket) {
    struct pb_view name = pb_part(socket, UNIX_NAME);
    struct pb_view given = pb_part(socket, UNIX_PERMISSIONS);
    if (pb_number(socket, UNIX_KIND_FLAGS, 0) != 0 || pb_number(socket, UNIX_MOUNT, 1) != 1)
        return policy_refuse(check, OBSTACLE,
                             "a unix socket is connected to a process outside the image");
    struct claim made = {CLAIM_DELETED_FILE,
                         {(int64_t)pb_number(given, PERMISSIONS_UID, 0),
                          (int64_t)pb_number(given, PERMISSIONS_GID, 0),
                          (int64_t)pb_number(given, PERMISSIONS_MODE, 0)},
                         NULL};
    if (given.bytes != NULL && policy_claim(check, made) != 0)
        return -1;
    // A name that begins with NUL is in no file system.
    if (name.length > 0 && name.bytes[0] != '\0' && note_socket_path(check, socket, name) != 0)
        return -1;
    return note_socket(check, socket, UNIX_OPTIONS, UNIX_NET_NS);
}

static int check_netlink(struct check *check, struct pb_view socket) {
    int64_t protocol = (int64_t)pb_number(socket, NETLINK_PROTOCOL, 0);
    if (policy_claim(check, (struct claim){CLAIM_NETLINK_SOCKET, {protocol}, NULL}) != 0)
        return -1;
    return note_socket(check, socket, NETLINK_OPTIONS, NETLINK_NET_NS);
}

static int check_timerfd(struct check *check, struct pb_view timer) {
    int64_t clock = (int64_t)pb_number(timer, TIMERFD_CLOCK, 0);
    return policy_claim(check, (struct claim){CLAIM_TIMER, {clock}, NULL});
}

static int check_inotify(struct check *check, struct pb_view inotify) {
    bool watches = pb_part(inotify, INOTIFY_WATCH).bytes != NULL;
    return policy_claim(check, (struct claim){CLAIM_INOTIFY, {watches}, NULL});
}

static int check_fifo(struct check *check, struct pb_view fifo) {
    return policy_note(check, NOTE_FIFO, pb_number(fifo, FIFO_REG_FILE, 0), 0);
}

static int check_tty(struct check *check, struct pb_view tty) {
    return policy_note(check, NOTE_TERMINAL, pb_number(tty, TTY_REG_FILE, 0), 0);
}

static int check_memfd_file(struct check *check, struct pb_view memfd) {
    return policy_check_open_flags(check, pb_number(memfd, REG_FLAGS, 0));
}

static int check_pidfd(struct check *check, struct pb_view pidfd) {
    int32_t pid = (int32_t)pb_number(pidfd, PIDFD_PID, 0);
    return pid > 0 ? policy_note(check, NOTE_OWNER, (uint32_t)pid, 0) : 0; // of the tree, or gone
}

static int check_nothing(struct check *check, struct pb_view part) {
    (void)check;
    (void)part;
    return 0;
}

static const struct {
    uint32_t type;
    uint32_t part;  // field of the entry
    uint32_t owner; // field of the part; 0: none
    int (*check)(struct check *check, struct pb_view part);
} file_types[] = {
    {TYPE_REG, FILE_REG, REG_OWNER, check_regular},
    {TYPE_PIPE, FILE_PIPE, PIPE_OWNER, check_nothing},
    {TYPE_FIFO, FILE_FIFO, 0, check_fifo},
    {TYPE_INET, FILE_INET, INET_OWNER, check_inet},
    {TYPE_UNIX, FILE_UNIX, UNIX_OWNER, check_unix},
    {TYPE_EVENTFD, FILE_EVENTFD, EVENT_OWNER, check_nothing},
    {TYPE_EVENTPOLL, FILE_EVENTPOLL, EVENT_OWNER, check_nothing},
    {TYPE_INOTIFY, FILE_INOTIFY, INOTIFY_OWNER, check_inotify},
    {TYPE_SIGNALFD, FILE_SIGNALFD, EVENT_OWNER, check_nothing},
    {TYPE_TTY, FILE_TTY, TTY_OWNER, check_tty},
    {TYPE_NETLINK, FILE_NETLINK, NETLINK_OWNER, check_netlink},
    {TYPE_TIMERFD, FILE_TIMERFD, EVENT_OWNER, check_timerfd},
    {TYPE_MEMFD, FILE_MEMFD, MEMFD_OWNER, check_memfd_file},
    {TYPE_PIDFD, FILE_PIDFD, PIDFD_OWNER, check_pidfd},
};

// How many of the parts that only some types have.
static unsigned count_parts(struct pb_view entry) {
    struct pb_field field;
    size_t position = 0;
    unsigned count = 0;
    while (pb_next(entry.bytes, entry.length, &position, &field) > 0)
        count += field.number != FILE_TYPE && field.number != FILE_ID;
    return count;
}

int policy_file(struct check *check, struct pb_view entry, bool first) {
    (void)first;
    uint64_t type = pb_number(entry, FILE_TYPE, 0), id = pb_number(entry, FILE_ID, 0);
    for (size_t i = 0; i < sizeof file_types / sizeof file_types[0]; i++) {
        if (file_types[i].type != type)
            continue;
        struct pb_view part = pb_part(entry, file_types[i].part);
        if (part.bytes == NULL || count_parts(entry) != 1 || pb_number(part, 1, 0) != id)
            return policy_refuse(check, MALFORMED,
                                 "the entry of file %" PRIu64 " contradicts itself", id);
        uint32_t owner = file_types[i].owner;
        if (owner != 0 && policy_check_owner(check, pb_part(part, owner)) != 0)
            return -1;
        if (type != TYPE_REG && policy_note(check, NOTE_FILE, id, type) != 0)
            return -1;
        return file_types[i].check(check, part);
    }
    return policy_claim(check, (struct claim){CLAIM_OPEN_FILE, {(int64_t)type}, NULL});
}

bool policy_knows_file_type(uint64_t type) {
    for (size_t i = 0; i < sizeof file_types / sizeof file_types[0]; i++)
        if (file_types[i].type == type)
            return true;
    return false;
}

// ---- Images beside files

int policy_fdinfo(struct check *check, struct pb_view entry, bool first) {
    (void)first;
    if (policy_check_label(check, pb_part(entry, FDINFO_LABEL)) != 0)
        return -1;
    return policy_note(check, NOTE_OPEN, pb_number(entry, FDINFO_ID, 0),
                       pb_number(entry, FDINFO_TYPE, 0));
}

int policy_remap(struct check *check, struct pb_view entry, bool first) {
    enum { REMAP_LINKED = 0, REMAP_GHOST = 1 };
    (void)first;
    // A linked one is removed by its path after the restore; we never ask for one (--link-remap).
    if (pb_number(entry, REMAP_TYPE, REMAP_LINKED) != REMAP_GHOST)
        return policy_refuse(check, OBSTACLE, "a deleted file would be opened under another name");
    return policy_note(check, NOTE_REMAP, pb_number(entry, REMAP_FILE, 0),
                       pb_number(entry, REMAP_ID, 0));
}

int policy_ghost(struct check *check, struct pb_view entry, bool first) {
    mode_t mode = (mode_t)pb_number(entry, GHOST_MODE, 0);
    if (!first)
        return policy_refuse(check, MALFORMED, "it has more than one entry");
    if (!S_ISREG(mode) && !S_ISFIFO(mode) && !S_ISDIR(mode))
        return policy_refuse(
            check, UNSEEN, "a deleted device, link or socket would be made again (mode 0%o)", mode);
    if (policy_note(check, NOTE_GHOST, check->number, 0) != 0)
        return -1;
    struct claim made = {CLAIM_DELETED_FILE,
                         {(int64_t)pb_number(entry, GHOST_UID, 0),
                          (int64_t)pb_number(entry, GHOST_GID, 0), (int64_t)mode},
                         NULL};
    return policy_claim(check, made);
}

int policy_pipe_data(struct check *check, struct pb_view entry, bool first) {
    (void)first;
    if (pb_number(entry, PIPE_DATA_CAPACITY, 0) > MOST_PIPE_BYTES &&
        !policy_may(check, CAP_SYS_RESOURCE))
        return policy_refuse(check, UNSEEN,
                             "a pipe is larger than %d bytes, which needs CAP_SYS_RESOURCE",
                             MOST_PIPE_BYTES);
    return 0;
}

// Descriptors on their way (SCM_RIGHTS) are numbers of files.
static int check_scm(struct check *check, struct pb_view scm) {
    enum { SCM_TYPE = 1, SCM_FILES = 2 };
    struct pb_field field;
    size_t position = 0;
    if (pb_number(scm, SCM_TYPE, 0) != SCM_RIGHTS)
        return policy_refuse(check, UNSEEN, "a message in a socket carries other than descriptors");
    while (pb_next(scm.bytes, scm.length, &position, &field) > 0)
        if (field.number == SCM_FILES && policy_note(check, NOTE_PASSED, field.value, 0) != 0)
            return -1;
    return 0;
}

int policy_packet(struct check *check, struct pb_view entry, bool first) {
    enum { PACKET_SCM = 4 };
    struct pb_field field;
    size_t position = 0;
    (void)first;
    while (pb_next(entry.bytes, entry.length, &position, &field) > 0)
        if (field.number == PACKET_SCM &&
            check_scm(check, (struct pb_view){field.bytes, field.length}) != 0)
            return -1;
    return 0;
}

int policy_tty_info(struct check *check, struct pb_view entry, bool first) {
    enum { TTY_PTY = 1, TTY_CURRENT = 4 };
    (void)first;
    uint64_t type = pb_number(entry, TTY_INFO_TYPE, 0);
    if (type != TTY_PTY && type != TTY_CURRENT)
        return policy_refuse(check, OBSTACLE,
                             "a terminal is neither a pseudo terminal nor /dev/tty");
    // Its group is the terminals' own and gives its user nothing.
    if (pb_number(entry, TTY_INFO_UID, check->policy->uid) != check->policy->uid)
        return policy_refuse(check, OBSTACLE, "a terminal would be given to user %" PRIu64,
                             pb_number(entry, TTY_INFO_UID, 0));
    return 0;
}

int policy_lock(struct check *check, struct pb_view entry, bool first) {
    enum { LOCK_POSIX = 1, LOCK_FLOCK = 2, LOCK_OFD = 4 };
    (void)first;
    uint64_t kind = pb_number(entry, LOCK_KIND, 0);
    if (kind != LOCK_POSIX && kind != LOCK_FLOCK && kind != LOCK_OFD)
        return policy_refuse(check, UNSEEN, "a file is leased, which we don't clone");
    return 0;
}
