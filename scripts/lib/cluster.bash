# SPDX-License-Identifier: Apache-2.0
# The hosts of scripts/cluster and what runs on them: namespaces, daemons, limits, and their end. Source
# common.bash first, and set `cluster` to the cluster's directory, `container_user` to who runs containers, `priorities` to whether links
# have any.
#
# Everything that lives is in the file $cluster/processes, one line "NAME PID START": START, the
# process's start time, tells it from another that got its number.

# shellcheck disable=SC2154 # repository, cluster, hosts, java_home, container_user, priorities are the sourcing script's
source "$repository/criu-remote-clone/tests/lib/hosts.bash"

readonly network=10.77.0
readonly first_address=10 # of h0
readonly web_address=1

# --- Processes ---

# Prints the start time of the process $1, in clock ticks since the machine's; fails if it has ended,
# buried or not.
started_at() {
    local stat fields
    read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
    read -ra fields <<<"${stat##*) }"
    [[ ${fields[0]} != Z ]] || return 1
    echo "${fields[19]}"
}

note_process() {
    local start
    start=$(started_at "$2") || return 1
    echo "$1 $2 $start" >>"$cluster/processes"
}

# Prints "NAME PID" for every process noted that still lives; with $1, for that name only.
living() {
    local name pid start
    [[ -e $cluster/processes ]] || return 0
    while read -r name pid start; do
        if [[ -z ${1:-} || $name == "$1" ]] && [[ $(started_at "$pid") == "$start" ]]; then
            echo "$name $pid"
        fi
    done <"$cluster/processes"
}

# Whether no process noted by that name lives.
has_ended() {
    [[ -z $(living "$1") ]]
}

pid_of() {
    local _ pid
    read -r _ pid < <(living "$1") && echo "$pid"
}

