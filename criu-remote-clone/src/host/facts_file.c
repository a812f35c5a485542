// SPDX-License-Identifier: Apache-2.0
// Facts about files, and which files a clone needs.
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "facts_internal.h"
#include "memory.h"
#include "paths.h"
#include "procfs.h"
#include "scope.h"

#define HASH_LARGEST (64u << 20)
#define HASH_CHUNK (128u << 10) // stays in the cache between reading and hashing
#define BUILD_ID_MAX 64
#define NOTES_LARGEST (64u << 10)
#define HEADERS_MAX 1024

// --- build ids ---

// Finds the build id among the notes (elf(5)); whatever the file claims, reads only inside them.
static size_t id_in_notes(const uint8_t *notes, size_t length, uint8_t *id, size_t size) {
    ElfW(Nhdr) note;
    while (length >= sizeof note) {
        memcpy(&note, notes, sizeof note);
        size_t name = (note.n_namesz + (size_t)3) & ~(size_t)3;
        size_t whole = sizeof note + name + ((note.n_descsz + (size_t)3) & ~(size_t)3);
        if (name > length || whole > length)
            return 0;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
            memcmp(notes + sizeof note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
            if (note.n_descsz == 0 || note.n_descsz > size)
                return 0;
            memcpy(id, notes + sizeof note + name, note.n_descsz);
            return note.n_descsz;
        }
        notes += whole;
        length -= whole;
    }
    return 0;
}

static size_t id_in_segment(int file, uint64_t offset, uint64_t length, uint8_t *id, size_t size) {
    if (length > NOTES_LARGEST || offset > INT64_MAX)
        return 0;
    AUTO_FREE uint8_t *notes = malloc(length + 1);
    ssize_t got = notes != NULL ? pread(file, notes, length, (off_t)offset) : -1;
    return got > 0 ? id_in_notes(notes, (size_t)got, id, size) : 0;
}

// A program header of either class, as far as we need it.
static bool read_header(int file, bool wide, uint64_t offset, Elf64_Phdr *header) {
    if (offset > INT64_MAX)
        return false;
    if (wide)
        return pread(file, header, sizeof *header, (off_t)offset) == sizeof *header;
    Elf32_Phdr narrow;
    if (pread(file, &narrow, sizeof narrow, (off_t)offset) != sizeof narrow)
        return false;
    *header = (Elf64_Phdr){
        .p_type = narrow.p_type, .p_offset = narrow.p_offset, .p_filesz = narrow.p_filesz};
    return true;
}

static size_t build_id_of(int file, uint8_t *id, size_t size) {
    union {
        unsigned char ident[EI_NIDENT];
        Elf32_Ehdr narrow;
        Elf64_Ehdr wide;
    } head = {0};
    ssize_t got = pread(file, &head, sizeof head, 0);
    bool wide = head.ident[EI_CLASS] == ELFCLASS64;
    const unsigned char native =
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    if (got < (ssize_t)(wide ? sizeof head.wide : sizeof head.narrow) ||
        memcmp(head.ident, ELFMAG, SELFMAG) != 0 || head.ident[EI_DATA] != native)
        return 0;
    uint64_t table = wide ? head.wide.e_phoff : head.narrow.e_phoff;
    unsigned count = wide ? head.wide.e_phnum : head.narrow.e_phnum;
    size_t step = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    size_t found = 0;
    for (unsigned i = 0; found == 0 && i < count && i < HEADERS_MAX; i++) {
        Elf64_Phdr header;
        if (!read_header(file, wide, table + i * step, &header))
            return 0;
        if (header.p_type == PT_NOTE)
            found = id_in_segment(file, header.p_offset, header.p_filesz, id, size);
    }
    return found;
}

size_t facts_build_id(const char *path, uint8_t *id, size_t size) {
    // O_NONBLOCK: a FIFO in the file's place must not hold us up.
    AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return 0;
    return build_id_of(file, id, size);
}

