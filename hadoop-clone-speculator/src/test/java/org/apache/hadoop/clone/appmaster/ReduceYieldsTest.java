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
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.lenient;
import static org.mockito.Mockito.mock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.SpeculationRules;
import org.apache.hadoop.clone.speculate.YieldOutlook;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a reduce is killed for a backup, and when not. {@link FullClusterTest} has what follows. */
class ReduceYieldsTest {
    private static final ApplicationId APPLICATION = ApplicationId.newInstance(1, 1);
    private static final double LOSS = 5000;

    private long now = 1_000_000;
    private boolean firstMapsWait;
    private boolean requestWaits = true;
    private final List<Runnable> whenTold = new ArrayList<>();
    private final JobId jobId = MRBuilderUtils.newJobId(APPLICATION, 1);
    private final Map<TaskId, Task> maps = new HashMap<>();
    private final Map<TaskId, Task> reduces = new LinkedHashMap<>();
    private final Map<TaskAttemptId, TaskAttempt> attempts = new HashMap<>();
    private final Map<TaskAttemptId, CloneScore> scores = new HashMap<>();
    private final List<ContainerRequestEvent> asked = new ArrayList<>();
    private final List<TaskAttemptId> killed = new ArrayList<>();
    private final List<String> whys = new ArrayList<>();
    private final Job job = mock(Job.class);
    private final AppContext context = mock(AppContext.class);
    private final AttemptPlacement placement =
            new AttemptPlacement(context, attempt -> false, true, PlacementRules.PRESET);
    private final ReduceYields yields =
            new ReduceYields(
                    context,
                    placement,
                    new YieldOutlook() {
                        @Override
                        public boolean firstMapsWait() {
                            return firstMapsWait;
                        }

                        @Override
                        public Optional<CloneScore> waitingScore(TaskAttemptId map) {
                            return Optional.ofNullable(scores.get(map));
                        }

                        @Override
                        public double restartMillis(TaskAttempt reduce) {
                            return LOSS;
                        }

                        @Override
                        public double price() {
                            return 0.5;
                        }
                    },
                    this::ask,
                    SpeculationRules.PRESET);

    /** Two maps on h1 that straggle, and three reduces on h2, h3 and h4 that wait for them. */
    @BeforeEach
    void makeJob() {
        lenient().when(context.getJob(any())).thenReturn(job);
        lenient().when(context.getAllJobs()).thenReturn(Map.of(jobId, job));
        lenient().when(context.getClock()).thenReturn(() -> now);
        lenient().when(context.getEventHandler()).thenReturn(this::handle);
        lenient().when(job.getTasks(TaskType.REDUCE)).thenReturn(reduces);
        lenient().when(job.getTotalMaps()).thenReturn(8);
        lenient()
                .when(job.getTask(any()))
                .thenAnswer(
                        call -> {
                            TaskId task = call.getArgument(0);
                            return maps.getOrDefault(task, reduces.get(task));
                        });
        for (int i = 0; i < 2; i++) {
            run(map(i, 0), "h1", Phase.MAP);
            scores.put(map(i, 0), new CloneScore(100_000, 2000, 18_000, 40_000));
        }
        for (int i = 0; i < 3; i++) {
            run(reduce(i), "h" + (i + 2), Phase.SHUFFLE);
        }
    }

    private boolean ask(ContainerRequestEvent request, TaskAttemptId reduce, Runnable told) {
        assertThat(killed).as("asked before anybody is killed").isEmpty();
        if (requestWaits) {
            asked.add(request);
            whenTold.add(told);
        }
        return requestWaits;
    }

    private void tellResourceManager() {
        whenTold.forEach(Runnable::run);
        whenTold.clear();
    }

    private void handle(Object event) {
        if (event instanceof TaskAttemptKillEvent kill) {
            killed.add(kill.getTaskAttemptID());
            whys.add(kill.getMessage());
        }
    }

    private TaskAttemptId map(int task, int number) {
        return id(TaskType.MAP, task, number);
    }

    private TaskAttemptId reduce(int task) {
        return id(TaskType.REDUCE, task, 0);
    }

    private TaskAttemptId id(TaskType kind, int task, int number) {
        return MRBuilderUtils.newTaskAttemptId(MRBuilderUtils.newTaskId(jobId, task, kind), number);
    }

