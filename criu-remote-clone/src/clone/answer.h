// SPDX-License-Identifier: Apache-2.0
// pull's side of the handshake: the verdict on an offer, as a message.
#pragma once

#include "clone_wire.pb-c.h"
#include "criu.h"
#include "failure.h"
#include "fileset.h"
#include "identity.h"
#include "verdict.h"

struct answer {
    CloneWire__Answer message;
    CloneWire__Caller caller_message;
    struct policy_caller caller;
    CloneWire__HostFacts *host;
    struct verdict verdict;
    char **missing_paths; // as message.missing, by path
};

struct answer_request {
    const CloneWire__Offer *offer;
    const struct criu *criu;
    const struct path_maps *maps;
    const struct identity *identity; // on whose behalf: what it may not see isn't told
    bool probe_only;
    int64_t deadline_ns;
    int cancel_fd; // readable: give up
};

// The identity in the request must outlive the answer.
int answer_make(struct answer *answer, const struct answer_request *request,
                struct failure *failure);
void answer_clear(struct answer *answer);

// Both sides' reasons against, as one failure (EXIT_REFUSED); 0 when there are none.
int answer_refusal(const struct answer *answer, const CloneWire__Offer *offer,
                   struct failure *failure);

// The most file bytes that this offer's stream may carry.
uint64_t answer_file_limit(const CloneWire__Offer *offer);

// The verdict for people or programs, on standard output; -1 (EXIT_REFUSED) when there are
// refusals.
int answer_print(const struct answer *answer, const CloneWire__Offer *offer, bool json,
                 struct failure *failure);
