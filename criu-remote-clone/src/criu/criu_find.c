// SPDX-License-Identifier: Apache-2.0
// Which CRIU this host has, and whether the caller may image processes with it.
#include "criu.h"

#include <endian.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PRIVATE_PREFIX "/opt/clonehadoop/criu/bin/"

// --- finding it ---

static int read_version(const char *program, char version[CRIU_VERSION_MAX]) {
    int out[2];
    if (pipe2(out, O_CLOEXEC) < 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(out[1], STDOUT_FILENO);
        // As we run it later: without the caller's settings, which could keep it from telling.
        char *const arguments[] = {"criu", "--no-default-config", "--version", NULL};
        char *const environment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL};
        execve(program, arguments, environment);
        _exit(127);
    }
    close(out[1]);
    char text[256] = "";
    size_t length = 0;
    ssize_t got;
    while (pid > 0 && length < sizeof text - 1 &&
           (got = read(out[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    close(out[0]);
    int status = -1;
    if (pid > 0)
        waitpid(pid, &status, 0);
    if (status != 0 || sscanf(text, "Version: %31[0-9.]", version) != 1)
        return -1;
    return 0;
}

static bool is_program(const char *path, struct criu *criu) {
    snprintf(criu->program, sizeof criu->program, "%s", path);
    return access(path, X_OK) == 0;
}

static bool on_path(struct criu *criu) {
    const char *directories = getenv("PATH");
    char *copy = strdup(directories != NULL ? directories : "");
    bool found = false;
    char *rest = copy;
    for (char *directory; !found && (directory = strsep(&rest, ":")) != NULL;) {
        char path[sizeof criu->program];
        snprintf(path, sizeof path, "%s/criu", directory);
        found = is_program(path, criu);
    }
    free(copy);
    return found;
}

// scripts/setup --group makes criu-user, a copy with the file capability that an ordinary user's
// serve needs, for a group of users. Root needs no file's capabilities.
static bool is_installed(struct criu *criu) {
    return (geteuid() != 0 && is_program(PRIVATE_PREFIX "criu-user", criu)) ||
           is_program(PRIVATE_PREFIX "criu", criu) || on_path(criu) ||
           is_program("/usr/sbin/criu", criu);
}

int criu_find(struct criu *criu, const char *wanted, struct failure *failure) {
    criu->log = -1;
    criu->verbosity = CRIU_ERRORS;
    if (wanted != NULL)
        snprintf(criu->program, sizeof criu->program, "%s", wanted);
    else if (!is_installed(criu))
        return fail(failure, EXIT_UNABLE,
                    "CRIU is not installed: run " INSTALLER ", or name one with --criu");
    if (read_version(criu->program, criu->version) < 0)
        return fail(failure, EXIT_UNABLE,
                    "%s does not run as CRIU: run " INSTALLER ", or name another with --criu",
                    criu->program);
    int major = 0, minor = 0;
    sscanf(criu->version, "%d.%d", &major, &minor);
    if (major < 4 || (major == 4 && minor < 2))
        return fail(failure, EXIT_UNABLE,
                    "CRIU %s at %s is too old, 4.2 or later is needed: run " INSTALLER
                    ", or name another with --criu",
                    criu->version, criu->program);
    return 0;
}

// --- the right to image a process ---

uint64_t criu_file_capabilities(const void *attribute, size_t length) {
    struct vfs_cap_data data = {0};
    if (length < XATTR_CAPS_SZ_2)
        return 0; // version 1 has room for 32 only
    memcpy(&data, attribute, XATTR_CAPS_SZ_2);
    return (uint64_t)le32toh(data.data[1].permitted) << 32 | le32toh(data.data[0].permitted);
}

static bool has_capability(const char *program) {
    char attribute[64];
    ssize_t length = getxattr(program, "security.capability", attribute, sizeof attribute);
    uint64_t held = length > 0 ? criu_file_capabilities(attribute, (size_t)length) : 0;
    return (held & 1ull << CAP_CHECKPOINT_RESTORE) != 0;
}

// execve(2): when the kernel passes over a file's capabilities.
static const char *why_without_effect(const char *program) {
    struct statvfs mount;
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) > 0)
        return "no_new_privs is set (a service manager's or container's option): have it unset";
    if (prctl(PR_CAPBSET_READ, CAP_CHECKPOINT_RESTORE) == 0)
        return "our bounding set lacks cap_checkpoint_restore: have the service manager or "
               "container keep it";
    if (statvfs(program, &mount) == 0 && (mount.f_flag & ST_NOSUID) != 0)
        return "its file system is mounted nosuid: install it elsewhere";
    return NULL;
}

int criu_may_image(const struct criu *criu, struct failure *failure) {
    if (geteuid() == 0 ||
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_CHECKPOINT_RESTORE, 0, 0) == 1)
        return 0;
    if (!has_capability(criu->program))
        return fail(failure, EXIT_UNABLE,
                    "an ordinary user's serve needs a CRIU with the capability "
                    "cap_checkpoint_restore, which %s has not: have root run `" GROUP_INSTALLER
                    " for a "
                    "group of yours (docs/internals/least-privilege.md), or run serve as root",
                    criu->program);
    const char *why = why_without_effect(criu->program);
    if (why != NULL)
        return fail(failure, EXIT_UNABLE, "the file capability of %s has no effect here: %s",
                    criu->program, why);
    return 0;
}
