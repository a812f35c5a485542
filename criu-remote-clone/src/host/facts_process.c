// SPDX-License-Identifier: Apache-2.0
// Facts about a process and its descendants, read while they run.
#include <fcntl.h>
#include <linux/kcmp.h>
#include <search.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "facts_internal.h"
#include "memory.h"
#include "process_tree.h"
#include "procfs.h"
#include "scope.h"

#define PROCESSES_MAX 10000
#define LOOKS_MAX 5

// --- what is told of each process ---

uint32_t status_innermost(const char *status, const char *name) {
    const char *numbers = procfs_value(status, name);
    uint32_t last = 0;
    for (char *end; numbers != NULL; numbers = end) {
        unsigned long number = strtoul(numbers, &end, 10);
        if (end == numbers || memchr(numbers, '\n', (size_t)(end - numbers)) != NULL)
            break;
        last = (uint32_t)number;
    }
    return last;
}

static void note_ids(struct process_facts *facts, const char *status) {
    static const char *const names[] = {"NSpid", "NSpgid", "NSsid"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint32_t id = status_innermost(status, names[i]);
        if (id > facts->highest_id)
            facts->highest_id = id;
    }
}

static uint64_t number_of(const char *text, const char *name) {
    uint64_t value = 0;
    if (text != NULL)
        procfs_number(text, name, &value);
    return value;
}

// CRIU images anonymous pages, also swapped ones, and shared memory. The kernel keeps count of all
// three; but shared memory is counted each time it is mapped (by each process of the tree, and
// three times by the JVM's ZGC), so if there is any, its proportional size must come from
// smaps_rollup. Else that file is left alone: it walks the page tables of, say, a whole Java heap,
// and mmap() in the process waits (fs/proc/task_mmu.c).
static uint64_t imaged_bytes(pid_t pid, const char *status) {
    uint64_t bytes = number_of(status, "RssAnon") + number_of(status, "VmSwap");
    if (number_of(status, "RssShmem") == 0)
        return bytes;
    AUTO_FREE char *rollup = procfs_read(NULL, "/proc/%d/smaps_rollup", (int)pid);
    bytes += number_of(rollup, "Pss_Shmem");
    return bytes;
}

static void note_tracer(struct task_facts *task, pid_t tid, const char *status) {
    pid_t tracer = (pid_t)number_of(status, "TracerPid");
    if (tracer != 0 && task->tracer == 0) {
        task->tracer = tracer;
        task->traced_thread = tid;
    }
}

static void read_threads(struct process_facts *facts, struct task_facts *task) {
    AUTO_FREE pid_t *threads = NULL;
    size_t count = 0;
    char directory[64];
    snprintf(directory, sizeof directory, "/proc/%d/task", (int)task->pid);
    numbers_in(directory, &threads, &count);
    task->thread_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        AUTO_FREE char *status = procfs_read(NULL, "%s/%d/status", directory, (int)threads[i]);
        if (status == NULL)
            continue;
        note_ids(facts, status);
        note_tracer(task, threads[i], status);
        claims_of_thread(facts, threads[i], status);
    }
}

static char *command_of(pid_t pid) {
    char *command = procfs_read(NULL, "/proc/%d/comm", (int)pid);
    if (command == NULL)
        return must_copy("?");
    command[strcspn(command, "\n")] = 0;
    return command;
}

// The effective ids: the rights that a clone would have.
static void note_root(struct process_facts *facts, const char *status) {
    unsigned ids[4];
    if (procfs_ids(status, "Uid", ids))
        facts->uid = ids[1];
    if (procfs_ids(status, "Gid", ids))
        facts->gid = ids[1];
}

const char *const namespace_names[NAMESPACE_KINDS] = {
    [NAMESPACE_MNT] = "mnt",   [NAMESPACE_NET] = "net",
    [NAMESPACE_UTS] = "uts",   [NAMESPACE_IPC] = "ipc",
    [NAMESPACE_PID] = "pid",   [NAMESPACE_CGROUP] = "cgroup",
    [NAMESPACE_USER] = "user", [NAMESPACE_TIME] = "time_for_children"};

