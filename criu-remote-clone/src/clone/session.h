// SPDX-License-Identifier: Apache-2.0
// What one clone has at either end: the keeper, the lease, the connection, the time limit, the
// signals, the report; and how it ends.
#pragma once

#include <signal.h>
#include <stdatomic.h>

#include "criu.h"
#include "failure.h"
#include "keeper.h"
#include "lease.h"
#include "options.h"
#include "report.h"
#include "threads.h"
#include "wire.h"

// A thread that ends what can't end by itself when a signal comes or the time is up.
struct watch {
    struct worker worker;
    int stop_fd, cut_fd;        // eventfds
    void (*cut)(void *context); // what else to break, besides the connection
    void *context;
    struct failure reason; // valid once cut_fd is readable
};

struct session {
    const struct options *options;
    struct report report;
    struct keeper *keeper;
    struct lease *_Atomic lease; // the wire's threads ask it for their bandwidth
    struct wire *wire;
    struct criu criu;
    int signal_fd; // HUP, INT, QUIT, TERM, USR1, USR2, which are blocked
    sigset_t old_signals;
    int64_t limit_ns;    // of the clone; set when the peer is there
    int64_t deadline_ns; // of what is waited for now: that, or pull's patience if it ends sooner
    char peer[64];
    bool ended_by_signal; // not to be followed by anything; known after session_end()
    struct watch watch;
};

// Blocks the signals and starts the keeper: before any thread exists.
int session_start(struct session *session, const char *role, const struct options *options,
                  struct failure *failure);
// Says why on standard error; returns the exit code.
int session_failed_to_start(const struct failure *failure);

// The CRIU of the options, with its log where they say.
int session_find_criu(struct session *session, struct failure *failure);

struct wire_options session_wire_options(struct session *session);

// The wait for a peer begins, again: a time limit for the keeper.
int session_waiting(struct session *session, struct failure *failure);
// The peer is there: the time limit begins, for us and for the keeper.
int session_connected(struct session *session, struct failure *failure);

// serve: and once more, when it has had another limit for a while.
int session_limit_again(struct session *session, struct failure *failure);

// pull: nobody is kept waiting any more, whatever is still to be undone. The keeper's time limit,
// at whose end there would be no fallback, ends.
void session_unlimited(struct session *session);

// Is an image of so many bytes what --ram-limit allows? EXIT_SPACE.
int session_check_image(const struct session *session, uint64_t bytes, struct failure *failure);

// From now on a signal, or the end of the time limit, breaks the connection and calls `cut` from
// another thread, so that whatever blocks fails.
int session_watch(struct session *session, void (*cut)(void *context), void *context,
                  struct failure *failure);
// -1 when the watch has cut, with its reason.
int session_interrupted(const struct session *session, struct failure *failure);
// Ends the watch. Signals that come from here on stay in signal_fd. -1 as above.
int session_commit(struct session *session, struct failure *failure);

// wire_next(), which a signal interrupts.
int session_next(struct session *session, struct wire_item *item, struct failure *failure);
// Waits for that message; wire_unpack()'s result.
ProtobufCMessage *session_expect(struct session *session, enum wire_type type,
                                 const ProtobufCMessageDescriptor *descriptor,
                                 struct failure *failure);
// Before the process is disturbed: -1 if the peer has gone meanwhile, or wants no clone any more.
int session_peer_waits(struct session *session, struct failure *failure);
// Waits for a message without a body.
int session_expect_empty(struct session *session, enum wire_type type, struct failure *failure);

// After a failure: ends the watch. When it was what failed us, or the peer gave up first, that
// reason is the better one; otherwise tells the peer ours.
void session_explain(struct session *session, struct failure *failure);

// Takes the statistics and closes the connection.
void session_close_wire(struct session *session, struct report_totals *totals);

// Ends lease and keeper, writes the report, returns the exit code.
int session_finish(struct session *session, const struct failure *failure,
                   struct report_totals *totals);

// pull: the clone runs. Gives the lease back and writes the report; the keeper stays, without a
// time limit.
void session_running(struct session *session, struct report_totals *totals);
// Ends what is left of the session. The signals stay blocked: our exit code is what counts now.
void session_end(struct session *session);
