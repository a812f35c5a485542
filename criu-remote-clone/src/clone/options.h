// SPDX-License-Identifier: Apache-2.0
// The command lines, and the environment variables that stand in for options: --hook-timeout is
// CRIU_REMOTE_CLONE_HOOK_TIMEOUT, and so on. The command line wins.
#pragma once

#include "failure.h"
#include "fileset.h"
#include "image.h"
#include "lease.h"

enum command_name { COMMAND_SERVE, COMMAND_PULL, COMMAND_CHECK };

struct options {
    enum command_name command_name;
    // both ends
    const char *key_file;
    int key_fd; // -1: none
    const char *criu;
    const char *criu_log; // file for it; NULL: none
    int criu_verbosity;
    const char *report; // file for the JSON line; NULL: standard output
    const char *events; // file for events; NULL: none
    bool quiet;
    const char *resume_hook;
    int hook_timeout_ms;
    int wait_ms;        // for the peer
    int time_limit_ms;  // for the clone, once the peer is there
    uint64_t ram_limit; // bytes of image; 0: what the limits and the memory allow
    struct lease_limits limits;
    // serve
    pid_t pid;
    const char *bind_address;
    uint16_t first_port, last_port;
    const char *port_file;
    char **file_set;
    size_t file_set_count;
    const char *settle_hook;
    const char *quiesce_hook;
    int freeze_timeout_ms;
    int max_freeze_ms; // 0: no limit but the clone's
    bool move;         // the process ends once its clone runs
    int compress;
    const char *compress_text;
    // pull, check
    char *host;
    uint16_t port;
    const char *user;   // root: on whose behalf; NULL: the caller's
    uint64_t keep_free; // bytes that received files leave of every disk; 0: none
    int patience_ms;    // until the process is frozen, from pull's start
    char *directory;    // base for received files without a map
    struct path_maps maps;
    struct rename_rule *renames;
    size_t rename_count;
    char **command; // after `--`; NULL: none
    // check
    bool json;
};

// Parses; on a usage error prints one line and exits with EXIT_USAGE (argp's own way); --help and
// --version exit with 0.
void options_parse(struct options *options, enum command_name command, int argc, char **argv);
void options_free(struct options *options);

// Reads the session key: 32 raw bytes, or 64 hexadecimal digits and an optional newline. A key
// file that others can read is refused. The descriptor is closed.
int options_read_key(const struct options *options, uint8_t key[32], struct failure *failure);
