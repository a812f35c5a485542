#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# host-init: a host's own view of the machine, whatever the machine is like.

source "$BATS_TEST_DIRNAME/../../scripts/lib/common.bash"
source "$repository/scripts/lib/cluster.bash"

setup() {
    local reason
    reason=$(why_no_hosts)
    [[ -z $reason ]] || skip "$reason"
    directory=$BATS_TEST_TMPDIR/cluster
    mkdir -p "$directory"/{etc,local,logs} "$directory"/hosts/h1/{local,logs}
    echo '10.77.0.11 h1' >"$directory/etc/hosts"
    echo '# none' >"$directory/etc/resolv.conf"
}

@test "a new system without hosts and resolv.conf has hosts with both" {
    mkdir "$BATS_TEST_TMPDIR/etc"
    # shellcheck disable=SC2016 # for the shell over there
    run timeout 60 unshare --mount --uts --net --ipc --pid --fork --kill-child --mount-proc bash -euc '
        mount --bind "$3/etc" /etc
        "$1" h1 "$2" &
        until [[ -e $2/hosts/h1/ready ]] || ! kill -0 $! 2>/dev/null; do
            sleep 0.1
        done
        cat /etc/hosts /etc/resolv.conf' - "$repository/scripts/lib/host-init" "$directory" "$BATS_TEST_TMPDIR" 3>&-
    echo "$output"
    ((status == 0))
    [[ $output == "10.77.0.11 h1"$'\n'"# none" ]]
}
