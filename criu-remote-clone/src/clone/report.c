// SPDX-License-Identifier: Apache-2.0
// Progress for people, events and the report for programs: each is a JSON object on a line.
#include "report.h"

#include <fcntl.h>
#include <jansson.h>
#include <unistd.h>

#include "deadline.h"

static const char *const phase_names[PHASE_COUNT] = {
    [PHASE_HANDSHAKE] = "handshake_ms", [PHASE_PRECOPY] = "precopy_ms",
    [PHASE_SAMPLE] = "sample_ms",       [PHASE_PREPARE] = "prepare_ms",
    [PHASE_SETTLE] = "settle_ms",       [PHASE_QUIESCE] = "quiesce_ms",
    [PHASE_RESERVE] = "reserve_ms",     [PHASE_DUMP] = "dump_ms",
    [PHASE_FREEZE] = "freeze_ms",       [PHASE_RESUME] = "resume_ms",
    [PHASE_GATE] = "gate_ms",           [PHASE_TRANSFER] = "transfer_ms",
    [PHASE_RESTORE] = "restore_ms",
};

static double milliseconds_since(int64_t then_ns) {
    return (double)(now_ns() - then_ns) / 1e6;
}

// Three digits are what the measurements are good for, and people can read.
static json_t *rounded_json(double number) {
    return json_real((double)(int64_t)(number * 1000 + 0.5) / 1000);
}

int report_start(struct report *report, const char *role, const char *path, const char *events_path,
                 bool quiet, struct failure *failure) {
    *report = (struct report){.role = role, .path = path, .quiet = quiet, .started_ns = now_ns()};
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        report->milliseconds[phase] = -1;
    if (events_path == NULL)
        return 0;
    report->events = fopen(events_path, "ae");
    if (report->events == NULL)
        return fail_errno(failure, EXIT_USAGE, "can't write events to %s", events_path);
    return 0;
}

void report_begin(struct report *report, enum report_phase phase) {
    report->begun_ns[phase] = now_ns();
}

void report_end(struct report *report, enum report_phase phase) {
    if (report->begun_ns[phase] != 0)
        report->milliseconds[phase] = milliseconds_since(report->begun_ns[phase]);
}

void report_event(struct report *report, const char *event, const char *format, ...) {
    char text[512];
    FORMAT_INTO(text, format);
    make_printable(text);
    double at = milliseconds_since(report->started_ns);
    if (!report->quiet)
        fprintf(stderr, "%s %8.1f ms  %s\n", report->role, at, text);
    if (report->events == NULL)
        return;
    json_t *line = json_pack("{s:s, s:s, s:o, s:s}", "role", report->role, "event", event, "at_ms",
                             rounded_json(at), "text", text);
    json_dumpf(line, report->events, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(10));
    fputc('\n', report->events);
    fflush(report->events);
    json_decref(line);
}

static void put_integer(json_t *object, const char *key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

// NULL: nothing.
static void put_text(json_t *object, const char *key, const char *text) {
    if (text != NULL)
        json_object_set_new(object, key, json_string(text));
}

static void put_number(json_t *object, const char *key, double number) {
    json_object_set_new(object, key, rounded_json(number));
}

static const char *outcome(const struct failure *failure, const struct report_totals *totals) {
    return failure != NULL ? "failed" : totals->moved ? "moved" : "cloned";
}

static json_t *report_json(const struct report *report, const struct failure *failure,
                           const struct report_totals *totals) {
    json_t *object = json_object();
    put_text(object, "tool", "criu-remote-clone " TOOL_VERSION);
    put_text(object, "role", report->role);
    put_text(object, "outcome", outcome(failure, totals));
    put_integer(object, "exit_code", failure == NULL ? EXIT_DONE : failure->code);
    put_text(object, "reason", failure == NULL ? NULL : failure->text);
    if (totals->pid > 0)
        put_integer(object, "pid", (uint64_t)totals->pid);
    put_text(object, "peer", totals->peer);
    if (totals->wire_version > 0)
        put_integer(object, "wire_version", totals->wire_version);
    put_text(object, "criu", totals->criu_version);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        if (report->milliseconds[phase] >= 0)
            put_number(object, phase_names[phase], report->milliseconds[phase]);
    put_number(object, "total_ms", milliseconds_since(report->started_ns));

    const struct wire_statistics *wire = &totals->wire;
    put_integer(object, "image_bytes", totals->image_bytes);
    put_integer(object, "zero_bytes", wire->zero_bytes);
    put_integer(object, "wire_sent_bytes", wire->sent_bytes);
    put_integer(object, "wire_received_bytes", wire->received_bytes);
    put_integer(object, "compressed_from_bytes", wire->compressed_in);
    put_integer(object, "compressed_to_bytes", wire->compressed_out);
    put_text(object, "compress", totals->compress);
    double transfer_ms = report->milliseconds[PHASE_TRANSFER];
    uint64_t moved = wire->sent_data_bytes + wire->received_data_bytes;
    if (transfer_ms > 0)
        put_number(object, "throughput_mb_per_s", (double)moved / 1000 / transfer_ms);
    if (totals->link_bytes_per_ms != NULL)
        put_integer(object, "link_bytes_per_ms", *totals->link_bytes_per_ms);
    const struct fileset_statistics *files = &totals->files;
    put_integer(object, "files", files->files);
    put_integer(object, "early_file_bytes", files->early_bytes);
    put_integer(object, "late_file_bytes", files->rest_bytes);
    put_integer(object, "linked_files", files->linked_files);
    put_integer(object, "copied_files", files->copied_files);
    put_integer(object, "copied_bytes", files->copied_bytes);
    return object;
}

static void finish_for_people(const struct report *report, const struct failure *failure,
                              const struct report_totals *totals) {
    if (failure != NULL)
        fprintf(stderr, "criu-remote-clone %s: %s\n", report->role, failure->text);
    else if (!report->quiet)
        fprintf(stderr, "%s %8.1f ms  done: %.1f MB of image, %.1f MB on the wire\n", report->role,
                milliseconds_since(report->started_ns), (double)totals->image_bytes / 1e6,
                (double)(totals->wire.sent_bytes + totals->wire.received_bytes) / 1e6);
}

void report_finish(struct report *report, const struct failure *failure,
                   const struct report_totals *totals) {
    finish_for_people(report, failure, totals);
    json_t *object = report_json(report, failure, totals);
    char *line = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(10));
    json_decref(object);
    int to = STDOUT_FILENO;
    if (report->path != NULL)
        to = open(report->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (line != NULL && to >= 0)
        dprintf(to, "%s\n", line);
    else
        fprintf(stderr, "criu-remote-clone %s: can't write the report to %s\n", report->role,
                report->path != NULL ? report->path : "standard output");
    if (report->path != NULL && to >= 0)
        close(to);
    free(line);
    if (report->events != NULL)
        fclose(report->events);
    report->events = NULL;
}
