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
            return policy_refuse(check, MALFORMED, "the run id is not one that CRIU gives");
    return 0;
}

int policy_inventory(struct check *check, struct pb_view entry, bool first) {
    (void)first;
    struct pb_view ids = pb_part(entry, INVENTORY_ROOT_IDS);
    if (check->memory->has_inventory)
        return policy_refuse(check, MALFORMED, "it has more than one entry");
    if (pb_number(entry, INVENTORY_VERSION, 0) != 2 || ids.bytes == NULL ||
        !pb_number(entry, INVENTORY_IDS_PER_FDINFO, 0))
        return policy_refuse(check, MALFORMED, "it isn't that of a dump by CRIU 2 or later");
    if (pb_number(entry, INVENTORY_LOCK_METHOD, 0) > 2 ||
        pb_number(entry, INVENTORY_UPROBES, 0) != 0)
        return policy_refuse(check, OBSTACLE,
                             "it asks for a network lock or for probes that we don't use");
    if (pb_part(entry, INVENTORY_PLUGINS).length > 0)
        return policy_refuse(
            check, OBSTACLE,
            "it needs a plug-in of CRIU: the process uses a device we can't clone");
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
        return policy_refuse(check, MALFORMED,
                             "it isn't one tree of processes with ids from 2 to %d", PID_LIMIT - 1);
    if (first && check->policy->root != 0 && pid != (uint64_t)check->policy->root)
        return policy_refuse(check, MALFORMED,
                             "its first process is %" PRIu64 ", and %d was offered", pid,
                             (int)check->policy->root);
    if (pb_number(entry, PSTREE_GROUP, 0) >= PID_LIMIT ||
        pb_number(entry, PSTREE_SESSION, 0) >= PID_LIMIT)
        return policy_refuse(check, MALFORMED,
                             "process %" PRIu64 " has an impossible group or session", pid);
    if (policy_note(check, NOTE_TASK, pid, parent) != 0)
        return -1;
    struct pb_field field;
    size_t position = 0, threads = 0;
    while (pb_next(entry.bytes, entry.length, &position, &field) > 0) {
        // The first is the process itself (and garbage for a zombie, CRIU 4.2).
        if (field.number != PSTREE_THREADS || threads++ == 0)
            continue;
        if (!is_pid(field.value))
            return policy_refuse(check, MALFORMED, "process %" PRIu64 " has an impossible thread",
                                 pid);
        if (policy_note(check, NOTE_THREAD, field.value, pid) != 0)
            return -1;
    }
    return 0;
}

int policy_ids(struct check *check, struct pb_view entry, bool first) {
    if (!first)
        return policy_refuse(check, MALFORMED, "it has more than one entry");
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
    uint64_t held =
        capability_set(creds, CREDS_CAP_INHERITABLE) | capability_set(creds, CREDS_CAP_PERMITTED) |
        capability_set(creds, CREDS_CAP_EFFECTIVE) | capability_set(creds, CREDS_CAP_AMBIENT);
    if (pb_number(creds, CREDS_SECUREBITS, 0) != 0 && !policy_may(check, CAP_SETPCAP))
        return policy_refuse(check, UNSEEN,
                             "the process has secure bits set, which need CAP_SETPCAP");
    return policy_claim(check, (struct claim){CLAIM_CAPABILITIES, {(int64_t)held}, NULL});
}

static int check_groups(struct check *check, struct pb_view creds) {
    struct pb_field field;
    size_t position = 0, count = 0;
    while (pb_next(creds.bytes, creds.length, &position, &field) > 0) {
        if (field.number != CREDS_GROUPS)
            continue;
        count++;
        if (policy_claim(check, (struct claim){CLAIM_MEMBERSHIP, {(int64_t)field.value}, NULL}) !=
            0)
            return -1;
    }
    return count > 0 ? 0 : policy_claim(check, (struct claim){.kind = CLAIM_NO_MEMBERSHIP});
}

static int check_creds(struct check *check, struct pb_view creds) {
    struct pb_field field;
    for (uint32_t number = CREDS_UID; number <= CREDS_FSGID; number++) {
        bool user = (number - CREDS_UID) % 2 == 0; // they alternate
        if (!pb_find(creds.bytes, creds.length, number, &field))
            return policy_refuse(check, MALFORMED, "its credentials are incomplete");
        struct claim claim = {user ? CLAIM_USER : CLAIM_GROUP, {(int64_t)field.value}, NULL};
        if (policy_claim(check, claim) != 0)
            return -1;
    }
    if (check_groups(check, creds) != 0 || check_capabilities(check, creds) != 0)
        return -1;
    if (pb_part(creds, CREDS_LSM_SOCKCREATE).bytes != NULL)
        return policy_refuse(check, UNSEEN, "it labels its sockets itself, which we don't restore");
    return policy_check_label(check, pb_part(creds, CREDS_LSM_PROFILE));
}

static int check_scheduling(struct check *check, struct pb_view thread) {
    uint64_t zigzag = pb_number(thread, THREAD_NICE, 0);
    int64_t nice = (int64_t)(zigzag >> 1) ^ -(int64_t)(zigzag & 1);
    int64_t policy = (int64_t)pb_number(thread, THREAD_POLICY, SCHED_OTHER);
    return policy_claim(check, (struct claim){CLAIM_SCHEDULING, {policy, nice}, NULL});
}

