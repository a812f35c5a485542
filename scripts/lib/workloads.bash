# SPDX-License-Identifier: Apache-2.0
# What scripts/hibench and benchmarks/workloads/run share: workloads of one or several jobs, by turns with stock Hadoop and with
# parts of CloneHadoop. Source benchmark.bash and terasort.bash first.
#
#   overlay_of VARIANT            the cluster's overlays for stock, speculator, clone, spill or all
#   straggler_overlay OPTIONS     the overlay `straggler` of this script's cluster: all tasks have the straggler agent
#   recorder_overlay              the overlay `recorder` of this script's cluster: AppMasters that clone write feeds. Variants that
#                                 clone have it where `record` isn't empty
#   job_ids FILE                  of the jobs that a log tells of, each once
#   jobs_report NAME COMMAND...   JSON of what became of all jobs in $results/NAME.log, and swim-lanes of each; COMMAND runs
#                                 a program where the JobHistory server, $history, can be reached. Fails if one didn't
#                                 succeed, or the log names none
#   files_checksum PATH -cat|-text COMMAND...
#                                 of all that an output's files hold, in order. Sequence files begin with bytes that are
#                                 drawn, so of them only -text, the records, can be compared
#   compare_sums WORKLOAD SUM     sets `same` to true or false: whether it is that of the workload's first run. Not in a
#                                 subshell, which would forget the first
#   note_run WORKLOAD VARIANT RUN IDENTICAL JSON...
#                                 a run as a line of JSON, to $out and $results/runs.json: what it was, and the JSON objects
#   rounds_before                 how many rounds of this version and these circumstances $out has
#   workloads_by_turns COMMAND    COMMAND WORKLOAD VARIANT RUN, as often as `runs` says; variants take turns in who begins, over
#                                 sessions too. Before that one run that isn't noted: a cluster's first one is slow
#   workloads_summary PREFIX FIELD
#                                 $results/summary.json: medians of FIELD, and each variant's over the first's, round by round
#
# shellcheck disable=SC2154,SC2034 # repository, results, same, history, out, workloads, variants, runs, stragglers, record, slow_percent, commit,
# session, megabytes, scale and tasks are the sourcing script's

declare -gA first_sum=()

overlay_of() {
    case $1 in
        stock | speculator | spill) echo "$1${stragglers:+,straggler}" ;;
        clone) echo "clone${record:+,recorder}${stragglers:+,straggler}" ;;
        all) echo "spill,clone${record:+,recorder}${stragglers:+,straggler}" ;;
        *) bad_usage "no variant '$1'" ;;
    esac
}

# What Hadoop has as default for these keys comes along.
straggler_overlay() {
    local kind agent
    agent=-javaagent:$(straggler_jar)=$1
    mkdir -p "$CLUSTER_DIR/overlays"
    for kind in map reduce; do
        echo "  <property><name>mapreduce.admin.$kind.child.java.opts</name>" \
            "<value>-Djava.net.preferIPv4Stack=true -Dhadoop.metrics.log.level=WARN $agent</value></property>"
    done >"$CLUSTER_DIR/overlays/straggler.xml"
}

# As the overlay `clone`, with another AppMaster, and its jar on the class path.
recorder_overlay() {
    local am=org.clonehadoop.benchmarks.feed.RecordingAppMaster open=--add-opens=java.base/java.lang=ALL-UNNAMED
    mkdir -p "$CLUSTER_DIR/overlays"
    {
        echo "  <property><name>mapreduce.application.classpath</name>" \
            "<value>@CLUSTER@/hadoop/share/hadoop/lib/*,@CLUSTER@/clone/*,$(straggler_jar)</value></property>"
        echo "  <property><name>yarn.app.mapreduce.am.command-opts</name>" \
            "<value>-Xmx384m -XX:+UseSerialGC $open $am</value></property>"
    } >"$CLUSTER_DIR/overlays/recorder.xml"
}

job_ids() {
    sed -n 's/.*Running job: \(job_[0-9_]*\).*/\1/p' "$1" | awk '!seen[$0]++'
}

