#include "check.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "memory.h"
#include "obstacles.h"
#include "printable.h"

// --- the list ---

void requirements_add(struct requirements *requirements, enum check_status status, const char *name,
                      const char *fix, const char *detail_format, ...) {
    char detail[1200];
    struct failure ignored;
    va_list arguments;
    va_start(arguments, detail_format);
    vsnprintf(detail, sizeof detail, detail_format, arguments);
    va_end(arguments);
    struct requirement added = {.status = status,
                                .name = strdup(name),
                                .detail = strdup(detail),
                                .fix = fix != NULL ? strdup(fix) : NULL};
    requirements->incomplete |=
        added.name == NULL || added.detail == NULL || (fix != NULL && added.fix == NULL) ||
        grow(&requirements->list, requirements->count, sizeof added, &ignored) < 0;
    if (!requirements->incomplete)
        requirements->list[requirements->count++] = added;
}

size_t requirements_failed(const struct requirements *requirements) {
    size_t failed = 0;
    for (size_t i = 0; i < requirements->count; i++)
        failed += requirements->list[i].status == CHECK_FAIL;
    return failed;
}

void requirements_clear(struct requirements *requirements) {
    for (size_t i = 0; i < requirements->count; i++) {
        free(requirements->list[i].name);
        free(requirements->list[i].detail);
        free(requirements->list[i].fix);
    }
    free(requirements->list);
    *requirements = (struct requirements){0};
}

// --- printing ---

static const char *status_name(enum check_status status) {
    static const char *const names[] = {
        [CHECK_PASS] = "pass", [CHECK_WARN] = "warn", [CHECK_FAIL] = "fail"};
    return names[status];
}

static int print_table(const struct requirements *requirements, FILE *out) {
    for (size_t i = 0; i < requirements->count; i++) {
        const struct requirement *requirement = &requirements->list[i];
        fprintf(out, "%-5s %-16s %s\n", status_name(requirement->status), requirement->name,
                requirement->detail);
        if (requirement->fix != NULL)
            fprintf(out, "%-5s %-16s fix: %s\n", "", "", requirement->fix);
    }
    return ferror(out) ? -1 : 0;
}

static json_t *json_of(const struct requirement *requirement) {
    json_t *object =
        json_pack("{s:s, s:s, s:o}", "name", requirement->name, "status",
                  status_name(requirement->status), "detail", json_printable(requirement->detail));
    if (requirement->fix != NULL)
        json_object_set_new(object, "fix", json_printable(requirement->fix));
    return object;
}

static int print_json(const struct requirements *requirements, FILE *out) {
    json_t *object = json_object(), *list = json_array();
    json_object_set_new(object, "able", json_boolean(requirements_failed(requirements) == 0));
    for (size_t i = 0; i < requirements->count; i++)
        json_array_append_new(list, json_of(&requirements->list[i]));
    json_object_set_new(object, "requirements", list);
    int result = json_dumpf(object, out, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(object);
    return result < 0 || fputc('\n', out) == EOF ? -1 : 0;
}

int requirements_print(const struct requirements *requirements, bool json, FILE *out,
                       struct failure *failure) {
    int result = json ? print_json(requirements, out) : print_table(requirements, out);
    return result == 0 && fflush(out) == 0
               ? 0
               : fail_errno(failure, EXIT_UNABLE, "can't print the result");
}

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
    int result = obstacles_of(&facts, NULL, NULL, &obstacles, failure);
    for (size_t i = 0; result == 0 && i < obstacles.count; i++)
        add_obstacle(requirements, &obstacles.list[i]);
    obstacles_clear(&obstacles);
    facts_free(&facts);
    return result;
}

// --- the command ---

static int judge_all(const char *wanted_criu, pid_t pid, bool json, FILE *out,
                     struct requirements *list, struct failure *failure) {
    if (check_requirements(wanted_criu, list, failure) < 0)
        return -1;
    size_t of_host = requirements_failed(list);
    if ((pid != 0 && check_process(pid, list, failure) < 0) ||
        (list->incomplete && out_of_memory(failure) < 0) ||
        requirements_print(list, json, out, failure) < 0)
        return -1;
    if (of_host > 0)
        return fail(failure, EXIT_UNABLE, "this host lacks %zu of the requirements", of_host);
    size_t failed = requirements_failed(list);
    return failed == 0
               ? 0
               : fail(failure, EXIT_REFUSED,
                      "process %d can't be cloned as it is now (%zu reasons)", (int)pid, failed);
}

int check_host(const char *wanted_criu, pid_t pid, bool json, FILE *out, struct failure *failure) {
    struct requirements list = {0};
    int result = judge_all(wanted_criu, pid, json, out, &list, failure);
    requirements_clear(&list);
    return result;
}
