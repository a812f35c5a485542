#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# docs/install.md, word for word: from the tarball to the first won clone, on a cluster whose nodes have nothing of ours,
# with containers of an ordinary user.

# shellcheck disable=SC2016 # what others run is theirs
bats_require_minimum_version 1.5.0 # run with codes

source "$BATS_TEST_DIRNAME/../../lib/common.bash"

setup() {
    local reason
    reason=$(why_no_clones)
    if [[ -n $reason ]]; then
        [[ ${CI:-} != true ]] || return 1
        skip "$reason"
    fi
    export repository CLUSTER_DIR=$BATS_TEST_TMPDIR/cluster DIRECTORY=$BATS_TEST_TMPDIR
    # Containers' user must get at all that they use.
    chmod a+x "$BATS_RUN_TMPDIR" "${BATS_TEST_TMPDIR%/*/*}" "${BATS_TEST_TMPDIR%/*}" "$BATS_TEST_TMPDIR"
}

teardown() {
    "$repository/scripts/cluster" stop &>/dev/null 3>&- || true
}

# The operator's machine: a way to the nodes, and Hadoop's programs.
make_programs() {
    mkdir "$DIRECTORY/bin"
    cat >"$DIRECTORY/bin/ssh" <<'END'
#!/usr/bin/env bash
if [[ $1 == -n ]]; then
    shift
    exec </dev/null
fi
host=${1#root@h}
shift
exec "$repository/scripts/cluster" run --host "$host" bash -c "$*"
END
    cat >"$DIRECTORY/bin/hadoop" <<'END'
#!/usr/bin/env bash
exec "$repository/scripts/cluster" run "${0##*/}" "$@"
END
    cp "$DIRECTORY/bin/hadoop" "$DIRECTORY/bin/yarn"
    chmod +x "$DIRECTORY"/bin/*
}

@test "install.md leads from the tarball to a won clone, and back" {
    make_programs
    "$repository/scripts/lib/doc-blocks" "quick start" "$repository/docs/install.md" >"$DIRECTORY/commands"
    [[ $(wc -l <"$DIRECTORY/commands") -ge 10 ]]
    run -0 unshare --mount bash -euo pipefail -c '
        nothing_installed="mount -t tmpfs node /opt && mount -t tmpfs node /usr/local && mkdir /usr/local/bin"
        eval "$nothing_installed"
        "$repository/scripts/cluster" start --container-user backup
        for host in 1 2 3; do
            "$repository/scripts/cluster" run --host $host bash -c "$nothing_installed"
        done
        begun=$EPOCHSECONDS
        tar -xzf "$repository"/dist/target/clone-hadoop-*.tar.gz -C "$DIRECTORY"
        cd "$DIRECTORY"/clone-hadoop-*
        export HADOOP_HOME=$CLUSTER_DIR/hadoop jars=$CLUSTER_DIR/hadoop/share/hadoop/lib user=backup group=backup
        PATH=$DIRECTORY/bin:$PATH bash -euxo pipefail "$DIRECTORY/commands"
        echo "took $((EPOCHSECONDS - begun)) s"
        [[ -z $(find "$jars" -name "hadoop-clone-*") ]]' 3>&-
    echo "$output"
    grep '^took' <<<"$output" | sed 's/^/# /' >&3
    [[ $output == *"3 of 3 nodes can clone, in 1 class"* ]]
    [[ $output =~ "The result is right. Clones: "[0-9]+" ordered, "[0-9]+" ran, "[1-9] ]]
}
