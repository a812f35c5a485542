// Reads the images kind by kind into JSON; the ids by which they refer to each other (file ids,
// file tables, pipe ids, ghosts) are resolved on the way.
#include "inspect_model.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image.h"
#include "image_fields.h"

struct opened {
    struct image image; // at its beginning
    const char *name;
    uint32_t number;
    uint64_t file_bytes;
};

struct reading {
    struct opened *images;
    size_t count;
    json_t *model;
    json_t *processes; // "pid": borrowed by the model's array as well
    json_t *files;     // "id": the same for files, sockets, pipes and others
    json_t *tables;    // "id of a file table": pids that use it
    json_t *buffered;  // "pipe id": bytes in it
    json_t *ghosts;    // "ghost id": its facts
    json_t *memfds;    // "inode id": its facts
    bool tcp_closed;
    struct failure *failure;
};

// Reads an entry of the image; `first`: the image's first.
typedef int read_entry(struct reading *reading, const struct opened *opened, struct pb_view entry,
                       bool first);

// ---- JSON helpers

static void set(json_t *object, const char *key, json_t *value) {
    json_object_set_new(object, key, value);
}

static void set_number(json_t *object, const char *key, uint64_t value) {
    set(object, key, json_integer((json_int_t)value));
}

static void set_bool(json_t *object, const char *key, bool value) {
    set(object, key, json_boolean(value));
}

// The object or array of that key, made when it isn't there.
static json_t *get_or_make(json_t *object, const char *key, json_type type) {
    json_t *value = json_object_get(object, key);
    if (value == NULL) {
        value = type == JSON_ARRAY ? json_array() : json_object();
        set(object, key, value);
    }
    return value;
}

static const char *key_of(uint64_t id, char key[24]) {
    snprintf(key, 24, "%" PRIu64, id);
    return key;
}

static json_t *get_by_id(const json_t *index, uint64_t id) {
    char key[24];
    return json_object_get(index, key_of(id, key));
}

static bool is_utf8(struct pb_view text) {
    json_t *string = json_stringn((const char *)text.bytes, text.length);
    json_decref(string);
    return string != NULL;
}

// Texts come from a stranger's process and may go to a terminal: control characters, those of
// Latin-1 (U+0080 to U+009F) too, and what isn't UTF-8 are written as \xNN.
static json_t *json_text(struct pb_view text) {
    static const char digits[] = "0123456789abcdef";
    bool utf8 = text.length > 0 && is_utf8(text);
    char *escaped = malloc(4 * text.length + 1);
    size_t size = 0;
    for (size_t i = 0; escaped != NULL && i < text.length; i++) {
        uint8_t byte = text.bytes[i];
        bool latin_control = byte == 0xc2 && i + 1 < text.length && text.bytes[i + 1] < 0xa0;
        bool latin_rest = i > 0 && text.bytes[i - 1] == 0xc2 && byte < 0xa0;
        if (byte < 0x20 || byte == 0x7f ||
            (byte >= 0x80 && (!utf8 || latin_control || latin_rest))) {
            escaped[size++] = '\\';
            escaped[size++] = 'x';
            escaped[size++] = digits[byte >> 4];
            escaped[size++] = digits[byte & 15];
        } else {
            escaped[size++] = (char)byte;
        }
    }
    json_t *string = json_stringn(escaped != NULL ? escaped : "", size);
    free(escaped);
    return string;
}

