#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The switch on a router, before stock memcached servers that are asked by UDP.

# The library sets variables, and bats and wait_for call functions.
# shellcheck disable=SC2154,SC2030,SC2031,SC2317
load ../lib/switches

setup_file() {
    network_up 3
    local number
    for number in 1 2 3; do
        start_memcached "$number" 5000 # four datagrams
    done
    configure "$BATS_FILE_TMPDIR/config" cache memcached 11211 3
    configure "$BATS_FILE_TMPDIR/always" cache memcached 11211 3 '.services[0].clone = "always"'
    configure "$BATS_FILE_TMPDIR/never" cache memcached 11211 3 '.services[0].clone = "never"'
}

teardown_file() {
    network_down
}

teardown() {
    continue_memcached 1 2 3
    clone_switch down
    nothing_is_left
}

up() {
    clone_switch up "$BATS_FILE_TMPDIR/$1"
}

@test "always cloned: every slower answer is dropped, none is lost, none is torn" {
    up always
    ask 1000 500
    ((lost == 0 && torn == 0))
    ((twice <= 10))
    ((asked == $(status_of .cloned)))
    wait_for status_says '.filtered >= 990'
    wait_for status_says '[.servers[].outstanding] | add == 0'
}

@test "not cloned: each request goes to one server, and its answer comes back" {
    up never
    ask 1000 500
    ((lost == 0 && twice == 0 && torn == 0))
    status_says '.cloned == 0 and .not_cloned.never == 1000 and .filtered == 0'
    status_says '[.servers[].originals] | add == 1000 and all(. > 100)'
}

@test "a server that stops: what is cloned isn't lost, it is suspect, and trusted when it answers again" {
    up always
    ask 100 500
    local suspected originals
    suspected=$(status_of '.servers[1].suspected') # a busy machine is a slow server already
    kill -STOP "$(memcached_pid 2)"
    ask 1000 1000
    # Both copies of a request can't be at the server that stopped.
    ((lost == 0 && torn == 0))
    status_says '.servers[1].state == "suspect"'
    ((suspected + 1 == $(status_of '.servers[1].suspected')))
    originals=$(status_of '.servers[1].originals')
    ask 500 1000
    ((lost == 0))
    # A suspect is never asked alone, and gets a clone of every hundredth read.
    ((originals == $(status_of '.servers[1].originals')))
    status_says '.probes >= 5'
    kill -CONT "$(memcached_pid 2)"
    ask 300 1000
    ((lost == 0))
    status_says '.servers[1].state == "trusted" and .servers[1].suspected_seconds > 0.5'
    # Words that nobody answered are given up after eight seconds, and their servers no longer owe.
    wait_for status_says '[.servers[].outstanding] | add == 0'
}

@test "a server that stops, without clones: only what it had in hand is lost" {
    up never
    ask 100 500
    kill -STOP "$(memcached_pid 1)"
    ask 1000 1000
    # 50 ms of a thousand requests a second, of which it got a third.
    ((lost > 0 && lost < 100))
    status_says '.servers[0].state == "suspect"'
}

@test "a server hangs and the others pause: what is asked meanwhile waits for those, and isn't lost" {
    up always
    # Of these one may be lost that the hanging server got alone, before that was known and while the others were busy.
    on client "$build/programs/asker" 10.99.0.1 11211 500 4000 &>/dev/null 3>&- &
    local first=$! asker
    wait_for status_says '[.servers[].answers] | all(. > 5)'
    kill -STOP "$(memcached_pid 2)"
    wait_for status_says '.servers[1].state == "suspect"'
    on client "$build/programs/asker" 10.99.0.1 11211 1000 4000 >"$BATS_TEST_TMPDIR/asker" 3>&- &
    asker=$!
    kill -STOP "$(memcached_pid 1)" "$(memcached_pid 3)"
    # Nobody is trusted then. Of twenty that are asked at random seven were the hanging server's.
    wait_for status_says '.not_cloned.alone >= 20'
    continue_memcached 1 3
    wait "$first" || true
    wait "$asker"
    read -r _ asked _ _ _ lost _ _ _ torn <"$BATS_TEST_TMPDIR/asker"
    cat "$BATS_TEST_TMPDIR/asker"
    ((asked == 1000 && lost == 0 && torn == 0))
}