static void read_namespaces(const char *process, uint64_t namespaces[NAMESPACE_KINDS]) {
    for (size_t i = 0; i < NAMESPACE_KINDS; i++) {
        struct stat status;
        char path[64];
        snprintf(path, sizeof path, "/proc/%s/ns/%s", process, namespace_names[i]);
        namespaces[i] = stat(path, &status) == 0 ? status.st_ino : 0; // a zombie has none
    }
}

static void note_state(struct task_facts *task, bool root, const char *status) {
    pid_t parent = (pid_t)number_of(status, "PPid");
    const char *state = procfs_value(status, "State");
    char name[16];
    task->state = state != NULL ? *state : '?';
    task->session = status_innermost(status, "NSsid");
    task->huge_bytes = number_of(status, "HugetlbPages");
    task->shares_memory = !root && syscall(SYS_kcmp, task->pid, parent, KCMP_VM, 0ul, 0ul) == 0;
    snprintf(name, sizeof name, "%d", (int)task->pid);
    read_namespaces(name, task->namespaces);
}

static void read_task(struct process_facts *facts, struct task_facts *task, const char *status) {
    bool root = task == facts->tasks;
    if (root) {
        note_root(facts, status);
        identity_for_files(&facts->reader, status);
    }
    task->inner_pid = status_innermost(status, "NSpid");
    task->anonymous_bytes = imaged_bytes(task->pid, status);
    task->command = command_of(task->pid);
    note_state(task, root, status);
    read_threads(facts, task);
    claims_of_task(facts, task->pid, status);
}

// --- descriptors ---

static enum fd_kind kind_of(mode_t mode) {
    switch (mode & S_IFMT) {
    case S_IFREG:
        return FD_REGULAR;
    case S_IFDIR:
        return FD_DIRECTORY;
    case S_IFCHR:
        return FD_CHARACTER;
    case S_IFIFO:
        return FD_PIPE;
    case S_IFSOCK:
        return FD_SOCKET;
    default:
        return FD_OTHER;
    }
}

