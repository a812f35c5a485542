// SPDX-License-Identifier: Apache-2.0
// Failures are one line each, whatever a file put into its names.
#include "failure.h"

// A name from a file may end on a terminal: control characters become '?'.
static void make_printable(char *text) {
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = '?';
}

int fail(struct failure *failure, enum exit_code code, const char *format, ...) {
    failure->code = code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    make_printable(failure->text);
    return -1;
}

int fail_number(struct failure *failure, enum exit_code code, int number, const char *format, ...) {
    failure->code = code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    size_t used = strlen(failure->text);
    snprintf(failure->text + used, sizeof failure->text - used, ": %s",
             strerror(number < 0 ? -number : number));
    make_printable(failure->text);
    return -1;
}
