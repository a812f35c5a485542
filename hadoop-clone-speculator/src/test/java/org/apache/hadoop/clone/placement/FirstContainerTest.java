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
package org.apache.hadoop.clone.placement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FirstContainerTest {
    private static FirstContainer quarter(int waiting, int ending) {
        return new FirstContainer(0.25, waiting, BetterContainers.of(60_000, ending, false));
    }

    /** At a quarter of the speed 180 s are lost; of nine attempts one ends every 6 s. */
    @ParameterizedTest
    @CsvSource({"1, true", "29, true", "30, false", "1000, false"})
    void theLastOfAJobWaitAndWhileManyWaitASlowHostIsBetterThanNone(int waiting, boolean waits) {
        assertThat(quarter(waiting, 9).isWorthWaiting(0, 0, PlacementRules.PRESET))
                .isEqualTo(waits);
    }

    /** At 0.4 of the speed 90 s are lost, and at 0.49 62 s, where the next is to come in 60. */
    @ParameterizedTest
    @CsvSource({"0.4, true", "0.49, true", "0.51, false"})
    void theSlowerAHostTheLongerAWaitIsWorth(double rate, boolean waits) {
        assertThat(
                        new FirstContainer(rate, 1, BetterContainers.of(60_000, 0, false))
                                .isWorthWaiting(0, 0, PlacementRules.PRESET))
                .isEqualTo(waits);
    }

    @Test
    void nobodyWaitsLongerThanTheyCanGain() {
        assertThat(quarter(1, 9).isWorthWaiting(1, 173_999, PlacementRules.PRESET)).isTrue();
        assertThat(quarter(1, 9).isWorthWaiting(1, 174_000, PlacementRules.PRESET)).isFalse();
    }

    /** A host that has done nothing at all would be worth any wait. */
    @Test
    void afterTenContainersTheNextIsTaken() {
        FirstContainer hopeless = new FirstContainer(0, 1, BetterContainers.of(60_000, 9, false));
        assertThat(hopeless.isWorthWaiting(9, 1_000_000, PlacementRules.PRESET)).isTrue();
        assertThat(hopeless.isWorthWaiting(10, 0, PlacementRules.PRESET)).isFalse();
    }

    @Test
    void whereNothingEndsItIsTriedOnce() {
        assertThat(quarter(1, 0).isWorthWaiting(0, 0, PlacementRules.PRESET)).isTrue();
        assertThat(quarter(1, 0).isWorthWaiting(1, 2000, PlacementRules.PRESET)).isFalse();
    }

    /** The last reduce of several, of which the others have just ended elsewhere. */
    @Test
    void whereOneHasJustEndedItIsTriedAgain() {
        FirstContainer last = new FirstContainer(0.25, 1, BetterContainers.of(60_000, 0, true));
        assertThat(last.isWorthWaiting(1, 2000, PlacementRules.PRESET)).isTrue();
        assertThat(last.isWorthWaiting(1, 120_000, PlacementRules.PRESET)).isFalse();
    }

    @Test
    void whenNoTimeIsKnownNobodyWaits() {
        assertThat(
                        new FirstContainer(0.25, 1, BetterContainers.of(0, 9, false))
                                .isWorthWaiting(0, 0, PlacementRules.PRESET))
                .isFalse();
    }

    @Test
    void anotherComesFreeInAnAttemptsTimeOverThoseThatRunAndOne() {
        assertThat(quarter(5, 9).better().millisBetweenEnds()).isEqualTo(6000);
    }

    @Test
    void noReduceEndsBeforeItsWorkIsDone() {
        BetterContainers reduces = BetterContainers.of(60_000, 5, false);
        assertThat(reduces.sinceMapsEnd(10_000).millisTo(1)).isEqualTo(50_000);
        assertThat(reduces.sinceMapsEnd(10_000).millisTo(6)).isEqualTo(60_000);
        assertThat(reduces.sinceMapsEnd(90_000).millisTo(1)).isEqualTo(10_000);
        assertThat(
                        new FirstContainer(0.4, 1, reduces.sinceMapsEnd(0))
                                .isWorthWaiting(1, 30_000, PlacementRules.PRESET))
                .as("90 s are lost there")
                .isFalse();
        assertThat(
                        new FirstContainer(0.4, 1, reduces.sinceMapsEnd(50_000))
                                .isWorthWaiting(1, 30_000, PlacementRules.PRESET))
                .isTrue();
    }

    /** 180 s are lost there; one of nine ends in 6 s. */
    @Test
    void aWaitIsWorthAsMuchAsIsLeftToGain() {
        assertThat(quarter(1, 9).worthMillis(0, 0, PlacementRules.PRESET)).isEqualTo(174_000);
        assertThat(quarter(1, 9).worthMillis(1, 170_000, PlacementRules.PRESET)).isEqualTo(4000);
        assertThat(quarter(1, 9).worthMillis(10, 0, PlacementRules.PRESET)).isZero();
    }

    /** What has just ended is free within 3 s, or has been given to another. */
    @Test
    void whereNoneWillEndItIsWorthNoLongerThanAnEndIsRecent() {
        FirstContainer last = new FirstContainer(0.25, 1, BetterContainers.of(60_000, 0, true));
        assertThat(last.worthMillis(1, 0, PlacementRules.PRESET)).isEqualTo(3000);
        assertThat(quarter(1, 0).worthMillis(1, 0, PlacementRules.PRESET)).isZero();
    }
}
