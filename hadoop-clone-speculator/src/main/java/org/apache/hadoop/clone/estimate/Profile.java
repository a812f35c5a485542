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
package org.apache.hadoop.clone.estimate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * How long attempts of a kind take from one part of their progress to the next. Each part is
 * learned from all that have passed it, whether they have ended or not: so what is usual is known
 * before the first has ended, and those that end first, the quick ones, don't decide it alone (a
 * product-limit estimate, as Kaplan's and Meier's, over progress).
 */
final class Profile {
    private static final int SEGMENTS = 3;

    /** More than the logarithm of any number. */
    private static final double LOG_OF_ANY = 1_000;

    /** How long an attempt took for a part, and from the report before it to the one after it. */
    private record Sample(Course attempt, String host, double millis, double stepMillis) {}

    /** The last samples. */
    private static final class Ring {
        private final List<Sample> samples = new ArrayList<>(4);
        private final int most;
        private int next;

        Ring(int most) {
            this.most = most;
        }

        /**
         * @return in whose place it is; null if there was room
         */
        Sample add(Sample sample) {
            if (samples.size() < most) {
                samples.add(sample);
                return null;
            }
            Sample old = samples.set(next, sample);
            next = (next + 1) % most;
            return old;
        }
    }

    private final ToDoubleFunction<Course> size;
    private final EstimateRules rules;

    private final List<Ring> samples = new ArrayList<>();
    private final Ring firstSteps;
    private final int parts;
    private final Map<String, Integer> samplesOn = new HashMap<>();
    private final Map<String, Usual> usualElsewhere = new HashMap<>();
    private int samplesInAll;
    private Usual usual;
    private Usual lastUsual;
    private double shrunk;
    private boolean changed;
    private long asOf = Long.MIN_VALUE;

    /**
     * @param size of an attempt's input over the mean; may change as more becomes known
     */
    Profile(ToDoubleFunction<Course> size, EstimateRules rules) {
        this.size = size;
        this.rules = rules;
        parts = rules.parts();
        firstSteps = new Ring(rules.samples());
        for (int i = 0; i < parts; i++) {
            samples.add(new Ring(rules.samples()));
        }
    }

    /**
     * The time that work usually takes.
     *
     * @param upTo milliseconds from the beginning to each part's end; the first is 0
     * @param known which segments, thirds of the progress, anybody has been seen in
     * @param steps milliseconds between the reports before and after each part; NaN where nobody
     *     has passed it
     * @param firstStep milliseconds until the first report of any progress; NaN if none was heard
     */
    record Usual(double[] upTo, boolean[] known, double[] steps, double firstStep) {
        /**
         * Whether one that has come so far is where nobody has passed, in a segment that is known.
         */
        boolean isNew(double progress) {
            return knows(progress) && Double.isNaN(steps[part(progress)]);
        }

        double total() {
            return upTo[steps.length];
        }

        /** Milliseconds of usual work that are done at a progress from 0 to 1. */
        double at(double progress) {
            double parts = Math.max(0, Math.min(1, progress)) * steps.length;
            int whole = Math.min(steps.length - 1, (int) parts);
            return upTo[whole] + (parts - whole) * (upTo[whole + 1] - upTo[whole]);
        }

        boolean knows(double progress) {
            return known[part(progress) * SEGMENTS / steps.length];
        }

        /**
         * How long nothing is heard of an attempt that has come so far and goes on, in
         * milliseconds: a map reports no progress while it sorts its last records. Nor does any
         * attempt in its first two intervals: what is new at the end of one is sent at the next
         * one's (stock's {@code Task.TaskReporter}). Of those that began slowly a report in the
         * first part tells, and from there to the next it is one interval: so it isn't by that part
         * that one is judged of which nothing was heard.
         */
        double step(double progress) {
            double step = progress > 0 ? steps[part(progress)] : firstStep;
            return Double.isNaN(step) ? 0 : step;
        }

        private int part(double progress) {
            return Profile.part(progress, steps.length);
        }

        private double millis(int part) {
            return upTo[part + 1] - upTo[part];
        }

        /** Over all parts the greatest of before / now; at least 1. */
        private double shrinkage(Usual before) {
            double most = 1;
            for (int part = 0; part < steps.length; part++) {
                if (before.millis(part) > 0) {
                    most = Math.max(most, before.millis(part) / Math.max(0, millis(part)));
                }
            }
            return most;
        }
    }

    /** In which of so many parts one is that has come so far. */
    static int part(double progress, int parts) {
        return Math.min(parts - 1, (int) (progress * parts));
    }

