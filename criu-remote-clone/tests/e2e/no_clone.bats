# SPDX-License-Identifier: Apache-2.0
# When no clone can be made: who asked for one gets the fallback command or a distinct exit code, and
# the original never notices.

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
    mark=$BATS_TEST_TMPDIR/mark
    fallback=(-- sh -c "echo \$PPID > $mark; exit 7")
}

teardown() {
    clones_teardown
}

# The fallback ran in pull's place: as a child of pull's parent, us.
assert_fallback() {
    ends_with 7 "$pull"
    [[ $(cat "$mark") == "$BASHPID" ]]
}

assert_nothing_received() {
    [[ -z $(find "$clones" ! -type d 2>/dev/null) ]]
}

# The tool blocks the signals that it reads from a signalfd(2); so does the shell, for a moment, before it runs it.
handles_sigterm() {
    local blocked
    [[ $(<"/proc/$1/comm") == criu-remote-clo ]] || return
    blocked=$(awk '/^SigBlk:/ { print $2 }' "/proc/$1/status")
    ((0x$blocked & 1 << 14))
}

use_another_key() {
    key=$BATS_TEST_TMPDIR/other-key
    new_key "$key"
}

@test "with a wrong key the fallback runs, and serve goes on waiting for the right one" {
    start_program counter
    start_serve
    right_key=$key
    use_another_key
    start_pull 2 "${fallback[@]}"
    assert_fallback
    key=$right_key
    start_pull 2
    ends_with 0 "$serve"
    wait_until 10 test -s "$BATS_TEST_TMPDIR/pull.json"
    assert_clone_continues "$clones$work/log"
    assert_original_continues
}

# The hello of a peer that speaks only version 9 of the protocol.
say_another_version() {
    # shellcheck disable=SC2016 # for the inner shell
    spawn 2 "$BATS_TEST_TMPDIR/other.err" bash -c '
        exec 3<>"/dev/tcp/$1/$2"
        printf "criu-rc\n\x09\0\0\0\x09\0\0\0%032d" 1 >&3
        cat <&3 >/dev/null' bash "$(host_address 1)" "$port"
    wait $! || true
}

@test "a peer of another wire version is turned away with both versions said, and one of ours let in" {
    start_program counter
    serve_options+=(--wait 2000)
    start_serve
    say_another_version
    ends_with 74 "$serve"
    grep -q 'the last because: the peer speaks up to version 9 of the protocol, this tool (.*) versions 4 to 5' \
        "$BATS_TEST_TMPDIR/serve.err"
    serve_options=()
    rm "$BATS_TEST_TMPDIR/port"
    start_serve
    say_another_version
    start_pull 2
    ends_with 0 "$serve"
    assert_clone_continues "$clones$work/log"
    [[ $(jq .wire_version "$BATS_TEST_TMPDIR/serve.json") == 5 ]]
    assert_original_continues
}

@test "who only asks is told, and serve goes on waiting for who clones" {
    local checker
    start_program counter
    start_serve
    for _ in 1 2 3; do
        spawn 2 "$BATS_TEST_TMPDIR/check.out" "$tool" check "$(host_address 1):$port" --key-file "$key" --user root
        checker=$!
        ends_with 0 "$checker"
        grep -q '  pass  it can be cloned' "$BATS_TEST_TMPDIR/check.out"
    done
    start_pull 2
    ends_with 0 "$serve"
    assert_clone_continues "$clones$work/log"
    assert_original_continues
}

@test "with a wrong key and no fallback, pull says that the peer isn't who it must be" {
    start_program counter
    start_serve
    use_another_key
    start_pull 2
    ends_with 66 "$pull"
    assert_nothing_received
    assert_original_continues
}

@test "with nobody to pull from, the fallback runs" {
    port=7777
    pull_options+=(--wait 300)
    start_pull 2 "${fallback[@]}"
    assert_fallback
}

@test "what keeps pull from beginning doesn't keep the fallback from running" {
    port=7777
    pull_options+=(--events /no/such/directory/events)
    start_pull 2 "${fallback[@]}"
    assert_fallback
    grep -q '/no/such/directory/events' "$BATS_TEST_TMPDIR/pull.err"
}

@test "files larger than pull may write make no clone, and the fallback runs" {
    head -c 4M /dev/urandom >"$work/large"
    start_program counter
    start_serve
    ulimit -S -f 1024
    start_pull 2 "${fallback[@]}"
    assert_fallback
    ends_with 73 "$serve"
    assert_original_continues
}

@test "with nobody to pull from and no fallback, pull says that it can't reach its peer" {
    port=7777
    pull_options+=(--wait 300)
    start_pull 2
    ends_with 66 "$pull"
}

