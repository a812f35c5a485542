# Kills processes of a cluster's job at random, starts daemons again, and counts what is left when the job is over.
# Source cluster.bash first. Choices are RANDOM's, so that a seed repeats them.
#
#   attach_to_cluster          must be called in the cluster's directory CLUSTER_DIR, once it runs
#   note_before                what there is on each host before any job
#   begin_kills                of another job
#   kill_somebody              one of those whom stock forgives, if there is any; notes it in $results/kills-of-job
#   restart_dead               daemons that were killed
#   left_behind                a JSON list of what a job has left on the hosts, when it has had its time to end
#
# shellcheck disable=SC2154 # results, scratch, hosts are the sourcing script's

# Those that are seldom there come more often.
readonly victims=(original clone{,,,} serve{,,,} pull{,,,} criu{,,,,,} appmaster nodemanager datanode)

# By stock's rules the last of mapreduce.am.max-attempts (2) ends a job, and the last of mapreduce.map.maxattempts of
# a task. A daemon's death counts as neither.
readonly most_appmasters=1 most_of_a_task=2

# What a job's processes may take to end: an original that nobody ends asks its AppMaster for half a minute.
readonly last_orders=120

attach_to_cluster() {
    cluster=$CLUSTER_DIR
    # shellcheck source=/dev/null # written by start
    source "$cluster/settings"
    find_hosts
}

begin_kills() {
    : >"$results/kills-of-job"
    appmasters_killed=0
    declare -gA of_task=()
}

# The namespaces of workers, e.g. netns_of_hosts net: their inodes.
namespaces() {
    local host
    for ((host = 1; host <= hosts; host++)); do
        stat --dereference --format %i "/proc/$(pid_of "h$host")/ns/$1"
    done
}

# Prints "PID PIDNS COMMAND" for each process on a worker. A clone has its original's command, and PIDs of its own.
on_workers() {
    ps -eo netns=,pid=,pidns=,args= | awk -v networks="$(namespaces net | paste -sd ' ')" '
        BEGIN { n = split(networks, list, " "); for (i = 1; i <= n; i++) ours[list[i]] = 1 }
        $1 in ours { $1 = ""; print substr($0, 2) }'
}

# candidates VICTIM: their PIDs.
candidates() {
    local own
    own=$(namespaces pid | paste -sd '|')
    case $1 in
        original) on_workers | awk -v own="^($own)\$" '$2 ~ own && /java.* org.apache.hadoop.mapred.[A-Za-z]*Child/ && !/bash -c/ && !/criu-remote-clone/ { print $1 }' ;;
        clone) on_workers | awk -v own="^($own)\$" '$2 !~ own && /java.* org.apache.hadoop.mapred.[A-Za-z]*Child/ && !/bash -c/ && !/criu-remote-clone/ { print $1 }' ;;
        serve | pull) on_workers | awk -v what="criu-remote-clone $1" 'index($0, what) && !/bash -c/ { print $1 }' ;;
        criu) on_workers | awk '/(^|[ \/])criu (dump|restore) / { print $1 }' ;;
        appmaster) on_workers | awk '/java.*appmaster.CloneAppMaster/ && !/bash -c/ { print $1 }' ;;
        nodemanager) on_workers | awk '/nodemanager.NodeManager$/ { print $1 }' ;;
        datanode) on_workers | awk '/datanode.DataNode$/ { print $1 }' ;;
    esac
}

# forgiven VICTIM PID: whether stock's job would survive it. Only one daemon of a kind is dead at once.
forgiven() {
    local task
    case $1 in
        appmaster) ((appmasters_killed++ < most_appmasters)) ;;
        original)
            task=$(tr '\0' ' ' <"/proc/$2/cmdline" | grep -oE 'attempt_[0-9]+_[0-9]+_[mr]_[0-9]+') || return 1
            ((of_task[$task] = ${of_task[$task]:-0} + 1))
            ((of_task[$task] <= most_of_a_task))
            ;;
        nodemanager | datanode) workers_are_in ;;
    esac
}

# Nobody is killed while stock's own job runs.
kill_somebody() {
    local victim=${victims[RANDOM % ${#victims[@]}]} choice=$RANDOM found pid
    restart_dead
    [[ -n $(candidates appmaster) ]] || return
    mapfile -t found < <(candidates "$victim")
    ((${#found[@]})) || return
    pid=${found[choice % ${#found[@]}]}
    forgiven "$victim" "$pid" || return
    kill -KILL "$pid" 2>/dev/null || return
    echo "$victim" >>"$results/kills-of-job"
    echo "$(date -u +%T) $1 $victim $pid" >>"$results/kills.log"
}

# As init systems do it. A NodeManager finds nothing of its containers, and the ResourceManager takes them for lost.
restart_dead() {
    local name host
    for ((host = 1; host <= hosts; host++)); do
        for name in nodemanager datanode; do
            if has_ended "$name-h$host"; then
                sed -i "/^$name-h$host /d" "$cluster/processes"
                start_daemon "$name" "$host" 256m "$([[ $name == datanode ]] && echo hdfs || echo yarn)" "$name"
            fi
        done
    done
}

# --- What is left ---

note_before() {
    local host
    for ((host = 1; host <= hosts; host++)); do
        things_on "$host" >"$scratch/before-$host"
    done
}

# on_host N COMMAND...: in its mounts, network and processes.
on_host() {
    nsenter --target "$(pid_of "h$1")" --mount --net --pid --ipc --uts -- "${@:2}"
}

# A line for each thing on a host that a job may have left: processes of tasks and tools and those that are
# stopped, namespaces, mounts, sockets that listen, leases that are held, files in memory, containers' directories.
things_on() {
    # shellcheck disable=SC2016 # for the shell over there
    on_host "$1" bash -c '
        ps -eo stat=,args= | grep -E "^[Tt]|mapred\.[A-Za-z]*Child |AppMaster|criu" | grep -vE "grep|bash -c" \
            | cut -c 1-160 | sed "s/^/process: /"
        ps -eo pidns=,mntns= | sort -u | wc -l | sed "s/^/namespaces: /"
        findmnt --noheadings --raw --types tmpfs --output TARGET | sed "s/^/mount: /"
        ss --no-header --listening --tcp --numeric | wc -l | sed "s/^/listening sockets: /"
        for slot in /run/criu-remote-clone/slot-*; do
            [[ ! -e $slot ]] || grep ":$(stat --format %i "$slot") " /proc/locks | sed "s/.*/lease: held/"
        done
        find /dev/shm -mindepth 1 | sed "s/^/in memory: /"
        find "$1/local/nm/usercache" -mindepth 3 -maxdepth 3 -path "*/appcache/*" 2>/dev/null | sed "s/^/directory: /"
        true' - "$cluster" | sort
}

# Prints what is on a host beyond what was before.
new_on() {
    comm -13 "$scratch/before-$1" <(things_on "$1") | sed "s/^/h$1 /"
}

nothing_new() {
    local host
    for ((host = 1; host <= hosts; host++)); do
        [[ -z $(new_on "$host") ]] || return 1
    done
}

left_behind() {
    local host
    wait_for 60 workers_are_in || true
    wait_for "$last_orders" nothing_new || true
    for ((host = 1; host <= hosts; host++)); do
        new_on "$host"
    done | jq --raw-input --slurp --compact-output 'split("\n") | map(select(. != ""))'
}
