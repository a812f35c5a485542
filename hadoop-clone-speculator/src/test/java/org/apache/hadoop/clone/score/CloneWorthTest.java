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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CloneWorthTest {
    /** Ends in 200 s by itself, in 90 s as a clone that runs in 10 s, in 100 s from zero. */
    private static final CloneWorth ORDERED =
            CloneWorth.of(new CloneScore(200_000, 10_000, 80_000, 100_000), CostRules.PRESET);

    private static CloneWorth answered(CloneWorth ordered, long answerMillis, long waitedMillis) {
        return ordered.answered(
                answerMillis, CloneWorth.leastMillis(answerMillis, waitedMillis, CostRules.PRESET));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 10000", // nothing is known of its host
        "500, 10000",
        "1166, 10000", // 15 times 666 ms are less than usual
        "1500, 15000",
        "2500, 30000"
    })
    void aSlowAnswerMakesACloneDearer(long answerMillis, double cloneMillis) {
        CloneWorth answered = answered(ORDERED, answerMillis, 0);
        assertThat(answered.score().cloneMillis()).isEqualTo(cloneMillis);
        assertThat(answered.score().remainingMillis()).isEqualTo(200_000 - answerMillis);
        assertThat(answered.isHostSlow()).isEqualTo(cloneMillis > 10_000);
    }

    @Test
    void whatItOnlyWaitedSaysNothingOfItsHost() {
        CloneWorth answered = answered(ORDERED, 2_500, 1_900);
        assertThat(answered.isHostSlow()).isFalse();
        assertThat(answered.score().remainingMillis()).isEqualTo(200_000 - 2_500);
    }

    /** Up to 20 s for the clone it is sooner than an attempt from zero. */
    @Test
    void onAHostThatIsTooSlowAnAttemptFromZeroIsSooner() {
        assertThat(answered(ORDERED, 1_833, 0).objection()).isEmpty();
        assertThat(answered(ORDERED, 1_834, 0).objection())
                .hasValue("it was so slow to answer that a clone of it would be no gain");
    }

    @Test
    void anOriginalThatIsAsSoonDoneNeedsNone() {
        CloneWorth nearlyDone =
                CloneWorth.of(new CloneScore(90_100, 10_000, 80_000, 100_000), CostRules.PRESET);
        assertThat(answered(nearlyDone, 99, 0).objection()).isEmpty();
        assertThat(answered(nearlyDone, 100, 0).objection())
                .hasValue("a clone of it would be no gain any more");
    }

    /** Now: in so many ms by itself; a clone's work takes 80 s, a new attempt 100 s. */
    @ParameterizedTest
    @CsvSource({
        "120000, 0, false, CLONE",
        "90000, 0, false, NONE", // as a clone in 90 s
        "90001, 0, false, CLONE",
        "85000, 4000, false, NONE", // in 86 s, 4 of the clone's 10 s having passed
        "85000, 6000, false, CLONE",
        "80000, 20000, false, NONE",
        "89000, 0, true, CLONE", // no gain, but it stands still already
        "10001, 0, true, CLONE",
        "10000, 0, true, NONE", // done when its clone would run
        "901, 20000, true, CLONE", // its image needs 900 ms, whatever has passed
        "900, 20000, true, NONE"
    })
    void justBeforeTheFreeze(
            double remainingMillis, double sinceLaunchMillis, boolean standsStill, Outcome best) {
        CloneScore usual = new CloneScore(remainingMillis, 900, 80_000, 100_000);
        assertThat(ORDERED.atFreeze(usual, sinceLaunchMillis, standsStill)).isEqualTo(best);
    }

    @Test
    void whatClonesUsuallyStillCostCountsIfItIsMore() {
        CloneScore usual = new CloneScore(200_000, 20_000, 80_000, 100_000);
        assertThat(ORDERED.atFreeze(usual, 0, false)).isEqualTo(Outcome.NEW);
        assertThat(ORDERED.atFreeze(usual, 0, true)).isEqualTo(Outcome.NEW);
    }

    /** Its link is known: 20 s as a clone are as much as an attempt from zero takes. */
    @ParameterizedTest
    @CsvSource({
        "19999, 0, false, CLONE",
        "20000, 0, false, NEW",
        "20000, 60000, false, NEW", // to wait doesn't make it travel
        "19999, 0, true, CLONE",
        "20000, 0, true, NEW"
    })
    void whatItsImageTravelsIsNeverSpent(
            double travelMillis, double sinceLaunchMillis, boolean standsStill, Outcome best) {
        CloneScore usual = new CloneScore(200_000, 900, 80_000, 100_000);
        assertThat(ORDERED.travelling(travelMillis).atFreeze(usual, sinceLaunchMillis, standsStill))
                .isEqualTo(best);
    }

    /** t_clone and what the original's progress takes from zero. */
    @ParameterizedTest
    @CsvSource({"60000, 30000", "20000, 20000", "1, 1"})
    void itsContainerWaitsAsLongAsAnyMay(long mostMillis, long patienceMillis) {
        assertThat(ORDERED.patienceMillis(mostMillis)).isEqualTo(patienceMillis);
    }

    @Test
    void itsContainerWaitsForAMomentAtLeast() {
        CloneWorth free =
                CloneWorth.of(new CloneScore(200_000, 0, 100_000, 100_000), CostRules.PRESET);
        assertThat(free.patienceMillis(60_000)).isEqualTo(1);
    }
}
