# SPDX-License-Identifier: Apache-2.0
# TeraSort on scripts/cluster: starts one, generates, sorts and checks, and notes what became of each job.
# Source common.bash first. Benchmarks must be built (build_benchmarks of benchmarks/lib/benchmark.bash).
#
#   begin_cluster RESULTS [START-OPTION...]
#                                      a cluster that goes when the script ends, with all that is in `scratch`;
#                                      what it logs stays in `results`, a directory for logs and reports
#   keep_cluster                       the user's from now on: it stays when the script ends
#   teragen ROWS MAPS IN [-DKEY=VALUE...]
#                                      ROWS × 100 bytes in MAPS files
#   terasort NAME OVERLAY IN OUT [-DKEY=VALUE...]
#                                      $results/NAME.log, NAME.json (see operator-tools' class report.Job), NAME.svg
#   save_feed JOB FILE                 what the recording AppMaster of job_JOB wrote, compressed as well as can be
#   remove PATH                        fails if it can't be removed
#   hdfs_cat PATTERN                   what is in files; the reason for a failure is in $results/read.log
#   teravalidate OUT                   fails if it isn't sorted
#   same_output OUT                    fails if its bytes aren't those of the first OUT that it was given
#   summary_of KEY NAME-...            one flat object of jobs that were run alike: medians, sums
#   pair_ratios FIELD KEY A B          of jobs A-1, B-1; A-2, B-2; ...: B's FIELD over A's as KEY, in the middle,
#                                      at least, at most; and the interval (KEY_low, KEY_high) of their mean
#   show_summary FILE                  $results/summary.json as a table; copied to FILE, if that isn't empty
#
# Paths are HDFS's.

# shellcheck disable=SC2154 # repository is the sourcing script's

begin_cluster() {
    results=$1
    rm -rf "$results"
    mkdir -p "$results"
    scratch=$(mktemp --directory --tmpdir clone-hadoop.XXXXXX)
    if [[ $(findmnt --noheadings --output OPTIONS --target "$scratch") == *noexec* ]]; then
        rmdir "$scratch"
        fail "programs can't run in ${TMPDIR:-/tmp}: name another directory, as in TMPDIR=/var/tmp $0"
    fi
    # Before the trap: it must never stop another cluster, such as the user's own.
    export CLUSTER_DIR=$scratch/cluster
    trap end_cluster EXIT
    tell "starting a cluster"
    # In the background, since a shell isn't ended before what it runs in the foreground.
    "$repository/scripts/cluster" start "${@:2}" &>"$results/start.log" &
    starting=$!
    wait "$starting" || fail "no cluster: $(tail -n 1 "$results/start.log")"
    starting=
}

keep_cluster() {
    trap - EXIT
    say "the cluster goes on: scripts/cluster --dir $CLUSTER_DIR status; when it is stopped, remove $scratch"
}

# What can't be stopped is left with the list of its processes, so that it can be stopped later.
end_cluster() {
    local code=$? stopped=0
    trap '' INT TERM
    # What ends this script doesn't reach its start, which takes back what there is of the cluster.
    if [[ -n ${starting:-} ]]; then
        kill -TERM "$starting" 2>/dev/null || true
        wait "$starting" || true
    fi
    "$repository/scripts/cluster" stop &>"$results/stop.log" || stopped=$?
    # 3: none was running.
    if ((stopped != 0 && stopped != 3)); then
        warn "the cluster isn't stopped: $(tail -n 1 "$results/stop.log"); when it is" \
            "('scripts/cluster --dir $CLUSTER_DIR stop'), remove $scratch"
        return
    fi
    if [[ -d $CLUSTER_DIR/hosts ]]; then
        mv "$CLUSTER_DIR/hosts" "$results/"
        ((code == 0)) || warn "the hosts' logs are in $results/hosts"
    fi
    rm -rf "$scratch"
}

on_cluster() {
    "$repository/scripts/cluster" run "$@"
}

straggler_jar() {
    find "$repository/benchmarks/target" -maxdepth 1 -name 'benchmarks-*.jar' | head -n 1
}

# tera NAME OVERLAY PROGRAM ARGUMENT...: runs one of the examples; its log is $results/NAME.log.
tera() {
    local name=$1 overlay=$2 jar
    jar=$(straggler_jar)
    # shellcheck disable=SC2016 # for the shell over there
    if ! on_cluster --conf "$overlay" env HADOOP_CLASSPATH="$jar" bash -c \
        'exec hadoop jar "$HADOOP_HOME"/share/hadoop/mapreduce/hadoop-mapreduce-examples-*.jar "$@"' - \
        "$3" -libjars "$jar" "${@:4}" >"$results/$name.log" 2>&1; then
        warn "$name failed: $(grep -m 1 -E 'Exception|ERROR|failed' "$results/$name.log"); see $results/$name.log"
        return 1
    fi
}

