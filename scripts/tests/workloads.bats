#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# What workloads and hibench share: who begins, what isn't counted, what a line says, ratios round by round.

bats_require_minimum_version 1.5.0 # run with codes

setup() {
    source "$BATS_TEST_DIRNAME/../lib/common.bash"
    source "$BATS_TEST_DIRNAME/../lib/terasort.bash"
    source "$BATS_TEST_DIRNAME/../lib/workloads.bash"
    results=$BATS_TEST_TMPDIR/results out=$BATS_TEST_TMPDIR/out.ndjson
    mkdir -p "$results"
    workloads=(sort terasort) variants=(stock all) runs=2
    commit=abc session=S stragglers='' slow_percent='' megabytes=500 tasks=8
    ran=() processors_before="0 0"
}

environment() {
    echo "{\"cores\": 2, \"begun_with\": ${processors_before% *}}"
}

# As many as there were runs.
processor_ticks() {
    echo "${#ran[@]} 0"
}

# As what runs a workload does.
noted() {
    ran+=("$1 $2 $3")
    note_run "$1" "$2" "$3" true '{"jobs_s": 10, "clones_launched": 0, "clones_won": 0, "extra_attempts": 0}' 2>/dev/null
}

# rounds COMMIT NUMBER...: that $out has.
rounds() {
    local number
    for number in "${@:2}"; do
        echo "{\"commit\": \"$1\", \"workload\": \"sort\", \"variant\": \"stock\", \"round\": \"R-$number\"}" >>"$out"
    done
}

@test "the first run isn't counted, and variants take turns in who begins" {
    workloads_by_turns noted 2>/dev/null
    run -0 printf '%s,' "${ran[@]}"
    [ "$output" = "sort stock 0,sort all 1,sort stock 1,terasort all 1,terasort stock 1,sort stock 2,sort all 2,terasort stock 2,terasort all 2," ]
    [ "$(wc -l <"$out")" = 8 ]
    [ "$(wc -l <"$results/runs.json")" = 8 ]
    run -0 jq --slurp --raw-output 'map(.round) | unique | join(" ")' "$out"
    [ "$output" = "S-1 S-2" ]
}

@test "what others took of the processors is counted for each run by itself" {
    workloads_by_turns noted 2>/dev/null
    run -0 jq --slurp --compact-output 'map(.environment.begun_with)' "$out"
    [ "$output" = "[1,2,3,4,5,6,7,8]" ]
    # The summary's are the session's.
    [ "$processors_before" = "0 0" ]
}

@test "another session goes on where those before it ended" {
    rounds abc 1
    rounds other 1 2 3
    runs=1
    workloads_by_turns noted 2>/dev/null
    [ "${ran[1]}" = "sort stock 2" ]
    [ "${ran[2]}" = "sort all 2" ]
}

@test "rounds with a slow host are counted by themselves" {
    rounds abc 1 2
    run -0 rounds_before
    [ "$output" = 2 ]
    slow_percent=25
    run -0 rounds_before
    [ "$output" = 0 ]
    rm "$out"
    run -0 rounds_before
    [ "$output" = 0 ]
}

@test "a line says how much of what was run" {
    note_run sort all 1 true '{"hibench": "53ac935f"}' '{"jobs_s": 10}' 2>/dev/null
    run -0 jq --compact-output '[.megabytes, .tasks, .scale, .hibench, .jobs_s, .round, .environment.cores]' "$out"
    [ "$output" = '[500,8,null,"53ac935f",10,"S-1",2]' ]
    scale=tiny
    note_run sort all 2 true '{"jobs_s": 10}' 2>/dev/null
    run -0 jq --compact-output '[.megabytes, .scale]' <<<"$(tail -n 1 "$out")"
    [ "$output" = '[null,"tiny"]' ]
}

# Of 1/2, 1 and 2, of rounds that were twice as slow from one to the next: the ratio of medians would be another.
@test "ratios are taken round by round, with an interval" {
    local round=0 pair
    for pair in "10 5" "20 20" "40 80"; do
        round=$((round + 1))
        for variant in stock all; do
            jq --null-input --compact-output --arg variant $variant --argjson s "${pair%% *}" --arg round "S-$round" \
                '{workload: "sort", $variant, $round, jobs_s: $s, clones_launched: 1, clones_won: 1, extra_attempts: 1, thrown_away_s: 2}' \
                >>"$results/runs.json"
            pair=${pair#* }
        done
    done
    workloads_summary workload jobs_s
    run -0 jq --compact-output '[.workload_sort_all_s, .workload_sort_all_over_stock, .workload_sort_all_over_stock_min,
        (.workload_sort_all_over_stock_low * 1000 | round), (.workload_sort_all_over_stock_high * 1000 | round),
        .workload_sort_all_clones_won, .outputs_differ, has("workload_sort_stock_over_stock")]' "$results/summary.json"
    [ "$output" = '[20,1,0.5,179,5596,3,0,false]' ]
}

@test "a job that didn't succeed is no quick one" {
    set -o pipefail # as scripts have it
    report() {
        local json
        while [[ $1 != --json ]]; do shift; done
        json=$2
        jq --null-input --arg state "$STATE" '{$state, job_s: 3}' >"$json"
    }
    echo "Running job: job_1_0001" >"$results/x.log"
    history=http://h0:19888
    STATE=SUCCEEDED run -0 jobs_report x report
    run -0 jq --compact-output '[.jobs, .jobs_s]' <<<"$output"
    [ "$output" = '[1,3]' ]
    STATE=FAILED run -1 jobs_report x report
    [[ $output == *"job_1_0001 didn't succeed"* ]]
}

@test "a run whose log names no job is none" {
    echo "WARN util.NativeCodeLoader: Unable to load native-hadoop library" >"$results/x.log"
    run -1 jobs_report x false
    [ "${#lines[@]}" = 1 ]
    [[ $output == *"no job is named in $results/x.log: let Hadoop's client log at INFO"* ]]
}
