// SPDX-License-Identifier: Apache-2.0
// The rules of docs/internals/images.md that a running process can be held against as well: one for
// each kind of claim.
#include "policy.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include "memory.h"
#include "paths.h"
#include "policy_internal.h"

enum { FIRST_USER_PORT = 1024 };

struct judged {
    const struct policy *policy;
    const struct policy_caller *caller;
    const struct claim *claim;
    struct policy_reason *reason;
};

static bool deny(const struct judged *judged, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool deny(const struct judged *judged, const char *format, ...) {
    FORMAT_INTO(judged->reason->text, format);
    return false;
}

bool policy_is_group(const struct policy *policy, uint64_t gid) {
    if (gid == policy->gid)
        return true;
    for (size_t i = 0; i < policy->group_count; i++)
        if (gid == policy->groups[i])
            return true;
    return false;
}

static bool may(const struct judged *judged, unsigned capability) {
    return judged->caller->capabilities >> capability & 1;
}

static int64_t number(const struct judged *judged) {
    return judged->claim->numbers[0];
}

// ---- Who it is

static bool user(const struct judged *judged) {
    return number(judged) == judged->policy->uid ||
           deny(judged,
                "the process runs as user %" PRId64 ", the caller is user %u: pull as the user it "
                "belongs to",
                number(judged), judged->policy->uid);
}

static bool group(const struct judged *judged) {
    return number(judged) == judged->policy->gid ||
           deny(judged,
                "the process runs as group %" PRId64 ", the caller is group %u: pull as the user "
                "it belongs to",
                number(judged), judged->policy->gid);
}

static bool membership(const struct judged *judged) {
    return judged->policy->groups_replaced ||
           policy_is_group(judged->policy, (uint64_t)number(judged)) ||
           deny(judged,
                "the process is in group %" PRId64 ", user %u isn't: put the user into the group "
                "on this host as well",
                number(judged), judged->policy->uid);
}

// CRIU then sets none and the clone keeps CRIU's own.
static bool no_membership(const struct judged *judged) {
    return judged->policy->groups_replaced || judged->caller->only_users_groups ||
           deny(judged,
                "the process has no supplementary groups and would get ours, which aren't those "
                "of user %u: give them up before the pull (setpriv --clear-groups)",
                judged->policy->uid);
}

static bool capabilities(const struct judged *judged) {
    uint64_t beyond = (uint64_t)number(judged) & ~judged->caller->capabilities;
    return beyond == 0 || deny(judged,
                               "the process has capabilities that the caller doesn't have (%" PRIx64
                               "): clone it as a user who has them, or drop them there",
                               beyond);
}

static bool login(const struct judged *judged) {
    uint32_t uid = (uint32_t)number(judged);
    return uid == UINT32_MAX || uid == judged->policy->uid || uid == judged->caller->login_uid ||
           may(judged, CAP_AUDIT_CONTROL) ||
           deny(judged, "user %" PRIu32 " would be audited for what the clone does", uid);
}

// ---- How it is treated

static bool scheduling(const struct judged *judged) {
    int64_t policy = number(judged) & ~(int64_t)SCHED_RESET_ON_FORK;
    int64_t nice = judged->claim->numbers[1];
    bool real_time = policy != SCHED_OTHER && policy != SCHED_BATCH && policy != SCHED_IDLE;
    bool favoured = nice < (judged->caller->nice < 0 ? judged->caller->nice : 0);
    return (!real_time && !favoured) || may(judged, CAP_SYS_NICE) ||
           deny(judged,
                "a thread has scheduling policy %" PRId64 " at nice %" PRId64
                ", which the caller couldn't give it",
                policy, nice);
}

// Else a filter can make a set-user-ID program misbehave: seccomp(2), EACCES.
static bool filter(const struct judged *judged) {
    return number(judged) == 1 || may(judged, CAP_SYS_ADMIN) ||
           deny(judged, "it filters system calls without no_new_privs, which needs CAP_SYS_ADMIN");
}

static bool limit(const struct judged *judged) {
    static const char *const names[RLIM_NLIMITS] = {
        "cpu",     "fsize", "data",  "stack",      "core",     "rss",  "nproc",  "nofile",
        "memlock", "as",    "locks", "sigpending", "msgqueue", "nice", "rtprio", "rttime"};
    int64_t index = number(judged);
    uint64_t hard = (uint64_t)judged->claim->numbers[1];
    if (index < 0 || index >= RLIM_NLIMITS || hard <= judged->caller->limits[index] ||
        may(judged, CAP_SYS_RESOURCE))
        return true;
    return deny(judged,
                "the process's hard limit of '%s' is %" PRIu64 ", the caller's only %" PRIu64
                ": raise it here (ulimit -H) or lower it there",
                names[index], hard, judged->caller->limits[index]);
}

// 0 isn't restored: the clone then has its parent's.
static bool badness(const struct judged *judged) {
    return number(judged) == 0 || number(judged) >= judged->caller->oom_score_adj ||
           may(judged, CAP_SYS_RESOURCE) ||
           deny(judged,
                "its oom_score_adj is %" PRId64 ", the caller's %d: only root may shield it more",
                number(judged), judged->caller->oom_score_adj);
}

static bool locked_memory(const struct judged *judged) {
    uint64_t bytes = (uint64_t)number(judged), allowed = judged->caller->limits[RLIMIT_MEMLOCK];
    return bytes <= allowed || may(judged, CAP_IPC_LOCK) ||
           deny(judged,
                "%" PRIu64 " bytes are locked in memory, the caller may lock %" PRIu64
                ": raise the limit (ulimit -l)",
                bytes, allowed);
}

static bool label(const struct judged *judged) {
    if (number(judged) != 0)
        return deny(judged, "it labels its sockets itself, which we don't restore");
    return strcmp(judged->claim->text, judged->caller->label) == 0 ||
           deny(judged,
                "it has the security label '%.200s', but the caller runs as '%s': pull from a "
                "process with that label",
                judged->claim->text, judged->caller->label);
}

static bool timer(const struct judged *judged) {
    bool wakes = number(judged) == CLOCK_REALTIME_ALARM || number(judged) == CLOCK_BOOTTIME_ALARM;
    return !wakes || may(judged, CAP_WAKE_ALARM) ||
           deny(judged, "a timer can wake the host up, which needs CAP_WAKE_ALARM");
}

// ---- What it has open

static bool inet_socket(const struct judged *judged) {
    int64_t family = number(judged), type = judged->claim->numbers[1];
    int64_t protocol = judged->claim->numbers[2];
    bool plain = (type == SOCK_STREAM && protocol == IPPROTO_TCP) ||
                 (type == SOCK_DGRAM && (protocol == IPPROTO_UDP || protocol == IPPROTO_UDPLITE));
    return ((family == AF_INET || family == AF_INET6) && plain) ||
           deny(judged, "an internet socket is neither TCP nor UDP: close it before the clone");
}

static bool port(const struct judged *judged) {
    return number(judged) == 0 || number(judged) >= FIRST_USER_PORT ||
           may(judged, CAP_NET_BIND_SERVICE) ||
           deny(judged, "a socket is bound to port %" PRId64 ", which needs CAP_NET_BIND_SERVICE",
                number(judged));
}

static bool netlink_socket(const struct judged *judged) {
    return number(judged) == 0 ||
           deny(judged, "a netlink socket is not for routing (rtnetlink): close it before the "
                        "clone");
}

// CRIU finds the file by its handle, which means another file on another host.
static bool inotify(const struct judged *judged) {
    return number(judged) == 0 ||
           deny(judged, "the process watches files with inotify; close it before cloning");
}

static bool open_file(const struct judged *judged) {
    return deny(judged,
                "an open file is of type %" PRId64
                ", which we don't clone: a namespace, a device, a packet socket, fanotify",
                number(judged));
}

// A file that CRIU makes and gives away.
static bool given_file(const struct judged *judged, const char *what, uint64_t gid) {
    uint64_t uid = (uint64_t)number(judged), mode = (uint64_t)judged->claim->numbers[2];
    if (uid != judged->policy->uid || !policy_is_group(judged->policy, gid))
        return deny(judged,
                    "%s would be made for user %" PRIu64 " and group %" PRIu64
                    ", which aren't those of user %u",
                    what, uid, gid, judged->policy->uid);
    return (mode & (S_ISUID | S_ISGID)) == 0 ||
           deny(judged, "%s would be made set-user-ID or set-group-ID (mode 0%" PRIo64 ")", what,
                mode);
}

static bool memfd(const struct judged *judged) {
    return given_file(judged, "a memfd", (uint64_t)judged->claim->numbers[1]);
}

static bool deleted_file(const struct judged *judged) {
    return given_file(judged, "a deleted file",
                      judged->policy->groups_replaced ? judged->policy->gid
                                                      : (uint64_t)judged->claim->numbers[1]);
}

static bool lock(const struct judged *judged) {
    int64_t kind = number(judged);
    return kind == LOCK_POSIX || kind == LOCK_FLOCK || kind == LOCK_OFD ||
           deny(judged, "a file is leased, which we don't clone: give the lease back before the "
                        "clone");
}

static bool root(const struct judged *judged) {
    return strcmp(judged->claim->text, "/") == 0 ||
           deny(judged, "the process has the root directory %s, which needs CAP_SYS_CHROOT",
                judged->claim->text);
}

// ---- Paths

static bool is_below(const char *path, const char *directory) {
    return path_rest(directory, path) != NULL;
}

// "stat", "task/18/stat" of a process of the image; nothing that leads elsewhere, such as fd/3,
// cwd, root.
static bool is_own_proc_file(const char *file) {
    static const char *const files[] = {
        "stat",      "status", "statm",     "cmdline",       "comm",         "io",      "limits",
        "maps",      "smaps",  "mounts",    "mountinfo",     "cgroup",       "environ", "auxv",
        "schedstat", "task",   "oom_score", "oom_score_adj", "smaps_rollup", "fd",      NULL};
    if (strncmp(file, "task/", 5) == 0) {
        size_t digits = strspn(file + 5, "0123456789");
        file += 5 + digits;
        if (digits == 0 || *file == '\0')
            return digits > 0;
        if (*file++ != '/')
            return false;
    }
    return is_one_of(file, files);
}

// Only for reading, and only what everybody may read or is about the clone itself.
static bool is_plain_proc_file(const char *path, bool own_process) {
    static const char *const files[] = {"stat",    "meminfo", "cpuinfo",     "loadavg", "uptime",
                                        "version", "vmstat",  "filesystems", "swaps",   NULL};
    static const char proc[] = "/proc/";
    if (strncmp(path, proc, sizeof proc - 1) != 0)
        return false;
    path += sizeof proc - 1;
    if (!own_process)
        return is_one_of(path, files);
    const char *file = strchr(path, '/');
    return file == NULL || is_own_proc_file(file + 1);
}

// Where deleted files may come back for the moment in which CRIU opens them.
static bool is_temporary(const char *path) {
    return is_below(path, "/tmp") || is_below(path, "/var/tmp") || is_below(path, "/dev/shm");
}

static bool may_open_path(const struct judged *judged) {
    static const char *const devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                          "/dev/random", "/dev/urandom", NULL};
    const char *path = judged->claim->text;
    int flags = (int)number(judged);
    bool reads = (flags & O_ACCMODE) == O_RDONLY;
    if (is_one_of(path, devices) || (strcmp(path, "/") == 0 && reads))
        return true;
    if (is_below(path, "/proc"))
        return reads && is_plain_proc_file(path, judged->claim->numbers[1] != 0);
    if (is_below(path, "/sys") && !reads)
        return false;
    if ((flags & O_CREAT) != 0 && is_temporary(path))
        return true;
    return judged->policy->may_open(judged->policy->context, path, flags & (O_ACCMODE | O_CREAT));
}

