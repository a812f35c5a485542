// SPDX-License-Identifier: Apache-2.0
// Facts about this host.
#include <ctype.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "facts_internal.h"
#include "memory.h"
#include "procfs.h"
#include "scope.h"

// --- CPU flags ---

// The next flag on a line: its start and length, or NULL at the line's end.
static const char *next_flag(const char *position, size_t *length) {
    position += strspn(position, " \t");
    *length = strcspn(position, " \t\n");
    return *length > 0 ? position : NULL;
}

static bool line_has_flag(const char *line, const char *flag) {
    size_t wanted = strlen(flag), length;
    for (const char *here = line; (here = next_flag(here, &length)) != NULL; here += length)
        if (length == wanted && strncmp(here, flag, length) == 0)
            return true;
    return false;
}

// "flags" on x86, "Features" on ARM, "features" on s390: a line for each CPU.
static const char *flags_of_cpu(const char *cpuinfo) {
    static const char *const names[] = {"flags", "Features", "features"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *line = procfs_value(cpuinfo, names[i]);
        if (line != NULL)
            return line;
    }
    return NULL;
}

char **cpu_flags_in_common(const char *cpuinfo, size_t *count) {
    char **flags = NULL;
    const char *first = flags_of_cpu(cpuinfo), *flag = first != NULL ? first : "";
    size_t length;
    struct failure ignored;
    *count = 0;
    for (; (flag = next_flag(flag, &length)) != NULL; flag += length) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)length, flag);
        texts_add(&flags, count, name, &ignored);
    }
    // CPUs are mostly alike: compare whole lines before flags.
    length = first != NULL ? strcspn(first, "\n") + 1 : 0;
    for (const char *next = first; next != NULL && (next = strchr(next, '\n')) != NULL;) {
        next = flags_of_cpu(next);
        bool alike = next == NULL || strncmp(next, first, length) == 0;
        for (size_t i = 0; !alike && i < *count;)
            if (line_has_flag(next, flags[i])) {
                i++;
            } else {
                free(flags[i]);
                flags[i] = flags[--*count];
            }
    }
    if (*count > 0)
        qsort(flags, *count, sizeof *flags, compare_text_pointers);
    return flags;
}

// --- memory ---

// A field of memory.stat: "name value".
static uint64_t statistic(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && line[length] == ' ')
            return strtoull(line + length + 1, NULL, 10);
    }
    return 0;
}

// "max" (no limit) and what can't be read are UINT64_MAX.
static uint64_t cgroup_value(const char *group, const char *file) {
    AUTO_FREE char *text = procfs_read(NULL, "%s/%s", group, file);
    return text != NULL && isdigit((unsigned char)*text) ? strtoull(text, NULL, 10) : UINT64_MAX;
}

static uint64_t smaller(uint64_t left, uint64_t right) {
    return left < right ? left : right;
}

// Page cache that the kernel drops, without writing anything back, before it refuses memory.
// Active pages are not counted: taking those away slows down whoever works in that cgroup.
static uint64_t droppable_cache(const char *group, bool version_2) {
    AUTO_FREE char *text = procfs_read(NULL, "%s/memory.stat", group);
    if (text == NULL)
        return 0;
    uint64_t clean = statistic(text, version_2 ? "inactive_file" : "total_inactive_file");
    uint64_t busy = statistic(text, version_2 ? "file_dirty" : "total_dirty") +
                    statistic(text, version_2 ? "file_writeback" : "total_writeback");
    return clean > busy ? clean - busy : 0;
}

static uint64_t headroom_of(const char *group, bool version_2) {
    uint64_t limit =
        version_2 ? smaller(cgroup_value(group, "memory.max"), cgroup_value(group, "memory.high"))
                  : cgroup_value(group, "memory.limit_in_bytes");
    uint64_t used = cgroup_value(group, version_2 ? "memory.current" : "memory.usage_in_bytes");
    if (limit == UINT64_MAX || used == UINT64_MAX)
        return UINT64_MAX;
    used -= smaller(used, droppable_cache(group, version_2));
    return limit - smaller(limit, used);
}

uint64_t cgroup_headroom(const char *mount_point, const char *path, bool version_2) {
    uint64_t headroom = UINT64_MAX;
    char group[4096];
    int length = snprintf(group, sizeof group, "%s%s", mount_point, path);
    if (length < 0 || (size_t)length >= sizeof group)
        return headroom;
    for (;;) {
        headroom = smaller(headroom, headroom_of(group, version_2));
        char *last = strrchr(group + strlen(mount_point), '/');
        if (last == NULL)
            return headroom;
        *last = 0;
    }
}

// One line of /proc/self/mountinfo (proc(5)): "36 35 98:0 ROOT POINT options... - TYPE source
// SUPER".
struct cgroup_mount {
    char root[2048], point[2048];
    bool version_2;
};

