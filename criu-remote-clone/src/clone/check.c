// SPDX-License-Identifier: Apache-2.0
// The check command: the host first, then a process on it.
#include "check.h"

#include "facts.h"
#include "obstacles.h"

// --- the process ---

// An obstacle is "what it is: the fix".
static void add_obstacle(struct requirements *requirements, const struct obstacle *obstacle) {
    const char *text = obstacle->text, *fix = NULL;
    for (const char *at = text; (at = strstr(at, ": ")) != NULL; at += 2)
        fix = at;
    char fix_text[1200];
    snprintf(fix_text, sizeof fix_text, "%s%s", fix != NULL ? fix + 2 : "",
             obstacle->hook_may_fix ? " (the quiesce hook may do it)" : "");
    int length = fix != NULL ? (int)(fix - text) : (int)strlen(text);
    requirements_add(requirements, CHECK_FAIL, "process", fix_text[0] != 0 ? fix_text : NULL,
                     "%.*s", length, text);
}

int check_process(pid_t pid, struct requirements *requirements, struct failure *failure) {
    struct process_facts facts;
    if (facts_of_process(pid, &facts, failure) < 0)
        return -1;
    uint64_t bytes = 0;
    size_t threads = 0;
    for (size_t i = 0; i < facts.task_count; i++) {
        bytes += facts.tasks[i].anonymous_bytes;
        threads += facts.tasks[i].thread_count;
    }
    requirements_add(requirements, CHECK_PASS, "process", NULL,
                     "%d (%s): processes %zu, threads %zu, memory %.1f MB, descriptors %zu, mapped "
                     "files %zu",
                     (int)pid, facts.tasks[0].command, facts.task_count, threads,
                     (double)bytes / 1e6, facts.fd_count, facts.mapped_count);
    struct obstacles obstacles = {0};
    obstacles_of(&facts, NULL, NULL, &obstacles);
    for (size_t i = 0; i < obstacles.count; i++)
        add_obstacle(requirements, &obstacles.list[i]);
    obstacles_clear(&obstacles);
    facts_free(&facts);
    return 0;
}

// --- the command ---

static int judge_all(const struct options *options, FILE *out, struct requirements *list,
                     struct failure *failure) {
    pid_t pid = options->pid;
    if (check_requirements(options, list, failure) < 0)
        return -1;
    size_t of_host = requirements_failed(list);
    if ((pid != 0 && check_process(pid, list, failure) < 0) ||
        requirements_print(list, options->json, out, failure) < 0)
        return -1;
    if (of_host > 0)
        return fail(failure, EXIT_UNABLE, "this host lacks %zu of the requirements", of_host);
    size_t failed = requirements_failed(list);
    return failed == 0
               ? 0
               : fail(failure, EXIT_REFUSED,
                      "process %d can't be cloned as it is now (%zu reasons)", (int)pid, failed);
}

int check_host(const struct options *options, FILE *out, struct failure *failure) {
    struct requirements list = {0};
    int result = judge_all(options, out, &list, failure);
    requirements_clear(&list);
    return result;
}
