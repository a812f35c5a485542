#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The switch before two stock KDCs: logins of MIT's kinit and of Java while one of them hangs.

# The library sets variables, and bats and wait_for call functions.
# shellcheck disable=SC2154,SC2030,SC2031,SC2317
load ../lib/switches
source "$BATS_TEST_DIRNAME/../lib/kdc.bash"

setup_file() {
    network_up 2
    kdc_database "$BATS_FILE_TMPDIR/realm"
    krb5_conf "$BATS_FILE_TMPDIR/krb5.conf" 'kdc = 10.99.0.1'
    local number
    for number in 1 2; do
        start_kdc "$number" "$BATS_FILE_TMPDIR/realm"
        echo "$started" >"$BATS_FILE_TMPDIR/kdc.$number"
    done
    configure "$BATS_FILE_TMPDIR/config" kdc kerberos 88 2
    export KRB5_CONFIG=$BATS_FILE_TMPDIR/krb5.conf
    clone_switch up "$BATS_FILE_TMPDIR/config"
    wait_for log_in
    clone_switch down
}

teardown_file() {
    network_down
}

setup() {
    export KRB5CCNAME=FILE:$BATS_TEST_TMPDIR/cache
    clone_switch up "$BATS_FILE_TMPDIR/config"
}

teardown() {
    signal_kdc CONT 1 || true
    signal_kdc CONT 2 || true
    clone_switch down
    nothing_is_left
}

signal_kdc() {
    kill "-$1" "$(cat "$BATS_FILE_TMPDIR/kdc.$2")" 2>/dev/null
}

log_in() {
    on client kinit -k -t "$BATS_FILE_TMPDIR/realm/keytab" user 2>/dev/null
}

@test "kinit gets a ticket, and kvno another one: each request is cloned" {
    log_in
    on client kvno -q host/node
    on client klist | grep -q 'host/node@EXAMPLE'
    status_says '.requests >= 2 and .cloned == .requests'
    wait_for status_says '.filtered == .cloned'
}

@test "with one KDC hung logins succeed, and nothing is sent to it alone" {
    log_in
    signal_kdc STOP 1
    local i
    for ((i = 0; i < 20; i++)); do
        log_in
        on client kvno -q host/node
    done
    # None of them took kinit's own second try, which comes from the same port.
    status_says '.not_cloned.owed == 0'
    status_says '.servers[0].state == "suspect" and .not_cloned.alone > 0'
    signal_kdc CONT 1
    trusted() {
        log_in
        status_says '.servers[0].state == "trusted"'
    }
    wait_for trusted
}

@test "a KDC that is killed is suspect at once" {
    log_in
    signal_kdc KILL 2
    local i
    for ((i = 0; i < 5; i++)); do
        log_in
    done
    status_says '.servers[1].state == "suspect"'
    start_kdc 2 "$BATS_FILE_TMPDIR/realm"
    echo "$started" >"$BATS_FILE_TMPDIR/kdc.2"
    trusted() {
        log_in
        status_says '.servers[1].state == "trusted"'
    }
    wait_for trusted
}

@test "Kerberos by TCP is balanced and not cloned" {
    sed 's/udp_preference_limit = .*/udp_preference_limit = 1/' "$KRB5_CONFIG" >"$BATS_TEST_TMPDIR/tcp"
    KRB5_CONFIG=$BATS_TEST_TMPDIR/tcp log_in
    status_says '.requests == 0 and .flows > 0'
    KRB5_CONFIG=$BATS_TEST_TMPDIR/tcp run clone_switch check "$BATS_FILE_TMPDIR/config"
    [[ $output == *'udp_preference_limit = 1'* && $output == *kdc_timeout* ]]
}
