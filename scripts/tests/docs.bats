#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Every page: its links lead somewhere, pages are found from README, and commands that are marked with <!-- run --> work.

# shellcheck disable=SC2016 # code has backquotes
bats_require_minimum_version 1.5.0 # run with codes

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
}

pages() {
    find . -name '*.md' ! -path '*/target/*' ! -path '*/build/*' ! -path './.*/*' -printf '%P\n' | sort
}

# links PAGE: a line each, but for code.
links() {
    sed -e '/^ *```/,/^ *```/d' -e 's/`[^`]*`//g' "$1" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//'
}

# anchors PAGE: as GitHub makes them of headings.
anchors() {
    sed '/^ *```/,/^ *```/d' "$1" | sed -nE 's/^#+ +//p' | tr '[:upper:]' '[:lower:]' \
        | sed -E 's/\[([^]]*)\]\([^)]*\)/\1/g; s/[^[:alnum:]_ -]//g; s/ /-/g'
}

@test "every link of every page leads to a file, and to a heading in it" {
    local page link path wrong=0 seen=0
    while read -r page; do
        while read -r link; do
            [[ $link != *://* && $link != mailto:* ]] || continue
            seen=$((seen + 1))
            path=${link%%#*}
            [[ -n $path ]] && path=$(dirname "$page")/$path || path=$page
            if [[ ! -e $path ]]; then
                echo "$page: $link: no such file"
                wrong=1
            elif [[ $link == *#* ]] && ! anchors "$path" | grep -qxF -- "${link#*#}"; then
                echo "$page: $link: no such heading"
                wrong=1
            fi
        done < <(links "$page")
    done < <(pages)
    ((seen > 200 && !wrong))
}

@test "every page of docs is linked from another" {
    local page linked wrong=0
    linked=$(while read -r page; do
        links "$page" | sed 's/#.*//; /^$/d; /:\/\//d' | while read -r link; do
            realpath --relative-to . "$(dirname "$page")/$link"
        done
    done < <(pages) | sort -u)
    while read -r page; do
        [[ $page == docs/* ]] || continue
        grep -qxF "$page" <<<"$linked" || {
            echo "$page: nothing leads there"
            wrong=1
        }
    done < <(pages)
    ((!wrong))
}

@test "what scripts, sources and builds say of pages is right" {
    run -0 grep -rhoE 'docs/[a-z/-]+\.(md|svg)' . --exclude-dir=target --exclude-dir=build --exclude-dir='.?*' --exclude-dir=tests --exclude='*.md'
    local page wrong=0
    while read -r page; do
        # benchmarks/report makes it.
        [[ -e $page || $page == docs/results.md ]] || {
            echo "$page is named, and isn't there"
            wrong=1
        }
    done < <(sort -u <<<"$output")
    ((!wrong))
}

@test "commands marked with <!-- run --> work" {
    local commands
    mapfile -t files < <(pages)
    commands=$(scripts/lib/doc-blocks run "${files[@]}")
    [[ $(grep -c . <<<"$commands") -ge 5 ]]
    run bash -euo pipefail <<<"$commands"
    echo "$output"
    ((status == 0))
}
