// SPDX-License-Identifier: Apache-2.0
// What only all images together say: the processes and files they refer to are there, and every
// path is one that the user may open.
#include "policy_internal.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "image_fields.h"
#include "memory.h"

// ---- Processes and namespaces

// Whatever can't be there twice.
static int check_unique(struct check *check) {
    static const enum note_kind unique[] = {NOTE_IMAGE, NOTE_TASK, NOTE_THREAD, NOTE_FILE,
                                            NOTE_REMAP};
    const struct policy_memory *memory = check->memory;
    for (size_t i = 1; i < memory->count; i++) {
        const struct note *this = &memory->notes[i], *before = this - 1;
        if (this->kind != before->kind || this->id != before->id)
            continue;
        for (size_t k = 0; k < sizeof unique / sizeof unique[0]; k++)
            if (this->kind == unique[k] &&
                (this->kind != NOTE_IMAGE || strcmp(this->text, before->text) == 0))
                return policy_refuse(check, MALFORMED, "%s is there twice",
                                     this->kind == NOTE_IMAGE ? this->text
                                     : this->kind == NOTE_FILE
                                         ? "a file's number"
                                         : "a process, thread or deleted file");
    }
    return 0;
}

static int need_image(struct check *check, const char *kind, uint32_t number) {
    char name[64];
    snprintf(name, sizeof name, "%s-%" PRIu32 ".img", kind, number);
    return policy_has_image(check, name) ? 0
                                         : policy_refuse(check, MALFORMED, "%s is missing", name);
}

static int check_task_images(struct check *check, uint32_t pid) {
    static const char *const kinds[] = {"ids", "mm", "fs", "pagemap"};
    if (need_image(check, "core", pid) != 0)
        return -1;
    if (policy_find_note(check, NOTE_DEAD, pid) != NULL)
        return 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (need_image(check, kinds[i], pid) != 0)
            return -1;
    const struct note *table = policy_find_note(check, NOTE_TABLE, pid);
    return table == NULL ? policy_refuse(check, MALFORMED, "ids-%" PRIu32 ".img is empty", pid)
                         : need_image(check, "fdinfo", table->value);
}

static int check_task_note(struct check *check, const struct note *task) {
    if (task->value != 0 && policy_find_note(check, NOTE_TASK, task->value) == NULL)
        return policy_refuse(check, MALFORMED,
                             "the parent %" PRIu32 " of process %" PRIu32 " is missing",
                             task->value, task->id);
    return check_task_images(check, task->id);
}

static int check_thread_note(struct check *check, const struct note *thread) {
    if (policy_find_note(check, NOTE_TASK, thread->id) != NULL)
        return policy_refuse(check, MALFORMED, "%" PRIu32 " is a process and a thread", thread->id);
    return need_image(check, "core", thread->id);
}

static int check_namespace_note(struct check *check, const struct note *note) {
    if (note->value == check->memory->root_namespaces[note->id])
        return 0;
    return policy_refuse(check, OBSTACLE_NAMESPACE,
                         "the process would get a namespace of its own; run serve in the "
                         "namespaces of the process (pid, net, ipc, uts, mnt, user, cgroup)");
}

static int check_owner_note(struct check *check, const struct note *note) {
    if (policy_find_note(check, NOTE_TASK, note->id) != NULL ||
        policy_find_note(check, NOTE_THREAD, note->id) != NULL)
        return 0;
    return policy_refuse(
        check, UNSEEN, "an open file refers to process %" PRIu32 ", which isn't cloned", note->id);
}

// ---- Paths and files

static bool is_number(const char *text) {
    size_t length = strspn(text, "0123456789");
    return length > 0 && length < 10 && text[length] == '\0';
}

static bool is_terminal(const char *path) {
    static const char *const devices[] = {"/dev/tty", "/dev/ptmx", "/dev/pts/ptmx", NULL};
    static const char slaves[] = "/dev/pts/";
    return is_one_of(path, devices) ||
           (strncmp(path, slaves, sizeof slaves - 1) == 0 && is_number(path + sizeof slaves - 1));
}

static int judge_path(const struct check *check, const char *path, int flags) {
    uint32_t pid = claim_process_of(path);
    bool own = pid != 0 && policy_find_note(check, NOTE_TASK, pid) != NULL;
    return policy_claim(check, (struct claim){CLAIM_PATH, {flags, own}, path});
}

// The path of a terminal is opened by CRIU's terminal code only, which makes a new one.
static int judge_terminal(const struct check *check, const struct note *file) {
    static const enum note_kind uses[] = {NOTE_PASSED, NOTE_MAPPED, NOTE_EXE,  NOTE_CWD,
                                          NOTE_ROOT,   NOTE_FIFO,   NOTE_REMAP};
    bool elsewhere = policy_find_note(check, NOTE_OPEN, file->id) != NULL;
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        elsewhere = elsewhere || policy_find_note(check, uses[i], file->id) != NULL;
    if (elsewhere || !is_terminal(file->text) || !S_ISCHR(file->mode))
        return policy_refuse(check, MALFORMED, "%s is opened as a terminal and isn't one",
                             file->text);
    return 0;
}

static int check_file_note(struct check *check, const struct note *file) {
    if (file->value != TYPE_REG)
        return 0;
    if (policy_find_note(check, NOTE_TERMINAL, file->id) != NULL)
        return judge_terminal(check, file);
    bool deleted = policy_find_note(check, NOTE_REMAP, file->id) != NULL;
    // CRIU opens what was made without a name (O_TMPFILE) by its path, like any other.
    if ((file->flags & O_TMPFILE) == O_TMPFILE && !deleted)
        return policy_refuse(check, MALFORMED, "%s has no name and no contents in the image",
                             file->text);
    return judge_path(check, file->text, (file->flags & O_ACCMODE) | (deleted ? O_CREAT : 0));
}

