# SPDX-License-Identifier: Apache-2.0
# A fat-tree of 4 ports a switch for the tests of NetRS: 4 cores, 4 pods of 2 aggregation and 2 top-of-rack
# switches, 16 hosts, each a network namespace, with the routes that a fabric's routing protocol would make.
# Names, ids and which core is connected to what are replica-plan's: tor-POD-I, aggregation-POD-I and core-I, with
# the ids 1 to 8, 9 to 16 and 17 to 20; core I is connected to the aggregation switch I / 2 of each pod.
#
#   fattree_up               makes it
#   switches                 the names of all switches
#   rid_of NAME              a switch's id; its address is 10.255.0.ID
#   interfaces_of NAME       its ports to other switches, a line each
#
# Host H of rack R in pod P is host-P-R-H, 10.P.R.(H+2), and behind its switch's port hostH.

source "${BASH_SOURCE[0]%/*}/network.bash"

switches() {
    printf '%s\n' {tor,aggregation}-{0,1,2,3}-{0,1} core-{0,1,2,3}
}

rid_of() {
    local kind=${1%%-*} rest=${1#*-}
    case $kind in
        tor) echo $((${rest%-*} * 2 + ${rest#*-} + 1)) ;;
        aggregation) echo $((${rest%-*} * 2 + ${rest#*-} + 9)) ;;
        core) echo $((rest + 17)) ;;
    esac
}

interfaces_of() {
    case $1 in
        tor-*) printf '%s\n' up0 up1 ;;
        aggregation-*) printf '%s\n' up0 up1 down0 down1 ;;
        core-*) printf '%s\n' pod0 pod1 pod2 pod3 ;;
    esac
}

fattree_up() {
    local names pod rack host name
    mapfile -t names < <(switches)
    hosts_up "${names[@]}" host-{0,1,2,3}-{0,1}-{0,1}
    fattree_links | on core-0 ip -batch -
    for name in "${names[@]}"; do
        # shellcheck disable=SC2016 # for the inner shell
        "routes_of_${name%%-*}" "$name" | on "$name" sh -c 'sysctl -q net.ipv4.ip_forward=1 net.ipv4.fib_multipath_hash_policy=1 \
            net.ipv4.conf.all.rp_filter=0 && for port in /proc/sys/net/ipv4/conf/*/rp_filter; do echo 0 >"$port"; done && ip -batch -'
    done
    for pod in 0 1 2 3; do
        for rack in 0 1; do
            for host in 0 1; do
                on "host-$pod-$rack-$host" ip -batch - <<END_OF_HOST
link set lo up
link set eth0 up
address add 10.$pod.$rack.$((host + 2))/32 dev eth0
route add 10.$pod.$rack.1 dev eth0
route add default via 10.$pod.$rack.1
END_OF_HOST
            done
        done
    done
}

# Made from within one of them, for nothing is to show up in the machine's own network.
fattree_links() {
    local pod i j
    for pod in 0 1 2 3; do
        for i in 0 1; do
            for j in 0 1; do
                fattree_link "tor-$pod-$i" "host$j" "host-$pod-$i-$j" eth0
                fattree_link "tor-$pod-$i" "up$j" "aggregation-$pod-$j" "down$i"
                fattree_link "aggregation-$pod-$i" "up$j" "core-$((i * 2 + j))" "pod$pod"
            done
        done
    done
}

fattree_link() {
    echo "link add name $2 netns $(pid_of "$1") type veth peer name $4 netns $(pid_of "$3")"
}

# ---- routes; links have no addresses of their own ----

own_address() {
    echo "link set lo up"
    echo "address add 10.255.0.$(rid_of "$1")/32 dev lo"
    interfaces_of "$1" | sed 's/.*/link set & up/'
}

# to WHERE PORT NEIGHBOUR
to() {
    echo "route add $1 via 10.255.0.$(rid_of "$3") dev $2 onlink"
}

# over WHERE PORT NEIGHBOUR PORT NEIGHBOUR: by both.
over() {
    echo "route add $1 nexthop via 10.255.0.$(rid_of "$3") dev $2 onlink nexthop via 10.255.0.$(rid_of "$5") dev $4 onlink"
}

routes_of_tor() {
    local place=${1#tor-} pod rack other i
    pod=${place%-*} rack=${place#*-}
    own_address "$1"
    echo "address add 10.$pod.$rack.1/32 dev lo"
    for i in 0 1; do
        echo "link set host$i up"
        echo "route add 10.$pod.$rack.$((i + 2)) dev host$i"
        for other in 0 1 2 3; do
            to "10.255.0.$(rid_of "aggregation-$other-$i")" "up$i" "aggregation-$pod-$i"
        done
        to "10.255.0.$(rid_of "core-$((i * 2))")" "up$i" "aggregation-$pod-$i"
        to "10.255.0.$(rid_of "core-$((i * 2 + 1))")" "up$i" "aggregation-$pod-$i"
    done
    over default up0 "aggregation-$pod-0" up1 "aggregation-$pod-1"
}

routes_of_aggregation() {
    local place=${1#aggregation-} pod index i
    pod=${place%-*} index=${place#*-}
    own_address "$1"
    for i in 0 1; do
        to "10.$pod.$i.0/24" "down$i" "tor-$pod-$i"
        to "10.255.0.$(rid_of "tor-$pod-$i")" "down$i" "tor-$pod-$i"
        to "10.255.0.$(rid_of "core-$((index * 2 + i))")" "up$i" "core-$((index * 2 + i))"
    done
    over default up0 "core-$((index * 2))" up1 "core-$((index * 2 + 1))"
}

routes_of_core() {
    local index=$((${1#core-} / 2)) pod i
    own_address "$1"
    for pod in 0 1 2 3; do
        to "10.$pod.0.0/16" "pod$pod" "aggregation-$pod-$index"
        to "10.255.0.$(rid_of "aggregation-$pod-$index")" "pod$pod" "aggregation-$pod-$index"
        for i in 0 1; do
            to "10.255.0.$(rid_of "tor-$pod-$i")" "pod$pod" "aggregation-$pod-$index"
        done
    done
}
