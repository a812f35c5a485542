// SPDX-License-Identifier: Apache-2.0
// Pins are files of a BPF file system; its directory is locked as any other.
#include "pins.h"

#include <bpf/bpf.h>
#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

int pins_check(const char *directory, struct failure *failure) {
    char parent[256];
    struct statfs facts;
    if (strlen(directory) >= sizeof parent || directory[0] != '/')
        return fail(failure, EXIT_USAGE, "--pins is an absolute path of up to %zu bytes",
                    sizeof parent - 1);
    strcpy(parent, directory);
    if (statfs(directory, &facts) < 0 && statfs(dirname(parent), &facts) < 0)
        return fail_number(failure, EXIT_UNABLE, errno, "can't look at %s", parent);
    if (facts.f_type != BPF_FS_MAGIC)
        return fail(failure, EXIT_UNABLE,
                    "%s isn't on a BPF file system: mount -t bpf bpf /sys/fs/bpf", directory);
    return 0;
}

int pins_begin(struct pins *pins, const char *directory, enum pins_use use,
               struct failure *failure) {
    memset(pins, 0, sizeof *pins);
#define NO_FD(name, size) pins->name = -1;
    PINNED_MAPS(NO_FD)
#undef NO_FD
    snprintf(pins->directory, sizeof pins->directory, "%s", directory);
    if (use == PINS_MAKE && mkdir(directory, 0700) < 0 && errno != EEXIST)
        return fail_number(failure, EXIT_UNABLE, errno, "can't make %s", directory);
    pins->lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (pins->lock < 0 && errno == ENOENT)
        return fail(failure, EXIT_DOWN, "no switch is up here (%s isn't there)", directory);
    if (pins->lock < 0)
        return fail_number(failure, EXIT_UNABLE, errno, "can't open %s", directory);
    if (use != PINS_LOOK && flock(pins->lock, LOCK_EX | LOCK_NB) < 0) {
        close(pins->lock);
        pins->lock = -1;
        return fail(failure, EXIT_BUSY, "another clone-switch is at work on %s", directory);
    }
    return 0;
}

const char *pins_path(const struct pins *pins, const char *name, char *path) {
    snprintf(path, PIN_PATH, "%s/%s", pins->directory, name);
    return path;
}

int pins_map(const struct pins *pins, const char *name, size_t size) {
    char path[PIN_PATH];
    struct bpf_map_info info = {0};
    uint32_t length = sizeof info;
    int fd = bpf_obj_get(pins_path(pins, name, path));
    if (fd < 0 || (bpf_obj_get_info_by_fd(fd, &info, &length) == 0 && info.value_size == size))
        return fd;
    close(fd);
    errno = EMEDIUMTYPE;
    return -1;
}

bool pins_is_other(const struct settings *settings) {
    return settings->port_count > 0 && settings->layout != LAYOUT;
}

int pins_fail_other(const char *what, struct failure *failure) {
    return fail(
        failure, EXIT_OTHER,
        "the %s that is up here is of another build of clone-switch: use that one for it, or "
        "bring it up anew with this one",
        what);
}

static int open_pin(const struct pins *pins, const char *name, size_t size, int *fd,
                    struct failure *failure) {
    char path[PIN_PATH];
    *fd = pins_map(pins, name, size);
    if (*fd >= 0)
        return 0;
    if (errno == EMEDIUMTYPE)
        return pins_fail_other("switch", failure);
    pins_path(pins, name, path);
    if (errno == ENOENT)
        return fail(failure, EXIT_DOWN, "no switch is up here, or only half of one (%s is missing)",
                    path);
    return fail_number(failure, EXIT_UNABLE, errno, "can't open %s", path);
}

int pins_open(struct pins *pins, struct failure *failure) {
#define OPEN_PIN(name, size)                                                                       \
    if (open_pin(pins, #name, size, &pins->name, failure) < 0)                                     \
        return -1;
    PINNED_MAPS(OPEN_PIN)
#undef OPEN_PIN
    struct settings settings;
    if (pins_settings(pins, &settings, failure) < 0)
        return -1;
    return pins_is_other(&settings) ? pins_fail_other("switch", failure) : 0;
}

void pins_unlock(struct pins *pins) {
    close(pins->lock);
    pins->lock = -1;
}

void pins_close(struct pins *pins) {
#define CLOSE_PIN(name, size)                                                                      \
    if (pins->name >= 0)                                                                           \
        close(pins->name);
    PINNED_MAPS(CLOSE_PIN)
#undef CLOSE_PIN
    if (pins->lock >= 0)
        close(pins->lock);
}

int pins_remove(const struct pins *pins, struct failure *failure) {
    DIR *directory = opendir(pins->directory);
    if (directory == NULL)
        return fail_number(failure, EXIT_UNABLE, errno, "can't read %s", pins->directory);
    int result = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] != '.' && unlinkat(dirfd(directory), entry->d_name, 0) < 0)
            result = fail_number(failure, EXIT_UNABLE, errno, "can't remove %s/%s", pins->directory,
                                 entry->d_name);
    closedir(directory);
    if (result == 0 && rmdir(pins->directory) < 0)
        result = fail_number(failure, EXIT_UNABLE, errno, "can't remove %s", pins->directory);
    return result;
}

int pins_settings(const struct pins *pins, struct settings *settings, struct failure *failure) {
    uint32_t zero = 0;
    if (bpf_map_lookup_elem(pins->switch_settings, &zero, settings) < 0)
        return fail_number(failure, EXIT_KERNEL, errno, "can't read the settings");
    return 0;
}

int pins_set_settings(const struct pins *pins, const struct settings *settings,
                      struct failure *failure) {
    uint32_t zero = 0;
    if (bpf_map_update_elem(pins->switch_settings, &zero, settings, BPF_ANY) < 0)
        return fail_number(failure, EXIT_KERNEL, errno, "can't write the settings");
    return 0;
}

static int compare_numbers(const void *left, const void *right) {
    return ((const struct service_rules *)left)->number -
           ((const struct service_rules *)right)->number;
}

int pins_services(const struct pins *pins, struct service_rules services[ADDRESSES],
                  struct failure *failure) {
    struct endpoint key, *last = NULL;
    int count = 0;
    while (count < ADDRESSES && bpf_map_get_next_key(pins->services, last, &key) == 0) {
        if (bpf_map_lookup_elem(pins->services, &key, &services[count]) == 0)
            count++;
        else if (errno != ENOENT)
            return fail_number(failure, EXIT_KERNEL, errno, "can't read the services");
        last = &key;
    }
    qsort(services, (size_t)count, sizeof services[0], compare_numbers);
    return count;
}