static bool path(const struct judged *judged) {
    static const char *const modes[] = {"reading", "writing", "reading and writing",
                                        "nothing we know"};
    return may_open_path(judged) ||
           deny(judged,
                "user %u may not have %s open for %s%s, which is neither in the file clone set nor "
                "what both hosts have: add it (--file-set), or close it before the clone",
                judged->policy->uid, judged->claim->text, modes[number(judged) & O_ACCMODE],
                number(judged) & O_CREAT ? " (deleted, or a socket)" : "");
}

static bool (*const rules[CLAIM_KINDS])(const struct judged *judged) = {
    [CLAIM_USER] = user,
    [CLAIM_GROUP] = group,
    [CLAIM_MEMBERSHIP] = membership,
    [CLAIM_NO_MEMBERSHIP] = no_membership,
    [CLAIM_CAPABILITIES] = capabilities,
    [CLAIM_SCHEDULING] = scheduling,
    [CLAIM_FILTER] = filter,
    [CLAIM_LIMIT] = limit,
    [CLAIM_LOGIN] = login,
    [CLAIM_BADNESS] = badness,
    [CLAIM_LOCKED_MEMORY] = locked_memory,
    [CLAIM_LABEL] = label,
    [CLAIM_TIMER] = timer,
    [CLAIM_INET_SOCKET] = inet_socket,
    [CLAIM_PORT] = port,
    [CLAIM_NETLINK_SOCKET] = netlink_socket,
    [CLAIM_INOTIFY] = inotify,
    [CLAIM_OPEN_FILE] = open_file,
    [CLAIM_MEMFD] = memfd,
    [CLAIM_DELETED_FILE] = deleted_file,
    [CLAIM_LOCK] = lock,
    [CLAIM_ROOT] = root,
    [CLAIM_PATH] = path,
};

bool policy_allows(const struct policy *policy, const struct policy_caller *caller,
                   const struct claim *claim, struct policy_reason *reason) {
    const struct judged judged = {policy, caller, claim, reason};
    bool has_text =
        claim->kind == CLAIM_LABEL || claim->kind == CLAIM_ROOT || claim->kind == CLAIM_PATH;
    if ((unsigned)claim->kind >= CLAIM_KINDS || has_text != (claim->text != NULL))
        return deny(&judged, "the process has something that this criu-remote-clone doesn't know");
    return rules[claim->kind](&judged);
}
