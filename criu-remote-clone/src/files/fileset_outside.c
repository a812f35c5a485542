// SPDX-License-Identifier: Apache-2.0
// What symbolic links of the file clone set lead to outside of it: localized resources, mostly.
#include <search.h>

#include "fileset_internal.h"
#include "memory.h"
#include "paths.h"
#include "procfs.h"
#include "scope.h"

// A directory of which so many files were listed is not looked into any more: it is itself needed,
// but that all its contents are the same isn't checked.
#define OUTSIDE_MAX 10000
#define LINKS_MAX 40 // the kernel's own limit (path_resolution(7))

struct search {
    struct fileset *set;
    void *seen;             // tsearch(3) tree of the texts in set->outside
    struct text_list links; // pairs still to be followed: a link's path, and its text
};

static void add_text(struct text_list *list, const char *text) {
    must_grow(&list->texts, list->count, sizeof *list->texts);
    list->texts[list->count++] = must_copy(text);
}

static bool every_host_has(const char *path) {
    static const char *const tops[] = {"/proc", "/sys", "/dev"};
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
        if (path_rest(tops[i], path) != NULL)
            return true;
    return false;
}

// If it may be needed, and isn't known.
static void note(struct search *search, const char *path) {
    struct text_list *outside = &search->set->outside;
    if (!path_is_clean(path) || fileset_covers(search->set, path) || every_host_has(path) ||
        tfind(path, &search->seen, compare_texts) != NULL)
        return;
    add_text(outside, path);
    must_put(tsearch(outside->texts[outside->count - 1], &search->seen, compare_texts));
}

static void remember_link(struct search *search, const char *path, const char *text) {
    add_text(&search->links, path);
    add_text(&search->links, text);
}

static int visit_outside(void *context, const struct encounter *here, struct failure *failure) {
    struct search *search = context;
    if (search->set->outside.count >= OUTSIDE_MAX)
        return 0;
    mode_t mode = here->status.st_mode;
    if (S_ISREG(mode) || S_ISDIR(mode))
        note(search, here->path);
    AUTO_FREE char *text = NULL;
    if (S_ISLNK(mode) && link_read(here, &text, failure) < 0)
        return -1;
    if (text != NULL)
        remember_link(search, here->path, text);
    return 0;
}

// The path that the link `text` at `path` means, links above it not resolved.
static char *link_meaning(const char *path, const char *text) {
    AUTO_FREE char *above = path_normalized(path, "..");
    return above == NULL ? NULL : path_normalized(above, text);
}

// Notes each link on the way: it is by their names that the process gets there. Takes the path
// over.
static void note_way(struct search *search, char *path) {
    for (int links = 0; path != NULL && links < LINKS_MAX; links++) {
        note(search, path);
        AUTO_FREE char *text = procfs_link("%s", path);
        char *next = text == NULL ? NULL : link_meaning(path, text);
        free(path);
        path = next;
    }
    free(path);
}

// Notes where the way ends, and what is there.
static int note_end(struct search *search, const char *real, struct failure *failure) {
    struct root *root = root_new(real, NULL, failure);
    if (root == NULL)
        return -1;
    int result = walk_root(root, visit_outside, search, failure);
    root_free(root);
    return result < 0 ? -1 : 0;
}

static int follow(struct search *search, const char *path, const char *text,
                  struct failure *failure) {
    AUTO_FREE char *meaning = link_meaning(path, text);
    if (meaning == NULL)
        return out_of_memory(failure);
    struct stat status;
    AUTO_FREE char *real = realpath(meaning, NULL);
    // Links to nowhere, to sockets and devices are just links.
    if (real == NULL || !path_is_clean(real) || stat(real, &status) < 0 ||
        (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
        return 0;
    bool known = fileset_covers(search->set, real) || every_host_has(real) ||
                 tfind(real, &search->seen, compare_texts) != NULL;
    note_way(search, TAKE(meaning, NULL));
    return known ? 0 : note_end(search, real, failure);
}

static int search_all(struct search *search, struct failure *failure) {
    const struct listing *listing = &search->set->listing;
    for (size_t i = 0; i < listing->count; i++) {
        const struct member *member = listing->members[i];
        if (member->link_target != NULL)
            remember_link(search, member->path, member->link_target);
    }
    // What is found may hold links again: the list grows while we work through it.
    for (size_t i = 0; i < search->links.count; i += 2)
        if (follow(search, search->links.texts[i], search->links.texts[i + 1], failure) < 0)
            return -1;
    return 0;
}

int outside_find(struct fileset *set, struct failure *failure) {
    struct search search = {.set = set};
    int result = search_all(&search, failure);
    tdestroy(search.seen, free_nothing);
    texts_free(search.links.texts, search.links.count);
    if (set->outside.count > 0)
        qsort(set->outside.texts, set->outside.count, sizeof(char *), compare_text_pointers);
    return result;
}
