// SPDX-License-Identifier: Apache-2.0
// Meeting: who is let in, who isn't, and how waiting ends. Over TCP on the loopback interface.
#include "failure.h"
#include "wire.h"
#include "wire_pair.h"
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

// After failure.h: cmocka has a macro named fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct failure failure;
static const uint8_t right_key[WIRE_KEY_BYTES] = "the right key, thirty-two bytes";
static const uint8_t wrong_key[WIRE_KEY_BYTES] = "the wrong key, thirty-two bytes";

static void expect_failure(const struct failure *got, enum exit_code code, const char *text) {
    assert_int_equal(got->code, code);
    if (!strstr(got->text, text))
        print_error("'%s' is not in '%s'\n", text, got->text);
    assert_non_null(strstr(got->text, text));
}

// --- A name server that doesn't answer ---

static sem_t slow_answer;

// In libc's place.
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **addresses) {
    int (*ask)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    if (name != NULL && strcmp(name, "slow.example") == 0) {
        sem_wait(&slow_answer);
        return EAI_AGAIN;
    }
    *(void **)&ask = dlsym(RTLD_NEXT, "getaddrinfo");
    return ask(name, service, hints, addresses);
}

static void a_name_server_that_does_not_answer_is_not_waited_for(void **state) {
    (void)state;
    sem_init(&slow_answer, 0, 0);
    assert_null(wire_connect("slow.example", 1, right_key, &plain_options, -1, deadline_in_ms(1),
                             &failure));
    expect_failure(&failure, EXIT_PEER, "can't find host 'slow.example': no answer in time");
    int cancel[2];
    assert_int_equal(pipe(cancel), 0);
    assert_int_equal(write(cancel[1], "x", 1), 1);
    assert_null(
        wire_connect("slow.example", 1, right_key, &plain_options, cancel[0], SOON, &failure));
    assert_int_equal(failure.code, EXIT_INTERRUPTED);
    close(cancel[0]);
    close(cancel[1]);
    sem_post(&slow_answer);
    sem_post(&slow_answer);
}

// --- Serve, in a thread ---

struct serve {
    pthread_t thread;
    int listen_fd;
    uint16_t port;
    int cancel[2]; // a byte in it ends the waiting
    struct wire_options options;
    int64_t deadline_ns;
    struct wire *wire;
    unsigned rejected;
    struct failure failure;
};

static void *run_serve(void *context) {
    struct serve *serve = context;
    serve->wire = wire_accept(serve->listen_fd, right_key, &serve->options, serve->cancel[0],
                              serve->deadline_ns, &serve->rejected, &serve->failure);
    return NULL;
}

static void serve_start_until(struct serve *serve, int64_t deadline_ns) {
    *serve = (struct serve){.options = plain_options, .deadline_ns = deadline_ns};
    serve->listen_fd = wire_listen("127.0.0.1", 0, 0, &serve->port, &failure);
    assert_true(serve->listen_fd >= 0);
    assert_int_equal(pipe(serve->cancel), 0);
    assert_int_equal(pthread_create(&serve->thread, NULL, run_serve, serve), 0);
}

static void serve_start(struct serve *serve) {
    serve_start_until(serve, SOON);
}

static void serve_join(struct serve *serve) {
    pthread_join(serve->thread, NULL);
    close(serve->listen_fd);
    close(serve->cancel[0]);
    close(serve->cancel[1]);
}

static void serve_cancel(struct serve *serve) {
    assert_int_equal(write(serve->cancel[1], "x", 1), 1);
    serve_join(serve);
    assert_null(serve->wire);
    expect_failure(&serve->failure, EXIT_INTERRUPTED, "interrupted");
}

static struct wire *pull(const struct serve *serve, const uint8_t *key) {
    return wire_connect("127.0.0.1", serve->port, key, &plain_options, -1, SOON, &failure);
}

