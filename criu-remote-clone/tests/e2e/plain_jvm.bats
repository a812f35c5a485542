# SPDX-License-Identifier: Apache-2.0
# The hooks of docs/internals/plain-jvm.md: a JVM that closes its gate for the freeze, and opens it at both ends.

# shellcheck disable=SC2154,SC2034
load ../lib/clones

setup_file() {
    clones_setup_file
}

teardown_file() {
    hosts_down
}

setup() {
    clones_setup
    hook=$(realpath "$BATS_TEST_DIRNAME/../programs/gate")
    serve_options+=(--settle "$hook $work settle" --quiesce "$hook $work quiesce" --resume "$hook $work resume")
    pull_options+=(--resume "$hook $work resume")
    mkfifo "$work/ask" "$work/answer"
}

teardown() {
    clones_teardown
}

program_gated() {
    spawn 1 "$work/out" java -XX:+UseSerialGC -XX:-ShrinkHeapInSteps -XX:-UsePerfData -Xms16m -Xmx256m \
        -cp "$programs" GatedJvm "$work"
}

# events LOG: what the hooks had it do, in a line.
events() {
    sed -n 's/^event //p' "$1" | paste -sd,
}

# stood_still LOG: nothing was counted between the gate's closing and its opening.
stood_still() {
    awk '/^event closed/ { closed = 1; next } /^event open/ { closed = 0 } closed { exit 1 }' "$1"
}

@test "a plain JVM gives memory back, stands still for the freeze, and knows at either end who it is" {
    start_program gated
    clone_to 2
    wait_until 10 grep -q 'open clone' "$clones$work/log"
    [[ $(events "$work/log") == 'settled,closed,open original' ]]
    [[ $(events "$clones$work/log") == 'settled,closed,open clone' ]]
    stood_still "$work/log"
    stood_still "$clones$work/log"
    assert_original_continues
    assert_clone_continues "$clones$work/log"
    # The 128 MB that it gave back weren't imaged.
    (($(jq .image_bytes "$BATS_TEST_TMPDIR/serve.json") < 128 << 20))
}

@test "a plain JVM that can't be cloned opens its gate again" {
    serve_options+=(--max-freeze 1)
    start_program gated
    start_serve
    start_pull 2 -- sh -c 'exit 7'
    ends_with 7 "$pull"
    ends_with 74 "$serve"
    wait_until 10 grep -q 'open original' "$work/log"
    [[ $(events "$work/log") == 'settled,closed,open original' ]]
    stood_still "$work/log"
    assert_original_continues
}
