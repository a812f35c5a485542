// SPDX-License-Identifier: Apache-2.0
// The keeper: a small process of its own session that outlives a killed tool and undoes what it
// left. The tool tells it what would have to be undone *before* doing it; when the tool is gone
// without having said that all is well, the keeper works through the list, last entry first.
// The same list serves the ordinary failure path, so there is one clean-up, not two. If somebody
// kills the keeper, keeper_finish() works through the tool's copy of the list.
//
// It looks at paths from the mount namespace it was started in, removes nothing through a symbolic
// link or on another mount, and says on standard error what it could not do. One thread at a time
// may use a keeper.
#pragma once

#include "command.h"
#include "failure.h"

struct keeper;

// Forks the keeper: before any thread exists. It holds no descriptor but /dev/null as 0 and 1,
// stderr, its socket, a pidfd of us, and what entries need.
struct keeper *keeper_start(struct failure *failure);

// Entries. Each returns an id > 0 for keeper_forget(), or -1. Each is on the keeper's list when the
// call returns. What is not there when its turn comes was undone already: no failure. A path must
// end in a name (not "..") and is made absolute now: symbolic links to directories above it count
// as they are at this moment, and one that is put there later is refused.
int keeper_remove_tree(struct keeper *keeper, const char *path, struct failure *failure);
int keeper_remove_file(struct keeper *keeper, const char *path, struct failure *failure);
int keeper_remove_directory_if_empty(struct keeper *keeper, const char *path,
                                     struct failure *failure);
// A file or empty directory that several pulls may count on: `fd` is open for it and holds a shared
// flock(2) of it, which lasts until the entry's turn comes. The last pull's keeper removes it.
// Takes the descriptor over.
int keeper_remove_shared(struct keeper *keeper, const char *path, int fd, struct failure *failure);
// Waits (bounded by `milliseconds`) for the process to end, then kills it with SIGKILL if
// `then_kill`. CRIU in mid-dump is waited for, never killed at once: see
// docs/internals/remote-clone.md. `pid` must be a child that we have not reaped: it is held by a
// pidfd from here on.
enum keeper_kill { KEEPER_LET_BE, KEEPER_KILL, KEEPER_KILL_GROUP };
int keeper_wait_for(struct keeper *keeper, pid_t pid, int milliseconds, enum keeper_kill then_kill,
                    struct failure *failure);
// Kills the process with SIGKILL. The descriptor stays the caller's.
int keeper_end(struct keeper *keeper, int pidfd, struct failure *failure);
// Runs `/bin/sh -c command` with the environment `name=value...` (NULL-terminated, added to ours;
// hook_environment() makes one), as command.h says. Command and environment: at most 64 KiB.
// `for_pidfd`: the process that it is for, or -1; the descriptor stays the caller's.
int keeper_run(struct keeper *keeper, const char *command, char *const environment[],
               int timeout_ms, int for_pidfd, struct failure *failure);

// Has the keeper run the command now, with this environment, in place of entry `id` of
// keeper_run(), which goes off the list: so it runs once, whenever we are killed. Waits for its
// end.
int keeper_run_now(struct keeper *keeper, int id, const char *command, char *const environment[],
                   int timeout_ms, struct command_end *end, struct failure *failure);

// Should we not have ended in `milliseconds` (0: no limit any more), because we are stopped or
// stuck, the keeper kills us. Its clean-up follows, five seconds later even if we haven't ended.
int keeper_time_limit(struct keeper *keeper, int64_t milliseconds, struct failure *failure);

// The thing was undone or is now wanted: takes the entry off the list.
int keeper_forget(struct keeper *keeper, int id, struct failure *failure);

// Ends the keeper: works through what is still on the list and waits until it is done.
void keeper_finish(struct keeper *keeper); // NULL is allowed
// Ends the keeper and keeps everything: the list is dropped.
void keeper_dismiss(struct keeper *keeper); // NULL is allowed
