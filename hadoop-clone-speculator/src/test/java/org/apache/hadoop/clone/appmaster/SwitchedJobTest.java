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
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.clone.task.CloneAgent;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.TIPStatus;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.v2.app.speculate.NullTaskRuntimesEngine;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The switch is thrown while a job runs on a cluster. One map is so slow that our speculator gives
 * it another attempt as soon as it may; stock's, which decides without ours, never does, by its
 * estimator. All nodes of this cluster are on one host, where our placement gives back whatever
 * container that attempt is given, and stock's takes it.
 */
@Timeout(900)
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SpillCluster.Shared.class)
class SwitchedJobTest {
    private static final org.apache.hadoop.fs.Path SWITCH =
            new org.apache.hadoop.fs.Path("/clone/switch");
    private static final org.apache.hadoop.fs.Path SLOTS =
            new org.apache.hadoop.fs.Path("/clone/slots");
    private static final String GO = "test.go";
    private static final int MAPS = 4;
    private static final int LINES = 400;

    /** So far only within 8 s and more; all of it takes a quarter of an hour. */
    private static final float LATE = 0.01f;

    @TempDir private static Path dir;

    /** Waits for the test's word; then the first one's first attempt is slow. */
    static final class Walker extends Mapper<LongWritable, Text, NullWritable, NullWritable> {
        private static final long POLL_MILLIS = 50;
        private static final long SLOW_MILLIS = 2000;

        private boolean slow;

        @Override
        protected void setup(Context context) throws InterruptedException {
            slow =
                    context.getTaskAttemptID().getTaskID().getId() == 0
                            && context.getTaskAttemptID().getId() == 0;
            while (!Files.exists(Path.of(context.getConfiguration().get(GO)))) {
                Thread.sleep(POLL_MILLIS);
            }
        }

        @Override
        protected void map(LongWritable offset, Text line, Context context)
                throws InterruptedException {
            if (slow) {
                Thread.sleep(SLOW_MILLIS);
            }
        }
    }

    private static ConditionFactory await() {
        return Awaitility.await()
                .atMost(Duration.ofMinutes(5))
                .pollInterval(Duration.ofMillis(200));
    }

    private static void put(SpillCluster cluster, String text) throws IOException {
        try (OutputStream out = cluster.files().create(SWITCH)) {
            out.write(text.getBytes());
        }
    }

    /** As tasks take their agent from a jar, which this build hasn't made yet. */
    private static Path agentJar() throws IOException {
        Path jar = dir.resolve("agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Agent-Class", CloneAgent.class.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        String agent = CloneAgent.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream in = CloneAgent.class.getClassLoader().getResourceAsStream(agent)) {
            out.putNextEntry(new JarEntry(agent));
            in.transferTo(out);
        }
        return jar;
    }

