# SPDX-License-Identifier: Apache-2.0
# NetRS operators on every switch of the fat-tree, a data store on three of its hosts, and ways of packets.

source "${BASH_SOURCE[0]%/*}/fattree.bash"
build=${BASH_SOURCE[0]%/*}/../../build

# The replicas of group 7: of the client's rack, of its pod, and of another one. The client is host-0-0-0.
# shellcheck disable=SC2034 # for tests
declare -gA replica=([rack]=10.0.0.3 [pod]=10.0.1.2 [far]=10.1.0.2) available=([rack]=1 [pod]=2 [far]=4)

# netrs SWITCH COMMAND...: pinned in $bpffs, or where it is as a rule.
netrs() {
    on "$1" "$build/clone-switch" netrs --pins "${bpffs:-/sys/fs/bpf}/netrs-$1" "${@:2}"
}

# Of a switch.
operator_config() {
    local ports hosts='null'
    ports=$(interfaces_of "$1" | jq -R . | jq -s .)
    [[ $1 != tor-* ]] || hosts='["host0", "host1"]'
    jq --null-input --arg name "$1" --argjson rid "$(rid_of "$1")" --argjson ports "$ports" --argjson hosts "$hosts" '{
        switch: $name, rid: $rid, port: 7000, ports: $ports,
        nodes: [range(1; 21) | {rid: ., address: "10.255.0.\(.)"}],
        replication: 3, replicas: [{group: 7, servers: ["10.0.0.3", "10.0.1.2", "10.1.0.2"]}]
    } + if $hosts == null then {} else
        ($name | split("-")) as [$_, $pod, $rack] | {hosts: $hosts, pod: ($pod | tonumber), rack: ($rack | tonumber)}
    end'
}

operators_up() {
    local name
    for name in $(switches); do
        operator_config "$name" >"$BATS_FILE_TMPDIR/$name.json"
        netrs "$name" up "$BATS_FILE_TMPDIR/$name.json" >/dev/null
    done
}

operators_down() {
    local name
    for name in $(switches); do
        [[ " ${gone:-} " == *" $name "* ]] || netrs "$name" down >/dev/null
    done
}

# plan NODE [NODES]: that node's id for every rack.
plan() {
    jq --null-input --argjson rid "$(if [[ $1 == none ]]; then echo -1; else rid_of "$1"; fi)" '{
        topology: "fat-tree:4", nodes: (if $rid < 0 then [] else [{rid: $rid}] end),
        groups: [range(4) as $pod | range(2) as $rack |
            {group: "10.\($pod).\($rack).0/24", tor: "tor-\($pod)-\($rack)", rid: $rid}]
    }'
}

# apply FILE: on all switches.
apply() {
    local name
    for name in $(switches); do
        [[ " ${gone:-} " == *" $name "* ]] || netrs "$name" apply "$1" >/dev/null
    done
}

# stores_up QUEUE_OF_RACK QUEUE_OF_POD QUEUE_OF_FAR: in the place of those that there are.
stores_up() {
    local host queues=("$@") i=0
    if [[ -e $BATS_FILE_TMPDIR/stores ]]; then
        xargs kill -KILL <"$BATS_FILE_TMPDIR/stores"
        rm "$BATS_FILE_TMPDIR/stores"
    fi
    for host in host-0-0-1 host-0-1-0 host-1-0-0; do
        wait_for store_is "$host" 0
        start_on "$host" "$BATS_FILE_TMPDIR/$host.log" "$build/programs/store_server" 7000 "${queues[i++]}" 1000
        echo "$started" >>"$BATS_FILE_TMPDIR/stores"
        wait_for store_is "$host" 1
    done
}

# store_is HOST COUNT: how many listen there.
store_is() {
    (($(on "$1" ss --udp --listening --numeric --no-header | grep -c ':7000 ') == $2))
}

# Waits until the command succeeds.
wait_for() {
    local until=$((SECONDS + 20))
    until "$@"; do
        if ((SECONDS > until)); then
            echo "waited in vain for: $*" >&2
            return 1
        fi
        sleep 0.02
    done
}

# ask BACKUP AVAILABLE COUNT [GROUP]: asks from $client, or host-0-0-0.
ask() {
    on "${client:-host-0-0-0}" "$build/programs/store_asker" "$1" 7000 "${4:-7}" "$2" "$3"
}

counts() {
    local name
    for name in $(switches); do
        [[ " ${gone:-} " == *" $name "* ]] || netrs "$name" status --json
    done
}

# way COMMAND...: runs it, and prints in $way a line for each switch that packets of the store came to meanwhile:
#   SWITCH: WHAT CAME TIMES ...; WHAT WAS DONE TIMES ...
# What the command said is in $said.
way() {
    counts >"$BATS_FILE_TMPDIR/before"
    # shellcheck disable=SC2034 # for the caller
    said=$("$@")
    counts >"$BATS_FILE_TMPDIR/after"
    way=$(jq --null-input --raw-output --slurpfile before "$BATS_FILE_TMPDIR/before" --slurpfile after "$BATS_FILE_TMPDIR/after" '
        def more($old): to_entries | map(.value -= $old[.key] | select(.value > 0) | "\(.key) \(.value)") | join(" ");
        range($after | length) as $i | $after[$i] as $now | $before[$i] as $old |
        ($now.came | more($old.came)) as $came | select($came != "") |
        "\($now.switch): \($came); \($now.done | more($old.done))"')
}

# Whether the way is this, but for which of several equal switches was taken: a pattern for each line.
way_is() {
    local lines i
    mapfile -t lines <<<"$way"
    if ((${#lines[@]} == $#)); then
        for ((i = 0; i < $#; i++)); do
            # shellcheck disable=SC2053 # patterns
            [[ ${lines[i]} == ${*:i+1:1} ]] || break
        done
        ((i < $#)) || return 0
    fi
    printf 'the way was\n%s\nand not\n' "$way" >&2
    printf '%s\n' "$@" >&2
    return 1
}
