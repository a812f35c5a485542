#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# hibench: what is asked of a checkout, how it is configured from outside, what is read from its report.

bats_require_minimum_version 1.5.0 # run with codes

setup() {
    source "$BATS_TEST_DIRNAME/../lib/hibench.bash"
    source "$BATS_TEST_DIRNAME/../lib/workloads.bash"
    home=$BATS_TEST_TMPDIR/hibench
    python2=$BATS_TEST_TMPDIR/python2
    printf '#!/bin/sh\necho "Python 2.7.18" >&2\n' >"$python2"
    chmod +x "$python2"
    for workload in "${hibench_workloads[@]}"; do
        script=$home/bin/workloads/$(hibench_path "$workload")/hadoop/run.sh
        mkdir -p "$(dirname "$script")"
        touch "$script"
        chmod +x "$script"
    done
    mkdir -p "$home/conf"
    echo "hibench.scale.profile tiny" >"$home/conf/hibench.conf"
}

missing() {
    hibench_missing "$home" "$1" "$python2"
}

@test "a checkout that isn't built can run the micro benchmarks" {
    for workload in sort terasort wordcount; do
        run -0 missing "$workload"
        [ -z "$output" ]
    done
}

@test "what isn't built is named, with what makes it" {
    run -0 missing pagerank
    [ "${#lines[@]}" = 2 ]
    [[ ${lines[0]} == *autogen* ]]
    [[ ${lines[1]} == *pegasus* ]]
    mkdir -p "$home/autogen/target" "$home/hadoopbench/pegasus/target"
    touch "$home/autogen/target/autogen-8.0-SNAPSHOT-jar-with-dependencies.jar"
    touch "$home/hadoopbench/pegasus/target/pegasus-2.0-SNAPSHOT.jar"
    run -0 missing pagerank
    [ -z "$output" ]
    run -0 missing kmeans
    [[ ${lines[0]} == "Mahout's distribution"* ]]
    [[ ${lines[1]} == "Mahout's archive"* ]]
    run -0 missing bayes
    [ "${#lines[@]}" = 3 ]
    [[ ${lines[2]} == hibench.spark.home* ]]
    mkdir -p "$home/hadoopbench/mahout/target/mahout-0.11/bin"
    touch "$home/hadoopbench/mahout/target/mahout-0.11/bin/mahout"
    run -0 missing kmeans
    [ "${#lines[@]}" = 1 ]
    touch "$home/hadoopbench/mahout/target/apache-mahout-0.11.tar.gz"
    run -0 missing kmeans
    [ -z "$output" ]
}

@test "check fails while a workload can't run, and says which" {
    run -1 "$BATS_TEST_DIRNAME/../hibench" check --home "$home" --python2 "$python2"
    [[ $output == *"sort         can run"* ]]
    [[ $output == *"pagerank     missing: its generator"* ]]
}

@test "a checkout's commit, and nothing of a directory that is none" {
    run -0 hibench_version "$home"
    [ "$output" = '{}' ]
    git -C "$home" init --quiet
    git -C "$home" -c user.name=n -c user.email=e commit --quiet --allow-empty --message m
    run -0 hibench_version "$home"
    [ "$output" = "{\"hibench\":\"$(git -C "$home" log -1 --format=%h --abbrev=8)\"}" ]
}

@test "another directory is no checkout" {
    run -0 hibench_missing "$BATS_TEST_TMPDIR/elsewhere" sort "$python2"
    [[ $output == *"is no HiBench checkout"* ]]
}

@test "Python 3 isn't Python 2" {
    printf '#!/bin/sh\necho "Python 3.11.2"\n' >"$python2"
    run -0 missing sort
    [[ $output == *"need Python 2"* ]]
    run -0 hibench_missing "$home" sort ""
    [[ $output == *"need Python 2"* ]]
}

