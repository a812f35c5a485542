// SPDX-License-Identifier: Apache-2.0
// drain: a server gets nothing new, and the tool waits until it owes nothing.
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <time.h>

#include "commands.h"
#include "config.h"
#include "pins.h"

static int find(const struct pins *pins, const struct options *options,
                struct service_rules *service, uint32_t *number, struct failure *failure) {
    struct service_rules services[ADDRESSES];
    int count = pins_services(pins, services, failure);
    if (count < 0)
        return -1;
    for (int i = 0; i < count; i++) {
        if (strcmp(services[i].name, options->service) != 0)
            continue;
        *service = services[i];
        for (uint32_t place = 0; place < SERVERS_EACH; place++) {
            struct server_rules server;
            char text[ENDPOINT_TEXT];
            *number = services[i].number * SERVERS_EACH + place;
            if ((services[i].members >> place & 1) != 0 &&
                bpf_map_lookup_elem(pins->server_rules, number, &server) == 0 &&
                strcmp(endpoint_text(&server.at, text), options->server) == 0)
                return 0;
        }
        return fail(failure, EXIT_USAGE, "service \"%s\" has no server %s", options->service,
                    options->server);
    }
    return fail(failure, EXIT_USAGE, "there is no service \"%s\"", options->service);
}

static int wait_for_it(const struct pins *pins, uint32_t number, const struct options *options,
                       struct failure *failure) {
    struct timespec pause = {0, 20 * 1000 * 1000};
    time_t until = time(NULL) + (time_t)options->time_limit;
    struct server_state state;
    while (bpf_map_lookup_elem(pins->server_states, &number, &state) == 0) {
        if (state.outstanding <= 0) {
            printf("%s owes no answer any more\n", options->server);
            return 0;
        }
        if (time(NULL) >= until)
            return fail(failure, EXIT_DEADLINE,
                        "%s gets nothing new, but still owes %d answers after %u s",
                        options->server, state.outstanding, options->time_limit);
        nanosleep(&pause, NULL);
    }
    return fail_number(failure, EXIT_KERNEL, errno, "can't read the server's state");
}

int command_drain(const struct options *options, struct failure *failure) {
    struct pins pins;
    struct service_rules service;
    uint32_t number;
    if (pins_check(options->pins, failure) < 0 ||
        pins_begin(&pins, options->pins, PINS_CHANGE, failure) < 0)
        return -1;
    int result = pins_open(&pins, failure);
    if (result == 0)
        result = find(&pins, options, &service, &number, failure);
    uint32_t bit = result == 0 ? 1u << number % SERVERS_EACH : 0;
    if (result == 0 && (service.enabled & ~bit) == 0)
        result =
            fail(failure, EXIT_USAGE,
                 "%s is the last server of \"%s\": drain another one, or bring the switch down",
                 options->server, options->service);
    if (result == 0) {
        service.enabled &= ~bit;
        if (bpf_map_update_elem(pins.services, &service.at, &service, BPF_EXIST) < 0)
            result = fail_number(failure, EXIT_KERNEL, errno, "can't write the service");
    }
    if (result == 0) {
        pins_unlock(&pins); // others needn't wait with us
        result = wait_for_it(&pins, number, options, failure);
    }
    pins_close(&pins);
    return result;
}
