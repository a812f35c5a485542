// SPDX-License-Identifier: Apache-2.0
// Makes received images fit to be restored here: applies --rename, to the images and to the
// received files alike, and holds them against the policy.
#pragma once

#include "clone_wire.pb-c.h"
#include "failure.h"
#include "fileset.h"
#include "identity.h"
#include "image.h"
#include "namespace_init.h"
#include "replay.h"

struct restorable {
    const CloneWire__Offer *offer;
    const struct path_maps *maps;
    const struct rename_rule *renames;
    size_t rename_count;
    const struct identity *identity;
    struct receiver *receiver;   // has finished
    const struct bind *received; // receiver_binds()
    size_t received_count;
    // Out: (old path, new path) of every open file that was renamed.
    struct path_map *renamed;
    size_t renamed_count;
    // Out: what has to be bound over what in the clone's mount namespace, under the new names.
    struct bind *binds;
    size_t bind_count;
    struct clone_clocks clocks;
};

// All small images are in `replay`. EXIT_IMAGE when one holds what it may not.
int restorable_make(struct restorable *restorable, struct replay *replay, struct failure *failure);
void restorable_clear(struct restorable *restorable);
