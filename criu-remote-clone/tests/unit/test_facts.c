// SPDX-License-Identifier: Apache-2.0
// Facts about hosts, files and processes. What CRIU refuses of a process: test_obstacles.c.
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "facts_internal.h"
#include "memory.h"
#include "process_tree.h"
#include "procfs.h"
#include "removal.h"
#include "scratch.h"
#include "subject.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MIB (1ull << 20)

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

// --- the host ---

static void assert_flags(const char *cpuinfo, size_t wanted_count, const char *const *wanted) {
    size_t count;
    char **flags = cpu_flags_in_common(cpuinfo, &count);
    assert_int_equal(count, wanted_count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(flags[i], wanted[i]);
    texts_free(flags, count);
}

static void flags_are_those_that_all_cpus_have_sorted(void **state) {
    (void)state;
    static const char *const wanted[] = {"avx", "fpu", "sse2"};
    assert_flags("processor\t: 0\nflags\t\t: fpu sse2 avx avx2\nbugs\t\t: x\n\n"
                 "processor\t: 1\nflags\t\t: avx avx5 sse2 fpu\nbugs\t\t: y\n",
                 3, wanted);
}

static void flags_have_other_names_on_other_machines(void **state) {
    (void)state;
    static const char *const wanted[] = {"asimd", "fp"};
    assert_flags("processor\t: 0\nFeatures\t: fp asimd\n\nprocessor\t: 1\nFeatures\t: fp asimd\n",
                 2, wanted);
}

static void a_cpuinfo_without_flags_has_none(void **state) {
    (void)state;
    assert_flags("processor\t: 0\n", 0, NULL);
    assert_flags("", 0, NULL);
}

static void group(const char *name) {
    assert_int_equal(mkdir(in(directory, name), 0700), 0);
}

static void put(const char *name, const char *text) {
    write_file(in(directory, name), text);
}

static void headroom_is_the_least_of_a_cgroup_and_its_ancestors(void **state) {
    (void)state;
    group("outer");
    put("outer/memory.max", "max\n");
    put("outer/memory.high", "1000000\n");
    put("outer/memory.current", "900000\n");
    group("outer/inner");
    put("outer/inner/memory.max", "5000000\n");
    put("outer/inner/memory.high", "max\n");
    put("outer/inner/memory.current", "500000\n");
    assert_int_equal(cgroup_headroom(directory, "/outer/inner", true), 100000);
    assert_int_equal(cgroup_headroom(directory, "/outer", true), 100000);
    assert_int_equal(cgroup_headroom(in(directory, "outer"), "/inner", true), 100000);
    assert_int_equal(cgroup_headroom(in(directory, "outer/inner"), "", true), 4500000);
}

static void headroom_counts_cache_that_can_be_dropped_at_once(void **state) {
    (void)state;
    group("v2");
    put("v2/memory.max", "1000000\n");
    put("v2/memory.current", "1200000\n");
    put("v2/memory.stat", "anon 1\ninactive_file 500000\nactive_file 99999\nfile_dirty 60000\n"
                          "file_writeback 40000\n");
    assert_int_equal(cgroup_headroom(directory, "/v2", true), 200000);
}

static void headroom_of_version_1_counts_the_whole_hierarchy(void **state) {
    (void)state;
    group("v1");
    put("v1/memory.limit_in_bytes", "1000000\n");
    put("v1/memory.usage_in_bytes", "900000\n");
    put("v1/memory.stat", "inactive_file 7\ntotal_inactive_file 300000\ntotal_dirty 100000\n");
    assert_int_equal(cgroup_headroom(directory, "/v1", false), 300000);
}

static void a_cgroup_beyond_its_limit_has_no_headroom(void **state) {
    (void)state;
    group("full");
    put("full/memory.max", "1000\n");
    put("full/memory.current", "2000\n");
    assert_int_equal(cgroup_headroom(directory, "/full", true), 0);
}

static void without_limits_headroom_is_unlimited(void **state) {
    (void)state;
    assert_int_equal(cgroup_headroom(directory, "/nothing", true), UINT64_MAX);
    assert_int_equal(cgroup_headroom(directory, "", false), UINT64_MAX);
}

static void available_memory_is_within_what_the_host_has(void **state) {
    (void)state;
    uint64_t total = 0;
    char *meminfo = procfs_read(NULL, "/proc/meminfo");
    assert_true(procfs_number(meminfo, "MemTotal", &total));
    free(meminfo);
    assert_true(facts_memory_available(0) > 0);
    assert_true(facts_memory_available(0) <= total);
    assert_true(facts_memory_available(getpid()) <= total);
}

// What `seen` is for a process whose /proc is as in our directory; -1 if none can be had here.
static int with_proc(const char *proc, int (*seen)(void)) {
    const char *place = in(directory, proc);
    pid_t child = fork();
    if (child == 0) {
        bool there = unshare(geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
                     mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                     mount(place, "/proc", NULL, MS_BIND, NULL) == 0;
        _exit(there ? seen() : 255);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) == 255 ? -1 : WEXITSTATUS(status);
}

static int memory_is_not_known(void) {
    return facts_memory_of_host() == UINT64_MAX && facts_memory_available(0) == UINT64_MAX;
}

static void memory_that_nothing_tells_of_is_not_known(void **state) {
    (void)state;
    group("no-proc");
    int seen = with_proc("no-proc", memory_is_not_known);
    if (seen < 0)
        skip();
    assert_int_equal(seen, 1);
}

static int no_memory_is_known(void) {
    struct failure failure;
    CloneWire__HostFacts *facts = facts_of_host("4.2.1", &failure);
    return facts != NULL && facts->has_memory_available && facts->memory_available == 0;
}

static void no_memory_in_a_full_cgroup_is_known(void **state) {
    (void)state;
    char line[4200];
    group("pressed");
    put("pressed/memory.high", "1000\n");
    put("pressed/memory.max", "max\n");
    put("pressed/memory.current", "2000\n");
    group("proc");
    group("proc/self");
    put("proc/meminfo", "MemAvailable: 1000 kB\n");
    put("proc/cpuinfo", "flags : fpu\n");
    put("proc/self/cgroup", "0::/\n");
    snprintf(line, sizeof line, "30 24 0:26 / %s rw - cgroup2 cgroup rw\n",
             in(directory, "pressed"));
    put("proc/self/mountinfo", line);
    int seen = with_proc("proc", no_memory_is_known);
    if (seen < 0)
        skip();
    assert_int_equal(seen, 1);
}

static void host_facts_are_this_hosts(void **state) {
    (void)state;
    struct failure failure;
    struct utsname system;
    uname(&system);
    CloneWire__HostFacts *facts = facts_of_host("4.2.1", &failure);
    assert_non_null(facts);
    assert_string_equal(facts->criu_version, "4.2.1");
    assert_string_equal(facts->kernel_release, system.release);
    assert_string_equal(facts->architecture, system.machine);
    assert_int_equal(facts->page_size, getpagesize());
    assert_true(facts->n_cpu_flag > 0);
    assert_true(facts->has_memory_available);
    protobuf_c_message_free_unpacked(&facts->base, NULL);
}

static void pid_max_is_above_our_own_pid(void **state) {
    (void)state;
    assert_true(facts_pid_max() > (uint32_t)getpid());
}

// --- files ---

struct own_id {
    uint8_t id[64];
    size_t length;
};

static int find_own_id(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    struct own_id *own = context;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_NOTE)
            continue;
        const uint8_t *note = (const uint8_t *)object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        const uint8_t *end = note + object->dlpi_phdr[i].p_memsz;
        while (note < end) {
            const ElfW(Nhdr) *head = (const void *)note;
            if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4) {
                own->length = head->n_descsz;
                memcpy(own->id, note + sizeof *head + 4, own->length);
            }
            note += sizeof *head + ((head->n_namesz + 3u) & ~3u) + ((head->n_descsz + 3u) & ~3u);
        }
    }
    return 1; // the first is the program
}

