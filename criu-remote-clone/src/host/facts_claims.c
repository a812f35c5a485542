// What a process has that a clone may not be given by everybody: each thing is noted as it is
// found.
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "facts_internal.h"
#include "image_fields.h"
#include "memory.h"
#include "procfs.h"
#include "scope.h"

#define CLAIMS_MAX 4096 // what goes beyond, the images tell

static bool same_claim(const struct claim *left, const struct claim *right) {
    return left->kind == right->kind &&
           memcmp(left->numbers, right->numbers, sizeof left->numbers) == 0 &&
           (left->text == NULL || strcmp(left->text, right->text) == 0);
}

int claim_add(struct process_facts *facts, struct claim claim, struct failure *failure) {
    for (size_t i = 0; i < facts->claim_count; i++)
        if (same_claim(&facts->claims[i], &claim))
            return 0;
    if (facts->claim_count == CLAIMS_MAX)
        return 0;
    if (grow(&facts->claims, facts->claim_count, sizeof claim, failure) < 0)
        return -1;
    if (claim.text != NULL && (claim.text = strdup(claim.text)) == NULL)
        return out_of_memory(failure);
    facts->claims[facts->claim_count++] = claim;
    return 0;
}

static int claim_number(struct process_facts *facts, enum claim_kind kind, int64_t number,
                        struct failure *failure) {
    return claim_add(facts, (struct claim){kind, {number}, NULL}, failure);
}

// --- threads ---

