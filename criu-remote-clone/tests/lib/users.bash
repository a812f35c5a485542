# SPDX-License-Identifier: Apache-2.0
# Ordinary users for a file of tests, and what they run. Load clones.bash first.

# shellcheck disable=SC2154 # programs, tool are clones.bash's
source "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib/grant.bash"

# make_users GROUP NAME...: members of GROUP, and of one of their own each. For setup_file(), after clones_setup_file.
make_users() {
    local name
    [[ -z $CLONES_SKIPPED ]] || return 0
    export TEST_USERS=''
    for name in "${@:2}"; do
        if ! useradd --system --user-group --no-create-home --groups "$1" "$name"; then
            CLONES_SKIPPED="can't make a user for these tests"
            return
        fi
        TEST_USERS+="$name "
    done
}

# For teardown_file().
remove_users() {
    local name
    for name in ${TEST_USERS:-}; do
        userdel "$name"
    done
}

# equip_users GROUP: what its members run is in $CLONES_BIN, with a CRIU that may image. All is copied: the build directory
# may lie where they can't go.
equip_users() {
    [[ -z $CLONES_SKIPPED ]] || return 0
    export CLONES_BIN=$BATS_FILE_TMPDIR/bin
    chmod a+x "$BATS_RUN_TMPDIR" "${BATS_FILE_TMPDIR%/*}" "$BATS_FILE_TMPDIR"
    cp -r "$programs" "$CLONES_BIN"
    cp "$tool" "$CLONES_BIN"
    if ! grant "$(find_criu)" "$CLONES_BIN/criu-user" "$1"; then
        CLONES_SKIPPED="the file system of $CLONES_BIN has no file capabilities"
    fi
}

# as USER FUNCTION...: whatever it spawns belongs to the user.
as() {
    # shellcheck disable=SC2034 # spawn's
    local runner=(setpriv --reuid "$1" --regid "$1" --init-groups --inh-caps=-all --)
    "${@:2}"
}

# without_namespaces FUNCTION...: whatever it spawns may make no user namespaces.
without_namespaces() {
    # shellcheck disable=SC2016,SC2034 # for the inner shell; spawn's
    local runner=("${runner[@]}" unshare --user --map-current-user --keep-caps sh -c
        'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --inh-caps=-all --ambient-caps=-all "$@"' sh)
    "$@"
}
