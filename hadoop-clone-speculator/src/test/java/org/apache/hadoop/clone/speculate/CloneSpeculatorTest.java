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
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.estimate.Estimate;
import org.apache.hadoop.clone.limits.Permission;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.Outcome;
import org.apache.hadoop.clone.speculate.DecisionCounts.Kind;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The job is a fixture; how times are estimated is tested by itself. */
class CloneSpeculatorTest {
    private static final int TASKS = 20;
    private static final int MANY = 200;

    private final Configuration conf = new Configuration(false);
    private final JobFixture job = new JobFixture();
    private final FakeCloner cloner = new FakeCloner();
    private final List<TaskAttemptId> attempts = new ArrayList<>();
    private CloneSpeculator speculator;

    private void speculatorWith(String mode) {
        conf.set(CloneKeys.MODE, mode);
        speculator = new CloneSpeculator(conf, job.context, cloner);
    }

    /**
     * All but the last `left` of 20 maps take between 90 and 109 s; those are then at `progress`.
     */
    private void runUntilStragglersAreLeft(Speculator watching, int left, double progress) {
        List<TaskId> tasks = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            tasks.add(job.addTask());
        }
        job.needContainers(watching, TASKS);
        tasks.forEach(task -> attempts.add(job.start(watching, task)));
        job.needContainers(watching, -TASKS);
        for (int ten = 1; ten <= 9; ten++) {
            job.pass(10_000);
            for (TaskAttemptId attempt : attempts.subList(0, TASKS - left)) {
                job.report(watching, attempt, 0.1 * ten);
            }
            for (TaskAttemptId straggler : stragglers(left)) {
                job.report(watching, straggler, progress * ten / (11 - left / 10.0));
            }
        }
        for (TaskAttemptId attempt : attempts.subList(0, TASKS - left)) {
            job.pass(1_000);
            job.succeed(watching, attempt);
        }
        for (TaskAttemptId straggler : stragglers(left)) {
            job.report(watching, straggler, progress);
        }
    }

    private List<TaskAttemptId> stragglers(int count) {
        return attempts.subList(TASKS - count, TASKS);
    }

    private List<TaskId> newAttempts() {
        assertThat(job.ordered)
                .allMatch(event -> event.getType() == TaskEventType.T_ADD_SPEC_ATTEMPT);
        return job.ordered.stream().map(TaskEvent::getTaskID).toList();
    }

    private long counted(Outcome outcome, Reason reason) {
        return speculator.counts().snapshot().getOrDefault(new Kind(outcome, reason), 0L);
    }

    private void startAll(int count) {
        List<TaskId> tasks = Stream.generate(job::addTask).limit(count).toList();
        job.needContainers(speculator, count);
        tasks.forEach(task -> attempts.add(job.start(speculator, task)));
        job.needContainers(speculator, -count);
    }

    @Test
    void aStragglerHalfWayIsCloned() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).containsExactly(attempts.get(TASKS - 1));
        assertThat(job.ordered).isEmpty();
        assertThat(counted(Outcome.CLONE, Reason.CLONE_IS_SOONER)).isEqualTo(1);
    }

    /**
     * The first report of progress comes after twelve seconds: short maps only tell at their end.
     */
    @Test
    void besideManyShortMapsLargeOnesAreNoStragglers() {
        int large = 20;
        int small = 60;
        speculatorWith("on");
        startAll(large + small);
        job.pass(5000);
        for (TaskAttemptId map : attempts.subList(large, large + small)) {
            job.enters(map, Phase.SORT);
            job.report(speculator, map, 0);
            job.read(map, 5 << 20);
            job.report(speculator, map, 1);
            job.succeed(speculator, map);
        }
        for (int tenth = 1; tenth <= 5; tenth++) {
            job.pass(6000);
            for (TaskAttemptId map : attempts.subList(0, large)) {
                job.enters(map, Phase.MAP);
                job.read(map, tenth * (13 << 20));
                job.report(speculator, map, 0.1 * tenth);
            }
            assertThat(speculator.scan()).isZero();
        }
    }

    /** Tasks report nothing between their phases then. */
    @Test
    void withoutATimeOutOfTasksSilenceSaysNothing() {
        conf.setLong(MRJobConfig.TASK_TIMEOUT, 0);
        speculatorWith("on");
        startAll(TASKS);
        job.pass(10_000);
        attempts.subList(1, TASKS).forEach(map -> job.succeed(speculator, map));
        for (int seconds = 1; seconds < 100; seconds++) {
            job.pass(1000);
            assertThat(speculator.scan()).isZero();
        }
    }

    @Test
    void aStragglerThatHasDoneLittleIsStartedAgain() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.01);
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).isEmpty();
        assertThat(newAttempts()).containsExactly(attempts.get(TASKS - 1).getTaskId());
        assertThat(counted(Outcome.NEW, Reason.NEW_IS_SOONER)).isEqualTo(1);
    }

    /** The one that is left is at a tenth of the others' pace, and so is its clone. */
    private TaskAttemptId cloneThatStraggles() {
        return clone(0.1, 50);
    }

    /**
     * Of an attempt that is at a tenth of the others' pace.
     *
     * @param pace the clone's, over the others'
     */
    private TaskAttemptId clone(double pace, int reports) {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.1);
        TaskAttemptId original = attempts.get(TASKS - 1);
        TaskAttemptId clone = MRBuilderUtils.newTaskAttemptId(original.getTaskId(), 1);
        cloner.originals.put(clone, original);
        job.host = "h2";
        job.startWithoutReport(speculator, original.getTaskId());
        for (int three = 1; three <= reports; three++) {
            job.pass(3_000);
            job.report(speculator, original, 0.1 + 0.003 * three);
            job.report(speculator, clone, 0.1 + 0.03 * pace * three);
        }
        return clone;
    }

    @Test
    void aSecondAttemptThatStragglesIsReplacedByAnother() {
        TaskAttemptId clone = cloneThatStraggles();
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).containsExactly(cloner.originals.get(clone));
        assertThat(cloner.replaced).containsExactly(clone);
        assertThat(job.events).isEmpty(); // whoever clones ends it
        assertThat(counted(Outcome.CLONE, Reason.SECOND_STRAGGLES)).isEqualTo(1);
        assertThat(speculator.scan()).isZero();
    }

    @Test
    void byOneFromZeroIfItCannotBeCloned() {
        cloner.obstacle = "it has child processes";
        TaskAttemptId second = cloneThatStraggles();
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).isEmpty();
        assertThat(job.events)
                .singleElement()
                .isInstanceOfSatisfying(
                        SecondAttemptKill.class,
                        kill -> assertThat(kill.getTaskAttemptID()).isEqualTo(second));
        job.kill(second);
        assertThat(speculator.scan()).as("until Hadoop has begun another").isZero();
        assertThat(counted(Outcome.NEW, Reason.SECOND_STRAGGLES)).isEqualTo(1);
    }

    @Test
    void whereStockWouldKillWhatHasSucceededNothingIsReplaced() {
        cloner.replaces = false;
        cloneThatStraggles();
        assertThat(speculator.scan()).isZero();
    }

    @Test
    void nothingIsReplacedIfThatIsSwitchedOff() {
        conf.setBoolean(CloneKeys.REPLACE, false);
        cloneThatStraggles();
        assertThat(speculator.scan()).isZero();
        assertThat(cloner.ordered).isEmpty();
    }

    /** The container of the one that ended would be theirs. */
    @Test
    void nothingIsReplacedWhileFirstAttemptsWait() {
        cloneThatStraggles();
        job.needContainers(speculator, 1);
        assertThat(speculator.scan()).isZero();
        job.needContainers(speculator, -1);
        assertThat(speculator.scan()).isEqualTo(1);
    }

    /** It would be a reduce's, which waits for that very map. */
    @Test
    void noMapsAttemptIsReplacedWhereReducesGiveNoContainerBack() {
        conf.setBoolean(CloneKeys.REDUCE_YIELD, false);
        cloneThatStraggles();
        assertThat(speculator.scan()).isZero();
    }

    @Test
    void inAJobWithoutReducesMapsAttemptsAreReplacedWhetherThoseGiveWayOrNot() {
        conf.setBoolean(CloneKeys.REDUCE_YIELD, false);
        conf.setInt(MRJobConfig.NUM_REDUCES, 0);
        cloneThatStraggles();
        assertThat(speculator.scan()).isEqualTo(1);
    }

    @Test
    void nothingIsReplacedOnceTheJobsExtraContainersAreSpent() {
        cloneThatStraggles();
        cloner.spent = "all of it";
        assertThat(speculator.scan()).isZero();
    }

    @Test
    void aSecondAttemptThatCommitsIsNotReplaced() {
        TaskAttemptId clone = cloneThatStraggles();
        job.waitToCommit(speculator, clone);
        assertThat(speculator.scan()).isZero();
    }

    /** For one that failed by itself, before it could be killed, Hadoop begins no other. */
    @Test
    void theTaskIsLookedAtAgainIfTheSecondAttemptEndedByItself() {
        cloner.obstacle = "it has child processes";
        TaskAttemptId second = cloneThatStraggles();
        assertThat(speculator.scan()).isEqualTo(1);
        job.fail(second);
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(newAttempts()).containsExactly(second.getTaskId());
    }

    @Test
    void oneThatGoesOnAsOthersDidIsLeftAlone() {
        clone(1, 20);
        assertThat(speculator.scan()).isZero();
        assertThat(counted(Outcome.NONE, Reason.ALREADY_SPECULATING)).isEqualTo(1);
    }

    /** What it has done is lost with it. */
    @Test
    void theLastTasksSecondAttemptDoesNotEndForASmallGain() {
        clone(0.5, 20);
        assertThat(speculator.scan()).isZero();
    }

    /** Another must save half of its time at least. */
    @Test
    void oneThatIsALittleSlowerThanOthersIsLeftAlone() {
        clone(0.75, 20);
        assertThat(speculator.scan()).isZero();
    }

    /** To wait until it had lost what another takes would be the ski rental of t*_a once more. */
    @Test
    void oneThatIsSlowEndsAsSoonAsAnotherIsWorthIt() {
        clone(0.1, 20);
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).hasSize(1);
    }

    /** Nine that were no better speak for the task: ten times as long isn't long enough. */
    @Test
    void theMoreOftenSecondAttemptsStraggledTheMoreMustBeLeft() {
        TaskAttemptId second = cloneThatStraggles();
        for (int tries = 2; tries <= 9; tries++) {
            job.kill(second);
            cloner.originals.clear();
            second = job.startWithoutReport(speculator, second.getTaskId());
            cloner.originals.put(second, attempts.get(TASKS - 1));
            assertThat(speculator.scan()).isZero();
        }
        for (int three = 1; three <= 40; three++) {
            job.pass(3_000);
            job.report(speculator, second, 0.25 + 0.003 * three);
        }
        assertThat(speculator.scan()).isZero();
        assertThat(cloner.ordered).isEmpty();
    }

    @Test
    void theFilesOfATaskMakeItsCloneDearer() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.3);
        // At 100 MB/s, 10 GB take longer than three tenths of the task.
        job.wrote(attempts.get(TASKS - 1), 10_000_000_000L);
        speculator.scan();
        assertThat(cloner.ordered).isEmpty();
        assertThat(newAttempts()).hasSize(1);
    }

    @Test
    void soDoesItsMemory() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.3);
        job.holds(attempts.get(TASKS - 1), 10_000_000_000L);
        speculator.scan();
        assertThat(cloner.ordered).isEmpty();
        assertThat(newAttempts()).hasSize(1);
    }

    @Test
    void whatTheTaskSaysOfItsFilesCountsMoreThanItsCounters() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        job.wrote(attempts.get(TASKS - 1), 10_000_000_000L);
        cloner.fileBytes.put(attempts.get(TASKS - 1), 1_000_000L);
        speculator.scan();
        assertThat(cloner.ordered).hasSize(1);
    }

    @Test
    void whatCannotBeClonedIsStartedAgainIfThatHelps() {
        speculatorWith("on");
        cloner.obstacle = "it has child processes";
        runUntilStragglersAreLeft(speculator, 1, 0.3);
        speculator.scan();
        assertThat(newAttempts()).hasSize(1);
        assertThat(counted(Outcome.NEW, Reason.NOT_CLONEABLE)).isEqualTo(1);
    }

    @Test
    void aSmallPartOfWhatRemainsIsNoGain() {
        speculatorWith("on");
        aCloneSavesTenOfSeventySeconds();
        anotherMapIsLeft();
        assertThat(speculator.scan()).isZero();
        assertThat(counted(Outcome.NONE, Reason.NO_GAIN)).isEqualTo(1);
    }

    /** Nobody else of its job needs what it takes. */
    @Test
    void unlessItIsTheLastTask() {
        speculatorWith("on");
        aCloneSavesTenOfSeventySeconds();
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).containsExactly(attempts.get(TASKS - 1));
    }

    /** 73 s left; with so many files a clone would take 19 s and 44 s, another attempt 110 s. */
    private void aCloneSavesTenOfSeventySeconds() {
        runUntilStragglersAreLeft(speculator, 1, 0.6);
        job.wrote(attempts.get(TASKS - 1), 1_800_000_000L);
    }

    /** One that hasn't begun, so that what a second attempt takes is missed. */
    private void anotherMapIsLeft() {
        job.addTask();
    }

    @Test
    void aTaskOnScheduleIsLeftAlone() {
        conf.setFloat(MRJobConfig.SPECULATIVE_SLOWTASK_THRESHOLD, 5);
        speculatorWith("on");
        // It will take 121 s; the mean and 5 deviations are 127.
        runUntilStragglersAreLeft(speculator, 1, 0.9);
        anotherMapIsLeft();
        assertThat(speculator.scan()).isZero();
        assertThat(counted(Outcome.NONE, Reason.ON_SCHEDULE)).isEqualTo(1);
    }

    /** Maps of 100 s that report every 6 s; each has its own host. */
    private void manyHaveComeSoFar(CloneSpeculator watching, int seconds) {
        for (int map = 0; map < MANY; map++) {
            TaskId task = job.addTask();
            job.needContainers(watching, 1);
            job.host = "h" + map;
            attempts.add(job.start(watching, task));
            job.needContainers(watching, -1);
        }
        for (int second = 6; second <= seconds; second += 6) {
            job.pass(6_000);
            double progress = second / 100.0;
            attempts.forEach(attempt -> job.report(watching, attempt, progress));
        }
    }

    private CloneSpeculator counting(AtomicInteger estimated) {
        conf.setLong(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, 6_000);
        conf.set(CloneKeys.MODE, "on");
        return new CloneSpeculator(conf, job.context, cloner) {
            @Override
            protected Optional<Estimate> estimate(TaskAttemptId attempt, long now) {
                estimated.incrementAndGet();
                return super.estimate(attempt, now);
            }
        };
    }

    /** An estimate takes microseconds, and there may be ten thousand of them. */
    @Test
    void whatHasReportedNothingNewIsNotEstimatedAgain() {
        AtomicInteger estimated = new AtomicInteger();
        CloneSpeculator counting = counting(estimated);
        manyHaveComeSoFar(counting, 48);
        assertThat(counting.scan()).isZero();
        assertThat(counting.scan()).isZero();
        assertThat(estimated.getAndSet(0)).isEqualTo(2 * MANY);
        for (int second = 1; second <= 5; second++) {
            job.pass(1_000);
            assertThat(counting.scan()).isZero();
        }
        assertThat(estimated).hasValue(0);
        attempts.subList(0, 20).forEach(attempt -> job.report(counting, attempt, 0.53));
        assertThat(counting.scan()).isZero();
        assertThat(estimated).hasValue(20);
        assertThat(counting.counts().snapshot())
                .containsExactly(Map.entry(new Kind(Outcome.NONE, Reason.ON_SCHEDULE), 8L * MANY));
    }

    @Test
    void whatIsOverdueIsEstimatedAtEachLook() {
        speculatorWith("on");
        manyHaveComeSoFar(speculator, 48);
        speculator.scan();
        int found = 0;
        for (int second = 1; second <= 60 && found == 0; second++) {
            job.pass(1_000);
            if (second % 6 == 0) {
                double progress = 0.48 + second / 100.0;
                attempts.subList(1, MANY)
                        .forEach(attempt -> job.report(speculator, attempt, progress));
            }
            found = speculator.scan();
        }
        assertThat(cloner.ordered).containsExactly(attempts.get(0));
    }

    /** A job may have ten thousand of them. */
    @Test
    void whatItsReportsSayIsOnScheduleIsNotAsked() {
        conf.setFloat(MRJobConfig.SPECULATIVE_SLOWTASK_THRESHOLD, 5);
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 3, 0.9);
        assertThat(speculator.scan()).isZero();
        int asked = job.asked.get();
        job.pass(1_000);
        stragglers(3).forEach(attempt -> job.report(speculator, attempt, 0.91));
        assertThat(speculator.scan()).isZero();
        assertThat(job.asked).hasValue(asked);
        assertThat(counted(Outcome.NONE, Reason.ON_SCHEDULE)).isEqualTo(6);

        for (int i = 1; i <= 10; i++) {
            job.pass(3_000);
            double progress = 0.91 + 0.008 * i;
            stragglers(2).forEach(attempt -> job.report(speculator, attempt, progress));
        }
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).containsExactly(attempts.get(TASKS - 3));
    }

    /** Hadoop's speculators aren't told of kills. */
    @Test
    void oneThatEndsWithoutAWordIsAskedWhenItHasBeenSilentForLong() {
        oneIsKilledAndSilentFor(10_000);
        assertThat(speculator.counts().snapshot())
                .containsExactly(Map.entry(new Kind(Outcome.NONE, Reason.ON_SCHEDULE), 1L));
    }

    /** One and a half reports: as long as a report of each 30 s may be missing nothing is asked. */
    @ParameterizedTest
    @CsvSource({"1000, 1500, 1", "1000, 1501, 0", "30000, 20000, 1", "30000, 45001, 0"})
    void howLongThatIsIsAMatterOfTheReports(long interval, long silent, long known) {
        conf.setLong(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, interval);
        oneIsKilledAndSilentFor(silent);
        assertThat(counted(Outcome.NONE, Reason.ON_SCHEDULE)).isEqualTo(1 + known);
    }

    private void oneIsKilledAndSilentFor(long millis) {
        conf.setFloat(MRJobConfig.SPECULATIVE_SLOWTASK_THRESHOLD, 5);
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.9);
        anotherMapIsLeft();
        speculator.scan();
        job.kill(attempts.get(TASKS - 1));
        job.pass(millis);
        assertThat(speculator.scan()).isZero();
    }

    /** By an hour, when they are half way: what began before doesn't lie in the future. */
    @Test
    void aClockThatIsSetBackHidesNoStraggler() {
        speculatorWith("on");
        startAll(TASKS);
        for (int ten = 1; ten <= 10; ten++) {
            job.pass(10_000);
            if (ten == 5) {
                job.pass(-3_600_000);
            }
            for (TaskAttemptId attempt : attempts.subList(0, TASKS - 1)) {
                job.report(speculator, attempt, 0.1 * ten);
            }
            job.report(speculator, attempts.get(TASKS - 1), 0.05 * Math.min(ten, 5));
        }
        attempts.subList(0, TASKS - 1).forEach(attempt -> job.succeed(speculator, attempt));
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).containsExactly(attempts.get(TASKS - 1));
        // It has stood still for 50 s, and others took 100.
        assertThat(speculator.estimate(attempts.get(TASKS - 1), job.now.get()))
                .hasValueSatisfying(one -> assertThat(one.fresh()).isBetween(90_000.0, 140_000.0));
    }

    @Test
    void aTaskWhoseNextAttemptAsksForAContainerIsAsked() {
        conf.setFloat(MRJobConfig.SPECULATIVE_SLOWTASK_THRESHOLD, 5);
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.9);
        speculator.scan();
        TaskId task = attempts.get(TASKS - 1).getTaskId();
        job.addAttempt(task);
        speculator.handle(new SpeculatorEvent(task, +1));
        speculator.scan();
        assertThat(counted(Outcome.NONE, Reason.ALREADY_SPECULATING)).isEqualTo(1);
    }

    /** Others start within 4 s and end within 100, on other hosts. */
    @Test
    void whatDoesNotStartIsFoundWhenAnotherAttemptWouldSaveEnough() {
        speculatorWith("on");
        job.host = "h2";
        TaskAttemptId mute = job.startWithoutReport(speculator, job.addTask());
        job.host = "h1";
        for (int i = 0; i < TASKS; i++) {
            attempts.add(job.startWithoutReport(speculator, job.addTask()));
        }
        job.needContainers(speculator, 0);
        for (int two = 2; two <= 25; two++) {
            job.pass(2_000);
            for (TaskAttemptId attempt : attempts) {
                job.report(speculator, attempt, 0.02 * two);
            }
            // Half of another's 100 s are to be saved.
            assertThat(speculator.scan()).isZero();
        }
        job.pass(10_000);
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(newAttempts()).containsExactly(mute.getTaskId());
    }

    @Test
    void asLongAsNoneHasStartedNobodyIsLate() {
        speculatorWith("on");
        for (int i = 0; i < TASKS; i++) {
            job.startWithoutReport(speculator, job.addTask());
        }
        job.needContainers(speculator, 0);
        job.pass(600_000);
        assertThat(speculator.scan()).isZero();
        assertThat(counted(Outcome.NONE, Reason.TOO_NEW)).isEqualTo(TASKS);
    }

    private final List<TaskAttemptId> maps = new ArrayList<>();
    private int orderedAtMapsEnd;

    /** The maps take an hour and the reduces' own work 100 s, of which 20 s were before that. */
    private List<TaskAttemptId> reducesWhoseMapsHaveJustEnded() {
        List<TaskAttemptId> reduces = reducesWhoseMapsAreToEnd();
        endMaps();
        orderedAtMapsEnd = speculator.scan();
        return reduces;
    }

    private void endMaps() {
        maps.forEach(map -> job.succeed(speculator, map));
    }

    private List<TaskAttemptId> reducesWhoseMapsAreToEnd() {
        List<TaskAttemptId> reduces = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            maps.add(job.start(speculator, job.addTask()));
            reduces.add(job.start(speculator, job.addTask(TaskType.REDUCE)));
        }
        job.needContainers(speculator, 0);
        job.pass(8_000);
        for (TaskAttemptId reduce : reduces) {
            job.enters(reduce, Phase.SHUFFLE);
            job.report(speculator, reduce, 0.01);
        }
        job.pass(3_592_000);
        for (TaskAttemptId reduce : reduces) {
            job.shuffled(reduce, 300_000_000); // at a quarter of 100 MB/s
            job.report(speculator, reduce, 0.2);
        }
        assertThat(speculator.scan()).isZero();
        return reduces;
    }

    /** The last map takes ten minutes more, and has ended half a second ago. */
    private List<TaskAttemptId> reducesWhoseMapsHaveEndedSinceTheLastLook() {
        List<TaskAttemptId> reduces = reducesWhoseMapsAreToEnd();
        job.pass(600_000);
        endMaps();
        job.pass(500);
        return reduces;
    }

    @Test
    void aReduceDoesNotWorkAsLongAsItWaitsForMaps() {
        speculatorWith("on");
        List<TaskAttemptId> reduces = reducesWhoseMapsHaveJustEnded();
        assertThat(orderedAtMapsEnd).isZero();
        job.pass(80_000);
        reduces.subList(0, 3).forEach(reduce -> job.succeed(speculator, reduce));
        TaskAttemptId straggler = reduces.get(3);
        job.enters(straggler, Phase.SORT);
        job.shuffled(straggler, 500_000_000);
        job.report(speculator, straggler, 0.4);
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).containsExactly(straggler);
        // 12 s of fetching and 80 s of other work; it has done the fetching, and a quarter.
        CloneScore score = cloner.scores.get(straggler);
        assertThat(score.restMillis()).isBetween(59_000.0, 80_000.0);
        assertThat(score.newEndMillis()).isBetween(85_000.0, 120_000.0);
        assertThat(score.remainingMillis()).isBetween(180_000.0, 240_000.0);
    }

    /** They have next to nothing to do after the last map. */
    @Test
    void whatAReduceHasWaitedIsNoWorkThoughItEndsBeforeTheNextLook() {
        speculatorWith("on");
        List<TaskAttemptId> reduces = reducesWhoseMapsHaveEndedSinceTheLastLook();
        reduces.subList(0, 3).forEach(reduce -> job.succeed(speculator, reduce));
        assertThat(speculator.scan()).isZero();
        job.pass(60_000);
        assertThat(speculator.scan()).isEqualTo(1);
        // 8 s to start, and 12 s for a fifth of its progress.
        TaskAttemptId straggler = reduces.get(3);
        assertThat(speculator.rescore(straggler, 0).orElseThrow().newEndMillis())
                .isBetween(60_000.0, 90_000.0);
    }

    @Test
    void whatAReduceHasWaitedIsNoWorkThoughItReducesBeforeTheNextLook() {
        speculatorWith("on");
        List<TaskAttemptId> reduces = reducesWhoseMapsHaveEndedSinceTheLastLook();
        for (TaskAttemptId reduce : reduces.subList(0, 3)) {
            job.enters(reduce, Phase.REDUCE);
            job.report(speculator, reduce, 0.67);
        }
        assertThat(speculator.scan()).isZero();
        job.pass(20_000);
        reduces.subList(0, 3).forEach(reduce -> job.succeed(speculator, reduce));
        job.pass(60_000);
        assertThat(speculator.scan()).isEqualTo(1);
        // Others took 8 s to start, 12 s to fetch and 20 s to reduce; this one has taken 80
        // already.
        TaskAttemptId straggler = reduces.get(3);
        assertThat(speculator.rescore(straggler, 0).orElseThrow().newEndMillis())
                .isBetween(60_000.0, 120_000.0);
    }

    @Test
    void aReduceThatBeginsAfterTheMapsIsNoSlowerForThat() {
        speculatorWith("on");
        List<TaskAttemptId> reduces = reducesWhoseMapsHaveJustEnded();
        job.pass(80_000);
        reduces.forEach(reduce -> job.succeed(speculator, reduce));
        job.addTask(TaskType.REDUCE);
        TaskAttemptId next = job.start(speculator, job.addTask(TaskType.REDUCE));
        job.pass(60_000);
        job.report(speculator, next, 0.65);
        assertThat(speculator.scan()).isZero();
        assertThat(counted(Outcome.NONE, Reason.ON_SCHEDULE)).isPositive();
    }

    /** For an hour, in which the others have waited for maps. */
    @Test
    void aReduceThatHasNotStartedWaitsForNobody() {
        speculatorWith("on");
        TaskAttemptId late = job.startWithoutReport(speculator, job.addTask(TaskType.REDUCE));
        job.enters(late, Phase.STARTING);
        reducesWhoseMapsHaveJustEnded();
        assertThat(orderedAtMapsEnd).isEqualTo(1);
        assertThat(job.ordered).singleElement().returns(late.getTaskId(), TaskEvent::getTaskID);
    }

    /**
     * Two of the four are through when a map's output is lost; it takes ten minutes to come again.
     */
    private List<TaskAttemptId> reducesOfWhichTwoWaitForALostMap() {
        List<TaskAttemptId> reduces = reducesWhoseMapsHaveJustEnded();
        job.pass(80_000);
        reduces.subList(0, 2).forEach(reduce -> job.succeed(speculator, reduce));
        TaskAttemptId fetching = reduces.get(2);
        job.enters(fetching, Phase.SHUFFLE);
        job.report(speculator, fetching, 0.3);
        TaskAttemptId reducing = reduces.get(3);
        job.enters(reducing, Phase.REDUCE);
        job.report(speculator, reducing, 0.9);
        TaskAttemptId map = MRBuilderUtils.newTaskAttemptId(firstMap(), 0);
        job.loseOutput(map);
        return List.of(map, fetching, reducing);
    }

    private TaskId firstMap() {
        return job.context.getJob(null).getTasks(TaskType.MAP).keySet().iterator().next();
    }

    @Test
    void aReduceThatWaitsForALostMapIsNoStraggler() {
        speculatorWith("on");
        TaskAttemptId reducing = reducesOfWhichTwoWaitForALostMap().get(2);
        job.pass(600_000);
        // It would be slow by its pace; the other one has all it needs, and is.
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).containsExactly(reducing);
        assertThat(counted(Outcome.NONE, Reason.WAITS_FOR_MAPS)).isPositive();
    }

    @Test
    void whatAReduceHasDoneCountsThoughAMapHasEndedOnceMore() {
        speculatorWith("on");
        List<TaskAttemptId> attempts = reducesOfWhichTwoWaitForALostMap();
        assertThat(speculator.scan()).isZero();
        job.pass(10_000);
        job.succeed(speculator, attempts.get(0));
        job.report(speculator, attempts.get(2), 0.95);
        assertThat(speculator.scan()).isZero();
        // It has worked for 100 s, and the other, which waited, for a moment.
        assertThat(remaining(attempts.get(2))).isBetween(4_000.0, 12_000.0);
        assertThat(remaining(attempts.get(1))).isLessThan(100_000);
    }

    private double remaining(TaskAttemptId attempt) {
        return speculator.rescore(attempt, 0).orElseThrow().remainingMillis();
    }

    @Test
    void theThresholdForSlowTasksHasAnEffect() {
        conf.setFloat(MRJobConfig.SPECULATIVE_SLOWTASK_THRESHOLD, 30);
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        anotherMapIsLeft();
        // It would take 218 s; the mean and 30 deviations are more.
        assertThat(speculator.scan()).isZero();
        assertThat(counted(Outcome.NONE, Reason.ON_SCHEDULE)).isEqualTo(1);
    }

    @Test
    void whileAllAreAlikeNoneIsAStraggler() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, TASKS, 0.1);
        assertThat(speculator.scan()).isZero();
        assertThat(counted(Outcome.NONE, Reason.ON_SCHEDULE)).isEqualTo(TASKS);
    }

    @Test
    void oneThatStandsStillIsFound() {
        speculatorWith("on");
        // 6 s left; a clone would take 2 s and 5 s.
        runUntilStragglersAreLeft(speculator, 1, 0.95);
        speculator.scan();
        assertThat(cloner.ordered).isEmpty();
        job.pass(600_000); // nothing is heard of it
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).hasSize(1);
    }

    /** As a map with one record of input, which is read at once. */
    @Test
    void oneThatHasReadAllItsInputIsFoundWhenItIsOverdue() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 1);
        anotherMapIsLeft();
        job.pass(10_000); // as an output that is closed
        assertThat(speculator.scan()).isZero();
        job.pass(20_000);
        // As long again as it has said nothing; a clone takes 2 s.
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(remaining(attempts.get(TASKS - 1))).isBetween(10_000.0, 30_000.0);
    }

    @Test
    void oneWhosePaceFallsLateIsFound() {
        conf.setFloat(MRJobConfig.SPECULATIVE_SLOWTASK_THRESHOLD, 5);
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.95);
        anotherMapIsLeft();
        creep(0.95, 1);
        assertThat(speculator.scan()).isZero();
        creep(0.9502, 6);
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).containsExactly(attempts.get(TASKS - 1));
    }

    /** The straggler reports a little more every three seconds. */
    private void creep(double from, int reports) {
        for (int i = 1; i <= reports; i++) {
            job.pass(3_000);
            job.report(speculator, attempts.get(TASKS - 1), from + 0.0001 * i);
        }
    }

    @Test
    void severalAreClonedAtOnceTheWorstFirstAsFarAsTheLimitAllows() {
        conf.setInt(MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS, 2);
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 4, 0.2);
        job.report(speculator, attempts.get(TASKS - 1), 0.3);
        job.report(speculator, attempts.get(TASKS - 4), 0.3);
        job.report(speculator, attempts.get(TASKS - 3), 0.22);
        assertThat(speculator.scan()).isEqualTo(2);
        assertThat(cloner.ordered)
                .containsExactly(attempts.get(TASKS - 2), attempts.get(TASKS - 3));
        assertThat(counted(Outcome.NONE, Reason.CAP_REACHED)).isEqualTo(2);
    }

    /** A large job may have thousands of them for as long as it runs. */
    @Test
    void stragglersForWhichThereIsNoRoomAreNotEstimatedUntilThereIs() {
        conf.setInt(MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS, 1);
        AtomicInteger estimated = new AtomicInteger();
        CloneSpeculator counting = counting(estimated);
        runUntilStragglersAreLeft(counting, 3, 0.5);
        assertThat(counting.scan()).isEqualTo(1);
        counting.scan();
        estimated.set(0);
        assertThat(counting.scan()).isZero();
        assertThat(estimated).hasValue(0);
        assertThat(counting.counts().snapshot())
                .containsEntry(new Kind(Outcome.NONE, Reason.CAP_REACHED), 6L);

        job.succeed(counting, cloner.ordered.get(0));
        assertThat(counting.scan()).isEqualTo(1);
        assertThat(cloner.ordered).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void aTaskWithTwoAttemptsIsNoCandidateAndCountsForTheLimit() {
        conf.setInt(MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS, 1);
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 2, 0.5);
        job.start(speculator, attempts.get(TASKS - 1).getTaskId());
        assertThat(speculator.scan()).isZero();
        assertThat(counted(Outcome.NONE, Reason.ALREADY_SPECULATING)).isEqualTo(1);
        assertThat(counted(Outcome.NONE, Reason.CAP_REACHED)).isEqualTo(1);
    }

    @Test
    void anOrderedCloneIsNotOrderedTwice() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(speculator.scan()).isZero();
        assertThat(cloner.ordered).hasSize(1);
        assertThat(job.ordered).isEmpty();
        assertThat(counted(Outcome.NONE, Reason.ALREADY_SPECULATING)).isEqualTo(1);
    }

    @Test
    void anOrderedNewAttemptIsNotOrderedTwiceButReplacedWhenItEnds() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.01);
        TaskId task = attempts.get(TASKS - 1).getTaskId();
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(speculator.scan()).isZero();
        TaskAttemptId second = job.start(speculator, task);
        assertThat(speculator.scan()).isZero();
        job.kill(second);
        job.pass(15_000);
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(newAttempts()).containsExactly(task, task);
    }

    /** As when its first event waits behind many others. */
    @Test
    void anAttemptThatIsOnlyAddedCounts() {
        TaskAttemptId straggler = onlyStraggler();
        job.addAttempt(straggler.getTaskId());
        assertThat(speculator.scan()).isZero();
        assertThat(counted(Outcome.NONE, Reason.ALREADY_SPECULATING)).isEqualTo(1);
    }

    @Test
    void anAttemptThatCommitsIsLeftAloneHoweverLongItTakes() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        job.waitToCommit(speculator, attempts.get(TASKS - 1));
        job.pass(600_000);
        assertThat(speculator.scan()).isZero();
        assertThat(counted(Outcome.NONE, Reason.COMMITTING)).isEqualTo(1);
    }

    @Test
    void aTaskOfWhichOneAttemptCommitsGetsNoThird() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        job.start(speculator, attempts.get(TASKS - 1).getTaskId());
        job.waitToCommit(speculator, attempts.get(TASKS - 1));
        job.pass(600_000);
        assertThat(speculator.scan()).isZero();
        assertThat(counted(Outcome.NONE, Reason.ALREADY_SPECULATING)).isEqualTo(1);
    }

    @Test
    void aTaskThatDoesNotRunIsNotLookedAt() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.01);
        job.states.put(attempts.get(TASKS - 1).getTaskId(), TaskState.SCHEDULED);
        assertThat(speculator.scan()).isZero();
        assertThat(job.ordered).isEmpty();
    }

    @Test
    void anAppMasterThatCannotTakeAnOrderIsAskedAgain() {
        conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE, 5);
        speculatorWith("on");
        cloner.failures = 1;
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        speculator.init(conf);
        speculator.start();
        await().until(() -> !cloner.ordered.isEmpty());
        speculator.stop();
    }

    @Test
    void oneLineTellsADecisionAndItsGain() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        Decision decision =
                new Decision(
                        attempts.get(TASKS - 1),
                        Outcome.CLONE,
                        Reason.CLONE_IS_SOONER,
                        Optional.of(new CloneScore(109_000, 12_000, 40_000, 100_000)),
                        Optional.empty());
        assertThat(decision)
                .hasToString(
                        "CLONE attempt_1_0001_m_000019_0: clone is sooner; would end in 109.0 s by"
                                + " itself, 52.0 s as a clone, 100.0 s from zero; gains 57.0 s");
    }

    @Test
    void firstAttemptsThatWaitKeepNoStragglerWaiting() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        job.needContainers(speculator, 1);
        assertThat(speculator.scan()).isEqualTo(1);
    }

    @Test
    void whatWaitsForABackupsContainerKeepsNoOtherStragglerWaiting() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 2, 0.5);
        TaskId other = attempts.get(TASKS - 1).getTaskId();
        speculator.handle(new SpeculatorEvent(other, 2));
        assertThat(speculator.scan()).isEqualTo(2);
        speculator.handle(new SpeculatorEvent(other, -2));
    }

    // --- where reduces may give way ---

    @Test
    void mapsWithoutAnAttemptAreSeenToWaitAndBackupsAreNot() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        speculator.handle(new SpeculatorEvent(attempts.get(TASKS - 1).getTaskId(), 1));
        speculator.scan();
        assertThat(speculator.firstMapsWait()).isFalse();
        job.needContainers(speculator, 1);
        speculator.scan();
        assertThat(speculator.firstMapsWait()).isTrue();
    }

    /** It started within 3 s, and 50 MB take 2 s at a quarter of 100 MB/s. */
    @Test
    void aReduceLosesItsStartAndWhatItHasFetched() {
        speculatorWith("on");
        job.addTask();
        TaskAttemptId id = job.startWithoutReport(speculator, job.addTask(TaskType.REDUCE));
        TaskAttempt reduce = job.attempt(id);
        assertThat(speculator.restartMillis(reduce)).isNaN();
        job.pass(3000);
        job.report(speculator, id, 0);
        assertThat(speculator.restartMillis(reduce)).isEqualTo(3000);
        job.shuffled(id, 50_000_000);
        assertThat(speculator.restartMillis(reduce)).isEqualTo(5000);
    }

    /** As where they have no second attempts: of these Hadoop tells speculators nothing. */
    @Test
    void aReduceOfWhichNothingIsToldIsTakenToStartAsMapsDo() {
        speculatorWith("on");
        TaskAttemptId map = job.startWithoutReport(speculator, job.addTask());
        job.pass(2000);
        job.report(speculator, map, 0);
        TaskAttemptId id =
                job.startWithoutReport(mock(Speculator.class), job.addTask(TaskType.REDUCE));
        job.shuffled(id, 50_000_000);
        assertThat(speculator.restartMillis(job.attempt(id))).isEqualTo(4000);
    }

    @Test
    void whatWaitsIsACloneOnlyIfOneWasOrdered() {
        TaskAttemptId straggler = onlyStraggler();
        assertThat(speculator.waitingScore(straggler).orElseThrow().cloneMillis()).isInfinite();
        speculator.scan();
        assertThat(cloner.ordered).containsExactly(straggler);
        assertThat(speculator.waitingScore(straggler).orElseThrow().cloneMillis()).isEqualTo(2000);
        job.kill(straggler);
        assertThat(speculator.waitingScore(straggler)).isEmpty();
    }

    /** It would be refused, seconds later. */
    @Test
    void onAHostThatWasSlowToAnswerNobodyIsAsked() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.3);
        cloner.leastMillis = 40_000; // and 70 s of work, against 100 s from zero
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).isEmpty();
        assertThat(newAttempts()).containsExactly(attempts.get(TASKS - 1).getTaskId());
        assertThat(counted(Outcome.NEW, Reason.NOT_CLONEABLE)).isEqualTo(1);
    }

    @Test
    void aCloneThatIsDearerThereMayStillBeSooner() {
        TaskAttemptId straggler = onlyStraggler();
        cloner.leastMillis = 10_000;
        speculator.scan();
        assertThat(cloner.ordered).containsExactly(straggler);
    }

    /** Half done when all others have ended. */
    private TaskAttemptId onlyStraggler() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        return attempts.get(TASKS - 1);
    }

    @Test
    void aCloneIsNotJudgedByItsOriginalsPace() {
        TaskAttemptId original = onlyStraggler();
        TaskId task = original.getTaskId();
        cloner.originals.put(MRBuilderUtils.newTaskAttemptId(task, 1), original);
        TaskAttemptId clone = job.start(speculator, task);
        job.kill(original);
        job.report(speculator, clone, 0.5);
        assertThat(speculator.rescore(clone, 0).orElseThrow().remainingMillis())
                .as("before it has shown a pace")
                .isCloseTo(50_000, within(5_000.0));
        for (int ten = 1; ten <= 3; ten++) {
            job.pass(10_000);
            job.report(speculator, clone, 0.5 + 0.1 * ten);
        }
        assertThat(speculator.rescore(clone, 0).orElseThrow().remainingMillis())
                .isCloseTo(20_000, within(5_000.0));
    }

    @Test
    void aClonesEndIsNoSampleOfWhatIsUsual() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 2, 0.5);
        TaskAttemptId original = attempts.get(TASKS - 1);
        TaskAttemptId other = attempts.get(TASKS - 2);
        double usual = speculator.rescore(other, 0).orElseThrow().newEndMillis();
        cloner.originals.put(MRBuilderUtils.newTaskAttemptId(original.getTaskId(), 1), original);
        TaskAttemptId clone = job.start(speculator, original.getTaskId());
        job.pass(1_000);
        job.succeed(speculator, clone);
        job.report(speculator, other, 0.5);
        assertThat(speculator.rescore(other, 0).orElseThrow().newEndMillis()).isEqualTo(usual);
    }

    @Test
    void whatBeganAtZeroAfterAllHasNotItsOriginalsAge() {
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 2, 0.5);
        TaskAttemptId original = attempts.get(TASKS - 1);
        TaskId task = original.getTaskId();
        TaskAttemptId other = attempts.get(TASKS - 2);
        double usual = speculator.rescore(other, 0).orElseThrow().newEndMillis();
        TaskAttemptId backup = MRBuilderUtils.newTaskAttemptId(task, 1);
        cloner.originals.put(backup, original);
        job.startWithoutReport(speculator, task);
        job.kill(original);
        job.pass(30_000);
        cloner.originals.clear();
        job.report(speculator, backup, 0.02);
        job.pass(50_000);
        job.report(speculator, backup, 0.5);
        assertThat(remaining(backup)).isLessThan(usual);
        job.pass(50_000);
        job.succeed(speculator, backup);
        // A sample of 130 s, where its original's age would have made it 240.
        assertThat(speculator.rescore(other, 0).orElseThrow().newEndMillis())
                .isCloseTo(usual, within(3_000.0));
    }

    @Test
    void scoredAgainACloneCostsWhatIsNotSpentYet() {
        TaskAttemptId straggler = onlyStraggler();
        CloneScore atLaunch = speculator.rescore(straggler, 0).orElseThrow();
        CloneScore later = speculator.rescore(straggler, 500).orElseThrow();
        assertThat(atLaunch.cloneEndMillis() - later.cloneEndMillis())
                .isCloseTo(500 * cloner.costs().beta(), within(0.001));
        assertThat(later.newEndMillis()).isEqualTo(atLaunch.newEndMillis());
    }

    @Test
    void scoredAgainATaskThatIsNearlyDoneIsNotFrozen() {
        TaskAttemptId straggler = onlyStraggler();
        CloneScore before = speculator.rescore(straggler, 0).orElseThrow();
        assertThat(before.best()).isEqualTo(Outcome.CLONE);
        job.report(speculator, straggler, 0.995);
        assertThat(speculator.rescore(straggler, 0).map(CloneScore::best)).contains(Outcome.NONE);
        job.succeed(speculator, straggler);
        assertThat(speculator.rescore(straggler, 0)).isEmpty();
    }

    @Test
    void aShadowCountsWhatItWouldDoAndDoesNothing() {
        speculatorWith("shadow");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        assertThat(speculator.scan()).isZero();
        assertThat(cloner.ordered).isEmpty();
        assertThat(job.ordered).isEmpty();
        assertThat(counted(Outcome.CLONE, Reason.CLONE_IS_SOONER)).isEqualTo(1);
    }

    @Test
    void aShadowOnAStockAppMasterTellsWhatClonesWouldGain() {
        conf.set(CloneKeys.MODE, "shadow");
        speculator = new CloneSpeculator(conf, job.context);
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        assertThat(speculator.scan()).isZero();
        assertThat(job.ordered).isEmpty();
        assertThat(counted(Outcome.CLONE, Reason.CLONE_IS_SOONER)).isEqualTo(1);
    }

    @Test
    void withoutAnAppMasterThatCanCloneStragglersAreStartedAgain() {
        speculator = new CloneSpeculator(conf, job.context);
        runUntilStragglersAreLeft(speculator, 1, 0.3);
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(newAttempts()).hasSize(1);
    }

    @Test
    void aWrongValueNeverCostsTheJobItsSpeculator() throws Exception {
        conf.set(CloneKeys.MODE, "perhaps");
        conf.set(CloneKeys.BETA, "0.5");
        try (CloneSpeculator made = new CloneSpeculator(conf, job.context)) {
            runUntilStragglersAreLeft(made, 1, 0.5);
            assertThat(made.counts().snapshot()).isEmpty();
        }
        CloneCosts costs = CloneSpeculator.configuredCosts(conf);
        assertThat(costs.beta()).isEqualTo(CloneKeys.BETA_DEFAULT);
        conf.set(CloneKeys.BETA, "much");
        assertThat(CloneSpeculator.configuredCosts(conf)).isEqualTo(costs);
        assertThat(costs.bytesPerMilli()).isEqualTo(100 * 1024 * 1024 / 1000.0);
    }

    @Test
    void offIsStocksSpeculatorAndNothingElse() throws Exception {
        List<TaskId> stocks = decidedBy(true);
        List<TaskId> ours = decidedBy(false);
        assertThat(stocks).hasSize(1);
        assertThat(ours).isEqualTo(stocks);
    }

    /** What a speculator that runs by itself does about the same job. */
    private static List<TaskId> decidedBy(boolean stock) throws Exception {
        CloneSpeculatorTest run = new CloneSpeculatorTest();
        run.conf.set(CloneKeys.MODE, "off");
        run.conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE, 5);
        run.conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_SPECULATE, 60_000);
        if (stock) {
            try (DefaultSpeculator service = new DefaultSpeculator(run.conf, run.job.context)) {
                return run.speculateUntilDone(service);
            }
        }
        try (CloneSpeculator service = new CloneSpeculator(run.conf, run.job.context, run.cloner)) {
            run.speculator = service;
            List<TaskId> decided = run.speculateUntilDone(service);
            assertThat(service.counts().snapshot()).isEmpty();
            assertThat(run.cloner.ordered).isEmpty();
            return decided;
        }
    }

    private <S extends Service & Speculator> List<TaskId> speculateUntilDone(S service) {
        service.init(conf);
        runUntilStragglersAreLeft(service, 1, 0.4);
        service.start();
        await().until(() -> !job.ordered.isEmpty());
        return newAttempts();
    }

    @Test
    void onItScansByItself() {
        conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE, 5);
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.01);
        speculator.init(conf);
        speculator.start();
        await().until(() -> !job.ordered.isEmpty());
        speculator.stop();
        assertThat(newAttempts()).contains(attempts.get(TASKS - 1).getTaskId());
    }

    // --- what operators let it do ---

    private static final Permission OFF = new Permission(Optional.of("it says off"), List.of());

    @Test
    void asLongAsItIsSwitchedOffStocksSpeculatorDecides() throws Exception {
        conf.set(CloneKeys.SWITCH_FILE, "/clone/switch");
        conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE, 5);
        conf.setLong(MRJobConfig.SPECULATIVE_RETRY_AFTER_SPECULATE, 60_000);
        cloner.permission = OFF;
        speculatorWith("on");
        try (CloneSpeculator service = speculator) {
            assertThat(speculateUntilDone(service)).isEqualTo(decidedBy(true));
        }
        assertThat(cloner.ordered).isEmpty();
        assertThat(speculator.counts().snapshot()).isEmpty();
    }

    @Test
    void switchedOnAgainItGoesOnWithAllThatItHasHeard() {
        cloner.permission = OFF;
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        assertThat(speculator.scan()).isZero();
        assertThat(cloner.ordered).isEmpty();
        cloner.permission = Permission.ALL;
        assertThat(speculator.scan()).isEqualTo(1);
        assertThat(cloner.ordered).containsExactly(attempts.get(TASKS - 1));
        cloner.permission = OFF;
        assertThat(speculator.scan()).isZero();
    }

    @Test
    void aSwitchThatCannotBeReadKeepsItOffOnStocksAppMasterToo() {
        conf.set(CloneKeys.SWITCH_FILE, "/clone/switch");
        speculator = new CloneSpeculator(conf, job.context);
        runUntilStragglersAreLeft(speculator, 1, 0.3);
        speculator.init(conf);
        assertThat(speculator.scan()).isZero();
        assertThat(speculator.counts().snapshot()).isEmpty();
        speculator.stop();
    }

    @Test
    void aShadowLooksOnWhateverTheSwitchSays() {
        conf.set(CloneKeys.MODE, "shadow");
        conf.set(CloneKeys.SWITCH_FILE, "/clone/switch");
        speculator = new CloneSpeculator(conf, job.context);
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        speculator.scan();
        assertThat(counted(Outcome.CLONE, Reason.CLONE_IS_SOONER)).isEqualTo(1);
    }

    @Test
    void aJobThatIsNotToUseAnyOfThisHasStocksSpeculator() {
        conf.setInt(CloneKeys.PERCENT_OF_JOBS, 0);
        when(job.context.getApplicationID()).thenReturn(ApplicationId.newInstance(1, 1));
        speculator = new CloneSpeculator(conf, job.context);
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        assertThat(speculator.counts().snapshot()).isEmpty();
        assertThat(speculator.getServices()).hasOnlyElementsOfType(DefaultSpeculator.class);
    }

    @Test
    void aJobThatHasSpentItsBudgetGetsNoMoreAttempts() {
        cloner.spent = "60 s of 60 s";
        speculatorWith("on");
        runUntilStragglersAreLeft(speculator, 1, 0.5);
        assertThat(speculator.scan()).isZero();
        assertThat(cloner.ordered).isEmpty();
        assertThat(counted(Outcome.NONE, Reason.CAP_REACHED)).isEqualTo(1);
        cloner.spent = null;
        assertThat(speculator.scan()).isEqualTo(1);
    }
}
