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
package org.clonehadoop.selection.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.clonehadoop.selection.fattree.Tier;
import org.junit.jupiter.api.Test;

class GroupTest {
    /**
     * The paper's own example: a request within a rack, selected for at a core, takes 4 hops more.
     */
    @Test
    void countsExtraHopsAsThePaper() {
        assertThat(new Group("g", 0, 0, 0, 1).extraHops(Tier.CORE)).isEqualTo(4);
        Group group = new Group("g", 0, 100, 10, 1);
        assertThat(group.extraHops(Tier.CORE)).isEqualTo(24);
        assertThat(group.extraHops(Tier.AGGREGATION)).isEqualTo(2);
        assertThat(group.extraHops(Tier.TOR)).isZero();
    }

    @Test
    void countsWhatPassesATier() {
        Group group = new Group("g", 0, 100, 10, 1);
        assertThat(group.passing(Tier.CORE)).isEqualTo(100);
        assertThat(group.passing(Tier.AGGREGATION)).isEqualTo(110);
        assertThat(group.passing(Tier.TOR)).isEqualTo(111);
    }

    @Test
    void refusesTrafficThatIsNoNumber() {
        assertThatThrownBy(() -> new Group("g", 0, -1, 0, 0)).hasMessageContaining("group g");
        assertThatThrownBy(() -> new Group("g", 0, Double.NaN, 0, 0)).hasMessageContaining("g");
    }
}
