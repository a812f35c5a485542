/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.clonehadoop.benchmarks.coverage;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.aggregate.ValueAggregatorJob;
import org.apache.hadoop.mapreduce.lib.aggregate.ValueAggregatorJobBase;
import org.apache.hadoop.mapreduce.lib.chain.ChainMapper;
import org.apache.hadoop.mapreduce.lib.chain.ChainReducer;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.map.InverseMapper;
import org.apache.hadoop.mapreduce.lib.map.MultithreadedMapper;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.InputSampler;
import org.apache.hadoop.mapreduce.lib.partition.KeyFieldBasedComparator;
import org.apache.hadoop.mapreduce.lib.partition.KeyFieldBasedPartitioner;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.clonehadoop.benchmarks.coverage.Kind.Order;

/** All kinds. What a line doesn't say of its job is word count's. */
final class Kinds {
    private static final String EXAMPLES = "org.apache.hadoop.examples.";
    private static final String OUT = "OUT";

    static final List<Kind> ALL =
            List.of(
                    current("wordcount", job -> {}),
                    old("old_wordcount", job -> {}),
                    current("combiner", job -> job.setCombinerClass(IntSumReducer.class)),
                    old(
                            "old_combiner",
                            job ->
                                    job.setCombinerClass(
                                            org.apache.hadoop.mapred.lib.LongSumReducer.class)),
                    current("one_reduce", job -> job.setNumReduceTasks(1)),
                    current("map_only", job -> job.setNumReduceTasks(0)),
                    old("old_map_only", job -> job.setNumReduceTasks(0)),
                    current("many_spills", job -> set(job, "mapreduce.task.io.sort.mb", "1")),
                    current("per_spill", Kinds::perSpill),
                    current("deflated_map_outputs", job -> compressMaps(job, DefaultCodec.class)),
                    current("snappy_map_outputs", job -> compressMaps(job, SnappyCodec.class)),
                    current("lz4_map_outputs", job -> compressMaps(job, Lz4Codec.class)),
                    current("gzip_output", job -> compress(job, GzipCodec.class)),
                    current("bzip2_output", job -> compress(job, BZip2Codec.class)),
                    current("sequence_output", job -> sequences(job, CompressionType.NONE)),
                    current("block_output", job -> sequences(job, CompressionType.BLOCK)),
                    old("old_block_output", Kinds::oldSequences),
                    current("map_file", job -> job.setOutputFormatClass(MapFileOutputFormat.class)),
                    current("lazy_output", job -> lazily(job)),
                    current(
                            "twenty_files",
                            job -> {
                                job.setReducerClass(UserCode.TwentyFiles.class);
                                lazily(job);
                            }),
                    current(
                            "twenty_files_of_map",
                            job -> {
                                job.setMapperClass(UserCode.TwentyFilesOfMap.class);
                                job.setNumReduceTasks(0);
                                lazily(job);
                            }),
                    current("multiple_inputs", Kinds::multipleInputs),
                    current("chain", Kinds::chain),
                    old("old_chain", Kinds::oldChain),
                    current("multithreaded", Kinds::multithreaded),
                    old(
                            "old_multithreaded",
                            job ->
                                    job.setMapRunnerClass(
                                            org.apache.hadoop.mapred.lib.MultithreadedMapRunner
                                                    .class)),
                    current("idle_pool", job -> job.setMapperClass(UserCode.IdlePool.class)),
                    current("timer", job -> job.setMapperClass(UserCode.WaitingTimer.class)),
                    current("encrypted_spills", Kinds::encrypted),
                    current("distributed_cache", Kinds::distributedCache),
                    current("side_file", job -> job.setMapperClass(UserCode.SideFile.class)),
                    current("in_memory", job -> job.setMapperClass(UserCode.InMemory.class)),
                    current("scratch_file", job -> job.setMapperClass(UserCode.ScratchFile.class)),
                    current("histogram", job -> job.setReducerClass(UserCode.Histogram.class)),
                    current("gc_log", job -> javaOptions(job, "-Xlog:gc:file=<LOG_DIR>/gc.log")),
                    current("g1", job -> javaOptions(job, "-XX:+UseG1GC")),
                    current("class_loader", job -> set(job, "mapreduce.job.classloader", "true")),
                    current("manifest_committer", Kinds::manifestCommitter),
                    current("committer_2", Kinds::committerTwo),
                    current("key_fields", Kinds::keyFields).ordered(Order.OF_KEYS),
                    current("total_order", Kinds::totalOrder),
                    current("nline", Kinds::nLine),
                    current("combined_files", Kinds::combinedFiles),
                    current("sequence_input", Kinds::sequenceInput),
                    current("inverted", Kinds::inverted).ordered(Order.OF_KEYS),
                    current("key_values", Kinds::keyValues).ordered(Order.OF_KEYS),
                    current("secondary_sort", Kinds::secondarySort),
                    Kind.of("aggregated_words", Kinds::aggregatedWords),
                    tool(
                                    "sort",
                                    "Sort",
                                    sorting(
                                            SequenceFileInputFormat.class,
                                            SequenceFileOutputFormat.class,
                                            "-outValue",
                                            IntWritable.class.getName(),
                                            Inputs.SEQUENCES.toString(),
                                            OUT))
                            .ordered(Order.OF_KEYS),
                    tool("terasort", "terasort.TeraSort", Inputs.ROWS.toString(), OUT),
                    // One map: LocalJobRunner lets it have no more.
                    tool("teragen", "terasort.TeraGen", "-Dmapreduce.job.maps=1", "60000", OUT),
                    tool(
                            "join",
                            "Join",
                            sorting(
                                    KeyValueTextInputFormat.class,
                                    TextOutputFormat.class,
                                    "-joinOp",
                                    "outer",
                                    Inputs.LEFT.toString(),
                                    Inputs.RIGHT.toString(),
                                    OUT)),
                    tool("word_mean", "WordMean", Inputs.WORDS.toString(), OUT),
                    tool("multi_file_words", "MultiFileWordCount", Inputs.MANY.toString(), OUT),
                    tool("grep", "Grep", Inputs.WORDS.toString(), OUT, "word1[0-9]*")
                            .ordered(Order.OF_KEYS),
                    tool(
                                    "random_text",
                                    "RandomTextWriter",
                                    "-Dmapreduce.randomtextwriter.totalbytes=4000000",
                                    "-Dmapreduce.randomtextwriter.bytespermap=2000000",
                                    OUT)
                            .ordered(Order.NONE),
                    tool("pi", "QuasiMonteCarlo", "3", "1000").ordered(Order.NONE),
                    current(
                            "many_counters",
                            job -> job.setMapperClass(UserCode.ManyCounters.class)),
                    current("cached_archive", Kinds::cachedArchive),
                    current("appended", job -> job.setMapperClass(UserCode.Appended.class))
                            .holding("a file on its host"),
                    current("named_file", job -> job.setMapperClass(UserCode.NamedFile.class))
                            .holding("a file by its id"),
                    current(
                                    "appended_by_any_name",
                                    job -> job.setMapperClass(UserCode.AppendedByAnyName.class))
                            .lacking("a file on its original's host"),
                    current("udp", job -> job.setMapperClass(UserCode.Udp.class)),
                    current("udp_connected", job -> job.setMapperClass(UserCode.UdpConnected.class))
                            .holding("an address"),
                    current(
                            "parallel_stream",
                            job -> job.setMapperClass(UserCode.ParallelStream.class)),
                    current("heartbeat", job -> job.setMapperClass(UserCode.Heartbeat.class)),
                    current(
                            "short_children",
                            job -> job.setMapperClass(UserCode.ShortChildren.class)),
                    current(
                                    "own_side_output",
                                    job -> job.setMapperClass(UserCode.OwnSideOutput.class))
                            .holding("a file beside the output"),
                    current("rolling_log", Kinds::rollingLog),
                    current("hdfs_threads", Kinds::hdfsThreads),
                    current("uncached_hdfs", job -> set(job, "fs.hdfs.impl.disable.cache", "true")),
                    current("parallel_gc", job -> javaOptions(job, "-XX:+UseParallelGC")),
                    current("zgc", job -> javaOptions(job, "-XX:+UseZGC")),
                    current(
                            "jfr",
                            job ->
                                    javaOptions(
                                            job,
                                            "-XX:+UseSerialGC -XX:StartFlightRecording="
                                                    + "dumponexit=true,filename=<LOG_DIR>/rec.jfr")),
                    current("jmx", Kinds::jmx).holding("a port"),
                    current("view_fs", Kinds::viewFs),
                    current("connection", job -> job.setMapperClass(UserCode.Connection.class))
                            .holding("a connection"),
                    Kind.of("streaming", Kinds::streaming)
                            .holding("a child process")
                            .ordered(Order.OF_KEYS));

