// SPDX-License-Identifier: Apache-2.0
// The requirements of a host.
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "command.h"
#include "criu.h"
#include "facts.h"
#include "identity.h"
#include "keeper.h"
#include "lease.h"
#include "procfs.h"
#include "ramdisk.h"
#include "scope.h"

#define CRIU_CHECK_MS 30000
#define LITTLE_MEMORY (256ull << 20)
#define SMALL_DISK (4ull << 20)

#define BIT(number) (1ull << (number))

// One that must be met, and one without which it works less well; the fix is said if it isn't.
#define REQUIRE(list, good, name, fix, ...)                                                        \
    requirements_add(list, (good) ? CHECK_PASS : CHECK_FAIL, name, (good) ? NULL : (fix),          \
                     __VA_ARGS__)
#define PREFER(list, good, name, fix, ...)                                                         \
    requirements_add(list, (good) ? CHECK_PASS : CHECK_WARN, name, (good) ? NULL : (fix),          \
                     __VA_ARGS__)

// --- kernel ---

bool kernel_is_at_least(const char *release, unsigned major, unsigned minor) {
    unsigned is_major = 0, is_minor = 0;
    sscanf(release, "%u.%u", &is_major, &is_minor);
    return is_major > major || (is_major == major && is_minor >= minor);
}

static void check_kernel(struct requirements *list) {
    struct utsname system;
    uname(&system);
    REQUIRE(list, kernel_is_at_least(system.release, 5, 9), "kernel", "boot a kernel >= 5.9",
            "Linux %s %s (5.9 brought CAP_CHECKPOINT_RESTORE)", system.release, system.machine);
}

static void check_time_namespace(struct requirements *list) {
    bool good = access("/proc/self/ns/time", F_OK) == 0;
    REQUIRE(list, good, "time namespace", "boot a kernel with CONFIG_TIME_NS",
            good ? "a clone's monotonic clock goes on where the original's was"
                 : "none: a clone's monotonic clock would jump, also backwards");
}

