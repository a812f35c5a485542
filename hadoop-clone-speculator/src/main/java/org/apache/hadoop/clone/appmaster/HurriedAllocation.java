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
package org.apache.hadoop.clone.appmaster;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the ResourceManager more often while a straggler's backup waits for its container. Stock
 * does so once a second ({@code yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms}), which
 * costs a request that second twice, on its way there and back; to a straggler a second is worth
 * more than it costs the ResourceManager to be asked a few times more. In a large job there is
 * always some backup that waits: then it is asked as often as the {@linkplain HeartbeatAllowance
 * allowance} lasts.
 */
final class HurriedAllocation implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HurriedAllocation.class);

    /** As often as a small cluster's NodeManagers report what they have free. */
    static final long PERIOD_MILLIS = PlacementRules.PRESET.hurriedMillis();

    /** What isn't granted by then waits for somebody to end; a second more doesn't matter. */
    static final int BEATS = HeartbeatAllowance.MOST;

    /** As often as stock asks. */
    private static final long RETRY_MILLIS = 1000;

    /** One exchange with the ResourceManager. */
    interface Heartbeat {
        /**
         * @return false if it isn't to be had now
         */
        boolean beat() throws Exception;
    }

    private final Heartbeat heartbeat;
    private final BooleanSupplier waiting;
    private final HeartbeatAllowance allowance;
    private final ScheduledExecutorService executor;
    private int left;

    /**
     * @param waiting whether any backup still waits
     * @param executor of this alone, since an exchange may take as long as the ResourceManager
     *     can't be reached; is shut down with it
     */
    HurriedAllocation(
            Heartbeat heartbeat,
            BooleanSupplier waiting,
            HeartbeatAllowance allowance,
            ScheduledExecutorService executor) {
        this.heartbeat = heartbeat;
        this.waiting = waiting;
        this.allowance = allowance;
        this.executor = executor;
    }

    /** A backup has been asked for. */
    synchronized void begin() {
        boolean idle = left == 0;
        left = BEATS;
        if (idle && !executor.isShutdown()) {
            scheduleNext();
        }
    }

    /**
     * One exchange at once, beyond what is allowed; another a second later where it can't be had
     * now, or fails.
     *
     * @param told is run once the ResourceManager has all that was asked for until now
     */
    synchronized void exchange(Runnable told) {
        if (!executor.isShutdown()) {
            executor.execute(() -> exchangeUntilDone(told));
        }
    }

    private void exchangeUntilDone(Runnable told) {
        if (hasBeaten()) {
            told.run();
        } else {
            retry(told);
        }
    }

    private synchronized void retry(Runnable told) {
        if (!executor.isShutdown()) {
            executor.schedule(() -> exchangeUntilDone(told), RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void scheduleNext() {
        executor.schedule(this::beat, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    // Not under the lock, which the AppMaster's dispatcher needs.
    private void beat() {
        boolean goesOn = false;
        try {
            goesOn = waiting.getAsBoolean() && isAllowed() && hasBeaten();
        } finally {
            ended(goesOn);
        }
    }

    private boolean hasBeaten() {
        try {
            return heartbeat.beat();
        } catch (Exception e) {
            // Stock's own next exchange deals with whatever it is.
            LOG.info("The ResourceManager isn't asked more often: {}", e.toString());
            return false;
        }
    }

    private synchronized boolean isAllowed() {
        return allowance.take();
    }

    private synchronized void ended(boolean goesOn) {
        left = goesOn ? left - 1 : 0;
        if (left > 0 && !executor.isShutdown()) {
            scheduleNext();
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
