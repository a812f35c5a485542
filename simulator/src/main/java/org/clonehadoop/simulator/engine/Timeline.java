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

import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.util.Clock;

/**
 * Simulated time, and what is to happen at which moment of it. What is due at the same moment
 * happens in the order in which it was planned, so that equal inputs give equal runs.
 */
public final class Timeline implements Clock {
    /** Something planned, which may be called off. */
    public final class Alarm implements Comparable<Alarm> {
        private final long millis;
        private final long serial;
        private Runnable action;

        private Alarm(long millis, long serial, Runnable action) {
            this.millis = millis;
            this.serial = serial;
            this.action = action;
        }

        /** Once it has happened that means nothing. */
        public void cancel() {
            if (action != null) {
                action = null;
                calledOff++;
                sweep();
            }
        }

        @Override
        public int compareTo(Alarm other) {
            return millis == other.millis
                    ? Long.compare(serial, other.serial)
                    : Long.compare(millis, other.millis);
        }
    }

    /** So few that are called off may lie around whatever else is planned. */
    private static final int FEW = 1000;

    private final PriorityQueue<Alarm> planned = new PriorityQueue<>();
    private int calledOff;
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
            if (next.action == null) {
                calledOff--;
            } else {
                Runnable action = next.action;
                next.action = null;
                now = next.millis;
                happened++;
                action.run();
            }
        }
    }

    /** Most of what is planned for later is called off; it would make the rest slow to find. */
    private void sweep() {
        if (calledOff > FEW && calledOff > planned.size() / 2) {
            planned.removeIf(alarm -> alarm.action == null);
            calledOff = 0;
        }
    }

    /** How many things have happened. */
    public long happened() {
        return happened;
    }
}