@test "all servers stop and go on: nobody is trusted, and the switch does as if it weren't there" {
    up always
    ask 10 1000
    local number
    for number in 1 2 3; do
        kill -STOP "$(memcached_pid "$number")"
    done
    ask 200 1000
    ((lost == 200))
    all_are_suspect() {
        ask 20 1000
        status_says '.not_cloned.alone > 0 and ([.servers[].state] | all(. == "suspect"))'
    }
    wait_for all_are_suspect # a busy machine asks late
    for number in 1 2 3; do
        kill -CONT "$(memcached_pid "$number")"
    done
    ask 200 1000
    ((lost == 0))
}

@test "servers that falter all the time lose nothing that is cloned, and tear nothing" {
    up always
    (
        for _ in {1..15}; do
            for number in 1 2 3; do
                kill -STOP "$(memcached_pid "$number")"
                sleep 0.05
                kill -CONT "$(memcached_pid "$number")"
            done
        done
    ) 3>&- &
    ask 2000 1000
    wait $!
    ((lost == 0 && torn == 0))
}

@test "a drained server gets nothing new, and the last one can't be drained" {
    up always
    ask 200 500
    run clone_switch drain cache 10.2.2.2:11211
    [[ $status == 0 && $output == *'owes no answer'* ]]
    local before
    before=$(status_of '.servers[1] | .originals + .clones')
    ask 200 500
    ((lost == 0))
    ((before == $(status_of '.servers[1] | .originals + .clones')))
    status_says '.servers[1].state == "drained"'
    clone_switch drain cache 10.2.1.2:11211
    run clone_switch drain cache 10.2.3.2:11211
    [[ $status == 64 && $output == *'last server'* ]]
    run clone_switch drain cache 10.9.9.9:1
    [[ $status == 64 && $output == *'no server'* ]]
    run clone_switch drain other 10.2.1.2:11211
    [[ $status == 64 && $output == *'no service'* ]]
    # `up` ends it.
    up always
    status_says '[.servers[].state] | all(. == "trusted")'
}

@test "while a drain waits, others may change the switch" {
    up never
    kill -STOP "$(memcached_pid 1)"
    ask 30 500 # some of which it owes now
    on router timeout 20 "$build/clone-switch" drain cache 10.2.1.2:11211 3>&- &
    local drain=$!
    wait_for status_says '.servers[0].state == "drained"'
    clone_switch drain cache 10.2.2.2:11211
    kill -0 "$drain"
    kill -CONT "$(memcached_pid 1)"
    wait "$drain"
}

@test "the program is replaced under load: nothing is lost, and what was counted stays" {
    up always
    on client "$build/programs/asker" 10.99.0.1 11211 3000 1000 >"$BATS_TEST_TMPDIR/asker" 3>&- &
    local asker=$! replaced=0
    while kill -0 "$asker" 2>/dev/null; do
        up always
        replaced=$((replaced + 1))
    done
    wait "$asker"
    read -r _ _ _ _ _ lost _ _ _ torn <"$BATS_TEST_TMPDIR/asker"
    cat "$BATS_TEST_TMPDIR/asker"
    ((replaced >= 1 && lost == 0 && torn == 0))
    status_says '.requests == 3000'
}

@test "servers come and go by another up, and none of the others loses its state" {
    up always
    ask 100 500
    jq 'del(.services[0].servers[1])' "$BATS_FILE_TMPDIR/always" >"$BATS_FILE_TMPDIR/two"
    up two
    ask 100 500
    ((lost == 0))
    status_says '(.servers | length) == 2 and .requests == 200'
    up always
    ask 100 500
    ((lost == 0))
    status_says '(.servers | length) == 3 and .requests == 300'
}

