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

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FetchGateTest {
    private final AtomicLong nanos = new AtomicLong();
    private final FetchGate gate = new FetchGate(nanos::get);

    private void passes(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void whatHasBeenOnItsWayLongestCounts() throws Exception {
        assertThat(gate.longestMillis()).isZero();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread slow = new Thread(() -> fetch(begun, end));
        slow.start();
        begun.await();
        passes(50);
        gate.enter();
        passes(30);
        assertThat(gate.longestMillis()).isEqualTo(80);
        end.countDown();
        slow.join();
        assertThat(gate.longestMillis()).isEqualTo(30);
        gate.leave();
        assertThat(gate.longestMillis()).isZero();
    }

    private void fetch(CountDownLatch begun, CountDownLatch end) {
        gate.enter();
        try {
            begun.countDown();
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            gate.leave();
        }
    }

    @Test
    void eachOutputOfARequestCountsByItself() throws IOException {
        gate.enter();
        passes(200);
        gate.next();
        passes(10);
        assertThat(gate.longestMillis()).isEqualTo(10);
        gate.leave();
    }
}
