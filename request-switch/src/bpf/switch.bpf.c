// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// The two paths of a service's packets: requests to one server or two, and answers back, the slower
// of two dropped (NetClone, section 3). What is none of ours passes untouched.
#include "maps.h"
#include "packet.h"

#include "c3.h"

// What the kernel takes for GPL: routes and the ring buffer are for such programs only. This file
// may be used under either licence.
char license_text[] SEC("license") = "GPL";

// Set by the tool before the program is loaded.
const volatile uint32_t where = WHERE_SWITCH;
const volatile uint32_t slot_mask = (1 << 17) - 1;
const volatile bool filter = true; // else slower answers pass as well
const volatile uint32_t first_clients = 0, first_clients_mask = 0; // as in packets; no mask: none

const volatile bool servers_ask = false; // some are clients as well

// On our own packets that pass a hook of ours once more.
enum mark { MARK_ROUTE = 0x436c5274, MARK_PASS = 0x436c5061 };

enum { SWAP_TRIES = 4 };

struct key {
    uint32_t fingerprint, slot;
};

// From a hash that nobody can foretell, and other at each packet: a helper less than
// bpf_get_prandom_u32().
static __always_inline uint32_t random_of(const struct key *key, uint64_t now) {
    uint64_t mixed = (((uint64_t)key->fingerprint << 32 | key->slot) ^ now) * 0x9e3779b97f4a7c15;
    return (uint32_t)(mixed >> 32);
}

static __always_inline struct key key_of(const struct settings *settings, uint32_t service,
                                         const struct endpoint *client, uint32_t id) {
    uint64_t hash =
        siphash(settings->key,
                client->address | (uint64_t)client->port << 32 | (uint64_t)service << 48, id);
    return (struct key){(uint32_t)(hash >> 32), (uint32_t)hash & slot_mask};
}

// Most often there is one prefix, which saves asking for others.
static __always_inline bool is_client(uint32_t address) {
    struct client_prefix prefix = {32, address};
    if (first_clients_mask != 0 && (address & first_clients_mask) == first_clients)
        return true;
    return bpf_map_lookup_elem(&clients, &prefix) != NULL;
}

static __always_inline bool is_traced(uint32_t service, uint64_t now) {
    const struct tracing *trace = LOOK_UP(tracing, 0);
    return trace != NULL && now < trace->until &&
           (trace->service == 0 || trace->service == service);
}

// --- what loops: GLOBAL ---

static __always_inline int32_t told_of(enum state_rule rule, const struct server_state *state,
                                       uint64_t now) {
    int32_t told = state->told_at != 0 ? (int32_t)state->told : TOLD_NEVER;
    return told_queue(rule, told, now - state->told_at, state->average_ns);
}

// Less is better. As in selector_score() a server that was never heard of gets one request, and no
// other before its answer; of several such the one that owes least. One that never worked at a
// single request hasn't shown how long that takes it: its answers' time stands for that.
GLOBAL int64_t score_of(uint32_t number, uint32_t state_rule, uint64_t now) {
    struct server_state *state = LOOK_UP(server_states, number);
    if (state == NULL)
        return INT64_MAX;
    int32_t told = told_of((enum state_rule)state_rule, state, now), owed = state->outstanding;
    uint32_t outstanding = owed > 0 ? (uint32_t)owed : 0;
    uint32_t response = state->response_us, service = state->service_us;
    if (response == 0)
        return outstanding == 0 ? INT64_MIN : INT64_MAX - UINT32_MAX + outstanding;
    struct c3_server server = {(uint64_t)response * 1000,
                               (uint64_t)(service != 0 ? service : response) * 1000, outstanding,
                               told > 0 ? (uint32_t)told * C3_QUEUE_ONE : 0};
    return c3_score(&server, 1);
}

// The two best of a service's servers by C3's ranking: their places, + 1, in two bytes.
GLOBAL uint32_t best_pair(uint32_t service, uint32_t mask, uint32_t state_rule, uint64_t now) {
    uint32_t best_place = 0, second_place = 0;
    int64_t best = INT64_MAX, second = INT64_MAX;
    for (uint32_t place = 0; place < SERVERS_EACH; place++) {
        if ((mask >> place & 1) == 0)
            continue;
        int64_t score = score_of(service * SERVERS_EACH + place, state_rule, now);
        if (score < best) {
            second = best;
            second_place = best_place;
            best = score;
            best_place = place + 1;
        } else if (score < second) {
            second = score;
            second_place = place + 1;
        }
    }
    return best_place | second_place << 8;
}

GLOBAL int flow_place(uint32_t mask, uint64_t flow) {
    return pick_for_flow(mask, flow);
}

// What the payload in this processor's scratch says: a reading in one number.
enum { READING_HAS_ID = 1, READING_IS_READ = 2 };

GLOBAL uint64_t read_payload(uint32_t dialect, uint32_t idempotent, uint32_t seen,
                             uint32_t length) {
    struct scratch *scratch = LOOK_UP(scratches, 0);
    if (scratch == NULL || seen > DIALECT_BYTES)
        return 0;
    struct payload payload = {scratch->bytes, seen, length};
    struct reading reading = dialect_request(dialect, idempotent, &payload);
    return (uint64_t)reading.id << 32 | (reading.has_id ? READING_HAS_ID : 0) |
           (reading.is_read ? READING_IS_READ : 0);
}

// --- the servers' state ---

// A suspect's answer is waited for since before it was suspect, whatever it is asked meanwhile. The
// time is written before the count as well: another processor that saw the count without it would
// find an idle server overdue.
static __always_inline void count_asked(struct server_state *state, uint64_t now) {
    bool trusted = state->suspect_since == 0;
    if (trusted && state->outstanding <= 0)
        state->waiting_since = now;
    if (__sync_fetch_and_add(&state->outstanding, 1) <= 0 && trusted)
        state->waiting_since = now;
}

