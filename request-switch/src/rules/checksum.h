// SPDX-License-Identifier: Apache-2.0
// The Internet checksum after a change of what it is of (RFC 1624, equation 3).
#pragma once

#include "rule.h"

// `check`, when 32 bits of its data become others. All are as they lie in the packet.
RULE uint16_t checksum_changed(uint16_t check, uint32_t from, uint32_t to) {
    uint32_t sum = (uint16_t)~check;
    sum += (~from & 0xffff) + (~from >> 16);
    sum += (to & 0xffff) + (to >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}
