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

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A map with per-spill outputs, really cloned: spills of both make one output. */
@Timeout(180)
class ClonedSpillsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long CLONE = 5;
    private static final byte[] NONCE = new byte[OneTimeKey.NONCE_BYTES];
    private static final TaskAttemptID CLONED = new TaskAttemptID(TaskJvm.ATTEMPT.getTaskID(), 1);
    private static final int MAPS = 10;
    private static final String AT_BOUNDARY = "MB in memory, ";

    @TempDir private Path temp;
    private Path tool;
    private TaskJvm original;
    private CloneContainer clone;
    private StandInAppMaster appMaster;
    private SpillServer spills;

    @BeforeEach
    void setUp() throws Exception {
        tool = NativeTool.required();
        original = new TaskJvm(temp.resolve("original"));
        clone = new CloneContainer(temp.resolve("clone"));
        appMaster = new StandInAppMaster(original.task());
        spills = new SpillServer(TaskJvm.ATTEMPT.getJobID().toString(), appMaster.token());
    }

    @AfterEach
    void end() {
        if (original != null) {
            original.close();
            clone.close();
            appMaster.close();
            spills.close();
        }
    }

    @Tag("older-hadoop")
    @Test
    void goesOnWhereTheOriginalsSpillsEnd() throws Exception {
        assertThat(cloned("0")).doesNotContain(AT_BOUNDARY);
    }

    @Test
    void cutsTheSameSpillsIfItIsClonedAtABoundary() throws Exception {
        assertThat(cloned("30s")).contains(AT_BOUNDARY);
        List<Long> ends = ends(spills.places());
        assertThat(ends.subList(0, ends.size() - 1)).isSubsetOf(unbrokenEnds(ends.size()));
    }

    /** In the midst of a record that its other buffer has no room for, too. */
    @Test
    void sortsTheSpillThatWasBeingSorted() throws Exception {
        startSlowSort(3);
        await(() -> original.sorts());
        cloneWhileItSorts();
        hurry();
        await(() -> spills.publishedBy(CLONED) >= 2);
        assertBothEnd();
    }

    /** All records are read, and its input is closed. */
    @Test
    void sortsTheLastSpillThatWasBeingSorted() throws Exception {
        startSlowSort(30);
        await(() -> original.position() > 20_000);
        original.endInput();
        await(() -> original.sorts());
        cloneWhileItSorts();
        assertThat(spills.published).isEmpty();
        hurry();
        assertThat(clone.exitCode()).as(clone.log()).isZero();
        assertThat(original.exitCode()).as(original.log()).isZero();
        assertThat(appMaster.errors).isEmpty();
        assertThat(spills.published).containsExactlyInAnyOrder(CLONED, TaskJvm.ATTEMPT);
        assertThat(spills.registry.succeeded(CLONED, 1)).isTrue();
        assertThat(output(spills.places())).hasSize((int) original.position());
    }

    private void startSlowSort(int megabytes) throws IOException {
        JobConf job = job("0");
        job.setInt(MRJobConfig.IO_SORT_MB, megabytes);
        job.setOutputKeyComparatorClass(SlowOrder.class);
        start(original, appMaster, spills, job);
    }

    private void cloneWhileItSorts() throws Exception {
        appMaster.order(CloneOrder.prepare(1, CLONE));
        appMaster.answer(CloneAnswer.Kind.ABLE);
        appMaster.order(CloneOrder.offer(2, CLONE, NONCE, StandInAppMaster.PATIENT));
        pull();
        appMaster.answer(CloneAnswer.Kind.SENT, original::log);
        await(() -> clone.log().contains("This is a clone"));
    }

    private void hurry() throws IOException {
        original.hurry();
        clone.hurry();
    }

    /**
     * @param patience for the end of a spill
     * @return what the original has said
     */
    private String cloned(String patience) throws Exception {
        offer(patience);
        pull();
        await(() -> spills.publishedBy(CLONED) >= 2);
        long before = spills.publishedBy(TaskJvm.ATTEMPT);
        await(() -> spills.publishedBy(TaskJvm.ATTEMPT) > before);
        assertBothEnd();
        return original.log();
    }

    private void pull() throws Exception {
        appMaster.expected = new CloneIdentity(CLONED, CloneContainer.CONTAINER, "127.0.0.1");
        clone.pull(tool, offered(), OneTimeKey.of(appMaster.token().getPassword(), CLONE, NONCE));
    }

    private void assertBothEnd() throws Exception {
        clone.endInput();
        assertThat(clone.exitCode()).as(clone.log()).isZero();
        assertThat(appMaster.done).containsExactly(CLONED);
        assertThat(spills.registry.succeeded(CLONED, 1)).isTrue();
        SortedMap<Long, String> output = output(spills.places());
        assertThat(output).hasSize((int) clone.position());
        assertThat(output.get(output.firstKey())).isEqualTo(TaskJvm.ATTEMPT.toString());
        assertThat(output.get(output.lastKey())).isEqualTo(CLONED.toString());

        original.endInput();
        assertThat(original.exitCode()).as(original.log()).isZero();
        assertThat(appMaster.errors).isEmpty();
    }

    private void offer(String patience) throws IOException {
        start(original, appMaster, spills, job(patience));
        await(() -> spills.publishedBy(TaskJvm.ATTEMPT) >= 2);
        appMaster.order(CloneOrder.offer(1, CLONE, NONCE, StandInAppMaster.PATIENT));
    }

    private JobConf job(String patience) {
        JobConf job = TaskJvm.job();
        job.set(CloneKeys.TOOL, tool.toString());
        job.set(CloneKeys.BOUNDARY_PATIENCE, patience);
        job.setNumMapTasks(MAPS);
        // Buffers of 2 and 1 MB.
        job.setInt(MRJobConfig.IO_SORT_MB, 3);
        job.setFloat(MRJobConfig.MAP_SORT_SPILL_PERCENT, 0.8f);
        job.set(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, SpillCollector.class.getName());
        return job;
    }

    private static void start(TaskJvm jvm, StandInAppMaster of, SpillServer to, JobConf job)
            throws IOException {
        jvm.start(of, job, List.of("env", SpillProtocol.ADDRESS + "=" + to.address()));
    }

    /** Last records of the spills of a map that nobody has cloned. */
    private List<Long> unbrokenEnds(int atLeast) throws Exception {
        try (TaskJvm unbroken = new TaskJvm(temp.resolve("unbroken"));
                StandInAppMaster of = new StandInAppMaster(unbroken.task());
                SpillServer to =
                        new SpillServer(TaskJvm.ATTEMPT.getJobID().toString(), of.token())) {
            start(unbroken, of, to, job("0"));
            await(() -> to.publishedBy(TaskJvm.ATTEMPT) >= atLeast);
            unbroken.endInput();
            assertThat(unbroken.exitCode()).as(unbroken.log()).isZero();
            // Stock's, with a stack trace, where a map has no output file.
            assertThat(unbroken.log()).doesNotContain("Could not find output size");
            assertThat(to.registry.succeeded(TaskJvm.ATTEMPT, 1)).isTrue();
            List<Long> ends = new ArrayList<>();
            for (SpillUpdate place : to.places()) {
                ends.add(MapOutput.read(unbroken.local, servedAs(place)).lastKey());
            }
            return ends;
        }
    }

    private List<Long> ends(List<SpillUpdate> places) throws IOException {
        List<Long> ends = new ArrayList<>();
        for (SpillUpdate place : places) {
            ends.add(spill(place).lastKey());
        }
        return ends;
    }

    private CloneAnswer offered() throws Exception {
        return appMaster.answer(CloneAnswer.Kind.OFFERED);
    }

    /** What is there, read where it is to be fetched, under its writer's id; each record once. */
    private SortedMap<Long, String> output(List<SpillUpdate> places) throws IOException {
        SortedMap<Long, String> output = new TreeMap<>();
        for (SpillUpdate place : places) {
            assertThat(place.host()).isEqualTo("http://" + place.attempt());
            SortedMap<Long, String> spill = spill(place);
            assertThat(output).doesNotContainKeys(spill.keySet().toArray(Long[]::new));
            output.putAll(spill);
        }
        return output;
    }

    private SortedMap<Long, String> spill(SpillUpdate place) throws IOException {
        boolean atClone = place.host().equals("http://" + CLONED.getId());
        return MapOutput.read(atClone ? clone.local : original.local, servedAs(place));
    }

    private static TaskAttemptID servedAs(SpillUpdate place) {
        return new TaskAttemptID(
                TaskJvm.ATTEMPT.getJobID().getJtIdentifier(),
                TaskJvm.ATTEMPT.getJobID().getId(),
                TaskType.MAP,
                (place.spill() + 1) * MAPS + place.map(),
                place.attempt());
    }

    private void await(Callable<Boolean> condition) throws IOException {
        try {
            Awaitility.await().atMost(PATIENCE).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(original.log() + clone.log(), e);
        }
    }
}
