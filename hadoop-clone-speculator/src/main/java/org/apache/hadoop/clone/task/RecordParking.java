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

import java.lang.instrument.UnmodifiableClassException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds a task's thread before its next record. */
final class RecordParking {
    private static final Logger LOG = LoggerFactory.getLogger(RecordParking.class);

    private final RecordHooks hooks;

    RecordParking(RecordHooks hooks) {
        this.hooks = hooks;
    }

    /**
     * Ahead of {@link #park}: where processors are busy it takes a second to change the record
     * readers. If they can't be, that is for {@link #park} to say.
     */
    void prepare() {
        try {
            hooks.add();
        } catch (UnmodifiableClassException e) {
            release();
        }
    }

    /**
     * @param quiet asked at record boundaries, by the thread that is there: whether it may stay. It
     *     may {@link #giveUp}
     * @param limitMillis as {@link RecordBoundary#park} has it
     * @return why it isn't held; empty if it is
     */
    Optional<String> park(BooleanSupplier quiet, long limitMillis, Patience patience)
            throws InterruptedException {
        long allowedMillis = patience.atMost(limitMillis);
        try {
            hooks.add();
            if (TaskHooks.BOUNDARY.park(quiet, limitMillis, patience)) {
                return Optional.empty();
            }
        } catch (UnmodifiableClassException e) {
            release();
            return Optional.of("its record readers can't be changed: " + e.getMessage());
        }
        release();
        return Optional.of("it didn't come to a record boundary in " + allowedMillis + " ms");
    }

    /** By the thread that is asked: it won't stay, and {@link #park} needn't wait any longer. */
    void giveUp() {
        TaskHooks.BOUNDARY.release();
    }

    /** Lets it go on; harmless if it isn't held. */
    void release() {
        TaskHooks.BOUNDARY.release();
        try {
            hooks.remove();
        } catch (UnmodifiableClassException e) {
            LOG.warn("The record readers keep their hooks", e);
        }
    }
}
