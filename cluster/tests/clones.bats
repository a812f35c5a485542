#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Jobs with stragglers on a real cluster, with real clones, in containers of an ordinary user: each job's
# output must be stock Hadoop's, byte by byte.

bats_require_minimum_version 1.5.0 # run with codes

source "$BATS_TEST_DIRNAME/../../scripts/lib/common.bash"
source "$repository/scripts/lib/cluster.bash"

readonly lines=120000 words_a_line=8
# Two maps that stand all but still when most of their records are done: the more is done, the longer may a clone
# take, and processors that are busy with other things may make it take long.
readonly mostly_done=-Dclonehadoop.straggler.after-records=$((lines * 9 / 10))
readonly from_three_quarters=-Dclonehadoop.straggler.after-records=$((lines * 3 / 4))
readonly stragglers=("-Dclonehadoop.straggler.attempts=m_000001_0=500,m_000002_0=500" "$mostly_done")
# Their clones run for long, too.
readonly slow_clones=("-Dclonehadoop.straggler.attempts=m_000001_0=500,m_000001_1=10,m_000002_0=500,m_000002_1=10"
    "$mostly_done")
# What decides is tested elsewhere: here every straggler is to be cloned, whatever the test before took, and soon.
readonly cheap=(-Dmapreduce.clone.vm-millis=1 -Dmapreduce.clone.bandwidth-per-second=100g
    -Dmapreduce.clone.remember-costs=false -Dmapreduce.job.speculative.retry-after-speculate=1000)
# Maps of 6 s whose first report came after 12, as stock's may, would look as if they had never started.
readonly eager=("${cheap[@]}" -Dmapreduce.reduce.speculative=false -Dmapreduce.task.progress-report.interval=500)

# admin_options OPTION: for the JVMs of maps, reduces and the AppMaster, beside the overlay's.
admin_options() {
    printf -- '-D%s=%s\n' mapreduce.admin.map.child.java.opts "$1" mapreduce.admin.reduce.child.java.opts "$1" \
        yarn.app.mapreduce.am.admin-command-opts "$1"
}

# What the JIT's second compiler takes a job that is as short as these doesn't get back.
readonly light="-XX:TieredStopAtLevel=1"
mapfile -t lightly < <(admin_options "$light")
# Also: which classes they load, and where from, in classes.log beside their other logs.
mapfile -t watched < <(admin_options "$light -Xlog:class+load:file=<LOG_DIR>/classes.log")
readonly lightly watched

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
    # Every system has the user daemon, and he must get at all that containers use.
    chmod a+x "$BATS_RUN_TMPDIR" "${BATS_FILE_TMPDIR%/*}" "$BATS_FILE_TMPDIR"
    "$cluster_command" start --hosts 2 --container-user daemon 3>&-
    make_input
    # What stock makes of it, for all tests.
    run_job stock stock "${watched[@]}"
    output_of stock
}

teardown_file() {
    "$cluster_command" stop 2>/dev/null 3>&- || true
    remove_memory_groups
}

