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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where whoever reads a task's records is parked: before it reads its next record, a map's also at
 * the end of a spill, and while nothing of what it has already put out is on its way.
 */
final class RecordBoundary {
    private static final Logger LOG = LoggerFactory.getLogger(RecordBoundary.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Condition decided = lock.newCondition();
    private BooleanSupplier quiet;
    private volatile boolean wanted;
    private boolean deciding;
    private long decidingSince;
    private long decidingNanos;
    private int parked;

    /**
     * By a thread that reads records, between two of them: before each that it reads, while
     * somebody prepares a clone; and at the end of each spill of a map. Mostly that is the task's
     * own thread.
     */
    void pass() {
        if (!wanted || !begins()) {
            return;
        }
        boolean stays = false;
        try {
            stays = quiet.getAsBoolean();
        } catch (RuntimeException | LinkageError e) {
            // Of ours, in the midst of a task that knows nothing of it.
            LOG.warn("This task can't be parked", e);
            quiet = () -> false;
        } finally {
            ends(stays);
        }
    }

    private boolean begins() {
        lock.lock();
        try {
            deciding = wanted;
            decidingSince = System.nanoTime();
            return deciding;
        } finally {
            lock.unlock();
        }
    }

    private void ends(boolean stays) {
        lock.lock();
        try {
            deciding = false;
            decidingNanos += System.nanoTime() - decidingSince;
            decided.signalAll();
            if (!stays || !wanted) {
                return;
            }
            parked++;
            changed.signalAll();
            while (wanted) {
                changed.awaitUninterruptibly();
            }
            parked--;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Parks the thread that reads records at the first boundary where all is quiet.
     *
     * @param quiet asked at boundaries, by the thread that is there; it may take its time, which
     *     doesn't count for {@code limitMillis}. If it calls {@link #release}, nobody is parked
     * @param patience for both together; {@code quiet} must end by then
     * @return false, with nobody parked, if it didn't come there in time
     */
    boolean park(BooleanSupplier quiet, long limitMillis, Patience patience)
            throws InterruptedException {
        lock.lock();
        try {
            this.quiet = quiet;
            wanted = true;
            decidingNanos = 0;
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
            while (parked == 0) {
                long most = Math.min(end + decidingNanos - System.nanoTime(), patience.leftNanos());
                long left = wanted ? most : 0;
                if (deciding) {
                    decided.await();
                } else if (left > 0) {
                    changed.awaitNanos(left);
                } else {
                    break;
                }
            }
            wanted = parked > 0;
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the thread go on; harmless if none is parked. */
    void release() {
        lock.lock();
        try {
            wanted = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
