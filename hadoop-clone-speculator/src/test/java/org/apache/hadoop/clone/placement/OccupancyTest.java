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
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class OccupancyTest {
    private final Memory memory = new Memory();
    private final Occupancy occupancy = new Occupancy(memory);

    @Test
    void ofAnUnknownHostItIsOne() {
        assertThat(occupancy.of("h", 5000)).isEqualTo(1);
        occupancy.changed("h", 3, 5000);
        assertThat(occupancy.of("h", 5000)).isEqualTo(1);
    }

    /** 3 for 10 s, none for an hour, one for 30 s. */
    @Test
    void timeInWhichNobodyWorksDoesNotCount() {
        occupancy.changed("h", 3, 0);
        occupancy.changed("h", 0, 10_000);
        assertThat(occupancy.of("h", 3_600_000)).isEqualTo(3);
        occupancy.changed("h", 1, 3_610_000);
        assertThat(occupancy.of("h", 3_640_000)).isCloseTo(60 / 40.0, within(1e-9));
        assertThat(occupancy.of("other", 3_640_000)).isEqualTo(1);
    }

    @Test
    void whatLiesLongAgoIsForgotten() {
        memory.lasts(10_000);
        occupancy.changed("h", 3, 0);
        occupancy.changed("h", 1, 10_000);
        double third = Math.exp(-1);
        assertThat(occupancy.of("h", 20_000))
                .isCloseTo((3 * third + 1) / (third + 1), within(1e-9));
    }

    @Test
    void aClockThatIsSetBackChangesNothing() {
        occupancy.changed("h", 2, 10_000);
        occupancy.changed("h", 4, 20_000);
        assertThat(occupancy.of("h", 5_000)).isEqualTo(2);
    }
}
