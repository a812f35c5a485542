// SPDX-License-Identifier: Apache-2.0
// serve's side of the handshake: what the target needs to know to judge, made from facts.
#pragma once

#include "clone_wire.pb-c.h"
#include "criu.h"
#include "facts.h"
#include "failure.h"
#include "fileset.h"
#include "obstacles.h"

struct offer {
    CloneWire__Offer message; // its strings belong to `process` and `files`, or to the lists below
    CloneWire__HostFacts *host;
    CloneWire__FileFacts **needed;
    size_t needed_count;
    struct obstacles obstacles;
    CloneWire__Claim *claims;
};

// `hooked`: a settle or quiesce hook will run, so what the process itself can put away is no
// obstacle yet. `process` and `files` must outlive the offer.
int offer_make(struct offer *offer, const struct criu *criu, const struct process_facts *process,
               const struct fileset *files, bool hooked, struct failure *failure);
// Once the hooks have run, for the process as it is now: EXIT_REFUSED if something is still, or by
// now, in the way of a clone, here or by what the answer says of the target.
int offer_still_stands(const struct offer *offer, const CloneWire__Answer *answer,
                       const struct process_facts *process, struct failure *failure);
void offer_clear(struct offer *offer);

// Both sides' reasons against, as one failure (EXIT_REFUSED); 0 when there are none.
int offer_refusal(const CloneWire__Offer *offer, const CloneWire__Answer *answer,
                  struct failure *failure);
