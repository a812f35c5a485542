// SPDX-License-Identifier: Apache-2.0
// What the facts_*.c files share.
#pragma once

#include "facts.h"

// --- facts_host.c ---

// The flags that all CPUs of a /proc/cpuinfo text have, sorted. Freed by texts_free().
char **cpu_flags_in_common(const char *cpuinfo, size_t *count);

// The headroom of the cgroup `path` ("/a/b") below the mount point and of all its ancestors there;
// UINT64_MAX when nothing limits it.
uint64_t cgroup_headroom(const char *mount_point, const char *path, bool version_2);

// --- facts_process.c ---

// The last number on a line of /proc/PID/status, 0 without one: NSpid and the like go from our PID
// namespace to the innermost.
uint32_t status_innermost(const char *status, const char *name);

// --- facts_claims.c: each adds to facts->claims what it sees ---

// Takes a copy of the text.
void claim_add(struct process_facts *facts, struct claim claim);
void claims_of_thread(struct process_facts *facts, pid_t tid, const char *status);
void claims_of_task(struct process_facts *facts, pid_t pid, const char *status);
// `info`: the text of /proc/PID/fdinfo/N.
void claims_of_fd(struct process_facts *facts, const struct fd_facts *fd, const char *info);
// If it is a file's.
void claim_path(struct process_facts *facts, const char *path, int flags, bool deleted);
// Once the whole tree is known.
void claims_complete(struct process_facts *facts);

// --- facts_sockets.c ---

// Fills in facts->sockets, once all descriptors are known.
void read_sockets(struct process_facts *facts);
