// SPDX-License-Identifier: Apache-2.0
// A slot file that is locked is a clone under way; its text says what it holds. All slots are
// looked at and changed under one lock of the directory.
#include "lease.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "deadline.h"
#include "descriptors.h"
#include "facts.h"
#include "memory.h"

#define SLOTS 64
#define FIRST_PAUSE_MS 2
#define LONGEST_PAUSE_MS 50
#define RESIZE_WAIT_MS 5000

struct lease {
    struct lease_limits limits;
    int directory_fd;
    int lock_fd; // the directory's lock file: held while slots are looked at and changed
    int slot_fd; // held for as long as the lease
    uint64_t ram_bytes;
    time_t started;
};

// --- the directory ---

static void default_directory(char path[PATH_MAX]) {
    if (geteuid() == 0)
        snprintf(path, PATH_MAX, "/run/criu-remote-clone");
    else
        snprintf(path, PATH_MAX, "/tmp/criu-remote-clone-%u", (unsigned)geteuid());
}

// In /tmp anybody may have been there first: only our own directory, or one that root made, will
// do.
static int open_directory(const char *wanted, struct failure *failure) {
    char path[PATH_MAX];
    if (wanted != NULL)
        snprintf(path, sizeof path, "%s", wanted);
    else
        default_directory(path);
    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        return fail_errno(failure, EXIT_UNABLE,
                          "can't make the lease directory %s (" LEASE_DIR_FIX ")", path);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return fail_errno(failure, EXIT_UNABLE,
                          "can't open the lease directory %s (" LEASE_DIR_FIX ")", path);
    struct stat status;
    if (fstat(fd, &status) == 0 && (status.st_uid == geteuid() || status.st_uid == 0))
        return fd;
    close(fd);
    return fail(failure, EXIT_UNABLE,
                "the lease directory %s belongs to another user (" LEASE_DIR_FIX ")", path);
}

// Opened without O_CREAT first: in a sticky directory the kernel refuses O_CREAT for a file of
// somebody else's (proc(5): protected_regular).
static int open_file(int directory, const char *name, bool create) {
    const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    int fd = openat(directory, name, flags);
    if (fd >= 0 || errno != ENOENT || !create)
        return fd;
    struct stat status;
    if (fstat(directory, &status) < 0)
        return -1;
    fd = openat(directory, name, flags | O_CREAT | O_EXCL, 0600);
    if (fd < 0)
        return errno == EEXIST ? openat(directory, name, flags) : -1;
    // Who may make slots may use them; umask has no say in that.
    if (fchmod(fd, status.st_mode & 0666) == 0)
        return fd;
    close(fd);
    return -1;
}

// fcntl(2): "open file description locks", which belong to the descriptor, not to the process.
static int lock_now(int fd) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_SETLK, &lock);
}

static void unlock(int fd) {
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    fcntl(fd, F_OFD_SETLK, &lock);
}

static bool is_held(int fd) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

// --- waiting ---

// A lock that is given back tells nobody, so we look again, ever less often. Returns -1 when the
// time is up (EXIT_BUSY with the reason) or `cancel_fd` is readable.
static int pause_for(int *milliseconds, int cancel_fd, int64_t deadline_ns, const char *reason,
                     struct failure *failure) {
    int left = deadline_poll_ms(deadline_ns);
    if (left == 0)
        return fail(failure, EXIT_BUSY, "%s", reason);
    struct pollfd cancel = {.fd = cancel_fd, .events = POLLIN};
    if (poll(&cancel, 1, left < *milliseconds ? left : *milliseconds) > 0)
        return fail(failure, EXIT_INTERRUPTED, "interrupted while waiting for other clones");
    *milliseconds = *milliseconds * 2 > LONGEST_PAUSE_MS ? LONGEST_PAUSE_MS : *milliseconds * 2;
    return 0;
}

static int lock_directory(struct lease *lease, int cancel_fd, int64_t deadline_ns,
                          struct failure *failure) {
    int milliseconds = FIRST_PAUSE_MS;
    while (lock_now(lease->lock_fd) < 0) {
        if (errno != EAGAIN && errno != EACCES)
            return fail_errno(failure, EXIT_UNABLE, "can't lock in the lease directory");
        // It is held for microseconds, unless its holder is stopped.
        if (pause_for(&milliseconds, cancel_fd, deadline_ns,
                      "another criu-remote-clone holds the lease directory's lock and doesn't "
                      "give it back (is it stopped?)",
                      failure) < 0)
            return -1;
    }
    return 0;
}

