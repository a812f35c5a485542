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

// How many filters there are on the interface's clsact, at ingress and at egress.
int netlink_count_filters(uint32_t interface, int *count, struct failure *failure);