static void set_text(json_t *object, const char *key, struct pb_view text) {
    if (text.bytes != NULL)
        set(object, key, json_text(text));
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static uint64_t number_of(const json_t *object, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static json_t *repeated_numbers(struct pb_view message, uint32_t number) {
    json_t *array = json_array();
    struct pb_field field;
    size_t position = 0;
    while (pb_next(message.bytes, message.length, &position, &field) > 0)
        if (field.number == number && field.wire_type == PB_VARINT)
            json_array_append_new(array, json_integer((json_int_t)field.value));
    return array;
}

// ---- Going through images

static int malformed(struct reading *reading, const char *name, const char *why) {
    return fail(reading->failure, EXIT_IMAGE, "%s: %s", name, why);
}

static bool is_message(struct pb_view entry) {
    struct pb_field field;
    size_t position = 0;
    int more;
    while ((more = pb_next(entry.bytes, entry.length, &position, &field)) > 0)
        ;
    return more == 0;
}

static int read_image(struct reading *reading, const struct opened *opened, read_entry *read_one) {
    struct image image = opened->image;
    struct pb_view entry;
    bool first = true;
    int more;
    while ((more = image_next(&image, &entry.bytes, &entry.length, reading->failure)) > 0) {
        if (!is_message(entry))
            return malformed(reading, opened->name, "an entry is not valid protobuf");
        if (read_one(reading, opened, entry, first) != 0)
            return -1;
        first = false;
    }
    return more;
}

static int read_kind(struct reading *reading, const char *kind, read_entry *read_one) {
    for (size_t i = 0; i < reading->count; i++)
        if (reading->images[i].image.kind != NULL &&
            strcmp(reading->images[i].image.kind, kind) == 0 &&
            read_image(reading, &reading->images[i], read_one) != 0)
            return -1;
    return 0;
}

// ---- The dump as a whole

static json_t *make_lock_method(uint64_t method) {
    static const char *const methods[] = {"iptables", "nftables", "none"};
    return json_string(method < 3 ? methods[method] : "unknown");
}

static json_t *make_security(uint64_t module) {
    static const char *const modules[] = {"none", "SELinux", "AppArmor"};
    return json_string(module < 3 ? modules[module] : "unknown");
}

static int read_inventory(struct reading *reading, const struct opened *opened,
                          struct pb_view entry, bool first) {
    json_t *dump = get_or_make(reading->model, "dump", JSON_OBJECT);
    uint64_t version = pb_number(entry, INVENTORY_VERSION, 0);
    (void)opened;
    (void)first;
    set(dump, "image_format", json_string(version == 2 ? "1.1" : version == 1 ? "1" : "unknown"));
    reading->tcp_closed = pb_number(entry, INVENTORY_TCP_CLOSE, 0) != 0;
    set_bool(dump, "tcp_closed", reading->tcp_closed);
    set(dump, "network_lock", make_lock_method(pb_number(entry, INVENTORY_LOCK_METHOD, 0)));
    set(dump, "security_module", make_security(pb_number(entry, INVENTORY_LSM, 0)));
    set_text(dump, "run_id", pb_part(entry, INVENTORY_RUN_ID));
    return 0;
}

static int read_stats(struct reading *reading, const struct opened *opened, struct pb_view entry,
                      bool first) {
    json_t *dump = get_or_make(reading->model, "dump", JSON_OBJECT);
    struct pb_view stats = pb_part(entry, STATS_DUMP);
    (void)opened;
    (void)first;
    if (stats.bytes == NULL)
        return 0;
    set_number(dump, "freezing_micros", pb_number(stats, STATS_FREEZING_MICROS, 0));
    set_number(dump, "frozen_micros", pb_number(stats, STATS_FROZEN_MICROS, 0));
    set_number(dump, "memory_micros", pb_number(stats, STATS_MEMORY_MICROS, 0));
    return 0;
}

static void count_images(struct reading *reading) {
    uint64_t bytes = 0, memory = 0;
    for (size_t i = 0; i < reading->count; i++) {
        const struct opened *opened = &reading->images[i];
        bool pages = opened->image.kind != NULL && strncmp(opened->image.kind, "pages", 5) == 0;
        *(pages ? &memory : &bytes) += opened->file_bytes;
    }
    json_t *images = get_or_make(reading->model, "images", JSON_OBJECT);
    set_number(images, "count", reading->count);
    set_number(images, "bytes", bytes + memory);
    set_number(images, "memory_bytes", memory);
    set_number(images, "shared_memory_bytes", 0);
}

// ---- Processes

static json_t *process_of(struct reading *reading, uint64_t pid) {
    char key[24];
    json_t *process = json_object_get(reading->processes, key_of(pid, key));
    if (process != NULL)
        return process;
    process = json_object();
    set_number(process, "pid", pid);
    json_array_append(get_or_make(reading->model, "processes", JSON_ARRAY), process);
    set(reading->processes, key, process);
    return process;
}

static int read_pstree(struct reading *reading, const struct opened *opened, struct pb_view entry,
                       bool first) {
    json_t *process = process_of(reading, pb_number(entry, PSTREE_PID, 0));
    (void)opened;
    (void)first;
    set_number(process, "parent", pb_number(entry, PSTREE_PARENT, 0));
    set_number(process, "group", pb_number(entry, PSTREE_GROUP, 0));
    set_number(process, "session", pb_number(entry, PSTREE_SESSION, 0));
    json_t *threads = json_array(), *ids = repeated_numbers(entry, PSTREE_THREADS), *id;
    size_t index;
    json_array_foreach(ids, index, id) {
        // Of a zombie CRIU 4.2 leaves the first one, which is the process, unset.
        json_t *thread = json_object();
        set_number(thread, "id",
                   index == 0 ? number_of(process, "pid") : (uint64_t)json_integer_value(id));
        json_array_append_new(threads, thread);
    }
    json_decref(ids);
    set(process, "threads", threads);
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
    set(credentials, "users", make_ids(creds, CREDS_UID));
    set(credentials, "groups", make_ids(creds, CREDS_GID));
    set(credentials, "supplementary_groups", repeated_numbers(creds, CREDS_GROUPS));
    set(credentials, "capabilities", make_capabilities(creds, CREDS_CAP_EFFECTIVE));
    set(credentials, "permitted_capabilities", make_capabilities(creds, CREDS_CAP_PERMITTED));
    set_bool(credentials, "no_new_privileges", pb_number(creds, CREDS_NO_NEW_PRIVS, 0) != 0);
    set(credentials, "system_call_filter", json_string(mode < 3 ? modes[mode] : "unknown"));
    set_text(credentials, "security_label", pb_part(creds, CREDS_LSM_PROFILE));
    return credentials;
}

static const char *state_name(uint64_t state) {
    static const char *const names[] = {"unknown", "running", "zombie", "stopped",
                                        "unknown", "unknown", "zombie"};
    return state < sizeof names / sizeof names[0] ? names[state] : "unknown";
}

// Of processes; a further thread's core has no task part.
static int read_core(struct reading *reading, const struct opened *opened, struct pb_view entry,
                     bool first) {
    struct pb_view task = pb_part(entry, CORE_TASK), thread = pb_part(entry, CORE_THREAD);
    (void)first;
    if (task.bytes == NULL)
        return 0;
    json_t *process = process_of(reading, opened->number);
    set_text(process, "command", pb_part(task, TASK_COMM));
    set(process, "state", json_string(state_name(pb_number(task, TASK_STATE, 0))));
    if (thread.bytes != NULL)
        set(process, "credentials", make_credentials(thread));
    return 0;
}

static int read_thread_name(struct reading *reading, const struct opened *opened,
                            struct pb_view entry, bool first) {
    struct pb_view name = pb_part(pb_part(entry, CORE_THREAD), THREAD_COMM);
    char key[24];
    (void)first;
    if (name.bytes != NULL)
        set(get_or_make(reading->model, "thread_names", JSON_OBJECT), key_of(opened->number, key),
            json_text(name));
    return 0;
}

// Moves the names of all threads to their processes.
static void place_thread_names(struct reading *reading) {
    json_t *names = json_object_get(reading->model, "thread_names");
    json_t *process, *thread;
    size_t i, k;
    json_array_foreach(json_object_get(reading->model, "processes"), i, process) {
        json_array_foreach(json_object_get(process, "threads"), k, thread) {
            json_t *name = get_by_id(names, number_of(thread, "id"));
            if (name != NULL)
                json_object_set(thread, "name", name);
        }
    }
    json_object_del(reading->model, "thread_names");
}

static int read_ids(struct reading *reading, const struct opened *opened, struct pb_view entry,
                    bool first) {
    char key[24];
    (void)first;
    json_t *users =
        get_or_make(reading->tables, key_of(pb_number(entry, IDS_FILES, 0), key), JSON_ARRAY);
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

static int read_root_ids(struct reading *reading, const struct opened *opened, struct pb_view entry,
                         bool first) {
    struct pb_view ids = pb_part(entry, INVENTORY_ROOT_IDS);
    json_t *roots = get_or_make(reading->model, "root_namespaces", JSON_OBJECT);
    (void)opened;
    (void)first;
    for (size_t i = 0; i < NAMESPACES; i++)
        set_number(roots, namespaces[i].name, pb_number(ids, namespaces[i].field, 0));
    return 0;
}

// A namespace is the process's own when it isn't the one CRIU ran in.
static int read_namespaces(struct reading *reading, const struct opened *opened,
                           struct pb_view entry, bool first) {
    json_t *roots = json_object_get(reading->model, "root_namespaces");
    json_t *own = json_array();
    (void)first;
    for (size_t i = 0; i < NAMESPACES; i++) {
        uint64_t id = pb_number(entry, namespaces[i].field, 0);
        if (roots != NULL && id != 0 && id != number_of(roots, namespaces[i].name))
            json_array_append_new(own, json_string(namespaces[i].name));
    }
    set(process_of(reading, opened->number), "own_namespaces", own);
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
        return malformed(reading, name, "its memory areas are not in order");
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
            return malformed(reading, opened->name, "its pages are not in order");
        before = start + count * page;
        if (pb_number(entry, PAGEMAP_FLAGS, PAGES_PRESENT) & PAGES_PRESENT)
            count_pages(memory, &at, start, before);
    }
    return more;
}

// Shared memory has images of its own.
static int read_shared_pagemap(struct reading *reading, const struct opened *opened,
                               struct pb_view entry, bool first) {
    json_t *images = json_object_get(reading->model, "images");
    uint64_t count = pb_number(entry, PAGEMAP_COUNT, pb_number(entry, PAGEMAP_OLD_COUNT, 0));
    (void)opened;
    if (!first)
        set_number(images, "shared_memory_bytes",
                   number_of(images, "shared_memory_bytes") +
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
        set_number(kind, "mapped_bytes", memory->mapped[i]);
        set_number(kind, "image_bytes", memory->imaged[i]);
        set(kinds, memory_names[i], kind);
        mapped += memory->mapped[i];
        imaged += memory->imaged[i];
    }
    json_t *all = json_object();
    set_number(all, "mapped_bytes", mapped);
    set_number(all, "image_bytes", imaged);
    set(all, "kinds", kinds);
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
    set(process_of(reading, opened->number), "memory", make_memory(memory));
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
        json_t *file = get_by_id(reading->files, pb_number(vma, VMA_SHMID, 0));
        if (file != NULL)
            set_bool(file, "mapped", true);
    }
}

static void set_path(struct reading *reading, json_t *process, const char *key, uint64_t file_id) {
    json_t *path = json_object_get(get_by_id(reading->files, file_id), "path");
    if (path != NULL)
        json_object_set(process, key, path);
}

static int read_mm(struct reading *reading, const struct opened *opened, struct pb_view entry,
                   bool first) {
    struct memory memory = {0};
    json_t *process = process_of(reading, opened->number);
    (void)first;
    set_path(reading, process, "executable", pb_number(entry, MM_EXE_FILE, 0));
    note_mappings(reading, entry);
    int result = read_memory(reading, opened, entry, &memory);
    free(memory.areas);
    return result;
}

static int read_fs(struct reading *reading, const struct opened *opened, struct pb_view entry,
                   bool first) {
    json_t *process = process_of(reading, opened->number);
    (void)first;
    set_path(reading, process, "working_directory", pb_number(entry, FS_CWD, 0));
    set_path(reading, process, "root_directory", pb_number(entry, FS_ROOT, 0));
    set_number(process, "umask", pb_number(entry, FS_UMASK, 0));
    return 0;
}

// ---- Open files

static json_t *make_flags(uint64_t flags) {
    static const struct {
        uint64_t flag;
        const char *name;
    } names[] = {
        {O_TMPFILE, "O_TMPFILE"}, // has O_DIRECTORY's bit
        {O_DIRECTORY, "O_DIRECTORY"}, {O_APPEND, "O_APPEND"}, {O_NONBLOCK, "O_NONBLOCK"},
        {O_DSYNC, "O_DSYNC"},         {O_DIRECT, "O_DIRECT"}, {O_NOATIME, "O_NOATIME"},
        {O_PATH, "O_PATH"},           {O_CREAT, "O_CREAT"},   {O_TRUNC, "O_TRUNC"},
    };
    static const char *const modes[] = {"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"};
    json_t *array = json_array();
    json_array_append_new(array, json_string(modes[flags & O_ACCMODE]));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if ((flags & names[i].flag) != names[i].flag)
            continue;
        json_array_append_new(array, json_string(names[i].name));
        flags &= ~names[i].flag;
    }
    return array;
}

