// SPDX-License-Identifier: Apache-2.0
// Failures are one line each, whatever a peer put into its words.
#include "failure.h"

// How many bytes (RFC 3629) the character takes that begins here; 0: it is none, or a control
// character.
static size_t character_length(const unsigned char *text) {
    if (text[0] < 0x80)
        return text[0] >= 0x20 && text[0] != 0x7f ? 1 : 0;
    size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    unsigned long code = text[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) // the end of the text, too
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    static const unsigned long least[] = {[2] = 0xa0, [3] = 0x800, [4] = 0x10000};
    bool surrogate = code >= 0xd800 && code < 0xe000;
    return text[0] >= 0xc0 && text[0] < 0xf8 && code >= least[length] && code <= 0x10ffff &&
                   !surrogate
               ? length
               : 0;
}

void make_printable(char *text) {
    while (*text != '\0') {
        size_t length = character_length((const unsigned char *)text);
        if (length == 0)
            *text = '?';
        text += length > 0 ? length : 1;
    }
}

int fail(struct failure *failure, enum exit_code code, const char *format, ...) {
    failure->code = code;
    FORMAT_INTO(failure->text, format);
    make_printable(failure->text);
    return -1;
}

int fail_errno(struct failure *failure, enum exit_code code, const char *format, ...) {
    int number = errno;
    failure->code = code;
    FORMAT_INTO(failure->text, format);
    size_t used = strlen(failure->text);
    snprintf(failure->text + used, sizeof failure->text - used, ": %s", strerror(number));
    make_printable(failure->text);
    return -1;
}