// A server is suspect from now on. Only one of those that find out counts it.
GLOBAL int suspect(uint32_t server, uint64_t now) {
    struct service_state *service = LOOK_UP(service_states, server / SERVERS_EACH);
    struct server_state *state = LOOK_UP(server_states, server);
    struct server_counters *counters = LOOK_UP(server_counters, server);
    uint32_t bit = 1u << server % SERVERS_EACH;
    if (service == NULL || state == NULL || counters == NULL || (service->suspects & bit) != 0)
        return 0;
    // Before the bit: what trust() clears after that may not come again.
    state->suspect_since = now;
    if ((__sync_fetch_and_or(&service->suspects, bit) & bit) != 0)
        return 0;
    counters->suspected++;
    return 0;
}

static __always_inline void trust(uint32_t server, struct server_state *state, uint64_t now) {
    struct service_state *service = LOOK_UP(service_states, server / SERVERS_EACH);
    uint32_t bit = 1u << server % SERVERS_EACH;
    if (service == NULL || (service->suspects & bit) == 0 ||
        (__sync_fetch_and_and(&service->suspects, ~bit) & bit) == 0)
        return;
    struct server_counters *counters = LOOK_UP(server_counters, server);
    if (counters != NULL && state->suspect_since != 0) // 0: its place's last server was
        counters->suspected_ns += now - state->suspect_since;
    state->suspect_since = 0;
}

static __always_inline bool check_overdue(uint32_t server, const struct server_state *state,
                                          uint64_t now) {
    if (!is_overdue(state->outstanding, state->waiting_since, state->average_ns, now))
        return false;
    suspect(server, now);
    return true;
}

// A word is gone in which the server owed an answer: I3.
static __always_inline void take_back(uint32_t server, uint64_t now) {
    struct server_state *state = server != SLOT_NOBODY ? LOOK_UP(server_states, server) : NULL;
    struct server_counters *counters = LOOK_UP(server_counters, server);
    if (state == NULL || counters == NULL)
        return;
    check_overdue(server, state, now);
    __sync_fetch_and_add(&state->outstanding, -1);
    counters->unanswered++;
}

static __always_inline struct candidate candidate_of(const struct service_rules *rules, int place,
                                                     uint64_t now) {
    struct candidate candidate;
    __builtin_memset(&candidate, 0, sizeof candidate);
    if (place < 0 || place >= SERVERS_EACH)
        return candidate;
    uint32_t number = (uint32_t)rules->number * SERVERS_EACH + (uint32_t)place;
    struct server_rules *server = LOOK_UP(server_rules, number);
    struct server_state *state = LOOK_UP(server_states, number);
    if (server == NULL || state == NULL)
        return candidate;
    int32_t outstanding = state->outstanding;
    candidate.server = number;
    candidate.outstanding = outstanding > 0 ? (uint32_t)outstanding : 0;
    candidate.workers = server->workers;
    candidate.told = told_of(rules->state, state, now);
    return candidate;
}

static __always_inline uint32_t queue_of(uint32_t server) {
    const struct server_state *state = LOOK_UP(server_states, server);
    int32_t outstanding = state != NULL ? state->outstanding : 0;
    return outstanding > 0 ? (uint32_t)outstanding : 0;
}

static __always_inline bool candidate_is_overdue(const struct candidate *candidate, uint64_t now) {
    struct server_state *state =
        candidate->server != NO_SERVER ? LOOK_UP(server_states, candidate->server) : NULL;
    return state != NULL && check_overdue(candidate->server, state, now);
}

// --- choosing ---

struct candidates {
    struct candidate first, second;
};

// The pair that the client asks for, if both of it are in the mask; servers are numbered in the
// order of their places.
GLOBAL uint32_t group_pair(uint32_t members, uint32_t mask, uint32_t group) {
    struct pair pair = netclone_group(group, count_bits(members));
    if (pair.first == PAIR_NONE)
        return 0;
    uint32_t first = (uint32_t)nth_bit(members, (uint32_t)pair.first) & 31;
    uint32_t second = (uint32_t)nth_bit(members, (uint32_t)pair.second) & 31;
    if ((mask >> first & 1) == 0 || (mask >> second & 1) == 0)
        return 0;
    return first + 1 | (second + 1) << 8;
}

// The places of two, + 1, in two bytes.
GLOBAL uint32_t pick_places(const struct service_rules *rules, uint32_t mask, uint32_t group,
                            uint32_t random, uint64_t now) {
    if (rules == NULL)
        return 0;
    uint32_t asked_for = group != 0 ? group_pair(rules->members, mask, group) : 0;
    if (asked_for != 0)
        return asked_for;
    if (rules->policy == POLICY_C3)
        return best_pair(rules->number, mask, rules->state, now);
    struct pair pair = pick_pair(mask, random);
    return (uint32_t)(pair.first + 1) | (uint32_t)(pair.second + 1) << 8;
}

static __always_inline struct candidates choose(const struct service_rules *rules, uint32_t mask,
                                                uint32_t group, uint32_t random, uint64_t now) {
    uint32_t places = pick_places(rules, mask, group, random, now);
    return (struct candidates){candidate_of(rules, (int)(places & 0xff) - 1, now),
                               candidate_of(rules, (int)(places >> 8 & 0xff) - 1, now)};
}

static __always_inline uint32_t trusted(const struct service_rules *rules,
                                        const struct service_state *state, uint32_t owing) {
    uint32_t mask = rules->enabled & ~state->suspects;
    return (mask & ~owing) != 0 ? mask & ~owing : mask;
}

// One of the two was overdue, and is suspect now. Most often the next two aren't; where many hang
// at once, the last two are asked as if they were trusted.
GLOBAL int choose_again(const struct service_rules *rules, struct service_state *state,
                        uint32_t owing, uint64_t now, struct candidates *chosen) {
    if (rules == NULL || state == NULL || chosen == NULL)
        return -1;
    for (int i = 0; i < 2; i++) {
        *chosen = choose(rules, trusted(rules, state, owing), 0, bpf_get_prandom_u32(), now);
        bool first = candidate_is_overdue(&chosen->first, now);
        bool second = candidate_is_overdue(&chosen->second, now);
        if (!first && !second)
            break;
    }
    return 0;
}

// Two of those that are trusted.
static __always_inline struct candidates choose_trusted(const struct service_rules *rules,
                                                        struct service_state *state, uint32_t group,
                                                        uint32_t random, uint64_t now) {
    struct candidates chosen = choose(rules, trusted(rules, state, 0), group, random, now);
    bool first = candidate_is_overdue(&chosen.first, now);
    bool second = candidate_is_overdue(&chosen.second, now);
    if (first || second)
        choose_again(rules, state, 0, now, &chosen);
    return chosen;
}