// --- slots ---

static void slot_name(unsigned slot, char name[16]) {
    snprintf(name, 16, "slot-%02u", slot);
}

struct usage {
    unsigned leases, sending;
    uint64_t ram_bytes;
    int free_slot; // -1: none
};

static void add_usage(struct usage *usage, int fd) {
    char text[256] = "";
    ssize_t length = pread(fd, text, sizeof text - 1, 0);
    const char *bytes = length > 0 ? strstr(text, "\nbytes ") : NULL;
    uint64_t held = bytes != NULL ? strtoull(bytes + 7, NULL, 10) : 0;
    usage->leases++;
    usage->sending += length > 0 && strstr(text, "\nsending yes") != NULL;
    usage->ram_bytes = usage->ram_bytes > UINT64_MAX - held ? UINT64_MAX : usage->ram_bytes + held;
}

// What others hold: only slots that are locked count, whatever a dead holder left in the file.
static struct usage usage_of_others(const struct lease *lease) {
    struct usage usage = {.free_slot = -1};
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        char name[16];
        slot_name(slot, name);
        int fd = open_file(lease->directory_fd, name, false);
        // Our own is held by our descriptor, which this new one can't be.
        struct stat theirs, ours;
        bool is_ours = fd >= 0 && lease->slot_fd >= 0 && fstat(fd, &theirs) == 0 &&
                       fstat(lease->slot_fd, &ours) == 0 && theirs.st_ino == ours.st_ino;
        if (fd >= 0 && !is_ours && is_held(fd))
            add_usage(&usage, fd);
        else if (!is_ours && usage.free_slot < 0 && (fd >= 0 || errno == ENOENT))
            usage.free_slot = (int)slot;
        close_fd(fd);
    }
    return usage;
}

static int record(const struct lease *lease, uint64_t ram_bytes, struct failure *failure) {
    char text[256], started[32];
    struct tm moment;
    gmtime_r(&lease->started, &moment);
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", &moment);
    int length = snprintf(text, sizeof text, "pid %d\nbytes %" PRIu64 "\nsending %s\nsince %s\n",
                          (int)getpid(), ram_bytes, lease->limits.sending ? "yes" : "no", started);
    if (pwrite(lease->slot_fd, text, (size_t)length, 0) == length &&
        ftruncate(lease->slot_fd, length) == 0)
        return 0;
    return fail_errno(failure, EXIT_UNABLE, "can't write to the lease directory");
}

static uint64_t ram_limit(const struct lease_limits *limits) {
    if (limits->ram_bytes != 0)
        return limits->ram_bytes;
    uint64_t available = facts_memory_of_host();
    return available == UINT64_MAX ? UINT64_MAX : available / 2; // of what isn't known: no limit
}

// Whether the bytes fit beside what others hold; if not, `reason` says why. The memory cgroup is
// looked at apart: others' bytes are charged to others' cgroups, and what we hold already to ours.
static bool fits(const struct lease *lease, uint64_t others_bytes, uint64_t ram_bytes,
                 char reason[256]) {
    uint64_t limit = ram_limit(&lease->limits), available = facts_memory_available(0);
    if (others_bytes > limit || ram_bytes > limit - others_bytes)
        snprintf(reason, 256,
                 "this clone needs %" PRIu64 " MiB, and others hold %" PRIu64 " of the %" PRIu64
                 " MiB that clones may use on this host: raise the limit, or free memory",
                 ram_bytes >> 20, others_bytes >> 20, limit >> 20);
    else if (ram_bytes - lease->ram_bytes > available)
        snprintf(reason, 256,
                 "this clone needs %" PRIu64 " MiB, and %" PRIu64 " MiB are available (its memory "
                 "cgroup included): raise the cgroup's limit, or free memory",
                 ram_bytes >> 20, available >> 20);
    else
        return true;
    return false;
}

