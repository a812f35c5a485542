// Checks of the images that say what a process is: the tree, credentials, scheduling, memory.
#include "policy_internal.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <linux/memfd.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "image_fields.h"

#define PID_LIMIT (1 << 22) // PID_MAX_LIMIT

// ---- inventory, pstree, ids

static int check_run_id(struct check *check, struct pb_view id) {
    // CRIU writes it into a command for nft when it unlocks the network.
    for (size_t i = 0; i < id.length; i++)
        if (strchr("0123456789abcdef-", id.bytes[i]) == NULL)
            return policy_refuse(check, "the run id is not one that CRIU gives");
    return 0;
}

int policy_inventory(struct check *check, struct pb_view entry, bool first) {
    (void)first;
    struct pb_view ids = pb_part(entry, INVENTORY_ROOT_IDS);
    if (check->memory->has_inventory)
        return policy_refuse(check, "it has more than one entry");
    if (pb_number(entry, INVENTORY_VERSION, 0) != 2 || ids.bytes == NULL ||
        !pb_number(entry, INVENTORY_IDS_PER_FDINFO, 0))
        return policy_refuse(check, "it isn't that of a dump by CRIU 2 or later");
    if (pb_number(entry, INVENTORY_LOCK_METHOD, 0) > 2 ||
        pb_number(entry, INVENTORY_UPROBES, 0) != 0)
        return policy_refuse(check, "it asks for a network lock or for probes that we don't use");
    if (pb_part(entry, INVENTORY_PLUGINS).length > 0)
        return policy_refuse(
            check, "it needs a plug-in of CRIU: the process uses a device we can't clone");
    for (uint32_t field = IDS_PID_NS; field <= IDS_TIME_NS; field++)
        check->memory->root_namespaces[field] = (uint32_t)pb_number(ids, field, 0);
    check->memory->has_inventory = true;
    return check_run_id(check, pb_part(entry, INVENTORY_RUN_ID));
}

static bool is_pid(uint64_t pid) {
    return pid > 1 && pid < PID_LIMIT;
}

int policy_pstree(struct check *check, struct pb_view entry, bool first) {
    uint64_t pid = pb_number(entry, PSTREE_PID, 0);
    uint64_t parent = pb_number(entry, PSTREE_PARENT, 0);
    if (!is_pid(pid) || first != (parent == 0))
        return policy_refuse(check, "it isn't one tree of processes with ids from 2 to %d",
                             PID_LIMIT - 1);
    if (first && check->policy->root != 0 && pid != (uint64_t)check->policy->root)
        return policy_refuse(check, "its first process is %" PRIu64 ", and %d was offered", pid,
                             (int)check->policy->root);
    if (pb_number(entry, PSTREE_GROUP, 0) >= PID_LIMIT ||
        pb_number(entry, PSTREE_SESSION, 0) >= PID_LIMIT)
        return policy_refuse(check, "process %" PRIu64 " has an impossible group or session", pid);
    if (policy_note(check, NOTE_TASK, pid, parent) != 0)
        return -1;
    struct pb_field field;
    size_t position = 0, threads = 0;
    while (pb_next(entry.bytes, entry.length, &position, &field) > 0) {
        // The first is the process itself (and garbage for a zombie, CRIU 4.2).
        if (field.number != PSTREE_THREADS || threads++ == 0)
            continue;
        if (!is_pid(field.value))
            return policy_refuse(check, "process %" PRIu64 " has an impossible thread", pid);
        if (policy_note(check, NOTE_THREAD, field.value, pid) != 0)
            return -1;
    }
    return 0;
}

int policy_ids(struct check *check, struct pb_view entry, bool first) {
    if (!first)
        return policy_refuse(check, "it has more than one entry");
    if (policy_note(check, NOTE_TABLE, check->number, pb_number(entry, IDS_FILES, 0)) != 0)
        return -1;
    return policy_note_namespaces(check, entry);
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
            return policy_refuse(
                check,
                "the process has capabilities that the caller doesn't have (%" PRIx64
                "): clone it as a user who has them, or drop them there",
                beyond);
    }
    if (pb_number(creds, CREDS_SECUREBITS, 0) != 0 && !policy_may(check, CAP_SETPCAP))
        return policy_refuse(check, "the process has secure bits set, which need CAP_SETPCAP");
    return 0;
}

static int check_groups(struct check *check, struct pb_view creds) {
    struct pb_field field;
    size_t position = 0, count = 0;
    if (check->policy->groups_replaced)
        return 0;
    while (pb_next(creds.bytes, creds.length, &position, &field) > 0) {
        if (field.number != CREDS_GROUPS)
            continue;
        count++;
        if (!policy_is_group(check->policy, field.value))
            return policy_refuse(
                check,
                "the process is in group %" PRIu64
                ", user %u isn't: put the user into the group on this host as well",
                field.value, check->policy->uid);
    }
    // CRIU then sets none and the clone keeps CRIU's own.
    if (count == 0 && !check->caller->only_users_groups)
        return policy_refuse(
            check,
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
            return policy_refuse(check, "its credentials are incomplete");
        if (field.value != wanted)
            return policy_refuse(
                check,
                "the process runs as %s %" PRIu64 ", the caller is %s %u: pull as the "
                "user it belongs to",
                user ? "user" : "group", field.value, user ? "user" : "group", wanted);
    }
    if (check_groups(check, creds) != 0 || check_capabilities(check, creds) != 0)
        return -1;
    if (pb_part(creds, CREDS_LSM_SOCKCREATE).bytes != NULL)
        return policy_refuse(check, "it labels its sockets itself, which we don't restore");
    return policy_check_label(check, pb_part(creds, CREDS_LSM_PROFILE));
}

