# SPDX-License-Identifier: Apache-2.0
# For the tests here, which need what not every machine has.

# skip_for REASON: unless that is empty. In CI it is a failure.
skip_for() {
    [[ -n $1 ]] || return 0
    [[ ${CI:-} != true ]] || return 1
    skip "$1"
}
