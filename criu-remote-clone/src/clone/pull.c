// SPDX-License-Identifier: Apache-2.0
// The target's end of one clone, in the order of docs/internals/remote-clone.md. The main thread
// takes item after item from the wire and passes each on to where it belongs:
//
//   peer --> wire's threads --> files -------------> receiver --> disk
//                           --> small images ------> replay, looked at by restorable
//                           --> memory ------------> replay --pipe--> CRIU --> the clone's pages
//
//   CRIU is a child of process 1 of the clone's namespaces (namespace_init), which takes orders
//   from here and dies with us, and all of the clone with it. Memory is lent to CRIU's pipe, not
//   copied: items go back to the wire when CRIU has read them. The session's watch cuts all of it
//   when a signal comes or the time is up; two keepers, processes, clean up if we are killed.
#include "pull.h"

#include <signal.h>
#include <sodium.h>
#include <unistd.h>

#include "answer.h"
#include "clone_wire.pb-c.h"
#include "deadline.h"
#include "fault.h"
#include "fileset.h"
#include "image.h"
#include "link_sample.h"
#include "namespace_init.h"
#include "ramdisk.h"
#include "replay.h"
#include "restorable.h"
#include "secret.h"
#include "session.h"
#include "streamer.h"

#define SOCKET_DISK_BYTES (16ull << 20) // CRIU's sockets, statistics and messages
#define LOANS_MAX 6 // items; the connection goes on with the other two thirds of its read-ahead
#define CRIU_PROBE_MS 2000 // of the kernel: usually 50
#define SMALL_IMAGES_MAX (1ull << 30)
#define IMAGES_MAX (1u << 15) // there is one of each thread, and some of each process
#define LAST_WORDS_MS 1000

// What may come next.
enum stage {
    STAGE_EARLY_FILES,
    STAGE_FREEZE,
    STAGE_FILES,
    STAGE_IMAGES, // the small ones: CRIU hasn't begun yet
    STAGE_MEMORY,
};

// The image that is coming in.
struct incoming {
    char name[STREAMER_NAME_MAX + 1];
    bool open, memory;
    struct secret small; // its bytes, unless it is memory
    uint64_t length, announced;
};

// Memory that CRIU was fed and may not have read yet, oldest first.
struct loans {
    struct wire_item items[LOANS_MAX];
    size_t count;
    uint64_t bytes;
};

struct pull {
    const struct options *options;
    struct session session;
    struct keeper *file_keeper; // what was received: kept once the clone runs
    struct identity identity;
    struct ramdisk disk;
    struct namespace_init *init;
    struct path_maps maps;
    CloneWire__Offer *offer;
    struct answer answer;
    struct receiver *receiver;
    struct replay *replay;
    struct incoming incoming;
    struct loans loans;
    struct restorable restorable;
    enum stage stage;
    int64_t patience_ns; // the process must be frozen by then
    bool criu_started;
    bool criu_runs;
    uint64_t image_bytes, small_bytes, memory_bytes; // memory: as announced
    unsigned images;
    unsigned samples; // of the link
};

// --- before the freeze ---

// Unmapped files go to a directory of this clone's own.
static int choose_directory(struct pull *pull, struct failure *failure) {
    pull->maps = pull->options->maps;
    char here[4096];
    if (pull->options->directory != NULL)
        pull->maps.base = strdup(pull->options->directory);
    else if (getcwd(here, sizeof here) == NULL ||
             asprintf(&pull->maps.base, "%s/clone-%d", here, (int)getpid()) < 0)
        return fail_errno(failure, EXIT_USAGE, "there is no working directory: use --dir");
    return 0;
}

