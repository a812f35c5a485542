// SPDX-License-Identifier: Apache-2.0
// The rules of a pair, each a function that adds a sentence for what it has against the clone.
#include "verdict.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "facts.h"
#include "memory.h"
#include "paths.h"
#include "verdict_cpu.h"

#define HEADROOM (64ull << 20) // CRIU, its helpers, and the small images
#define REFUSALS_MAX 64        // nobody reads more

int verdict_refuse(struct verdict *verdict, const char *format, ...) {
    char text[1024];
    struct failure ignored;
    FORMAT_INTO(text, format);
    make_printable(text); // the peer's words end on a terminal
    if (verdict->refusal_count < REFUSALS_MAX &&
        texts_add(&verdict->refusals, &verdict->refusal_count, text, &ignored) < 0)
        verdict->incomplete = true;
    return 0;
}

// --- versions ---

// "6.1.0-13-amd64" and "4.2.1" alike: the first two numbers, as one that can be compared.
static uint64_t major_minor(const char *version) {
    char *end;
    uint64_t first = strtoul(version, &end, 10) & UINT32_MAX;
    uint64_t second = *end == '.' ? strtoul(end + 1, NULL, 10) & UINT32_MAX : 0;
    return first << 32 | second;
}

static void judge_versions(const CloneWire__HostFacts *there, const CloneWire__HostFacts *here,
                           struct verdict *verdict) {
    // Images keep their format within a minor version.
    if (major_minor(there->criu_version) != major_minor(here->criu_version))
        verdict_refuse(
            verdict,
            "CRIU is %s on the source and %s on the target: install the same minor version on "
            "both",
            there->criu_version, here->criu_version);
    // A process finds out once what its kernel can do (glibc, the JVM), and goes on using it.
    if (major_minor(here->kernel_release) < major_minor(there->kernel_release))
        verdict_refuse(
            verdict,
            "the target's kernel %s is older than the source's %s, and the process may use what "
            "it lacks: choose a target whose kernel is not older",
            here->kernel_release, there->kernel_release);
}

// --- the machine ---

#define FLAGS_MAX 4096
#define FLAGS_LISTED 12

struct flag_list {
    char text[FLAGS_LISTED * 26 + 6];
    size_t count;
};

static void list_flag(struct flag_list *list, const char *flag) {
    size_t used = strlen(list->text);
    if (list->count < FLAGS_LISTED)
        snprintf(list->text + used, sizeof list->text - used, "%s%.24s", used > 0 ? ", " : "",
                 flag);
    else if (list->count == FLAGS_LISTED)
        strcpy(list->text + used, ", ...");
    list->count++;
}

static bool has_flag(const CloneWire__HostFacts *host, const char *flag) {
    for (size_t i = 0; i < host->n_cpu_flag; i++)
        if (strcmp(host->cpu_flag[i], flag) == 0)
            return true;
    return false;
}

static int judge_cpu(const CloneWire__HostFacts *there, const CloneWire__HostFacts *here,
                     struct verdict *verdict, struct failure *failure) {
    struct flag_list lacking = {0}, excess = {0};
    if (there->n_cpu_flag > FLAGS_MAX)
        return fail(failure, EXIT_TRANSFER, "the peer's offer has more CPU flags than there are");
    for (size_t i = 0; i < there->n_cpu_flag; i++)
        if (cpu_flag_is_for_programs(there->cpu_flag[i]) && !has_flag(here, there->cpu_flag[i]))
            list_flag(&lacking, there->cpu_flag[i]);
    for (size_t i = 0; i < here->n_cpu_flag; i++)
        if (cpu_flag_adds_registers(here->cpu_flag[i]) && !has_flag(there, here->cpu_flag[i]))
            list_flag(&excess, here->cpu_flag[i]);
    if (lacking.count > 0)
        verdict_refuse(verdict,
                       "the target's CPU lacks %s, which the process may use: choose "
                       "a target whose CPU has all that the source's has",
                       lacking.text);
    if (excess.count > 0)
        verdict_refuse(
            verdict,
            "the target's CPU has %s, whose registers take more room than the process reserves "
            "for saving them: choose a target of the same CPU generation",
            excess.text);
    return 0;
}

static int judge_machine(const CloneWire__HostFacts *there, const CloneWire__HostFacts *here,
                         struct verdict *verdict, struct failure *failure) {
    if (strcmp(there->architecture, here->architecture) != 0)
        return verdict_refuse(
            verdict,
            "the source is a %s machine and the target a %s: choose a target of the same "
            "architecture",
            there->architecture, here->architecture);
    if (there->page_size != here->page_size)
        verdict_refuse(verdict,
                       "memory pages have %" PRIu64 " bytes on the source and %" PRIu64
                       " on the target: choose a target with the same page size",
                       there->page_size, here->page_size);
    return judge_cpu(there, here, verdict, failure);
}

