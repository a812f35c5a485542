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

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.clonehadoop.benchmarks.harness.Outcome;

/** Asks at given times, and never waits for an answer before it asks again. */
final class OpenLoop {
    /** Anything that takes its time. */
    @FunctionalInterface
    interface Request {
        void run(int number) throws IOException;
    }

    private final int mostUnderWay;
    private final long drainSeconds;

    /**
     * @param mostUnderWay with more it ends: nothing will become better
     * @param drainSeconds what is under way at the end may still take
     */
    OpenLoop(int mostUnderWay, long drainSeconds) {
        this.mostUnderWay = mostUnderWay;
        this.drainSeconds = drainSeconds;
    }

    /**
     * Returns when nothing is under way any more.
     *
     * @param arrivals in nanoseconds from now, in order
     * @throws TimeoutException if something still is, though it was interrupted
     */
    Outcome run(long[] arrivals, Request request) throws InterruptedException, TimeoutException {
        Outcome outcome = new Outcome(arrivals.length);
        ExecutorService threads = Executors.newCachedThreadPool();
        AtomicInteger underWay = new AtomicInteger();
        long begin = System.nanoTime();
        for (int i = 0; i < arrivals.length; i++) {
            long due = begin + arrivals[i];
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            int now = underWay.getAndIncrement();
            outcome.came(i, now);
            if (now >= mostUnderWay) {
                outcome.abandoned();
                break;
            }
            int number = i;
            threads.execute(
                    () -> {
                        try {
                            ask(outcome, request, number, due);
                        } finally {
                            underWay.decrementAndGet();
                        }
                    });
        }
        threads.shutdown();
        if (!threads.awaitTermination(drainSeconds, TimeUnit.SECONDS)) {
            outcome.abandoned();
            Interruption.end(threads, "requests");
        }
        return outcome;
    }

    private static void ask(Outcome outcome, Request request, int number, long due) {
        outcome.began(System.nanoTime() - due);
        try {
            request.run(number);
            outcome.ended(System.nanoTime() - due);
        } catch (IOException e) {
            outcome.failed();
        }
    }
}
