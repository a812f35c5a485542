// SPDX-License-Identifier: Apache-2.0
// What went wrong, as its user sees it: one line that says what is wrong and what to do about it,
// and the exit code the tool ends with. Every function that can fail takes a `struct failure *`
// last, returns -1 (or NULL) and fills it in exactly once.
#pragma once

#include "standard.h"

// Distinct exit codes; the man page's EXIT STATUS table is the reference.
// `pull` returns the clone's own exit code once the clone runs.
enum exit_code {
    EXIT_DONE = 0,
    EXIT_USAGE = 64,       // bad option, argument or environment variable
    EXIT_UNABLE = 65,      // this host lacks something: `check` says what and the fix
    EXIT_PEER = 66,        // the peer can't be reached, or isn't who it must be
    EXIT_REFUSED = 67,     // the pair of hosts or this process doesn't fit; original never stopped
    EXIT_VETO = 68,        // the settle or quiesce hook said no or took too long
    EXIT_BUSY = 69,        // the host's limits for concurrent clones are used up
    EXIT_DUMP = 70,        // CRIU could not image the process; the original runs on
    EXIT_TRANSFER = 71,    // the stream broke or was not what it claimed to be
    EXIT_RESTORE = 72,     // CRIU could not restore the image on the target
    EXIT_SPACE = 73,       // RAM disk, disk or memory limit too small
    EXIT_DEADLINE = 74,    // the time limit passed
    EXIT_IMAGE = 75,       // an image is malformed, or holds what the user may not have
    EXIT_INTERRUPTED = 76, // ended by a signal
    EXIT_INTERNAL = 79,    // our mistake: please report
};

struct failure {
    enum exit_code code;
    char text[1024];
};

// In place, byte by byte: what is no character to be shown becomes '?'. A peer's words end on
// terminals, in logs and in JSON: one line of UTF-8 without control characters. Failures' texts are
// such.
void make_printable(char *text);

// In a function with the parameters `format, ...`: what they say, as a text in the array.
#define FORMAT_INTO(array, format)                                                                 \
    do {                                                                                           \
        va_list arguments_;                                                                        \
        va_start(arguments_, format);                                                              \
        vsnprintf(array, sizeof(array), format, arguments_);                                       \
        va_end(arguments_);                                                                        \
    } while (0)

// Fills in `failure` and returns -1, so that callers can write `return fail(...)`.
int fail(struct failure *failure, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// As fail(), with ": " and the text of errno appended.
int fail_errno(struct failure *failure, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// For functions that return a pointer: `return NULL_WITH(fail(...))`.
#define NULL_WITH(failed) ((void)(failed), NULL)