@test "our properties come last, so that they win, and the checkout stays as it is" {
    before=$(find "$home" -type f -exec sha256sum {} +)
    hibench_conf "$home" "$BATS_TEST_TMPDIR/conf" "hibench.scale.profile clonehadoop" "hibench.report.dir /r"
    run -0 cat "$BATS_TEST_TMPDIR"/conf/*.conf
    [ "${lines[0]}" = "hibench.scale.profile tiny" ]
    [ "${lines[1]}" = "hibench.scale.profile clonehadoop" ]
    [ "${lines[2]}" = "hibench.report.dir /r" ]
    [ "$before" = "$(find "$home" -type f -exec sha256sum {} +)" ]
}

@test "the profile of our own has bytes, and rows of 100" {
    run -0 hibench_sizes 500
    [[ ${lines[0]} == "hibench.sort.clonehadoop.datasize 500000000" ]]
    [[ ${lines[1]} == "hibench.terasort.clonehadoop.datasize 5000000" ]]
}

@test "a report's last line" {
    {
        echo "Type         Date       Time     Input_data_size      Duration(s)          Throughput(bytes/s)  Throughput/node"
        echo "HadoopWordcount 2026-11-24 10:00:00 35891                41.871               857                  285"
        echo "HadoopTerasort 2026-11-24 10:02:00 3200000              35.120               91116                30372"
    } >"$BATS_TEST_TMPDIR/report"
    run -0 hibench_report "$BATS_TEST_TMPDIR/report"
    [ "$output" = '{"type":"HadoopTerasort","input_bytes":3200000,"hibench_s":35.12}' ]
}

@test "each job of a workload once" {
    printf 'INFO mapreduce.Job: Running job: job_1_0001\nINFO x\nINFO mapreduce.Job: Running job: job_1_0002\nRunning job: job_1_0001\n' \
        >"$BATS_TEST_TMPDIR/log"
    run -0 job_ids "$BATS_TEST_TMPDIR/log"
    [ "$output" = $'job_1_0001\njob_1_0002' ]
}

@test "an output is compared with the first of its workload" {
    local same sums=''
    compare_sums sort a
    sums+="$same "
    compare_sums sort b
    sums+="$same "
    compare_sums wordcount b
    sums+="$same "
    compare_sums sort a
    [ "$sums$same" = "true false true true" ]
}

# stub FILE: a bash script of what is on stdin.
stub() {
    mkdir -p "$(dirname "$1")"
    { echo '#!/usr/bin/env bash' && cat; } >"$1"
    chmod +x "$1"
}

# A copy of the scripts, so that nothing is built or written in this repository, and stand-ins for HiBench, Hadoop and Java.
stand_ins() {
    repo=$BATS_TEST_TMPDIR/repo stubs=$BATS_TEST_TMPDIR/stubs
    mkdir -p "$repo/benchmarks/src/main" "$repo/benchmarks/target/lib"
    cp -r "$BATS_TEST_DIRNAME/.." "$repo/scripts"
    cp -r "$BATS_TEST_DIRNAME/../../benchmarks/lib" "$repo/benchmarks/"
    cp "$BATS_TEST_DIRNAME/../../pom.xml" "$repo/"
    git -C "$repo" init --quiet
    mkdir -p "$BATS_TEST_TMPDIR/stock" "$BATS_TEST_TMPDIR/clones"
    echo 'exit 0' | stub "$stubs/mvn"
    stub "$stubs/java" <<'EOF'
while [[ $# -gt 0 && $1 != --json ]]; do shift; done
[[ $# == 0 ]] || echo "{\"state\": \"$(cat "$STATE")\", \"job_s\": 12, \"clones_won\": 1}" >"$2"
EOF
    stub "$BATS_TEST_TMPDIR/hadoop/bin/hdfs" <<'EOF'
echo hdfs://h0
EOF
    stub "$BATS_TEST_TMPDIR/hadoop/bin/hadoop" <<'EOF'
case $1-${2:-} in
    version-) echo "Hadoop 9.9.9" ;;
    fs--ls) echo /HiBench/Terasort/Output/part-r-00000 ;;
    fs--cat)
        echo >>"$OUTPUT.read"
        [[ $(wc -l <"$OUTPUT.read") == "${DIFFERS:-}" ]] || cat "$OUTPUT"
        ;;
esac
EOF
    for script in prepare/prepare.sh hadoop/run.sh; do
        stub "$home/bin/workloads/micro/terasort/$script" <<'EOF'
echo "$(basename "$HADOOP_CONF_DIR") ${0##*/}" >>"$ORDER"
[[ -n ${QUIET:-} ]] || echo "Running job: job_1_0001"
report=$(sed -n 's/^hibench.report.dir //p' "$HIBENCH_CONF_FOLDER/zz-clonehadoop.conf")
echo "HadoopTerasort 2026-11-24 10:02:00 3200000 35.120 91116 30372" >>"$report/hibench.report"
EOF
    done
    export ORDER=$BATS_TEST_TMPDIR/order OUTPUT=$BATS_TEST_TMPDIR/output STATE=$BATS_TEST_TMPDIR/state
    echo sorted >"$OUTPUT"
    echo SUCCEEDED >"$STATE"
}

hibench_run() {
    PATH=$stubs:$PATH "$repo/scripts/hibench" run --home "$home" --python2 "$python2" --runs 2 --mb 100 \
        --hadoop-home "$BATS_TEST_TMPDIR/hadoop" --history http://h:1 --out "$BATS_TEST_TMPDIR/out.ndjson" \
        --variants "stock=$BATS_TEST_TMPDIR/stock,clones=$BATS_TEST_TMPDIR/clones" terasort
}

@test "a run: input once, one run that isn't counted, turns, a line each, ratios" {
    stand_ins
    run -0 hibench_run
    [[ $output == *hibench_terasort_clones_over_stock* ]]
    run -0 paste -sd ',' "$ORDER"
    [ "$output" = "stock prepare.sh,stock run.sh,clones run.sh,stock run.sh,stock run.sh,clones run.sh" ]
    run -0 jq --slurp --compact-output 'map([.variant, .hibench_s, .jobs_s, .identical, .megabytes, .tasks, .environment.hadoop]) | unique' \
        "$BATS_TEST_TMPDIR/out.ndjson"
    [ "$output" = '[["clones",35.12,12,true,100,8,"9.9.9"],["stock",35.12,12,true,100,8,"9.9.9"]]' ]
    [ "$(wc -l <"$BATS_TEST_TMPDIR/out.ndjson")" = 4 ]
}

@test "a job that fails ends it, without a line" {
    stand_ins
    echo FAILED >"$STATE"
    run -1 hibench_run
    [[ $output == *"job_1_0001 didn't succeed"*"terasort, stock: there is no report of its jobs"* ]]
    [ ! -s "$BATS_TEST_TMPDIR/out.ndjson" ]
}

@test "a client that logs no job ends it, without a line" {
    stand_ins
    QUIET=1 run -1 hibench_run
    [[ $output == *"let Hadoop's client log at INFO"*"terasort, stock: there is no report of its jobs" ]]
    [ ! -s "$BATS_TEST_TMPDIR/out.ndjson" ]
}

@test "an output that differs is said and in its line, and the others are still run" {
    stand_ins
    DIFFERS=3 run -1 hibench_run
    [[ $output == *"THE OUTPUT DIFFERS"* ]]
    run -0 jq --slurp --compact-output 'map([.variant, .identical])' "$BATS_TEST_TMPDIR/out.ndjson"
    [ "$output" = '[["clones",true],["stock",false],["stock",true],["clones",true]]' ]
}
