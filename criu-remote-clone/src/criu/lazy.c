#include "lazy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "deadline.h"
#include "fault.h"
#include "streamer.h"

#define SOCKET_NAME "lazy-pages.socket" // CRIU's name for it
#define DAEMON_DIRECTORY "daemon"       // where the daemon listens: the name above is ours
#define RESERVE_NAME "reserve"
#define DESCRIPTORS_MAX 16 // that one message brings
#define MESSAGE_MAX 256
#define RESTORE_FINISHED 0x52535446 // what CRIU says last
#define PROBE_MS 2000               // of the kernel: usually 50; without us it then ends by itself
#define LAST_WORDS_MS 1000

struct lazy {
    int dir;
    char path[sizeof((struct ramdisk *)0)->path];
    char (*names)[STREAMER_NAME_MAX + 1]; // of what we stored
    size_t name_count;
    bool reserved;
    struct criu_check *check; // NULL: it is over
    int file;                 // the memory image being written; -1: none
    uint64_t left;

    int listener, criu, daemon; // where CRIU comes, CRIU, the daemon
    int *faults;                // the processes' userfaultfds, kept as long as pages are missing
    size_t fault_count;
    struct criu_pages *pages;
    struct keeper *keeper;
    int entry; // the keeper's, for the daemon
    int clone; // pidfd

    pthread_t warden;
    bool warden_runs;
    int stop, met, done; // eventfds
    pthread_mutex_t lock;
    bool running; // the clone was let run
    bool failed, killed;
    struct failure failure;
    int64_t done_ns;
};

// --- can it be done here? ---

// CRIU's NEED_UFFD_API_FEATURES: without them, what the clone forks, moves or unmaps while pages
// are missing would go wrong.
#define FEATURES_NEEDED                                                                            \
    (UFFD_FEATURE_EVENT_FORK | UFFD_FEATURE_EVENT_REMAP | UFFD_FEATURE_EVENT_UNMAP |               \
     UFFD_FEATURE_EVENT_REMOVE)

static int kernel_can(struct failure *failure) {
    int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fail_errno(failure, EXIT_UNABLE,
                          "--lazy needs userfaultfd(2), which %s: pull without --lazy",
                          errno == ENOSYS ? "this kernel doesn't have (CONFIG_USERFAULTFD)"
                                          : "is forbidden here (a container's seccomp filter?)");
    struct uffdio_api api = {.api = UFFD_API, .features = FEATURES_NEEDED};
    int result = ioctl(fd, UFFDIO_API, &api);
    close(fd);
    if (result < 0)
        return fail_errno(failure, EXIT_UNABLE,
                          "--lazy needs userfaultfd(2) with events of other processes, which takes "
                          "CAP_SYS_PTRACE: pull without --lazy");
    return 0;
}

static struct criu_check *begin_check(const struct criu *criu, const struct identity *identity,
                                      struct failure *failure) {
    if (identity->unprivileged)
        fail(failure, EXIT_UNABLE,
             "--lazy is root's, for processes of root's: an unprivileged CRIU has no lazy restore; "
             "pull without --lazy");
    else if (kernel_can(failure) == 0)
        return criu_check_lazy_pages(criu, failure);
    return NULL;
}

int lazy_usable(const struct criu *criu, const struct identity *identity, struct failure *failure) {
    struct criu_check *check = begin_check(criu, identity, failure);
    return check == NULL ? -1 : criu_check_finish(check, failure);
}

// --- what is stored ---

struct lazy *lazy_open(const struct ramdisk *disk, const struct criu *criu,
                       const struct identity *identity, struct failure *failure) {
    struct lazy *lazy = calloc(1, sizeof *lazy);
    if (lazy == NULL) {
        fail(failure, EXIT_SPACE, "out of memory");
        return NULL;
    }
    *lazy = (struct lazy){
        .dir = disk->dir_fd, .file = -1, .criu = -1, .daemon = -1, .entry = -1, .clone = -1};
    memcpy(lazy->path, disk->path, sizeof lazy->path);
    pthread_mutex_init(&lazy->lock, NULL);
    lazy->stop = eventfd(0, EFD_CLOEXEC);
    lazy->met = eventfd(0, EFD_CLOEXEC);
    lazy->done = eventfd(0, EFD_CLOEXEC);
    lazy->listener = -1;
    lazy->check = begin_check(criu, identity, failure);
    if (lazy->check != NULL)
        lazy->listener = streamer_listen(lazy->path, SOCKET_NAME, failure);
    if (lazy->listener >= 0 && mkdirat(lazy->dir, DAEMON_DIRECTORY, 0700) == 0)
        return lazy;
    if (lazy->listener >= 0)
        fail_errno(failure, EXIT_INTERNAL, "can't use the RAM disk for a lazy restore");
    lazy_close(lazy);
    return NULL;
}

