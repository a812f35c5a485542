// SPDX-License-Identifier: Apache-2.0
// The slot's word: every state it can have times everything that can happen, and the invariants I1
// to I3 over long random histories and over two threads that race.
#include "slot.h"
#include "test.h"

#include <pthread.h>

enum { FINGERPRINT = 0xfeedbeef, OTHER = 0x0badcafe, A = 37, B = 1023, C = 5 };

// All words of a request to a, or to a and b, that can be reached: two bits for answers, three
// winners.
static void each_answer_in_each_state_is_judged(void **state) {
    (void)state;
    int states = 0;
    for (uint32_t b = 0; b <= B; b += B)
        for (int bits = 0; bits < 16; bits++) {
            int winner = bits & SLOT_WINNER;
            bool a_answered = bits & SLOT_A_ANSWERED, b_answered = bits & SLOT_B_ANSWERED;
            bool reachable = winner == 0               ? !a_answered && !b_answered
                             : winner == SLOT_WINNER_A ? a_answered
                             : winner == SLOT_WINNER_B ? b_answered
                                                       : false;
            if (!reachable || (b == SLOT_NOBODY && b_answered))
                continue;
            states++;
            slot_word word = slot_asked(FINGERPRINT, 200, A, b) | bits;
            // What isn't of this request, or of neither server, changes nothing and passes.
            struct slot_answer answer = slot_answered(word, OTHER, A);
            assert_true(answer.word == word && answer.verdict == SLOT_STRANGER && !answer.first);
            answer = slot_answered(word, FINGERPRINT, C);
            assert_true(answer.word == word && answer.verdict == SLOT_STRANGER && !answer.first);
            answer = slot_answered(word, FINGERPRINT, SLOT_NOBODY);
            assert_true(answer.word == word && answer.verdict == SLOT_STRANGER && !answer.first);
            for (int from_b = 0; from_b < (b == SLOT_NOBODY ? 1 : 2); from_b++) {
                int mine = from_b ? SLOT_WINNER_B : SLOT_WINNER_A;
                bool had = from_b ? b_answered : a_answered;
                answer = slot_answered(word, FINGERPRINT, from_b ? b : A);
                assert_int_equal(answer.verdict, winner == 0      ? SLOT_WON
                                                 : winner == mine ? SLOT_MORE
                                                                  : SLOT_LOST);
                assert_int_equal(answer.first, !had);
                assert_int_equal(answer.word & SLOT_WINNER, winner == 0 ? mine : winner);
                assert_int_equal(from_b ? slot_b_owes(answer.word) : slot_a_owes(answer.word),
                                 SLOT_NOBODY);
                // The other one's debt, the servers and the time stay.
                assert_int_equal(from_b ? slot_a_owes(answer.word) : slot_b_owes(answer.word),
                                 from_b ? slot_a_owes(word) : slot_b_owes(word));
                assert_int_equal(answer.word >> 4, word >> 4);
                // Again it changes nothing more.
                assert_true(slot_answered(answer.word, FINGERPRINT, from_b ? b : A).word ==
                            answer.word);
            }
        }
    assert_int_equal(states, 5 + 2);
}

static void a_free_word_knows_nobody(void **state) {
    (void)state;
    assert_false(slot_is_of(0, 0));
    assert_int_equal(slot_answered(0, 0, A).verdict, SLOT_STRANGER);
    assert_int_equal(slot_answered(0, 0, SLOT_NOBODY).verdict, SLOT_STRANGER);
    assert_int_equal(slot_a_owes(0), SLOT_NOBODY);
    assert_int_equal(slot_winner(0), SLOT_NOBODY);
    for (uint32_t tick = 0; tick < SLOT_TICKS; tick++)
        assert_false(slot_expired(0, tick));
}

static void a_word_expires_once_at_every_tick(void **state) {
    (void)state;
    for (uint32_t asked = 0; asked < SLOT_TICKS; asked++) {
        slot_word word = slot_asked(FINGERPRINT, asked, A, B);
        for (uint32_t age = 0; age < SLOT_TICKS; age++)
            assert_int_equal(slot_expired(word, (asked + age) % SLOT_TICKS),
                             age >= SLOT_LIFE && age < SLOT_TICKS - SLOT_AHEAD);
    }
}

static void all_servers_have_numbers(void **state) {
    (void)state;
    for (uint32_t a = 1; a < SLOT_SERVERS; a++) {
        uint32_t b = SLOT_SERVERS - a;
        slot_word word = slot_asked(UINT32_MAX, UINT32_MAX, a, b);
        assert_int_equal(slot_a(word), a);
        assert_int_equal(slot_b(word), b);
        assert_true(slot_is_of(word, UINT32_MAX));
        assert_int_equal(slot_winner(slot_answered(word, UINT32_MAX, a).word), a);
    }
}

// --- histories ---

enum { SLOTS = 4, REQUESTS = 8, SERVERS_HERE = 5 };

// What has happened to one request (client, port and id), as an onlooker knows it.
struct request {
    bool asked;
    bool forwarded[SERVERS_HERE + 1]; // since it was asked last
};

struct table {
    slot_word slots[SLOTS];
    int outstanding[SERVERS_HERE + 1];
};

static void take_back(struct table *table, slot_word word) {
    table->outstanding[slot_a_owes(word)]--;
    table->outstanding[slot_b_counted(word)]--;
}

