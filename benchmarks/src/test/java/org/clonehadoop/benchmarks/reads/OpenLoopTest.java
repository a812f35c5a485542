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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.clonehadoop.benchmarks.harness.Outcome;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
    private static final int DISKS = 1;

    @Test
    void requestsDontWaitForThoseBefore() throws Exception {
        CountDownLatch all = new CountDownLatch(3);
        Outcome outcome =
                new OpenLoop(10, 60)
                        .run(
                                new long[] {0, 1, 2},
                                number -> {
                                    all.countDown();
                                    await(all);
                                });
        assertThat(outcome.requests()).isEqualTo(3);
        assertThat(outcome.failures()).isZero();
    }

    @Test
    void thoseThatFailAreCounted() throws Exception {
        Outcome outcome =
                new OpenLoop(10, 60)
                        .run(
                                new long[] {0, 1},
                                number -> {
                                    throw new IOException("on purpose");
                                });
        assertThat(outcome.failures()).isEqualTo(2);
    }

    @Test
    void withTooManyUnderWayItEnds() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Outcome outcome = new OpenLoop(2, 0).run(new long[5], number -> await(never));
        assertThat(outcome.isUnstable(DISKS)).isTrue();
    }

    @Test
    void nothingIsUnderWayAfterwards() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger underWay = new AtomicInteger();
        new OpenLoop(3, 0)
                .run(
                        new long[5],
                        number -> {
                            underWay.incrementAndGet();
                            try {
                                await(never);
                            } finally {
                                underWay.decrementAndGet();
                            }
                        });
        assertThat(underWay).hasValue(0);
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
