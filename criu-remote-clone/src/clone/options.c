// SPDX-License-Identifier: Apache-2.0
// One table of options makes the parser, the help and the environment variables' names.
#include "options.h"

#include <argp.h>
#include <ctype.h>
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include "criu.h"
#include "memory.h"
#include "wire.h"

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

// exit() is what argp does as well.
static void make_room(void *array, size_t count, size_t size) {
    struct failure ignored;
    if (grow(array, count, size, &ignored) < 0)
        exit(EXIT_SPACE);
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
    make_room(&maps->maps, maps->count, sizeof *maps->maps);
    struct path_map *map = &maps->maps[maps->count++];
    char *target;
    parse_pair(state, "map", text, &map->source, &target);
    if (map->source[0] != '/')
        argp_error(state, "--map takes an absolute path of the source, not '%s'", map->source);
    map->target = absolute(target);
    free(target);
}

static void add_rename(struct argp_state *state, struct options *options, const char *text) {
    make_room(&options->renames, options->rename_count, sizeof *options->renames);
    char *old_name, *new_name;
    parse_pair(state, "rename", text, &old_name, &new_name);
    options->renames[options->rename_count++] =
        (struct rename_rule){.old_name = old_name, .new_name = new_name};
}

static void add_file_set(struct argp_state *state, struct options *options, const char *text) {
    (void)state;
    make_room(&options->file_set, options->file_set_count, sizeof *options->file_set);
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

// --- the options ---

enum kind { TEXT, PATH, NUMBER, BYTES, FLAG, OTHER };
enum { OF_SERVE = 1 << COMMAND_SERVE, OF_PULL = 1 << COMMAND_PULL, OF_CHECK = 1 << COMMAND_CHECK };
enum { OF_CLONING = OF_SERVE | OF_PULL, OF_ALL = OF_CLONING | OF_CHECK };

#define AT(member) offsetof(struct options, member)

static const struct row {
    const char *name, *value;
    unsigned commands;
    enum kind kind;
    size_t at; // of its member
    long least, most;
    const char *doc;
    void (*parse)(struct argp_state *state, struct options *options, const char *text); // OTHER
} rows[] = {
    {"pid", "PID", OF_SERVE, NUMBER, AT(pid), 2, INT_MAX,
     .doc = "the process to clone, with its children"},
    {"bind", "ADDRESS", OF_SERVE, TEXT, AT(bind_address), .doc = "listen on this address (all)"},
    {"port", "P[-Q]", OF_SERVE, OTHER, 0, .parse = parse_ports,
     .doc = "listen on the first free port of the range (any)"},
    {"port-file", "FILE", OF_SERVE, TEXT, AT(port_file),
     .doc = "write the port there once listening"},
    {"file-set", "PATH", OF_SERVE, OTHER, 0, .parse = add_file_set,
     .doc = "a directory or file of the process that the clone needs a copy of; repeatable"},
    {"settle", "COMMAND", OF_SERVE, TEXT, AT(settle_hook),
     .doc = "run by sh before RAM is taken for the image; its failure is a veto"},
    {"quiesce", "COMMAND", OF_SERVE, TEXT, AT(quiesce_hook),
     .doc = "run by sh just before the freeze; its failure is a veto"},
    {"freeze-timeout", "MS", OF_SERVE, NUMBER, AT(freeze_timeout_ms), 1, 600000,
     .doc = "for stopping the process's threads (5000)"},
    {"max-freeze", "MS", OF_SERVE, NUMBER, AT(max_freeze_ms), 1, INT_MAX,
     .doc = "give up, and let the process run on, when it would be frozen for longer (no limit)"},
    {"move", NULL, OF_SERVE, FLAG, AT(move),
     .doc = "end the process once its clone has proved that it runs"},
    {"compress", "auto|never|N", OF_SERVE, OTHER, 0, .parse = parse_compress,
     .doc = "auto measures whether the link needs it"},
    {"dir", "DIR", OF_PULL, PATH, AT(directory),
     .doc = "where received files without a map are kept"},
    {"map", "SRC=DST", OF_PULL, OTHER, 0, .parse = add_map,
     .doc = "the source's SRC is this host's DST; repeatable"},
    {"rename", "OLD=NEW", OF_PULL, OTHER, 0, .parse = add_rename,
     .doc = "an open file OLD becomes NEW; repeatable"},
    {"keep-free", "BYTES", OF_PULL, BYTES, AT(keep_free),
     .doc = "what received files leave free of their disks (256M); 0: nothing"},
    {"patience", "MS", OF_PULL, NUMBER, AT(patience_ms), 1, INT_MAX,
     .doc = "how long the process may take to be frozen; then COMMAND runs (the time limit)"},
    {"user", "USER", OF_PULL, TEXT, AT(user),
     .doc = "root: clone a process of USER's, with USER's rights (root's)"},
    {"pid", "PID", OF_CHECK, NUMBER, AT(pid), 2, INT_MAX,
     .doc = "also: can this process be cloned?"},
    {"map", "SRC=DST", OF_CHECK, OTHER, 0, .parse = add_map, .doc = "as pull's, for a pair check"},
    {"user", "USER", OF_CHECK, TEXT, AT(user), .doc = "as pull's, for a pair check"},
    {"json", NULL, OF_CHECK, FLAG, AT(json), .doc = "JSON instead of a table"},
    {"key-file", "FILE", OF_ALL, TEXT, AT(key_file),
     .doc = "the session key: 32 bytes or 64 hex digits"},
    {"key-fd", "N", OF_ALL, NUMBER, AT(key_fd), 0, INT_MAX,
     .doc = "the same, from an open descriptor"},
    {"criu", "PATH", OF_ALL, TEXT, AT(criu), .doc = "the CRIU to use (4.2 or later)"},
    {"wait", "MS", OF_ALL, NUMBER, AT(wait_ms), 0, INT_MAX,
     .doc = "how long to wait for the peer (60000)"},
    {"quiet", NULL, OF_ALL, FLAG, AT(quiet), .doc = "no progress lines"},
    {"report", "FILE", OF_CLONING, TEXT, AT(report),
     .doc = "where the JSON line goes (standard output)"},
    {"events", "FILE", OF_CLONING, TEXT, AT(events),
     .doc = "append events to FILE, a JSON object a line"},
    {"criu-log", "FILE", OF_CLONING, TEXT, AT(criu_log), .doc = "keep CRIU's own log there"},
    {"criu-verbosity", "N", OF_CLONING, NUMBER, AT(criu_verbosity), 0, 4,
     .doc = "of that log, 0 to 4 (1: errors)"},
    {"resume", "COMMAND", OF_CLONING, TEXT, AT(resume_hook),
     .doc = "run by sh when this side's process runs again"},
    {"hook-timeout", "MS", OF_CLONING, NUMBER, AT(hook_timeout_ms), 1, 600000,
     .doc = "time limit of each hook (5000)"},
    {"time-limit", "MS", OF_CLONING, NUMBER, AT(time_limit_ms), 1, INT_MAX,
     .doc = "for the clone once the peer is there (120000)"},
    {"ram-limit", "BYTES", OF_CLONING, BYTES, AT(ram_limit),
     .doc = "largest image this clone may have; K, M, G"},
    {"max-clones", "N", OF_CLONING, NUMBER, AT(limits.clones), 1, 64,
     .doc = "concurrent clones on this host (4)"},
    {"max-ram", "BYTES", OF_CLONING, BYTES, AT(limits.ram_bytes),
     .doc = "RAM of all clones on this host (half of what is available)"},
    {"max-bandwidth", "BYTES", OF_CLONING, BYTES, AT(limits.bytes_per_second),
     .doc = "per second, all clones (unlimited)"},
    {"lease-dir", "DIR", OF_ALL, TEXT, AT(limits.directory),
     .doc = "where the host's limits are kept"},
};
#define ROWS (sizeof rows / sizeof rows[0])
#define FIRST_KEY 256

static void parse_row(struct argp_state *state, const struct row *row, char *text) {
    struct options *options = state->input;
    void *member = (char *)options + row->at;
    switch (row->kind) {
    case TEXT:
        *(char **)member = text;
        return;
    case PATH:
        *(char **)member = absolute(text);
        return;
    case NUMBER:
        *(int *)member = (int)parse_number(state, row->name, text, row->least, row->most);
        return;
    case BYTES:
        *(uint64_t *)member = parse_bytes(state, row->name, text);
        return;
    case FLAG:
        *(bool *)member = true;
        return;
    case OTHER:
        row->parse(state, options, text);
    }
}

// What can't be left out.
static void check_end(struct argp_state *state, const struct options *options) {
    bool serves = options->command_name == COMMAND_SERVE;
    if (options->command_name == COMMAND_CHECK)
        return;
    if (serves && options->pid == 0)
        argp_error(state, "missing --pid PID: the process to clone");
    if (!serves && options->host == NULL)
        argp_error(state, "missing HOST:PORT: where serve waits");
    if (options->key_file == NULL && options->key_fd < 0)
        argp_error(state, serves ? "a session key is needed: --key-file FILE or --key-fd N "
                                   "(head -c 32 /dev/urandom > FILE makes one)"
                                 : "the session key that serve has is needed: --key-file or "
                                   "--key-fd");
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
    struct options *options = state->input;
    if (key >= FIRST_KEY && key < FIRST_KEY + (int)ROWS)
        parse_row(state, &rows[key - FIRST_KEY], text);
    else if (key == 'q')
        options->quiet = true;
    else if (key == ARGP_KEY_END)
        check_end(state, options);
    else if (key == ARGP_KEY_ARG && options->host == NULL && options->command_name != COMMAND_SERVE)
        parse_peer(state, options, text);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static const struct {
    const char *arguments, *doc;
} commands[] = {
    [COMMAND_SERVE] = {NULL, "Waits for one peer and clones a running process to it."},
    [COMMAND_PULL] = {"HOST:PORT [-- COMMAND...]",
                      "Becomes the parent of a clone of the process that HOST:PORT serves, or "
                      "executes COMMAND when no clone can be made."},
    [COMMAND_CHECK] = {"[HOST:PORT]",
                       "Is this host able, and (with the HOST:PORT of a waiting serve) this pair "
                       "of hosts?"},
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
            parse_option(option->key, value, &state);
    }
}

void options_parse(struct options *options, enum command_name command, int argc, char **argv) {
    *options = (struct options){.command_name = command,
                                .key_fd = -1,
                                .hook_timeout_ms = 5000,
                                .freeze_timeout_ms = 5000,
                                .wait_ms = 60000,
                                .time_limit_ms = 120000,
                                .patience_ms = INT_MAX,
                                .criu_verbosity = CRIU_ERRORS,
                                .compress = WIRE_COMPRESS_AUTO,
                                .compress_text = "auto",
                                .keep_free = 256ull << 20,
                                .limits = {.clones = 4}};
    // What follows `--` is a command of its own, not for argp.
    int ours = argc;
    for (int i = 1; i < argc && command == COMMAND_PULL; i++)
        if (strcmp(argv[i], "--") == 0) {
            ours = i;
            options->command = i + 1 < argc ? &argv[i + 1] : NULL;
            break;
        }
    struct argp_option list[ROWS + 1] = {0};
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++)
        if ((rows[i].commands & 1u << command) != 0)
            list[count++] =
                (struct argp_option){.name = rows[i].name,
                                     .key = rows[i].at == AT(quiet) ? 'q' : FIRST_KEY + (int)i,
                                     .arg = rows[i].value,
                                     .doc = rows[i].doc};
    struct argp parser = {.options = list,
                          .parser = parse_option,
                          .args_doc = commands[command].arguments,
                          .doc = commands[command].doc};
    argp_err_exit_status = EXIT_USAGE;
    from_environment(&parser, options, argv[0]);
    error_t error = argp_parse(&parser, ours, argv, 0, NULL, options);
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
