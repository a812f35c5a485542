# SPDX-License-Identifier: Apache-2.0
# What the benchmarks share that run jobs of many kinds. Source benchmark.bash and terasort.bash first.
#
#   kinds_cluster NAME [START-OPTION...]
#                         builds all and starts a cluster
#   all_kinds             their names
#   begin_kinds [OPTION...]
#                         starts who runs them, with options of the Java class RunKinds; his log is $results/kinds.log
#   begin_kind NAME       has him begin with one, as soon as he may
#   kind_answer SECONDS   waits for the end of one of those that were begun, and fails if that takes longer; then
#                         `answer` is a line of JSON. Not in a subshell, which has no coprocess
#
# shellcheck disable=SC2154,SC2034 # repository, benchmarks, results are the sourcing script's; answer is for it

kinds_cluster() {
    note_environment
    need_clones
    build_cluster_jar
    build_benchmarks
    begin_cluster "$benchmarks/target/$1" "${@:2}"
}

# Programs of the examples that are no classes of ours are found on the class path, and so are codecs.
kinds_class_path() {
    local jars=("$(straggler_jar)" "$CLUSTER_DIR"/hadoop/share/hadoop/mapreduce/hadoop-mapreduce-examples-*.jar
    "$CLUSTER_DIR"/hadoop/share/hadoop/tools/lib/hadoop-streaming-*.jar "$benchmarks"/target/lib/lz4-java-*.jar)
    (IFS=$1 && echo "${jars[*]}")
}

run_kinds() {
    on_cluster --conf clone java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp \
        "$(kinds_class_path :):$CLUSTER_DIR/clone/*:$CLUSTER_DIR/conf/stock:$CLUSTER_DIR/hadoop/share/hadoop/lib/*:$benchmarks/target/lib/*" \
        org.clonehadoop.benchmarks.coverage.RunKinds "$@"
}

all_kinds() {
    java -cp "$benchmarks/target/classes:$benchmarks/target/lib/*:$repository/cluster/target/hadoop/share/hadoop/lib/*" \
        org.clonehadoop.benchmarks.coverage.RunKinds --list
}

# He answers once when he is ready.
begin_kinds() {
    coproc KINDS { cd "$scratch" && run_kinds --conf "$CLUSTER_DIR/conf/clone/mapred-site.xml" --hosts "$CLUSTER_DIR/hosts" \
        --jars "$(kinds_class_path ,)" "$@" 2>"$results/kinds.log"; }
    answer_so_far=''
    until kind_answer 60; do
        :
    done
}

begin_kind() {
    echo "$1" >&"${KINDS[1]}"
}

# What comes in parts is put together.
kind_answer() {
    local part='' code=0
    IFS= read -r -t "$1" part <&"${KINDS[0]}" || code=$?
    ((code == 0 || code > 128)) || fail "no answer: see $results/kinds.log"
    answer_so_far+=$part
    ((code == 0)) || return
    answer=$answer_so_far answer_so_far=''
}
