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
package org.apache.hadoop.clone.score;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;

/**
 * {@link CloneCosts} as the clones made so far have shown them, from configured beginnings; and how
 * much of a process's memory its image holds.
 */
@InterfaceAudience.Private
public final class LearnedCosts {
    // Fewer bytes travel too fast for their rate to say anything of the network's.
    private static final long TELLING_BYTES = 1 << 20;

    // One sample of a moment in which a link was full mustn't forbid the clones that would correct
    // it.
    private static final double MOST_AT_ONCE = 4;

    private final double beta;
    private final double packing;
    private final LearnedMean vmMillis;
    private final LearnedMean bytesPerMilli;
    private final Map<TaskType, LearnedMean> imageShares = new EnumMap<>(TaskType.class);

    /**
     * @param beginning the configured costs; their time for a JVM must be more than 0
     * @param imageShare what part of its memory a task's image is taken to hold at first; from 0,
     *     excluded, to 1
     * @param clock in milliseconds
     */
    public LearnedCosts(
            CloneCosts beginning,
            ToDoubleFunction<TaskType> imageShare,
            CostRules rules,
            LongSupplier clock) {
        beta = beginning.beta();
        packing = rules.packing();
        vmMillis = fading(beginning.vmMillis(), rules, clock);
        bytesPerMilli = fading(beginning.bytesPerMilli(), rules, clock);
        for (TaskType kind : TaskType.values()) {
            imageShares.put(kind, lasting(imageShare.applyAsDouble(kind), rules));
        }
    }

    private static LearnedMean fading(double prior, CostRules rules, LongSupplier clock) {
        return new LearnedMean(prior, rules.priorWeight(), rules.costMemoryMillis(), clock);
    }

    // What an image holds is a matter of the job's program, not of what else the cluster does.
    private static LearnedMean lasting(double prior, CostRules rules) {
        return new LearnedMean(prior, rules.priorWeight(), Double.POSITIVE_INFINITY, () -> 0);
    }

    /**
     * Begins from what earlier jobs' clones cost, which weighs as much as what is configured; not
     * if a clone has taught something already.
     *
     * @throws IllegalArgumentException if a clone can't cost that
     */
    public void beginAt(CloneCosts earlier) {
        vmMillis.beginAt(earlier.vmMillis());
        bytesPerMilli.beginAt(earlier.bytesPerMilli());
    }

    /** Whether a clone has taught something. */
    public boolean hasLearned() {
        return vmMillis.hasSamples();
    }

    /**
     * A clone that has come to run.
     *
     * @param vm milliseconds from its container's launch until it ran, without those that it
     *     travelled
     * @param cloneBytes what travelled
     * @param travelMillis how long that took
     */
    public void learn(double vm, long cloneBytes, double travelMillis) {
        vmMillis.add(vm);
        if (cloneBytes >= TELLING_BYTES) {
            bytesPerMilli.add(cloneBytes / travelMillis);
        }
    }

    /**
     * What an image held.
     *
     * @param memoryBytes what the process had in memory when it was asked
     */
    public void learnImage(TaskType kind, long imageBytes, long memoryBytes) {
        imageShares.get(kind).add((double) imageBytes / memoryBytes);
    }

    /**
     * What an image takes to travel, in milliseconds, without β.
     *
     * @param linkBytesPerMilli what its link gives, as the tool has sampled it; more than 0
     */
    public double travelMillis(double linkBytesPerMilli, long imageBytes) {
        return imageBytes / (packing * linkBytesPerMilli);
    }

    /**
     * The same sample, of a clone that came to nothing: so that the next ones needn't be ordered to
     * find out what a link can't give. One that travels teaches its own rate.
     *
     * @param linkBytesPerMilli more than 0
     */
    public void learnLink(double linkBytesPerMilli) {
        double known = bytesPerMilli.get();
        double most = packing * linkBytesPerMilli;
        if (most < known) {
            bytesPerMilli.add(Math.max(most, known / MOST_AT_ONCE));
        }
    }

    public CloneCosts costs() {
        return new CloneCosts(beta, vmMillis.get(), bytesPerMilli.get());
    }

    /** What the image of a process with so much in memory would hold, in bytes. */
    public long imageBytes(TaskType kind, long memoryBytes) {
        return Math.round(imageShares.get(kind).get() * memoryBytes);
    }
}
