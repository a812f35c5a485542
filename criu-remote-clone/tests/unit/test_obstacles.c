// SPDX-License-Identifier: Apache-2.0
// What stands in the way of a clone is seen, and what doesn't isn't. With
// CLONE_TEST_CRIU=/path/of/criu (as root, and not with the address sanitizer, whose shadow memory
// CRIU would image) CRIU itself is asked too: it must agree.
#include <arpa/inet.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/userfaultfd.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>

#include "facts.h"
#include "obstacles.h"
#include "removal.h"
#include "scratch.h"
#include "subject.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static char *directory;

static int make_directory(void **state) {
    (void)state;
    directory = test_directory();
    return 0;
}

static int remove_directory(void **state) {
    (void)state;
    struct failure failure;
    int result = removal_of_tree(directory, &failure);
    free(directory);
    return result;
}

// --- asserting ---

static struct process_facts facts_of_subject(const struct subject *subject) {
    struct process_facts facts;
    struct failure failure;
    if (facts_of_process(subject->pid, &facts, &failure) < 0)
        fail_msg("%s", failure.text);
    return facts;
}

// Who refuses: CRIU, when it dumps; or we, for the sake of a clone that CRIU would not or wrongly
// restore.
enum refuser { BY_CRIU, BY_US };
enum lasting { CLOSABLE, LASTING };

// As criu.c does it, and in the process's mount namespace, too, where CRIU could.
static void dump(const char *criu, pid_t pid, const char *images) {
    static const struct {
        const char *name;
        int type;
    } spaces[] = {{"mnt", CLONE_NEWNS},
                  {"net", CLONE_NEWNET},
                  {"uts", CLONE_NEWUTS},
                  {"ipc", CLONE_NEWIPC},
                  {"cgroup", CLONE_NEWCGROUP}};
    int differing = 0, process = (int)syscall(SYS_pidfd_open, pid, 0);
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        char theirs[64], ours[64];
        struct stat there, here;
        snprintf(theirs, sizeof theirs, "/proc/%d/ns/%s", (int)pid, spaces[i].name);
        snprintf(ours, sizeof ours, "/proc/self/ns/%s", spaces[i].name);
        if (stat(theirs, &there) == 0 && stat(ours, &here) == 0 && there.st_ino != here.st_ino)
            differing |= spaces[i].type;
    }
    char number[16];
    snprintf(number, sizeof number, "%d", (int)pid);
    if (differing == 0 || setns(process, differing) == 0)
        execl(criu, "criu", "dump", "--tree", number, "--images-dir", images, "--log-file", "log",
              "--leave-running", "--shell-job", "--tcp-close", "--network-lock", "skip",
              "--manage-cgroups=ignore", "--file-locks", "--ghost-limit", "64M", "--timeout", "5",
              NULL);
    _exit(127);
}

static void assert_criu_agrees(const struct subject *subject, bool refuses) {
    const char *criu = getenv("CLONE_TEST_CRIU");
    if (criu == NULL)
        return;
    struct failure failure;
    char *images = strdup("/dev/shm/crc-unit-XXXXXX");
    assert_non_null(mkdtemp(images));
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        dump(criu, subject->pid, images);
    }
    int status;
    waitpid(child, &status, 0);
    if ((status != 0) != refuses)
        print_message("CRIU's log: %s\n", read_file(in(images, "log")));
    assert_int_equal(status != 0, refuses);
    assert_int_equal(removal_of_tree(images, &failure), 0);
    free(images);
}

static struct obstacles obstacles_of_subject(const struct subject *subject) {
    struct process_facts facts = facts_of_subject(subject);
    struct obstacles obstacles;
    obstacles_of(&facts, NULL, NULL, &obstacles);
    facts_free(&facts);
    return obstacles;
}

static void assert_no_obstacle_of(const struct subject *subject) {
    struct obstacles obstacles = obstacles_of_subject(subject);
    if (obstacles.count > 0)
        fail_msg("%s", obstacles.list[0].text);
    obstacles_clear(&obstacles);
    assert_criu_agrees(subject, false);
}