// The right peer comes and is let in. Returns how many others were turned away before.
static unsigned serve_meets(struct serve *serve) {
    struct wire_item item;
    struct wire *wire = pull(serve, right_key);
    assert_non_null(wire);
    serve_join(serve);
    assert_non_null(serve->wire);
    assert_int_equal(wire_send(wire, WIRE_COMMIT, NULL, &failure), 0);
    assert_int_equal(wire_finish(wire, SOON, &failure), 0);
    assert_int_equal(wire_next(serve->wire, &item, SOON, &failure), 1);
    wire_item_release(&item);
    assert_int_equal(wire_next(serve->wire, &item, SOON, &failure), 0);
    wire_close(wire);
    wire_close(serve->wire);
    return serve->rejected;
}

// --- A bare connection, for peers that don't play by the rules ---

static int dial(const struct serve *serve) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(serve->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = 10}; // a serve that has ended answers nothing
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static void write_all(int fd, const void *bytes, size_t length) {
    assert_int_equal(send(fd, bytes, length, MSG_NOSIGNAL), length);
}

static void read_all(int fd, void *bytes, size_t length) {
    assert_int_equal(recv(fd, bytes, length, MSG_WAITALL), length);
}

static void expect_hang_up(int fd) {
    uint8_t byte;
    while (recv(fd, &byte, 1, 0) > 0) {
    }
    close(fd);
}

static int answer(int listen_fd) {
    struct pollfd wait = {.fd = listen_fd, .events = POLLIN};
    assert_int_equal(poll(&wait, 1, 30000), 1);
    return accept(listen_fd, NULL, NULL);
}

// --- Tests ---

static void two_ends_with_the_same_key_meet(void **state) {
    (void)state;
    struct serve serve;
    serve_start(&serve);
    assert_int_equal(serve_meets(&serve), 0);
}

static void both_know_the_others_name(void **state) {
    (void)state;
    struct serve serve;
    char name[64];
    char wanted[64];
    serve_start(&serve);
    struct wire *wire = pull(&serve, right_key);
    serve_join(&serve);
    snprintf(wanted, sizeof wanted, "127.0.0.1:%u", serve.port);
    wire_peer_name(wire, name);
    assert_string_equal(name, wanted);
    wire_peer_name(serve.wire, name);
    assert_memory_equal(name, "127.0.0.1:", 10);
    wire_close(wire);
    wire_close(serve.wire);
}

static void a_peer_with_the_wrong_key_is_dropped_and_the_right_one_let_in(void **state) {
    (void)state;
    struct serve serve;
    serve_start(&serve);
    for (int i = 0; i < 2; i++) {
        assert_null(pull(&serve, wrong_key));
        expect_failure(&failure, EXIT_PEER, "session key");
    }
    assert_int_equal(serve_meets(&serve), 2);
}

static void an_impostor_of_serve_is_found_out(void **state) {
    (void)state;
    struct serve serve;
    serve_start(&serve);
    // It has another key, and doesn't care about ours.
    int fd = dial(&serve);
    uint8_t bytes[WIRE_PROOF];
    static struct wire_handshake impostor;
    assert_int_equal(wire_handshake_begin(&impostor, WIRE_SERVE, wrong_key, &failure), 0);
    static struct wire_handshake honest;
    assert_int_equal(wire_handshake_begin(&honest, WIRE_PULL, right_key, &failure), 0);
    assert_int_equal(wire_handshake_hello(&honest, impostor.hello, &failure), 0);
    assert_int_equal(wire_handshake_hello(&impostor, honest.hello, &failure), 0);
    assert_int_equal(wire_handshake_prove(&honest, impostor.proof, &failure), -1);
    expect_failure(&failure, EXIT_PEER, "session key");
    // The true serve shows no proof to who has none.
    write_all(fd, honest.hello, WIRE_HELLO);
    read_all(fd, bytes, WIRE_HELLO);
    write_all(fd, impostor.proof, WIRE_PROOF);
    expect_hang_up(fd);
    assert_int_equal(serve_meets(&serve), 1);
}

