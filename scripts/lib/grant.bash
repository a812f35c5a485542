# SPDX-License-Identifier: Apache-2.0
# The copy of CRIU that lets ordinary users image their processes: docs/internals/least-privilege.md.

readonly grant_capability=cap_checkpoint_restore=ep

# is_granted CRIU COPY GROUP: COPY is CRIU, executable for GROUP alone, with the capability.
is_granted() {
    local criu=$1 copy=$2 group=$3
    [[ -f $copy && $(stat --format '%U %G %a' "$copy") == "root $group 750" ]] \
        && [[ $(getcap "$copy") == "$copy $grant_capability" ]] \
        && cmp --quiet "$criu" "$copy"
}

# grant CRIU COPY GROUP: makes COPY so. It appears whole or not at all, and has the capability only
# once nobody else can execute it: changing the group takes capabilities away (chown(2)).
grant() {
    local criu=$1 copy=$2 group=$3
    mkdir -p "${copy%/*}"
    if install --mode 0750 --owner root --group "$group" "$criu" "$copy.new" \
        && setcap "$grant_capability" "$copy.new"; then
        mv -T "$copy.new" "$copy"
    else
        rm -f "$copy.new"
        return 1
    fi
}
