// The rule of docs/images.md. Every image is first held against the tables of image_schema.c, so
// that the code below may read fields as CRIU will; then each kind has its own check, which notes
// what only all images together can tell; policy_complete() looks at the notes.
#include "policy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <linux/memfd.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "image.h"
#include "image_fields.h"
#include "image_schema.h"

// O_LARGEFILE is 0 in 64-bit user space, the kernel's isn't; it differs between architectures.
#if defined(__aarch64__)
#define KERNEL_LARGEFILE 0400000
#else
#define KERNEL_LARGEFILE 0100000
#endif
#define PLAIN_OPEN_FLAGS                                                                           \
    (O_ACCMODE | O_APPEND | O_NONBLOCK | O_DSYNC | O_SYNC | O_ASYNC | O_DIRECT |                   \
     KERNEL_LARGEFILE | O_DIRECTORY | O_NOFOLLOW | O_NOATIME | O_CLOEXEC | O_PATH | O_TMPFILE)

enum {
    PID_LIMIT = 1 << 22, // PID_MAX_LIMIT
    MOST_NOTES = 1 << 20,
    MOST_PIPE_BYTES = 1 << 20, // fs.pipe-max-size
    MOST_SOCKET_BUFFER = 64 << 20,
    FIRST_USER_PORT = 1024,
};

// ---- Notes: what one image says and another has to bear out

enum note_kind {
    NOTE_IMAGE,     // text: its name
    NOTE_TASK,      // id: pid
    NOTE_THREAD,    // id: tid
    NOTE_DEAD,      // id: pid of a zombie
    NOTE_TABLE,     // id: pid, value: its file table (fdinfo)
    NOTE_NAMESPACE, // id: enum ids_field, value: CRIU's id of the namespace
    NOTE_OWNER,     // id: pid that gets a file's signals
    NOTE_FILE,      // id, value: enum file_type; flags, mode, text: path of TYPE_REG
    NOTE_OPEN,      // id: file with a descriptor, value: enum file_type
    NOTE_PASSED,    // id: file on its way through a socket
    NOTE_MAPPED,    // id: file, value: enum file_type, flags: to open it with
    NOTE_EXE,       // id: file
    NOTE_CWD,       // id: file
    NOTE_ROOT,      // id: file
    NOTE_TERMINAL,  // id: file that is a terminal's path
    NOTE_FIFO,      // id: file that is a FIFO's path
    NOTE_REMAP,     // id: file, value: ghost
    NOTE_GHOST,     // id
    NOTE_SOCKET,    // text: path
    NOTE_FILTER,    // id: index of a system-call filter that a thread uses
};

struct note {
    enum note_kind kind;
    uint32_t id;
    uint32_t value;
    int flags;
    mode_t mode;
    char *text;
};

struct policy_memory {
    struct note *notes;
    size_t count, capacity;
    struct policy_caller caller;
    bool has_inventory;
    uint32_t root_namespaces[IDS_TIME_NS + 1]; // by enum ids_field
    uint32_t filter_count;
};

struct check {
    struct policy *policy;
    struct policy_memory *memory;
    const struct policy_caller *caller;
    const char *image;
    uint32_t number; // in its name
    struct failure *failure;
};

// Names and paths are a stranger's and go to terminals and logs: no control characters, nor those
// of Latin-1 in UTF-8 (C2 80 to C2 9F).
static void make_printable(char *text) {
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text, next = (unsigned char)text[1];
        bool latin = byte == 0xc2 && next >= 0x80 && next < 0xa0;
        if (byte < 0x20 || byte == 0x7f || latin)
            *text = '?';
        if (latin)
            text[1] = '?';
    }
}