static const char *kind_of_mode(mode_t mode) {
    return S_ISDIR(mode)    ? "directory"
           : S_ISCHR(mode)  ? "character device"
           : S_ISBLK(mode)  ? "block device"
           : S_ISFIFO(mode) ? "fifo"
           : S_ISSOCK(mode) ? "socket"
                            : "file";
}

static void describe_regular(struct reading *reading, json_t *file, struct pb_view part) {
    mode_t mode = (mode_t)pb_number(part, REG_MODE, S_IFREG);
    struct pb_field size;
    char text[16];
    (void)reading;
    set(file, "kind", json_string(kind_of_mode(mode)));
    set_text(file, "path", pb_part(part, REG_NAME));
    set(file, "flags", make_flags(pb_number(part, REG_FLAGS, 0)));
    set_number(file, "position", pb_number(part, REG_POSITION, 0));
    snprintf(text, sizeof text, "%04o", mode & 07777);
    set(file, "mode", json_string(text));
    if (pb_find(part.bytes, part.length, REG_SIZE, &size))
        set_number(file, "size", size.value);
}

static void describe_memfd(struct reading *reading, json_t *file, struct pb_view part) {
    json_t *inode = get_by_id(reading->memfds, pb_number(part, MEMFD_INODE, 0));
    set(file, "kind", json_string("memfd"));
    set(file, "flags", make_flags(pb_number(part, REG_FLAGS, 0)));
    if (inode != NULL)
        json_object_update(file, inode);
}

