// SPDX-License-Identifier: Apache-2.0
// Numbers in CRIU's images that we deal with without unpacking them; ../proto/criu_image.proto has
// the whole messages.
#pragma once

// Fields, of messages that are edited.
enum core_field { CORE_THREAD = 5 };
enum thread_field { THREAD_CREDS = 10 };
enum creds_field { CREDS_UID = 1, CREDS_CAP_BOUNDING = 12, CREDS_GROUPS = 14 };
enum file_field { FILE_REG = 3 };
enum reg_field { REG_FLAGS = 2, REG_NAME = 6, REG_SIZE = 8, REG_MODE = 10 };
enum ghost_field { GHOST_GID = 2, GHOST_CHUNKS = 9 };

// Types of open files.
enum file_type {
    TYPE_REG = 1,
    TYPE_PIPE = 2,
    TYPE_FIFO = 3,
    TYPE_INET = 4,
    TYPE_UNIX = 5,
    TYPE_EVENTFD = 6,
    TYPE_EVENTPOLL = 7,
    TYPE_INOTIFY = 8,
    TYPE_SIGNALFD = 9,
    TYPE_PACKET = 10,
    TYPE_TTY = 11,
    TYPE_FANOTIFY = 12,
    TYPE_NETLINK = 13,
    TYPE_NS = 14,
    TYPE_TIMERFD = 17,
    TYPE_MEMFD = 18,
    TYPE_PIDFD = 20
};