static void strangers_are_dropped(void **state) {
    (void)state;
    struct serve serve;
    serve_start(&serve);
    int garbage = dial(&serve);
    write_all(garbage, "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n", 48);
    expect_hang_up(garbage);
    int silent = dial(&serve);
    shutdown(silent, SHUT_WR);
    uint8_t hello[WIRE_HELLO];
    read_all(silent, hello, WIRE_HELLO);
    expect_hang_up(silent);
    assert_int_equal(serve_meets(&serve), 2);
}

// Five connect before the right peer, and just sit there.
static void who_dawdles_holds_nobody_up(void **state) {
    (void)state;
    struct serve serve;
    int dawdlers[5];
    uint8_t hello[WIRE_HELLO];
    serve_start(&serve);
    for (int i = 0; i < 5; i++) {
        dawdlers[i] = dial(&serve);
        read_all(dawdlers[i], hello, WIRE_HELLO);
        write_all(dawdlers[i], hello, 10);
    }
    assert_int_equal(serve_meets(&serve), 0);
    for (int i = 0; i < 5; i++)
        expect_hang_up(dawdlers[i]);
}

// As many as serve listens to at a time: the right peer gets in when they are dropped.
static void who_dawdles_is_dropped(void **state) {
    (void)state;
    enum { MANY = 16 };
    struct serve serve;
    int dawdlers[MANY];
    serve_start(&serve);
    for (int i = 0; i < MANY; i++)
        dawdlers[i] = dial(&serve);
    assert_in_range(serve_meets(&serve), 1, MANY);
    for (int i = 0; i < MANY; i++)
        close(dawdlers[i]);
}

static void a_reflection_is_dropped(void **state) {
    (void)state;
    struct serve serve;
    uint8_t bytes[WIRE_PROOF];
    serve_start(&serve);
    int fd = dial(&serve);
    read_all(fd, bytes, WIRE_HELLO);
    write_all(fd, bytes, WIRE_HELLO);
    expect_hang_up(fd);
    assert_int_equal(serve_meets(&serve), 1);
}

// A man in the middle records a whole session and plays pull's part again to another serve with the
// same key, and serve's part to another pull.
static void a_recording_opens_nothing(void **state) {
    (void)state;
    static struct wire_handshake old_serve, old_pull, fresh_serve, fresh_pull;
    assert_int_equal(wire_handshake_begin(&old_serve, WIRE_SERVE, right_key, &failure), 0);
    assert_int_equal(wire_handshake_begin(&old_pull, WIRE_PULL, right_key, &failure), 0);
    assert_int_equal(wire_handshake_hello(&old_serve, old_pull.hello, &failure), 0);
    assert_int_equal(wire_handshake_hello(&old_pull, old_serve.hello, &failure), 0);
    assert_int_equal(wire_handshake_prove(&old_serve, old_pull.proof, &failure), 0);

    assert_int_equal(wire_handshake_begin(&fresh_serve, WIRE_SERVE, right_key, &failure), 0);
    assert_int_equal(wire_handshake_hello(&fresh_serve, old_pull.hello, &failure), 0);
    assert_int_equal(wire_handshake_prove(&fresh_serve, old_pull.proof, &failure), -1);
    assert_int_equal(wire_handshake_begin(&fresh_pull, WIRE_PULL, right_key, &failure), 0);
    assert_int_equal(wire_handshake_hello(&fresh_pull, old_serve.hello, &failure), 0);
    assert_int_equal(wire_handshake_prove(&fresh_pull, old_serve.proof, &failure), -1);

    struct serve serve;
    uint8_t hello[WIRE_HELLO];
    serve_start(&serve);
    int fd = dial(&serve);
    write_all(fd, old_pull.hello, WIRE_HELLO);
    write_all(fd, old_pull.proof, WIRE_PROOF);
    read_all(fd, hello, WIRE_HELLO);
    expect_hang_up(fd);
    assert_int_equal(serve_meets(&serve), 1);
}

