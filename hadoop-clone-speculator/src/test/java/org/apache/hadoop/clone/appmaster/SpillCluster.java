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
package org.apache.hadoop.clone.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.clone.hdfs.MiniHdfs;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.clone.shuffle.SpillShuffle;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hadoop's cluster for tests, where jobs run with per-spill outputs, and what stock makes of the
 * same jobs. One for all test classes; jobs may run beside each other.
 */
final class SpillCluster implements AutoCloseable {
    private static final int NODES = 2;
    private static final String STAGING = "/staging";

    private static final int HEARTBEAT_MILLIS = 100;

    /** Web pages of Hadoop 3.4 need that on Java 17. */
    static final String APP_MASTER_OPTIONS =
            "-Xmx256m -XX:TieredStopAtLevel=1 --add-opens=java.base/java.lang=ALL-UNNAMED ";

    /** Several jobs can run, and at least one of them has room for its tasks. */
    private static final float MOST_FOR_APP_MASTERS = 0.4f;

    private final Path dir;
    private final MiniDFSCluster hdfs;
    private final MiniMRYarnCluster cluster;
    private final AtomicInteger outputs = new AtomicInteger();

    private SpillCluster() throws IOException {
        dir = Files.createTempDirectory("spills");
        // An AppMaster's local files lack what it had flushed when it was killed.
        hdfs = MiniHdfs.build(new MiniDFSCluster.Builder(new Configuration(), dir.toFile()));
        Configuration conf = new Configuration();
        conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, hdfs.getURI().toString());
        conf.set(MRJobConfig.MR_AM_STAGING_DIR, STAGING);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
        conf.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
        conf.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 99.9f);
        // A NodeManager that ends waits 10 s for logs that it has yet to delete.
        conf.setLong(YarnConfiguration.NM_LOG_RETAIN_SECONDS, 1);
        conf.setLong(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, HEARTBEAT_MILLIS);
        conf.setFloat(
                CapacitySchedulerConfiguration.MAXIMUM_APPLICATION_MASTERS_RESOURCE_PERCENT,
                MOST_FOR_APP_MASTERS);
        cluster = new MiniMRYarnCluster("spills", NODES);
        cluster.init(conf);
        cluster.start();
    }

    /** A job of stock's, in this JVM. */
    Job stock() throws IOException {
        Configuration conf = new Configuration();
        conf.set(MRConfig.LOCAL_DIR, dir.resolve("local" + outputs.incrementAndGet()).toString());
        conf.setInt(MRJobConfig.IO_SORT_MB, 1);
        return Job.getInstance(conf);
    }

    Job perSpill() throws IOException {
        Configuration conf = new Configuration(cluster.getConfig());
        conf.setInt(MRJobConfig.IO_SORT_MB, 1);
        conf.setBoolean("mapreduce.jvm.add-opens-as-default", true);
        conf.setInt(MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, HEARTBEAT_MILLIS);
        conf.setInt(Job.COMPLETION_POLL_INTERVAL_KEY, HEARTBEAT_MILLIS);
        conf.setInt(MRJobConfig.MR_AM_VMEM_MB, 512);
        conf.setInt(MRJobConfig.MAP_MEMORY_MB, 256);
        conf.setInt(MRJobConfig.REDUCE_MEMORY_MB, 256);
        conf.set(MRJobConfig.MAP_JAVA_OPTS, "-Xmx128m -XX:TieredStopAtLevel=1");
        conf.set(MRJobConfig.REDUCE_JAVA_OPTS, "-Xmx128m -XX:TieredStopAtLevel=1");
        conf.setFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, 0);
        perSpill(conf);
        return Job.getInstance(conf);
    }

    private static void perSpill(Configuration conf) {
        conf.set(
                MRJobConfig.MR_AM_COMMAND_OPTS,
                APP_MASTER_OPTIONS + CloneAppMaster.class.getName());
        conf.set(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, SpillCollector.class.getName());
        conf.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, SpillShuffle.class.getName());
        conf.set("mapreduce.clone.mode", "shadow");
    }

    /** Lines of words, the same for the same seed. */
    Path text(String name, long seed, int lines) throws IOException {
        Random random = new Random(seed);
        List<String> text = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            StringBuilder line = new StringBuilder();
            for (int word = 0; word < 8; word++) {
                line.append(String.format(Locale.ROOT, "word%d ", random.nextInt(20_000)));
            }
            text.add(line.append(i).toString());
        }
        Path file = dir.resolve("input").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, text, StandardCharsets.UTF_8);
    }

    /** Runs it over the files, and gives all its output. */
    String run(Job job, Path... inputs) throws Exception {
        return start(job, inputs).output();
    }

    Run start(Job job, Path... inputs) throws Exception {
        for (Path input : inputs) {
            FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
        }
        Path output = dir.resolve("output" + outputs.incrementAndGet());
        FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
        job.setSpeculativeExecution(false);
        job.submit();
        return new Run(job, output);
    }

    /** What YARN was told about a job that has ended. */
    String diagnostics(Job job) throws Exception {
        return report(job).getDiagnostics();
    }

    /** Where a running job's AppMaster has its pages: {@code host:port}. */
    String pages(Job job) throws Exception {
        return report(job).getOriginalTrackingUrl().replaceFirst("^https?://", "").split("/")[0];
    }

    private ApplicationReport report(Job job) throws Exception {
        ApplicationId application = TypeConverter.toYarn(job.getJobID()).getAppId();
        try (YarnClient yarn = YarnClient.createYarnClient()) {
            yarn.init(cluster.getConfig());
            yarn.start();
            return yarn.getApplicationReport(application);
        }
    }

    /** A job that runs. */
    final class Run {
        private final Job job;
        private final Path output;

        private Run(Job job, Path output) {
            this.job = job;
            this.output = output;
        }

        /** When it has succeeded: all its output. */
        String output() throws Exception {
            if (!job.waitForCompletion(false)) {
                throw new IllegalStateException(job.getStatus().getFailureInfo());
            }
            return SpillCluster.output(output);
        }

        /** Another one will come. */
        void killAppMaster() {
            String application = application();
            List<ProcessHandle> appMasters =
                    ProcessHandle.allProcesses()
                            .filter(process -> isAppMaster(process, application))
                            .toList();
            assertThat(appMasters).as("the AppMaster of %s", application).isNotEmpty();
            appMasters.forEach(ProcessHandle::destroyForcibly);
        }

        private static boolean isAppMaster(ProcessHandle process, String application) {
            String command = process.info().commandLine().orElse("");
            return command.contains(application)
                    && command.contains(CloneAppMaster.class.getName());
        }

        private String application() {
            return TypeConverter.toYarn(job.getJobID()).getAppId().toString();
        }
    }

    private static String output(Path output) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(output)) {
            for (Path file :
                    files.filter(f -> f.getFileName().toString().startsWith("part-"))
                            .sorted()
                            .toList()) {
                all.append(file.getFileName()).append('\n').append(Files.readString(file));
            }
        }
        return all.toString();
    }

    /** The job's own, where it is for the next AppMaster; none as long as there isn't any. */
    org.apache.hadoop.fs.Path[] histories(Job job) throws IOException {
        FileStatus[] found =
                files().globStatus(
                                new org.apache.hadoop.fs.Path(
                                        STAGING + "/*/.staging/" + job.getJobID() + "/*.jhist"));
        return found == null ? new org.apache.hadoop.fs.Path[0] : FileUtil.stat2Paths(found);
    }

    /** Where AppMasters write. */
    FileSystem files() throws IOException {
        return hdfs.getFileSystem();
    }

    @Override
    public void close() {
        cluster.stop();
        hdfs.shutdown();
        FileUtil.fullyDelete(dir.toFile());
    }

    /** Gives it to the methods that want it, and stops it after the last test class. */
    static final class Shared implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
            return parameter.getParameter().getType() == SpillCluster.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
            return test.getRoot()
                    .getStore(ExtensionContext.Namespace.create(SpillCluster.class))
                    .getOrComputeIfAbsent(SpillCluster.class, key -> begin(), SpillCluster.class);
        }

        private static SpillCluster begin() {
            try {
                return new SpillCluster();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
