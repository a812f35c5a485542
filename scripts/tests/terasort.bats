#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# terasort: however a script ends, so does its own cluster, and what it logged is kept.

bats_require_minimum_version 1.5.0 # run with codes

setup() {
    export TMPDIR=$BATS_TEST_TMPDIR/scratch CLUSTER_DIR=$BATS_TEST_TMPDIR/another
    repository=$BATS_TEST_TMPDIR/repository
    results=$BATS_TEST_TMPDIR/results
    mkdir -p "$TMPDIR" "$repository/scripts"
    # Notes which cluster it is to stop.
    cat >"$repository/scripts/cluster" <<END
#!/usr/bin/env bash
if [[ \$1 == stop ]]; then
    echo "\$CLUSTER_DIR" >"$BATS_TEST_TMPDIR/stopped"
    exit \${STOP_CODE:-0}
fi
if [[ -n \${START_FOREVER:-} ]]; then
    trap 'sleep 0.2; touch "$BATS_TEST_TMPDIR/undone"; exit 143' TERM
    touch "$BATS_TEST_TMPDIR/starts"
    while :; do sleep 0.05; done
fi
mkdir -p "\$CLUSTER_DIR/hosts/h1/logs"
echo "starting h0...h3"
echo "datanode on h1 doesn't start" >&2
exit \${START_CODE:-0}
END
    chmod +x "$repository/scripts/cluster"
}

# script COMMAND...: one that has a cluster while it runs the command.
script() {
    # shellcheck disable=SC2016 # for the shell over there
    ${in_place:-} bash -euo pipefail -c 'source "$1/common.bash"; source "$1/terasort.bash"; repository=$2
        begin_cluster "$3"; shift 3; "$@"' script "$BATS_TEST_DIRNAME/../lib" "$repository" "$results" "$@"
}

@test "a script's cluster goes with it, and is never another one" {
    run -0 script true
    [[ $(<"$BATS_TEST_TMPDIR/stopped") == "$TMPDIR"/* ]]
    [ -z "$(ls "$TMPDIR")" ]
    [[ $output != *warning* ]]
}

@test "a cluster that doesn't start says why, and its logs are kept" {
    START_CODE=5 STOP_CODE=3 run -1 script true
    [[ $output == *"no cluster: datanode on h1 doesn't start"* ]]
    [[ $output == *"logs are in $results/hosts"* ]]
    [ -d "$results/hosts/h1/logs" ]
    [ -z "$(ls "$TMPDIR")" ]
}

@test "a script that is ended while its cluster starts waits until the start is undone" {
    in_place=exec START_FOREVER=yes STOP_CODE=3 script true &
    until [[ -e $BATS_TEST_TMPDIR/starts ]]; do sleep 0.05; done
    kill -TERM $!
    ended=0
    wait $! || ended=$?
    [ "$ended" -eq 143 ]
    [[ -e $BATS_TEST_TMPDIR/undone ]]
    [[ -e $BATS_TEST_TMPDIR/stopped ]]
    [ -z "$(ls "$TMPDIR")" ]
}

@test "the logs of a script that fails are kept" {
    run -7 script bash -c 'exit 7'
    [[ $output == *"logs are in $results/hosts"* ]]
    [ -d "$results/hosts/h1/logs" ]
}

@test "a cluster that can't be stopped is said, and left to be stopped later" {
    STOP_CODE=5 run -0 script true
    [[ $output == *"warning: the cluster isn't stopped"* ]]
    [ -d "$(<"$BATS_TEST_TMPDIR/stopped")/hosts" ]
}

# Of 1/2, 1 and 2: their logarithms' deviation is ln 2, and Student's t of two degrees of freedom 4.303.
@test "pairs' ratios have an interval of their geometric mean" {
    source "$BATS_TEST_DIRNAME/../lib/terasort.bash"
    results=$BATS_TEST_TMPDIR
    for round in 1 2 3; do
        echo '{"job_s": 10}' >"$results/a-$round.json"
    done
    echo '{"job_s": 5}' >"$results/b-1.json"
    echo '{"job_s": 10}' >"$results/b-2.json"
    echo '{"job_s": 20}' >"$results/b-3.json"
    run -0 pair_ratios job_s ratio a b
    run -0 jq --compact-output '[.ratio, .ratio_min, .ratio_max, (.ratio_low * 1000 | round), (.ratio_high * 1000 | round)]' <<<"$output"
    [ "$output" = '[1,0.5,2,179,5596]' ]
}

@test "of twelve pairs the interval is that of twelve" {
    source "$BATS_TEST_DIRNAME/../lib/terasort.bash"
    results=$BATS_TEST_TMPDIR
    for ((round = 1; round <= 12; round++)); do
        echo '{"job_s": 10}' >"$results/a-$round.json"
        echo "{\"job_s\": $((round % 2 ? 5 : 20))}" >"$results/b-$round.json"
    done
    run -0 pair_ratios job_s ratio a b
    # t is 2.201, and the logarithms' deviation ln 2 times the root of 12/11.
    run -0 jq '(.ratio_high * 1000 | round)' <<<"$output"
    [ "$output" = 1584 ]
}
