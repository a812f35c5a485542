// SPDX-License-Identifier: Apache-2.0
// What went wrong, as its user sees it: one line that says what is wrong and what to do about it,
// and the exit code the tool ends with. Every function that can fail takes a `struct failure *`
// last, returns -1 (or NULL) and fills it in exactly once.
#pragma once

#include "standard.h"

// Distinct exit codes; the man page's EXIT STATUS table is the reference.
enum exit_code {
    EXIT_DONE = 0,
    EXIT_USAGE = 64,    // bad option or argument
    EXIT_UNABLE = 65,   // this host lacks something: `check` says what and the fix
    EXIT_CONFIG = 66,   // the configuration can't be read, or says what can't be
    EXIT_DOWN = 67,     // no switch is up here
    EXIT_OTHER = 68,    // what is up is of another build of clone-switch
    EXIT_BUSY = 69,     // another clone-switch is at work on the same switch
    EXIT_KERNEL = 70,   // the kernel refused a program, a map or a hook
    EXIT_DEADLINE = 74, // the time limit passed
};

struct failure {
    enum exit_code code;
    char text[1024];
};

// Fills in `failure` and returns -1, so that callers can write `return fail(...)`.
int fail(struct failure *failure, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// As fail(), with ": " and the text of the error number appended.
int fail_number(struct failure *failure, enum exit_code code, int number, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
