// The processes: tree, threads, credentials, namespaces, memory.
#include "inspect_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static json_t *process_of(struct reading *reading, uint64_t pid) {
    char key[24];
    json_t *process = json_object_get(reading->processes, model_key(pid, key));
    if (process != NULL)
        return process;
    process = json_object();
    model_set_number(process, "pid", pid);
    json_array_append(model_get_or_make(reading->model, "processes", JSON_ARRAY), process);
    model_set(reading->processes, key, process);
    return process;
}

int model_read_pstree(struct reading *reading, const struct opened *opened, struct pb_view entry,
                      bool first) {
    json_t *process = process_of(reading, pb_number(entry, PSTREE_PID, 0));
    (void)opened;
    (void)first;
    model_set_number(process, "parent", pb_number(entry, PSTREE_PARENT, 0));
    model_set_number(process, "group", pb_number(entry, PSTREE_GROUP, 0));
    model_set_number(process, "session", pb_number(entry, PSTREE_SESSION, 0));
    json_t *threads = json_array(), *ids = model_numbers(entry, PSTREE_THREADS), *id;
    size_t index;
    json_array_foreach(ids, index, id) {
        // Of a zombie CRIU 4.2 leaves the first one, which is the process, unset.
        json_t *thread = json_object();
        model_set_number(thread, "id",
                         index == 0 ? model_number_of(process, "pid")
                                    : (uint64_t)json_integer_value(id));
        json_array_append_new(threads, thread);
    }
    json_decref(ids);
    model_set(process, "threads", threads);
    return 0;
}

static json_t *make_capabilities(struct pb_view creds, uint32_t number) {
    struct pb_field field;
    size_t position = 0;
    uint64_t value = 0;
    unsigned words = 0;
    char text[24];
    while (pb_next(creds.bytes, creds.length, &position, &field) > 0)
        if (field.number == number && field.wire_type == PB_VARINT && words < 2)
            value |= (field.value & UINT32_MAX) << (32 * words++);
    snprintf(text, sizeof text, "%016" PRIx64, value);
    return json_string(text);
}

// Real, effective, saved, and for the file system.
static json_t *make_ids(struct pb_view creds, uint32_t first_field) {
    json_t *ids = json_array();
    for (uint32_t field = first_field; field <= CREDS_FSGID; field += 2)
        json_array_append_new(ids, json_integer((json_int_t)pb_number(creds, field, 0)));
    return ids;
}

static json_t *make_credentials(struct pb_view thread) {
    static const char *const modes[] = {"off", "strict", "filter"};
    struct pb_view creds = pb_part(thread, THREAD_CREDS);
    uint64_t mode = pb_number(thread, THREAD_SECCOMP_MODE, 0);
    json_t *credentials = json_object();
    model_set(credentials, "users", make_ids(creds, CREDS_UID));
    model_set(credentials, "groups", make_ids(creds, CREDS_GID));
    model_set(credentials, "supplementary_groups", model_numbers(creds, CREDS_GROUPS));
    model_set(credentials, "capabilities", make_capabilities(creds, CREDS_CAP_EFFECTIVE));
    model_set(credentials, "permitted_capabilities", make_capabilities(creds, CREDS_CAP_PERMITTED));
    model_set_bool(credentials, "no_new_privileges", pb_number(creds, CREDS_NO_NEW_PRIVS, 0) != 0);
    model_set(credentials, "system_call_filter", json_string(mode < 3 ? modes[mode] : "unknown"));
    model_set_text(credentials, "security_label", pb_part(creds, CREDS_LSM_PROFILE));
    return credentials;
}

static const char *state_name(uint64_t state) {
    static const char *const names[] = {"unknown", "running", "zombie", "stopped",
                                        "unknown", "unknown", "zombie"};
    return state < sizeof names / sizeof names[0] ? names[state] : "unknown";
}

// Of processes; a further thread's core has no task part.
int model_read_core(struct reading *reading, const struct opened *opened, struct pb_view entry,
                    bool first) {
    struct pb_view task = pb_part(entry, CORE_TASK), thread = pb_part(entry, CORE_THREAD);
    (void)first;
    if (task.bytes == NULL)
        return 0;
    json_t *process = process_of(reading, opened->number);
    model_set_text(process, "command", pb_part(task, TASK_COMM));
    model_set(process, "state", json_string(state_name(pb_number(task, TASK_STATE, 0))));
    if (thread.bytes != NULL)
        model_set(process, "credentials", make_credentials(thread));
    return 0;
}

