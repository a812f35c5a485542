#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# scripts/cluster: starts, runs a job, says what is wrong, and leaves nothing.

bats_require_minimum_version 1.5.0 # run with codes

source "$BATS_TEST_DIRNAME/../../scripts/lib/common.bash"
source "$repository/scripts/lib/cluster.bash"

setup_file() {
    local reason
    reason=$(why_no_hosts)
    if [[ -n $reason ]]; then
        if [[ ${CI:-} == true ]]; then
            echo "no cluster here: $reason" >&2
            return 1
        fi
        skip "$reason"
    fi
    export CLUSTER_DIR=$BATS_FILE_TMPDIR/cluster
    export cluster_command=$repository/scripts/cluster
    left_by_cluster >"$BATS_FILE_TMPDIR/before"
    local disks=()
    reason=$(why_no_disks)
    if [[ -z $reason ]]; then
        disks=(--disk-rate 200mb --slow-disk 100mb)
    elif [[ ${CI:-} == true ]]; then
        echo "no disks here: $reason" >&2
        return 1
    fi
    # 3 is bats' own, and what keeps it open keeps bats waiting.
    "$cluster_command" start --hosts 2 --cpu 190 --duplicate-reads "${disks[@]}" --link-rate 1gbit --priorities --slow-host 2 --slow-cpu 90 --slow-rate 500mbit 3>&-
}

teardown_file() {
    "$cluster_command" stop 2>/dev/null 3>&- || true
}

# What a failed test may have started, and may still be starting.
teardown() {
    wait_for 60 other_cluster_is_gone
}

other_cluster_is_gone() {
    local code=0
    "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" stop &>/dev/null 3>&- || code=$?
    ((code == 0 || code == 3))
}

# What a cluster in $CLUSTER_DIR could leave behind.
left_by_cluster() {
    pgrep --full --list-name "$CLUSTER_DIR/" || true
    lsns --noheadings --output TYPE,COMMAND | grep -F "$CLUSTER_DIR" || true
    findmnt --noheadings --raw --output TARGET | grep -F "$CLUSTER_DIR" || true
    find /sys/fs/cgroup -type d -name "clone-hadoop-$(cksum <<<"$CLUSTER_DIR" | cut -d ' ' -f 1)-*" 2>/dev/null
    ip -oneline link show type veth | grep -w clone-hadoop || true
    losetup --list --noheadings --output BACK-FILE 2>/dev/null | grep -F "$CLUSTER_DIR/" || true
}

on_cluster() {
    "$cluster_command" run "$@" 3>&-
}

@test "every host's daemons are up and have reported" {
    run -0 "$cluster_command" status
    [[ $output == *"h0 "*"namenode resourcemanager historyserver"* ]]
    [[ $output == *"h2 "*"datanode nodemanager"* ]]
    [[ $output == *"2 of 2 NodeManagers and 2 of 2 DataNodes report"* ]]
    [[ $output == *"http://h0:8088"* ]]
}

@test "a program can read the status" {
    run -0 --separate-stderr "$cluster_command" status --json
    jq --exit-status '.workers == 2 and .node_managers == 2 and .data_nodes == 2
        and (.hosts | map(.name)) == ["h0", "h1", "h2"]
        and (.hosts[2].daemons | sort) == ["datanode", "nodemanager"]' <<<"$output"
}

@test "what was logged is found by its job" {
    run -0 "$cluster_command" logs
    [[ $output == *"h0/logs/namenode.log  "* ]]
    run -2 "$cluster_command" logs application_1_0001
    [[ $output == *"no container of 'application_1_0001' has logged anything"* ]]
}

@test "a host has its own name, address and directories" {
    # shellcheck disable=SC2016 # for the shell over there
    run -0 on_cluster --host 2 bash -c 'hostname; ip -oneline -4 address show dev eth0; ls "$CLUSTER_DIR/local"'
    [[ ${lines[0]} == h2 ]]
    [[ ${lines[1]} == *10.77.0.12/24* ]]
    [[ $output == *data* ]]
    [[ $output != *name* ]]
}

