#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Agents on the hosts of stock memcached servers, which tell the switch their queues.

# The library sets variables, and bats and wait_for call functions.
# shellcheck disable=SC2154,SC2030,SC2031,SC2317
load ../lib/switches

setup_file() {
    network_up 3
    local number
    for number in 1 2 3; do
        start_memcached "$number" "$((500 + number))" # odd and even lengths
    done
    configure "$BATS_FILE_TMPDIR/config" cache memcached 11211 3 '.services[0].state = "agent"'
    jq '.services[0].clone = "always"' "$BATS_FILE_TMPDIR/config" >"$BATS_FILE_TMPDIR/always"
    jq '.services[0].state = "counted"' "$BATS_FILE_TMPDIR/always" >"$BATS_FILE_TMPDIR/counted"
}

teardown_file() {
    network_down
}

teardown() {
    local number
    continue_memcached 1 2 3
    for number in 1 2 3; do
        agent "$number" down
        [[ $(on "s$number" tc qdisc show) != *clsact* ]]
    done
    clone_switch down
    nothing_is_left
}

# agent N COMMAND...: on server N's host.
agent() {
    on "s$1" "$build/clone-switch" agent --pins "/sys/fs/bpf/agent-$1" "${@:2}"
}

agents_up() {
    local number
    for number in "$@"; do
        agent "$number" up eth0 --port 11211 --to 10.1.0.0/16
    done
}

# agent_says N JQ-CONDITION
agent_says() {
    agent "$1" status --json | jq --exit-status "$2" >/dev/null
}

# dropped_by N...: how many clones these servers' agents have dropped.
dropped_by() {
    local number
    for number in "$@"; do
        agent "$number" status --json
    done | jq --slurp 'map(.dropped) | add'
}

@test "agents tell their queues with each answer, and clients see nothing of it" {
    agents_up 1 2 3
    clone_switch up "$BATS_FILE_TMPDIR/config"
    ask 500 500
    ((lost == 0 && twice == 0 && torn == 0))
    status_says '[.servers[].told_queue] | all(. != null)'
    local number
    for number in 1 2 3; do
        agent_says "$number" '.answers > 50 and .told == .answers and .clones > 0'
    done
    # Nothing of what was told reaches the client, whose kernel would count a wrong checksum.
    [[ $(on client nstat --zeros --noupdate UdpInCsumErrors UdpInErrors | awk '!/^#/ { sum += $2 } END { print sum }') == 0 ]]
}

@test "a clone that finds others waiting is dropped, and nobody waits for its answer" {
    agents_up 1 2 3
    clone_switch up "$BATS_FILE_TMPDIR/always"
    ask 100 500
    # On a busy machine clones may have been dropped before their servers had told anything.
    wait_for status_says '[.servers[].outstanding] | add == 0'
    local elsewhere
    elsewhere=$(dropped_by 2 3)
    kill -STOP "$(memcached_pid 1)"
    ask 40 500 # not long enough for it to be suspect
    # Nothing, but on a busy machine what had its clone dropped by one of the others.
    ((lost <= $(dropped_by 2 3) - elsewhere))
    agent_says 1 '.dropped > 0 and .dropped <= .clones'
    kill -CONT "$(memcached_pid 1)"
    ask 100 500
    ((lost == 0))
    # What was dropped isn't owed. It was, for eight seconds, if it were counted.
    status_says '[.servers[].outstanding] | add == 0'
}

@test "a server without an agent is counted, and all is answered" {
    agents_up 1 3
    clone_switch up "$BATS_FILE_TMPDIR/config"
    ask 500 500
    ((lost == 0 && twice == 0 && torn == 0))
    status_says '.servers[1].told_queue == null and .servers[0].told_queue != null'
    [[ $(on router "$build/clone-switch" status | grep -A 1 -F 10.2.2.2:11211) == *'tells no queue'* ]]
    [[ $(on router "$build/clone-switch" status | grep -c 'tells no queue') == 1 ]]
    status_says '.cloned > 0 and (.servers | map(.originals) | all(. > 50))'
    # One that comes later is heard of, and one that goes is forgotten.
    agents_up 2
    agent 3 down
    ask 200 500
    ((lost == 0))
    status_says '.servers[1].told_queue != null'
}

@test "agents that nobody listens to do no harm" {
    agents_up 1 2 3
    clone_switch up "$BATS_FILE_TMPDIR/counted"
    ask 300 500
    ((lost == 0 && torn == 0))
    agent_says 1 '.told > 0 and .clones == 0'
    status_says '[.servers[].told_queue] | all(. == null)'
}

