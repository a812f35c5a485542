// SPDX-License-Identifier: Apache-2.0
// On whose behalf a process is imaged and a clone is restored. As root for a process of root's,
// CRIU keeps root's rights. In every other case it has exactly one capability,
// CAP_CHECKPOINT_RESTORE, and the kernel itself keeps a process, or an image, from gaining what its
// user couldn't have:
// - as root for another user's process, CRIU becomes that user first;
// - as an ordinary user, the clone is made in a user namespace in which he is himself, and CRIU's
//   right to image comes from its file (criu_may_image()).
// docs/internals/least-privilege.md says what was tried and seen.
#pragma once

#include "failure.h"

#define IDENTITY_GROUPS_MAX 256

struct identity {
    uid_t uid;
    gid_t gid;
    gid_t groups[IDENTITY_GROUPS_MAX]; // supplementary, as a process of the clone's would see them
    size_t group_count;
    bool unprivileged;   // CRIU runs with CAP_CHECKPOINT_RESTORE alone
    bool by_file;        // it has that from its file, and is started as any other program
    bool user_namespace; // it needs a user namespace of its own
};

// The caller's, or (root only) that of `user`, a name or a number; NULL: the caller's.
int identity_find(struct identity *identity, const char *user, struct failure *failure);

// serve: whom CRIU becomes to image the process: its user, unless only root may (the process is
// root's, has changed its user since its start, or has capabilities; or Yama keeps users from
// tracing).
void identity_for_image(struct identity *identity, pid_t pid);

// serve: with whose rights files are read that are sent or spoken of: the process's, if it isn't
// root's, which may lead root to what its user may not read (by a symbolic link, say). A caller who
// isn't root has no others anyway.
void identity_for_files(struct identity *identity, const char *status);

// The calling thread's own, while it has lent ones.
struct own_rights {
    bool lent;
    gid_t gid;
    gid_t groups[IDENTITY_GROUPS_MAX];
    size_t group_count;
};

// Until rights_return() the calling thread, and no other, has the identity's rights over files. A
// caller who isn't root has them already.
int rights_borrow(const struct identity *identity, struct own_rights *own, struct failure *failure);
void rights_return(const struct own_rights *own);
// A variable of that type which ends the loan by itself, at the end of its block.
#define AUTO_RIGHTS __attribute__((cleanup(rights_return))) struct own_rights

// Parent: gives the child in a new user namespace its one user and group.
int identity_map(const struct identity *identity, pid_t child, struct failure *failure);

// Child, between fork and exec of CRIU: becomes the identity, with the one capability. 0 or -1 with
// errno.
int identity_assume(const struct identity *identity);
// The same without any capability: what the clone is.
int identity_assume_without_rights(const struct identity *identity);
