// Faults the clone's memory in ahead of CRIU. One thread of CRIU's restores a process: it reads the
// memory from a pipe, page fault by page fault, and that is most of a restore. Here helpers look
// where it reads to, and touch what comes after that from outside, so that it only has to copy.
//
// Touching means: the kernel makes the pages, and nobody writes to them. Whatever the helpers
// believe about the process, its memory holds what it would hold without them. It takes what
// ptrace(2) takes; where that is forbidden, CRIU does it all itself.
#ifndef CLONE_PREFAULT_H
#define CLONE_PREFAULT_H

#include <stddef.h>
#include <sys/types.h>

#include "runs.h"

struct prefault;

// For the process that reads an image from `pipe` (our end of it): `criu` or a descendant of it.
// `runs` is ours from here on. NULL where there is no thread or memory for it.
struct prefault *prefault_start(pid_t criu, int pipe, struct runs *runs);
// So many bytes more were put into the pipe. NULL is allowed.
void prefault_fed(struct prefault *prefault, size_t bytes);
void prefault_end(struct prefault *prefault); // NULL is allowed

#endif
