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
package org.apache.hadoop.clone.hdfs.read;

import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * One window, which a primary reads in the caller's thread, and a duplicate elsewhere if that takes
 * too long. The first that has all of it wins; the other is purged.
 *
 * <p>Only while the caller waits does time pass: what an application does in between isn't the
 * DataNode's fault. A copy that is complete while the caller is away hasn't won yet, for the
 * primary's bytes may have come as well.
 */
final class WindowRace implements RaceTimer.Sleeper {
    /** Makes duplicates. */
    @FunctionalInterface
    interface Sender {
        /**
         * Of what is missing from a position on.
         *
         * @return null if there is no place for it
         */
        DuplicateRead of(WindowRace race, long from);
    }

    private static final long NEVER = Long.MAX_VALUE;
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Duplicates duplicates;
    private final Policy policy;
    private final DatanodeInfo primary;
    private final Connection connection;
    private final boolean callerAlwaysWaits;
    private final long patienceNanos;
    private final Sender sender;

    private enum State {
        OPEN,
        WON_BY_DUPLICATE,
        OVER
    }

    private volatile State state = State.OPEN;
    private final long start;
    private volatile long position;
    private boolean waiting;
    private long waitsSince;
    private long waitedNanos;
    private boolean hasFailed;
    private boolean timed;
    private boolean closedToDuplicates;
    private DuplicateRead duplicate;
    private boolean duplicateStarted;
    private boolean duplicateFailed;
    private boolean primaryPurged;
    private WindowCopy copy;
    private long waitedBeforeCopy;
    private JobId job;

    /**
     * @param primary where that reads
     * @param connection on which
     * @param callerAlwaysWaits from its first wait until all has been read
     * @param patienceNanos for how long the caller waits without a duplicate
     * @param from where the window begins
     */
    WindowRace(
            Duplicates duplicates,
            DatanodeInfo primary,
            Connection connection,
            boolean callerAlwaysWaits,
            long patienceNanos,
            long from,
            Sender sender) {
        this.duplicates = duplicates;
        this.policy = duplicates.settings().policy();
        this.primary = primary;
        this.connection = connection;
        this.callerAlwaysWaits = callerAlwaysWaits;
        this.patienceNanos = patienceNanos;
        this.start = from;
        this.position = from;
        this.sender = sender;
    }

    /** The same for both copies. */
    synchronized JobId job() {
        if (job == null) {
            job = duplicates.nextJob();
        }
        return job;
    }

    // What the caller tells.

    /**
     * @param at of the first byte that it hasn't got
     * @param unnoticed it may wait without noticing for how long
     */
    void callerWaits(long at, boolean unnoticed) {
        position = at;
        // The caller's own flag: who always waits needs no lock for each read of the socket.
        if (!callerAlwaysWaits || !waiting || unnoticed) {
            beginWait(unnoticed);
        }
    }

    private synchronized void beginWait(boolean unnoticed) {
        if (!waiting) {
            waiting = true;
            duplicates.order().begins(primary);
            waitsSince = System.nanoTime();
        }
        if (unnoticed) {
            time();
        }
    }

    void callerGoesOn() {
        if (!callerAlwaysWaits) {
            endWait();
        }
    }

    private synchronized void endWait() {
        if (waiting) {
            waitsNoMore();
        }
    }

    private void waitsNoMore() {
        waitedNanos += System.nanoTime() - waitsSince;
        waiting = false;
        duplicates.order().ends(primary);
    }

    private void tellSpeed() {
        long waited = waitedNanos();
        if (waited > 0) {
            duplicates.order().waited(primary, position - start, waited);
        }
    }

    /** The primary's DataNode doesn't answer. How fast it was until then is no matter any more. */
    synchronized void primaryFailed() {
        hasFailed = true;
        duplicates.order().failed(primary);
    }

    /** The primary has got its first answer: for some policies it is then alone. */
    synchronized void primaryStarted() {
        if (policy.atStart().hits(1, 0)) {
            closedToDuplicates = true;
            purgeDuplicate();
        }
    }

    synchronized long waitedNanos() {
        return waitedNanos + (waiting ? System.nanoTime() - waitsSince : 0);
    }

    /**
     * Whether the primary was as fast as a duplicate can make it: that had its turn and didn't win,
     * or there was none. One that only waited for its turn says nothing.
     *
     * <p>One that has begun and then given way counts as no faster. From here it looks like one
     * from a slow disk, and nobody was faster with this window either way. What it hides is small:
     * {@link Pace} tries again once as many windows more have been read as were until now.
     */
    synchronized boolean hadNoHelp() {
        return duplicate == null || duplicateStarted;
    }

    /** Where the duplicate was of no help: its turn didn't come, or it couldn't be read. */
    synchronized List<DatanodeInfo> ofNoHelp() {
        return duplicate == null ? List.of() : duplicate.ofNoHelp();
    }

    /**
     * The copy, if it has won. Its memory is the caller's from now on.
     *
     * @return null if it hasn't
     */
    WindowCopy takeCopy() {
        // Asked before each read, however small, most of which need no lock.
        return state == State.WON_BY_DUPLICATE ? takeCopyThatWon() : null;
    }

    private synchronized WindowCopy takeCopyThatWon() {
        WindowCopy won = copy;
        copy = null;
        return won;
    }