int model_read_thread_name(struct reading *reading, const struct opened *opened,
                           struct pb_view entry, bool first) {
    struct pb_view name = pb_part(pb_part(entry, CORE_THREAD), THREAD_COMM);
    char key[24];
    (void)first;
    if (name.bytes != NULL)
        model_set(model_get_or_make(reading->model, "thread_names", JSON_OBJECT),
                  model_key(opened->number, key), model_text(name));
    return 0;
}

// Moves the names of all threads to their processes.
void model_place_thread_names(struct reading *reading) {
    json_t *names = json_object_get(reading->model, "thread_names");
    json_t *process, *thread;
    size_t i, k;
    json_array_foreach(json_object_get(reading->model, "processes"), i, process) {
        json_array_foreach(json_object_get(process, "threads"), k, thread) {
            json_t *name = model_by_id(names, model_number_of(thread, "id"));
            if (name != NULL)
                json_object_set(thread, "name", name);
        }
    }
    json_object_del(reading->model, "thread_names");
}

int model_read_ids(struct reading *reading, const struct opened *opened, struct pb_view entry,
                   bool first) {
    char key[24];
    (void)first;
    json_t *users = model_get_or_make(reading->tables,
                                      model_key(pb_number(entry, IDS_FILES, 0), key), JSON_ARRAY);
    json_array_append_new(users, json_integer(opened->number));
    return 0;
}

// ---- Namespaces

static const struct {
    uint32_t field;
    const char *name;
} namespaces[] = {
    {IDS_PID_NS, "pid"}, {IDS_NET_NS, "net"},   {IDS_IPC_NS, "ipc"},       {IDS_UTS_NS, "uts"},
    {IDS_MNT_NS, "mnt"}, {IDS_USER_NS, "user"}, {IDS_CGROUP_NS, "cgroup"}, {IDS_TIME_NS, "time"},
};
#define NAMESPACES (sizeof namespaces / sizeof namespaces[0])

int model_read_root_ids(struct reading *reading, const struct opened *opened, struct pb_view entry,
                        bool first) {
    struct pb_view ids = pb_part(entry, INVENTORY_ROOT_IDS);
    json_t *roots = model_get_or_make(reading->model, "root_namespaces", JSON_OBJECT);
    (void)opened;
    (void)first;
    for (size_t i = 0; i < NAMESPACES; i++)
        model_set_number(roots, namespaces[i].name, pb_number(ids, namespaces[i].field, 0));
    return 0;
}

// A namespace is the process's own when it isn't the one CRIU ran in.
int model_read_namespaces(struct reading *reading, const struct opened *opened,
                          struct pb_view entry, bool first) {
    json_t *roots = json_object_get(reading->model, "root_namespaces");
    json_t *own = json_array();
    (void)first;
    for (size_t i = 0; i < NAMESPACES; i++) {
        uint64_t id = pb_number(entry, namespaces[i].field, 0);
        if (roots != NULL && id != 0 && id != model_number_of(roots, namespaces[i].name))
            json_array_append_new(own, json_string(namespaces[i].name));
    }
    model_set(process_of(reading, opened->number), "own_namespaces", own);
    return 0;
}

// ---- Memory

enum memory_kind {
    MEMORY_HEAP,
    MEMORY_STACK,
    MEMORY_ANONYMOUS,
    MEMORY_PRIVATE_FILE,
    MEMORY_SHARED_FILE,
    MEMORY_SHARED,
    MEMORY_KERNEL,
    MEMORY_KINDS
};
static const char *const memory_names[MEMORY_KINDS] = {
    "heap", "stack", "anonymous", "private_file", "shared_file", "shared", "kernel"};

struct area {
    uint64_t start, end;
    enum memory_kind kind;
};
struct memory {
    struct area *areas;
    size_t count, capacity;
    uint64_t stack; // where the main stack starts
    uint64_t mapped[MEMORY_KINDS], imaged[MEMORY_KINDS];
};