static void assert_first(const struct obstacles *obstacles, enum lasting lasting,
                         const char *part) {
    assert_true(obstacles->count >= 1);
    if (strstr(obstacles->list[0].text, part) == NULL)
        fail_msg("'%s' doesn't say '%s'", obstacles->list[0].text, part);
    assert_int_equal(obstacles->list[0].hook_may_fix, lasting == CLOSABLE);
}

static void assert_one_obstacle_of(const struct subject *subject, enum refuser refuser,
                                   enum lasting lasting, const char *part) {
    struct obstacles obstacles = obstacles_of_subject(subject);
    for (size_t i = 1; i < obstacles.count; i++)
        print_message("also: %s\n", obstacles.list[i].text);
    assert_int_equal(obstacles.count, 1);
    assert_first(&obstacles, lasting, part);
    obstacles_clear(&obstacles);
    assert_criu_agrees(subject, refuser == BY_CRIU);
}

static void skip_what_cannot_be_made(struct subject *subject) {
    if (subject->error == 0)
        return;
    print_message("can't be made here: %s\n", strerror(subject->error));
    subject_end(subject);
    skip();
}

static void assert_carried_over(int (*prepare)(void *context)) {
    struct subject subject = subject_start(prepare, NULL, -1);
    skip_what_cannot_be_made(&subject);
    assert_no_obstacle_of(&subject);
    subject_end(&subject);
}

static void assert_in_the_way(int (*prepare)(void *context), enum refuser refuser,
                              enum lasting lasting, const char *part) {
    struct subject subject = subject_start(prepare, NULL, -1);
    skip_what_cannot_be_made(&subject);
    assert_one_obstacle_of(&subject, refuser, lasting, part);
    subject_end(&subject);
}

// --- sockets ---

static int listen_on(int family, const char *address) {
    int listener = socket(family, SOCK_STREAM, 0);
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    struct sockaddr_in four = {.sin_family = AF_INET};
    inet_pton(family, address, family == AF_INET ? (void *)&four.sin_addr : (void *)&six.sin6_addr);
    int bound = family == AF_INET ? bind(listener, (struct sockaddr *)&four, sizeof four)
                                  : bind(listener, (struct sockaddr *)&six, sizeof six);
    return bound < 0 || listen(listener, 4) < 0 ? -1 : listener;
}

static int listen_on_tcp(void *context) {
    (void)context;
    return listen_on(AF_INET, "127.0.0.1");
}

static int listen_on_tcp6(void *context) {
    (void)context;
    return listen_on(AF_INET6, "::1");
}

static int be_connected(void *context) {
    (void)context;
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    int listener = listen_on(AF_INET, "127.0.0.1"), client = socket(AF_INET, SOCK_STREAM, 0);
    return listener < 0 || getsockname(listener, (struct sockaddr *)&address, &size) < 0 ||
                   connect(client, (struct sockaddr *)&address, size) < 0 ||
                   accept(listener, NULL, NULL) < 0 || close(listener) < 0
               ? -1
               : 0;
}

static int bind_udp(const char *address) {
    struct sockaddr_in to = {.sin_family = AF_INET};
    inet_pton(AF_INET, address, &to.sin_addr);
    return bind(socket(AF_INET, SOCK_DGRAM, 0), (struct sockaddr *)&to, sizeof to);
}

static int use_udp_everywhere(void *context) {
    (void)context;
    return bind_udp("0.0.0.0") < 0 || bind_udp("127.0.0.1") < 0 ? -1 : 0;
}

// A network of the subject's own, whose loopback interface is up: CRIU needs that there
// (criu/kerndat.c).
static int enter_network_with(const char *address) {
    if (unshare(CLONE_NEWNET) < 0)
        return -1;
    int any = socket(AF_INET, SOCK_DGRAM, 0);
    struct ifreq request = {.ifr_name = "lo"};
    struct sockaddr_in to = {.sin_family = AF_INET};
    inet_pton(AF_INET, address, &to.sin_addr);
    memcpy(&request.ifr_addr, &to, sizeof to);
    int result = ioctl(any, SIOCSIFADDR, &request);
    request.ifr_flags = IFF_UP;
    if (result == 0)
        result = ioctl(any, SIOCSIFFLAGS, &request);
    close(any);
    return result;
}

