// SPDX-License-Identifier: Apache-2.0
// The bounds are the kernel's, or what CRIU itself can hold (it doesn't check all of them: a
// signal's siginfo_t, for one, is copied by size).
#include "image_schema.h"

#include "criu_image.pb-c.h"

enum {
    MOST_FIELDS = 32,  // of one message
    ANY_LENGTH = 0,    // of bytes
    EXACTLY = 1 << 30, // that length, no less
    MANY = 1 << 20,
    SIGNAL_QUEUE = 1 << 16,
};

// Where it isn't: once, or MANY times if it is repeated; texts as long as a path may be.
static const struct bound {
    const ProtobufCMessageDescriptor *message;
    uint32_t field;
    uint32_t most;    // times it may be there
    uint32_t longest; // bytes
} bounds[] = {
    {&criu_image__plugins__descriptor, 12, MANY, NAME_MAX},
    {&criu_image__inventory__descriptor, 13, 1, 36},
    {&criu_image__timers__descriptor, 4, SIGNAL_QUEUE, 0},
    {&criu_image__rlimits__descriptor, 1, 16, 0}, // RLIM_NLIMITS
    {&criu_image__siginfo__descriptor, 1, 1, 128 | EXACTLY},
    {&criu_image__signals__descriptor, 1, SIGNAL_QUEUE, 0},
    {&criu_image__task__descriptor, 6, 1, 15},  // TASK_COMM_LEN
    {&criu_image__task__descriptor, 15, 64, 0}, // signals
    {&criu_image__thread__descriptor, 13, 1, 15},
    {&criu_image__creds__descriptor, 9, 2, 0}, // words of capabilities
    {&criu_image__creds__descriptor, 10, 2, 0},
    {&criu_image__creds__descriptor, 11, 2, 0},
    {&criu_image__creds__descriptor, 12, 2, 0},
    {&criu_image__creds__descriptor, 14, 65536, 0}, // NGROUPS_MAX
    {&criu_image__creds__descriptor, 19, 2, 0},
    {&criu_image__mm__descriptor, 13, 128, 0},
    {&criu_image__reg__descriptor, 11, 64, 0},
    {&criu_image__socket_options__descriptor, 15, 1, 15}, // IFNAMSIZ
    {&criu_image__socket_options__descriptor, 16, 4096, 0},
    {&criu_image__ip_raw__descriptor, 4, 8, 0},
    {&criu_image__inet__descriptor, 11, 4, 0},
    {&criu_image__inet__descriptor, 12, 4, 0},
    {&criu_image__inet__descriptor, 17, 1, 15},
    {&criu_image__netlink__descriptor, 8, 32, 0},
    {&criu_image__unix__descriptor, 11, 1, 108},
    {&criu_image__termios__descriptor, 8, 32, 0},
    {&criu_image__tty_data__descriptor, 2, 1, 1 << 16},
    {&criu_image__scm__descriptor, 2, 253, 0}, // SCM_MAX_FD
    {&criu_image__packet__descriptor, 4, 16, 0},
    {&criu_image__filter__descriptor, 1, 1, 4096 * 8}, // BPF_MAXINSNS
};

static struct bound bound_of(const ProtobufCMessageDescriptor *message,
                             const ProtobufCFieldDescriptor *field) {
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
        if (bounds[i].message == message && bounds[i].field == field->id)
            return bounds[i];
    return (struct bound){.most = field->label == PROTOBUF_C_LABEL_REPEATED ? MANY : 1,
                          .longest =
                              field->type == PROTOBUF_C_TYPE_STRING ? PATH_MAX - 1 : ANY_LENGTH};
}

// What is checked now: for the message of a failure.
struct place {
    const char *image;
    const ProtobufCMessageDescriptor *message;
    uint32_t number;
};

static int refuse(const struct place *place, const char *why, struct failure *failure) {
    return fail(failure, EXIT_IMAGE, "%s: field %u of %s %s", place->image, place->number,
                place->message->short_name, why);
}

static uint8_t wire_type_of(ProtobufCType type) {
    switch (type) {
    case PROTOBUF_C_TYPE_FIXED64:
        return PB_FIXED64;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return PB_BYTES;
    default:
        return PB_VARINT;
    }
}

static bool fits(ProtobufCType type, uint32_t longest, const struct pb_field *field) {
    switch (type) {
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_SINT32: // zigzag
        return field->value <= UINT32_MAX;
    case PROTOBUF_C_TYPE_INT32: // sign-extended to 64 bits
        return (int64_t)field->value >= INT32_MIN && (int64_t)field->value <= INT32_MAX;
    case PROTOBUF_C_TYPE_BOOL:
        return field->value <= 1;
    case PROTOBUF_C_TYPE_STRING:
        return field->length <= longest && memchr(field->bytes, '\0', field->length) == NULL;
    case PROTOBUF_C_TYPE_BYTES:
        return (longest & EXACTLY) != 0 ? field->length == (longest & ~(uint32_t)EXACTLY)
                                        : longest == ANY_LENGTH || field->length <= longest;
    default:
        return true;
    }
}

// Messages nest five deep at most, so the recursion is bounded by them, not by the image.
static int check_message(struct place place, struct pb_view message, struct failure *failure) {
    uint32_t seen[MOST_FIELDS] = {0};
    struct pb_field field;
    size_t position = 0;
    int more;
    while ((more = pb_next(message.bytes, message.length, &position, &field)) > 0) {
        place.number = field.number;
        const ProtobufCFieldDescriptor *rule =
            protobuf_c_message_descriptor_get_field(place.message, field.number);
        if (rule == NULL)
            return refuse(&place,
                          "is not one that a plain dump of CRIU 4.2 has; use that version of CRIU "
                          "on both hosts",
                          failure);
        struct bound bound = bound_of(place.message, rule);
        if (++seen[rule - place.message->fields] > bound.most)
            return refuse(&place, "is there more often than it can be", failure);
        if (field.wire_type != wire_type_of(rule->type))
            return refuse(&place, "is not of the type that CRIU writes", failure);
        if (!fits(rule->type, bound.longest, &field))
            return refuse(&place, "is out of bounds", failure);
        struct place inner = {place.image, rule->descriptor, 0};
        if (rule->type == PROTOBUF_C_TYPE_MESSAGE &&
            check_message(inner, (struct pb_view){field.bytes, field.length}, failure) != 0)
            return -1;
    }
    if (more < 0)
        return fail(failure, EXIT_IMAGE, "%s: a message of %s is not valid protobuf", place.image,
                    place.message->short_name);
    return 0;
}

int image_schema_check(const ProtobufCMessageDescriptor *message, struct pb_view entry,
                       const char *image, struct failure *failure) {
    return check_message((struct place){image, message, 0}, entry, failure);
}
