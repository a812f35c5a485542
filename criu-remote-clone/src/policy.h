// Which images may be restored: never what a peer chose and the calling user couldn't have. The
// rule is stated in docs/remote-clone.md ("What an image may hold"); this is its only
// implementation.
#ifndef CLONE_POLICY_H
#define CLONE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "failure.h"

struct policy {
    uid_t uid; // on whose behalf the clone runs
    gid_t gid;
    const gid_t *groups;
    size_t group_count;
    // May the user open this path so (O_RDONLY, O_WRONLY, O_RDWR)? And does the path belong to the
    // file clone set or the needed files of the handshake?
    bool (*may_open)(void *context, const char *path, int flags);
    void *context;
};

// Checks one image file (by CRIU's file name). EXIT_IMAGE with what and why.
int policy_check(const struct policy *policy, const char *name, const void *bytes, size_t length,
                 struct failure *failure);
// Once all were checked: what must be there is there.
int policy_complete(const struct policy *policy, struct failure *failure);

#endif
