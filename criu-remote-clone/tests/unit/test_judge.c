// SPDX-License-Identifier: Apache-2.0
// Whatever the policy refuses of images and could be known before is known before: for each kind of
// claim, a running process that makes it, and images that do; for each obstacle that images show as
// well, facts in which it is seen, and the images. (policy_refuse() demands a reason of every other
// refusal.)
#include "facts.h"
#include "images.h"
#include "obstacles.h"
#include "paths.h"
#include "policy.h"
#include "scratch.h"
#include "subject.h"

#include <arpa/inet.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct failure failure;
static char *directory;

static bool may_open(void *context, const char *path, int flags) {
    (void)context;
    (void)flags;
    return strstr(path, "nobody's") == NULL;
}

// Who may nothing that his rights don't give him.
static struct policy_caller plain_caller(void) {
    struct policy_caller caller = {.login_uid = UINT32_MAX, .only_users_groups = true};
    for (size_t i = 0; i < RLIM_NLIMITS; i++)
        caller.limits[i] = UINT64_MAX;
    caller.limits[RLIMIT_MEMLOCK] = 8 << 20;
    return caller;
}

// --- processes that claim something ---

static int do_nothing(void *context) {
    (void)context;
    return 0;
}

static int keep_another_user(void *context) {
    (void)context;
    return setresuid((uid_t)-1, (uid_t)-1, 4711);
}

static int keep_another_group(void *context) {
    (void)context;
    return setresgid((gid_t)-1, (gid_t)-1, 4711);
}

static int join_group(void *context) {
    (void)context;
    const gid_t group = 4711;
    return setgroups(1, &group);
}

static int leave_groups(void *context) {
    (void)context;
    return setgroups(0, NULL);
}

static int be_favoured(void *context) {
    (void)context;
    return setpriority(PRIO_PROCESS, 0, -5);
}

static int filter_calls(void *context) {
    (void)context;
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {.len = 1, .filter = &allow};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int write_number(const char *path, const char *number) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    int result = file < 0 || write(file, number, strlen(number)) < 0 ? -1 : 0;
    if (file >= 0)
        close(file);
    return result;
}

static int log_in(void *context) {
    (void)context;
    return write_number("/proc/self/loginuid", "4711");
}

static int be_likelier_to_go(void *context) {
    (void)context;
    return write_number("/proc/self/oom_score_adj", "500");
}

static int lock_memory(void *context) {
    (void)context;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return (int)syscall(SYS_mlock, page, 4096ul); // mlock(3) does nothing under ASan
}

static int set_alarm(void *context) {
    (void)context;
    return timerfd_create(CLOCK_BOOTTIME_ALARM, 0);
}

static int open_raw_socket(void *context) {
    (void)context;
    return socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
}

static int bind_low_port(void *context) {
    (void)context;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(1000)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return bind(socket(AF_INET, SOCK_DGRAM, 0), (struct sockaddr *)&address, sizeof address);
}

static int listen_to_kernel(void *context) {
    (void)context;
    const struct sockaddr_nl any = {.nl_family = AF_NETLINK}; // only bound ones are in /proc
    return bind(socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT), (struct sockaddr *)&any,
                sizeof any);
}

static int watch_directory(void *context) {
    (void)context;
    return inotify_add_watch(inotify_init(), "/", IN_CREATE);
}

static int open_namespace(void *context) {
    (void)context;
    return open("/proc/self/ns/net", O_RDONLY);
}

static int have_set_user_id_memory(void *context) {
    (void)context;
    return fchmod(memfd_create("memory", 0), 04755);
}

static int delete_set_user_id_file(void *context) {
    (void)context;
    int file = open(in(directory, "deleted"), O_RDWR | O_CREAT, 0600);
    return fchmod(file, 04755) < 0 ? -1 : unlink(in(directory, "deleted"));
}

static int lease_file(void *context) {
    (void)context;
    int file = open(in(directory, "leased"), O_RDONLY | O_CREAT, 0600);
    return unlink(in(directory, "leased")) < 0 ? -1 : fcntl(file, F_SETLEASE, F_RDLCK);
}

