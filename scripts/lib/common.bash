# SPDX-License-Identifier: Apache-2.0
# What every script here needs: talking to the user, and finding this machine's CRIU.

# shellcheck disable=SC2034 # for the scripts that source this
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

criu_minimum=4.2
criu_prefix=/opt/clonehadoop/criu
criu_user=$criu_prefix/bin/criu-user

say() {
    printf '%s: %s\n' "${0##*/}" "$*"
}

# As say, beside what a program may read.
tell() {
    say "$@" >&2
}

warn() {
    printf '%s: warning: %s\n' "${0##*/}" "$*" >&2
}

fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# is_built MARK SOURCE...: whether MARK is there, and none of the sources is newer.
is_built() {
    [[ -e $1 && -z $(find "${@:2}" -newer "$1" -print -quit) ]]
}

# mark_build MARK COMMAND...: MARK is as old as the build's begin, since what is saved during it may not be in it.
mark_build() {
    local begun
    begun=$(date +%s.%N)
    "${@:2}" || return
    touch --date="@$begun" "$1"
}

# Prints the version of the CRIU program $1; fails if it doesn't run.
criu_version() {
    local output
    output=$("$1" --version 2>/dev/null) && sed -n 's/^Version: *//p' <<<"$output"
}

at_least() {
    printf '%s\n%s\n' "$2" "$1" | sort --version-sort --check=quiet
}

# Prints the CRIU that criu-remote-clone will use as root (same order as criu_find() in criu_find.c),
# if there is one that is new enough. Debian 12's own, 3.17, doesn't run on the kernels of today.
find_criu() {
    local candidate version
    for candidate in "${CRIU_REMOTE_CLONE_CRIU:-}" "$criu_prefix/bin/criu" "$(type -P criu || true)"; do
        [[ -n $candidate ]] || continue
        version=$(criu_version "$candidate") || continue
        if at_least "$version" "$criu_minimum"; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

# Prints nothing if this user on this machine can run clones, else why not.
why_no_clones() {
    local criu output
    if ! criu=$(find_criu); then
        echo "no CRIU >= $criu_minimum on this machine; run scripts/setup"
    elif ((EUID != 0)); then
        echo "not root, and the tests make network namespaces; run it with sudo"
    elif ! output=$("$criu" check 2>&1); then
        echo "'$criu check' fails here: $(tail -n 1 <<<"$output")"
    fi
}
