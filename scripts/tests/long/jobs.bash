# SPDX-License-Identifier: Apache-2.0
# Jobs with stragglers for the tests here, as cluster/tests/clones.bats has them: word counts on a running cluster, whose
# outputs must be stock Hadoop's.

# shellcheck disable=SC2034,SC2154 # for the script that sources this; repository, cluster_command are its

readonly light=-XX:TieredStopAtLevel=1

# Soon a clone of each straggler, whatever it costs; and no maps that look as if they had never started.
readonly eager=(-Dmapreduce.clone.vm-millis=1 -Dmapreduce.clone.bandwidth-per-second=100g
    -Dmapreduce.clone.remember-costs=false -Dmapreduce.clone.gate-limit=15s
    -Dmapreduce.job.speculative.retry-after-speculate=1000 -Dmapreduce.task.progress-report.interval=500)

# More reduces than there are containers on three hosts.
readonly many_reduces=(-Dmapreduce.job.reduces=12 -Dmapreduce.job.reduce.slowstart.completedmaps=0.05)

# start_cluster [-DKEY=VALUE...]: by yarn-site.xml in the file's directory, with an input for four maps, and with stock's output of
# it, by a job with these options, in the file stock.
start_cluster() {
    export cluster_command=$repository/scripts/cluster CLUSTER_DIR=$BATS_FILE_TMPDIR/cluster
    "$cluster_command" start --yarn-site "$BATS_FILE_TMPDIR/yarn-site.xml" 3>&-
    make_input 4 60000
    run_job root stock stock "$@"
    keep_output root stock stock
}

stop_cluster() {
    "$cluster_command" stop &>/dev/null 3>&- || true
}

# In a subshell: to do with the cluster what only cluster.bash can.
enter_cluster() {
    cluster=$CLUSTER_DIR
    # shellcheck source=/dev/null # written by start
    source "$cluster/settings"
    find_hosts
}

on_cluster() {
    HADOOP_OPTS=$light "$cluster_command" run "$@" 3>&-
}

# Makes lines "KEY VALUE" a configuration file.
write_site() {
    local key value
    echo '<configuration>'
    while read -r key value; do
        echo "<property><name>$key</name><value>$value</value></property>"
    done
    echo '</configuration>'
}

# make_input FILES LINES: in /in, a file for each map, of 150000 words in all.
make_input() {
    local input=$BATS_FILE_TMPDIR/in file
    mkdir "$input"
    for ((file = 1; file <= $1; file++)); do
        awk -v lines="$2" -v seed=$file 'BEGIN {
            srand(seed)
            for (l = 0; l < lines; l++) {
                for (w = 0; w < 8; w++) printf "word%d ", rand() * 150000
                print ""
            }
        }' >"$input/$file"
    done
    on_cluster hadoop fs -put "$input" /in 2>/dev/null
}

# run_job USER NAME OVERLAY [-DKEY=VALUE...]: from /in to NAME in the user's own directory; its log is USER-NAME.log, whose
# end is shown if it fails.
run_job() {
    local log=$BATS_FILE_TMPDIR/$1-$2.log as=() jar
    [[ $1 == root ]] || as=(--user "$1")
    jar=$(find "$repository/benchmarks/target" -maxdepth 1 -name 'benchmarks-*.jar' | head -n 1)
    on_cluster "${as[@]}" --conf "$3" hadoop jar "$jar" org.clonehadoop.benchmarks.straggler.SlowWordCount \
        -Dmapreduce.job.reduces=2 -Dmapreduce.admin.map.child.java.opts=$light \
        -Dmapreduce.admin.reduce.child.java.opts=$light -Dyarn.app.mapreduce.am.admin-command-opts=$light "${@:4}" \
        /in "/user/$1/$2" &>"$log" || {
        tail -n 40 "$log"
        return 1
    }
}

# counter USER NAME COUNTER: of that job, 0 if it has none.
counter() {
    local value
    value=$(sed -n "s/^[[:space:]]*$3=\([0-9]*\)$/\1/p" "$BATS_FILE_TMPDIR/$1-$2.log")
    echo "${value:-0}"
}

# application_of USER NAME: that job's, nothing before it has one.
application_of() {
    grep -o 'application_[0-9_]*' "$BATS_FILE_TMPDIR/$1-$2.log" 2>/dev/null | head -n 1
}

# appmaster_says USER NAME PATTERN: in the log of that job's first AppMaster.
appmaster_says() {
    local application
    application=$(application_of "$1" "$2")
    [[ -n $application ]] \
        && grep -qsE "$3" "$CLUSTER_DIR"/hosts/h*/logs/containers/"$application"/*_01_000001/syslog
}

# assert_output USER NAME [FILE]: as that of root's or the first user's job stock, which is in the file stock or another one,
# byte by byte.
assert_output() {
    keep_output "$1" "$2" "$1-$2.out"
    cmp "$BATS_FILE_TMPDIR/${3:-stock}" "$BATS_FILE_TMPDIR/$1-$2.out"
}

# keep_output USER NAME FILE
keep_output() {
    on_cluster hadoop fs -cat "/user/$1/$2/part-*" >"$BATS_FILE_TMPDIR/$3" 2>/dev/null
}

# straggle NAME [-DKEY=VALUE...]: root's job, one map of which all but stands still when most of it is done.
straggle() {
    run_job root "$1" clone "${eager[@]}" -Dclonehadoop.straggler.attempts=m_000001_0=1000 \
        -Dclonehadoop.straggler.after-records=50000 -Dmapreduce.reduce.speculative=false "${@:2}"
}

# clone_a_map NAME [-DKEY=VALUE...]: the straggler's clone must win, and the output be that of the job stock.
clone_a_map() {
    straggle "$1" -Dmapreduce.task.io.sort.mb=4 "${@:2}"
    echo "$1: $(counter root "$1" CLONES_ORDERED) ordered, $(counter root "$1" CLONES_WON) won"
    assert_output root "$1"
    (($(counter root "$1" CLONES_WON) >= 1))
}