    private Kinds() {}

    /**
     * @throws IllegalArgumentException if there is none
     */
    static Kind named(String name) {
        return ALL.stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind '" + name + "'"));
    }

    // --- what the lines begin with ---

    private interface Setup<J> {
        void apply(J job) throws Exception;
    }

    /** Of the new interface. */
    private static Kind current(String name, Setup<Job> setup) {
        return Kind.of(
                name,
                (conf, out) -> {
                    Job job = Job.getInstance(conf, name);
                    job.setJarByClass(Kinds.class);
                    job.setMapperClass(TokenCounterMapper.class);
                    job.setReducerClass(IntSumReducer.class);
                    job.setOutputKeyClass(Text.class);
                    job.setOutputValueClass(IntWritable.class);
                    FileInputFormat.addInputPath(job, Inputs.WORDS);
                    FileOutputFormat.setOutputPath(job, out);
                    setup.apply(job);
                    finish(job);
                });
    }

    private static void finish(Job job) throws Exception {
        if (!job.waitForCompletion(false)) {
            throw new IOException(job.getJobID() + " has failed");
        }
    }

    /** Of the old interface. */
    private static Kind old(String name, Setup<JobConf> setup) {
        return Kind.of(
                name,
                (conf, out) -> {
                    JobConf job = new JobConf(conf, Kinds.class);
                    job.setJobName(name);
                    job.setMapperClass(org.apache.hadoop.mapred.lib.TokenCountMapper.class);
                    job.setReducerClass(org.apache.hadoop.mapred.lib.LongSumReducer.class);
                    job.setOutputKeyClass(Text.class);
                    job.setOutputValueClass(LongWritable.class);
                    org.apache.hadoop.mapred.FileInputFormat.addInputPath(job, Inputs.WORDS);
                    org.apache.hadoop.mapred.FileOutputFormat.setOutputPath(job, out);
                    setup.apply(job);
                    JobClient.runJob(job);
                });
    }