// CRIU's bits of an area's status.
enum {
    AREA_VSYSCALL = 1 << 2,
    AREA_VDSO = 1 << 3,
    AREA_HEAP = 1 << 5,
    AREA_FILE_PRIVATE = 1 << 6,
    AREA_FILE_SHARED = 1 << 7,
    AREA_ANONYMOUS_SHARED = 1 << 8,
    AREA_VVAR = 1 << 12,
    AREA_MEMFD = 1 << 14,
};

static enum memory_kind kind_of_area(struct pb_view vma, uint64_t stack) {
    uint64_t status = pb_number(vma, VMA_STATUS, 0);
    if (status & (AREA_VSYSCALL | AREA_VDSO | AREA_VVAR))
        return MEMORY_KERNEL;
    if (status & AREA_HEAP)
        return MEMORY_HEAP;
    if (status & (AREA_MEMFD | AREA_ANONYMOUS_SHARED))
        return MEMORY_SHARED;
    if (status & AREA_FILE_SHARED)
        return MEMORY_SHARED_FILE;
    if (status & AREA_FILE_PRIVATE)
        return MEMORY_PRIVATE_FILE;
    bool holds_stack = pb_number(vma, VMA_START, 0) <= stack && stack < pb_number(vma, VMA_END, 0);
    return holds_stack ? MEMORY_STACK : MEMORY_ANONYMOUS;
}

static int add_area(struct reading *reading, const char *name, struct memory *memory,
                    struct pb_view vma) {
    struct area area = {pb_number(vma, VMA_START, 0), pb_number(vma, VMA_END, 0),
                        kind_of_area(vma, memory->stack)};
    uint64_t before = memory->count > 0 ? memory->areas[memory->count - 1].end : 0;
    if (area.start < before || area.end <= area.start)
        return model_malformed(reading, name, "its memory areas are not in order");
    if (memory->count == memory->capacity) {
        memory->capacity = memory->capacity == 0 ? 64 : 2 * memory->capacity;
        struct area *grown = realloc(memory->areas, memory->capacity * sizeof *grown);
        if (grown == NULL)
            return fail(reading->failure, EXIT_SPACE, "out of memory");
        memory->areas = grown;
    }
    memory->areas[memory->count++] = area;
    memory->mapped[area.kind] += area.end - area.start;
    return 0;
}

static int read_areas(struct reading *reading, const char *name, struct memory *memory,
                      struct pb_view mm) {
    struct pb_field field;
    size_t position = 0;
    memory->stack = pb_number(mm, MM_START_STACK, 0);
    while (pb_next(mm.bytes, mm.length, &position, &field) > 0)
        if (field.number == MM_VMAS && field.wire_type == PB_BYTES &&
            add_area(reading, name, memory, (struct pb_view){field.bytes, field.length}) != 0)
            return -1;
    return 0;
}

// Splits the pages from `start` to `end` over the areas; *at moves on with them.
static void count_pages(struct memory *memory, size_t *at, uint64_t start, uint64_t end) {
    while (*at < memory->count && memory->areas[*at].end <= start)
        ++*at;
    for (size_t i = *at; i < memory->count && memory->areas[i].start < end; i++) {
        const struct area *area = &memory->areas[i];
        uint64_t low = area->start > start ? area->start : start;
        uint64_t high = area->end < end ? area->end : end;
        memory->imaged[area->kind] += high - low;
    }
}

static int read_pagemap(struct reading *reading, const struct opened *opened,
                        struct memory *memory) {
    enum { PAGES_PRESENT = 4 };
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), before = 0;
    struct image image = opened->image;
    struct pb_view entry;
    size_t at = 0;
    int more = image_next(&image, &entry.bytes, &entry.length, reading->failure); // the head
    while (more > 0 &&
           (more = image_next(&image, &entry.bytes, &entry.length, reading->failure)) > 0) {
        uint64_t start = pb_number(entry, PAGEMAP_ADDRESS, 0);
        uint64_t count = pb_number(entry, PAGEMAP_COUNT, pb_number(entry, PAGEMAP_OLD_COUNT, 0));
        if (start < before || count > (UINT64_MAX - start) / page)
            return model_malformed(reading, opened->name, "its pages are not in order");
        before = start + count * page;
        if (pb_number(entry, PAGEMAP_FLAGS, PAGES_PRESENT) & PAGES_PRESENT)
            count_pages(memory, &at, start, before);
    }
    return more;
}

