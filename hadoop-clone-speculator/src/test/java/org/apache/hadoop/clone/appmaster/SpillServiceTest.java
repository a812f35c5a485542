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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.clone.protocol.SpillUpdates;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.clone.shuffle.SpillShuffle;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptCompletionEvent;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptCompletionEventStatus;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptCompletedEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobUpdatedNodesEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerFailedEvent;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.ArgumentCaptor;
import org.mockito.Mockito;

/** Over the wire, from clients as tasks are. */
@Timeout(60)
@SuppressWarnings("rawtypes") // as AppContext
class SpillServiceTest {
    private static final String JOB = "job_1_0001";
    private static final TaskAttemptID MAP = new TaskAttemptID("1", 1, TaskType.MAP, 0, 0);
    private static final TaskAttemptID CLONE = new TaskAttemptID(MAP.getTaskID(), 1);
    private static final TaskAttemptID REDUCE = new TaskAttemptID("1", 1, TaskType.REDUCE, 0, 0);

    @TempDir Path staging;
    private final AppContext context = Mockito.mock(AppContext.class);
    private final SpillService service = new SpillService("localhost", context);

    /** Of the AppMaster that takes its place. */
    private final AppContext nextContext = Mockito.mock(AppContext.class);

    private final SpillService next = new SpillService("localhost", nextContext);
    private final Token<JobTokenIdentifier> token = token(JOB);

    private static Token<JobTokenIdentifier> token(String job) {
        return new Token<>(new JobTokenIdentifier(new Text(job)), new JobTokenSecretManager());
    }

    @BeforeEach
    void start() {
        start(service, context, 1);
    }

    private void start(SpillService service, AppContext context, int appMaster) {
        Mockito.when(context.getJob(Mockito.any())).thenReturn(Mockito.mock(Job.class));
        Mockito.when(context.getApplicationAttemptId())
                .thenReturn(
                        ApplicationAttemptId.newInstance(
                                ApplicationId.newInstance(1, 1), appMaster));
        Configuration conf = new Configuration();
        conf.set(MRJobConfig.MR_AM_STAGING_DIR, staging.toUri().toString());
        service.init(conf);
        service.start();
        service.accept(JOB, token);
    }

    @AfterEach
    void stop() {
        service.stop();
        next.stop();
    }

    private SpillProtocol client(String user, Token<JobTokenIdentifier> shown) throws Exception {
        return client(service, user, shown);
    }

    private static SpillProtocol client(
            SpillService service, String user, Token<JobTokenIdentifier> shown) throws Exception {
        InetSocketAddress address = NetUtils.createSocketAddr(service.address());
        UserGroupInformation caller = UserGroupInformation.createRemoteUser(user);
        if (shown != null) {
            Token<JobTokenIdentifier> copy = new Token<>(shown);
            SecurityUtil.setTokenService(copy, address);
            caller.addToken(copy);
        }
        return caller.doAs(
                (PrivilegedExceptionAction<SpillProtocol>)
                        () ->
                                RPC.getProxy(
                                        SpillProtocol.class,
                                        SpillProtocol.versionID,
                                        address,
                                        new Configuration()));
    }

    /** From now on it is known to run. */
    private void runs(TaskAttemptID... ofATask) {
        Job job = context.getJob(null);
        Task task = Mockito.mock(Task.class);
        Mockito.when(job.getState()).thenReturn(JobState.RUNNING);
        Mockito.when(job.getTotalReduces()).thenReturn(1);
        Mockito.when(job.getTask(Mockito.any())).thenReturn(task);
        Mockito.when(job.getTasks(org.apache.hadoop.mapreduce.v2.api.records.TaskType.MAP))
                .thenReturn(Map.of(TypeConverter.toYarn(MAP.getTaskID()), task));
        Map<TaskAttemptId, TaskAttempt> attempts = new HashMap<>();
        for (TaskAttemptID running : ofATask) {
            TaskAttemptId id = TypeConverter.toYarn(running);
            TaskAttempt attempt = Mockito.mock(TaskAttempt.class);
            Mockito.when(attempt.getID()).thenReturn(id);
            Mockito.when(attempt.getNodeId()).thenReturn(node(running));
            Mockito.when(attempt.getNodeHttpAddress()).thenReturn("host:8042");
            Mockito.when(attempt.getAssignedContainerMgrAddress()).thenReturn("host:8041");
            Mockito.when(attempt.getShufflePort()).thenReturn(13562);
            Mockito.when(task.getAttempt(id)).thenReturn(attempt);
            attempts.put(id, attempt);
        }
        Mockito.when(task.getAttempts()).thenReturn(attempts);
    }

