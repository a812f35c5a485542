// SPDX-License-Identifier: Apache-2.0
// Fuzzes the configuration: what is taken is within its bounds, what isn't is refused in one line.
#include <assert.h>

#include "config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct failure failure;
    struct config *config = config_parse((const char *)data, size, &failure);
    if (config == NULL) {
        assert(failure.code == EXIT_CONFIG && failure.text[0] != '\0');
        for (const char *at = failure.text; *at != '\0'; at++)
            assert((unsigned char)*at >= 0x20);
        return 0;
    }
    assert(config->port_count >= 1 && config->port_count <= PORTS);
    assert(config->service_count >= 1 && config->service_count < SERVICES);
    assert((config->slots & (config->slots - 1)) == 0);
    for (uint32_t i = 0; i < config->service_count; i++) {
        assert(config->services[i].server_count >= 1);
        assert(config->services[i].server_count <= SERVERS_EACH);
        assert(dialect_name(config->services[i].dialect) != NULL);
    }
    free(config);
    return 0;
}
