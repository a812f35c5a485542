#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Two queues, of which one takes back what the other has of its share: a job with second attempts loses containers to another.
# Both jobs' outputs are stock Hadoop's. docs/compatibility.md has it.

# shellcheck disable=SC2154 # of cluster.bash
source "$BATS_TEST_DIRNAME/../../lib/common.bash"
source "$BATS_TEST_DIRNAME/../../lib/cluster.bash"
source "$BATS_TEST_DIRNAME/jobs.bash"
source "$BATS_TEST_DIRNAME/skips.bash"

setup_file() {
    skip_for "$(why_no_clones)"
    make_site
    start_cluster "${many_reduces[@]}" -Dmapreduce.job.queuename=one
}

teardown_file() {
    stop_cluster
}

make_site() {
    write_site >"$BATS_FILE_TMPDIR/yarn-site.xml" <<'END_OF_SITE'
yarn.scheduler.capacity.root.default.queues one,other
yarn.scheduler.capacity.root.default.one.capacity 50
yarn.scheduler.capacity.root.default.one.maximum-capacity 100
yarn.scheduler.capacity.root.default.one.user-limit-factor 2
yarn.scheduler.capacity.root.default.other.capacity 50
yarn.scheduler.capacity.root.default.other.maximum-capacity 100
yarn.scheduler.capacity.root.default.other.user-limit-factor 2
yarn.resourcemanager.scheduler.monitor.enable true
yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval 500
yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill 1000
yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round 1.0
yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor 1.0
END_OF_SITE
}

# begin NAME QUEUE [-DKEY=VALUE...]: a job with a map that all but stands still, whose second attempt is slow as well.
begin() {
    straggle "$1" "${many_reduces[@]}" -Dmapreduce.job.queuename="$2" \
        -Dclonehadoop.straggler.attempts=m_000001_0=1000,m_000001_1=30 "${@:3}"
}

@test "a job with a map's second attempt, a clone as a rule, loses containers to another queue, and nothing but time" {
    # That one runs for long.
    begin first one -Dmapreduce.clone.replace-second-attempts=false &
    local first=$! second
    wait_for 300 appmaster_says root first '_m_000001_1 TaskAttempt Transitioned from ASSIGNED to RUNNING'
    begin second other &
    second=$!
    wait $first
    wait $second
    assert_output root first
    assert_output root second
    appmaster_says root first 'Container preempted by scheduler'
    [[ $(counter root first 'Failed map tasks')$(counter root first 'Failed reduce tasks') == 00 ]]
}
