// A text for JSON, which may be a peer's, or a path in any encoding.
#ifndef CLONE_PRINTABLE_H
#define CLONE_PRINTABLE_H

#include <jansson.h>

json_t *json_printable(const char *text);

#endif