static int change_root(void *context) {
    (void)context;
    return chroot(directory);
}

static int open_own_memory(void *context) {
    (void)context;
    return open("/proc/self/mem", O_RDONLY);
}

static int read_of_cgroup(void *context) {
    (void)context;
    int file = open("/sys/fs/cgroup/memory/memory.stat", O_RDONLY);
    return file >= 0 ? file : open("/sys/fs/cgroup/cgroup.procs", O_RDONLY);
}

static int open_fifo(void *context) {
    (void)context;
    return mkfifo(in(directory, "nobody's"), 0600) < 0 ? -1
                                                       : open(in(directory, "nobody's"), O_RDWR);
}

static int write_to_file(void *context) {
    (void)context;
    return open(in(directory, "nobody's"), O_WRONLY | O_CREAT, 0600);
}

static int map_file(void *context) {
    (void)context;
    int file = write_to_file(NULL);
    int read_too = open(in(directory, "nobody's"), O_RDWR | O_CLOEXEC);
    return ftruncate(file, 4096) < 0 ||
                   mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, read_too, 0) == MAP_FAILED
               ? -1
               : close(file) + close(read_too);
}

// --- images that claim the same ---

static void without_groups(struct image_set *set) {
    edit_away(set_find(set, "core-"), 0, "5.10.14");
}

static void with_netlink(struct image_set *set) {
    struct bytes socket = {0}, file = {0};
    put_number(&socket, 1, 4000);
    put_number(&socket, 3, NETLINK_KOBJECT_UEVENT);
    put_number(&file, 1, 13);
    put_number(&file, 2, 4000);
    put_data(&file, 7, socket.data, socket.length);
    free(socket.data);
    append_entry(set_find(set, "files.img"), file);
}

static void with_another_root(struct image_set *set) {
    struct image reader = opened(set_find(set, "fs-"));
    struct pb_view entry;
    assert_int_equal(image_next(&reader, &entry.bytes, &entry.length, &failure), 1);
    edit_number(set_find(set, "fs-"), 0, "2", pb_number(entry, 1, 0)); // the working directory
}

// --- the table ---

struct row {
    const char *why; // in both refusals
    // A running process, and what else its judge hasn't.
    int (*prepare)(void *context);
    void (*tighten)(struct policy *policy, struct policy_caller *caller);
    // Images: a field changed in a good set, or more.
    const char *image, *select_path, *select_value, *path;
    uint64_t number;
    const char *text; // instead of the number
    void (*change)(struct image_set *set);
};

static void takes_no_groups_over(struct policy *policy, struct policy_caller *caller) {
    policy->groups_replaced = caller->only_users_groups = false;
}

static void has_low_limits(struct policy *policy, struct policy_caller *caller) {
    (void)policy;
    memset(caller->limits, 0, sizeof caller->limits);
    caller->limits[RLIMIT_NOFILE] = 3;
}

static void is_likelier_to_go(struct policy *policy, struct policy_caller *caller) {
    (void)policy;
    caller->oom_score_adj = 1000;
}

#define CORE "core-", NULL, NULL
#define FILES "files.img", "1"
#define REGULAR "files.img", "3.6", "/srv/example/work/id.out"

