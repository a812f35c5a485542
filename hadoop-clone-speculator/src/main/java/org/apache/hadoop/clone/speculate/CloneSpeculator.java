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

import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.conf.CloneMode;
import org.apache.hadoop.clone.estimate.Estimate;
import org.apache.hadoop.clone.estimate.EstimateRules;
import org.apache.hadoop.clone.estimate.KindEstimates;
import org.apache.hadoop.clone.estimate.Supply;
import org.apache.hadoop.clone.limits.JobShare;
import org.apache.hadoop.clone.limits.JobSwitch;
import org.apache.hadoop.clone.limits.Permission;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.Outcome;
import org.apache.hadoop.clone.score.SpeculationCap;
import org.apache.hadoop.clone.seam.HadoopLine;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;
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
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.service.CompositeService;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The speculator that may clone: named in {@code yarn.app.mapreduce.am.job.speculator.class}. It
 * looks at all running tasks from time to time, scores the stragglers (the paper's Algorithm 1) by
 * what attempts of their kind take, and for those that gain most starts a clone or another attempt.
 *
 * <p>With {@link CloneMode#OFF} it hands everything to stock Hadoop's speculator; with {@link
 * CloneMode#SHADOW} as well, and logs beside it what it would do. Stock's keys keep their meaning.
 */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public class CloneSpeculator extends CompositeService implements Speculator, YieldOutlook {
    private static final Logger LOG = LoggerFactory.getLogger(CloneSpeculator.class);

    /** Where tasks report nothing, nothing is said by their silence: longer than they run. */
    private static final long NO_REPORTS_MILLIS = TimeUnit.DAYS.toMillis(7);

    /** As Hadoop presets it: for what has to happen now and then, reports or not. */
    private static final long PRESET_REPORT_MILLIS = 6_000;

    private static final TaskType[] KINDS = {TaskType.MAP, TaskType.REDUCE};

    private final AppContext context;
    private final SteadyClock clock;
    private final CloneMode mode;
    private final Optional<DefaultSpeculator> stock;
    private final Optional<StandbySpeculator> standby;
    private final Cloner cloner;
    private final SpeculationCap cap;
    private final double price;

    /** Kinds of which a second attempt that straggles may end in favour of another. */
    private final Set<TaskType> replaced;

    private final long afterNone;
    private final double trustedMillis;
    private final Pauses pauses;

    private final ContainerNeeds needs = new ContainerNeeds();

    /** Kinds of which, as of the last look, as many tasks have a second attempt as may have. */
    private final Set<TaskType> full = EnumSet.noneOf(TaskType.class);

    private final StartedTasks started = new StartedTasks();
    private final Map<TaskType, KindEstimates> estimates = new EnumMap<>(TaskType.class);
    private final SpeculationRules rules;
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
    private volatile boolean firstMapsWait;
    private volatile boolean stopping;
    private Thread scanner;

    /** For an AppMaster that can't clone: speculates as well as it can without. */
    public CloneSpeculator(Configuration conf, AppContext context) {
        this(ofShare(conf, context), context, obeyedWithout(conf, context));
        if (mode == CloneMode.ON) {
            LOG.warn(
                    "This AppMaster can't clone, so that stragglers are only started again: name"
                            + " CloneAppMaster in yarn.app.mapreduce.am.command-opts, or set {} to"
                            + " shadow or off",
                    CloneKeys.MODE);
        }
    }

    /** A job that isn't to use any of this, or can't, has stock's speculator. */
    private static Configuration ofShare(Configuration conf, AppContext context) {
        JobShare share = JobShare.of(conf);
        if (!share.isAll()
                && !share.has(TypeConverter.fromYarn(context.getApplicationID()).toString())) {
            return stocks(conf, "this job isn't one of the " + share);
        }
        return obstacleHere().map(obstacle -> stocks(conf, obstacle)).orElse(conf);
    }

    /** CloneAppMaster asks the same; but shadows run in stock's. */
    private static Optional<String> obstacleHere() {
        try {
            return HadoopLine.obstacleToAppMasters(CloneSpeculator.class.getClassLoader());
        } catch (IOException | RuntimeException | LinkageError e) {
            return Optional.of(e.toString());
        }
    }

    private static Configuration stocks(Configuration conf, String reason) {
        LOG.info("Speculation is stock's: {}", reason);
        Configuration off = new Configuration(conf);
        off.set(CloneKeys.MODE, CloneMode.OFF.name());
        return off;
    }

    /** An AppMaster that isn't ours knows no switch, and a shadow does nothing that has one. */
    private static Optional<JobSwitch> obeyedWithout(Configuration conf, AppContext context) {
        return configuredMode(conf) == CloneMode.ON
                ? JobSwitch.of(conf, () -> JobSubject.of(context), on -> {})
                : Optional.empty();
    }

    private CloneSpeculator(Configuration conf, AppContext context, Optional<JobSwitch> obeyed) {
        this(
                conf,
                context,
                new NoCloner(
                        configuredCosts(conf),
                        configuredMode(conf),
                        () -> obeyed.map(JobSwitch::permission).orElse(Permission.ALL)));
        obeyed.ifPresent(this::addService);
    }

    /** For an AppMaster that can. */
    public CloneSpeculator(Configuration conf, AppContext context, Cloner cloner) {
        this(conf, context, cloner, SpeculationRules.PRESET, EstimateRules.PRESET);
    }

    CloneSpeculator(
            Configuration conf,
            AppContext context,
            Cloner cloner,
            SpeculationRules rules,
            EstimateRules estimateRules) {
        super(CloneSpeculator.class.getSimpleName());
        this.context = context;
        clock = new SteadyClock(() -> context.getClock().getTime());
        this.cloner = cloner;
        this.rules = rules;
        mode = configuredMode(conf);
        stock =
                mode == CloneMode.ON
                        ? Optional.empty()
                        : Optional.of(new DefaultSpeculator(conf, context));
        stock.ifPresent(this::addService);
        standby =
                mode == CloneMode.ON && JobSwitch.isWanted(conf)
                        ? Optional.of(new StandbySpeculator(conf, context, this::isRestarted))
                        : Optional.empty();
        standby.ifPresent(this::addService);
        long interval = reportInterval(conf);
        boolean reports = interval != NO_REPORTS_MILLIS;
        pauses = new Pauses(reports ? interval : 0);
        trustedMillis = rules.trusted() * (reports ? interval : PRESET_REPORT_MILLIS);
        for (TaskType kind : KINDS) {
            estimates.put(kind, newEstimates(conf, interval, cloner.costs().beta(), estimateRules));
        }
        cap = SpeculationCap.of(conf);
        price = configuredPrice(conf);
        replaced = replaced(conf);
        afterNone =
                conf.getLong(
                        MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE,
                        MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_NO_SPECULATE);
    }

    /** A map's container goes to a reduce that waits, and back only where these give way. */
    private static Set<TaskType> replaced(Configuration conf) {
        Set<TaskType> kinds = EnumSet.noneOf(TaskType.class);
        if (conf.getBoolean(CloneKeys.REPLACE, CloneKeys.REPLACE_DEFAULT)) {
            kinds.add(TaskType.REDUCE);
            if (ReduceYield.isWanted(conf) || conf.getInt(MRJobConfig.NUM_REDUCES, 1) == 0) {
                kinds.add(TaskType.MAP);
            }
        }
        return kinds;
    }

    private static KindEstimates newEstimates(
            Configuration conf, long interval, double beta, EstimateRules rules) {
        return new KindEstimates(
                interval,
                beta,
                // Hadoop has no constant for its preset (StartEndTimesBase).
                conf.getDouble(MRJobConfig.SPECULATIVE_SLOWTASK_THRESHOLD, 1.0),
                rules);
    }

    /** With mapreduce.task.timeout=0 it is 0, and tasks report nothing between their phases. */
    private static long reportInterval(Configuration conf) {
        long interval = MRJobConfUtil.getTaskProgressReportInterval(conf);
        if (interval > 0) {
            return interval;
        }
        LOG.warn(
                "Tasks report no progress, as {} is 0: set {}, or hardly any straggler is found",
                MRJobConfig.TASK_TIMEOUT,
                MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL);
        return NO_REPORTS_MILLIS;
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

    private static double configuredPrice(Configuration conf) {
        double price;
        try {
            price = conf.getDouble(CloneKeys.LEAST_GAIN, CloneKeys.LEAST_GAIN_DEFAULT);
        } catch (NumberFormatException wrong) {
            price = Double.NaN;
        }
        if (price >= 0) {
            return price;
        }
        LOG.error(
                "{} must be a number, and at least 0; until then it counts as {}",
                CloneKeys.LEAST_GAIN,
                CloneKeys.LEAST_GAIN_DEFAULT);
        return CloneKeys.LEAST_GAIN_DEFAULT;
    }

    private static long bytes(String text) {
        return TraditionalBinaryPrefix.string2long(text);
    }

    // --- events ---

    @Override
    public void handle(SpeculatorEvent event) {
        stock.ifPresent(speculator -> speculator.handle(event));
        standby.ifPresent(speculator -> speculator.handle(event));
        if (mode == CloneMode.OFF) {
            return;
        }
        // On the dispatcher's thread, with which the AppMaster would end.
        orComplain(() -> learn(event), "An event wasn't understood, and is left out");
    }

    private void learn(SpeculatorEvent event) {
        switch (event.getType()) {
            case ATTEMPT_STATUS_UPDATE ->
                    update(event.getReportedStatus(), clock.of(event.getTimestamp()));
            case TASK_CONTAINER_NEED_UPDATE ->
                    need(event.getTaskID(), event.containersNeededChange());
            case ATTEMPT_START -> enroll(event.getReportedStatus(), clock.of(event.getTimestamp()));
            case JOB_CREATE -> {}
        }
    }

    @Override
    public void handleAttempt(TaskAttemptStatus status) {
        stock.ifPresent(speculator -> speculator.handleAttempt(status));
        standby.ifPresent(speculator -> speculator.handleAttempt(status));
        if (mode != CloneMode.OFF) {
            update(status, clock.getTime());
        }
    }

    private void need(TaskId task, int change) {
        needs.changed(task, change);
        started.find(task).ifPresent(known -> known.needs(needs.of(task)));
    }

    private KindEstimates estimatesOf(TaskAttemptId id) {
        return estimates.get(kind(id));
    }

    private static TaskType kind(TaskAttemptId id) {
        return id.getTaskId().getTaskType();
    }

    // A clone has its original's age: its progress was made in that time.
    private void enroll(TaskAttemptStatus status, long timestamp) {
        String host = hostOf(status.id).orElse("");
        Optional<TaskAttemptId> original = cloner.originalOf(status.id);
        if (original.isEmpty()) {
            estimatesOf(status.id).launched(status.id, host, timestamp);
        } else {
            launchedAsClones.put(status.id, timestamp);
            estimatesOf(status.id).launchedAsClone(status.id, original.get(), host, timestamp);
        }
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
        boolean isClone = cloner.originalOf(status.id).isPresent();
        // In one step: the scan's thread may remove it at the same time.
        Long launched = isClone ? null : launchedAsClones.remove(status.id);
        if (launched != null) {
            estimatesOf(status.id)
                    .fellBack(status.id, hostOf(status.id).orElse(""), launched, timestamp);
            started.find(status.id.getTaskId()).ifPresent(StartedTask::changed);
        }
        if (kind(status.id) == TaskType.REDUCE) {
            heard(status.id, state);
        }
        if (StragglerScan.isUnderWay(state)) {
            report(status, timestamp);
        } else {
            ended(status.id, state == TaskAttemptState.SUCCEEDED, timestamp);
        }
        boolean runs = state == TaskAttemptState.RUNNING;
        started.find(status.id.getTaskId())
                .ifPresent(
                        task -> {
                            if (runs) {
                                task.reported(status, timestamp);
                            } else {
                                task.changed();
                            }
                        });
    }

    /** Before what a reduce tells is counted: else what it has waited would count as its work. */
    private void heard(TaskAttemptId reduce, TaskAttemptState state) {
        Job job = context.getJob(reduce.getTaskId().getJobId());
        if (job != null && mapsEnd.isNews(job)) {
            if (state == TaskAttemptState.SUCCEEDED) {
                attempt(reduce).ifPresent(this::countFromMapsEnd);
            }
            countFromMapsEnd(job);
        }
    }

    private void report(TaskAttemptStatus status, long timestamp) {
        InputSize input = InputSize.of(status, hasMapsOnly(status.id));
        estimatesOf(status.id)
                .reported(
                        status.id,
                        new KindEstimates.Report(
                                Math.max(status.progress, leastProgress(status)),
                                status.phase,
                                input.bytes(),
                                input.share()),
                        supply(status),
                        timestamp);
    }

    private boolean hasMapsOnly(TaskAttemptId attempt) {
        Job job = context.getJob(attempt.getTaskId().getJobId());
        return job != null && job.getTotalReduces() == 0;
    }

    private Supply supply(TaskAttemptStatus status) {
        if (status.phase != Phase.SHUFFLE) {
            return Supply.AT_HAND;
        }
        return mapsEnd.isAwaited() ? Supply.AWAITED : Supply.FETCHED;
    }

    /**
     * What has been done where a phase begins (MapTask.run, ReduceTask.run). The report that tells
     * of a new phase may have the progress of the one before: TaskReporter counts it just after.
     */
    private static float leastProgress(TaskAttemptStatus status) {
        boolean isMap = kind(status.id) == TaskType.MAP;
        if (status.phase == Phase.SORT) {
            return isMap ? 0.667f : 1 / 3f;
        }
        return status.phase == Phase.REDUCE ? 2 / 3f : 0;
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
            long due = clock.getTime();
            while (!stopping) {
                long begun = clock.getTime();
                if (!pauses.isToHear(due, begun)) {
                    // One failed look, for example at an order that the AppMaster couldn't take,
                    // isn't the last.
                    orComplain(
                            this::scan,
                            "Looking for stragglers failed; the next look comes as usual");
                }
                long ended = clock.getTime();
                // As stock: a scan never takes more than half of the time.
                long rest = Math.max(afterNone, ended - begun);
                due = ended + rest;
                Thread.sleep(rest);
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    private static void orComplain(Runnable ours, String complaint) {
        try {
            ours.run();
        } catch (RuntimeException | LinkageError failure) {
            LOG.error(complaint, failure);
        }
    }

    /**
     * Looks at every task once, and starts what is worth it.
     *
     * @return how many attempts were started
     */
    int scan() {
        boolean off = !cloner.permission().isOn();
        standby.ifPresent(speculator -> speculator.decides(off));
        if (off) {
            return 0;
        }
        int begun = 0;
        for (JobId id : needs.jobs()) {
            Job job = context.getJob(id);
            if (job != null) {
                begun += scan(job);
            }
        }
        return begun;
    }

    private void ended(TaskAttemptId id, boolean succeeded, long now) {
        estimatesOf(id).ended(id, succeeded, now);
        told.remove(id);
        launchedAsClones.remove(id);
    }

    private int scan(Job job) {
        countFromMapsEnd(job);
        int begun = 0;
        for (TaskType kind : KINDS) {
            begun += scan(job, kind);
        }
        return begun;
    }

    private int scan(Job job, TaskType kind) {
        double price = price(job, kind);
        StragglerScan scan = look(job, kind, full.contains(kind), price);
        if (scan.deferred() > 0 && room(job, kind, scan) > 0) {
            scan = look(job, kind, false, price);
        }
        if (kind == TaskType.MAP) {
            firstMapsWait = firstsWait(kind, scan);
        }
        int room = room(job, kind, scan);
        List<Decision> decisions =
                SpeculationPolicy.decide(scan.candidates(), room, cloner.spent(), price);
        passOver(scan);
        int begun = decisions.stream().mapToInt(this::act).sum();
        if (begun < room) {
            full.remove(kind);
        } else {
            full.add(kind);
        }
        // They would have the container of the one that ends.
        return firstsWait(kind, scan)
                ? begun
                : begun + scan.replacements().stream().mapToInt(this::replace).sum();
    }

    private boolean firstsWait(TaskType kind, StragglerScan scan) {
        return needs.waiting(kind, scan.neededByRunning()) > 0;
    }

    /**
     * What a second attempt must save for each second that it has a container, which it takes from
     * the job's other attempts of its kind. The last task takes nothing from any, unless one of its
     * own attempts is to end for it.
     */
    private double price(Job job, TaskType kind) {
        int left =
                kind == TaskType.MAP
                        ? job.getTotalMaps() - job.getCompletedMaps()
                        : job.getTotalReduces() - job.getCompletedReduces();
        return left > 1 ? price : 0;
    }

    private StragglerScan look(Job job, TaskType kind, boolean full, double price) {
        StragglerScan scan = newScan(kind, full, price);
        boolean mapsRun = !MapsEnd.isPast(job);
        for (StartedTask task : started.of(kind)) {
            if (scan.look(task, mapsRun)) {
                started.checkOver(task.task());
            }
        }
        // Of those that are killed or fail the AppMaster tells its speculator nothing.
        scan.stopped().forEach(stopped -> ended(stopped, false, clock.getTime()));
        return scan;
    }

    /** For so many more tasks with a second attempt. */
    private int room(Job job, TaskType kind, StragglerScan scan) {
        int total = kind == TaskType.MAP ? job.getTotalMaps() : job.getTotalReduces();
        return cap.allowed(total, scan.running()) - scan.speculating();
    }

    private void passOver(StragglerScan scan) {
        for (Reason reason : Reason.values()) {
            counts.count(Outcome.NONE, reason, scan.passedOverFor(reason));
        }
        scan.passedOver().forEach(told::remove);
    }

    /** All reduces that have waited, as soon as there is no more to wait for. */
    private void countFromMapsEnd(Job job) {
        mapsEnd.waited(job, started.of(TaskType.REDUCE).stream().map(StartedTask::task))
                .forEach(this::countFromMapsEnd);
    }

    /** As if it had begun then, less the work that it has done before. */
    private void countFromMapsEnd(TaskAttempt reduce) {
        estimatesOf(reduce.getID())
                .released(
                        reduce.getID(),
                        MapsEnd.workedMillis(reduce, cloner.costs(), rules),
                        clock.getTime());
        started.find(reduce.getID().getTaskId()).ifPresent(StartedTask::recounted);
    }

    private StragglerScan newScan(TaskType kind, boolean full, double ofSecond) {
        long now = clock.getTime();
        boolean mayReplace = replaced.contains(kind) && mode == CloneMode.ON && cloner.replaces();
        return new StragglerScan(
                id -> estimate(id, now),
                () -> estimates.get(kind).drift(now),
                cloner,
                restarts,
                new Prices(ofSecond, price, mayReplace && cloner.spent().isEmpty(), rules),
                full,
                trustedMillis,
                now);
    }

    /**
     * What is known of a running attempt's time, for speculators that know it otherwise.
     *
     * @return empty as long as nothing can be said of it
     */
    protected Optional<Estimate> estimate(TaskAttemptId attempt, long now) {
        return estimatesOf(attempt).estimate(attempt, now);
    }

    private int act(Decision decision) {
        counts.count(decision);
        tell(decision);
        if (decision.outcome() == Outcome.NONE) {
            return 0;
        }
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
        isRestarted(task);
        context.getEventHandler().handle(new TaskEvent(task, TaskEventType.T_ADD_SPEC_ATTEMPT));
    }

    private void isRestarted(TaskId task) {
        task(task).ifPresent(restarts::ordered);
    }

    private int replace(Replacement replacement) {
        Decision decision = replacement.decision();
        TaskAttemptId second = replacement.second();
        counts.count(decision);
        tell(decision);
        if (decision.outcome() == Outcome.CLONE) {
            cloner.cloneInPlaceOf(second, decision.attempt(), decision.score().orElseThrow());
        } else {
            task(second.getTaskId()).ifPresent(task -> restarts.orderedInPlaceOf(second, task));
            context.getEventHandler().handle(new SecondAttemptKill(second));
        }
        return 1;
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
                .flatMap(running -> newScan(kind(attempt), false, price).score(running, costs));
    }

    @Override
    public boolean firstMapsWait() {
        return firstMapsWait;
    }

    @Override
    public Optional<CloneScore> waitingScore(TaskAttemptId map) {
        return rescore(map, 0)
                .map(score -> cloner.isBeingCloned(map) ? score : score.withoutClone());
    }

    @Override
    public double price() {
        return price;
    }

    @Override
    public double restartMillis(TaskAttempt reduce) {
        return startMillis(hostOf(reduce.getID()).orElse(""))
                + MapsEnd.workedMillis(reduce, cloner.costs(), rules);
    }

    private double startMillis(String host) {
        return Stream.of(TaskType.REDUCE, TaskType.MAP)
                .mapToDouble(kind -> estimates.get(kind).startMillis(host, clock.getTime()))
                .filter(Double::isFinite)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** What has been decided so far. */
    public DecisionCounts counts() {
        return counts;
    }
}