jobs_report() {
    local name=$1 job jobs
    shift
    mapfile -t jobs < <(job_ids "$results/$name.log")
    # A run without one would be the quickest.
    ((${#jobs[@]})) || {
        warn "$name: no job is named in $results/$name.log: let Hadoop's client log at INFO (HADOOP_ROOT_LOGGER, log4j.properties)"
        return 1
    }
    for job in "${jobs[@]}"; do
        "$@" java -cp "$repository/benchmarks/target/classes:$repository/benchmarks/target/lib/*" \
            org.clonehadoop.benchmarks.jobs.JobReport --history "$history" --job "$job" --title "$name $job" \
            --json "$results/$name-$job.json" --svg "$results/$name-$job.svg" >&2 || return
        # Without this a job that failed would be a quick one.
        jq --exit-status '.state == "SUCCEEDED"' "$results/$name-$job.json" >/dev/null \
            || { warn "$name: $job didn't succeed" && return 1; }
        cat "$results/$name-$job.json"
    done | jq --slurp 'def sum(of): map(of // 0) | add // 0;
        {jobs: length, jobs_s: sum(.job_s), extra_attempts: sum(.extra_attempts), extra_attempts_won: sum(.extra_attempts_won),
            clones_launched: sum(.clones_launched), clones_won: sum(.clones_won), thrown_away_s: sum(.thrown_away_s)}'
}

# _SUCCESS and logs aren't output.
files_checksum() {
    # shellcheck disable=SC2016 # for the shell over there
    "${@:3}" env HADOOP_OPTS='-XX:+DisplayVMOutputToStderr -Xlog:disable -Xlog:all=warning:stderr' \
        bash -c 'set -o pipefail; hadoop fs -ls -C -R "$1" | grep -E "/part-[^/]*$" | sort | xargs hadoop fs "$2"' - \
        "$1" "$2" 2>"$results/read.log" | sha256sum | cut -d ' ' -f 1
}

compare_sums() {
    : "${first_sum[$1]:=$2}"
    same=$([[ $2 == "${first_sum[$1]}" ]] && echo true || echo false)
}

note_run() {
    jq --slurp --compact-output --arg commit "$commit" --arg workload "$1" --arg variant "$2" --arg round "$session-$3" \
        --argjson slow "${slow_percent:-null}" --arg stragglers "$stragglers" --argjson same "$4" \
        --argjson megabytes "$megabytes" --arg scale "${scale:-}" --argjson tasks "$tasks" \
        --argjson environment "$(environment)" '
        {$commit, $workload, $variant, $round, slow_host_percent: $slow, identical: $same,
            stragglers: (if $stragglers == "" then null else $stragglers end),
            megabytes: (if $scale == "" then $megabytes else null end),
            scale: (if $scale == "" then null else $scale end), $tasks}
        + add + {$environment} | with_entries(select(.value != null))' <<<"${*:5}" | tee -a "$out" >>"$results/runs.json"
    tell "$(jq --slurp --raw-output '.[-1] | "\(.jobs_s) s of jobs, \(.clones_launched) clones, \(.clones_won) won,"
        + " \(.extra_attempts) extra attempts\(if .identical == false then "; THE OUTPUT DIFFERS" else "" end)"' \
        "$results/runs.json")"
}

# Of one workload: who begins is the same for all of a round.
rounds_before() {
    [[ -e $out ]] || { echo 0 && return; }
    jq --slurp --arg commit "$commit" --arg workload "${workloads[0]}" --argjson slow "${slow_percent:-null}" \
        --arg stragglers "$stragglers" '
        [.[] | select(.commit == $commit and .workload == $workload and .slow_host_percent == $slow
            and (.stragglers // "") == $stragglers).round] | unique | length' "$out"
}

# one_run COMMAND...: what others took of the processors is a matter of the run's own time. The summary is of the session's.
one_run() {
    local processors_before
    processors_before=$(processor_ticks)
    "$@"
}

# warm_up COMMAND: what it notes goes nowhere, and what it reads first is what outputs are compared with.
warm_up() {
    local out=/dev/null
    tell "warming up"
    one_run "$1" "${workloads[0]}" "${variants[0]}" 0
}

workloads_by_turns() {
    local run workload turn variant before
    before=$(rounds_before)
    warm_up "$1"
    : >"$results/runs.json"
    for ((run = before + 1; run <= before + runs; run++)); do
        for workload in "${workloads[@]}"; do
            for ((turn = 0; turn < ${#variants[@]}; turn++)); do
                variant=${variants[(run + turn) % ${#variants[@]}]}
                tell "$workload, $variant, run $run of $((before + runs))"
                one_run "$1" "$workload" "$variant" "$run"
            done
        done
    done
}

# Flat, as benchmarks have it.
workloads_summary() {
    jq --slurp --arg first "${variants[0]}" --arg prefix "$1" --arg field "$2" --argjson environment "$(environment)" \
        "$ratio_definitions"'
        def of(which): map(select(which)[$field]) | median;
        . as $all
        | [group_by([.workload, .variant])[] | . as $these | .[0] as $one
            | "\($prefix)_\($one.workload)_\($one.variant)" as $key
            | {"\($key)_s": of(true), "\($key)_clones_launched": (map(.clones_launched) | add),
                "\($key)_clones_won": (map(.clones_won) | add),
                "\($key)_extra_attempts": (map(.extra_attempts) | add),
                "\($key)_thrown_away_s": (map(.thrown_away_s) | median)}
            + if $one.variant == $first then {} else
                ([$these[] | . as $run | $all[]
                    | select(.workload == $run.workload and .variant == $first and .round == $run.round)
                    | $run[$field] / .[$field]] | ratios("\($key)_over_\($first)")) end]
        | add + {outputs_differ: ($all | map(select(.identical == false)) | length), $environment}' \
        "$results/runs.json" >"$results/summary.json"
}
