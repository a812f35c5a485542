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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.speculate.DataStatistics;

/**
 * How long attempts of one kind take from their beginning to their first progress, with the report
 * of it. Times are in milliseconds.
 */
final class Starts {
    /** Times what others took, if there are four or more. */
    private static final double LATE = 1.5;

    /** The same as long as most haven't started: then those that have were the quick ones. */
    private static final double VERY_LATE = 3;

    record Begun(String host, long at) {}

    private final Map<TaskAttemptId, Begun> underWay = new ConcurrentHashMap<>();
    private final Map<String, Integer> underWayOn = new ConcurrentHashMap<>();
    private final Map<String, Integer> startedOn = new ConcurrentHashMap<>();
    private final DataStatistics took = new DataStatistics();

    void began(TaskAttemptId attempt, String host, long now) {
        ended(attempt);
        underWay.put(attempt, new Begun(host, now));
        underWayOn.merge(host, 1, Integer::sum);
    }

    /** Harmless if it had started before, or hasn't begun at zero. */
    void started(TaskAttemptId attempt, long now) {
        Begun begin = ended(attempt);
        if (begin != null) {
            took.add(now - begin.at());
            startedOn.merge(begin.host(), 1, Integer::sum);
        }
    }

    /**
     * It will not start any more.
     *
     * @return how it began; null if it had started before
     */
    Begun ended(TaskAttemptId attempt) {
        Begun begin = underWay.remove(attempt);
        if (begin != null) {
            underWayOn.merge(begin.host(), -1, Integer::sum);
        }
        return begin;
    }

    /**
     * @param unknown what it is as long as none has started
     */
    double usual(double unknown) {
        return took.count() > 0 ? took.mean() : unknown;
    }

    /**
     * After so long an attempt that hasn't started is late: much longer than others took, and long
     * enough for one of them to end.
     *
     * @param mean what a whole attempt takes
     * @param suspects hosts that seem to be slow: there it is late as soon as it takes longer
     */
    double late(TaskAttemptId attempt, double mean, Predicate<String> suspects) {
        return Math.max(mean, factor(attempt, suspects) * usual(mean));
    }

    private double factor(TaskAttemptId attempt, Predicate<String> suspects) {
        Begun begin = underWay.get(attempt);
        if (begin != null && suspects.test(begin.host())) {
            return 1;
        }
        return haveMostStarted() || haveMostStartedElsewhere(attempt)
                ? Math.max(LATE, 1 + deviation())
                : VERY_LATE;
    }

    /** How far what is usual may be from the mean of so few, as a part of it: 1 for one. */
    private double deviation() {
        return took.count() > 0 ? 1 / Math.sqrt(took.count()) : 0;
    }

    private boolean haveMostStarted() {
        return took.count() >= underWay.size();
    }

    /** A slow host may have more of a small job's attempts than all others together. */
    private boolean haveMostStartedElsewhere(TaskAttemptId attempt) {
        Begun begin = underWay.get(attempt);
        if (begin == null) {
            return false;
        }
        int waiting = underWay.size() - underWayOn.getOrDefault(begin.host(), 0);
        return took.count() - startedOn.getOrDefault(begin.host(), 0) > waiting;
    }
}
