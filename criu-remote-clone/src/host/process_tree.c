// SPDX-License-Identifier: Apache-2.0
// A process and its descendants: finding them, and ending them.
#include "process_tree.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "deadline.h"
#include "memory.h"
#include "procfs.h"
#include "scope.h"

#define END_MS 10000 // it may have much memory to give back

// --- who is in it ---

void pid_append(pid_t **pids, size_t *count, long pid) {
    must_grow(pids, *count, sizeof **pids);
    (*pids)[(*count)++] = (pid_t)pid;
}

void numbers_in(const char *directory, pid_t **numbers, size_t *count) {
    AUTO_CLOSEDIR DIR *listing = opendir(directory);
    for (struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;)
        if (isdigit((unsigned char)entry->d_name[0]))
            pid_append(numbers, count, atol(entry->d_name));
}

static bool is_child(pid_t pid, pid_t parent) {
    AUTO_FREE char *status = procfs_read(NULL, "/proc/%d/status", (int)pid);
    uint64_t its_parent = 0;
    return status != NULL && procfs_number(status, "PPid", &its_parent) &&
           its_parent == (uint64_t)parent;
}

// proc(5): the list is only exact for a frozen process; CRIU itself looks again when it has frozen.
void children_of(pid_t pid, bool scan, pid_t **pids, size_t *count) {
    char directory[64];
    AUTO_FREE pid_t *others = NULL;
    size_t other_count = 0;
    snprintf(directory, sizeof directory, "/proc/%d/task", (int)pid);
    numbers_in(directory, &others, &other_count);
    for (size_t i = 0; !scan && i < other_count; i++) {
        AUTO_FREE char *list = procfs_read(NULL, "%s/%d/children", directory, (int)others[i]);
        // A kernel without CONFIG_PROC_CHILDREN has the task, but no such file.
        scan = list == NULL && errno == ENOENT && others[i] == pid;
        char *end = list;
        for (long child; list != NULL && (child = strtol(end, &end, 10)) > 0;)
            pid_append(pids, count, child);
    }
    other_count = 0;
    if (scan)
        numbers_in("/proc", &others, &other_count);
    for (size_t i = 0; i < other_count; i++)
        if (is_child(others[i], pid))
            pid_append(pids, count, others[i]);
}

// --- its end ---

struct member {
    pid_t pid;
    int pidfd;
    int entry; // the keeper's
};

struct tree {
    struct member *members;
    size_t count;
    struct keeper *keeper;
};

static bool has(const struct tree *tree, pid_t pid) {
    for (size_t i = 0; i < tree->count; i++)
        if (tree->members[i].pid == pid)
            return true;
    return false;
}

// Should we be killed, the keeper ends it: nobody would continue it. Takes the descriptor over.
static int stop_member(struct tree *tree, pid_t pid, int pidfd, struct failure *failure) {
    must_grow(&tree->members, tree->count, sizeof *tree->members);
    struct member *member = &tree->members[tree->count];
    *member = (struct member){
        .pid = pid, .pidfd = pidfd, .entry = keeper_end(tree->keeper, pidfd, failure)};
    if (member->entry < 0) {
        close(pidfd);
        return -1;
    }
    tree->count++;
    if (pidfd_send_signal(pidfd, SIGSTOP, NULL, 0) == 0 || errno == ESRCH)
        return 0;
    return fail_errno(failure, EXIT_INTERNAL, "process %d can't be stopped", (int)pid);
}

// A number from the parent's list may have become another's before we had its pidfd.
static int stop_child(struct tree *tree, pid_t pid, pid_t parent, struct failure *failure) {
    int pidfd = pidfd_open(pid, 0);
    if (pidfd >= 0 && is_child(pid, parent))
        return stop_member(tree, pid, pidfd, failure);
    close_fd(pidfd);
    return 0;
}

static int stop_children(struct tree *tree, pid_t parent, struct failure *failure) {
    AUTO_FREE pid_t *children = NULL;
    size_t count = 0;
    int result = 0;
    children_of(parent, false, &children, &count);
    for (size_t i = 0; result == 0 && i < count; i++)
        if (!has(tree, children[i]))
            result = stop_child(tree, children[i], parent, failure);
    return result;
}

// Who was about to fork when it was stopped has a child that the first look missed.
static int stop_descendants(struct tree *tree, struct failure *failure) {
    for (size_t known = 0; known < tree->count;) {
        known = tree->count;
        for (size_t i = 0; i < tree->count; i++)
            if (stop_children(tree, tree->members[i].pid, failure) < 0)
                return -1;
    }
    return 0;
}

// The last of the two things to be done with it: it is killed, or runs again, and off the list.
static void let_member_go(const struct tree *tree, const struct member *member, int signal) {
    struct failure ignored; // without a keeper there is no list
    if (signal == SIGCONT)  // or it would be ended, if we are killed in between
        keeper_forget(tree->keeper, member->entry, &ignored);
    pidfd_send_signal(member->pidfd, signal, NULL, 0);
    if (signal == SIGKILL)
        keeper_forget(tree->keeper, member->entry, &ignored);
    close(member->pidfd);
}

int process_tree_end(pid_t pid, int pidfd, struct keeper *keeper, struct failure *failure) {
    struct tree tree = {.keeper = keeper};
    int root = fcntl(pidfd, F_DUPFD_CLOEXEC, 0);
    if (root < 0)
        return fail_errno(failure, EXIT_INTERNAL, "no descriptor for process %d", (int)pid);
    int result = stop_member(&tree, pid, root, failure);
    if (result == 0)
        result = stop_descendants(&tree, failure);
    for (size_t i = 0; i < tree.count; i++)
        let_member_go(&tree, &tree.members[i], result == 0 ? SIGKILL : SIGCONT);
    free(tree.members);
    if (result == 0 && !await_readable(pidfd, deadline_in_ms(END_MS)))
        return fail(failure, EXIT_INTERNAL, "process %d was killed, and doesn't end", (int)pid);
    return result;
}