    /**
     * An attempt has passed a part, in so many milliseconds.
     *
     * @param stepMillis between the two reports of which the later told of it
     */
    void passed(Course attempt, String host, int part, double millis, double stepMillis) {
        Sample old = samples.get(part).add(new Sample(attempt, host, millis, stepMillis));
        if (old == null) {
            samplesInAll++;
        } else {
            samplesOn.computeIfPresent(old.host(), (on, count) -> count > 1 ? count - 1 : null);
        }
        samplesOn.merge(host, 1, Integer::sum);
        changed = true;
    }

    /** An attempt's first report of progress has come so long after its work began. */
    void firstStep(Course attempt, String host, double millis) {
        firstSteps.add(new Sample(attempt, host, millis, millis));
        changed = true;
    }

    /**
     * What others took for a task of mean size, on other hosts if there are any: that is where
     * another attempt would run. Found out once for each moment.
     *
     * @return null if nothing is known of others
     */
    Usual usual(Course attempt, String host, long now) {
        if (changed && now != asOf) {
            changed = false;
            asOf = now;
            usual = null;
            usualElsewhere.clear();
        }
        if (!isNotable(samplesOn.getOrDefault(host, 0))) {
            return usualOfAll();
        }
        Usual elsewhere =
                usualElsewhere.computeIfAbsent(
                        host, here -> of(sample -> !sample.host().equals(here)));
        return elsewhere != null && elsewhere.total() > 0
                ? elsewhere
                : of(sample -> sample.attempt() != attempt);
    }

    private boolean isNotable(int samplesOfHost) {
        return samplesOfHost > rules.notableShare() * samplesInAll;
    }

    /** Whether for an attempt on some host it isn't what all took that counts. */
    boolean hasNotableHost() {
        return samplesOn.values().stream().anyMatch(this::isNotable);
    }

    private Usual usualOfAll() {
        if (usual == null) {
            usual = of(sample -> true);
            if (lastUsual != null) {
                shrunk += Math.min(LOG_OF_ANY, Math.log(usual.shrinkage(lastUsual)));
            }
            lastUsual = usual;
        }
        return usual;
    }

    boolean isOfAll(Usual which) {
        return which == usual;
    }

    /**
     * Of what all took the part that shrank most shrank by so much, as a logarithm, added up each
     * time that it was found out.
     */
    double shrunk() {
        return shrunk;
    }

    private Usual of(Predicate<Sample> which) {
        double[] millis = new double[parts];
        boolean[] known = new boolean[SEGMENTS];
        double[] steps = new double[parts];
        for (int part = 0; part < parts; part++) {
            Ring ring = samples.get(part);
            millis[part] = median(ring, which, one -> one.millis() / sizeOf(one));
            steps[part] = median(ring, which, one -> one.stepMillis() / sizeOf(one));
            known[part * SEGMENTS / parts] |= !Double.isNaN(millis[part]);
        }
        fill(millis);
        if (Double.isNaN(millis[0])) {
            return null;
        }
        double[] upTo = new double[parts + 1];
        for (int part = 0; part < parts; part++) {
            upTo[part + 1] = upTo[part] + millis[part];
        }
        // Of one that says nothing the size isn't known.
        return new Usual(upTo, known, steps, median(firstSteps, which, Sample::stepMillis));
    }

    private double sizeOf(Sample sample) {
        return size.applyAsDouble(sample.attempt());
    }

    private static double median(
            Ring ring, Predicate<Sample> which, ToDoubleFunction<Sample> time) {
        double[] values = ring.samples.stream().filter(which).mapToDouble(time).sorted().toArray();
        int half = values.length / 2;
        if (values.length == 0) {
            return Double.NaN;
        }
        return values.length % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    }

    // What nobody has passed yet takes as long as the rest of its segment, or as all that is known.
    private static void fill(double[] millis) {
        double all =
                Arrays.stream(millis)
                        .filter(one -> !Double.isNaN(one))
                        .average()
                        .orElse(Double.NaN);
        int segment = millis.length / SEGMENTS;
        for (int begin = 0; begin < millis.length; begin += segment) {
            double mean =
                    Arrays.stream(millis, begin, begin + segment)
                            .filter(one -> !Double.isNaN(one))
                            .average()
                            .orElse(all);
            for (int part = begin; part < begin + segment; part++) {
                millis[part] = Double.isNaN(millis[part]) ? mean : millis[part];
            }
        }
    }
}
