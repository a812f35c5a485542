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

class PricesTest {
    private static Prices prices(double inPlace, double doubt) {
        return new Prices(0, inPlace, true, new SpeculationRules(0.25, 10, doubt, 1.5));
    }

    @Test
    void theFirstReplacementMustSaveAsMuchAsAnySecondAttempt() {
        assertThat(prices(0.5, 1).ofAnother(1)).isEqualTo(0.5);
    }

    /** With three that were no better, three times what another takes must be left, and a half. */
    @Test
    void eachFurtherOneMustBeWorthItAgain() {
        assertThat(prices(0.5, 1).ofAnother(2)).isEqualTo(2);
        assertThat(prices(0.5, 1).ofAnother(3)).isEqualTo(3.5);
        assertThat(prices(0, 1).ofAnother(4)).isEqualTo(3);
    }

    @Test
    void withoutDoubtAllOfThemCostTheSame() {
        assertThat(prices(0.5, 0).ofAnother(7)).isEqualTo(0.5);
    }
}
