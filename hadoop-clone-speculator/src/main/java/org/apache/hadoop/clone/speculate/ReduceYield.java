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

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * Which reduces give their containers to second attempts of maps. On a full cluster the reduces
 * that were started early hold what these wait for, and themselves wait for nothing but those maps.
 * Stock takes containers from reduces only where no map runs at all (MAPREDUCE-6302).
 *
 * <p>Whether the second attempt is worth its time in a container was asked when it was ordered, and
 * a container in which a reduce only waits is worth nothing to the job. What the job loses is what
 * that reduce has done so far and must do again: the second attempt must save that time, and, as
 * any that is spent in a container, its price.
 */
@InterfaceAudience.Private
public final class ReduceYield {

    /**
     * A second attempt of a map that has no container yet.
     *
     * @param waitedMillis for how long it has waited for one
     * @param score of the attempt that it is to overtake, as if it began now
     * @param unfit hosts on which it must not run, or would be slow
     */
    public record Backup(
            TaskAttemptId attempt, long waitedMillis, CloneScore score, Set<String> unfit) {}

    /**
     * A reduce that can't do more than fetch, since maps run.
     *
     * @param lossMillis what another attempt would take to come as far; NaN if that isn't known
     */
    public record Fetching(TaskAttemptId attempt, String host, double lossMillis) {}

    /** The reduce's container is for the backup. */
    public record Yield(Fetching reduce, Backup backup) {}

    private ReduceYield() {}

    /**
     * Not with a limit of maps that run at once. A request that stands where those of maps that
     * have failed do, and is withdrawn before it was granted, counts there for good; by that limit
     * the allocator then asks for no other map (RMContainerAllocator.applyConcurrentTaskLimits).
     * And not where maps run on other nodes than reduces, by their labels: a reduce's container
     * would be none for a map.
     */
    public static boolean isWanted(Configuration conf) {
        return conf.getBoolean(CloneKeys.REDUCE_YIELD, CloneKeys.REDUCE_YIELD_DEFAULT)
                && conf.getInt(
                                MRJobConfig.JOB_RUNNING_MAP_LIMIT,
                                MRJobConfig.DEFAULT_JOB_RUNNING_MAP_LIMIT)
                        <= 0
                && Objects.equals(
                        conf.get(MRJobConfig.MAP_NODE_LABEL_EXP),
                        conf.get(MRJobConfig.REDUCE_NODE_LABEL_EXP));
    }

    /**
     * At most one reduce for each backup: of those on hosts that suit it the one that loses least.
     * The backup that gains most is served first.
     *
     * @param price of a second in a container, in seconds that must be saved
     */
    public static List<Yield> decide(
            Collection<Backup> backups, Collection<Fetching> reduces, double price) {
        List<Fetching> left = new ArrayList<>(reduces);
        left.sort(
                Comparator.comparingDouble(Fetching::lossMillis)
                        .thenComparing(Fetching::attempt, Comparator.reverseOrder()));
        List<Yield> yields = new ArrayList<>();
        backups.stream()
                .sorted(
                        Comparator.comparingDouble((Backup one) -> one.score().gainMillis())
                                .reversed()
                                .thenComparing(Backup::attempt))
                .forEach(
                        backup -> {
                            Optional<Fetching> reduce =
                                    left.stream().filter(one -> suits(one, backup)).findFirst();
                            reduce.filter(one -> isWorth(one, backup, price))
                                    .ifPresent(
                                            one -> {
                                                left.remove(one);
                                                yields.add(new Yield(one, backup));
                                            });
                        });
        return yields;
    }

    private static boolean suits(Fetching reduce, Backup backup) {
        return !backup.unfit().contains(reduce.host());
    }

    /**
     * A container may become free by itself any moment. To wait for it as long as the reduce would
     * lose costs, at worst, twice what the best decision would have (ski rental).
     */
    private static boolean isWorth(Fetching reduce, Backup backup, double price) {
        return backup.waitedMillis() >= reduce.lossMillis()
                && backup.score().gainMillis() >= (1 + price) * reduce.lossMillis();
    }
}
