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
package org.clonehadoop.selection.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.clonehadoop.selection.fattree.Tier;

/**
 * NetRS' Algorithm 1: a plan that is made better step by step, from {@link Problem#atTors()} up, as
 * traffic of groups is reported.
 *
 * <p>What the paper leaves open, and how it is read here: migrating sideways goes only to a switch
 * that carries more, so that small nodes drain into large ones and nothing moves to and fro. Of
 * several switches the one with the least room that is enough is taken. A group that no switch may
 * carry is degraded.
 */
public final class Adaptive {
    /**
     * @param upperTraffic t_up: migration upwards is postponed for groups whose traffic through the
     *     upper tier is below this share of all of theirs, 0 to 1
     * @param confirmations c: how many times in a row a postponed migration must be decided on; 0
     *     and 1 postpone nothing
     */
    public record Patience(double upperTraffic, int confirmations) {
        public static final Patience DEFAULT = new Patience(0.5, 3);
    }

    private final Patience patience;
    private final int[] confirmed;
    private Problem problem;
    private Assignment assignment;

    /**
     * @param problem with the traffic that is known so far
     * @param plan that is in force
     */
    public Adaptive(Problem problem, Plan plan, Patience patience) {
        this.problem = problem;
        this.patience = patience;
        assignment = new Assignment(problem, plan);
        confirmed = new int[plan.groups()];
    }

    public Plan plan() {
        return assignment.plan();
    }

    /** Reports groups one after another, as they are, until none moves any more. */
    public Plan settle() {
        int still = 0;
        int rounds = patience.confirmations() + 1;
        for (int round = 0; still < rounds && round < rounds * problem.tree().switches(); round++) {
            Plan before = plan();
            for (int group = 0; group < confirmed.length; group++) {
                step(group);
            }
            still = plan().equals(before) ? still + 1 : 0;
        }
        return plan();
    }

    /**
     * A group's traffic was reported: UpdateRSP.
     *
     * @param group index of a group
     * @param traffic of the same rack as before
     * @return its switch from now on, or {@link Plan#DEGRADED}
     */
    public int report(int group, Group traffic) {
        List<Group> groups = new ArrayList<>(problem.groups());
        groups.set(group, traffic);
        problem = problem.with(groups);
        assignment = new Assignment(problem, assignment.plan());
        return step(group);
    }

    private int step(int group) {
        int target = target(group);
        if (target != assignment.node(group)) {
            assignment.move(group, target);
            confirmed[group] = 0;
        }
        return target;
    }

    private int target(int group) {
        int now = assignment.node(group);
        if (now == Plan.DEGRADED) {
            return orDegraded(group, problem.groups().get(group).rack());
        }
        Tier tier = assignment.tier(now);
        if (assignment.tooManyHops() && tier != Tier.TOR) {
            return down(assignment, group);
        }
        if (assignment.overloaded(now)) {
            int aside = sideways(group, node -> assignment.used(node));
            return aside != now ? aside : down(assignment, group);
        }
        int up = tier == Tier.CORE ? now : up(group, tier);
        boolean merges = up != now && mayMerge(now);
        confirmed[group] = merges && postponed(group, tier) ? confirmed[group] + 1 : 0;
        return merges && (confirmed[group] == 0 || confirmed[group] >= patience.confirmations())
                ? up
                : merge(group);
    }

    private int orDegraded(int group, int node) {
        return assignment.fits(group, node) ? node : Plan.DEGRADED;
    }

    /** A switch of the same tier that carries more, or where the group is. */
    private int merge(int group) {
        int now = assignment.node(group);
        double load = assignment.load(now);
        return sideways(
                group,
                node ->
                        assignment.load(node) > load
                                || assignment.load(node) == load && node < now);
    }

    private int sideways(int group, IntPredicate which) {
        int now = assignment.node(group);
        return tightest(
                assignment,
                group,
                assignment.tier(now),
                node -> node != now && which.test(node),
                now);
    }

    private int up(int group, Tier tier) {
        Tier above = Tier.values()[tier.ordinal() - 1];
        return anywhere(assignment, group, above, assignment.node(group));
    }

    /**
     * To the next tier below that carries the group; degraded if none does. Without extra hops if
     * that is needed.
     */
    static int down(Assignment assignment, int group) {
        int now = assignment.node(group);
        for (int tier = assignment.tier(now).ordinal() + 1; tier <= Tier.TOR.ordinal(); tier++) {
            int below = anywhere(assignment, group, Tier.values()[tier], Plan.DEGRADED);
            if (below != Plan.DEGRADED) {
                return below;
            }
        }
        return Plan.DEGRADED;
    }

