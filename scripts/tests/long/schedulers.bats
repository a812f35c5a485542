#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# YARN otherwise than by default: the FairScheduler, hosts in two racks, and a ResourceManager that is started anew in the
# midst of jobs. Jobs' output is stock Hadoop's. docs/compatibility.md has them.

# shellcheck disable=SC2119,SC2154 # start_cluster may have arguments; of cluster.bash
source "$BATS_TEST_DIRNAME/../../lib/common.bash"
source "$BATS_TEST_DIRNAME/../../lib/cluster.bash"
source "$BATS_TEST_DIRNAME/jobs.bash"
source "$BATS_TEST_DIRNAME/skips.bash"

setup_file() {
    skip_for "$(why_no_clones)"
    make_site
    start_cluster
    run_job root stock-reduces stock "${many_reduces[@]}"
    keep_output root stock-reduces stock-reduces
}

teardown_file() {
    stop_cluster
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

# It is killed, and the next one finds what it had stored.
restart_resourcemanager() (
    on_cluster --host 0 pkill -KILL --full 'resourcemanager[.]ResourceManager'
    enter_cluster
    wait_for 10 has_ended resourcemanager-h0
    sed -i '/^resourcemanager-h0 /d' "$cluster/processes"
    start_daemon resourcemanager 0 384m yarn resourcemanager 3>&-
)

@test "FairScheduler and two racks: a map that straggles is cloned, and its clone wins" {
    clone_a_map fair
}

@test "reduces that hold all of the FairScheduler's containers, and have no second attempts, give one to a map's" {
    # When the map is seen to straggle the others have ended, and reduces begun.
    straggle yield "${many_reduces[@]}" -Dmapreduce.task.progress-report.interval=8000
    assert_output root yield stock-reduces
    (($(counter root yield REDUCES_YIELDED) >= 1))
}

# Containers of an application that a ResourceManager found have its epoch in their names.
@test "a ResourceManager that is started anew while a map is to be cloned costs the job nothing but time" {
    straggle restart "${many_reduces[@]}" &
    local job=$!
    wait_for 300 appmaster_says root restart ' clone 1 of .* ordered'
    restart_resourcemanager
    wait $job
    assert_output root restart stock-reduces
    appmaster_says root restart 'Assigned container container_e01_'
}
