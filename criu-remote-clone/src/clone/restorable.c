// SPDX-License-Identifier: Apache-2.0
// In this order: files of cgroups are left behind, files are renamed in the images, received copies
// become binds, the images are held against the policy, and what an unprivileged CRIU can't do is
// taken out of them.
#include "restorable.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "criu_image.pb-c.h"
#include "memory.h"
#include "paths.h"
#include "policy.h"
#include "scope.h"

#define NANOSECONDS 1000000000u
#define LONGEST_UPTIME (100u * 366 * 24 * 3600)

// --- renaming ---

static int note_renamed(void *context, const char *old_path, const char *new_path) {
    struct restorable *restorable = context;
    for (size_t i = 0; i < restorable->renamed_count; i++)
        if (strcmp(restorable->renamed[i].source, old_path) == 0)
            return 0; // the file is open twice
    struct failure ignored;
    if (grow(&restorable->renamed, restorable->renamed_count, sizeof *restorable->renamed,
             &ignored) < 0)
        return -1;
    struct path_map *renamed = &restorable->renamed[restorable->renamed_count++];
    *renamed = (struct path_map){.source = strdup(old_path), .target = strdup(new_path)};
    return renamed->source != NULL && renamed->target != NULL ? 0 : -1;
}

static int leave_cgroups_in(struct replay *replay, size_t index, struct failure *failure) {
    size_t length, new_length;
    const uint8_t *bytes = replay_bytes(replay, index, &length);
    uint8_t *edited;
    int count = image_leave_cgroups(bytes, length, replay_name(replay, index), &edited, &new_length,
                                    failure);
    if (count > 0)
        replay_replace(replay, index, edited, new_length);
    return count < 0 ? -1 : 0;
}

static int rename_in(struct restorable *restorable, struct replay *replay, size_t index,
                     struct failure *failure) {
    const struct renaming renaming = {.rules = restorable->renames,
                                      .rule_count = restorable->rename_count,
                                      .renamed = note_renamed,
                                      .context = restorable};
    size_t length, new_length;
    const uint8_t *bytes = replay_bytes(replay, index, &length);
    uint8_t *renamed;
    int count = image_rename(bytes, length, replay_name(replay, index), &renaming, &renamed,
                             &new_length, failure);
    if (count > 0)
        replay_replace(replay, index, renamed, new_length);
    return count < 0 ? -1 : 0;
}

static const char *new_path_of(const struct restorable *restorable, const char *path) {
    for (size_t i = 0; i < restorable->renamed_count; i++)
        if (strcmp(restorable->renamed[i].source, path) == 0)
            return restorable->renamed[i].target;
    return path;
}

static const char *old_path_of(const struct restorable *restorable, const char *path) {
    for (size_t i = 0; i < restorable->renamed_count; i++)
        if (strcmp(restorable->renamed[i].target, path) == 0)
            return restorable->renamed[i].source;
    return path;
}

// The received copies over the source's paths, those of renamed files over their new ones.
static int make_binds(struct restorable *restorable, struct failure *failure) {
    restorable->binds = calloc(restorable->received_count + 1, sizeof *restorable->binds);
    if (restorable->binds == NULL)
        return out_of_memory(failure);
    for (size_t i = 0; i < restorable->received_count; i++) {
        const struct bind *received = &restorable->received[i];
        const char *path = new_path_of(restorable, received->source);
        struct bind *bind = &restorable->binds[restorable->bind_count++];
        *bind = *received; // a renamed file stays the file it is
        bind->source = strdup(path);
        bind->target = path == received->source ? strdup(received->target)
                                                : path_maps_resolve(restorable->maps, path, 1);
        if (bind->source == NULL || bind->target == NULL)
            return out_of_memory(failure);
    }
    return 0;
}

void restorable_clear(struct restorable *restorable) {
    for (size_t i = 0; i < restorable->renamed_count; i++) {
        free(restorable->renamed[i].source);
        free(restorable->renamed[i].target);
    }
    for (size_t i = 0; i < restorable->bind_count; i++)
        bind_free(&restorable->binds[i]);
    free(restorable->renamed);
    free(restorable->binds);
    restorable->renamed = NULL;
    restorable->binds = NULL;
    restorable->renamed_count = restorable->bind_count = 0;
}

// --- what may be opened ---

static const struct bind *innermost(const struct bind *binds, size_t count, const char *path) {
    const struct bind *bind = NULL;
    for (size_t i = 0; i < count; i++) // the innermost comes last
        if (path_rest(binds[i].source, path) != NULL)
            bind = &binds[i];
    return bind;
}