    /** Preferably where something is selected already. */
    static int anywhere(Assignment assignment, int group, Tier tier, int otherwise) {
        int used = tightest(assignment, group, tier, assignment::used, -2);
        return used != -2 ? used : tightest(assignment, group, tier, node -> true, otherwise);
    }

    private static int tightest(
            Assignment assignment, int group, Tier tier, IntPredicate which, int otherwise) {
        int best = otherwise;
        double room = Double.POSITIVE_INFINITY;
        for (int node : assignment.reachable(assignment.group(group).rack(), tier)) {
            if (which.test(node) && assignment.fits(group, node) && assignment.room(node) < room) {
                best = node;
                room = assignment.room(node);
            }
        }
        return best;
    }

    /**
     * Whether migrating everything at a switch upwards could leave fewer nodes: all of its groups,
     * and those of x others of its tier, fit into the upper tier with at most x new nodes there.
     */
    private boolean mayMerge(int node) {
        Tier tier = assignment.tier(node);
        Tier above = Tier.values()[tier.ordinal() - 1];
        int rack = assignment.group(assignment.groupsAt(node).get(0)).rack();
        List<Integer> upper = assignment.reachable(rack, above);
        double[] room =
                upper.stream().filter(assignment::used).mapToDouble(assignment::room).toArray();
        double[] fresh =
                upper.stream()
                        .filter(one -> !assignment.used(one))
                        .mapToDouble(assignment::room)
                        .filter(one -> one > 0)
                        .toArray();
        List<Integer> others =
                peers(node, tier, above)
                        .sorted(Comparator.comparingDouble(assignment::load))
                        .toList();
        double[] sizes = sizes(node, new double[0]);
        double hops = moreHops(node, above);
        for (int x = 0; x <= others.size() && x <= fresh.length; x++) {
            if (x > 0) {
                sizes = sizes(others.get(x - 1), sizes);
                hops += moreHops(others.get(x - 1), above);
            }
            if (!assignment.allowsHops(hops)) {
                return false;
            }
            double[] bins = Arrays.copyOf(room, room.length + x);
            System.arraycopy(fresh, 0, bins, room.length, x);
            if (fit(sizes, bins)) {
                return true;
            }
        }
        return false;
    }

    /** Other nodes of a tier, of which something could meet the node's groups one tier above. */
    private Stream<Integer> peers(int node, Tier tier, Tier above) {
        return assignment.plan().nodes().stream()
                .filter(other -> other != node && assignment.tier(other) == tier)
                .filter(
                        other ->
                                above == Tier.CORE
                                        || problem.tree().pod(other) == problem.tree().pod(node));
    }

    private double[] sizes(int node, double[] and) {
        return Stream.concat(
                        Arrays.stream(and).boxed(),
                        assignment.groupsAt(node).stream()
                                .map(group -> assignment.group(group).traffic()))
                .mapToDouble(size -> size)
                .toArray();
    }

    private double moreHops(int node, Tier above) {
        Tier tier = assignment.tier(node);
        return assignment.groupsAt(node).stream()
                .map(assignment::group)
                .mapToDouble(group -> group.extraHops(above) - group.extraHops(tier))
                .sum();
    }

    private static boolean fit(double[] sizes, double[] room) {
        double[] left = room.clone();
        double[] sorted = sizes.clone();
        Arrays.sort(sorted);
        for (int i = sorted.length - 1; i >= 0; i--) {
            int bin = 0;
            while (bin < left.length && Problem.exceeds(sorted[i], left[bin])) {
                bin++;
            }
            if (bin == left.length) {
                return false;
            }
            left[bin] -= sorted[i];
        }
        return true;
    }

    private boolean postponed(int group, Tier tier) {
        Tier above = Tier.values()[tier.ordinal() - 1];
        Group of = assignment.group(group);
        if (of.passing(above) < patience.upperTraffic() * of.traffic()) {
            return true;
        }
        boolean some = false;
        for (int other = 0; other < confirmed.length; other++) {
            int node = assignment.node(other);
            if (node != Plan.DEGRADED && assignment.tier(node) == above) {
                some = true;
                if (samePlace(of, assignment.group(other), tier)) {
                    return false;
                }
            }
        }
        return some;
    }

    /** Whether two groups could have one node in a tier. */
    private boolean samePlace(Group one, Group other, Tier tier) {
        return tier == Tier.TOR
                ? one.rack() == other.rack()
                : problem.tree().podOfRack(one.rack()) == problem.tree().podOfRack(other.rack());
    }
}
