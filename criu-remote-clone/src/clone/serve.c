// SPDX-License-Identifier: Apache-2.0
// The source's end of one clone, in the order of docs/internals/remote-clone.md. The main thread
// goes through the steps; what works beside it, and what flows where:
//
//   process --pages--> CRIU --pipe--> capture's threads --> RAM disk --> wire's threads --> peer
//   process's files ---------------> fileset -----------------------/
//
//   criu_dump() calls back into this file: before_freeze() while CRIU waits to begin (the hooks
//   run, memory is taken), while_frozen() once it holds all pages (capture is drained, files are
//   fixed). The session's watch cuts all of it when a signal comes or the time is up; the keeper, a
//   process, opens the original's gate if we are killed.
#include "serve.h"

#include <fcntl.h>
#include <sched.h>
#include <sodium.h>
#include <unistd.h>

#include "capture.h"
#include "clone_wire.pb-c.h"
#include "criu.h"
#include "deadline.h"
#include "facts.h"
#include "fault.h"
#include "fileset.h"
#include "freeze_memory.h"
#include "hook.h"
#include "keeper.h"
#include "lease.h"
#include "link_sample.h"
#include "memory.h"
#include "offer.h"
#include "original.h"
#include "process_tree.h"
#include "ramdisk.h"
#include "report.h"
#include "session.h"
#include "wire.h"

#define COPIERS_MAX 3
#define IMAGE_SLACK (64ull << 20) // small images, growth between the estimate and the freeze

struct serve {
    const struct options *options;
    struct session session;
    struct original original;
    struct process_facts process;
    bool have_process;
    struct identity identity;  // CRIU's
    struct criu_standby *criu; // NULL: none waits
    char **roots;              // of the file clone set
    size_t root_count;
    struct offer offer;
    CloneWire__Answer *answer;
    struct fileset *files;
    struct ramdisk disk;
    struct capture *capture;
    int resume_entry; // the keeper's: run the resume hook if we are killed
    bool resume_due;  // a hook was begun
    bool let_go;      // CRIU was: it may have left the original stopped
    uint64_t image_bytes;
    uint64_t link_bytes_per_ms; // 0: not known
};

// --- before the freeze ---

// The port file appears whole or not at all: whoever waits for it reads a port.
static int write_port_file(const char *path, uint16_t port, struct failure *failure) {
    char temporary[4096];
    snprintf(temporary, sizeof temporary, "%s.%d", path, (int)getpid());
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0)
        return fail_errno(failure, EXIT_USAGE, "can't write the port to %s", path);
    bool written = dprintf(file, "%u\n", port) > 0;
    if (close(file) == 0 && written && rename(temporary, path) == 0)
        return 0;
    fail_errno(failure, EXIT_USAGE, "can't write the port to %s", path);
    unlink(temporary);
    return -1;
}

static int listen_for_peer(struct serve *serve, struct failure *failure) {
    const struct options *options = serve->options;
    uint16_t port;
    int listener =
        wire_listen(options->bind_address, options->first_port, options->last_port, &port, failure);
    if (listener < 0)
        return -1;
    if (options->port_file != NULL && write_port_file(options->port_file, port, failure) < 0) {
        close(listener);
        return -1;
    }
    report_event(&serve->session.report, "listening", "waiting on port %u to clone process %d",
                 port, (int)options->pid);
    return listener;
}

static void add_root(struct serve *serve, char *path) {
    must_grow(&serve->roots, serve->root_count, sizeof *serve->roots);
    serve->roots[serve->root_count++] = path;
}

// The file clone set: what the caller names, and what the process has open for writing.
static void find_roots(struct serve *serve) {
    const struct options *options = serve->options;
    const struct process_facts *process = &serve->process;
    free(serve->roots);
    serve->roots = NULL;
    serve->root_count = 0;
    for (size_t i = 0; i < options->file_set_count; i++)
        add_root(serve, options->file_set[i]);
    for (size_t i = 0; i < process->fd_count; i++) {
        const struct fd_facts *fd = &process->fds[i];
        bool written = fd->kind == FD_REGULAR && !fd->deleted &&
                       (fd->flags & O_ACCMODE) != O_RDONLY && fd->target[0] == '/';
        if (written)
            add_root(serve, fd->target);
    }
}

