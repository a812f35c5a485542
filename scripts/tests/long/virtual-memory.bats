#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# NodeManagers that watch virtual memory: a straggling map is cloned, its clone wins, and the job's output is stock Hadoop's.

# shellcheck disable=SC2154 # of cluster.bash
source "$BATS_TEST_DIRNAME/../../lib/common.bash"
source "$BATS_TEST_DIRNAME/../../lib/cluster.bash"
source "$BATS_TEST_DIRNAME/jobs.bash"
source "$BATS_TEST_DIRNAME/skips.bash"

# A JVM of Java 17 has 2 GB of virtual memory before it does anything; a container of 1 GB may have 2.1.
readonly room=(-Dmapreduce.map.memory.mb=1536 -Dmapreduce.reduce.memory.mb=1536 -Dyarn.app.mapreduce.am.resource.mb=1536)

setup_file() {
    skip_for "$(why_no_clones)"
    write_site >"$BATS_FILE_TMPDIR/yarn-site.xml" <<'END_OF_SITE'
yarn.nodemanager.vmem-check-enabled true
END_OF_SITE
    start_cluster "${room[@]}"
}

teardown_file() {
    stop_cluster
}

@test "NodeManagers that watch virtual memory" {
    local host
    for host in 1 2 3; do
        grep -rhm 1 'Virtual memory check enabled: true' "$CLUSTER_DIR/hosts/h$host/logs"
    done
    clone_a_map vmem "${room[@]}"
}