// Takes " (deleted)" off a name that /proc shows. A file may really be called so: then it is there.
static bool take_off_deleted(char *name) {
    static const char suffix[] = " (deleted)";
    size_t length = strlen(name), tail = sizeof suffix - 1;
    if (length <= tail || strcmp(name + length - tail, suffix) != 0)
        return false;
    if (name[0] == '/' && faccessat(AT_FDCWD, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return false;
    name[length - tail] = 0;
    return true;
}

// fdinfo's flags are octal, and show O_CLOEXEC with the file's own (proc(5)).
static int flags_in(const char *info) {
    const char *flags = procfs_value(info, "flags");
    return flags != NULL ? (int)strtoul(flags, NULL, 8) : 0;
}

struct mounts {
    int *ids;
    size_t count;
};

struct fd_look {
    char *target, *info;
    struct statx status;
};

static void look_free(struct fd_look *look) {
    free(look->target);
    free(look->info);
}

static bool look_once(const char *path, pid_t pid, int number, struct fd_look *look) {
    look->target = procfs_link("%s", path);
    look->info = procfs_read(NULL, "/proc/%d/fdinfo/%d", (int)pid, number);
    // Not synchronizing: a hung NFS server must not hang us.
    return look->target != NULL && look->info != NULL &&
           statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_BASIC_STATS, &look->status) == 0;
}

static bool leads_still_to(const char *path, const char *target) {
    AUTO_FREE char *now = procfs_link("%s", path);
    return now != NULL && strcmp(now, target) == 0;
}

// False if it is closed meanwhile. In between the process may open another file with the same
// number: what is read here and written there would be taken for a file that is written.
static bool look_at(const char *path, pid_t pid, int number, struct fd_look *look) {
    for (int looks = 0; looks < LOOKS_MAX; looks++) {
        bool there = look_once(path, pid, number, look);
        if (there && leads_still_to(path, look->target))
            return true;
        look_free(look);
        if (!there)
            return false;
    }
    return false; // nothing is open there for long
}

static int compare_ints(const void *left, const void *right) {
    int first = *(const int *)left, second = *(const int *)right;
    return (first > second) - (first < second);
}

static bool is_lost(const struct mounts *mounts, const char *target, const char *info) {
    uint64_t mount = 0;
    if (mounts->count == 0 || !is_file_name(target) || !procfs_number(info, "mnt_id", &mount))
        return false;
    int id = (int)mount;
    return bsearch(&id, mounts->ids, mounts->count, sizeof id, compare_ints) == NULL;
}

static pid_t process_of_pidfd(const char *target, const char *info) {
    if (strcmp(target, "anon_inode:[pidfd]") != 0)
        return 0;
    const char *pid = procfs_value(info, "Pid");
    return pid != NULL ? (pid_t)strtol(pid, NULL, 10) : -1;
}

static void read_fd(struct process_facts *facts, pid_t pid, int number,
                    const struct mounts *mounts) {
    struct fd_look look;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, number);
    if (!look_at(path, pid, number, &look))
        return;
    must_grow(&facts->fds, facts->fd_count, sizeof *facts->fds);
    const struct statx *status = &look.status;
    struct fd_facts *fd = &facts->fds[facts->fd_count++];
    *fd =
        (struct fd_facts){.fd = number,
                          .pid = pid,
                          .kind = kind_of(status->stx_mode),
                          .target = look.target,
                          .flags = flags_in(look.info),
                          .deleted = take_off_deleted(look.target),
                          .device = makedev(status->stx_dev_major, status->stx_dev_minor),
                          .inode = status->stx_ino,
                          .mode = status->stx_mode,
                          .uid = status->stx_uid,
                          .gid = status->stx_gid,
                          .device_number = makedev(status->stx_rdev_major, status->stx_rdev_minor),
                          .allocated_bytes = status->stx_blocks * 512,
                          .links = status->stx_nlink,
                          .lost_mount = is_lost(mounts, look.target, look.info),
                          .pidfd_of = process_of_pidfd(look.target, look.info)};
    claims_of_fd(facts, fd, look.info);
    free(look.info);
}

static void read_mounts(pid_t pid, struct mounts *mounts) {
    AUTO_FREE char *text = procfs_read(NULL, "/proc/%d/mountinfo", (int)pid);
    for (const char *line = text; line != NULL && *line != 0;) {
        pid_append(&mounts->ids, &mounts->count, atol(line));
        line = strchr(line, '\n');
        line += line != NULL;
    }
    if (mounts->count > 0)
        qsort(mounts->ids, mounts->count, sizeof *mounts->ids, compare_ints);
}

static void read_fds(struct process_facts *facts, pid_t pid) {
    struct mounts mounts = {0};
    AUTO_FREE pid_t *numbers = NULL;
    size_t count = 0;
    char directory[64];
    snprintf(directory, sizeof directory, "/proc/%d/fd", (int)pid);
    read_mounts(pid, &mounts);
    numbers_in(directory, &numbers, &count);
    for (size_t i = 0; i < count; i++)
        read_fd(facts, pid, numbers[i], &mounts);
    free(mounts.ids);
}

// --- mappings ---

// "START-END PERMS OFFSET DEV INODE   PATH", where \012 stands for a newline in the path.
struct map_line {
    uint64_t start, end, offset;
    char permissions[8];
    const char *path;
};

