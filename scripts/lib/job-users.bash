# SPDX-License-Identifier: Apache-2.0
# Users of scripts/cluster --job-users: the hosts know them, this machine doesn't. Their containers are their own, by the
# LinuxContainerExecutor. Source cluster.bash first.

# shellcheck disable=SC2154 # cluster, repository, job_users are the sourcing script's

# Ids that no distribution gives to anybody. The first is that of the group whose members may clone.
readonly first_job_user_id=61184

# job_user_id USER: also the id of the group of that name.
job_user_id() {
    local user id=$first_job_user_id
    for user in $job_users; do
        ((id += 1))
        [[ $user != "$1" ]] || echo "$id"
    done
}

# Their entries beside this machine's, and a CRIU with the right to image what is theirs.
admit_job_users() {
    local user id criu
    cp /etc/passwd /etc/group "$cluster/etc/"
    echo "clone-hadoop:x:$first_job_user_id:${job_users// /,}" >>"$cluster/etc/group"
    for user in $job_users; do
        ! id "$user" &>/dev/null || die "$usage_error" "--job-users: this machine has a user '$user'; take another name"
        id=$(job_user_id "$user")
        echo "$user:x:$id:$id::/:/bin/bash" >>"$cluster/etc/passwd"
        echo "$user:x:$id:" >>"$cluster/etc/group"
    done
    setpriv --reuid "$id" --regid "$id" --clear-groups --inh-caps=-all -- test -x "$cluster/hadoop" \
        || die "$not_here" "job users can't get to $cluster: name another directory with --dir"
    if criu=$(find_criu); then
        grant "$criu" "$container_criu" "$first_job_user_id" \
            || die "$not_here" "the file system of $cluster has no file capabilities: name another directory with --dir"
    fi
}

# Prints, a line each, NodeManagers' options for them.
job_users_executor() {
    printf -- '-D\n%s\n' \
        yarn.nodemanager.container-executor.class=org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor \
        yarn.nodemanager.linux-container-executor.group=root \
        yarn.nodemanager.linux-container-executor.nonsecure-mode.limit-users=false
}

# Prints, a line each, the words before a command that becomes that user's.
rights_of() {
    printf '%s\n' setpriv --reuid "$1" --regid "$(job_user_id "$1")" --init-groups --inh-caps=-all --
}

# In HDFS: their own directories, and those that jobs of several users share.
make_homes() {
    local user
    for user in $job_users; do
        dfs -mkdir -p "/user/$user" && dfs -chown "$user" "/user/$user" || return 1
    done
    dfs -chmod 755 /history && dfs -chmod 1777 /tmp /history/intermediate
}

# What Hadoop's secure shuffle needs of libhadoop.so, where Hadoop's own scripts look for it.
install_native_io() {
    local from=$repository/native-io/target log
    if [[ ! -e $from/native-io.jar ]]; then
        say "getting libhadoop.so"
        log=$(mktemp --tmpdir clone-hadoop-native-io.XXXXXX.log)
        mvn --batch-mode --quiet --file "$repository/native-io/pom.xml" -DskipTests package &>"$log" \
            || die "$no_artifacts" "can't make libhadoop.so: $(grep -m 1 ERROR "$log" | sed 's/\x1b\[[0-9;]*m//g'); all of it in $log"
        rm "$log"
    fi
    mkdir -p "$cluster/hadoop/lib/native"
    cp "$from"/libhadoop.so* "$cluster/hadoop/lib/native/"
    cp "$from/native-io.jar" "$cluster/hadoop/share/hadoop/lib/"
}
