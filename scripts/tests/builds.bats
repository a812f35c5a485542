#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# simulate, replica-plan and benchmark.bash: they build what has changed, and only then.

bats_require_minimum_version 1.5.0 # run with codes

# A copy of the scripts, and a Maven that makes what they look for.
setup() {
    local module
    repo=$BATS_TEST_TMPDIR/repo stubs=$BATS_TEST_TMPDIR/stubs
    mkdir -p "$repo/benchmarks" "$stubs"
    cp -r "$BATS_TEST_DIRNAME/.." "$repo/scripts"
    cp -r "$BATS_TEST_DIRNAME/../../benchmarks/lib" "$repo/benchmarks/"
    cp "$BATS_TEST_DIRNAME/../../pom.xml" "$repo/"
    for module in simulator replica-selection benchmarks duplicate-stage operator-tools hadoop-clone-speculator hdfs-stream-repair; do
        mkdir -p "$repo/$module/src/main"
        touch "$repo/$module/pom.xml"
    done
    ln -s "$(type -P true)" "$stubs/java"
    cat >"$stubs/mvn" <<'END_OF_MVN'
#!/usr/bin/env bash
set -e
echo built >>"$REPO/builds"
mkdir -p "$REPO"/{simulator,replica-selection,benchmarks}/target "$REPO/benchmarks/target/lib"
touch "$REPO"/{simulator,replica-selection}/target/class-path
# Somebody saves a source during the build. The kernel's clock for files stands still for some milliseconds.
if [[ -n ${SAVED:-} ]]; then
    touch --date="@$(date +%s.%N)" "$SAVED"
    until [[ $REPO/builds -nt $SAVED ]]; do
        touch "$REPO/builds"
    done
fi
END_OF_MVN
    chmod +x "$stubs/mvn"
    export REPO=$repo
}

# builds COMMAND...: how many a call of that begins.
builds() {
    rm -f "$repo/builds"
    PATH=$stubs:$PATH "$@" &>/dev/null
    if [[ -e $repo/builds ]]; then wc -l <"$repo/builds"; else echo 0; fi
}

# builds_again SOURCE COMMAND...
builds_again() {
    local source=$1
    shift
    [[ $(SAVED=$source builds "$@") == 1 ]]
    [[ $(builds "$@") == 1 ]]
    [[ $(builds "$@") == 0 ]]
}

@test "what is saved while the simulator is built is built by the next call" {
    builds_again "$repo/operator-tools/src/main/A.java" "$repo/scripts/simulate" run
}

@test "what is saved while the replicas' planner is built is built by the next call" {
    builds_again "$repo/replica-selection/src/main/A.java" "$repo/scripts/replica-plan" ilp
}

@test "what is saved while benchmarks are built is built by the next call" {
    # shellcheck disable=SC2016 # for the shell over there
    builds_again "$repo/benchmarks/src/main/A.java" bash -c 'source "$REPO/benchmarks/lib/benchmark.bash"; build_benchmarks'
}