static unsigned copiers(void) {
    cpu_set_t processors;
    int count =
        sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : 1;
    return count > COPIERS_MAX ? COPIERS_MAX : count > 1 ? (unsigned)count : 1;
}

static bool has_hooks(const struct options *options) {
    return options->settle_hook != NULL || options->quiesce_hook != NULL;
}

// Looks whether there is memory enough for the process as it is, takes a lease and starts CRIU,
// which gets ready while the target makes up its mind and files travel. The memory itself is taken
// after the first hook: only then is it known how much the process gave back.
static int stand_by(struct serve *serve, struct failure *failure) {
    struct session *session = &serve->session;
    uint64_t expected = serve->offer.message.image_bytes;
    uint64_t limit = expected + expected / 8 + IMAGE_SLACK;
    uint64_t allowed = serve->options->ram_limit;
    if (session_check_image(session, expected, failure) < 0)
        return -1;
    if (allowed > 0 && limit > allowed)
        limit = allowed;
    const CloneWire__HostFacts *host = serve->offer.host;
    // RAM disk pages count against our own memory cgroup: better a refusal than the OOM killer.
    if (host->has_memory_available && expected > host->memory_available)
        return fail(failure, EXIT_SPACE,
                    "imaging the process takes %llu MiB of memory, but only %llu MiB are available "
                    "to serve: free some, or raise its memory cgroup's limit",
                    (unsigned long long)expected >> 20,
                    (unsigned long long)host->memory_available >> 20);
    struct lease_limits limits = serve->options->limits;
    limits.sending = true;
    criu_die_before_process();
    session->lease =
        lease_acquire(&limits, limit, session->signal_fd, session->deadline_ns, failure);
    if (session->lease == NULL ||
        ramdisk_open(&serve->disk, limit, true, session->keeper, failure) < 0 ||
        ramdisk_give(&serve->disk, &serve->identity, failure) < 0)
        return -1;
    serve->capture = capture_start(&serve->disk, serve->disk.path, limit, copiers(), failure);
    if (serve->capture == NULL)
        return -1;
    struct criu_target target = {.pid = serve->original.pid,
                                 .identity = &serve->identity,
                                 .socket_dir_fd = serve->disk.dir_fd,
                                 .freeze_timeout_ms = serve->options->freeze_timeout_ms,
                                 .max_freeze_ms = serve->options->max_freeze_ms};
    serve->criu = criu_stand_by(&session->criu, &target, session->keeper, failure);
    return serve->criu == NULL ? -1 : 0;
}

static void dismiss_criu(struct serve *serve) {
    criu_dismiss(serve->criu);
    serve->criu = NULL;
}

static void give_back(struct serve *serve) {
    dismiss_criu(serve);
    capture_close(serve->capture);
    serve->capture = NULL;
    ramdisk_close(&serve->disk);
    lease_release(serve->session.lease);
    serve->session.lease = NULL;
}

