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
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FetchGateTest {
    private final FetchGate gate = new FetchGate();

    @Test
    void whatHasBeenOnItsWayLongestCounts() throws Exception {
        assertThat(gate.longestMillis()).isZero();
        CountDownLatch end = new CountDownLatch(1);
        Thread slow = new Thread(() -> fetch(end));
        slow.start();
        await().until(() -> gate.longestMillis() >= 50);
        gate.enter();
        assertThat(gate.longestMillis()).isGreaterThanOrEqualTo(50);
        end.countDown();
        slow.join();
        gate.leave();
        assertThat(gate.longestMillis()).isZero();
    }

    private void fetch(CountDownLatch end) {
        gate.enter();
        try {
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
        await().until(() -> gate.longestMillis() >= 200);
        long before = gate.longestMillis();
        gate.next();
        assertThat(gate.longestMillis()).isLessThan(before);
        gate.leave();
    }
}