// Two pulls, connected with each other by a man in the middle, both have the key; neither may take
// the other for serve.
static void two_ends_of_one_role_do_not_meet(void **state) {
    (void)state;
    static struct wire_handshake one, other;
    for (enum wire_role role = WIRE_SERVE; role <= WIRE_PULL; role++) {
        assert_int_equal(wire_handshake_begin(&one, role, right_key, &failure), 0);
        assert_int_equal(wire_handshake_begin(&other, role, right_key, &failure), 0);
        assert_int_equal(wire_handshake_hello(&one, other.hello, &failure), 0);
        assert_int_equal(wire_handshake_hello(&other, one.hello, &failure), 0);
        assert_int_equal(wire_handshake_prove(&one, other.proof, &failure), -1);
        expect_failure(&failure, EXIT_PEER, "session key");
    }
}

// Returns whether both ends accept the handshake when bit `bit` of one of pull's two letters is
// flipped.
static bool meet_with_flipped_bit(bool in_proof, size_t bit, size_t *bits) {
    static struct wire_handshake serve, pull;
    uint8_t hello[WIRE_HELLO];
    uint8_t proof[WIRE_PROOF];
    assert_int_equal(wire_handshake_begin(&serve, WIRE_SERVE, right_key, &failure), 0);
    assert_int_equal(wire_handshake_begin(&pull, WIRE_PULL, right_key, &failure), 0);
    assert_int_equal(wire_handshake_hello(&pull, serve.hello, &failure), 0);
    memcpy(hello, pull.hello, sizeof hello);
    memcpy(proof, pull.proof, sizeof proof);
    uint8_t *letter = in_proof ? proof : hello;
    *bits = 8 * (in_proof ? sizeof proof : sizeof hello);
    letter[bit / 8] ^= (uint8_t)(1u << bit % 8);
    return wire_handshake_hello(&serve, hello, &failure) == 0 &&
           wire_handshake_prove(&serve, proof, &failure) == 0;
}

static void no_bit_of_the_handshake_can_be_flipped(void **state) {
    (void)state;
    size_t bits = 1;
    for (size_t bit = 0; bit < bits; bit++) {
        assert_false(meet_with_flipped_bit(false, bit, &bits));
        assert_int_equal(failure.code, EXIT_PEER);
    }
    bits = 1;
    for (size_t bit = 0; bit < bits; bit++) {
        assert_false(meet_with_flipped_bit(true, bit, &bits));
        assert_int_equal(failure.code, EXIT_PEER);
    }
}

static void a_weak_public_key_is_refused(void **state) {
    (void)state;
    static struct wire_handshake serve;
    assert_int_equal(wire_handshake_begin(&serve, WIRE_SERVE, right_key, &failure), 0);
    uint8_t hello[WIRE_HELLO];
    memcpy(hello, serve.hello, sizeof hello);
    memset(hello + 16, 0, 32);
    assert_int_equal(wire_handshake_hello(&serve, hello, &failure), -1);
    expect_failure(&failure, EXIT_PEER, "weak");
}

struct late {
    uint16_t port;
    struct wire *wire;
    struct failure failure;
};

static void *pull_early(void *context) {
    struct late *late = context;
    late->wire =
        wire_connect("localhost", late->port, right_key, &plain_options, -1, SOON, &late->failure);
    return NULL;
}

