// The open files of every type, with their descriptors, and what is in pipes and deleted files.
#include "inspect_internal.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

static json_t *make_flags(uint64_t flags) {
    static const struct {
        uint64_t flag;
        const char *name;
    } names[] = {
        {O_TMPFILE, "O_TMPFILE"}, // has O_DIRECTORY's bit
        {O_DIRECTORY, "O_DIRECTORY"}, {O_APPEND, "O_APPEND"}, {O_NONBLOCK, "O_NONBLOCK"},
        {O_DSYNC, "O_DSYNC"},         {O_DIRECT, "O_DIRECT"}, {O_NOATIME, "O_NOATIME"},
        {O_PATH, "O_PATH"},           {O_CREAT, "O_CREAT"},   {O_TRUNC, "O_TRUNC"},
    };
    static const char *const modes[] = {"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"};
    json_t *array = json_array();
    json_array_append_new(array, json_string(modes[flags & O_ACCMODE]));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if ((flags & names[i].flag) != names[i].flag)
            continue;
        json_array_append_new(array, json_string(names[i].name));
        flags &= ~names[i].flag;
    }
    return array;
}

static const char *kind_of_mode(mode_t mode) {
    return S_ISDIR(mode)    ? "directory"
           : S_ISCHR(mode)  ? "character device"
           : S_ISBLK(mode)  ? "block device"
           : S_ISFIFO(mode) ? "fifo"
           : S_ISSOCK(mode) ? "socket"
                            : "file";
}

static void describe_regular(struct reading *reading, json_t *file, struct pb_view part) {
    mode_t mode = (mode_t)pb_number(part, REG_MODE, S_IFREG);
    struct pb_field size;
    char text[16];
    (void)reading;
    model_set(file, "kind", json_string(kind_of_mode(mode)));
    model_set_text(file, "path", pb_part(part, REG_NAME));
    model_set(file, "flags", make_flags(pb_number(part, REG_FLAGS, 0)));
    model_set_number(file, "position", pb_number(part, REG_POSITION, 0));
    snprintf(text, sizeof text, "%04o", mode & 07777);
    model_set(file, "mode", json_string(text));
    if (pb_find(part.bytes, part.length, REG_SIZE, &size))
        model_set_number(file, "size", size.value);
}

static void describe_memfd(struct reading *reading, json_t *file, struct pb_view part) {
    json_t *inode = model_by_id(reading->memfds, pb_number(part, MEMFD_INODE, 0));
    model_set(file, "kind", json_string("memfd"));
    model_set(file, "flags", make_flags(pb_number(part, REG_FLAGS, 0)));
    if (inode != NULL)
        json_object_update(file, inode);
}

static const char *state_of_socket(uint64_t state) {
    static const char *const names[] = {"unknown",    "established", "syn-sent",  "syn-received",
                                        "fin-wait-1", "fin-wait-2",  "time-wait", "closed",
                                        "close-wait", "last-ack",    "listening", "closing"};
    return state < sizeof names / sizeof names[0] ? names[state] : "unknown";
}

static const char *type_of_socket(uint64_t type) {
    return type == SOCK_STREAM      ? "stream"
           : type == SOCK_DGRAM     ? "datagram"
           : type == SOCK_SEQPACKET ? "seqpacket"
           : type == SOCK_RAW       ? "raw"
                                    : "unknown";
}

// "address:port"; the image holds the address's bytes as words of this machine.
static json_t *make_address(struct pb_view socket, uint32_t address_field, uint32_t port_field) {
    bool six = pb_number(socket, INET_FAMILY, 0) == AF_INET6;
    uint32_t words[4] = {0};
    struct pb_field field;
    size_t position = 0, count = 0;
    while (pb_next(socket.bytes, socket.length, &position, &field) > 0)
        if (field.number == address_field && field.wire_type == PB_VARINT && count < 4)
            words[count++] = (uint32_t)field.value;
    char address[INET6_ADDRSTRLEN] = "";
    inet_ntop(six ? AF_INET6 : AF_INET, words, address, sizeof address);
    return json_sprintf(six ? "[%s]:%u" : "%s:%u", address,
                        (unsigned)(pb_number(socket, port_field, 0) & 0xffff));
}

