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

// Whether the owner's programs are there still: for what comes in, and with `egress` for what goes
// out. Somebody may have taken the qdisc, or the interface.
bool hooks_are_there(uint32_t interface, enum hooks_owner owner, bool egress);

// An interface's name, or the number of one that is gone: `name`, HOOKS_INTERFACE bytes.
enum { HOOKS_INTERFACE = 32 };
const char *hooks_interface(uint32_t interface, char *name);

// Tells people of an interface whose programs aren't there; `up`: the command that mends it.
void hooks_complain(uint32_t interface, const char *up);

// Takes both away, and the qdisc if it was made by us and nobody else has a filter there. An
// interface that is gone took its filters with it.
int hooks_detach(uint32_t interface, enum hooks_owner owner, bool made, struct failure *failure);
