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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PausesTest {
    private static final long INTERVAL = 6_000;

    private final Pauses pauses = new Pauses(INTERVAL);

    @Test
    void looksThatComeInTimeOrALittleLateAreMade() {
        assertThat(pauses.isToHear(1_000, 1_000)).isFalse();
        assertThat(pauses.isToHear(2_000, 5_000)).isFalse();
    }

    @Test
    void afterAPauseEachTaskCanReportOnceBeforeItIsJudged() {
        assertThat(pauses.isToHear(10_000, 30_000)).isTrue();
        assertThat(pauses.isToHear(31_000, 31_000)).isTrue();
        assertThat(pauses.isToHear(35_999, 35_999)).isTrue();
        assertThat(pauses.isToHear(36_000, 36_000)).isFalse();
        assertThat(pauses.isToHear(37_000, 37_000)).isFalse();
    }

    /** Half of an interval, but no less than what a busy host delays a look by. */
    @ParameterizedTest
    @CsvSource({"1000, 3000", "6000, 3000", "30000, 15000"})
    void howLateALookIsAfterAPauseIsAMatterOfTheReports(long interval, long late) {
        Pauses rare = new Pauses(interval);
        assertThat(rare.isToHear(10_000, 10_000 + late)).isFalse();
        assertThat(rare.isToHear(30_000, 30_001 + late)).isTrue();
        long heard = 30_001 + late + interval;
        assertThat(rare.isToHear(heard - 1, heard - 1)).isTrue();
        assertThat(rare.isToHear(heard, heard)).isFalse();
    }

    @Test
    void aPauseWhileItHearsBeginsAnew() {
        assertThat(pauses.isToHear(10_000, 30_000)).isTrue();
        assertThat(pauses.isToHear(31_000, 51_000)).isTrue();
        assertThat(pauses.isToHear(56_999, 56_999)).isTrue();
        assertThat(pauses.isToHear(57_000, 57_000)).isFalse();
    }

    /** Of each nine seconds it stands still for five, for ever. */
    @Test
    void amongSteadyPausesThereAreLooksInTime() {
        int looks = 0;
        for (long at = 0; at < 90_000; at += 9_000) {
            assertThat(pauses.isToHear(at, at + 5_000)).isTrue();
            for (long second = 6_000; second < 9_000; second += 1_000) {
                looks += pauses.isToHear(at + second, at + second) ? 0 : 1;
            }
        }
        assertThat(looks).isBetween(3, 10);
    }

    /** A second, and then it stands still for four, for ever. */
    @Test
    void whereEachLookIsLateSomeAreMade() {
        int looks = 0;
        for (long at = 0; at < 500_000; at += 5_000) {
            looks += pauses.isToHear(at, at + 4_000) ? 0 : 1;
        }
        assertThat(looks).isEqualTo(4);
    }

    @Test
    void whereTasksReportNothingThereIsNothingToHear() {
        assertThat(new Pauses(0).isToHear(10_000, 30_000)).isFalse();
    }
}
