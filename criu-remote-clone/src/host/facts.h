// SPDX-License-Identifier: Apache-2.0
// Facts about this host and about a running process, read from /proc, sysfs and the files
// themselves. Reading only: judging is done in judge/.
#pragma once

#include "claim.h"
#include "clone_wire.pb-c.h"
#include "failure.h"
#include "identity.h"

// This host. Free with protobuf_c_message_free_unpacked(&facts->base, NULL).
CloneWire__HostFacts *facts_of_host(const char *criu_version, struct failure *failure);

// MemAvailable, whoever may use it. UINT64_MAX when unknown.
uint64_t facts_memory_of_host(void);

// The same, cut to the headroom of every memory cgroup (v1 and v2) that contains `pid` (0: us).
// Page cache that the kernel can drop at once counts as headroom. UINT64_MAX when nothing is known;
// 0 is what a group has that presses against its limit.
uint64_t facts_memory_available(pid_t pid);

// The highest process id this host gives out, or 0 when unknown.
uint32_t facts_pid_max(void);

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
    uint32_t mode; // st_mode
    uid_t uid;
    gid_t gid;
    dev_t device_number; // of a device
    uint64_t allocated_bytes;
    uint64_t links;
    bool lost_mount; // it is on a mount that the process's namespace hasn't
    pid_t pidfd_of;  // a pidfd's process; 0: no pidfd, -1: the process has ended
};

// Those in which a process may differ from another.
enum namespace_kind {
    NAMESPACE_MNT,
    NAMESPACE_NET,
    NAMESPACE_UTS,
    NAMESPACE_IPC,
    NAMESPACE_PID,
    NAMESPACE_CGROUP,
    NAMESPACE_USER,
    NAMESPACE_TIME, // of its children
    NAMESPACE_KINDS
};
extern const char *const namespace_names[NAMESPACE_KINDS];

// Each process of the tree.
struct task_facts {
    pid_t pid;          // in the caller's PID namespace
    uint32_t inner_pid; // in its own
    uint32_t thread_count;
    char *command;
    uint64_t anonymous_bytes; // memory that an image will hold
    char state;               // as in /proc/PID/status
    bool shares_memory;       // with its parent
    uint32_t session;         // in its own PID namespace; 0: it began outside
    uint64_t huge_bytes;
    pid_t tracer, traced_thread;          // 0: none
    uint64_t namespaces[NAMESPACE_KINDS]; // their files' inodes; 0: can't be told
};

// Something that is mapped, by what stands in /proc/PID/maps, " (deleted)" included.
struct mapping_facts {
    pid_t pid;
    char *name;
    uint64_t length; // as far as a file must reach
    bool device;
};

struct socket_facts {
    ino_t inode;
    size_t fd;         // index into fds, of one of its descriptors
    char protocol[32]; // "TCPv6", "UNIX-STREAM", ...
    bool listens;
    bool elsewhere;    // UDP: at an address that not every host has
    bool outside;      // unix: connected to a process outside of the tree
    char address[128]; // of one that listens or is elsewhere
};

struct process_facts {
    pid_t root;
    size_t task_count;
    struct task_facts *tasks; // the tree, the root first
    uint32_t highest_id;      // highest inner pid, tid, process group or session
    uid_t uid;
    gid_t gid;
    struct identity reader; // whose rights its files are read with
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
    size_t claim_count; // each once, whichever processes and threads make it
    struct claim **claims;
    void *claim_tree; // the same, for tfind(3)
    uint64_t our_namespaces[NAMESPACE_KINDS];
    bool working_directory_deleted;
    size_t mapping_count;
    struct mapping_facts *mappings;
    size_t socket_count;
    struct socket_facts *sockets; // each once, by inode
};

// Looks at the process and its descendants while they run: it stops nothing, and reads each thing
// once. EXIT_REFUSED when there is no such process, EXIT_UNABLE when we may not look into it.
int facts_of_process(pid_t pid, struct process_facts *facts, struct failure *failure);
// What anonymous_bytes would add up to if it was read now: the processes may have grown, or given
// memory back.
uint64_t facts_imaged_bytes(const struct process_facts *facts);
void facts_free(struct process_facts *facts);

// Offer.needed: the files outside `roots` (absolute paths of the file clone set) that the clone
// will open or map again to read them, or is led to by symbolic links of the set (`outside`),
// sorted by path. Contents are hashed of files that have no build id and are not larger than 64 MiB
// (CRIU itself compares only sizes and modes).
int facts_needed(const struct process_facts *process, char *const *roots, size_t root_count,
                 char *const *outside, size_t outside_count, CloneWire__FileFacts ***needed,
                 size_t *count, struct failure *failure);
void facts_needed_free(CloneWire__FileFacts **needed, size_t count);

// The file's facts: size, mode, owner, mtime, link target; build id for ELF files; the content hash
// of other regular files of at most 64 MiB only if `hash_contents`. `facts` is initialized here.
// Nothing at the path: 1; anything else that goes wrong: -1.
int facts_of_file(const char *path, bool hash_contents, CloneWire__FileFacts *facts,
                  struct failure *failure);
void facts_file_clear(CloneWire__FileFacts *facts);

// GNU build id of an ELF file: its length, or 0 if there is none (not an ELF file, unreadable).
size_t facts_build_id(const char *path, uint8_t *id, size_t size);
