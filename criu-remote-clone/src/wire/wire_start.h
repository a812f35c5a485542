// SPDX-License-Identifier: Apache-2.0
// Inside the wire: from a handshake to a running connection.
#pragma once

#include "wire.h"
#include "wire_handshake.h"
#include "wire_sender.h"

extern const struct wire_timing wire_default_timing;

// EXIT_USAGE for options out of range.
int wire_check_options(const struct wire_options *options, struct failure *failure);

// Takes the connected socket over, and closes it on failure.
struct wire *wire_start(int fd, const struct wire_session *session,
                        const struct wire_options *options, const struct wire_timing *timing,
                        struct failure *failure);