// Is the path inside the received copy, without a symbolic link on the way? The peer chose what the
// links in its files point to, and CRIU would follow them to this host's own files; a path that a
// process has open has none. `may_be_missing`: it is enough that its directory is there.
static bool is_inside(const struct bind *bind, const char *path, bool may_be_missing) {
    if (bind == NULL)
        return false;
    char inside[PATH_MAX];
    snprintf(inside, sizeof inside, "%s", path_rest(bind->source, path));
    char *last = strrchr(inside, '/');
    if (may_be_missing && last != NULL)
        *last = '\0';
    int base = bind_open(bind);
    if (base < 0 || inside[0] == '\0') {
        close_fd(base);
        return base >= 0;
    }
    AUTO_CLOSE int found =
        open_resolving(base, inside + 1, O_PATH, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
    close(base);
    return found >= 0;
}

// A renamed file is still where it was received, and will be bound itself or move inside a copy.
static bool is_received(const struct restorable *restorable, const char *path,
                        bool may_be_missing) {
    const struct bind *bind = innermost(restorable->binds, restorable->bind_count, path);
    const char *old_path = old_path_of(restorable, path);
    if (old_path == path)
        return is_inside(bind, path, may_be_missing);
    return bind != NULL && (strcmp(bind->source, path) == 0 || is_inside(bind, path, true)) &&
           is_inside(innermost(restorable->received, restorable->received_count, old_path),
                     old_path, may_be_missing);
}

// With the rights of the clone's user: a refusal tells the peer whether it is there.
static bool is_readable_directory(const struct restorable *restorable, const char *path) {
    AUTO_FREE char *local = path_maps_resolve(restorable->maps, path, 0);
    AUTO_RIGHTS own = {0};
    struct stat facts;
    struct failure ignored;
    return local != NULL && rights_borrow(restorable->identity, &own, &ignored) == 0 &&
           stat(local, &facts) == 0 && S_ISDIR(facts.st_mode) &&
           faccessat(AT_FDCWD, local, R_OK | X_OK, AT_EACCESS) == 0;
}

// The clone's own files in every way; what both hosts were found to have alike, and directories
// that the user could read anyway, for reading.
static bool may_open(void *context, const char *path, int flags) {
    const struct restorable *restorable = context;
    const CloneWire__Offer *offer = restorable->offer;
    bool create = (flags & O_CREAT) != 0;
    if (is_received(restorable, path, create))
        return true;
    if (create || (flags & O_ACCMODE) != O_RDONLY)
        return false;
    for (size_t i = 0; i < offer->n_needed; i++)
        if (path_rest(offer->needed[i]->path, path) != NULL)
            return true;
    return is_readable_directory(restorable, path);
}

static int hold_against_policy(struct restorable *restorable, struct replay *replay,
                               struct failure *failure) {
    const struct identity *identity = restorable->identity;
    struct policy policy = {.uid = identity->uid,
                            .gid = identity->gid,
                            .groups = identity->groups,
                            .group_count = identity->group_count,
                            .root = (pid_t)restorable->offer->pid,
                            .groups_replaced = identity->unprivileged,
                            .may_open = may_open,
                            .context = restorable};
    for (size_t i = 0; i < replay_count(replay); i++) {
        size_t length;
        const uint8_t *bytes = replay_bytes(replay, i, &length);
        if (policy_check(&policy, replay_name(replay, i), bytes, length, failure) < 0) {
            policy_clear(&policy);
            return -1;
        }
    }
    return policy_complete(&policy, failure);
}

// --- what an unprivileged CRIU needs ---

// -1: not a clock's time. The kernel wouldn't take it either (time_namespaces(7)).
static int64_t clock_of(const CriuImage__Time *time) {
    if (time == NULL)
        return 0;
    if (time->seconds > LONGEST_UPTIME || time->rest >= NANOSECONDS)
        return -1;
    return (int64_t)(time->seconds * NANOSECONDS + time->rest);
}

static int read_clocks(struct restorable *restorable, const char *name, struct pb_view bytes,
                       struct failure *failure) {
    struct image image;
    struct pb_view entry;
    if (image_open(&image, bytes.bytes, bytes.length, name, failure) < 0)
        return -1;
    int more = image_next(&image, &entry.bytes, &entry.length, failure);
    if (more != 1)
        return more;
    CriuImage__Timens *timens = criu_image__timens__unpack(NULL, entry.length, entry.bytes);
    if (timens == NULL)
        return out_of_memory(failure);
    struct clone_clocks *clocks = &restorable->clocks;
    *clocks = (struct clone_clocks){clock_of(timens->monotonic), clock_of(timens->boottime)};
    criu_image__timens__free_unpacked(timens, NULL);
    if (clocks->monotonic_ns < 0 || clocks->boottime_ns < 0)
        return fail(failure, EXIT_IMAGE, "%s: the process's clocks show impossible times", name);
    return 0;
}

static int fit_to_identity(struct restorable *restorable, struct replay *replay, size_t index,
                           struct failure *failure) {
    size_t length, edited_length;
    const uint8_t *bytes = replay_bytes(replay, index, &length);
    const char *name = replay_name(replay, index);
    struct pb_view view = {.bytes = bytes, .length = length};
    if (strncmp(name, "timens-", 7) == 0)
        return read_clocks(restorable, name, view, failure);
    uint8_t *edited;
    const struct identity *identity = restorable->identity;
    int count = image_unprivileged(bytes, length, name, identity->gid, identity->groups,
                                   identity->group_count, &edited, &edited_length, failure);
    if (count > 0)
        replay_replace(replay, index, edited, edited_length);
    return count < 0 ? -1 : 0;
}

int restorable_make(struct restorable *restorable, struct replay *replay, struct failure *failure) {
    for (size_t i = 0; i < replay_count(replay); i++)
        if (leave_cgroups_in(replay, i, failure) < 0)
            return -1;
    for (size_t i = 0; restorable->rename_count > 0 && i < replay_count(replay); i++)
        if (rename_in(restorable, replay, i, failure) < 0)
            return -1;
    if (make_binds(restorable, failure) < 0 || hold_against_policy(restorable, replay, failure) < 0)
        return -1;
    for (size_t i = 0; i < restorable->renamed_count; i++)
        if (receiver_rename(restorable->receiver, restorable->renamed[i].source,
                            restorable->renamed[i].target, failure) < 0)
            return -1;
    for (size_t i = 0; restorable->identity->unprivileged && i < replay_count(replay); i++)
        if (fit_to_identity(restorable, replay, i, failure) < 0)
            return -1;
    return 0;
}