# How many servers' rules there are.
server_rules() {
    bpftool --json map dump pinned /sys/fs/bpf/clone-switch/server_rules | jq 'map(select(.value[18] != "0x00")) | length'
}

# As many services as there can be, into a file.
configure_all() {
    jq '.services += [range(1; 31) | {
            name: "service\(.)", address: "10.99.0.2:\(. + 20000)", protocol: "memcached",
            servers: [{address: "10.2.1.2:\(. + 20000)"}]
        }]' "$BATS_FILE_TMPDIR/never" >"$1"
}

@test "a service that has another name keeps its servers, also where all numbers are in use" {
    local all=$BATS_FILE_TMPDIR/all
    configure_all "$all"
    clone_switch up "$all"
    jq '.services[0].name = "renamed"' "$all" >"$all.renamed"
    clone_switch up "$all.renamed"
    ask 100 500
    ((lost == 0))
    [[ $(server_rules) == 33 ]]
    # Where numbers are free it gets another one, and nothing of its stays at the first.
    jq 'del(.services[20:])' "$all.renamed" >"$all.fewer"
    clone_switch up "$all.fewer"
    jq 'del(.services[20:])' "$all" >"$all.back"
    clone_switch up "$all.back"
    ask 100 500
    ((lost == 0))
    [[ $(server_rules) == 22 ]]
}

@test "a server that moves to another service is answered, however often up is called then" {
    local both=$BATS_TEST_TMPDIR/both
    # The service that the server moves to stands before the one that it leaves.
    jq '.services = [.services[0] * {name: "other", address: "10.99.0.2:11211", servers: [{address: "10.2.3.2:11211"}]}]
        + [.services[0] | del(.servers[2])]' "$BATS_FILE_TMPDIR/never" >"$both"
    clone_switch up "$both"
    jq '.services[0].servers += [.services[1].servers[1]] | del(.services[1].servers[1])' "$both" >"$both.moved"
    for _ in {1..3}; do
        clone_switch up "$both.moved"
        ask_at 10.99.0.2 200 500
        ((lost == 0))
    done
    status_says '[.servers[].originals] | all(. > 100)'
}

@test "a place's next server has nothing of its last one, neither what was counted nor a suspicion" {
    local file=$BATS_TEST_TMPDIR/two
    jq 'del(.services[0].servers[2])' "$BATS_FILE_TMPDIR/never" >"$file"
    clone_switch up "$file"
    ask 100 500
    kill -STOP "$(memcached_pid 2)"
    ask 300 1000
    status_says '.servers[1].state == "suspect" and .servers[1].originals > 20'
    jq '.services[0].servers |= [.[0]]' "$file" >"$file.one"
    clone_switch up "$file.one" # it is retired
    clone_switch up "$file.one" # and forgotten
    jq '.services[0].servers |= [.[0], .[1] * {address: "10.2.3.2:11211"}]' "$file" >"$file.other"
    clone_switch up "$file.other"
    status_says '.servers[1].address == "10.2.3.2:11211" and .servers[1].originals == 0'
    wait_for status_says '.servers[1].outstanding == 0' # the last one's debts
    ask 200 500
    ((lost == 0))
    status_says '.servers[1].state == "trusted" and .servers[1].originals > 50'
}

@test "all services get other addresses at once" {
    local all=$BATS_TEST_TMPDIR/all
    configure_all "$all"
    clone_switch up "$all"
    jq '.services[].address |= sub("10.99.0"; "10.98.0")' "$all" >"$all.moved"
    clone_switch up "$all.moved"
    clone_switch status --json | jq --exit-status '.services | length == 31 and all(.address | startswith("10.98.0"))' >/dev/null
}

@test "another table starts empty, and down still finds every hook" {
    up always
    ask 100 500
    jq '.slots = 2048' "$BATS_FILE_TMPDIR/always" >"$BATS_FILE_TMPDIR/smaller"
    up smaller
    ask 100 500
    ((lost == 0))
    status_says '.requests == 100'
    clone_switch status --json | jq --exit-status '.slots == 2048' >/dev/null
}

