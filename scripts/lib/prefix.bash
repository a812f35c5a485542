# SPDX-License-Identifier: Apache-2.0
# The directory of CRIU and the tool, $criu_prefix, as setup and install-node put it there and take it away. Source
# common.bash and grant.bash first.
#
#   replace_prefix TREE     $criu_prefix becomes TREE, which must be on the same file system, at once and as a whole
#   granted_group           prints which group has a CRIU of its own there; nothing if none has
#   grant_to_group CRIU GROUP ADVICE
#                           sees that GROUP has it; ADVICE is what to run where root is needed
#   remove_prefix ADVICE [DRY_RUN]

# shellcheck disable=SC2154 # common.bash's

readonly house=${criu_prefix%/*}
readonly staging=$criu_prefix.staging

# Only one at a time. Whatever an interrupted run left in the staging directory goes.
#
# What is made here is for containers' users as well, whatever umask(2) root has.
begin_staging() {
    umask 022
    mkdir -p "$house"
    chmod 755 "$house"
    exec 9<"$house"
    flock --exclusive 9
    rm -rf "$staging"
    trap 'rm -rf "$staging"' EXIT
    mkdir "$staging"
}

replace_prefix() {
    if [[ -e $criu_prefix ]]; then
        mv -T "$criu_prefix" "$staging/replaced"
    fi
    mv -T "$1" "$criu_prefix"
    rm -rf "$staging"
}

granted_group() {
    [[ ! -e $criu_user ]] || stat --format %G "$criu_user"
}

# A newer CRIU must not take it away.
grant_to_group() {
    local criu=$1 group=$2 advice=$3
    type -P setcap getcap >/dev/null || fail "no setcap here: install libcap2-bin (Debian) or libcap (Red Hat)"
    if is_granted "$criu" "$criu_user" "$group"; then
        return
    fi
    say "will give group $group a CRIU with the capability to image its members' processes: $criu_user"
    ((EUID == 0)) || fail "installing needs root; run: sudo $advice --group $group"
    grant "$criu" "$criu_user" "$group" \
        || fail "can't make $criu_user (its file system must support capabilities)"
}

remove_prefix() {
    if [[ ! -e $house ]]; then
        say "nothing to remove: $house isn't there"
        return
    fi
    say "will remove $house"
    [[ -z ${2:-} ]] || return 0
    ((EUID == 0)) || fail "removing needs root; run: sudo $1 --remove"
    rm -rf "$house"
}
