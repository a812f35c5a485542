# SPDX-License-Identifier: Apache-2.0
# Options of scripts. A script's head, from its second line to `set` but for the licence, is its help.
#
# shellcheck disable=SC2034 # for the scripts that source this

# As picocli has it for programs in Java.
readonly usage_error=2

# What the script's head says.
show_help() {
    sed -n '2,/^set/{/^# SPDX/d; s/^# \{0,1\}//p}' "$0"
}

# Of whatever script sources this, before it does anything.
if [[ ${1:-} == --help && ${BASH_SOURCE[-1]} == "$0" ]]; then
    show_help
    exit
fi

# bad_usage [MESSAGE]
bad_usage() {
    {
        (($# == 0)) || say "$*"
        show_help
    } >&2
    exit "$usage_error"
}

# read_options NAMES ARGUMENT...: into `option`, by name (with _ for -), and `operands`. NAMES are as getopt(1)
# wants them: "quick,json:".
read_options() {
    local names=help,$1 words name
    words=$(getopt --name "${0##*/}" --options '' --longoptions "$names" -- "${@:2}") || bad_usage
    eval "set -- $words"
    declare -gA option=()
    while [[ $1 != -- ]]; do
        name=${1#--}
        if [[ ,$names, == *",$name:,"* ]]; then
            option[${name//-/_}]=$2
            shift
        else
            option[${name//-/_}]=yes
        fi
        shift
    done
    operands=("${@:2}")
    [[ -z ${option[help]:-} ]] || {
        show_help
        exit 0
    }
}

need_no_operands() {
    ((${#operands[@]} == 0)) || bad_usage "what is '${operands[0]}'?"
}

# need_number OPTION VALUE
need_number() {
    [[ $2 =~ ^[1-9][0-9]*$ ]] || bad_usage "$1 needs a number from 1, not '$2'"
}
