// SPDX-License-Identifier: Apache-2.0
// A text for JSON, which may be a peer's, or a path in any encoding.
#pragma once

#include <jansson.h>

json_t *json_printable(const char *text);
