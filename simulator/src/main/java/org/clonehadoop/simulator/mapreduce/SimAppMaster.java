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
package org.clonehadoop.simulator.mapreduce;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.clone.speculate.SecondAttemptKill;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.event.Event;
import org.clonehadoop.benchmarks.feed.FeedCounter;
import org.clonehadoop.benchmarks.feed.FeedPlayer;
import org.clonehadoop.benchmarks.feed.MirrorContext;
import org.clonehadoop.benchmarks.feed.MirrorJob;
import org.clonehadoop.benchmarks.feed.MirrorTask;
import org.clonehadoop.benchmarks.feed.Names;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.mapreduce.RunRecord.End;
import org.clonehadoop.simulator.mapreduce.RunRecord.Order;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.platform.Load;
import org.clonehadoop.simulator.platform.SimHost;
import org.clonehadoop.simulator.trouble.SlowSource;
import org.clonehadoop.simulator.trouble.Trouble;
import org.clonehadoop.simulator.yarn.Application;
import org.clonehadoop.simulator.yarn.Containers;
import org.clonehadoop.simulator.yarn.HandingOut;

/**
 * A job and its AppMaster, around a speculator. The speculator is told what Hadoop's AppMaster
 * tells it, at the same moments of an attempt's life, and nothing else.
 */
public final class SimAppMaster implements CloneLead.Site {
    private static final long LOOK_MILLIS = 1000;
    private static final long TICK_MILLIS = 500;

    /** A NodeManager localizes what is there already, and starts a process. */
    private static final long LAUNCH_MILLIS = 500;

    /** Of what an attempt's process has in memory, where a map has given its buffer back. */
    private static final double WITHOUT_BUFFER = 0.3;

    /** {@code mapreduce.task.timeout.check-interval-ms}. */
    private static final long TIMEOUT_CHECK_MILLIS = 30_000;

    // Hadoop's RMContainerAllocator: reduces, once they are asked for, go before maps.
    private static final int URGENT_PRIORITY = 5;
    private static final int REDUCE_PRIORITY = 10;
    private static final int MAP_PRIORITY = 20;

    /** While maps wait, reduces get no more than this share. */
    private static final double MOST_FOR_REDUCES = 0.5;

    private final SimCluster cluster;
    private final JobSpec spec;
    private final Configuration conf;
    private final long boundaryPatienceMillis;
    private final Draws draws;
    private final Timeline timeline;
    private final Application containers;
    private final Consumer<RunRecord> whenDone;
    private final Plans plans;
    private final SplitHosts splitHosts;
    private final MapOutputs outputs;
    private final MirrorContext context;
    private final MirrorJob job;
    private final CloneLead lead;
    private final FeedPlayer.Listener speculator;
    private final Map<TaskAttemptId, SimAttempt> attempts = new LinkedHashMap<>();
    private final Map<TaskAttemptId, double[]> brakes = new HashMap<>();
    private final Deque<TaskId> reducesToAsk = new ArrayDeque<>();
    private final List<Order> orders = new ArrayList<>();
    private final List<End> ends = new ArrayList<>();
    private long submitted;
    private SimHost ownHost;
    private boolean done;
    private boolean looking;
    private Set<String> withheld = Set.of();
    private int mapsWaiting;
    private int wonNew;
    private int ranClones;
    private int wonClones;
    private long mapsEnd;
    private long firstReduce;
    private final Set<TaskId> fetched = new HashSet<>();
    private long shuffleEnd;
    private double orderToRunningMillis;
    private final Map<TaskId, Long> cloneOrdered = new HashMap<>();
    private final SortedSet<String> speculated = new TreeSet<>();
    private double frozenMillis;
    private final Map<TaskAttemptId, Long> frozenSince = new HashMap<>();
    private final Map<TaskAttemptId, Execution.Position> images = new HashMap<>();

    /** Makes who decides. */
    public interface SpeculatorMaker {
        FeedPlayer.Listener make(Configuration conf, AppContext context, Cloner cloner);
    }