    /** One of Hadoop's examples: of its arguments OUT is the output. */
    private static Kind tool(String name, String program, String... arguments) {
        return Kind.of(
                name,
                (conf, out) -> {
                    List<String> filled = new ArrayList<>();
                    for (String argument : arguments) {
                        filled.add(argument.equals(OUT) ? out.toString() : argument);
                    }
                    Tool tool =
                            (Tool)
                                    ReflectionUtils.newInstance(
                                            Class.forName(EXAMPLES + program), conf);
                    int code = ToolRunner.run(conf, tool, filled.toArray(String[]::new));
                    if (code != 0) {
                        throw new IOException(program + " has ended with " + code);
                    }
                });
    }

    // --- what makes them what they are ---

    private static void set(Job job, String key, String value) {
        job.getConfiguration().set(key, value);
    }

    private static void javaOptions(Job job, String options) {
        for (String key : List.of("mapreduce.map.java.opts", "mapreduce.reduce.java.opts")) {
            String before = job.getConfiguration().get(key);
            set(job, key, before.replace("-XX:+UseSerialGC", "") + " " + options);
        }
    }

    /** Stock has no such classes, and neither other outputs. */
    private static void perSpill(Job job) {
        set(job, "mapreduce.task.io.sort.mb", "2");
        if (isToCrawl(job)) {
            set(
                    job,
                    "mapreduce.job.map.output.collector.class",
                    "org.apache.hadoop.clone.shuffle.SpillCollector");
            set(
                    job,
                    "mapreduce.job.reduce.shuffle.consumer.plugin.class",
                    "org.apache.hadoop.clone.shuffle.SpillShuffle");
        }
    }

