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
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.limits.Permission;
import org.apache.hadoop.clone.placement.HostAnswers;
import org.apache.hadoop.clone.placement.HostClasses;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneLimits;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneTravel;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.CloneWorth;
import org.apache.hadoop.clone.score.CostRules;
import org.apache.hadoop.clone.score.LearnedCosts;
import org.apache.hadoop.clone.score.Outcome;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.clone.speculate.Footprint;
import org.apache.hadoop.clone.speculate.SecondAttemptKill;
import org.apache.hadoop.clone.speculate.SteadyClock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerRemoteLaunchEvent;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads every clone of a job through its {@linkplain CloneState states}. It hears of orders from
 * the speculator, of answers from tasks, of containers and ends from the AppMaster's own events.
 *
 * <p>Plans are kept by task: which attempt will be the clone isn't known until it is launched.
 */
final class CloneCoordinator implements Cloner, AwaitedClones, CloneService.CloneListener {
    private static final Logger LOG = LoggerFactory.getLogger(CloneCoordinator.class);

    /** An agent that is well answers within milliseconds. */
    private static final long ANSWER_MILLIS = TimeUnit.SECONDS.toMillis(10);

    /**
     * What is left in memory when a map with per-spill outputs has given back its buffer, before
     * the first of them has shown it: 90 to 130 MB of 300 to 480.
     */
    private static final double GIVEN_BACK_SHARE = 0.3;

    private static final String NOT_ASKING = "its agent doesn't ask for orders";

    /** A job's id, and what it is on the wire. */
    private record Wire(JobId yarn, JobID job) {}

    private final AppContext context;
    private final SteadyClock clock;
    private final Orders orders;
    private final LaunchSecrets secrets;
    private final CostRules rules;
    private final LearnedCosts learned;
    private final HostAnswers hostAnswers;
    private final CloneJournal journal;
    private final CloneRegister register = new CloneRegister();
    private final CloneSettings settings;
    private final CloneBreaker breaker;
    private final SecureRandom random = new SecureRandom();
    private final Map<TaskId, Clone> open = new HashMap<>();
    private final Map<TaskAttemptId, TaskAttemptId> originals = new HashMap<>();
    private final Set<TaskAttemptId> launchedAsClones = new HashSet<>();
    private final Map<TaskAttemptId, Footprint> told = new HashMap<>();
    private Rescorer rescorer = (original, sinceLaunchMillis) -> Optional.empty();
    private Launch launch = event -> {};
    private volatile Wire wire;
    private volatile Supplier<Permission> permission = () -> Permission.ALL;
    private volatile boolean hasOtherNodes = true;
    private long serial;

    /** Scores an attempt again, so long after the launch of its clone's container. */
    interface Rescorer {
        /**
         * @return empty if it doesn't run any more
         */
        Optional<CloneScore> score(TaskAttemptId original, long sinceLaunchMillis);
    }

    /** Hands a held launch on. */
    interface Launch {
        void now(ContainerRemoteLaunchEvent event);
    }

    CloneCoordinator(
            Configuration conf,
            AppContext context,
            Orders orders,
            LaunchSecrets secrets,
            CloneCosts costs,
            CostRules rules,
            PlacementRules placement) {
        this.context = context;
        clock = new SteadyClock(() -> context.getClock().getTime());
        this.orders = orders;
        this.secrets = secrets;
        this.rules = rules;
        hostAnswers = new HostAnswers(placement);
        boolean perSpill = SpillService.isWanted(conf);
        learned =
                new LearnedCosts(
                        costs,
                        kind -> perSpill && kind == TaskType.MAP ? GIVEN_BACK_SHARE : 1,
                        rules,
                        this::now);
        journal = new CloneJournal(context);
        settings = CloneSettings.of(conf);
        breaker = new CloneBreaker(settings.maxFailures());
    }

    /** Before the first order. */
    synchronized void connect(Rescorer rescorer, Launch launch) {
        this.rescorer = rescorer;
        this.launch = launch;
    }

