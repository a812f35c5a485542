// SPDX-License-Identifier: Apache-2.0
// A process and its descendants: who they are, and ended together.
#pragma once

#include "failure.h"
#include "keeper.h"

// The numbers that name subdirectories of /proc's: tasks, descriptors, processes. Nothing there:
// none. Appended to numbers[*count], which grows as grow() does it.
void numbers_in(const char *directory, pid_t **numbers, size_t *count);
void pid_append(pid_t **pids, size_t *count, long pid);

// The children of a process, appended: from /proc/PID/task/TID/children, or (`scan`; for kernels
// without CONFIG_PROC_CHILDREN) from the parents of all processes.
void children_of(pid_t pid, bool scan, pid_t **pids, size_t *count);

// Kills the process that `pidfd` refers to, whose number is `pid`, with all its descendants, and
// waits for its end. Nobody of them gets to do anything about it: first all are stopped, so that
// none that is forked meanwhile is left over. The keeper goes on with that if we are killed. -1 if
// it may not be killed, or doesn't end.
int process_tree_end(pid_t pid, int pidfd, struct keeper *keeper, struct failure *failure);
