// Reads CRIU's image files. The layout facts are those of CRIU 4.2's magic.h,
// image-desc.c and images/*.proto; the numbers of fields are in image_fields.h.
#include "image.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "image_fields.h"

// Format 1.1: this stands before an image's own magic, except in the inventory.
#define COMMON_MAGIC 0x54564319u
#define SERVICE_MAGIC 0x55105940u
#define INVENTORY_MAGIC 0x58313116u

enum head { HEAD_COMMON, HEAD_SERVICE, HEAD_NONE };
enum numbered { PLAIN, DECIMAL, HEXADECIMAL };
// What stands after an entry's message.
enum payload {
    NO_PAYLOAD,
    PAYLOAD_FIELD_2,      // as many bytes as field 2 says
    PAYLOAD_FIELDS_1_3,   // fields 1 and 3 together
    PAYLOAD_GHOST,        // one message, then the file: whole, or chunks with messages of their own
    PAYLOAD_NOT_FOLLOWED, // a layout that we have no use for
};

struct kind {
    const char *name;
    uint32_t magic; // 0: not CRIU's own format
    enum head head;
    enum numbered numbered;
    const char *tail; // the rest of the file name
    enum payload payload;
};

static const struct kind kinds[] = {
    {"inventory", INVENTORY_MAGIC, HEAD_NONE, PLAIN, ".img", NO_PAYLOAD},
    {"pstree", 0x50273030, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"fdinfo", 0x56213732, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"pagemap", 0x56084025, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"pagemap-shmem", 0x56084025, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"core", 0x55053847, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"ids", 0x54432030, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"mm", 0x57492820, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"vmas", 0x54123737, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"files", 0x56303138, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"reg-files", 0x50363636, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"ext-files", 0x59255641, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"ns-files", 0x61394011, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"eventfd", 0x44523722, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"eventpoll", 0x45023858, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"eventpoll-tfd", 0x44433746, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"signalfd", 0x57323820, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"inotify", 0x48424431, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"inotify-wd", 0x54562009, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"fanotify", 0x55096122, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"fanotify-mark", 0x56506035, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"pipes", 0x56513555, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"pipes-data", 0x56453709, HEAD_COMMON, PLAIN, ".img", PAYLOAD_FIELD_2},
    {"fifo", 0x58364939, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"fifo-data", 0x59333054, HEAD_COMMON, PLAIN, ".img", PAYLOAD_FIELD_2},
    {"sigacts", 0x55344201, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"unixsk", 0x54373943, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"inetsk", 0x56443851, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"packetsk", 0x60454618, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"netlinksk", 0x58005614, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"sk-queues", 0x56264026, HEAD_COMMON, PLAIN, ".img", PAYLOAD_FIELD_2},
    {"tcp-stream", 0x51465506, HEAD_COMMON, HEXADECIMAL, ".img", PAYLOAD_FIELDS_1_3},
    {"itimers", 0x57464056, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"posix-timers", 0x52603957, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"creds", 0x54023547, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"fs", 0x51403912, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"remap-fpath", 0x59133954, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"ghost-file", 0x52583605, HEAD_COMMON, HEXADECIMAL, ".img", PAYLOAD_GHOST},
    {"memfd", 0x48453499, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"tty", 0x59433025, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"tty-info", 0x59453036, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"tty-data", 0x59413026, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"tunfile", 0x57143751, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"timerfd", 0x50493712, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"pidfd", 0x54435556, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"filelocks", 0x54323616, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"rlimit", 0x57113925, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"signal-s", 0x59255647, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"signal-p", 0x59255647, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"seccomp", 0x64413049, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"apparmor", 0x59423047, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"cgroup", 0x59383330, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"cpuinfo", 0x61404013, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"timens", 0x43114433, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"pidns", 0x61157326, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"userns", 0x55474906, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"utsns", 0x54473203, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"netns", 0x55933752, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"netdev", 0x57373951, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"mountpoints", 0x55563928, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"autofs", 0x49353943, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"binfmt-misc", 0x67343323, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"ipcns-var", 0x53115007, HEAD_COMMON, DECIMAL, ".img", NO_PAYLOAD},
    {"ipcns-shm", 0x46283044, HEAD_COMMON, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"ipcns-msg", 0x55453737, HEAD_COMMON, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"ipcns-sem", 0x59573019, HEAD_COMMON, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"bpfmap-file", 0x57506142, HEAD_COMMON, PLAIN, ".img", NO_PAYLOAD},
    {"bpfmap-data", 0x64324033, HEAD_COMMON, PLAIN, ".img", PAYLOAD_NOT_FOLLOWED},
    {"stats", 0x57093306, HEAD_SERVICE, PLAIN, "-dump", NO_PAYLOAD},
    {"stats", 0x57093306, HEAD_SERVICE, PLAIN, "-restore", NO_PAYLOAD},
    {"irmap-cache", 0x57004059, HEAD_SERVICE, PLAIN, "", NO_PAYLOAD},
    {"pages", 0, HEAD_NONE, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"pages-shmem", 0, HEAD_NONE, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"tmpfs", 0, HEAD_NONE, DECIMAL, ".tar.gz.img", PAYLOAD_NOT_FOLLOWED},
    {"tmpfs-dev", 0, HEAD_NONE, DECIMAL, ".tar.gz.img", PAYLOAD_NOT_FOLLOWED},
    {"ifaddr", 0, HEAD_NONE, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"route", 0, HEAD_NONE, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"route6", 0, HEAD_NONE, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"rule", 0, HEAD_NONE, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"iptables", 0, HEAD_NONE, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"ip6tables", 0, HEAD_NONE, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"nftables", 0, HEAD_NONE, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"netns-ct", 0, HEAD_NONE, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
    {"netns-exp", 0, HEAD_NONE, DECIMAL, ".img", PAYLOAD_NOT_FOLLOWED},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

// ---- The protobuf wire format

// Reads a varint in its shortest form: 10 bytes at most, nothing above 64 bits.
static bool read_varint(const uint8_t *bytes, size_t length, size_t *position, uint64_t *value) {
    uint64_t result = 0;
    for (unsigned count = 0; count < 10 && *position < length; count++) {
        uint8_t byte = bytes[(*position)++];
        if (count == 9 && byte > 1)
            return false;
        result |= (uint64_t)(byte & 0x7f) << (7 * count);
        if (byte & 0x80)
            continue;
        *value = result;
        return byte != 0 || count == 0;
    }
    return false;
}

static bool read_fixed(const uint8_t *bytes, size_t length, size_t *position, size_t width,
                       uint64_t *value) {
    if (length - *position < width)
        return false;
    *value = 0;
    for (size_t i = 0; i < width; i++)
        *value |= (uint64_t)bytes[*position + i] << (8 * i);
    *position += width;
    return true;
}

static bool read_bytes(const uint8_t *bytes, size_t length, size_t *position,
                       struct pb_field *field) {
    uint64_t size;
    if (!read_varint(bytes, length, position, &size) || size > length - *position)
        return false;
    field->bytes = bytes + *position;
    field->length = (size_t)size;
    *position += field->length;
    return true;
}

static bool read_content(const uint8_t *bytes, size_t length, size_t *position,
                         struct pb_field *field) {
    switch (field->wire_type) {
    case PB_VARINT:
        return read_varint(bytes, length, position, &field->value);
    case PB_FIXED64:
        return read_fixed(bytes, length, position, 8, &field->value);
    case PB_BYTES:
        return read_bytes(bytes, length, position, field);
    case PB_FIXED32:
        return read_fixed(bytes, length, position, 4, &field->value);
    default:
        return false;
    }
}

int pb_next(const uint8_t *message, size_t length, size_t *position, struct pb_field *field) {
    if (*position >= length)
        return 0;
    size_t at = *position;
    uint64_t tag;
    if (!read_varint(message, length, &at, &tag) || tag > UINT32_MAX || tag >> 3 == 0)
        return -1;
    *field = (struct pb_field){.number = (uint32_t)(tag >> 3),
                               .wire_type = (uint8_t)(tag & 7),
                               .start = message + *position};
    if (!read_content(message, length, &at, field))
        return -1;
    field->total = at - *position;
    *position = at;
    return 1;
}

bool pb_find(const uint8_t *message, size_t length, uint32_t number, struct pb_field *field) {
    size_t position = 0;
    struct pb_field next;
    bool found = false;
    while (pb_next(message, length, &position, &next) > 0) {
        if (next.number != number)
            continue;
        *field = next;
        found = true;
    }
    return found;
}

struct pb_view pb_part(struct pb_view message, uint32_t number) {
    struct pb_field field;
    if (!pb_find(message.bytes, message.length, number, &field) || field.wire_type != PB_BYTES)
        return (struct pb_view){0};
    return (struct pb_view){field.bytes, field.length};
}

uint64_t pb_number(struct pb_view message, uint32_t number, uint64_t otherwise) {
    struct pb_field field;
    if (!pb_find(message.bytes, message.length, number, &field) || field.wire_type == PB_BYTES)
        return otherwise;
    return field.value;
}

// ---- Names and magics

// "17" of "core-17.img": no leading zeros, nothing above 32 bits. Returns what follows, or NULL.
static const char *read_number(const char *text, enum numbered numbered, uint32_t *number) {
    const char *digits = numbered == DECIMAL ? "0123456789" : "0123456789abcdef";
    size_t count = strspn(text, digits);
    if (count == 0 || count > 10 || (text[0] == '0' && count > 1))
        return NULL;
    unsigned long long value = strtoull(text, NULL, numbered == DECIMAL ? 10 : 16);
    if (value > UINT32_MAX)
        return NULL;
    *number = (uint32_t)value;
    return text + count;
}

static bool is_name_of(const struct kind *kind, const char *name, uint32_t *number) {
    size_t stem = strlen(kind->name);
    if (strncmp(name, kind->name, stem) != 0)
        return false;
    const char *rest = name + stem;
    *number = 0;
    if (kind->numbered != PLAIN) {
        if (*rest != '-')
            return false;
        rest = read_number(rest + 1, kind->numbered, number);
    }
    return rest != NULL && strcmp(rest, kind->tail) == 0;
}

static const struct kind *kind_of_name(const char *name, uint32_t *number) {
    for (size_t i = 0; i < KINDS; i++)
        if (is_name_of(&kinds[i], name, number))
            return &kinds[i];
    return NULL;
}

static const struct kind *kind_of_magic(uint32_t magic, enum head head) {
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].magic == magic && magic != 0 && kinds[i].head == head)
            return &kinds[i];
    return NULL;
}

