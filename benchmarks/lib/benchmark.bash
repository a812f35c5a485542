# What every benchmark's run script needs: a build that is up to date, and Java.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../scripts/lib/common.bash"
readonly benchmarks=$repository/benchmarks
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

build_tool() {
    make --silent --directory "$native_tool" all
}

# Builds what the overlay clone puts on the cluster's class path, and the tool.
build_cluster_jar() {
    build_tool
    mvn --quiet --file "$repository/pom.xml" -pl hadoop-clone-speculator -am -DskipTests package
}

# Builds the Java part, if something in it is newer than what was built last.
build_benchmarks() {
    local built=$benchmarks/target/lib module
    local sources=("$repository/pom.xml")
    for module in benchmarks hadoop-clone-speculator hdfs-stream-repair; do
        sources+=("$repository/$module/src/main" "$repository/$module/pom.xml")
    done
    if [[ ! -d $built || -n $(find "${sources[@]}" -newer "$built" -print -quit) ]]; then
        mvn --quiet --file "$repository/pom.xml" --projects benchmarks --also-make -DskipTests package
        touch "$built"
    fi
}

# speculator_tests SCRATCH: the class path with which programs among the speculator's tests run.
speculator_tests() {
    local target=$repository/hadoop-clone-speculator/target
    # The last module that is made is theirs.
    mvn --quiet --file "$repository/pom.xml" -pl hadoop-clone-speculator --also-make test-compile \
        dependency:build-classpath -Dmdep.outputFile="$1/class-path" -Dmdep.includeScope=test >&2
    echo "$target/test-classes:$target/classes:$(<"$1/class-path")"
}

# run_java MAIN_CLASS ARGUMENT...: ends when this shell does, however that ends.
run_java() {
    setpriv --pdeathsig TERM java -cp "$benchmarks/target/classes:$benchmarks/target/lib/*" "$@"
}
