// SPDX-License-Identifier: Apache-2.0
// What the BPF programs and the tool tell each other in maps. Pinned state whose sizes are others
// is left behind, and starts empty.
#pragma once

#include "decide.h"
#include "dialect.h"
#include "pairs.h"
#include "siphash.h"
#include "slot.h"

enum {
    SERVICES = 32,            // numbers 1..31
    ADDRESSES = 2 * SERVICES, // of services: while `up` runs those before are known as well
    SERVERS_EACH = 32,        // a server's number is its service's times this, plus its place
    SERVERS = SERVICES * SERVERS_EACH,
    NAME_BYTES = 32,
    HISTOGRAM = 32, // bucket i: below 2^i microseconds
    PORTS = 64,
};
_Static_assert((int)SERVERS <= (int)SLOT_SERVERS, "a slot's word has ten bits for a server");

enum where { WHERE_SWITCH, WHERE_HOST };

// Addresses and ports are in network order wherever a packet has them, here as well.
struct endpoint {
    uint32_t address;
    uint16_t port;
    uint16_t zero;
};

// Written by the tool, replaced as a whole.
struct service_rules {
    char name[NAME_BYTES];
    struct endpoint at;
    uint32_t members; // a bit for each server
    uint32_t enabled; // those that aren't drained
    uint32_t budget;  // clones per hundred reads; BUDGET_OFF
    uint8_t number;
    uint8_t dialect;
    uint8_t policy;
    uint8_t clone;
    uint8_t idempotent;
    uint8_t state; // an enum state_rule
    uint8_t zero[2];
};

struct server_rules {
    struct endpoint at;
    struct endpoint service;
    uint16_t workers;
    uint8_t service_number; // 0: the entry is free
    uint8_t retired;        // in no service any more: only answers that are waited for are ours
    uint8_t dialect;        // its service's, as is the next
    uint8_t state;
    uint8_t zero[2];
};

// What a port, in network order, is of any service: most packets are nobody's by their ports alone.
enum { PORT_OF_SERVICE = 1, PORT_OF_SERVER = 2 };
struct known_ports {
    uint8_t ports[65536];
};

// Written by the programs. What isn't changed by atomic instructions may lose a change when two
// processors make one: averages and times, where that does no harm.
struct server_state {
    int32_t outstanding;    // atomic
    uint32_t interface;     // behind which it is, as the routes said last; answers count from there
    uint64_t waiting_since; // since its last answer, or since it was asked and owed nothing before
    uint64_t average_ns; // what answers usually take: for patience, and for the age of what is told
    uint64_t last_probe;
    uint64_t suspect_since; // 0: it is trusted
    uint64_t told_at;       // when its agent told its queue; 0: never
    uint32_t told;
    // C3's averages.
    uint32_t response_us; // R; 0: it hasn't answered yet
    uint32_t service_us;  // 1/mu: the same, of requests that were its only one; 0: none was yet
} __attribute__((aligned(64)));

struct service_state {
    uint32_t suspects; // atomic: bits of servers
    uint32_t reads;    // atomic: of those while there are suspects
    struct budget budget;
    uint32_t ids; // atomic: given to requests whose protocol has the switch do so
} __attribute__((aligned(64)));

struct slot {
    slot_word word;
    // Beside the word, not part of it: what a request that has overtaken another one leaves here
    // only misleads a histogram.
    uint32_t asked_us;
    uint32_t won_us;
};

// Per processor.
struct service_counters {
    uint64_t requests; // UDP
    uint64_t by_reason[REASONS];
    uint64_t flows; // TCP: connections begun
    uint64_t answers;
    uint64_t filtered;  // dropped: the other server's was forwarded
    uint64_t strangers; // forwarded, though no request was known
    uint64_t won_by_clone;
    uint64_t saved[HISTOGRAM]; // us from the winner's answer to the loser's: what is won at least
};

struct server_counters {
    uint64_t originals;
    uint64_t clones;
    uint64_t answers;
    uint64_t won;
    uint64_t filtered;
    uint64_t unanswered; // given up
    uint64_t suspected;  // how often
    uint64_t suspected_ns;
    uint64_t answer_time[HISTOGRAM]; // us
};

struct settings {
    struct siphash_key key;
    uint32_t slots; // a power of two
    // The tool's own: where it has attached.
    uint16_t where;
    uint16_t layout; // of this state: LAYOUT of the build that is up
    uint32_t port_count;
    struct {
        uint32_t interface;
        uint32_t made_qdisc;
    } ports[PORTS];
};

// What `trace` asks for. By itself, for it is written without the lock under which `up` reads and
// writes the settings.
struct tracing {
    uint64_t until;   // boot time, ns
    uint32_t service; // 0: all
    uint32_t zero;
};

// A flow of TCP: the client and its service.
struct flow {
    uint32_t client;
    uint16_t port;
    uint16_t service_number;
};

// Where a fragmented datagram's first fragment went, for the rest have no ports. They follow it
// closely, and an id comes again.
struct fragment {
    uint32_t source, destination;
    uint16_t id;
    uint16_t protocol;
};
struct fragment_way {
    uint32_t address; // in the place of the source's or the destination's; 0: dropped
    uint16_t is_answer;
    uint16_t second; // since boot; wraps
};
enum { FRAGMENT_LIFE = 2 }; // s

// Which of a service's servers are at an address: those that a host may be asked by, and not ask.
struct own_key {
    uint32_t address;
    uint32_t service_number;
};

// Who asks a server at its own address gets answers from it.
struct direct {
    uint32_t client;
    uint16_t port;
    uint16_t server_number;
};

enum event_kind { EVENT_ASKED, EVENT_ANSWERED };

struct event {
    uint64_t at; // boot time, ns
    uint32_t client;
    uint16_t port;
    uint8_t kind;
    uint8_t reason;  // EVENT_ASKED
    uint8_t verdict; // EVENT_ANSWERED: an enum slot_verdict
    uint8_t service;
    // Servers: of the original and of the clone, or without one the other of the pair; or the one
    // that answered, and the other.
    uint16_t first, second;
    uint16_t zero;
    uint32_t first_queue, second_queue;
    uint32_t us; // since it was asked; when lost, since the other one's answer
};

// The histogram's bucket of a time: how many bits it takes. Without branches, or the kernel's
// verifier would follow each.
RULE uint32_t histogram_bucket(uint32_t us) {
    us |= us >> 1;
    us |= us >> 2;
    us |= us >> 4;
    us |= us >> 8;
    us |= us >> 16;
    uint32_t bits = count_bits(us);
    return bits < HISTOGRAM ? bits : HISTOGRAM - 1;
}
