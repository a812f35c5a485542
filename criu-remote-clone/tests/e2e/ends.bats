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

# For whatever it spawns, "$resources" is as on the bare host.
on_bare_host() {
    local runner=(nsenter --mount="/proc/$server/ns/mnt" -- "${runner[@]}")
    "$@"
}

# It has nothing frozen before there is that file.
start_serve_that_waits_for() {
    local serve_options=("${serve_options[@]}" --quiesce "until test -e '$1'; do sleep 0.1; done")
    start_serve
}

# The clone that is asked for runs on the bare host.
runs_on_bare_host() {
    wait_until 60 runs_or_ended
    ends_with 0 "$serve"
    assert_clone_continues "$clones$work/log"
}

bare_host_has_nothing() {
    nsenter --mount="/proc/$server/ns/mnt" -- test ! -e "$resources/11"
}

# As NodeManagers do, which number what they localize by themselves, and don't know of each other's numbers.
@test "what two clones on one host were sent is there until the second one has ended" {
    local resources=$BATS_TEST_TMPDIR/resources go=$BATS_TEST_TMPDIR/go
    local first first_pull second second_pull second_serve
    mkdir -p "$resources/11/job.jar"
    echo localized >"$resources/11/job.jar/job.jar"
    ln -s "$resources/11/job.jar" "$work/job.jar"
    spawn 2 /dev/null unshare --mount sh -c "mount -t tmpfs none '$resources' && exec sleep infinity"
    server=$!
    wait_until 10 bare_host_has_nothing
    start_program counter

    # The second one is told what the host lacks, and waits.
    start_serve_that_waits_for "$go"
    on_bare_host start_pull 2
    second_pull=$pull second_serve=$serve
    wait_until 10 grep -q 'while the process runs' "$BATS_TEST_TMPDIR/serve.err"

    clones=$BATS_TEST_TMPDIR/first
    rm "$BATS_TEST_TMPDIR/port"
    start_serve
    on_bare_host start_pull 2
    runs_on_bare_host
    first_pull=$pull
    first=$(clone_pid)

    rm "$BATS_TEST_TMPDIR"/{pull.json,serve.json}
    touch "$go"
    clones=$BATS_TEST_TMPDIR/clones pull=$second_pull serve=$second_serve
    runs_on_bare_host
    second=$(clone_pid | grep -vx "$first")
    kill -TERM "$first_pull"
    ends_with 42 "$first_pull"
    [[ $(nsenter --mount="/proc/$second/ns/mnt" -- cat "$work/job.jar/job.jar") == localized ]]
    kill -TERM "$pull"
    ends_with 42 "$pull"
    bare_host_has_nothing
}

another_job_is_there() {
    [[ $("${there[@]}") == 'another job' ]]
}

@test "what a link leads to is the original's, whatever the clone's host has there" {
    local resources=$BATS_TEST_TMPDIR/resources there clone
    mkdir -p "$resources/11"
    echo original >"$resources/11/job.jar"
    ln -s "$resources/11/job.jar" "$work/job.jar"
    # As large as the other, and too large to be hashed: equal in all that is compared.
    truncate -s 65M "$resources/11/weights"
    echo original >>"$resources/11/weights"
    ln -s "$resources/11/weights" "$work/weights"
    # shellcheck disable=SC2016 # for the inner shell
    spawn 2 /dev/null unshare --mount sh -c 'mount -t tmpfs none "$0" && mkdir "$0/11" &&
        truncate -s 65M "$0/11/weights" && echo "another." >>"$0/11/weights" &&
        echo "another job" >"$0/11/job.jar" && exec sleep infinity' "$resources"
    server=$!
    there=(nsenter --mount="/proc/$server/ns/mnt" -- cat "$resources/11/job.jar")
    wait_until 10 another_job_is_there
    start_program counter
    start_serve
    on_bare_host start_pull 2
    runs_on_bare_host
    clone=$(clone_pid)
    [[ $(nsenter --mount="/proc/$clone/ns/mnt" -- cat "$work/job.jar") == original ]]
    [[ $(nsenter --mount="/proc/$clone/ns/mnt" -- tail -c 9 "$work/weights") == original ]]
    another_job_is_there
    kill -TERM "$pull"
    ends_with 42 "$pull"
    another_job_is_there
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
