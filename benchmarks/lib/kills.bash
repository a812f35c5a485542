# SPDX-License-Identifier: Apache-2.0
# Kills processes of a cluster's jobs at random, starts daemons again, and counts what is left when all jobs are over.
# Source cluster.bash first. Choices are RANDOM's, so that a seed repeats them.
#
#   attach_to_cluster          must be called in the cluster's directory CLUSTER_DIR, once it runs
#   note_before                what there is before any job
#   kill_somebody              one of those whom stock forgives; waits a while for one to be there, and notes it in
#                              $results/kills.log: a line "TIME VICTIM PID APPLICATION"
#   restart_dead               daemons that were killed
#   left_behind                a JSON list of what jobs have left, when they have had their time to end
#
# shellcheck disable=SC2154 # results, scratch, hosts are the sourcing script's

# All eight kinds are waited for, so that the short lives of tools are no reason to be spared; but a NodeManager or a
# DataNode costs its host's jobs so long that fewer clones would be made.
readonly victims=(original original clone clone clone serve serve serve pull pull pull criu criu criu criu
    appmaster nodemanager datanode)

# For how long a victim is waited for, in seconds.
readonly victim_wait=15

# By stock's rules the last of mapreduce.am.max-attempts ends a job, and the last of mapreduce.map.maxattempts of
# a task. A daemon's death counts as neither.
readonly most_appmasters=1 most_of_a_task=2

# What a job's processes may take to end: an original that nobody ends asks its AppMaster for half a minute.
readonly last_orders=120

declare -A killed_of=()

attach_to_cluster() {
    cluster=$CLUSTER_DIR
    # shellcheck source=/dev/null # written by start
    source "$cluster/settings"
    find_hosts
    worker_networks=$(namespaces net | paste -sd ' ')
    worker_processes=$(namespaces pid | paste -sd '|')
    : >"$results/kills.log"
}

# The namespaces of workers, e.g. net: their inodes.
namespaces() {
    local host
    for ((host = 1; host <= hosts; host++)); do
        stat --dereference --format %i "/proc/$(pid_of "h$host")/ns/$1"
    done
}

# Prints "PID PIDNS COMMAND" for each process on a worker. A clone has its original's command, and PIDs of its own.
on_workers() {
    ps -eo netns=,pid=,pidns=,args= | awk -v networks="$worker_networks" '
        BEGIN { n = split(networks, list, " "); for (i = 1; i <= n; i++) ours[list[i]] = 1 }
        $1 in ours { $1 = ""; print substr($0, 2) }'
}

# candidates VICTIM: their PIDs.
candidates() {
    local own="^($worker_processes)\$"
    case $1 in
        original) on_workers | awk -v own="$own" '$2 ~ own && /java.* org.apache.hadoop.mapred.[A-Za-z]*Child/ && !/bash -c/ && !/criu-remote-clone/ { print $1 }' ;;
        clone) on_workers | awk -v own="$own" '$2 !~ own && /java.* org.apache.hadoop.mapred.[A-Za-z]*Child/ && !/bash -c/ && !/criu-remote-clone/ { print $1 }' ;;
        serve | pull) on_workers | awk -v what="$1" '$3 ~ /\/criu-remote-clone$/ && $4 == what { print $1 }' ;;
        criu) on_workers | awk '/(^|[ \/])criu (dump|restore) / { print $1 }' ;;
        appmaster) on_workers | awk '/java.*(CloneAppMaster|EagerAppMaster)/ && !/bash -c/ { print $1 }' ;;
        nodemanager) on_workers | awk '/nodemanager.NodeManager$/ { print $1 }' ;;
        datanode) on_workers | awk '/datanode.DataNode$/ { print $1 }' ;;
    esac
}

# named_by PID PATTERN: prints what in its command line matches.
named_by() {
    tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline" | grep -oE "$2" | head -n 1
}

# spend WHAT MOST: one more death of that; fails if it would be one too many.
spend() {
    [[ -n $1 ]] && ((${killed_of[$1]:-0} < $2)) || return
    killed_of[$1]=$((${killed_of[$1]:-0} + 1))
}

# forgiven VICTIM PID: whether stock's job would survive it. Only one daemon of a kind is dead at once.
forgiven() {
    case $1 in
        appmaster) spend "$(named_by "$2" 'application_[0-9]+_[0-9]+')" "$most_appmasters" ;;
        original) spend "$(named_by "$2" 'attempt_[0-9]+_[0-9]+_[mr]_[0-9]+')" "$most_of_a_task" ;;
        nodemanager | datanode) workers_are_in ;;
    esac
}