    /**
     * @param draws the job's luck
     * @param whenDone hears what became of the job, once
     */
    public SimAppMaster(
            SimCluster cluster,
            JobSpec spec,
            Draws draws,
            BiFunction<CloneLead.Site, Configuration, CloneLead> leads,
            SpeculatorMaker speculators,
            Consumer<RunRecord> whenDone) {
        this.cluster = cluster;
        this.spec = spec;
        this.draws = draws;
        this.whenDone = whenDone;
        conf = spec.configuration();
        boundaryPatienceMillis =
                conf.getTimeDuration(
                        CloneKeys.BOUNDARY_PATIENCE,
                        CloneKeys.BOUNDARY_PATIENCE_DEFAULT,
                        TimeUnit.MILLISECONDS);
        timeline = cluster.timeline();
        containers = cluster.application(draws);
        plans = new Plans(spec, draws);
        splitHosts = splitHosts();
        outputs = new MapOutputs(spec.maps(), plans.slowSource().map(this::link).orElse(null));
        context = new MirrorContext(timeline, this::handle);
        job = new MirrorJob(cluster.newJob(), spec.maps(), spec.reduces());
        context.setJob(job);
        lead = leads.apply(this, conf);
        speculator = speculators.make(conf, context, new NotedCloner(lead.cloner()));
    }

    private SimHost link(SlowSource source) {
        HostSpec link = new HostSpec(0, 0, source.megabytesPerSecond(), 0);
        return new SimHost("slow source", link, timeline);
    }

    private SplitHosts splitHosts() {
        List<String> hosts = cluster.hosts().stream().map(SimHost::name).toList();
        SplitHosts all = SplitHosts.withReplicas(spec.maps(), hosts, draws);
        return spec.program().namesOneHost() ? all.oneEachAsTeraSort() : all;
    }

    /** The job is submitted now, and its AppMaster is up at once, on the cluster's first host. */
    public void begin() {
        submitted = timeline.getTime();
        ownHost = cluster.hosts().get(0);
        containers.take(ownHost);
        start();
    }

    /** The job is submitted now; its AppMaster waits for a container, and starts there. */
    public void submit() {
        submitted = timeline.getTime();
        containers.requestAppMaster(this::launch);
    }

    /** The same, where the container is one of that host's, which has room. */
    public void submit(SimHost host) {
        submitted = timeline.getTime();
        containers.takeWithHeartbeat(host, () -> launch(host));
    }

    private void launch(SimHost host) {
        ownHost = host;
        timeline.after(LAUNCH_MILLIS, () -> host.begin(plans.jvm(), 1, this::start));
    }

    private void start() {
        cluster.add(this);
        speculator.handle(new SpeculatorEvent(job.getID(), timeline.getTime()));
        job.getTasks(TaskType.MAP).keySet().forEach(this::begin);
        reducesToAsk.addAll(job.getTasks(TaskType.REDUCE).keySet());
        // As Hadoop's, whose allocator keeps them back.
        lead.placement()
                .ifPresent(
                        placement ->
                                reducesToAsk.forEach(
                                        task ->
                                                placement.willAsk(
                                                        MRBuilderUtils.newTaskAttemptId(task, 0))));
        askForReduces();
        timeline.every(LOOK_MILLIS, this::look);
        timeline.every(TICK_MILLIS, this::tick);
        timeline.every(TIMEOUT_CHECK_MILLIS, this::endSilent);
    }

    private void endIfDone() {
        if (job.getCompletedReduces() == spec.reduces() && job.getCompletedMaps() == spec.maps()) {
            done = true;
            cluster.remove(this);
            containers.giveBack(ownHost);
            whenDone.accept(record());
        }
    }

    private boolean look() {
        if (done) {
            return false;
        }
        looking = true;
        speculator.look();
        looking = false;
        return true;
    }

    private boolean tick() {
        if (done) {
            return false;
        }
        lead.tick();
        lead.placement().ifPresent(this::askAgain);
        return true;
    }

    private void askAgain(CloneLead.Placement placement) {
        Set<String> now = placement.withheld();
        if (!now.equals(withheld)) {
            withheld = now;
            containers.withhold(now);
        }
        placement.due().forEach((id, hosts) -> ask(attempts.get(id), hosts));
    }

