// SPDX-License-Identifier: Apache-2.0
// A NetRS operator's configuration and a plan: what is taken from them, and one clear line about
// whatever is wrong.
#include "netrs_config.h"
#include "test.h"

#include <arpa/inet.h>

static struct failure failure;

#define CONFIG(rack, replicas)                                                                     \
    "{\"switch\":\"tor-3-1\",\"rid\":8,\"port\":7000,\"ports\":[\"up0\",\"up1\"]" rack             \
    ",\"nodes\":[{\"rid\":8,\"address\":\"10.255.0.8\"}],\"replication\":3,\"replicas\":"          \
    "[" replicas "]}"
#define RACK ",\"hosts\":[\"host0\"],\"pod\":3,\"rack\":1"
#define GROUP(number, servers) "{\"group\":" #number ",\"servers\":[" servers "]}"
#define A "\"10.0.0.2\""
#define B "\"10.0.0.3\""
#define C "\"10.0.1.2\""

static struct netrs_config *parse(const char *text) {
    return netrs_config_parse(text, strlen(text), &failure);
}

static void a_top_of_rack_switch_has_hosts_and_a_place(void **state) {
    (void)state;
    struct netrs_config *config =
        parse(CONFIG(RACK, GROUP(5, A "," B) "," GROUP(2097151, B "," C "," A)));
    assert_non_null(config);
    assert_string_equal(config->settings.name, "tor-3-1");
    assert_int_equal(config->settings.rid, 8);
    assert_int_equal(config->settings.port, htons(7000));
    assert_int_equal(config->settings.marker, 3 << 16 | 1);
    assert_int_equal(config->settings.port_count, 3);
    assert_string_equal(config->ports[2], "host0");
    assert_true(config->settings.ports[2].is_to_host && !config->settings.ports[1].is_to_host);
    assert_int_equal(config->node_count, 1);
    assert_int_equal(config->nodes[0].address, inet_addr("10.255.0.8"));
    // Servers have one number, in whichever groups they are.
    assert_int_equal(config->server_count, 3);
    assert_int_equal(config->replicas_count, 2);
    const struct operator_replicas *members = &config->replicas[1].members;
    assert_int_equal(config->replicas[1].number, 2097151);
    assert_int_equal(members->count, 3);
    assert_int_equal(config->servers[members->servers[0]], inet_addr("10.0.0.3"));
    assert_int_equal(config->servers[members->servers[1]], inet_addr("10.0.1.2"));
    assert_int_equal(members->servers[2], config->replicas[0].members.servers[0]);
    free(config);
}

static void others_have_neither(void **state) {
    (void)state;
    struct netrs_config *config = parse(CONFIG("", ""));
    assert_non_null(config);
    assert_int_equal(config->settings.port_count, 2);
    assert_int_equal(config->replicas_count, 0);
    free(config);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"[]", "isn't an object"},
        {"{", "line 1"},
        {CONFIG(RACK ",\"rid\":1", ""), "line 1"}, // twice
        {CONFIG(RACK ",\"more\":1", ""), "knows no \"more\""},
        {CONFIG(",\"pod\":1", ""), "top-of-rack"},
        {CONFIG(",\"hosts\":[\"host0\"]", ""), "\"pod\""},
        {CONFIG(",\"hosts\":[\"up1\"],\"pod\":3,\"rack\":1", ""), "twice"},
        {CONFIG(RACK, GROUP(2097152, A)), "\"group\""},
        {CONFIG(RACK, GROUP(1, "")), "\"servers\""},
        {CONFIG(RACK, GROUP(1, A "," B "," C "," A)), "\"servers\""},
        {CONFIG(RACK, GROUP(1, "\"::1\"")), "IPv4"},
        {CONFIG(RACK, GROUP(1, "1")), "IPv4"},
        {CONFIG(RACK, GROUP(1, A) "," GROUP(1, B)), "two groups"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_null(parse(cases[i].text));
        assert_int_equal(failure.code, EXIT_CONFIG);
        if (strstr(failure.text, cases[i].says) == NULL)
            fail_msg("%s: %s", cases[i].text, failure.text);
    }
}

#define PLAN(nodes, groups) "{\"nodes\":[" nodes "],\"groups\":[" groups "],\"optimal\":true}"
#define RULE_OF(group, tor, rid) "{\"group\":\"" group "\",\"tor\":\"" tor "\",\"rid\":" rid "}"

static int parse_plan(const char *text, struct netrs_plan *plan) {
    return netrs_plan_parse(text, strlen(text), "tor-3-1", plan, &failure);
}

static void a_plan_is_read_for_one_switch(void **state) {
    (void)state;
    struct netrs_plan plan;
    assert_int_equal(
        parse_plan(PLAN("{},{}", RULE_OF("10.3.1.0/25", "tor-3-1", "17") "," RULE_OF(
                                     "10.3.1.128/25", "tor-3-1",
                                     "-1") "," RULE_OF("10.0.0.0/24", "tor-0-0", "18")),
                   &plan),
        0);
    assert_int_equal(plan.nodes, 2);
    assert_int_equal(plan.client_count, 2);
    assert_int_equal(plan.clients[0].prefix.address, inet_addr("10.3.1.0"));
    assert_int_equal(plan.clients[0].prefix.bits, 25);
    assert_int_equal(plan.clients[0].rid, 17);
    assert_int_equal(plan.clients[1].rid, NETRS_ILLEGAL);
    // C3 counts at least the one that asks.
    assert_int_equal(parse_plan(PLAN("", ""), &plan), 0);
    assert_int_equal(plan.nodes, 1);
    assert_int_equal(plan.client_count, 0);
}

static void what_is_wrong_with_a_plan_is_said(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"7", "line 1"},
        {"[]", "isn't an object"},
        {"{\"groups\":[]}", "\"nodes\""},
        {"{\"nodes\":[]}", "\"groups\""},
        {PLAN("", "{}"), "\"group\""},
        {PLAN("", RULE_OF("10.3.1.0/24", "tor-3-1", "0")), "\"rid\""},
        {PLAN("", RULE_OF("10.3.1.0/24", "tor-3-1", "65535")), "\"rid\""},
        {PLAN("", RULE_OF("10.3.1.0/24", "tor-3-1", "\"1\"")), "\"rid\""},
        {PLAN("", RULE_OF("rack 1", "tor-3-1", "1")), "IPV4/BITS"},
        {PLAN("", RULE_OF("10.3.1.1/24", "tor-3-1", "1")), "IPV4/BITS"},
        {PLAN("",
              RULE_OF("10.3.1.0/24", "tor-3-1", "1") "," RULE_OF("10.3.1.0/24", "tor-3-1", "2")),
         "twice"},
    };
    struct netrs_plan plan;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(parse_plan(cases[i].text, &plan), -1);
        assert_int_equal(failure.code, EXIT_CONFIG);
        if (strstr(failure.text, cases[i].says) == NULL)
            fail_msg("%s: %s", cases[i].text, failure.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_top_of_rack_switch_has_hosts_and_a_place),
        cmocka_unit_test(others_have_neither),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(a_plan_is_read_for_one_switch),
        cmocka_unit_test(what_is_wrong_with_a_plan_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