// Two of those that nobody trusts: as if we weren't here, but for is_heard_later().
GLOBAL int choose_suspects(const struct service_rules *rules, uint64_t now,
                           struct candidates *chosen) {
    if (rules == NULL || chosen == NULL)
        return -1;
    struct candidates both = choose(rules, rules->enabled, 0, bpf_get_prandom_u32(), now);
    both.first.is_suspect = both.second.is_suspect = true;
    struct server_state *first = LOOK_UP(server_states, both.first.server);
    struct server_state *second = LOOK_UP(server_states, both.second.server);
    bool swap = both.second.server != NO_SERVER && first != NULL && second != NULL &&
                is_heard_later(second->waiting_since, first->waiting_since, now);
    chosen->first = swap ? both.second : both.first;
    chosen->second = swap ? both.first : both.second;
    return 0;
}

// The suspect that was heard of last, less than a second ago: its place, + 1. 0: none was.
GLOBAL uint32_t pausing_place(uint32_t service, uint32_t suspects, uint64_t now) {
    uint32_t last = 0;
    uint64_t heard = 0;
    for (uint32_t place = 0; place < SERVERS_EACH; place++) {
        struct server_state *state = LOOK_UP(server_states, service * SERVERS_EACH + place);
        if ((suspects >> place & 1) == 0 || state == NULL ||
            !is_heard_later(state->waiting_since, heard, now))
            continue;
        heard = state->waiting_since;
        last = place + 1;
    }
    return last;
}

static __always_inline bool server_is_silent(uint32_t server, uint64_t now) {
    const struct server_state *state = LOOK_UP(server_states, server);
    return state != NULL &&
           is_silent(state->outstanding, state->waiting_since, state->average_ns, now);
}

// The original is trusted, but silent: with it goes the other one of the pair, or where nobody else
// is trusted a suspect that may only pause.
GLOBAL int accompany_silent(const struct service_rules *rules, const struct service_state *state,
                            const struct candidates *chosen, uint64_t now,
                            struct verdict *verdict) {
    if (rules == NULL || state == NULL || chosen == NULL || verdict == NULL)
        return -1;
    bool swapped = verdict->original != chosen->first.server;
    struct candidate other = swapped ? chosen->first : chosen->second;
    if (other.server == NO_SERVER) {
        uint32_t place = pausing_place(rules->number, rules->enabled & state->suspects, now);
        other = candidate_of(rules, (int)place - 1, now);
        other.is_suspect = true;
    }
    accompany(verdict, &other);
    return 0;
}

// A suspect that is to get a clone now, or none.
static __always_inline struct candidate choose_probe(const struct service_rules *rules,
                                                     struct service_state *state, uint64_t now) {
    struct candidate none;
    __builtin_memset(&none, 0, sizeof none);
    uint32_t suspects = rules->enabled & state->suspects;
    if (suspects == 0)
        return none;
    uint32_t reads = __sync_fetch_and_add(&state->reads, 1) + 1;
    struct candidate probe =
        candidate_of(rules, pick_pair(suspects, bpf_get_prandom_u32()).first, now);
    struct server_state *server =
        probe.server != NO_SERVER ? LOOK_UP(server_states, probe.server) : NULL;
    if (server == NULL || !is_probe_due(reads, server->last_probe, now))
        return none;
    probe.is_suspect = true;
    return probe;
}

// A suspect that is to get a request of its own now: its place, + 1. 0: none is.
GLOBAL uint32_t choose_trial(const struct service_rules *rules, const struct service_state *service,
                             uint64_t now) {
    if (rules == NULL || service == NULL)
        return 0;
    int place = pick_pair(rules->enabled & service->suspects, bpf_get_prandom_u32()).first;
    if (place < 0 || place >= SERVERS_EACH)
        return 0;
    struct server_state *state =
        LOOK_UP(server_states, (uint32_t)rules->number * SERVERS_EACH + (uint32_t)place);
    if (state == NULL || !is_trial_due(state->suspect_since, state->last_probe, now))
        return 0;
    state->last_probe = now;
    return (uint32_t)place + 1;
}

// Which of a service's servers owe an answer in this word.
static __always_inline uint32_t owing_places(slot_word word) {
    uint32_t mask = 0, a = slot_a_owes(word), b = slot_b_owes(word);
    if (a != SLOT_NOBODY)
        mask |= 1u << a % SERVERS_EACH;
    if (b != SLOT_NOBODY)
        mask |= 1u << b % SERVERS_EACH;
    return mask;
}

// The budget as it is when a request has come.
static __always_inline struct budget budget_now(const struct service_rules *rules,
                                                const struct service_state *state, bool is_read,
                                                uint64_t now) {
    return is_read && rules->budget != BUDGET_OFF ? budget_fill(state->budget, rules->budget, now)
                                                  : state->budget;
}

// --- requests ---

// Whether the server's agent may drop clones: what is counted mustn't be dropped, or a sound server
// is suspect. An agent that isn't heard gets clones like any request, until it tells again.
// NetClone's servers know clones by their header, and drop them whether they were heard or not.
static __always_inline bool may_drop(const struct service_rules *rules,
                                     const struct server_state *server, uint64_t now) {
    return rules->state == STATE_AGENT &&
           (rules->dialect == DIALECT_NETCLONE || is_agent_heard(server->told_at, now));
}