// With the directory locked. 1: taken; 0: wait, for `reason`; -1.
static int try_slot(struct lease *lease, uint64_t ram_bytes, char reason[256],
                    struct failure *failure) {
    struct usage usage = usage_of_others(lease);
    if (!fits(lease, usage.ram_bytes, ram_bytes, reason))
        return usage.leases > 0 ? 0 : fail(failure, EXIT_SPACE, "%s", reason);
    snprintf(reason, 256, "clones under way on this host: %u, and %u are allowed at a time",
             usage.leases, lease->limits.clones);
    if (usage.leases >= lease->limits.clones || usage.free_slot < 0)
        return 0;
    char name[16];
    slot_name((unsigned)usage.free_slot, name);
    lease->slot_fd = open_file(lease->directory_fd, name, true);
    if (lease->slot_fd < 0 || lock_now(lease->slot_fd) < 0)
        return fail_errno(failure, EXIT_UNABLE, "can't take %s in the lease directory", name);
    return record(lease, ram_bytes, failure) < 0 ? -1 : 1;
}

static int wait_for_slot(struct lease *lease, uint64_t ram_bytes, int cancel_fd,
                         int64_t deadline_ns, struct failure *failure) {
    int milliseconds = FIRST_PAUSE_MS;
    for (;;) {
        char reason[256];
        if (lock_directory(lease, cancel_fd, deadline_ns, failure) < 0)
            return -1;
        int taken = try_slot(lease, ram_bytes, reason, failure);
        unlock(lease->lock_fd);
        if (taken != 0)
            return taken < 0 ? -1 : 0;
        if (pause_for(&milliseconds, cancel_fd, deadline_ns, reason, failure) < 0)
            return -1;
    }
}

static struct lease *open_lease(const struct lease_limits *limits, struct failure *failure) {
    struct lease *lease = allocate(sizeof *lease, failure);
    if (lease == NULL)
        return NULL;
    *lease = (struct lease){.limits = *limits, .lock_fd = -1, .slot_fd = -1, .started = time(NULL)};
    lease->directory_fd = open_directory(limits->directory, failure);
    if (lease->directory_fd >= 0) {
        lease->lock_fd = open_file(lease->directory_fd, "lock", true);
        if (lease->lock_fd >= 0)
            return lease;
        fail_errno(failure, EXIT_UNABLE, "can't open the lock file in the lease directory");
    }
    lease_release(lease);
    return NULL;
}

struct lease *lease_acquire(const struct lease_limits *limits, uint64_t ram_bytes, int cancel_fd,
                            int64_t deadline_ns, struct failure *failure) {
    struct lease *lease = open_lease(limits, failure);
    if (lease == NULL)
        return NULL;
    if (wait_for_slot(lease, ram_bytes, cancel_fd, deadline_ns, failure) < 0) {
        lease_release(lease);
        return NULL;
    }
    lease->ram_bytes = ram_bytes;
    return lease;
}

int lease_resize(struct lease *lease, uint64_t ram_bytes, struct failure *failure) {
    char reason[256];
    if (lock_directory(lease, -1, deadline_in_ms(RESIZE_WAIT_MS), failure) < 0)
        return -1;
    int result = 0;
    if (ram_bytes > lease->ram_bytes &&
        !fits(lease, usage_of_others(lease).ram_bytes, ram_bytes, reason))
        result = fail(failure, EXIT_SPACE, "%s", reason);
    if (result == 0)
        result = record(lease, ram_bytes, failure);
    if (result == 0)
        lease->ram_bytes = ram_bytes;
    unlock(lease->lock_fd);
    return result;
}

uint64_t lease_bandwidth(void *context) {
    const struct lease *lease = context;
    if (lease->limits.bytes_per_second == 0)
        return 0;
    uint64_t share = lease->limits.bytes_per_second / (usage_of_others(lease).sending + 1);
    return share > 0 ? share : 1; // 0 would mean: unlimited
}

int lease_directory_usable(const char *directory, struct failure *failure) {
    struct lease_limits limits = {.directory = directory};
    struct lease *lease = open_lease(&limits, failure);
    if (lease == NULL)
        return -1;
    lease_release(lease);
    return 0;
}

void lease_release(struct lease *lease) {
    if (lease == NULL)
        return;
    // Closing would do, but for a child that has inherited the descriptor between its fork and
    // exec.
    if (lease->slot_fd >= 0) {
        unlock(lease->slot_fd);
        close(lease->slot_fd);
    }
    close_fd(lease->lock_fd);
    close_fd(lease->directory_fd);
    free(lease);
}