// All numbers on a line of /proc/PID/status, one claim for each. Their count, or -1.
static int claim_line(struct process_facts *facts, enum claim_kind kind, const char *status,
                      const char *name, struct failure *failure) {
    const char *line = procfs_value(status, name);
    size_t length = line == NULL ? 0 : strcspn(line, "\n");
    int count = 0;
    char *end;
    for (const char *at = line; at != NULL && at < line + length; at = end) {
        unsigned long number = strtoul(at, &end, 10);
        if (end == at || end > line + length)
            break;
        if (claim_number(facts, kind, (int64_t)number, failure) < 0)
            return -1;
        count++;
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

static int claim_scheduling(struct process_facts *facts, pid_t tid, struct failure *failure) {
    int policy = sched_getscheduler(tid), nice = getpriority(PRIO_PROCESS, (id_t)tid);
    if (policy < 0)
        return 0; // ended meanwhile
    return claim_add(facts, (struct claim){CLAIM_SCHEDULING, {policy, nice}, NULL}, failure);
}

int claims_of_thread(struct process_facts *facts, pid_t tid, const char *status,
                     struct failure *failure) {
    enum { SECCOMP_FILTERED = 2 };
    const char *state = procfs_value(status, "State");
    uint64_t seccomp = 0, confined = 0;
    if (state == NULL || *state == 'Z' || *state == 'X')
        return 0;
    procfs_number(status, "Seccomp", &seccomp);
    procfs_number(status, "NoNewPrivs", &confined);
    int groups = claim_line(facts, CLAIM_MEMBERSHIP, status, "Groups", failure);
    return groups < 0 ||
                   (groups == 0 && claim_number(facts, CLAIM_NO_MEMBERSHIP, 0, failure) < 0) ||
                   claim_line(facts, CLAIM_USER, status, "Uid", failure) < 0 ||
                   claim_line(facts, CLAIM_GROUP, status, "Gid", failure) < 0 ||
                   claim_number(facts, CLAIM_CAPABILITIES, (int64_t)capabilities_in(status),
                                failure) < 0 ||
                   (seccomp == SECCOMP_FILTERED &&
                    claim_number(facts, CLAIM_FILTER, (int64_t)confined, failure) < 0) ||
                   claim_scheduling(facts, tid, failure) < 0
               ? -1
               : 0;
}

// --- processes ---

// A line for each, in the order of their numbers: a name of 25 characters, then soft and hard
// limit.
static int claim_limits(struct process_facts *facts, pid_t pid, struct failure *failure) {
    AUTO_FREE char *text = procfs_read(NULL, "/proc/%d/limits", (int)pid);
    const char *line = text != NULL ? strchr(text, '\n') : NULL;
    int result = 0;
    for (int64_t index = 0; result == 0 && line != NULL && index < RLIM_NLIMITS; index++) {
        char hard[32];
        uint64_t value = UINT64_MAX;
        if (sscanf(line + 1, "%*25c %*s %31s", hard) != 1)
            break;
        if (strcmp(hard, "unlimited") != 0)
            value = strtoull(hard, NULL, 10);
        result =
            claim_add(facts, (struct claim){CLAIM_LIMIT, {index, (int64_t)value}, NULL}, failure);
        line = strchr(line + 1, '\n');
    }
    return result;
}

// A file with one number; none of that name: nothing.
static int claim_file(struct process_facts *facts, enum claim_kind kind, pid_t pid,
                      const char *name, struct failure *failure) {
    AUTO_FREE char *text = procfs_read(NULL, "/proc/%d/%s", (int)pid, name);
    return text == NULL ? 0 : claim_number(facts, kind, strtoll(text, NULL, 10), failure);
}

static int claim_timers(struct process_facts *facts, pid_t pid, struct failure *failure) {
    char *text = procfs_read(NULL, "/proc/%d/timers", (int)pid);
    int result = 0;
    for (const char *at = text; result == 0 && at != NULL && (at = strstr(at, "ClockID:")); at++)
        result =
            claim_number(facts, CLAIM_TIMER, strtoll(at + strlen("ClockID:"), NULL, 10), failure);
    free(text);
    return result;
}

int claims_of_task(struct process_facts *facts, pid_t pid, const char *status,
                   struct failure *failure) {
    uint64_t locked = 0;
    AUTO_FREE char *root = procfs_link("/proc/%d/root", (int)pid);
    if (root == NULL)
        return 0; // a zombie
    procfs_number(status, "VmLck", &locked);
    return claim_add(facts, (struct claim){CLAIM_ROOT, {0}, root}, failure) < 0 ||
                   claim_number(facts, CLAIM_LOCKED_MEMORY, (int64_t)locked, failure) < 0 ||
                   claim_file(facts, CLAIM_LOGIN, pid, "loginuid", failure) < 0 ||
                   claim_file(facts, CLAIM_BADNESS, pid, "oom_score_adj", failure) < 0 ||
                   claim_limits(facts, pid, failure) < 0 || claim_timers(facts, pid, failure) < 0
               ? -1
               : 0;
}

// --- files ---

// What the handshake doesn't compare: names in /proc and /sys, and deleted files.
int claim_path(struct process_facts *facts, const char *path, int flags, bool deleted,
               struct failure *failure) {
    bool known = !deleted && strncmp(path, "/proc/", 6) != 0 && strncmp(path, "/sys/", 5) != 0;
    if (known || !is_file_name(path))
        return 0;
    struct claim claim = {CLAIM_PATH, {(flags & O_ACCMODE) | (deleted ? O_CREAT : 0)}, path};
    return claim_add(facts, claim, failure);
}

// The tree isn't known before all of it is read.
void claims_complete(struct process_facts *facts) {
    for (size_t i = 0; i < facts->claim_count; i++) {
        struct claim *claim = &facts->claims[i];
        uint32_t pid = claim->kind == CLAIM_PATH ? claim_process_of(claim->text) : 0;
        for (size_t task = 0; pid != 0 && task < facts->task_count; task++)
            if (facts->tasks[task].pid == (pid_t)pid)
                claim->numbers[1] = true;
    }
}

static int claim_watches(struct process_facts *facts, const char *info, struct failure *failure) {
    int64_t watches = 0;
    for (const char *at = info; (at = strstr(at, "inotify wd:")) != NULL; at++)
        watches++;
    return claim_number(facts, CLAIM_INOTIFY, watches, failure);
}

static int claim_anonymous_inode(struct process_facts *facts, const struct fd_facts *fd,
                                 const char *info, struct failure *failure) {
    uint64_t clock = 0;
    if (strcmp(fd->target, "anon_inode:inotify") == 0)
        return claim_watches(facts, info, failure);
    if (strcmp(fd->target, "anon_inode:[fanotify]") == 0)
        return claim_number(facts, CLAIM_OPEN_FILE, TYPE_FANOTIFY, failure);
    if (strcmp(fd->target, "anon_inode:[timerfd]") == 0 && procfs_number(info, "clockid", &clock))
        return claim_number(facts, CLAIM_TIMER, (int64_t)clock, failure);
    return 0;
}

int claims_of_fd(struct process_facts *facts, const struct fd_facts *fd, const char *info,
                 struct failure *failure) {
    bool is_file = fd->kind == FD_REGULAR || fd->kind == FD_DIRECTORY;
    struct claim made = {CLAIM_MEMFD, {fd->uid, fd->gid, fd->mode}, NULL};
    if (strncmp(fd->target, "anon_inode:", 11) == 0)
        return claim_anonymous_inode(facts, fd, info, failure);
    if (strncmp(fd->target, "/memfd:", 7) == 0)
        return claim_add(facts, made, failure);
    if (is_file && fd->target[0] != '/') // "net:[4026531840]"
        return claim_number(facts, CLAIM_OPEN_FILE, TYPE_NS, failure);
    made.kind = CLAIM_DELETED_FILE;
    if (is_file && fd->deleted && is_file_name(fd->target) && fd->links == 0 &&
        claim_add(facts, made, failure) < 0)
        return -1;
    // Directories of /sys are what they are on every host.
    if (!is_file || (fd->kind == FD_DIRECTORY && strncmp(fd->target, "/sys", 4) == 0))
        return 0;
    return claim_path(facts, fd->target, fd->flags, fd->deleted, failure);
}