// --- one file ---

static int set_bytes(ProtobufCBinaryData *field, protobuf_c_boolean *has, const void *bytes,
                     size_t length) {
    field->data = malloc(length);
    if (field->data == NULL)
        return -1;
    memcpy(field->data, bytes, length);
    field->len = length;
    *has = true;
    return 0;
}

static int set_hash(CloneWire__FileFacts *facts, int file) {
    XXH3_state_t *state = XXH3_createState();
    uint8_t *chunk = malloc(HASH_CHUNK);
    int result = state != NULL && chunk != NULL ? 0 : -1;
    if (result == 0)
        XXH3_128bits_reset(state);
    ssize_t got = 0;
    for (off_t offset = 0; result == 0 && offset < HASH_LARGEST; offset += got) {
        got = pread(file, chunk, HASH_CHUNK, offset);
        if (got <= 0)
            break;
        XXH3_128bits_update(state, chunk, (size_t)got);
    }
    if (result == 0 && got >= 0) {
        XXH128_canonical_t hash;
        XXH128_canonicalFromHash(&hash, XXH3_128bits_digest(state));
        result = set_bytes(&facts->content_hash, &facts->has_content_hash, &hash, sizeof hash);
    }
    free(chunk);
    XXH3_freeState(state);
    return result;
}

// What can't be read has neither build id nor hash; size and mode must then do.
static int look_inside(const char *place, bool hash_contents, CloneWire__FileFacts *facts) {
    AUTO_CLOSE int file = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return 0;
    uint8_t id[BUILD_ID_MAX];
    size_t length = build_id_of(file, id, sizeof id);
    int result = 0;
    if (length > 0)
        result = set_bytes(&facts->build_id, &facts->has_build_id, id, length);
    else if (hash_contents && facts->size <= HASH_LARGEST)
        result = set_hash(facts, file);
    return result;
}