// Sends the offer and gets the answer. Returns 1 to go on, 0 when the peer was only asking, -1.
static int handshake(struct serve *serve, struct failure *failure) {
    struct session *session = &serve->session;
    report_begin(&session->report, PHASE_HANDSHAKE);
    if (serve->have_process)
        facts_free(&serve->process);
    serve->have_process = false;
    if (facts_of_process(serve->original.pid, &serve->process, failure) < 0)
        return -1;
    serve->have_process = true;
    if (original_is_there(&serve->original, failure) < 0)
        return -1;
    identity_for_image(&serve->identity, serve->original.pid);
    fileset_close(serve->files);
    serve->files = NULL;
    find_roots(serve);
    serve->files = fileset_scan(&serve->process, serve->roots, serve->root_count,
                                serve->options->file_set_count, failure);
    if (serve->files == NULL)
        return -1;
    offer_clear(&serve->offer);
    if (offer_make(&serve->offer, &session->criu, &serve->process, serve->files,
                   has_hooks(serve->options), failure) < 0 ||
        wire_send(session->wire, WIRE_OFFER, &serve->offer.message.base, failure) < 0 ||
        fault_here(FAULT_SERVE_OFFERED, failure) < 0 || stand_by(serve, failure) < 0)
        return -1;
    serve->answer = (CloneWire__Answer *)session_expect(session, WIRE_ANSWER,
                                                        &clone_wire__answer__descriptor, failure);
    if (serve->answer == NULL)
        return -1;
    report_end(&session->report, PHASE_HANDSHAKE);
    if (serve->answer->probe_only)
        return 0;
    if (offer_refusal(&serve->offer.message, serve->answer, failure) < 0)
        return -1;
    return fault_here(FAULT_SERVE_ANSWERED, failure) < 0 ? -1 : 1;
}

static int accept_peer(struct serve *serve, int listener, const uint8_t key[WIRE_KEY_BYTES],
                       struct failure *failure) {
    struct session *session = &serve->session;
    struct wire_options wire = session_wire_options(session);
    int64_t deadline = deadline_in_ms(serve->options->wait_ms);
    for (;;) {
        unsigned rejected = 0;
        session->wire =
            wire_accept(listener, key, &wire, session->signal_fd, deadline, &rejected, failure);
        if (rejected > 0)
            report_event(&session->report, "rejected", "dropped %u peers without the key",
                         rejected);
        if (session->wire == NULL)
            return -1;
        wire_peer_name(session->wire, session->peer);
        report_event(&session->report, "connected", "connected with %s", session->peer);
        if (session_connected(session, failure) < 0 ||
            fault_here(FAULT_SERVE_ACCEPTED, failure) < 0)
            return -1;
        int going_on = handshake(serve, failure);
        if (going_on != 0)
            return going_on < 0 ? -1 : 0;
        report_event(&session->report, "probed", "%s only asked; still waiting", session->peer);
        clone_wire__answer__free_unpacked(serve->answer, NULL);
        serve->answer = NULL;
        wire_close(session->wire);
        session->wire = NULL;
        give_back(serve);
        if (session_waiting(session, failure) < 0)
            return -1;
    }
}

static int files_ready(struct session *session, struct failure *failure) {
    if (fault_here(FAULT_SERVE_PRECOPIED, failure) < 0 ||
        wire_send(session->wire, WIRE_FILES_READY, NULL, failure) < 0)
        return -1;
    return session_expect_empty(session, WIRE_FILES_READY, failure);
}

static int sample_link(struct serve *serve, struct failure *failure) {
    struct session *session = &serve->session;
    report_begin(&session->report, PHASE_SAMPLE);
    if (link_sample(session, &serve->link_bytes_per_ms, failure) < 0)
        return -1;
    report_end(&session->report, PHASE_SAMPLE);
    report_event(&session->report, "sampled", "the link gives %.1f MB/s",
                 (double)serve->link_bytes_per_ms / 1000);
    return 0;
}

// Then the link is measured: while the process runs, undisturbed. That the files are taken, the
// first echo says, or a peer that knows no samples when it is ready.
static int send_early(struct serve *serve, struct failure *failure) {
    struct session *session = &serve->session;
    report_begin(&session->report, PHASE_PRECOPY);
    for (size_t i = 0; i < serve->answer->n_missing; i++) {
        uint32_t index = serve->answer->missing[i];
        if (index >= serve->offer.message.n_needed)
            return fail(failure, EXIT_TRANSFER, "the peer asks for a file that was not offered");
        if (fileset_add(serve->files, serve->offer.message.needed[index]->path, failure) < 0)
            return -1;
    }
    bool sampled = link_may_be_sampled(session->wire);
    if (fileset_send_early(serve->files, session->wire, session->deadline_ns, failure) < 0 ||
        (sampled ? link_echo(session, failure) : files_ready(session, failure)) < 0)
        return -1;
    report_end(&session->report, PHASE_PRECOPY);
    struct fileset_statistics files;
    fileset_statistics(serve->files, &files);
    report_event(&session->report, "precopied", "%.1f MB of files sent while the process runs",
                 (double)files.early_bytes / 1e6);
    if (sampled && (sample_link(serve, failure) < 0 || files_ready(session, failure) < 0))
        return -1;
    return 0;
}

