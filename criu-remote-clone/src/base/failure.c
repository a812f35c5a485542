#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A peer's words end on terminals and in logs: one line, no control characters.
static void one_line(char *text) {
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = '?';
}

int fail(struct failure *failure, enum exit_code code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    failure->code = code;
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    one_line(failure->text);
    return -1;
}

int fail_errno(struct failure *failure, enum exit_code code, const char *format, ...) {
    int number = errno;
    va_list arguments;
    va_start(arguments, format);
    failure->code = code;
    int used = vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    if (used >= 0 && (size_t)used < sizeof failure->text)
        snprintf(failure->text + used, sizeof failure->text - (size_t)used, ": %s",
                 strerror(number));
    one_line(failure->text);
    return -1;
}
