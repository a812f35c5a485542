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

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.conf.CloneMode;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.Outcome;
import org.apache.hadoop.clone.score.SpeculationCap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.LegacyTaskRuntimeEstimator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SimpleExponentialTaskRuntimeEstimator;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.app.speculate.TaskRuntimeEstimator;
import org.apache.hadoop.service.CompositeService;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The speculator that may clone: named in {@code yarn.app.mapreduce.am.job.speculator.class}. It
 * looks at all running tasks from time to time, scores the stragglers (the paper's Algorithm 1) on
 * Hadoop's own runtime estimates, and for those that gain most starts a clone or another attempt.
 *
 * <p>With {@link CloneMode#OFF} it hands everything to stock Hadoop's speculator; with {@link
 * CloneMode#SHADOW} as well, and logs beside it what it would do. Stock's keys keep their meaning.
 */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public class CloneSpeculator extends CompositeService implements Speculator {
    private static final Logger LOG = LoggerFactory.getLogger(CloneSpeculator.class);

    /**
     * Attempts that one bad node makes stragglers are found out within seconds, not at once; those
     * that are started again in that time are started together.
     */
    private static final long TOGETHER_MILLIS = 5_000;

    private static final TaskType[] KINDS = {TaskType.MAP, TaskType.REDUCE};

    private final AppContext context;
    private final CloneMode mode;
    private final Optional<DefaultSpeculator> stock;
    private final Cloner cloner;
    private final TaskRuntimeEstimator estimator;
    private final SpeculationCap cap;
    private final long afterNone;
    private final long afterSome;

    private final ContainerNeeds needs = new ContainerNeeds();
    private final StartedTasks started = new StartedTasks();
    private final ProgressWatch watch;
    private final MapsEnd mapsEnd = new MapsEnd();
    private final OrderedRestarts restarts = new OrderedRestarts();
    private final DecisionCounts counts = new DecisionCounts();

    /** The same reason may once be for another attempt, and once for none. */
    private record Told(Outcome outcome, Reason reason) {}

    // What was last decided about each attempt that isn't simply on schedule: a line is logged when
    // that changes.
    private final Map<TaskAttemptId, Told> told = new ConcurrentHashMap<>();
    // When the containers of clones were launched.
    private final Map<TaskAttemptId, Long> launchedAsClones = new ConcurrentHashMap<>();
    private volatile boolean stopping;
    private Thread scanner;
    private long restartsBegan;

    /** For an AppMaster that can't clone: speculates as well as it can without. */
    public CloneSpeculator(Configuration conf, AppContext context) {
        this(conf, context, new NoCloner(configuredCosts(conf), configuredMode(conf)));
        if (mode == CloneMode.ON) {
            LOG.warn(
                    "This AppMaster can't clone, so that stragglers are only started again: name"
                            + " CloneAppMaster in yarn.app.mapreduce.am.command-opts, or set {} to"
                            + " shadow or off",
                    CloneKeys.MODE);
        }
    }

    /** For an AppMaster that can. */
    public CloneSpeculator(Configuration conf, AppContext context, Cloner cloner) {
        super(CloneSpeculator.class.getSimpleName());
        this.context = context;
        this.cloner = cloner;
        mode = configuredMode(conf);
        stock =
                mode == CloneMode.ON
                        ? Optional.empty()
                        : Optional.of(new DefaultSpeculator(conf, context));
        stock.ifPresent(this::addService);
        estimator = newEstimator(conf);
        estimator.contextualize(conf, context);
        watch = new ProgressWatch(MRJobConfUtil.getTaskProgressReportInterval(conf));
        cap =
                new SpeculationCap(
                        conf.getInt(
                                MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS,
                                MRJobConfig.DEFAULT_SPECULATIVE_MINIMUM_ALLOWED_TASKS),
                        conf.getDouble(
                                MRJobConfig.SPECULATIVECAP_TOTAL_TASKS,
                                MRJobConfig.DEFAULT_SPECULATIVECAP_TOTAL_TASKS),
                        conf.getDouble(
                                MRJobConfig.SPECULATIVECAP_RUNNING_TASKS,
                                MRJobConfig.DEFAULT_SPECULATIVECAP_RUNNING_TASKS));
        afterNone =
                conf.getLong(
                        MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE,
                        MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_NO_SPECULATE);
        afterSome =
                conf.getLong(
                        MRJobConfig.SPECULATIVE_RETRY_AFTER_SPECULATE,
                        MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_SPECULATE);
    }

    private static TaskRuntimeEstimator newEstimator(Configuration conf) {
        return ReflectionUtils.newInstance(
                conf.getClass(
                        MRJobConfig.MR_AM_TASK_ESTIMATOR,
                        LegacyTaskRuntimeEstimator.class,
                        TaskRuntimeEstimator.class),
                null);
    }

    // A speculator that can't be made costs the job, so a wrong value only costs the clones.
    private static CloneMode configuredMode(Configuration conf) {
        try {
            return CloneMode.of(conf);
        } catch (IllegalArgumentException wrong) {
            LOG.error("{}. Until then it counts as off.", wrong.getMessage());
            return CloneMode.OFF;
        }
    }

    /**
     * The costs that clones are taken to have before the first one was made; the presets if they
     * are configured wrongly.
     */
    public static CloneCosts configuredCosts(Configuration conf) {
        try {
            long vmMillis = conf.getLong(CloneKeys.VM_MILLIS, CloneKeys.VM_MILLIS_DEFAULT);
            if (vmMillis <= 0) {
                throw new IllegalArgumentException(
                        "the time to clone a JVM must be more than 0, not " + vmMillis);
            }
            return new CloneCosts(
                    conf.getDouble(CloneKeys.BETA, CloneKeys.BETA_DEFAULT),
                    vmMillis,
                    conf.getLongBytes(CloneKeys.BANDWIDTH, bytes(CloneKeys.BANDWIDTH_DEFAULT))
                            / 1000.0);
        } catch (IllegalArgumentException wrong) {
            LOG.error(
                    "{}. Correct {}, {} or {}; until then their presets count.",
                    wrong.getMessage(),
                    CloneKeys.BETA,
                    CloneKeys.VM_MILLIS,
                    CloneKeys.BANDWIDTH);
            return configuredCosts(new Configuration(false));
        }
    }

    private static long bytes(String text) {
        return TraditionalBinaryPrefix.string2long(text);
    }

    // --- events ---

    @Override
    public void handle(SpeculatorEvent event) {
        stock.ifPresent(speculator -> speculator.handle(event));
        if (mode == CloneMode.OFF) {
            return;
        }
        switch (event.getType()) {
            case ATTEMPT_STATUS_UPDATE -> update(event.getReportedStatus(), event.getTimestamp());
            case TASK_CONTAINER_NEED_UPDATE ->
                    need(event.getTaskID(), event.containersNeededChange());
            case ATTEMPT_START -> enroll(event.getReportedStatus(), event.getTimestamp());
            case JOB_CREATE -> estimator.contextualize(getConfig(), context);
        }
    }

    @Override
    public void handleAttempt(TaskAttemptStatus status) {
        stock.ifPresent(speculator -> speculator.handleAttempt(status));
        if (mode != CloneMode.OFF) {
            update(status, context.getClock().getTime());
        }
    }

    private void need(TaskId task, int change) {
        needs.changed(task, change);
        started.find(task).ifPresent(known -> known.needs(needs.of(task)));
    }

    // A clone has its original's age: its progress was made in that time.
    private void enroll(TaskAttemptStatus status, long timestamp) {
        Optional<TaskAttemptId> original = cloner.originalOf(status.id);
        if (original.isEmpty()) {
            watch.began(status.id, hostOf(status.id).orElse(""), timestamp);
        } else {
            launchedAsClones.put(status.id, timestamp);
            watch.reported(status.id, 0, null, timestamp);
        }
        long start =
                original.map(estimator::attemptEnrolledTime)
                        .filter(enrolled -> enrolled != Long.MAX_VALUE)
                        .orElse(timestamp);
        estimator.enrollAttempt(status, start);
        TaskId id = status.id.getTaskId();
        task(id).ifPresent(task -> started.began(task, needs.of(id)));
    }

    private Optional<String> hostOf(TaskAttemptId id) {
        return attempt(id).map(TaskAttempt::getNodeId).map(NodeId::getHost);
    }

    private void update(TaskAttemptStatus status, long timestamp) {
        // The status that tells of a success still holds the state before
        // (TaskAttemptImpl.SucceededTransition), so the attempt itself is asked, as the estimators
        // do.
        TaskAttemptState state =
                attempt(status.id).map(TaskAttempt::getState).orElse(status.taskState);
        boolean succeeded = state == TaskAttemptState.SUCCEEDED;
        boolean isClone = cloner.originalOf(status.id).isPresent();
        if (!isClone && launchedAsClones.containsKey(status.id)) {
            enrollFromZero(status, launchedAsClones.remove(status.id), timestamp);
        }
        if (StragglerScan.isUnderWay(state)) {
            watch.reported(status.id, status.progress, status.phase, timestamp);
        } else {
            ended(status.id, succeeded, timestamp);
        }
        // How long a clone took, on two nodes and with a freeze between, is no sample of t̄.
        if (!succeeded || !isClone) {
            estimator.updateAttempt(status, timestamp);
        }
        boolean runs = state == TaskAttemptState.RUNNING;
        started.find(status.id.getTaskId())
                .ifPresent(
                        task -> {
                            if (runs) {
                                task.reported(status, estimator::estimatedRuntime, timestamp);
                            } else {
                                task.changed();
                            }
                        });
    }

    /**
     * It was to be a clone, and its original's age with it, but began at zero after all; when, only
     * its first report shows.
     */
    private void enrollFromZero(TaskAttemptStatus status, long launched, long firstReport) {
        double startMillis = watch.usualStart(status.id.getTaskId().getTaskType());
        estimator.enrollAttempt(status, Math.max(launched, firstReport - Math.round(startMillis)));
        started.find(status.id.getTaskId()).ifPresent(StartedTask::changed);
    }

    private Optional<TaskAttempt> attempt(TaskAttemptId id) {
        return task(id.getTaskId()).map(task -> task.getAttempt(id));
    }

    private Optional<Task> task(TaskId id) {
        return Optional.ofNullable(context.getJob(id.getJobId())).map(job -> job.getTask(id));
    }

    // --- scans ---

    @Override
    protected void serviceStart() throws Exception {
        super.serviceStart();
        if (mode != CloneMode.OFF) {
            scanner = new Thread(this::scanForever, "CloneSpeculator");
            scanner.setDaemon(true);
            scanner.start();
        }
    }

    @Override
    protected void serviceStop() throws Exception {
        if (scanner != null) {
            // A dispatcher that is interrupted while it takes an order clears the flag.
            stopping = true;
            scanner.interrupt();
            scanner.join();
        }
        super.serviceStop();
    }

    private void scanForever() {
        try {
            while (!stopping) {
                long begun = context.getClock().getTime();
                scanOrComplain();
                long took = context.getClock().getTime() - begun;
                // As stock: a scan never takes more than half of the time.
                Thread.sleep(Math.max(afterNone, took));
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    // One failed look, for example at an order that the AppMaster couldn't take, isn't the last.
    private void scanOrComplain() {
        try {
            scan();
        } catch (RuntimeException failure) {
            LOG.error("Looking for stragglers failed; the next look comes as usual", failure);
        }
    }

    /**
     * Looks at every task once, and starts what is worth it.
     *
     * @return how many attempts were started
     */
    int scan() {
        int begun = 0;
        // Whatever this look starts: all that it finds worth it are started.
        boolean resting = isResting(context.getClock().getTime());
        for (JobId id : needs.jobs()) {
            Job job = context.getJob(id);
            if (job != null) {
                begun += scan(job, resting);
            }
        }
        return begun;
    }

    private void ended(TaskAttemptId id, boolean succeeded, long now) {
        watch.ended(id, succeeded, now);
        told.remove(id);
        launchedAsClones.remove(id);
    }

    private boolean isResting(long now) {
        long since = now - restartsBegan;
        return since >= TOGETHER_MILLIS && since < afterSome;
    }

    private int scan(Job job, boolean resting) {
        mapsEnd.waited(job, started.of(TaskType.REDUCE).stream().map(StartedTask::task))
                .forEach(this::countFromMapsEnd);
        int begun = 0;
        for (TaskType kind : KINDS) {
            begun += scan(job, kind, resting);
        }
        return begun;
    }

    private int scan(Job job, TaskType kind, boolean resting) {
        StragglerScan scan = newScan();
        boolean mapsRun = !MapsEnd.isPast(job);
        for (StartedTask task : started.of(kind)) {
            if (scan.look(task, mapsRun)) {
                started.checkOver(task.task());
            }
        }
        // Of those that are killed or fail the AppMaster tells its speculator nothing.
        scan.stopped().forEach(stopped -> ended(stopped, false, context.getClock().getTime()));
        boolean maps = kind == TaskType.MAP;
        int allowed =
                cap.allowed(maps ? job.getTotalMaps() : job.getTotalReduces(), scan.running());
        SpeculationPolicy.Room room =
                new SpeculationPolicy.Room(
                        allowed - scan.speculating(),
                        succeeded(job, kind) - scan.speculating(),
                        scan.running(),
                        needs.waiting(kind, scan.neededByRunning()),
                        resting);
        List<Decision> decisions = SpeculationPolicy.decide(scan.candidates(), room);
        passOver(scan);
        return decisions.stream().mapToInt(this::act).sum();
    }

    private static int succeeded(Job job, TaskType kind) {
        return kind == TaskType.MAP
                ? job.getCompletedMaps() - job.getFailedMaps() - job.getKilledMaps()
                : job.getCompletedReduces() - job.getFailedReduces() - job.getKilledReduces();
    }

    private void passOver(StragglerScan scan) {
        for (Reason reason : Reason.values()) {
            counts.count(Outcome.NONE, reason, scan.passedOverFor(reason));
        }
        scan.passedOver().forEach(told::remove);
    }

    /** As if it had begun then, less the work that it has done before. */
    private void countFromMapsEnd(TaskAttempt reduce) {
        long now = context.getClock().getTime();
        watch.released(reduce.getID(), now);
        if (estimator instanceof SimpleExponentialTaskRuntimeEstimator) {
            return; // its forecasts go on counting from the first start
        }
        long worked =
                Math.round(
                        MapsEnd.workedMillis(
                                reduce, watch.usualStart(TaskType.REDUCE), cloner.costs()));
        if (now - worked > estimator.attemptEnrolledTime(reduce.getID())) {
            TaskAttemptStatus status = new TaskAttemptStatus();
            status.id = reduce.getID();
            status.progress = reduce.getProgress();
            status.taskState = reduce.getState();
            estimator.enrollAttempt(status, now - worked);
            estimator.updateAttempt(status, now);
            started.find(reduce.getID().getTaskId()).ifPresent(StartedTask::changed);
        }
    }

    private StragglerScan newScan() {
        return new StragglerScan(estimator, cloner, restarts, watch, context.getClock().getTime());
    }

    private int act(Decision decision) {
        counts.count(decision);
        tell(decision);
        if (decision.outcome() == Outcome.NONE) {
            return 0;
        }
        hostOf(decision.attempt()).ifPresent(watch::suspect);
        if (mode != CloneMode.ON) {
            return 0;
        }
        started.find(decision.attempt().getTaskId()).ifPresent(StartedTask::changed);
        if (decision.outcome() == Outcome.CLONE) {
            cloner.clone(decision.attempt(), decision.score().orElseThrow());
        } else {
            startNew(decision.attempt().getTaskId());
        }
        return 1;
    }

    private void startNew(TaskId task) {
        task(task).ifPresent(restarts::ordered);
        long now = context.getClock().getTime();
        if (now - restartsBegan >= TOGETHER_MILLIS) {
            restartsBegan = now;
        }
        context.getEventHandler().handle(new TaskEvent(task, TaskEventType.T_ADD_SPEC_ATTEMPT));
    }

    private void tell(Decision decision) {
        Told saying = new Told(decision.outcome(), decision.reason());
        if (!saying.equals(told.put(decision.attempt(), saying))) {
            LOG.info("{}{}", mode == CloneMode.SHADOW ? "shadow: " : "", decision);
        } else {
            LOG.debug("{}", decision);
        }
    }

    // --- for the AppMaster ---

    /**
     * Scores an attempt again, just before it is frozen. What has gone into its clone already is
     * spent, whatever is decided now.
     *
     * @param sinceLaunchMillis how long ago the clone's container was launched
     * @return empty if it doesn't run any more
     */
    public Optional<CloneScore> rescore(TaskAttemptId attempt, long sinceLaunchMillis) {
        CloneCosts costs = cloner.costs().after(sinceLaunchMillis);
        return attempt(attempt)
                .filter(running -> running.getState() == TaskAttemptState.RUNNING)
                .map(running -> newScan().score(running, costs));
    }

    /** What has been decided so far. */
    public DecisionCounts counts() {
        return counts;
    }
}
