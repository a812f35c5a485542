# SPDX-License-Identifier: Apache-2.0
# The picture of a clone that ends the demo.

# timeline EVENTS SERVE PULL: draws when the original and the clone ran, from serve's events and both
# reports. One clock does, serve's: it sees the connection, the original resumed, the clone running.
timeline() {
    local events=$1 serve=$2 pull=$3
    jq --raw-output --null-input --slurpfile events "$events" \
        --slurpfile serve "$serve" --slurpfile pull "$pull" '
        def at($event): last($events[] | select(.event == $event)) | .at_ms;
        at("connected") as $zero
        | [ (at("original resumed") - $zero - $serve[0].freeze_ms), (at("original resumed") - $zero),
            (at("sent") - $zero - $serve[0].transfer_ms), (at("sent") - $zero),
            (at("running") - $zero - $pull[0].restore_ms), (at("running") - $zero),
            (at("precopied") - $zero - $serve[0].precopy_ms), (at("precopied") - $zero) ]
        | map(if . < 0 then 0 else . end) | map(tostring) | join(" ")' \
        | awk '
            # Overwrites the columns of [from, to) ms, one at least, with sign.
            function put(row, sign, from, to,    first, last, i, text) {
                first = int(from / scale)
                last = int(to / scale)
                if (last <= first) last = first + 1
                text = ""
                for (i = first; i < last; i++) text = text sign
                return substr(row, 1, first) text substr(row, last + 1, columns - last)
            }
            function line(name, row) { printf "  %-10s %s\n", name, row }
            {
                columns = 64
                end = ($4 > $6 ? $4 : $6) * 1.15
                scale = end / columns
                blank = sprintf("%" columns "s", "")

                original = put(put(blank, "=", 0, end), ".", $1, $2)
                network = put(put(blank, "-", $7, $8), "#", $3, $4)
                clone = put(put(blank, "~", $5, $6), "=", $6, end)

                line("original", original)
                line("network", network)
                line("clone", clone)
                line("ms", sprintf("%-" (columns - 6) "d%6d", 0, end))
                print ""
                print "  = runs   . frozen   - files sent while it runs   # memory sent   ~ restoring"
                printf "  original frozen %d ms, clone running %d ms after it was asked for\n",
                    $2 - $1 + 0.5, $6 + 0.5
            }'
}
