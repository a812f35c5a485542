# SPDX-License-Identifier: Apache-2.0
# Peers that mean harm, with the key and without it: what they send is refused in a clear line, what
# they ask for isn't given, nothing is left, and the original is not stopped, or at once runs on.

# The library sets a test's variables, and every test has its own.
# shellcheck disable=SC2154,SC2030,SC2031,SC2034
load ../lib/attempts

setup_file() {
    clones_setup_file
}

teardown_file() {
    hosts_down
}

setup() {
    clones_setup
    limits=() # options of pull's
    time_limit=15000
}

teardown() {
    end_attempts
    clones_teardown
}

# start_ends_with PROGRAM ARGUMENT...: with somebody in between, at the port that pull connects to.
start_ends_with() {
    tool=$fault_tool
    start_serve
    start_between "$@"
    start_pull 2
}

# ---- with the key ----

# trick "NAME SERVE_CODE PULL_CODE TEXT": both ends, and what they say.
trick() {
    local name serve_expected pull_expected text
    read -r name serve_expected pull_expected text <<<"$1"
    begin_attempt "$name"
    # Those that are to be over cost their time.
    [[ $serve_expected != 74 ]] || time_limit=4000
    serve_options+=(--wait 10000 --time-limit "$time_limit")
    pull_options+=(--time-limit "$time_limit" "${limits[@]}")
    echo data >"$work/file"
    ln -s /etc "$BATS_TEST_TMPDIR/link"
    if [[ $name == *-users-* ]]; then
        chown -h 4711 "$BATS_TEST_TMPDIR/link"
    fi
    start_program "${kind:-counter}"
    start_ends_with "$programs/hostile_relay" "$key" "$name"
    assert_left_nothing 25 "$serve_expected" "$pull_expected"
    end_between
    grep -q -- "$text" "$BATS_TEST_TMPDIR"/{serve,pull}.err
    [[ ! -e /tmp/crc-escaped && ! -e /etc/nologin ]]
}

# harmless_trick "...": the same, and the process was never touched.
harmless_trick() {
    trick "$1"
    [[ ! -s $hooks ]]
}

@test "a relay that plays no trick is no obstacle" {
    attempts trick "none 0 42 runs on"
}

@test "a serve whose offer is not to be taken is refused" {
    attempts harmless_trick "offer-etc 67 67 which belongs to the system here, as" \
        "offer-link 67 67 nologin, which belongs to the system here, as" \
        "offer-users-link 67 67 is a symbolic link that isn't root's" \
        "offer-root 67 67 which belongs to the system" \
        "offer-climbing 67 67 can't be part of a file clone set" \
        "offer-huge-image 67 67 MiB of memory" \
        "offer-high-id 67 67 pid_max" \
        "offer-pid-0 71 71 offers no process" \
        "offer-other-criu 67 67 install the same minor version on both"
}

@test "a serve that says nothing is given up" {
    attempts harmless_trick "silence 74 74 time limit"
}

@test "a serve whose files lead elsewhere, or are more than files, is refused" {
    attempts harmless_trick "file-climbing 71 71 not agreed on" \
        "file-elsewhere 71 71 not agreed on" \
        "file-behind-link 71 71 not agreed on" \
        "root-is-link 67 67 is a symbolic link" \
        "hard-link-elsewhere 71 71 that it didn't send" \
        "gone-elsewhere 71 71 which it didn't send" \
        "setuid-file 67 67 setuid or setgid" \
        "device 71 71 only files, directories, links and FIFOs" \
        "huge-file 73 73 more than the limit" \
        "file-longer-than-said 71 71 more of a file than it announced"
}

@test "a serve that is out of turn is refused" {
    attempts harmless_trick "frozen-first 71 71 out of turn" \
        "image-first 71 71 out of turn" \
        "commit-first 71 71 whole memory" \
        "data-first 71 71 belong to no file" \
        "answer-from-serve 71 71 out of turn"
}

@test "a serve that samples the link with too much, or too late, is refused" {
    attempts harmless_trick "sample-too-long 71 71 a sample of the link that is too long" \
        "samples-without-end 71 71 more than 64 of them" \
        -- trick "sample-when-ready 71 71 out of turn"
}

@test "a serve whose images are not what they should be is refused" {
    attempts trick "image-climbing 71 71 an image that is none" \
        "huge-image 71 71 more than 1024 MiB of images" \
        "image-in-image 71 71 out of turn" \
        "image-longer-than-said 71 71 longer than announced" \
        "image-shorter-than-said 71 71 shorter than announced" \
        "image-ended-twice 71 71 hadn't begun" \
        "memory-is-no-memory 71 71 an image that is none" \
        "memory-without-number 71 71 an image that is none" \
        "commit-without-memory 71 71 whole memory" \
        "offer-other-pid 75 75 was offered"
}

@test "a serve that sends images without end is refused" {
    time_limit=30000
    WAIT_SECONDS=40 attempts trick "many-images 71 71 more than 32768 images"
}

@test "a serve that sends more memory than it offered is held to pull's limits" {
    kind=heap
    limits=(--max-ram 32M)
    attempts trick "offer-small-image 73 73 MiB that clones may use on this host"
}

@test "a serve that lies while CRIU restores is refused" {
    attempts trick "less-memory 71 71 shorter than announced" \
        "memory-longer-than-said 71 71 longer than announced" \
        "image-after-memory 71 71 out of turn" \
        "file-after-memory 71 71 out of turn" \
        "commit-in-image 71 71 whole memory" \
        "stalling-memory 74 74 time limit"
}

