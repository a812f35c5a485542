#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The tarball: what is in it, that its commands run out of it alone, and what install-node does to a node.

# shellcheck disable=SC2016,SC2030,SC2031 # what a node runs is the node's; each test has its own environment
bats_require_minimum_version 1.5.0 # run with codes

setup_file() {
    local tarball
    tarball=$(find "$BATS_TEST_DIRNAME/../target" -maxdepth 1 -name 'clone-hadoop-*.tar.gz')
    tar -xzf "$tarball" -C "$BATS_FILE_TMPDIR"
    RELEASE=$BATS_FILE_TMPDIR/$(basename "$tarball" .tar.gz)
    export RELEASE
}

@test "a release has all its parts" {
    local part
    cd "$RELEASE"
    for part in LICENSE NOTICE CHANGELOG.md README.md VERSION bin/clone-hadoop sbin/install-node \
        lib/hadoop-clone-speculator.jar lib/hdfs-stream-repair.jar lib/hdfs-duplicate-reads.jar native/bin/criu native/bin/criu-remote-clone native/NOTICE \
        man/man1/clone-hadoop.1 man/man1/criu-remote-clone.1 man/man8/install-node.8 docs/install.md examples/trial-job.jar; do
        [[ -s $part ]] || fail "no $part"
    done
    for part in bin/* sbin/* native/bin/*; do
        [[ -x $part ]] || fail "$part isn't executable"
    done
    # By a name without a version.
    for part in hadoop-clone-speculator hdfs-stream-repair hdfs-duplicate-reads; do
        [[ $(readlink lib/$part.jar) == "$part-$(<VERSION).jar" ]]
    done
}

fail() {
    echo "$1"
    return 1
}

@test "nothing that is for operators is among the cluster's jars" {
    cd "$RELEASE/lib"
    local jars=(*.jar)
    ((${#jars[@]} == 6))
    run ! grep -E 'picocli|fasterxml' <(jar --list --file hadoop-clone-speculator.jar)
}

@test "snippets of configuration name classes that the jars have" {
    local jar file class classes
    for jar in hadoop-clone-speculator hdfs-duplicate-reads; do
        jar --list --file "$RELEASE/lib/$jar.jar"
    done >"$BATS_TEST_TMPDIR/classes"
    for file in "$RELEASE"/conf/*.xml; do
        mapfile -t classes < <(grep -o 'org\.apache\.hadoop\.clone[.A-Za-z]*' "$file")
        ((${#classes[@]}))
        for class in "${classes[@]}"; do
            grep -q "${class//.//}.class" "$BATS_TEST_TMPDIR/classes"
        done
    done
    [[ $(ls "$RELEASE/conf") == $'core-site-duplicate-reads.xml\nhdfs-site-duplicate-reads.xml\nmapred-site-clones-per-spill.xml\nmapred-site-clones.xml\nmapred-site-shadow.xml' ]]
}

@test "each command says what it is for, and a wrong one what there is" {
    local command
    for command in check report shadow history disable enable; do
        run -0 --separate-stderr "$RELEASE/bin/clone-hadoop" $command --help
        [[ -z $stderr && $output == *"clone-hadoop $command"* ]]
    done
    run -0 "$RELEASE/bin/clone-hadoop" --help
    [[ $output == *check*shadow*report*history*disable*enable* ]]
    run -0 "$RELEASE/bin/clone-hadoop" --version
    [[ $output == "clone-hadoop $(<"$RELEASE/VERSION")" ]]
    run -2 "$RELEASE/bin/clone-hadoop" nope
    [[ $output == *"what is 'nope'?"* ]]
    run -0 "$RELEASE/sbin/install-node" --help
    [[ $output == *--dry-run*--remove* ]]
}

# on_node COMMAND...: with mounts of its own, and nothing of ours installed.
on_node() {
    # shellcheck disable=SC2016 # for the shell over there
    unshare --mount bash -ec '
        mount -t tmpfs node /opt
        mount -t tmpfs node /usr/local
        mkdir -p /usr/local/bin
        eval "$1"' - "$1"
}

need_mounts() {
    ((EUID == 0)) && unshare --mount true 2>/dev/null && return
    [[ ${CI:-} != true ]] || fail "not root, and this is CI"
    skip "not root"
}

@test "the programs need nothing of the node's distribution" {
    need_mounts
    local root=$BATS_TEST_TMPDIR/root program
    mkdir -p "$root/opt/clonehadoop"
    cp -r "$RELEASE/native" "$root/opt/clonehadoop/criu"
    for program in criu criu-remote-clone; do
        run -0 chroot "$root" /opt/clonehadoop/criu/bin/$program --version
    done
    [[ $output == "criu-remote-clone $(<"$RELEASE/VERSION")" ]]
}

@test "a node gets what it needs, for a group, once, and loses all of it again" {
    need_mounts
    # Where containers' users get at it.
    local hadoop=/usr/local/hadoop
    export RELEASE hadoop
    run -0 on_node '
        mkdir -p "$hadoop/share/hadoop/mapreduce"
        "$RELEASE/sbin/install-node" --hadoop "$hadoop" --group backup --dry-run | tail -n 1
        [[ -z $(ls /opt) ]]
        "$RELEASE/sbin/install-node" --hadoop "$hadoop" --group backup
        criu-remote-clone --version
        cmp "$RELEASE/lib/hadoop-clone-speculator.jar" "$hadoop/share/hadoop/mapreduce/hadoop-clone-speculator.jar"
        [[ $(stat --format "%G %a" /opt/clonehadoop/criu/bin/criu-user) == "backup 750" ]]
        setpriv --reuid backup --regid backup --clear-groups criu-remote-clone check --json | jq --raw-output \
            ".requirements[] | select(.name == \"rights\") | .status"
        printf "127.0.0.%d\n" 1 2 >/usr/local/nodes
        "$RELEASE/bin/clone-hadoop" check --hosts /usr/local/nodes --via "env HOST={}" --user backup --hadoop "$hadoop" \
            --classes-out /usr/local/classes.xml --json /usr/local/check.json
        grep -o "<value>127.0.0.1,127.0.0.2<" /usr/local/classes.xml
        jq --raw-output ".able, .nodes[1].facts.our_jars" /usr/local/check.json
        rm /usr/local/{nodes,classes.xml,check.json}
        echo again
        "$RELEASE/sbin/install-node" --hadoop "$hadoop"
        echo removal
        "$RELEASE/sbin/install-node" --hadoop "$hadoop" --remove
        [[ -z $(find /opt /usr/local ! -type d) ]]'
    echo "$output"
    [[ ${lines[0]} == *"nothing was changed" ]]
    [[ $output == *$'\npass\n'*"2 of 2 nodes can clone, in 1 class"*"<value>127.0.0.1,127.0.0.2<"*true*$'\nagain\n'*"ready"$'\n'removal* ]]
    # The second time there was nothing to be done.
    [[ $(sed -n '/^again$/,/^removal$/p' <<<"$output") != *" will "* ]]
}

@test "a jar that containers can't read doesn't pass, and is opened" {
    need_mounts
    export RELEASE hadoop=/usr/local/hadoop
    run -0 on_node '
        umask 022
        jars=$hadoop/share/hadoop/mapreduce
        mkdir -p "$jars"
        echo 127.0.0.1 >/usr/local/nodes
        check() {
            echo "$1"
            "$RELEASE/bin/clone-hadoop" check --all --hosts /usr/local/nodes --via "env HOST={}" --user backup --hadoop "$hadoop" \
                | grep "hadoop-clone-speculator.jar" || true
        }
        "$RELEASE/sbin/install-node" --hadoop "$hadoop" --group backup
        chmod 640 "$jars/hadoop-clone-speculator.jar"
        check unreadable
        "$RELEASE/sbin/install-node" --hadoop "$hadoop"
        stat --format "mode %a" "$jars/hadoop-clone-speculator.jar"
        check opened
        # A directory stays as it is, which check says.
        chmod 750 "$jars"
        "$RELEASE/sbin/install-node" --hadoop "$hadoop" --dry-run
        check closed'
    echo "$output"
    local missing="hadoop-clone-speculator.jar isn't there, or containers can't read it"
    [[ $output == *$'\nunreadable\n'*"$missing"*"will install $hadoop/"*"mode 644"*$'\nopened\n'*$'\nclosed\n'*"$missing"* ]]
    [[ $(sed -n '/^opened$/,/^closed$/p' <<<"$output") != *"$missing"* ]]
    [[ $(sed -n '/^opened$/,/^closed$/p' <<<"$output") != *"will install"* ]]
}

@test "an upgrade brings all jars of ours on a node to its release, and a strict umask closes nothing" {
    need_mounts
    local hadoop=$BATS_TEST_TMPDIR/hadoop
    mkdir -p "$hadoop/share/hadoop/mapreduce" "$hadoop/share/hadoop/hdfs"
    export RELEASE hadoop
    run -0 on_node '
        umask 077
        echo old | tee "$hadoop"/share/hadoop/hdfs/hdfs-{stream-repair,duplicate-reads}.jar >/dev/null
        "$RELEASE/sbin/install-node" --jars "$hadoop/share/hadoop/mapreduce" --group backup
        for jar in mapreduce/hadoop-clone-speculator hdfs/hdfs-stream-repair hdfs/hdfs-duplicate-reads; do
            cmp "$RELEASE/lib/${jar#*/}.jar" "$hadoop/share/hadoop/$jar.jar"
        done
        setpriv --reuid backup --regid backup --clear-groups criu-remote-clone --version
        [[ $(stat --format %a /opt/clonehadoop) == 755 ]]
        [[ $(stat --format %a "$hadoop/share/hadoop/hdfs/hdfs-stream-repair.jar") == 644 ]]
        # What an earlier one left closed is opened.
        chmod 700 /opt/clonehadoop
        "$RELEASE/sbin/install-node" --jars "$hadoop/share/hadoop/mapreduce"
        setpriv --reuid backup --regid backup --clear-groups criu-remote-clone --version
        # Closed to nobody is open enough, such as where /opt hands its group on.
        chmod 2755 /opt/clonehadoop
        would=$("$RELEASE/sbin/install-node" --jars "$hadoop/share/hadoop/mapreduce" --dry-run 2>&1)
        [[ $would == *"nothing was changed"* && $would != *"will install"* ]]
        # One that was put there by hand stays, as it was put there by hand.
        "$RELEASE/sbin/install-node" --hadoop "$hadoop" --remove'
    echo "$output"
    [[ $(ls "$hadoop/share/hadoop/hdfs") == hdfs-duplicate-reads.jar && -z $(ls "$hadoop/share/hadoop/mapreduce") ]]
    # None is put where there was none.
    run -0 on_node '
        "$RELEASE/sbin/install-node" --jars "$hadoop/share/hadoop/mapreduce"
        [[ ! -e $hadoop/share/hadoop/hdfs/hdfs-stream-repair.jar ]]'
}