@test "on the client's host agents are heard as well, and clones need no budget" {
    agents_up 1 2 3
    export switch_host=client
    jq '.where = "host" | .ports = ["eth0"]' "$BATS_FILE_TMPDIR/config" >"$BATS_TEST_TMPDIR/host"
    clone_switch up "$BATS_TEST_TMPDIR/host"
    ask 500 500
    ((lost == 0 && twice == 0 && torn == 0))
    status_says '.not_cloned.budget == 0 and .cloned > 100 and ([.servers[].told_queue] | all(. != null))'
    clone_switch down
}

@test "up is killed at any point, and done again with other ports" {
    local delay
    for delay in 0.01 0.03 0.05 0.08 0.12 0.2; do
        timeout --signal KILL "$delay" nsenter --net="/proc/$(pid_of s1)/ns/net" "$build/clone-switch" \
            agent --pins /sys/fs/bpf/agent-1 up eth0 --port 11211 --to 10.1.0.0/16 || true
    done
    agent 1 up eth0 --port 53 --port 11211 --to 10.1.0.0/16 --to 10.5.0.0/16
    agent_says 1 '.ports == [53, 11211] and .attached'
    on s1 tc qdisc delete dev eth0 clsact
    agent_says 1 '.attached | not'
    [[ $(agent 1 status) == "eth0: the program isn't there any more: "* ]]
    agent 1 up eth0 --port 53 --to 10.1.0.0/16
    agent_says 1 '.ports == [53] and .attached'
    agent 1 down
    run agent 1 down
    [[ $status == 0 && $output == 'no agent was up' ]]
    run agent 1 status
    [[ $status == 67 ]]
    run agent 1 up nowhere --port 53 --to 10.1.0.0/16
    [[ $status == 65 && $output == *'no network interface nowhere'* ]]
    run agent 1 up eth0 --port 53 --to 10.1.0.1/16
    [[ $status == 64 && $output == *'IPV4/BITS'* ]]
    run agent 1 up eth0 --port 70000 --to 10.1.0.0/16
    [[ $status == 64 ]]
}

# agent_filters N INTERFACE: how many of the agent's are there.
agent_filters() {
    {
        on "s$1" tc filter show dev "$2" ingress
        on "s$1" tc filter show dev "$2" egress
    } | grep -c agent_ || true
}

@test "another interface has the agent before it is taken from the first one, which keeps it else" {
    agents_up 1
    clone_switch up "$BATS_FILE_TMPDIR/config"
    on s1 ip link add other type veth peer name peer
    on s1 tc qdisc add dev other ingress
    run agent 1 up other --port 53 --to 10.1.0.0/16
    [[ $status == 65 && $output == *'ingress qdisc'* ]]
    [[ $(agent_filters 1 eth0) == 2 && $(agent_filters 1 other) == 0 ]]
    agent_says 1 '.interface == "eth0" and .ports == [11211]'
    ask 100 500
    ((lost == 0))
    status_says '.servers[0].told_queue != null'
    on s1 tc qdisc delete dev other ingress
    agent 1 up other --port 53 --to 10.1.0.0/16
    [[ $(agent_filters 1 eth0) == 0 && $(agent_filters 1 other) == 2 ]]
    agent_says 1 '.interface == "other" and .ports == [53]'
    [[ $(on s1 tc qdisc show dev eth0) != *clsact* ]]
    on s1 ip link delete other
}

@test "up takes over from another build's agent, and refuses where it can't know where that is" {
    agents_up 1
    pin_other agent-1 agent_counters
    run agent 1 status
    [[ $status == 68 && $output == *'another build of clone-switch'* ]]
    agents_up 1
    agent_says 1 '.answers == 0'
    mkdir /sys/fs/bpf/aside
    bpftool map pin pinned /sys/fs/bpf/agent-1/agent_rules /sys/fs/bpf/aside/agent_rules
    pin_other agent-1 agent_rules
    run agent 1 up eth0 --port 11211 --to 10.1.0.0/16
    [[ $status == 68 && $output == *"run that one's \`agent down\` first"* ]]
    run agent 1 down
    [[ $status == 68 && $(on s1 tc qdisc show) == *clsact* ]]
    rm /sys/fs/bpf/agent-1/agent_rules
    mv /sys/fs/bpf/aside/agent_rules /sys/fs/bpf/agent-1/agent_rules
    rmdir /sys/fs/bpf/aside
}
