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
package org.apache.hadoop.clone.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class RaceRecordsTest {
    private long now;
    private final RaceRecords records = new RaceRecords(() -> now);

    /** Every so many is lost. */
    private Optional<Double> race(String node, int races, int lostOf) {
        Optional<Double> told = Optional.empty();
        for (int i = 1; i <= races; i++) {
            Optional<Double> one = records.ended(node, i % lostOf == 0);
            told = one.isPresent() ? one : told;
        }
        return told;
    }

    @Test
    void oneThatLosesMoreThanAFifthIsToldOfOnceAnHour() {
        race("good", 1000, 20);
        assertThat(race("bad", RaceRecords.ENOUGH - 1, 3)).isEmpty();
        assertThat(race("bad", 30, 3))
                .hasValueSatisfying(share -> assertThat(share).isBetween(0.3, 0.4));
        assertThat(race("bad", 1000, 3)).isEmpty();
        now += RaceRecords.QUIET_NANOS;
        assertThat(race("bad", 10, 3)).isPresent();
    }

    @Test
    void oneThatLosesAFifthIsnt() {
        assertThat(race("node", 1000, 5)).isEmpty();
    }

    /** Equal disks that are busy: duplicates win everywhere. */
    @Test
    void norIsOneThatLosesNoMoreThanOthers() {
        race("other", 1000, 3);
        assertThat(race("node", 1000, 3)).isEmpty();
        assertThat(race("node", 1000, 1)).isPresent();
    }

    @Test
    void whatWasLongAgoIsForgotten() {
        race("node", 10_000, 1000);
        assertThat(race("node", RaceRecords.ENOUGH, 2)).isPresent();
    }
}