static int check_filtering(struct check *check, struct pb_view thread) {
    uint64_t mode = pb_number(thread, THREAD_SECCOMP_MODE, SECCOMP_MODE_DISABLED);
    if (mode > SECCOMP_MODE_FILTER)
        return policy_refuse(check, MALFORMED, "a thread has an unknown seccomp mode");
    if (mode != SECCOMP_MODE_FILTER)
        return 0;
    struct pb_view creds = pb_part(thread, THREAD_CREDS);
    int64_t confined = (int64_t)pb_number(creds, CREDS_NO_NEW_PRIVS, 0);
    if (policy_claim(check, (struct claim){CLAIM_FILTER, {confined}, NULL}) != 0)
        return -1;
    return policy_note(check, NOTE_FILTER, pb_number(thread, THREAD_SECCOMP_FILTER, 0), 0);
}

static int check_thread(struct check *check, struct pb_view thread) {
    struct pb_view creds = pb_part(thread, THREAD_CREDS);
    // Without, CRIU leaves the process its own credentials.
    if (creds.bytes == NULL)
        return policy_refuse(check, MALFORMED, "it has no credentials");
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
        int64_t clock = (int64_t)pb_number(timer, TIMER_CLOCK, 0);
        if (policy_claim(check, (struct claim){CLAIM_TIMER, {clock}, NULL}) != 0)
            return -1;
    }
    return 0;
}

static int check_limits(struct check *check, struct pb_view limits) {
    struct pb_field field;
    size_t position = 0;
    int64_t index = 0;
    while (pb_next(limits.bytes, limits.length, &position, &field) > 0) {
        uint64_t hard = pb_number((struct pb_view){field.bytes, field.length}, RLIMIT_HARD, 0);
        struct claim claim = {CLAIM_LIMIT, {index++, (int64_t)hard}, NULL};
        if (policy_claim(check, claim) != 0)
            return -1;
    }
    return 0;
}

static int check_task(struct check *check, struct pb_view task) {
    int64_t login = (int64_t)pb_number(task, TASK_LOGINUID, UINT32_MAX);
    int64_t badness = (int)(int64_t)pb_number(task, TASK_OOM_SCORE_ADJ, 0);
    if (policy_claim(check, (struct claim){CLAIM_LOGIN, {login}, NULL}) != 0 ||
        policy_claim(check, (struct claim){CLAIM_BADNESS, {badness}, NULL}) != 0)
        return -1;
    if (pb_number(task, TASK_OLD_SECCOMP_MODE, 0) != 0)
        return policy_refuse(check, MALFORMED, "it is in the format of CRIU before 3.0");
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
        return policy_refuse(check, MALFORMED, "it has more than one entry");
    if (task.bytes != NULL) {
        uint64_t state = pb_number(task, TASK_STATE, 0);
        if (check_task(check, task) != 0)
            return -1;
        if (state == STATE_DEAD || state == STATE_ZOMBIE)
            return policy_note(check, NOTE_DEAD, check->number, 0);
        if (state != STATE_ALIVE && state != STATE_STOPPED)
            return policy_refuse(check, MALFORMED, "the process is in the unknown state %" PRIu64,
                                 state);
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
        return policy_refuse(check, MALFORMED, "system-call filter %" PRIu32 " is malformed",
                             index);
    return 0;
}

int policy_seccomp(struct check *check, struct pb_view entry, bool first) {
    struct pb_field field;
    size_t position = 0;
    if (!first)
        return policy_refuse(check, MALFORMED, "it has more than one entry");
    while (pb_next(entry.bytes, entry.length, &position, &field) > 0)
        if (check_filter(check, (struct pb_view){field.bytes, field.length},
                         check->memory->filter_count++) != 0)
            return -1;
    return 0;
}

// ---- Directories and memory

int policy_fs(struct check *check, struct pb_view entry, bool first) {
    if (!first)
        return policy_refuse(check, MALFORMED, "it has more than one entry");
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
        return policy_refuse(check, MALFORMED, "a mapping is of an impossible file");
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
        return policy_refuse(check, MALFORMED, "a memory area ends before it begins");
    if ((status & ~(uint64_t)VMA_PLAIN) != 0)
        return policy_refuse(
            check, OBSTACLE,
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
        return policy_refuse(check, MALFORMED, "it has more than one entry");
    while (pb_next(entry.bytes, entry.length, &position, &field) > 0)
        if (field.number == MM_VMAS &&
            check_vma(check, (struct pb_view){field.bytes, field.length}, &locked) != 0)
            return -1;
    if (policy_claim(check, (struct claim){CLAIM_LOCKED_MEMORY, {(int64_t)locked}, NULL}) != 0)
        return -1;
    return policy_note(check, NOTE_EXE, pb_number(entry, MM_EXE_FILE, 0), 0);
}

int policy_pagemap(struct check *check, struct pb_view entry, bool first) {
    enum { PAGES_IN_PARENT = 1 };
    if (!first && (pb_number(entry, PAGEMAP_IN_PARENT, 0) ||
                   (pb_number(entry, PAGEMAP_FLAGS, 0) & PAGES_IN_PARENT)))
        return policy_refuse(check, MALFORMED, "it is an increment to other images");
    return 0;
}

int policy_memfd(struct check *check, struct pb_view entry, bool first) {
    (void)first;
    uint64_t huge = pb_number(entry, MEMFD_INODE_HUGE, 0);
    uint64_t allowed = MFD_HUGETLB | (uint64_t)MFD_HUGE_MASK << MFD_HUGE_SHIFT;
    if ((huge & ~allowed) != 0)
        return policy_refuse(check, MALFORMED, "a memfd would be made with unknown flags");
    struct claim made = {CLAIM_MEMFD,
                         {(int64_t)pb_number(entry, MEMFD_INODE_UID, 0),
                          (int64_t)pb_number(entry, MEMFD_INODE_GID, 0),
                          (int64_t)pb_number(entry, MEMFD_INODE_MODE, 0)},
                         NULL};
    return policy_claim(check, made);
}
