// SPDX-License-Identifier: Apache-2.0
// Checks of open files of every type, and of the images beside them: descriptors, deleted files,
// what is in pipes and sockets.
#include "policy_internal.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "image_fields.h"
#include "paths.h"

enum {
    MOST_PIPE_BYTES = 1 << 20, // fs.pipe-max-size
    MOST_SOCKET_BUFFER = 64 << 20,
};

// ---- files: one function for each type

// CRIU checks size and mode of a file that it opens only if the image has them.
static bool can_be_verified(const CriuImage__Reg *file) {
    bool log = (file->flags & O_ACCMODE) == O_WRONLY && (file->flags & O_APPEND) != 0;
    return (file->mode & S_IFMT) != 0 && (!S_ISREG(file->mode) || log || file->has_size);
}

static int check_regular(struct check *check, const ProtobufCMessage *part) {
    const CriuImage__Reg *file = (const CriuImage__Reg *)part;
    const char *path = file->name != NULL ? file->name : "";
    if (strcmp(path, "/") != 0 && !path_is_clean(path))
        return policy_refuse(check, MALFORMED,
                             "an open file's path is not absolute and plain: '%.200s'", path);
    if (policy_check_open_flags(check, file->flags) != 0)
        return -1;
    if (file->external || file->mount != -1)
        return policy_refuse(check, OBSTACLE_MOUNT, "%s is of another mount namespace", path);
    if (!can_be_verified(file))
        return policy_refuse(check, MALFORMED, "%s has no mode or size to compare the file with",
                             path);
    struct note regular = {.kind = NOTE_FILE,
                           .id = file->id,
                           .value = TYPE_REG,
                           .flags = (int)file->flags,
                           .mode = (mode_t)file->mode};
    return policy_add_note(check, regular, path);
}

static int note_socket(struct check *check, const CriuImage__SocketOptions *options,
                       uint32_t namespace) {
    if (namespace != 0 && policy_note(check, NOTE_NAMESPACE, NET_NAMESPACE, namespace) != 0)
        return -1;
    if (options == NULL)
        return 0;
    if (options->mark != 0 && !policy_may(check, CAP_NET_ADMIN))
        return policy_refuse(check, UNSEEN,
                             "a socket marks its packets, which needs CAP_NET_ADMIN");
    if (options->priority > 6 && !policy_may(check, CAP_NET_ADMIN))
        return policy_refuse(check, UNSEEN,
                             "a socket has a priority above 6, which needs CAP_NET_ADMIN");
    if (options->device != NULL && options->device[0] != '\0' && !policy_may(check, CAP_NET_RAW))
        return policy_refuse(check, UNSEEN,
                             "a socket is bound to a device, which needs CAP_NET_RAW");
    if (options->send_buffer > MOST_SOCKET_BUFFER || options->receive_buffer > MOST_SOCKET_BUFFER)
        return policy_refuse(check, UNSEEN, "a socket's buffer is larger than %d MiB",
                             MOST_SOCKET_BUFFER >> 20);
    return 0;
}

static int check_inet(struct check *check, const ProtobufCMessage *part) {
    enum { TCP_CLOSE = 7, TCP_LISTEN = 10 };
    const CriuImage__Inet *socket = (const CriuImage__Inet *)part;
    struct claim kind = {CLAIM_INET_SOCKET, {socket->family, socket->type, socket->protocol}, NULL};
    if (policy_claim(check, kind) != 0)
        return -1;
    if (socket->ip_options != NULL && socket->ip_options->raw != NULL)
        return policy_refuse(check, UNSEEN, "an internet socket is neither TCP nor UDP");
    // Connected ones are restored closed, without their address.
    bool bound =
        socket->type == SOCK_DGRAM || socket->state == TCP_LISTEN || socket->state == TCP_CLOSE;
    struct claim port = {CLAIM_PORT, {bound ? socket->local_port : 0}, NULL};
    if (policy_claim(check, port) != 0)
        return -1;
    return note_socket(check, socket->options, socket->net_ns);
}

// CRIU goes to the directory and then uses the name.
static int note_socket_path(struct check *check, const CriuImage__Unix *socket) {
    char path[2 * PATH_MAX];
    const char *name = (const char *)socket->name.data;
    const char *directory = socket->directory != NULL ? socket->directory : "";
    size_t length = strnlen(name, socket->name.len);
    bool relative = name[0] != '/', from_root = strcmp(directory, "/") == 0;
    bool from_nowhere = relative && !from_root && !path_is_clean(directory);
    snprintf(path, sizeof path, "%s%s%.*s", relative && !from_root ? directory : "",
             relative ? "/" : "", (int)length, name);
    if (from_nowhere || length + 1 < socket->name.len || !path_is_clean(path))
        return policy_refuse(check, UNSEEN, "a unix socket's path is not plain: '%.200s'", path);
    return policy_add_note(check, (struct note){.kind = NOTE_SOCKET}, path);
}

