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
package org.apache.hadoop.clone.hdfs.read.datanode;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * Whether anybody else uses a volume now, by the references to it: each reader, writer and transfer
 * of the DataNode's holds one as long as it is at work. So does what hardly ever works, the
 * volume's scanner and files that are open for writing, a log for example. Hence
 *
 * <pre>
 *   present = references − ours − min(stayed, least(references − ours over the last {@value #SECONDS} s)) > 0
 * </pre>
 *
 * that is: what stays for longer is a stream and no request, and isn't given way to. The least
 * alone won't do: where one reader follows another without a gap there always is one.
 */
final class Presence {
    /** What is there for longer is forgotten. */
    static final int SECONDS = 30;

    private static final int OURS_BITS = 32;

    private final IntSupplier references;
    private final IntSupplier stayed;

    // How many of the references are ours; above it how often that has changed, by which a look at
    // both is known to be of one moment.
    private final AtomicLong ours = new AtomicLong();

    // Of each of the last seconds, in a ring; nobody was seen in those that nobody looked at.
    private final int[] leastOfSecond = new int[SECONDS];
    private long second = Long.MIN_VALUE;

    // Until somebody has looked everything is somebody else.
    private volatile int least;

    /**
     * @param stayed how many of those that hold references, at most, have done so for so long
     */
    Presence(IntSupplier references, IntSupplier stayed) {
        this.references = references;
        this.stayed = stayed;
        Arrays.fill(leastOfSecond, Integer.MAX_VALUE);
    }

    /** One of the references is ours from now on. After it was taken, never before. */
    void begin() {
        ours.addAndGet((1L << OURS_BITS) + 1);
    }

    /**
     * No more. Before it is given back, never after: what seems to be too few would count for long.
     */
    void end() {
        ours.addAndGet((1L << OURS_BITS) - 1);
    }

    /** Remembers how many others there are. Called by one thread, again and again. */
    void sample(long nanos) {
        long before = ours.get();
        // A read that fails at its disk gives its reference back before it says so.
        int others = Math.max(0, references.getAsInt() - (int) before);
        if (before != ours.get()) {
            return;
        }
        long now = TimeUnit.NANOSECONDS.toSeconds(nanos);
        if (now != second) {
            forget(now);
        }
        int at = Math.floorMod(now, SECONDS);
        if (others < leastOfSecond[at]) {
            leastOfSecond[at] = others;
            least = Math.min(least(), others);
        }
    }

    private int least() {
        return Arrays.stream(leastOfSecond).min().orElseThrow();
    }

    private void forget(long now) {
        long passed = second == Long.MIN_VALUE ? SECONDS : Math.min(now - second, SECONDS);
        for (long each = 0; each < passed; each++) {
            leastOfSecond[Math.floorMod(now - each, SECONDS)] = Integer.MAX_VALUE;
        }
        second = now;
        int known = least();
        if (known != Integer.MAX_VALUE) {
            least = known;
        }
    }

    /** Whether anybody else is at work here. */
    boolean others() {
        return references.getAsInt() - (int) ours.get() - Math.min(least, stayed.getAsInt()) > 0;
    }
}
