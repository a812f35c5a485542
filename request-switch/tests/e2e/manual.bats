#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The man page is the reference of configuration, commands and exit codes: it has all of them.

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
}

@test "the man page has every key of the configuration" {
    local keys key
    mapfile -t keys < <(sed -n '/static const char \*const known\[\] = {/,/NULL};/p' src/tool/config.c src/tool/netrs_config.c | grep -o '"[a-z]\+"' | tr -d '"' | sort -u)
    ((${#keys[@]} >= 24))
    for key in "${keys[@]}"; do
        grep -Eqx "\.B $key" man/clone-switch.8 || {
            echo "no $key"
            return 1
        }
    done
}

@test "the man page has every exit code, and no other" {
    diff <(sed -n 's/^ *EXIT_[A-Z]* = \([0-9]*\),.*/\1/p' src/base/failure.h | sort) \
        <(sed -n '/^\.TS/,/^\.TE/s/^\([0-9]*\)\t.*/\1/p' man/clone-switch.8 | sort)
}

@test "the man page and --help have every command and option" {
    local word
    for word in check up down drain status trace agent netrs; do
        grep -q "clone-switch $word" man/clone-switch.8
        build/clone-switch --help | grep -q "clone-switch $word"
    done
    while read -r word; do
        grep -q -- "${word//-/\\\\-}" man/clone-switch.8
        build/clone-switch --help | grep -q -- "--$word"
    done < <(sed -n 's/.*{"\([a-z-]*\)", *\(required\|no\)_argument.*/\1/p' src/tool/main.c)
}

@test "each command says with --help how it is called" {
    local word
    for word in check up down drain status trace agent netrs; do
        run build/clone-switch "$word" --help
        [[ $status == 0 && $output == "usage:"*"clone-switch $word"* && $output != *'--pins'* ]]
    done
    run build/clone-switch drain --help
    [[ $output == *'--time-limit SECONDS'* ]]
}

@test "unknown commands, options and operands are refused" {
    run build/clone-switch
    [[ $status == 64 && $output == usage:* ]]
    run build/clone-switch upp
    [[ $status == 64 && $output == "clone-switch: there is no 'upp'; see clone-switch --help" ]]
    run build/clone-switch status --fast
    [[ $status == 64 && $output == *"doesn't take '--fast'"* ]]
    run build/clone-switch up
    [[ $status == 64 && $output == *'lacks operands; see clone-switch up --help' ]]
    run build/clone-switch down all
    [[ $status == 64 && $output == *'has too many operands'* ]]
    run build/clone-switch status --json --prometheus
    [[ $status == 64 && $output == *'exclude'* ]]
    run build/clone-switch drain a b --time-limit x
    [[ $status == 64 && $output == *'whole number'* ]]
    run build/clone-switch up /nonexistent
    [[ $status == 66 && $output == *'/nonexistent'* ]]
}
