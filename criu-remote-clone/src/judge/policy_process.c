// SPDX-License-Identifier: Apache-2.0
// Checks of the images that say what a process is: the tree, credentials, scheduling, memory.
#include "policy_internal.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/memfd.h>
#include <linux/seccomp.h>
#include <sys/mman.h>

#include "image_fields.h"

#define PID_LIMIT (1 << 22) // PID_MAX_LIMIT

// ---- inventory, pstree, ids

int policy_inventory(struct check *check, const ProtobufCMessage *entry) {
    const CriuImage__Inventory *inventory = (const CriuImage__Inventory *)entry;
    if (inventory->version != 2 || inventory->root_ids == NULL || !inventory->ids_per_fdinfo)
        return policy_refuse(check, MALFORMED, "it isn't that of a dump by CRIU 2 or later");
    if (inventory->lock_method > 2)
        return policy_refuse(check, MALFORMED, "it asks for a network lock that we don't use");
    if (inventory->uprobes)
        return policy_refuse(check, OBSTACLE_PROBES, "it asks for probes that we don't use");
    if (inventory->plugins != NULL && inventory->plugins->n_name > 0)
        return policy_refuse(
            check, OBSTACLE_DEVICE,
            "it needs a plug-in of CRIU: the process uses a device we can't clone");
    for (uint32_t field = FIRST_NAMESPACE; field <= TIME_NAMESPACE; field++)
        policy_number_of(&inventory->root_ids->base, field, &check->memory->root_namespaces[field]);
    check->memory->has_inventory = true;
    // CRIU writes it into a command for nft when it unlocks the network.
    const char *id = inventory->run_id;
    if (id != NULL && id[strspn(id, "0123456789abcdef-")] != '\0')
        return policy_refuse(check, MALFORMED, "the run id is not one that CRIU gives");
    return 0;
}

static bool is_pid(uint32_t pid) {
    return pid > 1 && pid < PID_LIMIT;
}

int policy_pstree(struct check *check, const ProtobufCMessage *entry) {
    const CriuImage__Pstree *task = (const CriuImage__Pstree *)entry;
    uint32_t pid = task->pid;
    if (!is_pid(pid) || check->first != (task->parent == 0))
        return policy_refuse(check, MALFORMED,
                             "it isn't one tree of processes with ids from 2 to %d", PID_LIMIT - 1);
    if (check->first && check->policy->root != 0 && pid != (uint32_t)check->policy->root)
        return policy_refuse(check, MALFORMED, "its first process is %u, and %d was offered", pid,
                             (int)check->policy->root);
    if (task->group >= PID_LIMIT || task->session >= PID_LIMIT)
        return policy_refuse(check, MALFORMED, "process %u has an impossible group or session",
                             pid);
    if (policy_note(check, NOTE_TASK, pid, task->parent) != 0)
        return -1;
    // The first is the process itself (and garbage for a zombie, CRIU 4.2).
    for (size_t i = 1; i < task->n_thread; i++) {
        if (!is_pid(task->thread[i]))
            return policy_refuse(check, MALFORMED, "process %u has an impossible thread", pid);
        if (policy_note(check, NOTE_THREAD, task->thread[i], pid) != 0)
            return -1;
    }
    return 0;
}

int policy_ids(struct check *check, const ProtobufCMessage *entry) {
    const CriuImage__Ids *ids = (const CriuImage__Ids *)entry;
    if (policy_note(check, NOTE_TABLE, check->number, ids->files) != 0)
        return -1;
    return policy_note_namespaces(check, ids);
}

// ---- core

static uint64_t capability_set(const uint32_t *words, size_t count) {
    uint64_t set = 0;
    for (size_t i = 0; i < count; i++)
        set |= (uint64_t)words[i] << (32 * i);
    return set;
}

static int check_capabilities(struct check *check, const CriuImage__Creds *creds) {
    // Not the bounding set: it can only be made smaller.
    uint64_t held = capability_set(creds->inheritable, creds->n_inheritable) |
                    capability_set(creds->permitted, creds->n_permitted) |
                    capability_set(creds->effective, creds->n_effective) |
                    capability_set(creds->ambient, creds->n_ambient);
    if (creds->securebits != 0 && !policy_may(check, CAP_SETPCAP))
        return policy_refuse(check, UNSEEN,
                             "the process has secure bits set, which need CAP_SETPCAP");
    return policy_claim(check, (struct claim){CLAIM_CAPABILITIES, {(int64_t)held}, NULL});
}

