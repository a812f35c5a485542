// SPDX-License-Identifier: Apache-2.0
// On whose behalf: choosing the user, lending a thread that user's rights over files, and becoming
// the user for good in a child.
#include "identity.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "procfs.h"
#include "scope.h"

#define OVERFLOW_GID 65534 // what an unmapped group looks like: /proc/sys/kernel/overflowgid

static int compare_groups(const void *left, const void *right) {
    const gid_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static int find_user(struct identity *identity, const char *user, struct failure *failure) {
    char *end;
    unsigned long number = strtoul(user, &end, 10);
    const struct passwd *entry =
        *user != '\0' && *end == '\0' ? getpwuid((uid_t)number) : getpwnam(user);
    if (entry == NULL)
        return fail(failure, EXIT_USAGE, "--user: there is no user '%s' on this host", user);
    identity->uid = entry->pw_uid;
    identity->gid = entry->pw_gid;
    int count = IDENTITY_GROUPS_MAX;
    if (getgrouplist(entry->pw_name, entry->pw_gid, identity->groups, &count) < 0)
        return fail(failure, EXIT_REFUSED, "--user: '%s' is in more than %d groups", user,
                    IDENTITY_GROUPS_MAX);
    identity->group_count = (size_t)count;
    // As getgroups(2) will return them: CRIU compares one by one.
    qsort(identity->groups, identity->group_count, sizeof(gid_t), compare_groups);
    return 0;
}

int identity_find(struct identity *identity, const char *user, struct failure *failure) {
    *identity = (struct identity){.uid = geteuid(), .gid = getegid()};
    if (user != NULL && geteuid() != 0)
        return fail(failure, EXIT_USAGE, "--user is root's; a clone of yours is restored as you");
    if (user != NULL && find_user(identity, user, failure) < 0)
        return -1;
    if (user == NULL) {
        int count = getgroups(IDENTITY_GROUPS_MAX, identity->groups);
        if (count < 0)
            return fail_errno(failure, EXIT_REFUSED, "can't read the caller's groups");
        identity->group_count = (size_t)count;
    }
    identity->user_namespace = geteuid() != 0;
    identity->unprivileged = identity->uid != 0;
    for (size_t i = 0; identity->user_namespace && i < identity->group_count; i++)
        if (identity->groups[i] != identity->gid)
            identity->groups[i] = OVERFLOW_GID;
    return 0;
}

// All four: real, effective, saved, file system.
static bool all_alike(const char *status, const char *name, unsigned *id) {
    unsigned ids[4];
    bool alike = procfs_ids(status, name, ids);
    for (size_t i = 1; alike && i < 4; i++)
        alike = ids[i] == ids[0];
    *id = ids[0];
    return alike;
}

static void read_groups(struct identity *identity, const char *list) {
    char *end;
    for (;; list = end) {
        unsigned long group = strtoul(list, &end, 10);
        if (end == list || identity->group_count == IDENTITY_GROUPS_MAX)
            return;
        identity->groups[identity->group_count++] = (gid_t)group;
        if (*end == '\n')
            return;
    }
}

// What ptrace(2) asks of a tracer without rights over others ("ptrace access mode checking"): the
// same ids, no fewer capabilities, and a process that is "dumpable", which the owner of what it has
// in /proc tells (proc(5)).
static bool user_may_trace(pid_t pid, const char *status, struct identity *identity) {
    char directory[64];
    struct stat facts;
    unsigned uid, gid;
    const char *permitted = procfs_value(status, "CapPrm");
    if (!all_alike(status, "Uid", &uid) || !all_alike(status, "Gid", &gid) || permitted == NULL ||
        strtoull(permitted, NULL, 16) != 0)
        return false;
    identity->uid = uid;
    identity->gid = gid;
    snprintf(directory, sizeof directory, "/proc/%d/fd", (int)pid);
    return uid != 0 && stat(directory, &facts) == 0 && facts.st_uid == uid;
}

// Documentation/admin-guide/LSM/Yama.rst: from 1 on a user may trace his descendants only.
static bool yama_forbids(void) {
    AUTO_FREE char *scope = procfs_read(NULL, "/proc/sys/kernel/yama/ptrace_scope");
    return scope != NULL && atoi(scope) > 0;
}

void identity_for_image(struct identity *identity, pid_t pid) {
    *identity = (struct identity){.uid = geteuid(), .gid = getegid()};
    if (geteuid() != 0) {
        identity->unprivileged = identity->by_file = true;
        return;
    }
    struct identity user = {.unprivileged = true};
    AUTO_FREE char *status = procfs_read(NULL, "/proc/%d/status", (int)pid);
    if (status != NULL && user_may_trace(pid, status, &user) && !yama_forbids()) {
        const char *groups = procfs_value(status, "Groups");
        if (groups != NULL)
            read_groups(&user, groups);
        *identity = user;
    }
}

void identity_for_files(struct identity *identity, const char *status) {
    unsigned uids[4], gids[4];
    const char *groups = procfs_value(status, "Groups");
    *identity = (struct identity){0};
    if (geteuid() != 0 || !procfs_ids(status, "Uid", uids) || !procfs_ids(status, "Gid", gids))
        return;
    *identity = (struct identity){.uid = uids[3], .gid = gids[3], .unprivileged = uids[3] != 0};
    if (groups != NULL)
        read_groups(identity, groups);
}

// setfsuid(2) has the kernel drop the capabilities that override files' modes, and both it and
// setfsgid(2) return the former id, whether or not they fail. setgroups(3) would be all threads'.
static bool set_rights(uid_t uid, gid_t gid, const gid_t *groups, size_t group_count) {
    const uid_t none = (uid_t)-1;
    if (syscall(SYS_setgroups, group_count, groups) < 0)
        return false;
    setfsgid(gid);
    setfsuid(uid);
    return (gid_t)setfsgid(none) == gid && (uid_t)setfsuid(none) == uid;
}

int rights_borrow(const struct identity *identity, struct own_rights *own,
                  struct failure *failure) {
    *own = (struct own_rights){.lent = identity->unprivileged && !identity->user_namespace,
                               .gid = getegid()};
    if (!own->lent)
        return 0;
    int count = getgroups(IDENTITY_GROUPS_MAX, own->groups);
    if (count < 0)
        return fail_errno(failure, EXIT_UNABLE, "can't read the caller's groups");
    own->group_count = (size_t)count;
    if (set_rights(identity->uid, identity->gid, identity->groups, identity->group_count))
        return 0;
    fail_errno(failure, EXIT_UNABLE,
               "can't read files with the rights of user %u (CAP_SETUID, CAP_SETGID)",
               identity->uid);
    rights_return(own);
    return -1;
}

void rights_return(const struct own_rights *own) {
    if (own->lent)
        set_rights(0, own->gid, own->groups, own->group_count);
}

static int write_map(pid_t child, const char *name, const char *text) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)child, name);
    AUTO_CLOSE int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    ssize_t put = write(file, text, strlen(text));
    return put < 0 ? -1 : 0;
}

