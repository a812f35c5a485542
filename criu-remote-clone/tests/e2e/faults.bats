# SPDX-License-Identifier: Apache-2.0
# Leave nothing: whatever fails, hangs, is killed, ends or is too small, at whatever point.

# The library sets a test's variables, and every test has its own.
# shellcheck disable=SC2154,SC2030,SC2031,SC2034
load ../lib/attempts

setup_file() {
    clones_setup_file 9
}

teardown_file() {
    hosts_down
}

setup() {
    clones_setup
    load_fault_points
}

# bats takes a teardown's last command for its result.
teardown() {
    local result=0
    end_attempts
    clones_teardown || result=1
    remove_memory_cgroups || result=1
    return "$result"
}

# ---- an end fails, is killed, is stopped ----

fault_in_serve() {
    local expected=79
    begin_attempt "$1"
    if [[ $1 == *:kill ]]; then
        expected=137
    fi
    start_program counter
    start_ends "$(point "$1")" ''
    assert_left_nothing 20 "$expected"
}

fault_in_pull() {
    local expected=79
    begin_attempt "$1"
    if [[ $1 == *:kill ]]; then
        expected=137
    fi
    start_program counter
    start_ends '' "$(point "$1")"
    assert_left_nothing 20 '' "$expected"
}

@test "serve fails, at every point" {
    ((${#serve_points[@]} >= 15))
    attempts fault_in_serve "${serve_points[@]/%/:fail}"
}

@test "pull fails, at every point" {
    ((${#pull_points[@]} >= 12))
    attempts fault_in_pull "${pull_points[@]/%/:fail}"
}

@test "serve is killed, at every point" {
    attempts fault_in_serve "${serve_points[@]/%/:kill}"
}

@test "pull is killed, at every point" {
    attempts fault_in_pull "${pull_points[@]/%/:kill}"
}

# ---- something hangs ----

# These tests wait until it is over; and on busy processors, too, what hangs has come to its point by then.
readonly limited=(--time-limit 6000)

# A stopped end doesn't keep its time limit; its keeper does.
hang_in_serve() {
    begin_attempt "$1"
    serve_options+=("${limited[@]}")
    start_program counter
    start_ends "$(point "$1")" ''
    assert_left_nothing 30 137
}

hang_in_pull() {
    begin_attempt "$1"
    pull_options+=("${limited[@]}")
    serve_options+=("${limited[@]}")
    start_program counter
    start_ends '' "$(point "$1")"
    assert_left_nothing 30 '' 137
}

# CRIU has half a minute to let the process go, before it is killed. (It hangs right after it was
# let loose, where that does no harm.)
criu_hangs_in_dump() {
    begin_attempt "$1"
    use_criu_killer dump "${1#*:}" 19
    serve_options+=("${limited[@]}")
    start_program counter
    start_ends '' ''
    assert_left_nothing 50 74
    grep -q killed "$killer.took"
}

criu_hangs_in_restore() {
    begin_attempt "$1"
    use_criu_killer restore "${1#*:}" 19
    pull_options+=("${limited[@]}")
    serve_options+=("${limited[@]}")
    start_program counter
    start_ends '' ''
    assert_left_nothing 20 '' 74
    grep -q killed "$killer.took"
}

# Nor is there a keeper: CRIU's own script lets the process go.
@test "a process is frozen for no longer because its serve can't end" {
    local lines
    begin_attempt stuck
    serve_options+=(--max-freeze 2000)
    start_program counter
    start_ends "$(point SERVE_FROZEN:hang)" ''
    wait_until 20 is_stopped "$serve"
    for keeper in $(children_named "$serve" crc-keeper); do
        kill -KILL "$keeper"
    done
    lines=$(wc -l <"$work/log")
    wait_until 15 has_lines "$work/log" "$((lines + 20))"
    is_stopped "$serve"
    kill -CONT "$serve"
    assert_left_nothing 20 74
}

# All that hangs is waited for at once, the longest first.
@test "an end hangs, at every point, or CRIU in its dump or restore" {
    ATTEMPTS_AT_A_TIME=8 attempts criu_hangs_in_dump dump:0 \
        -- hang_in_serve "${serve_points[@]/%/:hang}" \
        -- hang_in_pull "${pull_points[@]/%/:hang}" \
        -- criu_hangs_in_restore restore:{0,4000} \
        -- criu_ends_in_restore PULL_{ANSWERED,MOUNTED}:STOP
}

# Patience is for the freeze; what comes after it has the rest of the time limit.
@test "a process that is frozen in time may take longer than pull's patience to arrive" {
    begin_attempt patience
    serve_options+=(--time-limit 60000)
    pull_options+=(--time-limit 60000 --patience 5000)
    start_program counter
    pause_at SERVE_SENT_IMAGES
    wait_until 20 runs_for 6 "$pull"
    kill -CONT "$serve"
    ends_with 0 "$serve"
    assert_clone_continues "$clones$work/log"
}

runs_for() {
    (($(ps -o etimes= -p "$2") >= $1))
}

# ---- signals ----

signal_serve() {
    local signal=TERM expected=76
    if [[ $1 == *:* ]]; then
        signal=${1#*:}
    fi
    if [[ $1 == SERVE_COMMITTED* ]]; then
        expected='76 0' # that the clone runs may be heard first
    fi
    begin_attempt "$1"
    start_program counter
    pause_at "${1%:*}"
    kill "-$signal" "$serve"
    kill -CONT "$serve"
    assert_left_nothing 20 "$expected"
}

# Once the clone runs, the signal is the clone's.
signal_pull() {
    begin_attempt "$1"
    start_program counter
    pause_at "${1%:*}"
    kill "-${1#*:}" "$pull"
    kill -CONT "$pull"
    if [[ $1 == PULL_CONTINUED:* ]]; then
        assert_ended_clone_left_nothing 20 42
    else
        assert_left_nothing 20 '' 76
    fi
}

@test "serve is ended by SIGTERM, at every point" {
    attempts signal_serve "${serve_points[@]:1}"
}

@test "pull is ended by SIGTERM, at every point" {
    attempts signal_pull "${pull_points[@]/%/:TERM}"
}

@test "SIGINT, SIGHUP and SIGQUIT are as good" {
    attempts signal_serve SERVE_OFFERED:INT SERVE_FROZEN:HUP SERVE_SENT_IMAGES:QUIT \
        -- signal_pull PULL_STARTED:HUP PULL_MOUNTED:INT PULL_FEEDING:QUIT
}

# ---- helpers are killed ----

# Without a keeper the tool goes on, or gives up, but cleans up itself.
keeper_is_killed() {
    begin_attempt "$1"
    start_program counter
    pause_at "$1"
    for keeper in $(children_named "$paused" crc-keeper); do
        kill -KILL "$keeper"
    done
    kill -CONT "$paused"
    assert_left_nothing 20
}

init_is_killed() {
    begin_attempt "$1"
    start_program counter
    pause_at "$1"
    kill -KILL "$(children_named "$pull" crc-init)"
    kill -CONT "$pull"
    if [[ $1 == PULL_CONTINUED ]]; then
        assert_ended_clone_left_nothing 20 137 # as the clone's own end would
    else
        assert_left_nothing 20
    fi
}

@test "the keeper is killed, at every point of serve" {
    attempts keeper_is_killed "${serve_points[@]:1}"
}

@test "the keepers are killed, at every point of pull" {
    attempts keeper_is_killed "${pull_points[@]}"
}

@test "the clone's init is killed, at every point of pull" {
    attempts init_is_killed "${pull_points[@]:1}"
}

# criu_is_ended COMMAND:MICROSECONDS:SIGNAL
criu_is_ended() {
    local command microseconds signal
    IFS=: read -r command microseconds signal <<<"$1"
    begin_attempt "$1"
    use_criu_killer "$command" "$microseconds" "$signal"
    start_program counter
    start_ends '' ''
    assert_left_nothing 20
    # Late ones may come too late: how long CRIU takes is the machine's affair.
    ((microseconds > 4000)) || grep -q killed "$killer.took"
}

# The rate of harm is benchmarks/criu-kill's; here at the very start, when none is possible yet.
@test "CRIU is killed when its dump begins" {
    attempts criu_is_ended dump:0:9
}

# Nobody hears of a freeze then.
@test "CRIU is killed while it waits for its turn" {
    begin_attempt waiting
    start_program counter
    pause_at SERVE_PREPARED
    waiting=$(children_named "$serve" criu)
    kill -KILL "$waiting"
    wait_until 5 has_ended "$waiting" # else it may have its turn yet
    kill -CONT "$serve"
    assert_left_nothing 20 70
    [[ ! -s $hooks ]]
}

# Most of these moments are counted from its start, and until the freeze is over it waits.
@test "CRIU is killed in its restore" {
    attempts criu_is_ended restore:0:9 restore:{2,8,32,64,80,96,112,128,144,160,176,192,224,256}000:9 \
        -- criu_ends_in_restore PULL_ANSWERED:KILL PULL_MOUNTED:KILL
}

criu_ends_in_restore() {
    begin_attempt "$1"
    pull_options+=("${limited[@]}")
    serve_options+=("${limited[@]}")
    start_program counter
    pause_at "${1%:*}"
    wait_until 5 is_restoring
    kill "-${1#*:}" "$restoring"
    kill -CONT "$pull"
    assert_left_nothing 20 '' '72 74'
}

# Sets $restoring: until its program begins, CRIU has its parent's name.
is_restoring() {
    restoring=$(children_named "$(children_named "$pull" crc-init)" criu)
}

# ---- the other end is out of reach ----

# Nothing is said any more, not even that the connection is lost.
link_is_dead() {
    local host=${1%%:*} when=${1#*:}
    begin_attempt "$1"
    serve_options+=("${limited[@]}")
    pull_options+=("${limited[@]}")
    pull_host=$host
    start_program counter
    pause_at "$when"
    on 0 ip link set "host$host" down
    kill -CONT "$paused"
    assert_left_nothing 20
    on 0 ip link set "host$host" up
}

@test "the link is dead, at points of serve" {
    ATTEMPTS_AT_A_TIME=8 attempts link_is_dead 2:SERVE_OFFERED 3:SERVE_ANSWERED 4:SERVE_PREPARED \
        5:SERVE_FROZEN 6:SERVE_RESUMED 7:SERVE_SENT_IMAGES 8:SERVE_SENDING_MEMORY 9:SERVE_COMMITTED
}

@test "the link is dead, at points of pull" {
    ATTEMPTS_AT_A_TIME=8 attempts link_is_dead 2:PULL_CONNECTED 3:PULL_OFFERED 4:PULL_PRECOPIED \
        5:PULL_FILES 6:PULL_MOUNTED 7:PULL_FEEDING 8:PULL_RESTORED 9:PULL_CONTINUED
}

# ---- the process ends by itself ----

process_ends() {
    begin_attempt "$1"
    start_program counter
    pause_at "$1"
    kill -TERM "$program"
    if [[ $1 != SERVE_FROZEN && $1 != SERVE_SNAPSHOT ]]; then
        ends_with 42 "$program"
    fi
    kill -CONT "$paused"
    assert_ends_left_nothing 20
}

@test "the process ends, at every point" {
    attempts process_ends "${serve_points[@]:1}"
}

# ---- something is too small ----

@test "a RAM disk that is known to be too small is a refusal" {
    begin_attempt ram
    serve_options+=(--ram-limit 60M)
    start_program heap
    start_ends '' ''
    assert_left_nothing 10 73 73
    [[ ! -s $hooks ]]
}

@test "a clone that is known to be too large for the target is a refusal" {
    begin_attempt ram
    pull_options+=(--ram-limit 60M)
    start_program heap
    start_ends '' ''
    assert_left_nothing 10 73 73
    [[ ! -s $hooks ]]
}

@test "a process that outgrows the RAM disk runs on" {
    begin_attempt ram
    serve_options+=(--ram-limit 100M --hook-timeout 10000
        --quiesce "echo quiesce >> $hooks; kill -USR1 \$CLONE_PID; until grep -q grown $work/log; do sleep 0.01; done")
    start_program heap
    start_ends '' ''
    assert_left_nothing 10 73 73
    grep -q 'raise --ram-limit' "$BATS_TEST_TMPDIR/serve.err"
}

@test "a disk that is full is a failure that leaves nothing on it" {
    begin_attempt disk
    head -c 4M /dev/urandom >"$work/data"
    mkdir "$BATS_TEST_TMPDIR/disk"
    mount -t tmpfs -o size=1M small "$BATS_TEST_TMPDIR/disk"
    clones=$BATS_TEST_TMPDIR/disk/clones
    start_program counter
    start_ends '' ''
    assert_left_nothing 10 73 73
    umount "$BATS_TEST_TMPDIR/disk"
}

cgroup_is_too_small() {
    memory_cgroup "$1"
    begin_attempt "$1"
    declare -n prefix=$1_prefix
    prefix=("${in_cgroup[@]}")
    limit_memory "$1" $((48 << 20))
    start_program heap
    start_ends '' ''
    assert_left_nothing 10
    ((serve_code == 67 || serve_code == 73))
    [[ ! -s $hooks ]]
}

@test "a memory cgroup that is known to be too small is a refusal, at either end" {
    attempts cgroup_is_too_small serve pull
}

@test "a clone that the OOM killer ends leaves nothing" {
    memory_cgroup shrinking
    begin_attempt oom
    pull_prefix=("${in_cgroup[@]}")
    start_program heap
    pause_at PULL_FILES
    limit_memory shrinking "$(memory_used shrinking)" # everything was judged already
    kill -CONT "$pull"
    assert_left_nothing 20 '' '72 73 137' # whom it took
}

# serve is in the cgroup of its process more often than not.
@test "memory that is gone at the last moment is a refusal" {
    memory_cgroup shared
    begin_attempt refusal
    serve_prefix=("${in_cgroup[@]}")
    start_program_in_cgroup
    pause_at SERVE_PREPARED
    limit_memory shared "$(($(memory_used shared) + (8 << 20)))"
    kill -CONT "$serve"
    assert_left_nothing 20 73
    [[ ! -s $hooks ]]
}

@test "memory that is gone when it is to be reserved is a refusal, without hooks as well" {
    memory_cgroup unhooked
    begin_attempt refusal
    serve_prefix=("${in_cgroup[@]}")
    serve_options=(--wait 3000 --time-limit 10000)
    start_program_in_cgroup
    pause_at SERVE_PRECOPIED
    limit_memory unhooked "$(($(memory_used unhooked) + (8 << 20)))"
    kill -CONT "$serve"
    wait_until 20 has_ended "$serve"
    limit_memory unhooked "$((1 << 30))"
    ends_with 73 "$serve"
    grep -q 'imaging needs .* more memory' "$BATS_TEST_TMPDIR/serve.err"
    assert_original_continues
}

# 80 MiB are enough for CRIU, but not for the heap a second time.
@test "memory that was reserved isn't asked for again at the last moment" {
    memory_cgroup reserved
    begin_attempt reserved
    serve_prefix=("${in_cgroup[@]}")
    start_program_in_cgroup
    pause_at SERVE_SETTLED
    limit_memory reserved "$(($(memory_used reserved) + (80 << 20)))"
    kill -CONT "$serve"
    assert_left_nothing 20 0 42
}

@test "the OOM killer takes serve before its process" {
    memory_cgroup shared
    begin_attempt oom
    serve_prefix=("${in_cgroup[@]}")
    start_program_in_cgroup
    pause_at SERVE_RESUMED
    [[ $(cat "/proc/$serve/oom_score_adj") == 1000 ]]
    # What serve leaves isn't free at once: a process that asks for memory in that moment is next.
    kill -STOP "$program"
    limit_memory shared "$(memory_used shared)" # sending takes more
    kill -CONT "$serve"
    wait_until 20 has_ended "$serve"
    limit_memory shared "$((1 << 30))"
    kill -CONT "$program"
    assert_left_nothing 20 137
}

# Memory counts where it was first touched.
start_program_in_cgroup() {
    program_heap() {
        # shellcheck disable=SC2317 # start_program calls it
        spawn 1 "$work/out" "${in_cgroup[@]}" "$programs/heap" "$work/log" 64 2
    }
    start_program heap
}

# ---- what takes long to undo ----

past_seconds() {
    ((SECONDS > $1))
}

@test "removing what was received may take longer than the time limit: the fallback runs all the same" {
    local file_keeper
    begin_attempt removal
    pull_options+=(--time-limit 2000 --hook-timeout 100)
    start_program counter
    tool=$fault_tool
    start_serve
    CLONE_FAULT=$(point PULL_FILES:hang) start_pull 2 -- sh -c 'exit 7'
    wait_until 20 is_stopped "$pull"
    file_keeper=$(children_named "$pull" crc-keeper | tail -n 1)
    kill -STOP "$file_keeper"
    kill -CONT "$pull"
    # Three seconds after the limit the other keeper would kill pull.
    wait_until 20 past_seconds $((SECONDS + 6))
    kill -CONT "$file_keeper"
    ends_with 7 "$pull"
    wait_until 5 is_not_there "$clones"
    ends_with 79 "$serve"
    assert_original_continues
}

# ---- mount points ----

# A target that lacks the process's directory and the one above it.
mount_points_are_removed() {
    local hidden codes='79 42'
    begin_attempt "$1"
    if [[ $1 == *:kill ]]; then
        codes=137
    fi
    hidden=$BATS_TEST_TMPDIR/hidden
    work=$hidden/above/work
    mkdir -p "$work"
    spawn 2 /dev/null unshare --mount sh -c "mount -t tmpfs none '$hidden' && exec sleep infinity"
    server=$!
    wait_until 10 sees_nothing "$hidden/above"
    pull_prefix=(nsenter --mount="/proc/$server/ns/mnt" --)
    start_program counter
    start_ends '' "$(point "$1")"
    assert_left_nothing 20 '' "$codes"
    wait_until 5 sees_nothing "$hidden/above"
    kill -KILL "$server"
}

sees_nothing() {
    nsenter --mount="/proc/$server/ns/mnt" -- test ! -e "$1"
}

@test "mount points that were made for a clone are removed" {
    attempts mount_points_are_removed PULL_{MOUNTED,FEEDING,RESTORED,CONTINUED}:{fail,kill} \
        PULL_STARTED:none
}
