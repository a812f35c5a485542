# Attempts: clones that something happens to, several at a time, each with a program, ends and
# directories of its own. Whatever happened, the same must hold afterwards: see assert_left_nothing.
#
#   attempts FUNCTION ARGUMENT...   calls FUNCTION ARGUMENT for each one, each in a shell of its own
#   begin_attempt NAME              its directories, variables and options
#   assert_left_nothing             both ends have ended well, or there is a clone that goes on

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/clones.bash"
fault_tool=$(realpath -m "$build/fault/criu-remote-clone")

# Each takes a few hundred milliseconds of a processor, and some seconds of waiting.
attempts() {
    local function=$1 argument pid result=0 running=0 limit
    local -A arguments=()
    limit=${ATTEMPTS_AT_A_TIME:-$(nproc)}
    shift
    while (($# || running)); do
        if (($# && running < limit)); then
            argument=$1
            shift
            "$function" "$argument" >"$BATS_TEST_TMPDIR/attempt $argument" 2>&1 3>&- &
            arguments[$!]=$argument
            running=$((running + 1))
            continue
        fi
        wait -n -p pid || attempt_failed "${arguments[$pid]}" || result=1
        running=$((running - 1))
    done
    return "$result"
}

attempt_failed() {
    echo "--- $1:"
    tail -n 20 "$BATS_TEST_TMPDIR/attempt $1"
    tail -n 10 "$BATS_TEST_TMPDIR/$1"/*.err 2>/dev/null
    return 1
}

begin_attempt() {
    BATS_TEST_TMPDIR=$BATS_TEST_TMPDIR/$1
    work=$BATS_TEST_TMPDIR/work
    clones=$BATS_TEST_TMPDIR/clones
    leases=$BATS_TEST_TMPDIR/leases
    key=$BATS_TEST_TMPDIR/key
    hooks=$BATS_TEST_TMPDIR/hooks
    tool=$fault_tool
    # Read by the tests and by clones.bash.
    # shellcheck disable=SC2034
    program='' serve='' pull='' serve_code='' pull_code='' port=''
    mkdir -p "$work"
    new_key "$key"
    : >"$hooks"
    serve_options=(--wait 3000 --time-limit 10000 --hook-timeout 1000 --quiesce "echo quiesce >> $hooks"
        --resume "echo resume \$CLONE_OUTCOME >> $hooks")
    pull_options=(--wait 3000 --time-limit 10000 --hook-timeout 1000)
}

# Starts serve with CLONE_FAULT=$1 in its environment, pull with $2.
start_ends() {
    CLONE_FAULT=$1 start_serve
    if [[ -n $port ]]; then
        CLONE_FAULT=$2 start_pull "${pull_host:-2}"
    fi
}

is_stopped() {
    local fields
    read -r fields 2>/dev/null <"/proc/$1/stat" || return
    [[ ${fields##*) } == [tT]* ]]
}

# Codes that the man page knows.
is_documented() {
    (($1 == 0 || ($1 >= 64 && $1 <= 76) || $1 == 79))
}

# assert_ended WHO PID SECONDS [CODE]: with a documented code, and a reason if it isn't 0. Its code
# goes to the variable WHO_code.
assert_ended() {
    local who=$1 code=0
    wait_until "$3" has_ended "$2" || return
    wait "$2" || code=$?
    printf -v "${who}_code" '%s' "$code"
    if [[ -n ${4:-} && $code != "$4" ]]; then
        echo "$who: exit code $code instead of $4"
        return 1
    fi
    if ((code == 137 && ${4:-0} == 137)); then
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

# A clone that runs has a parent and a report.
clone_runs() {
    [[ -n $pull ]] && ! has_ended "$pull" && jq -e '.outcome == "cloned"' \
        "$BATS_TEST_TMPDIR/pull.json" >/dev/null 2>&1
}

pull_has_settled() {
    has_ended "$pull" || clone_runs
}

# assert_left_nothing SECONDS [SERVE_CODE [PULL_CODE]]: whatever happened,
# - both ends ended in time, as documented, unless pull holds a clone;
# - the clone goes on where its original was frozen, or there is nothing of it;
# - the original runs on: no number is missing, none comes twice;
# - the resume hook ran once after each quiesce hook;
# - no lease is held.
# Processes, sockets and mounts are teardown's to check.
assert_left_nothing() {
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
        assert_nothing_received || return
    fi
    assert_original_continues || return
    assert_hooks_in_pairs || return
    assert_no_lease || return
    kill -TERM "$program"
    ends_with 42 "$program"
}

assert_nothing_received() {
    wait_until 5 is_not_there "$clones"
}

is_not_there() {
    [[ ! -e $1 ]]
}

# A keeper may still be at it when the end it kept is gone.
assert_hooks_in_pairs() {
    local quiesced
    quiesced=$(grep -c '^quiesce' "$hooks" || true)
    if ((quiesced > 1)); then
        echo "the quiesce hook ran $quiesced times"
        return 1
    fi
    wait_until 5 resumed_times "$quiesced" || {
        cat "$hooks"
        return 1
    }
}

resumed_times() {
    (($(grep -c '^resume' "$hooks" || true) == $1))
}

assert_no_lease() {
    wait_until 5 no_lease_held
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