static void the_build_id_is_what_the_linker_wrote(void **state) {
    (void)state;
    struct own_id own = {.length = 0};
    uint8_t id[64];
    dl_iterate_phdr(find_own_id, &own);
    assert_true(own.length > 0);
    assert_int_equal(facts_build_id("/proc/self/exe", id, sizeof id), own.length);
    assert_memory_equal(id, own.id, own.length);
    assert_int_equal(facts_build_id("/proc/self/exe", id, own.length - 1), 0);
}

static void what_is_no_elf_file_has_no_build_id(void **state) {
    (void)state;
    uint8_t id[64];
    const char *path = in(directory, "text");
    write_file(path, "hello");
    assert_int_equal(facts_build_id(path, id, sizeof id), 0);
    write_file(path, "");
    assert_int_equal(facts_build_id(path, id, sizeof id), 0);
    assert_int_equal(facts_build_id(directory, id, sizeof id), 0);
    assert_int_equal(facts_build_id(in(directory, "nothing"), id, sizeof id), 0);
}

// A small ELF file whose claims can be changed.
struct small_elf {
    Elf64_Ehdr head;
    Elf64_Phdr segment;
    Elf64_Nhdr note;
    char name[4];
    uint8_t id[20];
};

static struct small_elf small_elf(void) {
    struct small_elf elf = {.head = {.e_phoff = offsetof(struct small_elf, segment), .e_phnum = 1},
                            .segment = {.p_type = PT_NOTE,
                                        .p_offset = offsetof(struct small_elf, note),
                                        .p_filesz = 36},
                            .note = {.n_namesz = 4, .n_descsz = 20, .n_type = NT_GNU_BUILD_ID},
                            .name = "GNU",
                            .id = {1, 2, 3}};
    memcpy(elf.head.e_ident, ELFMAG, SELFMAG);
    elf.head.e_ident[EI_CLASS] = ELFCLASS64;
    elf.head.e_ident[EI_DATA] = ELFDATA2LSB;
    return elf;
}

