#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The switch before stock name servers (NSD), asked by dig and dnsperf.

# The library sets variables, and bats and wait_for call functions.
# shellcheck disable=SC2154,SC2030,SC2031,SC2317
load ../lib/switches

setup_file() {
    network_up 3
    local number
    for number in 1 2 3; do
        start_nsd "$number"
    done
    configure "$BATS_FILE_TMPDIR/config" names dns 53 3
    configure "$BATS_FILE_TMPDIR/always" names dns 53 3 '.services[0].clone = "always"'
}

teardown_file() {
    network_down
}

teardown() {
    local number
    for number in 1 2 3; do
        signal_nsd "$number" CONT
    done
    clone_switch down
    nothing_is_left
}

# Each server's records say which one it is. Without rate limits, for all queries are one client's.
start_nsd() {
    local directory=$BATS_FILE_TMPDIR/nsd$1
    mkdir -p "$directory"
    cat >"$directory/zone" <<END
\$ORIGIN example.
@ 60 SOA ns hostmaster 1 3600 600 86400 60
@ 60 NS ns
ns 60 A 10.99.0.1
node 60 A 192.0.2.$1
long 60 TXT $(for ((i = 0; i < 12; i++)); do printf '"%0200d" ' "$1"; done)
END
    cat >"$directory/conf" <<END
server:
    server-count: 1
    username: ""
    chroot: ""
    zonesdir: "$directory"
    database: ""
    pidfile: "$directory/pid"
    xfrdfile: ""
    zonelistfile: "$directory/zonelist"
    cookie-secret-file: "$directory/cookie"
    rrl-ratelimit: 0
    ipv4-edns-size: 4096
remote-control:
    control-enable: no
zone:
    name: example
    zonefile: zone
END
    start_on "s$1" "$directory/log" nsd -d -c "$directory/conf"
    echo "$started" >"$directory/started"
    wait_for on "s$1" bash -c 'dig +short +tries=1 +time=1 @127.0.0.1 node.example | grep -q 192'
}

# Sends a signal to all processes of server N's NSD.
signal_nsd() {
    local started pid
    started=$(cat "$BATS_FILE_TMPDIR/nsd$1/started")
    for pid in $(family "$started"); do
        kill "-$2" "$pid"
    done
}

family() {
    local child
    echo "$1"
    for child in $(pgrep --parent "$1"); do
        family "$child"
    done
}

look_up() {
    on client dig +short +tries=1 +time=2 "$@" @10.99.0.1 node.example
}

up() {
    clone_switch up "$BATS_FILE_TMPDIR/$1"
}

@test "dig and the C library's resolver get answers from the service's address" {
    up config
    [[ $(look_up) == 192.0.2.[123] ]]
    echo 'nameserver 10.99.0.1' >"$BATS_TEST_TMPDIR/resolv.conf"
    # shellcheck disable=SC2016 # for the inner shell
    on client unshare --mount sh -c 'mount --bind "$1" /etc/resolv.conf && getent ahostsv4 node.example' \
        sh "$BATS_TEST_TMPDIR/resolv.conf" | grep -q '192\.0\.2\.[123]'
    status_says '.cloned > 0'
}

@test "dnsperf's queries, always cloned: none is lost" {
    up always
    echo 'node.example A' >"$BATS_TEST_TMPDIR/queries"
    on client dnsperf -s 10.99.0.1 -d "$BATS_TEST_TMPDIR/queries" -Q 1000 -l 3 -t 2 >"$BATS_TEST_TMPDIR/said"
    cat "$BATS_TEST_TMPDIR/said"
    grep -Eq 'Queries lost: +0 ' "$BATS_TEST_TMPDIR/said"
    status_says '.cloned > 2500 and .strangers <= 2'
}

@test "a name server that stops costs no look-up more than a moment" {
    up config
    local i
    for ((i = 0; i < 20; i++)); do
        look_up >/dev/null
    done
    signal_nsd 1 STOP
    echo 'node.example A' >"$BATS_TEST_TMPDIR/queries"
    on client dnsperf -s 10.99.0.1 -d "$BATS_TEST_TMPDIR/queries" -Q 300 -l 3 -t 2 >"$BATS_TEST_TMPDIR/said"
    cat "$BATS_TEST_TMPDIR/said"
    signal_nsd 1 CONT
    # What isn't cloned, for a server was busy, may be lost while nobody knows that it hangs.
    lost=$(sed -n 's/.*Queries lost: *\([0-9]*\) .*/\1/p' "$BATS_TEST_TMPDIR/said")
    ((lost <= 10))
    status_says '.servers[0].suspected >= 1'
    answered() {
        look_up >/dev/null
        status_says '.servers[0].state == "trusted"'
    }
    wait_for answered
}

