# SPDX-License-Identifier: Apache-2.0
# This machine's own Debian mirror, for another suite.

# derive_sources APT RELEASE SUITE OUT: reads the sources in directory APT (/etc/apt) that carry the
# main archive of RELEASE, and writes them into directory OUT for SUITE: same addresses, options and
# keys. Others (security, third parties, disabled ones) are left out. Fails if there is none.
derive_sources() {
    local apt=$1 release=$2 suite=$3 out=$4
    [[ -n $release ]] || return 1

    # deb822: a stanza per source; a key may stand in the stanza itself, so the rest is kept whole.
    find "$apt" -path "$apt/sources.list.d/*.sources" -exec \
        awk -v RS= -v ORS='\n\n' -v release="$release" -v suite="$suite" '
            function has(field, word,    i, j, count, lines, words) {
                count = split($0, lines, "\n")
                for (i = 1; i <= count; i++)
                    if (tolower(lines[i]) ~ "^" field ":") {
                        split(lines[i], words, /[: \t]+/)
                        for (j = 2; j in words; j++) if (words[j] == word) return 1
                    }
                return 0
            }
            tolower($0) ~ /(^|\n)enabled:[ \t]*no/ { next }
            has("types", "deb") && has("suites", release) && has("components", "main") {
                count = split($0, lines, "\n")
                out = ""
                for (i = 1; i <= count; i++) {
                    field = tolower(lines[i])
                    if (field ~ /^#/) continue
                    if (field ~ /^types:/) lines[i] = "Types: deb"
                    if (field ~ /^suites:/) lines[i] = "Suites: " suite
                    if (field ~ /^components:/) lines[i] = "Components: main"
                    out = out lines[i] "\n"
                }
                print out
            }' {} + >"$out/derived.sources"

    # One line per source: deb [options] address suite components.
    find "$apt" \( -path "$apt/sources.list" -o -path "$apt/sources.list.d/*.list" \) -exec \
        awk -v release="$release" -v suite="$suite" '
            $1 != "deb" || /[ \t]cdrom:/ { next }
            {
                options = ""
                if (match($0, /\[[^]]*\]/)) {
                    options = substr($0, RSTART, RLENGTH) " "
                    $0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
                }
                sub(/#.*/, "")
                for (i = 4; i <= NF; i++)
                    if ($3 == release && $i == "main") print "deb " options $2 " " suite " main"
            }' {} + >"$out/derived.list"

    [[ -s $out/derived.sources || -s $out/derived.list ]]
}
