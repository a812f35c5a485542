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
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.apache.hadoop.clone.stage.Limit;
import org.apache.hadoop.clone.stage.Policy;
import org.clonehadoop.benchmarks.harness.Arrivals;
import org.clonehadoop.benchmarks.harness.Outcome;
import org.junit.jupiter.api.Test;

class SimulatedHostsTest {
    private static final int REQUEST_BYTES = 1 << 20;
    private static final double PACKET_MILLIS = 10;
    private static final double REQUEST_MILLIS = 16 * PACKET_MILLIS;
    private static final Policy DAS = Policy.das(Duration.ofMillis(1));

    private static SimulatedHosts hosts(int count, boolean noise) {
        double bytesPerSecond = SimulatedHosts.PACKET_BYTES * 1000 / PACKET_MILLIS;
        return new SimulatedHosts(
                count, REQUEST_BYTES, bytesPerSecond, noise, () -> Limit.fixed(1), 1);
    }

    private static Outcome at(double load, Policy policy) {
        int count = 6;
        long[] arrivals = Arrivals.poisson(load * count * 1000 / REQUEST_MILLIS, 100, 1);
        return hosts(count, false).run(arrivals, policy, false);
    }

    @Test
    void aRequestByItselfTakesWhatItsDiskTakes() {
        Outcome one = hosts(2, false).run(new long[] {5}, Policy.single(), false);

        assertThat(one.millis(100, 2)).isCloseTo(REQUEST_MILLIS, within(0.2));
    }

    @Test
    void whatHasBeenReadIsNotReadAgain() {
        Policy late = Policy.appTimeout(Duration.ofSeconds(1));
        Outcome one = hosts(2, false).run(new long[] {0, 3_000_000_000L}, late, false);

        assertThat(one.requests()).isEqualTo(2);
        assertThat(one.millis(100, 2)).isCloseTo(REQUEST_MILLIS, within(0.2));
    }

    @Test
    void requestsShareADiskUnlessTheyQueueForIt() {
        // Two of three at least are for the same disk.
        long[] arrivals = {0, 0, 0};

        Outcome shared = hosts(2, false).run(arrivals, Policy.single(), false);
        Outcome queued = hosts(2, false).run(arrivals, Policy.single(), true);

        assertThat(queued.requests()).isEqualTo(3);
        assertThat(queued.millis(50, 2)).isLessThan(0.7 * shared.millis(50, 2));
        assertThat(queued.millis(100, 2)).isCloseTo(shared.millis(100, 2), within(1.0));
    }

    @Test
    void aDuplicateShortensTheTailAndCostsAPrimaryAPacketAtMost() {
        Outcome single = at(0.45, Policy.single());
        Outcome das = at(0.45, DAS);

        assertThat(das.requests()).isEqualTo(single.requests());
        assertThat(das.millis(99, 6)).isLessThan(0.8 * single.millis(99, 6));
        assertThat(das.millis(50, 6)).isLessThanOrEqualTo(single.millis(50, 6) + PACKET_MILLIS);
    }

    @Test
    void duplicatesThatDoNotGiveWaySlowAllAtAHighLoad() {
        double single = at(0.75, Policy.single()).millis(50, 6);

        assertThat(at(0.75, Policy.cloning()).millis(50, 6)).isGreaterThan(1.3 * single);
        assertThat(at(0.75, DAS).millis(50, 6)).isLessThan(single);
    }

    @Test
    void othersMakeItLonger() {
        long[] arrivals = Arrivals.poisson(0.5 * 1000 / REQUEST_MILLIS, 100, 1);

        Outcome alone = hosts(2, false).run(arrivals, Policy.single(), false);
        Outcome beside = hosts(2, true).run(arrivals, Policy.single(), false);

        assertThat(beside.millis(95, 2)).isGreaterThan(1.2 * alone.millis(95, 2));
    }
}