static size_t id_of_bytes(const void *bytes, size_t length) {
    uint8_t id[64];
    const char *path = in(directory, "elf");
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_int_equal(write(fd, bytes, length), length);
    close(fd);
    return facts_build_id(path, id, sizeof id);
}

static void elf_files_that_lie_have_no_build_id(void **state) {
    (void)state;
    struct small_elf elf = small_elf();
    assert_int_equal(id_of_bytes(&elf, sizeof elf), 20);
    for (size_t length = 0; length < offsetof(struct small_elf, id) + sizeof elf.id; length++)
        assert_int_equal(id_of_bytes(&elf, length), 0);
    elf.note.n_namesz = UINT32_MAX;
    assert_int_equal(id_of_bytes(&elf, sizeof elf), 0);
    elf = small_elf();
    elf.note.n_descsz = UINT32_MAX;
    assert_int_equal(id_of_bytes(&elf, sizeof elf), 0);
    elf = small_elf();
    elf.segment.p_filesz = UINT64_MAX;
    assert_int_equal(id_of_bytes(&elf, sizeof elf), 0);
    elf = small_elf();
    elf.segment.p_offset = UINT64_MAX - 2;
    assert_int_equal(id_of_bytes(&elf, sizeof elf), 0);
    elf = small_elf();
    elf.head.e_phoff = UINT64_MAX - 60;
    elf.head.e_phnum = UINT16_MAX;
    assert_int_equal(id_of_bytes(&elf, sizeof elf), 0);
}

// What the sanitizers watch: nothing is read or written beyond its end.
static void damaged_elf_files_are_read_safely(void **state) {
    (void)state;
    srand(1);
    for (int round = 0; round < 3000; round++) {
        struct small_elf elf = small_elf();
        for (int change = rand() % 4; change >= 0; change--)
            ((uint8_t *)&elf)[4 + (size_t)rand() % (sizeof elf - 4)] = (uint8_t)rand();
        assert_true(id_of_bytes(&elf, (size_t)rand() % sizeof elf + 1) <= 64);
    }
}

static CloneWire__FileFacts facts_of(const char *path, bool hash) {
    CloneWire__FileFacts facts;
    struct failure failure;
    assert_int_equal(facts_of_file(path, hash, &facts, &failure), 0);
    return facts;
}

static void facts_of_a_regular_file_are_its_status_and_contents(void **state) {
    (void)state;
    const char *path = in(directory, "file");
    write_file(path, "hello");
    chmod(path, 0640);
    struct stat status;
    stat(path, &status);
    CloneWire__FileFacts facts = facts_of(path, true);
    assert_string_equal(facts.path, path);
    assert_int_equal(facts.size, 5);
    assert_int_equal(facts.mode, S_IFREG | 0640);
    assert_int_equal(facts.uid, geteuid());
    assert_int_equal(facts.gid, getegid());
    assert_int_equal(facts.mtime_ns, status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec);
    assert_false(facts.has_build_id);
    assert_null(facts.link_target);
    // XXH3-128 of "hello", as `xxhsum -H2` prints it.
    static const uint8_t hash[] = {0xb5, 0xe9, 0xc1, 0xad, 0x07, 0x1b, 0x3e, 0x7f,
                                   0xc7, 0x79, 0xcf, 0xaa, 0x5e, 0x52, 0x38, 0x18};
    assert_int_equal(facts.content_hash.len, sizeof hash);
    assert_memory_equal(facts.content_hash.data, hash, sizeof hash);
    facts_file_clear(&facts);
    facts = facts_of(path, false);
    assert_false(facts.has_content_hash);
    facts_file_clear(&facts);
}

