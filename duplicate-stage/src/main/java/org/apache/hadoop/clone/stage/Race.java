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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Several copies of which one will do: the first to complete wins, the others are purged, once. It
 * fails when all have failed, with what the primary failed of.
 *
 * @param <R> what a copy results in
 */
public final class Race<R> {
    private static final int NOBODY = -1;

    private final IntConsumer won;
    private final CompletableFuture<R> result = new CompletableFuture<>();
    private final AtomicInteger winner = new AtomicInteger(NOBODY);
    private final AtomicInteger running;
    private volatile Throwable primarysFailure;

    /**
     * @param copies how many take part, from 1
     * @param won told the winner's number, before anybody has its result: purges the others
     */
    public Race(int copies, IntConsumer won) {
        if (copies < 1) {
            throw new IllegalArgumentException("nobody takes part in a race of " + copies);
        }
        this.running = new AtomicInteger(copies);
        this.won = won;
    }

    /**
     * A copy has completed.
     *
     * @return whether it is the first
     */
    public boolean complete(int copy, R value) {
        if (!winner.compareAndSet(NOBODY, copy)) {
            return false;
        }
        try {
            won.accept(copy);
        } finally {
            result.complete(value);
        }
        return true;
    }

    /** A copy will not complete: its own failure, or there was no place for it. */
    public void fail(int copy, Throwable failure) {
        if (copy == 0) {
            primarysFailure = failure;
        }
        if (running.decrementAndGet() == 0) {
            result.completeExceptionally(primarysFailure);
        }
    }

    /** The winner's result, or the primary's failure. */
    public CompletableFuture<R> result() {
        return result;
    }
}
