// Leases: a per-host limit on concurrent clones, on RAM-disk bytes and on bandwidth, across all
// callers. A lease is an open-file-description lock on a slot file in the lease directory, so the
// kernel takes it back whatever happens to its holder. The holder's bytes stand in the slot file.
#ifndef CLONE_LEASE_H
#define CLONE_LEASE_H

#include <stdint.h>

#include "failure.h"

struct lease_limits {
    const char *directory; // default /run/criu-remote-clone (non-root: /tmp/criu-remote-clone-UID)
    unsigned clones;       // concurrent clones on this host, 1..64
    uint64_t ram_bytes;    // sum of all leases' bytes; 0: half of MemAvailable at the time
    uint64_t bytes_per_second; // sum over all sending leases; 0: unlimited
};

struct lease;

// Waits until a slot is free and `ram_bytes` fit, at most until the deadline: EXIT_BUSY.
struct lease *lease_acquire(const struct lease_limits *limits, uint64_t ram_bytes, int cancel_fd,
                            int64_t deadline_ns, struct failure *failure);
// Changes the held bytes, e.g. when the image is known or partly sent.
int lease_resize(struct lease *lease, uint64_t ram_bytes, struct failure *failure);
// This holder's present share of the bandwidth, bytes per second; 0: unlimited.
uint64_t lease_bandwidth(void *lease);
void lease_release(struct lease *lease); // NULL is allowed

#endif