static void an_elf_file_has_a_build_id_instead_of_a_hash(void **state) {
    (void)state;
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length] = 0;
    CloneWire__FileFacts facts = facts_of(program, true);
    assert_true(facts.has_build_id);
    assert_false(facts.has_content_hash);
    facts_file_clear(&facts);
}

static void large_files_are_not_hashed(void **state) {
    (void)state;
    const char *path = in(directory, "large");
    write_file(path, "");
    assert_int_equal(truncate(path, 64 * MIB + 1), 0);
    CloneWire__FileFacts facts = facts_of(path, true);
    assert_int_equal(facts.size, 64 * MIB + 1);
    assert_false(facts.has_content_hash);
    facts_file_clear(&facts);
}

static void links_are_not_followed(void **state) {
    (void)state;
    const char *path = in(directory, "link");
    assert_int_equal(symlink("some/where", path), 0);
    CloneWire__FileFacts facts = facts_of(path, true);
    assert_true(S_ISLNK(facts.mode));
    assert_string_equal(facts.link_target, "some/where");
    facts_file_clear(&facts);
}

static void a_fifo_does_not_hold_us_up(void **state) {
    (void)state;
    const char *path = in(directory, "fifo");
    uint8_t id[64];
    assert_int_equal(mkfifo(path, 0600), 0);
    CloneWire__FileFacts facts = facts_of(path, true);
    assert_true(S_ISFIFO(facts.mode));
    facts_file_clear(&facts);
    assert_int_equal(facts_build_id(path, id, sizeof id), 0);
}

static void nothing_at_a_path_is_not_a_failure(void **state) {
    (void)state;
    CloneWire__FileFacts facts;
    struct failure failure;
    write_file(in(directory, "plain"), "");
    assert_int_equal(facts_of_file(in(directory, "nothing"), true, &facts, &failure), 1);
    assert_int_equal(facts_of_file(in(directory, "plain/below"), true, &facts, &failure), 1);
}

// --- processes ---

static struct process_facts facts_of_subject(const struct subject *subject) {
    struct process_facts facts;
    struct failure failure;
    assert_int_equal(subject->error, 0);
    if (facts_of_process(subject->pid, &facts, &failure) < 0)
        fail_msg("%s", failure.text);
    return facts;
}

static int do_nothing(void *context) {
    (void)context;
    return 0;
}

static void a_plain_process_is_what_it_is(void **state) {
    (void)state;
    struct subject subject = subject_start(do_nothing, NULL, -1);
    struct process_facts facts = facts_of_subject(&subject);
    char here[4096];
    assert_int_equal(facts.task_count, 1);
    assert_int_equal(facts.tasks[0].pid, subject.pid);
    assert_int_equal(facts.tasks[0].inner_pid, subject.pid);
    assert_int_equal(facts.tasks[0].thread_count, 1);
    assert_string_equal(facts.tasks[0].command, "test_facts");
    assert_true(facts.highest_id >= (uint32_t)subject.pid);
    assert_int_equal(facts.uid, geteuid());
    assert_int_equal(facts.gid, getegid());
    assert_string_equal(facts.working_directory, getcwd(here, sizeof here));
    assert_string_equal(strrchr(facts.executable, '/'), "/test_facts");
    assert_int_equal(facts.fd_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(facts.fds[i].target, "/dev/null");
        assert_int_equal(facts.fds[i].kind, FD_CHARACTER);
        assert_int_equal(facts.fds[i].flags & O_ACCMODE, O_RDWR);
    }
    facts_free(&facts);
    subject_end(&subject);
}

static void *wait_in_thread(void *context) {
    (void)context;
    subject_wait_forever();
    return NULL;
}

static int have_threads_and_children(void *context) {
    (void)context;
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        if (pthread_create(&thread, NULL, wait_in_thread, NULL) != 0)
            return -1;
    for (int i = 0; i < 2; i++)
        if (subject_idle_child() < 0)
            return -1;
    return 0;
}

static void threads_and_descendants_are_found(void **state) {
    (void)state;
    struct subject subject = subject_start(have_threads_and_children, NULL, -1);
    struct process_facts facts = facts_of_subject(&subject);
    assert_int_equal(facts.task_count, 3);
    assert_int_equal(facts.tasks[0].pid, subject.pid);
    assert_int_equal(facts.tasks[0].thread_count, 4);
    assert_int_equal(facts.tasks[1].thread_count, 1);
    assert_true(facts.highest_id >= (uint32_t)facts.tasks[2].pid);
    facts_free(&facts);
    subject_end(&subject);
}