// Shared memory has images of its own.
int model_read_shared_pagemap(struct reading *reading, const struct opened *opened,
                              struct pb_view entry, bool first) {
    json_t *images = json_object_get(reading->model, "images");
    uint64_t count = pb_number(entry, PAGEMAP_COUNT, pb_number(entry, PAGEMAP_OLD_COUNT, 0));
    (void)opened;
    if (!first)
        model_set_number(images, "shared_memory_bytes",
                         model_number_of(images, "shared_memory_bytes") +
                             count * (uint64_t)sysconf(_SC_PAGESIZE));
    return 0;
}

static json_t *make_memory(const struct memory *memory) {
    json_t *kinds = json_object();
    uint64_t mapped = 0, imaged = 0;
    for (size_t i = 0; i < MEMORY_KINDS; i++) {
        if (memory->mapped[i] == 0)
            continue;
        json_t *kind = json_object();
        model_set_number(kind, "mapped_bytes", memory->mapped[i]);
        model_set_number(kind, "image_bytes", memory->imaged[i]);
        model_set(kinds, memory_names[i], kind);
        mapped += memory->mapped[i];
        imaged += memory->imaged[i];
    }
    json_t *all = json_object();
    model_set_number(all, "mapped_bytes", mapped);
    model_set_number(all, "image_bytes", imaged);
    model_set(all, "kinds", kinds);
    return all;
}

static const struct opened *find_image(const struct reading *reading, const char *kind,
                                       uint32_t number) {
    for (size_t i = 0; i < reading->count; i++) {
        const struct opened *opened = &reading->images[i];
        if (opened->number == number && opened->image.kind != NULL &&
            strcmp(opened->image.kind, kind) == 0)
            return opened;
    }
    return NULL;
}

static int read_memory(struct reading *reading, const struct opened *opened, struct pb_view mm,
                       struct memory *memory) {
    const struct opened *pagemap = find_image(reading, "pagemap", opened->number);
    if (read_areas(reading, opened->name, memory, mm) != 0)
        return -1;
    if (pagemap != NULL && read_pagemap(reading, pagemap, memory) != 0)
        return -1;
    model_set(process_of(reading, opened->number), "memory", make_memory(memory));
    return 0;
}

// Files that are mapped are open without a descriptor.
static void note_mappings(struct reading *reading, struct pb_view mm) {
    struct pb_field field;
    size_t position = 0;
    while (pb_next(mm.bytes, mm.length, &position, &field) > 0) {
        struct pb_view vma = {field.bytes, field.length};
        if (field.number != MM_VMAS || field.wire_type != PB_BYTES ||
            !(pb_number(vma, VMA_STATUS, 0) & (AREA_FILE_PRIVATE | AREA_FILE_SHARED)))
            continue;
        json_t *file = model_by_id(reading->files, pb_number(vma, VMA_SHMID, 0));
        if (file != NULL)
            model_set_bool(file, "mapped", true);
    }
}

int model_read_mm(struct reading *reading, const struct opened *opened, struct pb_view entry,
                  bool first) {
    struct memory memory = {0};
    json_t *process = process_of(reading, opened->number);
    (void)first;
    model_set_path(reading, process, "executable", pb_number(entry, MM_EXE_FILE, 0));
    note_mappings(reading, entry);
    int result = read_memory(reading, opened, entry, &memory);
    free(memory.areas);
    return result;
}

int model_read_fs(struct reading *reading, const struct opened *opened, struct pb_view entry,
                  bool first) {
    json_t *process = process_of(reading, opened->number);
    (void)first;
    model_set_path(reading, process, "working_directory", pb_number(entry, FS_CWD, 0));
    model_set_path(reading, process, "root_directory", pb_number(entry, FS_ROOT, 0));
    model_set_number(process, "umask", pb_number(entry, FS_UMASK, 0));
    return 0;
}
