#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# summarize: the counts that end scripts/test.

setup() {
    source "$BATS_TEST_DIRNAME/../lib/summary.bash"
}

# The last line that summarize prints for the log on stdin.
last_line() {
    summarize /dev/stdin "$1" | tail -n 1
}

@test "cmocka and TAP results add up" {
    result=$(
        last_line 0 <<'END'
[==========] Running 4 test(s).
[ RUN      ] a
[       OK ] a
[  PASSED  ] 3 test(s).
[  SKIPPED ] 1 test(s), listed below:
[  SKIPPED ] c
1..3
ok 1 clones
ok 2 not here # skip no CRIU
ok 3 goes on
END
    )
    [ "$result" = "5 passed, 0 failed, 2 skipped" ]
}

@test "Surefire's sums add up, and its single classes don't count twice" {
    result=$(
        last_line 1 <<'END'
[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in org.Example
[ERROR] Tests run: 13, Failures: 1, Errors: 2, Skipped: 3
END
    )
    [ "$result" = "7 passed, 3 failed, 3 skipped" ]
}

@test "failures are named" {
    run summarize /dev/stdin 1 <<'END'
[==========] Running 2 test(s).
[  FAILED  ] lies
[  PASSED  ] 1 test(s).
[  FAILED  ] 1 test(s), listed below:
[  FAILED  ] lies
not ok 7 never stops
END
    [[ $output == *"failed: lies"* ]]
    [[ $output == *"failed: never stops"* ]]
    [ "${lines[-1]}" = "1 passed, 2 failed, 0 skipped" ]
}

@test "failures say why: exceptions without their stacks, what bats and cmocka print" {
    run summarize /dev/stdin 1 <<'END'
[ RUN      ] adds
[  ERROR   ] --- 0x1 != 0x2
[   LINE   ] --- tests/sums.c:7: error: Failure!
[  FAILED  ] adds
not ok 7 never stops
# (in test file cluster/tests/stops.bats, line 3)
#   `[ "$stopped" ]' failed
ok 8 starts
# nobody's
[ERROR] Tests run: 2, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 2 s <<< FAILURE! -- in org.Example
[ERROR] org.Example.fetches(long)[2] -- Time elapsed: 1 s <<< ERROR!
java.io.IOException: Error in the shuffle
	at org.Example.fetches(Example.java:112)
	... 3 more
Caused by: java.io.IOException: Too many fetches
	at org.Example.fetches(Example.java:88)

[INFO] Running org.Other
java.io.IOException: logged by a test that passes
[ERROR] Tests run: 2, Failures: 0, Errors: 1, Skipped: 0
END
    said=$(printf '%s\n' "${lines[@]}" | grep '^ ')
    for name in adds "never stops" "org.Example.fetches(long)[2]"; do
        grep -qFx "failed: $name" <<<"$output"
    done
    for line in "0x1 != 0x2" "tests/sums.c:7: error: Failure!" \
        "(in test file cluster/tests/stops.bats, line 3)" "  \`[ \"\$stopped\" ]' failed" \
        "java.io.IOException: Error in the shuffle" "Caused by: java.io.IOException: Too many fetches"; do
        grep -qFx "    $line" <<<"$said"
    done
    [ "$(wc -l <<<"$said")" -eq 6 ]
}

@test "a test program that crashed counts as failed" {
    result=$(last_line 1 <<<'[==========] Running 5 test(s).')
    [ "$result" = "0 passed, 5 failed, 0 skipped" ]
}

@test "a build that failed outside the tests counts as one failure" {
    result=$(last_line 2 <<<'ok 1 fine')
    [ "$result" = "1 passed, 1 failed, 0 skipped" ]
}
