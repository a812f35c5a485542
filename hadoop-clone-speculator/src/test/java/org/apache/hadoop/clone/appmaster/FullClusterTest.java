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

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.speculate.SecondAttemptKill;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.rm.AllocatorDoor;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A map's backup on a cluster whose containers are all taken, some by reduces that wait for that
 * map: Hadoop's real state machines and its real allocator.
 */
@Timeout(180)
class FullClusterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int URGENT = 5;
    private static final int REDUCE = 10;
    private static final int MAP = 20;

    private final Configuration conf = new Configuration();
    private FullClusterApp app;
    private Job job;
    private Task straggling;
    private TaskAttemptId backup;

    @AfterEach
    void stop() {
        app.stop();
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }

    /** Two maps run, and two of three reduces; a map's backup and a reduce want containers. */
    private void start() throws Exception {
        start(3);
    }

    private void start(int reduces) throws Exception {
        conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
        conf.setBoolean(MRJobConfig.REDUCE_SPECULATIVE, false);
        conf.setFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, 0);
        conf.setInt(MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, 50);
        app = new FullClusterApp(2, reduces, getClass().getSimpleName(), "h1", "h2", "h3", "h4");
        job = app.submit(conf);
        await().until(() -> running(TaskType.MAP).size() == 2);
        await().until(() -> running(TaskType.REDUCE).size() == 2);
        running(TaskType.REDUCE).forEach(reduce -> report(reduce.getID(), Phase.SHUFFLE));
        await().until(
                        () ->
                                running(TaskType.REDUCE).stream()
                                        .allMatch(one -> one.getPhase() == Phase.SHUFFLE));
        await().until(() -> app.asked(REDUCE) == reduces - 2);
        straggling = job.getTasks(TaskType.MAP).values().iterator().next();
        await().until(straggling::getState, TaskState.RUNNING::equals);
        app.send(new TaskEvent(straggling.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
        backup = attemptOfStraggling(1);
        await().until(() -> app.asked(MAP) == 1);
    }

    /** Once it is there. */
    private TaskAttemptId attemptOfStraggling(int number) {
        TaskAttemptId id = MRBuilderUtils.newTaskAttemptId(straggling.getID(), number);
        await().until(() -> straggling.getAttempt(id) != null);
        return id;
    }

    private List<TaskAttempt> running(TaskType kind) {
        return attempts(kind)
                .filter(one -> one.getState() == TaskAttemptState.RUNNING)
                .sorted(Comparator.comparing(TaskAttempt::getID))
                .toList();
    }

    private Stream<TaskAttempt> attempts(TaskType kind) {
        return job.getTasks(kind).values().stream()
                .map(Task::getAttempts)
                .flatMap(attempts -> attempts.values().stream());
    }

    private void report(TaskAttemptId attempt, Phase phase) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = attempt;
        status.phase = phase;
        status.taskState = TaskAttemptState.RUNNING;
        status.stateString = "";
        status.counters = new Counters();
        app.send(new TaskAttemptStatusUpdateEvent(attempt, new AtomicReference<>(status)));
    }

    private TaskAttempt attempt(TaskAttemptId id) {
        return job.getTask(id.getTaskId()).getAttempt(id);
    }

    private long yielded() {
        return job.getAllCounters().findCounter(CloneCounter.REDUCES_YIELDED).getValue();
    }

    /** It takes what it can have elsewhere, and asks for no other in between. */
    @Test
    void aHostThatIsWithheldIsNotOfferedUntilItIsLifted() throws Exception {
        start();
        Set<String> withheld = ConcurrentHashMap.newKeySet();
        withheld.addAll(Set.of("h1", "h2", "h3", "h4"));
        app.withhold(() -> Set.copyOf(withheld));
        TaskAttemptId reduce = waitingReduce();
        TaskAttemptId other = otherMap();
        String free = host(other);
        app.succeed(other);
        int before = app.exchanges();
        await().until(() -> app.exchanges() > before + 2);
        assertThat(app.asked(REDUCE)).isOne();
        assertThat(attempt(reduce).getState()).isEqualTo(TaskAttemptState.STARTING);

        withheld.remove(free);
        await().until(() -> attempt(reduce).getState() == TaskAttemptState.RUNNING);
        assertThat(host(reduce)).isEqualTo(free);
    }

    /** As a map that has succeeded, lost its output, and is to run again. */
    @Test
    void aTaskThatWaitsToRunIsGivenNoSecondAttempt() throws Exception {
        start();
        Task waiting =
                job.getTasks(TaskType.REDUCE).values().stream()
                        .filter(task -> task.getState() == TaskState.SCHEDULED)
                        .findFirst()
                        .orElseThrow();
        app.send(new TaskEvent(waiting.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
        // What comes later has been handled, and so has that.
        app.send(new TaskEvent(straggling.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
        await().until(() -> straggling.getAttempts().size() == 3);
        assertThat(waiting.getAttempts()).hasSize(1);
        assertThat(job.getState()).isEqualTo(JobState.RUNNING);
    }

    /** That may have come in the exchange in which its urgent request was sent. */
    @Test
    void noReduceIsKilledForAMapThatHasItsContainer() throws Exception {
        start();
        TaskAttemptId reduce = running(TaskType.REDUCE).get(0).getID();
        TaskAttemptId has = running(TaskType.MAP).get(0).getID();
        app.send(new ReduceYieldKill(reduce, has, "the test wants it"));
        app.send(new TaskEvent(straggling.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
        await().until(() -> straggling.getAttempts().size() == 3);
        assertThat(attempt(reduce).getState()).isEqualTo(TaskAttemptState.RUNNING);
        assertThat(yielded()).isZero();
    }

    @Test
    void theResourceManagerIsAskedMoreOftenButWhereThatTakesContainersFromReduces()
            throws Exception {
        start();
        assertThat(AllocatorDoor.heartbeat(app.allocator())).isTrue();
        app.stop();
        app = new FullClusterApp(2, 0, "no host", new String[0]);
        job = app.submit(conf);
        await().until(() -> app.asked(MAP) == 2);
        assertThat(AllocatorDoor.heartbeat(app.allocator())).as("no map has a container").isFalse();
    }

    @Test
    void oneReduceGivesWayAndTheBackupRunsThere() throws Exception {
        start();
        List<TaskAttempt> waiting = running(TaskType.REDUCE);
        TaskAttempt loser = waiting.get(1); // it loses less than the other
        String host = loser.getNodeId().getHost();

        await().until(
                        () -> {
                            app.yields().look();
                            return attempt(backup).getState() == TaskAttemptState.RUNNING;
                        });
        assertThat(attempt(backup).getNodeId().getHost()).isEqualTo(host);
        assertThat(loser.getState()).isEqualTo(TaskAttemptState.KILLED);
        await().untilAsserted(
                        () ->
                                assertThat(loser.getDiagnostics())
                                        .anyMatch(
                                                why ->
                                                        why.startsWith(
                                                                "its container is for " + backup)));
        assertThat(running(TaskType.REDUCE)).containsExactly(waiting.get(0));
        Task its = job.getTask(loser.getID().getTaskId());
        await().until(() -> its.getAttempts().size() == 2);
        assertThat(app.asked(URGENT)).as("it has what it asked for").isZero();
        assertThat(app.asked(MAP)).as("nor is the first request left").isZero();
        app.yields().look();
        await().until(() -> yielded() == 1);

        app.succeed(backup);
        app.succeed(otherMap());
        for (Task reduce : job.getTasks(TaskType.REDUCE).values()) {
            await().until(() -> runningOf(reduce).size() == 1);
            app.succeed(runningOf(reduce).iterator().next().getID());
        }
        await().until(job::getState, JobState.SUCCEEDED::equals);
        assertThat(yielded()).isOne();
        assertThat(attempts(TaskType.REDUCE))
                .extracting(TaskAttempt::getState)
                .doesNotContain(TaskAttemptState.FAILED);
    }

    /** It is offered first, and wouldn't be taken: what the reduce gives would be another's. */
    @Test
    void theBackupHasWhatAReduceGivesThoughThereIsRoomBesideItsOriginal() throws Exception {
        start(2);
        app.withhold(() -> app.placement().withheld());
        TaskAttempt original = straggling.getAttempts().values().iterator().next();
        String besideIt = original.getNodeId().getHost();
        TaskAttempt loser = running(TaskType.REDUCE).get(1);
        for (int i = 0; i < PlacementRules.PRESET.givenBack(); i++) {
            assertThat(app.placement().refuse(backup, container(original.getNodeId()))).isTrue();
        }
        assertThat(app.placement().take(backup)).as("its request stands").isPresent();

        app.addContainer(besideIt);
        await().until(() -> app.placement().withheld().equals(Set.of(besideIt)));
        app.holdContainers();
        await().until(
                        () -> {
                            app.yields().look();
                            return app.asked(REDUCE) == 1;
                        });
        int before = app.exchanges();
        await().until(() -> app.exchanges() > before + 2);
        assertThat(app.asked(URGENT)).as("is offered nothing").isOne();
        assertThat(app.asked(REDUCE)).as("nor is the reduce").isOne();

        app.releaseContainers();
        await().until(() -> attempt(backup).getState() == TaskAttemptState.RUNNING);
        assertThat(host(backup)).isEqualTo(loser.getNodeId().getHost());
        Task its = job.getTask(loser.getID().getTaskId());
        await().until(() -> runningOf(its).size() == 1);
        assertThat(runningOf(its).iterator().next().getNodeId().getHost()).isEqualTo(besideIt);
        assertThat(app.placement().withheld()).isEmpty();
        assertThat(yielded()).isOne();
    }

    @Test
    void onTheOnlyNodeABackupRunsBesideItsOriginal() throws Exception {
        conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
        app = new FullClusterApp(1, 0, getClass().getSimpleName(), "h1", "h1");
        job = app.submit(conf);
        app.withhold(() -> app.placement().withheld());
        await().until(() -> running(TaskType.MAP).size() == 1);
        straggling = job.getTasks(TaskType.MAP).values().iterator().next();
        app.send(new TaskEvent(straggling.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
        await().until(() -> runningOf(straggling).size() == 2);
        assertThat(runningOf(straggling))
                .extracting(one -> one.getNodeId().getHost())
                .containsOnly("h1");
    }

    private static Collection<TaskAttempt> runningOf(Task task) {
        return task.getAttempts().values().stream()
                .filter(one -> one.getState() == TaskAttemptState.RUNNING)
                .toList();
    }

    private TaskAttemptId otherMap() {
        return running(TaskType.MAP).stream()
                .map(TaskAttempt::getID)
                .filter(map -> !map.getTaskId().equals(straggling.getID()))
                .findFirst()
                .orElseThrow();
    }

    private TaskAttemptId waitingReduce() {
        return attempts(TaskType.REDUCE)
                .filter(one -> one.getState() == TaskAttemptState.STARTING)
                .map(TaskAttempt::getID)
                .findFirst()
                .orElseThrow();
    }

    /** The ResourceManager gives it to the reduce. */
    @Test
    void theContainerThatComesFreeIsTheBackups() throws Exception {
        start();
        app.handover(() -> backup);
        theOtherMapsContainerIsTheBackups();
    }

    /** After ten containers beside its straggler. */
    @Test
    void soItIsWhileItWouldAskLater() throws Exception {
        start();
        app.handover(() -> backup);
        Container beside =
                container(straggling.getAttempts().values().iterator().next().getNodeId());
        for (int i = 0; i <= PlacementRules.PRESET.givenBack(); i++) {
            assertThat(app.placement().refuse(backup, beside)).isTrue();
        }
        app.allocator()
                .handle(
                        new ContainerAllocatorEvent(
                                backup, ContainerAllocator.EventType.CONTAINER_DEALLOCATE));
        await().until(() -> app.asked(MAP) == 0);
        theOtherMapsContainerIsTheBackups();
    }

    /** It doesn't wait whether another comes free, while the reduce that was given it begins. */
    @Test
    void theNextInASecondAttemptsPlaceHasItsContainerThoughReducesWait() throws Exception {
        start();
        app.handoverByYields();
        TaskAttemptId reduce = waitingReduce();
        app.yields().look();
        await().until(() -> app.yields().taker(reduce, "any").isPresent());
        app.succeed(otherMap());
        await().until(() -> attempt(backup).getState() == TaskAttemptState.RUNNING);
        String host = host(backup);
        // As long as a reduce loses that asks once more.
        await().until(() -> System.currentTimeMillis() - attempt(backup).getLaunchTime() > 1000);

        app.send(new SecondAttemptKill(backup));
        backup = attemptOfStraggling(2);
        await().until(() -> attempt(backup).getState() == TaskAttemptState.RUNNING);
        assertThat(host(backup)).isEqualTo(host);
        assertThat(attempt(reduce).getState()).isEqualTo(TaskAttemptState.STARTING);
        await().until(() -> yielded() == 2);
    }

    private String host(TaskAttemptId attempt) {
        return attempt(attempt).getNodeId().getHost();
    }

    private static Container container(NodeId node) {
        return Container.newInstance(null, node, null, null, null, null);
    }

    private void theOtherMapsContainerIsTheBackups() {
        TaskAttemptId reduce = waitingReduce();
        TaskAttemptId other = otherMap();
        app.succeed(other);
        hasItInPlaceOf(reduce, host(other));
    }

    private void hasItInPlaceOf(TaskAttemptId reduce, String host) {
        await().until(() -> attempt(backup).getState() == TaskAttemptState.RUNNING);
        assertThat(host(backup)).isEqualTo(host);
        await().until(() -> app.asked(REDUCE) == reducesThatWait());
        assertThat(app.asked(MAP)).isZero();
        assertThat(attempt(reduce).getState()).isEqualTo(TaskAttemptState.STARTING);

        app.succeed(backup);
        for (int i = 0; i < job.getTotalReduces(); i++) {
            await().until(() -> !running(TaskType.REDUCE).isEmpty());
            TaskAttempt next = running(TaskType.REDUCE).get(0);
            app.succeed(next.getID());
            await().until(() -> next.getState() == TaskAttemptState.SUCCEEDED);
        }
        await().until(job::getState, JobState.SUCCEEDED::equals);
        assertThat(yielded()).isOne();
        assertThat(attempts(TaskType.REDUCE))
                .extracting(TaskAttempt::getState)
                .containsOnly(TaskAttemptState.SUCCEEDED);
    }

    private int reducesThatWait() {
        return (int)
                attempts(TaskType.REDUCE)
                        .filter(one -> one.getState() == TaskAttemptState.STARTING)
                        .count();
    }

    /** Their requests stand for all of them together at the ResourceManager. */
    @Test
    void whatItGaveUpIsAskedForBesideWhatOthersAskFor() throws Exception {
        start(4);
        app.handover(() -> backup);
        theOtherMapsContainerIsTheBackups();
    }

    /** While the ResourceManager can't be reached the allocator's lock isn't to be had. */
    @Test
    void aReduceDoesNotWaitForLongToBeToldWhoseItsContainerIs() throws Exception {
        start();
        CompletableFuture<TaskAttemptId> taker = new CompletableFuture<>();
        ContainerHandover handover = app.handover(taker::join);
        TaskAttemptId reduce = waitingReduce();
        TaskAttemptId other = otherMap();
        app.succeed(other);
        await().until(
                        () -> {
                            handover.tick();
                            return attempt(reduce).getState() == TaskAttemptState.RUNNING;
                        });
        assertThat(host(reduce)).isEqualTo(host(other));
        taker.complete(backup);
        app.succeed(reduce);
        await().until(() -> attempt(backup).getState() == TaskAttemptState.RUNNING);
        assertThat(app.asked(MAP)).isZero();
        assertThat(yielded()).isZero();
    }

    /** The backup, as where something is known of hosts. */
    private void asksFor(String host) {
        ContainerRequestEvent before = app.placement().urgent(backup, host).orElseThrow();
        ContainerRequestEvent there =
                new ContainerRequestEvent(
                        backup, before.getCapability(), before.getHosts(), before.getRacks());
        app.allocator()
                .handle(
                        new ContainerAllocatorEvent(
                                backup, ContainerAllocator.EventType.CONTAINER_DEALLOCATE));
        app.allocator().handle(there);
        app.placement().asked(there);
    }

    /** What is reserved for a request is served, whatever has become more urgent meanwhile. */
    @Test
    void whatAnotherMapAskedForIsAskedForAgain() throws Exception {
        start();
        List<TaskAttempt> reduces = running(TaskType.REDUCE);
        String host = host(reduces.get(0).getID());
        asksFor(host);
        TaskId other = otherMap().getTaskId();
        app.send(new TaskEvent(other, TaskEventType.T_ADD_SPEC_ATTEMPT));
        await().until(() -> app.asked(MAP) == 2);
        ContainerRequestEvent urgent = app.placement().urgent(backup, host).orElseThrow();
        app.grantOnly(MAP);
        assertThat(AllocatorDoor.replace(app.allocator(), urgent, reduces.get(0).getID())).isTrue();
        app.placement().asked(urgent);
        await().until(() -> app.asked(URGENT) == 1 && app.asked(MAP) == 1);

        app.succeed(reduces.get(0).getID());

        await().until(() -> attempt(backup).getState() == TaskAttemptState.RUNNING);
        await().untilAsserted(() -> assertThat(app.asked(MAP)).as("the other's").isOne());
        assertThat(app.asked(URGENT)).isZero();
        app.grantAll();
        app.succeed(backup); // its container is the reduce's that waits, and its straggler's the
        // other's
        await().until(() -> runningOf(job.getTask(other)).size() == 2);
        assertThat(app.asked(MAP)).isZero();
    }

    /** Where Hadoop's inside isn't what was thought. */
    @Test
    void aHandoverThatBreaksLeavesTheReduceItsContainerAndTheMapItsRequest() throws Exception {
        start();
        app.handover(
                () -> backup,
                (reduce, map, asks, wanted) -> {
                    wanted.getAsBoolean();
                    throw new IllegalStateException("the test wants it");
                });
        TaskAttemptId reduce = waitingReduce();
        TaskAttemptId other = otherMap();
        app.succeed(other);
        await().until(() -> attempt(reduce).getState() == TaskAttemptState.RUNNING);
        assertThat(host(reduce)).isEqualTo(host(other));

        app.dispatcher().askAgain();
        app.succeed(reduce);
        await().until(() -> attempt(backup).getState() == TaskAttemptState.RUNNING);
        assertThat(yielded()).isZero();
    }

    /** An allocator that was told to take back what it has just given would end the attempt. */
    @Test
    void whatHasAContainerAsksForNoOther() throws Exception {
        start();
        TaskAttempt map = running(TaskType.MAP).get(0);
        assertThat(replace(map.getID(), 1)).isFalse();
        assertThat(app.asked(URGENT)).isZero();
        assertThat(map.getState()).isEqualTo(TaskAttemptState.RUNNING);
    }

    @Test
    void aContainerThatIsTooSmallForAMapIsNotGivenAway() throws Exception {
        start();
        assertThat(replace(backup, 2)).isFalse();
        assertThat(app.asked(MAP)).isOne();
        assertThat(app.asked(URGENT)).isZero();
    }

    private boolean replace(TaskAttemptId map, int times) {
        TaskAttemptId reduce = running(TaskType.REDUCE).get(0).getID();
        ContainerRequestEvent request = app.placement().urgent(backup, "h2").orElseThrow();
        return AllocatorDoor.replace(
                app.allocator(),
                new ContainerRequestEvent(
                        map,
                        Resources.multiply(request.getCapability(), times),
                        request.getHosts(),
                        request.getRacks()),
                reduce);
    }
}
