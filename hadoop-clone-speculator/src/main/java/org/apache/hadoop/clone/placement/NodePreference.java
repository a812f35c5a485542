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

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.placement.HostRates.Rate;

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
     * How fast a host is, is a matter of the host: what it did of either kind counts for both, for
     * as long as that was. Just after the last map most hosts have done next to nothing of a
     * reduce.
     *
     * @param maps rates of hosts for maps
     * @param reduces for reduces; in any other unit
     * @param running by hosts, how many of the job's attempts run there now. What a host gives to
     *     another is taken to be an equal share: where two run already a third is to get a third
     */
    public static NodePreference of(
            Map<String, Rate> maps,
            Map<String, Rate> reduces,
            Map<String, Integer> running,
            PlacementRules rules) {
        Map<String, Double> straggling = new HashMap<>();
        Map<String, Double> shares = new HashMap<>();
        relative(maps, reduces)
                .forEach(
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
    private static Map<String, Double> relative(Map<String, Rate> maps, Map<String, Rate> reduces) {
        Map<String, Rate> relative = new HashMap<>();
        for (Map<String, Rate> kind : List.of(maps, reduces)) {
            double median = median(kind.values());
            kind.forEach(
                    (host, rate) ->
                            relative.merge(
                                    host,
                                    new Rate(median > 0 ? rate.work() / median : 1, rate.millis()),
                                    NodePreference::both));
        }
        Map<String, Double> rates = new HashMap<>();
        relative.forEach((host, rate) -> rates.put(host, rate.work()));
        return rates;
    }

    private static Rate both(Rate one, Rate other) {
        double millis = one.millis() + other.millis();
        return new Rate(
                (one.work() * one.millis() + other.work() * other.millis()) / millis, millis);
    }

    /**
     * Whether one of the job's attempts that is alone on a straggling host has enough of it. It has
     * what several shared, taken that they had equal shares. Where it is no matter of shares it
     * will be as slow as they were, and then the host is known to be slow for one alone.
     *
     * @param together how many worked there at once, in the mean
     */
    public boolean isEnoughForOne(String host, double together, PlacementRules rules) {
        return straggling.getOrDefault(host, 1.0) * together >= rules.straggling();
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

    private static double median(Collection<Rate> rates) {
        List<Double> values = rates.stream().map(Rate::work).sorted().toList();
        if (values.isEmpty()) {
            return 0;
        }
        int middle = values.size() / 2;
        return values.size() % 2 == 1
                ? values.get(middle)
                : (values.get(middle - 1) + values.get(middle)) / 2;
    }
}
