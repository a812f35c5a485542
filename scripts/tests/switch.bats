#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# switch.bash: how clone-hadoop edits the switch file.

bats_require_minimum_version 1.5.0 # run with codes

setup() {
    source "$BATS_TEST_DIRNAME/../lib/switch.bash"
}

@test "what is switched off stands there once, beside all else" {
    [[ $(switch_off <<<on) == off ]]
    [[ $(switch_off <<<off) == off ]]
    [[ $(switch_off queue a <<<"percent 10") == $'percent 10\noff queue a' ]]
    [[ $(switch_off user b <<<"off  user  b") == "off  user  b" ]]
    [[ $(switch_off user b <<<"off queue b") == $'off queue b\noff user b' ]]
    [[ $(switch_off user 'DOMAIN\name' <<<on) == 'off user DOMAIN\name' ]]
    [[ $(switch_off queue a <<<$'off queue a\r') == $'off queue a\r' ]]
}

@test "what is switched on again stands there no more, and a file is never without a statement" {
    [[ $(switch_on <<<off) == on ]]
    [[ $(switch_on <<<$'# ours\noff') == $'# ours\non' ]]
    [[ $(switch_on queue a <<<$'off queue a\noff user b') == "off user b" ]]
    [[ $(switch_on queue a <<<off) == off ]]
    [[ $(switch_on user 'DOMAIN\name' <<<'off user DOMAIN\name') == on ]]
}

@test "lines that end as on Windows, and blanks of any kind, are read as an AppMaster reads them" {
    [[ $(switch_on <<<$'# ours\r\noff\r') == $'# ours\r\non' ]]
    [[ $(switch_on queue a <<<$' off\fqueue\va \r\noff user b\r') == $'off user b\r' ]]
    [[ $(switch_off <<<$'on\r') == off ]]
    [[ $(switch_on <<<$'\r\noff') == $'\r\non' ]]
}

@test "comments and blank lines are no statement" {
    has_statement <<<off
    has_statement <<<$'# ours\n\n  percent 10\r'
    run ! has_statement </dev/null
    run ! has_statement <<<$'# ours\r\n \t# too\n\r\n'
}