    /** Before the first order, where operators have a switch. */
    void obey(Supplier<Permission> operators) {
        permission = operators;
    }

    /**
     * @param nodes how many the cluster has
     */
    void clusterHas(int nodes) {
        hasOtherNodes = nodes != 1;
    }

    CloneRegister register() {
        return register;
    }

    /** The counters of its clones, as far as they are counted here. */
    Map<String, Long> counted() {
        return journal.counted();
    }

    /** How many clones there are in each state that is no end. */
    synchronized Map<String, Long> underWay() {
        Map<String, Long> clones = new LinkedHashMap<>();
        for (CloneState state : CloneState.values()) {
            if (!state.isEnd()) {
                clones.put(state.name(), 0L);
            }
        }
        open.values().forEach(clone -> clones.merge(clone.state.name(), 1L, Long::sum));
        return clones;
    }

    LearnedCosts learned() {
        return learned;
    }

    // --- the speculator asks and orders ---

    @Override
    public Permission permission() {
        return permission.get();
    }

    @Override
    public synchronized Optional<String> obstacle(TaskAttemptId attempt) {
        if (!isCloneable(attempt)) {
            return Optional.of("reduces aren't cloned: " + CloneKeys.REDUCE + " is false");
        }
        Clone underWay = open.get(attempt.getTaskId());
        if (underWay != null && !underWay.original.equals(attempt)) {
            return Optional.of("its task has a clone"); // which it may be itself
        }
        if (!hasOtherNodes) {
            return Optional.of("the cluster has no other node");
        }
        Optional<String> alone =
                host(attempt).filter(host -> !settings.hostClasses().hasPartner(host));
        if (alone.isPresent()) {
            return Optional.of(
                    "by " + CloneKeys.HOST_CLASSES + " no other host can go on for " + alone.get());
        }
        Optional<String> known = breaker.obstacle(attempt, now());
        if (known.isEmpty() && !orders.asks(wire(attempt))) {
            return Optional.of(NOT_ASKING);
        }
        return known;
    }

    HostClasses hostClasses() {
        return settings.hostClasses();
    }

    /** Whether tasks of this kind are cloned at all. */
    boolean isCloneable(TaskAttemptId attempt) {
        return settings.reduces() || attempt.getTaskId().getTaskType() == TaskType.MAP;
    }

    @Override
    public synchronized boolean isBeingCloned(TaskAttemptId attempt) {
        Clone clone = open.get(attempt.getTaskId());
        return clone != null && clone.original.equals(attempt) && clone.attempt == null;
    }

    /** By a score of now, without the lock: see {@link #mayFreeze}. */
    @Override
    public boolean helpsFromZero(TaskAttemptId original) {
        return rescorer.score(original, 0)
                .map(score -> score.withoutClone().best() == Outcome.NEW)
                .orElse(true);
    }

    @Override
    public Optional<Long> cloneBytes(TaskAttemptId id) {
        return taskAttempt(id).map(attempt -> cloneBytes(id, Footprint.of(attempt)));
    }

    @Override
    public synchronized long cloneBytes(TaskAttemptId id, Footprint counted) {
        Footprint known = told.getOrDefault(id, counted);
        // What it reports later is what it holds later.
        long memoryBytes = counted.memoryBytes() > 0 ? counted.memoryBytes() : known.memoryBytes();
        return known.localBytes() + learned.imageBytes(id.getTaskId().getTaskType(), memoryBytes);
    }

    @Override
    public synchronized double leastCloneMillis(TaskAttemptId attempt) {
        return host(attempt).map(host -> hostAnswers.cloneMillis(host, now())).orElse(0.0);
    }

    private Optional<String> host(TaskAttemptId attempt) {
        return taskAttempt(attempt).map(TaskAttempt::getNodeId).map(NodeId::getHost);
    }

    @Override
    public synchronized CloneCosts costs() {
        return learned.costs();
    }

