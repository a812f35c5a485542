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
package org.apache.hadoop.clone.speculate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SteadyClockTest {
    private long host = 10_000_000;
    private final SteadyClock clock = new SteadyClock(() -> host);

    @Test
    void asLongAsNobodySetsItBackItIsTheHosts() {
        assertThat(clock.getTime()).isEqualTo(10_000_000);
        host += 500;
        assertThat(clock.getTime()).isEqualTo(10_000_500);
        assertThat(clock.of(10_000_100)).isEqualTo(10_000_100);
        assertThat(clock.of(10_000_700)).isEqualTo(10_000_700);
    }

    @Test
    void ifItIsSetBackTimesGoOn() {
        clock.getTime();
        host -= 3_600_000;
        assertThat(clock.getTime()).isEqualTo(10_000_000);
        host += 500;
        assertThat(clock.getTime()).isEqualTo(10_000_500);
        host -= 60_000;
        assertThat(clock.getTime()).isEqualTo(10_000_500);
    }

    /** Events have the time at which they were sent. */
    @Test
    void whatWasReadBeforeItWasSetBackIsNow() {
        clock.getTime();
        long before = host;
        host -= 3_600_000;
        long after = host;
        assertThat(clock.of(before)).isEqualTo(10_000_000);
        host += 500;
        assertThat(clock.of(after)).isEqualTo(10_000_000);
        assertThat(clock.of(host)).isEqualTo(10_000_500);
    }
}
