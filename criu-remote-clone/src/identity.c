#include "identity.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OVERFLOW_GID 65534 // what an unmapped group looks like: /proc/sys/kernel/overflowgid

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

static int write_map(pid_t child, const char *name, const char *text) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)child, name);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    ssize_t put = write(file, text, strlen(text));
    close(file);
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

// The one capability, in every set, so that it survives the exec; none in the bounding set beside
// it, since CRIU makes itself user 0 as soon as it could (CAP_SETUID).
static int keep_one_capability(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2] = {0};
    const __u32 bit = CAP_TO_MASK(CAP_CHECKPOINT_RESTORE);
    struct __user_cap_data_struct *set = &sets[CAP_TO_INDEX(CAP_CHECKPOINT_RESTORE)];
    set->effective = set->permitted = set->inheritable = bit;
    if (syscall(SYS_capset, &head, sets) < 0)
        return -1;
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_CHECKPOINT_RESTORE, 0, 0);
}

int identity_assume(const struct identity *identity) {
    if (!identity->unprivileged)
        return 0;
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
        if (capability != CAP_CHECKPOINT_RESTORE && prctl(PR_CAPBSET_DROP, capability) < 0)
            return -1;
    if (!identity->user_namespace && (setgroups(identity->group_count, identity->groups) < 0 ||
                                      setresgid(identity->gid, identity->gid, identity->gid) < 0 ||
                                      prctl(PR_SET_KEEPCAPS, 1) < 0 ||
                                      setresuid(identity->uid, identity->uid, identity->uid) < 0))
        return -1;
    return keep_one_capability();
}
