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
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.clone.placement.HostClasses;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AttemptPlacementTest {
    private static final long BEGUN = 1000;
    private static final long NOW = 101_000;
    private static final ApplicationId APPLICATION = ApplicationId.newInstance(1, 1);

    private long now = NOW;
    private final JobId jobId = MRBuilderUtils.newJobId(APPLICATION, 1);
    private final Map<TaskId, Task> tasks = new HashMap<>();
    private final Map<TaskId, Task> reduces = new HashMap<>();
    private final Set<TaskAttemptId> clones = new HashSet<>();
    private final Job job = mock(Job.class);
    private final AppContext context = mock(AppContext.class);
    private final AttemptPlacement placement =
            new AttemptPlacement(context, clones::contains, true, PlacementRules.PRESET);

    /** On h1 a straggler, which is the rule there; h2 is quick, h3 usual; nothing ran on h4. */
    @BeforeEach
    void makeJob() {
        lenient().when(context.getJob(any())).thenReturn(job);
        lenient().when(context.getClock()).thenReturn(() -> now);
        lenient().when(job.getTasks(TaskType.MAP)).thenReturn(tasks);
        lenient().when(job.getTasks(TaskType.REDUCE)).thenReturn(reduces);
        lenient()
                .when(job.getTask(any()))
                .thenAnswer(
                        call -> {
                            TaskId task = call.getArgument(0);
                            return tasks.getOrDefault(
                                    task, reduces.getOrDefault(task, mock(Task.class)));
                        });
        lenient().when(job.getTotalReduces()).thenReturn(100);
        run(0, "h1", 0.1f);
        run(1, "h1", 0.1f);
        run(2, "h2", 0.9f);
        run(3, "h3", 0.6f);
    }

    private TaskAttemptId id(int task, int number) {
        return id(TaskType.MAP, task, number);
    }

    private TaskAttemptId id(TaskType kind, int task, int number) {
        return MRBuilderUtils.newTaskAttemptId(MRBuilderUtils.newTaskId(jobId, task, kind), number);
    }

    private TaskAttempt run(int task, String host, float progress) {
        return run(id(task, 0), host, progress);
    }

    private TaskAttempt run(TaskAttemptId id, String host, float progress) {
        TaskAttempt attempt = mock(TaskAttempt.class);
        lenient().when(attempt.getID()).thenReturn(id);
        lenient().when(attempt.getState()).thenReturn(TaskAttemptState.RUNNING);
        lenient().when(attempt.getNodeId()).thenReturn(NodeId.newInstance(host, 1));
        lenient().when(attempt.getLaunchTime()).thenReturn(BEGUN);
        lenient().when(attempt.getProgress()).thenReturn(progress);
        lenient().when(attempt.getCounters()).thenReturn(new Counters());
        Task its = mock(Task.class);
        Map<TaskAttemptId, TaskAttempt> attempts = new LinkedHashMap<>();
        attempts.put(id, attempt);
        lenient().when(its.getAttempts()).thenReturn(attempts);
        lenient().when(attempt.getNodeRackName()).thenReturn("/rack-of-" + host);
        (id.getTaskId().getTaskType() == TaskType.MAP ? tasks : reduces).put(id.getTaskId(), its);
        return attempt;
    }

    /** As the dispatcher does after each event of an attempt. */
    private void tellChanges() {
        tellChanges(placement);
    }

    private void tellChanges(AttemptPlacement placement) {
        Stream.of(tasks, reduces)
                .flatMap(kind -> kind.values().stream())
                .flatMap(task -> task.getAttempts().values().stream())
                .forEach(placement::changed);
    }

    private ContainerRequestEvent request(TaskAttemptId attempt, String... hosts) {
        tellChanges();
        return request(placement, attempt, hosts);
    }

    private static ContainerRequestEvent request(
            AttemptPlacement placement, TaskAttemptId attempt, String... hosts) {
        return placement.request(
                new ContainerRequestEvent(
                        attempt,
                        Resource.newInstance(1024, 1),
                        hosts,
                        new String[] {"/default-rack"}));
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
    void aFirstAttemptIsPlacedAsInStock() {
        ContainerRequestEvent stock =
                new ContainerRequestEvent(
                        id(2, 0),
                        Resource.newInstance(1024, 1),
                        new String[] {"h1"},
                        new String[] {"/default-rack"});
        assertThat(placement.request(stock)).isSameAs(stock);
        assertThat(placement.refuse(id(2, 0), on("h1"))).isFalse();
    }

    /** At a sixth of h3's speed on h1, with two maps that run elsewhere. */
    @Test
    void aFirstAttemptGivesASlowHostBackAndAsksForFastOnes() {
        request(id(4, 0), "h1", "h4");
        assertThat(placement.refuse(id(4, 0), on("h1"))).isTrue();
        assertThat(placement.due())
                .singleElement()
                .satisfies(
                        again -> {
                            assertThat(again.getHosts()).containsExactly("h2", "h3");
                            assertThat(again.getRacks())
                                    .containsExactly("/default-rack", "/rack-of-h2", "/rack-of-h3");
                            assertThat(again.getCapability())
                                    .isEqualTo(Resource.newInstance(1024, 1));
                        });
        assertThat(placement.isAwaiting()).as("no hurry for it").isFalse();
        assertThat(placement.refuse(id(4, 0), on("h3"))).isFalse();
    }

    /**
     * Its request is to be made again later, not at once as after the first time: a reduce waits
     * too, for which the slow host may be good enough.
     */
    private void refuseTwice(int map) {
        placement.request(ofReduce(9));
        request(id(map, 0));
        placement.refuse(id(map, 0), on("h1"));
        placement.due();
        now += 1000;
        assertThat(placement.refuse(id(map, 0), on("h1"))).isTrue();
    }

    /** 400 s of work make 1.7 maps: one takes 235 s, and of the two elsewhere one ends in 78 s. */
    @Test
    void theSecondTimeItAsksWhenOneOfTheJobsMayHaveEnded() {
        lenient().when(job.getTotalMaps()).thenReturn(5);
        refuseTwice(4);
        now += 29_999;
        assertThat(placement.due()).isEmpty();
        now += 1;
        assertThat(placement.due()).as("at the latest after 30 s").hasSize(1);
    }

    /** It has no request as long as it waits. */
    @Test
    void doesNotWaitForAClockThatWasSetBack() {
        lenient().when(job.getTotalMaps()).thenReturn(5);
        refuseTwice(4);
        assertThat(placement.due()).isEmpty();
        now -= TimeUnit.HOURS.toMillis(1);
        assertThat(placement.due()).hasSize(1);
    }

    /** One, for there is room for no other: the one that has waited longest. */
    @Test
    void whenAContainerComesFreeElsewhereItAsksAtOnce() {
        lenient().when(job.getTotalMaps()).thenReturn(6);
        for (int map = 4; map <= 5; map++) {
            refuseTwice(map);
        }
        placement.cameFree("h1");
        assertThat(placement.due()).as("on the slow host").isEmpty();
        placement.cameFree("h3");
        assertThat(placement.due())
                .extracting(ContainerRequestEvent::getAttemptID)
                .containsExactly(id(4, 0));
        placement.cameFree("h2");
        assertThat(placement.due())
                .extracting(ContainerRequestEvent::getAttemptID)
                .containsExactly(id(5, 0));
    }

    /**
     * A map takes 235 s, of two elsewhere one ends in 78 s, and there it would take 5 more times.
     */
    @Test
    void whereNoReduceWaitsTheSlowHostIsWithheldAndTheRequestStands() {
        lenient().when(job.getTotalMaps()).thenReturn(5);
        request(id(4, 0));
        assertThat(placement.withheld()).isEmpty();
        for (int times = 0; times < 3; times++) {
            assertThat(placement.refuse(id(4, 0), on("h1"))).isTrue();
            assertThat(placement.due()).hasSize(1);
            assertThat(placement.withheld()).containsExactly("h1");
            now += 29_999;
            assertThat(placement.withheld()).containsExactly("h1");
            now += 1;
            assertThat(placement.withheld()).isEmpty();
        }
        placement.refuse(id(4, 0), on("h1"));
        placement.refuse(id(4, 0), on("h3"));
        assertThat(placement.withheld()).as("nobody waits").isEmpty();
    }

    @Test
    void hostsThatAreAsSlowAreWithheldToo() {
        lenient().when(job.getTotalMaps()).thenReturn(20);
        run(10, "slower", 0.05f);
        run(11, "quicker", 0.15f);
        run(12, "h5", 0.6f);
        run(13, "h6", 0.6f);
        request(id(4, 0));
        placement.refuse(id(4, 0), on("h1"));
        assertThat(placement.withheld()).containsExactlyInAnyOrder("h1", "slower");
    }

    /** Ten times, the last time to ask once more: else each would wait as long as that. */
    @Test
    void whatOneGivesBackAllThatWaitHaveGivenBack() {
        lenient().when(job.getTotalMaps()).thenReturn(20);
        run(0, "h1", 0.25f);
        run(1, "h1", 0.25f);
        request(id(4, 0));
        request(id(5, 0));
        assertThat(millisUntilTaken(4)).isEqualTo(9 * 30_000);
        assertThat(millisUntilTaken(5)).isZero();
    }

    /** A ResourceManager gives away several before it is told. */
    @Test
    void whatWasGrantedBeforeItWasWithheldCountsOnce() {
        lenient().when(job.getTotalMaps()).thenReturn(40);
        for (int map = 4; map < 7; map++) {
            request(id(map, 0));
        }
        for (int times = 0; times < 12; times++) {
            assertThat(placement.refuse(id(4 + times % 3, 0), on("h1"))).isTrue();
        }
        now += 30_000;
        assertThat(placement.refuse(id(4, 0), on("h1"))).isTrue();
    }

    /** The second one, which came later, goes behind the first, and so that is offered it. */
    @Test
    void nothingIsWithheldFromOneThatWouldTakeIt() {
        lenient().when(job.getTotalMaps()).thenReturn(40);
        request(id(4, 0));
        for (int times = 0; times < 9; times++) {
            assertThat(placement.refuse(id(4, 0), on("h1"))).isTrue();
            now += 30_000;
        }
        request(id(5, 0));
        assertThat(placement.refuse(id(5, 0), on("h1"))).isTrue();
        assertThat(placement.withheld()).isEmpty();
        assertThat(placement.refuse(id(4, 0), on("h1"))).isFalse();
    }

    /** While hosts are withheld it isn't offered any. */
    private long millisUntilTaken(int map) {
        long begun = now;
        while (placement.refuse(id(map, 0), on("h1"))) {
            while (!placement.withheld().isEmpty()) {
                now += 500;
            }
        }
        return now - begun;
    }

    /** Its next decision is to take it. */
    @Test
    void whereNoneWillEndElsewhereNothingIsWithheld() {
        lenient().when(job.getTotalMaps()).thenReturn(5);
        tellChanges();
        for (int map = 2; map <= 3; map++) {
            TaskAttempt quick = tasks.get(id(map, 0).getTaskId()).getAttempts().get(id(map, 0));
            ends(quick, NOW, TaskAttemptState.SUCCEEDED);
            placement.changed(quick);
        }
        now += 3000;
        request(id(4, 0));
        assertThat(placement.refuse(id(4, 0), on("h1"))).isTrue();
        assertThat(placement.withheld()).isEmpty();
        assertThat(placement.refuse(id(4, 0), on("h1"))).isFalse();
    }

    @Test
    void aHostThatMayBeGoodEnoughForAnotherIsNotWithheldAnyLonger() {
        lenient().when(job.getTotalMaps()).thenReturn(5);
        request(id(4, 0));
        placement.refuse(id(4, 0), on("h1"));
        placement.cameFree("h2");
        assertThat(placement.withheld()).containsExactly("h1");
        placement.cameFree("h1");
        assertThat(placement.withheld()).as("one fewer runs there").isEmpty();

        placement.refuse(id(4, 0), on("h1"));
        TaskAttemptId again = id(5, 1);
        placement.request(
                ContainerRequestEvent.createContainerRequestEventForFailedContainer(
                        again, Resource.newInstance(1024, 1)));
        assertThat(placement.withheld()).as("for one that takes any").isEmpty();
        placement.refuse(id(4, 0), on("h1"));
        assertThat(placement.withheld()).as("which waits").isEmpty();
        assertThat(placement.refuse(again, on("h1"))).isFalse();
        placement.refuse(id(4, 0), on("h1"));
        assertThat(placement.withheld()).containsExactly("h1");

        now -= TimeUnit.HOURS.toMillis(1);
        assertThat(placement.withheld()).as("a clock that was set back").isEmpty();
    }

    @Test
    void aHostThatIsWellAgainIsNotWithheldAnyLonger() {
        lenient().when(job.getTotalMaps()).thenReturn(5);
        request(id(4, 0));
        placement.refuse(id(4, 0), on("h1"));
        run(0, "h1", 0.8f);
        run(1, "h1", 0.8f);
        now += 2000;
        tellChanges();
        assertThat(placement.withheld()).isEmpty();
    }

    /** From then on it asks for what it gave back while maps waited, too. */
    @Test
    void whenNoMapWaitsAnyMoreAReduceAsksAtOnceAndWhenTheLastHasEndedForAnyHost() {
        lenient().when(job.getTotalMaps()).thenReturn(5);
        request(id(4, 0));
        placement.request(ofReduce(9));
        TaskAttemptId reduce = id(TaskType.REDUCE, 9, 0);
        placement.refuse(reduce, on("h1"));
        placement.due();
        placement.refuse(reduce, on("h1"));
        assertThat(placement.withheld()).isEmpty();
        assertThat(placement.due()).isEmpty();
        placement.forget(id(4, 0));
        assertThat(placement.due())
                .extracting(ContainerRequestEvent::getAttemptID)
                .containsExactly(reduce);

        placement.refuse(reduce, on("h1"));
        assertThat(placement.withheld()).containsExactly("h1");
        lenient().when(job.getCompletedMaps()).thenReturn(5);
        assertThat(placement.withheld()).isEmpty();
    }

    @Test
    void whileManyWaitTheSlowHostIsTaken() {
        for (int i = 0; i < 40; i++) {
            request(id(10 + i, 0));
        }
        assertThat(placement.refuse(id(10, 0), on("h1"))).isFalse();
    }

    @Test
    void noMoreContainersAreGivenBackThanThereAreTasks() {
        lenient().when(job.getTotalMaps()).thenReturn(2);
        lenient().when(job.getTotalReduces()).thenReturn(0);
        request(id(4, 0));
        assertThat(placement.refuse(id(4, 0), on("h1"))).isTrue();
        assertThat(placement.refuse(id(4, 0), on("h1"))).isTrue();
        assertThat(placement.refuse(id(4, 0), on("h1"))).isFalse();
    }

    /** Until the last map has ended reduces wait for it: it can't wait for them. */
    @Test
    void aMapDoesNotWaitForReducesThatWaitForIt() {
        lenient().when(job.getTotalMaps()).thenReturn(5);
        run(id(TaskType.REDUCE, 0, 0), "h2", 0.2f);
        run(id(TaskType.REDUCE, 1, 0), "h3", 0.2f);
        tellChanges();
        tasks.values().stream()
                .flatMap(task -> task.getAttempts().values().stream())
                .filter(map -> !map.getNodeId().getHost().equals("h1"))
                .forEach(
                        map -> {
                            ends(map, NOW, TaskAttemptState.SUCCEEDED);
                            placement.changed(map);
                        });
        request(id(4, 0));
        assertThat(placement.refuse(id(4, 0), on("h1"))).as("there may be room").isTrue();
        now += 2999;
        assertThat(placement.refuse(id(4, 0), on("h1"))).as("some just came free").isTrue();
        now += 1;
        assertThat(placement.refuse(id(4, 0), on("h1"))).as("there is none").isFalse();
    }

    private ContainerRequestEvent ofReduce(int task) {
        return new ContainerRequestEvent(
                id(TaskType.REDUCE, task, 0),
                Resource.newInstance(1024, 1),
                new String[0],
                new String[0]);
    }

    /** The other reduces have told nothing since then: how long one takes is unknown. */
    @Test
    void rightAfterTheMapsAReduceGivesBackAHostThatWasSlowForMaps() {
        lenient().when(job.getTotalMaps()).thenReturn(4);
        run(id(TaskType.REDUCE, 0, 0), "h2", 0.2f);
        run(id(TaskType.REDUCE, 1, 0), "h3", 0.2f);
        tellChanges();
        tasks.values().stream()
                .flatMap(task -> task.getAttempts().values().stream())
                .forEach(
                        map -> {
                            ends(map, NOW, TaskAttemptState.SUCCEEDED);
                            placement.changed(map);
                        });
        lenient().when(job.getCompletedMaps()).thenReturn(4);
        now += 1000;
        placement.request(ofReduce(2));
        assertThat(placement.refuse(id(TaskType.REDUCE, 2, 0), on("h1"))).isTrue();
    }

    /** It has waited for 40 s, and would for the 100 s of those that have only begun their work. */
    @Test
    void rightAfterTheMapsNoReduceEndsForAnother() {
        lenient().when(job.getTotalMaps()).thenReturn(4);
        List<TaskAttempt> slow = List.of(run(0, "h1", 0.3f), run(1, "h1", 0.3f));
        List<TaskAttempt> quick = List.of(run(2, "h2", 0.9f), run(3, "h3", 0.9f));
        run(id(TaskType.REDUCE, 0, 0), "h2", 0.2f);
        run(id(TaskType.REDUCE, 1, 0), "h3", 0.2f);
        run(id(TaskType.REDUCE, 3, 0), "h1", 0.2f); // so that none is alone there
        tellChanges();
        TaskAttemptId reduce = id(TaskType.REDUCE, 2, 0);
        placement.request(ofReduce(2));
        assertThat(placement.refuse(reduce, on("h1"))).isTrue();

        now += 40_000;
        slow.forEach(map -> ends(map, now, TaskAttemptState.KILLED));
        quick.forEach(map -> ends(map, now, TaskAttemptState.SUCCEEDED));
        assertThat(placement.refuse(reduce, on("h1"))).as("while maps run").isTrue();
        slow.forEach(placement::changed);
        quick.forEach(placement::changed);
        lenient().when(job.getCompletedMaps()).thenReturn(4);
        now += 5000;
        assertThat(placement.refuse(reduce, on("h1"))).isFalse();
    }

    /** Two maps shared the slow host, and each was a third as fast as others. */
    @Test
    void onceTheMapsHaveEndedOneReduceTakesAsMuchOfASlowHostAsTheyHadTogether() {
        lenient().when(job.getTotalMaps()).thenReturn(4);
        List<TaskAttempt> slow = List.of(run(0, "h1", 0.3f), run(1, "h1", 0.3f));
        List<TaskAttempt> quick = List.of(run(2, "h2", 0.9f), run(3, "h3", 0.9f));
        TaskAttempt waiting = run(id(TaskType.REDUCE, 0, 0), "h2", 0.2f);
        tellChanges();
        TaskAttemptId alone = id(TaskType.REDUCE, 2, 0);
        TaskAttemptId second = id(TaskType.REDUCE, 3, 0);
        placement.request(ofReduce(2));
        placement.request(ofReduce(3));
        now += 40_000;
        slow.forEach(map -> ends(map, now, TaskAttemptState.KILLED));
        quick.forEach(map -> ends(map, now, TaskAttemptState.SUCCEEDED));
        slow.forEach(placement::changed);
        assertThat(placement.refuse(alone, on("h1"))).as("while maps run").isTrue();
        quick.forEach(placement::changed);
        lenient().when(job.getCompletedMaps()).thenReturn(4);
        now += 1000;
        assertThat(placement.refuse(alone, on("h1"))).isFalse();
        assertThat(placement.refuse(second, on("h1"))).as("another has it").isTrue();

        TaskAttempt itself = run(alone, "h1", 0);
        placement.changed(itself);
        assertThat(placement.refuse(second, on("h1"))).as("another runs there").isTrue();
        ends(itself, now, TaskAttemptState.KILLED);
        placement.changed(itself);
        placement.changed(waiting);
        assertThat(placement.refuse(second, on("h1"))).as("it is free again").isFalse();
    }

    @Test
    void anAttemptWhoseEarlierOneFailedTakesWhatItGets() {
        tellChanges();
        ContainerRequestEvent again =
                ContainerRequestEvent.createContainerRequestEventForFailedContainer(
                        id(4, 1), Resource.newInstance(1024, 1));
        assertThat(placement.request(again)).isSameAs(again);
        assertThat(placement.refuse(id(4, 1), on("h1"))).isFalse();
    }

    @Test
    void firstAttemptsTakeSlowHostsIfTheyAreToldTo() {
        AttemptPlacement backupsAlone =
                new AttemptPlacement(context, clones::contains, false, PlacementRules.PRESET);
        tasks.values().stream()
                .flatMap(task -> task.getAttempts().values().stream())
                .forEach(backupsAlone::changed);
        backupsAlone.request(
                new ContainerRequestEvent(
                        id(4, 0), Resource.newInstance(1024, 1), new String[0], new String[0]));
        assertThat(backupsAlone.refuse(id(4, 0), on("h1"))).isFalse();
    }

    @Test
    void aBackupIsAskedForWhereTheJobRunsFast() {
        ContainerRequestEvent better = request(id(0, 1), "h1", "h3");
        assertThat(better.getHosts()).containsExactly("h2", "h3");
        assertThat(better.getCapability()).isEqualTo(Resource.newInstance(1024, 1));
        assertThat(better.getRacks())
                .containsExactly("/default-rack", "/rack-of-h2", "/rack-of-h3");
    }

    /** Stock's request of a reduce names neither. */
    @Test
    void aReducesBackupIsAskedForInTheRacksOfItsHosts() {
        run(id(TaskType.REDUCE, 0, 0), "h1", 0.1f);
        tellChanges();
        ContainerRequestEvent better =
                placement.request(
                        new ContainerRequestEvent(
                                id(TaskType.REDUCE, 0, 1),
                                Resource.newInstance(1024, 1),
                                new String[0],
                                new String[0]));
        assertThat(better.getHosts()).containsExactly("h2", "h3");
        assertThat(better.getRacks()).containsExactly("/rack-of-h2", "/rack-of-h3");
    }

    @Test
    void onlyTheFastestHostsAreAskedFor() {
        for (int i = 0; i < 20; i++) {
            run(10 + i, "fast" + i, 0.95f);
        }
        assertThat(request(id(0, 1), "h1").getHosts())
                .hasSize(10)
                .allMatch(host -> host.startsWith("fast"));
    }

    @Test
    void aHostIsNotSlowForAnAttemptThatHasOnlyBegun() {
        lenient().when(run(4, "h2", 0).getLaunchTime()).thenReturn(NOW - 500);
        lenient().when(run(5, "h3", 0).getLaunchTime()).thenReturn(NOW - 500);
        assertThat(request(id(0, 1), "h1").getHosts()).containsExactly("h2", "h3");
    }

    @Test
    void whatACloneHasFromItsOriginalWasNotDoneWhereItRuns() {
        lenient().when(run(4, "h3", 0.9f).getLaunchTime()).thenReturn(NOW - 500);
        clones.add(id(4, 0));
        assertThat(request(id(0, 1), "h1").getHosts()).containsExactly("h2", "h3");
    }

    /** A third of h2 is less than half of h3. */
    @Test
    void aCloneTakesItsShareOfItsHostAsAnyAttempt() {
        clones.add(id(4, 0));
        TaskAttempt clone = run(4, "h2", 0.9f);
        assertThat(request(id(0, 1)).getHosts()).containsExactly("h3", "h2");
        ends(clone, NOW, TaskAttemptState.KILLED);
        now += 2000;
        assertThat(request(id(0, 1)).getHosts()).containsExactly("h2", "h3");
    }

    /** While its container waits for its image it isn't a clone yet. */
    @Test
    void theTimeThatACloneRunsSaysNothingOfItsHost() {
        run(5, "h4", 0.9f);
        run(6, "h5", 0.9f);
        lenient().when(run(4, "h3", 0).getLaunchTime()).thenReturn(NOW);
        tellChanges();
        clones.add(id(4, 0));
        now += 100_000;
        assertThat(request(id(0, 1), "h1").getHosts()).contains("h3");
    }

    /** A slow host's stragglers are killed when their clones win. */
    @ParameterizedTest
    @EnumSource(names = {"KILLED", "FAILED"})
    void anAttemptThatWasCutShortHasNotBeenQuick(TaskAttemptState end) {
        ends(run(4, "h1", 1), BEGUN + 5000, end);
        ends(run(5, "h5", 1), BEGUN + 5000, end);
        TaskAttempt done = run(6, "h3", 0);
        placement.changed(done);
        lenient().when(done.getProgress()).thenReturn(1f);
        ends(done, BEGUN + 90_000, TaskAttemptState.SUCCEEDED);
        assertThat(request(id(2, 1)).getHosts()).containsExactly("h3");
    }

    private static void ends(TaskAttempt attempt, long when, TaskAttemptState how) {
        lenient().when(attempt.getState()).thenReturn(how);
        lenient().when(attempt.getFinishTime()).thenReturn(when);
    }

    @Test
    void aReducesWaitForMapsIsNoWork() {
        run(id(TaskType.REDUCE, 0, 0), "h1", 0.1f);
        run(id(TaskType.REDUCE, 1, 0), "h2", 0.6f);
        TaskAttempt late = run(id(TaskType.REDUCE, 2, 0), "h3", 0.3f);
        lenient().when(late.getLaunchTime()).thenReturn(NOW - 1500);
        ends(run(0, "h1", 1), NOW - 2000, TaskAttemptState.SUCCEEDED);
        assertThat(request(id(TaskType.REDUCE, 0, 1)).getHosts()).containsExactly("h2", "h3");
    }

    @Test
    void whileReducesWaitMapsTell() {
        run(id(TaskType.REDUCE, 0, 0), "h1", 0.1f);
        run(id(TaskType.REDUCE, 1, 0), "h3", 0.3f);
        lenient().when(job.getTotalMaps()).thenReturn(4);
        assertThat(request(id(TaskType.REDUCE, 0, 1)).getHosts()).containsExactly("h2", "h3");
    }

    @Test
    void aReducesBackupAvoidsAHostThatWasSlowForMaps() {
        run(id(TaskType.REDUCE, 0, 0), "h3", 0.5f);
        ContainerRequestEvent better = request(id(TaskType.REDUCE, 0, 1));
        assertThat(better.getHosts()).containsExactly("h2");
        assertThat(placement.refuse(id(TaskType.REDUCE, 0, 1), on("h1"))).isTrue();
        assertThat(placement.due()).containsExactly(better);
        assertThat(placement.refuse(id(TaskType.REDUCE, 0, 1), on("h2"))).isFalse();
    }

    @Test
    void aBackupIsAwaitedUntilItHasAContainerOrTheJobEnds() {
        lenient().when(job.getState()).thenReturn(JobState.RUNNING);
        assertThat(placement.isAwaiting()).isFalse();
        request(id(0, 1), "h2");
        assertThat(placement.isAwaiting()).isTrue();
        placement.refuse(id(0, 1), on("h1"));
        assertThat(placement.isAwaiting()).isTrue();
        placement.refuse(id(0, 1), on("h2"));
        assertThat(placement.isAwaiting()).isFalse();
        request(id(0, 1), "h2");
        lenient().when(job.getState()).thenReturn(JobState.SUCCEEDED);
        assertThat(placement.isAwaiting()).isFalse();
    }

    @Test
    void whereNothingElseRanTheDataDecide() {
        tasks.values().forEach(this::neverRan);
        tasks.clear();
        run(0, "h1", 0.1f);
        assertThat(request(id(0, 1), "h1", "h3").getHosts()).containsExactly("h3");
    }

    private void neverRan(Task task) {
        for (TaskAttempt attempt : task.getAttempts().values()) {
            lenient().when(attempt.getState()).thenReturn(TaskAttemptState.KILLED);
            placement.changed(attempt);
        }
    }

    /** That takes as long as there are tasks, and the dispatcher has no time. */
    @Test
    void neitherRequestNorContainerHasAllTasksVisited() {
        request(id(0, 1), "h2");
        placement.refuse(id(0, 1), on("h3"));
        verify(job, never()).getTasks(any());
    }

    @Test
    void whichHostsAreFastIsLookedAtAgainAfterTwoSeconds() {
        assertThat(request(id(0, 1)).getHosts()).containsExactly("h2", "h3");
        run(4, "h4", 0.95f);
        now += 1999;
        assertThat(request(id(1, 1)).getHosts()).containsExactly("h2", "h3");
        now += 1;
        assertThat(request(id(1, 2)).getHosts()).containsExactly("h4", "h2", "h3");
    }

    @Test
    void whileABackupWaitsAnotherThreadSortsHosts() {
        assertThat(request(id(0, 1)).getHosts()).containsExactly("h2", "h3");
        run(4, "h4", 0.95f);
        tellChanges();
        placement.sortHosts();
        assertThat(request(id(1, 1)).getHosts()).containsExactly("h4", "h2", "h3");
    }

    @Test
    void aBackupNeverRunsBesideItsOriginalOnASlowHost() {
        ContainerRequestEvent request = request(id(0, 1), "h2");
        for (int i = 0; i < 10; i++) {
            assertThat(placement.refuse(id(0, 1), on("h1"))).isTrue();
            assertThat(placement.due()).containsExactly(request);
        }
        assertThat(placement.refuse(id(0, 1), on("h1"))).isTrue();
        assertThat(placement.due()).as("nothing else has room").isEmpty();
        now += 29_999;
        assertThat(placement.due()).isEmpty();
        now += 1;
        assertThat(placement.due()).containsExactly(request);
        assertThat(placement.due()).as("once").isEmpty();
        assertThat(placement.refuse(id(0, 1), on("h2"))).isFalse();
    }

    @Test
    void whereNothingElseWaitsTheOriginalsHostIsWithheldAndTheRequestStands() {
        ContainerRequestEvent request = request(id(0, 1), "h2");
        assertThat(placement.withheld()).isEmpty();
        for (int i = 0; i <= 10; i++) {
            assertThat(placement.refuse(id(0, 1), on("h1"))).isTrue();
            assertThat(placement.due()).as("after 30 s, too").containsExactly(request);
            assertThat(placement.withheld()).containsExactly("h1");
            now += 29_999;
            assertThat(placement.withheld()).containsExactly("h1");
            now++;
            assertThat(placement.withheld()).isEmpty();
        }
        placement.refuse(id(0, 1), on("h1"));
        assertThat(placement.refuse(id(0, 1), on("h2"))).isFalse();
        assertThat(placement.withheld()).as("nobody waits").isEmpty();
    }

    /** What is slow may be the attempt alone: Hadoop's would have begun there. */
    @Test
    void whereNothingElseHadRoomAllTheTimeABackupRunsBesideItsOriginal() {
        ContainerRequestEvent request = request(id(3, 1), "h2");
        assertThat(placement.refuse(id(3, 1), on("h3"))).isTrue();
        assertThat(placement.due()).containsExactly(request);
        now += 29_999;
        assertThat(placement.unfit(id(3, 1))).containsExactlyInAnyOrder("h1", "h3");
        assertThat(placement.withheld()).containsExactly("h3");
        now++;
        assertThat(placement.unfit(id(3, 1))).containsExactly("h1");
        assertThat(placement.withheld()).isEmpty();
        assertThat(placement.refuse(id(3, 1), on("h3"))).isFalse();
    }

    @Test
    void onAClusterOfOneNodeABackupRunsBesideItsOriginalAtOnce() {
        placement.clusterHas(2);
        request(id(3, 1), "h3");
        assertThat(placement.refuse(id(3, 1), on("h3"))).isTrue();
        placement.clusterHas(1);
        assertThat(placement.withheld()).isEmpty();
        assertThat(placement.unfit(id(3, 1))).containsExactly("h1");
        assertThat(placement.refuse(id(3, 1), on("h3"))).isFalse();
    }

    @Test
    void anOriginalsHostIsNotWithheldFromOneThatMayRunThere() {
        request(id(0, 1), "h2");
        placement.refuse(id(0, 1), on("h1"));
        request(id(2, 1));
        assertThat(placement.withheld()).as("for another map's backup").isEmpty();
        placement.forget(id(2, 1));
        assertThat(placement.withheld()).containsExactly("h1");
        request(id(TaskType.REDUCE, 7, 0));
        assertThat(placement.withheld()).as("for a reduce").isEmpty();
        for (int i = 0; i < 10; i++) {
            placement.refuse(id(0, 1), on("h1"));
        }
        assertThat(placement.due()).as("the reduce may have it").isEmpty();
    }

    @Test
    void anOriginalsHostIsWithheldNoLongerThanItRuns() {
        TaskAttempt original = tasks.get(id(0, 0).getTaskId()).getAttempts().get(id(0, 0));
        request(id(0, 1), "h2");
        placement.refuse(id(0, 1), on("h1"));
        lenient().when(original.getState()).thenReturn(TaskAttemptState.FAILED);
        assertThat(placement.withheld()).isEmpty();
    }

    @Test
    void whatIsNotForABackupIsWithheldWhileAContainerComesFreeForIt() {
        request(id(0, 1), "h2");
        request(id(TaskType.REDUCE, 7, 0));
        assertThat(placement.withheld()).isEmpty();
        placement.promise(id(0, 1));
        assertThat(placement.withheld()).as("though the reduce waits").containsExactly("h1");
        placement.withdrawPromise(id(0, 1));
        assertThat(placement.withheld()).isEmpty();
        placement.promise(id(0, 1));
        now += 29_999;
        assertThat(placement.withheld()).containsExactly("h1");
        now++;
        assertThat(placement.withheld()).isEmpty();
        placement.promise(id(0, 1));
        placement.refuse(id(0, 1), on("h2"));
        assertThat(placement.withheld()).as("it has its container").isEmpty();
        placement.promise(id(0, 1));
        assertThat(placement.withheld()).as("and waits for none").isEmpty();
    }

    @Test
    void nothingIsAskedForAnAttemptThatHasEnded() {
        lenient().when(job.getState()).thenReturn(JobState.RUNNING);
        request(id(0, 1), "h2");
        placement.refuse(id(0, 1), on("h1"));
        placement.forget(id(0, 1));
        assertThat(placement.due()).isEmpty();
        assertThat(placement.isAwaiting()).isFalse();
    }

    @Test
    void anotherSlowNodeIsTakenInTheEnd() {
        run(4, "h5", 0.05f);
        request(id(0, 1), "h2");
        for (int i = 0; i < 10; i++) {
            assertThat(placement.refuse(id(0, 1), on("h5"))).isTrue();
        }
        assertThat(placement.refuse(id(0, 1), on("h5"))).isFalse();
    }

    @Test
    void aNodeOfWhichNothingIsKnownIsTaken() {
        request(id(0, 1), "h2");
        assertThat(placement.refuse(id(0, 1), on("h4"))).isFalse();
    }

    @Test
    void whenTheOriginalHasEndedAnyNodeIsTaken() {
        request(id(0, 1), "h2");
        TaskAttempt original = tasks.get(id(0, 0).getTaskId()).getAttempts().get(id(0, 0));
        lenient().when(original.getState()).thenReturn(TaskAttemptState.FAILED);
        assertThat(placement.refuse(id(0, 1), on("h1"))).isFalse();
    }

    private AttemptPlacement inClasses(String hosts, boolean beingCloned) {
        return placement(HostClasses.parse(hosts), clones(beingCloned, true));
    }

    private AttemptPlacement placement(HostClasses classes, AwaitedClones awaited) {
        return new AttemptPlacement(
                context, clones::contains, true, PlacementRules.PRESET, classes, awaited);
    }

    private static AwaitedClones clones(boolean areAwaited, boolean helpFromZero) {
        AwaitedClones all = mock(AwaitedClones.class);
        lenient().when(all.isBeingCloned(any())).thenReturn(areAwaited);
        lenient().when(all.helpsFromZero(any())).thenReturn(helpFromZero);
        return all;
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, false"})
    void aClonesContainerIsBesideItsOriginalOnlyWhereItHelpsFromZero(
            boolean beingCloned, boolean helpsFromZero) {
        AttemptPlacement clonesWait =
                placement(HostClasses.NONE, clones(beingCloned, helpsFromZero));
        tellChanges(clonesWait);
        request(clonesWait, id(3, 1), "h2");
        clonesWait.refuse(id(3, 1), on("h3"));
        now += 30_000;
        assertThat(clonesWait.refuse(id(3, 1), on("h3"))).isEqualTo(beingCloned && !helpsFromZero);
    }

    @Test
    void aClonesContainerIsInItsOriginalsClass() {
        AttemptPlacement classes = inClasses("h1,h3,h4;h2", true);
        tellChanges(classes);
        ContainerRequestEvent request = request(classes, id(0, 1), "h1", "h2");
        assertThat(request.getHosts()).containsExactly("h3");
        for (int times = 0; times < PlacementRules.PRESET.givenBack(); times++) {
            assertThat(classes.refuse(id(0, 1), on("h2"))).isTrue();
        }
        // A new attempt is better than none.
        assertThat(classes.refuse(id(0, 1), on("h2"))).isFalse();
    }

    @Test
    void aNewAttemptsContainerMayBeInAnyClass() {
        AttemptPlacement classes = inClasses("h1,h3,h4;h2", false);
        tellChanges(classes);
        assertThat(request(classes, id(0, 1), "h1", "h2").getHosts()).contains("h2");
        assertThat(classes.refuse(id(0, 1), on("h2"))).isFalse();
    }

    private Container on(String host, int megabytes) {
        return Container.newInstance(
                null,
                NodeId.newInstance(host, 1),
                null,
                Resource.newInstance(megabytes, 1),
                null,
                null);
    }

    @Test
    void aContainerOfAReduceIsWantedWhereAMapsBackupMayRun() {
        TaskAttemptId reduce = id(TaskType.REDUCE, 0, 0);
        run(reduce, "h4", 0);
        placement.request(ofReduce(0));
        assertThat(placement.isWantedByMap(reduce, on("h3", 1024))).as("nobody waits").isFalse();
        placement.request(request(id(0, 1)));
        assertThat(placement.isWantedByMap(reduce, on("h3", 1024))).isTrue();
        assertThat(placement.isWantedByMap(reduce, on("h3", 1023))).as("too small").isFalse();
        assertThat(placement.isWantedByMap(reduce, on("h1", 1024))).as("its straggler's").isFalse();
        assertThat(placement.isWantedByMap(id(4, 0), on("h3", 1024))).as("a map's").isFalse();
        placement.forget(reduce);
        assertThat(placement.isWantedByMap(reduce, on("h3", 1024)))
                .as("nothing to ask for again")
                .isFalse();
        placement.request(ofReduce(0));
        TaskAttemptId second = id(TaskType.REDUCE, 0, 1);
        reduces.get(reduce.getTaskId()).getAttempts().put(second, mock(TaskAttempt.class));
        assertThat(placement.isWantedByMap(reduce, on("h3", 1024))).as("again").isFalse();
    }

    @Test
    void aBackupThatIsAboutToBeServedDoesNotAsk() {
        TaskAttemptId backup = id(0, 1);
        assertThat(placement.take(backup)).isEmpty();
        placement.request(request(backup));
        assertThat(placement.take(backup)).contains(new AttemptPlacement.Awaited(backup, true));
        assertThat(placement.refuse(backup, on("h1", 1024))).isTrue();
        AttemptPlacement.Awaited taken = placement.take(backup).orElseThrow();
        assertThat(taken.asks()).isFalse();
        assertThat(placement.due()).isEmpty();
        placement.putBack(taken);
        assertThat(placement.due())
                .extracting(ContainerRequestEvent::getAttemptID)
                .containsExactly(backup);
    }
}