__attribute__((format(printf, 2, 3))) static int refuse(const struct check *check,
                                                        const char *format, ...) {
    char why[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    fail(check->failure, EXIT_IMAGE, "%s: %s", check->image, why);
    make_printable(check->failure->text);
    return -1;
}

static int grow_notes(struct check *check) {
    struct policy_memory *memory = check->memory;
    size_t capacity = memory->capacity == 0 ? 256 : 2 * memory->capacity;
    if (capacity > MOST_NOTES)
        return refuse(check, "the images have more entries than any process needs");
    struct note *grown = realloc(memory->notes, capacity * sizeof *grown);
    if (grown == NULL)
        return fail(check->failure, EXIT_SPACE, "out of memory");
    memory->notes = grown;
    memory->capacity = capacity;
    return 0;
}

static int add_note(struct check *check, struct note note, struct pb_view text) {
    struct policy_memory *memory = check->memory;
    if (memory->count == memory->capacity && grow_notes(check) != 0)
        return -1;
    if (text.bytes != NULL) {
        note.text = strndup((const char *)text.bytes, text.length);
        if (note.text == NULL)
            return fail(check->failure, EXIT_SPACE, "out of memory");
    }
    memory->notes[memory->count++] = note;
    return 0;
}

static int note(struct check *check, enum note_kind kind, uint64_t id, uint64_t value) {
    struct note plain = {.kind = kind, .id = (uint32_t)id, .value = (uint32_t)value};
    return add_note(check, plain, (struct pb_view){0});
}

static int compare_notes(const void *left, const void *right) {
    const struct note *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return strcmp(a->text != NULL ? a->text : "", b->text != NULL ? b->text : "");
}

// The notes are sorted by now: the first of that kind and id, or NULL.
static const struct note *find_note(const struct check *check, enum note_kind kind, uint32_t id) {
    const struct note *notes = check->memory->notes;
    struct note wanted = {.kind = kind, .id = id};
    size_t low = 0, high = check->memory->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_notes(&notes[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool there = low < check->memory->count && notes[low].kind == kind && notes[low].id == id;
    return there ? &notes[low] : NULL;
}

static bool has_image(const struct check *check, const char *name) {
    const struct policy_memory *memory = check->memory;
    struct note wanted = {.kind = NOTE_IMAGE, .text = (char *)(uintptr_t)name};
    return memory->count > 0 && bsearch(&wanted, memory->notes, memory->count,
                                        sizeof *memory->notes, compare_notes) != NULL;
}

// ---- Who the user is

static bool is_group_of(const struct policy *policy, uint64_t gid) {
    if (gid == policy->gid)
        return true;
    for (size_t i = 0; i < policy->group_count; i++)
        if (gid == policy->groups[i])
            return true;
    return false;
}

static bool may(const struct check *check, unsigned capability) {
    return check->caller->capabilities >> capability & 1;
}

static bool only_users_groups(const struct policy *policy) {
    int count = getgroups(0, NULL);
    gid_t *groups = count > 0 ? calloc((size_t)count, sizeof *groups) : NULL;
    bool only = count == 0;
    if (groups != NULL && getgroups(count, groups) == count) {
        only = true;
        for (int i = 0; i < count; i++)
            only = only && is_group_of(policy, groups[i]);
    }
    free(groups);
    return only;
}

// The first line of a file below /proc/self, without its end; empty if it can't be read.
static void read_own(const char *path, char *line, size_t size) {
    line[0] = '\0';
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    if (fgets(line, (int)size, file) == NULL)
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    fclose(file);
}

static uint64_t own_capabilities(void) {
    uint64_t permitted = 0;
    char line[256];
    FILE *file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "CapPrm: %" SCNx64, &permitted) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return permitted;
}

static void read_caller(const struct policy *policy, struct policy_caller *caller) {
    char line[32];
    *caller = (struct policy_caller){.login_uid = UINT32_MAX};
    if (policy->uid == geteuid())
        caller->capabilities = own_capabilities();
    read_own("/proc/self/loginuid", line, sizeof line);
    if (line[0] != '\0')
        caller->login_uid = (uint32_t)strtoul(line, NULL, 10);
    read_own("/proc/self/oom_score_adj", line, sizeof line);
    caller->oom_score_adj = (int)strtol(line, NULL, 10);
    caller->nice = getpriority(PRIO_PROCESS, 0);
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit limit;
        caller->limits[i] = getrlimit((__rlimit_resource_t)i, &limit) == 0 ? limit.rlim_max : 0;
    }
    caller->only_users_groups = only_users_groups(policy);
    read_own("/proc/self/attr/current", caller->label, sizeof caller->label);
    caller->label[strcspn(caller->label, " ")] = '\0'; // AppArmor: "profile (enforce)"
    if (strcmp(caller->label, "unconfined") == 0)
        caller->label[0] = '\0';
}

// ---- Small rules that several images share

static bool equals(struct pb_view text, const char *wanted) {
    return text.bytes != NULL && strlen(wanted) == text.length &&
           memcmp(text.bytes, wanted, text.length) == 0;
}

// Signals for a file's I/O are sent with these ids: CRIU takes them on to set the owner.
static int check_owner(struct check *check, struct pb_view owner) {
    uint64_t pid = pb_number(owner, OWNER_PID, 0);
    if (pid == 0)
        return 0;
    if (pb_number(owner, OWNER_UID, 0) != check->policy->uid ||
        pb_number(owner, OWNER_EUID, 0) != check->policy->uid)
        return refuse(check, "signals of a file would be sent as user %" PRIu64 ", not as %u",
                      pb_number(owner, OWNER_UID, 0), check->policy->uid);
    return note(check, NOTE_OWNER, pid, 0);
}

static int check_open_flags(struct check *check, uint64_t flags) {
    if ((flags & ~(uint64_t)PLAIN_OPEN_FLAGS) != 0 || (flags & O_ACCMODE) == O_ACCMODE)
        return refuse(
            check, "a file would be opened with flags 0%" PRIo64 ", which no open file has", flags);
    return 0;
}

// A file that CRIU makes and gives away.
static int check_given_file(struct check *check, const char *what, uint64_t uid, uint64_t gid,
                            uint64_t mode) {
    if (uid != check->policy->uid || !is_group_of(check->policy, gid))
        return refuse(check,
                      "%s would be made for user %" PRIu64 " and group %" PRIu64
                      ", which aren't those of user %u",
                      what, uid, gid, check->policy->uid);
    if ((mode & (S_ISUID | S_ISGID)) != 0)
        return refuse(check, "%s would be made set-user-ID or set-group-ID (mode 0%" PRIo64 ")",
                      what, mode);
    return 0;
}

static int check_label(struct check *check, struct pb_view label) {
    if (label.bytes == NULL || equals(label, check->caller->label))
        return 0;
    return refuse(check,
                  "it has the security label '%.*s', but the caller runs as '%s': pull from a "
                  "process with that label",
                  (int)(label.length < 200 ? label.length : 200), (const char *)label.bytes,
                  check->caller->label);
}

static int note_namespaces(struct check *check, struct pb_view ids) {
    // A time namespace only shifts clocks: each clone gets one.
    for (uint32_t field = IDS_PID_NS; field < IDS_TIME_NS; field++) {
        uint64_t id = pb_number(ids, field, 0);
        if (id != 0 && note(check, NOTE_NAMESPACE, field, id) != 0)
            return -1;
    }
    return 0;
}

// ---- inventory, pstree, ids

static int check_run_id(struct check *check, struct pb_view id) {
    // CRIU writes it into a command for nft when it unlocks the network.
    for (size_t i = 0; i < id.length; i++)
        if (strchr("0123456789abcdef-", id.bytes[i]) == NULL)
            return refuse(check, "the run id is not one that CRIU gives");
    return 0;
}

static int check_inventory(struct check *check, struct pb_view entry, bool first) {
    (void)first;
    struct pb_view ids = pb_part(entry, INVENTORY_ROOT_IDS);
    if (check->memory->has_inventory)
        return refuse(check, "it has more than one entry");
    if (pb_number(entry, INVENTORY_VERSION, 0) != 2 || ids.bytes == NULL ||
        !pb_number(entry, INVENTORY_IDS_PER_FDINFO, 0))
        return refuse(check, "it isn't that of a dump by CRIU 2 or later");
    if (pb_number(entry, INVENTORY_LOCK_METHOD, 0) > 2 ||
        pb_number(entry, INVENTORY_UPROBES, 0) != 0)
        return refuse(check, "it asks for a network lock or for probes that we don't use");
    if (pb_part(entry, INVENTORY_PLUGINS).length > 0)
        return refuse(check,
                      "it needs a plug-in of CRIU: the process uses a device we can't clone");
    for (uint32_t field = IDS_PID_NS; field <= IDS_TIME_NS; field++)
        check->memory->root_namespaces[field] = (uint32_t)pb_number(ids, field, 0);
    check->memory->has_inventory = true;
    return check_run_id(check, pb_part(entry, INVENTORY_RUN_ID));
}

static bool is_pid(uint64_t pid) {
    return pid > 1 && pid < PID_LIMIT;
}

static int check_pstree(struct check *check, struct pb_view entry, bool first) {
    uint64_t pid = pb_number(entry, PSTREE_PID, 0);
    uint64_t parent = pb_number(entry, PSTREE_PARENT, 0);
    if (!is_pid(pid) || first != (parent == 0))
        return refuse(check, "it isn't one tree of processes with ids from 2 to %d", PID_LIMIT - 1);
    if (pb_number(entry, PSTREE_GROUP, 0) >= PID_LIMIT ||
        pb_number(entry, PSTREE_SESSION, 0) >= PID_LIMIT)
        return refuse(check, "process %" PRIu64 " has an impossible group or session", pid);
    if (note(check, NOTE_TASK, pid, parent) != 0)
        return -1;
    struct pb_field field;
    size_t position = 0, threads = 0;
    while (pb_next(entry.bytes, entry.length, &position, &field) > 0) {
        // The first is the process itself (and garbage for a zombie, CRIU 4.2).
        if (field.number != PSTREE_THREADS || threads++ == 0)
            continue;
        if (!is_pid(field.value))
            return refuse(check, "process %" PRIu64 " has an impossible thread", pid);
        if (note(check, NOTE_THREAD, field.value, pid) != 0)
            return -1;
    }
    return 0;
}

static int check_ids(struct check *check, struct pb_view entry, bool first) {
    if (!first)
        return refuse(check, "it has more than one entry");
    if (note(check, NOTE_TABLE, check->number, pb_number(entry, IDS_FILES, 0)) != 0)
        return -1;
    return note_namespaces(check, entry);
}

// ---- core

static uint64_t capability_set(struct pb_view creds, uint32_t number) {
    struct pb_field field;
    size_t position = 0;
    unsigned words = 0;
    uint64_t set = 0;
    while (pb_next(creds.bytes, creds.length, &position, &field) > 0)
        if (field.number == number)
            set |= field.value << (32 * words++);
    return set;
}

static int check_capabilities(struct check *check, struct pb_view creds) {
    // Not the bounding set: it can only be made smaller.
    static const uint32_t sets[] = {CREDS_CAP_INHERITABLE, CREDS_CAP_PERMITTED, CREDS_CAP_EFFECTIVE,
                                    CREDS_CAP_AMBIENT};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        uint64_t beyond = capability_set(creds, sets[i]) & ~check->caller->capabilities;
        if (beyond != 0)
            return refuse(check,
                          "the process has capabilities that the caller doesn't have (%" PRIx64
                          "): clone it as a user who has them, or drop them there",
                          beyond);
    }
    if (pb_number(creds, CREDS_SECUREBITS, 0) != 0 && !may(check, CAP_SETPCAP))
        return refuse(check, "the process has secure bits set, which need CAP_SETPCAP");
    return 0;
}

