#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# YARN otherwise than by default: the FairScheduler, hosts in two racks, and a ResourceManager that is started anew in the
# midst of jobs. Jobs' output is stock Hadoop's. docs/compatibility.md has them.

# shellcheck disable=SC2154 # of cluster.bash
source "$BATS_TEST_DIRNAME/../../lib/common.bash"
source "$BATS_TEST_DIRNAME/../../lib/cluster.bash"
source "$BATS_TEST_DIRNAME/jobs.bash"
source "$BATS_TEST_DIRNAME/skips.bash"

# More reduces than there are containers.
readonly many_reduces=(-Dmapreduce.job.reduces=12 -Dmapreduce.job.reduce.slowstart.completedmaps=0.05)

setup_file() {
    skip_for "$(why_no_clones)"
    export cluster_command=$repository/scripts/cluster CLUSTER_DIR=$BATS_FILE_TMPDIR/cluster
    make_site
    "$cluster_command" start --yarn-site "$BATS_FILE_TMPDIR/yarn-site.xml" 3>&-
    make_input 4 60000
    run_job root stock stock
    keep_output root stock stock
}

teardown_file() {
    "$cluster_command" stop &>/dev/null 3>&- || true
}

make_site() {
    printf '%s\n' 'h0 /rack1' 'h1 /rack1' 'h2 /rack2' 'h3 /rack2' >"$BATS_FILE_TMPDIR/racks"
    write_site >"$BATS_FILE_TMPDIR/yarn-site.xml" <<END_OF_SITE
yarn.resourcemanager.scheduler.class org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler
yarn.scheduler.fair.user-as-default-queue false
net.topology.node.switch.mapping.impl org.apache.hadoop.net.TableMapping
net.topology.table.file.name $BATS_FILE_TMPDIR/racks
yarn.resourcemanager.recovery.enabled true
yarn.resourcemanager.store.class org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore
yarn.resourcemanager.fs.state-store.uri file://@CLUSTER@/local/rm-state
END_OF_SITE
}

appmasters_log() {
    local application
    application=$(grep -o 'application_[0-9_]*' "$BATS_FILE_TMPDIR/root-$1.log" 2>/dev/null | head -n 1)
    [[ -n $application ]] && cat "$CLUSTER_DIR"/hosts/h*/logs/containers/"$application"/*_01_000001/syslog 2>/dev/null
}

# appmaster_says NAME PATTERN
appmaster_says() {
    appmasters_log "$1" | grep -qE "$2"
}

# It is killed, and the next one finds what it had stored.
restart_resourcemanager() (
    on_cluster --host 0 pkill -KILL --full 'resourcemanager[.]ResourceManager'
    cluster=$CLUSTER_DIR
    # shellcheck source=/dev/null # written by start
    source "$cluster/settings"
    find_hosts
    wait_for 10 has_ended resourcemanager-h0
    sed -i '/^resourcemanager-h0 /d' "$cluster/processes"
    start_daemon resourcemanager 0 384m yarn resourcemanager 3>&-
)

@test "FairScheduler and two racks: a map that straggles is cloned, and its clone wins" {
    clone_a_map fair
}

# straggle NAME [-DKEY=VALUE...]: a job with one map that all but stands still, and more reduces than there is room for.
straggle() {
    run_job root "$1" clone "${eager[@]}" "${many_reduces[@]}" -Dclonehadoop.straggler.attempts=m_000001_0=1000 \
        -Dclonehadoop.straggler.after-records=50000 -Dmapreduce.reduce.speculative=false "${@:2}"
}

# as_stock NAME: its output is that of as many reduces of stock's.
as_stock() {
    keep_output root "$1" "root-$1.out"
    cmp "$BATS_FILE_TMPDIR/stock-reduces" "$BATS_FILE_TMPDIR/root-$1.out"
}

@test "reduces that hold all of the FairScheduler's containers, and have no second attempts, give one to a map's" {
    run_job root stock-reduces stock "${many_reduces[@]}"
    keep_output root stock-reduces stock-reduces
    # When the map is seen to straggle the others have ended, and reduces begun.
    straggle yield -Dmapreduce.task.progress-report.interval=8000
    as_stock yield
    (($(counter root yield REDUCES_YIELDED) >= 1))
}

# Containers of an application that a ResourceManager found have its epoch in their names.
@test "a ResourceManager that is started anew while a map is to be cloned costs the job nothing but time" {
    straggle restart &
    local job=$!
    wait_for 300 appmaster_says restart ' clone 1 of .* ordered'
    restart_resourcemanager
    wait $job || {
        tail -n 40 "$BATS_FILE_TMPDIR/root-restart.log"
        return 1
    }
    as_stock restart
    appmaster_says restart 'Assigned container container_e01_'
}
