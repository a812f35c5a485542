// The requirements of a host.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "check_internal.h"
#include "criu.h"
#include "facts.h"
#include "identity.h"
#include "keeper.h"
#include "lease.h"
#include "procfs.h"
#include "ramdisk.h"

#define CRIU_CHECK_MS 30000
#define LITTLE_MEMORY (256ull << 20)
#define SMALL_DISK (4ull << 20)

#define BIT(number) (1ull << (number))

// --- kernel ---

bool kernel_is_at_least(const char *release, unsigned major, unsigned minor) {
    unsigned is_major = 0, is_minor = 0;
    sscanf(release, "%u.%u", &is_major, &is_minor);
    return is_major > major || (is_major == major && is_minor >= minor);
}

static int check_kernel(struct requirements *list, struct failure *failure) {
    struct utsname system;
    uname(&system);
    bool good = kernel_is_at_least(system.release, 5, 9);
    return requirements_add(list, good ? CHECK_PASS : CHECK_FAIL, "kernel",
                            good ? NULL : "boot a kernel >= 5.9", failure,
                            "Linux %s %s (5.9 brought CAP_CHECKPOINT_RESTORE)", system.release,
                            system.machine);
}

static int check_time_namespace(struct requirements *list, struct failure *failure) {
    bool good = access("/proc/self/ns/time", F_OK) == 0;
    return requirements_add(list, good ? CHECK_PASS : CHECK_FAIL, "time namespace",
                            good ? NULL : "boot a kernel with CONFIG_TIME_NS", failure,
                            good ? "a clone's monotonic clock goes on where the original's was"
                                 : "none: a clone's monotonic clock would jump, also backwards");
}