static const struct kind *kind_of_image(const struct image *image) {
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].name == image->kind)
            return &kinds[i];
    return NULL;
}

int image_name(const char *name, const char **kind, uint32_t *number) {
    const struct kind *found = kind_of_name(name, number);
    if (found == NULL)
        return -1;
    *kind = found->name;
    return 0;
}

static int read_magic(struct image *image, const char *name, enum head *head,
                      struct failure *failure) {
    uint64_t first = 0, second = 0;
    size_t at = 0;
    if (!read_fixed(image->bytes, image->length, &at, 4, &first))
        return fail(failure, EXIT_IMAGE, "%s: too short for a CRIU image (%zu bytes)", name,
                    image->length);
    *head = HEAD_NONE;
    if (first == COMMON_MAGIC || first == SERVICE_MAGIC) {
        *head = first == COMMON_MAGIC ? HEAD_COMMON : HEAD_SERVICE;
        if (!read_fixed(image->bytes, image->length, &at, 4, &second))
            return fail(failure, EXIT_IMAGE, "%s: ends within its magic numbers", name);
    } else if (first != INVENTORY_MAGIC) {
        return fail(failure, EXIT_IMAGE,
                    "%s: not an image of CRIU 2 or later (it begins with %08" PRIx64 ")", name,
                    first);
    }
    image->magic = (uint32_t)(*head == HEAD_NONE ? first : second);
    image->position = at;
    return 0;
}

