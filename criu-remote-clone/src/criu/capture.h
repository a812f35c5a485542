// SPDX-License-Identifier: Apache-2.0
// The image streamer's capturing end: takes CRIU's image files from its pipes (`criu dump
// --stream`) into RAM while the process is frozen.
//
// CRIU splices the frozen process's pages into a pipe without copying them. We splice them on into
// several pipes of our own and copy out of those with several threads into memory that was
// allocated, as huge pages, before the freeze: copying is most of a freeze, and this is what makes
// ours short. Because the pages in a pipe are still the process's own, nothing may resume it before
// capture_drain() has returned: that call sits in CRIU's post-dump action.
#pragma once

#include "failure.h"
#include "ramdisk.h"

struct capture;

struct captured_image {
    const char *name; // CRIU's file name
    const uint8_t *bytes;
    size_t length;
    bool memory; // a task's private pages: streamed while CRIU restores
};

// Listens on "<socket_dir>/streamer-capture.sock". More than `limit_bytes` is EXIT_SPACE, and CRIU
// then resumes the process. `copiers`: threads that copy memory, at least 1. Takes no memory yet.
struct capture *capture_start(const struct ramdisk *disk, const char *socket_dir,
                              uint64_t limit_bytes, unsigned copiers, struct failure *failure);

// Before the freeze: takes the RAM disk's first `bytes`, as far as an earlier call hasn't, and
// touches them, so that no page fault falls into the freeze. EXIT_SPACE when there isn't so much,
// or `bytes` is more than the limit.
int capture_reserve(struct capture *capture, uint64_t bytes, int64_t deadline_ns,
                    struct failure *failure);
// How many bytes have been taken so; whole pages.
uint64_t capture_reserved(struct capture *capture);

// Returns when every page pipe that CRIU has opened so far is at its end and copied.
int capture_drain(struct capture *capture, int64_t deadline_ns, struct failure *failure);

// CRIU is done (its connection is closed): returns when everything has arrived.
int capture_finish(struct capture *capture, int64_t deadline_ns, struct failure *failure);

// After CRIU's failure: puts ours in its place if it was the cause, there being too little room.
void capture_explain(struct capture *capture, struct failure *failure);

// Gives up: CRIU's connection and pipes break, so that it fails and lets the process run.
void capture_abort(struct capture *capture);

// The captured images, in the order CRIU opened them; valid until capture_close().
size_t capture_count(const struct capture *capture);
const struct captured_image *capture_image(const struct capture *capture, size_t index);

// Gives the memory of a sent part back (punches a hole); whole pages inside the range only.
void capture_release(struct capture *capture, const void *bytes, size_t length);

void capture_close(struct capture *capture);
