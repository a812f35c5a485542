#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# NetRS on a fat-tree of 20 switches and 16 hosts: the way of each packet, which replica is chosen, what monitors
# count, and failures.

# The library sets variables, and bats calls functions.
# shellcheck disable=SC2154,SC2030,SC2031,SC2317
load ../lib/operators

setup_file() {
    fattree_up
    operators_up
    stores_up 0 0 0
}

# The last test's switch is gone.
teardown_file() {
    local name gone left=''
    gone=$(cat "$BATS_FILE_TMPDIR/gone" 2>/dev/null) || gone=''
    operators_down || left+="an operator isn't down; "
    for name in $(switches); do
        [[ $name == "$gone" || $(on "$name" tc qdisc show) != *clsact* ]] || left+="clsact on $name; "
    done
    left+=$(find /sys/fs/bpf -mindepth 1 ! -name '*.debug' ! -path "/sys/fs/bpf/netrs-${gone:-none}*")
    network_down
    [[ -z $left ]] || {
        echo "left behind: $left"
        return 1
    }
}

use() {
    plan "$1" >"$BATS_FILE_TMPDIR/plan.json"
    apply "$BATS_FILE_TMPDIR/plan.json"
}

# monitored SWITCH: its first group's counts by tier.
monitored() {
    netrs "$1" monitors --json | jq --compact-output '.groups[0].requests | [.core, .aggregation, .tor]'
}

@test "a core selects: every packet goes by it, up from the client and up from the server" {
    use core-0
    way ask "${replica[pod]}" "${available[far]}" 1
    [[ $said == "${replica[far]} rid 17 marker 1.0 counted" ]]
    way_is 'tor-0-0: request 1 counted_response 1; passed 1 forwarded 1' \
        'tor-1-0: selected 1 response 1; passed 1 forwarded 1' \
        'aggregation-0-0: request 1 counted_response 1; passed 1 forwarded 1' \
        'aggregation-1-0: selected 1 response 1; passed 1 forwarded 1' \
        'core-0: request 1 response 1; selected 1 learned 1'
    way ask "${replica[far]}" "${available[pod]}" 1
    [[ $said == "${replica[pod]} rid 17 marker 0.1 counted" ]]
    way_is 'tor-0-0: request 1 counted_response 1; passed 1 forwarded 1' \
        'tor-0-1: selected 1 response 1; passed 1 forwarded 1' \
        'aggregation-0-0: request 1 selected 1 response 1 counted_response 1; passed 2 forwarded 2' \
        'core-0: request 1 response 1; selected 1 learned 1'
    way ask "${replica[far]}" "${available[rack]}" 1
    [[ $said == "${replica[rack]} rid 17 marker 0.0 counted" ]]
    way_is 'tor-0-0: request 1 selected 1 response 1 counted_response 1; passed 2 forwarded 2' \
        'aggregation-0-0: request 1 selected 1 response 1 counted_response 1; passed 2 forwarded 2' \
        'core-0: request 1 response 1; selected 1 learned 1'
}

@test "an aggregation switch selects: answers of other pods come back by the same one" {
    use aggregation-0-1
    way ask "${replica[pod]}" "${available[far]}" 1
    [[ $said == "${replica[far]} rid 10 marker 1.0 counted" ]]
    # Two packets pass a core, of the two that there are on the way.
    [[ $(grep -c '^core-[23]: ' <<<"$way") == [12] && $(grep -c '^core-[01]' <<<"$way") == 0 ]]
    way=$(grep -v '^core-' <<<"$way")
    way_is 'tor-0-0: request 1 counted_response 1; passed 1 forwarded 1' \
        'tor-1-0: selected 1 response 1; passed 1 forwarded 1' \
        'aggregation-0-1: request 1 response 1; selected 1 learned 1' \
        'aggregation-1-1: selected 1 response 1; passed 1 forwarded 1'
    way ask "${replica[far]}" "${available[pod]}" 1
    [[ $said == "${replica[pod]} rid 10 marker 0.1 counted" ]]
    way_is 'tor-0-0: request 1 counted_response 1; passed 1 forwarded 1' \
        'tor-0-1: selected 1 response 1; passed 1 forwarded 1' \
        'aggregation-0-1: request 1 response 1; selected 1 learned 1'
}

