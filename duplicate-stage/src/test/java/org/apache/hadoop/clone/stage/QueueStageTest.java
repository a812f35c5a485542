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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class QueueStageTest {
    private static final Policy DAS = Policy.das(Duration.ZERO);

    private final List<String> afterTheError = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private final ManualServer server = new ManualServer();

    private QueueStage<String> stage(int level) {
        return new QueueStage<>(server, Limit.fixed(level), Gate.open(), 2, now::get);
    }

    private static Job<String> job(String name) {
        return new Job<>(JobId.named(name), Policy.single(), List.of(name));
    }

    /** As it comes from a stage that duplicates. */
    private static Copy<String> duplicate(String name) {
        Job<String> job = new Job<>(JobId.named(name), DAS, List.of("primary of " + name, name));
        return new Copy<>(job, 1, Priority.DUPLICATE, 0);
    }

    @Test
    void servesAsManyAsTheLimitSaysInTheirOrder() {
        QueueStage<String> stage = stage(2);
        for (String name : List.of("a", "b", "c", "d")) {
            stage.dispatch(job(name));
        }

        assertThat(server.serving).containsOnlyKeys("a", "b");
        server.end("b");
        assertThat(server.serving).containsOnlyKeys("a", "c");
    }

    /** A disk that brings no more for two at once, with gaps between copies and bursts by turns. */
    @Test
    void aTimeInWhichNobodyIsServedSaysNothingOfTheServer() {
        ProbingLimit limit = new ProbingLimit();
        QueueStage<String> stage = new QueueStage<>(server, limit, Gate.open(), 2, now::get);
        Map<String, Integer> amounts = new HashMap<>();
        int dispatched = 0;
        int ended = 0;
        for (int millis = 0; millis < 20_000; millis++) {
            boolean isBurst = millis % 3_400 >= 400;
            int wanted = isBurst ? 5 : millis % 10 == 0 ? 1 : 0;
            while (dispatched - ended < wanted) {
                stage.dispatch(job("copy " + dispatched++));
            }
            now.addAndGet(1_000_000);
            List<String> served = List.copyOf(server.serving.keySet());
            if (!served.isEmpty()) {
                String one = served.get(millis % served.size());
                server.serving.get(one).served(1);
                if (amounts.merge(one, 1, Integer::sum) == 5) {
                    server.end(one);
                    ended++;
                }
            }
        }

        assertThat(limit.level()).isEqualTo(1);
    }

    @Test
    void primariesOvertakeDuplicatesThatWait() {
        QueueStage<String> stage = stage(1);
        stage.dispatch(job("a"));
        stage.dispatch(duplicate("x"));
        stage.dispatch(job("b"));

        server.end("a");
        assertThat(server.serving).containsOnlyKeys("b");
        server.end("b");
        assertThat(server.serving).containsOnlyKeys("x");
    }

    @Test
    void aPrimaryDoesNotWaitForADuplicateInService() {
        QueueStage<String> stage = stage(1);
        stage.dispatch(duplicate("x"));
        Copy<String> x = server.copies.get("x");
        assertThat(stage.mayGoOn(x)).isTrue();

        stage.dispatch(job("a"));

        assertThat(server.serving).containsOnlyKeys("x", "a");
        assertThat(stage.mayGoOn(x)).isFalse();
        assertThat(stage.mayGoOn(server.copies.get("a"))).isTrue();
        server.end("a");
        assertThat(stage.mayGoOn(x)).isTrue();
    }

    @Test
    void duplicatesHaveWhatPrimariesLeaveOfTheLimitTheOldestFirst() {
        QueueStage<String> stage = stage(3);
        stage.dispatch(duplicate("x"));
        stage.dispatch(duplicate("y"));
        stage.dispatch(duplicate("z"));

        stage.dispatch(job("a"));

        assertThat(server.copies.values().stream().filter(stage::mayGoOn).map(Copy::work))
                .containsExactly("x", "y", "a");
    }

    @Test
    void whatWaitsForItsClientLeavesItsPlaceAndIsServedOn() {
        QueueStage<String> stage = stage(1);
        stage.dispatch(job("a"));
        stage.dispatch(job("b"));

        server.serving.get("a").needsNoPlace();

        assertThat(server.serving).containsOnlyKeys("a", "b");
        stage.dispatch(job("c"));
        server.end("a");
        assertThat(server.serving).containsOnlyKeys("b");
        server.end("b");
        assertThat(server.serving).containsOnlyKeys("c");
    }

    @Test
    void aDuplicateWithoutPlaceGivesWayToThoseThatHaveOne() {
        QueueStage<String> stage = stage(1);
        stage.dispatch(duplicate("x"));
        Copy<String> x = server.copies.get("x");
        server.serving.get("x").needsNoPlace();
        assertThat(stage.mayGoOn(x)).isTrue();

        stage.dispatch(duplicate("y"));

        assertThat(server.serving).containsOnlyKeys("x", "y");
        assertThat(stage.mayGoOn(x)).isFalse();
        assertThat(stage.mayGoOn(server.copies.get("y"))).isTrue();
        assertThat(stage.purge(x::equals, Cascade.YES)).isEqualTo(1);
        assertThat(server.stopped).containsExactly("x");
    }

    @Test
    void aDuplicateIsNotDuplicatedAgain() {
        stage(5).dispatch(duplicate("x"));

        assertThat(server.copies).containsOnlyKeys("x");
    }

    @Test
    void turnsDuplicatesAwayThatAreTooManyAndPrimariesNever() {
        QueueStage<String> stage = stage(1);
        stage.dispatch(job("a"));

        assertThat(stage.dispatch(duplicate("x"))).isTrue();
        assertThat(stage.dispatch(duplicate("y"))).isTrue();
        assertThat(stage.dispatch(duplicate("z"))).isFalse();
        for (int n = 0; n < 100; n++) {
            stage.dispatch(job("b" + n));
        }
        assertThat(stage.purge(copy -> true, Cascade.NO)).isEqualTo(102);
    }

    @Test
    void turnsNoSecondCopyAwayThatIsAPrimaryToo() {
        QueueStage<String> stage =
                new QueueStage<>(server, Limit.fixed(5), Gate.open(), 0, now::get);
        stage.dispatch(new Job<>(JobId.named("a"), Policy.cloning(), List.of("a", "b")));
        stage.dispatch(new Job<>(JobId.named("x"), DAS, List.of("x", "y")));

        assertThat(server.serving).containsOnlyKeys("a", "b", "x");
    }

    @Test
    void aClosedGateKeepsDuplicatesBackOnly() {
        AtomicBoolean open = new AtomicBoolean(true);
        QueueStage<String> stage =
                new QueueStage<>(server, Limit.fixed(3), copy -> open.get(), 2, now::get);
        stage.dispatch(duplicate("x"));
        open.set(false);
        stage.dispatch(duplicate("y"));
        stage.dispatch(job("a"));

        assertThat(server.serving).containsOnlyKeys("x", "a");
        assertThat(stage.mayGoOn(server.copies.get("x"))).isFalse();
        open.set(true);
        stage.schedule();
        assertThat(server.serving).containsOnlyKeys("x", "a", "y");
    }

    @Test
    void purgesByIdAndByAge() {
        QueueStage<String> stage = stage(1);
        stage.dispatch(job("in service"));
        stage.dispatch(job("old"));
        now.addAndGet(1000);
        stage.dispatch(job("new"));
        stage.dispatch(job("unneeded"));

        assertThat(stage.purge(copy -> copy.id().equals(JobId.named("unneeded")), Cascade.YES))
                .isEqualTo(1);
        assertThat(stage.purge(copy -> now.get() - copy.dispatchedNanos() > 500, Cascade.NO))
                .isEqualTo(1);
        assertThat(server.stopped).isEmpty();
        server.end("in service");
        assertThat(server.serving).containsOnlyKeys("new");
    }

    @Test
    void aPurgeGoesOnToTheServerExactlyOnce() {
        QueueStage<String> stage = stage(1);
        stage.dispatch(job("a"));
        stage.dispatch(job("b"));

        assertThat(stage.purge(copy -> copy.work().equals("a"), Cascade.YES)).isEqualTo(1);
        assertThat(stage.purge(copy -> copy.work().equals("a"), Cascade.YES)).isZero();
        assertThat(server.stopped).containsExactly("a");
        assertThat(server.serving).containsOnlyKeys("b");
    }

    @Test
    void whatAPurgedCopyStillTellsMeansNothing() {
        QueueStage<String> stage = stage(1);
        stage.dispatch(job("a"));
        Server.Progress late = server.serving.get("a");
        stage.purge(copy -> true, Cascade.YES);
        stage.dispatch(job("b"));
        stage.dispatch(job("c"));

        late.ended();

        assertThat(server.serving).containsOnlyKeys("b");
    }

    @Test
    void aServerThatThrowsFailsTheCopy() {
        List<String> tried = new ArrayList<>();
        QueueStage<String> stage =
                new QueueStage<>(
                        new Server<>() {
                            @Override
                            public void start(Copy<String> copy, Progress progress) {
                                tried.add(copy.work());
                                throw new IllegalStateException("broken");
                            }

                            @Override
                            public void stop(Copy<String> copy) {
                                tried.add("stop " + copy.work());
                            }
                        },
                        Limit.fixed(1),
                        Gate.open(),
                        2,
                        now::get);

        stage.dispatch(new Job<>(JobId.named("job"), DAS, List.of("first", "second")));

        assertThat(tried).containsExactly("first", "second");
    }

    /** As one that can't start another thread. */
    @Test
    void aServerThatIsOutOfMemoryFailsTheCopyOnly() {
        assertNextIsServedAfter(new OutOfMemoryError("no more threads"));
    }

    /** Whoever called it gets that, and others are served. */
    @Test
    void aServerThatIsBrokenDoesNotEndTheStage() {
        assertThatThrownBy(() -> assertNextIsServedAfter(new StackOverflowError()))
                .isInstanceOf(StackOverflowError.class);
        assertThat(afterTheError).containsExactly("next");
    }

    private void assertNextIsServedAfter(Error first) {
        Server<String> server =
                new Server<>() {
                    private Error next = first;

                    @Override
                    public void start(Copy<String> copy, Progress progress) {
                        Error now = next;
                        next = null;
                        if (now != null) {
                            throw now;
                        }
                        afterTheError.add(copy.work());
                    }

                    @Override
                    public void stop(Copy<String> copy) {}
                };
        QueueStage<String> stage =
                new QueueStage<>(server, Limit.fixed(1), Gate.open(), 2, now::get);
        try {
            stage.dispatch(duplicate("first"));
        } finally {
            stage.dispatch(duplicate("next"));
            assertThat(afterTheError).containsExactly("next");
        }
    }

    @Test
    void whatIsCalledAfterAStopThatThrowsIsCalledStill() {
        Server<String> server =
                new Server<>() {
                    @Override
                    public void start(Copy<String> copy, Progress progress) {
                        afterTheError.add(copy.work());
                    }

                    @Override
                    public void stop(Copy<String> copy) {
                        throw new IllegalStateException("broken");
                    }
                };
        QueueStage<String> stage =
                new QueueStage<>(server, Limit.fixed(1), Gate.open(), 2, now::get);
        stage.dispatch(job("stopped"));
        stage.dispatch(job("next"));

        assertThatThrownBy(() -> stage.purge(copy -> copy.work().equals("stopped"), Cascade.YES))
                .hasMessage("broken");
        assertThat(afterTheError).containsExactly("stopped", "next");
    }

    @Test
    void aServerThatEndsAtOnceNeedsNoDeeperStackForMoreJobs() {
        AtomicInteger deepest = new AtomicInteger();
        Server<String> atOnce =
                new Server<>() {
                    @Override
                    public void start(Copy<String> copy, Progress progress) {
                        deepest.accumulateAndGet(
                                Thread.currentThread().getStackTrace().length, Math::max);
                        progress.ended();
                    }

                    @Override
                    public void stop(Copy<String> copy) {
                        throw new AssertionError("it has ended");
                    }
                };
        AtomicBoolean open = new AtomicBoolean();
        QueueStage<String> stage =
                new QueueStage<>(atOnce, Limit.fixed(1), copy -> open.get(), 5000, now::get);
        for (int n = 0; n < 5000; n++) {
            stage.dispatch(duplicate("x" + n));
        }

        open.set(true);
        stage.schedule();

        assertThat(deepest.get()).isLessThan(200);
        assertThat(stage.purge(copy -> true, Cascade.YES)).isZero();
    }

    @Test
    void losesNothingBetweenThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        CountDownLatch ended = new CountDownLatch(8000);
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger mostAtOnce = new AtomicInteger();
        ExecutorService workers = Executors.newFixedThreadPool(8);
        Server<String> pool =
                new Server<>() {
                    @Override
                    public void start(Copy<String> copy, Progress progress) {
                        mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                        workers.execute(
                                () -> {
                                    atOnce.decrementAndGet();
                                    ended.countDown();
                                    progress.ended();
                                });
                    }

                    @Override
                    public void stop(Copy<String> copy) {
                        throw new AssertionError("nothing is purged");
                    }
                };
        QueueStage<String> stage =
                new QueueStage<>(pool, Limit.fixed(3), Gate.open(), 1, System::nanoTime);
        try {
            for (int thread = 0; thread < 4; thread++) {
                String name = "job " + thread + "/";
                threads.execute(
                        () -> {
                            for (int n = 0; n < 2000; n++) {
                                stage.dispatch(job(name + n));
                            }
                        });
            }
            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(mostAtOnce.get()).isBetween(1, 3);
        } finally {
            threads.shutdownNow();
            workers.shutdownNow();
        }
    }
}