    // --- orders ---

    /** Counts what the speculator orders. */
    private final class NotedCloner implements Cloner {
        private final Cloner cloner;

        NotedCloner(Cloner cloner) {
            this.cloner = cloner;
        }

        @Override
        public Optional<String> obstacle(TaskAttemptId attempt) {
            return cloner.obstacle(attempt);
        }

        @Override
        public boolean isBeingCloned(TaskAttemptId attempt) {
            return cloner.isBeingCloned(attempt);
        }

        @Override
        public Optional<Long> cloneBytes(TaskAttemptId attempt) {
            return cloner.cloneBytes(attempt);
        }

        @Override
        public double leastCloneMillis(TaskAttemptId attempt) {
            return cloner.leastCloneMillis(attempt);
        }

        @Override
        public CloneCosts costs() {
            return cloner.costs();
        }

        @Override
        public Optional<TaskAttemptId> originalOf(TaskAttemptId attempt) {
            return cloner.originalOf(attempt);
        }

        @Override
        public void clone(TaskAttemptId original, CloneScore score) {
            noteClone(original);
            cloner.clone(original, score);
        }

        @Override
        public boolean replaces() {
            return cloner.replaces();
        }

        @Override
        public void cloneInPlaceOf(TaskAttemptId second, TaskAttemptId original, CloneScore score) {
            noteClone(original);
            cloner.cloneInPlaceOf(second, original, score);
        }

        private void noteClone(TaskAttemptId original) {
            note(
                    original.getTaskId(),
                    true,
                    job.getTask(original.getTaskId()).getAttempt(original).getProgress());
            cloneOrdered.put(original.getTaskId(), timeline.getTime());
        }
    }

    private void note(TaskId task, boolean clone, double progress) {
        orders.add(new Order(seconds(timeline.getTime()), clone, isMap(task), progress));
    }

    @SuppressWarnings("rawtypes") // as Hadoop's handlers
    private void handle(Event event) {
        if (event instanceof TaskEvent order
                && order.getType() == TaskEventType.T_ADD_SPEC_ATTEMPT) {
            if (looking) {
                noteNew(order.getTaskID());
            }
            timeline.after(0, () -> addIfRunning(order.getTaskID()));
        } else if (event instanceof TaskAttemptKillEvent killed) {
            if (looking) {
                noteNew(killed.getTaskAttemptID().getTaskId());
            }
            boolean replaced = killed instanceof SecondAttemptKill;
            timeline.after(0, () -> beginAgain(killed.getTaskAttemptID(), replaced));
        }
    }

    private void noteNew(TaskId task) {
        note(
                task,
                false,
                job.getTask(task).getAttempts().values().stream()
                        .mapToDouble(attempt -> attempt.getProgress())
                        .max()
                        .orElse(0));
    }

    /**
     * As TaskImpl's AttemptKilledTransition.
     *
     * @param replaced whether it ends in favour of the next one
     */
    private void beginAgain(TaskAttemptId killed, boolean replaced) {
        SimAttempt attempt = attempts.get(killed);
        if (!attempt.hasEnded()) {
            attempt.replaced = replaced;
            kill(attempt);
            addAttempt(killed.getTaskId());
        }
    }

    private void addIfRunning(TaskId task) {
        if (job.getTask(task).getState() == TaskState.RUNNING) {
            addAttempt(task);
        }
    }

    // --- attempts ---

    private void begin(TaskId task) {
        job.getTask(task).setState(TaskState.SCHEDULED);
        addAttempt(task);
    }

    @Override
    public void addAttempt(TaskId id) {
        MirrorTask task = job.getTask(id);
        SimAttempt attempt =
                new SimAttempt(
                        task.attempt(
                                MRBuilderUtils.newTaskAttemptId(id, task.getAttempts().size())));
        attempts.put(attempt.id, attempt);
        attempt.known.setState(TaskAttemptState.STARTING);
        speculator.handle(new SpeculatorEvent(id, +1));
        if (isMap(id)) {
            mapsWaiting++;
        }
        ask(attempt);
    }