static int check_scheduling(struct check *check, struct pb_view thread) {
    uint64_t zigzag = pb_number(thread, THREAD_NICE, 0);
    int nice = (int)((int64_t)(zigzag >> 1) ^ -(int64_t)(zigzag & 1));
    int own = check->caller->nice < 0 ? check->caller->nice : 0;
    uint64_t policy = pb_number(thread, THREAD_POLICY, SCHED_OTHER) & ~SCHED_RESET_ON_FORK;
    bool real_time = policy != SCHED_OTHER && policy != SCHED_BATCH && policy != SCHED_IDLE;
    if ((nice < own || real_time) && !policy_may(check, CAP_SYS_NICE))
        return policy_refuse(check,
                             "a thread has scheduling policy %" PRIu64
                             " at nice %d, which the caller couldn't give it",
                             policy, nice);
    return 0;
}

static int check_filtering(struct check *check, struct pb_view thread) {
    uint64_t mode = pb_number(thread, THREAD_SECCOMP_MODE, SECCOMP_MODE_DISABLED);
    if (mode > SECCOMP_MODE_FILTER)
        return policy_refuse(check, "a thread has an unknown seccomp mode");
    if (mode != SECCOMP_MODE_FILTER)
        return 0;
    // Else a filter can make a set-user-ID program misbehave: seccomp(2), EACCES.
    struct pb_view creds = pb_part(thread, THREAD_CREDS);
    if (pb_number(creds, CREDS_NO_NEW_PRIVS, 0) != 1 && !policy_may(check, CAP_SYS_ADMIN))
        return policy_refuse(check, "it filters system calls without no_new_privs, which needs "
                                    "CAP_SYS_ADMIN");
    return policy_note(check, NOTE_FILTER, pb_number(thread, THREAD_SECCOMP_FILTER, 0), 0);
}

static int check_thread(struct check *check, struct pb_view thread) {
    struct pb_view creds = pb_part(thread, THREAD_CREDS);
    // Without, CRIU leaves the process its own credentials.
    if (creds.bytes == NULL)
        return policy_refuse(check, "it has no credentials");
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
        if (wakes && !policy_may(check, CAP_WAKE_ALARM))
            return policy_refuse(check, "a timer can wake the host up, which needs CAP_WAKE_ALARM");
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
            !policy_may(check, CAP_SYS_RESOURCE))
            return policy_refuse(check,
                                 "the process's hard limit of '%s' is %" PRIu64
                                 ", the caller's only "
                                 "%" PRIu64 ": raise it here (ulimit -H) or lower it there",
                                 names[index], hard, check->caller->limits[index]);
        index++;
    }
    return 0;
}

static int check_task(struct check *check, struct pb_view task) {
    uint64_t login = pb_number(task, TASK_LOGINUID, UINT32_MAX);
    if (login != UINT32_MAX && login != check->policy->uid && login != check->caller->login_uid &&
        !policy_may(check, CAP_AUDIT_CONTROL))
        return policy_refuse(check, "user %" PRIu64 " would be audited for what the clone does",
                             login);
    int badness = (int)(int64_t)pb_number(task, TASK_OOM_SCORE_ADJ, 0);
    // 0 isn't restored: the clone then has its parent's.
    if (badness != 0 && badness < check->caller->oom_score_adj &&
        !policy_may(check, CAP_SYS_RESOURCE))
        return policy_refuse(
            check, "its oom_score_adj is %d, the caller's %d: only root may shield it more",
            badness, check->caller->oom_score_adj);
    if (pb_number(task, TASK_OLD_SECCOMP_MODE, 0) != 0)
        return policy_refuse(check, "it is in the format of CRIU before 3.0");
    if (check_timers(check, pb_part(task, TASK_TIMERS)) != 0)
        return -1;
    return check_limits(check, pb_part(task, TASK_RLIMITS));
}

// CRIU's task states.
enum { STATE_ALIVE = 1, STATE_DEAD = 2, STATE_STOPPED = 3, STATE_ZOMBIE = 6 };