    /**
     * The primary can't go on. If that is because the duplicate has begun, nobody else does.
     *
     * @return whether the duplicate has won
     */
    synchronized boolean awaitsDuplicate() throws InterruptedIOException {
        while (state == State.OPEN && primaryPurged && !duplicateFailed) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while a duplicate was read");
            }
        }
        return state == State.WON_BY_DUPLICATE;
    }

    /**
     * Whether the primary was ended for a duplicate that has failed since, and nothing else is
     * wrong with it. Once: what ends it then is its own failure.
     */
    synchronized boolean wasPurgedInVain() {
        boolean inVain = primaryPurged && duplicateFailed;
        primaryPurged = false;
        return inVain;
    }

    /**
     * Nothing more is wanted of the window; of what wasn't taken nothing is left.
     *
     * @param at of the first byte that the caller hasn't got
     */
    synchronized void over(long at) {
        position = at;
        if (state == State.OPEN) {
            state = State.OVER;
            if (position > start && !hasFailed) {
                tellSpeed();
            }
            settle(false);
        }
        if (waiting) {
            waitsNoMore();
        }
        purgeDuplicate();
        if (copy != null) {
            duplicates.statistics().add(Counter.BYTES_DISCARDED, copy.length());
            copy.memory().give();
            copy = null;
        }
    }

    private void purgeDuplicate() {
        if (duplicate != null) {
            duplicate.purge();
        }
    }

    // Also one whose duplicate's turn hadn't come yet. Without these only primaries that took long
    // enough for it would count, and most of those are lost: an idle DataNode would look ill that
    // is late with one read in a hundred.
    private void settle(boolean lost) {
        if (duplicate != null && duplicate.asked() != null && !duplicateFailed) {
            duplicates.ended(primary, lost);
        }
    }

    // What is done when it takes long.

    /** Until something is to be done while the caller waits; from 0 downwards it is time. */
    private long nanosUntilDue() {
        if (state != State.OPEN || !waiting) {
            return NEVER;
        }
        if (copy != null) {
            return enoughToWin() - waitedSinceCopy();
        }
        return duplicate == null && !closedToDuplicates ? patienceNanos - waitedNanos() : NEVER;
    }

    private void doWhatIsDue() {
        if (nanosUntilDue() > 0) {
            return;
        }
        if (copy != null) {
            winIfWaited();
        } else {
            send();
        }
    }

    // By the caller itself, where it notices for how long it waits.

    /** {@link PatientPeer.Reader#patienceMillis}. */
    synchronized long patienceMillis() {
        doWhatIsDue();
        long nanos = nanosUntilDue();
        return nanos == NEVER
                ? 0
                : Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + NANOS_PER_MILLI - 1));
    }

    /** {@link PatientPeer.Reader#outOfPatience}. */
    synchronized void outOfPatience() {
        doWhatIsDue();
    }

    // By the timer, elsewhere.

    private void time() {
        long nanos = nanosUntilDue();
        if (!timed && nanos != NEVER) {
            timed = true;
            duplicates.threads().timer().set(this, nanos);
        }
    }

    @Override
    public boolean isOver() {
        return state != State.OPEN;
    }

    @Override
    public synchronized void wake() {
        timed = false;
        doWhatIsDue();
        time();
    }

    private void send() {
        duplicate = sender.of(this, position);
        closedToDuplicates = true;
        if (duplicate != null && !duplicates.threads().execute(duplicate)) {
            duplicates.statistics().count(Counter.NEVER_SENT);
            duplicateFailed();
        }
    }

    /**
     * For how long the caller has waited though the copy was there: in all, as bytes may trickle.
     */
    private long waitedSinceCopy() {
        return waitedNanos() - waitedBeforeCopy;
    }

    /** For how long it has to, until it is taken to wait for the DataNode. */
    private long enoughToWin() {
        return callerAlwaysWaits || primaryPurged
                ? 0
                : duplicates.settings().duplicate().delay().toNanos();
    }

    private void winIfWaited() {
        if (waitedSinceCopy() >= enoughToWin()) {
            state = State.WON_BY_DUPLICATE;
            tellSpeed();
            settle(true);
            duplicates.statistics().count(Counter.WON);
            connection.end();
        }
    }

    // What the duplicate tells.

    /** Its turn has come: for some policies it is then alone. */
    synchronized void duplicateStarted() {
        duplicateStarted = true;
        if (state == State.OPEN && waiting && policy.atStart().hits(0, 1)) {
            primaryPurged = true;
            connection.end();
        }
    }

    /** Whether nobody reads but the duplicate. */
    synchronized boolean hasEndedPrimary() {
        return primaryPurged;
    }

    /**
     * It has all.
     *
     * @return whether that is still wanted. Its memory is the race's then
     */
    synchronized boolean duplicateCompleted(WindowCopy all) {
        if (state != State.OPEN) {
            return false;
        }
        copy = all;
        waitedBeforeCopy = waitedNanos();
        // A primary that was purged brings nothing more: nobody else's bytes are waited for then.
        if (waiting || primaryPurged) {
            winIfWaited();
            time();
        }
        notifyAll();
        return true;
    }

    synchronized void duplicateFailed() {
        duplicateFailed = true;
        notifyAll();
    }
}
