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
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Jobs in which something goes wrong after spills have been published, and often fetched. */
@Timeout(900)
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SpillCluster.Shared.class)
class SpillFailuresTest {
    private static final int LINES = 60_000;
    private static final Duration PATIENCE = Duration.ofSeconds(300);
    private static final String FLAG = "test.flag";

    /** More ends of attempts than a job here has. */
    private static final int ENDS = 100;

    @TempDir static Path dir;
    private static SpillCluster cluster;
    private static Path text;
    private static String sorted;

    @BeforeAll
    static void start(SpillCluster shared) throws Exception {
        cluster = shared;
        text = cluster.text("text", 1, LINES);
        List<String> lines = Files.readAllLines(text);
        sorted =
                "part-r-00000\n"
                        + lines.stream()
                                .sorted()
                                .map(line -> line + "\t" + line + "\n")
                                .reduce(
                                        new StringBuilder(),
                                        StringBuilder::append,
                                        StringBuilder::append);
    }

    private static Job sort(Class<? extends Mapper<LongWritable, Text, Text, Text>> mapper)
            throws IOException {
        Job job = SpillJobs.sort(cluster.perSpill());
        job.setMapperClass(mapper);
        job.setNumReduceTasks(1);
        job.getConfiguration().set(FLAG, dir.resolve(mapper.getSimpleName()).toString());
        return job;
    }

    private static void raiseFlag(Job job) throws IOException {
        Files.createFile(Path.of(job.getConfiguration().get(FLAG)));
    }

    private static void awaitFetchedSpills(Job job) {
        await().atMost(PATIENCE)
                .until(() -> SpillJobs.count(job, TaskCounter.REDUCE_SHUFFLE_BYTES) > 0);
    }

    @Test
    void goesOnWithSpillsOfAnAttemptThatHasFailed() throws Exception {
        Job job = sort(FailsOnce.class);
        SpillCluster.Run run = cluster.start(job, text);
        awaitFetchedSpills(job);
        raiseFlag(job);
        assertThat(run.output()).isEqualTo(sorted);
        assertThat(job.getCounters().findCounter(JobCounter.NUM_FAILED_MAPS).getValue()).isOne();
        assertThat(job.getCounters().findCounter(JobCounter.NUM_FAILED_REDUCES).getValue())
                .isZero();
    }

    @Test
    void hasAllOfANondeterministicMapFromOneAttempt() throws Exception {
        Job job = sort(FailsOnceAndDiffers.class);
        SpillCluster.Run run = cluster.start(job, text);
        awaitFetchedSpills(job);
        raiseFlag(job);
        assertThat(run.output().lines().filter(line -> line.contains(" by attempt ")))
                .hasSize(LINES)
                .allMatch(line -> line.endsWith(" by attempt 1"));
        assertThat(reasonsOfKilledReduces(job))
                .as("the reduce had fetched the first attempt's")
                .filteredOn(why -> !why.contains(RMContainerAllocator.RAMPDOWN_DIAGNOSTIC))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("What it had fetched of a map is void");
        assertThat(job.getCounters().findCounter(JobCounter.NUM_FAILED_REDUCES).getValue())
                .isZero();
    }

    /**
     * As they are told to the user. In a cluster that is full with the jobs of other tests stock
     * has a reduce killed, too, for the map that runs again.
     */
    private static List<String> reasonsOfKilledReduces(Job job)
            throws IOException, InterruptedException {
        List<String> reasons = new ArrayList<>();
        for (TaskCompletionEvent end : job.getTaskCompletionEvents(0, ENDS)) {
            if (!end.isMapTask() && end.getStatus() == TaskCompletionEvent.Status.KILLED) {
                reasons.add(String.join("\n", job.getTaskDiagnostics(end.getTaskAttemptId())));
            }
        }
        return reasons;
    }

