#include "options.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "criu.h"
#include "wire.h"

#define DEFAULT_HOOK_TIMEOUT_MS 5000
#define DEFAULT_FREEZE_TIMEOUT_MS 5000
#define DEFAULT_WAIT_MS 60000
#define DEFAULT_TIME_LIMIT_MS 120000
#define DEFAULT_CLONES 4
#define DEFAULT_KEEP_FREE (256ull << 20)

enum key {
    KEY_KEY_FILE = 256,
    KEY_KEY_FD,
    KEY_CRIU,
    KEY_REPORT,
    KEY_EVENTS,
    KEY_RESUME,
    KEY_HOOK_TIMEOUT,
    KEY_WAIT,
    KEY_TIME_LIMIT,
    KEY_RAM_LIMIT,
    KEY_MAX_CLONES,
    KEY_MAX_RAM,
    KEY_MAX_BANDWIDTH,
    KEY_LEASE_DIR,
    KEY_PID,
    KEY_BIND,
    KEY_PORT,
    KEY_PORT_FILE,
    KEY_FILE_SET,
    KEY_SETTLE,
    KEY_QUIESCE,
    KEY_FREEZE_TIMEOUT,
    KEY_COMPRESS,
    KEY_DIR,
    KEY_MAP,
    KEY_RENAME,
    KEY_JSON,
    KEY_USER,
    KEY_PATIENCE,
    KEY_CRIU_LOG,
    KEY_CRIU_VERBOSITY,
    KEY_MAX_FREEZE,
    KEY_MOVE,
    KEY_KEEP_FREE,
};

#define OPTIONS_OF_BOTH                                                                            \
    {"key-file", KEY_KEY_FILE, "FILE", 0, "the session key: 32 bytes or 64 hex digits", 0},        \
        {"key-fd", KEY_KEY_FD, "N", 0, "the same, from an open descriptor", 0},                    \
        {"criu", KEY_CRIU, "PATH", 0, "the CRIU to use (4.2 or later)", 0},                        \
        {"wait", KEY_WAIT, "MS", 0, "how long to wait for the peer (60000)", 0}, {                 \
        "quiet", 'q', NULL, 0, "no progress lines", 0                                              \
    }

#define OPTIONS_OF_CLONING                                                                           \
    {"report", KEY_REPORT, "FILE", 0, "where the JSON line goes (standard output)", 0},              \
        {"events", KEY_EVENTS, "FILE", 0, "append events to FILE, a JSON object a line", 0},         \
        {"criu-log", KEY_CRIU_LOG, "FILE", 0, "keep CRIU's own log there", 0},                       \
        {"criu-verbosity", KEY_CRIU_VERBOSITY, "N", 0, "of that log, 0 to 4 (1: errors)", 0},        \
        {"resume", KEY_RESUME, "COMMAND", 0, "run by sh when this side's process runs again", 0},    \
        {"hook-timeout", KEY_HOOK_TIMEOUT, "MS", 0, "time limit of each hook (5000)", 0},            \
        {"time-limit", KEY_TIME_LIMIT, "MS", 0, "for the clone once the peer is there (120000)", 0}, \
        {"ram-limit", KEY_RAM_LIMIT, "BYTES", 0, "largest image this clone may have; K, M, G", 0},   \
        {"max-clones", KEY_MAX_CLONES, "N", 0, "concurrent clones on this host (4)", 0},             \
        {"max-ram",                                                                                  \
         KEY_MAX_RAM,                                                                                \
         "BYTES",                                                                                    \
         0,                                                                                          \
         "RAM of all clones on this host (half of what is "                                          \
         "available)",                                                                               \
         0},                                                                                         \
        {"max-bandwidth", KEY_MAX_BANDWIDTH, "BYTES", 0, "per second, all clones (unlimited)", 0},   \
    {                                                                                                \
        "lease-dir", KEY_LEASE_DIR, "DIR", 0, "where the host's limits are kept", 0                  \
    }

