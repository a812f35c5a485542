// SPDX-License-Identifier: Apache-2.0
// Listing the file clone set.
#include <fcntl.h>
#include <search.h>
#include <unistd.h>

#include "fileset_internal.h"
#include "memory.h"
#include "paths.h"
#include "scope.h"

// --- stamps and contents ---

static int64_t nanoseconds(struct timespec time) {
    int64_t ns;
    if (__builtin_mul_overflow((int64_t)time.tv_sec, INT64_C(1000000000), &ns) ||
        __builtin_add_overflow(ns, time.tv_nsec, &ns))
        return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
    return ns;
}

struct stamp stamp_of(const struct stat *status) {
    return (struct stamp){.size = (uint64_t)status->st_size,
                          .mtime_ns = nanoseconds(status->st_mtim),
                          .ctime_ns = nanoseconds(status->st_ctim)};
}

bool same_stamp(const struct stamp *left, const struct stamp *right) {
    return left->size == right->size && left->mtime_ns == right->mtime_ns &&
           left->ctime_ns == right->ctime_ns;
}

static int compare_contents(const void *left, const void *right) {
    const struct content *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return a->inode == b->inode ? 0 : a->inode < b->inode ? -1 : 1;
}

struct content *content_of(struct fileset *set, const struct stat *status) {
    struct content wanted = {.device = status->st_dev, .inode = status->st_ino, .fd = -1};
    struct content **found = tfind(&wanted, &set->contents, compare_contents);
    if (found != NULL)
        return *found;
    struct content *content = must_allocate(sizeof *content);
    *content = wanted;
    must_put(tsearch(content, &set->contents, compare_contents));
    content->open_for_writing =
        writers_have(&set->writers, content->device, content->inode) != NULL;
    set->bytes += (uint64_t)status->st_size;
    return content;
}

void content_reset_hash(struct content *content) {
    if (content->hash == NULL)
        must_put(content->hash = XXH3_createState());
    XXH3_64bits_reset(content->hash);
}

static void content_free(void *content_pointer) {
    struct content *content = content_pointer;
    close_fd(content->fd);
    XXH3_freeState(content->hash);
    free(content);
}

// --- the listing ---

static void member_free(struct member *member) {
    if (member != NULL)
        free(member->link_target);
    free(member);
}

void listing_drop_last(struct listing *listing) {
    member_free(listing->members[--listing->count]);
}

void listing_free(struct listing *listing) {
    for (size_t i = 0; i < listing->count; i++)
        member_free(listing->members[i]);
    free(listing->members);
    *listing = (struct listing){0};
}

static int listing_append(struct listing *listing, struct member *member, struct failure *failure) {
    if (listing->count >= FILESET_MEMBERS_MAX)
        return fail(failure, EXIT_REFUSED,
                    "the file clone set has more than %u members: choose smaller roots",
                    FILESET_MEMBERS_MAX);
    must_grow(&listing->members, listing->count, sizeof *listing->members);
    listing->members[listing->count++] = member;
    return 0;
}

void member_take_status(struct member *member, const struct stat *status) {
    member->mode = status->st_mode;
    member->uid = status->st_uid;
    member->gid = status->st_gid;
    member->size = S_ISREG(status->st_mode) ? (uint64_t)status->st_size : 0;
    member->mtime_ns = nanoseconds(status->st_mtim);
}

static struct member *member_new(const struct encounter *here) {
    size_t length = strlen(here->path) + 1;
    struct member *member = must_allocate(sizeof *member + length);
    member->root = here->root;
    member_take_status(member, &here->status);
    memcpy(member->path, here->path, length);
    return member;
}

// Returns 1 if the encounter is to be a member, 0 if not.
static int complete_member(struct fileset *set, struct member *member, const struct encounter *here,
                           struct failure *failure) {
    switch (member->mode & S_IFMT) {
    case S_IFREG:
        member->content = content_of(set, &here->status);
        return 1;
    case S_IFLNK:
        return link_read(here, &member->link_target, failure) < 0 ? -1
                                                                  : member->link_target != NULL;
    case S_IFDIR:
    case S_IFIFO:
        return 1;
    case S_IFSOCK:
        return 0; // nobody would listen on it
    default:
        return fail(failure, EXIT_REFUSED,
                    "%s is a device node, which a file clone set can't hold: choose roots without "
                    "it",
                    here->path);
    }
}

int listing_add(struct fileset *set, const struct encounter *here, struct member **added,
                struct failure *failure) {
    *added = NULL;
    struct member *member = member_new(here);
    int wanted = complete_member(set, member, here, failure);
    if (wanted == 1 && listing_append(&set->listing, member, failure) < 0)
        wanted = -1;
    if (wanted != 1)
        member_free(member);
    else
        *added = member;
    return wanted < 0 ? -1 : 0;
}

static int scan_visit(void *set, const struct encounter *here, struct failure *failure) {
    struct member *ignored;
    return listing_add(set, here, &ignored, failure);
}

// --- roots ---

static void append_root(struct fileset *set, struct root *root) {
    must_grow(&set->roots, set->root_count, sizeof *set->roots);
    set->roots[set->root_count++] = root;
}