    @Override
    public synchronized Optional<TaskAttemptId> originalOf(TaskAttemptId attempt) {
        return Optional.ofNullable(originals.get(attempt));
    }

    @Override
    public synchronized void clone(TaskAttemptId original, CloneScore score) {
        if (!open.containsKey(original.getTaskId())) {
            ask(original, null, score);
        }
    }

    @Override
    public boolean replaces() {
        return true;
    }

    @Override
    public synchronized void cloneInPlaceOf(
            TaskAttemptId second, TaskAttemptId original, CloneScore score) {
        Clone before = open.get(original.getTaskId());
        if (before == null || before.state == CloneState.RUNNING && before.isItsAttempt(second)) {
            ask(original, second, score);
        }
    }

    /**
     * @param second is to end in favour of the clone; may be null
     */
    private void ask(TaskAttemptId original, TaskAttemptId second, CloneScore score) {
        if (!permission().isOn()) {
            return;
        }
        if (!orders.asks(wire(original))) {
            return; // it has ended since it was scored
        }
        byte[] nonce = new byte[OneTimeKey.NONCE_BYTES];
        random.nextBytes(nonce);
        Clone clone = new Clone(++serial, original, nonce, CloneWorth.of(score, rules), now());
        clone.otherwiseMillis = otherwise(score);
        register.entered(clone, "");
        clone.inPlaceOf = second;
        clone.before = open.get(original.getTaskId());
        clone.originalsHost = host(original).orElse("");
        open.put(original.getTaskId(), clone);
        journal.count(CloneCounter.CLONES_ORDERED, 1);
        LOG.info("{} ordered: {}", clone, score);
        askOn(clone.originalsHost);
    }

    /**
     * On a host of which nothing is known originals are asked one after the other: together they
     * would be slow because of each other, and look as if the host were.
     */
    private void askOn(String host) {
        List<Clone> there =
                open.values().stream()
                        .filter(clone -> clone.state == CloneState.ASKED)
                        .filter(clone -> clone.originalsHost.equals(host))
                        .sorted(Comparator.comparingLong(clone -> clone.id))
                        .toList();
        for (Clone clone : there) {
            if (clone.isToBeAsked()
                    && (hostAnswers.isKnown(host, now())
                            || there.stream().noneMatch(Clone::isBeingAsked))) {
                ask(clone, hostAnswers.cloneMillis(host, now()));
            }
        }
    }

    /**
     * @param leastMillis what its clone takes, by what is known of its host by now
     */
    private void ask(Clone clone, double leastMillis) {
        CloneWorth worth = clone.worth.answered(sinceOrder(clone), leastMillis);
        Optional<String> objection = worth.objection();
        if (objection.isPresent()) {
            happens(
                    clone,
                    CloneEvent.REFUSED,
                    worth.isHostSlow()
                            ? "another on its host was slow to answer"
                            : objection.get());
        } else {
            clone.stateSinceMillis = now();
            question(clone);
        }
    }

    private void question(Clone clone) {
        clone.questions++;
        clone.askedMillis = now();
        if (!orders.put(wire(clone.original), CloneOrder.prepare(++serial, clone.id))) {
            happens(clone, CloneEvent.REFUSED, NOT_ASKING);
        }
    }

    private long sinceOrder(Clone clone) {
        return now() - clone.orderedMillis;
    }

    /** By itself or from zero, whichever is sooner. */
    private double otherwise(CloneScore score) {
        return now() + Math.min(score.remainingMillis(), score.newEndMillis());
    }

    /** Whether a clone of the task has been ordered, and hasn't ended. */
    synchronized boolean isUnderWay(TaskId task) {
        return open.containsKey(task);
    }

    private CloneLimits limits(Clone clone) {
        long patienceMillis = clone.worth.patienceMillis(settings.mostPatienceMillis());
        return new CloneLimits(patienceMillis, patienceMillis + settings.limitMillis());
    }

    /** Whether the attempt goes on where another one was. */
    boolean isClone(TaskAttemptId attempt) {
        return originalOf(attempt).isPresent();
    }