@test "a command leaves the configuration that others read as it is" {
    local before
    before=$(stat --format '%n %i' "$CLUSTER_DIR"/conf/stock/*)
    on_cluster true
    [ "$(stat --format '%n %i' "$CLUSTER_DIR"/conf/stock/*)" = "$before" ]
}

# counts OVERLAY [OPTION...]: a small job does what it should.
counts() {
    local examples
    seq 2000 | on_cluster hdfs dfs -put - "/numbers-$1"
    examples=$(echo "$CLUSTER_DIR"/hadoop/share/hadoop/mapreduce/hadoop-mapreduce-examples-*.jar)
    on_cluster --conf "$1" hadoop jar "$examples" wordcount "${@:2}" "/numbers-$1" "/counted-$1" \
        2>"$BATS_TEST_TMPDIR/log-$1" || { cat "$BATS_TEST_TMPDIR/log-$1" && false; }
    [ "$(on_cluster hadoop fs -cat "/counted-$1/part-*" | awk '{ n += $2 } END { print NR, n }')" = "2000 2000" ]
}

@test "jobs run on the workers, as stock's and with CloneHadoop, whose AppMaster tells its tasks where it is" {
    counts stock &
    counts clone
    wait $!
    grep -rlq 'CLONE_APPMASTER=' "$CLUSTER_DIR"/hosts/h*/logs/containers --include launch_container.sh
}

# How many bytes have gone to DataNodes behind all else: those that ask for duplicates, or take them.
sent_for_duplicates() {
    # shellcheck disable=SC2034 # the functions' of cluster.bash
    local host cluster=$CLUSTER_DIR hosts=2
    find_hosts
    for host in 2 3; do
        on_bridge tc -statistics class show dev "host$host" | grep -A 1 '^class htb 3:20'
    done | awk '$1 == "Sent" { sum += $2 } END { print sum }'
}

@test "a job's reads, and positional ones, have duplicates at the other DataNode, and the same bytes" {
    local before after
    before=$(sent_for_duplicates)
    counts clone,duplicate -D dfs.client.duplicate.delay=0
    after=$(sent_for_duplicates)
    ((after > before))
    head -c 8000000 /dev/urandom >"$BATS_TEST_TMPDIR/bytes"
    on_cluster hdfs dfs -put "$BATS_TEST_TMPDIR/bytes" /bytes
    # shellcheck disable=SC2016 # for the shell over there
    run -0 --separate-stderr on_cluster --conf duplicate bash -c 'java -cp "$(hadoop classpath)" "$@"' - \
        "$BATS_TEST_DIRNAME/PositionalRead.java" /bytes 65536
    [[ ${lines[0]} == "$(sha256sum <"$BATS_TEST_TMPDIR/bytes" | cut -d ' ' -f 1)" ]]
    [[ ${lines[1]} == "duplicatesSent "[1-9]* ]]
    (($(sent_for_duplicates) > after))
    # Streams as well, of which the command reads no mapred-site.xml.
    on_cluster --conf duplicate hdfs dfs -cat /bytes | cmp - "$BATS_TEST_TMPDIR/bytes"
}

# said LINE PATTERN: what a client says while it reads.
said() {
    sed -n "$1p" "$BATS_TEST_TMPDIR/said" | grep -qx "$2"
}

# begin_paused_read NAME: of a new file, by a client that waits for $go once it has 8 MB of it, and for a silent DataNode as
# long as the test. Leaves its process in $reader, and the host of the DataNode in $host.
begin_paused_read() {
    head -c 24000000 /dev/urandom >"$BATS_TEST_TMPDIR/bytes"
    on_cluster hdfs dfs -put "$BATS_TEST_TMPDIR/bytes" "/$1"
    mkfifo "$BATS_TEST_TMPDIR/go"
    exec {go}<>"$BATS_TEST_TMPDIR/go"
    # shellcheck disable=SC2016 # for the shell over there
    on_cluster --conf duplicate bash -c 'java -cp "$(hadoop classpath)" "$@"' - "$BATS_TEST_DIRNAME/PausedRead.java" \
        "/$1" 8000000 <&"$go" >"$BATS_TEST_TMPDIR/said" 2>"$BATS_TEST_TMPDIR/log" &
    reader=$!
    wait_for 60 said 1 'h[12]'
    host=$(head -n 1 "$BATS_TEST_TMPDIR/said")
}

# datanode_of HOST: the process that the cluster knows, nsenter, and its JVM.
datanode_of() {
    local parent
    parent=$(cluster=$CLUSTER_DIR pid_of "datanode-$1")
    echo "$parent" "$(pgrep --parent "$parent")"
}

end_paused_read() {
    echo >&"$go"
    wait "$reader" || { cat "$BATS_TEST_TMPDIR/log" && false; }
    exec {go}>&-
}

# end_paused_read_without HOST: while its DataNode is stopped.
end_paused_read_without() {
    local parent jvm
    read -r parent jvm < <(datanode_of "$1")
    kill -STOP "$jvm"
    end_paused_read
    grep -q '^State:.*stopped' "/proc/$jvm/status"
    # Its parent has stopped with it.
    kill -CONT "$jvm" "$parent"
}

# has_read_to_the_end HOST: what was written, the last of it from there.
has_read_to_the_end() {
    said 2 "$(sha256sum <"$BATS_TEST_TMPDIR/bytes" | cut -d ' ' -f 1)"
    said 3 "$1"
}

# other_than HOST
other_than() {
    [[ $1 == h1 ]] && echo h2 || echo h1
}

@test "a read whose DataNode is stopped in the midst of it goes on at the other, with the same bytes" {
    local host reader go
    begin_paused_read stopped
    end_paused_read_without "$host"
    has_read_to_the_end "$(other_than "$host")"
}

@test "a read goes on where it is if the other DataNode, which takes its duplicates, is stopped in the midst of it" {
    local host reader go
    begin_paused_read primary
    end_paused_read_without "$(other_than "$host")"
    has_read_to_the_end "$host"
}

@test "a command's exit code and directory are kept, and its overlay chosen" {
    cd "$BATS_TEST_TMPDIR"
    run -9 on_cluster --conf paper bash -c 'pwd; hdfs getconf -confKey mapreduce.task.io.sort.mb; exit 9'
    [[ ${lines[0]} == "$BATS_TEST_TMPDIR" ]]
    [[ $output == *500* ]]
    # What a JVM has to say of itself is no part of a command's output: here, that large pages may be missing.
    [[ $(HADOOP_OPTS=-XX:+UseLargePages on_cluster hdfs getconf -confKey fs.defaultFS 2>/dev/null) =~ ^hdfs://[^[:space:]]+$ ]]
    run -2 on_cluster --conf no-such true
    [[ $output == *"no overlay 'no-such'; there are: clone duplicate paper speculator spill stock"* ]]
}

@test "the user's own overlays are the cluster's, and win over those before them" {
    mkdir -p "$CLUSTER_DIR/overlays"
    echo '<property><name>mapreduce.task.io.sort.mb</name><value>77</value></property>' >"$CLUSTER_DIR/overlays/mine.xml"
    run -0 on_cluster --conf paper,mine hdfs getconf -confKey mapreduce.task.io.sort.mb
    [[ $output == *77* ]]
    rm -r "$CLUSTER_DIR/overlays"
}

# assert_quota HOST MICROSECONDS: of processors, in a tenth of a second.
assert_quota() {
    local group
    group=$(cluster=$CLUSTER_DIR host_group cpu "$1")
    grep -qE "^$2( |$)" "$group"/cpu.cfs_quota_us "$group"/cpu.max 2>/dev/null
}

# Its DataNode and NodeManager, whose children containers are, and what is started there.
assert_all_in_group() {
    local group
    group=$(cluster=$CLUSTER_DIR host_group cpu "$1")
    [[ $(xargs ps -o comm= -p <"$group/cgroup.procs" | grep -c java) == 2 ]]
    on_cluster --host "$1" grep -q "/${group##*/}$" /proc/self/cgroup
}

@test "a slow host's limits can be changed" {
    assert_quota 1 190000
    assert_quota 2 90000
    "$cluster_command" slow 2 none
    assert_quota 2 190000
    assert_all_in_group 2
    [[ $(on_cluster --host 2 tc qdisc show dev eth0) == *"rate 500Mbit"* ]]
    "$cluster_command" slow 2 none 20mbit
    [[ $(on_cluster --host 2 tc qdisc show dev eth0) == *"rate 20Mbit"* ]]
    "$cluster_command" slow 2 none none
    [[ $(on_cluster --host 2 tc qdisc show dev eth0) != *rate* ]]
    run -2 "$cluster_command" slow 2 none fast
    [[ $output == *"the link needs a rate like 100mbit or 1gbit, not 'fast'" ]]
    run -2 "$cluster_command" slow 2 none none fast
    [[ $output == *"the disk needs a rate like 20mb (a second), not 'fast'" ]]
}

@test "a host without a limit shares with all others" {
    local cluster=$CLUSTER_DIR containers=3 group
    group=$(host_group cpu 2)
    limit_cpu 2 none
    [[ ! -d $group ]] || grep -q . "$group/io.max"
    limit_cpu 2 190
    assert_quota 2 190000
    assert_all_in_group 2
}

@test "a disk's rate can be changed" {
    [[ -z $(why_no_disks) ]] || skip "$(why_no_disks)"
    local group
    group=$(cluster=$CLUSTER_DIR host_group blkio 2)
    "$cluster_command" slow 2 none none 40mb
    grep -qE '40000000( |$)' "$group/io.max" "$group/blkio.throttle.read_bps_device" 2>/dev/null
    "$cluster_command" slow 2 none none 100mb
    grep -qE '100000000( |$)' "$group/io.max" "$group/blkio.throttle.read_bps_device" 2>/dev/null
}

# What h1 has read from its disk, in bytes.
read_from_disk() {
    local group
    group=$(cluster=$CLUSTER_DIR host_group blkio 1)
    if [[ -e $group/io.stat ]]; then
        grep -o 'rbytes=[0-9]*' "$group/io.stat" | awk -F = '{ sum += $2 } END { print sum + 0 }'
    else
        awk '$2 == "Read" { sum += $3 } END { print sum + 0 }' "$group/blkio.throttle.io_service_bytes"
    fi
}

all_is_dropped() {
    [[ $(on_cluster --host 1 vmtouch "$CLUSTER_DIR/local/data" | sed -n 's/.*Resident Pages: \([0-9]*\).*/\1/p') == 0 ]]
}

@test "a DataNode's blocks are read from a disk of its own, as slow as it was asked for, each time" {
    [[ -z $(why_no_disks) ]] || skip "$(why_no_disks)"
    local group before time
    group=$(cluster=$CLUSTER_DIR host_group blkio 1)
    grep -qE '200000000( |$)' "$group/io.max" "$group/blkio.throttle.read_bps_device" 2>/dev/null
    grep -qE '100000000( |$)' "${group%1}2/io.max" "${group%1}2/blkio.throttle.read_bps_device" 2>/dev/null
    head -c 5000000 /dev/urandom | on_cluster hdfs dfs -put - /on-disk
    for time in first second; do
        wait_for 30 all_is_dropped
        before=$(read_from_disk)
        # shellcheck disable=SC2016 # for the shell over there
        on_cluster --host 1 bash -c 'find "$1" -name "blk_*" -size +4M -exec cat {} +' - "$CLUSTER_DIR/local/data" >/dev/null
        (($(read_from_disk) - before >= 5000000)) || { echo "the $time" && false; }
    done
}

@test "a second start is refused, and the first cluster stays" {
    run -4 "$cluster_command" start
    [[ ${#lines[@]} -eq 1 && $output == *"already running in $CLUSTER_DIR" ]]
    run -0 "$cluster_command" status
}

@test "wrong options are named" {
    run -2 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start --hosts many
    [[ $output == *"--hosts needs a number from 1, not 'many'" ]]
    run -2 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start --slow-host 4
    [[ $output == *"there are only 3 hosts" ]]
    run -2 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start --link-rate fast
    [[ $output == *"--link-rate needs a rate like 100mbit or 1gbit, not 'fast'" ]]
    run -2 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start --disk-rate 20
    [[ $output == *"--disk-rate needs a rate like 20mb (a second), not '20'" ]]
    run -2 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start --slow-host 1 --slow-disk 2mb
    [[ $output == *"--slow-disk needs --disk-rate" ]]
    run -2 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start --duplicate-limit 1
    [[ $output == *"--duplicate-limit needs --duplicate-reads" ]]
    run -2 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start --priorities
    [[ $output == *"--priorities needs --link-rate: on a link without a limit nothing waits" ]]
    run -2 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start --job-users alice,Bob
    [[ $output == *"--job-users needs names of letters"* ]]
    run -2 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start --job-users alice --container-user daemon
    [[ $output == *"exclude each other"* ]]
    run -2 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start --yarn-site /no/such/file
    [[ $output == *"can't read '/no/such/file'"* ]]
    run -2 "$cluster_command" run --user alice true
    [[ $output == *"this cluster has no job user 'alice'" ]]
    run -2 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start --container-user no-such-user
    [[ $output == *"--container-user: this machine has no user 'no-such-user'" ]]
    [[ ! -e $BATS_TEST_TMPDIR/x ]]
}

@test "without a cluster there is nothing to show or stop" {
    local command
    for command in status stop "run true"; do
        # shellcheck disable=SC2086 # words
        run -3 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" $command
        [[ ${#lines[@]} -eq 1 && $output == *"no cluster is running in $BATS_TEST_TMPDIR/x" ]]
    done
    run -3 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" logs
    [[ ${#lines[@]} -eq 1 && $output == *"no cluster has logged anything in $BATS_TEST_TMPDIR/x" ]]
    [[ ! -e $BATS_TEST_TMPDIR/x ]]
}

@test "somebody's directory is left alone" {
    mkdir "$BATS_TEST_TMPDIR/theirs"
    echo precious >"$BATS_TEST_TMPDIR/theirs/file"
    run -8 "$cluster_command" --dir "$BATS_TEST_TMPDIR/theirs" start
    [[ $output == *"is not empty and no cluster's"* ]]
    [ "$(ls -A "$BATS_TEST_TMPDIR/theirs")" = file ]
}

@test "what another user has put there isn't run" {
    local command theirs=$BATS_TEST_TMPDIR/theirs
    mkdir "$theirs"
    touch "$theirs/.clone-hadoop-cluster"
    echo "init $$" >"$theirs/processes"
    echo "touch $BATS_TEST_TMPDIR/was-run" >"$theirs/settings"
    chown -R nobody "$theirs"
    for command in start status run slow stop; do
        run -8 "$cluster_command" --dir "$theirs" "$command"
        [[ ${#lines[@]} -eq 1 && $output == *"$theirs is another user's: name another directory with --dir" ]]
    done
    [[ ! -e $BATS_TEST_TMPDIR/was-run ]]
}

@test "others than root are told" {
    chmod a+rx "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_TEST_TMPDIR"
    local nobody=(setpriv --reuid nobody --regid nogroup --clear-groups --)
    "${nobody[@]}" test -x "$cluster_command" || skip "nobody else may read $repository"
    run -6 "${nobody[@]}" "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start
    [[ ${#lines[@]} -eq 1 && $output == *"not root"* ]]
}

@test "a user who can't get to the cluster is told, and leaves nothing" {
    chmod go-x "$BATS_TEST_TMPDIR"
    run -6 "$cluster_command" --dir "$BATS_TEST_TMPDIR/x" start --container-user nobody
    [[ $output == *"nobody can't get to $BATS_TEST_TMPDIR/x: name another directory with --dir" ]]
    [[ -z $(CLUSTER_DIR=$BATS_TEST_TMPDIR/x left_by_cluster) ]]
}

@test "missing artifacts are named, and leave nothing" {
    local copy=$BATS_TEST_TMPDIR/copy
    mkdir -p "$copy/criu-remote-clone/tests"
    cp -r "$repository/scripts" "$copy/"
    cp -r "$repository/criu-remote-clone/tests/lib" "$copy/criu-remote-clone/tests/"
    mkdir "$copy/cluster"
    cp -r "$repository"/cluster/{pom.xml,bin,conf} "$copy/cluster/"
    sed 's|<hadoop.version>.*<|<hadoop.version>0.0.0<|' "$repository/pom.xml" >"$copy/pom.xml"
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\nexec %s --offline "$@"\n' "$(type -P mvn)" >"$BATS_TEST_TMPDIR/bin/mvn"
    chmod +x "$BATS_TEST_TMPDIR/bin/mvn"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH TMPDIR=$BATS_TEST_TMPDIR \
        run -7 "$copy/scripts/cluster" --dir "$BATS_TEST_TMPDIR/x" start
    [[ $output == *"can't get Hadoop's artifacts: "*0.0.0* ]]
    run -3 "$copy/scripts/cluster" --dir "$BATS_TEST_TMPDIR/x" status
}

@test "an interrupted start leaves nothing" {
    local starter code=0 directory=$BATS_TEST_TMPDIR/x
    "$cluster_command" --dir "$directory" start --hosts 1 >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
    starter=$!
    wait_for 60 test -e "$directory/hosts/h0/ready"
    kill -TERM "$starter"
    wait "$starter" || code=$?
    ((code == 143))
    [[ ! -e $directory/processes ]]
    [[ -z $(pgrep --full "$directory/") ]]
}

# The last one: it ends the cluster.
# It isn't started again: what comes after it is for half a cluster.
@test "a read whose DataNode is killed in the midst of it goes on at the other, with the same bytes" {
    local host reader go parent jvm
    begin_paused_read killed
    read -r parent jvm < <(datanode_of "$host")
    kill -KILL "$jvm"
    cluster=$CLUSTER_DIR wait_for 10 has_ended "datanode-$host"
    end_paused_read
    has_read_to_the_end "$(other_than "$host")"
}

@test "a half-dead cluster is reported, and stop still leaves nothing" {
    local daemon
    daemon=$(cluster=$CLUSTER_DIR pid_of historyserver-h0)
    kill -KILL "$daemon"
    cluster=$CLUSTER_DIR wait_for 10 has_ended historyserver-h0
    run -5 "$cluster_command" status
    [[ $output == *"half of a cluster is in $CLUSTER_DIR ("*"historyserver-h0 died); run 'cluster stop'"* ]]
    run -5 "$cluster_command" start
    run -0 "$cluster_command" stop
    [ "$(left_by_cluster)" = "$(cat "$BATS_FILE_TMPDIR/before")" ]
    [ "$(ls "$CLUSTER_DIR")" = hosts ]
    [[ -s $CLUSTER_DIR/hosts/h0/logs/resourcemanager.log ]]
    run -3 "$cluster_command" stop
}
