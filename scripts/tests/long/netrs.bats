#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# NetRS' whole circle on a fat-tree of namespaces: monitors count, replica-plan plans, switches follow, count again,
# and a failed switch is gone round.

# The library sets variables.
# shellcheck disable=SC2154
repository=$BATS_TEST_DIRNAME/../../..
source "$repository/request-switch/tests/lib/operators.bash"
source "$BATS_TEST_DIRNAME/skips.bash"

setup_file() {
    ((EUID == 0)) || skip_for "not root, and the test makes network namespaces and loads BPF programs"
    export bpffs=$BATS_FILE_TMPDIR/bpf
    mkdir "$bpffs"
    mount -t bpf bpf "$bpffs"
    fattree_up
    operators_up
    stores_up 0 0 0
}

teardown_file() {
    [[ -n ${bpffs:-} ]] || return 0
    operators_down
    network_down
    umount "$bpffs"
}

# planned COMMAND [OPTION...]: what replica-plan says of all monitors; the plan is in $plan.
planned() {
    local rack files=()
    for rack in tor-{0,1,2,3}-{0,1}; do
        netrs "$rack" monitors --json >"$BATS_FILE_TMPDIR/$rack.monitors"
        files+=(--traffic "$BATS_FILE_TMPDIR/$rack.monitors")
    done
    plan=$BATS_FILE_TMPDIR/$1.plan
    "$repository/scripts/replica-plan" "$1" --topology fat-tree:4 "${files[@]}" --extra-hops 2 --json "${@:2}" >"$plan"
}

# done_at FIELD SWITCH
done_at() {
    netrs "$2" status --json | jq ".done.$1"
}

@test "what monitors count is planned for, and switches follow the plan and the next one" {
    local node other before
    plan none >"$BATS_FILE_TMPDIR/none.plan"
    apply "$BATS_FILE_TMPDIR/none.plan"
    ask "${replica[far]}" 7 50 >/dev/null
    client=host-2-0-0 ask "${replica[far]}" 7 30 >/dev/null
    planned ilp
    jq --exit-status '.optimal and (.nodes | length == 1) and (.groups | length == 8)' "$plan"
    node=$(jq --raw-output '.nodes[0].switch' "$plan")
    [[ $node == core-* ]]
    apply "$plan"
    [[ $(ask "${replica[far]}" 2 10 | sort -u) == "${replica[pod]} rid $(rid_of "$node") marker 0.1 counted" ]]
    client=host-2-0-0 ask "${replica[far]}" 7 10 >/dev/null
    [[ $(done_at selected "$node") == 20 && $(done_at learned "$node") == 20 ]]

    planned failure --plan "$plan" --failed "$node"
    other=$(jq --raw-output '.nodes[0].switch' "$plan")
    [[ $other == core-* && $other != "$node" ]]
    before=$(done_at selected "$other")
    apply "$plan"
    [[ $(ask "${replica[far]}" 2 10 | sort -u) == "${replica[pod]} rid $(rid_of "$other") marker 0.1 counted" ]]
    [[ $(done_at selected "$node") == 20 && $(done_at selected "$other") == $((before + 10)) ]]
}