static int check_memory(const struct serve *serve, uint64_t image_bytes, struct failure *failure) {
    struct freeze_memory memory = {.image = image_bytes,
                                   .reserved = capture_reserved(serve->capture),
                                   .available = facts_memory_available(0)};
    return freeze_memory_check(&memory, failure);
}

// What the process is now, not what it was when it was offered, is what its image will take.
static int reserve_memory(struct serve *serve, uint64_t bytes, struct failure *failure) {
    if (check_memory(serve, bytes, failure) < 0)
        return -1;
    return capture_reserve(serve->capture, bytes, serve->session.deadline_ns, failure);
}

// Everything that costs time and can be done while the process runs. What it gives back in a hook,
// we don't take before.
static int prepare(struct serve *serve, struct failure *failure) {
    struct session *session = &serve->session;
    uint64_t expected = has_hooks(serve->options) ? 0 : serve->offer.message.image_bytes;
    report_begin(&session->report, PHASE_PREPARE);
    if (fileset_prepare(serve->files, failure) < 0 || reserve_memory(serve, expected, failure) < 0)
        return -1;
    report_end(&session->report, PHASE_PREPARE);
    return fault_here(FAULT_SERVE_PREPARED, failure);
}

// --- the freeze ---

static struct hook_call hook_of(const struct serve *serve, const char *command, const char *phase,
                                const char *outcome) {
    return (struct hook_call){.command = command,
                              .role = "original",
                              .phase = phase,
                              .outcome = outcome,
                              .pid = serve->original.pid,
                              .original = &serve->original,
                              .timeout_ms = serve->options->hook_timeout_ms,
                              .keeper = serve->session.keeper};
}

// Should we be killed from here on, the keeper opens the original's gate again.
static int list_resume_hook(struct serve *serve, struct failure *failure) {
    if (serve->options->resume_hook == NULL)
        return 0;
    struct hook_call call = hook_of(serve, serve->options->resume_hook, "resume", "aborted");
    serve->resume_entry = hook_list(&call, failure);
    return serve->resume_entry < 0 ? -1 : 0;
}

// Memory may take long to be had, so whoever says what he will hold before he closes his gate has
// it closed for less.
static int settle(struct serve *serve, struct failure *failure) {
    struct report *report = &serve->session.report;
    struct hook_call call = hook_of(serve, serve->options->settle_hook, "settle", NULL);
    call.link_bytes_per_ms = &serve->link_bytes_per_ms;
    if (call.command == NULL)
        return 0;
    report_begin(report, PHASE_SETTLE);
    if (hook_run(&call, failure) < 0 ||
        reserve_memory(serve, facts_imaged_bytes(&serve->process), failure) < 0)
        return -1;
    report_end(report, PHASE_SETTLE);
    return fault_here(FAULT_SERVE_SETTLED, failure);
}

// The hooks have put away what they could.
static int look_again(struct serve *serve, uint64_t *image_bytes, struct failure *failure) {
    struct process_facts now;
    if (facts_of_process(serve->original.pid, &now, failure) < 0)
        return -1;
    *image_bytes = 0;
    for (size_t i = 0; i < now.task_count; i++)
        *image_bytes += now.tasks[i].anonymous_bytes;
    // Or it is another's files that would be judged.
    int result = original_is_there(&serve->original, failure) < 0
                     ? -1
                     : offer_still_stands(&serve->offer, serve->answer, &now, failure);
    facts_free(&now);
    return result;
}