// --- ids and memory ---

static void judge_room(const CloneWire__Offer *offer, const struct verdict_target *target,
                       struct verdict *verdict) {
    if (target->policy->uid != offer->uid)
        verdict_refuse(verdict,
                       "the process is user %" PRIu32 "'s, and the target acts for user %u: run "
                       "pull as that user, or as root with --user",
                       offer->uid, (unsigned)target->policy->uid);
    if (target->pid_max != 0 && offer->highest_id >= target->pid_max)
        verdict_refuse(verdict,
                       "the process has ids up to %" PRIu32
                       ", and the target gives out none from %" PRIu32
                       " on: raise its kernel.pid_max",
                       offer->highest_id, target->pid_max);
    const CloneWire__HostFacts *here = target->host;
    // Once, not twice: the image is used up as it becomes the clone's memory.
    if (here->has_memory_available && (here->memory_available < HEADROOM ||
                                       here->memory_available - HEADROOM < offer->image_bytes))
        verdict_refuse(verdict,
                       "the process needs %" PRIu64 " MiB of memory and %llu MiB to spare, and the "
                       "target (its memory cgroup included) has %" PRIu64
                       " MiB: free some there, or "
                       "raise the cgroup's limit",
                       offer->image_bytes >> 20, HEADROOM >> 20, here->memory_available >> 20);
}

// --- what the images will be refused for ---

bool verdict_may_open(void *context, const char *path, int flags) {
    const CloneWire__Offer *offer = context;
    for (size_t i = 0; i < offer->n_file_set; i++)
        if (path_rest(offer->file_set[i], path) != NULL)
            return true;
    for (size_t i = 0; (flags & (O_ACCMODE | O_CREAT)) == O_RDONLY && i < offer->n_needed; i++)
        if (path_rest(offer->needed[i]->path, path) != NULL)
            return true;
    return false;
}

static void judge_claims(const CloneWire__Offer *offer, const struct verdict_target *target,
                         struct verdict *verdict) {
    for (size_t i = 0; i < offer->n_claim; i++) {
        const CloneWire__Claim *sent = offer->claim[i];
        struct claim claim = {.kind = (enum claim_kind)sent->kind, .text = sent->text};
        struct policy_reason reason = {.text = ""};
        for (size_t n = 0; n < sent->n_number && n < sizeof claim.numbers / sizeof *claim.numbers;
             n++)
            claim.numbers[n] = sent->number[n];
        if (!policy_allows(target->policy, target->caller, &claim, &reason))
            verdict_refuse(verdict, "%s", reason.text);
    }
}

// --- files ---

static int judge_missing(const CloneWire__Offer *offer, size_t index, struct verdict *verdict) {
    const CloneWire__FileFacts *wanted = offer->needed[index];
    // One library of an installation is of little use: the process will want the others later.
    if (wanted->has_build_id || wanted->executable_mapping)
        return verdict_refuse(
            verdict,
            "the target lacks %s: install the same there as on the source, or add the "
            "file to the file clone set (--file-set)",
            wanted->path);
    verdict->missing[verdict->missing_count++] = (uint32_t)index;
    return 0;
}

static bool same_bytes(const ProtobufCBinaryData *left, const ProtobufCBinaryData *right) {
    return left->len == right->len && memcmp(left->data, right->data, left->len) == 0;
}

// What CRIU will compare when it opens the file (size, mode, build id; criu/files-reg.c), and for
// files without a build id also the contents.
static const char *difference(const CloneWire__FileFacts *wanted,
                              const CloneWire__FileFacts *found) {
    if ((wanted->mode & S_IFMT) != (found->mode & S_IFMT))
        return "is of another type";
    if (!S_ISREG(wanted->mode))
        return NULL;
    if (wanted->has_build_id != found->has_build_id ||
        (wanted->has_build_id && !same_bytes(&wanted->build_id, &found->build_id)))
        return "is another build";
    if (wanted->size != found->size)
        return "has another size";
    if (wanted->has_content_hash && found->has_content_hash &&
        !same_bytes(&wanted->content_hash, &found->content_hash))
        return "has other contents";
    if (wanted->mode != found->mode)
        return "has other permissions";
    return NULL;
}

