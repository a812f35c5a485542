#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# docs/install.md, word for word: from the tarball to the first won clone, on a cluster whose nodes have nothing of ours,
# with containers of an ordinary user.

# shellcheck disable=SC2016 # what others run is theirs
source "$BATS_TEST_DIRNAME/../../lib/common.bash"
source "$BATS_TEST_DIRNAME/skips.bash"

setup() {
    skip_for "$(why_no_clones)"
    export cluster_command=$repository/scripts/cluster CLUSTER_DIR=$BATS_TEST_TMPDIR/cluster DIRECTORY=$BATS_TEST_TMPDIR
    # Containers' user must get at all that they use.
    chmod a+x "$BATS_RUN_TMPDIR" "${BATS_TEST_TMPDIR%/*/*}" "${BATS_TEST_TMPDIR%/*}" "$BATS_TEST_TMPDIR"
}

teardown() {
    "$cluster_command" stop &>/dev/null 3>&- || true
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
exec "$cluster_command" run --host "$host" bash -c "$*"
END
    cat >"$DIRECTORY/bin/hadoop" <<'END'
#!/usr/bin/env bash
exec "$cluster_command" run "${0##*/}" "$@"
END
    cp "$DIRECTORY/bin/hadoop" "$DIRECTORY/bin/yarn"
    chmod +x "$DIRECTORY"/bin/*
}

@test "install.md leads from the tarball to a won clone, and back" {
    make_programs
    "$repository/scripts/lib/doc-blocks" "quick start" "$repository/docs/install.md" >"$DIRECTORY/commands"
    [[ $(wc -l <"$DIRECTORY/commands") -ge 10 ]]
    run unshare --mount bash -euo pipefail -c '
        nothing_installed="mount -t tmpfs node /opt && mount -t tmpfs node /usr/local && mkdir /usr/local/bin"
        eval "$nothing_installed"
        "$cluster_command" start --container-user backup
        for host in 1 2 3; do
            "$cluster_command" run --host $host bash -c "$nothing_installed"
        done
        begun=$EPOCHSECONDS
        tar -xzf "$1"/dist/target/clone-hadoop-*.tar.gz -C "$DIRECTORY"
        cd "$DIRECTORY"/clone-hadoop-*
        export HADOOP_HOME=$CLUSTER_DIR/hadoop jars=$CLUSTER_DIR/hadoop/share/hadoop/lib user=backup group=backup
        PATH=$DIRECTORY/bin:$PATH bash -euxo pipefail "$DIRECTORY/commands"
        echo "took $((EPOCHSECONDS - begun)) s"
        [[ -z $(find "$jars" -name "hadoop-clone-*") ]]' - "$repository" 3>&-
    echo "$output"
    ((status == 0))
    grep '^took' <<<"$output" | sed 's/^/# /' >&3
    [[ $output == *"3 of 3 nodes can clone, in 1 class"* ]]
    [[ $output =~ "The result is right. Clones: "[0-9]+" ordered, "[0-9]+" ran, "[1-9] ]]
}
