#include "obstacles.h"

#include <stdlib.h>
#include <string.h>

static bool may_open_anything(void *context, const char *path, int flags) {
    (void)context;
    (void)path;
    (void)flags;
    return true;
}

// As if the process's own user pulled, and might do whatever anybody may.
bool obstacles_taken_by_some(const struct process_facts *process, const struct claim *claim,
                             policy_may_open *may_open, void *context,
                             struct policy_reason *reason) {
    gid_t group = claim->kind == CLAIM_MEMFD ? (gid_t)claim->numbers[1] : process->gid;
    const struct policy policy = {.uid = process->uid,
                                  .gid = process->gid,
                                  .groups = &group,
                                  .group_count = 1,
                                  .groups_replaced = true,
                                  .may_open = may_open != NULL ? may_open : may_open_anything,
                                  .context = context};
    struct policy_caller caller = {.capabilities = UINT64_MAX, .only_users_groups = true};
    for (size_t i = 0; i < RLIM_NLIMITS; i++)
        caller.limits[i] = UINT64_MAX;
    return policy_allows(&policy, &caller, claim, reason);
}

static int add(struct obstacles *obstacles, const struct claim *claim, const char *text,
               struct failure *failure) {
    char *copy = strdup(text);
    if (copy == NULL)
        return fail(failure, EXIT_SPACE, "out of memory");
    obstacles->texts[obstacles->text_count++] = copy;
    obstacles->list[obstacles->count++] =
        (struct obstacle){.hook_may_fix = claim_hook_may_fix(claim->kind), .text = copy};
    return 0;
}

int obstacles_of(const struct process_facts *process, policy_may_open *may_open, void *context,
                 struct obstacles *obstacles, struct failure *failure) {
    *obstacles = (struct obstacles){
        .list = calloc(process->obstacle_count + process->claim_count + 1, sizeof *obstacles->list),
        .texts = calloc(process->claim_count + 1, sizeof(char *))};
    if (obstacles->list == NULL || obstacles->texts == NULL) {
        obstacles_clear(obstacles);
        return fail(failure, EXIT_SPACE, "out of memory");
    }
    for (size_t i = 0; i < process->obstacle_count; i++)
        obstacles->list[obstacles->count++] = process->obstacles[i];
    for (size_t i = 0; i < process->claim_count; i++) {
        const struct claim *claim = &process->claims[i];
        struct policy_reason reason;
        if (!obstacles_taken_by_some(process, claim, may_open, context, &reason) &&
            add(obstacles, claim, reason.text, failure) < 0) {
            obstacles_clear(obstacles);
            return -1;
        }
    }
    return 0;
}

void obstacles_clear(struct obstacles *obstacles) {
    for (size_t i = 0; i < obstacles->text_count; i++)
        free(obstacles->texts[i]);
    free(obstacles->texts);
    free(obstacles->list);
    *obstacles = (struct obstacles){0};
}