// Both ends' hellos say so, and the version that both then use is returned, or 0.
static uint32_t version_of(uint8_t serves_oldest, uint8_t serves_newest, uint8_t pulls_oldest,
                           uint8_t pulls_newest) {
    static struct wire_handshake serve, pull;
    assert_int_equal(wire_handshake_begin(&serve, WIRE_SERVE, right_key, &failure), 0);
    assert_int_equal(wire_handshake_begin(&pull, WIRE_PULL, right_key, &failure), 0);
    serve.hello[WIRE_HELLO_OLDEST] = serves_oldest;
    serve.hello[WIRE_HELLO_NEWEST] = serves_newest;
    pull.hello[WIRE_HELLO_OLDEST] = pulls_oldest;
    pull.hello[WIRE_HELLO_NEWEST] = pulls_newest;
    int ends = wire_handshake_hello(&serve, pull.hello, &failure);
    assert_int_equal(wire_handshake_hello(&pull, serve.hello, &failure), ends);
    if (ends < 0) {
        assert_int_equal(failure.code, EXIT_PEER);
        return 0;
    }
    assert_int_equal(wire_handshake_prove(&serve, pull.proof, &failure), 0);
    assert_int_equal(wire_handshake_prove(&pull, serve.proof, &failure), 0);
    assert_int_equal(serve.session.version, pull.session.version);
    return serve.session.version;
}

static void the_highest_version_of_both_is_used(void **state) {
    (void)state;
    assert_int_equal(version_of(3, 3, 3, 3), 3);
    assert_int_equal(version_of(3, 5, 3, 4), 4);
    assert_int_equal(version_of(3, 4, 4, 9), 4);
    assert_int_equal(version_of(4, 4, 3, 7), 4);
    assert_int_equal(version_of(3, 3, 4, 9), 0);
    assert_int_equal(version_of(6, 9, 3, 5), 0);
}

static void pull_says_which_versions_do_not_fit(void **state) {
    (void)state;
    struct late late;
    int listen_fd = wire_listen("127.0.0.1", 0, 0, &late.port, &failure);
    pthread_t thread;
    pthread_create(&thread, NULL, pull_early, &late);
    static struct wire_handshake newer;
    assert_int_equal(wire_handshake_begin(&newer, WIRE_SERVE, right_key, &failure), 0);
    newer.hello[WIRE_HELLO_NEWEST] = newer.hello[WIRE_HELLO_OLDEST] = 7;
    int fd = answer(listen_fd);
    write_all(fd, newer.hello, WIRE_HELLO);
    pthread_join(thread, NULL);
    assert_null(late.wire);
    expect_failure(&late.failure, EXIT_PEER, "up to version 7");
    expect_failure(&late.failure, EXIT_PEER, "versions 4 to 5");
    close(fd);
    close(listen_fd);
}

static void serve_tells_why_it_turned_peers_away(void **state) {
    (void)state;
    struct serve serve;
    serve_start_until(&serve, deadline_in_ms(2000));
    static struct wire_handshake newer;
    uint8_t hello[WIRE_HELLO];
    assert_int_equal(wire_handshake_begin(&newer, WIRE_PULL, right_key, &failure), 0);
    newer.hello[WIRE_HELLO_NEWEST] = newer.hello[WIRE_HELLO_OLDEST] = 7;
    int fd = dial(&serve);
    write_all(fd, newer.hello, WIRE_HELLO);
    read_all(fd, hello, WIRE_HELLO); // so that the other side can tell, too
    expect_hang_up(fd);
    serve_join(&serve);
    assert_null(serve.wire);
    assert_int_equal(serve.rejected, 1);
    expect_failure(&serve.failure, EXIT_DEADLINE, "1 others were turned away");
    expect_failure(&serve.failure, EXIT_DEADLINE, "version 7");
}

static void waiting_for_a_peer_ends_at_the_deadline(void **state) {
    (void)state;
    struct serve serve;
    serve_start_until(&serve, deadline_in_ms(20));
    serve_join(&serve);
    assert_null(serve.wire);
    expect_failure(&serve.failure, EXIT_DEADLINE, "no peer came");
}

static void waiting_for_a_peer_can_be_cancelled(void **state) {
    (void)state;
    struct serve serve;
    serve_start(&serve);
    int dawdler = dial(&serve);
    serve_cancel(&serve);
    expect_hang_up(dawdler);
}

