#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# With Kerberos, an encrypted shuffle, and containers of jobs' own users: two users' jobs at once, in each of which a reduce
# or a map straggles and is cloned. Their outputs must be right.

source "$BATS_TEST_DIRNAME/../../lib/common.bash"
source "$BATS_TEST_DIRNAME/../../lib/cluster.bash"
source "$BATS_TEST_DIRNAME/../../lib/kerberos.bash"
source "$BATS_TEST_DIRNAME/jobs.bash"
source "$BATS_TEST_DIRNAME/skips.bash"

setup_file() {
    skip_for "$(why_no_clones)"
    skip_for "$(why_not_secure)"
    export cluster_command=$repository/scripts/cluster CLUSTER_DIR=$BATS_FILE_TMPDIR/cluster
    # Containers' users must get at all that they use.
    chmod a+x "$BATS_RUN_TMPDIR" "${BATS_FILE_TMPDIR%/*}" "$BATS_FILE_TMPDIR"
    "$cluster_command" start --secure --hosts 2 --containers 6 --job-users alice,bob 3>&-
}

teardown_file() {
    stop_cluster
}

# Prints whose tasks and AppMasters run.
owners_of_tasks() {
    local host
    for host in 1 2; do
        on_cluster --host $host ps -eo user=,args= | awk '/YarnChild|CloneAppMaster/ && !/awk/ { print $1 }'
    done | sort -u | paste -sd ' '
}

both_have_tasks() {
    [[ $(owners_of_tasks) == "alice bob" ]]
}

# both COMMAND...: at once, each with its user behind it; fails if either does.
both() {
    local alice bob
    "$@" alice &
    alice=$!
    "$@" bob &
    bob=$!
    wait_for 120 both_have_tasks
    wait "$alice"
    wait "$bob"
}

# A reduce that all but stands still near its end, and one that is slow enough for that to be seen.
count_words() {
    run_job "$1" clones clone "${eager[@]}" -Dmapreduce.map.speculative=false \
        -Dclonehadoop.straggler.attempts=r_000000_0=60,r_000001_0=1000 -Dclonehadoop.straggler.after-records=50000
}

@test "a reduce of two users' jobs at once is cloned, and its clone wins" {
    local user
    make_input 4 30000
    run_job alice stock stock
    keep_output alice stock stock
    both count_words
    for user in alice bob; do
        echo "$user: $(counter "$user" clones CLONES_ORDERED) ordered, $(counter "$user" clones CLONES_WON) won"
        assert_output "$user" clones
        (($(counter "$user" clones CLONES_WON) >= 1))
        [[ $(on_cluster hadoop fs -stat '%u' "/user/$user/clones/part-r-00001" 2>/dev/null) == "$user" ]]
    done
}

# run_trial [-DKEY=VALUE...] USER: exit code 3 if no clone won.
run_trial() {
    local jar user=${!#} code=0
    jar=$(find "$repository/trial-job/target" -maxdepth 1 -name 'trial-job-*.jar' | head -n 1)
    on_cluster --user "$user" --conf clone hadoop jar "$jar" "${@:1:$#-1}" &>"$BATS_TEST_TMPDIR/$user.log" || code=$?
    ((code == 0)) || tail -n 40 "$BATS_TEST_TMPDIR/$user.log"
    return $code
}

@test "a map of two users' jobs at once is cloned, its clone wins, and reduces fetch what it made" {
    local user
    both run_trial
    for user in alice bob; do
        tail -n 1 "$BATS_TEST_TMPDIR/$user.log"
        [[ $(<"$BATS_TEST_TMPDIR/$user.log") =~ "The result is right. Clones: "[0-9]+" ordered, "[0-9]+" ran, "[1-9] ]]
    done
}

# Alice's is to have none.
run_limited_trial() {
    local code=0 expected=0
    [[ $* != *alice ]] || expected=3
    run_trial "$@" || code=$?
    ((code == expected))
}

@test "clones at once are limited by user and by queue" {
    on_cluster hadoop fs -mkdir -p /clone/slots
    on_cluster hadoop fs -chmod 755 /clone
    on_cluster hadoop fs -chmod 1777 /clone/slots
    printf '%s\n' 'limit user alice clones 0' 'limit queue default clones 1' | on_cluster hadoop fs -put - /clone/switch
    on_cluster hadoop fs -chmod 644 /clone/switch
    both run_limited_trial -Dmapreduce.clone.switch.file=/clone/switch
    tail -qn 1 "$BATS_TEST_TMPDIR"/{alice,bob}.log
    [[ $(<"$BATS_TEST_TMPDIR/alice.log") == *"The result is right. Clones: 0 ordered, 0 ran, 0 won"* ]]
    [[ $(<"$BATS_TEST_TMPDIR/bob.log") =~ "The result is right. Clones: "[0-9]+" ordered, "[0-9]+" ran, "[1-9] ]]
    # Given back, each by its user.
    [[ -z $(on_cluster hadoop fs -ls -C /clone/slots) ]]
    grep -h 'at most 0 at once in: user alice' "$CLUSTER_DIR"/hosts/h*/logs/containers/application_*/container_*/syslog
}
