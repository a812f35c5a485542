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

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneLimits;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Hadoop's own tasks, asked for a clone and offered to one at every moment that isn't in the list
 * of cloneable phases (docs/internals/task-side.md): each time none is made, and the task goes on.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class UncloneableMomentsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final CloneLimits LIMITS = new CloneLimits(3000, PATIENCE.toMillis());
    private static final long CLONE = 5;
    private static final byte[] NONCE = new byte[OneTimeKey.NONCE_BYTES];
    private static final int MAPS = 3;
    private static final String NOT_READING = "it isn't reading records now";
    private static final String NOT_REDUCING = "it isn't shuffling, sorting or reducing now";
    private static final String NO_BOUNDARY = "it didn't come to a record boundary in 200 ms";

    /** Waited for as long as its clone has patience, some of which is spent by then. */
    private static final String NO_BOUNDARY_IN_TIME =
            "it didn't come to a record boundary in [0-9]+ ms";

    @TempDir private Path temp;
    private ScriptedTool tool;
    private int serial;

    @Test
    void ofAMap() throws Exception {
        try (TaskJvm map = new TaskJvm(temp.resolve("jvm"));
                StandInAppMaster appMaster = new StandInAppMaster(map.task())) {
            JobConf job = job(TaskJvm.job());
            job.setNumReduceTasks(2);
            job.setFloat(MRJobConfig.MAP_SORT_SPILL_PERCENT, 0.8f);
            job.setClass(MRJobConfig.MAP_CLASS_ATTR, Moments.Records.class, Mapper.class);
            job.setOutputKeyComparatorClass(Moments.Order.class);
            map.start(appMaster, job, List.of());

            assertNoCloneAt("set-up", map, appMaster, NOT_READING);
            assertNoCloneAt("before-records", map, appMaster, NO_BOUNDARY);
            await().atMost(PATIENCE).until(() -> map.position() > 1);
            map.endInput();
            assertNoCloneAt("after-records", map, appMaster, NO_BOUNDARY);
            assertNoCloneAt("merge", map, appMaster, NOT_READING);
            assertCompletes(map, appMaster);
        }
    }

    @Test
    void ofAMapWithoutReduces() throws Exception {
        try (TaskJvm map = new TaskJvm(temp.resolve("jvm"));
                StandInAppMaster appMaster = new StandInAppMaster(map.task())) {
            JobConf job = job(TaskJvm.job());
            job.setNumReduceTasks(0);
            appMaster.commits.hold();
            map.start(appMaster, job, List.of());

            assertNoCloneAt("set-up", map, appMaster, NOT_READING);
            assertNoCloneAt("open", map, appMaster, NOT_READING);
            await().atMost(PATIENCE).until(() -> map.position() > 1);
            map.endInput();
            assertNoCloneAt("close", map, appMaster, NOT_READING);
            assertNoCloneBeforeCommit(appMaster, NOT_READING);
            assertCompletes(map, appMaster);
        }
    }

    @Test
    void ofAReduce() throws Exception {
        withReduce(
                (reduce, appMaster) -> {
                    appMaster.commits.hold();
                    assertNoCloneAt("set-up", reduce, appMaster, NOT_REDUCING);
                    assertNoCloneAt("open", reduce, appMaster, NOT_REDUCING);
                    assertNoCloneAt("close", reduce, appMaster, NOT_REDUCING);
                    assertNoCloneBeforeCommit(appMaster, NOT_REDUCING);
                    assertCompletes(reduce, appMaster);
                });
    }

    /** On a slow host that takes seconds. Here its output is none that can be cloned. */
    @Test
    void aReduceThatOpensItsOutputIsAskedWhenItIsOpen() throws Exception {
        withReduce(
                (reduce, appMaster) -> {
                    awaitMoment("set-up", reduce);
                    Moments.over(reduce.work, "set-up");
                    awaitMoment("open", reduce);

                    appMaster.order(
                            CloneOrder.offer(++serial, CLONE, NONCE, StandInAppMaster.PATIENT));
                    appMaster.answer(CloneAnswer.Kind.OFFERED);
                    await().atMost(PATIENCE).until(() -> reduce.log().contains("settle"));
                    Moments.over(reduce.work, "open");
                    assertThat(appMaster.answer().reason()).startsWith("its output isn't in HDFS");
                    Moments.over(reduce.work, "close");
                    assertCompletes(reduce, appMaster);
                });
    }

    private interface ReduceTest {
        void run(TaskJvm reduce, StandInAppMaster appMaster) throws Exception;
    }

    /** It waits at its set-up. */
    private void withReduce(ReduceTest test) throws Exception {
        try (TaskJvm reduce = new TaskJvm(temp.resolve("jvm"), TaskJvm.REDUCE);
                StandInAppMaster appMaster = new StandInAppMaster(TaskJvm.reduce(MAPS));
                MapOutputServer maps = new MapOutputServer(MAPS, appMaster.token().getPassword())) {
            appMaster.completions = attempt -> maps.completed(MAPS);
            JobConf job = job(TaskJvm.job());
            job.setNumMapTasks(MAPS);
            job.setBoolean("mapred.reducer.new-api", true);
            reduce.start(appMaster, job, List.of());
            test.run(reduce, appMaster);
        }
    }

    private JobConf job(JobConf job) throws Exception {
        tool =
                new ScriptedTool(
                        temp.resolve("tool"),
                        "listen; settle && quiesce && touch frozen; end 70 'no' '{}'");
        job.set(CloneKeys.TOOL, tool.path());
        job.set(CloneKeys.GATE_LIMIT, "200ms");
        job.set(CloneKeys.BOUNDARY_PATIENCE, "0");
        job.setClass(
                MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, Moments.Output.class, OutputFormat.class);
        job.set(FileOutputFormat.OUTDIR, temp.resolve("out").toUri().toString());
        return job;
    }

    /** The task comes to that moment, is asked there, and goes on. */
    private void assertNoCloneAt(
            String moment, TaskJvm task, StandInAppMaster appMaster, String reason)
            throws Exception {
        awaitMoment(moment, task);
        assertNoClone(moment, appMaster, reason);
        Moments.over(task.work, moment);
    }

    private static void awaitMoment(String moment, TaskJvm task) throws Exception {
        await(moment)
                .atMost(PATIENCE)
                .until(() -> !task.isAlive() || Moments.isAt(task.work, moment));
        assertThat(task.isAlive()).as(task.log()).isTrue();
    }

    private void assertNoCloneBeforeCommit(StandInAppMaster appMaster, String reason)
            throws Exception {
        await().atMost(PATIENCE).until(appMaster.commits::isWaiting);
        assertNoClone("commit", appMaster, reason);
        appMaster.commits.letGo();
    }

    /**
     * @param reason why it can't be planned; or, if only the freeze shows that, why not frozen
     */
    private void assertNoClone(String moment, StandInAppMaster appMaster, String reason)
            throws Exception {
        appMaster.order(CloneOrder.prepare(++serial, CLONE));
        CloneAnswer prepared = appMaster.answer();
        if (reason.equals(NO_BOUNDARY)) {
            assertThat(prepared.kind()).as(moment).isEqualTo(CloneAnswer.Kind.ABLE);
        } else {
            assertThat(prepared).as(moment).hasToString("REFUSED clone 5: " + reason);
        }
        appMaster.order(CloneOrder.offer(++serial, CLONE, NONCE, LIMITS));
        appMaster.answer(CloneAnswer.Kind.OFFERED, () -> moment);
        String why = appMaster.answer().reason();
        if (reason.equals(NOT_REDUCING) && moment.equals("open")) {
            assertThat(why).matches(NO_BOUNDARY_IN_TIME);
        } else {
            assertThat(why).as(moment).matches(Pattern.quote(reason) + "|" + NO_BOUNDARY_IN_TIME);
        }
        assertThat(tool.has("frozen")).as(moment).isFalse();
    }

    private static void assertCompletes(TaskJvm task, StandInAppMaster appMaster) throws Exception {
        assertThat(task.exitCode()).as(task.log()).isZero();
        assertThat(appMaster.done).hasSize(1);
        assertThat(appMaster.errors).isEmpty();
    }
}
