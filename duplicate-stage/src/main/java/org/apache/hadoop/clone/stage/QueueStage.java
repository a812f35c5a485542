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
package org.apache.hadoop.clone.stage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The stage: a dispatcher, a delay queue, two queues in strict order, and a scheduler that gives
 * its server as many copies as the limit says (the paper's figures 2 and 5).
 *
 * <p>A duplicate is served if and only if no primary wants its place. One in service has to ask
 * {@link #mayGoOn} from time to time, as a large job can't be interrupted anywhere. So primaries
 * that come don't wait for duplicates: while {@code p} of them wait or are served, duplicates have
 * what is left of the limit, the oldest first.
 *
 * <p>Safe for use by several threads. The server is called without a lock, by whichever thread
 * caused it or is just calling for another.
 */
public final class QueueStage<W> implements Stage<W> {
    private record Delayed<W>(Copy<W> copy, long dueNanos) {}

    private final Server<W> server;
    private final Limit limit;
    private final Gate<W> gate;
    private final int mostDuplicates;
    private final LongSupplier clock;

    private final PriorityQueue<Delayed<W>> delayed =
            new PriorityQueue<>(Comparator.comparingLong(Delayed::dueNanos));
    private final Deque<Copy<W>> primaries = new ArrayDeque<>();
    private final Deque<Copy<W>> duplicates = new ArrayDeque<>();
    // Few: no more than the limit, but for duplicates that primaries have overtaken.
    private final List<Copy<W>> inService = new ArrayList<>();
    private final List<Copy<W>> servedWithoutPlace = new ArrayList<>();
    private final Queue<Runnable> calls = new ArrayDeque<>();
    private boolean calling;

    /**
     * @param gate what else duplicates give way to
     * @param mostDuplicates that may wait; more are turned away, copies of a primary's priority
     *     never
     * @param nanoClock that never goes back
     */
    public QueueStage(
            Server<W> server,
            Limit limit,
            Gate<W> gate,
            int mostDuplicates,
            LongSupplier nanoClock) {
        this.server = server;
        this.limit = limit;
        this.gate = gate;
        this.mostDuplicates = mostDuplicates;
        this.clock = nanoClock;
    }

    @Override
    public void dispatch(Job<W> job) {
        synchronized (this) {
            long now = clock.getAsLong();
            enqueue(new Copy<>(job, 0, Priority.PRIMARY, now));
            int number = 1;
            for (Policy.Duplicate duplicate : job.policy().duplicates()) {
                Copy<W> copy = new Copy<>(job, number, duplicate.priority(), now);
                if (number < job.places().size() && hasRoomFor(copy)) {
                    delayed.add(new Delayed<>(copy, now + duplicate.delay().toNanos()));
                }
                number++;
            }
        }
        schedule();
    }

    @Override
    public boolean dispatch(Copy<W> copy) {
        boolean taken;
        synchronized (this) {
            taken = enqueue(copy);
        }
        schedule();
        return taken;
    }

    private boolean hasRoomFor(Copy<W> copy) {
        return !copy.isDuplicate() || duplicates.size() < mostDuplicates;
    }

    private boolean enqueue(Copy<W> copy) {
        return hasRoomFor(copy) && (copy.isDuplicate() ? duplicates : primaries).add(copy);
    }

    @Override
    public OptionalLong schedule() {
        OptionalLong next;
        synchronized (this) {
            long now = clock.getAsLong();
            while (!delayed.isEmpty() && delayed.peek().dueNanos() - now <= 0) {
                enqueue(delayed.poll().copy());
            }
            startWhatMay();
            next =
                    delayed.isEmpty()
                            ? OptionalLong.empty()
                            : OptionalLong.of(delayed.peek().dueNanos() - now);
        }
        call();
        return next;
    }

    private void startWhatMay() {
        while (!primaries.isEmpty() && primariesInService() < limit.level()) {
            start(primaries.poll());
        }
        while (!duplicates.isEmpty()
                && primaries.isEmpty()
                && inService.size() < limit.level()
                && gate.isOpen(duplicates.peek())) {
            start(duplicates.poll());
        }
        if (inService.size() < limit.level()) {
            limit.idle();
        }
    }

    private void start(Copy<W> copy) {
        inService.add(copy);
        calls.add(() -> startNow(copy));
    }

    private void startNow(Copy<W> copy) {
        Served served = new Served(copy);
        try {
            server.start(copy, served);
        } catch (RuntimeException | OutOfMemoryError failure) {
            served.failed();
        } catch (Error broken) {
            served.failed();
            throw broken;
        }
    }

    /** Whether a copy in service may be served on, or has to wait for primaries. */
    public synchronized boolean mayGoOn(Copy<W> copy) {
        if (!copy.isDuplicate()) {
            return true;
        }
        int wanted = primaries.size() + primariesInService();
        for (Copy<W> other : inService) {
            if (other.equals(copy)) {
                break;
            }
            wanted += other.isDuplicate() ? 1 : 0;
        }
        if (wanted >= limit.level()) {
            return false;
        }
        boolean isOpen = gate.isOpen(copy);
        if (!isOpen) {
            limit.idle();
        }
        return isOpen;
    }

    @Override
    public int purge(Predicate<Copy<W>> unneeded, Cascade cascade) {
        int purged;
        synchronized (this) {
            purged = remove(unneeded, cascade);
        }
        schedule();
        return purged;
    }

    private int remove(Predicate<Copy<W>> unneeded, Cascade cascade) {
        int before = size();
        delayed.removeIf(waiting -> unneeded.test(waiting.copy()));
        primaries.removeIf(unneeded);
        duplicates.removeIf(unneeded);
        if (cascade == Cascade.YES) {
            stop(inService, unneeded);
            stop(servedWithoutPlace, unneeded);
        }
        return before - size();
    }

    private int size() {
        return delayed.size()
                + primaries.size()
                + duplicates.size()
                + inService.size()
                + servedWithoutPlace.size();
    }

    private void stop(List<Copy<W>> served, Predicate<Copy<W>> unneeded) {
        for (Iterator<Copy<W>> each = served.iterator(); each.hasNext(); ) {
            Copy<W> copy = each.next();
            if (unneeded.test(copy)) {
                each.remove();
                calls.add(() -> server.stop(copy));
            }
        }
    }

    private int primariesInService() {
        int count = 0;
        for (Copy<W> copy : inService) {
            count += copy.isDuplicate() ? 0 : 1;
        }
        return count;
    }

    // One thread at a time, so that what is started is told to start before it is told to stop; and
    // in a loop, since a server may end a copy while it is told to start it. What throws keeps none
    // of the others from being called, which may be another thread's.
    private void call() {
        synchronized (this) {
            if (calling) {
                return;
            }
            calling = true;
        }
        RuntimeException failure = null;
        Error broken = null;
        for (Runnable next = nextCall(); next != null; next = nextCall()) {
            try {
                next.run();
            } catch (RuntimeException e) {
                failure = e;
            } catch (Error e) {
                broken = e;
            }
        }
        if (broken != null) {
            throw broken;
        }
        if (failure != null) {
            throw failure;
        }
    }

    private synchronized Runnable nextCall() {
        Runnable next = calls.poll();
        calling = next != null;
        return next;
    }

    /**
     * What comes of a copy. Of one that was purged or has ended it means nothing any more; but what
     * was served of it counts for the limit, for the server has done it.
     */
    private final class Served implements Server.Progress {
        private final Copy<W> copy;

        Served(Copy<W> copy) {
            this.copy = copy;
        }

        @Override
        public void started() {
            synchronized (QueueStage.this) {
                if (inService.contains(copy)) {
                    purgeSiblings(copy.job().policy().atStart());
                }
            }
            schedule();
        }

        @Override
        public void served(long amount) {
            synchronized (QueueStage.this) {
                if (!servedWithoutPlace.contains(copy)) {
                    limit.served(amount, clock.getAsLong(), inService.size() >= limit.level());
                }
            }
        }

        @Override
        public void needsNoPlace() {
            synchronized (QueueStage.this) {
                if (inService.remove(copy)) {
                    servedWithoutPlace.add(copy);
                }
            }
            schedule();
        }

        @Override
        public void ended() {
            leave(copy.job().policy().atEnd());
        }

        @Override
        public void failed() {
            leave(Purge.NOTHING);
        }

        private void leave(Purge purge) {
            synchronized (QueueStage.this) {
                if (inService.remove(copy) || servedWithoutPlace.remove(copy)) {
                    purgeSiblings(purge);
                }
            }
            // Outside of the lock, as it calls the server. Another thread may schedule in between:
            // it sees the queues as they are now and starts the same copies in the same order.
            schedule();
        }

        private void purgeSiblings(Purge purge) {
            if (purge == Purge.NOTHING) {
                return; // A DataNode's reads, whose queues are long when its disk is busy.
            }
            remove(
                    other ->
                            other.id().equals(copy.id())
                                    && purge.hits(other.number(), copy.number()),
                    Cascade.YES);
        }
    }
}
