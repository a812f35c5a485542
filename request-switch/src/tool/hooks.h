// SPDX-License-Identifier: Apache-2.0
// The switch's filters at the interfaces' clsact hooks (tc-bpf(8)).
#pragma once

#include "failure.h"

// Puts the programs there, each in one step in the place of the switch's program before; `egress` <
// 0: none there, and one that was is gone. *made: whether the clsact qdisc is ours.
int hooks_attach(uint32_t interface, int ingress, int egress, bool *made, struct failure *failure);

// Takes both away, and the qdisc if it was made by us and nobody else has a filter there. An
// interface that is gone took its filters with it.
int hooks_detach(uint32_t interface, bool made, struct failure *failure);
