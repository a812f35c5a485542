# SPDX-License-Identifier: Apache-2.0
# What the end-to-end tests do: start a program on host 1, clone it to another host, look at both.
#
# A test's variables: $work, the program's directory and file clone set; $clones, where pull keeps
# what it receives; $program, $serve, $pull: pids; serve_options, pull_options: arrays; runner: array,
# a command that starts what spawn() starts, as another user for example.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/hosts.bash"
source "$here/../../../scripts/lib/common.bash"
build=${BUILD:-$here/../../build}
programs=$(realpath -m "$build/programs")
tool=$(realpath -m "$build/criu-remote-clone")
exec {silence}<> <(:) # a pipe that nobody writes to

# ---- for every bats file ----

# For setup_file(): three hosts, the third one for the programs' peer, or as many as asked for. On a machine that can't clone,
# every test is skipped (bats can't do that here); under CI=true that is a failure.
clones_setup_file() {
    local reason
    reason=$(why_no_clones)
    export CLONES_SKIPPED=$reason
    if [[ -z $reason ]]; then
        hosts_up "${1:-3}"
    elif [[ ${CI:-} == true ]]; then
        echo "$reason" >&2
        return 1
    fi
}

# For setup().
clones_setup() {
    if [[ -n $CLONES_SKIPPED ]]; then
        skip "$CLONES_SKIPPED"
    fi
    work=$BATS_TEST_TMPDIR/work
    clones=$BATS_TEST_TMPDIR/clones
    leases=$BATS_TEST_TMPDIR/leases
    key=$BATS_TEST_TMPDIR/key
    serve_options=() pull_options=() runner=()
    program='' serve='' pull='' server=''
    mkdir -p "$work"
    new_key "$key"
    leaks_snapshot "$BATS_TEST_TMPDIR/before"
}

# For teardown(): every test is a test that nothing is left behind.
clones_teardown() {
    local pid result=0
    if [[ -n $CLONES_SKIPPED ]]; then
        return
    fi
    for pid in $pull $program $server $serve; do
        kill -TERM "$pid" 2>/dev/null || true
    done
    leaks_check "$BATS_TEST_TMPDIR/before" || result=1
    if [[ -z $BATS_TEST_COMPLETED || $result != 0 ]]; then
        tail -n 20 "$BATS_TEST_TMPDIR"/*.err "$work/out" 2>/dev/null || true
    fi
    for pid in $(hosts_processes); do
        if [[ " $HOST_PIDS " != *" $pid "* ]]; then
            kill -KILL "$pid" 2>/dev/null || true
        fi
    done
    return "$result"
}

# ---- programs ----

new_key() {
    (umask 077 && head -c 32 /dev/urandom >"$1")
}

# Starts COMMAND on HOST in the background, in a session of its own, without the descriptors of
# bats, which no clone could carry. Its pid is in $!.
spawn() {
    local host=$1 output=$2 pids
    read -ra pids <<<"$HOST_PIDS"
    (
        for fd in /proc/"$BASHPID"/fd/*; do
            if ((${fd##*/} > 2)); then
                eval "exec ${fd##*/}>&-"
            fi
        done
        exec setsid nsenter --net="/proc/${pids[host]}/ns/net" -- "${runner[@]}" "${@:3}"
    ) </dev/null >"$output" 2>&1 &
}

# start_program counter|files|family|jvm: starts it on host 1 and waits until it counts.
start_program() {
    "program_$1"
    program=$!
    wait_until 20 has_lines "$work/log" 20 || return
    original_namespace=$(stat --dereference --format %i "/proc/$program/ns/pid")
}

program_counter() {
    spawn 1 "$work/out" "$programs/counter" "$work/log"
}

program_files() {
    spawn 1 "$work/out" "$programs/files" "$work"
}

program_family() {
    spawn 1 "$work/out" "$programs/family" "$work/log"
}

program_jvm() {
    local port=7000
    spawn 3 "$BATS_TEST_TMPDIR/server" "$programs/echo_server" "$(host_address 3)" "$port"
    server=$!
    wait_until 10 grep -q listening "$BATS_TEST_TMPDIR/server"
    spawn 1 "$work/out" java -XX:+UseSerialGC -XX:-UsePerfData -Xmx256m -cp "$programs" \
        CountingJvm --heap 48 --threads 4 --log "$work/log" --peer "$(host_address 3):$port"
}

# ---- cloning ----

start_serve() {
    spawn 1 "$BATS_TEST_TMPDIR/serve.err" "$tool" serve --pid "$program" --key-file "$key" \
        --bind "$(host_address 1)" --port-file "$BATS_TEST_TMPDIR/port" \
        --report "$BATS_TEST_TMPDIR/serve.json" --lease-dir "$leases-1" --file-set "$work" \
        "${serve_options[@]}"
    serve=$!
    wait_until 10 serves_or_ended
    port=$(cat "$BATS_TEST_TMPDIR/port" 2>/dev/null || true)
}

