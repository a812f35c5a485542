// SPDX-License-Identifier: Apache-2.0
// The switch's, the agent's and NetRS' filters at the interfaces' clsact hooks (tc-bpf(8)).
#pragma once

#include "failure.h"

// What is wrong with an interface whose qdisc for what comes in isn't clsact: one %s.
#define HOOKS_INGRESS_ONLY                                                                         \
    "%s has an ingress qdisc, which has no side for what goes out: put clsact in its place, "      \
    "which "                                                                                       \
    "takes the same filters"

// Whose programs: the priority of their filters. NetRS' and the agent's come first, for they let
// others be asked as well.
enum hooks_owner { HOOKS_NETRS = 0xc103, HOOKS_AGENT = 0xc104, HOOKS_SWITCH = 0xc105 };

// Puts the programs there, each in one step in the place of the owner's program before; `egress` <
// 0: none there, and one that was is gone. *made: whether the clsact qdisc is ours.
int hooks_attach(uint32_t interface, enum hooks_owner owner, int ingress, int egress, bool *made,
                 struct failure *failure);

// Takes both away, and the qdisc if it was made by us and nobody else has a filter there. An
// interface that is gone took its filters with it.
int hooks_detach(uint32_t interface, enum hooks_owner owner, bool made, struct failure *failure);
