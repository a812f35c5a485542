// SPDX-License-Identifier: Apache-2.0
// The link's samples: see link_sample.h.
#include "link_sample.h"

#include <stdlib.h>

#include "clone_wire.pb-c.h"
#include "deadline.h"
#include "lease.h"

#define KNOWN_SINCE 5u // version of the protocol
// A slow link is known well enough by then.
#define SAMPLING_NS (300ll * 1000000)

bool link_may_be_sampled(const struct wire *wire) {
    return wire_version(wire) >= KNOWN_SINCE;
}

int link_echo(struct session *session, struct failure *failure) {
    CloneWire__Sample sample = CLONE_WIRE__SAMPLE__INIT;
    sample.has_echo = sample.echo = true;
    if (wire_send(session->wire, WIRE_SAMPLE, &sample.base, failure) < 0)
        return -1;
    return session_expect_empty(session, WIRE_SAMPLE, failure);
}

// Until there are enough, or the time is up. Returns the bytes sent, 0 with a failure.
static uint64_t send_samples(struct session *session, uint8_t *filler, int64_t until_ns,
                             struct failure *failure) {
    CloneWire__Sample sample = CLONE_WIRE__SAMPLE__INIT;
    sample.has_filler = true;
    sample.filler = (ProtobufCBinaryData){.len = LINK_SAMPLE_BYTES, .data = filler};
    uint64_t sent = 0;
    for (unsigned i = 0; i < LINK_SAMPLES && (i == 0 || now_ns() < until_ns); i++) {
        // What is queued would have to be waited for, however late it is.
        if (wire_send(session->wire, WIRE_SAMPLE, &sample.base, failure) < 0 ||
            wire_flush(session->wire, session->deadline_ns, failure) < 0)
            return 0;
        sent += LINK_SAMPLE_BYTES;
    }
    return sent;
}

int link_sample(struct session *session, uint64_t *bytes_per_ms, struct failure *failure) {
    uint8_t *filler = calloc(1, LINK_SAMPLE_BYTES); // it is encrypted: zeros will do
    if (filler == NULL)
        return fail_errno(failure, EXIT_SPACE, "no memory for a sample of the link");
    int64_t begun = now_ns();
    uint64_t sent = send_samples(session, filler, begun + SAMPLING_NS, failure);
    free(filler);
    if (sent == 0 || link_echo(session, failure) < 0)
        return -1;
    struct lease *lease = session->lease;
    *bytes_per_ms = link_rate(sent, now_ns() - begun, lease == NULL ? 0 : lease_bandwidth(lease));
    return 0;
}

int link_answer(struct wire *wire, const struct wire_item *item, unsigned *taken,
                struct failure *failure) {
    CloneWire__Sample *sample = (CloneWire__Sample *)wire_unpack(
        item, WIRE_SAMPLE, &clone_wire__sample__descriptor, failure);
    if (sample == NULL)
        return -1;
    bool too_long = sample->filler.len > LINK_SAMPLE_BYTES, echo = sample->echo;
    clone_wire__sample__free_unpacked(sample, NULL);
    if (too_long || ++*taken > LINK_SAMPLES_MAX)
        return fail(failure, EXIT_TRANSFER,
                    "the peer sent a sample of the link that is too long, or more than %u of them",
                    LINK_SAMPLES_MAX);
    const CloneWire__Sample answer = CLONE_WIRE__SAMPLE__INIT;
    return echo ? wire_send(wire, WIRE_SAMPLE, &answer.base, failure) : 0;
}

uint64_t link_rate(uint64_t bytes, int64_t nanoseconds, uint64_t share) {
    double rate = (double)bytes * 1e6 / (double)(nanoseconds > 0 ? nanoseconds : 1);
    double most = (double)share / 1000;
    if (share > 0 && rate > most)
        rate = most;
    return rate < 1 ? 1 : (uint64_t)rate;
}
