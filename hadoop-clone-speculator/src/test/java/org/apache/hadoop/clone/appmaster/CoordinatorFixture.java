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

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.CostRules;
import org.apache.hadoop.clone.speculate.SecondAttemptKill;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataInputByteBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobCounterUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerRemoteLaunchEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;

/**
 * A coordinator between its speculator, its tasks and its AppMaster, none of which are there: what
 * it tells them is kept.
 */
final class CoordinatorFixture {
    static final String STOCK = "java org.apache.hadoop.mapred.YarnChild h 1 a 2 1>out 2>err ";
    static final long LIMIT_MILLIS = 60_000;

    /** For which an attempt may report nothing. */
    static final long SILENCE_MILLIS = 600_000;

    static final long PATIENCE_MILLIS = 30_000; // 10 s for the clone, 20 s of work saved
    static final int MAX_FAILURES = 3;
    static final SourcePaths PATHS = new SourcePaths("/x/c1", List.of("/x"), List.of("/l"));

    static final CloneScore SCORE = new CloneScore(200_000, 10_000, 80_000, 100_000);
    static final CloneScore NEW_IS_SOONER = new CloneScore(200_000, 30_000, 80_000, 100_000);
    static final CloneScore NO_GAIN = new CloneScore(89_000, 10_000, 80_000, 100_000);
    static final CloneScore AS_GOOD_AS_DONE = new CloneScore(9_000, 10_000, 80_000, 100_000);
    private static final ApplicationId APPLICATION = ApplicationId.newInstance(1, 1);

    final AtomicLong now = new AtomicLong(1_000_000);
    final List<TaskEvent> taskEvents = new ArrayList<>();
    final List<TaskAttemptId> killed = new ArrayList<>();
    final List<ContainerRemoteLaunchEvent> launched = new ArrayList<>();
    final Map<TaskAttemptId, List<String>> diagnostics = new HashMap<>();
    final Map<CloneCounter, Long> counters = new EnumMap<>(CloneCounter.class);
    final List<CloneOrder> ordersOfOriginal = new ArrayList<>();
    private final Counters counted = new Counters();
    private long memoryBytes;
    final List<TaskAttemptId> attempts = new ArrayList<>();
    CloneScore score = SCORE;
    long sinceLaunchMillis;
    TaskState taskState = TaskState.RUNNING;
    TaskAttemptState backupState = TaskAttemptState.RUNNING;

    final JobId job = MRBuilderUtils.newJobId(APPLICATION, 1);
    final TaskAttemptId original = attempt(0, 0);
    final TaskAttemptId backup = attempt(0, 1);
    final Orders orders = new Orders();
    final CloneCoordinator coordinator;

    private final Token<JobTokenIdentifier> token =
            new Token<>(new JobTokenIdentifier(new Text("job")), new JobTokenSecretManager());

    CoordinatorFixture() {
        this(true);
    }

