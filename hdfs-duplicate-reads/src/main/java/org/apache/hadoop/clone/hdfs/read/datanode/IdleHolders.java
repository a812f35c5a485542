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

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who holds a volume and doesn't use its disk: readers whose clients take their time, a map that
 * computes for example, and writers from whom nothing comes.
 */
final class IdleHolders {
    private static final Logger LOG = LoggerFactory.getLogger(IdleHolders.class);

    /** Counts them. */
    @FunctionalInterface
    interface Look {
        int count() throws IOException;
    }

    private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * Of the time a look takes. The kernel goes through all places where a host might have a
     * connection: milliseconds, if it has much memory.
     */
    private static final long PAUSE = 50;

    /** The same, while nobody wants to know. */
    private static final long UNASKED_PAUSE = 200;

    /** What was seen at one time. */
    private record Seen(int idle, int references) {
        /** Those that have ended since were idle: the others are there until one looks again. */
        Seen without(int ended) {
            return ended <= 0 ? this : new Seen(Math.max(0, idle - ended), references - ended);
        }
    }

    private static final Seen NONE = new Seen(0, 0);
    private static final int UNKNOWN = -1;

    private final Look look;
    private final IntSupplier references;
    private final LongSupplier clock;
    private volatile Seen seen = NONE;

    /** {@link #UNKNOWN} before the first look. */
    private int lastReferences = UNKNOWN;

    private long pauseSince;
    private long lookNanos;
    private boolean blind;

    /**
     * @param references to all volumes
     */
    IdleHolders(Look look, IntSupplier references, LongSupplier nanoClock) {
        this.look = look;
        this.references = references;
        this.clock = nanoClock;
    }

    /**
     * Looks, now and then, and has it remembered how many others there are. Also while nobody wants
     * to know: an idle one that stays would else be remembered as one of them, and then taken off
     * twice. Called by one thread, again and again.
     *
     * @param needed whether anybody wants to know; until then all are others
     */
    void sample(Presence others, boolean needed) {
        if (look(needed ? PAUSE : UNASKED_PAUSE)) {
            others.sample(clock.getAsLong());
        }
        if (!needed) {
            seen = NONE;
        }
    }

    /**
     * @return whether what {@link #others} says is of this moment
     */
    private boolean look(long pause) {
        if (blind) {
            return true;
        }
        // Another one comes in the place of one that has ended.
        seen = seen.without(seen.references() - references.getAsInt());
        long began = clock.getAsLong();
        boolean isFirst = lastReferences == UNKNOWN;
        if (!isFirst && began - pauseSince < Math.max(LEAST_PAUSE_NANOS, pause * lookNanos)) {
            return false;
        }
        try {
            int now = references.getAsInt();
            int idle = look.count();
            // One that has just ended may have a connection still, and would hide another one.
            boolean isSteady = isFirst || now == lastReferences;
            boolean isOfOneMoment = isSteady && now == references.getAsInt();
            lastReferences = now;
            if (isOfOneMoment) {
                seen = new Seen(idle, now);
            }
            return isOfOneMoment;
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "Duplicates give way to idle readers and writers as to others: {}",
                    e.toString());
            blind = true;
            seen = NONE;
            return true;
        } finally {
            pauseSince = clock.getAsLong();
            lookNanos = pauseSince - began;
        }
    }

    /** References of all but those. */
    int others() {
        int now = references.getAsInt();
        Seen last = seen;
        return now - last.without(last.references() - now).idle();
    }
}
