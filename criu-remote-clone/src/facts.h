// Facts about this host and about a running process, read from /proc, sysfs and the files
// themselves. Reading only: judging is verdict.h's.
#ifndef CLONE_FACTS_H
#define CLONE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "clone_wire.pb-c.h"
#include "failure.h"

// This host. Free with protobuf_c_message_free_unpacked(&facts->base, NULL).
CloneWire__HostFacts *facts_of_host(const char *criu_version, struct failure *failure);

// MemAvailable, cut to the headroom of every memory cgroup (v1 and v2) that contains `pid` (0: us).
uint64_t facts_memory_available(pid_t pid);

enum fd_kind { FD_REGULAR, FD_DIRECTORY, FD_CHARACTER, FD_PIPE, FD_SOCKET, FD_OTHER };

struct fd_facts {
    int fd;
    pid_t pid;
    enum fd_kind kind;
    char *target; // what /proc/PID/fd/N says
    int flags;    // open flags
    bool deleted;
    dev_t device;
    ino_t inode;
};

struct process_facts {
    pid_t root;
    size_t pid_count;
    pid_t *pids;          // the tree, the root first, in the caller's PID namespace
    uint32_t *inner_pids; // the same in the process's own PID namespace
    uint32_t *thread_counts;
    char **commands;
    uint64_t *anonymous_bytes; // private memory that an image will hold (smaps_rollup)
    uint32_t highest_id;       // highest inner pid or tid
    uid_t uid;
    gid_t gid;
    char *working_directory;
    char *executable;
    size_t fd_count;
    struct fd_facts *fds;
    size_t mapped_count; // distinct files mapped by the tree
    struct mapped_file {
        char *path;
        bool executable;
        bool deleted;
        bool shared_writable;
    } * mapped;
    // What CRIU or a clone can't carry, in words, each with the fix where there is one: listening
    // sockets, external unix sockets, devices, io_uring, a traced process, pid 1 of its
    // namespace...
    size_t obstacle_count;
    char **obstacles;
};

int facts_of_process(pid_t pid, struct process_facts *facts, struct failure *failure);
void facts_free(struct process_facts *facts);

// The file's facts: size, mode, owner, mtime, link target; build id for ELF files; the content hash
// of others only if `hash_contents`.
int facts_of_file(const char *path, bool hash_contents, CloneWire__FileFacts *facts,
                  struct failure *failure);
void facts_file_clear(CloneWire__FileFacts *facts);

// GNU build id of an ELF file: its length, or 0 if there is none (not an ELF file, unreadable).
size_t facts_build_id(const char *path, uint8_t *id, size_t size);

#endif
