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

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How fast each host is, by what a job's attempts of one kind have done there in how much time. The
 * sums are kept as attempts report, so that to ask takes as long as there are hosts, however many
 * attempts there were. Not thread-safe.
 *
 * <p>Both work and time are forgotten, as fast as the {@link Memory} says. A host of which next to
 * nothing is remembered isn't known any more, so that one that was left alone because it was slow
 * is tried again.
 *
 * @param <A> what names an attempt
 */
@InterfaceAudience.Private
public final class HostRates<A> {

    /**
     * What an attempt has done on a host by a moment. Times are in milliseconds of one clock.
     *
     * @param done from 0 to 1; anything below counts as nothing yet
     * @param bytes of all of its work; 0 if that isn't known
     */
    public record Stint(String host, long start, long asOf, double done, double bytes) {
        private double parts() {
            return done > 0 ? done : 0;
        }

        private double doneBytes() {
            return parts() * bytes;
        }
    }

    /**
     * How fast a host was, and for how long it has been seen, as far as that is remembered.
     *
     * @param work for each millisecond: in bytes, or in parts of an attempt where no attempt's
     *     bytes are known
     * @param millis of attempts, which may have run at the same time
     */
    public record Rate(double work, double millis) {}

    /** What attempts did, and in how much time. Of those that run, up to what was told last. */
    private static final class Sum {
        private double parts;
        private double bytes;
        private double millis;
        private long asOf;
        private int running;
        private long lastTold;

        void forget(long now, Memory memory) {
            if (now > asOf) {
                double rest = memory.rest(asOf, now);
                parts *= rest;
                bytes *= rest;
                millis *= rest;
                asOf = now;
            }
        }

        void add(double moreParts, double moreBytes, double moreMillis) {
            parts += moreParts;
            bytes += moreBytes;
            millis += moreMillis;
        }

        void runs(long toldMillis, int times) {
            running += times;
            lastTold += times * toldMillis;
        }

        double millis(long now) {
            return millis + (double) running * now - lastTold;
        }
    }

    private final double forgotten;
    private final Memory memory;
    private final Map<A, Stint> running = new HashMap<>();
    private final Map<String, Sum> sums = new HashMap<>();
    private Sum all = new Sum();
    private long from;
    private long lastEnd;

    public HostRates(PlacementRules rules, Memory memory) {
        forgotten = rules.forgotten();
        this.memory = memory;
    }

    /** What the attempt, which runs, has done by now. */
    public void reported(A attempt, Stint stint) {
        account(attempt, stint);
        running.put(attempt, stint);
        told(stint, 1);
    }

    /** It has ended so; what is said of it from then on is nothing new. */
    public void ended(A attempt, Stint stint) {
        if (running.containsKey(attempt)) {
            account(attempt, stint);
        }
        lastEnd = Math.max(lastEnd, stint.asOf);
    }

    /** It was cut short: what it had last reported counts, and its time until then. */
    public void stopped(A attempt) {
        Stint before = running.remove(attempt);
        if (before != null) {
            told(before, -1);
        }
    }

    /** Adds what is new. */
    private void account(A attempt, Stint stint) {
        Stint before = running.get(attempt);
        stopped(attempt);
        Stint since =
                before == null ? new Stint(stint.host, stint.start, stint.start, 0, 0) : before;
        double millis = stint.asOf - toldMillis(since);
        if (millis >= 0) {
            Sum sum = sums.computeIfAbsent(stint.host, host -> new Sum());
            sum.forget(stint.asOf, memory);
            double parts = stint.parts() - since.parts();
            double bytes = stint.doneBytes() - since.doneBytes();
            sum.add(parts, bytes, millis);
            all.add(parts, bytes, millis);
        }
    }

    private void told(Stint stint, int times) {
        sums.computeIfAbsent(stint.host, host -> new Sum()).runs(toldMillis(stint), times);
        all.runs(toldMillis(stint), times);
    }

    private long toldMillis(Stint stint) {
        return Math.max(stint.asOf, from);
    }

    /** Work and time before that don't count. */
    public void countFrom(long millis) {
        if (millis != from) {
            from = millis;
            sums.clear();
            all = new Sum();
            running.values().forEach(stint -> told(stint, 1));
        }
    }

    /** When the last attempt that has ended did; 0 if none has. */
    public long lastEnd() {
        return lastEnd;
    }

    /**
     * How long a whole attempt takes, in the mean of all that was ever done, in milliseconds; 0 as
     * long as that is less than one: what runs has taken its time and may not have told of its work
     * yet.
     */
    public double usualMillis(long now) {
        return all.parts >= 1 ? all.millis(now) / all.parts : 0;
    }

    /**
     * All of a host's work over all of its time, so that an attempt that has only begun says next
     * to nothing. Hosts that aren't known are missing: also one that hasn't told of any work in
     * less time than a whole attempt usually takes, since a first report takes its time.
     */
    public Map<String, Rate> rates(long now) {
        boolean inBytes = all.bytes > 0;
        double least = memory.part(forgotten);
        Map<String, Rate> rates = new HashMap<>();
        sums.forEach(
                (host, sum) -> {
                    sum.forget(now, memory);
                    double millis = sum.millis(now);
                    if (millis > least && hasTold(sum, millis, all.millis(now))) {
                        rates.put(
                                host, new Rate((inBytes ? sum.bytes : sum.parts) / millis, millis));
                    }
                });
        return rates;
    }

    /** Or has had the time that a whole attempt usually takes elsewhere. */
    private boolean hasTold(Sum sum, double millis, double allMillis) {
        return sum.parts > 0
                || sum.bytes > 0
                || all.parts < 1
                || millis > (allMillis - millis) / all.parts;
    }
}