@test "the rack's own switch selects: what stays in the rack leaves it never" {
    use tor-0-0
    way ask "${replica[far]}" "${available[rack]}" 1
    [[ $said == "${replica[rack]} rid 1 marker 0.0 counted" ]]
    way_is 'tor-0-0: request 1 response 1; selected 1 learned 1'
    way ask "${replica[far]}" "${available[pod]}" 1
    [[ $said == "${replica[pod]} rid 1 marker 0.1 counted" ]]
    way=$(grep -v '^aggregation-0-' <<<"$way")
    way_is 'tor-0-0: request 1 response 1; selected 1 learned 1' \
        'tor-0-1: selected 1 response 1; passed 1 forwarded 1'
}

@test "monitors count answers by the highest tier that they passed, anew with each plan" {
    use core-2
    ask "${replica[far]}" "${available[far]}" 11 >/dev/null
    ask "${replica[far]}" "${available[pod]}" 7 >/dev/null
    ask "${replica[far]}" "${available[rack]}" 5 >/dev/null
    client=host-0-0-1 ask "${replica[far]}" "${available[far]}" 2 >/dev/null # of the same rack
    client=host-1-1-0 ask "${replica[far]}" "${available[far]}" 3 >/dev/null
    [[ $(monitored tor-0-0) == '[13,7,5]' ]]
    [[ $(monitored tor-1-1) == '[0,3,0]' ]]
    [[ $(monitored tor-1-0) == '[0,0,0]' && $(monitored tor-0-1) == '[0,0,0]' ]] # servers' racks
    netrs tor-0-0 monitors --json | jq --exit-status '.seconds > 0 and (.groups | length == 1) and
        .groups[0].group == "10.0.0.0/24" and .groups[0].tor == "tor-0-0"'
    [[ $(netrs core-2 monitors --json | jq '.groups | length') == 0 ]]
    use none
    [[ $(monitored tor-0-0) == '[0,0,0]' ]]
    ask "${replica[pod]}" 7 4 >/dev/null # degraded ones count as well
    [[ $(monitored tor-0-0) == '[0,4,0]' ]]
}

@test "a group that a plan doesn't know is degraded, and counted for the next plan" {
    use core-2
    plan core-2 | jq 'del(.groups[] | select(.tor == "tor-0-0"))' >"$BATS_TEST_TMPDIR/plan"
    run netrs tor-0-0 apply "$BATS_TEST_TMPDIR/plan"
    [[ $status == 0 && $output == *"0 groups of clients, and others that the plan doesn't know"* ]]
    [[ $(ask "${replica[pod]}" 7 4 | sort -u) == "${replica[pod]} rid 65535 "* ]]
    [[ $(monitored tor-0-0) == '[0,4,0]' ]]
    use core-2
    [[ $(monitored tor-0-0) == '[0,0,0]' && $(netrs tor-0-0 apply <(plan core-2)) == 'tor-0-0: 1 groups of clients' ]]
}

@test "the node prefers servers without a queue, and those that are available" {
    use core-3
    stores_up 5 0 0
    said=$(ask "${replica[rack]}" 7 40)
    [[ $(grep -c "^${replica[rack]} " <<<"$said") == 1 ]] # to know it
    (($(grep -c "^${replica[pod]} " <<<"$said") + $(grep -c "^${replica[far]} " <<<"$said") == 39))
    netrs core-3 status --json | jq --exit-status '.servers | map(.selected) | add == 40'
    netrs core-3 status --json | jq --exit-status '.servers | all(.outstanding == 0 and .answered == .selected and
        .response_ms < 1000 and .service_ms == 1) and map(.queue) == [5, 0, 0]'
    # The only one that is left is taken however long its queue.
    [[ $(ask "${replica[far]}" "${available[rack]}" 10 | sort -u) == "${replica[rack]} "* ]]
    stores_up 0 0 0
}