static const char *state_of_socket(uint64_t state) {
    static const char *const names[] = {"unknown",    "established", "syn-sent",  "syn-received",
                                        "fin-wait-1", "fin-wait-2",  "time-wait", "closed",
                                        "close-wait", "last-ack",    "listening", "closing"};
    return state < sizeof names / sizeof names[0] ? names[state] : "unknown";
}

static const char *type_of_socket(uint64_t type) {
    return type == SOCK_STREAM      ? "stream"
           : type == SOCK_DGRAM     ? "datagram"
           : type == SOCK_SEQPACKET ? "seqpacket"
           : type == SOCK_RAW       ? "raw"
                                    : "unknown";
}

// "address:port"; the image holds the address's bytes as words of this machine.
static json_t *make_address(struct pb_view socket, uint32_t address_field, uint32_t port_field) {
    bool six = pb_number(socket, INET_FAMILY, 0) == AF_INET6;
    uint32_t words[4] = {0};
    struct pb_field field;
    size_t position = 0, count = 0;
    while (pb_next(socket.bytes, socket.length, &position, &field) > 0)
        if (field.number == address_field && field.wire_type == PB_VARINT && count < 4)
            words[count++] = (uint32_t)field.value;
    char address[INET6_ADDRSTRLEN] = "";
    inet_ntop(six ? AF_INET6 : AF_INET, words, address, sizeof address);
    return json_sprintf(six ? "[%s]:%u" : "%s:%u", address,
                        (unsigned)(pb_number(socket, port_field, 0) & 0xffff));
}