    @Test
    void makesLostSpillsAgain() throws Exception {
        Job job = sort(LosesItsSpills.class);
        job.getConfiguration().setInt(MRJobConfig.MAX_SHUFFLE_FETCH_HOST_FAILURES, 0);
        job.getConfiguration().setInt(MRJobConfig.MAX_FETCH_FAILURES_NOTIFICATIONS, 1);
        job.getConfiguration().setFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, 1);
        Path[] inputs = {text, dir.resolve("empty0"), dir.resolve("empty1"), dir.resolve("empty2")};
        for (Path empty : List.of(inputs).subList(1, inputs.length)) {
            Files.createFile(empty); // a reduce gives up if nothing but failures comes to it
        }
        assertThat(cluster.start(job, inputs).output()).isEqualTo(sorted);
        assertThat(job.getCounters().findCounter(TaskCounter.FAILED_SHUFFLE).getValue())
                .isPositive();
        assertThat(job.getCounters().findCounter(JobCounter.TOTAL_LAUNCHED_MAPS).getValue())
                .as("one map, once")
                .isEqualTo(inputs.length + 1);
        assertThat(job.getCounters().findCounter(JobCounter.NUM_FAILED_REDUCES).getValue())
                .isZero();
    }

    /** Of nine maps one still runs. */
    @Test
    void runsNoMapAgainWhoseSpillsAreServedWhenItsAppMasterIsKilled() throws Exception {
        int maps = 9;
        int runs = 0; // the largest input comes first
        Path[] inputs = new Path[maps];
        List<String> lines = new ArrayList<>();
        for (int map = 0; map < maps; map++) {
            inputs[map] = map == runs ? text : cluster.text("small" + map, map, 10);
            lines.addAll(Files.readAllLines(inputs[map]));
        }
        Job job = sort(WaitsForItsFlag.class);
        SpillCluster.Run run = cluster.start(job, inputs);
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class) // of a file that has just begun
                .until(() -> isKnown(job, maps - 1));

        run.killAppMaster();
        raiseFlag(job);
        assertThat(keys(run.output())).isEqualTo(lines.stream().sorted().toList());
        assertThat(job.getTaskReports(TaskType.MAP))
                .filteredOn(map -> map.getSuccessfulTaskAttemptId().getId() != 0)
                .extracting(map -> map.getTaskID().getId())
                .containsExactly(runs);
    }

    /**
     * Whether the next AppMaster would know that so many maps have succeeded, and their outputs.
     */
    private static boolean isKnown(Job job, int maps) throws IOException {
        JobID id = JobID.downgrade(job.getJobID());
        FileSystem files = cluster.files();
        org.apache.hadoop.fs.Path[] histories = cluster.histories(job);
        if (histories.length == 0) {
            return false;
        }
        long succeeded =
                new JobHistoryParser(files, histories[0])
                        .parse().getAllTasks().values().stream()
                                .filter(task -> "SUCCEEDED".equals(task.getTaskStatus()))
                                .count();
        return succeeded == maps
                && SpillJournal.read(files, histories[0].suffix(".spills"), id).size() == maps;
    }

    private static List<String> keys(String output) {
        return output.lines().skip(1).map(line -> line.substring(0, line.indexOf('\t'))).toList();
    }

    private static void awaitFlag(Mapper<?, ?, ?, ?>.Context context) {
        Path flag = Path.of(context.getConfiguration().get(FLAG));
        await().atMost(PATIENCE)
                .until(
                        () -> {
                            context.progress();
                            return Files.exists(flag);
                        });
    }

    /** Fails near its end, when it is told to. */
    public static final class FailsOnce extends Mapper<LongWritable, Text, Text, Text> {
        private int lines;

        @Override
        protected void map(LongWritable offset, Text line, Context context)
                throws IOException, InterruptedException {
            context.write(line, line);
            if (++lines == LINES - 1 && context.getTaskAttemptID().getId() == 0) {
                awaitFlag(context);
                throw new IOException("as the test wants it");
            }
        }
    }

    /** The same, and each attempt puts out something else. */
    public static final class FailsOnceAndDiffers extends Mapper<LongWritable, Text, Text, Text> {
        private int lines;

        @Override
        protected void map(LongWritable offset, Text line, Context context)
                throws IOException, InterruptedException {
            int attempt = context.getTaskAttemptID().getId();
            context.write(line, new Text(" by attempt " + attempt));
            if (++lines == LINES - 1 && attempt == 0) {
                awaitFlag(context);
                throw new IOException("as the test wants it");
            }
        }
    }

    /** Deletes what it has published so far, near its end. */
    public static final class LosesItsSpills extends Mapper<LongWritable, Text, Text, Text> {
        private int lines;

        @Override
        protected void map(LongWritable offset, Text line, Context context)
                throws IOException, InterruptedException {
            context.write(line, line);
            if (++lines == LINES - 1 && context.getTaskAttemptID().getId() == 0) {
                await().atMost(PATIENCE).until(SpillCollector::isQuiet); // else it fails itself
                for (String local : context.getConfiguration().getStrings(MRConfig.LOCAL_DIR)) {
                    FileUtil.fullyDelete(Path.of(local, "output").toFile());
                }
            }
        }
    }

    /** Waits if its input is the large one. */
    public static final class WaitsForItsFlag extends Mapper<LongWritable, Text, Text, Text> {
        private int lines;

        @Override
        protected void map(LongWritable offset, Text line, Context context)
                throws IOException, InterruptedException {
            assertThat(System.getenv(SpillProtocol.ADDRESS)).isNotNull();
            context.write(line, line);
            if (++lines == LINES - 1) {
                awaitFlag(context);
            }
        }
    }
}
