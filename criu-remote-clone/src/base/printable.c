// SPDX-License-Identifier: Apache-2.0
// Texts of a peer, or paths in any encoding, as JSON.
#include "printable.h"

#include "failure.h"
#include "scope.h"

json_t *json_printable(const char *text) {
    AUTO_FREE char *copy = strdup(text);
    if (copy != NULL)
        make_printable(copy);
    return json_string(copy != NULL ? copy : "?");
}