    /** Not with stock: Hadoop's LocalJobRunner, which may run it, can't. */
    private static void encrypted(Job job) {
        if (isToCrawl(job)) {
            set(job, MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, "true");
        }
    }

    private static boolean isToCrawl(Job job) {
        return !Crawlers.of(job.getConfiguration()).isNone();
    }

    private static void compressMaps(Job job, Class<? extends CompressionCodec> codec) {
        set(job, "mapreduce.map.output.compress", "true");
        set(job, "mapreduce.map.output.compress.codec", codec.getName());
    }

    private static void compress(Job job, Class<? extends CompressionCodec> codec) {
        FileOutputFormat.setCompressOutput(job, true);
        FileOutputFormat.setOutputCompressorClass(job, codec);
    }

    private static void sequences(Job job, CompressionType type) {
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        if (type != CompressionType.NONE) {
            compress(job, DefaultCodec.class);
            SequenceFileOutputFormat.setOutputCompressionType(job, type);
        }
    }

    private static void oldSequences(JobConf job) {
        job.setOutputFormat(org.apache.hadoop.mapred.SequenceFileOutputFormat.class);
        org.apache.hadoop.mapred.FileOutputFormat.setCompressOutput(job, true);
        org.apache.hadoop.mapred.SequenceFileOutputFormat.setOutputCompressionType(
                job, CompressionType.BLOCK);
    }

    private static void lazily(Job job) {
        LazyOutputFormat.setOutputFormatClass(job, TextOutputFormat.class);
    }

    private static void multipleInputs(Job job) {
        MultipleInputs.addInputPath(
                job, Inputs.WORDS, TextInputFormat.class, TokenCounterMapper.class);
        MultipleInputs.addInputPath(
                job, Inputs.SEQUENCES, SequenceFileInputFormat.class, Mapper.class);
    }

    private static void chain(Job job) throws IOException {
        Configuration none = new Configuration(false);
        ChainMapper.addMapper(
                job,
                TokenCounterMapper.class,
                Object.class,
                Text.class,
                Text.class,
                IntWritable.class,
                none);
        ChainMapper.addMapper(
                job,
                InverseMapper.class,
                Text.class,
                IntWritable.class,
                IntWritable.class,
                Text.class,
                none);
        ChainMapper.addMapper(
                job,
                InverseMapper.class,
                IntWritable.class,
                Text.class,
                Text.class,
                IntWritable.class,
                none);
        ChainReducer.setReducer(
                job,
                IntSumReducer.class,
                Text.class,
                IntWritable.class,
                Text.class,
                IntWritable.class,
                none);
        ChainReducer.addMapper(
                job,
                InverseMapper.class,
                Text.class,
                IntWritable.class,
                IntWritable.class,
                Text.class,
                none);
        job.setMapOutputKeyClass(Text.class);
        job.setMapOutputValueClass(IntWritable.class);
        job.setOutputKeyClass(IntWritable.class);
        job.setOutputValueClass(Text.class);
    }

