// SPDX-License-Identifier: Apache-2.0
// The image streamer's serving end: gives CRIU's restore (`criu restore --stream`) its image files.
// CRIU is answered once all small images are there; the tasks' memory is passed on as it arrives,
// so that the target never holds the image and the memory at the same time.
#pragma once

#include "failure.h"

struct replay;

struct replay *replay_open(struct failure *failure);

// Before replay_begin(): a complete small image. The bytes are copied.
int replay_add(struct replay *replay, const char *name, const void *bytes, size_t length,
               struct failure *failure);
// In-place access for the identifier rewriting: iterate, look at, replace.
size_t replay_count(const struct replay *replay);
const char *replay_name(const struct replay *replay, size_t index);
const uint8_t *replay_bytes(const struct replay *replay, size_t index, size_t *length);
void replay_replace(struct replay *replay, size_t index, void *bytes,
                    size_t length); // takes `bytes` over (malloc'd)

// Listens on "<socket_dir>/streamer-serve.sock": CRIU may be started, and waits.
int replay_listen(struct replay *replay, const char *socket_dir, struct failure *failure);
// Answers CRIU in a thread of its own, until `ended_fd` is readable: CRIU has ended, perhaps before
// it could ask for anything.
int replay_begin(struct replay *replay, int ended_fd, struct failure *failure);
// Waits at most so long until a CRIU that was started has come to us, or has ended. Until then it
// finds out about the kernel, and would leave a directory in /tmp if it was killed.
void replay_await_criu(struct replay *replay, int ended_fd, int milliseconds);

// The next bytes of a memory image, which CRIU may or may not have asked for yet; blocks while CRIU
// isn't ready for them, until the deadline. They are lent, not copied: they must stay as they are
// until CRIU has read them.
int replay_feed(struct replay *replay, const char *name, const void *bytes, size_t length,
                int64_t deadline_ns, struct failure *failure);
// Waits until CRIU has read all but the last `bytes` that it was fed, or reads no more of it.
int replay_await_read(struct replay *replay, const char *name, uint64_t bytes, int64_t deadline_ns,
                      struct failure *failure);
// No more of this image comes. Returns once CRIU has read what it wants of it.
int replay_feed_end(struct replay *replay, const char *name, int64_t deadline_ns,
                    struct failure *failure);
// No memory comes any more: what CRIU still waits for is at its end.
void replay_complete(struct replay *replay);

// Ends the service, wipes and frees all images.
void replay_close(struct replay *replay); // NULL is allowed