@test "serve refuses a process that isn't there" {
    start_program counter
    kill -KILL "$program"
    wait "$program" || true
    start_serve
    ends_with 67 "$serve"
    [[ -z $port ]]
}

# What CI runners and `docker exec` make: the shell's session began outside of the PID namespace.
@test "a process whose session began outside of the PID namespace can't be cloned" {
    spawn 1 "$work/out" unshare --pid --fork --kill-child --mount-proc bash -c "
        exec >'$work/verdicts' 2>&1
        sleep infinity & foreign=\$!
        setsid sleep infinity & own=\$!
        until [[ \$(cat /proc/\$foreign/comm /proc/\$own/comm) == \$'sleep\nsleep' ]]; do :; done
        '$tool' check --quiet --pid \$foreign && echo 'foreign: fine'
        '$tool' check --quiet --pid \$own && echo 'own: fine'
        exit 0"
    ends_with 0 $!
    grep "setsid" "$work/verdicts"
    [[ $(grep fine "$work/verdicts") == "own: fine" ]]
}

@test "a process that ends while serve waits can't be cloned, and the fallback runs" {
    start_program counter
    start_serve
    kill -TERM "$program"
    ends_with 42 "$program"
    start_pull 2 "${fallback[@]}"
    assert_fallback
    assert_nothing_received
}

# Starts a counter with the number of a process that is no more. Numbers go on from the last one there was: the shell
# forgets how serve or pull ended when a later process of its own gets their number.
start_impostor() {
    local number=$1 last
    last=$(</proc/sys/kernel/ns_last_pid)
    while
        echo $((number - 1)) >/proc/sys/kernel/ns_last_pid
        program_counter
        program=$!
        ((program != number))
    do
        kill -KILL "$program"
        wait "$program" || true
    done
    echo "$last" >/proc/sys/kernel/ns_last_pid
    wait_until 20 has_lines "$work/log" 20
}

@test "whoever has the number of an original that has ended is neither frozen nor sent anywhere" {
    local original work_of_original=$work
    serve_options+=(--quiesce "echo now >'$BATS_TEST_TMPDIR/quiesced'; until [ -s '$BATS_TEST_TMPDIR/go' ]; do sleep 0.05; done"
        --hook-timeout 30000)
    start_program counter
    original=$program
    start_serve
    start_pull 2 "${fallback[@]}"
    wait_until 20 test -s "$BATS_TEST_TMPDIR/quiesced"
    kill -KILL "$original"
    wait "$original" || true
    work=$BATS_TEST_TMPDIR/impostor
    mkdir "$work"
    start_impostor "$original"
    # shellcheck disable=SC2034 # follow_log reads it
    original_namespace=$(stat --dereference --format %i "/proc/$program/ns/pid")
    echo now >"$BATS_TEST_TMPDIR/go"
    ends_with 67 "$serve"
    grep -q "process $original has ended" "$BATS_TEST_TMPDIR/serve.err"
    assert_fallback
    assert_original_continues
    work=$work_of_original
}

@test "a serve that can't write its port says so and leaves no port file" {
    start_program counter
    mkdir "$BATS_TEST_TMPDIR/full"
    mount -t tmpfs -o size=4k full "$BATS_TEST_TMPDIR/full"
    echo all >"$BATS_TEST_TMPDIR/full/of-it"
    spawn 1 "$BATS_TEST_TMPDIR/serve.err" "$tool" serve --pid "$program" --key-file "$key" \
        --port-file "$BATS_TEST_TMPDIR/full/port" --wait 3000 --lease-dir "$leases-1"
    serve=$!
    ends_with 64 "$serve"
    [[ $(ls "$BATS_TEST_TMPDIR/full") == of-it ]]
    umount "$BATS_TEST_TMPDIR/full"
}

# veto HOOKS...: the last of these options says no.
veto() {
    hooks=$BATS_TEST_TMPDIR/hooks
    serve_options+=("$@" --resume "echo \$CLONE_OUTCOME >> $hooks")
    start_program counter
    start_serve
    start_pull 2 "${fallback[@]}"
    assert_fallback
    ends_with 68 "$serve"
    [[ $(cat "$hooks") == aborted ]]
    assert_nothing_received
    assert_original_continues
}

