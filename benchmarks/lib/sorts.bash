# SPDX-License-Identifier: Apache-2.0
# What the benchmarks share that sort the same input by turns. Source benchmark.bash and terasort.bash first;
# `variants` are what takes turns.
#
#   sort_options RUNS "$@"             --quick (1 run), --json FILE, --mb N (500), --runs N (RUNS): sets json,
#                                      megabytes and runs
#   sort_cluster NAME [START-OPTION...]
#                                      builds all, starts a cluster, generates /in: a file for each of 6 maps
#   sort_compare NAME                  of a job of terasort's: ends the script if its output isn't the first one's
#   by_turns COMMAND                   COMMAND VARIANT RUN, as often as the options say; who begins changes
#   sort_summary KEYS...               a table and JSON: what became of all jobs, and what the JSON files KEYS add
#
# shellcheck disable=SC2154 # repository, benchmarks, variants are the sourcing script's

sort_options() {
    local usual=$1
    read_options quick,json:,mb:,runs: "${@:2}"
    need_no_operands
    [[ -z ${option[quick]:-} ]] || usual=1
    json=${option[json]:-} megabytes=${option[mb]:-500} runs=${option[runs]:-$usual}
    need_number --mb "$megabytes"
    need_number --runs "$runs"
}

sort_cluster() {
    note_environment
    need_clones
    build_cluster_jar
    build_benchmarks
    begin_cluster "$benchmarks/target/$1" "${@:2}"
    teragen $((megabytes * 10000)) 6 /in
}

# The first output stays, to be read again should another differ.
sort_compare() {
    same_output "/$1" || fail "the output of $1 differs from the others'"
    [[ $first_output == "/$1" ]] || remove "/$1"
    say "$1: $(jq .job_s "$results/$1.json") s, of processors $(jq .cpu_s "$results/$1.json") s," \
        "$(jq .extra_attempts "$results/$1.json") extra attempts"
}

by_turns() {
    local run turn variant
    for ((run = 0; run < runs; run++)); do
        for ((turn = 0; turn < ${#variants[@]}; turn++)); do
            variant=${variants[(run + turn) % ${#variants[@]}]}
            tell "$variant, run $((run + 1)) of $runs"
            "$1" "$variant" $((run + 1)) >&2
        done
    done
}

sort_summary() {
    local variant
    {
        for variant in "${variants[@]}"; do
            summary_of "$variant" "$results/$variant"-*.json
        done
        cat "$@"
    } | jq --slurp --argjson runs "$runs" --argjson megabytes "$megabytes" \
        --argjson environment "$(environment)" '
        add + {runs: $runs, megabytes: $megabytes, environment: $environment}' >"$results/summary.json"
    show_summary "$json"
    say "swim-lanes in $results"
}