@test "what is wrong is said, and nothing is changed" {
    need_mounts
    export RELEASE
    run -1 on_node '"$RELEASE/sbin/install-node" --group no-such-group'
    [[ $output == *"no group 'no-such-group'"* ]]
    run -1 on_node '"$RELEASE/sbin/install-node" --hadoop /usr/lib'
    [[ $output == *"/usr/lib is no Hadoop home"* ]]
    run -1 on_node '"$RELEASE/sbin/install-node" --jars /no/such/directory'
    [[ $output == *"/no/such/directory isn't there: name a directory that containers have on their class path"* ]]
    run -1 on_node 'cp -r "$RELEASE" /usr/local/release
        echo riscv64 >/usr/local/release/native/ARCHITECTURE
        /usr/local/release/sbin/install-node'
    [[ $output == *"this release is for riscv64"* ]]
}

@test "clones are switched off and on for all, a queue and a user, by the configured file" {
    local switch=$BATS_TEST_TMPDIR/switch turn
    export HADOOP_HOME=$BATS_TEST_DIRNAME/../../cluster/target/hadoop HADOOP_CONF_DIR=$BATS_TEST_TMPDIR
    cat >"$HADOOP_CONF_DIR/mapred-site.xml" <<END
<configuration><property><name>mapreduce.clone.switch.file</name> <value>file://$switch</value></property>
<!-- as it was:
  <property><name>mapreduce.clone.switch.file</name><value>file:///of/before</value></property>
--></configuration>
END
    echo "<configuration/>" >"$HADOOP_CONF_DIR/core-site.xml"
    # Without a file clones are off for all: one for a queue would switch them on for all others.
    run -1 "$RELEASE/bin/clone-hadoop" disable --queue production
    [[ $output == *"so clones are off for all: 'clone-hadoop enable' makes it"* && ! -e $switch ]]
    # As without a statement.
    echo '# ours' >"$switch"
    for turn in disable enable; do
        run -1 "$RELEASE/bin/clone-hadoop" $turn --queue production
        [[ $output == *"has no statement, so clones are off for all: 'clone-hadoop enable' writes one"* && $(<"$switch") == '# ours' ]]
    done
    rm "$switch"
    run -0 "$RELEASE/bin/clone-hadoop" enable
    run -0 "$RELEASE/bin/clone-hadoop" disable --queue production
    [[ $output == *"says now: off queue production" && $(<"$switch") == "off queue production" ]]
    run -0 "$RELEASE/bin/clone-hadoop" disable
    [[ $(<"$switch") == $'off queue production\noff' ]]
    run -0 "$RELEASE/bin/clone-hadoop" enable
    run -0 "$RELEASE/bin/clone-hadoop" enable --queue production
    [[ $(<"$switch") == on ]]
    run -2 "$RELEASE/bin/clone-hadoop" disable --queue a --user b
    [[ $output == *"exclude each other"* && $(<"$switch") == on ]]
    run -2 "$RELEASE/bin/clone-hadoop" disable --queue ''
    [[ $output == *"--queue needs a name, not ''"* && $(<"$switch") == on ]]
}

