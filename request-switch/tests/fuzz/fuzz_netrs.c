// SPDX-License-Identifier: Apache-2.0
// Fuzzes a NetRS operator's configuration and plans: what is taken is within its bounds, what isn't
// is refused in one line.
#include <assert.h>

#include "netrs_config.h"

static void is_one_line(const struct failure *failure) {
    assert(failure->code == EXIT_CONFIG && failure->text[0] != '\0');
    for (const char *at = failure->text; *at != '\0'; at++)
        assert((unsigned char)*at >= 0x20);
}

static void check_config(const struct netrs_config *config) {
    const struct operator_settings *settings = &config->settings;
    assert(netrs_is_legal(settings->rid) && settings->port != 0);
    assert(settings->port_count >= 1 && settings->port_count <= OPERATOR_PORTS);
    assert(settings->replicas >= 1 && settings->replicas <= SELECTOR_REPLICAS);
    for (uint32_t i = 0; i < config->replicas_count; i++) {
        const struct operator_replicas *members = &config->replicas[i].members;
        assert(members->count >= 1 && members->count <= settings->replicas);
        for (uint32_t j = 0; j < members->count; j++)
            assert(members->servers[j] < config->server_count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct failure failure;
    struct netrs_plan plan;
    struct netrs_config *config = netrs_config_parse((const char *)data, size, &failure);
    if (config != NULL)
        check_config(config);
    else
        is_one_line(&failure);
    free(config);
    if (netrs_plan_parse((const char *)data, size, "tor-0-0", &plan, &failure) < 0) {
        is_one_line(&failure);
        return 0;
    }
    assert(plan.nodes >= 1 && plan.client_count <= OPERATOR_CLIENTS);
    for (uint32_t i = 0; i < plan.client_count; i++)
        assert(plan.clients[i].rid != 0);
    return 0;
}