    // --- tasks answer and ask ---

    @Override
    public synchronized void answered(TaskAttemptID attempt, CloneAnswer answer) {
        Clone clone = open.get(TypeConverter.toYarn(attempt).getTaskId());
        if (clone == null
                || clone.id != answer.cloneId()
                || !wire(clone.original).equals(attempt)) {
            if (answer.kind() == CloneAnswer.Kind.SENT) {
                journal.sent(answer);
            }
            LOG.info("Too late: {} of {}", answer, attempt);
            return;
        }
        switch (answer.kind()) {
            case ABLE -> {
                told.put(clone.original, new Footprint(answer.fileBytes(), answer.memoryBytes()));
                able(clone, answer);
            }
            case OFFERED -> {
                clone.address = answer.address();
                clone.source = answer.paths();
                happens(clone, CloneEvent.OFFERED, "");
            }
            case SENT -> {
                journal.sent(answer);
                clone.sent = answer;
                learn(clone);
                LOG.info(
                        "{}: original frozen for {} ms, idle for {} ms; {}",
                        clone,
                        answer.frozenMillis(),
                        answer.gateMillis(),
                        answer.travel());
            }
            case REFUSED -> happens(clone, CloneEvent.REFUSED, answer.reason());
            case FAILED -> happens(clone, CloneEvent.FAILED, answer.reason());
        }
    }

    private void able(Clone clone, CloneAnswer answer) {
        if (!clone.isBeingAsked()) {
            return;
        }
        // It may not have been in any report yet.
        clone.memoryBytes = answer.memoryBytes();
        long cloneBytes = cloneBytes(clone.original, told.get(clone.original));
        clone.worth = clone.worth.costing(learned.costs().cloneMillis(cloneBytes));
        long waitedMillis = answer.waitedMillis();
        long answerMillis = now() - clone.askedMillis;
        LOG.info(
                "{}: answered after {} ms, of which it waited for {}",
                clone,
                answerMillis,
                waitedMillis);
        clone.leastMillis =
                Math.min(
                        clone.leastMillis,
                        CloneWorth.leastMillis(answerMillis, waitedMillis, rules));
        if (clone.questions == 1 && worth(clone).isHostSlow()) {
            // A process loads the code that answers when it is asked for the first time.
            question(clone);
        } else {
            judge(clone);
        }
    }

    private CloneWorth worth(Clone clone) {
        return clone.worth.answered(sinceOrder(clone), clone.leastMillis);
    }

    /** By its quickest answer. */
    private void judge(Clone clone) {
        clone.worth = worth(clone);
        hostAnswers.answered(clone.originalsHost, clone.leastMillis, usualMillis(clone), now());
        Optional<String> objection = clone.worth.objection();
        happens(
                clone,
                objection.isEmpty() ? CloneEvent.ABLE : CloneEvent.REFUSED,
                objection.orElse(""));
    }

    private static double usualMillis(Clone clone) {
        return clone.worth.score().newEndMillis();
    }

    /** From the launch on: a new attempt would have waited for its container as long. */
    private void learn(Clone clone) {
        CloneAnswer sent = clone.sent;
        // Original and clone tell at about the same time, each from its host.
        if (sent != null && clone.state == CloneState.RUNNING) {
            CloneTravel travel = sent.travel();
            long vmMillis = clone.runningMillis - clone.launchedMillis - travel.millis();
            learned.learn(Math.max(vmMillis, 0), travel.bytes(), travel.millis());
            learned.learnImage(
                    clone.original.getTaskId().getTaskType(),
                    travel.imageBytes(),
                    clone.memoryBytes);
            journal.travelled(travel);
        }
    }