    private void run(TaskAttemptId id, String host, Phase phase) {
        TaskAttempt attempt = mock(TaskAttempt.class);
        lenient().when(attempt.getID()).thenReturn(id);
        lenient().when(attempt.getState()).thenReturn(TaskAttemptState.RUNNING);
        lenient().when(attempt.getPhase()).thenReturn(phase);
        lenient().when(attempt.getNodeId()).thenReturn(NodeId.newInstance(host, 1));
        attempts.put(id, attempt);
        Map<TaskId, Task> kind = id.getTaskId().getTaskType() == TaskType.MAP ? maps : reduces;
        Task task = kind.computeIfAbsent(id.getTaskId(), unknown -> mock(Task.class));
        Map<TaskAttemptId, TaskAttempt> its = new LinkedHashMap<>(task.getAttempts());
        its.put(id, attempt);
        lenient().when(task.getAttempts()).thenReturn(its);
    }

    private void is(TaskAttemptId id, TaskAttemptState state) {
        lenient().when(attempts.get(id).getState()).thenReturn(state);
    }

    private void ask(int map) {
        ask(map(map, 1));
    }

    private void ask(TaskAttemptId map) {
        placement.request(
                new ContainerRequestEvent(
                        map, Resource.newInstance(1024, 1), new String[0], new String[0]));
    }

    private void lookAfter(long millis) {
        yields.look();
        now += millis;
        yields.look();
        tellResourceManager();
    }

    /** What comes free before goes to a reduce that waits. */
    @Test
    void nobodyIsKilledBeforeTheResourceManagerIsTold() {
        ask(0);
        yields.look();
        now += 5000;
        yields.look();
        assertThat(asked).hasSize(1);
        assertThat(killed).isEmpty();
        tellResourceManager();
        assertThat(killed).hasSize(1);
    }

    @Test
    void nobodyIsKilledForWhatWasGivenAnotherContainerMeanwhile() {
        ask(0);
        yields.look();
        now += 5000;
        yields.look();
        assertThat(placement.refuse(map(0, 1), on("h4"))).isFalse();
        tellResourceManager();
        assertThat(killed).isEmpty();
    }

    private static Container on(String host) {
        return Container.newInstance(
                ContainerId.newContainerId(ApplicationAttemptId.newInstance(APPLICATION, 1), 9),
                NodeId.newInstance(host, 1),
                host + ":2",
                null,
                null,
                null);
    }

    @Test
    void oneReduceGivesWayToABackupThatWaits() {
        ask(0);
        lookAfter(5000);
        assertThat(killed).containsExactly(reduce(2));
        assertThat(whys)
                .containsExactly(
                        "its container is for "
                                + map(0, 1)
                                + ", which has waited 5.0 s and gains 80.0 s; it waits for maps,"
                                + " and loses 5.0 s");
        assertThat(asked)
                .singleElement()
                .satisfies(
                        request -> {
                            assertThat(request.getAttemptID()).isEqualTo(map(0, 1));
                            assertThat(request.getEarlierAttemptFailed()).isTrue();
                            assertThat(request.getHosts()).containsExactly("h4");
                        });
    }

    @Test
    void whereAContainerMayStillComeByItselfNobodyGivesWay() {
        ask(0);
        lookAfter(4999);
        assertThat(killed).isEmpty();
    }

    @Test
    void noMoreThanOneGivesWayToABackup() {
        ask(0);
        lookAfter(5000);
        lookAfter(60_000);
        assertThat(killed).hasSize(1);
    }

    /** Somebody else may have taken what was given. */
    @Test
    void asLongAsABackupHasNotGotWhatItWasGivenNobodyElseGivesWay() {
        ask(0);
        lookAfter(5000);
        ask(1);
        lookAfter(60_000);
        assertThat(killed).hasSize(1);
        killed.clear();
        assertThat(placement.refuse(map(0, 1), on("h4"))).isFalse();
        yields.look();
        tellResourceManager();
        assertThat(asked).extracting(ContainerRequestEvent::getAttemptID).contains(map(1, 1));
        assertThat(killed).hasSize(1);
    }

    @Test
    void aBackupThatIsGivenTheWrongContainerAsksUrgentlyAgain() {
        ask(0);
        lookAfter(5000);
        assertThat(placement.refuse(map(0, 1), on("h1"))).isTrue();
        assertThat(placement.due()).isEqualTo(asked);
    }

