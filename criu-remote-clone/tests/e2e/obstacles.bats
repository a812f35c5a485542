# SPDX-License-Identifier: Apache-2.0
# What the tool lists as standing in the way of a clone is what CRIU really refuses: the unit test of
# the list, with CRIU asked as well. A new CRIU that can do more, or less, fails here first.

# The library sets them.
# shellcheck disable=SC2154
load ../lib/clones

@test "CRIU refuses what the tool says it refuses, and dumps the rest" {
    local reason directory
    reason=$(why_no_clones)
    if [[ -n $reason ]]; then
        skip "$reason"
    fi
    directory=$(realpath -m "$build")
    # Not the sanitized build: CRIU would image the shadow memory.
    env -u MAKEFLAGS -u MAKELEVEL make -s -C "$here/../.." BUILD="$directory" \
        "$directory/unit/test_obstacles"
    CLONE_TEST_CRIU=$(find_criu) "$directory/unit/test_obstacles"
}
