// SPDX-License-Identifier: Apache-2.0
// What a process has that not everybody may give to a clone. The facts of a running process claim
// it, and so do the images of a frozen one; judge/policy.h judges both alike.
#pragma once

#include "standard.h"

enum claim_kind {         // numbers; text
    CLAIM_USER,           // a user id: real, effective, saved or the file system's
    CLAIM_GROUP,          // a group id of the same
    CLAIM_MEMBERSHIP,     // a supplementary group
    CLAIM_NO_MEMBERSHIP,  // none at all
    CLAIM_CAPABILITIES,   // a set of them
    CLAIM_SCHEDULING,     // policy, nice value
    CLAIM_FILTER,         // of system calls: 1 if under no_new_privs
    CLAIM_LIMIT,          // RLIMIT_*, the hard limit
    CLAIM_LOGIN,          // login uid
    CLAIM_BADNESS,        // oom_score_adj
    CLAIM_LOCKED_MEMORY,  // bytes
    CLAIM_LABEL,          // 0: the process's own, 1: its new sockets'; the label
    CLAIM_TIMER,          // its clock
    CLAIM_INET_SOCKET,    // family, type, protocol
    CLAIM_PORT,           // that a socket is bound to
    CLAIM_NETLINK_SOCKET, // protocol
    CLAIM_INOTIFY,        // watches
    CLAIM_OPEN_FILE,      // enum file_type, of those that we don't clone
    CLAIM_MEMFD,          // uid, gid, mode
    CLAIM_DELETED_FILE,   // the same
    CLAIM_LOCK,           // CRIU's kind of a file lock
    CLAIM_ROOT,           // the root directory
    CLAIM_PATH,           // flags to open it with, whether it is in /proc and about a process that
                          // is cloned; the path
    CLAIM_KINDS
};

enum { SECURITY_LABEL_MAX = 256 };
// CRIU's kinds of file locks (its include/fs.h).
enum { LOCK_POSIX = 1, LOCK_FLOCK = 2, LOCK_OFD = 4, LOCK_LEASE = 8 };

struct claim {
    enum claim_kind kind;
    int64_t numbers[3];
    const char *text; // NULL: none
};

// The process itself could do away with it, and it needs be judged only after the hooks.
bool claim_hook_may_fix(enum claim_kind kind);

// Whose process directory the path is in, "/proc/17" or below: 17. 0: none.
uint32_t claim_process_of(const char *path);