static int check_unix(struct check *check, const ProtobufCMessage *part) {
    const CriuImage__Unix *socket = (const CriuImage__Unix *)part;
    const CriuImage__Permissions *given = socket->permissions;
    if (socket->kind_flags != 0 || socket->mount != -1)
        return policy_refuse(check, OBSTACLE_UNIX_PEER,
                             "a unix socket is connected to a process outside the image");
    if (given != NULL) {
        struct claim made = {CLAIM_DELETED_FILE, {given->uid, given->gid, given->mode}, NULL};
        if (policy_claim(check, made) != 0)
            return -1;
    }
    // A name that begins with NUL is in no file system.
    if (socket->name.len > 0 && socket->name.data[0] != '\0' &&
        note_socket_path(check, socket) != 0)
        return -1;
    return note_socket(check, socket->options, socket->net_ns);
}

static int check_netlink(struct check *check, const ProtobufCMessage *part) {
    const CriuImage__Netlink *socket = (const CriuImage__Netlink *)part;
    struct claim claim = {CLAIM_NETLINK_SOCKET, {socket->protocol}, NULL};
    if (policy_claim(check, claim) != 0)
        return -1;
    return note_socket(check, socket->options, socket->net_ns);
}

static int check_timerfd(struct check *check, const ProtobufCMessage *part) {
    int64_t clock = ((const CriuImage__Timerfd *)part)->clock;
    return policy_claim(check, (struct claim){CLAIM_TIMER, {clock}, NULL});
}

static int check_inotify(struct check *check, const ProtobufCMessage *part) {
    bool watches = ((const CriuImage__Inotify *)part)->n_watch > 0;
    return policy_claim(check, (struct claim){CLAIM_INOTIFY, {watches}, NULL});
}

static int check_fifo(struct check *check, const ProtobufCMessage *part) {
    return policy_note(check, NOTE_FIFO, ((const CriuImage__Fifo *)part)->reg_file, 0);
}

static int check_tty(struct check *check, const ProtobufCMessage *part) {
    return policy_note(check, NOTE_TERMINAL, ((const CriuImage__Tty *)part)->reg_file, 0);
}

static int check_memfd_file(struct check *check, const ProtobufCMessage *part) {
    return policy_check_open_flags(check, ((const CriuImage__Memfd *)part)->flags);
}

static int check_pidfd(struct check *check, const ProtobufCMessage *part) {
    int32_t pid = ((const CriuImage__Pidfd *)part)->pid;
    return pid > 0 ? policy_note(check, NOTE_OWNER, (uint32_t)pid, 0) : 0; // of the tree, or gone
}

static const struct file_kind {
    uint32_t type;
    const char *part;          // of File
    policy_entry_check *check; // of that part; NULL: nothing
} file_kinds[] = {
    {TYPE_REG, "reg", check_regular},         {TYPE_PIPE, "pipe", NULL},
    {TYPE_FIFO, "fifo", check_fifo},          {TYPE_INET, "inet", check_inet},
    {TYPE_UNIX, "unix_socket", check_unix},   {TYPE_EVENTFD, "eventfd", NULL},
    {TYPE_EVENTPOLL, "epoll", NULL},          {TYPE_INOTIFY, "inotify", check_inotify},
    {TYPE_SIGNALFD, "signalfd", NULL},        {TYPE_TTY, "tty", check_tty},
    {TYPE_NETLINK, "netlink", check_netlink}, {TYPE_TIMERFD, "timerfd", check_timerfd},
    {TYPE_MEMFD, "memfd", check_memfd_file},  {TYPE_PIDFD, "pidfd", check_pidfd},
};

static const struct file_kind *kind_of(uint64_t type) {
    for (size_t i = 0; i < sizeof file_kinds / sizeof file_kinds[0]; i++)
        if (file_kinds[i].type == type)
            return &file_kinds[i];
    return NULL;
}

// The message in that field; NULL if the image has none, or the message no such field.
static const void *part_of(const ProtobufCMessage *message, const char *name) {
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field_by_name(message->descriptor, name);
    return field == NULL ? NULL : *(void *const *)((const char *)message + field->offset);
}

// How many of the parts that only some types have.
static unsigned count_parts(const ProtobufCMessage *file) {
    unsigned count = 0;
    for (size_t i = 0; i < sizeof file_kinds / sizeof file_kinds[0]; i++)
        count += part_of(file, file_kinds[i].part) != NULL;
    return count;
}