    @Override
    public FreezeLeave mayFreeze(TaskAttemptID original, long id, long linkBytesPerMilli) {
        TaskAttemptId attempt = TypeConverter.toYarn(original);
        // The score is worked out without the lock: the speculator asks us while it holds its own.
        Optional<CloneScore> score = rescorer.score(attempt, now() - launchedMillis(attempt));
        synchronized (this) {
            Clone clone = open.get(attempt.getTaskId());
            if (clone == null || clone.id != id || !clone.state.isCloneProcess()) {
                return FreezeLeave.REFUSED;
            }
            score.ifPresent(known -> clone.otherwiseMillis = otherwise(known));
            if (linkBytesPerMilli > 0 && clone.linkBytesPerMilli == 0) {
                sampled(clone, linkBytesPerMilli);
            }
            return switch (score.map(now -> best(clone, now)).orElse(Outcome.NONE)) {
                case CLONE -> freeze(clone);
                case NEW -> {
                    if (clone.linkBytesPerMilli > 0) {
                        learned.learnLink(clone.linkBytesPerMilli);
                    }
                    happens(clone, CloneEvent.VETOED, "an attempt from zero is sooner by now");
                    yield FreezeLeave.REFUSED;
                }
                case NONE -> FreezeLeave.LATER;
            };
        }
    }

    /** Of each clone once: the original may ask several times, with the same sample. */
    private void sampled(Clone clone, long bytesPerMilli) {
        clone.linkBytesPerMilli = bytesPerMilli;
        // Its files have travelled by now.
        long imageBytes =
                learned.imageBytes(clone.original.getTaskId().getTaskType(), clone.memoryBytes);
        double millis = learned.travelMillis(bytesPerMilli, imageBytes);
        clone.worth = clone.worth.travelling(millis);
        LOG.info(
                "{}: its link gives {} bytes/ms, so its image travels for {} ms",
                clone,
                bytesPerMilli,
                Math.round(millis));
    }

    private Outcome best(Clone clone, CloneScore usual) {
        return clone.worth.atFreeze(
                usual, now() - clone.launchedMillis, clone.state == CloneState.FREEZING);
    }

    private FreezeLeave freeze(Clone clone) {
        // The AppMaster may lag behind the container that it launched; a clone that reported to it
        // before it knows its attempt would be told to end.
        if (!isRunning(clone.attempt)) {
            return FreezeLeave.LATER;
        }
        return clone.state == CloneState.FREEZING || happens(clone, CloneEvent.FROZEN, "")
                ? FreezeLeave.GRANTED
                : FreezeLeave.REFUSED;
    }

    private boolean isRunning(TaskAttemptId attempt) {
        return taskAttempt(attempt)
                .map(TaskAttempt::getState)
                .filter(state -> state == TaskAttemptState.RUNNING)
                .isPresent();
    }

    private synchronized long launchedMillis(TaskAttemptId original) {
        Clone clone = open.get(original.getTaskId());
        return clone == null ? now() : clone.launchedMillis;
    }

    @Override
    public synchronized CloneIdentity becomeClone(
            TaskAttemptID original, long id, String containerId) throws IOException {
        Clone clone = open.get(TypeConverter.toYarn(original).getTaskId());
        if (clone == null
                || clone.id != id
                || !containerId.equals(clone.containerId)
                || !happens(clone, CloneEvent.BECAME, "")) {
            throw new IOException(
                    "no clone of " + original + " is expected in " + containerId + ", or no more");
        }
        return new CloneIdentity(wire(clone.attempt), clone.containerId, clone.host);
    }

    @Override
    public synchronized void cloneRunning(TaskAttemptID attempt, long id) throws IOException {
        Clone clone = open.get(TypeConverter.toYarn(attempt).getTaskId());
        if (clone == null
                || clone.id != id
                || !wire(clone.attempt).equals(attempt)
                || !happens(clone, CloneEvent.REGISTERED, "")) {
            throw new IOException(attempt + " isn't a clone, or no more");
        }
    }

    // --- the AppMaster's own events ---