static void describe_inet(struct reading *reading, json_t *file, struct pb_view part) {
    uint64_t protocol = pb_number(part, INET_PROTOCOL, 0), state = pb_number(part, INET_STATE, 0);
    bool tcp = protocol == IPPROTO_TCP;
    (void)reading;
    set(file, "kind",
        json_string(tcp                       ? "tcp"
                    : protocol == IPPROTO_UDP ? "udp"
                                              : "internet socket"));
    if (tcp)
        set(file, "state", json_string(state_of_socket(state)));
    set(file, "local", make_address(part, INET_LOCAL_ADDRESS, INET_LOCAL_PORT));
    if (pb_number(part, INET_REMOTE_PORT, 0) != 0)
        set(file, "remote", make_address(part, INET_REMOTE_ADDRESS, INET_REMOTE_PORT));
}

static void describe_unix(struct reading *reading, json_t *file, struct pb_view part) {
    struct pb_view name = pb_part(part, UNIX_NAME);
    (void)reading;
    set(file, "kind", json_string("unix"));
    set(file, "type", json_string(type_of_socket(pb_number(part, UNIX_TYPE, 0))));
    set(file, "state", json_string(state_of_socket(pb_number(part, UNIX_STATE, 0))));
    set_number(file, "inode", pb_number(part, UNIX_INODE, 0));
    if (pb_number(part, UNIX_PEER, 0) != 0)
        set_number(file, "peer", pb_number(part, UNIX_PEER, 0));
    if (name.length > 0 && name.bytes[name.length - 1] == '\0')
        name.length--;
    if (name.length > 0)
        set_text(file, "name", name);
    set_text(file, "directory", pb_part(part, UNIX_DIRECTORY));
}

static void describe_pipe(struct reading *reading, json_t *file, struct pb_view part) {
    uint64_t pipe = pb_number(part, PIPE_PIPE_ID, 0);
    uint64_t mode = pb_number(part, PIPE_FLAGS, 0) & O_ACCMODE;
    json_t *bytes = get_by_id(reading->buffered, pipe);
    set(file, "kind", json_string("pipe"));
    set_number(file, "pipe", pipe);
    set(file, "end",
        json_string(mode == O_RDONLY   ? "reads"
                    : mode == O_WRONLY ? "writes"
                                       : "both"));
    set(file, "buffered_bytes", bytes != NULL ? json_incref(bytes) : json_integer(0));
}

static void describe_fifo(struct reading *reading, json_t *file, struct pb_view part) {
    json_t *bytes = get_by_id(reading->buffered, pb_number(part, FIFO_PIPE_ID, 0));
    set(file, "kind", json_string("fifo"));
    set_path(reading, file, "path", pb_number(part, FIFO_REG_FILE, 0));
    set(file, "buffered_bytes", bytes != NULL ? json_incref(bytes) : json_integer(0));
}

static void describe_inotify(struct reading *reading, json_t *file, struct pb_view part) {
    struct pb_field field;
    size_t position = 0;
    uint64_t watches = 0;
    (void)reading;
    while (pb_next(part.bytes, part.length, &position, &field) > 0)
        watches += field.number == INOTIFY_WATCH;
    set(file, "kind", json_string("inotify"));
    set_number(file, "watches", watches);
}

static void describe_tty(struct reading *reading, json_t *file, struct pb_view part) {
    set(file, "kind", json_string("terminal"));
    set_path(reading, file, "path", pb_number(part, TTY_REG_FILE, 0));
}