static int use_udp_address(void *context) {
    (void)context;
    return enter_network_with("192.0.2.77") < 0 ? -1 : bind_udp("192.0.2.77");
}

static int bind_unix(const char *path, socklen_t path_length, int type) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, path_length);
    int listener = socket(AF_UNIX, type, 0);
    socklen_t length = (socklen_t)offsetof(struct sockaddr_un, sun_path) + path_length;
    return bind(listener, (struct sockaddr *)&address, length) < 0 ? -1 : listener;
}

static int listen_on_unix(void *context) {
    (void)context;
    const char *path = in(directory, "listener");
    return listen(bind_unix(path, (socklen_t)strlen(path) + 1, SOCK_STREAM), 4);
}

static int listen_on_abstract_unix(void *context) {
    (void)context;
    return listen(bind_unix("\0crc-unit-test", 14, SOCK_SEQPACKET), 4);
}

static int use_unix_pair(void *context) {
    (void)context;
    int ends[2], half[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 ||
                   socketpair(AF_UNIX, SOCK_STREAM, 0, half) < 0 || close(half[1]) < 0
               ? -1
               : 0;
}

static int use_unix_pair_on_own_network(void *context) {
    (void)context;
    return enter_network_with("127.0.0.1") < 0 ? -1 : use_unix_pair(NULL);
}

static int use_mptcp(void *context) {
    (void)context;
    return socket(AF_INET, SOCK_STREAM, 262 /* IPPROTO_MPTCP */);
}

static void a_listening_socket_is_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(listen_on_tcp, BY_US, CLOSABLE, "listens on TCP 127.0.0.1:");
    assert_in_the_way(listen_on_tcp6, BY_US, CLOSABLE, "listens on TCP [::1]:");
}

static void a_connection_is_not_since_it_comes_back_closed(void **state) {
    (void)state;
    assert_carried_over(be_connected);
}

static void a_udp_socket_is_only_with_an_address_of_this_host(void **state) {
    (void)state;
    assert_carried_over(use_udp_everywhere);
    assert_in_the_way(use_udp_address, BY_US, CLOSABLE, "UDP socket at 192.0.2.77:");
}

static void a_listening_unix_socket_is_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(listen_on_unix, BY_US, CLOSABLE, "/listener");
    assert_in_the_way(listen_on_abstract_unix, BY_US, CLOSABLE, "@crc-unit-test");
}

static void unix_sockets_within_the_tree_are_not(void **state) {
    (void)state;
    assert_carried_over(use_unix_pair);
    assert_carried_over(use_unix_pair_on_own_network);
}

static void a_unix_socket_out_of_the_tree_is_in_the_way(void **state) {
    (void)state;
    static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        int ends[2];
        assert_int_equal(socketpair(AF_UNIX, types[i], 0, ends), 0);
        struct subject subject = subject_start(use_unix_pair, NULL, ends[1]);
        assert_one_obstacle_of(&subject, BY_CRIU, CLOSABLE, "outside its tree by a unix socket");
        subject_end(&subject);
        close(ends[0]);
        close(ends[1]);
    }
}

static void a_kind_of_socket_that_criu_does_not_know_is_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(use_mptcp, BY_CRIU, CLOSABLE, "MPTCP");
}

// --- other descriptors ---

static int use_known_descriptors(void *context) {
    (void)context;
    struct epoll_event event = {.events = EPOLLIN};
    sigset_t signals;
    sigemptyset(&signals);
    int epoll = epoll_create1(0);
    return epoll_ctl(epoll, EPOLL_CTL_ADD, eventfd(0, 0), &event) < 0 || inotify_init1(0) < 0 ||
                   timerfd_create(CLOCK_MONOTONIC, 0) < 0 || signalfd(-1, &signals, 0) < 0 ||
                   syscall(SYS_pidfd_open, getpid(), 0) < 0 || memfd_create("memory", 0) < 0 ||
                   open("/dev/urandom", O_RDONLY) < 0 || open("/dev/zero", O_RDWR) < 0 ||
                   open("/dev/full", O_WRONLY) < 0
               ? -1
               : 0;
}

static int watch_files(void *context) {
    (void)context;
    return inotify_add_watch(inotify_init1(0), directory, IN_CREATE);
}

