// SPDX-License-Identifier: Apache-2.0
// Each map and the base directory is a place, opened once; every path is then found below its place
// without following symbolic links.
#include "store.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "memory.h"
#include "path_maps.h"
#include "paths.h"
#include "scope.h"

#define LISTED_MAX (64u << 20)

// The directory that holds a map's target, or the base directory itself.
struct place {
    char *directory; // absolute, once it is open
    char *name;      // the target in it; NULL: the base
    int fd;          // -1: not needed so far
};

struct store {
    const struct path_maps *maps;
    struct keeper *keeper;
    struct place *places; // one per map, then the base
    char *parent;         // the relative path that parent_fd was opened for
    const struct place *parent_place;
    int parent_fd;
    size_t listed_bytes; // of the paths of directories made above what is stored
};

// --- places ---

// The absolute path; what exists of it without symbolic links: those are the operator's own, and
// mean what they lead to.
static char *absolute(const char *path, struct failure *failure) {
    char *whole = realpath(path, NULL);
    char *here = whole == NULL ? realpath(".", NULL) : NULL;
    if (here != NULL)
        whole = path_normalized(here, path);
    free(here);
    if (whole == NULL)
        out_of_memory(failure);
    return whole;
}

// Divides a map's target into the directory it is in and its name there.
static int place_of_target(struct place *place, const char *target, struct failure *failure) {
    AUTO_FREE char *whole = absolute(target, failure);
    if (whole == NULL)
        return -1;
    if (!path_is_clean(whole))
        return fail(failure, EXIT_USAGE, "--map: \"%s\" can't hold received files", target);
    char *slash = strrchr(whole, '/');
    place->name = strdup(slash + 1);
    *slash = '\0';
    place->directory = strdup(slash == whole ? "/" : whole);
    return place->name == NULL || place->directory == NULL ? out_of_memory(failure) : 0;
}

// Makes a directory above what is stored: `name` in `dir_fd`, locally `path`. Others may have come
// to use it when we fail, so that the keeper takes it away only if it is empty. One that somebody
// has just made isn't ours.
static int make_above(struct store *store, const char *path, int dir_fd, const char *name,
                      struct failure *failure) {
    store->listed_bytes += strlen(path);
    if (store->listed_bytes > LISTED_MAX)
        return fail(failure, EXIT_REFUSED, "the peer's files lie in too many directories");
    int entry = keeper_remove_directory_if_empty(store->keeper, path, failure);
    if (entry < 0)
        return -1;
    if (mkdirat(dir_fd, name, 0700) == 0)
        return 0;
    if (errno != EEXIST)
        return fail_errno(failure, EXIT_UNABLE, "can't make the directory %s", path);
    return keeper_forget(store->keeper, entry, failure);
}

// mkdir -p, in a path of the operator's.
static int make_directories(struct store *store, char *path, struct failure *failure) {
    for (char *slash = path;;) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL)
            *slash = '\0';
        struct stat status;
        int result = 0;
        if (stat(path, &status) < 0)
            result = errno == ENOENT
                         ? make_above(store, path, AT_FDCWD, path, failure)
                         : fail_errno(failure, EXIT_UNABLE, "can't look at the directory %s", path);
        if (slash == NULL || result < 0)
            return result;
        *slash = '/';
    }
}

