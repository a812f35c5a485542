#!/usr/bin/env bats
# Jobs with stragglers on a real cluster, with real clones: each job's output must be stock Hadoop's,
# byte by byte.

bats_require_minimum_version 1.5.0 # run with codes

source "$BATS_TEST_DIRNAME/../../scripts/lib/common.bash"
source "$repository/scripts/lib/cluster.bash"

readonly lines=120000 words_a_line=8
# Two maps that go on at a hundredth of their speed from the middle of their records.
readonly stragglers=("-Dclonehadoop.straggler.attempts=m_000001_0=100,m_000002_0=100"
    -Dclonehadoop.straggler.after-records=$((lines / 2)))
# What decides is tested elsewhere: here every straggler is to be cloned, and soon.
readonly eager=(-Dmapreduce.clone.vm-millis=1 -Dmapreduce.job.speculative.retry-after-speculate=1000
    -Dmapreduce.reduce.speculative=false)

setup_file() {
    local reason
    reason=$(why_no_hosts)
    [[ -n $reason ]] || reason=$(why_no_clones)
    if [[ -n $reason ]]; then
        if [[ ${CI:-} == true ]]; then
            echo "no clones here: $reason" >&2
            return 1
        fi
        skip "$reason"
    fi
    export CLUSTER_DIR=$BATS_FILE_TMPDIR/cluster
    export cluster_command=$repository/scripts/cluster
    "$cluster_command" start --hosts 2 3>&-
    make_input
    # What stock makes of it, for all tests.
    run_job stock stock
    output_of stock >"$BATS_FILE_TMPDIR/stock.sum"
}

teardown_file() {
    "$cluster_command" stop 2>/dev/null 3>&- || true
}

on_cluster() {
    "$cluster_command" run "$@" 3>&-
}

# Four files of words, one for each map.
make_input() {
    local input=$BATS_FILE_TMPDIR/in file
    mkdir "$input"
    for file in 1 2 3 4; do
        awk -v lines=$lines -v words=$words_a_line -v seed=$file 'BEGIN {
            srand(seed)
            for (l = 0; l < lines; l++) {
                for (w = 0; w < words; w++) printf "word%d ", rand() * 50000
                print ""
            }
        }' >"$input/$file"
    done
    on_cluster hadoop fs -put "$input" /in 2>/dev/null
}

# run_job NAME OVERLAY [-DKEY=VALUE...]: from /in to /NAME; its log is NAME.log.
run_job() {
    local name=$1 overlay=$2 jar
    jar=$(find "$repository/benchmarks/target" -maxdepth 1 -name 'benchmarks-*.jar' | head -n 1)
    on_cluster --conf "$overlay" hadoop jar "$jar" \
        org.clonehadoop.benchmarks.straggler.SlowWordCount -Dmapreduce.job.reduces=2 "${@:3}" \
        /in "/$name" &>"$BATS_FILE_TMPDIR/$name.log"
}

output_of() {
    on_cluster hadoop fs -cat "/$1/part-*" 2>/dev/null | sha256sum
}

# counter NAME COUNTER: of that job, 0 if it has none.
counter() {
    local value
    value=$(sed -n "s/^[[:space:]]*$2=\([0-9]*\)$/\1/p" "$BATS_FILE_TMPDIR/$1.log")
    echo "${value:-0}"
}

# Both stragglers' clones won, and nobody can tell by the output.
assert_cloned() {
    local name=$1
    echo "$name: $(counter "$name" CLONES_ORDERED) ordered, $(counter "$name" CLONES_RUNNING) ran, $(counter "$name" CLONES_WON) won"
    [[ $(counter "$name" CLONES_WON) -ge 2 ]]
    [[ $(counter "$name" CLONED_FROM_ATTEMPT_0) -ge 2 ]]
    [[ $(output_of "$name") == $(<"$BATS_FILE_TMPDIR/stock.sum") ]]
    [[ $(counter "$name" "Map input records") == $(counter stock "Map input records") ]]
    [[ $(counter "$name" "Map output records") == $(counter stock "Map output records") ]]
}

@test "two stragglers of one job are cloned and win; several spills, combiner, compressed" {
    run_job current clone "${stragglers[@]}" "${eager[@]}" -Dmapreduce.task.io.sort.mb=8 \
        -Dmapreduce.map.output.compress=true
    assert_cloned current
}

@test "clones of maps of the old programming interface win, with a job class loader" {
    run_job old clone "${stragglers[@]}" "${eager[@]}" -Dclonehadoop.wordcount.old-api=true \
        -Dmapreduce.job.classloader=true
    assert_cloned old
}

# What maps make of the input's files if there is no reduce: each word, and 1.
words_of_input() {
    local file
    for file in 1 2 3 4; do
        awk '{ for (w = 1; w <= NF; w++) print $w "\t1" }' "$BATS_FILE_TMPDIR/in/$file" | sha256sum
    done | sort
}