# Closes every descriptor but the first three: a daemon would keep the caller's pipes open, and CRIU
# refuses to image a process that holds somebody else's.
close_descriptors() {
    local fd
    for fd in "/proc/$BASHPID/fd/"*; do
        fd=${fd##*/}
        if ((fd > 2)); then
            eval "exec $fd>&-"
        fi
    done
}

# wait_for SECONDS COMMAND...
wait_for() {
    local until=$((SECONDS + $1))
    until "${@:2}"; do
        if ((SECONDS >= until)); then
            return 1
        fi
        sleep 0.1
    done
}

# --- Hosts ---

address_of() {
    echo "$network.$((first_address + $1))"
}

# What on() and link_rate() of hosts.bash go by: the bridge first, then h0 as host 1.
find_hosts() {
    local host
    HOSTS=$((hosts + 1))
    HOST_PIDS=$(pid_of bridge) || return 1
    for ((host = 0; host <= hosts; host++)); do
        HOST_PIDS+=" $(pid_of "h$host")" || return 1
    done
}

on_bridge() {
    on 0 "$@"
}

# Starts $@ with nothing of ours, to live on when we end; its PID is in `started`.
start_detached() {
    (
        close_descriptors
        exec setsid "$@"
    ) </dev/null &>"$cluster/start.log" &
    started=$!
    # Or the shell says how it ended, behind what is wrong.
    disown "$started"
}

make_bridge() {
    start_detached unshare --net sleep infinity
    note_process bridge "$started"
    hosts_wait_for_namespace "$started"
    HOST_PIDS=$started
    on_bridge ip link add bridge type bridge forward_delay 0
    on_bridge ip link set bridge up
}

# make_host N: namespaces, view of the machine, link to the bridge. If it fails, start.log says why.
make_host() {
    local host=$1 name=h$1 init
    mkdir -p "$cluster/hosts/$name"/{local,logs}
    [[ -z $container_user ]] || chown "$container_user:" "$cluster/hosts/$name"/{local,logs}
    start_detached unshare --mount --uts --net --ipc --pid --fork --kill-child --mount-proc \
        "$repository/scripts/lib/host-init" "$name" "$cluster"
    note_process "$name-parent" "$started"
    wait_for 10 is_made "$name" "$started" && is_ready "$name" || return 1
    init=$(pgrep --parent "$started")
    note_process "$name" "$init"
    HOST_PIDS+=" $init"
    on $((host + 1)) ip link set lo up
    on_bridge ip link add "host$((host + 1))" type veth peer name eth0 netns "$init"
    on_bridge ip link set "host$((host + 1))" master bridge up
    on $((host + 1)) ip address add "$(address_of "$host")/24" dev eth0
    on $((host + 1)) ip link set eth0 up
}

is_ready() {
    [[ -e $cluster/hosts/$1/ready ]]
}

# is_made NAME PID: or won't be.
is_made() {
    is_ready "$1" || ! kill -0 "$2" 2>/dev/null
}

# Prints why this user can't have hosts on this machine, or nothing.
why_no_hosts() {
    if ((EUID != 0)); then
        echo "not root, and the hosts are namespaces; run it with sudo"
    elif ! unshare --mount --uts --net --ipc --pid --fork --mount-proc true 2>/dev/null; then
        echo "this machine doesn't let us make namespaces (in a container? it needs CAP_SYS_ADMIN)"
    fi
}

# A link from this machine's own network to the bridge, for a browser. It goes when the bridge does.
make_web_link() {
    on_bridge ip link add web type veth peer name clone-hadoop netns $$
    on_bridge ip link set web master bridge up
    ip address add "$network.$web_address/24" dev clone-hadoop
    ip link set clone-hadoop up
}

network_is_taken() {
    ip -4 route show match "$network.$web_address" | grep -qv '^default'
}

# host_command N COMMAND...: becomes the command on that host, among what is limited there.
host_command() {
    local host=$1 controller group init
    init=$(pid_of "h$host") || return 1
    for controller in cpu blkio; do
        if group=$(host_group "$controller" "$host") && [[ -d $group ]]; then
            echo "$BASHPID" >"$group/cgroup.procs"
        fi
    done
    # Here is the PID namespace's outside: what is waited for here ends with its waiter.
    exec nsenter --target "$init" --mount --uts --net --ipc --pid --wd="$PWD" -- \
        setpriv --pdeathsig TERM -- "${@:2}"
}

# --- Limits ---

# controller cpu|blkio|memory: prints where that controller's groups are: a directory of cgroup v1 or v2, which
# calls blkio io.
controller() {
    local mount name=$1
    mount=$(findmnt --noheadings --raw --types cgroup --output TARGET --options "$name" | head -n 1)
    if [[ -z $mount ]]; then
        name=${name/blkio/io}
        mount=$(findmnt --noheadings --raw --types cgroup2 --output TARGET | head -n 1)
        if [[ -z $mount ]] || ! grep -qw "$name" "$mount/cgroup.controllers"; then
            return 1
        fi
        grep -qw "$name" "$mount/cgroup.subtree_control" \
            || echo "+$name" >"$mount/cgroup.subtree_control" 2>/dev/null || return 1
    fi
    echo "$mount"
}

# cluster_groups CONTROLLER: prints what the cluster's groups there begin with.
cluster_groups() {
    local directory
    directory=$(controller "$1") || return 1
    echo "$directory/clone-hadoop-$(cksum <<<"$cluster" | cut -d ' ' -f 1)"
}

# host_group CONTROLLER N
host_group() {
    local groups
    groups=$(cluster_groups "$1") && echo "$groups-h$2"
}

# make_disk_group N: best effort; without one only its limit is impossible. Nothing else runs there yet.
make_disk_group() {
    local group
    if group=$(host_group blkio "$1") && mkdir -p "$group" 2>/dev/null; then
        pid_of "h$1" >"$group/cgroup.procs" 2>/dev/null || rmdir "$group"
    fi
}

# limit_cpu N PERCENT|none: PERCENT of one core for everything on that host together. Only such a host is a group: others'
# containers have equal shares of this machine, as if each had a core, wherever they run.
limit_cpu() {
    local group
    group=$(host_group cpu "$1") || return 1
    if [[ $2 != none ]]; then
        mkdir -p "$group" 2>/dev/null && limit_group "$group" $(($2 * 1000)) "$containers" && move_host "$1" "$group"
    elif [[ -d $group ]]; then
        leave_group "$1" "$group"
    fi
}

# limit_group GROUP MICROSECONDS|-1 SHARES: of processors, in a tenth of a second. Beside others it counts as so many.
limit_group() {
    local period=100000 shares=$(($3 < 100 ? $3 : 100))
    if [[ -e $1/cpu.max ]]; then
        echo "${2/#-1/max} $period" >"$1/cpu.max" && echo $((100 * shares)) >"$1/cpu.weight"
    else
        echo "$period" >"$1/cpu.cfs_period_us" && echo "$2" >"$1/cpu.cfs_quota_us" \
            && echo $((1024 * shares)) >"$1/cpu.shares"
    fi
}

# leave_group N GROUP: where it can. In cgroup v2 a host with a disk's limit stays, as one group is for both; and so does
# any if the group above isn't the root, which alone may have processes beside groups.
leave_group() {
    if ! grep -q . "$2/io.max" 2>/dev/null && move_host "$1" "${2%/*}" 2>/dev/null; then
        wait_for 10 rmdir "$2" 2>/dev/null
    else
        limit_group "$2" -1 1
    fi
}

# move_host N GROUP: with all its processes, also those that come to be meanwhile. What ends meanwhile can't be moved.
move_host() {
    local process before='' all
    while
        all=$(processes_of "$1") || return 1
        [[ $all != "$before" ]]
    do
        before=$all
        for process in $all; do
            echo "$process" 2>/dev/null >"$2/cgroup.procs" || [[ ! -e /proc/$process ]] || return 1
        done
    done
}

# processes_of N: by the network namespace, which clones have, too. Of some processes of others it may not be known.
processes_of() {
    local namespace
    namespace=$(readlink "/proc/$(pid_of "h$1")/ns/net") || return 1
    { find /proc/[0-9]*/ns/net -maxdepth 0 -lname "${namespace//[][]/?}" -printf '%h\n' 2>/dev/null || true; } | cut -d / -f 3
}

# limit_link N RATE|none
limit_link() {
    link_rate $(($1 + 1)) "$2"
    [[ -z ${priorities:-} || $2 == none ]] || prioritize_link $(($1 + 1)) "$2"
}

# prioritize_link HOST RATE: of a limited link. From the host by its sockets' own priority, as Linux' default qdisc
# does; that is gone at the other end of a veth, where packets go by their type of service (8, which has no other
# bit of RFC 1349's set).
prioritize_link() {
    local burst
    burst=$(link_burst "$2")
    on "$1" tc qdisc add dev eth0 parent 1:1 handle 2: pfifo_fast || return 1
    on 0 tc qdisc replace dev "host$1" root handle 3: htb default 10 \
        && on 0 tc class add dev "host$1" parent 3: classid 3:1 htb rate "$2" burst "$burst" cburst "$burst" quantum 60000 \
        && on 0 tc class add dev "host$1" parent 3:1 classid 3:10 htb rate "$2" burst "$burst" cburst "$burst" quantum 60000 prio 0 \
        && on 0 tc class add dev "host$1" parent 3:1 classid 3:20 htb rate 8kbit ceil "$2" cburst "$burst" quantum 60000 prio 7 \
        && on 0 tc filter add dev "host$1" parent 3: protocol ip u32 match ip tos 0x08 0x1e flowid 3:20
}

# --- Disks ---

# Prints why hosts can't have disks of their own on this machine, or nothing.
why_no_disks() {
    if ! controller blkio >/dev/null; then
        echo "no cgroup controller blkio (v1) or io (v2) for the limits of disks"
    elif [[ ! -e /dev/loop-control ]]; then
        echo "no loop devices for the hosts' disks (/dev/loop-control)"
    elif ! type -P vmtouch >/dev/null || ! type -P mkfs.ext4 >/dev/null; then
        echo "disks need vmtouch and mkfs.ext4; run scripts/setup"
    fi
}

# make_disk N: an image that host-init mounts. It holds what nobody misses.
make_disk() {
    local image=$cluster/hosts/h$1/disk
    mkdir -p "${image%/*}"
    truncate --size 16G "$image"
    mkfs.ext4 -q -F -N 100000 -O ^has_journal -E lazy_itable_init=0 -m 0 "$image"
}

# limit_disk N RATE: Nmb for what the host reads from its disk in a second.
limit_disk() {
    local group device rate=$((${2%mb} * 1000000)) init
    group=$(host_group blkio "$1") && [[ -d $group ]] || return 1
    init=$(pid_of "h$1") || return 1
    device=$(nsenter --target "$init" --mount mountpoint --fs-devno "$cluster/local") || return 1
    # A loop device reads ahead as far as no disk does.
    echo 128 >"/sys/dev/block/$device/queue/read_ahead_kb" || return 1
    if [[ -e $group/io.max ]]; then
        echo "$device rbps=$rate" >"$group/io.max"
    else
        echo "$device $rate" >"$group/blkio.throttle.read_bps_device"
    fi
}

# forget_blocks N: what DataNodes have read is dropped from the page cache within a second. Their own
# dfs.datanode.drop.cache.behind.reads needs libhadoop.so, which isn't among Maven's artifacts.
forget_blocks() {
    (
        close_descriptors
        cd /
        # shellcheck disable=SC2016 # for the shell over there
        host_command "$1" setsid bash -c 'while sleep 1; do vmtouch -eq "$1"; done' - "$cluster/local/data"
    ) </dev/null &>"$cluster/hosts/h$1/logs/cache.log" &
    note_process "h$1-cache" $!
}

# --- Daemons ---

# Light on this machine: they do little, and there are many.
readonly daemon_options="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"

# Prints, a line each, the words before a command that becomes the containers' user's, with his groups
# and no other rights; nothing if they are root's.
container_rights() {
    [[ -z $container_user ]] || printf '%s\n' setpriv --reuid "$container_user" \
        --regid "$(id --group "$container_user")" --init-groups --inh-caps=-all --
}

# Seconds until a daemon listens and has reported: on processors that are busy with other things it takes minutes.
readonly start_limit=240

# start_daemon NAME N HEAP PROGRAM ARGUMENT...
start_daemon() {
    local name=$1 host=$2 heap=$3 rights=()
    [[ $name != nodemanager ]] || mapfile -t rights < <(container_rights)
    (
        close_descriptors
        cd /
        # Nobody's ticket but its own keytab's. Jetty leaves its directories where they are when it is killed.
        export JAVA_HOME=$java_home HADOOP_OPTS="-Xmx$heap $daemon_options -Djava.io.tmpdir=$cluster/tmp" KRB5CCNAME=$cluster/etc/no-ticket
        host_command "$host" setsid "${rights[@]}" "$cluster/hadoop/bin/$4" --config "$cluster/conf/stock" "${@:5}"
    ) </dev/null &>"$cluster/hosts/h$host/logs/$name.log" &
    note_process "$name-h$host" $! || true
}

is_listening() {
    [[ -n $(on $(($1 + 1)) ss --no-header --listening --tcp --numeric "sport = :$2") ]]
}

# daemon_listens NAME N PORT: waits for it, and fails as soon as the daemon has died.
daemon_listens() {
    wait_for "$start_limit" listens_or_died "$@" >/dev/null && is_listening "$2" "$3"
}

listens_or_died() {
    is_listening "$2" "$3" || has_ended "$1-h$2"
}

# http_get N PORT PATH: prints the body.
http_get() {
    # shellcheck disable=SC2016 # for the shell over there
    on $(($1 + 1)) timeout 5 bash -c 'exec 3<>"/dev/tcp/$1/$2" || exit
        printf "GET %s HTTP/1.0\r\nHost: h0\r\nAccept: application/json\r\n\r\n" "$3" >&3
        sed "1,/^\r$/d" <&3' - "$(address_of "$1")" "$2" "$3" 2>/dev/null
}

active_nodes() {
    http_get 0 8088 /ws/v1/cluster/metrics | jq '.clusterMetrics.activeNodes' 2>/dev/null || echo 0
}

live_datanodes() {
    http_get 0 9870 '/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState' \
        | jq '.beans[0].NumLiveDataNodes' 2>/dev/null || echo 0
}

workers_are_in() {
    [[ $(live_datanodes) == "$hosts" && $(active_nodes) == "$hosts" ]]
}

# --- The end ---

all_ended() {
    [[ -z $(living) ]]
}

# Ends every process, and with them namespaces, mounts and links; then the directories but the logs.
tear_down() {
    local name pid host controller group
    while read -r name pid; do
        kill -KILL "$pid" 2>/dev/null || true
    done < <(living | grep -E '^(h[0-9]+|h[0-9]+-parent|bridge) ')
    wait_for 30 all_ended || return 1
    for ((host = 0; host <= ${hosts:-0}; host++)); do
        for controller in cpu blkio; do
            if group=$(host_group "$controller" "$host") && [[ -d $group ]]; then
                wait_for 10 rmdir "$group" 2>/dev/null || return 1
            fi
        done
    done
    rm -rf "${cluster:?}"/{hadoop,clone,criu,conf,etc,local,tmp,logs,start.log,settings,processes} \
        "$cluster"/hosts/*/{local,ready,disk}
}