    /**
     * A container is to be launched.
     *
     * @return whether the launch is held back; it will be handed on later, changed or not
     */
    synchronized boolean launching(ContainerRemoteLaunchEvent event) {
        TaskAttemptId attempt = event.getTaskAttemptID();
        Clone clone = open.get(attempt.getTaskId());
        if (clone == null
                || clone.attempt != null
                || attempt.equals(clone.original)
                || clone.state != CloneState.WAITING) {
            return false;
        }
        clone.attempt = attempt;
        clone.containerId = event.getContainerID().toString();
        clone.host = event.getAllocatedContainer().getNodeId().getHost();
        clone.heldLaunch = event;
        if (clone.host.equals(clone.originalsHost)) {
            // Whatever file it keeps outside of its container would be its original's.
            happens(clone, CloneEvent.BESIDE, "no host but its original's has room");
        } else {
            happens(clone, CloneEvent.CONTAINER, "");
        }
        return true;
    }

    /** An attempt of the job has succeeded, or was killed, or was no clone and failed. */
    synchronized void ended(TaskAttemptId attempt, boolean succeeded) {
        ended(
                attempt,
                succeeded ? CloneEvent.CLONE_SUCCEEDED : CloneEvent.CLONE_ENDED,
                "its attempt has ended");
    }

    /** What ran or was to run as a clone has failed, and is taken back. */
    synchronized void failed(TaskAttemptId attempt, String why) {
        ended(attempt, CloneEvent.CLONE_FAILED, "its attempt has failed: " + why);
    }

    private void ended(TaskAttemptId attempt, CloneEvent ofClone, String why) {
        told.remove(attempt);
        orders.forget(wire(attempt));
        Clone clone = open.get(attempt.getTaskId());
        if (clone == null) {
            return;
        }
        if (attempt.equals(clone.original)) {
            happens(clone, CloneEvent.ORIGINAL_ENDED, "the original has ended");
        } else if (clone.isItsAttempt(attempt)) {
            happens(clone, ofClone, why);
        } else if (clone.before != null && clone.before.isItsAttempt(attempt)) {
            happens(clone.before, ofClone, why);
        }
    }

    /** A second attempt that was to end goes on: it ends by itself, or the task would have none. */
    synchronized void keeps(TaskAttemptId second) {
        Clone clone = open.get(second.getTaskId());
        if (clone != null && clone.state == CloneState.WAITING && second.equals(clone.inPlaceOf)) {
            happens(clone, CloneEvent.CLONE_ENDED, second + " goes on");
        }
    }

    /** Whether the attempt's process is, or may become, a clone: its failures are no failures. */
    synchronized boolean isCloneProcess(TaskAttemptId attempt) {
        Clone clone = open.get(attempt.getTaskId());
        return clone != null && clone.isProcessOf(attempt);
    }

    /**
     * Whether the attempt's process may be a clone, be it one that came too late and is turned
     * away: its container was launched to pull one, and it isn't known to have begun at zero.
     */
    synchronized boolean mayBeClone(TaskAttemptId attempt) {
        return isCloneProcess(attempt)
                || launchedAsClones.contains(attempt) && !hasBegunAtZero(attempt);
    }

    /**
     * A process asks for orders and reports once it is its attempt; a clone that runs isn't meant.
     */
    private boolean hasBegunAtZero(TaskAttemptId attempt) {
        return orders.asks(wire(attempt))
                || taskAttempt(attempt).map(TaskAttempt::getPhase).orElse(Phase.STARTING)
                        != Phase.STARTING;
    }

    /**
     * Ends what lasts too long, and what operators don't want any more; to be called every second
     * or so. A clone that runs is an attempt like any other, and stays.
     */
    synchronized void tick() {
        permission()
                .off()
                .ifPresent(
                        why ->
                                List.copyOf(open.values())
                                        .forEach(
                                                clone ->
                                                        happens(
                                                                clone,
                                                                CloneEvent.SWITCHED_OFF,
                                                                why)));
        for (Clone clone : new ArrayList<>(open.values())) {
            if (now() - clone.stateSinceMillis > limitOf(clone)) {
                tookTooLong(clone);
            } else if (clone.isToBeAsked()) {
                askOn(clone.originalsHost);
            }
        }
    }

