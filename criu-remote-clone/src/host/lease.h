// SPDX-License-Identifier: Apache-2.0
// Leases: a per-host limit on concurrent clones, on RAM-disk bytes and on bandwidth, across all
// callers. A lease is an open-file-description lock on a slot file in the lease directory, so the
// kernel takes it back whatever happens to its holder. The holder's bytes stand in the slot file,
// as text for people too (`cat /run/criu-remote-clone/slot-*`).
//
// Callers that share a directory share the limits; each applies its own to what all of them hold,
// so the strictest caller is the first to wait. Users who don't trust each other don't share: the
// default directory is its user's alone. To share, an administrator makes one with a group's or
// everybody's write permission; slot files then get the same.
//
// A descriptor kept by a child keeps the lease: children must not outlive us with it (they are all
// O_CLOEXEC).
#pragma once

#include "failure.h"

// What to do about a directory that won't do, in messages.
#define LEASE_DIR_FIX "choose one with --lease-dir, or CRIU_REMOTE_CLONE_LEASE_DIR"

struct lease_limits {
    const char *directory; // NULL: /run/criu-remote-clone (non-root: /tmp/criu-remote-clone-UID)
    unsigned clones;       // concurrent clones on this host, 1..64
    uint64_t ram_bytes;    // sum of all leases' bytes; 0: half of the host's MemAvailable, if known
    uint64_t bytes_per_second; // sum over all sending leases; 0: unlimited
    bool sending;              // this lease sends, and takes its share of the bandwidth
};

struct lease;

// Waits until a slot is free and `ram_bytes` fit, into the limit and into what our memory cgroup
// leaves us, at most until the deadline: EXIT_BUSY. When they don't fit although nobody else holds
// anything: EXIT_SPACE, at once.
struct lease *lease_acquire(const struct lease_limits *limits, uint64_t ram_bytes, int cancel_fd,
                            int64_t deadline_ns, struct failure *failure);
// Changes the held bytes, e.g. when the image is known or partly sent. Asking for more than is left
// is EXIT_SPACE, at once (waiting while holding could wait forever), and changes nothing.
int lease_resize(struct lease *lease, uint64_t ram_bytes, struct failure *failure);
// This holder's present share of the bandwidth, bytes per second; 0: unlimited.
uint64_t lease_bandwidth(void *lease);
// Whether leases can be taken here at all: makes the directory if need be (`check` asks).
int lease_directory_usable(const char *directory, struct failure *failure);
void lease_release(struct lease *lease); // NULL is allowed