@test "a name server that is killed is suspect at once, by its host's ICMP" {
    up config
    local i
    for ((i = 0; i < 20; i++)); do
        look_up >/dev/null
    done
    signal_nsd 3 KILL
    for ((i = 0; i < 20; i++)); do
        [[ $(look_up) == 192.0.2.[12] ]]
    done
    status_says '.servers[2].state == "suspect"'
    start_nsd 3
    answered() {
        look_up >/dev/null
        status_says '.servers[2].state == "trusted"'
    }
    wait_for answered
}

@test "TCP goes to one server and stays there" {
    up config
    local i
    for ((i = 0; i < 10; i++)); do
        [[ $(look_up +tcp) == 192.0.2.[123] ]]
    done
    status_says '.flows == 10 and .requests == 0'
}

@test "an answer that is fragmented arrives whole, and from one server" {
    up always
    local i text
    for ((i = 0; i < 10; i++)); do
        text=$(on client dig +short +tries=1 +time=2 +bufsize=4096 +notcp +ignore @10.99.0.1 long.example TXT)
        ((${#text} > 2000))
        (($(tr -d '0" ' <<<"$text" | grep -o . | sort -u | wc -l) == 1))
    done
    status_says '.requests == 10 and .filtered >= 8'
}

@test "what is asked of a server at its own address comes from there" {
    up config
    local i
    for ((i = 0; i < 5; i++)); do
        [[ $(on client dig +short +tries=1 +time=2 @10.2.2.2 node.example) == 192.0.2.2 ]]
        [[ $(on client dig +tcp +short +tries=1 +time=2 @10.2.2.2 node.example) == 192.0.2.2 ]]
    done
    status_says '.requests == 0 and .strangers == 0'
}

@test "a server is asked by TCP at its own address from a port that asked the service before" {
    up config
    local port
    # Each server has some of these.
    for port in {40001..40012}; do
        [[ $(on client dig +tcp +short +tries=1 +time=2 -b "10.1.0.2#$port" @10.99.0.1 node.example) == 192.0.2.[123] ]]
    done
    for port in {40001..40012}; do
        [[ $(on client dig +tcp +short +tries=1 +time=2 -b "10.1.0.2#$port" @10.2.2.2 node.example) == 192.0.2.2 ]]
    done
    status_says '.flows == 12'
}

@test "the switch's own look-ups, and those of a server's host, are answered though both are clients" {
    jq '.clients += ["10.2.0.0/16"]' "$BATS_FILE_TMPDIR/config" >"$BATS_FILE_TMPDIR/asking"
    up asking
    local i
    look_up >/dev/null
    for ((i = 0; i < 5; i++)); do
        [[ $(on router dig +short +tries=1 +time=2 @10.2.1.2 node.example) == 192.0.2.1 ]]
    done
    for ((i = 0; i < 20; i++)); do
        [[ $(on s1 dig +short +tries=1 +time=2 @10.99.0.1 node.example) == 192.0.2.[23] ]]
    done
    for ((i = 0; i < 5; i++)); do
        [[ $(on s1 dig +tcp +short +tries=1 +time=2 @10.99.0.1 node.example) == 192.0.2.[23] ]]
    done
    status_says '.servers[0].outstanding == 0 and .flows == 5 and .strangers == 0'
}

@test "only queries are cloned" {
    up always
    on client dig +tries=1 +time=1 +opcode=NOTIFY @10.99.0.1 example SOA >/dev/null || true
    on client dig +tries=1 +time=1 +opcode=UPDATE @10.99.0.1 example SOA >/dev/null || true
    on client dig +tries=1 +time=1 +notcp @10.99.0.1 example IXFR=1 >/dev/null || true
    status_says '.requests >= 2 and .cloned == 0 and .not_cloned.write == .requests'
}

@test "whoever isn't a client gets nothing from the service's address" {
    jq '.clients = ["10.3.0.0/16"]' "$BATS_FILE_TMPDIR/config" >"$BATS_TEST_TMPDIR/others"
    clone_switch up "$BATS_TEST_TMPDIR/others"
    run look_up
    [[ $output != 192* ]]
    status_says '.requests == 0'
}