// The file that another image refers to.
static const struct note *need_file(struct check *check, const struct note *use, uint32_t type) {
    const struct note *file = policy_find_note(check, NOTE_FILE, use->id);
    if (file == NULL || file->value != type) {
        policy_refuse(check, MALFORMED, "file %" PRIu32 " is used and isn't in it", use->id);
        return NULL;
    }
    return file;
}

static int check_open_note(struct check *check, const struct note *use) {
    return need_file(check, use, use->value) != NULL ? 0 : -1;
}

static int check_passed_note(struct check *check, const struct note *use) {
    return policy_find_note(check, NOTE_FILE, use->id) != NULL
               ? 0
               : policy_refuse(check, MALFORMED, "file %" PRIu32 " is on its way and isn't in it",
                               use->id);
}

static int check_mapped_note(struct check *check, const struct note *use) {
    const struct note *file = need_file(check, use, use->value);
    if (file == NULL)
        return -1;
    if (file->value != TYPE_REG || ((file->flags ^ use->flags) & O_ACCMODE) == 0)
        return 0; // nothing to open by path, or judged as a file
    bool deleted = policy_find_note(check, NOTE_REMAP, file->id) != NULL;
    return judge_path(check, file->text, (use->flags & O_ACCMODE) | (deleted ? O_CREAT : 0));
}

// What a file is used as that another image names.
static int check_use_note(struct check *check, const struct note *use) {
    const struct note *file = need_file(check, use, TYPE_REG);
    if (file == NULL)
        return -1;
    const char *path = file->text;
    bool reads = (file->flags & O_ACCMODE) == O_RDONLY;
    bool directory = use->kind == NOTE_CWD || use->kind == NOTE_ROOT;
    if (use->kind == NOTE_EXE && (!S_ISREG(file->mode) || (file->mode & 0111) == 0 || !reads))
        return policy_refuse(check, MALFORMED, "the executable %s is not executable", path);
    if (directory && (!S_ISDIR(file->mode) || !reads))
        return policy_refuse(check, MALFORMED, "%s is not a directory to be in", path);
    if (use->kind == NOTE_FIFO && !S_ISFIFO(file->mode))
        return policy_refuse(check, MALFORMED, "%s is not a FIFO", path);
    return use->kind == NOTE_ROOT ? policy_claim(check, (struct claim){CLAIM_ROOT, {0}, path}) : 0;
}

static int check_remap_note(struct check *check, const struct note *use) {
    if (need_file(check, use, TYPE_REG) == NULL)
        return -1;
    return policy_find_note(check, NOTE_GHOST, use->value) != NULL
               ? 0
               : policy_refuse(check, MALFORMED,
                               "the contents of a deleted file are missing (ghost-file-%" PRIx32
                               ".img)",
                               use->value);
}

static int check_socket_note(struct check *check, const struct note *socket) {
    return judge_path(check, socket->text, O_RDWR | O_CREAT);
}

static int check_filter_note(struct check *check, const struct note *use) {
    return use->id < check->memory->filter_count
               ? 0
               : policy_refuse(check, MALFORMED, "system-call filter %" PRIu32 " is missing",
                               use->id);
}

// By enum note_kind: the image to name in a refusal, and the check.
static const struct {
    const char *image;
    int (*check)(struct check *check, const struct note *note);
} note_checks[] = {
    [NOTE_TASK] = {"pstree.img", check_task_note},
    [NOTE_THREAD] = {"pstree.img", check_thread_note},
    [NOTE_NAMESPACE] = {"ids", check_namespace_note},
    [NOTE_OWNER] = {"files.img", check_owner_note},
    [NOTE_FILE] = {"files.img", check_file_note},
    [NOTE_OPEN] = {"files.img", check_open_note},
    [NOTE_PASSED] = {"files.img", check_passed_note},
    [NOTE_MAPPED] = {"files.img", check_mapped_note},
    [NOTE_EXE] = {"files.img", check_use_note},
    [NOTE_CWD] = {"files.img", check_use_note},
    [NOTE_ROOT] = {"files.img", check_use_note},
    [NOTE_TERMINAL] = {"files.img", check_use_note},
    [NOTE_FIFO] = {"files.img", check_use_note},
    [NOTE_REMAP] = {"remap-fpath.img", check_remap_note},
    [NOTE_SOCKET] = {"files.img", check_socket_note},
    [NOTE_FILTER] = {"seccomp.img", check_filter_note},
};

static int check_notes(struct check *check) {
    const struct policy_memory *memory = check->memory;
    for (size_t i = 0; i < memory->count; i++) {
        enum note_kind kind = memory->notes[i].kind;
        if (kind >= sizeof note_checks / sizeof note_checks[0] || note_checks[kind].check == NULL)
            continue;
        check->image = note_checks[kind].image;
        if (note_checks[kind].check(check, &memory->notes[i]) != 0)
            return -1;
    }
    return 0;
}

int policy_check_together(struct check *check) {
    struct policy_memory *memory = check->memory;
    if (memory->count > 0)
        qsort(memory->notes, memory->count, sizeof *memory->notes, policy_compare_notes);
    if (!memory->has_inventory || !policy_has_image(check, "pstree.img") ||
        !policy_has_image(check, "files.img"))
        return policy_refuse(check, MALFORMED, "inventory.img, pstree.img or files.img is missing");
    if (check_unique(check) != 0)
        return -1;
    return check_notes(check);
}
