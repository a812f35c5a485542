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
package org.clonehadoop.simulator.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * How long attempts of a kind usually take, and how many times as long one took.
 *
 * @param workMillis of an attempt that has won, in the middle
 * @param megabytes of input
 * @param splits for each part of the progress; none if the history has none
 */
record Pace(double workMillis, double megabytes, List<Double> splits) {

    /**
     * @throws IllegalArgumentException if none of them has won
     */
    static Pace of(Stream<PastAttempt> attempts) {
        List<PastAttempt> winners = attempts.filter(PastAttempt::won).toList();
        int parts = winners.stream().mapToInt(one -> one.splits().size()).min().orElse(0);
        List<Double> splits = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            int part = i;
            splits.add(median(winners, one -> one.splits().get(part)));
        }
        return new Pace(
                median(winners, PastAttempt::workMillis),
                median(winners, PastAttempt::megabytes),
                List.copyOf(splits));
    }

    private static double median(List<PastAttempt> attempts, ToDoubleFunction<PastAttempt> of) {
        double[] sorted = attempts.stream().mapToDouble(of).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no attempt of the kind has won");
        }
        return sorted[sorted.length / 2];
    }

    /** Its input over the usual; 1 if that isn't known. */
    double size(PastAttempt attempt) {
        return attempt.megabytes() > 0 && megabytes > 0 ? attempt.megabytes() / megabytes : 1;
    }

    /** Its time over the usual one. */
    double times(PastAttempt attempt) {
        return attempt.workMillis() / Math.max(1, workMillis);
    }

    /**
     * How many times as long as usual it took with a part of its work, beyond what its input
     * explains; from 1.
     *
     * @param progress where, from 0 to 1
     */
    double brake(PastAttempt attempt, double progress) {
        return Math.max(1, slowness(attempt, progress) / size(attempt));
    }

    private double slowness(PastAttempt attempt, double progress) {
        if (splits.isEmpty()) {
            return times(attempt);
        }
        int part = Math.min(splits.size() - 1, (int) (progress * splits.size()));
        int known = attempt.splits().size();
        if (part < known) {
            return attempt.splits().get(part) / Math.max(1, splits.get(part));
        }
        // It came no further: what is left of its time is the least that this part would take.
        double spent = attempt.splits().stream().mapToInt(millis -> millis).sum();
        double inLast = attempt.finishMillis() - attempt.startMillis() - spent;
        return inLast / Math.max(1, splits.get(known));
    }
}