// The child's exit code is the errno of unshare(2).
static int try_namespaces(int flags) {
    pid_t child = fork();
    if (child == 0)
        _exit(unshare(flags) == 0 ? 0 : errno);
    if (child < 0)
        return errno;
    int status = reap_child(child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

static void check_namespaces(struct requirements *list) {
    bool root = geteuid() == 0;
    int number = try_namespaces(CLONE_NEWPID | CLONE_NEWNS | (root ? 0 : CLONE_NEWUSER));
    REQUIRE(list, number == 0, "namespaces",
            root ? "run with CAP_SYS_ADMIN, and raise user.max_pid_namespaces"
                 : "allow user namespaces (user.max_user_namespaces; on Ubuntu "
                   "kernel.apparmor_restrict_unprivileged_userns=0), or run pull as root",
            "%s %s%s", root ? "PID and mount namespaces" : "user, PID and mount namespaces",
            number == 0 ? "can be made" : "can't be made: ", number == 0 ? "" : strerror(number));
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
    AUTO_FREE char *status = procfs_read(NULL, "/proc/self/status");
    const char *set = status != NULL ? procfs_value(status, "CapEff") : NULL;
    return set != NULL ? strtoull(set, NULL, 16) : 0;
}

static void check_roots_rights(struct requirements *list) {
    const uint64_t needed = BIT(CAP_CHOWN) | BIT(CAP_DAC_OVERRIDE) | BIT(CAP_FOWNER) |
                            BIT(CAP_KILL) | BIT(CAP_SETGID) | BIT(CAP_SETUID) | BIT(CAP_SETPCAP) |
                            BIT(CAP_SYS_CHROOT) | BIT(CAP_SYS_PTRACE) | BIT(CAP_SYS_ADMIN) |
                            BIT(CAP_CHECKPOINT_RESTORE);
    const uint64_t useful = BIT(CAP_SYS_RESOURCE) | BIT(CAP_NET_ADMIN);
    char names[256];
    uint64_t held = effective_capabilities();
    if (capabilities_lacking(needed, held, names, sizeof names) > 0)
        requirements_add(list, CHECK_FAIL, "rights",
                         "give the container or service these capabilities", "root without %s",
                         names);
    else if (capabilities_lacking(useful, held, names, sizeof names) > 0)
        requirements_add(list, CHECK_WARN, "rights",
                         "only if a clone must have resource limits or socket options that its "
                         "hosts' defaults don't allow: add them",
                         "root without %s", names);
    else
        requirements_add(list, CHECK_PASS, "rights", NULL, "root, with all capabilities needed");
}

static void check_users_rights(const struct criu *criu, struct requirements *list) {
    struct failure reason;
    bool good = criu->program[0] != 0 && criu_may_image(criu, &reason) == 0;
    if (criu->program[0] == 0)
        fail(&reason, EXIT_UNABLE, "there is no CRIU to have the right");
    REQUIRE(list, good, "rights",
            "have root run `" GROUP_INSTALLER " for a group of yours, or run serve as root (pull "
            "needs no such right)",
            "user %u%s %s", (unsigned)geteuid(), good ? ", and" : ":",
            good ? "CRIU has cap_checkpoint_restore" : reason.text);
}

// Documentation/admin-guide/LSM/Yama.rst: 1 allows descendants only, 2 only CAP_SYS_PTRACE, 3
// nobody.
static void check_ptrace(struct requirements *list) {
    AUTO_FREE char *text = procfs_read(NULL, "/proc/sys/kernel/yama/ptrace_scope");
    int scope = text != NULL ? atoi(text) : 0;
    bool root = geteuid() == 0;
    REQUIRE(list, scope == 0 || (root && scope < 3), "ptrace",
            root ? "kernel.yama.ptrace_scope=3 lasts until the next boot: set less before it"
                 : "sysctl kernel.yama.ptrace_scope=0, or run serve as root",
            "kernel.yama.ptrace_scope is %d", scope);
}

// --- CRIU ---

static void check_criu(const char *wanted_criu, struct criu *criu, struct requirements *list) {
    char fix[sizeof criu->program + 64];
    struct failure reason;
    *criu = (struct criu){0};
    if (criu_find(criu, wanted_criu, &reason) < 0) {
        criu->program[0] = 0;
        requirements_add(list, CHECK_FAIL, "criu", "install CRIU >= 4.2, or run " INSTALLER, "%s",
                         reason.text);
        return;
    }
    requirements_add(list, CHECK_PASS, "criu", NULL, "%s, %s", criu->version, criu->program);
    bool good = criu_check(criu, CRIU_CHECK_MS, &reason) == 0;
    snprintf(fix, sizeof fix, "`%s check` says what is missing", criu->program);
    REQUIRE(list, good, "criu check", fix, "%s",
            good ? "the kernel has what CRIU needs" : reason.text);
}

// --- memory ---

static bool tmpfs_has_noswap(void) {
    AUTO_CLOSE int context = fsopen("tmpfs", FSOPEN_CLOEXEC);
    if (context < 0)
        return false;
    return fsconfig(context, FSCONFIG_SET_FLAG, "noswap", NULL, 0) == 0 &&
           fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0;
}

static bool has_swap(void) {
    AUTO_FREE char *swaps = procfs_read(NULL, "/proc/swaps");
    const char *second = swaps != NULL ? strchr(swaps, '\n') : NULL;
    return second != NULL && second[1] != 0;
}

static void describe_ram_disk(const struct ramdisk *disk, struct requirements *list) {
    bool held = !has_swap() || (geteuid() == 0 && tmpfs_has_noswap());
    PREFER(list, disk->detached, "RAM disk", "allow user namespaces, or run as root",
           disk->detached ? "a tmpfs of its own, mounted nowhere"
                          : "no right to mount: images go to /dev/shm");
    PREFER(list, disk->huge_pages, "huge pages",
           disk->detached ? "boot a kernel with CONFIG_TRANSPARENT_HUGEPAGE"
                          : "allow user namespaces, or run as root",
           disk->huge_pages ? "the RAM disk is made of huge pages"
                            : "none for the RAM disk: the freeze takes about twice as long");
    PREFER(list, held, "no swapping", "swapoff -a, or run as root on a kernel >= 6.4",
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
    if (ramdisk_open(&disk, SMALL_DISK, true, keeper, &reason) == 0)
        describe_ram_disk(&disk, list);
    else
        requirements_add(list, CHECK_FAIL, "RAM disk", "allow user namespaces, or run as root",
                         "%s", reason.text);
    ramdisk_close(&disk);
    keeper_finish(keeper);
    return 0;
}

static void check_memory(struct requirements *list) {
    uint64_t available = facts_memory_available(0);
    if (available == UINT64_MAX)
        return; // facts_of_host() says what can't be read
    PREFER(list, available >= LITTLE_MEMORY, "memory",
           "raise the memory cgroup's limit, or free memory",
           "%" PRIu64 " MiB available to us, memory cgroups included", available >> 20);
}

// --- the tool's own ---

static void check_leases(const char *directory, struct requirements *list) {
    struct failure reason;
    bool good = lease_directory_usable(directory, &reason) == 0;
    REQUIRE(list, good, "lease directory", LEASE_DIR_FIX, "%s",
            good ? "limits of concurrent clones can be kept" : reason.text);
}

int check_requirements(const struct options *options, struct requirements *list,
                       struct failure *failure) {
    struct criu criu;
    check_kernel(list);
    check_criu(options->criu, &criu, list);
    if (geteuid() == 0)
        check_roots_rights(list);
    else
        check_users_rights(&criu, list);
    check_ptrace(list);
    check_namespaces(list);
    check_time_namespace(list);
    if (check_ram_disk(list, failure) < 0)
        return -1;
    check_memory(list);
    check_leases(options->limits.directory, list);
    list->host = facts_of_host(criu.version, failure);
    return list->host != NULL ? 0 : -1;
}
