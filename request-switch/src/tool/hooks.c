// SPDX-License-Identifier: Apache-2.0
// Our filters have a priority and a handle of their own, so that others' are left alone.
#include "hooks.h"

#include <bpf/libbpf.h>
#include <net/if.h>

#include "netlink.h"

enum { HANDLE = 1 };

static struct bpf_tc_hook hook_of(uint32_t interface, enum bpf_tc_attach_point point) {
    return (struct bpf_tc_hook){
        .sz = sizeof(struct bpf_tc_hook), .ifindex = (int)interface, .attach_point = point};
}

static int attach(uint32_t interface, enum hooks_owner owner, enum bpf_tc_attach_point point,
                  int program) {
    struct bpf_tc_hook hook = hook_of(interface, point);
    DECLARE_LIBBPF_OPTS(bpf_tc_opts, options, .handle = HANDLE, .priority = owner,
                        .prog_fd = program, .flags = BPF_TC_F_REPLACE);
    return bpf_tc_attach(&hook, &options);
}

static int detach(uint32_t interface, enum hooks_owner owner, enum bpf_tc_attach_point point) {
    struct bpf_tc_hook hook = hook_of(interface, point);
    DECLARE_LIBBPF_OPTS(bpf_tc_opts, options, .handle = HANDLE, .priority = owner);
    int error = bpf_tc_detach(&hook, &options);
    // No such filter, no qdisc, no interface.
    return error == -ENOENT || error == -EINVAL || error == -ENODEV ? 0 : error;
}

static bool is_there(uint32_t interface, enum hooks_owner owner, enum bpf_tc_attach_point point) {
    struct bpf_tc_hook hook = hook_of(interface, point);
    DECLARE_LIBBPF_OPTS(bpf_tc_opts, options, .handle = HANDLE, .priority = owner);
    return bpf_tc_query(&hook, &options) == 0;
}

bool hooks_are_there(uint32_t interface, enum hooks_owner owner, bool egress) {
    return is_there(interface, owner, BPF_TC_INGRESS) &&
           (!egress || is_there(interface, owner, BPF_TC_EGRESS));
}

const char *hooks_interface(uint32_t interface, char *name) {
    if (if_indextoname(interface, name) == NULL)
        snprintf(name, HOOKS_INTERFACE, "%u (gone)", interface);
    return name;
}

void hooks_complain(uint32_t interface, const char *up) {
    char name[HOOKS_INTERFACE];
    printf("%s: the program isn't there any more: `%s` puts it there again\n",
           hooks_interface(interface, name), up);
}

int hooks_attach(uint32_t interface, enum hooks_owner owner, int ingress, int egress, bool *made,
                 struct failure *failure) {
    struct bpf_tc_hook hook = hook_of(interface, BPF_TC_INGRESS);
    int error = bpf_tc_hook_create(&hook);
    *made = error == 0;
    if (error < 0 && error != -EEXIST)
        return fail_number(failure, EXIT_KERNEL, error, "can't make a clsact qdisc on interface %u",
                           interface);
    // An ingress qdisc is at the same place, and takes filters for the egress as well, as its own.
    bool ingress_only = false;
    if (error < 0 && netlink_is_ingress_only(interface, &ingress_only, failure) < 0)
        return -1;
    if (ingress_only) {
        char name[IF_NAMESIZE] = "?";
        return fail(failure, EXIT_UNABLE, HOOKS_INGRESS_ONLY, if_indextoname(interface, name));
    }
    error = attach(interface, owner, BPF_TC_INGRESS, ingress);
    if (error == 0)
        error = egress >= 0 ? attach(interface, owner, BPF_TC_EGRESS, egress)
                            : detach(interface, owner, BPF_TC_EGRESS);
    if (error < 0 && *made) {
        hook.attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS;
        bpf_tc_hook_destroy(&hook); // with what is there of ours
        *made = false;
    }
    if (error < 0)
        return fail_number(failure, EXIT_KERNEL, error, "can't attach to interface %u", interface);
    return 0;
}

int hooks_detach(uint32_t interface, enum hooks_owner owner, bool made, struct failure *failure) {
    char name[IF_NAMESIZE];
    if (if_indextoname(interface, name) == NULL)
        return 0;
    int error = detach(interface, owner, BPF_TC_INGRESS);
    if (error == 0)
        error = detach(interface, owner, BPF_TC_EGRESS);
    if (error < 0)
        return fail_number(failure, EXIT_KERNEL, error, "can't detach from %s", name);
    int others;
    if (!made)
        return 0;
    if (netlink_count_filters(interface, &others, failure) < 0)
        return -1;
    if (others > 0)
        return 0;
    struct bpf_tc_hook hook = hook_of(interface, BPF_TC_INGRESS | BPF_TC_EGRESS);
    error = bpf_tc_hook_destroy(&hook);
    if (error < 0 && error != -ENOENT && error != -EINVAL)
        return fail_number(failure, EXIT_KERNEL, error, "can't remove the clsact qdisc of %s",
                           name);
    return 0;
}