static int quiesce(struct serve *serve, struct failure *failure) {
    struct report *report = &serve->session.report;
    struct hook_call call = hook_of(serve, serve->options->quiesce_hook, "quiesce", NULL);
    report_begin(report, PHASE_GATE);
    report_begin(report, PHASE_QUIESCE);
    if (hook_run(&call, failure) < 0 || fault_here(FAULT_SERVE_QUIESCED, failure) < 0)
        return -1;
    report_end(report, PHASE_QUIESCE);
    report_begin(report, PHASE_RESERVE);
    uint64_t image_bytes;
    if (look_again(serve, &image_bytes, failure) < 0 ||
        reserve_memory(serve, image_bytes, failure) < 0)
        return -1;
    report_end(report, PHASE_RESERVE);
    return 0;
}

// The last thing before the freeze, in CRIU's pre-dump action: CRIU itself is ready.
static int before_freeze(void *context, struct failure *failure) {
    struct serve *serve = context;
    struct session *session = &serve->session;
    // CRIU may have asked just before it was given up, and been heard after.
    if (session_interrupted(session, failure) < 0 || list_resume_hook(serve, failure) < 0)
        return -1;
    serve->resume_due = true;
    if (settle(serve, failure) < 0 || session_interrupted(session, failure) < 0 ||
        session_peer_waits(session, failure) < 0 || quiesce(serve, failure) < 0 ||
        session_interrupted(session, failure) < 0 || session_peer_waits(session, failure) < 0 ||
        original_is_there(&serve->original, failure) < 0)
        return -1;
    report_begin(&session->report, PHASE_DUMP);
    return 0;
}

// CRIU's post-dump action: the process is frozen, its memory is in CRIU's pipes. CRIU takes it by
// its number, so only now is it sure that this one was taken.
static int while_frozen(void *context, int64_t deadline_ns, struct failure *failure) {
    struct serve *serve = context;
    struct session *session = &serve->session;
    if (fault_here(FAULT_SERVE_FROZEN, failure) < 0 ||
        original_is_there(&serve->original, failure) < 0 ||
        capture_drain(serve->capture, deadline_ns, failure) < 0 ||
        fileset_snapshot(serve->files, deadline_ns, session->watch.cut_fd, failure) < 0)
        return -1;
    return fault_here(FAULT_SERVE_SNAPSHOT, failure);
}

// CRIU fails, and the process runs on.
static void give_up(void *context) {
    struct serve *serve = context;
    capture_abort(serve->capture);
}

// Whatever became of the dump, the original runs again: tell it, and whoever listens. What CRIU
// never touched was stopped by somebody else, if it is stopped: it stays so.
static int resume(struct serve *serve, bool dumped, struct failure *failure) {
    struct session *session = &serve->session;
    if (serve->let_go)
        original_continue(&serve->original);
    report_event(&session->report, "original resumed", "the original runs again");
    report_begin(&session->report, PHASE_RESUME);
    struct hook_call call =
        hook_of(serve, serve->options->resume_hook, "resume", dumped ? "cloned" : "aborted");
    int result = call.command == NULL ? 0 : hook_run_listed(&call, serve->resume_entry, failure);
    report_end(&session->report, PHASE_RESUME);
    report_end(&session->report, PHASE_GATE);
    return result;
}

// The original's gate stays closed until it is known who goes on.
static bool moves(const struct serve *serve, bool dumped) {
    return dumped && serve->options->move;
}

// The clone has proved that it runs. Its original ends before its resume hook goes off the keeper's
// list: killed between the two, we leave a hook that finds nobody, not a gate that stays closed.
static int end_original(struct serve *serve, struct failure *failure) {
    struct session *session = &serve->session;
    if (fault_here(FAULT_MOVE_PROVED, failure) < 0 ||
        process_tree_end(serve->options->pid, serve->original.pidfd, session->keeper, failure) <
            0 ||
        (serve->resume_entry > 0 &&
         keeper_forget(session->keeper, serve->resume_entry, failure) < 0))
        return -1;
    report_event(&session->report, "moved", "the original has ended; it goes on on %s",
                 session->peer);
    return 0;
}