@test "a switch whose takeover fails stays as it is" {
    up always
    ask 100 500
    local group
    group=$(memory_group) || skip "no memory cgroup can be made here"
    jq '.slots = 16777216' "$BATS_FILE_TMPDIR/always" >"$BATS_TEST_TMPDIR/large"
    # shellcheck disable=SC2016 # for the inner shell
    run on router bash -c 'echo $$ >"$1/cgroup.procs" && exec "$2" up "$3"' - \
        "$group" "$build/clone-switch" "$BATS_TEST_TMPDIR/large"
    echo "$output"
    [[ $status == 70 && $output == *'the kernel refused'* ]]
    rmdir "$group"
    ask 100 500
    ((lost == 0))
    status_says '.requests == 200'
    clone_switch down
    nothing_is_left
}

@test "a mistyped port changes nothing" {
    up always
    jq 'del(.services[0].servers[1]) | .ports += ["nowhere"]' "$BATS_FILE_TMPDIR/always" >"$BATS_TEST_TMPDIR/mistyped"
    run clone_switch up "$BATS_TEST_TMPDIR/mistyped"
    [[ $status == 65 && $output == *'there is no network interface nowhere'* ]]
    status_says '(.servers | length) == 3'
    ask 100 500
    ((lost == 0))
}

@test "a port whose ingress qdisc isn't clsact is refused, and stays as it is" {
    on router tc qdisc add dev s2 ingress
    run clone_switch check "$BATS_FILE_TMPDIR/config"
    [[ $status == 65 && $output == *'LACKS  port       s2 has an ingress qdisc'* ]]
    run clone_switch up "$BATS_FILE_TMPDIR/config"
    [[ $status == 65 && $output == *'s2 has an ingress qdisc'*'put clsact in its place'* ]]
    nothing_is_left
    on router tc qdisc show dev s2 | grep -q 'qdisc ingress'
    on router tc qdisc delete dev s2 ingress
}

@test "every policy sends all servers something, and loses nothing" {
    local policy
    for policy in random c3; do
        jq --arg policy "$policy" '.services[0].policy = $policy' "$BATS_FILE_TMPDIR/config" >"$BATS_FILE_TMPDIR/$policy"
        up "$policy"
        ask 300 500
        ((lost == 0 && torn == 0))
        status_says '.cloned > 0 and (.servers | map(.originals + .clones) | all(. > 0))'
        clone_switch down
    done
}

@test "up that is killed at any point is completed by the next, or undone by down" {
    local delay
    jq '.slots = 2048' "$BATS_FILE_TMPDIR/always" >"$BATS_FILE_TMPDIR/smaller"
    for delay in 0.01 0.03 0.06 0.1 0.15 0.2 0.3 0.4 0.6 0.8; do
        timeout --signal KILL "$delay" nsenter --net="/proc/$(pid_of router)/ns/net" \
            "$build/clone-switch" up "$BATS_FILE_TMPDIR/always" || true
        # One that takes over with another table as well.
        timeout --signal KILL "$delay" nsenter --net="/proc/$(pid_of router)/ns/net" \
            "$build/clone-switch" up "$BATS_FILE_TMPDIR/smaller" || true
        if [[ $delay == 0.?5 || $delay == 0.? ]]; then
            wait_for clone_switch down # what is killed needs a moment to be dead
            nothing_is_left
        fi
    done
    wait_for up always
    ask 200 500
    ((lost == 0 && torn == 0))
}

@test "down is done twice as well, and nothing is up then" {
    up always
    clone_switch down
    clone_switch down
    run clone_switch status
    [[ $status == 67 && $output == *'no switch is up'* ]]
}

# Prints the directory of a memory cgroup of 100 MB, made here.
memory_group() {
    local group=/sys/fs/cgroup/memory limit=memory.limit_in_bytes
    if [[ -e /sys/fs/cgroup/cgroup.controllers ]]; then
        group=/sys/fs/cgroup limit=memory.max
        echo +memory >"$group/cgroup.subtree_control" || return 1
    fi
    group+=/clone-switch-$$
    mkdir "$group" && echo 100M >"$group/$limit" && echo "$group"
} 2>/dev/null

