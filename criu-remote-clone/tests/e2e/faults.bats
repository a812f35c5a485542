# Leave nothing: whatever fails, hangs or is killed, at whatever point.

# The library sets a test's variables, and every test has its own.
# shellcheck disable=SC2154,SC2030,SC2031
load ../lib/attempts

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

# fault_points SERVE|PULL ACTION: prints NUMBER:ACTION for each of src/fault.h's points of that end.
fault_points() {
    awk -v end="^FAULT_$1_" -v action="$2" '
        /^enum fault \{/ { inside = 1; next }
        /^\}/ { inside = 0 }
        !inside { next }
        { name = $1; sub(/,.*/, "", name) }
        name ~ /_LAST$/ { next }
        $2 == "=" { number = $3 - 1 }
        name ~ /^FAULT_/ { number++; if (name ~ end) print number ":" action }' \
        "$BATS_TEST_DIRNAME/../../src/fault.h"
}

# The numbers of two points that tests need to know.
point() {
    echo "#include \"$BATS_TEST_DIRNAME/../../src/fault.h\"
        point=FAULT_$1" | cc -E -P - | tail -n 1
}

fault_in_serve() {
    local expected=79
    begin_attempt "serve-$1"
    if [[ $1 == *:kill ]]; then
        expected=137
    fi
    start_program counter
    start_ends "$1" ''
    assert_left_nothing 20 "$expected"
}

fault_in_pull() {
    local expected=79
    begin_attempt "pull-$1"
    if [[ $1 == *:kill ]]; then
        expected=137
    fi
    start_program counter
    start_ends '' "$1"
    assert_left_nothing 20 '' "$expected"
}

# A stopped end doesn't keep its time limit; its keeper does.
hang_in_serve() {
    begin_attempt "serve-$1"
    serve_options+=(--wait 1000 --time-limit 3000 --hook-timeout 500)
    start_program counter
    start_ends "$1" ''
    assert_left_nothing 30 137
}

hang_in_pull() {
    begin_attempt "pull-$1"
    pull_options+=(--wait 1000 --time-limit 3000 --hook-timeout 500)
    serve_options+=(--time-limit 3000)
    start_program counter
    start_ends '' "$1"
    assert_left_nothing 30 '' 137
}

@test "serve fails, at every point" {
    mapfile -t points < <(fault_points SERVE fail)
    ((${#points[@]} >= 15))
    attempts fault_in_serve "${points[@]}"
}

@test "pull fails, at every point" {
    mapfile -t points < <(fault_points PULL fail)
    ((${#points[@]} >= 12))
    attempts fault_in_pull "${points[@]}"
}

@test "serve is killed, at every point" {
    mapfile -t points < <(fault_points SERVE kill)
    attempts fault_in_serve "${points[@]}"
}

@test "pull is killed, at every point" {
    mapfile -t points < <(fault_points PULL kill)
    attempts fault_in_pull "${points[@]}"
}

@test "serve hangs, at every point" {
    mapfile -t points < <(fault_points SERVE hang)
    ATTEMPTS_AT_A_TIME=8 attempts hang_in_serve "${points[@]}"
}

@test "pull hangs, at every point" {
    mapfile -t points < <(fault_points PULL hang)
    ATTEMPTS_AT_A_TIME=8 attempts hang_in_pull "${points[@]}"
}
