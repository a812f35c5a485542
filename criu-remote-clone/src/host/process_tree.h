// A process and its descendants: who they are, and ended together.
#ifndef CLONE_PROCESS_TREE_H
#define CLONE_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "failure.h"

// The numbers that name subdirectories of /proc's: tasks, descriptors, processes. Nothing there:
// none. Appended to numbers[*count], which grows as grow() does it.
int numbers_in(const char *directory, pid_t **numbers, size_t *count, struct failure *failure);
int pid_append(pid_t **pids, size_t *count, long pid, struct failure *failure);

// The children of a process, appended: from /proc/PID/task/TID/children, or (`scan`; for kernels
// without CONFIG_PROC_CHILDREN) from the parents of all processes.
int children_of(pid_t pid, bool scan, pid_t **pids, size_t *count, struct failure *failure);

// Kills the process that `pidfd` refers to, whose number is `pid`, with all its descendants, and
// waits for its end. Nobody of them gets to do anything about it: first all are stopped, so that
// none that is forked meanwhile is left over. -1 if it may not be killed, or doesn't end.
int process_tree_end(pid_t pid, int pidfd, struct failure *failure);

#endif