@test "where nobody can select, the client's own choice is asked, and nothing is lost" {
    # Without a plan.
    netrs tor-0-0 down
    netrs tor-0-0 up "$BATS_FILE_TMPDIR/tor-0-0.json"
    way ask "${replica[rack]}" 7 1
    [[ $said == "${replica[rack]} rid 65535 marker 0.0 counted" ]]
    way_is 'tor-0-0: request 1 degraded_response 1; passed 1 degraded 1'
    # As the plan says.
    use none
    way ask "${replica[pod]}" 7 1
    [[ $said == "${replica[pod]} rid 65535 marker 0.1 counted" ]]
    way=$(grep -v '^aggregation-0-' <<<"$way")
    way_is 'tor-0-0: request 1 counted_response 1; passed 1 degraded 1' \
        'tor-0-1: degraded 1 degraded_response 1; passed 2'
    # No replica is available, or the group isn't known.
    use core-1
    [[ $(ask "${replica[far]}" 0 1) == "${replica[far]} rid 18 marker 1.0 counted" ]]
    [[ $(ask "${replica[pod]}" 7 1 8) == "${replica[pod]} rid 18 marker 0.1 counted" ]]
    netrs core-1 status --json | jq --exit-status '.without_replica == 2 and .done.degraded == 2 and .done.selected == 0'
}

@test "a switch whose operator is taken down costs no request" {
    use core-0
    netrs core-0 down
    gone=core-0
    way ask "${replica[far]}" 7 1
    [[ $said == "${replica[far]} rid 17 marker 1.0 counted" ]]
    # The switch behind sees it come from where it should go.
    [[ $way == *$'\naggregation-1-0: request 1'* && $way == *$'\ntor-1-0: degraded 1 degraded_response 1; passed 2'* ]]
    [[ $(netrs aggregation-1-0 status --json | jq .without_way) == 1 ]]
    local name
    for name in rack pod far; do
        said=$(ask "${replica[$name]}" 7 10)
        [[ $(grep -c "^${replica[$name]} .* counted" <<<"$said") == 10 ]]
    done
    gone=''
    netrs core-0 up "$BATS_FILE_TMPDIR/core-0.json"
    [[ $(ask "${replica[far]}" 2 1) == "${replica[pod]} rid 17 "* ]]
}

# As the controller's tests have it, which write and read the same files.
plans=$BATS_TEST_DIRNAME/../../../replica-selection/src/test/resources/org/clonehadoop/selection/controller