static void children_are_found_without_the_kernels_list_too(void **state) {
    (void)state;
    struct subject subject = subject_start(have_threads_and_children, NULL, -1);
    pid_t *listed = NULL, *scanned = NULL;
    size_t listed_count = 0, scanned_count = 0;
    children_of(subject.pid, false, &listed, &listed_count);
    children_of(subject.pid, true, &scanned, &scanned_count);
    assert_int_equal(listed_count, 2);
    assert_int_equal(scanned_count, 2);
    assert_true((listed[0] == scanned[0] && listed[1] == scanned[1]) ||
                (listed[0] == scanned[1] && listed[1] == scanned[0]));
    free(listed);
    free(scanned);
    subject_end(&subject);
}

static int touch(int flags) {
    char *memory = mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    memset(memory, 1, 32 * MIB);
    return 0;
}

static int touch_private_memory(void *context) {
    (void)context;
    return touch(MAP_PRIVATE);
}

static int touch_shared_memory_with_a_child(void *context) {
    (void)context;
    char *memory = mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int ready[2];
    if (memory == MAP_FAILED || pipe(ready) < 0)
        return -1;
    memset(memory, 1, 32 * MIB);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        memset(memory, 2, 32 * MIB);
        close(ready[1]);
        subject_wait_forever();
    }
    close(ready[1]);
    char end;
    return (int)read(ready[0], &end, 1);
}

static uint64_t memory_of(int (*prepare)(void *context)) {
    struct subject subject = subject_start(prepare, NULL, -1);
    struct process_facts facts = facts_of_subject(&subject);
    uint64_t bytes = 0;
    for (size_t i = 0; i < facts.task_count; i++)
        bytes += facts.tasks[i].anonymous_bytes;
    facts_free(&facts);
    subject_end(&subject);
    return bytes;
}

static void imaged_memory_is_what_was_touched(void **state) {
    (void)state;
    uint64_t idle = memory_of(do_nothing), touched = memory_of(touch_private_memory);
    assert_true(touched >= idle + 31 * MIB && touched <= idle + 40 * MIB);
}

static atomic_bool *given_back; // shared with the subject
static void *to_give_back;

static void give_back(int number) {
    (void)number;
    munmap(to_give_back, 32 * MIB);
    *given_back = true;
}

static int touch_memory_that_a_signal_frees(void *context) {
    (void)context;
    to_give_back = mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (to_give_back == MAP_FAILED || signal(SIGUSR1, give_back) == SIG_ERR)
        return -1;
    memset(to_give_back, 1, 32 * MIB);
    return 0;
}