static int freeze(struct serve *serve, struct failure *failure) {
    struct session *session = &serve->session;
    if (check_memory(serve, 0, failure) < 0)
        return -1;
    struct criu_dump dump = {.deadline_ns = session->deadline_ns,
                             .max_freeze_ms = serve->options->max_freeze_ms,
                             .cancel_fd = session->watch.cut_fd,
                             .freezing = before_freeze,
                             .frozen = while_frozen,
                             .give_up = give_up,
                             .context = serve};
    struct criu_standby *criu = serve->criu;
    serve->criu = NULL;
    struct criu_times times;
    int dumped = criu_dump(criu, &dump, &times, failure);
    serve->let_go = times.let_go;
    struct failure ignored; // without a keeper nobody keeps a limit
    session_limit_again(session, &ignored);
    if (!serve->resume_due) // CRIU failed to start
        return -1;
    report_end(&session->report, PHASE_DUMP);
    if (dumped == 0)
        session->report.milliseconds[PHASE_FREEZE] = times.freezing_ms + times.frozen_ms;
    if (dumped < 0)
        capture_explain(serve->capture, failure);
    else
        dumped = fault_here(FAULT_SERVE_DUMPED, failure);
    // A failed resume hook after a good dump is the caller's failure, and the clone's end.
    struct failure resume_failure;
    int resumed = moves(serve, dumped == 0)
                      ? 0
                      : resume(serve, dumped == 0, dumped == 0 ? failure : &resume_failure);
    if (dumped < 0 || resumed < 0)
        return -1;
    report_event(&session->report, "frozen", "it was frozen for %.0f ms",
                 session->report.milliseconds[PHASE_FREEZE]);
    return fault_here(FAULT_SERVE_RESUMED, failure);
}

// --- after the resume ---

static void release_sent(void *context, const void *bytes, size_t length) {
    capture_release(context, bytes, length);
}

static int send_image(struct serve *serve, const struct captured_image *image,
                      struct failure *failure) {
    struct wire *wire = serve->session.wire;
    CloneWire__ImageBegin begin = CLONE_WIRE__IMAGE_BEGIN__INIT;
    begin.name = (char *)(uintptr_t)image->name;
    begin.bytes = image->length;
    begin.has_memory = begin.memory = image->memory;
    // What is given back must be sent in the store's order. Shared memory is in the store as well,
    // wherever CRIU has it, and is sent before.
    void (*done)(void *, const void *, size_t) = image->memory ? release_sent : NULL;
    int result = wire_send(wire, WIRE_IMAGE_BEGIN, &begin.base, failure);
    for (size_t sent = 0, part; result == 0 && sent < image->length; sent += part) {
        size_t left = image->length - sent;
        part = left < WIRE_CHUNK ? left : WIRE_CHUNK;
        result = wire_send_data(wire, image->bytes + sent, part, done, serve->capture, failure);
        if (result == 0 && image->memory)
            result = fault_here(FAULT_SERVE_SENDING_MEMORY, failure);
    }
    serve->image_bytes += image->length;
    return result < 0 ? -1 : wire_send(wire, WIRE_IMAGE_END, NULL, failure);
}

// The small images first: with them CRIU can begin, and read the memory as it arrives.
static int send_images(struct serve *serve, bool memory, struct failure *failure) {
    for (size_t i = 0; i < capture_count(serve->capture); i++) {
        const struct captured_image *image = capture_image(serve->capture, i);
        if (image->memory == memory && send_image(serve, image, failure) < 0)
            return -1;
    }
    return 0;
}

