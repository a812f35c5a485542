// What stands in the way of any clone of a process, whoever pulls it: looked for before the freeze,
// and again when the hooks have had their chance. docs/requirements.md lists it.
#ifndef CLONE_OBSTACLES_H
#define CLONE_OBSTACLES_H

#include "facts.h"
#include "failure.h"
#include "policy.h"

struct obstacles {
    size_t count;
    struct obstacle *list; // texts are the facts' or `texts`
    char **texts;
    size_t text_count;
};

// `may_open` and `context` are the policy's; NULL: the clone may open whatever it has open.
int obstacles_of(const struct process_facts *process, policy_may_open *may_open, void *context,
                 struct obstacles *obstacles, struct failure *failure);
void obstacles_clear(struct obstacles *obstacles);

// Whether any target at all would take this.
bool obstacles_taken_by_some(const struct process_facts *process, const struct claim *claim,
                             policy_may_open *may_open, void *context,
                             struct policy_reason *reason);

#endif
