// SPDX-License-Identifier: Apache-2.0
// The Internet checksum (RFC 1071) and its change (RFC 1624). In the kernel bpf_l4_csum_replace()
// changes those of packets, for it knows of offloads; these are for what we write ourselves.
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

// The checksum after a word under it has changed: HC' = ~(~HC + ~m + m').
RULE uint16_t checksum_change(uint16_t checksum, uint16_t from, uint16_t to) {
    return (uint16_t)~checksum_fold((uint64_t)(uint16_t)~checksum + (uint16_t)~from + to);
}
