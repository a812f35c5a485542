// The keeper: a small process of its own session that outlives a killed tool and undoes what it
// left. The tool tells it what would have to be undone *before* doing it; when the tool is gone
// without having said that all is well, the keeper works through the list, last entry first.
// The same list serves the ordinary failure path, so there is one clean-up, not two.
#ifndef CLONE_KEEPER_H
#define CLONE_KEEPER_H

#include <sys/types.h>

#include "failure.h"

struct keeper;

// Forks the keeper. It holds no descriptor but its socket, stderr, and what entries need.
struct keeper *keeper_start(struct failure *failure);

// Entries. Each returns an id > 0 for keeper_forget(), or -1. Each is on the keeper's list when the
// call returns.
int keeper_remove_tree(struct keeper *keeper, const char *path, struct failure *failure);
int keeper_remove_file(struct keeper *keeper, const char *path, struct failure *failure);
int keeper_remove_directory_if_empty(struct keeper *keeper, const char *path,
                                     struct failure *failure);
// Waits (bounded by `milliseconds`) for the process to end, then kills it with SIGKILL if
// `then_kill`. CRIU in mid-dump is waited for, never killed at once: see docs/remote-clone.md.
int keeper_wait_for(struct keeper *keeper, pid_t pid, int milliseconds, int then_kill,
                    struct failure *failure);
// Runs `/bin/sh -c command` with the environment `name=value...` (NULL-terminated, added to ours).
int keeper_run(struct keeper *keeper, const char *command, char *const environment[],
               int timeout_ms, struct failure *failure);

// The thing was undone or is now wanted: takes the entry off the list.
int keeper_forget(struct keeper *keeper, int id, struct failure *failure);

// Ends the keeper: works through what is still on the list and waits until it is done.
void keeper_finish(struct keeper *keeper);
// Ends the keeper and keeps everything: the list is dropped.
void keeper_dismiss(struct keeper *keeper);

#endif
