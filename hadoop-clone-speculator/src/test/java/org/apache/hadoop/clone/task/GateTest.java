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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GateTest {
    private static final long LONG_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final Gate gate = new Gate();
    private final ExecutorService others = Executors.newCachedThreadPool();

    @AfterEach
    void endOthers() {
        others.shutdownNow();
    }

    @Test
    void letsCallsWaitWhileItIsClosed() throws Exception {
        assertThat(gate.close(0)).isTrue();
        AtomicBoolean left = new AtomicBoolean();
        Thread caller = caller(() -> left.set(true));

        awaitWaiting(caller);
        assertThat(left).isFalse();

        gate.open();
        caller.join();
        assertThat(left).isTrue();
    }

    @Test
    void closesWhenTheLastCallHasEnded() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread caller = callerUntil(mayEnd);
        Future<Boolean> closed = others.submit(() -> gate.close(LONG_MILLIS));
        assertThat(closed).isNotDone();

        mayEnd.countDown();
        assertThat(closed.get()).isTrue();
        caller.join();
    }

    @Test
    void staysOpenForAllWhenACallDoesNotEndInTime() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread endless = callerUntil(mayEnd);

        assertThat(gate.close(1)).isFalse();

        Thread caller = caller(() -> {});
        caller.join();
        mayEnd.countDown();
        endless.join();
        assertThat(gate.close(0)).isTrue();
    }

    @Test
    void letsTheClosingThreadCall() throws Exception {
        assertThat(gate.close(0)).isTrue();
        gate.enter();
        gate.leave();
        assertThatThrownBy(() -> others.submit(gate::open).get())
                .as("its calls leave the gate closed")
                .hasRootCauseInstanceOf(IllegalMonitorStateException.class);
        gate.open();
    }

    @Test
    void isOpenedOnlyByWhoClosedIt() throws Exception {
        assertThat(gate.close(0)).isTrue();
        assertThatThrownBy(() -> others.submit(gate::open).get())
                .hasRootCauseInstanceOf(IllegalMonitorStateException.class);
        Thread caller = caller(() -> {});
        awaitWaiting(caller);

        gate.open();
        caller.join();
    }

    /** A call may make others: to a key server, or to log in. */
    @Test
    void letsACallUnderWayMakeAnotherWhileItCloses() throws Exception {
        CountDownLatch mayCallAgain = new CountDownLatch(1);
        Thread caller =
                callerOf(
                        () -> {
                            mayCallAgain.await();
                            gate.enter();
                            gate.leave();
                        });
        AtomicBoolean closed = new AtomicBoolean();
        Thread closer =
                started(
                        () -> {
                            closed.set(gate.close(LONG_MILLIS));
                        });
        awaitWaiting(closer);

        mayCallAgain.countDown();
        caller.join();
        closer.join();
        assertThat(closed).isTrue();
    }

    @Test
    void hasNobodyInsideWhileItIsClosedHoweverManyCall() throws Exception {
        int callers = 8;
        int closings = 200;
        AtomicInteger inside = new AtomicInteger();
        AtomicLong calls = new AtomicLong();
        AtomicBoolean end = new AtomicBoolean();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            all.add(
                    others.submit(
                            () -> {
                                while (!end.get()) {
                                    gate.enter();
                                    inside.incrementAndGet();
                                    calls.incrementAndGet();
                                    Thread.onSpinWait();
                                    inside.decrementAndGet();
                                    gate.leave();
                                }
                            }));
        }
        try {
            for (int i = 0; i < closings; i++) {
                assertThat(gate.close(LONG_MILLIS)).isTrue();
                assertThat(inside).hasValue(0);
                long before = calls.get();
                Thread.yield();
                assertThat(calls).hasValue(before);
                gate.open();
                while (calls.get() <= before) {
                    Thread.onSpinWait();
                }
            }
        } finally {
            end.set(true);
        }
        for (Future<?> one : all) {
            one.get();
        }
        assertThat(inside).hasValue(0);
    }

    private interface Action {
        void run() throws Exception;
    }

    private Thread caller(Runnable call) {
        return started(
                () -> {
                    gate.enter();
                    call.run();
                    gate.leave();
                });
    }

    /** A call that is under way when this returns. */
    private Thread callerOf(Action call) throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        Thread thread =
                started(
                        () -> {
                            gate.enter();
                            entered.countDown();
                            call.run();
                            gate.leave();
                        });
        entered.await();
        return thread;
    }

    private Thread callerUntil(CountDownLatch mayEnd) throws InterruptedException {
        return callerOf(mayEnd::await);
    }

    private static Thread started(Action action) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                action.run();
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void awaitWaiting(Thread thread) {
        await().until(
                        () ->
                                thread.getState() == Thread.State.WAITING
                                        || thread.getState() == Thread.State.TIMED_WAITING);
    }
}
