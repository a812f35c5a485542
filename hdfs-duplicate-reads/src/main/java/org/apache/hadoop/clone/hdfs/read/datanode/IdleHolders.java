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

    /** What was seen at one time. */
    private record Seen(int idle, int references) {
        /** Those that have ended since were idle: the others are there until one looks again. */
        Seen without(int ended) {
            return ended <= 0 ? this : new Seen(Math.max(0, idle - ended), references - ended);
        }
    }

    private static final Seen NONE = new Seen(0, 0);

    private final Look look;
    private final IntSupplier references;
    private final LongSupplier clock;
    private volatile Seen seen = NONE;
    private long pauseSince;
    private long pauseNanos;
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
     * Looks, now and then. Called by one thread, again and again.
     *
     * @param needed whether anybody wants to know
     * @return whether what {@link #others} says is of this moment
     */
    boolean look(boolean needed) {
        if (!needed || blind) {
            seen = NONE;
            return true;
        }
        long began = clock.getAsLong();
        if (began - pauseSince < pauseNanos) {
            // Who comes in their place is another one.
            seen = seen.without(seen.references() - references.getAsInt());
            return false;
        }
        try {
            int before = references.getAsInt();
            int idle = look.count();
            boolean isOfOneMoment = before == references.getAsInt();
            if (isOfOneMoment) {
                seen = new Seen(idle, before);
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
            pauseNanos = Math.max(LEAST_PAUSE_NANOS, PAUSE * (pauseSince - began));
        }
    }

    /** References of all but those. */
    int others() {
        int now = references.getAsInt();
        Seen last = seen;
        return now - last.without(last.references() - now).idle();
    }
}
