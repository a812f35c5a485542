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
package org.clonehadoop.benchmarks.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.clonehadoop.benchmarks.harness.Outcomes.ended;
import static org.clonehadoop.benchmarks.harness.Outcomes.growing;

import org.junit.jupiter.api.Test;

class WildReadsTest {
    private static final int DISKS = 6;

    @Test
    void aGainIsWhatSingleTakesOverWhatDasTakes() {
        assertThat(WildReads.gain(ended(6), ended(2), DISKS)).isCloseTo(3, within(0.01));
        assertThat(WildReads.gain(growing(), ended(2), DISKS)).isInfinite();
        assertThat(WildReads.gain(ended(6), growing(), DISKS)).isZero();
        assertThat(WildReads.gain(growing(), growing(), DISKS)).isZero();
    }
}
