#include "offer.h"

#include <stdlib.h>
#include <string.h>

static int make_tasks(CloneWire__Offer *message, const struct process_facts *process,
                      struct failure *failure) {
    message->task = calloc(process->pid_count, sizeof(CloneWire__TaskFacts *));
    CloneWire__TaskFacts *tasks = calloc(process->pid_count, sizeof *tasks);
    if (message->task == NULL || tasks == NULL) {
        free(tasks);
        return fail(failure, EXIT_SPACE, "out of memory");
    }
    for (size_t i = 0; i < process->pid_count; i++) {
        clone_wire__task_facts__init(&tasks[i]);
        tasks[i].pid = process->inner_pids[i];
        tasks[i].command = process->commands[i];
        message->image_bytes += process->anonymous_bytes[i];
        message->task[i] = &tasks[i];
    }
    message->n_task = process->pid_count;
    return 0;
}

static int make_refusals(struct offer *offer, const struct process_facts *process, bool hooked,
                         struct failure *failure) {
    offer->refusals = calloc(process->obstacle_count + 1, sizeof(char *));
    if (offer->refusals == NULL)
        return fail(failure, EXIT_SPACE, "out of memory");
    for (size_t i = 0; i < process->obstacle_count; i++)
        if (!hooked || !process->obstacles[i].hook_may_fix)
            offer->refusals[offer->refusal_count++] = process->obstacles[i].text;
    return 0;
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
    if (offer->host == NULL || make_tasks(message, process, failure) < 0 ||
        make_refusals(offer, process, hooked, failure) < 0 ||
        facts_needed(process, roots, root_count, outside, outside_count, &offer->needed,
                     &offer->needed_count, failure) < 0)
        return -1;
    message->host = offer->host;
    message->uid = process->uid;
    message->gid = process->gid;
    message->highest_id = process->highest_id;
    message->working_directory = process->working_directory;
    message->file_set = (char **)(uintptr_t)roots;
    message->n_file_set = root_count;
    message->needed = offer->needed;
    message->n_needed = offer->needed_count;
    message->refusal = offer->refusals;
    message->n_refusal = offer->refusal_count;
    message->file_set_bytes = fileset_bytes(files);
    return 0;
}

void offer_clear(struct offer *offer) {
    if (offer->message.task != NULL && offer->message.n_task > 0)
        free(offer->message.task[0]); // one block for all
    free(offer->message.task);
    if (offer->host != NULL)
        clone_wire__host_facts__free_unpacked(offer->host, NULL);
    facts_needed_free(offer->needed, offer->needed_count);
    free(offer->refusals);
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
