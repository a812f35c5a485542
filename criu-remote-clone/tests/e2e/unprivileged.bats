# SPDX-License-Identifier: Apache-2.0
# Without root: an ordinary user clones his own process, and root clones a user's with no more than
# that user's rights. docs/internals/least-privilege.md promises what is tested here.

# The library sets and reads a test's variables, and every test has its own.
# shellcheck disable=SC2154,SC2030,SC2031,SC2034
bats_require_minimum_version 1.5.0 # run !
load ../lib/clones
load ../lib/users

setup_file() {
    clones_setup_file
    make_users daemon crc-test-$$
    equip_users crc-test-$$
    export TEST_USER=crc-test-$$
}

teardown_file() {
    hosts_down
    remove_users
}

setup() {
    clones_setup
    tool=$CLONES_BIN/criu-remote-clone
    programs=$CLONES_BIN
    chmod a+x "${BATS_TEST_TMPDIR%/*}"
    chown -R "$TEST_USER:" "$BATS_TEST_TMPDIR"
    # Programs and tool look at their working directory, and this one may be root's alone.
    cd /
}

teardown() {
    clones_teardown
}

as_user() {
    as "$TEST_USER" "$@"
}

# elsewhen FUNCTION...: for whatever it spawns, the host has been up for 11 days longer.
elsewhen() {
    local runner=(unshare --time --monotonic 1000000 --boottime 1000000 -- "${runner[@]}")
    "$@"
}

# without DIRECTORY FUNCTION...: for whatever it spawns, the directory is empty, and root's.
without() {
    # shellcheck disable=SC2016 # for the inner shell
    local runner=(unshare --mount sh -c 'mount -t tmpfs -o mode=755 none "$0" && exec "$@"' "$1"
        "${runner[@]}")
    "${@:2}"
}

# start_tampering_serve OLD NEW: a serve whose images reach pull with other bytes in them.
start_tampering_serve() {
    start_serve
    start_between "$programs/hostile_relay" "$key" change-images "$1" "$2"
}

# The clone of the user's program, as the hosts see it.
clone_pid() {
    local pid
    for pid in $(hosts_processes); do
        if [[ $pid != "$program" && $(cat "/proc/$pid/comm") == $(cat "/proc/$program/comm") ]]; then
            echo "$pid"
        fi
    done
}

rights='^(Uid|Gid|Groups|CapInh|CapPrm|CapEff|CapAmb):'

rights() {
    grep -E "$rights" "/proc/$1/status"
}

# Ids, groups and capabilities are the original's, and no execve(2) can gain more.
assert_no_more_rights() {
    local clone
    clone=$(clone_pid)
    diff <(rights "$program") <(rights "$clone") || return
    grep -Eq '^CapBnd:\s*0*10000000000$' "/proc/$clone/status"
}

assert_clone_is_the_users() {
    assert_clone_continues "$clones$work/log"
    assert_original_continues
    assert_no_more_rights
    [[ -z $(find "$clones$work" ! -user "$TEST_USER") ]]
}

running_or_ended() {
    wait_until 60 runs_or_ended || return
    ends_with 0 "$serve"
}

# user_clones PROGRAM [FUNCTION]: his own, with his own CRIU, until the clone runs; pull is started by
# the function.
user_clones() {
    serve_options+=(--criu "$CLONES_BIN/criu-user")
    as_user start_program "$1"
    as_user start_serve
    as_user "${@:2}" start_pull 2
    running_or_ended
}

# ends_with_program CODE: SIGTERM to pull is one to the clone, and its exit code is pull's.
ends_with_program() {
    kill -TERM "$pull"
    ends_with "$1" "$pull"
    assert_original_continues
}

# The longest time between two ticks of the clone, in ms; a clock that jumps makes one.
longest_gap() {
    complete_line "$clones$work/log" | sed -n 's/.* gap=\([0-9]*\) .*/\1/p'
}

assert_clock_goes_on() {
    (($(longest_gap) < 500000))
}

# ---- who clones ----

@test "a user clones his own process" {
    user_clones counter elsewhen
    assert_clone_is_the_users
    ends_with_program 42
}

@test "a user clones his own JVM, and its clock goes on" {
    user_clones jvm elsewhen
    assert_clone_is_the_users
    wait_until 10 grep -q '^event connection lost' "$clones$work/log"
    assert_clock_goes_on
    ends_with_program 43
}

# The clone's hook has the clone's rights, whoever pulls: it may read what the peer sent.
check_hooks() {
    assert_clone_is_the_users
    diff <(printf 'quiesce %s\n' "$1" && printf 'resume %s\n' "$1") "$hooks"
    # A group that isn't in its user namespace has another number there.
    diff <(rights "$(clone_pid)" | grep -v Groups && readlink "/proc/$(clone_pid)/ns/pid") \
        <(grep -v Groups "$hooks.clone")
}

set_hooks() {
    # shellcheck disable=SC2016 # for the hook's shell
    local tell='echo $CLONE_PHASE $(id -un) >>'
    hooks=$BATS_TEST_TMPDIR/hooks
    serve_options+=(--quiesce "$tell $hooks" --resume "$tell $hooks")
    pull_options+=(--resume "grep -E '$rights' /proc/self/status >$hooks.clone; readlink /proc/self/ns/pid >>$hooks.clone")
}

