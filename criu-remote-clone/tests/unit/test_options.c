// SPDX-License-Identifier: Apache-2.0
// Command lines, the environment in their place, and the session key.
#include "failure.h"
#include "options.h"
#include "scratch.h"
#include "wire.h"

#include <sodium.h>
#include <stdint.h>
#include <sys/wait.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct failure failure;

// Parses a command line given as words up to NULL.
static void parse(struct options *options, enum command_name command, const char *first, ...) {
    char *words[32] = {(char *)(uintptr_t) "criu-remote-clone"};
    int count = 1;
    va_list rest;
    va_start(rest, first);
    for (const char *word = first; word != NULL; word = va_arg(rest, const char *))
        words[count++] = (char *)(uintptr_t)word;
    va_end(rest);
    // argp keeps pointers into the words, which here are string constants.
    options_parse(options, command, count, words);
}

// The exit code of a parse in a process of its own, whose complaints go nowhere.
static int exit_code_of(enum command_name command, const char *word) {
    pid_t pid = fork();
    if (pid == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(1);
        struct options options;
        parse(&options, command, "--key-file", "k", word, NULL);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void serve_has_its_defaults(void **state) {
    (void)state;
    struct options options;
    parse(&options, COMMAND_SERVE, "--pid", "4711", "--key-file", "k", NULL);
    assert_int_equal(options.pid, 4711);
    assert_int_equal(options.first_port, 0);
    assert_int_equal(options.compress, WIRE_COMPRESS_AUTO);
    assert_int_equal(options.hook_timeout_ms, 5000);
    assert_int_equal(options.limits.clones, 4);
    assert_null(options.bind_address);
    options_free(&options);
}

static void a_freeze_is_limited_and_a_process_moved_only_if_asked_for(void **state) {
    (void)state;
    struct options options;
    parse(&options, COMMAND_SERVE, "--pid", "7", "--key-file", "k", NULL);
    assert_int_equal(options.max_freeze_ms, 0);
    assert_false(options.move);
    options_free(&options);
    parse(&options, COMMAND_SERVE, "--pid", "7", "--key-file", "k", "--max-freeze=250", "--move",
          NULL);
    assert_int_equal(options.max_freeze_ms, 250);
    assert_true(options.move);
    options_free(&options);
    assert_int_equal(exit_code_of(COMMAND_SERVE, "--max-freeze=0"), EXIT_USAGE);
    assert_int_equal(exit_code_of(COMMAND_PULL, "--move"), EXIT_USAGE);
}

static void crius_log_is_kept_at_either_end(void **state) {
    (void)state;
    struct options options;
    parse(&options, COMMAND_SERVE, "--pid", "7", "--key-file", "k", NULL);
    assert_null(options.criu_log);
    assert_int_equal(options.criu_verbosity, 1);
    options_free(&options);
    parse(&options, COMMAND_PULL, "host:7000", "--key-file", "k", "--criu-log=/l",
          "--criu-verbosity=4", NULL);
    assert_string_equal(options.criu_log, "/l");
    assert_int_equal(options.criu_verbosity, 4);
    options_free(&options);
    assert_int_equal(exit_code_of(COMMAND_SERVE, "--criu-verbosity=5"), EXIT_USAGE);
}

static void ports_compression_and_sizes_are_read(void **state) {
    (void)state;
    struct options options;
    parse(&options, COMMAND_SERVE, "--pid=7", "--key-fd=5", "--port=7000-7010", "--compress=never",
          "--ram-limit=512M", "--max-bandwidth=2G", "--file-set=/a", "--file-set=/b", NULL);
    assert_int_equal(options.first_port, 7000);
    assert_int_equal(options.last_port, 7010);
    assert_int_equal(options.compress, WIRE_COMPRESS_NEVER);
    assert_true(options.ram_limit == 512ull << 20);
    assert_true(options.limits.bytes_per_second == 2ull << 30);
    assert_int_equal(options.file_set_count, 2);
    assert_string_equal(options.file_set[1], "/b");
    options_free(&options);
}

static void pull_keeps_the_command_to_itself(void **state) {
    (void)state;
    struct options options;
    parse(&options, COMMAND_PULL, "host:7000", "--key-file", "k", "--map", "/a=/b", "--rename",
          "id.out=new_id.out", "--patience=7000", "--", "java", "--pid", "-x", NULL);
    assert_int_equal(options.patience_ms, 7000);
    assert_string_equal(options.host, "host");
    assert_int_equal(options.port, 7000);
    assert_string_equal(options.maps.maps[0].source, "/a");
    assert_string_equal(options.maps.maps[0].target, "/b");
    assert_string_equal(options.renames[0].new_name, "new_id.out");
    assert_string_equal(options.command[0], "java");
    assert_string_equal(options.command[1], "--pid");
    assert_string_equal(options.command[2], "-x");
    options_free(&options);
}

static void a_peer_may_have_a_version_6_address(void **state) {
    (void)state;
    struct options options;
    parse(&options, COMMAND_PULL, "[fe80::1]:7000", "--key-file", "k", NULL);
    assert_string_equal(options.host, "fe80::1");
    assert_int_equal(options.port, 7000);
    options_free(&options);
}

static void the_environment_stands_in_for_options(void **state) {
    (void)state;
    struct options options;
    setenv("CRIU_REMOTE_CLONE_HOOK_TIMEOUT", "1234", 1);
    setenv("CRIU_REMOTE_CLONE_COMPRESS", "3", 1);
    parse(&options, COMMAND_SERVE, "--pid", "7", "--key-file", "k", "--compress", "never", NULL);
    unsetenv("CRIU_REMOTE_CLONE_HOOK_TIMEOUT");
    unsetenv("CRIU_REMOTE_CLONE_COMPRESS");
    assert_int_equal(options.hook_timeout_ms, 1234);
    assert_int_equal(options.compress, WIRE_COMPRESS_NEVER); // the command line wins
    options_free(&options);
}

static void mistakes_end_with_the_code_for_usage(void **state) {
    (void)state;
    const char *const serve[] = {"--port=0",        "--port=7010-7000", "--port=x",
                                 "--compress=20",   "--ram-limit=-1",   "--ram-limit=1T",
                                 "--pid=1",         "--no-such-option", "--wait=soon",
                                 "--max-clones=65", "--quiet"};
    for (size_t i = 0; i < sizeof serve / sizeof serve[0]; i++)
        assert_int_equal(exit_code_of(COMMAND_SERVE, serve[i]), EXIT_USAGE);
    const char *const pull[] = {"host", "host:", ":7000", "host:70000", "--map=/a", "--map=a=/b"};
    for (size_t i = 0; i < sizeof pull / sizeof pull[0]; i++)
        assert_int_equal(exit_code_of(COMMAND_PULL, pull[i]), EXIT_USAGE);
}

static int read_key(const char *path, uint8_t key[WIRE_KEY_BYTES]) {
    struct options options = {.key_file = path, .key_fd = -1};
    return options_read_key(&options, key, &failure);
}

static void a_key_is_32_bytes_or_64_digits(void **state) {
    (void)state;
    char *directory = test_directory();
    uint8_t key[WIRE_KEY_BYTES];
    write_file(in(directory, "raw"), "0123456789abcdef0123456789ABCDEF");
    assert_int_equal(read_key(in(directory, "raw"), key), 0);
    assert_memory_equal(key, "0123456789abcdef0123456789ABCDEF", WIRE_KEY_BYTES);
    write_file(in(directory, "hex"),
               "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n");
    assert_int_equal(read_key(in(directory, "hex"), key), 0);
    assert_int_equal(key[1], 0x11);
    assert_int_equal(key[31], 0xff);
    const char *const bad[] = {"", "short", "0011",
                               "zz112233445566778899aabbccddeeff"
                               "00112233445566778899aabbccddeeff"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        write_file(in(directory, "bad"), bad[i]);
        assert_int_equal(read_key(in(directory, "bad"), key), -1);
        assert_int_equal(failure.code, EXIT_USAGE);
    }
    unlink(in(directory, "raw"));
    unlink(in(directory, "hex"));
    unlink(in(directory, "bad"));
    rmdir(directory);
    free(directory);
}

static void a_key_that_others_can_read_is_refused(void **state) {
    (void)state;
    char *directory = test_directory();
    uint8_t key[WIRE_KEY_BYTES];
    write_file(in(directory, "key"), "0123456789abcdef0123456789ABCDEF");
    assert_int_equal(chmod(in(directory, "key"), 0640), 0);
    assert_int_equal(read_key(in(directory, "key"), key), -1);
    assert_int_equal(failure.code, EXIT_USAGE);
    assert_non_null(strstr(failure.text, "chmod 600"));
    unlink(in(directory, "key"));
    rmdir(directory);
    free(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serve_has_its_defaults),
        cmocka_unit_test(a_freeze_is_limited_and_a_process_moved_only_if_asked_for),
        cmocka_unit_test(crius_log_is_kept_at_either_end),
        cmocka_unit_test(ports_compression_and_sizes_are_read),
        cmocka_unit_test(pull_keeps_the_command_to_itself),
        cmocka_unit_test(a_peer_may_have_a_version_6_address),
        cmocka_unit_test(the_environment_stands_in_for_options),
        cmocka_unit_test(mistakes_end_with_the_code_for_usage),
        cmocka_unit_test(a_key_is_32_bytes_or_64_digits),
        cmocka_unit_test(a_key_that_others_can_read_is_refused),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
