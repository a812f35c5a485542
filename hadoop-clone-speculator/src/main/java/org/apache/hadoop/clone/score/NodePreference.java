package org.apache.hadoop.clone.score;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where another attempt of a straggling task should run: never beside the straggler, first where
 * this job's attempts run fast, and not on nodes that straggle themselves. Stock Hadoop has no such
 * rule: its backup may land on the straggler's own node.
 *
 * @param preferred hosts on which this job has been seen to run, the fastest first
 * @param avoided the straggler's host, and those on which attempts run at less than half of the
 *     median host's rate
 */
public record NodePreference(List<String> preferred, Set<String> avoided) {
    private static final double STRAGGLING = 0.5;

    /** An attempt's progress per time on a host, in any unit that is the same for all. */
    public record Rate(String host, double rate) {}

    /**
     * @param rates of attempts of the straggler's kind, running or done
     * @param stragglerHost where the straggler runs
     */
    public static NodePreference of(List<Rate> rates, String stragglerHost) {
        Map<String, Double> means = meansByHost(rates);
        double median = median(new ArrayList<>(means.values()));
        Set<String> avoided = new HashSet<>();
        avoided.add(stragglerHost);
        means.forEach(
                (host, mean) -> {
                    if (mean < STRAGGLING * median) {
                        avoided.add(host);
                    }
                });
        List<String> preferred =
                means.entrySet().stream()
                        .filter(entry -> !avoided.contains(entry.getKey()))
                        .sorted(
                                Map.Entry.<String, Double>comparingByValue(
                                                Comparator.reverseOrder())
                                        .thenComparing(Map.Entry.comparingByKey()))
                        .map(Map.Entry::getKey)
                        .toList();
        return new NodePreference(preferred, Set.copyOf(avoided));
    }

    private static Map<String, Double> meansByHost(List<Rate> rates) {
        Map<String, DoubleSummaryStatistics> byHost = new HashMap<>();
        for (Rate rate : rates) {
            if (rate.rate() >= 0) {
                byHost.computeIfAbsent(rate.host(), host -> new DoubleSummaryStatistics())
                        .accept(rate.rate());
            }
        }
        Map<String, Double> means = new HashMap<>();
        byHost.forEach((host, statistics) -> means.put(host, statistics.getAverage()));
        return means;
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
