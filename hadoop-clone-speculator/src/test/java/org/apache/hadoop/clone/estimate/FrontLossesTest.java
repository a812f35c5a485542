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
package org.apache.hadoop.clone.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.clone.estimate.FrontLosses.Loss;
import org.junit.jupiter.api.Test;

class FrontLossesTest {
    private static final Loss BEHIND = new Loss(0.3, 0);

    private static FrontLosses of(Loss... all) {
        return new FrontLosses(List.of(all), EstimateRules.PRESET.parts());
    }

    @Test
    void theMedianOfAllCounts() {
        FrontLosses losses =
                of(new Loss(0.5, 10_000), new Loss(0.51, 30_000), new Loss(0.5, 20_000));
        assertThat(losses.at(0.5)).isEqualTo(20_000);
        assertThat(losses.at(0.6)).isZero();
    }

    @Test
    void whoIsElsewhereLosesNothingThere() {
        Loss lost = new Loss(0.5, 10_000);
        assertThat(of(lost).at(0.5)).isEqualTo(10_000);
        assertThat(of(lost, BEHIND).at(0.5)).as("half of them").isEqualTo(10_000);
        assertThat(of(lost, BEHIND, BEHIND).at(0.5)).as("luck").isZero();
    }

    @Test
    void whereNobodyIsOrLosesNothingIsLost() {
        assertThat(of().inAll()).isZero();
        assertThat(of(new Loss(0.5, -5_000)).at(0.5)).isZero();
    }

    /** What others have lost there, and as much again. */
    @Test
    void whoComesThereLaterLosesTwice() {
        FrontLosses losses = of(new Loss(0.5, 10_000));
        assertThat(losses.inAll()).isEqualTo(20_000);
        assertThat(losses.after(0.4)).isEqualTo(20_000);
        assertThat(losses.after(0.5)).isZero();
    }
}
