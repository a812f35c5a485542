#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# A service of dialect "flow" on a router: TCP connections, each to one of three stock memcached servers.

# The library sets variables, and bats and wait_for call functions.
# shellcheck disable=SC2154,SC2030,SC2031,SC2317
load ../lib/switches

setup_file() {
    network_up 3
    local number
    for number in 1 2 3; do
        start_memcached "$number" 5
    done
    # "always", for nothing to keep from cloning what could be cloned.
    configure "$BATS_FILE_TMPDIR/config" store flow 11211 3 '.services[0].clone = "always"'
}

teardown_file() {
    network_down
}

setup() {
    clone_switch up "$BATS_FILE_TMPDIR/config"
    gets_before=$(gets)
    coproc CLIENT {
        on client "$BATS_TEST_DIRNAME/../lib/connections" 10.99.0.1 11211 3>&-
    }
    client=$CLIENT_PID asks=${CLIENT[1]} tells=${CLIENT[0]}
}

teardown() {
    continue_memcached 1 2 3
    exec {asks}>&-
    wait "$client"
    clone_switch down
    nothing_is_left
}

# connections open N | connections ask: the letters of all connections are in $letters.
connections() {
    echo "$*" >&"$asks"
    read -r -t 20 letters <&"$tells"
    echo "$*: $letters"
}

# How often all servers together were asked for a value.
gets() {
    local number
    for number in 1 2 3; do
        # shellcheck disable=SC2016 # for the inner shell
        on "s$number" bash -c 'exec 3<>/dev/tcp/127.0.0.1/11211; printf "stats\r\nquit\r\n" >&3; cat <&3'
    done | awk '$2 == "cmd_get" { sum += $3 } END { print sum }'
}

nothing_was_cloned() {
    status_says '.cloned == 0 and .probes == 0 and .filtered == 0 and ([.servers[].clones] | all(. == 0))'
}

@test "connections go to all servers, each stays with its own, and none is cloned" {
    connections open 40
    [[ $letters == *a* && $letters == *b* && $letters == *c* && $letters != *-* ]]
    local first=$letters
    connections ask
    [[ $letters == "$first" ]]
    # Another program in the place of this one.
    clone_switch up "$BATS_FILE_TMPDIR/config"
    connections ask
    [[ $letters == "$first" ]]
    # Each was one server's to answer: 40 connections, three times.
    (($(gets) - gets_before == 120))
    status_says '.flows == 40 and .requests == 0'
    nothing_was_cloned
}

@test "a drained server gets no new connections, and keeps those that it has" {
    connections open 40
    [[ $letters == *b* ]]
    local first=$letters
    clone_switch drain store 10.2.2.2:11211
    connections open 40
    [[ ${letters:0:40} == "$first" ]]
    [[ ${letters:40} == *a* && ${letters:40} == *c* && ${letters:40} != *[b-]* ]]
    # `up` ends it.
    clone_switch up "$BATS_FILE_TMPDIR/config"
    connections open 40
    [[ ${letters:0:40} == "$first" && ${letters:80} == *b* ]]
    nothing_was_cloned
}

@test "a server that is suspect gets no new connections, and keeps those that it has" {
    connections open 40
    [[ $letters == *b* ]]
    local first=$letters
    kill -STOP "$(memcached_pid 2)"
    # Datagrams tell: what isn't said to be a read goes to one server, which owes an answer then.
    suspected() {
        # shellcheck disable=SC2016 # for the inner shell
        on client bash -c 'for _ in {1..10}; do printf "\0\1\0\0\0\1\0\0get k\r\n" >/dev/udp/10.99.0.1/11211; done'
        status_says '.servers[1].state == "suspect"'
    }
    wait_for suspected
    # A host that is well would go on to accept what its stopped server can't answer.
    local number
    for ((number = 0; number < 20; number++)); do
        # shellcheck disable=SC2016 # for the inner shell
        [[ $(on client bash -c 'exec 3<>/dev/tcp/10.99.0.1/11211; printf "get k\r\n" >&3
            read -r -t 5 <&3; read -r value <&3; echo "${value:0:1}"') == [ac] ]]
    done
    kill -CONT "$(memcached_pid 2)"
    connections ask
    [[ $letters == "$first" ]]
    status_says '.requests > 0 and .not_cloned.write == .requests'
    nothing_was_cloned
}
