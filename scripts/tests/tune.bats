#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# tune: which jobs are drawn, and what is made of what they say.

bats_require_minimum_version 1.5.0 # run with codes

setup() {
    source "$BATS_TEST_DIRNAME/../lib/tune.bash"
}

# logged CLONES LAUNCH_TO_RUNNING TRAVEL BYTES: as the client of a job logs its counters.
logged() {
    printf '2026-11-24 05:00:00,000 INFO mapreduce.Job: Counters: 60\n\tFile System Counters\n\t\tFILE: Number of bytes read=22\n'
    printf '\torg.apache.hadoop.clone.appmaster.CloneCounter\n'
    printf '\t\tCLONES_ORDERED=9\n\t\tCLONES_RUNNING=%s\n\t\tLAUNCH_TO_RUNNING_MILLIS=%s\n' "$1" "$2"
    printf '\t\tTRAVEL_MILLIS=%s\n\t\tTRAVEL_BYTES=%s\n' "$3" "$4"
}

@test "jobs are drawn by their seed" {
    [[ $(draw_jobs 20 1 1000 | wc -l) == 20 ]]
    [[ $(draw_jobs 20 1 1000) == "$(draw_jobs 20 1 1000)" ]]
    [[ $(draw_jobs 20 1 1000) != "$(draw_jobs 20 2 1000)" ]]
}

@test "they are of all sizes, with maps and reduces that straggle while there is work left" {
    draw_jobs 200 7 1000 >"$BATS_TEST_TMPDIR/jobs"
    # shellcheck disable=SC2016 # awk's
    run -0 awk '
        $1 < 2500000 || $1 > 10000000 || $2 < 3 || $2 > 6 || $3 != 3 || $5 < 50 || $5 > 300 { print "odd: " $0 }
        { of = $4 ~ /^m_/ ? $2 : $3; split($4, part, "_") }
        part[2] >= of || $6 < int($1 / of / 3) || $6 > $1 / of * 5 / 6 { print "odd: " $0 }
        { kinds[substr($4, 1, 1)]++ }
        END { if (kinds["m"] < 50 || kinds["r"] < 50) print "all of a kind" }' "$BATS_TEST_TMPDIR/jobs"
    [ -z "$output" ]
}

@test "what a clone costs is told by the counters of its job" {
    logged 2 5000 2000 300000000 >"$BATS_TEST_TMPDIR/log"
    run -0 clone_costs "$BATS_TEST_TMPDIR/log"
    [ "$output" = '{"clones": 2, "vm_ms": 1500, "bytes_per_s": 150000000}' ]
}

@test "a job without clones has no costs" {
    echo "Counters: 54" >"$BATS_TEST_TMPDIR/log"
    run -0 clone_costs "$BATS_TEST_TMPDIR/log"
    [ "$output" = '{"clones": 0, "vm_ms": null, "bytes_per_s": null}' ]
}

@test "the keys are medians of the jobs with clones" {
    for job in "1 2500 1000 40000000" "2 5000 2000 300000000" "1 1700 800 64000000" "0 0 0 0"; do
        # shellcheck disable=SC2086 # four arguments
        clone_costs <(logged $job)
    done >"$BATS_TEST_TMPDIR/jobs"
    costs_summary <"$BATS_TEST_TMPDIR/jobs" >"$BATS_TEST_TMPDIR/summary"
    run -0 jq --compact-output '[.jobs, .jobs_with_clones, .clones, .vm_ms.median, .vm_ms.min, .bytes_per_s.max]' \
        "$BATS_TEST_TMPDIR/summary"
    [ "$output" = '[4,3,4,1500,900,150000000]' ]
    run -0 costs_table "$BATS_TEST_TMPDIR/summary"
    [[ ${lines[2]} =~ ^\ +bandwidth,\ MB/s\ +80\ +.*40\ to\ 150$ ]]
    run -0 costs_properties "$BATS_TEST_TMPDIR/summary"
    [ "${lines[0]}" = "<property><name>mapreduce.clone.vm-millis</name><value>1500</value></property>" ]
    [ "${lines[1]}" = "<property><name>mapreduce.clone.bandwidth-per-second</name><value>76m</value></property>" ]
}