// Notes who is asked, before anybody can answer. A server that still owes an answer to the very
// same request, or to one before with the same id, could answer for the wrong one: no clone then.
GLOBAL int note_asked(struct verdict *verdict, const struct key *key,
                      const struct service_rules *rules, uint64_t now) {
    struct slot *slot = key != NULL ? LOOK_UP(slots, key->slot) : NULL;
    if (slot == NULL || verdict == NULL || rules == NULL)
        return -1;
    for (int i = 0; i < SWAP_TRIES; i++) {
        slot_word old = *(volatile slot_word *)&slot->word;
        if (verdict->clone != NO_SERVER && slot_is_of(old, key->fingerprint) &&
            owing_places(old) != 0) {
            verdict->clone = NO_SERVER;
            verdict->reason = REASON_OWED;
        }
        struct server_state *a = LOOK_UP(server_states, verdict->original);
        struct server_state *b =
            verdict->clone != NO_SERVER ? LOOK_UP(server_states, verdict->clone) : NULL;
        verdict->is_optional = b != NULL && may_drop(rules, b, now);
        slot_word word =
            slot_asked(key->fingerprint, slot_tick(now), verdict->original, verdict->clone) |
            (verdict->is_optional ? SLOT_B_OPTIONAL : 0);
        if (__sync_val_compare_and_swap(&slot->word, old, word) != old)
            continue;
        take_back(slot_a_owes(old), now);
        take_back(slot_b_counted(old), now);
        if (a != NULL)
            count_asked(a, now);
        if (b != NULL && !verdict->is_optional)
            count_asked(b, now);
        if (b != NULL && verdict->reason == REASON_PROBE)
            b->last_probe = now;
        return 0;
    }
    verdict->clone = NO_SERVER; // its answer would find no word
    verdict->reason = REASON_SLOT;
    return 0;
}

// The whole decision on one request.
static __always_inline struct verdict judge(struct __sk_buff *skb, const struct settings *settings,
                                            const struct service_rules *rules,
                                            struct service_state *state, struct packet *packet,
                                            struct scratch *scratch, uint64_t now) {
    struct verdict nobody = {NO_SERVER, NO_SERVER, REASON_ALONE, false};
    struct reading reading = {0, false, false};
    if (packet->is_plain) {
        struct payload payload = packet_payload(skb, packet, scratch);
        uint64_t read =
            read_payload(rules->dialect, rules->idempotent, payload.seen, payload.length);
        reading = (struct reading){(uint32_t)(read >> 32), (read & READING_HAS_ID) != 0,
                                   (read & READING_IS_READ) != 0};
        if (rules->dialect == DIALECT_NETCLONE && reading.has_id) {
            reading.id = netclone_id(__sync_fetch_and_add(&state->ids, 1));
            packet->id = reading.id;
            packet->group = payload_u32(&payload, NETCLONE_GRP);
        }
    }
    struct key key = key_of(settings, rules->number, &packet->source, reading.id);
    struct slot *slot = LOOK_UP(slots, key.slot);
    if (slot == NULL)
        return nobody;
    // A store, and not the load that has to come: the processor goes on while it fetches the
    // table's line for it.
    if (reading.has_id)
        *(volatile uint32_t *)&slot->asked_us = (uint32_t)(now / 1000);

    enum reason obstacle = !packet->is_plain  ? REASON_SHAPE
                           : !reading.is_read ? REASON_WRITE
                                              : REASON_CLONED;
    struct candidates chosen =
        choose_trusted(rules, state, packet->group, random_of(&key, now), now);
    struct decide_rules how = {rules->policy, rules->clone};
    struct budget budget = budget_now(rules, state, reading.is_read, now);
    struct occasion occasion = {obstacle, false,
                                rules->budget == BUDGET_OFF || budget.hundredths >= BUDGET_CLONE};
    if (chosen.first.server == NO_SERVER) // nobody is trusted
        choose_suspects(rules, now, &chosen);
    struct verdict verdict = decide(how, occasion, chosen.first, chosen.second);
    bool is_clonable = obstacle == REASON_CLONED && rules->clone != CLONE_NEVER;
    if (is_clonable && !chosen.first.is_suspect) {
        struct candidate probe = choose_probe(rules, state, now);
        if (probe.server != NO_SERVER) {
            occasion.is_probe = true;
            bool swapped = verdict.original != chosen.first.server;
            verdict = decide(how, occasion, swapped ? chosen.second : chosen.first, probe);
        }
    }
    if (!is_clonable && reading.has_id && !chosen.first.is_suspect && state->suspects != 0) {
        uint32_t place = choose_trial(rules, state, now);
        if (place != 0) {
            chosen.first = candidate_of(rules, (int)place - 1, now);
            verdict.original = chosen.first.server;
        }
    }
    if (may_accompany(&verdict, chosen.first.is_suspect, occasion.has_budget) &&
        server_is_silent(verdict.original, now))
        accompany_silent(rules, state, &chosen, now, &verdict);
    slot_word word = *(volatile slot_word *)&slot->word;
    uint32_t owing = reading.has_id && slot_is_of(word, key.fingerprint) ? owing_places(word) : 0;
    if (owing != 0) { // another server, if one is trusted
        choose_again(rules, state, owing, now, &chosen);
        if (chosen.first.server == NO_SERVER)
            choose_suspects(rules, now, &chosen);
        occasion.is_probe = false;
        if (obstacle == REASON_CLONED)
            occasion.obstacle = REASON_OWED;
        verdict = decide(how, occasion, chosen.first, chosen.second);
    }
    if (rules->budget != BUDGET_OFF) {
        if (verdict.reason == REASON_CLONED && occasion.has_budget)
            budget.hundredths -= BUDGET_CLONE;
        state->budget = budget;
    }
    if (verdict.original == NO_SERVER || !reading.has_id)
        return verdict;
    bool traced = is_traced(rules->number, now);
    uint32_t clones_queue = traced ? queue_of(verdict.clone) : 0; // before it is asked, too
    note_asked(&verdict, &key, rules, now);
    if (traced) {
        struct event *event = bpf_ringbuf_reserve(&events, sizeof *event, 0);
        if (event != NULL) {
            bool swapped = verdict.original != chosen.first.server;
            bool cloned = verdict.clone != NO_SERVER;
            const struct candidate *other = swapped ? &chosen.first : &chosen.second;
            *event = (struct event){
                .at = now,
                .client = packet->source.address,
                .port = packet->source.port,
                .kind = EVENT_ASKED,
                .reason = (uint8_t)verdict.reason,
                .service = rules->number,
                .first = (uint16_t)verdict.original,
                .second = (uint16_t)(cloned ? verdict.clone : other->server),
                .first_queue = swapped ? chosen.second.outstanding : chosen.first.outstanding,
                .second_queue = cloned ? clones_queue : other->outstanding,
            };
            bpf_ringbuf_submit(event, 0);
        }
    }
    return verdict;
}