static bool is_gone(const char *path) {
    return faccessat(AT_FDCWD, path, F_OK, 0) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

// Of equal ones that which must be there comes first, and is kept.
static int compare_roots(const void *left, const void *right) {
    const struct root *a = *(struct root *const *)left, *b = *(struct root *const *)right;
    int order = strcmp(a->path, b->path);
    return order != 0 ? order : a->may_vanish - b->may_vanish;
}

// Drops roots that are below others, or named twice.
static void thin_out_roots(struct fileset *set) {
    qsort(set->roots, set->root_count, sizeof(struct root *), compare_roots);
    size_t all = set->root_count;
    set->root_count = 0;
    for (size_t i = 0; i < all; i++)
        if (fileset_covers(set, set->roots[i]->path))
            root_free(set->roots[i]);
        else
            set->roots[set->root_count++] = set->roots[i];
}

static int add_roots(struct fileset *set, char *const *roots, size_t count, size_t named,
                     struct failure *failure) {
    for (size_t i = 0; i < count; i++) {
        struct root *root = root_new(roots[i], NULL, failure);
        if (root == NULL && i >= named && is_gone(roots[i]))
            continue;
        if (root == NULL)
            return -1;
        root->may_vanish = i >= named;
        append_root(set, root);
    }
    if (set->root_count > 0)
        thin_out_roots(set);
    return 0;
}

// Returns 0 if it is not there any more and need not be, 1 if it is.
static int scan_root(struct fileset *set, const struct root *root, struct failure *failure) {
    int found = walk_root(root, scan_visit, set, failure);
    return found == 0 && !root->may_vanish
               ? fail(failure, EXIT_REFUSED, "%s vanished while it was listed", root->path)
               : found;
}

// Those that are there, with all that is below them.
static int scan_roots(struct fileset *set, struct failure *failure) {
    size_t all = set->root_count;
    set->root_count = 0;
    for (size_t i = 0; i < all; i++) {
        struct root *root = set->roots[i];
        int found = scan_root(set, root, failure);
        if (found == 0)
            root_free(root);
        else
            set->roots[set->root_count++] = root;
        if (found < 0) {
            while (++i < all)
                root_free(set->roots[i]);
            return -1;
        }
    }
    return 0;
}

static void name_roots(struct fileset *set) {
    set->given_roots = set->root_count;
    set->root_paths = must_allocate((set->root_count + 1) * sizeof(char *));
    for (size_t i = 0; i < set->root_count; i++)
        set->root_paths[i] = set->roots[i]->path;
}

// --- the interface ---

static int scan(struct fileset *set, char *const *roots, size_t count, size_t named,
                struct failure *failure) {
    AUTO_RIGHTS own = {0};
    if (writers_find(&set->writers, set->process, failure) < 0 ||
        rights_borrow(&set->reader, &own, failure) < 0)
        return -1;
    if (add_roots(set, roots, count, named, failure) < 0 || scan_roots(set, failure) < 0)
        return -1;
    name_roots(set);
    return outside_find(set, failure);
}

struct fileset *fileset_scan(const struct process_facts *process, char *const *roots,
                             size_t root_count, size_t named, struct failure *failure) {
    struct fileset *set = must_allocate(sizeof *set);
    set->process = process->root;
    set->reader = process->reader;
    set->memory.fd = set->disk.fd = -1;
    set->buffer = must_allocate(FILESET_BUFFER);
    if (scan(set, roots, root_count, named, failure) < 0) {
        fileset_close(set);
        return NULL;
    }
    return set;
}

char *const *fileset_roots(const struct fileset *set, size_t *count) {
    *count = set->given_roots;
    return set->root_paths;
}

char *const *fileset_outside(const struct fileset *set, size_t *count) {
    *count = set->outside.count;
    return set->outside.texts;
}

uint64_t fileset_bytes(const struct fileset *set) {
    return set->bytes;
}

static int add_root(struct fileset *set, const char *path, struct failure *failure) {
    struct root *root = root_new(path, path, failure);
    if (root == NULL)
        return is_gone(path) ? 0 : -1;
    append_root(set, root);
    return walk_root(root, scan_visit, set, failure) < 0 ? -1 : 0;
}

int fileset_add(struct fileset *set, const char *path, struct failure *failure) {
    if (!path_is_clean(path))
        return fail(failure, EXIT_TRANSFER, "the peer asked for the file \"%s\"", path);
    if (fileset_covers(set, path))
        return 0;
    AUTO_RIGHTS own = {0};
    if (rights_borrow(&set->reader, &own, failure) < 0)
        return -1;
    return add_root(set, path, failure);
}

void fileset_statistics(const struct fileset *set, struct fileset_statistics *statistics) {
    *statistics = set->statistics;
    statistics->files = set->listing.count;
}

void fileset_close(struct fileset *set) {
    if (set == NULL)
        return;
    listing_free(&set->listing);
    for (size_t i = 0; i < set->root_count; i++)
        root_free(set->roots[i]);
    free(set->roots);
    free(set->root_paths);
    texts_free(set->outside.texts, set->outside.count);
    tdestroy(set->contents, content_free);
    sent_free_all(set);
    writers_clear(&set->writers);
    close_fd(set->memory.fd);
    close_fd(set->disk.fd);
    free(set->buffer);
    free(set);
}