static const struct {
    uint32_t type, part;
    const char *list; // of the model
    const char *kind; // if there is no more to say
    void (*describe)(struct reading *reading, json_t *file, struct pb_view part);
} file_types[] = {
    {TYPE_REG, FILE_REG, "files", NULL, describe_regular},
    {TYPE_MEMFD, FILE_MEMFD, "files", NULL, describe_memfd},
    {TYPE_INET, FILE_INET, "sockets", NULL, describe_inet},
    {TYPE_UNIX, FILE_UNIX, "sockets", NULL, describe_unix},
    {TYPE_NETLINK, FILE_NETLINK, "sockets", "netlink", NULL},
    {TYPE_PACKET, 0, "sockets", "packet", NULL},
    {TYPE_PIPE, FILE_PIPE, "pipes", NULL, describe_pipe},
    {TYPE_FIFO, FILE_FIFO, "pipes", NULL, describe_fifo},
    {TYPE_TTY, FILE_TTY, "others", NULL, describe_tty},
    {TYPE_INOTIFY, FILE_INOTIFY, "others", NULL, describe_inotify},
    {TYPE_EVENTFD, FILE_EVENTFD, "others", "eventfd", NULL},
    {TYPE_EVENTPOLL, FILE_EVENTPOLL, "others", "epoll", NULL},
    {TYPE_SIGNALFD, FILE_SIGNALFD, "others", "signalfd", NULL},
    {TYPE_TIMERFD, FILE_TIMERFD, "others", "timerfd", NULL},
    {TYPE_PIDFD, FILE_PIDFD, "others", "pidfd", NULL},
    {TYPE_FANOTIFY, 0, "others", "fanotify", NULL},
    {TYPE_NS, 0, "others", "namespace", NULL},
    {TYPE_TUN, 0, "others", "tun", NULL},
    {TYPE_EXTERNAL, 0, "others", "external", NULL},
    {TYPE_BPFMAP, 0, "others", "bpf map", NULL},
};

static void add_file(struct reading *reading, const char *list, uint64_t id, json_t *file) {
    char key[24];
    set_number(file, "id", id);
    json_array_append(get_or_make(reading->model, list, JSON_ARRAY), file);
    set(reading->files, key_of(id, key), file);
}

static int read_file(struct reading *reading, const struct opened *opened, struct pb_view entry,
                     bool first) {
    uint64_t type = pb_number(entry, FILE_TYPE, 0), id = pb_number(entry, FILE_ID, 0);
    json_t *file = json_object();
    const char *list = "others";
    (void)opened;
    (void)first;
    set(file, "kind", json_string("unknown"));
    for (size_t i = 0; i < sizeof file_types / sizeof file_types[0]; i++) {
        if (file_types[i].type != type)
            continue;
        list = file_types[i].list;
        if (file_types[i].describe != NULL)
            file_types[i].describe(reading, file, pb_part(entry, file_types[i].part));
        else
            set(file, "kind", json_string(file_types[i].kind));
    }
    add_file(reading, list, id, file);
    return 0;
}

static int read_old_regular(struct reading *reading, const struct opened *opened,
                            struct pb_view entry, bool first) {
    json_t *file = json_object();
    (void)opened;
    (void)first;
    describe_regular(reading, file, entry);
    add_file(reading, "files", pb_number(entry, REG_ID, 0), file);
    return 0;
}

static int read_fdinfo(struct reading *reading, const struct opened *opened, struct pb_view entry,
                       bool first) {
    json_t *file = get_by_id(reading->files, pb_number(entry, FDINFO_ID, 0));
    json_t *pid;
    size_t index;
    (void)first;
    if (file == NULL)
        return 0;
    json_array_foreach(get_by_id(reading->tables, opened->number), index, pid) {
        json_t *descriptor = json_object();
        json_object_set(descriptor, "pid", pid);
        set_number(descriptor, "fd", pb_number(entry, FDINFO_FD, 0));
        json_array_append_new(get_or_make(file, "descriptors", JSON_ARRAY), descriptor);
    }
    return 0;
}

static int read_pipe_data(struct reading *reading, const struct opened *opened,
                          struct pb_view entry, bool first) {
    char key[24];
    (void)opened;
    (void)first;
    set_number(reading->buffered, key_of(pb_number(entry, PIPE_DATA_ID, 0), key),
               pb_number(entry, PIPE_DATA_BYTES, 0));
    return 0;
}

static int read_memfd(struct reading *reading, const struct opened *opened, struct pb_view entry,
                      bool first) {
    char key[24];
    json_t *inode = json_object();
    (void)opened;
    (void)first;
    set_text(inode, "path", pb_part(entry, MEMFD_INODE_NAME));
    set_number(inode, "size", pb_number(entry, MEMFD_INODE_SIZE, 0));
    set(reading->memfds, key_of(pb_number(entry, MEMFD_INODE_ID, 0), key), inode);
    return 0;
}