    @Test
    void whatAReduceHasNotBegunInIsABackupsOnceItHasWaitedForASecond() {
        ask(0);
        ask(1);
        scores.put(map(1, 0), new CloneScore(200_000, 2000, 18_000, 40_000));
        yields.look();
        now += 999;
        assertThat(yields.taker(reduce(3), "h5")).isEmpty();
        now++;
        assertThat(yields.taker(reduce(3), "h5")).as("gains most").contains(map(1, 1));
        assertThat(yields.taker(reduce(3), "h1")).as("beside the stragglers").isEmpty();
        firstMapsWait = true;
        assertThat(yields.taker(reduce(3), "h5")).isEmpty();
    }

    /** In the place of a second attempt that ran for a second: it waits for what that one had. */
    @Test
    void theNextInPlaceOfOneThatWasKilledNeedNotWait() {
        run(map(0, 1), "h2", Phase.MAP);
        is(map(0, 1), TaskAttemptState.KILLED);
        lenient().when(attempts.get(map(0, 1)).getLaunchTime()).thenReturn(now - 999);
        ask(map(0, 2));
        assertThat(yields.taker(reduce(3), "h2")).isEmpty();
        now++;
        assertThat(yields.taker(reduce(3), "h2")).contains(map(0, 2));
    }

    @Test
    void whatGainsNoMoreTakesNoContainer() {
        ask(0);
        scores.put(map(0, 0), new CloneScore(40_000, 2000, 18_000, 40_000));
        yields.look();
        now += 60_000;
        assertThat(yields.taker(reduce(3), "h5")).contains(map(0, 1));
        scores.put(map(0, 0), new CloneScore(21_000, 2000, 18_000, 40_000));
        assertThat(yields.taker(reduce(3), "h5")).isEmpty();
        scores.remove(map(0, 0));
        assertThat(yields.taker(reduce(3), "h5")).isEmpty();
    }

    @Test
    void whileMapsWaitForTheirFirstContainerNobodyGivesWay() {
        firstMapsWait = true;
        ask(0);
        lookAfter(60_000);
        assertThat(killed).isEmpty();
        firstMapsWait = false;
        yields.look();
        tellResourceManager();
        assertThat(killed).hasSize(1);
    }

    @Test
    void aBackupThatHasAContainerMeanwhileNeedsNone() {
        requestWaits = false;
        ask(0);
        lookAfter(60_000);
        assertThat(killed).isEmpty();
    }

    @Test
    void whereTheStragglerHasEndedNobodyGivesWay() {
        ask(0);
        is(map(0, 0), TaskAttemptState.SUCCEEDED);
        lookAfter(60_000);
        assertThat(killed).isEmpty();
    }

    @Test
    void aTaskGivesWayOnceAtMost() {
        for (int i = 0; i < 3; i++) {
            is(reduce(i), TaskAttemptState.KILLED);
            run(id(TaskType.REDUCE, i, 1), "h5", Phase.SHUFFLE);
        }
        ask(0);
        lookAfter(60_000);
        assertThat(killed).isEmpty();
    }

    /** Neither an original nor its clone, or backup. */
    @Test
    void aTaskWithAnotherAttemptUnderWayNeverGivesWay() {
        for (int i = 0; i < 3; i++) {
            run(id(TaskType.REDUCE, i, 1), "h5", Phase.SHUFFLE);
        }
        ask(0);
        lookAfter(60_000);
        assertThat(killed).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Phase.class,
            names = {"STARTING", "SHUFFLE"},
            mode = EnumSource.Mode.EXCLUDE)
    void onlyReducesThatFetchGiveWay(Phase phase) {
        allReducesAre(phase);
        ask(0);
        lookAfter(60_000);
        assertThat(killed).isEmpty();
    }

    private void allReducesAre(Phase phase) {
        attempts.values().stream()
                .filter(one -> one.getID().getTaskId().getTaskType() == TaskType.REDUCE)
                .forEach(one -> lenient().when(one.getPhase()).thenReturn(phase));
    }

    @Test
    void aReduceWhoseJvmHasYetToStartGivesWay() {
        allReducesAre(Phase.STARTING);
        ask(0);
        lookAfter(60_000);
        assertThat(killed).hasSize(1);
    }

    @Test
    void aReducesBackupIsGivenNothing() {
        placement.request(
                new ContainerRequestEvent(
                        id(TaskType.REDUCE, 0, 1),
                        Resource.newInstance(1024, 1),
                        new String[0],
                        new String[0]));
        lookAfter(60_000);
        assertThat(killed).isEmpty();
    }
}
