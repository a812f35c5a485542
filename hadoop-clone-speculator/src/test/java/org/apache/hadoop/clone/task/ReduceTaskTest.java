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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.shuffle.SpillShuffle;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Hadoop's own reduce in a JVM of its own, asked for a clone that isn't made in the end. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class ReduceTaskTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long CLONE = 5;
    private static final byte[] NONCE = new byte[OneTimeKey.NONCE_BYTES];
    private static final int MAPS = 30;

    @TempDir private Path temp;
    private TaskJvm jvm;
    private StandInAppMaster appMaster;
    private MapOutputServer maps;

    @BeforeEach
    void setUp() throws IOException {
        jvm = new TaskJvm(temp.resolve("jvm"), TaskJvm.REDUCE);
        appMaster = new StandInAppMaster(TaskJvm.reduce(MAPS));
        maps = new MapOutputServer(MAPS, appMaster.token().getPassword());
        appMaster.completions = reduce -> maps.completed(MAPS);
    }

    @AfterEach
    void end() {
        jvm.close();
        appMaster.close();
        maps.close();
    }

    @Test
    void isRefusedWithAShuffleThatWeDoNotKnow() throws Exception {
        JobConf job = job();
        job.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, ForeignShuffle.class.getName());
        jvm.start(appMaster, job, List.of());
        appMaster.order(CloneOrder.prepare(1, CLONE));
        assertThat(appMaster.answer())
                .hasToString("REFUSED clone 5: its shuffle is " + ForeignShuffle.class.getName());
        assertCompletes();
    }

    /** It has written nothing yet; but a clone of it would write what nobody commits. */
    @Test
    void isRefusedWithACommitterThatWeDoNotKnowWhileItShuffles() throws Exception {
        appMaster.completions = reduce -> maps.completed(1);
        JobConf job = job();
        job.setClass(MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, BoundOutput.class, OutputFormat.class);
        jvm.start(appMaster, job, List.of());
        await().atMost(PATIENCE).until(() -> maps.served() > 0);
        appMaster.order(CloneOrder.prepare(1, CLONE));
        assertThat(appMaster.answer()).hasToString("REFUSED clone 5: " + BoundOutput.REASON);
        appMaster.completions = reduce -> maps.completed(MAPS);
        assertCompletes();
    }

    /** There is no attempt yet, which would have to begin at zero. */
    @Test
    void isRefusedWhileAFetchLastsLong() throws Exception {
        maps.nanosEach = TimeUnit.SECONDS.toNanos(2);
        JobConf job = job();
        job.set(CloneKeys.GATE_LIMIT, "20ms");
        jvm.start(appMaster, job, List.of());
        await().atMost(PATIENCE).until(() -> maps.served() > 0);
        CloneAnswer answer;
        int serial = 0;
        do { // between two fetches it may be asked, too
            appMaster.order(CloneOrder.prepare(++serial, CLONE));
            answer = appMaster.answer();
        } while (answer.kind() == CloneAnswer.Kind.ABLE);
        assertThat(answer)
                .hasToString(
                        "REFUSED clone 5: a fetch has been under way for longer than "
                                + CloneKeys.GATE_LIMIT);
        maps.nanosEach = 0;
        assertCompletes();
    }

    @Test
    void isRefusedWhileItWritesToSomethingElseThanHdfs() throws Exception {
        JobConf job = job();
        job.setClass(MRJobConfig.REDUCE_CLASS_ATTR, HeldReducer.class, Reducer.class);
        jvm.start(appMaster, job, List.of());
        await().atMost(PATIENCE).until(() -> Files.exists(jvm.work.resolve(HeldReducer.HERE)));
        appMaster.order(CloneOrder.prepare(1, CLONE));
        assertThat(appMaster.answer().reason())
                .startsWith("its output isn't in HDFS but in file:" + temp.resolve("out"));
        assertCompletes();
    }

    /** No fetch has failed because of it, as far as anybody can tell. */
    @Test
    void fetchesNothingFromQuiesceToResumeAndGoesOn() throws Exception {
        // However long the freeze takes to come, the shuffle isn't over by then.
        maps.nanosEach = TimeUnit.MILLISECONDS.toNanos(800);
        appMaster.completions = reduce -> maps.completed(MAPS - 1);
        ScriptedTool tool =
                new ScriptedTool(
                        temp.resolve("tool"),
                        "listen; settle && quiesce && touch frozen; await thaw; resume aborted; end 70 no '{}'");
        JobConf job = job();
        job.set(CloneKeys.TOOL, tool.path());
        jvm.start(appMaster, job, List.of());
        await().atMost(PATIENCE).until(() -> maps.served() > 1);
        appMaster.order(CloneOrder.offer(1, CLONE, NONCE, StandInAppMaster.PATIENT));
        appMaster.answer(CloneAnswer.Kind.OFFERED);
        await().atMost(PATIENCE).until(() -> tool.has("frozen"));

        String log = jvm.log();
        await().atMost(PATIENCE).during(Duration.ofMillis(300)).until(() -> jvm.log().equals(log));
        maps.nanosEach = 0;
        appMaster.completions = reduce -> maps.completed(MAPS);
        tool.make("thaw");
        appMaster.answer(CloneAnswer.Kind.FAILED);
        assertCompletes();
    }

    /** The AppMaster answers only when there are news of spills, and that would be too late. */
    @Test
    void standsStillWhileItWaitsForNewsOfSpillsAndAsksAgain() throws Exception {
        ScriptedTool tool =
                new ScriptedTool(
                        temp.resolve("tool"),
                        "listen; settle && quiesce && touch frozen; await thaw; resume aborted; end 70 no '{}'");
        JobConf job = job();
        job.set(CloneKeys.TOOL, tool.path());
        job.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, SpillShuffle.class.getName());
        try (SpillServer spills =
                new SpillServer(TaskJvm.REDUCE.getJobID().toString(), appMaster.token())) {
            spills.questions.hold();
            jvm.start(
                    appMaster, job, List.of("env", SpillProtocol.ADDRESS + "=" + spills.address()));
            await().atMost(PATIENCE).until(spills.questions::isWaiting);
            appMaster.order(CloneOrder.offer(1, CLONE, NONCE, StandInAppMaster.PATIENT));
            appMaster.answer(CloneAnswer.Kind.OFFERED);
            await().atMost(PATIENCE)
                    .until(() -> tool.has("frozen") || !appMaster.answers.isEmpty());
            assertThat(tool.has("frozen")).as(jvm.log()).isTrue();
            assertThat(spills.asked()).isOne();

            tool.make("thaw");
            appMaster.answer(CloneAnswer.Kind.FAILED);
            await().atMost(PATIENCE).until(() -> spills.asked() > 1);
            for (int map = 0; map < MAPS; map++) {
                TaskAttemptID attempt = new TaskAttemptID("1700000000000", 7, TaskType.MAP, map, 0);
                spills.registry.ended(attempt, 0, SpillNotice.NO_CHAIN);
                spills.registry.succeeded(attempt, 1000);
            }
            spills.questions.letGo();
            assertThat(jvm.exitCode()).as(jvm.log()).isZero();
            assertThat(temp.resolve("out/part-r-00001")).isEmptyFile();
        }
    }

    private JobConf job() {
        JobConf job = TaskJvm.job();
        job.setNumMapTasks(MAPS);
        job.setBoolean("mapred.reducer.new-api", true);
        job.set(FileOutputFormat.OUTDIR, temp.resolve("out").toUri().toString());
        job.setInt(MRJobConfig.SHUFFLE_PARALLEL_COPIES, 2);
        return job;
    }

    private void assertCompletes() throws Exception {
        jvm.hurry();
        assertThat(jvm.exitCode()).as(jvm.log()).isZero();
        assertThat(appMaster.done).containsExactly(TaskJvm.REDUCE);
        assertThat(appMaster.errors).isEmpty();
        assertThat(appMaster.fetchFailures).isEmpty();
        assertThat(Files.readString(temp.resolve("out/part-r-00001"))).isEqualTo(maps.sorted());
    }
}