    private static Job job(SpillCluster cluster) throws IOException {
        Job job = cluster.perSpill();
        job.getConfiguration().set(CloneKeys.MODE, "on");
        job.getConfiguration().set(CloneKeys.SWITCH_FILE, SWITCH.toString());
        job.getConfiguration().set(CloneKeys.TOOL, dir.resolve("no-tool").toString());
        job.getConfiguration()
                .set(MRJobConfig.MR_AM_JOB_SPECULATOR, CloneSpeculator.class.getName());
        job.getConfiguration()
                .setClass(
                        MRJobConfig.MR_AM_TASK_ESTIMATOR,
                        NullTaskRuntimesEngine.class,
                        Object.class);
        job.getConfiguration().setLong(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, 500);
        job.getConfiguration().setBoolean("hadoop.prometheus.endpoint.enabled", true);
        job.getConfiguration().set(GO, dir.resolve("go").toString());
        job.getConfiguration()
                .set(
                        MRJobConfig.MR_AM_COMMAND_OPTS,
                        SpillCluster.APP_MASTER_OPTIONS
                                + "-cp $CLASSPATH:"
                                + agentJar()
                                + " "
                                + CloneAppMaster.class.getName());
        job.setMapperClass(Walker.class);
        job.setNumReduceTasks(0);
        job.setOutputFormatClass(NullOutputFormat.class);
        for (int map = 0; map < MAPS; map++) {
            Path text = cluster.text("walk" + map, map, LINES);
            FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(text.toUri()));
        }
        return job;
    }

    private static long counted(Job job, CloneCounter counter)
            throws IOException, InterruptedException {
        return job.getCounters() == null ? 0 : job.getCounters().findCounter(counter).getValue();
    }

    private static TaskReport[] maps(Job job) throws IOException, InterruptedException {
        return job.getTaskReports(TaskType.MAP);
    }

    private static TaskReport slowMap(Job job) throws IOException, InterruptedException {
        return Arrays.stream(maps(job))
                .filter(map -> map.getTaskID().getId() == 0)
                .findFirst()
                .orElseThrow();
    }

    private static boolean onlyOneRuns(Job job) throws IOException, InterruptedException {
        return Arrays.stream(maps(job))
                        .filter(map -> map.getCurrentStatus() == TIPStatus.COMPLETE)
                        .count()
                == MAPS - 1;
    }

    private static String page(String appMaster, String path)
            throws IOException, InterruptedException {
        HttpResponse<String> page =
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(
                                                URI.create("http://" + appMaster + "/" + path))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString());
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        return page.body();
    }

    private static void assertItIsShown(String appMaster) throws Exception {
        assertThat(page(appMaster, "mapreduce/clones"))
                .contains("Clones are off: it says off", "Under way");
        assertThat(page(appMaster, "mapreduce/clones/json")).contains("\"on\":false");
        assertThat(page(appMaster, "jmx?qry=Hadoop:service=MRAppMaster,name=CloneMetrics"))
                .contains("\"UnderWayRunning\" : 0", "\"On\" : 0");
        await().untilAsserted(
                        () -> assertThat(page(appMaster, "prom")).contains("clone_metrics_on"));
    }

    @Test
    void aRunningJobObeys(SpillCluster cluster) throws Exception {
        put(cluster, "on");
        Job job = job(cluster);
        job.submit();
        await().until(
                        () ->
                                job.getJobState()
                                        == org.apache.hadoop.mapreduce.JobStatus.State.RUNNING);

        put(cluster, "off");
        await().until(() -> counted(job, CloneCounter.SWITCHED_OFF) > 0);
        Files.createFile(dir.resolve("go"));
        await().until(() -> onlyOneRuns(job));
        await().until(() -> slowMap(job).getProgress() > LATE);
        assertThat(slowMap(job).getRunningTaskAttemptIds()).as("attempts while off").hasSize(1);
        assertThat(counted(job, CloneCounter.CONTAINERS_GIVEN_BACK)).isZero();

        assertItIsShown(cluster.pages(job));

        cluster.files().mkdirs(SLOTS);
        cluster.files().setTimes(SLOTS, 0, -1);
        put(cluster, "limit clones 1");
        await().until(() -> counted(job, CloneCounter.CONTAINERS_GIVEN_BACK) > 0);
        assertThat(cluster.files().getFileStatus(SLOTS).getModificationTime())
                .as("when a slot was taken or given back")
                .isPositive();
        assertThat(counted(job, CloneCounter.SWITCHED_ON)).isPositive();

        put(cluster, "off");
        assertThat(job.waitForCompletion(false)).isTrue();
        // A file system that doesn't answer in time, as on a busy machine, switches off as well.
        assertThat(counted(job, CloneCounter.SWITCHED_OFF))
                .isEqualTo(counted(job, CloneCounter.SWITCHED_ON) + 1);
        // Nor is it the only one then that was ordered while it was on.
        assertThat(slowMap(job).getSuccessfulTaskAttemptId().getId())
                .as("an attempt that was ordered while it was on")
                .isPositive();
        assertThat(counted(job, CloneCounter.CLONES_RUNNING)).isZero();
        assertThat(counted(job, CloneCounter.EXTRA_CONTAINER_MILLIS)).isPositive();
        await().untilAsserted(() -> assertThat(cluster.files().listStatus(SLOTS)).isEmpty());
    }
}
