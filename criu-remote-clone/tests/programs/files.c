// SPDX-License-Identifier: Apache-2.0
// files DIRECTORY: holds files of DIRECTORY open in every way that a clone has to carry over, goes
// on writing, and verifies all of it by what it remembers:
//
//   random    64 blocks, one of them rewritten in each round
//   appended  grows by a record in each round
//   deleted   as `random`, but unlinked after it was opened
//   first     as `random`, written under this name and read under `second`, a hard link to it
//   mapped    mapped read-only, never written
//
// Beside them a file of a cgroup, if there is one, which a clone can only read as empty.
//
// DIRECTORY/log gets a line each round, as counter's; "bad WHAT" when a file isn't as it must be.
// SIGTERM: exit code 42.
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BLOCKS 64
#define BLOCK 1024
#define MAPPED (1 << 20)

static volatile sig_atomic_t terminated;

static void on_signal(int number) {
    (void)number;
    terminated = 1;
}

static int must(int result, const char *what) {
    if (result < 0) {
        perror(what);
        exit(2);
    }
    return result;
}

static uint64_t mix(uint64_t value) { // splitmix64
    value += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

static void fill(uint64_t *words, size_t bytes, uint64_t seed) {
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        words[i] = mix(seed + i);
}

struct blocks {
    const char *name;
    int write_fd;
    int read_fd;
    uint64_t versions[BLOCKS];
};

static uint64_t seed_of(const struct blocks *blocks, int block) {
    return mix(blocks->versions[block] * BLOCKS + (uint64_t)block) ^ (uint64_t)blocks->name[0];
}

static void write_block(struct blocks *blocks, int block) {
    uint64_t words[BLOCK / 8];
    blocks->versions[block]++;
    fill(words, sizeof words, seed_of(blocks, block));
    if (pwrite(blocks->write_fd, words, sizeof words, (off_t)block * BLOCK) != sizeof words)
        exit(3);
}

static int block_is_good(const struct blocks *blocks, int block) {
    uint64_t wanted[BLOCK / 8], words[BLOCK / 8];
    fill(wanted, sizeof wanted, seed_of(blocks, block));
    return pread(blocks->read_fd, words, sizeof words, (off_t)block * BLOCK) == sizeof words &&
           memcmp(words, wanted, sizeof words) == 0;
}

static int blocks_are_good(const struct blocks *blocks) {
    for (int block = 0; block < BLOCKS; block++)
        if (!block_is_good(blocks, block))
            return 0;
    return 1;
}

// Opened by separate names where there are two; the reading descriptor is a separate open file.
static void open_blocks(struct blocks *blocks, const char *name, const char *reading_name) {
    blocks->name = name;
    blocks->write_fd = must(open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0640), name);
    if (strcmp(name, reading_name) != 0)
        must(link(name, reading_name), reading_name);
    blocks->read_fd = must(open(reading_name, O_RDONLY | O_CLOEXEC), reading_name);
    for (int block = 0; block < BLOCKS; block++)
        write_block(blocks, block);
}

static int names_are_one_file(const char *first, const char *second, int fd) {
    struct stat one, other, held;
    return stat(first, &one) == 0 && stat(second, &other) == 0 && fstat(fd, &held) == 0 &&
           one.st_ino == other.st_ino && one.st_ino == held.st_ino;
}

struct appended {
    int fd;
    uint64_t count;
};

static void append(struct appended *appended) {
    uint64_t record = mix(appended->count++);
    if (write(appended->fd, &record, sizeof record) != sizeof record)
        exit(3);
}

static int record_is_good(const struct appended *appended, uint64_t index) {
    uint64_t record;
    return pread(appended->fd, &record, sizeof record, (off_t)(index * sizeof record)) ==
               sizeof record &&
           record == mix(index);
}

static int appended_is_good(const struct appended *appended, uint64_t round) {
    struct stat status;
    return fstat(appended->fd, &status) == 0 &&
           (uint64_t)status.st_size == appended->count * sizeof(uint64_t) &&
           record_is_good(appended, appended->count - 1) &&
           record_is_good(appended, mix(round) % appended->count);
}

static const uint64_t *map_file(const char *name) {
    static uint64_t words[MAPPED / 8];
    fill(words, sizeof words, 1);
    int fd = must(open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0640), name);
    if (write(fd, words, sizeof words) != sizeof words)
        exit(3);
    close(fd);
    fd = must(open(name, O_RDONLY | O_CLOEXEC), name);
    const uint64_t *mapped = mmap(NULL, MAPPED, PROT_READ, MAP_PRIVATE, fd, 0);
    must(mapped == MAP_FAILED ? -1 : 0, name);
    close(fd);
    return mapped;
}

static int mapped_is_good(const uint64_t *mapped, uint64_t round) {
    size_t page = mix(round) % (MAPPED / 4096) * 512; // another page each round
    for (size_t i = page; i < page + 512; i++)
        if (mapped[i] != mix(1 + i))
            return 0;
    return 1;
}

// -1: this host has none.
static int open_of_cgroup(void) {
    static const char *const files[] = {"/sys/fs/cgroup/memory/memory.stat",
                                        "/sys/fs/cgroup/cgroup.procs"};
    int fd = open(files[0], O_RDONLY | O_CLOEXEC);
    return fd >= 0 ? fd : open(files[1], O_RDONLY | O_CLOEXEC);
}

static int of_cgroup_is_good(int fd) {
    char byte;
    return fd < 0 || pread(fd, &byte, 1, 0) >= 0;
}

static unsigned long where(void) {
    struct stat status;
    return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

static void check(int log, int good, const char *what) {
    if (!good)
        dprintf(log, "bad %s\n", what);
}

int main(int argc, char **argv) {
    if (argc != 2 || chdir(argv[1]) < 0) {
        fprintf(stderr, "usage: files DIRECTORY\n");
        return 2;
    }
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, NULL);
    static struct blocks random, deleted, first;
    open_blocks(&random, "random", "random");
    open_blocks(&deleted, "deleted", "deleted");
    must(unlink("deleted"), "deleted");
    open_blocks(&first, "first", "second");
    const uint64_t *mapped = map_file("mapped");
    struct appended appended = {
        .fd = must(open("appended", O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0640),
                   "appended")};
    int of_cgroup = open_of_cgroup();
    int log = must(open("log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644), "log");

    unsigned long number = 0, checksum = 0;
    while (!terminated) {
        number++;
        checksum = (checksum * 31 + number) % 1000003;
        int block = (int)(mix(number) % BLOCKS);
        write_block(&random, block);
        write_block(&deleted, block);
        write_block(&first, block);
        append(&appended);
        check(log, blocks_are_good(&random), "random");
        check(log, blocks_are_good(&deleted), "deleted");
        check(log, blocks_are_good(&first), "first");
        check(log, names_are_one_file("first", "second", first.write_fd), "hard link");
        check(log, appended_is_good(&appended, number), "appended");
        check(log, mapped_is_good(mapped, number), "mapped");
        check(log, of_cgroup_is_good(of_cgroup), "file of a cgroup");
        dprintf(log, "%lu %lu %lu 0\n", number, checksum, where());
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
    dprintf(log, "end %lu\n", number);
    return 42;
}