    private void tookTooLong(Clone clone) {
        if (clone.isBeingAsked() && clone.hasAnswered()) {
            judge(clone);
            return;
        }
        if (clone.isBeingAsked()) {
            double leastMillis = CloneWorth.leastMillis(now() - clone.askedMillis, 0, rules);
            hostAnswers.silent(clone.originalsHost, leastMillis, usualMillis(clone), now());
        }
        happens(clone, CloneEvent.TIME_OUT, clone.state + " for too long");
    }

    private long limitOf(Clone clone) {
        return switch (clone.state) {
            case ASKED -> clone.isBeingAsked() ? ANSWER_MILLIS : Long.MAX_VALUE;
            case OFFERING, BECOMING -> ANSWER_MILLIS;
            case PULLING -> limits(clone).patienceMillis() + ANSWER_MILLIS;
            case FREEZING -> settings.limitMillis();
            default -> Long.MAX_VALUE;
        };
    }

    // --- effects ---

    /** Whether the event meant something. */
    private boolean happens(Clone clone, CloneEvent event, String why) {
        Optional<CloneState> next = clone.state.after(event);
        if (next.isEmpty()) {
            LOG.debug("{} is {}: {} means nothing", clone, clone.state, event);
            return false;
        }
        CloneState before = clone.state;
        clone.state = next.get();
        clone.stateSinceMillis = now();
        LOG.info("{}: {} -> {}{}", clone, before, clone.state, why.isEmpty() ? "" : ": " + why);
        register.entered(clone, why);
        enter(clone, before, event, why);
        if (before == CloneState.ASKED) {
            askOn(clone.originalsHost);
        }
        return true;
    }

    private void enter(Clone clone, CloneState before, CloneEvent event, String why) {
        switch (clone.state) {
            case WAITING -> order(clone);
            case OFFERING ->
                    orders.put(
                            wire(clone.original),
                            CloneOrder.offer(++serial, clone.id, clone.nonce, limits(clone)));
            case PULLING -> launchAsClone(clone);
            case RUNNING -> runs(clone);
            case WON -> {
                journal.count(CloneCounter.CLONES_WON, 1);
                journal.count(CloneCounter.WON_MILLIS, wonMillis(clone));
                breaker.won();
                close(clone);
            }
            case LOST -> {
                if (event == CloneEvent.CLONE_FAILED) {
                    died(clone, why);
                }
                close(clone);
            }
            case FELL_BACK -> {
                journal.count(CloneCounter.CLONES_FELL_BACK, 1);
                comesToNothing(clone, before, event, why);
            }
            case GIVEN_UP -> {
                journal.count(CloneCounter.CLONES_GIVEN_UP, 1);
                comesToNothing(clone, before, event, why);
            }
            default -> LOG.debug("{}: nothing to do", clone);
        }
    }

    /** The task's clone is then the one before, if that still runs. */
    private void close(Clone clone) {
        TaskId task = clone.original.getTaskId();
        Clone last = open.get(task);
        if (last == clone && clone.before != null) {
            open.put(task, clone.before);
        } else if (last == clone) {
            open.remove(task);
        } else if (last != null && last.before == clone) {
            last.before = null;
        }
    }

    /** Only a running task may be given an attempt; any other state would end the job. */
    private void order(Clone clone) {
        TaskId id = clone.original.getTaskId();
        Optional<Task> running = task(id).filter(task -> task.getState() == TaskState.RUNNING);
        if (running.isEmpty()) {
            happens(clone, CloneEvent.CLONE_ENDED, "its task isn't running any more");
            return;
        }
        clone.lastBefore =
                running.get().getAttempts().keySet().stream()
                        .mapToInt(TaskAttemptId::getId)
                        .max()
                        .orElse(clone.original.getId());
        // Hadoop begins another attempt for each that is killed.
        context.getEventHandler()
                .handle(
                        clone.inPlaceOf == null
                                ? new TaskEvent(id, TaskEventType.T_ADD_SPEC_ATTEMPT)
                                : new SecondAttemptKill(clone.inPlaceOf));
    }