@test "a user's hooks run as the user, the clone's in its namespaces" {
    set_hooks
    user_clones counter
    check_hooks "$TEST_USER"
}

@test "root's hooks run as root, the clone's with the clone's rights" {
    set_hooks
    pull_options+=(--user "$TEST_USER")
    as_user start_program counter
    start_serve
    start_pull 2
    running_or_ended
    check_hooks root
}

@test "a user's clone dies with a killed pull" {
    user_clones counter
    kill -KILL "$pull"
    wait_until 10 clone_is_gone
    assert_original_continues
}

clone_is_gone() {
    [[ -z $(clone_pid) ]]
}

@test "a user clones his own process with open files" {
    user_clones files
    assert_clone_is_the_users
    ends_with_program 42
}

# As YARN's LinuxContainerExecutor makes containers' directories: the group is the NodeManager's, and
# the user isn't in it. CRIU wants the mode of a working directory to be the original's.
@test "directories keep the group of the one above, and the bit that passes it on" {
    mkdir -p "$clones"
    chown "$TEST_USER:backup" "$work" "$clones"
    chmod 2710 "$work" "$clones"
    user_clones files
    assert_clone_is_the_users
    [[ $(stat --format '%a %G' "$clones$work") == "2710 backup" ]]
    [[ -z $(find "$clones$work" ! -group backup) ]]
    ends_with_program 42
}

@test "a user clones his own process with children" {
    user_clones family
    assert_clone_continues "$clones$work/log"
    ends_with_program 42
}

@test "root clones a user's process for that user" {
    pull_options+=(--user "$TEST_USER")
    as_user start_program counter
    start_serve
    start_pull 2
    running_or_ended
    assert_clone_is_the_users
    ends_with_program 42
}

@test "root clones a user's JVM for that user, and its clock goes on" {
    pull_options+=(--user "$TEST_USER")
    as_user start_program jvm
    start_serve
    elsewhen start_pull 2
    running_or_ended
    assert_clone_is_the_users
    assert_clock_goes_on
    ends_with_program 43
}

# ---- who may not ----

# The target lacks what a link of the user's leads to, and so asks for it.
@test "root's serve sends nothing that the process's user may not read" {
    local secrets=$BATS_TEST_TMPDIR/secrets
    mkdir "$secrets"
    (umask 077 && echo secret >"$secrets/root's")
    ln -s "$secrets/root's" "$work/link"
    pull_options+=(--user "$TEST_USER")
    as_user start_program counter
    start_serve
    without "$secrets" start_pull 2 -- sh -c 'exit 7'
    refused 67 "can't read $secrets/root's"
}

# refused CODE WHAT: both ends say so, pull has run the fallback, and the original never noticed.
refused() {
    ends_with 7 "$pull"
    ends_with "$1" "$serve"
    grep -q "$2" "$BATS_TEST_TMPDIR/pull.err"
    [[ $(jq .exit_code "$BATS_TEST_TMPDIR/pull.json") == "$1" ]]
    [[ -z $(find "$clones" ! -type d 2>/dev/null) ]]
    assert_original_continues
}

@test "root doesn't restore a user's process with root's rights" {
    as_user start_program counter
    start_serve
    start_pull 2 -- sh -c 'exit 7'
    refused 67 'as root with --user'
}

@test "a user can't restore another's process" {
    start_program counter
    start_serve
    as_user start_pull 2 -- sh -c 'exit 7'
    refused 67 "and the target acts for user $(id -u "$TEST_USER")"
}

@test "only root can act for another user" {
    pull_options+=(--user root)
    port=7777
    as_user start_pull 2
    ends_with 64 "$pull"
}

@test "a user can't image another's process" {
    serve_options+=(--criu "$CLONES_BIN/criu-user")
    start_program counter
    as_user start_serve
    ends_with 67 "$serve"
    assert_original_continues
}

@test "without the file capability, serve says how to get it" {
    serve_options+=(--criu "$(find_criu)")
    as_user start_program counter
    as_user start_serve
    ends_with 65 "$serve"
    grep -q 'scripts/setup --group' "$BATS_TEST_TMPDIR/serve.err"
    assert_original_continues
}

@test "where a user may make no namespaces, the fallback runs" {
    serve_options+=(--criu "$CLONES_BIN/criu-user")
    as_user start_program counter
    as_user start_serve
    as_user without_namespaces start_pull 2 -- sh -c 'exit 7'
    ends_with 7 "$pull"
    grep -q 'allow user namespaces' "$BATS_TEST_TMPDIR/pull.err"
    [[ $(jq .exit_code "$BATS_TEST_TMPDIR/pull.json") == 65 ]]
    assert_original_continues
}

