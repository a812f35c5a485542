# SPDX-License-Identifier: Apache-2.0
# What scripts/hibench knows of HiBench: where its workloads are, what each needs, how it is configured from outside,
# and what it reports. Nothing of a checkout is ever changed.
#
#   hibench_path WORKLOAD               below bin/workloads; fails if it is none of ours
#   hibench_output WORKLOAD             below hibench.hdfs.data.dir
#   hibench_missing HOME WORKLOAD PYTHON2
#                                       prints what is missing, and where it comes from, a line each; nothing if it can run
#   hibench_sizes MEGABYTES             properties of the profile `clonehadoop`
#   hibench_conf HOME FOLDER PROPERTY...
#                                       a folder for HIBENCH_CONF_FOLDER; PROPERTY is "KEY VALUE" and wins
#   hibench_report FILE                 JSON of the last line of hibench.report
#   hibench_version HOME                JSON of the checkout's commit; an empty object if it has none

# These six are what the paper and HiBench have in common.
# shellcheck disable=SC2034 # scripts/hibench's
readonly hibench_workloads=(sort terasort wordcount pagerank kmeans bayes)

hibench_path() {
    case $1 in
        sort | terasort | wordcount) echo "micro/$1" ;;
        pagerank) echo websearch/pagerank ;;
        kmeans | bayes) echo "ml/$1" ;;
        *) return 1 ;;
    esac
}

hibench_output() {
    echo "${1^}/Output"
}

# first_of PATTERN: a file that it matches.
first_of() {
    compgen -G "$1" | head -n 1
}

hibench_missing() {
    local home=$1 workload=$2 python2=$3 path
    path=$(hibench_path "$workload")
    if [[ ! -x $home/bin/workloads/$path/hadoop/run.sh || ! -f $home/conf/hibench.conf ]]; then
        echo "$home is no HiBench checkout: bin/workloads/$path or conf/hibench.conf isn't there"
        return
    fi
    [[ -n $python2 && $("$python2" --version 2>&1) == "Python 2."* ]] \
        || echo "HiBench's scripts need Python 2: name it by --python2 FILE"
    type -P bc >/dev/null || echo "HiBench's report needs bc: apt-get install bc"
    case $workload in
        pagerank | kmeans | bayes)
            [[ -n $(first_of "$home/autogen/target/autogen-*-jar-with-dependencies.jar") ]] \
                || echo "its generator, autogen/target/autogen-*-jar-with-dependencies.jar: HiBench's build makes it"
            ;;
    esac
    case $workload in
        pagerank)
            [[ -n $(first_of "$home/hadoopbench/pegasus/target/pegasus-*.jar") ]] \
                || echo "hadoopbench/pegasus/target/pegasus-*.jar: HiBench's build makes it"
            ;;
        kmeans | bayes)
            [[ -n $(first_of "$home/hadoopbench/mahout/target/*mahout*/bin/mahout") ]] \
                || echo "Mahout's distribution below hadoopbench/mahout/target: HiBench's build fetches it"
            # HiBench unpacks it again where it doesn't find it unpacked, and fails without it.
            [[ -n $(first_of "$home/hadoopbench/mahout/target/*mahout*.tar.gz") ]] \
                || echo "Mahout's archive, hadoopbench/mahout/target/*mahout*.tar.gz: HiBench's build fetches it"
            ;;
    esac
    if [[ $workload == bayes ]] && ! grep -qsE '^hibench.spark.home[[:space:]]+/' "$home/conf/spark.conf"; then
        echo "hibench.spark.home in conf/spark.conf: its input is made by Spark"
    fi
}

# Megabytes of input for the first three; a run of the others is minutes on two processors.
hibench_sizes() {
    printf '%s\n' "hibench.sort.clonehadoop.datasize $(($1 * 1000000))" \
        "hibench.terasort.clonehadoop.datasize $(($1 * 10000))" \
        "hibench.wordcount.clonehadoop.datasize $(($1 * 1000000))"
    local key
    for key in pages:100000 num_iterations:3 block:0 block_width:16; do
        echo "hibench.pagerank.clonehadoop.${key%:*} ${key#*:}"
    done
    for key in num_of_clusters:5 dimensions:20 num_of_samples:3000000 samples_per_inputfile:600000 max_iteration:5 k:10; do
        echo "hibench.kmeans.clonehadoop.${key%:*} ${key#*:}"
    done
    for key in use_dense:false dense.examples:1000 dense.features:100 pages:30000 classes:100 ngrams:2; do
        echo "hibench.bayes.clonehadoop.${key%:*} ${key#*:}"
    done
}

# HiBench reads all *.conf of the folder by name, and what comes later wins.
hibench_conf() {
    local home=$1 folder=$2
    mkdir -p "$folder"
    cp "$home"/conf/*.conf "$folder/"
    printf '%s\n' "${@:3}" >"$folder/zz-clonehadoop.conf"
}

# Type Date Time Input_data_size Duration(s) Throughput(bytes/s) Throughput/node
hibench_report() {
    tail -n 1 "$1" | jq --raw-input --compact-output '
        [splits("\\s+") | select(. != "")] | {type: .[0], input_bytes: (.[3] | tonumber), hibench_s: (.[4] | tonumber)}'
}

# A directory within another repository would say that one's commit.
hibench_version() {
    local commit=''
    [[ ! -e $1/.git ]] || commit=$(git -C "$1" describe --always --dirty --abbrev=8 --exclude='*' 2>/dev/null || true)
    jq --null-input --compact-output --arg hibench "$commit" '{$hibench} | with_entries(select(.value != ""))'
}