static int transfer(struct serve *serve, struct failure *failure) {
    struct session *session = &serve->session;
    report_begin(&session->report, PHASE_TRANSFER);
    CloneWire__Frozen frozen = CLONE_WIRE__FROZEN__INIT;
    frozen.freeze_micros = (uint64_t)(session->report.milliseconds[PHASE_FREEZE] * 1000);
    if (capture_finish(serve->capture, session->deadline_ns, failure) < 0 ||
        wire_send(session->wire, WIRE_FROZEN, &frozen.base, failure) < 0 ||
        fileset_send_rest(serve->files, session->wire, session->deadline_ns, failure) < 0 ||
        fault_here(FAULT_SERVE_SENT_FILES, failure) < 0 || send_images(serve, false, failure) < 0 ||
        fault_here(FAULT_SERVE_SENT_IMAGES, failure) < 0 || send_images(serve, true, failure) < 0 ||
        wire_send(session->wire, WIRE_COMMIT, NULL, failure) < 0 ||
        wire_finish(session->wire, session->deadline_ns, failure) < 0)
        return -1;
    report_end(&session->report, PHASE_TRANSFER);
    report_event(&session->report, "sent", "%.1f MB of image sent",
                 (double)serve->image_bytes / 1e6);
    if (fault_here(FAULT_SERVE_COMMITTED, failure) < 0)
        return -1;
    CloneWire__Running *running = (CloneWire__Running *)session_expect(
        session, WIRE_RUNNING, &clone_wire__running__descriptor, failure);
    if (running == NULL)
        return -1;
    session->report.milliseconds[PHASE_RESTORE] = (double)running->restore_micros / 1000;
    report_event(&session->report, "running", "the clone runs on %s", session->peer);
    clone_wire__running__free_unpacked(running, NULL);
    return 0;
}

static int serve_clone(struct serve *serve, struct failure *failure) {
    struct session *session = &serve->session;
    uint8_t key[WIRE_KEY_BYTES];
    if (original_hold(&serve->original, serve->options->pid, failure) < 0 ||
        options_read_key(serve->options, key, failure) < 0 ||
        session_find_criu(session, failure) < 0 || criu_may_image(&session->criu, failure) < 0 ||
        fault_here(FAULT_SERVE_STARTED, failure) < 0)
        return -1;
    int listener = listen_for_peer(serve, failure);
    if (listener < 0)
        return -1;
    int accepted = accept_peer(serve, listener, key, failure);
    close(listener);
    sodium_memzero(key, sizeof key);
    if (accepted < 0 || session_watch(session, give_up, serve, failure) < 0 ||
        send_early(serve, failure) < 0 || prepare(serve, failure) < 0 || freeze(serve, failure) < 0)
        return -1;
    int result = transfer(serve, failure);
    if (serve->options->move && result == 0)
        result = end_original(serve, failure);
    struct failure ignored; // the first counts
    if (serve->options->move && result < 0)
        resume(serve, false, &ignored);
    return result;
}

int serve_main(const struct options *options) {
    struct serve serve = {.options = options, .original = {.pidfd = -1}, .disk = {.dir_fd = -1}};
    struct failure failure;
    if (session_start(&serve.session, "serve", options, &failure) < 0)
        return session_failed_to_start(&failure);
    int result = serve_clone(&serve, &failure);
    if (result < 0)
        session_explain(&serve.session, &failure);

    struct report_totals totals = {.image_bytes = serve.image_bytes,
                                   .link_bytes_per_ms = &serve.link_bytes_per_ms,
                                   .pid = options->pid,
                                   .moved = options->move};
    if (serve.files != NULL)
        fileset_statistics(serve.files, &totals.files);
    dismiss_criu(&serve);
    // The wire's threads read the captured memory: they end first.
    session_close_wire(&serve.session, &totals);
    capture_close(serve.capture);
    ramdisk_close(&serve.disk);
    fileset_close(serve.files);
    clone_wire__answer__free_unpacked(serve.answer, NULL);
    offer_clear(&serve.offer);
    free(serve.roots);
    original_release(&serve.original);
    if (serve.have_process)
        facts_free(&serve.process);
    return session_finish(&serve.session, result < 0 ? &failure : NULL, &totals);
}