    @SuppressWarnings("unchecked") // the mappers are generic, and their classes can't be
    private static void oldChain(JobConf job) {
        JobConf none = new JobConf(false);
        for (Class<?> mapper :
                List.of(
                        org.apache.hadoop.mapred.lib.TokenCountMapper.class,
                        org.apache.hadoop.mapred.lib.IdentityMapper.class)) {
            org.apache.hadoop.mapred.lib.ChainMapper.addMapper(
                    job,
                    (Class<
                                    ? extends
                                            org.apache.hadoop.mapred.Mapper<
                                                    Object, Object, Text, LongWritable>>)
                            mapper,
                    Object.class,
                    Object.class,
                    Text.class,
                    LongWritable.class,
                    true,
                    none);
        }
        Class<?> reducer = org.apache.hadoop.mapred.lib.LongSumReducer.class;
        org.apache.hadoop.mapred.lib.ChainReducer.setReducer(
                job,
                (Class<
                                ? extends
                                        org.apache.hadoop.mapred.Reducer<
                                                Text, LongWritable, Text, LongWritable>>)
                        reducer,
                Text.class,
                LongWritable.class,
                Text.class,
                LongWritable.class,
                true,
                none);
        job.setMapOutputKeyClass(Text.class);
        job.setMapOutputValueClass(LongWritable.class);
    }

    private static void multithreaded(Job job) {
        job.setMapperClass(MultithreadedMapper.class);
        MultithreadedMapper.setMapperClass(job, TokenCounterMapper.class);
        MultithreadedMapper.setNumberOfThreads(job, 4);
    }

    private static void distributedCache(Job job) {
        job.setMapperClass(UserCode.CachedFile.class);
        job.addCacheFile(URI.create(Inputs.SIDE + "#side"));
    }

    private static void cachedArchive(Job job) {
        job.setMapperClass(UserCode.CachedArchive.class);
        job.addCacheArchive(URI.create(Inputs.ARCHIVE + "#archive"));
    }

    private static void jmx(Job job) {
        String remote = " -Dcom.sun.management.jmxremote.";
        javaOptions(
                job,
                "-XX:+UseSerialGC"
                        + String.join(remote, "", "port=0", "authenticate=false", "ssl=false"));
    }

    private static void rollingLog(Job job) {
        set(job, "yarn.app.mapreduce.task.container.log.backups", "3");
        set(job, "mapreduce.task.userlog.limit.kb", "8");
        job.setMapperClass(UserCode.Talkative.class);
    }

    private static void hdfsThreads(Job job) {
        set(job, "dfs.client.deadnode.detection.enabled", "true");
        set(job, "dfs.client.refresh.read-block-locations.ms", "500");
        set(job, "dfs.client.hedged.read.threadpool.size", "4");
        set(job, "dfs.client.hedged.read.threshold.millis", "1");
        job.setMapperClass(UserCode.SideFile.class);
    }

    private static void viewFs(Job job) throws IOException {
        String nameNode = job.getConfiguration().get("fs.defaultFS");
        set(job, "fs.viewfs.mounttable.all.link./coverage", nameNode + "/coverage");
        FileInputFormat.setInputPaths(job, new Path("viewfs://all" + Inputs.WORDS));
        FileOutputFormat.setOutputPath(
                job,
                new Path("viewfs://all" + FileOutputFormat.getOutputPath(job).toUri().getPath()));
    }

    private static void manifestCommitter(Job job) {
        set(
                job,
                "mapreduce.outputcommitter.factory.class",
                "org.apache.hadoop.mapreduce.lib.output.committer.manifest"
                        + ".ManifestCommitterFactory");
    }

    private static void committerTwo(Job job) {
        set(job, "mapreduce.fileoutputcommitter.algorithm.version", "2");
    }

    private static void keyFields(Job job) throws IOException {
        keyValues(job);
        job.setPartitionerClass(KeyFieldBasedPartitioner.class);
        job.setSortComparatorClass(KeyFieldBasedComparator.class);
        set(job, KeyFieldBasedPartitioner.PARTITIONER_OPTIONS, "-k1,1");
        set(job, KeyFieldBasedComparator.COMPARATOR_OPTIONS, "-k1,1nr");
    }

    private static void keyValues(Job job) throws IOException {
        FileInputFormat.setInputPaths(job, Inputs.LEFT, Inputs.RIGHT);
        job.setInputFormatClass(KeyValueTextInputFormat.class);
        FileInputFormat.setMaxInputSplitSize(job, 200_000); // half of a file
        job.setMapperClass(Mapper.class);
        job.setReducerClass(Reducer.class);
        job.setOutputValueClass(Text.class);
    }