int image_open(struct image *image, const void *bytes, size_t length, const char *name,
               struct failure *failure) {
    *image = (struct image){.bytes = bytes, .length = length};
    uint32_t number;
    const struct kind *named = kind_of_name(name, &number);
    if (named != NULL && named->magic == 0) {
        image->kind = named->name;
        return 0;
    }
    enum head head = HEAD_NONE;
    if (read_magic(image, name, &head, failure) != 0)
        return -1;
    if (named != NULL && (named->magic != image->magic || named->head != head))
        return fail(failure, EXIT_IMAGE, "%s: not a %s image (its magic number is %08" PRIx32 ")",
                    name, named->name, image->magic);
    const struct kind *kind = named != NULL ? named : kind_of_magic(image->magic, head);
    image->kind = kind != NULL ? kind->name : NULL;
    return 0;
}

// ---- Entries

static bool read_message(struct image *image, const uint8_t **message, size_t *length) {
    uint64_t size;
    size_t at = image->position;
    if (!read_fixed(image->bytes, image->length, &at, 4, &size) || size > image->length - at)
        return false;
    *message = image->bytes + at;
    *length = (size_t)size;
    image->position = at + *length;
    return true;
}

static bool skip(struct image *image, uint64_t count) {
    if (count > image->length - image->position)
        return false;
    image->position += (size_t)count;
    return true;
}

