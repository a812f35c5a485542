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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneProtocol;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataInputByteBuffer;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttemptStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptContainerAssignedEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptFailEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerRemoteLaunchEvent;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of the job when original and clone end in any order and way: Hadoop's real state
 * machines, the real RPC between tasks and AppMaster, and a task that does nothing else.
 */
@Timeout(180)
class CloneInAppMasterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final SourcePaths PATHS = new SourcePaths("/x/c", List.of("/x"), List.of("/l"));

    private CloningApp app;
    private Job job;
    private Task task;
    private TaskAttemptId original;
    private TaskAttemptId clone;
    private CloneProtocol appMaster;
    private CloneOrder lastOrder = CloneOrder.none();

    @AfterEach
    void stop() {
        RPC.stopProxy(appMaster);
        app.stop();
    }

    /** The original runs, and its agent has asked for orders. */
    private void start(String... hosts) throws Exception {
        app = new CloningApp(getClass().getSimpleName(), hosts);
        Configuration conf = new Configuration();
        conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
        job = app.submit(conf);
        awaitJob(JobState.RUNNING);
        task = job.getTasks().values().iterator().next();
        original = onlyAttempt();
        awaitState(original, TaskAttemptState.RUNNING);
        await().until(task::getState, TaskState.RUNNING::equals); // an event later
        appMaster = connect(app.launched.get(original));
        app.orders.ask(wire(original), 0, Long.MAX_VALUE, order -> {});
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }

    private TaskAttemptId onlyAttempt() {
        await().until(() -> task.getAttempts().size() == 1);
        return task.getAttempts().keySet().iterator().next();
    }

    /** With what the task's container is given. */
    private static CloneProtocol connect(ContainerRemoteLaunchEvent launch) throws Exception {
        Credentials credentials = new Credentials();
        DataInputByteBuffer in = new DataInputByteBuffer();
        in.reset(launch.getContainerLaunchContext().getTokens().duplicate());
        credentials.readTokenStorageStream(in);
        InetSocketAddress address =
                NetUtils.createSocketAddr(
                        launch.getContainerLaunchContext()
                                .getEnvironment()
                                .get(CloneProtocol.ADDRESS));
        Token<JobTokenIdentifier> token = new Token<>(TokenCache.getJobToken(credentials));
        SecurityUtil.setTokenService(token, address);
        UserGroupInformation user = UserGroupInformation.createRemoteUser("task");
        user.addToken(token);
        return user.doAs(
                (PrivilegedExceptionAction<CloneProtocol>)
                        () ->
                                RPC.getProxy(
                                        CloneProtocol.class,
                                        CloneProtocol.versionID,
                                        address,
                                        new Configuration()));
    }

    private static TaskAttemptID wire(TaskAttemptId attempt) {
        return TaskAttemptID.downgrade(TypeConverter.fromYarn(attempt));
    }

    private void awaitState(TaskAttemptId attempt, TaskAttemptState state) {
        await().until(() -> task.getAttempt(attempt).getState(), state::equals);
    }

    private void awaitJob(JobState state) {
        await().until(job::getState, state::equals);
    }

    // --- a clone's way, with the original's agent played here ---

    private CloneOrder nextOrder() throws Exception {
        lastOrder = appMaster.awaitOrder(wire(original), lastOrder.serial());
        return lastOrder;
    }

    private void answer(CloneAnswer answer) throws Exception {
        appMaster.answer(wire(original), answer);
    }

    private void order() throws Exception {
        app.coordinator().clone(original, CloningApp.WORTH_IT);
        do {
            // It is asked once more if this test was slow to answer.
            assertThat(nextOrder().kind()).isEqualTo(CloneOrder.Kind.PREPARE);
            answer(CloneAnswer.able(lastOrder.cloneId(), 0, 0));
        } while (app.coordinator().underWay().get(CloneState.ASKED.name()) > 0);
    }

    private void untilOffered() throws Exception {
        order();
        assertThat(nextOrder().kind()).isEqualTo(CloneOrder.Kind.OFFER);
        clone = task.getAttempts().keySet().stream().max(Comparator.naturalOrder()).orElseThrow();
    }

    private void untilPulling() throws Exception {
        untilOffered();
        answer(CloneAnswer.offered(lastOrder.cloneId(), "h1:5000", PATHS));
        awaitState(clone, TaskAttemptState.RUNNING);
    }

    private void untilRunning() throws Exception {
        untilPulling();
        assertThat(appMaster.mayFreeze(wire(original), lastOrder.cloneId(), 0))
                .isEqualTo(FreezeLeave.GRANTED);
        String container = app.launched.get(clone).getContainerID().toString();
        assertThat(appMaster.becomeClone(wire(original), lastOrder.cloneId(), container).attempt())
                .isEqualTo(wire(clone));
        appMaster.cloneRunning(wire(clone), lastOrder.cloneId());
    }

    private void end(TaskAttemptId attempt, TaskAttemptEventType how) {
        app.tell(attempt, how);
    }

    private void succeed(TaskAttemptId attempt) {
        end(attempt, TaskAttemptEventType.TA_DONE);
        end(attempt, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
    }

    private String diagnosticsOf(TaskAttemptId attempt) {
        return String.join("\n", task.getAttempt(attempt).getDiagnostics());
    }

    private long counter(CloneCounter counter) {
        return job.getAllCounters().findCounter(counter).getValue();
    }

    // --- who ends first ---

    @Test
    void aCloneThatEndsFirstWins() throws Exception {
        start("h1", "h2");
        untilRunning();
        succeed(clone);
        awaitState(original, TaskAttemptState.KILLED);
        awaitJob(JobState.SUCCEEDED);
        assertThat(diagnosticsOf(clone)).contains("clone of " + original);
        assertThat(counter(CloneCounter.CLONES_WON)).isOne();
        assertThat(job.getCompletedMaps()).isOne();
    }

    @Test
    void anOriginalThatEndsFirstWins() throws Exception {
        start("h1", "h2");
        untilRunning();
        succeed(original);
        awaitState(clone, TaskAttemptState.KILLED);
        awaitJob(JobState.SUCCEEDED);
        assertThat(counter(CloneCounter.CLONES_RUNNING)).isOne();
        assertThat(counter(CloneCounter.CLONES_WON)).isZero();
    }

    @Test
    void bothMayEndAtOnce() throws Exception {
        start("h1", "h2");
        untilRunning();
        end(original, TaskAttemptEventType.TA_DONE);
        end(clone, TaskAttemptEventType.TA_DONE);
        end(clone, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        end(original, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        awaitJob(JobState.SUCCEEDED);
        assertThat(task.getAttempts()).hasSize(2);
    }

    @Test
    void onlyOneOfThemMayCommit() throws Exception {
        start("h1", "h2");
        untilRunning();
        end(original, TaskAttemptEventType.TA_COMMIT_PENDING);
        awaitState(original, TaskAttemptState.COMMIT_PENDING);
        await().until(() -> task.canCommit(original));
        assertThat(task.canCommit(clone)).isFalse();
        end(clone, TaskAttemptEventType.TA_COMMIT_PENDING);
        awaitState(clone, TaskAttemptState.KILLED);
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
    }

    @Test
    void aCloneMayCommitWhatItsOriginalCouldNot() throws Exception {
        start("h1", "h2");
        untilRunning();
        end(original, TaskAttemptEventType.TA_COMMIT_PENDING);
        await().until(() -> task.canCommit(original));
        end(original, TaskAttemptEventType.TA_KILL);
        // It is KILLED before its task has heard of that, which would still prefer it.
        await().until(() -> !task.canCommit(original));
        end(clone, TaskAttemptEventType.TA_COMMIT_PENDING);
        await().until(() -> task.canCommit(clone));
        succeed(clone);
        awaitJob(JobState.SUCCEEDED);
        assertThat(counter(CloneCounter.CLONES_WON)).isOne();
    }

    // --- counters ---

    /** One more than it may have would fail it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 1000})
    void aJobHasNoMoreCountersThanItMay(int room) throws Exception {
        start("h1", "h2");
        Counters users = new Counters();
        users.findCounter(FileInputFormatCounter.BYTES_READ); // which each map of files has
        for (int i = room + 1; i < Limits.getCountersMax(); i++) {
            users.findCounter("user's", "counter " + i);
        }
        report(original, users);
        untilRunning();
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
        Counters all = job.getAllCounters();
        assertThat(all.getGroup("user's").size()).isEqualTo(users.getGroup("user's").size());
        int ours = all.getGroup(CloneCounter.class.getName()).size();
        if (room < CloneCounter.values().length) {
            assertThat(ours).isEqualTo(room);
        } else {
            assertThat(ours).isGreaterThan(3);
        }
    }

    // --- failures ---

    @ParameterizedTest
    @EnumSource(names = {"TA_CONTAINER_COMPLETED", "TA_TIMED_OUT", "TA_FAILMSG"})
    void aCloneThatFailsIsTakenBack(TaskAttemptEventType how) throws Exception {
        start("h1", "h2");
        untilRunning();
        app.send(
                how == TaskAttemptEventType.TA_FAILMSG
                        ? new TaskAttemptFailEvent(clone)
                        : new TaskAttemptEvent(clone, how));
        awaitState(clone, TaskAttemptState.KILLED);
        assertThat(diagnosticsOf(clone)).contains("the clone has ended: " + how);
        assertThat(task.getAttempt(original).getState()).isEqualTo(TaskAttemptState.RUNNING);
        await().until(() -> app.coordinator().obstacle(original).isPresent());
        assertThat(app.coordinator().obstacle(original).get()).contains(" died after it ran: ");
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
        assertNoFailures();
        assertThat(counter(CloneCounter.CLONES_DIED)).isOne();
    }

    @Test
    void whatACloneSaidWhenItDiedIsRemembered() throws Exception {
        start("h1", "h2");
        untilRunning();
        app.send(
                new TaskAttemptDiagnosticsUpdateEvent(
                        clone, "Error: java.io.IOException: Broken pipe\n\tat a.b.C"));
        app.send(new TaskAttemptFailEvent(clone));
        awaitState(clone, TaskAttemptState.KILLED);
        await().until(() -> app.coordinator().obstacle(original).isPresent());
        assertThat(app.coordinator().obstacle(original).get())
                .endsWith("TA_FAILMSG: Error: java.io.IOException: Broken pipe");
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
    }

    @Test
    void aContainerThatDiesWhilePullingIsTakenBack() throws Exception {
        start("h1", "h2");
        untilPulling();
        end(clone, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        awaitState(clone, TaskAttemptState.KILLED);
        await().until(() -> counter(CloneCounter.CLONES_GIVEN_UP) == 1);
        String failed = "no clone: its attempt has failed: TA_CONTAINER_COMPLETED";
        await().untilAsserted(() -> assertThat(diagnosticsOf(original)).contains(failed));
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
        assertNoFailures();
    }

    /** Stock's own backup, alone since the first attempt has failed. */
    @Test
    void aNewAttemptThatStragglesIsClonedLikeAnyOther() throws Exception {
        start("h1", "h2", "h3");
        TaskAttemptId first = original;
        app.send(new TaskEvent(task.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
        await().until(() -> task.getAttempts().size() == 2);
        original = task.getAttempts().keySet().stream().max(Comparator.naturalOrder()).get();
        awaitState(original, TaskAttemptState.RUNNING);
        end(first, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        awaitState(first, TaskAttemptState.FAILED);

        app.orders.ask(wire(original), 0, Long.MAX_VALUE, order -> {});
        untilRunning();
        assertThat(diagnosticsOf(clone)).contains("clone of " + original);
        succeed(clone);
        awaitState(original, TaskAttemptState.KILLED);
        awaitJob(JobState.SUCCEEDED);
        assertThat(task.getAttempts()).hasSize(3);
        assertThat(counter(CloneCounter.CLONES_WON)).isOne();
    }

    private void assertNoFailures() {
        assertThat(task.getAttempts().values())
                .extracting(TaskAttempt::getState)
                .doesNotContain(TaskAttemptState.FAILED);
    }

    /** The ResourceManager says so long before the clone itself could. */
    @ParameterizedTest
    @ValueSource(strings = {"offered", "pulling", "running"})
    void aNodeThatIsLostTakesOnlyItsCloneAlong(String when) throws Exception {
        start("h1", "h2");
        switch (when) {
            case "offered" -> untilOffered();
            case "pulling" -> untilPulling();
            default -> untilRunning();
        }
        // What RMContainerAllocator makes of a node that is unusable.
        app.send(new TaskAttemptKillEvent(clone, "it ran on unusable node h2", true));
        awaitState(clone, TaskAttemptState.KILLED);
        assertThat(diagnosticsOf(clone)).contains("unusable node");
        assertThat(task.getAttempt(original).getState()).isEqualTo(TaskAttemptState.RUNNING);
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
        assertNoFailures();
    }

    /** Its NodeManager doesn't answer any more, and nobody has noticed yet. */
    @Test
    void aContainerThatCannotBeLaunchedIsTakenBack() throws Exception {
        start("h1", "h2");
        untilOffered();
        app.unreachable.add(clone);
        answer(CloneAnswer.offered(lastOrder.cloneId(), "h1:5000", PATHS));
        awaitState(clone, TaskAttemptState.KILLED);
        await().until(() -> app.givenBack.contains(clone));
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
        assertNoFailures();
    }

    @Test
    void anOriginalThatFailsLeavesTheTaskToItsClone() throws Exception {
        start("h1", "h2");
        untilRunning();
        end(original, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        awaitState(original, TaskAttemptState.FAILED);
        succeed(clone);
        awaitJob(JobState.SUCCEEDED);
        assertThat(task.getAttempts()).hasSize(2);
    }

    @Test
    void anOriginalThatEndsBeforeItsOfferEndsTheHeldAttempt() throws Exception {
        start("h1", "h2");
        untilOffered();
        succeed(original);
        awaitState(clone, TaskAttemptState.KILLED);
        awaitJob(JobState.SUCCEEDED);
    }

    @Test
    void withoutAnOfferTheAttemptIsAnOrdinaryOne() throws Exception {
        start("h1", "h2");
        untilOffered();
        answer(CloneAnswer.failed(lastOrder.cloneId(), "no tool"));
        awaitState(clone, TaskAttemptState.RUNNING);
        assertThat(app.launched.get(clone).getContainerLaunchContext().getCommands().get(0))
                .doesNotContain(" pull ");
        end(clone, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        awaitState(clone, TaskAttemptState.FAILED);
        assertThat(diagnosticsOf(clone)).contains("begun at zero instead of cloned: no tool");
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
    }

    /** It waits for its container's end, and hears of nothing else. */
    @Test
    void anAttemptThatFellBackAndSaysThatItFailsHasFailedWhenItsContainerEnds() throws Exception {
        start("h1", "h2");
        untilPulling();
        answer(CloneAnswer.failed(lastOrder.cloneId(), "another kernel"));
        await().until(() -> diagnosticsOf(clone).contains("another kernel"));
        app.send(new TaskAttemptFailEvent(clone));
        awaitState(clone, TaskAttemptState.FAILED);
        end(clone, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        TaskAttemptImpl attempt = (TaskAttemptImpl) task.getAttempt(clone);
        await().until(attempt::getInternalState, TaskAttemptStateInternal.FAILED::equals);
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
    }

    /** Its JVM, that is, which asks for orders or reports before any code of the user runs. */
    @ParameterizedTest
    @ValueSource(strings = {"asks for orders", "reports"})
    void anAttemptThatFellBackAndDiesInItsTaskHasFailed(String heard) throws Exception {
        start("h1", "h2");
        untilPulling();
        fallBack();
        if (heard.equals("reports")) {
            report(clone);
        } else {
            app.orders.ask(wire(clone), 0, Long.MAX_VALUE, order -> {});
        }
        end(clone, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        awaitState(clone, TaskAttemptState.FAILED);
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
    }

    private void fallBack() throws Exception {
        answer(CloneAnswer.failed(lastOrder.cloneId(), "another kernel"));
        await().until(() -> diagnosticsOf(clone).contains("another kernel"));
    }

    private void report(TaskAttemptId attempt) {
        report(attempt, new Counters());
    }

    private void report(TaskAttemptId attempt, Counters counters) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = attempt;
        status.phase = Phase.MAP;
        status.taskState = TaskAttemptState.RUNNING;
        status.stateString = "map";
        status.counters = counters;
        app.send(new TaskAttemptStatusUpdateEvent(attempt, new AtomicReference<>(status)));
        await().until(() -> task.getAttempt(attempt).getPhase() == Phase.MAP);
    }

    /** What ends there is the tool, or a clone that came too late: none is its task. */
    @ParameterizedTest
    @EnumSource(names = {"TA_CONTAINER_COMPLETED", "TA_TIMED_OUT"})
    void anAttemptThatFellBackAndNeverBeganHasNotFailed(TaskAttemptEventType how) throws Exception {
        start("h1", "h2");
        untilPulling();
        fallBack();
        end(clone, how);
        awaitState(clone, TaskAttemptState.KILLED);
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
        assertNoFailures();
    }

    @Test
    void aCloneThatCameTooLateAndWasTurnedAwayHasNotFailed() throws Exception {
        start("h1", "h2");
        untilPulling();
        String container = app.launched.get(clone).getContainerID().toString();
        assertThat(appMaster.mayFreeze(wire(original), lastOrder.cloneId(), 0))
                .isEqualTo(FreezeLeave.GRANTED);
        fallBack();
        assertThatThrownBy(
                        () -> appMaster.becomeClone(wire(original), lastOrder.cloneId(), container))
                .hasMessageContaining("no more");
        end(clone, TaskAttemptEventType.TA_CONTAINER_COMPLETED);
        awaitState(clone, TaskAttemptState.KILLED);
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
        assertNoFailures();
    }

    // --- launch and placement ---

    /** Of a reduce, whose request stock can't take back. */
    @Test
    void aContainerThatComesForAKilledAttemptIsGivenBack() throws Exception {
        start("h1", "h2");
        untilOffered();
        ContainerRemoteLaunchEvent launch = app.launched.get(original);
        app.send(new TaskAttemptKillEvent(clone, "not wanted any more"));
        awaitState(clone, TaskAttemptState.KILLED);
        long requests = requestsOf(clone);
        app.send(
                new TaskAttemptContainerAssignedEvent(
                        clone, launch.getAllocatedContainer(), Map.of()));
        await().until(() -> app.givenBack.contains(clone));
        assertThat(requestsOf(clone)).isEqualTo(requests);
        succeed(original);
        awaitJob(JobState.SUCCEEDED);
    }

    private long requestsOf(TaskAttemptId attempt) {
        return app.requests.stream()
                .filter(request -> request.getAttemptID().equals(attempt))
                .count();
    }

    @Test
    void mapsAreLaunchedSoThatTheyCanBeCloned() throws Exception {
        start("h1");
        ContainerRemoteLaunchEvent launch = app.launched.get(original);
        Map<String, String> environment = launch.getContainerLaunchContext().getEnvironment();
        assertThat(environment).containsKey(CloneProtocol.ADDRESS);
        assertThat(environment.get("CLASSPATH")).endsWith("/opt/agent.jar");
        assertThat(launch.getContainerLaunchContext().getCommands().get(0))
                .contains(
                        "echo -Dclone.agent.jar=/opt/agent.jar org.apache.hadoop.mapred.CloneableChild)"
                                + " org.apache.hadoop.mapred.YarnChild ");
    }

    @Test
    void anotherContainerIsAskedForInPlaceOfOneBesideTheOriginal() throws Exception {
        start("h1", "h1", "h1", "h2");
        untilRunning();
        assertThat(task.getAttempt(clone).getNodeId().getHost()).isEqualTo("h2");
        assertThat(requestsOf(clone)).isEqualTo(3);
    }
}