static const struct argp_option serve_options[] = {
    {"pid", KEY_PID, "PID", 0, "the process to clone, with its children", 0},
    {"bind", KEY_BIND, "ADDRESS", 0, "listen on this address (all)", 0},
    {"port", KEY_PORT, "P[-Q]", 0, "listen on the first free port of the range (any)", 0},
    {"port-file", KEY_PORT_FILE, "FILE", 0, "write the port there once listening", 0},
    {"file-set", KEY_FILE_SET, "PATH", 0,
     "a directory or file of the process that the clone needs "
     "a copy of; repeatable",
     0},
    {"settle", KEY_SETTLE, "COMMAND", 0,
     "run by sh before RAM is taken for the image; its failure is a veto", 0},
    {"quiesce", KEY_QUIESCE, "COMMAND", 0,
     "run by sh just before the freeze; its failure is a veto", 0},
    {"freeze-timeout", KEY_FREEZE_TIMEOUT, "MS", 0, "for stopping the process's threads (5000)", 0},
    {"max-freeze", KEY_MAX_FREEZE, "MS", 0,
     "give up, and let the process run on, when it would be frozen for longer (no limit)", 0},
    {"move", KEY_MOVE, NULL, 0, "end the process once its clone has proved that it runs", 0},
    {"compress", KEY_COMPRESS, "auto|never|N", 0, "auto measures whether the link needs it", 0},
    OPTIONS_OF_BOTH,
    OPTIONS_OF_CLONING,
    {0}};

static const struct argp_option pull_options[] = {
    {"dir", KEY_DIR, "DIR", 0, "where received files without a map are kept", 0},
    {"map", KEY_MAP, "SRC=DST", 0, "the source's SRC is this host's DST; repeatable", 0},
    {"rename", KEY_RENAME, "OLD=NEW", 0, "an open file OLD becomes NEW; repeatable", 0},
    {"keep-free", KEY_KEEP_FREE, "BYTES", 0,
     "what received files leave free of their disks (256M); 0: nothing", 0},
    {"patience", KEY_PATIENCE, "MS", 0,
     "how long the process may take to be frozen; then COMMAND runs (the time limit)", 0},
    {"user", KEY_USER, "USER", 0, "root: clone a process of USER's, with USER's rights (root's)",
     0},
    OPTIONS_OF_BOTH,
    OPTIONS_OF_CLONING,
    {0}};

static const struct argp_option check_options[] = {
    {"pid", KEY_PID, "PID", 0, "also: can this process be cloned?", 0},
    {"map", KEY_MAP, "SRC=DST", 0, "as pull's, for a pair check", 0},
    {"user", KEY_USER, "USER", 0, "as pull's, for a pair check", 0},
    {"json", KEY_JSON, NULL, 0, "JSON instead of a table", 0},
    OPTIONS_OF_BOTH,
    {0}};

// --- values ---

static long parse_number(struct argp_state *state, const char *what, const char *text, long least,
                         long most) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || errno != 0 || value < least || value > most)
        argp_error(state, "--%s takes a whole number from %ld to %ld, not '%s'", what, least, most,
                   text);
    return value;
}

static uint64_t parse_bytes(struct argp_state *state, const char *what, const char *text) {
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    unsigned shift = 0;
    const char *units = "KMG";
    const char *unit = *end != '\0' ? strchr(units, toupper((unsigned char)*end)) : NULL;
    if (unit != NULL) {
        shift = 10 * (unsigned)(unit - units + 1);
        end++;
    }
    if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 ||
        value > (UINT64_MAX >> shift) / 2)
        argp_error(state, "--%s takes a number of bytes such as 512M, not '%s'", what, text);
    return value << shift;
}

static void parse_ports(struct argp_state *state, struct options *options, const char *text) {
    unsigned first, last;
    char rest;
    int got = sscanf(text, "%u-%u%c", &first, &last, &rest);
    if (got == 1 && strchr(text, '-') == NULL)
        last = first;
    if (got < 1 || got > 2 || (got == 1 && strchr(text, '-') != NULL) || first == 0 ||
        last < first || last > UINT16_MAX)
        argp_error(state, "--port takes a port or a range such as 7000-7010, not '%s'", text);
    options->first_port = (uint16_t)first;
    options->last_port = (uint16_t)last;
}

static void parse_peer(struct argp_state *state, struct options *options, const char *text) {
    const char *colon = strrchr(text, ':');
    if (colon == NULL || colon == text)
        argp_error(state, "the peer is HOST:PORT, not '%s'", text);
    // [::1]:7000 and ::1 alike: the last colon is the port's.
    const char *start = text;
    size_t length = (size_t)(colon - text);
    if (text[0] == '[' && colon[-1] == ']') {
        start++;
        length -= 2;
    }
    options->host = strndup(start, length);
    options->port = (uint16_t)parse_number(state, "HOST:PORT", colon + 1, 1, UINT16_MAX);
}