// What follows a ghost file's only message. Chunks have messages of their own: length, offset.
static bool skip_ghost(struct image *image, struct pb_view ghost) {
    if (!pb_number(ghost, GHOST_CHUNKS, 0))
        return skip(image, image->length - image->position);
    while (image->position < image->length) {
        struct pb_view chunk;
        if (!read_message(image, &chunk.bytes, &chunk.length) ||
            !skip(image, pb_number(chunk, 1, 0)))
            return false;
    }
    return true;
}

static bool skip_payload(struct image *image, struct pb_view entry) {
    const struct kind *kind = kind_of_image(image);
    switch (kind != NULL ? kind->payload : NO_PAYLOAD) {
    case PAYLOAD_FIELD_2:
        return skip(image, pb_number(entry, 2, 0));
    case PAYLOAD_FIELDS_1_3:
        return skip(image, pb_number(entry, 1, 0)) && skip(image, pb_number(entry, 3, 0));
    case PAYLOAD_GHOST:
        return skip_ghost(image, entry);
    default:
        return true;
    }
}

int image_next(struct image *image, const uint8_t **message, size_t *length,
               struct failure *failure) {
    const struct kind *kind = kind_of_image(image);
    if (kind != NULL && kind->payload == PAYLOAD_NOT_FOLLOWED)
        image->position = image->length;
    if (image->position == image->length)
        return 0;
    size_t at = image->position;
    const char *what = kind != NULL ? kind->name : "unknown";
    if (!read_message(image, message, length))
        return fail(failure, EXIT_IMAGE, "%s image: the entry at byte %zu reaches beyond the end",
                    what, at);
    if (!skip_payload(image, (struct pb_view){*message, *length}))
        return fail(failure, EXIT_IMAGE,
                    "%s image: the data after the entry at byte %zu reaches beyond the end", what,
                    at);
    return 1;
}

// ---- Paths

bool image_plain_path(const char *path, size_t length) {
    if (length < 2 || length >= PATH_MAX || path[0] != '/' || memchr(path, '\0', length) != NULL)
        return false;
    for (size_t at = 1, end; at <= length; at = end + 1) {
        const char *slash = memchr(path + at, '/', length - at);
        end = slash != NULL ? (size_t)(slash - path) : length;
        size_t size = end - at;
        if (size == 0 || size > NAME_MAX || (size == 1 && path[at] == '.') ||
            (size == 2 && path[at] == '.' && path[at + 1] == '.'))
            return false;
    }
    return true;
}