int facts_of_file(const char *path, bool hash_contents, CloneWire__FileFacts *facts,
                  struct failure *failure) {
    struct stat status;
    clone_wire__file_facts__init(facts);
    if (lstat(path, &status) < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? 1
                   : fail_errno(failure, EXIT_UNABLE, "can't look at %s", path);
    facts->size = (uint64_t)status.st_size;
    facts->mode = status.st_mode;
    facts->uid = status.st_uid;
    facts->gid = status.st_gid;
    facts->mtime_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
    facts->path = strdup(path);
    bool whole = facts->path != NULL;
    if (S_ISLNK(status.st_mode)) {
        facts->link_target = procfs_link("%s", path);
        whole &= facts->link_target != NULL;
    } else if (whole && S_ISREG(status.st_mode)) {
        whole = look_inside(path, hash_contents, facts) == 0;
    }
    if (whole)
        return 0;
    facts_file_clear(facts);
    return out_of_memory(failure);
}

void facts_file_clear(CloneWire__FileFacts *facts) {
    free(facts->path);
    free(facts->link_target);
    free(facts->build_id.data);
    free(facts->content_hash.data);
    clone_wire__file_facts__init(facts);
}

// --- the files a clone needs ---

struct wanted {
    const char *path;
    bool executable_mapping;
    bool linked;
};

struct wanted_list {
    struct wanted *items;
    size_t count;
};

// Every host has its own of these.
static bool is_system_interface(const char *path) {
    return path_rest("/proc", path) != NULL || path_rest("/sys", path) != NULL ||
           (path_rest("/dev", path) != NULL && path_rest("/dev/shm", path) == NULL);
}

static void want(struct wanted_list *list, struct wanted wanted, char *const *roots,
                 size_t root_count) {
    if (wanted.path == NULL || wanted.path[0] != '/' || strcmp(wanted.path, "/") == 0 ||
        is_system_interface(wanted.path))
        return;
    for (size_t i = 0; i < root_count; i++)
        if (path_rest(roots[i], wanted.path) != NULL)
            return;
    must_grow(&list->items, list->count, sizeof wanted);
    list->items[list->count++] = wanted;
}

static bool is_writable(const struct fd_facts *fd) {
    return fd->kind == FD_REGULAR && (fd->flags & O_ACCMODE) != O_RDONLY &&
           (fd->flags & O_PATH) == 0;
}

static void want_all(struct wanted_list *list, const struct process_facts *process,
                     char *const *roots, size_t root_count) {
    struct wanted program = {.path = process->executable, .executable_mapping = true};
    want(list, program, roots, root_count);
    for (size_t i = 0; i < process->mapped_count; i++) {
        const struct mapped_file *mapped = &process->mapped[i];
        struct wanted file = {.path = mapped->path, .executable_mapping = mapped->executable};
        if (!mapped->deleted && !mapped->shared_writable)
            want(list, file, roots, root_count);
    }
    for (size_t i = 0; i < process->fd_count; i++) {
        const struct fd_facts *fd = &process->fds[i];
        bool is_file = fd->kind == FD_REGULAR || fd->kind == FD_DIRECTORY;
        if (is_file && !fd->deleted && !is_writable(fd))
            want(list, (struct wanted){.path = fd->target}, roots, root_count);
    }
}

static int compare_wanted(const void *left, const void *right) {
    return strcmp(((const struct wanted *)left)->path, ((const struct wanted *)right)->path);
}

static void unite_wanted(void *kept, void *other) {
    ((struct wanted *)kept)->executable_mapping |= ((struct wanted *)other)->executable_mapping;
    ((struct wanted *)kept)->linked |= ((struct wanted *)other)->linked;
}

static bool is_readable(const char *path) {
    AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return file >= 0;
}

// What the process can't read itself can't be sent either, and it doesn't miss it.
static bool can_be_sent(const CloneWire__FileFacts *facts) {
    return !S_ISREG(facts->mode) || facts->has_content_hash || is_readable(facts->path);
}

// 0, 1 when the file is gone meanwhile, or -1.
static int facts_of_wanted(const struct wanted *wanted, CloneWire__FileFacts **out,
                           struct failure *failure) {
    AUTO_FREE CloneWire__FileFacts *facts = must_allocate(sizeof *facts);
    int result = facts_of_file(wanted->path, true, facts, failure);
    if (result != 0)
        return result;
    facts->has_executable_mapping = facts->executable_mapping = wanted->executable_mapping;
    facts->has_linked = facts->linked = wanted->linked && can_be_sent(facts);
    *out = TAKE(facts, NULL);
    return 0;
}

int facts_needed(const struct process_facts *process, char *const *roots, size_t root_count,
                 char *const *outside, size_t outside_count, CloneWire__FileFacts ***needed,
                 size_t *count, struct failure *failure) {
    struct wanted_list list = {0};
    *count = 0;
    want_all(&list, process, roots, root_count);
    for (size_t i = 0; i < outside_count; i++)
        want(&list, (struct wanted){.path = outside[i], .linked = true}, roots, root_count);
    list.count =
        sort_and_unite(list.items, list.count, sizeof *list.items, compare_wanted, unite_wanted);
    *needed = must_allocate((list.count + 1) * sizeof **needed);
    AUTO_RIGHTS own = {0};
    int result = rights_borrow(&process->reader, &own, failure);
    for (size_t i = 0; result >= 0 && i < list.count; i++) {
        result = facts_of_wanted(&list.items[i], &(*needed)[*count], failure);
        *count += result == 0;
    }
    free(list.items);
    return result < 0 ? -1 : 0;
}

void facts_needed_free(CloneWire__FileFacts **needed, size_t count) {
    for (size_t i = 0; i < count; i++) {
        facts_file_clear(needed[i]);
        free(needed[i]);
    }
    free(needed);
}