static bool is_memory_mount(const char *line, struct cgroup_mount *mount) {
    char type[32], super[512];
    const char *rest = strstr(line, " - ");
    if (rest == NULL || sscanf(line, "%*d %*d %*s %2047s %2047s", mount->root, mount->point) != 2 ||
        sscanf(rest, " - %31s %*s %511s", type, super) != 2)
        return false;
    mount->version_2 = strcmp(type, "cgroup2") == 0;
    if (mount->version_2)
        return true;
    if (strcmp(type, "cgroup") != 0)
        return false;
    for (char *save = NULL, *option = strtok_r(super, ",", &save); option != NULL;
         option = strtok_r(NULL, ",", &save))
        if (strcmp(option, "memory") == 0)
            return true;
    return false;
}

// The process's path in the memory hierarchy, from /proc/PID/cgroup ("4:memory:/a/b", "0::/a/b").
static bool memory_group(const char *cgroups, bool version_2, char path[2048]) {
    for (const char *line = cgroups; line != NULL && *line != 0;) {
        char controllers[512] = "";
        int start = 0;
        bool second = sscanf(line, "0::%n", &start) == 0 && start > 0;
        if (!second && sscanf(line, "%*d:%511[^:\n]:%n", controllers, &start) != 1)
            start = 0;
        bool memory = false;
        for (char *save = NULL, *name = strtok_r(controllers, ",", &save); name != NULL;
             name = strtok_r(NULL, ",", &save))
            memory |= strcmp(name, "memory") == 0;
        if (start > 0 && (version_2 ? second : memory))
            return sscanf(line + start, "%2047[^\n]", path) == 1;
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return false;
}

static uint64_t headroom_below(const struct cgroup_mount *mount, const char *cgroups) {
    char path[2048];
    if (!memory_group(cgroups, mount->version_2, path))
        return UINT64_MAX;
    const char *below = path;
    size_t root = strcmp(mount->root, "/") == 0 ? 0 : strlen(mount->root);
    if (strncmp(path, mount->root, root) == 0 && (path[root] == '/' || path[root] == 0))
        below += root;
    else if (root > 0)
        below = ""; // the group is out of sight; all we know is what is mounted
    return cgroup_headroom(mount->point, strcmp(below, "/") == 0 ? "" : below, mount->version_2);
}

uint64_t facts_memory_of_host(void) {
    AUTO_FREE char *meminfo = procfs_read(NULL, "/proc/meminfo");
    uint64_t available = UINT64_MAX;
    if (meminfo != NULL)
        procfs_number(meminfo, "MemAvailable", &available);
    return available;
}

uint64_t facts_memory_available(pid_t pid) {
    AUTO_FREE char *mounts = procfs_read(NULL, "/proc/self/mountinfo");
    AUTO_FREE char *cgroups = pid != 0 ? procfs_read(NULL, "/proc/%d/cgroup", (int)pid)
                                       : procfs_read(NULL, "/proc/self/cgroup");
    uint64_t available = facts_memory_of_host();
    for (char *save = NULL, *line = mounts != NULL ? strtok_r(mounts, "\n", &save) : NULL;
         line != NULL && cgroups != NULL; line = strtok_r(NULL, "\n", &save)) {
        struct cgroup_mount mount;
        if (is_memory_mount(line, &mount))
            available = smaller(available, headroom_below(&mount, cgroups));
    }
    return available;
}

// --- the host ---

uint32_t facts_pid_max(void) {
    AUTO_FREE char *text = procfs_read(NULL, "/proc/sys/kernel/pid_max");
    return text != NULL ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

static bool set_cpu_flags(CloneWire__HostFacts *facts) {
    AUTO_FREE char *cpuinfo = procfs_read(NULL, "/proc/cpuinfo");
    if (cpuinfo != NULL)
        facts->cpu_flag = cpu_flags_in_common(cpuinfo, &facts->n_cpu_flag);
    return cpuinfo != NULL;
}

CloneWire__HostFacts *facts_of_host(const char *criu_version, struct failure *failure) {
    struct utsname system;
    char host_name[256] = "";
    CloneWire__HostFacts *facts = malloc(sizeof *facts);
    if (facts == NULL)
        return NULL_WITH(out_of_memory(failure));
    clone_wire__host_facts__init(facts);
    uname(&system);
    gethostname(host_name, sizeof host_name - 1);
    facts->criu_version = strdup(criu_version);
    facts->kernel_release = strdup(system.release);
    facts->architecture = strdup(system.machine);
    facts->host_name = strdup(host_name);
    facts->page_size = (uint64_t)sysconf(_SC_PAGESIZE);
    facts->memory_available = facts_memory_available(0);
    facts->has_memory_available = facts->memory_available != UINT64_MAX;
    if (set_cpu_flags(facts) && facts->criu_version && facts->kernel_release &&
        facts->architecture && facts->host_name)
        return facts;
    fail(failure, EXIT_UNABLE, "can't read this host's facts: is /proc mounted?");
    protobuf_c_message_free_unpacked(&facts->base, NULL);
    return NULL;
}
