// SPDX-License-Identifier: Apache-2.0
// Two ends of a wire in one process, over a socket pair, and content that both can compute.
#pragma once

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "deadline.h"
#include "wire_start.h"

#define SOON deadline_in_ms(30000)

static const struct wire_options plain_options = {.compress = WIRE_COMPRESS_NEVER};

// What serve's processor can do besides secretstream, if it really can: a mask of its hello.
static uint8_t pair_ciphers = WIRE_AES_BODIES;

// For the setup of a group of tests.
static inline int pair_without_aes(void **state) {
    (void)state;
    pair_ciphers = 0;
    return 0;
}

// A handshake without sockets. Session 0 is serve's, session 1 pull's.
static inline void pair_sessions(struct wire_session sessions[2]) {
    static struct wire_handshake serve, pull;
    uint8_t key[WIRE_KEY_BYTES] = {42};
    struct failure failure;
    int status = wire_handshake_begin(&serve, WIRE_SERVE, key, &failure);
    status |= wire_handshake_begin(&pull, WIRE_PULL, key, &failure);
    serve.hello[WIRE_HELLO_CIPHERS] &= pair_ciphers;
    status |= wire_handshake_hello(&serve, pull.hello, &failure);
    status |= wire_handshake_hello(&pull, serve.hello, &failure);
    status |= wire_handshake_prove(&serve, pull.proof, &failure);
    status |= wire_handshake_prove(&pull, serve.proof, &failure);
    assert(status == 0);
    sessions[0] = serve.session;
    sessions[1] = pull.session;
}

static inline void pair_sockets(int fds[2]) {
    int status = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds);
    assert(status == 0);
}

static inline void pair_open_timed(struct wire *ends[2], const struct wire_options *options,
                                   const struct wire_timing *timing) {
    struct wire_session sessions[2];
    struct failure failure;
    int fds[2];
    pair_sessions(sessions);
    pair_sockets(fds);
    for (int i = 0; i < 2; i++) {
        ends[i] = wire_start(fds[i], &sessions[i], options, timing, &failure);
        assert(ends[i]);
    }
}

static inline void pair_open(struct wire *ends[2], const struct wire_options *options) {
    pair_open_timed(ends, options, &wire_default_timing);
}

static inline void pair_close(struct wire *ends[2]) {
    wire_close(ends[0]);
    wire_close(ends[1]);
}

// One running end, and the bare socket of the other.
static inline struct wire *pair_half_open(int *peer, const struct wire_options *options,
                                          const struct wire_timing *timing) {
    struct wire_session sessions[2];
    struct failure failure;
    int fds[2];
    pair_sessions(sessions);
    pair_sockets(fds);
    struct wire *wire = wire_start(fds[0], &sessions[0], options, timing, &failure);
    assert(wire);
    *peer = fds[1];
    return wire;
}

// --- Content: a stream of numbers that depends on its seed alone ---

struct content {
    uint64_t state;
};

static inline uint64_t content_next(struct content *content) {
    content->state += 0x9e3779b97f4a7c15;
    uint64_t mixed = content->state;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

static inline void content_random(struct content *content, uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i += 8) {
        uint64_t number = content_next(content);
        memcpy(bytes + i, &number, length - i < 8 ? length - i : 8);
    }
}

// Pages as a process has them: zero, compressible, random; each kind in runs.
static inline void content_pages(struct content *content, uint8_t *bytes, size_t length) {
    uint64_t kind = 0;
    for (size_t at = 0; at < length; at += 4096) {
        size_t size = length - at < 4096 ? length - at : 4096;
        uint64_t number = content_next(content);
        kind = number % 4 == 0 ? number / 4 % 3 : kind;
        if (kind == 0)
            memset(bytes + at, 0, size);
        else if (kind == 1)
            memset(bytes + at, (int)(number >> 32 & 0xff) | 1, size);
        else
            content_random(content, bytes + at, size);
    }
}

static inline size_t count_entries(const char *path) {
    size_t count = 0;
    DIR *directory = opendir(path);
    assert(directory);
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

// A thread that has been joined is still listed for a moment.
static inline bool threads_become(size_t count) {
    size_t now;
    for (int64_t until = SOON; (now = count_entries("/proc/self/task") - 2) != count;)
        if (deadline_poll_ms(until) == 0)
            return false;
    return true;
}