// What a link of the file clone set leads to may be another thing on another host: NodeManagers
// number by themselves what they localize. The clone then has the original's there, bound over the
// target's, which others go on seeing.
static bool may_be_covered(const CloneWire__FileFacts *wanted, const CloneWire__FileFacts *found) {
    return wanted->linked && !wanted->has_build_id && !wanted->executable_mapping &&
           S_ISREG(wanted->mode) && S_ISREG(found->mode);
}

// Size and mode alone don't tell one from another: two jobs' localized files may have one path, and
// one size. So what isn't known to be the same is sent, unless it is the system's: there nothing
// may be covered, and nobody localizes.
static bool is_unproved(const CloneWire__FileFacts *wanted, const CloneWire__FileFacts *found,
                        const struct verdict_target *target, void *context) {
    bool compared = wanted->has_content_hash && found->has_content_hash;
    return !compared && (target->may_cover == NULL || target->may_cover(context, wanted->path));
}

static int judge_file(const CloneWire__Offer *offer, size_t index,
                      const struct verdict_target *target, verdict_have *have, void *context,
                      struct verdict *verdict, struct failure *failure) {
    const CloneWire__FileFacts *wanted = offer->needed[index];
    if (!path_is_clean(wanted->path))
        return fail(failure, EXIT_TRANSFER, "the peer's offer has a path that none can have");
    CloneWire__FileFacts found;
    int result = have(context, wanted, &found, failure);
    if (result < 0)
        return -1;
    if (result == 1)
        return judge_missing(offer, index, verdict);
    const char *differs = difference(wanted, &found);
    bool covered = may_be_covered(wanted, &found);
    bool same = differs == NULL && !(covered && is_unproved(wanted, &found, target, context));
    facts_file_clear(&found);
    if (same)
        return 0;
    if (covered)
        return judge_missing(offer, index, verdict);
    return verdict_refuse(
        verdict,
        "the target's %s %s: install the same on both hosts, or add it to the file clone "
        "set (--file-set)",
        wanted->path, differs);
}

// It isn't sent like other missing files: it may be any directory, with anything in it.
static int judge_working_directory(const CloneWire__Offer *offer, verdict_have *have, void *context,
                                   struct verdict *verdict, struct failure *failure) {
    char *path = offer->working_directory;
    if (strcmp(path, "/") == 0)
        return 0;
    if (!path_is_clean(path))
        return fail(failure, EXIT_TRANSFER, "the peer's offer has a path that none can have");
    for (size_t i = 0; i < offer->n_file_set; i++)
        if (path_rest(offer->file_set[i], path) != NULL)
            return 0;
    CloneWire__FileFacts wanted = CLONE_WIRE__FILE_FACTS__INIT, found;
    wanted.path = path;
    wanted.mode = S_IFDIR;
    int result = have(context, &wanted, &found, failure);
    if (result < 0)
        return -1;
    bool is_there = result == 0 && S_ISDIR(found.mode);
    if (result == 0)
        facts_file_clear(&found);
    if (is_there)
        return 0;
    return verdict_refuse(
        verdict,
        "the process works in the directory %s, which the target lacks: make it there, "
        "or add it to the file clone set (--file-set)",
        path);
}

static int judge_files(const CloneWire__Offer *offer, const struct verdict_target *target,
                       verdict_have *have, void *context, struct verdict *verdict,
                       struct failure *failure) {
    verdict->missing = calloc(offer->n_needed + 1, sizeof *verdict->missing);
    if (verdict->missing == NULL)
        return out_of_memory(failure);
    for (size_t i = 0; i < offer->n_needed; i++) {
        // Each is looked at once, and may be long to read.
        if (i > 0 && strcmp(offer->needed[i - 1]->path, offer->needed[i]->path) >= 0)
            return fail(failure, EXIT_TRANSFER, "the peer's offer names files twice, or unsorted");
        if (judge_file(offer, i, target, have, context, verdict, failure) < 0)
            return -1;
    }
    return judge_working_directory(offer, have, context, verdict, failure);
}

int verdict_of(const CloneWire__Offer *offer, const struct verdict_target *target,
               verdict_have *have, void *context, struct verdict *verdict,
               struct failure *failure) {
    *verdict = (struct verdict){0};
    judge_versions(offer->host, target->host, verdict);
    judge_room(offer, target, verdict);
    judge_claims(offer, target, verdict);
    if (judge_machine(offer->host, target->host, verdict, failure) == 0 &&
        judge_files(offer, target, have, context, verdict, failure) == 0 &&
        (!verdict->incomplete || out_of_memory(failure) == 0))
        return 0;
    verdict_clear(verdict);
    return -1;
}

void verdict_clear(struct verdict *verdict) {
    texts_free(verdict->refusals, verdict->refusal_count);
    free(verdict->missing);
    *verdict = (struct verdict){0};
}
