// SPDX-License-Identifier: Apache-2.0
// Which images may be restored: never what a peer chose and the calling user couldn't have. The
// rule is stated in docs/internals/images.md; this is its only implementation. What can be known of
// a running process is judged before it is frozen as well, by policy_allows(): what is refused only
// then has stopped a process for nothing.
//
// Images are held against it after image_rename() and before image_unprivileged(): what the latter
// writes is the tool's own (inside a user namespace groups have other numbers).
#pragma once

#include <sys/resource.h>

#include "claim.h"
#include "failure.h"

// What the process that runs CRIU has itself.
struct policy_caller {
    uint64_t capabilities; // permitted ones, and only if the clone runs on the caller's own behalf
    uint32_t login_uid;    // (uint32_t)-1: none
    int oom_score_adj;
    int nice;
    uint64_t limits[RLIM_NLIMITS];  // hard limits, UINT64_MAX: none
    bool only_users_groups;         // all its supplementary groups are the user's
    char label[SECURITY_LABEL_MAX]; // of SELinux or AppArmor; empty: none, or unconfined
};

// May the user open this path so (O_RDONLY, O_WRONLY, O_RDWR)? And does the path belong to the
// file clone set or the needed files of the handshake? What counts is where the path leads to
// in the clone's mount namespace, all symbolic links followed: CRIU opens it before it gives up
// its rights. With O_CREAT the file was deleted, or is a socket's name: it is made at the path
// (the parent directory's nearest ancestor that exists), and a deleted file removed again; below
// /tmp and the like that is nobody's business, and not asked for.
typedef bool policy_may_open(void *context, const char *path, int flags);

// Why a refusal of images can't come before the freeze, by policy_allows().
enum why_late {
    MALFORMED, // no dump of ours makes such an image of a process that isn't refused before
    UNSEEN,    // nothing tells it of a running process, or it depends on the CRIU that dumps
    // It does come before, as what obstacles_of() (obstacles.h) sees in the way of any clone.
    OBSTACLE_PROBES,
    OBSTACLE_DEVICE,
    OBSTACLE_MEMORY,
    OBSTACLE_NAMESPACE,
    OBSTACLE_MOUNT,
    OBSTACLE_UNIX_PEER,
    OBSTACLE_OTHER_NAME,
    OBSTACLE_TERMINAL,
    WHYS_LATE
};

struct policy {
    uid_t uid; // on whose behalf the clone runs
    gid_t gid;
    const gid_t *groups;
    size_t group_count;
    pid_t root;           // what the tree's first process must be; 0: any
    bool groups_replaced; // image_unprivileged() follows: groups of processes and of deleted files
                          // don't count
    policy_may_open *may_open;
    void *context;
    enum why_late why_late;             // of the last refusal
    const struct policy_caller *caller; // NULL: this process, read at the first check
    struct policy_memory *memory;       // NULL at first
};

void policy_read_caller(const struct policy *policy, struct policy_caller *caller);

// Judges one thing that a process has; `reason` is filled in when it isn't allowed.
struct policy_reason {
    char text[768];
};
bool policy_allows(const struct policy *policy, const struct policy_caller *caller,
                   const struct claim *claim, struct policy_reason *reason);

// Checks one image file (by CRIU's file name). EXIT_IMAGE with what and why.
int policy_check(struct policy *policy, const char *name, const void *bytes, size_t length,
                 struct failure *failure);
// Once all were checked: what must be there is there, and the images fit together. The paths are
// judged here.
int policy_complete(struct policy *policy, struct failure *failure);
// Frees what was noted; needed only when policy_complete() isn't reached after a successful check.
void policy_clear(struct policy *policy);
