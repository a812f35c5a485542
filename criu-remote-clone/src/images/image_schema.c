// The tables are facts from CRIU 4.2's images/*.proto; the bounds are the kernel's, or what CRIU
// itself can hold (it doesn't check all of them: a signal's siginfo_t, for one, is copied by size).
#include "image_schema.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

enum type {
    TYPE_U32, // uint32 and enum
    TYPE_U64,
    TYPE_I32,
    TYPE_I64,
    TYPE_S32, // zigzag
    TYPE_FLAG,
    TYPE_FIXED64,
    TYPE_TEXT, // no NUL inside
    TYPE_BLOB,
    TYPE_EXACT, // a BLOB of just that length
    TYPE_MESSAGE,
    TYPE_OPAQUE, // a message that only says how the process itself was: registers, handlers
};

struct field {
    uint8_t number;
    uint8_t type;
    uint32_t most;    // times it may be there
    uint32_t longest; // bytes
    const struct schema *message;
};
struct schema {
    const char *name;
    size_t count;
    const struct field *fields;
};

#define U32(number)                                                                                \
    { number, TYPE_U32, 1, 0, NULL }
#define U32S(number, most)                                                                         \
    { number, TYPE_U32, most, 0, NULL }
#define U64(number)                                                                                \
    { number, TYPE_U64, 1, 0, NULL }
#define U64S(number, most)                                                                         \
    { number, TYPE_U64, most, 0, NULL }
#define I32(number)                                                                                \
    { number, TYPE_I32, 1, 0, NULL }
#define I64(number)                                                                                \
    { number, TYPE_I64, 1, 0, NULL }
#define S32(number)                                                                                \
    { number, TYPE_S32, 1, 0, NULL }
#define FLAG(number)                                                                               \
    { number, TYPE_FLAG, 1, 0, NULL }
#define FIXED64S(number, most)                                                                     \
    { number, TYPE_FIXED64, most, 0, NULL }
#define TEXT(number, longest)                                                                      \
    { number, TYPE_TEXT, 1, longest, NULL }
#define TEXTS(number, most, longest)                                                               \
    { number, TYPE_TEXT, most, longest, NULL }
#define BLOB(number, longest)                                                                      \
    { number, TYPE_BLOB, 1, longest, NULL }
#define EXACT(number, length)                                                                      \
    { number, TYPE_EXACT, 1, length, NULL }