static int open_place(struct store *store, struct place *place, struct failure *failure) {
    if (place->fd >= 0)
        return 0;
    if (strcmp(place->directory, "/") != 0 &&
        make_directories(store, place->directory, failure) < 0)
        return -1;
    place->fd = open(place->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (place->fd < 0)
        return fail_errno(failure, EXIT_UNABLE, "can't open the directory %s", place->directory);
    char *real = realpath(place->directory, NULL);
    if (real == NULL)
        return fail_errno(failure, EXIT_UNABLE, "can't open the directory %s", place->directory);
    free(place->directory);
    place->directory = real;
    return 0;
}

static int set_up(struct store *store, struct failure *failure) {
    const struct path_maps *maps = store->maps;
    for (size_t i = 0; i < maps->count; i++)
        if (place_of_target(&store->places[i], maps->maps[i].target, failure) < 0)
            return -1;
    store->places[maps->count].directory = absolute(maps->base, failure);
    return store->places[maps->count].directory == NULL ? -1 : 0;
}

struct store *store_open(const struct path_maps *maps, struct keeper *keeper,
                         struct failure *failure) {
    struct store *store = allocate(sizeof *store, failure);
    AUTO_FREE struct place *places = allocate((maps->count + 1) * sizeof *places, failure);
    if (store == NULL || places == NULL) {
        free(store);
        return NULL;
    }
    for (size_t i = 0; i <= maps->count; i++)
        places[i].fd = -1;
    *store = (struct store){
        .maps = maps, .keeper = keeper, .places = TAKE(places, NULL), .parent_fd = -1};
    if (set_up(store, failure) < 0) {
        store_close(store);
        return NULL;
    }
    return store;
}

void store_forget(struct store *store) {
    close_fd(store->parent_fd);
    store->parent_fd = -1;
    free(store->parent);
    store->parent = NULL;
}

void store_close(struct store *store) {
    if (store == NULL)
        return;
    store_forget(store);
    for (size_t i = 0; i <= store->maps->count; i++) {
        free(store->places[i].directory);
        free(store->places[i].name);
        close_fd(store->places[i].fd);
    }
    free(store->places);
    free(store);
}

// --- spots ---

// The path's place, and its path in there (malloc'd, even if it fails).
static struct place *place_of(struct store *store, const char *source_path, char **inside,
                              struct failure *failure) {
    const char *rest;
    const struct path_map *map = path_maps_find(store->maps, source_path, &rest);
    size_t index = map == NULL ? store->maps->count : (size_t)(map - store->maps->maps);
    struct place *place = &store->places[index];
    *inside = map == NULL ? strdup(source_path + 1) : path_joined(place->name, rest);
    if (*inside == NULL)
        return NULL_WITH(out_of_memory(failure));
    return open_place(store, place, failure) < 0 ? NULL : place;
}

static int open_inside(int dir_fd, const char *path) {
    return open_resolving(dir_fd, path, O_PATH | O_DIRECTORY | O_NOFOLLOW,
                          RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

// Opens the directory `parent` of the place, or returns the one opened last.
static int open_parent(struct store *store, const struct place *place, const char *parent) {
    if (store->parent != NULL && store->parent_place == place && strcmp(store->parent, parent) == 0)
        return store->parent_fd;
    store_forget(store);
    int fd = open_inside(place->fd, parent[0] == '\0' ? "." : parent);
    if (fd < 0)
        return -1;
    store->parent = strdup(parent); // without it, it is just opened again
    store->parent_place = place;
    store->parent_fd = fd;
    return fd;
}

// Cuts the last component off; it is returned in `name`.
static void split(char *inside, char name[NAME_MAX + 1]) {
    char *slash = strrchr(inside, '/');
    strncpy(name, slash == NULL ? inside : slash + 1, NAME_MAX);
    name[NAME_MAX] = '\0';
    *(slash == NULL ? inside : slash) = '\0';
}

int store_find(struct store *store, const char *source_path, struct spot *spot,
               struct failure *failure) {
    AUTO_FREE char *inside = NULL;
    struct place *place = place_of(store, source_path, &inside, failure);
    if (place == NULL)
        return -1;
    split(inside, spot->name);
    spot->dir_fd = open_parent(store, place, inside);
    return spot->dir_fd >= 0
               ? 0
               : fail_errno(failure, EXIT_TRANSFER,
                            "the place for the received %s is not (or no longer) a directory we "
                            "stored",
                            source_path);
}

static char *local_path(const struct place *place, const char *inside) {
    char *path;
    const char *directory = strcmp(place->directory, "/") == 0 ? "" : place->directory;
    return asprintf(&path, "%s/%s", directory, inside) < 0 ? NULL : path;
}

// One directory of those above a spot. `path` is its path in the place.
static int make_directory(struct store *store, const struct place *place, const char *path,
                          struct failure *failure) {
    AUTO_CLOSE int fd = open_inside(place->fd, path);
    if (fd >= 0)
        return 0;
    AUTO_FREE char *local = errno == ENOENT ? local_path(place, path) : NULL;
    AUTO_FREE char *parent = local == NULL ? NULL : strdup(path);
    if (parent == NULL)
        return fail_errno(failure, EXIT_UNABLE, "can't make the directory %s/%s", place->directory,
                          path);
    char name[NAME_MAX + 1];
    split(parent, name);
    int dir_fd = open_parent(store, place, parent);
    return dir_fd < 0 ? fail_errno(failure, EXIT_UNABLE, "can't make the directory %s", local)
                      : make_above(store, local, dir_fd, name, failure);
}

int store_make(struct store *store, const char *source_path, struct spot *spot,
               struct failure *failure) {
    AUTO_FREE char *inside = NULL;
    struct place *place = place_of(store, source_path, &inside, failure);
    if (place == NULL)
        return -1;
    int result = 0;
    for (char *slash = strchr(inside, '/'); slash != NULL && result == 0;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        result = make_directory(store, place, inside, failure);
        *slash = '/';
    }
    return result < 0 ? -1 : store_find(store, source_path, spot, failure);
}

char *store_path(struct store *store, const char *source_path, struct failure *failure) {
    AUTO_FREE char *inside = NULL;
    const struct place *place = place_of(store, source_path, &inside, failure);
    if (place == NULL)
        return NULL;
    char *path = local_path(place, inside);
    if (path == NULL)
        out_of_memory(failure);
    return path;
}

char *store_map_target(const struct store *store, size_t map) {
    return local_path(&store->places[map], store->places[map].name);
}
