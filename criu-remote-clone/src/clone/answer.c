// SPDX-License-Identifier: Apache-2.0
// Judging an offer: what the verdict needs of this host is read here, with the rights of the
// clone's user, and told to the peer.
#include "answer.h"

#include <fcntl.h>
#include <jansson.h>
#include <sys/stat.h>
#include <unistd.h>

#include "deadline.h"
#include "facts.h"
#include "memory.h"
#include "mount_point.h"
#include "offer.h"
#include "paths.h"
#include "printable.h"
#include "scope.h"

#define GROWTH_SLACK (1ull << 30) // logs grow, and files appear, between the offer and the freeze

// A peer names as many files as it likes, each as large as it likes.
static int check_patience(const struct answer_request *request, struct failure *failure) {
    if (await_readable(request->cancel_fd, 0))
        return fail(failure, EXIT_INTERRUPTED, "ended by a signal");
    if (now_ns() >= request->deadline_ns)
        return fail(failure, EXIT_DEADLINE,
                    "comparing the peer's files with ours took longer than the time limit");
    return 0;
}

static int have(void *context, const CloneWire__FileFacts *wanted, CloneWire__FileFacts *facts,
                struct failure *failure) {
    const struct answer_request *request = context;
    if (check_patience(request, failure) < 0)
        return -1;
    AUTO_FREE char *path = path_maps_resolve(request->maps, wanted->path, 0);
    if (path == NULL)
        return out_of_memory(failure);
    int result = facts_of_file(path, wanted->has_content_hash, facts, failure);
    // What another clone's copy is bound over is nothing of this host's.
    if (result != 0 || !mount_point_is_made(facts->mode, facts->size))
        return result;
    facts_file_clear(facts);
    return 1;
}

// Directories of this host's that a received copy may not cover: what we, CRIU and the hooks
// execute and read in the clone's mount namespace comes from there, possibly with more rights than
// the clone.
static bool is_covered(const char *path, const char *directory) {
    return path_rest(path, directory) != NULL || path_rest(directory, path) != NULL;
}

// Which of them `path` would cover, or NULL. `room` may hold the answer.
static const char *covered(const char *path, const struct criu *criu, char room[PATH_MAX]) {
    static const char *const directories[] = {"/bin",   "/boot", "/etc",  "/lib", "/lib32",
                                              "/lib64", "/proc", "/sbin", "/sys", "/usr"};
    for (size_t i = 0; i < sizeof directories / sizeof directories[0]; i++)
        if (is_covered(path, directories[i]))
            return directories[i];
    // PREFIX/bin/criu brings its libraries in PREFIX/lib.
    snprintf(room, PATH_MAX, "%s", criu->program);
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(room, '/');
        if (slash != NULL && slash != room)
            *slash = '\0';
    }
    if (is_covered(path, room))
        return room;
    ssize_t length = readlink("/proc/self/exe", room, PATH_MAX - 1);
    room[length > 0 ? length : 0] = '\0';
    return length > 0 && is_covered(path, room) ? room : NULL;
}

// Is it there, or can we make it? A mount point that is missing is made only after the freeze. What
// is there is looked for with the rights that were borrowed, and made with our own: access(2) goes
// by the real user.
static bool is_mountable(const char *path) {
    char above[PATH_MAX];
    struct stat status;
    snprintf(above, sizeof above, "%s", path);
    for (;;) {
        if (lstat(above, &status) == 0)
            return strcmp(above, path) == 0 || access(above, W_OK | X_OK) == 0;
        char *slash = strrchr(above, '/');
        if (errno != ENOENT || slash == NULL)
            return false;
        slash[slash == above ? 1 : 0] = '\0';
    }
}

// Of what is there: for a verdict's target.
static bool may_cover(void *context, const char *path) {
    const struct answer_request *request = context;
    struct failure ignored;
    char room[PATH_MAX];
    AUTO_FREE char *real = mount_point_real(path, &ignored);
    return real != NULL && is_mountable(real) && covered(path, request->criu, room) == NULL &&
           covered(real, request->criu, room) == NULL;
}

