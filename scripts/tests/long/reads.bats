#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Reads with duplicates: maps whose reads race are cloned fifty times, and Hadoop's own tests of reads, each of them raced.

source "$BATS_TEST_DIRNAME/../../lib/common.bash"
source "$BATS_TEST_DIRNAME/../../lib/cluster.bash"
source "$BATS_TEST_DIRNAME/skips.bash"

# tests MODULE ARGUMENT...: Maven's of a module, without the root's, which are bats' and can't run within these.
tests() {
    cd "$repository" || return
    run mvn --batch-mode --no-transfer-progress test -pl "$1,!." -am -Dsurefire.failIfNoSpecifiedTests=false "${@:2}" 3>&-
    tail -n 60 <<<"$output"
    ((status == 0))
}

@test "maps whose reads race are cloned fifty times" {
    skip_for "$(why_no_clones)"
    tests hadoop-clone-speculator -Dtest=ClonedReadsTest -Dclones=50
}

@test "Hadoop's own tests of reads pass with every read duplicated" {
    tests hdfs-duplicate-reads -P hadoop-read-tests
}

@test "and with the keys' defaults" {
    tests hdfs-duplicate-reads -P hadoop-read-tests -Dreads.delay=1ms -Dreads.window=4m
}