static int read_ghost(struct reading *reading, const struct opened *opened, struct pb_view entry,
                      bool first) {
    char key[24];
    json_t *ghost = json_object();
    uint64_t head = opened->image.length; // what stands before the contents
    uint64_t contents = opened->file_bytes > head ? opened->file_bytes - head : 0;
    (void)first;
    set_number(ghost, "size", pb_number(entry, GHOST_SIZE, contents));
    set_number(ghost, "image_bytes", contents);
    set(reading->ghosts, key_of(opened->number, key), ghost);
    return 0;
}

static int read_remap(struct reading *reading, const struct opened *opened, struct pb_view entry,
                      bool first) {
    json_t *file = get_by_id(reading->files, pb_number(entry, REMAP_FILE, 0));
    json_t *ghost = get_by_id(reading->ghosts, pb_number(entry, REMAP_ID, 0));
    (void)opened;
    (void)first;
    if (file == NULL)
        return 0;
    set_bool(file, "deleted", true);
    if (ghost != NULL)
        json_object_set(file, "ghost", ghost);
    return 0;
}

// ---- What the clone will find

__attribute__((format(printf, 3, 4))) static void find(struct reading *reading, const char *kind,
                                                       const char *format, ...) {
    json_t *finding = json_object();
    va_list arguments;
    va_start(arguments, format);
    set(finding, "kind", json_string(kind));
    set(finding, "text", json_vsprintf(format, arguments));
    va_end(arguments);
    json_array_append_new(get_or_make(reading->model, "findings", JSON_ARRAY), finding);
}

static void find_in_socket(struct reading *reading, const json_t *file, const json_t *inodes) {
    const char *kind = text_of(file, "kind"), *state = text_of(file, "state");
    bool listens = strcmp(state, "listening") == 0;
    bool connected = strcmp(state, "unknown") != 0 && strcmp(state, "closed") != 0 && !listens;
    if (strcmp(kind, "tcp") == 0 && listens)
        find(reading, "listens", "listens on %s again, in the target's network",
             text_of(file, "local"));
    else if (strcmp(kind, "tcp") == 0 && connected && reading->tcp_closed)
        find(reading, "connection_closed", "TCP connection %s to %s (%s) is closed",
             text_of(file, "local"), text_of(file, "remote"), state);
    else if (strcmp(kind, "unix") == 0 && listens)
        find(reading, "listens", "listens on the unix socket '%s' again", text_of(file, "name"));
    else if (strcmp(kind, "unix") == 0 && connected &&
             strcmp(text_of(file, "type"), "stream") == 0 &&
             get_by_id(inodes, number_of(file, "peer")) == NULL)
        find(reading, "peer_gone", "unix socket %" PRIu64 " is connected to nobody in the image",
             number_of(file, "inode"));
}

static void find_in_sockets(struct reading *reading) {
    json_t *inodes = json_object(), *file;
    size_t index;
    char key[24];
    json_array_foreach(json_object_get(reading->model, "sockets"), index, file) {
        if (json_object_get(file, "inode") != NULL)
            json_object_set(inodes, key_of(number_of(file, "inode"), key), file);
    }
    json_array_foreach(json_object_get(reading->model, "sockets"), index, file) {
        find_in_socket(reading, file, inodes);
    }
    json_decref(inodes);
}

static void find_in_files(struct reading *reading) {
    json_t *file;
    size_t index;
    json_array_foreach(json_object_get(reading->model, "files"), index, file) {
        json_t *ghost = json_object_get(file, "ghost");
        if (json_is_true(json_object_get(file, "deleted")))
            find(reading, "deleted_file",
                 "deleted %s %s with %" PRIu64 " bytes, from the image itself",
                 text_of(file, "kind"), text_of(file, "path"), number_of(ghost, "size"));
    }
}

// Which ends of each pipe are in the image.
static void find_in_pipes(struct reading *reading) {
    json_t *ends = json_object(), *file;
    size_t index;
    char key[24];
    json_array_foreach(json_object_get(reading->model, "pipes"), index, file) {
        if (json_object_get(file, "pipe") != NULL)
            set_bool(get_or_make(ends, key_of(number_of(file, "pipe"), key), JSON_OBJECT),
                     text_of(file, "end"), true);
    }
    json_array_foreach(json_object_get(reading->model, "pipes"), index, file) {
        json_t *both = get_by_id(ends, number_of(file, "pipe"));
        const char *end = text_of(file, "end");
        bool reads = strcmp(end, "reads") == 0;
        if (both != NULL && json_object_size(both) == 1 && strcmp(end, "both") != 0)
            find(reading, reads ? "pipe_ended" : "pipe_broken",
                 "pipe %" PRIu64 " %s nobody in the image: %s", number_of(file, "pipe"),
                 reads ? "is written by" : "is read by",
                 reads ? "end of file after its data" : "writing fails (EPIPE)");
    }
    json_decref(ends);
}

