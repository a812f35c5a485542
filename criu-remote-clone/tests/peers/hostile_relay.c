// SPDX-License-Identifier: Apache-2.0
// hostile_relay PORT_FILE HOST PORT KEY_FILE TRICK [OLD NEW]: a peer that has the key and means
// harm. It stands between a real serve (HOST:PORT) and a real pull, which connects to the port that
// PORT_FILE then names, and passes on what they say, item by item, but for what its TRICK is about:
// as a serve that attacks pull, or as a pull that attacks serve.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clone_wire.pb-c.h"
#include "deadline.h"
#include "wire.h"

#define LIMIT_MS 30000
#define LONGEST_CHANGE 256

struct relay {
    struct wire *serve, *pull;
    const char *trick;
    int64_t deadline_ns;
    bool played;                       // the trick
    char root[4096];                   // of the file clone set
    const char *old_bytes, *new_bytes; // for tampering: hexadecimal, of one length
    bool image;                        // one is under way
    bool memory;                       // and is memory
};

static bool is(const struct relay *relay, const char *trick) {
    return strcmp(relay->trick, trick) == 0;
}

// True once, for the trick that is played.
static bool plays(struct relay *relay, const char *trick) {
    bool now = !relay->played && is(relay, trick);
    relay->played = relay->played || now;
    return now;
}

// --- saying things ---

static int say(struct wire *to, enum wire_type type, const ProtobufCMessage *message) {
    struct failure failure;
    return wire_send(to, type, message, &failure);
}

static void free_bytes(void *context, const void *bytes, size_t length) {
    (void)bytes;
    (void)length;
    free(context);
}

static int say_data(struct wire *to, const void *bytes, size_t length) {
    struct failure failure;
    void *copy = malloc(length + 1);
    memcpy(copy, bytes, length);
    int result = wire_send_data(to, copy, length, free_bytes, copy, &failure);
    if (result < 0)
        free(copy);
    return result;
}

// The same message again, whatever it is.
static int say_item(struct wire *to, const struct wire_item *item) {
    if (item->is_data)
        return say_data(to, item->bytes, item->length);
    static const ProtobufCMessageDescriptor *const descriptors[] = {
        [WIRE_OFFER] = &clone_wire__offer__descriptor,
        [WIRE_ANSWER] = &clone_wire__answer__descriptor,
        [WIRE_FILE_BEGIN] = &clone_wire__file_begin__descriptor,
        [WIRE_FILE_END] = &clone_wire__file_end__descriptor,
        [WIRE_FILE_GONE] = &clone_wire__file_gone__descriptor,
        [WIRE_FILES_READY] = NULL,
        [WIRE_FROZEN] = &clone_wire__frozen__descriptor,
        [WIRE_IMAGE_BEGIN] = &clone_wire__image_begin__descriptor,
        [WIRE_IMAGE_END] = NULL,
        [WIRE_COMMIT] = NULL,
        [WIRE_RUNNING] = &clone_wire__running__descriptor,
        [WIRE_SAMPLE] = &clone_wire__sample__descriptor,
    };
    if (descriptors[item->type] == NULL)
        return say(to, item->type, NULL);
    ProtobufCMessage *message =
        protobuf_c_message_unpack(descriptors[item->type], NULL, item->length, item->bytes);
    int result = say(to, item->type, message);
    protobuf_c_message_free_unpacked(message, NULL);
    return result;
}

static char *below(const struct relay *relay, const char *rest) {
    char *path = malloc(strlen(relay->root) + strlen(rest) + 1);
    return strcat(strcpy(path, relay->root), rest);
}

static int say_file(struct wire *to, char *path, uint32_t mode, char *link_target, uint64_t size) {
    CloneWire__FileFacts facts = CLONE_WIRE__FILE_FACTS__INIT;
    facts.path = path;
    facts.mode = mode;
    facts.link_target = link_target;
    facts.size = size;
    CloneWire__FileBegin begin = CLONE_WIRE__FILE_BEGIN__INIT;
    begin.facts = &facts;
    int result = say(to, WIRE_FILE_BEGIN, &begin.base);
    free(path);
    return result;
}

