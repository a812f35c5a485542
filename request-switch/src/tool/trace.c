// SPDX-License-Identifier: Apache-2.0
// trace: decisions and answers as they come. Tracing ends by itself a second after the tool does.
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <signal.h>
#include <time.h>

#include "commands.h"
#include "config.h"
#include "snapshot.h"

struct reader {
    const struct pins *pins;
    uint32_t left;
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal) {
    (void)signal;
    interrupted = 1;
}

static const char *server_text(const struct pins *pins, uint32_t number, char text[ENDPOINT_TEXT]) {
    struct server_rules rules;
    if (number == NO_SERVER || bpf_map_lookup_elem(pins->server_rules, &number, &rules) < 0 ||
        rules.service_number == 0)
        return "nobody";
    return endpoint_text(&rules.at, text);
}

static int print_event(void *context, void *data, size_t size) {
    struct reader *reader = context;
    const struct event *event = data;
    if (size < sizeof *event || reader->left == 0)
        return 0;
    reader->left--;
    char client[ENDPOINT_TEXT], first[ENDPOINT_TEXT], second[ENDPOINT_TEXT];
    struct endpoint at = {event->client, event->port, 0};
    printf("%.6f %s ", (double)event->at / 1e9, endpoint_text(&at, client));
    const char *one = server_text(reader->pins, event->first, first);
    const char *other = server_text(reader->pins, event->second, second);
    if (event->kind == EVENT_ASKED)
        printf("asked %s (queue %u), other %s (queue %u): %s\n", one, event->first_queue, other,
               event->second_queue, reason_words(event->reason));
    else if (event->verdict == SLOT_LOST)
        printf("dropped the answer of %s, %u us after that of %s\n", one, event->us, other);
    else
        printf("answered by %s after %u us\n", one, event->us);
    return 0;
}

static int trace_on(const struct pins *pins, uint32_t service, struct failure *failure) {
    const uint32_t zero = 0;
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    struct tracing tracing = {.until = (uint64_t)(now.tv_sec + 1) * SECOND + (uint64_t)now.tv_nsec,
                              .service = service};
    if (bpf_map_update_elem(pins->tracing, &zero, &tracing, BPF_ANY) < 0)
        return fail_number(failure, EXIT_KERNEL, errno, "can't ask for events");
    return 0;
}

static int find_service(const struct pins *pins, const char *name, uint32_t *number,
                        struct failure *failure) {
    struct service_rules services[ADDRESSES];
    *number = 0;
    if (name == NULL)
        return 0;
    int count = pins_services(pins, services, failure);
    for (int i = 0; i < count; i++)
        if (strcmp(services[i].name, name) == 0)
            *number = services[i].number;
    if (count < 0)
        return -1;
    return *number != 0 ? 0 : fail(failure, EXIT_USAGE, "there is no service \"%s\"", name);
}

int command_trace(const struct options *options, struct failure *failure) {
    struct pins pins;
    uint32_t service = 0;
    if (pins_check(options->pins, failure) < 0 ||
        pins_begin(&pins, options->pins, PINS_LOOK, failure) < 0)
        return -1;
    struct reader reader = {&pins, options->events};
    struct ring_buffer *events = NULL;
    int result = pins_open(&pins, failure);
    if (result == 0)
        result = find_service(&pins, options->service, &service, failure);
    if (result == 0) {
        events = ring_buffer__new(pins.events, print_event, &reader, NULL);
        if (events == NULL)
            result = fail_number(failure, EXIT_KERNEL, errno, "can't read events");
    }
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    while (result == 0 && reader.left > 0 && !interrupted) {
        result = trace_on(&pins, service, failure);
        ring_buffer__poll(events, 200);
        fflush(stdout);
    }
    ring_buffer__free(events);
    pins_close(&pins);
    return result;
}