    CoordinatorFixture(boolean reduces) {
        Configuration conf = new Configuration(false);
        conf.setBoolean(CloneKeys.REDUCE, reduces);
        conf.setInt(CloneKeys.MAX_FAILURES, MAX_FAILURES);
        conf.setTimeDuration(CloneKeys.TIME_LIMIT, LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        conf.setLong(MRJobConfig.TASK_TIMEOUT, SILENCE_MILLIS);
        conf.set(CloneKeys.TOOL, "/opt/tool");
        LaunchSecrets secrets = new LaunchSecrets();
        attempts.add(original);
        coordinator =
                new CloneCoordinator(
                        conf,
                        context(),
                        orders,
                        secrets,
                        new CloneCosts(1, 3000, 1000),
                        CostRules.PRESET,
                        PlacementRules.PRESET);
        coordinator.connect(this::score, launched::add);
        try {
            secrets.learn(container(new Credentials()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        listen(original, ordersOfOriginal);
    }

    private Optional<CloneScore> score(TaskAttemptId attempt, long millis) {
        sinceLaunchMillis = millis;
        return Optional.of(score);
    }

    private AppContext context() {
        AppContext context = mock(AppContext.class);
        Job theJob = mock(Job.class);
        Task task = mock(Task.class);
        when(context.getClock()).thenReturn(now::get);
        when(context.getJob(any())).thenReturn(theJob);
        when(context.getAllJobs()).thenReturn(Map.of(job, theJob));
        when(theJob.getTask(any())).thenReturn(task);
        when(task.getState()).thenAnswer(call -> taskState);
        TaskAttempt attempt = mock(TaskAttempt.class);
        when(task.getAttempt(any())).thenReturn(attempt);
        when(task.getAttempts())
                .thenAnswer(
                        call ->
                                attempts.stream()
                                        .collect(
                                                Collectors.toMap(
                                                        Function.identity(), id -> attempt)));
        when(attempt.getState()).thenAnswer(call -> backupState);
        when(attempt.getNodeId()).thenReturn(NodeId.newInstance("h1", 1));
        when(attempt.getCounters()).thenReturn(counted);
        EventHandler<Event<?>> handler = this::heard;
        doReturn(handler).when(context).getEventHandler();
        return context;
    }

    private void heard(Event<?> event) {
        if (event instanceof SecondAttemptKill kill) {
            killed.add(kill.getTaskAttemptID());
        } else if (event instanceof TaskEvent taskEvent) {
            taskEvents.add(taskEvent);
        } else if (event instanceof TaskAttemptDiagnosticsUpdateEvent told) {
            diagnostics
                    .computeIfAbsent(told.getTaskAttemptID(), id -> new ArrayList<>())
                    .add(told.getDiagnosticInfo());
        } else if (event instanceof JobCounterUpdateEvent counted) {
            counted.getCounterUpdates()
                    .forEach(
                            update ->
                                    counters.merge(
                                            (CloneCounter) update.getCounterKey(),
                                            update.getIncrementValue(),
                                            Long::sum));
        }
    }

    /** What the task reports, and answers, that its process has in memory. */
    void memory(long bytes) {
        memoryBytes = bytes;
        counted.findCounter(TaskCounter.PHYSICAL_MEMORY_BYTES).setValue(bytes);
    }

    TaskAttemptId attempt(int task, int number) {
        TaskId id = MRBuilderUtils.newTaskId(job, task, TaskType.MAP);
        return MRBuilderUtils.newTaskAttemptId(id, number);
    }

    static TaskAttemptID wire(TaskAttemptId attempt) {
        return TaskAttemptID.downgrade(TypeConverter.fromYarn(attempt));
    }

    /** The original's agent asks for orders, always. */
    private void listen(TaskAttemptId attempt, List<CloneOrder> heard) {
        long seen = last(heard).map(CloneOrder::serial).orElse(0L);
        orders.ask(
                        wire(attempt),
                        seen,
                        now.get(),
                        order -> {
                            heard.add(order);
                            listen(attempt, heard);
                        })
                .ifPresent(heard::add);
    }

    /**
     * Another attempt's agent does so, too.
     *
     * @return its orders, as they come
     */
    List<CloneOrder> listens(TaskAttemptId attempt) {
        List<CloneOrder> heard = new ArrayList<>();
        listen(attempt, heard);
        return heard;
    }

    Optional<CloneOrder> lastOrder() {
        return last(ordersOfOriginal);
    }

    private static Optional<CloneOrder> last(List<CloneOrder> orders) {
        return orders.isEmpty() ? Optional.empty() : Optional.of(orders.get(orders.size() - 1));
    }

    /** What the original hears when it asks whether it may be frozen. */
    FreezeLeave mayFreeze() {
        return mayFreezeOver(0);
    }

    /** The same over a link that the tool has sampled. */
    FreezeLeave mayFreezeOver(long bytesPerMilli) {
        return coordinator.mayFreeze(wire(original), cloneId(), bytesPerMilli);
    }

    /** The number of the clone that the original was told of last. */
    long cloneId() {
        return lastOrder().orElseThrow().cloneId();
    }

    /** A launch as the AppMaster makes it. */
    ContainerRemoteLaunchEvent launchOf(TaskAttemptId attempt) {
        return launchOf(attempt, "h2");
    }

    ContainerRemoteLaunchEvent launchOf(TaskAttemptId attempt, String host) {
        return new ContainerRemoteLaunchEvent(
                attempt,
                container(new Credentials()),
                Container.newInstance(
                        containerId(attempt),
                        NodeId.newInstance(host, 1),
                        host + ":2",
                        null,
                        null,
                        null),
                null);
    }

    static ContainerId containerId(TaskAttemptId attempt) {
        return ContainerId.newContainerId(
                ApplicationAttemptId.newInstance(APPLICATION, 1), 10 + attempt.getId());
    }

    private ContainerLaunchContext container(Credentials credentials) {
        TokenCache.setJobToken(token, credentials);
        DataOutputBuffer out = new DataOutputBuffer();
        try {
            credentials.writeTokenStorageToStream(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ContainerLaunchContext.newInstance(
                Map.of(),
                Map.of(),
                List.of(STOCK),
                Map.of(),
                ByteBuffer.wrap(out.getData(), 0, out.getLength()),
                Map.of());
    }

    Credentials credentialsOf(ContainerRemoteLaunchEvent launch) throws IOException {
        DataInputByteBuffer in = new DataInputByteBuffer();
        in.reset(launch.getContainerLaunchContext().getTokens().duplicate());
        Credentials credentials = new Credentials();
        credentials.readTokenStorageStream(in);
        return credentials;
    }

    byte[] jobTokenPassword() {
        return token.getPassword();
    }

    // --- a clone's way, as far as each test needs it ---

    CoordinatorFixture asked() {
        coordinator.clone(original, SCORE);
        return this;
    }

    /** Another clone, in the place of the one that runs. */
    CoordinatorFixture askedAgain() {
        coordinator.cloneInPlaceOf(backup, original, SCORE);
        return this;
    }

    CoordinatorFixture waiting() {
        asked();
        answer(CloneAnswer.able(cloneId(), 5_000_000, memoryBytes));
        return this;
    }

    CoordinatorFixture offering() {
        waiting();
        coordinator.launching(launchOf(backup));
        return this;
    }

    CoordinatorFixture pulling() {
        offering();
        answer(CloneAnswer.offered(cloneId(), "h1:5000", PATHS));
        return this;
    }

    CoordinatorFixture freezing() {
        pulling();
        mayFreeze();
        return this;
    }

    CoordinatorFixture becoming() throws IOException {
        freezing();
        coordinator.becomeClone(wire(original), cloneId(), containerId(backup).toString());
        return this;
    }

    CoordinatorFixture running() throws IOException {
        becoming();
        coordinator.cloneRunning(wire(backup), cloneId());
        return this;
    }

    /** It can be cloned, and is asked once more, since it took so long to say so. */
    void answersSlowly(long firstMillis, long secondMillis) {
        for (long millis : List.of(firstMillis, secondMillis)) {
            now.addAndGet(millis);
            answer(CloneAnswer.able(cloneId(), 0, 0));
        }
    }

    void answer(CloneAnswer answer) {
        coordinator.answered(wire(original), answer);
    }

    void passes(long millis) {
        now.addAndGet(millis);
        coordinator.tick();
    }
}
