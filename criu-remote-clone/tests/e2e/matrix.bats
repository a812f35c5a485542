# SPDX-License-Identifier: Apache-2.0
# Every kind of program, cloned in every way: original and clone go on where the freeze was, each
# with its own files, and end as the program ends.

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

# ---- ways ----

way_plain() {
    :
}

# What doesn't change can travel before the freeze.
way_precopy() {
    mkdir -m 0710 "$work/data"
    for number in 1 2 3; do
        head -c 16M /dev/urandom >"$work/data/part-$number"
    done
    chmod 0600 "$work/data/part-1"
    ln -s part-1 "$work/data/link"
}

check_precopy() {
    diff -r --no-dereference "$work/data" "$clones$work/data"
    [[ $(stat -c '%a %u %Y' "$work"/data{,/*}) == $(stat -c '%a %u %Y' "$clones$work"/data{,/*}) ]]
}

way_compressed() {
    serve_options+=(--compress 3)
}

check_compressed() {
    jq -e '.compressed_to_bytes > 0 and .compressed_to_bytes < .compressed_from_bytes' \
        "$BATS_TEST_TMPDIR/serve.json"
}

way_mapped() {
    pull_options+=(--map "$work=$BATS_TEST_TMPDIR/mapped")
    clone_log=$BATS_TEST_TMPDIR/mapped/log
}

check_mapped() {
    [[ ! -e $clones ]]
}

way_renamed() {
    pull_options+=(--rename log=new_log)
    clone_log=$clones$work/new_log
}

check_renamed() {
    [[ ! -e $clones$work/log ]]
}

# The hooks note what they are told; the quiesce hook also how far the original was.
way_hooks() {
    # shellcheck disable=SC2016 # for the hook's shell
    local tell='echo $CLONE_PHASE $CLONE_ROLE ${CLONE_OUTCOME:-none} >>'
    hooks=$BATS_TEST_TMPDIR/hooks
    serve_options+=(--settle "$tell $hooks")
    serve_options+=(--quiesce "$tell $hooks; echo \$CLONE_PID > $hooks.pid; wc -l < $work/log > $hooks.lines")
    serve_options+=(--resume "$tell $hooks")
    pull_options+=(--resume "$tell $hooks.clone")
}

check_hooks() {
    local frozen
    diff <(printf '%s\n' 'settle original none' 'quiesce original none' 'resume original cloned') "$hooks"
    diff <(printf 'resume clone cloned\n') "$hooks.clone"
    [[ $(cat "$hooks.pid") == "$program" ]]
    read -r _ frozen < <(follow_log "$clone_log")
    ((frozen >= $(cat "$hooks.lines") - 1)) # events are lines, too
}

# ---- programs ----

# Both go on by a SIGCONT, the last field.
check_counter() {
    wait_until 10 was_continued "$work/log"
    wait_until 10 was_continued "$clone_log"
    ends_as_program 42
}

was_continued() {
    [[ $(complete_line "$1") != *' 0' ]]
}

check_files() {
    ends_as_program 42
}

check_family() {
    ends_as_program 42
}

# The original's connection goes on; the clone's is closed, which it notices. The threads that
# verify the heap go on in both.
check_jvm() {
    wait_until 10 grep -q '^event connection lost' "$clone_log"
    if grep '^event' "$work/log"; then
        return 1
    fi
    assert_grows pings "$work/log"
    assert_grows checks "$work/log"
    assert_grows checks "$clone_log"
    [[ $(tail -n 1 "$BATS_TEST_TMPDIR/server") == 'open 1' ]]
    ends_as_program 43
}

# assert_grows FIELD LOG
assert_grows() {
    wait_until 10 field_is_over "$1" "$2" "$(field_of "$1" "$2")"
}

field_of() {
    complete_line "$2" | sed -n "s/.*$1=\\([0-9]*\\).*/\\1/p"
}

field_is_over() {
    (($(field_of "$1" "$2") > $3))
}

# SIGTERM to pull is one to the clone, whose exit code is pull's; the original doesn't notice.
ends_as_program() {
    kill -TERM "$pull"
    ends_with "$1" "$pull"
    assert_original_continues
    kill -TERM "$program"
    ends_with "$1" "$program"
}

# ---- the matrix ----

clone_and_check() {
    local kind=$1 way=$2
    clone_log=$clones$work/log
    "way_$way"
    start_program "$kind"
    clone_to 2
    assert_clone_continues "$clone_log"
    assert_original_continues
    if declare -F "check_$way" >/dev/null; then
        "check_$way"
    fi
    "check_$kind"
}

@test "a loop, as it is" {
    clone_and_check counter plain
}

@test "a loop, with files that travel before the freeze" {
    clone_and_check counter precopy
}

@test "a loop, compressed" {
    clone_and_check counter compressed
}

@test "a loop, with its directory elsewhere" {
    clone_and_check counter mapped
}

@test "a loop, with a renamed file" {
    clone_and_check counter renamed
}

@test "a loop, with hooks" {
    clone_and_check counter hooks
}

@test "open files, as it is" {
    clone_and_check files plain
}

@test "open files, with files that travel before the freeze" {
    clone_and_check files precopy
}

@test "open files, compressed" {
    clone_and_check files compressed
}

@test "open files, with its directory elsewhere" {
    clone_and_check files mapped
}

@test "open files, with a renamed file" {
    clone_and_check files renamed
}

@test "open files, with hooks" {
    clone_and_check files hooks
}

@test "a process with children, as it is" {
    clone_and_check family plain
}

@test "a process with children, with files that travel before the freeze" {
    clone_and_check family precopy
}

@test "a process with children, compressed" {
    clone_and_check family compressed
}

@test "a process with children, with its directory elsewhere" {
    clone_and_check family mapped
}

@test "a process with children, with a renamed file" {
    clone_and_check family renamed
}

@test "a process with children, with hooks" {
    clone_and_check family hooks
}

@test "a JVM with threads and a connection, as it is" {
    clone_and_check jvm plain
}

@test "a JVM with threads and a connection, with files that travel before the freeze" {
    clone_and_check jvm precopy
}

@test "a JVM with threads and a connection, compressed" {
    clone_and_check jvm compressed
}

@test "a JVM with threads and a connection, with its directory elsewhere" {
    clone_and_check jvm mapped
}

@test "a JVM with threads and a connection, with a renamed file" {
    clone_and_check jvm renamed
}

@test "a JVM with threads and a connection, with hooks" {
    clone_and_check jvm hooks
}
