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
package org.apache.hadoop.clone.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RemainingTimeTest {
    private static final RecentPace MOVES = RecentPace.UNKNOWN;
    private static final RecentPace SILENT = new RecentPace(Double.NaN, true);

    @Test
    void isTheEstimateLessWhatHasPassed() {
        assertThat(RemainingTime.of(100, 30, 0.4, MOVES)).isEqualTo(70);
    }

    @Test
    void anAttemptThatOutlivedItsEstimateGoesOnAtItsPace() {
        // 40 % in 120 ms: the other 60 % take 180.
        assertThat(RemainingTime.of(100, 120, 0.4, MOVES)).isEqualTo(180);
        assertThat(RemainingTime.of(100, 100, 0.5, MOVES)).isEqualTo(100);
    }

    @Test
    void aSilentAttemptsEstimateIsOnlyTheLeast() {
        assertThat(RemainingTime.of(100, 80, 0.5, SILENT)).isEqualTo(80);
        assertThat(RemainingTime.of(500, 80, 0.5, SILENT)).isEqualTo(420);
    }

    @Test
    void withoutProgressItNeverEnds() {
        assertThat(RemainingTime.of(100, 120, 0, MOVES)).isInfinite();
        assertThat(RemainingTime.of(-1, 120, 0, SILENT)).isInfinite();
    }

    @Test
    void withoutEstimateItIsTooEarlyToTell() {
        assertThat(RemainingTime.of(-1, 5, 0.1, MOVES)).isNaN();
        assertThat(RemainingTime.of(0, 5, 0.1, MOVES)).isNaN();
    }

    @Test
    void aDoneOneHasNothingLeft() {
        assertThat(RemainingTime.of(100, 120, 1, MOVES)).isZero();
    }

    @Test
    void anAttemptWhosePaceHasFallenGoesOnAsSlowly() {
        // 80 % in 80 ms, and now 1 % in 10.
        assertThat(RemainingTime.of(100, 80, 0.8, lately(0.001))).isCloseTo(200, within(1e-9));
        assertThat(RemainingTime.of(-1, 80, 0.8, lately(0.001))).isCloseTo(200, within(1e-9));
        // Whatever the estimate says is the least.
        assertThat(RemainingTime.of(500, 80, 0.8, lately(0.001))).isEqualTo(420);
    }

    @Test
    void aPaceThatIsOnlyLowerChangesNothing() {
        assertThat(RemainingTime.of(100, 80, 0.8, lately(0.0026))).isEqualTo(20);
        assertThat(RemainingTime.of(100, 80, 0.8, lately(0.0024))).isGreaterThan(80);
    }

    private static RecentPace lately(double perMilli) {
        return new RecentPace(perMilli, false);
    }
}
