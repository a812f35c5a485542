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

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.protocol.SpillUpdates;
import org.apache.hadoop.clone.shuffle.PublishedSpill;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.clone.shuffle.SpillQuestions;
import org.apache.hadoop.clone.shuffle.SpillRegistry;
import org.apache.hadoop.clone.shuffle.SpillShuffle;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptCompletionEvent;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptCompletedEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobUpdatedNodesEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptTooManyFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerFailedEvent;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.util.StringInterner;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.concurrent.HadoopExecutors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.event.EventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where maps publish spills and reduces ask for them. It learns of attempts' ends as the job does.
 */
final class SpillService extends AbstractService implements SpillProtocol, EventHandler<JobEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(SpillService.class);
    private static final int HANDLERS = 8;

    /** A map that always comes to nodes where nothing of ours runs would go on for ever. */
    private static final int RUNS_WITHOUT_OUTPUT = 3;

    /** The same of a reduce. Where half of all nodes are such, one in a million comes so far. */
    private static final int STARTS_ELSEWHERE = 20;

    private static final String NO_OUTPUT = "It isn't known where its output is";

    private final String host;
    private final AppContext context;
    private final UnservedSpills unserved;
    private final SpillRegistry registry = new SpillRegistry();
    private final ScheduledExecutorService answers =
            HadoopExecutors.newSingleThreadScheduledExecutor();
    private final Map<TaskID, Integer> withoutOutput = new HashMap<>();
    private final Map<TaskID, Integer> startedElsewhere = new ConcurrentHashMap<>();
    private SpillQuestions questions;
    private SpillRecovery recovery = SpillRecovery.none();
    private final TaskServer server =
            new TaskServer(SpillProtocol.class, "security.job.spill.protocol.acl");

    /**
     * @param host of this AppMaster, as tasks reach it
     */
    SpillService(String host, AppContext context) {
        super(SpillService.class.getName());
        this.host = host;
        this.context = context;
        unserved = new UnservedSpills(context);
    }

    /**
     * Whether the job's maps are to publish their spills: it has our collector and our shuffle, and
     * no map may be left out at the end, as what it had published before is fetched already.
     */
    static boolean isWanted(Configuration conf) {
        return conf.getInt(MRJobConfig.NUM_REDUCES, 1) > 0
                && conf.getInt(MRJobConfig.MAP_FAILURES_MAX_PERCENT, 0) == 0
                && SpillCollector.class
                        .getName()
                        .equals(conf.getTrimmed(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR))
                && SpillShuffle.class
                        .getName()
                        .equals(conf.getTrimmed(MRConfig.SHUFFLE_CONSUMER_PLUGIN));
    }

    @Override
    protected void serviceInit(Configuration conf) throws Exception {
        int reduces = Math.max(1, conf.getInt(MRJobConfig.NUM_REDUCES, 1));
        questions = new SpillQuestions(registry, answers, reduces);
        super.serviceInit(conf);
    }

    @Override
    protected void serviceStart() throws Exception {
        recovery = SpillRecovery.of(getConfig(), context.getApplicationAttemptId());
        server.startIfPossible(getConfig(), host, this, HANDLERS);
        answers.scheduleWithFixedDelay(
                Harmless.lasting(
                        () -> questions.expire(Time.monotonicNow() - TaskServer.PARK_MILLIS)),
                TaskServer.SWEEP_MILLIS,
                TaskServer.SWEEP_MILLIS,
                TimeUnit.MILLISECONDS);
        super.serviceStart();
    }

    @Override
    protected void serviceStop() throws Exception {
        answers.shutdownNow();
        server.stop();
        recovery.close();
        super.serviceStop();
    }

    /** {@code host:port}; null if tasks can't reach it. */
    String address() {
        return server.address();
    }

    /** If it can't be reached all tasks are stock's. */
    boolean isReachable() {
        return server.address() != null;
    }

    /** From now on the job's tasks can call. */
    void accept(String jobId, Token<JobTokenIdentifier> token) {
        server.accept(jobId, token);
    }

    @Override
    public void spillFinished(TaskAttemptID map, SpillNotice notice) throws IOException {
        requireOwn(map);
        registry.finished(map, notice, shuffleAddress(map));
        questions.spills();
    }

    /** A task may run a job of its own, which inherits its token. */
    private void requireOwn(TaskAttemptID attempt) throws IOException {
        server.requireToken();
        ApplicationId own = context.getApplicationAttemptId().getApplicationId();
        if (!attempt.getJobID().equals(TypeConverter.fromYarn(own))) {
            throw new IOException(attempt + " isn't of this AppMaster's job");
        }
    }

    /** Null if there is none. */
    private TaskAttempt find(TaskAttemptId id) {
        Job job = context.getJob(id.getTaskId().getJobId());
        Task task = job == null ? null : job.getTask(id.getTaskId());
        return task == null ? null : task.getAttempt(id);
    }

    private String shuffleAddress(TaskAttemptID map) throws IOException {
        TaskAttempt attempt = find(TypeConverter.toYarn(map));
        if (attempt == null
                || attempt.getNodeHttpAddress() == null
                || attempt.getShufflePort() <= 0) {
            throw new IOException(map + " isn't known to run anywhere yet");
        }
        boolean encrypted =
                getConfig()
                        .getBoolean(
                                MRConfig.SHUFFLE_SSL_ENABLED_KEY,
                                MRConfig.SHUFFLE_SSL_ENABLED_DEFAULT);
        // One string for each host, as stock's for completion events: spills are many.
        return StringInterner.weakIntern(
                (encrypted ? "https://" : "http://")
                        + attempt.getNodeHttpAddress().split(":")[0]
                        + ":"
                        + attempt.getShufflePort());
    }

    @Override
    public void spillsEnded(TaskAttemptID map, int spills, long chain) throws IOException {
        requireOwn(map);
        registry.ended(map, spills, chain);
    }

    @Override
    public SpillUpdates spillUpdates(TaskAttemptID reduce, int from) throws IOException {
        requireOwn(reduce);
        Consumer<SpillUpdates> answer = TaskServer.defer(SpillUpdates.class);
        questions.ask(reduce, from, updates -> answer.accept(new SpillUpdates(updates)));
        return null;
    }

    @Override
    public void startAgain(TaskAttemptID reduce) throws IOException {
        context.getEventHandler()
                .handle(
                        new TaskAttemptKillEvent(
                                running(reduce).getID(), "What it had fetched of a map is void"));
    }

    /** A reduce of this job: of any other the dispatcher would end. */
    private TaskAttempt running(TaskAttemptID reduce) throws IOException {
        requireOwn(reduce);
        TaskAttemptId id = TypeConverter.toYarn(reduce);
        TaskAttempt attempt = find(id);
        if (id.getTaskId().getTaskType() != TaskType.REDUCE || attempt == null) {
            throw new IOException(reduce + " isn't a reduce of this job");
        }
        return attempt;
    }

    @Override
    public boolean startElsewhere(TaskAttemptID reduce, String why) throws IOException {
        TaskAttempt attempt = running(reduce);
        if (startedElsewhere.merge(reduce.getTaskID(), 1, Integer::sum) > STARTS_ELSEWHERE) {
            return false;
        }
        LOG.warn("{} begins elsewhere: {}", reduce, why);
        avoidHost(attempt);
        context.getEventHandler()
                .handle(
                        new TaskAttemptKillEvent(
                                attempt.getID(), "It can't fetch spills there: " + why));
        return true;
    }

    /** After some of these the allocator asks for no more containers there. */
    private void avoidHost(TaskAttempt attempt) {
        String manager = attempt.getAssignedContainerMgrAddress();
        if (manager != null) {
            context.getEventHandler().handle(new ContainerFailedEvent(attempt.getID(), manager));
        }
    }

    /** What the job is told; reduces of stock learn the same from it. */
    @Override
    public void handle(JobEvent event) {
        if (!isReachable()) {
            unserved.handle(event);
            return;
        }
        if (event instanceof JobTaskAttemptCompletedEvent completed && !isInAppMaster(event)) {
            ended(completed.getCompletionEvent());
        } else if (event instanceof JobUpdatedNodesEvent updated && !isInAppMaster(event)) {
            nodesUpdated(context.getJob(event.getJobId()), updated.getUpdatedNodes());
        }
    }

    private void ended(TaskAttemptCompletionEvent end) {
        TaskAttemptId id = end.getAttemptId();
        if (id.getTaskId().getTaskType() != TaskType.MAP) {
            return;
        }
        TaskAttemptID attempt = TypeConverter.fromYarn(id);
        switch (end.getStatus()) {
            case SUCCEEDED -> succeeded(attempt, end.getAttemptRunTime());
            case FAILED -> {
                avoidHostsOfOthers(attempt);
                registry.failed(attempt);
            }
            case KILLED, OBSOLETE -> registry.failed(attempt);
            default -> LOG.info("{} ends {}", attempt, end.getStatus());
        }
        questions.ended();
    }

    /**
     * If its output can't be fetched stock blames its host alone, and part of a clone's is its
     * original's.
     */
    private void avoidHostsOfOthers(TaskAttemptID failed) {
        registry.published(failed).stream()
                .flatMap(List::stream)
                .map(PublishedSpill::attempt)
                .distinct()
                .filter(other -> other != failed.getId())
                .map(
                        other ->
                                find(
                                        TypeConverter.toYarn(
                                                new TaskAttemptID(failed.getTaskID(), other))))
                .filter(Objects::nonNull)
                .forEach(this::avoidHost);
    }

    /** Tasks of a job that its AppMaster runs itself never see our marker. */
    private boolean isInAppMaster(JobEvent event) {
        return context.getJob(event.getJobId()).isUber();
    }

    /** As stock asks: {@code getState()} says so of a job that is just being killed, too. */
    private static boolean runs(Job job) {
        return job instanceof JobImpl stock
                ? stock.getInternalState() == JobStateInternal.RUNNING
                : job.getState() == JobState.RUNNING;
    }

    /**
     * Where and when stock runs maps again that have succeeded on a lost node, those are to run
     * again whose output has only begun there.
     */
    private void nodesUpdated(Job job, List<NodeReport> nodes) {
        Set<NodeId> lost =
                nodes.stream()
                        .filter(node -> node.getNodeState().isUnusable())
                        .map(NodeReport::getNodeId)
                        .collect(Collectors.toSet());
        if (lost.isEmpty() || !runs(job) || job.getCompletedReduces() == job.getTotalReduces()) {
            return;
        }
        for (Task map : job.getTasks(TaskType.MAP).values()) {
            for (TaskAttempt attempt : map.getAttempts().values()) {
                if (lost.contains(attempt.getNodeId())) {
                    registry.lost(TypeConverter.fromYarn(attempt.getID()))
                            .ifPresent(id -> runAgain(id, "Spills of it are lost with a node"));
                }
            }
        }
        questions.ended();
    }

    /**
     * A map that succeeded under an AppMaster before this one has told that of its spills, and one
     * that ran as stock's has told nobody. After a few times its attempts count as failed ones.
     */
    private void succeeded(TaskAttemptID attempt, int runMillis) {
        if (registry.succeeded(attempt, runMillis)
                || recovery.restore(attempt, registry) && registry.succeeded(attempt, runMillis)) {
            recovery.note(attempt, registry);
            return;
        }
        if (withoutOutput.merge(attempt.getTaskID(), 1, Integer::sum) <= RUNS_WITHOUT_OUTPUT) {
            TaskAttempt map = find(TypeConverter.toYarn(attempt));
            // An AppMaster before this one may have known where it is: no fault of the host's.
            if (map != null && context.getApplicationAttemptId().getAttemptId() == 1) {
                avoidHost(map);
            }
            runAgain(attempt, NO_OUTPUT);
        } else {
            fail(attempt, NO_OUTPUT + ": the attempt's log says why it was stock's");
        }
    }

    private void fail(TaskAttemptID map, String why) {
        LOG.warn("{} fails: {}", map, why);
        TaskAttemptId id = TypeConverter.toYarn(map);
        context.getEventHandler().handle(new TaskAttemptDiagnosticsUpdateEvent(id, why));
        // The one event by which an attempt that has succeeded fails; no reduce has reported it.
        context.getEventHandler().handle(new TaskAttemptTooManyFetchFailureEvent(id, null, null));
    }

    /** Before maps that haven't run yet, and before reduces: those wait for it. */
    private void runAgain(TaskAttemptID map, String why) {
        runAgain(context, TypeConverter.toYarn(map), why);
    }

    static void runAgain(AppContext context, TaskAttemptId map, String why) {
        LOG.warn("The map of {} runs again: {}", map, why);
        context.getEventHandler().handle(new TaskAttemptKillEvent(map, why, true));
    }
}