static int check_creds(struct check *check, const CriuImage__Creds *creds) {
    enum { USERS_AND_GROUPS = 8 }; // the first fields, by turns
    for (uint32_t field = 1; field <= USERS_AND_GROUPS; field++) {
        uint32_t id;
        if (!policy_number_of(&creds->base, field, &id))
            return policy_refuse(check, MALFORMED, "its credentials are incomplete");
        struct claim claim = {field % 2 == 1 ? CLAIM_USER : CLAIM_GROUP, {id}, NULL};
        if (policy_claim(check, claim) != 0)
            return -1;
    }
    for (size_t i = 0; i < creds->n_group; i++)
        if (policy_claim(check, (struct claim){CLAIM_MEMBERSHIP, {creds->group[i]}, NULL}) != 0)
            return -1;
    if (creds->n_group == 0 && policy_claim(check, (struct claim){.kind = CLAIM_NO_MEMBERSHIP}))
        return -1;
    if (check_capabilities(check, creds) != 0)
        return -1;
    if (creds->socket_label != NULL &&
        policy_claim(check, (struct claim){CLAIM_LABEL, {1}, creds->socket_label}) != 0)
        return -1;
    return policy_check_label(check, creds->label);
}

static int check_filtering(struct check *check, const CriuImage__Thread *thread) {
    if (thread->seccomp_mode > SECCOMP_MODE_FILTER)
        return policy_refuse(check, MALFORMED, "a thread has an unknown seccomp mode");
    if (thread->seccomp_mode != SECCOMP_MODE_FILTER)
        return 0;
    struct claim filter = {CLAIM_FILTER, {thread->creds->no_new_privs}, NULL};
    if (policy_claim(check, filter) != 0)
        return -1;
    return policy_note(check, NOTE_FILTER, thread->seccomp_filter, 0);
}

static int check_thread(struct check *check, const CriuImage__Thread *thread) {
    // Without, CRIU leaves the process its own credentials.
    if (thread == NULL || thread->creds == NULL)
        return policy_refuse(check, MALFORMED, "it has no credentials");
    struct claim scheduling = {CLAIM_SCHEDULING, {thread->policy, thread->nice}, NULL};
    if (check_creds(check, thread->creds) != 0 || policy_claim(check, scheduling) != 0)
        return -1;
    return check_filtering(check, thread);
}

static int check_task(struct check *check, const CriuImage__Task *task) {
    const CriuImage__Timers *timers = task->timers;
    const CriuImage__Rlimits *limits = task->rlimits;
    int64_t login = task->has_loginuid ? task->loginuid : UINT32_MAX;
    if (policy_claim(check, (struct claim){CLAIM_LOGIN, {login}, NULL}) != 0 ||
        policy_claim(check, (struct claim){CLAIM_BADNESS, {task->oom_score_adj}, NULL}) != 0)
        return -1;
    if (task->old_seccomp_mode != 0)
        return policy_refuse(check, MALFORMED, "it is in the format of CRIU before 3.0");
    for (size_t i = 0; timers != NULL && i < timers->n_posix; i++)
        if (policy_claim(check, (struct claim){CLAIM_TIMER, {timers->posix[i]->clock}, NULL}) != 0)
            return -1;
    for (size_t i = 0; limits != NULL && i < limits->n_limit; i++) {
        struct claim limit = {CLAIM_LIMIT, {(int64_t)i, (int64_t)limits->limit[i]->hard}, NULL};
        if (policy_claim(check, limit) != 0)
            return -1;
    }
    return 0;
}

// CRIU's task states.
enum { STATE_ALIVE = 1, STATE_DEAD = 2, STATE_STOPPED = 3, STATE_ZOMBIE = 6 };

// A process's core has a task part, a further thread's hasn't; both have a thread part, zombies
// haven't.
int policy_core(struct check *check, const ProtobufCMessage *entry) {
    const CriuImage__Core *core = (const CriuImage__Core *)entry;
    if (core->task != NULL) {
        uint32_t state = core->task->state;
        if (check_task(check, core->task) != 0)
            return -1;
        if (state == STATE_DEAD || state == STATE_ZOMBIE)
            return policy_note(check, NOTE_DEAD, check->number, 0);
        if (state != STATE_ALIVE && state != STATE_STOPPED)
            return policy_refuse(check, MALFORMED, "the process is in the unknown state %u", state);
    }
    if (policy_note_namespaces(check, core->ids) != 0)
        return -1;
    return check_thread(check, core->thread);
}

