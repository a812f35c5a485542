// A process and its descendants, ended together.
#ifndef CLONE_PROCESS_TREE_H
#define CLONE_PROCESS_TREE_H

#include <sys/types.h>

#include "failure.h"

// Kills the process that `pidfd` refers to, whose number is `pid`, with all its descendants, and
// waits for its end. Nobody of them gets to do anything about it: first all are stopped, so that
// none that is forked meanwhile is left over. -1 if it may not be killed, or doesn't end.
int process_tree_end(pid_t pid, int pidfd, struct failure *failure);

#endif
