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
package org.apache.hadoop.clone.speculate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.clone.estimate.Drift;
import org.apache.hadoop.clone.estimate.Estimate;
import org.apache.hadoop.clone.estimate.Slack;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.junit.jupiter.api.Test;

/** What one look finds, of attempts whose times the test says. */
class StragglerScanTest {
    /** As if an attempt of the kind took 100 s and this one, half way, took as long. */
    private static final Estimate ON_SCHEDULE = new Estimate(50_000, 100_000, 50_000);

    private static final Estimate STRAGGLES = new Estimate(500_000, 100_000, 50_000);
    private static final Speculator NOBODY = mock(Speculator.class);

    private final JobFixture job = new JobFixture();
    private final FakeCloner cloner = new FakeCloner();
    private final OrderedRestarts restarts = new OrderedRestarts();
    private final Map<TaskAttemptId, Estimate> estimates = new HashMap<>();
    private final AtomicInteger estimated = new AtomicInteger();

    private StragglerScan scan(boolean full) {
        return new StragglerScan(
                id -> {
                    estimated.incrementAndGet();
                    return Optional.ofNullable(estimates.get(id));
                },
                () -> new Drift(0, 0),
                cloner,
                restarts,
                new Prices(0.5, 0.5, true, SpeculationRules.PRESET),
                full,
                9_000,
                job.now.get());
    }

    private StragglerScan look(StartedTask... tasks) {
        StragglerScan scan = scan(false);
        for (StartedTask task : tasks) {
            scan.look(task, false);
        }
        return scan;
    }

    private StartedTask task(TaskId id) {
        return new StartedTask(job.context.getJob(id.getJobId()).getTask(id));
    }

    private TaskAttemptId attempt(TaskId task, Estimate estimate) {
        TaskAttemptId attempt = job.startWithoutReport(NOBODY, task);
        estimates.put(attempt, estimate);
        return attempt;
    }

    @Test
    void whatIsOnScheduleIsNoStraggler() {
        TaskId map = job.addTask();
        TaskAttemptId only = attempt(map, ON_SCHEDULE);
        StragglerScan scan = look(task(map));
        assertThat(scan.candidates()).isEmpty();
        assertThat(scan.passedOver()).containsExactly(only);
        assertThat(scan.passedOverFor(Reason.ON_SCHEDULE)).isEqualTo(1);
        assertThat(scan.running()).isEqualTo(1);
    }

    /** A clone that cost nothing would need 50 s, and 25 s must be saved. */
    @Test
    void aStragglerTakesMoreThanItsRestAndThePrice() {
        TaskId map = job.addTask();
        TaskAttemptId only = attempt(map, new Estimate(75_000, 100_000, 50_000));
        assertThat(look(task(map)).candidates()).isEmpty();
        estimates.put(only, new Estimate(75_001, 100_000, 50_000));
        assertThat(look(task(map)).candidates())
                .singleElement()
                .satisfies(
                        one -> {
                            assertThat(one.attempt()).isEqualTo(only);
                            // t_clone is 2 s, and nothing is to travel.
                            assertThat(one.score())
                                    .isEqualTo(new CloneScore(75_001, 2_000, 50_000, 100_000));
                            assertThat(one.obstacle()).isEmpty();
                        });
    }

    @Test
    void ofWhatNothingCanBeSaidIsTooNew() {
        TaskId map = job.addTask();
        job.startWithoutReport(NOBODY, map);
        assertThat(look(task(map)).passedOverFor(Reason.TOO_NEW)).isEqualTo(1);
    }

    @Test
    void aReduceThatFetchesMayWaitForMaps() {
        TaskId reduce = job.addTask(TaskType.REDUCE);
        TaskAttemptId only = attempt(reduce, STRAGGLES);
        job.enters(only, Phase.SHUFFLE);
        StragglerScan scan = scan(false);
        scan.look(task(reduce), true);
        assertThat(scan.passedOverFor(Reason.WAITS_FOR_MAPS)).isEqualTo(1);
        assertThat(look(task(reduce)).candidates()).hasSize(1);
    }

    @Test
    void whatCommitsIsTooLateForAnother() {
        TaskId map = job.addTask();
        job.waitToCommit(NOBODY, attempt(map, STRAGGLES));
        StragglerScan scan = look(task(map));
        assertThat(scan.candidates()).isEmpty();
        assertThat(scan.passedOverFor(Reason.COMMITTING)).isEqualTo(1);
    }

