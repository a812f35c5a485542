#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The switch on the client's own host: requests at its uplink's egress, answers at its ingress.

# The library sets variables, and bats and wait_for call functions.
# shellcheck disable=SC2154,SC2030,SC2031,SC2317
load ../lib/switches

setup_file() {
    network_up 3
    export switch_host=client
    local number
    for number in 1 2 3; do
        start_memcached "$number" 5000
    done
    configure "$BATS_FILE_TMPDIR/config" cache memcached 11211 3 '.where = "host" | .ports = ["eth0"]'
    jq '.services[0] |= (.clone = "always" | .budget = 100)' "$BATS_FILE_TMPDIR/config" \
        >"$BATS_FILE_TMPDIR/always"
}

teardown_file() {
    network_down
}

teardown() {
    kill -CONT "$(memcached_pid 1)"
    clone_switch down
    nothing_is_left
}

@test "on the client's host: every slower answer is dropped, none is lost, none is torn" {
    clone_switch check "$BATS_FILE_TMPDIR/always"
    clone_switch up "$BATS_FILE_TMPDIR/always"
    ask 1000 500
    ((lost == 0 && torn == 0 && twice <= 10))
    status_says '.cloned == 1000 and (.servers | map(.originals) | all(. > 100))'
    wait_for status_says '.filtered >= 990'
    clone_switch status --json | jq --exit-status '.ports == [{interface: "eth0", attached: true}]'
    on client tc filter delete dev eth0 egress
    clone_switch status --json | jq --exit-status '.ports == [{interface: "eth0", attached: false}]'
}

@test "on the client's host clones have a budget" {
    clone_switch up "$BATS_FILE_TMPDIR/config"
    ask 1000 500
    ((lost == 0 && torn == 0))
    # Ten at once, a tenth of all, and one a second.
    status_says '.cloned >= 90 and .cloned <= 130 and .not_cloned.budget > 100'
}

@test "on the client's host a server that stops is suspect, and trusted again" {
    clone_switch up "$BATS_FILE_TMPDIR/always"
    ask 50 500
    kill -STOP "$(memcached_pid 1)"
    ask 500 1000
    ((lost == 0))
    # On a machine so busy that answers take long, so does suspicion.
    suspected() {
        ask 100 1000
        status_says '.servers[0].state == "suspect"'
    }
    wait_for suspected
    kill -CONT "$(memcached_pid 1)"
    trusted() {
        ask 100 500
        status_says '.servers[0].state == "trusted"'
    }
    wait_for trusted
}

@test "on the client's host TCP is answered, and other traffic passes" {
    clone_switch up "$BATS_FILE_TMPDIR/config"
    local number
    # shellcheck disable=SC2016 # for the inner shell
    for address in 10.99.0.1 10.99.0.1 10.99.0.1 10.2.1.2 10.2.2.2; do
        on client bash -c 'exec 3<>"/dev/tcp/$1/11211"; printf "version\r\n" >&3; read -r -t 5 answer <&3
            [[ $answer == VERSION* ]]' bash "$address"
    done
    status_says '.flows == 3 and .requests == 0'
}