static bool parse_map_line(char *line, struct map_line *map) {
    int path = 0;
    if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %n", &map->start, &map->end, map->permissions,
               &map->offset, &path) != 4 ||
        path == 0 || line[path] == 0)
        return false;
    map->path = line + path;
    char *to = line + path;
    for (const char *from = to; *from != 0; to++) {
        bool newline = strncmp(from, "\\012", 4) == 0;
        *to = newline ? '\n' : *from;
        from += newline ? 4 : 1;
    }
    *to = 0;
    return true;
}

static void note_mapped_file(struct process_facts *facts, const struct map_line *map) {
    bool executable = map->permissions[2] == 'x';
    bool written = map->permissions[1] == 'w' && map->permissions[3] == 's';
    struct mapped_file *last =
        facts->mapped_count > 0 ? &facts->mapped[facts->mapped_count - 1] : NULL;
    // The segments of a library follow each other.
    if (last != NULL && !last->deleted && strcmp(last->path, map->path) == 0) {
        last->executable |= executable;
        last->shared_writable |= written;
        return;
    }
    char *path = must_copy(map->path);
    bool deleted = take_off_deleted(path);
    must_grow(&facts->mapped, facts->mapped_count, sizeof *facts->mapped);
    facts->mapped[facts->mapped_count++] = (struct mapped_file){
        .path = path, .executable = executable, .deleted = deleted, .shared_writable = written};
    claim_path(facts, path, written ? O_RDWR : O_RDONLY, deleted);
}