static int open_namespace(void *context) {
    (void)context;
    return open("/proc/self/ns/net", O_RDONLY);
}

static int use_io_uring(void *context) {
    (void)context;
    struct io_uring_params parameters = {0};
    return (int)syscall(SYS_io_uring_setup, 4, &parameters);
}

static int use_perf(void *context) {
    (void)context;
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_SW_CPU_CLOCK,
                                    .exclude_kernel = 1};
    return (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
}

static int use_userfaultfd(void *context) {
    (void)context;
    return (int)syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* UFFD_USER_MODE_ONLY */);
}

static int use_foreign_pidfd(void *context) {
    (void)context;
    return (int)syscall(SYS_pidfd_open, getppid(), 0);
}

static int open_terminals(void *context) {
    (void)context;
    int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
    return terminal < 0 || dup(terminal) < 0 ? -1 : 0;
}

static int open_kernel_log(void *context) {
    (void)context;
    return open("/dev/kmsg", O_WRONLY);
}

static int use_pipe_within(void *context) {
    (void)context;
    int ends[2];
    return pipe(ends);
}

static int use_packet_pipe(void *context) {
    (void)context;
    int ends[2];
    return pipe2(ends, O_DIRECT);
}

static int hold_locks(void *context) {
    (void)context;
    return flock(open(in(directory, "locked"), O_RDWR | O_CREAT, 0600), LOCK_EX);
}

static void descriptors_that_criu_knows_are_not_in_the_way(void **state) {
    (void)state;
    assert_carried_over(use_known_descriptors);
    assert_carried_over(hold_locks);
}

static void descriptors_that_mean_something_else_on_the_target_are_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(watch_files, BY_US, CLOSABLE, "inotify");
    assert_in_the_way(open_namespace, BY_US, CLOSABLE, "a namespace");
}

static void descriptors_that_criu_does_not_know_are(void **state) {
    (void)state;
    assert_in_the_way(use_userfaultfd, BY_CRIU, CLOSABLE, "[userfaultfd]");
    assert_in_the_way(use_perf, BY_CRIU, CLOSABLE, "[perf_event]");
    assert_in_the_way(use_io_uring, BY_CRIU, CLOSABLE, "[io_uring]");
}

static void a_pidfd_out_of_the_tree_is_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(use_foreign_pidfd, BY_CRIU, CLOSABLE, "pidfd");
}

static void a_terminal_is_in_the_way_and_named_once(void **state) {
    (void)state;
    assert_in_the_way(open_terminals, BY_US, CLOSABLE, "/dev/ptmx");
}

static void a_device_is_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(open_kernel_log, BY_US, CLOSABLE, "/dev/kmsg");
}

static void a_pipe_is_if_somebody_outside_reads_it(void **state) {
    (void)state;
    assert_carried_over(use_pipe_within);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct subject writer = subject_start(use_pipe_within, NULL, ends[1]);
    assert_one_obstacle_of(&writer, BY_US, CLOSABLE, "SIGPIPE");
    subject_end(&writer);
    struct subject reader = subject_start(use_pipe_within, NULL, ends[0]);
    assert_no_obstacle_of(&reader);
    subject_end(&reader);
    close(ends[0]);
    close(ends[1]);
}

static void a_pipe_in_packet_mode_is_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(use_packet_pipe, BY_CRIU, CLOSABLE, "packet mode");
}

// --- files ---

static int hold_deleted_file(void *context) {
    (void)context;
    int file = open(in(directory, "deleted"), O_RDWR | O_CREAT, 0600);
    return write(file, "contents", 8) != 8 || unlink(in(directory, "deleted")) < 0 ? -1 : 0;
}

static int hold_large_deleted_file(void *context) {
    (void)context;
    int file = open(in(directory, "deleted"), O_RDWR | O_CREAT, 0600);
    return fallocate(file, 0, 0, 65 << 20) < 0 || unlink(in(directory, "deleted")) < 0 ? -1 : 0;
}

static int hold_file_with_another_name(void *context) {
    (void)context;
    return open(in(directory, "first"), O_RDWR | O_CREAT, 0600) < 0 ||
                   link(in(directory, "first"), in(directory, "second")) < 0 ||
                   unlink(in(directory, "first")) < 0
               ? -1
               : 0;
}

