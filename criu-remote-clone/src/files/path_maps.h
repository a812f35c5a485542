// SPDX-License-Identifier: Apache-2.0
// What receiver and path_maps_resolve() share: which map a path of the source falls under.
#pragma once

#include "fileset.h"

// The map with the longest source that the path is, or is below; *rest (may be NULL) becomes what
// follows it: "" or "/more". NULL: unmapped.
const struct path_map *path_maps_find(const struct path_maps *maps, const char *source_path,
                                      const char **rest);