static int connect_and_judge(struct pull *pull, bool probe_only, struct failure *failure) {
    const struct options *options = pull->options;
    struct session *session = &pull->session;
    uint8_t key[WIRE_KEY_BYTES];
    if (options_read_key(options, key, failure) < 0)
        return -1;
    struct wire_options wire = session_wire_options(session);
    report_begin(&session->report, PHASE_HANDSHAKE);
    session->wire =
        wire_connect(options->host, options->port, key, &wire, session->signal_fd,
                     sooner(deadline_in_ms(options->wait_ms), pull->patience_ns), failure);
    sodium_memzero(key, sizeof key);
    if (session->wire == NULL)
        return -1;
    wire_peer_name(session->wire, session->peer);
    if (session_connected(session, failure) < 0 || fault_here(FAULT_PULL_CONNECTED, failure) < 0)
        return -1;
    session->deadline_ns = sooner(session->limit_ns, pull->patience_ns);
    pull->offer = (CloneWire__Offer *)session_expect(session, WIRE_OFFER,
                                                     &clone_wire__offer__descriptor, failure);
    struct answer_request request = {.offer = pull->offer,
                                     .criu = &session->criu,
                                     .maps = &pull->maps,
                                     .identity = &pull->identity,
                                     .probe_only = probe_only,
                                     .deadline_ns = session->deadline_ns,
                                     .cancel_fd = session->signal_fd};
    if (pull->offer == NULL || fault_here(FAULT_PULL_OFFERED, failure) < 0 ||
        answer_make(&pull->answer, &request, failure) < 0 ||
        wire_send(session->wire, WIRE_ANSWER, &pull->answer.message.base, failure) < 0)
        return -1;
    report_end(&session->report, PHASE_HANDSHAKE);
    return 0;
}

static int prepare_replay(struct pull *pull, struct failure *failure) {
    struct clone_clocks criu_sets_them = {0};
    if (replay_listen(pull->replay, pull->disk.path, failure) < 0 ||
        (!pull->identity.unprivileged &&
         namespace_init_stand_by(pull->init, pull->offer->highest_id, &criu_sets_them, failure) <
             0))
        return -1;
    pull->criu_started = !pull->identity.unprivileged;
    return 0;
}

static int prepare(struct pull *pull, struct failure *failure) {
    struct session *session = &pull->session;
    const CloneWire__Offer *offer = pull->offer;
    if (answer_refusal(&pull->answer, offer, failure) < 0 ||
        session_check_image(session, offer->image_bytes, failure) < 0)
        return -1;
    // What counts against the host's limit is the clone's memory: the image passes through.
    session->lease = lease_acquire(&pull->options->limits, offer->image_bytes, session->signal_fd,
                                   session->deadline_ns, failure);
    if (session->lease == NULL)
        return -1;
    struct receiver_plan plan = {.maps = &pull->maps,
                                 .roots = offer->file_set,
                                 .root_count = offer->n_file_set,
                                 .extra = pull->answer.missing_paths,
                                 .extra_count = pull->answer.message.n_missing,
                                 .uid = pull->identity.uid,
                                 .gid = pull->identity.gid,
                                 .limit_bytes = answer_file_limit(offer),
                                 .keep_free = pull->options->keep_free};
    pull->receiver = receiver_open(&plan, pull->file_keeper, failure);
    pull->replay = pull->receiver == NULL ? NULL : replay_open(failure);
    if (pull->replay == NULL || prepare_replay(pull, failure) < 0)
        return -1;
    return fault_here(FAULT_PULL_ANSWERED, failure);
}

// --- images ---

static uint64_t host_memory(void) {
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
}

// The policy sees no memory, which comes after it.
static bool is_memory_name(const char *name) {
    const char *kind;
    uint32_t number;
    return image_name(name, &kind, &number) == 0 && strcmp(kind, "pages") == 0;
}

// Before CRIU begins everything small must be there, and be looked at; after it, nothing small may
// come any more.
static int check_image(const struct pull *pull, const CloneWire__ImageBegin *begin,
                       struct failure *failure) {
    size_t length = begin == NULL ? 0 : strlen(begin->name);
    if (length == 0 || length > STREAMER_NAME_MAX || strchr(begin->name, '/') != NULL ||
        pull->incoming.open || pull->stage < STAGE_FILES ||
        (begin->memory && !is_memory_name(begin->name)) ||
        (!begin->memory && pull->stage == STAGE_MEMORY))
        return fail(failure, EXIT_TRANSFER, "the peer sent an image that is none, or out of turn");
    if (pull->images >= IMAGES_MAX)
        return fail(failure, EXIT_TRANSFER, "the peer sent more than %u images", IMAGES_MAX);
    if (!begin->memory && begin->bytes > SMALL_IMAGES_MAX - pull->small_bytes)
        return fail(failure, EXIT_TRANSFER,
                    "the peer sent more than %llu MiB of images besides the memory",
                    SMALL_IMAGES_MAX >> 20);
    return 0;
}

