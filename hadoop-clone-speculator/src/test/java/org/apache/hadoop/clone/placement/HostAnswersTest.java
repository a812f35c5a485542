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

class HostAnswersTest {
    private final HostAnswers answers = new HostAnswers(PlacementRules.PRESET);

    @Test
    void ofAHostThatHasNotAnsweredNothingIsKnown() {
        assertThat(answers.cloneMillis("h1", 0)).isZero();
    }

    /** A clone that takes 22.5 s there, for twice the 30 s of an attempt. */
    @Test
    void aSlowAnswerHoldsAsLongAsRatesAreRemembered() {
        answers.answered("h1", 22_500, 30_000, 100_000);
        assertThat(answers.cloneMillis("h1", 159_999)).isEqualTo(22_500);
        assertThat(answers.cloneMillis("h1", 160_000)).as("then it is asked again").isZero();
        assertThat(answers.cloneMillis("h2", 100_000)).isZero();
    }

    @Test
    void theLastAnswerCounts() {
        answers.answered("h1", 22_500, 30_000, 100_000);
        answers.answered("h1", -6_000, 30_000, 110_000);
        assertThat(answers.cloneMillis("h1", 110_000)).isZero();
    }

    @Test
    void oneThatDoesNotAnswerIsHeldAgainstAnUnknownHostOnly() {
        answers.answered("h1", -6_000, 30_000, 100_000);
        answers.silent("h1", 142_500, 30_000, 101_000);
        assertThat(answers.cloneMillis("h1", 101_000)).isZero();
        assertThat(answers.isKnown("h1", 159_999)).isTrue();
        assertThat(answers.isKnown("h1", 160_000)).isFalse();
        answers.silent("h1", 142_500, 30_000, 160_000);
        assertThat(answers.cloneMillis("h1", 160_000)).isEqualTo(142_500);
    }
}