static int work_in_deleted_directory(void *context) {
    (void)context;
    return mkdir(in(directory, "work"), 0700) < 0 || chdir(in(directory, "work")) < 0 ||
                   rmdir(in(directory, "work")) < 0
               ? -1
               : 0;
}

static int keep_file_of_lost_mount(void *context) {
    (void)context;
    const char *mount_point = in(directory, "lost");
    if (mkdir(mount_point, 0700) < 0 || mount("none", mount_point, "tmpfs", 0, NULL) < 0)
        return -1;
    int file = open(in(directory, "lost/file"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return umount2(mount_point, MNT_DETACH) < 0 || rmdir(mount_point) < 0 ? -1 : file;
}

static void a_deleted_file_is_not_in_the_way_unless_it_is_large(void **state) {
    (void)state;
    assert_carried_over(hold_deleted_file);
    assert_in_the_way(hold_large_deleted_file, BY_CRIU, CLOSABLE, "/deleted of 65 MiB");
}

static void a_deleted_name_of_a_file_that_has_another_is_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(hold_file_with_another_name, BY_CRIU, CLOSABLE, "/first");
}

static void a_deleted_working_directory_is_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(work_in_deleted_directory, BY_US, CLOSABLE, "/work");
}

static void a_file_on_a_mount_that_is_gone_is_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(keep_file_of_lost_mount, BY_CRIU, CLOSABLE, "/file");
}

// --- memory ---

static int map_what_criu_can(void *context) {
    (void)context;
    int memory = memfd_create("memory", 0), zero = open("/dev/zero", O_RDWR);
    const int protection = PROT_READ | PROT_WRITE;
    return ftruncate(memory, 4096) < 0 ||
                   mmap(NULL, 4096, protection, MAP_SHARED, memory, 0) == MAP_FAILED ||
                   mmap(NULL, 4096, protection, MAP_SHARED, zero, 0) == MAP_FAILED ||
                   mmap(NULL, 4096, protection, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
               ? -1
               : 0;
}

static int attach_shared_memory(void *context) {
    (void)context;
    int id = shmget(IPC_PRIVATE, 4096, 0600);
    void *memory = shmat(id, NULL, 0);
    shmctl(id, IPC_RMID, NULL);
    return memory == (void *)-1 ? -1 : 0;
}

static int publish_counters(void *context) {
    (void)context;
    mkdir(in(directory, "hsperfdata_me"), 0700);
    int file = open(in(directory, "hsperfdata_me/1"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return ftruncate(file, 4096) < 0 ||
                   mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED
               ? -1
               : close(file);
}

static int map_perf_buffer(void *context) {
    int event = use_perf(context);
    return event < 0 || mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0) == MAP_FAILED
               ? -1
               : close(event);
}

static int map_huge_pages(void *context) {
    (void)context;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_NORESERVE;
    return mmap(NULL, 2 << 20, PROT_READ, flags, -1, 0) == MAP_FAILED ? -1 : 0;
}

static int map_secret_memory(void *context) {
    (void)context;
    int secret = (int)syscall(447 /* memfd_secret */, 0);
    return secret < 0 || ftruncate(secret, 4096) < 0 ||
                   mmap(NULL, 4096, PROT_READ, MAP_SHARED, secret, 0) == MAP_FAILED
               ? -1
               : 0;
}

static void shared_memory_is_not_in_the_way(void **state) {
    (void)state;
    assert_carried_over(map_what_criu_can);
}

static void system_v_shared_memory_is(void **state) {
    (void)state;
    assert_in_the_way(attach_shared_memory, BY_CRIU, LASTING, "System V");
}

static void a_jvms_counters_are_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(publish_counters, BY_US, LASTING, "-XX:-UsePerfData");
}

static void mapped_devices_are_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(map_perf_buffer, BY_CRIU, LASTING, "[perf_event] mapped");
}

static void huge_pages_are_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(map_huge_pages, BY_CRIU, LASTING, "hugetlb");
}

static void secret_memory_is_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(map_secret_memory, BY_CRIU, LASTING, "memfd_secret");
}

// --- processes ---

static int idle(void *context) {
    (void)context;
    return 0;
}

