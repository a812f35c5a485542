# SPDX-License-Identifier: Apache-2.0
# What the benchmarks share in which very many tasks wait for an AppMaster. Source benchmark.bash first.

# shellcheck disable=SC2154 # repository, benchmarks are the sourcing script's

# run_polls CLASS ARGUMENT...: of package polls.
run_polls() {
    local class_path="$benchmarks/target/classes:$benchmarks/target/lib/*:$repository/hadoop-clone-speculator/target/classes"
    # Both ends hold a descriptor for each task.
    ulimit -n "$(ulimit -H -n)"
    build_benchmarks
    build_hadoop
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    setpriv --pdeathsig TERM java -cp "$class_path:$repository/cluster/target/hadoop/share/hadoop/lib/*" \
        "org.clonehadoop.benchmarks.polls.$1" --scratch "$scratch" "${@:2}"
}