    private void ask(SimAttempt attempt) {
        TaskId task = attempt.id.getTaskId();
        List<String> stock = isMap(task) ? splitHosts.of(task.getId()) : List.of();
        List<String> wanted =
                lead.placement()
                        .map(placement -> placement.request(attempt.id, stock))
                        .orElse(stock);
        ask(attempt, wanted);
    }

    private void ask(SimAttempt attempt, List<String> wanted) {
        int usual = isMap(attempt.id.getTaskId()) ? MAP_PRIORITY : REDUCE_PRIORITY;
        boolean hurried = attempt.id.getId() > 0 && lead.placement().isPresent();
        containers.request(
                request(attempt, attempt.urgent ? URGENT_PRIORITY : usual, wanted, hurried));
    }

    @Override
    public boolean askUrgently(TaskAttemptId id, List<String> hosts, Runnable asked) {
        SimAttempt attempt = attempts.get(id);
        boolean waited = containers.withdraw(attempt.name);
        if (waited) {
            attempt.urgent = true;
            containers.request(request(attempt, URGENT_PRIORITY, hosts, true), asked);
        }
        return waited;
    }

    private Application.Request request(
            SimAttempt attempt, int priority, List<String> hosts, boolean hurried) {
        return new Application.Request(
                attempt.name,
                priority,
                hosts,
                priority == MAP_PRIORITY ? HandingOut.BY_HOST : HandingOut.BY_TURN,
                hurried ? hurry() : Application.Hurry.NONE,
                host -> granted(attempt, host));
    }

    /** While a backup waits ({@code HurriedAllocation}). */
    private Application.Hurry hurry() {
        return lead.placement()
                .map(
                        placement ->
                                new Application.Hurry(
                                        placement.hurriedMillis(),
                                        timeline.getTime()
                                                + placement.hurries() * placement.hurriedMillis()))
                .orElse(Application.Hurry.NONE);
    }

    private void granted(SimAttempt attempt, SimHost host) {
        // It may have been on its way when the attempt was given a reduce's.
        if (attempt.hasEnded() || attempt.host != null) {
            containers.giveBack(host);
            return;
        }
        Optional<TaskAttemptId> taker =
                lead.placement().flatMap(placement -> placement.taker(attempt.id, host));
        if (taker.isPresent()) {
            SimAttempt backup = attempts.get(taker.get());
            containers.withdraw(backup.name);
            granted(backup, host);
            ask(attempt);
            return;
        }
        boolean refused =
                lead.placement().map(placement -> placement.refuse(attempt.id, host)).orElse(false);
        if (refused) {
            containers.giveBack(host);
            return; // it is asked for again when it is due
        }
        attempt.host = host;
        attempt.heldSinceMillis = timeline.getTime();
        attempt.known.setHost(host.name());
        speculator.handle(new SpeculatorEvent(attempt.id.getTaskId(), -1));
        if (isMap(attempt.id.getTaskId())) {
            mapsWaiting--;
            askForReduces();
        }
        timeline.after(LAUNCH_MILLIS, () -> launched(attempt));
    }

    private void launched(SimAttempt attempt) {
        if (attempt.hasEnded()) {
            return;
        }
        boolean held = lead.launching(attempt.id, attempt.host);
        if (!held) {
            beginAtZero(attempt.id);
        }
    }

    /** As Hadoop's LaunchedContainerTransition. */
    private void runs(SimAttempt attempt) {
        if (attempt.known.getState() == TaskAttemptState.RUNNING) {
            return;
        }
        TaskId task = attempt.id.getTaskId();
        if (job.getTask(task).getAttempts().keySet().stream()
                .anyMatch(other -> !other.equals(attempt.id) && isUnderWay(other))) {
            speculated.add(Names.of(task));
        }
        attempt.known.setState(TaskAttemptState.RUNNING);
        attempt.known.setLaunchTime(timeline.getTime());
        attempt.movedMillis = timeline.getTime();
        attempt.known.setPhase(isMap(task) ? Phase.MAP : Phase.SHUFFLE);
        job.getTask(task).setState(TaskState.RUNNING);
        changed(attempt);
        speculator.handle(new SpeculatorEvent(attempt.id, true, timeline.getTime()));
        if (firstReduce == 0 && !isMap(task)) {
            firstReduce = timeline.getTime();
        }
    }