// `path` is the source's, `real` where that leads here.
static void judge_place(struct answer *answer, const char *path, const char *real,
                        const struct criu *criu) {
    char room[PATH_MAX];
    const char *ours = covered(path, criu, room);
    if (ours == NULL)
        ours = covered(real, criu, room);
    if (ours != NULL)
        verdict_refuse(&answer->verdict,
                       "the clone would bring its own %s, which belongs to the system here, as "
                       "%s does: have the process keep its files elsewhere, or install it on "
                       "the target",
                       path, ours);
    if (!is_mountable(real))
        verdict_refuse(&answer->verdict,
                       "the target has no %s that the process's user may see, and pull may not "
                       "make it: make it there, or run pull as root with --user",
                       path);
}

static int judge_mount_point(struct answer *answer, const char *path, const struct criu *criu,
                             struct failure *failure) {
    AUTO_FREE char *real = mount_point_real(path, failure);
    if (real != NULL)
        judge_place(answer, path, real, criu);
    else if (failure->code == EXIT_REFUSED)
        verdict_refuse(&answer->verdict, "%s", failure->text);
    else
        return -1;
    return 0;
}

// What received copies will be bound over.
static int judge_mount_points(struct answer *answer, const CloneWire__Offer *offer,
                              const struct criu *criu, struct failure *failure) {
    for (size_t i = 0; i < offer->n_file_set + answer->verdict.missing_count; i++) {
        const char *path =
            i < offer->n_file_set
                ? offer->file_set[i]
                : offer->needed[answer->verdict.missing[i - offer->n_file_set]]->path;
        if (judge_mount_point(answer, path, criu, failure) < 0)
            return -1;
    }
    return 0;
}

static void tell_caller(struct answer *answer, const struct policy *policy) {
    struct policy_caller *caller = &answer->caller;
    CloneWire__Caller *message = &answer->caller_message;
    clone_wire__caller__init(message);
    message->gid = policy->gid;
    message->group = (uint32_t *)(uintptr_t)policy->groups;
    message->n_group = policy->group_count;
    message->has_groups_replaced = message->groups_replaced = policy->groups_replaced;
    message->capabilities = caller->capabilities;
    message->login_uid = caller->login_uid;
    message->oom_score_adj = caller->oom_score_adj;
    message->nice = caller->nice;
    message->limit = caller->limits;
    message->n_limit = RLIM_NLIMITS;
    message->has_only_users_groups = message->only_users_groups = caller->only_users_groups;
    message->label = caller->label;
    answer->message.caller = message;
}

// With the rights of who restores: the answer tells the peer what is there, and what it is like.
static int judge_as_user(struct answer *answer, const struct answer_request *request,
                         struct failure *failure) {
    const struct identity *identity = request->identity;
    const struct policy policy = {.uid = identity->uid,
                                  .gid = identity->gid,
                                  .groups = identity->groups,
                                  .group_count = identity->group_count,
                                  .groups_replaced = identity->unprivileged,
                                  .may_open = verdict_may_open,
                                  .context = (void *)(uintptr_t)request->offer};
    policy_read_caller(&policy, &answer->caller);
    tell_caller(answer, &policy);
    struct verdict_target target = {.host = answer->host,
                                    .pid_max = facts_pid_max(),
                                    .policy = &policy,
                                    .caller = &answer->caller,
                                    .may_cover = may_cover};
    AUTO_RIGHTS own = {0};
    if (rights_borrow(identity, &own, failure) < 0)
        return -1;
    return verdict_of(request->offer, &target, have, (void *)(uintptr_t)request, &answer->verdict,
                      failure) < 0 ||
                   judge_mount_points(answer, request->offer, request->criu, failure) < 0
               ? -1
               : 0;
}

