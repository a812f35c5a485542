// SPDX-License-Identifier: Apache-2.0
// Questions, by libmnl.
#include "netlink.h"

#include <libmnl/libmnl.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <time.h>

// Sends the request and gives each answer to `callback`; -errno.
static int ask(struct nlmsghdr *request, mnl_cb_t callback, void *data) {
    struct mnl_socket *socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
    if (socket == NULL)
        return -errno;
    char buffer[32768];
    unsigned sequence = request->nlmsg_seq = (unsigned)time(NULL);
    int result = -1;
    if (mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) == 0 &&
        mnl_socket_sendto(socket, request, request->nlmsg_len) >= 0)
        do {
            ssize_t got = mnl_socket_recvfrom(socket, buffer, sizeof buffer);
            result = got < 0 ? -1
                             : mnl_cb_run(buffer, (size_t)got, sequence,
                                          mnl_socket_get_portid(socket), callback, data);
        } while (result > 0);
    int error = errno;
    mnl_socket_close(socket);
    return result < 0 ? -error : 0;
}

static int take_route(const struct nlmsghdr *message, void *data) {
    struct route *route = data;
    const struct rtmsg *rtm = mnl_nlmsg_get_payload(message);
    const struct nlattr *attribute;
    route->kind = rtm->rtm_type == RTN_LOCAL     ? ROUTE_LOCAL
                  : rtm->rtm_type == RTN_UNICAST ? ROUTE_UNICAST
                                                 : ROUTE_NONE;
    mnl_attr_for_each(attribute, message, sizeof *rtm) if (mnl_attr_get_type(attribute) == RTA_OIF)
        route->interface = mnl_attr_get_u32(attribute);
    return MNL_CB_STOP;
}

int netlink_route(uint32_t address, struct route *route, struct failure *failure) {
    char buffer[256] = {0};
    struct nlmsghdr *request = mnl_nlmsg_put_header(buffer);
    request->nlmsg_type = RTM_GETROUTE;
    request->nlmsg_flags = NLM_F_REQUEST;
    struct rtmsg *rtm = mnl_nlmsg_put_extra_header(request, sizeof *rtm);
    rtm->rtm_family = AF_INET;
    rtm->rtm_dst_len = 32;
    mnl_attr_put_u32(request, RTA_DST, address);
    *route = (struct route){ROUTE_NONE, 0};
    int error = ask(request, take_route, route);
    if (error == -ENETUNREACH || error == -EHOSTUNREACH || error == -EINVAL || error == -EACCES)
        return 0; // that there is none is an answer as well
    return error < 0 ? fail_number(failure, EXIT_UNABLE, error, "can't ask for routes") : 0;
}

// A request, in 256 zeroes, for all of a kind that the interface has.
static struct nlmsghdr *put_dump(char *buffer, uint16_t type, uint32_t interface, uint32_t parent) {
    struct nlmsghdr *request = mnl_nlmsg_put_header(buffer);
    request->nlmsg_type = type;
    request->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    struct tcmsg *tcm = mnl_nlmsg_put_extra_header(request, sizeof *tcm);
    tcm->tcm_family = AF_UNSPEC;
    tcm->tcm_ifindex = (int)interface;
    tcm->tcm_parent = parent;
    return request;
}

struct qdiscs {
    uint32_t interface;
    bool ingress_only;
};

static int take_qdisc(const struct nlmsghdr *message, void *data) {
    struct qdiscs *qdiscs = data;
    const struct tcmsg *tcm = mnl_nlmsg_get_payload(message);
    const struct nlattr *attribute;
    mnl_attr_for_each(attribute, message, sizeof *tcm) {
        if (mnl_attr_get_type(attribute) == TCA_KIND && tcm->tcm_parent == TC_H_INGRESS &&
            tcm->tcm_ifindex == (int)qdiscs->interface)
            qdiscs->ingress_only |= strcmp(mnl_attr_get_str(attribute), "ingress") == 0;
    }
    return MNL_CB_OK;
}

int netlink_is_ingress_only(uint32_t interface, bool *ingress_only, struct failure *failure) {
    char buffer[256] = {0};
    struct qdiscs qdiscs = {interface, false};
    int error = ask(put_dump(buffer, RTM_GETQDISC, interface, 0), take_qdisc, &qdiscs);
    *ingress_only = qdiscs.ingress_only;
    return error < 0 ? fail_number(failure, EXIT_KERNEL, error, "can't list qdiscs") : 0;
}

static int count_filter(const struct nlmsghdr *message, void *data) {
    const struct tcmsg *tcm = mnl_nlmsg_get_payload(message);
    *(int *)data += tcm->tcm_handle != 0; // 0: the priority's head
    return MNL_CB_OK;
}

int netlink_count_filters(uint32_t interface, int *count, struct failure *failure) {
    const uint32_t parents[] = {TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS),
                                TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS)};
    *count = 0;
    for (int i = 0; i < 2; i++) {
        char buffer[256] = {0};
        int error =
            ask(put_dump(buffer, RTM_GETTFILTER, interface, parents[i]), count_filter, count);
        if (error < 0)
            return fail_number(failure, EXIT_KERNEL, error, "can't list filters of interface %u",
                               interface);
    }
    return 0;
}
