# SPDX-License-Identifier: Apache-2.0
# The tests' own library: what it asserts, it also notices when it is not so.

# The library sets a test's variables, and reads them.
# shellcheck disable=SC2154,SC2034
load ../lib/clones
bats_require_minimum_version 1.5.0 # run !

setup_file() {
    clones_setup_file
}

teardown_file() {
    hosts_down
}

setup() {
    clones_setup
}

teardown() {
    clones_teardown
}

@test "hosts reach each other, and the machine's own network doesn't know them" {
    spawn 2 "$BATS_TEST_TMPDIR/server" "$programs/echo_server" "$(host_address 2)" 7000
    server=$!
    wait_until 10 grep -q listening "$BATS_TEST_TMPDIR/server"
    [[ $(on 1 bash -c 'exec 3<>/dev/tcp/10.77.0.2/7000; echo hello >&3; head -n 1 <&3') == hello ]]
    run ! ip route get 10.77.0.2 oif eth0 from 10.77.0.1
    run ! ip link show host1
}

@test "a link's rate can be held, and let go" {
    link_rate 2 1gbit
    on 2 tc qdisc show dev eth0 | grep -q 'tbf.*rate 1Gbit'
    on 0 tc qdisc show dev host2 | grep -q 'tbf.*rate 1Gbit'
    link_rate 2 none
    run ! grep tbf <(on 2 tc qdisc show dev eth0)
    run ! grep tbf <(on 0 tc qdisc show dev host2)
    run ! link_rate 2 fast
}

# leaks_say TEXT FILE [DIRECTORY]: something is left, and TEXT is said of it.
leaks_say() {
    local said
    if said=$(LEAKS_SECONDS=0 leaks_check "${@:2}"); then
        return 1
    fi
    [[ $said == *"$1"* ]]
}

@test "a left process, file, socket or stopped process is noticed" {
    local before=$BATS_TEST_TMPDIR/now
    start_program counter
    leaks_snapshot "$before" "$work"
    leaks_check "$before" "$work"

    spawn 2 /dev/null sleep 1000
    # It has to become itself first.
    wait_until 10 leaks_say "process $! sleep" "$before"
    kill "$!"
    leaks_check "$before"

    kill -STOP "$program"
    wait_until 10 leaks_say "process $program counter stopped" "$before"
    kill -CONT "$program"
    leaks_check "$before"

    touch "$work/partial"
    leaks_say "file $work/partial" "$before" "$work"
}

# log LINE...: checks a log of these lines, the original's namespace being 1.
check_log() {
    original_namespace=1
    printf '%s\n' "$@" 'half a' >"$BATS_TEST_TMPDIR/log"
    follow_log "$BATS_TEST_TMPDIR/log"
}

@test "a log that goes on is understood" {
    [[ $(check_log '1 1 1 0' '2 33 1 0' 'event lost' '3 1026 2 0' '4 31810 2 0') == '4 2' ]]
}

@test "a gap, a repeated number, a wrong checksum, bad data and two writers are noticed" {
    run ! check_log '1 1 1 0' '3 34 1 0'
    run ! check_log '1 1 1 0' '2 33 1 0' '2 33 2 0'
    run ! check_log '1 1 1 0' '2 34 1 0'
    run ! check_log '1 1 1 0' 'bad heap'
    run ! check_log '1 1 2 0' '2 33 1 0'
}

@test "a clone that doesn't go on, and an original that stands still, are noticed" {
    start_program counter
    kill -STOP "$program"
    WAIT_SECONDS=0 run ! assert_original_continues
    WAIT_SECONDS=0 run ! assert_clone_continues "$work/log"
    kill -CONT "$program"
    run ! assert_clone_continues "$work/log" # it is the original
}