    @Test
    void answersWhoHasTheJobsToken() throws Exception {
        runs(MAP);
        SpillProtocol task = client(JOB, token);
        task.spillFinished(MAP, new SpillNotice(0, 0, 1, 0, 5));
        assertThat(task.spillUpdates(REDUCE, 0).list())
                .extracting(SpillUpdate::host)
                .containsExactly("http://host:13562");
    }

    /** They would need more threads than the server has. */
    @Test
    void letsReducesWaitUntilThereIsNews() throws Exception {
        runs(MAP);
        SpillProtocol task = client(JOB, token);
        ExecutorService reduces = Executors.newCachedThreadPool();
        try {
            List<Future<SpillUpdates>> answers = new ArrayList<>();
            for (int reduce = 0; reduce < 20; reduce++) {
                TaskAttemptID id = new TaskAttemptID("1", 1, TaskType.REDUCE, reduce, 0);
                answers.add(reduces.submit(() -> task.spillUpdates(id, 0)));
            }
            task.spillFinished(MAP, new SpillNotice(0, 0, 1, 0, 5, 0));
            for (Future<SpillUpdates> answer : answers) {
                assertThat(answer.get().list()).hasSize(1);
            }
            assertThat(answers.get(1).get().list().get(0).kind()).isEqualTo(SpillUpdate.Kind.EMPTY);
        } finally {
            reduces.shutdownNow();
        }
    }