// The child's exit code is the errno of unshare(2).
static int try_namespaces(int flags) {
    pid_t child = fork();
    if (child == 0)
        _exit(unshare(flags) == 0 ? 0 : errno);
    int status = 0;
    if (child < 0)
        return errno;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

static int check_namespaces(struct requirements *list, struct failure *failure) {
    bool root = geteuid() == 0;
    int number = try_namespaces(CLONE_NEWPID | CLONE_NEWNS | (root ? 0 : CLONE_NEWUSER));
    const char *kind = root ? "PID and mount namespaces" : "user, PID and mount namespaces";
    if (number == 0)
        return requirements_add(list, CHECK_PASS, "namespaces", NULL, failure, "%s can be made",
                                kind);
    return requirements_add(
        list, CHECK_FAIL, "namespaces",
        root ? "run with CAP_SYS_ADMIN, and raise user.max_pid_namespaces"
             : "allow user namespaces (user.max_user_namespaces; on Ubuntu "
               "kernel.apparmor_restrict_unprivileged_userns=0), or run pull as root",
        failure, "%s can't be made: %s", kind, strerror(number));
}

// --- rights ---

static const char *const capability_names[] = {
    [CAP_CHOWN] = "chown",
    [CAP_DAC_OVERRIDE] = "dac_override",
    [CAP_FOWNER] = "fowner",
    [CAP_KILL] = "kill",
    [CAP_SETGID] = "setgid",
    [CAP_SETUID] = "setuid",
    [CAP_SETPCAP] = "setpcap",
    [CAP_NET_ADMIN] = "net_admin",
    [CAP_SYS_CHROOT] = "sys_chroot",
    [CAP_SYS_PTRACE] = "sys_ptrace",
    [CAP_SYS_ADMIN] = "sys_admin",
    [CAP_SYS_RESOURCE] = "sys_resource",
    [CAP_CHECKPOINT_RESTORE] = "checkpoint_restore",
};

size_t capabilities_lacking(uint64_t wanted, uint64_t held, char *names, size_t size) {
    size_t count = 0, used = 0;
    names[0] = 0;
    for (size_t i = 0; i < sizeof capability_names / sizeof capability_names[0]; i++) {
        if ((wanted & ~held & BIT(i)) == 0 || capability_names[i] == NULL)
            continue;
        count++;
        int length = snprintf(names + used, size - used, "%scap_%s", used > 0 ? ", " : "",
                              capability_names[i]);
        used += length > 0 && (size_t)length < size - used ? (size_t)length : 0;
    }
    return count;
}

static uint64_t effective_capabilities(void) {
    char *status = procfs_read(NULL, "/proc/self/status");
    const char *set = status != NULL ? procfs_value(status, "CapEff") : NULL;
    uint64_t held = set != NULL ? strtoull(set, NULL, 16) : 0;
    free(status);
    return held;
}

static int check_roots_rights(struct requirements *list, struct failure *failure) {
    const uint64_t needed = BIT(CAP_CHOWN) | BIT(CAP_DAC_OVERRIDE) | BIT(CAP_FOWNER) |
                            BIT(CAP_KILL) | BIT(CAP_SETGID) | BIT(CAP_SETUID) | BIT(CAP_SETPCAP) |
                            BIT(CAP_SYS_CHROOT) | BIT(CAP_SYS_PTRACE) | BIT(CAP_SYS_ADMIN) |
                            BIT(CAP_CHECKPOINT_RESTORE);
    const uint64_t useful = BIT(CAP_SYS_RESOURCE) | BIT(CAP_NET_ADMIN);
    char names[256];
    uint64_t held = effective_capabilities();
    if (capabilities_lacking(needed, held, names, sizeof names) > 0)
        return requirements_add(list, CHECK_FAIL, "rights",
                                "give the container or service these capabilities", failure,
                                "root without %s", names);
    if (capabilities_lacking(useful, held, names, sizeof names) > 0)
        return requirements_add(list, CHECK_WARN, "rights",
                                "only if a clone must have resource limits or socket options that "
                                "its hosts' defaults don't allow: add them",
                                failure, "root without %s", names);
    return requirements_add(list, CHECK_PASS, "rights", NULL, failure,
                            "root, with all capabilities needed");
}

static int check_users_rights(const struct criu *criu, struct requirements *list,
                              struct failure *failure) {
    struct failure reason;
    if (criu->program[0] == 0)
        fail(&reason, EXIT_UNABLE, "there is no CRIU to have the right");
    else if (criu_may_image(criu, &reason) == 0)
        return requirements_add(list, CHECK_PASS, "rights", NULL, failure,
                                "user %u, and CRIU has cap_checkpoint_restore",
                                (unsigned)geteuid());
    return requirements_add(list, CHECK_FAIL, "rights",
                            "have root run `scripts/setup --group GROUP` for a group of yours, or "
                            "run serve as root (pull needs no such right)",
                            failure, "user %u: %s", (unsigned)geteuid(), reason.text);
}

// Documentation/admin-guide/LSM/Yama.rst: 1 allows descendants only, 2 only CAP_SYS_PTRACE, 3
// nobody.
static int check_ptrace(struct requirements *list, struct failure *failure) {
    char *text = procfs_read(NULL, "/proc/sys/kernel/yama/ptrace_scope");
    int scope = text != NULL ? atoi(text) : 0;
    free(text);
    bool root = geteuid() == 0;
    bool good = scope == 0 || (root && scope < 3);
    return requirements_add(list, good ? CHECK_PASS : CHECK_FAIL, "ptrace",
                            good   ? NULL
                            : root ? "kernel.yama.ptrace_scope=3 lasts until the next boot: set "
                                     "less before it"
                                   : "sysctl kernel.yama.ptrace_scope=0, or run serve as root",
                            failure, "kernel.yama.ptrace_scope is %d", scope);
}

// --- CRIU ---

static int run_criu_check(const struct criu *criu, struct requirements *list,
                          struct failure *failure) {
    char fix[sizeof criu->program + 64];
    struct failure reason;
    if (criu_check(criu, CRIU_CHECK_MS, &reason) == 0)
        return requirements_add(list, CHECK_PASS, "criu check", NULL, failure,
                                "the kernel has what CRIU needs");
    snprintf(fix, sizeof fix, "`%s check` says what is missing", criu->program);
    return requirements_add(list, CHECK_FAIL, "criu check", fix, failure, "%s", reason.text);
}

static int check_criu(const char *wanted_criu, struct criu *criu, struct requirements *list,
                      struct failure *failure) {
    struct failure reason;
    *criu = (struct criu){0};
    if (criu_find(criu, wanted_criu, &reason) < 0) {
        criu->program[0] = 0;
        return requirements_add(list, CHECK_FAIL, "criu",
                                "install CRIU >= 4.2, or run the project's scripts/setup", failure,
                                "%s", reason.text);
    }
    if (requirements_add(list, CHECK_PASS, "criu", NULL, failure, "%s, %s", criu->version,
                         criu->program) < 0)
        return -1;
    return run_criu_check(criu, list, failure);
}

// --- memory ---

static bool tmpfs_has_noswap(void) {
    int context = fsopen("tmpfs", FSOPEN_CLOEXEC);
    if (context < 0)
        return false;
    bool good = fsconfig(context, FSCONFIG_SET_FLAG, "noswap", NULL, 0) == 0 &&
                fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0;
    close(context);
    return good;
}

static bool has_swap(void) {
    char *swaps = procfs_read(NULL, "/proc/swaps");
    const char *second = swaps != NULL ? strchr(swaps, '\n') : NULL;
    bool some = second != NULL && second[1] != 0;
    free(swaps);
    return some;
}

static int describe_ram_disk(const struct ramdisk *disk, struct requirements *list,
                             struct failure *failure) {
    bool held = !has_swap() || (geteuid() == 0 && tmpfs_has_noswap());
    if (requirements_add(list, disk->detached ? CHECK_PASS : CHECK_WARN, "RAM disk",
                         disk->detached ? NULL : "allow user namespaces, or run as root", failure,
                         disk->detached ? "a tmpfs of its own, mounted nowhere"
                                        : "no right to mount: images go to /dev/shm") < 0 ||
        requirements_add(list, disk->huge_pages ? CHECK_PASS : CHECK_WARN, "huge pages",
                         disk->huge_pages ? NULL
                         : disk->detached ? "boot a kernel with CONFIG_TRANSPARENT_HUGEPAGE"
                                          : "allow user namespaces, or run as root",
                         failure,
                         disk->huge_pages
                             ? "the RAM disk is made of huge pages"
                             : "none for the RAM disk: the freeze takes about twice as long") < 0)
        return -1;
    return requirements_add(list, held ? CHECK_PASS : CHECK_WARN, "no swapping",
                            held ? NULL : "swapoff -a, or run as root on a kernel >= 6.4", failure,
                            held ? "images never reach a disk"
                                 : "the RAM disk may be swapped out, and images hold secrets");
}

// The one way to know is to make one.
static int check_ram_disk(struct requirements *list, struct failure *failure) {
    struct ramdisk disk;
    struct failure reason;
    struct keeper *keeper = keeper_start(failure);
    if (keeper == NULL)
        return -1;
    int result =
        ramdisk_open(&disk, SMALL_DISK, true, keeper, &reason) < 0
            ? requirements_add(list, CHECK_FAIL, "RAM disk",
                               "allow user namespaces, or run as root", failure, "%s", reason.text)
            : describe_ram_disk(&disk, list, failure);
    ramdisk_close(&disk);
    keeper_finish(keeper);
    return result;
}

static int check_memory(struct requirements *list, struct failure *failure) {
    uint64_t available = facts_memory_available(0);
    bool enough = available >= LITTLE_MEMORY;
    return requirements_add(list, enough ? CHECK_PASS : CHECK_WARN, "memory",
                            enough ? NULL : "raise the memory cgroup's limit, or free memory",
                            failure, "%" PRIu64 " MiB available to us, memory cgroups included",
                            available >> 20);
}

// --- the tool's own ---

static int check_leases(struct requirements *list, struct failure *failure) {
    struct failure reason;
    if (lease_directory_usable(NULL, &reason) == 0)
        return requirements_add(list, CHECK_PASS, "lease directory", NULL, failure,
                                "limits of concurrent clones can be kept");
    return requirements_add(list, CHECK_FAIL, "lease directory", "choose one with --lease-dir",
                            failure, "%s", reason.text);
}

int check_requirements(const char *wanted_criu, struct requirements *list,
                       struct failure *failure) {
    struct criu criu;
    if (check_kernel(list, failure) < 0 || check_criu(wanted_criu, &criu, list, failure) < 0)
        return -1;
    int rights = geteuid() == 0 ? check_roots_rights(list, failure)
                                : check_users_rights(&criu, list, failure);
    return rights < 0 || check_ptrace(list, failure) < 0 || check_namespaces(list, failure) < 0 ||
                   check_time_namespace(list, failure) < 0 || check_ram_disk(list, failure) < 0 ||
                   check_memory(list, failure) < 0 || check_leases(list, failure) < 0
               ? -1
               : 0;
}
