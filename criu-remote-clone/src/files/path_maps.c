// SPDX-License-Identifier: Apache-2.0
// Which path of the source is which of the target's.
#include "path_maps.h"

#include "paths.h"

const struct path_map *path_maps_find(const struct path_maps *maps, const char *source_path,
                                      const char **rest) {
    const struct path_map *best = NULL;
    size_t best_length = 0;
    for (size_t i = 0; i < maps->count; i++) {
        const char *follows = path_rest(maps->maps[i].source, source_path);
        size_t length = follows == NULL ? 0 : (size_t)(follows - source_path);
        if (follows == NULL || (best != NULL && length <= best_length))
            continue;
        best = &maps->maps[i];
        best_length = length;
    }
    if (best != NULL && rest != NULL)
        *rest = source_path + best_length;
    return best;
}

char *path_maps_resolve(const struct path_maps *maps, const char *source_path, int stored) {
    const char *rest;
    const struct path_map *map = path_maps_find(maps, source_path, &rest);
    if (map != NULL)
        return path_joined(map->target, rest);
    return stored ? path_joined(maps->base, source_path) : strdup(source_path);
}