static void *idle_thread(void *context) {
    (void)context;
    subject_wait_forever();
    return NULL;
}

static int have_thread(void *context) {
    (void)context;
    pthread_t thread;
    return pthread_create(&thread, NULL, idle_thread, NULL) == 0 ? 0 : -1;
}

static int have_zombie(void *context) {
    (void)context;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    siginfo_t ended;
    return waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT);
}

static int share_memory_with_child(void *context) {
    (void)context;
    static _Alignas(16) char stack[65536];
    return clone((int (*)(void *))(uintptr_t)idle_thread, stack + sizeof stack, CLONE_VM | SIGCHLD,
                 NULL);
}

static int have_child_in(int namespace) {
    int ready[2];
    if (pipe(ready) < 0)
        return -1;
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        char number = (char)(unshare(namespace) < 0 ? errno : 0);
        if (write(ready[1], &number, 1) != 1)
            _exit(1);
        close(ready[0]);
        close(ready[1]);
        for (int fd = 0; fd < 3; fd++)
            close(fd); // from outside the mount namespace
        subject_wait_forever();
    }
    char number = 0;
    close(ready[1]);
    ssize_t got = read(ready[0], &number, 1);
    char end; // when the child has closed its descriptors
    got += read(ready[0], &end, 1);
    close(ready[0]);
    errno = number;
    return got == 1 && number == 0 ? 0 : -1;
}

static int have_child_with_other_name(void *context) {
    (void)context;
    return have_child_in(CLONE_NEWUTS);
}

static int have_child_with_other_network(void *context) {
    (void)context;
    return have_child_in(CLONE_NEWNET);
}

static int enter_mount_namespace(void *context) {
    (void)context;
    for (int fd = 0; fd < 3; fd++)
        close(fd); // from outside of it
    return unshare(CLONE_NEWNS);
}

static int enter_user_namespace(void *context) {
    (void)context;
    return unshare(CLONE_NEWUSER);
}

static void children_and_threads_are_not_in_the_way(void **state) {
    (void)state;
    assert_carried_over(have_thread);
    assert_carried_over(have_zombie);
}

static void a_stopped_process_is_in_the_way(void **state) {
    (void)state;
    struct subject subject = subject_start(idle, NULL, -1);
    int status;
    kill(subject.pid, SIGSTOP);
    waitpid(subject.pid, &status, WUNTRACED);
    assert_true(WIFSTOPPED(status));
    assert_one_obstacle_of(&subject, BY_US, CLOSABLE, "is stopped");
    subject_end(&subject);
}

static void a_traced_process_is_in_the_way(void **state) {
    (void)state;
    struct subject subject = subject_start(idle, NULL, -1);
    assert_int_equal(ptrace(PTRACE_SEIZE, subject.pid, NULL, NULL), 0);
    assert_one_obstacle_of(&subject, BY_CRIU, CLOSABLE, "is traced by process");
    subject_end(&subject);
}

static void shared_address_space_is_in_the_way(void **state) {
    (void)state;
    struct subject subject = subject_start(share_memory_with_child, NULL, -1);
    struct process_facts facts = facts_of_subject(&subject);
    assert_int_equal(facts.task_count, 2);
    pid_t sharer = facts.tasks[1].pid;
    facts_free(&facts);
    assert_one_obstacle_of(&subject, BY_CRIU, CLOSABLE, "shares its memory");
    kill(sharer, SIGKILL);
    subject_end(&subject);
}

static void a_child_in_a_namespace_of_its_own_is_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(have_child_with_other_name, BY_CRIU, CLOSABLE, "another uts namespace");
    assert_in_the_way(have_child_with_other_network, BY_US, CLOSABLE, "another net namespace");
}

static void another_mount_namespace_is_in_the_way(void **state) {
    (void)state;
    // CRIU refuses it for the program alone, which is from outside of it.
    assert_in_the_way(enter_mount_namespace, BY_CRIU, LASTING, "a mount namespace of its own");
}

static void another_user_namespace_is_in_the_way(void **state) {
    (void)state;
    assert_in_the_way(enter_user_namespace, BY_CRIU, LASTING, "a user namespace of its own");
}