static int say_image(struct wire *to, char *name, uint64_t bytes, bool memory) {
    CloneWire__ImageBegin begin = CLONE_WIRE__IMAGE_BEGIN__INIT;
    begin.name = name;
    begin.bytes = bytes;
    begin.has_memory = begin.memory = memory;
    return say(to, WIRE_IMAGE_BEGIN, &begin.base);
}

static int say_sample(struct wire *to, size_t length) {
    CloneWire__Sample sample = CLONE_WIRE__SAMPLE__INIT;
    sample.has_filler = true;
    sample.filler = (ProtobufCBinaryData){.len = length, .data = calloc(1, length)};
    int result = say(to, WIRE_SAMPLE, &sample.base);
    free(sample.filler.data);
    return result;
}

// Until it refuses them.
static int say_many_samples(struct wire *to) {
    for (unsigned i = 0; i < 1u << 20; i++)
        if (say_sample(to, 1) < 0)
            return -1;
    return 0;
}

// Until it refuses them.
static int say_many_images(struct wire *to) {
    for (unsigned i = 0; i < 1u << 20; i++)
        if (say_image(to, "core-1.img", 0, false) < 0 || say(to, WIRE_IMAGE_END, NULL) < 0)
            return -1;
    return 0;
}

// --- tricks of a serve ---

static int offer(struct relay *relay, const struct wire_item *item) {
    CloneWire__Offer *offer = clone_wire__offer__unpack(NULL, item->length, item->bytes);
    if (offer->n_file_set > 0)
        snprintf(relay->root, sizeof relay->root, "%s", offer->file_set[0]);
    if (plays(relay, "offer-etc"))
        strcpy(offer->file_set[0], "/etc");
    else if (plays(relay, "offer-link") || plays(relay, "offer-users-link")) {
        // Beside the root is a link to /etc.
        char *path;
        *strrchr(offer->file_set[0], '/') = '\0';
        if (asprintf(&path, "%s/link/nologin", offer->file_set[0]) < 0)
            abort();
        free(offer->file_set[0]);
        offer->file_set[0] = path;
    } else if (plays(relay, "offer-root"))
        strcpy(offer->file_set[0], "/");
    else if (plays(relay, "offer-climbing"))
        strcpy(offer->file_set[0], "/a/../b");
    else if (plays(relay, "offer-huge-image"))
        offer->image_bytes = UINT64_MAX;
    else if (plays(relay, "offer-small-image"))
        offer->image_bytes = 1;
    else if (plays(relay, "offer-huge-files"))
        offer->file_set_bytes = UINT64_MAX;
    else if (plays(relay, "offer-high-id"))
        offer->highest_id = UINT32_MAX;
    else if (plays(relay, "offer-other-criu"))
        offer->host->criu_version[0] ^= 1;
    else if (plays(relay, "offer-other-pid"))
        offer->pid++;
    else if (plays(relay, "offer-pid-0"))
        offer->pid = 0;
    int result = say(relay->pull, WIRE_OFFER, &offer->base);
    clone_wire__offer__free_unpacked(offer, NULL);
    return result;
}

// Before the first thing of the file clone set.
static int files_begin(struct relay *relay) {
    struct wire *pull = relay->pull;
    if (plays(relay, "file-climbing"))
        return say_file(pull, below(relay, "/../../../../../../../../tmp/crc-escaped"),
                        S_IFREG | 0644, NULL, 1);
    if (plays(relay, "file-elsewhere"))
        return say_file(pull, strdup("/tmp/crc-escaped"), S_IFREG | 0644, NULL, 1);
    if (plays(relay, "root-is-link"))
        return say_file(pull, below(relay, ""), S_IFLNK | 0777, "/tmp", 0);
    if (plays(relay, "frozen-first"))
        return say(pull, WIRE_FROZEN, NULL);
    if (plays(relay, "image-first"))
        return say_image(pull, "core-1.img", 1, false);
    if (plays(relay, "commit-first"))
        return say(pull, WIRE_COMMIT, NULL);
    if (plays(relay, "data-first"))
        return say_data(pull, "x", 1);
    if (plays(relay, "answer-from-serve"))
        return say(pull, WIRE_RUNNING, NULL);
    return 0;
}