    @Override
    public void awaitImage(TaskAttemptId clone) {
        runs(attempts.get(clone));
    }

    @Override
    public void beginAtZero(TaskAttemptId id) {
        SimAttempt attempt = attempts.get(id);
        if (attempt.hasEnded()) {
            return;
        }
        attempt.clone = false;
        runs(attempt);
        work(attempt, Execution.Position.BEGIN);
    }

    @Override
    public void beginAsClone(TaskAttemptId original, TaskAttemptId clone) {
        SimAttempt attempt = attempts.get(clone);
        attempt.clone = true;
        attempt.original = attempts.get(original);
        ranClones++;
        orderToRunningMillis += timeline.getTime() - cloneOrdered.get(clone.getTaskId());
        runs(attempt);
        work(attempt, images.remove(original));
    }

    private void work(SimAttempt attempt, Execution.Position from) {
        attempt.work =
                execution(
                        attempt.id,
                        from,
                        attempt.host,
                        new Execution.Listener() {
                            @Override
                            public void started() {
                                lead.started(attempt.id);
                                if (isOurs() && !attempt.clone) {
                                    report(attempt);
                                }
                                reportLater(attempt, attempt.clone ? interval() : 2 * interval());
                            }

                            @Override
                            public void published(double share) {
                                outputs.publish(attempt.id.getTaskId(), share);
                            }

                            @Override
                            public void entered() {
                                reportPhase(attempt);
                            }

                            @Override
                            public void fetched() {
                                if (fetched.add(attempt.id.getTaskId())) {
                                    shuffleEnd = timeline.getTime();
                                }
                            }

                            @Override
                            public void ended() {
                                succeeded(attempt);
                            }
                        });
        attempt.work.go();
    }

    /** Stock's hears nothing of a task before its first report. */
    private boolean isOurs() {
        return lead.placement().isPresent();
    }

    private Execution execution(
            TaskAttemptId attempt,
            Execution.Position from,
            SimHost host,
            Execution.Listener listener) {
        List<Stage> plan = plans.of(attempt.getTaskId());
        double[] all =
                brakes.computeIfAbsent(
                        attempt, one -> Execution.brakes(plan, done -> brake(one, done)));
        return new Execution(plan, from, host, outputs, all, listener);
    }

    private double brake(TaskAttemptId attempt, double done) {
        double brake = 1;
        for (Trouble trouble : spec.troubles()) {
            brake *= trouble.brake(attempt, done, draws);
        }
        return brake;
    }

    // --- reports ---

    /**
     * Hadoop's TaskReporter looks whether there is progress, waits, and then reports it if there
     * was. When it looks first, before the work begins, there is none. A clone's has looked before.
     */
    private void reportLater(SimAttempt attempt, long millis) {
        attempt.nextReport =
                timeline.after(
                        millis,
                        () -> {
                            report(attempt);
                            reportLater(attempt, interval());
                        });
    }

    private long interval() {
        return MRJobConfUtil.getTaskProgressReportInterval(conf);
    }

    private void report(SimAttempt attempt) {
        if (attempt.host.isLost()) {
            return;
        }
        if (!attempt.work.hangs()) {
            attempt.movedMillis = timeline.getTime();
        }
        attempt.known.setProgress((float) attempt.work.progress());
        Phase phase = attempt.work.phase();
        if (phase != Phase.STARTING) {
            attempt.known.setPhase(phase);
        }
        count(attempt);
        changed(attempt);
        tell(attempt);
    }

    /**
     * As MapTask and ReduceTask: at once, but with the progress and the bytes of the last report.
     */
    private void reportPhase(SimAttempt attempt) {
        attempt.known.setPhase(attempt.work.phase());
        changed(attempt);
        tell(attempt);
    }