static const struct row rows[] = {
    [CLAIM_USER] = {"runs as user", keep_another_user, NULL, CORE, "5.10.5", 0, NULL, NULL},
    [CLAIM_GROUP] = {"runs as group", keep_another_group, NULL, CORE, "5.10.6", 0, NULL, NULL},
    [CLAIM_MEMBERSHIP] = {"is in group", join_group, takes_no_groups_over, CORE, "5.10.14", 4711,
                          NULL, NULL},
    [CLAIM_NO_MEMBERSHIP] = {"no supplementary groups", leave_groups, takes_no_groups_over,
                             .change = without_groups},
    [CLAIM_CAPABILITIES] = {"has capabilities", do_nothing, NULL, CORE, "5.10.10", 1, NULL, NULL},
    [CLAIM_SCHEDULING] = {"at nice -5", be_favoured, NULL, CORE, "5.3", 9, NULL, NULL},
    [CLAIM_FILTER] = {"without no_new_privs", filter_calls, NULL, CORE, "5.11", 2, NULL, NULL},
    [CLAIM_LIMIT] = {"hard limit of", do_nothing, has_low_limits, CORE, "3.8.1.2", 1ull << 40, NULL,
                     NULL},
    [CLAIM_LOGIN] = {"would be audited", log_in, NULL, CORE, "3.13", 0, NULL, NULL},
    [CLAIM_BADNESS] = {"its oom_score_adj is", be_likelier_to_go, is_likelier_to_go, CORE, "3.14",
                       (uint64_t)-1000, NULL, NULL},
    [CLAIM_LOCKED_MEMORY] = {"are locked in memory", lock_memory, has_low_limits, "mm-", NULL, NULL,
                             "14.6", MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, NULL, NULL},
    // Only some kernels label processes: test_facts.c has how a label is read.
    [CLAIM_LABEL] = {"security label", NULL, NULL, CORE, "5.10.15", 0, "user_t", NULL},
    [CLAIM_TIMER] = {"can wake the host up", set_alarm, NULL, FILES, "17", "12.4", 9, NULL, NULL},
    [CLAIM_INET_SOCKET] = {"neither TCP nor UDP", open_raw_socket, NULL, FILES, "4", "4.4", 3, NULL,
                           NULL},
    [CLAIM_PORT] = {"bound to port", bind_low_port, NULL, FILES, "4", "4.7", 80, NULL, NULL},
    [CLAIM_NETLINK_SOCKET] = {"not for routing", listen_to_kernel, NULL, .change = with_netlink},
    [CLAIM_INOTIFY] = {"with inotify", watch_directory, NULL, FILES, "8", "13.5", 0, "", NULL},
    [CLAIM_OPEN_FILE] = {"an open file is of type", open_namespace, NULL, REGULAR, "1", 15, NULL,
                         NULL},
    [CLAIM_MEMFD] = {"set-user-ID", have_set_user_id_memory, NULL, "memfd", NULL, NULL, "9",
                     0104755, NULL, NULL},
    [CLAIM_DELETED_FILE] = {"set-user-ID", delete_set_user_id_file, NULL, "ghost-file-1", NULL,
                            NULL, "3", 0104755, NULL, NULL},
    [CLAIM_LOCK] = {"is leased", lease_file, NULL, "filelocks", NULL, NULL, "1", LOCK_LEASE, NULL,
                    NULL},
    [CLAIM_ROOT] = {"has the root directory", change_root, NULL, .change = with_another_root},
    [CLAIM_PATH] = {"may not have /proc/", open_own_memory, NULL, REGULAR, "3.6", 0, "/proc/1/mem",
                    NULL},
};
_Static_assert(sizeof rows / sizeof rows[0] == CLAIM_KINDS, "every kind of claim has a row");

// --- what is known before the freeze ---

// Whether a claim of the kind is refused, in these words.
static bool is_refused(const struct process_facts *facts, enum claim_kind kind, const char *why,
                       const struct policy *policy, const struct policy_caller *caller) {
    for (size_t i = 0; i < facts->claim_count; i++) {
        struct policy_reason reason;
        if (facts->claims[i]->kind == kind &&
            !policy_allows(policy, caller, facts->claims[i], &reason) &&
            strstr(reason.text, why) != NULL)
            return true;
    }
    return false;
}

static void assert_known(enum claim_kind kind, const struct row *row) {
    struct policy_caller caller = plain_caller();
    struct policy policy = {
        .uid = geteuid(), .gid = getegid(), .groups_replaced = true, .may_open = may_open};
    if (row->tighten != NULL)
        row->tighten(&policy, &caller);
    struct subject subject = subject_start(row->prepare, NULL, -1);
    struct process_facts facts;
    if (subject.error != 0)
        fail_msg("'%s' can't be made here: %s", row->why, strerror(subject.error));
    if (facts_of_process(subject.pid, &facts, &failure) < 0)
        fail_msg("%s", failure.text);
    if (!is_refused(&facts, kind, row->why, &policy, &caller))
        fail_msg("'%s' isn't known before the freeze", row->why);
    facts_free(&facts);
    subject_end(&subject);
}

