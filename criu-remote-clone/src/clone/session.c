// SPDX-License-Identifier: Apache-2.0
// Each end of a clone has one: its signals, keeper, report, connection and limits. A thread, the
// watch, waits for a signal or the end of time and then cuts everything that the main thread may
// wait for.
#include "session.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "deadline.h"
#include "descriptors.h"

#define LAST_WORDS_MS 1000
#define LATE_MS 3000 // what we may take to end by ourselves, after the time limit

int session_start(struct session *session, const char *role, const struct options *options,
                  struct failure *failure) {
    *session = (struct session){
        .options = options, .signal_fd = -1, .watch = {.stop_fd = -1, .cut_fd = -1}};
    sigset_t signals;
    sigemptyset(&signals);
    const int handled[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof handled / sizeof handled[0]; i++)
        sigaddset(&signals, handled[i]);
    sigprocmask(SIG_BLOCK, &signals, &session->old_signals);
    session->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (session->signal_fd < 0)
        return fail_errno(failure, EXIT_INTERNAL, "no signalfd");
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); // a file beyond `ulimit -f` is a write that fails
    signal(SIGCHLD, SIG_DFL); // were it ignored, we could not wait for commands
    if (report_start(&session->report, role, options->report, options->events, options->quiet,
                     failure) < 0)
        return -1;
    session->keeper = keeper_start(failure);
    return session->keeper == NULL ? -1 : session_waiting(session, failure);
}

int session_failed_to_start(const struct failure *failure) {
    fprintf(stderr, "criu-remote-clone: %s\n", failure->text);
    return failure->code;
}

int session_find_criu(struct session *session, struct failure *failure) {
    const struct options *options = session->options;
    if (criu_find(&session->criu, options->criu, failure) < 0)
        return -1;
    return criu_log_to(&session->criu, options->criu_log, options->criu_verbosity, failure);
}

static uint64_t bandwidth_share(void *context) {
    const struct session *session = context;
    struct lease *lease = session->lease;
    return lease == NULL ? 0 : lease_bandwidth(lease);
}

struct wire_options session_wire_options(struct session *session) {
    return (struct wire_options){.compress = session->options->compress,
                                 .bandwidth = bandwidth_share,
                                 .bandwidth_context = session};
}

// --- the watch ---

// Stopped, or stuck, we could not keep a time limit ourselves, and what is frozen would stay
// frozen.
static int limit_time(struct session *session, int64_t milliseconds, struct failure *failure) {
    return keeper_time_limit(session->keeper, milliseconds + LATE_MS, failure);
}

int session_waiting(struct session *session, struct failure *failure) {
    return limit_time(session, session->options->wait_ms, failure);
}

int session_connected(struct session *session, struct failure *failure) {
    const struct options *options = session->options;
    session->deadline_ns = session->limit_ns = deadline_in_ms(options->time_limit_ms);
    return limit_time(session, (int64_t)options->time_limit_ms + options->hook_timeout_ms, failure);
}

int session_limit_again(struct session *session, struct failure *failure) {
    int64_t left_ns = session->limit_ns - now_ns();
    int64_t left_ms = left_ns > 0 ? left_ns / 1000000 : 0;
    return limit_time(session, left_ms + session->options->hook_timeout_ms, failure);
}

void session_unlimited(struct session *session) {
    struct failure ignored; // without a keeper there is no time limit either
    keeper_time_limit(session->keeper, 0, &ignored);
}

int session_check_image(const struct session *session, uint64_t bytes, struct failure *failure) {
    uint64_t allowed = session->options->ram_limit;
    if (allowed == 0 || bytes <= allowed)
        return 0;
    return fail(failure, EXIT_SPACE, "the process holds %llu MiB, more than --ram-limit allows",
                (unsigned long long)bytes >> 20);
}

static int ended_by_signal(struct session *session, struct failure *failure) {
    struct signalfd_siginfo signal;
    session->ended_by_signal = true;
    const char *name = NULL;
    if (read(session->signal_fd, &signal, sizeof signal) == sizeof signal)
        name = sigabbrev_np((int)signal.ssi_signo);
    return fail(failure, EXIT_INTERRUPTED, "ended by %s%s", name != NULL ? "SIG" : "a signal",
                name != NULL ? name : "");
}

static void *watch_main(void *argument) {
    struct session *session = argument;
    struct watch *watch = &session->watch;
    struct pollfd fds[2] = {{.fd = watch->stop_fd, .events = POLLIN},
                            {.fd = session->signal_fd, .events = POLLIN}};
    int ready = (int)TEMP_FAILURE_RETRY(poll(fds, 2, deadline_poll_ms(session->limit_ns)));
    if (fds[0].revents != 0)
        return NULL;
    if (ready > 0)
        ended_by_signal(session, &watch->reason);
    else
        fail(&watch->reason, EXIT_DEADLINE,
             "the clone took longer than its time limit of %d s: raise --time-limit, or see what "
             "held it up",
             session->options->time_limit_ms / 1000);
    eventfd_write(watch->cut_fd, 1);
    watch->cut(watch->context);
    wire_abort(session->wire, &watch->reason);
    return NULL;
}

int session_watch(struct session *session, void (*cut)(void *context), void *context,
                  struct failure *failure) {
    struct watch *watch = &session->watch;
    watch->cut = cut;
    watch->context = context;
    watch->stop_fd = eventfd(0, EFD_CLOEXEC);
    watch->cut_fd = eventfd(0, EFD_CLOEXEC);
    if (watch->stop_fd < 0 || watch->cut_fd < 0)
        return fail_errno(failure, EXIT_INTERNAL, "no eventfd");
    return worker_start(&watch->worker, watch_main, session, failure);
}

