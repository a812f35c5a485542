# SPDX-License-Identifier: Apache-2.0
# What who serves may choose, CRIU's own log, a limit for the freeze, and a move instead of a clone; and what they are
# told to choose by: what the link gives.

# The library sets a test's variables, and every test has its own.
# shellcheck disable=SC2154,SC2030,SC2031,SC2034
load ../lib/attempts

setup_file() {
    clones_setup_file 3
}

teardown_file() {
    hosts_down
}

setup() {
    clones_setup
    load_fault_points
}

teardown() {
    end_attempts
    clones_teardown
}

# ---- CRIU's log ----

@test "CRIU's log is kept at both ends, for its owner alone" {
    serve_options+=(--criu-log "$BATS_TEST_TMPDIR/serve.criu" --criu-verbosity 4)
    pull_options+=(--criu-log "$BATS_TEST_TMPDIR/pull.criu" --criu-verbosity 4)
    (umask 0 && echo 'of another run' >"$BATS_TEST_TMPDIR/serve.criu")
    start_program counter
    start_serve
    start_pull 2
    ends_with 0 "$serve"
    assert_clone_continues "$clones$work/log"
    [[ $(stat --format %a "$BATS_TEST_TMPDIR/serve.criu") == 600 ]]
    [[ $(stat --format %a "$BATS_TEST_TMPDIR/pull.criu") == 600 ]]
    grep -q 'Dumping task' "$BATS_TEST_TMPDIR/serve.criu"
    grep -q 'Restore finished' "$BATS_TEST_TMPDIR/pull.criu"
    [[ $(grep -c 'of another run' "$BATS_TEST_TMPDIR/serve.criu") == 0 ]]
}

@test "CRIU's log doesn't follow a link" {
    echo kept >"$BATS_TEST_TMPDIR/target"
    ln -s target "$BATS_TEST_TMPDIR/log.criu"
    serve_options+=(--criu-log "$BATS_TEST_TMPDIR/log.criu")
    start_program counter
    start_serve
    ends_with 64 "$serve"
    [[ $(cat "$BATS_TEST_TMPDIR/target") == kept ]]
}

# ---- what the link gives ----

reported_rate() {
    jq .link_bytes_per_ms "$BATS_TEST_TMPDIR/serve.json"
}

# The settle hook is told what the report says later; the others have no use for it.
clone_that_tells_its_hooks() {
    local told=$BATS_TEST_TMPDIR/told
    serve_options+=(--settle "echo settle \$CLONE_LINK_BYTES_PER_MS >> $told"
        --quiesce "echo quiesce \${CLONE_LINK_BYTES_PER_MS-untold} >> $told")
    start_program counter
    clone_to 2
    assert_clone_continues "$clones$work/log"
    diff <(echo "settle $(reported_rate)" && echo 'quiesce untold') "$told"
}

@test "the settle hook and the report are told what the link gives" {
    clone_that_tells_its_hooks
    (($(reported_rate) > 0))
    jq -e '.sample_ms > 0' "$BATS_TEST_TMPDIR/serve.json"
    jq -e 'has("link_bytes_per_ms") | not' "$BATS_TEST_TMPDIR/pull.json"
}

# 2500 bytes per millisecond, headers and all.
@test "what a slow link gives is what it carries" {
    link_rate 2 20mbit
    clone_that_tells_its_hooks
    link_rate 2 none
    (($(reported_rate) > 1000 && $(reported_rate) < 4000))
}

@test "a clone is told no more than its share of the host's bandwidth" {
    serve_options+=(--max-bandwidth 3M)
    clone_that_tells_its_hooks
    (($(reported_rate) > 1000 && $(reported_rate) <= 3146))
}

# ---- a limit for the freeze ----

too_long_a_freeze() {
    begin_attempt "$1"
    serve_options+=(--max-freeze 1)
    start_program counter
    start_ends '' ''
    assert_left_nothing 20 74 74
    grep -q 'more than the 1 ms of --max-freeze' "$BATS_TEST_TMPDIR/serve.err"
    grep -q 'peer: .*--max-freeze' "$BATS_TEST_TMPDIR/pull.err"
}

short_enough_a_freeze() {
    begin_attempt "$1"
    serve_options+=(--max-freeze 9000)
    start_program counter
    start_ends '' ''
    assert_left_nothing 20 0
    [[ $pull_code == 42 ]]
}

@test "a freeze that would be longer than its limit is given up, and the original runs on" {
    attempts too_long_a_freeze none:none -- short_enough_a_freeze within:none
}

# ---- a move ----

@test "a moved process ends when its clone runs, and its gate stays closed until then" {
    begin_attempt move
    serve_options+=(--move)
    start_program counter
    start_ends '' ''
    ends_with 0 "$serve"
    ends_with 137 "$program"
    [[ $(jq -r .outcome "$BATS_TEST_TMPDIR/serve.json") == moved ]]
    diff <(printf 'settle\nquiesce\n') "$hooks"
    assert_clone_continues "$clones$work/log"
    kill -TERM "$pull"
    ends_with 42 "$pull"
}

# What is shown here is that there is a process afterwards.
move_ends_at_pull() {
    local expected=79
    begin_attempt "$1"
    if [[ $1 == *:kill ]]; then
        expected=137
    fi
    serve_options+=(--move)
    start_program counter
    start_ends '' "$(point "$1")"
    assert_left_nothing 20 '' "$expected"
}

move_ends_at_serve() {
    local expected=79
    begin_attempt "$1"
    if [[ $1 == *:kill ]]; then
        expected=137
    fi
    serve_options+=(--move)
    start_program counter
    start_ends "$(point "$1")" ''
    assert_left_nothing 20 "$expected"
}

# Nobody tells serve any more that the clone runs, or serve can't act on it.
both_run() {
    move_ends_at_serve "$1"
    [[ $pull_code == 42 ]]
}

@test "a move that goes wrong never leaves nobody: the original runs on, at times beside its clone" {
    attempts move_ends_at_pull PULL_FEEDING:fail PULL_{COMMITTED,RESTORED,CONTINUED}:{fail,kill} \
        -- move_ends_at_serve SERVE_{SENT_FILES,SENDING_MEMORY}:{fail,kill} SERVE_COMMITTED:fail \
        -- both_run SERVE_COMMITTED:kill MOVE_PROVED:{fail,kill}
}

# Nobody can know whether a last message has arrived: the clone runs and goes on, its original as well, and serve
# doesn't say that all went well.
cut_before_running() {
    begin_attempt "$1"
    pull_host=${1%%:*}
    serve_options+=(--time-limit 6000)
    if [[ $1 == *:move ]]; then
        serve_options+=(--move)
    fi
    start_program counter
    pause_at PULL_CONTINUED
    on 0 ip link set "host$pull_host" down
    kill -CONT "$paused"
    assert_left_nothing 30 '66 74'
    on 0 ip link set "host$pull_host" up
    [[ $pull_code == 42 && $(jq -r .outcome "$BATS_TEST_TMPDIR/serve.json") == failed ]]
}

@test "the link is cut when the clone runs and serve hasn't heard of it: both run, and serve says it failed" {
    attempts cut_before_running 2:clone 3:move
}