static void connecting_to_nobody_fails_at_the_deadline(void **state) {
    (void)state;
    uint16_t port;
    int listen_fd = wire_listen("127.0.0.1", 0, 0, &port, &failure);
    close(listen_fd);
    assert_null(wire_connect("127.0.0.1", port, right_key, &plain_options, -1, deadline_in_ms(250),
                             &failure));
    expect_failure(&failure, EXIT_PEER, "can't reach 127.0.0.1:");
}

static void connecting_can_be_cancelled(void **state) {
    (void)state;
    uint16_t port;
    int cancel[2];
    assert_int_equal(pipe(cancel), 0);
    assert_int_equal(write(cancel[1], "x", 1), 1);
    int listen_fd = wire_listen("127.0.0.1", 0, 0, &port, &failure);
    // Nobody answers.
    assert_null(
        wire_connect("127.0.0.1", port, right_key, &plain_options, cancel[0], SOON, &failure));
    expect_failure(&failure, EXIT_INTERRUPTED, "interrupted");
    close(listen_fd);
    // Nobody is there.
    assert_null(
        wire_connect("127.0.0.1", port, right_key, &plain_options, cancel[0], SOON, &failure));
    expect_failure(&failure, EXIT_INTERRUPTED, "interrupted");
    close(cancel[0]);
    close(cancel[1]);
}

static void a_peer_that_never_answers_is_left_at_the_deadline(void **state) {
    (void)state;
    uint16_t port;
    int listen_fd = wire_listen("127.0.0.1", 0, 0, &port, &failure);
    assert_null(wire_connect("127.0.0.1", port, right_key, &plain_options, -1, deadline_in_ms(50),
                             &failure));
    expect_failure(&failure, EXIT_DEADLINE, "didn't answer");
    close(listen_fd);
}

// The port is refused at first, then somebody takes the connection and closes it at once, then
// serve is there.
static void connecting_goes_on_until_serve_is_there(void **state) {
    (void)state;
    struct late late;
    int listen_fd = wire_listen("127.0.0.1", 0, 0, &late.port, &failure);
    pthread_t thread;
    pthread_create(&thread, NULL, pull_early, &late);
    close(answer(listen_fd));
    close(listen_fd);
    uint16_t port;
    listen_fd = wire_listen("127.0.0.1", late.port, late.port, &port, &failure);
    assert_true(listen_fd >= 0);
    struct wire *wire = wire_accept(listen_fd, right_key, &plain_options, -1, SOON, NULL, &failure);
    assert_non_null(wire);
    pthread_join(thread, NULL);
    assert_non_null(late.wire);
    wire_close(wire);
    wire_close(late.wire);
    close(listen_fd);
}

static void an_unknown_host_is_a_peers_failure(void **state) {
    (void)state;
    assert_null(wire_connect("no such host", 1, right_key, &plain_options, -1, SOON, &failure));
    expect_failure(&failure, EXIT_PEER, "can't find host");
}

static void listening_takes_the_first_free_port_of_the_range(void **state) {
    (void)state;
    uint16_t taken, port;
    int first = wire_listen("127.0.0.1", 0, 0, &taken, &failure);
    assert_true(first >= 0 && taken != 0);
    assert_int_equal(wire_listen("127.0.0.1", taken, taken, &port, &failure), -1);
    expect_failure(&failure, EXIT_UNABLE, "in use");
    uint16_t last = taken < UINT16_MAX - 50 ? taken + 50 : UINT16_MAX;
    int second = wire_listen("127.0.0.1", taken, last, &port, &failure);
    assert_true(second >= 0);
    assert_in_range(port, taken + 1, last);
    assert_int_equal(wire_listen("127.0.0.1", 2, 1, &port, &failure), -1);
    expect_failure(&failure, EXIT_USAGE, "empty");
    assert_int_equal(wire_listen("not an address", 0, 0, &port, &failure), -1);
    expect_failure(&failure, EXIT_USAGE, "not an address");
    assert_int_equal(wire_listen("192.0.2.1", 0, 0, &port, &failure), -1);
    expect_failure(&failure, EXIT_UNABLE, "192.0.2.1");
    close(first);
    close(second);
}

