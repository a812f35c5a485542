#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Every source says its licence: Java's in Apache's words, which Maven checks, all others in a line.

@test "sources in C, protobuf, shell and bats say their licence" {
    cd "$BATS_TEST_DIRNAME/../.."
    mapfile -t sources < <(
        shfmt -f .
        find criu-remote-clone request-switch -name build -prune -o -name '*.[ch]' -print -o -name '*.proto' -print
    )
    ((${#sources[@]} > 200))
    run grep --files-without-match 'SPDX-License-Identifier: Apache-2\.0\( OR GPL-2\.0-only\)\?$' "${sources[@]}"
    [[ -z $output ]]
}
