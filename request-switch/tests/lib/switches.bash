# SPDX-License-Identifier: Apache-2.0
# The switch, its services and their servers, for the end-to-end tests.

source "$BATS_TEST_DIRNAME/../lib/network.bash"
build=$BATS_TEST_DIRNAME/../../build

# clone-switch on the router, or on $switch_host.
clone_switch() {
    on "${switch_host:-router}" "$build/clone-switch" "$@"
}

# Waits until the command succeeds, for $patience seconds (20) at most.
wait_for() {
    local until=$((SECONDS + ${patience:-20}))
    until "$@"; do
        if ((SECONDS > until)); then
            echo "waited in vain for: $*" >&2
            return 1
        fi
        sleep 0.05
    done
}

# Servers that were stopped go on; those that have ended meanwhile are left.
continue_memcached() {
    local number
    for number in "$@"; do
        kill -CONT "$(memcached_pid "$number")" 2>/dev/null || true
    done
}

# A number of the JSON status, by a jq expression on the first service: status_of .requests
status_of() {
    clone_switch status --json | jq ".services[0] | $1"
}

# Whether a jq expression on the first service is true.
status_says() {
    clone_switch status --json | jq --exit-status ".services[0] | $1" >/dev/null
}

# Writes the configuration with one service for the servers s1..sN:
#   configure FILE NAME PROTOCOL PORT N [JQ-CHANGE]
configure() {
    local file=$1 name=$2 protocol=$3 port=$4 count=$5 change=${6:-.}
    jq --null-input --arg name "$name" --arg protocol "$protocol" --arg port "$port" \
        --argjson count "$count" '{
            where: "switch",
            ports: (["client"] + [range(1; $count + 1) | "s\(.)"]),
            clients: ["10.1.0.0/16"],
            services: [{
                name: $name, address: "10.99.0.1:\($port)", protocol: $protocol,
                servers: [range(1; $count + 1) | {address: "10.2.\(.).2:\($port)"}]
            }]
        }' | jq "$change" >"$file"
}

# Qdiscs, pins and programs of the switch's that are there.
traces_of_us() {
    on router tc qdisc show | grep clsact || true
    on client tc qdisc show | grep clsact || true
    find /sys/fs/bpf -mindepth 1 ! -name '*.debug'
}

nothing_is_left() {
    local left
    left=$(traces_of_us)
    [[ -z $left ]] || {
        echo "left behind: $left"
        return 1
    }
}

# ---- memcached: a letter of its own at each server ----

# Starts one on server N; its value is $2 letters long.
start_memcached() {
    local number=$1 length=$2 letters=abc letter
    letter=${letters:number-1:1}
    start_on "s$number" "$BATS_FILE_TMPDIR/memcached.$number" memcached -u nobody -U 11211 -t 1
    echo "$started" >"$BATS_FILE_TMPDIR/memcached.$number.pid"
    wait_for on "s$number" bash -c 'exec 3<>/dev/tcp/127.0.0.1/11211' 2>/dev/null
    # shellcheck disable=SC2016 # for the inner shell
    on "s$number" bash -c 'exec 3<>/dev/tcp/127.0.0.1/11211
        printf "set k 0 0 %d\r\n%s\r\n" "$1" "$(head -c "$1" /dev/zero | tr "\0" "$2")" >&3
        read -r answer <&3 && [[ $answer == STORED* ]]' bash "$length" "$letter"
}

memcached_pid() {
    cat "$BATS_FILE_TMPDIR/memcached.$1.pid"
}

# Asks; the line is in $output, and its numbers in $asked, $answered, $lost, $twice, $torn.
ask() {
    ask_at 10.99.0.1 "$@"
}

# The same of the service at address $1.
ask_at() {
    output=$(on client "$build/programs/asker" "$1" 11211 "${@:2}")
    echo "$output"
    # shellcheck disable=SC2034 # for the caller
    read -r _ asked _ answered _ lost _ twice _ torn <<<"$output"
}

# pin_other DIRECTORY MAP: other sizes of values are another build's state. One such map takes ours' place.
pin_other() {
    rm "/sys/fs/bpf/$1/$2"
    bpftool map create "/sys/fs/bpf/$1/$2" type array key 4 value 8 entries 1 name "${2:0:15}"
}
