#include "session.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "deadline.h"

#define LANES_MAX 2
#define LAST_WORDS_MS 1000

int session_start(struct session *session, const char *role, const struct options *options,
                  struct failure *failure) {
    *session = (struct session){.options = options, .signal_fd = -1};
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
    if (report_start(&session->report, role, options->report, options->events, options->quiet,
                     failure) < 0)
        return -1;
    session->keeper = keeper_start(failure);
    return session->keeper == NULL ? -1 : 0;
}

int session_failed_to_start(const struct failure *failure) {
    fprintf(stderr, "criu-remote-clone: %s\n", failure->text);
    return failure->code;
}

// One thread encrypts about 1 GB/s; two keep up with the copying, more only fight with it.
static unsigned lanes(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > LANES_MAX ? LANES_MAX : processors < 1 ? 1 : (unsigned)processors;
}

static uint64_t bandwidth_share(void *context) {
    const struct session *session = context;
    struct lease *lease = session->lease;
    return lease == NULL ? 0 : lease_bandwidth(lease);
}

struct wire_options session_wire_options(struct session *session) {
    return (struct wire_options){.compress = session->options->compress,
                                 .lanes = lanes(),
                                 .bandwidth = bandwidth_share,
                                 .bandwidth_context = session};
}

int session_interrupted(const struct session *session, struct failure *failure) {
    struct pollfd fd = {.fd = session->signal_fd, .events = POLLIN};
    if (poll(&fd, 1, 0) <= 0)
        return 0;
    return fail(failure, EXIT_INTERRUPTED, "ended by a signal before the process was stopped");
}

int session_expect_empty(struct session *session, enum wire_type type, struct failure *failure) {
    struct wire_item item;
    int got = wire_next(session->wire, &item, session->deadline_ns, failure);
    if (got < 0)
        return -1;
    if (got == 0)
        return fail(failure, EXIT_PEER, "the peer ended the connection too early");
    int result = 0;
    if (item.is_data || item.type != type)
        result = fail(failure, EXIT_TRANSFER, "the peer sent something out of turn");
    wire_item_release(&item);
    return result;
}

void session_explain(struct session *session, struct failure *failure) {
    if (session->wire == NULL)
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
    if (session->wire != NULL)
        wire_statistics(session->wire, &totals->wire);
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
    lease_release(session->lease);
    session->lease = NULL;
    report_session(session, NULL, totals);
}

void session_end(struct session *session) {
    lease_release(session->lease);
    session->lease = NULL;
    keeper_finish(session->keeper);
    session->keeper = NULL;
    // What has come is dealt with; unblocked and still pending, it would end us here.
    struct signalfd_siginfo seen;
    while (read(session->signal_fd, &seen, sizeof seen) == sizeof seen)
        session->ended_by_signal = true;
    close(session->signal_fd);
    sigprocmask(SIG_SETMASK, &session->old_signals, NULL);
}

int session_finish(struct session *session, const struct failure *failure,
                   struct report_totals *totals) {
    session_end(session); // the report comes last: nothing of ours is left when it is read
    report_session(session, failure, totals);
    return failure == NULL ? EXIT_DONE : failure->code;
}
