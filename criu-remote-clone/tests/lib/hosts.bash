# SPDX-License-Identifier: Apache-2.0
# Hosts for tests, the demo and the benchmarks: network namespaces on a bridge in a namespace of its
# own, so that nothing shows up in the machine's own network. Needs root.
#
#   hosts_up N         makes hosts 1..N, 10.77.0.1 and so on
#   on HOST COMMAND    runs a command there
#   host_address HOST  prints the host's address
#   link_rate HOST RATE|none   limits a host's link in both directions, e.g. 1gbit
#   hosts_down         ends every process on the hosts, and the hosts
#
# A host is held by a process that dies with the shell that called hosts_up, so nothing stays even
# if that is killed. Sets of hosts of different callers know nothing of each other. Unless there
# is an EXIT trap already (bats has one), hosts_up makes hosts_down one.
#
#   leaks_snapshot FILE [DIRECTORY...]   notes what is there now that a clone could leave behind
#   leaks_check FILE [DIRECTORY...]      waits until nothing is there that wasn't then, for
#                                        LEAKS_SECONDS (10); else says what is left, and fails

# Exported so that the processes of a bats file share them: HOSTS (how many), HOST_PIDS and
# HOST_NETS (words; the bridge's namespace first, then host 1, 2, ...).

# TCP is stock Linux's, whatever this machine has: CUBIC, or at least what every namespace may have.
# BBR, for one, paces by a timer for every 64 KiB, which costs a virtual machine more than to send
# them.
hosts_up() {
    local count=$1 host algorithm pids nets=() congestion_control=/proc/sys/net/ipv4/tcp_congestion_control
    HOST_PIDS=
    export HOSTS=$count HOST_PIDS HOST_NETS
    if [[ -z $(trap -p EXIT) ]]; then
        trap hosts_down EXIT
    fi
    for ((host = 0; host <= count; host++)); do
        setpriv --pdeathsig KILL unshare --net sleep infinity </dev/null &>/dev/null 3>&- &
        HOST_PIDS+=" $!"
        disown
    done
    read -ra pids <<<"$HOST_PIDS"
    for host in "${!pids[@]}"; do
        hosts_wait_for_namespace "${pids[host]}" || return
        nets+=("$(readlink "/proc/${pids[host]}/ns/net")")
        on "$host" ip link set lo up
    done
    HOST_NETS=${nets[*]}
    on 0 ip link add bridge type bridge forward_delay 0
    on 0 ip link set bridge up
    for ((host = 1; host <= count; host++)); do
        on 0 ip link add "host$host" type veth peer name eth0 netns "${pids[host]}"
        on 0 ip link set "host$host" master bridge up
        on "$host" ip address add "$(host_address "$host")/24" dev eth0
        on "$host" ip link set eth0 up
        for algorithm in reno cubic; do
            on "$host" tee "$congestion_control" <<<"$algorithm" &>/dev/null || true
        done
    done
}

# unshare(1) is a moment behind.
hosts_wait_for_namespace() {
    local ours
    ours=$(readlink /proc/self/ns/net)
    until [[ $(readlink "/proc/$1/ns/net") != "$ours" ]]; do
        if ! kill -0 "$1" 2>/dev/null; then
            echo "cannot make a network namespace (are we root?)" >&2
            return 1
        fi
        sleep 0.01
    done
}

host_address() {
    echo "10.77.0.$1"
}

on() {
    local pids
    read -ra pids <<<"$HOST_PIDS"
    nsenter --net="/proc/${pids[$1]}/ns/net" -- "${@:2}"
}

# A token bucket on both ends of the link.
link_rate() {
    local host=$1 rate=$2 bytes
    on "$host" tc qdisc delete dev eth0 root 2>/dev/null || true
    on 0 tc qdisc delete dev "host$host" root 2>/dev/null || true
    if [[ $rate == none ]]; then
        return
    fi
    bytes=$(link_burst "$rate") || return 1
    on "$host" tc qdisc add dev eth0 root handle 1: tbf rate "$rate" burst "$bytes" latency 20ms
    on 0 tc qdisc add dev "host$host" root handle 1: tbf rate "$rate" burst "$bytes" latency 20ms
}

