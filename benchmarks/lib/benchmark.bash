# SPDX-License-Identifier: Apache-2.0
# What every benchmark's run script needs: options, a build that is up to date, and Java.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../scripts/lib/common.bash"
source "$here/../../scripts/lib/options.bash"
readonly benchmarks=$repository/benchmarks
# How it was called, and what was checked out: what a file of results says of itself.
BENCHMARK_COMMAND=$(realpath --canonicalize-missing --relative-to="$repository" "$0")${*:+ $*}
BENCHMARK_COMMIT=$(git -C "$repository" describe --always --dirty --abbrev=7 --exclude='*' 2>/dev/null || true)
# Of what scripts/cluster puts together.
BENCHMARK_HADOOP=$(sed -n 's|.*<hadoop.version>\(.*\)</hadoop.version>.*|\1|p' "$repository/pom.xml")
export BENCHMARK_COMMAND BENCHMARK_COMMIT BENCHMARK_HADOOP
readonly native_tool=$repository/criu-remote-clone

# Ends the script when this user on this machine can't run clones.
need_clones() {
    local reason
    reason=$(why_no_clones)
    if [[ -n $reason ]]; then
        fail "$reason"
    fi
    CRIU_VERSION=$(criu_version "$(find_criu)")
    export CRIU_VERSION
}

# How the machine is before anything is done, for environment.
note_environment() {
    read -r load_before _ </proc/loadavg
    processors_before=$(processor_ticks)
}

# Prints all processors' time so far, and what of it a virtual machine's host gave to others; proc(5).
processor_ticks() {
    awk '/^cpu / { for (i = 2; i <= 9; i++) all += $i; print all, $9 }' /proc/stat
}

# Prints what was measured on as JSON: the keys of the Java class Environment, and of jobs on a cluster on this machine how
# many percent of a processor each worker has (host_cpu), or what has equal shares of all (equal_shares).
environment() {
    jq --null-input --arg cpu "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" \
        --argjson cores "$(nproc)" --arg kernel "$(uname -sr)" \
        --argjson memory "$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)" \
        --arg jdk "$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.vm.version = //p')" \
        --arg criu "${CRIU_VERSION:-}" --arg hadoop "$BENCHMARK_HADOOP" --argjson load "$load_before" \
        --arg command "$BENCHMARK_COMMAND" --arg commit "$BENCHMARK_COMMIT" \
        --argjson host_cpu "${host_cpu:-null}" --arg shares "${equal_shares:-}" \
        --argjson before "[${processors_before/ /,}]" --argjson now "[$(processor_ticks | tr ' ' ,)]" '
        {cpu: $cpu, cores: $cores, memory_mb: $memory, kernel: $kernel, jdk: $jdk}
        + if $criu == "" then {} else {criu: $criu} end
        + if $host_cpu == null then {} else {host_cpu_percent: $host_cpu} end
        + if $shares == "" then {} else {equal_shares: $shares} end
        + {hadoop: $hadoop, load_before: $load,
            command: $command, commit: $commit,
            stolen_percent: (1000 * ($now[1] - $before[1]) / ([$now[0] - $before[0], 1] | max) | round / 10)}'
}

# Prints the version of what is measured: the commit that changed it last, so that runs add up while only other things
# change. A change that isn't committed has no version.
product_version() {
    local sources=(hadoop-clone-speculator/{src/main,pom.xml} hdfs-stream-repair/{src/main,pom.xml} pom.xml
        criu-remote-clone/{src,Makefile} cluster/conf scripts/cluster scripts/lib/cluster.bash
        benchmarks/{whole-jobs/run,src/main/java/org/clonehadoop/benchmarks/straggler})
    if [[ -n $(git -C "$repository" status --porcelain -- "${sources[@]}") ]]; then
        printf changed-
    fi
    git -C "$repository" log -1 --format=%h --abbrev=7 -- "${sources[@]}"
}

build_tool() {
    tell "building the tool"
    make --silent --directory "$native_tool" all >&2
}

# Builds what the overlay clone puts on the cluster's class path, and the tool.
build_cluster_jar() {
    build_tool
    tell "building the jar"
    mvn --quiet --file "$repository/pom.xml" -pl hadoop-clone-speculator -am -DskipTests package >&2
}

# Builds what start --duplicate-reads puts on the cluster's class path.
build_reads_jar() {
    tell "building the jar"
    mvn --quiet --file "$repository/pom.xml" -pl hdfs-duplicate-reads -am -DskipTests package >&2
}

# Builds the Java part, if something in it is newer than what was built last.
build_benchmarks() {
    local built=$benchmarks/target/lib module
    local sources=("$repository/pom.xml")
    for module in benchmarks duplicate-stage operator-tools hadoop-clone-speculator hdfs-stream-repair; do
        sources+=("$repository/$module/src/main" "$repository/$module/pom.xml")
    done
    is_built "$built" "${sources[@]}" || {
        tell "building the benchmarks"
        mark_build "$built" mvn --quiet --file "$repository/pom.xml" --projects benchmarks --also-make -DskipTests package >&2
    }
}

# Puts stock Hadoop together, for programs that run on its jars.
build_hadoop() {
    tell "putting Hadoop together from its artifacts"
    mvn --quiet --file "$repository/cluster/pom.xml" -DskipTests package >&2
}

# speculator_tests SCRATCH: the class path with which programs among the speculator's tests run.
speculator_tests() {
    local target=$repository/hadoop-clone-speculator/target
    tell "building the speculator's tests"
    # The last module that is made is theirs.
    mvn --quiet --file "$repository/pom.xml" -pl hadoop-clone-speculator --also-make test-compile \
        dependency:build-classpath -Dmdep.outputFile="$1/class-path" -Dmdep.includeScope=test >&2
    echo "$target/test-classes:$target/classes:$(<"$1/class-path")"
}

# run_java MAIN_CLASS ARGUMENT...: ends when this shell does, however that ends.
run_java() {
    setpriv --pdeathsig TERM java -cp "$benchmarks/target/classes:$benchmarks/target/lib/*" "$@"
}
