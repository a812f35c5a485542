# SPDX-License-Identifier: Apache-2.0
# The switch file of jobs (mapreduce.clone.switch.file), as clone-hadoop edits it. Pure: text in,
# text out.
#
#   switch_off [queue NAME|user NAME] <OLD     prints the file with that off
#   switch_on [queue NAME|user NAME] <OLD      prints it with that not off any more
#   has_statement <OLD                         fails if it has none
#
# A file without a statement is none, so one that switches nothing off says "on". awk has names by its
# environment, since it reads backslashes in what -v gives it: a user may be DOMAIN\name.

switch_off() {
    local words="off${*:+ $*}"
    line=$words awk '
        { said = $0; gsub(/[[:space:]]+/, " ", said); sub(/^ /, "", said); sub(/ $/, "", said) }
        said == "on" { next }
        said == ENVIRON["line"] { found = 1 }
        { print }
        END { if (!found) print ENVIRON["line"] }'
}

switch_on() {
    local words="off${*:+ $*}"
    line=$words awk '
        { said = $0; gsub(/[[:space:]]+/, " ", said); sub(/^ /, "", said); sub(/ $/, "", said) }
        said == ENVIRON["line"] { next }
        said != "" && said !~ /^#/ { statements++ }
        { print }
        END { if (!statements) print "on" }'
}

has_statement() {
    grep --quiet --invert-match --extended-regexp '^[[:space:]]*(#|$)'
}
