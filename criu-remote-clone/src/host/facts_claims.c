// SPDX-License-Identifier: Apache-2.0
// What a process has that a clone may not be given by everybody: each thing is noted as it is
// found.
#include <fcntl.h>
#include <sched.h>
#include <search.h>
#include <sys/resource.h>

#include "facts_internal.h"
#include "image_fields.h"
#include "memory.h"
#include "paths.h"
#include "procfs.h"
#include "scope.h"

static int compare_claims(const void *left, const void *right) {
    const struct claim *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    int order = memcmp(a->numbers, b->numbers, sizeof a->numbers);
    return order != 0 || a->text == NULL ? order : strcmp(a->text, b->text);
}

void claim_add(struct process_facts *facts, struct claim claim) {
    if (tfind(&claim, &facts->claim_tree, compare_claims) != NULL)
        return;
    struct claim *added = must_allocate(sizeof *added);
    *added = claim;
    if (claim.text != NULL)
        added->text = must_copy(claim.text);
    must_put(tsearch(added, &facts->claim_tree, compare_claims));
    must_grow(&facts->claims, facts->claim_count, sizeof *facts->claims);
    facts->claims[facts->claim_count++] = added;
}

static void claim_number(struct process_facts *facts, enum claim_kind kind, int64_t number) {
    claim_add(facts, (struct claim){kind, {number}, NULL});
}

// --- threads ---

// All numbers on a line of /proc/PID/status, one claim for each. Returns their count.
static int claim_line(struct process_facts *facts, enum claim_kind kind, const char *status,
                      const char *name) {
    const char *line = procfs_value(status, name);
    size_t length = line == NULL ? 0 : strcspn(line, "\n");
    int count = 0;
    char *end;
    for (const char *at = line; at != NULL && at < line + length; at = end, count++) {
        unsigned long number = strtoul(at, &end, 10);
        if (end == at || end > line + length)
            break;
        claim_number(facts, kind, (int64_t)number);
    }
    return count;
}

static uint64_t capabilities_in(const char *status) {
    static const char *const names[] = {"CapInh", "CapPrm", "CapEff", "CapAmb"};
    uint64_t held = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *set = procfs_value(status, names[i]);
        held |= set != NULL ? strtoull(set, NULL, 16) : 0;
    }
    return held;
}

static void claim_label(struct process_facts *facts, pid_t tid, const char *name, int64_t whose) {
    char path[64], label[SECURITY_LABEL_MAX];
    snprintf(path, sizeof path, "/proc/%d/attr/%s", (int)tid, name);
    procfs_label(path, label, sizeof label);
    if (label[0] != '\0')
        claim_add(facts, (struct claim){CLAIM_LABEL, {whose}, label});
}

void claims_of_thread(struct process_facts *facts, pid_t tid, const char *status) {
    enum { SECCOMP_FILTERED = 2 };
    const char *state = procfs_value(status, "State");
    uint64_t seccomp = 0, confined = 0;
    if (state == NULL || *state == 'Z' || *state == 'X')
        return;
    procfs_number(status, "Seccomp", &seccomp);
    procfs_number(status, "NoNewPrivs", &confined);
    if (claim_line(facts, CLAIM_MEMBERSHIP, status, "Groups") == 0)
        claim_number(facts, CLAIM_NO_MEMBERSHIP, 0);
    claim_line(facts, CLAIM_USER, status, "Uid");
    claim_line(facts, CLAIM_GROUP, status, "Gid");
    claim_number(facts, CLAIM_CAPABILITIES, (int64_t)capabilities_in(status));
    if (seccomp == SECCOMP_FILTERED)
        claim_number(facts, CLAIM_FILTER, (int64_t)confined);
    claim_label(facts, tid, "current", 0);
    claim_label(facts, tid, "sockcreate", 1);
    int policy = sched_getscheduler(tid), nice = getpriority(PRIO_PROCESS, (id_t)tid);
    if (policy >= 0) // else it has ended meanwhile
        claim_add(facts, (struct claim){CLAIM_SCHEDULING, {policy, nice}, NULL});
}

// --- processes ---

// A line for each, in the order of their numbers: a name of 25 characters, then soft and hard
// limit.
static void claim_limits(struct process_facts *facts, pid_t pid) {
    AUTO_FREE char *text = procfs_read(NULL, "/proc/%d/limits", (int)pid);
    const char *line = text != NULL ? strchr(text, '\n') : NULL;
    for (int64_t index = 0; line != NULL && index < RLIM_NLIMITS; index++) {
        char hard[32];
        uint64_t value = UINT64_MAX;
        if (sscanf(line + 1, "%*25c %*s %31s", hard) != 1)
            break;
        if (strcmp(hard, "unlimited") != 0)
            value = strtoull(hard, NULL, 10);
        claim_add(facts, (struct claim){CLAIM_LIMIT, {index, (int64_t)value}, NULL});
        line = strchr(line + 1, '\n');
    }
}