static void describe_inet(struct reading *reading, json_t *file, struct pb_view part) {
    uint64_t protocol = pb_number(part, INET_PROTOCOL, 0), state = pb_number(part, INET_STATE, 0);
    bool tcp = protocol == IPPROTO_TCP;
    (void)reading;
    model_set(file, "kind",
              json_string(tcp                       ? "tcp"
                          : protocol == IPPROTO_UDP ? "udp"
                                                    : "internet socket"));
    if (tcp)
        model_set(file, "state", json_string(state_of_socket(state)));
    model_set(file, "local", make_address(part, INET_LOCAL_ADDRESS, INET_LOCAL_PORT));
    if (pb_number(part, INET_REMOTE_PORT, 0) != 0)
        model_set(file, "remote", make_address(part, INET_REMOTE_ADDRESS, INET_REMOTE_PORT));
}

static void describe_unix(struct reading *reading, json_t *file, struct pb_view part) {
    struct pb_view name = pb_part(part, UNIX_NAME);
    (void)reading;
    model_set(file, "kind", json_string("unix"));
    model_set(file, "type", json_string(type_of_socket(pb_number(part, UNIX_TYPE, 0))));
    model_set(file, "state", json_string(state_of_socket(pb_number(part, UNIX_STATE, 0))));
    model_set_number(file, "inode", pb_number(part, UNIX_INODE, 0));
    if (pb_number(part, UNIX_PEER, 0) != 0)
        model_set_number(file, "peer", pb_number(part, UNIX_PEER, 0));
    if (name.length > 0 && name.bytes[name.length - 1] == '\0')
        name.length--;
    if (name.length > 0)
        model_set_text(file, "name", name);
    model_set_text(file, "directory", pb_part(part, UNIX_DIRECTORY));
}

static void describe_pipe(struct reading *reading, json_t *file, struct pb_view part) {
    uint64_t pipe = pb_number(part, PIPE_PIPE_ID, 0);
    uint64_t mode = pb_number(part, PIPE_FLAGS, 0) & O_ACCMODE;
    json_t *bytes = model_by_id(reading->buffered, pipe);
    model_set(file, "kind", json_string("pipe"));
    model_set_number(file, "pipe", pipe);
    model_set(file, "end",
              json_string(mode == O_RDONLY   ? "reads"
                          : mode == O_WRONLY ? "writes"
                                             : "both"));
    model_set(file, "buffered_bytes", bytes != NULL ? json_incref(bytes) : json_integer(0));
}

static void describe_fifo(struct reading *reading, json_t *file, struct pb_view part) {
    json_t *bytes = model_by_id(reading->buffered, pb_number(part, FIFO_PIPE_ID, 0));
    model_set(file, "kind", json_string("fifo"));
    model_set_path(reading, file, "path", pb_number(part, FIFO_REG_FILE, 0));
    model_set(file, "buffered_bytes", bytes != NULL ? json_incref(bytes) : json_integer(0));
}

static void describe_inotify(struct reading *reading, json_t *file, struct pb_view part) {
    struct pb_field field;
    size_t position = 0;
    uint64_t watches = 0;
    (void)reading;
    while (pb_next(part.bytes, part.length, &position, &field) > 0)
        watches += field.number == INOTIFY_WATCH;
    model_set(file, "kind", json_string("inotify"));
    model_set_number(file, "watches", watches);
}

static void describe_tty(struct reading *reading, json_t *file, struct pb_view part) {
    model_set(file, "kind", json_string("terminal"));
    model_set_path(reading, file, "path", pb_number(part, TTY_REG_FILE, 0));
}

static const struct {
    uint32_t type, part;
    const char *list; // of the model
    const char *kind; // if there is no more to say
    void (*describe)(struct reading *reading, json_t *file, struct pb_view part);
} file_types[] = {
    {TYPE_REG, FILE_REG, "files", NULL, describe_regular},
    {TYPE_MEMFD, FILE_MEMFD, "files", NULL, describe_memfd},
    {TYPE_INET, FILE_INET, "sockets", NULL, describe_inet},
    {TYPE_UNIX, FILE_UNIX, "sockets", NULL, describe_unix},
    {TYPE_NETLINK, FILE_NETLINK, "sockets", "netlink", NULL},
    {TYPE_PACKET, 0, "sockets", "packet", NULL},
    {TYPE_PIPE, FILE_PIPE, "pipes", NULL, describe_pipe},
    {TYPE_FIFO, FILE_FIFO, "pipes", NULL, describe_fifo},
    {TYPE_TTY, FILE_TTY, "others", NULL, describe_tty},
    {TYPE_INOTIFY, FILE_INOTIFY, "others", NULL, describe_inotify},
    {TYPE_EVENTFD, FILE_EVENTFD, "others", "eventfd", NULL},
    {TYPE_EVENTPOLL, FILE_EVENTPOLL, "others", "epoll", NULL},
    {TYPE_SIGNALFD, FILE_SIGNALFD, "others", "signalfd", NULL},
    {TYPE_TIMERFD, FILE_TIMERFD, "others", "timerfd", NULL},
    {TYPE_PIDFD, FILE_PIDFD, "others", "pidfd", NULL},
    {TYPE_FANOTIFY, 0, "others", "fanotify", NULL},
    {TYPE_NS, 0, "others", "namespace", NULL},
    {TYPE_TUN, 0, "others", "tun", NULL},
    {TYPE_EXTERNAL, 0, "others", "external", NULL},
    {TYPE_BPFMAP, 0, "others", "bpf map", NULL},
};