static void *grow(void *array, size_t count, size_t size) {
    void *grown = realloc(array, (count + 1) * size);
    if (grown == NULL)
        exit(EXIT_SPACE);
    return grown;
}

// Splits A=B in place of a copy.
static void parse_pair(struct argp_state *state, const char *what, const char *text, char **first,
                       char **second) {
    char *copy = strdup(text);
    char *equals = strchr(copy, '=');
    if (equals == NULL || equals == copy || equals[1] == '\0')
        argp_error(state, "--%s takes two names joined by '=', not '%s'", what, text);
    *equals = '\0';
    *first = copy;
    *second = strdup(equals + 1);
}

static char *absolute(const char *path) {
    if (path[0] == '/')
        return strdup(path);
    char here[PATH_MAX];
    char *result = NULL;
    if (getcwd(here, sizeof here) == NULL || asprintf(&result, "%s/%s", here, path) < 0)
        exit(EXIT_SPACE);
    return result;
}

static void add_map(struct argp_state *state, struct options *options, const char *text) {
    struct path_maps *maps = &options->maps;
    maps->maps = grow(maps->maps, maps->count, sizeof *maps->maps);
    struct path_map *map = &maps->maps[maps->count++];
    char *target;
    parse_pair(state, "map", text, &map->source, &target);
    if (map->source[0] != '/')
        argp_error(state, "--map takes an absolute path of the source, not '%s'", map->source);
    map->target = absolute(target);
    free(target);
}

static void add_rename(struct argp_state *state, struct options *options, const char *text) {
    options->renames = grow(options->renames, options->rename_count, sizeof *options->renames);
    char *old_name, *new_name;
    parse_pair(state, "rename", text, &old_name, &new_name);
    options->renames[options->rename_count++] =
        (struct rename_rule){.old_name = old_name, .new_name = new_name};
}

static void add_file_set(struct options *options, const char *text) {
    options->file_set = grow(options->file_set, options->file_set_count, sizeof *options->file_set);
    options->file_set[options->file_set_count++] = absolute(text);
}

static void parse_compress(struct argp_state *state, struct options *options, const char *text) {
    options->compress_text = text;
    if (strcmp(text, "auto") == 0)
        options->compress = WIRE_COMPRESS_AUTO;
    else if (strcmp(text, "never") == 0)
        options->compress = WIRE_COMPRESS_NEVER;
    else
        options->compress = (int)parse_number(state, "compress", text, 1, 19);
}

// --- the parser, one for all commands ---

