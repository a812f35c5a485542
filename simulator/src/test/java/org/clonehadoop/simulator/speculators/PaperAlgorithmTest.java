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
package org.clonehadoop.simulator.speculators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.app.speculate.TaskRuntimeEstimator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Algorithm 1, with β = 1.2, t̄_vm = 15 s, 500 MB of files at 100 MB/s, and t̄_a = 100 s: so
 * t_clone is 1.2 · (15 + 5) = 24 s.
 */
class PaperAlgorithmTest {
    private static final long NOW = ScriptedJob.BEGIN + 200_000;
    private static final long MEAN = 100_000;

    private final ScriptedJob job = new ScriptedJob(4);
    private final Configuration conf = new Configuration(false);
    private PaperAlgorithm algorithm;

    /** As a test says: t*_a by attempt, from {@link #NOW} on. */
    public static final class ToldEstimates implements TaskRuntimeEstimator {
        private static final Map<TaskAttemptId, Long> LEFT = new HashMap<>();

        @Override
        public void enrollAttempt(TaskAttemptStatus status, long timestamp) {}

        @Override
        public long attemptEnrolledTime(TaskAttemptId attempt) {
            return LEFT.containsKey(attempt) ? NOW - MEAN : Long.MAX_VALUE;
        }

        @Override
        public void updateAttempt(TaskAttemptStatus status, long timestamp) {}

        @Override
        public void contextualize(Configuration conf, AppContext context) {}

        @Override
        public long thresholdRuntime(TaskId task) {
            return 0;
        }

        @Override
        public long estimatedRuntime(TaskAttemptId attempt) {
            return MEAN + LEFT.get(attempt);
        }

        @Override
        public long estimatedNewAttemptRuntime(TaskId task) {
            return MEAN;
        }

        @Override
        public long runtimeEstimateVariance(TaskAttemptId attempt) {
            return 0;
        }
    }

    @BeforeEach
    void fiveHundredMegabytesOfFiles() {
        ToldEstimates.LEFT.clear();
        conf.setClass(
                MRJobConfig.MR_AM_TASK_ESTIMATOR, ToldEstimates.class, TaskRuntimeEstimator.class);
        job.cloneBytes = 500_000_000;
        algorithm = new PaperAlgorithm(conf, job.context, job);
        job.at(NOW);
    }

    /**
     * @param leftMillis t*_a
     */
    private void running(int map, double progress, long leftMillis) {
        job.start(map, algorithm::handle);
        job.report(map, progress, algorithm::handle);
        ToldEstimates.LEFT.put(job.attempt(map).getID(), leftMillis);
    }

    /** t_cloned = 24 + 0.3 · 100 = 54 s, t_new = 100 s. */
    @Test
    void whoHasDoneMoreThanItsCloneCostsIsCloned() {
        running(0, 0.7, 200_000);

        algorithm.look();

        assertThat(job.orders).containsExactly(NOW + " CLONE m_000000_0");
        assertThat(job.scores.get(job.attempt(0).getID()).gainMillis())
                .isCloseTo(146_000, within(10.0));
    }

    /** t_cloned = 24 + 0.77 · 100 = 101 s, t_new = 100 s. */
    @Test
    void whoHasDoneLessIsBegunAgain() {
        running(0, 0.23, 200_000);

        algorithm.look();

        assertThat(job.orders).containsExactly(NOW + " NEW m_000000");
    }

    @Test
    void whoCannotBeClonedIsBegunAgain() {
        running(0, 0.7, 200_000);
        job.uncloneable.add("m_000000_0");

        algorithm.look();

        assertThat(job.orders).containsExactly(NOW + " NEW m_000000");
    }

    /** 55 − 54 s; and the score that is to be beaten is 0. */
    @Test
    void anyGainIsEnoughAndNoneIsNot() {
        running(0, 0.7, 53_000);
        algorithm.look();
        assertThat(job.orders).isEmpty();

        running(1, 0.7, 55_000);
        job.at(NOW + 1000);
        ToldEstimates.LEFT.put(job.attempt(1).getID(), 56_000L);
        algorithm.look();
        assertThat(job.orders).containsExactly(NOW + 1000 + " CLONE m_000001_0");
    }

    /** 200 − 100, 200 − 54 and 160 − 54 s. */
    @Test
    void ofAllAttemptsTheOneWithTheHighestScoreIsOrdered() {
        running(0, 0.1, 200_000);
        running(1, 0.7, 200_000);
        running(2, 0.7, 160_000);

        algorithm.look();

        assertThat(job.orders).containsExactly(NOW + " CLONE m_000001_0");
    }

    @Test
    void theNextOrderComesFifteenSecondsLater() {
        running(0, 0.7, 200_000);
        running(1, 0.7, 300_000);
        algorithm.look();
        job.beingCloned.add("m_000001_0");

        for (long second = 1; second <= 15; second++) {
            job.at(NOW + 1000 * second);
            algorithm.look();
        }

        assertThat(job.orders)
                .containsExactly(NOW + " CLONE m_000001_0", NOW + 15_000 + " CLONE m_000000_0");
    }

    /** n < specCap: of one task there is one already. */
    @Test
    void nothingIsOrderedBeyondTheCap() {
        conf.set(MRJobConfig.SPECULATIVECAP_RUNNING_TASKS, "0");
        conf.set(MRJobConfig.SPECULATIVECAP_TOTAL_TASKS, "0");
        conf.set(MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS, "1");
        algorithm = new PaperAlgorithm(conf, job.context, job);
        running(0, 0.7, 200_000);
        running(1, 0.7, 200_000);
        job.beingCloned.add("m_000001_0");

        algorithm.look();
        assertThat(job.orders).isEmpty();

        job.beingCloned.clear();
        job.at(NOW + 1000);
        algorithm.look();
        assertThat(job.orders).hasSize(1);
    }

    /** As stock's, into which it was built. */
    @Test
    void nothingIsOrderedWhileAContainerOfTheKindIsAwaited() {
        running(0, 0.7, 200_000);
        TaskId waiting = job.attempt(1).getID().getTaskId();
        algorithm.handle(new SpeculatorEvent(waiting, 1));

        algorithm.look();
        assertThat(job.orders).isEmpty();

        algorithm.handle(new SpeculatorEvent(waiting, -1));
        job.at(NOW + 1000);
        algorithm.look();
        assertThat(job.orders).hasSize(1);
    }
}