// After the root directory.
static int files_go_on(struct relay *relay) {
    struct wire *pull = relay->pull;
    if (plays(relay, "file-behind-link")) {
        say_file(pull, below(relay, "/link"), S_IFLNK | 0777, "/tmp", 0);
        return say_file(pull, below(relay, "/link/crc-escaped"), S_IFREG | 0644, NULL, 1);
    }
    if (plays(relay, "hard-link-elsewhere"))
        return say_file(pull, below(relay, "/passwd"), S_IFREG | 0644, "/etc/passwd", 0);
    if (plays(relay, "setuid-file"))
        return say_file(pull, below(relay, "/setuid"), S_IFREG | 04755, NULL, 1);
    if (plays(relay, "device"))
        return say_file(pull, below(relay, "/device"), S_IFCHR | 0666, NULL, 0);
    if (plays(relay, "huge-file"))
        return say_file(pull, below(relay, "/huge"), S_IFREG | 0644, NULL, UINT64_MAX);
    if (plays(relay, "file-longer-than-said")) {
        say_file(pull, below(relay, "/longer"), S_IFREG | 0644, NULL, 1);
        return say_data(pull, "xy", 2);
    }
    if (plays(relay, "gone-elsewhere")) {
        CloneWire__FileGone gone = CLONE_WIRE__FILE_GONE__INIT;
        gone.path = "/etc/passwd";
        return say(pull, WIRE_FILE_GONE, &gone.base);
    }
    return 0;
}

static int sample(struct relay *relay, const struct wire_item *item) {
    if (plays(relay, "sample-too-long"))
        return say_sample(relay->pull, (256u << 10) + 1);
    if (plays(relay, "samples-without-end"))
        return say_many_samples(relay->pull);
    return say_item(relay->pull, item);
}

// Pull waits for the freeze after that.
static int ready(struct relay *relay, const struct wire_item *item) {
    int result = say_item(relay->pull, item);
    return plays(relay, "sample-when-ready") ? say_sample(relay->pull, 1) : result;
}

static int image_begin(struct relay *relay, const struct wire_item *item) {
    struct wire *pull = relay->pull;
    CloneWire__ImageBegin *begin = clone_wire__image_begin__unpack(NULL, item->length, item->bytes);
    relay->image = true;
    relay->memory = begin->memory;
    clone_wire__image_begin__free_unpacked(begin, NULL);
    if (plays(relay, "image-climbing"))
        return say_image(pull, "../../tmp/crc-escaped", 1, false);
    if (plays(relay, "huge-image"))
        return say_image(pull, "core-1.img", UINT64_MAX, false);
    if (plays(relay, "many-images"))
        return say_many_images(pull);
    if (plays(relay, "image-in-image"))
        say_image(pull, "core-1.img", 1, false);
    if (plays(relay, "memory-is-no-memory"))
        return say_image(pull, "creds-1.img", 1, true);
    if (plays(relay, "memory-without-number"))
        return say_image(pull, "pages-x", 1, true);
    if (relay->memory && plays(relay, "commit-without-memory"))
        return say(pull, WIRE_COMMIT, NULL);
    return say_item(pull, item);
}

static int image_end(struct relay *relay, const struct wire_item *item) {
    struct wire *pull = relay->pull;
    relay->image = false;
    if (plays(relay, "image-longer-than-said") ||
        (relay->memory && plays(relay, "memory-longer-than-said")))
        say_data(pull, "x", 1);
    int result = say_item(pull, item);
    if (plays(relay, "image-ended-twice"))
        result = say_item(pull, item);
    // CRIU is at work by now.
    if (relay->memory && plays(relay, "image-after-memory"))
        return say_image(pull, "creds-1.img", 1, false);
    if (relay->memory && plays(relay, "file-after-memory"))
        return say_file(pull, below(relay, "/late"), S_IFREG | 0644, NULL, 1);
    if (relay->memory && plays(relay, "commit-in-image")) {
        say_image(pull, "pages-99.img", 1, true);
        return say(pull, WIRE_COMMIT, NULL);
    }
    return result;
}