// Sends the clone. The packet has the clone's address afterwards, and is else as it was. False:
// there is no way.
static __always_inline bool send_clone(struct __sk_buff *skb, struct packet *packet,
                                       const struct service_rules *rules,
                                       const struct verdict *verdict, uint64_t now) {
    uint32_t number = verdict->clone;
    struct server_rules *server = LOOK_UP(server_rules, number);
    struct server_state *state = LOOK_UP(server_states, number);
    if (server == NULL || state == NULL)
        return false;
    const struct way *way = NULL;
    uint32_t interface = skb->ifindex;
    asm volatile("" : "+r"(interface)); // or clang chooses between addresses, not what is there
    if (where == WHERE_SWITCH) {
        way = packet_way(skb, packet, number, server->at.address, now);
        if (way == NULL)
            return false;
        interface = way->interface;
    }
    if (state->interface != interface)
        state->interface = interface;
    packet_readdress(skb, packet, DESTINATION, &server->at);
    if (rules->dialect != DIALECT_NETCLONE && verdict->is_optional)
        packet_mark_clone(skb, packet, interface);
    bool sent;
    if (way != NULL && way->is_resolved) {
        packet_count_hop(packet);
        packet_write_frame(skb, packet, way); // the original will have others, of its own way
        sent = bpf_clone_redirect(skb, interface, 0) == 0;
    } else {
        packet_write(skb, packet);
        // On a host the route is looked up when the clone comes by here: see host_egress(). On a
        // switch nobody has asked for its hardware address yet; the kernel does, once the clone
        // comes in again.
        skb->mark = where == WHERE_HOST ? MARK_ROUTE : MARK_PASS;
        sent = bpf_clone_redirect(skb, skb->ifindex, where == WHERE_HOST ? 0 : BPF_F_INGRESS) == 0;
        skb->mark = 0;
    }
    if (packet->surplus != 0)
        packet_strip(skb, packet);
    return sent;
}

static __always_inline int send_original(struct __sk_buff *skb, struct packet *packet,
                                         uint32_t number, uint64_t now) {
    struct server_rules *server = LOOK_UP(server_rules, number);
    struct server_state *state = LOOK_UP(server_states, number);
    if (server == NULL || state == NULL)
        return TC_ACT_OK;
    packet_readdress(skb, packet, DESTINATION, &server->at);
    if (where == WHERE_HOST) {
        packet_write(skb, packet);
        state->interface = skb->ifindex;
        skb->mark = MARK_PASS;
        return (int)bpf_redirect_neigh(skb->ifindex, NULL, 0, 0);
    }
    const struct way *way =
        packet->is_plain ? packet_way(skb, packet, number, server->at.address, now) : NULL;
    if (way == NULL)
        return packet_forward(skb, packet, &state->interface);
    if (state->interface != way->interface)
        state->interface = way->interface;
    return packet_leave_by(skb, packet, way, now);
}

static __always_inline void count_decision(const struct service_rules *rules,
                                           const struct verdict *verdict) {
    struct service_counters *service = LOOK_UP(service_counters, rules->number);
    struct server_counters *original = LOOK_UP(server_counters, verdict->original);
    struct server_counters *clone = LOOK_UP(server_counters, verdict->clone);
    if (service == NULL || original == NULL || clone == NULL)
        return;
    service->requests++;
    if (verdict->reason < REASONS)
        service->by_reason[verdict->reason]++;
    original->originals++;
    if (verdict->clone != NO_SERVER && verdict->reason != REASON_ROUTE)
        clone->clones++;
}

static __always_inline uint16_t fragment_second(uint64_t now) {
    return (uint16_t)(now / SECOND);
}

static __always_inline void note_fragments(const struct packet *packet,
                                           const struct fragment_way *way) {
    struct fragment fragment = {packet->source.address, packet->destination.address, packet->ip.id,
                                packet->ip.protocol};
    if (packet->is_first_fragment)
        bpf_map_update_elem(&fragments, &fragment, way, BPF_ANY);
}

// NetClone's header of a request; servers are numbered in the order of their places.
GLOBAL int write_header(struct __sk_buff *skb, const struct packet *packet, uint32_t members,
                        uint32_t clone, uint32_t clo) {
    if (packet == NULL)
        return -1;
    packet_write_word(skb, packet, NETCLONE_SEQ, packet->id);
    packet_write_word(skb, packet, NETCLONE_CLO, clo);
    if (clone != NO_SERVER)
        packet_write_word(skb, packet, NETCLONE_SID,
                          count_bits(members & ((1u << clone % SERVERS_EACH) - 1)));
    return 0;
}

static __always_inline int asked(struct __sk_buff *skb, const struct settings *settings,
                                 const struct service_rules *rules, struct packet *packet) {
    struct service_state *service = LOOK_UP(service_states, rules->number);
    struct scratch *scratch = LOOK_UP(scratches, 0);
    // At its last hop it is the kernel's to refuse: no server gets it, so none owes an answer.
    if (service == NULL || scratch == NULL || (where == WHERE_SWITCH && packet->ip.ttl <= 1))
        return TC_ACT_OK;
    uint64_t now = bpf_ktime_get_boot_ns();
    struct verdict verdict = judge(skb, settings, rules, service, packet, scratch, now);
    struct server_rules *original = LOOK_UP(server_rules, verdict.original);
    if (verdict.original == NO_SERVER || original == NULL)
        return TC_ACT_OK;
    if (packet->id != 0)
        write_header(skb, packet, rules->members, verdict.clone,
                     verdict.clone != NO_SERVER ? 2 : 0);
    if (verdict.clone != NO_SERVER && !send_clone(skb, packet, rules, &verdict, now))
        verdict.reason = REASON_ROUTE; // it owes an answer nevertheless, and is soon suspect
    if (packet->id != 0 && verdict.clone != NO_SERVER)
        packet_write_word(skb, packet, NETCLONE_CLO, 1);
    struct fragment_way way = {original->at.address, false, fragment_second(now)};
    note_fragments(packet, &way);
    count_decision(rules, &verdict);
    return send_original(skb, packet, verdict.original, now);
}