static error_t parse_option(int key, char *text, struct argp_state *state) {
    struct options *options = state->input;
    switch (key) {
    case KEY_KEY_FILE:
        options->key_file = text;
        return 0;
    case KEY_KEY_FD:
        options->key_fd = (int)parse_number(state, "key-fd", text, 0, INT_MAX);
        return 0;
    case KEY_CRIU:
        options->criu = text;
        return 0;
    case KEY_REPORT:
        options->report = text;
        return 0;
    case KEY_EVENTS:
        options->events = text;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case KEY_RESUME:
        options->resume_hook = text;
        return 0;
    case KEY_HOOK_TIMEOUT:
        options->hook_timeout_ms = (int)parse_number(state, "hook-timeout", text, 1, 600000);
        return 0;
    case KEY_WAIT:
        options->wait_ms = (int)parse_number(state, "wait", text, 0, INT_MAX);
        return 0;
    case KEY_TIME_LIMIT:
        options->time_limit_ms = (int)parse_number(state, "time-limit", text, 1, INT_MAX);
        return 0;
    case KEY_RAM_LIMIT:
        options->ram_limit = parse_bytes(state, "ram-limit", text);
        return 0;
    case KEY_MAX_CLONES:
        options->limits.clones = (unsigned)parse_number(state, "max-clones", text, 1, 64);
        return 0;
    case KEY_MAX_RAM:
        options->limits.ram_bytes = parse_bytes(state, "max-ram", text);
        return 0;
    case KEY_MAX_BANDWIDTH:
        options->limits.bytes_per_second = parse_bytes(state, "max-bandwidth", text);
        return 0;
    case KEY_LEASE_DIR:
        options->limits.directory = text;
        return 0;
    case KEY_PID:
        options->pid = (pid_t)parse_number(state, "pid", text, 2, INT_MAX);
        return 0;
    case KEY_BIND:
        options->bind_address = text;
        return 0;
    case KEY_PORT:
        parse_ports(state, options, text);
        return 0;
    case KEY_PORT_FILE:
        options->port_file = text;
        return 0;
    case KEY_FILE_SET:
        add_file_set(options, text);
        return 0;
    case KEY_SETTLE:
        options->settle_hook = text;
        return 0;
    case KEY_QUIESCE:
        options->quiesce_hook = text;
        return 0;
    case KEY_FREEZE_TIMEOUT:
        options->freeze_timeout_ms = (int)parse_number(state, "freeze-timeout", text, 1, 600000);
        return 0;
    case KEY_COMPRESS:
        parse_compress(state, options, text);
        return 0;
    case KEY_USER:
        options->user = text;
        return 0;
    case KEY_CRIU_LOG:
        options->criu_log = text;
        return 0;
    case KEY_CRIU_VERBOSITY:
        options->criu_verbosity = (int)parse_number(state, "criu-verbosity", text, 0, 4);
        return 0;
    case KEY_MOVE:
        options->move = true;
        return 0;
    case KEY_KEEP_FREE:
        options->keep_free = parse_bytes(state, "keep-free", text);
        return 0;
    case KEY_MAX_FREEZE:
        options->max_freeze_ms = (int)parse_number(state, "max-freeze", text, 1, INT_MAX);
        return 0;
    case KEY_PATIENCE:
        options->patience_ms = (int)parse_number(state, "patience", text, 1, INT_MAX);
        return 0;
    case KEY_DIR:
        options->directory = absolute(text);
        return 0;
    case KEY_MAP:
        add_map(state, options, text);
        return 0;
    case KEY_RENAME:
        add_rename(state, options, text);
        return 0;
    case KEY_JSON:
        options->json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_peer_argument(int key, char *text, struct argp_state *state) {
    struct options *options = state->input;
    if (key != ARGP_KEY_ARG || options->host != NULL)
        return parse_option(key, text, state);
    parse_peer(state, options, text);
    return 0;
}

static error_t parse_serve(int key, char *text, struct argp_state *state) {
    const struct options *options = state->input;
    if (key == ARGP_KEY_END && options->pid == 0)
        argp_error(state, "missing --pid PID: the process to clone");
    if (key == ARGP_KEY_END && options->key_file == NULL && options->key_fd < 0)
        argp_error(state, "a session key is needed: --key-file FILE or --key-fd N "
                          "(head -c 32 /dev/urandom > FILE makes one)");
    return parse_option(key, text, state);
}

static error_t parse_pull(int key, char *text, struct argp_state *state) {
    const struct options *options = state->input;
    if (key == ARGP_KEY_END && options->host == NULL)
        argp_error(state, "missing HOST:PORT: where serve waits");
    if (key == ARGP_KEY_END && options->key_file == NULL && options->key_fd < 0)
        argp_error(state, "the session key that serve has is needed: --key-file or --key-fd");
    return parse_peer_argument(key, text, state);
}

static const struct argp parsers[] = {
    [COMMAND_SERVE] = {.options = serve_options,
                       .parser = parse_serve,
                       .doc = "Waits for one peer and clones a running process to it."},
    [COMMAND_PULL] = {.options = pull_options,
                      .parser = parse_pull,
                      .args_doc = "HOST:PORT [-- COMMAND...]",
                      .doc = "Becomes the parent of a clone of the process that HOST:PORT serves, "
                             "or executes COMMAND when no clone can be made."},
    [COMMAND_CHECK] = {.options = check_options,
                       .parser = parse_peer_argument,
                       .args_doc = "[HOST:PORT]",
                       .doc = "Is this host able, and (with the HOST:PORT of a waiting serve) this "
                              "pair of hosts?"},
};

// CRIU_REMOTE_CLONE_<OPTION> for every long option; repeatable ones take one value.
static void from_environment(const struct argp *parser, struct options *options, char *name) {
    struct argp_state state = {.root_argp = parser,
                               .name = name,
                               .input = options,
                               .err_stream = stderr,
                               .out_stream = stdout};
    for (const struct argp_option *option = parser->options; option->name != NULL; option++) {
        char variable[64] = "CRIU_REMOTE_CLONE_";
        size_t used = strlen(variable);
        for (const char *c = option->name; *c != '\0' && used < sizeof variable - 1; c++)
            variable[used++] = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
        char *value = getenv(variable);
        if (value != NULL && value[0] != '\0')
            parser->parser(option->key, value, &state);
    }
}

void options_parse(struct options *options, enum command_name command, int argc, char **argv) {
    *options = (struct options){.key_fd = -1,
                                .hook_timeout_ms = DEFAULT_HOOK_TIMEOUT_MS,
                                .freeze_timeout_ms = DEFAULT_FREEZE_TIMEOUT_MS,
                                .wait_ms = DEFAULT_WAIT_MS,
                                .time_limit_ms = DEFAULT_TIME_LIMIT_MS,
                                .patience_ms = INT_MAX,
                                .criu_verbosity = CRIU_ERRORS,
                                .compress = WIRE_COMPRESS_AUTO,
                                .compress_text = "auto",
                                .keep_free = DEFAULT_KEEP_FREE,
                                .limits = {.clones = DEFAULT_CLONES}};
    // What follows `--` is a command of its own, not for argp.
    int ours = argc;
    for (int i = 1; i < argc && command == COMMAND_PULL; i++)
        if (strcmp(argv[i], "--") == 0) {
            ours = i;
            options->command = i + 1 < argc ? &argv[i + 1] : NULL;
            break;
        }
    argp_err_exit_status = EXIT_USAGE;
    from_environment(&parsers[command], options, argv[0]);
    error_t error = argp_parse(&parsers[command], ours, argv, 0, NULL, options);
    if (error != 0) {
        fprintf(stderr, "%s: %s\n", argv[0], strerror(error));
        exit(EXIT_USAGE);
    }
}

void options_free(struct options *options) {
    for (size_t i = 0; i < options->file_set_count; i++)
        free(options->file_set[i]);
    free(options->file_set);
    for (size_t i = 0; i < options->maps.count; i++) {
        free(options->maps.maps[i].source);
        free(options->maps.maps[i].target);
    }
    free(options->maps.maps);
    for (size_t i = 0; i < options->rename_count; i++) {
        free((char *)(uintptr_t)options->renames[i].old_name);
        free((char *)(uintptr_t)options->renames[i].new_name);
    }
    free(options->renames);
    free(options->host);
    free(options->directory);
}

int options_read_key(const struct options *options, uint8_t key[WIRE_KEY_BYTES],
                     struct failure *failure) {
    const char *where = options->key_file != NULL ? options->key_file : "--key-fd";
    int file =
        options->key_file != NULL ? open(options->key_file, O_RDONLY | O_CLOEXEC) : options->key_fd;
    if (file < 0)
        return fail_errno(failure, EXIT_USAGE, "can't read the session key from %s", where);
    char text[2 * WIRE_KEY_BYTES + 2];
    size_t length = 0;
    ssize_t got;
    while (length < sizeof text && (got = read(file, text + length, sizeof text - length)) > 0)
        length += (size_t)got;
    struct stat facts = {0};
    bool open_to_others = options->key_file != NULL && fstat(file, &facts) == 0 &&
                          S_ISREG(facts.st_mode) && (facts.st_mode & 077) != 0;
    close(file);
    int result = 0;
    size_t digits = 0;
    if (open_to_others)
        result =
            fail(failure, EXIT_USAGE,
                 "others can read the session key %s: chmod 600 it, and make a new one", where);
    else if (length == WIRE_KEY_BYTES)
        memcpy(key, text, WIRE_KEY_BYTES);
    else if (sodium_hex2bin(key, WIRE_KEY_BYTES, text, length, "\n", &digits, NULL) != 0 ||
             digits != WIRE_KEY_BYTES)
        result = fail(failure, EXIT_USAGE,
                      "the session key in %s is not 32 bytes or 64 hexadecimal digits", where);
    sodium_memzero(text, sizeof text);
    return result;
}
