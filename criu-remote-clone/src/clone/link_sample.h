// SPDX-License-Identifier: Apache-2.0
// What the link between the two hosts gives, measured before the process is disturbed: serve sends
// messages that say nothing, and asks its peer for an echo before and after them. Messages, because
// data would be compressed, and zeros left out; they are paced as everything is.
#pragma once

#include "session.h"
#include "wire.h"

#define LINK_SAMPLE_BYTES (256u << 10) // of filler in a sample, at most
#define LINK_SAMPLES 16                // that serve sends, with filler
#define LINK_SAMPLES_MAX 64            // that pull takes: a little more than any serve needs

// Whether the peer's version of the protocol knows samples.
bool link_may_be_sampled(const struct wire *wire);

// Waits for an echo: the peer has taken everything that was sent before.
int link_echo(struct session *session, struct failure *failure);

// Just after an echo: measures. Never 0.
int link_sample(struct session *session, uint64_t *bytes_per_ms, struct failure *failure);

// Pull's end: throws a sample's filler away, and sends its echo if one is asked for. `taken` counts
// them: EXIT_TRANSFER for one too many, or one that is too long.
int link_answer(struct wire *wire, const struct wire_item *item, unsigned *taken,
                struct failure *failure);

// So many bytes in that time, as bytes per millisecond, at least 1: 0 would be "not known". No more
// than `share`, the clone's share of the host's bandwidth in bytes per second (0: unlimited): the
// pacer lets a burst go at once, which the memory that follows doesn't get.
uint64_t link_rate(uint64_t bytes, int64_t nanoseconds, uint64_t share);
