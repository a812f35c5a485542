// SPDX-License-Identifier: Apache-2.0
// Runs a shell command of the caller's: `/bin/sh -c TEXT` in a process group of its own, with a
// time limit, default signals, /dev/null as input, our standard error as its output (our standard
// output carries the report), and none of our descriptors.
#pragma once

#include <signal.h>

#include "failure.h"

// fork(2); the child has all signals blocked, so that our handlers don't run in it. `before`: what
// was blocked.
pid_t fork_blocked(sigset_t *before);
// Waits for a child's end; its status as waitpid(2) tells it.
int reap_child(pid_t pid);

struct command {
    pid_t pid; // also the id of its process group
    int pid_fd;
    int gate_fd;
};

struct command_end {
    bool timed_out; // and was killed, with its whole process group
    bool abandoned; // that, because the process that it was for has ended
    int code;       // exit code, or -1
    int signal;     // that ended it, or 0
};

// Forks the command, which waits for command_finish() before it executes anything: in between the
// caller can list it with the keeper. `environment`: NULL-terminated NAME=VALUE, added to ours.
int command_prepare(struct command *command, const char *text, char *const environment[],
                    struct failure *failure);

// Lets the command go and waits for its end. `for_pidfd`: the process that it is for, or -1. Once
// that has ended the command may wait for it in vain, and has five more seconds at the most.
void command_finish(struct command *command, int timeout_ms, int for_pidfd,
                    struct command_end *end);

// Instead of command_finish(): it never ran.
void command_cancel(struct command *command);
