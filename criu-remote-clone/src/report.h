// What people and programs see: progress lines on a terminal, one JSON line at the end.
#ifndef CLONE_REPORT_H
#define CLONE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "fileset.h"
#include "wire.h"

enum report_phase {
    PHASE_HANDSHAKE,
    PHASE_PRECOPY,
    PHASE_QUIESCE,
    PHASE_FREEZE,
    PHASE_RESUME,
    PHASE_DUMP,
    PHASE_TRANSFER,
    PHASE_RESTORE,
    PHASE_COUNT
};

struct report {
    const char *role; // "serve", "pull"
    int64_t started_ns;
    int64_t begun_ns[PHASE_COUNT];
    double milliseconds[PHASE_COUNT]; // < 0: not reached
    double frozen_milliseconds;       // CRIU's own measure
    bool terminal;
    int event_fd; // progress as JSON lines; -1: none
};

void report_start(struct report *report, const char *role, int event_fd);
void report_begin(struct report *report, enum report_phase phase);
void report_end(struct report *report, enum report_phase phase);
// A progress line for people (terminal only) and an event for programs.
void report_event(struct report *report, const char *event, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The one JSON line, on standard output. `failure` NULL: success.
void report_finish(struct report *report, const struct failure *failure,
                   const struct wire_statistics *wire, const struct fileset_statistics *files,
                   uint64_t image_bytes);

#endif
