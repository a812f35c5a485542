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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.junit.jupiter.api.Test;

class LearnedCostsTest {
    private static final long MEMORY_MILLIS = Math.round(CostRules.PRESET.costMemoryMillis());

    private final AtomicLong now = new AtomicLong();

    @Test
    void aMeanBeginsAsConfigured() {
        assertThat(lasting(3000).get()).isCloseTo(3000, within(1e-9));
        assertThatThrownBy(() -> lasting(0)).hasMessageContaining("0");
        assertThatThrownBy(() -> lasting(Double.NaN)).hasMessageContaining("NaN");
    }

    @Test
    void theConfiguredValueCountsAsThreeSamples() {
        LearnedMean mean = lasting(3000);
        mean.add(1000);
        assertThat(mean.get()).isCloseTo(3000 / Math.pow(3, 1 / 4.0), within(1e-9));
        mean.add(1000);
        assertThat(mean.get()).isCloseTo(3000 / Math.pow(3, 2 / 5.0), within(1e-9));
    }

    @Test
    void itComesToWhatIsSeen() {
        LearnedMean mean = lasting(3000);
        for (int i = 0; i < 500; i++) {
            mean.add(1000);
        }
        assertThat(mean.get()).isCloseTo(1000, within(10.0));
    }

    /** Such a clone was seen on a starved host. The arithmetic mean would be 7 s. */
    @Test
    void oneOddCloneDoesNotForbidTheOthers() {
        LearnedMean mean = lasting(1700);
        mean.add(23_000);
        assertThat(mean.get()).isCloseTo(3260, within(1.0));
        for (int i = 0; i < 3; i++) {
            mean.add(1700);
        }
        assertThat(mean.get()).isCloseTo(2466, within(1.0));
    }

    @Test
    void nonsenseIsLeftOut() {
        LearnedMean mean = lasting(1000);
        for (double nonsense : new double[] {0, -5, Double.NaN, Double.POSITIVE_INFINITY}) {
            mean.add(nonsense);
        }
        assertThat(mean.get()).isCloseTo(1000, within(1e-9));
    }

    @Test
    void clonesTeachBothCosts() {
        LearnedCosts learned = learned();
        learned.learn(1000, 200_000_000, 1000); // 200 MB/s
        CloneCosts costs = learned.costs();
        assertThat(costs.beta()).isEqualTo(1.2);
        assertThat(costs.vmMillis()).isCloseTo(3000 / Math.pow(3, 1 / 4.0), within(1e-9));
        assertThat(costs.bytesPerMilli()).isCloseTo(100_000 * Math.pow(2, 1 / 4.0), within(1e-6));
    }

    /** 20 Mbit/s instead of 100 MB/s; the arithmetic mean would still be 35 MB/s. */
    @Test
    void aSlowLinkShowsAfterAFewClones() {
        LearnedCosts learned = learned();
        for (int i = 0; i < 6; i++) {
            learned.learn(1000, 100_000_000, 40_000);
        }
        assertThat(learned.costs().bytesPerMilli()).isCloseTo(8550, within(1.0));
    }

    /** 20 Mbit/s instead of 100 MB/s, of which no clone has told yet. */
    @Test
    void aSampledLinkSaysWhatAnImageTakes() {
        LearnedCosts learned = learned();
        assertThat(learned.travelMillis(2_500, 130_000_000)).isCloseTo(10_400, within(1e-6));
        assertThat(learned.costs().bytesPerMilli()).isCloseTo(100_000, within(1e-6));
        learned.learnLink(2_500); // no more than a fourth of what was known, at once
        assertThat(learned.costs().bytesPerMilli())
                .isCloseTo(100_000 * Math.pow(0.25, 1 / 4.0), within(1e-6));
    }