#define PART(number, message)                                                                      \
    { number, TYPE_MESSAGE, 1, 0, &message##_schema }
#define PARTS(number, most, message)                                                               \
    { number, TYPE_MESSAGE, most, 0, &message##_schema }
#define OPAQUE(number)                                                                             \
    { number, TYPE_OPAQUE, 1, 0, NULL }
#define OPAQUES(number, most)                                                                      \
    { number, TYPE_OPAQUE, most, 0, NULL }
#define SCHEMA(message)                                                                            \
    static const struct schema message##_schema = {                                                \
        #message, sizeof message##_fields / sizeof message##_fields[0], message##_fields}

enum {
    MANY = 1 << 24, // bounded by the image's own size
    CAP_WORDS = 2,
    SIGNALS = 64,
    SIGNAL_QUEUE = 1 << 16,
    SIGINFO = 128, // sizeof(siginfo_t)
    COMM = 15,     // TASK_COMM_LEN
    DEVICE = 15,   // IFNAMSIZ
    UNIX_NAME = 108,
    LABEL = 4096,
    GROUPS = 65536, // NGROUPS_MAX
    LIMITS = 16,    // RLIM_NLIMITS
    VMAS = 1 << 20,
    BPF_CODE = 4096 * 8,
    TTY_BYTES = 1 << 16,
};

static const struct field fown_fields[] = {
    U32(1), U32(2), U32(3), U32(4), U32(5),
};
SCHEMA(fown);

static const struct field ids_fields[] = {
    U32(1), U32(2), U32(3), U32(4),  U32(5),  U32(6),
    U32(7), U32(8), U32(9), U32(10), U32(11), U32(12),
};
SCHEMA(ids);

static const struct field plugins_fields[] = {TEXTS(12, MANY, NAME_MAX)};
SCHEMA(plugins);

static const struct field inventory_fields[] = {
    U32(1), FLAG(2),  PART(3, ids), FLAG(4),           U32(5),       U32(6),   U64(8),
    U32(9), FLAG(10), U32(11),      PART(12, plugins), TEXT(13, 36), FLAG(14),
};
SCHEMA(inventory);

static const struct field pstree_fields[] = {
    U32(1), U32(2), U32(3), U32(4), U32S(5, MANY),
};
SCHEMA(pstree);

// core: task, thread, credentials

static const struct field itimer_fields[] = {U64(1), U64(2), U64(3), U64(4)};
SCHEMA(itimer);

static const struct field posix_timer_fields[] = {
    U32(1), U32(2), U32(3), U32(4), U64(5), U32(6), U64(7), U64(8), U64(9), U64(10), I32(11),
};
SCHEMA(posix_timer);

static const struct field timers_fields[] = {
    PART(1, itimer),
    PART(2, itimer),
    PART(3, itimer),
    PARTS(4, SIGNAL_QUEUE, posix_timer),
};
SCHEMA(timers);

static const struct field rlimit_fields[] = {U64(1), U64(2)};
SCHEMA(rlimit);

static const struct field rlimits_fields[] = {PARTS(1, LIMITS, rlimit)};
SCHEMA(rlimits);

static const struct field siginfo_fields[] = {EXACT(1, SIGINFO)};
SCHEMA(siginfo);

static const struct field signals_fields[] = {PARTS(1, SIGNAL_QUEUE, siginfo)};
SCHEMA(signals);

static const struct field task_fields[] = {
    U32(1),        U32(2),          U32(3),           U32(4),  U64(5),
    TEXT(6, COMM), PART(7, timers), PART(8, rlimits), U32(9),  PART(10, signals),
    U32(11),       U32(12),         U32(13),          I32(14), OPAQUES(15, SIGNALS),
    FLAG(18),      U64(20),         U32(21),          U32(22),
};
SCHEMA(task);

static const struct field creds_fields[] = {
    U32(1),
    U32(2),
    U32(3),
    U32(4),
    U32(5),
    U32(6),
    U32(7),
    U32(8),
    U32S(9, CAP_WORDS),
    U32S(10, CAP_WORDS),
    U32S(11, CAP_WORDS),
    U32S(12, CAP_WORDS),
    U32(13),
    U32S(14, GROUPS),
    TEXT(15, LABEL),
    TEXT(16, LABEL),
    U32(18),
    U32S(19, CAP_WORDS),
};
SCHEMA(creds);

static const struct field sas_fields[] = {U64(1), U64(2), U32(3)};
SCHEMA(sas);

static const struct field thread_fields[] = {
    U64(1),         U32(2),  S32(3),           U32(4),          U32(5),  U64(6),
    PART(7, sas),   U32(8),  PART(9, signals), PART(10, creds), U32(11), U32(12),
    TEXT(13, COMM), U64(14), OPAQUE(15),       U32(16),
};
SCHEMA(thread);

// 2 and 6 to 13 are the registers of one architecture each.
static const struct field core_fields[] = {
    U32(1),    OPAQUE(2), PART(3, task), PART(4, ids), PART(5, thread), OPAQUE(6),
    OPAQUE(8), OPAQUE(9), OPAQUE(10),    OPAQUE(11),   OPAQUE(12),      OPAQUE(13),
};
SCHEMA(core);

// Memory

static const struct field vma_fields[] = {
    U64(1), U64(2), U64(3), U64(4), U32(5), U32(6), U32(7), U64(8), U64(9), U32(10),
};
SCHEMA(vma);

static const struct field aio_fields[] = {U64(1), U32(2), U32(3)};
SCHEMA(aio);

static const struct field mm_fields[] = {
    U64(1),        U64(2),
    U64(3),        U64(4),
    U64(5),        U64(6),
    U64(7),        U64(8),
    U64(9),        U64(10),
    U64(11),       U32(12),
    U64S(13, 128), PARTS(14, VMAS, vma),
    I32(15),       PARTS(16, MANY, aio),
    FLAG(17),
};
SCHEMA(mm);

static const struct field pagemap_head_fields[] = {U32(1)};
SCHEMA(pagemap_head);

static const struct field pagemap_fields[] = {
    U64(1), U32(2), FLAG(3), U32(4), U64(5),
};
SCHEMA(pagemap);

static const struct field memfd_inode_fields[] = {
    TEXT(1, PATH_MAX), U32(2), U32(3), U64(4), U32(5), U32(6), U64(7), U32(8), U32(9),
};
SCHEMA(memfd_inode);

// Open files

static const struct field fdinfo_fields[] = {
    U32(1), U32(2), U32(3), U32(4), TEXT(5, LABEL),
};
SCHEMA(fdinfo);

static const struct field reg_fields[] = {
    U32(1),  U32(2),  U64(3),  PART(5, fown), TEXT(6, PATH_MAX - 1),
    S32(7),  U64(8),  FLAG(9), U32(10),       U32S(11, 64),
    U32(12), U32(13), U32(14),
};
SCHEMA(reg);

static const struct field socket_options_fields[] = {
    U32(1),   U32(2),   U64(3),           U64(4),
    U64(5),   U64(6),   FLAG(7),          U32(8),
    U32(9),   U32(10),  FLAG(11),         FLAG(12),
    FLAG(13), FLAG(14), TEXT(15, DEVICE), FIXED64S(16, 4096),
    FLAG(17), FLAG(18), FLAG(19),         U32(20),
    U32(21),  U32(22),  U32(23),          U32(24),
    U32(25),
};
SCHEMA(socket_options);

static const struct field ip_raw_fields[] = {FLAG(1), FLAG(2), FLAG(3), U32S(4, 8)};
SCHEMA(ip_raw);

static const struct field ip_options_fields[] = {
    FLAG(1), PART(4, ip_raw), FLAG(5), U32(6), U32(7),
};
SCHEMA(ip_options);

static const struct field tcp_options_fields[] = {
    FLAG(1), FLAG(2), U32(3), U32(4), U32(5),
};
SCHEMA(tcp_options);

static const struct field inet_fields[] = {
    U32(1),           U32(2),
    U32(3),           U32(4),
    U32(5),           U32(6),
    U32(7),           U32(8),
    U32(9),           U32(10),
    U32S(11, 4),      U32S(12, 4),
    PART(13, fown),   PART(14, socket_options),
    FLAG(15),         PART(16, ip_options),
    TEXT(17, DEVICE), U32(18),
    U32(19),          PART(20, tcp_options),
};
SCHEMA(inet);

static const struct field netlink_fields[] = {
    U32(1),
    U32(2),
    U32(3),
    U32(4),
    U32(6),
    U32(7),
    U32S(8, 32),
    U32(9),
    U32(10),
    PART(11, fown),
    PART(12, socket_options),
    U32(13),
};
SCHEMA(netlink);

static const struct field permissions_fields[] = {U32(1), U32(2), U32(3)};
SCHEMA(permissions);

static const struct field unix_socket_fields[] = {
    U32(1),
    U32(2),
    U32(3),
    U32(4),
    U32(5),
    U32(6),
    U32(7),
    U32(8),
    PART(9, fown),
    PART(10, socket_options),
    BLOB(11, UNIX_NAME),
    U32(12),
    PART(13, permissions),
    TEXT(14, PATH_MAX - 1),
    FLAG(15),
    U32(16),
    S32(17),
};
SCHEMA(unix_socket);

static const struct field eventfd_fields[] = {U32(1), U32(2), PART(3, fown), U64(4)};
SCHEMA(eventfd);

static const struct field epoll_watch_fields[] = {
    U32(1), U32(2), U32(3), U64(4), U32(5), U64(6), U64(7),
};
SCHEMA(epoll_watch);

static const struct field epoll_fields[] = {
    U32(1),
    U32(2),
    PART(3, fown),
    PARTS(4, MANY, epoll_watch),
};
SCHEMA(epoll);

static const struct field signalfd_fields[] = {U32(1), U32(2), PART(3, fown), U64(4)};
SCHEMA(signalfd);

static const struct field timerfd_fields[] = {
    U32(1), U32(2), PART(3, fown), U32(4), U64(5), U32(6), U64(7), U64(8), U64(9), U64(10),
};
SCHEMA(timerfd);

// Watches (5) name their file by a handle of the source's file system.
static const struct field inotify_fields[] = {
    U32(1),
    U32(2),
    PART(4, fown),
    OPAQUES(5, MANY),
};
SCHEMA(inotify);

static const struct field fifo_fields[] = {U32(1), U32(2), U32(3)};
SCHEMA(fifo);

static const struct field pipe_fields[] = {U32(1), U32(2), U32(3), PART(4, fown)};
SCHEMA(pipe);

static const struct field tty_fields[] = {
    U32(1), U32(2), U32(3), PART(4, fown), U32(6),
};
SCHEMA(tty);

static const struct field memfd_fields[] = {
    U32(1), U32(2), U64(3), PART(4, fown), U32(5),
};
SCHEMA(memfd);

static const struct field pidfd_fields[] = {
    U32(1), U32(2), U32(3), I32(4), PART(5, fown),
};
SCHEMA(pidfd);

// Not here: namespaces, tun and packet sockets, fanotify, external files, BPF maps.
static const struct field file_fields[] = {
    U32(1),
    U32(2),
    PART(3, reg),
    PART(4, inet),
    PART(7, netlink),
    PART(8, eventfd),
    PART(9, epoll),
    PART(10, signalfd),
    PART(12, timerfd),
    PART(13, inotify),
    PART(16, unix_socket),
    PART(17, fifo),
    PART(18, pipe),
    PART(19, tty),
    PART(20, memfd),
    PART(22, pidfd),
};
SCHEMA(file);

static const struct field winsize_fields[] = {U32(1), U32(2), U32(3), U32(4)};
SCHEMA(winsize);

static const struct field termios_fields[] = {
    U32(1), U32(2), U32(3), U32(4), U32(5), U32(6), U32(7), U32S(8, 32),
};
SCHEMA(termios);

static const struct field pty_fields[] = {U32(1)};
SCHEMA(pty);

static const struct field tty_info_fields[] = {
    U32(1),  U32(2),  FLAG(3),          FLAG(4),           FLAG(5),           U32(6),
    U32(7),  U32(8),  PART(9, termios), PART(10, termios), PART(11, winsize), PART(12, pty),
    U32(13), U32(14), U32(15),
};
SCHEMA(tty_info);

static const struct field tty_data_fields[] = {U32(1), BLOB(2, TTY_BYTES)};
SCHEMA(tty_data);

static const struct field pipe_data_fields[] = {U32(1), U32(2), U32(3)};
SCHEMA(pipe_data);

// Control messages: 1 is SCM_RIGHTS.
static const struct field scm_fields[] = {U32(1), U32S(2, 253)};
SCHEMA(scm);

static const struct field packet_fields[] = {U32(1), U32(2), PARTS(4, 16, scm)};
SCHEMA(packet);

static const struct field fs_fields[] = {U32(1), U32(2), U32(3)};
SCHEMA(fs);

static const struct field remap_fields[] = {U32(1), U32(2), U32(3)};
SCHEMA(remap);

static const struct field time_fields[] = {U64(1), U64(2)};
SCHEMA(time);

// Not here: a device's number and a symbolic link's target.
static const struct field ghost_fields[] = {
    U32(1), U32(2), U32(3), U32(4), U64(5), PART(7, time), PART(8, time), FLAG(9), U64(10),
};
SCHEMA(ghost);

static const struct field lock_fields[] = {
    U32(1), U32(2), I32(3), I32(4), I64(5), I64(6),
};
SCHEMA(lock);

static const struct field seccomp_filter_fields[] = {BLOB(1, BPF_CODE), U32(2), U32(3)};
SCHEMA(seccomp_filter);

static const struct field seccomp_fields[] = {PARTS(1, MANY, seccomp_filter)};
SCHEMA(seccomp);

static const struct field timens_fields[] = {PART(1, time), PART(2, time)};
SCHEMA(timens);

static const struct field dump_stats_fields[] = {OPAQUE(1), OPAQUE(2)};
SCHEMA(dump_stats);

static const struct {
    const char *kind;
    const struct schema *first; // NULL: as the rest
    const struct schema *rest;
} images[] = {
    {"inventory", NULL, &inventory_schema},
    {"pstree", NULL, &pstree_schema},
    {"ids", NULL, &ids_schema},
    {"core", NULL, &core_schema},
    {"mm", NULL, &mm_schema},
    {"pagemap", &pagemap_head_schema, &pagemap_schema},
    {"pagemap-shmem", &pagemap_head_schema, &pagemap_schema},
    {"memfd", NULL, &memfd_inode_schema},
    {"fdinfo", NULL, &fdinfo_schema},
    {"files", NULL, &file_schema},
    {"fs", NULL, &fs_schema},
    {"remap-fpath", NULL, &remap_schema},
    {"ghost-file", NULL, &ghost_schema},
    {"pipes-data", NULL, &pipe_data_schema},
    {"fifo-data", NULL, &pipe_data_schema},
    {"sk-queues", NULL, &packet_schema},
    {"tty-info", NULL, &tty_info_schema},
    {"tty-data", NULL, &tty_data_schema},
    {"filelocks", NULL, &lock_schema},
    {"seccomp", NULL, &seccomp_schema},
    {"timens", NULL, &timens_schema},
    {"stats", NULL, &dump_stats_schema},
};
#define IMAGES (sizeof images / sizeof images[0])

// What is checked now: for the message of a failure.
struct place {
    const char *image;
    const struct schema *schema;
    uint32_t number;
};

static int refuse(const struct place *place, const char *why, struct failure *failure) {
    return fail(failure, EXIT_IMAGE, "%s: field %u of %s %s", place->image, place->number,
                place->schema->name, why);
}

static uint8_t wire_type_of(uint8_t type) {
    switch (type) {
    case TYPE_FIXED64:
        return PB_FIXED64;
    case TYPE_TEXT:
    case TYPE_BLOB:
    case TYPE_EXACT:
    case TYPE_MESSAGE:
    case TYPE_OPAQUE:
        return PB_BYTES;
    default:
        return PB_VARINT;
    }
}

static bool fits_type(const struct field *rule, const struct pb_field *field) {
    switch (rule->type) {
    case TYPE_U32:
    case TYPE_S32:
        return field->value <= UINT32_MAX;
    case TYPE_I32: // sign-extended to 64 bits
        return (int64_t)field->value >= INT32_MIN && (int64_t)field->value <= INT32_MAX;
    case TYPE_FLAG:
        return field->value <= 1;
    case TYPE_TEXT:
        return field->length <= rule->longest && memchr(field->bytes, '\0', field->length) == NULL;
    case TYPE_BLOB:
        return field->length <= rule->longest;
    case TYPE_EXACT:
        return field->length == rule->longest;
    default:
        return true;
    }
}

static int check_message(struct place place, struct pb_view message, struct failure *failure);

static int check_field(const struct place *place, const struct field *rule,
                       const struct pb_field *field, struct failure *failure) {
    if (field->wire_type != wire_type_of(rule->type))
        return refuse(place, "is not of the type that CRIU writes", failure);
    if (!fits_type(rule, field))
        return refuse(place, "is out of bounds", failure);
    if (rule->type != TYPE_MESSAGE)
        return 0;
    struct place inner = {place->image, rule->message, 0};
    return check_message(inner, (struct pb_view){field->bytes, field->length}, failure);
}

static const struct field *find_rule(const struct schema *schema, uint32_t number, size_t *index) {
    for (*index = 0; *index < schema->count; (*index)++)
        if (schema->fields[*index].number == number)
            return &schema->fields[*index];
    return NULL;
}

#define MOST_FIELDS 32 // of one message

// The tables nest five deep at most, so the recursion is bounded by them, not by the image.
static int check_message(struct place place, struct pb_view message, struct failure *failure) {
    uint32_t seen[MOST_FIELDS] = {0};
    struct pb_field field;
    size_t position = 0, index;
    int more;
    while ((more = pb_next(message.bytes, message.length, &position, &field)) > 0) {
        place.number = field.number;
        const struct field *rule = find_rule(place.schema, field.number, &index);
        if (rule == NULL)
            return refuse(&place,
                          "is not one that a plain dump of CRIU 4.2 has; use that version of CRIU "
                          "on both hosts",
                          failure);
        if (++seen[index] > rule->most)
            return refuse(&place, "is there more often than it can be", failure);
        if (check_field(&place, rule, &field, failure) != 0)
            return -1;
    }
    if (more < 0)
        return fail(failure, EXIT_IMAGE, "%s: a message of %s is not valid protobuf", place.image,
                    place.schema->name);
    return 0;
}

bool image_schema_knows(const char *kind) {
    for (size_t i = 0; i < IMAGES; i++)
        if (strcmp(images[i].kind, kind) == 0)
            return true;
    return false;
}

int image_schema_check(const char *kind, bool first, struct pb_view entry, const char *name,
                       struct failure *failure) {
    for (size_t i = 0; i < IMAGES; i++) {
        if (strcmp(images[i].kind, kind) != 0)
            continue;
        bool head = first && images[i].first != NULL;
        struct place place = {name, head ? images[i].first : images[i].rest, 0};
        return check_message(place, entry, failure);
    }
    return fail(failure, EXIT_IMAGE, "%s: a plain dump makes no %s image", name, kind);
}
