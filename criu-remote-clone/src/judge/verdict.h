// SPDX-License-Identifier: Apache-2.0
// Judging an offer: pure decisions on facts, no I/O but what the `have` callback does. Each reason
// is a sentence a user can act on.
#pragma once

#include "clone_wire.pb-c.h"
#include "failure.h"
#include "policy.h"

struct verdict {
    size_t refusal_count;
    char **refusals;
    bool incomplete; // for want of memory
    size_t missing_count;
    uint32_t *missing; // indexes into offer->needed that should travel
};

// What judges need to know of the target beyond the facts that travel.
struct verdict_target {
    const CloneWire__HostFacts *host;
    uint32_t pid_max;            // facts_pid_max(); 0: unknown
    const struct policy *policy; // of the images; on whose behalf pull restores is in it
    const struct policy_caller *caller;
    // Whether a received copy may be bound over the target's file of that path, with the context
    // that `have` gets. NULL: over any.
    bool (*may_cover)(void *context, const char *path);
};

// May the clone open this, as far as an offer tells? For struct policy; `offer` is a
// CloneWire__Offer.
bool verdict_may_open(void *offer, const char *path, int flags);

// What the target has in place of a file of the source (after its --map options): 0 and the facts
// (with a content hash if `wanted` has one); 1: nothing there; -1 with a failure.
typedef int verdict_have(void *context, const CloneWire__FileFacts *wanted,
                         CloneWire__FileFacts *facts, struct failure *failure);

// Versions, kernel, architecture and page size; CPU flags (the target must have all that a process
// may use, and save the same registers); the user; what the process claims; process ids; memory;
// needed files (an executable or library must be there with the same build id; another file that
// isn't there travels, one that is there and differs is a refusal; what a link of the file clone
// set leads to travels unless it is known to be the same); the working directory. The source's own
// refusals (offer->refusal) are not repeated. docs/internals/requirements.md has each with its
// reason.
int verdict_of(const CloneWire__Offer *offer, const struct verdict_target *target,
               verdict_have *have, void *context, struct verdict *verdict, struct failure *failure);
// Adds a reason against, and returns 0.
int verdict_refuse(struct verdict *verdict, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void verdict_clear(struct verdict *verdict);