static void imaged_memory_follows_what_is_given_back(void **state) {
    (void)state;
    given_back =
        mmap(NULL, sizeof *given_back, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct subject subject = subject_start(touch_memory_that_a_signal_frees, NULL, -1);
    struct process_facts facts = facts_of_subject(&subject);
    uint64_t before = facts_imaged_bytes(&facts);
    assert_true(before >= 32 * MIB);
    kill(subject.pid, SIGUSR1);
    while (!*given_back)
        usleep(1000);
    assert_true(facts_imaged_bytes(&facts) <= before - 31 * MIB);
    facts_free(&facts);
    subject_end(&subject);
    munmap(given_back, sizeof *given_back);
}

static void shared_memory_counts_once_for_the_tree(void **state) {
    (void)state;
    uint64_t idle = memory_of(do_nothing), touched = memory_of(touch_shared_memory_with_a_child);
    assert_true(touched >= idle + 31 * MIB && touched <= 2 * idle + 48 * MIB);
}

static int open_files(void *context) {
    (void)context;
    int appended = open(in(directory, "appended"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    int deleted = open(in(directory, "deleted"), O_RDWR | O_CREAT, 0600);
    int named = open(in(directory, "named (deleted)"), O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
    unlink(in(directory, "deleted"));
    int mapped = open(in(directory, "mapped\nfile"), O_RDWR | O_CREAT, 0600);
    int ends[2];
    if (appended < 0 || deleted < 0 || named < 0 || mapped < 0 || pipe(ends) < 0 ||
        ftruncate(mapped, 8192) < 0 || open(directory, O_RDONLY | O_DIRECTORY) < 0)
        return -1;
    void *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, mapped, 0);
    close(mapped);
    return memory == MAP_FAILED ? -1 : 0;
}

static const struct fd_facts *fd_of(const struct process_facts *facts, const char *target) {
    for (size_t i = 0; i < facts->fd_count; i++)
        if (strcmp(facts->fds[i].target, target) == 0)
            return &facts->fds[i];
    fail_msg("%s isn't open", target);
    return NULL;
}

static const struct mapped_file *mapped_of(const struct process_facts *facts, const char *path) {
    for (size_t i = 0; i < facts->mapped_count; i++)
        if (strcmp(facts->mapped[i].path, path) == 0)
            return &facts->mapped[i];
    fail_msg("%s isn't mapped", path);
    return NULL;
}

static void open_files_come_with_their_flags(void **state) {
    (void)state;
    struct subject subject = subject_start(open_files, NULL, -1);
    struct process_facts facts = facts_of_subject(&subject);
    const struct fd_facts *fd = fd_of(&facts, in(directory, "appended"));
    assert_int_equal(fd->kind, FD_REGULAR);
    assert_int_equal(fd->flags & (O_ACCMODE | O_APPEND), O_WRONLY | O_APPEND);
    assert_false(fd->deleted);
    fd = fd_of(&facts, in(directory, "deleted"));
    assert_true(fd->deleted);
    fd = fd_of(&facts, in(directory, "named (deleted)"));
    assert_false(fd->deleted);
    assert_int_equal(fd_of(&facts, directory)->kind, FD_DIRECTORY);
    struct stat status;
    stat(in(directory, "appended"), &status);
    assert_int_equal(fd_of(&facts, in(directory, "appended"))->inode, status.st_ino);
    assert_int_equal(fd_of(&facts, in(directory, "appended"))->device, status.st_dev);
    facts_free(&facts);
    subject_end(&subject);
}

enum { CHANGING = 100 };

// The number stands for the one file and the other by turns, for half a millisecond each.
static void *change(void *files) {
    for (int turn = 0;; turn = 1 - turn) {
        dup2(((const int *)files)[turn], CHANGING);
        usleep(500);
    }
    return NULL;
}

static int open_changing(void *context) {
    (void)context;
    static int files[2];
    pthread_t thread;
    files[0] = open(in(directory, "read"), O_RDONLY | O_CREAT, 0600);
    files[1] = open(in(directory, "written"), O_WRONLY | O_CREAT, 0600);
    return files[0] < 0 || files[1] < 0 || pthread_create(&thread, NULL, change, files) != 0 ? -1
                                                                                             : 0;
}

static bool is_mixed_up(const struct fd_facts *fd) {
    bool read = strcmp(fd->target, in(directory, "read")) == 0;
    return fd->fd == CHANGING && (fd->flags & O_ACCMODE) != (read ? O_RDONLY : O_WRONLY);
}

static void files_that_had_one_number_are_not_mixed_up(void **state) {
    (void)state;
    struct subject subject = subject_start(open_changing, NULL, -1);
    int mixed_up = 0;
    for (int i = 0; i < 2000; i++) {
        struct process_facts facts = facts_of_subject(&subject);
        for (size_t fd = 0; fd < facts.fd_count; fd++)
            mixed_up += is_mixed_up(&facts.fds[fd]);
        facts_free(&facts);
    }
    // Whoever loses his processor at the wrong moments may see two changes as none; some thirty
    // times less often than one.
    assert_true(mixed_up <= 5);
    subject_end(&subject);
}

static void mapped_files_are_listed_once(void **state) {
    (void)state;
    struct subject subject = subject_start(open_files, NULL, -1);
    struct process_facts facts = facts_of_subject(&subject);
    const struct mapped_file *mapped = mapped_of(&facts, in(directory, "mapped\nfile"));
    assert_true(mapped->shared_writable);
    assert_false(mapped->executable);
    assert_false(mapped->deleted);
    mapped = mapped_of(&facts, facts.executable);
    assert_true(mapped->executable);
    assert_false(mapped->shared_writable);
    for (size_t i = 1; i < facts.mapped_count; i++)
        assert_true(strcmp(facts.mapped[i - 1].path, facts.mapped[i].path) < 0);
    facts_free(&facts);
    subject_end(&subject);
}

static int enter_pid_namespace(void *context) {
    (void)context;
    int ready[2];
    if (unshare(CLONE_NEWPID) < 0 || pipe(ready) < 0)
        return -1;
    if (fork() == 0) { // its init
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (fork() == 0) {
            close(ready[1]);
            subject_wait_forever();
        }
        close(ready[1]);
        subject_wait_forever();
    }
    close(ready[1]);
    char end;
    ssize_t got = read(ready[0], &end, 1);
    close(ready[0]);
    return (int)got;
}

static void inner_ids_are_those_of_the_innermost_namespace(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    struct subject subject = subject_start(enter_pid_namespace, NULL, -1);
    struct process_facts facts = facts_of_subject(&subject);
    assert_int_equal(facts.task_count, 3);
    assert_int_equal(facts.tasks[0].inner_pid, subject.pid);
    assert_int_equal(facts.tasks[1].inner_pid, 1);
    assert_int_equal(facts.tasks[2].inner_pid, 2);
    facts_free(&facts);
    subject_end(&subject);
}

static void what_is_no_process_is_refused(void **state) {
    (void)state;
    struct process_facts facts;
    struct failure failure;
    static const pid_t none[] = {0, -1, INT_MAX};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_int_equal(facts_of_process(none[i], &facts, &failure), -1);
        assert_int_equal(failure.code, EXIT_REFUSED);
    }
    pid_t dead = fork();
    if (dead == 0)
        _exit(0);
    siginfo_t ended;
    waitid(P_PID, (id_t)dead, &ended, WEXITED | WNOWAIT);
    assert_int_equal(facts_of_process(dead, &facts, &failure), -1);
    assert_int_equal(failure.code, EXIT_REFUSED);
    waitpid(dead, NULL, 0);
}

static void a_thread_is_not_taken_for_a_process(void **state) {
    (void)state;
    struct subject subject = subject_start(have_threads_and_children, NULL, -1);
    struct process_facts facts;
    struct failure failure;
    facts = facts_of_subject(&subject);
    facts_free(&facts);
    char *status = NULL;
    pid_t thread = subject.pid;
    for (pid_t tid = subject.pid + 1; thread == subject.pid; tid++) {
        free(status);
        status = procfs_read(NULL, "/proc/%d/task/%d/status", subject.pid, tid);
        if (status != NULL)
            thread = tid;
    }
    free(status);
    assert_int_equal(facts_of_process(thread, &facts, &failure), -1);
    assert_int_equal(failure.code, EXIT_REFUSED);
    assert_non_null(strstr(failure.text, "thread"));
    subject_end(&subject);
}

// --- needed files ---

static int use_files(void *context) {
    (void)context;
    int mapped = open(in(directory, "needed-mapped"), O_RDONLY);
    void *memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, mapped, 0);
    close(mapped);
    return memory == MAP_FAILED || open(in(directory, "needed-read"), O_RDONLY) < 0 ||
                   open(in(directory, "needed-written"), O_WRONLY) < 0 ||
                   open(in(directory, "set/own"), O_RDWR) < 0 ||
                   open("/proc/self/status", O_RDONLY) < 0
               ? -1
               : 0;
}

struct needed {
    CloneWire__FileFacts **files;
    size_t count;
};

static const CloneWire__FileFacts *needed_of(const struct needed *needed, const char *path) {
    for (size_t i = 0; i < needed->count; i++)
        if (strcmp(needed->files[i]->path, path) == 0)
            return needed->files[i];
    return NULL;
}

static void a_label_is_read_without_its_mode(void **state) {
    (void)state;
    static const struct {
        const char *text, *label;
    } cases[] = {{"", ""},
                 {"unconfined\n", ""},
                 {"docker-default (enforce)\n", "docker-default"},
                 {"system_u:system_r:httpd_t:s0", "system_u:system_r:httpd_t:s0"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char label[64];
        write_file(in(directory, "label"), cases[i].text);
        procfs_label(in(directory, "label"), label, sizeof label);
        assert_string_equal(label, cases[i].label);
        unlink(in(directory, "label"));
        procfs_label(in(directory, "label"), label, sizeof label);
        assert_string_equal(label, ""); // a kernel without
    }
}

static void needed_files_are_those_outside_the_set(void **state) {
    (void)state;
    static const char *const names[] = {"needed-mapped", "needed-read", "needed-written",
                                        "needed-outside"};
    for (size_t i = 0; i < 4; i++)
        write_file(in(directory, names[i]), names[i]);
    mkdir(in(directory, "set"), 0700);
    write_file(in(directory, "set/own"), "own");
    struct subject subject = subject_start(use_files, NULL, -1);
    struct process_facts facts = facts_of_subject(&subject);
    char *roots[] = {strdup(in(directory, "set"))};
    char *outside[] = {strdup(in(directory, "needed-outside")), strdup(in(directory, "gone"))};
    struct needed needed;
    struct failure failure;
    assert_int_equal(
        facts_needed(&facts, roots, 1, outside, 2, &needed.files, &needed.count, &failure), 0);
    const CloneWire__FileFacts *file = needed_of(&needed, in(directory, "needed-mapped"));
    assert_non_null(file);
    assert_true(file->has_content_hash);
    file = needed_of(&needed, in(directory, "needed-read"));
    assert_non_null(file);
    assert_int_equal(file->size, strlen("needed-read"));
    assert_null(needed_of(&needed, in(directory, "needed-written"))); // it may be no clone's
    assert_false(file->linked);
    file = needed_of(&needed, in(directory, "needed-outside"));
    assert_non_null(file);
    assert_true(file->linked);
    assert_null(needed_of(&needed, in(directory, "gone")));
    assert_null(needed_of(&needed, in(directory, "set/own")));
    assert_null(needed_of(&needed, "/dev/null"));
    file = needed_of(&needed, facts.executable);
    assert_non_null(file);
    assert_true(file->executable_mapping);
    assert_true(file->has_build_id);
    for (size_t i = 0; i < needed.count; i++) {
        assert_null(strstr(needed.files[i]->path, "/proc/"));
        assert_true(i == 0 || strcmp(needed.files[i - 1]->path, needed.files[i]->path) < 0);
    }
    facts_needed_free(needed.files, needed.count);
    free(roots[0]);
    free(outside[0]);
    free(outside[1]);
    facts_free(&facts);
    subject_end(&subject);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_are_those_that_all_cpus_have_sorted),
        cmocka_unit_test(flags_have_other_names_on_other_machines),
        cmocka_unit_test(a_cpuinfo_without_flags_has_none),
        cmocka_unit_test(headroom_is_the_least_of_a_cgroup_and_its_ancestors),
        cmocka_unit_test(headroom_counts_cache_that_can_be_dropped_at_once),
        cmocka_unit_test(headroom_of_version_1_counts_the_whole_hierarchy),
        cmocka_unit_test(a_cgroup_beyond_its_limit_has_no_headroom),
        cmocka_unit_test(without_limits_headroom_is_unlimited),
        cmocka_unit_test(available_memory_is_within_what_the_host_has),
        cmocka_unit_test(memory_that_nothing_tells_of_is_not_known),
        cmocka_unit_test(no_memory_in_a_full_cgroup_is_known),
        cmocka_unit_test(host_facts_are_this_hosts),
        cmocka_unit_test(pid_max_is_above_our_own_pid),
        cmocka_unit_test(the_build_id_is_what_the_linker_wrote),
        cmocka_unit_test(what_is_no_elf_file_has_no_build_id),
        cmocka_unit_test(elf_files_that_lie_have_no_build_id),
        cmocka_unit_test(damaged_elf_files_are_read_safely),
        cmocka_unit_test(facts_of_a_regular_file_are_its_status_and_contents),
        cmocka_unit_test(an_elf_file_has_a_build_id_instead_of_a_hash),
        cmocka_unit_test(large_files_are_not_hashed),
        cmocka_unit_test(links_are_not_followed),
        cmocka_unit_test(a_fifo_does_not_hold_us_up),
        cmocka_unit_test(nothing_at_a_path_is_not_a_failure),
        cmocka_unit_test(a_plain_process_is_what_it_is),
        cmocka_unit_test(threads_and_descendants_are_found),
        cmocka_unit_test(children_are_found_without_the_kernels_list_too),
        cmocka_unit_test(imaged_memory_is_what_was_touched),
        cmocka_unit_test(imaged_memory_follows_what_is_given_back),
        cmocka_unit_test(shared_memory_counts_once_for_the_tree),
        cmocka_unit_test(open_files_come_with_their_flags),
        cmocka_unit_test(files_that_had_one_number_are_not_mixed_up),
        cmocka_unit_test(mapped_files_are_listed_once),
        cmocka_unit_test(inner_ids_are_those_of_the_innermost_namespace),
        cmocka_unit_test(what_is_no_process_is_refused),
        cmocka_unit_test(a_thread_is_not_taken_for_a_process),
        cmocka_unit_test(a_label_is_read_without_its_mode),
        cmocka_unit_test(needed_files_are_those_outside_the_set),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
