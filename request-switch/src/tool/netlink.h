// SPDX-License-Identifier: Apache-2.0
// What the kernel is asked by rtnetlink(7).
#pragma once

#include "failure.h"

enum { ROUTE_NONE, ROUTE_LOCAL, ROUTE_UNICAST };

struct route {
    int kind;
    uint32_t interface; // it leaves by
};

// Where a packet to the address (network order) would go.
int netlink_route(uint32_t address, struct route *route, struct failure *failure);

// Whether the interface has an ingress qdisc, which is at clsact's place, and isn't clsact.
int netlink_is_ingress_only(uint32_t interface, bool *ingress_only, struct failure *failure);

// How many filters there are on the interface's clsact, at ingress and at egress.
int netlink_count_filters(uint32_t interface, int *count, struct failure *failure);
