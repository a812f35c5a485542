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
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How long attempts of a kind usually take, and how many times as long one took.
 *
 * @param workMillis of an attempt that has won, in the middle
 * @param megabytes of input
 * @param splits for each part of the progress; none if the history has none
 */
record Pace(double workMillis, double megabytes, List<Double> splits) {
    /** Of an interval, until nothing of it is left that matters. */
    private static final int HALVES = 40;

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
     * How many times as long as usual an attempt took with each part of its progress, beyond what
     * its input explains: from 1. Where it was quicker than usual it makes up for parts that were
     * slower, so that those from the first to the last together take what they did, or what is
     * usual if that is more.
     *
     * @param first part, from 0; those before are as slow as they were
     * @param last part, excluded; likewise
     * @return one value alone, for all of them, if the history tells of no parts
     */
    List<Double> brakes(PastAttempt attempt, int first, int last) {
        if (splits.isEmpty()) {
            return List.of(Math.max(1, times(attempt) / size(attempt)));
        }
        List<Double> slowness = new ArrayList<>();
        for (int part = 0; part < splits.size(); part++) {
            slowness.add(slowness(attempt, part) / size(attempt));
        }
        int known = Math.min(last, attempt.splits().size());
        double share = shareThatLastsAsLong(slowness, first, known);
        for (int part = 0; part < slowness.size(); part++) {
            boolean isShared = part >= first && part < known;
            slowness.set(part, Math.max(1, (isShared ? share : 1) * slowness.get(part)));
        }
        return List.copyOf(slowness);
    }

    /** What all of them are multiplied by; each is at least 1 then. */
    private double shareThatLastsAsLong(List<Double> slowness, int first, int last) {
        double took = millis(first, last, slowness::get);
        double low = 0;
        double high = 1;
        for (int halves = 0; halves < HALVES; halves++) {
            double share = (low + high) / 2;
            double takes = millis(first, last, part -> Math.max(1, share * slowness.get(part)));
            if (takes > took) {
                high = share;
            } else {
                low = share;
            }
        }
        return low;
    }

    private double millis(int first, int last, IntToDoubleFunction slowness) {
        return IntStream.range(first, last)
                .mapToDouble(part -> usual(part) * slowness.applyAsDouble(part))
                .sum();
    }

    private double usual(int part) {
        return Math.max(1, splits.get(part));
    }

    private double slowness(PastAttempt attempt, int part) {
        int known = attempt.splits().size();
        if (part < known) {
            return attempt.splits().get(part) / usual(part);
        }
        // It came no further: what is left of its time is the least that this part would take.
        double spent = attempt.splits().stream().mapToInt(millis -> millis).sum();
        double inLast = attempt.finishMillis() - attempt.startMillis() - spent;
        return inLast / usual(known);
    }
}
