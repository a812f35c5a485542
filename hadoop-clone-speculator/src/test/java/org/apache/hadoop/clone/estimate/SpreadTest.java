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
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SpreadTest {
    private final Spread.Builder all = new Spread.Builder();

    @Test
    void stragglersDoNotMakeStragglingUsual() {
        for (int i = 0; i < 5; i++) {
            all.add(Math.exp(-0.1), 1);
            all.add(1, 1);
            all.add(Math.exp(0.1), 1);
            all.add(20, 0.5);
        }
        assertThat(all.build().deviation()).isCloseTo(1.4826 * 0.1, within(1e-6));
        assertThat(all.build().weight()).isEqualTo(17.5);
    }

    @Test
    void whatHasDoneLittleSaysLittle() {
        all.add(1, 1);
        all.add(1, 1);
        for (int i = 0; i < 10; i++) {
            all.add(3, 0.1);
        }
        assertThat(all.build().deviation()).isZero();
    }

    @Test
    void whatSaysNothingIsLeftOut() {
        all.add(1, 0);
        all.add(0, 0.5);
        assertThat(all.build()).isEqualTo(new Spread(0, 0));
    }

    @Test
    void ofManyTheDeviationIsKnown() {
        assertThat(Spread.ofAnother(0.3, 1e6, 0.2)).isCloseTo(0.3, within(1e-5));
    }

    @Test
    void ofFewTheyMayBeTheQuickOnes() {
        // One that says nothing of the spread, and one that is as far off as is to be expected.
        assertThat(Spread.ofAnother(0, 1, 0.2)).isCloseTo(0.2, within(1e-9));
        assertThat(Spread.ofAnother(0, 0.25, 0.2)).isCloseTo(0.4, within(1e-9));
        assertThat(Spread.ofAnother(0, 0, 0.2)).isInfinite();
    }
}
