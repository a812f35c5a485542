# SPDX-License-Identifier: Apache-2.0
# What a build log says of the tests that ran.

# summarize LOG STATUS: prints the failed tests with what they said, then the counts. STATUS is the
# build's exit code.
# Of cmocka only the unbuffered lines count, and a test is failed unless it is known to have passed
# or been skipped: a crash says no more.
summarize() {
    awk -v build_failed="$2" -v most_lines=20 '
        function said(name, line) {
            if (++lines[name] <= most_lines) names[name] = names[name] "\n    " line
        }
        # cmocka: it says why before it names the test.
        /^\[ RUN      \] / { why = "" }
        /^\[(  ERROR   |   LINE   )\] --- / { why = why "\n    " substr($0, 18) }
        /^\[==========\] Running [0-9]+ test/ { failed += $3 }
        /^\[  PASSED  \] [0-9]+ test/ { passed += $4; failed -= $4 }
        /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4; failed -= $4 }
        /^\[  FAILED  \] [^0-9]/ { names[$4] = names[$4] why; why = "" }
        # TAP (bats)
        /^# / && failing { said(failing, substr($0, 3)); next }
        { failing = "" }
        /^ok [0-9]+ .*# skip/ { skipped++; next }
        /^ok [0-9]+ / { passed++ }
        /^not ok [0-9]+ / { failed++; sub(/^not ok [0-9]+ /, ""); names[$0]; failing = $0 }
        # Surefire: of a failed test the exceptions, and of a module the sums
        / -- Time elapsed: .* <<< (ERROR|FAILURE)!$/ { thrown = $2; names[thrown]; next }
        /^$|^\[/ { thrown = "" }
        thrown && !/^[ \t]+(at |\.\.\. )/ { said(thrown, $0) }
        /Tests run: [0-9]+, Failures: [0-9]+, Errors: [0-9]+, Skipped: [0-9]+$/ {
            gsub(/[^0-9]+/, " ")
            split($0, counts)
            passed += counts[1] - counts[2] - counts[3] - counts[4]
            failed += counts[2] + counts[3]
            skipped += counts[4]
        }
        END {
            print "\n== tests"
            # A compiler, a linter or a fuzzer.
            if (build_failed && !failed) { failed = 1; names["the build, see above"] }
            for (name in names) print "failed: " name names[name]
            printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        }' "$1"
}