    private void changed(SimAttempt attempt) {
        lead.placement().ifPresent(placement -> placement.changed(attempt.known));
    }

    private void count(SimAttempt attempt) {
        double megabytes = writtenMegabytes(attempt);
        count(attempt, FeedCounter.LOCAL_BYTES_WRITTEN, localMegabytes(attempt));
        if (isMap(attempt.id.getTaskId())) {
            count(attempt, FeedCounter.HDFS_BYTES_READ, megabytes / spec.program().mapOutput());
        } else {
            count(attempt, FeedCounter.REDUCE_SHUFFLE_BYTES, megabytes);
        }
        attempt.known
                .getCounters()
                .findCounter(TaskCounter.PHYSICAL_MEMORY_BYTES)
                .setValue(Load.bytes(spec.costs().memoryMegabytes()));
    }

    private static void count(SimAttempt attempt, FeedCounter counter, double megabytes) {
        counter.set(attempt.known.getCounters(), Load.bytes(megabytes));
    }

    private void tell(SimAttempt attempt) {
        TaskAttemptStatus status = new TaskAttemptStatus();
        status.id = attempt.id;
        status.progress = attempt.known.getProgress();
        status.phase = attempt.known.getPhase();
        status.taskState = TaskAttemptState.RUNNING;
        status.counters = attempt.known.getCounters();
        speculator.handle(new SpeculatorEvent(status, timeline.getTime()));
    }

    /** Written to local disks, or fetched to them. */
    private double localMegabytes(SimAttempt attempt) {
        // Without reduces maps write to HDFS.
        return spec.reduces() == 0 ? 0 : writtenMegabytes(attempt);
    }

    /** Wherever to, or fetched. */
    private double writtenMegabytes(SimAttempt attempt) {
        if (attempt.work == null) {
            return 0;
        }
        double progress = attempt.work.progress();
        if (isMap(attempt.id.getTaskId())) {
            double output = spec.megabytes() / spec.maps() * spec.program().mapOutput();
            // As MapTask: with reduces a third of its progress is the merge's.
            double read = spec.reduces() > 0 ? 1.5 * progress : progress;
            return plans.size(attempt.id.getTaskId()) * output * Math.min(1, read);
        }
        return plans.size(attempt.id.getTaskId())
                * plans.partitionMegabytes()
                * Math.min(1, progress * 3);
    }

    // --- ends ---

    private void succeeded(SimAttempt attempt) {
        TaskId task = attempt.id.getTaskId();
        long now = timeline.getTime();
        attempt.known.setProgress(1);
        count(attempt); // a task's last report comes before it says that it is done
        end(attempt, TaskAttemptState.SUCCEEDED);
        job.getTask(task).setState(TaskState.SUCCEEDED);
        ends.add(new End(seconds(now), isMap(task)));
        if (isMap(task)) {
            outputs.publish(task, 1);
            job.setCompletedMaps(job.getCompletedMaps() + 1);
            mapsEnd = now;
        } else {
            job.setCompletedReduces(job.getCompletedReduces() + 1);
        }
        tell(attempt);
        if (attempt.clone) {
            wonClones++;
        } else if (attempt.id.getId() > 0) {
            wonNew++;
        }
        for (var id : job.getTask(task).getAttempts().keySet()) {
            SimAttempt other = attempts.get(id);
            if (!other.hasEnded()) {
                other.winner = attempt;
                kill(other);
            }
        }
        askForReduces();
        endIfDone();
    }

    private void kill(SimAttempt attempt) {
        endUnused(attempt, TaskAttemptState.KILLED);
    }

    private void endUnused(SimAttempt attempt, TaskAttemptState state) {
        boolean waits = attempt.host == null;
        end(attempt, state);
        if (waits) {
            speculator.handle(new SpeculatorEvent(attempt.id.getTaskId(), -1));
            mapsWaiting -= isMap(attempt.id.getTaskId()) ? 1 : 0;
        }
    }

