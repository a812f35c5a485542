#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# grant: the CRIU for ordinary users is theirs alone, and whole.

bats_require_minimum_version 1.5.0 # run !

setup() {
    ((EUID == 0)) || skip "only root can grant"
    source "$BATS_TEST_DIRNAME/../lib/grant.bash"
    criu=$BATS_TEST_TMPDIR/criu
    copy=$BATS_TEST_TMPDIR/bin/criu-user
    cp /bin/true "$criu"
}

@test "the copy is the group's, with one capability" {
    run ! is_granted "$criu" "$copy" daemon
    grant "$criu" "$copy" daemon
    is_granted "$criu" "$copy" daemon
    [ "$(stat -c '%U %G %a' "$copy")" = "root daemon 750" ]
    [ "$(getcap "$copy")" = "$copy cap_checkpoint_restore=ep" ]
    cmp "$criu" "$copy"
}

@test "members of the group can execute it, and nobody else" {
    grant "$criu" "$copy" daemon
    chmod a+x "$BATS_RUN_TMPDIR" "${BATS_TEST_TMPDIR%/*}" "$BATS_TEST_TMPDIR"
    # By a shell: setpriv itself still has root's rights when it executes.
    setpriv --reuid nobody --regid nogroup --groups daemon -- sh -c "$copy"
    run ! setpriv --reuid nobody --regid nogroup --clear-groups -- sh -c "$copy"
}

@test "another CRIU, group or capability is noticed and put right" {
    grant "$criu" "$copy" daemon
    run ! is_granted "$criu" "$copy" games
    setcap -r "$copy"
    run ! is_granted "$criu" "$copy" daemon
    grant "$criu" "$copy" daemon
    is_granted "$criu" "$copy" daemon
    echo newer >>"$criu"
    run ! is_granted "$criu" "$copy" daemon
    grant "$criu" "$copy" daemon
    is_granted "$criu" "$copy" daemon
}

@test "what fails leaves nothing" {
    run ! grant "$criu" "$copy" no-such-group
    [ -z "$(ls "$BATS_TEST_TMPDIR/bin")" ]
}
