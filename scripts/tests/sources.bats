#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# derive_sources: CRIU comes from the mirror this machine already trusts, checked with its keys.

setup() {
    source "$BATS_TEST_DIRNAME/../lib/sources.bash"
    apt=$BATS_TEST_TMPDIR/apt
    out=$BATS_TEST_TMPDIR/out
    mkdir -p "$apt/sources.list.d" "$out"
}

@test "a deb822 source keeps its address and key and changes its suite" {
    cat >"$apt/sources.list.d/debian.sources" <<'END'
Types: deb deb-src
# a comment
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
END
    derive_sources "$apt" bookworm forky "$out"
    diff - "$out/derived.sources" <<'END'
Types: deb
URIs: http://mirror.example/debian
Suites: forky
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg


END
}

@test "a key inside a deb822 source is kept" {
    cat >"$apt/sources.list.d/debian.sources" <<'END'
Types: deb
URIs: http://mirror.example/debian
Suites: bookworm
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 bookworm main
 -----END PGP PUBLIC KEY BLOCK-----
END
    derive_sources "$apt" bookworm forky "$out"
    grep -qx ' -----END PGP PUBLIC KEY BLOCK-----' "$out/derived.sources"
    grep -qx ' bookworm main' "$out/derived.sources"
}

@test "disabled, source-only and third-party deb822 sources are left out" {
    cat >"$apt/sources.list.d/others.sources" <<'END'
Enabled: no
Types: deb
URIs: http://disabled.example/debian
Suites: bookworm
Components: main

Types: deb-src
URIs: http://source.example/debian
Suites: bookworm
Components: main

Types: deb
URIs: http://third.example/node
Suites: nodistro
Components: main
END
    run derive_sources "$apt" bookworm forky "$out"
    [ "$status" -ne 0 ]
    [ ! -s "$out/derived.sources" ]
}

@test "two deb822 files do not run into each other" {
    printf 'Types: deb\nURIs: http://one.example\nSuites: x\nComponents: y' >"$apt/sources.list.d/a.sources"
    printf 'Types: deb\nURIs: http://two.example\nSuites: bookworm\nComponents: main' >"$apt/sources.list.d/b.sources"
    derive_sources "$apt" bookworm sid "$out"
    [ "$(grep -c URIs "$out/derived.sources")" -eq 1 ]
    grep -qx 'URIs: http://two.example' "$out/derived.sources"
}

@test "a one-line source keeps its options" {
    cat >"$apt/sources.list" <<'END'
# deb http://commented.example/debian bookworm main
deb [arch=amd64 signed-by=/k.gpg] http://mirror.example/debian bookworm contrib main # why
deb-src http://source.example/debian bookworm main
deb cdrom:[Debian 12]/ bookworm main
deb http://mirror.example/debian-security bookworm-security main
deb http://third.example/stuff bookworm third
END
    derive_sources "$apt" bookworm forky "$out"
    diff - "$out/derived.list" <<<'deb [arch=amd64 signed-by=/k.gpg] http://mirror.example/debian forky main'
}

@test "no source of this release is a failure" {
    run derive_sources "$apt" bookworm forky "$out"
    [ "$status" -ne 0 ]
}