# A filter that lets everything pass, in classic BPF.
others_filter() {
    on router tc filter "$2" dev "$1" ingress protocol all priority 7 bpf bytecode '1,6 0 0 0'
}

@test "others' filters and their qdisc stay" {
    on router tc qdisc add dev s1 clsact
    others_filter s1 add
    up always
    on router tc qdisc show dev s2 | grep -q clsact
    others_filter s2 add
    clone_switch down
    on router tc filter show dev s1 ingress | grep -q 'pref 7 bpf'
    on router tc filter show dev s2 ingress | grep -q 'pref 7 bpf'
    [[ $(on router tc filter show dev s1 ingress) != *switch_ingress* ]]
    [[ $(on router tc qdisc show dev client) != *clsact* ]]
    on router tc qdisc delete dev s1 clsact
    on router tc qdisc delete dev s2 clsact
}

@test "trace tells of a request's two servers, and of its answers" {
    up always
    local settings=/sys/fs/bpf/clone-switch/switch_settings before
    before=$(bpftool map dump pinned "$settings")
    on router timeout 20 "$build/clone-switch" trace cache -n 6 >"$BATS_TEST_TMPDIR/trace" 3>&- &
    local trace=$!
    traced() {
        ask 2 1000
        ! kill -0 "$trace" 2>/dev/null
    }
    wait_for traced
    wait "$trace"
    cat "$BATS_TEST_TMPDIR/trace"
    # Which an `up` may be writing meanwhile.
    [[ $(bpftool map dump pinned "$settings") == "$before" ]]
    (($(wc -l <"$BATS_TEST_TMPDIR/trace") == 6))
    grep -Eq 'asked 10\.2\.[123]\.2:11211 \(queue 0\), other 10\.2\.[123]\.2:11211 \(queue 0\): cloned' "$BATS_TEST_TMPDIR/trace"
    grep -Eq 'answered by 10\.2\.[123]\.2:11211 after [0-9]+ us' "$BATS_TEST_TMPDIR/trace"
    grep -Eq 'dropped the answer of 10\.2\.[123]\.2:11211, [0-9]+ us after that of' "$BATS_TEST_TMPDIR/trace"
}

@test "up takes over from a build whose state is other, though all sizes are the same" {
    up always
    ask 100 500
    local settings=/sys/fs/bpf/clone-switch/switch_settings value
    # Byte 22 is the low one of `layout`.
    value=$(bpftool --json map lookup pinned "$settings" key 0 0 0 0 \
        | jq --raw-output '.value[22] |= (if . == "0x00" then "0x01" else "0x00" end) | .value | join(" ")')
    # shellcheck disable=SC2086 # one word a byte
    bpftool map update pinned "$settings" key 0 0 0 0 value $value
    run clone_switch status
    [[ $status == 68 && $output == *'another build of clone-switch'* ]]
    run clone_switch drain cache 10.2.2.2:11211
    [[ $status == 68 ]]
    jq 'del(.ports[3], .services[0].servers[2])' "$BATS_FILE_TMPDIR/always" >"$BATS_FILE_TMPDIR/two"
    up two
    ask 100 500
    ((lost == 0))
    status_says '.requests == 100'
    # Of the other build's hooks nothing stays.
    [[ -z $(on router tc filter show dev s3 ingress) ]]
}

@test "up takes over from a build whose servers' state is larger, and refuses where it can't find the hooks" {
    up always
    pin_other clone-switch server_states
    run clone_switch status
    [[ $status == 68 && $output == *'another build of clone-switch'* ]]
    up always
    ask 100 500
    ((lost == 0))
    status_says '.requests == 100'
    mkdir /sys/fs/bpf/aside
    bpftool map pin pinned /sys/fs/bpf/clone-switch/switch_settings /sys/fs/bpf/aside/switch_settings
    pin_other clone-switch switch_settings
    run clone_switch up "$BATS_FILE_TMPDIR/always"
    [[ $status == 68 && $output == *"run that one's \`down\` first"* ]]
    run clone_switch down
    [[ $status == 68 ]]
    # What was up still is.
    ask 100 500
    ((lost == 0))
    rm /sys/fs/bpf/clone-switch/switch_settings
    mv /sys/fs/bpf/aside/switch_settings /sys/fs/bpf/clone-switch/switch_settings
    rmdir /sys/fs/bpf/aside
    status_says '.requests == 200'
}