static int image_begin(struct pull *pull, const struct wire_item *item, struct failure *failure) {
    struct incoming *incoming = &pull->incoming;
    CloneWire__ImageBegin *begin = clone_wire__image_begin__unpack(NULL, item->length, item->bytes);
    int result = check_image(pull, begin, failure);
    if (result == 0) {
        strcpy(incoming->name, begin->name);
        incoming->memory = begin->memory;
        incoming->announced = begin->bytes;
        incoming->length = incoming->small.length = 0;
        incoming->open = true;
        pull->images++;
    }
    if (begin != NULL)
        clone_wire__image_begin__free_unpacked(begin, NULL);
    return result;
}

static int small_data(struct incoming *incoming, const struct wire_item *item,
                      struct failure *failure) {
    struct secret *small = &incoming->small;
    if (secret_make_room(small, item->length, failure) < 0)
        return -1;
    memcpy(small->bytes + small->length, item->bytes, item->length);
    small->length += item->length;
    return 0;
}

static void take_back(struct loans *loans, size_t count) {
    for (size_t i = 0; i < count; i++) {
        loans->bytes -= loans->items[i].length;
        wire_item_release(&loans->items[i]);
    }
    loans->count -= count;
    memmove(loans->items, loans->items + count, loans->count * sizeof loans->items[0]);
}

// Feeds CRIU with the item, which is ours from here on.
static int lend(struct pull *pull, struct wire_item *item, struct failure *failure) {
    struct loans *loans = &pull->loans;
    const char *name = pull->incoming.name;
    int64_t deadline = pull->session.deadline_ns;
    if (loans->count == LOANS_MAX) {
        if (replay_await_read(pull->replay, name, loans->bytes - loans->items[0].length, deadline,
                              failure) < 0)
            return -1;
        take_back(loans, 1);
    }
    if (replay_feed(pull->replay, name, item->bytes, item->length, deadline, failure) < 0)
        return -1;
    loans->items[loans->count++] = *item;
    loans->bytes += item->length;
    item->internal = NULL;
    return 0;
}

static int image_data(struct pull *pull, struct wire_item *item, struct failure *failure) {
    struct incoming *incoming = &pull->incoming;
    if (incoming->length + item->length > incoming->announced)
        return fail(failure, EXIT_TRANSFER, "image %s is longer than announced", incoming->name);
    int result = incoming->memory ? lend(pull, item, failure) : small_data(incoming, item, failure);
    incoming->length += item->length; // a lent one's length is still told
    return result < 0 ? -1 : incoming->memory ? fault_here(FAULT_PULL_FEEDING, failure) : 0;
}

static int memory_end(struct pull *pull, struct failure *failure) {
    if (replay_feed_end(pull->replay, pull->incoming.name, pull->session.deadline_ns, failure) < 0)
        return -1;
    take_back(&pull->loans, pull->loans.count);
    return 0;
}

// That its bytes are the sender's, the wire has seen to.
static int image_end(struct pull *pull, struct failure *failure) {
    struct incoming *incoming = &pull->incoming;
    if (!incoming->open)
        return fail(failure, EXIT_TRANSFER, "the peer ended an image that it hadn't begun");
    if (incoming->length < incoming->announced)
        return fail(failure, EXIT_TRANSFER, "image %s is shorter than announced", incoming->name);
    incoming->open = false;
    pull->image_bytes += incoming->length;
    pull->small_bytes += incoming->memory ? 0 : incoming->length;
    if (incoming->memory)
        return memory_end(pull, failure);
    return replay_add(pull->replay, incoming->name, incoming->small.bytes, incoming->small.length,
                      failure);
}

// --- the restore ---

// From here on the memory passes through CRIU.
static int let_criu_begin(struct pull *pull, struct failure *failure) {
    if ((pull->identity.unprivileged &&
         namespace_init_stand_by(pull->init, pull->offer->highest_id, &pull->restorable.clocks,
                                 failure) < 0) ||
        namespace_init_keep(pull->init, pull->session.keeper, failure) < 0 ||
        namespace_init_restore(pull->init, (pid_t)pull->offer->pid, failure) < 0)
        return -1;
    pull->criu_started = pull->criu_runs = true;
    return replay_begin(pull->replay, namespace_init_ended_fd(pull->init), failure);
}

