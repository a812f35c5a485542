// SPDX-License-Identifier: Apache-2.0
// What people and programs see: progress lines on standard error, events as JSON lines for
// programs, and one JSON line at the end (docs/internals/remote-clone.md lists its keys).
#pragma once

#include "failure.h"
#include "fileset.h"
#include "wire.h"

// A clone's phases, in order. Their names in the report are these, in small letters, with "_ms".
enum report_phase {
    PHASE_HANDSHAKE, // from the connection to the target's answer
    PHASE_PRECOPY,   // immutable files, while the process runs
    PHASE_SAMPLE,    // serve: the link, after that
    PHASE_PREPARE,   // serve: files opened; without hooks, the RAM disk's memory taken
    PHASE_SETTLE,    // serve: the hook, and memory taken after it
    PHASE_QUIESCE,   // serve: the hook
    PHASE_RESERVE,   // serve: memory taken after that
    PHASE_DUMP,      // serve: from the reservation's end to CRIU's
    PHASE_FREEZE,    // serve: stopping and stopped, as CRIU measures it
    PHASE_RESUME,    // serve: the hook
    PHASE_GATE,      // serve: from the quiesce hook's start to the resume hook's end
    PHASE_TRANSFER,  // from the first byte after the freeze to the last
    PHASE_RESTORE,   // pull: from the last small image until the clone runs
    PHASE_COUNT
};

struct report {
    const char *role; // "serve", "pull"
    const char *path; // where the JSON line goes; NULL: standard output
    FILE *events;     // NULL: none wanted
    bool quiet;       // no lines for people
    int64_t started_ns;
    int64_t begun_ns[PHASE_COUNT];
    double milliseconds[PHASE_COUNT]; // < 0: not reached
};

// What a finished report says beside the phases.
struct report_totals {
    struct wire_statistics wire;
    uint32_t wire_version; // 0: there was no connection
    struct fileset_statistics files;
    uint64_t image_bytes;
    const uint64_t *link_bytes_per_ms; // NULL: not this end's to know; 0: not known
    const char *compress;              // "auto", "never" or the level
    const char *peer;
    const char *criu_version;
    int pid;
    bool moved; // the original has ended in the clone's favour
};

// `events_path` (NULL: none) is appended to, a JSON object a line: what long-running callers
// follow.
int report_start(struct report *report, const char *role, const char *path, const char *events_path,
                 bool quiet, struct failure *failure);

void report_begin(struct report *report, enum report_phase phase);
// Nothing when the phase was never begun.
void report_end(struct report *report, enum report_phase phase);

// A progress line for people, and an event of that name for programs.
void report_event(struct report *report, const char *event, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The one JSON line. `failure` NULL: success. For people: the failure in one line, or a summary.
void report_finish(struct report *report, const struct failure *failure,
                   const struct report_totals *totals);