    private void end(SimAttempt attempt, TaskAttemptState state) {
        attempt.stop();
        attempt.known.setState(state);
        attempt.known.setFinishTime(timeline.getTime());
        thawed(attempt.id);
        if (attempt.host == null) {
            containers.withdraw(attempt.name);
        } else {
            containers.giveBack(attempt.host);
            lead.placement()
                    .ifPresent(
                            placement ->
                                    timeline.after(
                                            Containers.NODE_HEARTBEAT_MILLIS,
                                            () -> placement.cameFree(attempt.host)));
        }
        changed(attempt);
        lead.placement().ifPresent(placement -> placement.forget(attempt.id));
        lead.ended(attempt.id, state == TaskAttemptState.SUCCEEDED);
    }

    /** The host is known to be gone, with all that runs there. */
    void lose(SimHost host) {
        for (SimAttempt attempt : List.copyOf(attempts.values())) {
            if (attempt.host == host && !attempt.hasEnded()) {
                fail(attempt);
            }
        }
    }

    private void fail(SimAttempt attempt) {
        endUnused(attempt, TaskAttemptState.FAILED);
        boolean alone =
                job.getTask(attempt.id.getTaskId()).getAttempts().keySet().stream()
                        .allMatch(other -> attempts.get(other).hasEnded());
        if (alone) {
            begin(attempt.id.getTaskId());
        }
    }

    /** As Hadoop's TaskHeartbeatHandler: a task that only pings shows no progress. */
    private boolean endSilent() {
        long limit =
                conf.getLong(MRJobConfig.TASK_TIMEOUT, MRJobConfig.DEFAULT_TASK_TIMEOUT_MILLIS);
        for (SimAttempt attempt : List.copyOf(attempts.values())) {
            boolean runs = attempt.known.getState() == TaskAttemptState.RUNNING;
            if (runs && timeline.getTime() - attempt.movedMillis > limit) {
                fail(attempt);
            }
        }
        return !done;
    }

    // --- reduces ---