int policy_file(struct check *check, const ProtobufCMessage *entry) {
    const CriuImage__File *file = (const CriuImage__File *)entry;
    const struct file_kind *kind = kind_of(file->type);
    if (kind == NULL)
        return policy_claim(check, (struct claim){CLAIM_OPEN_FILE, {file->type}, NULL});
    const ProtobufCMessage *part = part_of(entry, kind->part);
    uint32_t id = 0;
    if (part != NULL)
        policy_number_of(part, 1, &id);
    if (part == NULL || count_parts(entry) != 1 || id != file->id)
        return policy_refuse(check, MALFORMED, "the entry of file %u contradicts itself", file->id);
    if (policy_check_owner(check, part_of(part, "owner")) != 0)
        return -1;
    if (file->type != TYPE_REG && policy_note(check, NOTE_FILE, file->id, file->type) != 0)
        return -1;
    return kind->check == NULL ? 0 : kind->check(check, part);
}

// ---- Images beside files

int policy_fdinfo(struct check *check, const ProtobufCMessage *entry) {
    const CriuImage__Fdinfo *descriptor = (const CriuImage__Fdinfo *)entry;
    if (policy_check_label(check, descriptor->label) != 0)
        return -1;
    return policy_note(check, NOTE_OPEN, descriptor->id, descriptor->type);
}

int policy_remap(struct check *check, const ProtobufCMessage *entry) {
    enum { REMAP_GHOST = 1 };
    const CriuImage__Remap *remap = (const CriuImage__Remap *)entry;
    // A linked one is removed by its path after the restore; we never ask for one (--link-remap).
    if (remap->type != REMAP_GHOST)
        return policy_refuse(check, OBSTACLE_OTHER_NAME,
                             "a deleted file would be opened under another name");
    return policy_note(check, NOTE_REMAP, remap->file, remap->ghost);
}

int policy_ghost(struct check *check, const ProtobufCMessage *entry) {
    const CriuImage__Ghost *ghost = (const CriuImage__Ghost *)entry;
    mode_t mode = (mode_t)ghost->mode;
    if (!S_ISREG(mode) && !S_ISFIFO(mode) && !S_ISDIR(mode))
        return policy_refuse(
            check, UNSEEN, "a deleted device, link or socket would be made again (mode 0%o)", mode);
    if (policy_note(check, NOTE_GHOST, check->number, 0) != 0)
        return -1;
    struct claim made = {CLAIM_DELETED_FILE, {ghost->uid, ghost->gid, mode}, NULL};
    return policy_claim(check, made);
}

int policy_pipe_data(struct check *check, const ProtobufCMessage *entry) {
    if (((const CriuImage__PipeData *)entry)->capacity > MOST_PIPE_BYTES &&
        !policy_may(check, CAP_SYS_RESOURCE))
        return policy_refuse(check, UNSEEN,
                             "a pipe is larger than %d bytes, which needs CAP_SYS_RESOURCE",
                             MOST_PIPE_BYTES);
    return 0;
}

// Descriptors on their way (SCM_RIGHTS) are numbers of files.
int policy_packet(struct check *check, const ProtobufCMessage *entry) {
    const CriuImage__Packet *packet = (const CriuImage__Packet *)entry;
    for (size_t i = 0; i < packet->n_scm; i++) {
        const CriuImage__Scm *scm = packet->scm[i];
        if (scm->type != SCM_RIGHTS)
            return policy_refuse(check, UNSEEN,
                                 "a message in a socket carries other than descriptors");
        for (size_t k = 0; k < scm->n_file; k++)
            if (policy_note(check, NOTE_PASSED, scm->file[k], 0) != 0)
                return -1;
    }
    return 0;
}

int policy_tty_info(struct check *check, const ProtobufCMessage *entry) {
    enum { TTY_PTY = 1, TTY_CURRENT = 4 };
    const CriuImage__TtyInfo *tty = (const CriuImage__TtyInfo *)entry;
    if (tty->type != TTY_PTY && tty->type != TTY_CURRENT)
        return policy_refuse(check, OBSTACLE_TERMINAL,
                             "a terminal is neither a pseudo terminal nor /dev/tty");
    // Its group is the terminals' own and gives its user nothing.
    if (tty->has_uid && tty->uid != check->policy->uid)
        return policy_refuse(check, OBSTACLE_TERMINAL, "a terminal would be given to user %u",
                             tty->uid);
    return 0;
}

int policy_lock(struct check *check, const ProtobufCMessage *entry) {
    uint32_t kind = ((const CriuImage__Lock *)entry)->kind;
    return policy_claim(check, (struct claim){CLAIM_LOCK, {kind}, NULL});
}