// Everything but the memory is there: looks at it, makes the namespace fit, lets CRIU begin.
static int begin_restore(struct pull *pull, struct failure *failure) {
    struct session *session = &pull->session;
    pull->stage = STAGE_MEMORY;
    if (receiver_finish(pull->receiver, failure) < 0 || fault_here(FAULT_PULL_IMAGES, failure) < 0)
        return -1;
    pull->restorable = (struct restorable){.offer = pull->offer,
                                           .maps = &pull->maps,
                                           .renames = pull->options->renames,
                                           .rename_count = pull->options->rename_count,
                                           .identity = &pull->identity,
                                           .receiver = pull->receiver};
    pull->restorable.received_count = receiver_binds(pull->receiver, &pull->restorable.received);
    report_begin(&session->report, PHASE_RESTORE);
    if (restorable_make(&pull->restorable, pull->replay, failure) < 0 ||
        namespace_init_mount(pull->init, pull->restorable.binds, pull->restorable.bind_count,
                             session->keeper, failure) < 0 ||
        fault_here(FAULT_PULL_MOUNTED, failure) < 0 ||
        // Only now: what is listed later is undone earlier, under the eyes of a clone that still
        // lives.
        namespace_init_keep(pull->init, pull->file_keeper, failure) < 0)
        return -1;
    return let_criu_begin(pull, failure);
}

// From here the files are the clone's.
static void give_files(struct pull *pull) {
    keeper_dismiss(pull->file_keeper);
    pull->file_keeper = NULL;
}

static void take_files_back(struct pull *pull) {
    receiver_put_back(pull->receiver);
    keeper_finish(pull->file_keeper);
}

static int finish_restore(struct pull *pull, struct failure *failure) {
    struct session *session = &pull->session;
    if (pull->stage != STAGE_MEMORY || pull->incoming.open)
        return fail(failure, EXIT_TRANSFER, "the peer didn't send the whole memory");
    replay_complete(pull->replay);
    report_end(&session->report, PHASE_TRANSFER);
    if (fault_here(FAULT_PULL_COMMITTED, failure) < 0)
        return -1;
    pull->criu_runs = false;
    // From session_commit() on signals are the clone's.
    if (namespace_init_restored(pull->init, session->deadline_ns, failure) < 0 ||
        fault_here(FAULT_PULL_RESTORED, failure) < 0 || session_commit(session, failure) < 0 ||
        namespace_init_continue(pull->init, failure) < 0 ||
        namespace_init_hook(pull->init, pull->options->resume_hook, pull->options->hook_timeout_ms,
                            failure) < 0 ||
        fault_here(FAULT_PULL_CONTINUED, failure) < 0)
        return -1;
    report_end(&session->report, PHASE_RESTORE);
    give_files(pull);
    CloneWire__Running running = CLONE_WIRE__RUNNING__INIT;
    running.restore_micros = (uint64_t)(session->report.milliseconds[PHASE_RESTORE] * 1000);
    struct failure ignored; // the clone runs, whether or not the peer can still be told
    if (wire_send(session->wire, WIRE_RUNNING, &running.base, &ignored) == 0)
        wire_finish(session->wire, deadline_in_ms(LAST_WORDS_MS), &ignored);
    return 0;
}

// --- the stream ---

static int take_frozen(struct pull *pull, const struct wire_item *item, struct failure *failure) {
    struct session *session = &pull->session;
    CloneWire__Frozen *frozen = clone_wire__frozen__unpack(NULL, item->length, item->bytes);
    if (frozen == NULL)
        return fail(failure, EXIT_TRANSFER, "the peer's message about the freeze is broken");
    session->report.milliseconds[PHASE_FREEZE] = (double)frozen->freeze_micros / 1000;
    clone_wire__frozen__free_unpacked(frozen, NULL);
    report_begin(&session->report, PHASE_TRANSFER);
    pull->stage = STAGE_FILES;
    session->deadline_ns = session->limit_ns; // the waiting is over
    return fault_here(FAULT_PULL_FILES, failure);
}

// The early files are all there when the first one comes.
static int take_sample(struct pull *pull, const struct wire_item *item, struct failure *failure) {
    if (pull->samples == 0)
        report_end(&pull->session.report, PHASE_PRECOPY);
    return link_answer(pull->session.wire, item, &pull->samples, failure);
}

static int take_files_ready(struct pull *pull, struct failure *failure) {
    if (pull->samples == 0)
        report_end(&pull->session.report, PHASE_PRECOPY);
    pull->stage = STAGE_FREEZE;
    if (fault_here(FAULT_PULL_PRECOPIED, failure) < 0)
        return -1;
    return wire_send(pull->session.wire, WIRE_FILES_READY, NULL, failure);
}