// The test itself, seen from its child's PID namespace, is nobody; so the roles are swapped: the
// subject's children live in a namespace of their own, and are looked at one by one.
static int have_init_and_second(void *context) {
    (void)context;
    if (unshare(CLONE_NEWPID) < 0)
        return -1;
    int ready[2];
    if (pipe(ready) < 0)
        return -1;
    if (fork() == 0) {
        pid_t second = fork(); // both are ready when both have closed their descriptors
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ready[0]);
        close(ready[1]);
        if (second >= 0)
            subject_wait_forever();
        _exit(1);
    }
    close(ready[1]);
    char end;
    ssize_t got = read(ready[0], &end, 1);
    close(ready[0]);
    return (int)got;
}

static void the_first_process_of_a_namespace_is_in_the_way(void **state) {
    (void)state;
    struct subject subject = subject_start(have_init_and_second, NULL, -1);
    skip_what_cannot_be_made(&subject);
    struct process_facts facts = facts_of_subject(&subject);
    assert_int_equal(facts.task_count, 3);
    struct subject init = {.pid = facts.tasks[1].pid};
    facts_free(&facts);
    struct obstacles of_init = obstacles_of_subject(&init);
    assert_first(&of_init, LASTING, "process 1 of its PID namespace");
    obstacles_clear(&of_init);
    struct process_facts facts_of_init = facts_of_subject(&init);
    struct subject second = {.pid = facts_of_init.tasks[1].pid};
    facts_free(&facts_of_init);
    struct obstacles of_second = obstacles_of_subject(&second);
    assert_first(&of_second, LASTING, "another PID namespace");
    obstacles_clear(&of_second);
    subject_end(&subject);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listening_socket_is_in_the_way),
        cmocka_unit_test(a_connection_is_not_since_it_comes_back_closed),
        cmocka_unit_test(a_udp_socket_is_only_with_an_address_of_this_host),
        cmocka_unit_test(a_listening_unix_socket_is_in_the_way),
        cmocka_unit_test(unix_sockets_within_the_tree_are_not),
        cmocka_unit_test(a_unix_socket_out_of_the_tree_is_in_the_way),
        cmocka_unit_test(a_kind_of_socket_that_criu_does_not_know_is_in_the_way),
        cmocka_unit_test(descriptors_that_criu_knows_are_not_in_the_way),
        cmocka_unit_test(descriptors_that_mean_something_else_on_the_target_are_in_the_way),
        cmocka_unit_test(descriptors_that_criu_does_not_know_are),
        cmocka_unit_test(a_pidfd_out_of_the_tree_is_in_the_way),
        cmocka_unit_test(a_terminal_is_in_the_way_and_named_once),
        cmocka_unit_test(a_device_is_in_the_way),
        cmocka_unit_test(a_pipe_is_if_somebody_outside_reads_it),
        cmocka_unit_test(a_pipe_in_packet_mode_is_in_the_way),
        cmocka_unit_test(a_deleted_file_is_not_in_the_way_unless_it_is_large),
        cmocka_unit_test(a_deleted_name_of_a_file_that_has_another_is_in_the_way),
        cmocka_unit_test(a_deleted_working_directory_is_in_the_way),
        cmocka_unit_test(a_file_on_a_mount_that_is_gone_is_in_the_way),
        cmocka_unit_test(shared_memory_is_not_in_the_way),
        cmocka_unit_test(system_v_shared_memory_is),
        cmocka_unit_test(a_jvms_counters_are_in_the_way),
        cmocka_unit_test(mapped_devices_are_in_the_way),
        cmocka_unit_test(huge_pages_are_in_the_way),
        cmocka_unit_test(secret_memory_is_in_the_way),
        cmocka_unit_test(children_and_threads_are_not_in_the_way),
        cmocka_unit_test(a_stopped_process_is_in_the_way),
        cmocka_unit_test(a_traced_process_is_in_the_way),
        cmocka_unit_test(shared_address_space_is_in_the_way),
        cmocka_unit_test(a_child_in_a_namespace_of_its_own_is_in_the_way),
        cmocka_unit_test(another_mount_namespace_is_in_the_way),
        cmocka_unit_test(another_user_namespace_is_in_the_way),
        cmocka_unit_test(the_first_process_of_a_namespace_is_in_the_way),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