// A file with one number; none of that name: nothing.
static void claim_file(struct process_facts *facts, enum claim_kind kind, pid_t pid,
                       const char *name) {
    AUTO_FREE char *text = procfs_read(NULL, "/proc/%d/%s", (int)pid, name);
    if (text != NULL)
        claim_number(facts, kind, strtoll(text, NULL, 10));
}

void claims_of_task(struct process_facts *facts, pid_t pid, const char *status) {
    uint64_t locked = 0;
    AUTO_FREE char *root = procfs_link("/proc/%d/root", (int)pid);
    AUTO_FREE char *timers = procfs_read(NULL, "/proc/%d/timers", (int)pid);
    if (root == NULL)
        return; // a zombie
    procfs_number(status, "VmLck", &locked);
    claim_add(facts, (struct claim){CLAIM_ROOT, {0}, root});
    claim_number(facts, CLAIM_LOCKED_MEMORY, (int64_t)locked);
    claim_file(facts, CLAIM_LOGIN, pid, "loginuid");
    claim_file(facts, CLAIM_BADNESS, pid, "oom_score_adj");
    claim_limits(facts, pid);
    for (const char *at = timers; at != NULL && (at = strstr(at, "ClockID:")) != NULL; at++)
        claim_number(facts, CLAIM_TIMER, strtoll(at + strlen("ClockID:"), NULL, 10));
}

// --- files ---

void claim_path(struct process_facts *facts, const char *path, int flags, bool deleted) {
    if (is_file_name(path))
        claim_add(facts, (struct claim){
                             CLAIM_PATH, {(flags & O_ACCMODE) | (deleted ? O_CREAT : 0)}, path});
}

// The tree isn't known before all of it is read.
void claims_complete(struct process_facts *facts) {
    for (size_t i = 0; i < facts->claim_count; i++) {
        struct claim *claim = facts->claims[i];
        uint32_t pid = claim->kind == CLAIM_PATH ? claim_process_of(claim->text) : 0;
        for (size_t task = 0; pid != 0 && task < facts->task_count; task++)
            if (facts->tasks[task].pid == (pid_t)pid)
                claim->numbers[1] = true;
    }
}

static void claim_anonymous_inode(struct process_facts *facts, const struct fd_facts *fd,
                                  const char *info) {
    uint64_t clock = 0;
    int64_t watches = 0;
    if (strcmp(fd->target, "anon_inode:inotify") == 0) {
        for (const char *at = info; (at = strstr(at, "inotify wd:")) != NULL; at++)
            watches++;
        claim_number(facts, CLAIM_INOTIFY, watches);
    }
    if (strcmp(fd->target, "anon_inode:[fanotify]") == 0)
        claim_number(facts, CLAIM_OPEN_FILE, TYPE_FANOTIFY);
    if (strcmp(fd->target, "anon_inode:[timerfd]") == 0 && procfs_number(info, "clockid", &clock))
        claim_number(facts, CLAIM_TIMER, (int64_t)clock);
}

void claims_of_fd(struct process_facts *facts, const struct fd_facts *fd, const char *info) {
    bool is_file = fd->kind == FD_REGULAR || fd->kind == FD_DIRECTORY;
    bool is_fifo = fd->kind == FD_PIPE && fd->target[0] == '/';
    // It is on the target or isn't: what it holds doesn't matter.
    bool any_directory =
        fd->kind == FD_DIRECTORY && !fd->deleted && strncmp(fd->target, "/proc/", 6) != 0;
    // The clone gets another file (image_leave_cgroups()).
    bool is_left_behind = fd->kind == FD_REGULAR && !fd->deleted &&
                          (fd->flags & O_ACCMODE) == O_RDONLY && path_is_of_cgroup(fd->target);
    if (strstr(info, ": LEASE ") != NULL) // "lock: 1: LEASE  ACTIVE    WRITE ..."
        claim_number(facts, CLAIM_LOCK, LOCK_LEASE);
    struct claim made = {CLAIM_DELETED_FILE, {fd->uid, fd->gid, fd->mode}, NULL};
    if (strncmp(fd->target, "anon_inode:", 11) == 0) {
        claim_anonymous_inode(facts, fd, info);
    } else if (strncmp(fd->target, "/memfd:", 7) == 0) {
        made.kind = CLAIM_MEMFD;
        claim_add(facts, made);
    } else if (is_file && fd->target[0] != '/') { // "net:[4026531840]"
        claim_number(facts, CLAIM_OPEN_FILE, TYPE_NS);
    } else if (is_file || is_fifo) {
        if (fd->deleted && is_file_name(fd->target) && fd->links == 0)
            claim_add(facts, made);
        if (!any_directory && !is_left_behind)
            claim_path(facts, fd->target, fd->flags, fd->deleted);
    }
}
