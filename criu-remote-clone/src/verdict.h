// Judging an offer: pure decisions on facts, no I/O but what the `have` callback does. Each reason
// is a sentence a user can act on.
#ifndef CLONE_VERDICT_H
#define CLONE_VERDICT_H

#include <stddef.h>
#include <stdint.h>

#include "clone_wire.pb-c.h"
#include "failure.h"

struct verdict {
    size_t refusal_count;
    char **refusals;
    size_t missing_count;
    uint32_t *missing; // indexes into offer->needed that should travel
};

// What the target has at a path of the source (after its --map options): 0 and the facts; 1:
// nothing there; -1 with a failure.
typedef int verdict_have(void *context, const char *source_path, CloneWire__FileFacts *facts,
                         struct failure *failure);

// Versions, kernel, architecture and page size, CPU flags (the target must have all of the source's
// that a process may use), needed files (an ELF file must have the same build id; what isn't there
// travels; what is there and differs is a refusal), memory for image and process, credentials.
int verdict_of(const CloneWire__Offer *offer, const CloneWire__HostFacts *here, verdict_have *have,
               void *context, struct verdict *verdict, struct failure *failure);
void verdict_clear(struct verdict *verdict);

#endif
