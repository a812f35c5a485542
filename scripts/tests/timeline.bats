#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# timeline: the picture that ends the demo.

setup() {
    source "$BATS_TEST_DIRNAME/../lib/timeline.bash"
    cd "$BATS_TEST_TMPDIR" || return
    cat >events <<'END'
{"role":"serve","event":"listening","at_ms":1.0}
{"role":"serve","event":"connected","at_ms":1000}
{"role":"serve","event":"precopied","at_ms":1150}
{"role":"serve","event":"original resumed","at_ms":1300}
{"role":"serve","event":"sent","at_ms":1500}
{"role":"serve","event":"running","at_ms":1640}
END
    echo '{"freeze_ms":100,"transfer_ms":200,"precopy_ms":50}' >serve.json
    echo '{"restore_ms":240}' >pull.json
}

# Prints the columns of row $1 that hold the sign $2: FIRST LAST.
columns_of() {
    timeline events serve.json pull.json | awk -v row="$1" -v sign="$2" '
        $1 == row {
            bar = substr($0, 14)
            first = index(bar, sign)
            for (i = 1; i <= length(bar); i++) if (substr(bar, i, 1) == sign) last = i
            print first, last
            exit
        }'
}

@test "each phase is drawn where it was" {
    # 640 ms and 15 % more in 64 columns: 11.5 ms each.
    [ "$(columns_of original .)" = "18 26" ]
    [ "$(columns_of network -)" = "9 13" ]
    [ "$(columns_of network '#')" = "27 43" ]
    [ "$(columns_of clone '~')" = "35 55" ]
    [ "$(columns_of clone '=')" = "56 64" ]
}

@test "the numbers are said too" {
    timeline events serve.json pull.json \
        | grep -q 'original frozen 100 ms, clone running 640 ms after'
}

@test "a freeze too short for a column is still seen" {
    echo '{"freeze_ms":0.4,"transfer_ms":200,"precopy_ms":50}' >serve.json
    read -r first last < <(columns_of original .)
    [ "$first" = "$last" ]
    [ "$first" -gt 0 ]
}
