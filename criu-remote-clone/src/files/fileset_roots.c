// SPDX-License-Identifier: Apache-2.0
// The roots of a file clone set: where each is, and what they cover.
#include "fileset_internal.h"

#include "memory.h"
#include "paths.h"
#include "scope.h"

void root_free(struct root *root) {
    if (root == NULL)
        return;
    free(root->path);
    free(root->parent);
    free(root->name);
    free(root);
}

struct root *root_new(const char *path, const char *as, struct failure *failure) {
    AUTO_FREE char *real = realpath(path, NULL);
    if (real == NULL)
        return NULL_WITH(
            fail_errno(failure, EXIT_REFUSED, "%s can't be part of the file clone set", path));
    if (!path_is_clean(real))
        return NULL_WITH(
            fail(failure, EXIT_REFUSED, "\"%s\" can't be a root of the file clone set", path));
    char *slash = strrchr(real, '/');
    struct root *root = must_allocate(sizeof *root);
    root->path = must_copy(as == NULL ? real : as);
    root->name = must_copy(slash + 1);
    *slash = '\0';
    root->parent = must_copy(slash == real ? "/" : real);
    return root;
}

bool fileset_covers(const struct fileset *set, const char *path) {
    for (size_t i = 0; i < set->root_count; i++)
        if (path_rest(set->roots[i]->path, path) != NULL)
            return true;
    return false;
}
