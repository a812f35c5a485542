// SPDX-License-Identifier: Apache-2.0
// Making an offer of facts, and holding the process against it again when the hooks have run.
#include "offer.h"

#include "memory.h"
#include "verdict.h"

static void make_refusals(struct offer *offer, bool hooked) {
    const struct obstacles *obstacles = &offer->obstacles;
    CloneWire__Offer *message = &offer->message;
    message->refusal = must_allocate((obstacles->count + 1) * sizeof *message->refusal);
    for (size_t i = 0; i < obstacles->count; i++)
        if (!hooked || !obstacles->list[i].hook_may_fix)
            message->refusal[message->n_refusal++] = obstacles->list[i].text;
}

// What depends on the target is the target's to judge. Paths don't: may the clone have them open is
// a question of the offer alone.
static void make_claims(struct offer *offer, const struct process_facts *process, bool hooked) {
    CloneWire__Offer *message = &offer->message;
    struct policy_reason ignored = {.text = ""};
    message->claim = must_allocate((process->claim_count + 1) * sizeof *message->claim);
    offer->claims = must_allocate((process->claim_count + 1) * sizeof *offer->claims);
    for (size_t i = 0; i < process->claim_count; i++) {
        const struct claim *claim = process->claims[i];
        if (claim->kind == CLAIM_PATH || (hooked && claim_hook_may_fix(claim->kind)) ||
            !obstacles_taken_by_some(process, claim, verdict_may_open, message, &ignored))
            continue;
        CloneWire__Claim *sent = &offer->claims[message->n_claim];
        clone_wire__claim__init(sent);
        sent->kind = claim->kind;
        sent->number = (int64_t *)(uintptr_t)claim->numbers;
        sent->n_number = sizeof claim->numbers / sizeof claim->numbers[0];
        sent->text = (char *)(uintptr_t)claim->text;
        message->claim[message->n_claim++] = sent;
    }
}

int offer_make(struct offer *offer, const struct criu *criu, const struct process_facts *process,
               const struct fileset *files, bool hooked, struct failure *failure) {
    *offer = (struct offer){0};
    CloneWire__Offer *message = &offer->message;
    clone_wire__offer__init(message);
    size_t root_count, outside_count;
    char *const *roots = fileset_roots(files, &root_count);
    char *const *outside = fileset_outside(files, &outside_count);
    offer->host = facts_of_host(criu->version, failure);
    if (offer->host == NULL || facts_needed(process, roots, root_count, outside, outside_count,
                                            &offer->needed, &offer->needed_count, failure) < 0)
        return -1;
    message->host = offer->host;
    message->pid = process->tasks[0].inner_pid;
    message->command = process->tasks[0].command;
    message->uid = process->uid;
    message->highest_id = process->highest_id;
    message->working_directory = process->working_directory;
    message->file_set = (char **)(uintptr_t)roots;
    message->n_file_set = root_count;
    message->needed = offer->needed;
    message->n_needed = offer->needed_count;
    message->file_set_bytes = fileset_bytes(files);
    for (size_t i = 0; i < process->task_count; i++)
        message->image_bytes += process->tasks[i].anonymous_bytes;
    obstacles_of(process, verdict_may_open, message, &offer->obstacles);
    make_refusals(offer, hooked);
    make_claims(offer, process, hooked);
    return 0;
}

static struct policy_caller caller_of(const CloneWire__Caller *message) {
    struct policy_caller caller = {.capabilities = message->capabilities,
                                   .login_uid = message->login_uid,
                                   .oom_score_adj = message->oom_score_adj,
                                   .nice = message->nice,
                                   .only_users_groups = message->only_users_groups};
    for (size_t i = 0; i < message->n_limit && i < RLIM_NLIMITS; i++)
        caller.limits[i] = message->limit[i];
    snprintf(caller.label, sizeof caller.label, "%s", message->label);
    return caller;
}

static int target_allows_all(const struct offer *offer, const CloneWire__Caller *message,
                             const struct process_facts *process, struct failure *failure) {
    const struct policy_caller caller = caller_of(message);
    const struct policy policy = {.uid = offer->message.uid, // or the target had refused it
                                  .gid = message->gid,
                                  .groups = message->group,
                                  .group_count = message->n_group,
                                  .groups_replaced = message->groups_replaced,
                                  .may_open = verdict_may_open,
                                  .context = (void *)(uintptr_t)&offer->message};
    for (size_t i = 0; i < process->claim_count; i++) {
        struct policy_reason reason = {.text = ""};
        if (!policy_allows(&policy, &caller, process->claims[i], &reason))
            return fail(failure, EXIT_REFUSED, "the target would refuse it: %s", reason.text);
    }
    return 0;
}

int offer_still_stands(const struct offer *offer, const CloneWire__Answer *answer,
                       const struct process_facts *process, struct failure *failure) {
    struct obstacles obstacles;
    obstacles_of(process, verdict_may_open, (void *)(uintptr_t)&offer->message, &obstacles);
    int result = obstacles.count == 0 ? target_allows_all(offer, answer->caller, process, failure)
                                      : fail(failure, EXIT_REFUSED, "%s", obstacles.list[0].text);
    obstacles_clear(&obstacles);
    return result;
}

void offer_clear(struct offer *offer) {
    if (offer->host != NULL)
        clone_wire__host_facts__free_unpacked(offer->host, NULL);
    facts_needed_free(offer->needed, offer->needed_count);
    free(offer->message.refusal);
    free(offer->message.claim);
    free(offer->claims);
    obstacles_clear(&offer->obstacles);
    *offer = (struct offer){0};
}

int offer_refusal(const CloneWire__Offer *offer, const CloneWire__Answer *answer,
                  struct failure *failure) {
    size_t count = offer->n_refusal + answer->n_refusal;
    if (count == 0)
        return 0;
    const char *first = offer->n_refusal > 0 ? offer->refusal[0] : answer->refusal[0];
    if (count == 1)
        return fail(failure, EXIT_REFUSED, "%s", first);
    return fail(failure, EXIT_REFUSED, "%s (and %zu more: `criu-remote-clone check` lists them)",
                first, count - 1);
}