# Nobody is killed while only stock's own jobs run.
kill_somebody() {
    local victim=${victims[RANDOM % ${#victims[@]}]} choice=$RANDOM into=$((RANDOM % 5)) found=() deadline pid application
    [[ -n $(candidates appmaster) ]] || return
    deadline=$((SECONDS + victim_wait))
    while mapfile -t found < <(candidates "$victim") && ((${#found[@]} == 0)); do
        ((SECONDS < deadline)) || return
        sleep 0.2
    done
    # What lives for a second is met at its beginning.
    sleep "0.$into"
    pid=${found[choice % ${#found[@]}]}
    application=$(named_by "$pid" 'application_[0-9]+_[0-9]+') || true
    forgiven "$victim" "$pid" || return
    kill -KILL "$pid" 2>/dev/null || return
    echo "$(date -u +%T) $victim $pid $application" >>"$results/kills.log"
}

# As init systems do it. A NodeManager finds nothing of its containers, and the ResourceManager takes them for lost. But
# they run until they ask their AppMasters; what they write meanwhile, in directories that the new one has removed, is left.
restart_dead() {
    local name host
    for ((host = 1; host <= hosts; host++)); do
        for name in nodemanager datanode; do
            if has_ended "$name-h$host"; then
                sed -i "/^$name-h$host /d" "$cluster/processes"
                [[ $name == datanode ]] || directories_on "$host" >>"$scratch/orphaned"
                # Not as a child of this shell, which would tell how it ends.
                (start_daemon "$name" "$host" 256m "$([[ $name == datanode ]] && echo hdfs || echo yarn)" "$name")
            fi
        done
    done
}

# --- What is left ---

note_before() {
    : >"$scratch/orphaned"
    all_things >"$scratch/before"
}

all_things() {
    local host
    {
        for ((host = 1; host <= hosts; host++)); do
            things_on "$host" | sed "s/^/h$host /"
            directories_on "$host"
        done
        things_in_hdfs
    } | sort
}

# on_host N COMMAND...: in its mounts, network and processes.
on_host() {
    nsenter --target "$(pid_of "h$1")" --mount --net --pid --ipc --uts -- "${@:2}"
}

# A line for each thing on a host that a job may have left: processes of tasks and tools and those that are
# stopped, namespaces, mounts, sockets that listen, connections of others than the daemons, leases of the tool that are
# held, files in memory.
things_on() {
    # shellcheck disable=SC2016 # for the shell over there
    on_host "$1" bash -c '
        ps -eo stat=,args= | grep -E "^[Tt]|mapred\.[A-Za-z]*Child |AppMaster|criu" | grep -vE "grep|bash -c" \
            | cut -c 1-160 | sed "s/^/process: /"
        ps -eo pidns=,mntns= | sort -u | wc -l | sed "s/^/namespaces: /"
        findmnt --noheadings --raw --types tmpfs --output TARGET | sed "s/^/mount: /"
        ss --no-header --listening --tcp --numeric | wc -l | sed "s/^/listening sockets: /"
        daemons=$(pgrep --full "(NodeManager|DataNode)$" | sed "s/.*/pid=&,/" | paste -sd "|")
        ss --no-header --tcp --numeric --processes state established | grep -vE "${daemons:-^$}" \
            | sed "s/^[ 0-9]*/connection: /"
        for slot in /run/criu-remote-clone/slot-*; do
            [[ ! -e $slot ]] || grep ":$(stat --format %i "$slot") " /proc/locks | sed "s/.*/lease of the tool: held/"
        done
        find /dev/shm -mindepth 1 | sed "s/^/in memory: /"
        true'
}

# directories_on N: those of applications; may be none.
directories_on() {
    { on_host "$1" find "$cluster/local/nm/usercache" -mindepth 3 -maxdepth 3 -path "*/appcache/*" 2>/dev/null || true; } \
        | sed "s/^/h$1 directory: /"
}

# Files that somebody has open for writing, who has the leases of them, and what jobs are submitted with.
things_in_hdfs() {
    http_get 0 9870 '/jmx?qry=Hadoop:service=NameNode,name=FSNamesystem' | jq --raw-output '.beans[0]
        | "HDFS: \(.NumFilesUnderConstruction) open files", "HDFS: leases of \(.NumActiveClients) clients"' || true
    http_get 0 9870 "/webhdfs/v1/user/$(id -un)/.staging?op=LISTSTATUS&user.name=$(id -un)" | jq --raw-output '
        .FileStatuses.FileStatus[]? | "HDFS: staging of \(.pathSuffix)"' || true
}

new_things() {
    comm -13 "$scratch/before" <(all_things) | { grep --line-regexp --fixed-strings --invert-match --file "$scratch/orphaned" || true; }
}

nothing_new() {
    [[ -z $(new_things) ]] || {
        sleep 1
        return 1
    }
}

left_behind() {
    restart_dead
    wait_for "$start_limit" workers_are_in || true
    wait_for "$last_orders" nothing_new || true
    new_things | jq --raw-input --slurp --compact-output 'split("\n") | map(select(. != ""))'
}
