# SPDX-License-Identifier: Apache-2.0
# A rack for tests and benchmarks: a client, a router that is to become the switch, and servers, each a
# network namespace on a link of its own to the router. Needs root. Nothing shows up in the machine's
# own network, and nothing stays: a namespace is held by a process that dies with the shell.
#
#   network_up N         makes the hosts client, router, s1..sN
#   hosts_up NAME...     makes hosts only, without links
#   on HOST COMMAND...   runs a command there; it sees the machine's files, and bpffs
#   start_on HOST LOG COMMAND...   starts one that goes on, as process $started
#   network_down         ends every process on the hosts, and the hosts
#
# The client is 10.1.0.2, server N 10.2.N.2, and services' addresses are 10.99.0.0/24, by the router.

# Exported for bats, whose tests are processes of their own.
network_up() {
    local count=$1 host names=(client router)
    for ((host = 1; host <= count; host++)); do
        names+=("s$host")
    done
    hosts_up "${names[@]}"
    for host in "${names[@]}"; do
        on "$host" ip link set lo up
    done
    on router sysctl -q net.ipv4.ip_forward=1
    on router ip route add unreachable 10.99.0.0/24 # as the set-up says
    link client 10.1.0
    for ((host = 1; host <= count; host++)); do
        link "s$host" "10.2.$host"
    done
}

hosts_up() {
    local host ours pid
    export NETWORK_PIDS='' NETWORK_NETS=''
    if [[ -z $(trap -p EXIT) ]]; then
        trap network_down EXIT
    fi
    for host in "$@"; do
        setpriv --pdeathsig KILL unshare --net sleep infinity </dev/null &>/dev/null 3>&- &
        NETWORK_PIDS+="$! "
        export "NETWORK_PID_${host//-/_}=$!"
        disown
    done
    ours=$(readlink /proc/self/ns/net)
    for pid in $NETWORK_PIDS; do
        until [[ $(readlink "/proc/$pid/ns/net") != "$ours" ]]; do
            kill -0 "$pid" 2>/dev/null || return
            sleep 0.01
        done
        NETWORK_NETS+="$(readlink "/proc/$pid/ns/net") "
    done
}

# The router's port has the host's name.
link() {
    local host=$1 prefix=$2
    on router ip link add "$host" type veth peer name eth0 netns "$(pid_of "$host")"
    on router ip address add "$prefix.1/24" dev "$host"
    on router ip link set "$host" up
    on "$host" ip address add "$prefix.2/24" dev eth0
    on "$host" ip link set eth0 up
    on "$host" ip route add default via "$prefix.1"
}

# A variable for each, for bats makes each command of a loop dear.
pid_of() {
    local variable=NETWORK_PID_${1//-/_}
    if [[ -z ${!variable:-} ]]; then
        echo "there is no host $1" >&2
        return 1
    fi
    echo "${!variable}"
}

# nsenter, for `ip netns exec` mounts another /sys, without bpffs.
on() {
    nsenter --net="/proc/$(pid_of "$1")/ns/net" -- "${@:2}"
}

start_on() {
    local host=$1 log=$2
    (exec nsenter --net="/proc/$(pid_of "$host")/ns/net" -- "${@:3}") </dev/null &>"$log" 3>&- &
    # shellcheck disable=SC2034 # for the caller
    started=$!
    disown
}

# The pids of all processes on the hosts, the holders among them.
network_processes() {
    local net process
    while read -r net process; do
        if [[ " ${NETWORK_NETS:-} " == *" $net "* ]]; then
            process=${process#/proc/}
            echo "${process%/ns}"
        fi
    done < <(find /proc/[0-9]*/ns/net -maxdepth 0 -printf '%l %h\n' 2>/dev/null)
}

network_down() {
    local pids
    [[ -n ${NETWORK_NETS:-} ]] || return 0
    while mapfile -t pids < <(network_processes) && ((${#pids[@]})); do
        kill -KILL "${pids[@]}" 2>/dev/null || true
        sleep 0.02
    done
    NETWORK_PIDS='' NETWORK_NETS=''
}