static void add_file(struct reading *reading, const char *list, uint64_t id, json_t *file) {
    char key[24];
    model_set_number(file, "id", id);
    json_array_append(model_get_or_make(reading->model, list, JSON_ARRAY), file);
    model_set(reading->files, model_key(id, key), file);
}

int model_read_file(struct reading *reading, const struct opened *opened, struct pb_view entry,
                    bool first) {
    uint64_t type = pb_number(entry, FILE_TYPE, 0), id = pb_number(entry, FILE_ID, 0);
    json_t *file = json_object();
    const char *list = "others";
    (void)opened;
    (void)first;
    model_set(file, "kind", json_string("unknown"));
    for (size_t i = 0; i < sizeof file_types / sizeof file_types[0]; i++) {
        if (file_types[i].type != type)
            continue;
        list = file_types[i].list;
        if (file_types[i].describe != NULL)
            file_types[i].describe(reading, file, pb_part(entry, file_types[i].part));
        else
            model_set(file, "kind", json_string(file_types[i].kind));
    }
    add_file(reading, list, id, file);
    return 0;
}

int model_read_old_regular(struct reading *reading, const struct opened *opened,
                           struct pb_view entry, bool first) {
    json_t *file = json_object();
    (void)opened;
    (void)first;
    describe_regular(reading, file, entry);
    add_file(reading, "files", pb_number(entry, REG_ID, 0), file);
    return 0;
}

int model_read_fdinfo(struct reading *reading, const struct opened *opened, struct pb_view entry,
                      bool first) {
    json_t *file = model_by_id(reading->files, pb_number(entry, FDINFO_ID, 0));
    json_t *pid;
    size_t index;
    (void)first;
    if (file == NULL)
        return 0;
    json_array_foreach(model_by_id(reading->tables, opened->number), index, pid) {
        json_t *descriptor = json_object();
        json_object_set(descriptor, "pid", pid);
        model_set_number(descriptor, "fd", pb_number(entry, FDINFO_FD, 0));
        json_array_append_new(model_get_or_make(file, "descriptors", JSON_ARRAY), descriptor);
    }
    return 0;
}

int model_read_pipe_data(struct reading *reading, const struct opened *opened, struct pb_view entry,
                         bool first) {
    char key[24];
    (void)opened;
    (void)first;
    model_set_number(reading->buffered, model_key(pb_number(entry, PIPE_DATA_ID, 0), key),
                     pb_number(entry, PIPE_DATA_BYTES, 0));
    return 0;
}

int model_read_memfd(struct reading *reading, const struct opened *opened, struct pb_view entry,
                     bool first) {
    char key[24];
    json_t *inode = json_object();
    (void)opened;
    (void)first;
    model_set_text(inode, "path", pb_part(entry, MEMFD_INODE_NAME));
    model_set_number(inode, "size", pb_number(entry, MEMFD_INODE_SIZE, 0));
    model_set(reading->memfds, model_key(pb_number(entry, MEMFD_INODE_ID, 0), key), inode);
    return 0;
}

int model_read_ghost(struct reading *reading, const struct opened *opened, struct pb_view entry,
                     bool first) {
    char key[24];
    json_t *ghost = json_object();
    uint64_t head = opened->image.length; // what stands before the contents
    uint64_t contents = opened->file_bytes > head ? opened->file_bytes - head : 0;
    (void)first;
    model_set_number(ghost, "size", pb_number(entry, GHOST_SIZE, contents));
    model_set_number(ghost, "image_bytes", contents);
    model_set(reading->ghosts, model_key(opened->number, key), ghost);
    return 0;
}

int model_read_remap(struct reading *reading, const struct opened *opened, struct pb_view entry,
                     bool first) {
    json_t *file = model_by_id(reading->files, pb_number(entry, REMAP_FILE, 0));
    json_t *ghost = model_by_id(reading->ghosts, pb_number(entry, REMAP_ID, 0));
    (void)opened;
    (void)first;
    if (file == NULL)
        return 0;
    model_set_bool(file, "deleted", true);
    if (ghost != NULL)
        json_object_set(file, "ghost", ghost);
    return 0;
}
