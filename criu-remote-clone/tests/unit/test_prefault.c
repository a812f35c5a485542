// Pages touched ahead of whoever reads into them: those that it is about to fill, no others, and
// what they hold is what was read.
#include "deadline.h"
#include "failure.h"
#include "prefault.h"
#include "subject.h"

#include <stdlib.h>
#include <string.h>

#include "images.h"

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PAGE 4096ul
#define MIB (1ul << 20)
#define LONG_MS 30000

// A process that reads its memory from a pipe, as CRIU's restoring thread does.
struct reader {
    int pipe;
    uint8_t *memory; // of 4 * run bytes, of which it fills the second quarter
    size_t run;
};

static uint8_t byte_at(size_t index) {
    return (uint8_t)(index * 7 + index / PAGE);
}

// How many bytes of it are there.
static size_t present(uint8_t *memory, size_t length) {
    static unsigned char pages[65536];
    assert_int_equal(mincore(memory, length, pages), 0);
    size_t bytes = 0;
    for (size_t page = 0; page < length / PAGE; page++)
        bytes += (pages[page] & 1) * PAGE;
    return bytes;
}

static bool read_all(int pipe, uint8_t *to, size_t length) {
    ssize_t got;
    while (length > 0 && (got = read(pipe, to, length)) > 0) {
        to += got;
        length -= (size_t)got;
    }
    return length == 0;
}

// In entries of 1 MiB, as CRIU has them. Exit code 0: all is as it must be.
static _Noreturn void read_memory(const struct reader *reader) {
    uint8_t *to = reader->memory + reader->run;
    for (size_t done = 0; done < reader->run; done += MIB)
        if (!read_all(reader->pipe, to + done, MIB))
            _exit(1);
    for (size_t i = 0; i < reader->run; i++)
        if (to[i] != byte_at(i))
            _exit(2);
    _exit(present(reader->memory, 4 * reader->run) == reader->run ? 0 : 3);
}

static uint64_t resident(pid_t process) {
    char path[64];
    unsigned long size = 0, pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu %lu", &size, &pages), 2);
    fclose(file);
    return pages * PAGE;
}

static struct runs one_run(uint64_t bytes) {
    struct runs runs = {.bytes = malloc(sizeof(uint64_t)), .count = 1};
    runs.bytes[0] = bytes;
    return runs;
}

static void pages_are_there_before_their_contents(void **state) {
    (void)state;
    const size_t run = 24 * MIB;
    int pair[2];
    assert_int_equal(pipe2(pair, O_CLOEXEC), 0);
    struct reader reader = {.pipe = pair[0],
                            .memory = mmap(NULL, 4 * run, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
                            .run = run};
    assert_ptr_not_equal(reader.memory, MAP_FAILED);
    madvise(reader.memory, 4 * run, MADV_NOHUGEPAGE); // whatever this host does of its own accord
    pid_t process = fork();
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(pair[1]);
        read_memory(&reader);
    }
    close(pair[0]);
    uint64_t before = resident(process);
    struct runs runs = one_run(run);
    // Found among the descendants.
    struct prefault *prefault = prefault_start(getpid(), pair[1], &runs);
    assert_non_null(prefault);
    int64_t deadline = deadline_in_ms(LONG_MS);
    while (resident(process) < before + run && now_ns() < deadline)
        usleep(1000);
    assert_true(resident(process) >= before + run);
    uint8_t *bytes = malloc(run);
    for (size_t i = 0; i < run; i++)
        bytes[i] = byte_at(i);
    for (size_t done = 0; done < run;) {
        ssize_t put = write(pair[1], bytes + done, run - done < 65536 ? run - done : 65536);
        assert_true(put > 0);
        prefault_fed(prefault, (size_t)put);
        done += (size_t)put;
    }
    free(bytes);
    prefault_end(prefault);
    close(pair[1]);
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    munmap(reader.memory, 4 * run);
}

static void a_reader_that_never_comes_is_no_harm(void **state) {
    (void)state;
    int pair[2];
    assert_int_equal(pipe2(pair, O_CLOEXEC), 0);
    struct runs runs = one_run(MIB);
    struct prefault *prefault = prefault_start(getpid(), pair[1], &runs);
    assert_non_null(prefault);
    usleep(5000);
    prefault_end(prefault);
    prefault_end(NULL);
    close(pair[0]);
    close(pair[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_there_before_their_contents),
        cmocka_unit_test(a_reader_that_never_comes_is_no_harm),
    };
    return cmocka_run_group_tests_name("prefault", tests, NULL, NULL);
}