@test "a pull whose answer is none is refused" {
    attempts harmless_trick "commit-for-answer 71 71 was expected" \
        "ask-for-what-was-not-offered 71 71 a file that was not offered" \
        "refuse-with-escapes 67 67 ?\[31mno???"
}

@test "a pull that dawdles, or goes, has nothing stopped" {
    attempts harmless_trick "never-ready 74 74 time limit" \
        "no-echo 74 74 time limit" \
        "go-before-answer 66 66 closed the connection" \
        "go-when-ready 66 66 closed the connection"
}

@test "a pull that goes in the freeze, or takes nothing, leaves the original running" {
    attempts trick "go-after-ready 66 66 closed the connection"
    kind=heap attempts trick "take-nothing 74 74 time limit"
}

# ---- on the wire ----

# Sets down_bytes and up_bytes, of a clone that nobody disturbs, and sample_bytes, most of the former; and keeps
# what was said.
measure_stream() {
    begin_attempt measure
    start_program counter
    start_ends_with "$programs/proxy" "$BATS_TEST_TMPDIR/counts" pass down 0
    assert_left_nothing 15 0 42
    wait_until 5 test -s "$BATS_TEST_TMPDIR/counts"
    read -r down_bytes up_bytes _ <"$BATS_TEST_TMPDIR/counts"
    sample_bytes=$(jq '(.link_bytes_per_ms * .sample_ms / 262144 | round) * 262144' "$BATS_TEST_TMPDIR/serve.json")
}

# on_the_wire ACTION:DIRECTION:OFFSET
on_the_wire() {
    local action direction offset
    IFS=: read -r action direction offset <<<"$1"
    begin_attempt "$1"
    serve_options+=(--time-limit 4000)
    pull_options+=(--time-limit 4000 --wait 2000)
    start_program counter
    start_ends_with "$programs/proxy" "$BATS_TEST_TMPDIR/counts" "$action" "$direction" "$offset"
    assert_left_nothing 15
    # No two streams are alike: this one may have ended before. What serve says is all needed; of
    # pull's, the last words aren't.
    wait_until 5 test -s "$BATS_TEST_TMPDIR/counts"
    if [[ $direction == down && $(cat "$BATS_TEST_TMPDIR/counts") == *happened ]]; then
        [[ $pull_code != 42 ]]
    fi
}

# In every phase: hello, key, proof, offer, samples of the link, files, images, memory. (The last bytes are the end
# of the stream, after the word that everything was sent; where they are depends on how long a log is.)
offsets() {
    local action=$1 bytes rest=$((down_bytes - sample_bytes))
    for bytes in 0 20 60 120 300 $((rest / 20)) $((down_bytes / 2)) $((down_bytes - rest * 2 / 3)) \
        $((down_bytes - rest / 2)) $((down_bytes - rest / 4)) $((down_bytes - 20000)) $((down_bytes - 10000)); do
        echo "$action:down:$bytes"
    done
    for bytes in 0 20 60 120 $((up_bytes / 2)) $((up_bytes - 100)) $((up_bytes - 1)); do
        echo "$action:up:$bytes"
    done
}

# disturb ACTION
disturb() {
    measure_stream
    mapfile -t cases < <(offsets "$1")
    attempts on_the_wire "${cases[@]}"
}

@test "a flipped bit anywhere is noticed" {
    disturb flip
}

@test "a stream that is cut anywhere is noticed" {
    disturb cut
}

@test "a stream that stalls anywhere is given up" {
    ATTEMPTS_AT_A_TIME=8 disturb stall
}

# ---- recordings ----

@test "a recorded pull is turned away, and the real one is served" {
    measure_stream
    recording=$BATS_TEST_TMPDIR/counts.up
    same_key=$key
    begin_attempt replay
    cp "$same_key" "$key"
    tool=$fault_tool
    serve_options+=(--wait 10000)
    start_program counter
    start_serve
    on 3 "$programs/proxy" replay "$recording" "$(host_address 1)" "$port"
    [[ ! -s $hooks ]]
    start_pull 2
    assert_left_nothing 15 0 42
    grep -q 'dropped 1 peers without the key' "$BATS_TEST_TMPDIR/serve.err"
}

@test "a recorded serve is not believed" {
    measure_stream
    recording=$BATS_TEST_TMPDIR/counts.down
    same_key=$key
    begin_attempt play
    cp "$same_key" "$key"
    tool=$fault_tool
    spawn 1 "$BATS_TEST_TMPDIR/between.err" "$programs/proxy" play "$BATS_TEST_TMPDIR/port" "$recording"
    wait_until 10 test -s "$BATS_TEST_TMPDIR/port"
    port=$(cat "$BATS_TEST_TMPDIR/port")
    start_pull 2
    assert_ended pull "$pull" 15 66
    [[ ! -e $clones ]]
}

@test "junk at the port is turned away" {
    begin_attempt junk
    tool=$fault_tool
    serve_options+=(--wait 10000)
    start_program counter
    start_serve
    for bytes in 0 1 48 4096 1000000; do
        head -c "$bytes" /dev/urandom | on 3 bash -c "cat >/dev/tcp/$(host_address 1)/$port" || true
    done
    start_pull 2
    assert_left_nothing 15 0 42
}