int identity_map(const struct identity *identity, pid_t child, struct failure *failure) {
    char uids[64], gids[64];
    snprintf(uids, sizeof uids, "%u %u 1", identity->uid, identity->uid);
    snprintf(gids, sizeof gids, "%u %u 1", identity->gid, identity->gid);
    // user_namespaces(7): without setgroups "deny" an ordinary user may not write a gid map.
    if (write_map(child, "setgroups", "deny") < 0 || write_map(child, "uid_map", uids) < 0 ||
        write_map(child, "gid_map", gids) < 0)
        return fail_errno(failure, EXIT_UNABLE, "can't set up the clone's user namespace");
    return 0;
}

// In every set, so that it survives the exec, or in none.
static int keep_capability(bool keep) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2] = {0};
    struct __user_cap_data_struct *set = &sets[CAP_TO_INDEX(CAP_CHECKPOINT_RESTORE)];
    if (keep)
        set->effective = set->permitted = set->inheritable = CAP_TO_MASK(CAP_CHECKPOINT_RESTORE);
    if (syscall(SYS_capset, &head, sets) < 0)
        return -1;
    return keep ? prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_CHECKPOINT_RESTORE, 0, 0) : 0;
}

// None in the bounding set beside the one: CRIU makes itself user 0 as soon as it could.
static int become(const struct identity *identity, bool keep) {
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
        if (capability != CAP_CHECKPOINT_RESTORE && prctl(PR_CAPBSET_DROP, capability) < 0)
            return -1;
    if (!identity->user_namespace && (setgroups(identity->group_count, identity->groups) < 0 ||
                                      setresgid(identity->gid, identity->gid, identity->gid) < 0 ||
                                      prctl(PR_SET_KEEPCAPS, 1) < 0 ||
                                      setresuid(identity->uid, identity->uid, identity->uid) < 0))
        return -1;
    return keep_capability(keep);
}

int identity_assume(const struct identity *identity) {
    return identity->unprivileged && !identity->by_file ? become(identity, true) : 0;
}

int identity_assume_without_rights(const struct identity *identity) {
    return identity->unprivileged ? become(identity, false) : 0;
}