@test "what two operators say of the switch at once isn't lost" {
    local switch=$BATS_TEST_TMPDIR/switch
    local real=$BATS_TEST_DIRNAME/../../cluster/target/hadoop/bin/hadoop
    export HADOOP_HOME=$BATS_TEST_TMPDIR/home HADOOP_CONF_DIR=$BATS_TEST_TMPDIR
    mkdir -p "$HADOOP_HOME/bin"
    # Another operator, if there is one, writes just before this one's file takes the old one's place.
    cat >"$HADOOP_HOME/bin/hadoop" <<END
#!/bin/bash
if [[ \$* == *ReplaceFile* && -e $switch.other ]]; then
    rm -f '$BATS_TEST_TMPDIR/.switch.crc'
    mv '$switch.other' '$switch'
fi
unset HADOOP_HOME
exec '$real' "\$@"
END
    chmod +x "$HADOOP_HOME/bin/hadoop"
    echo "<configuration/>" >"$HADOOP_CONF_DIR/core-site.xml"
    # In another encoding than UTF-8, and with more between a name and its value.
    printf '<?xml version="1.0" encoding="ISO-8859-1"?><configuration><!-- \xe9 --><property><name>mapreduce.clone.switch.file</name><final>true</final>
<value>file://%s</value></property></configuration>' "$switch" >"$HADOOP_CONF_DIR/mapred-site.xml"
    # With no file yet, with one for all, and for a queue.
    echo 'off user ann' >"$switch.other"
    run -1 "$RELEASE/bin/clone-hadoop" enable
    [[ $output == *"clone-hadoop: file://$switch was changed by somebody else meanwhile: try again" && $(<"$switch") == 'off user ann' ]]
    echo on >"$switch.other"
    run -1 "$RELEASE/bin/clone-hadoop" disable
    [[ $output == *"was changed by somebody else meanwhile: try again" && $(<"$switch") == on ]]
    echo 'off user bob' >"$switch.other"
    run -1 "$RELEASE/bin/clone-hadoop" disable --queue etl
    [[ $output == *"was changed by somebody else meanwhile: try again" && $(<"$switch") == 'off user bob' ]]
    [[ $(find "$BATS_TEST_TMPDIR" -name '*clone-hadoop-*') == '' ]]
    run -0 "$RELEASE/bin/clone-hadoop" disable --queue etl
    [[ $(<"$switch") == $'off user bob\noff queue etl' ]]
    run -0 "$RELEASE/bin/clone-hadoop" enable --queue root.etl
    [[ $output == *"didn't say otherwise: off user bob"* ]]
}