@test "what hooks were to put away and haven't is looked for again, and nothing is stopped for it" {
    hooks=$BATS_TEST_TMPDIR/hooks
    serve_options+=(--settle true --resume "echo \$CLONE_OUTCOME >> $hooks")
    spawn 1 "$work/out" "$programs/echo_server" "$(host_address 1)" 7001
    program=$!
    wait_until 10 grep -q listening "$work/out"
    start_serve
    start_pull 2 "${fallback[@]}"
    assert_fallback
    ends_with 67 "$serve"
    grep -q "process $program listens on TCP" "$BATS_TEST_TMPDIR/serve.err"
    [[ $(cat "$hooks") == aborted ]]
    [[ $(jq .freeze_ms "$BATS_TEST_TMPDIR/serve.json") == null ]]
}

@test "what a hook has put away is no obstacle any more" {
    # shellcheck disable=SC2016 # for the hook's shell
    serve_options+=(--quiesce 'kill -CONT $CLONE_PID')
    start_program counter
    kill -STOP "$program"
    clone_to 2
    assert_clone_continues "$clones$work/log"
    assert_original_continues
}

@test "the quiesce hook can say no: the fallback runs, and the resume hook knows" {
    veto --settle true --quiesce "exit 1"
}

# assert_stays_stopped SERVE'S-EXIT-CODE
assert_stays_stopped() {
    start_serve
    start_pull 2 "${fallback[@]}"
    assert_fallback
    ends_with "$1" "$serve"
    [[ $(ps -o stat= -p "$program") == T* ]]
    kill -CONT "$program"
    assert_original_continues
}

@test "who stopped a process finds it stopped: it was never frozen, so nothing lets it run" {
    serve_options+=(--settle true --quiesce "exit 1" --resume true)
    start_program counter
    kill -STOP "$program"
    assert_stays_stopped 68
}

@test "who stops a process while a clone of it is made finds it stopped, too" {
    # shellcheck disable=SC2016 # for the hook's shell
    serve_options+=(--settle 'kill -STOP $CLONE_PID')
    start_program counter
    assert_stays_stopped 67
}

@test "the settle hook can say no: no quiesce hook runs, and the resume hook knows" {
    veto --quiesce "echo quiesce >> $BATS_TEST_TMPDIR/hooks" --settle "exit 1"
}

@test "a quiesce hook that takes too long is a no" {
    serve_options+=(--quiesce "sleep 1000" --hook-timeout 200)
    start_program counter
    start_serve
    start_pull 2 "${fallback[@]}"
    assert_fallback
    ends_with 68 "$serve"
    assert_original_continues
}

@test "of an original that ends while a hook waits for it nothing waits on" {
    # shellcheck disable=SC2016 # for the hook's shell
    serve_options+=(--settle 'kill -KILL $CLONE_PID; exec sleep 1000' --resume "exec sleep 1000" --hook-timeout 600000)
    start_program counter
    start_serve
    start_pull 2 "${fallback[@]}"
    assert_fallback
    ends_with 67 "$serve"
    grep -q "process $program has ended; the settle hook waited for it" "$BATS_TEST_TMPDIR/serve.err"
    assert_nothing_received
}

@test "a process that takes longer to be ready than pull has patience isn't disturbed any more" {
    hooks=$BATS_TEST_TMPDIR/hooks
    serve_options+=(--settle "until [ -s $mark ]; do sleep 0.05; done; echo settled >> $hooks"
        --quiesce "echo quiesced >> $hooks" --resume "echo \$CLONE_OUTCOME >> $hooks"
        --hook-timeout 30000)
    start_program counter
    start_serve
    start_pull 2 --patience 2000 "${fallback[@]}"
    assert_fallback
    grep -q "wasn't frozen within the patience of 2.0 s" "$BATS_TEST_TMPDIR/pull.err"
    ends_with 74 "$serve"
    [[ $(cat "$hooks") == $'settled\naborted' ]]
    assert_nothing_received
    assert_original_continues
}

@test "a pull with patience passes on why its serve gave up" {
    serve_options+=(--settle "until [ -s $mark ]; do sleep 0.05; done" --time-limit 3000)
    start_program counter
    start_serve
    start_pull 2 --patience 20000 "${fallback[@]}"
    assert_fallback
    grep -q 'peer: the clone took longer than its time limit' "$BATS_TEST_TMPDIR/pull.err"
    ends_with 74 "$serve"
    assert_original_continues
}

@test "a pull that nobody answers ends by SIGTERM" {
    port=7777
    start_pull 2 "${fallback[@]}"
    wait_until 10 handles_sigterm "$pull"
    kill -TERM "$pull"
    ends_with 76 "$pull"
    [[ ! -e $mark ]]
}

@test "a serve that nobody asks ends by SIGTERM" {
    start_program counter
    start_serve
    kill -TERM "$serve"
    ends_with 76 "$serve"
    assert_original_continues
}