// A process may have grown since it was offered, up to this side's limits.
static int memory_begin(struct pull *pull, struct failure *failure) {
    const struct incoming *incoming = &pull->incoming;
    if (incoming->announced > host_memory() - pull->memory_bytes)
        return fail(failure, EXIT_SPACE, "image %s is larger than this host's memory",
                    incoming->name);
    pull->memory_bytes += incoming->announced;
    if (session_check_image(&pull->session, pull->memory_bytes, failure) < 0 ||
        (pull->memory_bytes > pull->offer->image_bytes &&
         lease_resize(pull->session.lease, pull->memory_bytes, failure) < 0))
        return -1;
    return 0;
}

static int take_image(struct pull *pull, const struct wire_item *item, struct failure *failure) {
    if (image_begin(pull, item, failure) < 0)
        return -1;
    if (pull->incoming.memory && pull->stage != STAGE_MEMORY && begin_restore(pull, failure) < 0)
        return -1;
    if (pull->stage == STAGE_FILES)
        pull->stage = STAGE_IMAGES;
    return pull->incoming.memory ? memory_begin(pull, failure) : 0;
}

static int take_item(struct pull *pull, struct wire_item *item, struct failure *failure) {
    bool files = pull->stage == STAGE_EARLY_FILES || pull->stage == STAGE_FILES;
    if (item->is_data && pull->incoming.open)
        return image_data(pull, item, failure);
    if (files && (item->is_data || item->type == WIRE_FILE_BEGIN || item->type == WIRE_FILE_END ||
                  item->type == WIRE_FILE_GONE))
        return receiver_take(pull->receiver, item, failure);
    if (!item->is_data && item->type == WIRE_SAMPLE && pull->stage == STAGE_EARLY_FILES)
        return take_sample(pull, item, failure);
    if (!item->is_data && item->type == WIRE_FILES_READY && pull->stage == STAGE_EARLY_FILES)
        return take_files_ready(pull, failure);
    if (!item->is_data && item->type == WIRE_FROZEN && pull->stage == STAGE_FREEZE)
        return take_frozen(pull, item, failure);
    if (!item->is_data && item->type == WIRE_IMAGE_BEGIN)
        return take_image(pull, item, failure);
    if (!item->is_data && item->type == WIRE_IMAGE_END)
        return image_end(pull, failure);
    return fail(failure, EXIT_TRANSFER, "the peer sent something out of turn");
}

static int take_stream(struct pull *pull, struct failure *failure) {
    struct session *session = &pull->session;
    report_begin(&session->report, PHASE_PRECOPY);
    for (;;) {
        struct wire_item item;
        int got = session_next(session, &item, failure);
        if (got < 0)
            return -1;
        if (got == 0)
            return fail(failure, EXIT_TRANSFER,
                        "the peer ended the stream before the clone was whole");
        bool commit = !item.is_data && item.type == WIRE_COMMIT;
        int result = commit ? 0 : take_item(pull, &item, failure);
        wire_item_release(&item);
        if (result < 0)
            return -1;
        if (commit)
            return finish_restore(pull, failure);
    }
}

// --- the whole ---

static void stop_clone(void *context) {
    struct pull *pull = context;
    namespace_init_stop(pull->init);
}

static int open_disk(struct pull *pull, struct failure *failure) {
    if (ramdisk_open(&pull->disk, SOCKET_DISK_BYTES, false, pull->session.keeper, failure) < 0)
        return -1;
    return ramdisk_give(&pull->disk, &pull->identity, failure);
}

static int pull_clone(struct pull *pull, struct failure *failure) {
    struct session *session = &pull->session;
    if (fault_here(FAULT_PULL_STARTED, failure) < 0 || session_find_criu(session, failure) < 0 ||
        identity_find(&pull->identity, pull->options->user, failure) < 0 ||
        choose_directory(pull, failure) < 0 || open_disk(pull, failure) < 0)
        return -1;
    // A fork, so before the connection's threads.
    pull->init = namespace_init_start(&session->criu, &pull->identity, pull->disk.dir_fd, failure);
    if (pull->init == NULL || connect_and_judge(pull, false, failure) < 0 ||
        session_watch(session, stop_clone, pull, failure) < 0 || prepare(pull, failure) < 0)
        return -1;
    int result = take_stream(pull, failure);
    // Serve's own reason, if it had one, is the better one.
    if (result < 0 && failure->code == EXIT_DEADLINE && session->deadline_ns < session->limit_ns &&
        now_ns() >= pull->patience_ns && strncmp(failure->text, "peer: ", 6) != 0)
        fail(failure, EXIT_DEADLINE, "the process wasn't frozen within the patience of %.1f s",
             pull->options->patience_ms / 1000.0);
    if (result < 0 && pull->criu_runs && failure->code == EXIT_RESTORE)
        namespace_init_explain(pull->init, failure);
    return result;
}