static int check_groups(struct check *check, struct pb_view creds) {
    struct pb_field field;
    size_t position = 0, count = 0;
    while (pb_next(creds.bytes, creds.length, &position, &field) > 0) {
        if (field.number != CREDS_GROUPS)
            continue;
        count++;
        if (!is_group_of(check->policy, field.value))
            return refuse(check,
                          "the process is in group %" PRIu64
                          ", user %u isn't: put the user into the group on this host as well",
                          field.value, check->policy->uid);
    }
    // CRIU then sets none and the clone keeps CRIU's own.
    if (count == 0 && !check->caller->only_users_groups)
        return refuse(check,
                      "the process has no supplementary groups and would get ours, which aren't "
                      "those of user %u: give them up before the pull (setpriv --clear-groups)",
                      check->policy->uid);
    return 0;
}

static int check_creds(struct check *check, struct pb_view creds) {
    struct pb_field field;
    for (uint32_t number = CREDS_UID; number <= CREDS_FSGID; number++) {
        bool user = (number - CREDS_UID) % 2 == 0; // they alternate
        uint32_t wanted = user ? check->policy->uid : check->policy->gid;
        if (!pb_find(creds.bytes, creds.length, number, &field))
            return refuse(check, "its credentials are incomplete");
        if (field.value != wanted)
            return refuse(check,
                          "the process runs as %s %" PRIu64 ", the caller is %s %u: pull as the "
                          "user it belongs to",
                          user ? "user" : "group", field.value, user ? "user" : "group", wanted);
    }
    if (check_groups(check, creds) != 0 || check_capabilities(check, creds) != 0)
        return -1;
    if (pb_part(creds, CREDS_LSM_SOCKCREATE).bytes != NULL)
        return refuse(check, "it labels its sockets itself, which we don't restore");
    return check_label(check, pb_part(creds, CREDS_LSM_PROFILE));
}

static int check_scheduling(struct check *check, struct pb_view thread) {
    uint64_t zigzag = pb_number(thread, THREAD_NICE, 0);
    int nice = (int)((int64_t)(zigzag >> 1) ^ -(int64_t)(zigzag & 1));
    int own = check->caller->nice < 0 ? check->caller->nice : 0;
    uint64_t policy = pb_number(thread, THREAD_POLICY, SCHED_OTHER) & ~SCHED_RESET_ON_FORK;
    bool real_time = policy != SCHED_OTHER && policy != SCHED_BATCH && policy != SCHED_IDLE;
    if ((nice < own || real_time) && !may(check, CAP_SYS_NICE))
        return refuse(check,
                      "a thread has scheduling policy %" PRIu64
                      " at nice %d, which the caller couldn't give it",
                      policy, nice);
    return 0;
}

static int check_filtering(struct check *check, struct pb_view thread) {
    uint64_t mode = pb_number(thread, THREAD_SECCOMP_MODE, SECCOMP_MODE_DISABLED);
    if (mode > SECCOMP_MODE_FILTER)
        return refuse(check, "a thread has an unknown seccomp mode");
    if (mode != SECCOMP_MODE_FILTER)
        return 0;
    // Else a filter can make a set-user-ID program misbehave: seccomp(2), EACCES.
    struct pb_view creds = pb_part(thread, THREAD_CREDS);
    if (pb_number(creds, CREDS_NO_NEW_PRIVS, 0) != 1 && !may(check, CAP_SYS_ADMIN))
        return refuse(check, "it filters system calls without no_new_privs, which needs "
                             "CAP_SYS_ADMIN");
    return note(check, NOTE_FILTER, pb_number(thread, THREAD_SECCOMP_FILTER, 0), 0);
}

static int check_thread(struct check *check, struct pb_view thread) {
    struct pb_view creds = pb_part(thread, THREAD_CREDS);
    // Without, CRIU leaves the process its own credentials.
    if (creds.bytes == NULL)
        return refuse(check, "it has no credentials");
    if (check_creds(check, creds) != 0 || check_scheduling(check, thread) != 0)
        return -1;
    return check_filtering(check, thread);
}

static int check_timers(struct check *check, struct pb_view timers) {
    struct pb_field field;
    size_t position = 0;
    while (pb_next(timers.bytes, timers.length, &position, &field) > 0) {
        if (field.number != TIMERS_POSIX)
            continue;
        struct pb_view timer = {field.bytes, field.length};
        uint64_t clock = pb_number(timer, TIMER_CLOCK, 0);
        bool wakes = clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM;
        if (wakes && !may(check, CAP_WAKE_ALARM))
            return refuse(check, "a timer can wake the host up, which needs CAP_WAKE_ALARM");
    }
    return 0;
}

static int check_limits(struct check *check, struct pb_view limits) {
    static const char *const names[RLIM_NLIMITS] = {
        "cpu",     "fsize", "data",  "stack",      "core",     "rss",  "nproc",  "nofile",
        "memlock", "as",    "locks", "sigpending", "msgqueue", "nice", "rtprio", "rttime"};
    struct pb_field field;
    size_t position = 0, index = 0;
    while (pb_next(limits.bytes, limits.length, &position, &field) > 0) {
        uint64_t hard = pb_number((struct pb_view){field.bytes, field.length}, RLIMIT_HARD, 0);
        if (index < RLIM_NLIMITS && hard > check->caller->limits[index] &&
            !may(check, CAP_SYS_RESOURCE))
            return refuse(check,
                          "the process's hard limit of '%s' is %" PRIu64 ", the caller's only "
                          "%" PRIu64 ": raise it here (ulimit -H) or lower it there",
                          names[index], hard, check->caller->limits[index]);
        index++;
    }
    return 0;
}

static int check_task(struct check *check, struct pb_view task) {
    uint64_t login = pb_number(task, TASK_LOGINUID, UINT32_MAX);
    if (login != UINT32_MAX && login != check->policy->uid && login != check->caller->login_uid &&
        !may(check, CAP_AUDIT_CONTROL))
        return refuse(check, "user %" PRIu64 " would be audited for what the clone does", login);
    int badness = (int)(int64_t)pb_number(task, TASK_OOM_SCORE_ADJ, 0);
    // 0 isn't restored: the clone then has its parent's.
    if (badness != 0 && badness < check->caller->oom_score_adj && !may(check, CAP_SYS_RESOURCE))
        return refuse(check,
                      "its oom_score_adj is %d, the caller's %d: only root may shield it more",
                      badness, check->caller->oom_score_adj);
    if (pb_number(task, TASK_OLD_SECCOMP_MODE, 0) != 0)
        return refuse(check, "it is in the format of CRIU before 3.0");
    if (check_timers(check, pb_part(task, TASK_TIMERS)) != 0)
        return -1;
    return check_limits(check, pb_part(task, TASK_RLIMITS));
}