    /** T_ADD_SPEC_ATTEMPT in SCHEDULED ends the job. */
    @Test
    void aTaskThatDoesNotRunIsLeftAlone() {
        TaskId map = job.addTask();
        attempt(map, STRAGGLES);
        job.states.put(map, TaskState.SCHEDULED);
        StragglerScan scan = look(task(map));
        assertThat(scan.candidates()).isEmpty();
        assertThat(scan.running()).isZero();
    }

    @Test
    void whatIsBeingClonedOrWasToldToBeginAgainIsSpeculating() {
        TaskId cloned = job.addTask();
        TaskId again = job.addTask();
        cloner.ordered.add(attempt(cloned, STRAGGLES));
        attempt(again, STRAGGLES);
        StartedTask toldToBegin = task(again);
        restarts.ordered(toldToBegin.task());
        StragglerScan scan = look(task(cloned), toldToBegin);
        assertThat(scan.candidates()).isEmpty();
        assertThat(scan.speculating()).isEqualTo(2);
        assertThat(scan.passedOverFor(Reason.ALREADY_SPECULATING)).isEqualTo(2);
    }

    @Test
    void whatWasKilledOrFailedIsTold() {
        TaskId map = job.addTask();
        TaskAttemptId killed = attempt(map, STRAGGLES);
        job.kill(killed);
        TaskAttemptId next = attempt(map, ON_SCHEDULE);
        StragglerScan scan = look(task(map));
        assertThat(scan.stopped()).containsExactly(killed);
        assertThat(scan.passedOver()).containsExactly(next);
        assertThat(scan.speculating()).isZero();
    }

    /** As long as no event says otherwise. */
    @Test
    void whatHasSlackIsNeitherAskedNorEstimatedAgain() {
        TaskId map = job.addTask();
        Slack slack = new Slack(1, job.now.get() + 5_000, new Drift(0, 0));
        attempt(map, new Estimate(50_000, 100_000, 50_000, slack));
        StartedTask started = task(map);
        StragglerScan first = scan(false);
        assertThat(first.look(started, false)).isTrue();
        assertThat(first.look(started, false)).as("its slack is learned then").isFalse();
        int asked = job.asked.get();
        assertThat(estimated).hasValue(2);
        job.pass(5_000);
        assertThat(scan(false).look(started, false)).isFalse();
        assertThat(estimated).hasValue(2);
        job.pass(1);
        assertThat(scan(false).look(started, false)).isFalse();
        assertThat(estimated).hasValue(3);
        assertThat(job.asked).hasValue(asked);
    }

    /** Nobody tells the speculator that an attempt was killed. */
    @Test
    void whatHasSaidNothingForNineSecondsIsAsked() {
        TaskId map = job.addTask();
        attempt(map, ON_SCHEDULE);
        StartedTask started = task(map);
        assertThat(look(started).running()).isEqualTo(1);
        job.pass(9_000);
        assertThat(scan(false).look(started, false)).isFalse();
        job.pass(1);
        assertThat(scan(false).look(started, false)).isTrue();
    }

    @Test
    void stragglersOfBeforeWaitWhereThereIsNoRoom() {
        TaskId map = job.addTask();
        attempt(map, STRAGGLES);
        StartedTask started = task(map);
        assertThat(look(started).candidates()).hasSize(1);
        StragglerScan full = scan(true);
        full.look(started, false);
        assertThat(full.candidates()).isEmpty();
        assertThat(full.deferred()).isEqualTo(1);
        assertThat(look(started).candidates()).hasSize(1);
    }

    /** The second needs 500 s where another needs 2 s and 50. */
    @Test
    void aSecondAttemptThatStragglesItselfMayBeReplaced() {
        TaskId map = job.addTask();
        TaskAttemptId first = attempt(map, STRAGGLES);
        TaskAttemptId second = attempt(map, STRAGGLES);
        StragglerScan scan = look(task(map));
        assertThat(scan.speculating()).isEqualTo(1);
        assertThat(scan.replacements())
                .singleElement()
                .satisfies(
                        one -> {
                            assertThat(one.second()).isEqualTo(second);
                            assertThat(one.decision().attempt()).isEqualTo(first);
                            assertThat(one.decision().reason()).isEqualTo(Reason.SECOND_STRAGGLES);
                        });
        estimates.put(second, ON_SCHEDULE);
        assertThat(look(task(map)).replacements()).isEmpty();
    }

    @Test
    void aCloneThatOthersOnItsHostShowToBeTooSlowIsNoneForNow() {
        TaskId map = job.addTask();
        attempt(map, STRAGGLES);
        cloner.leastMillis = 60_000;
        assertThat(look(task(map)).candidates())
                .singleElement()
                .satisfies(
                        one ->
                                assertThat(one.obstacle())
                                        .contains("another on its host was slow to answer"));
    }
}