static struct pull new_pull(const struct options *options) {
    return (struct pull){.options = options,
                         .patience_ns = deadline_in_ms(options->patience_ms),
                         .disk = {.dir_fd = -1}};
}

static void release(struct pull *pull) {
    replay_close(pull->replay);
    receiver_close(pull->receiver);
    restorable_clear(&pull->restorable);
    answer_clear(&pull->answer);
    if (pull->offer != NULL)
        clone_wire__offer__free_unpacked(pull->offer, NULL);
    secret_free(&pull->incoming.small);
    free(pull->maps.base);
    ramdisk_close(&pull->disk);
}

// No clone: the caller still gets a running process, in our place, unless he ended us himself.
static int fall_back(const struct session *session, int code) {
    const struct options *options = session->options;
    if (options->command == NULL || session->ended_by_signal)
        return code;
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &session->old_signals, NULL);
    execvp(options->command[0], options->command);
    fprintf(stderr, "criu-remote-clone pull: can't run %s instead of the clone: %s\n",
            options->command[0], strerror(errno));
    return errno == ENOENT ? 127 : 126; // as a shell would
}

// Waits until CRIU has come for its images, or has ended.
static void await_criu(const struct pull *pull) {
    if (!pull->criu_started)
        return; // perhaps there is no init either
    replay_await_criu(pull->replay, namespace_init_ended_fd(pull->init), CRIU_PROBE_MS);
}

int pull_main(const struct options *options) {
    struct pull pull = new_pull(options);
    struct session *session = &pull.session;
    struct failure failure;
    if (session_start(session, "pull", options, &failure) < 0)
        return fall_back(session, session_failed_to_start(&failure));
    pull.file_keeper = keeper_start(&failure);
    int result = pull.file_keeper == NULL ? -1 : pull_clone(&pull, &failure);

    struct report_totals totals = {.image_bytes = pull.image_bytes};
    if (pull.offer != NULL)
        totals.pid = (int)pull.offer->pid;
    if (pull.receiver != NULL)
        totals.files.early_bytes = receiver_bytes(pull.receiver);
    if (result < 0) {
        session_unlimited(session);
        await_criu(&pull);
        namespace_init_stop(pull.init);
        session_explain(session, &failure);
        take_back(&pull.loans, pull.loans.count); // whoever reads them will not live
        session_close_wire(session, &totals);
        namespace_init_kill(pull.init);
        take_files_back(&pull);
        release(&pull);
        return fall_back(session, session_finish(session, &failure, &totals));
    }
    session_close_wire(session, &totals);
    release(&pull);
    session_running(session, &totals);
    int code = namespace_init_wait(pull.init, session->signal_fd);
    session_end(session);
    return code;
}

int pull_probe(const struct options *options) {
    struct pull pull = new_pull(options);
    struct session *session = &pull.session;
    struct failure failure;
    if (session_start(session, "check", options, &failure) < 0)
        return session_failed_to_start(&failure);
    int result = criu_find(&session->criu, options->criu, &failure) < 0 ||
                         identity_find(&pull.identity, options->user, &failure) < 0 ||
                         choose_directory(&pull, &failure) < 0 ||
                         connect_and_judge(&pull, true, &failure) < 0
                     ? -1
                     : 0;
    struct failure ignored; // to close now might take the answer back, and end the waiting serve
    if (result == 0) {
        wire_finish(session->wire, deadline_in_ms(LAST_WORDS_MS), &ignored);
        result = answer_print(&pull.answer, pull.offer, options->json, &failure);
    }
    if (result < 0)
        fprintf(stderr, "criu-remote-clone check: %s\n", failure.text);
    struct report_totals totals = {0};
    session_close_wire(session, &totals);
    release(&pull);
    session_end(session);
    return result < 0 ? (int)failure.code : EXIT_DONE;
}
