# SPDX-License-Identifier: Apache-2.0
# Two ordinary users of a node, both with the right to image processes: one clones his own, the other, a stranger, tries what
# docs/threat-model.md says he can't. unprivileged.bats has what the tool itself refuses him; test_ramdisk.c has the RAM disk
# with a name in /dev/shm. The usual one has none, and is among the descriptors here.

# The library sets and reads a test's variables, and every test has its own.
# shellcheck disable=SC2154,SC2030,SC2031,SC2034
bats_require_minimum_version 1.5.0 # run !
load ../lib/clones
load ../lib/users

setup_file() {
    clones_setup_file
    make_users daemon crc-owner-$$ crc-other-$$
    export OWNER=crc-owner-$$ STRANGER=crc-other-$$
    # Both are members, as on a cluster whose users' jobs may all be cloned.
    equip_users daemon
}

teardown_file() {
    hosts_down
    remove_users
}

setup() {
    clones_setup
    tool=$CLONES_BIN/criu-remote-clone
    programs=$CLONES_BIN
    strangers=$BATS_TEST_TMPDIR/strangers
    intruder=''
    mkdir "$strangers"
    new_key "$strangers/key"
    chmod a+x "${BATS_TEST_TMPDIR%/*}"
    chown -R "$OWNER:" "$BATS_TEST_TMPDIR"
    chmod 711 "$BATS_TEST_TMPDIR"
    chown -R "$STRANGER:" "$strangers"
    serve_options+=(--criu "$CLONES_BIN/criu-user" --wait 10000)
    cd /
}

teardown() {
    [[ -z $intruder ]] || kill -KILL "$intruder" 2>/dev/null || true
    clones_teardown
}

stranger() {
    setpriv --reuid "$STRANGER" --regid "$STRANGER" --init-groups --inh-caps=-all -- "$@"
}

owner() {
    setpriv --reuid "$OWNER" --regid "$OWNER" --init-groups --inh-caps=-all -- "$@"
}

# The program's serve is in its quiesce hook: CRIU stands by and the RAM disk is there.
hold_serve() {
    serve_options+=(--quiesce "touch $BATS_TEST_TMPDIR/held; until [ -e $BATS_TEST_TMPDIR/go ]; do sleep 0.02; done")
    as "$OWNER" start_program counter
    as "$OWNER" start_serve
    as "$OWNER" start_pull 2
    wait_until 20 test -e "$BATS_TEST_TMPDIR/held"
}

# The owner's clone was made as if nobody else were there.
go_on_to_the_clone() {
    touch "$BATS_TEST_TMPDIR/go"
    wait_until 60 runs_or_ended
    ends_with 0 "$serve"
    assert_clone_continues "$clones$work/log"
    assert_original_continues
}

# What shows a process's memory, files or environment, or changes its course.
readonly looks=(
    'cat /proc/PID/environ'
    'cat /proc/PID/maps'
    'true </proc/PID/mem'
    'ls /proc/PID/fd/'
    'ls /proc/PID/map_files/'
    'ls /proc/PID/root/'
    'readlink /proc/PID/exe'
    'kill -CONT PID'
)

# looks_at WHO PID LOOK
looks_at() {
    "$1" bash -c "${3//PID/$2}" &>/dev/null
}

# All of the owner's processes, the program first.
processes() {
    echo "$program"
    pgrep --uid "$OWNER" | grep -vx "$program"
}

assert_all_are_closed() {
    local pid look failed=0
    for look in "${looks[@]}"; do
        looks_at owner "$program" "$look" || {
            echo "even its owner can't: ${look//PID/$program}"
            failed=1
        }
    done
    for pid in $(processes); do
        for look in "${looks[@]}" 'nsenter --target PID --user true' 'kill -STOP PID' 'kill -KILL PID'; do
            if looks_at stranger "$pid" "$look"; then
                echo "a stranger can: ${look//PID/$pid} ($(cat "/proc/$pid/comm"))"
                failed=1
            fi
        done
    done
    return "$failed"
}

@test "a stranger can neither look into nor stop what makes a clone" {
    hold_serve
    # The program, serve, its keeper and CRIU, the hook, pull.
    (($(processes | wc -l) >= 6))
    assert_all_are_closed
    go_on_to_the_clone
}

@test "a stranger can neither look into nor stop a clone" {
    as "$OWNER" start_program counter
    as "$OWNER" start_serve
    as "$OWNER" start_pull 2
    go_on_to_the_clone
    assert_all_are_closed
    assert_clone_continues "$clones$work/log"
}

@test "a stranger can't read the key, and without it the port gives nothing" {
    as "$OWNER" start_program counter
    as "$OWNER" start_serve
    run ! stranger cat "$key"
    as "$STRANGER" spawn 2 "$strangers/err" "$tool" pull "$(host_address 1):$port" --key-file "$strangers/key" \
        --dir "$strangers/clones" --report "$strangers/json" --lease-dir "$strangers/leases" -- sh -c 'exit 7'
    intruder=$!
    ends_with 7 "$intruder"
    [[ ! -e $strangers/clones ]]
    as "$OWNER" start_pull 2
    go_on_to_the_clone
    grep -q 'dropped 1 peers without the key' "$BATS_TEST_TMPDIR/serve.err"
}

# The group's CRIU, with no tool of ours around it.
@test "a stranger's CRIU, with the same capability, can't image another's process" {
    mkdir "$strangers/images"
    chown "$STRANGER:" "$strangers/images"
    as "$OWNER" start_program counter
    run ! stranger "$CLONES_BIN/criu-user" dump --unprivileged --tree "$program" --images-dir "$strangers/images" \
        --shell-job --leave-running --log-file dump.log
    cat "$strangers/images/dump.log"
    grep -Eq 'Operation not permitted|Permission denied' "$strangers/images/dump.log"
    [[ -z $(find "$strangers/images" -name 'pages-*' -o -name 'core-*') ]]
    assert_original_continues
}

# In a sticky directory such as /tmp anybody may have been there first.
@test "a stranger who makes a user's lease directory first keeps him from cloning, and does nothing else" {
    chmod 1777 "$BATS_TEST_TMPDIR"
    stranger mkdir "$leases-1"
    as "$OWNER" start_program counter
    as "$OWNER" start_serve
    as "$OWNER" start_pull 2 -- sh -c 'exit 7'
    ends_with 7 "$pull"
    ends_with 65 "$serve"
    grep -q 'belongs to another user (choose one with --lease-dir' "$BATS_TEST_TMPDIR/serve.err"
    [[ -z $(find "$leases-1" -mindepth 1) ]]
    assert_original_continues
}

@test "a link in the lease directory's place isn't followed" {
    chmod 1777 "$BATS_TEST_TMPDIR"
    owner mkdir "$BATS_TEST_TMPDIR/owners"
    stranger ln -s "$BATS_TEST_TMPDIR/owners" "$leases-1"
    as "$OWNER" start_program counter
    as "$OWNER" start_serve
    as "$OWNER" start_pull 2 -- sh -c 'exit 7'
    ends_with 7 "$pull"
    ends_with 65 "$serve"
    [[ -z $(find "$BATS_TEST_TMPDIR/owners" -mindepth 1) ]]
    assert_original_continues
}
