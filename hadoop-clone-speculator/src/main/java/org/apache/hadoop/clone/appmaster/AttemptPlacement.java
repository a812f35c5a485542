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

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.clone.placement.ContainerVerdict;
import org.apache.hadoop.clone.placement.FirstContainer;
import org.apache.hadoop.clone.placement.HostClasses;
import org.apache.hadoop.clone.placement.NodePreference;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.placement.WithheldHosts;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.rm.AllocatorDoor;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the second attempt of a task may run: not beside a running first one, as long as another
 * host is to be expected, preferably where this job's attempts are fast ({@link NodePreference}).
 * And where a first one had better not: on a slow host, as long as a better one is likely to come
 * soon enough ({@link FirstContainer}). Asked for attempts of every kind, clones and new ones, on
 * the AppMaster's one event thread: nothing there takes the longer the more tasks there are, or,
 * while backups wait, the more hosts. Only where a slow host is given back all are visited that
 * wait, and these are the last ones.
 */
final class AttemptPlacement {
    /** How often containers were given back for an attempt, and when first. */
    private record Refusals(int count, long sinceMillis) {
        static final Refusals NONE = new Refusals(0, 0);

        Refusals oneMore(long now) {
            return new Refusals(count + 1, count == 0 ? now : sinceMillis);
        }

