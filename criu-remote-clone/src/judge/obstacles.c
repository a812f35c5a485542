// SPDX-License-Identifier: Apache-2.0
// Each was tried with CRIU; docs/internals/requirements.md has what was seen.
#include "obstacles.h"
#include "memory.h"
#include "procfs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define GHOST_LARGEST (64ull << 20) // --ghost-limit in criu.c
#define OBSTACLES_MAX 64            // nobody reads more

struct looking {
    const struct process_facts *facts;
    struct obstacles *found;
};

static void add(struct looking *looking, bool hook_may_fix, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add(struct looking *looking, bool hook_may_fix, const char *format, ...) {
    struct obstacles *found = looking->found;
    char text[1024];
    FORMAT_INTO(text, format);
    for (size_t i = 0; i < found->count; i++)
        if (strcmp(found->list[i].text, text) == 0)
            return;
    if (found->count == OBSTACLES_MAX)
        return;
    must_grow(&found->list, found->count, sizeof *found->list);
    found->list[found->count++] =
        (struct obstacle){.hook_may_fix = hook_may_fix, .text = must_copy(text)};
}

// --- processes and threads ---

static bool differ(uint64_t left, uint64_t right) {
    return left != 0 && right != 0 && left != right;
}

// CRIU enters the root's other namespaces, but can't be in another PID or user namespace than we
// are. In another mount namespace its loader, its libraries and its script would be what lies
// there, run with our rights.
static void look_at_root_namespaces(struct looking *looking) {
    const struct process_facts *facts = looking->facts;
    const struct task_facts *task = &facts->tasks[0];
    const uint64_t *theirs = task->namespaces, *ours = facts->our_namespaces;
    int root = (int)facts->root;
    if (facts->tasks[0].inner_pid == 1)
        add(looking, false,
            "process %d is process 1 of its PID namespace, and a clone has an init of its own: "
            "start the program below an init (docker run --init, tini)",
            root);
    else if (differ(theirs[NAMESPACE_PID], ours[NAMESPACE_PID]))
        add(looking, false,
            "process %d lives in another PID namespace: run serve inside it (nsenter -t %d -p -m "
            "...)",
            root, root);
    else if (task->session == 0)
        add(looking, false,
            "the session of process %d began outside of this PID namespace, and CRIU can't name "
            "it in an image: start the program by setsid(1)",
            root);
    else if (differ(theirs[NAMESPACE_MNT], ours[NAMESPACE_MNT]))
        add(looking, false,
            "process %d lives in a mount namespace of its own, and CRIU would run what lies "
            "there: run serve inside it (nsenter -t %d -m ...), if you trust it",
            root, root);
    else if (differ(theirs[NAMESPACE_USER], ours[NAMESPACE_USER]))
        add(looking, false,
            "process %d lives in a user namespace of its own, which we can't image: start it "
            "without one",
            root);
}

static void look_at_namespaces(struct looking *looking, size_t index) {
    const struct process_facts *facts = looking->facts;
    for (size_t i = 0; i < NAMESPACE_KINDS; i++)
        if (differ(facts->tasks[index].namespaces[i], facts->tasks[0].namespaces[i])) {
            add(looking, true,
                "process %d (%s) lives in another %s namespace than process %d: end it before "
                "the clone, or don't unshare",
                (int)facts->tasks[index].pid, facts->tasks[index].command, namespace_names[i],
                (int)facts->root);
            return;
        }
}

static void look_at_state(struct looking *looking, size_t index) {
    const struct task_facts *task = &looking->facts->tasks[index];
    int pid = (int)looking->facts->tasks[index].pid;
    if (task->huge_bytes > 0)
        add(looking, false,
            "process %d uses %llu MiB of hugetlb pages, which CRIU doesn't image: use transparent "
            "huge pages (for Java -XX:+UseTransparentHugePages)",
            pid, (unsigned long long)task->huge_bytes >> 20);
    if (task->tracer != 0)
        add(looking, true, "process %d (thread %d) is traced by process %d: detach the debugger",
            pid, (int)task->traced_thread, (int)task->tracer);
    if (task->state == 'Z' && looking->facts->tasks[index].thread_count > 1)
        add(looking, false,
            "the first thread of process %d has ended while others run, which CRIU can't image: "
            "let it wait for them instead",
            pid);
    else if (task->state == 'T')
        add(looking, true, "process %d is stopped: continue it (kill -CONT)", pid);
    else if (task->shares_memory)
        add(looking, true,
            "process %d shares its memory with its parent (vfork or CLONE_VM): wait until it has "
            "executed its program",
            pid);
}

// --- descriptors ---

static bool begins(const char *text, const char *beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static void look_at_character_device(struct looking *looking, const struct fd_facts *fd) {
    enum { MEMORY_DEVICES = 1 };                          // Documentation/admin-guide/devices.txt
    static const unsigned everywhere[] = {3, 5, 7, 8, 9}; // null, zero, full, random, urandom
    unsigned number = major(fd->device_number);
    for (size_t i = 0; i < sizeof everywhere / sizeof everywhere[0]; i++)
        if (number == MEMORY_DEVICES && minor(fd->device_number) == everywhere[i])
            return;
    // pts, tty, console: only CRIU's own terminal could stand in for them, and pull has none.
    if (number == 5 || (number >= 136 && number <= 143) || number == 4)
        add(looking, true,
            "process %d has the terminal %s open (descriptor %d), which the target doesn't have: "
            "run it with </dev/null >FILE 2>&1",
            (int)fd->pid, fd->target, fd->fd);
    else
        add(looking, true,
            "process %d has the device %s open (descriptor %d): close it before the clone",
            (int)fd->pid, fd->target, fd->fd);
}

static void look_at_anonymous_inode(struct looking *looking, const struct fd_facts *fd) {
    static const char *const known[] = {"anon_inode:[eventfd]",  "anon_inode:[eventpoll]",
                                        "anon_inode:inotify",    "anon_inode:[fanotify]",
                                        "anon_inode:[signalfd]", "anon_inode:[timerfd]",
                                        "anon_inode:[pidfd]",    NULL};
    if (!is_one_of(fd->target, known))
        add(looking, true,
            "process %d holds descriptor %d (%s), which CRIU can't carry over: close it before "
            "the clone",
            (int)fd->pid, fd->fd, fd->target);
}

static void look_at_deleted_file(struct looking *looking, const struct fd_facts *fd) {
    if (fd->kind == FD_REGULAR && fd->links > 0)
        add(looking, true,
            "process %d has %s open (descriptor %d), whose name was deleted but which has another "
            "(a hard link): close it before the clone",
            (int)fd->pid, fd->target, fd->fd);
    else if (fd->allocated_bytes > GHOST_LARGEST)
        add(looking, true,
            "process %d has the deleted file %s of %llu MiB open (descriptor %d); up to %llu MiB "
            "are carried over: close it before the clone",
            (int)fd->pid, fd->target, (unsigned long long)fd->allocated_bytes >> 20, fd->fd,
            GHOST_LARGEST >> 20);
}

static bool is_repeated(const struct process_facts *facts, const struct fd_facts *fd) {
    for (const struct fd_facts *other = facts->fds; other < fd; other++)
        if (other->inode == fd->inode && other->device == fd->device && other->flags == fd->flags &&
            strcmp(other->target, fd->target) == 0)
            return true;
    return false;
}

// The clone's end of such a pipe leads nowhere: reading is an end of file, which programs expect;
// writing is SIGPIPE, which ends most.
static void look_at_pipe(struct looking *looking, const struct fd_facts *fd) {
    const struct process_facts *facts = looking->facts;
    if ((fd->flags & O_DIRECT) != 0) {
        add(looking, true,
            "process %d holds a pipe in packet mode (descriptor %d, O_DIRECT), which CRIU can't "
            "carry over: close it before the clone",
            (int)fd->pid, fd->fd);
        return;
    }
    if (!begins(fd->target, "pipe:") || (fd->flags & O_ACCMODE) != O_WRONLY)
        return;
    for (size_t i = 0; i < facts->fd_count; i++)
        if (facts->fds[i].kind == FD_PIPE && facts->fds[i].inode == fd->inode &&
            facts->fds[i].device == fd->device && (facts->fds[i].flags & O_ACCMODE) != O_WRONLY)
            return;
    add(looking, true,
        "process %d writes to a pipe (descriptor %d) that a process outside its tree reads; the "
        "clone would get SIGPIPE: write to a file instead",
        (int)fd->pid, fd->fd);
}

static void look_at_pidfd(struct looking *looking, const struct fd_facts *fd) {
    const struct process_facts *facts = looking->facts;
    if (fd->pidfd_of <= 0)
        return; // a process that has ended, which CRIU can make again
    for (size_t i = 0; i < facts->task_count; i++)
        if (facts->tasks[i].pid == fd->pidfd_of)
            return;
    add(looking, true,
        "process %d holds a pidfd (descriptor %d) of process %d outside its tree: close it before "
        "the clone",
        (int)fd->pid, fd->fd, (int)fd->pidfd_of);
}

static void look_at_what_it_is(struct looking *looking, const struct fd_facts *fd) {
    if (fd->kind == FD_CHARACTER)
        look_at_character_device(looking, fd);
    else if (S_ISBLK(fd->mode))
        add(looking, true,
            "process %d has the device %s open (descriptor %d): close it before the clone",
            (int)fd->pid, fd->target, fd->fd);
    else if (fd->kind == FD_PIPE)
        look_at_pipe(looking, fd);
    else if ((fd->kind == FD_REGULAR || fd->kind == FD_DIRECTORY) && fd->deleted &&
             is_file_name(fd->target))
        look_at_deleted_file(looking, fd);
}

// A terminal is mostly open three times; once is enough to say so.
static void look_at_fd(struct looking *looking, const struct fd_facts *fd) {
    if (begins(fd->target, "anon_inode:")) {
        look_at_anonymous_inode(looking, fd);
        look_at_pidfd(looking, fd);
        return;
    }
    if (is_repeated(looking->facts, fd))
        return;
    size_t before = looking->found->count;
    look_at_what_it_is(looking, fd);
    // CRIU looks for a file's mount among those of the process's namespace: one that was unmounted
    // lazily, or is of another namespace, isn't there (criu/files-reg.c).
    if (looking->found->count == before && fd->lost_mount && fd->kind != FD_SOCKET &&
        fd->kind != FD_PIPE)
        add(looking, true,
            "process %d has %s open (descriptor %d), on a file system that was unmounted or is of "
            "another mount namespace: close it before the clone",
            (int)fd->pid, fd->target, fd->fd);
}

// --- sockets ---

// criu/sockets.c and criu/sk-inet.c; with --tcp-close, connected TCP sockets come back closed.
static void look_at_socket(struct looking *looking, const struct socket_facts *socket) {
    static const char *const known[] = {
        "",      "TCP",  "TCPv6",  "UDP",  "UDPv6",       "UDP-Lite", "UDPLITEv6", "RAW",
        "RAWv6", "PING", "PINGv6", "UNIX", "UNIX-STREAM", "NETLINK",  "PACKET",    NULL};
    const struct fd_facts *fd = &looking->facts->fds[socket->fd];
    bool is_unix = begins(socket->protocol, "UNIX");
    if (!is_one_of(socket->protocol, known))
        add(looking, true,
            "process %d has a socket of the kind %s open (descriptor %d), which CRIU doesn't "
            "know: close it before the clone",
            (int)fd->pid, socket->protocol, fd->fd);
    else if (socket->listens)
        add(looking, true,
            "process %d listens on %s %s (descriptor %d), and its clone would listen there on the "
            "target: close it before the clone",
            (int)fd->pid, is_unix ? "the unix socket" : "TCP", socket->address, fd->fd);
    else if (socket->elsewhere)
        add(looking, true,
            "process %d has a UDP socket at %s (descriptor %d), an address that the target "
            "doesn't have: close it before the clone",
            (int)fd->pid, socket->address, fd->fd);
    else if (socket->outside)
        add(looking, true,
            "process %d is connected to a process outside its tree by a unix socket (descriptor "
            "%d): close it before the clone",
            (int)fd->pid, fd->fd);
}

// --- mappings ---

static void look_at_mapping(struct looking *looking, const struct mapping_facts *mapping) {
    static const char suffix[] = " (deleted)";
    const char *name = mapping->name;
    int pid = (int)mapping->pid;
    size_t length = strlen(name), tail = sizeof suffix - 1;
    bool deleted = length > tail && strcmp(name + length - tail, suffix) == 0;
    if (begins(name, "/anon_hugepage"))
        add(looking, false,
            "process %d has hugetlb pages mapped, which CRIU doesn't image: use transparent huge "
            "pages (for Java -XX:+UseTransparentHugePages)",
            pid);
    else if (begins(name, "/SYSV"))
        add(looking, false,
            "process %d uses System V shared memory, which CRIU images only with a whole IPC "
            "namespace: use mmap or POSIX shared memory",
            pid);
    else if (begins(name, "/secretmem"))
        add(looking, false, "process %d uses memfd_secret memory, which nothing can image", pid);
    else if (strcmp(name, "[uprobes]") == 0)
        add(looking, false, "process %d has user-space probes (uprobes): remove them", pid);
    else if (strstr(name, "/hsperfdata_") != NULL)
        add(looking, false,
            "the JVM in process %d publishes its counters in the shared file %s, which the clone "
            "would not have: start it with -XX:-UsePerfData",
            pid, name);
    else if (begins(name, "anon_inode:") ||
             (mapping->device && !begins(name, "/dev/zero") && !begins(name, "/dev/shm/")))
        add(looking, false, "process %d has %s mapped, which CRIU can't image: unmap it", pid,
            name);
    else if (deleted && is_file_name(name) && mapping->length > GHOST_LARGEST)
        add(looking, false,
            "process %d has the file %s mapped, of which up to %llu MiB are carried over: restart "
            "it after an upgrade",
            pid, name, GHOST_LARGEST >> 20);
}

// --- what no target takes ---

static bool may_open_anything(void *context, const char *path, int flags) {
    (void)context;
    (void)path;
    (void)flags;
    return true;
}

// As if the process's own user pulled, and might do whatever anybody may.
bool obstacles_taken_by_some(const struct process_facts *process, const struct claim *claim,
                             policy_may_open *may_open, void *context,
                             struct policy_reason *reason) {
    gid_t group = claim->kind == CLAIM_MEMFD ? (gid_t)claim->numbers[1] : process->gid;
    const struct policy policy = {.uid = process->uid,
                                  .gid = process->gid,
                                  .groups = &group,
                                  .group_count = 1,
                                  .groups_replaced = true,
                                  .may_open = may_open != NULL ? may_open : may_open_anything,
                                  .context = context};
    struct policy_caller caller = {.capabilities = UINT64_MAX, .only_users_groups = true};
    if (claim->kind == CLAIM_LABEL)
        snprintf(caller.label, sizeof caller.label, "%s", claim->text);
    for (size_t i = 0; i < RLIM_NLIMITS; i++)
        caller.limits[i] = UINT64_MAX;
    return policy_allows(&policy, &caller, claim, reason);
}

// --- the whole ---

static void look(struct looking *looking) {
    const struct process_facts *facts = looking->facts;
    look_at_root_namespaces(looking);
    for (size_t i = 0; i < facts->task_count; i++) {
        look_at_state(looking, i);
        look_at_namespaces(looking, i);
    }
    for (size_t i = 0; i < facts->fd_count; i++)
        look_at_fd(looking, &facts->fds[i]);
    for (size_t i = 0; i < facts->mapping_count; i++)
        look_at_mapping(looking, &facts->mappings[i]);
    // CRIU makes such a directory again, but only where its parent is, which nobody checks.
    if (facts->working_directory_deleted)
        add(looking, true,
            "process %d works in the directory %s, which was deleted: let it change to another",
            (int)facts->root, facts->working_directory);
    for (size_t i = 0; i < facts->socket_count; i++)
        look_at_socket(looking, &facts->sockets[i]);
}

void obstacles_of(const struct process_facts *process, policy_may_open *may_open, void *context,
                  struct obstacles *obstacles) {
    *obstacles = (struct obstacles){0};
    struct looking looking = {.facts = process, .found = obstacles};
    look(&looking);
    for (size_t i = 0; i < process->claim_count; i++) {
        const struct claim *claim = process->claims[i];
        struct policy_reason reason = {.text = ""};
        if (!obstacles_taken_by_some(process, claim, may_open, context, &reason))
            add(&looking, claim_hook_may_fix(claim->kind), "%s", reason.text);
    }
}

void obstacles_clear(struct obstacles *obstacles) {
    for (size_t i = 0; i < obstacles->count; i++)
        free(obstacles->list[i].text);
    free(obstacles->list);
    *obstacles = (struct obstacles){0};
}