words_of_output() {
    local part
    for part in 0 1 2 3; do
        on_cluster hadoop fs -cat "/$1/part-m-0000$part" 2>/dev/null | sha256sum
    done | sort
}

@test "a map without reduces that straggles is cloned with its output open, and its clone wins" {
    run_job maponly clone "${stragglers[@]}" "${eager[@]}" -Dmapreduce.job.reduces=0
    echo "$(counter maponly CLONES_ORDERED) ordered, $(counter maponly CLONES_RUNNING) ran, $(counter maponly CLONES_WON) won"
    [[ $(counter maponly CLONES_WON) -ge 2 ]]
    [[ $(words_of_output maponly) == "$(words_of_input)" ]]
    [[ $(counter maponly "Map output records") == $((4 * lines * words_a_line)) ]]
}

# One reduce goes on slowly in the midst of its records, with some of its output in HDFS; the other
# slowly enough for that to be seen.
readonly slow_reduce=("-Dclonehadoop.straggler.attempts=r_000000_0=60,r_000001_0=250"
    -Dclonehadoop.straggler.after-records=5000 -Dmapreduce.task.progress-report.interval=500
    -Dmapreduce.clone.reduce=true -Dmapreduce.clone.gate-limit=15s -Dmapreduce.clone.vm-millis=1
    -Dmapreduce.map.speculative=false -Dmapreduce.job.speculative.retry-after-speculate=1000)

@test "a reduce that straggles with its output open is cloned and its clone wins" {
    run_job reduce clone "${slow_reduce[@]}"
    echo "$(counter reduce CLONES_ORDERED) ordered, $(counter reduce CLONES_RUNNING) ran, $(counter reduce CLONES_WON) won"
    [[ $(counter reduce CLONES_WON) == 1 ]]
    [[ $(counter reduce CLONED_FROM_ATTEMPT_0) == 1 ]]
    [[ $(output_of reduce) == $(<"$BATS_FILE_TMPDIR/stock.sum") ]]
    [[ $(counter reduce "Reduce input records") == $(counter stock "Reduce input records") ]]
    [[ $(counter reduce "Reduce output records") == $(counter stock "Reduce output records") ]]
    [[ $(counter reduce "Failed reduce tasks") == 0 ]]
}

@test "with cloning off the job is stock's, and no task has anything of ours" {
    run_job off clone -Dmapreduce.clone.mode=off
    [[ $(counter off CLONES_ORDERED) == 0 ]]
    [[ $(output_of off) == $(<"$BATS_FILE_TMPDIR/stock.sum") ]]
    run ! grep -rlE 'CloneableChild|CLONE_APPMASTER' "$CLUSTER_DIR"/hosts/h*/logs/containers/"$(application_of off)"/*/launch_container.sh
}

application_of() {
    grep -o 'application_[0-9_]*' "$BATS_FILE_TMPDIR/$1.log" | head -n 1
}

# The present AppMaster of the job NAME says PATTERN in its log.
appmaster_says() {
    grep -qE "$2" "$CLUSTER_DIR"/hosts/h*/logs/containers/"$(application_of "$1")"/*_01_000001/syslog 2>/dev/null
}

# Its first AppMaster only: the next may already run when the second host is looked at.
kill_appmaster() {
    local host pid
    for host in 1 2; do
        for pid in $(on_cluster --host $host pgrep --full "java.*_01_000001 .*CloneAppMaster" || true); do
            on_cluster --host $host kill -KILL "$pid" || true
        done
    done
}

# Waits for the job that runs as process PID, and shows its end when it failed: wait_for_job PID NAME.
wait_for_job() {
    wait "$1" || {
        tail -n 40 "$BATS_FILE_TMPDIR/$2.log"
        return 1
    }
}

@test "an AppMaster that dies while a clone runs costs the job nothing but time" {
    run_job restart clone "${stragglers[@]}" "${eager[@]}" &
    local job=$!
    wait_for 300 appmaster_says restart ' -> RUNNING'
    kill_appmaster
    wait_for_job $job restart
    grep -q 'completed successfully' "$BATS_FILE_TMPDIR/restart.log"
    [[ $(output_of restart) == $(<"$BATS_FILE_TMPDIR/stock.sum") ]]
}

kill_clones() {
    local host pid
    for host in 1 2; do
        for pid in $(on_cluster --host $host pgrep --full "criu-remote-clone pull" || true); do
            on_cluster --host $host kill -KILL "$pid" || true
        done
    done
}

@test "clones that are killed cost the job nothing, and aren't failures of their tasks" {
    run_job killed clone "${stragglers[@]}" "${eager[@]}" &
    local job=$!
    wait_for 300 appmaster_says killed ' -> RUNNING'
    kill_clones
    wait_for_job $job killed
    grep -q 'completed successfully' "$BATS_FILE_TMPDIR/killed.log"
    appmaster_says killed ' RUNNING -> LOST'
    [[ $(counter killed "Failed map tasks") == 0 ]]
    [[ $(output_of killed) == $(<"$BATS_FILE_TMPDIR/stock.sum") ]]
}
