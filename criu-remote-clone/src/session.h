// What one clone has at either end: the keeper, the lease, the connection, the time limit, the
// signals, the report; and how it ends.
#ifndef CLONE_SESSION_H
#define CLONE_SESSION_H

#include <signal.h>
#include <stdint.h>

#include "criu.h"
#include "failure.h"
#include "keeper.h"
#include "lease.h"
#include "options.h"
#include "report.h"
#include "wire.h"

struct session {
    const struct options *options;
    struct report report;
    struct keeper *keeper;
    struct lease *_Atomic lease; // the wire's threads ask it for their bandwidth
    struct wire *wire;
    struct criu criu;
    int signal_fd; // HUP, INT, QUIT, TERM, USR1, USR2, which are blocked
    sigset_t old_signals;
    int64_t deadline_ns; // of the clone; set when the peer is there
    char peer[64];
    bool ended_by_signal; // known after session_end()
};

// Blocks the signals and starts the keeper: before any thread exists.
int session_start(struct session *session, const char *role, const struct options *options,
                  struct failure *failure);
// Says why on standard error; returns the exit code.
int session_failed_to_start(const struct failure *failure);

struct wire_options session_wire_options(struct session *session);

// EXIT_INTERRUPTED when a signal has come that ends us.
int session_interrupted(const struct session *session, struct failure *failure);

// Waits for a message without a body.
int session_expect_empty(struct session *session, enum wire_type type, struct failure *failure);

// After a failure: when the peer gave up first, its reason is the better one; otherwise tells the
// peer ours.
void session_explain(struct session *session, struct failure *failure);

// Takes the statistics and closes the connection.
void session_close_wire(struct session *session, struct report_totals *totals);

// Ends lease and keeper, writes the report, restores the signals, returns the exit code.
int session_finish(struct session *session, const struct failure *failure,
                   struct report_totals *totals);

// pull: the clone runs. Gives the lease back and writes the report; the keeper stays.
void session_running(struct session *session, struct report_totals *totals);
// Ends what is left of the session.
void session_end(struct session *session);

#endif
