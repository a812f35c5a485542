// SPDX-License-Identifier: Apache-2.0
// What stands in the way of any clone of a process, whoever pulls it: looked for before the freeze,
// and again when the hooks have had their chance. What CRIU 4.2 refuses to dump or to restore the
// way we run it (criu.c); what it would carry over in a form that harms the clone; and what no
// target takes. docs/internals/requirements.md lists it, and what was seen of each.
#pragma once

#include "facts.h"
#include "failure.h"
#include "policy.h"

struct obstacle {
    // The process itself could do away with it (close, stop, end), so it counts only if it is
    // still there after the hooks. Otherwise nothing done while it runs will help.
    bool hook_may_fix;
    char *text; // what it is, where, and the fix
};

struct obstacles {
    size_t count;
    struct obstacle *list;
};

// `may_open` and `context` are the policy's; NULL: the clone may open whatever it has open.
void obstacles_of(const struct process_facts *process, policy_may_open *may_open, void *context,
                  struct obstacles *obstacles);
void obstacles_clear(struct obstacles *obstacles);

// Whether any target at all would take this.
bool obstacles_taken_by_some(const struct process_facts *process, const struct claim *claim,
                             policy_may_open *may_open, void *context,
                             struct policy_reason *reason);
