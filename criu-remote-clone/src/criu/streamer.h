// SPDX-License-Identifier: Apache-2.0
// What both ends of CRIU's image-streamer protocol share (criu/img-streamer.c): a unix socket on
// which CRIU names an image, and a pipe per image that follows it as SCM_RIGHTS.
#pragma once

#include "failure.h"

#define STREAMER_NAME_MAX 255
#define STREAMER_PIPE_BYTES (1 << 20)
#define STREAMER_ROOT_PIPE_BYTES (8 << 20)

// Listens on `directory`/`name`; whoever may enter the directory may connect.
int streamer_listen(const char *directory, const char *name, struct failure *failure);

// CRIU's next request: 1 and the image's name, 0 when CRIU has closed the connection, -1.
int streamer_request(int connection, char name[STREAMER_NAME_MAX + 1], struct failure *failure);
int streamer_reply(int connection, bool exists, struct failure *failure);
// The pipe end that follows a request (or, when restoring, a positive reply).
int streamer_receive_pipe(int connection, struct failure *failure);

// True for an image with a task's private pages ("pages-N.img").
bool streamer_is_memory(const char *name);
