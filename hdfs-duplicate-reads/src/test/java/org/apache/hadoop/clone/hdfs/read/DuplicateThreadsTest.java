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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.clone.stage.Policy;
import org.junit.jupiter.api.Test;

class DuplicateThreadsTest {
    private final ReadSettings settings = settings(1000);

    /** With a window unlike any other test's they share their threads with none. */
    private static ReadSettings settings(int windowBytes) {
        return new ReadSettings(
                Policy.das(Duration.ofNanos(12_345)),
                windowBytes,
                3,
                Optional.empty(),
                false,
                Optional.empty());
    }

    @Test
    void noMoreThanThereAreThreadsAreReadAtOnce() throws Exception {
        DuplicateThreads threads = DuplicateThreads.of(settings);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            threads.execute(
                    () -> {
                        running.incrementAndGet();
                        try {
                            end.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        ended.incrementAndGet();
                    });
        }
        await().until(() -> running.get() == 3);
        assertThat(ended.get()).isZero();
        end.countDown();
        await().until(() -> ended.get() == 10);
    }

    /** Callers go on, and what was sent for them would be there for as long as DataNodes hang. */
    @Test
    void whatWaitsForThemIsBoundedAndNothingThatIsntNeeded() throws Exception {
        DuplicateThreads threads = DuplicateThreads.of(settings(5000));
        CountDownLatch end = new CountDownLatch(1);
        try {
            for (int i = 0; i < 3; i++) {
                threads.execute(() -> assertThatCode(end::await).doesNotThrowAnyException());
            }
            Duplicates duplicates = mock(Duplicates.class);
            when(duplicates.threads()).thenReturn(threads);
            when(duplicates.statistics()).thenReturn(DuplicateReadStatistics.ofJvm());
            long neverSent = RacedHdfs.count(Counter.NEVER_SENT);
            for (int i = 0; i < 1000; i++) {
                DuplicateRead read = read(duplicates);
                assertThat(threads.execute(read)).isTrue();
                read.purge();
                read.purge();
            }
            assertThat(RacedHdfs.count(Counter.NEVER_SENT)).isEqualTo(neverSent + 1000);
            List<DuplicateRead> needed = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                needed.add(read(duplicates));
                assertThat(threads.execute(needed.get(i))).isTrue();
            }
            assertThat(threads.execute(read(duplicates))).isFalse();
            needed.forEach(DuplicateRead::purge);
        } finally {
            end.countDown();
        }
    }

    private static DuplicateRead read(Duplicates duplicates) {
        return new DuplicateRead(
                duplicates, null, null, List.of(), 0, 1, mock(WindowRace.class), at -> {});
    }

    /** A process or a user may have no more of them: that isn't to end whoever reads. */
    @Test
    void whereThereAreNoMoreThreadsItIsSaid() throws Exception {
        DuplicateThreads threads = DuplicateThreads.of(settings(4000));
        Field readers = DuplicateThreads.class.getDeclaredField("readers");
        readers.setAccessible(true);
        ((ThreadPoolExecutor) readers.get(threads))
                .setThreadFactory(
                        work ->
                                new Thread(work) {
                                    @Override
                                    public synchronized void start() {
                                        throw new OutOfMemoryError("no more threads");
                                    }
                                });
        assertThat(threads.execute(() -> {})).isFalse();
    }

    @Test
    void theirMemoryIsBounded() {
        DuplicateMemory memory = DuplicateThreads.of(settings).memory();
        DuplicateMemory.Part most = memory.take(5995).orElseThrow();
        DuplicateMemory.Part rest = memory.take(5).orElseThrow();
        assertThat(memory.take(1)).isEmpty();
        rest.give();
        rest.give();
        assertThat(memory.take(6)).isEmpty();
        rest = memory.take(5).orElseThrow();
        rest.give();
        most.give();
        memory.take(6000).orElseThrow().give();
    }

    @Test
    void threadsWithoutWorkEnd() {
        DuplicateThreads threads = DuplicateThreads.of(settings(3000));
        AtomicInteger done = new AtomicInteger();
        Thread[] seen = new Thread[1];
        threads.execute(
                () -> {
                    seen[0] = Thread.currentThread();
                    done.incrementAndGet();
                });
        await().until(() -> done.get() == 1);
        await().atMost(Duration.ofMinutes(1)).until(() -> !seen[0].isAlive());
    }
}
