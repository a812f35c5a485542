# SPDX-License-Identifier: Apache-2.0
# What a run of soak came to, of its $jobs and $rounds.
#
# More kills than stock forgives are never made (kills.bash), so every job that fails is lost. Clones are counted by jobs'
# counters and their AppMasters' logs: one loses those of an AppMaster that died, the other those of a NodeManager.
{minutes: ($seconds / 6 | round / 10), $seed, jobs: ($jobs | length),
    clones: ($jobs | map([.clones_counted, .map.ran + (.reduce.ran // 0)] | max) | add),
    kills: ($rounds | map(.killed | length) | add),
    jobs_lost: ($jobs | map(select(.failure != null)) | length),
    outputs_wrong: ($jobs | map(select(.failure == null and (.identical | not))) | length),
    leaks: ($rounds | map(.left | length) | add)}
+ ($rounds | map(.killed) | add | group_by(.) | map({key: "killed_\(.[0])", value: length}) | from_entries)
+ {$environment}