    @Test
    void aLinkThatGivesMoreThanIsKnownRaisesNothing() {
        LearnedCosts learned = learned();
        assertThat(learned.travelMillis(1_000_000, 400_000_000)).isCloseTo(80, within(1e-6));
        learned.learnLink(1_000_000);
        assertThat(learned.costs().bytesPerMilli()).isCloseTo(100_000, within(1e-6));
        assertThat(learned.hasLearned()).isFalse();
    }

    /** As in a job whose shuffle has ended: 218 clones of maps had a quarter of the links. */
    @Test
    void whatWasSeenLongAgoFadesAndTheConfiguredValueCountsAgain() {
        LearnedCosts learned = learned();
        for (int i = 0; i < 218; i++) {
            learned.learn(6000, 250_000_000, 10_000);
        }
        assertThat(learned.costs().bytesPerMilli()).isCloseTo(25_475, within(1.0));
        now.addAndGet(5 * MEMORY_MILLIS);
        assertThat(learned.costs().bytesPerMilli()).isCloseTo(63_403, within(1.0));
        learned.learn(3000, 100_000_000, 1000);
        assertThat(learned.costs().bytesPerMilli()).isCloseTo(68_912, within(1.0));
        now.addAndGet(20 * MEMORY_MILLIS);
        assertThat(learned.costs().bytesPerMilli()).isCloseTo(100_000, within(1.0));
        assertThat(learned.costs().vmMillis()).isCloseTo(3000, within(1.0));
        assertThat(learned.hasLearned()).isTrue();
    }

    @Test
    void aClockThatIsPutBackMakesNothingYounger() {
        LearnedCosts learned = learned();
        now.set(10 * MEMORY_MILLIS);
        learned.learn(1000, 0, 0);
        CloneCosts before = learned.costs();
        now.set(0);
        assertThat(learned.costs()).isEqualTo(before);
    }

    @Test
    void whatAnImageHoldsIsNotForgotten() {
        LearnedCosts learned = learned();
        learned.learnImage(TaskType.REDUCE, 90_000_000, 300_000_000);
        now.addAndGet(100 * MEMORY_MILLIS);
        assertThat(learned.imageBytes(TaskType.REDUCE, 400_000_000)).isEqualTo(296_033_122);
    }

    @Test
    void aFewBytesSayNothingOfTheBandwidth() {
        LearnedCosts learned = learned();
        learned.learn(3000, 1000, 0.01);
        assertThat(learned.costs().bytesPerMilli()).isCloseTo(100_000, within(1e-6));
    }

    @Test
    void whatAnImageHoldsOfMemoryIsLearnedForEachKind() {
        LearnedCosts learned = learned();
        assertThat(learned.imageBytes(TaskType.MAP, 400_000_000)).isEqualTo(120_000_000);
        assertThat(learned.imageBytes(TaskType.REDUCE, 400_000_000)).isEqualTo(400_000_000);
        learned.learnImage(TaskType.REDUCE, 90_000_000, 300_000_000);
        assertThat(learned.imageBytes(TaskType.REDUCE, 400_000_000)).isEqualTo(296_033_122);
        assertThat(learned.imageBytes(TaskType.MAP, 400_000_000)).isEqualTo(120_000_000);
    }

    @Test
    void anImageOfAProcessOfWhichNothingIsKnownTeachesNothing() {
        LearnedCosts learned = learned();
        learned.learnImage(TaskType.REDUCE, 90_000_000, 0);
        learned.learnImage(TaskType.REDUCE, 0, 0);
        assertThat(learned.imageBytes(TaskType.REDUCE, 400_000_000)).isEqualTo(400_000_000);
    }

    private LearnedCosts learned() {
        return new LearnedCosts(
                new CloneCosts(1.2, 3000, 100_000),
                kind -> kind == TaskType.MAP ? 0.3 : 1,
                CostRules.PRESET,
                now::get);
    }

    private static LearnedMean lasting(double prior) {
        return new LearnedMean(
                prior, CostRules.PRESET.priorWeight(), Double.POSITIVE_INFINITY, () -> 0);
    }
}