@test "where the process's directory isn't, and the user can't make it, nothing is frozen" {
    work=$BATS_TEST_TMPDIR/house/work
    mkdir -p "$work"
    chown -R "$TEST_USER:" "$BATS_TEST_TMPDIR/house"
    serve_options+=(--criu "$CLONES_BIN/criu-user" --quiesce "touch $BATS_TEST_TMPDIR/quiesced")
    as_user start_program counter
    as_user start_serve
    as_user without "$BATS_TEST_TMPDIR/house" start_pull 2 -- sh -c 'exit 7'
    refused 67 "the target has no $work that the process's user may see, and pull may not make it"
    [[ ! -e $BATS_TEST_TMPDIR/quiesced ]]
}

# ---- a peer that changes its images ----

# The bytes of a number in a protobuf message, hexadecimal.
varint() {
    local number=$1
    while ((number > 127)); do
        printf '%02x' $((number & 127 | 128))
        number=$((number >> 7))
    done
    printf '%02x' "$number"
}

hexadecimal() {
    printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n'
}

# refuses_tampered OLD NEW WHAT: so do a user's pull and root's for that user. `holding`: a function
# that starts the program.
refuses_tampered() {
    as_user "${holding[@]}" start_program counter
    start_tampering_serve "$1" "$2"
    as_user start_pull 2 -- sh -c 'exit 7'
    refused 75 "$3"
    end_between
    rm "$BATS_TEST_TMPDIR"/{port,serve.json,pull.json}
    leases=$BATS_TEST_TMPDIR/leases-of-root
    start_tampering_serve "$1" "$2"
    pull_options+=(--user "$TEST_USER")
    start_pull 2 -- sh -c 'exit 7'
    refused 75 "$3"
    end_between
}

# with_few_files FUNCTION...: whatever it spawns may not have more than 64 open.
with_few_files() {
    local runner=("${runner[@]}" prlimit --nofile=64:64)
    "$@"
}

@test "limits that pull can't give to the clone are known before the original stops" {
    serve_options+=(--quiesce "echo quiesced >$BATS_TEST_TMPDIR/hooks")
    as_user start_program counter
    start_serve
    as_user with_few_files start_pull 2 -- sh -c 'exit 7'
    refused 67 "hard limit of 'nofile'"
    [[ ! -e $BATS_TEST_TMPDIR/hooks ]]
}

program_at_low_port() {
    spawn 1 "$work/out" "$programs/counter" "$work/log" 1000 500
}

# low_ports_from HOST PORT: ordinary users may use ports from there on.
low_ports_from() {
    on "$1" sh -c "echo $2 >/proc/sys/net/ipv4/ip_unprivileged_port_start"
}

@test "what hooks might have put away and pull can't give is known before the original stops" {
    serve_options+=(--settle true)
    low_ports_from 1 400
    as_user start_program at_low_port
    low_ports_from 1 1024
    start_serve
    as_user start_pull 2 -- sh -c 'exit 7'
    refused 67 'the target would refuse it: a socket is bound to port 500'
    [[ $(jq '.freeze_ms // 0' "$BATS_TEST_TMPDIR/serve.json") == 0 ]]
}

@test "an image that comes as it was is taken from the tampering peer, too" {
    as_user start_program counter
    start_tampering_serve 00112233445566778899 99887766554433221100
    as_user start_pull 2
    running_or_ended
    assert_clone_is_the_users
    end_between
}

@test "an image with another user's id is refused" {
    local uid
    uid=$(id -u "$TEST_USER")
    refuses_tampered "08$(varint "$uid")10" "08$(varint $((uid - 1)))10" "runs as user"
}

@test "an image with capabilities is refused" {
    # Inheritable, permitted and effective ones, two words each: CAP_SETGID.
    refuses_tampered 480048005000500058005800 480048005040500058405800 capabilit
}

@test "an image with a file that isn't the process's is refused" {
    refuses_tampered "$(hexadecimal /dev/null)" "$(hexadecimal /etc/motd)" /etc/motd
}

# with_directory DIRECTORY FUNCTION...: whatever it spawns has it open.
with_directory() {
    # shellcheck disable=SC2016 # for the inner shell
    local runner=("${runner[@]}" sh -c 'exec 9<"$0" && exec "$@"' "$1")
    "${@:2}"
}

@test "an image with a directory that the user may not read is refused, whoever pulls" {
    mkdir "$BATS_TEST_TMPDIR/open"
    mkdir -m 700 "$BATS_TEST_TMPDIR/shut"
    local holding=(with_directory "$BATS_TEST_TMPDIR/open")
    refuses_tampered "$(hexadecimal "$BATS_TEST_TMPDIR/open")" "$(hexadecimal "$BATS_TEST_TMPDIR/shut")" \
        "may not have $BATS_TEST_TMPDIR/shut"
}

# renames_nothing START WHAT: the log's path in the image begins with something else.
renames_nothing() {
    pull_options+=(--rename log=new)
    refuses_tampered "$(hexadecimal "$work/log")" "$(hexadecimal "$1${work:${#1}}/log")" "$2"
}

@test "before a received file is renamed, it is known to be the process's" {
    renames_nothing /etc 'may not have /etc/'
}

@test "a received file with a path that climbs is not renamed" {
    renames_nothing /../ 'is not absolute and plain'
}