static size_t read_hexadecimal(const char *text, uint8_t bytes[LONGEST_CHANGE]) {
    size_t length = 0;
    for (unsigned byte; length < LONGEST_CHANGE && sscanf(text + 2 * length, "%2x", &byte) == 1;)
        bytes[length++] = (uint8_t)byte;
    return length;
}

// Once in each image that isn't memory.
static int say_changed(struct relay *relay, const struct wire_item *item) {
    uint8_t old_bytes[LONGEST_CHANGE], new_bytes[LONGEST_CHANGE];
    size_t length = read_hexadecimal(relay->old_bytes, old_bytes);
    if (length == 0 || read_hexadecimal(relay->new_bytes, new_bytes) != length)
        abort();
    uint8_t *changed = malloc(item->length + 1);
    memcpy(changed, item->bytes, item->length);
    uint8_t *found = memmem(changed, item->length, old_bytes, length);
    if (found != NULL)
        memcpy(found, new_bytes, length);
    int result = say_data(relay->pull, changed, item->length);
    free(changed);
    return result;
}

static int data(struct relay *relay, const struct wire_item *item) {
    if (!relay->image)
        return say_item(relay->pull, item);
    if (!relay->memory && is(relay, "change-images"))
        return say_changed(relay, item);
    if (!relay->memory)
        return plays(relay, "image-shorter-than-said")
                   ? say_data(relay->pull, item->bytes, item->length - 1)
                   : say_item(relay->pull, item);
    if (plays(relay, "less-memory"))
        return 0;
    if (is(relay, "stalling-memory"))
        return 0; // none of it, though the connection lives
    return say_item(relay->pull, item);
}

static int from_serve(struct relay *relay, const struct wire_item *item) {
    if (item->is_data)
        return data(relay, item);
    switch (item->type) {
    case WIRE_OFFER:
        return is(relay, "silence") ? 0 : offer(relay, item);
    case WIRE_FILE_BEGIN:
        if (files_begin(relay) < 0 || say_item(relay->pull, item) < 0)
            return -1;
        return files_go_on(relay);
    case WIRE_SAMPLE:
        return sample(relay, item);
    case WIRE_FILES_READY:
        return ready(relay, item);
    case WIRE_IMAGE_BEGIN:
        return image_begin(relay, item);
    case WIRE_IMAGE_END:
        return is(relay, "stalling-memory") && relay->memory ? 0 : image_end(relay, item);
    case WIRE_COMMIT:
        return is(relay, "stalling-memory") ? 0 : say_item(relay->pull, item);
    default:
        return say_item(relay->pull, item);
    }
}

// --- tricks of a pull ---

static int answer(struct relay *relay, const struct wire_item *item) {
    static uint32_t missing[] = {UINT32_MAX};
    static char *refusals[] = {"\x1b[31mno\r\n\x07"};
    if (plays(relay, "commit-for-answer"))
        return say(relay->serve, WIRE_COMMIT, NULL);
    CloneWire__Answer *answer = clone_wire__answer__unpack(NULL, item->length, item->bytes);
    CloneWire__Answer changed = *answer;
    if (plays(relay, "ask-for-what-was-not-offered")) {
        changed.n_missing = 1;
        changed.missing = missing;
    } else if (plays(relay, "refuse-with-escapes")) {
        changed.n_refusal = 1;
        changed.refusal = refusals;
    }
    int result = say(relay->serve, WIRE_ANSWER, &changed.base);
    clone_wire__answer__free_unpacked(answer, NULL);
    return result;
}

static int files_ready(struct relay *relay, const struct wire_item *item) {
    if (plays(relay, "never-ready"))
        return 0;
    if (plays(relay, "go-when-ready"))
        return -1;
    int result = say_item(relay->serve, item);
    return plays(relay, "go-after-ready") ? -1 : result;
}