int answer_make(struct answer *answer, const struct answer_request *request,
                struct failure *failure) {
    const CloneWire__Offer *offer = request->offer;
    *answer = (struct answer){0};
    CloneWire__Answer *message = &answer->message;
    clone_wire__answer__init(message);
    // 0 and 1 would be waited for without end: no process of an image has such a number.
    if (offer->pid < 2)
        return fail(failure, EXIT_TRANSFER, "the peer offers no process");
    answer->host = facts_of_host(request->criu->version, failure);
    if (answer->host == NULL || judge_as_user(answer, request, failure) < 0)
        return -1;
    message->refusal = answer->verdict.refusals;
    message->n_refusal = answer->verdict.refusal_count;
    message->missing = answer->verdict.missing;
    message->n_missing = answer->verdict.missing_count;
    message->has_probe_only = true;
    message->probe_only = request->probe_only;
    answer->missing_paths = calloc(message->n_missing + 1, sizeof(char *));
    if (answer->missing_paths == NULL)
        return out_of_memory(failure);
    for (size_t i = 0; i < message->n_missing; i++)
        answer->missing_paths[i] = offer->needed[message->missing[i]]->path;
    return 0;
}

void answer_clear(struct answer *answer) {
    if (answer->host != NULL)
        clone_wire__host_facts__free_unpacked(answer->host, NULL);
    verdict_clear(&answer->verdict);
    free(answer->missing_paths);
    *answer = (struct answer){0};
}

int answer_refusal(const struct answer *answer, const CloneWire__Offer *offer,
                   struct failure *failure) {
    return offer_refusal(offer, &answer->message, failure);
}

uint64_t answer_file_limit(const CloneWire__Offer *offer) {
    uint64_t bytes = offer->file_set_bytes;
    for (size_t i = 0; i < offer->n_needed; i++)
        if (offer->needed[i]->size < UINT64_MAX / 4 - bytes)
            bytes += offer->needed[i]->size;
    // A file may come twice: early, and again as it was in the freeze.
    return bytes > UINT64_MAX / 4 ? UINT64_MAX / 2 : 2 * bytes + GROWTH_SLACK;
}

static json_t *verdict_json(const struct answer *answer, const CloneWire__Offer *offer) {
    json_t *refusals = json_array();
    for (size_t i = 0; i < offer->n_refusal; i++)
        json_array_append_new(refusals, json_printable(offer->refusal[i]));
    for (size_t i = 0; i < answer->message.n_refusal; i++)
        json_array_append_new(refusals, json_printable(answer->message.refusal[i]));
    return json_pack(
        "{s:o, s:o, s:i, s:I, s:I, s:I, s:o}", "source", json_printable(offer->host->host_name),
        "target", json_printable(answer->host->host_name), "pid", (int)offer->pid, "image_bytes",
        (json_int_t)offer->image_bytes, "file_set_bytes", (json_int_t)offer->file_set_bytes,
        "files_to_send", (json_int_t)answer->message.n_missing, "refusals", refusals);
}

static void print_text(const json_t *verdict, const struct answer *answer,
                       const CloneWire__Offer *offer, bool fits) {
    const char *target = json_string_value(json_object_get(verdict, "target"));
    json_t *command = json_printable(offer->command);
    printf("%s on %s: %.1f MB of memory, %.1f MB of files, %zu files %s lacks\n",
           json_string_value(command), json_string_value(json_object_get(verdict, "source")),
           (double)offer->image_bytes / 1e6, (double)offer->file_set_bytes / 1e6,
           answer->message.n_missing, target);
    json_decref(command);
    const json_t *refusals = json_object_get(verdict, "refusals");
    for (size_t i = 0; i < json_array_size(refusals); i++)
        printf("  fail  %s\n", json_string_value(json_array_get(refusals, i)));
    if (fits)
        printf("  pass  it can be cloned to %s\n", target);
}

int answer_print(const struct answer *answer, const CloneWire__Offer *offer, bool json,
                 struct failure *failure) {
    size_t count = offer->n_refusal + answer->message.n_refusal;
    json_t *verdict = verdict_json(answer, offer);
    if (verdict == NULL)
        return out_of_memory(failure);
    if (json) {
        json_dumpf(verdict, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
        putchar('\n');
    } else {
        print_text(verdict, answer, offer, count == 0);
    }
    json_decref(verdict);
    return count == 0 ? 0
                      : fail(failure, EXIT_REFUSED,
                             "this pair of hosts can't clone it (%zu reasons)", count);
}