static void outstanding_are_owed(const struct table *table) {
    int owed[SERVERS_HERE + 1] = {0};
    for (int i = 0; i < SLOTS; i++) {
        owed[slot_a_owes(table->slots[i])]++;
        owed[slot_b_counted(table->slots[i])]++;
    }
    for (int server = 1; server <= SERVERS_HERE; server++)
        assert_int_equal(table->outstanding[server], owed[server]);
}

static void histories_keep_the_invariants(void **state) {
    (void)state;
    uint64_t seed = 20261124;
    struct table table = {0};
    struct request requests[REQUESTS] = {0};
    int dropped = 0, expired = 0;
    for (int step = 0; step < 400000; step++) {
        uint64_t random = test_random(&seed);
        uint32_t which = (uint32_t)(random % REQUESTS);
        struct request *request = &requests[which];
        slot_word *slot = &table.slots[which % SLOTS]; // two requests to each slot
        uint32_t tick = (uint32_t)step * 4 % SLOT_TICKS;
        uint32_t fingerprint = 1000 + which;
        if (random >> 8 & 1) {
            uint32_t a = 1 + (uint32_t)(random >> 16) % SERVERS_HERE;
            uint32_t b = (uint32_t)(random >> 32) % (SERVERS_HERE + 1);
            take_back(&table, *slot);
            *slot = slot_asked(fingerprint, tick, a, b == a ? SLOT_NOBODY : b) |
                    (random >> 40 & 1 ? SLOT_B_OPTIONAL : 0);
            table.outstanding[slot_a_owes(*slot)]++;
            table.outstanding[slot_b_counted(*slot)]++;
            *request = (struct request){.asked = true};
        } else if (random >> 9 & 7) {
            uint32_t server = 1 + (uint32_t)(random >> 16) % SERVERS_HERE;
            bool live = slot_is_of(*slot, fingerprint);
            struct slot_answer answer = slot_answered(*slot, fingerprint, server);
            table.outstanding[server] -= answer.counted;
            *slot = answer.word;
            int others = 0;
            for (uint32_t other = 1; other <= SERVERS_HERE; other++)
                others += other != server && request->forwarded[other];
            if (answer.verdict == SLOT_LOST) {
                assert_true(request->asked && others > 0); // I1
                dropped++;
            } else if (answer.verdict != SLOT_STRANGER) {
                assert_true(live);
                for (uint32_t other = 1; other <= SERVERS_HERE; other++) // I2
                    assert_false(other != server && request->forwarded[other] &&
                                 (other == slot_a(*slot) || other == slot_b(*slot)));
                request->forwarded[server] = true;
            }
        } else if (slot_expired(*slot, tick)) {
            take_back(&table, *slot);
            *slot = 0;
            expired++;
        }
        table.outstanding[SLOT_NOBODY] = 0;
        outstanding_are_owed(&table); // I3
    }
    assert_true(dropped > 1000 && expired > 100);
}

// --- two threads ---

enum { RACES = 100000 };

static slot_word raced[RACES];
static pthread_barrier_t start;

struct racer {
    uint32_t server;
    int won, lost, strangers, first;
};

static void *answer_all(void *argument) {
    struct racer *racer = argument;
    for (int i = 0; i < RACES; i++) {
        if (i % 1000 == 0)
            pthread_barrier_wait(&start);
        enum slot_verdict verdict = SLOT_STRANGER;
        for (int try = 0; try < 4; try++) {
            slot_word old = *(volatile slot_word *)&raced[i];
            struct slot_answer answer = slot_answered(old, FINGERPRINT, racer->server);
            if (__sync_val_compare_and_swap(&raced[i], old, answer.word) != old)
                continue;
            verdict = answer.verdict;
            racer->first += answer.first;
            break;
        }
        racer->won += verdict == SLOT_WON;
        racer->lost += verdict == SLOT_LOST;
        racer->strangers += verdict == SLOT_STRANGER;
    }
    return NULL;
}

static void of_two_answers_that_race_one_is_dropped(void **state) {
    (void)state;
    for (int i = 0; i < RACES; i++)
        raced[i] = slot_asked(FINGERPRINT, 0, A, B);
    struct racer racers[2] = {{.server = A}, {.server = B}};
    pthread_t threads[2];
    pthread_barrier_init(&start, NULL, 2);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, answer_all, &racers[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    // Two changes are the most that can come between: four tries are always enough.
    assert_int_equal(racers[0].strangers + racers[1].strangers, 0);
    assert_int_equal(racers[0].won + racers[1].won, RACES);
    assert_int_equal(racers[0].lost + racers[1].lost, RACES);
    assert_int_equal(racers[0].first + racers[1].first, 2 * RACES);
    for (int i = 0; i < RACES; i++)
        assert_true(slot_a_owes(raced[i]) == SLOT_NOBODY && slot_b_owes(raced[i]) == SLOT_NOBODY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_answer_in_each_state_is_judged),
        cmocka_unit_test(a_free_word_knows_nobody),
        cmocka_unit_test(a_word_expires_once_at_every_tick),
        cmocka_unit_test(all_servers_have_numbers),
        cmocka_unit_test(histories_keep_the_invariants),
        cmocka_unit_test(of_two_answers_that_race_one_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
