#include "process_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "deadline.h"
#include "facts_internal.h"
#include "procfs.h"

#define END_MS 10000 // it may have much memory to give back

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
    struct member *grown = reallocarray(tree->members, tree->count + 1, sizeof *grown);
    if (grown == NULL) {
        close(pidfd);
        return fail(failure, EXIT_SPACE, "out of memory");
    }
    tree->members = grown;
    tree->members[tree->count++] = (struct member){.pid = pid, .pidfd = pidfd};
    if (pidfd_send_signal(pidfd, SIGSTOP, NULL, 0) == 0 || errno == ESRCH)
        return 0;
    return fail_errno(failure, EXIT_INTERNAL, "process %d can't be stopped", (int)pid);
}

// A number from the parent's list may have become another's before we had its pidfd.
static bool is_child(pid_t pid, pid_t parent) {
    char *status = procfs_read(NULL, "/proc/%d/status", (int)pid);
    uint64_t its_parent = 0;
    bool is = status != NULL && procfs_number(status, "PPid", &its_parent) &&
              its_parent == (uint64_t)parent;
    free(status);
    return is;
}

static int stop_child(struct tree *tree, pid_t pid, pid_t parent, struct failure *failure) {
    int pidfd = pidfd_open(pid, 0);
    if (pidfd >= 0 && is_child(pid, parent))
        return stop_member(tree, pid, pidfd, failure);
    if (pidfd >= 0)
        close(pidfd);
    return 0;
}

static int stop_children(struct tree *tree, pid_t parent, struct failure *failure) {
    pid_t *children = NULL;
    size_t count = 0;
    int result = children_of(parent, false, &children, &count, failure);
    for (size_t i = 0; result == 0 && i < count; i++)
        if (!has(tree, children[i]))
            result = stop_child(tree, children[i], parent, failure);
    free(children);
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

static int await_end(pid_t pid, int pidfd, struct failure *failure) {
    struct pollfd end = {.fd = pidfd, .events = POLLIN};
    int64_t deadline = deadline_in_ms(END_MS);
    int ready;
    do
        ready = poll(&end, 1, deadline_poll_ms(deadline));
    while (ready < 0 && errno == EINTR);
    return ready > 0
               ? 0
               : fail(failure, EXIT_INTERNAL, "process %d was killed, and doesn't end", (int)pid);
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
    return result < 0 ? -1 : await_end(pid, pidfd, failure);
}
