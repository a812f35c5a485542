# SPDX-License-Identifier: Apache-2.0
# What scripts/tune draws and sums up. Nothing here starts anything.
#
#   draw_jobs N SEED MB                N lines "ROWS MAPS REDUCES STRAGGLER SLOWDOWN RECORDS" of random TeraSorts: ROWS of
#                                      100 bytes, the attempt that straggles, how many times as long it takes from its
#                                      record RECORDS on. The same for the same seed
#   clone_costs LOG                    of the job whose client logged it, as JSON: how many clones ran, and what one
#                                      took: vm_ms, bytes_per_s (null without one)
#   costs_summary                      of such objects on standard input: both keys' values, and their spread
#   costs_table, costs_properties      of that, for people; for mapred-site.xml

# Sizes from a quarter of MB on. A straggler that is slow from a third of its records on has something to be
# cloned, and one that is so only from five sixths on has nearly nothing left.
draw_jobs() {
    awk -v jobs="$1" -v seed="$2" -v most="$3" '
        function between(low, high) { return low + rand() * (high - low) }
        BEGIN {
            srand(seed)
            for (job = 0; job < jobs; job++) {
                rows = int(between(0.25, 1) * most * 10000)
                maps = int(between(3, 7))
                reduces = 3
                if (rand() < 0.5) {
                    straggler = sprintf("m_%06d_0", int(rand() * maps))
                    records = rows / maps
                } else {
                    straggler = sprintf("r_%06d_0", int(rand() * reduces))
                    records = rows / reduces
                }
                print rows, maps, reduces, straggler, int(between(50, 300)), int(between(1 / 3, 5 / 6) * records)
            }
        }'
}

clone_costs() {
    awk -F= '
        /^[ \t]*(CLONES_RUNNING|LAUNCH_TO_RUNNING_MILLIS|TRAVEL_BYTES|TRAVEL_MILLIS)=[0-9]+$/ {
            sub(/^[ \t]+/, "")
            sum[$1] = $2
        }
        END {
            clones = sum["CLONES_RUNNING"] + 0
            travel = sum["TRAVEL_MILLIS"]
            vm = clones ? (sum["LAUNCH_TO_RUNNING_MILLIS"] - travel) / clones : "null"
            rate = travel ? 1000 * sum["TRAVEL_BYTES"] / travel : "null"
            printf "{\"clones\": %d, \"vm_ms\": %s, \"bytes_per_s\": %s}\n", clones, vm, rate
        }' "$1"
}

costs_summary() {
    jq --slurp '
        def at($share): sort | .[((length - 1) * $share | round)];
        def spread: map(select(. != null))
            | if length == 0 then null
              else {median: at(0.5), low: at(0.25), high: at(0.75), min: min, max: max} end;
        {jobs: length, jobs_with_clones: map(select(.clones > 0)) | length, clones: map(.clones) | add,
            vm_ms: map(.vm_ms) | spread, bytes_per_s: map(.bytes_per_s) | spread}'
}

costs_table() {
    jq --raw-output '
        def row($name; $unit): map(. / $unit | . * 10 | round / 10 | tostring)
            | "\($name)\t\(.[0])\t\(.[1]) to \(.[2])\t\(.[3]) to \(.[4])";
        "\t\(.clones) clones in \(.jobs_with_clones) of \(.jobs) jobs: median\tmiddle half\tall",
        (.vm_ms | [.median, .low, .high, .min, .max] | row("a JVM, ms"; 1)),
        (.bytes_per_s | [.median, .low, .high, .min, .max] | row("bandwidth, MB/s"; 1e6))' "$@" \
        | awk -F '\t' '{ printf "  %-16s %42s %18s %18s\n", $1, $2, $3, $4 }'
}

# The whole megabytes below, at least one: 'm' is a power of 1024.
costs_properties() {
    jq --raw-output '
        "<property><name>mapreduce.clone.vm-millis</name><value>\([.vm_ms.median | round, 1] | max)</value></property>",
        "<property><name>mapreduce.clone.bandwidth-per-second</name><value>\(
            [.bytes_per_s.median / 1048576 | floor, 1] | max)m</value></property>"' "$@"
}
