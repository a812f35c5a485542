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

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.clone.crac.Context;

/**
 * What user code has registered by {@code org.crac} is closed before a clone and opened after it.
 * Each is done in a thread of its own, for user code may take as long as it likes.
 */
final class UserResources {
    private final Context context;

    /** Down when the last {@link #close} has ended; null if that was undone, or never was. */
    private CountDownLatch closing;

    UserResources(Context context) {
        this.context = context;
    }

    boolean none() {
        return context.isEmpty();
    }

    /**
     * {@link #open} must follow in any case, by the same thread.
     *
     * @return why there can't be a clone, if so
     */
    Optional<String> close(long limitMillis) throws InterruptedException {
        if (none()) {
            return Optional.empty();
        }
        CountDownLatch ended = new CountDownLatch(1);
        closing = ended;
        return within(
                limitMillis,
                "close",
                () -> {
                    try {
                        context.beforeCheckpoint();
                    } finally {
                        ended.countDown();
                    }
                });
    }

    /**
     * What doesn't come to an end in time goes on beside the task.
     *
     * @return what went wrong, if something did
     */
    Optional<String> open(long limitMillis) throws InterruptedException {
        if (closing == null) {
            return Optional.empty();
        }
        CountDownLatch closed = closing;
        closing = null;
        return within(
                limitMillis,
                "open again",
                () -> {
                    closed.await(); // it may be that late that it hasn't even begun
                    context.afterRestore();
                });
    }

    private interface Step {
        void run() throws Exception;
    }

    private static Optional<String> within(long limitMillis, String what, Step step)
            throws InterruptedException {
        AtomicReference<String> trouble =
                new AtomicReference<>(
                        "its resources didn't " + what + " in " + limitMillis + " ms");
        Thread thread =
                OrderLoop.daemon(
                        () -> {
                            try {
                                step.run();
                                trouble.set(null);
                            } catch (Throwable e) {
                                trouble.set(
                                        Objects.requireNonNullElseGet(e.getMessage(), e::toString));
                            }
                        });
        thread.start();
        thread.join(Math.max(limitMillis, 1));
        return Optional.ofNullable(trouble.get());
    }
}
