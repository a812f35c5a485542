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

final class PausesTest {
    private static final long INTERVAL = 6_000;

    private final Pauses pauses = new Pauses(INTERVAL);

    @Test
    void looksThatComeInTimeOrALittleLateAreMade() {
        assertThat(pauses.isToHear(1_000, 1_000)).isFalse();
        assertThat(pauses.isToHear(2_000, 5_000)).isFalse();
        assertThat(pauses.isToHear(6_000, 4_000)).as("a clock that is set back").isFalse();
    }

    @Test
    void afterAPauseEachTaskCanReportOnceBeforeItIsJudged() {
        assertThat(pauses.isToHear(10_000, 30_000)).isTrue();
        assertThat(pauses.isToHear(31_000, 31_000)).isTrue();
        assertThat(pauses.isToHear(35_999, 35_999)).isTrue();
        assertThat(pauses.isToHear(36_000, 36_000)).isFalse();
        assertThat(pauses.isToHear(37_000, 37_000)).isFalse();
    }

    @Test
    void whereTasksReportNothingThereIsNothingToHear() {
        assertThat(new Pauses(0).isToHear(10_000, 30_000)).isFalse();
    }
}