@test "the switch file stays as writable as it was, and readable for all" {
    local switch=$BATS_TEST_TMPDIR/switch
    export HADOOP_HOME=$BATS_TEST_DIRNAME/../../cluster/target/hadoop HADOOP_CONF_DIR=$BATS_TEST_TMPDIR
    echo "<configuration><property><name>fs.permissions.umask-mode</name><value>077</value></property></configuration>" \
        >"$HADOOP_CONF_DIR/core-site.xml"
    run -0 "$RELEASE/bin/clone-hadoop" disable --file "file://$switch"
    [[ $(stat -c %a "$switch") == 644 ]]
    chmod 660 "$switch"
    run -0 "$RELEASE/bin/clone-hadoop" enable --file "file://$switch"
    [[ $(stat -c %a "$switch") == 664 && $(<"$switch") == on ]]
    [[ $(find "$BATS_TEST_TMPDIR" -name '*clone-hadoop-*') == '' ]]
}

@test "the switch file is there at each moment, and stays as it was where it can't be replaced" {
    local switch=$BATS_TEST_TMPDIR/switch
    local real=$BATS_TEST_DIRNAME/../../cluster/target/hadoop/bin/hadoop
    export HADOOP_HOME=$BATS_TEST_TMPDIR/home HADOOP_CONF_DIR=$BATS_TEST_TMPDIR
    mkdir -p "$HADOOP_HOME/bin"
    echo "<configuration/>" >"$HADOOP_CONF_DIR/core-site.xml"
    # It is there before and after each of the steps, and the last one doesn't come off.
    cat >"$HADOOP_HOME/bin/hadoop" <<END
#!/bin/bash
ls '$switch' >>'$BATS_TEST_TMPDIR/seen'
if [[ \$* == *ReplaceFile* && -e '$BATS_TEST_TMPDIR/broken' ]]; then
    [[ ! -e '$BATS_TEST_TMPDIR/stopped' ]] || { kill -TERM \$PPID; exec sleep 60; }
    printf '%s\n' 'WARNING: HADOOP_PREFIX has been replaced' 'ReplaceFile: no permission' >&2
    exit 1
fi
unset HADOOP_HOME
exec '$real' "\$@"
END
    chmod +x "$HADOOP_HOME/bin/hadoop"
    echo on >"$switch"
    run -0 "$RELEASE/bin/clone-hadoop" disable --file "file://$switch"
    [[ $(<"$switch") == off && $(sort -u "$BATS_TEST_TMPDIR/seen") == "$switch" ]]
    touch "$BATS_TEST_TMPDIR/broken"
    run -1 "$RELEASE/bin/clone-hadoop" enable --file "file://$switch"
    [[ $output == *"can't write file://$switch, which is as it was: ReplaceFile: no permission"* && $(<"$switch") == off ]]
    touch "$BATS_TEST_TMPDIR/stopped"
    run -143 "$RELEASE/bin/clone-hadoop" enable --file "file://$switch"
    [[ $(<"$switch") == off ]]
    [[ $(find "$BATS_TEST_TMPDIR" -name '*clone-hadoop-*') == '' ]]
}

@test "without a file to write, it is said how to name one" {
    export HADOOP_HOME=$BATS_TEST_DIRNAME/../../cluster/target/hadoop HADOOP_CONF_DIR=$BATS_TEST_TMPDIR
    run -1 "$RELEASE/bin/clone-hadoop" disable
    [[ $output == *"there is no $HADOOP_CONF_DIR/mapred-site.xml: set HADOOP_CONF_DIR, or give --file"* ]]
    echo "<configuration/>" >"$HADOOP_CONF_DIR/mapred-site.xml"
    run -1 "$RELEASE/bin/clone-hadoop" disable
    [[ $output == *"set mapreduce.clone.switch.file in $HADOOP_CONF_DIR/mapred-site.xml"* ]]
    echo "<configuration/>" >"$HADOOP_CONF_DIR/core-site.xml"
    run -1 "$RELEASE/bin/clone-hadoop" disable --file file:///no/such/directory/file
    [[ $output == *"can't write file:///no/such/directory/file"* ]]
}
