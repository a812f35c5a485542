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

import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers of which it is known how throughput depends on the level. Samples come with noise. */
class ProbingLimitTest {
    private static final long SECOND = 1_000_000_000L;

    private final ProbingLimit limit = new ProbingLimit();
    private final RandomGenerator random = new SplittableRandom(7);
    private long nanos;

    /**
     * Has the server serve, always saturated.
     *
     * @param perSecond throughput in samples of 1, by level
     * @param spread by how much the time of a sample differs: 1 makes them exponential
     */
    private void serve(long seconds, IntToDoubleFunction perSecond, double spread) {
        long end = nanos + seconds * SECOND;
        while (nanos < end) {
            double mean = SECOND / perSecond.applyAsDouble(limit.level());
            double exponential = -Math.log(1 - random.nextDouble());
            nanos += Math.round(mean * (1 - spread + spread * exponential));
            limit.served(1, nanos, true);
        }
    }

    private static IntToDoubleFunction disks(int count) {
        return level -> 1000.0 * Math.min(level, count);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 12})
    void findsTheNumberOfDisks(int count) {
        serve(25, disks(count), 1);

        assertThat(limit.level()).isBetween(count - 1, count + 1);
    }

    @Test
    void findsTheKneeOfADriveThatSaturatesSlowly() {
        // T(n) = n / (1 + n/8): one more of 7 brings half of its share, one more of 9 less.
        serve(25, level -> 2000.0 * level / (1 + level / 8.0), 0.5);

        assertThat(limit.level()).isBetween(6, 9);
    }

    @Test
    void oneIsEnoughForALinkThatOneFills() {
        serve(5, level -> 3000, 1);

        assertThat(limit.level()).isEqualTo(1);
    }

    @Test
    void followsAServerThatLosesDisks() {
        serve(25, disks(8), 0.5);
        serve(60, disks(2), 0.5);

        assertThat(limit.level()).isBetween(1, 3);
    }

    @Test
    void findsRoomThatCameLater() {
        serve(10, disks(2), 0.5);
        serve(60, disks(6), 0.5);

        assertThat(limit.level()).isBetween(5, 7);
    }

    @Test
    void fromHalfOfSixItFindsFour() {
        serve(25, disks(6), 0);
        assertThat(limit.level()).isEqualTo(6);
        // So little less that it doesn't begin anew, but after its time from three.
        serve(20, level -> 1000 * Math.min(level, 4.3), 0);

        assertThat(limit.level()).isEqualTo(4);
    }

    @Test
    void isNotDeceivedByOthersWhoHaveUsedTheServerForAWhile() {
        long gone = SECOND / 5;
        serve(5, level -> nanos < gone ? 500 : 1000, 0.5);

        assertThat(limit.level()).isEqualTo(1);
    }

    @Test
    void leavesALevelThatItTriesWhenThereIsTooLittleToDoForIt() {
        while (limit.level() == 1) {
            nanos += 1_000_000;
            limit.served(1, nanos, true);
        }
        nanos += 1_000_000;
        limit.served(1, nanos, false);

        assertThat(limit.level()).isEqualTo(1);
    }

    @Test
    void learnsNothingWhileThereIsTooLittleToDo() {
        for (int n = 0; n < 100_000; n++) {
            nanos += 1_000_000;
            limit.served(1, nanos, n % 50 != 0);
        }

        assertThat(limit.level()).isEqualTo(1);
    }
}