// A process's core has a task part, a further thread's hasn't; both have a thread part, zombies
// haven't.
int policy_core(struct check *check, struct pb_view entry, bool first) {
    struct pb_view task = pb_part(entry, CORE_TASK);
    if (!first)
        return policy_refuse(check, "it has more than one entry");
    if (task.bytes != NULL) {
        uint64_t state = pb_number(task, TASK_STATE, 0);
        if (check_task(check, task) != 0)
            return -1;
        if (state == STATE_DEAD || state == STATE_ZOMBIE)
            return policy_note(check, NOTE_DEAD, check->number, 0);
        if (state != STATE_ALIVE && state != STATE_STOPPED)
            return policy_refuse(check, "the process is in the unknown state %" PRIu64, state);
    }
    if (policy_note_namespaces(check, pb_part(entry, CORE_IDS)) != 0)
        return -1;
    return check_thread(check, pb_part(entry, CORE_THREAD));
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
        return policy_refuse(check, "system-call filter %" PRIu32 " is malformed", index);
    return 0;
}

int policy_seccomp(struct check *check, struct pb_view entry, bool first) {
    struct pb_field field;
    size_t position = 0;
    if (!first)
        return policy_refuse(check, "it has more than one entry");
    while (pb_next(entry.bytes, entry.length, &position, &field) > 0)
        if (check_filter(check, (struct pb_view){field.bytes, field.length},
                         check->memory->filter_count++) != 0)
            return -1;
    return 0;
}

// ---- Directories and memory

int policy_fs(struct check *check, struct pb_view entry, bool first) {
    if (!first)
        return policy_refuse(check, "it has more than one entry");
    if (policy_note(check, NOTE_CWD, pb_number(entry, FS_CWD, 0), 0) != 0)
        return -1;
    return policy_note(check, NOTE_ROOT, pb_number(entry, FS_ROOT, 0), 0);
}

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
    if (policy_check_open_flags(check, flags) != 0)
        return -1;
    if (id > UINT32_MAX)
        return policy_refuse(check, "a mapping is of an impossible file");
    struct note mapped = {.kind = NOTE_MAPPED,
                          .id = (uint32_t)id,
                          .value = status & VMA_MEMFD ? TYPE_MEMFD : TYPE_REG,
                          .flags = (int)flags};
    return policy_add_note(check, mapped, (struct pb_view){0});
}

// Adds to *locked what of the area is locked in memory.
static int check_vma(struct check *check, struct pb_view vma, uint64_t *locked) {
    uint64_t start = pb_number(vma, VMA_START, 0), end = pb_number(vma, VMA_END, 0);
    uint64_t status = pb_number(vma, VMA_STATUS, 0);
    if (end <= start || end - start > UINT64_MAX / 2 - *locked)
        return policy_refuse(check, "a memory area ends before it begins");
    if ((status & ~(uint64_t)VMA_PLAIN) != 0)
        return policy_refuse(
            check,
            "the memory at %" PRIx64 " is of a kind (%" PRIx64
            ") that we don't clone: System V shared memory, a device, a packet ring",
            start, status);
    if (pb_number(vma, VMA_FLAGS, 0) & MAP_LOCKED)
        *locked += end - start;
    if ((status & (VMA_FILE_PRIVATE | VMA_FILE_SHARED)) == 0)
        return 0;
    return note_mapped(check, vma);
}

int policy_mm(struct check *check, struct pb_view entry, bool first) {
    struct pb_field field;
    size_t position = 0;
    uint64_t locked = 0;
    if (!first)
        return policy_refuse(check, "it has more than one entry");
    while (pb_next(entry.bytes, entry.length, &position, &field) > 0)
        if (field.number == MM_VMAS &&
            check_vma(check, (struct pb_view){field.bytes, field.length}, &locked) != 0)
            return -1;
    if (locked > check->caller->limits[RLIMIT_MEMLOCK] && !policy_may(check, CAP_IPC_LOCK))
        return policy_refuse(check,
                             "%" PRIu64 " bytes are locked in memory, the caller may lock %" PRIu64
                             ": raise the limit (ulimit -l)",
                             locked, check->caller->limits[RLIMIT_MEMLOCK]);
    return policy_note(check, NOTE_EXE, pb_number(entry, MM_EXE_FILE, 0), 0);
}

int policy_pagemap(struct check *check, struct pb_view entry, bool first) {
    enum { PAGES_IN_PARENT = 1 };
    if (!first && (pb_number(entry, PAGEMAP_IN_PARENT, 0) ||
                   (pb_number(entry, PAGEMAP_FLAGS, 0) & PAGES_IN_PARENT)))
        return policy_refuse(check, "it is an increment to other images");
    return 0;
}

int policy_memfd(struct check *check, struct pb_view entry, bool first) {
    (void)first;
    uint64_t huge = pb_number(entry, MEMFD_INODE_HUGE, 0);
    uint64_t allowed = MFD_HUGETLB | (uint64_t)MFD_HUGE_MASK << MFD_HUGE_SHIFT;
    if ((huge & ~allowed) != 0)
        return policy_refuse(check, "a memfd would be made with unknown flags");
    return policy_check_given_file(check, "a memfd", pb_number(entry, MEMFD_INODE_UID, 0),
                                   pb_number(entry, MEMFD_INODE_GID, 0),
                                   pb_number(entry, MEMFD_INODE_MODE, 0));
}