int session_interrupted(const struct session *session, struct failure *failure) {
    if (!await_readable(session->watch.cut_fd, 0))
        return 0;
    *failure = session->watch.reason;
    return -1;
}

// -1 when the watch has cut, with its reason.
static int session_unwatch(struct session *session, struct failure *failure) {
    struct watch *watch = &session->watch;
    if (watch->worker.runs)
        eventfd_write(watch->stop_fd, 1);
    worker_join(&watch->worker);
    return session_interrupted(session, failure);
}

int session_commit(struct session *session, struct failure *failure) {
    if (session_unwatch(session, failure) < 0)
        return -1;
    return await_readable(session->signal_fd, 0) ? ended_by_signal(session, failure) : 0;
}

// --- messages ---

int session_next(struct session *session, struct wire_item *item, struct failure *failure) {
    struct pollfd fds[3] = {{.fd = wire_poll_fd(session->wire), .events = POLLIN},
                            {.fd = session->watch.cut_fd, .events = POLLIN},
                            {.fd = session->signal_fd, .events = POLLIN}};
    int ready = (int)TEMP_FAILURE_RETRY(poll(fds, 3, deadline_poll_ms(session->deadline_ns)));
    bool signalled = ready > 0 && fds[2].revents != 0;
    if (signalled && !session->watch.worker.runs)
        return ended_by_signal(session, failure);
    // The watch takes the signals as long as there is one: what came with one is too late.
    if (signalled)
        await_readable(session->watch.cut_fd, session->deadline_ns);
    if (session_interrupted(session, failure) < 0)
        return -1;
    return wire_next(session->wire, item, session->deadline_ns, failure);
}

// As session_next(), where the peer may not end yet: 0 or -1.
static int next_of_more(struct session *session, struct wire_item *item, struct failure *failure) {
    int got = session_next(session, item, failure);
    if (got == 0)
        return fail(failure, EXIT_PEER, "the peer ended the connection too early");
    return got < 0 ? -1 : 0;
}

ProtobufCMessage *session_expect(struct session *session, enum wire_type type,
                                 const ProtobufCMessageDescriptor *descriptor,
                                 struct failure *failure) {
    struct wire_item item;
    if (next_of_more(session, &item, failure) < 0)
        return NULL;
    ProtobufCMessage *message = wire_unpack(&item, type, descriptor, failure);
    wire_item_release(&item);
    return message;
}

int session_peer_waits(struct session *session, struct failure *failure) {
    struct wire_item item;
    if (!await_readable(wire_poll_fd(session->wire), 0))
        return 0;
    if (next_of_more(session, &item, failure) < 0)
        return -1;
    wire_item_release(&item);
    return fail(failure, EXIT_TRANSFER, "the peer sent something out of turn");
}

int session_expect_empty(struct session *session, enum wire_type type, struct failure *failure) {
    struct wire_item item;
    if (next_of_more(session, &item, failure) < 0)
        return -1;
    int result = 0;
    if (item.is_data || item.type != type)
        result = fail(failure, EXIT_TRANSFER, "the peer sent something out of turn");
    wire_item_release(&item);
    return result;
}

// --- the end ---

void session_explain(struct session *session, struct failure *failure) {
    if (session_unwatch(session, failure) < 0 || session->wire == NULL)
        return;
    if (failure->code != EXIT_PEER) {
        wire_abort(session->wire, failure);
        return;
    }
    // The connection broke under our hands; the peer's last words may still be in it.
    int64_t deadline = deadline_in_ms(LAST_WORDS_MS);
    struct failure last_words;
    struct wire_item item;
    int got;
    while ((got = wire_next(session->wire, &item, deadline, &last_words)) > 0)
        wire_item_release(&item);
    if (got < 0 && last_words.code != EXIT_DEADLINE)
        *failure = last_words;
}

void session_close_wire(struct session *session, struct report_totals *totals) {
    struct failure ignored;
    session_unwatch(session, &ignored);
    if (session->wire != NULL) {
        wire_statistics(session->wire, &totals->wire);
        totals->wire_version = wire_version(session->wire);
    }
    wire_close(session->wire);
    session->wire = NULL;
}

static void report_session(struct session *session, const struct failure *failure,
                           struct report_totals *totals) {
    totals->compress = session->options->compress_text;
    totals->peer = session->peer[0] != '\0' ? session->peer : NULL;
    totals->criu_version = session->criu.version[0] != '\0' ? session->criu.version : NULL;
    report_finish(&session->report, failure, totals);
}

void session_running(struct session *session, struct report_totals *totals) {
    session_unlimited(session);
    lease_release(session->lease);
    session->lease = NULL;
    report_session(session, NULL, totals);
}

void session_end(struct session *session) {
    lease_release(session->lease);
    session->lease = NULL;
    keeper_finish(session->keeper);
    session->keeper = NULL;
    // What is still pending was meant to end us, too.
    struct signalfd_siginfo seen;
    while (read(session->signal_fd, &seen, sizeof seen) == sizeof seen)
        session->ended_by_signal = true;
    close(session->signal_fd);
    close_fd(session->watch.stop_fd);
    close_fd(session->watch.cut_fd);
}

int session_finish(struct session *session, const struct failure *failure,
                   struct report_totals *totals) {
    session_end(session); // the report comes last: nothing of ours is left when it is read
    report_session(session, failure, totals);
    return failure == NULL ? EXIT_DONE : failure->code;
}
