#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# With Kerberos, and RPC and data transfer encrypted, in containers of one user: maps that straggle are cloned. Those of jobs'
# own users, and reduces: two-users.bats.

source "$BATS_TEST_DIRNAME/../../lib/common.bash"
source "$BATS_TEST_DIRNAME/../../lib/cluster.bash"
source "$BATS_TEST_DIRNAME/../../lib/kerberos.bash"
source "$BATS_TEST_DIRNAME/skips.bash"

setup_file() {
    skip_for "$(why_no_clones)"
    skip_for "$(why_not_secure)"
    export cluster_command=$repository/scripts/cluster CLUSTER_DIR=$BATS_FILE_TMPDIR/cluster
    # Containers' user must get at all that they use.
    chmod a+x "$BATS_RUN_TMPDIR" "${BATS_FILE_TMPDIR%/*}" "$BATS_FILE_TMPDIR"
    "$cluster_command" start --secure --hosts 2 --container-user backup 3>&-
}

teardown_file() {
    "$cluster_command" stop &>/dev/null 3>&- || true
}

@test "a user without a ticket is refused" {
    run "$cluster_command" run env KRB5CCNAME=/no/ticket hadoop fs -ls / 3>&-
    echo "$output"
    ((status != 0))
    [[ $output == *"Client cannot authenticate via:[TOKEN, KERBEROS]"* ]]
    "$cluster_command" run hadoop fs -ls / 3>&-
}

jar_of() {
    find "$repository/$1/target" -maxdepth 1 -name "$1-*.jar"
}

@test "a straggling map is cloned, and its clone wins" {
    local trial
    cp "$(jar_of hadoop-clone-speculator)" "$CLUSTER_DIR/hadoop/share/hadoop/lib/"
    trial=$(jar_of trial-job)
    run "$cluster_command" run hadoop jar "$trial" -conf "$repository/dist/conf/mapred-site-clones.xml" \
        -Dmapreduce.clone.tool="$repository/criu-remote-clone/build/criu-remote-clone" -Dmapreduce.job.reduces=0 3>&-
    echo "$output"
    ((status == 0))
    [[ $output =~ "The result is right. Clones: "[0-9]+" ordered, "[0-9]+" ran, "[1-9] ]]
}