on_cluster() {
    HADOOP_OPTS=$light "$cluster_command" run "$@" 3>&-
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

# run_job NAME OVERLAY [-DKEY=VALUE...] [INPUT]: from INPUT, or /in, to /NAME; its log is NAME.log.
run_job() {
    local name=$1 overlay=$2 input=/in jar
    if [[ ${*: -1} == /* ]]; then
        input=${*: -1}
        set -- "${@:1:$#-1}"
    fi
    jar=$(find "$repository/benchmarks/target" -maxdepth 1 -name 'benchmarks-*.jar' | head -n 1)
    on_cluster --conf "$overlay" hadoop jar "$jar" \
        org.clonehadoop.benchmarks.straggler.SlowWordCount -Dmapreduce.job.reduces=2 "${lightly[@]}" "${@:3}" \
        "$input" "/$name" &>"$BATS_FILE_TMPDIR/$name.log"
}

# output_of NAME: that job's output, into NAME.out; says why it can't be read.
output_of() {
    on_cluster hadoop fs -cat "/$1/part-*" >"$BATS_FILE_TMPDIR/$1.out" 2>"$BATS_FILE_TMPDIR/read.log" || {
        cat "$BATS_FILE_TMPDIR/read.log"
        return 1
    }
}

# assert_same_output NAME: as stock's, byte by byte; says where it isn't.
assert_same_output() {
    output_of "$1"
    cmp "$BATS_FILE_TMPDIR/stock.out" "$BATS_FILE_TMPDIR/$1.out" || {
        on_cluster hadoop fs -ls "/stock" "/$1" 2>/dev/null
        diff "$BATS_FILE_TMPDIR/stock.out" "$BATS_FILE_TMPDIR/$1.out" | head -n 20
        return 1
    }
}

# counter NAME COUNTER: of that job, 0 if it has none.
counter() {
    local value
    value=$(sed -n "s/^[[:space:]]*$2=\([0-9]*\)$/\1/p" "$BATS_FILE_TMPDIR/$1.log")
    echo "${value:-0}"
}

# run_stragglers NAME ...: as run_job, again if not both stragglers were cloned. On a slow machine one may be asked while it
# doesn't read records yet, or be slow to answer, and is begun again instead: rightly, but that isn't what is tested here.
run_stragglers() {
    local try
    for try in 1 2 3; do
        ((try == 1)) || on_cluster hadoop fs -rm -r -skipTrash "/$1" &>/dev/null
        run_job "$@"
        (($(counter "$1" CLONES_WON) < 2)) || return 0
        echo "$1: only $(counter "$1" CLONES_WON) clones won in run $try"
    done
}

# Both stragglers' clones won, and nobody can tell by the output.
assert_cloned() {
    local name=$1
    echo "$name: $(counter "$name" CLONES_ORDERED) ordered, $(counter "$name" CLONES_RUNNING) ran, $(counter "$name" CLONES_WON) won"
    [[ $(counter "$name" CLONES_WON) -ge 2 ]] || {
        clones_in_log "$name"
        return 1
    }
    [[ $(counter "$name" CLONED_FROM_ATTEMPT_0) -ge 2 ]]
    assert_same_output "$name"
    [[ $(counter "$name" "Map input records") == $(counter stock "Map input records") ]]
    [[ $(counter "$name" "Map output records") == $(counter stock "Map output records") ]]
}

@test "two stragglers of one job are cloned and win; several spills, combiner, compressed" {
    run_stragglers current clone "${stragglers[@]}" "${eager[@]}" -Dmapreduce.task.io.sort.mb=8 \
        -Dmapreduce.map.output.compress=true
    assert_cloned current
}

@test "clones of maps of the old programming interface win, with a job class loader" {
    run_stragglers old clone "${stragglers[@]}" "${eager[@]}" -Dclonehadoop.wordcount.old-api=true \
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
    local copies=$BATS_TEST_TMPDIR/$1 part
    on_cluster hadoop fs -get "/$1" "$copies" 2>/dev/null
    for part in "$copies"/part-m-*; do
        sha256sum <"$part"
    done | sort
}

@test "a map without reduces that straggles is cloned with its output open, and its clone wins" {
    # Committed by Hadoop's newer committer: the older commits what the reduces of this file write.
    run_job maponly clone "${stragglers[@]}" "${eager[@]}" -Dmapreduce.job.reduces=0 \
        -Dmapreduce.outputcommitter.factory.class=org.apache.hadoop.mapreduce.lib.output.committer.manifest.ManifestCommitterFactory
    on_cluster hadoop fs -cat /maponly/_SUCCESS 2>/dev/null | grep -q ManifestCommitter
    echo "$(counter maponly CLONES_ORDERED) ordered, $(counter maponly CLONES_RUNNING) ran, $(counter maponly CLONES_WON) won"
    # Of two: one that asks the NameNode for its open files just when the machine is busy is begun again instead.
    [[ $(counter maponly CLONES_WON) -ge 1 ]]
    [[ $(words_of_output maponly) == "$(words_of_input)" ]]
    [[ $(counter maponly "Map output records") == $((4 * lines * words_a_line)) ]]
}

# The second reduce all but stands still in the midst of its records, with some of its output in HDFS, and by itself
# wouldn't end before its clone. The first goes on slowly enough for that to be seen: it may be cloned, too, or end before.
readonly slow_reduce=("-Dclonehadoop.straggler.attempts=r_000000_0=60,r_000001_0=1000"
    -Dclonehadoop.straggler.after-records=5000 -Dmapreduce.task.progress-report.interval=500
    -Dmapreduce.clone.gate-limit=15s -Dmapreduce.map.speculative=false "${cheap[@]}")

@test "a reduce that straggles with its output open is cloned and its clone wins" {
    run_job reduce clone "${slow_reduce[@]}"
    echo "$(counter reduce CLONES_ORDERED) ordered, $(counter reduce CLONES_RUNNING) ran, $(counter reduce CLONES_WON) won"
    [[ $(counter reduce CLONES_WON) -ge 1 ]]
    [[ $(counter reduce CLONED_FROM_ATTEMPT_0) == $(counter reduce CLONES_WON) ]]
    # The straggler's is among them, whatever became of the other.
    appmaster_said reduce "CLONE attempt_\S*_r_000001_0:"
    assert_same_output reduce
    [[ $(counter reduce "Reduce input records") == $(counter stock "Reduce input records") ]]
    [[ $(counter reduce "Reduce output records") == $(counter stock "Reduce output records") ]]
    [[ $(counter reduce "Failed reduce tasks") == 0 ]]
}

# logs_of NAME FILE: that file of each container of the job's.
logs_of() {
    find "$CLUSTER_DIR"/hosts/h*/logs/containers/"$(application_of "$1")" -name "$2"
}

# What differs from one job to the next: ids, hosts, the AppMaster's address; and what the overlay's
# own properties say.
launches() {
    logs_of "$1" launch_container.sh | xargs grep -hE '^(exec|export) ' \
        | sed -E -e '/^export (CLASSPATH|NM_[A-Z_]*PORT)=/d' -e 's/ [0-9.]+ [0-9]+ (attempt_[0-9_mr]+) [0-9]+ / ADDRESS \1 /' \
            -e 's/(application|container|attempt|job)_[0-9][0-9_mr]*/\1/g' -e 's/h[12]:?[0-9]*"/HOST"/' \
            -e 's/ org\.apache\.hadoop\.clone\.appmaster\.CloneAppMaster\b//' -e 's/(APP_SUBMIT_TIME_ENV|LOCALIZATION_COUNTERS)=.*/\1/' \
        | sort -u
}

# The names of Hadoop's own counters, and the values of those that don't depend on time.
counters() {
    sed -n -e '/^[[:space:]]*Map-Reduce Framework$/,/^[[:space:]]*Shuffle Errors$/p' \
        -e '/^[[:space:]]*File System Counters$/,/^[[:space:]]*Job Counters/p' "$BATS_FILE_TMPDIR/$1.log" \
        | sed -E '/(Map|Reduce) (input|output) |Input split bytes|Failed Shuffles/!s/=.*//'
}

# Classes of our jar; AppMaster and tasks wrote down what they loaded.
our_classes() {
    xargs grep -ohE '\S+ source: \S*/hadoop-clone-speculator-\S+\.jar' | cut -d ' ' -f 1 | sort -u
}

@test "with cloning off the job is stock's, and no task has anything of ours" {
    run_job off clone "${watched[@]}" -Dmapreduce.clone.mode=off
    [[ $(counter off CLONES_ORDERED) == 0 ]]
    assert_same_output off
    run ! grep -qE 'clone|CLONE' <(counters off)
    diff <(counters stock) <(counters off)
    diff <(launches stock) <(launches off)
    # Four maps, two reduces, the AppMaster: each has said what it loaded.
    [[ $(logs_of off classes.log | wc -l) -ge 7 ]]
    [[ $(launches off) == *YarnChild* ]]
    [[ -z $(logs_of off classes.log | grep -v '_01_000001/' | our_classes) ]]
    # What stands for stock's AppMaster and speculator, and what asks whether they are to be that.
    run -0 our_classes < <(logs_of off classes.log)
    echo "$output"
    [[ $output != *appmaster.CloneCoordinator* && $output == *appmaster.CloneAppMaster* ]]
}

application_of() {
    grep -o 'application_[0-9_]*' "$BATS_FILE_TMPDIR/$1.log" | head -n 1
}

# The present AppMaster of the job NAME says PATTERN in its log.
appmaster_says() {
    grep -qE "$2" "$CLUSTER_DIR"/hosts/h*/logs/containers/"$(application_of "$1")"/*_01_000001/syslog 2>/dev/null
}

# What it says of clones.
clones_in_log() {
    sed -n 's/.*INFO \[[^]]*\] .*Clone[A-Za-z]*: //p' \
        "$CLUSTER_DIR"/hosts/h*/logs/containers/"$(application_of "$1")"/*_01_000001/syslog 2>/dev/null | tail -n 60
}

# It says PATTERN; if not, what it says of clones is shown.
appmaster_said() {
    appmaster_says "$@" || {
        clones_in_log "$1"
        return 1
    }
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
    run_job restart clone "${slow_clones[@]}" "${eager[@]}" &
    local job=$!
    wait_for 300 appmaster_says restart ' -> RUNNING'
    kill_appmaster
    wait_for_job $job restart
    grep -q 'completed successfully' "$BATS_FILE_TMPDIR/restart.log"
    assert_same_output restart
}

# pulls_on HOST...: as they are seen, and can be stopped quickly, from here.
pulls_on() {
    local host
    for host; do
        pgrep --ns "$(cluster=$CLUSTER_DIR pid_of "h$host")" --nslist pid --full 'criu-remote-clone pull' || true
    done
}

kill_clones() {
    local pulls
    mapfile -t pulls < <(pulls_on 1 2)
    kill -KILL "${pulls[@]}"
}

@test "clones that are killed cost the job nothing, and aren't failures of their tasks" {
    run_job killed clone "${slow_clones[@]}" "${eager[@]}" &
    local job=$!
    wait_for 300 appmaster_says killed ' -> RUNNING'
    kill_clones
    wait_for_job $job killed
    grep -q 'completed successfully' "$BATS_FILE_TMPDIR/killed.log"
    appmaster_says killed ' RUNNING -> LOST'
    [[ $(counter killed "Failed map tasks") == 0 ]]
    assert_same_output killed
}

# nothing_left: no process of a task or a clone on a host, none that is stopped, no namespace and no
# tmpfs that h0, where nothing is ever cloned, hasn't.
nothing_left() {
    local host
    for host in 1 2; do
        on_cluster --host $host ps -eo stat=,args= >"$BATS_TEST_TMPDIR/processes"
        on_cluster --host $host ps -eo pidns=,mntns= | sort -u >"$BATS_TEST_TMPDIR/namespaces"
        # shellcheck disable=SC2251 # the result is looked at
        ! grep -E '^[Tt]|YarnChild|criu' "$BATS_TEST_TMPDIR/processes" || return 1
        [[ $(wc -l <"$BATS_TEST_TMPDIR/namespaces") == 1 ]] || return 1
        diff <(tmpfs_on 0) <(tmpfs_on $host) || return 1
    done
}

tmpfs_on() {
    on_cluster --host "$1" findmnt --noheadings --raw --types tmpfs --output TARGET
}

@test "a job that is killed while a clone of it is made leaves nothing" {
    run_job ended clone "${slow_clones[@]}" "${eager[@]}" &
    local job=$! code=0
    wait_for 300 appmaster_says ended ' -> FREEZING'
    on_cluster yarn application -kill "$(application_of ended)"
    wait $job || code=$?
    ((code != 0))
    grep -q 'failed with state KILLED' "$BATS_FILE_TMPDIR/ended.log"
    wait_for 180 nothing_left
}

# The state of the last clone of the first attempt of task TASK: state_of NAME TASK.
state_of() {
    sed -nE "s/.*: clone [0-9]+ of attempt_[0-9_]+_$2_0.*: [A-Z_]+ -> ([A-Z_]+).*/\1/p" \
        "$CLUSTER_DIR"/hosts/h1/logs/containers/"$(application_of "$1")"/*_01_000001/syslog 2>/dev/null | tail -n 1
}

is_in_state() {
    [[ $(state_of "$1" "$2") == "$3" ]]
}

# The input again, with two files on either host alone. Maps are numbered by size, the largest first:
# the 0th and 2nd run on h1, beside the AppMaster, the 1st and 3rd on h2.
place_input() {
    local file host=1
    mkdir "$BATS_FILE_TMPDIR"/placed{1,2}
    while read -r file; do
        ln "$BATS_FILE_TMPDIR/in/$file" "$BATS_FILE_TMPDIR/placed$host/$file"
        host=$((3 - host))
    done < <(ls -S "$BATS_FILE_TMPDIR/in")
    for host in 1 2; do
        on_cluster --host $host hadoop fs -Ddfs.replication=1 -put "$BATS_FILE_TMPDIR/placed$host" / 2>/dev/null
    done
}

# As init systems do it; it finds nothing of its containers, and the ResourceManager takes them for lost.
restart_nodemanager() (
    cluster=$CLUSTER_DIR
    # shellcheck source=/dev/null # written by start
    source "$cluster/settings"
    find_hosts
    wait_for 10 has_ended "nodemanager-h$1"
    sed -i "/^nodemanager-h$1 /d" "$cluster/processes"
    start_daemon nodemanager "$1" 256m yarn nodemanager
)

# settles_as NAME TASK STATE: waits for the clone of that task to be in that state; fails if it went past it or came to nothing,
# or the job, whose client is process `client`, has ended.
settles_as() {
    wait_for 300 has_settled "$@" RUNNING WON LOST FELL_BACK GIVEN_UP
    is_in_state "$@"
}

has_settled() {
    is_one_of "$@" || ! kill -0 "$client" 2>/dev/null
}

is_one_of() {
    local state
    for state in "${@:3}"; do
        ! is_in_state "$1" "$2" "$state" || return 0
    done
    return 1
}

# begin_lost NAME: begins the job, with its client as process `client`, until the clone that is made on h2 gets no further, as its tools `pulls`
# are stopped, and that on h1 runs. Fails, and leaves nothing, if one of them isn't made: of a map that is slow to
# answer, as on a host where four JVMs have just started, none is.
begin_lost() {
    # Stock begins a task anew whose original is killed, and a clone that goes on slowly may be cloned, or make place
    # for another: no attempt is to overtake it.
    run_job "$1" clone "${eager[@]}" -Dmapreduce.job.reduces=0 -Dmapreduce.job.am.strict-locality=h1 \
        -Dmapreduce.clone.replace-second-attempts=false \
        -Dclonehadoop.straggler.attempts="m_000000_0=300,m_000001_0=300,m_000001_1=4$(printf ',m_000001_%d=300' 2 3 4)" \
        "$from_three_quarters" '/placed*' &
    client=$! pulls=()
    if settles_as "$1" m_000000 FREEZING; then
        mapfile -t pulls < <(pulls_on 2)
        kill -STOP "${pulls[@]}"
        ! settles_as "$1" m_000001 RUNNING || return 0
        kill -CONT "${pulls[@]}"
    fi
    on_cluster yarn application -kill "$(application_of "$1")"
    wait "$client" || true
    wait_for 180 nothing_left
    return 1
}

@test "a NodeManager that dies under a clone being made and a clone's original costs nothing but time" {
    local client manager pulls attempt lost=
    place_input
    manager=$(pgrep --ns "$(cluster=$CLUSTER_DIR pid_of h2)" --nslist pid --full nodemanager.NodeManager)
    for attempt in first second third; do
        if begin_lost "lost-$attempt"; then
            lost=lost-$attempt
            break
        fi
    done
    [[ -n $lost ]]
    kill -KILL "$manager"
    echo "killed: $(state_of $lost m_000000) on h2, $(state_of $lost m_000001) on h1"
    is_in_state $lost m_000000 FREEZING
    is_in_state $lost m_000001 RUNNING
    restart_nodemanager 2
    wait_for 120 appmaster_says $lost 'm_000000_1 TaskAttempt Transitioned from [A-Z_]+ to KILLED'
    # Nobody has told them.
    kill -CONT "${pulls[@]}"
    wait_for_job "$client" $lost
    # Its attempt was killed; or the original, whom a stopped tool doesn't answer, gave up before that.
    appmaster_said $lost 'm_000000_1: FREEZING -> (GIVEN_UP|FELL_BACK)'
    appmaster_said $lost 'm_000001_1: RUNNING -> WON'
    [[ $(counter $lost "Failed map tasks") == 0 ]]
    [[ $(words_of_output $lost) == "$(words_of_input)" ]]
    [[ $(counter $lost "Map output records") == $((4 * lines * words_a_line)) ]]
    # An original that nobody ends goes on asking its AppMaster, who is gone, for half a minute; on a busy machine longer.
    wait_for 180 nothing_left
}

# Prints where the memory controller's groups are: a directory of cgroup v1 or v2; fails if there is none.
memory_controller() {
    local mount
    mount=$(controller memory) && [[ -w $mount/cgroup.procs ]] && echo "$mount"
}

memory_groups() {
    cluster=$CLUSTER_DIR cluster_groups memory
}

remove_memory_groups() {
    local group
    for group in "$(memory_groups)"-m_*; do
        [[ ! -d $group ]] || wait_for 10 rmdir "$group" || true
    done
}

# Every map's container gets a group of its own, as from the LinuxContainerExecutor, before its command
# begins: of its 640 MB, but for some. The second and third map's first attempts have a large heap, all of
# it in memory: one has no room for an image beside it, the other has, but its clone none for itself.
limit_containers() {
    local limit=memory.limit_in_bytes attempt group size
    [[ -e $(memory_controller)/$limit || ! -e $(memory_controller)/cgroup.subtree_control ]] || limit=memory.max
    for attempt in m_{0..3}_{0..2}; do
        case $attempt in
            m_2_0) size=400M ;;
            m_3_0) size=1G ;;
            m_3_1) size=280M ;;
            *) size=640M ;;
        esac
        group=$(memory_groups)-$attempt
        mkdir -p "$group"
        echo $size >"$group/$limit"
    done
    # Like the executor's own program, it may put its caller into a group.
    cp "$(type -P tee)" "$BATS_FILE_TMPDIR/place"
    setcap cap_dac_override=ep "$BATS_FILE_TMPDIR/place"
    cat >"$BATS_FILE_TMPDIR/limit.sh" <<END