static void find_in_others(struct reading *reading) {
    json_t *file;
    size_t index;
    json_array_foreach(json_object_get(reading->model, "others"), index, file) {
        const char *kind = text_of(file, "kind");
        if (strcmp(kind, "inotify") == 0 && number_of(file, "watches") > 0)
            find(reading, "watches", "%" PRIu64 " inotify watches, which a pull refuses",
                 number_of(file, "watches"));
        else if (strcmp(kind, "terminal") == 0)
            find(reading, "terminal", "the terminal of the pull in place of %s",
                 text_of(file, "path"));
    }
}

static void find_in_processes(struct reading *reading) {
    json_t *process, *name;
    size_t i, k;
    json_array_foreach(json_object_get(reading->model, "processes"), i, process) {
        json_array_foreach(json_object_get(process, "own_namespaces"), k, name) {
            if (strcmp(json_string_value(name), "time") != 0)
                find(reading, "namespace",
                     "process %" PRIu64 " has a %s namespace of its own, which a pull refuses",
                     number_of(process, "pid"), json_string_value(name));
        }
    }
}

static int read_locks(struct reading *reading, const struct opened *opened, struct pb_view entry,
                      bool first) {
    enum { LOCK_PID = 3, LOCK_FD = 4 };
    (void)opened;
    (void)first;
    find(reading, "lock", "the lock on descriptor %" PRIu64 " of process %" PRIu64,
         pb_number(entry, LOCK_FD, 0), pb_number(entry, LOCK_PID, 0));
    return 0;
}

// ---- Everything

// In this order: later readers look up what earlier ones found.
static const struct {
    const char *kind;
    read_entry *read_one;
} readers[] = {
    {"inventory", read_inventory},
    {"inventory", read_root_ids},
    {"stats", read_stats},
    {"pstree", read_pstree},
    {"core", read_core},
    {"core", read_thread_name},
    {"ids", read_ids},
    {"ids", read_namespaces},
    {"pipes-data", read_pipe_data},
    {"fifo-data", read_pipe_data},
    {"memfd", read_memfd},
    {"files", read_file},
    {"reg-files", read_old_regular},
    {"fdinfo", read_fdinfo},
    {"ghost-file", read_ghost},
    {"remap-fpath", read_remap},
    {"mm", read_mm},
    {"pagemap-shmem", read_shared_pagemap},
    {"fs", read_fs},
    {"filelocks", read_locks},
};

static int read_everything(struct reading *reading) {
    count_images(reading);
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
        if (read_kind(reading, readers[i].kind, readers[i].read_one) != 0)
            return -1;
    place_thread_names(reading);
    json_object_del(reading->model, "root_namespaces");
    find_in_sockets(reading);
    find_in_pipes(reading);
    find_in_files(reading);
    find_in_others(reading);
    find_in_processes(reading);
    return 0;
}

static int open_images(struct reading *reading, const struct inspect_image *images, size_t count) {
    reading->images = calloc(count > 0 ? count : 1, sizeof *reading->images);
    if (reading->images == NULL)
        return fail(reading->failure, EXIT_SPACE, "out of memory");
    for (size_t i = 0; i < count; i++) {
        struct opened *opened = &reading->images[i];
        const char *kind;
        if (image_open(&opened->image, images[i].bytes, images[i].length, images[i].name,
                       reading->failure) != 0)
            return -1;
        opened->name = images[i].name;
        opened->file_bytes = images[i].file_bytes;
        image_name(images[i].name, &kind, &opened->number);
        reading->count = i + 1;
    }
    return 0;
}

json_t *inspect_model(const struct inspect_image *images, size_t count, struct failure *failure) {
    struct reading reading = {.model = json_object(),
                              .processes = json_object(),
                              .files = json_object(),
                              .tables = json_object(),
                              .buffered = json_object(),
                              .ghosts = json_object(),
                              .memfds = json_object(),
                              .failure = failure};
    int result = open_images(&reading, images, count);
    if (result == 0)
        result = read_everything(&reading);
    free(reading.images);
    json_decref(reading.processes);
    json_decref(reading.files);
    json_decref(reading.tables);
    json_decref(reading.buffered);
    json_decref(reading.ghosts);
    json_decref(reading.memfds);
    if (result != 0) {
        json_decref(reading.model);
        return NULL;
    }
    return reading.model;
}
