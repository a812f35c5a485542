# What a build log says of the tests that ran.

# summarize LOG STATUS: prints the failed tests, then the counts. STATUS is the build's exit code.
# Of cmocka only the unbuffered lines count, and a test is failed unless it is known to have passed
# or been skipped: a crash says no more.
summarize() {
    awk -v build_failed="$2" '
        # cmocka
        /^\[==========\] Running [0-9]+ test/ { failed += $3 }
        /^\[  PASSED  \] [0-9]+ test/ { passed += $4; failed -= $4 }
        /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4; failed -= $4 }
        /^\[  FAILED  \] [^0-9]/ { names[$4] }
        # TAP (bats)
        /^ok [0-9]+ .*# skip/ { skipped++; next }
        /^ok [0-9]+ / { passed++ }
        /^not ok [0-9]+ / { failed++; sub(/^not ok [0-9]+ /, ""); names[$0] }
        # Surefire: the sums of a module, not the line of each class
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
            for (name in names) print "failed: " name
            printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        }' "$1"
}