# job_report NAME [TITLE]: of the job whose log is $results/NAME.log.
job_report() {
    local job
    job=$(sed -n 's/.*Running job: \(job_[0-9_]*\).*/\1/p' "$results/$1.log" | tail -n 1)
    on_cluster java -cp "$repository/benchmarks/target/classes:$repository/benchmarks/target/lib/*" \
        org.clonehadoop.benchmarks.jobs.JobReport --history http://h0:19888 --job "$job" \
        --title "${2:-$1}" --json "$results/$1.json" --svg "$results/$1.svg"
}

save_feed() {
    local feed
    feed=$(find "$CLUSTER_DIR/hosts" -path "*application_$1*" -name feed.ndjson.gz | head -n 1)
    [[ -n $feed ]] || fail "the AppMaster of job_$1 has written no feed"
    gzip --decompress --stdout "$feed" | gzip --best --no-name >"$2"
}

remove() {
    if ! on_cluster hadoop fs -rm -r -skipTrash "$1" &>"$results/remove.log"; then
        warn "$1 can't be removed: see $results/remove.log"
        return 1
    fi
}

hdfs_cat() {
    on_cluster hadoop fs -cat "$1" 2>"$results/read.log"
}

# A replica on every worker: else most maps run where most of these maps happened to.
teragen() {
    tell "generating $(($1 / 10000)) MB"
    tera teragen stock teragen -Dmapreduce.job.maps="$2" -Ddfs.replication=3 "${@:4}" "$1" "$3"
}

terasort() {
    local name=$1 overlay=$2 in=$3 out=$4
    tera "$name" "$overlay" terasort "${@:5}" "$in" "$out" && job_report "$name"
}

# It writes a line for every error, and the checksum if there is none.
teravalidate() {
    local lines
    tell "checking the order of $1"
    tera teravalidate stock teravalidate "$1" "$1-validated" || return 1
    if ! lines=$(hdfs_cat "$1-validated/part-r-*"); then
        warn "what TeraValidate wrote can't be read: see $results/read.log"
        return 1
    fi
    if lines=$(grep -m 1 -v '^checksum' <<<"$lines"); then
        warn "$1 isn't sorted: $lines"
        return 1
    fi
}

# Of all of the output's bytes, in order.
output_checksum() {
    hdfs_cat "$1/part-r-*" | sha256sum | cut -d ' ' -f 1
}

# Where they differ both are read again: a bad read isn't a bad sort.
same_output() {
    local checksum
    if ! checksum=$(output_checksum "$1"); then
        warn "$1 can't be read: see $results/read.log"
        return 1
    fi
    : "${first_output:=$1}" "${first_checksum:=$checksum}"
    if [[ $checksum != "$first_checksum" ]]; then
        warn "$1 differs from $first_output: $checksum and $first_checksum; read again" \
            "$(output_checksum "$1") and $(output_checksum "$first_output")"
        return 1
    fi
}

# jq: median of what isn't null; null of nothing.
readonly median_definition='
    def median: map(select(. != null)) | sort
        | if length == 0 then null else (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2 end;
    '

# Job times in seconds: median, least and greatest. Attempts and clones: all together.
summary_of() {
    local key=$1
    shift
    jq --slurp --arg key "$key" "$median_definition"'
        {s: map(.job_s) | median, s_min: map(.job_s) | min, s_max: map(.job_s) | max,
            cpu_s: map(.cpu_s) | median, thrown_away_s: map(.thrown_away_s) | median,
            extra_attempts: map(.extra_attempts) | add,
            extra_attempts_won: map(.extra_attempts_won) | add,
            clones_launched: map(.clones_launched) | add, clones_won: map(.clones_won) | add,
            freeze_ms: map(.freeze_ms) | median, gate_closed_ms: map(.gate_closed_ms) | median,
            order_to_running_ms: map(.order_to_running_ms) | median}
        | with_entries(select(.value != null) | .key = "\($key)_\(.key)")' "$@"
}

# jq: median, and ratios(KEY) of numbers: in the middle, at least, at most; the interval is that of the geometric mean, with 95 %
# confidence (Student's t); one alone has none.
# shellcheck disable=SC2016 # jq's
readonly ratio_definitions=$median_definition'
    def ratios($key):
        [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
            2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060,
            2.056, 2.052, 2.048, 2.045, 2.042] as $t
        | sort | length as $n | if $n == 0 then {} else (map(log) | add / $n) as $mean
        | {($key): median, "\($key)_min": .[0], "\($key)_max": .[-1]}
        + if $n < 2 then {} else
            (map(log - $mean | . * .) | add / ($n - 1) / $n | sqrt * ($t[$n - 2] // 2.042)) as $half
            | {"\($key)_low": ($mean - $half | exp), "\($key)_high": ($mean + $half | exp)}
        end end;
    '

pair_ratios() {
    local of_b
    for of_b in "$results/$4-"*.json; do
        jq --slurp ".[1].$1 / .[0].$1" "$results/$3-${of_b##*"/$4-"}" "$of_b"
    done | jq --slurp --arg key "$2" "$ratio_definitions"'ratios($key)'
}

show_summary() {
    jq --raw-output 'del(.environment) | to_entries[] | "\(.key)\t\(.value * 1000 | round / 1000)"' \
        "$results/summary.json" | expand -t 52
    if [[ -n $1 ]]; then
        cp "$results/summary.json" "$1"
    fi
}
