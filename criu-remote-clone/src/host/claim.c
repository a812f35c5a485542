// SPDX-License-Identifier: Apache-2.0
// Small rules about claims that facts and policy share.
#include "claim.h"

#include <ctype.h>

bool claim_hook_may_fix(enum claim_kind kind) {
    return kind >= CLAIM_TIMER && kind != CLAIM_ROOT;
}

uint32_t claim_process_of(const char *path) {
    static const char proc[] = "/proc/";
    if (strncmp(path, proc, sizeof proc - 1) != 0 || !isdigit((unsigned char)path[sizeof proc - 1]))
        return 0;
    char *end;
    unsigned long pid = strtoul(path + sizeof proc - 1, &end, 10);
    return pid <= UINT32_MAX && (*end == '\0' || *end == '/') ? (uint32_t)pid : 0;
}
