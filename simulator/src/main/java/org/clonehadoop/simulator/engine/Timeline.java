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
package org.clonehadoop.simulator.engine;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.util.Clock;

/**
 * Simulated time, and what is to happen at which moment of it. What is due at the same moment
 * happens in the order in which it was planned, so that equal inputs give equal runs.
 */
public final class Timeline implements Clock {
    /** Something planned, which may be called off. */
    public static final class Alarm {
        private final long millis;
        private final long serial;
        private Runnable action;

        private Alarm(long millis, long serial, Runnable action) {
            this.millis = millis;
            this.serial = serial;
            this.action = action;
        }

        public void cancel() {
            action = null;
        }
    }

    private final PriorityQueue<Alarm> planned =
            new PriorityQueue<>(
                    Comparator.comparingLong((Alarm alarm) -> alarm.millis)
                            .thenComparingLong(alarm -> alarm.serial));
    private long now;
    private long serial;
    private long happened;

    /**
     * @param begin in milliseconds; Hadoop's estimators take small numbers for no time at all
     */
    public Timeline(long begin) {
        now = begin;
    }

    @Override
    public long getTime() {
        return now;
    }

    /**
     * @param delayMillis from now; 0 or more
     */
    public Alarm after(long delayMillis, Runnable action) {
        if (delayMillis < 0) {
            throw new IllegalArgumentException(delayMillis + " ms from now is over");
        }
        Alarm alarm = new Alarm(now + delayMillis, serial++, action);
        planned.add(alarm);
        return alarm;
    }

    /** From the first moment on, as long as it says so. */
    public void every(long periodMillis, BooleanSupplier action) {
        after(
                periodMillis,
                () -> {
                    if (action.getAsBoolean()) {
                        every(periodMillis, action);
                    }
                });
    }

    /**
     * @param done asked after each thing that has happened
     * @throws IllegalStateException if nothing is planned any more and it isn't done, or it isn't
     *     within limitMillis
     */
    public void run(BooleanSupplier done, long limitMillis) {
        long limit = now + limitMillis;
        while (!done.getAsBoolean()) {
            Alarm next = planned.poll();
            if (next == null || next.millis > limit) {
                throw new IllegalStateException(
                        next == null ? "nothing is left to happen" : "it takes too long");
            }
            if (next.action != null) {
                now = next.millis;
                happened++;
                next.action.run();
            }
        }
    }

    /** How many things have happened. */
    public long happened() {
        return happened;
    }
}
