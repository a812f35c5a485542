// SPDX-License-Identifier: Apache-2.0
// The configuration: its defaults, and one clear line about whatever is wrong with it.
#include "config.h"
#include "test.h"

#include <arpa/inet.h>

static struct failure failure;

static struct config *parse(const char *text) {
    return config_parse(text, strlen(text), &failure);
}

#define SERVERS                                                                                    \
    "\"servers\":[{\"address\":\"10.1.3.2:88\",\"workers\":4},{\"address\":\"10.1.4.2:88\"}]"
#define SERVICE(more)                                                                              \
    "{\"name\":\"kdc\",\"address\":\"10.99.0.1:88\",\"protocol\":\"kerberos\"" more "," SERVERS "}"
#define CONFIG(more, services)                                                                     \
    "{\"ports\":[\"eth0\",\"eth1\"],\"clients\":[\"10.1.0.0/16\"]" more ",\"services\":[" services \
    "]}"

static void it_has_defaults(void **state) {
    (void)state;
    struct config *config = parse(CONFIG("", SERVICE("")));
    assert_non_null(config);
    assert_int_equal(config->where, WHERE_SWITCH);
    assert_int_equal(config->slots, 1 << 17);
    assert_true(config->filter);
    assert_int_equal(config->port_count, 2);
    assert_string_equal(config->ports[1], "eth1");
    assert_int_equal(config->clients[0].bits, 16);
    assert_int_equal(config->service_count, 1);
    const struct config_service *service = &config->services[0];
    assert_string_equal(service->name, "kdc");
    assert_int_equal(service->dialect, DIALECT_KERBEROS);
    assert_int_equal(service->policy, POLICY_SHORTER_QUEUE);
    assert_int_equal(service->clone, CLONE_IDLE);
    assert_int_equal(service->budget, BUDGET_OFF);
    assert_int_equal(service->server_count, 2);
    assert_int_equal(service->servers[0].workers, 4);
    assert_int_equal(service->servers[1].workers, 1);
    char text[ENDPOINT_TEXT];
    assert_string_equal(endpoint_text(&service->servers[1].at, text), "10.1.4.2:88");
    free(config);
}

static void a_host_has_a_budget(void **state) {
    (void)state;
    struct config *config = parse(CONFIG(",\"where\":\"host\"", SERVICE("")));
    assert_non_null(config);
    assert_int_equal(config->services[0].budget, 10);
    free(config);
    config = parse(CONFIG(",\"where\":\"host\"", SERVICE(",\"budget\":50,\"policy\":\"c3\"")));
    assert_non_null(config);
    assert_int_equal(config->services[0].budget, 50);
    assert_int_equal(config->services[0].policy, POLICY_C3);
    free(config);
    // Agents know what others ask.
    config = parse(CONFIG(",\"where\":\"host\"", SERVICE(",\"state\":\"agent\"")));
    assert_non_null(config);
    assert_int_equal(config->services[0].state, STATE_AGENT);
    assert_int_equal(config->services[0].budget, BUDGET_OFF);
    free(config);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", "not JSON"},
        {"[]", "isn't an object"},
        {"{}", "needs a list \"services\""},
        {CONFIG(",\"port\":1", SERVICE("")), "knows no \"port\""},
        {CONFIG(",\"slots\":1000000", SERVICE("")), "power of two"},
        {CONFIG(",\"slots\":3", SERVICE("")), "from 1024"},
        {CONFIG(",\"filter\":1", SERVICE("")), "true or false"},
        {CONFIG(",\"where\":\"here\"", SERVICE("")), "\"switch\", \"host\""},
        {CONFIG("", SERVICE(",\"policy\":\"best\"")), "\"shorter-queue\", \"random\", \"c3\""},
        {CONFIG("", SERVICE(",\"clone\":true")), "\"idle\", \"never\", \"always\""},
        {CONFIG("", SERVICE(",\"idempotent\":true")), "is for protocol \"flow\""},
        {CONFIG("", SERVICE(",\"budget\":0")), "from 1 to 100"},
        {CONFIG("", SERVICE(",\"state\":\"guessed\"")), "\"counted\", \"agent\""},
        {CONFIG("", SERVICE("") "," SERVICE("")), "two services are named"},
        {CONFIG("", "{\"name\":\"a b\"}"), "letters, digits"},
        {CONFIG("", "{\"name\":\"a\"}"), "needs a text \"protocol\""},
        {CONFIG("", "{\"name\":\"a\",\"protocol\":\"http\"}"), "\"flow\", \"dns\""},
        {CONFIG("", "{\"name\":\"a\",\"protocol\":\"dns\",\"address\":\"10.1.1.1\"}"), "IPV4:PORT"},
        {CONFIG("", "{\"name\":\"a\",\"protocol\":\"dns\",\"address\":\"10.1.1.1:+5\"}"),
         "IPV4:PORT"},
        {CONFIG("", "{\"name\":\"a\",\"protocol\":\"dns\",\"address\":\"10.1.1.1:70000\"}"),
         "IPV4:PORT"},
        {CONFIG("", "{\"name\":\"a\",\"protocol\":\"dns\",\"address\":\"10.1.1.1:53\"}"),
         "needs a list \"servers\""},
        {"{\"ports\":[\"a\",\"a\"],\"clients\":[\"10.0.0.0/8\"],\"services\":[" SERVICE("") "]}",
         "twice"},
        {"{\"ports\":[\"a\"],\"clients\":[\"10.0.0.1/8\"],\"services\":[" SERVICE("") "]}",
         "without bits behind the prefix"},
        {"{\"ports\":[\"a\"],\"clients\":[\"10.0.0.0/33\"],\"services\":[" SERVICE("") "]}",
         "IPV4/BITS"},
        {CONFIG("",
                "{\"name\":\"a\",\"protocol\":\"dns\",\"address\":\"10.1.3.2:88\"," SERVERS "}"),
         "is a server's address and a service's"},
        {CONFIG(
             "",
             SERVICE(
                 "") ",{\"name\":\"b\",\"protocol\":\"dns\",\"address\":\"10.99.0.2:53\"," SERVERS
                     "}"),
         "is there twice"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_null(parse(wrong[i].text));
        assert_int_equal(failure.code, EXIT_CONFIG);
        if (strstr(failure.text, wrong[i].says) == NULL)
            print_message("%s\n", failure.text);
        assert_non_null(strstr(failure.text, wrong[i].says));
    }
}

static void a_file_that_cannot_be_read_is_not_called_bad_json(void **state) {
    (void)state;
    static const struct {
        const char *path, *says;
    } wrong[] = {
        {"/nonexistent/config.json",
         "/nonexistent/config.json: can't be opened: No such file or directory; give the path of a "
         "JSON file"},
        {"/dev/null/config.json", "can't be opened: Not a directory"},
        {"/", "/: can't be read: Is a directory; give the path of a JSON file"},
        {"/dev/null", "/dev/null: not JSON: line 1"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_null(config_read(wrong[i].path, &failure));
        assert_int_equal(failure.code, EXIT_CONFIG);
        if (strstr(failure.text, wrong[i].says) == NULL)
            fail_msg("%s: %s", wrong[i].path, failure.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_defaults),
        cmocka_unit_test(a_host_has_a_budget),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(a_file_that_cannot_be_read_is_not_called_bad_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
