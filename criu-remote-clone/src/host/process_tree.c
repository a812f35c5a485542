#include "process_tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "deadline.h"
#include "memory.h"
#include "procfs.h"
#include "scope.h"

#define END_MS 10000 // it may have much memory to give back

// --- who is in it ---

int pid_append(pid_t **pids, size_t *count, long pid, struct failure *failure) {
    if (grow(pids, *count, sizeof **pids, failure) < 0)
        return -1;
    (*pids)[(*count)++] = (pid_t)pid;
    return 0;
}

// The numbers that name subdirectories: tasks, descriptors, processes. Nothing there: none.
int numbers_in(const char *directory, pid_t **numbers, size_t *count, struct failure *failure) {
    AUTO_CLOSEDIR DIR *listing = opendir(directory);
    int result = 0;
    for (struct dirent *entry; result == 0 && listing != NULL && (entry = readdir(listing));)
        if (isdigit((unsigned char)entry->d_name[0]))
            result = pid_append(numbers, count, atol(entry->d_name), failure);
    return result;
}

static bool is_child(pid_t pid, pid_t parent) {
    AUTO_FREE char *status = procfs_read(NULL, "/proc/%d/status", (int)pid);
    uint64_t its_parent = 0;
    return status != NULL && procfs_number(status, "PPid", &its_parent) &&
           its_parent == (uint64_t)parent;
}

static int children_by_scan(pid_t parent, pid_t **pids, size_t *count, struct failure *failure) {
    AUTO_FREE pid_t *all = NULL;
    size_t all_count = 0;
    int result = numbers_in("/proc", &all, &all_count, failure);
    for (size_t i = 0; result == 0 && i < all_count; i++)
        if (is_child(all[i], parent))
            result = pid_append(pids, count, all[i], failure);
    return result;
}

// proc(5): the list is only exact for a frozen process; CRIU itself looks again when it has frozen.
int children_of(pid_t pid, bool scan, pid_t **pids, size_t *count, struct failure *failure) {
    char directory[64];
    snprintf(directory, sizeof directory, "/proc/%d/task", (int)pid);
    AUTO_FREE pid_t *tasks = NULL;
    size_t task_count = 0;
    int result = numbers_in(directory, &tasks, &task_count, failure);
    for (size_t i = 0; result == 0 && !scan && i < task_count; i++) {
        char *list = procfs_read(NULL, "%s/%d/children", directory, (int)tasks[i]);
        // A kernel without CONFIG_PROC_CHILDREN has the task, but no such file.
        scan = list == NULL && errno == ENOENT && tasks[i] == pid;
        char *end = list;
        for (long child; result == 0 && list != NULL && (child = strtol(end, &end, 10)) > 0;)
            result = pid_append(pids, count, child, failure);
        free(list);
    }
    return result == 0 && scan ? children_by_scan(pid, pids, count, failure) : result;
}

// --- its end ---

struct member {
    pid_t pid;
    int pidfd;
};

struct tree {
    struct member *members;
    size_t count;
};

static bool has(const struct tree *tree, pid_t pid) {
    for (size_t i = 0; i < tree->count; i++)
        if (tree->members[i].pid == pid)
            return true;
    return false;
}

static int stop_member(struct tree *tree, pid_t pid, int pidfd, struct failure *failure) {
    if (grow(&tree->members, tree->count, sizeof *tree->members, failure) < 0) {
        close(pidfd);
        return -1;
    }
    tree->members[tree->count++] = (struct member){.pid = pid, .pidfd = pidfd};
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
    int result = children_of(parent, false, &children, &count, failure);
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

int process_tree_end(pid_t pid, int pidfd, struct failure *failure) {
    struct tree tree = {0};
    int root = fcntl(pidfd, F_DUPFD_CLOEXEC, 0);
    if (root < 0)
        return fail_errno(failure, EXIT_INTERNAL, "no descriptor for process %d", (int)pid);
    int result = stop_member(&tree, pid, root, failure);
    if (result == 0)
        result = stop_descendants(&tree, failure);
    for (size_t i = 0; i < tree.count; i++) {
        pidfd_send_signal(tree.members[i].pidfd, result == 0 ? SIGKILL : SIGCONT, NULL, 0);
        close(tree.members[i].pidfd);
    }
    free(tree.members);
    if (result == 0 && !await_readable(pidfd, deadline_in_ms(END_MS)))
        return fail(failure, EXIT_INTERNAL, "process %d was killed, and doesn't end", (int)pid);
    return result;
}
