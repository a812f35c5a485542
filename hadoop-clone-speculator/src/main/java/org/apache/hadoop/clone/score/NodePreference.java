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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Where another attempt of a straggling task should run: never beside the straggler, first where
 * this job's attempts run fast, and not on nodes that straggle themselves. Stock Hadoop has no such
 * rule: its backup may land on the straggler's own node.
 *
 * @param preferred hosts on which this job has been seen to run, the fastest first
 * @param avoided the straggler's host, and those on which attempts run at less than half of the
 *     median host's rate
 */
@InterfaceAudience.Private
public record NodePreference(List<String> preferred, Set<String> avoided) {
    private static final double STRAGGLING = 0.5;

    /**
     * What an attempt has done on a host, and in how much time, in any units that are the same for
     * all.
     */
    public record Work(String host, double done, double time) {}

    /**
     * @param same work of attempts of the straggler's kind, running or ended; what a clone has from
     *     its original wasn't done where it runs
     * @param other that of the job's other kind, for hosts of which nothing else is known: one that
     *     was slow for maps is for reduces
     * @param stragglerHost where the straggler runs
     */
    public static NodePreference of(List<Work> same, List<Work> other, String stragglerHost) {
        Map<String, Double> rates = ratesByHost(same);
        Map<String, Double> otherRates = ratesByHost(other);
        Set<String> otherStraggling = straggling(otherRates);
        otherRates.keySet().removeAll(rates.keySet());
        otherStraggling.retainAll(otherRates.keySet());

        Set<String> avoided = straggling(rates);
        avoided.addAll(otherStraggling);
        avoided.add(stragglerHost);
        List<String> preferred = new ArrayList<>(fastestFirst(rates));
        preferred.addAll(fastestFirst(otherRates));
        preferred.removeAll(avoided);
        return new NodePreference(List.copyOf(preferred), Set.copyOf(avoided));
    }

    private static List<String> fastestFirst(Map<String, Double> rates) {
        return rates.entrySet().stream()
                .sorted(
                        Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                                .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The hosts on which attempts run at less than half of the median host's rate. */
    private static Set<String> straggling(Map<String, Double> rates) {
        double median = median(new ArrayList<>(rates.values()));
        Set<String> hosts = new HashSet<>();
        rates.forEach(
                (host, rate) -> {
                    if (rate < STRAGGLING * median) {
                        hosts.add(host);
                    }
                });
        return hosts;
    }

    // All of a host's work over all of its time: an attempt that has only begun says next to
    // nothing.
    private static Map<String, Double> ratesByHost(List<Work> work) {
        Map<String, Double> done = new HashMap<>();
        Map<String, Double> time = new HashMap<>();
        for (Work one : work) {
            if (one.done() >= 0 && one.time() > 0) {
                done.merge(one.host(), one.done(), Double::sum);
                time.merge(one.host(), one.time(), Double::sum);
            }
        }
        done.replaceAll((host, sum) -> sum / time.get(host));
        return done;
    }

    private static double median(List<Double> values) {
        if (values.isEmpty()) {
            return 0;
        }
        values.sort(null);
        int middle = values.size() / 2;
        return values.size() % 2 == 1
                ? values.get(middle)
                : (values.get(middle - 1) + values.get(middle)) / 2;
    }
}