@test "without the filter both answers pass, which is for measuring" {
    jq '.filter = false' "$BATS_FILE_TMPDIR/always" >"$BATS_FILE_TMPDIR/unfiltered"
    up unfiltered
    ask 100 500
    ((lost == 0 && twice >= 90))
    status_says '.cloned == 100'
}

@test "Prometheus' text has every metric's type, and the counters of status" {
    up always
    ask 50 500
    clone_switch status --prometheus >"$BATS_TEST_TMPDIR/metrics"
    grep -qx 'clone_switch_requests_total{service="cache"} 50' "$BATS_TEST_TMPDIR/metrics"
    grep -qx 'clone_switch_decisions_total{service="cache",reason="cloned"} 50' "$BATS_TEST_TMPDIR/metrics"
    (($(grep -c '^# TYPE' "$BATS_TEST_TMPDIR/metrics") == $(grep '^clone' "$BATS_TEST_TMPDIR/metrics" | sed 's/[{ ].*//' | sort -u | wc -l)))
}

@test "status names a port that has lost its program, and up puts it there again" {
    local lost="s1: the program isn't there any more: \`clone-switch up\` puts it there again"
    up always
    clone_switch status --json | jq --exit-status '.ports | length == 4 and all(.attached)'
    [[ $(clone_switch status) != *"isn't there any more"* ]]
    on router tc qdisc del dev s1 clsact
    run clone_switch status
    [[ $status == 0 && ${lines[0]} == "$lost" && ${lines[1]} == cache:* ]]
    clone_switch status --json | jq --exit-status '[.ports[] | select(.attached | not) | .interface] == ["s1"]'
    clone_switch status --prometheus | grep -qx 'clone_switch_attached{port="s1"} 0'
    up always
    clone_switch status --json | jq --exit-status '.ports | all(.attached)'
    ask 100 500
    ((lost == 0))
    on router ip link add brief type veth peer name other
    jq '.ports += ["brief"]' "$BATS_FILE_TMPDIR/always" >"$BATS_FILE_TMPDIR/more"
    up more
    on router ip link delete brief
    [[ $(clone_switch status) == *" (gone): the program isn't there any more: "* ]]
    up always
    [[ $(clone_switch status) != *"isn't there any more"* ]]
}

@test "check says what a host lacks" {
    run clone_switch check "$BATS_FILE_TMPDIR/config"
    [[ $status == 0 && $output != *'ip route add'* ]]
    on router ip route replace 10.99.0.0/24 via 10.1.0.2
    run clone_switch check "$BATS_FILE_TMPDIR/config"
    on router ip route delete 10.99.0.0/24 via 10.1.0.2
    [[ $status == 0 && $output == *'ip route add unreachable 10.99.0.1/32'* ]]
    on router sysctl -q net.ipv4.conf.s1.forwarding=0
    jq '.ports[3] = "nowhere"' "$BATS_FILE_TMPDIR/config" >"$BATS_TEST_TMPDIR/bad"
    run clone_switch check "$BATS_TEST_TMPDIR/bad"
    on router sysctl -q net.ipv4.conf.s1.forwarding=1
    [[ $status == 65 ]]
    [[ $output == *"LACKS  port       s1 doesn't forward"* ]]
    [[ $output == *'LACKS  port       there is no interface nowhere'* ]]
    [[ $output == *"LACKS  cache      the way to 10.2.3.2:11211 is by s3, which isn't in \"ports\""* ]]
    run clone_switch up "$BATS_TEST_TMPDIR/bad"
    [[ $status == 65 && $output == *'no network interface nowhere'* ]]
    nothing_is_left
}
