// SPDX-License-Identifier: Apache-2.0
// The Internet checksum (RFC 1071), computed anew, for what bpf_l4_csum_replace() has changed.
#pragma once

#include "rule.h"

// Folds a sum into sixteen bits.
RULE uint16_t checksum_fold(uint64_t sum) {
    sum = (sum & 0xffffffff) + (sum >> 32);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)sum;
}

// The sum, not yet complemented, of bytes in network order. At an odd length a zero follows.
RULE uint16_t checksum_sum(const uint8_t *bytes, size_t length, uint16_t before) {
    uint64_t sum = before;
    for (size_t i = 0; i < length; i++)
        sum += i % 2 == 0 ? (uint64_t)bytes[i] << 8 : bytes[i];
    return checksum_fold(sum);
}