static void listening_everywhere_takes_ipv4(void **state) {
    (void)state;
    struct serve serve = {0};
    int fd = wire_listen(NULL, 0, 0, &serve.port, &failure);
    assert_true(fd >= 0);
    close(dial(&serve));
    close(fd);
}

static void meeting_and_parting_leaves_no_descriptor(void **state) {
    (void)state;
    size_t before = count_entries("/proc/self/fd");
    struct serve serve;
    serve_start(&serve);
    assert_null(pull(&serve, wrong_key));
    assert_int_equal(serve_meets(&serve), 1);
    assert_int_equal(count_entries("/proc/self/fd"), before);
}

static void bodies_are_sealed_as_both_ends_can(void **state) {
    (void)state;
    if (!wire_body_available())
        skip();
    struct wire_session sessions[2];
    pair_sessions(sessions);
    assert_true(sessions[0].sending.aes_bodies && sessions[1].sending.aes_bodies);
    assert_true(sessions[0].receiving.aes_bodies && sessions[1].receiving.aes_bodies);
    assert_memory_equal(sessions[0].sending.body_key, sessions[1].receiving.body_key,
                        WIRE_BODY_KEY);
    assert_memory_not_equal(sessions[0].sending.body_key, sessions[0].receiving.body_key,
                            WIRE_BODY_KEY);
    pair_ciphers = 0;
    pair_sessions(sessions);
    pair_ciphers = WIRE_AES_BODIES;
    assert_false(sessions[0].sending.aes_bodies || sessions[1].sending.aes_bodies);
    assert_false(sessions[1].receiving.aes_bodies);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_server_that_does_not_answer_is_not_waited_for),
        cmocka_unit_test(two_ends_with_the_same_key_meet),
        cmocka_unit_test(both_know_the_others_name),
        cmocka_unit_test(a_peer_with_the_wrong_key_is_dropped_and_the_right_one_let_in),
        cmocka_unit_test(an_impostor_of_serve_is_found_out),
        cmocka_unit_test(strangers_are_dropped),
        cmocka_unit_test(who_dawdles_holds_nobody_up),
        cmocka_unit_test(who_dawdles_is_dropped),
        cmocka_unit_test(a_reflection_is_dropped),
        cmocka_unit_test(a_recording_opens_nothing),
        cmocka_unit_test(two_ends_of_one_role_do_not_meet),
        cmocka_unit_test(no_bit_of_the_handshake_can_be_flipped),
        cmocka_unit_test(a_weak_public_key_is_refused),
        cmocka_unit_test(the_highest_version_of_both_is_used),
        cmocka_unit_test(pull_says_which_versions_do_not_fit),
        cmocka_unit_test(serve_tells_why_it_turned_peers_away),
        cmocka_unit_test(waiting_for_a_peer_ends_at_the_deadline),
        cmocka_unit_test(waiting_for_a_peer_can_be_cancelled),
        cmocka_unit_test(connecting_to_nobody_fails_at_the_deadline),
        cmocka_unit_test(connecting_can_be_cancelled),
        cmocka_unit_test(a_peer_that_never_answers_is_left_at_the_deadline),
        cmocka_unit_test(connecting_goes_on_until_serve_is_there),
        cmocka_unit_test(an_unknown_host_is_a_peers_failure),
        cmocka_unit_test(listening_takes_the_first_free_port_of_the_range),
        cmocka_unit_test(listening_everywhere_takes_ipv4),
        cmocka_unit_test(meeting_and_parting_leaves_no_descriptor),
        cmocka_unit_test(bodies_are_sealed_as_both_ends_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
