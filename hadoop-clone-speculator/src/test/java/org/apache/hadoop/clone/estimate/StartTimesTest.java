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

import org.junit.jupiter.api.Test;

class StartTimesTest {
    private final StartTimes starts = new StartTimes();

    private void started(String host, long millis) {
        starts.launched(host, 0);
        starts.started(host, 0, millis);
    }

    @Test
    void asLongAsNoneHasStartedNothingIsUsual() {
        starts.launched("a", 0);
        assertThat(starts.usual("b", 60_000)).isNaN();
    }

    @Test
    void thoseThatWaitCountWithWhatTheyHaveWaited() {
        started("a", 4_000);
        for (int i = 0; i < 3; i++) {
            starts.launched("b", 0);
        }
        assertThat(starts.usual("c", 8_000)).isEqualTo(4_000 + 3 * 8_000);
    }

    /** Where another attempt would run. */
    @Test
    void onlyOtherHostsCountIfAnyHasStartedThere() {
        started("a", 4_000);
        started("slow", 40_000);
        starts.launched("slow", 0);
        assertThat(starts.usual("slow", 60_000)).isEqualTo(4_000);
        assertThat(starts.usual("a", 60_000)).isEqualTo(100_000);
    }

    @Test
    void onASingleHostItIsWhatTheOthersTook() {
        started("a", 4_000);
        started("a", 6_000);
        assertThat(starts.usual("a", 60_000)).isEqualTo(5_000);
    }

    @Test
    void whatIsWithdrawnWasNeverThere() {
        started("a", 4_000);
        starts.launched("b", 1_000);
        starts.withdrawn("b", 1_000);
        assertThat(starts.usual("c", 60_000)).isEqualTo(4_000);
    }
}