// CRIU's task states.
enum { STATE_ALIVE = 1, STATE_DEAD = 2, STATE_STOPPED = 3, STATE_ZOMBIE = 6 };

// A process's core has a task part, a further thread's hasn't; both have a thread part, zombies
// haven't.
static int check_core(struct check *check, struct pb_view entry, bool first) {
    struct pb_view task = pb_part(entry, CORE_TASK);
    if (!first)
        return refuse(check, "it has more than one entry");
    if (task.bytes != NULL) {
        uint64_t state = pb_number(task, TASK_STATE, 0);
        if (check_task(check, task) != 0)
            return -1;
        if (state == STATE_DEAD || state == STATE_ZOMBIE)
            return note(check, NOTE_DEAD, check->number, 0);
        if (state != STATE_ALIVE && state != STATE_STOPPED)
            return refuse(check, "the process is in the unknown state %" PRIu64, state);
    }
    if (note_namespaces(check, pb_part(entry, CORE_IDS)) != 0)
        return -1;
    return check_thread(check, pb_part(entry, CORE_THREAD));
}

// ---- Memory

// CRIU's kinds of areas: all but SysV shared memory, packet rings, probes and devices of plug-ins.
enum vma_status {
    VMA_FILE_PRIVATE = 1 << 6,
    VMA_FILE_SHARED = 1 << 7,
    VMA_MEMFD = 1 << 14,
    VMA_PLAIN = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 | VMA_FILE_PRIVATE | VMA_FILE_SHARED |
                1 << 8 | 1 << 9 | 1 << 12 | 1 << 13 | VMA_MEMFD | 1 << 15 | 1 << 16,
};

static int note_mapped(struct check *check, struct pb_view vma) {
    uint64_t status = pb_number(vma, VMA_STATUS, 0);
    bool writes = (status & VMA_FILE_SHARED) != 0 && (pb_number(vma, VMA_PROT, 0) & PROT_WRITE);
    uint64_t flags = pb_number(vma, VMA_OPEN_FLAGS, writes ? O_RDWR : O_RDONLY);
    uint64_t id = pb_number(vma, VMA_SHMID, 0);
    if (check_open_flags(check, flags) != 0)
        return -1;
    if (id > UINT32_MAX)
        return refuse(check, "a mapping is of an impossible file");
    struct note mapped = {.kind = NOTE_MAPPED,
                          .id = (uint32_t)id,
                          .value = status & VMA_MEMFD ? TYPE_MEMFD : TYPE_REG,
                          .flags = (int)flags};
    return add_note(check, mapped, (struct pb_view){0});
}

// Adds to *locked what of the area is locked in memory.
static int check_vma(struct check *check, struct pb_view vma, uint64_t *locked) {
    uint64_t start = pb_number(vma, VMA_START, 0), end = pb_number(vma, VMA_END, 0);
    uint64_t status = pb_number(vma, VMA_STATUS, 0);
    if (end <= start || end - start > UINT64_MAX / 2 - *locked)
        return refuse(check, "a memory area ends before it begins");
    if ((status & ~(uint64_t)VMA_PLAIN) != 0)
        return refuse(check,
                      "the memory at %" PRIx64 " is of a kind (%" PRIx64
                      ") that we don't clone: System V shared memory, a device, a packet ring",
                      start, status);
    if (pb_number(vma, VMA_FLAGS, 0) & MAP_LOCKED)
        *locked += end - start;
    if ((status & (VMA_FILE_PRIVATE | VMA_FILE_SHARED)) == 0)
        return 0;
    return note_mapped(check, vma);
}

static int check_mm(struct check *check, struct pb_view entry, bool first) {
    struct pb_field field;
    size_t position = 0;
    uint64_t locked = 0;
    if (!first)
        return refuse(check, "it has more than one entry");
    while (pb_next(entry.bytes, entry.length, &position, &field) > 0)
        if (field.number == MM_VMAS &&
            check_vma(check, (struct pb_view){field.bytes, field.length}, &locked) != 0)
            return -1;
    if (locked > check->caller->limits[RLIMIT_MEMLOCK] && !may(check, CAP_IPC_LOCK))
        return refuse(check,
                      "%" PRIu64 " bytes are locked in memory, the caller may lock %" PRIu64
                      ": raise the limit (ulimit -l)",
                      locked, check->caller->limits[RLIMIT_MEMLOCK]);
    return note(check, NOTE_EXE, pb_number(entry, MM_EXE_FILE, 0), 0);
}

static int check_pagemap(struct check *check, struct pb_view entry, bool first) {
    enum { PAGES_IN_PARENT = 1 };
    if (!first && (pb_number(entry, PAGEMAP_IN_PARENT, 0) ||
                   (pb_number(entry, PAGEMAP_FLAGS, 0) & PAGES_IN_PARENT)))
        return refuse(check, "it is an increment to other images");
    return 0;
}

static int check_memfd(struct check *check, struct pb_view entry, bool first) {
    (void)first;
    uint64_t huge = pb_number(entry, MEMFD_INODE_HUGE, 0);
    uint64_t allowed = MFD_HUGETLB | (uint64_t)MFD_HUGE_MASK << MFD_HUGE_SHIFT;
    if ((huge & ~allowed) != 0)
        return refuse(check, "a memfd would be made with unknown flags");
    return check_given_file(check, "a memfd", pb_number(entry, MEMFD_INODE_UID, 0),
                            pb_number(entry, MEMFD_INODE_GID, 0),
                            pb_number(entry, MEMFD_INODE_MODE, 0));
}

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
    if (name.bytes == NULL || (!equals(name, "/") && !image_plain_path(path, name.length)))
        return refuse(check, "an open file's path is not absolute and plain: '%.*s'",
                      (int)(name.length < 200 ? name.length : 200), path != NULL ? path : "");
    if (check_open_flags(check, flags) != 0)
        return -1;
    if (pb_number(file, REG_EXTERNAL, 0) || pb_number(file, REG_MOUNT, 1) != 1)
        return refuse(check, "%.*s is of another mount namespace", (int)name.length, path);
    if (!can_be_verified(file, flags, mode))
        return refuse(check, "%.*s has no mode or size to compare the file with", (int)name.length,
                      path);
    struct note regular = {.kind = NOTE_FILE,
                           .id = (uint32_t)pb_number(file, REG_ID, 0),
                           .value = TYPE_REG,
                           .flags = (int)flags,
                           .mode = mode};
    return add_note(check, regular, name);
}

static int check_socket_options(struct check *check, struct pb_view options) {
    if (pb_number(options, SOCKET_MARK, 0) != 0 && !may(check, CAP_NET_ADMIN))
        return refuse(check, "a socket marks its packets, which needs CAP_NET_ADMIN");
    if (pb_number(options, SOCKET_PRIORITY, 0) > 6 && !may(check, CAP_NET_ADMIN))
        return refuse(check, "a socket has a priority above 6, which needs CAP_NET_ADMIN");
    if (pb_part(options, SOCKET_DEVICE).length > 0 && !may(check, CAP_NET_RAW))
        return refuse(check, "a socket is bound to a device, which needs CAP_NET_RAW");
    if (pb_number(options, SOCKET_SEND_BUFFER, 0) > MOST_SOCKET_BUFFER ||
        pb_number(options, SOCKET_RECEIVE_BUFFER, 0) > MOST_SOCKET_BUFFER)
        return refuse(check, "a socket's buffer is larger than %d MiB", MOST_SOCKET_BUFFER >> 20);
    return 0;
}