    private Optional<Task> task(TaskId id) {
        return Optional.ofNullable(context.getJob(id.getJobId())).map(job -> job.getTask(id));
    }

    private Optional<TaskAttempt> taskAttempt(TaskAttemptId id) {
        return task(id.getTaskId()).map(task -> task.getAttempt(id));
    }

    private void launchAsClone(Clone clone) {
        clone.launchedMillis = now();
        try {
            toPull(clone, clone.heldLaunch.getContainerLaunchContext());
        } catch (IOException | RuntimeException e) {
            LOG.error("{} can't be launched", clone, e);
            happens(clone, CloneEvent.FAILED, e.toString());
            return;
        }
        originals.put(clone.attempt, clone.original);
        launchedAsClones.add(clone.attempt);
        journal.diagnose(clone.attempt, "clone of " + clone.original);
        launchHeld(clone);
    }

    private void toPull(Clone clone, ContainerLaunchContext container) throws IOException {
        String command =
                LaunchCommand.asClone(
                        container.getCommands().get(0),
                        settings.tool(),
                        clone.address,
                        clone.source,
                        limits(clone));
        secrets.addKey(container, clone.id, clone.nonce);
        container.setCommands(List.of(command));
    }

    private void launchAsItWas(Clone clone) {
        originals.remove(clone.attempt);
        launchHeld(clone);
    }

    private void launchHeld(Clone clone) {
        ContainerRemoteLaunchEvent held = clone.heldLaunch;
        clone.heldLaunch = null;
        if (held != null) {
            launch.now(held);
        }
    }

    private void runs(Clone clone) {
        long now = now();
        breaker.ran();
        journal.count(CloneCounter.CLONES_RUNNING, 1);
        journal.count(CloneCounter.ORDER_TO_RUNNING_MILLIS, now - clone.orderedMillis);
        journal.count(CloneCounter.LAUNCH_TO_RUNNING_MILLIS, now - clone.launchedMillis);
        clone.runningMillis = now;
        learn(clone);
        LOG.info(
                "{} runs, {} ms after its order and {} ms after its launch",
                clone,
                now - clone.orderedMillis,
                now - clone.launchedMillis);
    }

    /** A rate of zero makes an end that never comes: nobody knows what was won there. */
    private long wonMillis(Clone clone) {
        double won = clone.otherwiseMillis - now();
        return Double.isFinite(won) ? Math.round(Math.max(0, won)) : 0;
    }

    private void died(Clone clone, String why) {
        String text = "its clone " + clone.attempt + " died after it ran: " + why;
        breaker.died(clone.original.getTaskId(), text);
        journal.count(CloneCounter.CLONES_DIED, 1);
        journal.diagnose(clone.original, "no clone any more: " + text);
    }

    private void comesToNothing(Clone clone, CloneState before, CloneEvent event, String why) {
        launchAsItWas(clone);
        close(clone);
        orders.put(wire(clone.original), CloneOrder.cancel(++serial, clone.id));
        if (breaker.cameToNothing(clone.original, before, event, why, now())) {
            journal.diagnose(clone.original, "no clone: " + why);
        }
        if (clone.attempt != null) {
            journal.diagnose(clone.attempt, "begun at zero instead of cloned: " + why);
        }
    }

    private long now() {
        return clock.getTime();
    }

    // The job's id is most of what is to be converted, and a look asks of thousands of attempts.
    private TaskAttemptID wire(TaskAttemptId attempt) {
        TaskId task = attempt.getTaskId();
        Wire known = wire;
        if (known == null || !known.yarn.equals(task.getJobId())) {
            known =
                    new Wire(
                            task.getJobId(),
                            JobID.downgrade(TypeConverter.fromYarn(task.getJobId())));
            wire = known;
        }
        return new TaskAttemptID(
                new TaskID(known.job, TypeConverter.fromYarn(task.getTaskType()), task.getId()),
                attempt.getId());
    }
}