// TCP isn't cloned, for two servers' sequence numbers are two. A flow stays where it has begun.
static __always_inline int asked_by_flow(struct __sk_buff *skb, const struct settings *settings,
                                         const struct service_rules *rules, struct packet *packet) {
    struct flow flow = {packet->source.address, packet->source.port, rules->number};
    uint32_t *known = bpf_map_lookup_elem(&flows, &flow);
    uint32_t number = known != NULL && !packet->begins_flow ? *known : NO_SERVER;
    struct server_rules *there = LOOK_UP(server_rules, number);
    if (there == NULL || there->service_number == 0) { // none yet, or one that is gone
        struct service_state *service = LOOK_UP(service_states, rules->number);
        struct service_counters *counters = LOOK_UP(service_counters, rules->number);
        if (service == NULL || counters == NULL)
            return TC_ACT_OK;
        uint32_t mask = rules->enabled & ~service->suspects;
        int place = flow_place(
            mask != 0 ? mask : rules->enabled,
            siphash(settings->key, flow.client, flow.port | (uint64_t)flow.service_number << 16));
        if (place == PAIR_NONE)
            return TC_ACT_OK;
        number = rules->number * SERVERS_EACH + (uint32_t)place;
        bpf_map_update_elem(&flows, &flow, &number, BPF_ANY);
        if (packet->begins_flow)
            counters->flows++;
    }
    return send_original(skb, packet, number, 0);
}

// --- answers ---

static __always_inline void note_answered(const struct slot_answer *answer, struct slot *slot,
                                          uint32_t number, struct server_state *state,
                                          struct server_counters *server,
                                          struct service_counters *service, uint64_t now) {
    uint32_t now_us = (uint32_t)(now / 1000);
    uint32_t asked_us = slot->asked_us;
    if (answer->first) {
        int32_t before = answer->counted ? __sync_fetch_and_add(&state->outstanding, -1) : 0;
        // A request that overtakes this one may have left a later time there.
        uint32_t took = (int32_t)(now_us - asked_us) > 0 ? now_us - asked_us : 0;
        state->average_ns = usual_time(state->average_ns, (uint64_t)took * 1000);
        state->response_us =
            (uint32_t)c3_average(state->response_us, took, state->response_us != 0);
        if (before == 1)
            state->service_us =
                (uint32_t)c3_average(state->service_us, took, state->service_us != 0);
        server->answers++;
        service->answers++;
        server->answer_time[histogram_bucket(took)]++;
    }
    if (answer->verdict == SLOT_WON) {
        slot->won_us = now_us;
        server->won++;
        if (number == slot_b(answer->word))
            service->won_by_clone++;
    } else if (answer->verdict == SLOT_LOST) {
        server->filtered++;
        // The winner's time may not be there yet, when both are handled at once.
        uint32_t won_us = slot->won_us;
        if (answer->first)
            service->filtered++;
        if (answer->first && (int32_t)(won_us - asked_us) >= 0 && (int32_t)(now_us - won_us) >= 0)
            service->saved[histogram_bucket(now_us - won_us)]++;
    }
}

enum { NO_ANSWER = -1 }; // beside an enum slot_verdict: it is something else that a server sends

// Whether the answer is to be dropped, or is none of ours.
GLOBAL int note_answer(struct __sk_buff *skb, const struct packet *packet, uint32_t dialect,
                       uint32_t number, uint64_t now) {
    uint32_t service_number = number / SERVERS_EACH;
    struct settings *settings = LOOK_UP(switch_settings, 0);
    struct server_state *state = LOOK_UP(server_states, number);
    struct server_counters *server = LOOK_UP(server_counters, number);
    struct service_counters *service = LOOK_UP(service_counters, service_number);
    if (settings == NULL || state == NULL || server == NULL || service == NULL || packet == NULL)
        return SLOT_STRANGER;
    struct scratch *scratch = LOOK_UP(scratches, 0);
    if (scratch == NULL)
        return SLOT_STRANGER;
    struct payload payload = packet_payload(skb, packet, scratch);
    struct reading reading = dialect_answer(dialect, &payload);
    if (!reading.has_id)
        return NO_ANSWER;
    struct key key = key_of(settings, service_number, &packet->destination, reading.id);
    struct slot *slot = LOOK_UP(slots, key.slot);
    // Of those that were merged on their way only the first has been read: none may be dropped.
    if (slot == NULL || skb->gso_segs > 1)
        return SLOT_STRANGER;
    for (int i = 0; i < SWAP_TRIES; i++) {
        slot_word old = *(volatile slot_word *)&slot->word;
        struct slot_answer answer = slot_answered(old, key.fingerprint, number);
        if (answer.verdict == SLOT_STRANGER)
            break;
        if (answer.word != old && __sync_val_compare_and_swap(&slot->word, old, answer.word) != old)
            continue;
        note_answered(&answer, slot, number, state, server, service, now);
        if (answer.first && is_traced(service_number, now)) {
            struct event *event = bpf_ringbuf_reserve(&events, sizeof *event, 0);
            if (event != NULL) {
                bool is_a = number == slot_a(old);
                *event = (struct event){
                    .at = now,
                    .client = packet->destination.address,
                    .port = packet->destination.port,
                    .kind = EVENT_ANSWERED,
                    .verdict = (uint8_t)answer.verdict,
                    .service = (uint8_t)service_number,
                    .first = (uint16_t)number,
                    .second = (uint16_t)(is_a ? slot_b(old) : slot_a(old)),
                    .us = (uint32_t)(now / 1000) -
                          (answer.verdict == SLOT_LOST ? slot->won_us : slot->asked_us),
                };
                bpf_ringbuf_submit(event, 0);
            }
        }
        return answer.verdict;
    }
    return SLOT_STRANGER;
}

static __always_inline int send_answer(struct __sk_buff *skb, struct packet *packet,
                                       const struct endpoint *service) {
    packet_readdress(skb, packet, SOURCE, service);
    if (packet->has_trailer)
        packet_strip(skb, packet);
    if (where == WHERE_HOST) {
        packet_write(skb, packet);
        return TC_ACT_OK; // it is for us
    }
    uint32_t ignored = 0;
    return packet_forward(skb, packet, &ignored);
}