static int note_socket(struct check *check, struct pb_view socket, uint32_t options_field,
                       uint32_t namespace_field) {
    uint64_t namespace = pb_number(socket, namespace_field, 0);
    if (check_socket_options(check, pb_part(socket, options_field)) != 0)
        return -1;
    return namespace == 0 ? 0 : note(check, NOTE_NAMESPACE, IDS_NET_NS, namespace);
}

static int check_inet(struct check *check, struct pb_view socket) {
    enum { TCP_CLOSE = 7, TCP_LISTEN = 10 };
    uint64_t family = pb_number(socket, INET_FAMILY, 0), type = pb_number(socket, INET_TYPE, 0);
    uint64_t protocol = pb_number(socket, INET_PROTOCOL, 0);
    uint64_t port = pb_number(socket, INET_LOCAL_PORT, 0);
    uint64_t state = pb_number(socket, INET_STATE, 0);
    bool plain = (type == SOCK_STREAM && protocol == IPPROTO_TCP) ||
                 (type == SOCK_DGRAM && (protocol == IPPROTO_UDP || protocol == IPPROTO_UDPLITE));
    if ((family != AF_INET && family != AF_INET6) || !plain ||
        pb_part(pb_part(socket, INET_IP_OPTIONS), IP_OPTIONS_RAW).bytes != NULL)
        return refuse(check, "an internet socket is neither TCP nor UDP");
    // Connected ones are restored closed, without their address.
    bool bound = type == SOCK_DGRAM || state == TCP_LISTEN || state == TCP_CLOSE;
    if (bound && port > 0 && port < FIRST_USER_PORT && !may(check, CAP_NET_BIND_SERVICE))
        return refuse(
            check, "a socket is bound to port %" PRIu64 ", which needs CAP_NET_BIND_SERVICE", port);
    return note_socket(check, socket, INET_OPTIONS, INET_NET_NS);
}

// CRIU goes to the directory and then uses the name.
static int note_socket_path(struct check *check, struct pb_view socket, struct pb_view name) {
    char path[8192];
    struct pb_view directory = pb_part(socket, UNIX_DIRECTORY);
    size_t length = strnlen((const char *)name.bytes, name.length);
    bool relative = name.bytes[0] != '/';
    bool from_root = relative && equals(directory, "/");
    bool from_nowhere = relative && !from_root &&
                        (directory.bytes == NULL ||
                         !image_plain_path((const char *)directory.bytes, directory.length));
    if (!relative || from_root)
        directory.length = 0;
    int size = snprintf(path, sizeof path, "%.*s%s%.*s", (int)directory.length,
                        (const char *)directory.bytes, relative ? "/" : "", (int)length,
                        (const char *)name.bytes);
    if (from_nowhere || length + 1 < name.length || !image_plain_path(path, (size_t)size))
        return refuse(check, "a unix socket's path is not plain: '%.200s'", path);
    struct note named = {.kind = NOTE_SOCKET};
    return add_note(check, named, (struct pb_view){(const uint8_t *)path, (size_t)size});
}

static int check_unix(struct check *check, struct pb_view socket) {
    struct pb_view name = pb_part(socket, UNIX_NAME);
    struct pb_view given = pb_part(socket, UNIX_PERMISSIONS);
    if (pb_number(socket, UNIX_KIND_FLAGS, 0) != 0 || pb_number(socket, UNIX_MOUNT, 1) != 1)
        return refuse(check, "a unix socket is connected to a process outside the image");
    if (given.bytes != NULL &&
        check_given_file(check, "a unix socket", pb_number(given, PERMISSIONS_UID, 0),
                         pb_number(given, PERMISSIONS_GID, 0),
                         pb_number(given, PERMISSIONS_MODE, 0)) != 0)
        return -1;
    // A name that begins with NUL is in no file system.
    if (name.length > 0 && name.bytes[0] != '\0' && note_socket_path(check, socket, name) != 0)
        return -1;
    return note_socket(check, socket, UNIX_OPTIONS, UNIX_NET_NS);
}

static int check_netlink(struct check *check, struct pb_view socket) {
    if (pb_number(socket, NETLINK_PROTOCOL, 0) != 0)
        return refuse(check, "a netlink socket is not for routing (rtnetlink)");
    return note_socket(check, socket, NETLINK_OPTIONS, NETLINK_NET_NS);
}

static int check_timerfd(struct check *check, struct pb_view timer) {
    uint64_t clock = pb_number(timer, TIMERFD_CLOCK, 0);
    bool wakes = clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM;
    if (wakes && !may(check, CAP_WAKE_ALARM))
        return refuse(check, "a timer can wake the host up, which needs CAP_WAKE_ALARM");
    return 0;
}

static int check_inotify(struct check *check, struct pb_view inotify) {
    // CRIU finds the file by its handle, which means another file on another host.
    if (pb_part(inotify, INOTIFY_WATCH).bytes != NULL)
        return refuse(check, "the process watches files with inotify; close it before cloning");
    return 0;
}

static int check_fifo(struct check *check, struct pb_view fifo) {
    return note(check, NOTE_FIFO, pb_number(fifo, FIFO_REG_FILE, 0), 0);
}

static int check_tty(struct check *check, struct pb_view tty) {
    return note(check, NOTE_TERMINAL, pb_number(tty, TTY_REG_FILE, 0), 0);
}

static int check_memfd_file(struct check *check, struct pb_view memfd) {
    return check_open_flags(check, pb_number(memfd, REG_FLAGS, 0));
}

