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
package org.clonehadoop.benchmarks.reads;

import java.util.random.RandomGenerator;

/**
 * Another program that reads from a disk now and then, as the script {@code reads/noise} does: a
 * request that meets it takes 1.6 to 5 times as long.
 */
final class SimulatedNoise implements SimulatedDisk.Reader {
    /** What the paper's p91 to p100 take beyond their median, in percent of it. */
    private static final int[] EXTRA = {60, 75, 90, 110, 130, 150, 175, 210, 250, 400};

    /** In a request's service times. */
    private static final double MEAN_PAUSE = 14.65;

    private final RandomGenerator random;
    private final int packets;
    private final double meanPauseNanos;
    private long beginsNanos;
    private int left;

    /**
     * @param packets of a request
     */
    SimulatedNoise(RandomGenerator random, int packets, long packetNanos) {
        this.random = random;
        this.packets = packets;
        this.meanPauseNanos = MEAN_PAUSE * packets * packetNanos;
        pause(0);
    }

    private void pause(long now) {
        beginsNanos = now - Math.round(meanPauseNanos * Math.log(1 - random.nextDouble()));
        left = packets * EXTRA[random.nextInt(EXTRA.length)] / 100;
    }

    /** When it begins, or has begun. */
    long beginsNanos() {
        return beginsNanos;
    }

    /** Goes to its disk, if it is time and it isn't there. */
    void begin(long now, SimulatedDisk disk) {
        if (beginsNanos <= now) {
            beginsNanos = Long.MAX_VALUE;
            disk.add(this);
        }
    }

    /** Pauses, if it has had all. */
    void end(long now) {
        if (left == 0) {
            pause(now);
        }
    }

    @Override
    public boolean mayGoOn() {
        return true;
    }

    @Override
    public boolean served() {
        left--;
        return left > 0;
    }
}