[[ \$(tr '\\0' ' ' <"/proc/\$\$/cmdline") =~ attempt_[0-9]+_[0-9]+_m_0*([0-9]+)_([0-9]+) ]] || return 0
group=$(memory_groups)-m_\${BASH_REMATCH[1]}_\${BASH_REMATCH[2]}
echo \$\$ | "$BATS_FILE_TMPDIR/place" "\$group/cgroup.procs" >/dev/null
case \${group##*-} in
    m_[23]_0) export _JAVA_OPTIONS="-Xms200m -Xmx200m -XX:+AlwaysPreTouch" ;;
esac
END
}

# in_group ATTEMPT FILE...: those of these files that its memory group has; v1 and v2 name them differently.
in_group() {
    local file
    for file in "${@:2}"; do
        [[ ! -e $(memory_groups)-$1/$file ]] || cat "$(memory_groups)-$1/$file"
    done
}

# assert_told_before_freeze NAME: those of m_2 and m_3 that had no room weren't frozen for a clone.
assert_told_before_freeze() {
    local log clone
    log=$(echo "$CLUSTER_DIR"/hosts/h*/logs/containers/"$(application_of "$1")"/*_01_000001/syslog)
    while read -r clone; do
        if logs_of "$1" syslog | xargs grep -E "Clone $clone: quiesce"; then
            return 1
        fi
    done < <(sed -nE 's/.*: clone ([0-9]+) of [a-z0-9_]*m_00000[23]_0 as .* -> (FELL_BACK: .* MiB .*|RUNNING)$/\1/p' "$log")
}

# run_limited NAME: harms nobody, whatever comes of it.
run_limited() {
    local attempt peak
    remove_memory_groups
    limit_containers
    run_job "$1" clone "${eager[@]}" -Dmapreduce.job.reduce.slowstart.completedmaps=1 \
        -Dmapreduce.map.env="BASH_ENV=$BATS_FILE_TMPDIR/limit.sh" -Dmapreduce.task.io.sort.mb=40 \
        "-Dmapreduce.map.java.opts=-Xmx160m -XX:+UseSerialGC" \
        -Dclonehadoop.straggler.attempts=m_000001_0=500,m_000002_0=500,m_000003_0=500 "$mostly_done"
    for attempt in m_{0..3}_0 m_{1..3}_1; do
        peak=$(in_group "$attempt" memory.max_usage_in_bytes memory.peak)
        echo "$attempt: $((${peak:-0} >> 20)) MiB of $(in_group "$attempt" memory.limit_in_bytes memory.max)"
        in_group "$attempt" memory.oom_control memory.events | grep -qx 'oom_kill 0'
    done
    [[ $(counter "$1" "Failed map tasks") == 0 ]]
    assert_same_output "$1"
}

@test "under hard memory limits a clone is made where it fits, and refused where it doesn't" {
    memory_controller >/dev/null || skip "no memory controller for cgroups here"
    # There is room for a clone of m_1; none for the image beside m_2, and none for a clone of m_3.
    local try met seen=() told=(
        'm_000001_0 as .*: RUNNING -> WON'
        'm_000002_0 as .*: PULLING -> FELL_BACK: .*imaging the process takes [0-9]+ MiB of memory, but only [0-9]+ MiB'
        'm_000003_0 as .*: PULLING -> FELL_BACK: .*the process needs [0-9]+ MiB .* target \(its memory cgroup included\) has'
    )
    # Not all of it each time: an original that is slow to answer, as on processors that three maps and their copies share, isn't cloned.
    for try in {1..6}; do
        run_limited "limited$try"
        assert_told_before_freeze "limited$try"
        for met in "${told[@]}"; do
            if appmaster_says "limited$try" "$met" && [[ " ${seen[*]} " != *" $met "* ]]; then
                seen+=("$met")
            fi
        done
        ((${#seen[@]} < 3)) || break
    done
    ((${#seen[@]} == 3)) || {
        printf 'seen: %s\n' "${seen[@]}"
        clones_in_log "limited$try"
        return 1
    }
    wait_for 30 nothing_left
    remove_memory_groups
}