    private static void secondarySort(Job job) throws IOException {
        FileInputFormat.setInputPaths(job, Inputs.PAIRS);
        String program = EXAMPLES + "SecondarySort$";
        set(job, MRJobConfig.MAP_CLASS_ATTR, program + "MapClass");
        set(job, MRJobConfig.REDUCE_CLASS_ATTR, program + "Reduce");
        set(job, MRJobConfig.PARTITIONER_CLASS_ATTR, program + "FirstPartitioner");
        set(job, MRJobConfig.GROUP_COMPARATOR_CLASS, program + "FirstGroupingComparator");
        set(job, MRJobConfig.MAP_OUTPUT_KEY_CLASS, program + "IntPair");
        job.setMapOutputValueClass(IntWritable.class);
    }

    private static void totalOrder(Job job) throws Exception {
        sequenceInput(job);
        job.setPartitionerClass(TotalOrderPartitioner.class);
        // Beside the output, which must not be there yet.
        Path partitions = FileOutputFormat.getOutputPath(job).suffix("-partitions");
        TotalOrderPartitioner.setPartitionFile(job.getConfiguration(), partitions);
        InputSampler.writePartitionFile(job, new InputSampler.IntervalSampler<>(0.01, 3));
        job.addCacheFile(partitions.toUri());
    }

    private static void nLine(Job job) {
        job.setInputFormatClass(NLineInputFormat.class);
        NLineInputFormat.setNumLinesPerSplit(job, 12_000);
    }

    private static void combinedFiles(Job job) throws IOException {
        FileInputFormat.setInputPaths(job, Inputs.MANY);
        job.setInputFormatClass(CombineTextInputFormat.class);
        CombineTextInputFormat.setMaxInputSplitSize(job, 1_200_000);
    }

    private static void sequenceInput(Job job) throws IOException {
        FileInputFormat.setInputPaths(job, Inputs.SEQUENCES);
        job.setInputFormatClass(SequenceFileInputFormat.class);
        job.setMapperClass(Mapper.class);
    }

    private static void inverted(Job job) throws IOException {
        sequenceInput(job);
        job.setMapperClass(InverseMapper.class);
        job.setReducerClass(Reducer.class);
        job.setOutputKeyClass(IntWritable.class);
        job.setOutputValueClass(Text.class);
    }

    private static void aggregatedWords(Configuration conf, Path out) throws Exception {
        String plugin = EXAMPLES + "AggregateWordCount$WordCountPlugInClass";
        conf.setInt(ValueAggregatorJobBase.DESCRIPTOR_NUM, 1);
        conf.set(ValueAggregatorJobBase.DESCRIPTOR + ".0", "UserDefined," + plugin);
        Job job =
                ValueAggregatorJob.createValueAggregatorJob(
                        conf,
                        new String[] {
                            Inputs.WORDS.toString(), out.toString(), "2", "textinputformat"
                        });
        job.setJarByClass(Class.forName(plugin));
        finish(job);
    }

    /** Sort and Join have most of their arguments in common. */
    private static String[] sorting(Class<?> input, Class<?> output, String... more) {
        Stream<String> common =
                Stream.of(
                        "-r",
                        "2",
                        "-inFormat",
                        input.getName(),
                        "-outFormat",
                        output.getName(),
                        "-outKey",
                        Text.class.getName());
        return Stream.concat(common, Stream.of(more)).toArray(String[]::new);
    }

    private static void streaming(Configuration conf, Path out) throws Exception {
        Tool tool =
                (Tool)
                        ReflectionUtils.newInstance(
                                Class.forName("org.apache.hadoop.streaming.StreamJob"), conf);
        int code =
                ToolRunner.run(
                        conf,
                        tool,
                        new String[] {
                            "-input",
                            Inputs.WORDS.toString(),
                            "-output",
                            out.toString(),
                            "-mapper",
                            "cat",
                            "-reducer",
                            "cat"
                        });
        if (code != 0) {
            throw new IOException("streaming has ended with " + code);
        }
    }
}
