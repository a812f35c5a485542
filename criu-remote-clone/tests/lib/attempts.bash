# SPDX-License-Identifier: Apache-2.0
# Attempts: clones that something happens to, several at a time, each with a program, ends and
# directories of its own. Whatever happened, the same must hold afterwards: see assert_left_nothing.
#
#   attempts FUNCTION ARGUMENT... [-- FUNCTION ARGUMENT...]
#                                   calls FUNCTION ARGUMENT for each one, each in a shell of its own;
#                                   no two have one argument
#   begin_attempt NAME              its directories, variables and options
#   start_ends FAULT FAULT          serve and pull with that CLONE_FAULT in their environments
#   assert_left_nothing             both ends have ended well, or there is a clone that goes on
#
# Fault points go by their names in src/base/fault.h, without "FAULT_".

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/clones.bash"
fault_tool=$(realpath -m "$build/fault/criu-remote-clone")

# ---- many at a time ----

# Twice as many as there are processors, for half of the time they wait; ATTEMPTS_AT_A_TIME for those
# that do nothing else.
#
# Without the trap by which bats follows every single command of a test, which takes longer than the
# commands; what fails in an attempt says so itself.
attempts() {
    local function='' argument pid result=0 running=0 limit
    end_attempts
    local -A arguments=()
    limit=${ATTEMPTS_AT_A_TIME:-$((2 * $(nproc)))}
    set -- -- "$@"
    while (($# || running)); do
        if [[ ${1:-} == -- ]]; then
            function=$2
            shift 2
        elif (($# && running < limit)); then
            argument=$1
            shift
            attempt "$function" "$argument" >"$BATS_TEST_TMPDIR/attempt $argument" 2>&1 3>&- &
            arguments[$!]=$argument
            running=$((running + 1))
        else
            wait -n -p pid || attempt_failed "${arguments[$pid]}" || result=1
            running=$((running - 1))
        fi
    done
    return "$result"
}

attempt() {
    trap - DEBUG
    trap 'echo "${BASH_SOURCE[0]##*/}, line $LINENO: $BASH_COMMAND"' ERR
    "$@"
}

attempt_failed() {
    echo "--- $1:"
    tail -n 20 "$BATS_TEST_TMPDIR/attempt $1"
    tail -n 10 "$BATS_TEST_TMPDIR/${1%% *}"/*.err 2>/dev/null
    return 1
}

# ---- fault points ----

# For setup(): serve_points, pull_points, and what their numbers are.
load_fault_points() {
    local number name
    declare -gA point_numbers=()
    serve_points=() pull_points=()
    while read -r number name; do
        point_numbers[$name]=$number
        case $name in
            SERVE_*) serve_points+=("$name") ;;
            PULL_*) pull_points+=("$name") ;;
        esac
    done < <(awk '
        /^enum fault \{/ { inside = 1; next }
        /^\}/ { inside = 0 }
        !inside || $1 !~ /^FAULT_/ || $1 ~ /_LAST$/ { next }
        $2 == "=" { number = $3 - 1 }
        { name = $1; sub(/^FAULT_/, "", name); sub(/,.*/, "", name); print ++number, name }' \
        "$here/../../src/base/fault.h")
}

# point NAME:ACTION: as CLONE_FAULT wants it; nothing for the action "none".
point() {
    if [[ $1 != *:none ]]; then
        echo "${point_numbers[${1%%:*}]}:${1#*:}"
    fi
}

# ---- one attempt ----

# Teardown is for the test, not for its last attempt: end_attempts first.
begin_attempt() {
    test_directory=${test_directory:-$BATS_TEST_TMPDIR}
    BATS_TEST_TMPDIR=$test_directory/$1
    work=$BATS_TEST_TMPDIR/work
    clones=$BATS_TEST_TMPDIR/clones
    leases=$BATS_TEST_TMPDIR/leases
    key=$BATS_TEST_TMPDIR/key
    hooks=$BATS_TEST_TMPDIR/hooks
    # Read by the tests and by clones.bash.
    # shellcheck disable=SC2034
    program='' serve='' pull='' serve_code='' pull_code='' port='' pull_host=2
    serve_prefix=() pull_prefix=()
    mkdir -p "$work"
    new_key "$key"
    : >"$hooks"
    serve_options=(--wait 3000 --time-limit 10000 --hook-timeout 1000
        --settle "echo settle >> $hooks" --quiesce "echo quiesce >> $hooks"
        --resume "echo resume \$CLONE_OUTCOME >> $hooks")
    pull_options=(--wait 3000 --time-limit 10000 --hook-timeout 1000)
}

end_attempts() {
    BATS_TEST_TMPDIR=${test_directory:-$BATS_TEST_TMPDIR}
}

# With serve_prefix and pull_prefix before their commands.
start_ends() {
    tool_after "${serve_prefix[@]}"
    CLONE_FAULT=$1 start_serve
    if [[ -n $port ]]; then
        tool_after "${pull_prefix[@]}"
        CLONE_FAULT=$2 start_pull "$pull_host"
    fi
}

# Makes a script of the prefix and the tool, which becomes $tool.
tool_after() {
    local command=("$@" "$fault_tool")
    tool=$fault_tool
    if (($#)); then
        tool=$BATS_TEST_TMPDIR/tool-$SRANDOM
        printf '#!/bin/sh\nexec %s "$@"\n' "${command[*]@Q}" >"$tool"
        chmod +x "$tool"
    fi
}

# pause_at POINT: starts the ends and waits until one of them pauses there: $paused.
pause_at() {
    if [[ $1 == SERVE_* ]]; then
        start_ends "$(point "$1:pause")" ''
        paused=$serve
    else
        start_ends '' "$(point "$1:pause")"
        paused=$pull
    fi
    wait_until 20 is_stopped "$paused"
}

is_stopped() {
    local fields
    read -r fields 2>/dev/null <"/proc/$1/stat" || return
    [[ ${fields##*) } == [tT]* ]]
}

# use_criu_killer COMMAND MICROSECONDS SIGNAL: see tests/programs/criu_killer.c.
use_criu_killer() {
    killer=$BATS_TEST_TMPDIR/prefix/bin/criu
    mkdir -p "${killer%/*}"
    cp "$programs/criu_killer" "$killer"
    echo "$(find_criu) $*" >"$killer.plan"
    case $1 in
        dump) serve_options+=(--criu "$killer") ;;
        restore) pull_options+=(--criu "$killer") ;;
    esac
}

children_named() {
    pgrep --parent "$1" --exact "$2"
}

program_heap() {
    spawn 1 "$work/out" "$programs/heap" "$work/log" 64 2
}

# ---- memory cgroups, of whatever version the machine has ----

memory_cgroups=/sys/fs/cgroup/memory
memory_limit_file=memory.limit_in_bytes
memory_used_file=memory.usage_in_bytes
if [[ -e /sys/fs/cgroup/cgroup.controllers ]]; then
    memory_cgroups=/sys/fs/cgroup
    memory_limit_file=memory.max
    memory_used_file=memory.current
fi

# memory_cgroup NAME: makes one, and sets in_cgroup: a prefix that runs a command in it. It is for
# remove_memory_cgroups, in teardown(), to take away.
memory_cgroup() {
    local controllers=memory cgroup=$memory_cgroups/crc-test-$1-$$
    if [[ -e $memory_cgroups/cgroup.subtree_control ]]; then
        read -r controllers <"$memory_cgroups/cgroup.subtree_control"
    fi
    if [[ " $controllers " != *' memory '* || ! -w $memory_cgroups/cgroup.procs ]]; then
        skip "no memory controller for cgroups here"
    fi
    mkdir "$cgroup"
    # shellcheck disable=SC2034,SC2016
    in_cgroup=(sh -c 'echo $$ >"$0" && exec "$@"' "$cgroup/cgroup.procs")
}

remove_memory_cgroups() {
    local cgroup
    for cgroup in "$memory_cgroups"/crc-test-*-"$$"; do
        if [[ -d $cgroup ]]; then
            wait_until 5 rmdir "$cgroup" 2>/dev/null
        fi
    done
}

limit_memory() {
    echo "$2" >"$memory_cgroups/crc-test-$1-$$/$memory_limit_file"
}

memory_used() {
    cat "$memory_cgroups/crc-test-$1-$$/$memory_used_file"
}

# ---- what must hold afterwards ----

# assert_left_nothing SECONDS [SERVE_CODES [PULL_CODES]]: whatever happened,
# - both ends ended in time, as documented, unless pull holds a clone;
# - the clone goes on where its original was frozen, or there is nothing of it;
# - the original runs on: no number is missing, none comes twice;
# - the resume hook ran once after the others;
# - no lease is held.
# Processes, sockets and mounts are teardown's to check.
assert_left_nothing() {
    assert_ends_left_nothing "$@" || return
    assert_original_continues || return
    kill -TERM "$program"
    ends_with 42 "$program"
}

# assert_ended_clone_left_nothing SECONDS PULL_CODES: what ended the clone may come after its report.
assert_ended_clone_left_nothing() {
    wait_until "$1" has_ended "$pull" || return
    assert_left_nothing "$1" '' "$2"
}

# As far as it doesn't need the original.
assert_ends_left_nothing() {
    assert_ended serve "$serve" "$1" "${2:-}" || return
    if [[ -n $pull ]]; then
        wait_until "$1" pull_has_settled || return
    fi
    if clone_runs; then
        assert_clone_continues "$clones$work/log" || return
        kill -TERM "$pull"
        ends_with 42 "$pull" || return
        # shellcheck disable=SC2034 # read by the tests
        pull_code=42
    elif [[ -n $pull ]]; then
        assert_ended pull "$pull" "$1" "${3:-}" || return
        was_cloned || wait_until 5 is_not_there "$clones" || return
    fi
    assert_hooks_in_pairs || return
    wait_until 5 no_lease_held
}

# assert_ended WHO PID SECONDS [CODES]: with one of these codes, if any are given, or with a
# documented one and a reason. Its code goes to the variable WHO_code.
assert_ended() {
    local who=$1 code=0
    wait_until "$3" has_ended "$2" || return
    wait "$2" || code=$?
    printf -v "${who}_code" '%s' "$code"
    if [[ -n ${4:-} && " $4 " != *" $code "* ]]; then
        echo "$who: exit code $code instead of $4"
        return 1
    fi
    if ((code == 42 || code == 137)) && [[ -n ${4:-} ]]; then
        return
    fi
    if ! is_documented "$code"; then
        echo "$who: exit code $code is not documented"
        return 1
    fi
    if ((code != 0)) && ! grep -q "^criu-remote-clone $who: ." "$BATS_TEST_TMPDIR/$who.err"; then
        echo "$who: exit code $code without a reason"
        return 1
    fi
}

# Codes that the man page knows.
is_documented() {
    (($1 == 0 || ($1 >= 64 && $1 <= 76) || $1 == 79))
}

# A clone that runs has a parent and a report.
clone_runs() {
    [[ -n $pull ]] && ! has_ended "$pull" && was_cloned
}

was_cloned() {
    may_be_cloned && jq -e '.outcome == "cloned"' "$BATS_TEST_TMPDIR/pull.json" >/dev/null
}

# To be asked all the time: starting jq takes longer than most of what is waited for.
may_be_cloned() {
    local report
    read -r report 2>/dev/null <"$BATS_TEST_TMPDIR/pull.json" && [[ $report == *'"outcome":"cloned"'* ]]
}

pull_has_settled() {
    has_ended "$pull" || may_be_cloned
}

is_not_there() {
    [[ ! -e $1 ]]
}

# A keeper may still be at it when the end it kept is gone.
assert_hooks_in_pairs() {
    local before
    before=$(grep -v '^resume' "$hooks" || true)
    if [[ $'\nsettle\nquiesce\n' != $'\n'$before* ]]; then
        echo "the hooks before the freeze: $before"
        return 1
    fi
    wait_until 5 resumed_times "$(grep -c '^settle' "$hooks" || true)" || {
        cat "$hooks"
        return 1
    }
}

resumed_times() {
    (($(grep -c '^resume' "$hooks" || true) == $1))
}

# /proc/locks: ... MAJOR:MINOR:INODE START END
no_lease_held() {
    local file
    for file in "$leases"-[12]/*; do
        if [[ -e $file ]] && grep -q ":$(stat -c %i "$file") " /proc/locks; then
            return 1
        fi
    done
}
