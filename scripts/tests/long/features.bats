#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# What else a cluster may have: local directories on several file systems, log aggregation, the framework in a tarball,
# opportunistic containers, a timeline service, node labels. With each a straggling map is cloned, its clone wins, and the
# job's output is stock Hadoop's. docs/compatibility.md has them.

# shellcheck disable=SC2119,SC2154 # start_cluster may have arguments; of cluster.bash
source "$BATS_TEST_DIRNAME/../../lib/common.bash"
source "$BATS_TEST_DIRNAME/../../lib/cluster.bash"
source "$BATS_TEST_DIRNAME/jobs.bash"
source "$BATS_TEST_DIRNAME/skips.bash"

setup_file() {
    skip_for "$(why_no_clones)"
    make_site
    start_cluster
}

teardown_file() {
    stop_cluster
}

# /run and /dev/shm are file systems of each host's own. A job asks for the timeline service by itself.
make_site() {
    write_site >"$BATS_FILE_TMPDIR/yarn-site.xml" <<'END_OF_SITE'
yarn.nodemanager.local-dirs @CLUSTER@/local/nm,/run/nm,/dev/shm/nm
yarn.log-aggregation-enable true
yarn.nodemanager.delete.debug-delay-sec 600
yarn.timeline-service.version 1.0f
yarn.timeline-service.hostname h0
yarn.timeline-service.leveldb-timeline-store.path @CLUSTER@/local/timeline
yarn.resourcemanager.opportunistic-container-allocation.enabled true
yarn.nodemanager.opportunistic-containers-max-queue-length 10
yarn.node-labels.enabled true
yarn.node-labels.fs-store.root-dir file://@CLUSTER@/local/labels
yarn.scheduler.capacity.root.accessible-node-labels fast
yarn.scheduler.capacity.root.accessible-node-labels.fast.capacity 100
yarn.scheduler.capacity.root.default.accessible-node-labels fast
yarn.scheduler.capacity.root.default.accessible-node-labels.fast.capacity 100
END_OF_SITE
}

# Prints what that job's containers logged, by yarn logs.
logs_of() {
    on_cluster yarn logs -applicationId "$(application_of root "$1")" 2>/dev/null
}

has_logs() {
    logs_of "$1" | grep -q '^LogType:clone.log'
}

@test "local directories on several file systems; all containers' logs are aggregated, a clone's own as well" {
    clone_a_map disks
    wait_for 60 has_logs disks
}

@test "the framework in a tarball in HDFS, with our jar in it" {
    local framework=$BATS_TEST_TMPDIR/mr
    mkdir "$framework"
    cp "$CLUSTER_DIR"/hadoop/share/hadoop/lib/*.jar "$framework/"
    find "$repository/hadoop-clone-speculator/target" -maxdepth 1 -name 'hadoop-clone-speculator-*.jar' ! -name '*-tests.jar' \
        ! -name '*-sources.jar' -exec cp {} "$framework/" \;
    tar -czf "$framework.tar.gz" -C "$framework" .
    on_cluster hadoop fs -put "$framework.tar.gz" / 2>/dev/null
    # shellcheck disable=SC2016 # for the container's shell
    clone_a_map tarball -Dmapreduce.application.framework.path=hdfs://h0:8020/mr.tar.gz#mr \
        '-Dmapreduce.application.classpath=$PWD/mr/*'
}

# ask PORT PATH: prints what h0 answers.
ask() (
    enter_cluster
    http_get 0 "$@"
)

@test "maps in opportunistic containers" {
    clone_a_map opportunistic -Dmapreduce.job.num-opportunistic-maps-percent=100
    # Its maps, and what the clone runs in.
    (($(ask 8088 '/jmx?qry=Hadoop:service=ResourceManager,name=OpportunisticSchedulerMetrics' \
        | jq '.beans[0].AggregateOContainersAllocated') >= 5))
}

start_timeline_server() (
    enter_cluster
    start_daemon timelineserver 0 256m yarn \
        org.apache.hadoop.yarn.server.applicationhistoryservice.ApplicationHistoryServer 3>&-
    wait_for "$start_limit" is_listening 0 8188
)

# timeline_has TYPE N: so many entities of it.
timeline_has() {
    [[ $(ask 8188 "/ws/v1/timeline/$1" | jq '.entities | length') == "$2" ]]
}

@test "a timeline service, which is told of clones' tasks as of others" {
    start_timeline_server
    clone_a_map timeline -Dyarn.timeline-service.enabled=true -Dmapreduce.job.emit-timeline-data=true
    timeline_has MAPREDUCE_JOB 1
    timeline_has MAPREDUCE_TASK 6
}

@test "node labels: a clone runs where its job may" {
    on_cluster yarn rmadmin -addToClusterNodeLabels 'fast(exclusive=true)' 2>/dev/null
    on_cluster yarn rmadmin -replaceLabelsOnNode 'h1=fast h2=fast' 2>/dev/null
    clone_a_map labels -Dmapreduce.job.node-label-expression=fast
    wait_for 60 has_logs labels
    # shellcheck disable=SC2251 # the result is looked at
    ! logs_of labels | grep '^Container: .* on h3' || return 1
}
