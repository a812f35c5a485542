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
package org.apache.hadoop.clone.task;

import org.apache.hadoop.clone.shuffle.BoundaryDistance;

/**
 * Whether a map with per-spill outputs that is to be parked stops where it is, or goes on to a
 * boundary, where most of its buffers' memory is garbage. It goes on as long as it expects to be
 * there within the patience, by its speed since it was first asked.
 *
 * <p>Used by the map's thread alone; what it says is read by others once the map is parked.
 */
final class BoundaryWait {
    /** Part of the patience after which the map's speed is trusted. */
    private static final int LOOK = 10;

    private final long patienceNanos;
    private boolean asked;
    private long firstNanos;
    private long firstBytes;
    private boolean inVain;
    private boolean atBoundary;

    /**
     * @param patienceNanos 0 for no wait
     */
    BoundaryWait(long patienceNanos) {
        this.patienceNanos = patienceNanos;
        inVain = patienceNanos == 0;
    }

    /**
     * @param distance now
     * @param nanos the time
     */
    boolean mayStop(BoundaryDistance distance, long nanos) {
        if (!asked) {
            asked = true;
            firstNanos = nanos;
            firstBytes = distance.bytes();
        }
        atBoundary = distance.isNone() && patienceNanos > 0;
        boolean hasLooked = distance.bytes() == 0 || nanos - firstNanos >= patienceNanos / LOOK;
        if (!inVain && hasLooked) {
            inVain = expectedNanos(distance, nanos - firstNanos) > patienceNanos;
        }
        return atBoundary || inVain;
    }

    /** From when it was first asked. */
    private double expectedNanos(BoundaryDistance distance, long elapsed) {
        if (distance.bytes() == 0) {
            return elapsed + (double) distance.writeNanos();
        }
        double bytesPerNano = (firstBytes - distance.bytes()) / (double) elapsed;
        return bytesPerNano > 0
                ? elapsed + distance.bytes() / bytesPerNano + distance.writeNanos()
                : Double.POSITIVE_INFINITY;
    }

    /** Whether it was at a boundary when it was asked last, and had any patience to begin with. */
    boolean atBoundary() {
        return atBoundary;
    }
}
