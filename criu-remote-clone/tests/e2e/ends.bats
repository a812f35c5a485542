# SPDX-License-Identifier: Apache-2.0
# How clones, and the tools that hold them, end.

# The library sets a test's variables, and every test has its own.
# shellcheck disable=SC2154,SC2030,SC2031
load ../lib/clones

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

# Prints the pid of the clone of a counter, as the hosts see it.
clone_pid() {
    local pid
    for pid in $(hosts_processes); do
        if [[ $pid != "$program" && $(cat "/proc/$pid/comm") == counter ]]; then
            echo "$pid"
        fi
    done
}

clone_counter() {
    start_program counter
    clone_to 2
    assert_clone_continues "$clones$work/log"
}

@test "a clone's exit code is pull's" {
    clone_counter
    kill -TERM "$(clone_pid)"
    ends_with 42 "$pull"
    [[ $(tail -n 1 "$clones$work/log") == end* ]]
    assert_original_continues
}

@test "a clone that a signal kills ends pull with 128 and the signal's number" {
    clone_counter
    kill -KILL "$(clone_pid)"
    ends_with 137 "$pull"
    assert_original_continues
}

@test "a clone dies with a killed pull" {
    clone_counter
    kill -KILL "$pull"
    wait_until 10 clone_is_gone
    assert_original_continues
}

clone_is_gone() {
    [[ -z $(clone_pid) ]]
}

@test "a clone lives on without its original" {
    clone_counter
    kill -KILL "$program"
    assert_clone_continues "$clones$work/log"
    kill -TERM "$pull"
    ends_with 42 "$pull"
}

@test "a process can be cloned again, and both clones go on" {
    local first_clones first_pull
    clone_counter
    first_clones=$clones first_pull=$pull
    clones=$BATS_TEST_TMPDIR/clones-3
    rm "$BATS_TEST_TMPDIR"/{port,pull.json,serve.json}
    clone_to 3
    assert_clone_continues "$clones$work/log"
    assert_clone_continues "$first_clones$work/log"
    assert_original_continues
    kill -TERM "$pull" "$first_pull"
    ends_with 42 "$pull"
    ends_with 42 "$first_pull"
}

@test "a killed serve leaves its process alone" {
    start_program counter
    start_serve
    kill -KILL "$serve"
    assert_original_continues
}

@test "the report is one line of JSON on standard output" {
    local output=$BATS_TEST_TMPDIR/output errors=$BATS_TEST_TMPDIR/serve.err code=0
    on 1 "$tool" serve --pid 999999999 --key-file "$key" >"$output" 2>"$errors" || code=$?
    [[ $(wc -l <"$output") == 1 ]]
    jq -e --argjson code "$code" '.role == "serve" and .exit_code == $code and .reason != ""' "$output"
    grep -q "$(jq -r .reason "$output")" "$errors"
}