static void what_the_policy_refuses_is_known_of_a_running_process(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    for (int kind = 0; kind < CLAIM_KINDS; kind++)
        if (kind != CLAIM_LABEL)
            assert_known((enum claim_kind)kind, &rows[kind]);
}

static void labels_are_the_callers_and_sockets_have_none(void **state) {
    (void)state;
    struct policy_caller caller = plain_caller();
    struct policy policy = {.may_open = may_open};
    struct policy_reason reason;
    const struct claim own = {CLAIM_LABEL, {0}, "user_t"},
                       of_sockets = {CLAIM_LABEL, {1}, "user_t"};
    assert_false(policy_allows(&policy, &caller, &own, &reason));
    strcpy(caller.label, "user_t");
    assert_true(policy_allows(&policy, &caller, &own, &reason));
    assert_false(policy_allows(&policy, &caller, &of_sockets, &reason));
}

static void every_kind_of_file_that_has_a_path_is_judged_by_it(void **state) {
    (void)state;
    int (*const prepares[])(void *context) = {open_fifo, write_to_file, map_file};
    for (size_t i = 0; i < sizeof prepares / sizeof prepares[0]; i++) {
        const struct row row = {.why = "nobody's", .prepare = prepares[i]};
        assert_known(CLAIM_PATH, &row);
        unlink(in(directory, "nobody's"));
    }
}

static void a_file_that_is_read_of_a_cgroup_is_left_behind(void **state) {
    (void)state;
    struct subject subject = subject_start(read_of_cgroup, NULL, -1);
    struct process_facts facts;
    if (subject.error != 0) {
        subject_end(&subject);
        skip(); // no cgroups
    }
    assert_int_equal(facts_of_process(subject.pid, &facts, &failure), 0);
    for (size_t i = 0; i < facts.claim_count; i++)
        if (facts.claims[i]->kind == CLAIM_PATH && path_is_of_cgroup(facts.claims[i]->text))
            fail_msg("%s would be judged", facts.claims[i]->text);
    facts_free(&facts);
    subject_end(&subject);
}

static void a_plain_process_claims_nothing_that_is_refused(void **state) {
    (void)state;
    struct subject subject = subject_start(do_nothing, NULL, -1);
    struct process_facts facts;
    struct obstacles obstacles;
    assert_int_equal(facts_of_process(subject.pid, &facts, &failure), 0);
    obstacles_of(&facts, NULL, NULL, &obstacles);
    if (obstacles.count > 0)
        fail_msg("%s", obstacles.list[0].text);
    // And pulled from itself, it may be what it is.
    struct policy_caller caller;
    struct policy policy = {
        .uid = geteuid(), .gid = getegid(), .groups_replaced = true, .may_open = may_open};
    policy_read_caller(&policy, &caller);
    for (size_t i = 0; i < facts.claim_count; i++) {
        struct policy_reason reason;
        if (!policy_allows(&policy, &caller, facts.claims[i], &reason))
            fail_msg("%s", reason.text);
    }
    obstacles_clear(&obstacles);
    facts_free(&facts);
    subject_end(&subject);
}

// --- the images ---

static int judge(const struct image_set *set, enum why_late *why_late) {
    static const gid_t groups[] = {1000, 1001};
    struct policy_caller caller = plain_caller();
    caller.only_users_groups = false;
    struct policy policy = {.uid = 1000,
                            .gid = 1000,
                            .groups = groups,
                            .group_count = 2,
                            .may_open = may_open,
                            .caller = &caller};
    int result = 0;
    for (size_t i = 0; result == 0 && i < set->count; i++)
        result = policy_check(&policy, set->images[i].name, set->images[i].bytes.data,
                              set->images[i].bytes.length, &failure);
    if (result == 0)
        result = policy_complete(&policy, &failure);
    *why_late = policy.why_late;
    return result;
}