# Prints what a link's bucket holds: what 8 ms carry (and at least an unsegmented packet). Timers of busy
# virtual machines come that late, and a smaller one would cost throughput.
link_burst() {
    local bytes
    if [[ ! $1 =~ ^([0-9]+)([mg])bit$ ]]; then
        echo "link_rate: '$1' is neither Nmbit nor Ngbit" >&2
        return 1
    fi
    bytes=$((BASH_REMATCH[1] * 1000))
    if [[ ${BASH_REMATCH[2]} == g ]]; then
        bytes=$((bytes * 1000))
    fi
    echo $((bytes < 65536 ? 65536 : bytes))
}

# Prints the pids of the processes on the hosts, the holders among them.
hosts_processes() {
    local net process
    while read -r net process; do
        if [[ $net == net:* && " ${HOST_NETS:-} " == *" $net "* ]]; then
            process=${process#/proc/}
            echo "${process%/ns}"
        fi
    done < <(find /proc/[0-9]*/ns/net -maxdepth 0 -printf '%l %h\n' 2>/dev/null)
}

hosts_down() {
    local pids
    while mapfile -t pids < <(hosts_processes) && ((${#pids[@]})); do
        kill -KILL "${pids[@]}" 2>/dev/null || true
        sleep 0.02
    done
    HOST_PIDS='' HOST_NETS='' HOSTS=0
}

# One line for each thing. Processes and unix sockets count on our hosts only, so that others'
# tests on the same machine don't disturb; an image's tmpfs that is mounted nowhere lives no longer
# than the processes that hold it open. Nor do others' files disturb: ours are those of our user, or
# of LEAKS_USER, as whom a test may run the tool. CRIU keeps what it found out about the kernel in
# criu.kdat; one that a test kills while it looks leaves a directory for that in /tmp, which nobody can
# tell from those of others' CRIUs. (Mounts and shared memory are the mount namespace's: tests/lib/own-mounts.)
leaks_now() {
    local pid fields state host pids sockets=()
    read -ra pids <<<"$HOST_PIDS"
    for pid in $(hosts_processes); do
        # PID (COMMAND) STATE ...
        read -r fields 2>/dev/null <"/proc/$pid/stat" || continue
        state=${fields##*) }
        fields=${fields#*\(}
        echo "process $pid ${fields%)*} ${state:0:1}"
    done | sed 's/ [tT]$/ stopped/; s/ [A-Z]$//'
    for ((host = 1; host <= HOSTS; host++)); do
        sockets+=("host=$host" "/proc/${pids[host]}/net/unix")
    done
    awk 'FNR > 1 { print "socket on host " host ": " $0 }' "${sockets[@]}"
    findmnt --noheadings --raw --types tmpfs --output TARGET | sed 's/^/tmpfs /'
    find /run/netns -mindepth 1 2>/dev/null | sed 's/^/namespace /'
    find /dev/shm /tmp /run -maxdepth 1 \( -name '*crc-*' -o -name '*criu*' \) -user "${LEAKS_USER:-$EUID}" \
        ! -name 'crc-unit-*' ! -name 'criu.kdat*' ! -name '.criu.move_mount_set_group.*' \
        ! -path /run/criu-remote-clone | sed 's/^/file /'
    if (($#)); then
        find "$@" 2>/dev/null | sed 's/^/file /'
    fi
}

leaks_snapshot() {
    leaks_now "${@:2}" | sort >"$1"
}

leaks_check() {
    local left until=$((SECONDS + ${LEAKS_SECONDS:-10}))
    while left=$(leaks_now "${@:2}" | sort | comm -13 "$1" -) && [[ -n $left ]]; do
        if ((SECONDS > until)); then
            echo "left behind:"
            echo "$left"
            return 1
        fi
        sleep 0.05
    done
}