// What the server's agent tells with the answer; in NetClone's header the server itself.
static __always_inline void note_told(struct __sk_buff *skb, struct packet *packet,
                                      enum dialect dialect, struct server_state *state,
                                      uint64_t now) {
    if (dialect == DIALECT_NETCLONE) {
        uint32_t head[NETCLONE_BYTES / 4];
        if (packet->length < sizeof head ||
            bpf_skb_load_bytes(skb, packet->payload, head, sizeof head) < 0 ||
            (head[NETCLONE_OP / 4] != bpf_htonl(NETCLONE_READ_ANSWER) &&
             head[NETCLONE_OP / 4] != bpf_htonl(NETCLONE_WRITE_ANSWER)))
            return;
        uint32_t load = bpf_ntohl(head[NETCLONE_LOAD / 4]);
        state->told = load < UINT16_MAX ? load : UINT16_MAX;
        state->told_at = now;
        return;
    }
    struct trailer trailer = packet_trailer(skb, packet);
    packet->has_trailer = trailer.what == TRAILER_QUEUE;
    if (!packet->has_trailer)
        return;
    state->told = trailer.queue;
    state->told_at = now;
}

static __always_inline int answered(struct __sk_buff *skb, uint32_t number, struct packet *packet) {
    struct server_rules *from = LOOK_UP(server_rules, number);
    struct server_state *state = LOOK_UP(server_states, number);
    struct server_counters *server = LOOK_UP(server_counters, number);
    if (from == NULL || state == NULL || server == NULL)
        return TC_ACT_OK;
    struct endpoint at = from->service;
    struct service_counters *service = LOOK_UP(service_counters, from->service_number);
    // From behind another port it isn't the server.
    if (service == NULL || from->service_number == 0 || state->interface != skb->ifindex)
        return TC_ACT_OK;
    if (packet->ip.protocol == IPPROTO_TCP) {
        struct flow flow = {packet->destination.address, packet->destination.port,
                            from->service_number};
        uint32_t *known = bpf_map_lookup_elem(&flows, &flow);
        return known != NULL && *known == number ? send_answer(skb, packet, &at) : TC_ACT_OK;
    }
    uint64_t now = bpf_ktime_get_boot_ns();
    if (from->state == STATE_AGENT)
        note_told(skb, packet, from->dialect, state, now);
    int verdict = note_answer(skb, packet, from->dialect, number, now);
    if (verdict == NO_ANSWER)
        return TC_ACT_OK;
    if (verdict == SLOT_STRANGER) {
        struct direct direct = {packet->destination.address, packet->destination.port,
                                (uint16_t)number};
        // A switch's own requests pass no hook where they could be noted.
        if (from->retired || bpf_map_lookup_elem(&directs, &direct) != NULL ||
            (where == WHERE_SWITCH && packet_is_ours(skb, packet)))
            return TC_ACT_OK;
        service->strangers++;
    }
    state->waiting_since = now;
    trust(number, state, now);
    bool drop = filter && verdict == SLOT_LOST;
    struct fragment_way way = {drop ? 0 : at.address, true, fragment_second(now)};
    note_fragments(packet, &way);
    return drop ? TC_ACT_SHOT : send_answer(skb, packet, &at);
}

// --- what has no ports ---

static __always_inline int later_fragment(struct __sk_buff *skb, struct packet *packet) {
    struct fragment fragment = {packet->source.address, packet->destination.address, packet->ip.id,
                                packet->ip.protocol};
    struct fragment_way *way = bpf_map_lookup_elem(&fragments, &fragment);
    uint16_t now = fragment_second(bpf_ktime_get_boot_ns());
    if (way == NULL || (uint16_t)(now - way->second) > FRAGMENT_LIFE)
        return TC_ACT_OK;
    if (way->address == 0)
        return TC_ACT_SHOT;
    struct endpoint to = {way->address, 0, 0};
    if (way->is_answer)
        return send_answer(skb, packet, &to);
    packet_readdress(skb, packet, DESTINATION, &to);
    if (where == WHERE_HOST) {
        packet_write(skb, packet);
        skb->mark = MARK_PASS;
        return (int)bpf_redirect_neigh(skb->ifindex, NULL, 0, 0);
    }
    uint32_t ignored = 0;
    return packet_forward(skb, packet, &ignored);
}

enum { ICMP_UNREACHABLE = 3, ICMP_UNREACHABLE_PORT = 3 }; // <linux/icmp.h> isn't for BPF

// "Destination unreachable" for a server: it is suspect at once, and not only when it is overdue.
static __always_inline void note_unreachable(struct __sk_buff *skb) {
    struct {
        uint8_t type, code;
        uint16_t checksum;
        uint32_t unused;
        struct iphdr ip;
        __be16 source, destination;
    } __attribute__((packed)) error;
    struct iphdr outer;
    if (skb->protocol != bpf_htons(ETH_P_IP) ||
        bpf_skb_load_bytes(skb, ETH_HLEN, &outer, sizeof outer) < 0 || outer.version != 4 ||
        outer.ihl != 5 || outer.protocol != IPPROTO_ICMP ||
        bpf_skb_load_bytes(skb, ETH_HLEN + sizeof outer, &error, sizeof error) < 0 ||
        error.type != ICMP_UNREACHABLE || error.code > ICMP_UNREACHABLE_PORT || error.ip.ihl != 5 ||
        error.ip.protocol != IPPROTO_UDP || !is_client(error.ip.saddr))
        return;
    struct endpoint at = {error.ip.daddr, error.destination, 0};
    uint32_t *number = bpf_map_lookup_elem(&answering, &at);
    struct server_state *state = number != NULL ? LOOK_UP(server_states, *number) : NULL;
    if (state != NULL && state->interface == skb->ifindex)
        suspect(*number, bpf_ktime_get_boot_ns());
}

// --- the hooks ---

// The rules for a client on whose host one of the servers is: that one isn't asked, for what comes
// in from outside with a host's own address is dropped there.
static __always_inline const struct service_rules *
without_its_own(const struct service_rules *rules, uint32_t client) {
    struct own_key key = {client, rules->number};
    uint32_t *own = bpf_map_lookup_elem(&own_servers, &key);
    struct service_rules *others = LOOK_UP(others_rules, 0);
    if (own == NULL || others == NULL)
        return rules;
    *others = *rules;
    others->enabled &= ~*own;
    return others;
}