static enum why_late images_claim(const struct row *row) {
    enum why_late why_late;
    struct image_set *set = set_load(C_PROGRAM);
    if (row->change != NULL) {
        row->change(set);
    } else {
        struct set_image *image = set_find(set, row->image);
        size_t entry =
            row->select_path != NULL ? entry_with(image, row->select_path, row->select_value) : 0;
        if (row->text != NULL)
            edit_text(image, entry, row->path, row->text);
        else
            edit_number(image, entry, row->path, row->number);
    }
    if (judge(set, &why_late) == 0)
        fail_msg("'%s' is taken from images", row->why);
    if (strstr(failure.text, row->why) == NULL)
        fail_msg("'%s' doesn't say '%s'", failure.text, row->why);
    set_free(set);
    return why_late;
}

static void the_same_is_refused_of_images(void **state) {
    (void)state;
    for (int kind = 0; kind < CLAIM_KINDS; kind++)
        images_claim(&rows[kind]);
}

// --- what is in the way of any clone ---

// The facts of a process, and room for one of each thing.
struct seen {
    struct process_facts facts;
    struct task_facts tasks[2];
    struct fd_facts fd;
    struct mapping_facts mapping;
    struct socket_facts socket;
};

static void see_mapping(struct seen *seen, char *name) {
    seen->mapping = (struct mapping_facts){.pid = 7, .name = name, .length = 4096};
    seen->facts.mapping_count = 1;
}

static void see_fd(struct seen *seen, struct fd_facts fd) {
    seen->fd = fd;
    seen->facts.fd_count = 1;
}

static void see_probes(struct seen *seen) {
    see_mapping(seen, "[uprobes]");
}

static void see_device(struct seen *seen) {
    see_fd(seen, (struct fd_facts){.kind = FD_CHARACTER,
                                   .target = "/dev/nvidia0",
                                   .device_number = makedev(195, 0)});
}

static void see_shared_memory(struct seen *seen) {
    see_mapping(seen, "/SYSV00000000 (deleted)");
}

static void see_child_with_other_network(struct seen *seen) {
    seen->facts.task_count = 2;
    seen->tasks[1].namespaces[NAMESPACE_NET]++;
}

static void see_file_of_other_mount(struct seen *seen) {
    see_fd(seen, (struct fd_facts){.kind = FD_REGULAR, .target = "/file", .lost_mount = true});
}

static void see_unix_peer(struct seen *seen) {
    see_fd(seen, (struct fd_facts){.kind = FD_SOCKET, .target = "socket:[4711]"});
    seen->socket = (struct socket_facts){.protocol = "UNIX-STREAM", .outside = true};
    seen->facts.socket_count = 1;
}

static void see_file_with_other_name(struct seen *seen) {
    see_fd(seen,
           (struct fd_facts){.kind = FD_REGULAR, .target = "/file", .deleted = true, .links = 1});
}

static void see_terminal(struct seen *seen) {
    see_fd(seen, (struct fd_facts){.kind = FD_CHARACTER,
                                   .target = "/dev/pts/3",
                                   .device_number = makedev(136, 3)});
}

static void with_serial_line(struct image_set *set) {
    struct bytes info = {0};
    put_number(&info, 1, 1);
    put_number(&info, 2, 2);
    set_add(set, "tty-info.img", "\x19\x43VT\x36\x30\x45\x59", 8);
    append_entry(set_find(set, "tty-info"), info);
}

static const struct obstacle_row {
    void (*see)(struct seen *seen);
    const char *seen;
    struct row images;
} obstacle_rows[WHYS_LATE] = {
    [OBSTACLE_PROBES] = {see_probes,
                         "user-space probes",
                         {.why = "probes", .image = "inventory", .path = "14", .number = 1}},
    [OBSTACLE_DEVICE] = {see_device,
                         "/dev/nvidia0",
                         {.why = "plug-in", .image = "inventory", .path = "12.12", .text = "cuda"}},
    [OBSTACLE_MEMORY] = {see_shared_memory,
                         "System V",
                         {.why = "System V", .image = "mm-", .path = "14.7", .number = 1 << 10}},
    [OBSTACLE_NAMESPACE] = {see_child_with_other_network,
                            "another net namespace",
                            {.why = "a namespace", .image = "ids-", .path = "6", .number = 77}},
    [OBSTACLE_MOUNT] = {see_file_of_other_mount,
                        "another mount namespace",
                        {"another mount namespace", NULL, NULL, REGULAR, "3.9", 1, NULL, NULL}},
    [OBSTACLE_UNIX_PEER] = {see_unix_peer,
                            "outside its tree by a unix socket",
                            {"outside the image", NULL, NULL, FILES, "5", "16.6", 1, NULL, NULL}},
    [OBSTACLE_OTHER_NAME] = {see_file_with_other_name,
                             "which has another",
                             {.why = "under another name", .image = "remap-fpath", .path = "3"}},
    [OBSTACLE_TERMINAL] = {see_terminal,
                           "the terminal /dev/pts/3",
                           {.why = "a pseudo terminal", .change = with_serial_line}},
};

