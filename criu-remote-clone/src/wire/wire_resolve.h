// SPDX-License-Identifier: Apache-2.0
// Finding a host's addresses, for no longer than one wants to wait: getaddrinfo(3) knows no limit.
#pragma once

#include <netdb.h>

#include "failure.h"

// The TCP addresses, for freeaddrinfo(3). NULL with EXIT_PEER when there are none, or none are
// found before the deadline; with EXIT_INTERRUPTED when `cancel_fd` (-1: none) becomes readable.
struct addrinfo *wire_resolve(const char *host, uint16_t port, int cancel_fd, int64_t deadline_ns,
                              struct failure *failure);