int policy_seccomp(struct check *check, const ProtobufCMessage *entry) {
    enum { INSTRUCTION = 8 };
    const CriuImage__Seccomp *seccomp = (const CriuImage__Seccomp *)entry;
    uint64_t allowed = SECCOMP_FILTER_FLAG_LOG | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    for (size_t i = 0; i < seccomp->n_filter; i++) {
        const CriuImage__Filter *filter = seccomp->filter[i];
        if (filter->code.len == 0 || filter->code.len % INSTRUCTION != 0 ||
            (filter->flags & ~allowed) != 0 || (filter->has_previous && filter->previous >= i))
            return policy_refuse(check, MALFORMED, "system-call filter %zu is malformed", i);
    }
    check->memory->filter_count = (uint32_t)seccomp->n_filter;
    return 0;
}

// ---- Directories and memory

int policy_fs(struct check *check, const ProtobufCMessage *entry) {
    const CriuImage__Fs *fs = (const CriuImage__Fs *)entry;
    if (policy_note(check, NOTE_CWD, fs->directory, 0) != 0)
        return -1;
    return policy_note(check, NOTE_ROOT, fs->root, 0);
}

// CRIU's kinds of areas: all but SysV shared memory, packet rings, probes and devices of plug-ins.
enum vma_status {
    VMA_FILE_PRIVATE = 1 << 6,
    VMA_FILE_SHARED = 1 << 7,
    VMA_MEMFD = 1 << 14,
    VMA_PLAIN = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 | VMA_FILE_PRIVATE | VMA_FILE_SHARED |
                1 << 8 | 1 << 9 | 1 << 12 | 1 << 13 | VMA_MEMFD | 1 << 15 | 1 << 16,
};

static int note_mapped(struct check *check, const CriuImage__Vma *vma) {
    bool writes = (vma->status & VMA_FILE_SHARED) != 0 && (vma->protection & PROT_WRITE) != 0;
    uint32_t flags = vma->has_open_flags ? vma->open_flags : writes ? O_RDWR : O_RDONLY;
    if (policy_check_open_flags(check, flags) != 0)
        return -1;
    if (vma->file > UINT32_MAX)
        return policy_refuse(check, MALFORMED, "a mapping is of an impossible file");
    struct note mapped = {.kind = NOTE_MAPPED,
                          .id = (uint32_t)vma->file,
                          .value = vma->status & VMA_MEMFD ? TYPE_MEMFD : TYPE_REG,
                          .flags = (int)flags};
    return policy_add_note(check, mapped, NULL);
}

// Adds to *locked what of the area is locked in memory.
static int check_vma(struct check *check, const CriuImage__Vma *vma, uint64_t *locked) {
    if (vma->end <= vma->start || vma->end - vma->start > UINT64_MAX / 2 - *locked)
        return policy_refuse(check, MALFORMED, "a memory area ends before it begins");
    if ((vma->status & ~(uint32_t)VMA_PLAIN) != 0)
        return policy_refuse(
            check, OBSTACLE_MEMORY,
            "the memory at %" PRIx64
            " is of a kind (%x) that we don't clone: System V shared memory, a device, a packet "
            "ring",
            vma->start, vma->status);
    if (vma->flags & MAP_LOCKED)
        *locked += vma->end - vma->start;
    if ((vma->status & (VMA_FILE_PRIVATE | VMA_FILE_SHARED)) == 0)
        return 0;
    return note_mapped(check, vma);
}

int policy_mm(struct check *check, const ProtobufCMessage *entry) {
    const CriuImage__Mm *mm = (const CriuImage__Mm *)entry;
    uint64_t locked = 0;
    for (size_t i = 0; i < mm->n_vma; i++)
        if (check_vma(check, mm->vma[i], &locked) != 0)
            return -1;
    if (policy_claim(check, (struct claim){CLAIM_LOCKED_MEMORY, {(int64_t)locked}, NULL}) != 0)
        return -1;
    return policy_note(check, NOTE_EXE, mm->executable, 0);
}

int policy_pagemap(struct check *check, const ProtobufCMessage *entry) {
    enum { PAGES_IN_PARENT = 1 };
    const CriuImage__Pagemap *pages = (const CriuImage__Pagemap *)entry;
    if (pages->in_parent || (pages->flags & PAGES_IN_PARENT) != 0)
        return policy_refuse(check, MALFORMED, "it is an increment to other images");
    return 0;
}

int policy_memfd(struct check *check, const ProtobufCMessage *entry) {
    const CriuImage__MemfdInode *memfd = (const CriuImage__MemfdInode *)entry;
    uint64_t allowed = MFD_HUGETLB | (uint64_t)MFD_HUGE_MASK << MFD_HUGE_SHIFT;
    if ((memfd->huge_flags & ~allowed) != 0)
        return policy_refuse(check, MALFORMED, "a memfd would be made with unknown flags");
    struct claim made = {CLAIM_MEMFD, {memfd->uid, memfd->gid, memfd->mode}, NULL};
    return policy_claim(check, made);
}
