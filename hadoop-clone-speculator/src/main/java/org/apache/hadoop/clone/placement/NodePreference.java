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
package org.apache.hadoop.clone.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Where other attempts of straggling tasks should run: first where one more of this job's attempts
 * would run fast, and not on hosts that straggle themselves. Stock Hadoop has no such rule.
 *
 * @param fastest hosts on which this job has been seen to run and that don't straggle; first those
 *     that would give most to another attempt
 * @param straggling hosts on which attempts run at less than half of the median host's rate, and at
 *     how much of it
 */
@InterfaceAudience.Private
public record NodePreference(List<String> fastest, Map<String, Double> straggling) {
    /**
     * Rates are in any unit that is the same for all hosts of a kind.
     *
     * @param same by hosts, of attempts of the straggler's kind
     * @param other those of the job's other kind, for hosts of which nothing else is known: one
     *     that was slow for maps is for reduces
     * @param running by hosts, how many of the job's attempts run there now. What a host gives to
     *     another is taken to be an equal share: where two run already a third is to get a third
     */
    public static NodePreference of(
            Map<String, Double> same,
            Map<String, Double> other,
            Map<String, Integer> running,
            PlacementRules rules) {
        Map<String, Double> relative = relative(other);
        relative.putAll(relative(same));
        Map<String, Double> straggling = new HashMap<>();
        Map<String, Double> shares = new HashMap<>();
        relative.forEach(
                (host, rate) -> {
                    if (rate < rules.straggling()) {
                        straggling.put(host, rate);
                    } else {
                        shares.put(host, rate / (1 + running.getOrDefault(host, 0)));
                    }
                });
        return new NodePreference(largestFirst(shares), Map.copyOf(straggling));
    }

    /** To the median host's. */
    private static Map<String, Double> relative(Map<String, Double> rates) {
        double median = median(new ArrayList<>(rates.values()));
        Map<String, Double> relative = new HashMap<>();
        rates.forEach((host, rate) -> relative.put(host, median > 0 ? rate / median : 1));
        return relative;
    }

    /**
     * The fastest hosts beside the straggler's own.
     *
     * @param most how many at most
     */
    public List<String> fastestBeside(String stragglerHost, int most) {
        return fastest.stream().filter(host -> !host.equals(stragglerHost)).limit(most).toList();
    }

    private static List<String> largestFirst(Map<String, Double> shares) {
        return shares.entrySet().stream()
                .sorted(
                        Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                                .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
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