static void assert_seen(const struct obstacle_row *row) {
    struct seen seen = {.tasks = {{.pid = 7, .inner_pid = 7, .session = 7, .command = ""},
                                  {.pid = 8, .inner_pid = 8, .session = 7, .command = ""}}};
    for (size_t task = 0; task < 2; task++)
        for (size_t i = 0; i < NAMESPACE_KINDS; i++)
            seen.tasks[task].namespaces[i] = 1;
    seen.facts = (struct process_facts){.root = 7,
                                        .tasks = seen.tasks,
                                        .task_count = 1,
                                        .fds = &seen.fd,
                                        .mappings = &seen.mapping,
                                        .sockets = &seen.socket};
    row->see(&seen);
    struct obstacles obstacles;
    obstacles_of(&seen.facts, NULL, NULL, &obstacles);
    assert_int_equal(obstacles.count, 1);
    if (strstr(obstacles.list[0].text, row->seen) == NULL)
        fail_msg("'%s' doesn't say '%s'", obstacles.list[0].text, row->seen);
    obstacles_clear(&obstacles);
}

static void obstacles_are_seen_before_images_show_them(void **state) {
    (void)state;
    for (int kind = OBSTACLE_PROBES; kind < WHYS_LATE; kind++) {
        assert_non_null(obstacle_rows[kind].see);
        assert_seen(&obstacle_rows[kind]);
        assert_int_equal(images_claim(&obstacle_rows[kind].images), kind);
    }
}

// --- claims of a peer ---

static void claims_that_are_none_are_refused(void **state) {
    (void)state;
    static const struct claim claims[] = {
        {.kind = CLAIM_KINDS}, {.kind = (enum claim_kind)UINT32_MAX},
        {.kind = CLAIM_ROOT},                                          // without its path
        {.kind = CLAIM_PATH},  {.kind = CLAIM_USER, .text = "nobody"}, // with a text
    };
    struct policy_caller caller = plain_caller();
    struct policy policy = {.may_open = may_open};
    struct policy_reason reason;
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++)
        assert_false(policy_allows(&policy, &caller, &claims[i], &reason));
    for (int kind = 0; kind < CLAIM_KINDS; kind++) {
        struct claim extreme = {
            .kind = (enum claim_kind)kind,
            .numbers = {INT64_MIN, INT64_MAX, INT64_MIN},
            .text = kind == CLAIM_LABEL || kind == CLAIM_ROOT || kind == CLAIM_PATH ? "" : NULL};
        policy_allows(&policy, &caller, &extreme, &reason);
    }
}

static int set_up(void **state) {
    (void)state;
    directory = test_directory();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    rmdir(directory);
    free(directory);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_policy_refuses_is_known_of_a_running_process),
        cmocka_unit_test(every_kind_of_file_that_has_a_path_is_judged_by_it),
        cmocka_unit_test(a_file_that_is_read_of_a_cgroup_is_left_behind),
        cmocka_unit_test(a_plain_process_claims_nothing_that_is_refused),
        cmocka_unit_test(the_same_is_refused_of_images),
        cmocka_unit_test(labels_are_the_callers_and_sockets_have_none),
        cmocka_unit_test(obstacles_are_seen_before_images_show_them),
        cmocka_unit_test(claims_that_are_none_are_refused),
    };
    return cmocka_run_group_tests_name("judge", tests, set_up, tear_down);
}
