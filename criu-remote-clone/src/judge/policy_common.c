// SPDX-License-Identifier: Apache-2.0
// What the checks of all images share: the notes they leave, refusing, and small rules.
#include "memory.h"
#include "policy_internal.h"

#include <fcntl.h>

// O_LARGEFILE is 0 in 64-bit user space, the kernel's isn't; it differs between architectures.
#if defined(__aarch64__)
#define KERNEL_LARGEFILE 0400000
#else
#define KERNEL_LARGEFILE 0100000
#endif
#define PLAIN_OPEN_FLAGS                                                                           \
    (O_ACCMODE | O_APPEND | O_NONBLOCK | O_DSYNC | O_SYNC | O_ASYNC | O_DIRECT |                   \
     KERNEL_LARGEFILE | O_DIRECTORY | O_NOFOLLOW | O_NOATIME | O_CLOEXEC | O_PATH | O_TMPFILE)

#define MOST_NOTES (1u << 20)

int policy_refuse(const struct check *check, enum why_late why_late, const char *format, ...) {
    char why[768];
    FORMAT_INTO(why, format);
    check->policy->why_late = why_late;
    return fail(check->failure, EXIT_IMAGE, "%s: %s", check->image, why);
}

int policy_claim(const struct check *check, struct claim claim) {
    struct policy_reason reason = {.text = ""};
    if (policy_allows(check->policy, check->caller, &claim, &reason))
        return 0;
    return fail(check->failure, EXIT_IMAGE, "%s: %s", check->image, reason.text);
}

// ---- Notes

int policy_add_note(struct check *check, struct note note, const char *text) {
    struct policy_memory *memory = check->memory;
    if (memory->count == MOST_NOTES)
        return policy_refuse(check, MALFORMED,
                             "the images have more entries than any process needs");
    if (grow(&memory->notes, memory->count, sizeof *memory->notes, check->failure) < 0)
        return -1;
    if (text != NULL && (note.text = strdup(text)) == NULL)
        return out_of_memory(check->failure);
    memory->notes[memory->count++] = note;
    return 0;
}

int policy_note(struct check *check, enum note_kind kind, uint64_t id, uint64_t value) {
    struct note plain = {.kind = kind, .id = (uint32_t)id, .value = (uint32_t)value};
    return policy_add_note(check, plain, NULL);
}

int policy_compare_notes(const void *left, const void *right) {
    const struct note *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return strcmp(a->text != NULL ? a->text : "", b->text != NULL ? b->text : "");
}

// The notes are sorted by now: the first of that kind and id, or NULL.
const struct note *policy_find_note(const struct check *check, enum note_kind kind, uint32_t id) {
    const struct note *notes = check->memory->notes;
    struct note wanted = {.kind = kind, .id = id};
    size_t low = 0, high = check->memory->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (policy_compare_notes(&notes[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool there = low < check->memory->count && notes[low].kind == kind && notes[low].id == id;
    return there ? &notes[low] : NULL;
}

bool policy_has_image(const struct check *check, const char *name) {
    const struct policy_memory *memory = check->memory;
    struct note wanted = {.kind = NOTE_IMAGE, .text = (char *)(uintptr_t)name};
    return memory->count > 0 && bsearch(&wanted, memory->notes, memory->count,
                                        sizeof *memory->notes, policy_compare_notes) != NULL;
}

// ---- Small rules

bool policy_may(const struct check *check, unsigned capability) {
    return check->caller->capabilities >> capability & 1;
}

// Signals for a file's I/O are sent with these ids: CRIU takes them on to set the owner.
int policy_check_owner(struct check *check, const CriuImage__Owner *owner) {
    if (owner == NULL || owner->pid == 0)
        return 0;
    if (owner->uid != check->policy->uid || owner->euid != check->policy->uid)
        return policy_refuse(check, UNSEEN, "signals of a file would be sent as user %u, not as %u",
                             owner->uid, check->policy->uid);
    return policy_note(check, NOTE_OWNER, owner->pid, 0);
}

int policy_check_open_flags(struct check *check, uint64_t flags) {
    if ((flags & ~(uint64_t)PLAIN_OPEN_FLAGS) != 0 || (flags & O_ACCMODE) == O_ACCMODE)
        return policy_refuse(
            check, MALFORMED,
            "a file would be opened with flags 0%" PRIo64 ", which no open file has", flags);
    return 0;
}

int policy_check_label(struct check *check, const char *label) {
    return label == NULL ? 0 : policy_claim(check, (struct claim){CLAIM_LABEL, {0}, label});
}

bool policy_number_of(const ProtobufCMessage *message, uint32_t field, uint32_t *number) {
    const ProtobufCFieldDescriptor *where =
        protobuf_c_message_descriptor_get_field(message->descriptor, field);
    const char *start = (const char *)message;
    *number = *(const uint32_t *)(start + where->offset);
    return *(const protobuf_c_boolean *)(start + where->quantifier_offset);
}

int policy_note_namespaces(struct check *check, const CriuImage__Ids *ids) {
    uint32_t id;
    // A time namespace only shifts clocks: each clone gets one.
    for (uint32_t field = FIRST_NAMESPACE; ids != NULL && field < TIME_NAMESPACE; field++)
        if (policy_number_of(&ids->base, field, &id) && id != 0 &&
            policy_note(check, NOTE_NAMESPACE, field, id) != 0)
            return -1;
    return 0;
}
