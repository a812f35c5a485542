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

import org.junit.jupiter.api.Test;

class LearnedCostsTest {
    @Test
    void aMeanBeginsAsConfigured() {
        assertThat(new LearnedMean(3000).get()).isEqualTo(3000);
        assertThatThrownBy(() -> new LearnedMean(0)).hasMessageContaining("0");
        assertThatThrownBy(() -> new LearnedMean(Double.NaN)).hasMessageContaining("NaN");
    }

    @Test
    void theConfiguredValueCountsAsThreeSamples() {
        LearnedMean mean = new LearnedMean(3000);
        mean.add(1000);
        assertThat(mean.get()).isEqualTo((3 * 3000 + 1000) / 4.0);
        mean.add(1000);
        assertThat(mean.get()).isCloseTo((3 * 3000 + 2 * 1000) / 5.0, within(1e-9));
    }

    @Test
    void itComesToWhatIsSeen() {
        LearnedMean mean = new LearnedMean(3000);
        for (int i = 0; i < 500; i++) {
            mean.add(1000);
        }
        assertThat(mean.get()).isCloseTo(1000, within(1.0));
    }

    @Test
    void oneOutlierMovesItLittle() {
        LearnedMean mean = new LearnedMean(1000);
        mean.add(1_000_000);
        assertThat(mean.get()).isEqualTo((3 * 1000 + 4000) / 4.0);
        LearnedMean low = new LearnedMean(1000);
        low.add(0.001);
        assertThat(low.get()).isEqualTo((3 * 1000 + 250) / 4.0);
    }

    @Test
    void nonsenseIsLeftOut() {
        LearnedMean mean = new LearnedMean(1000);
        for (double nonsense : new double[] {0, -5, Double.NaN, Double.POSITIVE_INFINITY}) {
            mean.add(nonsense);
        }
        assertThat(mean.get()).isEqualTo(1000);
    }

    @Test
    void clonesTeachBothCosts() {
        LearnedCosts learned = new LearnedCosts(new CloneCosts(1.2, 3000, 100_000));
        learned.learn(1000, 200_000_000, 1000); // 200 MB/s
        CloneCosts costs = learned.costs();
        assertThat(costs.beta()).isEqualTo(1.2);
        assertThat(costs.vmMillis()).isEqualTo(2500);
        assertThat(costs.bytesPerMilli()).isEqualTo(125_000);
    }

    @Test
    void aFewBytesSayNothingOfTheBandwidth() {
        LearnedCosts learned = new LearnedCosts(new CloneCosts(1.2, 3000, 100_000));
        learned.learn(3000, 1000, 0.01);
        assertThat(learned.costs().bytesPerMilli()).isEqualTo(100_000);
    }
}