static __always_inline int request_path(struct __sk_buff *skb, const struct settings *settings,
                                        struct packet *packet) {
    struct service_rules *rules = packet->to_port & PORT_OF_SERVICE
                                      ? bpf_map_lookup_elem(&services, &packet->destination)
                                      : NULL;
    if (rules != NULL && is_client(packet->source.address)) {
        const struct service_rules *to =
            servers_ask ? without_its_own(rules, packet->source.address) : rules;
        return packet->ip.protocol == IPPROTO_UDP ? asked(skb, settings, to, packet)
                                                  : asked_by_flow(skb, settings, to, packet);
    }
    bool is_udp = packet->ip.protocol == IPPROTO_UDP;
    uint32_t *number = packet->to_port & PORT_OF_SERVER && (is_udp || packet->begins_flow)
                           ? bpf_map_lookup_elem(&answering, &packet->destination)
                           : NULL;
    if (number == NULL || !is_client(packet->source.address))
        return TC_ACT_UNSPEC;
    if (is_udp) {
        struct direct direct = {packet->source.address, packet->source.port, (uint16_t)*number};
        uint32_t here = 1;
        if (bpf_map_lookup_elem(&directs, &direct) == NULL)
            bpf_map_update_elem(&directs, &direct, &here, BPF_ANY);
    } else { // nothing tells when a flow ends, but that its port is used again
        struct flow flow = {packet->source.address, packet->source.port,
                            (uint16_t)(*number / SERVERS_EACH)};
        bpf_map_delete_elem(&flows, &flow);
    }
    return TC_ACT_UNSPEC;
}

static __always_inline int answer_path(struct __sk_buff *skb, struct packet *packet) {
    uint32_t *number = packet->from_port & PORT_OF_SERVER
                           ? bpf_map_lookup_elem(&answering, &packet->source)
                           : NULL;
    if (number == NULL || !is_client(packet->destination.address))
        return TC_ACT_UNSPEC;
    return answered(skb, *number, packet);
}

// The path of what came in or goes out by a hook, or TC_ACT_OK.
SEC("tc")
int switch_ingress(struct __sk_buff *skb) {
    struct packet packet;
    if (skb->mark == MARK_PASS) {
        skb->mark = 0;
        return TC_ACT_OK;
    }
    enum packet_kind kind = packet_read(skb, &packet);
    if (kind == PACKET_OTHER)
        return TC_ACT_OK;
    if (kind == PACKET_ICMP) {
        note_unreachable(skb);
        return TC_ACT_OK;
    }
    if (kind == PACKET_LATER_FRAGMENT)
        return later_fragment(skb, &packet);
    struct settings *settings = LOOK_UP(switch_settings, 0);
    int action = settings != NULL ? request_path(skb, settings, &packet) : TC_ACT_OK;
    if (action == TC_ACT_UNSPEC)
        action = answer_path(skb, &packet);
    return action == TC_ACT_UNSPEC ? TC_ACT_OK : action;
}

SEC("tc")
int host_egress(struct __sk_buff *skb) {
    struct packet packet;
    if (skb->mark == MARK_PASS) {
        skb->mark = 0;
        return TC_ACT_OK;
    }
    if (skb->mark == MARK_ROUTE) {
        skb->mark = MARK_PASS;
        return (int)bpf_redirect_neigh(skb->ifindex, NULL, 0, 0);
    }
    enum packet_kind kind = packet_read(skb, &packet);
    if (kind == PACKET_LATER_FRAGMENT)
        return later_fragment(skb, &packet);
    struct settings *settings = LOOK_UP(switch_settings, 0);
    if (kind != PACKET_WHOLE || settings == NULL)
        return TC_ACT_OK;
    int action = request_path(skb, settings, &packet);
    return action == TC_ACT_UNSPEC ? TC_ACT_OK : action;
}

SEC("tc")
int host_ingress(struct __sk_buff *skb) {
    struct packet packet;
    enum packet_kind kind = packet_read(skb, &packet);
    if (kind == PACKET_LATER_FRAGMENT)
        return later_fragment(skb, &packet);
    if (kind == PACKET_ICMP)
        note_unreachable(skb);
    if (kind != PACKET_WHOLE)
        return TC_ACT_OK;
    int action = answer_path(skb, &packet);
    return action == TC_ACT_UNSPEC ? TC_ACT_OK : action;
}

// --- the sweep: words expire ---

// A sixteenth of the table at a time, so that each is visited about once a second.
enum { SWEEP_PARTS = 16 };

struct sweep_part {
    uint64_t first, now;
};

static long sweep_slot(uint32_t index, struct sweep_part *part) {
    struct slot *slot = LOOK_UP(slots, (uint32_t)(part->first + index) & slot_mask);
    if (slot == NULL)
        return 1;
    slot_word word = *(volatile slot_word *)&slot->word;
    if (!slot_expired(word, slot_tick(part->now)) ||
        __sync_val_compare_and_swap(&slot->word, word, 0) != word)
        return 0;
    take_back(slot_a_owes(word), part->now);
    take_back(slot_b_counted(word), part->now);
    return 0;
}

static int sweep(void *map, uint32_t *key, struct sweep *state) {
    (void)map;
    (void)key;
    uint32_t count = (slot_mask + 1) / SWEEP_PARTS;
    struct sweep_part part = {state->next, bpf_ktime_get_boot_ns()};
    bpf_loop(count, sweep_slot, &part, 0);
    state->next += count;
    bpf_timer_start(&state->timer, UINT64_C(1) << SLOT_TICK_SHIFT, 0);
    return 0;
}

// Run once by the tool, for the program that has taken over to sweep as well.
SEC("tc")
int start_sweeping(struct __sk_buff *skb) {
    (void)skb;
    struct sweep *state = LOOK_UP(sweeps, 0);
    if (state == NULL)
        return -1;
    bpf_timer_init(&state->timer, &sweeps, 7); // CLOCK_BOOTTIME; it may have been before
    if (bpf_timer_set_callback(&state->timer, sweep) < 0)
        return -2;
    return bpf_timer_start(&state->timer, UINT64_C(1) << SLOT_TICK_SHIFT, 0) < 0 ? -3 : 0;
}
