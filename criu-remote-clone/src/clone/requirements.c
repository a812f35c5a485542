// SPDX-License-Identifier: Apache-2.0
// The list of requirements, as a table or as JSON.
#include "requirements.h"

#include <jansson.h>

#include "memory.h"
#include "printable.h"
#include "verdict_cpu.h"

// --- the list ---

void requirements_add(struct requirements *requirements, enum check_status status, const char *name,
                      const char *fix, const char *detail_format, ...) {
    char detail[1200];
    FORMAT_INTO(detail, detail_format);
    must_grow(&requirements->list, requirements->count, sizeof *requirements->list);
    requirements->list[requirements->count++] =
        (struct requirement){.status = status,
                             .name = must_copy(name),
                             .detail = must_copy(detail),
                             .fix = fix != NULL ? must_copy(fix) : NULL};
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
    if (requirements->host != NULL)
        protobuf_c_message_free_unpacked(&requirements->host->base, NULL);
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

static json_t *json_of_flags(const CloneWire__HostFacts *host, bool (*counts)(const char *flag)) {
    json_t *list = json_array();
    for (size_t i = 0; i < host->n_cpu_flag; i++)
        if (counts(host->cpu_flag[i]))
            json_array_append_new(list, json_printable(host->cpu_flag[i]));
    return list;
}

static json_t *json_of_host(const CloneWire__HostFacts *host) {
    return json_pack("{s:o, s:o, s:o, s:I, s:o, s:o}", "criu", json_printable(host->criu_version),
                     "kernel", json_printable(host->kernel_release), "architecture",
                     json_printable(host->architecture), "page_size", (json_int_t)host->page_size,
                     "cpu_flags", json_of_flags(host, cpu_flag_is_for_programs),
                     "cpu_register_flags", json_of_flags(host, cpu_flag_adds_registers));
}

static int print_json(const struct requirements *requirements, FILE *out) {
    json_t *object = json_object(), *list = json_array();
    json_object_set_new(object, "able", json_boolean(requirements_failed(requirements) == 0));
    for (size_t i = 0; i < requirements->count; i++)
        json_array_append_new(list, json_of(&requirements->list[i]));
    json_object_set_new(object, "requirements", list);
    if (requirements->host != NULL)
        json_object_set_new(object, "host", json_of_host(requirements->host));
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