// Puts the name on the list of what is to be removed.
static int note(struct lazy *lazy, const char *name, struct failure *failure) {
    void *grown = realloc(lazy->names, (lazy->name_count + 1) * sizeof *lazy->names);
    if (grown == NULL)
        return fail(failure, EXIT_SPACE, "out of memory");
    lazy->names = grown;
    snprintf(lazy->names[lazy->name_count++], sizeof *lazy->names, "%s", name);
    return 0;
}

// A new file whose name must not exist yet.
static int make_file(struct lazy *lazy, const char *name, struct failure *failure) {
    int file = openat(lazy->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return fail_errno(failure, EXIT_IMAGE, "image '%.80s' can't be stored", name);
    if (note(lazy, name, failure) == 0)
        return file;
    unlinkat(lazy->dir, name, 0);
    close(file);
    return -1;
}

// Gives the file its size and its memory: huge pages only where it is already that long.
static int take_memory(int file, uint64_t bytes, struct failure *failure) {
    if (bytes == 0 || (ftruncate(file, (off_t)bytes) == 0 &&
                       fallocate(file, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes) == 0))
        return 0;
    return fail_errno(failure, EXIT_SPACE, "no %llu MiB of RAM for a lazy restore's image",
                      (unsigned long long)bytes >> 20);
}

int lazy_reserve(struct lazy *lazy, uint64_t bytes, struct failure *failure) {
    struct criu_check *check = lazy->check;
    lazy->check = NULL;
    int file = criu_check_finish(check, failure) < 0 ? -1 : make_file(lazy, RESERVE_NAME, failure);
    if (file < 0)
        return -1;
    int result = take_memory(file, bytes, failure);
    close(file);
    lazy->reserved = result == 0;
    return result;
}

// The first image takes the reserve over.
static int claim(struct lazy *lazy, const char *name, struct failure *failure) {
    if (faccessat(lazy->dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return fail_errno(failure, EXIT_IMAGE, "image '%.80s' can't be stored", name);
    }
    if (note(lazy, name, failure) < 0)
        return -1;
    lazy->reserved = false;
    int file = renameat(lazy->dir, RESERVE_NAME, lazy->dir, name) < 0
                   ? -1
                   : openat(lazy->dir, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    return file >= 0 ? file : fail_errno(failure, EXIT_INTERNAL, "no file for image %s", name);
}

int lazy_begin(struct lazy *lazy, const char *name, uint64_t bytes, struct failure *failure) {
    lazy->file = lazy->reserved ? claim(lazy, name, failure) : make_file(lazy, name, failure);
    lazy->left = bytes;
    if (lazy->file < 0)
        return -1;
    // What the reserve had too much goes back; an empty image has no memory to take.
    if (bytes == 0 && ftruncate(lazy->file, 0) < 0)
        return fail_errno(failure, EXIT_INTERNAL, "image %s can't be emptied", name);
    return take_memory(lazy->file, bytes, failure);
}

static int write_all(int file, const void *bytes, size_t length, struct failure *failure) {
    for (size_t done = 0; done < length;) {
        ssize_t put = write(file, (const char *)bytes + done, length - done);
        if (put < 0 && errno != EINTR)
            return fail_errno(failure, EXIT_SPACE, "an image can't be stored in RAM");
        done += put > 0 ? (size_t)put : 0;
    }
    return 0;
}

int lazy_write(struct lazy *lazy, const void *bytes, size_t length, struct failure *failure) {
    if (length > lazy->left)
        return fail(failure, EXIT_TRANSFER, "an image is longer than announced");
    lazy->left -= length;
    return write_all(lazy->file, bytes, length, failure);
}

int lazy_end(struct lazy *lazy, struct failure *failure) {
    close(lazy->file);
    lazy->file = -1;
    return lazy->left == 0 ? 0 : fail(failure, EXIT_TRANSFER, "an image is shorter than announced");
}

int lazy_store(struct lazy *lazy, const struct replay *replay, struct failure *failure) {
    int result = 0;
    for (size_t i = 0; i < replay_count(replay) && result == 0; i++) {
        size_t length;
        const uint8_t *bytes = replay_bytes(replay, i, &length);
        int file = make_file(lazy, replay_name(replay, i), failure);
        result = file < 0 ? -1 : write_all(file, bytes, length, failure);
        if (file >= 0)
            close(file);
    }
    return result;
}

static void remove_stored(struct lazy *lazy) {
    for (size_t i = 0; i < lazy->name_count; i++)
        unlinkat(lazy->dir, lazy->names[i], 0);
    lazy->name_count = 0;
}

// --- between CRIU and its daemon ---

static void close_if_open(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static int connect_to_daemon(const struct lazy *lazy, struct failure *failure) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/" DAEMON_DIRECTORY "/" SOCKET_NAME,
             lazy->path);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection >= 0 && connect(connection, (struct sockaddr *)&address, sizeof address) == 0)
        return connection;
    fail_errno(failure, EXIT_RESTORE, "CRIU's page daemon can't be reached");
    if (connection >= 0)
        close(connection);
    return -1;
}

// Keeps the descriptors of a message. -1: some are lost.
static int keep_faults(struct lazy *lazy, struct msghdr *message) {
    bool lost = (message->msg_flags & MSG_CTRUNC) != 0;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(message); head != NULL;
         head = CMSG_NXTHDR(message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
            continue;
        size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        int *grown = realloc(lazy->faults, (lazy->fault_count + count) * sizeof(int));
        if (grown == NULL)
            return -1; // they leak into our end, which comes at once
        lazy->faults = grown;
        memcpy(grown + lazy->fault_count, CMSG_DATA(head), count * sizeof(int));
        lazy->fault_count += count;
    }
    return lost ? -1 : 0;
}

// Passes on what CRIU says, with its descriptors, of which copies stay here. 0, or -1 when it is
// over.
static int pass_on(struct lazy *lazy) {
    char bytes[MESSAGE_MAX];
    union {
        char bytes[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = sizeof bytes};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t got = recvmsg(lazy->criu, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR)
        return 0;
    if (got <= 0 || keep_faults(lazy, &message) < 0)
        return -1;
    struct failure ignored;
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    if (got == sizeof word && word == RESTORE_FINISHED &&
        fault_here(FAULT_LAZY_FILLING, &ignored) < 0)
        return -1;
    // Read together with what comes before it, a byte with a descriptor would be taken for that.
    size_t before = message.msg_controllen > 0 ? (size_t)got - 1 : (size_t)got;
    if (send(lazy->daemon, bytes, before, MSG_NOSIGNAL) != (ssize_t)before)
        return -1;
    part = (struct iovec){.iov_base = bytes + before, .iov_len = (size_t)got - before};
    message.msg_flags = 0;
    return part.iov_len == 0 || sendmsg(lazy->daemon, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

// Nobody waits for a page any more; those who touched one that was never there, and so has no
// image, go on once our descriptors are closed.
static void let_be(struct lazy *lazy) {
    while (lazy->fault_count > 0)
        close(lazy->faults[--lazy->fault_count]);
    remove_stored(lazy);
}

// A restore that fails takes the daemon with it, and has the better reason: it gets time to tell.
static bool ends_by_itself(const struct lazy *lazy) {
    struct pollfd fds[2] = {{.fd = lazy->clone, .events = POLLIN},
                            {.fd = lazy->stop, .events = POLLIN}};
    return poll(fds, 2, lazy->running ? 0 : LAST_WORDS_MS) > 0;
}

// The daemon has ended. The clone's end is all that anybody waits for when it came first.
static void judge(struct lazy *lazy) {
    struct failure failure = {0};
    int result = criu_pages_finish(lazy->pages, &failure);
    lazy->pages = NULL;
    if (result == 0)
        let_be(lazy);
    pthread_mutex_lock(&lazy->lock);
    lazy->failed = result < 0;
    lazy->failure = failure;
    lazy->done_ns = now_ns();
    pthread_mutex_unlock(&lazy->lock);
    if (result < 0 && ends_by_itself(lazy))
        return;
    lazy->killed = result < 0;
    eventfd_write(lazy->done, 1);
    if (result < 0)
        pidfd_send_signal(lazy->clone, SIGKILL, NULL, 0);
}

static void *warden_main(void *argument) {
    struct lazy *lazy = argument;
    struct pollfd fds[3] = {{.fd = lazy->stop, .events = POLLIN},
                            {.fd = criu_pages_ended_fd(lazy->pages), .events = POLLIN},
                            {.events = POLLIN}};
    for (;;) {
        fds[2].fd = lazy->criu >= 0 ? lazy->criu : lazy->listener;
        if (poll(fds, 3, -1) < 0) {
            if (errno == EINTR)
                continue;
            criu_pages_kill(lazy->pages);
        }
        // CRIU first: the daemon's end may be the consequence of what it said.
        if (fds[2].revents != 0 && lazy->criu < 0 && lazy->listener >= 0) {
            lazy->criu = accept4(lazy->listener, NULL, NULL, SOCK_CLOEXEC);
            close_if_open(&lazy->listener);
            eventfd_write(lazy->met, 1);
        } else if (fds[2].revents != 0 && pass_on(lazy) < 0) {
            close_if_open(&lazy->criu);
            close_if_open(&lazy->daemon); // tells the daemon that CRIU has ended
        }
        if (fds[0].revents != 0)
            criu_pages_kill(lazy->pages);
        if (fds[0].revents != 0 || fds[1].revents != 0) {
            judge(lazy);
            return NULL;
        }
    }
}

int lazy_start(struct lazy *lazy, const struct criu *criu, const struct identity *identity,
               struct keeper *keeper, struct failure *failure) {
    lazy->pages = criu_pages_start(criu, identity, lazy->dir, DAEMON_DIRECTORY, failure);
    if (lazy->pages == NULL)
        return -1;
    // Before it listens: until then it ends if it can't tell us that it does.
    lazy->keeper = keeper;
    lazy->entry =
        keeper_wait_for(keeper, criu_pages_pid(lazy->pages), PROBE_MS, KEEPER_KILL, failure);
    return lazy->entry < 0 ? -1 : 0;
}

int lazy_serve(struct lazy *lazy, int clone, int64_t deadline_ns, struct failure *failure) {
    if (criu_pages_await(lazy->pages, deadline_ns, failure) < 0)
        return -1;
    lazy->daemon = connect_to_daemon(lazy, failure);
    lazy->clone = fcntl(clone, F_DUPFD_CLOEXEC, 0);
    if (lazy->daemon < 0)
        return -1;
    lazy->warden_runs = pthread_create(&lazy->warden, NULL, warden_main, lazy) == 0;
    return lazy->warden_runs ? 0 : fail(failure, EXIT_INTERNAL, "no thread for a lazy restore");
}

void lazy_await_criu(struct lazy *lazy, int ended_fd, int milliseconds) {
    struct pollfd fds[2] = {{.fd = lazy->met, .events = POLLIN},
                            {.fd = ended_fd, .events = POLLIN}};
    poll(fds, 2, milliseconds);
}

// --- the end ---

int lazy_done_fd(const struct lazy *lazy) {
    return lazy->done;
}

int lazy_let_run(struct lazy *lazy, struct failure *failure) {
    pthread_mutex_lock(&lazy->lock);
    lazy->running = !lazy->failed;
    if (lazy->failed)
        *failure = lazy->failure;
    pthread_mutex_unlock(&lazy->lock);
    return lazy->running ? 0 : -1;
}

void lazy_explain(const struct lazy *lazy, struct failure *failure) {
    struct pollfd done = {.fd = lazy->done, .events = POLLIN};
    if (poll(&done, 1, 0) > 0 && lazy->killed)
        *failure = lazy->failure;
}

int64_t lazy_result(const struct lazy *lazy, struct failure *failure) {
    if (lazy->killed)
        *failure = lazy->failure;
    return lazy->killed ? -1 : lazy->done_ns;
}

void lazy_close(struct lazy *lazy) {
    if (lazy == NULL)
        return;
    struct failure ignored;
    if (lazy->warden_runs) {
        eventfd_write(lazy->stop, 1);
        pthread_join(lazy->warden, NULL);
    } else if (lazy->pages != NULL) {
        // Killed in its look at the kernel it would leave a directory in /tmp.
        criu_pages_await(lazy->pages, deadline_in_ms(PROBE_MS), &ignored);
        criu_pages_kill(lazy->pages);
        criu_pages_finish(lazy->pages, &ignored);
    }
    if (lazy->check != NULL)
        criu_check_finish(lazy->check, &ignored);
    if (lazy->entry > 0)
        keeper_forget(lazy->keeper, lazy->entry, &ignored);
    while (lazy->fault_count > 0)
        close(lazy->faults[--lazy->fault_count]);
    remove_stored(lazy);
    unlinkat(lazy->dir, DAEMON_DIRECTORY "/" SOCKET_NAME, 0);
    unlinkat(lazy->dir, DAEMON_DIRECTORY, AT_REMOVEDIR);
    unlinkat(lazy->dir, SOCKET_NAME, 0);
    unlinkat(lazy->dir, "stats-restore", 0); // CRIU's
    close_if_open(&lazy->file);
    close_if_open(&lazy->listener);
    close_if_open(&lazy->criu);
    close_if_open(&lazy->daemon);
    close_if_open(&lazy->clone);
    close(lazy->stop);
    close(lazy->met);
    close(lazy->done);
    pthread_mutex_destroy(&lazy->lock);
    free(lazy->faults);
    free(lazy->names);
    free(lazy);
}