serves_or_ended() {
    [[ -s $BATS_TEST_TMPDIR/port ]] || ! kill -0 "$serve" 2>/dev/null
}

# start_pull HOST [ARGUMENT...]: arguments come last, e.g. `-- COMMAND`.
start_pull() {
    spawn "$1" "$BATS_TEST_TMPDIR/pull.err" "$tool" pull "$(host_address 1):$port" \
        --key-file "$key" --dir "$clones" --report "$BATS_TEST_TMPDIR/pull.json" \
        --lease-dir "$leases-2" "${pull_options[@]}" "${@:2}"
    pull=$!
}

# start_between PROGRAM ARGUMENT...: somebody between serve and pull, at the port that pull connects to.
start_between() {
    local port_file=$BATS_TEST_TMPDIR/port-between
    rm -f "$port_file"
    spawn 1 "$BATS_TEST_TMPDIR/between.err" "$1" "$port_file" "$(host_address 1)" "$port" "${@:2}"
    between=$!
    wait_until 10 test -s "$port_file"
    port=$(cat "$port_file")
}

end_between() {
    kill -KILL "$between" 2>/dev/null || true
}

# The clone runs on HOST, and serve is done.
clone_to() {
    start_serve
    start_pull "$1"
    wait_until 60 runs_or_ended || return
    ends_with 0 "$serve" || return
    jq -e . "$BATS_TEST_TMPDIR/serve.json" "$BATS_TEST_TMPDIR/pull.json" >/dev/null
}

runs_or_ended() {
    [[ -s $BATS_TEST_TMPDIR/pull.json ]] || ! kill -0 "$pull" 2>/dev/null
}

# ---- assertions ----

# They return 1 themselves, so that they also count where the shell doesn't end at a failure.

# wait_until SECONDS COMMAND...: WAIT_SECONDS overrides.
wait_until() {
    local until=$((SECONDS + ${WAIT_SECONDS:-$1}))
    until "${@:2}"; do
        if ((SECONDS > until)); then
            echo "not within $1 s: ${*:2}"
            return 1
        fi
        pause
    done
}

# 20 ms, without a process of its own: waiting is most of what the tests do, much of it side by side.
pause() {
    read -rt 0.02 -u "$silence" || true
}

# As wc -l counts them: a line that is half written isn't one.
has_lines() {
    local line
    [[ -f $1 ]] && mapfile -s $(($2 - 1)) -n 1 line <"$1" && [[ ${line[0]:-} == *$'\n' ]]
}

# ends_with CODE PID: the process ends, with that exit code.
ends_with() {
    local code=0
    wait_until 30 has_ended "$2" || return
    wait "$2" || code=$?
    if ((code != $1)); then
        echo "exit code $code instead of $1"
        return 1
    fi
}

# Until we wait(1) for it, a child that has ended is a zombie.
has_ended() {
    local fields
    ! read -r fields 2>/dev/null <"/proc/$1/stat" || [[ ${fields##*) } == Z* ]]
}

# Every line of a log follows from the one before: no number is left out or comes twice, checksums
# fit, nothing bad was found. Prints: LAST FROZEN, the last number of all and of the original's.
follow_log() {
    # The last line may be half written.
    head -n -1 "$1" | awk -v original="$original_namespace" '
        function wrong(what) { print FILENAME ": line " NR ": " what ": " $0; failed = 1; exit 1 }
        /^bad/ { wrong("the program says") }
        /^[^0-9]/ { next }
        $1 != last + 1 { wrong("after " last) }
        { last = $1; checksum = (checksum * 31 + last) % 1000003 }
        $2 != checksum { wrong("checksum is not " checksum) }
        $3 != original { cloned = 1; next }
        cloned { wrong("of the original, after lines of the clone") }
        { frozen = last }
        END { if (!failed) print last, frozen }'
}

# The last line of a log that is whole.
complete_line() {
    tail -n 2 "$1" | head -n 1
}

# The original goes on: its log grows, and holds nothing of a clone.
assert_original_continues() {
    local last frozen before
    before=$(wc -l <"$work/log")
    wait_until 10 has_lines "$work/log" $((before + 20)) || return
    read -r last frozen < <(follow_log "$work/log") || true
    if [[ -z $last || $last != "$frozen" ]]; then
        follow_log "$work/log"
        return 1
    fi
}

# assert_clone_continues LOG: the clone goes on, from what the original was at when it was frozen.
assert_clone_continues() {
    local last frozen before
    before=$(wc -l <"$1")
    wait_until 10 has_lines "$1" $((before + 20)) || return
    read -r last frozen < <(follow_log "$1") || true
    if [[ -z $frozen ]] || ((last < frozen + 20)); then
        follow_log "$1"
        echo "the clone's log ends at ${last:-?}, its original was frozen at ${frozen:-?}"
        return 1
    fi
}
