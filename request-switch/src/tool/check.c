// SPDX-License-Identifier: Apache-2.0
// check: what this host lacks for a configuration, what to do, and what no switch is needed for.
#include <arpa/inet.h>
#include <fcntl.h>
#include <jansson.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "commands.h"
#include "config.h"
#include "hooks.h"
#include "netlink.h"
#include "pins.h"

enum judgement { OK, NOTE, LACK };

struct report {
    json_t *lines; // NULL: printed
    int lacks;
};

static void add(struct report *report, enum judgement judgement, const char *what,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

static void add(struct report *report, enum judgement judgement, const char *what,
                const char *format, ...) {
    static const char *const words[] = {[OK] = "ok", [NOTE] = "note", [LACK] = "LACKS"};
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    report->lacks += judgement == LACK;
    if (report->lines == NULL)
        printf("%-6s %-10s %s\n", words[judgement], what, text);
    else
        json_array_append_new(report->lines, json_pack("{s:s, s:s, s:s}", "result",
                                                       judgement == OK     ? "ok"
                                                       : judgement == NOTE ? "note"
                                                                           : "lacks",
                                                       "of", what, "text", text));
}

// --- the host ---

// The first line of a file without its end; NULL: it can't be read.
static const char *line_of(const char *path, char *line, size_t size) {
    FILE *file = fopen(path, "re");
    char *got = file != NULL ? fgets(line, (int)size, file) : NULL;
    if (file != NULL)
        fclose(file);
    if (got != NULL)
        line[strcspn(line, "\n")] = '\0';
    return got;
}

static void check_kernel(struct report *report) {
    struct utsname name;
    int major = 0, minor = 0;
    uname(&name);
    sscanf(name.release, "%d.%d", &major, &minor);
    bool enough = major > 5 || (major == 5 && minor >= 17); // bpf_loop()
    add(report, enough ? OK : LACK, "kernel", "%s%s", name.release,
        enough ? "" : ": Linux 5.17 or later is needed");
    if (geteuid() != 0)
        add(report, LACK, "rights", "not root, and BPF and NET_ADMIN are needed: run it with sudo");
}

static void check_pins(const char *directory, struct report *report) {
    struct failure failure;
    if (pins_check(directory, &failure) < 0)
        add(report, LACK, "bpffs", "%s", failure.text);
    else
        add(report, OK, "bpffs", "pins go to %s", directory);
}

// --- its ports ---

static int query(const char *port, unsigned long what, struct ifreq *request) {
    int socket_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    memset(request, 0, sizeof *request);
    snprintf(request->ifr_name, sizeof request->ifr_name, "%s", port);
    int result = socket_fd < 0 ? -1 : ioctl(socket_fd, what, request);
    if (socket_fd >= 0)
        close(socket_fd);
    return result;
}

static void check_port(const struct config *config, const char *port, int *least_mtu,
                       struct report *report) {
    struct ifreq request;
    struct failure ignored;
    bool ingress_only;
    char path[128], line[16];
    if (if_nametoindex(port) == 0) {
        add(report, LACK, "port", "there is no interface %s", port);
        return;
    }
    if (query(port, SIOCGIFHWADDR, &request) == 0 && request.ifr_hwaddr.sa_family != ARPHRD_ETHER) {
        add(report, LACK, "port", "%s isn't Ethernet", port);
        return;
    }
    if (query(port, SIOCGIFFLAGS, &request) == 0 && (request.ifr_flags & IFF_UP) == 0)
        add(report, LACK, "port", "%s is down: ip link set %s up", port, port);
    if (netlink_is_ingress_only(if_nametoindex(port), &ingress_only, &ignored) == 0 && ingress_only)
        add(report, LACK, "port", HOOKS_INGRESS_ONLY, port);
    snprintf(path, sizeof path, "/proc/sys/net/ipv4/conf/%s/forwarding", port);
    if (config->where == WHERE_SWITCH && line_of(path, line, sizeof line) != NULL &&
        strcmp(line, "1") != 0)
        add(report, LACK, "port", "%s doesn't forward: sysctl net.ipv4.ip_forward=1", port);
    if (query(port, SIOCGIFMTU, &request) == 0) {
        if (*least_mtu != 0 && *least_mtu != request.ifr_mtu)
            add(report, NOTE, "port",
                "%s has an MTU of %d, others %d: TCP through the switch needs one MTU", port,
                request.ifr_mtu, *least_mtu);
        if (*least_mtu == 0 || request.ifr_mtu < *least_mtu)
            *least_mtu = request.ifr_mtu;
    }
    add(report, OK, "port", "%s", port);
}

static bool is_port(const struct config *config, uint32_t interface) {
    for (uint32_t i = 0; i < config->port_count; i++)
        if (if_nametoindex(config->ports[i]) == interface)
            return true;
    return false;
}

// --- services ---

// `service`: where the service's own address is routed to. On a host a request leaves by that
// interface, whichever server it goes to.
static int check_route(const struct config *config, const struct endpoint *at,
                       const struct route *service, const char *what, struct report *report,
                       struct failure *failure) {
    struct route route;
    char text[ENDPOINT_TEXT], name[IF_NAMESIZE] = "?";
    if (netlink_route(at->address, &route, failure) < 0)
        return -1;
    endpoint_text(at, text);
    if_indextoname(route.interface, name);
    if (route.kind == ROUTE_NONE)
        add(report, LACK, what, "there is no route to %s", text);
    else if (route.kind == ROUTE_LOCAL)
        add(report, LACK, what, "%s is this host's own address; the switch takes what passes",
            text);
    else if (!is_port(config, route.interface))
        add(report, LACK, what, "the way to %s is by %s, which isn't in \"ports\"", text, name);
    else if (config->where == WHERE_HOST && service->kind == ROUTE_UNICAST &&
             route.interface != service->interface)
        add(report, LACK, what,
            "the way to %s is by %s, and to the service's address by another interface: route "
            "that by %s as well",
            text, name, name);
    else
        add(report, OK, what, "%s by %s", text, name);
    return 0;
}

// A setting of krb5.conf(5) on this host, as a rule the clients' own: its value, or NULL.
static const char *krb5_setting(const char *name, char *line, size_t size) {
    const char *path = getenv("KRB5_CONFIG");
    FILE *file = fopen(path != NULL ? path : "/etc/krb5.conf", "re");
    char *value = NULL;
    while (file != NULL && value == NULL && fgets(line, (int)size, file) != NULL) {
        char *word = line + strspn(line, " \t");
        size_t length = strlen(name);
        if (strncmp(word, name, length) == 0 && strchr(" \t=", word[length]) != NULL) {
            value = word + length + strspn(word + length, " \t=");
            value[strcspn(value, " \t\n")] = '\0';
        }
    }
    if (file != NULL)
        fclose(file);
    return value;
}

static void advise(const struct config_service *service, struct report *report) {
    char line[256];
    const char *name = service->name;
    if (service->dialect == DIALECT_KERBEROS) {
        const char *limit = krb5_setting("udp_preference_limit", line, sizeof line);
        if (limit != NULL && strcmp(limit, "1") == 0)
            add(report, NOTE, name,
                "udp_preference_limit = 1 in krb5.conf sends everything by TCP, which isn't "
                "cloned: "
                "remove it, or set 1465");
        const char *wait = krb5_setting("kdc_timeout", line, sizeof line);
        if (wait == NULL)
            add(report, NOTE, name,
                "krb5.conf has no kdc_timeout. In Java's, \"kdc_timeout = 1000\" and \"max_retries "
                "= "
                "2\" get a login with a hung KDC from minutes to seconds, without any switch. If "
                "seconds are good enough, that is all it takes");
    }
    if (service->dialect == DIALECT_DNS)
        add(report, NOTE, name,
            "\"options timeout:1 attempts:3\" in resolv.conf gets a look-up with a hung server "
            "from "
            "5 s to 1 s, without any switch. Servers with a rate limit (NSD's rrl-ratelimit) see "
            "up "
            "to twice the queries, from the same clients: raise it");
    if (service->dialect == DIALECT_MEMCACHED)
        add(report, NOTE, name,
            "memcached by UDP can be abused as an amplifier: keep it in the rack");
    if (service->state == STATE_AGENT && service->dialect != DIALECT_NETCLONE)
        add(report, NOTE, name,
            "on each server's host: clone-switch agent up INTERFACE --port %u --to NETWORK, for "
            "each network in \"clients\". Where none runs, requests are counted",
            ntohs(service->servers[0].at.port));
    if (service->clone == CLONE_ALWAYS)
        add(report, NOTE, name, "\"clone\": \"always\" is for tests: at load it halves throughput");
    if (service->server_count < 2)
        add(report, NOTE, name, "one server: there is nobody to clone to");
}

static int check_service(const struct config *config, const struct config_service *service,
                         struct report *report, struct failure *failure) {
    struct route route;
    char text[ENDPOINT_TEXT];
    if (netlink_route(service->at.address, &route, failure) < 0)
        return -1;
    endpoint_text(&service->at, text);
    if (route.kind == ROUTE_LOCAL)
        add(report, LACK, service->name,
            "%s is this host's own address: take it from the interface", text);
    else if (config->where == WHERE_HOST && route.kind != ROUTE_UNICAST)
        add(report, LACK, service->name, "%s has no route, so nothing leaves by a port for it",
            text);
    else
        add(report, OK, service->name, "%s; clients need a route to it by this host", text);
    if (config->where == WHERE_SWITCH && route.kind == ROUTE_UNICAST)
        add(report, NOTE, service->name,
            "what isn't the service's goes on by a route of this host's, and may come back by it "
            "again and again, as all does while the switch is down: ip route add unreachable "
            "%.*s/32",
            (int)strcspn(text, ":"), text);
    for (uint32_t i = 0; i < service->server_count; i++)
        if (check_route(config, &service->servers[i].at, &route, service->name, report, failure) <
            0)
            return -1;
    advise(service, report);
    return 0;
}

int command_check(const struct options *options, struct failure *failure) {
    struct config *config = config_read(options->config, failure);
    if (config == NULL)
        return -1;
    struct report report = {options->json ? json_array() : NULL, 0};
    int least_mtu = 0, result = 0;
    check_kernel(&report);
    check_pins(options->pins, &report);
    for (uint32_t i = 0; i < config->port_count; i++)
        check_port(config, config->ports[i], &least_mtu, &report);
    for (uint32_t i = 0; result == 0 && i < config->service_count; i++)
        result = check_service(config, &config->services[i], &report, failure);
    if (report.lines != NULL) {
        json_dumpf(report.lines, stdout, JSON_COMPACT);
        putchar('\n');
        json_decref(report.lines);
    }
    free(config);
    if (result == 0 && report.lacks > 0)
        return fail(failure, EXIT_UNABLE, "this host lacks %d things for %s", report.lacks,
                    options->config);
    return result;
}
