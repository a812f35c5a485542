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
package org.clonehadoop.simulator.requests.engine;

import java.util.Arrays;

/**
 * What happens when, in nanoseconds: a heap of four children a node. Runs of equal plans are equal,
 * events of one moment included.
 */
public final class Agenda {
    private static final int CHILDREN = 4;

    private long[] times = new long[1024];
    private long[] events = new long[1024];
    private int size;
    private long now;
    private long event;
    private long happened;

    /**
     * @param nanos from now; 0 or more
     * @param kind 0 or more
     * @param subject which of its kind
     */
    public void after(long nanos, int kind, int subject) {
        if (nanos < 0) {
            throw new IllegalArgumentException(nanos + " ns from now is over");
        }
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            events = Arrays.copyOf(events, 2 * size);
        }
        rise(size++, now + nanos, (long) kind << Integer.SIZE | subject);
    }

    private void rise(int from, long time, long what) {
        int at = from;
        while (at > 0 && times[(at - 1) / CHILDREN] > time) {
            int parent = (at - 1) / CHILDREN;
            times[at] = times[parent];
            events[at] = events[parent];
            at = parent;
        }
        times[at] = time;
        events[at] = what;
    }

    /** Lets the next event happen; false if none is left. */
    public boolean next() {
        if (size == 0) {
            return false;
        }
        now = times[0];
        event = events[0];
        happened++;
        size--;
        if (size > 0) {
            sink(times[size], events[size]);
        }
        return true;
    }

    private void sink(long time, long what) {
        int at = 0;
        while (true) {
            int first = CHILDREN * at + 1;
            int least = first;
            for (int child = first + 1; child < Math.min(first + CHILDREN, size); child++) {
                if (times[child] < times[least]) {
                    least = child;
                }
            }
            if (first >= size || times[least] >= time) {
                break;
            }
            times[at] = times[least];
            events[at] = events[least];
            at = least;
        }
        times[at] = time;
        events[at] = what;
    }

    public long now() {
        return now;
    }

    /** What happens now. */
    public int kind() {
        return (int) (event >> Integer.SIZE);
    }

    public int subject() {
        return (int) event;
    }

    /** How many events have happened. */
    public long happened() {
        return happened;
    }
}