    @Test
    void refusesWhoHasNone() throws Exception {
        SpillProtocol stranger = client(JOB, null);
        assertThatThrownBy(() -> stranger.spillUpdates(REDUCE, 0)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> stranger.spillsEnded(MAP, 0, SpillNotice.NO_CHAIN))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> stranger.spillFinished(MAP, new SpillNotice(0, 0, 1, 0, 5)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void refusesAnotherJobsToken() throws Exception {
        SpillProtocol other = client("job_1_0002", token("job_1_0002"));
        assertThatThrownBy(() -> other.spillUpdates(REDUCE, 0)).isInstanceOf(IOException.class);
    }

    /** Which a task runs by LocalJobRunner, and which inherits its token. */
    @Test
    void takesNothingOfAJobWithinTheJob() throws Exception {
        SpillProtocol nested = client(JOB, token);
        TaskAttemptID map = new TaskAttemptID("local1", 1, TaskType.MAP, 0, 0);
        TaskAttemptID reduce = new TaskAttemptID("local1", 1, TaskType.REDUCE, 0, 0);
        String other = "isn't of this AppMaster's job";
        assertThatThrownBy(() -> nested.spillFinished(map, new SpillNotice(0, 0, 1, 0, 5)))
                .hasMessageContaining(other);
        assertThatThrownBy(() -> nested.spillsEnded(map, 0, SpillNotice.NO_CHAIN))
                .hasMessageContaining(other);
        assertThatThrownBy(() -> nested.spillUpdates(reduce, 0)).hasMessageContaining(other);
        assertThatThrownBy(() -> nested.startAgain(reduce)).hasMessageContaining(other);
        assertThatThrownBy(() -> nested.startElsewhere(reduce, "")).hasMessageContaining(other);
    }

    @Test
    void takesNoSpillOfAnAttemptThatIsntKnownToRun() throws Exception {
        SpillProtocol map = client(JOB, token);
        assertThatThrownBy(() -> map.spillFinished(MAP, new SpillNotice(0, 0, 1, 0, 5)))
                .hasMessageContaining("isn't known to run anywhere yet");
    }

    @Test
    void killsAReduceThatHasToStartAgain() throws Exception {
        EventHandler<Event> events = events();
        runs(REDUCE);
        client(JOB, token).startAgain(REDUCE);
        assertThat(only(events))
                .isInstanceOfSatisfying(
                        TaskAttemptKillEvent.class,
                        kill ->
                                assertThat(kill.getTaskAttemptID())
                                        .isEqualTo(TypeConverter.toYarn(REDUCE)));
    }

    @Test
    void killsAReduceThatHasToStartElsewhereAndBlamesItsHostButNotForEver() throws Exception {
        EventHandler<Event> events = events();
        runs(REDUCE);
        SpillProtocol reduce = client(JOB, token);
        int killed = 0;
        while (killed < 1000 && reduce.startElsewhere(REDUCE, "an unknown Hadoop")) {
            killed++;
        }
        assertThat(killed).isEqualTo(20);
        ArgumentCaptor<Event> event = ArgumentCaptor.captor();
        Mockito.verify(events, Mockito.times(2 * killed)).handle(event.capture());
        assertThat(event.getAllValues().get(0))
                .isInstanceOfSatisfying(
                        ContainerFailedEvent.class,
                        failed -> assertThat(failed.getContMgrAddress()).isEqualTo("host:8041"));
        assertThat(event.getAllValues().get(1))
                .isInstanceOfSatisfying(
                        TaskAttemptKillEvent.class,
                        kill -> {
                            assertThat(kill.getTaskAttemptID())
                                    .isEqualTo(TypeConverter.toYarn(REDUCE));
                            assertThat(kill.getMessage()).contains("an unknown Hadoop");
                        });
    }

    @Test
    void killsNothingElse() throws Exception {
        EventHandler<Event> events = events();
        SpillProtocol task = client(JOB, token);
        assertThatThrownBy(() -> task.startAgain(REDUCE)).hasMessageContaining("isn't a reduce");
        runs(MAP);
        assertThatThrownBy(() -> task.startElsewhere(MAP, ""))
                .hasMessageContaining("isn't a reduce");
        assertThatThrownBy(() -> task.startAgain(MAP)).hasMessageContaining("isn't a reduce");
        SpillProtocol stranger = client(JOB, null);
        assertThatThrownBy(() -> stranger.startAgain(REDUCE)).isInstanceOf(IOException.class);
        Mockito.verifyNoInteractions(events);
    }

    /** The clone's node is well: the job doesn't run its map again by itself. */
    @Test
    void runsACloneAgainThatBeganOnALostNode() throws Exception {
        EventHandler<Event> events = events();
        succeedsByItsClone();

        service.handle(lost(CLONE, NodeState.RUNNING));
        Mockito.verifyNoInteractions(events);
        service.handle(lost(MAP, NodeState.LOST));
        assertThat(only(events))
                .isInstanceOfSatisfying(
                        TaskAttemptKillEvent.class,
                        kill -> {
                            assertThat(kill.getTaskAttemptID())
                                    .isEqualTo(TypeConverter.toYarn(CLONE));
                            assertThat(kill.getRescheduleAttempt()).as("before reduces").isTrue();
                        });
    }

    /** The clone's share and its original's, each where it is. */
    @Test
    void knowsWhatTheAppMasterBeforeItKnewOfAMapThatHadSucceeded() throws Exception {
        SpillProtocol task = succeedsByItsClone();
        List<SpillUpdate> told = task.spillUpdates(REDUCE, 0).list();
        service.stop();

        start(next, nextContext, 2);
        next.handle(succeeded(CLONE));
        assertThat(client(next, JOB, token).spillUpdates(REDUCE, 0).list())
                .usingRecursiveComparison()
                .isEqualTo(told);
        Mockito.verify(nextContext, Mockito.never()).getEventHandler();
    }

    /** It had published all, and was killed with its AppMaster before that knew. */
    @Test
    void runsAMapAgainOfWhichTheAppMasterBeforeItDidNotKnowThatItHadSucceeded() throws Exception {
        runs(MAP);
        SpillProtocol task = client(JOB, token);
        task.spillFinished(MAP, new SpillNotice(0, 0, 1, 0, 5));
        task.spillsEnded(MAP, 1, 1);
        service.stop();

        start(next, nextContext, 2);
        EventHandler<Event> events = Mockito.mock();
        Mockito.when(nextContext.getEventHandler()).thenReturn(events);
        Job job = context.getJob(null);
        Mockito.when(nextContext.getJob(Mockito.any())).thenReturn(job);
        next.handle(succeeded(MAP));
        Mockito.verify(events).handle(Mockito.isA(TaskAttemptKillEvent.class));
        Mockito.verifyNoMoreInteractions(events); // no host is to blame
    }

    @Test
    void runsAMapAgainOfWhichItKnowsNothing() {
        EventHandler<Event> events = events();
        service.handle(succeeded(MAP));
        assertThat(only(events))
                .isInstanceOfSatisfying(
                        TaskAttemptKillEvent.class,
                        kill ->
                                assertThat(kill.getRescheduleAttempt())
                                        .as("before reduces")
                                        .isTrue());
    }

    /** On nodes where nothing of ours runs, all of its attempts are stock's. */
    @Test
    void doesNotRunItAgainForEver() {
        EventHandler<Event> events = events();
        for (int attempt = 0; attempt < 5; attempt++) {
            TaskAttemptID map = new TaskAttemptID(MAP.getTaskID(), attempt);
            runs(map);
            service.handle(succeeded(map));
        }
        ArgumentCaptor<Event> event = ArgumentCaptor.captor();
        Mockito.verify(events, Mockito.atLeastOnce()).handle(event.capture());
        assertThat(event.getAllValues())
                .extracting(Event::getType)
                .containsExactly(
                        ContainerAllocator.EventType.CONTAINER_FAILED,
                        TaskAttemptEventType.TA_KILL,
                        ContainerAllocator.EventType.CONTAINER_FAILED,
                        TaskAttemptEventType.TA_KILL,
                        ContainerAllocator.EventType.CONTAINER_FAILED,
                        TaskAttemptEventType.TA_KILL,
                        TaskAttemptEventType.TA_DIAGNOSTICS_UPDATE,
                        TaskAttemptEventType.TA_TOO_MANY_FETCH_FAILURE,
                        TaskAttemptEventType.TA_DIAGNOSTICS_UPDATE,
                        TaskAttemptEventType.TA_TOO_MANY_FETCH_FAILURE);
    }

    /** Stock takes only the host of the attempt that had succeeded for one where tasks fail. */
    @Test
    void blamesAnOriginalsHostToo() throws Exception {
        EventHandler<Event> events = events();
        succeedsByItsClone();
        service.handle(ended(CLONE, TaskAttemptCompletionEventStatus.FAILED));
        assertThat(only(events))
                .isInstanceOfSatisfying(
                        ContainerFailedEvent.class,
                        failed ->
                                assertThat(failed.getAttemptID())
                                        .isEqualTo(TypeConverter.toYarn(MAP)));
    }

    /** The first spill of the map's output is its original's. */
    private SpillProtocol succeedsByItsClone() throws Exception {
        runs(MAP, CLONE);
        SpillProtocol task = client(JOB, token);
        task.spillFinished(MAP, new SpillNotice(0, 0, 1, 0, 5));
        task.spillFinished(CLONE, new SpillNotice(1, 1, 2, 1, 5));
        task.spillsEnded(CLONE, 2, 2);
        service.handle(succeeded(CLONE));
        return task;
    }

    private static Event only(EventHandler<Event> events) {
        ArgumentCaptor<Event> event = ArgumentCaptor.captor();
        Mockito.verify(events).handle(event.capture());
        return event.getValue();
    }

    private static JobEvent succeeded(TaskAttemptID map) {
        return ended(map, TaskAttemptCompletionEventStatus.SUCCEEDED);
    }

    private static JobEvent ended(TaskAttemptID map, TaskAttemptCompletionEventStatus status) {
        TaskAttemptCompletionEvent end = Records.newRecord(TaskAttemptCompletionEvent.class);
        end.setAttemptId(TypeConverter.toYarn(map));
        end.setStatus(status);
        return new JobTaskAttemptCompletedEvent(end);
    }

    private static JobEvent lost(TaskAttemptID runsThere, NodeState state) {
        NodeReport report = Records.newRecord(NodeReport.class);
        report.setNodeId(node(runsThere));
        report.setNodeState(state);
        return new JobUpdatedNodesEvent(TypeConverter.toYarn(MAP.getJobID()), List.of(report));
    }

    private static NodeId node(TaskAttemptID attempt) {
        return NodeId.newInstance("host" + attempt.getId(), 1);
    }

    private EventHandler<Event> events() {
        EventHandler<Event> events = Mockito.mock();
        Mockito.when(context.getEventHandler()).thenReturn(events);
        return events;
    }

    private static Configuration wanted() {
        Configuration conf = new Configuration(false);
        conf.set(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, SpillCollector.class.getName());
        conf.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, SpillShuffle.class.getName());
        return conf;
    }

    @Test
    void isWantedByJobsWithOurCollectorAndOurShuffle() {
        assertThat(SpillService.isWanted(wanted())).isTrue();
    }

    @Test
    void isntWantedByOthers() {
        assertThat(SpillService.isWanted(new Configuration(false))).isFalse();
        Configuration conf = wanted();
        conf.unset(MRConfig.SHUFFLE_CONSUMER_PLUGIN);
        assertThat(SpillService.isWanted(conf)).as("stock's shuffle").isFalse();
        conf = wanted();
        conf.unset(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR);
        assertThat(SpillService.isWanted(conf)).as("stock's collector").isFalse();
        conf = wanted();
        conf.setInt(MRJobConfig.NUM_REDUCES, 0);
        assertThat(SpillService.isWanted(conf)).as("no reduces").isFalse();
        conf = wanted();
        conf.setInt(MRJobConfig.MAP_FAILURES_MAX_PERCENT, 10);
        assertThat(SpillService.isWanted(conf)).as("maps may be left out").isFalse();
    }
}