static int from_pull(struct relay *relay, const struct wire_item *item) {
    if (item->is_data)
        return say_item(relay->serve, item);
    switch (item->type) {
    case WIRE_ANSWER:
        return plays(relay, "go-before-answer") ? -1 : answer(relay, item);
    case WIRE_SAMPLE:
        return is(relay, "no-echo") ? 0 : say_item(relay->serve, item);
    case WIRE_FILES_READY:
        return files_ready(relay, item);
    default:
        return say_item(relay->serve, item);
    }
}

// --- the relay ---

static void *relay_up(void *argument) {
    struct relay *relay = argument;
    struct failure failure;
    struct wire_item item;
    int got;
    while ((got = wire_next(relay->pull, &item, relay->deadline_ns, &failure)) == 1) {
        if (from_pull(relay, &item) < 0)
            _exit(0); // without a word
        wire_item_release(&item);
    }
    if (got == 0)
        wire_finish(relay->serve, relay->deadline_ns, &failure);
    else
        wire_abort(relay->serve, &failure);
    return NULL;
}

static void relay_down(struct relay *relay) {
    struct failure failure;
    struct wire_item item;
    int got;
    while ((got = wire_next(relay->serve, &item, relay->deadline_ns, &failure)) == 1) {
        if (is(relay, "take-nothing") && !item.is_data && item.type == WIRE_FROZEN)
            for (;;) // alive, but it reads no more
                pause();
        from_serve(relay, &item);
        wire_item_release(&item);
    }
    if (got == 0 && !is(relay, "stalling-memory"))
        wire_finish(relay->pull, relay->deadline_ns, &failure);
    else if (got < 0)
        wire_abort(relay->pull, &failure);
}

static int read_key(const char *path, uint8_t key[WIRE_KEY_BYTES]) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, key, WIRE_KEY_BYTES);
    if (file >= 0)
        close(file);
    return got == WIRE_KEY_BYTES ? 0 : -1;
}

static void write_port(const char *path, uint16_t port) {
    char temporary[4200];
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    FILE *file = fopen(temporary, "we");
    if (file == NULL || fprintf(file, "%u\n", port) < 0 || fclose(file) != 0 ||
        rename(temporary, path) < 0)
        exit(2);
}

static struct wire *meet_pull(const char *port_file, const uint8_t key[WIRE_KEY_BYTES],
                              const struct wire_options *options, int64_t deadline_ns,
                              struct failure *failure) {
    uint16_t port;
    int listener = wire_listen(NULL, 0, 0, &port, failure);
    if (listener < 0)
        return NULL;
    write_port(port_file, port);
    struct wire *wire = wire_accept(listener, key, options, -1, deadline_ns, NULL, failure);
    close(listener);
    return wire;
}

int main(int argc, char **argv) {
    struct relay relay = {.deadline_ns = deadline_in_ms(LIMIT_MS)};
    struct wire_options options = {.compress = WIRE_COMPRESS_NEVER};
    uint8_t key[WIRE_KEY_BYTES];
    struct failure failure;
    signal(SIGPIPE, SIG_IGN);
    if ((argc != 6 && argc != 8) || read_key(argv[4], key) < 0)
        return 2;
    relay.trick = argv[5];
    relay.old_bytes = argc == 8 ? argv[6] : "";
    relay.new_bytes = argc == 8 ? argv[7] : "";
    relay.pull = meet_pull(argv[1], key, &options, relay.deadline_ns, &failure);
    if (relay.pull != NULL)
        relay.serve = wire_connect(argv[2], (uint16_t)atoi(argv[3]), key, &options, -1,
                                   relay.deadline_ns, &failure);
    if (relay.serve == NULL) {
        fprintf(stderr, "%s\n", failure.text);
        return 2;
    }
    pthread_t up;
    pthread_create(&up, NULL, relay_up, &relay);
    relay_down(&relay);
    pthread_join(up, NULL);
    wire_close(relay.pull);
    wire_close(relay.serve);
    return 0;
}