static bool is_device(const char *path) {
    struct stat status;
    return strncmp(path, "/dev/", 5) == 0 && stat(path, &status) == 0 &&
           (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
}

static void note_mapping(struct process_facts *facts, pid_t pid, const struct map_line *map) {
    uint64_t length = map->offset + map->end - map->start;
    struct mapping_facts *last =
        facts->mapping_count > 0 ? &facts->mappings[facts->mapping_count - 1] : NULL;
    if (last != NULL && last->pid == pid && strcmp(last->name, map->path) == 0) {
        last->length = length > last->length ? length : last->length;
        return;
    }
    must_grow(&facts->mappings, facts->mapping_count, sizeof *facts->mappings);
    char *name = must_copy(map->path);
    facts->mappings[facts->mapping_count++] = (struct mapping_facts){
        .pid = pid, .name = name, .length = length, .device = is_device(name)};
}

static void read_maps(struct process_facts *facts, pid_t pid) {
    AUTO_FREE char *text = procfs_read(NULL, "/proc/%d/maps", (int)pid);
    for (char *save = NULL, *line = text != NULL ? strtok_r(text, "\n", &save) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        struct map_line map;
        if (!parse_map_line(line, &map))
            continue;
        note_mapping(facts, pid, &map);
        if (is_file_name(map.path))
            note_mapped_file(facts, &map);
    }
}

static int compare_mapped(const void *left, const void *right) {
    const struct mapped_file *first = left, *second = right;
    int order = strcmp(first->path, second->path);
    return order != 0 ? order : first->deleted - second->deleted;
}

static void unite_mapped(void *kept_file, void *other_file) {
    struct mapped_file *kept = kept_file, *other = other_file;
    kept->executable |= other->executable;
    kept->shared_writable |= other->shared_writable;
    free(other->path);
}

// --- the whole ---

// Before all else: is it there, and may we look at it?
static int open_root(pid_t pid, struct process_facts *facts, struct failure *failure) {
    char fds[64];
    snprintf(fds, sizeof fds, "/proc/%d/fd", (int)pid);
    char *status = procfs_read(NULL, "/proc/%d/status", (int)pid);
    uint64_t group = number_of(status, "Tgid");
    const char *state = status != NULL ? procfs_value(status, "State") : NULL;
    bool ended = state != NULL && (*state == 'Z' || *state == 'X');
    free(status);
    if (pid <= 0 || status == NULL)
        return fail(failure, EXIT_REFUSED, "there is no process %d", (int)pid);
    if (ended)
        return fail(failure, EXIT_REFUSED, "process %d, or its first thread, has ended", (int)pid);
    if (group != (uint64_t)pid)
        return fail(failure, EXIT_REFUSED, "%d is a thread: give its process, %llu", (int)pid,
                    (unsigned long long)group);
    int listing = open(fds, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (listing < 0)
        return fail_errno(failure, EXIT_UNABLE,
                          "may not look into process %d (run as its user, or as root)", (int)pid);
    close(listing);
    facts->working_directory = procfs_link("/proc/%d/cwd", (int)pid);
    facts->executable = procfs_link("/proc/%d/exe", (int)pid);
    if (facts->working_directory != NULL && facts->executable != NULL)
        return 0;
    return fail(failure, EXIT_REFUSED, "process %d has just ended, or is the kernel's own",
                (int)pid);
}

static void read_one(struct process_facts *facts, pid_t pid, pid_t **found, size_t *found_count) {
    AUTO_FREE char *status = procfs_read(NULL, "/proc/%d/status", (int)pid);
    if (status == NULL)
        return; // ended meanwhile
    must_grow(&facts->tasks, facts->task_count, sizeof *facts->tasks);
    struct task_facts *task = &facts->tasks[facts->task_count++];
    *task = (struct task_facts){.pid = pid};
    read_task(facts, task, status);
    read_fds(facts, pid);
    read_maps(facts, pid);
    children_of(pid, false, found, found_count);
}

static int read_tree(struct process_facts *facts, struct failure *failure) {
    AUTO_FREE pid_t *found = NULL;
    size_t found_count = 0;
    pid_append(&found, &found_count, facts->root);
    for (size_t i = 0; i < found_count; i++) {
        read_one(facts, found[i], &found, &found_count);
        if (found_count > PROCESSES_MAX)
            return fail(failure, EXIT_REFUSED, "process %d has more than %d descendants",
                        (int)facts->root, PROCESSES_MAX);
    }
    if (facts->task_count == 0)
        return fail(failure, EXIT_REFUSED, "process %d has just ended", (int)facts->root);
    return 0;
}

int facts_of_process(pid_t pid, struct process_facts *facts, struct failure *failure) {
    *facts = (struct process_facts){.root = pid};
    read_namespaces("self", facts->our_namespaces);
    if (open_root(pid, facts, failure) < 0 || read_tree(facts, failure) < 0) {
        facts_free(facts);
        return -1;
    }
    read_sockets(facts);
    facts->working_directory_deleted = take_off_deleted(facts->working_directory);
    facts->mapped_count = sort_and_unite(facts->mapped, facts->mapped_count, sizeof *facts->mapped,
                                         compare_mapped, unite_mapped);
    claims_complete(facts);
    return 0;
}

uint64_t facts_imaged_bytes(const struct process_facts *facts) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < facts->task_count; i++) {
        AUTO_FREE char *status = procfs_read(NULL, "/proc/%d/status", (int)facts->tasks[i].pid);
        if (status != NULL) // else it has ended meanwhile
            bytes += imaged_bytes(facts->tasks[i].pid, status);
    }
    return bytes;
}

void facts_free(struct process_facts *facts) {
    for (size_t i = 0; i < facts->task_count; i++)
        free(facts->tasks[i].command);
    for (size_t i = 0; i < facts->fd_count; i++)
        free(facts->fds[i].target);
    for (size_t i = 0; i < facts->mapped_count; i++)
        free(facts->mapped[i].path);
    tdestroy(facts->claim_tree, free_nothing);
    for (size_t i = 0; i < facts->claim_count; i++) {
        free((void *)(uintptr_t)facts->claims[i]->text);
        free(facts->claims[i]);
    }
    for (size_t i = 0; i < facts->mapping_count; i++)
        free(facts->mappings[i].name);
    free(facts->working_directory);
    free(facts->executable);
    free(facts->fds);
    free(facts->mapped);
    free(facts->claims);
    free(facts->tasks);
    free(facts->mappings);
    free(facts->sockets);
    *facts = (struct process_facts){0};
}
