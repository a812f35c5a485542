#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# benchmark.bash: the options of benchmarks in shell.

# shellcheck disable=SC2154 # stderr is set by run
bats_require_minimum_version 1.5.0 # run with codes

setup() {
    local program
    mkdir "$BATS_TEST_TMPDIR/bin"
    for program in sed dirname readlink getopt; do
        ln -s "$(type -P $program)" "$BATS_TEST_TMPDIR/bin/"
    done
    script=$BATS_TEST_TMPDIR/run
    cat >"$script" <<END
#!/usr/bin/env bash
# run [--quick] [--json FILE] [--slow-starts LIST]: measures.
set -euo pipefail
source "$BATS_TEST_DIRNAME/../../benchmarks/lib/benchmark.bash"
read_options quick,json:,slow-starts: "\$@"
need_no_operands
echo "\${option[quick]:-no} \${option[json]:-none} \${option[slow_starts]:-none}"
END
    chmod +x "$script"
}

@test "options are read by their names" {
    run -0 "$script" --slow-starts 1,2 --quick --json "a file"
    [ "$output" = "yes a file 1,2" ]
    run -0 "$script"
    [ "$output" = "no none none" ]
}

@test "help says what the script's head says" {
    run -0 "$script" --help
    [ "$output" = "run [--quick] [--json FILE] [--slow-starts LIST]: measures." ]
}

@test "a missing value, an unknown option and a stray word are said with the usage" {
    run -2 --separate-stderr "$script" --json
    [[ -z $output && $stderr == *"'--json' requires an argument"*measures* ]]
    run -2 --separate-stderr "$script" --nope
    [[ -z $output && $stderr == *"'--nope'"*measures* ]]
    run -2 --separate-stderr "$script" word
    [[ -z $output && $stderr == *"'word'"*measures* ]]
}

@test "every script says what it is for, and does nothing else" {
    local script
    cd "$BATS_TEST_DIRNAME/../.."
    for script in scripts/* benchmarks/*/run benchmarks/soak/sum benchmarks/report cluster/bin/hadoop criu-remote-clone/demo \
        dist/prepare dist/bin/* dist/sbin/*; do
        [[ -f $script && -x $script ]] || continue
        # Nothing that it could build, measure or change with is there.
        run -0 --separate-stderr env PATH="$BATS_TEST_TMPDIR/bin" "$BASH" "$script" --help
        [[ -z $stderr && $output == *"${script##*/}"* ]] || {
            echo "$script: $output $stderr"
            return 1
        }
    done
}

@test "a script that is called wrongly says how it is called" {
    run -2 --separate-stderr "$BATS_TEST_DIRNAME/../setup" --nope
    [[ -z $output && $stderr == *"'--nope'"*--runtime-only* ]]
    run -2 --separate-stderr "$BATS_TEST_DIRNAME/../cluster" start --nope
    [[ -z $output && $stderr == *"what is '--nope'?"*--hosts* ]]
}

@test "a dry run of set-up changes nothing and says so" {
    local stubs=$BATS_TEST_TMPDIR/stubs
    # As where nothing is installed.
    mkdir "$stubs"
    ln -s "$(type -P false)" "$stubs/dpkg-query"
    run -0 env PATH="$stubs:$PATH" "$BATS_TEST_DIRNAME/../setup" --dry-run
    [[ $output == *" patchelf "*" gcc "*"nothing was changed" ]]
    run -0 env PATH="$stubs:$PATH" "$BATS_TEST_DIRNAME/../setup" --dry-run --runtime-only
    [[ $output == *" patchelf "*"nothing was changed" ]]
    [[ $output != *gcc* ]]
    run -0 "$BATS_TEST_DIRNAME/../setup" --dry-run --remove
    [[ $output == *"will remove "* || $output == *"nothing to remove"* ]]
}