@test "what is wrong is said in one line, with an exit code, and nothing is changed" {
    local good=$BATS_FILE_TMPDIR/tor-0-0.json bad=$BATS_FILE_TMPDIR/bad.json change word
    run netrs tor-0-0 up "$good"
    [[ $status == 69 && $output == *'a NetRS operator is up here, as tor-0-0'* ]]
    netrs tor-0-0 down
    while IFS='|' read -r change word; do
        jq "$change" "$good" >"$bad"
        run netrs tor-0-0 up "$bad"
        [[ $status == 66 && ${#lines[@]} == 1 && $output == *"$word"* ]] || {
            echo "$change: $status $output"
            return 1
        }
    done <<'END_OF_CHANGES'
del(.switch)|"switch"
.rid = 0|"rid"
.rid = 65535|"rid"
del(.port)|"port"
.ports = []|"ports"
.hosts = ["up0"]|twice
del(.pod)|"pod"
del(.hosts)|top-of-rack
.speed = 1|knows no "speed"
.nodes[0].address = "here"|IPv4 address
.nodes[1].rid = 1|two nodes
.replication = 9|"replication"
.replicas[0].servers += ["10.3.0.2"]|"servers"
.replicas += .replicas|two groups
.replicas[0].group = 2097152|"group"
END_OF_CHANGES
    run netrs tor-0-0 apply "$plans/ilp.json"
    [[ $status == 67 && $output == *'no NetRS operator is up'* ]]
    run netrs tor-0-0 status
    [[ $status == 67 ]]
    run netrs tor-0-0 down
    [[ $status == 0 && $output == 'no NetRS operator was up' ]]
    run netrs tor-0-0 up "$BATS_FILE_TMPDIR/nowhere"
    [[ $status == 66 ]]
    jq '.ports = ["nowhere"]' "$good" >"$bad"
    run netrs tor-0-0 up "$bad"
    [[ $status == 65 && $output == *'no network interface nowhere'* ]]
    run netrs tor-0-0 apply
    [[ $status == 64 ]]
    run netrs tor-0-0 sideways
    [[ $status == 64 ]]
    [[ ! -e /sys/fs/bpf/netrs-tor-0-0 && $(on tor-0-0 tc qdisc show) != *clsact* ]]
    # A plan that is wrong leaves that in force which was.
    netrs tor-0-0 up "$good"
    use tor-0-0
    for change in '.groups[0].rid = 0' '.groups[0].group = "10.0.0.1/24"' 'del(.nodes)' '.groups += .groups' '[]'; do
        plan core-0 | jq "$change" >"$bad"
        run netrs tor-0-0 apply "$bad"
        [[ $status == 66 && ${#lines[@]} == 1 ]] || {
            echo "$change: $status $output"
            return 1
        }
    done
    [[ $(ask "${replica[far]}" 1 1) == "${replica[rack]} rid 1 "* ]]
}

@test "another build's operator is neither read nor replaced" {
    local pins=/sys/fs/bpf/netrs-tor-0-0 command
    mkdir /sys/fs/bpf/aside
    bpftool map pin pinned "$pins/operator_settings" /sys/fs/bpf/aside/operator_settings
    rm "$pins/operator_settings"
    bpftool map create "$pins/operator_settings" type array key 4 value 8 entries 1 name other
    for command in status monitors down "up $BATS_FILE_TMPDIR/tor-0-0.json"; do
        # shellcheck disable=SC2086 # a word or two
        run netrs tor-0-0 $command
        [[ $status == 68 && $output == *'another build of clone-switch'* ]]
    done
    rm "$pins/operator_settings"
    mv /sys/fs/bpf/aside/operator_settings "$pins/operator_settings"
    rmdir /sys/fs/bpf/aside
    netrs tor-0-0 status >/dev/null
}

@test "up is killed at any point, and down leaves nothing" {
    local delay
    netrs tor-0-0 down
    for delay in 0.005 0.01 0.02 0.03 0.05 0.1; do
        timeout --signal KILL "$delay" nsenter --net="/proc/$(pid_of tor-0-0)/ns/net" "$build/clone-switch" \
            netrs --pins /sys/fs/bpf/netrs-tor-0-0 up "$BATS_FILE_TMPDIR/tor-0-0.json" || true
        netrs tor-0-0 down
        [[ ! -e /sys/fs/bpf/netrs-tor-0-0 && $(on tor-0-0 tc qdisc show) != *clsact* ]]
    done
    netrs tor-0-0 up "$BATS_FILE_TMPDIR/tor-0-0.json"
}

@test "status names a port that has lost its program" {
    netrs tor-0-0 status --json | jq --exit-status '.ports | length > 0 and all(.attached)'
    on tor-0-0 tc filter delete dev host0 egress
    netrs tor-0-0 status --json | jq --exit-status '[.ports[] | select(.attached | not) | .interface] == ["host0"]'
    [[ $(netrs tor-0-0 status) == "host0: the program isn't there any more: "* ]]
    netrs tor-0-0 down
    netrs tor-0-0 up "$BATS_FILE_TMPDIR/tor-0-0.json"
}

@test "a switch that dies costs no request, and the controller's next plan goes round it" {
    local node other before
    apply "$plans/ilp.json"
    node=$(jq --raw-output '.nodes[0].switch' "$plans/ilp.json")
    other=$(jq --raw-output '.nodes[0].switch' "$plans/failure.json")
    [[ $node == core-* && $other == core-* && $node != "$other" ]]
    [[ $(ask "${replica[far]}" 2 1) == "${replica[pod]} rid $(rid_of "$node") "* ]]
    kill -KILL "$(pid_of "$node")"
    # Its links go with it, a moment later.
    until [[ $(on "aggregation-0-$((${node#core-} / 2))" ip link show type veth | grep -c 'up[01]@') == 1 ]]; do
        sleep 0.02
    done
    gone=$node
    echo "$node" >"$BATS_FILE_TMPDIR/gone"
    said=$(ask "${replica[pod]}" 7 20)
    [[ $(grep -c "^${replica[pod]} .* counted" <<<"$said") == 20 ]] # what the client would ask
    apply "$plans/failure.json"
    before=$(netrs "$other" status --json | jq '.done.selected')
    said=$(ask "${replica[pod]}" "${available[far]}" 20)
    [[ $(sort -u <<<"$said") == "${replica[far]} rid $(rid_of "$other") marker 1.0 counted" ]]
    [[ $(netrs "$other" status --json | jq '.done.selected') == $((before + 20)) ]]
    [[ $(netrs "$other" status --json | jq '.done.learned') == $((before + 20)) ]]
}