    /** As Hadoop's ramp-up: once some maps have ended, and no more than half while maps wait. */
    private void askForReduces() {
        double ended = (double) job.getCompletedMaps() / spec.maps();
        if (ended < conf.getFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, 0.05f)) {
            return;
        }
        int total = containers.most();
        int allowed =
                mapsWaiting > 0
                        ? (int) (total * Math.min(ended, MOST_FOR_REDUCES))
                        : spec.reduces();
        int asked = spec.reduces() - reducesToAsk.size();
        for (int i = asked; i < allowed && !reducesToAsk.isEmpty(); i++) {
            begin(reducesToAsk.remove());
        }
    }

    // --- for clones ---

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public AppContext context() {
        return context;
    }

    @Override
    public JobSpec spec() {
        return spec;
    }

    @Override
    public boolean isUnderWay(TaskAttemptId attempt) {
        SimAttempt known = attempts.get(attempt);
        return known.host != null && !known.hasEnded();
    }

    @Override
    public SimHost hostOf(TaskAttemptId attempt) {
        return attempts.get(attempt).host;
    }

    @Override
    public List<SimHost> hostsForMore() {
        return containers.room();
    }

    @Override
    public double remainingMillis(TaskAttemptId attempt) {
        Execution work = attempts.get(attempt).work;
        return work == null ? Double.NaN : work.remainingMillis();
    }

    @Override
    public double leastRestMillis(TaskAttemptId original) {
        return attempts.get(original).work.leastMillis(spec.host());
    }

    @Override
    public TaskAttemptId secondOf(TaskAttemptId original) {
        var all = job.getTask(original.getTaskId()).getAttempts().keySet();
        return all.stream()
                .filter(other -> !other.equals(original) && !attempts.get(other).hasEnded())
                .findFirst()
                .orElseGet(() -> MRBuilderUtils.newTaskAttemptId(original.getTaskId(), all.size()));
    }

    @Override
    public double fromZeroMillis(TaskAttemptId original, SimHost host) {
        return execution(secondOf(original), Execution.Position.BEGIN, host, null)
                .remainingMillis();
    }

    @Override
    public double restMillis(TaskAttemptId original, SimHost host) {
        return execution(secondOf(original), attempts.get(original).work.position(), host, null)
                .remainingMillis();
    }

    @Override
    public double fileMegabytes(TaskAttemptId original) {
        SimAttempt attempt = attempts.get(original);
        TaskId task = original.getTaskId();
        boolean publishes = isMap(task) && spec.perSpill() && spec.reduces() > 0;
        if (!publishes) {
            return localMegabytes(attempt);
        }
        return attempt.work == null
                ? 0
                : plans.size(task) * plans.unspilled(attempt.work.progress());
    }

    @Override
    public OptionalLong boundaryMillis(TaskAttemptId original) {
        Execution work = attempts.get(original).work;
        if (!isMap(original.getTaskId()) || !spec.perSpill() || work == null) {
            return OptionalLong.empty();
        }
        double millis = work.publishesInMillis();
        return millis <= boundaryPatienceMillis
                ? OptionalLong.of(Math.round(millis))
                : OptionalLong.empty();
    }

    @Override
    public double imageMegabytes(TaskAttemptId original) {
        boolean givesBack = boundaryMillis(original).isPresent();
        return spec.costs().memoryMegabytes() * (givesBack ? WITHOUT_BUFFER : 1);
    }

    @Override
    public boolean hears(TaskAttemptId attempt) {
        return !attempts.get(attempt).host.isLost();
    }

    @Override
    public Optional<String> obstacle(TaskAttemptId original) {
        Execution work = attempts.get(original).work;
        boolean isMap = isMap(original.getTaskId());
        if (work.isAtLongFetch()) {
            return Optional.of("it waits for a fetch");
        }
        boolean canSort = spec.perSpill() && work.isSorting();
        boolean can = work.isUnderWay() && (!isMap || work.phase() != Phase.SORT || canSort);
        return can
                ? Optional.empty()
                : Optional.of(
                        isMap
                                ? "it isn't reading records now"
                                : "it isn't shuffling, sorting or reducing now");
    }

    @Override
    public boolean comesToRest(TaskAttemptId original) {
        Execution work = attempts.get(original).work;
        return obstacle(original).isEmpty() && !work.hangs() && !work.isAtLongRecord();
    }

    @Override
    public void freeze(TaskAttemptId original) {
        SimAttempt attempt = attempts.get(original);
        if (!attempt.hasEnded()) {
            frozenSince.put(original, timeline.getTime());
            attempt.work.halt();
            images.put(original, attempt.work.position());
        }
    }

    @Override
    public void thaw(TaskAttemptId original) {
        SimAttempt attempt = attempts.get(original);
        if (thawed(original) && !attempt.hasEnded()) {
            attempt.work.goOn();
        }
    }

    private boolean thawed(TaskAttemptId original) {
        Long since = frozenSince.remove(original);
        if (since != null) {
            frozenMillis += timeline.getTime() - since;
        }
        return since != null;
    }

    // --- what became of it ---

    private static boolean isMap(TaskId task) {
        return task.getTaskType() == TaskType.MAP;
    }

    private double seconds(long millis) {
        return (millis - submitted) / 1e3;
    }

    /** What attempts were held for that didn't win, without what lives on in a clone that won. */
    private ThrownAway thrownAway() {
        attempts.values().stream()
                .filter(SimAttempt::hasWon)
                .forEach(SimAttempt::noteWhatItContinued);
        return ThrownAway.by(attempts.values());
    }

    private RunRecord record() {
        int clones = (int) orders.stream().filter(Order::cloned).count();
        return new RunRecord(
                seconds(timeline.getTime()),
                seconds(mapsEnd),
                firstReduce == 0 ? 0 : seconds(firstReduce),
                shuffleEnd == 0 ? 0 : seconds(shuffleEnd),
                orders.size() - clones,
                clones,
                wonNew,
                ranClones,
                wonClones,
                thrownAway(),
                attempts.values().stream().mapToLong(SimAttempt::heldMillis).sum() / 1e3,
                orderToRunningMillis,
                frozenMillis,
                timeline.happened(),
                List.copyOf(orders),
                List.copyOf(ends),
                Collections.unmodifiableSortedSet(speculated));
    }
}
