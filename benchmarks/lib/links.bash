# SPDX-License-Identifier: Apache-2.0
# Hosts whose links know priorities, for benchmarks of transfers. Source benchmark.bash first.
# shellcheck disable=SC2154 # repository is of benchmark.bash
source "$repository/criu-remote-clone/tests/lib/hosts.bash"
export -f on host_address link_rate

# banded_link HOST MBIT: what the host sends, packet by packet, those of type of service 8 behind all others. The bucket holds a quarter of
# what link_rate's does: what a link may send at once is sent before a packet of higher priority can come.
banded_link() {
    on "$1" tc qdisc add dev eth0 root handle 1: tbf rate "$2mbit" burst 12k limit 100k
    on "$1" tc qdisc add dev eth0 parent 1:1 handle 2: pfifo_fast
}

# run_java_on HOST MAIN_CLASS ARGUMENT...: as run_java, on a host.
run_java_on() {
    on "$1" setpriv --pdeathsig TERM java -cp "$benchmarks/target/classes:$benchmarks/target/lib/*" "${@:2}"
}