static int check_pidfd(struct check *check, struct pb_view pidfd) {
    int32_t pid = (int32_t)pb_number(pidfd, PIDFD_PID, 0);
    return pid > 0 ? note(check, NOTE_OWNER, (uint32_t)pid, 0) : 0; // of the tree, or gone
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

static int check_file(struct check *check, struct pb_view entry, bool first) {
    (void)first;
    uint64_t type = pb_number(entry, FILE_TYPE, 0), id = pb_number(entry, FILE_ID, 0);
    for (size_t i = 0; i < sizeof file_types / sizeof file_types[0]; i++) {
        if (file_types[i].type != type)
            continue;
        struct pb_view part = pb_part(entry, file_types[i].part);
        if (part.bytes == NULL || count_parts(entry) != 1 || pb_number(part, 1, 0) != id)
            return refuse(check, "the entry of file %" PRIu64 " contradicts itself", id);
        uint32_t owner = file_types[i].owner;
        if (owner != 0 && check_owner(check, pb_part(part, owner)) != 0)
            return -1;
        if (type != TYPE_REG && note(check, NOTE_FILE, id, type) != 0)
            return -1;
        return file_types[i].check(check, part);
    }
    return refuse(check,
                  "an open file is of type %" PRIu64
                  ", which we don't clone: a namespace, a device, a packet socket",
                  type);
}

// ---- Images beside files

static int check_fdinfo(struct check *check, struct pb_view entry, bool first) {
    (void)first;
    if (check_label(check, pb_part(entry, FDINFO_LABEL)) != 0)
        return -1;
    return note(check, NOTE_OPEN, pb_number(entry, FDINFO_ID, 0), pb_number(entry, FDINFO_TYPE, 0));
}

static int check_fs(struct check *check, struct pb_view entry, bool first) {
    if (!first)
        return refuse(check, "it has more than one entry");
    if (note(check, NOTE_CWD, pb_number(entry, FS_CWD, 0), 0) != 0)
        return -1;
    return note(check, NOTE_ROOT, pb_number(entry, FS_ROOT, 0), 0);
}

static int check_remap(struct check *check, struct pb_view entry, bool first) {
    enum { REMAP_LINKED = 0, REMAP_GHOST = 1 };
    (void)first;
    // A linked one is removed by its path after the restore; we never ask for one (--link-remap).
    if (pb_number(entry, REMAP_TYPE, REMAP_LINKED) != REMAP_GHOST)
        return refuse(check, "a deleted file would be opened under another name");
    return note(check, NOTE_REMAP, pb_number(entry, REMAP_FILE, 0), pb_number(entry, REMAP_ID, 0));
}

static int check_ghost(struct check *check, struct pb_view entry, bool first) {
    mode_t mode = (mode_t)pb_number(entry, GHOST_MODE, 0);
    if (!first)
        return refuse(check, "it has more than one entry");
    if (!S_ISREG(mode) && !S_ISFIFO(mode) && !S_ISDIR(mode))
        return refuse(check, "a deleted device, link or socket would be made again (mode 0%o)",
                      mode);
    if (note(check, NOTE_GHOST, check->number, 0) != 0)
        return -1;
    return check_given_file(check, "a deleted file", pb_number(entry, GHOST_UID, 0),
                            pb_number(entry, GHOST_GID, 0), mode);
}

static int check_pipe_data(struct check *check, struct pb_view entry, bool first) {
    (void)first;
    if (pb_number(entry, PIPE_DATA_CAPACITY, 0) > MOST_PIPE_BYTES && !may(check, CAP_SYS_RESOURCE))
        return refuse(check, "a pipe is larger than %d bytes, which needs CAP_SYS_RESOURCE",
                      MOST_PIPE_BYTES);
    return 0;
}

// Descriptors on their way (SCM_RIGHTS) are numbers of files.
static int check_scm(struct check *check, struct pb_view scm) {
    enum { SCM_TYPE = 1, SCM_FILES = 2 };
    struct pb_field field;
    size_t position = 0;
    if (pb_number(scm, SCM_TYPE, 0) != SCM_RIGHTS)
        return refuse(check, "a message in a socket carries other than descriptors");
    while (pb_next(scm.bytes, scm.length, &position, &field) > 0)
        if (field.number == SCM_FILES && note(check, NOTE_PASSED, field.value, 0) != 0)
            return -1;
    return 0;
}

static int check_packet(struct check *check, struct pb_view entry, bool first) {
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

static int check_tty_info(struct check *check, struct pb_view entry, bool first) {
    enum { TTY_PTY = 1, TTY_CURRENT = 4 };
    (void)first;
    uint64_t type = pb_number(entry, TTY_INFO_TYPE, 0);
    if (type != TTY_PTY && type != TTY_CURRENT)
        return refuse(check, "a terminal is neither a pseudo terminal nor /dev/tty");
    // Its group is the terminals' own and gives its user nothing.
    if (pb_number(entry, TTY_INFO_UID, check->policy->uid) != check->policy->uid)
        return refuse(check, "a terminal would be given to user %" PRIu64,
                      pb_number(entry, TTY_INFO_UID, 0));
    return 0;
}

static int check_lock(struct check *check, struct pb_view entry, bool first) {
    enum { LOCK_POSIX = 1, LOCK_FLOCK = 2, LOCK_OFD = 4 };
    (void)first;
    uint64_t kind = pb_number(entry, LOCK_KIND, 0);
    if (kind != LOCK_POSIX && kind != LOCK_FLOCK && kind != LOCK_OFD)
        return refuse(check, "a file is leased, which we don't clone");
    return 0;
}

static int check_filter(struct check *check, struct pb_view filter, uint32_t index) {
    enum { FILTER_PREVIOUS = 2, INSTRUCTION = 8 };
    uint64_t allowed = SECCOMP_FILTER_FLAG_LOG | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    struct pb_view code = pb_part(filter, SECCOMP_FILTER_CODE);
    struct pb_field previous;
    bool chained = pb_find(filter.bytes, filter.length, FILTER_PREVIOUS, &previous);
    if (code.length == 0 || code.length % INSTRUCTION != 0 ||
        (pb_number(filter, SECCOMP_FILTER_FLAGS, 0) & ~allowed) != 0 ||
        (chained && previous.value >= index))
        return refuse(check, "system-call filter %" PRIu32 " is malformed", index);
    return 0;
}

static int check_seccomp(struct check *check, struct pb_view entry, bool first) {
    struct pb_field field;
    size_t position = 0;
    if (!first)
        return refuse(check, "it has more than one entry");
    while (pb_next(entry.bytes, entry.length, &position, &field) > 0)
        if (check_filter(check, (struct pb_view){field.bytes, field.length},
                         check->memory->filter_count++) != 0)
            return -1;
    return 0;
}

static int check_no_more(struct check *check, struct pb_view entry, bool first) {
    (void)check;
    (void)entry;
    (void)first;
    return 0;
}

static const struct {
    const char *kind;
    int (*check)(struct check *check, struct pb_view entry, bool first);
} kind_checks[] = {
    {"inventory", check_inventory},
    {"pstree", check_pstree},
    {"ids", check_ids},
    {"core", check_core},
    {"mm", check_mm},
    {"pagemap", check_pagemap},
    {"pagemap-shmem", check_pagemap},
    {"memfd", check_memfd},
    {"files", check_file},
    {"fdinfo", check_fdinfo},
    {"fs", check_fs},
    {"remap-fpath", check_remap},
    {"ghost-file", check_ghost},
    {"pipes-data", check_pipe_data},
    {"fifo-data", check_pipe_data},
    {"sk-queues", check_packet},
    {"tty-info", check_tty_info},
    {"tty-data", check_no_more},
    {"filelocks", check_lock},
    {"seccomp", check_seccomp},
    {"timens", check_no_more}, // shifts clocks
    {"stats", check_no_more},  // not read by a restore
};

static int check_entry(struct check *check, const char *kind, struct pb_view entry, bool first) {
    for (size_t i = 0; i < sizeof kind_checks / sizeof kind_checks[0]; i++)
        if (strcmp(kind_checks[i].kind, kind) == 0)
            return kind_checks[i].check(check, entry, first);
    return refuse(check, "a plain dump makes no %s image", kind);
}

static int check_entries(struct check *check, struct image *image) {
    struct pb_view entry;
    bool first = true;
    int more;
    while ((more = image_next(image, &entry.bytes, &entry.length, check->failure)) > 0) {
        if (image_schema_check(image->kind, first, entry, check->image, check->failure) != 0 ||
            check_entry(check, image->kind, entry, first) != 0)
            return -1;
        first = false;
    }
    return more;
}

static int check_image(struct check *check, const void *bytes, size_t length) {
    const char *kind;
    struct image image;
    if (image_name(check->image, &kind, &check->number) != 0)
        return refuse(check, "no image of CRIU's has this name");
    struct pb_view name = {(const uint8_t *)check->image, strlen(check->image)};
    if (add_note(check, (struct note){.kind = NOTE_IMAGE}, name) != 0)
        return -1;
    if (strcmp(kind, "pages") == 0)
        return 0; // the process's own memory
    if (bytes == NULL)
        return refuse(check, "it was announced as memory and has another image's name");
    if (!image_schema_knows(kind))
        return refuse(check, "a plain dump makes no %s image", kind);
    if (image_open(&image, bytes, length, check->image, check->failure) != 0)
        return -1;
    return check_entries(check, &image);
}

static int begin(struct policy *policy, struct failure *failure) {
    if (policy->memory != NULL)
        return 0;
    policy->memory = calloc(1, sizeof *policy->memory);
    if (policy->memory == NULL)
        return fail(failure, EXIT_SPACE, "out of memory");
    if (policy->caller == NULL)
        read_caller(policy, &policy->memory->caller);
    return 0;
}

static struct check check_of(struct policy *policy, const char *image, struct failure *failure) {
    struct policy_memory *memory = policy->memory;
    return (struct check){.policy = policy,
                          .memory = memory,
                          .caller = policy->caller != NULL ? policy->caller : &memory->caller,
                          .image = image,
                          .failure = failure};
}

int policy_check(struct policy *policy, const char *name, const void *bytes, size_t length,
                 struct failure *failure) {
    if (begin(policy, failure) != 0)
        return -1;
    struct check check = check_of(policy, name, failure);
    int result = check_image(&check, bytes, length);
    if (result != 0)
        policy_clear(policy);
    return result;
}

// ---- What all images together say

// Whatever can't be there twice.
static int check_unique(struct check *check) {
    static const enum note_kind unique[] = {NOTE_IMAGE, NOTE_TASK, NOTE_THREAD, NOTE_FILE,
                                            NOTE_REMAP};
    const struct policy_memory *memory = check->memory;
    for (size_t i = 1; i < memory->count; i++) {
        const struct note *this = &memory->notes[i], *before = this - 1;
        if (this->kind != before->kind || this->id != before->id)
            continue;
        for (size_t k = 0; k < sizeof unique / sizeof unique[0]; k++)
            if (this->kind == unique[k] &&
                (this->kind != NOTE_IMAGE || strcmp(this->text, before->text) == 0))
                return refuse(check, "%s is there twice",
                              this->kind == NOTE_IMAGE  ? this->text
                              : this->kind == NOTE_FILE ? "a file's number"
                                                        : "a process, thread or deleted file");
    }
    return 0;
}

static int need_image(struct check *check, const char *kind, uint32_t number) {
    char name[64];
    snprintf(name, sizeof name, "%s-%" PRIu32 ".img", kind, number);
    return has_image(check, name) ? 0 : refuse(check, "%s is missing", name);
}

static int check_task_images(struct check *check, uint32_t pid) {
    static const char *const kinds[] = {"ids", "mm", "fs", "pagemap"};
    if (need_image(check, "core", pid) != 0)
        return -1;
    if (find_note(check, NOTE_DEAD, pid) != NULL)
        return 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (need_image(check, kinds[i], pid) != 0)
            return -1;
    const struct note *table = find_note(check, NOTE_TABLE, pid);
    return table == NULL ? refuse(check, "ids-%" PRIu32 ".img is empty", pid)
                         : need_image(check, "fdinfo", table->value);
}

static int check_task_note(struct check *check, const struct note *task) {
    if (task->value != 0 && find_note(check, NOTE_TASK, task->value) == NULL)
        return refuse(check, "the parent %" PRIu32 " of process %" PRIu32 " is missing",
                      task->value, task->id);
    return check_task_images(check, task->id);
}

static int check_thread_note(struct check *check, const struct note *thread) {
    if (find_note(check, NOTE_TASK, thread->id) != NULL)
        return refuse(check, "%" PRIu32 " is a process and a thread", thread->id);
    return need_image(check, "core", thread->id);
}

static int check_namespace_note(struct check *check, const struct note *note) {
    if (note->value == check->memory->root_namespaces[note->id])
        return 0;
    return refuse(check, "the process would get a namespace of its own; run serve in the "
                         "namespaces of the process (pid, net, ipc, uts, mnt, user, cgroup)");
}

static int check_owner_note(struct check *check, const struct note *note) {
    if (find_note(check, NOTE_TASK, note->id) != NULL ||
        find_note(check, NOTE_THREAD, note->id) != NULL)
        return 0;
    return refuse(check, "an open file refers to process %" PRIu32 ", which isn't cloned",
                  note->id);
}

// ---- Paths

static bool is_one_of(const char *text, const char *const *list) {
    for (; *list != NULL; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

static bool is_number(const char *text, size_t length) {
    return length > 0 && length < 10 && strspn(text, "0123456789") >= length;
}

static bool is_harmless_device(const char *path) {
    static const char *const devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                          "/dev/random", "/dev/urandom", NULL};
    return is_one_of(path, devices);
}

static bool is_terminal(const char *path) {
    static const char *const devices[] = {"/dev/tty", "/dev/ptmx", "/dev/pts/ptmx", NULL};
    static const char slaves[] = "/dev/pts/";
    const char *rest = path + sizeof slaves - 1;
    return is_one_of(path, devices) ||
           (strncmp(path, slaves, sizeof slaves - 1) == 0 && is_number(rest, strlen(rest)));
}

static bool is_below(const char *path, const char *directory) {
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

// "17/stat", "17/task/18/stat" of a process of the image; nothing that leads elsewhere, such as
// fd/3, cwd, root.
static bool is_own_proc_file(const struct check *check, const char *path) {
    static const char *const files[] = {
        "stat",      "status", "statm",     "cmdline",       "comm",         "io",      "limits",
        "maps",      "smaps",  "mounts",    "mountinfo",     "cgroup",       "environ", "auxv",
        "schedstat", "task",   "oom_score", "oom_score_adj", "smaps_rollup", "fd",      NULL};
    size_t digits = strcspn(path, "/");
    if (!is_number(path, digits) ||
        find_note(check, NOTE_TASK, (uint32_t)strtoul(path, NULL, 10)) == NULL)
        return false;
    const char *file = path + digits;
    if (*file == '\0')
        return true;
    file++;
    if (strncmp(file, "task/", 5) == 0) {
        digits = strcspn(file + 5, "/");
        if (!is_number(file + 5, digits))
            return false;
        file += 5 + digits;
        if (*file == '\0')
            return true;
        file++;
    }
    return is_one_of(file, files);
}

// Only for reading, and only what everybody may read or is about the clone itself.
static bool is_plain_proc_file(const struct check *check, const char *path) {
    static const char *const files[] = {"stat",    "meminfo", "cpuinfo",     "loadavg", "uptime",
                                        "version", "vmstat",  "filesystems", "swaps",   NULL};
    static const char proc[] = "/proc/";
    if (strncmp(path, proc, sizeof proc - 1) != 0)
        return false;
    path += sizeof proc - 1;
    return is_one_of(path, files) || is_own_proc_file(check, path);
}

static bool reads_only(int flags) {
    return (flags & O_ACCMODE) == O_RDONLY;
}

static bool may_open_path(const struct check *check, const char *path, int flags) {
    if (is_harmless_device(path) || (strcmp(path, "/") == 0 && reads_only(flags)))
        return true;
    if (is_below(path, "/proc"))
        return reads_only(flags) && is_plain_proc_file(check, path);
    if (is_below(path, "/sys") && !reads_only(flags))
        return false;
    return check->policy->may_open(check->policy->context, path, flags & (O_ACCMODE | O_CREAT));
}

static int judge_path(const struct check *check, const char *path, int flags) {
    static const char *const modes[] = {"reading", "writing", "reading and writing"};
    if (may_open_path(check, path, flags))
        return 0;
    return refuse(check,
                  "user %u may not have %s open for %s%s: it belongs neither to the cloned "
                  "files nor to those that both hosts have",
                  check->policy->uid, path, modes[flags & O_ACCMODE],
                  flags & O_CREAT ? " (deleted, or a socket)" : "");
}

// The path of a terminal is opened by CRIU's terminal code only, which makes a new one.
static int judge_terminal(const struct check *check, const struct note *file) {
    static const enum note_kind uses[] = {NOTE_PASSED, NOTE_MAPPED, NOTE_EXE,  NOTE_CWD,
                                          NOTE_ROOT,   NOTE_FIFO,   NOTE_REMAP};
    bool elsewhere = find_note(check, NOTE_OPEN, file->id) != NULL;
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        elsewhere = elsewhere || find_note(check, uses[i], file->id) != NULL;
    if (elsewhere || !is_terminal(file->text) || !S_ISCHR(file->mode))
        return refuse(check, "%s is opened as a terminal and isn't one", file->text);
    return 0;
}

static int check_file_note(struct check *check, const struct note *file) {
    if (file->value != TYPE_REG)
        return 0;
    if (find_note(check, NOTE_TERMINAL, file->id) != NULL)
        return judge_terminal(check, file);
    bool deleted = find_note(check, NOTE_REMAP, file->id) != NULL;
    // CRIU opens what was made without a name (O_TMPFILE) by its path, like any other.
    if ((file->flags & O_TMPFILE) == O_TMPFILE && !deleted)
        return refuse(check, "%s has no name and no contents in the image", file->text);
    return judge_path(check, file->text, (file->flags & O_ACCMODE) | (deleted ? O_CREAT : 0));
}

// The file that another image refers to.
static const struct note *need_file(struct check *check, const struct note *use, uint32_t type) {
    const struct note *file = find_note(check, NOTE_FILE, use->id);
    if (file == NULL || file->value != type) {
        refuse(check, "file %" PRIu32 " is used and isn't in it", use->id);
        return NULL;
    }
    return file;
}

static int check_open_note(struct check *check, const struct note *use) {
    return need_file(check, use, use->value) != NULL ? 0 : -1;
}

static int check_passed_note(struct check *check, const struct note *use) {
    return find_note(check, NOTE_FILE, use->id) != NULL
               ? 0
               : refuse(check, "file %" PRIu32 " is on its way and isn't in it", use->id);
}

static int check_mapped_note(struct check *check, const struct note *use) {
    const struct note *file = need_file(check, use, use->value);
    if (file == NULL)
        return -1;
    if (file->value != TYPE_REG || ((file->flags ^ use->flags) & O_ACCMODE) == 0)
        return 0; // nothing to open by path, or judged as a file
    bool deleted = find_note(check, NOTE_REMAP, file->id) != NULL;
    return judge_path(check, file->text, (use->flags & O_ACCMODE) | (deleted ? O_CREAT : 0));
}

static int check_exe_note(struct check *check, const struct note *use) {
    const struct note *file = need_file(check, use, TYPE_REG);
    if (file == NULL)
        return -1;
    if (!S_ISREG(file->mode) || (file->mode & 0111) == 0 || !reads_only(file->flags))
        return refuse(check, "the executable %s is not executable", file->text);
    return 0;
}

static int check_directory_note(struct check *check, const struct note *use) {
    const struct note *file = need_file(check, use, TYPE_REG);
    if (file == NULL)
        return -1;
    if (!S_ISDIR(file->mode) || !reads_only(file->flags))
        return refuse(check, "%s is not a directory to be in", file->text);
    if (use->kind == NOTE_ROOT && strcmp(file->text, "/") != 0)
        return refuse(check, "the process has the root directory %s, which needs CAP_SYS_CHROOT",
                      file->text);
    return 0;
}

static int check_fifo_note(struct check *check, const struct note *use) {
    const struct note *file = need_file(check, use, TYPE_REG);
    if (file == NULL)
        return -1;
    return S_ISFIFO(file->mode) ? 0 : refuse(check, "%s is not a FIFO", file->text);
}

static int check_terminal_note(struct check *check, const struct note *use) {
    return need_file(check, use, TYPE_REG) != NULL ? 0 : -1;
}

static int check_remap_note(struct check *check, const struct note *use) {
    if (need_file(check, use, TYPE_REG) == NULL)
        return -1;
    return find_note(check, NOTE_GHOST, use->value) != NULL
               ? 0
               : refuse(check,
                        "the contents of a deleted file are missing (ghost-file-%" PRIx32 ".img)",
                        use->value);
}

static int check_socket_note(struct check *check, const struct note *socket) {
    return judge_path(check, socket->text, O_RDWR | O_CREAT);
}

static int check_filter_note(struct check *check, const struct note *use) {
    return use->id < check->memory->filter_count
               ? 0
               : refuse(check, "system-call filter %" PRIu32 " is missing", use->id);
}

// By enum note_kind: the image to name in a refusal, and the check.
static const struct {
    const char *image;
    int (*check)(struct check *check, const struct note *note);
} note_checks[] = {
    [NOTE_TASK] = {"pstree.img", check_task_note},
    [NOTE_THREAD] = {"pstree.img", check_thread_note},
    [NOTE_NAMESPACE] = {"ids", check_namespace_note},
    [NOTE_OWNER] = {"files.img", check_owner_note},
    [NOTE_FILE] = {"files.img", check_file_note},
    [NOTE_OPEN] = {"files.img", check_open_note},
    [NOTE_PASSED] = {"files.img", check_passed_note},
    [NOTE_MAPPED] = {"files.img", check_mapped_note},
    [NOTE_EXE] = {"files.img", check_exe_note},
    [NOTE_CWD] = {"files.img", check_directory_note},
    [NOTE_ROOT] = {"files.img", check_directory_note},
    [NOTE_TERMINAL] = {"files.img", check_terminal_note},
    [NOTE_FIFO] = {"files.img", check_fifo_note},
    [NOTE_REMAP] = {"remap-fpath.img", check_remap_note},
    [NOTE_SOCKET] = {"files.img", check_socket_note},
    [NOTE_FILTER] = {"seccomp.img", check_filter_note},
};

static int check_notes(struct check *check) {
    const struct policy_memory *memory = check->memory;
    for (size_t i = 0; i < memory->count; i++) {
        enum note_kind kind = memory->notes[i].kind;
        if (kind >= sizeof note_checks / sizeof note_checks[0] || note_checks[kind].check == NULL)
            continue;
        check->image = note_checks[kind].image;
        if (note_checks[kind].check(check, &memory->notes[i]) != 0)
            return -1;
    }
    return 0;
}

static int check_together(struct check *check) {
    struct policy_memory *memory = check->memory;
    if (memory->count > 0)
        qsort(memory->notes, memory->count, sizeof *memory->notes, compare_notes);
    if (!memory->has_inventory || !has_image(check, "pstree.img") || !has_image(check, "files.img"))
        return refuse(check, "inventory.img, pstree.img or files.img is missing");
    if (check_unique(check) != 0)
        return -1;
    return check_notes(check);
}

int policy_complete(struct policy *policy, struct failure *failure) {
    if (begin(policy, failure) != 0)
        return -1;
    struct check check = check_of(policy, "images", failure);
    int result = check_together(&check);
    policy_clear(policy);
    return result;
}

void policy_clear(struct policy *policy) {
    struct policy_memory *memory = policy->memory;
    if (memory == NULL)
        return;
    for (size_t i = 0; i < memory->count; i++)
        free(memory->notes[i].text);
    free(memory->notes);
    free(memory);
    policy->memory = NULL;
}