        long waitedMillis(long now) {
            return count == 0 ? 0 : now - sinceMillis;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(AttemptPlacement.class);

    /** It is no matter of the last map's end whether attempts of a task run side by side. */
    private static final boolean ALWAYS = true;

    private static final int MANY = Integer.MAX_VALUE;

    private final AppContext context;
    private final boolean avoidsSlowHosts;
    private final PlacementRules rules;
    private final HostClasses classes;
    private final AwaitedClones awaitedClones;
    private final JobHosts hosts;
    private final WithheldHosts withheld;

    /** Those of attempts beside which backups have refused to run. */
    private final WithheldHosts besideOthers;

    // These and below in the order in which they asked: in it they ask again.
    private final Map<TaskAttemptId, ContainerRequestEvent> backups = new LinkedHashMap<>();

    /** Maps ask when nothing is known of any host yet, so all that wait are kept. */
    private final Map<TaskType, Map<TaskAttemptId, ContainerRequestEvent>> firsts =
            new EnumMap<>(TaskType.class);

    /** Those that wait for a container, wherever it is. */
    private final Set<TaskAttemptId> takingAny = new HashSet<>();

    private final Map<TaskAttemptId, Refusals> refusals = new HashMap<>();

    /** Until when backups are to have what comes free. */
    private final Map<TaskAttemptId, Long> promisedMillis = new HashMap<>();

    private final Map<TaskAttemptId, Long> dueMillis = new LinkedHashMap<>();
    private int refusedFirsts;
    private int nodes = MANY;

    /**
     * @param clones which attempts began as clones, and so didn't do all of their work themselves
     * @param avoidsSlowHosts whether first attempts do, too
     */
    AttemptPlacement(
            AppContext context,
            Predicate<TaskAttemptId> clones,
            boolean avoidsSlowHosts,
            PlacementRules rules) {
        this(context, clones, avoidsSlowHosts, rules, HostClasses.NONE, AwaitedClones.NONE);
    }

    /**
     * @param awaitedClones whose containers should be on a host of their original's class, and not
     *     on its own: there an attempt can only begin at zero
     */
    AttemptPlacement(
            AppContext context,
            Predicate<TaskAttemptId> clones,
            boolean avoidsSlowHosts,
            PlacementRules rules,
            HostClasses classes,
            AwaitedClones awaitedClones) {
        this.context = context;
        this.avoidsSlowHosts = avoidsSlowHosts;
        this.rules = rules;
        this.classes = classes;
        this.awaitedClones = awaitedClones;
        hosts = new JobHosts(context, clones, rules);
        withheld = new WithheldHosts(rules);
        besideOthers = new WithheldHosts(rules);
        for (TaskType kind : TaskType.values()) {
            firsts.put(kind, new LinkedHashMap<>());
        }
    }

    /** An attempt may have got on, or ended. */
    void changed(TaskAttempt attempt) {
        hosts.changed(attempt);
    }

    /**
     * @param count how many the cluster has; until that is known, many
     */
    synchronized void clusterHas(int count) {
        nodes = count;
    }

    /** Whether a backup has been asked for and has no container yet. */
    synchronized boolean isAwaiting() {
        return backups.values().stream()
                .map(request -> job(request.getAttemptID()))
                .anyMatch(job -> job != null && job.getState() == JobState.RUNNING);
    }

    /** The request as it should be made. */
    synchronized ContainerRequestEvent request(ContainerRequestEvent stock) {
        List<TaskAttempt> others = runningBeside(stock.getAttemptID());
        if (!others.isEmpty()) {
            ContainerRequestEvent better = elsewhere(stock, host(others.get(0)), outside(others));
            backups.put(stock.getAttemptID(), better);
            return better;
        }
        // One whose earlier attempt failed is served first, which only stock can ask for.
        TaskAttemptId attempt = stock.getAttemptID();
        boolean isNew =
                stock.getEarlierAttemptFailed()
                        ? takingAny.add(attempt)
                        : firsts(attempt).put(attempt, stock) == null;
        if (isNew) {
            // What the others won't have may be good enough for it.
            withheld.liftAll();
        }
        return stock;
    }

    private Map<TaskAttemptId, ContainerRequestEvent> firsts(TaskAttemptId attempt) {
        return firsts.get(kind(attempt));
    }

    /** On the fastest hosts but for one, and for those on which no clone could run. */
    private ContainerRequestEvent elsewhere(
            ContainerRequestEvent stock, String avoided, Set<String> outside) {
        NodePreference nodes = preference(stock.getAttemptID());
        // Of all that aren't slow the ResourceManager would take any, not the fastest.
        List<String> better =
                nodes.fastestBeside(avoided, Integer.MAX_VALUE).stream()
                        .filter(host -> !outside.contains(host))
                        .limit(rules.hosts())
                        .toList();
        if (better.isEmpty()) {
            better =
                    Arrays.stream(stock.getHosts())
                            .filter(host -> !host.equals(avoided))
                            .filter(host -> !outside.contains(host))
                            .filter(host -> !nodes.straggling().containsKey(host))
                            .toList();
        }
        return new ContainerRequestEvent(
                stock.getAttemptID(),
                stock.getCapability(),
                better.toArray(String[]::new),
                racks(stock, better));
    }

    /** On these hosts a clone that is to be made can't run. */
    private Set<String> outside(List<TaskAttempt> originals) {
        return originals.stream()
                .filter(original -> awaitedClones.isBeingCloned(original.getID()))
                .flatMap(original -> classes.outside(host(original)).stream())
                .collect(Collectors.toSet());
    }

    private boolean isOutside(List<TaskAttempt> originals, String host) {
        return originals.stream()
                .anyMatch(
                        original ->
                                classes.separate(host(original), host)
                                        && awaitedClones.isBeingCloned(original.getID()));
    }

    /**
     * Without a request for its rack the CapacityScheduler doesn't look at one for a host, and a
     * reduce's stock request names no rack.
     */
    private String[] racks(ContainerRequestEvent stock, List<String> nodes) {
        Set<String> all = new LinkedHashSet<>(List.of(stock.getRacks()));
        all.addAll(hosts.racks(nodes));
        return all.toArray(String[]::new);
    }

    /**
     * Whether the attempt must not have this container; then its request will be {@linkplain #due()
     * due} again, and else the container is as good as any.
     */
    synchronized boolean refuse(TaskAttemptId attempt, Container container) {
        String host = container.getNodeId().getHost();
        Refusals before = refusals.getOrDefault(attempt, Refusals.NONE);
        OptionalLong askIn =
                backups.containsKey(attempt)
                        ? judgeBackup(attempt, host, before)
                        : judgeFirst(attempt, host, before);
        if (askIn.isEmpty()) {
            forget(attempt);
            return false;
        }
        dueMillis.put(attempt, now() + askIn.getAsLong());
        return true;
    }

    /**
     * Whether the container was granted for another map's request, while this one's stands where
     * those of maps that have failed do. Hadoop's allocator still knows where it stood before
     * ({@link org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator}'s lists by host and
     * rack), and counts it down where it stands now: so the ResourceManager knows nothing any more
     * of the other map's, which stays.
     */
    synchronized boolean isGrantedForAnother(TaskAttemptId attempt, Container container) {
        ContainerRequestEvent request = backups.get(attempt);
        return request != null
                && kind(attempt) == TaskType.MAP
                && request.getEarlierAttemptFailed() != AllocatorDoor.isUrgent(container);
    }

    /** In how many milliseconds to ask again; empty if the container is taken. */
    private OptionalLong judgeBackup(TaskAttemptId attempt, String host, Refusals before) {
        List<TaskAttempt> others = runningBeside(attempt);
        boolean beside = isBeside(attempt, others, host);
        boolean worse =
                !others.isEmpty()
                        && (preference(attempt).straggling().containsKey(host)
                                || isOutside(others, host));
        ContainerVerdict verdict = ContainerVerdict.of(beside, worse, before.count, rules);
        if (verdict == ContainerVerdict.TAKE) {
            return OptionalLong.empty();
        }
        countRefusal(attempt);
        boolean asksAtOnce = beside && withholdBeside(host) || verdict == ContainerVerdict.REFUSE;
        return OptionalLong.of(asksAtOnce ? 0 : rules.askLaterMillis());
    }

    /**
     * The backups that wait must not run there, beside others of their tasks: so their requests can
     * stand, and get what comes free elsewhere.
     *
     * @return false if others wait that may run there, or if it is withheld already: to be told of
     *     that was of no use
     */
    private boolean withholdBeside(String host) {
        if (besideOthers.at(now(), ALWAYS).contains(host) || !isForNobody(host)) {
            return false;
        }
        besideOthers.withhold(host, rules.askLaterMillis(), ALWAYS, now());
        return true;
    }

    /** Whether all that wait are backups, and none of them may run there. */
    private boolean isForNobody(String host) {
        return takingAny.isEmpty()
                && anyFirst().isEmpty()
                && !backups.isEmpty()
                && backups.keySet().stream()
                        .allMatch(backup -> isBeside(backup, runningBeside(backup), host));
    }

    /**
     * A container is about to come free for a backup that waits. What has room elsewhere, and isn't
     * for it, is withheld until then, whatever else waits: its urgent request would be served by
     * that, and the container that comes free go to another.
     */
    synchronized void promise(TaskAttemptId backup) {
        if (backups.containsKey(backup)) {
            promisedMillis.put(backup, now() + rules.askLaterMillis());
        }
    }

    /** None comes free for it. */
    synchronized void withdrawPromise(TaskAttemptId backup) {
        promisedMillis.remove(backup);
    }

    /**
     * As {@link #judgeBackup}. What the ResourceManager does for a job's attempts at most doubles:
     * no more containers are given back than there are tasks.
     */
    private OptionalLong judgeFirst(TaskAttemptId attempt, String host, Refusals before) {
        ContainerRequestEvent request = firsts(attempt).get(attempt);
        Job job = job(attempt);
        if (!avoidsSlowHosts
                || request == null
                || refusedFirsts >= job.getTotalMaps() + job.getTotalReduces()) {
            return OptionalLong.empty();
        }
        Optional<FirstContainer> slow =
                hosts.slow(job, kind(attempt), host, firsts(attempt).size());
        if (slow.isEmpty()) {
            return OptionalLong.empty();
        }
        if (hosts.beginsAlone(job, attempt, host)) {
            LOG.info("{} takes slow {}, where it is alone", attempt, host);
            return OptionalLong.empty();
        }
        long waited = before.waitedMillis(now());
        if (!slow.get().isWorthWaiting(before.count, waited, rules)) {
            LOG.info("{} takes slow {} after {} ms: {}", attempt, host, waited, slow.get());
            return OptionalLong.empty();
        }
        refusedFirsts++;
        firsts(attempt).put(attempt, elsewhere(request, host, Set.of()));
        if (!mayWaitAsking(attempt)) {
            countRefusal(attempt);
            double next = slow.get().better().millisBetweenEnds();
            return OptionalLong.of(
                    before.count == 0 ? 0 : (long) Math.min(rules.askLaterMillis(), next));
        }
        // Else it was granted before the ResourceManager was told.
        if (!withheld(job).contains(host)) {
            withhold(job, kind(attempt), host, slow.get());
        }
        return OptionalLong.of(0);
    }

    /**
     * Whether hosts that the attempt won't have can be {@linkplain #withheld() withheld}. Not while
     * others wait for which they may be good enough: those of the other kind, and those that take
     * any.
     */
    private boolean mayWaitAsking(TaskAttemptId attempt) {
        return takingAny.isEmpty()
                && firsts.entrySet().stream()
                        .allMatch(of -> of.getKey() == kind(attempt) || of.getValue().isEmpty());
    }

    /**
     * The host of a container that an attempt gives back. That counts for all of its kind, since
     * from now on they wait, too; and it is offered again as soon as one of them would take it.
     */
    private void withhold(Job job, TaskType kind, String host, FirstContainer container) {
        Set<TaskAttemptId> waiting = firsts.get(kind).keySet();
        waiting.forEach(this::countRefusal);
        double worth =
                waiting.stream()
                        .map(refusals::get)
                        .mapToDouble(
                                its ->
                                        container.worthMillis(
                                                its.count, its.waitedMillis(now()), rules))
                        .min()
                        .orElse(0);
        double millis = Math.min(worth, container.better().millisBetweenEnds());
        boolean haveMapsEnded = JobHosts.haveMapsEnded(job);
        hosts.noBetter(job, host)
                .forEach(slow -> withheld.withhold(slow, millis, haveMapsEnded, now()));
    }

    private void countRefusal(TaskAttemptId attempt) {
        refusals.put(attempt, refusals.getOrDefault(attempt, Refusals.NONE).oneMore(now()));
    }

    /** Hosts that the ResourceManager isn't to offer now. */
    synchronized Set<String> withheld() {
        Set<String> all = new HashSet<>();
        anyFirst().ifPresent(first -> all.addAll(withheld(job(first))));
        besideOthers.at(now(), ALWAYS).stream().filter(this::isForNobody).forEach(all::add);
        promisedMillis.values().removeIf(until -> rules.isOver(until, now()));
        promisedMillis.keySet().forEach(backup -> all.addAll(unfit(backup)));
        return all;
    }

    private Set<String> withheld(Job job) {
        Set<String> slow = new HashSet<>(withheld.at(now(), JobHosts.haveMapsEnded(job)));
        if (!slow.isEmpty()) {
            slow.retainAll(hosts.preference(job).straggling().keySet());
        }
        return slow;
    }

    private Optional<TaskAttemptId> anyFirst() {
        return firsts.values().stream().flatMap(waiting -> waiting.keySet().stream()).findAny();
    }

    /**
     * One of the job's containers on that host is free again. The attempt that has waited for the
     * longest time, of those that may run there, asks at once; for others there is no room. On a
     * slow host an attempt may be alone now.
     */
    synchronized void cameFree(String host) {
        withheld.lift(host);
        dueMillis.keySet().stream()
                .filter(attempt -> suits(attempt, host))
                .min(Comparator.comparingLong(attempt -> refusals.get(attempt).sinceMillis))
                .ifPresent(attempt -> dueMillis.put(attempt, now()));
    }

    private boolean suits(TaskAttemptId attempt, String host) {
        List<TaskAttempt> others = runningBeside(attempt);
        return !isBeside(attempt, others, host)
                && !isOutside(others, host)
                && !preference(attempt).straggling().containsKey(host);
    }

    /** Takes the requests that are to be made again by now. */
    synchronized List<ContainerRequestEvent> due() {
        long now = now();
        List<TaskAttemptId> due =
                dueMillis.entrySet().stream()
                        .filter(
                                entry ->
                                        rules.isOver(entry.getValue(), now)
                                                || isToAskNow(entry.getKey()))
                        .map(Map.Entry::getKey)
                        .toList();
        dueMillis.keySet().removeAll(due);
        return due.stream()
                .map(attempt -> backups.getOrDefault(attempt, firsts(attempt).get(attempt)))
                .toList();
    }

    private boolean isToAskNow(TaskAttemptId attempt) {
        return firsts(attempt).containsKey(attempt) && mayWaitAsking(attempt);
    }

    /** The maps' backups that have no container yet, each with the attempt it is to overtake. */
    synchronized Map<TaskAttemptId, TaskAttempt> awaitedMaps() {
        Map<TaskAttemptId, TaskAttempt> awaited = new LinkedHashMap<>();
        backups.keySet().stream()
                .filter(backup -> backup.getTaskId().getTaskType() == TaskType.MAP)
                .forEach(
                        backup ->
                                runningBeside(backup).stream()
                                        .findFirst()
                                        .ifPresent(straggler -> awaited.put(backup, straggler)));
        return awaited;
    }

    /** Hosts whose containers the backup would not take at once. */
    synchronized Set<String> unfit(TaskAttemptId backup) {
        List<TaskAttempt> others = runningBeside(backup);
        Set<String> unfit = new HashSet<>(outside(others));
        if (!others.isEmpty()) {
            unfit.addAll(preference(backup).straggling().keySet());
        }
        others.stream()
                .map(AttemptPlacement::host)
                .filter(host -> isBeside(backup, others, host))
                .forEach(unfit::add);
        return unfit;
    }

    /**
     * Whether a map's backup waits that could run in a container which was given to a reduce, and
     * the reduce could ask for another one. It gives up no more than its first one: so that comes
     * to an end.
     */
    synchronized boolean isWantedByMap(TaskAttemptId attempt, Container container) {
        return kind(attempt) == TaskType.REDUCE
                && firsts(attempt).containsKey(attempt)
                && job(attempt).getTask(attempt.getTaskId()).getAttempts().size() == 1
                && backups.values().stream()
                        .filter(backup -> kind(backup.getAttemptID()) == TaskType.MAP)
                        .anyMatch(backup -> suits(backup, container));
    }

    /**
     * The request of a first attempt, to be made once more. It has to be the one that was made
     * before: the ResourceManager knows no two requests of a priority for resources that aren't
     * {@linkplain org.apache.hadoop.yarn.api.records.Resource#equals equal}, and what a container
     * has isn't equal to what was asked for.
     */
    synchronized Optional<ContainerRequestEvent> again(TaskAttemptId first) {
        return Optional.ofNullable(firsts(first).get(first));
    }

    private boolean suits(ContainerRequestEvent backup, Container container) {
        return Resources.fitsIn(backup.getCapability(), container.getResource())
                && suits(backup.getAttemptID(), container.getNodeId().getHost());
    }

    /**
     * A backup that is about to be served.
     *
     * @param asks whether its request was made; else it was to be {@linkplain #due() due} later
     */
    record Awaited(TaskAttemptId backup, boolean asks) {}

    /** Its request isn't due any more; empty if the backup doesn't wait. */
    synchronized Optional<Awaited> take(TaskAttemptId backup) {
        return backups.containsKey(backup)
                ? Optional.of(new Awaited(backup, dueMillis.remove(backup) == null))
                : Optional.empty();
    }

    /** It wasn't served. */
    synchronized void putBack(Awaited awaited) {
        if (!awaited.asks) {
            asksAgain(awaited.backup);
        }
    }

    /** What became of its request isn't known: one too many is one container that is given back. */
    synchronized void asksAgain(TaskAttemptId backup) {
        if (backups.containsKey(backup)) {
            dueMillis.put(backup, now());
        }
    }

    /**
     * The request of a backup as it should be made where a container becomes free for it on that
     * host; empty if none waits.
     */
    synchronized Optional<ContainerRequestEvent> urgent(TaskAttemptId backup, String host) {
        return Optional.ofNullable(backups.get(backup))
                .map(
                        request ->
                                new UrgentRequest(
                                        request,
                                        new String[] {host},
                                        racks(request, List.of(host))));
    }

    /** The request stands for the one before. */
    synchronized void asked(ContainerRequestEvent request) {
        backups.replace(request.getAttemptID(), request);
    }

    /** The attempt has a container, or needs none any more. */
    synchronized void forget(TaskAttemptId attempt) {
        backups.remove(attempt);
        firsts(attempt).remove(attempt);
        takingAny.remove(attempt);
        refusals.remove(attempt);
        promisedMillis.remove(attempt);
        dueMillis.remove(attempt);
    }

    private long now() {
        return context.getClock().getTime();
    }

    private Job job(TaskAttemptId attempt) {
        return context.getJob(attempt.getTaskId().getJobId());
    }

    /** Whether one of the others runs there, and the backup has better to expect. */
    private boolean isBeside(TaskAttemptId backup, List<TaskAttempt> others, String host) {
        return others.stream().anyMatch(other -> host.equals(host(other)))
                && (!rules.isNoOther(nodes, waitedMillis(backup))
                        || preference(backup).straggling().containsKey(host)
                        || others.stream().anyMatch(this::helpsOnlyCloned));
    }

    private boolean helpsOnlyCloned(TaskAttempt original) {
        return awaitedClones.isBeingCloned(original.getID())
                && !awaitedClones.helpsFromZero(original.getID());
    }

    private long waitedMillis(TaskAttemptId attempt) {
        return refusals.getOrDefault(attempt, Refusals.NONE).waitedMillis(now());
    }

    private static String host(TaskAttempt attempt) {
        return attempt.getNodeId().getHost();
    }

    private List<TaskAttempt> runningBeside(TaskAttemptId attempt) {
        Task task = job(attempt).getTask(attempt.getTaskId());
        return task.getAttempts().values().stream()
                .filter(other -> !other.getID().equals(attempt))
                .filter(other -> other.getState() == TaskAttemptState.RUNNING)
                .filter(other -> other.getNodeId() != null)
                .toList();
    }

    private NodePreference preference(TaskAttemptId attempt) {
        return hosts.preference(job(attempt));
    }

    private static TaskType kind(TaskAttemptId attempt) {
        return attempt.getTaskId().getTaskType();
    }

    /**
     * Sorts thousands of hosts while attempts wait, so that the event thread needn't; to be called
     * by another one, every second or so.
     */
    void sortHosts() {
        anyWaiting().ifPresent(attempt -> hosts.sort(job(attempt)));
    }

    private synchronized Optional<TaskAttemptId> anyWaiting() {
        return (avoidsSlowHosts ? anyFirst() : Optional.<TaskAttemptId>empty())
                .or(() -> backups.keySet().stream().findAny());
    }
}
