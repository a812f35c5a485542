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
package org.apache.hadoop.clone.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeartbeatAllowanceTest {
    private static final long INTERVAL = 1000;

    private long now = 5_000_000;
    private final HeartbeatAllowance allowance = new HeartbeatAllowance(INTERVAL, () -> now);

    private int takeAll() {
        int taken = 0;
        while (allowance.take()) {
            taken++;
        }
        return taken;
    }

    @Test
    void nothingIsSavedUpAtTheBeginning() {
        assertThat(takeAll()).isZero();
    }

    @Test
    void whatIsNotUsedIsSavedUpToSomeExtent() {
        now += 4 * INTERVAL;
        assertThat(takeAll()).isEqualTo(3);
        now += 1000 * INTERVAL;
        assertThat(takeAll()).isEqualTo(HeartbeatAllowance.MOST);
    }

    @Test
    void whoAlwaysAsksGetsLessThanStocksOwn() {
        int taken = 0;
        for (int i = 0; i < 5000; i++) {
            now += INTERVAL / 5;
            taken += takeAll();
        }
        assertThat(taken).isBetween(749, 750);
    }
}
